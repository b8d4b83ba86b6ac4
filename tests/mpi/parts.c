/* SPDX-License-Identifier: MIT */
/* See parts.h. */
#include "parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int rank, processes;
saddle_context *context;
int with_mass_in_parts, with_rows_in_parts;

int mpi_test_begin(void)
{
    MPI_Init(NULL, NULL);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    if (rank > 0 && !freopen("/dev/null", "w", stdout)) return 0; /* cmocka reports once */
    return saddle_context_create(NULL, &context) == SADDLE_OK;
}

void mpi_test_end(void)
{
    saddle_context_free(context);
    MPI_Finalize();
}

int64_t mpi_test_draws(int64_t count)
{
    return test_draws(processes == 1 ? count : count / 2);
}

/* ---- parts ---- */

static int owner(split how, uint64_t *seed)
{
    const int any = (int)test_integer(seed, 0, processes - 1);
    if (how == BY_SUMMANDS) return rank;
    return how == FIRST_ONLY ? 0 : how == LAST_ONLY ? processes - 1 : any;
}

/* The share of this process in an entry owned by several. */
static double weight(split how, uint64_t *seed)
{
    double mine = 1.0, sum = 0.0;
    if (how != BY_SUMMANDS) return 1.0;
    for (int p = 0; p < processes; p++) {
        const double drawn_weight = test_uniform(seed, 0.1, 1.0);
        if (p == rank) mine = drawn_weight;
        sum += drawn_weight;
    }
    return mine / sum;
}

saddle_matrix part_of_matrix(const saddle_matrix *A, split how, uint64_t *seed,
                             const int *column_owner)
{
    const int64_t entries = saddle_matrix_entries(A);
    int64_t *row = calloc((size_t)entries + 1, sizeof *row);
    int64_t *col = calloc((size_t)entries + 1, sizeof *col);
    double *value = calloc((size_t)entries + 1, sizeof *value);
    int64_t count = 0;
    for (int64_t j = 0; entries > 0 && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            const int chosen = owner(how, seed);
            if ((how == BY_ENTRIES ? chosen : column_owner[j]) != rank) continue;
            row[count] = A->index[k];
            col[count] = j;
            value[count++] = weight(how, seed) * A->value[k];
        }
    static int64_t none[1] = {0}; /* the starts of a matrix without columns */
    saddle_matrix part = {.rows = A->rows, .cols = A->cols, .symmetry = A->symmetry};
    if (count == 0 && how == BY_ROWS && A->symmetry == SADDLE_SYMMETRY_LOWER)
        part = (saddle_matrix){.start = none};
    CLAIM(count == 0 || saddle_matrix_from_triplets(context, A->rows, A->cols, count, row, col,
                                                    value, A->symmetry, &part) == SADDLE_OK);
    free(row);
    free(col);
    free(value);
    return part;
}

static double *part_of_vector(const double *x, int64_t count, const int *of, double empty)
{
    double *part = calloc((size_t)count + 1, sizeof *part);
    for (int64_t i = 0; i < count; i++) part[i] = of[i] == rank ? x[i] : empty;
    return part;
}

static void weigh(double *x, int64_t count, split how, uint64_t *seed)
{
    for (int64_t i = 0; x && i < count; i++) x[i] *= weight(how, seed);
}

share part_of(const saddle_problem *whole, split how, uint64_t *seed)
{
    int *of_velocity = calloc((size_t)whole->n + 1, sizeof *of_velocity);
    int *of_row = calloc((size_t)whole->m + 1, sizeof *of_row);
    share s = {.problem = {.n = whole->n, .m = whole->m}};
    saddle_problem *p = &s.problem;
    for (int64_t j = 0; j < whole->n; j++) of_velocity[j] = owner(how, seed);
    for (int64_t i = 0; i < whole->m; i++) of_row[i] = owner(how, seed);
    s.contacts = calloc((size_t)whole->contact_count + 1, sizeof *s.contacts);
    for (int64_t c = 0; c < whole->contact_count; c++) {
        const saddle_contact *contact = &whole->contacts[c];
        for (int64_t i = 1; i < contact->size; i++) of_row[contact->row + i] = of_row[contact->row];
        if (of_row[contact->row] == rank) s.contacts[p->contact_count++] = *contact;
    }
    p->contacts = s.contacts;
    p->law = whole->law;
    p->facets = whole->facets;
    p->M = part_of_matrix(&whole->M, how, seed, of_velocity);
    p->Jt = part_of_matrix(&whole->Jt, how, seed, of_row);
    p->R = part_of_matrix(&whole->R, how, seed, of_row);
    if (whole->f) p->f = part_of_vector(whole->f, whole->n, of_velocity, 0.0);
    if (whole->b) p->b = part_of_vector(whole->b, whole->m, of_row, 0.0);
    weigh(p->f, p->n, how, seed);
    weigh(p->b, p->m, how, seed);
    if (whole->lo) p->lo = part_of_vector(whole->lo, whole->m, of_row, -(double)INFINITY);
    if (whole->hi) p->hi = part_of_vector(whole->hi, whole->m, of_row, (double)INFINITY);
    free(of_velocity);
    free(of_row);
    return s;
}

void free_share(share *s)
{
    saddle_matrix_clear(&s->problem.M);
    saddle_matrix_clear(&s->problem.Jt);
    saddle_matrix_clear(&s->problem.R);
    free(s->problem.f);
    free(s->problem.b);
    free(s->problem.lo);
    free(s->problem.hi);
    free(s->contacts);
}

/* ---- problems ---- */

void add_entry(triplets *t, int64_t row, int64_t col, double value)
{
    CLAIM(t->count < t->room);
    t->row[t->count] = row;
    t->col[t->count] = col;
    t->value[t->count++] = value;
}

void take_triplets(triplets *t, int64_t rows, int64_t cols, saddle_symmetry symmetry,
                   saddle_matrix *A)
{
    CLAIM(saddle_matrix_from_triplets(context, rows, cols, t->count, t->row, t->col, t->value,
                                      symmetry, A) == SADDLE_OK);
    t->count = 0;
}

void make_band(saddle_problem *p, int64_t n, int64_t band)
{
    const int64_t room = n * (band + 1);
    triplets t = {.room = room,
                  .row = calloc((size_t)room, sizeof *t.row),
                  .col = calloc((size_t)room, sizeof *t.col),
                  .value = calloc((size_t)room, sizeof *t.value)};
    *p = (saddle_problem){.n = n, .m = n / 10, .owner = 1, .context = context};
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = j; i <= j + band && i < n; i++)
            add_entry(&t, i, j, i == j ? 2.0 * (double)band + 1.0 : -1.0);
    take_triplets(&t, n, n, SADDLE_SYMMETRY_LOWER, &p->M);
    for (int64_t i = 0; i < p->m; i++) {
        add_entry(&t, 10 * i, i, 1.0);
        add_entry(&t, 10 * i + 1, i, -1.0);
    }
    take_triplets(&t, n, p->m, SADDLE_SYMMETRY_NONE, &p->Jt);
    free(t.row);
    free(t.col);
    free(t.value);
    p->f = saddle_allocate(context, n, sizeof *p->f);
    for (int64_t j = 0; j < n; j++) p->f[j] = (double)(j % 7) - 3.0;
}

/* ---- claims ---- */

int close_to(double a, double b)
{
    return a == b || fabs(a - b) <= 1e-12 + 1e-6 * fmax(fabs(a), fabs(b));
}

void residuals_agree(const saddle_residual *a, const saddle_residual *b)
{
    CLAIM(close_to(a->dynamics, b->dynamics));
    CLAIM(close_to(a->rows, b->rows));
    CLAIM(close_to(a->cone, b->cone));
    CLAIM(close_to(a->total, b->total));
    CLAIM(close_to(a->local, b->local));
    CLAIM(close_to(a->growth, b->growth));
    CLAIM(close_to(a->normwise, b->normwise));
    CLAIM(close_to(a->bounds, b->bounds));
    CLAIM(close_to(a->complementarity, b->complementarity));
    CLAIM(close_to(a->natural_map, b->natural_map));
    CLAIM(close_to(a->natural_map_q, b->natural_map_q));
    CLAIM(a->unitless == b->unitless);
}

/* The largest velocity that f alone gives, by the diagonal of M. */
static double free_velocity(const saddle_problem *p)
{
    double most = 1e-300;
    for (int64_t j = 0; p->f && j < p->n; j++) {
        const double mass = fabs(saddle_matrix_entry(&p->M, j, j));
        if (mass > 0.0) most = fmax(most, fabs(p->f[j]) / mass);
    }
    return most;
}

/* Coulomb's friction, whose velocities need not be unique. */
static int may_have_others(const saddle_problem *p)
{
    double mu = 0.0;
    for (int64_t k = 0; k < p->contact_count; k++) mu = fmax(mu, p->contacts[k].mu);
    return mu > 0.0 && (p->law == SADDLE_LAW_CONE || p->law == SADDLE_LAW_PYRAMID);
}

/* Steps of admm: the draws that it solves take less than 300, and each is several messages. */
enum { MOST_STEPS = 500 };

int check_solve(const saddle_problem *whole, split how, uint64_t *seed, const char *name,
                double accuracy)
{
    share s = part_of(whole, how, seed);
    saddle_solution one = {0}, all = {0};
    saddle_report report, alone;
    saddle_options options = saddle_options_default();
    if (strcmp(name, "admm") == 0) options.max_iterations = MOST_STEPS;
    const saddle_status expected = saddle_solve(context, whole, name, &options, NULL, &one, &alone);
    const saddle_status status = saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, name,
                                                  &options, NULL, &all, &report);
    CLAIM(status == SADDLE_OK || expected != SADDLE_OK);
    with_mass_in_parts += status == SADDLE_OK && strstr(report.note, "M in parts");
    with_rows_in_parts += status == SADDLE_OK && strstr(report.note, "rows and impulses too");
    double scale = 0.0, error = 0.0;
    const int unique = status == SADDLE_OK && expected == SADDLE_OK && alone.inertia.zero == 0 &&
                       !may_have_others(whole);
    for (int64_t j = 0; unique && j < whole->n; j++) {
        scale = fmax(scale, fabs(one.v[j]));
        error = fmax(error, fabs(one.v[j] - all.v[j]));
    }
    if (scale < 1e-9 * free_velocity(whole)) scale = free_velocity(whole); /* v at rest */
    CLAIM(error <= accuracy * scale);
    if (status == SADDLE_OK) CLAIM(report.residual.total <= saddle_options_default().tolerance);
    saddle_solution_clear(&one);
    saddle_solution_clear(&all);
    free_share(&s);
    return expected == SADDLE_OK;
}

void watch(saddle_progress_function *function, saddle_context **kept)
{
    saddle_context_options options = saddle_context_options_default();
    options.progress = function;
    *kept = context;
    CLAIM(saddle_context_create(&options, &context) == SADDLE_OK);
}

void unwatch(saddle_context *kept)
{
    saddle_context_free(context);
    context = kept;
}

saddle_status status_of_parts(const saddle_problem *whole, const char *name,
                              const saddle_options *options, saddle_report *report)
{
    uint64_t seed = test_seed();
    share s = part_of(whole, BY_ENTRIES, &seed);
    saddle_solution x = {0};
    const saddle_status status = saddle_mpi_solve(MPI_COMM_WORLD, context, &s.problem, name,
                                                  options, NULL, &x, report);
    CLAIM((status == SADDLE_OK) == (saddle_context_message(context)[0] == '\0'));
    CLAIM(!report || report->status == status);
    saddle_solution_clear(&x);
    free_share(&s);
    return status;
}

int is_swept(int failing)
{
    return failing == processes / 2 || (failing == 0 && processes == 2);
}

int64_t sweep_step(void)
{
    return processes > 2 ? 3 : 1;
}

void sweep_allocations(const saddle_problem *part, int failing, const char *name)
{
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    int64_t at = 0;
    for (; status != SADDLE_OK; at += sweep_step()) {
        test_memory memory;
        saddle_context *kept = context;
        saddle_solution x = {0};
        context = test_memory_begin(&memory, rank == failing ? at : -1);
        status = saddle_mpi_solve(MPI_COMM_WORLD, context, part, name, NULL, NULL, &x, NULL);
        CLAIM(status == SADDLE_OK || status == SADDLE_OUT_OF_MEMORY);
        int statuses[2] = {(int)status, -(int)status};
        MPI_Allreduce(MPI_IN_PLACE, statuses, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        CLAIM(statuses[0] == -statuses[1]);
        saddle_solution_clear(&x);
        test_memory_end(&memory, context);
        context = kept;
    }
    CLAIM(at > 10);
}
