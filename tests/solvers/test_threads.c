/* SPDX-License-Identifier: MIT */
/* Contexts side by side: each thread solves its own problems; nothing is shared, and the bits are
 * those of one thread. */
#include "support.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

enum { THREADS = 4, ROUNDS = 6, SIZE = 40, ROWS = 12 };

typedef struct job {
    uint64_t seed;
    const char *solver;
    double v[SIZE], lambda[ROWS];
    saddle_status status;
} job;

/* A drawn chain with ROWS rows, unilateral where the solver can do them. */
static saddle_status build(saddle_context *context, uint64_t *state, int bounded, saddle_problem *p)
{
    int64_t row[2 * SIZE];
    int64_t col[2 * SIZE];
    double value[2 * SIZE];
    int64_t count = 0;
    memset(p, 0, sizeof *p);
    p->n = SIZE;
    p->m = ROWS;
    p->owner = 1;
    p->context = context;
    for (int64_t j = 0; j < SIZE; j++) {
        row[count] = col[count] = j;
        value[count++] = test_uniform(state, 2, 3);
        if (j > 0) row[count] = j, col[count] = j - 1, value[count++] = test_uniform(state, -1, 1);
    }
    saddle_status status = saddle_matrix_from_triplets(context, SIZE, SIZE, count, row, col, value,
                                                       SADDLE_SYMMETRY_LOWER, &p->M);
    for (count = 0; count < 3 * ROWS; count++) {
        row[count] = test_integer(state, 0, SIZE - 1);
        col[count] = count / 3;
        value[count] = test_uniform(state, -1, 1);
    }
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(context, SIZE, ROWS, count, row, col, value,
                                             SADDLE_SYMMETRY_NONE, &p->Jt);
    p->f = saddle_allocate(context, SIZE, sizeof *p->f);
    p->b = saddle_allocate(context, ROWS, sizeof *p->b);
    p->lo = bounded ? saddle_allocate(context, ROWS, sizeof *p->lo) : NULL;
    if (!p->f || !p->b || (bounded && !p->lo)) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; j < SIZE; j++) p->f[j] = test_uniform(state, -1, 1);
    for (int64_t i = 0; i < ROWS; i++) p->b[i] = test_uniform(state, -1, 1);
    return status;
}

static void *run(void *user)
{
    job *work = user;
    uint64_t state = work->seed;
    saddle_context *context;
    work->status = saddle_context_create(NULL, &context);
    for (int round = 0; round < ROUNDS && work->status == SADDLE_OK; round++) {
        saddle_problem problem;
        saddle_solution solution = {0};
        work->status = build(context, &state, strcmp(work->solver, "gauss-seidel") == 0, &problem);
        if (work->status == SADDLE_OK)
            work->status = saddle_solve(context, &problem, work->solver, NULL, NULL, &solution,
                                        NULL);
        if (work->status == SADDLE_OK) {
            memcpy(work->v, solution.v, sizeof work->v);
            memcpy(work->lambda, solution.lambda, sizeof work->lambda);
        }
        saddle_solution_clear(&solution);
        saddle_problem_clear(&problem);
    }
    saddle_context_free(context);
    return NULL;
}

static void results_are_bitwise_those_of_one_thread(void **state)
{
    (void)state;
    static const char *const solvers[THREADS] = {"ldlt", "lu", "schur", "gauss-seidel"};
    static job alone[THREADS];
    static job together[THREADS];
    for (int i = 0; i < THREADS; i++) {
        alone[i] = (job){.seed = test_seed() + (uint64_t)i, .solver = solvers[i]};
        together[i] = alone[i];
        (void)run(&alone[i]);
        assert_int_equal(alone[i].status, SADDLE_OK);
    }
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, run, &together[i]), 0);
    for (int i = 0; i < THREADS; i++) assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(together[i].status, SADDLE_OK);
        assert_memory_equal(together[i].v, alone[i].v, sizeof alone[i].v);
        assert_memory_equal(together[i].lambda, alone[i].lambda, sizeof alone[i].lambda);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(results_are_bitwise_those_of_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
