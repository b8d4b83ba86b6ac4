# SPDX-License-Identifier: MIT
# What an installation holds: headers, both libraries, the command, a CMake package and a pkg-config file.  Nothing in it
# names the prefix, so that the tree may be moved.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/saddle")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/saddle" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/CITATION.cff" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${CMAKE_INSTALL_DOCDIR}" PATTERN "CMakeLists.txt" EXCLUDE)

# Beside README.md lie docs/ and examples/, as here; links to headers lead to where those are installed.
file(RELATIVE_PATH headers "/${CMAKE_INSTALL_DOCDIR}" "/${CMAKE_INSTALL_INCLUDEDIR}")
file(GLOB_RECURSE documents CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}"
  "${PROJECT_SOURCE_DIR}/docs/*.md" "${PROJECT_SOURCE_DIR}/docs/*.json")
foreach(document README.md CHANGELOG.md CONTRIBUTING.md ${documents})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/${document}")
  file(READ "${PROJECT_SOURCE_DIR}/${document}" text)
  string(REPLACE "](include/" "](${headers}/" text "${text}")
  string(REPLACE "](../include/" "](../${headers}/" text "${text}")
  string(REPLACE "](../../include/" "](../../${headers}/" text "${text}")
  file(WRITE "${PROJECT_BINARY_DIR}/doc/${document}" "${text}")
endforeach()
install(DIRECTORY "${PROJECT_BINARY_DIR}/doc/" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/pictures" DESTINATION "${CMAKE_INSTALL_DOCDIR}/docs")

# Two export sets: who links the shared library needs nothing but this; the static one brings saddle::dependencies along.
install(TARGETS saddle EXPORT saddleTargets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS saddle_static EXPORT saddleStaticTargets INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(EXPORT saddleTargets NAMESPACE saddle:: DESTINATION "${package_dir}")
install(EXPORT saddleStaticTargets NAMESPACE saddle:: DESTINATION "${package_dir}")

configure_package_config_file(cmake/saddleConfig.cmake.in "${PROJECT_BINARY_DIR}/cmake/saddleConfig.cmake"
  INSTALL_DESTINATION "${package_dir}" NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/cmake/saddleConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/cmake/saddleConfig.cmake" "${PROJECT_BINARY_DIR}/cmake/saddleConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/saddleDependencies.cmake" DESTINATION "${package_dir}")

# pkg-config: the prefix is found from the file's own place; the private libraries are written out, so that linking the
# shared library asks for no other .pc file.
file(RELATIVE_PATH SADDLE_PC_TO_PREFIX "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
string(REGEX REPLACE "/$" "" SADDLE_PC_TO_PREFIX "${SADDLE_PC_TO_PREFIX}")
list(JOIN SADDLE_openblas_LDFLAGS " " openblas_flags)
list(TRANSFORM OpenMP_C_LIB_NAMES PREPEND "-l" OUTPUT_VARIABLE openmp_flags)
list(JOIN openmp_flags " " openmp_flags)
set(umfpack_flag "")
if(SADDLE_GPL)
  set(umfpack_flag "-lumfpack ")
endif()
set(mumps_flag "")
if(SADDLE_MUMPS STREQUAL "seq")
  set(mumps_flag "-ldmumps_seq -lmumps_common_seq ")
endif()
set(ccd_flag "")
if(SADDLE_CCD_FOUND)
  set(ccd_flag "-lccd ")
endif()
set(xml_flag "")
if(SADDLE_XML_FOUND)
  list(JOIN SADDLE_expat_LDFLAGS " " xml_flag)
  string(APPEND xml_flag " ")
endif()
set(SADDLE_PC_PRIVATE
  "${xml_flag}${ccd_flag}-lcholmod ${umfpack_flag}${mumps_flag}-lklu -lmetis -lamd -lsuitesparseconfig -lz")
string(APPEND SADDLE_PC_PRIVATE " ${openblas_flags} ${openmp_flags} -lm")
configure_file(cmake/saddle.pc.in "${PROJECT_BINARY_DIR}/cmake/saddle.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/cmake/saddle.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

# cmake --build build --target uninstall: removes what the last installation wrote.
add_custom_target(uninstall VERBATIM
  COMMAND "${CMAKE_COMMAND}" "-DMANIFEST=${PROJECT_BINARY_DIR}/install_manifest.txt"
          -P "${PROJECT_SOURCE_DIR}/cmake/uninstall.cmake")

# cpack -G DEB in the build folder, or --config build/CPackConfig.cmake: one Debian package.
set(CPACK_PACKAGE_NAME saddle)
set(CPACK_PACKAGE_VENDOR "the saddle authors")
set(CPACK_PACKAGE_CONTACT "the saddle authors <saddle@localhost>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_GENERATOR DEB)
set(CPACK_STRIP_FILES ON)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION math)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
include(CPack)
