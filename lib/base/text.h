/* SPDX-License-Identifier: MIT */
/* Text in buffers of a fixed size. */
#ifndef SADDLE_LIB_TEXT_H
#define SADDLE_LIB_TEXT_H

#include <stddef.h>

/* text[size], NUL-terminated <- text followed by more, cut where the room ends. */
void saddle__append(char *text, size_t size, const char *more);

#endif
