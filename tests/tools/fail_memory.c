/* SPDX-License-Identifier: MIT */
/* Loaded before the C library (LD_PRELOAD): allocations that fail, and where a run has them.
 *
 * With SADDLE_PLACES_FILE, the run writes at its end to that file, a line each, the call stacks of
 * its allocations: a number that is the same in other runs, the first allocation of the stack, one
 * in the middle (drawn from SADDLE_TEST_SEED; the first where there is none), and the last.
 *
 * With SADDLE_FAIL_SERVER, four lines (two numbers of open files, COMMANDS and ANSWERS, and two
 * paths), the process stops before main and forks a child for each two longs that it reads from
 * COMMANDS: the allocation that fails (from 0; -1 = none), and whether all later ones do too.  The
 * child runs main and prints into the two files; its status, as waitpid has it, is written to
 * ANSWERS.  Loading and starting the libraries takes several times as long as most of the runs.
 *
 * Counted are the allocations that the command, jansson, the C library and SuiteSparse's solvers
 * ask for, from the end of the libraries' own start on.  Those of METIS, OpenBLAS, gfortran's and
 * OpenMP's libraries are left alone: METIS and OpenMP end the process where they get no memory, and
 * no caller can help it. */
#define _GNU_SOURCE
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <inttypes.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANGES = 256, DEPTH = 64, PLACES = 1 << 16 };

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static struct {
    uintptr_t begin, end, base;
    int counts;  /* 1: allocations of this code count */
} range[RANGES]; /* of executable code */
static int ranges;
static long fail_at = -1, fail_on;
static atomic_long counted;

/* Call stacks, by a hash of their return addresses. */
static struct {
    uint64_t hash; /* 0 = free */
    long first, middle, last;
    unsigned long between;
} place[PLACES];
static atomic_flag places_locked = ATOMIC_FLAG_INIT;
static uint64_t draws = 1;      /* their state */
static const char *places_file; /* NULL: stacks are not looked at */

static int follows(const char *name)
{
    static const char *const followed[] = {"libjansson",
                                           "libc.so",
                                           "libcholmod",
                                           "libumfpack",
                                           "libklu",
                                           "libamd",
                                           "libcamd",
                                           "libcolamd",
                                           "libccolamd",
                                           "libbtf",
                                           "libsuitesparseconfig"};
    if (name[0] == '\0') return 1; /* the command itself */
    for (size_t k = 0; k < sizeof followed / sizeof *followed; k++)
        if (strstr(name, followed[k])) return 1;
    return 0;
}

static int add_ranges(struct dl_phdr_info *object, size_t size, void *unused)
{
    (void)size;
    (void)unused;
    for (int k = 0; k < object->dlpi_phnum && ranges < RANGES; k++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[k];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        range[ranges].begin = object->dlpi_addr + segment->p_vaddr;
        range[ranges].end = range[ranges].begin + segment->p_memsz;
        range[ranges].base = object->dlpi_addr;
        range[ranges].counts = follows(object->dlpi_name);
        ranges++;
    }
    return 0;
}

static void print_into(int to, const char *path)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0 || dup2(file, to) != to) _exit(99);
    close(file);
}

/* Returns in each child, with what fails there; the process itself ends with its commands. */
static void serve(const char *server)
{
    int commands, answers, status;
    char output[1024], errors[1024];
    long command[2];
    if (sscanf(server, "%d\n%d\n%1023[^\n]\n%1023[^\n]", &commands, &answers, output, errors) != 4)
        _exit(99);
    while (read(commands, command, sizeof command) == (ssize_t)sizeof command) {
        const pid_t child = fork();
        if (child == 0) {
            close(commands);
            close(answers);
            print_into(STDOUT_FILENO, output);
            print_into(STDERR_FILENO, errors);
            counted = 0;
            fail_at = command[0];
            fail_on = command[1];
            return;
        }
        if (child < 0 || waitpid(child, &status, 0) != child ||
            write(answers, &status, sizeof status) != (ssize_t)sizeof status)
            _exit(99);
    }
    _exit(0);
}

__attribute__((constructor)) static void begin(void)
{
    const char *seed = getenv("SADDLE_TEST_SEED"), *server = getenv("SADDLE_FAIL_SERVER");
    void *frame[1];
    (void)backtrace(frame, 1); /* the first call allocates; no range is known yet */
    places_file = getenv("SADDLE_PLACES_FILE");
    if (seed) draws ^= strtoull(seed, NULL, 10);
    if (draws == 0) draws = 1;
    dl_iterate_phdr(add_ranges, NULL);
    if (server) serve(server);
}

static int find_range(const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    int k = 0;
    while (k < ranges && (at < range[k].begin || at >= range[k].end)) k++;
    return k; /* ranges: none */
}

/* Of the places in the function that asks for memory and in its callers; never 0. */
static uint64_t hash_of_stack(void)
{
    void *frame[DEPTH];
    uint64_t hash = UINT64_C(14695981039346656037);
    const int frames = backtrace(frame, DEPTH);
    for (int k = 0; k < frames; k++) {
        const int in = find_range(frame[k]);
        const uintptr_t offset = in < ranges ? (uintptr_t)frame[k] - range[in].base : 0;
        hash = (hash ^ (uint64_t)offset) * UINT64_C(1099511628211);
    }
    return hash | 1;
}

static uint64_t draw(void)
{
    draws ^= draws << 13;
    draws ^= draws >> 7;
    draws ^= draws << 17;
    return draws >> 8;
}

static void note_place(long number)
{
    const uint64_t hash = hash_of_stack();
    size_t at = (size_t)(hash >> 40) % PLACES;
    while (atomic_flag_test_and_set(&places_locked)) {
    }
    for (int tried = 0; place[at].hash != hash && place[at].hash != 0; tried++) {
        if (tried == PLACES) abort();
        at = (at + 1) % PLACES;
    }
    if (place[at].hash == 0) {
        place[at].first = number;
        place[at].middle = number;
    } else if (place[at].last > place[at].first) {
        place[at].between++;
        if (draw() % place[at].between == 0) place[at].middle = place[at].last;
    }
    place[at].hash = hash;
    place[at].last = number;
    atomic_flag_clear(&places_locked);
}

__attribute__((destructor)) static void end(void)
{
    ranges = 0;
    FILE *file = places_file ? fopen(places_file, "w") : NULL;
    if (!file) return;
    for (size_t k = 0; k < PLACES; k++)
        if (place[k].hash != 0)
            fprintf(file, "%" PRIx64 " %ld %ld %ld\n", place[k].hash, place[k].first,
                    place[k].middle, place[k].last);
    fclose(file);
}

static int fails(const void *caller)
{
    const int in = find_range(caller);
    if (in == ranges || !range[in].counts) return 0;
    const long number = counted++;
    if (places_file) note_place(number);
    if (fail_at < 0 || (fail_on ? number < fail_at : number != fail_at)) return 0;
    errno = ENOMEM;
    return 1;
}

void *malloc(size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *block, size_t size)
{
    return fails(__builtin_return_address(0)) ? NULL : __libc_realloc(block, size);
}
