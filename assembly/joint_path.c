/* SPDX-License-Identifier: MIT */
/* A joint along a motion Q(q), S(q) (saddle/joint_coordinates.h) as functions of the relative pose
 * E: the coordinates nearest to E, and what E lacks of Q there.
 *
 *     T = Q(q)^-1 E = (r, exp theta),  e = (r, theta)
 *     S(q)'e = 0                                         defines q, the joint's coordinates
 *     phi = N'e = 0                                      the 6 - k rows, N fixed, N'S ~ 0
 *
 * With w the twist of E in its own axes, D = diag(exp theta, Jr^-1(theta)),
 *
 *     de/dt = D (w - Ad(T)^-1 S dq/dt),   S'de/dt + (dS/dt)'e = 0      give dq/dt = A_q w,
 *     dphi/dt = N'de/dt = A w                                          exact for every E
 *
 * so that N'(I - S (S'S)^-1 S') w are the rows where phi = 0: the velocity on the complement of S.
 * The change of A as E moves by w1, applied to w2, exact where phi = 0: with dq_i = A_q w_i and
 * e_i = w_i - S dq_i = (nu_i, omega_i),
 *
 *     c           = (omega1 x nu2, omega1 x omega2/2) - dS[dq_1] dq_2 + ad(e_1) S dq_2
 *     s           = dS[dq_1]'e_2 + dS[dq_2]'e_1
 *     dA_q[w1] w2 = (S'S)^-1 (S'c + s)
 *     dA[w1] w2   = N'(c - S dA_q[w1] w2)
 */
#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "dense/dense.h"
#include "joint_internal.h"
#include "saddle/rotation.h"
#include "space/space.h"

enum { K = SADDLE_JOINT_COORDINATES_MAX };

typedef struct path_place {
    saddle_pose T;
    double S[6 * K], e[6];
    double D[9];           /* Jr^-1(theta) */
    double inverse[K * K]; /* of -d(S'e)/dq */
    double rounding[K];    /* of S'e */
} path_place;

static void combine(const double *S, int64_t k, const double *dq, double *w)
{
    memset(w, 0, 6 * sizeof *w);
    for (int64_t j = 0; j < k; j++)
        for (int i = 0; i < 6; i++) w[i] += S[i + 6 * j] * dq[j];
}

static double product_of(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < 6; i++) sum += a[i] * b[i];
    return sum;
}

/* y = D w */
static void apply(const path_place *at, const double *w, double *y)
{
    double turned[6];
    saddle__rotate(at->T.R, w, turned);
    saddle__rotate(at->D, w + 3, turned + 3);
    memcpy(y, turned, sizeof turned);
}

/* dS (6 x k): rate of S as q moves at dq. */
static int rate_of(const saddle_motion *motion, const double *q, const double *dq, double *dS)
{
    memset(dS, 0, (size_t)(6 * motion->size) * sizeof *dS);
    return motion->rate ? motion->rate(motion->data, q, dq, dS) : 0;
}

/* of S'e, from the distances of Q and E from the origin and from the angles */
static void set_rounding(int64_t k, const saddle_pose *Q, const saddle_pose *E, path_place *at)
{
    const double far = sqrt(saddle__dot(Q->p, Q->p)) + sqrt(saddle__dot(E->p, E->p));
    for (int64_t j = 0; j < k; j++) {
        const double *S = at->S + 6 * j;
        at->rounding[j] = SADDLE__PRODUCT_ROUNDING *
                          (far * sqrt(saddle__dot(S, S)) + sqrt(saddle__dot(S + 3, S + 3)));
    }
}

/* All of `at` at q; nonzero: q out of range, a number that is not finite, or S without full rank.
 */
static int place_at(const saddle_motion *motion, const double *q, const saddle_pose *E,
                    path_place *at)
{
    const int64_t k = motion->size;
    saddle_pose Q;
    double slope[K * K], dS[6 * K], back[6];
    int pivot[K];
    memset(at->S, 0, sizeof at->S);
    if (motion->evaluate(motion->data, q, &Q, at->S) != 0) return 1;
    if (!saddle__is_finite(Q.p, 3) || !saddle__is_finite(Q.R, 9)) return 1;
    set_rounding(k, &Q, E, at);
    at->T = saddle_pose_between(&Q, E);
    memcpy(at->e, at->T.p, sizeof at->T.p);
    saddle_rotation_log(at->T.R, at->e + 3);
    (void)saddle_rotation_right_jacobian_inverse(NULL, at->e + 3, at->D); /* |theta| <= pi */
    for (int64_t j = 0; j < k; j++) {
        const double unit[K] = {j == 0, j == 1, j == 2, j == 3, j == 4, j == 5};
        if (rate_of(motion, q, unit, dS) != 0) return 1;
        saddle_twist_to_inner(&at->T, at->S + 6 * j, back);
        apply(at, back, back);
        for (int64_t i = 0; i < k; i++) {
            slope[i + k * j] = product_of(at->S + 6 * i, back) - product_of(dS + 6 * i, at->e);
            at->inverse[i + k * j] = i == j;
        }
    }
    if (!saddle__is_finite(slope, k * k) || !saddle__is_finite(at->e, 6)) return 1;
    return saddle__dense_solve_with(NULL, k, k, slope, at->inverse, pivot) != SADDLE_OK;
}

/* The step of Newton's method (k); *largest, *rounding: of the steps and of their rounding errors
 * relative to 1 + |q|, the largest. */
static void set_step(int64_t k, const double *q, const path_place *at, double *step,
                     double *largest, double *rounding)
{
    *largest = *rounding = 0;
    for (int64_t i = 0; i < k; i++) {
        double error = 0;
        step[i] = 0;
        for (int64_t j = 0; j < k; j++) {
            step[i] += at->inverse[i + k * j] * product_of(at->S + 6 * j, at->e);
            error += fabs(at->inverse[i + k * j]) * at->rounding[j];
        }
        *largest = fmax(*largest, fabs(step[i]) / (1 + fabs(q[i])));
        *rounding = fmax(*rounding, error / (1 + fabs(q[i])));
    }
}

/* q: of the pose E, by Newton's method from q, until the steps are rounding errors; nonzero: none
 * found. */
static int find(const saddle_motion *motion, const saddle_pose *E, double *q, path_place *at)
{
    const int64_t k = motion->size;
    double next[K], step[K], largest, rounding, last = INFINITY;
    int done = 0;
    if (place_at(motion, q, E, at) != 0) return 1;
    while (!done) {
        set_step(k, q, at, step, &largest, &rounding);
        done = largest <= SADDLE__PRODUCT_ROUNDING || (largest >= last && largest <= rounding);
        if (!done && !(largest < last)) return 1;
        last = largest;
        double length = 1;
        do { /* towards the end of the range where the step leaves it */
            for (int64_t i = 0; i < k; i++) next[i] = q[i] + length * step[i];
            length /= 2;
            if (length < SADDLE__HALF_DIGITS) return !done;
        } while (place_at(motion, next, E, at) != 0);
        memcpy(q, next, (size_t)k * sizeof *q);
    }
    return 0;
}

/* ---- derivatives ---- */

/* dq (k) = A_q w, e (6) = de/dt */
static void rates(const saddle_motion *motion, const path_place *at, const double *w, double *dq,
                  double *e)
{
    const int64_t k = motion->size;
    double moved[6], back[6], s[6], along[K];
    apply(at, w, moved);
    for (int64_t j = 0; j < k; j++) along[j] = product_of(at->S + 6 * j, moved);
    for (int64_t i = 0; i < k; i++) {
        dq[i] = 0;
        for (int64_t j = 0; j < k; j++) dq[i] += at->inverse[i + k * j] * along[j];
    }
    combine(at->S, k, dq, s);
    saddle_twist_to_inner(&at->T, s, back);
    apply(at, back, back);
    for (int i = 0; i < 6; i++) e[i] = moved[i] - back[i];
}

/* The values of the joint's functions for dq and e: the rows, then the coordinates. */
static void list(const saddle_motion *motion, const double *across, const double *dq,
                 const double *e, double *value)
{
    const int64_t k = motion->size;
    for (int64_t i = 0; i < 6 - k; i++) value[i] = product_of(across + 6 * i, e);
    for (int64_t j = 0; j < k; j++) value[6 - k + j] = dq[j];
}

/* dA[w1] w2 of all functions, with dq, e of both, dS1 = dS[dq_1], dS2 = dS[dq_2]. */
static void second(const saddle_motion *motion, const double *across, const path_place *at,
                   const double *dq[2], const double *e[2], const double *dS[2], double *value)
{
    const int64_t k = motion->size;
    double c[6], half[3], s[6], turned[6], bent[6], along[K], ddq[K] = {0};
    saddle__cross(e[0] + 3, e[1], c);
    saddle__cross(e[0] + 3, e[1] + 3, half);
    combine(dS[0], k, dq[1], bent);
    combine(at->S, k, dq[1], s);
    saddle_twist_cross(e[0], s, turned);
    for (int i = 0; i < 3; i++) c[3 + i] = half[i] / 2;
    for (int i = 0; i < 6; i++) c[i] += turned[i] - bent[i];
    for (int64_t j = 0; j < k; j++)
        along[j] = product_of(at->S + 6 * j, c) + product_of(dS[0] + 6 * j, e[1]) +
                   product_of(dS[1] + 6 * j, e[0]);
    for (int64_t i = 0; i < k; i++)
        for (int64_t j = 0; j < k; j++) ddq[i] += at->inverse[i + k * j] * along[j];
    combine(at->S, k, ddq, s);
    for (int i = 0; i < 6; i++) c[i] -= s[i];
    list(motion, across, ddq, c, value);
}

static int differentiate_twice(const saddle_motion *motion, const double *across,
                               const path_place *at, const double *q, saddle__joint_path *path)
{
    double dq[6][K], e[6][6], dS[6][6 * K], value[6];
    for (int i = 0; i < 6; i++) {
        const double w[6] = {i == 0, i == 1, i == 2, i == 3, i == 4, i == 5};
        rates(motion, at, w, dq[i], e[i]);
        if (rate_of(motion, q, dq[i], dS[i]) != 0) return 1;
    }
    for (int i = 0; i < 36; i++) {
        const int a = i / 6, b = i % 6;
        second(motion, across, at, (const double *[2]){dq[a], dq[b]},
               (const double *[2]){e[a], e[b]}, (const double *[2]){dS[a], dS[b]}, value);
        for (int f = 0; f < 6; f++) path->B[f][b + 6 * a] = value[f];
    }
    return 0;
}

int saddle__joint_path_at(const saddle_motion *motion, const saddle__joint_guide *guide,
                          const saddle_pose *E, int twice, saddle__joint_path *path)
{
    path_place at;
    double dq[K], e[6], value[6];
    memcpy(path->q, guide->q, sizeof path->q);
    if (find(motion, E, path->q, &at) != 0) return 0;
    list(motion, guide->across, path->q, at.e, path->value);
    for (int i = 0; i < 6; i++) {
        const double w[6] = {i == 0, i == 1, i == 2, i == 3, i == 4, i == 5};
        rates(motion, &at, w, dq, e);
        list(motion, guide->across, dq, e, value);
        for (int f = 0; f < 6; f++) path->A[f][i] = value[f];
    }
    return !twice || differentiate_twice(motion, guide->across, &at, path->q, path) == 0;
}

/* ---- the complement of S ---- */

/* v without its parts along the orthonormal columns of U, twice for rounding; its length. */
static double remove_parts(const double *U, int64_t count, double *v)
{
    for (int64_t j = 0; j < 2 * count; j++) {
        const double part = product_of(U + 6 * (j % count), v);
        for (int i = 0; i < 6; i++) v[i] -= part * U[i + 6 * (j % count)];
    }
    return sqrt(product_of(v, v));
}

/* Appends v (6), or where v is nearly dependent the unit vector that is least so, to U. */
static void append(double *U, int64_t count, const double *v)
{
    double best[6], length;
    memcpy(best, v, sizeof best);
    length = remove_parts(U, count, best);
    for (int a = 0; a < 6 && length < 0.3; a++) { /* some unit vector has sqrt(1/6) left */
        const double unit[6] = {a == 0, a == 1, a == 2, a == 3, a == 4, a == 5};
        memcpy(best, unit, sizeof best);
        length = remove_parts(U, count, best);
    }
    for (int i = 0; i < 6; i++) U[i + 6 * count] = best[i] / length;
}

int saddle__joint_path_settle(const saddle_motion *motion, const saddle_pose *E,
                              saddle__joint_guide *guide)
{
    const int64_t k = motion->size;
    path_place at;
    double U[36], q[K], still[K] = {0};
    memcpy(q, guide->q, sizeof q);
    if (find(motion, E, q, &at) != 0) return 0;
    for (int64_t j = 0; j < k; j++) {
        double length = sqrt(product_of(at.S + 6 * j, at.S + 6 * j));
        for (int i = 0; i < 6; i++) at.S[i + 6 * j] /= length;
        memcpy(U + 6 * j, at.S + 6 * j, 6 * sizeof *U);
        length = remove_parts(U, j, U + 6 * j);
        for (int i = 0; i < 6; i++) U[i + 6 * j] /= length;
    }
    for (int64_t i = 0; i < 6 - k; i++) append(U, k + i, guide->first + 6 * i);
    memcpy(guide->across, U + 6 * k, (size_t)(6 * (6 - k)) * sizeof *U);
    if (motion->reparameterize) (void)motion->reparameterize(motion->data, q, still);
    memcpy(guide->q, q, sizeof q);
    return 1;
}
