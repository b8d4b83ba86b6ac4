/* SPDX-License-Identifier: MIT */
/* See choice.h. */
#include "pivot/choice.h"

#include <math.h>

#include "capability.h"
#include "factor/factorization.h"

static const double dense_share = 0.3;

static const double blocks = 6.0;
static const double anew = 4.0; /* of them that factor a dense basis anew */
/* factorizations of K, or borders and changes worth them */
static const double changes = 2.5;
static const double time_of_flop = 0.05; /* of dense factors of some size [ns] */
static const double time_of_term = 0.5;  /* of a product with a column [ns] */
static const double along = 0.16;        /* of a solve: one more column in a block */
static const double clearly_less = 0.7;  /* of the time in the factor, for columns */

static int64_t rows_with_bounds(const saddle_problem *problem)
{
    return problem->n == 0 ? problem->m : problem->m - saddle_problem_count_rows(problem).equality;
}

int saddle__basis_massless(const saddle_problem *problem)
{
    const saddle_matrix *M = &problem->M;
    if (problem->n > 0 && saddle_matrix_entries(M) == 0) return 1;
    for (int64_t j = 0; j < problem->n; j++) {
        double mass = 0.0;
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            if (M->index[k] == j) mass = M->value[k];
        if (mass == 0.0) return 1;
    }
    return 0;
}

/* Without velocities, and a good part of R's lower triangle is stored. */
static int is_dense(const saddle_problem *problem)
{
    double m = (double)problem->m;
    return problem->n == 0 &&
           (double)saddle_matrix_entries(&problem->R) > dense_share * 0.5 * m * m;
}

saddle_status saddle__basis_choose(saddle_context *context, const saddle_problem *problem,
                                   const saddle__pivoting_settings *settings, saddle_basis *basis)
{
    saddle_basis asked = (saddle_basis)settings->basis;
    int symmetric = saddle__is_symmetric(&problem->M) && saddle__is_symmetric(&problem->R);
    int factor_can = symmetric && (problem->contact_count == 0 || settings->lagged_friction);
    *basis = asked;
    if (asked == SADDLE_BASIS_FACTOR && !factor_can)
        return saddle_fail(context, SADDLE_UNSUPPORTED, "pivot: basis 'factor' needs %s",
                           symmetric ? "problems without contacts" : "a symmetric M and R");
    if (asked != SADDLE_BASIS_BEST) return SADDLE_OK;
    if (!factor_can)
        *basis = SADDLE_BASIS_COLUMNS;
    else if (rows_with_bounds(problem) > SADDLE__MOST_COLUMNS || saddle__basis_massless(problem))
        *basis = SADDLE_BASIS_FACTOR;
    else if (problem->n + problem->m <= SADDLE__SMALL || is_dense(problem))
        *basis = SADDLE_BASIS_COLUMNS;
    return SADDLE_OK;
}

saddle_basis saddle__basis_compare(const saddle_problem *problem, double factor_time,
                                   double solve_time)
{
    double rows = (double)rows_with_bounds(problem);
    double k = 0.5 * rows;
    double dense = anew * 2.0 / 3.0 * k * k * k * time_of_flop +
                   blocks * 2.0 * k * rows * time_of_term;
    double factor = changes * factor_time + 2.0 * blocks * solve_time;
    double groups = blocks * ceil(k / (blocks * SADDLE__FACTOR_BLOCK));
    double solves = (1.0 - along) * groups + along * k;
    double columns = problem->n == 0 ? dense : factor_time + solves * solve_time + dense;
    return columns < clearly_less * factor ? SADDLE_BASIS_COLUMNS : SADDLE_BASIS_FACTOR;
}
