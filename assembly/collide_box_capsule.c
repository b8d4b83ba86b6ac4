/* SPDX-License-Identifier: MIT */
/* Contact of a box and a capsule: the box against the axis of the capsule, a segment, in box axes.
 *
 * Outside the box the squared distance of p + t (q - p) is convex in t, and a parabola between the
 * planes of the faces.  Inside, the least displacement is along a face normal or the cross product
 * of an edge and the segment (faces of the Minkowski sum).  Over a face, both ends of the segment's
 * part above the face are points.
 */
#include <math.h>

#include "collide.h"
#include "space/space.h"

typedef struct meeting {
    const saddle__solid *box;
    double radius, margin;
    double p[3], along[3]; /* the segment p + t along, t = 0 .. 1, in the box's axes */
} meeting;

static void point_at(const meeting *m, double t, double *x)
{
    for (int k = 0; k < 3; k++) x[k] = m->p[k] + t * m->along[k];
}

/* The squared distance of x from the box; nearest (3) its nearest point. */
static double squared_distance(const meeting *m, const double *x, double *nearest)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        nearest[k] = fmax(-m->box->half[k], fmin(m->box->half[k], x[k]));
        sum += (x[k] - nearest[k]) * (x[k] - nearest[k]);
    }
    return sum;
}

/* t of least distance in [from, to], where no coordinate crosses a face. */
static double least_between(const meeting *m, double from, double to)
{
    double x[3], slope = 0, curvature = 0;
    point_at(m, 0.5 * (from + to), x);
    for (int k = 0; k < 3; k++) {
        if (fabs(x[k]) <= m->box->half[k]) continue;
        const double face = x[k] > 0 ? m->box->half[k] : -m->box->half[k];
        slope += (m->p[k] - face) * m->along[k];
        curvature += m->along[k] * m->along[k];
    }
    const double t = curvature > 0 ? -slope / curvature : 0.5 * (from + to);
    return t < from ? from : t > to ? to : t;
}

/* t of the point of the segment nearest to the box; *squared: squared distance. */
static double nearest_parameter(const meeting *m, double *squared)
{
    double stop[8] = {0};
    int stops = 1;
    for (int k = 0; k < 6; k++) {
        const double face = k < 3 ? m->box->half[k] : -m->box->half[k - 3];
        const double t = m->along[k % 3] != 0 ? (face - m->p[k % 3]) / m->along[k % 3] : -1;
        if (!(t > 0 && t < 1)) continue;
        int place = stops++;
        for (; stop[place - 1] > t; place--) stop[place] = stop[place - 1];
        stop[place] = t;
    }
    stop[stops] = 1;
    double best = 0;
    *squared = INFINITY;
    for (int k = 0; k < stops; k++) {
        double x[3], nearest[3];
        const double t = least_between(m, stop[k], stop[k + 1]);
        point_at(m, t, x);
        const double found = squared_distance(m, x, nearest);
        if (found < *squared) {
            *squared = found;
            best = t;
        }
    }
    return best;
}

/* A contact at x on the box, gap along n, box axes. */
static int64_t add_contact(const meeting *m, const double *x, const double *n, double gap,
                           int64_t label, saddle__touching *touching)
{
    double on_box[3], normal[3];
    saddle_pose_point(&m->box->pose, x, on_box);
    saddle__rotate(m->box->pose.R, n, normal);
    return saddle__touch(on_box, 1, normal, gap, m->margin, label, touching);
}

/* Contacts at the ends of the segment's part over a face; 0 where no gap is at most `most`. */
static int64_t face_contacts(const meeting *m, int axis, double sign, double most,
                             saddle__touching *touching)
{
    double from = 0, to = 1, n[3] = {0}, least = INFINITY;
    for (int k = 0; k < 3; k++) {
        if (k == axis) continue;
        if (m->along[k] == 0 && fabs(m->p[k]) > m->box->half[k]) return 0;
        if (m->along[k] == 0) continue;
        const double one = (m->box->half[k] - m->p[k]) / m->along[k],
                     two = (-m->box->half[k] - m->p[k]) / m->along[k];
        from = fmax(from, fmin(one, two));
        to = fmin(to, fmax(one, two));
    }
    if (from > to) return 0;
    n[axis] = sign;
    int64_t count = 0;
    const double length = sqrt(saddle__dot(m->along, m->along));
    for (int end = 0; end < 2; end++) {
        double x[3];
        point_at(m, end == 0 ? from : to, x);
        const double gap = sign * x[axis] - m->box->half[axis] - m->radius;
        x[axis] = sign * m->box->half[axis];
        least = fmin(least, gap);
        const int64_t label = end + (end == 0 ? from > 0 : to < 1) * 2;
        if (end == 1 && (to - from) * length <= SADDLE__SAME_POINT * m->radius && count > 0) {
            if (gap < touching[0].gap) add_contact(m, x, n, gap, label, touching);
        } else {
            count += add_contact(m, x, n, gap, label, touching + count);
        }
    }
    return least <= most ? count : 0;
}

/* The axis of the face with normal nearly n; -1 = none. */
static int flat_axis(const double *n)
{
    for (int k = 0; k < 3; k++)
        if (fabs(n[k]) >= cos(SADDLE__FLAT_ANGLE)) return k;
    return -1;
}

static int64_t separate_contacts(const meeting *m, double t, double distance,
                                 saddle__touching *touching)
{
    const double gap = distance - m->radius;
    double x[3], nearest[3], n[3];
    point_at(m, t, x);
    squared_distance(m, x, nearest);
    int64_t sides = 0;
    for (int k = 0; k < 3; k++) {
        n[k] = x[k] - nearest[k];
        sides = 3 * sides + (n[k] > 0) - (n[k] < 0) + 1;
    }
    saddle__direction(n, n);
    const int axis = flat_axis(n);
    const int64_t count = axis < 0 ? 0
                                   : face_contacts(m, axis, n[axis] > 0 ? 1 : -1,
                                                   gap + SADDLE__FLAT_ANGLE * fabs(gap), touching);
    return count > 0 ? count : add_contact(m, nearest, n, gap, 8 + sides, touching);
}

/* n: cross product of a box axis and the segment, from the box to the segment.  Returns the
 * separation, -INFINITY where parallel. */
static double across_edges(const meeting *m, int axis, double *n)
{
    double edge[3] = {0};
    edge[axis] = 1;
    saddle__cross(edge, m->along, n);
    const double length = sqrt(saddle__dot(m->along, m->along));
    if (!(saddle__dot(n, n) > SADDLE__ROUNDING * length * length)) return -INFINITY;
    saddle__direction(n, n);
    double off = saddle__dot(n, m->p);
    for (int k = 0; k < 3 && off < 0; k++) n[k] = -n[k];
    off = fabs(off);
    for (int k = 0; k < 3; k++) off -= fabs(n[k]) * m->box->half[k];
    return off;
}

/* Contact of the segment with the nearest edge along axis. */
static int64_t edge_contact(const meeting *m, int axis, const double *n, double separation,
                            saddle__touching *touching)
{
    double from[3], to[3], q[3], s, t, x[3];
    for (int k = 0; k < 3; k++) {
        const double side = n[k] > 0 ? m->box->half[k] : -m->box->half[k];
        from[k] = k == axis ? -m->box->half[k] : side;
        to[k] = k == axis ? m->box->half[k] : side;
    }
    point_at(m, 1, q);
    saddle__nearest_of_segments(from, to, m->p, q, &s, &t);
    saddle__between(from, to, s, x);
    return add_contact(m, x, n, separation - m->radius, 40 + axis, touching);
}

static int64_t overlap_contacts(const meeting *m, saddle__touching *touching)
{
    double q[3], n[3] = {0}, best = -INFINITY, sign = 1;
    int face = 0, edge = -1;
    point_at(m, 1, q);
    for (int k = 0; k < 6; k++) {
        const double side = k < 3 ? 1 : -1;
        const double separation = fmin(side * m->p[k % 3], side * q[k % 3]) - m->box->half[k % 3];
        if (separation <= best) continue;
        best = separation;
        face = k % 3;
        sign = side;
    }
    for (int k = 0; k < 3; k++) {
        double across[3];
        const double separation = across_edges(m, k, across);
        if (separation <= best + SADDLE__ROUNDING * m->box->half[k]) continue;
        best = separation;
        edge = k;
        for (int i = 0; i < 3; i++) n[i] = across[i];
    }
    const int axis = edge < 0 ? face : flat_axis(n);
    const double most = edge < 0 ? INFINITY : best * (1 - SADDLE__FLAT_ANGLE) - m->radius;
    if (edge >= 0) sign = axis >= 0 && n[axis] < 0 ? -1 : 1;
    const int64_t count = axis < 0 ? 0 : face_contacts(m, axis, sign, most, touching);
    return count > 0 || edge < 0 ? count : edge_contact(m, edge, n, best, touching);
}

int64_t saddle__collide_box_capsule(const saddle__solid *A, const saddle__solid *B, double margin,
                                    saddle__touching *touching)
{
    meeting m = {.box = A, .radius = B->half[0], .margin = margin};
    double p[3], axis[3], squared;
    for (int k = 0; k < 3; k++) {
        axis[k] = 2 * B->half[1] * B->pose.R[6 + k];
        p[k] = B->pose.p[k] - 0.5 * axis[k] - A->pose.p[k];
    }
    saddle__unrotate(A->pose.R, p, m.p);
    saddle__unrotate(A->pose.R, axis, m.along);
    const double t = nearest_parameter(&m, &squared);
    const double distance = sqrt(squared);
    if (!(distance - m.radius <= margin)) return 0;
    return distance > SADDLE__ROUNDING * (A->half[0] + A->half[1] + A->half[2])
               ? separate_contacts(&m, t, distance, touching)
               : overlap_contacts(&m, touching);
}
