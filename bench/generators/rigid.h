/* SPDX-License-Identifier: MIT */
/* Rigid bodies in maximal coordinates and the rows that join them.
 *
 * A body has the twist (nu, omega): velocity of its frame's origin and angular velocity, both in
 * body coordinates.  With mass m, centre of mass c and inertia I about it,
 *
 *     G = [  m 1     -m [c]         ]     momentum (p, l) = G (nu, omega)
 *         [  m [c]    I - m [c][c]  ]
 *
 *     G d(twist)/dt + (omega x p, omega x l + nu x p) = wrench   (Newton-Euler in body coordinates)
 *
 * and a semi-implicit step of length h is  G v - J'lambda = G twist + h (wrench - gyroscopic term).
 *
 * A joint between A and B has rows J v = velocity of B's feature minus that of A's, along
 * directions fixed in the world during the step.  A NULL body is the ground.
 */
#ifndef SADDLE_GENERATORS_RIGID_H
#define SADDLE_GENERATORS_RIGID_H

#include "builder.h"

typedef struct rigid_body {
    double mass;        /* [kg] */
    double centre[3];   /* of mass, body coordinates [m] */
    double inertia[3];  /* about the centre of mass, along the body's axes [kg m^2] */
    double rotation[9]; /* R_WB, by rows: body to world */
    double position[3]; /* of the frame's origin, world coordinates [m] */
    double twist[6];    /* nu [m/s], omega [rad/s], body coordinates */
    int64_t column;     /* its first velocity */
} rigid_body;

/* ---- three-vectors and rotations ---- */

void rigid_cross(const double *a, const double *b, double *c);          /* c = a x b */
void rigid_rotate(const double *R, const double *a, double *b);         /* b = R a */
void rigid_rotate_back(const double *R, const double *a, double *b);    /* b = R' a */
void rigid_chain_rotation(const double *A, const double *B, double *C); /* C = A B */

/* The rotation about coordinate axis 0, 1 or 2 by the angle with that cosine and sine. */
void rigid_turn(int axis, double cosine, double sine, double *R);

/* ---- bodies ---- */

/* A box with sides [m] and density [kg/m^3], at rest at the world's origin, its centre of mass at
 * `centre` (NULL = 0). */
rigid_body rigid_box(double density, const double *sides, const double *centre);

void rigid_inertia_matrix(const rigid_body *body, double *G); /* 6 x 6 by rows */
/* 6: (omega x p, omega x l + nu x p) */
void rigid_gyroscopic(const rigid_body *body, double *force);
/* C (6 x 6 by rows) = d(gyroscopic term)/d(twist); K = d(weight)/d(turning of the body), columns 0
 * .. 2 zero. */
void rigid_gyroscopic_jacobian(const rigid_body *body, double *C);
void rigid_weight_stiffness(const rigid_body *body, const double *gravity, double *K);

/* 6, about the origin */
void rigid_weight(const rigid_body *body, const double *gravity, double *wrench);
/* where a body point is */
void rigid_point(const rigid_body *body, const double *local, double *world);

/* Adds its six velocities (sets column), its inertia unless the caller adds M itself (with_mass =
 * 0), and f = G twist + h (weight - gyroscopic term). */
void rigid_add(builder *b, rigid_body *body, int with_mass, double h, const double *gravity,
               const char *name, int64_t number);

/* h * a force [N] in the world at a body point, into f. */
void rigid_push(builder *b, const rigid_body *body, double h, const double *local,
                const double *force);

/* ---- rows ---- */

/* Row of J: sign * direction . velocity of the body's point, and sign * direction . angular
 * velocity; direction in the world.  body NULL: nothing. */
void rigid_point_row(builder *b, int64_t row, double sign, const rigid_body *body,
                     const double *local, const double *direction);
void rigid_turn_row(builder *b, int64_t row, double sign, const rigid_body *body,
                    const double *direction);

/* A's point a and B's point coincide: 3 equality rows along the world's axes; returns the first. */
int64_t rigid_ball(builder *b, const rigid_body *A, const double *a, const rigid_body *B,
                   const double *point, const char *name, int64_t number);

/* The same along the columns of `frame` (by rows, joint to world) and no turning about its first
 * two: 5 equality rows; the hinge turns about the third column.  Row ids are 8 number + 0 .. 4. */
int64_t rigid_hinge(builder *b, const rigid_body *A, const double *a, const rigid_body *B,
                    const double *point, const double *frame, const char *name, int64_t number);

/* The turning velocity of B against A about a hinge's axis: wanted [rad/s] within lo <= impulse <=
 * hi [N m s]; returns the row, id 8 number + 5. */
int64_t rigid_hinge_drive(builder *b, const rigid_body *A, const rigid_body *B, const double *frame,
                          double wanted, double lo, double hi, const char *name, int64_t number);

/* A frictional contact of A's point a and B's point, normal from A to B as the third column of
 * frame (by rows, contact to world), tangents the first two: rows normal, tangent 1, tangent 2;
 * returns the first.  Row ids are 100000 + 4 number + 0 .. 2. */
int64_t rigid_contact(builder *b, const rigid_body *A, const double *a, const rigid_body *B,
                      const double *point, const double *frame, double mu, const char *name,
                      int64_t number);

#endif
