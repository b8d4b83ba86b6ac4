/* SPDX-License-Identifier: MIT */
/* See problem_support.h. */
#include "problem_support.h"

#include <string.h>

#include "files/problem_file.h"

saddle_status read_problem_bytes(saddle_context *context, saddle_format format, const char *bytes,
                                 int64_t length, const char *rhs, saddle_problem *problem)
{
    saddle__scan scan = saddle__scan_text(context, bytes, length, "text");
    saddle__scan beside = saddle__scan_text(context, rhs ? rhs : "", rhs ? (int64_t)strlen(rhs) : 0,
                                            "rhs");
    memset(problem, 0, sizeof *problem);
    saddle_status status = saddle__problem_scan(&scan, &format, rhs ? &beside : NULL, problem, NULL,
                                                NULL);
    if (status != SADDLE_OK) saddle_problem_clear(problem);
    return status;
}

saddle_status read_problem_text(saddle_context *context, saddle_format format, const char *text,
                                const char *rhs, saddle_problem *problem)
{
    return read_problem_bytes(context, format, text, (int64_t)strlen(text), rhs, problem);
}

static double at(const double *x, int64_t i)
{
    return x ? x[i] : 0;
}

static double entry(const saddle_matrix *A, int64_t i, int64_t j)
{
    return saddle_matrix_entries(A) > 0 ? saddle_matrix_entry(A, i, j) : 0;
}

void assert_equal_numbers(const saddle_problem *a, const saddle_problem *b)
{
    assert_int_equal(a->n, b->n);
    assert_int_equal(a->m, b->m);
    for (int64_t i = 0; i < a->n; i++) {
        assert_true(at(a->f, i) == at(b->f, i));
        for (int64_t j = 0; j < a->n; j++) assert_true(entry(&a->M, i, j) == entry(&b->M, i, j));
        for (int64_t j = 0; j < a->m; j++) assert_true(entry(&a->Jt, i, j) == entry(&b->Jt, i, j));
    }
    int64_t c = 0;
    for (int64_t i = 0; i < a->m; i++) {
        assert_true(at(a->b, i) == at(b->b, i));
        for (int64_t j = 0; j < a->m; j++) assert_true(entry(&a->R, i, j) == entry(&b->R, i, j));
        while (c < a->contact_count && a->contacts[c].row + a->contacts[c].size <= i) c++;
        if (c < a->contact_count && a->contacts[c].row <= i)
            continue; /* bounds are not read there */
        assert_true(saddle_problem_lo(a, i) == saddle_problem_lo(b, i));
        assert_true(saddle_problem_hi(a, i) == saddle_problem_hi(b, i));
    }
    assert_int_equal(a->contact_count, b->contact_count);
    for (c = 0; c < a->contact_count; c++) {
        assert_int_equal(a->contacts[c].row, b->contacts[c].row);
        assert_int_equal(a->contacts[c].size, b->contacts[c].size);
        assert_true(a->contacts[c].mu == b->contacts[c].mu);
        assert_true(a->contacts[c].mu_torsion == b->contacts[c].mu_torsion);
        assert_true(a->contacts[c].mu_rolling == b->contacts[c].mu_rolling);
    }
    if (a->contact_count > 0) assert_int_equal(a->law, b->law);
}
