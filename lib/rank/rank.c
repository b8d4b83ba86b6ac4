/* SPDX-License-Identifier: MIT */
/* The rank report: the dependencies among the rows of [J R].
 *
 *     rows in natural units -> elimination -> relations in the rows' own order -> shorter relations
 *
 * Whether the right-hand sides of a dependency agree:
 *
 *     gap = b_i - sum_k c_k b_k,
 *         a contradiction where  |gap| > tolerance (|b_i| + sum_k |c_k b_k|)
 *                                   and  |gap| > rounding V (s_i + sum_k |c_k| s_k)
 *
 * s_i the row's length in natural units and V the largest velocity in the right-hand sides,
 * max |b_k| / s_k and max |f_j| / |M_jj|^1/2: rounding in the right-hand sides of moving
 * bodies is no contradiction.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/layout.h"
#include "base/tolerances.h"
#include "base/unset.h"
#include "base/vector.h"
#include "matrix/twofold.h"
#include "problem/verdict.h"
#include "rank/rank_internal.h"

typedef struct scaled_rows {
    saddle_context *context;
    int64_t count;         /* rows examined */
    int64_t *row;          /* count: ascending */
    double *length;        /* count: > 0 */
    saddle_matrix Bt;      /* (n + m) x count */
    double *unit;          /* n: of the velocities */
    double *part;          /* m: lengths of the rows of J */
    signed char *equality; /* m: 1 if row i is an equality, 0 if it has bounds or is a contact's */
} scaled_rows;

enum { NAME_SIZE = 160, TERM_SIZE = 224, TAIL_SIZE = 48 };

saddle_rank_options saddle_rank_options_default(void)
{
    return (saddle_rank_options){.tolerance = SADDLE__DEPENDENT};
}

void saddle_rank_clear(saddle_rank *rank)
{
    if (!rank) return;
    saddle__release_all(rank->context, rank->independent, rank->dependency, rank->others,
                        rank->factors);
    *rank = (saddle_rank){0};
}

/* ---- the rows examined, in natural units ---- */

static int64_t first_entry(const saddle_matrix *A, int64_t column)
{
    return A->start && column <= A->cols ? A->start[column] : 0;
}

static void find_equalities(const saddle_problem *problem, signed char *equality)
{
    for (int64_t i = 0; i < problem->m; i++)
        equality[i] = saddle_problem_bound_kind(problem, i) == SADDLE_ROW_EQUALITY;
    for (int64_t c = 0; c < problem->contact_count; c++)
        for (int64_t t = 0; t < problem->contacts[c].size; t++)
            equality[problem->contacts[c].row + t] = 0;
}

/* Row i of R as column i of Rt. */
static saddle_status rows_of_compliance(saddle_context *context, const saddle_problem *problem,
                                        int ignored, saddle_matrix *Rt)
{
    const saddle_matrix *R = &problem->R;
    if (ignored || saddle_matrix_entries(R) == 0) return SADDLE_OK;
    return R->symmetry == SADDLE_SYMMETRY_LOWER ? saddle_matrix_expand(context, R, Rt)
                                                : saddle_matrix_transpose(context, R, Rt);
}

/* The length of row i of R: |R_ii|^1/2, or by the largest entry if R_ii is 0; 1 for a row of
 * zeros. */
static double compliance_length(const saddle_matrix *Rt, int64_t i)
{
    double diagonal = 0.0;
    double most = 0.0;
    for (int64_t p = first_entry(Rt, i); p < first_entry(Rt, i + 1); p++) {
        most = fmax(most, fabs(Rt->value[p]));
        if (Rt->index[p] == i) diagonal = fabs(Rt->value[p]);
    }
    if (most == 0.0) return 1.0;
    return sqrt(diagonal > 0.0 ? diagonal : most);
}

/* Appends row i of the problem to Bt; the columns of R are not yet scaled.  most (m): the largest
 * entry of each column of R so far. */
static void append_row(scaled_rows *s, const saddle_problem *problem, const saddle_matrix *Rt,
                       int64_t i, double *most)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t k = s->count++;
    int64_t at = s->Bt.start[k];
    s->row[k] = i;
    s->length[k] = s->part[i] > 0.0 ? s->part[i] : compliance_length(Rt, i);
    for (int64_t p = first_entry(Jt, i); p < first_entry(Jt, i + 1); p++) {
        if (Jt->value[p] == 0.0) continue;
        s->Bt.index[at] = Jt->index[p];
        s->Bt.value[at++] = Jt->value[p] * s->unit[Jt->index[p]] / s->length[k];
    }
    for (int64_t p = first_entry(Rt, i); p < first_entry(Rt, i + 1); p++) {
        if (Rt->value[p] == 0.0) continue;
        s->Bt.index[at] = problem->n + Rt->index[p];
        s->Bt.value[at] = Rt->value[p] / s->length[k];
        most[Rt->index[p]] = fmax(most[Rt->index[p]], fabs(s->Bt.value[at++]));
    }
    s->Bt.start[k + 1] = at;
}

static saddle_status scale_compliance(scaled_rows *s, int64_t n, const double *most)
{
    for (int64_t k = 0; k < s->count; k++) {
        int64_t from = s->Bt.start[k];
        int64_t to = s->Bt.start[k + 1];
        for (int64_t p = from; p < to; p++)
            if (s->Bt.index[p] >= n) s->Bt.value[p] /= most[s->Bt.index[p] - n];
        if (!saddle__is_finite(s->Bt.value + from, to - from))
            return saddle_fail_at(
                s->context, (saddle_place){.kind = SADDLE_PLACE_ROW, .index = s->row[k]},
                saddle_fail(s->context, SADDLE_INVALID_PROBLEM,
                            "rank: row %lld: an entry overflows in the natural unit of the row",
                            (long long)s->row[k] + 1));
    }
    return SADDLE_OK;
}

static saddle_status scale_rows(scaled_rows *s, const saddle_problem *problem, int all_rows,
                                const saddle_matrix *Rt)
{
    int64_t m = problem->m;
    double *most = saddle_allocate(s->context, m, sizeof *most);
    if (!most) return SADDLE_OUT_OF_MEMORY;
    saddle__unit_lengths(problem, s->unit, s->part);
    find_equalities(problem, s->equality);
    for (int64_t i = 0; i < m; i++)
        if (all_rows || s->equality[i]) append_row(s, problem, Rt, i, most);
    saddle_status status = scale_compliance(s, problem->n, most);
    saddle_release(s->context, most);
    return status;
}

/* s: half-built on failure, to be cleared in any case. */
static saddle_status scaled_rows_create(saddle_context *context, const saddle_problem *problem,
                                        const saddle_rank_options *options, scaled_rows *s)
{
    int64_t m = problem->m;
    saddle_matrix Rt = {0};
    *s = (scaled_rows){.context = context};
    if (problem->n > INT64_MAX - 1 - m)
        return saddle_fail(context, SADDLE_TOO_LARGE, "rank: n + m overflows");
    s->row = saddle_allocate(context, m, sizeof *s->row);
    s->length = saddle_allocate(context, m, sizeof *s->length);
    s->unit = saddle_allocate(context, problem->n, sizeof *s->unit);
    s->part = saddle_allocate(context, m, sizeof *s->part);
    s->equality = saddle_allocate(context, m, sizeof *s->equality);
    if (!s->row || !s->length || !s->unit || !s->part || !s->equality) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = rows_of_compliance(context, problem, options->ignore_compliance, &Rt);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, problem->n + m, m,
                                      saddle_matrix_entries(&problem->Jt) +
                                          saddle_matrix_entries(&Rt),
                                      SADDLE_SYMMETRY_NONE, &s->Bt);
    if (status == SADDLE_OK) status = scale_rows(s, problem, options->all_rows, &Rt);
    s->Bt.cols = s->count;
    saddle_matrix_clear(&Rt);
    return status;
}

/* ---- relations: their order and their length ----
 *
 * Order.  Relations of an elimination in another order are replaced by as many, each named by the
 * last of its rows, all different:
 *
 *     y = e_row - sum_k factor_k e_other,   y'B = 0;   while another z has the same last row l:
 *         y <- y - (y_l / z_l) z
 *
 * The last row of any combination of the y's is then a named row: exactly the rows dependent on
 * rows before are named.  (The reduction of boundary matrices in
 * persistent homology: Edelsbrunner, Letscher and Zomorodian, Discrete Comput. Geom. 28, 2002.)
 * Short relations are reduced first and make the subtracted ones short.
 *
 * Length.  With row b = sum f_k row k and, named before b, row a = sum g_k row k, for any c
 *
 *     row b = c row a + sum (f_k - c g_k) row k
 *
 * holds too; c is the most frequent ratio f_k / g_k, and cancels the most terms.  A local search:
 * for each b the TRIED relations a with the most common terms are tried until no relation helps.  A
 * copy of a dependent row becomes a relation of one term; a shortest relation is not guaranteed.
 */

/* Relations tried for one row, and looked at for each term; terms of a relation at most. */
enum { TRIED = 16, LONGEST = 4096 };

/* ---- the list ---- */

static void clear_relations(saddle__relations *r)
{
    saddle__release_all(r->context, r->row, r->start, r->residual, r->other, r->factor);
    *r = (saddle__relations){.context = r->context};
}

static saddle_status reserve(saddle__relations *r, int64_t entries)
{
    int64_t wanted = r->count + 2; /* start has an end */
    int64_t rows = r->capacity;
    int64_t residuals = r->capacity;
    SADDLE__TRY(saddle__reserve(r->context, &r->row, &rows, wanted, sizeof *r->row));
    SADDLE__TRY(saddle__reserve(r->context, &r->residual, &residuals, wanted, sizeof *r->residual));
    SADDLE__TRY(saddle__reserve(r->context, &r->start, &r->capacity, wanted, sizeof *r->start));
    if (r->count == 0) r->start[0] = 0;
    int64_t needed = r->start[r->count] + entries + 1; /* no NULL for a relation without terms */
    int64_t others = r->entry_capacity;
    SADDLE__TRY(saddle__reserve(r->context, &r->other, &others, needed, sizeof *r->other));
    return saddle__reserve(r->context, &r->factor, &r->entry_capacity, needed, sizeof *r->factor);
}

saddle_status saddle__relations_add(saddle__relations *r, int64_t row, int64_t count,
                                    const int64_t *other, const double *factor, double residual)
{
    SADDLE__TRY(reserve(r, count));
    int64_t at = r->start[r->count];
    for (int64_t k = 0; k < count; k++) {
        r->other[at + k] = other[k];
        r->factor[at + k] = factor[k];
    }
    r->row[r->count] = row;
    r->residual[r->count] = residual;
    r->start[++r->count] = at + count;
    return SADDLE_OK;
}

/* ---- one combination at a time ---- */

typedef struct use {
    int64_t next;     /* older use of the same row; -1 = none */
    int64_t relation; /* uses the row */
} use;

typedef struct place {
    int64_t relation;
    int64_t key; /* length, or row */
} place;

typedef struct workspace {
    saddle_context *context;
    saddle__layout layout;
    const saddle_matrix *Bt;
    double tolerance;
    saddle__relations done; /* relations in their final form */
    double *x;              /* Bt->rows: zero between calls */
    double *y;              /* rows: a combination, dense */
    int64_t terms;          /* rows of the combination: */
    int64_t *other;         /* rows */
    double *factor;         /* rows */

    /* order */
    place *order;        /* relations */
    int64_t *named_by;   /* rows: the relation of done that names the row; -1 = none */
    signed char *listed; /* rows: 1 = in other */

    /* length */
    int64_t *first; /* rows: latest use by relations of done; -1 = none */
    use *use;
    int64_t uses, capacity;
    int64_t *shared;    /* relations: terms in common with the combination */
    int64_t *candidate; /* relations */
    int64_t *trial;     /* rows */
    double *trial_factor, *ratio;
} workspace;

static saddle_status make_arrays(saddle_context *context, workspace *w, int64_t relations)
{
    int64_t rows = w->Bt->cols;
    const saddle__array arrays[] = {
        SADDLE__ARRAY(w->x, w->Bt->rows),    SADDLE__ARRAY(w->y, rows),
        SADDLE__ARRAY(w->other, rows),       SADDLE__ARRAY(w->factor, rows),
        SADDLE__ARRAY(w->order, relations),  SADDLE__ARRAY(w->named_by, rows),
        SADDLE__ARRAY(w->listed, rows),      SADDLE__ARRAY(w->first, rows),
        SADDLE__ARRAY(w->shared, relations), SADDLE__ARRAY(w->candidate, relations),
        SADDLE__ARRAY(w->trial, rows),       SADDLE__ARRAY(w->trial_factor, rows),
        SADDLE__ARRAY(w->ratio, rows)};
    return saddle__layout_make(context, &w->layout, arrays, SADDLE__LENGTH(arrays));
}

static saddle_status begin(workspace *w, const saddle_matrix *Bt, double tolerance,
                           const saddle__relations *relations)
{
    *w = (workspace){.context = relations->context,
                     .Bt = Bt,
                     .tolerance = tolerance,
                     .done.context = relations->context};
    SADDLE__TRY(make_arrays(w->context, w, relations->count));
    for (int64_t k = 0; k < Bt->cols; k++) w->named_by[k] = w->first[k] = -1;
    return SADDLE_OK;
}

/* The relations become those of done if `replaced`. */
static void end(workspace *w, int replaced, saddle__relations *relations)
{
    if (replaced) {
        saddle__relations old = *relations;
        *relations = w->done;
        w->done = old;
    }
    clear_relations(&w->done);
    saddle_release(w->context, w->use);
    saddle__layout_clear(w->context, &w->layout);
}

/* x += factor B_k; returns |factor| |B_k| */
static double add_row(const saddle_matrix *Bt, int64_t k, double factor, double *x)
{
    double sum = 0.0;
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
        x[Bt->index[p]] += factor * Bt->value[p];
        sum += Bt->value[p] * Bt->value[p];
    }
    return fabs(factor) * sqrt(sum);
}

/* The sum of the squares of x at the entries of row k; these entries are set to zero. */
static double take_squares(const saddle_matrix *Bt, int64_t k, double *x)
{
    double sum = 0.0;
    for (int64_t p = Bt->start[k]; p < Bt->start[k + 1]; p++) {
        sum += x[Bt->index[p]] * x[Bt->index[p]];
        x[Bt->index[p]] = 0.0;
    }
    return sum;
}

/* |B_row - sum_k factor_k B_other_k| / (|B_row| + sum_k |factor_k| |B_other_k|); 0 for zero rows,
 * INFINITY if a factor is not finite. */
static double residual_of(workspace *w, int64_t row, int64_t count, const int64_t *other,
                          const double *factor)
{
    double size = add_row(w->Bt, row, 1.0, w->x);
    for (int64_t k = 0; k < count; k++) size += add_row(w->Bt, other[k], -factor[k], w->x);
    double sum = take_squares(w->Bt, row, w->x);
    for (int64_t k = 0; k < count; k++) sum += take_squares(w->Bt, other[k], w->x);
    if (!isfinite(size)) return (double)INFINITY;
    return size > 0.0 ? sqrt(sum) / size : 0.0;
}

/* ---- order ---- */

static int by_key(const void *a, const void *b)
{
    const place *x = a;
    const place *y = b;
    if (x->key != y->key) return x->key < y->key ? -1 : 1;
    return (x->relation > y->relation) - (x->relation < y->relation);
}

/* y_k += change; a difference that cancels is zero. */
static void add(workspace *w, int64_t k, double change)
{
    double sum = w->y[k] + change;
    w->y[k] = fabs(sum) <= SADDLE__EQUAL * fabs(change) ? 0.0 : sum;
    if (w->listed[k]) return;
    w->listed[k] = 1;
    w->other[w->terms++] = k;
}

/* y += scale (e_row - sum factor e_other) */
static void add_relation(workspace *w, const saddle__relations *from, int64_t t, double scale)
{
    add(w, from->row[t], scale);
    for (int64_t k = from->start[t]; k < from->start[t + 1]; k++)
        add(w, from->other[k], -scale * from->factor[k]);
}

/* Removes zeros and rounding from the list of terms and moves the last row to the front.  Returns
 * the last row, -1 without a term; *most: the largest modulus. */
static int64_t last_row(workspace *w, double *most)
{
    int64_t kept = 0;
    *most = 0.0;
    for (int64_t t = 0; t < w->terms; t++) *most = fmax(*most, fabs(w->y[w->other[t]]));
    for (int64_t t = 0; t < w->terms; t++) {
        int64_t k = w->other[t];
        w->listed[k] = fabs(w->y[k]) > SADDLE__NEGLIGIBLE_TERM * *most;
        if (!w->listed[k]) {
            w->y[k] = 0.0;
            continue;
        }
        w->other[kept] = k;
        if (k > w->other[0]) {
            w->other[kept] = w->other[0];
            w->other[0] = k;
        }
        kept++;
    }
    w->terms = kept;
    return kept > 0 ? w->other[0] : -1;
}

/* Appends the combination to done and sets y = 0.  *holds = 0: the relation does not hold to the
 * tolerance, or the factor of the last row may be rounding. */
static saddle_status keep_ordered(workspace *w, double most, int *holds)
{
    int64_t last = w->other[0];
    int64_t terms = w->terms - 1;
    double scale = w->y[last];
    for (int64_t t = 0; t < w->terms; t++) {
        w->factor[t] = -w->y[w->other[t]] / scale;
        w->y[w->other[t]] = 0.0;
        w->listed[w->other[t]] = 0;
    }
    w->terms = 0;
    double residual = residual_of(w, last, terms, w->other + 1, w->factor + 1);
    *holds = residual <= w->tolerance && fabs(scale) >= SADDLE__HALF_DIGITS * most;
    if (!*holds) return SADDLE_OK;
    w->named_by[last] = w->done.count;
    return saddle__relations_add(&w->done, last, terms, w->other + 1, w->factor + 1, residual);
}

static saddle_status reduce(workspace *w, const saddle__relations *found, int64_t t, int *holds)
{
    double most;
    add_relation(w, found, t, 1.0);
    int64_t last = last_row(w, &most);
    while (last >= 0 && w->named_by[last] >= 0) {
        add_relation(w, &w->done, w->named_by[last], -w->y[last]);
        last = last_row(w, &most);
    }
    *holds = last >= 0;
    return last >= 0 ? keep_ordered(w, most, holds) : SADDLE_OK;
}

/* order: the relations by ascending length, or by ascending row. */
static void sort(workspace *w, const saddle__relations *r, int by_length)
{
    for (int64_t t = 0; t < r->count; t++)
        w->order[t] = (place){.relation = t,
                              .key = by_length ? r->start[t + 1] - r->start[t] : r->row[t]};
    if (r->count > 1) qsort(w->order, (size_t)r->count, sizeof *w->order, by_key);
}

/* Replaces the relations by as many, each naming the last of its rows, by ascending row;
 * unchanged if a residual would exceed the tolerance. */
static saddle_status put_in_order(const saddle_matrix *Bt, double tolerance,
                                  saddle__relations *relations)
{
    workspace w;
    saddle__relations sorted = {.context = relations->context};
    const saddle__relations *done = &w.done;
    int holds = 1;
    saddle_status status = begin(&w, Bt, tolerance, relations);
    if (status == SADDLE_OK) sort(&w, relations, 1);
    for (int64_t t = 0; t < relations->count && status == SADDLE_OK && holds; t++)
        status = reduce(&w, relations, w.order[t].relation, &holds);
    if (status == SADDLE_OK) sort(&w, done, 0);
    for (int64_t t = 0; t < done->count && status == SADDLE_OK; t++) {
        int64_t k = w.order[t].relation;
        int64_t from = done->start[k];
        status = saddle__relations_add(&sorted, done->row[k], done->start[k + 1] - from,
                                       done->other + from, done->factor + from, done->residual[k]);
    }
    clear_relations(&w.done);
    w.done = sorted;
    end(&w, status == SADDLE_OK && holds, relations);
    return status;
}

/* ---- length ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The most frequent of the sorted ratios; *times: the number of occurrences. */
static double most_frequent(double *ratio, int64_t count, int64_t *times)
{
    *times = 0;
    double best = 0.0;
    int64_t from = 0;
    qsort(ratio, (size_t)count, sizeof *ratio, ascending);
    for (int64_t t = 0; t < count; t++) {
        while (ratio[t] - ratio[from] > SADDLE__EQUAL * fabs(ratio[t])) from++;
        if (t - from + 1 <= *times) continue;
        *times = t - from + 1;
        best = ratio[from + (t - from) / 2];
    }
    return best;
}

/* y = the combination */
static void scatter(workspace *w)
{
    for (int64_t k = 0; k < w->terms; k++) w->y[w->other[k]] = w->factor[k];
}

static void try_term(workspace *w, int64_t row, double value, double change, int64_t *terms)
{
    w->y[row] = 0.0;
    if (fabs(value) <= SADDLE__EQUAL * fabs(change)) return;
    w->trial[*terms] = row;
    w->trial_factor[(*terms)++] = value;
}

/* trial = y with c (row a - its terms) substituted; y = 0.  Returns the number of terms. */
static int64_t substitute(workspace *w, int64_t a, double c)
{
    const saddle__relations *r = &w->done;
    int64_t terms = 0;
    for (int64_t k = r->start[a]; k < r->start[a + 1]; k++) {
        double change = c * r->factor[k];
        try_term(w, r->other[k], w->y[r->other[k]] - change, change, &terms);
    }
    try_term(w, r->row[a], w->y[r->row[a]] + c, c, &terms);
    for (int64_t k = 0; k < w->terms; k++)
        if (w->y[w->other[k]] != 0.0) try_term(w, w->other[k], w->y[w->other[k]], 0.0, &terms);
    return terms;
}

/* 1 if relation a shortened the combination of row b, held by y before and after.  With `count`
 * common terms, the substitution adds the other terms of a, and row a unless y has it, and cancels
 * at most `count`. */
static int shorten_by(workspace *w, int64_t b, int64_t a)
{
    const saddle__relations *r = &w->done;
    int64_t length = r->start[a + 1] - r->start[a];
    if (length >= 2 * w->terms) return 0;
    int64_t count = 0;
    for (int64_t k = r->start[a]; k < r->start[a + 1]; k++) {
        double f = w->y[r->other[k]];
        if (f != 0.0) w->ratio[count++] = f / r->factor[k];
    }
    int64_t added = length - count + (w->y[r->row[a]] != 0.0 ? -1 : 1);
    if (count <= added) return 0;
    int64_t times;
    double c = most_frequent(w->ratio, count, &times);
    if (times < 2 || times <= added) return 0;
    int64_t terms = substitute(w, a, c);
    int shorter = terms < w->terms &&
                  residual_of(w, b, terms, w->trial, w->trial_factor) <= w->tolerance;
    if (shorter) {
        memcpy(w->other, w->trial, (size_t)terms * sizeof *w->other);
        memcpy(w->factor, w->trial_factor, (size_t)terms * sizeof *w->factor);
        w->terms = terms;
    }
    scatter(w);
    return shorter;
}

/* The relations with terms in common into candidate, the numbers of such terms into shared. */
static int64_t find_candidates(workspace *w)
{
    int64_t count = 0;
    for (int64_t k = 0; k < w->terms; k++) {
        int seen = 0;
        for (int64_t u = w->first[w->other[k]]; u >= 0 && seen < TRIED; u = w->use[u].next) {
            if (w->shared[w->use[u].relation]++ == 0) w->candidate[count++] = w->use[u].relation;
            seen++;
        }
    }
    return count;
}

/* The TRIED candidates with the most terms in common, two or more, into best, by descending number;
 * returns their number. */
static int best_candidates(const workspace *w, int64_t count, int64_t *best)
{
    int kept = 0;
    for (int64_t t = 0; t < count; t++) {
        int64_t a = w->candidate[t];
        if (w->shared[a] < 2 || (kept == TRIED && w->shared[a] <= w->shared[best[kept - 1]]))
            continue;
        int at = kept < TRIED ? kept++ : TRIED - 1;
        for (; at > 0 && w->shared[best[at - 1]] < w->shared[a]; at--) best[at] = best[at - 1];
        best[at] = a;
    }
    return kept;
}

/* 1 if the combination became shorter. */
static int shorten_once(workspace *w, int64_t b)
{
    int64_t best[TRIED];
    int64_t count = find_candidates(w);
    int kept = best_candidates(w, count, best);
    int shorter = 0;
    scatter(w);
    for (int t = 0; t < kept; t++) shorter |= shorten_by(w, b, best[t]);
    for (int64_t k = 0; k < w->terms; k++) w->y[w->other[k]] = 0.0;
    for (int64_t t = 0; t < count; t++) w->shared[w->candidate[t]] = 0;
    return shorter;
}

/* Appends the combination of row b to done. */
static saddle_status keep_shortened(workspace *w, int64_t b)
{
    SADDLE__TRY(
        saddle__reserve(w->context, &w->use, &w->capacity, w->uses + w->terms, sizeof *w->use));
    for (int64_t k = 0; k < w->terms; k++) {
        w->use[w->uses] = (use){.next = w->first[w->other[k]], .relation = w->done.count};
        w->first[w->other[k]] = w->uses++;
    }
    double residual = residual_of(w, b, w->terms, w->other, w->factor);
    return saddle__relations_add(&w->done, b, w->terms, w->other, w->factor, residual);
}

/* Shortens relations by rows that earlier relations name. */
static saddle_status sparsify(const saddle_matrix *Bt, double tolerance,
                              saddle__relations *relations)
{
    workspace w;
    saddle_status status = begin(&w, Bt, tolerance, relations);
    for (int64_t t = 0; t < relations->count && status == SADDLE_OK; t++) {
        int64_t from = relations->start[t];
        w.terms = relations->start[t + 1] - from;
        for (int64_t k = 0; k < w.terms; k++) {
            w.other[k] = relations->other[from + k];
            w.factor[k] = relations->factor[from + k];
        }
        while (w.terms > 1 && w.terms <= LONGEST && shorten_once(&w, relations->row[t])) continue;
        status = keep_shortened(&w, relations->row[t]);
    }
    end(&w, status == SADDLE_OK, relations);
    return status;
}

/* ---- all of it ---- */

static int is_ordered(const saddle__relations *r)
{
    for (int64_t t = 0; t < r->count; t++)
        for (int64_t k = r->start[t]; k < r->start[t + 1]; k++)
            if (r->other[k] > r->row[t]) return 0;
    return 1;
}

/* Replaces the relations by those of the rows' own order, unless the work exceeds the limit. */
static saddle_status eliminate_again(const saddle_matrix *Bt, double tolerance,
                                     saddle__relations *relations)
{
    saddle__elimination own = {.relations.context = relations->context};
    saddle_status status = saddle__rank_eliminate(Bt, tolerance, 1, &own);
    if (own.finished) {
        saddle__relations other = *relations;
        *relations = own.relations;
        own.relations = other;
    }
    clear_relations(&own.relations);
    return status;
}

static saddle_status find_relations(const saddle_matrix *Bt, double tolerance,
                                    saddle__elimination *found)
{
    saddle__relations *relations = &found->relations;
    SADDLE__TRY(saddle__rank_eliminate(Bt, tolerance, 0, found));
    if (!is_ordered(relations)) SADDLE__TRY(put_in_order(Bt, tolerance, relations));
    if (!is_ordered(relations)) { /* short relations round less */
        SADDLE__TRY(sparsify(Bt, tolerance, relations));
        SADDLE__TRY(put_in_order(Bt, tolerance, relations));
    }
    if (!is_ordered(relations)) SADDLE__TRY(eliminate_again(Bt, tolerance, relations));
    if (relations->count > 1 && !found->counting) return sparsify(Bt, tolerance, relations);
    return SADDLE_OK;
}

/* ---- the report ---- */

typedef struct term {
    int64_t row;
    double factor;
} term;

/* Of terms or dependencies, both of which begin with their row. */
static int by_row(const void *a, const void *b)
{
    const int64_t *x = a;
    const int64_t *y = b;
    return (*x > *y) - (*x < *y);
}

/* Relation t as a dependency of rows of the problem, the terms at `other` and `factor`; terms is
 * scratch. */
static saddle_dependency translate(const scaled_rows *s, const saddle__relations *r, int64_t t,
                                   term *terms, int64_t *other, double *factor)
{
    int64_t from = r->start[t];
    int64_t k = r->row[t];
    saddle_dependency d = {.row = s->row[k],
                           .count = r->start[t + 1] - from,
                           .other = other,
                           .factor = factor,
                           .residual = r->residual[t]};
    for (int64_t i = 0; i < d.count; i++) {
        int64_t o = r->other[from + i];
        terms[i].row = s->row[o];
        terms[i].factor = r->factor[from + i] * (s->length[k] / s->length[o]);
    }
    if (d.count > 1) qsort(terms, (size_t)d.count, sizeof *terms, by_row);
    for (int64_t i = 0; i < d.count; i++) {
        other[i] = terms[i].row;
        factor[i] = terms[i].factor;
    }
    return d;
}

static saddle_status write_dependencies(const scaled_rows *s, const saddle__relations *r,
                                        saddle_rank *rank)
{
    int64_t entries = r->count > 0 ? r->start[r->count] : 0;
    rank->dependency = saddle_allocate(s->context, r->count, sizeof *rank->dependency);
    rank->others = saddle_allocate(s->context, entries, sizeof *rank->others);
    rank->factors = saddle_allocate(s->context, entries, sizeof *rank->factors);
    term *terms = saddle_allocate(s->context, s->count, sizeof *terms);
    int complete = rank->dependency && rank->others && rank->factors && terms;
    saddle_status status = complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t t = 0; t < r->count && status == SADDLE_OK; t++) {
        saddle_dependency *d = &rank->dependency[t];
        *d = translate(s, r, t, terms, rank->others + r->start[t], rank->factors + r->start[t]);
        if (!saddle__is_finite(d->factor, d->count))
            status = saddle_fail_at(
                s->context, (saddle_place){.kind = SADDLE_PLACE_ROW, .index = d->row},
                saddle_fail(s->context, SADDLE_INVALID_PROBLEM,
                            "rank: row %lld: the factors of its combination overflow",
                            (long long)d->row + 1));
    }
    if (status == SADDLE_OK && r->count > 1)
        qsort(rank->dependency, (size_t)r->count, sizeof *rank->dependency, by_row);
    saddle_release(s->context, terms);
    return status;
}

static saddle_status write_rank(const scaled_rows *s, const saddle__elimination *found,
                                saddle_rank *rank)
{
    rank->examined = s->count;
    rank->dependency_count = found->relations.count;
    rank->rank = s->count - rank->dependency_count;
    rank->separation = found->separation;
    if (found->counting) return SADDLE_OK;
    SADDLE__TRY(write_dependencies(s, &found->relations, rank));
    rank->ordered = is_ordered(&found->relations);
    rank->independent = saddle_allocate(s->context, rank->rank, sizeof *rank->independent);
    if (!rank->independent) return SADDLE_OUT_OF_MEMORY;
    int64_t dependent = 0;
    int64_t count = 0;
    for (int64_t k = 0; k < s->count; k++) {
        if (dependent < rank->dependency_count && rank->dependency[dependent].row == s->row[k])
            dependent++;
        else
            rank->independent[count++] = s->row[k];
    }
    return SADDLE_OK;
}

/* ---- contradictions ---- */

/* V, from the lengths s of the rows of J; rows of length 0 are left out. */
static double largest_velocity(const saddle_problem *problem, const double *unit, const double *s)
{
    double most = 0.0;
    for (int64_t j = 0; problem->f && j < problem->n; j++)
        most = fmax(most, fabs(problem->f[j]) * unit[j]);
    for (int64_t i = 0; i < problem->m; i++)
        if (s[i] > 0.0) most = fmax(most, fabs(problem->b[i]) / s[i]);
    return most;
}

static void judge(const saddle_problem *problem, const double *s, double velocity, double tolerance,
                  const signed char *equality, saddle_dependency *d)
{
    saddle__twofold sum;
    double floor = s[d->row];
    saddle__twofold_set(1, problem->b ? &problem->b[d->row] : NULL, &sum);
    d->judged = equality[d->row];
    for (int64_t k = 0; k < d->count; k++) {
        double b = problem->b ? problem->b[d->other[k]] : 0.0;
        saddle__twofold_add_dot(1, -1.0, &d->factor[k], &b, &sum);
        floor += fabs(d->factor[k]) * s[d->other[k]];
        d->judged = d->judged && equality[d->other[k]];
    }
    double gap = saddle__twofold_value(sum);
    int known = isfinite(gap) && isfinite(sum.modulus); /* otherwise a product overflowed */
    d->judged = d->judged && known;
    d->gap = known ? gap : 0.0;
    d->relative_gap = known && sum.modulus > 0.0 ? fabs(d->gap) / sum.modulus : 0.0;
    d->inconsistent = d->judged && fabs(d->gap) > tolerance * sum.modulus &&
                      fabs(d->gap) > SADDLE__SUM_ROUNDING * velocity * floor;
}

/* Fills in the gaps of the dependencies and counts the contradictions. */
static void judge_all(const saddle_problem *problem, const scaled_rows *s, double tolerance,
                      saddle_rank *rank)
{
    double velocity = problem->b ? largest_velocity(problem, s->unit, s->part) : 0.0;
    for (int64_t t = 0; t < rank->dependency_count; t++) {
        judge(problem, s->part, velocity, tolerance, s->equality, &rank->dependency[t]);
        rank->inconsistent += rank->dependency[t].inconsistent;
    }
}

/* ---- the interface ---- */

saddle_status saddle_rank_find(saddle_context *context, const saddle_problem *problem,
                               const saddle_rank_options *options, saddle_rank *rank)
{
    if (rank) *rank = (saddle_rank){0};
    SADDLE__RETURN_UNLESS(context, problem && rank, "problem or rank is NULL");
    saddle_rank_options given = options ? *options : saddle_rank_options_default();
    *rank = (saddle_rank){.context = context, .compliance_ignored = given.ignore_compliance};
    if (!(given.tolerance > 0.0 && given.tolerance < 1.0))
        return saddle_fail(
            context, SADDLE_INVALID_ARGUMENT,
            "rank: the tolerance is %g, not in (0, 1): start from saddle_rank_options_default()",
            given.tolerance);
    scaled_rows scaled;
    saddle__elimination found = {.relations.context = context, .counting = given.count_only};
    saddle_status status = scaled_rows_create(context, problem, &given, &scaled);
    if (status == SADDLE_OK) status = find_relations(&scaled.Bt, given.tolerance, &found);
    if (status == SADDLE_OK) status = write_rank(&scaled, &found, rank);
    if (status == SADDLE_OK && !given.count_only)
        judge_all(problem, &scaled, given.tolerance, rank);
    clear_relations(&found.relations);
    saddle__release_all(context, scaled.row, scaled.length, scaled.unit, scaled.part,
                        scaled.equality);
    saddle_matrix_clear(&scaled.Bt);
    if (status != SADDLE_OK) saddle_rank_clear(rank);
    return status;
}

/* ---- in words ---- */

/* The factor and sign before term k: "2 x ", " - ", "" for a plain row. */
static void write_factor(double factor, int first, char *text, size_t size)
{
    const char *sign = first ? (factor < 0.0 ? "-" : "") : (factor < 0.0 ? " - " : " + ");
    double modulus = fabs(factor);
    if (fabs(modulus - 1.0) <= SADDLE__EQUAL)
        (void)snprintf(text, size, "%s", sign);
    else
        (void)snprintf(text, size, "%s%.6g x ", sign, modulus);
}

void saddle_rank_describe(const saddle_problem *problem, const saddle_dependency *d, int64_t terms,
                          char *text, size_t size)
{
    if (!problem || !d || !text) return;
    char name[NAME_SIZE];
    char words[TERM_SIZE];
    if (size == 0) return;
    saddle_problem_describe_row(problem, d->row, name, sizeof name);
    int used = snprintf(text, size, "%s = %s", name, d->count == 0 ? "0" : "");
    int64_t limit = terms > 0 && terms < d->count ? terms : d->count;
    for (int64_t k = 0; k < d->count && used >= 0 && (size_t)used < size; k++) {
        char factor[TAIL_SIZE];
        char tail[TAIL_SIZE];
        write_factor(d->factor[k], k == 0, factor, sizeof factor);
        saddle_problem_describe_row(problem, d->other[k], name, sizeof name);
        (void)snprintf(words, sizeof words, "%s%s", factor, name);
        (void)snprintf(tail, sizeof tail, " and %lld other%s", (long long)(d->count - k),
                       d->count - k == 1 ? "" : "s");
        size_t last = k + 1 < d->count ? strlen(tail) : 0;
        int fits = (size_t)used + strlen(words) + last < size;
        used += snprintf(text + used, size - (size_t)used, "%s", k < limit && fits ? words : tail);
        if (k >= limit || !fits) break;
    }
}
