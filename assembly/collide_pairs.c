/* SPDX-License-Identifier: MIT */
/* Pairs of boxes, by sorting along the axis on which they spread most. */
#include "collide_pairs.h"

#include <math.h>
#include <string.h>

/* Before: as sorted by *lo* along an axis, then by number.  axis < 0: by the numbers themselves. */
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

/* The axis along which the middles of what is bounded vary most. */
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

static saddle_status grow(saddle_context *context, int64_t wanted, int64_t **array,
                          int64_t *capacity)
{
    if (wanted <= *capacity) return SADDLE_OK;
    const int64_t room = wanted + wanted / 2 + 16;
    int64_t *grown = saddle_reallocate(context, *array, room, sizeof *grown);
    if (grown == NULL) return SADDLE_OUT_OF_MEMORY;
    *array = grown;
    *capacity = room;
    return SADDLE_OK;
}

static int overlap(const saddle__bounds *a, const saddle__bounds *b)
{
    for (int k = 0; k < 3; k++) {
        if (!(a->lo[k] <= b->hi[k] && b->lo[k] <= a->hi[k])) return 0;
    }
    return 1;
}

saddle_status saddle__pairs_find(saddle_context *context, int64_t count, const saddle__bounds *box,
                                 int (*wanted)(const void *user, int64_t first, int64_t second),
                                 const void *user, saddle__pairs *pairs)
{
    pairs->count = 0;
    saddle_status status = grow(context, count, &pairs->order, &pairs->order_capacity);
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
            status = grow(context, pairs->count + 1, &pairs->pair, &pairs->capacity);
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
