/* SPDX-License-Identifier: MIT */
/* Complementarity problems as the older texts: see lcp_text.c for the layouts. */
#include <string.h>

#include "files/express.h"
#include "files/pair_write.h"
#include "files/siconos_output.h"
#include "files/siconos_write.h"

char *saddle__path_beside(saddle_context *context, const char *path, const char *mark)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path,
               *dot = strrchr(base, '.');
    size_t head = dot && dot != base ? (size_t)(dot - path) : strlen(path),
           tail = strlen(path) - head;
    char *beside = saddle_allocate(context, (int64_t)(head + strlen(mark) + tail + 1), 1);
    if (!beside) return NULL;
    memcpy(beside, path, head);
    memcpy(beside + head, mark, strlen(mark));
    memcpy(beside + head + strlen(mark), path + head, tail);
    return beside;
}

/* m, R by rows, q = -b and, where asked, the bounds. */
static saddle_status write_dense(saddle_context *context, const char *path,
                                 const saddle_problem *problem, int bounds)
{
    saddle_matrix R = {0};
    saddle__output output = {0};
    saddle_status status = saddle__matrix_full(context, &problem->R, problem->m, problem->m, &R);
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &output);
    if (status == SADDLE_OK) {
        saddle__output_integer(&output, problem->m);
        saddle__output_text(&output, "\n");
        status = saddle__output_dense(&output, &R, 1);
        saddle__output_vector(&output, -1, problem->b, problem->m);
        for (int side = 0; bounds && side < 2; side++)
            for (int64_t i = 0; i < problem->m; i++) {
                saddle__output_double(&output, side ? saddle_problem_hi(problem, i)
                                                    : saddle_problem_lo(problem, i));
                saddle__output_text(&output, i + 1 < problem->m ? " " : "\n");
            }
        status = saddle__output_finish(&output, status);
    }
    saddle_matrix_clear(&R);
    return status;
}

saddle_status saddle__lcp_text_write(saddle_context *context, const char *path,
                                     const saddle_problem *problem)
{
    saddle_status status = saddle__express_rows_only(context, SADDLE_FORMAT_LCP, problem);
    if (status == SADDLE_OK)
        status = saddle__express_rows(context, SADDLE_FORMAT_LCP, problem, SADDLE__HOLDS_POSITIVE);
    return status == SADDLE_OK ? write_dense(context, path, problem, 0) : status;
}

saddle_status saddle__lcp_box_write(saddle_context *context, const char *path,
                                    const saddle_problem *problem)
{
    saddle_status status = saddle__express_rows_only(context, SADDLE_FORMAT_BOX_LCP, problem);
    if (status == SADDLE_OK)
        status = saddle__express_rows(context, SADDLE_FORMAT_BOX_LCP, problem, SADDLE__HOLDS_BOX);
    return status == SADDLE_OK ? write_dense(context, path, problem, 1) : status;
}

/* ---- triplets ---- */

/* Lines `i v`. */
static void put_indexed(saddle__output *output, int64_t count, const double *vector)
{
    for (int64_t i = 0; i < count; i++) {
        saddle__output_integer(output, i + 1);
        saddle__output_text(output, " ");
        saddle__output_double(output, vector[i]);
        saddle__output_text(output, "\n");
    }
}

/* Lines `i j v`. */
static void put_entries(saddle__output *output, const saddle_matrix *A)
{
    for (int64_t j = 0; j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            saddle__output_integer(output, A->index[k] + 1);
            saddle__output_text(output, " ");
            saddle__output_integer(output, j + 1);
            saddle__output_text(output, " ");
            saddle__output_double(output, A->value[k]);
            saddle__output_text(output, "\n");
        }
}

saddle_status saddle__lcp_triplets_write(saddle_context *context, const char *path,
                                         const saddle_problem *problem)
{
    saddle_matrix R = {0};
    double *q = NULL;
    saddle_status status = saddle__express_rows_only(context, SADDLE_FORMAT_LCP_TRIPLETS, problem);
    if (status == SADDLE_OK)
        status = saddle__express_rows(context, SADDLE_FORMAT_LCP_TRIPLETS, problem,
                                      SADDLE__HOLDS_POSITIVE);
    if (status == SADDLE_OK && problem->m == 0)
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "the problem has no rows: lcp-triplets holds at least one");
    if (status == SADDLE_OK)
        status = saddle__matrix_full(context, &problem->R, problem->m, problem->m, &R);
    if (status == SADDLE_OK && !(q = saddle_allocate(context, problem->m, sizeof *q)))
        status = SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && problem->b && i < problem->m; i++)
        q[i] = -problem->b[i];
    const saddle__pair pair = {&R, problem->m, q, put_entries, put_indexed};
    if (status == SADDLE_OK) status = saddle__pair_write(context, path, ".q", &pair);
    saddle_release(context, q);
    saddle_matrix_clear(&R);
    return status;
}
