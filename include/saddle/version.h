/* SPDX-License-Identifier: MIT */
#ifndef SADDLE_VERSION_H
#define SADDLE_VERSION_H

#include "saddle/export.h"

#define SADDLE_VERSION_MAJOR 0
#define SADDLE_VERSION_MINOR 1
#define SADDLE_VERSION_PATCH 0

SADDLE_BEGIN_DECLARATIONS

/* "0.1.0", of the linked library; the macros have the version of the headers. */
SADDLE_API const char *saddle_version(void);

SADDLE_END_DECLARATIONS

#endif
