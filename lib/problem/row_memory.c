/* SPDX-License-Identifier: MIT */
/* See row_memory.h and saddle/warm_start.h. */
#include "problem/row_memory.h"

#include <math.h>
#include <string.h>

#include "base/unset.h"
#include "saddle/warm_start.h"

enum { AT_LO = -1, BETWEEN, AT_HI };
enum { NO_CONTACT = -1 };

void saddle__row_memory_clear(saddle__row_memory *s)
{
    void *arrays[] = {s->slot, s->id, s->lambda, s->side, s->place, s->size, s->mu};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        saddle_release(s->context, arrays[k]);
    saddle__row_memory none = {.context = s->context};
    *s = none;
}

/* ---- from id to row ---- */

/* Where the search for an id begins (the odd constant is 2^64 / golden ratio). */
static int64_t first_slot(const saddle__row_memory *s, int64_t id)
{
    uint64_t print = (uint64_t)id * UINT64_C(0x9E3779B97F4A7C15);
    print ^= print >> 32;
    return (int64_t)(print & (uint64_t)(s->slots - 1));
}

/* The slot of an id, or the empty slot for a new id. */
static int64_t find_slot(const saddle__row_memory *s, int64_t id)
{
    int64_t k = first_slot(s, id);
    while (s->slot[k] >= 0 && s->id[s->slot[k]] != id) k = (k + 1) & (s->slots - 1);
    return k;
}

/* The row with this id in the memory; -1 = none.  row: the present row of the id, tried first
 * since most rows keep their place from step to step. */
static int64_t find_row(const saddle__row_memory *s, int64_t id, int64_t row)
{
    if (s->distinct && row < s->count && s->id[row] == id) return row;
    return s->count > 0 ? s->slot[find_slot(s, id)] : -1;
}

static void fill_slots(saddle__row_memory *s)
{
    for (int64_t k = 0; k < s->slots; k++) s->slot[k] = -1;
    s->distinct = 1;
    for (int64_t i = 0; i < s->count; i++) {
        int64_t k = find_slot(s, s->id[i]);
        if (s->slot[k] < 0)
            s->slot[k] = i;
        else
            s->distinct = 0;
    }
}

/* ---- room ---- */

saddle_status saddle__row_memory_reserve(saddle__row_memory *s, int64_t rows)
{
    if (rows <= s->capacity) return SADDLE_OK;
    if (rows > INT64_MAX / 8)
        return saddle_fail(s->context, SADDLE_TOO_LARGE, "%lld rows", (long long)rows);
    int64_t capacity = rows + rows / 2;
    int64_t slots = 1;
    while (slots < 2 * capacity) slots *= 2;
    struct {
        void *array;
        int64_t count;
        size_t size;
    } arrays[] = {
        {&s->id, capacity, sizeof *s->id},     {&s->lambda, capacity, sizeof *s->lambda},
        {&s->side, capacity, sizeof *s->side}, {&s->place, capacity, sizeof *s->place},
        {&s->size, capacity, sizeof *s->size}, {&s->mu, capacity, sizeof *s->mu},
        {&s->slot, slots, sizeof *s->slot},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        saddle_status status = saddle__grow(s->context, arrays[k].array, arrays[k].count,
                                            arrays[k].size);
        if (status != SADDLE_OK) return status;
    }
    s->capacity = capacity;
    s->slots = slots;
    fill_slots(s);
    return SADDLE_OK;
}

/* ---- keeping ---- */

static signed char side_of(const saddle_problem *problem, int64_t row, double lambda)
{
    if (lambda <= saddle_problem_lo(problem, row)) return AT_LO;
    return lambda >= saddle_problem_hi(problem, row) ? AT_HI : BETWEEN;
}

void saddle__row_memory_keep(saddle__row_memory *s, const saddle_problem *problem,
                             const double *lambda)
{
    const int64_t known = s->count;
    s->count = problem->row_id && problem->m <= s->capacity ? problem->m : 0;
    int others = s->count != known;
    for (int64_t i = 0; i < s->count; i++) {
        others |= s->id[i] != problem->row_id[i];
        s->id[i] = problem->row_id[i];
        s->lambda[i] = lambda[i];
        s->side[i] = side_of(problem, i, lambda[i]);
        s->place[i] = NO_CONTACT;
    }
    for (int64_t c = 0; s->count > 0 && c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        for (int64_t k = 0; k < contact->size; k++) {
            s->place[contact->row + k] = (signed char)k;
            s->size[contact->row + k] = (signed char)contact->size;
            s->mu[contact->row + k] = contact->mu;
        }
    }
    if (s->count > 0 && others) fill_slots(s);
}

/* ---- recalling ---- */

/* A row outside contacts, row k of the memory: at the same bound as before, or the old impulse
 * within the bounds. */
static double recall_row(const saddle__row_memory *s, const saddle_problem *problem, int64_t row,
                         int64_t k)
{
    double lo = saddle_problem_lo(problem, row);
    double hi = saddle_problem_hi(problem, row);
    if (s->side[k] == AT_LO && isfinite(lo)) return lo;
    if (s->side[k] == AT_HI && isfinite(hi)) return hi;
    return fmin(fmax(s->lambda[k], lo), hi);
}

/* The row of the memory for the first row of the contact; -1 if the rows did not form one
 * contact in the same order. */
static int64_t find_contact(const saddle__row_memory *s, const saddle_problem *problem,
                            const saddle_contact *contact)
{
    int64_t k = find_row(s, problem->row_id[contact->row], contact->row);
    if (k < 0 || s->place[k] != 0 || s->size[k] != contact->size) return -1;
    for (int64_t j = 1; j < contact->size; j++)
        if (s->id[k + j] != problem->row_id[contact->row + j]) return -1;
    return k;
}

/* With another friction coefficient the tangents' share of mu lambda_n stays. */
static int64_t recall_contact(const saddle__row_memory *s, const saddle_problem *problem,
                              const saddle_contact *contact, double *lambda)
{
    int64_t k = find_contact(s, problem, contact);
    if (k < 0) return 0;
    double share = contact->mu == s->mu[k] ? 1.0 : s->mu[k] > 0.0 ? contact->mu / s->mu[k] : 0.0;
    lambda[contact->row] = s->lambda[k];
    for (int64_t j = 1; j < contact->size; j++) lambda[contact->row + j] = share * s->lambda[k + j];
    return contact->size;
}

int64_t saddle__row_memory_recall(const saddle__row_memory *s, const saddle_problem *problem,
                                  double *lambda)
{
    int64_t known = 0;
    int64_t c = 0;
    if (problem->m > 0) memset(lambda, 0, (size_t)problem->m * sizeof *lambda);
    if (s->count == 0 || !problem->row_id) return 0;
    for (int64_t i = 0; i < problem->m;) {
        if (c < problem->contact_count && problem->contacts[c].row == i) {
            const saddle_contact *contact = &problem->contacts[c++];
            known += recall_contact(s, problem, contact, lambda);
            i += contact->size;
            continue;
        }
        int64_t k = find_row(s, problem->row_id[i], i);
        if (k >= 0 && s->place[k] == NO_CONTACT) {
            lambda[i] = recall_row(s, problem, i, k);
            known++;
        }
        i++;
    }
    return known;
}

/* ---- the same between any two problems ---- */

static saddle_status check_pair(saddle_context *context, const saddle_problem *problem,
                                const saddle_solution *solution, const char *name)
{
    int given = problem && solution && (problem->m == 0 || solution->lambda);
    if (given && problem->m == solution->m) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "the %s solution has no lambda of its problem's size", name);
}

saddle_status saddle_solution_follow_rows(saddle_context *context, const saddle_problem *before,
                                          const saddle_solution *solved,
                                          const saddle_problem *problem, saddle_solution *start,
                                          int64_t *known)
{
    saddle_context_clear_message(context);
    saddle__row_memory memory = {.context = context};
    saddle_status status = check_pair(context, before, solved, "earlier");
    if (status == SADDLE_OK) status = check_pair(context, problem, start, "new");
    if (status == SADDLE_OK && start->n != problem->n)
        status = check_pair(context, problem, NULL, "new");
    if (status == SADDLE_OK) status = saddle__row_memory_reserve(&memory, before->m);
    if (status == SADDLE_OK) {
        saddle__row_memory_keep(&memory, before, solved->lambda);
        int64_t found = saddle__row_memory_recall(&memory, problem, start->lambda);
        if (start->v && problem->n > 0) memset(start->v, 0, (size_t)problem->n * sizeof *start->v);
        if (known) *known = found;
    }
    saddle__row_memory_clear(&memory);
    return status;
}
