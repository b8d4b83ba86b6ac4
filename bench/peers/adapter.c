/* SPDX-License-Identifier: MIT */
/* See adapter.h. */
#include "peers/adapter.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "saddle/files.h"

/* ---- shared ---- */

adapter_end adapter_stop(adapter_call *call, adapter_end end, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call->note, sizeof call->note, format, arguments);
    va_end(arguments);
    return end;
}

static adapter_end stop_by(adapter_call *call, saddle_status status)
{
    const char *message = saddle_context_message(call->context);
    return adapter_stop(call, ADAPTER_FAILED, "%s",
                        message[0] ? message : saddle_status_text(status));
}

adapter_end adapter_condense(adapter_call *call, adapter_condensed *condensed)
{
    const saddle_problem *problem = call->problem;
    *condensed = (adapter_condensed){.context = call->context, .W = problem->R};
    condensed->q = saddle_allocate(call->context, problem->m + 1, sizeof *condensed->q);
    if (!condensed->q) return stop_by(call, SADDLE_OUT_OF_MEMORY);
    for (int64_t i = 0; i < problem->m; i++) condensed->q[i] = problem->b ? -problem->b[i] : 0.0;
    if (problem->n == 0) return ADAPTER_DONE;
    const double began = saddle_clock();
    saddle_status status = saddle_delassus_create(call->context, problem, NULL,
                                                  &condensed->delassus);
    call->analyse = saddle_clock() - began;
    if (status == SADDLE_OK) status = saddle_delassus_form(condensed->delassus, problem);
    if (status == SADDLE_OK)
        status = saddle_delassus_reduce(condensed->delassus, problem, condensed->q);
    if (status == SADDLE_OK) condensed->W = *saddle_delassus_matrix(condensed->delassus);
    condensed->W.owner = 0;
    call->factor = saddle_clock() - began - call->analyse;
    return status == SADDLE_OK ? ADAPTER_DONE : stop_by(call, status);
}

adapter_end adapter_recover(adapter_call *call, const adapter_condensed *condensed)
{
    if (!condensed->delassus) return ADAPTER_DONE;
    const saddle_status status = saddle_delassus_recover(condensed->delassus, call->problem,
                                                         call->lambda, call->v);
    return status == SADDLE_OK ? ADAPTER_DONE : stop_by(call, status);
}

void adapter_condensed_clear(adapter_condensed *condensed)
{
    saddle_delassus_free(condensed->delassus);
    saddle_release(condensed->context, condensed->q);
    *condensed = (adapter_condensed){0};
}

double *adapter_dense(const adapter_condensed *condensed)
{
    const saddle_matrix *W = &condensed->W;
    const size_t m = (size_t)W->rows;
    double *dense = calloc(m * m + 1, sizeof *dense);
    for (int64_t j = 0; dense && j < W->cols; j++)
        for (int64_t k = W->start[j]; k < W->start[j + 1]; k++) {
            const size_t row = (size_t)W->index[k], column = (size_t)j;
            dense[row * m + column] = W->value[k];
            if (W->symmetry == SADDLE_SYMMETRY_LOWER) dense[column * m + row] = W->value[k];
        }
    return dense;
}

int adapter_row_kind(const saddle_problem *problem, int64_t row)
{
    const double lo = saddle_problem_lo(problem, row), hi = saddle_problem_hi(problem, row);
    if (isinf(lo) && isinf(hi)) return 0;
    return isinf(hi) && !(lo < 0) && !(lo > 0) ? 1 : -1;
}

/* ---- the program ---- */

static double processor_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* A short solve is done twice, and the second is the one that counts: ours are measured warm. */
static adapter_end solve_warm(adapter_call *call, double *seconds, double *cpu)
{
    const double short_solve = 0.1;
    adapter_end end = ADAPTER_DONE;
    for (int k = 0; k < 2 && end == ADAPTER_DONE; k++) {
        const double began = saddle_clock(), cpu_began = processor_seconds();
        call->analyse = call->factor = call->solve = 0.0;
        memset(call->v, 0, (size_t)call->problem->n * sizeof *call->v);
        memset(call->lambda, 0, (size_t)call->problem->m * sizeof *call->lambda);
        end = adapter_solve(call);
        *seconds = saddle_clock() - began;
        *cpu = processor_seconds() - cpu_began;
        if (*seconds > short_solve) break;
    }
    return end;
}

static void put_text(FILE *file, const char *key, const char *text)
{
    fprintf(file, "\"%s\":\"", key);
    for (; *text; text++)
        if ((unsigned char)*text < 32 || *text == '"' || *text == '\\')
            fputc(' ', file);
        else
            fputc(*text, file);
    fputc('"', file);
}

static int write_report(const adapter_call *call, const char *folder, double cpu)
{
    char path[4096];
    struct rusage used;
    if (snprintf(path, sizeof path, "%s/peer.json", folder) >= (int)sizeof path) return 1;
    FILE *file = fopen(path, "w");
    if (!file) return 1;
    getrusage(RUSAGE_SELF, &used);
    fprintf(file,
            "{\"analyse\":%.9g,\"factor\":%.9g,\"solve\":%.9g,\"time\":%.9g,\"cpu\":%.9g,"
            "\"iterations\":%lld,\"memory\":%lld,",
            call->analyse, call->factor, call->solve, call->analyse + call->factor + call->solve,
            cpu, (long long)(call->iterations > 0 ? call->iterations : 0), 1024LL * used.ru_maxrss);
    put_text(file, "version", adapter_version);
    fputc(',', file);
    put_text(file, "note", call->note);
    fputs("}\n", file);
    const int failed = ferror(file);
    return fclose(file) != 0 || failed;
}

static adapter_end answer(adapter_call *call, saddle_solution *solution, const char *folder)
{
    double seconds = 0, cpu = 0;
    saddle_residual residual;
    double *work = saddle_allocate(call->context, saddle_residual_work_size(call->problem) + 1,
                                   sizeof *work);
    if (!work) return stop_by(call, SADDLE_OUT_OF_MEMORY);
    adapter_end end = solve_warm(call, &seconds, &cpu);
    if (end == ADAPTER_DONE) {
        saddle_residual_compute(call->problem, call->v, call->lambda, solution->w, work, &residual);
        const saddle_status status = saddle_solution_write(call->context, folder, solution, NULL);
        if (status) end = stop_by(call, status);
    }
    saddle_release(call->context, work);
    if (end == ADAPTER_DONE && write_report(call, folder, cpu)) end = ADAPTER_FAILED;
    return end;
}

static int is_method(const char *name)
{
    for (int k = 0; adapter_methods[k]; k++)
        if (strcmp(adapter_methods[k], name) == 0) return 1;
    return 0;
}

int main(int argc, char **argv)
{
    saddle_context *context;
    saddle_problem problem = {0};
    saddle_solution solution = {0};
    if (argc != 5) {
        for (int k = 0; adapter_methods[k]; k++) puts(adapter_methods[k]);
        return argc == 1 ? 0 : 2;
    }
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return ADAPTER_FAILED;
    adapter_call call = {.context = context,
                         .problem = &problem,
                         .method = argv[1],
                         .tolerance = strtod(argv[4], NULL)};
    adapter_end end = ADAPTER_FAILED;
    saddle_status status = saddle_problem_read(context, argv[2], NULL, &problem, NULL, NULL, NULL);
    if (status == SADDLE_OK)
        status = saddle_solution_create(context, problem.n, problem.m, &solution);
    call.v = solution.v;
    call.lambda = solution.lambda;
    if (status)
        end = stop_by(&call, status);
    else if (!is_method(argv[1]))
        end = adapter_stop(&call, ADAPTER_CANNOT, "there is no method %.80s", argv[1]);
    else
        end = answer(&call, &solution, argv[3]);
    if (end != ADAPTER_DONE) fprintf(stderr, "%s\n", call.note);
    saddle_solution_clear(&solution);
    saddle_problem_clear(&problem);
    saddle_context_free(context);
    return (int)end;
}
