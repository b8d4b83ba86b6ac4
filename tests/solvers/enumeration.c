/* SPDX-License-Identifier: MIT */
/* See enumeration.h. */
#include <math.h>
#include <string.h>

#include "dense_kkt.h"
#include "enumeration.h"

enum { MOST = ENUMERATION_MOST };

/* Smaller pivots, with entries of order one, count as zero. */
static const double vanishing = 1e-9;
/* What a bound, a sign or an inconsistent system may be missed by: less holds, more does not,
 * between is not decided. */
static const double holds = 1e-9;
static const double fails = 1e-7;

void dgetc2_(const int *n, double *a, const int *lda, int *ipiv, int *jpiv, int *info);
void dgesc2_(const int *n, const double *a, const int *lda, double *rhs, const int *ipiv,
             const int *jpiv, double *scale);

typedef enum row_state { FIXED, FREE, SLAVE } row_state;

typedef struct state {
    row_state kind[MOST];
    double value[MOST];   /* FIXED: of lambda; SLAVE: lambda over that of the normal row */
    int64_t normal[MOST]; /* SLAVE */
    int sign[MOST];       /* of w: -1 (<= 0), 0 (any), 1 (>= 0); FREE: w = 0 */
} state;

/* What can be in several states by itself: a row, or a contact. */
typedef struct unit {
    int64_t row, size; /* size 1: a row */
    double mu;
    double lo, hi;
    int64_t states;
} unit;

typedef struct dense_problem {
    int64_t n, m;
    double G[MOST][MOST]; /* [M -J'; J R] */
    double c[MOST];       /* f, b */
    int64_t units;
    unit unit[MOST];
} dense_problem;

/* ---- the dense problem ---- */

static void add_block(const saddle_matrix *A, double factor, int64_t row, int64_t col,
                      int transposed, dense_problem *d)
{
    if (saddle_matrix_entries(A) == 0) return;
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            d->G[row + (transposed ? j : i)][col + (transposed ? i : j)] += factor * A->value[k];
            if (A->symmetry == SADDLE_SYMMETRY_LOWER && i != j)
                d->G[row + j][col + i] += factor * A->value[k];
        }
    }
}

static int64_t power_of_three(int64_t exponent)
{
    return exponent == 0 ? 1 : 3 * power_of_three(exponent - 1);
}

static void find_units(const saddle_problem *problem, dense_problem *d)
{
    int64_t contact = 0;
    for (int64_t i = 0; i < d->m;) {
        unit *u = &d->unit[d->units++];
        *u = (unit){.row = i,
                    .size = 1,
                    .lo = saddle_problem_lo(problem, i),
                    .hi = saddle_problem_hi(problem, i)};
        if (contact < problem->contact_count && problem->contacts[contact].row == i) {
            u->size = problem->contacts[contact].size;
            u->mu = problem->contacts[contact++].mu;
            u->states = 1 + power_of_three(u->size - 1);
        } else {
            u->states = u->lo == u->hi ? 1 : 1 + (u->lo > -INFINITY) + (u->hi < INFINITY);
        }
        i += u->size;
    }
}

static dense_problem make_dense(const saddle_problem *problem)
{
    dense_problem d = {.n = problem->n, .m = problem->m};
    assert_true(d.n + d.m <= MOST);
    int plane = problem->law == SADDLE_LAW_PYRAMID;
    for (int64_t k = 0; k < problem->contact_count; k++)
        assert_true(problem->law == SADDLE_LAW_BOX || (plane && problem->contacts[k].size == 2));
    add_block(&problem->M, 1.0, 0, 0, 0, &d);
    add_block(&problem->Jt, -1.0, 0, d.n, 0, &d);
    add_block(&problem->Jt, 1.0, d.n, 0, 1, &d);
    add_block(&problem->R, 1.0, d.n, d.n, 0, &d);
    for (int64_t j = 0; j < d.n; j++) d.c[j] = problem->f ? problem->f[j] : 0.0;
    for (int64_t i = 0; i < d.m; i++) d.c[d.n + i] = problem->b ? problem->b[i] : 0.0;
    find_units(problem, &d);
    return d;
}

/* [0; w] = G x - c */
static void defect_of(const dense_problem *d, const double *x, double *w)
{
    for (int64_t i = 0; i < d->n + d->m; i++) {
        w[i] = -d->c[i];
        for (int64_t j = 0; j < d->n + d->m; j++) w[i] += d->G[i][j] * x[j];
    }
}

/* ---- one state ---- */

/* Row: choice 0 is free, then lo and hi where they are finite; a row with lo = hi has no other. */
static void set_row(const unit *u, int64_t choice, state *s)
{
    int64_t i = u->row;
    if (u->lo == u->hi) {
        s->kind[i] = FIXED;
        s->value[i] = u->lo;
        s->sign[i] = 0;
        return;
    }
    int low = choice == 1 && u->lo > -INFINITY;
    s->kind[i] = choice == 0 ? FREE : FIXED;
    s->value[i] = low ? u->lo : u->hi;
    s->sign[i] = choice == 0 ? 0 : low ? 1 : -1;
}

/* Contact: choice 0 is open. */
static void set_contact(const unit *u, int64_t choice, state *s)
{
    s->kind[u->row] = choice == 0 ? FIXED : FREE;
    s->value[u->row] = 0.0;
    s->sign[u->row] = choice == 0 ? 1 : 0;
    int64_t rest = choice - 1;
    for (int64_t i = u->row + 1; i < u->row + u->size; i++, rest /= 3) {
        int64_t way = choice == 0 ? 0 : rest % 3; /* sticks, up, down */
        s->kind[i] = choice == 0 ? FIXED : way == 0 ? FREE : SLAVE;
        s->normal[i] = u->row;
        s->value[i] = way == 1 ? u->mu : way == 2 ? -u->mu : 0.0;
        s->sign[i] = way == 1 ? -1 : way == 2 ? 1 : 0;
    }
}

/* The columns of the state's unknowns and the rows of its equations: A y = rhs. */
static int assemble(const dense_problem *d, const state *s, int64_t *unknown, double *A,
                    double *rhs)
{
    int count = 0;
    for (int64_t j = 0; j < d->n; j++) unknown[count++] = j;
    for (int64_t i = 0; i < d->m; i++)
        if (s->kind[i] == FREE) unknown[count++] = d->n + i;
    for (int k = 0; k < count; k++) {
        const double *row = d->G[unknown[k]];
        rhs[k] = d->c[unknown[k]];
        for (int l = 0; l < count; l++) A[k + l * count] = row[unknown[l]];
        for (int64_t i = 0; i < d->m; i++) {
            if (s->kind[i] == FIXED) rhs[k] -= row[d->n + i] * s->value[i];
            if (s->kind[i] != SLAVE) continue;
            for (int l = 0; l < count; l++)
                if (unknown[l] == d->n + s->normal[i])
                    A[k + l * count] += row[d->n + i] * s->value[i];
        }
    }
    return count;
}

/* 1: y solves A y = rhs; 0: nothing does.  Where many do, the nearest to zero, and found->singular
 * grows. *pivot: the least. */
static int solve_state(int count, double *A, double *rhs, double *pivot, enumeration *found)
{
    double copy[MOST * MOST];
    double given[MOST];
    int row_pivot[MOST];
    int col_pivot[MOST];
    int info;
    double scale;
    *pivot = INFINITY;
    if (count == 0) return 1;
    memcpy(copy, A, (size_t)count * (size_t)count * sizeof *A);
    memcpy(given, rhs, (size_t)count * sizeof *rhs);
    dgetc2_(&count, A, &count, row_pivot, col_pivot, &info);
    for (int k = 0; k < count; k++) *pivot = fmin(*pivot, fabs(A[k + k * count]));
    if (*pivot > vanishing) {
        dgesc2_(&count, A, &count, rhs, row_pivot, col_pivot, &scale);
        for (int k = 0; k < count; k++) rhs[k] /= scale;
        return 1;
    }
    int64_t rank;
    memcpy(A, copy, (size_t)count * (size_t)count * sizeof *A);
    assert_int_equal(test_dense_least_norm(NULL, count, count, A, rhs, vanishing, &rank),
                     SADDLE_OK);
    double miss = 0.0;
    for (int k = 0; k < count; k++) {
        double sum = -given[k];
        for (int l = 0; l < count; l++) sum += copy[k + l * count] * rhs[l];
        miss = fmax(miss, fabs(sum));
    }
    found->close += miss > holds && miss <= fails;
    found->singular += miss <= holds;
    return miss <= holds;
}

/* How far x is outside the bounds of its units, or its w has the wrong sign. */
static double violation(const dense_problem *d, const state *s, const double *lambda,
                        const double *w)
{
    double worst = 0.0;
    for (int64_t k = 0; k < d->units; k++) {
        const unit *u = &d->unit[k];
        for (int64_t i = u->row; i < u->row + u->size; i++) {
            int tangent = i > u->row;
            double lo = u->size == 1 ? u->lo : tangent ? -u->mu * fmax(lambda[u->row], 0.0) : 0.0;
            double hi = u->size == 1 ? u->hi
                        : tangent    ? u->mu * fmax(lambda[u->row], 0.0)
                                     : INFINITY;
            worst = fmax(worst, fmax(lo - lambda[i], lambda[i] - hi));
            if (s->kind[i] != FREE) worst = fmax(worst, -s->sign[i] * w[i]);
        }
    }
    return worst;
}

static void keep(const dense_problem *d, const double *x, const double *w, double pivot,
                 enumeration *found)
{
    for (int64_t k = 0; k < found->count; k++) {
        enumeration_point *p = &found->point[k];
        if (test_distance(p->v, x, d->n) > fails ||
            test_distance(p->lambda, x + d->n, d->m) > fails)
            continue;
        p->pivot = fmin(p->pivot, pivot);
        return;
    }
    if (found->count == ENUMERATION_KEPT) {
        found->singular++; /* more than are kept */
        return;
    }
    enumeration_point *p = &found->point[found->count++];
    memcpy(p->v, x, (size_t)d->n * sizeof *x);
    memcpy(p->lambda, x + d->n, (size_t)d->m * sizeof *x);
    memcpy(p->w, w + d->n, (size_t)d->m * sizeof *w);
    p->pivot = pivot;
}

static void try_state(const dense_problem *d, const state *s, enumeration *found)
{
    int64_t unknown[MOST];
    double A[MOST * MOST];
    double y[MOST];
    double x[MOST] = {0.0};
    double w[MOST];
    double pivot;
    found->states++;
    int count = assemble(d, s, unknown, A, y);
    if (!solve_state(count, A, y, &pivot, found)) return;
    for (int64_t i = 0; i < d->m; i++) x[d->n + i] = s->kind[i] == FIXED ? s->value[i] : 0.0;
    for (int k = 0; k < count; k++) x[unknown[k]] = y[k];
    for (int64_t i = 0; i < d->m; i++)
        if (s->kind[i] == SLAVE) x[d->n + i] = s->value[i] * x[d->n + s->normal[i]];
    defect_of(d, x, w);
    double worst = violation(d, s, x + d->n, w + d->n);
    if (worst <= holds)
        keep(d, x, w, pivot, found);
    else
        found->close += worst <= fails;
}

/* ---- all of them ---- */

void enumerate_states(const saddle_problem *problem, enumeration *found)
{
    dense_problem d = make_dense(problem);
    int64_t choice[MOST] = {0};
    state s = {.kind = {FIXED}};
    found->states = found->count = found->singular = found->close = 0;
    int64_t carry;
    do {
        for (int64_t k = 0; k < d.units; k++) {
            if (d.unit[k].size == 1)
                set_row(&d.unit[k], choice[k], &s);
            else
                set_contact(&d.unit[k], choice[k], &s);
        }
        try_state(&d, &s, found);
        for (carry = 0; carry < d.units && ++choice[carry] == d.unit[carry].states; carry++)
            choice[carry] = 0;
    } while (carry < d.units);
}

int enumeration_is_empty(const enumeration *found)
{
    return found->count == 0 && found->singular == 0 && found->close == 0;
}

int enumeration_is_complete(const enumeration *found)
{
    return found->singular == 0 && found->close == 0;
}

static double largest_of(const double *x, int64_t count)
{
    double largest = 0.0;
    for (int64_t i = 0; i < count; i++) largest = fmax(largest, fabs(x[i]));
    return largest;
}

const enumeration_point *enumeration_nearest(const saddle_problem *problem,
                                             const enumeration *found, const double *v,
                                             const double *lambda, double *distance)
{
    const enumeration_point *nearest = NULL;
    *distance = INFINITY;
    for (int64_t k = 0; k < found->count; k++) {
        const enumeration_point *p = &found->point[k];
        double away = 0.0;
        for (int64_t j = 0; j < problem->n; j++) away = fmax(away, fabs(p->v[j] - v[j]));
        for (int64_t i = 0; i < problem->m; i++) away = fmax(away, fabs(p->lambda[i] - lambda[i]));
        away /= 1.0 + largest_of(p->v, problem->n) + largest_of(p->lambda, problem->m);
        if (nearest && away >= *distance) continue;
        *distance = away;
        nearest = p;
    }
    return nearest;
}

double enumeration_defect(const saddle_problem *problem, const double *v, const double *lambda,
                          double *w)
{
    dense_problem d = make_dense(problem);
    double x[MOST];
    double rest[MOST];
    for (int64_t k = 0; k < d.n + d.m; k++) x[k] = k < d.n ? v[k] : lambda[k - d.n];
    defect_of(&d, x, rest);
    double worst = largest_of(rest, d.n);
    for (int64_t k = 0; k < d.units; k++) {
        const unit *u = &d.unit[k];
        for (int64_t i = u->row; i < u->row + u->size; i++) {
            double reach = u->mu * fmax(lambda[u->row], 0.0);
            double lo = u->size == 1 ? u->lo : i > u->row ? -reach : 0.0;
            double hi = u->size == 1 ? u->hi : i > u->row ? reach : INFINITY;
            worst = fmax(worst, fabs(lambda[i] - fmin(fmax(lambda[i] - rest[d.n + i], lo), hi)));
        }
    }
    for (int64_t i = 0; w && i < d.m; i++) w[i] = rest[d.n + i];
    return worst / (1.0 + largest_of(x, d.n + d.m));
}
