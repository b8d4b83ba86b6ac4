/* SPDX-License-Identifier: MIT */
/* Whether a target format can hold a problem.  Each function gives SADDLE_OK, or
 * SADDLE_NOT_EXPRESSIBLE with a message that names what the format cannot hold. */
#ifndef SADDLE_FILES_EXPRESS_H
#define SADDLE_FILES_EXPRESS_H

#include "saddle/files.h"

enum saddle__held_rows {
    SADDLE__HOLDS_EQUALITY = 1,
    SADDLE__HOLDS_POSITIVE = 2, /* [0, inf) */
    SADDLE__HOLDS_BOX = 4,      /* any other bounds too */
    SADDLE__HOLDS_CONTACTS = 8  /* with the law cone */
};

/* *format AUTO: the one that the target's name and the problem's rows ask for.
 * SADDLE_INVALID_ARGUMENT: the name is that of a kind of file that is not written ("s.mat"). */
saddle_status saddle__format_of_target(saddle_context *context, const char *path,
                                       const saddle_problem *problem, saddle_format *format);

/* No velocities: n = 0. */
saddle_status saddle__express_rows_only(saddle_context *context, saddle_format format,
                                        const saddle_problem *problem);

/* R is zero (entries that are 0 are). */
saddle_status saddle__express_no_compliance(saddle_context *context, saddle_format format,
                                            const saddle_problem *problem);

/* Every row is of the kinds in `holds`. */
saddle_status saddle__express_rows(saddle_context *context, saddle_format format,
                                   const saddle_problem *problem, int holds);

/* Contacts of one dimension fill the rows from the first on; *dim: 2 or 3, and 3 where there is
 * none; *rows: rows they own. */
saddle_status saddle__express_contacts(saddle_context *context, saddle_format format,
                                       const saddle_problem *problem, int64_t *dim, int64_t *rows);

#endif
