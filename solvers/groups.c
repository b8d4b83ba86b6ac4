/* SPDX-License-Identifier: MIT */
/* See groups.h. */
#include "groups.h"

#include <float.h>
#include <math.h>

#include "problem/cone.h"

int64_t saddle__groups_find(const saddle_problem *problem, saddle__group *group)
{
    int64_t contact = 0;
    int64_t count = 0;
    for (int64_t row = 0; row < problem->m; row += group[count++].size) {
        saddle__group *g = &group[count];
        *g = (saddle__group){.row = row, .size = 1};
        g->is_contact = contact < problem->contact_count && problem->contacts[contact].row == row;
        if (g->is_contact) {
            g->size = problem->contacts[contact].size;
            g->mu = problem->contacts[contact++].mu;
        } else {
            g->is_equality = isinf(saddle_problem_lo(problem, row)) &&
                             isinf(saddle_problem_hi(problem, row));
        }
    }
    return count;
}

void saddle__group_project(const saddle_problem *problem, const saddle__group *group, double *x)
{
    if (group->is_contact)
        saddle__project_law(problem->law, group->size, saddle_problem_facets(problem), group->mu,
                            x);
    else
        *x = saddle__clamp(*x, saddle_problem_lo(problem, group->row),
                           saddle_problem_hi(problem, group->row));
}

void saddle__groups_share(const saddle__group *group, int64_t groups, double *d)
{
    for (int64_t k = 0; k < groups; k++) {
        double most = 0.0;
        for (int64_t i = 0; i < group[k].size; i++) most = fmax(most, d[group[k].row + i]);
        for (int64_t i = 0; i < group[k].size; i++)
            d[group[k].row + i] = most > DBL_MIN / DBL_EPSILON ? most : 1.0;
    }
}
