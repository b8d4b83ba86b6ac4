/* SPDX-License-Identifier: MIT */
/* saddle info: sizes, structure and conditioning of a problem, without a solve. */
#include <math.h>
#include <stdio.h>

#include "facts.h"
#include "progress.h"
#include "spy.h"
#include "summary.h"
#include "text.h"

/* --rank and its like */
typedef struct rank_request {
    int wanted;    /* the report is asked for */
    int all_rows;  /* bounded rows and contacts too */
    int rigid;     /* compliance is ignored */
    int all_lines; /* every dependency, not the first few */
} rank_request;

typedef struct info_request {
    const char *spy;
    int json, quick;
    tool_input input;
    tool_friction friction;
    rank_request rank;
} info_request;

typedef struct info_work {
    saddle_context *context;  /* the session's */
    const tool_problem *read; /* the session's */
    tool_facts facts;
    saddle_rank rank;
} info_work;

/* ---- dependent rows ---- */

enum { LINES = 20, TERMS = 8, LINE_SIZE = 2000 }; /* shown at most */

static int wants_rank(const rank_request *request)
{
    return request->wanted || request->all_rows || request->rigid || request->all_lines;
}

static saddle_status find_dependencies(saddle_context *context, const saddle_problem *problem,
                                       const rank_request *request, saddle_rank *rank)
{
    saddle_rank_options options = saddle_rank_options_default();
    options.all_rows = request->all_rows;
    options.ignore_compliance = request->rigid;
    return saddle_rank_find(context, problem, &options, rank);
}

static void print_line(const saddle_problem *problem, const rank_request *request,
                       const saddle_dependency *d)
{
    char line[LINE_SIZE];
    saddle_rank_describe(problem, d, request->all_lines ? 0 : TERMS, line, sizeof line);
    printf("%s %s", d->inconsistent ? "contradicts" : "redundant  ", tool_text_shown(line).text);
    if (d->inconsistent)
        printf("   b differs by %.6g (%.2g of its terms)", d->gap, d->relative_gap);
    printf("\n");
}

static void print_dependencies(const saddle_problem *problem, const rank_request *request,
                               const saddle_rank *rank)
{
    printf("dependence  %lld of %lld %srows%s are independent, %lld redundant",
           (long long)rank->rank, (long long)rank->examined, request->all_rows ? "" : "equality ",
           request->rigid ? " of J" : " of [J R]",
           (long long)(rank->dependency_count - rank->inconsistent));
    if (rank->inconsistent > 0) printf(", %lld contradictory", (long long)rank->inconsistent);
    if (rank->rank > 0) printf(" [smallest singular value about %.2g]", rank->separation);
    printf("\n");
    int64_t shown = 0;
    for (int inconsistent = 1; inconsistent >= 0; inconsistent--) {
        for (int64_t t = 0; t < rank->dependency_count; t++) {
            if (rank->dependency[t].inconsistent != inconsistent) continue;
            if (shown == LINES && !request->all_lines) break;
            print_line(problem, request, &rank->dependency[t]);
            shown++;
        }
    }
    if (shown < rank->dependency_count)
        printf("            and %lld more: --all-lines\n",
               (long long)(rank->dependency_count - shown));
}

static json_t *dependency_to_json(const saddle_problem *problem, const saddle_dependency *d)
{
    json_t *terms = json_array();
    for (int64_t k = 0; k < d->count; k++)
        json_array_append_new(terms,
                              json_pack("[I, f]", (json_int_t)(d->other[k] + 1), d->factor[k]));
    const char *name = problem->row_name ? problem->row_name[d->row] : NULL;
    return json_pack("{s:I, s:I, s:o, s:o, s:f, s:o, s:f, s:b, s:b}", "row",
                     (json_int_t)(d->row + 1), "id",
                     (json_int_t)saddle_problem_row_id(problem, d->row), "name",
                     name ? tool_json_text(name) : json_null(), "terms", terms, "residual",
                     d->residual, "gap", tool_json_number(d->gap), "relative_gap", d->relative_gap,
                     "judged", d->judged, "inconsistent", d->inconsistent);
}

/* {examined, rank, separation, ordered, inconsistent, dependencies: [{row, id, name, terms: [[row,
 * factor], ..], residual, gap, relative_gap, judged, inconsistent}, ..]}; rows one-based. */
static json_t *dependencies_to_json(const saddle_problem *problem, const saddle_rank *rank)
{
    json_t *list = json_array();
    for (int64_t t = 0; t < rank->dependency_count; t++)
        json_array_append_new(list, dependency_to_json(problem, &rank->dependency[t]));
    return json_pack("{s:I, s:I, s:f, s:b, s:I, s:o}", "examined", (json_int_t)rank->examined,
                     "rank", (json_int_t)rank->rank, "separation", rank->separation, "ordered",
                     rank->ordered, "inconsistent", (json_int_t)rank->inconsistent, "dependencies",
                     list);
}

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
    const saddle_problem *problem = &work->read->problem;
    const tool_facts *facts = &work->facts;
    printf("name        %s\n", tool_text_shown(work->read->name).text);
    if (problem->source && problem->source[0])
        printf("source      %s\n", tool_text_shown(problem->source).text);
    printf("format      %s\n", saddle_format_word(work->read->format));
    printf("size        n = %lld velocities, m = %lld rows\n", (long long)facts->n,
           (long long)facts->m);
    tool_rhs_print(work->read);
    if (facts->m > 0) printf("rows        %s\n", tool_text_rows(problem).text + 2);
    if (facts->contacts > 0) {
        printf("friction    %s", saddle_law_word(problem->law));
        if (problem->law == SADDLE_LAW_PYRAMID)
            printf(", %lld facets", (long long)saddle_problem_facets(problem));
        printf(", mu %.3g .. %.3g\n", facts->mu.least, facts->mu.most);
    }
    if (work->read->attachments)
        print_attachments(work->read);
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
    const saddle_problem *problem = &work->read->problem;
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
    if (wants_rank(&request->rank)) print_dependencies(problem, &request->rank, &work->rank);
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
    const saddle_problem *problem = &work->read->problem;
    json_t *object = json_pack(
        "{s:o, s:o, s:s, s:I, s:I, s:I, s:o, s:{s:I, s:I, s:I, s:I}, s:{s:o, s:o, s:o, s:o, s:o}, "
        "s:{s:b, "
        "s:f, s:b, s:f}, "
        "s:o, s:o}",
        "name", tool_json_text(work->read->name), "source", tool_json_text(problem->source),
        "format", saddle_format_word(work->read->format), "n", (json_int_t)facts->n, "m",
        (json_int_t)facts->m, "contacts", (json_int_t)facts->contacts, "rows",
        rows_to_json(problem, facts), "entries", "M", (json_int_t)facts->entries_M, "J",
        (json_int_t)facts->entries_J, "R", (json_int_t)facts->entries_R, "K",
        (json_int_t)facts->entries_K, "magnitudes", "M", range_to_json(facts->M), "J",
        range_to_json(facts->J), "R", range_to_json(facts->R), "f", range_to_json(facts->f), "b",
        range_to_json(facts->b), "symmetry", "M_claimed", problem->M.symmetry == SADDLE_SYMMETRIC,
        "M_asymmetry", facts->asymmetry_M, "R_claimed", problem->R.symmetry == SADDLE_SYMMETRIC,
        "R_asymmetry", facts->asymmetry_R, "blocks_of_M", components_to_json(&facts->mass),
        "islands", components_to_json(&facts->system));
    if (object) tool_rhs_to_json(work->read, object);
    if (object && work->read->attachments) attachments_to_json(work->read, object);
    if (object && facts->estimated) {
        json_t *estimates = estimates_to_json(facts);
        json_object_update(object, estimates);
        json_decref(estimates);
    }
    if (object && wants_rank(&request->rank))
        json_object_set_new(object, "dependence", dependencies_to_json(problem, &work->rank));
    return tool_json_print(work->context, object);
}

/* ---- the verb ---- */

static saddle_status inform(const info_request *request, info_work *work)
{
    const saddle_problem *problem = &work->read->problem;
    tool_progress_phase("measure");
    saddle_status status = tool_facts_find(work->context, problem, !request->quick, &work->facts);
    if (status == SADDLE_OK && wants_rank(&request->rank))
        status = find_dependencies(work->context, problem, &request->rank, &work->rank);
    if (status == SADDLE_OK && request->spy)
        status = tool_spy_write(work->context, problem, request->spy);
    if (status) return status;
    tool_progress_erase();
    if (request->json) return print_json(request, work);
    print_text(request, work);
    return SADDLE_OK;
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    const info_request *request = given;
    saddle_status status = tool_session_open(session, &request->input);
    if (status == SADDLE_OK && request->spy)
        status = tool_spy_check(session->context, request->spy);
    if (status == SADDLE_OK)
        status = tool_session_read(session, argument[0], &request->input, &request->friction);
    if (status) return status;
    info_work work = {.context = session->context, .read = &session->read};
    status = inform(request, &work);
    tool_facts_clear(&work.facts);
    saddle_rank_clear(&work.rank);
    return status;
}

static const tool_option own_options[] = {
    {"spy", TOOL_TEXT, offsetof(info_request, spy), "FILE",
     .help = "picture of [M J'; J -R], .png or .svg"},
    {"json", TOOL_FLAG, offsetof(info_request, json), .help = "print one JSON object"},
    {"quick", TOOL_FLAG, offsetof(info_request, quick),
     .help = "leave out definiteness, condition and rank"},
    {.name = NULL},
};

static const tool_option rank_options[] = {
    {"rank", TOOL_FLAG, offsetof(rank_request, wanted),
     .help = "name the rows that depend on others, and contradictions"},
    {"all-rows", TOOL_FLAG, offsetof(rank_request, all_rows),
     .help = "the same with bounded rows and contacts, as if equalities"},
    {"rigid", TOOL_FLAG, offsetof(rank_request, rigid), .help = "the same without compliance"},
    {"all-lines", TOOL_FLAG, offsetof(rank_request, all_lines),
     .help = "every dependent row, not the first 20"},
    {.name = NULL},
};

const tool_verb tool_verb_info = {
    .name = "info",
    .arguments = "PROBLEM",
    .summary = "sizes, rows, structure, definiteness and rank of a problem",
    .request_size = sizeof(info_request),
    .groups = {{"Options", 0, own_options},
               {"Dependent rows", offsetof(info_request, rank), rank_options},
               {"Friction", offsetof(info_request, friction), tool_friction_options},
               {"Input", offsetof(info_request, input), tool_input_options}},
    .run = run,
    .notes = "Definiteness is exact up to rounding where blocks are small, else an estimate; [..]\n"
             "states which.  In the picture M is blue, J red, R green; in a large system darker\n"
             "cells hold more entries.\n\n"
             "Examples:\n"
             "  saddle info data/chain\n"
             "  saddle info data/loop --rank\n"
             "  saddle info data/hex-block --spy pattern.png\n",
};
