/* SPDX-License-Identifier: MIT */
/* The state of a tree of bodies, and its quantities in the world's axes at each body's origin.
 *
 * There a motion (nu, omega) of a parent is (nu + omega x arm, omega) at its child, arm from origin
 * to origin, and a load (force, moment) of the child (force, moment + arm x force) at its parent:
 * no rotation is applied from link to link.
 */
#ifndef SADDLE_ATTACHMENTS_TREE_H
#define SADDLE_ATTACHMENTS_TREE_H

#include "base/context_internal.h"
#include "base/layout.h"
#include "base/tolerances.h"
#include "joint_coordinates.h"
#include "saddle/tree.h"
#include "space/space.h"

/* Articulated inertia, M = [A B; B' C]: A, C (xx, xy, xz, yy, yz, zz), B by columns. */
typedef struct saddle__articulated {
    double A[6], B[9], C[6];
} saddle__articulated;

/* A body as placed, world axes. */
typedef struct saddle__link {
    double R[9], p[3];
    double arm[3];   /* p - p of the parent */
    double twist[6]; /* of the origin */
    double drift[6]; /* acceleration for ddq = 0 */
    double mass, center[3];
    double moment[6]; /* about the origin, as saddle__articulated.A */
} saddle__link;

typedef struct saddle__tree_inertia { /* body axes */
    double mass, center[3];
    double moment[6]; /* about the origin */
} saddle__tree_inertia;

struct saddle_tree {
    saddle_context *context;
    int64_t bodies, coordinates, mass_entries;
    int placed, factored;
    double factored_step; /* h of M_h as factored */
    double gravity[3];
    saddle__layout layout;         /* the arrays below */
    int64_t *parent;               /* bodies */
    int64_t *first;                /* bodies + 1 */
    signed char *free;             /* bodies: 0 = prescribed, in factors and solves */
    saddle_motion *joint;          /* bodies */
    saddle__tree_inertia *inertia; /* bodies */
    saddle__link *link;            /* bodies */
    double *S, *dS;                /* 6 x coordinates: joint motions and their rates, world axes */
    double *q, *dq;                /* coordinates: as placed */
    double *stiffness, *damping, *rest;
    /* articulated bodies: D = S'M S + diagonal = L L', W = M S L^-T */
    double *W;                      /* 6 x coordinates */
    double *L;                      /* of a joint at 6 x first: size x size by columns */
    double *g;                      /* coordinates: L^-1 (x + S'load) */
    double *removed;                /* coordinates: S'M S taken by children's joints; zero between
                                       the calls */
    saddle__articulated *collected; /* bodies: of the children; zero between the calls */
    double *load;                   /* 6 bodies: collected; zero between the calls */
    double *motion;                 /* 6 bodies: scratch */
    double *composite;              /* 10 bodies: scratch */
    double *torque, *wanted;        /* coordinates: scratch */
    int64_t *next;                  /* coordinates: scratch */
};

/* b (6) = both halves of a, rotated */
static inline void saddle__to_world(const saddle__link *k, const double *a, double *b)
{
    saddle__rotate(k->R, a, b);
    saddle__rotate(k->R, a + 3, b + 3);
}

static inline void saddle__to_body(const saddle__link *k, const double *a, double *b)
{
    saddle__unrotate(k->R, a, b);
    saddle__unrotate(k->R, a + 3, b + 3);
}

/* child = parent's motion at the child's origin; parent NULL = 0 */
static inline void saddle__carry(const saddle__link *k, const double *parent, double *child)
{
    if (!parent) {
        memset(child, 0, 6 * sizeof *child);
        return;
    }
    saddle__cross(parent + 3, k->arm, child);
    for (int i = 0; i < 3; i++) {
        child[i] += parent[i];
        child[3 + i] = parent[3 + i];
    }
}

/* parent += the child's load at the parent's origin */
static inline void saddle__collect(const saddle__link *k, const double *child, double *parent)
{
    double gain[3];
    saddle__cross(k->arm, child, gain);
    for (int i = 0; i < 3; i++) {
        parent[i] += child[i];
        parent[3 + i] += child[3 + i] + gain[i];
    }
}

static inline double saddle__dot6(const double *a, const double *b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}

/* SADDLE_WRONG_PHASE, with a message, unless the tree has been placed. */
static inline saddle_status saddle__tree_expect_placed(const saddle_tree *tree)
{
    if (tree->placed) return SADDLE_OK;
    return saddle_fail(tree->context, SADDLE_WRONG_PHASE, "the bodies of the tree are not placed");
}

/* y = M_h^-1 (x + J'load), the loads in tree->load, which are taken; the motions J y stay in
 * tree->motion.  Factored. */
void saddle__tree_solve_loads(saddle_tree *tree, const double *x, double *y);

#endif
