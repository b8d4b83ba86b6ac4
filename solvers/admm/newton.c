/* SPDX-License-Identifier: MIT */
/* See newton.h. */
#include "admm/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/vector.h"
#include "problem/cone.h"

/* delta: from 1e-6 on piles and RockPile_tob1 take more and longer steps in vain, from 1e-4 on the
 * last digits take more of them. */
static const double shift = 1e-5;

/* Of an event's part of the step. */
static const double part_precision = 1e-10;

typedef struct step {
    const saddle_problem *problem;
    saddle__newton *s;
    const double *d;
    const double *lambda;
    const saddle__group *group;
    int64_t groups;
} step;

/* ---- the pattern ---- */

/* Where the entries of a step's matrix go: triplets of the pattern, or values at their places. */
typedef struct sink {
    saddle_matrix *At;
    int64_t *row, *column; /* NULL: values */
    int64_t count;
} sink;

static int64_t place_of(const saddle_matrix *A, int64_t i, int64_t j)
{
    int64_t low = A->start[j], high = A->start[j + 1];
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(A->index[middle] <= i ? &low : &high) = middle;
    }
    return low;
}

static void add(sink *to, int64_t row, int64_t column, double value)
{
    if (to->row) {
        to->row[to->count] = column;
        to->column[to->count++] = row;
    } else {
        to->At->value[place_of(to->At, column, row)] += value;
    }
}

/* value times the rows of C that row i of J or R goes into. */
static void add_product(const saddle__newton *s, int64_t i, int64_t column, double value, sink *to)
{
    int64_t first = s->first[i];
    for (int64_t r = first; r < first + s->size[i]; r++)
        add(to, s->n + r, column, s->C[3 * r + i - first] * value);
}

static void add_all(const saddle__newton *s, const saddle_problem *p, sink *to)
{
    const saddle_matrix *M = &p->M, *Jt = &p->Jt, *R = &p->R;
    for (int64_t j = 0; saddle_matrix_entries(M) > 0 && j < s->n; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) {
            add(to, M->index[k], j, M->value[k]);
            if (M->symmetry == SADDLE_SYMMETRIC && M->index[k] != j)
                add(to, j, M->index[k], M->value[k]);
        }
    for (int64_t i = 0; saddle_matrix_entries(Jt) > 0 && i < s->m; i++)
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            add(to, Jt->index[k], s->n + i, -Jt->value[k]);
            add_product(s, i, Jt->index[k], Jt->value[k], to);
        }
    for (int64_t j = 0; saddle_matrix_entries(R) > 0 && j < s->m; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            add_product(s, R->index[k], s->n + j, R->value[k], to);
            if (R->symmetry == SADDLE_SYMMETRIC && R->index[k] != j)
                add_product(s, j, s->n + R->index[k], R->value[k], to);
        }
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t j = 0; j < s->size[i]; j++)
            add(to, s->n + i, s->n + s->first[i] + j, s->own[3 * i + j]);
}

static saddle_status make_pattern(saddle_context *context, saddle__newton *s,
                                  const saddle_problem *p)
{
    int64_t size = s->n + s->m;
    int64_t most = 2 * saddle_matrix_entries(&p->M) + 4 * saddle_matrix_entries(&p->Jt) +
                   6 * saddle_matrix_entries(&p->R) + 3 * s->m;
    int64_t *index = saddle_allocate(context, 2 * most, sizeof *index);
    double *zero = saddle_allocate(context, most, sizeof *zero);
    saddle_status status = index && zero ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    sink to = {.row = index};
    if (status == SADDLE_OK) {
        to.column = index + most;
        add_all(s, p, &to);
        status = saddle_matrix_from_triplets(context, size, size, to.count, to.row, to.column, zero,
                                             SADDLE_GENERAL, &s->At);
    }
    saddle_release(context, index);
    saddle_release(context, zero);
    return status;
}

static void place(saddle__newton *s)
{
    double **const rows[] = {&s->w, &s->dw, &s->event};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        *rows[k] = saddle__layout_take(&s->layout, s->m, sizeof **rows);
    s->first = saddle__layout_take(&s->layout, s->m, sizeof *s->first);
    s->size = saddle__layout_take(&s->layout, s->m, sizeof *s->size);
    s->C = saddle__layout_take(&s->layout, s->m, 3 * sizeof *s->C);
    s->own = saddle__layout_take(&s->layout, s->m, 3 * sizeof *s->own);
    s->step = saddle__layout_take(&s->layout, s->n + s->m, sizeof *s->step);
}

int saddle__newton_applies(const saddle_problem *problem)
{
    return problem->contact_count == 0 || problem->law == SADDLE_LAW_CONE ||
           problem->law == SADDLE_LAW_ASSOCIATED;
}

saddle_status saddle__newton_analyse(saddle_context *context, const saddle_options *options,
                                     const saddle_problem *problem, const saddle__group *group,
                                     int64_t groups, saddle__newton *s)
{
    const char *method = saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, 1);
    s->n = problem->n;
    s->m = problem->m;
    place(s);
    saddle_status status = saddle__layout_allocate(context, &s->layout);
    if (status != SADDLE_OK) return status;
    place(s);
    for (int64_t k = 0; k < groups; k++)
        for (int64_t i = group[k].row; i < group[k].row + group[k].size; i++) {
            s->first[i] = group[k].row;
            s->size[i] = group[k].size;
        }
    status = make_pattern(context, s, problem);
    if (status == SADDLE_OK)
        status = saddle__factorization_create(context, method, options->ordering, &s->lu);
    return status == SADDLE_OK ? saddle__factorization_analyse(s->lu, &s->At) : status;
}

void saddle__newton_clear(saddle_context *context, saddle__newton *s)
{
    saddle_matrix_clear(&s->At);
    saddle__factorization_free(s->lu);
    saddle__layout_clear(context, &s->layout);
    memset(s, 0, sizeof *s);
}

/* ---- natural maps ---- */

typedef enum state { LOW, BETWEEN, HIGH } state; /* of a cone: P(z) is 0, z, on the boundary */

/* Of a group. */
typedef struct local {
    double z[3]; /* lambda - s / D */
    double t;    /* |z_t| */
    state state;
} local;

static double length_of(const double *tangent, int64_t size)
{
    return size == 3 ? saddle__length(tangent[0], tangent[1]) : size == 2 ? fabs(tangent[0]) : 0.0;
}

/* At a part of the step. */
static local pose(const step *it, const saddle__group *g, double part)
{
    const saddle__newton *s = it->s;
    const double *dlambda = s->step + s->n;
    double w[3], d = it->d[g->row];
    local c = {.state = BETWEEN};
    for (int64_t i = 0, row = g->row; i < g->size; i++, row++) {
        w[i] = s->w[row] + part * s->dw[row];
        c.z[i] = it->lambda[row] + part * dlambda[row] - w[i] / d;
    }
    if (!g->is_contact) {
        if (c.z[0] <= saddle_problem_lo(it->problem, g->row)) c.state = LOW;
        if (c.z[0] >= saddle_problem_hi(it->problem, g->row)) c.state = HIGH;
        return c;
    }
    if (it->problem->law == SADDLE_LAW_CONE) c.z[0] -= g->mu * length_of(w + 1, g->size) / d;
    c.t = length_of(c.z + 1, g->size);
    if (g->mu * c.t <= -c.z[0])
        c.state = LOW;
    else if (c.t > g->mu * c.z[0])
        c.state = HIGH;
    return c;
}

/* |F|^2 of a group at a part of the step; F: NULL is fine. */
static double map_of(const step *it, const saddle__group *g, double part, double *F)
{
    const double *dlambda = it->s->step + it->s->n;
    double root = sqrt(it->d[g->row]), sum = 0.0;
    local c = pose(it, g, part);
    saddle__group_project(it->problem, g, c.z);
    for (int64_t i = 0, row = g->row; i < g->size; i++, row++) {
        double f = root * (it->lambda[row] + part * dlambda[row] - c.z[i]);
        if (F) F[i] = f;
        sum += f * f;
    }
    return sum;
}

/* |F|^2 */
static double measure(const step *it, double part)
{
    double sum = 0.0;
    for (int64_t k = 0; k < it->groups; k++) sum += map_of(it, &it->group[k], part, NULL);
    return sum;
}

/* Z = dP: I inside, 0 in the polar cone, else of z -> a (1, mu e), a = (z_n + mu |z_t|)/(1 + mu^2),
 * e = z_t/|z_t|. */
static void find_derivative(const saddle__group *g, const local *c, double Z[3][3])
{
    memset(Z, 0, 9 * sizeof Z[0][0]);
    for (int64_t i = 0; c->state == BETWEEN && i < g->size; i++) Z[i][i] = 1.0;
    if (!g->is_contact || c->state != HIGH) return;
    double e[3] = {0.0, c->z[1] / c->t, c->z[2] / c->t};
    double share = 1.0 / (1.0 + g->mu * g->mu);
    double across = g->mu * share * (c->z[0] + g->mu * c->t) / c->t;
    for (int64_t i = 0; i < g->size; i++)
        for (int64_t j = 0; j < g->size; j++)
            Z[i][j] = share * (i > 0 ? g->mu * e[i] : 1.0) * (j > 0 ? g->mu * e[j] : 1.0) +
                      (i > 0 && j > 0 ? across * ((i == j) - e[i] * e[j]) : 0.0);
}

/* C and own of a group, and the right-hand side. */
static void fill_group(const step *it, const saddle__group *g)
{
    saddle__newton *s = it->s;
    double Z[3][3], root = sqrt(it->d[g->row]);
    double *F = s->step + s->n + g->row;
    const double *w = s->w + g->row;
    local c = pose(it, g, 0.0);
    double t = length_of(w + 1, g->size);
    int is_shifted = g->is_contact && it->problem->law == SADDLE_LAW_CONE && t > 0.0;
    find_derivative(g, &c, Z);
    (void)map_of(it, g, 0.0, F);
    for (int64_t i = 0; i < g->size; i++) {
        double *C = s->C + 3 * (g->row + i), *own = s->own + 3 * (g->row + i);
        F[i] = -F[i];
        for (int64_t j = 0; j < g->size; j++) {
            double ZS = Z[i][j] + (is_shifted && j > 0 ? Z[i][0] * g->mu * w[j] / t : 0.0);
            C[j] = ZS / root;
            own[j] = root * ((i == j) - Z[i][j] + shift * ZS);
        }
    }
}

/* ---- a step ---- */

/* (dv, dlambda) and dw, from x. */
static saddle_status find_step(const step *it, const double *x)
{
    const saddle_problem *p = it->problem;
    saddle__newton *s = it->s;
    sink to = {.At = &s->At};
    saddle__zero(s->step, s->n + s->m);
    saddle__zero(s->dw, s->m);
    for (int64_t i = 0; i < s->m; i++) s->w[i] = p->b ? -p->b[i] : 0.0;
    saddle_matrix_apply(&p->R, 1.0, it->lambda, 1.0, s->w);
    saddle_matrix_apply_transpose(&p->Jt, 1.0, x, 1.0, s->w);
    for (int64_t k = 0; k < it->groups; k++) fill_group(it, &it->group[k]);
    if (p->f) saddle__copy(s->step, p->f, s->n);
    saddle_matrix_apply(&p->M, -1.0, x, 1.0, s->step);
    saddle_matrix_apply(&p->Jt, 1.0, it->lambda, 1.0, s->step);
    saddle__zero(s->At.value, saddle_matrix_entries(&s->At));
    add_all(s, p, &to);
    saddle_status status = saddle__factorization_factor(s->lu, &s->At, NULL, 0);
    if (status == SADDLE_OK) status = saddle__factorization_solve_transpose(s->lu, s->step);
    if (status != SADDLE_OK) return status;
    if (!saddle__is_finite(s->step, s->n + s->m)) return SADDLE_SINGULAR;
    saddle_matrix_apply(&p->R, 1.0, s->step + s->n, 1.0, s->dw);
    saddle_matrix_apply_transpose(&p->Jt, 1.0, s->step, 1.0, s->dw);
    return SADDLE_OK;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Parts of the step just behind the events; returns their number.  Of a group that is in the same
 * state again at the end, none. */
static int64_t find_events(const step *it)
{
    int64_t count = 0;
    for (int64_t k = 0; k < it->groups; k++) {
        const saddle__group *g = &it->group[k];
        state now = pose(it, g, 0.0).state;
        double low = 0.0, high = 1.0;
        if (pose(it, g, high).state == now) continue;
        while (high - low > part_precision) {
            double middle = 0.5 * (low + high);
            *(pose(it, g, middle).state == now ? &low : &high) = middle;
        }
        it->s->event[count++] = high;
    }
    qsort(it->s->event, (size_t)count, sizeof *it->s->event, compare);
    return count;
}

/* The part of the step to take.  Of many events the first, second, third, fifth, and so on. */
static double choose_part(const step *it)
{
    double before = measure(it, 0.0), least = measure(it, 1.0), part = 1.0;
    if (least <= 0.01 * before) return part;
    int64_t events = find_events(it);
    if (!(least < before) && events > 0) {
        part = it->s->event[0];
        least = before;
    }
    for (int64_t k = 0; k < events; k += 1 + (k + 1) / 2) {
        double now = measure(it, it->s->event[k]);
        if (!(now < least)) continue;
        least = now;
        part = it->s->event[k];
    }
    return part;
}

saddle_status saddle__newton_step(const saddle_problem *problem, const saddle__group *group,
                                  int64_t groups, const double *d, saddle__newton *newton,
                                  double *x)
{
    step it = {problem, newton, d, x + newton->n, group, groups};
    saddle_status status = find_step(&it, x);
    if (status != SADDLE_OK) return status;
    double part = choose_part(&it);
    for (int64_t j = 0; j < newton->n + newton->m; j++) x[j] += part * newton->step[j];
    return SADDLE_OK;
}
