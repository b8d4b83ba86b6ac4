/* SPDX-License-Identifier: MIT */
/* The table of other programs.  CMake finds them. */
#include <stddef.h>

#include "complementarity/peers.h"

#ifdef SADDLE_BENCH_SICONOS
#define SICONOS(solve) solve
#else
#define SICONOS(solve) NULL
#endif
#ifdef SADDLE_BENCH_ODE
#define ODE(solve) solve
#else
#define ODE(solve) NULL
#endif
#ifdef SADDLE_BENCH_BULLET
#define BULLET(solve) solve
#else
#define BULLET(solve) NULL
#endif
#ifdef SADDLE_BENCH_DART
#define DART(solve) solve
#else
#define DART(solve) NULL
#endif

enum {
    ONE_SIDED = LCP_TAKES_PLAIN | LCP_TAKES_SYMMETRIC,
    SYMMETRIC = LCP_TAKES_SYMMETRIC | LCP_TAKES_BOXED | LCP_TAKES_FRICTION /* Dantzig's; friction
                                                                              with frozen bounds */
};

static const lcp_peer table[] = {
    /* name, what, solve, takes, largest, tolerant */
    {"siconos-lemke", "Siconos LEXICOLEMKE (libsiconos-numerics-dev)", SICONOS(lcp_siconos_lemke),
     ONE_SIDED, 1000, 0},
    {"siconos-pivot", "Siconos PIVOT", SICONOS(lcp_siconos_pivot), ONE_SIDED, 1000, 0},
    {"siconos-newton", "Siconos NEWTON_MINFB", SICONOS(lcp_siconos_newton), ONE_SIDED, 1000, 1},
    {"siconos-enum", "Siconos ENUM, all 2^n states", SICONOS(lcp_siconos_enum), ONE_SIDED, 10, 0},
    {"ode-dantzig", "ODE dxSolveLCP (libode-dev)", ODE(lcp_ode_dantzig), SYMMETRIC, 1000, 0},
    {"bullet-dantzig", "Bullet btSolveDantzigLCP, double (libbullet-dev)",
     BULLET(lcp_bullet_dantzig), SYMMETRIC, 1000, 0},
    {"bullet-lemke", "Bullet btLemkeAlgorithm, double", BULLET(lcp_bullet_lemke), ONE_SIDED, 100,
     0},
    {"dart-dantzig", "DART dSolveLCP (libdart-dev)", DART(lcp_dart_dantzig), SYMMETRIC, 1000, 0},
};

const lcp_peer *lcp_peer_at(int index)
{
    return index >= 0 && index < (int)(sizeof table / sizeof table[0]) ? table + index : NULL;
}
