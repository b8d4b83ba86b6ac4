/* SPDX-License-Identifier: MIT */
/* Command lines read and explained from a table for each verb: see options.h. */
#include "options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"
#include "text.h"

const char tool_exit_code_help[] = "Exit codes:\n"
                                   "  0  solved to the tolerance, or done as asked\n"
                                   "  1  a result, but not to the tolerance\n"
                                   "  2  usage: an unknown verb, option or value\n"
                                   "  3  input unreadable or inconsistent, output not writable\n"
                                   "  4  rows this solver, or this target format, can't do\n"
                                   "  5  out of memory, or an internal error\n";

/* ---- reading ---- */

static int complain(const tool_verb *verb, const char *option, const char *what, const char *value)
{
    if (value)
        tool_error("--%s %s: %s (see saddle %s --help)", option, value, what, verb->name);
    else
        tool_error("--%s: %s (see saddle %s --help)", option, what, verb->name);
    return -1;
}

/* The option called text[0 .. length), and the struct its target lies in. */
static const tool_option *find_option(const tool_verb *verb, const char *text, size_t length,
                                      char *request, char **base)
{
    for (const tool_group *group = verb->groups; group->title; group++) {
        for (const tool_option *option = group->options; option->name; option++) {
            if (strlen(option->name) == length && memcmp(option->name, text, length) == 0) {
                *base = request + group->offset;
                return option;
            }
        }
    }
    return NULL;
}

/* "box|pyramid|cone" into text[size]; cut short where it does not fit. */
static void join_words(const tool_word *words, char *text, size_t size)
{
    text[0] = '\0';
    for (const tool_word *word = words; word->word; word++) {
        if (word > words) saddle__append(text, size, "|");
        saddle__append(text, size, word->word);
    }
}

static int store_word(const tool_verb *verb, const tool_option *option, char *target,
                      const char *value)
{
    char all[512], what[560];
    for (const tool_word *word = option->words; word->word; word++) {
        if (strcmp(word->word, value) == 0) {
            memcpy(target, &word->value, sizeof word->value);
            return 0;
        }
    }
    join_words(option->words, all, sizeof all);
    snprintf(what, sizeof what, "not one of %s", all);
    return complain(verb, option->name, what, value);
}

static int store_number(const tool_verb *verb, const tool_option *option, char *target,
                        const char *value)
{
    const int is_count = option->kind == TOOL_COUNT;
    char *end, what[64];
    errno = 0;
    const int64_t count = is_count ? strtoll(value, &end, 10) : 0;
    const double number = is_count ? (double)count : strtod(value, &end);
    if (end == value || *end != '\0' || !isfinite(number) || (is_count && errno == ERANGE))
        return complain(verb, option->name, is_count ? "not an integer" : "not a number", value);
    snprintf(what, sizeof what, "must be at least %g", option->least);
    if (number < option->least) return complain(verb, option->name, what, value);
    snprintf(what, sizeof what, "must be at most %g", option->most);
    if (option->most > 0 && number > option->most) return complain(verb, option->name, what, value);
    memcpy(target, is_count ? (const void *)&count : &number, sizeof number);
    return 0;
}

static int append(const tool_verb *verb, const tool_option *option, char *target, const char *value)
{
    size_t used = strlen(target);
    if (used + 1 + strlen(value) >= TOOL_TEXT_SIZE)
        return complain(verb, option->name, "too many characters in all", value);
    snprintf(target + used, TOOL_TEXT_SIZE - used, "%s%s", used > 0 ? " " : "", value);
    return 0;
}

static int store(const tool_verb *verb, const tool_option *option, char *target, const char *value)
{
    const int set = 1;
    switch (option->kind) {
    case TOOL_FLAG: memcpy(target, &set, sizeof set); return 0;
    case TOOL_TEXT: memcpy(target, &value, sizeof value); return 0;
    case TOOL_NUMBER:
    case TOOL_COUNT: return store_number(verb, option, target, value);
    case TOOL_WORD: return store_word(verb, option, target, value);
    case TOOL_APPEND: return append(verb, option, target, value);
    }
    return -1;
}

/* An option at argv[*at]; *at is left on the last word of the option. */
static int parse_option(const tool_verb *verb, int argc, char **argv, int *at, void *request)
{
    const char *text = argv[*at] + 2;
    const char *equals = strchr(text, '=');
    char *base = NULL;
    const size_t length = equals ? (size_t)(equals - text) : strlen(text);
    const tool_option *option = find_option(verb, text, length, request, &base);
    const char *value = equals ? equals + 1 : NULL;

    if (!option) {
        tool_error("unknown option --%.*s for saddle %s (see saddle %s --help)", (int)length, text,
                   verb->name, verb->name);
        return -1;
    }
    if (option->kind == TOOL_FLAG && value)
        return complain(verb, option->name, "takes no value", NULL);
    if (option->kind != TOOL_FLAG && !value) {
        if (*at + 1 >= argc) return complain(verb, option->name, "needs a value", NULL);
        value = argv[++*at];
    }
    if (option->kind != TOOL_FLAG && value[0] == '\0')
        return complain(verb, option->name, "needs a value", NULL);
    return store(verb, option, base + option->offset, value);
}

/* verb->arguments: a word for each, in brackets where it may be absent, with dots behind a last one
 * that may be repeated. */
static int check_count(const tool_verb *verb, int count, char **argument)
{
    int least = 0, most = 0;
    for (const char *word = verb->arguments; *word; word += strcspn(word, " ")) {
        word += strspn(word, " ");
        least += *word != '[';
        most++;
    }
    if (count < least) {
        tool_error("saddle %s needs %s (see saddle %s --help)", verb->name, verb->arguments,
                   verb->name);
        return -1;
    }
    if (!strstr(verb->arguments, "...") && count > most) {
        tool_error("unexpected argument '%s' for saddle %s (see saddle %s --help)", argument[most],
                   verb->name, verb->name);
        return -1;
    }
    return 0;
}

int tool_options_flag(const tool_verb *verb, const void *request, const char *name)
{
    char *base = NULL;
    int set = 0;
    const tool_option *flag = find_option(verb, name, strlen(name), (char *)(uintptr_t)request,
                                          &base);
    if (flag) memcpy(&set, base + flag->offset, sizeof set);
    return set;
}

int tool_options_parse(const tool_verb *verb, int argc, char **argv, void *request, int *help)
{
    int ended = 0, count = 0;
    *help = 0;
    for (int at = 0; at < argc && !ended; at++) {
        if (strcmp(argv[at], "--") == 0)
            ended = 1;
        else if (strcmp(argv[at], "--help") == 0 || strcmp(argv[at], "-h") == 0)
            *help = 1;
    }
    if (*help) return 0;

    ended = 0;
    for (int at = 0; at < argc; at++) {
        char *word = argv[at];
        if (ended || word[0] != '-' || word[1] == '\0') {
            argv[count++] = word;
        } else if (strcmp(word, "--") == 0) {
            ended = 1;
        } else if (word[1] != '-') {
            tool_error("unknown option %s for saddle %s (see saddle %s --help)", word, verb->name,
                       verb->name);
            return -1;
        } else if (parse_option(verb, argc, argv, &at, request)) {
            return -1;
        }
    }
    argv[count] = NULL;
    return check_count(verb, count, argv);
}

/* ---- explaining ---- */

/* "--friction box|pyramid" into text[size]. */
static void option_head(const tool_option *option, char *text, size_t size)
{
    char words[256];
    const char *value = option->value;
    if (!value && option->words) {
        join_words(option->words, words, sizeof words);
        value = words;
    }
    snprintf(text, size, "--%s%s%s", option->name, value ? " " : "", value ? value : "");
}

static void default_of_word(const tool_option *option, const char *target, char *text, size_t size)
{
    int value;
    memcpy(&value, target, sizeof value);
    for (const tool_word *word = option->words; word->word; word++)
        if (word->value == value) snprintf(text, size, "%s", word->word);
}

/* The default into text[size], "" for none. */
static void option_default(const tool_option *option, const char *target, char *text, size_t size)
{
    double number;
    int64_t count;
    const char *word;
    text[0] = '\0';
    switch (option->kind) {
    case TOOL_FLAG: return;
    case TOOL_TEXT:
        memcpy(&word, target, sizeof word);
        if (word) snprintf(text, size, "%s", word);
        break;
    case TOOL_NUMBER:
        memcpy(&number, target, sizeof number);
        if (number < 0 || number > 0 || !option->unset) snprintf(text, size, "%g", number);
        break;
    case TOOL_COUNT:
        memcpy(&count, target, sizeof count);
        if (count != 0 || !option->unset) snprintf(text, size, "%lld", (long long)count);
        break;
    case TOOL_WORD: default_of_word(option, target, text, size); break;
    case TOOL_APPEND: return;
    }
    if (text[0] == '\0' && option->unset) snprintf(text, size, "%s", option->unset);
}

static int widest_head(const tool_verb *verb)
{
    enum { LIMIT = 40 };
    char head[300];
    int width = 0;
    for (const tool_group *group = verb->groups; group->title; group++) {
        for (const tool_option *option = group->options; option->name; option++) {
            option_head(option, head, sizeof head);
            const int length = (int)strlen(head);
            if (length > width && length <= LIMIT) width = length;
        }
    }
    return width;
}

void tool_options_help(const tool_verb *verb, const void *request)
{
    const int width = widest_head(verb);
    char head[300], fallback[64];
    printf("saddle %s: %s\n\nUsage: saddle %s %s%s[options]\n", verb->name, verb->summary,
           verb->name, verb->arguments, verb->arguments[0] ? " " : "");
    for (const tool_group *group = verb->groups; group->title; group++) {
        printf("\n%s:\n", group->title);
        for (const tool_option *option = group->options; option->name; option++) {
            option_head(option, head, sizeof head);
            option_default(option, (const char *)request + group->offset + option->offset, fallback,
                           sizeof fallback);
            printf("  %-*s  %s%s%s%s\n", width, head, option->help, fallback[0] ? " [" : "",
                   fallback, fallback[0] ? "]" : "");
        }
    }
    printf("\n%s\n%s", verb->notes, tool_exit_code_help);
}
