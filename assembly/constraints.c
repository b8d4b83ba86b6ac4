/* SPDX-License-Identifier: MIT */
/* Constraints of a model: addition, row definitions, values (saddle/constraint.h). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model_internal.h"

saddle_row_def saddle_row_def_default(void)
{
    return (saddle_row_def){.purpose = SADDLE_HOLD, .strength = INFINITY};
}

int saddle__row_is_hard(const saddle_row_def *row)
{
    return row->purpose == SADDLE_HOLD && row->compliance.alpha == 0 && isinf(row->strength);
}

int saddle__next_row(saddle__row_walk *walk)
{
    const saddle_model *model = walk->model;
    for (; walk->link < model->constraints.count; walk->link++, walk->next = 0) {
        const saddle__item_link *c = &model->constraint[model->constraints.order[walk->link]];
        if (walk->next == c->rows) continue;
        walk->def = &c->row[walk->next++];
        walk->row++;
        return 1;
    }
    return 0;
}

static saddle_status check_row(const saddle_model *model, const saddle_constraint_def *def,
                               int64_t i)
{
    const saddle_row_def *row = &def->row[i];
    const saddle__numbers numbers[] = {{"strength", SADDLE__STRENGTH, 1, &row->strength},
                                       {"target", SADDLE__ANY, 1, &row->target},
                                       {"restitution", SADDLE__SHARE, 1, &row->restitution}};
    char word[40];
    snprintf(word, sizeof word, "row %lld of constraint", (long long)i + 1);
    if ((unsigned)row->purpose > SADDLE_IMPACT)
        return saddle__refuse_new(model, word, def->name, "its purpose is out of range");
    const saddle_status status = saddle__check_numbers(model, word, def->name, 3, numbers);
    if (status != SADDLE_OK) return status;
    return saddle__check_compliance(model, word, def->name, &row->compliance);
}

static saddle_status check(const saddle_model *model, const saddle_constraint_def *def)
{
    if (!def->type || !def->type->evaluate)
        return saddle__refuse_new(model, "constraint", def->name, "its type has no evaluate");
    if (def->rows < 1 || def->rows > SADDLE_CONSTRAINT_ROWS_MAX) {
        return saddle__refuse_new(model, "constraint", def->name, "%lld rows, not 1 to %d",
                                  (long long)def->rows, (int)SADDLE_CONSTRAINT_ROWS_MAX);
    }
    saddle_status status = SADDLE_OK;
    for (int64_t i = 0; status == SADDLE_OK && def->row && i < def->rows; i++)
        status = check_row(model, def, i);
    return status;
}

saddle_status saddle_model_add_constraint(saddle_model *model, const saddle_constraint_def *def,
                                          saddle_handle *constraint)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && def && constraint,
                          "model, def or constraint is NULL");
    const saddle_status status = check(model, def);
    return status == SADDLE_OK ? saddle__model_add_link(model, NULL, def, constraint) : status;
}

int64_t saddle_model_constraint_rows(const saddle_model *model, saddle_handle constraint)
{
    const saddle__item_link *found = model ? saddle__model_constraint(model, constraint) : NULL;
    return found ? found->rows : 0;
}

saddle_row_def *saddle_model_constraint_row(saddle_model *model, saddle_handle constraint,
                                            int64_t row)
{
    const saddle__item_link *found = model ? saddle__model_constraint(model, constraint) : NULL;
    return found && row >= 0 && row < found->rows ? &found->row[row] : NULL;
}

void *saddle_model_constraint_data(saddle_model *model, saddle_handle constraint)
{
    const saddle__item_link *found = model ? saddle__model_constraint(model, constraint) : NULL;
    return found ? found->data : NULL;
}

/* ---- values ---- */

saddle_status saddle__constraint_values(saddle_model *model, const saddle__item_link *constraint,
                                        const saddle_site *site, saddle__constraint_buffer *buffer)
{
    double *J = buffer->J;
    for (int64_t k = 0; k < site->count; k++) {
        buffer->block[k] = J;
        J += constraint->rows * site->size[k];
    }
    memset(buffer->J, 0, (size_t)(J - buffer->J) * sizeof *J);
    memset(buffer->phi, 0, sizeof buffer->phi);
    memset(buffer->rate, 0, sizeof buffer->rate);
    saddle_constraint_values values = {buffer->phi, buffer->rate, buffer->block};
    return constraint->constraint->evaluate(model->context, site, &values);
}

saddle_status saddle_model_constraint_evaluate(saddle_model *model, saddle_handle constraint,
                                               double *phi, double *rate, double *drift)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model, "model is NULL");
    const saddle__item_link *found = saddle__model_constraint(model, constraint);
    if (!found) return saddle__refuse_item(model, "", constraint, " is no constraint");
    if (drift && !found->constraint->drift)
        return saddle__refuse_item(model, "", constraint, ": its type knows no drift");
    saddle__constraint_buffer *buffer = saddle_allocate(model->context, 1, sizeof *buffer);
    if (!buffer) return SADDLE_OUT_OF_MEMORY;
    const saddle_site site = saddle__model_site(model, found->count, found->anchors, found->data,
                                                &buffer->site);
    saddle_status status = saddle__constraint_values(model, found, &site, buffer);
    for (int64_t i = 0; status == SADDLE_OK && i < found->rows; i++) {
        if (phi) phi[i] = buffer->phi[i];
        if (!rate) continue;
        rate[i] = buffer->rate[i];
        for (int64_t k = 0; k < site.count; k++) {
            for (int64_t j = 0; j < site.size[k]; j++)
                rate[i] += buffer->block[k][i * site.size[k] + j] * site.velocity[k][j];
        }
    }
    if (status == SADDLE_OK && drift) {
        memset(drift, 0, (size_t)found->rows * sizeof *drift);
        status = found->constraint->drift(model->context, &site, drift);
    }
    saddle_release(model->context, buffer);
    return saddle__model_pass_on(model, constraint, status);
}
