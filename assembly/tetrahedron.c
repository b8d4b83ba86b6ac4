/* SPDX-License-Identifier: MIT */
/* Corotational tetrahedra (saddle/fem_mesh.h).  With the gradients G_a = grad N_a at rest, F = R S
 * the polar decomposition,
 *
 *     F = sum_a x_a G_a',   E = V (mu |F - R|^2 + lambda/2 tr(S - I)^2)
 *     P = 2 mu (F - R) + lambda tr(S - I) R,   f_a = -V P G_a
 *     dP = 2 mu (dF - dR) + lambda tr(R'dF) R + lambda tr(S - I) dR,   dR = R [omega]
 *
 * E does not change with R alone, |F - R| being smallest there, so f is exactly -dE/dx.
 */
#include <math.h>

#include "element/integrals.h"
#include "model_internal.h"
#include "saddle/fem_mesh.h"
#include "space/space.h"

typedef struct state {
    double lame, shear;   /* [Pa] */
    double volume, G[12]; /* at rest */
    double F[9];
    saddle__polar polar;
    double trace; /* of S - I */
} state;

/* 0: R is not determined. */
static int state_of(const saddle_site *site, state *at)
{
    const saddle_tetrahedron *element = site->data;
    const double young = element->young, poisson = element->poisson;
    *at = (state){.lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
                  .shear = young / (2 * (1 + poisson))};
    at->volume = saddle__tetrahedron_gradient(element->rest, at->G);
    for (int a = 0; a < 4; a++)
        for (int k = 0; k < 9; k++) at->F[k] += site->position[a][k % 3] * at->G[3 * a + k / 3];
    if (!saddle__polar_decompose(at->F, &at->polar)) return 0;
    at->trace = at->polar.s[0] + at->polar.s[1] + at->polar.s[2] - 3;
    return 1;
}

static saddle_status fail_crushed(saddle_context *context)
{
    return saddle_fail(context, SADDLE_SINGULAR, "tetrahedron: it is crushed to a line");
}

/* force[a] = -V P G_a */
static void nodal_forces(const state *at, const double *P, double *const *force)
{
    for (int a = 0; a < 4; a++) {
        saddle__rotate(P, at->G + 3 * a, force[a]);
        for (int i = 0; i < 3; i++) force[a][i] *= -at->volume;
    }
}

static saddle_status evaluate(saddle_context *context, const saddle_site *site,
                              double *const *force)
{
    state at;
    double P[9];
    if (!state_of(site, &at)) return fail_crushed(context);
    for (int k = 0; k < 9; k++)
        P[k] = 2 * at.shear * (at.F[k] - at.polar.R[k]) + at.lame * at.trace * at.polar.R[k];
    nodal_forces(&at, P, force);
    return SADDLE_OK;
}

/* dP by the displacement i of node b. */
static void stress_change(const state *at, int b, int i, double *dP)
{
    const double *R = at->polar.R;
    double dF[9] = {0}, omega[3], dR[9], stretch = 0;
    for (int k = 0; k < 3; k++) {
        dF[i + 3 * k] = at->G[3 * b + k];
        stretch += R[i + 3 * k] * at->G[3 * b + k];
    }
    saddle__polar_rotation_rate(&at->polar, dF, omega);
    saddle__skew(omega, dR);
    saddle__product3(R, dR, dR);
    for (int k = 0; k < 9; k++)
        dP[k] = 2 * at->shear * (dF[k] - dR[k]) + at->lame * (stretch * R[k] + at->trace * dR[k]);
}

static saddle_status jacobians(saddle_context *context, const saddle_site *site, double *const *K,
                               double *const *D)
{
    state at;
    (void)D;
    if (!state_of(site, &at)) return fail_crushed(context);
    for (int b = 0; b < 4; b++) {
        for (int i = 0; i < 3; i++) {
            double dP[9];
            double *const to[4] = {K[b] + 3 * i, K[4 + b] + 3 * i, K[8 + b] + 3 * i,
                                   K[12 + b] + 3 * i};
            stress_change(&at, b, i, dP);
            nodal_forces(&at, dP, to);
        }
    }
    return SADDLE_OK;
}

static double energy(const saddle_site *site)
{
    state at;
    if (!state_of(site, &at)) return 0;
    double sum = at.lame / 2 * at.trace * at.trace;
    for (int k = 0; k < 3; k++) sum += at.shear * (at.polar.s[k] - 1) * (at.polar.s[k] - 1);
    return at.volume * sum;
}

static const saddle_force_type corotational = {.name = "tetrahedron",
                                               .evaluate = evaluate,
                                               .jacobians = jacobians,
                                               .symmetric = 1,
                                               .energy = energy};

saddle_status saddle_model_add_tetrahedron(saddle_model *model, const char *name,
                                           const saddle_anchor *anchors,
                                           const saddle_tetrahedron *tetrahedron,
                                           saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && anchors && tetrahedron && force,
                          "model, anchors, tetrahedron or force is NULL");
    const saddle__numbers numbers[] = {{"rest", SADDLE__ANY, 12, tetrahedron->rest},
                                       {"young", SADDLE__POSITIVE, 1, &tetrahedron->young}};
    SADDLE__TRY(saddle__check_numbers(model, "tetrahedron", name, 2, numbers));
    double G[12];
    const char *wrong = NULL;
    for (int a = 0; a < 4; a++) {
        const int item = anchors[a].part.item;
        if (item != SADDLE_ITEM_PARTICLE && item != SADDLE_ITEM_NODES)
            wrong = "it acts on what is no particle and no node";
    }
    if (!(tetrahedron->poisson > -1 && tetrahedron->poisson < 0.5))
        wrong = "Poisson's ratio is not between -1 and 1/2";
    if (!(saddle__tetrahedron_gradient(tetrahedron->rest, G) > 0))
        wrong = "its volume at rest is not positive";
    if (wrong) return saddle__refuse_new(model, "tetrahedron", name, "%s", wrong);
    const saddle_force_def def = {name,    &corotational, 4,
                                  anchors, tetrahedron,   sizeof *tetrahedron};
    return saddle_model_add_force(model, &def, force);
}

int64_t saddle_model_part_elements(const saddle_model *model, saddle_handle part, int64_t most,
                                   saddle_handle *element)
{
    int64_t count = 0;
    for (int32_t k = 0; model && saddle__model_part(model, part) && k < model->forces.count; k++) {
        const int32_t place = model->forces.order[k];
        const saddle__item_link *force = &model->force[place];
        int of_part = force->force == &corotational;
        for (int64_t a = 0; of_part && a < force->count; a++)
            of_part = saddle__handles_are_same(force->anchors[a].part, part);
        if (!of_part) continue;
        if (element && count < most)
            element[count] = saddle__model_handle(model, &force->head, place);
        count++;
    }
    return count;
}
