/* SPDX-License-Identifier: MIT */
/* A solution folder: v.mtx, lambda.mtx, w.mtx and report.json. */
#include "files/solution_file.h"

#include <fcntl.h>
#include <unistd.h>

#include "files/atomic.h"
#include "files/mtx.h"
#include "files/output.h"
#include "saddle/files.h"

/* ---- reading ---- */

/* A vector that must be there; *count -1 = of any length. */
static saddle_status read_vector(saddle__source *source, const char *name, int64_t *count,
                                 double **value)
{
    saddle__scan scan;
    int present;
    int64_t rows = 0, cols = 0;
    saddle_status status = saddle__source_open(source, name, &present, &scan);
    if (status == SADDLE_OK && !present)
        return saddle_fail(source->context, SADDLE_FILE_ERROR, "%s: not a solution: there is no %s",
                           source->label, source->path);
    if (status == SADDLE_OK) status = saddle__array_scan(&scan, 0, &rows, &cols, value);
    saddle__scan_close(&scan);
    if (status == SADDLE_OK && cols != 1)
        return saddle__source_fail(source, name, "%lld columns, not one", (long long)cols);
    if (status == SADDLE_OK && *count >= 0 && rows != *count)
        return saddle__source_fail(source, name, "%lld rows, but lambda.mtx has %lld",
                                   (long long)rows, (long long)*count);
    *count = rows;
    return status;
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
    saddle_context_clear_message(context);
    if (solution) *solution = (saddle_solution){0};
    if (!path || !solution)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_solution_read: path or solution is NULL");
    saddle__source source = saddle__source_folder(context, path);
    saddle_status status = saddle__solution_parse(&source, solution);
    saddle__source_close(&source);
    return status;
}

saddle_status saddle_certificate_read(saddle_context *context, const char *path, int64_t n,
                                      int64_t m, saddle_certificate *certificate)
{
    saddle_context_clear_message(context);
    if (certificate) *certificate = (saddle_certificate){0};
    if (!path || !certificate)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_certificate_read: path or certificate is NULL");
    static const char name[] = "certificate.mtx";
    saddle__source source = saddle__source_folder(context, path);
    saddle__scan scan;
    int present;
    int64_t rows = 0;
    int64_t cols = 0;
    double *value = NULL;
    saddle_status status = saddle__source_open(&source, name, &present, &scan);
    if (status == SADDLE_OK && present) {
        status = saddle__array_scan(&scan, 0, &rows, &cols, &value);
        if (status == SADDLE_OK && (cols != 1 || rows != n + m))
            status = saddle__source_fail(&source, name, "%lld x %lld numbers, not %lld x 1",
                                         (long long)rows, (long long)cols, (long long)(n + m));
        if (status == SADDLE_OK) status = saddle_certificate_create(context, n, m, certificate);
        for (int64_t k = 0; status == SADDLE_OK && k < n + m; k++)
            *(k < n ? &certificate->velocity[k] : &certificate->row[k - n]) = value[k];
    }
    saddle__scan_close(&scan);
    saddle_release(context, value);
    saddle__source_close(&source);
    return status;
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

static saddle_status write_vector(saddle_context *context, const char *folder, const char *name,
                                  int64_t count, const double *value)
{
    char *path = saddle__path_join(context, folder, name);
    saddle_status status = path ? saddle_array_write(context, path, count, 1, value)
                                : SADDLE_OUT_OF_MEMORY;
    saddle_release(context, path);
    return status;
}

static saddle_status write_report(saddle_context *context, const char *folder,
                                  const saddle_report *report)
{
    char *text = NULL;
    saddle_status status = saddle_report_to_json(context, report, &text);
    char *path = status == SADDLE_OK ? saddle__path_join(context, folder, "report.json") : NULL;
    saddle__output output;
    if (status == SADDLE_OK)
        status = path ? saddle__output_open(context, path, &output) : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        saddle__output_text(&output, text);
        status = saddle__output_finish(&output, status);
    }
    saddle_release(context, path);
    saddle_release(context, text);
    return status;
}

/* z and y in one column */
static saddle_status write_certificate(saddle_context *context, const char *folder,
                                       const saddle_certificate *certificate)
{
    int64_t n = certificate->n;
    int64_t m = certificate->m;
    double *both = saddle_allocate(context, n + m, sizeof *both);
    for (int64_t k = 0; both && k < n + m; k++)
        both[k] = k < n ? certificate->velocity[k] : certificate->row[k - n];
    saddle_status status = both ? write_vector(context, folder, "certificate.mtx", n + m, both)
                                : SADDLE_OUT_OF_MEMORY;
    saddle_release(context, both);
    return status;
}

static const char *const solution_names[] = {"v.mtx",       "lambda.mtx",      "w.mtx",
                                             "report.json", "certificate.mtx", NULL};
static const saddle__folder_kind solution_kind = {"a saddle solution", solution_names, is_solution};

saddle_status saddle__solution_probe(saddle_context *context, const char *path)
{
    saddle__new_folder folder;
    saddle_status status = saddle__new_folder_begin(context, path, &solution_kind, &folder);
    if (status == SADDLE_OK) saddle__new_folder_finish(&folder, SADDLE_STOPPED);
    return status;
}

saddle_status saddle_solution_write_proven(saddle_context *context, const char *path,
                                           const saddle_solution *solution,
                                           const saddle_report *report,
                                           const saddle_certificate *certificate)
{
    saddle_context_clear_message(context);
    if (!path || !solution)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_solution_write_proven: path or solution is NULL");
    saddle__new_folder folder;
    saddle_status status = saddle__new_folder_begin(context, path, &solution_kind, &folder);
    if (status == SADDLE_OK)
        status = write_vector(context, folder.temporary, "v.mtx", solution->n, solution->v);
    if (status == SADDLE_OK)
        status = write_vector(context, folder.temporary, "lambda.mtx", solution->m,
                              solution->lambda);
    if (status == SADDLE_OK)
        status = write_vector(context, folder.temporary, "w.mtx", solution->m, solution->w);
    if (status == SADDLE_OK && report) status = write_report(context, folder.temporary, report);
    if (status == SADDLE_OK && certificate)
        status = write_certificate(context, folder.temporary, certificate);
    return saddle__new_folder_finish(&folder, status);
}

saddle_status saddle_solution_write(saddle_context *context, const char *path,
                                    const saddle_solution *solution, const saddle_report *report)
{
    saddle_context_clear_message(context);
    if (!path || !solution)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_solution_write: path or solution is NULL");
    return saddle_solution_write_proven(context, path, solution, report, NULL);
}
