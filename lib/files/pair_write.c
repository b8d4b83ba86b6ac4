/* SPDX-License-Identifier: MIT */
/* A matrix and the vector that belongs to it, in two files: see pair_write.h. */
#include "files/pair_write.h"

#include "files/siconos_write.h"

saddle_status saddle__pair_write(saddle_context *context, const char *path, const char *mark,
                                 const saddle__pair *pair)
{
    saddle__output matrix = {0}, vector = {0};
    char *beside = saddle__path_beside(context, path, mark);
    saddle_status status = beside ? saddle__output_open(context, beside, &vector)
                                  : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &matrix);
    if (status == SADDLE_OK) {
        pair->put_vector(&vector, pair->count, pair->vector);
        pair->put_matrix(&matrix, pair->matrix);
    }
    status = saddle__output_finish_pair(&vector, &matrix, status);
    saddle_release(context, beside);
    return status;
}
