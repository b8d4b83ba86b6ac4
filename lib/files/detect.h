/* SPDX-License-Identifier: MIT */
/* Which format a file in memory has, and problems read from memory, whatever the format. */
#ifndef SADDLE_FILES_DETECT_H
#define SADDLE_FILES_DETECT_H

#include "files/siconos_text.h"
#include "saddle/files.h"

/* *format: by the magic, the banner, the name and the content of the text; see docs/formats.md.
 * has_rhs: a file with the right-hand side or q comes with it.  SADDLE_BAD_FILE: none fits; the
 * message is that of the format that fitted furthest, or says what the file is instead.  The place
 * of the scan does not move. */
saddle_status saddle__detect(saddle__scan *scan, int has_rhs, saddle_format *format);

/* The reader of a text format, NULL where it is none.  A Siconos matrix has two: which fits is
 * found by walking. */
saddle__problem_reader *saddle__detect_reader(const saddle__scan *scan, saddle_format format);

/* The problem in a scan over a whole file of that format (not AUTO, not a bundle); start and known
 * as saddle_problem_read has them.  rhs: the open scan of a right-hand side or q, NULL = none.  On
 * failure problem, start and known are for the caller to clear.  The result has passed
 * saddle_problem_check. */
saddle_status saddle__problem_scan(saddle__scan *scan, saddle_format format, saddle__scan *rhs,
                                   saddle_problem *problem, saddle_solution *start,
                                   saddle_solution *known);

/* f of the bare system problem (m = 0) from a right-hand side file, or M 1 where rhs is NULL. */
saddle_status saddle__bare_system_rhs(saddle_context *context, saddle__scan *rhs,
                                      saddle_problem *problem);

/* The bare system of a Matrix Market file: M settled, f not set. */
saddle_status saddle__bare_system_scan(saddle__scan *scan, saddle_problem *problem);

#endif
