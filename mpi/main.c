/* SPDX-License-Identifier: MIT */
/* saddle-mpi: `mpirun -n 4 saddle-mpi solve BUNDLE`. */
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include "collective.h"

enum { SOLVED = 0, SHORT = 1, USAGE = 2, INPUT = 3, CANNOT = 4, INTERNAL = 5 };

static const char usage[] =
    "mpirun -n P saddle-mpi solve BUNDLE [OPTION...]\n"
    "Solves a problem bundle; its factorizations are MUMPS', shared by the P processes.\n"
    "  --solver NAME       a solver of `saddle solvers` (auto)\n"
    "  --tolerance T       solved where the residual's total is at most T (1e-10)\n"
    "  --max-iter N        iterations at most (the solver's choice)\n"
    "  --time-limit S      seconds of the solve at most (no limit)\n"
    "  --set A.B=C         a setting of a solver, several times\n"
    "  --output DIR        writes the solution\n"
    "  --json              the report as JSON\n"
    "exit: 0 solved, 1 tolerance not reached, 2 usage, 3 input, 4 rows the solver cannot do, 5 "
    "memory or internal\n";

typedef struct request {
    const char *path, *solver, *output;
    saddle_options options;
    char settings[1024];
    int json, help;
} request;

static const struct option longs[] = {
    {"solver", required_argument, NULL, 's'},
    {"tolerance", required_argument, NULL, 't'},
    {"tol", required_argument, NULL, 't'},
    {"max-iter", required_argument, NULL, 'n'},
    {"time-limit", required_argument, NULL, 'l'},
    {"set", required_argument, NULL, 'e'},
    {"output", required_argument, NULL, 'o'},
    {"json", no_argument, NULL, 'j'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* 0 where the text is not a number. */
static int number(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return end != text && *end == '\0' && isfinite(*value);
}

/* Returns 0 where the option is understood. */
static int take(request *r, int option)
{
    double x = 0.0;
    const size_t used = strlen(r->settings);
    if (strchr("tnl", option) && !number(optarg, &x)) return 1;
    if (option == 'n' && !(x >= 0.0 && x <= 1e15)) return 1;
    switch (option) {
    case 's': r->solver = optarg; break;
    case 't': r->options.tolerance = x; break;
    case 'n': r->options.max_iterations = (int64_t)x; break;
    case 'l': r->options.time_limit = x; break;
    case 'o': r->output = optarg; break;
    case 'j': r->json = 1; break;
    case 'h': r->help = 1; break;
    case 'e':
        if (used + strlen(optarg) + 2 > sizeof r->settings) return 1;
        snprintf(r->settings + used, sizeof r->settings - used, "%s ", optarg);
        break;
    default: return 1;
    }
    return 0;
}

static int parse(int argc, char **argv, request *r)
{
    opterr = 0;
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;)
        if (take(r, c)) return 1;
    if (r->help) return 0;
    if (argc - optind != 2 || strcmp(argv[optind], "solve") != 0) return 1;
    r->path = argv[optind + 1];
    if (r->settings[0]) r->options.settings = r->settings;
    return 0;
}

static int exit_code(saddle_status status)
{
    switch (status) {
    case SADDLE_OK: return SOLVED;
    case SADDLE_UNSUPPORTED:
    case SADDLE_NOT_EXPRESSIBLE: return CANNOT;
    case SADDLE_UNKNOWN_NAME:
    case SADDLE_INVALID_ARGUMENT: return USAGE;
    case SADDLE_OUT_OF_MEMORY:
    case SADDLE_INTERNAL: return INTERNAL;
    default: return status > SADDLE_OK ? SHORT : INPUT;
    }
}

/* The largest memory of a process so far, of all processes [MB]; in the first. */
static double largest_memory(void)
{
    struct rusage use;
    getrusage(RUSAGE_SELF, &use);
    const double mine = (double)use.ru_maxrss / 1024.0;
    double most = mine;
    MPI_Reduce(&mine, &most, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    return most;
}

static saddle_status print_report(saddle_context *context, const request *r,
                                  const saddle_report *report, saddle_status solved, double memory)
{
    char *json = NULL;
    if (!r->json) {
        printf("solver     %s, %d processes\n", report->solver, saddle__processes(MPI_COMM_WORLD));
        printf("status     %s: residual %.2e, tolerance %.0e\n",
               solved == SADDLE_OK ? "solved" : saddle_status_text(solved), report->residual.total,
               r->options.tolerance);
        printf("seconds    read %.4f   analyse %.4f   factor %.4f   solve %.4f\n",
               report->seconds.read, report->seconds.analyse, report->seconds.factor,
               report->seconds.solve);
        printf("factors    %lld entries   %.2e flops\n", (long long)report->factor_entries,
               report->flops);
        printf("memory     %.0f MB at most in a process\n", memory);
        if (report->note[0]) printf("note       %s\n", report->note);
        return SADDLE_OK;
    }
    const saddle_status status = saddle_report_to_json(context, report, &json);
    if (status == SADDLE_OK) fputs(json, stdout);
    saddle_release(context, json);
    return status;
}

/* The part of this process, in numbers of its own. */
static saddle_status read_part(saddle_context *context, const char *path, saddle_mpi_part *part)
{
    saddle_problem given = {0};
    saddle_status status = saddle_mpi_read(MPI_COMM_WORLD, context, path, &given);
    if (status == SADDLE_OK) status = saddle_mpi_part_make(MPI_COMM_WORLD, context, &given, part);
    saddle_problem_clear(&given);
    return status;
}

/* The answer, in the first process, to the file that is asked for, if any. */
static saddle_status write_answer(saddle_context *context, const request *r,
                                  const saddle_mpi_part *part, const saddle_solution *mine,
                                  const saddle_report *report)
{
    saddle_solution whole = {0};
    if (!r->output) return SADDLE_OK;
    saddle_status status = saddle_mpi_collect(MPI_COMM_WORLD, context, part, mine, &whole);
    if (status == SADDLE_OK && saddle__rank(MPI_COMM_WORLD) == 0)
        status = saddle_solution_write(context, r->output, &whole, report);
    saddle_solution_clear(&whole);
    return saddle__agree(MPI_COMM_WORLD, context, status);
}

static saddle_status run(saddle_context *context, const request *r)
{
    saddle_mpi_part part = {0};
    saddle_solution mine = {0};
    saddle_report report = {.note = ""};
    const double began = saddle_clock();
    saddle_status solved = read_part(context, r->path, &part);
    const double read = saddle_clock() - began;
    if (solved == SADDLE_OK)
        solved = saddle_mpi_solve_part(MPI_COMM_WORLD, context, &part, r->solver, &r->options, NULL,
                                       &mine, &report);
    saddle_status written = SADDLE_OK;
    const double memory = largest_memory();
    report.seconds.read = read;
    if (solved >= SADDLE_OK) written = write_answer(context, r, &part, &mine, &report);
    if (solved >= SADDLE_OK && written == SADDLE_OK) {
        if (saddle__rank(MPI_COMM_WORLD) == 0)
            written = print_report(context, r, &report, solved, memory);
        written = saddle__agree(MPI_COMM_WORLD, context, written);
    }
    saddle_solution_clear(&mine);
    saddle_mpi_part_clear(&part);
    return written == SADDLE_OK ? solved : written;
}

/* Arrays go back to the system when freed: else the analysis' stay beside the factors. */
static void return_freed_memory(void)
{
#if defined(__GLIBC__)
    enum { LARGE = 1 << 17 };
    (void)mallopt(M_MMAP_THRESHOLD, LARGE);
#endif
}

static int session(const request *r)
{
    saddle_context *context;
    const int first = saddle__rank(MPI_COMM_WORLD) == 0;
    if (saddle_context_create(NULL, &context) != SADDLE_OK) {
        fprintf(stderr, "saddle-mpi: out of memory\n");
        MPI_Abort(MPI_COMM_WORLD, INTERNAL);
        return INTERNAL;
    }
    const saddle_status status = run(context, r);
    if (status < SADDLE_OK && first)
        fprintf(stderr, "saddle-mpi: %s\n", saddle_context_message(context));
    saddle_context_free(context);
    return exit_code(status);
}

int main(int argc, char **argv)
{
    request r = {.options = saddle_options_default()};
    return_freed_memory();
    MPI_Init(&argc, &argv);
    const int first = saddle__rank(MPI_COMM_WORLD) == 0;
    int code = USAGE;
    if (parse(argc, argv, &r)) {
        if (first) fputs(usage, stderr);
    } else if (r.help) {
        if (first) fputs(usage, stdout);
        code = SOLVED;
    } else {
        code = session(&r);
    }
    MPI_Finalize();
    return code;
}
