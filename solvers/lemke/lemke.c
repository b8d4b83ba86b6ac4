/* SPDX-License-Identifier: MIT */
/* lemke: Lemke's complementary pivoting on a dense tableau, or on a factored basis; rows with any
 * bounds, pyramid and box contacts, any matrix.
 *
 *     W = J M^-1 J' + R, q = J M^-1 f - b          n = 0: W = R                factor/complement.h
 *     y = A x + c, lo <= x <= hi                   rows and friction, here
 *     y = A x + c + d t, t -> 0                    the path                                 path.c
 *     A_RS dx_S = -y_R(v, lambda)                  the answer of the basis found, here
 *     z'(A x + c) < 0                              the proof of a ray                        path.c
 *
 * The answer owes nothing to the tableau: A_RS of the basis is factored from A anew, and v and x
 * are refined with residuals in twice the working precision.
 *
 * A path that ends in neither an answer within the tolerance nor a proof is followed by another:
 * from the start's basis, where the start has impulses; from the bounds with d = 1; from the basis
 * of the last path, which rounding may have led astray; from the bounds with drawn d.  Paths but
 * the last are given up after 20 pivots an unknown: Lemke's method takes exponentially many pivots
 * on some problems, but for few d. */
#include <math.h>
#include <string.h>

#include "builtin.h"
#include "certify.h"
#include "base/context_internal.h"
#include "base/process.h"
#include "base/vector.h"
#include "factor/complement.h"
#include "lemke/lemke.h"
#include "matrix/full_csr.h"
#include "matrix/twofold.h"
#include "problem/problem_internal.h"
#include "problem/verdict.h"
#include "refine.h"

enum {
    SWEEPS = 4,        /* of scaling */
    SPARSE_FROM = 300, /* unknowns on a dense tableau, however sparse W is */
    SPARSE_SHARE = 20, /* W is sparse: entries for each nonzero */
    DRAWS = 5          /* paths with drawn d */
};

/* ======== the expansion ======== */

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

/* A; W (m x m, general): the pattern. */
static saddle_status create_matrix(saddle_context *context, const saddle_problem *problem,
                                   const saddle_matrix *W, saddle__expansion *e)
{
    double entries = count_entries(e, problem, W);
    if (entries > (double)(INT64_MAX / 64))
        return saddle_fail(context, SADDLE_TOO_LARGE, "lemke: a matrix of %.3g entries", entries);
    e->entries = (int64_t)entries;
    return saddle_matrix_create(context, e->most, e->most, e->entries, SADDLE_SYMMETRY_NONE, &e->A);
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
                        const saddle_contact *contact, int friction)
{
    int follows = follows_normal(problem, contact);
    int64_t normal = add_row(e, contact->row, 0.0, (double)INFINITY);
    if (friction && contact->mu > 0.0 && !follows) {
        e->group_of[normal] = e->groups;
        add_pyramid(e, normal, contact->row + 1, saddle_problem_facets(problem), contact->mu);
    }
    for (int64_t t = 1; friction && follows && t < contact->size; t++) {
        double mu = saddle__contact_mu(contact, t);
        if (!(mu > 0.0)) continue;
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
            add_contact(e, problem, contact, friction);
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

/* The unknowns from bounds and friction coefficients, and A with its units from W (m x m, general);
 * all sides are low.  friction: 0 = mu counts as 0. */
static void expand(saddle__expansion *e, const saddle_problem *problem, int friction,
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

/* ---- values of unknowns and rows ---- */

/* y (size) from w (m) and x (size): parts of w, and the sums with sigma, mu lambda_n and beta. */
static void slack_of_unknowns(const saddle__expansion *e, const double *w, const double *x,
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

/* lambda (m) += impulses of x (size).  side (size): 1 = low, -1 = high; NULL: multipliers of y. */
static void add_impulses(const saddle__expansion *e, const signed char *side, const double *x,
                         double *lambda)
{
    for (int64_t k = 0; k < e->size; k++) {
        const saddle__unknown *of = &e->unknown[k];
        if (side && e->normal[k] >= 0) lambda[of->row[0]] -= side[k] * e->mu[k] * x[e->normal[k]];
        for (int a = 0; a < 2; a++)
            if (of->part[a] != 0.0) lambda[of->row[a]] += of->part[a] * x[k];
    }
}

/* ======== the solver ======== */

typedef struct lemke {
    saddle__complement mass; /* M factored, and W */
    int has_mass;
    saddle__unfolded general_mass; /* both triangles of a symmetric M that needs pivoting */
    saddle__unfolded delassus;     /* both triangles of W */
    saddle__expansion expansion;
    saddle__path path;
    double unit;                            /* x = unit column_unit x' on the path */
    double *q;                              /* m: w at lambda = the constants */
    double *c;                              /* size: y at x = 0 */
    double *x, *y, *step;                   /* size */
    double *proof;                          /* size: multipliers */
    signed char *place;                     /* size: where x_k is to begin, see lemke.h */
    saddle__twofold *defect;                /* n + m */
    double *trial_v, *trial_lambda, *force; /* n, m, m */
    double *dv;                             /* n */
    double best;                            /* residual of the solution kept */
    saddle__layout layout;
} lemke;

static void clear(void *memory, saddle_context *context)
{
    lemke *s = memory;
    saddle__path_clear(context, &s->path);
    saddle_matrix_clear(&s->expansion.A);
    saddle__unfolded_clear(context, &s->delassus);
    saddle__unfolded_clear(context, &s->general_mass);
    if (s->has_mass) saddle__complement_clear(&s->mass);
    saddle__layout_clear(context, &s->layout);
    memset(s, 0, sizeof *s);
}

/* ---- analyse and factor ---- */

static saddle_status make_arrays(saddle_context *context, lemke *s, int64_t n)
{
    saddle__expansion *e = &s->expansion;
    int64_t m = e->m;
    int64_t most = e->most;
    const saddle__array arrays[] = {
        SADDLE__ARRAY(e->first_of, m),    SADDLE__ARRAY(e->count_of, m),
        SADDLE__ARRAY(e->constant, m),    SADDLE__ARRAY(e->unknown, most),
        SADDLE__ARRAY(e->lo, most),       SADDLE__ARRAY(e->hi, most),
        SADDLE__ARRAY(e->group_of, most), SADDLE__ARRAY(e->normal, most),
        SADDLE__ARRAY(e->mu, most),       SADDLE__ARRAY(e->group, e->most_groups),
        SADDLE__ARRAY(e->row_unit, most), SADDLE__ARRAY(e->column_unit, most),
        SADDLE__ARRAY(e->sum, most),      SADDLE__ARRAY(e->factor, most),
        SADDLE__ARRAY(e->mark, most),     SADDLE__ARRAY(e->touched, most),
        SADDLE__ARRAY(s->q, m),           SADDLE__ARRAY(s->c, most),
        SADDLE__ARRAY(s->x, most),        SADDLE__ARRAY(s->y, most),
        SADDLE__ARRAY(s->step, most),     SADDLE__ARRAY(s->place, most),
        SADDLE__ARRAY(s->proof, most),    SADDLE__ARRAY(s->defect, n + m),
        SADDLE__ARRAY(s->trial_v, n),     SADDLE__ARRAY(s->trial_lambda, m),
        SADDLE__ARRAY(s->force, m),       SADDLE__ARRAY(s->dv, n)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

typedef enum tableau_choice { BEST, DENSE, FACTORED } tableau_choice;

typedef struct lemke_settings {
    int tableau; /* of tableau_choice */
} lemke_settings;

static const char *const tableau_words[] = {"best", "dense", "factored", NULL};

static const saddle_setting settings[] = {
    {.name = "tableau",
     .kind = SADDLE_SETTING_WORD,
     .offset = offsetof(lemke_settings, tableau),
     .words = tableau_words,
     .summary = "the tableau: dense, or by a factored basis; best: by size and entries"},
    {.name = NULL},
};

static const saddle__tableau_type *choose_form(const lemke_settings *chosen, const saddle_matrix *W,
                                               int64_t size)
{
    int is_sparse = saddle_matrix_entries(W) * SPARSE_SHARE <= W->cols * W->cols;
    if (chosen->tableau == FACTORED) return &saddle__tableau_factored;
    if (chosen->tableau == DENSE) return &saddle__tableau_dense;
    if (size > SADDLE__LARGEST_TABLEAU) return &saddle__tableau_factored;
    return size > SPARSE_FROM && is_sparse ? &saddle__tableau_factored : &saddle__tableau_dense;
}

static saddle_matrix general(const saddle__unfolded *A)
{
    return saddle_matrix_view(A->cols, A->cols, A->start, A->index, A->value, SADDLE_SYMMETRY_NONE);
}

/* problem, with M marked general where M needs pivoting. */
static saddle_problem as_factored(const lemke *s, const saddle_problem *problem)
{
    saddle_problem view = *problem;
    if (s->general_mass.start) view.M = general(&s->general_mass);
    return view;
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    lemke *s = memory;
    saddle_context *context = call->context;
    saddle__complement_request request = {.ordering = call->options->ordering};
    saddle_problem view = as_factored(s, problem);
    saddle_status status = saddle__complement_analyse(context, &view, &request, &s->mass);
    s->has_mass = status == SADDLE_OK;
    if (status == SADDLE_OK) status = saddle__unfolded_create(context, &s->mass.W, &s->delassus);
    if (status != SADDLE_OK) return status;
    saddle_matrix W = general(&s->delassus);
    saddle__expansion *e = &s->expansion;
    e->m = problem->m;
    e->most = saddle__expansion_capacity(problem);
    e->most_groups = problem->contact_count;
    status = make_arrays(context, s, problem->n);
    if (status == SADDLE_OK) status = create_matrix(context, problem, &W, e);
    if (status != SADDLE_OK) return status;
    const saddle__tableau_type *form = choose_form(call->settings, &W, e->most);
    return saddle__path_create(context, form, e->most, e->entries, &s->path);
}

/* A symmetric M whose pivot vanished may be regular all the same: analysed anew as general. */
static saddle_status analyse_general(saddle_solver_call *call, lemke *s,
                                     const saddle_problem *problem)
{
    clear(s, call->context);
    saddle_status status = saddle__unfolded_create(call->context, &problem->M, &s->general_mass);
    return status == SADDLE_OK ? analyse(call, s, problem) : status;
}

static saddle_status form_delassus(lemke *s, const saddle_problem *problem)
{
    if (s->general_mass.start) saddle__unfolded_refresh(&s->general_mass, &problem->M);
    saddle_problem view = as_factored(s, problem);
    saddle_status status = saddle__complement_form(&s->mass, &view);
    if (status == SADDLE_OK) saddle__unfolded_refresh(&s->delassus, &s->mass.W);
    return status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    lemke *s = memory;
    saddle_report *report = call->report;
    int is_symmetric = problem->n > 0 && problem->M.symmetry == SADDLE_SYMMETRY_LOWER;
    saddle_status status = form_delassus(s, problem);
    if (status == SADDLE_SINGULAR && is_symmetric && !s->general_mass.start) {
        status = analyse_general(call, s, problem);
        if (status == SADDLE_OK) status = form_delassus(s, problem);
    }
    if (problem->n == 0 || status == SADDLE_OUT_OF_MEMORY) return status;
    report->factorizations += status == SADDLE_OK;
    if (s->mass.counts.peak_bytes > report->peak_bytes)
        report->peak_bytes = s->mass.counts.peak_bytes;
    return status;
}

/* ---- velocities and slacks ---- */

static int has_rows(const saddle_problem *problem)
{
    return problem->n > 0 && problem->m > 0 && problem->Jt.start != NULL;
}

/* v (n) = M^-1 (f + J'lambda) */
static saddle_status find_velocity(lemke *s, const saddle_problem *problem, const double *lambda,
                                   double *v)
{
    for (int64_t j = 0; j < problem->n; j++) v[j] = problem->f ? problem->f[j] : 0.0;
    if (has_rows(problem)) saddle_matrix_apply(&problem->Jt, 1.0, lambda, 1.0, v);
    return problem->n > 0 ? saddle__complement_solve_mass(&s->mass, v) : SADDLE_OK;
}

/* trial_v += M^-1 J'lambda */
static saddle_status push(lemke *s, const saddle_problem *problem, const double *lambda)
{
    if (!has_rows(problem)) return SADDLE_OK;
    saddle_matrix_apply(&problem->Jt, 1.0, lambda, 0.0, s->dv);
    saddle_status status = saddle__complement_solve_mass(&s->mass, s->dv);
    for (int64_t j = 0; j < problem->n; j++) s->trial_v[j] += s->dv[j];
    return status;
}

/* force <- w = J v + R lambda - b, after trial_v has taken in M^-1 (f - M v + J'lambda); residuals
 * in twice the working precision. */
static saddle_status find_slack(lemke *s, const saddle_problem *problem)
{
    int64_t n = problem->n;
    saddle__twofold *rows = s->defect + n;
    saddle__twofold_set(n, problem->f, s->defect);
    saddle__twofold_set(problem->m, problem->b, rows);
    if (n > 0) saddle__twofold_add(&problem->M, -1.0, s->trial_v, s->defect);
    if (problem->R.start) saddle__twofold_add(&problem->R, -1.0, s->trial_lambda, rows);
    if (has_rows(problem))
        saddle__twofold_add_both(&problem->Jt, 1.0, s->trial_lambda, s->defect, -1.0, s->trial_v,
                                 rows);
    for (int64_t i = 0; i < problem->m; i++) s->force[i] = -saddle__twofold_value(rows[i]);
    if (n == 0) return SADDLE_OK;
    for (int64_t j = 0; j < n; j++) s->dv[j] = saddle__twofold_value(s->defect[j]);
    saddle_status status = saddle__complement_solve_mass(&s->mass, s->dv);
    if (has_rows(problem)) saddle_matrix_apply_transpose(&problem->Jt, 1.0, s->dv, 1.0, s->force);
    for (int64_t j = 0; j < n; j++) s->trial_v[j] += s->dv[j];
    return status;
}

/* ---- the start of a path ---- */

/* The unknowns, with friction or without, A, q, and c = y at x = 0. */
static saddle_status set_out(lemke *s, const saddle_problem *problem, int friction)
{
    saddle__expansion *e = &s->expansion;
    for (int64_t i = 0; i < problem->m; i++) s->q[i] = problem->b ? -problem->b[i] : 0.0;
    saddle_matrix W = general(&s->delassus);
    expand(e, problem, friction, &W);
    saddle_status status = find_velocity(s, problem, e->constant, s->trial_v);
    if (has_rows(problem)) saddle_matrix_apply_transpose(&problem->Jt, 1.0, s->trial_v, 1.0, s->q);
    if (problem->R.start) saddle_matrix_apply(&problem->R, 1.0, e->constant, 1.0, s->q);
    for (int64_t k = 0; k < e->size; k++) s->x[k] = 0.0;
    memset(s->path.side, 1, (size_t)e->size * sizeof *s->path.side);
    slack_of_unknowns(e, s->q, s->x, s->c);
    return status;
}

/* s->place: where x_k of the start is, friction directions anywhere.  0: all impulses are zero. */
static int read_start(lemke *s, const double *lambda)
{
    const saddle__expansion *e = &s->expansion;
    int any = 0;
    for (int64_t k = 0; k < e->size; k++) {
        const saddle__friction *group = e->group_of[k] < 0 ? NULL : &e->group[e->group_of[k]];
        int64_t normal = e->normal[k];
        double x = lambda[e->unknown[k].row[0]];
        double bound = normal < 0 ? 0.0 : e->mu[k] * lambda[e->unknown[normal].row[0]];
        s->place[k] = x <= e->lo[k] - bound   ? SADDLE__AT_LOW
                      : x >= e->hi[k] + bound ? SADDLE__AT_HIGH
                                              : SADDLE__INSIDE;
        if (normal >= 0 && s->place[normal] != SADDLE__INSIDE) s->place[k] = SADDLE__ANYWHERE;
        if (group && group->normal != k) s->place[k] = SADDLE__ANYWHERE;
        any |= x != 0.0;
    }
    return any;
}

/* The problem in the units of the path; placed: from the basis in s->place, else the bounds. */
static void fill_path(lemke *s, int placed)
{
    const saddle__expansion *e = &s->expansion;
    saddle__path *p = &s->path;
    double most = 0.0;
    int exponent = 0;
    for (int64_t k = 0; k < e->size; k++) most = fmax(most, fabs(e->row_unit[k] * s->c[k]));
    if (most > 0.0 && isfinite(most)) (void)frexp(most, &exponent);
    s->unit = ldexp(1.0, exponent);
    p->size = e->size;
    p->A = &s->expansion.A;
    p->follows = 0;
    for (int64_t k = 0; k < e->size; k++) {
        double unit = s->unit * e->column_unit[k];
        p->q[k] = e->row_unit[k] * s->c[k] / s->unit;
        p->lo[k] = e->lo[k] / unit;
        p->hi[k] = e->hi[k] / unit;
        p->normal[k] = e->normal[k];
        p->follows |= e->normal[k] >= 0;
        if (e->normal[k] >= 0)
            p->slope[k] = e->mu[k] * e->column_unit[e->normal[k]] / e->column_unit[k];
        p->inside[k] = saddle__expansion_is_free(e, k) ? SADDLE__FREE
                       : placed                        ? s->place[k]
                                                       : SADDLE__ANYWHERE;
    }
}

/* ---- the answer of a basis ---- */

/* x and s->place at the end of the path. */
static void take_values(lemke *s)
{
    const saddle__expansion *e = &s->expansion;
    const saddle__path *p = &s->path;
    for (int64_t k = 0; k < e->size; k++) {
        int low = p->side[k] > 0;
        int64_t row = p->tableau.place[k];
        int rests = row < 0 && !saddle__expansion_is_free(e, k);
        s->place[k] = !rests ? SADDLE__INSIDE : low ? SADDLE__AT_LOW : SADDLE__AT_HIGH;
        s->x[k] = row >= 0 ? p->value[row] * s->unit * e->column_unit[k]
                  : !rests ? 0.0
                  : low    ? e->lo[k]
                           : e->hi[k];
    }
}

/* trial_lambda <- the impulses of x; within: of x clamped to the bounds, since rounding may violate
 * them. */
static void fold(lemke *s, int within)
{
    const saddle__expansion *e = &s->expansion;
    for (int64_t k = 0; within && k < e->size; k++) {
        double far = e->normal[k] < 0 ? 0.0 : 2.0 * s->path.side[k] * e->mu[k] * s->y[e->normal[k]];
        s->y[k] = fmin(fmax(s->x[k], e->lo[k] + fmin(far, 0.0)), e->hi[k] + fmax(far, 0.0));
    }
    saddle__copy(s->trial_lambda, e->constant, e->m);
    add_impulses(e, s->path.side, within ? s->y : s->x, s->trial_lambda);
}

/* A step of refinement of x and trial_v; force holds w. */
static saddle_status correct(lemke *s, const saddle_problem *problem)
{
    const saddle__expansion *e = &s->expansion;
    saddle__tableau *t = &s->path.tableau;
    slack_of_unknowns(e, s->force, s->x, s->y);
    for (int64_t k = 0; k < e->size; k++)
        s->step[k] = t->place[e->size + k] < 0 ? e->row_unit[k] * s->y[k] / s->unit : 0.0;
    if (!t->type->solve(t, s->step)) return t->status;
    for (int64_t k = 0; k < e->size; k++) {
        s->y[k] = s->step[k] * s->unit * e->column_unit[k];
        s->x[k] += s->y[k];
    }
    for (int64_t i = 0; i < e->m; i++) s->force[i] = 0.0;
    add_impulses(e, s->path.side, s->y, s->force);
    return push(s, problem, s->force);
}

/* The error of trial_v and trial_lambda; the best so far become the solution. */
static double judge(lemke *s, const saddle_solver_call *call, const saddle_problem *problem,
                    saddle_solution *solution)
{
    double error = saddle__error_of(saddle_solver_measure(call, problem, s->trial_v,
                                                          s->trial_lambda),
                                    call->options->tolerance);
    if (!(error < s->best)) return error;
    s->best = error;
    saddle__copy(solution->v, s->trial_v, problem->n);
    saddle__copy(solution->lambda, s->trial_lambda, problem->m);
    return error;
}

/* Refined v and lambda of the basis at the end of the path; no answer from a singular basis. */
static saddle_status answer(lemke *s, const saddle_solver_call *call, const saddle_problem *problem,
                            saddle_solution *solution)
{
    saddle__tableau *t = &s->path.tableau;
    double last = (double)INFINITY;
    if (!t->type->renew(t)) return t->status == SADDLE_SINGULAR ? SADDLE_OK : t->status;
    take_values(s);
    fold(s, 1);
    saddle_status status = find_velocity(s, problem, s->trial_lambda, s->trial_v);
    for (int64_t k = 0; status == SADDLE_OK && k <= call->options->max_refinements; k++) {
        fold(s, 0);
        status = find_slack(s, problem);
        if (status == SADDLE_OK) status = correct(s, problem);
        if (status != SADDLE_OK) return status;
        fold(s, 1);
        double residual = judge(s, call, problem, solution);
        call->report->refinements += k > 0;
        int gains = residual < 0.5 * last;
        last = fmin(last, residual);
        if (residual <= SADDLE__SUM_ROUNDING || (!gains && k > 1)) break;
    }
    return status;
}

/* ---- the proof of a ray ---- */

/* Offers the multipliers y of the problem's rows, from s->proof, and -M^-T J'y of the dynamics, so
 * that velocities drop out.  SADDLE_INFEASIBLE, or a negative status. */
static saddle_status offer(lemke *s, const saddle_solver_call *call, const saddle_problem *problem)
{
    const saddle__expansion *e = &s->expansion;
    for (int64_t k = 0; k < e->size; k++) s->proof[k] *= e->row_unit[k];
    for (int64_t i = 0; i < e->m; i++) s->force[i] = 0.0;
    add_impulses(e, NULL, s->proof, s->force);
    saddle_status status = saddle__certify_rows(call, problem, s->force);
    if (status < 0 || !has_rows(problem) || !call->certificate) return status;
    double *z = call->certificate->velocity;
    saddle_matrix_apply(&problem->Jt, -1.0, s->force, 0.0, z);
    saddle_status solved = s->mass.pivoted
                               ? saddle__factorization_solve_transpose(s->mass.pivoted, z)
                               : saddle__complement_solve_mass(&s->mass, z);
    return solved < 0 ? solved : status;
}

/* ---- a solve ---- */

typedef struct search {
    saddle_solver_call *call;
    lemke *state;
    const saddle_problem *problem;
    saddle_solution *solution;
    int watched;       /* 1: there is a time limit, or a callback for progress */
    double start;      /* saddle_clock() at the first pivot; negative: not yet */
    int64_t left;      /* pivots */
    int paths, rays;   /* so far */
    saddle_status end; /* SADDLE_OK while paths may follow */
} search;

static int interrupted(void *user, int64_t pivots)
{
    search *it = user;
    if (!it->watched) return 0;
    double now = saddle_clock();
    if (it->start < 0.0) it->start = now;
    if (saddle_context_progress(it->call->context, "solve", pivots, 0, -1.0, now - it->start))
        it->end = SADDLE_STOPPED;
    if (now >= it->call->deadline) it->end = SADDLE_TIME_LIMIT;
    return it->end != SADDLE_OK;
}

static int is_answered(const search *it)
{
    return it->state->best <= fmax(it->call->options->tolerance, SADDLE__SUM_ROUNDING);
}

/* A path of `limit` pivots at most; placed: from the basis in s->place, else from the bounds.  A
 * negative status, or SADDLE_OK. */
static saddle_status follow(search *it, int placed, int64_t draw, int64_t limit)
{
    lemke *s = it->state;
    saddle__path *p = &s->path;
    saddle__path_request asked = {.draw = draw,
                                  .violated = placed,
                                  .limit = limit < it->left ? limit : it->left,
                                  .interrupt = interrupted,
                                  .user = it};
    int proven;
    it->paths++;
    fill_path(s, placed);
    saddle__path_end end = saddle__path_follow(p, &s->expansion, s->c, &asked, s->proof, &proven);
    it->call->report->pivots += p->pivots;
    it->left -= p->pivots;
    if (proven < 0) return (saddle_status)proven;
    if (end == SADDLE__PATH_BROKEN)
        return p->tableau.status == SADDLE_SINGULAR ? SADDLE_OK : p->tableau.status;
    saddle_status status = answer(s, it->call, it->problem, it->solution);
    if (status < 0 || it->end != SADDLE_OK || is_answered(it)) return status;
    it->rays += end == SADDLE__PATH_RAY;
    if (proven) it->end = offer(s, it->call, it->problem);
    if (it->end == SADDLE_OK && it->left <= 0) it->end = SADDLE_ITERATION_LIMIT;
    return it->end < 0 ? it->end : SADDLE_OK;
}

static int goes_on(const search *it, saddle_status status)
{
    return status == SADDLE_OK && it->end == SADDLE_OK && !is_answered(it);
}

/* After rays without proof; a contradiction is looked for without friction.  Allocates. */
static saddle_status look_for_proof(search *it)
{
    lemke *s = it->state;
    saddle_status status = set_out(s, it->problem, 0);
    if (status != SADDLE_OK) return status;
    fill_path(s, 0);
    int proven = saddle__rows_contradict(it->call->context, &s->path, &s->expansion, s->c,
                                         interrupted, it, s->proof);
    if (proven > 0) it->end = offer(s, it->call, it->problem);
    return proven < 0 ? (saddle_status)proven : it->end < 0 ? it->end : SADDLE_OK;
}

static saddle_status follow_all(search *it)
{
    lemke *s = it->state;
    saddle_status status = set_out(s, it->problem, 1);
    int64_t usual = SADDLE__PATH_PIVOTS * s->expansion.size;
    int warm = read_start(s, it->solution->lambda);
    if (warm && status == SADDLE_OK) status = follow(it, 1, 0, usual);
    for (int64_t draw = 0; draw <= DRAWS && goes_on(it, status); draw++) {
        status = follow(it, 0, draw, usual);
        if (draw == 0 && goes_on(it, status)) status = follow(it, 1, 0, usual);
    }
    return it->rays > 0 && goes_on(it, status) ? look_for_proof(it) : status;
}

static saddle_status conclude(search *it)
{
    lemke *s = it->state;
    saddle_report *report = it->call->report;
    if (it->paths > 1) saddle__report_note(report, "%d paths", it->paths);
    if (!(s->best < (double)INFINITY)) { /* no basis had an answer */
        double *lambda = it->solution->lambda;
        for (int64_t i = 0; i < it->problem->m; i++) lambda[i] = 0.0;
        saddle_status status = find_velocity(s, it->problem, lambda, it->solution->v);
        if (status < 0) return status;
    }
    if (it->end != SADDLE_OK || s->best <= it->call->options->tolerance) return it->end;
    if (it->rays > 0)
        saddle__report_note(
            report, "%s secondary ray without proof: whether there is a solution is not known",
            it->rays == it->paths ? "each path ends in a" : "a path ends in a");
    return SADDLE_NOT_CONVERGED;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    lemke *s = memory;
    int64_t most = call->options->max_iterations;
    search it = {.call = call,
                 .state = s,
                 .problem = problem,
                 .solution = solution,
                 .watched = isfinite(call->deadline) ||
                            (call->context && call->context->options.progress),
                 .start = -1.0,
                 .left = most > 0 ? most : INT64_MAX};
    s->best = (double)INFINITY;
    saddle__blas_begin();
    saddle_status status = follow_all(&it);
    saddle__blas_end();
    return status < 0 ? status : conclude(&it);
}

/* A ray, within about the time that block pivoting takes. */
static unsigned proves(const saddle_problem *problem)
{
    enum { FEW = 100 };
    return problem->n <= FEW && problem->m <= FEW ? SADDLE_PROVES_ROWS : 0;
}

const saddle_solver_type saddle__solver_lemke = {
    .name = "lemke",
    .summary = "Lemke's complementary pivoting, lexicographic, on a dense tableau or a factored "
               "basis; rows with any bounds, pyramid and box contacts, any matrix",
    .rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX | SADDLE_CONTACTS_BOX |
            SADDLE_CONTACTS_PYRAMID,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(lemke),
    .settings = settings,
    .settings_size = sizeof(lemke_settings),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
    .proves = proves,
    .condenses = 1,
};
