/* SPDX-License-Identifier: MIT */
/* Solvers of contact problems in one table, ours and those of Siconos: each from zeros.
 *
 * Ours: create, analyse, factor and solve of the problem as it is given, or of the condensed one,
 * at the default tolerance.
 * Siconos': the driver's call on W, q, mu and mu_r (problems.h), or, not condensed, on M, J, f, b
 * and mu where R = 0; to a tolerance of its own measure. */
#ifndef SADDLE_BENCH_CONTACT_METHODS_H
#define SADDLE_BENCH_CONTACT_METHODS_H

#include "contact/problems.h"

typedef struct contact_call {
    double *lambda;     /* m: the answer */
    double *v;          /* n: the answer where has_v */
    double tolerance;   /* 0: the default of ours */
    int has_v;          /* 0: v follows from lambda */
    double seconds;     /* of the solve alone */
    int64_t iterations; /* sweeps, steps or rounds; pivots where there are none */
    char note[64];      /* the solver that auto ended with, or why it is not solved; no commas */
} contact_call;

typedef struct contact_method contact_method;

/* Nonzero: no answer. */
typedef int contact_solve_function(const contact_method *method, const contact_problem *p,
                                   contact_call *call);

struct contact_method {
    const char *name, *what;
    const char *ours;          /* the name of our solver; NULL: one of Siconos' */
    int condensed;             /* 1: handed W and q, of a problem with velocities too */
    int plane, space, rolling; /* Siconos' numbers of the method for contacts of 2, 3 and 5 rows;
                                * 0: none */
    int iterations;            /* at most; 0: by default */
    contact_solve_function *solve; /* NULL: absent */
};

const contact_method *contact_method_at(int index); /* NULL past the end */

/* 1: the method is there and takes the contacts. */
int contact_method_takes(const contact_method *method, const contact_problem *p);

/* Of the method for these contacts; 0: none. */
static inline int contact_siconos_number(const contact_method *method, const contact_problem *p)
{
    switch (p->dimension) {
    case 2: return method->plane;
    case 3: return method->space;
    case 5: return method->rolling;
    default: return 0;
    }
}

contact_solve_function contact_siconos;

#endif
