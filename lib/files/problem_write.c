/* SPDX-License-Identifier: MIT */
/* Writing a problem in any format: choose by the name and the rows, check, write. */
#include <string.h>
#include <strings.h>

#include "files/bundle.h"
#include "files/express.h"
#include "files/fclib.h"
#include "files/siconos_write.h"
#include "saddle/files.h"

static const struct {
    saddle_format format;
    saddle__problem_writer *write;
} writers[] = {
    {SADDLE_FORMAT_BUNDLE, saddle__bundle_write},
    {SADDLE_FORMAT_MATRIX_MARKET, saddle__bare_system_write},
    {SADDLE_FORMAT_FCLIB, saddle__fclib_write},
    {SADDLE_FORMAT_SICONOS_LCP, saddle__siconos_lcp_write},
    {SADDLE_FORMAT_SICONOS_MLCP, saddle__siconos_mlcp_write},
    {SADDLE_FORMAT_SICONOS_RELAY, saddle__siconos_relay_write},
    {SADDLE_FORMAT_SICONOS_GMP, saddle__siconos_gmp_write},
    {SADDLE_FORMAT_SICONOS_FC, saddle__siconos_fc_write},
    {SADDLE_FORMAT_SICONOS_GFC, saddle__siconos_gfc_write},
    {SADDLE_FORMAT_SICONOS_MATRIX, saddle__siconos_matrix_write},
    {SADDLE_FORMAT_LCP, saddle__lcp_text_write},
    {SADDLE_FORMAT_LCP_TRIPLETS, saddle__lcp_triplets_write},
    {SADDLE_FORMAT_BOX_LCP, saddle__lcp_box_write},
};

enum { WRITERS = sizeof writers / sizeof writers[0] };

/* The Siconos kind that the rows ask for; where none holds them, the one that comes nearest and
 * will say why. */
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

/* A name of a kind of file that is not written, NULL where there is none: a folder of that name
 * would help nobody. */
static const char *foreign_extension(const char *path)
{
    static const char *const known[] = {".mat",  ".npz",  ".npy", ".json", ".xml",  ".osim",
                                        ".urdf", ".mjcf", ".csv", ".tsv",  ".txt",  ".zip",
                                        ".gz",   ".bz2",  ".xz",  ".zst",  ".tar",  ".tgz",
                                        ".7z",   ".pdf",  ".png", ".svg",  ".hdf",  ".he5",
                                        ".nc",   ".rb",   ".rsa", ".rua",  ".psa",  ".mps",
                                        ".qps",  ".lp",   ".nl",  ".sif",  ".bin",  ".xls",
                                        ".ods",  ".xlsx", ".m",   ".py",   ".c",    ".h",
                                        ".pkl",  ".yaml", ".yml", ".log",  ".md",   ".html",
                                        ".toml", ".mm",   ".stl", ".obj",  ".petsc"};
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (ends_with(path, known[k])) return known[k];
    return NULL;
}

static saddle_format format_of_name(const char *path, const saddle_problem *problem)
{
    if (ends_with(path, ".hdf5") || ends_with(path, ".h5")) return SADDLE_FORMAT_FCLIB;
    if (ends_with(path, ".mtx")) return SADDLE_FORMAT_MATRIX_MARKET;
    if (ends_with(path, ".blcp.txt")) return SADDLE_FORMAT_BOX_LCP;
    if (ends_with(path, ".lcp")) return SADDLE_FORMAT_LCP;
    return ends_with(path, ".dat") ? siconos_kind(problem) : SADDLE_FORMAT_BUNDLE;
}

saddle_status saddle__format_of_target(saddle_context *context, const char *path,
                                       const saddle_problem *problem, saddle_format *format)
{
    if (*format != SADDLE_FORMAT_AUTO) return SADDLE_OK;
    *format = format_of_name(path, problem);
    const char *foreign = *format == SADDLE_FORMAT_BUNDLE ? foreign_extension(path) : NULL;
    if (!foreign) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "%s: no format is written to files called %s; with the format bundle this "
                       "would be a folder",
                       path, foreign);
}

saddle_status saddle_problem_write(saddle_context *context, const char *path, saddle_format format,
                                   const saddle_problem *problem)
{
    saddle_context_clear_message(context);
    if (!path || !problem)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_problem_write: no path or no problem");
    saddle_status status = saddle_problem_check(context, problem, NULL, NULL);
    if (status == SADDLE_OK) status = saddle__format_of_target(context, path, problem, &format);
    if (status != SADDLE_OK) return status;
    for (int k = 0; k < WRITERS; k++)
        if (writers[k].format == format) return writers[k].write(context, path, problem);
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "saddle_problem_write: %d is no format",
                       (int)format);
}
