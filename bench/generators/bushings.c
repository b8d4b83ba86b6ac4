/* SPDX-License-Identifier: MIT */
/* Bodies around a ring, neighbours joined by elastic bushings with six rows each, four of them also
 * to the ground:
 *
 *     impulse = -h C^-1 (deflection + (h + tau) J v)      an implicit spring with proportional
 *                                                         damping, relaxation time tau
 *     i.e.  J v + R lambda = b,   R = C / (h (h + tau)),   b = -deflection / (h + tau)
 *
 * C (6 x 6) is the compliance at the bushing's reference point: of an elastic centre beside it,
 * along tilted axes,
 *
 *     C = T diag(1/k) T',   T = [ Q  -[d] Q ]    d  reference point - elastic centre
 *                               [ 0      Q  ]    Q  axes to bushing frame
 *
 * so R is symmetric positive definite with dense 6 x 6 blocks.  J v is the relative twist at the
 * reference point.  n = 6 bodies, m = 6 (bodies + 4): more rows than velocities, which R > 0 makes
 * solvable.
 */
#include <math.h>
#include <string.h>

#include "draw.h"
#include "generators.h"
#include "rigid.h"

#define RELAXATION 0.005 /* tau [s] */

saddle_bushings_parameters saddle_bushings_default(void)
{
    saddle_bushings_parameters p = {.bodies = 10, .stiffness = 1e6, .time_step = 0.01, .seed = 1};
    return p;
}

/* Body i on the unit circle, without a sine: ((1 - t^2), 2 t) / (1 + t^2) for half of them,
 * opposite for the others. */
static rigid_body make_body(int64_t i, int64_t count)
{
    static const double sides[3] = {0.3, 0.2, 0.1}, centre[3] = {0.02, -0.01, 0.03};
    rigid_body body = rigid_box(1500, sides, centre);
    int64_t half = count / 2;
    double t = (2 * (double)(i % half) + 1) / (double)half - 1, sign = i < half ? 1 : -1;
    rigid_turn((int)(i % 3), i % 2 == 0 ? 0.8 : 0.6, i % 2 == 0 ? 0.6 : -0.8, body.rotation);
    body.position[0] = sign * (1 - t * t) / (1 + t * t);
    body.position[1] = sign * 2 * t / (1 + t * t);
    return body;
}

/* C (6 x 6), see above; symmetric to the last bit. */
static void bushing_compliance(double stiffness, double *C)
{
    static const double offset[3] = {0.02, 0.05, -0.03};
    const double k[6] = {stiffness,       stiffness / 2,   stiffness / 4,
                         stiffness / 200, stiffness / 100, stiffness / 50};
    double about_z[9], about_x[9], Q[9], T[36] = {0};
    rigid_turn(2, 0.8, 0.6, about_z);
    rigid_turn(0, 24.0 / 25, 7.0 / 25, about_x);
    rigid_chain_rotation(about_z, about_x, Q);
    for (int j = 0; j < 3; j++) {
        const double column[3] = {Q[j], Q[3 + j], Q[6 + j]};
        double arm[3];
        rigid_cross(column, offset, arm);
        for (int i = 0; i < 3; i++) {
            T[6 * i + j] = column[i];
            T[6 * i + 3 + j] = arm[i];
            T[6 * (3 + i) + 3 + j] = column[i];
        }
    }
    for (int i = 0; i < 6; i++)
        for (int j = 0; j <= i; j++) {
            double sum = 0;
            for (int l = 0; l < 6; l++) sum += T[6 * i + l] * T[6 * j + l] / k[l];
            C[6 * i + j] = sum;
            C[6 * j + i] = sum;
        }
}

/* Six rows between A (NULL = the ground) and B at a point of the world, with drawn deflections up
 * to 1 mm and 1/100. */
static void add_bushing(builder *b, const saddle_bushings_parameters *p, const rigid_body *A,
                        const rigid_body *B, const double *point, const double *C, uint64_t *state,
                        int64_t number)
{
    static const char *const part[6] = {"x", "y", "z", "turn x", "turn y", "turn z"};
    double local[2][3], h = p->time_step;
    const rigid_body *bodies[2] = {A, B};
    int64_t first = b->problem.m;
    for (int side = 0; side < 2; side++) {
        double arm[3] = {0, 0, 0};
        for (int i = 0; bodies[side] != NULL && i < 3; i++)
            arm[i] = point[i] - bodies[side]->position[i];
        if (bodies[side] != NULL) rigid_rotate_back(bodies[side]->rotation, arm, local[side]);
    }
    for (int k = 0; k < 6; k++) {
        double direction[3] = {0, 0, 0}, deflection = (k < 3 ? 1e-3 : 1e-2) * draw_fraction(state);
        direction[k % 3] = 1;
        int64_t row = builder_row(b, -INFINITY, INFINITY, -deflection / (h + RELAXATION));
        for (int side = 0; side < 2; side++) {
            double sign = side == 0 ? -1 : 1;
            if (k < 3)
                rigid_point_row(b, row, sign, bodies[side], local[side], direction);
            else
                rigid_turn_row(b, row, sign, bodies[side], direction);
        }
        builder_label(b, row, 8 * number + k, "bushing %lld %s", (long long)number, part[k]);
        for (int j = 0; j <= k; j++)
            builder_compliance(b, row, first + j, C[6 * k + j] / (h * (h + RELAXATION)));
    }
}

static void add_bushings(builder *b, const saddle_bushings_parameters *p, const rigid_body *bodies)
{
    double C[36];
    uint64_t state = p->seed;
    bushing_compliance(p->stiffness, C);
    for (int64_t i = 0; i < p->bodies; i++) {
        const rigid_body *A = bodies + i, *B = bodies + (i + 1) % p->bodies;
        double middle[3];
        for (int d = 0; d < 3; d++) middle[d] = (A->position[d] + B->position[d]) / 2;
        add_bushing(b, p, A, B, middle, C, &state, i + 1);
    }
    for (int64_t i = 0; i < 4; i++) {
        const rigid_body *B = bodies + i * p->bodies / 4;
        double under[3];
        memcpy(under, B->position, sizeof under);
        under[2] -= 0.1;
        add_bushing(b, p, NULL, B, under, C, &state, p->bodies + i + 1);
    }
}

saddle_status saddle_generate_bushings(saddle_context *context,
                                       const saddle_bushings_parameters *parameters,
                                       saddle_problem *problem)
{
    static const double gravity[3] = {0, 0, -9.81};
    const saddle_bushings_parameters *p = parameters;
    *problem = (saddle_problem){0};
    if (p->bodies < 4 || p->bodies > 1000000 || p->bodies % 2 != 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "bushings: bodies is not an even number from 4");
    if (!(p->stiffness > 0) || !(p->time_step > 0))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "bushings: stiffness or time step is not positive");
    rigid_body *bodies = saddle_allocate(context, p->bodies, sizeof *bodies);
    if (bodies == NULL) return SADDLE_OUT_OF_MEMORY;
    builder b = builder_begin(context);
    for (int64_t i = 0; i < p->bodies; i++) {
        bodies[i] = make_body(i, p->bodies);
        rigid_add(&b, bodies + i, 1, p->time_step, gravity, "body", i + 1);
    }
    add_bushings(&b, p, bodies);
    saddle_release(context, bodies);
    return builder_finish(&b, "ring on bushings", p->time_step, problem);
}
