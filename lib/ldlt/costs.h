/* SPDX-License-Identifier: MIT */
/* The calibrated table of times: a front of k columns over u rows, in nanoseconds of a core of
 * 2020, and what else takes time there.  Only the ratios matter, measured on meshes, chains and
 * grids of bodies. */
#ifndef SADDLE_LIB_LDLT_COSTS_H
#define SADDLE_LIB_LDLT_COSTS_H

#define SADDLE__TIME_FRONT 30.0         /* a front, whatever its size */
#define SADDLE__TIME_FLOP (1.0 / 45.0)  /* in BLAS-3 */
#define SADDLE__TIME_SMALL_FLOP 0.1     /* more, in small fronts, */
#define SADDLE__TIME_SMALL_FLOPS 3000.0 /* ... of a front at most */
#define SADDLE__TIME_ENTRY 4.0          /* of L, written once and read in every solve */
#define SADDLE__TIME_UPDATE 1.2         /* an entry of the u x u update, written and added */
#define SADDLE__TIME_VISIT 30.0         /* a supernode on the path of a sparse solve */
#define SADDLE__TIME_CHANGE 1.7         /* an entry of L, in a forward solve and a rank-1 change */
#define SADDLE__TIME_THREAD 1e5         /* least work worth a task of its own */
#define SADDLE__FEW_FLOPS 6000.0 /* m^2 k of a product, at most, that is faster without BLAS */

/* entries of the trapezoid of L */
static inline double saddle__front_entries(double k, double u)
{
    return 0.5 * k * (k + 1.0) + k * u;
}

/* sum of the squares of the column counts */
static inline double saddle__front_flops(double k, double u)
{
    return k * (u * u + u * (k + 1.0) + (k + 1.0) * (2.0 * k + 1.0) / 6.0);
}

static inline double saddle__front_time(double k, double u)
{
    double flops = saddle__front_flops(k, u);
    double small = flops * SADDLE__TIME_SMALL_FLOP;
    return SADDLE__TIME_FRONT + SADDLE__TIME_FLOP * flops +
           (small < SADDLE__TIME_SMALL_FLOPS ? small : SADDLE__TIME_SMALL_FLOPS) +
           SADDLE__TIME_ENTRY * saddle__front_entries(k, u) + SADDLE__TIME_UPDATE * u * u;
}

#endif
