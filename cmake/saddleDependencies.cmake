# SPDX-License-Identifier: MIT
# What saddle stands on, all from Debian packages, gathered in one target saddle::dependencies:
# SuiteSparse (CHOLMOD, which brings METIS with it, KLU, AMD, with SADDLE_GPL UMFPACK), OpenBLAS (BLAS and LAPACK), HDF5.
#
# The build uses this file, and so does the installed package when someone asks for the static library.  What is missing is
# named in saddle_missing; the includer decides whether that is an error.
set(saddle_missing "")
if(NOT TARGET saddle::dependencies)
  set(saddle_libraries "")
  set(saddle_includes "")

  find_path(SADDLE_SUITESPARSE_INCLUDE cholmod.h PATH_SUFFIXES suitesparse)
  mark_as_advanced(SADDLE_SUITESPARSE_INCLUDE)
  if(SADDLE_SUITESPARSE_INCLUDE)
    list(APPEND saddle_includes "${SADDLE_SUITESPARSE_INCLUDE}")
  else()
    list(APPEND saddle_missing "cholmod.h (libsuitesparse-dev)")
  endif()
  set(saddle_umfpack "")
  if(SADDLE_GPL)
    set(saddle_umfpack umfpack)
  endif()
  foreach(name cholmod ${saddle_umfpack} klu amd suitesparseconfig)
    find_library(SADDLE_${name}_LIBRARY ${name})
    mark_as_advanced(SADDLE_${name}_LIBRARY)
    if(SADDLE_${name}_LIBRARY)
      list(APPEND saddle_libraries "${SADDLE_${name}_LIBRARY}")
    else()
      list(APPEND saddle_missing "lib${name} (libsuitesparse-dev)")
    endif()
  endforeach()

  find_package(PkgConfig QUIET)
  foreach(name openblas hdf5)
    if(PKG_CONFIG_FOUND)
      pkg_check_modules(SADDLE_${name} QUIET ${name})
    endif()
    if(SADDLE_${name}_FOUND)
      list(APPEND saddle_libraries ${SADDLE_${name}_LINK_LIBRARIES})
      list(APPEND saddle_includes ${SADDLE_${name}_INCLUDE_DIRS})
    else()
      list(APPEND saddle_missing "${name}.pc (lib${name}-dev, pkg-config)")
    endif()
  endforeach()

  if(NOT saddle_missing)
    list(REMOVE_DUPLICATES saddle_includes)
    add_library(saddle::dependencies INTERFACE IMPORTED GLOBAL)
    set_target_properties(saddle::dependencies PROPERTIES
      INTERFACE_INCLUDE_DIRECTORIES "${saddle_includes}"
      INTERFACE_LINK_LIBRARIES "${saddle_libraries};m")
  endif()
  unset(saddle_umfpack)
  unset(saddle_libraries)
  unset(saddle_includes)
endif()
