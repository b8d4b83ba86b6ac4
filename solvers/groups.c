/* SPDX-License-Identifier: MIT */
/* See groups.h. */
#include "groups.h"

#include <float.h>
#include <math.h>

#include "base/vector.h"

int64_t saddle__groups_find_in(const saddle_problem *problem, int64_t begin, int64_t end,
                               saddle__group *group)
{
    int64_t contact = 0;
    int64_t count = 0;
    for (int64_t row = begin; row < end; row += group[count++].size) {
        saddle__group *g = &group[count];
        *g = (saddle__group){.row = row, .size = 1};
        g->is_contact = contact < problem->contact_count && problem->contacts[contact].row == row;
        if (g->is_contact) {
            g->size = problem->contacts[contact].size;
            g->cone = saddle__cone_of(&problem->contacts[contact++]);
        } else {
            g->is_equality = isinf(saddle_problem_lo(problem, row)) &&
                             isinf(saddle_problem_hi(problem, row));
        }
    }
    return count;
}

int64_t saddle__groups_widest(const saddle_problem *problem)
{
    int64_t most = 1;
    for (int64_t c = 0; c < problem->contact_count; c++)
        most = problem->contacts[c].size > most ? problem->contacts[c].size : most;
    return most;
}

void saddle__group_project(const saddle_problem *problem, const saddle__group *group,
                           const double *d, double *x)
{
    if (group->is_contact) {
        int64_t facets = saddle_problem_facets(problem);
        if (group->cone.parts == 1) {
            saddle__project_law(problem->law, facets, &group->cone, x);
            return;
        }
        saddle__cone cone = saddle__group_cone(group, d);
        saddle__project_law(problem->law, facets, &cone, x);
    } else {
        *x = saddle__clamp(*x, saddle_problem_lo(problem, group->row),
                           saddle_problem_hi(problem, group->row));
    }
}

static void share(double *d, int64_t from, int64_t to)
{
    double most = 0.0;
    for (int64_t i = from; i < to; i++) most = saddle__larger(d[i], most);
    for (int64_t i = from; i < to; i++) d[i] = most > DBL_MIN / DBL_EPSILON ? most : 1.0;
}

void saddle__groups_share(const saddle__group *group, int64_t groups, double *d)
{
    for (int64_t k = 0; k < groups; k++) {
        double *own = d + group[k].row;
        const saddle__cone *cone = &group[k].cone;
        share(own, 0, group[k].is_contact ? cone->begin[1] : 1);
        for (int g = 1; group[k].is_contact && g < cone->parts; g++)
            share(own, cone->begin[g], cone->begin[g + 1]);
    }
}
