/* SPDX-License-Identifier: MIT */
/* Forces of a model: addition, springs, dead loads, muscles (saddle/forces.h, muscle.h). */
#include <math.h>
#include <string.h>

#include "model_internal.h"
#include "saddle/forces.h"
#include "saddle/muscle.h"
#include "segment.h"
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
    SADDLE__TRY(saddle__check_numbers(model, "spring", name, 5, numbers));
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
    SADDLE__TRY(saddle__check_numbers(model, "dead load", name, 2, numbers));
    const saddle_force_type *type = at.part.item == SADDLE_ITEM_BODY ? &load_plain
                                                                     : &load_symmetric;
    const saddle_force_def def = {name, type, 1, &at, load, sizeof *load};
    return saddle_model_add_force(model, &def, force);
}

/* ---- muscles ----
 *
 * Muscles along paths (saddle/muscle.h; Sueda, Rigid Body Dynamics Notes, (1.38)-(1.64)).  With e
 * the wrenches of unit tension and u_k the directions,
 *
 *     F = f e,   e = sum_k P_k'u_k,   dL/dq = -e',   dLdot/dv = -e'
 *         P_k'u: u at point k, -u at point k + 1
 *     K = e (f_L dL/dq + f_v dLdot/dq) + f de/dq,   D = -f_v e e'      f_L = df/dL,  f_v = df/dLdot
 *     dLdot = sum_k (d(ds_k/dt)'u_k + (ds_k/dt)'U_p/l ds_k),   de/dq by segments with A = U_p/l, B
 * = 0
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

/* ---- paths ---- */

typedef struct path {     /* a force's data */
    saddle_muscle muscle; /* first: saddle_model_force_data points here */
    int64_t count;
    int64_t anchor[SADDLE_ANCHORS_MAX]; /* index of the anchor of each point */
    double point[SADDLE_ANCHORS_MAX][3];
} path;

typedef struct tension { /* of a muscle at a place */
    double f, by_length, by_rate;
} tension;

/* Of segment k, from point k to point k + 1. */
static saddle__segment segment_of(const saddle_site *site, const path *along, int64_t k)
{
    const int64_t a = along->anchor[k], b = along->anchor[k + 1];
    const int64_t size[2] = {site->size[a], site->size[b]};
    const double *position[2] = {site->position[a], site->position[b]};
    const double *velocity[2] = {site->velocity[a], site->velocity[b]};
    const saddle_site pair = {.count = 2, .size = size, .position = position, .velocity = velocity};
    return saddle__segment_of(&pair, along->point[k], along->point[k + 1]);
}

static tension tension_of(const saddle_site *site)
{
    const path *along = site->data;
    const saddle_muscle *muscle = &along->muscle;
    double length = -muscle->tendon_length, rate = 0, steeper, passive_slope, quicker;
    for (int64_t k = 0; k + 1 < along->count; k++) {
        const saddle__segment at = segment_of(site, along, k);
        length += at.l;
        rate += at.rate;
    }
    const double l = length / muscle->optimal_length,
                 fastest = muscle->optimal_length * muscle->fastest;
    const double active = curve_at(ACTIVE, l, &steeper);
    const double passive = curve_at(PASSIVE, l, &passive_slope);
    const double moved = curve_at(VELOCITY, rate / fastest, &quicker);
    const double peak = muscle->peak_force, a = muscle->activation;
    return (tension){.f = peak * (a * active * moved + passive),
                     .by_length = peak * (a * steeper * moved + passive_slope) /
                                  muscle->optimal_length,
                     .by_rate = peak * a * active * quicker / fastest};
}

/* Adds f at point k and -f at point k + 1 to the forces on their anchors. */
static void add_pull(const path *along, int64_t k, const saddle__segment *at, const double *f,
                     double *const *to)
{
    double buffer[2][6] = {{0}}, *const pull[2] = {buffer[0], buffer[1]};
    saddle__segment_force(at, f, pull);
    for (int side = 0; side < 2; side++) {
        const int size = !at->end[side].R ? 3 : 6;
        for (int i = 0; i < size; i++) to[along->anchor[k + side]][i] += pull[side][i];
    }
}

static saddle_status muscle_evaluate(saddle_context *context, const saddle_site *site,
                                     double *const *force)
{
    const path *along = site->data;
    const double f = tension_of(site).f;
    (void)context;
    for (int64_t k = 0; k + 1 < along->count; k++) {
        const saddle__segment at = segment_of(site, along, k);
        const double pull[3] = {f * at.u[0], f * at.u[1], f * at.u[2]};
        add_pull(along, k, &at, pull, force);
    }
    return SADDLE_OK;
}

/* bend -= the gradient of segment k's dl/dt: of its stretch (ds/dt)'U_p/l, and of ds/dt by turning,
 * (0, local x R'u). */
static void subtract_bend(const path *along, int64_t k, const saddle__segment *at,
                          double *const *bend)
{
    double across[3];
    for (int i = 0; i < 3; i++) across[i] = (at->speed[i] - at->rate * at->u[i]) / at->l;
    add_pull(along, k, at, across, bend);
    for (int side = 0; side < 2; side++) {
        const saddle__segment_end *end = &at->end[side];
        double axis[3], turning[3];
        if (!end->R) continue;
        saddle__unrotate(end->R, at->u, axis);
        saddle__cross(end->local, axis, turning);
        for (int i = 0; i < 3; i++)
            bend[along->anchor[k + side]][3 + i] += side == 0 ? turning[i] : -turning[i];
    }
}

/* K += f de/dq of segment k. */
static void add_geometric(const saddle_site *site, int64_t k, const saddle__segment *at, double f,
                          double *const *K)
{
    static const double zero[9] = {0};
    const path *along = site->data;
    double A[9],
        buffer[4][36] = {{0}}, *const blocks[4] = {buffer[0], buffer[1], buffer[2], buffer[3]};
    const double pull[3] = {f * at->u[0], f * at->u[1], f * at->u[2]};
    for (int i = 0; i < 9; i++) A[i] = f / at->l * ((i % 4 == 0) - at->u[i % 3] * at->u[i / 3]);
    saddle__segment_stiffness(at, pull, A, zero, blocks, NULL);
    for (int side = 0; side < 4; side++) {
        const int64_t a = along->anchor[k + side / 2], b = along->anchor[k + side % 2];
        const int64_t entries = site->size[a] * site->size[b];
        for (int64_t i = 0; i < entries; i++) K[a * site->count + b][i] += buffer[side][i];
    }
}

/* K += e row, D -= by_rate e e', row = -(f_L e + f_v bend)' */
static void add_products(const saddle_site *site, const tension *at, double (*e)[6],
                         double (*bend)[6], double *const *K, double *const *D)
{
    for (int64_t a = 0; a < site->count; a++) {
        for (int64_t b = 0; b < site->count; b++) {
            double *Kab = K[a * site->count + b], *Dab = D[a * site->count + b];
            for (int64_t j = 0; j < site->size[b]; j++) {
                const double row = -at->by_length * e[b][j] - at->by_rate * bend[b][j];
                for (int64_t i = 0; i < site->size[a]; i++) {
                    Kab[i + site->size[a] * j] += e[a][i] * row;
                    Dab[i + site->size[a] * j] -= at->by_rate * e[a][i] * e[b][j];
                }
            }
        }
    }
}

static saddle_status muscle_jacobians(saddle_context *context, const saddle_site *site,
                                      double *const *K, double *const *D)
{
    const path *along = site->data;
    const tension at = tension_of(site);
    double e[SADDLE_ANCHORS_MAX][6] = {{0}}, bend[SADDLE_ANCHORS_MAX][6] = {{0}};
    double *to_e[SADDLE_ANCHORS_MAX], *to_bend[SADDLE_ANCHORS_MAX];
    (void)context;
    for (int64_t a = 0; a < site->count; a++) {
        to_e[a] = e[a];
        to_bend[a] = bend[a];
    }
    for (int64_t k = 0; k + 1 < along->count; k++) {
        const saddle__segment segment = segment_of(site, along, k);
        if (!(segment.l > 0)) continue;
        add_pull(along, k, &segment, segment.u, to_e);
        subtract_bend(along, k, &segment, to_bend);
        add_geometric(site, k, &segment, at.f, K);
    }
    add_products(site, &at, e, bend, K, D);
    return SADDLE_OK;
}

static const saddle_force_type muscle_type = {.name = "muscle",
                                              .evaluate = muscle_evaluate,
                                              .jacobians = muscle_jacobians};

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

/* The index of an anchor, appended if new. */
static int64_t anchor_index(const saddle_anchor *anchor, saddle_anchor *anchors, int64_t *count)
{
    for (int64_t k = 0; k < *count; k++) {
        const int is_same = saddle__handles_are_same(anchors[k].part, anchor->part);
        if (is_same && anchors[k].node == anchor->node) return k;
    }
    anchors[*count] = *anchor;
    return (*count)++;
}

saddle_status saddle_model_add_muscle(saddle_model *model, const char *name, int64_t count,
                                      const saddle_path_point *points, const saddle_muscle *muscle,
                                      saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && points && muscle && force,
                          "model, path, muscle or force is NULL");
    SADDLE__TRY(check_muscle(model, name, count, points, muscle));
    path along = {.muscle = *muscle, .count = count};
    saddle_anchor anchors[SADDLE_ANCHORS_MAX];
    int64_t parts = 0;
    for (int64_t k = 0; k < count; k++) {
        along.anchor[k] = anchor_index(&points[k].anchor, anchors, &parts);
        memcpy(along.point[k], points[k].point, sizeof along.point[k]);
    }
    const saddle_force_def def = {name, &muscle_type, parts, anchors, &along, sizeof along};
    return saddle_model_add_force(model, &def, force);
}
