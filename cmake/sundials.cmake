# SPDX-License-Identifier: MIT
# SUNDIALS' ARKODE and CVODE (libsundials-dev), for examples and a test: target saddle_sundials where they are found.
find_path(SADDLE_SUNDIALS_INCLUDE arkode/arkode_arkstep.h)
find_library(SADDLE_ARKODE_LIBRARY sundials_arkode)
find_library(SADDLE_CVODE_LIBRARY sundials_cvode)
find_library(SADDLE_NVECTOR_LIBRARY sundials_nvecserial)
mark_as_advanced(SADDLE_SUNDIALS_INCLUDE SADDLE_ARKODE_LIBRARY SADDLE_CVODE_LIBRARY SADDLE_NVECTOR_LIBRARY)
if(SADDLE_SUNDIALS_INCLUDE AND SADDLE_ARKODE_LIBRARY AND SADDLE_CVODE_LIBRARY AND SADDLE_NVECTOR_LIBRARY
    AND NOT SADDLE_SANITIZE AND NOT TARGET saddle_sundials)
  add_library(saddle_sundials INTERFACE)
  target_include_directories(saddle_sundials SYSTEM INTERFACE "${SADDLE_SUNDIALS_INCLUDE}")
  target_link_libraries(saddle_sundials INTERFACE "${SADDLE_ARKODE_LIBRARY}" "${SADDLE_CVODE_LIBRARY}"
    "${SADDLE_NVECTOR_LIBRARY}")
endif()
