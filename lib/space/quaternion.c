/* SPDX-License-Identifier: MIT */
/* Quaternions, scalar first (saddle/rotation.h; seed 000, 0.2). */
#include <math.h>

#include "saddle/rotation.h"
#include "space/space.h"

static double square(const double *q)
{
    return q[0] * q[0] + saddle__dot(q + 1, q + 1);
}

void saddle_quaternion_multiply(const double *q, const double *p, double *qp)
{
    if (!q || !p || !qp) return;
    double cross[3];
    saddle__cross(q + 1, p + 1, cross);
    double scalar = q[0] * p[0] - saddle__dot(q + 1, p + 1);
    const double vector[3] = {q[0] * p[1] + p[0] * q[1] + cross[0],
                              q[0] * p[2] + p[0] * q[2] + cross[1],
                              q[0] * p[3] + p[0] * q[3] + cross[2]};
    qp[0] = scalar;
    memcpy(qp + 1, vector, sizeof vector);
}

void saddle_quaternion_conjugate(const double *q, double *conjugate)
{
    if (!q || !conjugate) return;
    conjugate[0] = q[0];
    for (int i = 1; i < 4; i++) conjugate[i] = -q[i];
}

saddle_status saddle_quaternion_normalize(saddle_context *context, double *q)
{
    saddle_context_clear_message(context);
    if (!q)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_quaternion_normalize: q is NULL");
    double largest = 0;
    for (int i = 0; i < 4; i++) {
        if (!isfinite(q[i]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "quaternion: entry %d is %g",
                               i + 1, q[i]);
        largest = fmax(largest, fabs(q[i]));
    }
    if (largest == 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "quaternion: all its entries are zero");
    for (int i = 0; i < 4; i++) q[i] /= largest;
    double length = sqrt(square(q));
    for (int i = 0; i < 4; i++) q[i] /= length;
    return SADDLE_OK;
}

void saddle_quaternion_rotate(const double *q, const double *x, double *image)
{
    if (!q || !x || !image) return;
    double t[3];
    double u[3];
    double scale = 2 / square(q);
    saddle__cross(q + 1, x, t);
    saddle__cross(q + 1, t, u);
    for (int i = 0; i < 3; i++) image[i] = x[i] + scale * (q[0] * t[i] + u[i]);
}

void saddle_quaternion_to_matrix(const double *q, double *R)
{
    if (!q || !R) return;
    double r = 2 / square(q);
    double s = q[0];
    double x = q[1];
    double y = q[2];
    double z = q[3];
    const double by_columns[9] = {1 - r * (y * y + z * z), r * (x * y + s * z),
                                  r * (x * z - s * y),     r * (x * y - s * z),
                                  1 - r * (x * x + z * z), r * (y * z + s * x),
                                  r * (x * z + s * y),     r * (y * z - s * x),
                                  1 - r * (x * x + y * y)};
    memcpy(R, by_columns, sizeof by_columns);
}

/* Four times each entry's square stands on R's diagonal; the largest is taken from there, the
 * others from its products (Shepperd 1978). */
void saddle_quaternion_from_matrix(const double *R, double *q)
{
    if (!R || !q) return;
    double trace = R[0] + R[4] + R[8];
    double four_squares[4] = {1 + trace, 1 - trace + 2 * R[0], 1 - trace + 2 * R[4],
                              1 - trace + 2 * R[8]};
    const double sx = R[5] - R[7], sy = R[6] - R[2], sz = R[1] - R[3];
    const double xy = R[1] + R[3], xz = R[2] + R[6], yz = R[5] + R[7];
    const double products[4][4] = {{four_squares[0], sx, sy, sz},
                                   {sx, four_squares[1], xy, xz},
                                   {sy, xy, four_squares[2], yz},
                                   {sz, xz, yz, four_squares[3]}};
    int largest = 0;
    for (int i = 1; i < 4; i++)
        if (four_squares[i] > four_squares[largest]) largest = i;
    const double *row = products[largest];
    double length = copysign(sqrt(square(row)), row[0]);
    for (int i = 0; i < 4; i++) q[i] = row[i] / length;
}

/* 4 x 3: (-v'; s I + side [v]) / 2 */
static void rate_map(const double *q, double side, double *A)
{
    double W[9];
    saddle__skew(q + 1, W);
    for (int j = 0; j < 3; j++) {
        A[4 * j] = -q[j + 1] / 2;
        for (int i = 0; i < 3; i++)
            A[4 * j + i + 1] = ((i == j ? q[0] : 0) + side * W[3 * j + i]) / 2;
    }
}

void saddle_quaternion_map_body(const double *q, double *B)
{
    if (!q || !B) return;
    rate_map(q, 1, B);
}

void saddle_quaternion_map_world(const double *q, double *W)
{
    if (!q || !W) return;
    rate_map(q, -1, W);
}

void saddle_quaternion_rate_body(const double *q, const double *omega_body, double *dq)
{
    if (!q || !omega_body || !dq) return;
    const double half[4] = {0, omega_body[0] / 2, omega_body[1] / 2, omega_body[2] / 2};
    saddle_quaternion_multiply(q, half, dq);
}

void saddle_quaternion_rate_world(const double *q, const double *omega_world, double *dq)
{
    if (!q || !omega_world || !dq) return;
    const double half[4] = {0, omega_world[0] / 2, omega_world[1] / 2, omega_world[2] / 2};
    saddle_quaternion_multiply(half, q, dq);
}

/* omega = 2 (vector part of the product) / |q|^2 */
static void twice_vector(const double *product, double length_squared, double *omega)
{
    for (int i = 0; i < 3; i++) omega[i] = 2 * product[i + 1] / length_squared;
}

void saddle_quaternion_velocity_body(const double *q, const double *dq, double *omega_body)
{
    if (!q || !dq || !omega_body) return;
    double product[4];
    saddle_quaternion_conjugate(q, product);
    saddle_quaternion_multiply(product, dq, product);
    twice_vector(product, square(q), omega_body);
}

void saddle_quaternion_velocity_world(const double *q, const double *dq, double *omega_world)
{
    if (!q || !dq || !omega_world) return;
    double product[4];
    saddle_quaternion_conjugate(q, product);
    saddle_quaternion_multiply(dq, product, product);
    twice_vector(product, square(q), omega_world);
}

/* (cos(x/2), sin(x/2)/x phi) */
void saddle_quaternion_exp(const double *phi, double *q)
{
    if (!phi || !q) return;
    double x = sqrt(saddle__dot(phi, phi));
    double ratio = x > 0 ? sin(x / 2) / x : 0.5;
    q[0] = cos(x / 2);
    for (int i = 0; i < 3; i++) q[i + 1] = ratio * phi[i];
}

void saddle_quaternion_log(const double *q, double *phi)
{
    if (!q || !phi) return;
    double v = hypot(hypot(q[1], q[2]), q[3]);
    double ratio = v > 0 ? 2 * atan2(v, fabs(q[0])) / v : 0;
    for (int i = 0; i < 3; i++) phi[i] = (q[0] < 0 ? -ratio : ratio) * q[i + 1];
}

static void turn_by(const double *omega, double h, double *turn)
{
    const double phi[3] = {h * omega[0], h * omega[1], h * omega[2]};
    saddle_quaternion_exp(phi, turn);
}

void saddle_quaternion_advance_body(const double *q, const double *omega_body, double h,
                                    double *next)
{
    if (!q || !omega_body || !next) return;
    double turn[4];
    turn_by(omega_body, h, turn);
    saddle_quaternion_multiply(q, turn, next);
}

void saddle_quaternion_advance_world(const double *q, const double *omega_world, double h,
                                     double *next)
{
    if (!q || !omega_world || !next) return;
    double turn[4];
    turn_by(omega_world, h, turn);
    saddle_quaternion_multiply(turn, q, next);
}
