/* SPDX-License-Identifier: MIT */
/* Couplings: adding to a graph, compiling with the graph. */
#include "couplings.h"

#include <math.h>
#include <string.h>

#include "base/tolerances.h"
#include "space/space.h"

/* ---- arguments ---- */

static saddle_status expect_kind(const saddle_couplings *couplings, int64_t id,
                                 saddle_component_kind kind)
{
    int64_t index = saddle__component_find(couplings->graph, id);
    if (index < 0)
        return saddle__refuse(couplings, "there is no component of id %lld", (long long)id);
    const saddle__component *k = &couplings->graph->component[index];
    if (k->kind == kind) return SADDLE_OK;
    return saddle__refuse(couplings, "%s is of kind %s, where %s is coupled", k->name,
                          saddle_component_kind_word(k->kind), saddle_component_kind_word(kind));
}

saddle_status saddle__couplings_expect(const saddle_couplings *couplings, int64_t component,
                                       saddle_component_kind kind, int64_t count,
                                       const int64_t *masters, saddle_component_kind master_kind)
{
    SADDLE__TRY(expect_kind(couplings, component, kind));
    if (count < 1 || !masters)
        return saddle__refuse(couplings, "attachment of %s: %lld masters",
                              saddle__couplings_name(couplings, component), (long long)count);
    for (int64_t i = 0; i < count; i++)
        SADDLE__TRY(expect_kind(couplings, masters[i], master_kind));
    return SADDLE_OK;
}

saddle_status saddle__couplings_expect_finite(const saddle_couplings *couplings, int64_t component,
                                              const char *what, const double *x, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!isfinite(x[i]))
            return saddle__refuse(couplings, "attachment of %s: %s[%lld] is %g",
                                  saddle__couplings_name(couplings, component), what, (long long)i,
                                  x[i]);
    return SADDLE_OK;
}

saddle_status saddle__couplings_expect_weights(const saddle_couplings *couplings, int64_t component,
                                               int64_t count, const double *weights)
{
    SADDLE__TRY(saddle__couplings_expect_finite(couplings, component, "weight", weights, count));
    double sum = 0;
    double moduli = 0;
    for (int64_t i = 0; i < count; i++) {
        sum += weights[i];
        moduli += fabs(weights[i]);
    }
    /* rounding of weights far outside of an element, up to a limit */
    double rounding = fmin(1e-10 * fmax(1, moduli), 1e-6);
    if (fabs(sum - 1) <= rounding) return SADDLE_OK;
    return saddle__refuse(couplings, "attachment of %s: its weights sum to %.12g, not 1",
                          saddle__couplings_name(couplings, component), sum);
}

saddle_status saddle__couplings_expect_pose(const saddle_couplings *couplings, int64_t component,
                                            const saddle_pose *pose)
{
    SADDLE__TRY(saddle__couplings_expect_finite(couplings, component, "origin", pose->p, 3));
    SADDLE__TRY(saddle__couplings_expect_finite(couplings, component, "rotation", pose->R, 9));
    if (saddle__is_rotation(pose->R, SADDLE__HALF_DIGITS)) return SADDLE_OK;
    return saddle__refuse(couplings, "attachment of %s: R is no rotation",
                          saddle__couplings_name(couplings, component));
}

/* ---- adding ---- */

/* Attaches with zero blocks: the graph checks ids, states and repetitions. */
static saddle_status attach(saddle_couplings *couplings, int64_t component, int64_t count,
                            const int64_t *masters)
{
    const saddle_attachments *graph = couplings->graph;
    int64_t own = saddle__component_find(graph, component);
    int64_t rows = own < 0 ? 0 : graph->component[own].size;
    int64_t widest = 0;
    saddle_attachment_block *blocks = saddle_allocate(couplings->context, count, sizeof *blocks);
    for (int64_t b = 0; blocks && b < count; b++) {
        int64_t master = saddle__component_find(graph, masters[b]);
        blocks[b].master = masters[b];
        blocks[b].rows = rows;
        blocks[b].cols = master < 0 ? 0 : graph->component[master].size;
        if (blocks[b].cols > widest) widest = blocks[b].cols;
    }
    double *zero = saddle_allocate(couplings->context, rows * widest, sizeof *zero);
    for (int64_t b = 0; blocks && b < count; b++) blocks[b].value = zero;
    const saddle_attachment attachment = {.component = component,
                                          .block_count = count,
                                          .blocks = blocks};
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    if (blocks && zero) {
        status = saddle_attachments_attach(couplings->graph, &attachment);
        if (status != SADDLE_OK && graph->context && graph->context != couplings->context)
            saddle_fail(couplings->context, status, "%s", saddle_context_message(graph->context));
    }
    saddle__release_all(couplings->context, blocks, zero);
    return status;
}

saddle_status saddle_couplings_add(saddle_couplings *couplings, int64_t component, int64_t count,
                                   const int64_t *masters, const saddle_coupling_type *type,
                                   const void *data, size_t bytes)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(couplings), couplings && type && (data || bytes <= 0),
                          "couplings, type or data is NULL");
    saddle_context *context = couplings->context;
    if (count < 0 || (count > 0 && !masters))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "attachment of %s: %lld masters announced, none given",
                           saddle__couplings_name(couplings, component), (long long)count);
    saddle__coupling made = {.type = type,
                             .component = saddle__component_find(couplings->graph, component),
                             .count = count,
                             .master = saddle_allocate(context, count, sizeof *made.master),
                             .data = saddle_allocate(context, (int64_t)bytes, 1)};
    saddle_status status = saddle__reserve(context, &couplings->coupling, &couplings->room,
                                           couplings->count + 1, sizeof made);
    if (!made.master || !made.data) status = SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = attach(couplings, component, count, masters);
    if (status != SADDLE_OK) {
        saddle__release_all(context, made.master, made.data);
        return status;
    }
    for (int64_t b = 0; b < count; b++)
        made.master[b] = saddle__component_find(couplings->graph, masters[b]);
    if (bytes > 0) memcpy(made.data, data, bytes);
    couplings->coupling[couplings->count++] = made;
    return SADDLE_OK;
}

/* ---- compiling ---- */

static void clear_compiled(saddle_couplings *c)
{
    saddle__layout_clear(c->context, &c->layout);
    saddle_map_free(c->map);
    *c = (saddle_couplings){.context = c->context,
                            .graph = c->graph,
                            .count = c->count,
                            .room = c->room,
                            .coupling = c->coupling};
}

/* entries, masters: the most of a unit */
static saddle_status make_arrays(saddle_context *context, saddle_couplings *c, int64_t positions,
                                 int64_t entries, int64_t masters)
{
    const saddle_map *map = c->map;
    const saddle__array arrays[] = {SADDLE__ARRAY(c->coupling_of, map->units),
                                    SADDLE__ARRAY(c->position_start, map->components + 1),
                                    SADDLE__ARRAY(c->position, positions),
                                    SADDLE__ARRAY(c->treated, map->value_start[map->units]),
                                    SADDLE__ARRAY(c->term, map->row_start[map->units]),
                                    SADDLE__ARRAY(c->rate, entries),
                                    SADDLE__ARRAY(c->force, map->n),
                                    SADDLE__ARRAY(c->velocity, map->n),
                                    SADDLE__ARRAY(c->change, map->n),
                                    SADDLE__ARRAY(c->cols, masters),
                                    SADDLE__ARRAY(c->at, masters),
                                    SADDLE__ARRAY(c->moving, masters)};
    return saddle__layout_make(context, &c->layout, arrays, SADDLE__LENGTH(arrays));
}

static saddle_status allocate(saddle_couplings *c, int64_t positions)
{
    const saddle_map *map = c->map;
    int64_t entries = 0;
    int64_t masters = 0;
    for (int64_t u = 0; u < map->units; u++) {
        int64_t own_entries = map->value_start[u + 1] - map->value_start[u];
        int64_t own_masters = map->block_start[u + 1] - map->block_start[u];
        if (own_entries > entries) entries = own_entries;
        if (own_masters > masters) masters = own_masters;
    }
    saddle_status status = make_arrays(c->context, c, positions, entries, masters);
    return status;
}

static int64_t position_size(const saddle__component *k)
{
    enum { POSE = sizeof(saddle_pose) / sizeof(double) };
    return k->kind == SADDLE_COMPONENT_FRAME ? POSE : k->size;
}

/* Couplings of the units.  A coupling whose attachment was changed is refused. */
static saddle_status place_couplings(saddle_couplings *c)
{
    for (int64_t u = 0; u < c->map->units; u++) c->coupling_of[u] = -1;
    for (int64_t i = 0; i < c->count; i++) {
        const saddle__coupling *coupling = &c->coupling[i];
        const saddle__component *k = &c->graph->component[coupling->component];
        const saddle__attachment *a = k->attachment;
        int same = a && a->whole && a->block_count == coupling->count;
        for (int64_t b = 0; same && b < coupling->count; b++)
            same = a->master[b] == coupling->master[b];
        if (!same) return saddle__refuse(c, "%s is no longer attached as it was coupled", k->name);
        c->coupling_of[c->map->unit_of[coupling->component]] = i;
    }
    return SADDLE_OK;
}

saddle_status saddle_couplings_compile(saddle_couplings *c)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(c), c, "couplings is NULL");
    clear_compiled(c);
    int64_t positions = 0;
    for (int64_t k = 0; k < c->graph->count; k++)
        positions += position_size(&c->graph->component[k]);
    saddle_status status = saddle__map_create(c->context, c->graph, NULL, &c->map);
    if (status == SADDLE_OK) status = allocate(c, positions);
    if (status == SADDLE_OK) status = place_couplings(c);
    if (status != SADDLE_OK) {
        clear_compiled(c);
        return status;
    }
    for (int64_t k = 0; k < c->graph->count; k++)
        c->position_start[k + 1] = c->position_start[k] + position_size(&c->graph->component[k]);
    return SADDLE_OK;
}

const int64_t *saddle_couplings_position_start(const saddle_couplings *couplings)
{
    return couplings ? couplings->position_start : NULL;
}

/* ---- making ---- */

saddle_status saddle_couplings_create(saddle_context *context, saddle_attachments *attachments,
                                      saddle_couplings **couplings)
{
    if (couplings) *couplings = NULL;
    SADDLE__RETURN_UNLESS(context, attachments && couplings, "attachments or couplings is NULL");
    *couplings = saddle_allocate(context, 1, sizeof **couplings);
    if (!*couplings) return SADDLE_OUT_OF_MEMORY;
    (*couplings)->context = context;
    (*couplings)->graph = attachments;
    return SADDLE_OK;
}

void saddle_couplings_free(saddle_couplings *couplings)
{
    if (!couplings) return;
    clear_compiled(couplings);
    for (int64_t i = 0; i < couplings->count; i++)
        saddle__release_all(couplings->context, couplings->coupling[i].master,
                            couplings->coupling[i].data);
    saddle__release_all(couplings->context, couplings->coupling, couplings);
}
