/* SPDX-License-Identifier: MIT */
/* See part.h. */
#include "ldlt/part.h"

#include <math.h>
#include <stdalign.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/layout.h"
#include "base/unset.h"
#include "base/vector.h"
#include "ldlt/ldlt_internal.h"

/* A part is tried where the factor of all of A has more entries a row, and taken where its own
 * factor has less than `worth` of the entries. */
static const double entries_to_try = 24.0;
static const double worth = 0.5;

/* After a failed attempt, the next has at most this share of its rows. */
static const double smaller = 0.9;

/* The arena [bytes]. */
enum { BYTES_A_ROW = 500, BYTES_AN_ENTRY = 120 };

/* ---- memory in one block ---- */

/* A context with memory in one block, for objects created and freed again and again within a
 * call without allocations.  A piece is placed as far in front as possible, so that released
 * memory is reused first.  arena_empty releases all pieces at once.  Without room an
 * allocation fails as usual.  The search passes all pieces: some tens of pieces are intended.
 * */
typedef struct memory_arena {
    saddle_context *owner;   /* allocates the block */
    saddle_context *context; /* allocates within the block; in the block itself */
    char *block;
    size_t size;        /* bytes */
    size_t begin, used; /* pieces lie between these */
    size_t empty;       /* used, with the context alone */
} memory_arena;

/* In front of each piece; pieces are contiguous. */
typedef union head {
    struct {
        size_t bytes; /* of the piece, a multiple of the head's size */
        int is_free;
    } of;
    max_align_t align;
} head;

static head *head_at(const memory_arena *arena, size_t at)
{
    return (head *)(void *)(arena->block + at);
}

static size_t rounded(size_t bytes)
{
    return (bytes + sizeof(head) - 1) / sizeof(head) * sizeof(head);
}

/* Merges the piece at `at` with the free ones behind.  Returns the end. */
static size_t join(const memory_arena *arena, size_t at)
{
    head *h = head_at(arena, at);
    size_t end = at + sizeof(head) + h->of.bytes;
    while (end < arena->used && head_at(arena, end)->of.is_free)
        end += sizeof(head) + head_at(arena, end)->of.bytes;
    h->of.bytes = end - at - sizeof(head);
    return end;
}

/* Shortens the piece to `bytes`; the rest becomes a free piece. */
static void split(head *h, size_t bytes)
{
    if (h->of.bytes == bytes) return;
    head *rest = h + 1 + bytes / sizeof(head);
    rest->of.bytes = h->of.bytes - bytes - sizeof(head);
    rest->of.is_free = 1;
    h->of.bytes = bytes;
}

/* The first free piece of `bytes` at least, otherwise the end of the last piece in use. */
static size_t find(memory_arena *arena, size_t bytes)
{
    for (size_t at = arena->begin; at < arena->used;) {
        const head *h = head_at(arena, at);
        size_t end = h->of.is_free ? join(arena, at) : at + sizeof(head) + h->of.bytes;
        if (h->of.is_free && end == arena->used) arena->used = at;
        if (h->of.is_free && h->of.bytes >= bytes) return at;
        at = end;
    }
    return arena->used;
}

/* Places the last piece at `at`, with `bytes`.  0: no room. */
static int put_last(memory_arena *arena, size_t at, size_t bytes)
{
    size_t room = arena->size - at;
    if (room < sizeof(head) || bytes > room - sizeof(head)) return 0;
    head_at(arena, at)->of.bytes = bytes;
    arena->used = at + sizeof(head) + bytes;
    return 1;
}

static void *take(void *user, size_t bytes)
{
    memory_arena *arena = user;
    if (bytes > arena->size) return NULL;
    bytes = rounded(bytes);
    size_t at = find(arena, bytes);
    head *h = head_at(arena, at);
    if (at < arena->used)
        split(h, bytes);
    else if (!put_last(arena, at, bytes))
        return NULL;
    h->of.is_free = 0;
    return h + 1;
}

static void give_back(void *user, void *block)
{
    (void)user;
    ((head *)block - 1)->of.is_free = 1;
}

/* In place if the piece is the last one, or if the free room behind is enough. */
static void *resize(void *user, void *block, size_t bytes)
{
    memory_arena *arena = user;
    head *h = (head *)block - 1;
    size_t before = h->of.bytes;
    if (bytes <= before) return block;
    if (bytes > arena->size) return NULL;
    size_t wanted = rounded(bytes);
    size_t at = (size_t)((char *)h - arena->block);
    int is_last = join(arena, at) == arena->used;
    if (is_last && put_last(arena, at, wanted)) return block;
    int fits = h->of.bytes >= wanted;
    split(h, fits ? wanted : before);
    if (fits) return block;
    void *grown = take(user, bytes);
    if (!grown) return NULL;
    memcpy(grown, block, before);
    give_back(user, block);
    return grown;
}

/* Half-built ones are fine. */
static void arena_clear(memory_arena *arena)
{
    saddle_release(arena->owner, arena->block);
    memset(arena, 0, sizeof *arena);
}

/* bytes: of the block.  The arena must stay at its address.  SADDLE_OUT_OF_MEMORY. */
static saddle_status arena_create(saddle_context *owner, int64_t bytes, memory_arena *arena)
{
    memory_arena fresh = {.owner = owner,
                          .size = (size_t)bytes + sizeof(saddle_context) + 8 * sizeof(head)};
    *arena = fresh;
    arena->block = saddle__allocate_unset(owner, (int64_t)fresh.size, 1);
    if (!arena->block) return SADDLE_OUT_OF_MEMORY;
    uintptr_t off = (uintptr_t)arena->block % sizeof(head);
    arena->begin = arena->used = (sizeof(head) - off) % sizeof(head);
    saddle_context_options options = saddle_context_options_default();
    saddle_allocator allocator = {.allocate = take,
                                  .reallocate = resize,
                                  .release = give_back,
                                  .user = arena};
    options.allocator = allocator;
    saddle_status status = saddle_context_create(&options, &arena->context);
    arena->empty = arena->used;
    if (status != SADDLE_OK) arena_clear(arena);
    return status;
}

/* All pieces become invalid. */
static void arena_empty(memory_arena *arena)
{
    arena->used = arena->empty;
}

/* ---- parts ---- */

struct saddle__part {
    saddle_context *context;
    int64_t n;
    saddle__ldlt_request request;
    saddle__ldlt *whole;
    saddle__layout layout;             /* of value, or of all arrays */
    double *value;                     /* entries: values of the matrix being factored */
    int may_part;                      /* parts are looked for at all */
    saddle__ldlt *own;                 /* of A_SS, in the arena; or NULL */
    enum { NOTHING, WHOLE, OWN } held; /* the factor in use; NOTHING: F is empty */
    memory_arena arena;
    saddle_matrix S; /* A_SS' pattern, in the arrays below */
    int64_t *start;  /* n + 1 */
    int64_t *index;  /* entries + 1 */
    int32_t *source; /* entries + 1: the entry of A beside its diagonal; undefined on S' diagonal */
    int32_t *node;   /* n: the rows in S */
    int32_t *number; /* n: in S, or -1 */
    signed char *there; /* n: nodes of S with entries in value; others are masked */
    double *scale;      /* n: of S */
    double *x;          /* n */
    int64_t most;       /* rows of S below which an attempt is made */
    saddle__part_counts counts;
};

void saddle__part_free(saddle__part *p)
{
    if (!p) return;
    if (p->may_part) {
        saddle__ldlt_free(p->own);
        arena_clear(&p->arena);
    }
    saddle__ldlt_free(p->whole);
    saddle__layout_clear(p->context, &p->layout);
    saddle_release(p->context, p);
}

/* ---- create ---- */

static int may_pay(const saddle__part *p, int64_t entries)
{
    int sparse = p->request.ordering == SADDLE_ORDERING_BEST ||
                 p->request.ordering == SADDLE_ORDERING_AMD;
    return sparse && entries <= INT32_MAX / 2 &&
           (double)p->whole->size.entries > entries_to_try * (double)p->n;
}

static saddle_status fill_in(saddle__part *p, const saddle_matrix *A)
{
    int64_t n = p->n;
    int64_t entries = saddle_matrix_entries(A);
    SADDLE__TRY(saddle__ldlt_analyse(p->context, A, &p->request, &p->whole));
    p->may_part = may_pay(p, entries);
    enum { OF_WHOLE = 2 };
    const saddle__array arrays[] = {SADDLE__ARRAY(p->value, entries),
                                    SADDLE__ARRAY(p->x, n),
                                    SADDLE__ARRAY(p->start, n + 1),
                                    SADDLE__ARRAY(p->index, entries + 1),
                                    SADDLE__ARRAY(p->source, entries + 1),
                                    SADDLE__ARRAY(p->node, n),
                                    SADDLE__ARRAY(p->number, n),
                                    SADDLE__ARRAY(p->there, n),
                                    SADDLE__ARRAY(p->scale, n)};
    SADDLE__TRY(saddle__layout_make(p->context, &p->layout, arrays,
                                    p->may_part ? SADDLE__LENGTH(arrays) : OF_WHOLE));
    int64_t bytes = BYTES_A_ROW * n + BYTES_AN_ENTRY * entries;
    return p->may_part ? arena_create(p->context, bytes, &p->arena) : SADDLE_OK;
}

saddle_status saddle__part_create(saddle_context *context, const saddle_matrix *A,
                                  const saddle__ldlt_request *request, saddle__part **part)
{
    *part = NULL;
    saddle__part *p = saddle_allocate(context, 1, sizeof *p);
    if (!p) return SADDLE_OUT_OF_MEMORY;
    p->context = context;
    p->n = A->cols;
    p->request = *request;
    p->most = INT64_MAX;
    saddle_status status = fill_in(p, A);
    if (status != SADDLE_OK) {
        saddle__part_free(p);
        return status;
    }
    *part = p;
    return SADDLE_OK;
}

/* ---- all of A, masked ---- */

static saddle_status factor_whole(saddle__part *p, const saddle__part_values *A,
                                  const signed char *in, const saddle__pivot_rule *rule)
{
    const saddle__full_csr *rows = A->beside;
    int64_t count = 0;
    for (int64_t j = 0; j < p->n; j++) {
        p->value[count++] = in[j] ? A->diagonal[j] : rule->scale[j];
        for (int64_t k = rows->start[j]; k < rows->start[j + 1]; k++)
            if (rows->column[k] > j)
                p->value[count++] = in[j] && in[rows->column[k]] ? rows->value[k] : 0.0;
    }
    saddle_matrix masked = {.value = p->value};
    p->held = WHOLE;
    return saddle__ldlt_factor(p->whole, &masked, rule, &p->counts.factor);
}

/* ---- a part of A ---- */

/* Whether S holds all rows of F, the rows of `in`. */
static int is_within(const saddle__part *p, const signed char *in)
{
    int outside = !p->own;
    for (int64_t i = 0; p->own && i < p->n; i++) outside |= (in[i] != 0) & (p->number[i] < 0);
    return !outside;
}

/* S <- F */
static void choose_rows(saddle__part *p, const signed char *in)
{
    int64_t count = 0;
    for (int64_t i = 0; i < p->n; i++) {
        p->number[i] = in[i] ? (int32_t)count : -1;
        if (in[i]) p->node[count++] = (int32_t)i;
    }
    p->S.rows = p->S.cols = count;
}

static void list_entries(saddle__part *p, const saddle__full_csr *rows)
{
    int64_t count = 0;
    for (int64_t s = 0; s < p->S.cols; s++) {
        int64_t j = p->node[s];
        p->index[count++] = s;
        for (int64_t k = rows->start[j]; k < rows->start[j + 1]; k++) { /* no branch, as above */
            int32_t number = p->number[rows->column[k]];
            p->index[count] = number;
            p->source[count] = (int32_t)k;
            count += (rows->column[k] > j) & (number >= 0);
        }
        p->start[s + 1] = count;
    }
    p->S.symmetry = SADDLE_SYMMETRY_LOWER;
    p->S.start = p->start;
    p->S.index = p->index;
    p->S.value = p->value;
}

/* Analyses p->own for F; NULL where the factor is not sparse enough. */
static void analyse_part(saddle__part *p, const saddle__full_csr *rows, const signed char *in)
{
    saddle__ldlt_free(p->own);
    arena_empty(&p->arena);
    p->own = NULL;
    choose_rows(p, in);
    if (p->S.cols == 0 || p->S.cols > p->most) return;
    list_entries(p, rows);
    saddle__ldlt_request request = {.very_sparse = 1, .threads = p->request.threads};
    saddle_status status = saddle__ldlt_analyse(p->arena.context, &p->S, &request, &p->own);
    p->counts.analyses++;
    double all = (double)p->whole->size.entries;
    if (status == SADDLE_OK && (double)p->own->size.entries < worth * all) return;
    saddle__ldlt_free(p->own);
    p->own = NULL;
    p->most = (int64_t)(smaller * (double)p->S.cols);
}

static void write_values(saddle__part *p, const saddle__part_values *A, const signed char *in,
                         const saddle__pivot_rule *rule)
{
    const double *value = A->beside->value;
    for (int64_t s = 0; s < p->S.cols; s++) {
        p->scale[s] = rule->scale[p->node[s]];
        p->there[s] = in[p->node[s]] != 0;
    }
    for (int64_t s = 0; s < p->S.cols; s++) {
        int64_t k = p->start[s];
        p->value[k] = p->there[s] ? A->diagonal[p->node[s]] : p->scale[s];
        for (k++; k < p->start[s + 1]; k++)
            p->value[k] = p->there[s] & p->there[p->index[k]] ? value[p->source[k]] : 0.0;
    }
}

static saddle_status factor_part(saddle__part *p, const saddle__part_values *A,
                                 const signed char *in, const saddle__pivot_rule *rule)
{
    saddle__factor_counts *counts = &p->counts.factor;
    saddle__pivot_rule own = *rule;
    write_values(p, A, in, rule);
    own.scale = p->scale;
    p->counts.parts++;
    p->held = OWN;
    saddle_status status = saddle__ldlt_factor(p->own, &p->S, &own, counts);
    if (counts->failed_column >= 0) counts->failed_column = p->node[counts->failed_column];
    if (status == SADDLE_SINGULAR)
        return saddle_fail(p->context, status, "%s", saddle_context_message(p->arena.context));
    return status;
}

saddle_status saddle__part_factor(saddle__part *p, const saddle__part_values *A,
                                  const signed char *in, const saddle__pivot_rule *rule)
{
    p->counts.factorizations++;
    p->held = NOTHING;
    p->counts.factor = (saddle__factor_counts){.first_perturbed = -1,
                                               .failed_column = -1,
                                               .peak_bytes = p->counts.factor.peak_bytes,
                                               .least_pivot = 1.0};
    int64_t first = 0;
    while (first < p->n && !in[first]) first++;
    if (first == p->n) return SADDLE_OK;
    if (p->may_part && !is_within(p, in)) analyse_part(p, A->beside, in);
    return p->may_part && p->own ? factor_part(p, A, in, rule) : factor_whole(p, A, in, rule);
}

int saddle__part_solve(saddle__part *p, const signed char *in, double scale, const double *b,
                       double *x)
{
    int own = p->held == OWN;
    int64_t count = p->held == NOTHING ? 0 : own ? p->S.cols : p->n;
    for (int64_t s = 0; s < count; s++) { /* 0 for masked rows */
        int64_t i = own ? p->node[s] : s;
        p->x[s] = in[i] ? scale * b[i] : 0.0;
    }
    if (count > 0) saddle__ldlt_solve(own ? p->own : p->whole, SADDLE__LDLT_WHOLE, 1, p->x, count);
    if (!saddle__is_finite(p->x, count)) return 0;
    for (int64_t s = 0; s < count; s++) {
        int64_t i = own ? p->node[s] : s;
        x[i] = in[i] ? p->x[s] : x[i];
    }
    return 1;
}

saddle__part_counts saddle__part_counts_of(const saddle__part *p)
{
    return p->counts;
}
