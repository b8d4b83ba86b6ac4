/* SPDX-License-Identifier: MIT */
/* Eliminate or keep?  Elimination saves unknowns, but the mass of a component couples all active
 * velocities that the component follows; rows kept are unknowns of their own, without fill along a
 * tree.  Two trials, of all attachments without a wish:
 *
 *     all kept         maximal coordinates, sparse
 *     all eliminated   the dense J'M J of a tree (Sueda, Rigid Body Dynamics Notes, 2.6)
 *
 * Each trial is built and the engine analyses the order of the reduced problem; the trial with the
 * least work of a step is taken:
 *
 *     work = flops of the factor + 300 (its entries + entries of M' and J')
 *            + 120 sum width (width + entries of M)       over eliminated velocities, for Q'M Q
 *
 * The constants are the flops at 80 GF/s in the time of one access, fitted to `./dev bench
 * attachments --only choice`.  A trial is passed over where its last term alone is more work than
 * the best, and where the elimination overflows.
 */
#include <math.h>

#include "base/options_internal.h"
#include "elimination.h"
#include "factor/factorization.h"
#include "ldlt/tasks.h"
#include "problem/kkt.h"

enum {
    ENTRY_WORK = 300, /* flops in the time of an entry: factored; formed, checked, assembled */
    MAP_WORK = 120,   /* .. of a product in Q'M Q */
    BOUNDED_WORK = 10 /* solvers of bounded rows visit each row kept again and again */
};

typedef struct search {
    saddle_context *context;
    const saddle_attachments *graph;
    const saddle_problem *problem;
    int64_t threads;
    saddle__layout layout; /* of the arrays but root */
    int64_t *order;        /* components: masters first */
    signed char *fixed;    /* components: 1 kept, 0 eliminated, -1 free */
    int64_t *mass_entries; /* components: entries of M in its columns */
    signed char *trial;    /* components: 1 = kept */
    int64_t analyses;
    int64_t *begin, *end; /* components: its roots; begin = -1: itself alone */
    int64_t *mark;        /* components: last component with this root */
    int64_t *root;
    int64_t used, room; /* of root */
    double map_work;    /* of Q'M Q */
    saddle_elimination *best;
    double best_work;
} search;

static saddle_status make_arrays(saddle_context *context, search *s)
{
    int64_t count = s->graph->count;
    const saddle__array arrays[] = {SADDLE__ARRAY(s->order, count),
                                    SADDLE__ARRAY(s->fixed, count),
                                    SADDLE__ARRAY(s->mass_entries, count),
                                    SADDLE__ARRAY(s->trial, count),
                                    SADDLE__ARRAY(s->begin, count),
                                    SADDLE__ARRAY(s->end, count),
                                    SADDLE__ARRAY(s->mark, count)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

/* ---- one trial ---- */

/* Adds a new root of component c; width: of all its roots. */
static saddle_status follow(search *s, int64_t c, int64_t root, int64_t *width)
{
    const saddle__component *k = &s->graph->component[root];
    int64_t active = s->trial[root] ? k->size : k->size - saddle__bound_count(k);
    if (active == 0 || s->mark[root] == c) return SADDLE_OK;
    SADDLE__TRY(saddle__reserve(s->context, &s->root, &s->room, s->used + 1, sizeof *s->root));
    s->mark[root] = c;
    s->root[s->used++] = root;
    *width += active;
    return SADDLE_OK;
}

/* The roots of an eliminated c.  Active velocities of c itself are roots of its followers only. */
static saddle_status find_roots(search *s, int64_t c, int64_t *width)
{
    const saddle__attachment *a = s->graph->component[c].attachment;
    s->begin[c] = s->used;
    *width = 0;
    for (int64_t b = 0; b < a->block_count; b++) {
        int64_t j = a->master[b];
        if (s->begin[j] < 0) SADDLE__TRY(follow(s, c, j, width));
        for (int64_t r = s->begin[j]; r >= 0 && r < s->end[j]; r++)
            SADDLE__TRY(follow(s, c, s->root[r], width));
    }
    return SADDLE_OK;
}

/* Attachments without a wish are kept, or not; given up where map_work exceeds the best work. */
static saddle_status make_trial(search *s, int kept)
{
    s->used = 0;
    s->map_work = 0;
    for (int64_t c = 0; c < s->graph->count; c++) s->mark[c] = -1;
    for (int64_t o = 0; s->map_work <= s->best_work && o < s->graph->count; o++) {
        int64_t c = s->order[o];
        int64_t width = 0;
        s->begin[c] = s->end[c] = -1;
        s->trial[c] = s->fixed[c] == 1 || (kept && s->fixed[c] < 0);
        if (!s->graph->component[c].attachment || s->trial[c]) continue;
        SADDLE__TRY(find_roots(s, c, &width));
        int64_t rows = saddle__bound_count(&s->graph->component[c]);
        s->map_work += MAP_WORK * (double)width *
                       ((double)(rows * width) + (double)s->mass_entries[c]);
        SADDLE__TRY(follow(s, c, c, &width));
        s->end[c] = s->used;
    }
    return SADDLE_OK;
}

/* ---- its work ---- */

/* Constrained pivots as in the solver ldlt; returns 1 where all pivots of velocities are free. */
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
    saddle__eagerness eager = ready ? SADDLE__EAGER : SADDLE__PATIENT;
    saddle_status status = saddle__factorization_create(context, "ldlt", SADDLE_ORDERING_BEST, &F);
    if (status == SADDLE_OK) status = saddle__factorization_analyse_late(F, K, late, &eager);
    if (status == SADDLE_OK) {
        saddle__factor_counts counts = saddle__factorization_counts(F);
        *work = counts.flops + ENTRY_WORK * (double)counts.entries;
    }
    saddle__factorization_free(F);
    return status;
}

/* Flops of one factorization, with memory traffic.  The pattern of a general M counts as symmetric;
 * L U takes the flops of two L D L'. */
static saddle_status predict_problem(saddle_context *context, const saddle_problem *problem,
                                     double *work)
{
    saddle__kkt kkt = {0};
    saddle_matrix lower = {0};
    *work = 0;
    if (problem->n + problem->m == 0) return SADDLE_OK;
    signed char *late = saddle_allocate(context, problem->n + problem->m, sizeof *late);
    saddle_status status = late ? saddle__kkt_create(context, problem, 0, &kkt)
                                : SADDLE_OUT_OF_MEMORY;
    int general = kkt.K.symmetry == SADDLE_SYMMETRY_NONE;
    if (status == SADDLE_OK && general) status = saddle_matrix_lower(context, &kkt.K, &lower);
    if (status == SADDLE_OK)
        status = analyse(context, general ? &lower : &kkt.K, late, mark_late(problem, late), work);
    if (general) *work *= 2;
    saddle_release(context, late);
    saddle_matrix_clear(&lower);
    saddle__kkt_clear(&kkt);
    return status;
}

/* 1: the trial keeps an attachment without a wish. */
static int keeps_some(const search *s)
{
    for (int64_t c = 0; c < s->graph->count; c++)
        if (s->trial[c] && s->fixed[c] < 0) return 1;
    return 0;
}

/* *work of a step with the trial's elimination. */
static saddle_status predict(const search *s, const saddle_elimination *e, double *work)
{
    const saddle_problem *reduced = &e->reduced;
    saddle_status status = predict_problem(s->context, reduced, work);
    *work += s->map_work + ENTRY_WORK * (double)(saddle_matrix_entries(&reduced->M) +
                                                 saddle_matrix_entries(&reduced->Jt));
    if (saddle_problem_count_rows(s->problem).equality < s->problem->m && keeps_some(s))
        *work *= BOUNDED_WORK;
    return status;
}

/* ---- the choice ---- */

/* Builds a trial and keeps the elimination if its work is the least; *work: NAN where the trial is
 * passed over. */
static saddle_status judge(search *s, int kept, double *work)
{
    saddle_status status = make_trial(s, kept);
    *work = (double)NAN;
    if (status != SADDLE_OK || s->map_work > s->best_work) return status;
    saddle_elimination *e;
    status = saddle__elimination_build(s->context, s->graph, s->problem, s->trial, s->threads, &e);
    if (status == SADDLE_INVALID_PROBLEM) return SADDLE_OK; /* checked before: products overflow */
    if (status == SADDLE_OK) status = predict(s, e, work);
    if (status == SADDLE_OK) {
        s->analyses++;
        if (*work < s->best_work) {
            saddle_elimination *worse = s->best;
            s->best_work = *work;
            s->best = e;
            e = worse;
        }
    }
    saddle_elimination_free(e);
    return status;
}

static saddle_status try_both(search *s)
{
    double kept = (double)NAN;
    double eliminated = (double)NAN;
    saddle_status status = saddle__attachments_order(s->context, s->graph, s->order);
    const int64_t *start = s->problem->M.start;
    for (int64_t c = 0; start && c < s->graph->count; c++) {
        const saddle__component *k = &s->graph->component[c];
        s->mass_entries[c] = start[k->first + k->size] - start[k->first];
    }
    s->best_work = (double)INFINITY;
    if (status == SADDLE_OK) status = judge(s, 1, &kept);
    if (status == SADDLE_OK) status = judge(s, 0, &eliminated);
    if (status != SADDLE_OK || !s->best) return status;
    saddle_elimination_report *report = &s->best->report;
    report->work = s->best_work;
    report->work_kept = kept;
    report->work_eliminated = eliminated;
    report->analyses = s->analyses;
    return SADDLE_OK;
}

/* The elimination of least predicted work that the wishes allow. */
static saddle_status choose(saddle_context *context, const saddle_attachments *graph,
                            const saddle_problem *problem, saddle_wish wish,
                            const saddle_wish *each, int64_t threads,
                            saddle_elimination **elimination)
{
    search s = {.context = context, .graph = graph, .problem = problem, .threads = threads};
    int64_t free_count = 0;
    saddle_status status = make_arrays(context, &s);
    if (status != SADDLE_OK) return status;
    for (int64_t c = 0; c < graph->count; c++) {
        const saddle__component *k = &graph->component[c];
        saddle_wish own = each && each[c] != SADDLE_WISH_CHOOSE ? each[c] : wish;
        s.fixed[c] = (k->attachment || k->velocity) && own == SADDLE_WISH_KEEP;
        if (k->attachment && own == SADDLE_WISH_CHOOSE) s.fixed[c] = -1;
        free_count += s.fixed[c] < 0;
    }
    if (free_count > 0) status = try_both(&s);
    if (status == SADDLE_OK && !s.best) { /* no trial was taken: all but the wishes go */
        for (int64_t c = 0; c < graph->count; c++) s.trial[c] = s.fixed[c] == 1;
        status = saddle__elimination_build(context, graph, problem, s.trial, threads, &s.best);
    }
    if (status == SADDLE_OK)
        *elimination = s.best;
    else
        saddle_elimination_free(s.best);
    saddle_release(context, s.root);
    saddle__layout_clear(context, &s.layout);
    return status;
}

saddle_status saddle_elimination_create(saddle_context *context, const saddle_attachments *graph,
                                        const saddle_problem *problem, saddle_wish wish,
                                        const saddle_wish *each, const saddle_options *options,
                                        saddle_elimination **elimination)
{
    if (elimination) *elimination = NULL;
    SADDLE__RETURN_UNLESS(context, graph && problem && elimination,
                          "attachments, problem or elimination is NULL");
    saddle_options chosen;
    SADDLE__TRY(saddle__options_read(context, options, &chosen));
    if (problem->n != graph->n)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the problem has %lld velocities, the attachments' components %lld",
                           (long long)problem->n, (long long)graph->n);
    SADDLE__TRY(saddle_problem_check(context, problem, NULL, NULL));
    return choose(context, graph, problem, wish, each, saddle__tasks_threads(chosen.threads),
                  elimination);
}
