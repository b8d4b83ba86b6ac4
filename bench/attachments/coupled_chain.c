/* SPDX-License-Identifier: MIT */
/* Couplings along a chain of joints: each link a body on the link before by a hinge, with a marker
 * on the body.  Nanoseconds a link of this thread's processor time, medians; a constant column
 * means linear cost.
 *
 *     as it is     saddle_couplings_update: poses, blocks, velocities
 *     and term     the same with g = h dA(v) v
 *     stiffness    saddle_couplings_stiffness: push, dA of each coupling, pull
 *     pass         saddle_map_push and saddle_map_pull alone
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tables.h"
#include "saddle/couplings.h"

enum { REPEATS = 9, KINDS = 4 };

static const int64_t lengths[] = {1000, 10000, 100000};

/* Of link k: its coordinate 3k, its body 3k + 1, its marker 3k + 2. */
static saddle_status add_link(saddle_attachments *graph, saddle_couplings *couplings, int64_t k)
{
    static const double hinge[6] = {0, 0, 0, 0, 0, 1};
    static const double mark[3] = {0.5, 0.1, 0};
    const int64_t parent = 3 * k - 2;
    const saddle_component components[3] = {{.id = 3 * k,
                                             .kind = SADDLE_COMPONENT_COORDINATES,
                                             .size = 1},
                                            {.id = 3 * k + 1, .kind = SADDLE_COMPONENT_FRAME},
                                            {.id = 3 * k + 2}};
    saddle_motion joint = {
        1, saddle_pose_identity(), saddle_pose_identity(), saddle_motion_screw, NULL, hinge, NULL};
    joint.before.p[0] = k > 0 ? 1 : 0;
    saddle_status status = SADDLE_OK;
    for (int i = 0; status == SADDLE_OK && i < 3; i++)
        status = saddle_attachments_add(graph, &components[i]);
    if (status == SADDLE_OK)
        status = saddle_couplings_add_body_on_joint(couplings, 3 * k + 1, k > 0 ? &parent : NULL,
                                                    3 * k, &joint);
    if (status == SADDLE_OK)
        status = saddle_couplings_add_point_on_frame(couplings, 3 * k + 2, 3 * k + 1, mark);
    return status;
}

typedef struct chain_state {
    saddle_map *map;
    int64_t links;
    double *position, *v, *u, *f, *product;
} chain_state;

static saddle_status run_kind(saddle_couplings *couplings, const chain_state *s, int kind)
{
    const saddle_coupling_step step = {0.01,
                                       kind == 1 ? SADDLE_FICTITIOUS_TERM : SADDLE_FICTITIOUS_NONE,
                                       SADDLE_AXES_BODY};
    if (kind < 2) return saddle_couplings_update(couplings, &step, s->position, s->v);
    if (kind == 2) return saddle_couplings_stiffness(couplings, NULL, s->u, s->product);
    saddle_map_push(s->map, s->u, s->f);
    saddle_map_pull(s->map, s->f, s->product);
    return SADDLE_OK;
}

static saddle_status measure(saddle_couplings *couplings, const chain_state *s, double *nanoseconds)
{
    double time[KINDS][REPEATS];
    saddle_status status = saddle_couplings_update(couplings, NULL, s->position, s->v);
    if (status == SADDLE_OK) status = saddle_couplings_load(couplings, s->f, NULL);
    for (int r = 0; status == SADDLE_OK && r < REPEATS; r++)
        for (int kind = 0; status == SADDLE_OK && kind < KINDS; kind++) {
            if (kind == 2) status = saddle_couplings_load(couplings, s->f, NULL);
            double began = bench_processor_seconds();
            if (status == SADDLE_OK) status = run_kind(couplings, s, kind);
            time[kind][r] = bench_processor_seconds() - began;
        }
    for (int kind = 0; status == SADDLE_OK && kind < KINDS; kind++)
        nanoseconds[kind] = 1e9 * bench_median(time[kind], REPEATS) / (double)s->links;
    return status;
}

static saddle_status make_state(saddle_context *context, const saddle_attachments *graph,
                                saddle_couplings *couplings, chain_state *s)
{
    saddle_status status = saddle_couplings_compile(couplings);
    if (status == SADDLE_OK) status = saddle_map_create(context, graph, &s->map);
    if (status != SADDLE_OK) return status;
    size_t n = (size_t)saddle_attachments_velocities(graph);
    const int64_t *start = saddle_couplings_position_start(couplings);
    s->position = calloc((size_t)start[3 * s->links], sizeof(double));
    s->v = calloc(n, sizeof(double));
    s->f = calloc(n, sizeof(double));
    s->u = calloc((size_t)s->links, sizeof(double));
    s->product = calloc((size_t)s->links, sizeof(double));
    if (!s->position || !s->v || !s->f || !s->u || !s->product) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < s->links; k++) {
        s->position[start[3 * k]] = 0.01 * (double)(k % 7 - 3);
        s->u[k] = s->v[saddle_attachments_component(graph, 3 * k).first] = 1e-3 *
                                                                           (double)(k % 5 - 2);
    }
    for (size_t i = 0; i < n; i++) s->f[i] = 1;
    return SADDLE_OK;
}

static saddle_status run_length(saddle_context *context, const bench_options *options,
                                const char *name, int64_t links)
{
    chain_state s = {.links = links};
    saddle_attachments *graph = NULL;
    saddle_couplings *couplings = NULL;
    double found[KINDS] = {0};
    saddle_status status = saddle_attachments_create(context, &graph);
    if (status == SADDLE_OK) status = saddle_couplings_create(context, graph, &couplings);
    for (int64_t k = 0; status == SADDLE_OK && k < links; k++)
        status = add_link(graph, couplings, k);
    if (status == SADDLE_OK) status = make_state(context, graph, couplings, &s);
    if (status == SADDLE_OK) status = measure(couplings, &s, found);
    if (status == SADDLE_OK)
        printf(options->csv ? "%s,%.4g,%.4g,%.4g,%.4g\n" : "%-18s %9.4g %9.4g %9.4g %9.4g\n", name,
               found[0], found[1], found[2], found[3]);
    free(s.position);
    free(s.v);
    free(s.u);
    free(s.f);
    free(s.product);
    saddle_map_free(s.map);
    saddle_couplings_free(couplings);
    saddle_attachments_free(graph);
    return status;
}

static void name_of(int64_t links, char *name, size_t size)
{
    (void)snprintf(name, size, "joints-%" PRId64, links);
}

void bench_couplings_list(void)
{
    char name[32];
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        name_of(lengths[i], name, sizeof name);
        puts(name);
    }
}

int bench_couplings_run(saddle_context *context, const bench_options *options)
{
    int failed = 0;
    char name[32];
    puts(options->csv ? "system,as it is,and term,stiffness,pass"
                      : "\nnanoseconds a link   as it is  and term stiffness      pass");
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        name_of(lengths[i], name, sizeof name);
        if (bench_begins(name, options->only) && bench_small(lengths[i], options->largest))
            failed |= bench_report(context, name, run_length(context, options, name, lengths[i]));
    }
    return failed;
}
