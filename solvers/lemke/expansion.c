/* SPDX-License-Identifier: MIT */
/* Rows and contacts as a mixed linear complementarity problem with bounds: see lemke.h. */
#include "lemke/lemke.h"

#include <string.h>

#include "base/vector.h"
#include "builtin.h"

enum { SWEEPS = 4 }; /* of scaling */

/* 1: each tangent is an unknown of its own. */
static int follows_normal(const saddle_problem *problem, const saddle_contact *contact)
{
    return problem->law == SADDLE_LAW_BOX || contact->size == 2;
}

int64_t saddle__expansion_capacity(const saddle_problem *problem)
{
    int64_t capacity = problem->m;
    for (int64_t k = 0; k < problem->contact_count; k++) {
        const saddle_contact *contact = &problem->contacts[k];
        if (follows_normal(problem, contact)) continue;
        int64_t extra = saddle_problem_facets(problem) + 1;
        if (extra > INT64_MAX / 4 - capacity) return INT64_MAX / 4;
        capacity += extra - (contact->size - 1);
    }
    return capacity;
}

/* ---- memory ---- */

static void place_rows(saddle__expansion *e)
{
    e->first_of = saddle__layout_take(&e->layout, e->m, sizeof *e->first_of);
    e->count_of = saddle__layout_take(&e->layout, e->m, sizeof *e->count_of);
    e->constant = saddle__layout_take(&e->layout, e->m, sizeof *e->constant);
    e->unknown = saddle__layout_take(&e->layout, e->most, sizeof *e->unknown);
    e->lo = saddle__layout_take(&e->layout, e->most, sizeof *e->lo);
    e->hi = saddle__layout_take(&e->layout, e->most, sizeof *e->hi);
    e->group_of = saddle__layout_take(&e->layout, e->most, sizeof *e->group_of);
    e->normal = saddle__layout_take(&e->layout, e->most, sizeof *e->normal);
    e->mu = saddle__layout_take(&e->layout, e->most, sizeof *e->mu);
    e->group = saddle__layout_take(&e->layout, e->most_groups, sizeof *e->group);
    e->row_unit = saddle__layout_take(&e->layout, e->most, sizeof *e->row_unit);
    e->column_unit = saddle__layout_take(&e->layout, e->most, sizeof *e->column_unit);
    e->sum = saddle__layout_take(&e->layout, e->most, sizeof *e->sum);
    e->factor = saddle__layout_take(&e->layout, e->most, sizeof *e->factor);
    e->mark = saddle__layout_take(&e->layout, e->most, sizeof *e->mark);
    e->touched = saddle__layout_take(&e->layout, e->most, sizeof *e->touched);
}

/* Entries of A at most: products with entries of W, the diagonal, and friction.  count_of: scratch,
 * the unknowns that act on each row. */
static double count_entries(saddle__expansion *e, const saddle_problem *problem,
                            const saddle_matrix *W)
{
    double entries = 6.0 * (double)e->most;
    for (int64_t i = 0; i < e->m; i++) e->count_of[i] = 1;
    for (int64_t k = 0; k < problem->contact_count; k++) {
        const saddle_contact *contact = &problem->contacts[k];
        for (int64_t t = 1; t < contact->size && !follows_normal(problem, contact); t++)
            e->count_of[contact->row + t] = saddle_problem_facets(problem);
    }
    for (int64_t j = 0; j < W->cols; j++)
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++)
            entries += (double)(e->count_of[j] * e->count_of[W->index[k]]);
    /* A normal's column has the entries of its tangents. */
    return problem->contact_count > 0 ? 2.0 * entries : entries;
}

saddle_status saddle__expansion_create(saddle_context *context, const saddle_problem *problem,
                                       const saddle_matrix *W, saddle__expansion *e)
{
    e->m = problem->m;
    e->most = saddle__expansion_capacity(problem);
    e->most_groups = problem->contact_count;
    place_rows(e);
    saddle_status status = saddle__layout_allocate(context, &e->layout);
    if (status != SADDLE_OK) return status;
    place_rows(e);
    double entries = count_entries(e, problem, W);
    if (entries > (double)(INT64_MAX / 64))
        return saddle_fail(context, SADDLE_TOO_LARGE, "lemke: a matrix of %.3g entries", entries);
    e->entries = (int64_t)entries;
    return saddle_matrix_create(context, e->most, e->most, e->entries, SADDLE_GENERAL, &e->A);
}

void saddle__expansion_clear(saddle_context *context, saddle__expansion *e)
{
    saddle_matrix_clear(&e->A);
    saddle__layout_clear(context, &e->layout);
    memset(e, 0, sizeof *e);
}

/* ---- unknowns ---- */

static int64_t add(saddle__expansion *e, saddle__unknown unknown, double lo, double hi,
                   int64_t group)
{
    e->unknown[e->size] = unknown;
    e->lo[e->size] = lo;
    e->hi[e->size] = hi;
    e->group_of[e->size] = group;
    e->normal[e->size] = -1;
    return e->size++;
}

static int64_t add_row(saddle__expansion *e, int64_t row, double lo, double hi)
{
    e->count_of[row] = 1;
    return e->first_of[row] = add(e, (saddle__unknown){{row, row}, {1.0, 0.0}}, lo, hi, -1);
}

/* Directions evenly spaced from the first tangent on. */
static void add_pyramid(saddle__expansion *e, int64_t normal, int64_t tangent, int64_t count,
                        double mu)
{
    saddle__friction *group = &e->group[e->groups];
    *group = (saddle__friction){.normal = normal, .first = e->size, .count = count, .mu = mu};
    for (int64_t k = 0; k < count; k++) {
        double angle = 2.0 * SADDLE__PI * (double)k / (double)count;
        saddle__unknown direction = {{tangent, tangent + 1}, {cos(angle), sin(angle)}};
        (void)add(e, direction, 0.0, (double)INFINITY, e->groups);
    }
    e->first_of[tangent] = e->first_of[tangent + 1] = group->first;
    e->count_of[tangent] = e->count_of[tangent + 1] = count;
    group->slack = add(e, (saddle__unknown){{tangent, tangent}, {0.0, 0.0}}, 0.0, (double)INFINITY,
                       e->groups);
    e->groups++;
}

static void add_contact(saddle__expansion *e, const saddle_problem *problem,
                        const saddle_contact *contact, double mu)
{
    int follows = follows_normal(problem, contact);
    int64_t normal = add_row(e, contact->row, 0.0, (double)INFINITY);
    if (mu > 0.0 && !follows) {
        e->group_of[normal] = e->groups;
        add_pyramid(e, normal, contact->row + 1, saddle_problem_facets(problem), mu);
    }
    for (int64_t t = 1; mu > 0.0 && follows && t < contact->size; t++) {
        int64_t k = add_row(e, contact->row + t, 0.0, 0.0);
        e->normal[k] = normal;
        e->mu[k] = mu;
    }
}

static void fill_unknowns(saddle__expansion *e, const saddle_problem *problem, int friction)
{
    int64_t next = 0; /* contact */
    e->size = e->groups = 0;
    for (int64_t i = 0; i < e->m; i++) e->constant[i] = 0.0;
    for (int64_t i = 0; i < e->m; i++) e->count_of[i] = 0;
    for (int64_t i = 0; i < e->m; i++) {
        double lo = saddle_problem_lo(problem, i);
        double hi = saddle_problem_hi(problem, i);
        if (next < problem->contact_count && problem->contacts[next].row == i) {
            const saddle_contact *contact = &problem->contacts[next++];
            add_contact(e, problem, contact, friction ? contact->mu : 0.0);
            i += contact->size - 1;
        } else if (lo == hi) {
            e->constant[i] = lo;
        } else {
            (void)add_row(e, i, lo, hi);
        }
    }
}

/* ---- the matrix ---- */

/* Entry k of column `column` += value; count: entries so far. */
static void touch(saddle__expansion *e, int64_t column, int64_t *count, int64_t k, double value)
{
    if (e->mark[k] != column + 1) {
        e->mark[k] = column + 1;
        e->touched[(*count)++] = k;
        e->sum[k] = 0.0;
    }
    e->sum[k] += value;
}

/* W times the impulses of x_of, `factor` times. */
static void touch_products(saddle__expansion *e, const saddle_matrix *W, int64_t of, double factor,
                           int64_t column, int64_t *count)
{
    const saddle__unknown *to = &e->unknown[of];
    for (int b = 0; b < 2; b++) {
        int64_t j = to->row[b];
        double part = factor * to->part[b];
        for (int64_t k = W->start[j]; part != 0.0 && k < W->start[j + 1]; k++) {
            int64_t i = W->index[k];
            for (int64_t on = e->first_of[i]; on < e->first_of[i] + e->count_of[i]; on++)
                touch(e, column, count, on,
                      e->unknown[on].part[e->unknown[on].row[0] != i] * part * W->value[k]);
        }
    }
}

static void touch_friction(saddle__expansion *e, int64_t column, int64_t *count)
{
    int64_t g = e->group_of[column];
    if (g < 0) return;
    const saddle__friction *group = &e->group[g];
    if (column == group->slack) {
        for (int64_t k = 0; k < group->count; k++) touch(e, column, count, group->first + k, 1.0);
    } else if (column == group->normal) {
        touch(e, column, count, group->slack, group->mu);
    } else {
        touch(e, column, count, group->slack, -1.0);
    }
}

static void write_column(saddle__expansion *e, const saddle_matrix *W, int64_t j)
{
    saddle_matrix *A = &e->A;
    int64_t at = A->start[j];
    int64_t count = 0;
    int ascending = 1;
    touch_products(e, W, j, 1.0, j, &count);
    for (int64_t t = j + 1; t < e->size && e->normal[t] == j; t++)
        touch_products(e, W, t, -e->mu[t], j, &count);
    touch_friction(e, j, &count);
    touch(e, j, &count, j, 0.0);
    for (int64_t k = 1; k < count; k++) ascending &= e->touched[k - 1] < e->touched[k];
    if (!ascending) saddle__sort_indices(count, e->touched);
    for (int64_t k = 0; k < count; k++) {
        A->index[at + k] = e->touched[k];
        A->value[at + k] = e->sum[e->touched[k]];
    }
    A->start[j + 1] = at + count;
}

/* The power of two next to 1 / sqrt(most); 1 for an empty row. */
static double shrink(double most)
{
    int exponent;
    if (!(most > 0.0) || !isfinite(most)) return 1.0;
    (void)frexp(most, &exponent);
    return ldexp(1.0, -exponent / 2);
}

/* Rows and columns by the root of their largest entry, all at once; A is scaled, factor: scratch.
 * 0: no unit has changed. */
static int scale_once(saddle__expansion *e)
{
    saddle_matrix *A = &e->A;
    double *restrict row_most = e->sum;
    int changed = 0;
    memset(row_most, 0, (size_t)e->size * sizeof *row_most);
    for (int64_t j = 0; j < e->size; j++) {
        double most = 0.0;
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            double modulus = fabs(A->value[k]);
            double *row = &row_most[A->index[k]];
            most = modulus > most ? modulus : most;
            *row = modulus > *row ? modulus : *row;
        }
        e->factor[j] = shrink(most);
        e->column_unit[j] *= e->factor[j];
        changed |= e->factor[j] != 1.0;
    }
    for (int64_t i = 0; i < e->size; i++) {
        row_most[i] = shrink(row_most[i]);
        e->row_unit[i] *= row_most[i];
        changed |= row_most[i] != 1.0;
    }
    for (int64_t j = 0; changed && j < e->size; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            A->value[k] *= row_most[A->index[k]] * e->factor[j];
    return changed;
}

void saddle__expansion_fill(saddle__expansion *e, const saddle_problem *problem, int friction,
                            const saddle_matrix *W)
{
    saddle_matrix *A = &e->A;
    fill_unknowns(e, problem, friction);
    A->rows = A->cols = e->size;
    A->start[0] = 0;
    for (int64_t k = 0; k < e->size; k++) {
        e->mark[k] = 0;
        e->row_unit[k] = e->column_unit[k] = 1.0;
    }
    if (problem->contact_count == 0 && e->size == e->m) { /* A = W: each row is an unknown */
        int64_t entries = saddle_matrix_entries(W);
        memcpy(A->start, W->start, (size_t)(e->m + 1) * sizeof *A->start);
        memcpy(A->index, W->index, (size_t)entries * sizeof *A->index);
        memcpy(A->value, W->value, (size_t)entries * sizeof *A->value);
    } else {
        for (int64_t j = 0; j < e->size; j++) write_column(e, W, j);
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++)
        if (!scale_once(e)) break;
}

/* ---- values ---- */

void saddle__expansion_slack(const saddle__expansion *e, const double *w, const double *x,
                             double *y)
{
    for (int64_t k = 0; k < e->size; k++) {
        const saddle__unknown *of = &e->unknown[k];
        y[k] = of->part[0] * w[of->row[0]] + of->part[1] * w[of->row[1]];
    }
    for (int64_t g = 0; g < e->groups; g++) {
        const saddle__friction *group = &e->group[g];
        y[group->slack] = group->mu * x[group->normal];
        for (int64_t k = group->first; k < group->first + group->count; k++) {
            y[k] += x[group->slack];
            y[group->slack] -= x[k];
        }
    }
}

void saddle__expansion_fold(const saddle__expansion *e, const signed char *side, const double *x,
                            double *lambda)
{
    for (int64_t k = 0; k < e->size; k++) {
        const saddle__unknown *of = &e->unknown[k];
        if (side && e->normal[k] >= 0) lambda[of->row[0]] -= side[k] * e->mu[k] * x[e->normal[k]];
        for (int a = 0; a < 2; a++)
            if (of->part[a] != 0.0) lambda[of->row[a]] += of->part[a] * x[k];
    }
}
