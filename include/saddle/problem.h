/* SPDX-License-Identifier: MIT */
/* The problem: read and written by files, built by assembly, reduced by attachments, solved by
 * solvers, measured by the residual.
 *
 *     M v - J'lambda     = f    n rows    M  mass or effective mass         n x n
 *     J v + R lambda - b = w    m rows    J  one row per constraint         m x n, held as Jt = J'
 *                                         R  compliance / regularization    m x m
 *
 *     v velocity [m/s, rad/s], lambda impulse [N s, N m s], w row slack [as v],
 *     f impulse-momentum [as lambda], b wanted row velocity [as v]
 *
 *     a row with bounds lo <= lambda <= hi:   w = 0 strictly between, w >= 0 at lo, w <= 0 at hi
 *        equality (-inf, +inf)     unilateral (0, +inf)     box, motor [lo, hi]
 *
 *     a contact owns 2 (plane) or 3 (space) consecutive rows: normal, tangent 1, tangent 2; with
 *     torsional or rolling friction 4, 5 or 6:
 *
 *        size  rows                                                      parts g
 *        2     normal, tangent 1                                         tangent
 *        3     normal, tangent 1, 2                                      tangents
 *        4     normal, tangent 1, 2, torsion                             tangents, torsion
 *        5     normal, tangent 1, 2, rolling 1, 2                        tangents, rolling
 *        6     normal, tangent 1, 2, torsion, rolling 1, 2               all three
 *
 *     torsion: the angular velocity about the normal, rolling: about tangents 1 and 2 [rad/s]; the
 *     impulses are moments [N m s].  With mu_g the coefficient of part g and |.| a vector's length,
 *     a contact follows the problem's law:
 *        box         0 <= ln _|_ wn >= 0,  |li| <= mu_g ln for each other row i, w against li as
 *                    for a row with bounds
 *        pyramid     lt = D beta, beta >= 0, sum beta <= mu ln, maximal dissipation
 *                    (Stewart-Trinkle, Anitescu-Potra); 2 or 3 rows
 *        cone        Coulomb: with s = w + (sum_g mu_g |wg|, 0, ..):  K* contains s _|_ lambda in
 *                    K,  K = {|lg| <= mu_g ln for each part g}
 *        associated  K* contains w _|_ lambda in K                     (Anitescu-Hart relaxation)
 *
 * m = 0 is a plain linear solve, all rows equality a KKT system, n = 0 a mixed LCP or a contact
 * problem in Delassus form (R is the matrix, possibly unsymmetric, and -b the vector q).
 *
 * The struct is plain.  A host may set pointers to its own arrays (owner = 0: nothing is copied or
 * released); problems made by the library (readers, saddle_problem_copy) are owned, and released by
 * saddle_problem_clear.  Start from {0}, the empty problem (n = 0, m = 0). */
#ifndef SADDLE_PROBLEM_H
#define SADDLE_PROBLEM_H

#include "saddle/matrix.h"

SADDLE_BEGIN_DECLARATIONS

/* X(name, word in files and options) */
#define SADDLE_LAW_LIST(X)           \
    X(SADDLE_LAW_CONE, "cone")       \
    X(SADDLE_LAW_PYRAMID, "pyramid") \
    X(SADDLE_LAW_BOX, "box")         \
    X(SADDLE_LAW_ASSOCIATED, "associated")

typedef enum saddle_law {
#define SADDLE_LAW_ENUM(name, word) name,
    SADDLE_LAW_LIST(SADDLE_LAW_ENUM)
#undef SADDLE_LAW_ENUM
} saddle_law;

typedef struct saddle_contact {
    int64_t row;       /* its first row, the normal one [zero-based] */
    int64_t size;      /* 2 .. SADDLE_CONTACT_ROWS */
    double mu;         /* friction coefficient >= 0 [-] */
    double mu_torsion; /* of torsional friction >= 0 [m]; 0 for sizes other than 4 and 6 */
    double mu_rolling; /* of rolling friction >= 0 [m]; 0 for sizes other than 5 and 6 */
} saddle_contact;

#define SADDLE_CONTACT_ROWS 6 /* rows of a contact at most */

/* Largest number of facets, checked by every reader: such a pyramid differs from the cone by
 * 5e-6 of the radius, and each facet costs lemke a column. */
#define SADDLE_FACETS_AT_MOST 1024

typedef struct saddle_problem {
    int64_t n;        /* velocities */
    int64_t m;        /* constraint rows */
    saddle_matrix M;  /* n x n, symmetric or general; empty only where n = 0 */
    saddle_matrix Jt; /* n x m, general: column i is row i of J */
    saddle_matrix R;  /* m x m, symmetric or general; 0 x 0 = zero */
    double *f;        /* n; NULL = zero */
    double *b;        /* m; NULL = zero */
    double *lo;       /* m, -INFINITY allowed; NULL = all -INFINITY */
    double *hi;       /* m, +INFINITY allowed; NULL = all +INFINITY */
    int64_t contact_count;
    saddle_contact *contacts; /* contact_count, by ascending row, not overlapping.  A contact's rows
                                 take their bounds from the law: lo and hi are not read there */
    saddle_law law;           /* of all contacts */
    int64_t facets; /* pyramid in space: directions in D, 3 .. SADDLE_FACETS_AT_MOST, evenly spaced
                       from tangent 1; a plane contact always has 2, and where all are plane 2 may
                       be said.  0 = 8 */

    int64_t *row_id; /* m, distinct, stable over the steps of a run; NULL = the row number */
    char **row_name; /* m, each may be NULL; NULL = none */
    int64_t component_count; /* 0 = not named */
    char **component_name;   /* component_count */
    int64_t *component_size; /* component_count, summing to n: velocities of each */
    char *name;              /* NULL is fine */
    char *source;            /* where it comes from; NULL is fine */
    double time_step;        /* [s]; 0 = unknown */

    int owner; /* 1: everything above is owned (made with context), 0: borrowed */
    saddle_context *context;
} saddle_problem;

/* lambda, v and w of a problem.  Owned if made by saddle_solution_create, else the caller's arrays
 * with owner = 0. */
typedef struct saddle_solution {
    int64_t n;
    int64_t m;
    double *v;      /* n */
    double *lambda; /* m */
    double *w;      /* m */
    int owner;
    saddle_context *context;
} saddle_solution;

/* Releases owned arrays and empties the struct.  NULL and half-built structs are fine. */
SADDLE_API void saddle_problem_clear(saddle_problem *problem);

/* An owned deep copy. */
SADDLE_API saddle_status saddle_problem_copy(saddle_context *context, const saddle_problem *problem,
                                             saddle_problem *copy);

/* Zero vectors for a problem of that size. */
SADDLE_API saddle_status saddle_solution_create(saddle_context *context, int64_t n, int64_t m,
                                                saddle_solution *solution);
SADDLE_API void saddle_solution_clear(saddle_solution *solution);

/* Finds every inconsistency: sizes (n and m at most 2^51), matrices (as saddle_matrix_check),
 * NaN and infinities, lo > hi or empty bounds (lo = +inf, hi = -inf), contacts that overlap, run
 * past m, are unsorted, have a size other than 2 .. 6, a negative coefficient or a coefficient
 * without rows, duplicate row ids, component sizes with a sum other than n.  each (NULL is fine)
 * gets one line for each inconsistency, while saddle_context_place is that inconsistency's; the
 * context's message is the first line and the count of the rest.  SADDLE_OK or
 * SADDLE_INVALID_PROBLEM. */
typedef void saddle_finding_function(void *user, const char *finding);
SADDLE_API saddle_status saddle_problem_check(saddle_context *context,
                                              const saddle_problem *problem,
                                              saddle_finding_function *each, void *user);

/* ---- reading a problem ---- */

typedef enum saddle_row_kind {
    SADDLE_ROW_EQUALITY = 0,   /* both bounds infinite */
    SADDLE_ROW_UNILATERAL = 1, /* one bound finite */
    SADDLE_ROW_BOX = 2,        /* both finite */
    SADDLE_ROW_CONTACT = 3     /* owned by a contact */
} saddle_row_kind;

/* By the bounds alone; contacts are not consulted (walk problem->contacts for those). */
SADDLE_API saddle_row_kind saddle_problem_bound_kind(const saddle_problem *problem, int64_t row);

typedef struct saddle_row_counts {
    int64_t equality, unilateral, box, contact; /* rows; they sum to m */
} saddle_row_counts;

SADDLE_API saddle_row_counts saddle_problem_count_rows(const saddle_problem *problem);

/* -INFINITY where lo is NULL */
SADDLE_API double saddle_problem_lo(const saddle_problem *problem, int64_t row);
/* +INFINITY where hi is NULL */
SADDLE_API double saddle_problem_hi(const saddle_problem *problem, int64_t row);
SADDLE_API int64_t saddle_problem_row_id(const saddle_problem *problem, int64_t row);
/* 8 where facets is 0 */
SADDLE_API int64_t saddle_problem_facets(const saddle_problem *problem);

/* "row 12 (id 40017, left knee)" or "velocity 7 (tibia[0])" into text[size]; the usual way messages
 * name things: numbers in words from 1, as in the files, the index of a velocity in its component
 * from 0 (saddle_context_message). */
SADDLE_API void saddle_problem_describe_row(const saddle_problem *problem, int64_t row, char *text,
                                            size_t size);
SADDLE_API void saddle_problem_describe_velocity(const saddle_problem *problem, int64_t column,
                                                 char *text, size_t size);

/* "cone", ...; static storage */
SADDLE_API const char *saddle_law_word(saddle_law law);
/* SADDLE_UNKNOWN_NAME */
SADDLE_API saddle_status saddle_law_from_word(const char *word, saddle_law *law);

SADDLE_END_DECLARATIONS

#endif
