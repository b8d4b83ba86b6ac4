/* SPDX-License-Identifier: MIT */
/* Rows that a law ties: a row of its own, or a contact with its rows. */
#ifndef SADDLE_SOLVERS_GROUPS_H
#define SADDLE_SOLVERS_GROUPS_H

#include "saddle/problem.h"

typedef struct saddle__group {
    int64_t row, size; /* the first row, and how many */
    double mu;         /* of a contact */
    int is_contact;
    int is_equality;
} saddle__group;

/* group: room for m; returns their number.  mu and bounds are those of the problem at hand. */
int64_t saddle__groups_find(const saddle_problem *problem, saddle__group *group);

/* x, the group's impulses, <- the nearest of its law's set, of a pyramid a nearby point. */
void saddle__group_project(const saddle_problem *problem, const saddle__group *group, double *x);

/* d (m) <- of a group's rows the largest, 1 where it vanishes. */
void saddle__groups_share(const saddle__group *group, int64_t groups, double *d);

#endif
