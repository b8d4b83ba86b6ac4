/* SPDX-License-Identifier: MIT */
/* A constraint of an assembly evaluated: phi, J and drift. */
#include <string.h>

#include "system.h"

/* Row i of J of the constraint asked into its column of J'.  0: a row of angles moves with bodies'
 * linear velocities. */
static int scatter(saddle_assembly *a, const saddle__system_link *link, int64_t i)
{
    const int64_t *start = a->problem.Jt.start + link->row + i;
    const int angular = start[1] - start[0] != link->width[0];
    const int64_t *size = a->anchors.size + link->anchor,
                  *offset = a->anchors.offset[angular] + link->anchor;
    for (int64_t k = 0; k < link->count; k++) {
        if (offset[k] < 0) continue;
        const double *J = a->block_J[k] + i * size[k];
        double *to = a->problem.Jt.value + start[0] + offset[k];
        if (size[k] == 3) {
            memcpy(to, J, 3 * sizeof *J);
        } else if (angular) {
            if (J[0] != 0 || J[1] != 0 || J[2] != 0) return 0;
            memcpy(to, J + 3, 3 * sizeof *J);
        } else {
            memcpy(to, J, 6 * sizeof *J);
        }
    }
    return 1;
}

saddle_status saddle__system_evaluate(saddle_assembly *a, const saddle__system_link *link)
{
    const saddle_site site = saddle__system_site(a, link, a->model->time);
    saddle_constraint_values values = {a->phi + link->row, a->rate, a->block_J};
    double *J = a->J;
    for (int64_t k = 0; k < link->count; k++) {
        a->block_J[k] = J;
        J += link->rows * site.size[k];
    }
    memset(a->J, 0, (size_t)(link->rows * link->size) * sizeof *a->J);
    memset(values.phi, 0, (size_t)link->rows * sizeof *values.phi);
    memset(values.rate, 0, (size_t)link->rows * sizeof *values.rate);
    const saddle_constraint_type *type = link->item->constraint;
    SADDLE__TRY(saddle__system_pass_on(a, link, type->evaluate(a->context, &site, &values)));
    if (!saddle__is_finite(a->J, link->rows * link->size) ||
        !saddle__is_finite(values.phi, link->rows) || !saddle__is_finite(values.rate, link->rows))
        return saddle__system_refuse(a, link, "its values are not finite");
    for (int64_t i = 0; i < link->rows; i++) {
        if (!scatter(a, link, i))
            return saddle__system_refuse(a, link,
                                         "a row of angles has entries at linear velocities");
    }
    return SADDLE_OK;
}

saddle_status saddle__system_evaluate_drift(saddle_assembly *a, const saddle__system_link *link,
                                            double *drift)
{
    const double *velocity[SADDLE_ANCHORS_MAX];
    saddle_site site = saddle__system_site(a, link, a->model->time);
    for (int64_t k = 0; k < link->count; k++) {
        const int64_t column = a->anchors.column[link->anchor + k];
        velocity[k] = a->attached.graph && column >= 0 ? a->attached.velocity + column
                                                       : site.velocity[k];
    }
    site.velocity = velocity;
    memset(drift, 0, (size_t)link->rows * sizeof *drift);
    const saddle_constraint_type *type = link->item->constraint;
    SADDLE__TRY(saddle__system_pass_on(a, link, type->drift(a->context, &site, drift)));
    if (saddle__is_finite(drift, link->rows)) return SADDLE_OK;
    return saddle__system_refuse(a, link, "its drift is not finite");
}
