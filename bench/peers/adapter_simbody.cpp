// SPDX-License-Identifier: MIT
// Simbody's impulse solvers on the condensed problem, W dense:
//
//     A pi = verr,  A = W,  verr = q,  pi = -lambda,  so that  verr - A pi = W lambda + q = w
//
// pgs: projected Gauss-Seidel, all rows, contacts with the law `cone`.  plus: Newton's method with
// an active set; its friction follows the sliding velocity before the step (verrStart = q), which
// is Coulomb's law of our problems only where directions do not turn.  Debian's library is built to
// write its iterations to the standard output: std::cout is switched off, what it writes by printf
// counts as its time.
#include <SimTKmath.h>
#include <simbody/internal/PGSImpulseSolver.h>
#include <simbody/internal/PLUSImpulseSolver.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <iostream>

#include "peers/adapter.h"

using SimTK::Array_;
using SimTK::ImpulseSolver;
using SimTK::MultiplierIndex;

namespace
{

enum { LARGEST = 3000, SWEEPS = 100000, NEWTON = 1000 };

struct rows {
    Array_<MultiplierIndex> all;
    Array_<ImpulseSolver::UncondRT> equations;
    Array_<ImpulseSolver::UniContactRT> contacts;
    Array_<ImpulseSolver::UniSpeedRT> speeds; // none, as the next two
    Array_<ImpulseSolver::BoundedRT> bounded;
    Array_<ImpulseSolver::ConstraintLtdFrictionRT> joint_friction;
    Array_<ImpulseSolver::StateLtdFrictionRT> known_friction;
};

MultiplierIndex index_of(int64_t row)
{
    return MultiplierIndex(static_cast<int>(row));
}

// size 1: the row alone; 3: with its tangents.  sign: pi of the normal has the other one.
void add_contact(rows &made, int64_t row, int64_t size, double sign, double mu)
{
    ImpulseSolver::UniContactRT contact;
    contact.m_Nk = index_of(row);
    for (int64_t i = row + 1; i < row + size; i++) contact.m_Fk.push_back(index_of(i));
    contact.m_sign = sign;
    contact.m_type = ImpulseSolver::Participating;
    contact.m_effCOR = contact.m_slipMag = 0;
    if (size > 1) contact.m_effMu = mu;
    made.contacts.push_back(contact);
}

void add_row(rows &made, int64_t row, double lo, double hi)
{
    if (std::isinf(lo) && std::isinf(hi)) {
        ImpulseSolver::UncondRT equation;
        equation.m_mults.push_back(index_of(row));
        made.equations.push_back(equation);
    } else if (lo == 0 && std::isinf(hi)) {
        add_contact(made, row, 1, 1, 0);
    } else if (hi == 0 && std::isinf(lo)) {
        add_contact(made, row, 1, -1, 0);
    } else {
        made.bounded.push_back(ImpulseSolver::BoundedRT(index_of(row), -hi, -lo));
    }
}

rows rows_of(const saddle_problem *problem)
{
    rows made;
    int64_t row = 0, contact = 0; // contacts are sorted by their rows
    for (int64_t i = 0; i < problem->m; i++) made.all.push_back(index_of(i));
    while (row < problem->m)
        if (contact < problem->contact_count && problem->contacts[contact].row == row) {
            const saddle_contact &at = problem->contacts[contact++];
            add_contact(made, row, at.size, 1, at.mu);
            row += at.size;
        } else {
            add_row(made, row, saddle_problem_lo(problem, row), saddle_problem_hi(problem, row));
            row++;
        }
    return made;
}

// The iterations are known to derived classes.
template <class Solver> struct counted : Solver {
    using Solver::Solver;
    int64_t iterations() const
    {
        return this->m_nIters[0];
    }
};

// Their tolerances are of velocities; ours is relative to the largest of q.
template <class Solver>
void solve_dense(adapter_call *call, const double *W, const double *q, int iterations)
{
    const int m = static_cast<int>(call->problem->m);
    SimTK::Matrix A(m, m);
    SimTK::Vector D(m, 0.0), expanded(m, 0.0), start(m), applied(m, 0.0), pi(m, 0.0);
    const Array_<MultiplierIndex> expanding;
    double largest = 0;
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < m; j++) A(i, j) = W[i * m + j];
        start[i] = q[i];
        largest = std::fmax(largest, std::fabs(q[i]));
    }
    rows made = rows_of(call->problem);
    const double slow = call->tolerance * (largest > 0 ? largest : 1); // slower contacts stick
    counted<Solver> solver(slow);
    solver.setConvergenceTol(slow);
    solver.setMaxIterations(iterations);
    const double began = saddle_clock();
    solver.solve(0, made.all, A, D, expanding, expanded, start, applied, pi, made.equations,
                 made.contacts, made.speeds, made.bounded, made.joint_friction,
                 made.known_friction); // PLUS returns false whatever it found
    call->solve = saddle_clock() - began;
    call->iterations = solver.iterations();
    for (int i = 0; i < m; i++) call->lambda[i] = -pi[i];
}

bool is_pgs(const adapter_call *call)
{
    return std::strcmp(call->method, "pgs") == 0;
}

const char *refuse_contact(const saddle_contact &contact)
{
    if (contact.size == 2) return "contacts in the plane";
    return contact.size == 3 ? nullptr : "contacts with rolling";
}

const char *refuse(const adapter_call *call)
{
    const saddle_problem *problem = call->problem;
    if (problem->m > LARGEST) return "more than 3000 rows for a dense matrix";
    if (problem->m == 0) return "no rows";
    if (problem->contact_count > 0 && problem->law != SADDLE_LAW_CONE)
        return "a law of friction other than cone";
    for (int64_t c = 0; c < problem->contact_count; c++)
        if (const char *why = refuse_contact(problem->contacts[c])) return why;
    if (!is_pgs(call) && !rows_of(problem).bounded.empty())
        return "bounds other than 0 and infinity, for PLUS";
    return nullptr;
}

} // namespace

const char adapter_version[] = "Simbody 3.7";
const char *const adapter_methods[] = {"pgs", "plus", nullptr};

adapter_end adapter_solve(adapter_call *call)
{
    adapter_condensed condensed = {};
    if (const char *why = refuse(call)) return adapter_stop(call, ADAPTER_CANNOT, "%s", why);
    adapter_end end = adapter_condense(call, &condensed);
    std::cout.setstate(std::ios::failbit);
    double *W = end == ADAPTER_DONE ? adapter_dense(&condensed) : nullptr;
    if (end == ADAPTER_DONE && W == nullptr)
        end = adapter_stop(call, ADAPTER_FAILED, "out of memory");
    try {
        if (end == ADAPTER_DONE && is_pgs(call))
            solve_dense<SimTK::PGSImpulseSolver>(call, W, condensed.q, SWEEPS);
        else if (end == ADAPTER_DONE)
            solve_dense<SimTK::PLUSImpulseSolver>(call, W, condensed.q, NEWTON);
    } catch (const std::exception &thrown) {
        end = adapter_stop(call, ADAPTER_FAILED, "%s", thrown.what());
    }
    if (end == ADAPTER_DONE) end = adapter_recover(call, &condensed);
    std::free(W);
    adapter_condensed_clear(&condensed);
    return end;
}
