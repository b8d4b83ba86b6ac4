/* SPDX-License-Identifier: MIT */
#include "fuzz_draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void fuzz_demand(int holds)
{
    if (!holds) abort();
}

uint8_t fuzz_byte(fuzz_bytes *bytes)
{
    if (bytes->size == 0) return 0;
    bytes->size--;
    return *bytes->data++;
}

int64_t fuzz_below(fuzz_bytes *bytes, int64_t count)
{
    return fuzz_byte(bytes) % count;
}

double fuzz_number(fuzz_bytes *bytes)
{
    static const double rare[] = {1e-300, 1e300, 1e-12, 1e12, 5e-324, 1e-160, 1e155, 0.1};
    int byte = fuzz_byte(bytes);
    double sign = byte & 1 ? -1.0 : 1.0;
    if (byte >= 240) return sign * rare[byte / 2 % 8];
    return sign * (byte / 2 % 8) * (byte >= 128 ? 0.125 : 1.0);
}

saddle_context *fuzz_small_context(void)
{
    saddle_context_options options = saddle_context_options_default();
    options.memory_limit = INT64_C(64) << 20;
    saddle_context *context;
    fuzz_demand(saddle_context_create(&options, &context) == SADDLE_OK);
    return context;
}

/* ---- matrices ---- */

/* The first byte: how many entries of 8; the diagonal of a square matrix is there more often, and
 * mostly positive. */
static saddle_matrix draw_matrix(fuzz_bytes *bytes, int64_t rows, int64_t cols,
                                 saddle_symmetry symmetry, fuzz_matrix *to)
{
    int64_t density = fuzz_below(bytes, 9), count = 0;
    to->start[0] = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = symmetry == SADDLE_SYMMETRY_LOWER ? j : 0; i < rows; i++) {
            int diagonal = rows == cols && i == j;
            if (fuzz_below(bytes, 8) >= (diagonal ? density + 2 : density)) continue;
            to->index[count] = i;
            double value = fuzz_number(bytes);
            to->value[count++] = diagonal && fuzz_below(bytes, 8) > 0 ? fabs(value) + 1.0 : value;
        }
        to->start[j + 1] = count;
    }
    saddle_matrix A = saddle_matrix_view(rows, cols, to->start, to->index, to->value, symmetry);
    if (count == 0 && fuzz_below(bytes, 2)) A.start = NULL;
    return A;
}

static void draw_matrices(fuzz_bytes *bytes, fuzz_drawn *d)
{
    saddle_problem *p = &d->problem;
    p->M = draw_matrix(bytes, p->n, p->n,
                       fuzz_below(bytes, 4) ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE, &d->M);
    p->Jt = draw_matrix(bytes, p->n, p->m, SADDLE_SYMMETRY_NONE, &d->Jt);
    int compliance = (int)fuzz_below(bytes, 3);
    if (compliance > 0)
        p->R = draw_matrix(bytes, p->m, p->m,
                           compliance == 1 ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE, &d->R);
    else if (fuzz_below(bytes, 2))
        p->R = saddle_matrix_view(0, 0, d->R.start, NULL, NULL, SADDLE_SYMMETRY_LOWER);
    if ((p->n == 0 || p->m == 0) && fuzz_below(bytes, 2))
        p->Jt = saddle_matrix_view(0, 0, d->Jt.start, NULL, NULL, SADDLE_SYMMETRY_NONE);
}

/* ---- rows ---- */

static void draw_bounds(fuzz_bytes *bytes, fuzz_drawn *d, int64_t i)
{
    const double infinity = (double)INFINITY;
    int kind = (int)fuzz_below(bytes, 5);
    double a = fuzz_number(bytes), width = fabs(fuzz_number(bytes));
    d->lo[i] = kind == 0 || kind == 3 ? -infinity : kind == 1 ? 0.0 : a;
    d->hi[i] = kind == 0 || kind == 1 ? infinity : kind == 3 ? a : a + width;
}

static void draw_contacts(fuzz_bytes *bytes, fuzz_drawn *d)
{
    saddle_problem *p = &d->problem;
    for (int64_t row = 0; row + 2 <= p->m;) {
        int64_t size = fuzz_below(bytes, 4);
        if (size >= 2 && row + size <= p->m) {
            double mu = fabs(fuzz_number(bytes));
            d->contacts[p->contact_count++] = (saddle_contact){.row = row, .size = size, .mu = mu};
            row += size;
        } else {
            row++;
        }
    }
    if (p->contact_count > 0) p->contacts = d->contacts;
    p->law = (saddle_law)fuzz_below(bytes, 4);
    p->facets = fuzz_below(bytes, 2) ? 3 + fuzz_below(bytes, 12) : 0;
}

static void draw_vectors(fuzz_bytes *bytes, fuzz_drawn *d)
{
    for (int64_t j = 0; j < d->problem.n; j++) d->f[j] = fuzz_number(bytes);
    for (int64_t i = 0; i < d->problem.m; i++) d->b[i] = fuzz_number(bytes);
}

void fuzz_draw_problem(fuzz_bytes *bytes, fuzz_drawn *d)
{
    memset(d, 0, sizeof *d);
    saddle_problem *p = &d->problem;
    p->n = fuzz_below(bytes, FUZZ_MOST_VELOCITIES + 1);
    p->m = fuzz_below(bytes, FUZZ_MOST_ROWS + 1);
    draw_matrices(bytes, d);
    for (int64_t i = 0; i < p->m; i++) draw_bounds(bytes, d, i);
    if (fuzz_below(bytes, 2)) draw_contacts(bytes, d);
    draw_vectors(bytes, d);
    int given = fuzz_byte(bytes);
    p->f = given & 1 ? NULL : d->f;
    p->b = given & 2 ? NULL : d->b;
    p->lo = given & 4 ? NULL : d->lo;
    p->hi = given & 8 ? NULL : d->hi;
    for (int64_t i = 0; i < p->m; i++) d->row_id[i] = 7 * i;
    if (given & 16) p->row_id = d->row_id;
    for (int64_t i = 0; i < p->m; i++) /* lo = -inf alone, hi finite and the like stay; lo above hi
                                          does not */
        if (d->lo[i] > d->hi[i]) d->hi[i] = d->lo[i];
    fuzz_demand(saddle_problem_check(NULL, p, NULL, NULL) == SADDLE_OK);
}

void fuzz_draw_values(fuzz_bytes *bytes, fuzz_drawn *d)
{
    saddle_matrix *all[] = {&d->problem.M, &d->problem.Jt, &d->problem.R};
    for (int a = 0; a < 3; a++)
        for (int64_t k = 0; k < saddle_matrix_entries(all[a]); k++)
            if (fuzz_below(bytes, 2)) all[a]->value[k] = fuzz_number(bytes);
    draw_vectors(bytes, d);
}
