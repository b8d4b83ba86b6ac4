/* SPDX-License-Identifier: MIT */
/* Fingerprints of patterns, so that a changed one is refused instead of misread. */
#include "problem/pattern.h"

/* One step of a 64-bit multiplicative hash (the odd constant is 2^64 / golden ratio). */
static uint64_t mix(uint64_t print, int64_t x)
{
    print = (print ^ (uint64_t)x) * UINT64_C(0x9E3779B97F4A7C15);
    return print ^ (print >> 29);
}

/* Four polynomials in an odd number mod 2^64, side by side, since each step waits for the one
 * before. */
static uint64_t mix_all(uint64_t print, const int64_t *x, int64_t count)
{
    static const uint64_t base = UINT64_C(0xD6E8FEB86659FD93);
    uint64_t side[4] = {print, 0, 0, 0};
    int64_t k = 0;
    for (; k + 4 <= count; k += 4)
        for (int i = 0; i < 4; i++) side[i] = side[i] * base + (uint64_t)x[k + i];
    for (; k < count; k++) side[0] = side[0] * base + (uint64_t)x[k];
    uint64_t all = (uint64_t)count;
    for (int i = 0; i < 4; i++) all = mix(all, (int64_t)side[i]);
    return all;
}

static uint64_t print_matrix(const saddle_matrix *A)
{
    uint64_t print = mix(mix(mix(0, A->rows), A->cols), (int64_t)A->symmetry);
    int64_t entries = saddle_matrix_entries(A);
    if (entries == 0) return print;
    return mix_all(mix_all(print, A->start, A->cols + 1), A->index, entries);
}

static saddle_status matrix_changed(saddle_context *context, const char *name, int64_t then,
                                    int64_t now)
{
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "the pattern of %s is not the one analysed (%lld entries then, %lld now)",
                       name, (long long)then, (long long)now);
}

static uint64_t print_contacts(const saddle_problem *problem)
{
    uint64_t print = 0;
    for (int64_t c = 0; c < problem->contact_count; c++)
        print = mix(mix(print, problem->contacts[c].row), problem->contacts[c].size);
    return print;
}

saddle__pattern saddle__pattern_of(const saddle_problem *problem)
{
    const saddle_matrix *matrices[3] = {&problem->M, &problem->Jt, &problem->R};
    saddle__pattern pattern = {.n = problem->n,
                               .m = problem->m,
                               .contacts = problem->contact_count,
                               .law = problem->law,
                               .facets = problem->facets};
    for (int i = 0; i < 3; i++) {
        pattern.entries[i] = saddle_matrix_entries(matrices[i]);
        pattern.print[i] = print_matrix(matrices[i]);
    }
    pattern.contact_print = print_contacts(problem);
    return pattern;
}

saddle_status saddle__pattern_compare_matrices(saddle_context *context,
                                               const saddle__pattern *pattern,
                                               const saddle_problem *problem, int deep)
{
    static const char *const names[3] = {"M", "J", "R"};
    const saddle_matrix *matrices[3] = {&problem->M, &problem->Jt, &problem->R};
    if (problem->n != pattern->n || problem->m != pattern->m)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "analysed with n = %lld, m = %lld, called with n = %lld, m = %lld",
                           (long long)pattern->n, (long long)pattern->m, (long long)problem->n,
                           (long long)problem->m);
    for (int i = 0; i < 3; i++) {
        int64_t entries = saddle_matrix_entries(matrices[i]);
        if (entries != pattern->entries[i] ||
            (deep && print_matrix(matrices[i]) != pattern->print[i]))
            return matrix_changed(context, names[i], pattern->entries[i], entries);
    }
    return SADDLE_OK;
}

saddle_status saddle__pattern_compare(saddle_context *context, const saddle__pattern *pattern,
                                      const saddle_problem *problem, int deep)
{
    saddle_status status = saddle__pattern_compare_matrices(context, pattern, problem, deep);
    if (status != SADDLE_OK) return status;
    if (problem->contact_count != pattern->contacts ||
        print_contacts(problem) != pattern->contact_print)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the contacts' rows are not those analysed");
    if (problem->law != pattern->law || problem->facets != pattern->facets)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "the contact law is not the one analysed (%s)",
                           saddle_law_word(pattern->law));
    return SADDLE_OK;
}
