/* SPDX-License-Identifier: MIT */
/* malloc, calloc and realloc of a whole program, before those of the C library. */
#define _GNU_SOURCE
#include "fail_memory.h"

#include <errno.h>
#include <execinfo.h>
#include <link.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { RANGES = 256, DEPTH = 96, PLACES = 1 << 16 };

extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *block, size_t size);

static struct {
    uintptr_t begin, end, base;
    int counts;  /* 1: allocations of this code count */
} range[RANGES]; /* of executable code */
static int ranges;
static long fail_at = -1, fail_on;
static atomic_int active; /* 1: the command runs */
static atomic_long counted;

static fail_place place[PLACES];
static unsigned long between[PLACES]; /* allocations seen after the first and before the last */
static atomic_flag places_locked = ATOMIC_FLAG_INIT;
static uint64_t draws;            /* their state */
static int noting;                /* 1: call stacks are looked at */
static _Thread_local int outside; /* frames of this thread's stack below the command's main */

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
    if (name[0] == '\0') return 1; /* the program itself */
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

__attribute__((constructor)) static void find_ranges(void)
{
    void *frame[1];
    (void)backtrace(frame, 1); /* the first call allocates */
    dl_iterate_phdr(add_ranges, NULL);
}

void fail_memory_next(long at, int on)
{
    fail_at = at;
    fail_on = on;
}

void fail_memory_note(uint64_t seed)
{
    memset(place, 0, sizeof place);
    memset(between, 0, sizeof between);
    draws = seed ? seed : 1;
    fail_at = -1;
    noting = 1;
}

const fail_place *fail_memory_places(size_t *count)
{
    *count = PLACES;
    return place;
}

void fail_memory_begin(void)
{
    void *frame[DEPTH];
    outside = noting ? backtrace(frame, DEPTH) - 1 : 0;
    counted = 0;
    active = 1;
}

void fail_memory_end(void)
{
    active = 0;
    noting = 0;
    fail_at = -1;
}

static int find_range(const void *address)
{
    const uintptr_t at = (uintptr_t)address;
    int k = 0;
    while (k < ranges && (at < range[k].begin || at >= range[k].end)) k++;
    return k; /* ranges: none */
}

/* Of the places in the function that asks for memory and in its callers up to the command's main;
 * never 0. */
static uint64_t hash_of_stack(void)
{
    void *frame[DEPTH];
    uint64_t hash = UINT64_C(14695981039346656037);
    const int frames = backtrace(frame, DEPTH) - outside;
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
    for (int tried = 0; place[at].stack != hash && place[at].stack != 0; tried++) {
        if (tried == PLACES) abort();
        at = (at + 1) % PLACES;
    }
    fail_place *here = &place[at];
    if (here->stack == 0) {
        here->first = here->middle = number;
    } else if (here->last > here->first) {
        between[at]++;
        if (draw() % between[at] == 0) here->middle = here->last;
    }
    here->stack = hash;
    here->last = number;
    atomic_flag_clear(&places_locked);
}

static int fails(const void *caller)
{
    if (!active) return 0;
    const int in = find_range(caller);
    if (in == ranges || !range[in].counts) return 0;
    const long number = counted++;
    if (noting) note_place(number);
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
