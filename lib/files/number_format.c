/* SPDX-License-Identifier: MIT */
/* A double to the shortest digits that read back to it, and of those the nearest: Giulietti's
 * Schubfach ("The Schubfach way to render doubles", 2020).
 *
 * v = c 2^q is what every decimal between v_l = (c - 1/2) 2^q and v_r = (c + 1/2) 2^q reads back to
 * (v_l = (c - 1/4) 2^q at a power of two; the ends count where c is even).  With 10^k the largest
 * power of ten not above v_r - v_l, at most one multiple of 10^(k+1) and at least one of 10^k lie
 * there; the four candidates below and above v are compared in units of 10^k / 4. */
#include <math.h>
#include <string.h>

#include "files/number.h"

__extension__ typedef unsigned __int128 wide;

/* floor(g x / 2^128), its last bit set where anything was cut off; g carries an error below one
 * unit. */
static uint64_t round_to_odd(saddle__power g, uint64_t x)
{
    wide bottom = (wide)g.low * x;
    wide top = (wide)g.high * x + (uint64_t)(bottom >> 64);
    return (uint64_t)(top >> 64) | ((uint64_t)top > 1);
}

/* The shortest decimal digits * 10^exponent of c 2^q, trailing zeros possible. */
static uint64_t shortest(uint64_t c, int64_t q, int lower_is_closer, int64_t *exponent)
{
    int64_t k = (q * 1262611 - (lower_is_closer ? 524031 : 0)) >> 22; /* floor(log10(2^q)), of 3/4
                                                                         2^q */
    int64_t h = q + ((-k * 1741647) >> 19) + 1; /* 1 + q + floor(log2(10^-k)): 1 to 4 */
    saddle__power g = saddle__powers[-k - SADDLE__POWER_MIN];
    g.low++;
    g.high += g.low == 0;
    uint64_t left = round_to_odd(g, (4 * c - 2 + (uint64_t)lower_is_closer) << h);
    uint64_t mid = round_to_odd(g, (4 * c) << h);
    uint64_t right = round_to_odd(g, (4 * c + 2) << h);
    uint64_t open = c & 1;
    left += open;
    right -= open;

    uint64_t s = mid / 4, tens = s / 10;
    if (s >= 10) {
        int down = left <= 40 * tens, up = 40 * tens + 40 <= right;
        if (down != up) {
            *exponent = k + 1;
            return tens + (uint64_t)up;
        }
    }
    *exponent = k;
    int down = left <= 4 * s, up = 4 * s + 4 <= right;
    if (down != up) return s + (uint64_t)up;
    uint64_t middle = 4 * s + 2;
    return s + (uint64_t)(mid > middle || (mid == middle && (s & 1)));
}

/* Digits without trailing zeros, most significant first; returns their number. */
static int write_digits(uint64_t value, char *text)
{
    char reversed[20];
    int count = 0;
    for (; value > 0; value /= 10) reversed[count++] = (char)('0' + value % 10);
    for (int i = 0; i < count; i++) text[i] = reversed[count - 1 - i];
    return count;
}

/* 12.5, 0.001, 1.25e-7: count digits with the point after the first `point` of them. */
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
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    char *out = text;
    if (isnan(value)) {
        memcpy(text, "nan", 4);
        return 3;
    }
    if (bits >> 63) *out++ = '-';
    uint64_t fraction = bits & ((UINT64_C(1) << 52) - 1), biased = bits >> 52 & 0x7ff;
    if (biased == 0x7ff) {
        memcpy(out, "inf", 3);
        out += 3;
    } else if (fraction == 0 && biased == 0) {
        *out++ = '0';
    } else {
        uint64_t c = biased > 0 ? fraction | UINT64_C(1) << 52 : fraction;
        int64_t q = (biased > 0 ? (int64_t)biased : 1) - 1075, exponent;
        uint64_t digits = shortest(c, q, fraction == 0 && biased > 1, &exponent);
        for (; digits % 10 == 0; digits /= 10) exponent++;
        char figures[20];
        int count = write_digits(digits, figures);
        out = lay_out(figures, count, count + exponent, out);
    }
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
