/* SPDX-License-Identifier: MIT */
/* Support points and bounds of shapes, selection of contact points, pairs of bounding boxes. */
#include <math.h>
#include <string.h>

#include "collide.h"
#include "model_internal.h"
#include "space/space.h"

void saddle__solid_support(const saddle__solid *solid, const double *direction, double *point)
{
    double D[3], X[3] = {0}, unit[3] = {0, 0, 1};
    saddle__unrotate(solid->pose.R, direction, D);
    saddle__direction(D, unit);
    const int round = solid->kind == SADDLE_TOUCH_SPHERE || solid->kind == SADDLE_TOUCH_CAPSULE;
    for (int k = 0; k < 3 && round; k++) X[k] = solid->half[0] * unit[k];
    if (solid->kind == SADDLE_TOUCH_CAPSULE) X[2] += D[2] > 0 ? solid->half[1] : -solid->half[1];
    for (int k = 0; k < 3 && solid->kind == SADDLE_TOUCH_BOX; k++)
        X[k] = D[k] > 0 ? solid->half[k] : -solid->half[k];
    double most = -INFINITY;
    for (int64_t k = 0; solid->kind == SADDLE_TOUCH_CONVEX && k < solid->corner_count; k++) {
        const double along = saddle__dot(D, solid->corner + 3 * k);
        if (along > most) {
            most = along;
            memcpy(X, solid->corner + 3 * k, sizeof X);
        }
    }
    saddle_pose_point(&solid->pose, X, point);
}

/* z by van der Corput's sequence, the angle about z by the golden ratio. */
void saddle__solid_aside(int64_t k, double *unit)
{
    const double golden = 0.61803398874989485, turn = 6.283185307179586;
    double z = 1, share = 1;
    for (int64_t rest = k + 1; rest > 0; rest /= 2) {
        share /= 2;
        if (rest % 2 == 1) z -= 2 * share;
    }
    const double angle = turn * fmod(golden * (double)k, 1), width = sqrt((1 - z) * (1 + z));
    unit[0] = width * cos(angle);
    unit[1] = width * sin(angle);
    unit[2] = z;
}

void saddle__solid_apart(const saddle__solid *A, const saddle__solid *B, const double *axis,
                         double *normal)
{
    double apart[3];
    for (int k = 0; k < 3; k++) apart[k] = B->aside[k] - A->aside[k];
    const double along = !axis ? 0 : saddle__dot(axis, apart);
    for (int k = 0; k < 3 && axis; k++) apart[k] -= along * axis[k];
    if (saddle__dot(apart, apart) > 1e-12) saddle__direction(apart, normal);
}

void saddle__solid_bounds(const saddle__solid *solid, double *lo, double *hi)
{
    for (int k = 0; k < 3; k++) {
        double direction[3] = {0}, point[3];
        if (solid->kind == SADDLE_TOUCH_PLANE) {
            lo[k] = -INFINITY;
            hi[k] = INFINITY;
            continue;
        }
        direction[k] = -1;
        saddle__solid_support(solid, direction, point);
        lo[k] = point[k];
        direction[k] = 1;
        saddle__solid_support(solid, direction, point);
        hi[k] = point[k];
    }
}

/* ---- selection of contact points ---- */

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

static double distance(const saddle__touching *p, const saddle__touching *q)
{
    const double apart[3] = {p->a[0] - q->a[0], p->a[1] - q->a[1], p->a[2] - q->a[2]};
    return sqrt(saddle__dot(apart, apart));
}

static int64_t nearest(const saddle__touching *touching, int64_t count, const saddle__touching *to)
{
    int64_t found = 0;
    for (int64_t k = 1; k < count; k++)
        if (distance(&touching[k], to) < distance(&touching[found], to)) found = k;
    return found;
}

int64_t saddle__spread_take(const saddle__spread *spread, saddle__touching *touching)
{
    if (spread->count == 0) return 0;
    const int few = spread->count <= SADDLE__TOUCHES_MAX;
    const saddle__touching *from = few ? spread->first : spread->outer;
    int64_t count = 0;
    for (int64_t k = 0; k < (few ? spread->count : 4); k++) {
        const int64_t neighbour = nearest(touching, count, &from[k]);
        if (count > 0 && distance(&touching[neighbour], &from[k]) <= spread->near) continue;
        touching[count++] = from[k];
    }
    double least = INFINITY;
    for (int64_t k = 0; k < count; k++) least = fmin(least, touching[k].gap);
    if (spread->deepest.gap < least)
        touching[nearest(touching, count, &spread->deepest)] = spread->deepest;
    return count;
}

/* ---- pairs of bounding boxes ---- */

/* Order by lo along an axis, then by number; axis < 0: by number. */
static int before(const saddle__bounds *box, int axis, int64_t a, int64_t b)
{
    if (axis < 0 || box[a].lo[axis] == box[b].lo[axis]) return a < b;
    return box[a].lo[axis] < box[b].lo[axis];
}

/* Shell's sort with Ciura's gaps: in place, quick where nearly sorted. */
static void sort(const saddle__bounds *box, int axis, int64_t count, int64_t *item)
{
    static const int64_t ciura[] = {701, 301, 132, 57, 23, 10, 4, 1};
    int64_t gap = 701;
    while (gap < count / 3) gap = gap * 9 / 4;
    for (int k = 0; gap > 0;) {
        for (int64_t i = gap; i < count; i++) {
            const int64_t moving = item[i];
            int64_t place = i;
            for (; place >= gap && before(box, axis, moving, item[place - gap]); place -= gap)
                item[place] = item[place - gap];
            item[place] = moving;
        }
        if (gap > 701)
            gap = gap * 4 / 9 > 701 ? gap * 4 / 9 : 701;
        else
            gap = ++k < 8 ? ciura[k] : 0;
    }
}

/* The axis with the largest variance of the boxes' centres. */
static int spread_axis(int64_t count, const saddle__bounds *box)
{
    double variance[3];
    for (int axis = 0; axis < 3; axis++) {
        double sum = 0, squares = 0, number = 0;
        for (int64_t k = 0; k < count; k++) {
            const double middle = 0.5 * (box[k].lo[axis] + box[k].hi[axis]);
            if (!isfinite(middle)) continue;
            sum += middle;
            squares += middle * middle;
            number++;
        }
        variance[axis] = number > 0 ? squares - sum * sum / number : 0;
    }
    const int yet = variance[1] > variance[0] ? 1 : 0;
    return variance[2] > variance[yet] ? 2 : yet;
}

static int overlap(const saddle__bounds *a, const saddle__bounds *b)
{
    for (int k = 0; k < 3; k++)
        if (!(a->lo[k] <= b->hi[k] && b->lo[k] <= a->hi[k])) return 0;
    return 1;
}

saddle_status saddle__pairs_find(saddle_context *context, int64_t count, const saddle__bounds *box,
                                 int (*wanted)(const void *user, int64_t first, int64_t second),
                                 const void *user, saddle__pairs *pairs)
{
    pairs->count = 0;
    saddle_status status = saddle__reserve(context, (void **)&pairs->order, &pairs->order_capacity,
                                           count, sizeof *pairs->order);
    if (status != SADDLE_OK) return status;
    const int axis = spread_axis(count, box);
    for (int64_t k = 0; k < count; k++) pairs->order[k] = k;
    sort(box, axis, count, pairs->order);
    for (int64_t i = 0; i < count; i++) {
        const int64_t a = pairs->order[i];
        for (int64_t j = i + 1; j < count && box[pairs->order[j]].lo[axis] <= box[a].hi[axis];
             j++) {
            const int64_t b = pairs->order[j], first = a < b ? a : b, second = a < b ? b : a;
            if (!overlap(&box[a], &box[b]) || !wanted(user, first, second)) continue;
            status = saddle__reserve(context, (void **)&pairs->pair, &pairs->capacity,
                                     pairs->count + 1, sizeof *pairs->pair);
            if (status != SADDLE_OK) return status;
            pairs->pair[pairs->count++] = first << 32 | second;
        }
    }
    sort(NULL, -1, pairs->count, pairs->pair);
    return SADDLE_OK;
}

void saddle__pairs_clear(saddle_context *context, saddle__pairs *pairs)
{
    saddle_release(context, pairs->pair);
    saddle_release(context, pairs->order);
    memset(pairs, 0, sizeof *pairs);
}
