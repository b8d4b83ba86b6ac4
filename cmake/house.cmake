# SPDX-License-Identifier: MIT
# How everything here is compiled, whoever wrote it: target saddle_house, linked privately by the library, the tools and the
# tests.  Results must repeat, so nothing lets the compiler change arithmetic: no -ffast-math, no -march=native, and no
# fusing of a * b + c, which would make them depend on the machine.
set(CMAKE_C_STANDARD 17)
set(CMAKE_C_STANDARD_REQUIRED ON)
set(CMAKE_C_EXTENSIONS OFF)
set(CMAKE_C_VISIBILITY_PRESET hidden)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
# What is built looks for libraries where the installed does.  (The run path that CMake gives only to the former ends in a
# colon, for which the loader looks in the current folder.)  Under sanitizers the library is a shared one of the build folder;
# dependencies in folders of their own (CMAKE_PREFIX_PATH) are found by a run path alone.
if(NOT SADDLE_SANITIZE AND NOT CMAKE_PREFIX_PATH AND NOT DEFINED ENV{CMAKE_PREFIX_PATH})
  set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
endif()

get_property(multiple_configurations GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT multiple_configurations)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Release, Debug, RelWithDebInfo or MinSizeRel" FORCE)
endif()

add_library(saddle_house INTERFACE)
target_compile_definitions(saddle_house INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(saddle_house INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion -ffp-contract=off)
# No division in a branch that is not taken: a host may run with traps (gcc's default).
target_compile_options(saddle_house INTERFACE $<$<COMPILE_LANG_AND_ID:C,Clang,AppleClang>:-ftrapping-math>)
if(SADDLE_WERROR)
  target_compile_options(saddle_house INTERFACE -Werror)
endif()

# Programs call the library and do little themselves: -O2 is quicker to compile, and -O0 with sanitizers.
set(saddle_program_options $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:C>>:-O2>)
if(SADDLE_SANITIZE)
  set(saddle_program_options -O0)
endif()

# Programs are linked by gold, where there is one, in a third of the time of GNU ld; what is installed by the compiler's own
# choice.  With sanitizers gold links all.
include(CheckLinkerFlag)
check_linker_flag(C -fuse-ld=gold SADDLE_GOLD)
set(saddle_link_options $<$<BOOL:${SADDLE_GOLD}>:-fuse-ld=gold>)

# Sanitizers instrument all there is, but no pointer arithmetic, which takes as long as all else of undefined behaviour:
# a pointer that leaves its array is found where it is used, and NULL + 0 does no harm (C2y defines it, WG14 N3322).
if(SADDLE_SANITIZE)
  add_compile_options(-fsanitize=${SADDLE_SANITIZE} -fno-sanitize=pointer-overflow -fno-sanitize-recover=all
    -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SADDLE_SANITIZE} ${saddle_link_options})
endif()
