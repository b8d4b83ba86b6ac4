/* SPDX-License-Identifier: MIT */
/* Options as the library reads them: of a caller compiled for an earlier version, too. */
#ifndef SADDLE_LIB_OPTIONS_INTERNAL_H
#define SADDLE_LIB_OPTIONS_INTERNAL_H

#include "saddle/options.h"

/* *read <- options (NULL = the defaults), checked; fields that the caller's struct lacks have their
 * defaults. */
saddle_status saddle__options_read(saddle_context *context, const saddle_options *options,
                                   saddle_options *read);

#endif
