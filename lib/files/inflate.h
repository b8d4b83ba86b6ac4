/* SPDX-License-Identifier: MIT */
/* Data in the zlib format (RFC 1950, RFC 1951), as MATLAB files hold them: decompressed whole, with
 * the checksum compared.  No dictionary beforehand. */
#ifndef SADDLE_FILES_INFLATE_H
#define SADDLE_FILES_INFLATE_H

#include <stdint.h>

#include "saddle/context.h"

/* *to (*count bytes): released by saddle_release; NULL on failure.  SADDLE_BAD_FILE with a message
 * of the reason alone ("compressed data end early"), SADDLE_OUT_OF_MEMORY.  A byte of input makes
 * 1032 of output at most. */
saddle_status saddle__inflate(saddle_context *context, const unsigned char *from, int64_t length,
                              unsigned char **to, int64_t *count);

#endif
