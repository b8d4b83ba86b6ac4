/* SPDX-License-Identifier: MIT */
#include "explicit_bearings.h"

#include <math.h>
#include <string.h>

static const double softness = 1e-7; /* epsilon of a normal [1/kg] */

/* Contacts of a hinge: two rings, radial and collar, each on both sides. */
static int64_t contacts_of(const explicit_bearings *chain)
{
    return 8 * chain->points;
}

saddle_status explicit_bearings_create(saddle_context *context, const explicit_bearings *chain,
                                       saddle_problem *problem)
{
    const int64_t n = 6 * chain->links, contacts = contacts_of(chain) * chain->links,
                  m = 2 * contacts;
    *problem = (saddle_problem){.n = n,
                                .m = m,
                                .law = SADDLE_LAW_BOX,
                                .contact_count = contacts,
                                .f = saddle_allocate(context, n, sizeof(double)),
                                .b = saddle_allocate(context, m, sizeof(double)),
                                .contacts = saddle_allocate(context, contacts,
                                                            sizeof(saddle_contact)),
                                .owner = 1,
                                .context = context};
    saddle_status status = problem->f && problem->b && problem->contacts ? SADDLE_OK
                                                                         : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, n, n, 21 * chain->links, SADDLE_SYMMETRY_LOWER,
                                      &problem->M);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, n, m, 12 * m, SADDLE_SYMMETRY_NONE, &problem->Jt);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, m, m, m, SADDLE_SYMMETRY_LOWER, &problem->R);
    for (int64_t c = 0; status == SADDLE_OK && c < contacts; c++)
        problem->contacts[c] = (saddle_contact){.row = 2 * c, .size = 2, .mu = chain->bearing.mu};
    return status;
}

/* out = a x b */
static void cross(const double *a, const double *b, double *out)
{
    for (int i = 0; i < 3; i++)
        out[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
}

/* Row of a unit force f at x, both in the world, of link k on its parent. */
static void set_row(const saddle_pose *pose, int64_t k, const double *x, const double *f,
                    double sign, int normal, saddle_problem *p, int64_t *row)
{
    int64_t at = p->Jt.start[*row];
    for (int64_t link = k - 1; link <= k; link++) {
        double arm[3], moment[3];
        if (link < 0) continue;
        for (int i = 0; i < 3; i++) arm[i] = x[i] - pose[link].p[i];
        cross(arm, f, moment);
        for (int half = 0; half < 2; half++) {
            const double *a = half ? moment : f;
            for (int i = 0; i < 3; i++, at++) {
                const double *axis = pose[link].R + 3 * i;
                p->Jt.index[at] = 6 * link + 3 * half + i;
                p->Jt.value[at] = (link == k ? sign : -sign) *
                                  (axis[0] * a[0] + axis[1] * a[1] + axis[2] * a[2]);
            }
        }
    }
    p->R.index[*row] = *row;
    p->R.value[*row] = normal ? softness : 0;
    p->R.start[*row + 1] = *row + 1;
    p->Jt.start[++*row] = at;
}

/* World vector of a vector of the frame on the parent: of the link, turned back by its angle. */
static void to_world(const saddle_pose *pose, int64_t k, const double *a, double *out)
{
    static const saddle_pose world = {{0}, {1, 0, 0, 0, 1, 0, 0, 0, 1}};
    const double *R = k > 0 ? pose[k - 1].R : world.R;
    for (int i = 0; i < 3; i++) out[i] = R[i] * a[0] + R[i + 3] * a[1] + R[i + 6] * a[2];
}

static void set_hinge(const explicit_bearings *chain, const saddle_pose *pose, int64_t k,
                      saddle_problem *p, int64_t *row)
{
    for (int64_t j = 0; j < 2 * chain->points; j++) {
        const double angle = 2 * acos(-1.0) * (double)(j / 2) / (double)chain->points;
        const double c = cos(angle), s = sin(angle), r = chain->bearing.radius;
        const double local[4][3] = {{r * c, r * s,
                                     j % 2 ? -chain->bearing.half_length
                                           : chain->bearing.half_length},
                                    {c, s, 0},
                                    {0, 0, 1},
                                    {-s, c, 0}};
        double x[3], n[2][3], t[3];
        to_world(pose, k, local[0], x);
        for (int i = 0; i < 3; i++) x[i] += pose[k].p[i];
        to_world(pose, k, local[1], n[0]);
        to_world(pose, k, local[2], n[1]);
        to_world(pose, k, local[3], t);
        for (int i = 0; i < 4; i++) {
            set_row(pose, k, x, n[i / 2], i % 2 ? -1 : 1, 1, p, row);
            set_row(pose, k, x, t, 1, 0, p, row);
        }
    }
}

void explicit_bearings_values(const explicit_bearings *chain, const saddle_pose *pose,
                              const double *twist, const double *drift, saddle_problem *problem)
{
    const saddle_body_inertia *inertia = &chain->inertia;
    int64_t row = 0, entry = 0;
    for (int64_t k = 0; k < chain->links; k++) {
        double momentum[6], force[6], a[6] = {0}, unit[6], column[6];
        for (int j = 0; j < 6; j++) { /* lower triangle */
            memset(unit, 0, sizeof unit);
            unit[j] = 1;
            saddle_body_inertia_multiply(inertia, unit, column);
            for (int i = j; i < 6; i++, entry++) {
                problem->M.index[entry] = 6 * k + i;
                problem->M.value[entry] = column[i];
            }
            problem->M.start[6 * k + j + 1] = entry;
        }
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) a[i] += pose[k].R[j + 3 * i] * chain->gravity[j];
        for (int i = 0; i < 6; i++) a[i] -= drift[6 * k + i];
        saddle_body_inertia_multiply(inertia, a, force);
        saddle_body_inertia_coriolis(inertia, twist + 6 * k, a, NULL);
        saddle_body_inertia_multiply(inertia, twist + 6 * k, momentum);
        for (int i = 0; i < 6; i++)
            problem->f[6 * k + i] = momentum[i] + chain->time_step * (force[i] + a[i]);
        set_hinge(chain, pose, k, problem, &row);
    }
}
