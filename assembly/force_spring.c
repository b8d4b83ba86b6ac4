/* SPDX-License-Identifier: MIT */
/* Springs with a damper between two points (seed 000, 0.12; of bodies: seed 003, 1.65-1.68).
 *
 *     s = x_b - x_a,  l = |s|,  u = s/l,
 *         f_a = F u = -f_b,  F = k (l - r) + d dl/dt,  dl/dt = u'(v_b - v_a)
 *     A = df_a/ds  = k U_n + F/l U_p + d/l u (v_b - v_a)'U_p,   B = df_a/d(ds/dt) = d U_n,
 *         U_n = u u', U_p = I - U_n
 *
 * and of bodies, x = p + R c, v = R (nu + omega x c), in their axes
 *
 *     wrench Gamma'R'f,   dx = R Gamma d,   dv = R (domega x (nu + omega x c)),
 *         d(R'f) = R'df + [R'f] domega
 */
#include <math.h>
#include <stddef.h>

#include "line.h"
#include "model_internal.h"
#include "saddle/forces.h"

/* f_a = k s + (d dl/dt - k r) u: no division where nothing needs u */
static void force_of(const saddle_spring *spring, const saddle__line *at, double *f)
{
    const double along = spring->damping * at->rate - spring->stiffness * spring->rest_length;
    for (int i = 0; i < 3; i++) f[i] = spring->stiffness * at->stretch[i] + along * at->u[i];
}

static saddle_status evaluate(saddle_context *context, const saddle_site *site,
                              double *const *force)
{
    const saddle_spring *spring = site->data;
    const saddle__line at = saddle__line_of(site, spring->point_a, spring->point_b);
    double f[3];
    (void)context;
    force_of(spring, &at, f);
    saddle__line_force(&at, f, force);
    return SADDLE_OK;
}

/* A, B (3 x 3); where l = 0 and r > 0 no direction is known, and none is given a stiffness. */
static void derivatives(const saddle_spring *spring, const saddle__line *at, double *A, double *B)
{
    const double k = spring->stiffness, d = spring->damping, r = spring->rest_length;
    const double across = at->l > 0 ? (d * at->rate - k * r) / at->l : 0; /* F/l - k */
    const double damped = at->l > 0 ? d / at->l : 0;
    const double straight = at->l > 0 || r == 0 ? k : 0;
    for (int j = 0; j < 3; j++) {
        const double sideways = at->speed[j] - at->rate * at->u[j];
        for (int i = 0; i < 3; i++) {
            const double U_n = at->u[i] * at->u[j], I = i == j;
            A[i + 3 * j] = straight * I + across * (I - U_n) + damped * at->u[i] * sideways;
            B[i + 3 * j] = d * U_n;
        }
    }
}

static saddle_status jacobians(saddle_context *context, const saddle_site *site, double *const *K,
                               double *const *D)
{
    const saddle_spring *spring = site->data;
    const saddle__line at = saddle__line_of(site, spring->point_a, spring->point_b);
    double A[9], B[9], f[3];
    (void)context;
    derivatives(spring, &at, A, B);
    force_of(spring, &at, f);
    saddle__line_stiffness(&at, f, A, B, K, D);
    return SADDLE_OK;
}

static double energy(const saddle_site *site)
{
    const saddle_spring *spring = site->data;
    const saddle__line at = saddle__line_of(site, spring->point_a, spring->point_b);
    return spring->stiffness * (at.l - spring->rest_length) * (at.l - spring->rest_length) / 2;
}

static const saddle_force_type plain = {.name = "spring",
                                        .evaluate = evaluate,
                                        .jacobians = jacobians,
                                        .energy = energy};
static const saddle_force_type symmetric = {
    .name = "spring",
    .evaluate = evaluate,
    .jacobians = jacobians,
    .symmetric = 1,
    .energy = energy,
};

static const char *wrong_of(const saddle_spring *spring)
{
    for (int i = 0; i < 3; i++) {
        if (!isfinite(spring->point_a[i]) || !isfinite(spring->point_b[i]))
            return "a point is not finite";
    }
    if (!(spring->stiffness >= 0 && isfinite(spring->stiffness)))
        return "its stiffness is negative or not finite";
    if (!(spring->damping >= 0 && isfinite(spring->damping)))
        return "its damping is negative or not finite";
    if (!(spring->rest_length >= 0 && isfinite(spring->rest_length)))
        return "its rest length is negative or not finite";
    return NULL;
}

saddle_status saddle_model_add_spring(saddle_model *model, const char *name, saddle_anchor a,
                                      saddle_anchor b, const saddle_spring *spring,
                                      saddle_handle *force)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model || !spring || !force)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_model_add_spring: model, spring or force is NULL");
    const char *wrong = wrong_of(spring);
    if (wrong != NULL) return saddle__refuse_new(model, "spring", name, wrong);
    const int bodies = a.part.item == SADDLE_ITEM_BODY || b.part.item == SADDLE_ITEM_BODY;
    const saddle_anchor anchors[2] = {a, b};
    const saddle_force_def def = {.name = name,
                                  .type = bodies || spring->damping > 0 ? &plain : &symmetric,
                                  .count = 2,
                                  .anchors = anchors,
                                  .data = spring,
                                  .bytes = sizeof *spring};
    return saddle_model_add_force(model, &def, force);
}
