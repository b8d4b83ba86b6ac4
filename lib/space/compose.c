/* SPDX-License-Identifier: MIT */
/* Whether an inertia is one; inertias in other frames, several as one, principal axes
 * (saddle/inertia.h; seed 003, 1.7). */
#include <math.h>
#include <stdio.h>

#include "saddle/inertia.h"
#include "space/space.h"

static const double symmetry_tolerance = 1e-12;
static const double definiteness_tolerance = 1e-14;
static const double triangle_tolerance = 1e-10;

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
            if (fabs(J[i + 3 * j] - J[j + 3 * i]) > symmetry_tolerance * largest)
                return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                                   "%s: its rotational inertia is not symmetric, (%d, %d) is %g "
                                   "and (%d, %d) is %g",
                                   name, i + 1, j + 1, J[i + 3 * j], j + 1, i + 1, J[j + 3 * i]);
    return SADDLE_OK;
}

saddle_status saddle_body_inertia_check(saddle_context *context, const saddle_body_inertia *inertia,
                                        const char *name)
{
    saddle_context_clear_message(context);
    if (!inertia)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_body_inertia_check: inertia is NULL");
    double p[3];
    double V[9];
    if (!name) name = "inertia";
    saddle_status status = check_numbers(context, inertia, name);
    if (status == SADDLE_OK) status = check_symmetry(context, inertia, name);
    if (status != SADDLE_OK) return status;
    saddle__symmetric_eigen(inertia->moment, p, V);
    if (!(p[0] > definiteness_tolerance * p[2]))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "%s: its rotational inertia is not positive definite, its principal "
                           "moments are %g, %g, %g",
                           name, p[0], p[1], p[2]);
    if (p[2] - p[1] - p[0] <= triangle_tolerance * p[2]) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "%s: no body has its principal moments, %g, %g, %g: the last is more than "
                       "the sum of the others",
                       name, p[0], p[1], p[2]);
}

/* A = R A R', symmetric to the last bit */
static void turn(const double *R, const double *J, double *turned)
{
    double A[9];
    double B[9];
    saddle__product3(R, J, A);
    saddle__transpose3(R, B);
    saddle__product3(A, B, A);
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) turned[i + 3 * j] = (A[i + 3 * j] + A[j + 3 * i]) / 2;
}

void saddle_body_inertia_move(const saddle_body_inertia *inertia, const saddle_pose *T,
                              saddle_body_inertia *moved)
{
    if (!inertia || !T || !moved) return;
    moved->mass = inertia->mass;
    saddle_pose_point(T, inertia->center, moved->center);
    turn(T->R, inertia->moment, moved->moment);
}

static saddle_status check_parts(saddle_context *context, int64_t count,
                                 const saddle_body_inertia *part)
{
    char name[32];
    if (count < 1)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "a composite body without parts");
    for (int64_t k = 0; k < count; k++) {
        (void)snprintf(name, sizeof name, "part %lld", (long long)k + 1);
        saddle_status status = saddle_body_inertia_check(context, &part[k], name);
        if (status != SADDLE_OK) return status;
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
    saddle_context_clear_message(context);
    if (!part || !composite)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_body_inertia_compose: part or composite is NULL");
    saddle_body_inertia sum = {.mass = 0};
    saddle_status status = check_parts(context, count, part);
    if (status != SADDLE_OK) return status;
    for (int64_t k = 0; k < count; k++) {
        saddle_body_inertia here = placed(part, pose, k);
        sum.mass += here.mass;
        for (int i = 0; i < 3; i++)
            sum.center[i] += (here.center[i] - sum.center[i]) * (here.mass / sum.mass);
    }
    for (int64_t k = 0; k < count; k++) {
        saddle_body_inertia here = placed(part, pose, k);
        double a[3];
        for (int i = 0; i < 3; i++) a[i] = here.center[i] - sum.center[i];
        double square = saddle__dot(a, a);
        for (int i = 0; i < 9; i++)
            sum.moment[i] += here.moment[i] +
                             here.mass * ((i % 4 == 0 ? square : 0) - a[i % 3] * a[i / 3]);
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
