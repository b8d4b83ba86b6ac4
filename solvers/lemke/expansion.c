/* SPDX-License-Identifier: MIT */
/* See expansion.h. */
#include "lemke/expansion.h"

#include <math.h>
#include <string.h>

static const double two_pi = 6.283185307179586476925286766559;

/* Sets of directions of a contact, and directions in each. */
static int64_t sets_of(const saddle_problem *problem, const saddle_contact *contact)
{
    return problem->law == SADDLE_LAW_BOX ? contact->size - 1 : 1;
}

static int64_t directions_of(const saddle_problem *problem, const saddle_contact *contact)
{
    return problem->law == SADDLE_LAW_BOX || contact->size == 2 ? 2
                                                                : saddle_problem_facets(problem);
}

int64_t saddle__expansion_capacity(const saddle_problem *problem)
{
    int64_t capacity = problem->m;
    for (int64_t k = 0; k < problem->contact_count; k++) {
        const saddle_contact *contact = &problem->contacts[k];
        int64_t extra = sets_of(problem, contact) * (directions_of(problem, contact) + 1);
        if (extra > INT64_MAX / 4 - capacity) return INT64_MAX / 4;
        capacity += extra - (contact->size - 1);
    }
    return capacity;
}

saddle_status saddle__expansion_create(saddle_context *context, const saddle_problem *problem,
                                       saddle__expansion *e)
{
    int64_t groups = 0;
    for (int64_t k = 0; k < problem->contact_count; k++)
        groups += sets_of(problem, &problem->contacts[k]);
    e->capacity = saddle__expansion_capacity(problem);
    e->acting = saddle_allocate(context, e->capacity + 1, sizeof *e->acting);
    e->lo = saddle_allocate(context, e->capacity + 1, sizeof *e->lo);
    e->hi = saddle_allocate(context, e->capacity + 1, sizeof *e->hi);
    e->group = saddle_allocate(context, groups + 1, sizeof *e->group);
    e->constant = saddle_allocate(context, problem->m + 1, sizeof *e->constant);
    return e->acting && e->lo && e->hi && e->group && e->constant ? SADDLE_OK
                                                                  : SADDLE_OUT_OF_MEMORY;
}

void saddle__expansion_clear(saddle_context *context, saddle__expansion *e)
{
    saddle_release(context, e->acting);
    saddle_release(context, e->lo);
    saddle_release(context, e->hi);
    saddle_release(context, e->group);
    saddle_release(context, e->constant);
    memset(e, 0, sizeof *e);
}

/* ---- what the unknowns are ---- */

static int64_t add(saddle__expansion *e, saddle__acting acting, double lo, double hi)
{
    e->acting[e->size] = acting;
    e->lo[e->size] = lo;
    e->hi[e->size] = hi;
    return e->size++;
}

static void add_row(saddle__expansion *e, const saddle_problem *problem, int64_t row, int free)
{
    double lo = saddle_problem_lo(problem, row);
    double hi = saddle_problem_hi(problem, row);
    if (lo == hi) {
        e->constant[row] = lo;
        e->has_constant |= lo != 0.0;
    } else if ((saddle_problem_bound_kind(problem, row) == SADDLE_ROW_EQUALITY) == free) {
        (void)add(e, (saddle__acting){{row, row}, {1.0, 0.0}}, lo, hi);
    }
}

/* The set of `count` directions, evenly spaced from `tangent` on; the second tangent is the row
 * behind it. */
static void add_friction(saddle__expansion *e, int64_t normal, int64_t tangent, int64_t count,
                         double mu)
{
    saddle__friction *group = &e->group[e->groups++];
    *group = (saddle__friction){.normal = normal, .first = e->size, .count = count, .mu = mu};
    for (int64_t k = 0; k < count; k++) {
        double angle = two_pi * (double)k / (double)count;
        saddle__acting plane = {{tangent, tangent}, {k == 0 ? 1.0 : -1.0, 0.0}};
        saddle__acting space = {{tangent, tangent + 1}, {cos(angle), sin(angle)}};
        (void)add(e, count == 2 ? plane : space, 0.0, (double)INFINITY);
    }
    group->slack = add(e, (saddle__acting){{tangent, tangent}, {0.0, 0.0}}, 0.0, (double)INFINITY);
}

static void add_contact(saddle__expansion *e, const saddle_problem *problem,
                        const saddle_contact *contact)
{
    int64_t normal = add(e, (saddle__acting){{contact->row, contact->row}, {1.0, 0.0}}, 0.0,
                         (double)INFINITY);
    int64_t sets = contact->mu > 0.0 ? sets_of(problem, contact) : 0;
    for (int64_t k = 0; k < sets; k++)
        add_friction(e, normal, contact->row + 1 + k, directions_of(problem, contact), contact->mu);
}

static void add_all(saddle__expansion *e, const saddle_problem *problem, int free)
{
    int64_t next = 0; /* contact */
    for (int64_t i = 0; i < problem->m; i++) {
        if (next < problem->contact_count && problem->contacts[next].row == i) {
            if (!free) add_contact(e, problem, &problem->contacts[next]);
            i += problem->contacts[next++].size - 1;
        } else {
            add_row(e, problem, i, free);
        }
    }
}

void saddle__expansion_fill(saddle__expansion *e, const saddle_problem *problem)
{
    e->size = 0;
    e->groups = 0;
    e->has_constant = 0;
    for (int64_t i = 0; i < problem->m; i++) e->constant[i] = 0.0;
    add_all(e, problem, 1);
    e->free = e->size;
    add_all(e, problem, 0);
}

/* ---- what they do ---- */

void saddle__expansion_matrix(const saddle__expansion *e, const double *W, int64_t m, double *A)
{
    for (int64_t l = 0; l < e->size; l++) {
        const saddle__acting *to = &e->acting[l];
        const double *first = W + to->row[0] * m;
        const double *second = W + to->row[1] * m;
        double *column = A + l * e->size;
        for (int64_t k = 0; k < e->size; k++) {
            const saddle__acting *of = &e->acting[k];
            double sum = of->part[0] * to->part[0] * first[of->row[0]];
            if (of->part[1] != 0.0) sum += of->part[1] * to->part[0] * first[of->row[1]];
            if (to->part[1] != 0.0)
                sum += to->part[1] *
                       (of->part[0] * second[of->row[0]] + of->part[1] * second[of->row[1]]);
            column[k] = sum;
        }
    }
    for (int64_t g = 0; g < e->groups; g++) {
        const saddle__friction *group = &e->group[g];
        A[group->slack + group->normal * e->size] = group->mu;
        for (int64_t k = group->first; k < group->first + group->count; k++) {
            A[k + group->slack * e->size] = 1.0;
            A[group->slack + k * e->size] = -1.0;
        }
    }
}

void saddle__expansion_slack(const saddle__expansion *e, const double *w, const double *x,
                             double *y)
{
    for (int64_t k = 0; k < e->size; k++) {
        const saddle__acting *of = &e->acting[k];
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

void saddle__expansion_fold(const saddle__expansion *e, int64_t m, const double *x, int whole,
                            double *lambda)
{
    if (whole && m > 0) memcpy(lambda, e->constant, (size_t)m * sizeof *lambda);
    for (int64_t k = 0; k < e->size; k++) {
        const saddle__acting *of = &e->acting[k];
        lambda[of->row[0]] += of->part[0] * x[k];
        if (of->part[1] != 0.0) lambda[of->row[1]] += of->part[1] * x[k];
    }
}
