/* SPDX-License-Identifier: MIT */
/* Spatial inertia of a rigid body: matrix, inverse, products with twists; check, change of frame,
 * composition and principal axes (saddle/inertia.h; Lloyd, ArtiSynth mechanics notes, section 0.1,
 * and Sueda, Rigid Body Dynamics Notes, section 1.7: docs/references.md). */
#include <math.h>
#include <stdio.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "saddle/inertia.h"
#include "space/space.h"

/* ---- matrix and products ---- */

/* A (6 x 6) = [s I  upper; lower  last] */
static void fill(double s, const double *upper, const double *lower, const double *last, double *A)
{
    const double scaled[9] = {s, 0, 0, 0, s, 0, 0, 0, s};
    saddle__join3(scaled, upper, lower, last, A);
}

/* J about another point, a away from the centre of mass: J - m [a][a], [a][a] = a a' - |a|^2 I */
static void about(const saddle_body_inertia *inertia, const double *a, double *J)
{
    double square = saddle__dot(a, a);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++)
            J[i + 3 * j] = inertia->moment[i + 3 * j] +
                           inertia->mass * ((i == j ? square : 0) - a[i] * a[j]);
}

void saddle_body_inertia_matrix(const saddle_body_inertia *inertia, double *M)
{
    if (!inertia || !M) return;
    double C[9];
    double J[9];
    double back[9];
    const double moment[3] = {inertia->mass * inertia->center[0],
                              inertia->mass * inertia->center[1],
                              inertia->mass * inertia->center[2]};
    saddle__skew(moment, C);
    saddle__transpose3(C, back);
    about(inertia, inertia->center, J);
    fill(inertia->mass, back, C, J, M);
}

saddle_status saddle_body_inertia_from_matrix(saddle_context *context, const double *M,
                                              saddle_body_inertia *inertia)
{
    SADDLE__RETURN_UNLESS(context, M && inertia, "M or inertia is NULL");
    double m = M[0];
    const double lower[9] = {M[21], M[22], M[23], M[22], M[28], M[29], M[23], M[29], M[35]};
    saddle_body_inertia found = {.mass = m, .center = {M[11] / m, M[15] / m, M[4] / m}};
    saddle_body_inertia moved = {.mass = -m};
    memcpy(moved.moment, lower, sizeof lower);
    about(&moved, found.center, found.moment);
    SADDLE__TRY(saddle_body_inertia_check(context, &found, "matrix"));
    double again[36];
    saddle_body_inertia_matrix(&found, again);
    for (int j = 0; j < 6; j++)
        for (int i = j; i < 6; i++) {
            double size = sqrt(again[7 * i]) * sqrt(again[7 * j]);
            if (!(fabs(M[i + 6 * j] - again[i + 6 * j]) <= SADDLE__EQUAL * size))
                return saddle_fail(
                    context, SADDLE_INVALID_ARGUMENT,
                    "matrix: no rigid body's, its entry (%d, %d) is %g where the others ask for %g",
                    i + 1, j + 1, M[i + 6 * j], again[i + 6 * j]);
        }
    *inertia = found;
    return SADDLE_OK;
}

/* force = m (nu + omega x c), moment = J omega + c x force */
void saddle_body_inertia_multiply(const saddle_body_inertia *inertia, const double *twist,
                                  double *momentum)
{
    if (!inertia || !twist || !momentum) return;
    double force[3];
    double moment[3];
    double arm[3];
    saddle__cross(twist + 3, inertia->center, force);
    for (int i = 0; i < 3; i++) force[i] = inertia->mass * (twist[i] + force[i]);
    saddle__cross(inertia->center, force, arm);
    saddle__rotate(inertia->moment, twist + 3, moment);
    for (int i = 0; i < 3; i++) {
        momentum[i] = force[i];
        momentum[i + 3] = moment[i] + arm[i];
    }
}

/* L (3 x 3, lower) with J = L L' (Cholesky) */
static saddle_status factor_moment(saddle_context *context, const saddle_body_inertia *inertia,
                                   double *L)
{
    const double *J = inertia->moment;
    if (!(inertia->mass > 0))
        return saddle_fail(context, SADDLE_SINGULAR, "inertia: its mass is %g kg", inertia->mass);
    memset(L, 0, 9 * sizeof *L);
    for (int j = 0; j < 3; j++)
        for (int i = j; i < 3; i++) {
            double sum = J[i + 3 * j];
            for (int k = 0; k < j; k++) sum -= L[i + 3 * k] * L[j + 3 * k];
            if (i == j && !(sum > 0))
                return saddle_fail(context, SADDLE_SINGULAR,
                                   "inertia: its rotational inertia is not positive definite");
            L[i + 3 * j] = i == j ? sqrt(sum) : sum / L[4 * j];
        }
    return SADDLE_OK;
}

/* x (3) <- (L L')^-1 x */
static void solve_moment(const double *L, double *x)
{
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < i; k++) x[i] -= L[i + 3 * k] * x[k];
        x[i] /= L[4 * i];
    }
    for (int i = 2; i >= 0; i--) {
        for (int k = i + 1; k < 3; k++) x[i] -= L[k + 3 * i] * x[k];
        x[i] /= L[4 * i];
    }
}

saddle_status saddle_body_inertia_inverse(saddle_context *context,
                                          const saddle_body_inertia *inertia, double *inverse)
{
    SADDLE__RETURN_UNLESS(context, inertia && inverse, "inertia or inverse is NULL");
    double L[9];
    double C[9];
    double K[9];
    double corner[9];
    SADDLE__TRY(factor_moment(context, inertia, L));
    for (int i = 0; i < 9; i++) K[i] = i % 4 == 0;
    for (int j = 0; j < 3; j++) solve_moment(L, K + 3 * j);
    for (int j = 1; j < 3; j++) /* symmetric to the last bit */
        for (int i = 0; i < j; i++) K[i + 3 * j] = K[j + 3 * i];
    saddle__skew(inertia->center, C);
    saddle__product3(C, K, corner); /* [c] K, its transpose is -K [c] */
    saddle__transpose3(corner, C);
    fill(1 / inertia->mass, corner, C, K, inverse);
    saddle__skew(inertia->center, C);
    saddle__product3(corner, C, K);
    for (int j = 0; j < 3; j++)
        for (int i = j; i < 3; i++) {
            inverse[i + 6 * j] -= K[i + 3 * j];
            inverse[j + 6 * i] = inverse[i + 6 * j];
        }
    return SADDLE_OK;
}

saddle_status saddle_body_inertia_factor(saddle_context *context,
                                         const saddle_body_inertia *inertia, double *G)
{
    SADDLE__RETURN_UNLESS(context, inertia && G, "inertia or G is NULL");
    double L[9];
    double C[9];
    SADDLE__TRY(factor_moment(context, inertia, L));
    double root = sqrt(inertia->mass);
    saddle__skew(inertia->center, C);
    for (int i = 0; i < 9; i++) C[i] *= root;
    fill(root, NULL, C, L, G);
    return SADDLE_OK;
}

/* omega = J^-1 (moment - c x force), nu = force / m - omega x c */
saddle_status saddle_body_inertia_solve(saddle_context *context, const saddle_body_inertia *inertia,
                                        const double *wrench, double *twist)
{
    SADDLE__RETURN_UNLESS(context, inertia && wrench && twist, "inertia, wrench or twist is NULL");
    double L[9];
    double omega[3];
    double swept[3];
    SADDLE__TRY(factor_moment(context, inertia, L));
    saddle__cross(inertia->center, wrench, omega);
    for (int i = 0; i < 3; i++) omega[i] = wrench[i + 3] - omega[i];
    solve_moment(L, omega);
    saddle__cross(omega, inertia->center, swept);
    for (int i = 0; i < 3; i++) twist[i] = wrench[i] / inertia->mass - swept[i];
    memcpy(twist + 3, omega, sizeof omega);
    return SADDLE_OK;
}

/* A += a [x] */
static void add_skew(double a, const double *x, double *A)
{
    double X[9];
    saddle__skew(x, X);
    for (int i = 0; i < 9; i++) A[i] += a * X[i];
}

/* A += a [x] B */
static void add_cross(double a, const double *x, const double *B, double *A)
{
    double XB[9];
    saddle__skew(x, XB);
    saddle__product3(XB, B, XB);
    for (int i = 0; i < 9; i++) A[i] += a * XB[i];
}

typedef struct motion { /* s = omega x c, F = m (nu + s), N = J omega + c x F: the momentum */
    double s[3];
    double momentum[6];
} motion;

/* Blocks of the jacobian: force by nu -m [omega], by omega [F] + m [omega][c];
 * moment by nu m [s] - m [omega][c], by omega m [nu][c] + [N] - [omega](J - m [c][c]). */
static void coriolis_jacobian(const saddle_body_inertia *inertia, const double *twist,
                              const motion *at, double *jacobian)
{
    const double *omega = twist + 3;
    double m = inertia->mass;
    double C[9], J[9], block[4][9] = {{0}};
    saddle__skew(inertia->center, C);
    about(inertia, inertia->center, J);
    add_skew(-m, omega, block[0]);
    add_skew(m, at->s, block[1]);
    add_cross(-m, omega, C, block[1]);
    add_skew(1, at->momentum, block[2]);
    add_cross(m, omega, C, block[2]);
    add_skew(1, at->momentum + 3, block[3]);
    add_cross(m, twist, C, block[3]);
    add_cross(-1, omega, J, block[3]);
    saddle__join3(block[0], block[2], block[1], block[3], jacobian);
}

/* force -omega x F, moment -nu x F - omega x N, where of nu x F only m nu x s is left: so a light
 * body that flies fast does not turn by rounding. */
void saddle_body_inertia_coriolis(const saddle_body_inertia *inertia, const double *twist,
                                  double *wrench, double *jacobian)
{
    if (!inertia || !twist || !wrench) return;
    motion at;
    double gyroscopic[3];
    double result[6];
    saddle__cross(twist + 3, inertia->center, at.s);
    saddle_body_inertia_multiply(inertia, twist, at.momentum);
    if (jacobian) coriolis_jacobian(inertia, twist, &at, jacobian);
    saddle__cross(at.momentum, twist + 3, result);
    saddle__cross(at.s, twist, result + 3);
    saddle__cross(at.momentum + 3, twist + 3, gyroscopic);
    for (int i = 0; i < 3; i++) result[i + 3] = inertia->mass * result[i + 3] + gyroscopic[i];
    memcpy(wrench, result, sizeof result);
}

/* ---- check, frames, composition ---- */

static saddle_status check_numbers(saddle_context *context, const saddle_body_inertia *inertia,
                                   const char *name)
{
    for (int i = 0; i < 3; i++)
        if (!isfinite(inertia->center[i]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "%s: coordinate %d of its centre of mass is %g", name, i + 1,
                               inertia->center[i]);
    for (int i = 0; i < 9; i++)
        if (!isfinite(inertia->moment[i]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "%s: entry (%d, %d) of its rotational inertia is %g", name,
                               i % 3 + 1, i / 3 + 1, inertia->moment[i]);
    if (inertia->mass > 0 && isfinite(inertia->mass)) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "%s: its mass is %g kg", name,
                       inertia->mass);
}

static saddle_status check_symmetry(saddle_context *context, const saddle_body_inertia *inertia,
                                    const char *name)
{
    const double *J = inertia->moment;
    double largest = 0;
    for (int i = 0; i < 9; i++) largest = fmax(largest, fabs(J[i]));
    for (int j = 0; j < 3; j++)
        for (int i = j + 1; i < 3; i++)
            if (fabs(J[i + 3 * j] - J[j + 3 * i]) > SADDLE__EQUAL * largest)
                return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                                   "%s: its rotational inertia is not symmetric, (%d, %d) is %g "
                                   "and (%d, %d) is %g",
                                   name, i + 1, j + 1, J[i + 3 * j], j + 1, i + 1, J[j + 3 * i]);
    return SADDLE_OK;
}

saddle_status saddle_body_inertia_check(saddle_context *context, const saddle_body_inertia *inertia,
                                        const char *name)
{
    SADDLE__RETURN_UNLESS(context, inertia, "inertia is NULL");
    double p[3];
    double V[9];
    if (!name) name = "inertia";
    SADDLE__TRY(check_numbers(context, inertia, name));
    SADDLE__TRY(check_symmetry(context, inertia, name));
    saddle__symmetric_eigen(inertia->moment, p, V);
    if (!(p[0] > SADDLE__VANISHED_PIVOT * p[2]))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s: its rotational inertia is not positive definite, its principal "
                           "moments are %g, %g, %g",
                           name, p[0], p[1], p[2]);
    if (p[2] - p[1] - p[0] <= SADDLE__EQUAL * p[2]) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "%s: no body has its principal moments, %g, %g, %g: the last is more than "
                       "the sum of the others",
                       name, p[0], p[1], p[2]);
}

void saddle_body_inertia_move(const saddle_body_inertia *inertia, const saddle_pose *T,
                              saddle_body_inertia *moved)
{
    if (!inertia || !T || !moved) return;
    double A[9], back[9];
    moved->mass = inertia->mass;
    saddle_pose_point(T, inertia->center, moved->center);
    saddle__product3(T->R, inertia->moment, A);
    saddle__transpose3(T->R, back);
    saddle__product3(A, back, A);
    for (int j = 0; j < 3; j++) /* symmetric to the last bit */
        for (int i = 0; i < 3; i++) moved->moment[i + 3 * j] = (A[i + 3 * j] + A[j + 3 * i]) / 2;
}

static saddle_status check_parts(saddle_context *context, int64_t count,
                                 const saddle_body_inertia *part)
{
    char name[32];
    if (count < 1)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "a composite body without parts");
    for (int64_t k = 0; k < count; k++) {
        (void)snprintf(name, sizeof name, "part %lld", (long long)k + 1);
        SADDLE__TRY(saddle_body_inertia_check(context, &part[k], name));
    }
    return SADDLE_OK;
}

static saddle_body_inertia placed(const saddle_body_inertia *part, const saddle_pose *pose,
                                  int64_t k)
{
    saddle_body_inertia here = part[k];
    if (pose) saddle_body_inertia_move(&part[k], &pose[k], &here);
    return here;
}

/* First the common centre, then the moments about it: nothing cancels, however far away the frame
 * is. */
saddle_status saddle_body_inertia_compose(saddle_context *context, int64_t count,
                                          const saddle_body_inertia *part, const saddle_pose *pose,
                                          saddle_body_inertia *composite)
{
    SADDLE__RETURN_UNLESS(context, part && composite, "part or composite is NULL");
    saddle_body_inertia sum = {.mass = 0};
    SADDLE__TRY(check_parts(context, count, part));
    for (int64_t k = 0; k < count; k++) {
        saddle_body_inertia here = placed(part, pose, k);
        sum.mass += here.mass;
        for (int i = 0; i < 3; i++)
            sum.center[i] += (here.center[i] - sum.center[i]) * (here.mass / sum.mass);
    }
    for (int64_t k = 0; k < count; k++) {
        saddle_body_inertia here = placed(part, pose, k);
        double a[3], J[9];
        for (int i = 0; i < 3; i++) a[i] = here.center[i] - sum.center[i];
        about(&here, a, J);
        for (int i = 0; i < 9; i++) sum.moment[i] += J[i];
    }
    *composite = sum;
    return SADDLE_OK;
}

void saddle_body_inertia_principal(const saddle_body_inertia *inertia, saddle_pose *frame,
                                   double *moments)
{
    if (!inertia || !frame || !moments) return;
    memcpy(frame->p, inertia->center, sizeof frame->p);
    saddle__symmetric_eigen(inertia->moment, moments, frame->R);
}
