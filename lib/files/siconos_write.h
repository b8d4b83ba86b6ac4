/* SPDX-License-Identifier: MIT */
/* Writing problems as text.  Each function has checked that the format holds the problem
 * (SADDLE_NOT_EXPRESSIBLE), writes the numbers so that they read back bit for bit, and replaces the
 * target whole or not at all.  The problem is consistent. */
#ifndef SADDLE_FILES_SICONOS_WRITE_H
#define SADDLE_FILES_SICONOS_WRITE_H

#include "saddle/problem.h"

typedef saddle_status saddle__problem_writer(saddle_context *context, const char *path,
                                             const saddle_problem *problem);

saddle__problem_writer saddle__siconos_lcp_write;
saddle__problem_writer saddle__siconos_relay_write;
saddle__problem_writer saddle__siconos_mlcp_write;
saddle__problem_writer saddle__siconos_gmp_write;
saddle__problem_writer saddle__siconos_fc_write;
saddle__problem_writer saddle__siconos_gfc_write;
/* m = 0, M alone; f goes to PATH with .rhs before its extension */
saddle__problem_writer saddle__siconos_matrix_write;
saddle__problem_writer saddle__lcp_text_write;
saddle__problem_writer saddle__lcp_box_write;
/* M; q goes to PATH with .q before its extension */
saddle__problem_writer saddle__lcp_triplets_write;
/* K = [M J'; J -R] as Matrix Market, [f; b] as .rhs */
saddle__problem_writer saddle__bare_system_write;

/* "folder/name.mark.ext" for "folder/name.ext"; released by saddle_release, NULL when out of
 * memory. */
char *saddle__path_beside(saddle_context *context, const char *path, const char *mark);

#endif
