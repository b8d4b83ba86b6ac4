/* SPDX-License-Identifier: MIT */
/* The rare decimal that lies too near the middle of two doubles for 128 bits: it is compared with
 * the middle exactly.
 *
 * With the lower double m 2^e the middle is (2m + 1) 2^(e-1).  Digits D and exponent x give D 10^x
 * = D 5^x 2^x, so the comparison is one of integers:
 *
 *     D 5^max(x,0) 2^(x - (e-1))   against   (2m + 1) 5^max(-x,0)
 *         (2^.. moved to where its power is positive)
 *
 * A middle has at most 767 significant digits; of more digits the first 800 are kept and the rest
 * stands for a last 1.
 */
#include <assert.h>

#include "files/number.h"

#define DIGITS 800
#define LIMBS                                                                                  \
    192 /* 6144 bits: 801 digits (2661 bits) times 2^1100, or 54 bits times 5^1150 (2671 bits) \
           times 2^1200 */

typedef struct natural {
    int size; /* limbs in use, the last not 0 */
    uint32_t limb[LIMBS];
} natural;

/* a = a factor + addend */
static void scale(natural *a, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < a->size; i++) {
        carry += (uint64_t)a->limb[i] * factor;
        a->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry) {
        assert(a->size < LIMBS);
        a->limb[a->size++] = (uint32_t)carry;
    }
}

static void scale_by_power_of_5(natural *a, int64_t power)
{
    for (; power >= 13; power -= 13) scale(a, 1220703125, 0); /* 5^13 < 2^32 */
    for (; power > 0; power--) scale(a, 5, 0);
}

static void shift(natural *a, int64_t bits)
{
    for (; bits >= 31; bits -= 31) scale(a, UINT32_C(1) << 31, 0);
    scale(a, UINT32_C(1) << bits, 0);
}

/* -1, 0, 1 as a <, =, > b. */
static int compare(const natural *a, const natural *b)
{
    if (a->size != b->size) return a->size < b->size ? -1 : 1;
    for (int i = a->size - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i]) return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* The digits as an integer; the exponent grows by one for each that is left out. */
static void read_digits(const char *digits, const char *end, int64_t *exponent, natural *a)
{
    int taken = 0, rest = 0;
    a->size = 0;
    for (const char *p = digits; p < end; p++) {
        if (*p == '.') continue;
        if (taken < DIGITS) {
            scale(a, 10, (uint32_t)(*p - '0'));
            taken++;
        } else {
            rest |= *p != '0';
            ++*exponent;
        }
    }
    if (rest) {
        scale(a, 10, 1);
        --*exponent;
    }
}

uint64_t saddle__number_decide(const char *digits, const char *end, int64_t exponent,
                               uint64_t lower)
{
    natural value, middle;
    read_digits(digits, end, &exponent, &value);

    uint64_t biased = lower >> 52;
    uint64_t m = lower & ((UINT64_C(1) << 52) - 1);
    if (biased > 0) m |= UINT64_C(1) << 52;
    int64_t power = (biased > 0 ? (int64_t)biased : 1) - 1075 - 1; /* of two, of 2m + 1 */
    middle.size = 0;
    middle.limb[middle.size++] = (uint32_t)(2 * m + 1);
    if ((2 * m + 1) >> 32) middle.limb[middle.size++] = (uint32_t)((2 * m + 1) >> 32);

    scale_by_power_of_5(exponent >= 0 ? &value : &middle, exponent >= 0 ? exponent : -exponent);
    int64_t bits = exponent - power;
    shift(bits >= 0 ? &value : &middle, bits >= 0 ? bits : -bits);
    int order = compare(&value, &middle);
    return lower + (uint64_t)(order > 0 || (order == 0 && (lower & 1)));
}
