/* SPDX-License-Identifier: MIT */
/* The associated law with polyhedral cones (saddle/polyhedral.h). */
#include "saddle/polyhedral.h"

#include <math.h>

#include "base/context_internal.h"
#include "base/vector.h"

static saddle_status check(saddle_context *context, const saddle_problem *problem, int64_t facets)
{
    if (facets < 3 || facets > SADDLE_FACETS_AT_MOST)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "facets = %lld, not 3 to %d",
                           (long long)facets, SADDLE_FACETS_AT_MOST);
    if (problem->contact_count > 0 && problem->law != SADDLE_LAW_ASSOCIATED)
        return saddle_fail(context, SADDLE_UNSUPPORTED,
                           "polyhedral rows are of the associated law, not of \"%s\"",
                           saddle_law_word(problem->law));
    for (int64_t c = 0; c < problem->contact_count; c++)
        if (problem->contacts[c].size > 3)
            return saddle_fail_at(context, (saddle_place){.kind = SADDLE_PLACE_CONTACT, .index = c},
                                  saddle_fail(context, SADDLE_UNSUPPORTED,
                                              "contact %lld has torsional or rolling friction",
                                              (long long)c + 1));
    return SADDLE_OK;
}

/* ---- edges ---- */

static int64_t edges_of(const saddle_contact *contact, int64_t facets)
{
    return contact->size == 2 ? 2 : facets;
}

/* Edge k of a contact into the next column. */
static void set_edge(const saddle_contact *contact, int64_t k, int64_t facets, saddle_matrix *B,
                     int64_t col)
{
    const int64_t edges = edges_of(contact, facets);
    const double angle = 2 * acos(-1.0) * (double)k / (double)edges;
    const double part[3] = {1, contact->mu * cos(angle), contact->mu * sin(angle)};
    for (int64_t i = 0; i < contact->size; i++) {
        B->index[B->start[col] + i] = contact->row + i;
        B->value[B->start[col] + i] = part[i];
    }
    B->start[col + 1] = B->start[col] + contact->size;
}

/* B: a column for each row of no contact, one for each edge of a contact. */
static saddle_status make_edges(saddle_context *context, const saddle_problem *problem,
                                int64_t facets, saddle_matrix *B)
{
    int64_t cols = problem->m, entries = problem->m, col = 0;
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        const int64_t edges = edges_of(contact, facets);
        cols += edges - contact->size;
        entries += edges * contact->size - contact->size;
    }
    SADDLE__TRY(saddle_matrix_create(context, problem->m, cols, entries, SADDLE_SYMMETRY_NONE, B));
    for (int64_t row = 0, c = 0; row < problem->m;) {
        if (c < problem->contact_count && problem->contacts[c].row == row) {
            const saddle_contact *contact = &problem->contacts[c++];
            const int64_t edges = edges_of(contact, facets);
            for (int64_t k = 0; k < edges; k++) set_edge(contact, k, facets, B, col++);
            row += contact->size;
            continue;
        }
        B->index[B->start[col]] = row++;
        B->value[B->start[col]] = 1;
        B->start[col + 1] = B->start[col] + 1;
        col++;
    }
    return SADDLE_OK;
}

/* ---- the problem ---- */

/* R' = B'R B, symmetric where R is. */
static saddle_status reduce_compliance(saddle_context *context, const saddle_matrix *R,
                                       const saddle_matrix *B, saddle_matrix *reduced)
{
    saddle_matrix Bt = {0}, RB = {0}, whole = {0};
    saddle_status status = saddle_matrix_transpose(context, B, &Bt);
    if (status == SADDLE_OK) status = saddle_matrix_multiply(context, R, B, &RB);
    if (status == SADDLE_OK) status = saddle_matrix_multiply(context, &Bt, &RB, &whole);
    if (status == SADDLE_OK && R->symmetry != SADDLE_SYMMETRY_NONE) {
        status = saddle_matrix_lower(context, &whole, reduced);
    } else if (status == SADDLE_OK) {
        *reduced = whole;
        whole = (saddle_matrix){0};
    }
    saddle_matrix_clear(&Bt);
    saddle_matrix_clear(&RB);
    saddle_matrix_clear(&whole);
    return status;
}

/* Bounds: those of a row's own, 0 and infinity of edges. */
static void set_bounds(const saddle_problem *problem, const saddle_matrix *B, saddle_problem *rows)
{
    int64_t c = 0;
    for (int64_t col = 0; col < B->cols; col++) {
        const int64_t row = B->index[B->start[col]];
        while (c < problem->contact_count &&
               problem->contacts[c].row + problem->contacts[c].size <= row)
            c++;
        const int edge = c < problem->contact_count && problem->contacts[c].row <= row;
        rows->lo[col] = edge ? 0 : saddle_problem_lo(problem, row);
        rows->hi[col] = edge ? (double)INFINITY : saddle_problem_hi(problem, row);
    }
}

static saddle_status fill(saddle_context *context, const saddle_problem *problem,
                          const saddle_matrix *B, saddle_problem *rows)
{
    *rows = (saddle_problem){.n = problem->n,
                             .m = B->cols,
                             .f = saddle_allocate(context, problem->n + 1, sizeof(double)),
                             .b = saddle_allocate(context, B->cols + 1, sizeof(double)),
                             .lo = saddle_allocate(context, B->cols + 1, sizeof(double)),
                             .hi = saddle_allocate(context, B->cols + 1, sizeof(double)),
                             .time_step = problem->time_step,
                             .owner = 1,
                             .context = context};
    if (!rows->f || !rows->b || !rows->lo || !rows->hi) return SADDLE_OUT_OF_MEMORY;
    if (problem->f) saddle__copy(rows->f, problem->f, problem->n);
    if (problem->b) saddle_matrix_apply_transpose(B, 1, problem->b, 0, rows->b);
    set_bounds(problem, B, rows);
    SADDLE__TRY(saddle_matrix_copy(context, &problem->M, &rows->M));
    if (saddle_matrix_entries(&problem->Jt) > 0) /* else possibly 0 x 0 */
        SADDLE__TRY(saddle_matrix_multiply(context, &problem->Jt, B, &rows->Jt));
    else
        SADDLE__TRY(
            saddle_matrix_create(context, problem->n, B->cols, 0, SADDLE_SYMMETRY_NONE, &rows->Jt));
    if (saddle_matrix_entries(&problem->R) == 0) return SADDLE_OK;
    return reduce_compliance(context, &problem->R, B, &rows->R);
}

saddle_status saddle_polyhedral_rows(saddle_context *context, const saddle_problem *problem,
                                     int64_t facets, saddle_problem *rows, saddle_matrix *edges)
{
    if (rows) *rows = (saddle_problem){0};
    if (edges) *edges = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(context, problem && rows && edges, "problem, rows or edges is NULL");
    SADDLE__TRY(saddle_problem_check(context, problem, NULL, NULL));
    SADDLE__TRY(check(context, problem, facets));
    saddle_status status = make_edges(context, problem, facets, edges);
    if (status == SADDLE_OK) status = fill(context, problem, edges, rows);
    if (status == SADDLE_OK) return SADDLE_OK;
    saddle_problem_clear(rows);
    saddle_matrix_clear(edges);
    *rows = (saddle_problem){0};
    *edges = (saddle_matrix){0};
    return status;
}
