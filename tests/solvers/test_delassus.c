/* SPDX-License-Identifier: MIT */
/* saddle/delassus.h: W and q are what they say, for any impulses; solving with them is solving the
 * problem. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "drawn.h"

static saddle_delassus *formed(saddle_context *context, const saddle_problem *problem)
{
    saddle_delassus *D;
    assert_int_equal(saddle_delassus_create(context, problem, NULL, &D), SADDLE_OK);
    assert_int_equal(saddle_delassus_form(D, problem), SADDLE_OK);
    return D;
}

/* worst |W lambda + q - w| over 1 + |w|, with w = J v + R lambda - b and v = M^-1 (f + J'lambda) as
 * recovered, whose own equation is checked too */
static double defect(saddle_delassus *D, const saddle_problem *p, const double *lambda)
{
    double *v = calloc((size_t)p->n + 1, sizeof(*v));
    double *w = calloc((size_t)p->m + 1, sizeof(*w));
    double *q = calloc((size_t)p->m + 1, sizeof(*q));
    double *r = calloc((size_t)p->n + 1, sizeof(*r));
    double worst = 0.0;
    assert_int_equal(saddle_delassus_recover(D, p, lambda, v), SADDLE_OK);
    assert_int_equal(saddle_delassus_reduce(D, p, q), SADDLE_OK);
    for (int64_t j = 0; j < p->n; j++) r[j] = p->f ? -p->f[j] : 0.0;
    if (p->n > 0) saddle_matrix_apply(&p->M, 1.0, v, 1.0, r);
    if (p->n > 0 && p->m > 0) saddle_matrix_apply(&p->Jt, -1.0, lambda, 1.0, r);
    for (int64_t j = 0; j < p->n; j++) worst = fmax(worst, fabs(r[j]));
    for (int64_t i = 0; i < p->m; i++) w[i] = p->b ? -p->b[i] : 0.0;
    if (p->n > 0 && p->m > 0) saddle_matrix_apply_transpose(&p->Jt, 1.0, v, 1.0, w);
    if (p->m > 0 && p->R.rows > 0) saddle_matrix_apply(&p->R, 1.0, lambda, 1.0, w);
    if (p->m > 0) saddle_matrix_apply(saddle_delassus_matrix(D), 1.0, lambda, 1.0, q);
    for (int64_t i = 0; i < p->m; i++) worst = fmax(worst, fabs(w[i] - q[i]) / (1.0 + fabs(w[i])));
    free(v);
    free(w);
    free(q);
    free(r);
    return worst;
}

static void rows_velocities_are_affine_in_the_impulses(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const int draws = (int)test_draws_at_least(60, 600);
    int unsymmetric = 0;
    for (int trial = 0; trial < draws; trial++) {
        drawn_kind kind = draw_kind(&state, 20, trial % 2, 0);
        kind.decades = 0.0;
        drawn d;
        draw_problem(&state, kind, &d);
        saddle_delassus *D = formed(NULL, &d.problem);
        double lambda[21];
        unsymmetric += saddle_delassus_matrix(D)->symmetry == SADDLE_SYMMETRY_NONE;
        for (int64_t i = 0; i < kind.m; i++) lambda[i] = test_uniform(&state, -2.0, 2.0);
        assert_true(defect(D, &d.problem, lambda) < 1e-10);
        saddle_delassus_free(D);
        drawn_clear(&d);
    }
    assert_true(12 * unsymmetric > draws);
}

/* M symmetric, R with entries of its own in one triangle only. */
static void an_unsymmetric_compliance_is_added_where_it_is(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(100); trial++) {
        drawn_kind kind = {.n = test_integer(&state, 0, 12), .m = test_integer(&state, 2, 12)};
        drawn d;
        draw_problem(&state, kind, &d);
        int64_t row[] = {0, kind.m - 1, test_integer(&state, 1, kind.m - 1)};
        int64_t col[] = {1, 0, 0};
        double value[] = {0.25, -3.0, 2.0};
        saddle_matrix_clear(&d.problem.R);
        assert_int_equal(saddle_matrix_from_triplets(NULL, kind.m, kind.m, 3, row, col, value,
                                                     SADDLE_SYMMETRY_NONE, &d.problem.R),
                         SADDLE_OK);
        saddle_delassus *D = formed(NULL, &d.problem);
        double lambda[12];
        for (int64_t i = 0; i < kind.m; i++) lambda[i] = test_uniform(&state, -2.0, 2.0);
        assert_int_equal(saddle_delassus_form(D, &d.problem), SADDLE_OK); /* not added twice */
        assert_true(defect(D, &d.problem, lambda) < 1e-10);
        saddle_delassus_free(D);
        drawn_clear(&d);
    }
}

static void products_columns_and_blocks_are_those_of_the_matrix(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(100); trial++) {
        drawn_kind kind = draw_kind(&state, 20, trial % 2, 0);
        kind.decades = 0.0;
        kind.m = test_integer(&state, 6, 20);
        drawn d;
        draw_problem(&state, kind, &d);
        saddle_contact contacts[] = {{.row = 1, .size = 2}, {.row = 3, .size = 3}};
        d.problem.contacts = contacts;
        d.problem.contact_count = 2;
        saddle_delassus *D = formed(NULL, &d.problem);
        const saddle_matrix *W = saddle_delassus_matrix(D);
        double x[20] = {0.0}, y[20], column[20], block[60];
        assert_int_equal(saddle_delassus_blocks(D, &d.problem, block), SADDLE_OK);
        assert_true(block[0] == saddle_matrix_entry(W, 0, 0) &&
                    block[4] == saddle_matrix_entry(W, 2, 2));
        assert_true(block[3] == saddle_matrix_entry(W, 1, 2) &&
                    block[2] == saddle_matrix_entry(W, 2, 1));
        assert_true(block[6] == saddle_matrix_entry(W, 4, 3) &&
                    block[13] == saddle_matrix_entry(W, 5, 5));
        for (int64_t i = 6; i < kind.m; i++)
            assert_true(block[8 + i] == saddle_matrix_entry(W, i, i));
        for (int64_t j = 0; j < kind.m; j++) {
            x[j] = 1.0;
            assert_int_equal(saddle_delassus_apply(D, x, y), SADDLE_OK);
            assert_int_equal(saddle_delassus_column(D, j, column), SADDLE_OK);
            for (int64_t i = 0; i < kind.m; i++)
                assert_true(column[i] == y[i] && y[i] == saddle_matrix_entry(W, i, j));
            x[j] = 0.0;
        }
        assert_int_equal(saddle_delassus_column(D, kind.m, column), SADDLE_INVALID_ARGUMENT);
        assert_int_equal(saddle_delassus_column(D, -1, column), SADDLE_INVALID_ARGUMENT);
        saddle_delassus_free(D);
        d.problem.contacts = NULL;
        d.problem.contact_count = 0;
        drawn_clear(&d);
    }
}

static void dense_equals_sparse(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < 50; trial++) {
        drawn_kind kind = draw_kind(&state, 20, trial % 2, 0);
        kind.decades = 0.0;
        drawn d;
        draw_problem(&state, kind, &d);
        saddle_delassus *D = formed(NULL, &d.problem);
        const saddle_matrix *W = saddle_delassus_matrix(D);
        int64_t ld = kind.m + 2;
        double *dense = calloc((size_t)(ld * ld), sizeof(*dense));
        for (int64_t k = 0; k < ld * ld; k++) dense[k] = 7.0;
        assert_int_equal(saddle_delassus_dense(D, dense, ld), SADDLE_OK);
        for (int64_t j = 0; j < kind.m; j++)
            for (int64_t i = 0; i < ld; i++)
                assert_true(dense[i + j * ld] == (i < kind.m ? saddle_matrix_entry(W, i, j) : 7.0));
        if (kind.m > 0)
            assert_int_equal(saddle_delassus_dense(D, dense, kind.m - 1), SADDLE_INVALID_ARGUMENT);
        free(dense);
        saddle_delassus_free(D);
        drawn_clear(&d);
    }
}

/* ---- M of small blocks ---- */

enum { NODES = 24, ROWS = 16 };

/* Entries that are not zero; of a symmetric matrix the lower triangle's. */
static saddle_matrix sparse(int64_t rows, int64_t cols, const double *dense, saddle_symmetry kind)
{
    int64_t row[NODES * NODES], col[NODES * NODES], count = 0;
    double value[NODES * NODES];
    saddle_matrix A;
    for (int64_t j = 0; j < cols; j++)
        for (int64_t i = kind == SADDLE_SYMMETRY_LOWER ? j : 0; i < rows; i++) {
            if (dense[i + NODES * j] == 0.0) continue;
            row[count] = i;
            col[count] = j;
            value[count++] = dense[i + NODES * j];
        }
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows, cols, count, row, col, value, kind,
                                                 &A),
                     SADDLE_OK);
    return A;
}

/* body (NODES): drawn for each velocity, `most` velocities of a body at most. */
static void draw_bodies(uint64_t *state, int64_t most, int64_t *body)
{
    int64_t size[NODES] = {0}, bodies = (NODES + most - 1) / most;
    for (int64_t j = 0; j < NODES; j++) {
        body[j] = test_integer(state, 0, bodies - 1);
        while (size[body[j]] == most) body[j] = (body[j] + 1) % bodies;
        size[body[j]]++;
    }
}

/* Diagonally dominant within each body; the sign of a body's mass is drawn where M may be
 * indefinite.  Rows of J reach two bodies. */
static saddle_problem draw_of_bodies(uint64_t *state, const int64_t *body, int indefinite, int tied,
                                     int (*reaches)[NODES])
{
    static double M[NODES * NODES], J[NODES * NODES], R[NODES * NODES];
    memset(M, 0, sizeof M);
    memset(J, 0, sizeof J);
    memset(R, 0, sizeof R);
    for (int64_t j = 0; j < NODES; j++)
        for (int64_t i = j; i < NODES; i++)
            if (body[i] == body[j])
                M[i + NODES * j] = i > j                            ? test_uniform(state, -0.3, 0.3)
                                   : indefinite && body[j] % 2 == 0 ? -2.0
                                                                    : 2.0;
    for (int64_t k = 0; k < ROWS; k++)
        for (int side = 0; side < 2; side++) {
            int64_t b = body[test_integer(state, 0, NODES - 1)];
            reaches[k][b] = 1;
            for (int64_t j = 0; j < NODES; j++)
                if (body[j] == b && (J[j + NODES * k] == 0.0 || test_integer(state, 0, 1)))
                    J[j + NODES * k] = test_uniform(state, -1.0, 1.0);
        }
    if (tied) R[ROWS - 1] = 0.25;
    return (saddle_problem){.n = NODES,
                            .m = ROWS,
                            .M = sparse(NODES, NODES, M, SADDLE_SYMMETRY_LOWER),
                            .Jt = sparse(NODES, ROWS, J, SADDLE_SYMMETRY_NONE),
                            .R = sparse(ROWS, ROWS, R, SADDLE_SYMMETRY_LOWER)};
}

/* W, q and v equal their formulas for bodies of one to six velocities, in any order, and for larger
 * bodies, factored in another way; W has entries for rows with a common body, and those of R. */
static void small_blocks_of_mass_give_what_they_say(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    for (int trial = 0; trial < test_draws(200); trial++) {
        int64_t body[NODES];
        int reaches[ROWS][NODES] = {{0}}, tied = trial % 3 == 0;
        draw_bodies(&state, trial % 8 + 1, body);
        saddle_problem p = draw_of_bodies(&state, body, trial % 2, tied, reaches);
        saddle_delassus *D = formed(NULL, &p);
        const saddle_matrix *W = saddle_delassus_matrix(D);
        double lambda[ROWS];
        for (int64_t i = 0; i < ROWS; i++) lambda[i] = test_uniform(&state, -2.0, 2.0);
        assert_int_equal(saddle_delassus_form(D, &p), SADDLE_OK); /* not added twice */
        assert_true(defect(D, &p, lambda) < 1e-12);
        for (int64_t j = 0; j < ROWS; j++)
            for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
                int64_t i = W->index[k];
                int shared = i == j || (tied && i == ROWS - 1 && j == 0);
                for (int b = 0; b < NODES; b++) shared |= reaches[i][b] && reaches[j][b];
                assert_true(shared);
            }
        saddle_delassus_free(D);
        saddle_matrix_clear(&p.M);
        saddle_matrix_clear(&p.Jt);
        saddle_matrix_clear(&p.R);
    }
}

/* The second of two equal rows of a body's mass, M = [2 2; 2 2]. */
static void a_singular_block_of_mass_is_named(void **unused)
{
    (void)unused;
    int64_t start[] = {0, 1, 3, 4}, index[] = {0, 1, 2, 2}, row_start[] = {0, 1}, row_index[] = {1};
    double mass[] = {1.0, 2.0, 2.0, 2.0}, row[] = {1.0};
    saddle_problem p = {.n = 3, .m = 1};
    saddle_context *context;
    saddle_delassus *D;
    p.M = saddle_matrix_view(3, 3, start, index, mass, SADDLE_SYMMETRY_LOWER);
    p.Jt = saddle_matrix_view(3, 1, row_start, row_index, row, SADDLE_SYMMETRY_NONE);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_delassus_create(context, &p, NULL, &D), SADDLE_OK);
    assert_int_equal(saddle_delassus_form(D, &p), SADDLE_SINGULAR);
    assert_non_null(strstr(saddle_context_message(context), "velocity 3"));
    mass[3] = 2.5; /* W: an entry of [2 2; 2 2.5] inverted, 2.5 / (2 2.5 - 4) */
    assert_int_equal(saddle_delassus_form(D, &p), SADDLE_OK);
    assert_true(fabs(saddle_matrix_entry(saddle_delassus_matrix(D), 0, 0) - 2.5) < 1e-14);
    saddle_delassus_free(D);
    saddle_context_free(context);
}

/* ---- a block of 2 kg thrown onto a plane: rows along and across it ---- */

typedef struct block {
    int64_t start[3], index[2], row_start[3], row_index[2];
    double mass[2], row[2], f[2], b[2];
    saddle_contact contact;
    saddle_problem problem;
} block;

static void make_block(block *k)
{
    block fresh = {.start = {0, 1, 2},
                   .index = {0, 1},
                   .row_start = {0, 1, 2},
                   .row_index = {1, 0},
                   .mass = {2.0, 2.0},
                   .row = {1.0, 1.0},
                   .f = {6.0, -4.0},
                   .contact = {.row = 0, .size = 2, .mu = 0.5}};
    *k = fresh;
    k->problem.n = k->problem.m = 2;
    k->problem.M = saddle_matrix_view(2, 2, k->start, k->index, k->mass, SADDLE_SYMMETRY_LOWER);
    k->problem.Jt = saddle_matrix_view(2, 2, k->row_start, k->row_index, k->row,
                                       SADDLE_SYMMETRY_NONE);
    k->problem.f = k->f;
    k->problem.b = k->b;
    k->problem.contacts = &k->contact;
    k->problem.contact_count = 1;
}

/* by hand: lambda_n = 4, lambda_t = -0.5 * 4, v = ((6 - 2)/2, 0) */
static void a_problem_without_velocities_has_the_same_answer(void **unused)
{
    (void)unused;
    block k;
    make_block(&k);
    saddle_delassus *D = formed(NULL, &k.problem);
    double b[2];
    assert_int_equal(saddle_delassus_reduce(D, &k.problem, b), SADDLE_OK);
    for (int i = 0; i < 2; i++) b[i] = -b[i];
    saddle_problem small = {.m = 2,
                            .R = *saddle_delassus_matrix(D),
                            .b = b,
                            .contacts = &k.contact};
    small.contact_count = 1;
    saddle_solution x = {0};
    assert_int_equal(saddle_solve(NULL, &small, NULL, NULL, NULL, &x, NULL), SADDLE_OK);
    double v[2];
    assert_int_equal(saddle_delassus_recover(D, &k.problem, x.lambda, v), SADDLE_OK);
    assert_true(fabs(x.lambda[0] - 4.0) < 1e-9 && fabs(x.lambda[1] + 2.0) < 1e-9);
    assert_true(fabs(v[0] - 2.0) < 1e-9 && fabs(v[1]) < 1e-9);
    saddle_solution_clear(&x);
    saddle_delassus_free(D);
}

static void misuse_is_refused(void **unused)
{
    (void)unused;
    block k;
    make_block(&k);
    saddle_delassus *D;
    double q[4];
    assert_int_equal(saddle_delassus_create(NULL, &k.problem, NULL, &D), SADDLE_OK);
    assert_int_equal(saddle_delassus_reduce(D, &k.problem, q), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_delassus_recover(D, &k.problem, k.f, q), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_delassus_dense(D, q, 2), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_delassus_apply(D, k.f, q), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_delassus_column(D, 0, q), SADDLE_WRONG_PHASE);
    assert_int_equal(saddle_delassus_blocks(D, &k.problem, q), SADDLE_WRONG_PHASE);
    saddle_problem other = k.problem;
    other.m = 1;
    assert_int_equal(saddle_delassus_form(D, &other), SADDLE_INVALID_ARGUMENT);
    k.row_index[0] = 0; /* as many entries, elsewhere */
    assert_int_equal(saddle_delassus_form(D, &k.problem), SADDLE_INVALID_ARGUMENT);
    k.row_index[0] = 1;
    k.row[1] = (double)NAN;
    assert_int_equal(saddle_delassus_form(D, &k.problem), SADDLE_INVALID_PROBLEM);
    k.row[1] = 1.0;
    k.mass[1] = 0.0;
    assert_int_equal(saddle_delassus_form(D, &k.problem), SADDLE_SINGULAR);
    assert_int_equal(saddle_delassus_reduce(D, &k.problem, q), SADDLE_WRONG_PHASE);
    saddle_delassus_free(D);
    saddle_delassus_free(NULL);
    k.mass[1] = (double)NAN;
    assert_int_equal(saddle_delassus_create(NULL, &k.problem, NULL, &D), SADDLE_INVALID_PROBLEM);
    assert_null(D);
    k.mass[1] = 1.0;
    k.problem.M.symmetry = SADDLE_SYMMETRY_NONE;
    assert_int_equal(saddle_delassus_create(NULL, &k.problem, NULL, &D), SADDLE_OK);
    k.mass[1] = 0.0;
    assert_int_equal(saddle_delassus_form(D, &k.problem), SADDLE_SINGULAR);
    saddle_delassus_free(D);
}

/* ---- an operator of the host in place of M ---- */

/* A dense M by columns. */
typedef struct host {
    int64_t n;
    double M[20 * 20];
    saddle_status status; /* of its solve */
} host;

static saddle_status host_solve(void *user, double *x)
{
    const host *h = user;
    double M[20 * 20];
    memcpy(M, h->M, sizeof M);
    if (h->status != SADDLE_OK) return h->status;
    return saddle__dense_solve(NULL, h->n, M, x);
}

static saddle_status host_multiply(void *user, const double *x, double *y)
{
    const host *h = user;
    for (int64_t i = 0; i < h->n; i++) {
        y[i] = 0.0;
        for (int64_t j = 0; j < h->n; j++) y[i] += h->M[i + h->n * j] * x[j];
    }
    return SADDLE_OK;
}

static saddle_status host_diagonal(void *user, double *d)
{
    const host *h = user;
    for (int64_t j = 0; j < h->n; j++) d[j] = h->M[j + h->n * j];
    return SADDLE_OK;
}

/* by Cholesky, M = L L' */
static saddle_status host_half_solve(void *user, double *x)
{
    const host *h = user;
    const int64_t n = h->n;
    double L[20 * 20];
    memcpy(L, h->M, sizeof L);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t k = 0; k < j; k++)
            for (int64_t i = j; i < n; i++) L[i + n * j] -= L[i + n * k] * L[j + n * k];
        const double pivot = sqrt(L[j + n * j]);
        for (int64_t i = j; i < n; i++) L[i + n * j] /= pivot;
        x[j] /= L[j + n * j];
        for (int64_t i = j + 1; i < n; i++) x[i] -= L[i + n * j] * x[j];
    }
    return SADDLE_OK;
}

/* J M^-1 J' by products. */
static saddle_status host_complement(void *user, const saddle_matrix *Jt, double *S)
{
    host *h = user;
    for (int64_t j = 0; j < Jt->cols; j++) {
        double x[20] = {0.0};
        for (int64_t k = Jt->start[j]; k < Jt->start[j + 1]; k++) x[Jt->index[k]] = Jt->value[k];
        const saddle_status status = host_solve(h, x);
        if (status != SADDLE_OK) return status;
        for (int64_t i = j; i < Jt->cols; i++) {
            double sum = 0.0;
            for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++)
                sum += Jt->value[k] * x[Jt->index[k]];
            *S++ = sum;
        }
    }
    return SADDLE_OK;
}

static saddle_mass_operator host_operator(const saddle_problem *p, host *h)
{
    h->n = p->n;
    h->status = SADDLE_OK;
    if (p->n > 0) test_dense(&p->M, h->M);
    return (saddle_mass_operator){.n = p->n,
                                  .user = h,
                                  .solve = host_solve,
                                  .multiply = host_multiply,
                                  .diagonal = host_diagonal};
}

/* A definite M, any R, M of the problem taken away: W, q, v as with M formed. */
static void an_operator_gives_the_same_rows(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    host h;
    int general = 0;
    for (int trial = 0; trial < test_draws(200); trial++) {
        drawn_kind kind = draw_kind(&state, 20, trial % 2, 0);
        kind.decades = 0.0;
        kind.indefinite = kind.massless = kind.redundant = 0;
        if (kind.n > 0) kind.unsymmetric = 0;
        drawn d;
        draw_problem(&state, kind, &d);
        if (kind.n > 0 && kind.m > 0 && trial % 4 == 0) d.problem.R.symmetry = SADDLE_SYMMETRY_NONE;
        saddle_problem hidden = d.problem;
        saddle_mass_operator mass = host_operator(&d.problem, &h);
        saddle_delassus *D[2];
        if (trial % 3 == 0) mass.half_solve = host_half_solve;
        if (trial % 9 % 4 == 1) mass.complement = host_complement; /* beside the other or alone */
        double q[2][20], v[2][20], lambda[20];
        D[0] = formed(NULL, &d.problem);
        hidden.M = (saddle_matrix){0};
        assert_int_equal(saddle_delassus_create_by_operator(NULL, &hidden, &mass, NULL, &D[1]),
                         SADDLE_OK);
        for (int k = 0; k < 2; k++) /* R is not added twice */
            assert_int_equal(saddle_delassus_form(D[1], &hidden), SADDLE_OK);
        general += saddle_delassus_matrix(D[1])->symmetry == SADDLE_SYMMETRY_NONE;
        for (int64_t i = 0; i < kind.m; i++) lambda[i] = test_uniform(&state, -2.0, 2.0);
        for (int k = 0; k < 2; k++) {
            assert_int_equal(saddle_delassus_reduce(D[k], k ? &hidden : &d.problem, q[k]),
                             SADDLE_OK);
            assert_int_equal(saddle_delassus_recover(D[k], k ? &hidden : &d.problem, lambda, v[k]),
                             SADDLE_OK);
        }
        for (int64_t i = 0; i < kind.m; i++)
            for (int64_t j = 0; j < kind.m; j++) {
                const double W = saddle_matrix_entry(saddle_delassus_matrix(D[0]), i, j);
                const double other = saddle_matrix_entry(saddle_delassus_matrix(D[1]), i, j);
                assert_true(fabs(W - other) <= 1e-9 * (1.0 + fabs(W)));
            }
        for (int64_t i = 0; i < kind.m; i++) assert_true(fabs(q[0][i] - q[1][i]) <= 1e-9);
        for (int64_t j = 0; j < kind.n; j++) assert_true(fabs(v[0][j] - v[1][j]) <= 1e-9);
        for (int k = 0; k < 2; k++) saddle_delassus_free(D[k]);
        drawn_clear(&d);
    }
    assert_true(general > 0 || test_is_slow());
}

static void a_wrong_operator_is_refused(void **unused)
{
    (void)unused;
    block k;
    host h;
    saddle_delassus *D;
    saddle_solver *solver;
    saddle_context *context;
    double v[2], lambda[2], w[2];
    saddle_solution x = {2, 2, v, lambda, w, 0, NULL};
    make_block(&k);
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    const saddle_mass_operator good = host_operator(&k.problem, &h);
    for (int wrong = 0; wrong < 5; wrong++) {
        saddle_mass_operator mass = good;
        if (wrong == 0) mass.solve = NULL;
        if (wrong == 1) mass.multiply = NULL;
        if (wrong == 2) mass.diagonal = NULL;
        if (wrong == 3) mass.n = 3;
        assert_int_equal(saddle_delassus_create_by_operator(context, &k.problem,
                                                            wrong == 4 ? NULL : &mass, NULL, &D),
                         SADDLE_INVALID_ARGUMENT);
        assert_non_null(strstr(saddle_context_message(context), "mass operator"));
        assert_null(D);
    }
    assert_int_equal(saddle_solver_create(context, "gauss-seidel", NULL, &solver), SADDLE_OK);
    assert_int_equal(saddle_solver_set_mass(solver, &good), SADDLE_OK);
    assert_int_equal(saddle_solver_analyse(solver, &k.problem), SADDLE_OK);
    h.M[3] = 0.0; /* of the second velocity */
    assert_true(saddle_solver_factor(solver, &k.problem) < 0);
    h.M[3] = -2.0;
    assert_int_equal(saddle_solver_factor(solver, &k.problem), SADDLE_SINGULAR);
    assert_non_null(strstr(saddle_context_message(context), "velocity 2"));
    h.M[3] = 2.0;
    h.status = SADDLE_STOPPED;
    assert_int_equal(saddle_solver_factor(solver, &k.problem), SADDLE_STOPPED);
    h.status = SADDLE_OK;
    assert_int_equal(saddle_solver_factor(solver, &k.problem), SADDLE_OK);
    assert_int_equal(saddle_solver_solve(solver, &k.problem, NULL, &x), SADDLE_OK);
    assert_true(fabs(v[0] - 2.0) < 1e-9 && fabs(lambda[0] - 4.0) < 1e-9);
    saddle_solver_free(solver);
    saddle_context_free(context);
}

/* ---- memory ---- */

static saddle_status body(saddle_context *context, void *user)
{
    const drawn *d = user;
    saddle_delassus *D;
    saddle_status status = saddle_delassus_create(context, &d->problem, NULL, &D);
    if (status == SADDLE_OK) status = saddle_delassus_form(D, &d->problem);
    saddle_delassus_free(D);
    return status;
}

static void an_allocation_that_fails_is_an_error_and_leaks_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn_kind kind = {.n = 14, .m = 9, .compliance = DIAGONAL_R};
    drawn d;
    draw_problem(&state, kind, &d);
    assert_true(test_allocation_sweep(body, &d) > 40);
    d.problem.M.symmetry = SADDLE_SYMMETRY_NONE; /* the lower triangle alone */
    assert_true(test_allocation_sweep(body, &d) > 60);
    drawn_clear(&d);
}

static void forming_again_allocates_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    drawn_kind kind = {.n = 20, .m = 15, .compliance = DIAGONAL_R};
    drawn d;
    draw_problem(&state, kind, &d);
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, -1);
    saddle_delassus *D;
    double q[15], v[20];
    assert_int_equal(saddle_delassus_create(context, &d.problem, NULL, &D), SADDLE_OK);
    int64_t before = memory.count;
    assert_int_equal(saddle_delassus_form(D, &d.problem), SADDLE_OK);
    assert_int_equal(saddle_delassus_reduce(D, &d.problem, q), SADDLE_OK);
    assert_int_equal(saddle_delassus_recover(D, &d.problem, q, v), SADDLE_OK);
    assert_int_equal(memory.count, before);
    saddle_delassus_free(D);
    test_memory_end(&memory, context);
    drawn_clear(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_velocities_are_affine_in_the_impulses),
        cmocka_unit_test(an_unsymmetric_compliance_is_added_where_it_is),
        cmocka_unit_test(products_columns_and_blocks_are_those_of_the_matrix),
        cmocka_unit_test(dense_equals_sparse),
        cmocka_unit_test(small_blocks_of_mass_give_what_they_say),
        cmocka_unit_test(a_singular_block_of_mass_is_named),
        cmocka_unit_test(a_problem_without_velocities_has_the_same_answer),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(an_operator_gives_the_same_rows),
        cmocka_unit_test(a_wrong_operator_is_refused),
        cmocka_unit_test(an_allocation_that_fails_is_an_error_and_leaks_nothing),
        cmocka_unit_test(forming_again_allocates_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
