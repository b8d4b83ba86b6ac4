/* SPDX-License-Identifier: MIT */
/* MuJoCo's own soft contact problem by mj_fwdConstraint (its Newton method) and by ours, with the
 * forces of both compared.  The state is that of boxes 1.5 s after they were dropped:
 *
 *     M a - J'f = qfrc_smooth,    w = J a + R f - aref
 *
 *     elliptic cones    w in K*, f in K, w'f = 0, K = {|f_t| <= mu f_n}: the law `associated`
 *     pyramidal cones   a row for each edge, 0 <= f _|_ w >= 0
 *
 * These are the optimality conditions of min 1/2 f'(A + R) f + f'(a0 - aref) over the cones
 * (Todorov, Convex and analytically-invertible dynamics with contacts and constraints, ICRA 2014).
 * R > 0: forces are unique.  Both begin cold: MuJoCo from qacc_smooth, ours from zeros with create,
 * analyse and factor. */
#include <inttypes.h>
#include <math.h>
#include <mujoco/mujoco.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "clock.h"
#include "contact/blocks.h"
#include "generators/builder.h"
#include "generators/draw.h"

enum { PILES = 2, CONES = 2, BOXES = 200, TIMES = 3, ROW = 5, SETTLING = 300, TEXT = 1 << 17 };

static const char *const names[PILES][CONES] = {
    {"mujoco-pile-elliptic", "mujoco-pile-pyramidal"},     /* held together by four walls */
    {"mujoco-spread-elliptic", "mujoco-spread-pyramidal"}, /* without walls: many islands */
};
static const int cones[CONES] = {mjCONE_ELLIPTIC, mjCONE_PYRAMIDAL};
static const double tolerances[2] = {1e-10, 0}; /* of MuJoCo: as timed, and for its best forces */

/* ---- the pile ---- */

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
append(char *text, const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, TEXT - length, format, arguments);
    va_end(arguments);
}

/* Planes 2.1 m apart. */
static void describe_walls(char *text)
{
    for (int k = 0; k < 4; k++) {
        int x = k == 0 ? -1 : k == 1, y = k == 2 ? -1 : k == 3;
        append(text,
               "<geom type=\"plane\" size=\"5 5 1\" pos=\"%.15g %.15g 0\" zaxis=\"%d %d 0\"/>",
               -1.05 * x, -1.05 * y, x, y);
    }
}

/* Boxes of edges between 0.25 and 0.35 m, each turned some way, in layers of 25 above a floor. */
static void describe(char *text, int walls)
{
    uint64_t state = 200;
    text[0] = '\0';
    append(text, "<mujoco><option timestep=\"0.005\" tolerance=\"1e-10\"/>"
                 "<size njmax=\"5000\" nconmax=\"1250\" nstack=\"30000000\"/><default><geom "
                 "friction=\"0.5 0.005 0.0001\"/></default><worldbody><geom type=\"plane\" "
                 "size=\"5 5 1\"/>");
    if (walls) describe_walls(text);
    for (int k = 0; k < BOXES; k++) {
        double size[3], at[3], turn[3];
        for (int i = 0; i < 3; i++) size[i] = 0.125 + 0.025 * draw_fraction(&state);
        for (int i = 0; i < 3; i++) turn[i] = 28 * draw_fraction(&state);
        at[0] = 0.42 * (k % ROW - 2);
        at[1] = 0.42 * (k / ROW % ROW - 2);
        at[2] = 0.25 + 0.42 * (k / (ROW * ROW));
        for (int i = 0; i < 3; i++) at[i] += 0.02 * draw_fraction(&state);
        append(text,
               "<body pos=\"%.15g %.15g %.15g\" euler=\"%.15g %.15g %.15g\"><freejoint/><geom "
               "type=\"box\" size=\"%.15g %.15g %.15g\" density=\"500\"/></body>",
               at[0], at[1], at[2], turn[0], turn[1], turn[2], size[0], size[1], size[2]);
    }
    append(text, "</worldbody></mujoco>");
}

static mjModel *load(const char *text)
{
    char error[256] = "";
    mjVFS *files = malloc(sizeof *files);
    mjModel *model = NULL;
    if (!files) return NULL;
    mj_defaultVFS(files);
    (void)mj_makeEmptyFileVFS(files, "pile.xml", (int)strlen(text) + 1);
    int index = mj_findFileVFS(files, "pile.xml");
    if (index >= 0) {
        memcpy(files->filedata[index], text, strlen(text) + 1);
        model = mj_loadXML("pile.xml", files, error, (int)sizeof error);
    }
    if (!model) fprintf(stderr, "contact: MuJoCo: %s\n", error);
    mj_deleteVFS(files);
    free(files);
    return model;
}

/* ---- the problem as ours ---- */

static void add_mass(builder *b, const mjModel *model, const mjData *data)
{
    int64_t n = model->nv;
    double *full = malloc((size_t)(n * n) * sizeof *full);
    builder_velocities(b, n, NULL);
    if (!full) return;
    mj_fullM(model, full, data->qM);
    for (int64_t i = 0; i < n; i++) {
        builder_force(b, i, data->qfrc_smooth[i]);
        for (int64_t j = 0; j <= i; j++)
            if (full[n * i + j] != 0) builder_mass(b, i, j, full[n * i + j]);
    }
    free(full);
}

static void add_row(builder *b, const mjModel *model, const mjData *data, int64_t k)
{
    int edge = data->efc_type[k] == mjCNSTR_CONTACT_PYRAMIDAL;
    int64_t row = builder_row(b, edge ? 0 : -INFINITY, INFINITY, data->efc_aref[k]);
    builder_compliance(b, row, row, data->efc_R[k]);
    if (!mj_isSparse(model)) {
        for (int64_t j = 0; j < model->nv; j++)
            if (data->efc_J[k * model->nv + j] != 0)
                builder_jacobian(b, row, j, data->efc_J[k * model->nv + j]);
        return;
    }
    for (int i = 0; i < data->efc_J_rownnz[k]; i++) {
        int64_t at = data->efc_J_rowadr[k] + i;
        builder_jacobian(b, row, data->efc_J_colind[at], data->efc_J[at]);
    }
}

static saddle_status convert(saddle_context *context, const mjModel *model, const mjData *data,
                             saddle_problem *problem)
{
    builder b = builder_begin(context);
    add_mass(&b, model, data);
    for (int64_t k = 0; k < data->nefc; k++) add_row(&b, model, data, k);
    for (int c = 0; c < data->ncon && model->opt.cone == mjCONE_ELLIPTIC; c++) {
        const mjContact *contact = &data->contact[c];
        if (contact->efc_address >= 0)
            builder_contact(&b, contact->efc_address, contact->dim, contact->friction[0]);
    }
    b.problem.law = SADDLE_LAW_ASSOCIATED;
    return builder_finish(&b, "pile of MuJoCo", 0, problem);
}

/* ---- both solve ---- */

/* Median seconds of cold solves; forces (nefc). */
static double solve_theirs(const mjModel *model, mjData *data, double *forces)
{
    double taken[TIMES];
    for (int k = 0; k < TIMES; k++) {
        mju_copy(data->qacc_warmstart, data->qacc_smooth, model->nv);
        double began = bench_now();
        mj_fwdConstraint(model, data);
        taken[k] = bench_without_looks(bench_now() - began, 0);
    }
    mju_copy(forces, data->efc_force, data->nefc);
    return bench_median(taken, TIMES);
}

static double solve_ours(saddle_context *context, const char *name, const saddle_problem *problem,
                         saddle_solution *solution, saddle_report *report)
{
    double taken[TIMES];
    saddle_status status = SADDLE_OK;
    for (int k = 0; status >= 0 && k < TIMES; k++)
        status = contact_solve_once(context, name, problem, solution, report, &taken[k]);
    if (bench_report(context, "mujoco", status)) return INFINITY;
    return bench_median(taken, TIMES);
}

static double difference(int64_t m, const double *f, const double *g)
{
    double most = 0, largest = 0;
    for (int64_t i = 0; i < m; i++) {
        most = fmax(most, fabs(f[i] - g[i]));
        largest = fmax(largest, fabs(g[i]));
    }
    return largest > 0 ? most / largest : most;
}

typedef struct their_answer {
    double seconds;
    int64_t steps;
    double error;   /* of the forces at the tolerance that is timed */
    double *forces; /* m: at tolerance 0 */
} their_answer;

static their_answer ask_them(mjModel *model, mjData *data)
{
    their_answer answer = {.forces = calloc((size_t)data->nefc + 1, sizeof(double))};
    double *forces = calloc((size_t)data->nefc + 1, sizeof *forces);
    if (forces && answer.forces) {
        model->opt.tolerance = tolerances[1];
        (void)solve_theirs(model, data, answer.forces);
        model->opt.tolerance = tolerances[0];
        answer.seconds = solve_theirs(model, data, forces);
        answer.steps = data->solver_iter;
        answer.error = difference(data->nefc, forces, answer.forces);
    }
    free(forces);
    return answer;
}

static void compare(const bench_options *options, saddle_context *context, const char *word,
                    const char *method, const saddle_problem *problem, const their_answer *theirs)
{
    saddle_solution solution;
    saddle_report report = {.factorizations = 0};
    if (bench_report(context, word,
                     saddle_solution_create(context, problem->n, problem->m, &solution)))
        return;
    double ours = solve_ours(context, method, problem, &solution, &report);
    if (ours < (double)INFINITY)
        printf(options->csv ? "%s,%" PRId64 ",%" PRId64 ",%.4g,%" PRId64 ",%.4g,%" PRId64
                              ",%.3g,%.1e,%.1e,%.1e,%s\n"
                            : "%-23s %6" PRId64 " %6" PRId64 " %10.4g %5" PRId64 " %10.4g %5" PRId64
                              " %7.3g %8.1e %8.1e %8.1e  %s\n",
               word, problem->n, problem->m, options->csv ? theirs->seconds : 1e3 * theirs->seconds,
               theirs->steps, options->csv ? ours : 1e3 * ours, report.iterations,
               ours / theirs->seconds, report.residual.total,
               difference(problem->m, solution.lambda, theirs->forces), theirs->error,
               report.solver);
    (void)fflush(stdout);
    saddle_solution_clear(&solution);
}

/* From the state of data, with the model's cones. */
static void run_problem(const bench_options *options, saddle_context *context, mjModel *model,
                        mjData *data, const char *word)
{
    saddle_problem problem;
    mj_forward(model, data);
    if (bench_report(context, word, convert(context, model, data, &problem))) return;
    their_answer theirs = ask_them(model, data);
    for (int k = 0; theirs.forces && contact_our_method(options, k); k++)
        compare(options, context, word, contact_our_method(options, k), &problem, &theirs);
    free(theirs.forces);
    saddle_problem_clear(&problem);
}

static void run_pile(const bench_options *options, saddle_context *context, int pile)
{
    char *text = malloc(TEXT);
    if (!text) return;
    describe(text, pile == 0);
    mjModel *model = load(text);
    mjData *data = model ? mj_makeData(model) : NULL;
    for (int k = 0; data && k < SETTLING; k++) mj_step(model, data); /* pyramidal cones */
    for (int k = 0; data && k < CONES; k++) {
        if (!bench_wanted(names[pile][k], options->only)) continue;
        model->opt.cone = cones[k];
        run_problem(options, context, model, data, names[pile][k]);
    }
    mj_deleteData(data);
    mj_deleteModel(model);
    free(text);
}

int contact_run_mujoco(const bench_options *options, saddle_context *context)
{
    int any = 0;
    for (int pile = 0; pile < PILES; pile++) {
        int asked = 0;
        for (int k = 0; k < CONES; k++) {
            if (!bench_wanted(names[pile][k], options->only)) continue;
            asked++;
            if (options->list) printf("%s\n", names[pile][k]);
        }
        if (asked > 0 && any == 0 && !options->list)
            printf(options->csv ? "problem,n,m,mujoco,steps,ours,iterations,ratio,total,forces,"
                                  "their_forces,solver\n"
                                : "\nMuJoCo's soft contacts: milliseconds and steps of its Newton "
                                  "(tolerance 1e-10), ours and iterations,\nratio, the checker's "
                                  "total, our forces and theirs beside theirs at tolerance 0\n");
        if (asked > 0 && !options->list) run_pile(options, context, pile);
        any += asked;
    }
    return any;
}
