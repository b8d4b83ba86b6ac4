/* SPDX-License-Identifier: MIT */
/* Forces of a model: addition, springs, dead loads, springs of joints (saddle/forces.h). */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "joint_internal.h"
#include "segment.h"
#include "model_internal.h"
#include "saddle/forces.h"
#include "space/space.h"

saddle_status saddle_model_add_force(saddle_model *model, const saddle_force_def *def,
                                     saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && force,
                          "model, def or force is NULL");
    if (!def->type || !def->type->evaluate)
        return saddle__refuse_new(model, "force", def->name, "its type has no evaluate");
    const saddle_constraint_def link = {.name = def->name,
                                        .count = def->count,
                                        .anchors = def->anchors,
                                        .data = def->data,
                                        .bytes = def->bytes};
    return saddle__model_add_link(model, def->type, &link, force);
}

void *saddle_model_force_data(saddle_model *model, saddle_handle force)
{
    const saddle__item_link *found = model ? saddle__model_force(model, force) : NULL;
    return found ? found->data : NULL;
}

/* ---- springs ----
 *
 * Damped springs between two points (Lloyd, ArtiSynth mechanics notes, 0.12; of bodies: Sueda,
 * Rigid Body Dynamics Notes, (1.65)-(1.68)).
 *
 *     s = x_b - x_a,  l = |s|,  u = s/l,
 *         f_a = F u = -f_b,  F = k (l - r) + d dl/dt,  dl/dt = u'(v_b - v_a)
 *     A = df_a/ds  = k U_n + F/l U_p + d/l u (v_b - v_a)'U_p,   B = df_a/d(ds/dt) = d U_n,
 *         U_n = u u', U_p = I - U_n
 *
 * and of bodies, x = p + R c, v = R (nu + omega x c), in body axes
 *
 *     wrench Gamma'R'f,   dx = R Gamma d,   dv = R (domega x (nu + omega x c)),
 *         d(R'f) = R'df + [R'f] domega
 */

/* f_a = k s + (d dl/dt - k r) u: no division where nothing needs u */
static void spring_force(const saddle_spring *spring, const saddle__segment *at, double *f)
{
    const double along = spring->damping * at->rate - spring->stiffness * spring->rest_length;
    for (int i = 0; i < 3; i++) f[i] = spring->stiffness * at->stretch[i] + along * at->u[i];
}

static saddle_status spring_evaluate(saddle_context *context, const saddle_site *site,
                                     double *const *force)
{
    const saddle_spring *spring = site->data;
    const saddle__segment at = saddle__segment_of(site, spring->point_a, spring->point_b);
    double f[3];
    (void)context;
    spring_force(spring, &at, f);
    saddle__segment_force(&at, f, force);
    return SADDLE_OK;
}

/* A, B (3 x 3); at l = 0 with r > 0 the direction and the stiffness are zero. */
static void spring_derivatives(const saddle_spring *spring, const saddle__segment *at, double *A,
                               double *B)
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

static saddle_status spring_jacobians(saddle_context *context, const saddle_site *site,
                                      double *const *K, double *const *D)
{
    const saddle_spring *spring = site->data;
    const saddle__segment at = saddle__segment_of(site, spring->point_a, spring->point_b);
    double A[9], B[9], f[3];
    (void)context;
    spring_derivatives(spring, &at, A, B);
    spring_force(spring, &at, f);
    saddle__segment_stiffness(&at, f, A, B, K, D);
    return SADDLE_OK;
}

static double spring_energy(const saddle_site *site)
{
    const saddle_spring *spring = site->data;
    const saddle__segment at = saddle__segment_of(site, spring->point_a, spring->point_b);
    return spring->stiffness * (at.l - spring->rest_length) * (at.l - spring->rest_length) / 2;
}

static const saddle_force_type spring_plain = {"spring", spring_evaluate, spring_jacobians, 0,
                                               spring_energy};
static const saddle_force_type spring_symmetric = {"spring", spring_evaluate, spring_jacobians, 1,
                                                   spring_energy};

saddle_status saddle_model_add_spring(saddle_model *model, const char *name, saddle_anchor a,
                                      saddle_anchor b, const saddle_spring *spring,
                                      saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && spring && force,
                          "model, spring or force is NULL");
    const saddle__numbers numbers[] = {{"point_a", SADDLE__ANY, 3, spring->point_a},
                                       {"point_b", SADDLE__ANY, 3, spring->point_b},
                                       {"stiffness", SADDLE__AMOUNT, 1, &spring->stiffness},
                                       {"damping", SADDLE__AMOUNT, 1, &spring->damping},
                                       {"rest_length", SADDLE__AMOUNT, 1, &spring->rest_length}};
    const saddle_status status = saddle__check_numbers(model, "spring", name, 5, numbers);
    if (status != SADDLE_OK) return status;
    const int bodies = a.part.item == SADDLE_ITEM_BODY || b.part.item == SADDLE_ITEM_BODY;
    const saddle_anchor anchors[2] = {a, b};
    const saddle_force_type *type = bodies || spring->damping > 0 ? &spring_plain
                                                                  : &spring_symmetric;
    const saddle_force_def def = {name, type, 2, anchors, spring, sizeof *spring};
    return saddle_model_add_force(model, &def, force);
}

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

static const saddle_force_type load_plain = {"dead load", load_evaluate, load_jacobians, 0,
                                             load_energy};
static const saddle_force_type load_symmetric = {"dead load", load_evaluate, load_jacobians, 1,
                                                 load_energy};

saddle_status saddle_model_add_dead_load(saddle_model *model, const char *name, saddle_anchor at,
                                         const saddle_dead_load *load, saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && load && force,
                          "model, load or force is NULL");
    if (at.part.item == SADDLE_ITEM_NONE)
        return saddle__refuse_new(model, "dead load", name, "it acts on the ground");
    const saddle__numbers numbers[] = {{"force", SADDLE__ANY, 3, load->force},
                                       {"point", SADDLE__ANY, 3, load->point}};
    const saddle_status status = saddle__check_numbers(model, "dead load", name, 2, numbers);
    if (status != SADDLE_OK) return status;
    const saddle_force_type *type = at.part.item == SADDLE_ITEM_BODY ? &load_plain
                                                                     : &load_symmetric;
    const saddle_force_def def = {name, type, 1, &at, load, sizeof *load};
    return saddle_model_add_force(model, &def, force);
}

/* ---- springs of joints ----
 *
 * Springs with a damper on a free coordinate of a joint, by the joint's own function
 * (joint_internal.h).
 *
 *     f = J'F,  F = -k (q - r) - d J v,     K = F G - J'(k J + d v'G),  D = -d J'J,    G =
 * d(J')/dq
 */

typedef struct joint_spring {
    saddle_joint_spring spring; /* first: saddle_model_force_data points here */
    saddle_joint_def def;       /* only its frames are read */
    saddle__joint_function function;
    double angle; /* where turns are counted from */
} joint_spring;

typedef struct pull { /* a spring at a place */
    double q, F, dq;
    double J[2][6], v[2][6];
    double H[9];
    saddle__joint_place place;
    saddle__joint_value value;
} pull;

static double with_turns(const joint_spring *data, double value)
{
    return data->function.turns ? saddle__joint_unwind(value, data->angle) : value;
}

static int evaluate_pull(const saddle_site *site, pull *at)
{
    const joint_spring *data = site->data;
    memset(at, 0, sizeof *at);
    saddle__joint_place_of(&data->def, site, 0, &at->place);
    if (!saddle__joint_function_at(&data->function, &at->place, &at->value, at->H)) return 0;
    saddle__joint_wrenches(&data->def, &at->place, at->value.l, at->value.g, at->J[0], at->J[1]);
    at->q = with_turns(data, at->value.value);
    for (int k = 0; k < 2; k++) {
        memcpy(at->v[k], site->velocity[k], (size_t)site->size[k] * sizeof(double));
        for (int j = 0; j < 6; j++) at->dq += at->J[k][j] * at->v[k][j];
    }
    at->F = -data->spring.stiffness * (at->q - data->spring.rest) - data->spring.damping * at->dq;
    return 1;
}

static saddle_status fail_undefined(saddle_context *context)
{
    return saddle_fail(context, SADDLE_SINGULAR,
                       "joint spring: its coordinate is not defined here");
}

static saddle_status joint_spring_evaluate(saddle_context *context, const saddle_site *site,
                                           double *const *force)
{
    pull at;
    if (!evaluate_pull(site, &at)) return fail_undefined(context);
    for (int k = 0; k < 2; k++) {
        for (int64_t j = 0; j < site->size[k]; j++) force[k][j] = at.F * at.J[k][j];
    }
    return SADDLE_OK;
}

static saddle_status joint_spring_jacobians(saddle_context *context, const saddle_site *site,
                                            double *const *K, double *const *D)
{
    const joint_spring *data = site->data;
    pull at;
    double G[4][36];
    if (!evaluate_pull(site, &at)) return fail_undefined(context);
    saddle__joint_wrench_stiffness(&data->def, &at.place, at.value.l, at.value.g, at.H, G);
    for (int b = 0; b < 2; b++) {
        for (int64_t j = 0; j < site->size[b]; j++) {
            double slope = data->spring.stiffness * at.J[b][j]; /* -dF/dq_b */
            for (int i = 0; i < 6; i++) {
                slope += data->spring.damping *
                         (at.v[0][i] * G[b][i + 6 * j] + at.v[1][i] * G[2 + b][i + 6 * j]);
            }
            for (int a = 0; a < 2; a++) {
                const int64_t rows = site->size[a];
                for (int64_t i = 0; i < rows; i++) {
                    K[2 * a + b][i + rows * j] = at.F * G[2 * a + b][i + 6 * j] -
                                                 at.J[a][i] * slope;
                    D[2 * a + b][i + rows * j] = -data->spring.damping * at.J[a][i] * at.J[b][j];
                }
            }
        }
    }
    return SADDLE_OK;
}

static double joint_spring_energy(const saddle_site *site)
{
    const joint_spring *data = site->data;
    pull at;
    if (!evaluate_pull(site, &at)) return 0;
    return data->spring.stiffness * (at.q - data->spring.rest) * (at.q - data->spring.rest) / 2;
}

static void count_turns(const saddle_site *site, void *writable)
{
    joint_spring *data = writable;
    pull at;
    if (evaluate_pull(site, &at)) data->angle = at.q;
}

static const saddle_force_type joint_spring_type = {"joint spring", joint_spring_evaluate,
                                                    joint_spring_jacobians, 0, joint_spring_energy};

static const char *joint_spring_fault(const saddle__item_link *joint, int64_t coordinate)
{
    if (!joint || joint->constraint != &saddle__joint_type) return "there is no such joint";
    const saddle__joint *on = joint->data;
    if (coordinate < 0 || coordinate >= on->functions - on->locked)
        return "the joint has no such free coordinate";
    for (int k = 0; k < 2; k++)
        if (joint->anchors[k].part.item == SADDLE_ITEM_PARTICLE) return "a particle has no angles";
    return NULL;
}

saddle_status saddle_model_add_joint_spring(saddle_model *model, const char *name,
                                            saddle_handle joint, int64_t coordinate,
                                            const saddle_joint_spring *spring, saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && spring && force,
                          "model, spring or force is NULL");
    const saddle__item_link *found = saddle__model_constraint(model, joint);
    const char *wrong = joint_spring_fault(found, coordinate);
    if (wrong) return saddle__refuse_new(model, "joint spring", name, "%s", wrong);
    const saddle__numbers numbers[] = {{"stiffness", SADDLE__AMOUNT, 1, &spring->stiffness},
                                       {"damping", SADDLE__AMOUNT, 1, &spring->damping},
                                       {"rest", SADDLE__ANY, 1, &spring->rest}};
    saddle_status status = saddle__check_numbers(model, "joint spring", name, 3, numbers);
    if (status != SADDLE_OK) return status;
    const saddle__joint *on = found->data;
    const int64_t f = on->locked + coordinate;
    joint_spring data = {.spring = *spring,
                         .def = on->used,
                         .function = on->function[f],
                         .angle = on->angle[f]};
    data.def.name = NULL;
    const saddle_force_def def = {name, &joint_spring_type, 2, found->anchors, &data, sizeof data};
    status = saddle_model_add_force(model, &def, force);
    if (status == SADDLE_OK && data.function.turns)
        saddle__model_force(model, *force)->moved = count_turns;
    return status;
}
