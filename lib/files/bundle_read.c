/* SPDX-License-Identifier: MIT */
/* A problem bundle to a problem: problem.json states the sizes, each other file is checked against
 * them. */
#include <math.h>
#include <string.h>

#include "files/bundle.h"
#include "files/mtx.h"
#include "files/problem_file.h"

/* ---- one file of the folder ---- */

/* A matrix file whose header must say rows x cols, before its entries are read; known: see
 * saddle__mtx_plausible. */
static saddle_status scan_matrix(saddle__source *source, const char *name, saddle__scan *scan,
                                 int64_t rows, int64_t cols, int64_t known, saddle_matrix *A)
{
    saddle__mtx_header header;
    saddle_status status = saddle__mtx_header_scan(scan, &header);
    if (status != SADDLE_OK) return status;
    if (header.rows == rows && header.cols == cols)
        return saddle__mtx_body_scan(scan, &header, known, A);
    return saddle__source_fail(source, name, "%lld x %lld, but problem.json asks for %lld x %lld",
                               (long long)header.rows, (long long)header.cols, (long long)rows,
                               (long long)cols);
}

/* An optional matrix of rows x cols; empty without a file. */
static saddle_status read_matrix(saddle__source *source, const char *name, int64_t rows,
                                 int64_t cols, int64_t known, int *present, saddle_matrix *A)
{
    saddle__scan scan;
    saddle_status status = saddle__source_open(source, name, present, &scan);
    if (status == SADDLE_OK && *present)
        status = scan_matrix(source, name, &scan, rows, cols, known, A);
    saddle__scan_close(&scan);
    return status;
}

/* ---- M, J, R ---- */

/* A general M claimed to be symmetric: keeps the lower triangle if both triangles agree. */
static saddle_status verify_symmetry(saddle__source *source, saddle_matrix *M)
{
    saddle_matrix transpose = {0}, difference = {0}, lower = {0};
    saddle_status status = saddle_matrix_transpose(source->context, M, &transpose);
    if (status == SADDLE_OK)
        status = saddle_matrix_add(source->context, 1.0, M, -1.0, &transpose, &difference);
    for (int64_t j = 0; status == SADDLE_OK && j < difference.cols; j++)
        for (int64_t k = difference.start[j]; status == SADDLE_OK && k < difference.start[j + 1];
             k++)
            if (difference.value[k] != 0.0)
                status = saddle__source_fail(
                    source, "M.mtx",
                    "problem.json says symmetric, but entries (%lld, %lld) and (%lld, %lld) "
                    "differ by %.3g",
                    (long long)difference.index[k] + 1, (long long)j + 1, (long long)j + 1,
                    (long long)difference.index[k] + 1, fabs(difference.value[k]));
    if (status == SADDLE_OK) status = saddle_matrix_lower(source->context, M, &lower);
    if (status == SADDLE_OK) {
        saddle_matrix_clear(M);
        *M = lower;
    }
    saddle_matrix_clear(&transpose);
    saddle_matrix_clear(&difference);
    return status;
}

static saddle_status read_M(saddle__source *source, int symmetric, saddle_problem *problem)
{
    int present;
    saddle_status status = read_matrix(source, "M.mtx", problem->n, problem->n, 0, &present,
                                       &problem->M);
    if (status == SADDLE_OK && !present && problem->n > 0)
        return saddle__source_fail(source, "M.mtx", "absent, but n = %lld in problem.json",
                                   (long long)problem->n);
    if (status == SADDLE_OK && present && symmetric == 1 && problem->M.symmetry == SADDLE_GENERAL)
        status = verify_symmetry(source, &problem->M);
    return status;
}

/* J is held by rows: the columns of J'.  M has paid for n columns. */
static saddle_status read_J(saddle__source *source, int *present, saddle_problem *problem)
{
    saddle_matrix J = {0}, full = {0};
    saddle_status status = read_matrix(source, "J.mtx", problem->m, problem->n, problem->n, present,
                                       &J);
    if (status == SADDLE_OK && *present && J.symmetry == SADDLE_SYMMETRIC) {
        status = saddle_matrix_expand(source->context, &J, &full);
        if (status == SADDLE_OK)
            status = saddle_matrix_transpose(source->context, &full, &problem->Jt);
    } else if (status == SADDLE_OK && *present) {
        status = saddle_matrix_transpose(source->context, &J, &problem->Jt);
    }
    saddle_matrix_clear(&J);
    saddle_matrix_clear(&full);
    return status;
}

/* R, and J = 0 where J has no file.  The size of J or R must make m plausible. */
static saddle_status read_rows(saddle__source *source, saddle_problem *problem)
{
    int has_J, has_R = 0;
    int64_t n = problem->n, m = problem->m;
    saddle_status status = read_J(source, &has_J, problem);
    if (status == SADDLE_OK)
        status = read_matrix(source, "R.mtx", m, m, has_J && m > n ? m : n, &has_R, &problem->R);
    if (status != SADDLE_OK || has_J) return status;
    if (!has_R && m > n && m > SADDLE__MTX_FREE_SIZE)
        return saddle_fail(
            source->context, SADDLE_TOO_LARGE,
            "%s: problem.json says m = %lld, but there is neither a J.mtx nor an R.mtx",
            source->label, (long long)m);
    return saddle_matrix_create(source->context, n, m, 0, SADDLE_GENERAL, &problem->Jt);
}

/* ---- bounds, contacts ---- */

static saddle_status read_bounds(saddle__source *source, saddle_problem *problem)
{
    double *both = NULL;
    int64_t m = problem->m;
    saddle_status status = saddle__source_array(source, "bounds.mtx", 1, 2, &m, &both);
    if (status != SADDLE_OK || !both) return status;
    problem->lo = saddle_allocate(source->context, m, sizeof *problem->lo);
    problem->hi = saddle_allocate(source->context, m, sizeof *problem->hi);
    if (!problem->lo || !problem->hi) {
        status = SADDLE_OUT_OF_MEMORY;
    } else if (m > 0) {
        memcpy(problem->lo, both, (size_t)m * sizeof *both);
        memcpy(problem->hi, both + m, (size_t)m * sizeof *both);
    }
    saddle_release(source->context, both);
    return status;
}

/* A whole number between lo and hi out of a column of contacts.mtx. */
static saddle_status to_integer(saddle__source *source, int64_t contact, const char *what,
                                double value, int64_t lo, int64_t hi, int64_t *integer)
{
    if (!(value >= (double)lo && value <= (double)hi) || value != floor(value))
        return saddle__source_fail(source, "contacts.mtx",
                                   "contact %lld: %s is %.17g, not an integer from %lld to %lld",
                                   (long long)contact + 1, what, value, (long long)lo,
                                   (long long)hi);
    *integer = (int64_t)value;
    return SADDLE_OK;
}

static saddle_status read_contacts(saddle__source *source, saddle_problem *problem)
{
    double *table = NULL;
    int64_t count = -1;
    saddle_status status = saddle__source_array(source, "contacts.mtx", 0, 3, &count, &table);
    if (status != SADDLE_OK || !table) return status;
    problem->contacts = saddle_allocate(source->context, count, sizeof *problem->contacts);
    if (problem->contacts)
        problem->contact_count = count;
    else
        status = SADDLE_OUT_OF_MEMORY;
    int64_t last = problem->m < INT64_C(1) << 53 ? problem->m : INT64_C(1) << 53;
    for (int64_t c = 0; status == SADDLE_OK && c < count; c++) {
        saddle_contact *contact = &problem->contacts[c];
        status = to_integer(source, c, "first row", table[c], 1, last, &contact->row);
        if (status == SADDLE_OK)
            status = to_integer(source, c, "number of rows", table[c + count], 2, 3,
                                &contact->size);
        contact->row--;
        contact->mu = table[c + 2 * count];
    }
    saddle_release(source->context, table);
    return status;
}

/* ---- the folder ---- */

static saddle_status refuse(const saddle__source *source)
{
    return saddle_fail(source->context, SADDLE_UNSUPPORTED,
                       "%s: has attachments, without which its problem is another one: "
                       "saddle_attachments_read reads both",
                       source->label);
}

/* Refuses an attachments.mtx to which no component of problem.json belongs. */
static saddle_status refuse_stray(saddle__source *source)
{
    static const char name[] = "attachments.mtx";
    saddle__scan scan;
    int present;
    saddle_status status = saddle__source_open(source, name, &present, &scan);
    saddle__scan_close(&scan);
    if (status != SADDLE_OK || !present) return status;
    return saddle__source_fail(source, name,
                               "problem.json has no \"components\" that it could belong to");
}

/* attached: NULL = refuse a bundle with attachments. */
static saddle_status parse(saddle__source *source, saddle_problem *problem, int *attached)
{
    *problem = (saddle_problem){.owner = 1, .context = source->context};
    int symmetric, found;
    saddle_status status = saddle__bundle_json_read(source, problem, &symmetric, &found);
    if (status == SADDLE_OK && found && !attached) status = refuse(source);
    if (status == SADDLE_OK && !found) status = refuse_stray(source);
    if (status == SADDLE_OK) status = read_M(source, symmetric, problem);
    if (status == SADDLE_OK) status = read_rows(source, problem);
    if (status == SADDLE_OK)
        status = saddle__source_array(source, "f.mtx", 0, 1, &(int64_t){problem->n}, &problem->f);
    if (status == SADDLE_OK)
        status = saddle__source_array(source, "b.mtx", 0, 1, &(int64_t){problem->m}, &problem->b);
    if (status == SADDLE_OK) status = read_bounds(source, problem);
    if (status == SADDLE_OK) status = read_contacts(source, problem);
    if (status == SADDLE_OK)
        status = saddle__problem_check_file(source->context, source->label, problem);
    if (status == SADDLE_OK && attached) *attached = found;
    if (status != SADDLE_OK) saddle_problem_clear(problem);
    return status;
}

saddle_status saddle__bundle_parse(saddle__source *source, saddle_problem *problem)
{
    return parse(source, problem, NULL);
}

saddle_status saddle__bundle_parse_unreduced(saddle__source *source, saddle_problem *problem,
                                             int *attached)
{
    return parse(source, problem, attached);
}

saddle_status saddle__bundle_read(saddle_context *context, const char *path,
                                  saddle_problem *problem)
{
    saddle__source source = saddle__source_folder(context, path);
    saddle_status status = saddle__bundle_parse(&source, problem);
    saddle__source_close(&source);
    return status;
}
