/* SPDX-License-Identifier: MIT */
/* See field.h. */
#include "field.h"

#include "support.h"

#include <math.h>
#include <string.h>

static const saddle_matrix *matrix_of(const saddle_problem *p, int k)
{
    return k == 0 ? &p->M : k == 1 ? &p->Jt : &p->R;
}

/* A part with units left, in order or drawn; left (count) is decreased. */
static int64_t next_part(uint64_t *state, int64_t count, int64_t *left)
{
    int64_t k = state ? test_integer(state, 0, count - 1) : 0;
    while (left[k] == 0) k = (k + 1) % count;
    left[k]--;
    return k;
}

static void place_velocities(uint64_t *state, field *f)
{
    int64_t left[FIELD_PARTS], next[FIELD_PARTS] = {0};
    for (int64_t k = 0; k < f->count; k++) left[k] = f->part[k]->n;
    for (int64_t j = 0; j < f->whole.n; j++) {
        int64_t k = next_part(state, f->count, left);
        f->velocity[k][next[k]++] = j;
    }
}

/* Rows of a contact stay together. */
static void place_rows(uint64_t *state, field *f)
{
    int64_t left[FIELD_PARTS], next[FIELD_PARTS] = {0}, contact[FIELD_PARTS] = {0};
    for (int64_t k = 0; k < f->count; k++) {
        left[k] = f->part[k]->m;
        for (int64_t c = 0; c < f->part[k]->contact_count; c++)
            left[k] -= f->part[k]->contacts[c].size - 1;
    }
    for (int64_t i = 0; i < f->whole.m;) {
        int64_t k = next_part(state, f->count, left);
        const saddle_problem *p = f->part[k];
        int touches = contact[k] < p->contact_count && p->contacts[contact[k]].row == next[k];
        int64_t size = touches ? p->contacts[contact[k]].size : 1;
        if (touches) {
            saddle_contact *to = &f->whole.contacts[f->whole.contact_count++];
            *to = p->contacts[contact[k]++];
            to->row = i;
        }
        for (int64_t s = 0; s < size; s++, i++) {
            f->whole.row_id[i] = 1000 * k + next[k];
            f->row[k][next[k]++] = i;
        }
    }
}

static void fill_matrix(saddle_context *context, field *f, int which)
{
    int64_t entries = 0, count = 0;
    saddle_problem *w = &f->whole;
    for (int64_t k = 0; k < f->count; k++)
        entries += saddle_matrix_entries(matrix_of(f->part[k], which));
    if (which == 2 && entries == 0) return;
    int64_t *row = saddle_allocate(context, entries, sizeof *row);
    int64_t *col = saddle_allocate(context, entries, sizeof *col);
    double *value = saddle_allocate(context, entries, sizeof *value);
    assert_true(row && col && value);
    saddle_symmetry symmetry = which == 1 ? SADDLE_SYMMETRY_NONE : SADDLE_SYMMETRY_LOWER;
    for (int64_t k = 0; k < f->count; k++) {
        const saddle_matrix *A = matrix_of(f->part[k], which);
        const int64_t *r = which == 2 ? f->row[k] : f->velocity[k];
        const int64_t *c = which == 0 ? f->velocity[k] : f->row[k];
        for (int64_t j = 0; A->start && j < A->cols; j++)
            for (int64_t e = A->start[j]; e < A->start[j + 1]; e++, count++) {
                row[count] = r[A->index[e]];
                col[count] = c[j];
                value[count] = A->value[e];
            }
    }
    saddle_matrix *to = which == 0 ? &w->M : which == 1 ? &w->Jt : &w->R;
    assert_int_equal(saddle_matrix_from_triplets(context, which == 2 ? w->m : w->n,
                                                 which == 0 ? w->n : w->m, count, row, col, value,
                                                 symmetry, to),
                     SADDLE_OK);
    saddle_release(context, row);
    saddle_release(context, col);
    saddle_release(context, value);
}

void field_build(saddle_context *context, uint64_t *state, field *f)
{
    saddle_problem *w = &f->whole;
    int64_t contacts = 0;
    memset(w, 0, sizeof *w);
    w->owner = 1;
    w->context = context;
    w->law = f->part[0]->law;
    w->facets = f->part[0]->facets;
    for (int64_t k = 0; k < f->count; k++) {
        w->n += f->part[k]->n;
        w->m += f->part[k]->m;
        contacts += f->part[k]->contact_count;
        f->velocity[k] = saddle_allocate(context, f->part[k]->n, sizeof(int64_t));
        f->row[k] = saddle_allocate(context, f->part[k]->m, sizeof(int64_t));
        assert_true(f->velocity[k] && f->row[k]);
    }
    w->f = saddle_allocate(context, w->n, sizeof *w->f);
    w->b = saddle_allocate(context, w->m, sizeof *w->b);
    w->lo = saddle_allocate(context, w->m, sizeof *w->lo);
    w->hi = saddle_allocate(context, w->m, sizeof *w->hi);
    w->row_id = saddle_allocate(context, w->m, sizeof *w->row_id);
    w->contacts = saddle_allocate(context, contacts, sizeof *w->contacts);
    assert_true(w->f && w->b && w->lo && w->hi && w->row_id && w->contacts);
    place_velocities(state, f);
    place_rows(state, f);
    for (int which = 0; which < 3; which++) fill_matrix(context, f, which);
    field_refresh(f);
}

void field_clear(field *f)
{
    for (int64_t k = 0; k < f->count; k++) {
        saddle_release(f->whole.context, f->velocity[k]);
        saddle_release(f->whole.context, f->row[k]);
    }
    saddle_problem_clear(&f->whole);
}

static void refresh_matrix(field *f, int which)
{
    for (int64_t k = 0; k < f->count; k++) {
        const saddle_matrix *A = matrix_of(f->part[k], which);
        const saddle_matrix *to = matrix_of(&f->whole, which);
        const int64_t *c = which == 0 ? f->velocity[k] : f->row[k];
        for (int64_t j = 0; A->start && j < A->cols; j++)
            memcpy(to->value + to->start[c[j]], A->value + A->start[j],
                   (size_t)(A->start[j + 1] - A->start[j]) * sizeof *A->value);
    }
}

void field_refresh(field *f)
{
    saddle_problem *w = &f->whole;
    for (int which = 0; which < 3; which++) refresh_matrix(f, which);
    for (int64_t k = 0; k < f->count; k++) {
        const saddle_problem *p = f->part[k];
        for (int64_t j = 0; j < p->n; j++) w->f[f->velocity[k][j]] = p->f ? p->f[j] : 0.0;
        for (int64_t i = 0; i < p->m; i++) {
            w->b[f->row[k][i]] = p->b ? p->b[i] : 0.0;
            w->lo[f->row[k][i]] = saddle_problem_lo(p, i);
            w->hi[f->row[k][i]] = saddle_problem_hi(p, i);
        }
    }
}

void field_share(const field *f, int64_t part, const saddle_solution *y, saddle_solution *x)
{
    for (int64_t j = 0; j < x->n; j++) x->v[j] = y->v[f->velocity[part][j]];
    for (int64_t i = 0; i < x->m; i++) x->lambda[i] = y->lambda[f->row[part][i]];
}
