// SPDX-License-Identifier: MIT
// Bullet's Dantzig and Lemke solvers in double precision; rows of A are not padded.
#include <cstdio>
#include <vector>

#include <BulletDynamics/MLCPSolvers/btDantzigLCP.h>
#include <BulletDynamics/MLCPSolvers/btLemkeAlgorithm.h>

#include "clock.h"
#include "complementarity/peers.h"

extern "C" int lcp_bullet_dantzig(lcp_call *call)
{
    const size_t n = static_cast<size_t>(call->n);
    std::vector<btScalar> A(call->A, call->A + n * n), b(call->b, call->b + n), x(n, 0.0),
        w(n, 0.0);
    std::vector<btScalar> lo(call->lo, call->lo + n), hi(call->hi, call->hi + n);
    std::vector<int> normal(call->normal, call->normal + n);
    btDantzigScratchMemory scratch;
    const double began = bench_now();
    const bool solved = btSolveDantzigLCP(call->n, A.data(), x.data(), b.data(), w.data(), 0,
                                          lo.data(), hi.data(),
                                          call->friction ? normal.data() : nullptr, scratch);
    call->seconds = bench_now() - began;
    call->iterations = -1;
    for (size_t i = 0; i < n; i++) call->x[i] = x[i];
    if (!solved) std::snprintf(call->message, sizeof call->message, "it says that it failed");
    return !solved;
}

extern "C" int lcp_bullet_lemke(lcp_call *call)
{
    const int n = call->n;
    btMatrixXu M(n, n);
    btVectorXu q(n);
    for (int i = 0; i < n; i++) {
        const double *row = call->A + static_cast<size_t>(i) * static_cast<size_t>(n);
        for (int j = 0; j < n; j++) M.setElem(i, j, row[j]);
        q[i] = -call->b[i];
    }
    btLemkeAlgorithm lemke(M, q);
    const double began = bench_now();
    btVectorXu wz = lemke.solve(100000);
    call->seconds = bench_now() - began;
    call->iterations = lemke.getSteps();
    if (wz.size() < 2 * n) return 1;
    for (int i = 0; i < n; i++) call->x[i] = wz[n + i];
    return 0;
}
