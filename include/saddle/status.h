/* SPDX-License-Identifier: MIT */
/* Status codes, returned by every function that can fail.
 *
 *     negative   nothing was produced: outputs are untouched or empty, and the context's message
 *                names the offender
 *     zero       done as asked
 *     positive   a result of lesser quality exists; the report has its quality
 */
#ifndef SADDLE_STATUS_H
#define SADDLE_STATUS_H

#include "saddle/export.h"

SADDLE_BEGIN_DECLARATIONS

/* X(name, value, text) */
#define SADDLE_STATUS_LIST(X)                                                                     \
    X(SADDLE_OK, 0, "done as asked")                                                              \
    X(SADDLE_NOT_CONVERGED, 1, "result written, tolerance not reached")                           \
    X(SADDLE_ITERATION_LIMIT, 2, "result written, iteration limit reached before the tolerance")  \
    X(SADDLE_TIME_LIMIT, 3, "result written, time limit reached before the tolerance")            \
    X(SADDLE_STOPPED, 4, "result written, stopped by the progress callback before the tolerance") \
    X(SADDLE_DIVERGED, 5,                                                                         \
      "result written, the iteration diverged; the best iterate found is returned")               \
    X(SADDLE_WRONG_INERTIA, 6,                                                                    \
      "factored, but not with n positive and m negative pivots: M or R is indefinite there")      \
    X(SADDLE_INFEASIBLE, 7,                                                                       \
      "result written, there is no solution: a combination of the rows contradicts itself")       \
    X(SADDLE_OUT_OF_MEMORY, -1, "out of memory, or over the context's memory limit")              \
    X(SADDLE_INVALID_ARGUMENT, -2, "an argument is out of its range")                             \
    X(SADDLE_WRONG_PHASE, -3, "a call out of order: create, analyse, factor, solve")              \
    X(SADDLE_INVALID_PROBLEM, -4, "the problem contradicts itself")                               \
    X(SADDLE_UNSUPPORTED, -5, "rows or matrices this solver can't do")                            \
    X(SADDLE_SINGULAR, -6, "the system is singular")                                              \
    X(SADDLE_UNKNOWN_NAME, -7, "no solver or factorization of that name")                         \
    X(SADDLE_TOO_LARGE, -8, "a size overflows its integer type or an interface's limit")          \
    X(SADDLE_FILE_ERROR, -9, "a file cannot be opened, read or written")                          \
    X(SADDLE_BAD_FILE, -10, "a file's content is not what its format demands")                    \
    X(SADDLE_NOT_EXPRESSIBLE, -11, "the target format cannot express the problem")                \
    X(SADDLE_INTERNAL, -12, "an internal error: please report it")

typedef enum saddle_status {
#define SADDLE_STATUS_ENUM(name, value, text) name = value,
    SADDLE_STATUS_LIST(SADDLE_STATUS_ENUM)
#undef SADDLE_STATUS_ENUM
} saddle_status;

/* "SADDLE_OK", ...; "SADDLE_?" for an unknown value.  Static storage. */
SADDLE_API const char *saddle_status_name(saddle_status status);

/* The text of the list above.  Static storage. */
SADDLE_API const char *saddle_status_text(saddle_status status);

SADDLE_END_DECLARATIONS

#endif
