/* SPDX-License-Identifier: MIT */
/* See disc_heap.h. */
#include "disc_heap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

void disc_heap_touch(disc_heap *h, int64_t a, int64_t b, double x, double y)
{
    int64_t m = h->problem.m++;
    int64_t at = h->Jt_start[m];
    int64_t disc[] = {a < b ? a : b, a < b ? b : a};
    for (int k = 0; k < 2; k++) {
        if (disc[k] < 0) continue;
        double sign = disc[k] == b ? 1.0 : -1.0;
        h->Jt_index[at] = 2 * disc[k];
        h->normal[at++] = sign * x;
        h->Jt_index[at] = 2 * disc[k] + 1;
        h->normal[at++] = sign * y;
    }
    h->Jt_start[m + 1] = at;
}

static void touch_all(disc_heap *h, int64_t wide, int64_t tall)
{
    double up = sqrt(0.75);
    for (int64_t y = 0; y < tall; y++) {
        for (int64_t x = 0; x < wide; x++) {
            int64_t k = y * wide + x;
            int64_t below = k - wide + (y % 2 ? 0 : -1); /* the left one of the two */
            if (x > 0) disc_heap_touch(h, k - 1, k, 1.0, 0.0);
            if (x == 0 && y % 2 == 0) disc_heap_touch(h, -1, k, 1.0, 0.0);
            if (x == wide - 1 && y % 2 == 1) disc_heap_touch(h, -1, k, -1.0, 0.0);
            if (y == 0) disc_heap_touch(h, -1, k, 0.0, 1.0);
            if (y > 0 && (x > 0 || y % 2 == 1)) disc_heap_touch(h, below, k, 0.5, up);
            if (y > 0 && (x < wide - 1 || y % 2 == 0)) disc_heap_touch(h, below + 1, k, -0.5, up);
        }
    }
}

void disc_heap_draw(uint64_t *seed, int64_t wide, int64_t tall, disc_heap *h)
{
    int64_t n = 2 * wide * tall;
    int64_t most = 4 * wide * tall + 2; /* rows */
    memset(h, 0, sizeof *h);
    h->M_start = calloc((size_t)n + 1, sizeof *h->M_start);
    h->M_index = calloc((size_t)n, sizeof *h->M_index);
    h->Jt_start = calloc((size_t)most + 1, sizeof *h->Jt_start);
    h->Jt_index = calloc((size_t)(4 * most), sizeof *h->Jt_index);
    h->mass = calloc((size_t)n, sizeof *h->mass);
    h->f = calloc((size_t)n, sizeof *h->f);
    h->b = calloc((size_t)most, sizeof *h->b);
    h->lo = calloc((size_t)most, sizeof *h->lo);
    h->normal = calloc((size_t)(4 * most), sizeof *h->normal);
    assert_true(h->M_start && h->M_index && h->Jt_start && h->Jt_index && h->mass && h->f && h->b &&
                h->lo && h->normal);
    for (int64_t j = 0; j < n; j++) {
        h->M_start[j + 1] = j + 1;
        h->M_index[j] = j;
        h->mass[j] = j % 2 ? h->mass[j - 1] : test_uniform(seed, 0.5, 2.0);
        h->f[j] = (j % 2 ? -0.1 : 0.0) * h->mass[j] + test_uniform(seed, -0.05, 0.05);
    }
    touch_all(h, wide, tall);
    int64_t m = h->problem.m;
    h->problem = (saddle_problem){.n = n, .m = m, .f = h->f, .b = h->b, .lo = h->lo};
    h->problem.M = saddle_matrix_view(n, n, h->M_start, h->M_index, h->mass, SADDLE_SYMMETRY_LOWER);
    h->problem.Jt = saddle_matrix_view(n, m, h->Jt_start, h->Jt_index, h->normal,
                                       SADDLE_SYMMETRY_NONE);
}

void disc_heap_loosen(uint64_t *seed, disc_heap *h)
{
    for (int64_t i = 0; i < h->problem.m; i++) h->b[i] = test_integer(seed, 0, 1) ? -10.0 : 0.0;
}

void disc_heap_clear(disc_heap *h)
{
    void *blocks[] = {h->M_start, h->M_index, h->Jt_start, h->Jt_index, h->mass,
                      h->f,       h->b,       h->lo,       h->normal};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) free(blocks[k]);
}
