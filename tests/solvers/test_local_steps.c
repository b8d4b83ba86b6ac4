/* SPDX-License-Identifier: MIT */
/* Block pivoting on heaps of discs with what is near settled between its steps and without: the
 * same answer, and its steps; schur and pivot through the public interface against lemke, another
 * method. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "disc_heap.h"
#include "schur/basis.h"
#include "support.h"

/* W = J M^-1 J' of a heap, lower triangle; q = J M^-1 f - b; added (m): a part `share` of W_ii. */
typedef struct pressing {
    int64_t m;
    saddle_matrix W;
    double *q, *lo, *hi, *step, *size, *added;
} pressing;

static void add_products(const saddle_matrix *Jt, const double *mass, int64_t i, double *dense,
                         int64_t *row, int64_t *col, double *value, int64_t *count)
{
    for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) dense[Jt->index[k]] = Jt->value[k];
    for (int64_t j = 0; j <= i; j++) {
        double sum = 0.0;
        for (int64_t k = Jt->start[j]; k < Jt->start[j + 1]; k++)
            sum += Jt->value[k] * dense[Jt->index[k]] / mass[Jt->index[k]];
        if (sum == 0.0) continue;
        row[*count] = i;
        col[*count] = j;
        value[(*count)++] = sum;
    }
    for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) dense[Jt->index[k]] = 0.0;
}

static pressing form(const disc_heap *h, double share)
{
    int64_t m = h->problem.m;
    const saddle_matrix *Jt = &h->problem.Jt;
    pressing p = {.m = m};
    double **arrays[] = {&p.q, &p.lo, &p.hi, &p.step, &p.size, &p.added};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++) {
        *arrays[k] = calloc((size_t)m, sizeof(double));
        assert_non_null(*arrays[k]);
    }
    double *dense = calloc((size_t)h->problem.n, sizeof(*dense));
    int64_t *row = calloc((size_t)(12 * m), sizeof(*row));
    int64_t *col = calloc((size_t)(12 * m), sizeof(*col));
    double *value = calloc((size_t)(12 * m), sizeof(*value));
    assert_true(dense && row && col && value);
    int64_t count = 0;
    for (int64_t i = 0; i < m; i++) add_products(Jt, h->mass, i, dense, row, col, value, &count);
    assert_true(count < 12 * m);
    assert_int_equal(saddle_matrix_from_triplets(NULL, m, m, count, row, col, value,
                                                 SADDLE_SYMMETRIC, &p.W),
                     SADDLE_OK);
    for (int64_t i = 0; i < m; i++) {
        p.q[i] = -h->b[i];
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++)
            p.q[i] += Jt->value[k] * h->f[Jt->index[k]] / h->mass[Jt->index[k]];
        p.size[i] = p.W.value[p.W.start[i]];
        p.step[i] = 1.0 / p.size[i];
        p.added[i] = share * p.size[i];
        p.hi[i] = (double)INFINITY;
    }
    free(dense);
    free(row);
    free(col);
    free(value);
    return p;
}

static void clear(pressing *p)
{
    double *arrays[] = {p->q, p->lo, p->hi, p->step, p->size, p->added};
    for (size_t k = 0; k < sizeof(arrays) / sizeof(*arrays); k++) free(arrays[k]);
    saddle_matrix_clear(&p->W);
}

/* The steps; from all rows at their lower bound. */
static int64_t run(const pressing *p, int locally, double *lambda)
{
    saddle_options options = saddle_options_default();
    saddle_report report = {0};
    saddle_solver_call call = {.options = &options,
                               .report = &report,
                               .deadline = (double)INFINITY};
    saddle__bounded_rows rows = {.m = p->m, .lo = p->lo, .hi = p->hi, .q = p->q, .step = p->step};
    saddle__sparse_basis basis = {0};
    saddle__pivoting s;
    assert_int_equal(saddle__sparse_basis_create(NULL, &p->W, &options, &basis), SADDLE_OK);
    saddle__sparse_basis_set(&basis, &p->W, p->added, p->size);
    saddle__basis table = saddle__sparse_basis_table(&basis);
    assert_true(table.local && table.system);
    if (!locally) table.local = NULL;
    assert_int_equal(saddle__pivoting_create(NULL, p->m, &s), SADDLE_OK);
    memset(lambda, 0, (size_t)p->m * sizeof(*lambda));
    saddle__pivoting_begin(&s, &rows, 0, lambda);
    assert_int_equal(saddle__pivoting_run(&s, &table, &rows, &call, lambda), SADDLE_OK);
    int64_t steps = s.steps;
    saddle__pivoting_clear(&s);
    saddle__sparse_basis_clear(&basis);
    return steps;
}

/* max |min(lambda_i, step_i w_i)|, w = (W + E) lambda + q */
static double defect_of(const pressing *p, const double *lambda)
{
    double largest = 0.0;
    double *w = calloc((size_t)p->m, sizeof(*w));
    assert_non_null(w);
    for (int64_t i = 0; i < p->m; i++) w[i] = p->q[i] + p->added[i] * lambda[i];
    saddle_matrix_apply(&p->W, 1.0, lambda, 1.0, w);
    for (int64_t i = 0; i < p->m; i++)
        largest = fmax(largest, fabs(fmin(lambda[i], p->step[i] * w[i])));
    free(w);
    return largest;
}

/* More often than not: what is settled by itself may have to be unsettled, and some heaps take
 * more. */
static void the_answer_is_the_same_and_more_heaps_take_fewer_steps_than_more(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    int64_t fewer = 0, more = 0;
    for (int draw = 0; draw < 16; draw++) {
        disc_heap h;
        int64_t side = draw < 6 ? test_integer(&seed, 3, 14) : 30;
        disc_heap_draw(&seed, side, test_integer(&seed, side, 2 * side), &h);
        pressing p = form(&h, 1e-3);
        double *lambda[2];
        int64_t steps[2];
        for (int k = 0; k < 2; k++) {
            lambda[k] = calloc((size_t)p.m, sizeof(double));
            steps[k] = run(&p, k, lambda[k]);
            assert_true(defect_of(&p, lambda[k]) < 1e-10);
        }
        assert_true(test_distance(lambda[0], lambda[1], p.m) < 1e-8);
        fewer += side == 30 && steps[1] < steps[0];
        more += side == 30 && steps[1] > steps[0];
        for (int k = 0; k < 2; k++) free(lambda[k]);
        clear(&p);
        disc_heap_clear(&h);
    }
    assert_true(fewer > more);
}

/* W, of fewer velocities than rows, is singular, and lambda not unique: J v is, and so W lambda.
 * With velocities, and by W alone. */
static void schur_and_pivot_have_the_velocities_of_lemke(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int draw = 0; draw < 3; draw++) {
        disc_heap h;
        disc_heap_draw(&seed, test_integer(&seed, 12, 20), test_integer(&seed, 12, 20), &h);
        pressing p = form(&h, 0.0);
        saddle_solution by_path = {0};
        saddle_report report;
        assert_int_equal(saddle_solve(NULL, &h.problem, "lemke", NULL, NULL, &by_path, &report),
                         SADDLE_OK);
        for (int k = 0; k < 3; k++) {
            const char *name = k == 0 ? "schur" : "pivot";
            saddle_solution x = {0};
            saddle_problem alone = {.m = p.m, .R = p.W, .lo = p.lo, .hi = p.hi};
            double *b = calloc((size_t)p.m, sizeof(*b));
            assert_non_null(b);
            for (int64_t i = 0; i < p.m; i++) b[i] = -p.q[i];
            alone.b = b;
            assert_int_equal(saddle_solve(NULL, k < 2 ? &h.problem : &alone, name, NULL, NULL, &x,
                                          &report),
                             SADDLE_OK);
            assert_true(test_distance(x.w, by_path.w, p.m) < 1e-8);
            if (k < 2) assert_true(test_distance(x.v, by_path.v, h.problem.n) < 1e-8);
            free(b);
            saddle_solution_clear(&x);
        }
        saddle_solution_clear(&by_path);
        clear(&p);
        disc_heap_clear(&h);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_answer_is_the_same_and_more_heaps_take_fewer_steps_than_more),
        cmocka_unit_test(schur_and_pivot_have_the_velocities_of_lemke),
    };
    return cmocka_run_group_tests_name("steps over all rows", tests, NULL, NULL);
}
