/* SPDX-License-Identifier: MIT */
/* The Delassus operator by a factorization of M.
 *
 *     M, R symmetric              W = J M^-1 J' + R by the engine, or block by block; or, shared by
 *                                 processes, -W = the Schur complement of the rows
 *     R general, M symmetric      S = J M^-1 J' by the engine, W = S + R
 *     M general                   M = L U with pivoting; column i of W:
 *                                 x = M^-1 J_i',  W_ki = J_k x + R_ki
 *     an operator for M           the same columns, below the diagonal where R is symmetric; or
 *                                 W = Z'Z + R, Z = L^-1 J', where the operator has M = L L',
 *                                 or all columns by the operator
 *
 * All in the pattern of a symmetric problem with M + M' and R + R': W has an entry for two rows on
 * one connected component of M.  n = 0: W = R, no factor.
 */
#include "factor/complement.h"

#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "base/unset.h"
#include "dense/lapack.h"
#include "factor/factorization_internal.h"
#include "matrix/matrix_internal.h"

enum { NAME_SIZE = 160 };

void saddle__complement_clear(saddle__complement *s)
{
    saddle__ldlt_complement_free(s->rows);
    saddle__ldlt_free(s->mass);
    saddle__blocks_free(s->blocks);
    saddle_matrix_clear(&s->W);
    saddle__release_all(s->context, s->mass_diagonal, s->mass_scale);
    saddle__factorization_free(s->pivoted);
    saddle__factorization_free(s->shared);
    saddle__kkt_clear(&s->kkt);
    saddle_release(s->context, s->whole);
    saddle_matrix_clear(&s->S);
    saddle_matrix_clear(&s->compliance);
    saddle__release_all(s->context, s->velocity, s->next, s->half);
    *s = (saddle__complement){0};
}

/* ---- a general M or R ---- */

/* The lower triangle of the pattern of A + A', its values zero. */
static saddle_status symmetrize(saddle_context *context, const saddle_matrix *A,
                                saddle_matrix *lower)
{
    saddle_matrix turned = {0};
    saddle_matrix sum = {0};
    saddle_status status = saddle_matrix_transpose(context, A, &turned);
    if (status == SADDLE_OK) status = saddle_matrix_add(context, 0.0, A, 0.0, &turned, &sum);
    if (status == SADDLE_OK) status = saddle_matrix_lower(context, &sum, lower);
    saddle_matrix_clear(&turned);
    saddle_matrix_clear(&sum);
    return status;
}

static saddle_status analyse_general(saddle__complement *s, const saddle_problem *problem,
                                     const saddle__ldlt_complement_request *request)
{
    if (saddle_matrix_entries(&problem->R) > 0)
        SADDLE__TRY(symmetrize(s->context, &problem->R, &s->compliance));
    s->next = saddle_allocate(s->context, s->m, sizeof *s->next);
    if (!s->next) return SADDLE_OUT_OF_MEMORY;
    SADDLE__TRY(saddle__ldlt_complement_analyse(s->context, s->mass, &problem->Jt, &s->compliance,
                                                request, &s->rows, &s->S));
    return saddle_matrix_expand(s->context, &s->S, &s->W);
}

static void clear_values(saddle_matrix *W)
{
    int64_t entries = saddle_matrix_entries(W);
    if (entries > 0) memset(W->value, 0, (size_t)entries * sizeof(*W->value));
}

static void add_compliance(saddle_matrix *W, const saddle_matrix *R)
{
    int64_t entries = saddle_matrix_entries(R);
    if (entries == 0) return;
    int mirrors = R->symmetry != W->symmetry;
    if (!mirrors && entries == saddle_matrix_entries(W)) {
        for (int64_t k = 0; k < entries; k++) W->value[k] += R->value[k];
        return;
    }
    for (int64_t j = 0; j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            int64_t i = R->index[k];
            W->value[saddle__matrix_find(W, i, j)] += R->value[k];
            if (mirrors && i != j) W->value[saddle__matrix_find(W, j, i)] += R->value[k];
        }
}

/* Column j of W: S_j* above the diagonal, by ascending column of S, and S_*j from the diagonal
 * on. */
static void spread(saddle__complement *s, const saddle_problem *problem)
{
    saddle_matrix *W = &s->W;
    const saddle_matrix *S = &s->S;
    for (int64_t j = 0; j < s->m; j++) s->next[j] = W->start[j];
    for (int64_t j = 0; j < s->m; j++)
        for (int64_t k = S->start[j]; k < S->start[j + 1]; k++) {
            int64_t i = S->index[k];
            W->value[s->next[j]++] = S->value[k];
            if (i != j) W->value[s->next[i]++] = S->value[k];
        }
    add_compliance(W, &problem->R);
}

/* J_k x */
static double along_row(const saddle_matrix *Jt, int64_t k, const double *x)
{
    double sum = 0.0;
    for (int64_t l = Jt->start[k]; l < Jt->start[k + 1]; l++) sum += Jt->value[l] * x[Jt->index[l]];
    return sum;
}

static saddle_status form_column(saddle__complement *s, const saddle_matrix *Jt, int64_t i)
{
    saddle_matrix *W = &s->W;
    int64_t count = 0;
    const int64_t *touched = NULL;
    SADDLE__TRY(saddle__factorization_solve_block(s->pivoted, 1, Jt->start + i, Jt->index,
                                                  Jt->value, &count, &touched, s->velocity));
    for (int64_t k = W->start[i]; k < W->start[i + 1]; k++)
        W->value[k] = along_row(Jt, W->index[k], s->velocity);
    for (int64_t k = 0; k < count; k++) s->velocity[touched[k]] = 0.0;
    return SADDLE_OK;
}

static saddle_status factor_general_mass(saddle__complement *s, const saddle_problem *problem)
{
    saddle_status status = saddle__factorization_factor(s->pivoted, &problem->M, NULL, 0.0);
    s->counts = saddle__factorization_counts(s->pivoted);
    if (status == SADDLE_SINGULAR)
        return saddle_fail(s->context, SADDLE_SINGULAR, "M cannot be factored: it is singular");
    return status;
}

static saddle_status fill_columns(saddle__complement *s, const saddle_problem *problem)
{
    const saddle_matrix *Jt = &problem->Jt;
    memset(s->velocity, 0, (size_t)s->n * sizeof *s->velocity);
    clear_values(&s->W);
    for (int64_t i = 0; saddle_matrix_entries(Jt) > 0 && i < s->m; i++)
        SADDLE__TRY(form_column(s, Jt, i));
    add_compliance(&s->W, &problem->R);
    return SADDLE_OK;
}

/* ---- without velocities ---- */

/* The pattern of R and the diagonal. */
static saddle_status take_pattern(saddle__complement *s, const saddle_matrix *R)
{
    saddle_matrix diagonal = {0};
    saddle_symmetry symmetry = R->rows > 0 ? R->symmetry : SADDLE_SYMMETRY_LOWER;
    saddle_status status = saddle_matrix_create(s->context, s->m, s->m, s->m, symmetry, &diagonal);
    for (int64_t j = 0; status == SADDLE_OK && j < s->m; j++) {
        diagonal.index[j] = j;
        diagonal.start[j + 1] = j + 1;
    }
    if (status != SADDLE_OK || R->rows == 0) {
        s->W = diagonal;
        return status;
    }
    status = saddle_matrix_add(s->context, 1.0, R, 0.0, &diagonal, &s->W);
    saddle_matrix_clear(&diagonal);
    return status;
}

/* ---- a general M: analyse ---- */

/* B (n x m): an entry where a row reaches a component of M, in the component's first velocity. */
static saddle_status find_reached(saddle__complement *s, const saddle_problem *problem,
                                  saddle_matrix *B)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t entries = saddle_matrix_entries(Jt);
    int64_t *root = saddle_allocate(s->context, s->n, sizeof *root);
    int64_t *row = saddle_allocate(s->context, 2 * entries, sizeof *row);
    double *zero = saddle_allocate(s->context, entries, sizeof *zero);
    saddle_status status = root && row && zero ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        saddle__matrix_components(&problem->M, root);
        for (int64_t i = 0; entries > 0 && i < s->m; i++)
            for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
                row[k] = root[Jt->index[k]];
                row[entries + k] = i;
            }
        status = saddle_matrix_from_triplets(s->context, s->n, s->m, entries, row, row + entries,
                                             zero, SADDLE_SYMMETRY_NONE, B);
    }
    saddle__release_all(s->context, root, row, zero);
    return status;
}

/* Entries of B B', lower triangle. */
static double count_cliques(const saddle_matrix *Bt)
{
    double entries = 0.0;
    for (int64_t c = 0; c < Bt->cols; c++) {
        double rows = (double)(Bt->start[c + 1] - Bt->start[c]);
        entries += 0.5 * rows * (rows + 1.0);
    }
    return entries;
}

/* The pattern of B'B and of R + R', and the diagonal. */
static saddle_status join_patterns(saddle__complement *s, const saddle_problem *problem,
                                   const saddle__complement_request *wanted, const saddle_matrix *B,
                                   saddle_matrix *Bt, saddle_matrix *cliques)
{
    saddle_matrix rest;
    SADDLE__TRY(saddle_matrix_transpose(s->context, B, Bt));
    if (wanted->most_entries > 0.0 && count_cliques(Bt) > wanted->most_entries)
        return saddle_fail(s->context, SADDLE_TOO_LARGE, "W has more than %g entries",
                           wanted->most_entries);
    SADDLE__TRY(saddle_matrix_multiply(s->context, Bt, B, cliques));
    if (saddle_matrix_entries(&problem->R) > 0)
        SADDLE__TRY(symmetrize(s->context, &problem->R, &s->compliance));
    SADDLE__TRY(take_pattern(s, &s->compliance));
    rest = s->W;
    s->W = (saddle_matrix){0};
    saddle_status status = saddle_matrix_add(s->context, 0.0, cliques, 0.0, &rest, &s->W);
    saddle_matrix_clear(&rest);
    return status;
}

static saddle_status analyse_general_mass(saddle__complement *s, const saddle_problem *problem,
                                          const saddle__complement_request *wanted)
{
    saddle_matrix B = {0}, Bt = {0}, cliques = {0};
    const char *name = saddle__factorization_name(s->context, SADDLE_FACTORIZATION_DEFAULT, 1);
    if (saddle_matrix_entries(&problem->M) == 0)
        return saddle_fail(s->context, SADDLE_SINGULAR, "M of order %lld has no entries",
                           (long long)s->n);
    s->velocity = saddle_allocate(s->context, s->n, sizeof *s->velocity);
    saddle_status status = s->velocity ? find_reached(s, problem, &B) : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = join_patterns(s, problem, wanted, &B, &Bt, &cliques);
    saddle_matrix_clear(&B);
    saddle_matrix_clear(&Bt);
    saddle_matrix_clear(&cliques);
    if (status == SADDLE_OK)
        status = saddle__factorization_create(s->context, name, wanted->ordering, &s->pivoted);
    return status == SADDLE_OK ? saddle__factorization_analyse(s->pivoted, &problem->M) : status;
}

/* ---- an operator in place of M ---- */

/* W dense: the operator's graph is not known. */
static saddle_status analyse_host(saddle__complement *s, const saddle_problem *problem,
                                  const saddle__complement_request *wanted)
{
    const int general = problem->R.rows > 0 && problem->R.symmetry == SADDLE_SYMMETRY_NONE;
    const int64_t m = s->m;
    s->host = *wanted->host;
    if (m > INT32_MAX)
        return saddle_fail(s->context, SADDLE_TOO_LARGE, "a dense W of %lld rows", (long long)m);
    s->velocity = saddle_allocate(s->context, s->n, sizeof *s->velocity);
    if (!s->velocity) return SADDLE_OUT_OF_MEMORY;
    if (general) s->host.complement = NULL;
    if (s->n > INT32_MAX || s->host.complement) s->host.half_solve = NULL;
    if (s->host.half_solve) s->half = saddle_allocate(s->context, s->n * m, sizeof *s->half);
    if (s->host.half_solve && !s->half) return SADDLE_OUT_OF_MEMORY;
    SADDLE__TRY(saddle_matrix_create(s->context, m, m, general ? m * m : m * (m + 1) / 2,
                                     general ? SADDLE_SYMMETRY_NONE : SADDLE_SYMMETRY_LOWER,
                                     &s->W));
    for (int64_t j = 0, k = 0; j < m; j++) {
        for (int64_t i = general ? 0 : j; i < m; i++) s->W.index[k++] = i;
        s->W.start[j + 1] = k;
    }
    return SADDLE_OK;
}

/* Before product i: whether to go on. */
static saddle_status ask_host(const saddle__complement *s, int64_t i, double began)
{
    if (!saddle_context_progress(s->context, "factor", i, s->m, -1.0, saddle_clock() - began))
        return SADDLE_OK;
    return saddle_fail(s->context, SADDLE_STOPPED, "stopped after %lld of %lld rows of W",
                       (long long)i, (long long)s->m);
}

/* W(:, i) = J M^-1 J_i', as far as stored */
static saddle_status form_host_column(saddle__complement *s, const saddle_matrix *Jt, int64_t i)
{
    saddle_matrix *W = &s->W;
    memset(s->velocity, 0, (size_t)s->n * sizeof *s->velocity);
    for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++)
        s->velocity[Jt->index[k]] = Jt->value[k];
    SADDLE__TRY(s->host.solve(s->host.user, s->velocity));
    for (int64_t k = W->start[i]; k < W->start[i + 1]; k++)
        W->value[k] = along_row(Jt, W->index[k], s->velocity);
    return SADDLE_OK;
}

/* W = Z'Z, Z = L^-1 J' */
static saddle_status form_host_halves(saddle__complement *s, const saddle_matrix *Jt, double began)
{
    saddle_matrix *W = &s->W;
    memset(s->half, 0, (size_t)(s->n * s->m) * sizeof *s->half);
    for (int64_t i = 0; i < s->m; i++) {
        double *z = s->half + s->n * i;
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) z[Jt->index[k]] = Jt->value[k];
        SADDLE__TRY(ask_host(s, i, began));
        SADDLE__TRY(s->host.half_solve(s->host.user, z));
    }
    for (int64_t i = 0; i < s->m; i++) { /* the column's rows are all from the first one on */
        const int n = (int)s->n, one = 1;
        const int count = (int)(W->start[i + 1] - W->start[i]);
        const double unit = 1.0, none = 0.0;
        const double *first = s->half + s->n * (s->m - count);
        dgemv_("T", &n, &count, &unit, first, &n, s->half + s->n * i, &one, &none,
               W->value + W->start[i], &one, 1);
    }
    return SADDLE_OK;
}

/* J and R are finite: what is not is the operator's. */
static saddle_status check_host(const saddle__complement *s, const saddle_problem *problem)
{
    const saddle_matrix *W = &s->W;
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t k = W->start[i]; k < W->start[i + 1]; k++) {
            if (isfinite(W->value[k])) continue;
            return saddle__mass_operator_blame(s->context, problem, i, "J M^-1 J'", W->value[k]);
        }
    return SADDLE_OK;
}

/* sum_k W_ik s_k, s = 1, -1, 1, ..; W: its lower triangle */
static void add_alternating(const saddle_matrix *W, double *sum)
{
    for (int64_t j = 0; j < W->cols; j++)
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            const int64_t i = W->index[k];
            sum[i] += j % 2 ? -W->value[k] : W->value[k];
            if (i != j) sum[j] += i % 2 ? -W->value[k] : W->value[k];
        }
}

/* Compares one product of the host's J M^-1 J' with the host's solve: a wrong sign or another
 * matrix could prove a falsehood. */
static saddle_status compare_host(saddle__complement *s, const saddle_matrix *Jt)
{
    double most = 0.0, apart = 0.0;
    double *sum = saddle_allocate(s->context, s->m, sizeof *sum);
    if (!sum) return SADDLE_OUT_OF_MEMORY;
    memset(s->velocity, 0, (size_t)s->n * sizeof *s->velocity);
    for (int64_t i = 0; i < s->m; i++)
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++)
            s->velocity[Jt->index[k]] += i % 2 ? -Jt->value[k] : Jt->value[k];
    const saddle_status status = s->host.solve(s->host.user, s->velocity);
    add_alternating(&s->W, sum);
    for (int64_t i = 0; status == SADDLE_OK && i < s->m; i++) {
        const double expected = along_row(Jt, i, s->velocity);
        most = fmax(most, fmax(fabs(expected), fabs(sum[i])));
        apart = fmax(apart, fabs(expected - sum[i]));
    }
    saddle_release(s->context, sum);
    SADDLE__TRY(status);
    if (!(apart > 0.01 * most)) return SADDLE_OK; /* an ill-conditioned M leaves fewer digits */
    return saddle_fail(s->context, SADDLE_INVALID_ARGUMENT,
                       "the mass operator's complement is not J M^-1 J' of its solve: "
                       "a product differs by %.1g of its size",
                       apart / most);
}

static saddle_status form_host(saddle__complement *s, const saddle_problem *problem)
{
    const saddle_matrix *Jt = &problem->Jt;
    const int any = saddle_matrix_entries(Jt) > 0;
    const double began = saddle_clock();
    const int whole = s->host.complement != NULL;
    clear_values(&s->W);
    if (any && whole) SADDLE__TRY(ask_host(s, 0, began));
    if (any && whole) {
        SADDLE__TRY(s->host.complement(s->host.user, Jt, s->W.value));
        SADDLE__TRY(compare_host(s, Jt));
    }
    if (any && s->half) SADDLE__TRY(form_host_halves(s, Jt, began));
    for (int64_t i = 0; any && !whole && !s->half && i < s->m; i++) {
        SADDLE__TRY(ask_host(s, i, began));
        SADDLE__TRY(form_host_column(s, Jt, i));
    }
    add_compliance(&s->W, &problem->R);
    return check_host(s, problem);
}

/* ---- M's factorization shared by processes ---- */

/* *all = 1: each row reaches one and the same component of M. */
static saddle_status find_common(saddle__complement *s, const saddle_problem *problem, int *all)
{
    saddle_matrix B = {0}, Bt = {0};
    saddle_status status = find_reached(s, problem, &B);
    if (status == SADDLE_OK) status = saddle_matrix_transpose(s->context, &B, &Bt);
    *all = 0;
    for (int64_t c = 0; status == SADDLE_OK && c < Bt.cols; c++)
        *all |= Bt.start[c + 1] - Bt.start[c] == s->m;
    saddle_matrix_clear(&B);
    saddle_matrix_clear(&Bt);
    return status;
}

/* The lower triangle of a full matrix. */
static saddle_status make_dense(saddle__complement *s)
{
    int64_t at = 0;
    SADDLE__TRY(saddle_matrix_create(s->context, s->m, s->m, s->m * (s->m + 1) / 2,
                                     SADDLE_SYMMETRY_LOWER, &s->W));
    for (int64_t j = 0; j < s->m; j++) {
        for (int64_t i = j; i < s->m; i++) s->W.index[at++] = i;
        s->W.start[j + 1] = at;
    }
    return SADDLE_OK;
}

/* *taken = 0: W is not dense. */
static saddle_status analyse_shared(saddle__complement *s, const saddle_problem *problem,
                                    const saddle__complement_request *wanted, int *taken)
{
    const saddle__factor_method *method = s->context->shared_method;
    const double rows = (double)s->m;
    *taken = 0;
    if (!method->has_complement || saddle_matrix_entries(&problem->Jt) == 0) return SADDLE_OK;
    if (wanted->most_entries > 0.0 && 0.5 * rows * (rows + 1.0) > wanted->most_entries)
        return SADDLE_OK;
    SADDLE__TRY(find_common(s, problem, taken));
    if (!*taken) return SADDLE_OK;
    SADDLE__TRY(make_dense(s));
    s->whole = saddle_allocate(s->context, s->n + s->m, sizeof *s->whole);
    if (!s->whole) return SADDLE_OUT_OF_MEMORY;
    SADDLE__TRY(saddle__kkt_create(s->context, problem, 0, &s->kkt));
    SADDLE__TRY(
        saddle__factorization_create(s->context, method->name, wanted->ordering, &s->shared));
    SADDLE__TRY(saddle__factorization_set_complement(s->shared, s->m));
    return saddle__factorization_analyse(s->shared, &s->kkt.K);
}

/* ---- all ---- */

static saddle_status analyse_mass(saddle__complement *s, const saddle_problem *problem,
                                  const saddle__complement_request *wanted)
{
    signed char *late = saddle_allocate(s->context, s->n, sizeof *late);
    if (!late) return SADDLE_OUT_OF_MEMORY;
    int any = 0;
    saddle_matrix_diagonal(&problem->M, s->mass_diagonal);
    for (int64_t j = 0; j < s->n; j++) {
        late[j] = s->mass_diagonal[j] == 0.0 ? SADDLE__AFTER_NEIGHBOUR : SADDLE__ANY_TIME;
        any |= late[j] != SADDLE__ANY_TIME;
    }
    saddle__ldlt_request request = {.ordering = wanted->ordering,
                                    .late = any ? late : NULL,
                                    .threads = wanted->threads};
    saddle_status status = saddle__ldlt_analyse(s->context, &problem->M, &request, &s->mass);
    saddle_release(s->context, late);
    return status;
}

saddle_status saddle__complement_analyse(saddle_context *context, const saddle_problem *problem,
                                         const saddle__complement_request *wanted,
                                         saddle__complement *s)
{
    *s = (saddle__complement){.context = context, .n = problem->n, .m = problem->m};
    if (s->n == 0) return take_pattern(s, &problem->R);
    if (wanted->host) {
        const saddle_status made = analyse_host(s, problem, wanted);
        if (made != SADDLE_OK) saddle__complement_clear(s);
        return made;
    }
    int general_mass = problem->M.symmetry == SADDLE_SYMMETRY_NONE;
    int general = problem->R.rows > 0 && problem->R.symmetry == SADDLE_SYMMETRY_NONE;
    saddle__ldlt_complement_request request = {.most_entries = wanted->most_entries};
    s->mass_diagonal = saddle__allocate_unset(context, s->n, sizeof *s->mass_diagonal);
    s->mass_scale = saddle__allocate_unset(context, s->n, sizeof *s->mass_scale);
    saddle_status status = s->mass_diagonal && s->mass_scale ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    int taken = 0;
    if (status == SADDLE_OK && !general_mass && !general && context && context->shared_method)
        status = analyse_shared(s, problem, wanted, &taken);
    if (status == SADDLE_OK && taken) return SADDLE_OK;
    if (status == SADDLE_OK && !general_mass && !general)
        status = saddle__blocks_analyse(context, problem, wanted->most_entries, &s->blocks, &s->W,
                                        &s->flops);
    if (status == SADDLE_OK && s->blocks) return SADDLE_OK;
    if (status == SADDLE_OK)
        status = general_mass ? analyse_general_mass(s, problem, wanted)
                              : analyse_mass(s, problem, wanted);
    if (status == SADDLE_OK && !general_mass)
        status = general ? analyse_general(s, problem, &request)
                         : saddle__ldlt_complement_analyse(context, s->mass, &problem->Jt,
                                                           &problem->R, &request, &s->rows, &s->W);
    s->flops = status == SADDLE_OK && s->rows ? saddle__ldlt_complement_size_of(s->rows).flops
                                              : 0.0;
    if (status != SADDLE_OK) saddle__complement_clear(s);
    return status;
}

/* |M_jj|; if 0, the fill from the elimination of the neighbours, sum_k M_jk^2 / |M_kk|. */
static void measure_mass(saddle__complement *s, const saddle_matrix *M)
{
    const double *d = s->mass_diagonal;
    int lacking = 0;
    saddle_matrix_diagonal(M, s->mass_diagonal);
    for (int64_t j = 0; j < s->n; j++) {
        s->mass_scale[j] = fabs(d[j]);
        lacking |= d[j] == 0.0;
    }
    for (int64_t j = 0; lacking && M->start && j < s->n; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) {
            int64_t i = M->index[k];
            double square = M->value[k] * M->value[k];
            if (d[j] == 0.0 && d[i] != 0.0) s->mass_scale[j] += square / fabs(d[i]);
            if (d[i] == 0.0 && d[j] != 0.0) s->mass_scale[i] += square / fabs(d[j]);
        }
}

/* M is singular: with the velocity whose pivot vanished in the message. */
static saddle_status name_pivot(const saddle__complement *s, const saddle_problem *problem)
{
    if (s->counts.failed_column < 0) return SADDLE_SINGULAR;
    char name[NAME_SIZE];
    saddle_problem_describe_velocity(problem, s->counts.failed_column, name, sizeof(name));
    saddle_status status = saddle_fail(
        s->context, SADDLE_SINGULAR,
        "M cannot be factored: its pivot vanished at %s (M is singular, or needs pivoting)", name);
    return saddle_fail_at(s->context,
                          (saddle_place){.kind = SADDLE_PLACE_VELOCITY,
                                         .index = s->counts.failed_column},
                          status);
}

static saddle_status form_shared(saddle__complement *s, const saddle_problem *problem)
{
    measure_mass(s, &problem->M);
    saddle__kkt_refresh(&s->kkt, problem, NULL);
    saddle_status status = saddle__factorization_factor(s->shared, &s->kkt.K, NULL, 0.0);
    s->counts = saddle__factorization_counts(s->shared);
    if (status == SADDLE_SINGULAR) return name_pivot(s, problem);
    if (status != SADDLE_OK) return status;
    const double *S = saddle__factorization_complement(s->shared);
    for (int64_t j = 0, k = 0; j < s->m; j++)
        for (int64_t i = j; i < s->m; i++) s->W.value[k++] = -S[j * s->m + i];
    return SADDLE_OK;
}

static saddle_status solve_shared(saddle__complement *s, double *x)
{
    memcpy(s->whole, x, (size_t)s->n * sizeof *x);
    memset(s->whole + s->n, 0, (size_t)s->m * sizeof *x);
    SADDLE__TRY(saddle__factorization_solve(s->shared, s->whole));
    memcpy(x, s->whole, (size_t)s->n * sizeof *x);
    return SADDLE_OK;
}

saddle_status saddle__complement_form(saddle__complement *s, const saddle_problem *problem)
{
    if (s->n == 0) {
        clear_values(&s->W);
        add_compliance(&s->W, &problem->R);
        return SADDLE_OK;
    }
    if (s->host.solve) return form_host(s, problem);
    if (s->shared) return form_shared(s, problem);
    if (s->pivoted) {
        SADDLE__TRY(factor_general_mass(s, problem));
        return fill_columns(s, problem);
    }
    measure_mass(s, &problem->M);
    saddle__pivot_rule rule = {.scale = s->mass_scale, .smallest = SADDLE__VANISHED_PIVOT};
    saddle_status status = s->blocks
                               ? saddle__blocks_form(s->blocks, problem, &rule, &s->counts, &s->W)
                               : saddle__ldlt_factor(s->mass, &problem->M, &rule, &s->counts);
    if (status == SADDLE_SINGULAR) return name_pivot(s, problem);
    if (status != SADDLE_OK || s->blocks) return status;
    int general = s->W.symmetry == SADDLE_SYMMETRY_NONE;
    SADDLE__TRY(saddle__ldlt_complement_form(s->rows, &problem->Jt,
                                             general ? &s->compliance : &problem->R, 1.0,
                                             general ? &s->S : &s->W));
    if (general) spread(s, problem);
    return SADDLE_OK;
}

saddle_status saddle__complement_solve_mass(saddle__complement *s, double *x)
{
    if (s->n == 0) return SADDLE_OK;
    if (s->host.solve) return s->host.solve(s->host.user, x);
    if (s->pivoted) return saddle__factorization_solve(s->pivoted, x);
    if (s->shared) return solve_shared(s, x);
    if (s->blocks)
        saddle__blocks_solve(s->blocks, x);
    else
        saddle__ldlt_solve(s->mass, SADDLE__LDLT_WHOLE, 1, x, s->n);
    return SADDLE_OK;
}
