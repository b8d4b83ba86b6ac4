/* SPDX-License-Identifier: MIT */
/* Problems of contacts with a cone law, as they are given and condensed:
 *
 *     M v - J'lambda = f,   J v + R lambda - b = w     the problem; n = 0: Delassus form
 *     W lambda + q = w                                 condensed, W = J M^-1 J' + R
 *
 * Other programs get W, q and mu (mu_r of rolling too), or the problem as it is given; the
 * condensation, by saddle/delassus.h, is measured apart. */
#ifndef SADDLE_BENCH_CONTACT_PROBLEMS_H
#define SADDLE_BENCH_CONTACT_PROBLEMS_H

#include "saddle/saddle.h"

typedef struct contact_problem {
    saddle_context *context;
    char name[96];
    saddle_problem problem;    /* owned */
    saddle_delassus *delassus; /* NULL where n = 0 */
    saddle_problem local;      /* the condensed one, n = 0, R = W, b = -q; borrows */
    double *q;                 /* m */
    double *minus_q;           /* m */
    double seconds;            /* of the condensation, a median; 0 where n = 0 [s] */
    int64_t dimension;         /* rows of each contact: 2, 3, 5 with rolling .. */
} contact_problem;

/* The sets of problems, by the begin of their names. */
typedef enum contact_set { CONTACT_FILES, CONTACT_GENERATED, CONTACT_SETS } contact_set;

/* One problem, not yet read or generated. */
typedef struct contact_source {
    char name[96];   /* fc3d/Rover1039, wall-1008 */
    char path[512];  /* "": generated */
    int64_t size[2]; /* of a generated one: columns and courses, boxes, spheres */
    saddle_status (*make)(saddle_context *context, const int64_t *size, saddle_problem *problem);
} contact_source;

/* The sources of a set, malloc'ed (the caller frees), sorted; *count. */
contact_source *contact_sources(contact_set set, int *count);

/* Reads or generates, and condenses.  law: a word; NULL = cone.  SADDLE_UNSUPPORTED: not contacts
 * with a cone law alone; the context has a message for every failure.  p is to be cleared in any
 * case. */
saddle_status contact_open(saddle_context *context, const contact_source *source, const char *law,
                           contact_problem *p);
void contact_close(contact_problem *p);

/* A heap of size[0] spheres by sphere_heap.py of the folder generators beside the data folder. */
saddle_status contact_make_heap(saddle_context *context, const int64_t *size,
                                saddle_problem *problem);

#endif
