/* SPDX-License-Identifier: MIT */
/* The functions of a factorization method: one const table each, behind factorization.h. */
#ifndef SADDLE_LIB_FACTORIZATION_INTERNAL_H
#define SADDLE_LIB_FACTORIZATION_INTERNAL_H

#include "base/context_internal.h"
#include "base/layout.h"
#include "factor/factorization.h"

/* Each function is called in order, n > 0, with the pattern analysed.  state is zeroed before
 * analyse. */
typedef struct saddle__factor_method {
    const char *name;
    int symmetric_only;
    size_t state_size;
    saddle_status (*analyse)(saddle__factorization *F, const saddle_matrix *A,
                             const signed char *late);
    /* fills in F->counts; on failure F->counts.failed_column, if known */
    saddle_status (*factor)(saddle__factorization *F, const saddle_matrix *A,
                            const saddle__pivot_rule *rule);
    saddle_status (*solve)(saddle__factorization *F, double *x);
    /* NULL: solve is used, column by column */
    saddle_status (*solve_columns)(saddle__factorization *F, int64_t columns, double *X);
    /* NULL: A is symmetric, solve is used */
    saddle_status (*solve_transpose)(saddle__factorization *F, double *x);
    /* condition.c; NULL: not known */
    void (*add_squares)(const saddle__factorization *F, double *sum);
    /* X (n x columns, by rows): A^-1 B over the nodes of F->set, which B reaches; column c of B has
     * value[e] at index[e], e = start[c] .. start[c + 1] - 1.  NULL: solve is used */
    saddle_status (*solve_set)(saddle__factorization *F, int64_t columns, const int64_t *start,
                               const int64_t *index, const double *value, double *X);
    void (*clear)(saddle__factorization *F);
    int has_complement; /* 1: factor forms F->complement of the last F->kept unknowns */
    /* NULL, or of a matrix that several processes hold parts of and call analyse, factor and solve
     * for alike, with n = 0 too: the worst status of all */
    saddle_status (*agree)(const saddle__factorization *F, saddle_status status);
} saddle__factor_method;

extern const saddle__factor_method saddle__factor_cholmod;
extern const saddle__factor_method saddle__factor_klu;
extern const saddle__factor_method saddle__factor_mumps;   /* with SADDLE_MUMPS only */
extern const saddle__factor_method saddle__factor_umfpack; /* with SADDLE_GPL only */

typedef enum saddle__factor_phase {
    SADDLE__CREATED,
    SADDLE__ANALYSED,
    SADDLE__FACTORED
} saddle__factor_phase;

struct saddle__factorization {
    saddle_context *context;
    const saddle__factor_method *method;
    saddle_ordering ordering;
    saddle__eagerness asked; /* by the caller */
    int eager;               /* set by analyse of the method: 1 = an eager order was taken */
    int single;              /* L and D of "cholmod" in single precision */
    int64_t threads;         /* of one factorization, at most; 0 = 1 */
    int64_t kept;            /* last unknowns that are not eliminated */
    double *complement;      /* kept x kept; NULL: none */
    saddle__factor_phase phase;
    int64_t n;
    int64_t entries; /* of A */
    saddle__factor_counts counts;

    /* connected components of A's graph */
    int64_t component_count;
    int64_t *component;       /* n: the component of each node */
    int64_t *component_start; /* component_count + 1 */
    int64_t *node;            /* n: nodes by component, in the order given within each */

    /* sparse solves */
    int64_t *mark; /* n: components seen in this call carry stamp */
    int64_t stamp;
    int64_t set_count;
    int64_t *set;  /* n: nodes where the solution is not zero, component by component */
    double *x;     /* n: a column of A^-1 B over the set */
    double *whole; /* n: b and then all of A^-1 b; NULL where the method has solve_set */

    void *state;           /* method->state_size bytes */
    saddle__layout layout; /* of the arrays and the state */
};

/* The components of the graph of A + A', nodes in the order `order` (n; NULL = natural). */
void saddle__factor_components(saddle__factorization *F, const saddle_matrix *A,
                               const int64_t *order);

#endif
