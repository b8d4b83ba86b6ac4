/* SPDX-License-Identifier: MIT */
/* See manual.h. */
#include "manual.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"
#include "text.h"

const tool_verb *tool_verb_find(const char *name)
{
    for (int i = 0; tool_verbs[i]; i++)
        if (strcmp(tool_verbs[i]->name, name) == 0) return tool_verbs[i];
    return NULL;
}

/* ---- mistyped words ---- */

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Damerau's distance with exchanges of neighbours. */
static int distance(const char *a, const char *b)
{
    int row[3][32], at = 0;
    const int longest = (int)(sizeof row[0] / sizeof row[0][0]) - 1;
    const int m = (int)strlen(a), n = (int)strlen(b);
    if (m > longest || n > longest) return m + n;
    for (int j = 0; j <= n; j++) row[0][j] = j;
    for (int i = 1; i <= m; i++) {
        const int before = at, further = (at + 2) % 3;
        at = (at + 1) % 3;
        row[at][0] = i;
        for (int j = 1; j <= n; j++) {
            row[at][j] = least(least(row[before][j], row[at][j - 1]) + 1,
                               row[before][j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[at][j] = least(row[at][j], row[further][j - 2] + 1);
        }
    }
    return row[at][n];
}

void tool_suggest(tool_suggestion *suggestion, const char *typed, const char *candidate)
{
    const int letters = (int)strlen(candidate), away = distance(typed, candidate);
    if (3 * away > letters + 2 || (suggestion->nearest && away >= suggestion->distance)) return;
    suggestion->nearest = candidate;
    suggestion->distance = away;
}

void tool_suggestion_words(const tool_suggestion *suggestion, const char *dashes, char *text,
                           size_t size)
{
    text[0] = '\0';
    if (suggestion->nearest)
        snprintf(text, size, "; did you mean '%s%s'?", dashes, suggestion->nearest);
}

saddle_status tool_solver_create(saddle_context *context, const char *name,
                                 const saddle_options *options, saddle_solver **solver)
{
    char message[1024], near[80];
    tool_suggestion suggestion = {0};
    const saddle_status status = saddle_solver_create(context, name, options, solver);
    if (status != SADDLE_UNKNOWN_NAME || saddle_solver_type_find(context, name)) return status;
    for (int64_t k = 0; saddle_solver_type_at(context, k); k++)
        tool_suggest(&suggestion, name, saddle_solver_type_at(context, k)->name);
    tool_suggestion_words(&suggestion, "", near, sizeof near);
    snprintf(message, sizeof message, "%s", saddle_context_message(context));
    return saddle_fail(context, status, "%s%s", message, near);
}

/* ---- help ---- */

void tool_help_print(void)
{
    printf(
        "saddle %s: constrained mechanical systems as one sparse saddle-point problem\n\n"
        "    M v - J'lambda     = f      lo <= lambda <= hi, or a friction law for each contact\n"
        "    J v + R lambda - b = w\n\n"
        "Usage: saddle VERB ARGUMENTS [options]\n\nVerbs:\n",
        saddle_version());
    for (int i = 0; tool_verbs[i]; i++)
        printf("  %-8s %-20s %s\n", tool_verbs[i]->name, tool_verbs[i]->arguments,
               tool_verbs[i]->summary);
    printf("\nPROBLEM is a bundle folder, an FCLIB .hdf5 file, a Siconos .dat file, or a matrix "
           "K.mtx with --rhs FILE; - is the standard input.\n"
           "saddle help VERB explains each verb; saddle --version prints the version.\n\n%s",
           tool_exit_code_help);
}

int tool_verb_help(const tool_verb *verb)
{
    void *request = calloc(1, verb->request_size + 1);
    if (!request) {
        tool_error("out of memory");
        return TOOL_EXIT_INTERNAL;
    }
    if (verb->defaults) verb->defaults(request);
    tool_options_help(verb, request);
    free(request);
    return TOOL_EXIT_SOLVED;
}

/* ---- the manual page, in man's macros ---- */

/* Text with the characters that roff reads escaped. */
static void print_escaped(const char *text)
{
    int begins = 1;
    for (; *text; text++) {
        if (begins && (*text == '.' || *text == '\'')) printf("\\&");
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else
            putchar(*text);
        begins = *text == '\n';
    }
}

static void print_option(const tool_option *option)
{
    printf(".TP\n.B \\-\\-");
    print_escaped(option->name);
    if (option->value) {
        printf(" \\fI");
        print_escaped(option->value);
        printf("\\fP");
    }
    for (const tool_word *word = option->value ? NULL : option->words; word && word->word; word++) {
        printf(word == option->words ? " \\fI" : "|");
        print_escaped(word->word);
    }
    printf("\\fR\n");
    print_escaped(option->help);
    printf("\n");
}

static void print_manual(void)
{
    printf(".TH SADDLE 1 \"\" \"saddle %s\" \"User Commands\"\n.SH NAME\nsaddle \\- constrained "
           "mechanical systems as one sparse saddle\\-point problem\n.SH SYNOPSIS\n",
           saddle_version());
    for (int i = 0; tool_verbs[i]; i++) {
        printf(".B saddle %s\n.I ", tool_verbs[i]->name);
        print_escaped(tool_verbs[i]->arguments);
        printf("\n[options]\n.br\n");
    }
    for (int i = 0; tool_verbs[i]; i++) {
        const tool_verb *verb = tool_verbs[i];
        printf(".SH SADDLE %s\n", verb->name);
        print_escaped(verb->summary);
        printf(".\n");
        for (const tool_group *group = verb->groups; group->title; group++)
            for (const tool_option *option = group->options; option->name; option++)
                print_option(option);
        printf(".PP\n.nf\n");
        print_escaped(verb->notes);
        printf(".fi\n");
    }
    printf(".SH EXIT STATUS\n.nf\n");
    print_escaped(tool_exit_code_help);
    printf(".fi\n");
}

/* ---- completion by bash ---- */

static void print_completion(void)
{
    printf("# bash completion of saddle; made from the option tables by saddle help --completion\n"
           "_saddle()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]}\n"
           "    local words=\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then words='");
    for (int i = 0; tool_verbs[i]; i++) printf("%s%s", i > 0 ? " " : "", tool_verbs[i]->name);
    printf("'\n    else case ${COMP_WORDS[1]} in\n");
    for (int i = 0; tool_verbs[i]; i++) {
        const tool_verb *verb = tool_verbs[i];
        printf("    %s) case $before in\n", verb->name);
        for (const tool_group *group = verb->groups; group->title; group++)
            for (const tool_option *option = group->options; option->name; option++) {
                if (!option->words) continue;
                printf("        --%s) words='", option->name);
                for (const tool_word *word = option->words; word->word; word++)
                    printf("%s%s", word > option->words ? " " : "", word->word);
                printf("' ;;\n");
            }
        printf("        --solver) words='");
        for (int64_t k = 0; saddle_solver_type_at(NULL, k); k++)
            printf("%s%s", k > 0 ? " " : "", saddle_solver_type_at(NULL, k)->name);
        printf("' ;;\n        *) words='--help");
        for (const tool_group *group = verb->groups; group->title; group++)
            for (const tool_option *option = group->options; option->name; option++)
                printf(" --%s", option->name);
        printf("' ;;\n        esac ;;\n");
    }
    printf("    esac; fi\n"
           "    mapfile -t COMPREPLY < <(compgen -W \"$words\" -- \"$word\")\n"
           "    case $word in -*) ;; *)\n"
           "        [ \"$COMP_CWORD\" -gt 1 ] && mapfile -t -O \"${#COMPREPLY[@]}\" COMPREPLY "
           "< <(compgen -f -- \"$word\") ;;\n"
           "    esac\n}\n"
           "complete -o filenames -F _saddle saddle\n");
}

/* ---- the verb ---- */

typedef struct help_request {
    int man, completion;
} help_request;

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    const help_request *request = given;
    char near[80];
    if (request->man) {
        print_manual();
    } else if (request->completion) {
        print_completion();
    } else if (!argument[0]) {
        tool_help_print();
    } else if (tool_verb_find(argument[0])) {
        session->code = tool_verb_help(tool_verb_find(argument[0]));
    } else {
        tool_suggestion suggestion = {0};
        for (int i = 0; tool_verbs[i]; i++)
            tool_suggest(&suggestion, argument[0], tool_verbs[i]->name);
        tool_suggestion_words(&suggestion, "", near, sizeof near);
        tool_error("unknown verb '%s'%s (see saddle --help)", argument[0], near);
        session->code = TOOL_EXIT_USAGE;
    }
    return SADDLE_OK;
}

static const tool_option own_options[] = {
    {"man", TOOL_FLAG, offsetof(help_request, man), .help = "the manual page, for man(1)"},
    {"completion", TOOL_FLAG, offsetof(help_request, completion),
     .help = "a script that completes words in bash"},
    {.name = NULL},
};

const tool_verb tool_verb_help_text = {
    .name = "help",
    .arguments = "[VERB]",
    .summary = "explain a verb",
    .request_size = sizeof(help_request),
    .groups = {{"Options", 0, own_options}},
    .run = run,
    .notes = "Examples:\n"
             "  saddle help solve\n"
             "  saddle help --man > saddle.1\n",
};
