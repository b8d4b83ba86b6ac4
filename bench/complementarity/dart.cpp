// SPDX-License-Identifier: MIT
// DART's Dantzig solver, once ODE's: rows of A padded to multiples of four.
#include <cstddef>
#include <cstdio>
#include <cstring>
#include <vector>

#include <dart/external/odelcpsolver/lcp.h>

#include "clock.h"
#include "complementarity/peers.h"

extern "C" int lcp_dart_dantzig(lcp_call *call)
{
    const size_t n = static_cast<size_t>(call->n), ld = (n + 3) / 4 * 4;
    std::vector<double> A(n * ld, 0.0), b(call->b, call->b + n), x(ld, 0.0), w(ld, 0.0);
    std::vector<double> lo(call->lo, call->lo + n), hi(call->hi, call->hi + n);
    std::vector<int> normal(call->normal, call->normal + n);
    for (size_t i = 0; i < n; i++) std::memcpy(&A[i * ld], call->A + i * n, n * sizeof(double));
    const double began = bench_now();
    const bool solved = dart::external::ode::dSolveLCP(call->n, A.data(), x.data(), b.data(),
                                                       w.data(), 0, lo.data(), hi.data(),
                                                       call->friction ? normal.data() : nullptr);
    call->seconds = bench_now() - began;
    call->iterations = -1;
    for (size_t i = 0; i < n; i++) call->x[i] = x[i];
    if (!solved) std::snprintf(call->message, sizeof call->message, "it says that it failed");
    return !solved;
}
