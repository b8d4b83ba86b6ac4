/* SPDX-License-Identifier: MIT */
/* Loaded before the C library (LD_PRELOAD): the allocation numbered SADDLE_FAIL_AT fails (from 0;
 * -1 = none), with SADDLE_FAIL_ON every later one too, and their count is written to the file
 * SADDLE_COUNT_FILE at the end.
 *
 * * Counted are the allocations that the command, jansson, the C library and SuiteSparse's solvers
 * ask for, from the end of the libraries' own start on.  Those of METIS, OpenBLAS, gfortran's and
 * OpenMP's libraries are left alone: METIS and OpenMP end the process where they get no memory, and
 * no caller can help it. */
#define _GNU_SOURCE
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RANGES = 64 };

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static struct {
    uintptr_t begin, end;
} range[RANGES]; /* of the code whose allocations count */
static int ranges, fail_on;
static long fail_at = -1;
static atomic_long counted;

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
    for (int k = 0; follows(object->dlpi_name) && k < object->dlpi_phnum && ranges < RANGES; k++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[k];
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X)) continue;
        range[ranges].begin = object->dlpi_addr + segment->p_vaddr;
        range[ranges].end = range[ranges].begin + segment->p_memsz;
        ranges++;
    }
    return 0;
}

__attribute__((constructor)) static void begin(void)
{
    const char *at = getenv("SADDLE_FAIL_AT");
    fail_on = getenv("SADDLE_FAIL_ON") != NULL;
    fail_at = at ? atol(at) : -1;
    dl_iterate_phdr(add_ranges, NULL);
}

__attribute__((destructor)) static void end(void)
{
    const char *name = getenv("SADDLE_COUNT_FILE");
    const long count = counted;
    ranges = 0;
    FILE *file = name ? fopen(name, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", count);
    fclose(file);
}

static int fails(const void *caller)
{
    const uintptr_t place = (uintptr_t)caller;
    for (int k = 0; k < ranges; k++) {
        if (place < range[k].begin || place >= range[k].end) continue;
        const long number = counted++;
        if (fail_at < 0 || (fail_on ? number < fail_at : number != fail_at)) return 0;
        errno = ENOMEM;
        return 1;
    }
    return 0;
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
