/* SPDX-License-Identifier: MIT */
/* Muscles: laws of tension of springs along paths (saddle/muscle.h; Sueda, Rigid Body Dynamics
 * Notes, (1.38)-(1.64)).
 *
 * The conditions (1.41) (1.8 reads 1.7), (1.43) and (1.45) as knots of cubics.
 *
 *     f = (1 + 2t)(1 - t)² y0 + t(1 - t)² h s0 + t²(3 - 2t) y1 - t²(1 - t) h s1,
 *         t = (x - x0)/h,  h = x1 - x0
 *
 * The other slopes follow: of f_L at 0.7 and 1.2 from f(1) = 1, f'(1) = 0; of f_V, which is
 * A (x + 1)³ on the left, 1 + 5 x + b x² + a x³ in the middle and 1.4 + B (x - 1)³ on the right,
 * from the two inner knots: A = 0.9152534738643785, B = 0.266648649866, a = -1360/3, b = -360/41.
 */

#include "saddle/muscle.h"

#include "model_internal.h"

typedef enum curve_name {
    PASSIVE, /* f_P(l) */
    ACTIVE,  /* f_L(l) */
    VELOCITY /* f_V(v) */
} curve_name;

typedef struct knot {
    double x, y, slope;
} knot;

typedef struct curve {
    int count;
    knot knots[4];
} curve;

/* clang-format off */
static const curve curves[] = {
    [PASSIVE]  = {3, {{1, 0, 0},
                      {1.3, 0.126110265892917, 1.07051016402631},
                      {1.7, 1, 2.85714285714286}}},
    [ACTIVE]   = {4, {{0.4, 0, 0},
                      {0.7, 0.767020368396388, 1.524156807231304},
                      {1.2, 0.89, -1.1129069941301226},
                      {1.81, 0, 0}}},
    [VELOCITY] = {4, {{-1, 0, 0},
                      {-0.05, 0.7847154471544715, 2.478048780487805},
                      {0.05, 1.1713821138211382, 0.7219512195121951},
                      {1, 1.4, 0}}},
};
/* clang-format on */

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

static double curve_at(curve_name which, double x, double *slope)
{
    const curve *f = &curves[which];
    if (!(x > f->knots[0].x)) return beyond(&f->knots[0], x, slope);
    for (int k = 1; k < f->count; k++)
        if (x < f->knots[k].x) return between(&f->knots[k - 1], &f->knots[k], x, slope);
    return beyond(&f->knots[f->count - 1], x, slope);
}

static saddle_status tension_of(saddle_context *context, const void *data, double path_length,
                                double rate, saddle_tension *f)
{
    const saddle_muscle *muscle = data;
    double steeper, passive_slope, quicker;
    const double l = (path_length - muscle->tendon_length) / muscle->optimal_length,
                 fastest = muscle->optimal_length * muscle->fastest;
    const double active = curve_at(ACTIVE, l, &steeper);
    const double passive = curve_at(PASSIVE, l, &passive_slope);
    const double moved = curve_at(VELOCITY, rate / fastest, &quicker);
    const double peak = muscle->peak_force, a = muscle->activation;
    (void)context;
    *f = (saddle_tension){.force = peak * (a * active * moved + passive),
                          .by_length = peak * (a * steeper * moved + passive_slope) /
                                       muscle->optimal_length,
                          .by_rate = peak * a * active * quicker / fastest};
    return SADDLE_OK;
}

static const saddle_tension_law law = {.name = "muscle", .tension = tension_of};

saddle_muscle saddle_muscle_default(void)
{
    return (saddle_muscle){.optimal_length = 1, .fastest = 10};
}

static saddle_status check_muscle(const saddle_model *model, const char *name, int64_t count,
                                  const saddle_path_point *points, const saddle_muscle *muscle)
{
    const saddle__numbers numbers[] = {{"peak_force", SADDLE__AMOUNT, 1, &muscle->peak_force},
                                       {"activation", SADDLE__SHARE, 1, &muscle->activation},
                                       {"optimal_length", SADDLE__POSITIVE, 1,
                                        &muscle->optimal_length},
                                       {"tendon_length", SADDLE__AMOUNT, 1, &muscle->tendon_length},
                                       {"fastest", SADDLE__POSITIVE, 1, &muscle->fastest}};
    if (count < 2 || count > SADDLE_ANCHORS_MAX)
        return saddle__refuse_new(model, "muscle", name, "its path needs 2 to 64 points");
    SADDLE__TRY(saddle__check_numbers(model, "muscle", name, 5, numbers));
    for (int64_t k = 0; k < count; k++) {
        const saddle__numbers point = {"point", SADDLE__ANY, 3, points[k].point};
        SADDLE__TRY(saddle__check_numbers(model, "muscle", name, 1, &point));
    }
    return SADDLE_OK;
}

saddle_status saddle_model_add_muscle(saddle_model *model, const char *name, int64_t count,
                                      const saddle_path_point *points, const saddle_muscle *muscle,
                                      saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && points && muscle && force,
                          "model, path, muscle or force is NULL");
    SADDLE__TRY(check_muscle(model, name, count, points, muscle));
    const saddle_path_spring spring = {name, count, points, &law, muscle, sizeof *muscle};
    SADDLE__TRY(saddle_model_add_path_spring(model, &spring, force));
    saddle__model_force(model, *force)->kind = "muscle";
    return SADDLE_OK;
}
