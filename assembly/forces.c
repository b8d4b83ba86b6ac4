/* SPDX-License-Identifier: MIT */
/* Forces of a model: addition, springs between two points and along paths (saddle/forces.h,
 * path_spring.h). */
#include <math.h>
#include <string.h>

#include "model_internal.h"
#include "saddle/forces.h"
#include "saddle/path_spring.h"
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

/* ---- tension along a segment ----
 *
 * (Lloyd, ArtiSynth mechanics notes, 0.12; of bodies: Sueda, Rigid Body Dynamics Notes,
 * (1.65)-(1.68)).
 *
 *     s = x_b - x_a,  l = |s|,  u = s/l,  f_a = F u = -f_b,  F = F(l, dl/dt)
 *     A = df_a/ds = F_l U_n + F/l U_p + F_r/l u (v_b - v_a)'U_p,   B = df_a/d(ds/dt) = F_r U_n
 *     U_n = u u',  U_p = I - U_n,  F_l = dF/dl,  F_r = dF/d(dl/dt)
 *
 * At l = 0 there is no direction: f = 0, and A = F_l I where F = 0, the limit of F/l, else 0.
 */

static void segment_derivatives(const saddle__segment *at, const saddle_tension *F, double *A,
                                double *B)
{
    const double at_zero = F->force == 0 ? F->by_length : 0;
    const double across = at->l > 0 ? F->force / at->l : at_zero;
    const double turning = at->l > 0 ? F->by_rate / at->l : 0;
    for (int j = 0; j < 3; j++) {
        const double sideways = at->speed[j] - at->rate * at->u[j];
        for (int i = 0; i < 3; i++) {
            const double U_n = at->u[i] * at->u[j], I = i == j;
            A[i + 3 * j] = F->by_length * U_n + across * (I - U_n) + turning * at->u[i] * sideways;
            B[i + 3 * j] = F->by_rate * U_n;
        }
    }
}

static void pull_ends(const saddle__segment *at, const saddle_tension *F, double *const *force)
{
    const double f[3] = {F->force * at->u[0], F->force * at->u[1], F->force * at->u[2]};
    saddle__segment_force(at, f, force);
}

static void pull_ends_jacobians(const saddle__segment *at, const saddle_tension *F,
                                double *const *K, double *const *D)
{
    const double f[3] = {F->force * at->u[0], F->force * at->u[1], F->force * at->u[2]};
    double A[9], B[9];
    segment_derivatives(at, F, A, B);
    saddle__segment_stiffness(at, f, A, B, K, D);
}

/* ---- laws ---- */

static saddle_status linear(saddle_context *context, const void *data, double length, double rate,
                            saddle_tension *F)
{
    const saddle_elastic *law = data;
    (void)context;
    F->force = law->stiffness * (length - law->rest_length) + law->damping * rate;
    F->by_length = law->stiffness;
    F->by_rate = law->damping;
    return SADDLE_OK;
}

static double linear_energy(const void *data, double length)
{
    const saddle_elastic *law = data;
    const double stretch = length - law->rest_length;
    return law->stiffness * stretch * stretch / 2;
}

static saddle_status string(saddle_context *context, const void *data, double length, double rate,
                            saddle_tension *F)
{
    SADDLE__TRY(linear(context, data, length, rate, F));
    const saddle_elastic *law = data;
    if (!(length > law->rest_length && F->force > 0)) *F = (saddle_tension){0};
    return SADDLE_OK;
}

static double string_energy(const void *data, double length)
{
    const saddle_elastic *law = data;
    return length > law->rest_length ? linear_energy(data, length) : 0;
}

/* sigma = k eps + d deps/dt,  eps = (L^2/r^2 - 1)/2,  deps/dt = L/r^2 dL/dt */
static saddle_status strain(saddle_context *context, const void *data, double length, double rate,
                            saddle_tension *sigma)
{
    const saddle_elastic *law = data;
    const double r = law->rest_length, stretch = length / r;
    (void)context;
    sigma->force = law->stiffness * (stretch - 1) * (stretch + 1) / 2 +
                   law->damping * stretch * (rate / r);
    sigma->by_length = (law->stiffness * stretch + law->damping * (rate / r)) / r;
    sigma->by_rate = law->damping * stretch / r;
    return SADDLE_OK;
}

/* dL L = r^2 deps:  k r^2 eps^2 / 2 */
static double strain_energy(const void *data, double length)
{
    const saddle_elastic *law = data;
    const double stretch = length / law->rest_length, eps = (stretch - 1) * (stretch + 1) / 2;
    return law->stiffness * law->rest_length * law->rest_length * eps * eps / 2;
}

static const saddle_tension_law laws[] = {
    {"linear", linear, linear_energy, 0, 0},
    {"string", string, string_energy, 0, 0},
    {"strain", strain, strain_energy, 1, 0},
};

enum { LAWS = sizeof laws / sizeof *laws };

const saddle_tension_law *saddle_tension_law_find(const char *word)
{
    for (int k = 0; word && k < LAWS; k++)
        if (strcmp(laws[k].name, word) == 0) return &laws[k];
    return NULL;
}

/* ---- springs between two points ---- */

static saddle_status spring_at(saddle_context *context, const saddle_site *site,
                               saddle__segment *at, saddle_tension *F)
{
    const saddle_spring *spring = site->data;
    const saddle_elastic law = {spring->stiffness, spring->damping, spring->rest_length};
    *at = saddle__segment_of(site, spring->point_a, spring->point_b);
    return linear(context, &law, at->l, at->rate, F);
}

static saddle_status spring_evaluate(saddle_context *context, const saddle_site *site,
                                     double *const *force)
{
    saddle__segment at;
    saddle_tension F;
    SADDLE__TRY(spring_at(context, site, &at, &F));
    pull_ends(&at, &F, force);
    return SADDLE_OK;
}

static saddle_status spring_jacobians(saddle_context *context, const saddle_site *site,
                                      double *const *K, double *const *D)
{
    saddle__segment at;
    saddle_tension F;
    SADDLE__TRY(spring_at(context, site, &at, &F));
    pull_ends_jacobians(&at, &F, K, D);
    return SADDLE_OK;
}

static double spring_energy(const saddle_site *site)
{
    const saddle_spring *spring = site->data;
    const saddle__segment at = saddle__segment_of(site, spring->point_a, spring->point_b);
    return spring->stiffness * (at.l - spring->rest_length) * (at.l - spring->rest_length) / 2;
}

static int64_t spring_points(const saddle_site *site, double *x)
{
    const saddle_spring *spring = site->data;
    if (x) saddle__site_point(site, 0, spring->point_a, x);
    if (x) saddle__site_point(site, 1, spring->point_b, x + 3);
    return 2;
}

static const saddle_force_type spring_plain = {.name = "spring",
                                               .evaluate = spring_evaluate,
                                               .jacobians = spring_jacobians,
                                               .energy = spring_energy};
static const saddle_force_type spring_symmetric = {.name = "spring",
                                                   .evaluate = spring_evaluate,
                                                   .jacobians = spring_jacobians,
                                                   .symmetric = 1,
                                                   .energy = spring_energy};

/* Damping is writable: K of a damped spring that turns is not symmetric. */
static int spring_is_damped(const void *data)
{
    return ((const saddle_spring *)data)->damping != 0;
}

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
    SADDLE__TRY(saddle_model_add_force(model, &def, force));
    saddle__item_link *made = saddle__model_force(model, *force);
    made->unsymmetric = spring_is_damped;
    made->points = spring_points;
    return SADDLE_OK;
}

/* ---- springs along paths ----
 *
 * (saddle/path_spring.h; Lloyd, ArtiSynth mechanics notes, 0.14; of bodies: Sueda, Rigid Body
 * Dynamics Notes, (1.38)-(1.64)).  With the directions u_k,
 *
 *     F e,   e = sum over all segments of P_k'u_k,   P_k'u: u at point k, -u at point k + 1
 *     e_a, the sum over the active segments:   dL/dq = -e_a',   dLdot/dv = -e_a'
 *     K = e (F_L dL/dq + F_r dLdot/dq) + F de/dq,   D = -F_r e e_a'
 *     dLdot = sum_active (d(ds_k/dt)'u_k + (ds_k/dt)'U_p/l ds_k),   de/dq by segments, A = U_p/l
 *
 * The path lies in front of the law's data in the data of the force.
 */

typedef struct path_point {
    int64_t anchor; /* index of the anchor */
    int64_t passive;
    double at[3];
} path_point;

typedef struct path {
    const saddle_tension_law *law;
    int64_t count;
    int64_t has_energy;
    int64_t data; /* bytes in front of the law's data */
    path_point point[];
} path;

static void *law_data(const path *along)
{
    return (char *)along + along->data;
}

/* Of segment k, from point k to point k + 1. */
static saddle__segment segment_of(const saddle_site *site, const path *along, int64_t k)
{
    const path_point *from = &along->point[k], *to = &along->point[k + 1];
    const int64_t a = from->anchor, b = to->anchor;
    const int64_t size[2] = {site->size[a], site->size[b]};
    const double *position[2] = {site->position[a], site->position[b]};
    const double *velocity[2] = {site->velocity[a], site->velocity[b]};
    const saddle_site pair = {.count = 2, .size = size, .position = position, .velocity = velocity};
    return saddle__segment_of(&pair, from->at, to->at);
}

static double length_of(const saddle_site *site, double *rate)
{
    const path *along = site->data;
    double length = 0;
    *rate = 0;
    for (int64_t k = 0; k + 1 < along->count; k++) {
        if (along->point[k].passive) continue;
        const saddle__segment at = segment_of(site, along, k);
        length += at.l;
        *rate += at.rate;
    }
    return length;
}

/* F; sigma L of a law of stress sigma. */
static saddle_status tension_of(saddle_context *context, const saddle_site *site, saddle_tension *F)
{
    const path *along = site->data;
    double rate;
    const double length = length_of(site, &rate);
    *F = (saddle_tension){0};
    SADDLE__TRY(along->law->tension(context, law_data(along), length, rate, F));
    if (!along->law->stress) return SADDLE_OK;
    *F = (saddle_tension){F->force * length, F->force + length * F->by_length, length * F->by_rate};
    return SADDLE_OK;
}

/* 1: the path is one segment between two anchors. */
static int is_axial(const saddle_site *site)
{
    return ((const path *)site->data)->count == 2 && site->count == 2;
}

/* Adds f at point k and -f at point k + 1 to the forces on their anchors. */
static void add_pull(const path *along, int64_t k, const saddle__segment *at, const double *f,
                     double *const *to)
{
    double buffer[2][6] = {{0}}, *const pull[2] = {buffer[0], buffer[1]};
    saddle__segment_force(at, f, pull);
    for (int side = 0; side < 2; side++) {
        const int size = !at->end[side].R ? 3 : 6;
        for (int i = 0; i < size; i++) to[along->point[k + side].anchor][i] += pull[side][i];
    }
}

static saddle_status path_evaluate(saddle_context *context, const saddle_site *site,
                                   double *const *force)
{
    const path *along = site->data;
    saddle_tension F;
    SADDLE__TRY(tension_of(context, site, &F));
    for (int64_t k = 0; k + 1 < along->count; k++) {
        const saddle__segment at = segment_of(site, along, k);
        const double pull[3] = {F.force * at.u[0], F.force * at.u[1], F.force * at.u[2]};
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
            bend[along->point[k + side].anchor][3 + i] += side == 0 ? turning[i] : -turning[i];
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
        const int64_t a = along->point[k + side / 2].anchor, b = along->point[k + side % 2].anchor;
        const int64_t entries = site->size[a] * site->size[b];
        for (int64_t i = 0; i < entries; i++) K[a * site->count + b][i] += buffer[side][i];
    }
}

/* K += e row, D -= by_rate e e_a', row = -(F_L e_a + F_r bend)' */
static void add_products(const saddle_site *site, const saddle_tension *F, double (*e)[6],
                         double (*active)[6], double (*bend)[6], double *const *K, double *const *D)
{
    for (int64_t a = 0; a < site->count; a++) {
        for (int64_t b = 0; b < site->count; b++) {
            double *Kab = K[a * site->count + b], *Dab = D[a * site->count + b];
            for (int64_t j = 0; j < site->size[b]; j++) {
                const double row = -F->by_length * active[b][j] - F->by_rate * bend[b][j];
                for (int64_t i = 0; i < site->size[a]; i++) {
                    Kab[i + site->size[a] * j] += e[a][i] * row;
                    Dab[i + site->size[a] * j] -= F->by_rate * e[a][i] * active[b][j];
                }
            }
        }
    }
}

static saddle_status path_jacobians(saddle_context *context, const saddle_site *site,
                                    double *const *K, double *const *D)
{
    const path *along = site->data;
    saddle_tension F;
    SADDLE__TRY(tension_of(context, site, &F));
    if (is_axial(site)) {
        const saddle__segment at = segment_of(site, along, 0);
        pull_ends_jacobians(&at, &F, K, D);
        return SADDLE_OK;
    }
    double e[SADDLE_ANCHORS_MAX][6] = {{0}}, active[SADDLE_ANCHORS_MAX][6] = {{0}},
           bend[SADDLE_ANCHORS_MAX][6] = {{0}};
    double *to_e[SADDLE_ANCHORS_MAX], *to_active[SADDLE_ANCHORS_MAX], *to_bend[SADDLE_ANCHORS_MAX];
    for (int64_t a = 0; a < site->count; a++) {
        to_e[a] = e[a];
        to_active[a] = active[a];
        to_bend[a] = bend[a];
    }
    for (int64_t k = 0; k + 1 < along->count; k++) {
        const saddle__segment segment = segment_of(site, along, k);
        if (!(segment.l > 0)) continue;
        add_pull(along, k, &segment, segment.u, to_e);
        add_geometric(site, k, &segment, F.force, K);
        if (along->point[k].passive) continue;
        add_pull(along, k, &segment, segment.u, to_active);
        subtract_bend(along, k, &segment, to_bend);
    }
    add_products(site, &F, e, active, bend, K, D);
    return SADDLE_OK;
}

static double path_energy(const saddle_site *site)
{
    const path *along = site->data;
    double rate;
    return along->has_energy ? along->law->energy(law_data(along), length_of(site, &rate)) : 0;
}

static const saddle_force_type path_plain = {.name = "path spring",
                                             .evaluate = path_evaluate,
                                             .jacobians = path_jacobians,
                                             .energy = path_energy};
static const saddle_force_type path_symmetric = {.name = "path spring",
                                                 .evaluate = path_evaluate,
                                                 .jacobians = path_jacobians,
                                                 .symmetric = 1,
                                                 .energy = path_energy};

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

/* The path and its anchors, from a checked definition; path->data is set. */
static int64_t fill_path(const saddle_path_spring *spring, path *along, saddle_anchor *anchors)
{
    int64_t parts = 0;
    int moves = 0; /* 1: a passive segment changes its length */
    for (int64_t k = 0; k < spring->count; k++) {
        path_point *point = &along->point[k];
        *point = (path_point){.anchor = anchor_index(&spring->path[k].anchor, anchors, &parts),
                              .passive = spring->path[k].passive != 0};
        memcpy(point->at, spring->path[k].point, sizeof point->at);
        if (k > 0 && point[-1].passive && point[-1].anchor != point->anchor) moves = 1;
    }
    along->law = spring->law;
    along->count = spring->count;
    along->has_energy = spring->law->energy && !moves;
    if (spring->bytes > 0) memcpy(law_data(along), spring->data, spring->bytes);
    return parts;
}

static int is_of_laws(const saddle_tension_law *law)
{
    for (int k = 0; k < LAWS; k++)
        if (law == &laws[k]) return 1;
    return 0;
}

static int path_is_damped(const void *data)
{
    const path *along = data;
    const saddle_elastic *law = (const void *)((const char *)data + along->data);
    return is_of_laws(along->law) && law->damping != 0;
}

/* 1: K and D are symmetric. */
static int is_symmetric(const saddle_path_spring *spring)
{
    int symmetric = spring->law->elastic;
    if (is_of_laws(spring->law)) symmetric = ((const saddle_elastic *)spring->data)->damping == 0;
    for (int64_t k = 0; k < spring->count; k++) {
        const int item = spring->path[k].anchor.part.item;
        if (item == SADDLE_ITEM_BODY || (spring->path[k].passive && k + 1 < spring->count))
            symmetric = 0;
    }
    return symmetric;
}

static saddle_status check_law(const saddle_model *model, const saddle_path_spring *spring)
{
    if (!spring->law || !spring->law->tension)
        return saddle__refuse_new(model, "path spring", spring->name, "its law has no tension");
    if (spring->bytes > 0 && !spring->data)
        return saddle__refuse_new(model, "path spring", spring->name, "its data is NULL");
    for (int k = 0; k < LAWS; k++) {
        const saddle_elastic *law = spring->data;
        if (spring->law != &laws[k]) continue;
        if (spring->bytes != sizeof *law)
            return saddle__refuse_new(model, "path spring", spring->name,
                                      "the data of its law is a saddle_elastic");
        const saddle__range rest = spring->law->stress ? SADDLE__POSITIVE : SADDLE__AMOUNT;
        const saddle__numbers numbers[] = {{"stiffness", SADDLE__AMOUNT, 1, &law->stiffness},
                                           {"damping", SADDLE__AMOUNT, 1, &law->damping},
                                           {"rest_length", rest, 1, &law->rest_length}};
        return saddle__check_numbers(model, "path spring", spring->name, 3, numbers);
    }
    return SADDLE_OK;
}

static saddle_status check_path(const saddle_model *model, const saddle_path_spring *spring)
{
    if (spring->count < 2 || spring->count > SADDLE_ANCHORS_MAX)
        return saddle__refuse_new(model, "path spring", spring->name,
                                  "its path needs 2 to 64 points");
    int active = 0;
    for (int64_t k = 0; k < spring->count; k++) {
        const saddle__numbers point = {"point", SADDLE__ANY, 3, spring->path[k].point};
        SADDLE__TRY(saddle__check_numbers(model, "path spring", spring->name, 1, &point));
        if (k + 1 < spring->count && !spring->path[k].passive) active = 1;
    }
    if (active) return SADDLE_OK;
    return saddle__refuse_new(model, "path spring", spring->name, "it has no active segment");
}

static int64_t path_points(const saddle_site *site, double *x)
{
    const path *along = site->data;
    for (int64_t k = 0; x && k < along->count; k++)
        saddle__site_point(site, along->point[k].anchor, along->point[k].at, x + 3 * k);
    return along->count;
}

saddle_status saddle_model_add_path_spring(saddle_model *model, const saddle_path_spring *spring,
                                           saddle_handle *force)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && spring && spring->path && force,
                          "model, spring, path or force is NULL");
    saddle_context *context = saddle_model_context(model);
    SADDLE__TRY(check_path(model, spring));
    SADDLE__TRY(check_law(model, spring));
    const size_t points = sizeof(path) + (size_t)spring->count * sizeof(path_point);
    const size_t front = (points + 15) / 16 * 16; /* data of any type may follow */
    path *along = saddle_allocate(context, (int64_t)(front + spring->bytes), 1);
    if (!along) return SADDLE_OUT_OF_MEMORY;
    along->data = (int64_t)front;
    saddle_anchor anchors[SADDLE_ANCHORS_MAX];
    const int64_t parts = fill_path(spring, along, anchors);
    const saddle_force_def def = {spring->name,
                                  is_symmetric(spring) ? &path_symmetric : &path_plain,
                                  parts,
                                  anchors,
                                  along,
                                  front + spring->bytes};
    const saddle_status status = saddle_model_add_force(model, &def, force);
    saddle_release(context, along);
    if (status != SADDLE_OK) return status;
    saddle__item_link *made = saddle__model_force(model, *force);
    made->unsymmetric = path_is_damped;
    made->points = path_points;
    return SADDLE_OK;
}

void *saddle_model_force_data(saddle_model *model, saddle_handle force)
{
    const saddle__item_link *found = model ? saddle__model_force(model, force) : NULL;
    if (!found) return NULL;
    return found->force->evaluate == path_evaluate ? law_data(found->data) : found->data;
}
