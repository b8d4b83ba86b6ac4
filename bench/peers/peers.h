/* SPDX-License-Identifier: MIT */
/* The small table behind which factorizations are measured side by side: ours by name, and other
 * programs.
 *
 *     prepare (not timed) -> analyse -> factor -> solve, each any number of times -> clear
 *
 * A program that is not installed keeps its line in the table, marked absent.
 */
#ifndef SADDLE_BENCH_PEERS_H
#define SADDLE_BENCH_PEERS_H

#include "factor/factorization.h"

/* Input: K x = b, symmetric, n x n. */
typedef struct peer_input {
    saddle_context *context;
    const saddle_matrix *K;    /* lower triangle, every diagonal entry stored */
    const double *regularized; /* K's values with saddle's own regularization added, for ours */
    const signed char *sign;   /* n: +1 or -1 where the sign of a pivot is known, else 0 */
    const signed char *late;   /* n: enum saddle__late */
    const double *scale;       /* n: natural size of each pivot */
    int variant;               /* variant of the same program */
    int threads;
} peer_input;

/* Statistics of a factorization; negative: unknown. */
typedef struct peer_facts {
    int64_t entries; /* of L and D, or of L and U */
    double flops;    /* of one factorization: additions and multiplications */
    saddle_inertia inertia;
    int64_t perturbed; /* pivots that were replaced */
    double counted;    /* seconds of the last call to count; negative = all */
    char message[200]; /* why the last call failed */
} peer_facts;

/* nonzero on failure */
typedef int peer_phase(void *state, const peer_input *input, peer_facts *facts);

typedef struct peer_program {
    int (*available)(int variant); /* NULL = yes */
    size_t state_size;             /* zeroed before prepare */
    int in_children;               /* 1: other processes work, of whom --cpu would count nothing */
    peer_phase *prepare, *analyse, *factor;
    /* x (n x count, by columns): b in, K^-1 b out, without refinement */
    int (*solve)(void *state, const peer_input *input, int64_t count, double *x, peer_facts *facts);
    void (*clear)(void *state, const peer_input *input); /* half-built state is fine */
} peer_program;

typedef struct bench_peer {
    const char *name;
    const char *what;
    const peer_program *program; /* NULL: not installed */
    int ours;
    int variant;
    int64_t largest;  /* systems of more unknowns are not its field; 0 = any */
    double rate;      /* flops per second foreseen before anything was measured */
    int refinements;  /* steps of iterative refinement at most */
    int64_t smallest; /* systems of fewer unknowns are not its field */
} bench_peer;

const bench_peer *bench_peer_at(int index); /* NULL past the end */
int bench_peer_available(const bench_peer *peer);

/* Writes facts->message; returns 1. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int peer_fail(peer_facts *facts, const char *format, ...);

enum peer_ours { PEER_TABLE_LDLT, PEER_TABLE_CHOLMOD, PEER_TABLE_UMFPACK, PEER_TABLE_KLU };
enum peer_cholmod { PEER_CHOLMOD_AMD, PEER_CHOLMOD_METIS };
enum peer_mumps { PEER_MUMPS_DEFAULT, PEER_MUMPS_AMD, PEER_MUMPS_SCOTCH, PEER_MUMPS_METIS };

extern const peer_program peer_ours;
extern const peer_program peer_cholmod;
extern const peer_program peer_engine;
extern const peer_program peer_lapack;
extern const peer_program peer_mumps;
extern const peer_program peer_mumps_mpi; /* variant: processes */
extern const peer_program peer_schur;
extern const peer_program peer_umfpack;

/* Vanished pivots in our factorizations: as in solvers/ldlt.c. */
saddle__pivot_rule peer_pivot_rule(const peer_input *input);

/* order (n): CHOLMOD's METIS ordering of K, postordered; order[k] is eliminated k-th.  Nonzero on
 * failure. */
int peer_metis_order(const saddle_matrix *K, int64_t *order);

/* Flops of a factorization of K in CHOLMOD's AMD ordering; 0: failed. */
double peer_amd_flops(const saddle_matrix *K);

#endif
