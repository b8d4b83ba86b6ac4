/* SPDX-License-Identifier: MIT */
/* Rows that a law ties: a row of its own, or a contact with its rows. */
#ifndef SADDLE_SOLVERS_GROUPS_H
#define SADDLE_SOLVERS_GROUPS_H

#include "problem/cone.h"

typedef struct saddle__group {
    int64_t row, size; /* the first row, and how many */
    saddle__cone cone; /* of a contact, with weights of 1 */
    int is_contact;
    int is_equality;
} saddle__group;

/* The groups of the rows from begin to end, which cut no contact; no contact is of a row before.
 * Returns their number.  mu and bounds are those of the problem at hand. */
int64_t saddle__groups_find_in(const saddle_problem *problem, int64_t begin, int64_t end,
                               saddle__group *group);

/* All groups; group: room for m. */
static inline int64_t saddle__groups_find(const saddle_problem *problem, saddle__group *group)
{
    return saddle__groups_find_in(problem, 0, problem->m, group);
}

/* Rows of the largest group, 1 at least. */
int64_t saddle__groups_widest(const saddle_problem *problem);

/* The group's cone in the distance weighted by d, entries of the group's rows as of
 * saddle__groups_share. */
static inline saddle__cone saddle__group_cone(const saddle__group *group, const double *d)
{
    saddle__cone cone = group->cone;
    if (cone.parts > 1) saddle__cone_weigh(&cone, d);
    return cone;
}

/* x, the group's impulses, <- the nearest of its law's set, of a pyramid or box a nearby point; in
 * the distance weighted by d. */
void saddle__group_project(const saddle_problem *problem, const saddle__group *group,
                           const double *d, double *x);

/* d (m) <- the largest of a row's part of a group, 1 where it vanishes; a contact's normal is of
 * the tangents' part. */
void saddle__groups_share(const saddle__group *group, int64_t groups, double *d);

#endif
