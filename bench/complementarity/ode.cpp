// SPDX-License-Identifier: MIT
// ODE's Dantzig solver.  libode exports it, no header declares it: (b, x) and (lo, hi) come as
// pairs, rows of A are padded to multiples of four, and its arena is reset by hand as the library's
// inline function does: begin of free memory := begin.
#include <cstddef>
#include <cstring>
#include <vector>

#include "clock.h"
#include "complementarity/peers.h"

struct dxWorldProcessMemArena;
struct dxWorldProcessMemoryManager;
struct dxWorldProcessMemoryReserveInfo;

size_t dxEstimateSolveLCPMemoryReq(unsigned n, bool outer_w);
dxWorldProcessMemArena *dxAllocateTemporaryWorldProcessMemArena(
    size_t size, const dxWorldProcessMemoryManager *manager,
    const dxWorldProcessMemoryReserveInfo *reserve);
void dxFreeTemporaryWorldProcessMemArena(dxWorldProcessMemArena *arena);
void dxSolveLCP(dxWorldProcessMemArena *arena, unsigned n, double *A, double *pairs_bx, double *w,
                unsigned unbounded, double *pairs_lohi, int *normal);

extern "C" int lcp_ode_dantzig(lcp_call *call)
{
    const size_t n = static_cast<size_t>(call->n), ld = (n + 3) / 4 * 4;
    std::vector<double> A(n * ld, 0.0), bx(2 * n, 0.0), lohi(2 * n), w(n, 0.0);
    std::vector<int> normal(call->normal, call->normal + n);
    for (size_t i = 0; i < n; i++) {
        std::memcpy(&A[i * ld], call->A + i * n, n * sizeof(double));
        bx[2 * i] = call->b[i];
        lohi[2 * i] = call->lo[i];
        lohi[2 * i + 1] = call->hi[i];
    }
    const unsigned size = static_cast<unsigned>(n);
    dxWorldProcessMemArena *arena = dxAllocateTemporaryWorldProcessMemArena(
        dxEstimateSolveLCPMemoryReq(size, true) + 65536, nullptr, nullptr);
    if (arena == nullptr) return 1;
    void **pointers = reinterpret_cast<void **>(arena);
    pointers[0] = pointers[1];
    const double began = bench_now();
    dxSolveLCP(arena, size, A.data(), bx.data(), w.data(), 0, lohi.data(),
               call->friction ? normal.data() : nullptr);
    call->seconds = bench_now() - began;
    call->iterations = -1;
    dxFreeTemporaryWorldProcessMemArena(arena);
    for (size_t i = 0; i < n; i++) call->x[i] = bx[2 * i + 1];
    return 0;
}
