/* SPDX-License-Identifier: MIT */
/* Decimals to doubles and back, independent of the locale, without allocations.
 *
 * Reading.  The digits are an integer w (the first 19 digits if there are more) and a power of ten
 * q.  If w <= 2^53 and 10^|q| is a double, one multiplication or division rounds correctly (W. D.
 * Clinger, How to read floating point numbers accurately, PLDI 1990).  Otherwise w 10^q is enclosed
 * between two 128-bit numbers, as in D. Lemire, Number parsing at a gigabyte per second, Software:
 * Practice and Experience 51 (2021).  If both round to the same double, the result is found.
 * Otherwise, about once in 2^60 drawn numbers, the C library's strtod decides.
 *
 * Writing.  18 to 19 leading digits of the double come from the same products.  Digits are then
 * removed while the rounded decimal still reads back to the double.  The check is the reader, so
 * the round trip is exact whatever the error of the products. */
#include "files/number.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* w 10^exponent <= value < (w + truncated) 10^exponent, equal where truncated = 0 */
typedef struct decimal {
    uint64_t w;
    int64_t exponent;
    int truncated;      /* 1: nonzero digits are missing in w */
    const char *digits; /* the first digit other than 0; of a truncated decimal */
    const char *end;    /* one past the mantissa */
    int64_t last_power; /* power of ten of the last digit of the mantissa */
} decimal;

enum { DIGITS_IN_W = 19 }; /* 10^19 < 2^64 */

static const uint64_t infinite = UINT64_C(0x7ff) << 52; /* bits of the double */

/* ---- products with powers of ten ---- */

/* floor(10^(28 k) / 2^(e - 127)), e = floor(log2 10^(28 k)), k = -13 .. 12 */
static const struct {
    uint64_t high, low;
} coarse_power[] = {
    {0xe1afa13afbd14d6d, 0x82189c09a3a1ec21}, {0xe3e27a444d8d98b7, 0xfd1b1b2308169b25},
    {0xe61acf033d1a45df, 0x6fb92487298e33bd}, {0xe858ad248f5c22c9, 0xd1b3400f8f9cff68},
    {0xea9c227723ee8bcb, 0x465e15a979c1cadc}, {0xece53cec4a314ebd, 0xa4f8bf5635246428},
    {0xef340a98172aace4, 0x86fb897116c87c34}, {0xf18899b1bc3f8ca1, 0xdc44e6c3cb279ac1},
    {0xf3e2f893dec3f126, 0x5a89dba3c3efccfa}, {0xf64335bcf065d37d, 0x4d4617b5ff4a16d5},
    {0xf8a95fcf88747d94, 0x75a44c6397ce912a}, {0xfb158592be068d2e, 0xeed6e2f0f0d56712},
    {0xfd87b5f28300ca0d, 0x8bca9d6e188853fc}, {0x8000000000000000, 0x0000000000000000},
    {0x813f3978f8940984, 0x4000000000000000}, {0x82818f1281ed449f, 0xbff8f10e7a8921a4},
    {0x83c7088e1aab65db, 0x792667c6da79e0fa}, {0x850fadc09923329e, 0x03e2cf6bc604ddb0},
    {0x865b86925b9bc5c2, 0x0b8a2392ba45a9b2}, {0x87aa9aff79042286, 0x90fb44d2f05d0842},
    {0x88fcf317f22241e2, 0x441fece3bdf81f03}, {0x8a5296ffe33cc92f, 0x82bd6b70d99aaa6f},
    {0x8bab8eefb6409c1a, 0x1ad089b6c2f7548e}, {0x8d07e33455637eb2, 0xdb0b487b6423e1e8},
    {0x8e679c2f5e44ff8f, 0x570f09eaa7ea7648}, {0x8fcac257558ee4e6, 0x213a4f0aa5e8a7b1}};

/* 5^0 .. 5^27 */
static const uint64_t fine_power[] = {0x0000000000000001, 0x0000000000000005, 0x0000000000000019,
                                      0x000000000000007d, 0x0000000000000271, 0x0000000000000c35,
                                      0x0000000000003d09, 0x000000000001312d, 0x000000000005f5e1,
                                      0x00000000001dcd65, 0x00000000009502f9, 0x0000000002e90edd,
                                      0x000000000e8d4a51, 0x0000000048c27395, 0x000000016bcc41e9,
                                      0x000000071afd498d, 0x0000002386f26fc1, 0x000000b1a2bc2ec5,
                                      0x000003782dace9d9, 0x00001158e460913d, 0x000056bc75e2d631,
                                      0x0001b1ae4d6e2ef5, 0x000878678326eac9, 0x002a5a058fc295ed,
                                      0x00d3c21bcecceda1, 0x0422ca8b0a00a425, 0x14adf4b7320334b9,
                                      0x6765c793fa10079d};

enum {
    STEP = sizeof fine_power / sizeof *fine_power,
    STEPS_BELOW = sizeof coarse_power / sizeof *coarse_power / 2, /* place of 10^0 */
    LEAST_POWER = -342
};

/* p with p 2^exponent <= w 10^q < (p + 4) 2^exponent and p >= 2^126; w > 0, -342 <= q <= 345.
 * w 5^r is exact in 128 bits.  The truncated table entry loses less than one unit of the last bit
 * of p, the partial products that are left out less than three. */
static inline wide scale(uint64_t w, int64_t q, int64_t *exponent)
{
    int64_t k = (q + STEP * STEPS_BELOW) / STEP, r = (q + STEP * STEPS_BELOW) % STEP;
    wide x = (wide)w * fine_power[r];
    uint64_t top = (uint64_t)(x >> 64);
    int shift = top ? __builtin_clzll(top) : 64 + __builtin_clzll((uint64_t)x);
    x <<= shift;
    uint64_t high = (uint64_t)(x >> 64), low = (uint64_t)x;
    int64_t log2 = ((k - STEPS_BELOW) * STEP * 217706) >> 16; /* floor(log2 10^(q - r)) */
    *exponent = r + log2 + 1 - shift;
    return (wide)high * coarse_power[k].high + (uint64_t)((wide)high * coarse_power[k].low >> 64) +
           (uint64_t)((wide)low * coarse_power[k].high >> 64);
}

/* The bits of the double nearest to p 2^exponent, ties to even; p >= 2^126. */
static inline uint64_t round_wide(wide p, int64_t exponent)
{
    if (!(p >> 127)) {
        p <<= 1;
        exponent--;
    }
    uint64_t high = (uint64_t)(p >> 64), low = (uint64_t)p;
    int64_t biased = exponent + 127 + 1023;
    if (biased >= 2047) return infinite;
    int64_t keep = biased >= 1 ? 53 : 52 + biased; /* significant bits; fewer of a subnormal */
    if (keep < 0) return 0;
    int drop = (int)(64 - keep);
    uint64_t mantissa = drop == 64 ? 0 : high >> drop;
    uint64_t half = UINT64_C(1) << (drop - 1), rest = high & (half + (half - 1));
    mantissa += rest > half || (rest == half && (low || (mantissa & 1)));
    return biased >= 1 ? ((uint64_t)(biased - 1) << 52) + mantissa : mantissa;
}

static uint64_t bits_of(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A middle of two doubles has at most 767 significant digits.  Of a longer decimal the first 800
 * digits are used, and a last digit 1 stands for the rest. */
enum { EXACT_DIGITS = 800 };

/* The bits of the double nearest to d by strtod: an integer and an exponent, without a decimal
 * point, read the same in every locale. */
static uint64_t decide_exactly(const decimal *d)
{
    char text[EXACT_DIGITS + 32];
    int count = 0, rest = 0;
    int64_t exponent = d->truncated ? d->last_power : d->exponent;
    if (!d->truncated) count = snprintf(text, sizeof text, "%llu", (unsigned long long)d->w);
    for (const char *p = d->digits; d->truncated && p < d->end; p++) {
        if (*p == '.') continue;
        if (count < EXACT_DIGITS) {
            text[count++] = *p;
        } else {
            rest |= *p != '0';
            exponent++;
        }
    }
    if (rest) {
        text[count++] = '1';
        exponent--;
    }
    snprintf(text + count, sizeof text - (size_t)count, "e%lld", (long long)exponent);
    return bits_of(strtod(text, NULL));
}

/* The bits of the double nearest to d, ties to even. */
static uint64_t round_decimal(const decimal *d)
{
    if (d->w == 0 || d->exponent < LEAST_POWER) return 0; /* below half the least double */
    if (d->exponent > 309) return infinite;
    int64_t exponent;
    wide p = scale(d->w, d->exponent, &exponent);
    uint64_t lower = round_wide(p, exponent), low = (uint64_t)p;
    if (!d->truncated && low << 1 && low << 1 < UINT64_MAX - 8) return lower;
    if (d->truncated) p = scale(d->w + 1, d->exponent, &exponent);
    uint64_t upper = round_wide(p + 4 > p ? p + 4 : ~(wide)0, exponent);
    return lower == upper ? lower : decide_exactly(d);
}

/* ---- reading ---- */

/* Passes a run of digits: w = 10^count w + digits modulo 2^64.  On little-endian machines eight
 * digits at a time: with the digits as the bytes of x, x 10 + x / 2^8 joins neighbours to numbers
 * below 100 in every other byte, and two products with (10^6, 10^2) and (10^4, 1) join the four
 * numbers in the upper half. */
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

/* 1: the text continues with the lower-case word, in any case. */
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
    if (!continues(p, end, "nan")) return SADDLE__NUMBER_NONE;
    *next = p + 3;
    *value = NAN;
    return SADDLE__NUMBER_NAN;
}

/* The value of "e+12" and the like, cut at 10^17; 0, and *p unmoved, without an exponent. */
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
        if (exponent < INT64_C(100000000000000000)) exponent = 10 * exponent + (*q - '0');
    *p = q;
    return negative ? -exponent : exponent;
}

/* More digits than w holds: the first 19, beginning with the first other than 0. */
static void take_leading_digits(decimal *d)
{
    int64_t taken = 0;
    while (d->digits < d->end && (*d->digits == '0' || *d->digits == '.')) d->digits++;
    d->w = 0;
    for (const char *p = d->digits; p < d->end; p++) {
        if (*p == '.') continue;
        if (taken++ < DIGITS_IN_W) {
            d->w = 10 * d->w + (uint64_t)(*p - '0');
        } else {
            d->exponent++;
            d->truncated |= *p != '0';
        }
    }
}

/* Mantissa and exponent; 0 where no digit is found. */
static inline int parse_decimal(const char *p, const char *end, decimal *d, const char **next)
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
    *d = (decimal){.w = w, .exponent = -places, .digits = begin, .end = p};
    if (digits > DIGITS_IN_W) take_leading_digits(d);
    int64_t exponent = parse_exponent(&p, end);
    d->exponent += exponent;
    d->last_power = exponent - places;
    *next = p;
    return 1;
}

saddle__number_kind saddle__number_parse(const char *text, const char *end, double *value,
                                         const char **next)
{
    static const double power[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    const char *p = text;
    int negative = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    decimal d;
    if (!parse_decimal(p, end, &d, next)) return parse_word(p, end, negative, value, next);
    double modulus = (double)d.w;
    if (d.truncated || d.w > UINT64_C(1) << 53 || d.exponent < -22 || d.exponent > 22) {
        uint64_t bits = round_decimal(&d);
        memcpy(&modulus, &bits, sizeof modulus);
    } else if (d.exponent >= 0) {
        modulus *= power[d.exponent];
    } else {
        modulus /= power[-d.exponent];
    }
    *value = negative ? -modulus : modulus;
    return modulus <= DBL_MAX ? SADDLE__NUMBER_FINITE : SADDLE__NUMBER_OVERFLOW;
}

saddle__number_kind saddle__integer_parse(const char *text, const char *end, int64_t *value,
                                          const char **next)
{
    const char *p = text;
    int negative = p < end && *p == '-', overflow = 0;
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (!is_digit(p, end)) return SADDLE__NUMBER_NONE;
    uint64_t modulus = 0, limit = (uint64_t)INT64_MAX + (uint64_t)negative;
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

/* ---- writing ---- */

/* w rounded to a multiple of unit, in units: to the nearest, ties to even, if the decimal reads
 * back to bits; otherwise the other neighbour, or 0.  above: 1 if the value exceeds w. */
static uint64_t shorten(uint64_t w, int above, uint64_t unit, int64_t exponent, uint64_t bits)
{
    uint64_t down = w / unit, rest = w % unit, half = unit / 2;
    int up = rest > half || (rest == half && (above || (down & 1)));
    decimal d = {.w = down + (uint64_t)up, .exponent = exponent};
    if (round_decimal(&d) == bits) return d.w;
    d.w = down + (uint64_t)!up;
    return round_decimal(&d) == bits ? d.w : 0;
}

/* The shortest digits of a finite positive double: digits 10^exponent. */
static uint64_t shortest_digits(double value, int64_t *exponent)
{
    *exponent = 0;
    if (value < 1e15 && value == floor(value)) return (uint64_t)value;
    int binary;
    uint64_t c = (uint64_t)ldexp(frexp(value, &binary), 64), best = 0; /* c 2^(binary - 64) */
    int64_t q = 17 - ((((int64_t)binary - 1) * 78913) >> 18), shift; /* floor(log10 2^(binary-1)) */
    wide p = scale(c, q, &shift);
    int places = (int)-(shift + binary - 64); /* of p, behind the binary point */
    uint64_t w = (uint64_t)((p + 3 > p ? p + 3 : p) >> places), unit = 10; /* 10^17 <= w < 10^19 */
    int above = (wide)w << places < p; /* not where p is short of w by its error only */
    for (int64_t at = 1 - q; unit <= w; at++, unit *= 10) {
        uint64_t shorter = shorten(w, above, unit, at, bits_of(value));
        if (!shorter) break;
        for (; shorter % 10 == 0; shorter /= 10, unit *= 10) at++;
        best = shorter;
        *exponent = at;
    }
    return best;
}

/* The digits of a value, most significant first; returns their number. */
static int write_digits(uint64_t value, char *text)
{
    char reversed[20];
    int count = 0;
    for (; value > 0; value /= 10) reversed[count++] = (char)('0' + value % 10);
    for (int i = 0; i < count; i++) text[i] = reversed[count - 1 - i];
    return count;
}

/* 12.5, 0.001, 1.25e-7: the decimal point stands behind the first `point` of count digits. */
static char *lay_out(const char *digits, int count, int64_t point, char *out)
{
    if (point > 0 && point <= 17) {
        for (int64_t i = 0; i < point || i < count; i++) {
            if (i == point) *out++ = '.';
            *out++ = i < count ? digits[i] : '0';
        }
        return out;
    }
    if (point <= 0 && point > -4) {
        *out++ = '0';
        *out++ = '.';
        for (int64_t i = point; i < 0; i++) *out++ = '0';
        memcpy(out, digits, (size_t)count);
        return out + count;
    }
    *out++ = digits[0];
    if (count > 1) {
        *out++ = '.';
        memcpy(out, digits + 1, (size_t)(count - 1));
        out += count - 1;
    }
    *out++ = 'e';
    *out++ = point - 1 < 0 ? '-' : '+';
    return out + write_digits((uint64_t)(point - 1 < 0 ? 1 - point : point - 1), out);
}

int saddle__number_format(double value, char text[SADDLE__NUMBER_SIZE])
{
    char *out = text, digits[20];
    if (signbit(value) && !isnan(value)) *out++ = '-';
    value = fabs(value);
    if (!isfinite(value) || value == 0) {
        const char *word = isnan(value) ? "nan" : value == 0 ? "0" : "inf";
        strcpy(out, word);
        return (int)(out - text + (int64_t)strlen(word));
    }
    int64_t exponent;
    int count = write_digits(shortest_digits(value, &exponent), digits);
    int64_t point = count + exponent;
    while (digits[count - 1] == '0') count--;
    out = lay_out(digits, count, point, out);
    *out = 0;
    return (int)(out - text);
}

int saddle__integer_format(int64_t value, char text[SADDLE__NUMBER_SIZE])
{
    uint64_t modulus = value < 0 ? UINT64_C(0) - (uint64_t)value : (uint64_t)value;
    char *out = text;
    if (value < 0) *out++ = '-';
    if (modulus == 0) *out++ = '0';
    out += write_digits(modulus, out);
    *out = 0;
    return (int)(out - text);
}
