/* SPDX-License-Identifier: MIT */
/* Attachments: velocities that follow from others.
 *
 *     v_k = sum_j A_kj v_j + g_k      component k, its masters j
 *
 * Masters can be attached themselves, in no loop (Lloyd, ArtiSynth mechanics notes, 0.17 - 0.21,
 * where A = -G).  A component is a particle, a frame or any number of coordinates.  Each of its
 * velocities is active, attached or parametric (prescribed).  With u (n') the active velocities, in
 * their order in v (n),
 *
 *     v = Q u + d     Q = P'  n x n'  composed along the graph
 *                     d  n            from the terms g and the prescribed velocities
 *
 *     saddle_attachments    the graph as described: components, attachments, their values
 *     saddle_map            the graph compiled: order, passes v = Q u + d and Q'F
 *     saddle_elimination    problem -> smaller problem -> solution of the first
 *                           (saddle/elimination.h)
 *
 * See docs/theory.md, section 7.
 */
#ifndef SADDLE_ATTACHMENTS_H
#define SADDLE_ATTACHMENTS_H

#include "saddle/options.h"
#include "saddle/problem.h"

SADDLE_BEGIN_DECLARATIONS

/* ---- the graph ---- */

/* X(name, word, velocities; 0 = any number) */
#define SADDLE_COMPONENT_LIST(X)                                                           \
    X(SADDLE_COMPONENT_PARTICLE, "particle", 3) /* velocity [m/s] */                       \
    X(SADDLE_COMPONENT_FRAME, "frame", 6)       /* twist: linear [m/s], angular [rad/s] */ \
    X(SADDLE_COMPONENT_COORDINATES, "coordinates", 0)

typedef enum saddle_component_kind {
#define SADDLE_COMPONENT_ENUM(name, word, size) name,
    SADDLE_COMPONENT_LIST(SADDLE_COMPONENT_ENUM)
#undef SADDLE_COMPONENT_ENUM
} saddle_component_kind;

/* "particle", ...; static storage */
SADDLE_API const char *saddle_component_kind_word(saddle_component_kind kind);
/* SADDLE_UNKNOWN_NAME */
SADDLE_API saddle_status saddle_component_kind_from_word(const char *word,
                                                         saddle_component_kind *kind);

typedef enum saddle_component_state {
    SADDLE_COMPONENT_STATE_ACTIVE = 0,    /* no velocity attached, none prescribed */
    SADDLE_COMPONENT_STATE_ATTACHED = 1,  /* all velocities attached */
    SADDLE_COMPONENT_STATE_PARTLY = 2,    /* some attached, the others active */
    SADDLE_COMPONENT_STATE_PARAMETRIC = 3 /* all velocities prescribed */
} saddle_component_state;

typedef struct saddle_component { /* start from {0} */
    int64_t id;                   /* chosen by the caller: distinct, any value */
    const char *name; /* in messages and in the reduced problem; NULL, "" = "component ID" */
    saddle_component_kind kind;
    int64_t size;   /* velocities: of coordinates any number >= 0; else 0 or the kind's own */
    int parametric; /* 1: velocities are prescribed, zero until set */
} saddle_component;

typedef struct saddle_attachment_block { /* A_kj */
    int64_t master;                      /* id of component j */
    int64_t rows;                        /* attached velocities of k */
    int64_t cols;        /* velocities of j, all of them: active, attached and prescribed */
    const double *value; /* rows x cols by columns */
} saddle_attachment_block;

typedef struct saddle_attachment { /* start from {0} */
    int64_t component;             /* id of component k */
    int64_t direction_count;       /* length of directions */
    const int64_t *directions; /* indices of the attached velocities of k, zero-based, ascending;
                                  NULL = all.  For other axes than k's own attach all of k to
                                  coordinates along the free ones */
    int64_t block_count;       /* masters, any number; 0: v_k = g_k */
    const saddle_attachment_block *blocks; /* one for each master, no master twice */
    const double *term;                    /* g_k: one for each attached velocity [as v_k];
                                              NULL = zero */
} saddle_attachment;

typedef struct saddle_attachments saddle_attachments;

/* An empty graph, *attachments released by saddle_attachments_free.  SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_attachments_create(saddle_context *context,
                                                   saddle_attachments **attachments);
SADDLE_API void saddle_attachments_free(saddle_attachments *attachments); /* NULL is fine */

/* The following functions copy their arguments; on an error nothing has changed.
 *
 * Adds a component; its velocities follow those of the components before it.
 * SADDLE_INVALID_ARGUMENT: an id in use, a size other than the kind's; SADDLE_TOO_LARGE;
 * SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_attachments_add(saddle_attachments *attachments,
                                                const saddle_component *component);

/* Attaches a component, once, to masters added before; masters can be attached later.
 * SADDLE_INVALID_ARGUMENT: no component or master of that id, a master given twice, directions out
 * of range or order, a block of the wrong size, an entry that is not finite;
 * SADDLE_INVALID_PROBLEM: attached already, or prescribed, or attached to itself. */
SADDLE_API saddle_status saddle_attachments_attach(saddle_attachments *attachments,
                                                   const saddle_attachment *attachment);

/* The component becomes active again.  SADDLE_INVALID_ARGUMENT: no such component, or not
 * attached. */
SADDLE_API saddle_status saddle_attachments_detach(saddle_attachments *attachments,
                                                   int64_t component);

/* New values of an attachment, no allocation.  component: id of an attached component.  value: its
 * blocks one behind another, each by columns, in the order of attaching; term: g_k; NULL = keep the
 * present ones.  SADDLE_INVALID_ARGUMENT: no such component, or not attached, or an entry that is
 * not finite. */
SADDLE_API saddle_status saddle_attachments_set(saddle_attachments *attachments, int64_t component,
                                                const double *value, const double *term);

/* velocity (size of the component) [m/s, rad/s]: prescribed from now on.  SADDLE_INVALID_ARGUMENT:
 * no such component, or not a parametric one, or an entry that is not finite. */
SADDLE_API saddle_status saddle_attachments_prescribe(saddle_attachments *attachments,
                                                      int64_t component, const double *velocity);

/* Reading the graph.  index: 0 <= index < count, in the order of adding. */
typedef struct saddle_component_view {
    saddle_component component; /* name: never NULL; size: never 0 for particles and frames;
                                   borrowed */
    saddle_component_state state;
    int64_t first;          /* index of its first velocity in v */
    const double *velocity; /* size: prescribed; NULL unless parametric */
} saddle_component_view;

/* Number of components, and of velocities n. */
SADDLE_API int64_t saddle_attachments_count(const saddle_attachments *attachments);
SADDLE_API int64_t saddle_attachments_velocities(const saddle_attachments *attachments);
SADDLE_API saddle_component_view saddle_attachments_component(const saddle_attachments *attachments,
                                                              int64_t index);
/* index of an id; -1 = none */
SADDLE_API int64_t saddle_attachments_index(const saddle_attachments *attachments,
                                            int64_t component);

/* *attachment of the component at index, arrays borrowed until the graph changes.  Returns 1, or 0
 * where the component is not attached. */
SADDLE_API int saddle_attachments_attachment(const saddle_attachments *attachments, int64_t index,
                                             saddle_attachment *attachment);

/* order (count): every component by index, masters before the components attached to them, else in
 * order of adding; the order of attaching has no influence.  SADDLE_INVALID_PROBLEM: a loop,
 * spelled out: "attachment loop: tibia -> knee -> tibia" (attached -> its master); order is then
 * undefined. SADDLE_OUT_OF_MEMORY.  Linear in components and masters. */
SADDLE_API saddle_status saddle_attachments_order(const saddle_attachments *attachments,
                                                  int64_t *order);

/* ---- the map ---- */

typedef struct saddle_map saddle_map;

/* Compiles the present graph; the map holds copies.  *map: released by saddle_map_free; NULL on
 * failure.  SADDLE_INVALID_PROBLEM: a loop, as above; SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE: 2^31
 * velocities. */
SADDLE_API saddle_status saddle_map_create(saddle_context *context,
                                           const saddle_attachments *attachments, saddle_map **map);
SADDLE_API void saddle_map_free(saddle_map *map); /* NULL is fine */

/* Copies the present values of the graph, no allocation.  SADDLE_INVALID_ARGUMENT: another graph,
 * or components or attachments came or went since. */
SADDLE_API saddle_status saddle_map_refresh(saddle_map *map, const saddle_attachments *attachments);

typedef struct saddle_map_size {
    int64_t n;             /* velocities */
    int64_t active;        /* n' */
    int64_t attached;      /* velocities */
    int64_t parametric;    /* velocities */
    int64_t attachments;   /* attached components */
    int64_t depth;         /* longest chain of attachments; 0 = none */
    int64_t block_entries; /* of all A_kj */
} saddle_map_size;

SADDLE_API saddle_map_size saddle_map_size_of(const saddle_map *map);

/* active (n'), ascending: index in v of each entry of u.  Owned by map. */
SADDLE_API const int64_t *saddle_map_active(const saddle_map *map);

/* Passes along the graph; Q is not formed, the cost is linear in the entries of the blocks.  No
 * allocation, no failure.
 *
 * v (n) = Q u + d for u (n'): masters before the components attached to them. */
SADDLE_API void saddle_map_velocities(const saddle_map *map, const double *u, double *v);

/* v (n) = Q u: of variations, or of velocities where g and the prescribed ones are zero. */
SADDLE_API void saddle_map_push(const saddle_map *map, const double *u, double *v);

/* F (n, in place): in reverse order each attached k adds A_kj'F_k to its masters; then reduced (n')
 * = Q'F, and F_k is the sum over k and all components attached to k, directly or not.  reduced:
 * NULL is fine. */
SADDLE_API void saddle_map_pull(const saddle_map *map, double *F, double *reduced);

/* ---- files ----
 *
 * A bundle with attachments stands for the problem M v - J'lambda = f, J v + R lambda - b = w in
 * all velocities together with
 *
 *     v_k - sum_j A_kj v_j = g_k      at attached velocities
 *     v_k = given                     at prescribed ones
 *
 * (docs/formats.md).  saddle_problem_read refuses such a bundle.
 *
 * path: a bundle folder.  problem: cleared by the caller.  *attachments: released by
 * saddle_attachments_free; NULL where the bundle has none.  All is checked, loops too; errors as
 * those of saddle_problem_read: SADDLE_FILE_ERROR, SADDLE_BAD_FILE (names file, line or component,
 * and reason), SADDLE_OUT_OF_MEMORY, SADDLE_TOO_LARGE; outputs are then empty. */
SADDLE_API saddle_status saddle_attachments_read(saddle_context *context, const char *path,
                                                 saddle_problem *problem,
                                                 saddle_attachments **attachments);

/* Reads back bit for bit.  attachments: NULL = none, a plain bundle.  An existing bundle is
 * replaced.  SADDLE_INVALID_ARGUMENT: another number of velocities; SADDLE_INVALID_PROBLEM: a
 * finding of saddle_problem_check, or a loop; SADDLE_NOT_EXPRESSIBLE: a name that is not UTF-8;
 * SADDLE_FILE_ERROR, SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_attachments_write(saddle_context *context, const char *path,
                                                  const saddle_problem *problem,
                                                  const saddle_attachments *attachments);

SADDLE_END_DECLARATIONS

#endif
