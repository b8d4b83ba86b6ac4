/* SPDX-License-Identifier: MIT */
/* Text to the nearest double.
 *
 * The digits are an integer w (its first 19 if there are more) and a power of ten q.  Where w <
 * 2^53 and 10^|q| is itself a double, one multiplication or division rounds once and is exact
 * (Clinger, 1990).  Else 10^q is enclosed between two neighbouring 128-bit integers, so w 10^q is
 * enclosed too; when both ends round to the same double, that is the answer, which fails about once
 * in 2^60 drawn numbers (the product of Eisel and Lemire, "Number parsing at a gigabyte per
 * second", 2021, with an interval in place of their case analysis).  Else the digits are compared
 * with the midpoint exactly: number_exact.c. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "files/number.h"

__extension__ typedef unsigned __int128 wide;

typedef struct decimal { /* w 10^exponent <= value < (w + truncated) 10^exponent */
    uint64_t w;
    int64_t exponent;
    int truncated;      /* 1: nonzero digits were left out of w */
    const char *digits; /* the first digit that is not 0 */
    const char *end;    /* one past the mantissa */
    int64_t last_power; /* power of ten of the mantissa's last digit */
} decimal;

#define DIGITS_IN_W 19                    /* 10^19 < 2^64 */
#define EXPONENT_BOUND 100000000000000000 /* beyond which an exponent's digits no longer count */

/* Passes a run of digits, w = 10^count w + digits modulo 2^64.  Eight at a time where the machine
 * is little-endian: with the digits as the bytes of x, x 10 + x / 2^8 joins neighbours to numbers
 * below 100 in every other byte, and two products with (10^6, 10^2) and (10^4, 1) join those four
 * in the upper half. */
static inline const char *take_digits(const char *p, const char *end, uint64_t *w)
{
    uint64_t sum = *w;
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    while (end - p >= 8) {
        uint64_t x;
        memcpy(&x, p, 8);
        uint64_t high = UINT64_C(0xf0f0f0f0f0f0f0f0), pair = UINT64_C(0x000000ff000000ff);
        if ((x & high) != UINT64_C(0x3030303030303030) ||
            ((x + UINT64_C(0x0606060606060606)) & high) != UINT64_C(0x3030303030303030))
            break;
        x -= UINT64_C(0x3030303030303030);
        x = x * 10 + (x >> 8);
        x = ((x & pair) * UINT64_C(0x000f424000000064) +
             ((x >> 16) & pair) * UINT64_C(0x0000271000000001)) >>
            32;
        sum = sum * 100000000 + x;
        p += 8;
    }
#endif
    for (; p < end && *p >= '0' && *p <= '9'; p++) sum = 10 * sum + (uint64_t)(*p - '0');
    *w = sum;
    return p;
}

static int is_digit(const char *p, const char *end)
{
    return p < end && *p >= '0' && *p <= '9';
}

/* Compares without regard to case; 1 when the text continues with the lower-case word. */
static int continues(const char *p, const char *end, const char *word)
{
    for (; *word; word++, p++)
        if (p == end || (*p | 0x20) != *word) return 0;
    return 1;
}

static saddle__number_kind parse_word(const char *p, const char *end, int negative, double *value,
                                      const char **next)
{
    if (continues(p, end, "inf")) {
        *next = p + (continues(p, end, "infinity") ? 8 : 3);
        *value = negative ? -INFINITY : INFINITY;
        return SADDLE__NUMBER_INFINITE;
    }
    if (continues(p, end, "nan")) {
        *next = p + 3;
        *value = NAN;
        return SADDLE__NUMBER_NAN;
    }
    return SADDLE__NUMBER_NONE;
}

/* e+12 and the like; leaves *p alone where no exponent follows. */
static int64_t parse_exponent(const char **p, const char *end)
{
    const char *q = *p;
    if (q == end || (*q != 'e' && *q != 'E' && *q != 'd' && *q != 'D')) return 0;
    q++;
    int negative = q < end && *q == '-';
    if (q < end && (*q == '-' || *q == '+')) q++;
    if (!is_digit(q, end)) return 0;
    int64_t exponent = 0;
    for (; is_digit(q, end); q++)
        if (exponent < EXPONENT_BOUND) exponent = 10 * exponent + (*q - '0');
    *p = q;
    return negative ? -exponent : exponent;
}

/* More digits than w holds: the first 19, from the first that is not 0. */
static void take_leading_digits(decimal *d, int64_t places)
{
    d->w = 0;
    d->truncated = 0;
    int64_t taken = 0, left = 0;
    for (const char *p = d->digits; p < d->end; p++) {
        if (*p == '.') continue;
        if (taken < DIGITS_IN_W) {
            d->w = 10 * d->w + (uint64_t)(*p - '0');
            taken++;
        } else {
            left++;
            d->truncated |= *p != '0';
        }
    }
    d->exponent = left - places;
}

/* The mantissa and the exponent; 0 when there is no digit. */
static int parse_decimal(const char *p, const char *end, decimal *d, const char **next)
{
    const char *begin = p;
    uint64_t w = 0;
    p = take_digits(p, end, &w);
    int64_t digits = p - begin, places = 0;
    if (p < end && *p == '.') {
        const char *point = ++p;
        p = take_digits(p, end, &w);
        places = p - point;
        digits += places;
    }
    if (digits == 0) return 0;
    *d = (decimal){.w = w, .exponent = -places, .digits = begin, .end = p, .last_power = -places};
    if (digits > DIGITS_IN_W) {
        while (d->digits < p && (*d->digits == '0' || *d->digits == '.')) d->digits++;
        take_leading_digits(d, places);
    }
    int64_t exponent = parse_exponent(&p, end);
    d->exponent += exponent;
    d->last_power += exponent;
    *next = p;
    return 1;
}

/* The double nearest to (high:low) 2^exponent, the top bit of high set or the one below; its
 * bits. */
static uint64_t round_product(uint64_t high, uint64_t low, int64_t exponent)
{
    if (!(high >> 63)) {
        high = high << 1 | low >> 63;
        low <<= 1;
        exponent--;
    }
    int64_t biased = exponent + 127 + 1023;
    if (biased >= 2047) return UINT64_C(0x7ff) << 52;
    int64_t keep = biased >= 1 ? 53 : 52 + biased; /* significant bits: fewer below the normal
                                                      range */
    if (keep < 0) return 0;
    int drop = (int)(64 - keep);
    uint64_t mantissa = drop == 64 ? 0 : high >> drop;
    uint64_t half = UINT64_C(1) << (drop - 1);
    uint64_t rest = high & (half + (half - 1));
    mantissa += rest > half || (rest == half && (low || (mantissa & 1)));
    return biased >= 1 ? ((uint64_t)(biased - 1) << 52) + mantissa : mantissa; /* a carry moves into
                                                                                  the exponent */
}

/* w 10^q, w > 0, lies between the two products that are rounded here; the second is only where it
 * could differ. */
static void enclose(uint64_t w, int64_t q, uint64_t *lower, uint64_t *upper)
{
    int shift = __builtin_clzll(w);
    w <<= shift;
    saddle__power power = saddle__powers[q - SADDLE__POWER_MIN];
    wide bottom = (wide)w * power.low;
    wide product = (wide)w * power.high + (uint64_t)(bottom >> 64); /* the upper 128 of 192 bits */
    int64_t exponent = ((q * 217706) >> 16) - 127 - shift + 64;
    int exact = q >= 0 && q <= 55;
    wide sticky = exact && (uint64_t)bottom != 0;
    wide above = exact ? product | sticky : product + 2;
    if (above < product) above = ~(wide)0;
    product |= sticky;
    *lower = round_product((uint64_t)(product >> 64), (uint64_t)product, exponent);
    uint64_t low = (uint64_t)product << 1; /* adding 4 here without a carry changes neither high nor
                                              whether low is 0 */
    *upper = exact || (low != 0 && low < UINT64_MAX - 4)
                 ? *lower
                 : round_product((uint64_t)(above >> 64), (uint64_t)above, exponent);
}

/* The bits of the nearest double where the quick way is not exact. */
static uint64_t round_decimal(const decimal *d)
{
    if (d->exponent > 309) return UINT64_C(0x7ff) << 52;
    if (d->exponent < SADDLE__POWER_MIN)
        return 0; /* below 10^19 10^-343, less than half the least double */
    uint64_t lower, upper, unused;
    enclose(d->w, d->exponent, &lower, &upper);
    if (d->truncated) enclose(d->w + 1, d->exponent, &unused, &upper);
    if (lower == upper) return lower;
    const char *digits = d->digits;
    while (*digits == '0' || *digits == '.') digits++;
    return saddle__number_decide(digits, d->end, d->last_power, lower);
}

static double from_bits(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double value_of(decimal *d)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (d->w == 0) return 0.0;
    if (d->w >> 53 && !d->truncated) /* 0.5000000000000000000 is 0.5 */
        for (; d->w % 10 == 0; d->w /= 10) d->exponent++;
    if (!d->truncated && d->w <= UINT64_C(1) << 53) {
        if (d->exponent >= 0 && d->exponent <= 22) return (double)d->w * power[d->exponent];
        if (d->exponent < 0 && d->exponent >= -22) return (double)d->w / power[-d->exponent];
    }
    return from_bits(round_decimal(d));
}

saddle__number_kind saddle__number_parse(const char *text, const char *end, double *value,
                                         const char **next)
{
    const char *p = text;
    int negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    decimal d;
    if (!parse_decimal(p, end, &d, next)) return parse_word(p, end, negative, value, next);
    double modulus = value_of(&d);
    *value = negative ? -modulus : modulus;
    return modulus <= DBL_MAX ? SADDLE__NUMBER_FINITE : SADDLE__NUMBER_OVERFLOW;
}

saddle__number_kind saddle__integer_parse(const char *text, const char *end, int64_t *value,
                                          const char **next)
{
    const char *p = text;
    int negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (!is_digit(p, end)) return SADDLE__NUMBER_NONE;
    uint64_t modulus = 0, limit = (uint64_t)INT64_MAX + (uint64_t)negative;
    int overflow = 0;
    for (; is_digit(p, end); p++) {
        uint64_t digit = (uint64_t)(*p - '0');
        if (modulus > (limit - digit) / 10)
            overflow = 1;
        else
            modulus = 10 * modulus + digit;
    }
    *next = p;
    *value = !negative ? (int64_t)modulus : modulus == 0 ? 0 : -(int64_t)(modulus - 1) - 1;
    return overflow ? SADDLE__NUMBER_OVERFLOW : SADDLE__NUMBER_FINITE;
}
