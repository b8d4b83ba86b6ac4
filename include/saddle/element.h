/* SPDX-License-Identifier: MIT */
/* Points in finite elements: shape functions and natural coordinates of the linear elements.
 *
 *     x(r, s, t) = sum_i N_i(r, s, t) x_i     sum_i N_i = 1,  N_i = 1 at node i, 0 at other nodes
 *
 *     element        nodes  shape functions                      natural coordinates of the nodes,
 *                                                                in order (- = -1, + = 1)
 *     tetrahedron    4      (1-r-s-t, r, s, t)                   000  100  010  001
 *     hexahedron     8      (1 +- r)(1 +- s)(1 +- t) / 8         --- +-- ++- -+-  --+ +-+ +++ -++
 *     wedge          6      (1-r-s, r, s) x (1 -+ t) / 2         00- 10- 01-  00+ 10+ 01+
 *     pyramid        5      (a +- r)(a +- s) / 4a, t;  a = 1-t   --0 +-0 ++0 -+0  001
 *
 * The pyramid is Bedrosian's (1992): the map of a straight pyramid is linear; at the apex the
 * gradients are the limits along the axis.  Outside the element the functions are continued.
 */
#ifndef SADDLE_ELEMENT_H
#define SADDLE_ELEMENT_H

#include "saddle/context.h"

SADDLE_BEGIN_DECLARATIONS

/* X(name, word, nodes) */
#define SADDLE_ELEMENT_LIST(X)                      \
    X(SADDLE_ELEMENT_TETRAHEDRON, "tetrahedron", 4) \
    X(SADDLE_ELEMENT_HEXAHEDRON, "hexahedron", 8)   \
    X(SADDLE_ELEMENT_WEDGE, "wedge", 6)             \
    X(SADDLE_ELEMENT_PYRAMID, "pyramid", 5)

typedef enum saddle_element_kind {
#define SADDLE_ELEMENT_ENUM(name, word, nodes) name,
    SADDLE_ELEMENT_LIST(SADDLE_ELEMENT_ENUM)
#undef SADDLE_ELEMENT_ENUM
} saddle_element_kind;

enum { SADDLE_ELEMENT_NODES_MAX = 8 };

/* "tetrahedron", ...; static storage */
SADDLE_API const char *saddle_element_kind_word(saddle_element_kind kind);
/* 4, 8, 6, 5; 0 = no such kind */
SADDLE_API int64_t saddle_element_nodes(saddle_element_kind kind);

/* natural (3): r, s, t.  weight (nodes): N_i.  gradient (3 x nodes by columns): dN_i/d(r, s, t);
 * NULL = not asked for. */
SADDLE_API void saddle_element_shape(saddle_element_kind kind, const double *natural,
                                     double *weight, double *gradient);

/* natural (3) of a point, by Newton's method with a line search.  node (3 x nodes by columns)
 * [m], point (3) [m].  Points outside the element are fine within the range of the continued
 * map. SADDLE_INVALID_ARGUMENT: no such kind, an entry that is not finite, a point out of range;
 * SADDLE_SINGULAR: a flat element on the path of the search. */
SADDLE_API saddle_status saddle_element_natural(saddle_context *context, saddle_element_kind kind,
                                                const double *node, const double *point,
                                                double *natural);

/* gradient (3 x nodes by columns): dN_i/dx at natural (3), x the position [1/m]; sum_i x_i
 * dN_i/dx' = I.  SADDLE_INVALID_ARGUMENT: no such kind; SADDLE_SINGULAR: the element is flat at
 * natural. */
SADDLE_API saddle_status saddle_element_gradient(saddle_context *context, saddle_element_kind kind,
                                                 const double *node, const double *natural,
                                                 double *gradient);

SADDLE_END_DECLARATIONS

#endif
