/* SPDX-License-Identifier: MIT */
/* pivot by one of its bases, of which a test asks both. */
#ifndef SADDLE_TEST_PIVOT_BASES_H
#define SADDLE_TEST_PIVOT_BASES_H

#include "drawn_mixed.h"
#include "mlcp/system.h"

static const saddle_basis both[] = {SADDLE_BASIS_FACTOR, SADDLE_BASIS_COLUMNS};

static inline const char *asked_basis(saddle_basis basis)
{
    return basis == SADDLE_BASIS_FACTOR    ? "pivot.basis=factor"
           : basis == SADDLE_BASIS_COLUMNS ? "pivot.basis=columns"
                                           : "pivot.basis=best";
}

static inline saddle_status solve_by(const saddle_problem *p, saddle_basis basis,
                                     saddle_solution *x, saddle_report *report)
{
    saddle_options options = saddle_options_default();
    options.settings = asked_basis(basis);
    return saddle_solve(NULL, p, "pivot", &options, NULL, x, report);
}

/* What the basis in the factor takes. */
static inline int is_symmetric_class(const mixed_kind *kind)
{
    return kind->class == MIXED_DEFINITE || kind->class == MIXED_SEMIDEFINITE;
}

#endif
