/* SPDX-License-Identifier: MIT */
/* The state of couplings, and functions of their files. */
#ifndef SADDLE_ATTACHMENTS_COUPLINGS_H
#define SADDLE_ATTACHMENTS_COUPLINGS_H

#include <string.h>

#include "graph.h"
#include "saddle/couplings.h"
#include "space/space.h"

typedef struct saddle__coupling {
    const saddle_coupling_type *type;
    int64_t component; /* by index */
    int64_t count;     /* masters */
    int64_t *master;   /* count: by index */
    void *data;
} saddle__coupling;

struct saddle_couplings {
    saddle_context *context;
    saddle_attachments *graph;
    int64_t count, room;
    saddle__coupling *coupling; /* room */
    /* compiled */
    int updated, loaded;         /* since then */
    saddle_axes axes;            /* of the last update */
    saddle__layout layout;       /* the arrays below */
    saddle_map *map;             /* its values: A and g of the last update, g = 0 for couplings */
    int64_t *coupling_of;        /* units: -1 = attached by hand */
    int64_t *position_start;     /* components + 1 */
    double *position;            /* position_start[components]: of the last update */
    double *treated;             /* as map->value: set in the graph */
    double *term;                /* as map->term */
    double *rate;                /* most entries of a unit: dA */
    double *force;               /* n: F, the sum at each component */
    double *velocity;            /* n: scratch */
    double *change;              /* n: scratch */
    int64_t *cols;               /* most masters of a coupling */
    const double **at, **moving; /* the same: of saddle_coupling_site */
};

/* The pose of a frame in an array of positions. */
static inline saddle_pose saddle__pose_at(const double *position)
{
    saddle_pose pose;
    memcpy(&pose, position, sizeof pose);
    return pose;
}

/* The name of an id, for messages. */
static inline const char *saddle__couplings_name(const saddle_couplings *couplings, int64_t id)
{
    int64_t index = saddle__component_find(couplings->graph, id);
    return index >= 0 ? couplings->graph->component[index].name : "no component";
}

/* SADDLE_INVALID_ARGUMENT unless the component is of kind, the masters (count >= 1) of
 * master_kind. */
saddle_status saddle__couplings_expect(const saddle_couplings *couplings, int64_t component,
                                       saddle_component_kind kind, int64_t count,
                                       const int64_t *masters, saddle_component_kind master_kind);

/* SADDLE_INVALID_ARGUMENT, with component and `what` in the message, unless all x are finite. */
saddle_status saddle__couplings_expect_finite(const saddle_couplings *couplings, int64_t component,
                                              const char *what, const double *x, int64_t count);

/* The same for weights with sum 1. */
saddle_status saddle__couplings_expect_weights(const saddle_couplings *couplings, int64_t component,
                                               int64_t count, const double *weights);

/* The same for a pose with a rotation R. */
saddle_status saddle__couplings_expect_pose(const saddle_couplings *couplings, int64_t component,
                                            const saddle_pose *pose);

#endif
