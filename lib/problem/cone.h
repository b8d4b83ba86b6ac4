/* SPDX-License-Identifier: MIT */
/* Projections onto the sets of the contact laws: functions of a few doubles, for the checker and
 * the solvers. */
#ifndef SADDLE_LIB_CONE_H
#define SADDLE_LIB_CONE_H

#include <math.h>

#include "problem/problem_internal.h"

/* sqrt(a^2 + b^2), by hypot only where a square could over- or underflow. */
static inline double saddle__length(double a, double b)
{
    double squares = a * a + b * b;
    if ((squares > 1e-290 && squares < 1e290) || (a == 0.0 && b == 0.0)) return sqrt(squares);
    return hypot(a, b);
}

enum { SADDLE__PARTS = 3 }; /* parts of a contact at most */

/* K = { |x_g| <= mu_g x_0 for each part g of the other entries: [begin[g], begin[g + 1]) }, and the
 * distance (x_0 - y_0)^2 + sum_g weight_g |x_g - y_g|^2. */
typedef struct saddle__cone {
    int parts;
    int begin[SADDLE__PARTS + 1]; /* begin[0] = 1, begin[parts] = entries */
    double mu[SADDLE__PARTS];
    double weight[SADDLE__PARTS];
} saddle__cone;

/* Of a contact of 2 .. 6 rows, with weights of 1. */
static inline saddle__cone saddle__cone_of(const saddle_contact *contact)
{
    const int size = (int)contact->size;
    return (saddle__cone){.parts = 1 + (size > 3) + (size > 5),
                          .begin = {1, size < 4 ? size : 3, size == 5 ? 5 : 4, 6},
                          .mu = {contact->mu, saddle__contact_mu(contact, 3), contact->mu_rolling},
                          .weight = {1.0, 1.0, 1.0}};
}

/* d[size]: positive.  Weights become those of the distance sum_i d_i (x_i - y_i)^2; d is the same
 * within a part. */
static inline void saddle__cone_weigh(saddle__cone *cone, const double *d)
{
    for (int g = 0; g < cone->parts; g++) cone->weight[g] = d[cone->begin[g]] / d[0];
}

/* x <- the nearest point of K.  mu_g = 0 gives x_g = 0. */
void saddle__project_cone(const saddle__cone *cone, double *x);

/* Where x lies, bit by bit: 0 = K's apex is the nearest point; else bit 0, and bit 1 + g where
 * part g is on its boundary, |x_g| > mu_g y_0, y the nearest point. */
int saddle__cone_state(const saddle__cone *cone, const double *x);

/* Z[i][j] <- dy_i/dx_j, y the nearest point; of several derivatives the one inside the state. */
void saddle__cone_derivative(const saddle__cone *cone, const double *x,
                             double Z[SADDLE_CONTACT_ROWS][SADDLE_CONTACT_ROWS]);

/* turn[i] <- mu_g w_i / |w_g|, the shift's derivative by w_i, 0 where w_g = 0; i >= 1 */
void saddle__cone_turn(const saddle__cone *cone, const double *w, double *turn);

/* |x_g| */
static inline double saddle__part_length(const saddle__cone *cone, int part, const double *x)
{
    const double *t = x + cone->begin[part];
    return cone->begin[part + 1] - cone->begin[part] == 2 ? saddle__length(t[0], t[1]) : fabs(t[0]);
}

/* sum_g mu_g |w_g| */
static inline double saddle__cone_shift(const saddle__cone *cone, const double *w)
{
    double sum = 0.0;
    for (int g = 0; g < cone->parts; g++) sum += cone->mu[g] * saddle__part_length(cone, g, w);
    return sum;
}

/* t[2] <- its projection on radius * conv(d_1 .. d_facets), d_k = (cos 2 pi (k-1)/facets, sin ..):
 * the pyramid's polygon, vertices on the circle.  radius < 0 counts as 0. */
void saddle__project_polygon(double radius, int64_t facets, double *t);

/* x, of a contact <- its projection on the cone of the law; of a pyramid or box x_0 alone is
 * brought to x_0 >= 0, then each part within mu_g x_0: the tangents of a pyramid in space as
 * polygon, other entries one by one. */
void saddle__project_law(saddle_law law, int64_t facets, const saddle__cone *cone, double *x);

#endif
