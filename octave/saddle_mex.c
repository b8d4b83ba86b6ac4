/* SPDX-License-Identifier: MIT */
/* The gate between Octave or MATLAB and the library: saddle.m calls with checked arguments.
 *
 *     solution = saddle_mex("solve", problem, options)
 *     residual = saddle_mex("check", problem, solution)
 *
 * problem, options, solution: structs of double arrays and texts; matrices are sparse. Arrays of
 * the caller are borrowed for the call. Memory of the library is released before an error is
 * raised, since mexErrMsgIdAndTxt does not return. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <mex.h>
#include <saddle/saddle.h>

#define LARGEST_INTEGER 9007199254740992.0 /* 2^53 */

_Static_assert(sizeof(mwIndex) == sizeof(int64_t), "sparse matrices have 64-bit indices");

/* What a call has made, released by leave(). */
typedef struct gate {
    saddle_context *context;
    saddle_problem problem; /* arrays borrowed, matrices and contacts owned */
    saddle_solution solution;
    saddle_report report;
    saddle_contact *contacts; /* by mxCalloc */
    char wrong[200];          /* the fault of an argument; "" = see the context's message */
} gate;

/* ---- reading structs ---- */

static saddle_status refuse(gate *at, const char *name, const char *what)
{
    snprintf(at->wrong, sizeof at->wrong, "%s: %s", name, what);
    return SADDLE_INVALID_ARGUMENT;
}

static const mxArray *field_of(const mxArray *from, const char *name)
{
    const mxArray *field = mxGetField(from, 0, name);
    return field && !mxIsEmpty(field) ? field : NULL;
}

static double number_of(const mxArray *from, const char *name, double otherwise)
{
    const mxArray *field = field_of(from, name);
    return field && mxIsDouble(field) ? mxGetScalar(field) : otherwise;
}

/* *number: the whole number in a field, or `otherwise` for a missing field. */
static saddle_status read_integer(gate *at, const mxArray *from, const char *name,
                                  int64_t otherwise, int64_t *number)
{
    const double x = number_of(from, name, (double)otherwise);
    if (!(x >= -LARGEST_INTEGER && x <= LARGEST_INTEGER && floor(x) == x))
        return refuse(at, name, "not a whole number");
    *number = (int64_t)x;
    return SADDLE_OK;
}

/* NULL: no such field; released by mxFree. */
static char *text_of(const mxArray *from, const char *name)
{
    const mxArray *field = field_of(from, name);
    return field && mxIsChar(field) ? mxArrayToString(field) : NULL;
}

/* *array: the values of a field, borrowed; NULL where absent. */
static saddle_status read_vector(gate *at, const mxArray *from, const char *name, int64_t count,
                                 double **array)
{
    const mxArray *field = field_of(from, name);
    *array = NULL;
    if (!field) return SADDLE_OK;
    if (!mxIsDouble(field) || mxIsSparse(field) || mxIsComplex(field))
        return refuse(at, name, "not an array of real numbers");
    if ((int64_t)mxGetNumberOfElements(field) != count) {
        char size[80];
        snprintf(size, sizeof size, "%lld entries, not %lld",
                 (long long)mxGetNumberOfElements(field), (long long)count);
        return refuse(at, name, size);
    }
    *array = mxGetPr(field);
    return SADDLE_OK;
}

static saddle_status read_matrix(gate *at, const mxArray *from, const char *name, int64_t rows,
                                 int64_t cols, saddle_matrix *A)
{
    const mxArray *field = field_of(from, name);
    if (!field) return saddle_matrix_create(at->context, rows, cols, 0, SADDLE_SYMMETRY_NONE, A);
    if (!mxIsSparse(field) || !mxIsDouble(field) || mxIsComplex(field))
        return refuse(at, name, "not a real sparse matrix");
    if ((int64_t)mxGetM(field) != rows || (int64_t)mxGetN(field) != cols) {
        char size[120];
        snprintf(size, sizeof size, "%lld x %lld, not %lld x %lld", (long long)mxGetM(field),
                 (long long)mxGetN(field), (long long)rows, (long long)cols);
        return refuse(at, name, size);
    }
    return saddle_matrix_from_csc(at->context, rows, cols, (const int64_t *)mxGetJc(field),
                                  (const int64_t *)mxGetIr(field), mxGetPr(field),
                                  SADDLE_SYMMETRY_NONE, A);
}

/* contacts: one row each, (first row counted from 1, rows, mu, torsion, rolling). */
static saddle_status read_contacts(gate *at, const mxArray *from)
{
    saddle_problem *problem = &at->problem;
    const mxArray *field = field_of(from, "contacts");
    char *law = text_of(from, "law");
    saddle_status status = law ? saddle_law_from_word(law, &problem->law) : SADDLE_OK;
    if (status != SADDLE_OK) status = refuse(at, "law", "not cone, pyramid, box or associated");
    mxFree(law);
    if (status == SADDLE_OK) status = read_integer(at, from, "facets", 0, &problem->facets);
    if (status != SADDLE_OK || !field) return status;
    const int64_t count = (int64_t)mxGetM(field);
    if (!mxIsDouble(field) || mxGetN(field) != 5) return refuse(at, "contacts", "not of 5 columns");
    const double *x = mxGetPr(field);
    for (int64_t k = 0; k < 2 * count; k++)
        if (!(fabs(x[k]) <= LARGEST_INTEGER && floor(x[k]) == x[k]))
            return refuse(at, "contacts", "a first row or a number of rows is not a whole number");
    at->contacts = mxCalloc((size_t)count, sizeof *at->contacts);
    for (int64_t k = 0; k < count; k++)
        at->contacts[k] = (saddle_contact){.row = (int64_t)x[k] - 1,
                                           .size = (int64_t)x[k + count],
                                           .mu = x[k + 2 * count],
                                           .mu_torsion = x[k + 3 * count],
                                           .mu_rolling = x[k + 4 * count]};
    problem->contacts = at->contacts;
    problem->contact_count = count;
    return SADDLE_OK;
}

static saddle_status read_problem(gate *at, const mxArray *from)
{
    saddle_problem *problem = &at->problem;
    saddle_matrix J = {0};
    saddle_status status = read_integer(at, from, "n", 0, &problem->n);
    if (status == SADDLE_OK) status = read_integer(at, from, "m", 0, &problem->m);
    if (status == SADDLE_OK)
        status = read_matrix(at, from, "M", problem->n, problem->n, &problem->M);
    if (status == SADDLE_OK) status = read_matrix(at, from, "J", problem->m, problem->n, &J);
    if (status == SADDLE_OK) status = saddle_matrix_transpose(at->context, &J, &problem->Jt);
    saddle_matrix_clear(&J);
    if (status == SADDLE_OK)
        status = read_matrix(at, from, "R", problem->m, problem->m, &problem->R);
    if (status == SADDLE_OK) status = read_vector(at, from, "f", problem->n, &problem->f);
    if (status == SADDLE_OK) status = read_vector(at, from, "b", problem->m, &problem->b);
    if (status == SADDLE_OK) status = read_vector(at, from, "lo", problem->m, &problem->lo);
    if (status == SADDLE_OK) status = read_vector(at, from, "hi", problem->m, &problem->hi);
    if (status == SADDLE_OK) status = read_contacts(at, from);
    if (status == SADDLE_OK) status = saddle_problem_check(at->context, problem, NULL, NULL);
    return status;
}

/* ---- writing structs ---- */

static void set_number(mxArray *to, const char *name, double x)
{
    mxAddField(to, name);
    mxSetField(to, 0, name, mxCreateDoubleScalar(x));
}

static void set_text(mxArray *to, const char *name, const char *text)
{
    mxAddField(to, name);
    mxSetField(to, 0, name, mxCreateString(text ? text : ""));
}

static void set_vector(mxArray *to, const char *name, int64_t count, const double *x)
{
    mxArray *made = mxCreateDoubleMatrix((mwSize)count, 1, mxREAL);
    if (count > 0) memcpy(mxGetPr(made), x, (size_t)count * sizeof *x);
    mxAddField(to, name);
    mxSetField(to, 0, name, made);
}

static mxArray *residual_struct(const saddle_residual *r)
{
    mxArray *made = mxCreateStructMatrix(1, 1, 0, NULL);
    set_number(made, "total", r->total);
    set_number(made, "dynamics", r->dynamics);
    set_number(made, "rows", r->rows);
    set_number(made, "cone", r->cone);
    set_number(made, "local", r->local);
    set_number(made, "growth", r->growth);
    return made;
}

/* ---- the calls ---- */

static saddle_status solve(gate *at, const mxArray *given, saddle_status *outcome)
{
    saddle_options options = saddle_options_default();
    const saddle_status status = read_integer(at, given, "max_iterations", 0,
                                              &options.max_iterations);
    if (status != SADDLE_OK) return status;
    char *solver = text_of(given, "solver"), *settings = text_of(given, "settings");
    options.tolerance = number_of(given, "tolerance", options.tolerance);
    options.time_limit = number_of(given, "time_limit", options.time_limit);
    options.regularization = number_of(given, "regularization", options.regularization);
    options.settings = settings;
    *outcome = saddle_solve(at->context, &at->problem, solver ? solver : "auto", &options, NULL,
                            &at->solution, &at->report);
    mxFree(solver);
    mxFree(settings);
    return *outcome < 0 ? *outcome : SADDLE_OK;
}

static mxArray *solution_struct(const gate *at, saddle_status outcome)
{
    const saddle_report *report = &at->report;
    mxArray *made = mxCreateStructMatrix(1, 1, 0, NULL);
    set_vector(made, "v", at->solution.n, at->solution.v);
    set_vector(made, "lambda", at->solution.m, at->solution.lambda);
    set_vector(made, "w", at->solution.m, at->solution.w);
    set_text(made, "status", saddle_status_name(outcome));
    set_text(made, "message", outcome == SADDLE_OK ? "" : saddle_context_message(at->context));
    set_text(made, "solver", report->solver);
    set_text(made, "note", report->note);
    set_number(made, "iterations", (double)report->iterations);
    mxAddField(made, "residual");
    mxSetField(made, 0, "residual", residual_struct(&report->residual));
    return made;
}

/* solution: v, lambda, and w if present. */
static saddle_status check(gate *at, const mxArray *from, saddle_residual *residual)
{
    saddle_solution given = {.n = at->problem.n, .m = at->problem.m};
    double *w = NULL;
    saddle_status status = read_vector(at, from, "v", given.n, &given.v);
    if (status == SADDLE_OK) status = read_vector(at, from, "lambda", given.m, &given.lambda);
    if (status == SADDLE_OK) status = read_vector(at, from, "w", given.m, &w);
    if (status == SADDLE_OK && ((given.n > 0 && !given.v) || (given.m > 0 && !given.lambda)))
        status = refuse(at, "solution", "has no v or no lambda");
    given.w = w;
    if (status == SADDLE_OK)
        status = saddle_solution_check(at->context, &at->problem, &given, residual, NULL);
    return status;
}

/* Releases everything and raises an error for a negative status. */
static void leave(gate *at, saddle_status status)
{
    char message[1200], name[80];
    snprintf(name, sizeof name, "saddle:%s", saddle_status_name(status));
    snprintf(message, sizeof message, "%s",
             at->wrong[0] ? at->wrong : saddle_context_message(at->context));
    if (!message[0]) snprintf(message, sizeof message, "%s", saddle_status_text(status));
    saddle_matrix_clear(&at->problem.M);
    saddle_matrix_clear(&at->problem.Jt);
    saddle_matrix_clear(&at->problem.R);
    saddle_solution_clear(&at->solution);
    saddle_context_free(at->context);
    mxFree(at->contacts);
    if (status < 0) mexErrMsgIdAndTxt(name, "%s", message);
}

void mexFunction(int outputs, mxArray **output, int inputs, const mxArray **input)
{
    gate at = {0};
    saddle_status outcome = SADDLE_OK;
    (void)outputs;
    if (inputs != 3 || !mxIsChar(input[0]) || !mxIsStruct(input[1]) || !mxIsStruct(input[2]))
        mexErrMsgIdAndTxt("saddle:SADDLE_INVALID_ARGUMENT", "saddle_mex: called by saddle alone");
    char *verb = mxArrayToString(input[0]);
    const int solves = strcmp(verb, "solve") == 0;
    mxFree(verb);
    saddle_status status = saddle_context_create(NULL, &at.context);
    if (status == SADDLE_OK) status = read_problem(&at, input[1]);
    if (status == SADDLE_OK && solves) {
        status = solve(&at, input[2], &outcome);
        if (status == SADDLE_OK) output[0] = solution_struct(&at, outcome);
    } else if (status == SADDLE_OK) {
        saddle_residual residual;
        status = check(&at, input[2], &residual);
        if (status == SADDLE_OK) output[0] = residual_struct(&residual);
    }
    leave(&at, status);
}
