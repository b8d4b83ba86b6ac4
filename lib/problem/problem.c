/* SPDX-License-Identifier: MIT */
/* A problem and solutions: copy, clear, bounds and kinds of rows, names, words of the laws;
 * inconsistencies of a problem, each one named, and changes of the pattern between phases. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/vector.h"
#include "matrix/matrix_internal.h"
#include "problem/problem_internal.h"

/* ---- copy and clear ---- */

static void clear_names(saddle_context *context, char **names, int64_t count)
{
    for (int64_t i = 0; names && i < count; i++) saddle_release(context, names[i]);
    saddle_release(context, (void *)names);
}

void saddle_problem_clear(saddle_problem *problem)
{
    if (!problem) return;
    if (problem->owner) {
        saddle_context *context = problem->context;
        saddle_matrix_clear(&problem->M);
        saddle_matrix_clear(&problem->Jt);
        saddle_matrix_clear(&problem->R);
        saddle__release_all(context, problem->f, problem->b, problem->lo, problem->hi,
                            problem->contacts, problem->row_id);
        clear_names(context, problem->row_name, problem->m);
        clear_names(context, problem->component_name, problem->component_count);
        saddle__release_all(context, problem->component_size, problem->name, problem->source);
    }
    memset(problem, 0, sizeof *problem);
}

/* *copy = count elements of array, or NULL where the array is NULL */
static saddle_status copy_array(saddle_context *context, const void *array, int64_t count,
                                size_t size, void **copy)
{
    *copy = NULL;
    if (!array) return SADDLE_OK;
    *copy = saddle_allocate(context, count, size);
    if (!*copy) return SADDLE_OUT_OF_MEMORY;
    if (count > 0) memcpy(*copy, array, (size_t)count * size);
    return SADDLE_OK;
}

char *saddle__copy_text(saddle_context *context, const char *text)
{
    size_t length = strlen(text);
    char *copy = saddle_allocate(context, (int64_t)length + 1, 1);
    if (copy) memcpy(copy, text, length);
    return copy;
}

static saddle_status copy_name(saddle_context *context, const char *text, char **copy)
{
    *copy = NULL;
    if (!text) return SADDLE_OK;
    *copy = saddle__copy_text(context, text);
    return *copy ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

static saddle_status copy_names(saddle_context *context, char *const *names, int64_t count,
                                char ***copy)
{
    *copy = NULL;
    if (!names) return SADDLE_OK;
    *copy = saddle_allocate(context, count, sizeof **copy);
    saddle_status status = *copy ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < count; i++)
        status = copy_name(context, names[i], &(*copy)[i]);
    return status;
}

static saddle_status copy_vectors(saddle_context *context, const saddle_problem *from,
                                  saddle_problem *to)
{
    struct {
        const void *array;
        int64_t count;
        size_t size;
        void **copy;
    } vectors[] = {
        {from->f, from->n, sizeof *from->f, (void **)&to->f},
        {from->b, from->m, sizeof *from->b, (void **)&to->b},
        {from->lo, from->m, sizeof *from->lo, (void **)&to->lo},
        {from->hi, from->m, sizeof *from->hi, (void **)&to->hi},
        {from->contacts, from->contact_count, sizeof *from->contacts, (void **)&to->contacts},
        {from->row_id, from->m, sizeof *from->row_id, (void **)&to->row_id},
        {from->component_size, from->component_count, sizeof *from->component_size,
         (void **)&to->component_size},
    };
    saddle_status status = SADDLE_OK;
    for (size_t i = 0; status == SADDLE_OK && i < sizeof vectors / sizeof *vectors; i++)
        status = copy_array(context, vectors[i].array, vectors[i].count, vectors[i].size,
                            vectors[i].copy);
    return status;
}

saddle_status saddle_problem_copy(saddle_context *context, const saddle_problem *problem,
                                  saddle_problem *copy)
{
    if (copy) memset(copy, 0, sizeof *copy);
    SADDLE__RETURN_UNLESS(context, problem && copy, "problem or copy is NULL");
    copy->owner = 1;
    copy->context = context;
    copy->n = problem->n;
    copy->m = problem->m;
    copy->contact_count = problem->contact_count;
    copy->component_count = problem->component_count;
    copy->law = problem->law;
    copy->facets = problem->facets;
    copy->time_step = problem->time_step;
    saddle_status status = saddle_matrix_copy(context, &problem->M, &copy->M);
    if (status == SADDLE_OK) status = saddle_matrix_copy(context, &problem->Jt, &copy->Jt);
    if (status == SADDLE_OK) status = saddle_matrix_copy(context, &problem->R, &copy->R);
    if (status == SADDLE_OK) status = copy_vectors(context, problem, copy);
    if (status == SADDLE_OK)
        status = copy_names(context, problem->row_name, problem->m, &copy->row_name);
    if (status == SADDLE_OK)
        status = copy_names(context, problem->component_name, problem->component_count,
                            &copy->component_name);
    if (status == SADDLE_OK) status = copy_name(context, problem->name, &copy->name);
    if (status == SADDLE_OK) status = copy_name(context, problem->source, &copy->source);
    if (status != SADDLE_OK) saddle_problem_clear(copy);
    return status;
}

saddle_status saddle_solution_create(saddle_context *context, int64_t n, int64_t m,
                                     saddle_solution *solution)
{
    SADDLE__RETURN_UNLESS(context, solution, "solution is NULL");
    memset(solution, 0, sizeof *solution);
    if (n < 0 || m < 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "solution of negative size n = %lld, m = %lld", (long long)n,
                           (long long)m);
    solution->owner = 1;
    solution->context = context;
    solution->n = n;
    solution->m = m;
    solution->v = saddle_allocate(context, n, sizeof *solution->v);
    solution->lambda = saddle_allocate(context, m, sizeof *solution->lambda);
    solution->w = saddle_allocate(context, m, sizeof *solution->w);
    if (solution->v && solution->lambda && solution->w) return SADDLE_OK;
    saddle_solution_clear(solution);
    return SADDLE_OUT_OF_MEMORY;
}

void saddle_solution_clear(saddle_solution *solution)
{
    if (!solution) return;
    if (solution->owner) {
        saddle__release_all(solution->context, solution->v, solution->lambda, solution->w);
    }
    memset(solution, 0, sizeof *solution);
}

saddle_status saddle__solution_check_size(saddle_context *context, const saddle_problem *problem,
                                          const saddle_solution *solution, const char *name,
                                          int with_w)
{
    int v = problem->n == 0 || solution->v;
    int rows = problem->m == 0 || (solution->lambda && (!with_w || solution->w));
    if (solution->n != problem->n || solution->m != problem->m)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the %s has n = %lld, m = %lld; the problem has n = %lld, m = %lld",
                           name, (long long)solution->n, (long long)solution->m,
                           (long long)problem->n, (long long)problem->m);
    if (v && rows) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "the %s lacks v, lambda or w", name);
}

/* ---- rows, names, words ---- */

double saddle_problem_lo(const saddle_problem *problem, int64_t row)
{
    if (!problem) return 0.0;
    return saddle__lo(problem, row);
}

double saddle_problem_hi(const saddle_problem *problem, int64_t row)
{
    if (!problem) return 0.0;
    return saddle__hi(problem, row);
}

int64_t saddle_problem_row_id(const saddle_problem *problem, int64_t row)
{
    if (!problem) return -1;
    return problem->row_id ? problem->row_id[row] : row;
}

int64_t saddle_problem_facets(const saddle_problem *problem)
{
    if (!problem) return 0;
    return problem->facets > 0 ? problem->facets : 8;
}

saddle_row_kind saddle_problem_bound_kind(const saddle_problem *problem, int64_t row)
{
    if (!problem) return SADDLE_ROW_EQUALITY;
    int finite = (isfinite(saddle__lo(problem, row)) != 0) +
                 (isfinite(saddle__hi(problem, row)) != 0);
    if (finite == 0) return SADDLE_ROW_EQUALITY;
    return finite == 1 ? SADDLE_ROW_UNILATERAL : SADDLE_ROW_BOX;
}

saddle_row_counts saddle_problem_count_rows(const saddle_problem *problem)
{
    if (!problem) return (saddle_row_counts){0};
    saddle_row_counts counts = {0, 0, 0, 0};
    for (int64_t i = 0, c = 0; i < problem->m; i++) {
        if (c < problem->contact_count && problem->contacts[c].row == i) {
            int64_t size = problem->contacts[c++].size;
            if (size > 0 && size <= problem->m - i) {
                counts.contact += size;
                i += size - 1;
                continue;
            }
        }
        saddle_row_kind kind = saddle_problem_bound_kind(problem, i);
        counts.equality += kind == SADDLE_ROW_EQUALITY;
        counts.unilateral += kind == SADDLE_ROW_UNILATERAL;
        counts.box += kind == SADDLE_ROW_BOX;
    }
    return counts;
}

void saddle__find_bounded(const saddle_problem *problem, signed char *bounded)
{
    for (int64_t i = 0; i < problem->m; i++)
        bounded[i] = saddle_problem_bound_kind(problem, i) != SADDLE_ROW_EQUALITY;
    for (int64_t c = 0; c < problem->contact_count; c++)
        memset(bounded + problem->contacts[c].row, 1, (size_t)problem->contacts[c].size);
}

void saddle_problem_describe_row(const saddle_problem *problem, int64_t row, char *text,
                                 size_t size)
{
    if (!problem || !text) return;
    const char *name = problem->row_name ? problem->row_name[row] : NULL;
    long long number = (long long)row + 1;
    if (problem->row_id && name)
        (void)snprintf(text, size, "row %lld (id %lld, %s)", number,
                       (long long)problem->row_id[row], name);
    else if (problem->row_id)
        (void)snprintf(text, size, "row %lld (id %lld)", number, (long long)problem->row_id[row]);
    else if (name)
        (void)snprintf(text, size, "row %lld (%s)", number, name);
    else
        (void)snprintf(text, size, "row %lld", number);
}

void saddle_problem_describe_velocity(const saddle_problem *problem, int64_t column, char *text,
                                      size_t size)
{
    if (!problem || !text) return;
    int64_t first = 0;
    for (int64_t c = 0; problem->component_size && c < problem->component_count; c++) {
        int64_t local = column - first;
        if (local < problem->component_size[c] && problem->component_name &&
            problem->component_name[c]) {
            (void)snprintf(text, size, "velocity %lld (%s[%lld])", (long long)column + 1,
                           problem->component_name[c], (long long)local);
            return;
        }
        if (local < problem->component_size[c]) break;
        first += problem->component_size[c];
    }
    (void)snprintf(text, size, "velocity %lld", (long long)column + 1);
}

#define WORD(name, word) word,
static const char *const law_words[] = {SADDLE_LAW_LIST(WORD)};
#undef WORD
enum { LAW_WORDS_SIZE = sizeof law_words / sizeof *law_words };

const char *saddle_law_word(saddle_law law)
{
    return (int)law >= 0 && (int)law < LAW_WORDS_SIZE ? law_words[law] : "?";
}

saddle_status saddle_law_from_word(const char *word, saddle_law *law)
{
    if (!word || !law) return SADDLE_INVALID_ARGUMENT;
    for (int k = 0; k < LAW_WORDS_SIZE; k++) {
        if (strcmp(word, law_words[k]) != 0) continue;
        *law = (saddle_law)k;
        return SADDLE_OK;
    }
    return SADDLE_UNKNOWN_NAME;
}

/* ---- inconsistencies ---- */

enum { FINDING_SIZE = 512 };
/* limit of n and m: sizes of arrays are small multiples and sums */
static const int64_t most_size = INT64_MAX / 4096;

typedef struct finder {
    saddle_context *context;
    const saddle_problem *problem;
    saddle_finding_function *each;
    void *user;
    int64_t count;
    char first[FINDING_SIZE];
    saddle_place first_place;
} finder;

#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
static void
found_at(finder *f, saddle_place place, const char *format, ...)
{
    char text[FINDING_SIZE];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (f->count++ == 0) {
        memcpy(f->first, text, sizeof text);
        f->first_place = place;
    }
    if (!f->each) return;
    (void)saddle_fail_at(f->context, place, SADDLE_INVALID_PROBLEM);
    f->each(f->user, text);
}

#define found(f, ...) found_at((f), (saddle_place){0}, __VA_ARGS__)

/* The entry A(row, column): Jt stores J(column, row). */
static saddle_place place_of_entry(const finder *f, const saddle_matrix *A, int64_t row,
                                   int64_t column)
{
    if (A == &f->problem->Jt) return (saddle_place){SADDLE_PLACE_ENTRY_OF_J, column, row};
    int is_M = A == &f->problem->M;
    return (saddle_place){is_M ? SADDLE_PLACE_ENTRY_OF_M : SADDLE_PLACE_ENTRY_OF_R, row, column};
}

typedef void describe_function(const saddle_problem *problem, int64_t index, char *text,
                               size_t size);

static void check_triangles(finder *f, const saddle_matrix *A, const char *name)
{
    int64_t j;
    int64_t k = saddle__matrix_find_unequal(A, &j);
    if (k < 0) return;
    long long row = (long long)A->index[k] + 1;
    long long column = (long long)j + 1;
    found_at(f, place_of_entry(f, A, A->index[k], j),
             "%s is marked SADDLE_SYMMETRY_FULL, but entry (%lld, %lld) is %.17g and (%lld, %lld) "
             "is %.17g",
             name, row, column, A->value[k], column, row, saddle_matrix_entry(A, j, A->index[k]));
}

/* Reports the first entry that is not finite, with the names of the row and the column. */
static void check_values(finder *f, const saddle_matrix *A, const char *name)
{
    char names[2][FINDING_SIZE / 3];
    int64_t j;
    int64_t k = saddle__matrix_find_not_finite(A, &j);
    if (k < 0) {
        if (A->symmetry == SADDLE_SYMMETRY_FULL) check_triangles(f, A, name);
        return;
    }
    int is_J = A == &f->problem->Jt; /* Jt stores rows of J as columns */
    int64_t row = is_J ? j : A->index[k];
    int64_t column = is_J ? A->index[k] : j;
    describe_function *velocity = saddle_problem_describe_velocity;
    describe_function *constraint = saddle_problem_describe_row;
    (A == &f->problem->M ? velocity : constraint)(f->problem, row, names[0], sizeof names[0]);
    (A == &f->problem->R ? constraint : velocity)(f->problem, column, names[1], sizeof names[1]);
    found_at(f, place_of_entry(f, A, A->index[k], j), "%s: entry (%lld, %lld) is %g: %s, %s",
             is_J ? "J" : name, (long long)row + 1, (long long)column + 1, A->value[k], names[0],
             names[1]);
}

static void check_known(finder *f, const saddle_matrix *A, const char *name)
{
    if (saddle_matrix_entries(A) > 0 && !A->value)
        found(f, "%s: entries without a value array", name);
    else
        check_values(f, A, name);
}

static void check_matrix(finder *f, const saddle_matrix *A, const char *name, int64_t rows,
                         int64_t cols, int may_be_empty)
{
    if (may_be_empty && A->rows == 0 && A->cols == 0) return;
    if (A->rows != rows || A->cols != cols) {
        found(f, "%s is %lld x %lld, the problem (n = %lld, m = %lld) needs %lld x %lld", name,
              (long long)A->rows, (long long)A->cols, (long long)f->problem->n,
              (long long)f->problem->m, (long long)rows, (long long)cols);
        return;
    }
    if (saddle__matrix_check_pattern(f->context, A, name) != SADDLE_OK) {
        const char *message = saddle_context_message(f->context);
        const saddle_place at = saddle_context_place(f->context);
        found_at(f, at.kind ? place_of_entry(f, A, at.index, at.column) : at, "%s",
                 *message ? message : "a matrix is not well formed");
        return;
    }
    check_values(f, A, name);
}

static void check_finite(finder *f, const double *x, int64_t n, const char *name,
                         describe_function *describe_entry)
{
    if (!x || saddle__is_finite(x, n)) return;
    for (int64_t i = 0; i < n; i++) {
        if (isfinite(x[i])) continue;
        char text[FINDING_SIZE / 2];
        describe_entry(f->problem, i, text, sizeof text);
        saddle_place_kind kind = describe_entry == saddle_problem_describe_row
                                     ? SADDLE_PLACE_ROW
                                     : SADDLE_PLACE_VELOCITY;
        found_at(f, (saddle_place){.kind = kind, .index = i}, "%s[%lld] is %g: %s", name,
                 (long long)i, x[i], text);
    }
}

static void check_bounds(finder *f)
{
    const saddle_problem *p = f->problem;
    for (int64_t i = 0; i < p->m; i++) {
        double lo = saddle__lo(p, i);
        double hi = saddle__hi(p, i);
        char row[FINDING_SIZE / 2];
        if (lo <= hi && lo < (double)INFINITY && hi > -(double)INFINITY) continue;
        const saddle_place at = {.kind = SADDLE_PLACE_ROW, .index = i};
        saddle_problem_describe_row(p, i, row, sizeof row);
        if (isnan(lo) || isnan(hi))
            found_at(f, at, "%s: a bound is not a number: [%g, %g]", row, lo, hi);
        else if (lo > hi)
            found_at(f, at, "%s: lower bound %g above upper bound %g", row, lo, hi);
        else
            found_at(f, at, "%s: bounds [%g, %g] leave no finite impulse", row, lo, hi);
    }
}

static void check_coefficients(finder *f, const saddle_contact *contact, saddle_place at)
{
    const long long number = (long long)at.index + 1;
    static const char *const kind[] = {"", "torsional ", "rolling "};
    const double mu[] = {contact->mu, contact->mu_torsion, contact->mu_rolling};
    const int has_rows[] = {1, contact->size == 4 || contact->size == 6, contact->size >= 5};
    for (int k = 0; k < 3; k++)
        if (!(mu[k] >= 0 && isfinite(mu[k])))
            found_at(f, at, "contact %lld: %sfriction coefficient %g is not a finite number >= 0",
                     number, kind[k], mu[k]);
        else if (mu[k] > 0 && !has_rows[k])
            found_at(f, at,
                     "contact %lld: %sfriction coefficient %g, but its %lld rows hold none of it",
                     number, kind[k], mu[k], (long long)contact->size);
}

/* Sets of contacts are walked by ascending row elsewhere; here nothing is taken for granted. */
static void check_contacts(finder *f)
{
    const saddle_problem *p = f->problem;
    if (p->contact_count < 0)
        found(f, "contact count %lld is negative", (long long)p->contact_count);
    if (p->contact_count > 0 && !p->contacts)
        found(f, "%lld contacts announced, none given", (long long)p->contact_count);
    int64_t end = 0;
    for (int64_t c = 0; p->contacts && c < p->contact_count; c++) {
        const saddle_contact *contact = &p->contacts[c];
        const saddle_place at = {.kind = SADDLE_PLACE_CONTACT, .index = c};
        long long number = (long long)c + 1;
        if (contact->size < 2 || contact->size > SADDLE_CONTACT_ROWS)
            found_at(f, at, "contact %lld has %lld rows, not 2 to %d", number,
                     (long long)contact->size, SADDLE_CONTACT_ROWS);
        if (contact->row < 0 || contact->row > p->m || contact->size > p->m - contact->row)
            found_at(f, at,
                     "contact %lld: contacts[%lld].row is %lld, with %lld rows from there on "
                     "outside the %lld rows",
                     number, (long long)c, (long long)contact->row, (long long)contact->size,
                     (long long)p->m);
        else if (contact->row < end)
            found_at(f, at,
                     "contact %lld: row %lld belongs to an earlier contact, or the contacts are "
                     "not by ascending row",
                     number, (long long)contact->row + 1);
        else
            end = contact->row + contact->size;
        check_coefficients(f, contact, at);
    }
}

static saddle_status check_ids(finder *f)
{
    const saddle_problem *p = f->problem;
    int ascending = 1;
    for (int64_t i = 1; ascending && i < p->m; i++) ascending = p->row_id[i - 1] < p->row_id[i];
    if (ascending) return SADDLE_OK;
    int64_t *sorted = saddle_allocate(f->context, p->m, sizeof *sorted);
    if (!sorted) return SADDLE_OUT_OF_MEMORY;
    memcpy(sorted, p->row_id, (size_t)p->m * sizeof *sorted);
    saddle__sort_indices(p->m, sorted);
    for (int64_t i = 1; i < p->m; i++)
        if (sorted[i] == sorted[i - 1] && (i < 2 || sorted[i] != sorted[i - 2]))
            found(f, "row id %lld stands more than once", (long long)sorted[i]);
    saddle_release(f->context, sorted);
    return SADDLE_OK;
}

static void check_components(finder *f)
{
    const saddle_problem *p = f->problem;
    if (p->component_count < 0)
        found(f, "component count %lld is negative", (long long)p->component_count);
    if (p->component_count < 0) return;
    if (!p->component_size) {
        found(f, "%lld components announced without sizes", (long long)p->component_count);
        return;
    }
    int64_t sum = 0;
    for (int64_t c = 0; c < p->component_count; c++) {
        int64_t size = p->component_size[c];
        if (size < 0 || size > p->n - sum) {
            found(f, "component %lld: size %lld does not fit into n = %lld", (long long)c + 1,
                  (long long)size, (long long)p->n);
            return;
        }
        sum += size;
    }
    if (sum != p->n)
        found(f, "component sizes sum to %lld, not to n = %lld", (long long)sum, (long long)p->n);
}

static saddle_status conclude(const finder *f)
{
    if (f->count == 0) return SADDLE_OK;
    char more[48] = "";
    if (f->count > 1)
        (void)snprintf(more, sizeof more, " (and %lld more)", (long long)f->count - 1);
    return saddle_fail_at(f->context, f->first_place,
                          saddle_fail(f->context, SADDLE_INVALID_PROBLEM, "%s%s", f->first, more));
}

/* Sizes first: the other checks rely on valid sizes. */
static int sizes_are_wrong(finder *f)
{
    const saddle_problem *p = f->problem;
    int too_large = p->n > most_size || p->m > most_size;
    if (!too_large && p->n >= 0 && p->m >= 0) return 0;
    if (too_large)
        found(f, "n = %lld, m = %lld: no memory holds vectors of that size", (long long)p->n,
              (long long)p->m);
    else
        found(f, "negative size n = %lld, m = %lld", (long long)f->problem->n,
              (long long)f->problem->m);
    return 1;
}

static void check_matrices(finder *f)
{
    const saddle_problem *p = f->problem;
    check_matrix(f, &p->M, "M", p->n, p->n, 0);
    check_matrix(f, &p->Jt, "J'", p->n, p->m, p->n == 0 || p->m == 0);
    check_matrix(f, &p->R, "R", p->m, p->m, 1);
    if (p->Jt.symmetry != SADDLE_SYMMETRY_NONE && p->Jt.start) found(f, "J' is marked symmetric");
}

/* The law, the time step and all vectors. */
static void check_vectors(finder *f)
{
    const saddle_problem *p = f->problem;
    check_finite(f, p->f, p->n, "f", saddle_problem_describe_velocity);
    check_finite(f, p->b, p->m, "b", saddle_problem_describe_row);
    if (p->law < SADDLE_LAW_CONE || p->law > SADDLE_LAW_ASSOCIATED)
        found(f, "unknown contact law %d", (int)p->law);
    if (p->facets > SADDLE_FACETS_AT_MOST)
        found(f, "facets = %lld: at most %d", (long long)p->facets, SADDLE_FACETS_AT_MOST);
    int least = 2; /* in the plane the pyramid has two directions whatever is said */
    for (int64_t k = 0; p->contacts && k < p->contact_count; k++)
        if (p->contacts[k].size != 2) least = 3;
    if (p->facets != 0 && p->facets < least)
        found(f, "facets = %lld: a pyramid needs at least 3, in the plane 2", (long long)p->facets);
    if (!(p->time_step >= 0 && isfinite(p->time_step)))
        found(f, "time step %g is not a finite number >= 0", p->time_step);
    if (p->contact_count != 0) check_contacts(f);
    check_bounds(f);
}

saddle_status saddle_problem_check(saddle_context *context, const saddle_problem *problem,
                                   saddle_finding_function *each, void *user)
{
    SADDLE__RETURN_UNLESS(context, problem, "problem is NULL");
    finder f = {.context = context, .problem = problem, .each = each, .user = user};
    if (sizes_are_wrong(&f)) return conclude(&f);
    check_matrices(&f);
    check_vectors(&f);
    if (problem->component_count != 0) check_components(&f);
    saddle_status status = problem->row_id ? check_ids(&f) : SADDLE_OK;
    return status == SADDLE_OK ? conclude(&f) : status;
}

saddle_status saddle__problem_check_matrices(saddle_context *context, const saddle_problem *problem)
{
    finder f = {.context = context, .problem = problem};
    if (!sizes_are_wrong(&f)) check_matrices(&f);
    return conclude(&f);
}

saddle_status saddle__problem_check_values(saddle_context *context, const saddle_problem *problem)
{
    finder f = {.context = context, .problem = problem};
    check_known(&f, &problem->M, "M");
    check_known(&f, &problem->Jt, "J'");
    check_known(&f, &problem->R, "R");
    return conclude(&f);
}

saddle_status saddle__problem_check_vectors(saddle_context *context, const saddle_problem *problem)
{
    finder f = {.context = context, .problem = problem};
    if (!sizes_are_wrong(&f)) check_vectors(&f);
    return conclude(&f);
}

/* ---- changes between phases ---- */

/* One step of a 64-bit multiplicative hash (the odd constant is 2^64 / golden ratio). */
static uint64_t mix(uint64_t print, int64_t x)
{
    print = (print ^ (uint64_t)x) * UINT64_C(0x9E3779B97F4A7C15);
    return print ^ (print >> 29);
}

/* Four polynomials in an odd number mod 2^64, side by side: the steps of one depend on each
 * other. */
static uint64_t mix_all(uint64_t print, const int64_t *x, int64_t count)
{
    static const uint64_t base = UINT64_C(0xD6E8FEB86659FD93);
    uint64_t side[4] = {print, 0, 0, 0};
    int64_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (int i = 0; i < 4; i++) side[i] = side[i] * base + (uint64_t)x[k + i];
    for (; k < count; k++) side[0] = side[0] * base + (uint64_t)x[k];
    uint64_t all = (uint64_t)count;
    for (int i = 0; i < 4; i++) all = mix(all, (int64_t)side[i]);
    return all;
}

static uint64_t print_matrix(const saddle_matrix *A)
{
    uint64_t print = mix(mix(mix(0, A->rows), A->cols), (int64_t)A->symmetry);
    int64_t entries = saddle_matrix_entries(A);
    if (entries == 0) return print;
    return mix_all(mix_all(print, A->start, A->cols + 1), A->index, entries);
}

static uint64_t print_contacts(const saddle_problem *problem)
{
    uint64_t print = 0;
    for (int64_t c = 0; c < problem->contact_count; c++)
        print = mix(mix(print, problem->contacts[c].row), problem->contacts[c].size);
    return print;
}

saddle__pattern saddle__pattern_of(const saddle_problem *problem)
{
    const saddle_matrix *matrices[3] = {&problem->M, &problem->Jt, &problem->R};
    saddle__pattern pattern = {.n = problem->n,
                               .m = problem->m,
                               .contacts = problem->contact_count,
                               .law = problem->law,
                               .facets = problem->facets};
    for (int i = 0; i < 3; i++) {
        pattern.entries[i] = saddle_matrix_entries(matrices[i]);
        pattern.print[i] = print_matrix(matrices[i]);
    }
    pattern.contact_print = print_contacts(problem);
    return pattern;
}

saddle_status saddle__pattern_compare(saddle_context *context, const saddle__pattern *pattern,
                                      const saddle_problem *problem, int deep, int contacts)
{
    static const char *const names[3] = {"M", "J", "R"};
    const saddle_matrix *matrices[3] = {&problem->M, &problem->Jt, &problem->R};
    if (problem->n != pattern->n || problem->m != pattern->m)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "analysed with n = %lld, m = %lld, called with n = %lld, m = %lld",
                           (long long)pattern->n, (long long)pattern->m, (long long)problem->n,
                           (long long)problem->m);
    for (int i = 0; i < 3; i++) {
        int64_t entries = saddle_matrix_entries(matrices[i]);
        if (entries != pattern->entries[i] ||
            (deep && print_matrix(matrices[i]) != pattern->print[i]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "the pattern of %s is not the one analysed (%lld entries then, "
                               "%lld now)",
                               names[i], (long long)pattern->entries[i], (long long)entries);
    }
    if (!contacts) return SADDLE_OK;
    if (problem->contact_count != pattern->contacts ||
        print_contacts(problem) != pattern->contact_print)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the contacts' rows are not those analysed");
    if (problem->law != pattern->law || problem->facets != pattern->facets)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the contact law is not the one analysed (%s)",
                           saddle_law_word(pattern->law));
    return SADDLE_OK;
}
