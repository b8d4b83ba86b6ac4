/* SPDX-License-Identifier: MIT */
/* Reading a problem of any format: detect, read, name, check. */
#include <string.h>
#include <sys/stat.h>

#include "files/bundle.h"
#include "files/detect.h"
#include "files/fclib.h"
#include "problem/problem_internal.h"

enum { MESSAGE_SIZE = 1024 };

/* The file's name without its folders and its last extension. */
static saddle_status name_after_file(saddle_context *context, const char *path,
                                     saddle_problem *problem)
{
    if (problem->name) return SADDLE_OK;
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    problem->name = saddle__copy_text(context, base);
    if (!problem->name) return SADDLE_OUT_OF_MEMORY;
    char *dot = strrchr(problem->name, '.');
    if (dot && dot != problem->name) *dot = 0;
    return SADDLE_OK;
}

/* What no reader has looked at: an inconsistent problem is a bad file. */
static saddle_status check(const saddle__scan *scan, const saddle_problem *problem)
{
    saddle_status status = saddle_problem_check(scan->context, problem, NULL, NULL);
    if (status != SADDLE_INVALID_PROBLEM) return status;
    char finding[MESSAGE_SIZE];
    strncpy(finding, saddle_context_message(scan->context), sizeof finding - 1);
    finding[sizeof finding - 1] = 0;
    return saddle_fail(scan->context, SADDLE_BAD_FILE, "%s: %s", scan->label, finding);
}

static saddle_status scan_text(saddle__scan *scan, saddle_format format, saddle__scan *rhs,
                               saddle_problem *problem)
{
    saddle__problem_reader *read = saddle__detect_reader(scan, format);
    saddle_status status = SADDLE_OK;
    if (format == SADDLE_FORMAT_LCP_TRIPLETS && !rhs)
        return saddle_fail(scan->context, SADDLE_BAD_FILE,
                           "%s: an lcp-triplets problem needs q in a second file (rhs)",
                           scan->label);
    if (format == SADDLE_FORMAT_LCP_TRIPLETS) status = saddle__lcp_triplets_rhs(rhs, problem);
    if (status == SADDLE_OK) status = read(scan, problem);
    if (status == SADDLE_OK)
        saddle__scan_warn_of_cut(scan); /* after a remark the place is before it */
    if (status == SADDLE_OK && format == SADDLE_FORMAT_SICONOS_MATRIX)
        status = saddle__bare_system_rhs(scan->context, rhs, problem);
    return status;
}

static int takes_rhs(saddle_format format)
{
    return format == SADDLE_FORMAT_MATRIX_MARKET || format == SADDLE_FORMAT_SICONOS_MATRIX ||
           format == SADDLE_FORMAT_LCP_TRIPLETS;
}

saddle_status saddle__problem_scan(saddle__scan *scan, saddle_format format, saddle__scan *rhs,
                                   saddle_problem *problem, saddle_solution *start,
                                   saddle_solution *known)
{
    saddle_context *context = scan->context;
    saddle_status status;
    if (rhs && !takes_rhs(format))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s: a %s problem has its own right-hand side: rhs is for bare matrices "
                           "and lcp-triplets",
                           scan->label, saddle_format_word(format));
    problem->owner = 1;
    problem->context = context;
    if (format == SADDLE_FORMAT_FCLIB) {
        status = saddle__fclib_read(context, scan->begin, scan->end - scan->begin, scan->label,
                                    problem, start, known);
    } else if (format == SADDLE_FORMAT_MATRIX_MARKET) {
        status = saddle__bare_system_scan(scan, problem);
        if (status == SADDLE_OK) status = saddle__bare_system_rhs(context, rhs, problem);
    } else {
        status = scan_text(scan, format, rhs, problem);
    }
    if (status == SADDLE_OK) status = name_after_file(context, scan->label, problem);
    return status == SADDLE_OK ? check(scan, problem) : status;
}

static saddle_status read_file(saddle_context *context, const char *path,
                               const saddle_read_options *options, saddle_problem *problem,
                               saddle_solution *start, saddle_solution *known,
                               saddle_format *format)
{
    saddle__scan scan = {0}, rhs = {0};
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK && options->rhs)
        status = saddle__scan_open(context, options->rhs, &rhs);
    if (status == SADDLE_OK && *format == SADDLE_FORMAT_AUTO)
        status = saddle__detect(&scan, options->rhs != NULL, format);
    if (status == SADDLE_OK)
        status = saddle__problem_scan(&scan, *format, options->rhs ? &rhs : NULL, problem, start,
                                      known);
    saddle__scan_close(&scan);
    saddle__scan_close(&rhs);
    return status;
}

static int is_folder(const char *path)
{
    struct stat about;
    return stat(path, &about) == 0 && S_ISDIR(about.st_mode);
}

saddle_status saddle_problem_read(saddle_context *context, const char *path,
                                  const saddle_read_options *options, saddle_problem *problem,
                                  saddle_solution *start, saddle_solution *known,
                                  saddle_format *detected)
{
    saddle_context_clear_message(context);
    static const saddle_read_options defaults = {0};
    if (problem) memset(problem, 0, sizeof *problem);
    if (!path || !problem)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_problem_read: no path or no problem");
    if (!options) options = &defaults;
    if (start) memset(start, 0, sizeof *start);
    if (known) memset(known, 0, sizeof *known);
    saddle_format format = options->format;
    saddle_status status;
    if (strcmp(saddle_format_word(format), "?") == 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "saddle_problem_read: %d is no format",
                           (int)format);
    if (format == SADDLE_FORMAT_AUTO && is_folder(path)) format = SADDLE_FORMAT_BUNDLE;
    if (format == SADDLE_FORMAT_BUNDLE && options->rhs)
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                             "%s: a bundle has its own right-hand side", path);
    else if (format == SADDLE_FORMAT_BUNDLE)
        status = saddle__bundle_read(context, path, problem);
    else
        status = read_file(context, path, options, problem, start, known, &format);
    if (status != SADDLE_OK) {
        saddle_problem_clear(problem);
        saddle_solution_clear(start);
        saddle_solution_clear(known);
        return status;
    }
    if (detected) *detected = format;
    return SADDLE_OK;
}
