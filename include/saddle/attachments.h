/* SPDX-License-Identifier: MIT */
/* Attachments: velocities that follow from others, and the problem that is left when they are
 * eliminated.
 *
 *     v_k = sum_j A_kj v_j + g_k
 *         component k, its masters j; masters may be attached themselves, in no loop
 *
 * (seed 000, 0.17 - 0.21, where A = -G.) A component is a particle, a frame or any number of
 * coordinates.  Each of its velocities is active, attached or parametric (prescribed).  With u (n')
 * the active velocities, in their order in v (n),
 *
 *     v = Q u + d   Q = P'  n x n'  composed along the graph
 *         d  n  from the terms g and the prescribed velocities
 *
 * and a problem in v becomes one in u, with the same rows, compliance, bounds and contacts (0.20 -
 * 0.24, 0.27 - 0.35):
 *
 *     M' = Q'M Q = P M P'      n' x n'  symmetric where M is           f' = Q'(f - M d)      n'
 *     J' = J Q                 m  x n'                                 b' = b - J d          m
 *
 * What was eliminated comes back: all of v, and the impulses F (n) that M v - J'lambda - f leaves
 * over, summed along the graph.  At an attached velocity F is what its attachment carries, the
 * lambda_beta of the row v_k - sum_j A_kj v_j = g_k had it been kept (on masters it acts by
 * -A_kj'); at a prescribed one what the prescription takes (0.21); at an active one zero but for
 * rounding.
 *
 *     saddle_attachments   the graph as it is described: components, attachments, their values
 *     saddle_map           the graph compiled: order, passes over it
 *     saddle_reduction     problem -> smaller problem -> solution of the first
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
#define SADDLE_COMPONENT_LIST(X)                                                 \
    X(SADDLE_PARTICLE, "particle", 3) /* velocity [m/s] */                       \
    X(SADDLE_FRAME, "frame", 6)       /* twist: linear [m/s], angular [rad/s] */ \
    X(SADDLE_COORDINATES, "coordinates", 0)

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
    SADDLE_ACTIVE = 0,          /* no velocity attached, none prescribed */
    SADDLE_ATTACHED = 1,        /* all velocities attached */
    SADDLE_PARTLY_ATTACHED = 2, /* some attached, the others active */
    SADDLE_PARAMETRIC = 3       /* all velocities prescribed */
} saddle_component_state;

typedef struct saddle_component {
    int64_t id;       /* the host's own, distinct, stable; any value */
    const char *name; /* of messages and of the reduced problem; NULL, "" = "component ID" */
    saddle_component_kind kind;
    int64_t size;   /* velocities: coordinates any number >= 0; else 0 or the kind's own */
    int parametric; /* 1: its velocities are prescribed, zero until set */
} saddle_component;

typedef struct saddle_attachment_block { /* A_kj */
    int64_t master;                      /* id of component j */
    int64_t rows;                        /* attached velocities of k */
    int64_t cols;        /* velocities of j, all of them: active, attached and prescribed */
    const double *value; /* rows x cols by columns */
} saddle_attachment_block;

typedef struct saddle_attachment {
    int64_t component;         /* id of component k */
    int64_t direction_count;   /* with directions: how many */
    const int64_t *directions; /* which velocities of k are attached: zero-based, ascending; NULL =
                                  all.  Others than k's own axes: attach all of k to coordinates of
                                  your own making */
    int64_t block_count;       /* masters, any number; 0: v_k = g_k */
    const saddle_attachment_block *blocks; /* one for each master, no master twice */
    const double *term; /* g_k: one for each attached velocity [as v_k]; NULL = zero */
} saddle_attachment;

typedef struct saddle_attachments saddle_attachments;

/* An empty graph, *attachments released by saddle_attachments_free.  SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_attachments_create(saddle_context *context,
                                                   saddle_attachments **attachments);
SADDLE_API void saddle_attachments_free(saddle_attachments *attachments); /* NULL is fine */

/* What is given to the following is copied; on an error nothing has changed.
 *
 * Adds a component; its velocities follow those of the components before it.
 * SADDLE_INVALID_ARGUMENT: an id that is taken, a size that is not the kind's; SADDLE_TOO_LARGE;
 * SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_attachments_add(saddle_attachments *attachments,
                                                const saddle_component *component);

/* Attaches a component, once, to masters that were added before; masters may be attached later.
 * SADDLE_INVALID_ARGUMENT: no component or master of that id, a master given twice, directions out
 * of range or order, a block of the wrong size, an entry that is not finite;
 * SADDLE_INVALID_PROBLEM: attached already, or prescribed, or to itself. */
SADDLE_API saddle_status saddle_attachments_attach(saddle_attachments *attachments,
                                                   const saddle_attachment *attachment);

/* The component becomes active again.  SADDLE_INVALID_ARGUMENT: no such component, or it is not
 * attached. */
SADDLE_API saddle_status saddle_attachments_detach(saddle_attachments *attachments,
                                                   int64_t component);

/* New values, no allocation.  component: id of an attached component.  value: its blocks one behind
 * another, each by columns, in the order they were attached in; term: g_k; either may be NULL and
 * stays as it was then. SADDLE_INVALID_ARGUMENT: no such component, or not attached, or an entry
 * that is not finite. */
SADDLE_API saddle_status saddle_attachments_set(saddle_attachments *attachments, int64_t component,
                                                const double *value, const double *term);

/* velocity (the component's size) [m/s, rad/s]: what is prescribed.  SADDLE_INVALID_ARGUMENT: no
 * such component, or not a parametric one, or an entry that is not finite. */
SADDLE_API saddle_status saddle_attachments_prescribe(saddle_attachments *attachments,
                                                      int64_t component, const double *velocity);

/* Reading the graph.  index: 0 <= index < count, in the order of adding. */
typedef struct saddle_component_view {
    saddle_component component; /* name: never NULL; size: never 0 for particles and frames;
                                   borrowed */
    saddle_component_state state;
    int64_t first;          /* its first velocity in v */
    const double *velocity; /* size: prescribed; NULL unless parametric */
} saddle_component_view;

/* components */
SADDLE_API int64_t saddle_attachments_count(const saddle_attachments *attachments);
SADDLE_API int64_t saddle_attachments_velocities(const saddle_attachments *attachments); /* n */
SADDLE_API saddle_component_view saddle_attachments_component(const saddle_attachments *attachments,
                                                              int64_t index);
/* of an id; -1 = none */
SADDLE_API int64_t saddle_attachments_index(const saddle_attachments *attachments,
                                            int64_t component);

/* *attachment of the component at index, its arrays borrowed until the graph changes; 0 where it is
 * not attached. */
SADDLE_API int saddle_attachments_attachment(const saddle_attachments *attachments, int64_t index,
                                             saddle_attachment *attachment);

/* order (count): every component by index, masters before those attached to them, as far as that
 * allows in order of adding; it does not depend on the order of attaching.  SADDLE_INVALID_PROBLEM:
 * a loop, spelled out: "attachment loop: tibia -> knee -> tibia" (attached -> its master); order is
 * then undefined.  SADDLE_OUT_OF_MEMORY.  Linear in components and masters. */
SADDLE_API saddle_status saddle_attachments_order(const saddle_attachments *attachments,
                                                  int64_t *order);

/* ---- the map ---- */

typedef struct saddle_map saddle_map;

/* Compiles the graph as it is now; the map holds copies.  *map: released by saddle_map_free; NULL
 * on failure. SADDLE_INVALID_PROBLEM: a loop, as above; SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE:
 * 2^31 velocities. */
SADDLE_API saddle_status saddle_map_create(saddle_context *context,
                                           const saddle_attachments *attachments, saddle_map **map);
SADDLE_API void saddle_map_free(saddle_map *map); /* NULL is fine */

/* The values the graph has now, no allocation.  SADDLE_INVALID_ARGUMENT: the graph is another one,
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
    int64_t bytes;         /* held */
} saddle_map_size;

SADDLE_API saddle_map_size saddle_map_size_of(const saddle_map *map);

/* active (n'), ascending: where u's entries stand in v.  Owned by map. */
SADDLE_API const int64_t *saddle_map_active(const saddle_map *map);

/* Passes along the graph; Q is not formed, the cost is linear in the entries of the blocks.  No
 * allocation, no failure.
 *
 * v (n) = Q u + d for u (n'): masters before those attached to them. */
SADDLE_API void saddle_map_velocities(const saddle_map *map, const double *u, double *v);

/* v (n) = Q u: of variations, or of velocities where g and what is prescribed are zero. */
SADDLE_API void saddle_map_push(const saddle_map *map, const double *u, double *v);

/* F (n, in place): in reverse order each attached k adds A_kj'F_k to its masters; then reduced (n')
 * = Q'F, and F is, at k, what k and all that is attached to it pass on.  reduced: NULL is fine. */
SADDLE_API void saddle_map_pull(const saddle_map *map, double *F, double *reduced);

/* ---- the reduction ---- */

typedef struct saddle_reduction saddle_reduction;

/* The plan: all that follows from the graph and the patterns of M, J and R.  problem: borrowed for
 * the call; its velocities are those of the graph, in its order; all of it is checked.  options:
 * threads is read; NULL = defaults. *reduction: released by saddle_reduction_free; NULL on failure;
 * not formed yet. SADDLE_INVALID_PROBLEM: a loop, or what saddle_problem_check finds;
 * SADDLE_INVALID_ARGUMENT: another number of velocities; SADDLE_OUT_OF_MEMORY; SADDLE_TOO_LARGE:
 * 2^31 velocities or rows. */
SADDLE_API saddle_status saddle_reduction_create(saddle_context *context,
                                                 const saddle_attachments *attachments,
                                                 const saddle_problem *problem,
                                                 const saddle_options *options,
                                                 saddle_reduction **reduction);
SADDLE_API void saddle_reduction_free(saddle_reduction *reduction); /* NULL is fine */

/* Values: the graph's and the problem's as they are now.  No allocation.  The bits depend neither
 * on the number of threads nor on what was formed before. SADDLE_INVALID_ARGUMENT: the graph or a
 * pattern is not the one planned for; SADDLE_INVALID_PROBLEM: an entry that is not finite (named),
 * bounds or contacts that contradict themselves; or one of the reduced problem that overflows,
 * whereupon the reduction is not formed. */
SADDLE_API saddle_status saddle_reduction_form(saddle_reduction *reduction,
                                               const saddle_attachments *attachments,
                                               const saddle_problem *problem);

/* The reduced problem: n' velocities, the m rows.  Owned by reduction, rewritten by the next form;
 * before the first one its values are zero. */
SADDLE_API const saddle_problem *saddle_reduction_problem(const saddle_reduction *reduction);

/* The compiled graph, with the values last formed.  Owned by reduction. */
SADDLE_API const saddle_map *saddle_reduction_map(const saddle_reduction *reduction);

typedef struct saddle_reduction_size {
    int64_t mass_entries;     /* stored of M' */
    int64_t jacobian_entries; /* of J' */
    int64_t map_entries;      /* of Q at attached velocities */
    int64_t bytes;            /* held, the reduced problem and the map included */
} saddle_reduction_size;

SADDLE_API saddle_reduction_size saddle_reduction_size_of(const saddle_reduction *reduction);

/* problem: the one last formed.  reduced: v (n') and lambda (m) of the reduced problem; w is passed
 * on.  full: v (n), lambda and w (m), made by saddle_solution_create or the caller's arrays.  force
 * (n): F as described at the top [N s, N m s]; NULL = not asked for.  No allocation.
 * SADDLE_WRONG_PHASE: not formed; SADDLE_INVALID_ARGUMENT: another size or pattern. */
SADDLE_API saddle_status saddle_reduction_recover(const saddle_reduction *reduction,
                                                  const saddle_problem *problem,
                                                  const saddle_solution *reduced,
                                                  saddle_solution *full, double *force);

/* *inertia [1/kg or as J M^-1 J'] = sum_k J'_ik M'_kk^-1 J'_ik' over the active components k of row
 * i: its effective inverse inertia through masters (seed 000, 0.20), which is entry (i, i) of
 * J'M'^-1 (J')' where M' couples none of them. SADDLE_WRONG_PHASE: not formed;
 * SADDLE_INVALID_ARGUMENT: no such row; SADDLE_SINGULAR: M'_kk is, component named;
 * SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_reduction_inverse_inertia(const saddle_reduction *reduction,
                                                          int64_t row, double *inertia);

SADDLE_END_DECLARATIONS

#endif
