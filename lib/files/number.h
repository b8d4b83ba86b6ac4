/* SPDX-License-Identifier: MIT */
/* Numbers as text: reading rounds correctly, writing uses the shortest digits with the same bits,
 * in every locale. Nothing allocates or fails. */
#ifndef SADDLE_FILES_NUMBER_H
#define SADDLE_FILES_NUMBER_H

#include <stdint.h>

typedef enum saddle__number_kind {
    SADDLE__NUMBER_NONE = 0, /* no number begins here */
    SADDLE__NUMBER_FINITE,   /* value is the nearest double, ties to even */
    SADDLE__NUMBER_INFINITE, /* inf, +inf, -inf, infinity in any case */
    SADDLE__NUMBER_NAN,      /* nan, -nan in any case */
    SADDLE__NUMBER_OVERFLOW  /* the nearest double is infinite, or int64_t is too small */
} saddle__number_kind;

/* [+-] digits [. digits] [e|E|d|D [+-] digits], an infinity or a NaN, beginning exactly at text.
 * end: the end of the readable text.  *next: the end of the number. */
saddle__number_kind saddle__number_parse(const char *text, const char *end, double *value,
                                         const char **next);

/* [+-] digits, likewise: NONE, FINITE or OVERFLOW. */
saddle__number_kind saddle__integer_parse(const char *text, const char *end, int64_t *value,
                                          const char **next);

#define SADDLE__NUMBER_SIZE 32 /* holds every double and every int64_t with the final NUL */

/* The shortest digits that parse to the same bits ("0.1", "-0", "1e+300", "5e-324", "inf", "-inf",
 * "nan"), NUL-terminated.  Returns the length. */
int saddle__number_format(double value, char text[SADDLE__NUMBER_SIZE]);
int saddle__integer_format(int64_t value, char text[SADDLE__NUMBER_SIZE]);

#endif
