/* SPDX-License-Identifier: MIT */
/* Derivatives of constraints and forces against finite differences of what they are derivatives of:
 * J of phi, drift of J v + phi_t along curves of constant velocities, stiffness of J'F, K and D of
 * forces, forces of energies. */
#ifndef SADDLE_TEST_DIFFERENCES_H
#define SADDLE_TEST_DIFFERENCES_H

#include "support.h"

enum { TEST_SITE_MAX = 12 };

typedef struct test_site { /* a site whose state can be moved */
    double time;
    double step; /* of differences in position, as test_site_of sets it 1e-3 */
    int64_t count;
    const void *data;
    int64_t size[TEST_SITE_MAX];
    double position[TEST_SITE_MAX][12];
    double velocity[TEST_SITE_MAX][6];
    const double *positions[TEST_SITE_MAX], *velocities[TEST_SITE_MAX];
} test_site;

/* The site of these anchors of a model, with data. */
void test_site_of(saddle_model *model, int64_t count, const saddle_anchor *anchors,
                  const void *data, test_site *site);

/* Every position of the site moved by exp(step velocity), time by step. */
void test_site_advance(test_site *site, double step);

saddle_site test_site_view(test_site *site);

/* The largest error of each derivative, relative to 1 + its largest entry. */
typedef struct test_errors {
    double J, rate, drift, stiffness; /* of constraints: rate phi_t at rest */
    double K, D, energy;              /* of forces: energy -dU/dq against the force at rest */
    double largest;                   /* entry of J, drift, stiffness, K and D */
} test_errors;

/* SADDLE_OK, or what evaluate answers.  drift, stiffness: where the type has them. */
saddle_status test_constraint_errors(const saddle_constraint_type *type, const test_site *site,
                                     int64_t rows, uint64_t *seed, test_errors *errors);
saddle_status test_force_errors(const saddle_force_type *type, const test_site *site,
                                test_errors *errors);

#endif
