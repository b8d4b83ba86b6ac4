/* SPDX-License-Identifier: MIT */
/* Writing a problem in any format: choose by the name and the rows, check that the format can hold
 * the problem, write. */
#include <math.h>
#include <string.h>
#include <strings.h>

#include "base/context_internal.h"
#include "files/bundle.h"
#include "files/mtx.h"
#include "files/problem_file.h"
#include "matrix/matrix_internal.h"
#include "problem/kkt.h"

/* ---- choosing ---- */

/* The Siconos kind for the problem's rows; if no kind holds them, the nearest, and its check states
 * the reason. */
static saddle_format siconos_kind(const saddle_problem *problem)
{
    saddle_row_counts rows = saddle_problem_count_rows(problem);
    if (problem->n > 0) return SADDLE_FORMAT_SICONOS_GFC;
    if (rows.contact > 0)
        return rows.contact == problem->m ? SADDLE_FORMAT_SICONOS_FC : SADDLE_FORMAT_SICONOS_GMP;
    if (rows.box > 0) return SADDLE_FORMAT_SICONOS_RELAY;
    return rows.equality > 0 ? SADDLE_FORMAT_SICONOS_MLCP : SADDLE_FORMAT_SICONOS_LCP;
}

/* In any case: NAME.MTX too. */
static int ends_with(const char *path, const char *tail)
{
    size_t length = strlen(path), more = strlen(tail);
    return length > more && strcasecmp(path + length - more, tail) == 0;
}

saddle_status saddle__format_of_target(saddle_context *context, const char *path,
                                       const saddle_problem *problem, saddle_format *format)
{
    /* extensions of other programs: a bundle folder of such a name is refused as a mistake */
    static const char *const foreign[] = {
        ".npz",  ".npy",  ".json", ".xml",  ".osim", ".urdf", ".mjcf",  ".csv", ".tsv",
        ".txt",  ".zip",  ".gz",   ".bz2",  ".xz",   ".zst",  ".tar",   ".tgz", ".7z",
        ".pdf",  ".png",  ".svg",  ".hdf",  ".he5",  ".nc",   ".rb",    ".rsa", ".rua",
        ".psa",  ".mps",  ".qps",  ".lp",   ".nl",   ".sif",  ".bin",   ".xls", ".ods",
        ".xlsx", ".m",    ".py",   ".c",    ".h",    ".pkl",  ".yaml",  ".yml", ".log",
        ".md",   ".html", ".toml", ".mm",   ".stl",  ".obj",  ".petsc", ".jpg", ".jpeg",
        ".gif",  ".bmp",  ".tif",  ".tiff", ".webp", ".ps",   ".eps"};
    if (*format != SADDLE_FORMAT_AUTO) return SADDLE_OK;
    *format = ends_with(path, ".hdf5") || ends_with(path, ".h5") ? SADDLE_FORMAT_FCLIB
              : ends_with(path, ".mtx")                          ? SADDLE_FORMAT_MATRIX_MARKET
              : ends_with(path, ".blcp.txt")                     ? SADDLE_FORMAT_BOX_LCP
              : ends_with(path, ".lcp")                          ? SADDLE_FORMAT_LCP
              : ends_with(path, ".mat")                          ? SADDLE_FORMAT_MAT
              : ends_with(path, ".dat")                          ? siconos_kind(problem)
                                                                 : SADDLE_FORMAT_BUNDLE;
    if (*format != SADDLE_FORMAT_BUNDLE) return SADDLE_OK;
    for (size_t k = 0; k < sizeof foreign / sizeof foreign[0]; k++)
        if (ends_with(path, foreign[k]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "%s: no format is written to files called %s; with the format "
                               "bundle this would be a folder",
                               path, foreign[k]);
    return SADDLE_OK;
}

/* ---- can the format hold the problem? ---- */

static saddle_status check_compliance(saddle_context *context, const saddle_problem *problem,
                                      const char *word)
{
    const saddle_matrix *R = &problem->R;
    for (int64_t j = 0; saddle_matrix_entries(R) > 0 && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            char row[128];
            if (R->value[k] == 0) continue;
            saddle_problem_describe_row(problem, R->index[k], row, sizeof row);
            return saddle_fail_at(
                context, (saddle_place){SADDLE_PLACE_ENTRY_OF_R, R->index[k], j},
                saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                            "%s has compliance, R(%lld, %lld) = %g: %s holds only R = 0", row,
                            (long long)R->index[k] + 1, (long long)j + 1, R->value[k], word));
        }
    return SADDLE_OK;
}

static const char *held_text(int rows)
{
    if (rows & SADDLE__HOLDS_BOX) return "only rows with bounds";
    switch (rows) {
    case SADDLE__HOLDS_EQUALITY: return "only equality rows";
    case SADDLE__HOLDS_POSITIVE: return "only rows [0, inf)";
    case SADDLE__HOLDS_CONTACTS: return "only contacts";
    case SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_POSITIVE:
        return "only equality rows and rows [0, inf)";
    case SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_CONTACTS: return "only contacts and equality rows";
    default: return "only contacts, equality rows and rows [0, inf)";
    }
}

static saddle_status cannot_hold(saddle_context *context, const saddle_problem *problem,
                                 int64_t row, int rows, const char *word)
{
    char name[128];
    saddle_row_kind kind = saddle_problem_bound_kind(problem, row);
    const char *noun = kind == SADDLE_ROW_EQUALITY ? "an equality row"
                       : kind == SADDLE_ROW_BOX    ? "a box row"
                                                   : "a unilateral row";
    saddle_problem_describe_row(problem, row, name, sizeof name);
    return saddle_fail_at(context, (saddle_place){.kind = SADDLE_PLACE_ROW, .index = row},
                          saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                                      "%s is %s [%g, %g]: %s holds %s", name, noun,
                                      saddle_problem_lo(problem, row),
                                      saddle_problem_hi(problem, row), word, held_text(rows)));
}

static saddle_status check_rows(saddle_context *context, const saddle_problem *problem, int rows,
                                const char *word)
{
    if (problem->contact_count > 0 && !(rows & SADDLE__HOLDS_CONTACTS))
        return saddle_fail_at(
            context, (saddle_place){.kind = SADDLE_PLACE_ROW, .index = problem->contacts[0].row},
            saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                        "row %lld belongs to a friction contact: %s holds %s",
                        (long long)problem->contacts[0].row + 1, word, held_text(rows)));
    if (problem->contact_count > 0 && problem->law != SADDLE_LAW_CONE)
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "the contacts have the law %s: %s holds only the law cone",
                           saddle_law_word(problem->law), word);
    for (int64_t i = 0, c = 0; i < problem->m; i++) {
        if (c < problem->contact_count && problem->contacts[c].row == i) {
            i += problem->contacts[c++].size - 1;
            continue;
        }
        int equality = saddle_problem_bound_kind(problem, i) == SADDLE_ROW_EQUALITY;
        int positive = saddle_problem_lo(problem, i) == 0 &&
                       saddle_problem_hi(problem, i) == INFINITY;
        if (!(rows & SADDLE__HOLDS_BOX) && !(equality && (rows & SADDLE__HOLDS_EQUALITY)) &&
            !(positive && (rows & SADDLE__HOLDS_POSITIVE)))
            return cannot_hold(context, problem, i, rows, word);
    }
    return SADDLE_OK;
}

static saddle_status check_contact(saddle_context *context, const saddle_problem *problem,
                                   int64_t c, int demands, const char *word)
{
    const saddle_contact *contact = &problem->contacts[c];
    int64_t size = problem->contacts[0].size;
    if ((demands & SADDLE__CONTACTS_IN_SPACE) && contact->size != 3)
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "contact %lld has %lld rows: %s holds contacts of 3 rows",
                           (long long)c + 1, (long long)contact->size, word);
    if (!(demands & SADDLE__CONTACTS_FIRST)) return SADDLE_OK;
    if (contact->size == 4 || contact->size == 6)
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "contact %lld has %lld rows, one of torsion: %s holds contacts of 2, "
                           "3 or 5 rows",
                           (long long)c + 1, (long long)contact->size, word);
    if (contact->size != size)
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "contact %lld has %lld rows, the first has %lld: %s holds contacts "
                           "of one dimension",
                           (long long)c + 1, (long long)contact->size, (long long)size, word);
    if (contact->row != c * size)
        return saddle_fail(
            context, SADDLE_NOT_EXPRESSIBLE,
            "row %lld lies before contact %lld and belongs to none: %s holds contacts first",
            (long long)contact->row, (long long)c + 1, word);
    return SADDLE_OK;
}

static saddle_status check_contacts(saddle_context *context, const saddle_problem *problem,
                                    int demands, const char *word)
{
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const saddle_status status = check_contact(context, problem, c, demands, word);
        if (status != SADDLE_OK)
            return saddle_fail_at(context, (saddle_place){.kind = SADDLE_PLACE_CONTACT, .index = c},
                                  status);
    }
    return SADDLE_OK;
}

/* rows, demands: of the format. */
static saddle_status check_target(saddle_context *context, const saddle_problem *problem,
                                  saddle_format format, int rows, int demands)
{
    const char *word = saddle_format_word(format);
    saddle_status status = SADDLE_OK;
    if ((demands & SADDLE__NO_VELOCITIES) && problem->n > 0)
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "the problem has %lld velocities: %s holds only problems in rows, n = 0",
                           (long long)problem->n, word);
    if ((demands & SADDLE__NO_COMPLIANCE) ||
        ((demands & SADDLE__NO_COMPLIANCE_WITH_MASSES) && problem->n > 0))
        status = check_compliance(context, problem, word);
    if (status == SADDLE_OK && rows != SADDLE__HOLDS_ANY)
        status = check_rows(context, problem, rows, word);
    return status == SADDLE_OK ? check_contacts(context, problem, demands, word) : status;
}

/* ---- bare linear systems ---- */

/* The matrix, and (f; b) beside it. */
static saddle_status write_system(saddle_context *context, const char *path,
                                  const saddle_problem *problem, const saddle_matrix *matrix,
                                  void (*put)(saddle__output *output, const saddle_matrix *matrix))
{
    int64_t n = problem->n, m = problem->m;
    double *rhs = saddle_allocate(context, n + m, sizeof *rhs);
    if (!rhs) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < n; i++) rhs[i] = problem->f ? problem->f[i] : 0;
    for (int64_t i = 0; i < m; i++) rhs[n + i] = problem->b ? problem->b[i] : 0;
    saddle_status status = saddle__system_write(context, path, matrix, put, n + m, rhs);
    saddle_release(context, rhs);
    return status;
}

/* Removes the diagonal entries of K that the problem does not store. */
static void remove_unstored(const saddle_problem *problem, saddle_matrix *K)
{
    int64_t n = problem->n, kept = 0;
    for (int64_t j = 0, k = 0; j < K->cols; j++) {
        const saddle_matrix *A = j < n ? &problem->M : &problem->R;
        const int64_t i = j < n ? j : j - n;
        int stored = saddle_matrix_entries(A) > 0 && saddle__matrix_find(A, i, i) >= 0;
        for (; k < K->start[j + 1]; k++) {
            if (K->index[k] == j && !stored) continue;
            K->index[kept] = K->index[k];
            K->value[kept++] = K->value[k];
        }
        K->start[j + 1] = kept;
    }
}

static int is_symmetric(const saddle_matrix *A)
{
    return A->symmetry != SADDLE_SYMMETRY_NONE || saddle_matrix_entries(A) == 0;
}

/* Equality rows have w = 0: the problem is K (v; -lambda) = (f; b), K = [M J'; J -R]. */
static saddle_status bare_system_write(saddle_context *context, const char *path,
                                       const saddle_problem *problem)
{
    saddle__kkt kkt;
    int symmetric = is_symmetric(&problem->M) && is_symmetric(&problem->R);
    saddle_status status = saddle__kkt_create(context, problem, 0, &kkt);
    if (status != SADDLE_OK) return status;
    saddle__kkt_refresh(&kkt, problem, NULL);
    remove_unstored(problem, &kkt.K);
    if (symmetric && kkt.K.symmetry == SADDLE_SYMMETRY_NONE) kkt.K.symmetry = SADDLE_SYMMETRY_FULL;
    status = write_system(context, path, problem, &kkt.K, NULL);
    saddle__kkt_clear(&kkt);
    return status;
}

static saddle_status siconos_matrix_write(saddle_context *context, const char *path,
                                          const saddle_problem *problem)
{
    saddle_matrix M = {0};
    if (problem->m > 0)
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "the problem has %lld rows: %s holds only a matrix, m = 0",
                           (long long)problem->m, saddle_format_word(SADDLE_FORMAT_SICONOS_MATRIX));
    saddle_status status = saddle__matrix_full(context, &problem->M, problem->n, problem->n, &M);
    if (status == SADDLE_OK)
        status = write_system(context, path, problem, &M, saddle__siconos_put_matrix);
    saddle_matrix_clear(&M);
    return status;
}

/* ---- LCPs of two files ---- */

/* R in lines `i j v`; q in lines `i v` goes to PATH with .q before its extension. */
static saddle_status lcp_triplets_write(saddle_context *context, const char *path,
                                        const saddle_problem *problem)
{
    saddle_matrix R = {0};
    saddle__pair pair;
    if (problem->m == 0)
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "the problem has no rows: lcp-triplets holds at least one");
    saddle_status status = saddle__matrix_full(context, &problem->R, problem->m, problem->m, &R);
    if (status == SADDLE_OK) status = saddle__pair_open(context, path, ".q", &pair);
    if (status == SADDLE_OK) {
        saddle__output_entries(&pair.matrix, &R, 1, " ");
        for (int64_t i = 0; i < problem->m; i++) {
            saddle__output_integer(&pair.vector, i + 1, " ");
            saddle__output_double(&pair.vector, problem->b ? -problem->b[i] : 0, "\n");
        }
        status = saddle__pair_finish(&pair, status);
    }
    saddle_matrix_clear(&R);
    return status;
}

/* ---- writing ---- */

static saddle_status write_text(saddle_context *context, const char *path,
                                const saddle_problem *problem, saddle__problem_put *put)
{
    int64_t n = problem->n, m = problem->m;
    saddle__full_parts full = {0};
    saddle__output output = {0};
    saddle_status status = saddle__matrix_full(context, &problem->M, n, n, &full.M);
    if (status == SADDLE_OK) status = saddle__matrix_full(context, &problem->R, m, m, &full.R);
    if (status == SADDLE_OK) status = saddle__matrix_full(context, &problem->Jt, n, m, &full.Jt);
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status == SADDLE_OK) status = put(&output, problem, &full);
    status = saddle__output_finish(&output, status);
    saddle_matrix_clear(&full.M);
    saddle_matrix_clear(&full.R);
    saddle_matrix_clear(&full.Jt);
    return status;
}

static saddle_status bundle_write(saddle_context *context, const char *path,
                                  const saddle_problem *problem)
{
    return saddle__bundle_write(context, path, problem, NULL);
}

/* Formats other than binary ones and single texts. */
static const struct {
    saddle_format format;
    int rows, demands; /* of saddle__held_rows, of saddle__format_demand */
    saddle__problem_writer *write;
} targets[] = {
    {SADDLE_FORMAT_BUNDLE, SADDLE__HOLDS_ANY, 0, bundle_write},
    {SADDLE_FORMAT_MATRIX_MARKET, SADDLE__HOLDS_EQUALITY, 0, bare_system_write},
    {SADDLE_FORMAT_SICONOS_MATRIX, SADDLE__HOLDS_ANY, 0, siconos_matrix_write},
    {SADDLE_FORMAT_LCP_TRIPLETS, SADDLE__HOLDS_POSITIVE, SADDLE__NO_VELOCITIES, lcp_triplets_write},
};

saddle_status saddle_problem_write(saddle_context *context, const char *path, saddle_format format,
                                   const saddle_problem *problem)
{
    SADDLE__RETURN_UNLESS(context, path && problem, "path or problem is NULL");
    saddle_status status = saddle_problem_check(context, problem, NULL, NULL);
    if (status == SADDLE_OK) status = saddle__format_of_target(context, path, problem, &format);
    if (status != SADDLE_OK) return status;
    for (size_t k = 0; k < sizeof targets / sizeof *targets; k++) {
        if (targets[k].format != format) continue;
        status = check_target(context, problem, format, targets[k].rows, targets[k].demands);
        return status == SADDLE_OK ? targets[k].write(context, path, problem) : status;
    }
    const saddle__binary_format *binary = saddle__binary_format_of(format);
    if (binary) {
        status = check_target(context, problem, format, binary->rows, binary->demands);
        return status == SADDLE_OK ? binary->write(context, path, problem) : status;
    }
    const saddle__text_format *text;
    for (int k = 0; (text = saddle__text_format_at(k)); k++) {
        if (text->format != format) continue;
        status = check_target(context, problem, format, text->rows, text->demands);
        return status == SADDLE_OK ? write_text(context, path, problem, text->put) : status;
    }
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "saddle_problem_write: %d is no format",
                       (int)format);
}
