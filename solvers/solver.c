/* SPDX-License-Identifier: MIT */
/* The generic layer: phases, checks before a solver is called, the independent residual after the
 * call, times and counts, the start of a solve. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/options_internal.h"
#include "base/context_internal.h"
#include "base/unset.h"
#include "base/vector.h"
#include "problem/kkt.h"
#include "problem/verdict.h"
#include "problem/problem_internal.h"
#include "factor/complement.h"
#include "saddle/rank.h"
#include "saddle/warm_start.h"
#include "builtin.h"
#include "verdict.h"

/* ---- the memory of rows ----
 *
 * The impulse and status of each row after a solve, by row id, for the start of the next solve
 * (saddle/warm_start.h). */

/* The rows of the last solve in their order then, and a table from id to row with open addressing.
 * All-zero with a context is ready. */
typedef struct row_memory {
    saddle_context *context;
    int64_t capacity; /* rows there is room for */
    int64_t count;    /* rows known */
    int64_t slots;    /* a power of two, at least 2 capacity */
    int64_t *slot;    /* slots: row, -1 = none */
    int distinct;     /* 1: no two rows have the same id */
    int64_t *id;      /* capacity: from here on */
    double *lambda;
    signed char *side;  /* -1 = at lo, 1 = at hi, 0 = between */
    signed char *place; /* of a contact's row: 0, 1, .. within its contact; -1 = no contact's */
    signed char *size;  /* of a contact's row: rows of the contact */
    double *mu;         /* of a contact's row: its part's, of the normal the tangents' */
} row_memory;

enum { AT_LO = -1, BETWEEN, AT_HI };
enum { NO_CONTACT = -1 };

static void clear_rows(row_memory *s)
{
    saddle__release_all(s->context, s->slot, s->id, s->lambda, s->side, s->place, s->size, s->mu);
    *s = (row_memory){.context = s->context};
}

/* Where the search for an id begins (the odd constant is 2^64 / golden ratio). */
static int64_t first_slot(const row_memory *s, int64_t id)
{
    uint64_t print = (uint64_t)id * UINT64_C(0x9E3779B97F4A7C15);
    print ^= print >> 32;
    return (int64_t)(print & (uint64_t)(s->slots - 1));
}

/* The slot of an id, or the empty slot for a new id. */
static int64_t find_slot(const row_memory *s, int64_t id)
{
    int64_t k = first_slot(s, id);
    while (s->slot[k] >= 0 && s->id[s->slot[k]] != id) k = (k + 1) & (s->slots - 1);
    return k;
}

/* The row with this id in the memory; -1 = none.  row: the present row of the id, tried first
 * since most rows keep their place from step to step. */
static int64_t find_row(const row_memory *s, int64_t id, int64_t row)
{
    if (s->distinct && row < s->count && s->id[row] == id) return row;
    return s->count > 0 ? s->slot[find_slot(s, id)] : -1;
}

static void fill_slots(row_memory *s)
{
    for (int64_t k = 0; k < s->slots; k++) s->slot[k] = -1;
    s->distinct = 1;
    for (int64_t i = 0; i < s->count; i++) {
        int64_t k = find_slot(s, s->id[i]);
        if (s->slot[k] < 0)
            s->slot[k] = i;
        else
            s->distinct = 0;
    }
}

/* Room for `rows` rows; the contents stay.  Allocates only for more rows than before. */
static saddle_status reserve_rows(row_memory *s, int64_t rows)
{
    if (rows <= s->capacity) return SADDLE_OK;
    if (rows > INT64_MAX / 8)
        return saddle_fail(s->context, SADDLE_TOO_LARGE, "%lld rows", (long long)rows);
    int64_t capacity = rows + rows / 2;
    int64_t slots = 1;
    while (slots < 2 * capacity) slots *= 2;
    struct {
        void *array;
        int64_t count;
        size_t size;
    } arrays[] = {
        {&s->id, capacity, sizeof *s->id},     {&s->lambda, capacity, sizeof *s->lambda},
        {&s->side, capacity, sizeof *s->side}, {&s->place, capacity, sizeof *s->place},
        {&s->size, capacity, sizeof *s->size}, {&s->mu, capacity, sizeof *s->mu},
        {&s->slot, slots, sizeof *s->slot},
    };
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
        saddle_status status = saddle__grow(s->context, arrays[k].array, arrays[k].count,
                                            arrays[k].size);
        if (status != SADDLE_OK) return status;
    }
    s->capacity = capacity;
    s->slots = slots;
    fill_slots(s);
    return SADDLE_OK;
}

static signed char side_of(const saddle_problem *problem, int64_t row, double lambda)
{
    if (lambda <= saddle_problem_lo(problem, row)) return AT_LO;
    return lambda >= saddle_problem_hi(problem, row) ? AT_HI : BETWEEN;
}

/* Replaces the contents by the rows of the problem and their impulses lambda (m); empty without
 * row ids or without room.  Of rows with the same id the first counts. */
static void keep_rows(row_memory *s, const saddle_problem *problem, const double *lambda)
{
    const int64_t known = s->count;
    s->count = problem->row_id && problem->m <= s->capacity ? problem->m : 0;
    int others = s->count != known;
    for (int64_t i = 0; i < s->count; i++) {
        others |= s->id[i] != problem->row_id[i];
        s->id[i] = problem->row_id[i];
        s->lambda[i] = lambda[i];
        s->side[i] = side_of(problem, i, lambda[i]);
        s->place[i] = NO_CONTACT;
    }
    for (int64_t c = 0; s->count > 0 && c < problem->contact_count; c++) {
        const saddle_contact *contact = &problem->contacts[c];
        for (int64_t k = 0; k < contact->size; k++) {
            s->place[contact->row + k] = (signed char)k;
            s->size[contact->row + k] = (signed char)contact->size;
            s->mu[contact->row + k] = saddle__contact_mu(contact, k);
        }
    }
    if (s->count > 0 && others) fill_slots(s);
}

/* A row outside contacts, row k of the memory: at the same bound as before, or the old impulse
 * within the bounds. */
static double recall_row(const row_memory *s, const saddle_problem *problem, int64_t row, int64_t k)
{
    double lo = saddle_problem_lo(problem, row);
    double hi = saddle_problem_hi(problem, row);
    if (s->side[k] == AT_LO && isfinite(lo)) return lo;
    if (s->side[k] == AT_HI && isfinite(hi)) return hi;
    return fmin(fmax(s->lambda[k], lo), hi);
}

/* The row of the memory for the first row of the contact; -1 if the rows did not form one
 * contact in the same order. */
static int64_t find_contact(const row_memory *s, const saddle_problem *problem,
                            const saddle_contact *contact)
{
    int64_t k = find_row(s, problem->row_id[contact->row], contact->row);
    if (k < 0 || s->place[k] != 0 || s->size[k] != contact->size) return -1;
    for (int64_t j = 1; j < contact->size; j++)
        if (s->id[k + j] != problem->row_id[contact->row + j]) return -1;
    return k;
}

/* With another friction coefficient a part's share of mu lambda_n stays. */
static int64_t recall_contact(const row_memory *s, const saddle_problem *problem,
                              const saddle_contact *contact, double *lambda)
{
    int64_t k = find_contact(s, problem, contact);
    if (k < 0) return 0;
    lambda[contact->row] = s->lambda[k];
    for (int64_t j = 1; j < contact->size; j++) {
        double mu = saddle__contact_mu(contact, j), before = s->mu[k + j];
        double part = before > 0.0 ? s->lambda[k + j] / before : 0.0;
        double now = mu == before ? s->lambda[k + j] : mu * part;
        lambda[contact->row + j] = isfinite(now) ? now : 0.0;
    }
    return contact->size;
}

/* lambda (m): a start, 0 for unknown rows.  Returns the number of known rows. */
static int64_t recall_rows(const row_memory *s, const saddle_problem *problem, double *lambda)
{
    int64_t known = 0;
    int64_t c = 0;
    if (problem->m > 0) memset(lambda, 0, (size_t)problem->m * sizeof *lambda);
    if (s->count == 0 || !problem->row_id) return 0;
    for (int64_t i = 0; i < problem->m;) {
        if (c < problem->contact_count && problem->contacts[c].row == i) {
            const saddle_contact *contact = &problem->contacts[c++];
            known += recall_contact(s, problem, contact, lambda);
            i += contact->size;
            continue;
        }
        int64_t k = find_row(s, problem->row_id[i], i);
        if (k >= 0 && s->place[k] == NO_CONTACT) {
            lambda[i] = recall_row(s, problem, i, k);
            known++;
        }
        i++;
    }
    return known;
}

static saddle_status check_pair(saddle_context *context, const saddle_problem *problem,
                                const saddle_solution *solution, const char *name)
{
    int given = problem && solution && (problem->m == 0 || solution->lambda);
    if (given && problem->m == solution->m) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "the %s solution has no lambda of its problem's size", name);
}

saddle_status saddle_solution_follow_rows(saddle_context *context, const saddle_problem *before,
                                          const saddle_solution *solved,
                                          const saddle_problem *problem, saddle_solution *start,
                                          int64_t *known)
{
    saddle_context_clear_message(context);
    row_memory memory = {.context = context};
    saddle_status status = check_pair(context, before, solved, "earlier");
    if (status == SADDLE_OK) status = check_pair(context, problem, start, "new");
    if (status == SADDLE_OK && start->n != problem->n)
        status = saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                             "the new solution has %lld velocities, its problem %lld",
                             (long long)start->n, (long long)problem->n);
    if (status == SADDLE_OK) status = reserve_rows(&memory, before->m);
    if (status == SADDLE_OK) {
        keep_rows(&memory, before, solved->lambda);
        int64_t found = recall_rows(&memory, problem, start->lambda);
        if (start->v && problem->n > 0) memset(start->v, 0, (size_t)problem->n * sizeof *start->v);
        if (known) *known = found;
    }
    clear_rows(&memory);
    return status;
}

/* ---- a solver ---- */

typedef enum phase { CREATED, ANALYSED, FACTORED } phase;

struct saddle_solver {
    saddle_context *context;
    int is_alone; /* 1: the context is the solver's own */
    const saddle_solver_type *type;
    const saddle_solver_type *form; /* type, or what hands on a problem in another form */
    saddle__operator_head head;     /* M as an operator: form is saddle__solver_operator */
    saddle_problem view;            /* the problem with an M without entries, then */
    saddle_options options;         /* settings: owned */
    saddle__settings settings;
    void *state; /* of form, with room for both */
    saddle_checker checker;
    phase phase;
    saddle__pattern pattern;
    saddle__folded folded; /* the problem for the solver: matrices found symmetric are marked */
    row_memory rows;       /* of the last solve, over all phases */
    saddle_certificate certificate; /* of the last solve; empty = no proof */
    char analysed[SADDLE_NOTE_SIZE], factored[SADDLE_NOTE_SIZE]; /* the note after these phases */
    /* highest memory of the factorization libraries, by the solver's report */
    int64_t library_peak;
    saddle_report report;
};

static saddle_status unknown_name(saddle_context *context, const char *name)
{
    char names[512] = "";
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(context, i)) != NULL; i++) {
        if (i > 0) saddle__append(names, sizeof names, ", ");
        saddle__append(names, sizeof names, type->name);
    }
    return saddle_fail(context, SADDLE_UNKNOWN_NAME, "no solver named '%s'; there are: %s", name,
                       names);
}

saddle_report saddle__report_fresh(const char *name)
{
    saddle_report report = {.residual = {.total = (double)INFINITY,
                                         .worst_velocity = -1,
                                         .worst_row = -1,
                                         .worst_local = -1},
                            .proof = {.heaviest = -1},
                            .backward_error = (double)NAN,
                            .condition = (double)NAN,
                            .scaled_condition = (double)NAN,
                            .growth = (double)NAN};
    saddle__append(report.solver, sizeof report.solver, name);
    return report;
}

/* The form of all problems but condensed ones; what it takes, the solver takes. */
static const saddle_solver_type *plain_form(const saddle_solver *solver)
{
    return solver->head.rows ? &saddle__solver_operator : solver->type;
}

static int may_condense(const saddle_solver *solver)
{
    return solver->type->condenses && !solver->head.rows;
}

/* Bytes for the state of each form that the solver may take. */
static size_t state_size(const saddle_solver *solver)
{
    const size_t condensed = may_condense(solver) ? saddle__solver_condensed.state_size : 0;
    const size_t plain = plain_form(solver)->state_size;
    return plain < condensed ? condensed : plain;
}

saddle_status saddle_solver_create(saddle_context *context, const char *name,
                                   const saddle_options *options, saddle_solver **solver)
{
    SADDLE__RETURN_UNLESS(context, solver, "solver is NULL");
    *solver = NULL;
    if (!name) name = "auto";
    const saddle_solver_type *type = saddle_solver_type_find(context, name);
    if (!type) return unknown_name(context, name);
    saddle_options chosen;
    saddle_status status = saddle__options_read(context, options, &chosen);
    saddle__settings settings;
    if (status == SADDLE_OK)
        status = saddle__settings_fill(context, type, chosen.settings, &settings);
    if (status != SADDLE_OK) return status;

    const int is_alone = !context && chosen.time_limit > 0.0; /* the context keeps the deadline */
    if (is_alone) SADDLE__TRY(saddle_context_create(NULL, &context));
    saddle_solver *made = saddle_allocate(context, 1, sizeof *made);
    if (!made) {
        if (is_alone) saddle_context_free(context);
        return SADDLE_OUT_OF_MEMORY;
    }
    made->context = context;
    made->is_alone = is_alone;
    made->type = made->form = type;
    made->options = chosen;
    made->rows.context = context;
    made->options.settings = chosen.settings ? saddle__copy_text(context, chosen.settings) : NULL;
    made->state = saddle_allocate(context, 1, state_size(made));
    if (!made->state || (chosen.settings && !made->options.settings)) {
        saddle_solver_free(made);
        return SADDLE_OUT_OF_MEMORY;
    }
    made->settings = settings;
    made->report = saddle__report_fresh(type->name);
    *solver = made;
    return SADDLE_OK;
}

void saddle_solver_free(saddle_solver *solver)
{
    if (!solver) return;
    saddle_context *context = solver->context;
    if (solver->state) solver->form->clear(solver->state, context);
    saddle__release_all(context, solver->state, (void *)solver->options.settings);
    saddle__checker_clear(context, &solver->checker);
    saddle__folded_clear(&solver->folded);
    clear_rows(&solver->rows);
    saddle_certificate_clear(&solver->certificate);
    const int is_alone = solver->is_alone;
    saddle_release(context, solver);
    if (is_alone) saddle_context_free(context);
}

const saddle_report *saddle_solver_report(const saddle_solver *solver)
{
    if (!solver) return NULL;
    return &solver->report;
}

const saddle_certificate *saddle_solver_certificate(const saddle_solver *solver)
{
    if (!solver) return NULL;
    return solver->report.proof.kind != SADDLE_PROOF_NONE ? &solver->certificate : NULL;
}

/* ---- all phases ---- */

/* The problem, with an M without entries where an operator stands for M. */
static const saddle_problem *without_mass(saddle_solver *solver, const saddle_problem *problem)
{
    if (!solver->head.rows) return problem;
    solver->view = *problem;
    solver->view.M = (saddle_matrix){.rows = problem->n,
                                     .cols = problem->n,
                                     .symmetry = SADDLE_SYMMETRY_LOWER};
    return &solver->view;
}

/* outer: the enclosing phase of another solver, or none. */
static saddle_solver_call begin(saddle_solver *solver, const saddle_problem *problem, double now,
                                saddle__phase *outer)
{
    double limit = solver->options.time_limit;
    saddle_solver_call call = {
        .context = solver->context,
        .type = solver->type,
        .options = &solver->options,
        .settings = solver->type->settings ? solver->settings.bytes : NULL,
        .report = &solver->report,
        .checker = &solver->checker,
        .certificate = &solver->certificate,
        .deadline = limit > 0 ? now + limit : (double)INFINITY,
    };
    saddle__checker_begin(&solver->checker, problem);
    solver->report.peak_bytes = solver->library_peak;
    saddle__proof_forget(&solver->report, &solver->certificate);
    *outer = (saddle__phase){0};
    if (!solver->context) return call;
    *outer = solver->context->phase;
    solver->context->phase = (saddle__phase){now, call.deadline};
    return call;
}

/* The status of a call: the report's, with an empty message for SADDLE_OK, and with some message
 * for any other. */
static saddle_status conclude(saddle_solver *solver, saddle_status status)
{
    solver->report.status = status;
    if (status == SADDLE_OK) saddle_context_clear_message(solver->context);
    if (status == SADDLE_OK || *saddle_context_message(solver->context)) return status;
    return saddle_fail(solver->context, status, "%s: %s", solver->report.solver,
                       saddle_status_text(status));
}

static saddle_status end(saddle_solver *solver, const saddle__phase *outer, saddle_status status)
{
    solver->library_peak = solver->report.peak_bytes;
    if (solver->context) {
        solver->context->phase = *outer;
        solver->report.peak_bytes += solver->context->memory.peak_bytes;
    }
    return conclude(solver, status);
}

static saddle_status stopped(saddle_solver *solver, const char *name)
{
    if (!saddle_context_progress(solver->context, name, 0, 0, -1.0, 0.0)) return SADDLE_OK;
    return saddle_fail(solver->context, SADDLE_STOPPED, "stopped before %s", name);
}

static void forget(saddle_solver *solver)
{
    solver->form->clear(solver->state, solver->context);
    solver->form = plain_form(solver);
    memset(solver->state, 0, state_size(solver));
    if (solver->head.rows) memcpy(solver->state, &solver->head, sizeof solver->head);
    saddle__checker_clear(solver->context, &solver->checker);
    saddle__folded_clear(&solver->folded);
    solver->phase = CREATED;
    solver->library_peak = 0;
    solver->report = saddle__report_fresh(solver->type->name);
    saddle__proof_forget(&solver->report, &solver->certificate);
}

static void note_symmetry(saddle_solver *solver, const saddle_problem *problem)
{
    int M = solver->folded.M.owner && problem->M.symmetry == SADDLE_SYMMETRY_NONE;
    int R = solver->folded.R.owner && problem->R.symmetry == SADDLE_SYMMETRY_NONE;
    if (M || R)
        saddle__report_note(&solver->report, "%s: marked general, found symmetric",
                            M && R ? "M and R"
                            : M    ? "M"
                                   : "R");
}

static saddle_status admit(saddle_solver *solver, const saddle_problem *problem, phase needed,
                           const char *name)
{
    if (solver->phase < needed)
        return saddle_fail(solver->context, SADDLE_WRONG_PHASE, "%s before %s", name,
                           solver->phase == CREATED ? "analyse" : "factor");
    return saddle__pattern_compare(solver->context, &solver->pattern, problem, needed == ANALYSED,
                                   1);
}

/* solver->form, for the problem as the solver sees it. */
static saddle_status choose_form(saddle_solver *solver, const saddle_problem *seen)
{
    int condenses = 0;
    if (may_condense(solver))
        SADDLE__TRY(saddle__find_condensing(solver->context, seen, &condenses));
    solver->form = condenses ? &saddle__solver_condensed : plain_form(solver);
    return SADDLE_OK;
}

/* The problem is valid, and so for factor and solve.  measure: 1 = look whether matrices marked
 * general are symmetric. */
static saddle_status analyse(saddle_solver *solver, const saddle_problem *problem, int measure)
{
    double started = saddle_clock();
    saddle_context_clear_message(solver->context);
    saddle_status status = saddle__folded_create(solver->context, problem, measure,
                                                 &solver->folded);
    const saddle_problem *seen = saddle__folded_take(&solver->folded, problem);
    if (status == SADDLE_OK)
        status = saddle_solver_type_supports(solver->context, plain_form(solver), seen);
    if (status == SADDLE_OK) status = stopped(solver, "analyse");
    if (status == SADDLE_OK) status = choose_form(solver, seen);
    if (status != SADDLE_OK) return conclude(solver, status);

    solver->report.n = problem->n;
    solver->report.m = problem->m;
    solver->report.contacts = problem->contact_count;
    status = saddle__checker_create(solver->context, problem, &solver->checker);
    if (status == SADDLE_OK && solver->options.warm_start && problem->row_id)
        status = reserve_rows(&solver->rows, problem->m);
    if (status != SADDLE_OK) return conclude(solver, status);
    saddle__phase outer;
    saddle_solver_call call = begin(solver, problem, started, &outer);
    status = solver->form->analyse(&call, solver->state, seen);
    status = saddle__verdict_claim(&(saddle__case){&call, problem, seen}, NULL, status);
    if (seen != problem) note_symmetry(solver, problem);
    memcpy(solver->analysed, solver->report.note, sizeof solver->analysed);
    if (saddle__goes_on(status)) solver->phase = ANALYSED;
    solver->report.seconds.analyse = saddle_clock() - started;
    return end(solver, &outer, status);
}

static saddle_status factor(saddle_solver *solver, const saddle_problem *problem)
{
    saddle_context_clear_message(solver->context);
    solver->phase = ANALYSED; /* stopped too: the last factor is of other values */
    saddle_status status = stopped(solver, "factor");
    if (status != SADDLE_OK) return conclude(solver, status);
    double started = saddle_clock();
    saddle__phase outer;
    saddle_solver_call call = begin(solver, problem, started, &outer);
    const saddle_problem *seen = saddle__folded_take(&solver->folded, problem);
    memcpy(solver->report.note, solver->analysed, sizeof solver->analysed);
    status = solver->form->factor(&call, solver->state, seen);
    status = saddle__verdict_claim(&(saddle__case){&call, problem, seen}, NULL, status);
    memcpy(solver->factored, solver->report.note, sizeof solver->factored);
    if (saddle__goes_on(status)) solver->phase = FACTORED;
    solver->report.seconds.factor = saddle_clock() - started;
    return end(solver, &outer, status);
}

saddle_status saddle_solver_set_mass(saddle_solver *solver, const saddle_mass_operator *mass)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(solver), solver && mass,
                          "solver or mass operator is NULL");
    SADDLE__TRY(saddle__mass_operator_check(solver->context, mass));
    void *state = saddle_allocate(solver->context, 1, saddle__solver_operator.state_size);
    if (!state) return SADDLE_OUT_OF_MEMORY;
    solver->form->clear(solver->state, solver->context);
    saddle_release(solver->context, solver->state);
    solver->head = (saddle__operator_head){*mass, solver->type};
    solver->form = &saddle__solver_operator;
    solver->state = state;
    clear_rows(&solver->rows);
    forget(solver);
    return SADDLE_OK;
}

saddle_status saddle_solver_analyse(saddle_solver *solver, const saddle_problem *problem)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(solver), solver && problem,
                          "solver or problem is NULL");
    forget(solver);
    problem = without_mass(solver, problem);
    saddle_status status = saddle_problem_check(solver->context, problem, NULL, NULL);
    if (status != SADDLE_OK) return conclude(solver, status);
    solver->pattern = saddle__pattern_of(problem);
    return analyse(solver, problem, 1);
}

saddle_status saddle_solver_factor(saddle_solver *solver, const saddle_problem *problem)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(solver), solver && problem,
                          "solver or problem is NULL");
    problem = without_mass(solver, problem);
    saddle_status status = admit(solver, problem, ANALYSED, "factor");
    if (status == SADDLE_OK) status = saddle__problem_check_values(solver->context, problem);
    if (status == SADDLE_OK && !saddle__folded_refresh(&solver->folded, problem)) {
        forget(solver); /* the values have lost a symmetry that was found, not claimed */
        status = analyse(solver, problem, 0);
    }
    return saddle__goes_on(status) ? factor(solver, problem) : conclude(solver, status);
}

/* ---- solve ---- */

static void copy_or_zero(double *to, const double *from, int64_t count)
{
    if (count == 0 || to == from) return;
    if (from)
        memcpy(to, from, (size_t)count * sizeof *to);
    else
        memset(to, 0, (size_t)count * sizeof *to);
}

/* The number of entries before the first that is not finite. */
static int64_t finite_up_to(const double *x, int64_t count)
{
    int64_t i = 0;
    while (i < count && isfinite(x[i])) i++;
    return i;
}

static saddle_status check_start(saddle_solver *solver, const saddle_problem *problem,
                                 const saddle_solution *start)
{
    saddle_status status = saddle__solution_check_size(solver->context, problem, start, "start", 0);
    if (status != SADDLE_OK) return status;
    int64_t v = finite_up_to(start->v, start->n);
    int64_t lambda = finite_up_to(start->lambda, start->m);
    if (v == start->n && lambda == start->m) return SADDLE_OK;
    status = saddle_fail(solver->context, SADDLE_INVALID_ARGUMENT, "the start's %s[%lld] is %g",
                         v < start->n ? "v" : "lambda", (long long)(v < start->n ? v : lambda),
                         v < start->n ? start->v[v] : start->lambda[lambda]);
    return saddle_fail_at(solver->context,
                          saddle__place_of(problem, v < start->n ? v : start->n + lambda), status);
}

static void remember(saddle_solver *solver, const saddle_problem *problem,
                     const saddle_solution *solution, saddle_status status)
{
    if (status < 0 || status == SADDLE_DIVERGED || status == SADDLE_INFEASIBLE) return;
    keep_rows(&solver->rows, problem, solution->lambda);
}

static saddle_status run(saddle_solver *solver, const saddle__case *c, saddle_solver_call *call,
                         saddle_solution *solution)
{
    saddle__proof_forget(&solver->report, &solver->certificate);
    memcpy(solver->report.note, solver->factored, sizeof solver->factored);
    saddle_status status = solver->form->solve(call, solver->state, c->seen, solution);
    return saddle__verdict_claim(c, solution, status);
}

/* The factorization anew, and the solve from zeros: as if there had never been another solve. */
static saddle_status run_cold(saddle_solver *solver, const saddle__case *c,
                              saddle_solver_call *call, saddle_solution *solution)
{
    solver->phase = ANALYSED;
    saddle_status status = solver->form->factor(call, solver->state, c->seen);
    if (!saddle__goes_on(status)) return status;
    solver->phase = FACTORED;
    copy_or_zero(solution->v, NULL, c->problem->n);
    copy_or_zero(solution->lambda, NULL, c->problem->m);
    return run(solver, c, call, solution);
}

/* A start costs no verdict: where the solve from it ends with neither an answer within the
 * tolerance nor a proof, the solve is repeated as if it were the first.  Where that ends without a
 * verdict either, the better of the two answers stays.  first: the status of the answer in
 * solution. */
static saddle_status run_again(saddle_solver *solver, const saddle__case *c,
                               saddle_solver_call *call, saddle_solution *solution,
                               saddle_status first)
{
    int64_t n = c->problem->n;
    int64_t m = c->problem->m;
    double tolerance = solver->options.tolerance;
    saddle_checker *checker = &solver->checker;
    double error = saddle__error_of(&solver->report.residual, tolerance);
    copy_or_zero(checker->first_v, solution->v, n);
    copy_or_zero(checker->first_lambda, solution->lambda, m);
    saddle_status status = run_cold(solver, c, call, solution);
    if (status >= 0) status = saddle__verdict(c, solution, status);
    int better = status <= SADDLE_OK || status == SADDLE_INFEASIBLE ||
                 saddle__error_of(&solver->report.residual, tolerance) <= error;
    if (!better) {
        int interrupted = status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT;
        saddle__proof_forget(&solver->report, &solver->certificate);
        copy_or_zero(solution->v, checker->first_v, n);
        copy_or_zero(solution->lambda, checker->first_lambda, m);
        status = saddle__verdict_claim(c, solution, interrupted ? status : first);
        status = saddle__verdict(c, solution, status);
    }
    saddle__report_note(&solver->report, "begun again without the start%s",
                        better ? "" : ", which gave no better answer");
    return status;
}

/* Interrupted before the solve: the solution is the start, or zeros. */
static saddle_status leave_unsolved(saddle_solver *solver, const saddle_problem *problem,
                                    const saddle_solution *start, saddle_solution *solution,
                                    saddle_status status)
{
    saddle_status fits = saddle__solution_check_size(solver->context, problem, solution, "solution",
                                                     1);
    if (fits == SADDLE_OK && start) fits = check_start(solver, problem, start);
    if (fits != SADDLE_OK) return conclude(solver, fits);
    copy_or_zero(solution->v, start ? start->v : NULL, problem->n);
    copy_or_zero(solution->lambda, start ? start->lambda : NULL, problem->m);
    for (int64_t i = 0; i < problem->m; i++) solution->w[i] = problem->b ? -problem->b[i] : 0.0;
    saddle_matrix_apply_transpose(&problem->Jt, 1.0, solution->v, 1.0, solution->w);
    saddle_matrix_apply(&problem->R, 1.0, solution->lambda, 1.0, solution->w);
    return status;
}

static saddle_status solve(saddle_solver *solver, const saddle_problem *problem,
                           const saddle_solution *start, saddle_solution *solution)
{
    saddle_context_clear_message(solver->context);
    saddle_status status = saddle__solution_check_size(solver->context, problem, solution,
                                                       "solution", 1);
    if (status == SADDLE_OK && start) status = check_start(solver, problem, start);
    if (status != SADDLE_OK) return conclude(solver, status);
    status = stopped(solver, "solve");
    if (status != SADDLE_OK)
        return conclude(solver, leave_unsolved(solver, problem, start, solution, status));
    double started = saddle_clock();
    solver->report.warm_rows = 0; /* the caller's start, or what is known of the rows, or zeros */
    copy_or_zero(solution->v, start ? start->v : NULL, problem->n);
    copy_or_zero(solution->lambda, start ? start->lambda : NULL, problem->m);
    if (!start && solver->options.warm_start)
        solver->report.warm_rows = recall_rows(&solver->rows, problem, solution->lambda);
    solver->report.iterations = solver->report.pivots = solver->report.refinements = 0;
    solver->report.switches = (saddle_switches){0};
    saddle__phase outer;
    saddle_solver_call call = begin(solver, problem, started, &outer);
    saddle__case c = {&call, problem, saddle__folded_take(&solver->folded, problem)};
    int warm = !saddle__is_zero(solution->lambda, problem->m);
    status = run(solver, &c, &call, solution);
    if (warm && saddle__verdict_ended(&call, status) &&
        !saddle_residual_is_solved(&solver->report.residual, solver->options.tolerance))
        status = run_again(solver, &c, &call, solution, status);
    else
        status = saddle__verdict(&c, solution, status);
    if (solver->options.warm_start) remember(solver, problem, solution, status);
    solver->report.seconds.solve = saddle_clock() - started;
    return end(solver, &outer, status);
}

saddle_status saddle_solver_solve(saddle_solver *solver, const saddle_problem *problem,
                                  const saddle_solution *start, saddle_solution *solution)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(solver), solver && problem && solution,
                          "solver, problem or solution is NULL");
    problem = without_mass(solver, problem);
    saddle_status status = admit(solver, problem, FACTORED, "solve");
    if (status == SADDLE_OK) status = saddle__problem_check_vectors(solver->context, problem);
    if (status == SADDLE_OK)
        status = saddle_solver_type_supports(solver->context, plain_form(solver),
                                             saddle__folded_take(&solver->folded, problem));
    return status == SADDLE_OK ? solve(solver, problem, start, solution) : conclude(solver, status);
}

/* ---- all at once ---- */

saddle_status saddle_solve(saddle_context *context, const saddle_problem *problem, const char *name,
                           const saddle_options *options, const saddle_solution *start,
                           saddle_solution *solution, saddle_report *report)
{
    saddle_context_clear_message(context);
    saddle_solver *solver = NULL;
    saddle_status status = problem && solution ? SADDLE_OK : SADDLE_INVALID_ARGUMENT;
    if (status != SADDLE_OK)
        (void)saddle_fail(context, status, "saddle_solve needs a problem and a solution");
    if (status == SADDLE_OK) status = saddle_solver_create(context, name, options, &solver);
    if (report) {
        *report = saddle__report_fresh(name ? name : "auto");
        report->status = status;
    }
    if (status != SADDLE_OK) return status;
    int made = !solution->v && !solution->lambda && !solution->w;
    status = made ? saddle_solution_create(context, problem->n, problem->m, solution) : SADDLE_OK;
    if (status == SADDLE_OK) {
        solver->options.warm_start = 0; /* no later solve remembers */
        status = saddle_problem_check(context, problem, NULL, NULL);
    }
    if (status == SADDLE_OK) status = analyse(solver, problem, 1);
    if (saddle__goes_on(status)) status = factor(solver, problem);
    if (saddle__goes_on(status))
        status = solve(solver, problem, start, solution);
    else if (status > 0)
        status = leave_unsolved(solver, problem, start, solution, status);
    if (report) {
        *report = solver->report;
        report->status = status;
    }
    if (made && status < 0) saddle_solution_clear(solution);
    saddle_solver_free(solver);
    return status;
}

/* ---- with the least impulses ---- */

static saddle_status measure_residual(saddle_context *context, const saddle_problem *problem,
                                      saddle_solution *solution, saddle_residual *residual)
{
    double *work = saddle_allocate(context, saddle_residual_work_size(problem), sizeof(*work));
    if (!work) return SADDLE_OUT_OF_MEMORY;
    saddle_residual_compute(problem, solution->v, solution->lambda, solution->w, work, residual);
    saddle_release(context, work);
    return SADDLE_OK;
}

saddle_status saddle_solve_least_multipliers(saddle_context *context, const saddle_problem *problem,
                                             const char *name, saddle_multiplier_norm norm,
                                             const saddle_options *options,
                                             saddle_solution *solution, saddle_report *report)
{
    saddle_context_clear_message(context);
    saddle_rank rank = {0};
    saddle_residual residual;
    saddle_options chosen;
    int made = solution && !solution->v && !solution->lambda && !solution->w;
    saddle_status solved = saddle_solve(context, problem, name, options, NULL, solution, report);
    if (solved < 0) return solved;
    saddle_status status = saddle__options_read(context, options, &chosen);
    if (status == SADDLE_OK) status = saddle_rank_find(context, problem, NULL, &rank);
    if (status == SADDLE_OK)
        status = saddle_rank_least_multipliers(context, problem, &rank, norm, solution->lambda);
    if (status == SADDLE_OK) status = measure_residual(context, problem, solution, &residual);
    saddle_rank_clear(&rank);
    if (status == SADDLE_OK) {
        status = solved;
        if (solved == SADDLE_OK && !saddle_residual_is_solved(&residual, chosen.tolerance))
            status = saddle_fail(context, SADDLE_NOT_CONVERGED,
                                 "with the least multipliers the residual is %.2e, more than the "
                                 "tolerance %.2e",
                                 residual.total, chosen.tolerance);
        if (report) report->residual = residual;
    } else if (made) {
        saddle_solution_clear(solution);
    }
    if (report) report->status = status;
    return status;
}
