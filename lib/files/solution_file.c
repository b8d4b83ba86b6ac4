/* SPDX-License-Identifier: MIT */
/* A solution folder: v.mtx, lambda.mtx, w.mtx, report.json and certificate.mtx. */
#include "files/solution_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/context_internal.h"
#include "files/mtx.h"
#include "files/output.h"
#include "files/text.h"
#include "saddle/files.h"

/* ---- reading ---- */

/* A mandatory vector; *count -1 = of any length, which is stored in *count. */
static saddle_status read_vector(saddle__source *source, const char *name, int64_t *count,
                                 double **value)
{
    saddle_status status = saddle__source_array(source, name, 0, count, &(int64_t){1}, value);
    if (status != SADDLE_OK || *value) return status;
    return saddle_fail(source->context, SADDLE_FILE_ERROR, "%s: not a solution: there is no %s",
                       source->label, source->path);
}

saddle_status saddle__solution_parse(saddle__source *source, saddle_solution *solution)
{
    *solution = (saddle_solution){.n = -1, .m = -1, .owner = 1, .context = source->context};
    saddle_status status = read_vector(source, "v.mtx", &solution->n, &solution->v);
    if (status == SADDLE_OK)
        status = read_vector(source, "lambda.mtx", &solution->m, &solution->lambda);
    if (status == SADDLE_OK) status = read_vector(source, "w.mtx", &solution->m, &solution->w);
    if (status != SADDLE_OK) saddle_solution_clear(solution);
    return status;
}

saddle_status saddle_solution_read(saddle_context *context, const char *path,
                                   saddle_solution *solution)
{
    if (solution) *solution = (saddle_solution){0};
    SADDLE__RETURN_UNLESS(context, path && solution, "path or solution is NULL");
    saddle__source source = saddle__source_folder(context, path);
    saddle_status status = saddle__solution_parse(&source, solution);
    saddle__source_close(&source);
    return status;
}

saddle_status saddle_certificate_read(saddle_context *context, const char *path, int64_t n,
                                      int64_t m, saddle_certificate *certificate)
{
    if (certificate) *certificate = (saddle_certificate){0};
    SADDLE__RETURN_UNLESS(context, path && certificate, "path or certificate is NULL");
    saddle__source source = saddle__source_folder(context, path);
    int64_t rows = n + m;
    double *value = NULL;
    saddle_status status = saddle__source_array(&source, "certificate.mtx", 0, &rows, &(int64_t){1},
                                                &value);
    if (status == SADDLE_OK && value)
        status = saddle_certificate_create(context, n, m, certificate);
    for (int64_t k = 0; status == SADDLE_OK && value && k < n + m; k++)
        *(k < n ? &certificate->velocity[k] : &certificate->row[k - n]) = value[k];
    saddle_release(context, value);
    saddle__source_close(&source);
    return status;
}

/* ---- the report as a JSON object ---- */

/* "key": {"name": value, ...} on a line; of values or of counts. */
static void add_numbers(saddle__text *text, const char *key, const char *const *names,
                        const double *values, const int64_t *counts, int count)
{
    saddle__text_member(text, key);
    for (int i = 0; i < count; i++) {
        saddle__text_add(text, i == 0 ? "{" : ", ");
        saddle__text_add_json_string(text, names[i]);
        saddle__text_add(text, ": ");
        if (values)
            saddle__text_add_json_double(text, values[i]);
        else
            saddle__text_add_integer(text, counts[i]);
    }
    saddle__text_add(text, "}");
}

static void add_switches(saddle__text *text, const saddle_switches *switches)
{
    static const char *const names[] = {"single", "lemke", "regularized", "other"};
    const int64_t counts[] = {switches->single, switches->lemke, switches->regularized,
                              switches->other};
    add_numbers(text, "switches", names, NULL, counts, 4);
}

static void add_inertia(saddle__text *text, const saddle_inertia *inertia)
{
    static const char *const names[] = {"positive", "negative", "zero"};
    const int64_t counts[] = {inertia->positive, inertia->negative, inertia->zero};
    if (inertia->known)
        add_numbers(text, "inertia", names, NULL, counts, 3);
    else
        saddle__text_member_string(text, "inertia", NULL);
}

static void add_proof(saddle__text *text, const saddle_proof *proof)
{
    if (proof->kind == SADDLE_PROOF_NONE) {
        saddle__text_member_string(text, "proof", NULL);
        return;
    }
    saddle__text_member(text, "proof");
    saddle__text_add(text, "{\"kind\": ");
    saddle__text_add_json_string(text, saddle_proof_word(proof->kind));
    saddle__text_add(text, ", \"rows\": ");
    saddle__text_add_integer(text, proof->rows);
    saddle__text_add(text, ", \"velocities\": ");
    saddle__text_add_integer(text, proof->velocities);
    saddle__text_add(text, ", \"heaviest\": ");
    saddle__text_add_integer(text, proof->heaviest + 1);
    saddle__text_add(text, ", \"gap\": ");
    saddle__text_add_json_double(text, proof->gap);
    saddle__text_add(text, ", \"reach\": ");
    saddle__text_add_json_double(text, proof->reach);
    saddle__text_add(text, "}");
}

static void add_residual(saddle__text *text, const saddle_residual *residual)
{
    static const char *const names[] = {
#define NAME(field) #field,
        SADDLE_RESIDUAL_FIGURES(NAME)
#undef NAME
    };
    const double values[] = {
#define VALUE(field) residual->field,
        SADDLE_RESIDUAL_FIGURES(VALUE)
#undef VALUE
    };
    add_numbers(text, "residual", names, values, NULL, (int)(sizeof values / sizeof *values));
}

saddle_status saddle_report_to_json(saddle_context *context, const saddle_report *report,
                                    char **text)
{
    if (text) *text = NULL;
    SADDLE__RETURN_UNLESS(context, report && text, "report or text is NULL");
    static const char *const second_names[] = {"read", "analyse", "factor", "solve"};
    const double seconds[] = {report->seconds.read, report->seconds.analyse, report->seconds.factor,
                              report->seconds.solve};
    saddle__text out = {.context = context};
    saddle__text_add(&out, "{\n");
    saddle__text_member_string(&out, "solver", report->solver);
    saddle__text_member_string(&out, "status", saddle_status_name(report->status));
    saddle__text_member_integer(&out, "n", report->n);
    saddle__text_member_integer(&out, "m", report->m);
    saddle__text_member_integer(&out, "contacts", report->contacts);
    saddle__text_member_integer(&out, "iterations", report->iterations);
    saddle__text_member_integer(&out, "pivots", report->pivots);
    add_switches(&out, &report->switches);
    saddle__text_member_integer(&out, "warm_rows", report->warm_rows);
    saddle__text_member_integer(&out, "factorizations", report->factorizations);
    saddle__text_member_integer(&out, "refinements", report->refinements);
    saddle__text_member_integer(&out, "perturbed_pivots", report->perturbed_pivots);
    add_residual(&out, &report->residual);
    add_numbers(&out, "seconds", second_names, seconds, NULL, 4);
    saddle__text_member_double(&out, "backward_error", report->backward_error);
    saddle__text_member_double(&out, "condition", report->condition);
    saddle__text_member_double(&out, "scaled_condition", report->scaled_condition);
    saddle__text_member_double(&out, "growth", report->growth);
    saddle__text_member_double(&out, "flops", report->flops);
    saddle__text_member_integer(&out, "factor_entries", report->factor_entries);
    add_inertia(&out, &report->inertia);
    add_proof(&out, &report->proof);
    saddle__text_member_integer(&out, "peak_bytes", report->peak_bytes);
    saddle__text_member_string(&out, "note", report->note);
    saddle__text_add(&out, "\n}\n");
    return saddle__text_take(&out, text);
}

/* ---- writing ---- */

static int is_solution(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return 0;
    int found = faccessat(folder, "v.mtx", F_OK, 0) == 0 &&
                faccessat(folder, "lambda.mtx", F_OK, 0) == 0 &&
                faccessat(folder, "w.mtx", F_OK, 0) == 0;
    close(folder);
    return found;
}

static saddle_status write_report(saddle_context *context, const char *path,
                                  const saddle_report *report)
{
    char *text = NULL;
    saddle_status status = saddle_report_to_json(context, report, &text);
    if (status == SADDLE_OK) status = saddle__output_whole(context, path, text);
    saddle_release(context, text);
    return status;
}

/* z and y in a column */
static saddle_status write_certificate(saddle_context *context, const char *path,
                                       const saddle_certificate *certificate)
{
    int64_t n = certificate->n;
    int64_t m = certificate->m;
    double *both = saddle_allocate(context, n + m, sizeof *both);
    for (int64_t k = 0; both && k < n + m; k++)
        both[k] = k < n ? certificate->velocity[k] : certificate->row[k - n];
    saddle_status status = both ? saddle_array_write(context, path, n + m, 1, both)
                                : SADDLE_OUT_OF_MEMORY;
    saddle_release(context, both);
    return status;
}

typedef struct writing {
    const saddle_solution *solution;
    const saddle_report *report;           /* NULL = none */
    const saddle_certificate *certificate; /* NULL = none */
} writing;

static const char *const names[] = {"v.mtx",       "lambda.mtx",      "w.mtx",
                                    "report.json", "certificate.mtx", NULL};

/* The file called names[k]. */
static saddle_status write_file(saddle_context *context, const void *user, int k, const char *path)
{
    const writing *w = user;
    const saddle_solution *x = w->solution;
    switch (k) {
    case 0: return saddle_array_write(context, path, x->n, 1, x->v);
    case 1: return saddle_array_write(context, path, x->m, 1, x->lambda);
    case 2: return saddle_array_write(context, path, x->m, 1, x->w);
    case 3: return w->report ? write_report(context, path, w->report) : SADDLE_OK;
    default: return w->certificate ? write_certificate(context, path, w->certificate) : SADDLE_OK;
    }
}

static const saddle__folder_kind kind = {"a saddle solution", names, is_solution, write_file};

saddle_status saddle__solution_probe(saddle_context *context, const char *path)
{
    return saddle__folder_write(context, path, &kind, NULL);
}

saddle_status saddle_solution_write_proven(saddle_context *context, const char *path,
                                           const saddle_solution *solution,
                                           const saddle_report *report,
                                           const saddle_certificate *certificate)
{
    SADDLE__RETURN_UNLESS(context, path && solution, "path or solution is NULL");
    const writing w = {solution, report, certificate};
    return saddle__folder_write(context, path, &kind, &w);
}

saddle_status saddle_solution_write(saddle_context *context, const char *path,
                                    const saddle_solution *solution, const saddle_report *report)
{
    SADDLE__RETURN_UNLESS(context, path && solution, "path or solution is NULL");
    return saddle_solution_write_proven(context, path, solution, report, NULL);
}
