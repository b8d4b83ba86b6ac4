/* SPDX-License-Identifier: MIT */
/* Problems with attachments as bundles: the unreduced problem, its components and what is attached
 * to what.
 *
 * A bundle with attachments stands for the problem M v - J'lambda = f, J v + R lambda - b = w in
 * all velocities together with
 *
 *     v_k - sum_j A_kj v_j = g_k      at attached velocities       v_k = given   at prescribed ones
 *
 * (saddle/attachments.h): eliminate them (saddle/elimination.h) or keep them as rows.
 * saddle_problem_read refuses such a bundle, since its problem alone is another one.
 * docs/formats.md states the format.
 */
#ifndef SADDLE_ATTACHMENT_FILES_H
#define SADDLE_ATTACHMENT_FILES_H

#include "saddle/attachments.h"

SADDLE_BEGIN_DECLARATIONS

/* path: a bundle folder.  problem: cleared by the caller.  *attachments: released by
 * saddle_attachments_free; NULL where the bundle has none.  All is checked, loops too; errors as
 * those of saddle_problem_read: SADDLE_FILE_ERROR, SADDLE_BAD_FILE (names file, line or component,
 * and reason), SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE; outputs are empty then. */
SADDLE_API saddle_status saddle_attachments_read(saddle_context *context, const char *path,
                                                 saddle_problem *problem,
                                                 saddle_attachments **attachments);

/* Reads back bit for bit.  attachments: NULL = none, a plain bundle.  An existing bundle is
 * replaced. SADDLE_INVALID_ARGUMENT: another number of velocities; SADDLE_INVALID_PROBLEM: what
 * saddle_problem_check finds, or a loop; SADDLE_NOT_EXPRESSIBLE: a name that is not UTF-8;
 * SADDLE_FILE_ERROR, SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_attachments_write(saddle_context *context, const char *path,
                                                  const saddle_problem *problem,
                                                  const saddle_attachments *attachments);

SADDLE_END_DECLARATIONS

#endif
