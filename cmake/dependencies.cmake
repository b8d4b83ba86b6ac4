# SPDX-License-Identifier: MIT
# What saddle stands on, all from Debian packages: SuiteSparse, METIS (through CHOLMOD), OpenBLAS, HDF5, jansson.
find_path(SUITESPARSE_INCLUDE cholmod.h PATH_SUFFIXES suitesparse REQUIRED)
find_library(CHOLMOD_LIBRARY cholmod REQUIRED)
find_library(UMFPACK_LIBRARY umfpack REQUIRED)
find_library(AMD_LIBRARY amd REQUIRED)
find_library(SUITESPARSECONFIG_LIBRARY suitesparseconfig REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(OPENBLAS REQUIRED IMPORTED_TARGET openblas)
pkg_check_modules(HDF5 REQUIRED IMPORTED_TARGET hdf5)
pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)

add_library(saddle_dependencies INTERFACE)
target_include_directories(saddle_dependencies SYSTEM INTERFACE "${SUITESPARSE_INCLUDE}")
target_link_libraries(saddle_dependencies INTERFACE ${CHOLMOD_LIBRARY} ${UMFPACK_LIBRARY} ${AMD_LIBRARY}
  ${SUITESPARSECONFIG_LIBRARY} PkgConfig::OPENBLAS PkgConfig::HDF5 PkgConfig::JANSSON)
