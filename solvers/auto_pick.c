/* SPDX-License-Identifier: MIT */
/* See auto_pick.h. */
#include "auto_pick.h"

#include <math.h>

#include "builtin.h"
#include "capability.h"
#include "factor/components.h"
#include "lemke/expansion.h"
#include "regularized.h"

enum {
    FEW = 200,           /* rows of any pattern that dense methods do best */
    DENSE_LEMKE = 3000,  /* unknowns of a dense problem up to which lemke is fast */
    MESH = 8,            /* velocities a row, at least, where M is a mesh that rows act on */
    PATHS = 1000,        /* unknowns up to which lemke is fast where it has to follow a path */
    BOX_CONTACTS = 3000, /* rows with friction up to which block pivoting is begun with */
    COLUMNS = 3000 /* rows up to which pivot, whose columns are dense, is worth a second try */
};

static const double dense_share = 0.3;     /* of R's entries */
static const double nearly_all = 0.9;      /* of W's entries */
static const double most_delassus = 2.5e7; /* entries that W may have to be formed */
static const double sweeps_a_root = 8.0;   /* of the number of rows: heaps of discs take 2 to 5 */

static const unsigned laws_pivoted = SADDLE_CONTACTS_BOX | SADDLE_CONTACTS_PYRAMID;

/* ---- the Delassus operator's entries ---- */

/* Sum over the connected components of M (bodies, meshes) of the square of the rows that touch
 * it. */
static double count_entries(const saddle_problem *problem, int64_t *root, int64_t *rows,
                            int64_t *last)
{
    double entries = 0.0;
    saddle__matrix_components(&problem->M, root);
    for (int64_t j = 0; j < problem->n; j++) last[j] = -1;
    for (int64_t i = 0; problem->n > 0 && problem->Jt.start && i < problem->m; i++)
        for (int64_t k = problem->Jt.start[i]; k < problem->Jt.start[i + 1]; k++) {
            int64_t c = root[problem->Jt.index[k]];
            rows[c] += last[c] != i;
            last[c] = i;
        }
    for (int64_t j = 0; j < problem->n; j++) entries += (double)rows[j] * (double)rows[j];
    return entries;
}

static saddle_status estimate_delassus(saddle_context *context, const saddle_problem *problem,
                                       double *entries)
{
    int64_t n = problem->n;
    int64_t *work = saddle_allocate(context, n < INT64_MAX / 3 ? 3 * n : n, sizeof *work);
    if (!work) return SADDLE_OUT_OF_MEMORY;
    *entries = count_entries(problem, work, work + n, work + 2 * n);
    saddle_release(context, work);
    return SADDLE_OK;
}

/* ---- the pick ---- */

static saddle__pick pick_without_velocities(const saddle_problem *problem)
{
    saddle__pick lemke = {&saddle__solver_lemke, "rows with bounds, no velocities, few or dense"};
    saddle__pick any = {&saddle__solver_lemke, "rows with bounds, no velocities, unsymmetric"};
    saddle__pick schur = {&saddle__solver_schur, "rows with bounds, no velocities, sparse"};
    saddle__pick pivot = {&saddle__solver_pivot, "many rows with bounds, no velocities, dense"};
    double m = (double)problem->m;
    int both = problem->R.symmetry == SADDLE_SYMMETRIC ? 2 : 1;
    int is_dense = both * (double)saddle_matrix_entries(&problem->R) > dense_share * m * m;
    if (problem->m <= FEW || (is_dense && problem->m <= DENSE_LEMKE)) return lemke;
    if (!saddle__is_symmetric(&problem->R) && problem->m <= PATHS) return any;
    return is_dense ? pivot : schur;
}

/* All rows have bounds, they are few beside the velocities, and W is full: lemke takes W's columns
 * on demand, so that it has a fraction of the work where few rows push, and W itself where many
 * do. */
static int is_mesh_with_stops(const saddle_problem *problem, double entries)
{
    double m = (double)problem->m;
    if (problem->m <= FEW || problem->m > DENSE_LEMKE || problem->m > problem->n / MESH) return 0;
    return entries > nearly_all * m * m && saddle_problem_count_rows(problem).equality == 0 &&
           saddle__is_symmetric(&problem->M) && saddle__is_symmetric(&problem->R);
}

static saddle_status pick_bounded(saddle_context *context, const saddle_problem *problem,
                                  saddle__pick *pick)
{
    saddle__pick schur = {&saddle__solver_schur, "rows with bounds"};
    saddle__pick pivot = {&saddle__solver_pivot, "rows with bounds, on one another by nearly all"};
    saddle__pick lemke = {&saddle__solver_lemke, "rows with bounds on one mesh"};
    double entries = 0.0;
    saddle_status status = estimate_delassus(context, problem, &entries);
    *pick = entries > most_delassus ? pivot : schur;
    if (is_mesh_with_stops(problem, entries)) *pick = lemke;
    return status;
}

/* In the plane pyramid and cone are the box.  Beside block pivoting, which takes boxes, lemke has
 * as many steps where its crash basis settles and thousands of pivots where it does not; sweeps are
 * quicker on easy contacts and stay on hard ones. */
static saddle_status pick_blocks_or_sweeps(saddle_context *context, const saddle_problem *problem,
                                           saddle__pick *pick)
{
    saddle__pick lemke = {&saddle__solver_lemke, "friction without cones on one mesh"};
    saddle__pick schur = {&saddle__solver_schur, "many rows with friction"};
    saddle__pick sweeps = {&saddle__solver_gauss_seidel, "very many rows with friction"};
    double entries = 0.0;
    saddle_status status = problem->n > 0 ? estimate_delassus(context, problem, &entries)
                                          : SADDLE_OK;
    int is_mesh = problem->n > 0 && is_mesh_with_stops(problem, entries);
    *pick = problem->m <= BOX_CONTACTS ? schur : sweeps;
    if (is_mesh && saddle__expansion_capacity(problem) <= DENSE_LEMKE) *pick = lemke;
    return status;
}

static saddle_status pick_contacts(saddle_context *context, const saddle_problem *problem,
                                   saddle__demand demand, saddle__pick *pick)
{
    saddle__pick lemke = {&saddle__solver_lemke, "friction without cones"};
    saddle__pick pivot = {&saddle__solver_pivot, "few rows with friction"};
    saddle__pick sweeps = {&saddle__solver_gauss_seidel, "friction cones"};
    saddle__pick many = {&saddle__solver_gauss_seidel, "many facets of friction"};
    int is_box = demand.smooth || (demand.rows & SADDLE_CONTACTS_BOX) != 0;
    unsigned cones = SADDLE_CONTACTS_ASSOCIATED | (demand.plane ? 0u : SADDLE_CONTACTS_CONE);
    int is_cone = !demand.smooth && (demand.rows & cones) != 0;
    if (!is_cone && (is_box || demand.plane) && problem->m > FEW)
        return pick_blocks_or_sweeps(context, problem, pick);
    *pick = is_cone                                        ? sweeps
            : is_box                                       ? pivot
            : saddle__expansion_capacity(problem) <= PATHS ? lemke
                                                           : many;
    return SADDLE_OK;
}

saddle_status saddle__auto_pick(saddle_context *context, const saddle_problem *problem,
                                saddle__pick *pick)
{
    saddle__demand demand = saddle__problem_demand(problem);
    saddle__pick lu = {&saddle__solver_lu,
                       problem->m ? "equality rows, unsymmetric" : "no rows, unsymmetric"};
    saddle__pick ldlt = {&saddle__solver_ldlt,
                         problem->m ? "equality rows, symmetric" : "no rows, symmetric"};
    if ((demand.rows & ~(unsigned)SADDLE_ROWS_EQUALITY) == 0) {
        *pick = demand.matrices == SADDLE_MATRICES_UNSYMMETRIC ? lu : ldlt;
        return SADDLE_OK;
    }
    if (problem->contact_count == 0 && problem->n > 0) return pick_bounded(context, problem, pick);
    if (problem->contact_count > 0) return pick_contacts(context, problem, demand, pick);
    *pick = pick_without_velocities(problem);
    return SADDLE_OK;
}

/* ---- the chain ---- */

static const saddle_solver_type *const followers[] = {
    &saddle__solver_ldlt,        &saddle__solver_lu,    &saddle__solver_schur,
    &saddle__solver_lemke,       &saddle__solver_pivot, &saddle__solver_regularized,
    &saddle__solver_gauss_seidel};

enum { FOLLOWERS = sizeof followers / sizeof *followers };

unsigned saddle__auto_bit(const saddle_solver_type *type)
{
    for (unsigned k = 0; k < FOLLOWERS; k++)
        if (followers[k] == type) return 1U << k;
    return 0;
}

const saddle_solver_type *saddle__auto_take(unsigned *set)
{
    for (unsigned k = 0; k < FOLLOWERS; k++)
        if (*set & 1U << k) {
            *set &= ~(1U << k);
            return followers[k];
        }
    return NULL;
}

static int does_pivot_in_blocks(unsigned set)
{
    return (set & (saddle__auto_bit(&saddle__solver_schur) |
                   saddle__auto_bit(&saddle__solver_pivot))) != 0;
}

/* Whether a type of the chain has its turn on these rows. */
static int is_due(const saddle_problem *problem, saddle__demand demand,
                  const saddle_solver_type *type, unsigned tried, int singular)
{
    if (tried & saddle__auto_bit(type) || saddle__rows_missing(type, demand)) return 0;
    int few = problem->m <= COLUMNS;
    int small = saddle__expansion_capacity(problem) <= PATHS;
    if (type == &saddle__solver_pivot) /* M may be what the others could not invert */
        return singular || (few && !does_pivot_in_blocks(tried)) || (problem->n > 0 && small);
    if (singular) return 0; /* they need M^-1 too */
    if (type == &saddle__solver_schur) return !few && !does_pivot_in_blocks(tried);
    if (type == &saddle__solver_gauss_seidel) return 1;
    int last = type == &saddle__solver_lemke &&
               tried & saddle__auto_bit(&saddle__solver_gauss_seidel);
    return saddle__expansion_capacity(problem) <=
           (last && problem->contact_count > 0 ? DENSE_LEMKE : PATHS);
}

const saddle_solver_type *saddle__auto_next(const saddle_problem *problem,
                                            const saddle_solver_type *type, unsigned tried,
                                            int singular)
{
    static const saddle_solver_type *const chain[] = {&saddle__solver_lemke, &saddle__solver_pivot,
                                                      &saddle__solver_schur,
                                                      &saddle__solver_regularized,
                                                      &saddle__solver_gauss_seidel};
    saddle__demand demand = saddle__problem_demand(problem);
    if ((demand.rows & ~(unsigned)SADDLE_ROWS_EQUALITY) == 0) {
        const saddle_solver_type *next = type == &saddle__solver_schur ? &saddle__solver_ldlt
                                                                       : &saddle__solver_lu;
        int has_next = type == &saddle__solver_schur || type == &saddle__solver_ldlt;
        if (has_next && tried & saddle__auto_bit(next)) next = &saddle__solver_lu;
        return has_next && !(tried & saddle__auto_bit(next)) ? next : NULL;
    }
    unsigned taken = laws_pivoted | SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX;
    if (demand.plane) taken |= SADDLE_CONTACTS_CONE;
    if (!demand.smooth && demand.rows & ~taken) return NULL;
    for (size_t k = 0; k < sizeof chain / sizeof *chain; k++)
        if (is_due(problem, demand, chain[k], tried, singular)) return chain[k];
    return NULL;
}

int64_t saddle__auto_sweeps(const saddle_problem *problem, const saddle_solver_type *type)
{
    if (type != &saddle__solver_gauss_seidel) return 0;
    if (saddle__auto_next(problem, type, saddle__auto_bit(type), 0) != &saddle__solver_schur)
        return 0;
    return (int64_t)(sweeps_a_root * sqrt((double)problem->m));
}
