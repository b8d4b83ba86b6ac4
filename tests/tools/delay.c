/* SPDX-License-Identifier: MIT */
/* A peer of saddle bench for tests: its time is that of a loop whose length the environment sets.
 *
 *     DELAY_PERCENT=110 saddle-peer-delay METHOD PROBLEM SOLUTION TOLERANCE
 *
 * The answer is found by ldlt, untimed; then METHOD x 10^4 x DELAY_PERCENT turns of a loop are
 * timed. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "saddle/saddle.h"

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Each turn needs the one before. */
static uint64_t turn(int64_t count)
{
    uint64_t x = 1;
    for (int64_t k = 0; k < count; k++) x = x * 6364136223846793005u + 1442695040888963407u;
    return x;
}

static int write_answer(const char *from, const char *to)
{
    saddle_context *context;
    saddle_problem problem = {0};
    saddle_solution solution = {0};
    saddle_solver *solver = NULL;
    if (saddle_context_create(NULL, &context)) return 1;
    saddle_status status = saddle_problem_read(context, from, NULL, &problem, NULL, NULL, NULL);
    if (!status) status = saddle_solution_create(context, problem.n, problem.m, &solution);
    if (!status) status = saddle_solver_create(context, "ldlt", NULL, &solver);
    if (!status) status = saddle_solver_analyse(solver, &problem);
    if (!status) status = saddle_solver_factor(solver, &problem);
    if (!status) status = saddle_solver_solve(solver, &problem, NULL, &solution);
    if (!status) status = saddle_solution_write(context, to, &solution, NULL);
    saddle_solver_free(solver);
    saddle_solution_clear(&solution);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
    return status != SADDLE_OK;
}

int main(int argc, char **argv)
{
    char path[4096];
    const char *percent = getenv("DELAY_PERCENT");
    if (argc != 5 || !percent || write_answer(argv[2], argv[3])) return 1;
    const double began = processor_seconds();
    const uint64_t made = turn(strtoll(argv[1], NULL, 10) * 10000 * strtoll(percent, NULL, 10));
    const double spent = processor_seconds() - began;
    snprintf(path, sizeof path, "%.4000s/peer.json", argv[3]);
    FILE *file = fopen(path, "w");
    if (!file) return 1;
    fprintf(file,
            "{\"analyse\":0,\"factor\":0,\"solve\":%.9g,\"time\":%.9g,\"cpu\":%.9g,"
            "\"iterations\":%d,\"memory\":1,\"version\":\"delay\",\"note\":\"\"}\n",
            spent, spent, spent, (int)(made & 1));
    return fclose(file) != 0;
}
