/* SPDX-License-Identifier: MIT */
/* Services of the host for the library: memory, a buffer for messages, log and progress callbacks,
 * the host's own solvers.
 *
 * There is no global state: all state belongs to a context, and objects keep the context of their
 * creation.  A context serves one thread at a time; any number of contexts work side by side.
 * With saddle_options.threads > 1 the allocator is called by several threads, one at a time, the
 * callbacks by the caller's thread alone.  A NULL context is fine everywhere: malloc and free, no
 * callbacks, no messages, built-in solvers only.
 */
#ifndef SADDLE_CONTEXT_H
#define SADDLE_CONTEXT_H

#include <stddef.h>
#include <stdint.h>

#include "saddle/status.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_context saddle_context;

/* Memory functions: all three or none.  allocate and reallocate return NULL on failure, and
 * align like malloc. */
typedef struct saddle_allocator {
    void *(*allocate)(void *user, size_t bytes);
    void *(*reallocate)(void *user, void *block, size_t bytes);
    void (*release)(void *user, void *block); /* block is never NULL */
    void *user;                               /* borrowed */
} saddle_allocator;

typedef enum saddle_log_level {
    SADDLE_LOG_DEBUG = 0,
    SADDLE_LOG_INFO = 1,
    SADDLE_LOG_WARNING = 2
} saddle_log_level;

/* message: one line without newline, valid during the call only. */
typedef void saddle_log_function(void *user, saddle_log_level level, const char *message);

/* Progress of a long computation. */
typedef struct saddle_progress {
    const char *phase; /* "read", "analyse", "factor", "solve"; static storage */
    int64_t iteration; /* of the phase, from 0 */
    int64_t limit;     /* iterations at most; 0 = unknown */
    double residual;   /* the solver's own latest estimate [-]; negative = not known yet */
    double seconds;    /* since the phase began */
} saddle_progress;

/* Called at the start of each phase, between iterations, and in analyse and factor where the time
 * limit is looked at (saddle/options.h); nonzero asks to stop (SADDLE_STOPPED). */
typedef int saddle_progress_function(void *user, const saddle_progress *progress);

typedef struct saddle_context_options { /* start from saddle_context_options_default() */
    saddle_allocator allocator;         /* copied (default: malloc) */
    int64_t memory_limit; /* largest sum of the library's allocations [bytes]; 0 = none (default:
                             0) */
    saddle_log_function *log;           /* NULL is fine (default: NULL) */
    void *log_user;                     /* borrowed (default: NULL) */
    saddle_log_level log_level;         /* lowest reported level (default: INFO) */
    saddle_progress_function *progress; /* NULL is fine (default: NULL) */
    void *progress_user;                /* borrowed (default: NULL) */
} saddle_context_options;

SADDLE_API saddle_context_options saddle_context_options_default(void);

/* options: NULL = defaults.  *context is NULL on failure. SADDLE_OUT_OF_MEMORY;
 * SADDLE_INVALID_ARGUMENT: an allocator with some functions missing, a negative limit. */
SADDLE_API saddle_status saddle_context_create(const saddle_context_options *options,
                                               saddle_context **context);

/* All objects of the context must have been freed.  NULL is fine. */
SADDLE_API void saddle_context_free(saddle_context *context);

/* The message of the last call with this context, or with an object of this context: the reason of
 * a status other than SADDLE_OK, with the file, row, column or component.  Each call that returns a
 * status clears the message first, and leaves no message with SADDLE_OK.  Valid until the next
 * call.
 *
 * An index in C notation is zero-based, as in code: f[3], tibia[1].  A number in words is
 * one-based, as in files: row 3, velocity 7, column 17, entry (2, 1).  Ids, and the vertices and
 * triangles of a mesh, are numbered as given. */
SADDLE_API const char *saddle_context_message(const saddle_context *context);

typedef enum saddle_place_kind {
    SADDLE_PLACE_NONE = 0,       /* none of these, or not known as a number */
    SADDLE_PLACE_VELOCITY = 1,   /* velocity `index` */
    SADDLE_PLACE_ROW = 2,        /* row `index` */
    SADDLE_PLACE_CONTACT = 3,    /* contacts[index] */
    SADDLE_PLACE_ENTRY_OF_M = 4, /* velocity `index`, velocity `column` */
    SADDLE_PLACE_ENTRY_OF_J = 5, /* row `index`, velocity `column` */
    SADDLE_PLACE_ENTRY_OF_R = 6, /* row `index`, row `column` */
    SADDLE_PLACE_ENTRY = 7       /* row `index`, column `column` of the matrix that the call got */
} saddle_place_kind;

/* Where a call failed, as numbers counted from 0. */
typedef struct saddle_place {
    saddle_place_kind kind;
    int64_t index;  /* kind none: 0; of an entry: as stored, also where that is out of range */
    int64_t column; /* of an entry; other kinds: 0 */
} saddle_place;

/* The place of the message's first finding, in the problem or the matrix that the call got (of a
 * stepper: in the system of the step); cleared as the message.  With a certificate's text:
 * saddle_proof.heaviest; with "reduced velocity 7": of the reduced problem.  Lines of files,
 * components, parts of models: none.  A NULL context: none. */
SADDLE_API saddle_place saddle_context_place(const saddle_context *context);

/* The library's allocations: bytes in use now, the peak, and the number of allocations so far. */
typedef struct saddle_memory_use {
    int64_t bytes;
    int64_t peak_bytes;
    int64_t allocations;
} saddle_memory_use;

SADDLE_API saddle_memory_use saddle_context_memory(const saddle_context *context);

/* ---- for extensions of the library ---- */

/* Zeroed memory by the context's allocator; NULL with a message if memory runs out or count *
 * size overflows.  Released by saddle_release; NULL is fine. */
SADDLE_API void *saddle_allocate(saddle_context *context, int64_t count, size_t size);
SADDLE_API void saddle_release(saddle_context *context, void *block);

/* Resizes a block of saddle_allocate (NULL = a new block) to count * size bytes; new bytes are
 * not zeroed.  NULL on failure, and the old block is unchanged. */
SADDLE_API void *saddle_reallocate(saddle_context *context, void *block, int64_t count,
                                   size_t size);

/* Sets the context's message (printf-like) and returns status: `return saddle_fail(...)`.  The
 * message before may be an argument; its place stays where the new message holds all of it. */
#if defined(__GNUC__)
__attribute__((format(printf, 3, 4)))
#endif
SADDLE_API saddle_status
saddle_fail(saddle_context *context, saddle_status status, const char *format, ...);

/* Sets the place of a failure and returns status: `return saddle_fail_at(context, place,
 * saddle_fail(...))`. */
SADDLE_API saddle_status saddle_fail_at(saddle_context *context, saddle_place place,
                                        saddle_status status);

/* Clears message and place, at the start of a function that returns a status; NULL is fine. */
SADDLE_API void saddle_context_clear_message(saddle_context *context);

/* Reports progress; nonzero when the caller asked to stop.  phase: NULL = "". */
SADDLE_API int saddle_context_progress(saddle_context *context, const char *phase,
                                       int64_t iteration, int64_t limit, double residual,
                                       double seconds);

/* Monotonic wall clock [s]. */
SADDLE_API double saddle_clock(void);

SADDLE_END_DECLARATIONS

#endif
