/* SPDX-License-Identifier: MIT */
/* Trees of bodies: making, placing, energy, products with J (saddle/tree.h; Sueda, Rigid Body
 * Dynamics Notes, 2.1, 2.2, 2.10).
 *
 * Of a body i with the parent p, world axes, w = S_i dq_i:
 *
 *     twist    nu = nu_p + omega_p x arm + w_nu,       omega = omega_p + w_omega
 *     drift    a = a_p + alpha_p x arm + omega_p x (nu - nu_p) + omega x w_nu + (dS dq)_nu
 *              alpha = alpha_p + omega x w_omega + (dS dq)_omega
 *
 * drift is the acceleration of the origin; in body axes dphi/dt = (R'(a - omega x nu), R'alpha).
 */
#include "tree.h"
#include "base/vector.h"

#include <math.h>
#include <stdio.h>

/* ---- making ---- */

static int is_pose(const saddle_pose *pose)
{
    return saddle__is_rotation(pose->R, SADDLE__HALF_DIGITS) &&
           isfinite(pose->p[0] + pose->p[1] + pose->p[2]);
}

static int is_massless(const saddle_body_inertia *inertia)
{
    double sum = fabs(inertia->mass);
    for (int i = 0; i < 9; i++) sum += fabs(inertia->moment[i]);
    return sum == 0;
}

static saddle_status check_body(saddle_context *context, int64_t i, const saddle_tree_body *body)
{
    const saddle_motion *joint = &body->joint;
    char name[48];
    (void)snprintf(name, sizeof name, "body %lld", (long long)i);
    if (body->parent < -1 || body->parent >= i)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s: its parent %lld has to be a body before, or -1", name,
                           (long long)body->parent);
    if (joint->size < 0 || joint->size > SADDLE_JOINT_COORDINATES_MAX ||
        (joint->size > 0 && !joint->evaluate))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s: a joint of %lld coordinates, or without evaluate", name,
                           (long long)joint->size);
    if (!is_pose(&joint->before) || !is_pose(&joint->after))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s: a frame of its joint is not a pose", name);
    if (is_massless(&body->inertia)) return SADDLE_OK;
    return saddle_body_inertia_check(context, &body->inertia, name);
}

static saddle_status make_arrays(saddle_context *context, saddle_tree *t)
{
    const saddle__array arrays[] = {
        SADDLE__ARRAY(t->parent, t->bodies),         SADDLE__ARRAY(t->first, t->bodies + 1),
        SADDLE__ARRAY(t->free, t->bodies),           SADDLE__ARRAY(t->joint, t->bodies),
        SADDLE__ARRAY(t->inertia, t->bodies),        SADDLE__ARRAY(t->link, t->bodies),
        SADDLE__ARRAY(t->collected, t->bodies),      SADDLE__ARRAY(t->load, 6 * t->bodies),
        SADDLE__ARRAY(t->motion, 6 * t->bodies),     SADDLE__ARRAY(t->composite, 10 * t->bodies),
        SADDLE__ARRAY(t->S, 6 * t->coordinates),     SADDLE__ARRAY(t->dS, 6 * t->coordinates),
        SADDLE__ARRAY(t->W, 6 * t->coordinates),     SADDLE__ARRAY(t->L, 6 * t->coordinates),
        SADDLE__ARRAY(t->q, t->coordinates),         SADDLE__ARRAY(t->dq, t->coordinates),
        SADDLE__ARRAY(t->g, t->coordinates),         SADDLE__ARRAY(t->removed, t->coordinates),
        SADDLE__ARRAY(t->stiffness, t->coordinates), SADDLE__ARRAY(t->damping, t->coordinates),
        SADDLE__ARRAY(t->rest, t->coordinates),      SADDLE__ARRAY(t->torque, t->coordinates),
        SADDLE__ARRAY(t->wanted, t->coordinates),    SADDLE__ARRAY(t->next, t->coordinates)};
    return saddle__layout_make(context, &t->layout, arrays, SADDLE__LENGTH(arrays));
}

/* The moment of inertia about the origin: J + m (c'c I - c c'). */
static saddle__tree_inertia inertia_of(const saddle_body_inertia *b)
{
    static const int row[6] = {0, 0, 0, 1, 1, 2};
    static const int col[6] = {0, 1, 2, 1, 2, 2};
    saddle__tree_inertia made = {.mass = b->mass};
    const double square = saddle__dot(b->center, b->center);
    memcpy(made.center, b->center, sizeof made.center);
    for (int k = 0; k < 6; k++) {
        const int i = row[k];
        const int j = col[k];
        made.moment[k] = b->moment[i + 3 * j] +
                         b->mass * ((i == j) * square - b->center[i] * b->center[j]);
    }
    return made;
}

static void copy_bodies(saddle_tree *t, const saddle_tree_body *body)
{
    int64_t *depth = t->next; /* coordinates up to the root, at the body's first coordinate */
    for (int64_t i = 0; i < t->bodies; i++) {
        const int64_t size = body[i].joint.size;
        t->parent[i] = body[i].parent;
        t->free[i] = 1;
        t->joint[i] = body[i].joint;
        t->inertia[i] = inertia_of(&body[i].inertia);
        t->first[i + 1] = t->first[i] + size;
        /* the next body with coordinates on the way to the root */
        int64_t a = body[i].parent;
        while (a >= 0 && body[a].joint.size == 0) a = body[a].parent;
        const int64_t above = a >= 0 ? depth[t->first[a]] : 0;
        if (size > 0) depth[t->first[i]] = above + size;
        t->mass_entries += size * above + size * (size + 1) / 2;
    }
}

saddle_status saddle_tree_create(saddle_context *context, int64_t count,
                                 const saddle_tree_body *body, saddle_tree **tree)
{
    if (tree) *tree = NULL;
    SADDLE__RETURN_UNLESS(context, tree && (body || count == 0), "body or tree is NULL");
    if (count < 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "a tree of %lld bodies",
                           (long long)count);
    int64_t coordinates = 0;
    for (int64_t i = 0; i < count; i++) {
        SADDLE__TRY(check_body(context, i, &body[i]));
        coordinates += body[i].joint.size;
    }
    saddle_tree *made = saddle_allocate(context, 1, sizeof *made);
    if (!made) return SADDLE_OUT_OF_MEMORY;
    *made = (saddle_tree){.context = context, .bodies = count, .coordinates = coordinates};
    const saddle_status status = make_arrays(context, made);
    if (status != SADDLE_OK) {
        saddle_tree_free(made);
        return status;
    }
    copy_bodies(made, body);
    *tree = made;
    return SADDLE_OK;
}

void saddle_tree_free(saddle_tree *tree)
{
    if (!tree) return;
    saddle__layout_clear(tree->context, &tree->layout);
    saddle_release(tree->context, tree);
}

saddle_tree_size saddle_tree_size_of(const saddle_tree *tree)
{
    if (!tree) return (saddle_tree_size){0};
    return (saddle_tree_size){tree->bodies, tree->coordinates, tree->mass_entries};
}

const int64_t *saddle_tree_parents(const saddle_tree *tree)
{
    return tree ? tree->parent : NULL;
}

saddle_context *saddle_tree_context(const saddle_tree *tree)
{
    return SADDLE__CONTEXT_OF(tree);
}

saddle_status saddle_tree_placed(const saddle_tree *tree, double *q, double *dq)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && ((q && dq) || tree->coordinates == 0),
                          "tree, q or dq is NULL");
    SADDLE__TRY(saddle__tree_expect_placed(tree));
    saddle__copy(q, tree->q, tree->coordinates);
    saddle__copy(dq, tree->dq, tree->coordinates);
    return SADDLE_OK;
}

const int64_t *saddle_tree_first(const saddle_tree *tree)
{
    return tree ? tree->first : NULL;
}

saddle_status saddle_tree_set_gravity(saddle_tree *tree, const double *g)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && g, "tree or g is NULL");
    for (int i = 0; i < 3; i++)
        if (!isfinite(g[i]))
            return saddle_fail(tree->context, SADDLE_INVALID_ARGUMENT, "gravity[%d] is %g", i,
                               g[i]);
    memcpy(tree->gravity, g, sizeof tree->gravity);
    return SADDLE_OK;
}

static saddle_status check_numbers(const saddle_tree *tree, const char *what, double least,
                                   const double *x)
{
    for (int64_t j = 0; x && j < tree->coordinates; j++)
        if (!isfinite(x[j]) || x[j] < least)
            return saddle_fail(tree->context, SADDLE_INVALID_ARGUMENT, "%s[%lld] is %g", what,
                               (long long)j, x[j]);
    return SADDLE_OK;
}

saddle_status saddle_tree_set_springs(saddle_tree *tree, const double *stiffness,
                                      const double *damping, const double *rest)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree, "tree is NULL");
    SADDLE__TRY(check_numbers(tree, "stiffness", 0, stiffness));
    SADDLE__TRY(check_numbers(tree, "damping", 0, damping));
    SADDLE__TRY(check_numbers(tree, "rest", -INFINITY, rest));
    for (int64_t j = 0; j < tree->coordinates; j++) {
        tree->stiffness[j] = stiffness ? stiffness[j] : 0;
        tree->damping[j] = damping ? damping[j] : 0;
        tree->rest[j] = rest ? rest[j] : 0;
    }
    tree->factored = 0;
    return SADDLE_OK;
}

/* ---- placing ---- */

/* moment <- R moment R', six entries of a symmetric matrix */
static void turn_moment(const double *R, const double *m, double *turned)
{
    const double full[9] = {m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5]};
    double P[9];
    saddle__product3(R, full, P);
    turned[0] = P[0] * R[0] + P[3] * R[3] + P[6] * R[6];
    turned[1] = P[0] * R[1] + P[3] * R[4] + P[6] * R[7];
    turned[2] = P[0] * R[2] + P[3] * R[5] + P[6] * R[8];
    turned[3] = P[1] * R[1] + P[4] * R[4] + P[7] * R[7];
    turned[4] = P[1] * R[2] + P[4] * R[5] + P[7] * R[8];
    turned[5] = P[2] * R[2] + P[5] * R[5] + P[8] * R[8];
}

/* Pose and joint motions.  Nonzero: q is out of range. */
static int place_joint(saddle_tree *t, int64_t i, const double *q, const double *dq)
{
    const saddle_motion *joint = &t->joint[i];
    const int64_t first = t->first[i];
    const saddle__link *parent = t->parent[i] >= 0 ? &t->link[t->parent[i]] : NULL;
    saddle__link *k = &t->link[i];
    saddle_pose T;
    if (saddle__joint_place(joint, q + first, &T, t->S + 6 * first) != 0) return 1;
    if (joint->rate && saddle__joint_rate(joint, q + first, dq + first, t->dS + 6 * first) != 0)
        return 1;
    if (parent) {
        saddle__product3(parent->R, T.R, k->R);
        saddle__rotate(parent->R, T.p, k->arm);
        for (int a = 0; a < 3; a++) k->p[a] = parent->p[a] + k->arm[a];
    } else {
        memcpy(k->R, T.R, sizeof k->R);
        memcpy(k->arm, T.p, sizeof k->arm);
        memcpy(k->p, T.p, sizeof k->p);
    }
    for (int64_t j = first; j < t->first[i + 1]; j++) {
        saddle__to_world(k, t->S + 6 * j, t->S + 6 * j);
        if (joint->rate) saddle__to_world(k, t->dS + 6 * j, t->dS + 6 * j);
    }
    return 0;
}

/* sum (6) = X x, X (6 x coordinates) at the columns of a joint */
static void joint_sum(const saddle_tree *t, int64_t i, const double *X, const double *x,
                      double *sum)
{
    memset(sum, 0, 6 * sizeof *sum);
    for (int64_t j = t->first[i]; j < t->first[i + 1]; j++)
        for (int a = 0; a < 6; a++) sum[a] += X[a + 6 * j] * x[j];
}

/* The recursion at the top of the file for y = S x in the place of w = S dq, the bodies moving as
 * placed: rate (6) = d/dt of the motion own (6) at constant x.  parent_own, parent_rate: NULL = 0.
 */
static void rate_of(const saddle_tree *t, int64_t i, const double *x, const double *parent_own,
                    const double *parent_rate, double *own, double *rate)
{
    const saddle__link *k = &t->link[i];
    double y[6], turning[3], moving[3];
    joint_sum(t, i, t->S, x, y);
    saddle__carry(k, parent_own, own);
    saddle__carry(k, parent_rate, rate);
    for (int a = 0; a < 6; a++) own[a] += y[a];
    if (parent_own) { /* omega_y,p x d(arm)/dt */
        const saddle__link *p = &t->link[t->parent[i]];
        for (int a = 0; a < 3; a++) moving[a] = k->twist[a] - p->twist[a];
        saddle__cross(parent_own + 3, moving, turning);
        for (int a = 0; a < 3; a++) rate[a] += turning[a];
    }
    saddle__cross(k->twist + 3, y, turning);
    for (int a = 0; a < 3; a++) rate[a] += turning[a];
    saddle__cross(k->twist + 3, y + 3, turning);
    for (int a = 0; a < 3; a++) rate[3 + a] += turning[a];
    if (!t->joint[i].rate) return;
    joint_sum(t, i, t->dS, x, y);
    for (int a = 0; a < 6; a++) rate[a] += y[a];
}

static void place_body(saddle_tree *t, int64_t i)
{
    const saddle__tree_inertia *inertia = &t->inertia[i];
    const saddle__link *parent = t->parent[i] >= 0 ? &t->link[t->parent[i]] : NULL;
    saddle__link *k = &t->link[i];
    double w[6], own[6];
    k->mass = inertia->mass;
    saddle__rotate(k->R, inertia->center, k->center);
    turn_moment(k->R, inertia->moment, k->moment);
    joint_sum(t, i, t->S, t->dq, w);
    saddle__carry(k, parent ? parent->twist : NULL, k->twist);
    for (int a = 0; a < 6; a++) k->twist[a] += w[a];
    rate_of(t, i, t->dq, parent ? parent->twist : NULL, parent ? parent->drift : NULL, own,
            k->drift);
}

saddle_status saddle_tree_place(saddle_tree *tree, const double *q, const double *dq)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && (q || tree->coordinates == 0),
                          "tree or q is NULL");
    const size_t bytes = (size_t)tree->coordinates * sizeof *q;
    tree->placed = tree->factored = 0;
    if (bytes > 0) memcpy(tree->q, q, bytes);
    if (bytes > 0 && dq) memcpy(tree->dq, dq, bytes);
    if (bytes > 0 && !dq) memset(tree->dq, 0, bytes);
    for (int64_t i = 0; i < tree->bodies; i++) {
        if (place_joint(tree, i, tree->q, tree->dq) != 0)
            return saddle_fail(tree->context, SADDLE_INVALID_ARGUMENT,
                               "body %lld: its joint's coordinates are out of range", (long long)i);
        place_body(tree, i);
    }
    tree->placed = 1;
    return SADDLE_OK;
}

saddle_status saddle_tree_poses(saddle_tree *tree, saddle_pose *pose)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && (pose || tree->bodies == 0),
                          "tree or pose is NULL");
    SADDLE__TRY(saddle__tree_expect_placed(tree));
    for (int64_t i = 0; i < tree->bodies; i++) {
        memcpy(pose[i].p, tree->link[i].p, sizeof pose[i].p);
        memcpy(pose[i].R, tree->link[i].R, sizeof pose[i].R);
    }
    return SADDLE_OK;
}

saddle_status saddle_tree_energy(saddle_tree *tree, double *kinetic, double *potential)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree, "tree is NULL");
    SADDLE__TRY(saddle__tree_expect_placed(tree));
    double T = 0;
    double V = 0;
    for (int64_t i = 0; i < tree->bodies; i++) {
        const saddle__link *k = &tree->link[i];
        const double *m = k->moment;
        const double *w = k->twist + 3;
        double place[3], turning[3];
        saddle__cross(w, k->center, turning);
        T += k->mass * (saddle__dot(k->twist, k->twist) / 2 + saddle__dot(k->twist, turning));
        T += (m[0] * w[0] * w[0] + m[3] * w[1] * w[1] + m[5] * w[2] * w[2]) / 2 +
             m[1] * w[0] * w[1] + m[2] * w[0] * w[2] + m[4] * w[1] * w[2];
        for (int a = 0; a < 3; a++) place[a] = k->p[a] + k->center[a];
        V -= k->mass * saddle__dot(tree->gravity, place);
    }
    for (int64_t j = 0; j < tree->coordinates; j++) {
        const double stretch = tree->q[j] - tree->rest[j];
        V += tree->stiffness[j] * stretch * stretch / 2;
    }
    if (kinetic) *kinetic = T;
    if (potential) *potential = V;
    return SADDLE_OK;
}

saddle_status saddle_tree_reparameterize(saddle_tree *tree, double *q, double *dq, int64_t *changed)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && ((q && dq) || tree->coordinates == 0),
                          "tree, q or dq is NULL");
    int64_t count = 0;
    for (int64_t i = 0; i < tree->bodies; i++) {
        const saddle_motion *joint = &tree->joint[i];
        const int64_t first = tree->first[i];
        if (joint->reparameterize)
            count += joint->reparameterize(joint->data, q + first, dq + first) != 0;
    }
    if (changed) *changed = count;
    return SADDLE_OK;
}

/* ---- products ---- */

saddle_status saddle_tree_push(saddle_tree *tree, const double *x, double *twist)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree),
                          tree && (x || tree->coordinates == 0) && (twist || tree->bodies == 0),
                          "tree, x or twist is NULL");
    SADDLE__TRY(saddle__tree_expect_placed(tree));
    double *motion = tree->motion;
    for (int64_t i = 0; i < tree->bodies; i++) {
        const int64_t p = tree->parent[i];
        double w[6];
        joint_sum(tree, i, tree->S, x, w);
        saddle__carry(&tree->link[i], p >= 0 ? motion + 6 * p : NULL, motion + 6 * i);
        for (int a = 0; a < 6; a++) motion[6 * i + a] += w[a];
        saddle__to_body(&tree->link[i], motion + 6 * i, twist + 6 * i);
    }
    return SADDLE_OK;
}

/* In body axes: d/dt (R'y) = R'(dy - omega x y). */
saddle_status saddle_tree_push_rate(saddle_tree *tree, const double *x, double *z)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree),
                          tree && (x || tree->coordinates == 0) && (z || tree->bodies == 0),
                          "tree, x or z is NULL");
    SADDLE__TRY(saddle__tree_expect_placed(tree));
    double *motion = tree->motion;
    for (int64_t i = 0; i < tree->bodies; i++) {
        const int64_t p = tree->parent[i];
        rate_of(tree, i, x, p >= 0 ? motion + 6 * p : NULL, p >= 0 ? z + 6 * p : NULL,
                motion + 6 * i, z + 6 * i);
    }
    for (int64_t i = 0; i < tree->bodies; i++) {
        const saddle__link *k = &tree->link[i];
        for (int half = 0; half < 6; half += 3) {
            double turning[3];
            saddle__cross(k->twist + 3, motion + 6 * i + half, turning);
            for (int a = 0; a < 3; a++) z[6 * i + half + a] -= turning[a];
        }
        saddle__to_body(k, z + 6 * i, z + 6 * i);
    }
    return SADDLE_OK;
}

saddle_status saddle_tree_pull(saddle_tree *tree, const double *wrench, double *force)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree),
                          tree && (wrench || tree->bodies == 0) &&
                              (force || tree->coordinates == 0),
                          "tree, wrench or force is NULL");
    SADDLE__TRY(saddle__tree_expect_placed(tree));
    for (int64_t i = tree->bodies - 1; i >= 0; i--) {
        const saddle__link *k = &tree->link[i];
        double load[6];
        double *collected = tree->load + 6 * i;
        saddle__to_world(k, wrench + 6 * i, load);
        for (int a = 0; a < 6; a++) {
            load[a] += collected[a];
            collected[a] = 0;
        }
        for (int64_t j = tree->first[i]; j < tree->first[i + 1]; j++)
            force[j] = saddle__dot6(tree->S + 6 * j, load);
        if (tree->parent[i] >= 0) saddle__collect(k, load, tree->load + 6 * tree->parent[i]);
    }
    return SADDLE_OK;
}
