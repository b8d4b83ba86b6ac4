/* SPDX-License-Identifier: MIT */
/* The rank report: which rows of [J R] depend on which.
 *
 *     natural units -> rows freed by compliance, zero and parallel rows aside -> elimination of the
 *         others -> relations put
 *     in the rows' own order: a row is dependent exactly if it depends on those before it ->
 *         shorter combinations
 *
 * Chains and stacks are eliminated in their own order; where that fills in, in one of little fill;
 * where that does, by the engine. */
#include <math.h>
#include <stdlib.h>

#include "base/vector.h"
#include "rank/rank_internal.h"

/* What an elimination may cost in multiplications, so many and so many for each entry of [J R]: in
 * the rows' own order ... */
static const double few = 1e6;
static const double few_per_entry = 15.0;

/* ... and in one of little fill. */
static const double many = 1e8;
static const double many_per_entry = 300.0;

saddle_rank_options saddle_rank_options_default(void)
{
    saddle_rank_options options = {.tolerance = 1e-10};
    return options;
}

void saddle_rank_clear(saddle_rank *rank)
{
    if (!rank) return;
    saddle_release(rank->context, rank->independent);
    saddle_release(rank->context, rank->dependency);
    saddle_release(rank->context, rank->others);
    saddle_release(rank->context, rank->factors);
    saddle_rank empty = {0};
    *rank = empty;
}

/* ---- who depends on whom ---- */

static int depend_on_earlier(const saddle__relations *r)
{
    for (int64_t t = 0; t < r->count; t++)
        for (int64_t k = r->start[t]; k < r->start[t + 1]; k++)
            if (r->other[k] > r->row[t]) return 0;
    return 1;
}

/* The rows that relations have, ascending, into order; their number. */
static int64_t participants(const saddle__relations *r, int64_t rows, signed char *mark,
                            int64_t *order)
{
    int64_t count = 0;
    for (int64_t t = 0; t < r->count; t++) {
        mark[r->row[t]] = 1;
        for (int64_t k = r->start[t]; k < r->start[t + 1]; k++) mark[r->other[k]] = 1;
    }
    for (int64_t k = 0; k < rows; k++)
        if (mark[k]) order[count++] = k;
    return count;
}

/* found's relations give way to those of an elimination in the rows' own order, of the rows they
 * have, where it is not too dear. */
static saddle_status eliminate_participants(const saddle__scaled *s, double tolerance,
                                            int64_t *order, saddle__found *found)
{
    signed char *mark = saddle_allocate(s->context, s->count, sizeof(*mark));
    if (!mark) return SADDLE_OUT_OF_MEMORY;
    int64_t count = participants(&found->relations, s->count, mark, order);
    saddle_release(s->context, mark);
    saddle__found own = {.relations.context = s->context};
    double limit = found->work + many;
    saddle_status status = saddle__rank_eliminate(&s->Bt, tolerance, count, order, limit, &own);
    if (status == SADDLE_OK && own.finished && own.relations.count == found->relations.count) {
        saddle__relations first = found->relations;
        found->relations = own.relations;
        own.relations = first;
    }
    saddle__relations_clear(&own.relations);
    return status;
}

static int64_t open_rows(const saddle__scaled *s, int64_t *order)
{
    int64_t count = 0;
    for (int64_t k = 0; k < s->count; k++)
        if (s->state[k] == SADDLE__ROW_OPEN) order[count++] = k;
    return count;
}

/* found: by the first way that is not too dear. */
static saddle_status find_any(const saddle__scaled *s, double tolerance, int64_t *order,
                              saddle__found *found)
{
    double entries = (double)saddle_matrix_entries(&s->Bt);
    int64_t count = open_rows(s, order);
    saddle_status status = saddle__rank_eliminate(&s->Bt, tolerance, count, order,
                                                  few + few_per_entry * entries, found);
    if (status != SADDLE_OK || found->finished) return status;
    count = open_rows(s, order);
    status = saddle__rank_order(s->context, &s->Bt, count, order);
    if (status == SADDLE_OK)
        status = saddle__rank_eliminate(&s->Bt, tolerance, count, order,
                                        many + many_per_entry * entries, found);
    if (status == SADDLE_OK && !found->finished)
        status = saddle__rank_augmented(&s->Bt, tolerance, count, order, found);
    if (status == SADDLE_OK && !found->finished)
        status = saddle__rank_eliminate(&s->Bt, tolerance, count, order, (double)INFINITY, found);
    return status;
}

/* As they are, else shortened, which leaves less rounding, else from an elimination in the rows'
 * own order. */
static saddle_status put_in_order(const saddle__scaled *s, double tolerance, int64_t *order,
                                  saddle__found *found)
{
    saddle__relations *relations = &found->relations;
    saddle_status status = saddle__rank_put_in_order(&s->Bt, tolerance, relations);
    if (status != SADDLE_OK || depend_on_earlier(relations)) return status;
    status = saddle__rank_shorten(&s->Bt, tolerance, relations);
    if (status == SADDLE_OK) status = saddle__rank_put_in_order(&s->Bt, tolerance, relations);
    if (status == SADDLE_OK && !depend_on_earlier(relations))
        status = eliminate_participants(s, tolerance, order, found);
    return status;
}

static saddle_status eliminate(const saddle__scaled *s, double tolerance, saddle__found *found)
{
    int64_t *order = saddle_allocate(s->context, s->count, sizeof(*order));
    if (!order) return SADDLE_OUT_OF_MEMORY;
    saddle_status status = find_any(s, tolerance, order, found);
    int named = status == SADDLE_OK && !found->counting;
    if (named && !depend_on_earlier(&found->relations))
        status = put_in_order(s, tolerance, order, found);
    saddle_release(s->context, order);
    if (status == SADDLE_OK && named && found->relations.count > 1)
        status = saddle__rank_shorten(&s->Bt, tolerance, &found->relations);
    return status;
}

/* ---- the report ---- */

typedef struct term {
    int64_t row;
    double factor;
} term;

static int by_row(const void *a, const void *b)
{
    const term *x = a;
    const term *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

static int by_dependent_row(const void *a, const void *b)
{
    const saddle_dependency *x = a;
    const saddle_dependency *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

static saddle_status out_of_range(const saddle__scaled *s, int64_t row)
{
    return saddle_fail(s->context, SADDLE_INVALID_PROBLEM,
                       "rank: row %lld: no double holds the factors that it is combined with",
                       (long long)row + 1);
}

/* Relation t as a dependency of rows of the problem, its terms at `other` and `factor`; terms is
 * scratch. */
static saddle_dependency translate(const saddle__scaled *s, const saddle__relations *r, int64_t t,
                                   term *terms, int64_t *other, double *factor)
{
    int64_t from = r->start[t];
    int64_t k = r->row[t];
    saddle_dependency d = {.row = s->row[k],
                           .count = r->start[t + 1] - from,
                           .other = other,
                           .factor = factor,
                           .residual = r->residual[t]};
    for (int64_t i = 0; i < d.count; i++) {
        int64_t o = r->other[from + i];
        terms[i].row = s->row[o];
        terms[i].factor = r->factor[from + i] * (s->length[k] / s->length[o]);
    }
    if (d.count > 1) qsort(terms, (size_t)d.count, sizeof(*terms), by_row);
    for (int64_t i = 0; i < d.count; i++) {
        other[i] = terms[i].row;
        factor[i] = terms[i].factor;
    }
    return d;
}

static int64_t entries_of(const saddle__relations *r)
{
    return r->count > 0 ? r->start[r->count] : 0;
}

static saddle_status write_dependencies(const saddle__scaled *s, const saddle__relations *list[2],
                                        saddle_rank *rank)
{
    int64_t entries = entries_of(list[0]) + entries_of(list[1]);
    rank->dependency = saddle_allocate(s->context, rank->dependency_count,
                                       sizeof(*rank->dependency));
    rank->others = saddle_allocate(s->context, entries, sizeof(*rank->others));
    rank->factors = saddle_allocate(s->context, entries, sizeof(*rank->factors));
    term *terms = saddle_allocate(s->context, s->count, sizeof(*terms));
    int complete = rank->dependency && rank->others && rank->factors && terms;
    saddle_status status = complete ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    int64_t at = 0;
    int64_t count = 0;
    for (int l = 0; l < 2; l++) {
        for (int64_t t = 0; t < list[l]->count && status == SADDLE_OK; t++) {
            saddle_dependency *d = &rank->dependency[count++];
            *d = translate(s, list[l], t, terms, rank->others + at, rank->factors + at);
            if (!saddle__is_finite(d->factor, d->count)) status = out_of_range(s, d->row);
            at += d->count;
        }
    }
    if (count > 1)
        qsort(rank->dependency, (size_t)count, sizeof(*rank->dependency), by_dependent_row);
    saddle_release(s->context, terms);
    return status;
}

static saddle_status write_rank(const saddle__scaled *s, const saddle__relations *parallel,
                                const saddle__found *found, saddle_rank *rank)
{
    const saddle__relations *list[2] = {parallel, &found->relations};
    rank->examined = s->count;
    rank->dependency_count = list[0]->count + list[1]->count;
    rank->rank = s->count - rank->dependency_count;
    rank->separation = found->separation;
    if (found->counting) return SADDLE_OK;
    saddle_status status = write_dependencies(s, list, rank);
    if (status != SADDLE_OK) return status;
    rank->ordered = depend_on_earlier(&found->relations);
    rank->independent = saddle_allocate(s->context, rank->rank, sizeof(*rank->independent));
    if (!rank->independent) return SADDLE_OUT_OF_MEMORY;
    int64_t dependent = 0;
    int64_t count = 0;
    for (int64_t k = 0; k < s->count; k++) {
        if (dependent < rank->dependency_count && rank->dependency[dependent].row == s->row[k])
            dependent++;
        else
            rank->independent[count++] = s->row[k];
    }
    return SADDLE_OK;
}

saddle_status saddle_rank_find(saddle_context *context, const saddle_problem *problem,
                               const saddle_rank_options *options, saddle_rank *rank)
{
    saddle_context_clear_message(context);
    if (rank) *rank = (saddle_rank){0};
    if (!problem || !rank)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_rank_find: problem or rank is NULL");
    saddle_rank_options given = options ? *options : saddle_rank_options_default();
    saddle_rank fresh = {.context = context, .compliance_ignored = given.ignore_compliance};
    *rank = fresh;
    if (!(given.tolerance > 0.0 && given.tolerance < 1.0))
        return saddle_fail(
            context, SADDLE_INVALID_ARGUMENT,
            "rank: the tolerance is %g, not in (0, 1): start from saddle_rank_options_default()",
            given.tolerance);
    saddle__scaled scaled;
    saddle__relations parallel = {.context = context};
    saddle__found found = {.relations.context = context, .counting = given.count_only};
    saddle_status status = saddle__scaled_make(context, problem, &given, &scaled);
    if (status == SADDLE_OK) status = saddle__scaled_release(&scaled, problem->n);
    if (status == SADDLE_OK) status = saddle__rank_parallel(&scaled, &parallel);
    if (status == SADDLE_OK) status = eliminate(&scaled, given.tolerance, &found);
    if (status == SADDLE_OK) status = write_rank(&scaled, &parallel, &found, rank);
    if (status == SADDLE_OK && !given.count_only)
        status = saddle__rank_judge(context, problem, given.tolerance, rank);
    saddle__relations_clear(&parallel);
    saddle__relations_clear(&found.relations);
    saddle__scaled_clear(&scaled);
    if (status != SADDLE_OK) saddle_rank_clear(rank);
    return status;
}
