/* SPDX-License-Identifier: MIT */
/* See panels.h. */
#include "mlcp/panels.h"

#include <stdint.h>

#include "dense/lapack.h"

enum { PANEL = SADDLE__PANEL };

static const double plus = 1.0;
static const double minus = -1.0;

static saddle_status look(const saddle__asked *asked)
{
    return asked && asked->stop ? asked->stop(asked->user) : SADDLE_OK;
}

static double *at(double *A, int ld, int row, int col)
{
    return A + row + (int64_t)col * ld;
}

static int width_at(int size, int k)
{
    return size - k < 2 * PANEL ? size - k : PANEL;
}

saddle_status saddle__panels_cholesky(int size, double *A, int ld, const saddle__asked *asked)
{
    for (int k = 0; k < size;) {
        int width = width_at(size, k);
        int rest = size - k - width;
        int info = 0;
        double *corner = at(A, ld, k, k);
        dpotrf_("L", &width, corner, &ld, &info, 1);
        if (info != 0) return SADDLE_NOT_CONVERGED;
        if (rest == 0) return SADDLE_OK;
        double *below = at(A, ld, k + width, k);
        dtrsm_("R", "L", "T", "N", &rest, &width, &plus, corner, &ld, below, &ld, 1, 1, 1, 1);
        dsyrk_("L", "N", &rest, &width, &minus, below, &ld, &plus, at(A, ld, k + width, k + width),
               &ld, 1, 1);
        k += width;
        saddle_status status = look(asked);
        if (status != SADDLE_OK) return status;
    }
    return SADDLE_OK;
}

saddle_status saddle__panels_lu(int size, double *A, int ld, int *exchange,
                                const saddle__asked *asked)
{
    const int one = 1;
    for (int k = 0; k < size;) {
        int width = width_at(size, k);
        int rows = size - k;
        int rest = rows - width;
        int first = k + 1;
        int last = k + width;
        int info = 0;
        double *corner = at(A, ld, k, k);
        dgetrf_(&rows, &width, corner, &ld, exchange + k, &info);
        if (info != 0) return SADDLE_NOT_CONVERGED;
        for (int j = k; j < k + width; j++) exchange[j] += k;
        if (k > 0) dlaswp_(&k, A, &ld, &first, &last, exchange, &one);
        if (rest == 0) return SADDLE_OK;
        double *right = at(A, ld, k, k + width);
        double *below = at(A, ld, k + width, k);
        dlaswp_(&rest, at(A, ld, 0, k + width), &ld, &first, &last, exchange, &one);
        dtrsm_("L", "L", "N", "U", &width, &rest, &plus, corner, &ld, right, &ld, 1, 1, 1, 1);
        dgemm_("N", "N", &rest, &rest, &width, &minus, below, &ld, right, &ld, &plus,
               at(A, ld, k + width, k + width), &ld, 1, 1);
        k += width;
        saddle_status status = look(asked);
        if (status != SADDLE_OK) return status;
    }
    return SADDLE_OK;
}
