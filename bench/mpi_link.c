/* SPDX-License-Identifier: MIT */
/* mpirun -n 2 bench_link: the time of a message of no length and the rate of long ones, between two
 * processes, best of several (docs/scale.md). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { LONG = 1 << 23, TURNS = 200, TRIES = 5 };

/* Seconds of one message of `bytes`: half a turn there and back. */
static double time_message(int rank, char *buffer, int bytes, int turns)
{
    double best = 1e300;
    for (int try = 0; try < TRIES; try++) {
        MPI_Barrier(MPI_COMM_WORLD);
        const double began = MPI_Wtime();
        for (int turn = 0; turn < turns; turn++)
            for (int from = 0; from < 2; from++) {
                if (rank == from)
                    MPI_Send(buffer, bytes, MPI_CHAR, 1 - from, 0, MPI_COMM_WORLD);
                else
                    MPI_Recv(buffer, bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            }
        const double each = (MPI_Wtime() - began) / (2.0 * turns);
        if (each < best) best = each;
    }
    return best;
}

int main(int argc, char **argv)
{
    int rank, processes;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processes);
    char *buffer = calloc(LONG, 1);
    if (processes != 2 || !buffer) {
        fprintf(stderr, "bench_link: two processes, and memory for a message\n");
        MPI_Abort(MPI_COMM_WORLD, 1);
        return 1;
    }
    const double latency = time_message(rank, buffer, 0, TURNS);
    const double seconds = time_message(rank, buffer, LONG, TURNS / 20);
    if (rank == 0)
        printf("a message: %.1f us, and %.2f GB/s\n", 1e6 * latency, LONG / seconds / 1e9);
    free(buffer);
    MPI_Finalize();
    return 0;
}
