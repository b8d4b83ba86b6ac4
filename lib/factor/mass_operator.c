/* SPDX-License-Identifier: MIT */
/* What is wrong with an operator in place of M (saddle/mass_operator.h). */
#include "base/context_internal.h"
#include "factor/complement.h"

saddle_status saddle__mass_operator_check(saddle_context *context, const saddle_mass_operator *mass)
{
    if (mass->solve && mass->multiply && mass->diagonal) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "the mass operator has no %s",
                       !mass->solve      ? "solve"
                       : !mass->multiply ? "multiply"
                                         : "diagonal");
}

saddle_status saddle__mass_operator_blame(saddle_context *context, const saddle_problem *problem,
                                          int64_t row, const char *what, double value)
{
    char name[128];
    saddle_problem_describe_row(problem, row, name, sizeof name);
    const saddle_status status = saddle_fail(context, SADDLE_SINGULAR,
                                             "the mass operator makes %s %g at %s", what, value,
                                             name);
    return saddle_fail_at(context, (saddle_place){.kind = SADDLE_PLACE_ROW, .index = row}, status);
}
