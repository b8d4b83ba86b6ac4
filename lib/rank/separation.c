/* SPDX-License-Identifier: MIT */
/* Whether a basis is as independent as its pivots pretend: inverse iteration with U'U, which is
 * close to B_S B'_S for its smallest singular value since L is well conditioned.  (Pivots need not
 * show a dependence: Kahan's matrix.) */
#include <math.h>

#include "rank/basis.h"

enum { STEPS = 4 };

/* z <- U'^-1 z */
static void forward(const saddle__basis *b, double *z)
{
    for (int64_t p = 0; p < b->rank; p++) {
        double sum = z[p];
        for (int64_t q = b->U.start[p]; q < b->U.start[p + 1]; q++)
            sum -= b->U.value[q] * z[b->U.index[q]];
        z[p] = sum / b->diagonal[p];
    }
}

/* z <- U^-1 z */
static void backward(const saddle__basis *b, double *z)
{
    for (int64_t p = b->rank - 1; p >= 0; p--) {
        z[p] /= b->diagonal[p];
        for (int64_t q = b->U.start[p]; q < b->U.start[p + 1]; q++)
            z[b->U.index[q]] -= b->U.value[q] * z[p];
    }
}

/* To a largest modulus of 1; of a vector that overflowed, the entries that did remain. */
static void normalize(double *z, int64_t count)
{
    double most = 0.0;
    for (int64_t p = 0; p < count; p++)
        most = isfinite(z[p]) ? fmax(most, fabs(z[p])) : (double)INFINITY;
    for (int64_t p = 0; p < count; p++) {
        if (isfinite(most))
            z[p] /= most;
        else
            z[p] = isfinite(z[p]) ? 0.0 : 1.0;
    }
}

/* |B'_S z| / |z| */
static double quotient(saddle__basis *b, const double *z)
{
    const saddle_matrix *Bt = b->Bt;
    double above = 0.0;
    double below = 0.0;
    for (int64_t p = 0; p < b->rank; p++) {
        int64_t k = b->member[p];
        below += z[p] * z[p];
        for (int64_t q = Bt->start[k]; q < Bt->start[k + 1]; q++)
            b->x[Bt->index[q]] += Bt->value[q] * z[p];
    }
    for (int64_t c = 0; c < Bt->rows; c++) {
        above += b->x[c] * b->x[c];
        b->x[c] = 0.0;
    }
    return sqrt(above / below);
}

double saddle__basis_separation(saddle__basis *b, double *z)
{
    if (b->rank == 0) return 1.0;
    uint64_t state = 1;
    for (int64_t p = 0; p < b->rank; p++) {
        state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        z[p] = 0.5 + ldexp((double)(state >> 11), -53);
        if ((state >> 10) & 1) z[p] = -z[p];
    }
    for (int step = 0; step < STEPS; step++) {
        forward(b, z);
        normalize(z, b->rank);
        backward(b, z);
        normalize(z, b->rank);
    }
    return quotient(b, z);
}
