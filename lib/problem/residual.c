/* SPDX-License-Identifier: MIT */
/* The independent checker (saddle/residual.h; derivation in docs/theory.md, section 3).
 *
 * One pass over M, one over J and one over R form the products, the moduli of their terms, the
 * row sums and the Delassus diagonal; the latter two, once known of a problem, are kept. */
#include "saddle/residual.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "problem/cone.h"
#include "problem/problem_internal.h"
#include "problem/verdict.h"

/* Arrays of length n, and as many of length m, the first two of them sums of each measure. */
enum { ARRAYS = 5 };

typedef struct checker {
    const saddle_problem *problem;
    const saddle__sums *parts; /* NULL: the problem is whole */
    int is_fresh;              /* 1: what depends on M, J, R and f alone is to be formed */
    int64_t begin[2], end[2];  /* by kind: the velocities and rows that are measured here */
    const double *v;
    const double *lambda;
    double *defect;          /* n: M v - J'lambda */
    double *terms;           /* n: |M||v| + |J'||lambda| */
    double *sums;            /* n: row sums of |M| and |J'|; fresh */
    double *inverse_mass;    /* n: 1/|M_jj|, 0 = no unit; kept */
    double *free;            /* n: |f_j|/|M_jj|, the velocity from f alone; fresh */
    double *unit;            /* n, in free's place: |M_jj|^-1/2, 0 = no unit; kept */
    double *w;               /* m: J v + R lambda - b */
    double *row_terms;       /* m: s_i */
    double *row_sums;        /* m: row sums of |J| and |R|; fresh */
    double *row_data;        /* m, in row_sums' place: a_i + pushes */
    double *pushes;          /* m: sum_j |J_ij||f_j|/|M_jj|; kept */
    double *delassus;        /* m: d_i, 0 = no unit; kept */
    double *from_velocities; /* m, of parts: sum_j |J_ij| t_j / m_j; NULL: formed where needed */
    double scale;            /* S */
    double largest_term;     /* T */
    double largest_datum;    /* D */
    double largest_sum;      /* of sums and row_sums; kept */
    int has_finite_units;    /* inverse_mass and delassus; kept */
    double own_growth; /* least terms over datum of unknowns without a unit; INFINITY = no such
                          datum */
    double unitless;   /* rows without a unit */
    int is_finite;     /* v, lambda and all that is formed of them but norms */
} checker;

int64_t saddle_residual_work_size(const saddle_problem *problem)
{
    if (!problem) return 0;
    return ARRAYS * (problem->n + problem->m);
}

/* is_fresh = 0: work holds what an earlier measure of the problem has kept. */
static checker lay_out(const saddle_problem *problem, const double *v, const double *lambda,
                       int is_fresh, double *work)
{
    int64_t n = problem->n;
    int64_t m = problem->m;
    checker c = {.problem = problem,
                 .v = v,
                 .lambda = lambda,
                 .is_fresh = is_fresh,
                 .end = {n, m},
                 .own_growth = (double)INFINITY,
                 .is_finite = 1};
    if (!work || n + m == 0) return c;
    double **const arrays[] = {&c.defect, &c.terms,     &c.sums,     &c.inverse_mass, &c.free,
                               &c.w,      &c.row_terms, &c.row_sums, &c.pushes,       &c.delassus};
    for (int k = 0; k < 2 * ARRAYS; k++) {
        *arrays[k] = work;
        work += k < ARRAYS ? n : m;
    }
    c.unit = c.free;
    c.row_data = c.row_sums;
    saddle__zero(c.defect, (is_fresh ? ARRAYS : 2) * n);
    saddle__zero(c.w, (is_fresh ? ARRAYS : 2) * m);
    return c;
}

static double ratio(double numerator, double denominator)
{
    if (numerator == 0.0) return 0.0;
    if (denominator == 0.0 || !isfinite(denominator)) return (double)INFINITY;
    return numerator / denominator;
}

/* *most <- the larger of *most and ratio(numerator, denominator), divided only where it raises. */
static void raise_to_ratio(double *most, double numerator, double denominator)
{
    if (!(numerator <= *most * denominator))
        *most = saddle__larger(ratio(numerator, denominator), *most);
}

/* ---- the products ---- */

/* y = A x, terms = |A||x|, sums = |A| 1, diagonal = diag(A) of a square A; sums and diagonal NULL:
 * known */
typedef struct products {
    double *y, *terms, *sums, *diagonal;
} products;

/* A column of all rows takes half the time without its indices. */
static void pass_full(int64_t count, const double *restrict a, double x, double *restrict y,
                      double *restrict terms, double *restrict sums)
{
    for (int64_t i = 0; i < count; i++) {
        double term = a[i] * x;
        y[i] += term;
        terms[i] += fabs(term);
    }
    for (int64_t i = 0; sums && i < count; i++) sums[i] += fabs(a[i]);
}

static void pass_column(const saddle_matrix *A, int64_t j, const double *x, products to)
{
    int64_t begin = A->start[j], end = A->start[j + 1];
    double xj = x[j];
    if (end - begin == A->rows) {
        pass_full(A->rows, A->value + begin, xj, to.y, to.terms, to.sums);
        if (to.sums) to.diagonal[j] = A->value[begin + j];
        return;
    }
    for (int64_t k = begin; k < end; k++) {
        double term = A->value[k] * xj;
        to.y[A->index[k]] += term;
        to.terms[A->index[k]] += fabs(term);
    }
    for (int64_t k = begin; to.sums && k < end; k++) {
        to.sums[A->index[k]] += fabs(A->value[k]);
        if (A->index[k] == j) to.diagonal[j] = A->value[k];
    }
}

/* The same of a lower triangle, and of row j of the upper triangle, its mirror image. */
static void pass_lower(const saddle_matrix *A, int64_t j, const double *x, products to)
{
    double xj = x[j], y = 0.0, terms = 0.0, sum = 0.0;
    int64_t begin = A->start[j], end = A->start[j + 1];
    if (begin < end && A->index[begin] == j) { /* the diagonal entry */
        double a = A->value[begin++], term = a * xj;
        to.y[j] += term;
        to.terms[j] += fabs(term);
        if (to.sums) to.sums[j] += fabs(a);
        if (to.sums) to.diagonal[j] = a;
    }
    if (begin == end) return;
    for (int64_t k = begin; k < end; k++) {
        int64_t i = A->index[k];
        double a = A->value[k], below = a * xj, term = a * x[i];
        to.y[i] += below;
        to.terms[i] += fabs(below);
        y += term;
        terms += fabs(term);
    }
    to.y[j] += y;
    to.terms[j] += terms;
    if (!to.sums) return;
    for (int64_t k = begin; k < end; k++) {
        double size = fabs(A->value[k]);
        to.sums[A->index[k]] += size;
        sum += size;
    }
    to.sums[j] += sum;
}

static void pass_square(const saddle_matrix *A, const double *x, products to)
{
    for (int64_t j = 0; A->start && j < A->cols; j++) {
        if (A->symmetry == SADDLE_SYMMETRY_LOWER)
            pass_lower(A, j, x, to);
        else
            pass_column(A, j, x, to);
    }
}

/* The diagonal of M stands in inverse_mass. */
static void invert_masses(checker *c)
{
    const double *f = c->problem->f;
    for (int64_t j = 0; j < c->problem->n; j++) {
        double mass = fabs(c->inverse_mass[j]);
        c->inverse_mass[j] = mass > 0.0 ? 1.0 / mass : 0.0;
        double force = f ? fabs(f[j]) : 0.0;
        c->free[j] = force * c->inverse_mass[j];
    }
}

static void pass_row(checker *c, const saddle_matrix *Jt, int64_t i)
{
    double y = 0.0, all = 0.0, impulse = c->lambda[i];
    double *defect = c->defect, *terms = c->terms;
    for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
        int64_t j = Jt->index[k];
        double term = Jt->value[k] * c->v[j], force = Jt->value[k] * impulse;
        y += term;
        all += fabs(term);
        defect[j] -= force;
        terms[j] += fabs(force);
    }
    c->w[i] += y;
    c->row_terms[i] += all;
    if (!c->is_fresh) return;
    double push = 0.0, delassus = c->delassus[i], sum = c->row_sums[i]; /* what is kept */
    for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
        int64_t j = Jt->index[k];
        double a = Jt->value[k], size = fabs(a);
        push += size * c->free[j];
        delassus += a * c->inverse_mass[j] * a; /* a^2 may overflow */
        sum += size;
        c->sums[j] += size;
    }
    c->pushes[i] += push;
    c->delassus[i] = delassus;
    c->row_sums[i] = sum;
}

/* ---- over all processes, of a problem in parts ---- */

static void add_all_parts(const checker *c)
{
    double *const of_velocities[] = {c->defect, c->terms, c->sums};
    double *const of_rows[] = {c->w, c->row_terms, c->row_sums, c->pushes, c->delassus};
    for (size_t k = 0; k < sizeof of_velocities / sizeof *of_velocities; k++)
        saddle__add_parts(c->parts, SADDLE__VELOCITIES, of_velocities[k]);
    for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
        saddle__add_parts(c->parts, SADDLE__ROWS, of_rows[k]);
}

/* Of the largest values of the processes the largest, and where that is in the whole, the first of
 * equal ones. */
static void take_worst(const checker *c, saddle__kind kind, double *most, int64_t *where)
{
    const double mine = *most;
    saddle__take_largest(c->parts, 1, most);
    double first = -(double)INFINITY;
    if (*where >= 0 && mine == *most) first = -(double)c->parts->name[kind][*where];
    saddle__take_largest(c->parts, 1, &first);
    *where = isfinite(first) ? -(int64_t)first : -1;
}

/* ---- scales ---- */

/* What is kept, from M, J, R and f alone. */
static void form_units(checker *c)
{
    const saddle_problem *p = c->problem;
    saddle__spread_units(p, c->parts, c->inverse_mass, c->delassus);
    for (int64_t j = c->begin[0]; j < c->end[0]; j++) c->unit[j] = sqrt(c->inverse_mass[j]);
    c->has_finite_units = saddle__is_finite(c->inverse_mass, p->n) &&
                          saddle__is_finite(c->delassus, p->m);
    c->largest_sum = saddle__larger(saddle__largest(c->sums, p->n),
                                    saddle__largest(c->row_sums, p->m));
}

static void subtract(int64_t n, const double *restrict f, double *restrict defect,
                     double *restrict terms)
{
    for (int64_t j = 0; j < n; j++) {
        defect[j] -= f[j];
        terms[j] += fabs(f[j]);
    }
}

static void form_products(checker *c)
{
    const saddle_problem *p = c->problem;
    products of_M = {c->defect, c->terms, c->is_fresh ? c->sums : NULL, c->inverse_mass};
    products of_R = {c->w, c->row_terms, c->is_fresh ? c->row_sums : NULL, c->delassus};
    pass_square(&p->M, c->v, of_M);
    if (c->parts) saddle__add_parts(c->parts, SADDLE__VELOCITIES, c->inverse_mass);
    if (c->is_fresh) invert_masses(c);
    pass_square(&p->R, c->lambda, of_R);
    for (int64_t i = 0; i < p->m; i++) {
        c->delassus[i] = fabs(c->delassus[i]);
        if (p->n > 0 && p->Jt.start) pass_row(c, &p->Jt, i);
    }
    if (c->parts) add_all_parts(c);
    if (c->is_fresh) form_units(c);
    if (p->f) subtract(p->n, p->f, c->defect, c->terms);
    saddle__copy(c->row_data, c->pushes, p->m);
    saddle__add_asked(p, c->delassus, c->lambda, c->row_data);
    for (int64_t i = 0; i < p->m; i++) {
        c->w[i] -= p->b ? p->b[i] : 0.0;
        c->row_terms[i] += c->row_data[i];
    }
    c->is_finite = c->has_finite_units && saddle__is_finite(c->v, p->n) &&
                   saddle__is_finite(c->lambda, p->m) && saddle__is_finite(c->w, p->m) &&
                   saddle__is_finite(c->terms, p->n) && /* the defect is no larger */
                   saddle__is_finite(c->row_terms, p->m);
}

/* The largest of all processes, all rows without a unit, and whether all that is formed is finite.
 */
static void share_scales(checker *c, double *largest_limit)
{
    double most[] = {c->scale,       c->largest_term, c->largest_datum,
                     *largest_limit, -c->own_growth,  c->is_finite ? 0.0 : 1.0};
    saddle__take_largest(c->parts, sizeof most / sizeof *most, most);
    c->scale = most[0];
    c->largest_term = most[1];
    c->largest_datum = most[2];
    *largest_limit = most[3];
    c->own_growth = -most[4];
    c->is_finite = most[5] == 0.0;
    c->parts->total(c->parts->user, 1, &c->unitless);
}

/* max |x_j| unit_j of the velocities measured here, of four maxima side by side. */
static double largest_product(const checker *c, const double *x)
{
    const double *unit = c->unit;
    double most[4] = {0.0, 0.0, 0.0, 0.0};
    int64_t j = c->begin[0], end = c->end[0];
    for (; j + 4 <= end; j += 4)
        for (int k = 0; k < 4; k++) {
            most[k] = saddle__larger(fabs(x[j + k]) * unit[j + k], most[k]);
        }
    for (; j < end; j++) most[0] = saddle__larger(fabs(x[j]) * unit[j], most[0]);
    return saddle__larger(saddle__larger(most[0], most[1]), saddle__larger(most[2], most[3]));
}

/* S, T and D. */
static void find_scales(checker *c)
{
    const saddle_problem *p = c->problem;
    int64_t next = 0; /* contact */
    double largest_limit = 0.0;
    c->largest_term = largest_product(c, c->terms);
    c->largest_datum = p->f ? largest_product(c, p->f) : 0.0;
    for (int64_t j = c->begin[0]; p->f && j < c->end[0]; j++)
        if (c->unit[j] == 0.0 && p->f[j] != 0.0)
            c->own_growth = saddle__smaller(c->terms[j] / fabs(p->f[j]), c->own_growth);
    for (int64_t i = c->begin[1]; i < c->end[1]; i++) {
        int in_contact = saddle__contact_of(p, i, &next) != NULL;
        if (c->delassus[i] == 0.0) {
            c->unitless++;
            if (c->row_data[i] > 0.0)
                c->own_growth = saddle__smaller(c->row_terms[i] / c->row_data[i], c->own_growth);
            continue;
        }
        double unit = sqrt(c->delassus[i]);
        c->largest_term = saddle__larger(c->row_terms[i] / unit, c->largest_term);
        c->scale = saddle__larger(c->row_terms[i] / unit, c->scale);
        c->largest_datum = saddle__larger(c->row_data[i] / unit, c->largest_datum);
        double impulse = c->lambda[i];
        if (!in_contact && isfinite(impulse) &&
            (impulse == saddle__lo(p, i) || impulse == saddle__hi(p, i)))
            largest_limit = saddle__larger(fabs(impulse) * unit, largest_limit);
    }
    if (c->parts) share_scales(c, &largest_limit);
    if (c->largest_datum == 0.0) c->largest_datum = largest_limit;
    if (c->scale <= SADDLE__NEGLIGIBLE_TERM * c->largest_datum) c->scale = c->largest_datum;
    if (!isfinite(c->largest_term) || !isfinite(c->largest_datum)) c->is_finite = 0;
}

/* ---- natural maps of rows and contacts, in row velocities ---- */

/* d > 0; P: the projection onto the impulses that the law admits. */
typedef struct natural_map {
    double defect;  /* d |lambda - P(lambda - w/d)| [row velocity]; a contact's is the length of the
                       vector */
    double outside; /* |lambda - P(lambda)|         [impulse] */
    double work;    /* |w| |lambda - bound|, |s'lambda| */
} natural_map;

enum { ROWS = SADDLE_CONTACT_ROWS };

/* size, here and below: of a contact; a constant for most (measure_laws), so that loops unroll. */
static inline double length_of(int64_t size, const double *x)
{
    double length = saddle__length(x[0], x[1]);
    for (int64_t i = 2; i < size; i++) length = saddle__length(length, x[i]);
    return length;
}

/* |d lambda - projected|, projected = d P(lambda - s/d), x = d lambda - s. */
static inline double defect_of(int64_t size, double d, const double *lambda, const double *s,
                               const double *x, const double *projected)
{
    int fixed = 1;
    double left[ROWS];
    for (int64_t i = 0; i < size; i++) fixed &= projected[i] == x[i];
    for (int64_t i = 0; i < size; i++) left[i] = fixed ? s[i] : d * lambda[i] - projected[i];
    return length_of(size, left);
}

/* |lambda - inside|, inside = P(lambda) */
static inline double outside_of(int64_t size, const double *lambda, const double *inside)
{
    double off[ROWS];
    for (int64_t i = 0; i < size; i++) off[i] = lambda[i] - inside[i];
    return length_of(size, off);
}

/* A part of two rows of a pyramid in space, of radius mu lambda_n. */
static natural_map polygon_map(double radius, int64_t facets, const double lambda[2],
                               const double w[2], double d)
{
    double inside[2] = {lambda[0], lambda[1]};
    double x[2] = {d * lambda[0] - w[0], d * lambda[1] - w[1]};
    double projected[2] = {x[0], x[1]};
    saddle__project_polygon(radius, facets, inside);
    saddle__project_polygon(d * radius, facets, projected);
    return (natural_map){.defect = defect_of(2, d, lambda, w, x, projected),
                         .outside = outside_of(2, lambda, inside)};
}

/* d |lambda - P(lambda - s/d)|, s the shifted w. */
static inline double cone_defect(const saddle__cone *cone, int64_t size, const double *lambda,
                                 const double *s, double d)
{
    double x[ROWS], projected[ROWS];
    for (int64_t i = 0; i < size; i++) projected[i] = x[i] = d * lambda[i] - s[i];
    saddle__project_cone(cone, projected);
    return defect_of(size, d, lambda, s, x, projected);
}

static inline natural_map cone_map(const saddle__cone *cone, int64_t size, const double *lambda,
                                   const double *s, double d)
{
    double inside[ROWS], work = 0.0;
    for (int64_t i = 0; i < size; i++) {
        inside[i] = lambda[i];
        work += s[i] * lambda[i];
    }
    saddle__project_cone(cone, inside);
    return (natural_map){.defect = cone_defect(cone, size, lambda, s, d),
                         .outside = outside_of(size, lambda, inside),
                         .work = fabs(work)};
}

/* ---- the largest defects ---- */

/* The largest defects of rows and contacts. */
typedef struct worst {
    double map; /* sqrt d |lambda - P(lambda - w/d)| / S */
    double local;
    double outside; /* sqrt d |lambda - P(lambda)| / S */
    double work;    /* over S^2 */
    int64_t row, row_local;
} worst;

/* A ratio that is no number, as of 0 times infinity, counts as infinite. */
static void note_worst(double *most, int64_t *where, double numerator, double denominator,
                       int64_t row)
{
    if (numerator <= *most * denominator) return;
    double value = ratio(numerator, denominator);
    if (value <= *most) return;
    *most = isnan(value) ? (double)INFINITY : value;
    *where = row;
}

/* Rows measured together: the largest d, and their largest terms in that d's unit. */
typedef struct unit {
    int64_t row, count;
    double d, terms;
    int is_kinetic; /* 0: a row without a unit */
} unit;

/* sum_j |J_ij| t_j / m_j */
static double terms_from_velocities(const checker *c, int64_t i)
{
    const saddle_matrix *Jt = &c->problem->Jt;
    double sum = 0.0;
    if (c->from_velocities) return c->from_velocities[i];
    for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
        int64_t j = Jt->index[k];
        sum += fabs(Jt->value[k]) * c->inverse_mass[j] * c->terms[j];
    }
    return sum;
}

/* Terms of rows for `local`: from the equations of their velocities, where the own terms of the
 * rows are rounding of these. */
static double local_terms(const checker *c, unit of)
{
    if (c->problem->n == 0 || !of.is_kinetic ||
        of.terms > SADDLE__NEGLIGIBLE_TERM * c->scale * sqrt(of.d))
        return of.terms;
    double velocities = 0.0;
    int coupled = c->from_velocities || c->problem->Jt.start;
    for (int64_t i = of.row; coupled && i < of.row + of.count; i++) {
        double sum = terms_from_velocities(c, i);
        if (c->delassus[i] > 0.0)
            velocities = saddle__larger(sum * sqrt(of.d / c->delassus[i]), velocities);
    }
    return of.terms > SADDLE__NEGLIGIBLE_TERM * velocities ? of.terms : velocities;
}

static void note_map(const checker *c, worst *most, natural_map map, unit of, int64_t row)
{
    double root = sqrt(of.d);
    double scale = of.is_kinetic ? c->scale : of.terms / root;
    note_worst(&most->map, &most->row, map.defect, scale * root, row);
    note_worst(&most->local, &most->row_local, map.defect, local_terms(c, of), row);
    raise_to_ratio(&most->outside, map.outside * root, scale);
    raise_to_ratio(&most->work, map.work, scale * scale);
}

/* Of rows without a unit d makes `impulse` as large as the terms, within double precision. */
static unit own_unit(double terms, double impulse)
{
    double d = terms > 0.0 && impulse > 0.0 ? terms / impulse : 1.0;
    return (unit){.d = saddle__clamp(d, DBL_MIN, DBL_MAX), .terms = terms};
}

/* d is the largest of the first `leading` rows, where one has a unit, else of all.  reach: an
 * impulse admitted by the law; 0 = none. */
static inline unit unit_of_rows(const checker *c, int64_t first, int64_t count, int64_t leading,
                                double reach)
{
    unit all = {.row = first, .count = count, .is_kinetic = 1};
    double kinetic = 0.0;
    double terms = 0.0;
    double impulse = 0.0;
    double largest_d = 0.0;
    for (int64_t i = first; i < first + count; i++) {
        double d = c->delassus[i];
        if (i < first + leading) all.d = saddle__larger(d, all.d);
        largest_d = saddle__larger(d, largest_d);
        terms = saddle__larger(c->row_terms[i], terms);
        impulse = saddle__larger(fabs(c->lambda[i]), impulse);
        if (d > 0.0) kinetic = saddle__larger(c->row_terms[i] / sqrt(d), kinetic);
    }
    if (all.d == 0.0) all.d = largest_d;
    if (all.d == 0.0) return own_unit(terms, impulse > 0.0 ? impulse : reach);
    all.terms = kinetic * sqrt(all.d);
    return all;
}

/* A row with bounds: lambda - P(lambda - w/d) is w/d clamped to [lambda - hi, lambda - lo]. */
static void note_row(const checker *c, int64_t i, double lo, double hi, int64_t name, worst *most)
{
    const double lambda = c->lambda[i], w = c->w[i], bound = w > 0.0 ? lo : hi;
    unit of = {
        .row = i, .count = 1, .d = c->delassus[i], .terms = c->row_terms[i], .is_kinetic = 1};
    if (!(of.d > 0.0)) {
        double reach = fabs(isfinite(bound) ? bound : w > 0.0 ? hi : lo);
        of = own_unit(of.terms, fabs(lambda) > 0.0 || !isfinite(reach) ? fabs(lambda) : reach);
    }
    natural_map map = {.outside = fabs(lambda - saddle__clamp(lambda, lo, hi))};
    map.work = isfinite(bound) ? fabs(w) * fabs(lambda - bound) : 0.0;
    map.defect = fabs(saddle__clamp(w, of.d * (lambda - hi), of.d * (lambda - lo)));
    note_map(c, most, map, of, name);
}

static void note_polyhedral_contact(const checker *c, const saddle_contact *contact, worst *most)
{
    int64_t i = contact->row;
    saddle__cone cone = saddle__cone_of(contact);
    note_row(c, i, 0.0, (double)INFINITY, i, most);
    for (int g = 0; g < cone.parts; g++) {
        int64_t first = i + cone.begin[g], end = i + cone.begin[g + 1];
        double radius = cone.mu[g] * saddle__larger(c->lambda[i], 0.0);
        if (c->problem->law == SADDLE_LAW_PYRAMID && end - first == 2) {
            unit of = unit_of_rows(c, first, 2, 2, radius);
            int64_t facets = saddle_problem_facets(c->problem);
            note_map(c, most, polygon_map(radius, facets, c->lambda + first, c->w + first, of.d),
                     of, i);
            continue;
        }
        for (int64_t t = first; t < end; t++) note_row(c, t, -radius, radius, i, most);
    }
}

/* Squares behind Siconos' and FCLIB's figure, over contacts with a cone law. */
typedef struct natural_sums {
    double map, b, lambda, w;
} natural_sums;

static inline double square_of(int64_t size, const double *x)
{
    double sum = 0.0;
    for (int64_t i = 0; i < size; i++) sum += x[i] * x[i];
    return sum;
}

/* Torsion and rolling in the unit of the normal: rows times l, impulses over l and mu_g over l, l
 * the root of d over the part's d.  The law stays the same.  Without d on both sides l = 1. */
static void scale_parts(const checker *c, int64_t row, double d, saddle__cone *cone, double *s,
                        double *lambda)
{
    for (int g = 1; g < cone->parts; g++) {
        double own = 0.0;
        for (int i = cone->begin[g]; i < cone->begin[g + 1]; i++)
            own = saddle__larger(c->delassus[row + i], own);
        if (own == 0.0 || d == 0.0) continue;
        double l = sqrt(d / own);
        cone->mu[g] /= l;
        for (int i = cone->begin[g]; i < cone->begin[g + 1]; i++) {
            s[i] *= l;
            lambda[i] /= l;
        }
    }
}

static inline void note_cone(const checker *c, const saddle_contact *contact, int64_t size,
                             worst *most, natural_sums *sums)
{
    const saddle_problem *p = c->problem;
    int64_t row = contact->row;
    saddle__cone cone = saddle__cone_of(contact);
    double s[ROWS];
    double lambda[ROWS];
    for (int64_t i = 0; i < size; i++) {
        s[i] = c->w[row + i];
        lambda[i] = c->lambda[row + i];
    }
    sums->w += square_of(size, s);
    sums->lambda += square_of(size, lambda);
    if (p->b) sums->b += square_of(size, p->b + row);
    if (p->law == SADDLE_LAW_CONE) s[0] += saddle__cone_shift(&cone, s);
    double natural = cone_defect(&cone, size, lambda, s, 1.0);
    sums->map += natural * natural;
    unit of = unit_of_rows(c, row, size, cone.begin[1], 0.0);
    if (of.is_kinetic) scale_parts(c, row, of.d, &cone, s, lambda);
    note_map(c, most, cone_map(&cone, size, lambda, s, of.d), of, row);
    if (p->law == SADDLE_LAW_CONE || saddle__contact_is_smooth(contact)) /* by its own d: the
                                                                 tangents' may be far larger */
        note_row(c, row, 0.0, (double)INFINITY, row, most);
}

static void share_worst(const checker *c, worst *most)
{
    take_worst(c, SADDLE__ROWS, &most->map, &most->row);
    take_worst(c, SADDLE__ROWS, &most->local, &most->row_local);
    saddle__take_largest(c->parts, 1, &most->outside);
    saddle__take_largest(c->parts, 1, &most->work);
}

static void share_laws(const checker *c, worst *rows, worst *contacts, natural_sums *sums)
{
    double of_all[] = {sums->map, sums->b, sums->lambda, sums->w};
    share_worst(c, rows);
    share_worst(c, contacts);
    c->parts->total(c->parts->user, sizeof of_all / sizeof *of_all, of_all);
    *sums = (natural_sums){of_all[0], of_all[1], of_all[2], of_all[3]};
}

static void measure_laws(const checker *c, saddle_residual *residual)
{
    const saddle_problem *p = c->problem;
    const saddle_contact *contact = p->contacts;
    int cones = p->law == SADDLE_LAW_CONE || p->law == SADDLE_LAW_ASSOCIATED;
    worst rows = {.row = -1, .row_local = -1}, contacts = rows;
    natural_sums sums = {0.0, 0.0, 0.0, 0.0};
    for (int64_t i = c->begin[1], next = 0; i < c->end[1]; i++) {
        if (next == p->contact_count || contact[next].row != i) {
            note_row(c, i, saddle__lo(p, i), saddle__hi(p, i), i, &rows);
            continue;
        }
        if (cones && contact[next].size == 2)
            note_cone(c, &contact[next], 2, &contacts, &sums);
        else if (cones && contact[next].size == 3)
            note_cone(c, &contact[next], 3, &contacts, &sums);
        else if (cones)
            note_cone(c, &contact[next], contact[next].size, &contacts, &sums);
        else
            note_polyhedral_contact(c, &contact[next], &rows);
        i += contact[next++].size - 1;
    }
    if (c->parts) share_laws(c, &rows, &contacts, &sums);
    const worst *local = contacts.local > rows.local ? &contacts : &rows;
    residual->rows = rows.map;
    residual->cone = contacts.map;
    residual->worst_row = contacts.map > rows.map ? contacts.row : rows.row;
    residual->local = local->local;
    residual->worst_local = local->row_local;
    residual->bounds = saddle__larger(rows.outside, contacts.outside);
    residual->complementarity = saddle__larger(rows.work, contacts.work);
    double natural = sqrt(sums.map), most = saddle__larger(sums.lambda, sums.w);
    residual->natural_map_q = ratio(natural, sqrt(sums.b));
    residual->natural_map = ratio(natural, sqrt(saddle__larger(sums.b, most)));
}

/* ---- the linear part ---- */

static void measure_dynamics(const checker *c, saddle_residual *residual)
{
    const double negligible = SADDLE__NEGLIGIBLE_TERM * c->largest_datum;
    for (int64_t j = c->begin[0]; j < c->end[0]; j++) {
        if (fabs(c->defect[j]) <= residual->dynamics * c->terms[j]) continue;
        int small = c->unit[j] > 0.0 && !(c->terms[j] * c->unit[j] > negligible);
        double terms = small ? c->largest_datum / c->unit[j] : c->terms[j];
        note_worst(&residual->dynamics, &residual->worst_velocity, fabs(c->defect[j]), terms, j);
    }
    if (c->parts) take_worst(c, SADDLE__VELOCITIES, &residual->dynamics, &residual->worst_velocity);
}

static void measure_normwise(const checker *c, saddle_residual *residual)
{
    const saddle_problem *p = c->problem;
    double defect = saddle__largest(c->defect, p->n);
    int64_t next = 0; /* contact */
    for (int64_t i = c->begin[1]; i < c->end[1]; i++) {
        int in_contact = saddle__contact_of(p, i, &next) != NULL;
        int is_equality = !in_contact && isinf(saddle__lo(p, i)) && isinf(saddle__hi(p, i));
        if (is_equality) defect = saddle__larger(fabs(c->w[i]), defect);
    }
    double most[] = {defect, c->largest_sum, /* |K| */
                     saddle__larger(saddle__largest(c->v, p->n),
                                    saddle__largest(c->lambda, p->m)), /* |x| */
                     saddle__larger(saddle__largest(p->f, p->n), saddle__largest(p->b, p->m))};
    if (c->parts) saddle__take_largest(c->parts, sizeof most / sizeof *most, most);
    residual->normwise = ratio(most[0], most[1] * most[2] + most[3]);
}

/* In row_data's place, which find_scales has read. */
static void share_terms(checker *c)
{
    const saddle_problem *p = c->problem;
    double *terms = c->row_data;
    for (int64_t i = 0; i < p->m; i++)
        terms[i] = p->n > 0 && p->Jt.start ? terms_from_velocities(c, i) : 0.0;
    saddle__add_parts(c->parts, SADDLE__ROWS, terms);
    c->from_velocities = terms;
}

void saddle_residual_compute(const saddle_problem *problem, const double *v, const double *lambda,
                             double *w, double *work, saddle_residual *residual)
{
    saddle__units units = {0};
    saddle__residual_of_parts(problem, NULL, &units, v, lambda, w, work, residual);
}

void saddle__residual_of_parts(const saddle_problem *problem, const saddle__sums *parts,
                               saddle__units *units, const double *v, const double *lambda,
                               double *w, double *work, saddle_residual *residual)
{
    if (!problem || !residual || ((!v || !work) && problem->n > 0) ||
        ((!lambda || !work) && problem->m > 0))
        return;
    saddle_residual measured = {.worst_velocity = -1, .worst_row = -1, .worst_local = -1};
    checker c = lay_out(problem, v, lambda, parts || !units->known, work);
    c.parts = parts;
    c.largest_sum = units->largest_sum;
    c.has_finite_units = units->are_finite;
    for (int kind = 0; parts && kind < 2; kind++) {
        c.begin[kind] = parts->begin[kind];
        c.end[kind] = parts->end[kind];
    }
    form_products(&c);
    find_scales(&c);
    measure_normwise(&c, &measured);
    if (parts) share_terms(&c);
    measure_dynamics(&c, &measured);
    measure_laws(&c, &measured);
    measured.unitless = (int64_t)c.unitless;
    measured.growth = ratio(c.largest_term, c.largest_datum);
    if (c.own_growth < (double)INFINITY)
        measured.growth = saddle__larger(c.own_growth, measured.growth);
    measured.total = saddle__larger(measured.dynamics,
                                    saddle__larger(measured.rows, measured.cone));
    if (!c.is_finite) measured.total = (double)INFINITY;
    if (w && problem->m > 0) memcpy(w, c.w, (size_t)problem->m * sizeof *w);
    *units = (saddle__units){!parts, c.has_finite_units, c.largest_sum};
    *residual = measured;
}

/* growth * total of a solved answer at most. */
static double allowed_error(double tolerance)
{
    return SADDLE__USUAL_GROWTH * saddle__larger(tolerance, SADDLE__CONTRADICTION);
}

/* growth * total over what is allowed (saddle_residual_is_overgrown): 0 = growth hides nothing,
 * above 1 = overgrown. */
static double overgrowth(const saddle_residual *residual, double tolerance)
{
    if (residual->growth > SADDLE__HOPELESS_GROWTH) return (double)INFINITY;
    if (residual->growth <= SADDLE__USUAL_GROWTH || residual->total <= SADDLE__ROUNDING) return 0.0;
    return residual->growth * residual->total / allowed_error(tolerance);
}

int saddle__error_is_doubtful(const saddle_residual *residual, double tolerance)
{
    return residual->total <= SADDLE__ROUNDING &&
           residual->growth * SADDLE__ROUNDING > allowed_error(tolerance);
}

int saddle__proof_stands(const saddle_proof *proof, double tolerance)
{
    return proof->kind != SADDLE_PROOF_NONE && proof->gap >= allowed_error(tolerance);
}

int saddle_residual_is_overgrown(const saddle_residual *residual, double tolerance)
{
    if (!residual) return 0;
    return overgrowth(residual, tolerance) > 1.0;
}

double saddle__error_of(const saddle_residual *residual, double tolerance)
{
    double hidden = overgrowth(residual, tolerance);
    if (isinf(hidden)) return saddle__larger(residual->total, 1.0);
    return saddle__larger(residual->total, hidden * tolerance);
}

int saddle_residual_is_solved(const saddle_residual *residual, double tolerance)
{
    return residual && residual->total <= tolerance && !(overgrowth(residual, tolerance) > 1.0);
}

/* ---- solutions from elsewhere ---- */

static double error_of_w(const checker *c, const double *w)
{
    double in_unit = 0.0;
    double unitless = 0.0;
    for (int64_t i = 0; i < c->problem->m; i++) {
        double error = fabs(w[i] - c->w[i]);
        if (c->delassus[i] > 0.0)
            in_unit = saddle__larger(error / sqrt(c->delassus[i]), in_unit);
        else
            unitless = saddle__larger(ratio(error, saddle__larger(c->row_terms[i], fabs(c->w[i]))),
                                      unitless);
    }
    if (!c->is_finite || !saddle__is_finite(w, c->problem->m)) return (double)INFINITY;
    return saddle__larger(ratio(in_unit, c->scale), unitless);
}

saddle_status saddle_solution_check(saddle_context *context, const saddle_problem *problem,
                                    const saddle_solution *solution, saddle_residual *residual,
                                    double *w_error)
{
    SADDLE__RETURN_UNLESS(context, problem && solution && residual,
                          "problem, solution or residual is NULL");
    saddle_status status = saddle__solution_check_size(context, problem, solution, "solution",
                                                       w_error != NULL);
    if (status != SADDLE_OK) return status;
    double *work = saddle_allocate(context, saddle_residual_work_size(problem), sizeof *work);
    if (!work) return SADDLE_OUT_OF_MEMORY;
    saddle_residual_compute(problem, solution->v, solution->lambda, NULL, work, residual);
    if (w_error) {
        checker c = lay_out(problem, solution->v, solution->lambda, 1, work);
        form_products(&c);
        find_scales(&c);
        *w_error = error_of_w(&c, solution->w);
    }
    saddle_release(context, work);
    return SADDLE_OK;
}
