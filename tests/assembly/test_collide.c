/* SPDX-License-Identifier: MIT */
/* Points of contact, pair by pair, against the distance as the most separation over all directions:
 *
 *     gap = max over unit n of  s(n) = min n'b - max n'a,   a of A, b of B
 *
 * which is the distance of what is apart and minus the least push of what overlaps.
 */
#include <math.h>
#include <string.h>

#include "collide.h"
#include "space/space.h"
#include "support.h"

enum { TRIALS = 600 };

static const double MARGIN = 0.3;

/* ---- drawn shapes ---- */

static double cube_corners[24];

static saddle_pose draw_pose(uint64_t *seed, double reach)
{
    double twist[6];
    for (int k = 0; k < 6; k++) twist[k] = test_uniform(seed, -3, 3);
    saddle_pose pose = saddle_pose_exp(twist);
    for (int k = 0; k < 3; k++) pose.p[k] = test_uniform(seed, -reach, reach);
    return pose;
}

static saddle__solid draw_solid(uint64_t *seed, saddle_touch_kind kind, double reach)
{
    saddle__solid solid = {.kind = kind, .pose = draw_pose(seed, reach)};
    for (int k = 0; k < 3; k++) solid.half[k] = test_uniform(seed, 0.1, 1);
    if (kind == SADDLE_TOUCH_CONVEX) {
        solid.corner_count = 8;
        solid.corner = cube_corners;
        for (int k = 0; k < 24; k++) cube_corners[k] = test_uniform(seed, -1, 1);
    }
    return solid;
}

/* ---- the oracle ---- */

/* max n'x over a shape, by its definition. */
static double reach(const saddle__solid *solid, const double *n)
{
    double N[3], most = -INFINITY;
    saddle__unrotate(solid->pose.R, n, N);
    const double middle = saddle__dot(n, solid->pose.p);
    switch (solid->kind) {
    case SADDLE_TOUCH_SPHERE: return middle + solid->half[0];
    case SADDLE_TOUCH_BOX:
        return middle + fabs(N[0]) * solid->half[0] + fabs(N[1]) * solid->half[1] +
               fabs(N[2]) * solid->half[2];
    case SADDLE_TOUCH_CAPSULE: return middle + solid->half[0] + fabs(N[2]) * solid->half[1];
    case SADDLE_TOUCH_PLANE: return N[2] > 1 - 1e-15 ? middle : INFINITY;
    case SADDLE_TOUCH_CYLINDER:
        return middle + solid->half[0] * hypot(N[0], N[1]) + fabs(N[2]) * solid->half[1];
    case SADDLE_TOUCH_ELLIPSOID:
        return middle +
               hypot(hypot(N[0] * solid->half[0], N[1] * solid->half[1]), N[2] * solid->half[2]);
    default:
        for (int64_t k = 0; k < solid->corner_count; k++)
            most = fmax(most, saddle__dot(N, solid->corner + 3 * k));
        return middle + most;
    }
}

static double separation(const saddle__solid *A, const saddle__solid *B, const double *n)
{
    const double back[3] = {-n[0], -n[1], -n[2]};
    return -reach(B, back) - reach(A, n);
}

/* The most separation: many directions, each of the best of them turned a little for as long as it
 * gains. */
static double most_separation(uint64_t *seed, const saddle__solid *A, const saddle__solid *B,
                              const double *hint, int effort)
{
    double best = -INFINITY, n[3] = {0, 0, 1};
    for (int start = 0; start < 6; start++) {
        double here[3], value = -INFINITY;
        for (int k = 0; k < (start == 0 && hint ? 1 : 150); k++) {
            double d[3];
            for (int i = 0; i < 3; i++)
                d[i] = start == 0 && hint ? hint[i] : test_uniform(seed, -1, 1);
            saddle__direction(d, d);
            if (separation(A, B, d) <= value) continue;
            value = separation(A, B, d);
            memcpy(here, d, sizeof here);
        }
        for (double turn = 0.3; turn > 1e-9; turn *= 0.7) {
            for (int k = 0; k < effort; k++) {
                double d[3];
                for (int i = 0; i < 3; i++) d[i] = here[i] + turn * test_uniform(seed, -1, 1);
                saddle__direction(d, d);
                if (separation(A, B, d) <= value) continue;
                value = separation(A, B, d);
                memcpy(here, d, sizeof here);
            }
        }
        if (value > best) {
            best = value;
            memcpy(n, here, sizeof n);
        }
    }
    return best;
}

/* How far x is out of a shape, about; <= 0 inside. */
static double outside(const saddle__solid *solid, const double *x)
{
    double X[3] = {x[0] - solid->pose.p[0], x[1] - solid->pose.p[1], x[2] - solid->pose.p[2]};
    saddle__unrotate(solid->pose.R, X, X);
    switch (solid->kind) {
    case SADDLE_TOUCH_SPHERE: return sqrt(saddle__dot(X, X)) - solid->half[0];
    case SADDLE_TOUCH_BOX:
        return fmax(fabs(X[0]) - solid->half[0],
                    fmax(fabs(X[1]) - solid->half[1], fabs(X[2]) - solid->half[2]));
    case SADDLE_TOUCH_CAPSULE:
        X[2] -= fmax(-solid->half[1], fmin(solid->half[1], X[2]));
        return sqrt(saddle__dot(X, X)) - solid->half[0];
    case SADDLE_TOUCH_PLANE: return X[2];
    case SADDLE_TOUCH_CYLINDER:
        return fmax(hypot(X[0], X[1]) - solid->half[0], fabs(X[2]) - solid->half[1]);
    case SADDLE_TOUCH_ELLIPSOID:
        return 0.1 *
               (hypot(hypot(X[0] / solid->half[0], X[1] / solid->half[1]), X[2] / solid->half[2]) -
                1);
    default: return 0;
    }
}

static double least_gap(const saddle__touching *touching, int64_t count)
{
    double least = INFINITY;
    for (int64_t k = 0; k < count; k++) least = fmin(least, touching[k].gap);
    return least;
}

static int64_t collide(const saddle__solid *A, const saddle__solid *B, saddle__touching *touching)
{
    int64_t count = -1;
    assert_int_equal(saddle__collide(A, B, MARGIN, touching, &count), SADDLE_OK);
    assert_in_range(count, 0, SADDLE__TOUCHES_MAX);
    return count;
}

/* What holds of all points of all pairs. */
static void assert_sound(const saddle__solid *A, const saddle__solid *B,
                         const saddle__touching *touching, int64_t count, double slack)
{
    for (int64_t k = 0; k < count; k++) {
        const saddle__touching *t = &touching[k];
        assert_true(fabs(saddle__dot(t->normal, t->normal) - 1) < 1e-12);
        assert_true(t->gap <= MARGIN);
        for (int i = 0; i < 3; i++)
            assert_true(fabs(t->a[i] + t->gap * t->normal[i] - t->b[i]) < 1e-9);
        assert_true(outside(A, t->a) < slack && outside(B, t->b) < slack);
        for (int64_t l = 0; l < k; l++) assert_true(touching[l].label != t->label);
        assert_in_range(t->label, 0, 65535);
    }
}

static const saddle_touch_kind pairs[][2] = {
    {SADDLE_TOUCH_SPHERE, SADDLE_TOUCH_SPHERE},
    {SADDLE_TOUCH_SPHERE, SADDLE_TOUCH_BOX},
    {SADDLE_TOUCH_SPHERE, SADDLE_TOUCH_CAPSULE},
    {SADDLE_TOUCH_SPHERE, SADDLE_TOUCH_PLANE},
    {SADDLE_TOUCH_BOX, SADDLE_TOUCH_BOX},
    {SADDLE_TOUCH_BOX, SADDLE_TOUCH_CAPSULE},
    {SADDLE_TOUCH_BOX, SADDLE_TOUCH_PLANE},
    {SADDLE_TOUCH_CAPSULE, SADDLE_TOUCH_CAPSULE},
    {SADDLE_TOUCH_CAPSULE, SADDLE_TOUCH_PLANE},
    {SADDLE_TOUCH_PLANE, SADDLE_TOUCH_CONVEX},
    {SADDLE_TOUCH_PLANE, SADDLE_TOUCH_CYLINDER},
    {SADDLE_TOUCH_PLANE, SADDLE_TOUCH_ELLIPSOID},
#ifdef SADDLE_HAVE_CCD
    {SADDLE_TOUCH_CONVEX, SADDLE_TOUCH_CONVEX},
    {SADDLE_TOUCH_SPHERE, SADDLE_TOUCH_CONVEX},
    {SADDLE_TOUCH_BOX, SADDLE_TOUCH_CONVEX},
    {SADDLE_TOUCH_CAPSULE, SADDLE_TOUCH_CONVEX},
    {SADDLE_TOUCH_BOX, SADDLE_TOUCH_CYLINDER},
    {SADDLE_TOUCH_CONVEX, SADDLE_TOUCH_CYLINDER},
    {SADDLE_TOUCH_CYLINDER, SADDLE_TOUCH_CYLINDER},
    {SADDLE_TOUCH_CYLINDER, SADDLE_TOUCH_ELLIPSOID},
    {SADDLE_TOUCH_ELLIPSOID, SADDLE_TOUCH_ELLIPSOID},
#endif
};
enum { PAIRS = sizeof pairs / sizeof *pairs };

/* Two convex shapes have corners of their own only where the second is the one drawn last. */
static void draw_two(uint64_t *seed, const saddle_touch_kind *kinds, saddle__solid *A,
                     saddle__solid *B)
{
    static double other_corners[24];
    *A = draw_solid(seed, kinds[0], 1.1);
    if (kinds[0] == SADDLE_TOUCH_CONVEX) {
        memcpy(other_corners, cube_corners, sizeof other_corners);
        A->corner = other_corners;
    }
    *B = draw_solid(seed, kinds[1], 1.1);
}

static void the_least_gap_is_the_most_separation_of_all_directions(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    const int64_t trials = test_draws(TRIALS);
    for (int pair = 0; pair < PAIRS; pair++) {
        int apart = 0, touched = 0;
        for (int trial = 0; trial < trials; trial++) {
            saddle__solid A, B;
            saddle__touching touching[SADDLE__TOUCHES_MAX];
            draw_two(&seed, pairs[pair], &A, &B);
            const int64_t count = collide(&A, &B, touching);
            double up[3] = {0};
            const saddle__solid *plane = A.kind == SADDLE_TOUCH_PLANE ? &A : &B;
            for (int k = 0; k < 3; k++) up[k] = plane->pose.R[6 + k] * (plane == &A ? 1 : -1);
            const int has_plane = plane->kind == SADDLE_TOUCH_PLANE;
            double truth = has_plane && plane == &A
                               ? -reach(&B, (double[]){-up[0], -up[1], -up[2]}) -
                                     saddle__dot(up, A.pose.p)
                           : has_plane ? -reach(&A, up) + saddle__dot(up, B.pose.p)
                                       : most_separation(&seed, &A, &B,
                                                         count > 0 ? touching[0].normal : NULL, 30);
            assert_sound(&A, &B, touching, count, 2e-3);
            if (count == 0) {
                if (!(truth > MARGIN - 2e-3))
                    fail_msg("pair %d trial %d: nothing, truth %.12g", pair, trial, truth);
                apart++;
                continue;
            }
            touched++;
            const double gap = least_gap(touching, count);
            const int flat = A.kind == SADDLE_TOUCH_BOX && !has_plane;
            /* deep: the least push nearby, a push all the same */
            if (B.kind >= SADDLE_TOUCH_CONVEX && !has_plane && truth < -0.25) {
                const double cut = count > 1 ? 0.02 * fabs(truth) : 0; /* on a face */
                if (!(gap <= truth + 1e-6 + cut && gap > 1.5 * truth - 0.1))
                    fail_msg("pair %d trial %d: gap %.12g, truth %.12g, %d points", pair, trial,
                             gap, truth, (int)count);
                assert_true(fabs(separation(&A, &B, touching[0].normal) - gap) < 1e-9 + cut);
                continue;
            }
            const double tolerance = flat ? 0.02 * fabs(truth) + 1e-7 : 1e-7;
            if (!has_plane && truth < gap - tolerance) { /* look harder */
                truth = most_separation(&seed, &A, &B, touching[0].normal, 2000);
            }
            if (!(fabs(gap - truth) <= tolerance)) {
                fail_msg("pair %d trial %d: gap %.12g, truth %.12g, %d points", pair, trial, gap,
                         truth, (int)count);
            }
        }

        if (trials >= 60) assert_true(touched > trials / 4 && apart > trials / 20);
    }
}

/* ---- the same seen otherwise ---- */

/* Exchanged: the same gap, the normal the other way; where both boxes' faces are as good as flat on
 * each other, the first one's normal is taken, 0.01 off at most. */
static void what_is_exchanged_touches_alike(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int pair = 0; pair < PAIRS; pair++) {
        if (pairs[pair][0] != pairs[pair][1]) continue;
        for (int trial = 0; trial < test_draws(TRIALS); trial++) {
            saddle__solid A, B;
            saddle__touching one[SADDLE__TOUCHES_MAX], other[SADDLE__TOUCHES_MAX];
            draw_two(&seed, pairs[pair], &A, &B);
            const int64_t count = collide(&A, &B, one);
            const int64_t exchanged = collide(&B, &A, other);
            assert_int_equal(exchanged == 0, count == 0);
            if (count == 0) continue;
            const double gap = least_gap(one, count);
            const double turn = pairs[pair][0] == SADDLE_TOUCH_BOX ? 0.011 : 1e-5;
            /* several pushes are as good */
            const int overlaps_deeply = pairs[pair][0] >= SADDLE_TOUCH_CONVEX && gap < -0.1;
            if (overlaps_deeply) continue;
            assert_true(fabs(gap - least_gap(other, exchanged)) < 1e-7 + 0.01 * turn);
            for (int k = 0; k < 3; k++)
                assert_true(fabs(one[0].normal[k] + other[0].normal[k]) < turn);
        }
    }
}

static saddle__solid moved(const saddle_pose *T, const saddle__solid *solid)
{
    saddle__solid copy = *solid;
    copy.pose = saddle_pose_multiply(T, &solid->pose);
    return copy;
}

static void a_rigid_motion_of_both_changes_nothing(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int pair = 0; pair < PAIRS; pair++) {
        for (int trial = 0; trial < test_draws(TRIALS); trial++) {
            saddle__solid A, B;
            saddle__touching one[SADDLE__TOUCHES_MAX], other[SADDLE__TOUCHES_MAX];
            draw_two(&seed, pairs[pair], &A, &B);
            const saddle_pose T = draw_pose(&seed, 5);
            const saddle__solid A_moved = moved(&T, &A), B_moved = moved(&T, &B);
            const int64_t count = collide(&A, &B, one);
            const int64_t again = collide(&A_moved, &B_moved, other);
            assert_int_equal(again > 0, count > 0);
            if (count == 0) continue;
            if (B.kind >= SADDLE_TOUCH_CONVEX && least_gap(one, count) < -0.1) continue;
            assert_int_equal(again, count);
            assert_true(fabs(least_gap(one, count) - least_gap(other, count)) < 1e-7);
            double n[3];
            saddle__rotate(T.R, one[0].normal, n);
            for (int k = 0; k < 3; k++) assert_true(fabs(n[k] - other[0].normal[k]) < 1e-5);
        }
    }
}

static void the_same_twice_is_the_same_to_the_bit(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        saddle__solid A, B;
        saddle__touching one[SADDLE__TOUCHES_MAX], other[SADDLE__TOUCHES_MAX];
        memset(one, 0, sizeof one);
        memset(other, 0, sizeof other);
        draw_two(&seed, pairs[trial % PAIRS], &A, &B);
        const int64_t count = collide(&A, &B, one);
        assert_int_equal(collide(&A, &B, other), count);
        assert_memory_equal(one, other, sizeof one);
    }
}

/* Apart by d, a shift by e turns the direction of the nearest points by about e/d; boxes may take a
 * face's, 0.01 off. */
static void normals_turn_little_when_shapes_move_little(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int pair = 0; pair < PAIRS; pair++) {
        const double jump = pairs[pair][0] == SADDLE_TOUCH_BOX ? 0.011 : 1e-6;
        for (int trial = 0; trial < test_draws(TRIALS); trial++) {
            saddle__solid A, B;
            saddle__touching one[SADDLE__TOUCHES_MAX], other[SADDLE__TOUCHES_MAX];
            draw_two(&seed, pairs[pair], &A, &B);
            const int64_t count = collide(&A, &B, one);
            if (count == 0 || least_gap(one, count) < 0.02) continue;
            const double shift = 1e-5;
            for (int k = 0; k < 3; k++) B.pose.p[k] += test_uniform(&seed, -shift, shift);
            if (collide(&A, &B, other) == 0) continue;
            const double radii = 2; /* what is round adds to the distance of the middles, no more */
            for (int k = 0; k < 3; k++) {
                const double turn = fabs(one[0].normal[k] - other[0].normal[k]);
                assert_true(turn < jump + radii * 2 * shift / 0.02);
            }
        }
    }
}

/* ---- boxes that rest ---- */

static saddle__solid box_at(double x, double y, double z, double a, double b, double c)
{
    saddle__solid box = {.kind = SADDLE_TOUCH_BOX,
                         .pose = saddle_pose_identity(),
                         .half = {a, b, c}};
    box.pose.p[0] = x;
    box.pose.p[1] = y;
    box.pose.p[2] = z;
    return box;
}

static void a_box_on_a_box_stands_on_the_corners_of_the_overlap(void **state)
{
    (void)state;
    const saddle__solid A = box_at(0, 0, 0, 1, 1, 0.5), B = box_at(0.4, 0.3, 0.7, 1, 1, 0.2);
    saddle__touching touching[SADDLE__TOUCHES_MAX];
    assert_int_equal(collide(&A, &B, touching), 4);
    const double corners[4][2] = {{-0.6, -0.7}, {1, -0.7}, {-0.6, 1}, {1, 1}};
    for (int k = 0; k < 4; k++) {
        double nearest = INFINITY;
        for (int l = 0; l < 4; l++) {
            nearest = fmin(nearest, hypot(touching[l].a[0] - corners[k][0],
                                          touching[l].a[1] - corners[k][1]));
        }
        assert_true(nearest < 1e-12);
        assert_true(fabs(touching[k].gap) < 1e-15 && touching[k].normal[2] == 1 &&
                    fabs(touching[k].a[2] - 0.5) < 1e-15);
    }
}

/* The points of equal boxes, one on the other, are the same ones whichever way they are shaken. */
static void labels_stay_while_a_stack_trembles(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    const saddle__solid A = box_at(0, 0, 0, 1, 1, 1), still = box_at(0.2, -0.1, 2, 1, 1, 1);
    saddle__touching first[SADDLE__TOUCHES_MAX], touching[SADDLE__TOUCHES_MAX];
    assert_int_equal(collide(&A, &still, first), 4);
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        double shake[6];
        for (int k = 0; k < 6; k++) shake[k] = test_uniform(&seed, -1e-4, 1e-4);
        const saddle_pose by = saddle_pose_exp(shake);
        saddle__solid B = still;
        B.pose = saddle_pose_multiply(&still.pose, &by);
        assert_int_equal(collide(&A, &B, touching), 4);
        for (int k = 0; k < 4; k++) {
            int there = 0;
            for (int l = 0; l < 4; l++) there += touching[l].label == first[k].label;
            assert_int_equal(there, 1);
        }
    }
}

/* Turned by an eighth, the overlap has eight corners: four are kept, the lowest among them, and
 * they hold the middle. */
static void of_eight_corners_four_are_kept_and_the_deepest(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    for (int trial = 0; trial < test_draws(TRIALS); trial++) {
        const saddle__solid A = box_at(0, 0, 0, 1, 1, 0.5);
        saddle__solid B = box_at(0, 0, 1, 1, 1, 0.5);
        const double turn[6] = {
            0,          0, 0, test_uniform(&seed, -4e-3, 4e-3), test_uniform(&seed, -4e-3, 4e-3),
            0.785398163};
        B.pose = saddle_pose_exp(turn);
        B.pose.p[2] = 1;
        saddle__touching touching[SADDLE__TOUCHES_MAX];
        assert_int_equal(collide(&A, &B, touching), 4);
        double deepest = INFINITY, middle[2] = {0};
        for (int k = 0; k < 4; k++) { /* where an edge of B crosses one of A, over all */
            const int64_t label = touching[k].label;
            assert_true(label >= SADDLE__LABEL_EDGES && label < SADDLE__LABEL_EDGES + 144);
            for (int i = 0; i < 2; i++) middle[i] += 0.25 * touching[k].a[i];
        }
        for (int k = 0; k < 8; k++) { /* the eight crossings, at (+-1, +-(sqrt 2 - 1)) and turned */
            const double c = sqrt(2) - 1, x = k & 1 ? 1 : -1, y = k & 2 ? c : -c;
            const double at[2] = {k & 4 ? x : y, k & 4 ? y : x};
            const double *n = B.pose.R + 6; /* B's lower face: n'(p - middle) = -half */
            const double height = B.pose.p[2] + (-0.5 - n[0] * at[0] - n[1] * at[1]) / n[2];
            deepest = fmin(deepest, height - 0.5);
        }
        assert_true(fabs(least_gap(touching, 4) - deepest) < 1e-4);
        assert_true(fabs(middle[0]) < 0.45 && fabs(middle[1]) < 0.45);
    }
}

static void capsules_along_each_other_and_on_boxes_touch_at_two_points(void **state)
{
    (void)state;
    saddle__solid A = {.kind = SADDLE_TOUCH_CAPSULE,
                       .pose = saddle_pose_identity(),
                       .half = {0.2, 1}};
    saddle__solid B = A;
    B.pose.p[0] = 0.5;
    B.pose.p[2] = 0.7;
    saddle__touching touching[SADDLE__TOUCHES_MAX];
    assert_int_equal(collide(&A, &B, touching), 2);
    const double low = fmin(touching[0].a[2], touching[1].a[2]),
                 high = fmax(touching[0].a[2], touching[1].a[2]);
    assert_true(fabs(low + 0.3) < 1e-12 && fabs(high - 1) < 1e-12);
    for (int k = 0; k < 2; k++)
        assert_true(fabs(touching[k].gap - 0.1) < 1e-12 && fabs(touching[k].normal[0] - 1) < 1e-12);

    const saddle__solid box = box_at(-0.5, 0, 0, 0.25, 1, 0.6); /* its face x = -0.25 ends at z =
                                                                   0.6 */
    assert_int_equal(collide(&box, &A, touching), 2);
    const double lower = fmin(touching[0].a[2], touching[1].a[2]),
                 upper = fmax(touching[0].a[2], touching[1].a[2]);
    assert_true(fabs(lower + 0.6) < 1e-12 && fabs(upper - 0.6) < 1e-12);
    for (int k = 0; k < 2; k++) assert_true(fabs(touching[k].gap - 0.05) < 1e-12);
}

/* A capsule that lies on a box and rolls about its own axis touches with the same ends. */
static void labels_stay_while_a_capsule_rolls(void **state)
{
    (void)state;
    const saddle__solid box = box_at(0, 0, 0, 2, 2, 1);
    saddle__solid capsule = {.kind = SADDLE_TOUCH_CAPSULE, .half = {0.2, 1}};
    saddle__touching first[SADDLE__TOUCHES_MAX], touching[SADDLE__TOUCHES_MAX];
    for (int step = 0; step < 24; step++) {
        const double down[6] = {0, 0, 0, 1.5707963267948966, 0, 0},
                     turn[6] = {0, 0, 0, 0, 0, 0.3 * step};
        const saddle_pose lying = saddle_pose_exp(down), rolled = saddle_pose_exp(turn);
        capsule.pose = saddle_pose_multiply(&lying, &rolled);
        capsule.pose.p[2] = 1.19;
        assert_int_equal(collide(&box, &capsule, touching), 2);
        if (step == 0) memcpy(first, touching, sizeof first);
        for (int k = 0; k < 2; k++) {
            const saddle__touching *same = &touching[touching[0].label == first[k].label ? 0 : 1];
            assert_int_equal(same->label, first[k].label);
            for (int i = 0; i < 3; i++) assert_true(fabs(same->a[i] - first[k].a[i]) < 1e-12);
            assert_true(fabs(same->gap + 0.01) < 1e-12);
        }
    }
}

#ifdef SADDLE_HAVE_CCD
/* A sphere that presses a little into a polytope keeps its friction: the normal is definite. */
static void a_sphere_on_a_polytope_is_not_deep(void **state)
{
    (void)state;
    double corners[24];
    for (int k = 0; k < 24; k++) corners[k] = (k / 3 >> k % 3 & 1) ? 1 : -1;
    const saddle__solid sphere = {.kind = SADDLE_TOUCH_SPHERE,
                                  .pose = {.p = {0, 0, 1.199}, .R = {1, 0, 0, 0, 1, 0, 0, 0, 1}},
                                  .half = {0.2}};
    const saddle__solid cube = {.kind = SADDLE_TOUCH_CONVEX,
                                .pose = saddle_pose_identity(),
                                .corner_count = 8,
                                .corner = corners};
    saddle__touching touching[SADDLE__TOUCHES_MAX];
    assert_int_equal(collide(&sphere, &cube, touching), 1);
    assert_true(fabs(touching[0].gap + 0.001) < 1e-12 && !touching[0].deep);
}
#endif

/* ---- hostile ---- */

/* On a plane a cylinder stands on three points of its rim and lies on two, the labels of which stay
 * while it rolls and trembles; the points bear an ellipsoid at its support. */
static void cylinders_stand_on_three_points_and_lie_on_two(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    const saddle__solid plane = {.kind = SADDLE_TOUCH_PLANE, .pose = saddle_pose_identity()};
    for (int trial = 0; trial < test_draws(100); trial++) {
        saddle__solid wheel = {.kind = SADDLE_TOUCH_CYLINDER, .half = {0.5, 0.2}};
        saddle__touching touching[SADDLE__TOUCHES_MAX];
        double twist[6] = {0};
        for (int k = 3; k < 6; k++) twist[k] = 1e-9 * test_uniform(&seed, -1, 1);
        twist[5] = trial; /* about its axis */
        const saddle_pose turn = saddle_pose_exp(twist);
        const int lies = trial % 2;
        const double over[6] = {0, 0, 0, lies ? 1.5707963267948966 : 0, 0, 0};
        const saddle_pose side = saddle_pose_exp(over);
        wheel.pose = saddle_pose_multiply(&side, &turn);
        wheel.pose.p[2] = lies ? 0.5 : 0.2;
        assert_int_equal(collide(&plane, &wheel, touching), lies ? 2 : 3);
        double centre[3] = {0};
        int labels = 0;
        for (int k = 0; k < (lies ? 2 : 3); k++) {
            assert_true(fabs(touching[k].gap) < 1e-8);
            labels |= 1 << touching[k].label;
            for (int i = 0; i < 3; i++) centre[i] += touching[k].b[i];
        }
        assert_true(fabs(centre[0]) < 1e-6 && fabs(centre[1]) < 1e-6);
        if (lies) assert_int_equal(labels, 1 << 0 | 1 << 3);
        if (!lies) assert_int_equal(labels, 7);
    }
}

#ifdef SADDLE_HAVE_CCD
/* Axes along z, 1 apart along x, from -0.5 to 0.5 and from -0.5 + shift to 0.5 + shift. */
static void cylinders_side_by_side_touch_along_the_overlap(void **state)
{
    (void)state;
    for (int k = -3; k <= 3; k++) {
        const double shift = 0.25 * k;
        saddle__solid A = {.kind = SADDLE_TOUCH_CYLINDER, .half = {0.5, 0.5}}, B = A;
        saddle__touching found[SADDLE__TOUCHES_MAX];
        A.pose = saddle_pose_identity();
        B.pose = saddle_pose_identity();
        B.pose.p[0] = 1;
        B.pose.p[2] = shift;
        assert_int_equal(collide(&A, &B, found), 2);
        const int low = found[0].a[2] > found[1].a[2];
        assert_true(fabs(found[low].a[2] - fmax(-0.5, -0.5 + shift)) < 1e-5);
        assert_true(fabs(found[!low].a[2] - fmin(0.5, 0.5 + shift)) < 1e-5);
        assert_sound(&A, &B, found, 2, 1e-5);
    }
}

/* All on both surfaces at the depth given, and none beside the face. */
static void a_cylinder_on_a_box_has_points_over_the_face_only(void **state)
{
    (void)state;
    static const struct {
        double edge, x, lies; /* half edge of the box, place of the cylinder */
        int64_t points;
        double farthest; /* of |x| of the points */
    } cases[] = {
        {5, 0, 0, 3, 0.5},   /* a cup on a table: its three points */
        {0.2, 0, 0, 4, 0.2}, /* a plate on a small post: the post's corners */
        {5, 0, 1, 2, 0},     /* a log on the floor: both ends */
        {5, 4.9, 0, 4, 5.0}, /* a cup over the edge: cut there */
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const saddle__solid box = {.kind = SADDLE_TOUCH_BOX,
                                   .pose = saddle_pose_identity(),
                                   .half = {cases[c].edge, cases[c].edge, 1}};
        const double over[6] = {0, 0, 0, cases[c].lies * 1.5707963267948966, 0, 0};
        saddle__solid wheel = {.kind = SADDLE_TOUCH_CYLINDER,
                               .pose = saddle_pose_exp(over),
                               .half = {0.5, 0.2}};
        saddle__touching touching[SADDLE__TOUCHES_MAX];
        wheel.pose.p[0] = cases[c].x;
        wheel.pose.p[2] = 1 + (cases[c].lies > 0 ? 0.5 : 0.2) - 1e-3;
        const int64_t count = collide(&box, &wheel, touching);
        assert_int_equal(count, cases[c].points);
        assert_sound(&box, &wheel, touching, count, 1e-8);
        double most = 0;
        for (int64_t k = 0; k < count; k++) {
            assert_true(fabs(touching[k].gap + 1e-3) < 1e-9 && touching[k].normal[2] > 1 - 1e-12);
            most = fmax(most, fabs(touching[k].b[0]));
        }
        assert_true(fabs(most - cases[c].farthest) < 1e-6);
    }
}
#endif

/* One in the other's middle, aligned or turned by right angles, flat as paper or as long as a
 * street. */
static void coincident_and_degenerate_shapes_give_sound_points(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    const double sizes[] = {1e-6, 1e-3, 1, 1, 1e3};
    for (int trial = 0; trial < test_draws(10 * TRIALS); trial++) {
        saddle__solid A, B;
        draw_two(&seed, pairs[trial % PAIRS], &A, &B);
        if (B.kind == SADDLE_TOUCH_CONVEX) continue;
        saddle__solid *const both[] = {&A, &B};
        for (int k = 0; k < 2; k++) {
            both[k]->pose = saddle_pose_identity();
            const double quarter[6] = {0, 0, 0, 0.5 * acos(-1) * (double)test_integer(&seed, 0, 3),
                                       0, 0};
            if (trial % 3) both[k]->pose = saddle_pose_exp(quarter);
            for (int i = 0; i < 3; i++) both[k]->half[i] = sizes[test_integer(&seed, 0, 4)];
        }
        if (trial % 2) B.pose.p[trial % 3] = A.half[trial % 3] + B.half[trial % 3];
        saddle__touching touching[SADDLE__TOUCHES_MAX];
        const int64_t count = collide(&A, &B, touching);
        for (int64_t k = 0; k < count; k++) {
            const saddle__touching *t = &touching[k];
            assert_true(fabs(saddle__dot(t->normal, t->normal) - 1) < 1e-12 && isfinite(t->gap));
            for (int i = 0; i < 3; i++) {
                assert_true(isfinite(t->a[i]) &&
                            fabs(t->a[i] + t->gap * t->normal[i] - t->b[i]) < 1e-9);
            }
        }
    }
}

static void one_within_the_other_is_pushed_the_shortest_way(void **state)
{
    (void)state;
    saddle__solid ball = {.kind = SADDLE_TOUCH_SPHERE,
                          .pose = saddle_pose_identity(),
                          .half = {0.1}};
    const saddle__solid same = ball, box = box_at(0, 0, 0, 1, 0.5, 2);
    saddle__touching touching[SADDLE__TOUCHES_MAX];
    assert_int_equal(collide(&ball, &same, touching), 1);
    assert_true(fabs(touching[0].gap + 0.2) < 1e-15);
    assert_int_equal(collide(&ball, &box, touching), 1);
    assert_true(fabs(touching[0].gap + 0.6) < 1e-15 && fabs(touching[0].normal[1]) == 1);
    assert_true(collide(&box, &box, touching) > 0);
    assert_true(fabs(least_gap(touching, 1) + 1) < 1e-12);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_least_gap_is_the_most_separation_of_all_directions),
        cmocka_unit_test(what_is_exchanged_touches_alike),
        cmocka_unit_test(a_rigid_motion_of_both_changes_nothing),
        cmocka_unit_test(the_same_twice_is_the_same_to_the_bit),
        cmocka_unit_test(normals_turn_little_when_shapes_move_little),
        cmocka_unit_test(a_box_on_a_box_stands_on_the_corners_of_the_overlap),
        cmocka_unit_test(labels_stay_while_a_stack_trembles),
        cmocka_unit_test(of_eight_corners_four_are_kept_and_the_deepest),
        cmocka_unit_test(capsules_along_each_other_and_on_boxes_touch_at_two_points),
        cmocka_unit_test(labels_stay_while_a_capsule_rolls),
#ifdef SADDLE_HAVE_CCD
        cmocka_unit_test(a_sphere_on_a_polytope_is_not_deep),
#endif
        cmocka_unit_test(cylinders_stand_on_three_points_and_lie_on_two),
#ifdef SADDLE_HAVE_CCD
        cmocka_unit_test(cylinders_side_by_side_touch_along_the_overlap),
        cmocka_unit_test(a_cylinder_on_a_box_has_points_over_the_face_only),
#endif
        cmocka_unit_test(coincident_and_degenerate_shapes_give_sound_points),
        cmocka_unit_test(one_within_the_other_is_pushed_the_shortest_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
