/* SPDX-License-Identifier: MIT */
/* See contact_names.h. */
#include "contact_names.h"

#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "problem/problem_internal.h"

enum { NAME_SIZE = 160 };

/* "normal", ..: row k of a contact of so many rows (saddle/problem.h). */
static const char *word_of(int64_t k, int64_t size)
{
    static const char *const words[] = {"normal",  "tangent 1", "tangent 2",
                                        "torsion", "rolling 1", "rolling 2"};
    return words[size == 5 && k >= 3 ? k + 1 : k];
}

/* component (n): of each velocity */
static void number_components(const saddle_problem *problem, int64_t *component)
{
    int64_t j = 0;
    for (int64_t c = 0; c < problem->component_count; c++)
        for (int64_t k = 0; k < problem->component_size[c]; k++) component[j++] = c;
}

/* The names of the components in a contact's rows, or the contact's number. */
static void name_contact(const saddle_problem *problem, const int64_t *component, int64_t c,
                         char *text)
{
    const saddle_contact *contact = &problem->contacts[c];
    const saddle_matrix *Jt = &problem->Jt;
    const int named = problem->component_count > 0 && problem->component_name;
    int64_t last = -1;
    text[0] = '\0';
    for (int64_t k = Jt->start[contact->row]; named && k < Jt->start[contact->row + 1]; k++) {
        const int64_t at = component[Jt->index[k]];
        const char *name = problem->component_name[at];
        if (at == last || !name) continue;
        if (text[0]) saddle__append(text, NAME_SIZE, ", ");
        saddle__append(text, NAME_SIZE, name);
        last = at;
    }
    if (!text[0]) snprintf(text, NAME_SIZE, "contact %lld", (long long)c + 1);
}

static saddle_status name_rows(saddle_context *context, saddle_problem *problem,
                               const int64_t *component)
{
    char of_contact[NAME_SIZE], text[NAME_SIZE + 16];
    for (int64_t c = 0; c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        name_contact(problem, component, c, of_contact);
        for (int64_t k = 0; k < contact->size; k++) {
            char **name = &problem->row_name[contact->row + k];
            if (*name) continue;
            snprintf(text, sizeof text, "%s: %s", of_contact, word_of(k, contact->size));
            *name = saddle__copy_text(context, text);
            if (!*name) return SADDLE_OUT_OF_MEMORY;
        }
    }
    return SADDLE_OK;
}

saddle_status tool_contacts_name(saddle_context *context, saddle_problem *problem)
{
    if (problem->contact_count == 0) return SADDLE_OK;
    if (!problem->row_name)
        problem->row_name = saddle_allocate(context, problem->m, sizeof *problem->row_name);
    int64_t *component = saddle_allocate(context, problem->n, sizeof *component);
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    if (problem->row_name && component) {
        if (problem->component_count > 0) number_components(problem, component);
        status = name_rows(context, problem, component);
    }
    saddle_release(context, component);
    return status;
}
