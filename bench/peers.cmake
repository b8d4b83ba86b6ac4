# SPDX-License-Identifier: MIT
# Which of the other programs there are.  Each found adds its adapter to the target and a definition that the target's table
# of peers knows.
function(add_peer target name source)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "INCLUDES;LIBRARIES")
  foreach(part ${arg_INCLUDES} ${arg_LIBRARIES})
    if(NOT part) # a path that was not found ends in -NOTFOUND
      return()
    endif()
  endforeach()
  target_sources(${target} PRIVATE ${source})
  target_compile_definitions(${target} PRIVATE SADDLE_BENCH_${name})
  target_include_directories(${target} SYSTEM PRIVATE ${arg_INCLUDES})
  target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
endfunction()

if(SADDLE_SANITIZE)
  return()
endif()

find_path(SADDLE_SICONOS_INCLUDE NonSmoothDrivers.h PATH_SUFFIXES siconos/numerics)
find_path(SADDLE_SICONOS_CONFIG_INCLUDE SiconosConfig.h PATH_SUFFIXES siconos)
find_path(SADDLE_CXSPARSE_INCLUDE cs.h PATH_SUFFIXES suitesparse)
find_library(SADDLE_SICONOS_LIBRARY siconos_numerics)
mark_as_advanced(SADDLE_SICONOS_INCLUDE SADDLE_SICONOS_CONFIG_INCLUDE SADDLE_CXSPARSE_INCLUDE SADDLE_SICONOS_LIBRARY)
foreach(part complementarity contact)
  add_peer(bench_${part} SICONOS ${part}/siconos.c
    INCLUDES "${SADDLE_SICONOS_INCLUDE}" "${SADDLE_SICONOS_CONFIG_INCLUDE}" "${SADDLE_CXSPARSE_INCLUDE}"
    LIBRARIES "${SADDLE_SICONOS_LIBRARY}")
endforeach()

find_path(SADDLE_MUJOCO_INCLUDE mujoco/mujoco.h)
find_library(SADDLE_MUJOCO_LIBRARY mujoco)
mark_as_advanced(SADDLE_MUJOCO_INCLUDE SADDLE_MUJOCO_LIBRARY)
add_peer(bench_contact MUJOCO "contact/mujoco.c;contact/mujoco_pile.c"
  INCLUDES "${SADDLE_MUJOCO_INCLUDE}" LIBRARIES "${SADDLE_MUJOCO_LIBRARY}")

include(CheckLanguage)
check_language(CXX)
if(NOT CMAKE_CXX_COMPILER)
  return()
endif()
enable_language(CXX)
set(CMAKE_CXX_STANDARD 17)

find_library(SADDLE_ODE_LIBRARY ode)
find_path(SADDLE_ODE_INCLUDE ode/ode.h)
find_path(SADDLE_BULLET_INCLUDE BulletDynamics/MLCPSolvers/btDantzigLCP.h PATH_SUFFIXES bullet)
find_library(SADDLE_BULLET_LIBRARY BulletDynamics-float64)
find_library(SADDLE_BULLET_MATH_LIBRARY LinearMath-float64)
find_path(SADDLE_DART_INCLUDE dart/external/odelcpsolver/lcp.h)
find_library(SADDLE_DART_LIBRARY dart-external-odelcpsolver)
mark_as_advanced(SADDLE_ODE_LIBRARY SADDLE_ODE_INCLUDE SADDLE_BULLET_INCLUDE SADDLE_BULLET_LIBRARY
  SADDLE_BULLET_MATH_LIBRARY SADDLE_DART_INCLUDE SADDLE_DART_LIBRARY)
add_peer(bench_complementarity ODE complementarity/ode.cpp INCLUDES "${SADDLE_ODE_INCLUDE}" LIBRARIES "${SADDLE_ODE_LIBRARY}")
add_peer(bench_complementarity BULLET complementarity/bullet.cpp INCLUDES "${SADDLE_BULLET_INCLUDE}"
  LIBRARIES "${SADDLE_BULLET_LIBRARY}" "${SADDLE_BULLET_MATH_LIBRARY}")
set_source_files_properties(complementarity/bullet.cpp PROPERTIES COMPILE_DEFINITIONS BT_USE_DOUBLE_PRECISION)
add_peer(bench_complementarity DART complementarity/dart.cpp
  INCLUDES "${SADDLE_DART_INCLUDE}" LIBRARIES "${SADDLE_DART_LIBRARY}")
