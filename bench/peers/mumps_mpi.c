/* SPDX-License-Identifier: MIT */
/* lib/factor's "mumps" shared by processes: a child, `mpirun -n P mumps_worker FILE`, does a phase
 * for each letter it is sent and answers with a line. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "peers.h"
#include "shared_system.h"

typedef struct worker {
    char path[64];
    int made;
    void *memory;
    int64_t bytes;
    shared_system system;
    pid_t child;
    FILE *to, *from;
} worker;

static int share(worker *s, const saddle_matrix *K, peer_facts *facts)
{
    const int64_t entries = saddle_matrix_entries(K);
    snprintf(s->path, sizeof s->path, "/dev/shm/saddle-bench-XXXXXX");
    const int file = mkstemp(s->path);
    if (file < 0) return peer_fail(facts, "no shared memory");
    s->made = 1;
    s->bytes = shared_size(K->rows, entries);
    const int sized = ftruncate(file, (off_t)s->bytes) == 0;
    s->memory = sized ? mmap(NULL, (size_t)s->bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                      : MAP_FAILED;
    close(file);
    if (s->memory == MAP_FAILED) return peer_fail(facts, "no shared memory");
    s->system = shared_at(s->memory, K->rows, entries);
    *s->system.head = (shared_head){K->rows, entries};
    memcpy(s->system.start, K->start, (size_t)(K->rows + 1) * sizeof(int64_t));
    memcpy(s->system.index, K->index, (size_t)entries * sizeof(int64_t));
    memcpy(s->system.value, K->value, (size_t)entries * sizeof(double));
    return 0;
}

static void become_child(const worker *s, int processes, const int in[2], const int out[2])
{
    char count[16];
    snprintf(count, sizeof count, "%d", processes);
    dup2(in[0], STDIN_FILENO);
    dup2(out[1], STDOUT_FILENO);
    close(in[1]);
    close(out[0]);
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
    execlp("mpirun", "mpirun", "--oversubscribe", "--allow-run-as-root", "-n", count,
           SADDLE_BENCH_MUMPS_WORKER, s->path, (char *)NULL);
    _exit(127);
}

/* A letter, the phase; the answer is "ok" with counts, or the reason of the failure. */
static int ask(worker *s, const char *phase, char *line, int size, peer_facts *facts)
{
    if (fprintf(s->to, "%s\n", phase) < 0 || fflush(s->to) != 0 || !fgets(line, size, s->from))
        return peer_fail(facts, "mpirun ended");
    if (strncmp(line, "ok", 2) == 0) return 0;
    line[strcspn(line, "\n")] = '\0';
    return peer_fail(facts, "%s", line);
}

static void close_pair(const int ends[2])
{
    close(ends[0]);
    close(ends[1]);
}

/* A stream over the descriptor, which is closed where there is none. */
static FILE *stream_of(int descriptor, const char *mode)
{
    FILE *stream = fdopen(descriptor, mode);
    if (!stream) close(descriptor);
    return stream;
}

static int begin_child(worker *s, int processes)
{
    int in[2], out[2];
    if (pipe(in) != 0) return 1;
    if (pipe(out) != 0) {
        close_pair(in);
        return 1;
    }
    signal(SIGPIPE, SIG_IGN);
    s->child = fork();
    if (s->child == 0) become_child(s, processes, in, out);
    if (s->child < 0) {
        close_pair(in);
        close_pair(out);
        return 1;
    }
    close(in[0]);
    close(out[1]);
    s->to = stream_of(in[1], "w");
    s->from = stream_of(out[0], "r");
    return !s->to || !s->from;
}

static int prepare(void *state, const peer_input *input, peer_facts *facts)
{
    worker *s = state;
    char line[256];
    if (share(s, input->K, facts)) return 1;
    if (begin_child(s, input->variant)) return peer_fail(facts, "no child");
    return ask(s, "h", line, sizeof line, facts);
}

static int analyse(void *state, const peer_input *input, peer_facts *facts)
{
    (void)input;
    char line[256];
    return ask(state, "a", line, sizeof line, facts);
}

static int factor(void *state, const peer_input *input, peer_facts *facts)
{
    char line[256];
    long long entries, negative;
    if (ask(state, "f", line, sizeof line, facts)) return 1;
    if (sscanf(line, "ok %lld %lf %lld", &entries, &facts->flops, &negative) != 3)
        return peer_fail(facts, "an answer of another form");
    facts->entries = entries;
    facts->inertia = (saddle_inertia){.known = 1, .negative = negative};
    facts->inertia.positive = input->K->rows - negative;
    return 0;
}

static int solve(void *state, const peer_input *input, int64_t count, double *x, peer_facts *facts)
{
    worker *s = state;
    char line[256], phase[32];
    const size_t bytes = (size_t)(input->K->rows * count) * sizeof *x;
    if (count > SHARED_COLUMNS) return peer_fail(facts, "too many right-hand sides");
    memcpy(s->system.x, x, bytes);
    snprintf(phase, sizeof phase, "s%lld", (long long)count);
    if (ask(s, phase, line, sizeof line, facts)) return 1;
    memcpy(x, s->system.x, bytes);
    return 0;
}

static void clear(void *state, const peer_input *input)
{
    (void)input;
    worker *s = state;
    if (s->to) fclose(s->to); /* the worker ends with its input */
    if (s->from) fclose(s->from);
    if (s->child > 0) waitpid(s->child, NULL, 0);
    if (s->memory && s->memory != MAP_FAILED) munmap(s->memory, (size_t)s->bytes);
    if (s->made) unlink(s->path);
}

const peer_program peer_mumps_mpi = {.state_size = sizeof(worker),
                                     .in_children = 1,
                                     .prepare = prepare,
                                     .analyse = analyse,
                                     .factor = factor,
                                     .solve = solve,
                                     .clear = clear};
