/* SPDX-License-Identifier: MIT */
/* Deterministic draws from integers alone, so that every compiler and machine draws the same
 * (splitmix64: a Weyl sequence through a 64-bit mixing function). */
#ifndef SADDLE_GENERATORS_DRAW_H
#define SADDLE_GENERATORS_DRAW_H

#include <stdint.h>

static inline uint64_t draw_bits(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* 0 <= result < count. */
static inline int64_t draw_below(uint64_t *state, int64_t count)
{
    return (int64_t)(draw_bits(state) % (uint64_t)count);
}

/* A multiple of 1/64 strictly between -1 and 1. */
static inline double draw_fraction(uint64_t *state)
{
    return (double)(draw_below(state, 127) - 63) / 64;
}

#endif
