/* SPDX-License-Identifier: MIT */
/* Implicit contact points of bearings (bearing.h). */
#include "bearing.h"

#include <math.h>
#include <string.h>

#include "space/space.h"

enum { VERTICES = 12, STATION_MAX = 4, JAM_ROUNDS = 8 };

/* A contact: wrenches at the origin of the frame on b, a's axes. */
typedef struct contact {
    double N[6];    /* normal */
    double T[2][6]; /* tangents, as many as rows */
    int rows;       /* of friction that the contact is part of: first .. first + rows - 1 */
    int first;
    double slip; /* along a tangent, at unit rate of its row */
} contact;

static int64_t ring_points(const saddle_bearing *bearing)
{
    return bearing->points > 0 ? bearing->points : 16;
}

const char *saddle__bearing_fault(saddle_joint_kind kind, const saddle_bearing *bearing)
{
    if (bearing->mu == 0) return NULL;
    if (saddle__bearing_rows(kind) == 0)
        return "has a bearing, which hinges, sliders and balls alone have";
    if (!(bearing->radius > 0)) return "has a bearing with friction, and no radius";
    if (kind == SADDLE_JOINT_SLIDER && !(bearing->half_length > 0))
        return "is a slider with a bearing, and no half length";
    if (bearing->points == 0) return NULL;
    return bearing->points < 4 || bearing->points > 64 || bearing->points % 2 != 0
               ? "has a bearing whose points are not even, 4 to 64"
               : NULL;
}

/* ---- contact points ---- */

/* wrench (6) = of a force f at x */
static void wrench_at(const double *x, const double *f, double *wrench)
{
    memcpy(wrench, f, 3 * sizeof *f);
    saddle__cross(x, f, wrench + 3);
}

/* Vertex k < 12 of an icosahedron, unit: (0, +-1, +-golden) in the three cyclic orders; k and k + 6
 * are opposite.  free: the axis of the zero. */
static void vertex(int k, double *n, int *free)
{
    const double golden = (1 + sqrt(5.0)) / 2, length = sqrt(1 + golden * golden);
    const double side = k < VERTICES / 2 ? 1 : -1;
    *free = k % 3;
    n[*free] = 0;
    n[(*free + 1) % 3] = side / length;
    n[(*free + 2) % 3] = (k / 3 % 2 ? -side : side) * golden / length;
}

/* u (3): the axis of row k of a ball, normal to the diameter k / 2. */
static void ball_axis(int k, double *u)
{
    double n[3], e[3] = {0, 0, 0};
    int free;
    vertex(k / 2, n, &free);
    e[free] = 1;
    if (k % 2 == 0)
        memcpy(u, e, sizeof e);
    else
        saddle__cross(n, e, u);
}

void saddle__bearing_direction(saddle_joint_kind kind, int k, double *c)
{
    memset(c, 0, 6 * sizeof *c);
    if (kind == SADDLE_JOINT_SLIDER) c[2] = 1;
    if (kind == SADDLE_JOINT_HINGE) c[5] = 1;
    if (kind == SADDLE_JOINT_BALL) ball_axis(k, c + 3);
}

/* Both rings at an angle: radial contacts, then collars. */
static int hinge_station(const saddle_bearing *bearing, int64_t k, contact *at)
{
    const double angle = 2 * acos(-1.0) * (double)k / (double)ring_points(bearing);
    const double c = cos(angle), s = sin(angle), r = bearing->radius;
    const double radial[3] = {c, s, 0}, axial[3] = {0, 0, 1}, along[3] = {-s, c, 0};
    for (int i = 0; i < 4; i++) {
        const double x[3] = {r * c, r * s, i % 2 ? -bearing->half_length : bearing->half_length};
        at[i] = (contact){.rows = 1, .first = 0, .slip = r};
        wrench_at(x, i < 2 ? radial : axial, at[i].N);
        wrench_at(x, along, at[i].T[0]);
    }
    return 4;
}

static int slider_station(const saddle_bearing *bearing, int64_t k, contact *at)
{
    const double r = bearing->radius, z = bearing->half_length, along[3] = {0, 0, 1};
    const double x[3] = {k & 1 ? -r : r, k & 2 ? -r : r, k & 4 ? -z : z};
    for (int i = 0; i < 2; i++) {
        const double n[3] = {i == 0, i == 1, 0};
        at[i] = (contact){.rows = 1, .first = 0, .slip = 1};
        wrench_at(x, n, at[i].N);
        wrench_at(x, along, at[i].T[0]);
    }
    return 2;
}

/* A moment r u is the force u x n at r n. */
static int ball_station(const saddle_bearing *bearing, int64_t k, contact *at)
{
    double n[3];
    int free;
    vertex((int)k, n, &free);
    at[0] = (contact){.rows = 2, .first = 2 * (int)(k % (VERTICES / 2)), .slip = bearing->radius};
    memcpy(at[0].N, n, sizeof n);
    for (int i = 0; i < 2; i++) {
        double u[3];
        ball_axis(at[0].first + i, u);
        saddle__cross(u, n, at[0].T[i]);
        for (int a = 0; a < 3; a++) at[0].T[i][3 + a] = bearing->radius * u[a];
    }
    return 1;
}

static int64_t station_count(saddle_joint_kind kind, const saddle_bearing *bearing)
{
    if (kind == SADDLE_JOINT_HINGE) return ring_points(bearing);
    if (kind == SADDLE_JOINT_SLIDER) return 8; /* corners of the block */
    return kind == SADDLE_JOINT_BALL ? VERTICES : 0;
}

/* The contacts at station k. */
static int station(saddle_joint_kind kind, const saddle_bearing *bearing, int64_t k, contact *at)
{
    if (kind == SADDLE_JOINT_HINGE) return hinge_station(bearing, k, at);
    if (kind == SADDLE_JOINT_SLIDER) return slider_station(bearing, k, at);
    return ball_station(bearing, k, at);
}

static double product(const double *N, const double *y)
{
    return saddle__dot(N, y) + saddle__dot(N + 3, y + 3);
}

/* ---- loads ---- */

void saddle__bearing_weights(saddle_joint_kind kind, const saddle_bearing *bearing, double *G)
{
    const double m = (double)ring_points(bearing), r = bearing->radius * bearing->radius,
                 l = bearing->half_length * bearing->half_length;
    const double hinge[6] = {m, m, 2 * m, m * (l + r), m * (l + r), 0};
    const double slider[6] = {8, 8, 0, 8 * l, 8 * l, 16 * r}, ball[6] = {4, 4, 4, 0, 0, 0};
    memcpy(G,
           kind == SADDLE_JOINT_HINGE    ? hinge
           : kind == SADDLE_JOINT_SLIDER ? slider
                                         : ball,
           sizeof ball);
}

void saddle__bearing_fit(saddle_joint_kind kind, const saddle_bearing *bearing, const double *W,
                         double *y)
{
    double G[6];
    saddle__bearing_weights(kind, bearing, G);
    for (int i = 0; i < 6; i++) y[i] = G[i] > 0 ? W[i] / G[i] : 0;
}

double saddle__bearing_limits(saddle_joint_kind kind, const saddle_bearing *bearing,
                              const double *y, double *limit)
{
    contact at[STATION_MAX];
    double load = 0;
    for (int k = 0; k < saddle__bearing_rows(kind); k++) limit[k] = 0;
    for (int64_t k = 0; k < station_count(kind, bearing); k++) {
        const int count = station(kind, bearing, k, at);
        for (int i = 0; i < count; i++) {
            const double alpha = fabs(product(at[i].N, y));
            load += alpha;
            for (int j = 0; j < at[i].rows; j++)
                limit[at[i].first + j] += bearing->mu * alpha * at[i].slip;
        }
    }
    return load;
}

void saddle__bearing_friction(saddle_joint_kind kind, const saddle_bearing *bearing,
                              const double *y, const double *share, double *F)
{
    contact at[STATION_MAX];
    memset(F, 0, 6 * sizeof *F);
    for (int64_t k = 0; k < station_count(kind, bearing); k++) {
        const int count = station(kind, bearing, k, at);
        for (int i = 0; i < count; i++) {
            const double bound = bearing->mu * fabs(product(at[i].N, y));
            for (int j = 0; j < at[i].rows; j++)
                for (int a = 0; a < 6; a++) F[a] += bound * share[at[i].first + j] * at[i].T[j][a];
        }
    }
}

double saddle__bearing_project(saddle_joint_kind kind, const saddle_bearing *bearing,
                               const double *W, const double *lambda, const double *limit,
                               const double *y, double *next, saddle_bearing_forces *forces)
{
    const int rows = saddle__bearing_rows(kind);
    double share[SADDLE__BEARING_ROWS_MAX], unused[SADDLE__BEARING_ROWS_MAX];
    double rest[6], change[6];
    forces->share = 0;
    for (int k = 0; k < rows; k++) {
        share[k] = limit[k] > 0 ? fmax(-1, fmin(lambda[k] / limit[k], 1)) : 0;
        forces->share = fmax(forces->share, fabs(share[k]));
    }
    saddle__bearing_friction(kind, bearing, y, share, forces->friction);
    for (int i = 0; i < 6; i++) rest[i] = W[i] - forces->friction[i];
    saddle__bearing_fit(kind, bearing, rest, next);
    for (int i = 0; i < 6; i++) change[i] = next[i] - y[i];
    forces->load = saddle__bearing_limits(kind, bearing, next, unused);
    return saddle__bearing_limits(kind, bearing, change, unused);
}

/* ---- rounds ---- */

static void place(saddle__loads *loads, int64_t size)
{
    loads->y = saddle__layout_take(&loads->layout, size, sizeof *loads->y);
    loads->next = saddle__layout_take(&loads->layout, size, sizeof *loads->next);
    loads->trend = saddle__layout_take(&loads->layout, size / 6, sizeof *loads->trend);
    saddle__anderson_place(&loads->anderson, &loads->layout, size);
}

saddle_status saddle__loads_reserve(saddle__loads *loads, saddle_context *context, int64_t count)
{
    if (count > loads->capacity) {
        const int64_t capacity = count + count / 2;
        saddle__loads_clear(loads, context);
        place(loads, 6 * capacity);
        SADDLE__TRY(saddle__layout_allocate(context, &loads->layout));
        place(loads, 6 * capacity);
        loads->capacity = capacity;
    }
    loads->anderson.m = 6 * count;
    return SADDLE_OK;
}

void saddle__loads_start(saddle__loads *loads, int64_t count)
{
    saddle__anderson_restart(&loads->anderson);
    loads->anderson.m = 6 * count;
    for (int64_t k = 0; k < count; k++) loads->trend[k] = (saddle__load_trend){.change = INFINITY};
}

/* The square root of x'G x, x = a - b. */
static double distance(const double *G, const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += G[i] * (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

/* 1: from the last round to this one, `next` has changed by more than y. */
static int expands(const saddle__anderson *A, int64_t first, const double *y, const double *next)
{
    double before[6];
    if (!A->started) return 0;
    for (int i = 0; i < 6; i++) before[i] = A->g_last[first + i] - A->f_last[first + i];
    const double *G = A->weight + first;
    return distance(G, next, A->g_last + first) > distance(G, y, before);
}

/* 1: the rounds of bearing k run away (bearing.h). */
static int runs_away(const saddle__loads *loads, int64_t k)
{
    static const double none[6] = {0};
    const double *G = loads->anderson.weight + 6 * k;
    const double *y = loads->y + 6 * k, *next = loads->next + 6 * k;
    saddle__load_trend *trend = &loads->trend[k];
    const double change = distance(G, next, y), load = distance(G, next, none);
    if (change == 0 || 2 * change <= trend->change) {
        *trend = (saddle__load_trend){.change = change, .load = load, .jammed = trend->jammed};
        return 0;
    }
    return !trend->jammed && ++trend->rounds >= JAM_ROUNDS && load > trend->load &&
           expands(&loads->anderson, 6 * k, y, next);
}

void saddle__loads_step(saddle__loads *loads, int64_t count)
{
    int anew = 0;
    for (int64_t k = 0; k < count; k++) {
        if (!runs_away(loads, k)) continue;
        for (int i = 0; i < 6; i++) loads->next[6 * k + i] *= 1e6;
        loads->trend[k] = (saddle__load_trend){.change = INFINITY, .jammed = 1};
        anew = 1;
    }
    if (anew) saddle__anderson_restart(&loads->anderson); /* y <- next */
    (void)saddle__anderson_step(&loads->anderson, loads->y, loads->next);
    if (anew) saddle__anderson_restart(&loads->anderson);
}
