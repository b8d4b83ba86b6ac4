/* SPDX-License-Identifier: MIT */
/* Meshes in files of gmsh, format .msh version 4.1, text or binary: the nodes of the linear
 * tetrahedra and hexahedra, and physical groups.  docs/formats.md has what is read.
 *
 *     saddle_msh msh;
 *     saddle_fem_mesh mesh = saddle_fem_mesh_default();
 *     status = saddle_msh_read(context, "bar.msh", &msh);
 *     mesh.nodes = msh.nodes;
 *     mesh.position = msh.position;
 *     mesh.tetrahedra = msh.tetrahedra;
 *     mesh.tetrahedron = msh.tetrahedron;
 *     ...
 *     saddle_msh_clear(&msh);
 */
#ifndef SADDLE_MSH_H
#define SADDLE_MSH_H

#include "saddle/context.h"

SADDLE_BEGIN_DECLARATIONS

typedef struct saddle_msh_group { /* a physical group */
    int64_t dimension;            /* 0 points, 1 curves, 2 surfaces, 3 volumes */
    int64_t tag;                  /* the group's number in the file, > 0 */
    char *name;                   /* NULL = none */
    int64_t count;                /* nodes of the group's elements */
    int64_t *node;                /* count, ascending, from 0 */
} saddle_msh_group;

typedef struct saddle_msh {
    int64_t nodes;        /* of tetrahedra and hexahedra; others are left out */
    double *position;     /* 3 x nodes, in the file's unit */
    int64_t *tag;         /* nodes: numbers in the file, ascending */
    int64_t tetrahedra;   /* number */
    int64_t *tetrahedron; /* 4 x tetrahedra: nodes from 0, in the order of saddle/element.h */
    int64_t hexahedra;    /* number */
    int64_t *hexahedron;  /* 8 x hexahedra, likewise */
    int64_t groups;       /* by dimension, then by tag */
    saddle_msh_group *group;
    saddle_context *context;
} saddle_msh;

/* *msh owns its contents (saddle_msh_clear); empty on failure.  Orientations and volumes are not
 * checked.  SADDLE_FILE_ERROR; SADDLE_BAD_FILE with "FILE:LINE: ..": another version, elements of
 * higher order, volume elements other than tetrahedra and hexahedra, none of these, numbers that
 * are not finite, a node or an entity that does not exist or is given twice, sections missing, cut
 * off or out of order; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_msh_read(saddle_context *context, const char *path,
                                         saddle_msh *msh);

/* Reads text (length bytes), with the same errors.  label: for messages, NULL = "msh". */
SADDLE_API saddle_status saddle_msh_read_text(saddle_context *context, const char *text,
                                              int64_t length, const char *label, saddle_msh *msh);

/* The first group of the name; NULL = none. */
SADDLE_API const saddle_msh_group *saddle_msh_find(const saddle_msh *msh, const char *name);

SADDLE_API void saddle_msh_clear(saddle_msh *msh); /* empty and half-built ones are fine */

SADDLE_END_DECLARATIONS

#endif
