/* SPDX-License-Identifier: MIT */
#ifndef SADDLE_VERSION_H
#define SADDLE_VERSION_H

#include "saddle/export.h"

#define SADDLE_VERSION_MAJOR 0
#define SADDLE_VERSION_MINOR 1
#define SADDLE_VERSION_PATCH 0

SADDLE_BEGIN_DECLARATIONS

/* "0.1.0", of the library that is linked (compare with the macros for the header's). */
SADDLE_API const char *saddle_version(void);

SADDLE_END_DECLARATIONS

#endif
