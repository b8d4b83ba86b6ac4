# SPDX-License-Identifier: MIT
# Other programs as solvers of `saddle bench --peers build/bench/peers`: saddle-peer-NAME for each that was found.
function(add_adapter name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;INCLUDES;LIBRARIES")
  foreach(part ${arg_INCLUDES} ${arg_LIBRARIES})
    if(NOT part)
      return()
    endif()
  endforeach()
  add_executable(saddle_peer_${name} peers/adapter.c ${arg_SOURCES})
  string(TOUPPER ${name} upper)
  set_target_properties(saddle_peer_${name} PROPERTIES OUTPUT_NAME saddle-peer-${name}
    RUNTIME_OUTPUT_DIRECTORY "${CMAKE_CURRENT_BINARY_DIR}/peers")
  target_compile_definitions(saddle_peer_${name} PRIVATE PEER_IS_${upper})
  target_include_directories(saddle_peer_${name} PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}" "${PROJECT_SOURCE_DIR}/lib"
    "${PROJECT_SOURCE_DIR}/solvers")
  target_include_directories(saddle_peer_${name} SYSTEM PRIVATE ${arg_INCLUDES})
  target_link_libraries(saddle_peer_${name} PRIVATE saddle_house saddle_static saddle::dependencies ${arg_LIBRARIES} m)
  add_dependencies(saddle_peers saddle_peer_${name})
endfunction()

add_custom_target(saddle_peers)
if(SADDLE_SANITIZE) # other programs' code
  return()
endif()
add_adapter(cholmod SOURCES peers/adapter_factor.c peers/cholmod.c)
add_adapter(umfpack SOURCES peers/adapter_factor.c peers/umfpack.c
  INCLUDES "${SADDLE_UMFPACK_INCLUDE}" LIBRARIES "${SADDLE_UMFPACK_LIBRARY}")
add_adapter(mumps SOURCES peers/adapter_factor.c peers/mumps.c peers/cholmod.c INCLUDES "${SADDLE_MUMPS_INCLUDE}"
  LIBRARIES "${SADDLE_MUMPS_LIBRARY}" "${SADDLE_MUMPS_COMMON_LIBRARY}")
add_adapter(siconos SOURCES peers/adapter_siconos.c contact/siconos.c clock.c harness.c
  INCLUDES "${SADDLE_SICONOS_INCLUDE}" "${SADDLE_SICONOS_CONFIG_INCLUDE}" "${SADDLE_CXSPARSE_INCLUDE}"
  LIBRARIES "${SADDLE_SICONOS_LIBRARY}")
add_adapter(mujoco SOURCES peers/adapter_mujoco.c contact/mujoco_pile.c
  INCLUDES "${SADDLE_MUJOCO_INCLUDE}" LIBRARIES saddle_generators "${SADDLE_MUJOCO_LIBRARY}")
if(TARGET saddle_peer_mujoco)
  add_executable(write_mujoco_systems contact/write_mujoco_systems.c contact/mujoco_pile.c harness.c)
  target_include_directories(write_mujoco_systems PRIVATE "${CMAKE_CURRENT_SOURCE_DIR}")
  target_include_directories(write_mujoco_systems SYSTEM PRIVATE "${SADDLE_MUJOCO_INCLUDE}")
  target_link_libraries(write_mujoco_systems PRIVATE saddle_house saddle_generators "${SADDLE_MUJOCO_LIBRARY}" m)
endif()
if(CMAKE_CXX_COMPILER_LOADED)
  add_adapter(ode SOURCES peers/adapter_lcp.c complementarity/ode.cpp clock.c harness.c
    INCLUDES "${SADDLE_ODE_INCLUDE}" LIBRARIES "${SADDLE_ODE_LIBRARY}")
  add_adapter(bullet SOURCES peers/adapter_lcp.c complementarity/bullet.cpp clock.c harness.c
    INCLUDES "${SADDLE_BULLET_INCLUDE}" LIBRARIES "${SADDLE_BULLET_LIBRARY}" "${SADDLE_BULLET_MATH_LIBRARY}")
  add_adapter(dart SOURCES peers/adapter_lcp.c complementarity/dart.cpp clock.c harness.c
    INCLUDES "${SADDLE_DART_INCLUDE}" LIBRARIES "${SADDLE_DART_LIBRARY}")
  add_adapter(simbody SOURCES peers/adapter_simbody.cpp INCLUDES "${SADDLE_SIMBODY_INCLUDE}"
    LIBRARIES "${SADDLE_SIMBODY_LIBRARY}" "${SADDLE_SIMMATH_LIBRARY}" "${SADDLE_SIMCOMMON_LIBRARY}")
  set_source_files_properties(peers/adapter_simbody.cpp PROPERTIES COMPILE_OPTIONS -UNDEBUG) # as in multibody
endif()
