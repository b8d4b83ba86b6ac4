/* SPDX-License-Identifier: MIT */
/* Dead loads and viscous damping of parts (saddle/forces.h). */
#include <string.h>

#include "model_internal.h"
#include "saddle/forces.h"
#include "segment.h"
#include "space/space.h"

/* ---- dead loads ----
 *
 * Forces with constant direction in the world at a point of a part (Sueda, (1.31)-(1.34)):
 *
 *     wrench Gamma'R'a of a body in body axes,  V = -a'x,  d(R'a) = [R'a] domega
 *         K = (0 [R'a]; 0 [c][R'a])
 */

static saddle_status load_evaluate(saddle_context *context, const saddle_site *site,
                                   double *const *force)
{
    const saddle_dead_load *load = site->data;
    (void)context;
    memcpy(force[0], load->force, sizeof load->force);
    if (site->size[0] == 3) return SADDLE_OK;
    saddle__unrotate(site->position[0] + 3, load->force, force[0]);
    saddle__cross(load->point, force[0], force[0] + 3);
    return SADDLE_OK;
}

static saddle_status load_jacobians(saddle_context *context, const saddle_site *site,
                                    double *const *K, double *const *D)
{
    const saddle_dead_load *load = site->data;
    double local[3];
    (void)context;
    (void)D;
    if (site->size[0] == 3) return SADDLE_OK;
    saddle__unrotate(site->position[0] + 3, load->force, local);
    saddle__add_turning(local, load->point, K[0]);
    return SADDLE_OK;
}

static double load_energy(const saddle_site *site)
{
    const saddle_dead_load *load = site->data;
    double x[3] = {0};
    if (site->size[0] == 6) saddle__rotate(site->position[0] + 3, load->point, x);
    for (int i = 0; i < 3; i++) x[i] += site->position[0][i];
    return -saddle__dot(load->force, x);
}

static const saddle_force_type load_plain = {.name = "dead load",
                                             .evaluate = load_evaluate,
                                             .jacobians = load_jacobians,
                                             .energy = load_energy};
static const saddle_force_type load_symmetric = {.name = "dead load",
                                                 .evaluate = load_evaluate,
                                                 .jacobians = load_jacobians,
                                                 .symmetric = 1,
                                                 .energy = load_energy};

saddle_status saddle_model_add_dead_load(saddle_model *model, const char *name, saddle_anchor at,
                                         const saddle_dead_load *load, saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && load && force,
                          "model, load or force is NULL");
    if (at.part.item == SADDLE_ITEM_NONE)
        return saddle__refuse_new(model, "dead load", name, "it acts on the ground");
    const saddle__numbers numbers[] = {{"force", SADDLE__ANY, 3, load->force},
                                       {"point", SADDLE__ANY, 3, load->point}};
    SADDLE__TRY(saddle__check_numbers(model, "dead load", name, 2, numbers));
    const saddle_force_type *type = at.part.item == SADDLE_ITEM_BODY ? &load_plain
                                                                     : &load_symmetric;
    const saddle_force_def def = {name, type, 1, &at, load, sizeof *load};
    return saddle_model_add_force(model, &def, force);
}

/* ---- dampers ----
 *
 *     v_c = nu + omega x c,   wrench -(d v_c, c x d v_c + d_r omega),
 *         D = -(d Gamma'Gamma + d_r I on omega),  Gamma = [I -[c]]    (Sueda, 1.9.1)
 */

/* force = the damper's at a velocity v (size). */
static void damp(const saddle_damper *damper, int64_t size, const double *v, double *force)
{
    double speed[3] = {0};
    if (size == 6) saddle__cross(v + 3, damper->point, speed);
    for (int i = 0; i < 3; i++) force[i] = -damper->linear * (v[i] + speed[i]);
    if (size == 3) return;
    saddle__cross(damper->point, force, force + 3);
    for (int i = 3; i < 6; i++) force[i] -= damper->angular * v[i];
}

static saddle_status damper_evaluate(saddle_context *context, const saddle_site *site,
                                     double *const *force)
{
    (void)context;
    damp(site->data, site->size[0], site->velocity[0], force[0]);
    return SADDLE_OK;
}

static saddle_status damper_jacobians(saddle_context *context, const saddle_site *site,
                                      double *const *K, double *const *D)
{
    const int64_t size = site->size[0];
    (void)context;
    (void)K;
    for (int64_t j = 0; j < size; j++) {
        double unit[6] = {0};
        unit[j] = 1;
        damp(site->data, size, unit, D[0] + size * j);
    }
    return SADDLE_OK;
}

/* Of bodies not symmetric: integrators with turned momenta add the turn of the wrench to K. */
static const saddle_force_type damper_plain = {.name = "damper",
                                               .evaluate = damper_evaluate,
                                               .jacobians = damper_jacobians};
static const saddle_force_type damper_symmetric = {.name = "damper",
                                                   .evaluate = damper_evaluate,
                                                   .jacobians = damper_jacobians,
                                                   .symmetric = 1};

saddle_status saddle_model_add_damper(saddle_model *model, const char *name, saddle_anchor at,
                                      const saddle_damper *damper, saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && damper && force,
                          "model, damper or force is NULL");
    if (at.part.item == SADDLE_ITEM_NONE)
        return saddle__refuse_new(model, "damper", name, "it acts on the ground");
    const saddle__numbers numbers[] = {{"point", SADDLE__ANY, 3, damper->point},
                                       {"linear", SADDLE__AMOUNT, 1, &damper->linear},
                                       {"angular", SADDLE__AMOUNT, 1, &damper->angular}};
    SADDLE__TRY(saddle__check_numbers(model, "damper", name, 3, numbers));
    const saddle_force_type *type = at.part.item == SADDLE_ITEM_BODY ? &damper_plain
                                                                     : &damper_symmetric;
    const saddle_force_def def = {name, type, 1, &at, damper, sizeof *damper};
    return saddle_model_add_force(model, &def, force);
}
