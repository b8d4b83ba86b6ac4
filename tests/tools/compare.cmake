# SPDX-License-Identifier: MIT
# cmake -DPROGRAM=.. -DEXPECTED=.. -P compare.cmake: fails unless PROGRAM succeeds and prints the file EXPECTED.
execute_process(COMMAND "${PROGRAM}" RESULT_VARIABLE code OUTPUT_VARIABLE printed)
file(READ "${EXPECTED}" expected)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${PROGRAM} ends with ${code}")
endif()
if(NOT printed STREQUAL expected)
  message(FATAL_ERROR "${PROGRAM} prints\n${printed}instead of\n${expected}")
endif()
