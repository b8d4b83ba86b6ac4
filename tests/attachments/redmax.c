/* SPDX-License-Identifier: MIT */
/* See redmax.h. */
#include "redmax.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A line "scene_H number value number value .." */
double redmax_energy(int scene)
{
    FILE *file = fopen(test_data_path("mbs_ref/reference_values.txt"), "r");
    char line[1024];
    double found = NAN;
    assert_non_null(file);
    while (fgets(line, sizeof line, file)) {
        char *next = line + strlen("scene_H");
        if (strncmp(line, "scene_H ", strlen("scene_H ")) != 0) continue;
        for (;;) {
            char *end;
            const long number = strtol(next, &end, 10);
            if (end == next) break;
            const double value = strtod(end, &next);
            if (number == scene) found = value;
        }
    }
    (void)fclose(file);
    return found;
}

saddle_tree_body redmax_box(int64_t parent, int axis, const double *sides, const double *before,
                            const double *center)
{
    static const double screw[3][6] = {{0, 0, 0, 1}, {0, 0, 0, 0, 1}, {0, 0, 0, 0, 0, 1}};
    saddle_tree_body body = {.parent = parent, .joint = saddle_motion_revolute()};
    body.joint.evaluate = saddle_motion_screw;
    body.joint.data = screw[axis];
    memcpy(body.joint.before.p, before, sizeof body.joint.before.p);
    memcpy(body.joint.after.p, center, sizeof body.joint.after.p);
    assert_int_equal(saddle_body_inertia_of_density(NULL, SADDLE_SHAPE_BOX, sides, 1,
                                                    &body.inertia),
                     SADDLE_OK);
    return body;
}
