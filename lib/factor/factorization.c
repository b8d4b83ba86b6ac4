/* SPDX-License-Identifier: MIT */
/* The generic layer over the factorization methods: names, phases, empty matrices, components. */
#include "factor/factorization_internal.h"

#include <stddef.h>
#include <string.h>

#include "ldlt/ldlt.h"
#include "matrix/matrix_internal.h"

/* ---- "ldlt" and "ldu": the engine in the table of methods ---- */

static void ldlt_clear(saddle__factorization *F)
{
    saddle__ldlt **engine = F->state;
    saddle__ldlt_free(*engine);
}

static saddle_status ldlt_analyse(saddle__factorization *F, const saddle_matrix *A,
                                  const signed char *late)
{
    saddle__ldlt **engine = F->state;
    saddle__ldlt_request request = {.ordering = F->ordering,
                                    .late = late,
                                    .eager = F->asked,
                                    .general = A->symmetry != SADDLE_SYMMETRY_LOWER,
                                    .threads = F->threads};
    SADDLE__TRY(saddle__ldlt_analyse(F->context, A, &request, engine));
    F->counts.peak_bytes = saddle__ldlt_size_of(*engine).bytes;
    F->counts.flops = saddle__ldlt_size_of(*engine).flops;
    F->eager = saddle__ldlt_size_of(*engine).eager;
    saddle__factor_components(F, A, NULL);
    return SADDLE_OK;
}

static saddle_status ldlt_factor(saddle__factorization *F, const saddle_matrix *A,
                                 const saddle__pivot_rule *rule)
{
    saddle__ldlt **engine = F->state;
    return saddle__ldlt_factor(*engine, A, rule, &F->counts);
}

static saddle_status ldlt_solve(saddle__factorization *F, double *x)
{
    saddle__ldlt **engine = F->state;
    saddle__ldlt_solve(*engine, SADDLE__LDLT_WHOLE, 1, x, F->n);
    return SADDLE_OK;
}

static saddle_status ldlt_solve_transpose(saddle__factorization *F, double *x)
{
    saddle__ldlt **engine = F->state;
    saddle__ldlt_transpose(*engine);
    saddle__ldlt_solve(*engine, SADDLE__LDLT_WHOLE, 1, x, F->n);
    saddle__ldlt_transpose(*engine);
    return SADDLE_OK;
}

static saddle_status ldlt_solve_columns(saddle__factorization *F, int64_t columns, double *X)
{
    saddle__ldlt **engine = F->state;
    saddle__ldlt_solve(*engine, SADDLE__LDLT_WHOLE, columns, X, F->n);
    return SADDLE_OK;
}

static saddle_status ldlt_solve_set(saddle__factorization *F, int64_t columns, const int64_t *start,
                                    const int64_t *index, const double *value, double *X)
{
    saddle__ldlt **engine = F->state;
    saddle__ldlt_sparse B = {.columns = columns, .start = start, .index = index, .value = value};
    saddle__ldlt_solve_sparse(*engine, &B, X);
    return SADDLE_OK;
}

static void ldlt_add_squares(const saddle__factorization *F, double *sum)
{
    saddle__ldlt *const *engine = F->state;
    saddle__ldlt_add_squares(*engine, sum);
}

static const saddle__factor_method ldlt_method = {
    .name = "ldlt",
    .symmetric_only = 1,
    .state_size = sizeof(saddle__ldlt *),
    .analyse = ldlt_analyse,
    .factor = ldlt_factor,
    .solve = ldlt_solve,
    .solve_columns = ldlt_solve_columns,
    .solve_set = ldlt_solve_set,
    .add_squares = ldlt_add_squares,
    .clear = ldlt_clear,
};

static const saddle__factor_method ldu_method = {
    .name = "ldu",
    .symmetric_only = 0,
    .state_size = sizeof(saddle__ldlt *),
    .analyse = ldlt_analyse,
    .factor = ldlt_factor,
    .solve = ldlt_solve,
    .solve_columns = ldlt_solve_columns,
    .solve_transpose = ldlt_solve_transpose,
    .clear = ldlt_clear,
};

/* ---- the table ---- */

static const saddle__factor_method *const methods[] = {
    &ldlt_method,
    &ldu_method,
    &saddle__factor_cholmod,
    &saddle__factor_klu,
#ifdef SADDLE_GPL
    &saddle__factor_umfpack,
#endif
#ifdef SADDLE_MUMPS
    &saddle__factor_mumps,
#endif
};

enum { METHODS = sizeof(methods) / sizeof(methods[0]) };

const char *saddle__factorization_name_at(int index)
{
    return index >= 0 && index < METHODS ? methods[index]->name : NULL;
}

const char *saddle__factorization_name(const saddle_context *context, saddle_factorization chosen,
                                       int general)
{
    const saddle__factor_method *shared = context ? context->shared_method : NULL;
    if (chosen == SADDLE_FACTORIZATION_DEFAULT && shared) return shared->name;
    switch (chosen) {
    case SADDLE_FACTORIZATION_DEFAULT: break;
#define NAME_CASE(name, word) \
    case name: return word;
        SADDLE_FACTORIZATION_NAMED(NAME_CASE)
#undef NAME_CASE
    }
#ifdef SADDLE_GPL
    return general ? "umfpack" : "ldlt";
#else
    return general ? "klu" : "ldlt";
#endif
}

static saddle_status unknown(saddle_context *context, const char *name)
{
#ifndef SADDLE_GPL
    if (strcmp(name, "umfpack") == 0)
        return saddle_fail(context, SADDLE_UNKNOWN_NAME,
                           "factorization 'umfpack': this build is without GPL code");
#endif
#ifndef SADDLE_MUMPS
    if (strcmp(name, "mumps") == 0)
        return saddle_fail(
            context, SADDLE_UNKNOWN_NAME,
            "factorization 'mumps': this build is without it (SADDLE_MUMPS); saddle-mpi has it");
#endif
    return saddle_fail(context, SADDLE_UNKNOWN_NAME, "no factorization '%s'", name);
}

/* The method of the name: the context's team first, then the built-in methods.  NULL: none. */
static const saddle__factor_method *find(const saddle_context *context, const char *name)
{
    const saddle__factor_method *shared = context ? context->shared_method : NULL;
    if (shared && strcmp(shared->name, name) == 0) return shared;
    for (int i = 0; i < METHODS; i++)
        if (strcmp(methods[i]->name, name) == 0) return methods[i];
    return NULL;
}

saddle_status saddle__factorization_create(saddle_context *context, const char *name,
                                           saddle_ordering ordering,
                                           saddle__factorization **factorization)
{
    *factorization = NULL;
    const saddle__factor_method *method = find(context, name);
    if (!method) return unknown(context, name);
    saddle__factorization *F = saddle_allocate(context, 1, sizeof(*F));
    if (!F) return SADDLE_OUT_OF_MEMORY;
    F->context = context;
    F->method = method;
    F->ordering = ordering;
    *factorization = F;
    return SADDLE_OK;
}

void saddle__factorization_set_single(saddle__factorization *F)
{
    F->single = 1;
}

void saddle__factorization_set_threads(saddle__factorization *F, int64_t threads)
{
    F->threads = threads;
}

/* Back to the state after create. */
static void clear(saddle__factorization *F)
{
    if (F->state) F->method->clear(F);
    saddle__layout_clear(F->context, &F->layout);
    *F = (saddle__factorization){.context = F->context,
                                 .method = F->method,
                                 .ordering = F->ordering,
                                 .single = F->single,
                                 .threads = F->threads,
                                 .kept = F->kept};
}

void saddle__factorization_free(saddle__factorization *F)
{
    if (!F) return;
    clear(F);
    saddle_release(F->context, F);
}

static void place(saddle__factorization *F)
{
    saddle__layout *layout = &F->layout;
    F->state = saddle__layout_take(layout, 1, F->method->state_size);
    F->component = saddle__layout_take(layout, F->n, sizeof(*F->component));
    F->component_start = saddle__layout_take(layout, F->n + 1, sizeof(*F->component_start));
    F->node = saddle__layout_take(layout, F->n, sizeof(*F->node));
    F->mark = saddle__layout_take(layout, F->n, sizeof(*F->mark));
    F->set = saddle__layout_take(layout, F->n, sizeof(*F->set));
    F->x = saddle__layout_take(layout, F->n, sizeof(*F->x));
    F->complement = F->kept > 0
                        ? saddle__layout_take(layout, F->kept, (size_t)F->kept * sizeof(double))
                        : NULL;
    F->whole = F->method->solve_set ? NULL : saddle__layout_take(layout, F->n, sizeof(*F->whole));
}

static saddle_status analyse(saddle__factorization *F, const saddle_matrix *A,
                             const signed char *late)
{
    place(F);
    saddle_status status = saddle__layout_allocate(F->context, &F->layout);
    if (F->method->agree) status = F->method->agree(F, status);
    if (status != SADDLE_OK) return status;
    place(F);
    return F->method->analyse(F, A, late);
}

/* Whether the method has anything to do. */
static int has_work(const saddle__factorization *F)
{
    return F->n > 0 || F->method->agree;
}

void saddle__factor_components(saddle__factorization *F, const saddle_matrix *A,
                               const int64_t *order)
{
    int64_t n = F->n;
    int64_t *root = F->set; /* scratch until the first solve */
    saddle__matrix_components(A, root);
    F->component_count = 0;
    for (int64_t i = 0; i < n; i++) { /* a root is the smallest node of the component */
        F->component[i] = root[i] == i ? F->component_count++ : F->component[root[i]];
        F->component_start[F->component[i] + 1]++;
    }
    int64_t *fill = root;
    for (int64_t c = 0; c < F->component_count; c++) {
        F->component_start[c + 1] += F->component_start[c];
        fill[c] = F->component_start[c];
    }
    for (int64_t k = 0; k < n; k++) {
        int64_t i = order ? order[k] : k;
        F->node[fill[F->component[i]]++] = i;
    }
}

saddle_status saddle__factorization_analyse_late(saddle__factorization *F, const saddle_matrix *A,
                                                 const signed char *late, saddle__eagerness *eager)
{
    clear(F);
    F->asked = eager ? *eager : SADDLE__PATIENT;
    if (A->rows != A->cols)
        return saddle_fail(F->context, SADDLE_INVALID_ARGUMENT,
                           "factorization: the matrix is %lld x %lld, not square",
                           (long long)A->rows, (long long)A->cols);
    if (A->rows > 0 && F->method->symmetric_only && A->symmetry != SADDLE_SYMMETRY_LOWER)
        return saddle_fail(F->context, SADDLE_UNSUPPORTED,
                           "factorization '%s': the matrix is not marked symmetric",
                           F->method->name);
    if (F->kept > 0 && (A->rows <= F->kept || A->symmetry != SADDLE_SYMMETRY_LOWER))
        return saddle_fail(F->context, SADDLE_INVALID_ARGUMENT,
                           "factorization: a complement of %lld rows is of a symmetric matrix of "
                           "more",
                           (long long)F->kept);
    F->n = A->rows;
    F->entries = saddle_matrix_entries(A);
    F->counts.first_perturbed = -1;
    F->counts.failed_column = -1;
    if (has_work(F)) {
        saddle_status status = analyse(F, A, late);
        if (status != SADDLE_OK) {
            clear(F);
            return status;
        }
    }
    F->phase = SADDLE__ANALYSED;
    if (eager && !F->eager) *eager = SADDLE__PATIENT;
    return SADDLE_OK;
}

saddle_status saddle__factorization_analyse(saddle__factorization *F, const saddle_matrix *A)
{
    return saddle__factorization_analyse_late(F, A, NULL, NULL);
}

saddle_status saddle__factorization_factor_by(saddle__factorization *F, const saddle_matrix *A,
                                              const saddle__pivot_rule *rule)
{
    if (F->phase == SADDLE__CREATED)
        return saddle_fail(F->context, SADDLE_WRONG_PHASE, "factorization: factor before analyse");
    if (A->rows != F->n || A->cols != F->n || saddle_matrix_entries(A) != F->entries)
        return saddle_fail(F->context, SADDLE_INVALID_ARGUMENT,
                           "factorization: not the pattern analysed");
    F->counts = (saddle__factor_counts){
        .inertia.known = F->n == 0 || F->method->symmetric_only,
        .first_perturbed = -1,
        .failed_column = -1,
        .peak_bytes = F->counts.peak_bytes,
        .least_pivot = 1.0,
    };
    F->phase = SADDLE__ANALYSED;
    if (has_work(F)) SADDLE__TRY(F->method->factor(F, A, rule));
    F->phase = SADDLE__FACTORED;
    return SADDLE_OK;
}

saddle_status saddle__factorization_factor(saddle__factorization *F, const saddle_matrix *A,
                                           const signed char *sign, double smallest)
{
    saddle__pivot_rule rule = {.sign = sign,
                               .smallest = smallest,
                               .replacement = sign ? smallest : 0.0};
    return saddle__factorization_factor_by(F, A, &rule);
}

static saddle_status check_factored(const saddle__factorization *F)
{
    if (F->phase == SADDLE__FACTORED) return SADDLE_OK;
    return saddle_fail(F->context, SADDLE_WRONG_PHASE, "factorization: solve before factor");
}

saddle_status saddle__factorization_solve(saddle__factorization *F, double *x)
{
    SADDLE__TRY(check_factored(F));
    if (!has_work(F)) return SADDLE_OK;
    return F->method->solve(F, x);
}

saddle_status saddle__factorization_solve_columns(saddle__factorization *F, int64_t columns,
                                                  double *X)
{
    SADDLE__TRY(check_factored(F));
    if (F->n == 0 || columns == 0) return SADDLE_OK;
    if (F->method->solve_columns) return F->method->solve_columns(F, columns, X);
    for (int64_t c = 0; c < columns; c++) SADDLE__TRY(F->method->solve(F, X + c * F->n));
    return SADDLE_OK;
}

saddle_status saddle__factorization_set_complement(saddle__factorization *F, int64_t rows)
{
    if (rows > 0 && !F->method->has_complement)
        return saddle_fail(F->context, SADDLE_UNSUPPORTED,
                           "factorization '%s' forms no Schur complement", F->method->name);
    F->kept = rows;
    return SADDLE_OK;
}

const double *saddle__factorization_complement(const saddle__factorization *F)
{
    return F->phase == SADDLE__FACTORED ? F->complement : NULL;
}

saddle_status saddle__factorization_solve_transpose(saddle__factorization *F, double *x)
{
    SADDLE__TRY(check_factored(F));
    if (F->n == 0) return SADDLE_OK;
    return F->method->solve_transpose ? F->method->solve_transpose(F, x) : F->method->solve(F, x);
}

/* F->set = the nodes of all components with an entry of b. */
static void gather_set(saddle__factorization *F, int64_t count, const int64_t *index)
{
    F->set_count = 0;
    F->stamp++;
    for (int64_t k = 0; k < count; k++) {
        int64_t c = F->component[index[k]];
        if (F->mark[c] == F->stamp) continue;
        F->mark[c] = F->stamp;
        int64_t size = F->component_start[c + 1] - F->component_start[c];
        memcpy(F->set + F->set_count, F->node + F->component_start[c],
               (size_t)size * sizeof *F->set);
        F->set_count += size;
    }
}

/* X over the set by full solves, for methods without sparse right-hand sides. */
static saddle_status solve_whole(saddle__factorization *F, int64_t columns, const int64_t *start,
                                 const int64_t *index, const double *value, double *X)
{
    saddle_status status = SADDLE_OK;
    for (int64_t c = 0; status == SADDLE_OK && c < columns; c++) {
        memset(F->whole, 0, (size_t)F->n * sizeof *F->whole);
        for (int64_t e = start[c]; e < start[c + 1]; e++) F->whole[index[e]] += value[e];
        status = F->method->solve(F, F->whole);
        for (int64_t k = 0; k < F->set_count; k++) X[F->set[k] * columns + c] = F->whole[F->set[k]];
    }
    return status;
}

saddle_status saddle__factorization_solve_block(saddle__factorization *F, int64_t columns,
                                                const int64_t *start, const int64_t *index,
                                                const double *value, int64_t *x_count,
                                                const int64_t **x_index, double *X)
{
    SADDLE__TRY(check_factored(F));
    int64_t entries = start[columns] - start[0];
    *x_count = 0;
    *x_index = F->set;
    if (F->n == 0 || entries == 0) return SADDLE_OK;
    gather_set(F, entries, index + start[0]);
    const saddle_status status = F->method->solve_set
                                     ? F->method->solve_set(F, columns, start, index, value, X)
                                     : solve_whole(F, columns, start, index, value, X);
    *x_count = F->set_count;
    return status;
}

saddle__factor_counts saddle__factorization_counts(const saddle__factorization *F)
{
    return F->counts;
}

/* ---- T = A^-1 B ---- */

/* F->set = the nodes reached by column j of B. */
static void reach_column(saddle__factorization *F, const saddle_matrix *B, int64_t j)
{
    int64_t first = B->start ? B->start[j] : 0;
    gather_set(F, B->start ? B->start[j + 1] - first : 0, B->index + first);
}

static saddle_status make_columns(saddle_context *context, saddle__factorization *F,
                                  const saddle_matrix *B, saddle_matrix *T)
{
    int64_t entries = 0;
    for (int64_t j = 0; j < B->cols; j++) {
        reach_column(F, B, j);
        if (entries > INT64_MAX - F->set_count)
            return saddle_fail(context, SADDLE_TOO_LARGE,
                               "A^-1 B has more entries than 64 bits count");
        entries += F->set_count;
    }
    SADDLE__TRY(saddle_matrix_create(context, F->n, B->cols, entries, SADDLE_SYMMETRY_NONE, T));
    for (int64_t j = 0; F->n > 0 && j < B->cols; j++) {
        reach_column(F, B, j);
        memcpy(T->index + T->start[j], F->set, (size_t)F->set_count * sizeof *T->index);
        T->start[j + 1] = T->start[j] + F->set_count;
    }
    return saddle__matrix_normalize(context, T);
}

saddle_status saddle__factorization_columns(saddle_context *context, saddle__factorization *F,
                                            const saddle_matrix *B, saddle_matrix *T)
{
    saddle_status status = check_factored(F);
    if (status != SADDLE_OK) return status;
    int make = T->rows == 0 && T->cols == 0 && !T->start;
    if (B->rows != F->n || (!make && (T->rows != F->n || T->cols != B->cols)))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "A^-1 B: sizes do not match");
    if (make) status = make_columns(context, F, B, T);
    for (int64_t j = 0; saddle_matrix_entries(B) > 0 && j < B->cols && status == SADDLE_OK; j++) {
        int64_t count;
        const int64_t *set;
        status = saddle__factorization_solve_block(F, 1, B->start + j, B->index, B->value, &count,
                                                   &set, F->x);
        for (int64_t p = T->start[j]; status == SADDLE_OK && p < T->start[j + 1]; p++)
            T->value[p] = F->x[T->index[p]];
    }
    if (status != SADDLE_OK && make) saddle_matrix_clear(T);
    return status;
}
