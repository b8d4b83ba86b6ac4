/* SPDX-License-Identifier: MIT */
/* See support.h. */
#include "support.h"

#include "dense/lapack.h"

#include <SuiteSparse_config.h>
#include <execinfo.h>
#include <ftw.h>
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, PATH_COUNT = 8 };

static char *next_path(void)
{
    static char paths[PATH_COUNT][PATH_SIZE];
    static int next;
    return paths[next++ % PATH_COUNT];
}

/* ---- data ---- */

const char *test_data_path(const char *relative)
{
    const char *root = getenv("SADDLE_DATA");
    const char *required = getenv("SADDLE_REQUIRE_DATA");
    char *path = next_path();
    if (root && *root)
        (void)snprintf(path, PATH_SIZE, "%s", root);
    else
        (void)snprintf(path, PATH_SIZE, "%s/../shared/data", SADDLE_SOURCE_DIR);
    struct stat info;
    if (stat(path, &info) != 0 || !S_ISDIR(info.st_mode)) {
        if (required && strcmp(required, "1") == 0)
            fail_msg("data folder %s is absent and SADDLE_REQUIRE_DATA=1", path);
        print_message("skipped: data folder %s is absent\n", path);
        skip();
    }
    size_t used = strlen(path);
    (void)snprintf(path + used, PATH_SIZE - used, "/%s", relative);
    return path;
}

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
    (void)info;
    (void)kind;
    (void)walk;
    return remove(path);
}

static char scratch_root[PATH_SIZE];

static void remove_scratch(void)
{
    if (scratch_root[0]) (void)nftw(scratch_root, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

const char *test_scratch_folder(void)
{
    static int count;
    if (!scratch_root[0]) {
        (void)snprintf(scratch_root, sizeof scratch_root, "%s/scratch-XXXXXX", SADDLE_BUILD_DIR);
        if (!mkdtemp(scratch_root)) fail_msg("cannot make a scratch folder like %s", scratch_root);
        (void)atexit(remove_scratch);
    }
    char *path = next_path();
    int written = snprintf(path, PATH_SIZE, "%s/%d", scratch_root, count++);
    if (written < 0 || written >= PATH_SIZE || mkdir(path, 0755) != 0)
        fail_msg("cannot make %s", path);
    return path;
}

/* ---- draws ---- */

uint64_t test_seed(void)
{
    static uint64_t seed;
    if (seed == 0) {
        const char *given = getenv("SADDLE_TEST_SEED");
        seed = given ? strtoull(given, NULL, 10) : UINT64_C(88172645463325252);
        if (seed == 0) seed = 1;
        print_message("seed %" PRIu64 " (set SADDLE_TEST_SEED to change it)\n", seed);
    }
    return seed;
}

int64_t test_draws(int64_t count)
{
    const char *given = getenv("SADDLE_TEST_DRAWS");
    const double draws = given ? fmax(strtod(given, NULL), 0.01) * (double)count : (double)count;
    return draws > 1.0 ? (int64_t)draws : 1;
}

int64_t test_draws_at_least(int64_t least, int64_t count)
{
    const int64_t draws = test_draws(count);
    return draws > least ? draws : least;
}

int test_is_slow(void)
{
    return test_draws(4) < 2;
}

int test_is_iterative(const char *solver)
{
    return strcmp(solver, "gauss-seidel") == 0 || strcmp(solver, "admm") == 0 ||
           strcmp(solver, "staggered") == 0;
}

static uint64_t draw(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *state = x;
    return x * UINT64_C(2685821657736338717);
}

double test_uniform(uint64_t *state, double lo, double hi)
{
    return lo + (hi - lo) * ((double)(draw(state) >> 11) * 0x1p-53);
}

int64_t test_integer(uint64_t *state, int64_t lo, int64_t hi)
{
    return lo + (int64_t)((draw(state) >> 1) % (uint64_t)(hi - lo + 1));
}

double test_distance(const double *a, const double *b, int64_t count)
{
    double scale = 1.0;
    double worst = 0.0;
    for (int64_t i = 0; i < count; i++) {
        scale = fmax(scale, fmax(fabs(a[i]), fabs(b[i])));
        worst = fmax(worst, fabs(a[i] - b[i]));
        if (isnan(a[i]) || isnan(b[i])) return (double)INFINITY;
    }
    return worst / scale;
}

/* ---- memory that fails ---- */

/* what the hooks of SuiteSparse and jansson count into; they take no user pointer */
static test_memory *current;
static int fail_once; /* only allocation fail_at fails, not the later ones */

/* Call stacks of allocations, by a hash of their return addresses. */
enum { STACKS = 8192, FRAMES = 64 };
static struct {
    uint64_t hash;
    int64_t first, middle, last; /* allocations; middle: any between, -1 = none */
    int64_t between;
} stack[STACKS];
static int stacks, watched;
static uint64_t middles; /* draws */

static void note_stack(int64_t number)
{
    void *frame[FRAMES];
    uint64_t hash = UINT64_C(14695981039346656037);
    int frames = backtrace(frame, FRAMES);
    int at = 0;
    for (int k = 0; k < frames; k++)
        hash = (hash ^ (uint64_t)(uintptr_t)frame[k]) * UINT64_C(1099511628211);
    while (at < stacks && stack[at].hash != hash) at++;
    if (at == STACKS) fail_msg("more than %d call stacks allocate", (int)STACKS);
    if (at == stacks) {
        stacks++;
        stack[at].hash = hash;
        stack[at].first = number;
        stack[at].middle = -1;
        stack[at].between = 0;
    } else if (stack[at].last > stack[at].first) {
        stack[at].between++;
        if (test_integer(&middles, 1, stack[at].between) == 1) stack[at].middle = stack[at].last;
    }
    stack[at].last = number;
}

static int refuses(test_memory *memory)
{
    int64_t number = memory->count++;
    if (watched) note_stack(number);
    if (memory->fail_at < 0) return 0;
    return fail_once ? number == memory->fail_at : number >= memory->fail_at;
}

static void *counted_malloc(size_t bytes)
{
    if (refuses(current)) return NULL;
    void *block = malloc(bytes);
    current->alive += block != NULL;
    return block;
}

static void *counted_calloc(size_t count, size_t size)
{
    if (refuses(current)) return NULL;
    void *block = calloc(count, size);
    current->alive += block != NULL;
    return block;
}

static void *counted_realloc(void *block, size_t bytes)
{
    if (refuses(current)) return NULL;
    void *grown = realloc(block, bytes);
    if (!block) current->alive += grown != NULL;
    return grown;
}

static void counted_free(void *block)
{
    if (!block) return;
    current->alive--;
    free(block);
}

static void *lend(void *user, size_t bytes)
{
    (void)user;
    return counted_malloc(bytes);
}

static void *lend_more(void *user, void *block, size_t bytes)
{
    (void)user;
    return counted_realloc(block, bytes);
}

static void take_back(void *user, void *block)
{
    (void)user;
    counted_free(block);
}

saddle_context *test_memory_begin(test_memory *memory, int64_t fail_at)
{
    *memory = (test_memory){.fail_at = -1};
    current = memory;
    SuiteSparse_config.malloc_func = counted_malloc;
    SuiteSparse_config.calloc_func = counted_calloc;
    SuiteSparse_config.realloc_func = counted_realloc;
    SuiteSparse_config.free_func = counted_free;
    json_set_alloc_funcs(counted_malloc, counted_free);
    saddle_context_options options = saddle_context_options_default();
    options.allocator = (saddle_allocator){lend, lend_more, take_back, NULL};
    saddle_context *context;
    assert_int_equal(saddle_context_create(&options, &context), SADDLE_OK);
    memory->count = 0;
    memory->fail_at = fail_at;
    return context;
}

void test_memory_end(test_memory *memory, saddle_context *context)
{
    saddle_context_free(context);
    SuiteSparse_config.malloc_func = malloc;
    SuiteSparse_config.calloc_func = calloc;
    SuiteSparse_config.realloc_func = realloc;
    SuiteSparse_config.free_func = free;
    json_set_alloc_funcs(malloc, free);
    current = NULL;
    if (memory->alive != 0) fail_msg("%" PRId64 " blocks not released", memory->alive);
}

/* With allocation fail_at failing; -1: undisturbed, its call stacks noted. */
static void run_failing(test_body *body, void *user, int64_t fail_at)
{
    test_memory memory;
    saddle_context *context = test_memory_begin(&memory, fail_at);
    watched = fail_at < 0;
    saddle_status status = body(context, user);
    watched = 0;
    if (fail_at < 0 && status < 0)
        fail_msg("undisturbed: %s: %s", saddle_status_name(status),
                 saddle_context_message(context));
    if (memory.count <= fail_at)
        fail_msg("allocation %" PRId64 " is not reached, %" PRId64 " are", fail_at, memory.count);
    if (fail_at >= 0 && status != SADDLE_OUT_OF_MEMORY && status < 0)
        fail_msg("allocation %" PRId64 " failing gives %s: %s", fail_at, saddle_status_name(status),
                 saddle_context_message(context));
    test_memory_end(&memory, context);
}

/* Of each call stack the first allocation, one in the middle and the last; how many failed. */
static int64_t sweep(test_body *body, void *user)
{
    int64_t tried = 0;
    stacks = 0;
    middles = test_seed();
    run_failing(body, user, -1);
    for (int k = 0; k < stacks; k++) {
        const int64_t at[3] = {stack[k].first, stack[k].middle, stack[k].last};
        for (int i = 0; i < 3; i++) {
            if (i > 0 && at[i] <= at[0]) continue;
            run_failing(body, user, at[i]);
            tried++;
        }
    }
    return tried;
}

int64_t test_allocation_sweep(test_body *body, void *user)
{
    fail_once = 0;
    (void)sweep(body, user);
    fail_once = 1;
    int64_t tried = sweep(body, user);
    fail_once = 0;
    return tried;
}

/* ---- dense matrices ---- */

void test_dense(const saddle_matrix *S, double *A)
{
    for (int64_t k = 0; k < S->rows * S->cols; k++) A[k] = 0.0;
    for (int64_t j = 0; S->start && j < S->cols; j++)
        for (int64_t k = S->start[j]; k < S->start[j + 1]; k++) {
            A[S->index[k] + j * S->rows] = S->value[k];
            if (S->symmetry == SADDLE_SYMMETRY_LOWER) A[j + S->index[k] * S->rows] = S->value[k];
        }
}

void test_singular_values(int64_t rows, int64_t cols, double *A, double *sigma)
{
    int m = (int)rows;
    int n = (int)cols;
    int smaller = m < n ? m : n;
    if (smaller == 0) return;
    int one = 1;
    int query = -1;
    int info = 0;
    double unused = 0.0;
    double size = 0.0;
    int *integers = calloc((size_t)smaller * 8 + 1, sizeof *integers);
    assert_non_null(integers);
    dgesdd_("N", &m, &n, A, &m, sigma, &unused, &one, &unused, &one, &size, &query, integers, &info,
            1);
    int count = (int)size;
    double *work = calloc((size_t)count + 1, sizeof *work);
    assert_non_null(work);
    dgesdd_("N", &m, &n, A, &m, sigma, &unused, &one, &unused, &one, work, &count, integers, &info,
            1);
    assert_int_equal(info, 0);
    free(work);
    free(integers);
}
