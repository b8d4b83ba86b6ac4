/* SPDX-License-Identifier: MIT */
/* What there is to say of a problem without solving it. */
#include "facts.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "saddle/rank.h"

/* A dense island of R of more rows than that is left out; dense: from this share of its entries
 * on. */
enum { DENSE_AT_MOST = 1500 };
static const double DENSE_SHARE = 0.1;

static tool_range range_of(const double *value, int64_t count)
{
    tool_range range = {(double)INFINITY, 0};
    for (int64_t k = 0; value && k < count; k++) {
        const double modulus = fabs(value[k]);
        if (!(modulus > 0)) continue;
        range.least = fmin(range.least, modulus);
        range.most = fmax(range.most, modulus);
    }
    if (!(range.most > 0)) range.least = 0;
    return range;
}

static tool_range range_of_mu(const saddle_problem *problem)
{
    tool_range range = {0, 0};
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const double mu = problem->contacts[c].mu;
        range.least = c == 0 ? mu : fmin(range.least, mu);
        range.most = fmax(range.most, mu);
    }
    return range;
}

/* Entries of the whole matrix: those below the diagonal of a symmetric one count twice. */
static int64_t whole_entries(const saddle_matrix *A)
{
    int64_t entries = saddle_matrix_entries(A), diagonal = 0;
    if (entries == 0 || A->symmetry != SADDLE_SYMMETRIC) return entries;
    for (int64_t j = 0; j < A->cols; j++)
        diagonal += A->start[j] < A->start[j + 1] && A->index[A->start[j]] == j;
    return 2 * entries - diagonal;
}

static void measure(const saddle_problem *problem, tool_facts *facts)
{
    facts->n = problem->n;
    facts->m = problem->m;
    facts->contacts = problem->contact_count;
    facts->rows = saddle_problem_count_rows(problem);
    facts->mu = range_of_mu(problem);
    facts->entries_M = whole_entries(&problem->M);
    facts->entries_J = saddle_matrix_entries(&problem->Jt);
    facts->entries_R = whole_entries(&problem->R);
    facts->entries_K = facts->entries_M + 2 * facts->entries_J + facts->entries_R;
    facts->M = range_of(problem->M.value, saddle_matrix_entries(&problem->M));
    facts->J = range_of(problem->Jt.value, facts->entries_J);
    facts->R = range_of(problem->R.value, saddle_matrix_entries(&problem->R));
    facts->f = range_of(problem->f, problem->n);
    facts->b = range_of(problem->b, problem->m);
}

/* R of n = 0 may be dense, which the elimination of rows is not made for. */
static int is_dear(const saddle_problem *problem, const tool_components *system)
{
    const double size = (double)system->largest;
    return problem->n == 0 && system->largest > DENSE_AT_MOST &&
           (double)saddle_matrix_entries(&problem->R) > DENSE_SHARE * size * size;
}

static saddle_status find_rank(saddle_context *context, const saddle_problem *problem,
                               const tool_components *system, tool_rank *found)
{
    if (is_dear(problem, system)) {
        snprintf(found->how, sizeof found->how,
                 "left out: R is dense, %lld rows; --all-rows takes the time",
                 (long long)problem->m);
        return SADDLE_OK;
    }
    saddle_rank_options options = saddle_rank_options_default();
    options.all_rows = 1;
    options.ignore_compliance = problem->n > 0;
    options.count_only = 1;
    saddle_rank rank;
    const saddle_status status = saddle_rank_find(context, problem, &options, &rank);
    if (status) return status;
    found->known = 1;
    found->rank = rank.rank;
    snprintf(found->how, sizeof found->how,
             "elimination in natural units, smallest singular value about %.2g", rank.separation);
    saddle_rank_clear(&rank);
    return SADDLE_OK;
}

saddle_status tool_facts_find(saddle_context *context, const saddle_problem *problem, int estimate,
                              tool_facts *facts)
{
    const int local = problem->n == 0;
    memset(facts, 0, sizeof *facts);
    facts->square = local ? "R" : "M";
    facts->ranked = local ? "R" : "J";
    measure(problem, facts);
    saddle_status status = saddle_matrix_asymmetry(context, &problem->M, &facts->asymmetry_M);
    if (status == SADDLE_OK)
        status = saddle_matrix_asymmetry(context, &problem->R, &facts->asymmetry_R);
    if (status == SADDLE_OK) status = tool_components_of_mass(context, problem, &facts->mass);
    if (status == SADDLE_OK) status = tool_components_of_system(context, problem, &facts->system);
    facts->estimated = estimate;
    if (status == SADDLE_OK && estimate)
        status = tool_definiteness_find(context, local ? &problem->R : &problem->M,
                                        local ? &facts->system : &facts->mass,
                                        &facts->definiteness);
    if (status == SADDLE_OK && estimate)
        status = find_rank(context, problem, &facts->system, &facts->rank);
    return status;
}

void tool_facts_clear(tool_facts *facts)
{
    tool_components_clear(&facts->mass);
    tool_components_clear(&facts->system);
}

const char *tool_definiteness_word(const tool_facts *facts)
{
    const tool_definiteness *found = &facts->definiteness;
    if (!facts->estimated || !found->known) return "unknown";
    if (facts->n + facts->m == 0) return "empty";
    if (found->positive > 0 && found->negative > 0) return "indefinite";
    if (found->negative > 0) return found->zero > 0 ? "negative semidefinite" : "negative definite";
    if (found->positive > 0) return found->zero > 0 ? "positive semidefinite" : "positive definite";
    return "zero";
}
