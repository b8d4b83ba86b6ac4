/* SPDX-License-Identifier: MIT */
/* See files_support.h. */
#include "files_support.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "files/mtx.h"

const char *join(const char *folder, const char *name)
{
    static char paths[8][4096];
    static int next;
    char *path = paths[next++ % 8];
    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

void write_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t size = 0, room = 1 << 20;
    char *text = malloc(room);
    assert_non_null(text);
    size = fread(text, 1, room - 1, file);
    assert_true(feof(file));
    text[size] = 0;
    fclose(file);
    return text;
}

saddle_status parse_matrix(saddle_context *context, const char *text, int64_t length,
                           const char *label, saddle_matrix *A)
{
    saddle__scan scan = saddle__scan_text(context, text, length, label);
    return saddle__mtx_scan(&scan, A);
}

saddle_status parse_array(saddle_context *context, const char *text, int64_t length,
                          const char *label, int allow_infinite, int64_t *rows, int64_t *cols,
                          double **value)
{
    saddle__scan scan = saddle__scan_text(context, text, length, label);
    *rows = *cols = -1;
    saddle_status status = saddle__array_scan(&scan, "", allow_infinite, rows, cols, value);
    if (status != SADDLE_OK) *rows = *cols = 0;
    return status;
}

int exists(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0;
}

int64_t count_entries(const char *folder)
{
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    int64_t count = 0;
    for (struct dirent *entry; (entry = readdir(directory)) != NULL;)
        count += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
    closedir(directory);
    return count;
}

double draw_bits(uint64_t *state)
{
    uint64_t high = (uint64_t)test_integer(state, 0, UINT32_MAX),
             low = (uint64_t)test_integer(state, 0, UINT32_MAX);
    uint64_t bits = high << 32 | low, fraction = UINT64_C(0x000fffffffffffff);
    switch (test_integer(state, 0, 15)) {
    case 0: bits &= UINT64_C(0x800fffffffffffff); break; /* subnormal */
    case 1: bits &= UINT64_C(0x8000000000000000); break; /* a zero */
    case 2: bits = (bits & ~fraction); break;            /* a power of two */
    case 3: bits = (bits & UINT64_C(0x8000000000000000)) | UINT64_C(0x7fefffffffffffff); break;
    case 4: return (double)test_integer(state, -1000, 1000);
    case 5: return test_uniform(state, -1, 1);
    default: break;
    }
    double value;
    memcpy(&value, &bits, sizeof value);
    return isfinite(value) ? value : 0.1;
}

void assert_same_bits(const double *a, const double *b, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (memcmp(&a[i], &b[i], sizeof *a) != 0)
            fail_msg("entry %lld: %.17g, not %.17g", (long long)i, b[i], a[i]);
}

void assert_same_matrix(const saddle_matrix *A, const saddle_matrix *B)
{
    int64_t entries = saddle_matrix_entries(A);
    assert_int_equal(A->rows, B->rows);
    assert_int_equal(A->cols, B->cols);
    assert_int_equal(A->symmetry, B->symmetry);
    assert_int_equal(entries, saddle_matrix_entries(B));
    if (entries == 0) return;
    assert_memory_equal(A->start, B->start, (size_t)(A->cols + 1) * sizeof *A->start);
    assert_memory_equal(A->index, B->index, (size_t)entries * sizeof *A->index);
    assert_same_bits(A->value, B->value, entries);
}

static void assert_same_vector(const double *a, const double *b, int64_t count)
{
    assert_true((a == NULL) == (b == NULL));
    if (a) assert_same_bits(a, b, count);
}

static void assert_same_string(const char *a, const char *b)
{
    assert_true((a == NULL) == (b == NULL));
    if (a) assert_string_equal(a, b);
}

static void assert_same_strings(char *const *a, char *const *b, int64_t count)
{
    assert_true((a == NULL) == (b == NULL));
    for (int64_t i = 0; a && i < count; i++) assert_same_string(a[i], b[i]);
}

static void assert_same_integers(const int64_t *a, const int64_t *b, int64_t count)
{
    assert_true((a == NULL) == (b == NULL));
    for (int64_t i = 0; a && i < count; i++) assert_int_equal(a[i], b[i]);
}

void assert_same_problem(const saddle_problem *a, const saddle_problem *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->m, b->m);
    if (a->n > 0) assert_same_matrix(&a->M, &b->M);
    if (saddle_matrix_entries(&a->Jt) > 0 || saddle_matrix_entries(&b->Jt) > 0)
        assert_same_matrix(&a->Jt, &b->Jt);
    if (a->R.rows > 0 || b->R.rows > 0) assert_same_matrix(&a->R, &b->R);
    assert_same_vector(a->f, b->f, a->n);
    assert_same_vector(a->b, b->b, a->m);
    for (int64_t i = 0; i < a->m; i++) {
        double bounds_a[] = {saddle_problem_lo(a, i), saddle_problem_hi(a, i)};
        double bounds_b[] = {saddle_problem_lo(b, i), saddle_problem_hi(b, i)};
        assert_same_bits(bounds_a, bounds_b, 2);
    }
    assert_int_equal(a->contact_count, b->contact_count);
    for (int64_t c = 0; c < a->contact_count; c++) {
        assert_int_equal(a->contacts[c].row, b->contacts[c].row);
        assert_int_equal(a->contacts[c].size, b->contacts[c].size);
        assert_same_bits(&a->contacts[c].mu, &b->contacts[c].mu, 1);
        assert_same_bits(&a->contacts[c].mu_torsion, &b->contacts[c].mu_torsion, 1);
        assert_same_bits(&a->contacts[c].mu_rolling, &b->contacts[c].mu_rolling, 1);
    }
    assert_int_equal(a->law, b->law);
    assert_int_equal(a->facets, b->facets);
    assert_same_integers(a->row_id, b->row_id, a->m);
    assert_same_strings(a->row_name, b->row_name, a->m);
    assert_int_equal(a->component_count, b->component_count);
    if (a->component_count > 0) {
        assert_same_integers(a->component_size, b->component_size, a->component_count);
        assert_same_strings(a->component_name, b->component_name, a->component_count);
    }
    assert_same_string(a->name, b->name);
    assert_same_string(a->source, b->source);
    assert_same_bits(&a->time_step, &b->time_step, 1);
}

void draw_matrix(saddle_context *context, uint64_t *state, int64_t rows, int64_t cols,
                 double density, saddle_symmetry symmetry, saddle_matrix *A)
{
    assert_int_equal(saddle_matrix_create(context, rows, cols, rows * cols, symmetry, A),
                     SADDLE_OK);
    int64_t k = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = symmetry == SADDLE_SYMMETRY_LOWER ? j : 0; i < rows; i++)
            if (test_uniform(state, 0, 1) < density) {
                A->index[k] = i;
                A->value[k++] = draw_bits(state);
            }
        A->start[j + 1] = k;
    }
}

static double *draw_vector(saddle_context *context, uint64_t *state, int64_t count)
{
    if (test_integer(state, 0, 3) == 0) return NULL;
    double *x = saddle_allocate(context, count, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < count; i++) x[i] = draw_bits(state);
    return x;
}

static char *draw_name(saddle_context *context, uint64_t *state)
{
    static const char *const names[] = {"tibia",
                                        "left \"knee\"",
                                        "back\\slash\nnewline\ttab\001",
                                        "h\303\274fte \342\202\254 \360\237\246\264",
                                        "",
                                        "a/b"};
    const char *name = names[test_integer(state, 0, 5)];
    char *copy = saddle_allocate(context, (int64_t)strlen(name) + 1, 1);
    assert_non_null(copy);
    return strcpy(copy, name);
}

static char **draw_names(saddle_context *context, uint64_t *state, int64_t count)
{
    char **names = saddle_allocate(context, count, sizeof *names);
    assert_non_null(names);
    for (int64_t i = 0; i < count; i++)
        names[i] = test_integer(state, 0, 2) == 0 ? NULL : draw_name(context, state);
    return names;
}

static void draw_bounds(saddle_context *context, uint64_t *state, saddle_problem *problem)
{
    int64_t m = problem->m;
    problem->lo = saddle_allocate(context, m, sizeof *problem->lo);
    problem->hi = saddle_allocate(context, m, sizeof *problem->hi);
    assert_true(problem->lo && problem->hi);
    for (int64_t i = 0; i < m; i++) {
        double a = draw_bits(state), b = draw_bits(state);
        problem->lo[i] = test_integer(state, 0, 1) ? -INF : a < b ? a : b;
        problem->hi[i] = test_integer(state, 0, 1) ? INF : a < b ? b : a;
    }
}

static void draw_contacts(saddle_context *context, uint64_t *state, saddle_problem *problem)
{
    problem->contacts = saddle_allocate(context, problem->m, sizeof *problem->contacts);
    assert_non_null(problem->contacts);
    int64_t widest = test_integer(state, 0, 1) ? 3 : SADDLE_CONTACT_ROWS;
    for (int64_t row = test_integer(state, 0, 2);;) {
        int64_t size = test_integer(state, 2, widest);
        if (row + size > problem->m) break;
        saddle_contact *contact = &problem->contacts[problem->contact_count++];
        *contact = (saddle_contact){.row = row, .size = size, .mu = fabs(draw_bits(state))};
        if (size == 4 || size == 6) contact->mu_torsion = fabs(draw_bits(state));
        if (size >= 5) contact->mu_rolling = fabs(draw_bits(state));
        row += size + test_integer(state, 0, 1);
    }
    problem->law = (saddle_law)test_integer(state, 0, 3);
    problem->facets = test_integer(state, 0, 1) ? 0 : test_integer(state, 3, 12);
}

static void draw_labels(saddle_context *context, uint64_t *state, saddle_problem *problem)
{
    int64_t m = problem->m;
    problem->row_id = saddle_allocate(context, m, sizeof *problem->row_id);
    assert_non_null(problem->row_id);
    for (int64_t i = 0; i < m; i++) problem->row_id[i] = i % 2 ? INT64_MAX - i : INT64_MIN + i;
    problem->row_name = draw_names(context, state, m);
    problem->component_count = test_integer(state, 1, 3);
    problem->component_size = saddle_allocate(context, problem->component_count,
                                              sizeof *problem->component_size);
    assert_non_null(problem->component_size);
    int64_t left = problem->n;
    for (int64_t c = 0; c < problem->component_count; c++) {
        int64_t size = c == problem->component_count - 1 ? left : test_integer(state, 0, left);
        problem->component_size[c] = size;
        left -= size;
    }
    if (test_integer(state, 0, 1))
        problem->component_name = draw_names(context, state, problem->component_count);
    problem->name = draw_name(context, state);
    problem->source = draw_name(context, state);
    problem->time_step = fabs(draw_bits(state));
}

void draw_bundle(saddle_context *context, uint64_t *state, saddle_problem *problem)
{
    *problem = (saddle_problem){.owner = 1, .context = context};
    int64_t n = problem->n = test_integer(state, 0, 2) == 0 ? 0 : test_integer(state, 1, 9);
    int64_t m = problem->m = test_integer(state, 0, 3) == 0 ? 0 : test_integer(state, 1, 9);
    draw_matrix(context, state, n, n, 0.4, (saddle_symmetry)test_integer(state, 0, 1), &problem->M);
    draw_matrix(context, state, n, m, 0.2 * (double)test_integer(state, 0, 4), SADDLE_SYMMETRY_NONE,
                &problem->Jt);
    if (test_integer(state, 0, 1))
        draw_matrix(context, state, m, m, 0.3, (saddle_symmetry)test_integer(state, 0, 1),
                    &problem->R);
    problem->f = draw_vector(context, state, n);
    problem->b = draw_vector(context, state, m);
    if (test_integer(state, 0, 1)) draw_bounds(context, state, problem);
    if (test_integer(state, 0, 1)) draw_contacts(context, state, problem);
    if (test_integer(state, 0, 1)) draw_labels(context, state, problem);
    assert_int_equal(saddle_problem_check(context, problem, NULL, NULL), SADDLE_OK);
}

void assert_message(saddle_context *context, const char *text)
{
    if (!strstr(saddle_context_message(context), text))
        fail_msg("the message is \"%s\", without \"%s\"", saddle_context_message(context), text);
}
