/* SPDX-License-Identifier: MIT */
#ifndef SADDLE_VERSION_H
#define SADDLE_VERSION_H

#include <stddef.h>

#include "saddle/export.h"

#define SADDLE_VERSION_MAJOR 0
#define SADDLE_VERSION_MINOR 1
#define SADDLE_VERSION_PATCH 0

SADDLE_BEGIN_DECLARATIONS

/* "0.1.0", of the linked library; the macros have the version of the headers. */
SADDLE_API const char *saddle_version(void);

/* Bytes of a public struct as the linked library was compiled, by its name ("saddle_problem"), for
 * bindings that check their own declarations; 0: no struct of that name is listed. */
SADDLE_API size_t saddle_struct_size(const char *name);

SADDLE_END_DECLARATIONS

#endif
