/* SPDX-License-Identifier: MIT */
/* Reading a problem of any format: find the format, read, name, check. HDF5, MATLAB and Matrix
 * Market files begin with a mark; a bundle is a folder.  Other texts are numbers without a mark:
 * the readers of the text formats try the text in turn, and the first to read from beginning to end
 * states the format.  If all fail, the message is from the reader that came furthest. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/context_internal.h"
#include "files/bundle.h"
#include "files/mtx.h"
#include "files/number.h"
#include "files/problem_file.h"
#include "problem/problem_internal.h"

static saddle__scan whole(saddle_context *context, const saddle__scan *scan)
{
    return saddle__scan_text(context, scan->begin, scan->end - scan->begin, scan->label);
}

/* ---- files that are no problems ---- */

static int begins(const saddle__scan *scan, const char *mark, int64_t length)
{
    return scan->end - scan->begin >= length && memcmp(scan->begin, mark, (size_t)length) == 0;
}

/* A noun for a file of a known other kind, else NULL. */
static const char *other_kind(const saddle__scan *scan)
{
    saddle__scan first = whole(NULL, scan);
    int64_t length = scan->end - scan->begin, looked = length < 4096 ? length : 4096;
    if (saddle__scan_at_end(&first)) return "an empty file";
    if (begins(scan, "PK\003\004", 4)) return "a zip archive (npz, docx)";
    if (begins(scan, "\x93NUMPY", 6)) return "a NumPy array";
    if (begins(scan, "MATLAB", 6)) return "a MATLAB file of another version than 5 (save -v7)";
    if (begins(scan, "\x1f\x8b", 2)) return "a gzip-compressed file";
    if (memchr(scan->begin, 0, (size_t)looked)) return "a binary file";
    if (*first.at == '<') return "an XML file";
    return *first.at == '{' ? "a JSON file (a bundle is given as its folder)" : NULL;
}

static const char vector_of_lines[] = "a vector in lines `i v`";

/* A noun for a text of lines `i v`, i = 1, 2, .., or with a number on each line, else NULL. */
static const char *vector_kind(const saddle__scan *scan)
{
    saddle__scan at = whole(NULL, scan);
    int64_t count = 0;
    int indexed = 1, column = 1;
    while ((indexed || column) && !saddle__scan_at_end(&at)) {
        double value;
        if (saddle__number_parse(at.at, at.end, &value, &at.at) == SADDLE__NUMBER_NONE) return NULL;
        if (count % 2 == 0 && value != (double)(count / 2 + 1)) indexed = 0;
        if (!saddle__scan_line_ends(&at)) column = 0;
        count++;
    }
    if (indexed && count > 2 && count % 2 == 0) return vector_of_lines;
    return column && count > 0 ? "a column of numbers" : NULL;
}

static saddle_status is_other(const saddle__scan *scan, const char *kind)
{
    return saddle_fail(scan->context, SADDLE_BAD_FILE, "%s: not a problem file but %s", scan->label,
                       kind);
}

/* 1: the first numbers are those of a Siconos problem, one of
 *
 *     n storage n n
 *     dim contacts storage m m          m = dim contacts
 *     dim contacts 0 n n n n
 *
 * A damaged one may by accident have as many numbers as an older LCP. */
static int claims_siconos(const saddle__scan *scan)
{
    saddle__scan at = whole(NULL, scan);
    int64_t head[7] = {0};
    int count = 0;
    for (; count < 7; count++) {
        head[count] = saddle__scan_integer(&at, "");
        if (at.status != SADDLE_OK) break;
    }
    if (count >= 4 && head[0] > 0 && head[1] >= 0 && head[1] <= 2 && head[2] == head[0] &&
        head[3] == head[0])
        return 1;
    int contacts = count >= 5 && head[0] >= 2 && head[0] <= 5 && head[2] >= 0 && head[2] <= 2 &&
                   head[3] > 0 && head[4] == head[3];
    if (!contacts) return 0;
    return (head[3] % head[0] == 0 && head[3] / head[0] == head[1]) ||
           (count == 7 && head[2] == 0 && head[5] == head[3] && head[6] == head[3]);
}

/* ---- LCPs of two files: lcp-triplets ----
 *
 * w = M z + q, 0 <= z _|_ w >= 0: lines `i j v` of M, one-based; q in a second file, lines `i v`,
 * which states the size.  Read with n = 0, R = M, b = -q; zeros are stored. */

/* Lines `i j v` to the end of the text, indices at most size; list: NULL = nothing is stored. */
static saddle_status read_triplets(saddle__scan *scan, int64_t size, saddle__entries *list)
{
    while (scan->status == SADDLE_OK && !saddle__scan_at_end(scan)) {
        int64_t i = saddle__scan_range(scan, "row index", 1, size);
        int64_t j = saddle__scan_range(scan, "column index", 1, size);
        double value = saddle__scan_double(scan, "entry", 0);
        if (scan->status != SADDLE_OK || !list) continue;
        if (list->count == list->room)
            scan->status = saddle__entries_reserve(scan->context, 2 * list->room + 64, list);
        if (scan->status == SADDLE_OK) saddle__entries_add(list, i - 1, j - 1, value);
    }
    return scan->status;
}

/* m, b and bounds from q. */
static saddle_status read_q(saddle__scan *scan, saddle_problem *problem)
{
    int ended;
    int64_t count = saddle__scan_count(scan, INT64_MAX, &ended), size = count / 2;
    if (count == 0 || count % 2 != 0 || !ended)
        return saddle__scan_fail(scan, "q: %lld numbers are no lines `i v`", (long long)count);
    char *given = saddle__scan_allocate(scan, size, 1);
    problem->b = saddle__scan_allocate(scan, size, sizeof *problem->b);
    for (int64_t k = 0; scan->status == SADDLE_OK && k < size; k++) {
        int64_t i = saddle__scan_range(scan, "index in q", 1, size);
        if (scan->status == SADDLE_OK && given[i - 1])
            (void)saddle__scan_fail(scan, "q: entry %lld is given twice", (long long)i);
        double value = saddle__scan_double(scan, "entry of q", 0);
        if (scan->status != SADDLE_OK) break;
        given[i - 1] = 1;
        problem->b[i - 1] = -value;
    }
    saddle_release(scan->context, given);
    if (scan->status != SADDLE_OK) return scan->status;
    saddle__scan_warn_of_cut(scan);
    problem->m = size;
    return saddle__problem_bound_all(scan, problem, 0, INFINITY);
}

/* rhs: q; NULL = SADDLE_BAD_FILE. */
static saddle_status read_lcp_triplets(saddle__scan *scan, saddle__scan *rhs,
                                       saddle_problem *problem)
{
    saddle__entries list = {0};
    if (!rhs)
        return saddle_fail(scan->context, SADDLE_BAD_FILE,
                           "%s: an lcp-triplets problem needs q in a second file (rhs)",
                           scan->label);
    *problem = (saddle_problem){.owner = 1, .context = scan->context};
    saddle_status status = read_q(rhs, problem);
    if (status == SADDLE_OK) status = read_triplets(scan, problem->m, &list);
    if (status == SADDLE_OK)
        status = saddle__entries_matrix(scan->context, scan->label, "M", problem->m, problem->m,
                                        &list, &problem->R, NULL);
    if (status == SADDLE_OK) status = saddle__matrix_settle(scan->context, &problem->R);
    saddle__entries_clear(scan->context, &list);
    return status;
}

/* ---- texts ---- */

/* 1: at least three words stand before the place. */
static int is_behind_three_words(const saddle__scan *scan, const char *place)
{
    saddle__scan at = whole(NULL, scan);
    const char *word;
    int64_t length;
    for (int count = 0; count < 3; count++) {
        if (saddle__scan_at_end(&at) || at.at >= place) return 0;
        saddle__scan_word(&at, &word, &length);
    }
    return 1;
}

/* No reader accepts the text: reads lines `i j v` and q, or states why not.  message: of the reader
 * that came furthest, up to `reached`. */
static saddle_status read_other(saddle__scan *scan, saddle__scan *rhs, const char *reached,
                                const char *message, saddle_format *format, saddle_problem *problem)
{
    saddle__scan lines = whole(scan->context, scan);
    if (!saddle__scan_at_end(&lines) && read_triplets(&lines, INT64_MAX, NULL) == SADDLE_OK) {
        *format = SADDLE_FORMAT_LCP_TRIPLETS;
        scan->at = scan->begin;
        scan->status = SADDLE_OK;
        return read_lcp_triplets(scan, rhs, problem);
    }
    if (is_behind_three_words(scan, reached))
        return saddle_fail(scan->context, SADDLE_BAD_FILE, "%s", message);
    const char *vector = vector_kind(scan);
    return is_other(scan, vector ? vector : "a text of no known format");
}

/* *format AUTO: takes the first reader to accept the whole text, without readers under a skipped
 * condition; otherwise tries the readers of the format. */
static saddle_status try_readers(saddle__scan *scan, saddle__scan *rhs, int skipped,
                                 saddle_format *format, saddle_problem *problem)
{
    const char *reached = scan->begin;
    char message[SADDLE__MESSAGE_SIZE] = "";
    const saddle__text_format *text;
    for (int k = 0; (text = saddle__text_format_at(k)); k++) {
        if (*format == SADDLE_FORMAT_AUTO ? text->condition & skipped : text->format != *format)
            continue;
        *problem = (saddle_problem){.owner = 1, .context = scan->context};
        scan->at = scan->begin;
        scan->status = SADDLE_OK;
        saddle_status status = text->read(scan, problem);
        if (status != SADDLE_BAD_FILE) {
            *format = text->format;
            if (status == SADDLE_OK) saddle_context_clear_message(scan->context);
            return status;
        }
        saddle_problem_clear(problem);
        if (message[0] && scan->at <= reached) continue;
        reached = scan->at;
        snprintf(message, sizeof message, "%s", saddle_context_message(scan->context));
    }
    if (*format == SADDLE_FORMAT_AUTO)
        return read_other(scan, rhs, reached, message, format, problem);
    return saddle_fail(scan->context, SADDLE_BAD_FILE, "%s", message);
}

/* A text without a mark, or of a known format. */
static saddle_status read_text(saddle__scan *scan, saddle_format *format, saddle__scan *rhs,
                               saddle_problem *problem)
{
    saddle_status status;
    /* `1 a 2 b` can be an LCP of one row with its answer, but is far more likely q of a triplets
     * problem */
    if (*format == SADDLE_FORMAT_AUTO && !rhs && vector_kind(scan) == vector_of_lines)
        return is_other(scan, vector_of_lines);
    if (*format == SADDLE_FORMAT_LCP_TRIPLETS)
        status = read_lcp_triplets(scan, rhs, problem);
    else
        status = try_readers(scan, rhs,
                             SADDLE__BY_NAME | (rhs ? SADDLE__TAKES_NO_RHS : 0) |
                                 (claims_siconos(scan) ? SADDLE__NUMBERS_ONLY : 0),
                             format, problem);
    if (status == SADDLE_OK) saddle__scan_warn_of_cut(scan);
    return status;
}

/* ---- bare linear systems K x = rhs: n = size of K, M = K, f = rhs, no rows ---- */

/* A larger matrix with fewer entries than rows is refused: some row is empty, and no right-hand
 * side makes the system regular.  A smaller one is read, to be examined. */
#define SMALL_SYSTEM (INT64_C(1) << 20)

static saddle_status check_square(saddle__scan *scan, const saddle__mtx_header *header)
{
    if (header->rows != header->cols)
        return saddle__scan_fail(scan,
                                 "the matrix is %lld x %lld: a linear system needs a square one",
                                 (long long)header->rows, (long long)header->cols);
    int64_t most = header->shape == SADDLE__MTX_GENERAL ? header->entries : 2 * header->entries;
    if (!header->coordinate || header->rows <= SMALL_SYSTEM || most >= header->rows)
        return SADDLE_OK;
    return saddle__scan_fail(
        scan,
        "%lld x %lld with %lld entries: some row is empty, so that the system is singular "
        "whatever its right-hand side",
        (long long)header->rows, (long long)header->cols, (long long)header->entries);
}

static saddle_status read_bare_system(saddle__scan *scan, saddle_problem *problem)
{
    saddle__mtx_header header;
    saddle_status status = saddle__mtx_header_scan(scan, &header);
    if (status == SADDLE_OK) status = check_square(scan, &header);
    if (status == SADDLE_OK) status = saddle__mtx_body_scan(scan, &header, 0, &problem->M);
    if (status != SADDLE_OK) return status;
    problem->n = header.rows;
    return saddle__matrix_settle(scan->context, &problem->M);
}

/* f = M 1: the exact solution is all ones. */
static saddle_status make_rhs(saddle_context *context, saddle_problem *problem)
{
    double *ones = saddle_allocate(context, problem->n, sizeof *ones);
    problem->f = saddle_allocate(context, problem->n, sizeof *problem->f);
    saddle_status status = ones && problem->f ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < problem->n; i++) ones[i] = 1;
    if (status == SADDLE_OK) saddle_matrix_apply(&problem->M, 1, ones, 0, problem->f);
    saddle_release(context, ones);
    return status;
}

/* ---- any format ---- */

/* The binary format of the first bytes; NULL: none. */
static const saddle__binary_format *find_binary(const saddle__scan *scan)
{
    const saddle__binary_format *const *binary = saddle__binary_formats;
    while (*binary && !(*binary)->is(scan->begin, scan->end - scan->begin)) binary++;
    return *binary;
}

/* By the mark at the beginning, or by the name; AUTO = by the readers of texts. */
static saddle_status find_format(const saddle__scan *scan, saddle_format *format)
{
    static const char box_name[] = ".blcp.txt";
    size_t length = strlen(scan->label), tail = sizeof box_name - 1;
    const char *other = other_kind(scan);
    const saddle__binary_format *binary = find_binary(scan);
    if (binary)
        *format = binary->format;
    else if (saddle__mtx_is(scan->begin, scan->end - scan->begin))
        *format = SADDLE_FORMAT_MATRIX_MARKET;
    else if (other)
        return is_other(scan, other);
    else if (length > tail && strcmp(scan->label + length - tail, box_name) == 0)
        *format = SADDLE_FORMAT_BOX_LCP;
    return SADDLE_OK;
}

/* The file's name without folders and the last extension, unless the problem has a name. */
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

saddle_status saddle__problem_scan(saddle__scan *scan, saddle_format *format, saddle__scan *rhs,
                                   saddle_problem *problem, saddle_solution *start,
                                   saddle_solution *known)
{
    saddle_context *context = scan->context;
    saddle_status status = *format == SADDLE_FORMAT_AUTO ? find_format(scan, format) : SADDLE_OK;
    if (status != SADDLE_OK) return status;
    int is_mtx = *format == SADDLE_FORMAT_MATRIX_MARKET;
    if (rhs && !is_mtx && *format != SADDLE_FORMAT_AUTO &&
        *format != SADDLE_FORMAT_SICONOS_MATRIX && *format != SADDLE_FORMAT_LCP_TRIPLETS)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s: a %s problem has its own right-hand side: rhs is for bare matrices "
                           "and lcp-triplets",
                           scan->label, saddle_format_word(*format));
    *problem = (saddle_problem){.owner = 1, .context = context};
    const saddle__binary_format *binary = saddle__binary_format_of(*format);
    if (binary)
        status = binary->read(context, scan->begin, scan->end - scan->begin, scan->label, problem,
                              start, known);
    else if (is_mtx)
        status = read_bare_system(scan, problem);
    else
        status = read_text(scan, format, rhs, problem);
    int bare = is_mtx || *format == SADDLE_FORMAT_SICONOS_MATRIX;
    if (status == SADDLE_OK && bare && rhs)
        status = saddle__array_scan(rhs, "the right-hand side is ", 0, &(int64_t){problem->n},
                                    &(int64_t){1}, &problem->f);
    else if (status == SADDLE_OK && bare)
        status = make_rhs(context, problem);
    if (status == SADDLE_OK) status = name_after_file(context, scan->label, problem);
    return status == SADDLE_OK ? saddle__problem_check_file(context, scan->label, problem) : status;
}

static saddle_status read_file(saddle_context *context, const char *path,
                               const saddle_read_options *options, saddle_format *format,
                               saddle_problem *problem, saddle_solution *start,
                               saddle_solution *known)
{
    saddle__scan scan = {0}, rhs = {0};
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK && options->rhs)
        status = saddle__scan_open(context, options->rhs, &rhs);
    if (status == SADDLE_OK)
        status = saddle__problem_scan(&scan, format, options->rhs ? &rhs : NULL, problem, start,
                                      known);
    saddle__scan_close(&scan);
    saddle__scan_close(&rhs);
    return status;
}

static saddle_status read_bundle(saddle_context *context, const char *path, saddle_problem *problem)
{
    saddle__source source = saddle__source_folder(context, path);
    saddle_status status = saddle__bundle_parse(&source, problem, NULL);
    saddle__source_close(&source);
    return status;
}

saddle_status saddle_problem_read(saddle_context *context, const char *path,
                                  const saddle_read_options *options, saddle_problem *problem,
                                  saddle_solution *start, saddle_solution *known,
                                  saddle_format *detected)
{
    static const saddle_read_options defaults = {0};
    if (problem) memset(problem, 0, sizeof *problem);
    SADDLE__RETURN_UNLESS(context, path && problem, "path or problem is NULL");
    if (!options) options = &defaults;
    if (start) memset(start, 0, sizeof *start);
    if (known) memset(known, 0, sizeof *known);
    saddle_format format = options->format;
    saddle_status status;
    struct stat about;
    if (strcmp(saddle_format_word(format), "?") == 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "saddle_problem_read: %d is no format",
                           (int)format);
    if (format == SADDLE_FORMAT_AUTO && stat(path, &about) == 0 && S_ISDIR(about.st_mode))
        format = SADDLE_FORMAT_BUNDLE;
    if (format == SADDLE_FORMAT_BUNDLE && options->rhs)
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                             "%s: a bundle has its own right-hand side", path);
    else if (format == SADDLE_FORMAT_BUNDLE)
        status = read_bundle(context, path, problem);
    else
        status = read_file(context, path, options, &format, problem, start, known);
    if (status != SADDLE_OK) {
        saddle_problem_clear(problem);
        saddle_solution_clear(start);
        saddle_solution_clear(known);
        return status;
    }
    if (detected) *detected = format;
    return SADDLE_OK;
}
