/* SPDX-License-Identifier: MIT */
/* saddle simulate: steps a scene, prints energies, exports the systems. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/vector.h"
#include "contact_names.h"
#include "gltf.h"
#include "model.h"
#include "motion.h"
#include "progress.h"
#include "text.h"
#include "view.h"

typedef struct simulate_request {
    int64_t steps, every;
    const char *export_folder, *solver, *page, *csv, *vtk, *gltf;
    double time_step;
    int integrator; /* 1 + a saddle_integrator; 0 = the scene's */
    int json, positions, skip_unsupported;
} simulate_request;

/* Owned by a run; all-zero is fine to clear. */
typedef struct simulate_work {
    const simulate_request *request;
    saddle_context *context; /* the session's */
    saddle_scene scene;
    saddle_stepper *stepper;
    saddle_stepper_options options; /* of it; texts are the scene's and the request's */
    tool_view *view;                /* NULL = none */
    tool_motion *motion;            /* NULL = none */
    tool_gltf *gltf;                /* NULL = none */
    saddle_problem before;  /* the last system where the next is to be exported, for its warm
                               start */
    saddle_problem pending; /* the system exported last, until solved */
    saddle_solution solved; /* and what came of it */
    char folder[1024];      /* of the system exported last; "" = none yet in this step */
    saddle_status exported; /* of exporting */
    json_t *samples;
    int64_t unsolved;            /* steps not solved to the tolerance */
    int64_t first;               /* of them */
    char note[SADDLE_NOTE_SIZE]; /* of its solve */
    double residual, drift;      /* the largest of all steps */
    double start_energy;
} simulate_work;

static void forget(simulate_work *work)
{
    saddle_problem_clear(&work->before);
    saddle_solution_clear(&work->solved);
}

static void clear(simulate_work *work)
{
    forget(work);
    saddle_problem_clear(&work->pending);
    saddle_stepper_free(work->stepper);
    saddle_scene_clear(&work->scene);
    json_decref(work->samples);
}

/* ---- exporting ---- */

/* FOLDER/step-000012, and step-000012-second where an integrator solves twice in a step. */
static saddle_status name_system(simulate_work *work, int64_t step)
{
    const int second = work->folder[0] != '\0';
    const int length = snprintf(work->folder, sizeof work->folder, "%s/step-%06lld%s",
                                work->request->export_folder, (long long)step,
                                second ? "-second" : "");
    if (length > 0 && (size_t)length < sizeof work->folder) return SADDLE_OK;
    return saddle_fail(work->context, SADDLE_FILE_ERROR, "%s: the name is too long",
                       work->request->export_folder);
}

/* Writes a solution as NAME beside a system. */
static saddle_status write_beside(simulate_work *work, const char *name,
                                  const saddle_solution *solution)
{
    char path[1100];
    const saddle_report report = {.solver = "simulate", .status = SADDLE_OK};
    snprintf(path, sizeof path, "%s/%s", work->folder, name);
    return saddle_solution_write(work->context, path, solution, &report);
}

/* The warm start of the system: the last solution, by row ids. */
static saddle_status write_start(simulate_work *work, const saddle_problem *problem)
{
    if (!work->solved.lambda) return SADDLE_OK;
    saddle_solution start = {0};
    saddle_status status = saddle_solution_create(work->context, problem->n, problem->m, &start);
    if (status == SADDLE_OK) {
        status = saddle_solution_follow_rows(work->context, &work->before, &work->solved, problem,
                                             &start, NULL);
    }
    if (status == SADDLE_OK) status = write_beside(work, "start", &start);
    saddle_solution_clear(&start);
    return status;
}

/* problem (owned, moved here) and the solution of the stepper, for the warm start of the next. */
static saddle_status remember(simulate_work *work, saddle_problem *problem)
{
    forget(work);
    work->before = *problem;
    *problem = (saddle_problem){0};
    const saddle_solution *from = saddle_stepper_solution(work->stepper);
    saddle_status status = saddle_solution_create(work->context, from->n, from->m, &work->solved);
    if (status != SADDLE_OK) return status;
    saddle__copy(work->solved.v, from->v, from->n);
    saddle__copy(work->solved.lambda, from->lambda, from->m);
    saddle__copy(work->solved.w, from->w, from->m);
    return SADDLE_OK;
}

static int export_system(void *user, int64_t step, const saddle_problem *problem)
{
    simulate_work *work = user;
    if (tool_progress_interrupted()) return 1;
    if (!work->request->export_folder || step % work->request->every != 0) return 0;
    work->exported = SADDLE_OK;
    if (work->folder[0] != '\0') { /* the second of a step: the first solution exists by now */
        work->exported = write_beside(work, "solution", saddle_stepper_solution(work->stepper));
        if (work->exported == SADDLE_OK) work->exported = remember(work, &work->pending);
    }
    if (work->exported == SADDLE_OK) work->exported = name_system(work, step);
    saddle_problem_clear(&work->pending);
    if (work->exported == SADDLE_OK)
        work->exported = saddle_problem_copy(work->context, problem, &work->pending);
    if (work->exported == SADDLE_OK)
        work->exported = tool_contacts_name(work->context, &work->pending);
    if (work->exported == SADDLE_OK)
        work->exported = saddle__solving_write(work->context, work->folder, &work->pending,
                                               work->options.solver ? work->options.solver : "auto",
                                               &work->options.solver_options);
    if (work->exported == SADDLE_OK) work->exported = write_start(work, problem);
    return work->exported != SADDLE_OK;
}

/* After a step: the solution of the exported system, and the warm start of the next. */
static saddle_status keep_solution(simulate_work *work, int64_t step, saddle_status solved)
{
    saddle_status status = SADDLE_OK;
    if (work->folder[0] != '\0')
        status = write_beside(work, "solution", saddle_stepper_solution(work->stepper));
    work->folder[0] = '\0';
    if (solved == SADDLE_DIVERGED || solved == SADDLE_INFEASIBLE)
        return status; /* the earlier warm start stays valid */
    forget(work);
    if (status != SADDLE_OK || (step + 1) % work->request->every != 0) return status;
    saddle_problem_clear(&work->pending);
    status = saddle_problem_copy(work->context,
                                 saddle_assembly_problem(saddle_stepper_assembly(work->stepper)),
                                 &work->pending);
    return status == SADDLE_OK ? remember(work, &work->pending) : status;
}

/* ---- samples ---- */

static json_t *vector_to_json(const double *x, int count)
{
    json_t *array = json_array();
    for (int i = 0; i < count; i++) json_array_append_new(array, tool_json_number(x[i]));
    return array;
}

static json_t *parts_to_json(saddle_model *model)
{
    json_t *parts = json_array();
    for (int64_t k = 0; k < saddle_model_part_count(model); k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        if (part.item == SADDLE_ITEM_NODES || part.item == SADDLE_ITEM_COORDINATES) continue;
        const int body = part.item == SADDLE_ITEM_BODY;
        const double *x = saddle_model_position(model, part);
        json_t *object = json_object();
        json_object_set_new(object, "name", tool_json_text(saddle_model_name(model, part)));
        json_object_set_new(object, "position", vector_to_json(x, 3));
        if (body) {
            double q[4];
            saddle_quaternion_from_matrix(x + 3, q);
            json_object_set_new(object, "rotation", vector_to_json(q, 4));
        }
        json_object_set_new(object, body ? "twist" : "velocity",
                            vector_to_json(saddle_model_velocity(model, part), body ? 6 : 3));
        json_array_append_new(parts, object);
    }
    return parts;
}

static json_t *sample_to_json(const saddle_step_report *report, const saddle_energies *e)
{
    json_t *object = json_object();
    json_object_set_new(object, "step", json_integer(report->step));
    json_object_set_new(object, "time", tool_json_number(report->time));
    json_object_set_new(object, "status", json_string(saddle_status_name(report->status)));
    json_object_set_new(object, "note", tool_json_text(report->note));
    json_object_set_new(object, "kinetic", tool_json_number(e->kinetic));
    json_object_set_new(object, "gravity", tool_json_number(e->gravity));
    json_object_set_new(object, "elastic", tool_json_number(e->elastic));
    json_object_set_new(object, "momentum", vector_to_json(e->momentum, 3));
    json_object_set_new(object, "moment", vector_to_json(e->moment, 3));
    json_object_set_new(object, "drift", tool_json_number(report->drift));
    json_object_set_new(object, "overlap", tool_json_number(report->overlap));
    json_object_set_new(object, "overlap_note", tool_json_text(report->overlap_note));
    json_object_set_new(object, "residual", tool_json_number(report->residual));
    json_object_set_new(object, "n", json_integer(report->n));
    json_object_set_new(object, "m", json_integer(report->m));
    json_object_set_new(object, "contacts", json_integer(report->contacts));
    json_object_set_new(object, "iterations", json_integer(report->iterations));
    json_object_set_new(object, "pivots", json_integer(report->pivots));
    json_object_set_new(object, "warm_rows", json_integer(report->warm_rows));
    json_object_set_new(object, "analysed", json_boolean(report->analysed));
    json_object_set_new(object, "seconds", tool_json_number(report->seconds.total));
    return object;
}

static void print_sample(const saddle_step_report *report, const saddle_energies *e)
{
    printf("%8lld %10.4f %12.5g %12.5g %12.5g %14.8g %9s %8lld %9s %6lld  %s\n",
           (long long)report->step, report->time, e->kinetic, e->gravity, e->elastic,
           e->kinetic + e->gravity + e->elastic, tool_text_figure(report->drift).text,
           (long long)report->contacts, tool_text_figure(report->residual).text,
           (long long)report->iterations,
           report->status == SADDLE_OK ? "solved" : tool_status_text(report->status));
}

static void note_unsolved(simulate_work *work, int64_t step, const char *note)
{
    if (work->unsolved++ > 0) return;
    work->first = step;
    snprintf(work->note, sizeof work->note, "%s", note);
}

static void take_sample(simulate_work *work, const saddle_step_report *report)
{
    if (report->status != SADDLE_OK) note_unsolved(work, report->step, report->note);
    work->residual = fmax(work->residual, report->residual);
    work->drift = fmax(work->drift, report->drift);
    if (report->step % work->request->every != 0 && report->step != work->request->steps) return;
    const saddle_energies energies = saddle_model_energies(work->scene.model);
    tool_progress_erase();
    if (!work->request->json) {
        print_sample(report, &energies);
        return;
    }
    json_t *sample = sample_to_json(report, &energies);
    if (work->request->positions)
        json_object_set_new(sample, "parts", parts_to_json(work->scene.model));
    json_array_append_new(work->samples, sample);
}

/* ---- the end ---- */

/* stopped: SADDLE_STOPPED where the run was interrupted, else SADDLE_OK. */
static saddle_status print_json(const simulate_work *work, int64_t steps, saddle_status stopped)
{
    static const char *const units[] = {"time",   "s",          "kinetic",  "J",        "gravity",
                                        "J",      "elastic",    "J",        "momentum", "kg m/s",
                                        "moment", "kg m^2/s",   "drift",    "m, rad",   "overlap",
                                        "m",      "position",   "m",        "velocity", "m/s",
                                        "twist",  "m/s, rad/s", "residual", "1",        "seconds",
                                        "s",      NULL};
    json_t *object = json_object();
    json_object_set_new(object, "name", tool_json_text(work->scene.name));
    json_object_set_new(object, "scene", tool_json_text(work->scene.name));
    json_object_set_new(object, "solved", json_boolean(stopped == SADDLE_OK && !work->unsolved));
    json_object_set_new(object, "tolerance",
                        tool_json_number(work->scene.options.solver_options.tolerance));
    tool_units_to_json(object, units);
    json_object_set_new(object, "steps", json_integer(steps));
    json_object_set_new(object, "status", json_string(saddle_status_name(stopped)));
    json_object_set_new(object, "time", tool_json_number(saddle_model_time(work->scene.model)));
    json_object_set_new(object, "unsolved", json_integer(work->unsolved));
    json_object_set_new(object, "residual", tool_json_number(work->residual));
    json_object_set_new(object, "drift", tool_json_number(work->drift));
    json_object_set(object, "samples", work->samples);
    json_object_set_new(object, "parts", parts_to_json(work->scene.model));
    return tool_json_print(work->context, object);
}

static void print_end(const simulate_work *work, int64_t steps)
{
    const saddle_energies e = saddle_model_energies(work->scene.model);
    printf("%lld steps, %lld of them not solved to the tolerance; residual %s and drift %s at "
           "most; energy %+.3e J since the start\n",
           (long long)steps, (long long)work->unsolved, tool_text_figure(work->residual).text,
           tool_text_figure(work->drift).text,
           e.kinetic + e.gravity + e.elastic - work->start_energy);
    if (work->unsolved > 0)
        printf("step %lld was the first of them: %s\n", (long long)work->first,
               tool_text_shown(work->note).text);
}

/* ---- the run ---- */

/* Opens what --view, --csv, --vtk and --gltf ask for, with the state at the start. */
static saddle_status open_motion(simulate_work *work)
{
    const simulate_request *request = work->request;
    saddle_status status = SADDLE_OK;
    if (request->page) {
        status = tool_view_open(&work->scene, request->page, request->steps, &work->view);
        if (status == SADDLE_OK) status = tool_view_add(work->view, NULL);
    }
    if (status == SADDLE_OK && (request->csv || request->vtk)) {
        status = tool_motion_open(&work->scene, request->csv, request->vtk, &work->motion);
        if (status == SADDLE_OK) status = tool_motion_add(work->motion, 0);
    }
    if (status == SADDLE_OK && request->gltf) {
        status = tool_gltf_open(&work->scene, request->gltf, &work->gltf);
        if (status == SADDLE_OK) status = tool_gltf_add(work->gltf);
    }
    return status;
}

static saddle_status prepare(const char *path, simulate_work *work)
{
    const simulate_request *request = work->request;
    saddle_status status = tool_scene_read(work->context, path, request->skip_unsupported,
                                           &work->scene);
    if (status != SADDLE_OK) return status;
    saddle_stepper_options options = work->scene.options;
    if (request->solver) options.solver = request->solver;
    if (request->time_step > 0) options.time_step = request->time_step;
    if (request->integrator > 0) options.integrator = (saddle_integrator)(request->integrator - 1);
    options.solver_options.refine_to = 0; /* as in saddle solve, for the same bits */
    options.system = export_system;
    options.user = work;
    work->options = options;
    status = !request->export_folder ? SADDLE_OK
                                     : tool_make_folder(work->context, request->export_folder);
    if (status != SADDLE_OK) return status;
    status = saddle_stepper_create(work->scene.model, &options, &work->stepper);
    if (status != SADDLE_OK) return status;
    const saddle_energies e = saddle_model_energies(work->scene.model);
    work->start_energy = e.kinetic + e.gravity + e.elastic;
    work->samples = request->json ? json_array() : NULL;
    status = open_motion(work);
    if (status != SADDLE_OK) return status;
    if (!request->json)
        printf("%8s %10s %12s %12s %12s %14s %9s %8s %9s %6s\n", "step", "time", "kinetic",
               "gravity", "elastic", "energy", "drift", "contacts", "residual", "iter");
    return SADDLE_OK;
}

/* The state after a step, for --view, and every Kth and the last for the others. */
static saddle_status add_motion(simulate_work *work, int64_t step)
{
    const simulate_request *request = work->request;
    saddle_status status = SADDLE_OK;
    if (work->view) status = tool_view_add(work->view, work->stepper);
    if (step % request->every != 0 && step != request->steps) return status;
    if (status == SADDLE_OK && work->motion) status = tool_motion_add(work->motion, step);
    if (status == SADDLE_OK && work->gltf) status = tool_gltf_add(work->gltf);
    return status;
}

static saddle_status close_motion(simulate_work *work, saddle_status status)
{
    const saddle_status viewed = tool_view_close(work->view, status >= SADDLE_OK);
    const saddle_status written = tool_motion_close(work->motion);
    const saddle_status animated = tool_gltf_close(work->gltf);
    if (status < SADDLE_OK) return status;
    if (viewed != SADDLE_OK) return viewed;
    return written != SADDLE_OK ? written : animated != SADDLE_OK ? animated : status;
}

/* "step 120 of 1000, 34 s left" at the front of the progress line; begun: saddle_clock() of the
 * first step. */
static void tell_progress(const simulate_work *work, int64_t done, double begun)
{
    char line[64], left[32] = "";
    const int64_t steps = work->request->steps;
    const double passed = saddle_clock() - begun;
    if (done > 0 && passed > 1.0)
        snprintf(left, sizeof left, ", %.0f s left",
                 ceil(passed / (double)done * (double)(steps - done)));
    snprintf(line, sizeof line, "step %lld of %lld%s", (long long)done + 1, (long long)steps, left);
    tool_progress_label(line);
}

/* *steps: how many were made. */
static saddle_status step_on(simulate_work *work, int64_t *steps)
{
    const double begun = saddle_clock();
    for (*steps = 0; *steps < work->request->steps; ++*steps) {
        work->folder[0] = '\0';
        tell_progress(work, *steps, begun);
        const saddle_status status = saddle_stepper_step(work->stepper);
        if (work->exported != SADDLE_OK) return work->exported;
        if (status == SADDLE_STOPPED) note_unsolved(work, *steps + 1, "interrupted");
        if (status < SADDLE_OK || status == SADDLE_STOPPED) return status;
        take_sample(work, saddle_stepper_report(work->stepper));
        const saddle_status added = add_motion(work, *steps + 1);
        if (added != SADDLE_OK) return added;
        if (!work->request->export_folder) continue;
        const saddle_status kept = keep_solution(work, *steps + 1, status);
        if (kept != SADDLE_OK) return kept;
    }
    return SADDLE_OK;
}

static saddle_status run(tool_session *session, const void *given, char **argument)
{
    int64_t steps = 0;
    saddle_status status = tool_session_open(session, NULL);
    if (status) return status;
    simulate_work work = {.request = given, .context = session->context};
    status = prepare(argument[0], &work);
    if (status == SADDLE_OK) status = step_on(&work, &steps);
    tool_progress_erase();
    status = close_motion(&work, status);
    if (work.stepper && status >= SADDLE_OK) {
        const saddle_status printed = work.request->json ? print_json(&work, steps, status)
                                                         : SADDLE_OK;
        if (!work.request->json) print_end(&work, steps);
        if (printed != SADDLE_OK) status = printed;
    }
    if (work.unsolved > 0) session->code = TOOL_EXIT_TOLERANCE;
    if (status == SADDLE_INVALID_ARGUMENT && work.stepper)
        status = SADDLE_INVALID_PROBLEM; /* of the scene, not of the command line */
    if (status == SADDLE_STOPPED) {
        tool_error("interrupted in step %lld", (long long)steps + 1);
        status = SADDLE_OK;
    }
    clear(&work);
    return status;
}

/* ---- the verb ---- */

static void defaults(void *given)
{
    simulate_request *request = given;
    request->steps = 100;
    request->every = 1;
}

#define INTEGRATOR_WORD(name, word) {word, 1 + name},
static const tool_word integrator_words[] = {SADDLE_INTEGRATOR_LIST(INTEGRATOR_WORD){NULL, 0}};
#undef INTEGRATOR_WORD

static const tool_option own_options[] = {
    {"steps", TOOL_COUNT, offsetof(simulate_request, steps), "N", .help = "so many steps"},
    {"every", TOOL_COUNT, offsetof(simulate_request, every), "K",
     .help = "report and export each Kth step", .least = 1},
    {"export", TOOL_TEXT, offsetof(simulate_request, export_folder), "DIR",
     .help = "write the systems there, as bundles step-000001 .. with start and solution"},
    {"solver", TOOL_TEXT, offsetof(simulate_request, solver), "NAME",
     .help = "one of saddle solvers", .unset = "the scene's"},
    {"integrator", TOOL_WORD, offsetof(simulate_request, integrator), .help = "scheme",
     .words = integrator_words, .unset = "the scene's"},
    {"time-step", TOOL_NUMBER, offsetof(simulate_request, time_step), "H", .help = "seconds",
     .unset = "the scene's"},
    {"json", TOOL_FLAG, offsetof(simulate_request, json), .help = "print one JSON object"},
    {"view", TOOL_TEXT, offsetof(simulate_request, page), "FILE.html",
     .help = "the motion as one page for a browser"},
    {"csv", TOOL_TEXT, offsetof(simulate_request, csv), "FILE.csv",
     .help = "the motion as a table, a row for each part at each Kth step"},
    {"vtk", TOOL_TEXT, offsetof(simulate_request, vtk), "DIR",
     .help = "the motion for ParaView: open DIR/motion.pvd"},
    {"gltf", TOOL_TEXT, offsetof(simulate_request, gltf), "FILE.glb",
     .help = "the motion of bodies for viewers and renderers, binary glTF 2.0, at each Kth step"},
    {"positions", TOOL_FLAG, offsetof(simulate_request, positions),
     .help = "with --json: where each part is, at each Kth step"},
    {"skip-unsupported", TOOL_FLAG, offsetof(simulate_request, skip_unsupported),
     .help = "of a model in MJCF or URDF: leave out what is not supported"},
    {.name = NULL},
};

const tool_verb tool_verb_simulate = {
    .name = "simulate",
    .arguments = "SCENE",
    .summary = "step a scene and report its energies; export its systems",
    .request_size = sizeof(simulate_request),
    .defaults = defaults,
    .groups = {{"Options", 0, own_options}},
    .run = run,
    .notes =
        "A scene is a JSON file (docs/formats.md, Scenes), which - reads from the standard\n"
        "input, or a model in MJCF or URDF (.xml, .urdf): what of the latter is not supported is\n"
        "listed by name and line, and an error (exit code 4) if the motion would differ.  Exit\n"
        "code 1: some step was not solved to the tolerance, or the run was interrupted: the JSON\n"
        "object then has the status SADDLE_STOPPED and counts the step begun as unsolved.  Of a\n"
        "system exported, `saddle solve DIR/step-000012` gives the solution that the run had, bit\n"
        "for bit: solver, options and start are recorded.  The time is in s, energies are in J,\n"
        "the drift of constraints is in m and rad.\n\n"
        "Examples:\n"
        "  saddle simulate examples/scenes/pendulum.json --steps 500 --every 50\n"
        "  saddle simulate examples/scenes/trebuchet.json --steps 2000 --view run.html\n"
        "  saddle simulate examples/scenes/box-stack.json --steps 100 --export run --every 10\n"
        "  saddle simulate examples/models/arm.xml --steps 200\n",
};
