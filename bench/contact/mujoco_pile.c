/* SPDX-License-Identifier: MIT */
/* See mujoco_pile.h. */
#include "contact/mujoco_pile.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "generators/builder.h"
#include "generators/draw.h"
#include "mujoco_messages.h"

enum { BOXES = 200, ROW = 5, SETTLING = 300, TEXT = 1 << 17 };

const char *const mujoco_pile_names[MUJOCO_PILES] = {
    "mujoco-pile-elliptic", "mujoco-pile-pyramidal",     /* held together by four walls */
    "mujoco-spread-elliptic", "mujoco-spread-pyramidal", /* without walls: many islands */
};

/* ---- the pile ---- */

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
append(char *text, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, TEXT - length, format, arguments);
    va_end(arguments);
}

/* Planes 2.1 m apart. */
static void describe_walls(char *text)
{
    for (int k = 0; k < 4; k++) {
        int x = k == 0 ? -1 : k == 1, y = k == 2 ? -1 : k == 3;
        append(text,
               "<geom type=\"plane\" size=\"5 5 1\" pos=\"%.15g %.15g 0\" zaxis=\"%d %d 0\"/>",
               -1.05 * x, -1.05 * y, x, y);
    }
}

/* Boxes of edges between 0.25 and 0.35 m, each turned some way, in layers of 25 above a floor. */
static void describe(char *text, int walls)
{
    uint64_t state = 200;
    text[0] = '\0';
    append(text, "<mujoco><option timestep=\"0.005\" tolerance=\"1e-10\"/>"
                 "<size njmax=\"5000\" nconmax=\"1250\" nstack=\"30000000\"/><default><geom "
                 "friction=\"0.5 0.005 0.0001\"/></default><worldbody><geom type=\"plane\" "
                 "size=\"5 5 1\"/>");
    if (walls) describe_walls(text);
    for (int k = 0; k < BOXES; k++) {
        double size[3], at[3], turn[3];
        for (int i = 0; i < 3; i++) size[i] = 0.125 + 0.025 * draw_fraction(&state);
        for (int i = 0; i < 3; i++) turn[i] = 28 * draw_fraction(&state);
        at[0] = 0.42 * (k % ROW - 2);
        at[1] = 0.42 * (k / ROW % ROW - 2);
        at[2] = 0.25 + 0.42 * (k / (ROW * ROW));
        for (int i = 0; i < 3; i++) at[i] += 0.02 * draw_fraction(&state);
        append(text,
               "<body pos=\"%.15g %.15g %.15g\" euler=\"%.15g %.15g %.15g\"><freejoint/><geom "
               "type=\"box\" size=\"%.15g %.15g %.15g\" density=\"500\"/></body>",
               at[0], at[1], at[2], turn[0], turn[1], turn[2], size[0], size[1], size[2]);
    }
    append(text, "</worldbody></mujoco>");
}

static mjModel *load(const char *text)
{
    char error[256] = "";
    mujoco_use_standard_error();
    mjVFS *files = malloc(sizeof *files);
    mjModel *model = NULL;
    if (!files) return NULL;
    mj_defaultVFS(files);
    (void)mj_makeEmptyFileVFS(files, "pile.xml", (int)strlen(text) + 1);
    int index = mj_findFileVFS(files, "pile.xml");
    if (index >= 0) {
        memcpy(files->filedata[index], text, strlen(text) + 1);
        model = mj_loadXML("pile.xml", files, error, (int)sizeof error);
    }
    if (!model) fprintf(stderr, "contact: MuJoCo: %s\n", error);
    mj_deleteVFS(files);
    free(files);
    return model;
}

/* ---- the problem as ours ---- */

static void add_mass(builder *b, const mjModel *model, const mjData *data)
{
    int64_t n = model->nv;
    double *full = malloc((size_t)(n * n) * sizeof *full);
    builder_velocities(b, n, NULL);
    if (!full) return;
    mj_fullM(model, full, data->qM);
    for (int64_t i = 0; i < n; i++) {
        builder_force(b, i, data->qfrc_smooth[i]);
        for (int64_t j = 0; j <= i; j++)
            if (full[n * i + j] != 0) builder_mass(b, i, j, full[n * i + j]);
    }
    free(full);
}

static void add_row(builder *b, const mjModel *model, const mjData *data, int64_t k)
{
    int edge = data->efc_type[k] == mjCNSTR_CONTACT_PYRAMIDAL;
    int64_t row = builder_row(b, edge ? 0 : -INFINITY, INFINITY, data->efc_aref[k]);
    builder_compliance(b, row, row, data->efc_R[k]);
    if (!mj_isSparse(model)) {
        for (int64_t j = 0; j < model->nv; j++)
            if (data->efc_J[k * model->nv + j] != 0)
                builder_jacobian(b, row, j, data->efc_J[k * model->nv + j]);
        return;
    }
    for (int i = 0; i < data->efc_J_rownnz[k]; i++) {
        int64_t at = data->efc_J_rowadr[k] + i;
        builder_jacobian(b, row, data->efc_J_colind[at], data->efc_J[at]);
    }
}

saddle_status mujoco_pile_problem(saddle_context *context, const mujoco_pile *pile,
                                  saddle_problem *problem)
{
    const mjModel *model = pile->model;
    const mjData *data = pile->data;
    builder b = builder_begin(context);
    add_mass(&b, model, data);
    for (int64_t k = 0; k < data->nefc; k++) add_row(&b, model, data, k);
    for (int c = 0; c < data->ncon && model->opt.cone == mjCONE_ELLIPTIC; c++) {
        const mjContact *contact = &data->contact[c];
        if (contact->efc_address >= 0)
            builder_contact(&b, contact->efc_address, contact->dim, contact->friction[0]);
    }
    b.problem.law = SADDLE_LAW_ASSOCIATED;
    return builder_finish(&b, pile->name, 0, problem);
}

/* ---- opening ---- */

int mujoco_pile_open(int index, mujoco_pile *pile)
{
    char *text = malloc(TEXT);
    *pile = (mujoco_pile){.name = mujoco_pile_names[index]};
    if (!text) return 1;
    describe(text, index < 2);
    pile->model = load(text);
    free(text);
    pile->data = pile->model ? mj_makeData(pile->model) : NULL;
    if (!pile->data) return 1;
    for (int k = 0; k < SETTLING; k++) mj_step(pile->model, pile->data); /* pyramidal cones */
    pile->model->opt.cone = index % 2 ? mjCONE_PYRAMIDAL : mjCONE_ELLIPTIC;
    mj_forward(pile->model, pile->data);
    return 0;
}

double mujoco_pile_solve(const mujoco_pile *pile)
{
    mju_copy(pile->data->qacc_warmstart, pile->data->qacc_smooth, pile->model->nv);
    const double began = saddle_clock();
    mj_fwdConstraint(pile->model, pile->data);
    return saddle_clock() - began;
}

void mujoco_pile_close(mujoco_pile *pile)
{
    mj_deleteData(pile->data);
    mj_deleteModel(pile->model);
    *pile = (mujoco_pile){.name = NULL};
}
