/* SPDX-License-Identifier: MIT */
/* A mass of 2 kg flies into a stop with 6 N s; the row of the stop can only push: it ends at
 * rest. */
#include <cmath>
#include <cstdio>
#include <limits>
#include <vector>

#include "saddle/saddle.h"

int main()
{
    std::vector<int64_t> start{0, 1}, index{0};
    std::vector<double> mass{2}, normal{1}, f{-6}, lo{0},
        hi{std::numeric_limits<double>::infinity()};
    saddle_problem problem{};
    problem.n = 1;
    problem.m = 1;
    problem.M = saddle_matrix_view(1, 1, start.data(), index.data(), mass.data(),
                                   SADDLE_SYMMETRY_LOWER);
    problem.Jt = saddle_matrix_view(1, 1, start.data(), index.data(), normal.data(),
                                    SADDLE_SYMMETRY_NONE);
    problem.f = f.data();
    problem.lo = lo.data();
    problem.hi = hi.data();

    saddle_context *context = nullptr;
    saddle_solution solution{};
    saddle_report report{};
    if (saddle_context_create(nullptr, &context) != SADDLE_OK) return 1;
    saddle_status status = saddle_solve(context, &problem, nullptr, nullptr, nullptr, &solution,
                                        &report);
    bool right = status == SADDLE_OK && std::fabs(solution.v[0]) < 1e-9 &&
                 std::fabs(solution.lambda[0] - 6) < 1e-9;
    std::printf("%s: v = %g, lambda = %g by %s\n", saddle_status_name(status),
                right ? solution.v[0] : NAN, right ? solution.lambda[0] : NAN, report.solver);
    saddle_solution_clear(&solution);
    saddle_context_free(context);
    return right ? 0 : 1;
}
