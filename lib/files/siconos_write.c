/* SPDX-License-Identifier: MIT */
/* Problems as Siconos' texts: see siconos_lcp.c and siconos_contact.c for the layouts. */
#include "files/siconos_write.h"

#include "files/express.h"
#include "files/siconos_output.h"

/* ---- complementarity problems ---- */

static void output_line(saddle__output *output, int64_t value)
{
    saddle__output_integer(output, value);
    saddle__output_text(output, "\n");
}

static void output_bounds(saddle__output *output, const saddle_problem *problem)
{
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < problem->m; i++) {
            saddle__output_double(output, side ? saddle_problem_hi(problem, i)
                                               : saddle_problem_lo(problem, i));
            saddle__output_text(output, i + 1 < problem->m ? " " : "\n");
        }
}

/* m, R, q = -b and, where asked, the bounds. */
static saddle_status write_lcp(saddle_context *context, const char *path,
                               const saddle_problem *problem, int bounds)
{
    saddle_matrix R = {0};
    saddle__output output = {0};
    saddle_status status = saddle__matrix_full(context, &problem->R, problem->m, problem->m, &R);
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status == SADDLE_OK) {
        output_line(&output, problem->m);
        saddle__output_matrix(&output, &R);
        saddle__output_vector(&output, -1, problem->b, problem->m);
        if (bounds) output_bounds(&output, problem);
        status = saddle__output_finish(&output, SADDLE_OK);
    }
    saddle_matrix_clear(&R);
    return status;
}

saddle_status saddle__siconos_lcp_write(saddle_context *context, const char *path,
                                        const saddle_problem *problem)
{
    saddle_status status = saddle__express_rows_only(context, SADDLE_FORMAT_SICONOS_LCP, problem);
    if (status == SADDLE_OK)
        status = saddle__express_rows(context, SADDLE_FORMAT_SICONOS_LCP, problem,
                                      SADDLE__HOLDS_POSITIVE);
    return status == SADDLE_OK ? write_lcp(context, path, problem, 0) : status;
}

saddle_status saddle__siconos_relay_write(saddle_context *context, const char *path,
                                          const saddle_problem *problem)
{
    saddle_status status = saddle__express_rows_only(context, SADDLE_FORMAT_SICONOS_RELAY, problem);
    if (status == SADDLE_OK)
        status = saddle__express_rows(context, SADDLE_FORMAT_SICONOS_RELAY, problem,
                                      SADDLE__HOLDS_BOX);
    return status == SADDLE_OK ? write_lcp(context, path, problem, 1) : status;
}

/* The ends of the runs of rows of one kind, from 0 on, then a flag for each run: 1 =
 * complementarity. */
static void output_row_blocks(saddle__output *output, const saddle_problem *problem)
{
    saddle__output_text(output, "0");
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < problem->m; i++) {
            saddle_row_kind kind = saddle_problem_bound_kind(problem, i);
            if (i + 1 < problem->m && saddle_problem_bound_kind(problem, i + 1) == kind) continue;
            saddle__output_text(output, " ");
            saddle__output_integer(output, pass == 0 ? i + 1 : kind == SADDLE_ROW_UNILATERAL);
        }
        saddle__output_text(output, "\n");
    }
}

saddle_status saddle__siconos_mlcp_write(saddle_context *context, const char *path,
                                         const saddle_problem *problem)
{
    saddle_matrix R = {0};
    saddle__output output = {0};
    saddle_status status = saddle__express_rows_only(context, SADDLE_FORMAT_SICONOS_MLCP, problem);
    if (status == SADDLE_OK)
        status = saddle__express_rows(context, SADDLE_FORMAT_SICONOS_MLCP, problem,
                                      SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_POSITIVE);
    if (status == SADDLE_OK)
        status = saddle__matrix_full(context, &problem->R, problem->m, problem->m, &R);
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status == SADDLE_OK) {
        saddle_row_counts counts = saddle_problem_count_rows(problem);
        saddle__output_text(&output, "1\n0\n");
        output_line(&output, counts.equality);
        output_line(&output, counts.unilateral);
        output_row_blocks(&output, problem);
        saddle__output_matrix(&output, &R);
        saddle__output_vector(&output, -1, problem->b, problem->m);
        status = saddle__output_finish(&output, SADDLE_OK);
    }
    saddle_matrix_clear(&R);
    return status;
}

/* ---- friction contact ---- */

static void output_contact_head(saddle__output *output, const saddle_problem *problem, int64_t dim)
{
    output_line(output, dim);
    output_line(output, problem->contact_count);
}

static void output_friction(saddle__output *output, const saddle_problem *problem)
{
    for (int64_t c = 0; c < problem->contact_count; c++) {
        saddle__output_double(output, problem->contacts[c].mu);
        saddle__output_text(output, c + 1 < problem->contact_count ? " " : "\n");
    }
}

saddle_status saddle__siconos_fc_write(saddle_context *context, const char *path,
                                       const saddle_problem *problem)
{
    int64_t dim = 0, rows = 0;
    saddle_matrix R = {0};
    saddle__output output = {0};
    saddle_status status = saddle__express_rows_only(context, SADDLE_FORMAT_SICONOS_FC, problem);
    if (status == SADDLE_OK)
        status = saddle__express_rows(context, SADDLE_FORMAT_SICONOS_FC, problem,
                                      SADDLE__HOLDS_CONTACTS);
    if (status == SADDLE_OK)
        status = saddle__express_contacts(context, SADDLE_FORMAT_SICONOS_FC, problem, &dim, &rows);
    if (status == SADDLE_OK)
        status = saddle__matrix_full(context, &problem->R, problem->m, problem->m, &R);
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status == SADDLE_OK) {
        output_contact_head(&output, problem, dim);
        saddle__output_matrix(&output, &R);
        saddle__output_vector(&output, -1, problem->b, problem->m);
        output_friction(&output, problem);
        status = saddle__output_finish(&output, SADDLE_OK);
    }
    saddle_matrix_clear(&R);
    return status;
}

saddle_status saddle__siconos_gfc_write(saddle_context *context, const char *path,
                                        const saddle_problem *problem)
{
    int64_t dim = 0, rows = 0;
    saddle_matrix M = {0}, H = {0};
    saddle__output output = {0};
    saddle_status status = saddle__express_no_compliance(context, SADDLE_FORMAT_SICONOS_GFC,
                                                         problem);
    if (status == SADDLE_OK)
        status = saddle__express_rows(context, SADDLE_FORMAT_SICONOS_GFC, problem,
                                      SADDLE__HOLDS_CONTACTS);
    if (status == SADDLE_OK)
        status = saddle__express_contacts(context, SADDLE_FORMAT_SICONOS_GFC, problem, &dim, &rows);
    if (status == SADDLE_OK)
        status = saddle__matrix_full(context, &problem->M, problem->n, problem->n, &M);
    if (status == SADDLE_OK)
        status = saddle__matrix_full(context, &problem->Jt, problem->n, problem->m, &H);
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status == SADDLE_OK) {
        output_contact_head(&output, problem, dim);
        saddle__output_matrix(&output, &M);
        saddle__output_matrix(&output, &H);
        saddle__output_vector(&output, 1, problem->f, problem->n);
        saddle__output_vector(&output, -1, problem->b, problem->m);
        output_friction(&output, problem);
        status = saddle__output_finish(&output, SADDLE_OK);
    }
    saddle_matrix_clear(&M);
    saddle_matrix_clear(&H);
    return status;
}
