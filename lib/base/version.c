/* SPDX-License-Identifier: MIT */
/* The version of the library that is linked. */
#include "saddle/version.h"

#define TEXT(x) #x
#define DOTTED(major, minor, patch) TEXT(major) "." TEXT(minor) "." TEXT(patch)

const char *saddle_version(void)
{
    return DOTTED(SADDLE_VERSION_MAJOR, SADDLE_VERSION_MINOR, SADDLE_VERSION_PATCH);
}
