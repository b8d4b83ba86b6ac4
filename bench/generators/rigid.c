/* SPDX-License-Identifier: MIT */
/* Rigid bodies in maximal coordinates and the rows of their joints: see rigid.h. */
#include "rigid.h"

#include <math.h>
#include <string.h>

/* ---- three-vectors and rotations ---- */

void rigid_cross(const double *a, const double *b, double *c)
{
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
}

void rigid_rotate(const double *R, const double *a, double *b)
{
    for (int i = 0; i < 3; i++) b[i] = R[3 * i] * a[0] + R[3 * i + 1] * a[1] + R[3 * i + 2] * a[2];
}

void rigid_rotate_back(const double *R, const double *a, double *b)
{
    for (int i = 0; i < 3; i++) b[i] = R[i] * a[0] + R[3 + i] * a[1] + R[6 + i] * a[2];
}

void rigid_chain_rotation(const double *A, const double *B, double *C)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            C[3 * i + j] = A[3 * i] * B[j] + A[3 * i + 1] * B[3 + j] + A[3 * i + 2] * B[6 + j];
}

void rigid_turn(int axis, double cosine, double sine, double *R)
{
    int next = (axis + 1) % 3, last = (axis + 2) % 3;
    memset(R, 0, 9 * sizeof *R);
    R[4 * axis] = 1;
    R[4 * next] = cosine;
    R[4 * last] = cosine;
    R[3 * last + next] = sine;
    R[3 * next + last] = -sine;
}

/* ---- bodies ---- */

rigid_body rigid_box(double density, const double *sides, const double *centre)
{
    rigid_body body;
    memset(&body, 0, sizeof body);
    body.mass = density * sides[0] * sides[1] * sides[2];
    for (int i = 0; i < 3; i++) {
        double s = sides[(i + 1) % 3], t = sides[(i + 2) % 3];
        body.inertia[i] = body.mass * (s * s + t * t) / 12;
        body.centre[i] = centre != NULL ? centre[i] : 0;
        body.rotation[4 * i] = 1;
    }
    return body;
}

/* C = [a]: C b = a x b. */
static void cross_matrix(const double *a, double *C)
{
    const double value[9] = {0, -a[2], a[1], a[2], 0, -a[0], -a[1], a[0], 0};
    memcpy(C, value, sizeof value);
}

void rigid_inertia_matrix(const rigid_body *body, double *G)
{
    const double *c = body->centre;
    double C[9];
    cross_matrix(c, C);
    double square = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double one = i == j ? 1 : 0;
            G[6 * i + j] = body->mass * one;
            G[6 * i + j + 3] = -body->mass * C[3 * i + j];
            G[6 * (i + 3) + j] = body->mass * C[3 * i + j];
            G[6 * (i + 3) + j + 3] = one * body->inertia[i] +
                                     body->mass * (one * square - c[i] * c[j]);
        }
}

void rigid_gyroscopic(const rigid_body *body, double *force)
{
    double G[36], momentum[6], term[3];
    rigid_inertia_matrix(body, G);
    for (int i = 0; i < 6; i++) {
        momentum[i] = 0;
        for (int j = 0; j < 6; j++) momentum[i] += G[6 * i + j] * body->twist[j];
    }
    const double *nu = body->twist, *omega = body->twist + 3;
    rigid_cross(omega, momentum, force);
    rigid_cross(omega, momentum + 3, force + 3);
    rigid_cross(nu, momentum, term);
    for (int i = 0; i < 3; i++) force[3 + i] += term[i];
}

void rigid_weight(const rigid_body *body, const double *gravity, double *wrench)
{
    rigid_rotate_back(body->rotation, gravity, wrench);
    for (int i = 0; i < 3; i++) wrench[i] *= body->mass;
    rigid_cross(body->centre, wrench, wrench + 3);
}

void rigid_point(const rigid_body *body, const double *local, double *world)
{
    rigid_rotate(body->rotation, local, world);
    for (int i = 0; i < 3; i++) world[i] += body->position[i];
}

void rigid_add(builder *b, rigid_body *body, int with_mass, double h, const double *gravity,
               const char *name, int64_t number)
{
    double G[36], gyroscopic[6], weight[6];
    body->column = name != NULL ? builder_velocities(b, 6, "%s %lld", name, (long long)number)
                                : builder_velocities(b, 6, NULL);
    rigid_inertia_matrix(body, G);
    rigid_gyroscopic(body, gyroscopic);
    rigid_weight(body, gravity, weight);
    for (int i = 0; i < 6; i++) {
        double momentum = 0;
        for (int j = 0; j < 6; j++) momentum += G[6 * i + j] * body->twist[j];
        builder_force(b, body->column + i, momentum + h * (weight[i] - gyroscopic[i]));
        for (int j = 0; with_mass && j <= i; j++)
            if (i == j || G[6 * i + j] < 0 || G[6 * i + j] > 0)
                builder_mass(b, body->column + i, body->column + j, G[6 * i + j]);
    }
}

void rigid_push(builder *b, const rigid_body *body, double h, const double *local,
                const double *force)
{
    double wrench[6];
    rigid_rotate_back(body->rotation, force, wrench);
    rigid_cross(local, wrench, wrench + 3);
    for (int i = 0; i < 6; i++) builder_force(b, body->column + i, h * wrench[i]);
}

/* ---- rows ---- */

/* Entries below are the rounding of a rotation and its inverse [-, m]. */
#define NOISE 1e-12

static void add_nonzero(builder *b, int64_t row, int64_t velocity, double value)
{
    if (fabs(value) > NOISE) builder_jacobian(b, row, velocity, value);
}

void rigid_point_row(builder *b, int64_t row, double sign, const rigid_body *body,
                     const double *local, const double *direction)
{
    if (body == NULL) return;
    double along[3], arm[3];
    rigid_rotate_back(body->rotation, direction, along);
    rigid_cross(local, along, arm);
    for (int i = 0; i < 3; i++) add_nonzero(b, row, body->column + i, sign * along[i]);
    for (int i = 0; i < 3; i++) add_nonzero(b, row, body->column + 3 + i, sign * arm[i]);
}

void rigid_turn_row(builder *b, int64_t row, double sign, const rigid_body *body,
                    const double *direction)
{
    if (body == NULL) return;
    double along[3];
    rigid_rotate_back(body->rotation, direction, along);
    for (int i = 0; i < 3; i++) add_nonzero(b, row, body->column + 3 + i, sign * along[i]);
}

static void column_of(const double *frame, int k, double *direction)
{
    for (int i = 0; i < 3; i++) direction[i] = frame[3 * i + k];
}

/* Velocity of B's point against A's along column k of the frame. */
static void join_points(builder *b, int64_t row, const rigid_body *A, const double *a,
                        const rigid_body *B, const double *point, const double *frame, int k)
{
    double direction[3];
    column_of(frame, k, direction);
    rigid_point_row(b, row, -1, A, a, direction);
    rigid_point_row(b, row, 1, B, point, direction);
}

int64_t rigid_ball(builder *b, const rigid_body *A, const double *a, const rigid_body *B,
                   const double *point, const char *name, int64_t number)
{
    static const double world[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    int64_t first = 0;
    for (int k = 0; k < 3; k++) {
        int64_t row = builder_equality(b);
        first = k == 0 ? row : first;
        join_points(b, row, A, a, B, point, world, k);
        if (name != NULL)
            builder_label(b, row, 8 * number + k, "%s %lld %c", name, (long long)number, "xyz"[k]);
    }
    return first;
}

int64_t rigid_hinge(builder *b, const rigid_body *A, const double *a, const rigid_body *B,
                    const double *point, const double *frame, const char *name, int64_t number)
{
    static const char *const part[5] = {"x", "y", "along", "turn x", "turn y"};
    int64_t first = 0;
    for (int k = 0; k < 5; k++) {
        int64_t row = builder_equality(b);
        first = k == 0 ? row : first;
        if (k < 3) {
            join_points(b, row, A, a, B, point, frame, k);
        } else {
            double direction[3];
            column_of(frame, k - 3, direction);
            rigid_turn_row(b, row, -1, A, direction);
            rigid_turn_row(b, row, 1, B, direction);
        }
        if (name != NULL)
            builder_label(b, row, 8 * number + k, "%s %lld %s", name, (long long)number, part[k]);
    }
    return first;
}

int64_t rigid_hinge_drive(builder *b, const rigid_body *A, const rigid_body *B, const double *frame,
                          double wanted, double lo, double hi, const char *name, int64_t number)
{
    double axis[3];
    column_of(frame, 2, axis);
    int64_t row = builder_row(b, lo, hi, wanted);
    rigid_turn_row(b, row, -1, A, axis);
    rigid_turn_row(b, row, 1, B, axis);
    if (name != NULL) builder_label(b, row, 8 * number + 5, "%s %lld", name, (long long)number);
    return row;
}

int64_t rigid_contact(builder *b, const rigid_body *A, const double *a, const rigid_body *B,
                      const double *point, const double *frame, double mu, const char *name,
                      int64_t number)
{
    static const int column[3] = {2, 0, 1};
    static const char *const part[3] = {"normal", "tangent 1", "tangent 2"};
    int64_t first = 0;
    for (int k = 0; k < 3; k++) {
        int64_t row = builder_equality(b); /* the law bounds it */
        first = k == 0 ? row : first;
        join_points(b, row, A, a, B, point, frame, column[k]);
        if (name != NULL)
            builder_label(b, row, 100000 + 4 * number + k, "%s %lld %s", name, (long long)number,
                          part[k]);
    }
    builder_contact(b, first, 3, mu);
    return first;
}
