/* SPDX-License-Identifier: MIT */
/* The basis for a sparse symmetric W without tangents: the engine factors W_FF, either alone or
 * with the other rows masked in W's pattern (ldlt/part.h).  A change of F costs a numeric
 * factorization and, where rows are factored alone, an analysis of their few entries. */
#include <string.h>

#include "base/layout.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "ldlt/part.h"
#include "matrix/full_csr.h"
#include "mlcp/pivoting.h"

/* Rows of a patch.  Frictionless heaps of 20,000 discs take 19 steps with patches of 48, 13 with
 * 96, 12 with 128 or 192. */
enum { PATCH = 128 };

/* The patch in hand: at most PATCH rows. */
typedef struct patch {
    signed char *pending;   /* m: violating rows without a patch so far */
    int32_t *slot;          /* m: of a row in the patch, -1 = outside */
    int64_t *row;           /* in the order reached */
    saddle__mlcp_rows rows; /* q: with W_PO lambda_O */
    double *terms;          /* moduli of the terms of q */
    saddle__pivoting pivoting;
    int64_t count;     /* basic rows */
    int64_t *basic;    /* their slots */
    int64_t *number;   /* of a slot among the basic rows */
    int64_t *first;    /* of each row of L: first column of the envelope */
    double *L, *pivot; /* L D L' of the basic rows, PATCH x PATCH by rows */
    double *x;
} patch;

typedef struct sparse_basis {
    saddle_context *context;
    saddle__layout layout;
    int64_t m;
    saddle__mlcp_rows *rows;
    int64_t made;            /* factorizations since create */
    saddle__full_csr beside; /* W beside its diagonal */
    double *own;             /* m: W_ii */
    double *diagonal;        /* m: W_ii + E_ii */
    double *x;               /* m */
    saddle__part *part;      /* W_FF */
    signed char *basic;      /* m: F of the factor at hand */
    int factored;
    patch patch;
} sparse_basis;

static void clear(void *user)
{
    sparse_basis *s = user;
    saddle_context *context = s->context;
    saddle__layout_clear(context, &s->beside.layout);
    saddle__part_free(s->part);
    saddle__layout_clear(context, &s->patch.pivoting.layout);
    saddle__layout_clear(context, &s->layout);
    saddle_release(context, s);
}

static void refresh(void *user, const saddle_matrix *W)
{
    sparse_basis *s = user;
    if (W) saddle_matrix_diagonal(W, s->own);
    if (W) saddle__full_csr_set(&s->beside, W);
    for (int64_t i = 0; i < s->m; i++) s->diagonal[i] = s->own[i] + s->rows->E[i];
    s->factored = 0;
}

static void relax(const sparse_basis *s, int64_t i)
{
    saddle__mlcp_rows *rows = s->rows;
    if (rows->step[i] == 0.0) return;
    double others = saddle__full_csr_row_times(&s->beside, i, rows->lambda);
    double x = -(rows->q[i] + others) * s->x[i];
    rows->lambda[i] = saddle__clamp(x, rows->lo[i], rows->hi[i]);
}

/* Down and up. */
static void sweep(void *user, int sweeps)
{
    sparse_basis *s = user;
    for (int64_t i = 0; i < s->m; i++)
        s->x[i] = s->rows->step[i] != 0.0 ? 1.0 / s->diagonal[i] : 0.0; /* of a row of zeros: 0 */
    for (int k = 0; k < sweeps; k++) {
        for (int64_t i = 0; i < s->m; i++) relax(s, i);
        for (int64_t i = s->m; i-- > 0;) relax(s, i);
    }
}

static saddle_status enter(void *user, const signed char *state)
{
    sparse_basis *s = user;
    int same = s->factored;
    for (int64_t i = 0; i < s->m; i++) {
        signed char basic = state[i] == SADDLE__BASIC;
        same &= basic == s->basic[i];
        s->basic[i] = basic;
    }
    if (same) return SADDLE_OK;
    saddle__pivot_rule rule = {.scale = s->rows->size,
                               .smallest = SADDLE__SINGULAR_PIVOT,
                               .replacement = SADDLE__PIVOT_REPLACEMENT};
    saddle__part_values W = {.beside = &s->beside, .diagonal = s->diagonal};
    saddle_status status = saddle__part_factor(s->part, &W, s->basic, &rule);
    s->factored = status == SADDLE_OK;
    s->made++;
    return status;
}

/* w_F = q_F + W_FB lambda_B */
static void add_held(sparse_basis *s, const double *q, const double *lambda, double *w)
{
    for (int64_t i = 0; i < s->m; i++) s->x[i] = s->basic[i] ? 0.0 : lambda[i];
    for (int64_t i = 0; i < s->m; i++)
        if (s->basic[i]) w[i] = q[i] + saddle__full_csr_row_times(&s->beside, i, s->x);
}

static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    sparse_basis *s = user;
    int64_t held = 0;
    (void)state; /* s->basic */
    for (int64_t i = 0; i < s->m; i++) held += !s->basic[i] & (lambda[i] != 0.0);
    if (held > 0) add_held(s, q, lambda, w);
    if (!saddle__part_solve(s->part, s->basic, -1.0, held > 0 ? w : q, lambda))
        return SADDLE_NOT_CONVERGED;
    for (int64_t i = 0; i < s->m; i++) {
        double modulus;
        saddle__full_csr_expect(&s->beside, i);
        double own = s->diagonal[i] * lambda[i];
        w[i] = q[i] + (own + saddle__full_csr_row_times_both(&s->beside, i, lambda, &modulus));
        noise[i] = SADDLE__SUM_ROUNDING * (fabs(q[i]) + fabs(own) + modulus);
    }
    return SADDLE_OK;
}

/* ---- local pivoting ---- */

/* Local pivoting: the states near few violating rows, after a block step on a large sparse W.
 *
 * Late in a run the violating rows lie in clusters far from each other.  A step over all rows costs
 * the same for any number of them, and the line search shortens it to what the worst cluster
 * allows.  Hence the rows around each violating row, its patch, are solved by themselves first, the
 * impulses outside held, one patch after the other:
 *
 *     w_P = (W + E)_PP lambda_P + q_P + W_PO lambda_O,   lo <= lambda_P <= hi      P the patch
 *                                                                                  O the others
 *
 * by block pivoting (pivoting.h).  W_FF of the basic rows F of a patch is
 * factored in an envelope, in the order in which the rows were reached: first neighbours, then
 * their neighbours.  States are taken from the half of the patch reached first; the other half only
 * carries the force that would else be missing (restricted additive Schwarz method: Cai and Sarkis,
 * SIAM J. Sci. Comput. 21, 1999).
 *
 * Guaranteed: nothing but another guess of the states, in bounded time.  The next step over all
 * rows is exact, and the caller stops asking where the number of violating rows stays the same. */

/* Row a of L: the entries of W_FF beside the diagonal, the envelope beginning with the first. */
static void gather_row(sparse_basis *s, int64_t a, const signed char *state)
{
    patch *p = &s->patch;
    int64_t i = p->row[p->basic[a]];
    double *row = p->L + a * PATCH;
    p->first[a] = a;
    for (int64_t b = 0; b < a; b++) row[b] = 0.0;
    for (int64_t k = s->beside.start[i]; k < s->beside.start[i + 1]; k++) {
        int64_t at = p->slot[s->beside.column[k]];
        if (at < 0 || at >= p->basic[a] || state[at] != SADDLE__BASIC) continue;
        row[p->number[at]] = s->beside.value[k];
        if (p->number[at] < p->first[a]) p->first[a] = p->number[at];
    }
}

/* Row a of L D L'.  Returns the pivot. */
static double factor_row(sparse_basis *s, int64_t a)
{
    patch *p = &s->patch;
    double *row = p->L + a * PATCH;
    double pivot = s->diagonal[p->row[p->basic[a]]];
    for (int64_t b = p->first[a]; b < a; b++) {
        const double *above = p->L + b * PATCH;
        int64_t c = p->first[a] > p->first[b] ? p->first[a] : p->first[b];
        for (; c < b; c++) row[b] -= above[c] * row[c];
    }
    for (int64_t b = p->first[a]; b < a; b++) {
        double x = row[b];
        row[b] = x / p->pivot[b];
        pivot -= x * row[b];
    }
    return pivot;
}

static saddle_status enter_patch(void *user, const signed char *state)
{
    sparse_basis *s = user;
    patch *p = &s->patch;
    p->count = 0;
    for (int64_t f = 0; f < p->rows.count; f++) {
        if (state[f] != SADDLE__BASIC) continue;
        int64_t a = p->count++;
        p->basic[a] = f;
        p->number[f] = a;
        gather_row(s, a, state);
        p->pivot[a] = factor_row(s, a);
        if (!(p->pivot[a] > 0.0)) return SADDLE_NOT_CONVERGED;
    }
    return SADDLE_OK;
}

/* w = q + (W + E) lambda within the patch; noise: rounding of w. */
static void multiply(const sparse_basis *s, const double *q, const double *lambda, double *w,
                     double *noise)
{
    const patch *p = &s->patch;
    for (int64_t f = 0; f < p->rows.count; f++) {
        int64_t i = p->row[f];
        double sum = s->diagonal[i] * lambda[f];
        double moduli = p->terms[f] + fabs(sum);
        for (int64_t k = s->beside.start[i]; k < s->beside.start[i + 1]; k++) {
            int32_t at = p->slot[s->beside.column[k]];
            if (at < 0) continue;
            sum += s->beside.value[k] * lambda[at];
            moduli += fabs(s->beside.value[k] * lambda[at]);
        }
        w[f] = q[f] + sum;
        noise[f] = SADDLE__SUM_ROUNDING * moduli;
    }
}

/* lambda_F -= W_FF^-1 w_F */
static saddle_status solve_basic(void *user, const signed char *state, const double *q,
                                 double *lambda, double *w, double *noise)
{
    sparse_basis *s = user;
    patch *p = &s->patch;
    (void)state; /* p->basic */
    multiply(s, q, lambda, w, noise);
    for (int64_t a = 0; a < p->count; a++) {
        p->x[a] = -w[p->basic[a]];
        for (int64_t b = p->first[a]; b < a; b++) p->x[a] -= p->L[a * PATCH + b] * p->x[b];
    }
    for (int64_t a = 0; a < p->count; a++) p->x[a] /= p->pivot[a];
    for (int64_t a = p->count; a-- > 0;) {
        for (int64_t b = p->first[a]; b < a; b++) p->x[b] -= p->L[a * PATCH + b] * p->x[a];
        lambda[p->basic[a]] += p->x[a];
    }
    multiply(s, q, lambda, w, noise);
    return SADDLE_OK;
}

/* ---- patches ---- */

/* The rows reached first from `centre`. */
static void reach(sparse_basis *s, int64_t centre)
{
    patch *p = &s->patch;
    int64_t count = 1;
    p->row[0] = centre;
    p->slot[centre] = 0;
    for (int64_t f = 0; f < count; f++) {
        int64_t k = s->beside.start[p->row[f]];
        for (; count < PATCH && k < s->beside.start[p->row[f] + 1]; k++) {
            int64_t j = s->beside.column[k];
            if (p->slot[j] >= 0) continue;
            p->slot[j] = (int32_t)count;
            p->row[count++] = j;
        }
    }
    p->rows.count = count;
}

static void read_rows(sparse_basis *s)
{
    patch *p = &s->patch;
    const saddle__mlcp_rows *rows = s->rows;
    for (int64_t f = 0; f < p->rows.count; f++) {
        int64_t i = p->row[f];
        p->rows.lo[f] = rows->lo[i];
        p->rows.hi[f] = rows->hi[i];
        p->rows.step[f] = rows->step[i];
        p->rows.lambda[f] = rows->lambda[i];
        p->rows.q[f] = rows->q[i];
        p->terms[f] = fabs(rows->q[i]);
        for (int64_t k = s->beside.start[i]; k < s->beside.start[i + 1]; k++) {
            int64_t j = s->beside.column[k];
            if (p->slot[j] >= 0) continue;
            p->rows.q[f] += s->beside.value[k] * rows->lambda[j];
            p->terms[f] += fabs(s->beside.value[k] * rows->lambda[j]);
        }
    }
}

static void solve_patch(sparse_basis *s, int64_t centre, signed char *state)
{
    patch *p = &s->patch;
    saddle__basis basis = {.user = s, .enter = enter_patch, .solve = solve_basic};
    const saddle__pivoting_way way = {.most_singles = PATCH};
    reach(s, centre);
    read_rows(s);
    saddle__pivoting_begin(&p->pivoting, p->rows.count, 0);
    int solved = saddle__pivoting_run(&p->pivoting, &basis, &p->rows, &way, NULL) == SADDLE_OK;
    for (int64_t f = 0; f < p->rows.count; f++) {
        int64_t i = p->row[f];
        p->slot[i] = -1;
        if (2 * f >= p->rows.count) continue;
        p->pending[i] = 0;
        if (!solved) continue;
        state[i] = p->pivoting.state[f];
        s->rows->lambda[i] = p->rows.lambda[f];
    }
}

static void settle(void *user, const int64_t *broken, int64_t count, signed char *state)
{
    sparse_basis *s = user;
    for (int64_t k = 0; k < count; k++) s->patch.pending[broken[k]] = 1;
    for (int64_t k = 0; k < count; k++)
        if (s->patch.pending[broken[k]]) solve_patch(s, broken[k], state);
}

saddle_status saddle__sparse_basis_create(saddle_context *context, const saddle_matrix *W,
                                          saddle__mlcp_rows *rows, const saddle_options *options,
                                          saddle__basis *basis)
{
    sparse_basis *s = saddle_allocate(context, 1, sizeof *s);
    if (!s) return SADDLE_OUT_OF_MEMORY;
    const int64_t m = W->cols;
    patch *p = &s->patch;
    const saddle__array arrays[] = {SADDLE__ARRAY(s->own, m),
                                    SADDLE__ARRAY(s->diagonal, m),
                                    SADDLE__ARRAY(s->x, m),
                                    SADDLE__ARRAY(s->basic, m),
                                    SADDLE__ARRAY(p->pending, m),
                                    SADDLE__ARRAY(p->slot, m),
                                    SADDLE__ARRAY(p->rows.lo, PATCH),
                                    SADDLE__ARRAY(p->rows.hi, PATCH),
                                    SADDLE__ARRAY(p->rows.q, PATCH),
                                    SADDLE__ARRAY(p->rows.step, PATCH),
                                    SADDLE__ARRAY(p->rows.lambda, PATCH),
                                    SADDLE__ARRAY(p->terms, PATCH),
                                    SADDLE__ARRAY(p->pivot, PATCH),
                                    SADDLE__ARRAY(p->x, PATCH),
                                    SADDLE__ARRAY(p->row, PATCH),
                                    SADDLE__ARRAY(p->basic, PATCH),
                                    SADDLE__ARRAY(p->number, PATCH),
                                    SADDLE__ARRAY(p->first, PATCH),
                                    SADDLE__ARRAY(p->L, PATCH * PATCH)};
    *s = (sparse_basis){.context = context, .m = m, .rows = rows};
    *basis = (saddle__basis){.user = s,
                             .enter = enter,
                             .solve = solve,
                             .refresh = refresh,
                             .sweep = sweep,
                             .settle = settle,
                             .made = &s->made,
                             .clear = clear};
    saddle_status status = saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
    for (int64_t i = 0; status == SADDLE_OK && i < m; i++) p->slot[i] = -1;
    if (status == SADDLE_OK) status = saddle__full_csr_create(context, W, &s->beside);
    if (status == SADDLE_OK) status = saddle__pivoting_create(context, PATCH, 0, &p->pivoting);
    saddle__ldlt_request request = {.ordering = options->ordering, .threads = options->threads};
    return status == SADDLE_OK ? saddle__part_create(context, W, &request, &s->part) : status;
}
