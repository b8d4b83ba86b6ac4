/* SPDX-License-Identifier: MIT */
/* See mujoco_tree.h.  MuJoCo numbers bodies depth first: joints are found by name. */
#define _POSIX_C_SOURCE 200809L
#include "mujoco_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../harness.h"
#include "../mujoco_messages.h"

static void write_link(FILE *file, int links, int branches, int i)
{
    (void)fprintf(file,
                  "<body name=\"b%d\" pos=\"0 %d 0\"><joint name=\"j%d\" type=\"hinge\" axis=\"0 0 "
                  "1\"/><inertial pos=\"0 -0.5 0\" mass=\"1\" diaginertia=\"%.17g 0.01 %.17g\"/>\n",
                  i, i > 0 ? -1 : 0, i, 1.0 / 12, 1.0 / 12);
    for (int k = 1; k <= branches; k++)
        if (branches * i + k < links) write_link(file, links, branches, branches * i + k);
    (void)fprintf(file, "</body>\n");
}

static mjModel *make_model(int links, int branches)
{
    char path[] = "/tmp/saddle-bench-XXXXXX";
    char error[500] = "";
    const int descriptor = mkstemp(path);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    mujoco_use_standard_error();
    if (!file) return NULL;
    (void)fprintf(file, "<mujoco><compiler angle=\"radian\" balanceinertia=\"true\"/><option "
                        "gravity=\"0 -9.81 0\"/><worldbody>\n");
    write_link(file, links, branches, 0);
    (void)fprintf(file, "</worldbody></mujoco>\n");
    (void)fclose(file);
    mjModel *model = mj_loadXML(path, NULL, error, sizeof error);
    if (!model) (void)fprintf(stderr, "MuJoCo: %s\n", error);
    (void)remove(path);
    return model;
}

static int address(const mjModel *model, int link)
{
    char name[16];
    (void)snprintf(name, sizeof name, "j%d", link);
    return model->jnt_dofadr[mj_name2id(model, mjOBJ_JOINT, name)];
}

double mujoco_tree_seconds(int links, int branches, const double *q, const double *dq, int crb,
                           int repeats, int runs, double *ddq)
{
    mjModel *model = make_model(links, branches);
    mjData *data = model ? mj_makeData(model) : NULL;
    double *seconds = calloc((size_t)repeats, sizeof *seconds);
    double median = -1;
    if (data && seconds) {
        for (int i = 0; i < links; i++) {
            data->qpos[address(model, i)] = q[i];
            data->qvel[address(model, i)] = dq[i];
        }
        mj_forward(model, data);
        for (int r = 0; r < repeats; r++) {
            const double began = bench_processor_seconds();
            for (int k = 0; k < runs; k++) {
                if (crb)
                    mj_crb(model, data);
                else
                    mj_forward(model, data);
            }
            seconds[r] = (bench_processor_seconds() - began) / runs;
        }
        median = bench_median(seconds, repeats);
        for (int i = 0; ddq && i < links; i++) ddq[i] = data->qacc[address(model, i)];
    }
    free(seconds);
    if (data) mj_deleteData(data);
    if (model) mj_deleteModel(model);
    return median;
}
