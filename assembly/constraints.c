/* SPDX-License-Identifier: MIT */
/* Constraints: adding them, and what they say. */
#include <math.h>
#include <string.h>

#include "items.h"

saddle_row_def saddle_row_def_default(void)
{
    return (saddle_row_def){.purpose = SADDLE_HOLD, .strength = INFINITY};
}

static saddle_status check_row(const saddle_model *model, const char *subject, int64_t number,
                               const saddle_row_def *row)
{
    const char *wrong = NULL;
    if ((unsigned)row->purpose > SADDLE_IMPACT)
        wrong = "purpose";
    else if (!(row->strength >= 0))
        wrong = "strength";
    else if (!isfinite(row->target))
        wrong = "target";
    else if (!(row->restitution >= 0 && row->restitution <= 1))
        wrong = "restitution";
    if (wrong != NULL) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT,
                           "%s: row %lld: its %s is out of range", subject, (long long)number + 1,
                           wrong);
    }
    return saddle__check_compliance(model, subject, &row->compliance);
}

static saddle_status check(const saddle_model *model, const char *subject,
                           const saddle_constraint_def *def)
{
    if (def->type == NULL || def->type->evaluate == NULL) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s: its type has no evaluate",
                           subject);
    }
    if (def->rows < 1 || def->rows > SADDLE_CONSTRAINT_ROWS_MAX) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s: %lld rows, not 1 to %d",
                           subject, (long long)def->rows, (int)SADDLE_CONSTRAINT_ROWS_MAX);
    }
    int64_t moving = 0;
    saddle_status status = saddle__anchors_check(model, subject, def->count, def->anchors, &moving);
    if (status == SADDLE_OK && moving == 0) {
        status = saddle_fail(model->context, SADDLE_INVALID_ARGUMENT,
                             "%s: nothing that it acts on moves", subject);
    }
    for (int64_t i = 0; status == SADDLE_OK && def->row != NULL && i < def->rows; i++) {
        status = check_row(model, subject, i, &def->row[i]);
    }
    return status;
}

/* Everything of a constraint but its data and its place. */
static saddle_status fill(saddle_model *model, const saddle_constraint_def *def,
                          saddle__constraint *made)
{
    *made = (saddle__constraint){.item = SADDLE_ITEM_CONSTRAINT,
                                 .type = def->type,
                                 .count = def->count,
                                 .rows = def->rows};
    saddle_status status = saddle__copy_name(model->context, def->name, &made->name);
    if (status == SADDLE_OK) {
        status = saddle__copy_block(model->context, def->anchors, def->count, sizeof *def->anchors,
                                    (void **)&made->anchors);
    }
    if (status != SADDLE_OK) return status;
    made->row = saddle_allocate(model->context, def->rows, sizeof *made->row);
    if (made->row == NULL) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < def->rows; i++)
        made->row[i] = def->row == NULL ? saddle_row_def_default() : def->row[i];
    return SADDLE_OK;
}

saddle_status saddle__model_add_owned_constraint(saddle_model *model,
                                                 const saddle_constraint_def *def, void *data,
                                                 void (*moved)(const saddle_site *site, void *data),
                                                 saddle_handle *constraint)
{
    char subject[160];
    saddle__describe_new("constraint", def->name, subject, sizeof subject);
    saddle__constraint made = {0};
    int32_t place = 0;
    saddle_status status = check(model, subject, def);
    if (status == SADDLE_OK) status = fill(model, def, &made);
    if (status == SADDLE_OK) {
        status = saddle__pool_take(model->context, &model->constraints, (void **)&model->constraint,
                                   sizeof *model->constraint, &place);
    }
    if (status != SADDLE_OK) {
        saddle__constraint_clear(model->context, &made);
        return status;
    }
    made.generation = saddle__next_generation(model->constraint[place].generation);
    made.serial = model->serial++;
    made.data = data;
    made.moved = moved;
    model->constraint[place] = made;
    saddle__anchors_count(model, made.count, made.anchors, 1);
    model->edition++;
    *constraint = (saddle_handle){place, made.generation, made.item, model->number};
    return SADDLE_OK;
}

saddle_status saddle_model_add_constraint(saddle_model *model, const saddle_constraint_def *def,
                                          saddle_handle *constraint)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model || !def || !constraint)
        return saddle_fail(model ? model->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_model_add_constraint: model, def or constraint is NULL");
    void *data = NULL;
    saddle_status status = saddle__copy_block(model->context, def->data, (int64_t)def->bytes, 1,
                                              &data);
    if (status == SADDLE_OK)
        status = saddle__model_add_owned_constraint(model, def, data, NULL, constraint);
    if (status != SADDLE_OK) saddle_release(model->context, data);
    return status;
}

void saddle__constraint_clear(saddle_context *context, saddle__constraint *constraint)
{
    saddle_release(context, constraint->name);
    saddle_release(context, constraint->anchors);
    saddle_release(context, constraint->row);
    saddle_release(context, constraint->data);
    *constraint = (saddle__constraint){.generation = constraint->generation};
}

int64_t saddle_model_constraint_rows(const saddle_model *model, saddle_handle constraint)
{
    if (!model) return 0;
    const saddle__constraint *found = saddle__model_constraint(model, constraint);
    return found == NULL ? 0 : found->rows;
}

saddle_row_def *saddle_model_constraint_row(saddle_model *model, saddle_handle constraint,
                                            int64_t row)
{
    if (!model) return NULL;
    const saddle__constraint *found = saddle__model_constraint(model, constraint);
    return found == NULL || row < 0 || row >= found->rows ? NULL : &found->row[row];
}

void *saddle_model_constraint_data(saddle_model *model, saddle_handle constraint)
{
    if (!model) return NULL;
    const saddle__constraint *found = saddle__model_constraint(model, constraint);
    return found == NULL ? NULL : found->data;
}

/* ---- what one says ---- */

saddle_status saddle__constraint_values(saddle_model *model, const saddle__constraint *constraint,
                                        const saddle_site *site, saddle__constraint_room *room)
{
    double *J = room->J;
    for (int64_t k = 0; k < site->count; k++) {
        room->block[k] = J;
        J += constraint->rows * site->size[k];
    }
    memset(room->J, 0, (size_t)(J - room->J) * sizeof *J);
    memset(room->phi, 0, sizeof room->phi);
    memset(room->rate, 0, sizeof room->rate);
    saddle_constraint_values values = {room->phi, room->rate, room->block};
    return constraint->type->evaluate(model->context, site, &values);
}

saddle_status saddle_model_constraint_evaluate(saddle_model *model, saddle_handle constraint,
                                               double *phi, double *rate, double *drift)
{
    saddle_context_clear_message(model ? model->context : NULL);
    if (!model)
        return saddle_fail(NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_model_constraint_evaluate: model is NULL");
    const saddle__constraint *found = saddle__model_constraint(model, constraint);
    char name[160];
    saddle__model_describe(model, constraint, name, sizeof name);
    if (found == NULL)
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s is no constraint", name);
    if (drift != NULL && found->type->drift == NULL) {
        return saddle_fail(model->context, SADDLE_INVALID_ARGUMENT, "%s: its type knows no drift",
                           name);
    }
    saddle__constraint_room *room = saddle_allocate(model->context, 1, sizeof *room);
    if (room == NULL) return SADDLE_OUT_OF_MEMORY;
    const saddle_site site = saddle__model_site(model, found->count, found->anchors, found->data,
                                                &room->site);
    saddle_status status = saddle__constraint_values(model, found, &site, room);
    for (int64_t i = 0; status == SADDLE_OK && i < found->rows; i++) {
        if (phi != NULL) phi[i] = room->phi[i];
        if (rate == NULL) continue;
        rate[i] = room->rate[i];
        for (int64_t k = 0; k < site.count; k++) {
            for (int64_t j = 0; j < site.size[k]; j++)
                rate[i] += room->block[k][i * site.size[k] + j] * site.velocity[k][j];
        }
    }
    if (status == SADDLE_OK && drift != NULL) {
        memset(drift, 0, (size_t)found->rows * sizeof *drift);
        status = found->type->drift(model->context, &site, drift);
    }
    saddle_release(model->context, room);
    return status == SADDLE_OK ? SADDLE_OK : saddle__model_pass_on(model, constraint, status);
}
