/* SPDX-License-Identifier: MIT */
/* Eliminate or keep? Elimination saves unknowns, but all active velocities that one component
 * follows are coupled by its mass; rows cost unknowns of their own, but no fill along a tree.  So
 * what is tried is, for a few limits, to keep an attachment where it would follow more active
 * velocities than that, masters kept before counting as active ones:
 *
 *     -1              all kept: maximal coordinates, sparse
 *     6, 12, .., 96   pieces of bounded width: a chain costs the same for each link
 *     none            all eliminated: the dense J'M J of a tree (seed 003, 2.6)
 *
 * Each trial is planned and the engine analyses the order of what is left; the least work of a step
 * is taken:
 *
 *     work = flops of the factor + 300 (its entries) + 400 (entries of M' and J') + 120 sum width
 *         (width + entries of M)
 *
 * the last over eliminated velocities, for M' = Q'M Q.  The constants say how many flops at 80 GF/s
 * go by meanwhile; fitted to `./dev bench attachments --only choice`.  A trial is passed over where
 * it is one of those before, where its last term, or the clique that a component with mass makes of
 * what it follows, is more work than the best, where the map would be many times the problem, and
 * where eliminating overflows.
 */
#include "choose.h"

#include <math.h>
#include <string.h>

#include "factor/factorization.h"
#include "keep.h"
#include "problem/kkt.h"

static const int64_t limits[] = {-1, 6, 12, 24, 48, 96, INT64_MAX};

enum {
    LIMITS = sizeof limits / sizeof *limits,
    MAP_FACTOR = 16,   /* a map with that many times the problem's entries is not tried */
    FACTOR_WORK = 300, /* flops in the time of an entry of a factor */
    MATRIX_WORK = 400, /* .. of an entry of M' or J': formed, checked, assembled */
    MAP_WORK = 120,    /* .. of a product in Q'M Q */
    BOUNDED_WORK = 10 /* where rows are bounded, their solvers meet each row kept again and again */
};

typedef struct search {
    saddle_context *context;
    const saddle_attachments *graph;
    const saddle_problem *problem;
    int64_t *order;        /* components: masters first */
    signed char *fixed;    /* components: 1 kept, 0 eliminated, -1 free */
    int64_t *mass_entries; /* components: entries of M in its columns */
    signed char *massive;  /* components: the mass matrix has a diagonal there */
    signed char *trial;    /* components: keep of this one .. */
    signed char *tried;    /* .. and LIMITS x components: of those before */
    double work[LIMITS];   /* predicted of those before */
    int64_t tried_count;
    int64_t *begin, *end; /* components: its roots; begin = -1: itself alone */
    int64_t *mark;        /* components: whose root it was last */
    int64_t *root;
    int64_t used, room, most; /* of root; most: where a trial is given up */
    double map_work;          /* of Q'M Q */
    int64_t clique;           /* most active velocities that a massive component couples */
} search;

static void clear(search *s)
{
    void *const held[] = {s->order, s->fixed, s->massive, s->mass_entries, s->trial,
                          s->tried, s->begin, s->end,     s->mark,         s->root};
    for (size_t i = 0; i < sizeof held / sizeof *held; i++) saddle_release(s->context, held[i]);
}

static saddle_status begin_search(search *s)
{
    int64_t count = s->graph->count;
    s->order = saddle_allocate(s->context, count, sizeof *s->order);
    s->massive = saddle_allocate(s->context, count, sizeof *s->massive);
    s->mass_entries = saddle_allocate(s->context, count, sizeof *s->mass_entries);
    s->trial = saddle_allocate(s->context, count, sizeof *s->trial);
    s->tried = saddle_allocate(s->context, count, LIMITS * sizeof *s->tried);
    s->begin = saddle_allocate(s->context, count, sizeof *s->begin);
    s->end = saddle_allocate(s->context, count, sizeof *s->end);
    s->mark = saddle_allocate(s->context, count, sizeof *s->mark);
    if (!s->order || !s->massive || !s->mass_entries || !s->trial || !s->tried || !s->begin ||
        !s->end || !s->mark)
        return SADDLE_OUT_OF_MEMORY;
    int64_t entries = s->problem->n + saddle_matrix_entries(&s->problem->M) +
                      saddle_matrix_entries(&s->problem->Jt);
    for (int64_t c = 0; c < count; c++) {
        const saddle__component *k = &s->graph->component[c];
        if (k->attachment) entries += k->attachment->entries;
        if (k->size > 0 && s->problem->M.start)
            s->mass_entries[c] = s->problem->M.start[k->first + k->size] -
                                 s->problem->M.start[k->first];
        for (int64_t i = 0; i < k->size; i++)
            s->massive[c] |= saddle_matrix_entry(&s->problem->M, k->first + i, k->first + i) != 0;
    }
    s->most = MAP_FACTOR * entries;
    return saddle_attachments_order(s->graph, s->order);
}

/* ---- one trial ---- */

static int64_t active_of(const search *s, int64_t c)
{
    const saddle__component *k = &s->graph->component[c];
    return s->trial[c] ? k->size : k->size - saddle__component_bound(k);
}

static saddle_status add_root(search *s, int64_t root)
{
    if (s->used == s->room) {
        int64_t room = 2 * s->room + 1024;
        int64_t *moved = saddle_reallocate(s->context, s->root, room, sizeof *moved);
        if (!moved) return SADDLE_OUT_OF_MEMORY;
        s->root = moved;
        s->room = room;
    }
    s->root[s->used++] = root;
    return SADDLE_OK;
}

/* A root, where component c has it not yet; width: of all it has. */
static saddle_status follow(search *s, int64_t c, int64_t root, int64_t *width)
{
    int64_t active = active_of(s, root);
    if (active == 0 || s->mark[root] == c) return SADDLE_OK;
    s->mark[root] = c;
    *width += active;
    return add_root(s, root);
}

/* The roots of c if it is eliminated; an own active part of it is among those of its followers. */
static saddle_status find_roots(search *s, int64_t c, int64_t *width)
{
    const saddle__attachment *a = s->graph->component[c].attachment;
    saddle_status status = SADDLE_OK;
    s->begin[c] = s->used;
    *width = 0;
    for (int64_t b = 0; status == SADDLE_OK && b < a->block_count; b++) {
        int64_t j = a->master[b];
        if (s->begin[j] < 0) status = follow(s, c, j, width);
        for (int64_t r = s->begin[j]; status == SADDLE_OK && r >= 0 && r < s->end[j]; r++)
            status = follow(s, c, s->root[r], width);
    }
    return status;
}

/* trial for a limit; *possible: 0 where it was given up. */
static saddle_status try_limit(search *s, int64_t limit, int *possible)
{
    saddle_status status = SADDLE_OK;
    s->used = s->clique = 0;
    s->map_work = 0;
    *possible = 1;
    for (int64_t c = 0; c < s->graph->count; c++) s->mark[c] = -1;
    for (int64_t o = 0; status == SADDLE_OK && *possible && o < s->graph->count; o++) {
        int64_t c = s->order[o];
        int64_t width = 0;
        s->begin[c] = s->end[c] = -1;
        s->trial[c] = s->fixed[c] == 1;
        if (!s->graph->component[c].attachment || s->trial[c]) continue;
        status = find_roots(s, c, &width);
        if (s->fixed[c] < 0 && width > limit) {
            s->used = s->begin[c];
            s->begin[c] = -1;
            s->trial[c] = 1;
            continue;
        }
        if (s->massive[c] && width > s->clique) s->clique = width;
        int64_t rows = saddle__component_bound(&s->graph->component[c]);
        s->map_work += MAP_WORK * (double)width *
                       ((double)(rows * width) + (double)s->mass_entries[c]);
        if (status == SADDLE_OK) status = follow(s, c, c, &width);
        s->end[c] = s->used;
        *possible = s->used <= s->most;
    }
    return status;
}

/* The trial before that was this one; -1 = none. */
static int64_t find_tried(const search *s)
{
    size_t count = (size_t)s->graph->count;
    for (int64_t t = 0; t < s->tried_count; t++)
        if (memcmp(s->tried + (size_t)t * count, s->trial, count) == 0) return t;
    return -1;
}

/* ---- its work ---- */

/* The pattern that a symmetric analysis sees of a general K: that of K + K'. */
static saddle_status make_symmetric(saddle_context *context, saddle_matrix *K)
{
    saddle_matrix transpose = {0};
    saddle_matrix sum = {0};
    saddle_matrix lower = {0};
    saddle_status status = saddle_matrix_transpose(context, K, &transpose);
    if (status == SADDLE_OK) status = saddle_matrix_add(context, 1, K, 1, &transpose, &sum);
    if (status == SADDLE_OK) status = saddle_matrix_lower(context, &sum, &lower);
    saddle_matrix_clear(&transpose);
    saddle_matrix_clear(&sum);
    *K = lower;
    return status;
}

/* Which pivots must wait for a neighbour, as the solver has it; returns whether none of a velocity
 * must. */
static int mark_late(const saddle_problem *problem, signed char *late)
{
    int ready = 1;
    for (int64_t j = 0; j < problem->n; j++) {
        late[j] = saddle_matrix_entry(&problem->M, j, j) > 0 ? SADDLE__ANY_TIME
                                                             : SADDLE__AFTER_NEIGHBOUR;
        ready = ready && late[j] == SADDLE__ANY_TIME;
    }
    for (int64_t i = 0; i < problem->m; i++) {
        int compliant = problem->R.rows > 0 && saddle_matrix_entry(&problem->R, i, i) > 0;
        late[problem->n + i] = compliant ? SADDLE__ANY_TIME : SADDLE__AFTER_OTHER_KIND;
    }
    return ready;
}

static saddle_status analyse(saddle_context *context, const saddle_matrix *K,
                             const signed char *late, int ready, double *work)
{
    saddle__factorization *F = NULL;
    saddle_status status = saddle__factorization_create(context, "ldlt", SADDLE_ORDERING_BEST, &F);
    if (status == SADDLE_OK)
        status = saddle__factorization_analyse_late(F, K, late,
                                                    ready ? SADDLE__EAGER : SADDLE__PATIENT);
    if (status == SADDLE_OK) {
        saddle__factor_counts counts = saddle__factorization_counts(F);
        *work = counts.flops + FACTOR_WORK * (double)counts.entries;
    }
    saddle__factorization_free(F);
    return status;
}

/* Flops of one factorization, with what goes through memory; L U of a general matrix takes two of L
 * D L'. */
static saddle_status predict_problem(saddle_context *context, const saddle_problem *problem,
                                     double *work)
{
    saddle__kkt kkt = {0};
    saddle_matrix symmetric = {0};
    *work = 0;
    if (problem->n + problem->m == 0) return SADDLE_OK;
    signed char *late = saddle_allocate(context, problem->n + problem->m, sizeof *late);
    saddle_status status = late ? saddle__kkt_create(context, problem, 0, &kkt)
                                : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        int general = kkt.K.symmetry == SADDLE_GENERAL;
        int ready = mark_late(problem, late);
        symmetric = kkt.K;
        if (general) status = make_symmetric(context, &symmetric);
        if (status == SADDLE_OK) status = analyse(context, &symmetric, late, ready, work);
        if (general) {
            saddle_matrix_clear(&symmetric);
            *work *= 2;
        }
    }
    saddle_release(context, late);
    saddle__kkt_clear(&kkt);
    return status;
}

/* Whether the trial keeps what it was free to eliminate. */
static int keeps_some(const search *s)
{
    for (int64_t c = 0; c < s->graph->count; c++)
        if (s->trial[c] && s->fixed[c] < 0) return 1;
    return 0;
}

static saddle_status predict(search *s, double *work)
{
    saddle__kept kept = {0};
    saddle_attachments *rest = NULL;
    saddle_reduction *reduction = NULL;
    saddle_status status = saddle__kept_create(s->context, s->graph, s->trial, s->problem, &kept);
    if (status == SADDLE_OK) status = saddle__rest_create(s->context, s->graph, s->trial, &rest);
    if (status == SADDLE_OK)
        status = saddle_reduction_create(s->context, rest, &kept.problem, NULL, &reduction);
    if (status == SADDLE_OK) status = saddle_reduction_form(reduction, rest, &kept.problem);
    if (status == SADDLE_OK) {
        const saddle_problem *reduced = saddle_reduction_problem(reduction);
        status = predict_problem(s->context, reduced, work);
        *work += MATRIX_WORK *
                 (double)(saddle_matrix_entries(&reduced->M) + saddle_matrix_entries(&reduced->Jt));
        *work += s->map_work;
        if (saddle_problem_count_rows(s->problem).equality < s->problem->m && keeps_some(s))
            *work *= BOUNDED_WORK;
    }
    saddle_reduction_free(reduction);
    saddle_attachments_free(rest);
    saddle__kept_clear(s->context, &kept);
    return status;
}

/* ---- the choice ---- */

/* The work of a trial, NAN where it is passed over; keep and best follow the least. */
static saddle_status judge(search *s, int64_t limit, signed char *keep, double *best, double *work)
{
    size_t count = (size_t)s->graph->count;
    int possible;
    *work = (double)NAN;
    saddle_status status = try_limit(s, limit, &possible);
    double clique = (double)s->clique;
    if (status != SADDLE_OK || !possible || clique * clique * clique / 3 > *best ||
        s->map_work > *best)
        return status;
    int64_t before = find_tried(s);
    if (before >= 0) {
        *work = s->work[before];
        return SADDLE_OK;
    }
    status = predict(s, work);
    if (status == SADDLE_INVALID_PROBLEM) { /* the problem is sound: its products overflow */
        *work = (double)NAN;
        return SADDLE_OK;
    }
    if (status != SADDLE_OK) return status;
    memcpy(s->tried + (size_t)s->tried_count * count, s->trial, count);
    s->work[s->tried_count++] = *work;
    if (!(*work < *best)) return SADDLE_OK;
    *best = *work;
    memcpy(keep, s->trial, count);
    return SADDLE_OK;
}

static saddle_status try_all(search *s, signed char *keep, saddle_elimination_report *report)
{
    saddle_status status = SADDLE_OK;
    double work = (double)NAN;
    report->work = (double)INFINITY;
    for (int l = 0; status == SADDLE_OK && l < LIMITS; l++) {
        status = judge(s, limits[l], keep, &report->work, &work);
        if (l == 0) report->work_kept = work;
    }
    report->work_eliminated = work;
    report->analyses = s->tried_count;
    return status;
}

saddle_status saddle__choose(saddle_context *context, const saddle_attachments *graph,
                             const saddle_problem *problem, saddle_elimination_wish wish,
                             const saddle_elimination_wish *each, signed char *keep,
                             saddle_elimination_report *report)
{
    search s = {.context = context, .graph = graph, .problem = problem};
    int64_t free_count = 0;
    s.fixed = saddle_allocate(context, graph->count, sizeof *s.fixed);
    if (!s.fixed) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        saddle_elimination_wish own = each && each[c] != SADDLE_CHOOSE ? each[c] : wish;
        keep[c] = (k->attachment || k->velocity) && own == SADDLE_KEEP;
        s.fixed[c] = keep[c];
        if (k->attachment && own == SADDLE_CHOOSE) s.fixed[c] = -1;
        free_count += s.fixed[c] < 0;
    }
    saddle_status status = SADDLE_OK;
    if (free_count > 0) {
        status = begin_search(&s);
        if (status == SADDLE_OK) status = try_all(&s, keep, report);
    }
    clear(&s);
    return status;
}
