/* SPDX-License-Identifier: MIT */
/* saddle check: a solution folder judged by the independent checker, with the worst rows and
 * velocities by name. The checker names the worst row.  The next row is found by a second check
 * with the first made harmless: an equality with b such that w = 0; for a velocity, f is moved by
 * the defect. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/layout.h"
#include "progress.h"
#include "text.h"

typedef struct check_request {
    double tolerance;
    int64_t worst;
    int json;
    tool_input input;
    tool_friction friction;
} check_request;

typedef struct finding {
    int64_t at; /* row or velocity */
    char name[160];
    double lambda, w; /* of a row */
    double defect;    /* of a velocity: M v - J'lambda - f */
} finding;

/* Owned by a run; all-zero is fine to clear. */
typedef struct check_work {
    saddle_context *context;  /* the session's */
    const tool_problem *read; /* the session's */
    saddle_solution solution;
    saddle_residual residual;
    double w_error;
    saddle_certificate certificate; /* empty if absent */
    saddle_proof proof;
    saddle__layout layout;        /* of the arrays below */
    double *defect, *w, *checker; /* n; m; saddle_residual_work_size() */
    finding *rows, *velocities;   /* request->worst each */
    int64_t row_count, velocity_count;
    /* arrays of a problem in which found rows are harmless */
    saddle_contact *contacts;
    double *f, *b, *lo, *hi;
} check_work;

static void clear(check_work *work)
{
    saddle__layout_clear(work->context, &work->layout);
    saddle_certificate_clear(&work->certificate);
    saddle_solution_clear(&work->solution);
}

/* ---- the worst rows and velocities ---- */

static saddle_status make_arrays(saddle_context *context, const check_request *request,
                                 check_work *work)
{
    const saddle_problem *problem = &work->read->problem;
    const int64_t n = problem->n, m = problem->m;
    const saddle__array arrays[] = {SADDLE__ARRAY(work->defect, n),
                                    SADDLE__ARRAY(work->f, n),
                                    SADDLE__ARRAY(work->w, m),
                                    SADDLE__ARRAY(work->b, m),
                                    SADDLE__ARRAY(work->lo, m),
                                    SADDLE__ARRAY(work->hi, m),
                                    SADDLE__ARRAY(work->checker,
                                                  saddle_residual_work_size(problem)),
                                    SADDLE__ARRAY(work->contacts, problem->contact_count),
                                    SADDLE__ARRAY(work->rows, request->worst),
                                    SADDLE__ARRAY(work->velocities, request->worst)};
    return saddle__layout_make(context, &work->layout, arrays, SADDLE__LENGTH(arrays));
}

/* A problem with the same matrices, and vectors and contacts of its own. */
static saddle_problem harmless_copy(check_work *work)
{
    const saddle_problem *problem = &work->read->problem;
    saddle_problem copy = *problem;
    for (int64_t j = 0; j < problem->n; j++) work->f[j] = problem->f ? problem->f[j] : 0;
    for (int64_t i = 0; i < problem->m; i++) {
        work->b[i] = problem->b ? problem->b[i] : 0;
        work->lo[i] = saddle_problem_lo(problem, i);
        work->hi[i] = saddle_problem_hi(problem, i);
    }
    if (problem->contact_count > 0)
        memcpy(work->contacts, problem->contacts,
               (size_t)problem->contact_count * sizeof *work->contacts);
    copy.f = work->f;
    copy.b = work->b;
    copy.lo = work->lo;
    copy.hi = work->hi;
    copy.contacts = work->contacts;
    copy.owner = 0;
    return copy;
}

/* Rows [row, row + the contact's size) become equalities with w = 0. */
static void make_row_harmless(check_work *work, saddle_problem *copy, int64_t row)
{
    int64_t size = 1;
    for (int64_t k = 0; k < copy->contact_count; k++) {
        if (work->contacts[k].row != row) continue;
        size = work->contacts[k].size;
        copy->contact_count--;
        memmove(work->contacts + k, work->contacts + k + 1,
                (size_t)(copy->contact_count - k) * sizeof *work->contacts);
        break;
    }
    for (int64_t i = row; i < row + size; i++) {
        work->lo[i] = -(double)INFINITY;
        work->hi[i] = (double)INFINITY;
        work->b[i] += work->w[i];
    }
}

/* The worst row and velocity, then further ones above the tolerance. */
static void find_worst(const check_request *request, check_work *work)
{
    const saddle_problem *problem = &work->read->problem;
    const saddle_solution *solution = &work->solution;
    saddle_problem copy = harmless_copy(work);
    saddle_residual residual;
    saddle_matrix_apply(&copy.M, 1, solution->v, 0, work->defect);
    saddle_matrix_apply(&copy.Jt, -1, solution->lambda, 1, work->defect);
    for (int64_t j = 0; j < copy.n; j++) work->defect[j] -= copy.f[j];
    for (int64_t k = 0; k < request->worst; k++) {
        saddle_residual_compute(&copy, solution->v, solution->lambda, k == 0 ? work->w : NULL,
                                work->checker, &residual);
        const int row = residual.worst_row >= 0 &&
                        (k == 0 || fmax(residual.rows, residual.cone) > request->tolerance);
        const int velocity = residual.worst_velocity >= 0 &&
                             (k == 0 || residual.dynamics > request->tolerance);
        if (!row && !velocity) break;
        if (row) {
            const int64_t at = residual.worst_row;
            finding *found = &work->rows[work->row_count++];
            *found = (finding){.at = at, .lambda = solution->lambda[at], .w = work->w[at]};
            saddle_problem_describe_row(problem, at, found->name, sizeof found->name);
            make_row_harmless(work, &copy, at);
        }
        if (velocity) {
            const int64_t at = residual.worst_velocity;
            finding *found = &work->velocities[work->velocity_count++];
            *found = (finding){.at = at, .defect = work->defect[at]};
            saddle_problem_describe_velocity(problem, at, found->name, sizeof found->name);
            work->f[at] += work->defect[at];
        }
    }
}

/* ---- the report ---- */

static const char *verdict(const saddle_residual *residual, double tolerance)
{
    if (!isfinite(residual->total)) return "the numbers of the problem overflow double precision";
    if (saddle_residual_is_solved(residual, tolerance)) return "solved";
    return residual->total <= tolerance ? "not solved, by its growth" : "tolerance not reached";
}

static void print_report(const check_request *request, const check_work *work, const char *path)
{
    const saddle_residual *residual = &work->residual;
    const saddle_problem *problem = &work->read->problem;
    tool_problem_print(work->read);
    printf("solution   %s: w differs from J v + R lambda - b by %s\n", tool_text_shown(path).text,
           tool_text_figure(work->w_error).text);
    printf("status     %s: residual %s, tolerance %g\n", verdict(residual, request->tolerance),
           tool_text_figure(residual->total).text, request->tolerance);
    tool_residual_print("residual", residual);
    printf("   (natural map %s)\n", tool_text_figure(residual->natural_map).text);
    printf("           local %s   growth %s   normwise %s\n",
           tool_text_figure(residual->local).text, tool_text_figure(residual->growth).text,
           tool_text_figure(residual->normwise).text);
    for (int64_t k = 0; k < work->row_count; k++)
        printf("%s  %s: lambda %.4g, w %.4g\n", k == 0 ? "worst rows       " : "                 ",
               tool_text_shown(work->rows[k].name).text, work->rows[k].lambda, work->rows[k].w);
    for (int64_t k = 0; k < work->velocity_count; k++)
        printf("%s  %s: M v - J'lambda - f = %.4g\n",
               k == 0 ? "worst velocities " : "                 ",
               tool_text_shown(work->velocities[k].name).text, work->velocities[k].defect);
    if (!work->certificate.row) return;
    tool_proof_print(problem, &work->certificate, &work->proof);
    if (work->proof.kind != SADDLE_PROOF_NONE &&
        saddle_residual_is_solved(residual, request->tolerance))
        printf("           the answer stands: what contradicts is smaller than the tolerance\n");
}

static json_t *findings_to_json(const finding *list, int64_t count, int are_rows)
{
    json_t *array = json_array();
    for (int64_t k = 0; k < count; k++) {
        json_t *object = json_object();
        json_object_set_new(object, are_rows ? "row" : "velocity", json_integer(list[k].at + 1));
        json_object_set_new(object, "name", tool_json_text(list[k].name));
        if (are_rows) {
            json_object_set_new(object, "lambda", tool_json_number(list[k].lambda));
            json_object_set_new(object, "w", tool_json_number(list[k].w));
        } else {
            json_object_set_new(object, "defect", tool_json_number(list[k].defect));
        }
        json_array_append_new(array, object);
    }
    return array;
}

static saddle_status print_json(const check_request *request, const check_work *work)
{
    const saddle_residual *residual = &work->residual;
    static const char *const units[] = {"lambda",     "N s, N m s", "w", "m/s, rad/s", "defect",
                                        "N s, N m s", "residual",   "1", NULL};
    json_t *object = json_object(), *figures = json_object();
    json_object_set_new(object, "name", tool_json_text(work->read->name));
    json_object_set_new(object, "solved",
                        json_boolean(saddle_residual_is_solved(residual, request->tolerance)));
    json_object_set_new(object, "tolerance", tool_json_number(request->tolerance));
#define SET(field) json_object_set_new(figures, #field, tool_json_number(residual->field));
    SADDLE_RESIDUAL_FIGURES(SET)
#undef SET
    json_object_set_new(object, "residual", figures);
    json_object_set_new(object, "w_error", tool_json_number(work->w_error));
    tool_units_to_json(object, units);
    tool_rhs_to_json(work->read, object);
    json_object_set_new(object, "worst_rows", findings_to_json(work->rows, work->row_count, 1));
    json_object_set_new(object, "worst_velocities",
                        findings_to_json(work->velocities, work->velocity_count, 0));
    if (work->certificate.row)
        json_object_set_new(object, "proof",
                            tool_proof_to_json(&work->read->problem, &work->certificate,
                                               &work->proof));
    return tool_json_print(work->context, object);
}

static saddle_status check_certificate(const char *path, check_work *work)
{
    const saddle_problem *problem = &work->read->problem;
    const saddle_status status = saddle_certificate_read(work->context, path, problem->n,
                                                         problem->m, &work->certificate);
    if (status || !work->certificate.row) return status;
    return saddle_certificate_check(work->context, problem, &work->certificate, &work->proof);
}

/* ---- the verb ---- */

static saddle_status check(const check_request *request, const char *path, check_work *work)
{
    const saddle_problem *problem = &work->read->problem;
    saddle_status status = tool_solution_read(work->context, path, problem, "", &work->solution);
    if (status) return status;
    status = saddle_solution_check(work->context, problem, &work->solution, &work->residual,
                                   &work->w_error);
    if (status == SADDLE_OK) status = check_certificate(path, work);
    if (status) return status;
    status = make_arrays(work->context, request, work);
    if (status) return status;
    find_worst(request, work);
    tool_progress_erase();
    if (request->json) return print_json(request, work);
    print_report(request, work, path);
    return SADDLE_OK;
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    const check_request *request = given;
    saddle_status status = tool_session_read(session, argument[0], &request->input,
                                             &request->friction);
    if (status) return status;
    check_work work = {.context = session->context, .read = &session->read};
    status = check(request, argument[1], &work);
    if (!saddle_residual_is_solved(&work.residual, request->tolerance))
        session->code = TOOL_EXIT_TOLERANCE;
    clear(&work);
    return status;
}

static void defaults(void *given)
{
    check_request *request = given;
    request->tolerance = saddle_options_default().tolerance;
    request->worst = 5;
}

static const tool_option own_options[] = {
    {"tol", TOOL_NUMBER, offsetof(check_request, tolerance), "T",
     .help = "solved when the total residual is at most T"},
    {"worst", TOOL_COUNT, offsetof(check_request, worst), "N",
     .help = "rows and velocities named at most", .most = 10000},
    {"json", TOOL_FLAG, offsetof(check_request, json), .help = "print one JSON object"},
    {.name = NULL},
};

const tool_verb tool_verb_check = {
    .name = "check",
    .arguments = "PROBLEM SOLUTION",
    .summary = "judge a solution folder, whoever made it",
    .request_size = sizeof(check_request),
    .defaults = defaults,
    .groups = {{"Options", 0, own_options},
               {"Friction", offsetof(check_request, friction), tool_friction_options},
               {"Input", offsetof(check_request, input), tool_input_options}},
    .run = run,
    .notes = "SOLUTION is a folder with v.mtx, lambda.mtx and w.mtx.  Named are the worst row and\n"
             "velocity, and the next ones above the tolerance.  With a certificate.mtx the report\n"
             "states whether it proves that there is no solution.\n\n"
             "Examples:\n"
             "  saddle solve data/chain --output answer\n"
             "  saddle check data/chain answer --tol 1e-8\n",
};
