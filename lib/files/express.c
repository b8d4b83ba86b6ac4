/* SPDX-License-Identifier: MIT */
/* What a target format cannot hold, by name: see express.h. */
#include "files/express.h"

#include <math.h>

enum { NAME_SIZE = 128 };

saddle_status saddle__express_rows_only(saddle_context *context, saddle_format format,
                                        const saddle_problem *problem)
{
    if (problem->n == 0) return SADDLE_OK;
    return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                       "the problem has %lld velocities: %s holds only problems in rows, n = 0",
                       (long long)problem->n, saddle_format_word(format));
}

saddle_status saddle__express_no_compliance(saddle_context *context, saddle_format format,
                                            const saddle_problem *problem)
{
    const saddle_matrix *R = &problem->R;
    int64_t entries = saddle_matrix_entries(R);
    for (int64_t j = 0; entries > 0 && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            char row[NAME_SIZE];
            if (R->value[k] == 0) continue;
            saddle_problem_describe_row(problem, R->index[k], row, sizeof row);
            return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                               "%s has compliance, R(%lld, %lld) = %g: %s holds only R = 0", row,
                               (long long)R->index[k] + 1, (long long)j + 1, R->value[k],
                               saddle_format_word(format));
        }
    return SADDLE_OK;
}

/* The contact that owns row, starting the search at *c, which only grows; NULL = none. */
static const saddle_contact *owner_of(const saddle_problem *problem, int64_t row, int64_t *c)
{
    while (*c < problem->contact_count &&
           problem->contacts[*c].row + problem->contacts[*c].size <= row)
        (*c)++;
    const saddle_contact *contact = *c < problem->contact_count ? &problem->contacts[*c] : NULL;
    return contact && contact->row <= row ? contact : NULL;
}

static const char *held_text(int holds)
{
    if (holds & SADDLE__HOLDS_BOX) return "only rows with bounds";
    switch (holds) {
    case SADDLE__HOLDS_EQUALITY: return "only equality rows";
    case SADDLE__HOLDS_POSITIVE: return "only rows [0, inf)";
    case SADDLE__HOLDS_CONTACTS: return "only contacts";
    case SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_POSITIVE:
        return "only equality rows and rows [0, inf)";
    case SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_CONTACTS: return "only contacts and equality rows";
    default: return "only contacts, equality rows and rows [0, inf)";
    }
}

static saddle_status cannot_hold(saddle_context *context, saddle_format format,
                                 const saddle_problem *problem, int64_t row, int holds)
{
    char name[NAME_SIZE];
    double lo = saddle_problem_lo(problem, row), hi = saddle_problem_hi(problem, row);
    saddle_row_kind kind = saddle_problem_bound_kind(problem, row);
    const char *noun = kind == SADDLE_ROW_EQUALITY ? "an equality row"
                       : kind == SADDLE_ROW_BOX    ? "a box row"
                                                   : "a unilateral row";
    saddle_problem_describe_row(problem, row, name, sizeof name);
    return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE, "%s is %s [%g, %g]: %s holds %s", name,
                       noun, lo, hi, saddle_format_word(format), held_text(holds));
}

saddle_status saddle__express_rows(saddle_context *context, saddle_format format,
                                   const saddle_problem *problem, int holds)
{
    const char *word = saddle_format_word(format);
    if (problem->contact_count > 0 && !(holds & SADDLE__HOLDS_CONTACTS))
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "row %lld belongs to a friction contact: %s holds %s",
                           (long long)problem->contacts[0].row + 1, word, held_text(holds));
    if (problem->contact_count > 0 && problem->law != SADDLE_LAW_CONE)
        return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                           "the contacts have the law %s: %s holds only the law cone",
                           saddle_law_word(problem->law), word);
    int64_t c = 0;
    for (int64_t i = 0; i < problem->m; i++) {
        if (owner_of(problem, i, &c)) continue;
        double lo = saddle_problem_lo(problem, i), hi = saddle_problem_hi(problem, i);
        int equality = saddle_problem_bound_kind(problem, i) == SADDLE_ROW_EQUALITY,
            positive = lo == 0 && hi == INFINITY;
        int held = (equality && (holds & SADDLE__HOLDS_EQUALITY)) ||
                   (positive && (holds & SADDLE__HOLDS_POSITIVE)) || (holds & SADDLE__HOLDS_BOX);
        if (!held) return cannot_hold(context, format, problem, i, holds);
    }
    return SADDLE_OK;
}

saddle_status saddle__express_contacts(saddle_context *context, saddle_format format,
                                       const saddle_problem *problem, int64_t *dim, int64_t *rows)
{
    const char *word = saddle_format_word(format);
    *dim = problem->contact_count > 0 ? problem->contacts[0].size : 3;
    *rows = problem->contact_count * *dim;
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        if (contact->size != *dim)
            return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                               "contact %lld has %lld rows, the first has %lld: %s holds contacts "
                               "of one dimension",
                               (long long)c + 1, (long long)contact->size, (long long)*dim, word);
        if (contact->row != c * *dim)
            return saddle_fail(
                context, SADDLE_NOT_EXPRESSIBLE,
                "row %lld lies before contact %lld and belongs to none: %s holds contacts first",
                (long long)contact->row, (long long)c + 1, word);
    }
    return SADDLE_OK;
}
