/* SPDX-License-Identifier: MIT */
/* newton: a smoothing Newton method on the laws of all rows and cones at once.
 *
 * Rows are written in kinetic units: with D the Delassus estimates (of a contact the largest of its
 * rows) and T = sqrt(D), of a contact sqrt(D) diag(mu, 1, 1),
 *
 *     z = T lambda,    s = T^-1 w,  of a contact with the law cone s + (|s_t|, 0, 0)
 *
 * so that the law of a contact is that z and s lie in the cone |x_t| <= x_n and z's = 0, or
 * z = P(z - s) with P the projection on it.  P and |s_t| are smoothed with tau > 0: with x's
 * spectral values l = x_n -/+ |x_t|, P_tau puts (l + sqrt(l^2 + 4 tau^2))/2 in their places (Chen
 * and Harker 1993, Kanzow 1996; cones: Fukushima, Luo and Tseng, SIAM J. Optim. 12, 2002), which is
 * the central path z o s = tau^2 e of interior points, from both sides.  A step solves
 *
 *     M dv - J'dlambda = f + J'lambda - M v
 *     C J dv + (C R + (I - Z) T + delta Z T) dlambda = -F,     C = Z S T^-1
 *     F = z - P_tau(z - s),  Z = dP_tau,  S = ds/d(T^-1 w)
 *
 * by one L U factorization, and is halved until |F| falls.  tau follows |F| down; where no part of
 * a step helps, the whole step is taken and tau rises.  Walls, stacks and piles take 20 to 60 steps
 * from zeros; towers end in points where |F| falls no more. */
#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "base/vector.h"
#include "builtin.h"
#include "factor/factorization.h"
#include "groups.h"
#include "problem/verdict.h"

enum {
    HALVINGS = 10,
    PATIENCE = 40 /* steps without halving the least error */
};

static const double shift = 1e-8; /* delta */
static const double fall = 0.3;   /* of tau, where the largest error is within `near` tau; else tau
                                     over it */
static const double near = 3.0;
static const double least_tau = 1e-100; /* its square is a number */

typedef struct newton {
    int64_t n, m, groups;
    saddle_matrix At; /* transpose of a step's matrix, (n + m) x (n + m): its rows */
    saddle__factorization *factors;
    saddle__group *group;
    int64_t *group_of;    /* m */
    double *C, *own;      /* 3 per row: C, and (I - Z) T + delta Z T, of its group */
    double *inverse_mass; /* n */
    double *d;            /* m: D */
    double *w;            /* m */
    double *room;         /* n */
    double *step;         /* n + m: right-hand side, then (dv, -dlambda) */
    double *x;            /* n + m: v and lambda */
    double *trial;        /* n + m */
    double *best;         /* n + m */
    saddle__layout layout;
} newton;

typedef struct iteration {
    saddle_solver_call *call;
    newton *s;
    const saddle_problem *problem;
    saddle_solution *solution;
    int64_t steps, limit;
    int64_t halved_at; /* the step of the last halving */
    double halved;
    double start;     /* saddle_clock() */
    double tau, most; /* tau at most */
    double error, best;
    double largest; /* error of a row or contact, in kinetic units */
} iteration;

static void clear(void *memory, saddle_context *context)
{
    newton *s = memory;
    saddle_matrix_clear(&s->At);
    saddle__factorization_free(s->factors);
    saddle__layout_clear(context, &s->layout);
    memset(s, 0, sizeof *s);
}

/* ---- the pattern ---- */

static void place(newton *s)
{
    double **const rows[] = {&s->d, &s->w};
    double **const all[] = {&s->step, &s->x, &s->trial, &s->best};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        *rows[k] = saddle__layout_take(&s->layout, s->m, sizeof **rows);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = saddle__layout_take(&s->layout, s->n + s->m, sizeof **all);
    s->inverse_mass = saddle__layout_take(&s->layout, s->n, sizeof *s->inverse_mass);
    s->room = saddle__layout_take(&s->layout, s->n, sizeof *s->room);
    s->group = saddle__layout_take(&s->layout, s->m, sizeof *s->group);
    s->group_of = saddle__layout_take(&s->layout, s->m, sizeof *s->group_of);
    s->C = saddle__layout_take(&s->layout, s->m, 3 * sizeof *s->C);
    s->own = saddle__layout_take(&s->layout, s->m, 3 * sizeof *s->own);
}

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
static void add_product(const newton *s, int64_t i, int64_t column, double value, sink *to)
{
    const saddle__group *g = &s->group[s->group_of[i]];
    for (int64_t r = g->row; r < g->row + g->size; r++)
        add(to, s->n + r, column, s->C[3 * r + i - g->row] * value);
}

static void add_all(const newton *s, const saddle_problem *p, sink *to)
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
    for (int64_t k = 0; k < s->groups; k++) {
        int64_t row = s->group[k].row;
        for (int64_t i = row; i < row + s->group[k].size; i++)
            for (int64_t j = 0; j < s->group[k].size; j++)
                add(to, s->n + i, s->n + row + j, s->own[3 * i + j]);
    }
}

static saddle_status make_pattern(saddle_context *context, newton *s, const saddle_problem *p)
{
    int64_t size = s->n + s->m;
    int64_t most = 2 * saddle_matrix_entries(&p->M) + 4 * saddle_matrix_entries(&p->Jt) +
                   6 * saddle_matrix_entries(&p->R) + 3 * s->m;
    int64_t *index = saddle_allocate(context, 2 * most, sizeof *index);
    double *zero = saddle_allocate(context, most, sizeof *zero);
    saddle_status status = index && zero ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    sink to = {.row = index, .column = index + most};
    if (status == SADDLE_OK) {
        add_all(s, p, &to);
        status = saddle_matrix_from_triplets(context, size, size, to.count, to.row, to.column, zero,
                                             SADDLE_GENERAL, &s->At);
    }
    saddle_release(context, index);
    saddle_release(context, zero);
    return status;
}

static void find_groups(newton *s, const saddle_problem *problem)
{
    s->groups = saddle__groups_find(problem, s->group);
    for (int64_t k = 0; k < s->groups; k++)
        for (int64_t i = 0; i < s->group[k].size; i++) s->group_of[s->group[k].row + i] = k;
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    newton *s = memory;
    const char *method = saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, 1);
    s->n = problem->n;
    s->m = problem->m;
    if (saddle_matrix_entries(&problem->M) > INT64_MAX / 256 ||
        saddle_matrix_entries(&problem->Jt) > INT64_MAX / 256 ||
        saddle_matrix_entries(&problem->R) > INT64_MAX / 256 || s->m > INT64_MAX / 256)
        return saddle_fail(call->context, SADDLE_TOO_LARGE, "newton: %lld rows", (long long)s->m);
    place(s);
    saddle_status status = saddle__layout_allocate(call->context, &s->layout);
    if (status != SADDLE_OK) return status;
    place(s);
    find_groups(s, problem);
    status = make_pattern(call->context, s, problem);
    if (status == SADDLE_OK)
        status = saddle__factorization_create(call->context, method, call->options->ordering,
                                              &s->factors);
    return status == SADDLE_OK ? saddle__factorization_analyse(s->factors, &s->At) : status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    newton *s = memory;
    (void)call;
    find_groups(s, problem);
    saddle__natural_units(problem, s->inverse_mass, s->d);
    saddle__groups_share(s->group, s->groups, s->d);
    return SADDLE_OK;
}

/* ---- smoothed projections ---- */

/* With r = sqrt(l^2 + 4 tau^2): r + l and r - l, whose product is 4 tau^2. */
typedef struct spectral {
    double r, more, less;
} spectral;

static spectral spectral_of(double l, double tau)
{
    spectral s = {.r = sqrt(l * l + 4.0 * tau * tau)};
    double large = s.r + fabs(l);
    double small = large > 0.0 ? 4.0 * tau * tau / large : 0.0;
    s.more = l > 0.0 ? large : small;
    s.less = l > 0.0 ? small : large;
    return s;
}

/* Of a group. */
typedef struct local {
    int64_t size;
    double t[3];    /* T */
    double F[3];    /* z - P_tau(z - s) */
    double Z[3][3]; /* dP_tau */
    double a[2];    /* S = I + e_n (0, a) */
} local;

/* lo <= z <= hi. */
static void smooth_row(double z, double s, double lo, double hi, double tau, double *F, double *Z)
{
    double y = z - s;
    spectral a = spectral_of(y - lo, tau), b = spectral_of(y - hi, tau);
    if (isinf(lo) && isinf(hi)) {
        *F = s;
        *Z = 1.0;
    } else if (isinf(hi)) {
        *F = z - lo - 0.5 * a.more;
        *Z = 0.5 * a.more / a.r;
    } else if (isinf(lo)) {
        *F = z - hi + 0.5 * b.less;
        *Z = 0.5 * b.less / b.r;
    } else if (y - lo > hi - y) {
        *F = z - hi + 0.5 * (b.less - a.less);
        *Z = 0.5 * (b.less / b.r - a.less / a.r);
    } else {
        *F = z - lo - 0.5 * (a.more - b.more);
        *Z = 0.5 * (a.more / a.r - b.more / b.r);
    }
}

/* z and s of a contact; S's part of s is in s. */
static void smooth_cone(int64_t size, const double *z, const double *s, double tau, local *c)
{
    double y[3] = {0.0}, u[2] = {1.0, 0.0};
    for (int64_t i = 0; i < size; i++) y[i] = z[i] - s[i];
    double length = size == 3 ? hypot(y[1], y[2]) : fabs(y[1]);
    for (int64_t i = 1; i < size && length > 0.0; i++) u[i - 1] = y[i] / length;
    spectral a = spectral_of(y[0] - length, tau), b = spectral_of(y[0] + length, tau);
    double low = 0.5 * a.more / a.r, high = 0.5 * b.more / b.r;
    double across = 0.5 * (a.more + b.more) / (a.r + b.r);
    c->F[0] = z[0] - 0.25 * (a.more + b.more);
    c->Z[0][0] = 0.5 * (low + high);
    for (int64_t i = 1; i < size; i++) {
        c->F[i] = z[i] - 0.25 * (b.more - a.more) * u[i - 1];
        c->Z[0][i] = c->Z[i][0] = 0.5 * (high - low) * u[i - 1];
        for (int64_t j = 1; j < size; j++)
            c->Z[i][j] = across * (i == j) + (c->Z[0][0] - across) * u[i - 1] * u[j - 1];
    }
}

static void pose_contact(const newton *s, const saddle_problem *problem, const saddle__group *g,
                         const double *lambda, double tau, local *c)
{
    double z[3] = {0.0}, slack[3] = {0.0}, root = sqrt(s->d[g->row]);
    for (int64_t i = 0; i < g->size; i++) {
        c->t[i] = i == 0 && g->mu > 0.0 ? g->mu * root : root;
        z[i] = c->t[i] * lambda[g->row + i];
        slack[i] = s->w[g->row + i] / c->t[i];
    }
    if (!(g->mu > 0.0)) {
        for (int64_t i = 0; i < g->size; i++)
            smooth_row(z[i], slack[i], 0.0, i == 0 ? INFINITY : 0.0, tau, &c->F[i], &c->Z[i][i]);
        return;
    }
    if (problem->law == SADDLE_LAW_CONE) {
        double t = g->size == 3 ? hypot(slack[1], slack[2]) : fabs(slack[1]);
        double smooth = hypot(t, tau);
        for (int64_t i = 1; i < g->size && smooth > 0.0; i++) c->a[i - 1] = slack[i] / smooth;
        slack[0] += smooth - tau;
    }
    smooth_cone(g->size, z, slack, tau, c);
}

static local pose(const newton *s, const saddle_problem *problem, const saddle__group *g,
                  const double *lambda, double tau)
{
    local c = {.size = g->size};
    if (g->is_contact) {
        pose_contact(s, problem, g, lambda, tau, &c);
        return c;
    }
    double root = sqrt(s->d[g->row]);
    c.t[0] = root;
    smooth_row(root * lambda[g->row], s->w[g->row] / root,
               root * saddle_problem_lo(problem, g->row), root * saddle_problem_hi(problem, g->row),
               tau, &c.F[0], &c.Z[0][0]);
    return c;
}

/* ---- a step ---- */

static void apply(const saddle_matrix *A, double alpha, const double *x, double *y)
{
    if (saddle_matrix_entries(A) > 0) saddle_matrix_apply(A, alpha, x, 1.0, y);
}

/* w, and in defect f + J'lambda - M v, of x. */
static void form_residuals(newton *s, const saddle_problem *p, const double *x, double *defect)
{
    const double *lambda = x + s->n;
    for (int64_t j = 0; j < s->n; j++) defect[j] = p->f ? p->f[j] : 0.0;
    for (int64_t i = 0; i < s->m; i++) s->w[i] = p->b ? -p->b[i] : 0.0;
    apply(&p->M, -1.0, x, defect);
    apply(&p->Jt, 1.0, lambda, defect);
    apply(&p->R, 1.0, lambda, s->w);
    if (saddle_matrix_entries(&p->Jt) > 0) saddle_matrix_apply_transpose(&p->Jt, 1.0, x, 1.0, s->w);
}

/* The 2-norm of F and of the dynamics in kinetic units; *largest: of a row or contact. */
static double measure(newton *s, const saddle_problem *problem, const double *x, double *defect,
                      double tau, double *largest)
{
    double sum = 0.0;
    *largest = 0.0;
    form_residuals(s, problem, x, defect);
    for (int64_t j = 0; j < s->n; j++) sum += defect[j] * defect[j] * s->inverse_mass[j];
    *largest = sqrt(sum);
    for (int64_t k = 0; k < s->groups; k++) {
        local c = pose(s, problem, &s->group[k], x + s->n, tau);
        double square = 0.0;
        for (int64_t i = 0; i < c.size; i++) square += c.F[i] * c.F[i];
        sum += square;
        *largest = fmax(*largest, sqrt(square));
    }
    return sqrt(sum);
}

/* C, the group's own block and the right-hand side. */
static void fill_group(newton *s, const saddle_problem *problem, const saddle__group *g,
                       const double *lambda, double tau)
{
    local c = pose(s, problem, g, lambda, tau);
    for (int64_t i = 0; i < g->size; i++) {
        double *C = s->C + 3 * (g->row + i), *own = s->own + 3 * (g->row + i);
        s->step[s->n + g->row + i] = -c.F[i];
        for (int64_t j = 0; j < g->size; j++) {
            double ZS = c.Z[i][j] + (j > 0 ? c.Z[i][0] * c.a[j - 1] : 0.0);
            C[j] = ZS / c.t[j];
            own[j] = ((i == j) - (1.0 - shift) * c.Z[i][j]) * c.t[j];
        }
    }
}

/* s->step <- (dv, dlambda); w and the defect in s->step are those of x. */
static saddle_status find_step(iteration *it)
{
    newton *s = it->s;
    sink to = {.At = &s->At};
    for (int64_t k = 0; k < s->groups; k++)
        fill_group(s, it->problem, &s->group[k], s->x + s->n, it->tau);
    saddle__zero(s->At.value, saddle_matrix_entries(&s->At));
    add_all(s, it->problem, &to);
    saddle_status status = saddle__factorization_factor(s->factors, &s->At, NULL, 0);
    if (status != SADDLE_OK) return status;
    it->call->report->factorizations++;
    return saddle__factorization_solve_transpose(s->factors, s->step);
}

/* The longest part of the step with a smaller error; 0: there is none. */
static int take(iteration *it, double before)
{
    newton *s = it->s;
    double part = 1.0, largest;
    for (int k = 0; k <= HALVINGS; k++, part *= 0.5) {
        for (int64_t j = 0; j < s->n + s->m; j++) s->trial[j] = s->x[j] + part * s->step[j];
        double after = measure(s, it->problem, s->trial, s->room, it->tau, &largest);
        if (!(after <= (1.0 - 0.01 * part) * before)) continue;
        saddle__copy(s->x, s->trial, s->n + s->m);
        it->largest = largest;
        return 1;
    }
    return 0;
}

/* ---- a solve ---- */

static void check(iteration *it)
{
    newton *s = it->s;
    saddle__copy(it->solution->v, s->x, s->n);
    saddle__copy(it->solution->lambda, s->x + s->n, s->m);
    it->error = saddle__error_of(saddle_solver_measure(it->call, it->problem, it->solution->v,
                                                       it->solution->lambda),
                                 it->call->options->tolerance);
    if (it->error <= 0.5 * it->halved && isfinite(it->error)) {
        it->halved = it->error;
        it->halved_at = it->steps;
    }
    if (!(it->error < it->best)) return;
    it->best = it->error;
    saddle__copy(s->best, s->x, s->n + s->m);
}

static saddle_status interrupted(const iteration *it)
{
    double now = saddle_clock();
    if (saddle_context_progress(it->call->context, "solve", it->steps, it->limit, it->error,
                                now - it->start))
        return SADDLE_STOPPED;
    if (now >= it->call->deadline) return SADDLE_TIME_LIMIT;
    if (it->steps >= it->limit) return SADDLE_ITERATION_LIMIT;
    return it->steps - it->halved_at > PATIENCE ? SADDLE_NOT_CONVERGED : SADDLE_OK;
}

static saddle_status iterate(iteration *it)
{
    newton *s = it->s;
    (void)measure(s, it->problem, s->x, s->step, least_tau, &it->tau);
    it->most = it->tau;
    for (check(it); !(it->error <= it->call->options->tolerance); check(it)) {
        saddle_status status = interrupted(it);
        if (status != SADDLE_OK) return status;
        double before = measure(s, it->problem, s->x, s->step, it->tau, &it->largest);
        status = find_step(it);
        if (status == SADDLE_SINGULAR) return SADDLE_NOT_CONVERGED;
        if (status != SADDLE_OK) return status;
        it->steps++;
        if (take(it, before)) {
            if (it->largest <= near * it->tau) it->tau *= fall;
        } else { /* out of a trap: the whole step, and back to smoother laws */
            for (int64_t k = 0; k < s->n + s->m; k++) s->x[k] += s->step[k];
            it->tau = fmin(it->tau / fall, it->most);
        }
    }
    return SADDLE_OK;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    newton *s = memory;
    iteration it = {.call = call,
                    .s = s,
                    .problem = problem,
                    .solution = solution,
                    .best = INFINITY,
                    .halved = INFINITY,
                    .start = saddle_clock()};
    it.limit = call->options->max_iterations > 0 ? call->options->max_iterations : INT64_MAX;
    saddle__copy(s->x, solution->v, s->n);
    saddle__copy(s->x + s->n, solution->lambda, s->m);
    saddle_status status = iterate(&it);
    call->report->iterations = it.steps;
    if (status < 0) return status;
    if (isfinite(it.best)) {
        saddle__copy(solution->v, s->best, s->n);
        saddle__copy(solution->lambda, s->best + s->n, s->m);
    }
    return status;
}

const saddle_solver_type saddle__solver_newton = {
    .name = "newton",
    .summary = "smoothing Newton on the laws of all rows and cones at once; few factorizations",
    .rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX | SADDLE_CONTACTS_CONE |
            SADDLE_CONTACTS_ASSOCIATED,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(newton),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
