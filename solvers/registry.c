/* SPDX-License-Identifier: MIT */
/* The solvers, built in or registered with the host's context; the rows and matrices that each
 * takes; and the settings of each. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "builtin.h"
#include "capability.h"
#include "problem/problem_internal.h"

/* ---- settings ---- */

enum { NAME_SIZE = 64, NAMES_SIZE = 800 };

static const char separators[] = ", \t\n";
static const char *const flag_words[] = {"off", "on", NULL};

/* "solver.setting=value", cut into its parts */
typedef struct assignment {
    char solver[NAME_SIZE], setting[NAME_SIZE], value[NAME_SIZE];
} assignment;

/* The next assignment; *text is moved behind the assignment; 0 at the end. */
static int next_assignment(const char **text, assignment *a)
{
    const char *begin = *text + strspn(*text, separators);
    size_t length = strcspn(begin, separators);
    memset(a, 0, sizeof *a);
    (void)sscanf(begin, "%63[^.=, \t\n].%63[^=, \t\n]=%63[^, \t\n]", a->solver, a->setting,
                 a->value);
    *text = begin + length;
    return length > 0;
}

static const saddle_setting *find_setting(const saddle_solver_type *type, const char *name)
{
    for (const saddle_setting *s = type ? type->settings : NULL; s && s->name; s++)
        if (strcmp(s->name, name) == 0) return s;
    return NULL;
}

static saddle_status unknown_name(saddle_context *context, const assignment *a)
{
    char names[NAMES_SIZE] = "";
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(context, i)) != NULL; i++)
        for (const saddle_setting *s = type->settings; s && s->name; s++) {
            saddle__append(names, sizeof names, names[0] ? ", " : "");
            saddle__append(names, sizeof names, type->name);
            saddle__append(names, sizeof names, ".");
            saddle__append(names, sizeof names, s->name);
        }
    return saddle_fail(context, SADDLE_UNKNOWN_NAME, "no setting '%s%s%s'; there are: %s",
                       a->solver, a->setting[0] ? "." : "", a->setting, names);
}

/* The index of the word; -1: not in the list. */
static int find_word(const char *const *words, const char *word)
{
    for (int i = 0; words[i]; i++)
        if (strcmp(words[i], word) == 0) return i;
    return -1;
}

static int has_words(const saddle_setting *setting)
{
    return setting->kind == SADDLE_SETTING_WORD || setting->kind == SADDLE_SETTING_FLAG;
}

static const char *const *words_of(const saddle_setting *setting)
{
    return setting->kind == SADDLE_SETTING_FLAG ? flag_words : setting->words;
}

/* *number <- the value of the text; 0: neither a number in range nor a word of the list. */
static int read_value(const saddle_setting *setting, const char *text, double *number)
{
    char *end;
    if (has_words(setting)) return (*number = find_word(words_of(setting), text)) >= 0.0;
    errno = 0;
    *number = setting->kind == SADDLE_SETTING_INTEGER ? (double)strtoll(text, &end, 10)
                                                      : strtod(text, &end);
    return errno == 0 && end != text && *end == '\0' && *number >= setting->least &&
           *number <= setting->most;
}

static saddle_status wrong_value(saddle_context *context, const saddle_setting *setting,
                                 const assignment *a)
{
    char range[NAMES_SIZE] = "one of";
    if (!has_words(setting))
        (void)snprintf(range, sizeof range, "%s in %g .. %g",
                       setting->kind == SADDLE_SETTING_INTEGER ? "an integer" : "a number",
                       setting->least, setting->most);
    for (const char *const *word = has_words(setting) ? words_of(setting) : NULL; word && *word;
         word++) {
        saddle__append(range, sizeof range, " ");
        saddle__append(range, sizeof range, *word);
    }
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "setting %s.%s = '%s' is not %s",
                       a->solver, a->setting, a->value, range);
}

static void store(const saddle_setting *setting, double number, saddle__settings *settings)
{
    int64_t integer = (int64_t)number;
    int word = (int)number;
    char *field = settings->bytes + setting->offset;
    switch (setting->kind) {
    case SADDLE_SETTING_INTEGER: memcpy(field, &integer, sizeof integer); break;
    case SADDLE_SETTING_REAL: memcpy(field, &number, sizeof number); break;
    case SADDLE_SETTING_WORD:
    case SADDLE_SETTING_FLAG: memcpy(field, &word, sizeof word); break;
    }
}

saddle_status saddle__settings_fill(saddle_context *context, const saddle_solver_type *type,
                                    const char *assignments, saddle__settings *settings)
{
    assignment a;
    double number;
    memset(settings, 0, sizeof *settings);
    for (const saddle_setting *s = type->settings; s && s->name; s++)
        store(s, s->initial, settings);
    while (assignments && next_assignment(&assignments, &a)) {
        const saddle_solver_type *named = saddle_solver_type_find(context, a.solver);
        const saddle_setting *s = find_setting(named, a.setting);
        if (!s) return unknown_name(context, &a);
        if (!read_value(s, a.value, &number)) return wrong_value(context, s, &a);
        if (named == type) store(s, number, settings);
    }
    return SADDLE_OK;
}

static size_t size_of(saddle_setting_kind kind)
{
    switch (kind) {
    case SADDLE_SETTING_INTEGER: return sizeof(int64_t);
    case SADDLE_SETTING_REAL: return sizeof(double);
    case SADDLE_SETTING_WORD:
    case SADDLE_SETTING_FLAG: return sizeof(int);
    }
    return SADDLE_SETTINGS_SIZE;
}

static int is_valid(const saddle_setting *setting, size_t size)
{
    double most = setting->most;
    if (setting->kind == SADDLE_SETTING_WORD && (!setting->words || !setting->words[0])) return 0;
    if (has_words(setting)) /* the last word */
        for (most = -1.0; words_of(setting)[(int)most + 1];) most++;
    double least = has_words(setting) ? 0.0 : setting->least;
    return setting->name[0] && setting->summary && setting->offset <= size &&
           size_of(setting->kind) <= size - setting->offset && setting->initial >= least &&
           setting->initial <= most;
}

/* Whether the type's list of settings is well formed (saddle_solver_register). */
static int settings_are_valid(const saddle_solver_type *type)
{
    if (type->settings_size > SADDLE_SETTINGS_SIZE) return 0;
    for (const saddle_setting *s = type->settings; s && s->name; s++)
        if (!is_valid(s, type->settings_size)) return 0;
    return 1;
}

/* ---- the registry ---- */

static const saddle_solver_type *const builtin[] = {
#define LIST_SOLVER(name) &saddle__solver_##name,
    SADDLE_BUILTIN_SOLVERS(LIST_SOLVER)
#undef LIST_SOLVER
};

enum { BUILTIN_COUNT = sizeof builtin / sizeof *builtin };

const saddle_solver_type *saddle_solver_type_at(const saddle_context *context, int64_t index)
{
    if (index < 0) return NULL;
    if (index < BUILTIN_COUNT) return builtin[index];
    index -= BUILTIN_COUNT;
    return context && index < context->registered_count ? context->registered[index] : NULL;
}

const saddle_solver_type *saddle_solver_type_find(const saddle_context *context, const char *name)
{
    if (!name) return NULL;
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(context, i)) != NULL; i++)
        if (strcmp(type->name, name) == 0) return type;
    return NULL;
}

static int is_complete(const saddle_solver_type *type)
{
    return type && type->name && type->name[0] && strlen(type->name) < SADDLE_NAME_SIZE &&
           type->summary && type->rows && type->matrices && type->analyse && type->factor &&
           type->solve && type->clear && settings_are_valid(type);
}

saddle_status saddle_solver_register(saddle_context *context, const saddle_solver_type *type)
{
    saddle_context_clear_message(context);
    if (!context) return SADDLE_INVALID_ARGUMENT;
    if (!is_complete(type))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "a solver type needs a name under %d characters, a summary, rows, "
                           "matrices, all four functions, and settings within their ranges",
                           SADDLE_NAME_SIZE);
    if (saddle_solver_type_find(context, type->name))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "a solver named '%s' exists already",
                           type->name);
    saddle_status status = saddle__grow(context, &context->registered,
                                        context->registered_count + 1, sizeof *context->registered);
    if (status == SADDLE_OK) context->registered[context->registered_count++] = type;
    return status;
}

/* ---- capabilities ---- */

/* Whether the contacts' law is the box's: pyramid and cone in the plane, all laws without friction.
 */
static int is_box(const saddle_problem *problem)
{
    int plane = problem->law == SADDLE_LAW_PYRAMID || problem->law == SADDLE_LAW_CONE;
    int smooth = 1;
    for (int64_t c = 0; c < problem->contact_count; c++) {
        plane &= problem->contacts[c].size == 2;
        smooth &= saddle__contact_is_smooth(&problem->contacts[c]);
    }
    return plane || smooth;
}

/* Contacts of more than 3 rows under the pyramid law: no solver's. */
static const unsigned wide_pyramid = 1U << 7;

static unsigned contact_bits(const saddle_problem *problem, const saddle_contact *contact)
{
    const int is_wide = contact->size > 3 && !saddle__contact_is_smooth(contact);
    switch (problem->law) {
    case SADDLE_LAW_BOX: return SADDLE_CONTACTS_BOX;
    case SADDLE_LAW_PYRAMID: return SADDLE_CONTACTS_PYRAMID | (is_wide ? wide_pyramid : 0);
    case SADDLE_LAW_ASSOCIATED: return SADDLE_CONTACTS_ASSOCIATED;
    case SADDLE_LAW_CONE: return SADDLE_CONTACTS_CONE;
    }
    return 0;
}

/* What a problem requires of a solver, in the bits of enum saddle_rows, enum saddle_contacts and
 * enum saddle_matrices. */
typedef struct requirements {
    unsigned rows;
    unsigned rows_as_box; /* the same with the box law for contacts whose law is the box's */
    unsigned matrices;
} requirements;

static requirements requirements_of(const saddle_problem *problem)
{
    saddle_row_counts counts = saddle_problem_count_rows(problem);
    requirements asked = {.matrices = SADDLE_MATRICES_SYMMETRIC};
    if (counts.equality) asked.rows |= SADDLE_ROWS_EQUALITY;
    if (counts.unilateral) asked.rows |= SADDLE_ROWS_UNILATERAL;
    if (counts.box) asked.rows |= SADDLE_ROWS_BOX;
    asked.rows_as_box = asked.rows;
    for (int64_t c = 0; c < problem->contact_count; c++)
        asked.rows |= contact_bits(problem, &problem->contacts[c]);
    if (counts.contact)
        asked.rows_as_box = is_box(problem) ? asked.rows_as_box | SADDLE_CONTACTS_BOX : asked.rows;
    if (!saddle__is_symmetric(&problem->M) || !saddle__is_symmetric(&problem->R))
        asked.matrices = SADDLE_MATRICES_UNSYMMETRIC;
    return asked;
}

/* Whether the type takes all rows and matrices.  *missing: the rows not taken. */
static int can(const saddle_solver_type *type, const requirements *asked, unsigned *missing)
{
    *missing = asked->rows_as_box & ~type->rows ? asked->rows & ~type->rows : 0;
    return *missing == 0 && (asked->matrices & ~type->matrices) == 0;
}

/* ---- the message ---- */

enum { MESSAGE_SIZE = 1000 };

static void append(char *message, const char *more)
{
    saddle__append(message, MESSAGE_SIZE, more);
}

static unsigned row_bit(const saddle_problem *problem, int64_t row, int64_t *contact)
{
    const saddle_contact *owner = saddle__contact_of(problem, row, contact);
    if (owner) return contact_bits(problem, owner);
    switch (saddle_problem_bound_kind(problem, row)) {
    case SADDLE_ROW_UNILATERAL: return SADDLE_ROWS_UNILATERAL;
    case SADDLE_ROW_BOX: return SADDLE_ROWS_BOX;
    default: return SADDLE_ROWS_EQUALITY;
    }
}

static const char *bit_word(unsigned bit)
{
    if (bit & wide_pyramid) return "contact of over 3 rows, law pyramid";
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

/* "row 3 (unilateral), row 7 (box) and 12 more rows"; *place: the first of them. */
static void name_rows(unsigned missing, const saddle_problem *problem, char *message,
                      saddle_place *place)
{
    enum { NAMED = 3 };
    int64_t contact = 0;
    int64_t count = 0;
    char piece[320];
    for (int64_t i = 0; i < problem->m; i++) {
        unsigned bit = row_bit(problem, i, &contact);
        if (!(missing & bit)) continue;
        if (count++ == 0) *place = (saddle_place){.kind = SADDLE_PLACE_ROW, .index = i};
        if (count > NAMED) continue;
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

static void name_solvers(saddle_context *context, const requirements *asked, char *message)
{
    int any = 0;
    unsigned missing;
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(context, i)) != NULL; i++) {
        if (!can(type, asked, &missing)) continue;
        append(message, any++ ? ", " : "; these can: ");
        append(message, type->name);
    }
    if (!any) append(message, "; no solver here can");
}

saddle_status saddle_solver_type_supports(saddle_context *context, const saddle_solver_type *type,
                                          const saddle_problem *problem)
{
    SADDLE__RETURN_UNLESS(context, type && problem, "type or problem is NULL");
    requirements asked = requirements_of(problem);
    unsigned missing;
    if (can(type, &asked, &missing)) return SADDLE_OK;
    if (!context) return SADDLE_UNSUPPORTED; /* the message would have no place */
    char message[MESSAGE_SIZE] = "";
    saddle_place place = {0};
    append(message, "solver '");
    append(message, type->name);
    append(message, "' can't do ");
    if (missing)
        name_rows(missing, problem, message, &place);
    else
        append(message, asked.matrices == SADDLE_MATRICES_UNSYMMETRIC ? "an unsymmetric M or R"
                                                                      : "symmetric matrices");
    name_solvers(context, &asked, message);
    return saddle_fail_at(context, place, saddle_fail(context, SADDLE_UNSUPPORTED, "%s", message));
}
