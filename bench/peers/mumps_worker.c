/* SPDX-License-Identifier: MIT */
/* mpirun -n P mumps_worker FILE: a factorization "mumps" of a shared system (shared_system.h), a
 * phase for each line on the standard input: h, a, f, sCOUNT. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "factor/factorization.h"
#include "shared_system.h"
#include "team.h"

static int map_system(const char *path, shared_system *system)
{
    struct stat facts;
    const int file = open(path, O_RDWR);
    if (file < 0 || fstat(file, &facts) != 0) return 1;
    void *memory = mmap(NULL, (size_t)facts.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (memory == MAP_FAILED) return 1;
    const shared_head *head = memory;
    *system = shared_at(memory, head->n, head->entries);
    return 0;
}

static saddle_status serve(saddle_context *context, const shared_system *system)
{
    saddle__factorization *F = NULL;
    char line[64];
    const int64_t n = system->head->n;
    const saddle_matrix K = saddle_matrix_view(n, n, system->start, system->index, system->value,
                                               SADDLE_SYMMETRY_LOWER);
    saddle_status status = saddle__factorization_create(context, "mumps", SADDLE_ORDERING_BEST, &F);
    while (status == SADDLE_OK && fgets(line, sizeof line, stdin)) {
        if (line[0] == 'a') status = saddle__factorization_analyse(F, &K);
        if (line[0] == 'f') status = saddle__factorization_factor(F, &K, NULL, 0.0);
        if (line[0] == 's')
            status = saddle__factorization_solve_columns(F, strtoll(line + 1, NULL, 10), system->x);
        const saddle__factor_counts counts = saddle__factorization_counts(F);
        if (status == SADDLE_OK)
            printf("ok %lld %.17g %lld\n", (long long)counts.entries, counts.flops,
                   (long long)counts.inertia.negative);
        else
            printf("%s\n", saddle_context_message(context));
        fflush(stdout);
    }
    saddle__factorization_free(F);
    return status;
}

int main(int argc, char **argv)
{
    shared_system system;
    saddle_context *context;
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank > 0) {
        saddle__team_serve(MPI_COMM_WORLD);
    } else if (argc != 2 || map_system(argv[1], &system) ||
               saddle_context_create(NULL, &context) != SADDLE_OK) {
        MPI_Abort(MPI_COMM_WORLD, 1);
    } else {
        saddle__team_join(context, MPI_COMM_WORLD);
        (void)serve(context, &system);
        saddle__team_dismiss(context);
        saddle_context_free(context);
    }
    MPI_Finalize();
    return 0;
}
