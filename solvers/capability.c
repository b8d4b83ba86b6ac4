/* SPDX-License-Identifier: MIT */
/* Can this solver do these rows?  And if not: which rows, and who could. */
#include <stdio.h>

#include "base/text.h"
#include "capability.h"

int saddle__is_symmetric(const saddle_matrix *A)
{
    return A->symmetry != SADDLE_GENERAL || saddle_matrix_entries(A) == 0;
}

static unsigned law_bit(saddle_law law)
{
    switch (law) {
    case SADDLE_LAW_BOX: return SADDLE_CONTACTS_BOX;
    case SADDLE_LAW_PYRAMID: return SADDLE_CONTACTS_PYRAMID;
    case SADDLE_LAW_ASSOCIATED: return SADDLE_CONTACTS_ASSOCIATED;
    case SADDLE_LAW_CONE: return SADDLE_CONTACTS_CONE;
    }
    return 0;
}

static int is_plane(const saddle_problem *problem)
{
    for (int64_t c = 0; c < problem->contact_count; c++)
        if (problem->contacts[c].size != 2) return 0;
    return problem->contact_count > 0;
}

static int is_smooth(const saddle_problem *problem)
{
    for (int64_t c = 0; c < problem->contact_count; c++)
        if (problem->contacts[c].mu != 0.0) return 0;
    return problem->contact_count > 0;
}

saddle__demand saddle__problem_demand(const saddle_problem *problem)
{
    saddle_row_counts counts = saddle_problem_count_rows(problem);
    saddle__demand demand = {.matrices = SADDLE_MATRICES_SYMMETRIC, .plane = is_plane(problem)};
    demand.smooth = is_smooth(problem);
    if (counts.equality) demand.rows |= SADDLE_ROWS_EQUALITY;
    if (counts.unilateral) demand.rows |= SADDLE_ROWS_UNILATERAL;
    if (counts.box) demand.rows |= SADDLE_ROWS_BOX;
    if (counts.contact) demand.rows |= law_bit(problem->law);
    if (!saddle__is_symmetric(&problem->M) || !saddle__is_symmetric(&problem->R))
        demand.matrices = SADDLE_MATRICES_UNSYMMETRIC;
    return demand;
}

unsigned saddle__rows_missing(const saddle_solver_type *type, saddle__demand demand)
{
    unsigned missing = demand.rows & ~type->rows;
    if (demand.plane && type->rows & SADDLE_CONTACTS_BOX)
        missing &= ~(unsigned)(SADDLE_CONTACTS_PYRAMID | SADDLE_CONTACTS_CONE);
    if (demand.smooth && type->rows & SADDLE_CONTACTS_BOX)
        missing &= ~(unsigned)(SADDLE_CONTACTS_PYRAMID | SADDLE_CONTACTS_CONE |
                               SADDLE_CONTACTS_ASSOCIATED);
    return missing;
}

static int can(const saddle_solver_type *type, saddle__demand demand)
{
    return saddle__rows_missing(type, demand) == 0 && (demand.matrices & ~type->matrices) == 0;
}

/* Any rows that there may be besides the contacts', these, and any matrices: nothing need be
 * counted. */
static int can_all(const saddle_solver_type *type, const saddle_problem *problem)
{
    unsigned rows = SADDLE_ROWS_EQUALITY | SADDLE_ROWS_UNILATERAL | SADDLE_ROWS_BOX;
    unsigned matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC;
    if (problem->contact_count > 0) rows |= law_bit(problem->law);
    return (rows & ~type->rows) == 0 && (matrices & ~type->matrices) == 0;
}

/* ---- the message ---- */

enum { MESSAGE_SIZE = 1000 };

static void append(char *message, const char *more)
{
    saddle__append(message, MESSAGE_SIZE, more);
}

static unsigned row_bit(const saddle_problem *problem, int64_t row, int64_t *contact)
{
    while (*contact < problem->contact_count &&
           row >= problem->contacts[*contact].row + problem->contacts[*contact].size)
        ++*contact;
    if (*contact < problem->contact_count && row >= problem->contacts[*contact].row)
        return law_bit(problem->law);
    switch (saddle_problem_bound_kind(problem, row)) {
    case SADDLE_ROW_UNILATERAL: return SADDLE_ROWS_UNILATERAL;
    case SADDLE_ROW_BOX: return SADDLE_ROWS_BOX;
    default: return SADDLE_ROWS_EQUALITY;
    }
}

static const char *bit_word(unsigned bit)
{
    switch (bit) {
    case SADDLE_ROWS_UNILATERAL: return "unilateral";
    case SADDLE_ROWS_BOX: return "box";
    case SADDLE_CONTACTS_BOX: return "contact, law box";
    case SADDLE_CONTACTS_PYRAMID: return "contact, law pyramid";
    case SADDLE_CONTACTS_CONE: return "contact, law cone";
    case SADDLE_CONTACTS_ASSOCIATED: return "contact, law associated";
    default: return "equality";
    }
}

/* "row 3 (unilateral), row 7 (box) and 12 more rows" */
static void name_rows(unsigned missing, const saddle_problem *problem, char *message)
{
    enum { NAMED = 3 };
    int64_t contact = 0;
    int64_t count = 0;
    char piece[320];
    for (int64_t i = 0; i < problem->m; i++) {
        unsigned bit = row_bit(problem, i, &contact);
        if (!(missing & bit)) continue;
        if (count++ >= NAMED) continue;
        char row[256];
        saddle_problem_describe_row(problem, i, row, sizeof row);
        (void)snprintf(piece, sizeof piece, "%s%s [%s]", count > 1 ? ", " : "", row, bit_word(bit));
        append(message, piece);
    }
    if (count > NAMED) {
        (void)snprintf(piece, sizeof piece, " and %lld more rows", (long long)count - NAMED);
        append(message, piece);
    }
}

static void name_solvers(saddle_context *context, saddle__demand demand, char *message)
{
    int any = 0;
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(context, i)) != NULL; i++) {
        if (!can(type, demand)) continue;
        append(message, any++ ? ", " : "; these can: ");
        append(message, type->name);
    }
    if (!any) append(message, "; no solver here can");
}

saddle_status saddle_solver_type_supports(saddle_context *context, const saddle_solver_type *type,
                                          const saddle_problem *problem)
{
    saddle_context_clear_message(context);
    if (!type || !problem)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "saddle_solver_type_supports: type or problem is NULL");
    if (can_all(type, problem)) return SADDLE_OK;
    saddle__demand demand = saddle__problem_demand(problem);
    if (can(type, demand)) return SADDLE_OK;
    char message[MESSAGE_SIZE] = "";
    append(message, "solver '");
    append(message, type->name);
    append(message, "' can't do ");
    unsigned missing = saddle__rows_missing(type, demand);
    if (missing)
        name_rows(missing, problem, message);
    else
        append(message, demand.matrices == SADDLE_MATRICES_UNSYMMETRIC ? "an unsymmetric M or R"
                                                                       : "symmetric matrices");
    name_solvers(context, demand, message);
    return saddle_fail(context, SADDLE_UNSUPPORTED, "%s", message);
}
