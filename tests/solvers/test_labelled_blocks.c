/* SPDX-License-Identifier: MIT */
/* The mixed problems of blocks at rest, sticking and sliding in lcp_artisynth/MLCPtest.txt, by
 * every registered solver that takes such rows, against the answers that stand beside them:
 *
 *     M vel = bf + N the + D phi,   0 <= the _|_ N'vel >= 0,   |phi| <= flim
 *     D'vel = 0 where phi is between the limits, against phi at a limit
 *
 * that is J = [N'; D'], b = 0, R = 0.  The file is no problem file but text with labels: a problem
 * takes over from the one before what it does not give anew, null takes it away.  Many rows depend
 * on each other (D has the same column twice and more); vel is unique all the same, and so are
 * `the` and `phi` where the file gives them. */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support.h"

enum { N_MOST = 6, M_MOST = 12, TEXT_MOST = 8192, PROBLEMS = 13 };

/* A rows x cols by rows; cols = 0: null. */
typedef struct block {
    int64_t rows, cols;
    double a[N_MOST * M_MOST];
} block;

typedef enum label { M, NT, DT, FLIM, BF, VEL, THE, PHI, LABELS } label;

static const char *const label_word[LABELS] = {"M", "NT", "DT", "flim", "bf", "vel", "the", "phi"};

typedef struct labelled {
    int64_t number; /* in the file, from 1 */
    block of[LABELS];
} labelled;

/* ---- reading ---- */

/* The file without comments and names (one of which lacks its end). */
static void read_text(char *text)
{
    char line[256];
    size_t used = 0;
    FILE *file = fopen(test_data_path("lcp_artisynth/MLCPtest.txt"), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        if (line[0] == '#' || strstr(line, "name")) continue;
        assert_true(used + strlen(line) < TEXT_MOST);
        memcpy(text + used, line, strlen(line) + 1);
        used += strlen(line);
    }
    (void)fclose(file);
}

static int next_is(const char **at, char wanted)
{
    while (isspace((unsigned char)**at)) (*at)++;
    if (**at != wanted) return 0;
    (*at)++;
    return 1;
}

/* Numbers up to the bracket that ends them. */
static int64_t read_numbers(const char **at, double *x, int64_t most)
{
    int64_t count = 0;
    while (!next_is(at, ']')) {
        char *end;
        double number = strtod(*at, &end);
        if (end == *at || count == most)
            fail_msg("MLCPtest.txt: no number, or too many, at '%.20s'", *at);
        x[count++] = number;
        *at = end;
    }
    return count;
}

/* [ heights ] [ widths ] then [ block row, block column, numbers by rows ] each, up to the last
 * bracket. */
static void read_matrix(const char **at, block *A)
{
    double part[2 + N_MOST * M_MOST];
    double size[2][M_MOST];
    int64_t first[2][M_MOST + 1] = {{0}};
    int64_t count[2];
    memset(A, 0, sizeof *A);
    for (int k = 0; k < 2; k++) {
        if (k > 0) assert_true(next_is(at, '['));
        count[k] = read_numbers(at, size[k], M_MOST);
        for (int64_t i = 0; i < count[k]; i++) first[k][i + 1] = first[k][i] + (int64_t)size[k][i];
    }
    A->rows = first[0][count[0]];
    A->cols = first[1][count[1]];
    assert_true(A->rows <= N_MOST && A->cols <= M_MOST);
    while (next_is(at, '[')) {
        int64_t entries = read_numbers(at, part, 2 + N_MOST * M_MOST) - 2;
        int64_t I = (int64_t)part[0];
        int64_t J = (int64_t)part[1];
        assert_true(entries > 0 && I >= 0 && I < count[0] && J >= 0 && J < count[1]);
        int64_t width = (int64_t)size[1][J];
        assert_int_equal(entries, (int64_t)size[0][I] * width);
        for (int64_t k = 0; k < entries; k++)
            A->a[(first[0][I] + k / width) * A->cols + first[1][J] + k % width] = part[2 + k];
    }
    assert_true(next_is(at, ']'));
}

static void read_value(const char **at, block *A)
{
    if (strncmp(*at, "null", 4) == 0) {
        *at += 4;
        A->rows = A->cols = 0;
        return;
    }
    assert_true(next_is(at, '['));
    if (next_is(at, '[')) {
        read_matrix(at, A);
        return;
    }
    A->rows = 1;
    A->cols = read_numbers(at, A->a, M_MOST);
}

/* Reads the next problem into the last one; returns 0 at the end. */
static int read_next(const char **at, labelled *p)
{
    if (!next_is(at, '[')) return 0;
    p->number++;
    while (!next_is(at, ']')) {
        int k = 0;
        size_t length = strcspn(*at, "=");
        while (k < LABELS &&
               !(strlen(label_word[k]) == length && strncmp(*at, label_word[k], length) == 0))
            k++;
        if (k == LABELS) fail_msg("MLCPtest.txt: no label at '%.20s'", *at);
        *at += length + 1;
        while (isspace((unsigned char)**at)) (*at)++;
        read_value(at, &p->of[k]);
    }
    return 1;
}

/* ---- solving ---- */

static saddle_matrix sparse(int64_t rows, int64_t cols, const double *A, int64_t stride,
                            saddle_symmetry symmetry)
{
    int64_t row[N_MOST * M_MOST], col[N_MOST * M_MOST];
    double value[N_MOST * M_MOST];
    int64_t count = 0;
    for (int64_t i = 0; i < rows; i++) {
        for (int64_t j = 0; j < (symmetry == SADDLE_SYMMETRY_LOWER ? i + 1 : cols); j++) {
            if (A[i * stride + j] == 0.0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = A[i * stride + j];
        }
    }
    saddle_matrix made = {0};
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows, cols, count, row, col, value, symmetry,
                                                 &made),
                     SADDLE_OK);
    return made;
}

static void compare(const labelled *p, const char *solver, label which, const double *found,
                    double allowed)
{
    const block *wanted = &p->of[which];
    for (int64_t i = 0; i < wanted->cols; i++)
        if (!(fabs(found[i] - wanted->a[i]) <= allowed))
            fail_msg("problem %d by %s: %s[%d] is %.15g, not %.15g", (int)p->number, solver,
                     label_word[which], (int)i + 1, found[i], wanted->a[i]);
}

/* Velocities are up to 0.1, normal impulses up to 72. */
static int64_t solve_by_all(const labelled *p, const saddle_problem *problem)
{
    const saddle_solver_type *type;
    saddle_options options = saddle_options_default();
    options.tolerance = 1e-12;
    int64_t solvers = 0;
    for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
        if (saddle_solver_type_supports(NULL, type, problem) != SADDLE_OK) continue;
        saddle_solution x = {0};
        saddle_report report = {0};
        saddle_status status = saddle_solve(NULL, problem, type->name, &options, NULL, &x, &report);
        if (status != SADDLE_OK)
            fail_msg("problem %d by %s: %s, residual %g", (int)p->number, type->name,
                     saddle_status_name(status), report.residual.total);
        compare(p, type->name, VEL, x.v, 1e-12);
        compare(p, type->name, THE, x.lambda, 1e-8);
        if (p->of[PHI].cols == p->of[DT].cols)
            compare(p, type->name, PHI, x.lambda + p->of[NT].cols, 1e-8);
        saddle_solution_clear(&x);
        solvers++;
    }
    return solvers;
}

static int64_t solve_labelled(const labelled *p)
{
    int64_t n = p->of[M].rows;
    int64_t normals = p->of[NT].cols;
    int64_t m = normals + p->of[DT].cols;
    double Jt[N_MOST * M_MOST], f[N_MOST], b[M_MOST] = {0.0}, lo[M_MOST] = {0.0}, hi[M_MOST];
    assert_true(m <= M_MOST && p->of[NT].rows == n && p->of[BF].cols == n && p->of[VEL].cols == n);
    assert_true(m == normals || (p->of[DT].rows == n && p->of[FLIM].cols == m - normals));
    assert_true(p->of[THE].cols == 0 || p->of[THE].cols == normals);
    memcpy(f, p->of[BF].a, sizeof f);
    for (int64_t i = 0; i < m; i++) {
        const block *rows = &p->of[i < normals ? NT : DT];
        int64_t column = i < normals ? i : i - normals;
        for (int64_t j = 0; j < n; j++) Jt[j * m + i] = rows->a[j * rows->cols + column];
        hi[i] = i < normals ? (double)INFINITY : p->of[FLIM].a[column];
        if (i >= normals) lo[i] = -hi[i];
    }
    saddle_problem problem = {.n = n, .m = m, .f = f, .b = b, .lo = lo, .hi = hi};
    problem.M = sparse(n, n, p->of[M].a, n, SADDLE_SYMMETRY_LOWER);
    problem.Jt = sparse(n, m, Jt, m, SADDLE_SYMMETRY_NONE);
    int64_t solvers = solve_by_all(p, &problem);
    saddle_matrix_clear(&problem.M);
    saddle_matrix_clear(&problem.Jt);
    return solvers;
}

static void labelled_blocks_have_the_answers_that_stand_beside_them(void **state)
{
    (void)state;
    static char text[TEXT_MOST];
    read_text(text);
    const char *at = text;
    labelled p = {0};
    while (read_next(&at, &p)) assert_true(solve_labelled(&p) >= 5);
    assert_int_equal(p.number, PROBLEMS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(labelled_blocks_have_the_answers_that_stand_beside_them),
    };
    return cmocka_run_group_tests_name("labelled blocks", tests, NULL, NULL);
}
