/* SPDX-License-Identifier: MIT */
/* See settings.h. */
#include "settings.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"

enum { NAME_SIZE = 64, NAMES_SIZE = 800 };

static const char separators[] = ", \t\n";
static const char *const flag_words[] = {"off", "on", NULL};

/* "solver.setting=value", cut into its parts */
typedef struct assignment {
    char solver[NAME_SIZE], setting[NAME_SIZE], value[NAME_SIZE];
} assignment;

static void copy(char *to, const char *from, const char *end)
{
    size_t length = end > from ? (size_t)(end - from) : 0;
    if (length >= NAME_SIZE) length = NAME_SIZE - 1;
    memcpy(to, from, length);
    to[length] = '\0';
}

/* The next assignment of *text, which is moved behind the assignment; 0 at the end. */
static int next_assignment(const char **text, assignment *a)
{
    if (!*text) return 0;
    const char *begin = *text + strspn(*text, separators);
    const char *end = begin + strcspn(begin, separators);
    if (begin == end) return 0;
    const char *equals = memchr(begin, '=', (size_t)(end - begin));
    const char *name_end = equals ? equals : end;
    const char *dot = memchr(begin, '.', (size_t)(name_end - begin));
    copy(a->solver, begin, dot ? dot : name_end);
    copy(a->setting, dot ? dot + 1 : name_end, name_end);
    copy(a->value, equals ? equals + 1 : end, end);
    *text = end;
    return 1;
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

/* The index of the word; -1: the list has no such word. */
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

/* *number <- the value of the text; 0: the text is no number in range, or none of the words. */
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

saddle_status saddle__settings_check(saddle_context *context, const char *assignments)
{
    assignment a;
    double number;
    while (next_assignment(&assignments, &a)) {
        const saddle_setting *setting = find_setting(saddle_solver_type_find(context, a.solver),
                                                     a.setting);
        if (!setting) return unknown_name(context, &a);
        if (!read_value(setting, a.value, &number)) return wrong_value(context, setting, &a);
    }
    return SADDLE_OK;
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

const void *saddle__settings_fill(const saddle_solver_type *type, const char *assignments,
                                  saddle__settings *settings)
{
    assignment a;
    double number;
    memset(settings, 0, sizeof *settings);
    for (const saddle_setting *s = type->settings; s && s->name; s++)
        store(s, s->initial, settings);
    while (next_assignment(&assignments, &a)) {
        const saddle_setting *s = strcmp(a.solver, type->name) == 0 ? find_setting(type, a.setting)
                                                                    : NULL;
        if (s && read_value(s, a.value, &number)) store(s, number, settings);
    }
    return settings->bytes;
}

int saddle__settings_differ(const saddle_solver_type *type, const char *assignments)
{
    assignment a;
    while (next_assignment(&assignments, &a))
        if (strcmp(a.solver, type->name) == 0) return 1;
    return 0;
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

int saddle__settings_are_valid(const saddle_solver_type *type)
{
    if (type->settings_size > SADDLE_SETTINGS_SIZE) return 0;
    for (const saddle_setting *s = type->settings; s && s->name; s++)
        if (!is_valid(s, type->settings_size)) return 0;
    return 1;
}
