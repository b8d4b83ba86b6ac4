/* SPDX-License-Identifier: MIT */
/* Selection of contact points (collide.h). */
#include "collide.h"

/* Directions in (u, v) of outermost points: the corners of a rectangle. */
static const double directions[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};

void saddle__spread_add(saddle__spread *spread, const saddle__touching *touching)
{
    const double x = saddle__dot(spread->u, touching->a), y = saddle__dot(spread->v, touching->a);
    for (int k = 0; k < 4; k++) {
        const double score = directions[k][0] * x + directions[k][1] * y;
        if (spread->count > 0 && !(score > spread->score[k] + 1e-3 * spread->near)) continue;
        spread->score[k] = score;
        spread->outer[k] = *touching;
    }
    if (spread->count < SADDLE__TOUCHES_MAX) spread->first[spread->count] = *touching;
    if (spread->count == 0 || touching->gap < spread->deepest.gap) spread->deepest = *touching;
    spread->count++;
}

static double distance_of(const saddle__touching *p, const saddle__touching *q)
{
    const double apart[3] = {p->a[0] - q->a[0], p->a[1] - q->a[1], p->a[2] - q->a[2]};
    return sqrt(saddle__dot(apart, apart));
}

static int64_t nearest_of(const saddle__touching *touching, int64_t count,
                          const saddle__touching *to)
{
    int64_t found = 0;
    for (int64_t k = 1; k < count; k++)
        if (distance_of(&touching[k], to) < distance_of(&touching[found], to)) found = k;
    return found;
}

int64_t saddle__spread_take(const saddle__spread *spread, saddle__touching *touching)
{
    if (spread->count == 0) return 0;
    const int few = spread->count <= SADDLE__TOUCHES_MAX;
    const saddle__touching *from = few ? spread->first : spread->outer;
    int64_t count = 0;
    for (int64_t k = 0; k < (few ? spread->count : 4); k++) {
        const int64_t neighbour = nearest_of(touching, count, &from[k]);
        if (count > 0 && distance_of(&touching[neighbour], &from[k]) <= spread->near) continue;
        touching[count++] = from[k];
    }
    double least = INFINITY;
    for (int64_t k = 0; k < count; k++) least = fmin(least, touching[k].gap);
    if (spread->deepest.gap < least)
        touching[nearest_of(touching, count, &spread->deepest)] = spread->deepest;
    return count;
}
