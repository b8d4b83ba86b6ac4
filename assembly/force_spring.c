/* SPDX-License-Identifier: MIT */
/* Springs with a damper between two points (seed 000, 0.12; of bodies: seed 003, 1.65-1.68).
 *
 *     s = x_b - x_a,  l = |s|,  u = s/l,       f_a = F u = -f_b,  F = k (l - r) + d dl/dt,  dl/dt = u'(v_b - v_a)
 *     A = df_a/ds  = k U_n + F/l U_p + d/l u (v_b - v_a)'U_p,     B = df_a/d(ds/dt) = d U_n,     U_n = u u', U_p = I - U_n
 *
 * and of bodies, x = p + R c, v = R (nu + omega x c), in their axes
 *
 *     wrench Gamma'R'f,    dx = R Gamma d,    dv = R (domega x (nu + omega x c)),    d(R'f) = R'df + [R'f] domega
 */
#include <math.h>
#include <stddef.h>

#include "items.h"
#include "saddle/forces.h"
#include "space/space.h"

typedef struct end { /* one of a spring's points */
    const double *R; /* NULL: of a particle or node */
    double c[3];
    double x[3], v[3];
    double local[3];  /* nu + omega x c */
} end;

typedef struct line {
    end end[2];
    double u[3], speed[3]; /* u; zero where l = 0; v_b - v_a */
    double stretch[3];     /* s */
    double l, rate;        /* l, dl/dt */
} line;

static void end_of(const saddle_site *site, int64_t k, const double *point, end *made)
{
    *made = (end){.R = site->size[k] == 6 ? site->position[k] + 3 : NULL};
    memcpy(made->x, site->position[k], sizeof made->x);
    memcpy(made->v, site->velocity[k], sizeof made->v);
    if (made->R == NULL) return;
    double arm[3];
    memcpy(made->c, point, sizeof made->c);
    saddle__rotate(made->R, made->c, arm);
    saddle__cross(site->velocity[k] + 3, made->c, made->local);
    for (int i = 0; i < 3; i++) {
        made->x[i] += arm[i];
        made->local[i] += site->velocity[k][i];
    }
    saddle__rotate(made->R, made->local, made->v);
}

static line line_of(const saddle_site *site)
{
    const saddle_spring *spring = site->data;
    line made = {0};
    end_of(site, 0, spring->point_a, &made.end[0]);
    end_of(site, 1, spring->point_b, &made.end[1]);
    for (int i = 0; i < 3; i++) {
        made.stretch[i] = made.end[1].x[i] - made.end[0].x[i];
        made.speed[i] = made.end[1].v[i] - made.end[0].v[i];
    }
    made.l = hypot(hypot(made.stretch[0], made.stretch[1]), made.stretch[2]);
    for (int i = 0; made.l > 0 && i < 3; i++) made.u[i] = made.stretch[i] / made.l;
    made.rate = saddle__dot(made.u, made.speed);
    return made;
}

/* f_a = k s + (d dl/dt - k r) u: no division where nothing needs u */
static void force_of(const saddle_spring *spring, const line *at, double *f)
{
    const double along = spring->damping * at->rate - spring->stiffness * spring->rest_length;
    for (int i = 0; i < 3; i++) f[i] = spring->stiffness * at->stretch[i] + along * at->u[i];
}

static saddle_status evaluate(saddle_context *context, const saddle_site *site, double *const *force)
{
    const line at = line_of(site);
    double f[3];
    (void)context;
    force_of(site->data, &at, f);
    for (int k = 0; k < 2; k++) {
        const double pull[3] = {k == 0 ? f[0] : -f[0], k == 0 ? f[1] : -f[1], k == 0 ? f[2] : -f[2]};
        memcpy(force[k], pull, sizeof pull);
        if (at.end[k].R == NULL) continue;
        saddle__unrotate(at.end[k].R, pull, force[k]);
        saddle__cross(at.end[k].c, force[k], force[k] + 3);
    }
    return SADDLE_OK;
}

/* A, B (3 x 3); where l = 0 and r > 0 no direction is known, and none is given a stiffness. */
static void derivatives(const saddle_spring *spring, const line *at, double *A, double *B)
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

/* X, V (3 x size): how x and v change with a displacement of the end; returns size. */
static int end_maps(const end *at, double *X, double *V)
{
    const int size = at->R == NULL ? 3 : 6;
    memset(X, 0, 18 * sizeof *X);
    memset(V, 0, 18 * sizeof *V);
    for (int j = 0; j < 3; j++) {
        const double axis[3] = {j == 0, j == 1, j == 2};
        X[j + 3 * j] = 1;
        if (at->R == NULL) continue;
        double *turned = X + 9 + 3 * j, *swept = V + 9 + 3 * j;
        memcpy(X + 3 * j, at->R + 3 * j, 3 * sizeof *X);
        saddle__cross(axis, at->c, turned);
        saddle__rotate(at->R, turned, turned);
        saddle__cross(axis, at->local, swept);
        saddle__rotate(at->R, swept, swept);
    }
    return size;
}

/* What turns with the end itself: d(Gamma'R'f) with f held. */
static void add_turning(const end *at, const double *f, double *K)
{
    double local[3], skew[9], arm[9], moved[9];
    saddle__unrotate(at->R, f, local);
    saddle__skew(local, skew);
    saddle__skew(at->c, arm);
    saddle__product3(arm, skew, moved);
    for (int j = 0; j < 3; j++) {
        for (int i = 0; i < 3; i++) {
            K[i + 6 * (3 + j)] += skew[i + 3 * j];
            K[3 + i + 6 * (3 + j)] += moved[i + 3 * j];
        }
    }
}

/* C = sign X_a'(A Y_b + B Z_b): by columns, rows x cols */
static void sandwich(int rows, const double *X, double sign, const double *A, const double *Y, const double *B,
                     const double *Z, int cols, double *C)
{
    for (int j = 0; j < cols; j++) {
        double first[3], second[3];
        saddle__rotate(A, Y + 3 * j, first);
        saddle__rotate(B, Z + 3 * j, second);
        for (int i = 0; i < 3; i++) first[i] += second[i];
        for (int i = 0; i < rows; i++) C[i + rows * j] = sign * saddle__dot(X + 3 * i, first);
    }
}

static saddle_status jacobians(saddle_context *context, const saddle_site *site, double *const *K, double *const *D)
{
    static const double zero[18] = {0};
    const line at = line_of(site);
    double A[9], B[9], X[2][18], V[2][18], f[3];
    int size[2];
    (void)context;
    derivatives(site->data, &at, A, B);
    for (int k = 0; k < 2; k++) size[k] = end_maps(&at.end[k], X[k], V[k]);
    for (int a = 0; a < 2; a++) {
        for (int b = 0; b < 2; b++) {
            const double sign = a == b ? -1 : 1; /* f_a grows with s = x_b - x_a, f_b = -f_a */
            sandwich(size[a], X[a], sign, A, X[b], B, V[b], size[b], K[2 * a + b]);
            sandwich(size[a], X[a], sign, B, X[b], B, zero, size[b], D[2 * a + b]);
        }
    }
    force_of(site->data, &at, f);
    for (int k = 0; k < 2; k++) {
        if (at.end[k].R != NULL) add_turning(&at.end[k], f, K[3 * k]);
        for (int i = 0; i < 3; i++) f[i] = -f[i];
    }
    return SADDLE_OK;
}

static double energy(const saddle_site *site)
{
    const saddle_spring *spring = site->data;
    const line at = line_of(site);
    return spring->stiffness * (at.l - spring->rest_length) * (at.l - spring->rest_length) / 2;
}

static const saddle_force_type plain = {.name = "spring", .evaluate = evaluate, .jacobians = jacobians, .energy = energy};
static const saddle_force_type symmetric = {
    .name = "spring", .evaluate = evaluate, .jacobians = jacobians, .symmetric = 1, .energy = energy,
};

static const char *wrong_of(const saddle_spring *spring)
{
    for (int i = 0; i < 3; i++) {
        if (!isfinite(spring->point_a[i]) || !isfinite(spring->point_b[i])) return "a point is not finite";
    }
    if (!(spring->stiffness >= 0 && isfinite(spring->stiffness))) return "its stiffness is negative or not finite";
    if (!(spring->damping >= 0 && isfinite(spring->damping))) return "its damping is negative or not finite";
    if (!(spring->rest_length >= 0 && isfinite(spring->rest_length))) return "its rest length is negative or not finite";
    return NULL;
}

saddle_status saddle_model_add_spring(saddle_model *model, const char *name, saddle_anchor a, saddle_anchor b,
                                      const saddle_spring *spring, saddle_handle *force)
{
    const char *wrong = wrong_of(spring);
    if (wrong != NULL) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "spring%s%.120s%s: %s", name == NULL ? "" : " '",
                           name == NULL ? "" : name, name == NULL ? "" : "'", wrong);
    }
    const int bodies = a.part.item == SADDLE_ITEM_BODY || b.part.item == SADDLE_ITEM_BODY;
    const saddle_anchor anchors[2] = {a, b};
    const saddle_force_def def = {.name = name, .type = bodies || spring->damping > 0 ? &plain : &symmetric, .count = 2,
                                  .anchors = anchors, .data = spring, .bytes = sizeof *spring};
    return saddle_model_add_force(model, &def, force);
}
