/* SPDX-License-Identifier: MIT */
/* `wide` times `tall` discs of drawn masses in a hexagonal heap between two walls, on a floor,
 * without friction; velocity 2 k of disc k is sideways, 2 k + 1 upwards.  Impulses f: weight, and
 * drawn ones; w >= 0 is the rate at which a pair parts. About three rows for each disc, more than
 * velocities. */
#ifndef SADDLE_TEST_DISC_HEAP_H
#define SADDLE_TEST_DISC_HEAP_H

#include "saddle/problem.h"

typedef struct disc_heap {
    saddle_problem problem; /* its arrays are those below */
    int64_t *M_start, *M_index, *Jt_start, *Jt_index;
    double *mass, *f, *b, *lo, *normal;
} disc_heap;

void disc_heap_draw(uint64_t *seed, int64_t wide, int64_t tall, disc_heap *heap);

/* A row more: disc b comes to lie along (x, y) from disc a; a = -1: nothing that moves is there. */
void disc_heap_touch(disc_heap *heap, int64_t a, int64_t b, double x, double y);

/* About every second row, drawn, is a pair of discs too far apart to push: the graph of the pushing
 * rows is nearly a tree. */
void disc_heap_loosen(uint64_t *seed, disc_heap *heap);

void disc_heap_clear(disc_heap *heap);

#endif
