/* SPDX-License-Identifier: MIT */
/* Recursive dynamics of trees (saddle/tree.h).
 *
 * Newton and Euler: loads of all bodies at given accelerations, summed from the tips to the root,
 * and in the joints S'load (Sueda, Rigid Body Dynamics Notes, 2.1, 2.10).
 *
 * Articulated bodies (Featherstone 2008, chapter 7), with D = S'I S + diagonal = L L':
 *
 *     tips to root   W = I S L^-T,  I_parent += X'(I - W W')X            I the articulated inertia
 *                    g = L^-1 (x + S'F),  F_parent += X'(F - W g)        F loads
 *     root to tips   y = L^-T (g - W'X a_parent),  a = X a_parent + S y
 *
 * solves M_r y = x + J'F.  With F = wrench + gravity - M drift - gyroscopic loads, at each body, x
 * the joints' torques, y is the acceleration; a then is what J y adds to the drift.  The
 * velocity terms enter body by body, as loads: their sum along a long chain is large, and would
 * carry its rounding into y.  A prescribed joint passes on I and F whole, with its acceleration in
 * the drift.
 */
#include "tree.h"

#include <math.h>

#define INLINED static inline __attribute__((always_inline))

/* ---- loads ---- */

/* symmetric (6 entries) times vector */
INLINED void symmetric_product(const double *A, const double *x, double *y)
{
    y[0] = A[0] * x[0] + A[1] * x[1] + A[2] * x[2];
    y[1] = A[1] * x[0] + A[3] * x[1] + A[4] * x[2];
    y[2] = A[2] * x[0] + A[4] * x[1] + A[5] * x[2];
}

/* torque - k (q - rest) - d dq of a coordinate; torque NULL = 0 */
INLINED double joint_force(const saddle_tree *tree, const double *torque, int64_t j)
{
    const double given = torque ? torque[j] : 0;
    return given - tree->stiffness[j] * (tree->q[j] - tree->rest[j]) -
           tree->damping[j] * tree->dq[j];
}

/* load (6) = wrench (body axes; NULL = 0) + gravity - M acceleration - gyroscopic load:
 * M (a, alpha) = (m (a + alpha x c), m c x a + I alpha);  gyroscopic: (m omega x (omega x c), omega
 * x I omega) */
INLINED void body_load(const saddle_tree *tree, int64_t body, const double *acceleration,
                       const double *wrench, double *load)
{
    const saddle__link *k = &tree->link[body];
    const double *w = k->twist + 3;
    double a[3], turning[3], spin[3], moment[3];
    saddle__cross(acceleration + 3, k->center, turning);
    saddle__cross(w, k->center, spin);
    saddle__cross(w, spin, spin);
    for (int i = 0; i < 3; i++) {
        a[i] = acceleration[i] - tree->gravity[i];
        load[i] = -k->mass * (a[i] + turning[i] + spin[i]);
    }
    symmetric_product(k->moment, w, turning);
    saddle__cross(w, turning, turning);
    symmetric_product(k->moment, acceleration + 3, moment);
    saddle__cross(k->center, a, spin);
    for (int i = 0; i < 3; i++) load[3 + i] = -(moment[i] + turning[i] + k->mass * spin[i]);
    if (!wrench) return;
    double given[6];
    saddle__to_world(k, wrench, given);
    for (int i = 0; i < 6; i++) load[i] += given[i];
}

/* Adds the load of the subtrees, which is forgotten. */
INLINED void take_collected(const saddle_tree *t, int64_t i, double *load)
{
    double *collected = t->load + 6 * i;
    for (int a = 0; a < 6; a++) {
        load[a] += collected[a];
        collected[a] = 0;
    }
}

/* ---- articulated inertias ---- */

INLINED void own_inertia(const saddle__link *k, saddle__articulated *I)
{
    const double c[3] = {k->mass * k->center[0], k->mass * k->center[1], k->mass * k->center[2]};
    const double B[9] = {0, -c[2], c[1], c[2], 0, -c[0], -c[1], c[0], 0}; /* -[m c] */
    const double A[6] = {k->mass, 0, 0, k->mass, 0, k->mass};
    for (int i = 0; i < 6; i++) {
        I->A[i] += A[i];
        I->C[i] += k->moment[i];
    }
    for (int i = 0; i < 9; i++) I->B[i] += B[i];
}

/* u = I s */
INLINED void inertia_product(const saddle__articulated *I, const double *s, double *u)
{
    double low[3], high[3];
    symmetric_product(I->A, s, u);
    saddle__rotate(I->B, s + 3, high);
    saddle__unrotate(I->B, s, low);
    symmetric_product(I->C, s + 3, u + 3);
    for (int i = 0; i < 3; i++) {
        u[i] += high[i];
        u[3 + i] += low[i];
    }
}

/* I -= w w' */
INLINED void subtract_square(saddle__articulated *I, const double *w)
{
    static const int row[6] = {0, 0, 0, 1, 1, 2};
    static const int col[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        I->A[k] -= w[row[k]] * w[col[k]];
        I->C[k] -= w[3 + row[k]] * w[3 + col[k]];
    }
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) I->B[i + 3 * j] -= w[i] * w[3 + j];
}

/* P += X'I X: A; N = B - A[r]; C + [r]N + ([r]B)' */
INLINED void collect_inertia(const double *r, const saddle__articulated *I, saddle__articulated *P)
{
    const double A[9] = {I->A[0], I->A[1], I->A[2], I->A[1], I->A[3],
                         I->A[4], I->A[2], I->A[4], I->A[5]};
    double N[9], rN[9], rB[9];
    for (int i = 0; i < 3; i++) { /* row i of A[r] is (row i of A) x r */
        N[i] = I->B[i] - (A[i + 3] * r[2] - A[i + 6] * r[1]);
        N[i + 3] = I->B[i + 3] - (A[i + 6] * r[0] - A[i] * r[2]);
        N[i + 6] = I->B[i + 6] - (A[i] * r[1] - A[i + 3] * r[0]);
    }
    for (int j = 0; j < 3; j++) {
        saddle__cross(r, N + 3 * j, rN + 3 * j);
        saddle__cross(r, I->B + 3 * j, rB + 3 * j);
    }
    for (int k = 0; k < 6; k++) P->A[k] += I->A[k];
    for (int k = 0; k < 9; k++) P->B[k] += N[k];
    P->C[0] += I->C[0] + rN[0] + rB[0];
    P->C[1] += I->C[1] + rN[3] + rB[1];
    P->C[2] += I->C[2] + rN[6] + rB[2];
    P->C[3] += I->C[3] + rN[4] + rB[4];
    P->C[4] += I->C[4] + rN[7] + rB[5];
    P->C[5] += I->C[5] + rN[8] + rB[8];
}

/* L L' = D (size x size), in place; removed (size): what was subtracted from the diagonal before,
 * cleared.  0: a pivot is rounding of the subtractions, or not positive. */
INLINED int cholesky(int64_t size, double *D, double *removed)
{
    for (int64_t j = 0; j < size; j++) {
        double *pivot = &D[j + size * j];
        const double initial = *pivot + removed[j];
        removed[j] = 0;
        for (int64_t k = 0; k < j; k++) *pivot -= D[j + size * k] * D[j + size * k];
        if (!(*pivot > SADDLE__VANISHED_PIVOT * initial) || !isfinite(*pivot)) return 0;
        *pivot = sqrt(*pivot);
        for (int64_t i = j + 1; i < size; i++) {
            double sum = D[i + size * j];
            for (int64_t k = 0; k < j; k++) sum -= D[i + size * k] * D[j + size * k];
            D[i + size * j] = sum / *pivot;
        }
    }
    return 1;
}

/* A joint with W takes |W'X S_j|^2 of S_j'M S_j at the coordinates j of its parent. */
INLINED void note_removed(saddle_tree *t, int64_t i, int64_t size, const double *W)
{
    const int64_t p = t->parent[i];
    if (!t->free[p]) return;
    for (int64_t j = t->first[p]; j < t->first[p + 1]; j++) {
        double moved[6];
        saddle__carry(&t->link[i], t->S + 6 * j, moved);
        for (int64_t a = 0; a < size; a++) {
            const double part = saddle__dot6(W + 6 * a, moved);
            t->removed[j] += part * part;
        }
    }
}

/* Factors the joint: W, L; the inertia beyond the joint goes to the parent.  0: singular. */
INLINED int factor_joint(saddle_tree *t, int64_t i, int64_t size, double h)
{
    const saddle__link *k = &t->link[i];
    const int64_t first = t->first[i];
    const int64_t p = t->parent[i];
    const double *S = t->S + 6 * first;
    double *W = t->W + 6 * first;
    double *L = t->L + 6 * first;
    saddle__articulated I = t->collected[i];
    own_inertia(k, &I);
    for (int64_t j = 0; j < size; j++) {
        inertia_product(&I, S + 6 * j, W + 6 * j);
        for (int64_t a = 0; a <= j; a++) L[j + size * a] = saddle__dot6(S + 6 * a, W + 6 * j);
        L[j + size * j] += h * (t->damping[first + j] + h * t->stiffness[first + j]);
    }
    if (!cholesky(size, L, t->removed + first)) return 0;
    for (int64_t j = 0; j < size; j++) {
        const double scale = 1 / L[j + size * j];
        for (int64_t a = 0; a < j; a++)
            for (int e = 0; e < 6; e++) W[e + 6 * j] -= L[j + size * a] * W[e + 6 * a];
        for (int e = 0; e < 6; e++) W[e + 6 * j] *= scale;
        if (p >= 0) subtract_square(&I, W + 6 * j);
    }
    if (p >= 0) {
        collect_inertia(k->arm, &I, &t->collected[p]);
        note_removed(t, i, size, W);
    }
    memset(&t->collected[i], 0, sizeof t->collected[i]);
    return 1;
}

/* g; the load beyond the joint goes to the parent. */
INLINED void lift_joint(saddle_tree *t, int64_t i, int64_t size, const double *x, double *load)
{
    const int64_t first = t->first[i];
    const double *S = t->S + 6 * first;
    const double *W = t->W + 6 * first;
    const double *L = t->L + 6 * first;
    double *g = t->g + first;
    take_collected(t, i, load);
    for (int64_t j = 0; j < size; j++) g[j] = x[j] + saddle__dot6(S + 6 * j, load);
    for (int64_t j = 0; j < size; j++) {
        for (int64_t a = 0; a < j; a++) g[j] -= L[j + size * a] * g[a];
        g[j] /= L[j + size * j];
        for (int e = 0; e < 6; e++) load[e] -= W[e + 6 * j] * g[j];
    }
    if (t->parent[i] >= 0) saddle__collect(&t->link[i], load, t->load + 6 * t->parent[i]);
}

/* y; the motion of the body. */
INLINED void drop_joint(saddle_tree *t, int64_t i, int64_t size, double *y)
{
    const int64_t first = t->first[i];
    const double *S = t->S + 6 * first;
    const double *W = t->W + 6 * first;
    const double *L = t->L + 6 * first;
    double *motion = t->motion + 6 * i;
    const int64_t p = t->parent[i];
    saddle__carry(&t->link[i], p >= 0 ? t->motion + 6 * p : NULL, motion);
    for (int64_t j = size - 1; j >= 0; j--) {
        y[j] = t->g[first + j] - saddle__dot6(W + 6 * j, motion);
        for (int64_t a = j + 1; a < size; a++) y[j] -= L[a + size * j] * y[a];
        y[j] /= L[j + size * j];
    }
    for (int64_t j = 0; j < size; j++)
        for (int e = 0; e < 6; e++) motion[e] += S[e + 6 * j] * y[j];
}

/* The commonest size has loops of constant length; prescribed joints are rigid. */
INLINED int64_t moving_size(const saddle_tree *t, int64_t i)
{
    return t->free[i] ? t->first[i + 1] - t->first[i] : 0;
}

INLINED int factor_body(saddle_tree *t, int64_t i, double h)
{
    const int64_t size = moving_size(t, i);
    return size == 1 ? factor_joint(t, i, 1, h) : factor_joint(t, i, size, h);
}

INLINED void lift_body(saddle_tree *t, int64_t i, const double *x, double *load)
{
    const int64_t size = moving_size(t, i);
    if (size == 1)
        lift_joint(t, i, 1, x, load);
    else
        lift_joint(t, i, size, x, load);
}

static saddle_status fail_singular(saddle_tree *t, int64_t body)
{
    memset(t->collected, 0, (size_t)t->bodies * sizeof *t->collected);
    memset(t->load, 0, (size_t)(6 * t->bodies) * sizeof *t->load);
    memset(t->removed, 0, (size_t)t->coordinates * sizeof *t->removed);
    return saddle_fail(t->context, SADDLE_SINGULAR,
                       "body %lld: no inertia is moved by its joint, or the joint is in a singular "
                       "position",
                       (long long)body);
}

static void drop_all(saddle_tree *t, double *y)
{
    for (int64_t i = 0; i < t->bodies; i++) {
        const int64_t size = moving_size(t, i);
        if (size == 1)
            drop_joint(t, i, 1, y + t->first[i]);
        else
            drop_joint(t, i, size, y + t->first[i]);
    }
}

/* y = M_h^-1 (x + J'(loads at the accelerations)), factored on the way; y of prescribed joints is
 * left.  acceleration (6 bodies), NULL = the drift. */
static saddle_status factor_and_solve(saddle_tree *t, double h, const double *x,
                                      const double *acceleration, const double *wrench, double *y)
{
    t->factored = 0;
    t->factored_step = h;
    for (int64_t i = t->bodies - 1; i >= 0; i--) {
        double load[6];
        if (!factor_body(t, i, h)) return fail_singular(t, i);
        body_load(t, i, acceleration ? acceleration + 6 * i : t->link[i].drift,
                  wrench ? wrench + 6 * i : NULL, load);
        lift_body(t, i, x + t->first[i], load);
    }
    drop_all(t, y);
    return SADDLE_OK;
}

/* ---- forward ---- */

static saddle_status expect(saddle_tree *tree, const char *function, int given)
{
    saddle_context_clear_message(SADDLE__CONTEXT_OF(tree));
    if (!tree || !given)
        return saddle_fail(SADDLE__CONTEXT_OF(tree), SADDLE_INVALID_ARGUMENT,
                           "%s: tree, or what it reads or writes, is NULL", function);
    return saddle__tree_expect_placed(tree);
}

static int unless_empty(const saddle_tree *tree, const void *x)
{
    return x || (tree && tree->coordinates == 0);
}

static void joint_forces(saddle_tree *t, const double *torque)
{
    for (int64_t j = 0; j < t->coordinates; j++) t->torque[j] = joint_force(t, torque, j);
}

saddle_status saddle_tree_forward(saddle_tree *tree, const double *torque, const double *wrench,
                                  double *ddq)
{
    SADDLE__TRY(expect(tree, __func__, unless_empty(tree, ddq)));
    joint_forces(tree, torque);
    const saddle_status status = factor_and_solve(tree, 0, tree->torque, NULL, wrench, ddq);
    tree->factored = status == SADDLE_OK;
    return status;
}

saddle_status saddle_tree_slope(saddle_tree *tree, const double *torque, const double *wrench,
                                const double *x, double *dx)
{
    const int given = unless_empty(tree, x) && unless_empty(tree, dx);
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && given, "tree, x or dx is NULL");
    const int64_t n = tree->coordinates;
    SADDLE__TRY(saddle_tree_place(tree, x, n > 0 ? x + n : NULL));
    SADDLE__TRY(saddle_tree_forward(tree, torque, wrench, n > 0 ? dx + n : NULL));
    if (n > 0) memcpy(dx, tree->dq, (size_t)n * sizeof *dx);
    return SADDLE_OK;
}

/* ---- inverse ---- */

/* acceleration (6 bodies) = drift + J ddq, world axes, in tree->motion */
static void accelerate(saddle_tree *t, const double *ddq)
{
    for (int64_t i = 0; i < t->bodies; i++) {
        const int64_t p = t->parent[i];
        double *motion = t->motion + 6 * i;
        saddle__carry(&t->link[i], p >= 0 ? t->motion + 6 * p : NULL, motion);
        for (int64_t j = t->first[i]; j < t->first[i + 1]; j++)
            for (int a = 0; a < 6; a++) motion[a] += t->S[a + 6 * j] * ddq[j];
    }
    for (int64_t i = 0; i < t->bodies; i++)
        for (int a = 0; a < 6; a++) t->motion[6 * i + a] += t->link[i].drift[a];
}

/* force = torque + J'(load at the accelerations), NULL = the drift; a torque NULL = 0 */
static void gather(saddle_tree *t, const double *acceleration, const double *wrench,
                   const double *torque, double *force)
{
    for (int64_t i = t->bodies - 1; i >= 0; i--) {
        double load[6];
        body_load(t, i, acceleration ? acceleration + 6 * i : t->link[i].drift,
                  wrench ? wrench + 6 * i : NULL, load);
        take_collected(t, i, load);
        for (int64_t j = t->first[i]; j < t->first[i + 1]; j++)
            force[j] = joint_force(t, torque, j) + saddle__dot6(t->S + 6 * j, load);
        if (t->parent[i] >= 0) saddle__collect(&t->link[i], load, t->load + 6 * t->parent[i]);
    }
}

saddle_status saddle_tree_inverse(saddle_tree *tree, const double *ddq, const double *wrench,
                                  double *torque)
{
    SADDLE__TRY(expect(tree, __func__, unless_empty(tree, ddq) && unless_empty(tree, torque)));
    accelerate(tree, ddq);
    gather(tree, tree->motion, wrench, NULL, torque);
    for (int64_t j = 0; j < tree->coordinates; j++) torque[j] = -torque[j];
    return SADDLE_OK;
}

saddle_status saddle_tree_reactions(saddle_tree *tree, const double *ddq, const double *wrench,
                                    double *reaction)
{
    SADDLE__TRY(expect(tree, __func__,
                       unless_empty(tree, ddq) && (reaction || (tree && tree->bodies == 0))));
    accelerate(tree, ddq);
    for (int64_t i = tree->bodies - 1; i >= 0; i--) {
        double load[6];
        body_load(tree, i, tree->motion + 6 * i, wrench ? wrench + 6 * i : NULL, load);
        take_collected(tree, i, load);
        if (tree->parent[i] >= 0)
            saddle__collect(&tree->link[i], load, tree->load + 6 * tree->parent[i]);
        for (int a = 0; a < 6; a++) load[a] = -load[a];
        saddle__to_body(&tree->link[i], load, reaction + 6 * i);
    }
    return SADDLE_OK;
}

saddle_status saddle_tree_force(saddle_tree *tree, const double *torque, const double *wrench,
                                double *force)
{
    SADDLE__TRY(expect(tree, __func__, unless_empty(tree, force)));
    gather(tree, NULL, wrench, torque, force);
    return SADDLE_OK;
}

/* ---- hybrid ---- */

/* ddq of prescribed joints, 0 of others. */
static saddle_status prescribe(saddle_tree *t, const saddle_prescription *how, const double *value,
                               double h)
{
    for (int64_t i = 0; i < t->bodies; i++) {
        const saddle_prescription kind = how[i];
        if ((int)kind < SADDLE_PRESCRIPTION_NONE || kind > SADDLE_PRESCRIPTION_POSITION)
            return saddle_fail(t->context, SADDLE_INVALID_ARGUMENT,
                               "body %lld: no such prescription: %d", (long long)i, (int)kind);
        if (kind > SADDLE_PRESCRIPTION_ACCELERATION && !(h > 0 && isfinite(h)))
            return saddle_fail(t->context, SADDLE_INVALID_ARGUMENT,
                               "body %lld has a velocity or position prescribed, and the time "
                               "step is %g",
                               (long long)i, h);
        for (int64_t j = t->first[i]; j < t->first[i + 1]; j++) {
            double wanted = kind == SADDLE_PRESCRIPTION_NONE ? 0 : value[j];
            if (kind == SADDLE_PRESCRIPTION_POSITION) wanted = (wanted - t->q[j]) / h;
            if (kind > SADDLE_PRESCRIPTION_ACCELERATION) wanted = (wanted - t->dq[j]) / h;
            t->wanted[j] = wanted;
        }
    }
    for (int64_t i = 0; i < t->bodies; i++) t->free[i] = how[i] == SADDLE_PRESCRIPTION_NONE;
    return SADDLE_OK;
}

saddle_status saddle_tree_hybrid(saddle_tree *tree, const saddle_prescription *how,
                                 const double *value, double time_step, const double *torque,
                                 const double *wrench, double *ddq, double *held)
{
    SADDLE__TRY(expect(tree, __func__,
                       (how || (tree && tree->bodies == 0)) && unless_empty(tree, value) &&
                           unless_empty(tree, ddq)));
    SADDLE__TRY(prescribe(tree, how, value, time_step));
    accelerate(tree, tree->wanted);
    joint_forces(tree, torque);
    if (tree->coordinates > 0) memcpy(ddq, tree->wanted, (size_t)tree->coordinates * sizeof *ddq);
    /* each body's load is formed before its motion is overwritten: the first pass reads, the second
     * writes */
    const saddle_status status = factor_and_solve(tree, 0, tree->torque, tree->motion, wrench, ddq);
    memset(tree->free, 1, (size_t)tree->bodies);
    tree->factored = 0;
    if (status != SADDLE_OK || !held) return status;
    accelerate(tree, ddq);
    gather(tree, tree->motion, wrench, NULL, tree->torque);
    for (int64_t i = 0; i < tree->bodies; i++)
        for (int64_t j = tree->first[i]; j < tree->first[i + 1]; j++)
            held[j] = how[i] != SADDLE_PRESCRIPTION_NONE ? -tree->torque[j]
                      : torque                           ? torque[j]
                                                         : 0;
    return SADDLE_OK;
}

/* ---- the inverse ---- */

static saddle_status check_step(const saddle_tree *tree, double h)
{
    if (h >= 0 && isfinite(h)) return SADDLE_OK;
    return saddle_fail(tree->context, SADDLE_INVALID_ARGUMENT, "a time step of %g", h);
}

saddle_status saddle_tree_factor(saddle_tree *tree, double h)
{
    SADDLE__TRY(expect(tree, __func__, 1));
    SADDLE__TRY(check_step(tree, h));
    tree->factored = 0;
    tree->factored_step = h;
    for (int64_t i = tree->bodies - 1; i >= 0; i--)
        if (!factor_body(tree, i, h)) return fail_singular(tree, i);
    tree->factored = 1;
    return SADDLE_OK;
}

/* 1: neither a force nor a load reaches the joint. */
INLINED int is_unloaded(const saddle_tree *t, int64_t i, const double *x)
{
    const double *load = t->load + 6 * i;
    int none = load[0] == 0 && load[1] == 0 && load[2] == 0 && load[3] == 0 && load[4] == 0 &&
               load[5] == 0;
    for (int64_t j = 0; none && j < t->first[i + 1] - t->first[i]; j++) none = x[j] == 0;
    return none;
}

/* tree->g = L^-1 (x + J'load), M_h = L L'; x NULL = 0; the loads in tree->load are taken. */
static void lift(saddle_tree *tree, const double *x)
{
    static const double none[SADDLE_JOINT_COORDINATES_MAX] = {0};
    for (int64_t i = tree->bodies - 1; i >= 0; i--) {
        double load[6] = {0};
        const double *at = x ? x + tree->first[i] : none;
        if (!is_unloaded(tree, i, at))
            lift_body(tree, i, at, load);
        else
            for (int64_t j = tree->first[i]; j < tree->first[i + 1]; j++) tree->g[j] = 0;
    }
}

void saddle__tree_solve_loads(saddle_tree *tree, const double *x, double *y)
{
    lift(tree, x);
    drop_all(tree, y);
}

saddle_status saddle_tree_solve(saddle_tree *tree, const double *x, const double *wrench, double *y,
                                double *twist)
{
    SADDLE__TRY(expect(tree, __func__, unless_empty(tree, y)));
    if (!tree->factored)
        return saddle_fail(tree->context, SADDLE_WRONG_PHASE,
                           "the tree has not been factored since its bodies were placed");
    for (int64_t i = 0; wrench && i < tree->bodies; i++)
        saddle__to_world(&tree->link[i], wrench + 6 * i, tree->load + 6 * i);
    saddle__tree_solve_loads(tree, x, y);
    for (int64_t i = 0; twist && i < tree->bodies; i++)
        saddle__to_body(&tree->link[i], tree->motion + 6 * i, twist + 6 * i);
    return SADDLE_OK;
}

/* M_h (dq+ - dq) = h f_r - h^2 k dq */
saddle_status saddle_tree_step(saddle_tree *tree, double h, const double *torque,
                               const double *wrench, double *q, double *dq)
{
    SADDLE__TRY(expect(tree, __func__, unless_empty(tree, q) && unless_empty(tree, dq)));
    SADDLE__TRY(check_step(tree, h));
    joint_forces(tree, torque);
    for (int64_t j = 0; j < tree->coordinates; j++)
        tree->torque[j] -= h * tree->stiffness[j] * tree->dq[j];
    const saddle_status status = factor_and_solve(tree, h, tree->torque, NULL, wrench,
                                                  tree->wanted);
    if (status != SADDLE_OK) return status;
    tree->factored = 1;
    for (int64_t j = 0; j < tree->coordinates; j++) {
        dq[j] = tree->dq[j] + h * tree->wanted[j];
        q[j] = tree->q[j] + h * dq[j];
    }
    return SADDLE_OK;
}

/* ---- mass matrix ----
 *
 * M_r = J'M J of a tree, sparse, by composite bodies (Featherstone 2008, chapter 6): column by
 * column of the lower triangle, each coordinate with the coordinates of its subtree.
 *
 * A subtree as one rigid body has mass, m c and moment of inertia about the origin of its first
 * body; moved by arm to the parent,
 *
 *     m c + m r,       I + 2 r'(m c) 1 - r (m c)' - (m c) r' + m (r'r 1 - r r')
 *
 * F = M_subtree S_i of a coordinate i, carried to the bodies above, has the entries S_j'F.
 *
 * M_r x without the entries: the motions J x from the root to the tips, M times those, and J' of
 * that from the tips to the root.
 */

/* composite (10 of each body): mass, m c, moment */
static void collect_composite(const saddle__link *k, const double *own, double *parent)
{
    const double *r = k->arm;
    const double *c = own + 1;
    const double m = own[0];
    const double both = 2 * saddle__dot(r, c) + m * saddle__dot(r, r);
    parent[0] += m;
    for (int i = 0; i < 3; i++) parent[1 + i] += c[i] + m * r[i];
    parent[4] += own[4] + both - 2 * r[0] * c[0] - m * r[0] * r[0];
    parent[5] += own[5] - r[0] * c[1] - c[0] * r[1] - m * r[0] * r[1];
    parent[6] += own[6] - r[0] * c[2] - c[0] * r[2] - m * r[0] * r[2];
    parent[7] += own[7] + both - 2 * r[1] * c[1] - m * r[1] * r[1];
    parent[8] += own[8] - r[1] * c[2] - c[1] * r[2] - m * r[1] * r[2];
    parent[9] += own[9] + both - 2 * r[2] * c[2] - m * r[2] * r[2];
}

/* own (10) += mass, m c, moment of the body alone */
static void add_own(const saddle__link *k, double *own)
{
    own[0] += k->mass;
    for (int a = 0; a < 3; a++) own[1 + a] += k->mass * k->center[a];
    for (int a = 0; a < 6; a++) own[4 + a] += k->moment[a];
}

static void make_composites(saddle_tree *t, double *composite)
{
    memset(composite, 0, (size_t)(10 * t->bodies) * sizeof *composite);
    for (int64_t i = t->bodies - 1; i >= 0; i--) {
        const saddle__link *k = &t->link[i];
        double *own = composite + 10 * i;
        add_own(k, own);
        if (t->parent[i] >= 0) collect_composite(k, own, composite + 10 * t->parent[i]);
    }
}

/* F = (m nu + omega x m c, m c x nu + I omega) */
static void composite_product(const double *own, const double *s, double *F)
{
    double turning[3], lever[3];
    const double *w = s + 3;
    const double *I = own + 4;
    saddle__cross(w, own + 1, turning);
    saddle__cross(own + 1, s, lever);
    for (int i = 0; i < 3; i++) F[i] = own[0] * s[i] + turning[i];
    F[3] = lever[0] + I[0] * w[0] + I[1] * w[1] + I[2] * w[2];
    F[4] = lever[1] + I[1] * w[0] + I[3] * w[1] + I[4] * w[2];
    F[5] = lever[2] + I[2] * w[0] + I[4] * w[1] + I[5] * w[2];
}

/* ---- the entries ---- */

/* Rows in ascending order: next (coordinates) is the next free entry of each column. */
static void write_rows(saddle_tree *t, const double *composite, int64_t *next, double *value)
{
    for (int64_t i = 0; i < t->bodies; i++)
        for (int64_t row = t->first[i]; row < t->first[i + 1]; row++) {
            double F[6];
            composite_product(composite + 10 * i, t->S + 6 * row, F);
            for (int64_t j = t->first[i]; j <= row; j++)
                value[next[j]++] = saddle__dot6(t->S + 6 * j, F);
            for (int64_t b = i, a = t->parent[i]; a >= 0; b = a, a = t->parent[a]) {
                double gain[3];
                saddle__cross(t->link[b].arm, F, gain);
                for (int e = 0; e < 3; e++) F[3 + e] += gain[e];
                for (int64_t j = t->first[a]; j < t->first[a + 1]; j++)
                    value[next[j]++] = saddle__dot6(t->S + 6 * j, F);
            }
        }
}

saddle_status saddle_tree_mass_values(saddle_tree *tree, saddle_matrix *M)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && M, "tree or M is NULL");
    SADDLE__TRY(saddle__tree_expect_placed(tree));
    if (M->rows != tree->coordinates || saddle_matrix_entries(M) != tree->mass_entries ||
        M->symmetry != SADDLE_SYMMETRY_LOWER)
        return saddle_fail(tree->context, SADDLE_INVALID_ARGUMENT,
                           "M is %lld x %lld with %lld entries, the tree's %lld x %lld with %lld",
                           (long long)M->rows, (long long)M->cols,
                           (long long)saddle_matrix_entries(M), (long long)tree->coordinates,
                           (long long)tree->coordinates, (long long)tree->mass_entries);
    if (tree->coordinates == 0) return SADDLE_OK;
    memcpy(tree->next, M->start, (size_t)tree->coordinates * sizeof *tree->next);
    make_composites(tree, tree->composite);
    write_rows(tree, tree->composite, tree->next, M->value);
    return SADDLE_OK;
}

/* The pattern, in the order of write_rows. */
static void write_pattern(const saddle_tree *t, saddle_matrix *M)
{
    int64_t *start = M->start;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < t->bodies; i++)
            for (int64_t row = t->first[i]; row < t->first[i + 1]; row++)
                for (int64_t a = i; a >= 0; a = t->parent[a])
                    for (int64_t j = t->first[a]; j < t->first[a + 1] && j <= row; j++) {
                        if (pass == 0)
                            start[j + 1]++;
                        else
                            M->index[t->next[j]++] = row;
                    }
        for (int64_t j = 0; pass == 0 && j < t->coordinates; j++) {
            t->next[j] = start[j];
            start[j + 1] += start[j];
        }
    }
}

saddle_status saddle_tree_mass(saddle_tree *tree, saddle_matrix *M)
{
    if (M) *M = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && M, "tree or M is NULL");
    SADDLE__TRY(saddle__tree_expect_placed(tree));
    saddle_context *context = tree->context;
    *M = (saddle_matrix){.rows = tree->coordinates,
                         .cols = tree->coordinates,
                         .start = saddle_allocate(context, tree->coordinates + 1, sizeof *M->start),
                         .index = saddle_allocate(context, tree->mass_entries, sizeof *M->index),
                         .value = saddle_allocate(context, tree->mass_entries, sizeof *M->value),
                         .symmetry = SADDLE_SYMMETRY_LOWER,
                         .owner = 1,
                         .context = context};
    if (!M->start || !M->index || !M->value) {
        saddle_matrix_clear(M);
        return SADDLE_OUT_OF_MEMORY;
    }
    write_pattern(tree, M);
    return saddle_tree_mass_values(tree, M);
}

/* ---- products ---- */

static saddle_status expect_step(saddle_tree *tree, const char *function, double h, int given)
{
    SADDLE__TRY(expect(tree, function, given));
    if (h >= 0 && isfinite(h)) return SADDLE_OK;
    return saddle_fail(tree->context, SADDLE_INVALID_ARGUMENT, "a time step of %g", h);
}

saddle_status saddle_tree_multiply(saddle_tree *tree, double h, const double *x, double *y)
{
    SADDLE__TRY(expect_step(tree, __func__, h, (x && y) || (tree && tree->coordinates == 0)));
    saddle_tree *t = tree;
    for (int64_t i = 0; i < t->bodies; i++) {
        const int64_t p = t->parent[i];
        double *motion = t->motion + 6 * i;
        saddle__carry(&t->link[i], p >= 0 ? t->motion + 6 * p : NULL, motion);
        for (int64_t j = t->first[i]; j < t->first[i + 1]; j++)
            for (int a = 0; a < 6; a++) motion[a] += t->S[a + 6 * j] * x[j];
    }
    for (int64_t i = t->bodies - 1; i >= 0; i--) {
        double own[10] = {0}, F[6];
        double *collected = t->load + 6 * i;
        add_own(&t->link[i], own);
        composite_product(own, t->motion + 6 * i, F);
        for (int a = 0; a < 6; a++) {
            F[a] += collected[a];
            collected[a] = 0;
        }
        for (int64_t j = t->first[i]; j < t->first[i + 1]; j++)
            y[j] = saddle__dot6(t->S + 6 * j, F) + h * (t->damping[j] + h * t->stiffness[j]) * x[j];
        if (t->parent[i] >= 0) saddle__collect(&t->link[i], F, t->load + 6 * t->parent[i]);
    }
    return SADDLE_OK;
}

saddle_status saddle_tree_mass_diagonal(saddle_tree *tree, double h, double *d)
{
    SADDLE__TRY(expect_step(tree, __func__, h, d || (tree && tree->coordinates == 0)));
    make_composites(tree, tree->composite);
    for (int64_t i = 0; i < tree->bodies; i++)
        for (int64_t j = tree->first[i]; j < tree->first[i + 1]; j++) {
            double F[6];
            composite_product(tree->composite + 10 * i, tree->S + 6 * j, F);
            d[j] = saddle__dot6(tree->S + 6 * j, F) +
                   h * (tree->damping[j] + h * tree->stiffness[j]);
        }
    return SADDLE_OK;
}

/* ---- as an operator ---- */

static saddle_status expect_factored(const saddle_tree *tree)
{
    if (tree->factored) return SADDLE_OK;
    return saddle_fail(tree->context, SADDLE_WRONG_PHASE,
                       "the tree has not been factored since its bodies were placed");
}

static saddle_status operator_solve(void *user, double *x)
{
    return saddle_tree_solve(user, x, NULL, x, NULL);
}

static saddle_status operator_half_solve(void *user, double *x)
{
    saddle_tree *tree = user;
    SADDLE__TRY(expect_factored(tree));
    lift(tree, x);
    if (tree->coordinates > 0) memcpy(x, tree->g, (size_t)tree->coordinates * sizeof *x);
    return SADDLE_OK;
}

static saddle_status operator_multiply(void *user, const double *x, double *y)
{
    saddle_tree *tree = user;
    SADDLE__TRY(expect_factored(tree));
    return saddle_tree_multiply(tree, tree->factored_step, x, y);
}

static saddle_status operator_diagonal(void *user, double *d)
{
    saddle_tree *tree = user;
    SADDLE__TRY(expect_factored(tree));
    return saddle_tree_mass_diagonal(tree, tree->factored_step, d);
}

saddle_status saddle_tree_mass_operator(saddle_tree *tree, saddle_mass_operator *mass)
{
    if (mass) *mass = (saddle_mass_operator){0};
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && mass, "tree or mass is NULL");
    *mass = (saddle_mass_operator){.n = tree->coordinates,
                                   .user = tree,
                                   .solve = operator_solve,
                                   .multiply = operator_multiply,
                                   .diagonal = operator_diagonal,
                                   .half_solve = operator_half_solve};
    return SADDLE_OK;
}
