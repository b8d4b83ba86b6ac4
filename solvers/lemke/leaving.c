/* SPDX-License-Identifier: MIT */
/* The ratio test.  With the first basic variables moved inwards by s_j eps^j, a basic variable's
 * value is
 *
 *     v_i - sum_j T_i,c(j) s_j eps^j
 *         over those j that are nonbasic now, in column c(j);  + s_j eps^j for i's own
 *
 * so that its step length v_i / a_i differs from those of all others by some power of eps: the rows
 * of the inverse of a basis are independent.  Ties of lengths are decided by the first power that
 * differs. */
#include "lemke/leaving.h"

#include <math.h>

static const double negligible = 1e-12; /* entries of the column, over its largest or 1 */
static const double together = 1e-12;   /* bounds met within this distance are met together */
static const double weak = 1e-6;        /* of the largest pivot among them: is not taken */
static const double alike = 1e-10;      /* of the largest weight: no difference */

static double length_of(const saddle__path *p, int64_t i, double rate)
{
    double way = rate > 0.0 ? p->most[i] - p->value[i] : p->least[i] - p->value[i];
    double length = way / rate;
    return length > 0.0 ? length : 0.0;
}

/* How far the driver can go by its own bounds. */
static double own_length(const saddle__path *p)
{
    int64_t driver = p->driver;
    if (driver < p->size) return p->hi[driver] - p->lo[driver];
    return driver == 2 * p->size ? p->t : (double)INFINITY;
}

static double least_pivot(const saddle__path *p)
{
    double most = 1.0;
    for (int64_t i = 0; i < p->size; i++)
        most = fabs(p->column[i]) > most ? fabs(p->column[i]) : most;
    return negligible * most;
}

/* Rows that meet a bound within a hair of `least`, but for those with a weak pivot; t alone where
 * it is among them. */
static int64_t collect(saddle__path *p, double least, double smallest)
{
    int64_t count = 0;
    double strongest = 0.0;
    for (int64_t i = 0; i < p->size; i++) {
        double rate = p->direction * p->column[i];
        if (!(fabs(rate) > smallest)) continue;
        double beyond = (length_of(p, i, rate) - least) * fabs(rate);
        if (!(beyond <= together)) continue;
        if (p->basic[i] == 2 * p->size) {
            p->tie[0] = i;
            return 1;
        }
        p->tie[count++] = i;
        strongest = fmax(strongest, fabs(rate));
    }
    int64_t kept = 0;
    for (int64_t k = 0; k < count; k++)
        if (fabs(p->column[p->tie[k]]) >= weak * strongest) p->tie[kept++] = p->tie[k];
    if (own_length(p) - least <= together) p->tie[kept++] = -1;
    return kept;
}

/* What power j of eps does to the length at which a row meets its bound; column: that of variable
 * j, or NULL. */
static double weight_of(saddle__path *p, int64_t row, int64_t j, const double *column)
{
    if (row < 0) return 0.0;
    int64_t place = p->place[p->first[j]];
    double rate = p->direction * p->column[row];
    if (place >= 0) return place == row ? -p->inward[j] / rate : 0.0;
    double entry = column       ? column[row]
                   : p->revised ? saddle__revised_entry(p->revised, row, p->first[j])
                                : saddle__tableau_entry(&p->tableau, row, ~place);
    return p->inward[j] * entry / rate;
}

/* The whole column, where that is cheaper than an entry of each of `count` rows. */
static const double *column_of(saddle__path *p, int64_t j, int64_t count)
{
    if (!p->revised || count <= SADDLE__REVISED_ROWS || p->place[p->first[j]] >= 0) return NULL;
    return saddle__revised_column(p->revised, p->first[j], p->rest) ? p->rest : NULL;
}

/* The lexicographically least; tie[0 .. count) is thinned out power by power. */
static int64_t decide(saddle__path *p, int64_t count)
{
    for (int64_t j = 0; j < p->size && count > 1; j++) {
        double least = (double)INFINITY;
        double most = 0.0;
        const double *column = column_of(p, j, count);
        for (int64_t k = 0; k < count; k++) {
            p->weight[k] = weight_of(p, p->tie[k], j, column);
            least = p->weight[k] < least ? p->weight[k] : least;
            most = fabs(p->weight[k]) > most ? fabs(p->weight[k]) : most;
        }
        int64_t kept = 0;
        for (int64_t k = 0; k < count; k++)
            if (p->weight[k] <= least + alike * most) p->tie[kept++] = p->tie[k];
        count = kept;
    }
    return p->tie[0];
}

saddle__leaving saddle__path_leaving(saddle__path *p)
{
    double smallest = least_pivot(p);
    saddle__leaving leaving = {.length = own_length(p), .row = -1};
    for (int64_t i = 0; i < p->size; i++) {
        double rate = p->direction * p->column[i];
        if (!(fabs(rate) > smallest)) continue;
        double length = length_of(p, i, rate);
        if (length < leaving.length) leaving.length = length;
    }
    if (!(leaving.length < (double)INFINITY)) return leaving;
    leaving.row = decide(p, collect(p, leaving.length, smallest));
    return leaving;
}
