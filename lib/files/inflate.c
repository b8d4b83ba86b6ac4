/* SPDX-License-Identifier: MIT */
/* See inflate.h.  Prefix codes are canonical (RFC 1951, 3.2.2): the codes of a length are
 * consecutive numbers, so that a code is decoded from the counts of the lengths alone, bit by bit.
 */
#include "files/inflate.h"

#include <string.h>

#include "base/unset.h"

enum { BITS = 15, LITERALS = 288, DISTANCES = 32 };

typedef struct stream {
    saddle_context *context;
    const unsigned char *at, *end;
    unsigned bit; /* of *at: the next */
    unsigned char *to;
    int64_t count, room;
    const char *wrong; /* the first error; NULL = none */
    int starved;       /* 1: out of memory */
} stream;

typedef struct code {
    int16_t count[BITS + 1];  /* symbols of each length */
    int16_t symbol[LITERALS]; /* by length, then by number */
} code;

static int failed(const stream *s)
{
    return s->wrong || s->starved;
}

/* ---- bits ---- */

static unsigned take_bit(stream *s)
{
    if (s->at == s->end) {
        s->wrong = "compressed data end early";
        return 0;
    }
    const unsigned bit = *s->at >> s->bit & 1u;
    s->bit = (s->bit + 1) % 8;
    s->at += s->bit == 0;
    return bit;
}

/* The least significant bit comes first. */
static unsigned take_bits(stream *s, unsigned many)
{
    unsigned value = 0;
    for (unsigned k = 0; k < many && !s->wrong; k++) value |= take_bit(s) << k;
    return value;
}

static void skip_to_byte(stream *s)
{
    s->at += s->bit > 0;
    s->bit = 0;
}

/* ---- output ---- */

static void put(stream *s, unsigned char byte)
{
    if (s->count == s->room) {
        const int64_t room = 2 * s->room + 4096;
        s->starved = saddle__grow(s->context, &s->to, room, 1) != SADDLE_OK;
        if (s->starved) return;
        s->room = room;
    }
    s->to[s->count++] = byte;
}

static void copy_back(stream *s, int64_t distance, int64_t length)
{
    if (distance > s->count) {
        s->wrong = "compressed data refer to bytes before their beginning";
        return;
    }
    for (int64_t k = 0; k < length && !s->starved; k++) put(s, s->to[s->count - distance]);
}

/* ---- codes ---- */

static void make_code(stream *s, const unsigned char *length, int symbols, code *made)
{
    int16_t next[BITS + 2] = {0};
    int left = 1;
    memset(made, 0, sizeof *made);
    for (int k = 0; k < symbols; k++) made->count[length[k]]++;
    made->count[0] = 0;
    for (int bits = 1; bits <= BITS; bits++) {
        left = 2 * left - made->count[bits];
        if (left < 0) s->wrong = "compressed data have a code that is no prefix code";
        if (left < 0) return;
        next[bits + 1] = (int16_t)(next[bits] + made->count[bits]);
    }
    for (int k = 0; k < symbols; k++)
        if (length[k] > 0) made->symbol[next[length[k]]++] = (int16_t)k;
}

static int take_symbol(stream *s, const code *by)
{
    int value = 0, first = 0, before = 0; /* the code so far, the first of the length, symbols */
    for (int bits = 1; bits <= BITS && !s->wrong; bits++) {
        value |= (int)take_bit(s);
        if (value - first < by->count[bits]) return by->symbol[before + value - first];
        before += by->count[bits];
        first = 2 * (first + by->count[bits]);
        value *= 2;
    }
    if (!s->wrong) s->wrong = "compressed data have a code without meaning";
    return 0;
}

static void fixed_codes(stream *s, code *literals, code *distances)
{
    unsigned char length[LITERALS];
    for (int k = 0; k < LITERALS; k++)
        length[k] = (unsigned char)(k < 144 ? 8 : k < 256 ? 9 : k < 280 ? 7 : 8);
    make_code(s, length, LITERALS, literals);
    memset(length, 5, DISTANCES);
    make_code(s, length, DISTANCES, distances);
}

/* Lengths of the codes of lengths, then of literals and distances in one sequence. */
static void stored_codes(stream *s, code *literals, code *distances)
{
    static const unsigned char order[19] = {16, 17, 18, 0, 8,  7, 9,  6, 10, 5,
                                            11, 4,  12, 3, 13, 2, 14, 1, 15};
    unsigned char length[LITERALS + DISTANCES] = {0};
    const int many = 257 + (int)take_bits(s, 5), far = 1 + (int)take_bits(s, 5);
    const int lengths = 4 + (int)take_bits(s, 4);
    code of_lengths;
    for (int k = 0; k < lengths; k++) length[order[k]] = (unsigned char)take_bits(s, 3);
    make_code(s, length, 19, &of_lengths);
    memset(length, 0, sizeof length);
    for (int k = 0; k < many + far && !s->wrong;) {
        const int symbol = take_symbol(s, &of_lengths);
        if (symbol < 16) {
            length[k++] = (unsigned char)symbol;
            continue;
        }
        const unsigned char value = symbol == 16 && k > 0 ? length[k - 1] : 0;
        int repeats = symbol == 16   ? 3 + (int)take_bits(s, 2)
                      : symbol == 17 ? 3 + (int)take_bits(s, 3)
                                     : 11 + (int)take_bits(s, 7);
        if ((symbol == 16 && k == 0) || k + repeats > many + far)
            s->wrong = "compressed data repeat lengths beyond their number";
        while (!s->wrong && repeats-- > 0) length[k++] = value;
    }
    if (s->wrong) return;
    if (many > LITERALS - 2) s->wrong = "compressed data have too many codes";
    if (s->wrong) return;
    make_code(s, length, many, literals);
    make_code(s, length + many, far, distances);
}

/* ---- blocks ---- */

static void copy_stored(stream *s)
{
    skip_to_byte(s);
    const unsigned many = take_bits(s, 16), again = take_bits(s, 16);
    if (!s->wrong && (many ^ again) != 0xffffu) s->wrong = "compressed data have a damaged length";
    if (!s->wrong && s->end - s->at < (int64_t)many) s->wrong = "compressed data end early";
    for (unsigned k = 0; k < many && !failed(s); k++) put(s, *s->at++);
}

static void decode(stream *s, const code *literals, const code *distances)
{
    static const int16_t base[29] = {3,  4,  5,  6,   7,   8,   9,   10,  11, 13,
                                     15, 17, 19, 23,  27,  31,  35,  43,  51, 59,
                                     67, 83, 99, 115, 131, 163, 195, 227, 258};
    static const unsigned char more[29] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2,
                                           2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0};
    static const int16_t far[30] = {1,    2,    3,    4,    5,    7,    9,    13,    17,    25,
                                    33,   49,   65,   97,   129,  193,  257,  385,   513,   769,
                                    1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577};
    while (!failed(s)) {
        const int symbol = take_symbol(s, literals);
        if (failed(s) || symbol == 256) return; /* the end of the block */
        if (symbol < 256) {
            put(s, (unsigned char)symbol);
            continue;
        }
        const int k = symbol - 257;
        if (k >= 29) s->wrong = "compressed data have a code without meaning";
        if (k >= 29) return;
        const int64_t length = base[k] + (int64_t)take_bits(s, more[k]);
        const int d = take_symbol(s, distances);
        if (d >= 30) s->wrong = "compressed data have a code without meaning";
        if (d >= 30 || s->wrong) return;
        const int64_t distance = far[d] + (int64_t)take_bits(s, d < 4 ? 0u : (unsigned)d / 2 - 1);
        if (!s->wrong) copy_back(s, distance, length);
    }
}

static void take_blocks(stream *s)
{
    code literals, distances;
    unsigned last = 0;
    while (!last && !failed(s)) {
        last = take_bit(s);
        const unsigned kind = take_bits(s, 2);
        if (s->wrong) return;
        if (kind == 0) copy_stored(s);
        if (kind == 1) fixed_codes(s, &literals, &distances);
        if (kind == 2) stored_codes(s, &literals, &distances);
        if (kind == 3) s->wrong = "compressed data have a block of no known kind";
        if (kind != 0 && !failed(s)) decode(s, &literals, &distances);
    }
}

/* ---- the whole ---- */

/* Adler-32, most significant byte first. */
static void compare_checksum(stream *s)
{
    uint32_t a = 1, b = 0, stored = 0;
    for (int64_t k = 0; k < s->count; k++) {
        a = (a + s->to[k]) % 65521u;
        b = (b + a) % 65521u;
    }
    skip_to_byte(s);
    for (int k = 0; k < 4 && !s->wrong; k++) stored = stored << 8 | take_bits(s, 8);
    if (!s->wrong && stored != (b << 16 | a)) s->wrong = "compressed data have a wrong checksum";
}

saddle_status saddle__inflate(saddle_context *context, const unsigned char *from, int64_t length,
                              unsigned char **to, int64_t *count)
{
    stream s = {.context = context, .at = from, .end = from + length};
    const unsigned method = take_bits(&s, 8), flags = take_bits(&s, 8);
    if (!s.wrong && ((method & 15u) != 8 || (256 * method + flags) % 31 != 0 || (flags & 32u)))
        s.wrong = "compressed data have an unknown header";
    if (!s.wrong) take_blocks(&s);
    if (!failed(&s)) compare_checksum(&s);
    *to = s.to;
    *count = s.count;
    if (!failed(&s)) return SADDLE_OK;
    saddle_release(context, s.to);
    *to = NULL;
    *count = 0;
    return s.starved ? SADDLE_OUT_OF_MEMORY : saddle_fail(context, SADDLE_BAD_FILE, "%s", s.wrong);
}
