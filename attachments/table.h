/* SPDX-License-Identifier: MIT */
/* A bundle's "components", "attachments" and attachments.mtx, from a source that need not be a
 * folder. */
#ifndef SADDLE_ATTACHMENTS_TABLE_H
#define SADDLE_ATTACHMENTS_TABLE_H

#include "files/source.h"
#include "saddle/attachments.h"

/* As saddle_attachments_read. */
saddle_status saddle__attachments_parse(saddle__source *source, saddle_problem *problem,
                                        saddle_attachments **attachments);

/* The graph alone, of a problem with n velocities: what a bundle's keys and its attachments.mtx
 * say. */
saddle_status saddle__attachments_table_read(saddle__source *source, int64_t n,
                                             saddle_attachments **attachments);

#endif
