/* SPDX-License-Identifier: MIT */
/* Numbers as text: correctly rounded when read, shortest digits that read back bit for bit when
 * written, whatever the locale.  Nothing here allocates or fails for want of anything. */
#ifndef SADDLE_FILES_NUMBER_H
#define SADDLE_FILES_NUMBER_H

#include <stdint.h>

typedef enum saddle__number_kind {
    SADDLE__NUMBER_NONE = 0, /* no number begins here */
    SADDLE__NUMBER_FINITE,   /* value is the nearest double, ties to even */
    SADDLE__NUMBER_INFINITE, /* inf, +inf, -inf, infinity in any case */
    SADDLE__NUMBER_NAN,      /* nan, -nan in any case */
    SADDLE__NUMBER_OVERFLOW  /* digits whose nearest double is infinite, or an int64_t too small */
} saddle__number_kind;

/* [+-] digits [. digits] [e|E|d|D [+-] digits], or an infinity or a NaN, beginning exactly at text;
 * end is one past the last character that may be read.  *next is one past the number.  What follows
 * the number is not looked at. */
saddle__number_kind saddle__number_parse(const char *text, const char *end, double *value,
                                         const char **next);

/* [+-] digits, the same way: NONE, FINITE or OVERFLOW. */
saddle__number_kind saddle__integer_parse(const char *text, const char *end, int64_t *value,
                                          const char **next);

#define SADDLE__NUMBER_SIZE 32 /* holds every double and every int64_t with its NUL */

/* The shortest digits that parse to the same bits ("0.1", "-0", "1e+300", "5e-324", "inf", "-inf",
 * "nan"), NUL-terminated. Returns the length. */
int saddle__number_format(double value, char text[SADDLE__NUMBER_SIZE]);
int saddle__integer_format(int64_t value, char text[SADDLE__NUMBER_SIZE]);

/* ---- shared by number_parse.c, number_exact.c and number_format.c ---- */

/* 10^q = (high:low + d) 2^(floor(log2 10^q) - 127) with 0 <= d < 1, d = 0 for 0 <= q <= 55; the top
 * bit of high is set.
 */
typedef struct saddle__power {
    uint64_t high, low;
} saddle__power;

#define SADDLE__POWER_MIN (-342)
#define SADDLE__POWER_MAX 324
extern const saddle__power saddle__powers[SADDLE__POWER_MAX - SADDLE__POWER_MIN + 1];

/* Of the neighbouring doubles with the bits `lower` and lower + 1 (both >= 0; the upper may be
 * infinity) the one nearest to digits * 10^exponent, ties to even, by integer arithmetic of any
 * length.  digits: decimal digits and at most one point, which is ignored; the first is not 0.  The
 * value lies between the two doubles. */
uint64_t saddle__number_decide(const char *digits, const char *end, int64_t exponent,
                               uint64_t lower);

#endif
