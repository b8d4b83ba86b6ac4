/* SPDX-License-Identifier: MIT */
/* The table of factorizations.  CMake defines the programs found: SADDLE_BENCH_MUMPS,
 * SADDLE_BENCH_MUMPS_WORKER, SADDLE_BENCH_UMFPACK. */
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include "peers.h"

#ifdef SADDLE_BENCH_MUMPS
#define MUMPS &peer_mumps
#else
#define MUMPS NULL
#endif
#ifdef SADDLE_BENCH_MUMPS_WORKER
#define MUMPS_MPI &peer_mumps_mpi
#else
#define MUMPS_MPI NULL
#endif
#ifdef SADDLE_BENCH_UMFPACK
#define UMFPACK &peer_umfpack
#else
#define UMFPACK NULL
#endif

static const bench_peer table[] = {
    /* name, what, program, ours, variant, largest, rate, refinements, smallest */
    {"ldlt", "the engine of lib/ldlt", &peer_engine, 1, 0, 0, 1e10, 10, 0},
    {"table-ldlt", "the same behind lib/factor's table", &peer_ours, 1, PEER_TABLE_LDLT, 0, 1e10,
     10, 0},
    {"table-cholmod", "lib/factor's 'cholmod', ordering BEST", &peer_ours, 1, PEER_TABLE_CHOLMOD, 0,
     1e9, 10, 0},
    {"table-umfpack", "lib/factor's 'umfpack'", &peer_ours, 1, PEER_TABLE_UMFPACK, 0, 3e9, 10, 0},
    {"table-klu", "lib/factor's 'klu'", &peer_ours, 1, PEER_TABLE_KLU, 0, 5e8, 10, 0},
    {"schur", "the engine twice: the Schur complement of the rows, formed and factored",
     &peer_schur, 1, 0, 0, 1e10, 10, 0},
    {"mumps", "MUMPS sym=2, everything by default (libmumps-seq-dev)", MUMPS, 0, PEER_MUMPS_DEFAULT,
     0, 2e10, 10, 0},
    {"mumps-amd", "MUMPS sym=2, its AMD", MUMPS, 0, PEER_MUMPS_AMD, 0, 2e10, 10, 0},
    {"mumps-scotch", "MUMPS sym=2, its SCOTCH", MUMPS, 0, PEER_MUMPS_SCOTCH, 0, 2e10, 10, 0},
    {"mumps-metis", "MUMPS sym=2, CHOLMOD's METIS ordering as PERM_IN", MUMPS, 0, PEER_MUMPS_METIS,
     0, 2e10, 10, 0},
    {"mumps-mpi", "lib/factor's 'mumps' over MPI, one process (SADDLE_MUMPS=mpi)", MUMPS_MPI, 0, 1,
     0, 2e10, 10, 1000},
    {"mumps-mpi-2", "the same, two processes", MUMPS_MPI, 0, 2, 0, 2e10, 10, 1000},
    {"umfpack", "UMFPACK by default", UMFPACK, 0, 0, 0, 3e10, 10, 0},
    {"cholmod", "CHOLMOD simplicial LDL', AMD, K regularized", &peer_cholmod, 0, PEER_CHOLMOD_AMD,
     0, 1e9, 3, 0},
    {"cholmod-metis", "the same with METIS", &peer_cholmod, 0, PEER_CHOLMOD_METIS, 0, 1e9, 3, 0},
    {"lapack", "dsytrf, dsytrs of the dense K", &peer_lapack, 0, 0, 100, 1e9, 10, 0},
};

const bench_peer *bench_peer_at(int index)
{
    return index >= 0 && index < (int)(sizeof table / sizeof table[0]) ? table + index : NULL;
}

int bench_peer_available(const bench_peer *peer)
{
    return peer->program != NULL &&
           (peer->program->available == NULL || peer->program->available(peer->variant));
}

int peer_fail(peer_facts *facts, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(facts->message, sizeof facts->message, format, arguments);
    va_end(arguments);
    return 1;
}
