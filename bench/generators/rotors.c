/* SPDX-License-Identifier: MIT */
/* Spinning bodies in a row, an elastic shaft that hangs freely at one end, with the forces'
 * Jacobians in M.  A linearly implicit step of length h in body coordinates:
 *
 *     (G - h D - h^2 K) v - J'lambda = G twist + h F - h D twist
 *
 *     D = dF/dtwist,   K = dF/dconfiguration
 *     F = weight + thrust - gyroscopic term - damping and stiffness of turning against the
 *         neighbours
 *
 * D of the gyroscopic term and K of the weight (rigid_jacobian.c) are unsymmetric; K of the thrust
 * is zero, since the force follows the body; damping and stiffness are symmetric.
 *
 * The bodies lie along x, each turned about x, spin about it, and have their centre of mass beside
 * it.  Rows: a ball joint between neighbours and one to the ground, J v = 0.  n = 6 bodies, m = 3
 * bodies, J of full row rank.
 */
#include "generators.h"
#include "rigid.h"

#define LENGTH 0.2        /* of a body along the shaft [m] */
#define ECCENTRICITY 0.01 /* of the centre of mass, along y [m] */

saddle_rotors_parameters saddle_rotors_default(void)
{
    saddle_rotors_parameters p = {
        .bodies = 12, .spin = 60, .thrust = 200, .stiffness = 2e3, .damping = 2, .time_step = 0.01};
    return p;
}

static void add_matrix(builder *b, const rigid_body *body, double factor, const double *A)
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            if (A[6 * i + j] < 0 || A[6 * i + j] > 0)
                builder_mass(b, body->column + i, body->column + j, factor * A[6 * i + j]);
}

/* Adds S' (h damping + h^2 stiffness) S, S v = omega of B - omega of A in B's coordinates; A NULL
 * is the ground. */
static void add_turning(builder *b, double factor, const rigid_body *A, const rigid_body *B)
{
    double relative[9] = {0}; /* R_BA */
    for (int i = 0; A != NULL && i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                relative[3 * i + j] += B->rotation[3 * k + i] * A->rotation[3 * k + j];
    for (int i = 0; i < 3; i++) {
        builder_mass(b, B->column + 3 + i, B->column + 3 + i, factor);
        for (int j = 0; A != NULL && j < 3; j++) {
            builder_mass(b, B->column + 3 + i, A->column + 3 + j, -factor * relative[3 * i + j]);
            builder_mass(b, A->column + 3 + j, B->column + 3 + i, -factor * relative[3 * i + j]);
        }
        if (A != NULL) builder_mass(b, A->column + 3 + i, A->column + 3 + i, factor);
    }
}

static rigid_body make_rotor(const saddle_rotors_parameters *p, int64_t i)
{
    static const double sides[3] = {LENGTH, 0.16, 0.12}, centre[3] = {LENGTH / 2, ECCENTRICITY, 0};
    rigid_body rotor = rigid_box(2700, sides, centre);
    rigid_turn(0, i % 2 == 0 ? 0.8 : 0.6, i % 2 == 0 ? 0.6 : -0.8, rotor.rotation);
    rotor.position[0] = LENGTH * (double)i;
    rotor.twist[3] = p->spin;
    return rotor;
}

/* The gyroscopic term and the weight, in M and f: f also takes h * (its Jacobian) * twist, see
 * above. */
static void add_implicit(builder *b, const rigid_body *body, double h, const double *gravity)
{
    double matrix[36];
    rigid_gyroscopic_jacobian(body, matrix);
    add_matrix(b, body, h, matrix);
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++)
            builder_force(b, body->column + i, h * matrix[6 * i + j] * body->twist[j]);
    rigid_weight_stiffness(body, gravity, matrix);
    add_matrix(b, body, -h * h, matrix);
    rigid_inertia_matrix(body, matrix);
    add_matrix(b, body, 1, matrix);
}

saddle_status saddle_generate_rotors(saddle_context *context,
                                     const saddle_rotors_parameters *parameters,
                                     saddle_problem *problem)
{
    static const double gravity[3] = {0, 0, -9.81}, origin[3] = {0, 0, 0}, tip[3] = {LENGTH, 0, 0};
    const saddle_rotors_parameters *p = parameters;
    *problem = (saddle_problem){0};
    if (p->bodies < 1 || p->bodies > 10000000 || !(p->time_step > 0) || !(p->damping >= 0) ||
        !(p->stiffness >= 0))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "rotors: a parameter is out of range");
    double h = p->time_step;
    builder b = builder_begin(context);
    b.unsymmetric_mass = 1;
    rigid_body before = {0};
    for (int64_t i = 0; i < p->bodies; i++) {
        rigid_body rotor = make_rotor(p, i);
        rigid_add(&b, &rotor, 0, h, gravity, "rotor", i + 1);
        add_implicit(&b, &rotor, h, gravity);
        add_turning(&b, h * p->damping + h * h * p->stiffness, i > 0 ? &before : NULL, &rotor);
        rigid_ball(&b, i > 0 ? &before : NULL, tip, &rotor, origin, "joint", i + 1);
        before = rotor;
    }
    builder_force(&b, before.column, -h * p->thrust);
    return builder_finish(&b, "rotors on a shaft", h, problem);
}
