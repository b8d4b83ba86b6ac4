/* SPDX-License-Identifier: MIT */
/* The states of rows and contacts of a reference (saddle/reference.h), found by the natural maps,
 * and the equations of a row i in its state:
 *
 *     SADDLE__FREE      w_i = 0                       row i of K
 *     SADDLE__FIXED     lambda_i = bound              d_i = 0, the row and the column of K left out
 *     SADDLE__LAW       G_i(lambda_c, w_c) = 0        dG = G_w dw + G_lambda dlambda, c the contact
 *
 *     box       lambda_i = side mu lambda_n                                   sliding
 *     cone      lambda_i |w_g| + mu_g lambda_n w_i = 0                        sliding, part g
 *               lambda_i = side mu_g lambda_n                                 the same, one row
 *     assoc.    |lambda_g|^2 = mu_g^2 lambda_n^2, w_1 lambda_2 = w_2 lambda_1  boundary, part g
 *               w_n = sum of mu_g |w_g| over the parts on the boundary
 */
#ifndef SADDLE_SOLVERS_STATES_H
#define SADDLE_SOLVERS_STATES_H

#include "matrix/twin.h"
#include "saddle/reference.h"

enum { SADDLE__FREE, SADDLE__FIXED, SADDLE__LAW };

typedef struct saddle__states {
    const saddle_problem *problem;
    saddle_reference *reference; /* v, lambda and w are read; changed, weak, margin are set */
    const double *scale;         /* m: natural sizes of the rows, d */
    const double *unit;          /* m: powers of two next to d^-1/2 */
    unsigned char *state;        /* m */
    signed char *side;           /* m: -1 or 1, of rows of one entry that follow the normal */
    unsigned char *old;          /* m: before the last search */
    signed char *old_side;       /* m */

    double lambda_size;   /* max |lambda_i| / unit_i */
    double lambda_error;  /* bound of its error, in the same units */
    double *w_error;      /* m: of |w_i| unit_i */
    double rows_scale;    /* S */
    int64_t contradicted; /* rows and contacts in a wrong state; the last of them: */
    int64_t wrong_row;
    double wrong_by; /* over lambda_size or S [-] */
} saddle__states;

/* The equations of a contact: G, scaled to velocities by d of the normal, and its derivatives. */
typedef struct saddle__equations {
    double G[SADDLE_CONTACT_ROWS];
    double by_w[SADDLE_CONTACT_ROWS][SADDLE_CONTACT_ROWS];
    double by_lambda[SADDLE_CONTACT_ROWS][SADDLE_CONTACT_ROWS];
} saddle__equations;

static inline saddle__twin saddle__lambda_of(const saddle_reference *r, int64_t i)
{
    return (saddle__twin){r->lambda[i], r->lambda_low[i]};
}

static inline saddle__twin saddle__w_of(const saddle_reference *r, int64_t i)
{
    return (saddle__twin){r->w[i], r->w_low[i]};
}

static inline void saddle__set_lambda(saddle_reference *r, int64_t i, saddle__twin value)
{
    r->lambda[i] = value.high;
    r->lambda_low[i] = value.low;
}

static inline int saddle__states_have_law(const saddle__states *at, const saddle_contact *contact)
{
    for (int64_t i = contact->row; i < contact->row + contact->size; i++)
        if (at->state[i] == SADDLE__LAW) return 1;
    return 0;
}

/* All states at the present v, lambda and w; lambda_i <- the bound of rows in the state FIXED.  1:
 * all are as before. */
int saddle__states_find(saddle__states *at);

/* The equations of a contact with rows in the state LAW; those of FREE rows are w_i = 0, those of
 * FIXED rows d_i dlambda_i = 0. */
void saddle__states_equations(const saddle__states *at, const saddle_contact *contact,
                              saddle__equations *e);

/* The distances of all states from their change, by the sizes and bounds above: margin, margin_row,
 * weak, contradicted. */
void saddle__states_judge(saddle__states *at);

#endif
