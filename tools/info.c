/* SPDX-License-Identifier: MIT */
/* saddle info: what a problem is, before anyone solves it. */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "dependencies.h"
#include "facts.h"
#include "failure.h"
#include "input.h"
#include "progress.h"
#include "spy.h"
#include "text.h"
#include "verbs.h"

typedef struct info_request {
    const char *spy;
    int json, quick;
    tool_input input;
    tool_friction friction;
    tool_rank_request rank;
} info_request;

typedef struct info_work {
    saddle_context *context;
    tool_problem read;
    tool_facts facts;
    saddle_rank rank;
} info_work;

/* ---- as text ---- */

static void print_range(const char *what, tool_range range)
{
    if (range.most > 0) printf("   %s %.3g .. %.3g", what, range.least, range.most);
}

static void print_symmetry(const char *what, const saddle_matrix *A, double asymmetry)
{
    if (saddle_matrix_entries(A) == 0) return;
    if (A->symmetry == SADDLE_SYMMETRIC)
        printf("   %s symmetric as claimed (one triangle is stored)", what);
    else
        printf("   %s not claimed, asymmetry %.2g", what, asymmetry);
}

static void print_components(const char *what, const char *one, const tool_components *found)
{
    printf("   %s: %lld %s%s", what, (long long)found->count, one, found->count == 1 ? "" : "s");
    if (found->count > 0 && found->largest == found->smallest)
        printf(" of %lld", (long long)found->largest);
    else if (found->count > 0)
        printf(" of %lld to %lld", (long long)found->smallest, (long long)found->largest);
}

/* Rows and sizes are those of the whole problem, with attachments as rows. */
static void count_states(const saddle_attachments *graph, int64_t state[4])
{
    for (int64_t c = 0; c < saddle_attachments_count(graph); c++)
        state[saddle_attachments_component(graph, c).state]++;
}

static void print_attachments(const tool_problem *read)
{
    int64_t state[4] = {0};
    count_states(read->attachments, state);
    printf("components  %lld: %lld active, %lld attached, %lld attached in part, %lld prescribed\n",
           (long long)saddle_attachments_count(read->attachments), (long long)state[SADDLE_ACTIVE],
           (long long)state[SADDLE_ATTACHED], (long long)state[SADDLE_PARTLY_ATTACHED],
           (long long)state[SADDLE_PARAMETRIC]);
    printf("attached    %lld of the rows keep attachments and prescribed velocities; saddle reduce "
           "eliminates them\n",
           (long long)(read->problem.m - read->unreduced.m));
}

static void print_problem(const info_work *work)
{
    const saddle_problem *problem = &work->read.problem;
    const tool_facts *facts = &work->facts;
    char rows[160];
    tool_text_rows(problem, rows, sizeof rows);
    printf("name        %s\n", tool_text_shown(work->read.name).text);
    if (problem->source && problem->source[0])
        printf("source      %s\n", tool_text_shown(problem->source).text);
    printf("format      %s\n", saddle_format_word(work->read.format));
    printf("size        n = %lld velocities, m = %lld rows\n", (long long)facts->n,
           (long long)facts->m);
    tool_rhs_print(&work->read);
    if (facts->m > 0) printf("rows        %s\n", rows + 2);
    if (facts->contacts > 0) {
        printf("friction    %s", saddle_law_word(problem->law));
        if (problem->law == SADDLE_LAW_PYRAMID)
            printf(", %lld facets", (long long)saddle_problem_facets(problem));
        printf(", mu %.3g .. %.3g\n", facts->mu.least, facts->mu.most);
    }
    if (work->read.attachments)
        print_attachments(&work->read);
    else if (problem->component_count > 0)
        printf("components  %lld named\n", (long long)problem->component_count);
    if (problem->time_step > 0) printf("time step   %g s\n", problem->time_step);
}

static void print_estimates(const tool_facts *facts)
{
    const tool_definiteness *found = &facts->definiteness;
    printf("definite    %s is %s", facts->square, tool_definiteness_word(facts));
    if (found->known)
        printf(" (%lld positive, %lld negative, %lld zero)", (long long)found->positive,
               (long long)found->negative, (long long)found->zero);
    if (isfinite(found->smallest))
        printf(", eigenvalues %.3g .. %.3g", found->smallest, found->largest);
    if (!isnan(found->condition)) printf(", condition %.2g", found->condition);
    printf(" [%s]\n", found->how);
    if (facts->m == 0) return;
    if (facts->rank.known)
        printf("rank        %s has %lld independent rows of %lld [%s]\n", facts->ranked,
               (long long)facts->rank.rank, (long long)facts->m, facts->rank.how);
    else
        printf("rank        of %s not known [%s]\n", facts->ranked, facts->rank.how);
}

static void print_text(const info_request *request, const info_work *work)
{
    const tool_facts *facts = &work->facts;
    const saddle_problem *problem = &work->read.problem;
    print_problem(work);
    printf("entries  %s M %lld   J %lld   R %lld   K = [M J'; J -R] %lld\n", "  ",
           (long long)facts->entries_M, (long long)facts->entries_J, (long long)facts->entries_R,
           (long long)facts->entries_K);
    printf("magnitudes ");
    print_range("M", facts->M);
    print_range("J", facts->J);
    print_range("R", facts->R);
    print_range("f", facts->f);
    print_range("b", facts->b);
    printf("\nsymmetry   ");
    print_symmetry("M", &problem->M, facts->asymmetry_M);
    print_symmetry("R", &problem->R, facts->asymmetry_R);
    printf("\nstructure  ");
    if (facts->n > 0) print_components("M", "diagonal block", &facts->mass);
    print_components("system", "island", &facts->system);
    printf("\n");
    if (facts->estimated) print_estimates(facts);
    if (tool_dependencies_wanted(&request->rank))
        tool_dependencies_print(problem, &request->rank, &work->rank);
    if (request->spy) printf("picture     %s\n", tool_text_shown(request->spy).text);
}

/* ---- as JSON ---- */

static void attachments_to_json(const tool_problem *read, json_t *object)
{
    int64_t state[4] = {0};
    count_states(read->attachments, state);
    json_object_set_new(object, "attachments",
                        json_pack("{s:I, s:I, s:I, s:I, s:I}", "active",
                                  (json_int_t)state[SADDLE_ACTIVE], "attached",
                                  (json_int_t)state[SADDLE_ATTACHED], "in_part",
                                  (json_int_t)state[SADDLE_PARTLY_ATTACHED], "prescribed",
                                  (json_int_t)state[SADDLE_PARAMETRIC], "rows",
                                  (json_int_t)(read->problem.m - read->unreduced.m)));
}

static json_t *range_to_json(tool_range range)
{
    return json_pack("[o, o]", tool_json_number(range.least), tool_json_number(range.most));
}

static json_t *components_to_json(const tool_components *found)
{
    return json_pack("{s:I, s:I, s:I}", "count", (json_int_t)found->count, "smallest",
                     (json_int_t)found->smallest, "largest", (json_int_t)found->largest);
}

static json_t *estimates_to_json(const tool_facts *facts)
{
    const tool_definiteness *found = &facts->definiteness;
    json_t *definiteness = json_pack("{s:s, s:s, s:I, s:I, s:I, s:s}", "matrix", facts->square,
                                     "kind", tool_definiteness_word(facts), "positive",
                                     (json_int_t)found->positive, "negative",
                                     (json_int_t)found->negative, "zero", (json_int_t)found->zero,
                                     "how", found->how);
    json_object_set_new(definiteness, "smallest_eigenvalue", tool_json_number(found->smallest));
    json_object_set_new(definiteness, "largest_eigenvalue", tool_json_number(found->largest));
    json_object_set_new(definiteness, "condition", tool_json_number(found->condition));
    return json_pack("{s:o, s:{s:s, s:o, s:s}}", "definiteness", definiteness, "rank", "matrix",
                     facts->ranked, "rank",
                     facts->rank.known ? json_integer((json_int_t)facts->rank.rank) : json_null(),
                     "how", facts->rank.how);
}

static json_t *rows_to_json(const saddle_problem *problem, const tool_facts *facts)
{
    return json_pack("{s:I, s:I, s:I, s:I, s:s, s:I, s:o}", "equality",
                     (json_int_t)facts->rows.equality, "unilateral",
                     (json_int_t)facts->rows.unilateral, "box", (json_int_t)facts->rows.box,
                     "contact", (json_int_t)facts->rows.contact, "law",
                     saddle_law_word(problem->law), "facets",
                     (json_int_t)saddle_problem_facets(problem), "mu", range_to_json(facts->mu));
}

static saddle_status print_json(const info_request *request, const info_work *work)
{
    const tool_facts *facts = &work->facts;
    const saddle_problem *problem = &work->read.problem;
    json_t *object = json_pack(
        "{s:o, s:o, s:s, s:I, s:I, s:I, s:o, s:{s:I, s:I, s:I, s:I}, s:{s:o, s:o, s:o, s:o, s:o}, "
        "s:{s:b, "
        "s:f, s:b, s:f}, "
        "s:o, s:o}",
        "name", tool_json_text(work->read.name), "source", tool_json_text(problem->source),
        "format", saddle_format_word(work->read.format), "n", (json_int_t)facts->n, "m",
        (json_int_t)facts->m, "contacts", (json_int_t)facts->contacts, "rows",
        rows_to_json(problem, facts), "entries", "M", (json_int_t)facts->entries_M, "J",
        (json_int_t)facts->entries_J, "R", (json_int_t)facts->entries_R, "K",
        (json_int_t)facts->entries_K, "magnitudes", "M", range_to_json(facts->M), "J",
        range_to_json(facts->J), "R", range_to_json(facts->R), "f", range_to_json(facts->f), "b",
        range_to_json(facts->b), "symmetry", "M_claimed", problem->M.symmetry == SADDLE_SYMMETRIC,
        "M_asymmetry", facts->asymmetry_M, "R_claimed", problem->R.symmetry == SADDLE_SYMMETRIC,
        "R_asymmetry", facts->asymmetry_R, "blocks_of_M", components_to_json(&facts->mass),
        "islands", components_to_json(&facts->system));
    if (object) tool_rhs_to_json(&work->read, object);
    if (object && work->read.attachments) attachments_to_json(&work->read, object);
    if (object && facts->estimated) {
        json_t *estimates = estimates_to_json(facts);
        json_object_update(object, estimates);
        json_decref(estimates);
    }
    if (object && tool_dependencies_wanted(&request->rank))
        json_object_set_new(object, "dependence", tool_dependencies_to_json(problem, &work->rank));
    const int failed = tool_json_print(object);
    json_decref(object);
    return failed ? saddle_fail(work->context, SADDLE_OUT_OF_MEMORY, "out of memory for the report")
                  : SADDLE_OK;
}

/* ---- the verb ---- */

static saddle_status inform(const info_request *request, const char *path, info_work *work)
{
    saddle_status status = tool_context_create(&request->input, &work->context);
    if (status) return status;
    if (request->spy && !tool_spy_can_write(request->spy))
        return saddle_fail(work->context, SADDLE_INVALID_ARGUMENT,
                           "--spy %s: the name must end in .png or .svg", request->spy);
    status = tool_problem_read(work->context, path, &request->input, &request->friction,
                               &work->read);
    if (status) return status;
    tool_progress_label(work->read.name);
    tool_progress_phase("measure");
    status = tool_facts_find(work->context, &work->read.problem, !request->quick, &work->facts);
    if (status) return status;
    if (tool_dependencies_wanted(&request->rank))
        status = tool_dependencies_find(work->context, &work->read.problem, &request->rank,
                                        &work->rank);
    if (status) return status;
    if (request->spy) status = tool_spy_write(work->context, &work->read.problem, request->spy);
    if (status) return status;
    tool_progress_erase();
    if (request->json) return print_json(request, work);
    print_text(request, work);
    return SADDLE_OK;
}

static int run(const void *given, int count, char **argument)
{
    (void)count;
    const info_request *request = given;
    info_work work = {0};
    tool_progress_start(request->json && !isatty(STDOUT_FILENO));
    const saddle_status status = inform(request, argument[0], &work);
    const int code = status ? tool_fail(work.context, status) : TOOL_EXIT_SOLVED;
    tool_facts_clear(&work.facts);
    saddle_rank_clear(&work.rank);
    tool_problem_clear(&work.read);
    saddle_context_free(work.context);
    tool_progress_stop();
    return code;
}

static void defaults(void *given)
{
    info_request *request = given;
    tool_friction_defaults(&request->friction);
}

static const tool_option own_options[] = {
    {.name = "spy",
     .value = "FILE",
     .kind = TOOL_TEXT,
     .offset = offsetof(info_request, spy),
     .help = "picture of [M J'; J -R], .png or .svg"},
    {.name = "json",
     .kind = TOOL_FLAG,
     .offset = offsetof(info_request, json),
     .help = "print one JSON object"},
    {.name = "quick",
     .kind = TOOL_FLAG,
     .offset = offsetof(info_request, quick),
     .help = "leave out definiteness, condition and rank"},
    {.name = NULL},
};

static const tool_option rank_options[] = {
    {.name = "rank",
     .kind = TOOL_FLAG,
     .offset = offsetof(tool_rank_request, wanted),
     .help = "name the rows that depend on others, and contradictions"},
    {.name = "all-rows",
     .kind = TOOL_FLAG,
     .offset = offsetof(tool_rank_request, all_rows),
     .help = "the same with bounded rows and contacts, as if equalities"},
    {.name = "rigid",
     .kind = TOOL_FLAG,
     .offset = offsetof(tool_rank_request, rigid),
     .help = "the same without compliance"},
    {.name = "all-lines",
     .kind = TOOL_FLAG,
     .offset = offsetof(tool_rank_request, all_lines),
     .help = "every dependent row, not the first 20"},
    {.name = NULL},
};

static const tool_group groups[] = {
    {"Options", 0, own_options},
    {"Dependent rows", offsetof(info_request, rank), rank_options},
    {"Friction", offsetof(info_request, friction), tool_friction_options},
    {"Input", offsetof(info_request, input), tool_input_options},
    {NULL, 0, NULL},
};

const tool_verb tool_verb_info = {
    .name = "info",
    .arguments = "PROBLEM",
    .summary = "sizes, rows, structure, definiteness and rank of a problem",
    .least = 1,
    .most = 1,
    .request_size = sizeof(info_request),
    .defaults = defaults,
    .groups = groups,
    .run = run,
    .notes =
        "Definiteness is exact up to rounding where blocks are small, else an estimate; [..] says "
        "how.  "
        "In the\n"
        "picture M is blue, J red, R green; in a large system darker cells hold more entries.\n\n"
        "Examples:\n"
        "  saddle info data/chain\n"
        "  saddle info data/loop --rank\n"
        "  saddle info data/hex-block --spy pattern.png\n",
};
