/* SPDX-License-Identifier: MIT */
/* Curves of muscles: the conditions of seed 003, 1.41 (where 1.8 is to read 1.7), 1.43 and 1.45, as
 * knots of cubics.
 *
 *     f = (1 + 2t)(1 - t)² y0 + t(1 - t)² h s0 + t²(3 - 2t) y1 - t²(1 - t) h s1,
 *         t = (x - x0)/h,  h = x1 - x0
 *
 * Slopes that the conditions do not name follow from them.  Of f_L those at 0.7 and 1.2 from f(1) =
 * 1, f'(1) = 0; of f_V, which is A (x + 1)³ on the left, 1 + 5 x + b x² + a x³ in the middle and
 * 1.4 + B (x - 1)³ on the right, all from the two knots between: A = 0.9152534738643785, B =
 * 0.266648649866, a = -1360/3, b = -360/41.
 */
#include "muscle_curves.h"

enum { KNOTS_MAX = 4 };

typedef struct knot {
    double x, y, slope;
} knot;

typedef struct curve {
    int count;
    knot knots[KNOTS_MAX];
} curve;

static const curve curves[] = {
    [SADDLE__MUSCLE_PASSIVE] =
        {3, {{1, 0, 0}, {1.3, 0.126110265892917, 1.07051016402631}, {1.7, 1, 2.85714285714286}}},
    [SADDLE__MUSCLE_ACTIVE] = {4,
                               {{0.4, 0, 0},
                                {0.7, 0.767020368396388, 1.524156807231304},
                                {1.2, 0.89, -1.1129069941301226},
                                {1.81, 0, 0}}},
    [SADDLE__MUSCLE_VELOCITY] = {4,
                                 {{-1, 0, 0},
                                  {-0.05, 0.7847154471544715, 2.478048780487805},
                                  {0.05, 1.1713821138211382, 0.7219512195121951},
                                  {1, 1.4, 0}}},
};

static double beyond(const knot *end, double x, double *slope)
{
    *slope = end->slope;
    return end->y + end->slope * (x - end->x);
}

static double between(const knot *a, const knot *b, double x, double *slope)
{
    const double h = b->x - a->x, t = (x - a->x) / h, r = 1 - t;
    *slope = 6 * t * r * (b->y - a->y) / h + r * (1 - 3 * t) * a->slope +
             t * (3 * t - 2) * b->slope;
    return (1 + 2 * t) * r * r * a->y + t * r * r * h * a->slope + t * t * (3 - 2 * t) * b->y -
           t * t * r * h * b->slope;
}

double saddle__muscle_value(saddle__muscle_curve which, double x, double *slope)
{
    const curve *f = &curves[which];
    if (!(x > f->knots[0].x)) return beyond(&f->knots[0], x, slope);
    for (int k = 1; k < f->count; k++) {
        if (x < f->knots[k].x) return between(&f->knots[k - 1], &f->knots[k], x, slope);
    }
    return beyond(&f->knots[f->count - 1], x, slope);
}
