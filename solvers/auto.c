/* SPDX-License-Identifier: MIT */
/* auto: a chain of solvers.  The first link with a reason is picked; where a solve ends unsolved,
 * each later link with a reason has a turn, and the best answer is returned, report.solver naming
 * the solver.  A solve begins with the pick again, and the chain follows only a solve from zeros
 * (saddle_solver_solve begins again from zeros where a start leads to no solution): a verdict
 * depends neither on a start nor on earlier solves.
 *
 * The thresholds are measured (docs/performance.md). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/vector.h"
#include "builtin.h"
#include "capability.h"
#include "matrix/matrix_internal.h"
#include "problem/verdict.h"
#include "refine.h"
#include "verdict.h"

enum {
    FEW_FRICTION = 200,   /* rows with friction: dense columns are quicker up to here */
    MANY_FRICTION = 3000, /* rows with friction: sweeps come first beyond */
    PATHS = 1000,         /* unknowns of lemke: paths are quick up to here */
    LONG_PATHS = 3000     /* the same where block pivoting does not apply */
};

static const double dense_share = 0.3;     /* of W's entries, without velocities */
static const double most_delassus = 2.5e7; /* entries of W: W is not formed beyond */
static const double sweeps_a_root = 8.0;   /* sweeps per sqrt(rows): heaps of discs take 2 to 5 */

/* ---- facts of a problem ---- */

typedef struct facts {
    saddle__demand demand;
    int equality; /* no bounds, no contacts */
    int blocks;   /* block pivoting takes the rows and laws */
    int paths;    /* lemke does */
    int dense;    /* W is dense, or too large to be formed; found by analyse */
    int singular; /* M could not be factored */
    int64_t n, m;
    int64_t contacts;
    int64_t unknowns; /* of lemke */
} facts;

static facts facts_of(const saddle_problem *problem, int dense)
{
    facts f = {.demand = saddle__problem_demand(problem),
               .dense = dense,
               .n = problem->n,
               .m = problem->m,
               .contacts = problem->contact_count,
               .unknowns = saddle__expansion_capacity(problem)};
    f.equality = (f.demand.rows & ~(unsigned)SADDLE_ROWS_EQUALITY) == 0;
    f.blocks = !f.equality && !saddle__rows_missing(&saddle__solver_schur, f.demand);
    f.paths = !f.equality && !saddle__rows_missing(&saddle__solver_lemke, f.demand);
    return f;
}

/* Sum over the connected components of M (bodies, meshes) of the squared number of rows on each
 * component.  work: 3 n. */
static double count_delassus(const saddle_problem *problem, int64_t *work)
{
    int64_t n = problem->n;
    int64_t *root = work, *rows = work + n, *last = work + 2 * n;
    double entries = 0.0;
    saddle__matrix_components(&problem->M, root);
    for (int64_t j = 0; j < n; j++) last[j] = -1;
    for (int64_t i = 0; problem->Jt.start && i < problem->m; i++)
        for (int64_t k = problem->Jt.start[i]; k < problem->Jt.start[i + 1]; k++) {
            int64_t c = root[problem->Jt.index[k]];
            rows[c] += last[c] != i;
            last[c] = i;
        }
    for (int64_t j = 0; j < n; j++) entries += (double)rows[j] * (double)rows[j];
    return entries;
}

/* *dense <- whether W is too large to be formed, or R without velocities is dense. */
static saddle_status find_density(saddle_context *context, const saddle_problem *problem,
                                  int *dense)
{
    int64_t n = problem->n;
    double m = (double)problem->m;
    int both = problem->R.symmetry == SADDLE_SYMMETRIC ? 2 : 1;
    *dense = n == 0 && both * (double)saddle_matrix_entries(&problem->R) > dense_share * m * m;
    if (n == 0 || m * m <= most_delassus) return SADDLE_OK;
    int64_t *work = saddle_allocate(context, n < INT64_MAX / 3 ? 3 * n : n, sizeof *work);
    if (!work) return SADDLE_OUT_OF_MEMORY;
    *dense = count_delassus(problem, work) > most_delassus;
    saddle_release(context, work);
    return SADDLE_OK;
}

/* ---- the chain ---- */

static const char *why_ldlt(const facts *f)
{
    if (!f->equality || f->demand.matrices == SADDLE_MATRICES_UNSYMMETRIC) return NULL;
    return f->m ? "equality rows, symmetric" : "no rows, symmetric";
}

static const char *why_lu(const facts *f)
{
    if (!f->equality) return NULL;
    return f->m ? "equality rows, unsymmetric" : "no rows, unsymmetric";
}

/* Sweeps are quick on easy contacts and stall on hard contacts: as many sweeps as heaps of bodies
 * need. */
static const char *why_few_sweeps(const facts *f)
{
    int many = f->blocks && f->contacts > 0 && f->m > MANY_FRICTION && !f->singular;
    return many ? "very many rows with friction" : NULL;
}

static const char *why_sweeps(const facts *f)
{
    if (f->equality || f->blocks || f->singular) return NULL;
    return !f->paths ? "friction cones" : f->unknowns > PATHS ? "many facets of friction" : NULL;
}

/* Block pivoting on dense columns; alone in taking a singular M. */
static const char *why_pivot(const facts *f)
{
    if (!f->blocks) return NULL;
    return f->singular                               ? "M is singular"
           : f->contacts > 0 && f->m <= FEW_FRICTION ? "few rows with friction"
           : f->dense                                ? "rows with bounds, W dense"
                                                     : NULL;
}

/* Block pivoting on W formed sparse. */
static const char *why_schur(const facts *f)
{
    if (!f->blocks || why_pivot(f)) return NULL;
    return f->contacts > 0 ? "many rows with friction" : "rows with bounds";
}

/* Matrices without a guarantee by block pivoting, and pyramids in space. */
static const char *why_lemke(const facts *f)
{
    int64_t most = f->blocks && !f->dense ? PATHS : LONG_PATHS;
    return f->paths && !f->singular && f->unknowns <= most ? "friction without cones" : NULL;
}

/* Again, where schur has tried: M may be singular for rounding. */
static const char *why_pivot_too(const facts *f)
{
    int small = f->n > 0 && f->unknowns <= PATHS;
    return why_schur(f) && !f->singular && small ? "M may be singular" : NULL;
}

static const char *why_last_sweeps(const facts *f)
{
    return f->paths && !f->singular && !why_sweeps(f) ? "all others fell short" : NULL;
}

static const struct {
    const saddle_solver_type *type;
    const char *(*why)(const facts *f); /* NULL = the link has no turn */
} chain[] = {
    {&saddle__solver_ldlt, why_ldlt},
    {&saddle__solver_lu, why_lu},
    {&saddle__solver_gauss_seidel, why_few_sweeps},
    {&saddle__solver_gauss_seidel, why_sweeps},
    {&saddle__solver_pivot, why_pivot},
    {&saddle__solver_schur, why_schur},
    {&saddle__solver_lemke, why_lemke},
    {&saddle__solver_pivot, why_pivot_too},
    {&saddle__solver_gauss_seidel, why_last_sweeps},
};

enum { LINKS = sizeof chain / sizeof *chain, NONE = -1 };

/* The first link with a reason and not in the set `tried`; NONE. */
static int next_link(const facts *f, unsigned tried)
{
    for (int k = 0; k < LINKS; k++)
        if (!(tried & 1U << k) && chain[k].why(f)) return k;
    return NONE;
}

static unsigned bit_of(int link)
{
    return link == NONE ? 0 : 1U << link;
}

/* ---- a link with its state ---- */

typedef struct seat {
    const saddle_solver_type *type;
    void *state; /* NULL = the seat is empty */
    int link;    /* NONE: schur in the place of ldlt */
} seat;

typedef struct auto_state {
    seat pick;
    seat stand_in; /* for values without a factor by the pick */
    int dense;     /* facts.dense */
    int equality;
    double *kept; /* n + m: the best v and lambda while another link tries; NULL = the pick is alone
                   */
    char note[SADDLE_NOTE_SIZE]; /* the report's before another link had a turn .. */
    int noted;                   /* .. where this is 1 */
} auto_state;

static void vacate(seat *s, saddle_context *context)
{
    if (s->state) s->type->clear(s->state, context);
    saddle_release(context, s->state);
    s->state = NULL;
}

static void sign(saddle_report *report, const saddle_solver_type *type)
{
    report->solver[0] = '\0';
    saddle__append(report->solver, sizeof report->solver, type->name);
}

/* The report's note <- text; the old note. */
static void put_first(saddle_report *report, const char *text)
{
    char own[SADDLE_NOTE_SIZE];
    memcpy(own, report->note, sizeof own);
    (void)snprintf(report->note, sizeof report->note, "%s", text);
    if (own[0]) saddle__report_note(report, "%s", own);
}

/* The report names the solver in the seat; notes about other links of an earlier call are removed.
 */
static void begin(saddle_report *report, auto_state *s, const seat *from)
{
    sign(report, from->type);
    if (!s->noted || from != &s->pick) return;
    memcpy(report->note, s->note, sizeof s->note);
    s->noted = 0;
}

/* The call for one solver, with the solver's own settings. */
static saddle_solver_call call_of(const saddle_solver_call *call, const saddle_solver_type *type,
                                  saddle__settings *settings)
{
    saddle_solver_call own = *call;
    own.settings = saddle__settings_fill(type, call->options->settings, settings);
    return own;
}

static saddle_status take(saddle_solver_call *call, seat *s, int link,
                          const saddle_solver_type *type, const saddle_problem *problem)
{
    saddle__settings settings;
    saddle_solver_call own = call_of(call, type, &settings);
    s->type = type;
    s->link = link;
    s->state = saddle_allocate(call->context, 1, type->state_size);
    if (!s->state) return SADDLE_OUT_OF_MEMORY;
    sign(call->report, type);
    call->report->note[0] = '\0';
    return type->analyse(&own, s->state, problem);
}

static saddle_status factor_by(saddle_solver_call *call, seat *s, const saddle_problem *problem)
{
    saddle__settings settings;
    saddle_solver_call own = call_of(call, s->type, &settings);
    return s->type->factor(&own, s->state, problem);
}

static saddle_status solve_by(saddle_solver_call *call, seat *s, const saddle_problem *problem,
                              saddle_solution *solution)
{
    saddle__settings settings;
    saddle_options options = *call->options;
    saddle_solver_call own = call_of(call, s->type, &settings);
    if (s->link != NONE && chain[s->link].why == why_few_sweeps && options.max_iterations == 0)
        options.max_iterations = (int64_t)(sweeps_a_root * sqrt((double)problem->m));
    own.options = &options;
    return s->type->solve(&own, s->state, problem, solution);
}

/* ---- analyse and factor ---- */

/* ldlt, analysed, gives way to schur where schur is expected to take clearly fewer flops: schur
 * takes two solves with M's factor, ldlt a single solve with K's.  Below a millisecond of
 * factorization, or where factoring a full W takes half of ldlt's flops, schur is not analysed.
 * why: both numbers of flops. */
static void consider_schur(saddle_solver_call *call, seat *s, const saddle_problem *problem,
                           char *why, size_t size)
{
    static const double millisecond = 2e7, full_W = 0.5, clearly_less = 0.7;
    double m = (double)problem->m;
    double flops = call->report->flops;
    if (saddle__settings_differ(&saddle__solver_ldlt, call->options->settings))
        return; /* the factorization asked for is unknown to schur */
    if (flops < millisecond || problem->n == 0 || m == 0.0 || m * m * m / 3.0 > full_W * flops)
        return;
    char note[SADDLE_NOTE_SIZE];
    memcpy(note, call->report->note, sizeof note);
    seat other = {0};
    int analysed = take(call, &other, NONE, &saddle__solver_schur, problem) == SADDLE_OK;
    double schur_flops = call->report->flops;
    int better = analysed && schur_flops <= clearly_less * flops;
    vacate(better ? s : &other, call->context);
    if (better)
        *s = other;
    else
        memcpy(call->report->note, note, sizeof note);
    call->report->flops = better ? schur_flops : flops;
    sign(call->report, s->type);
    if (analysed)
        (void)snprintf(why, size, ", ldlt would take %.1e flops, schur %.1e", flops, schur_flops);
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *s = memory;
    char text[SADDLE_NOTE_SIZE], foreseen[80] = "";
    facts f = facts_of(problem, 0);
    saddle_status status = f.equality ? SADDLE_OK : find_density(call->context, problem, &s->dense);
    if (status != SADDLE_OK) return status;
    f.dense = s->dense;
    int link = next_link(&f, 0);
    s->equality = f.equality;
    status = take(call, &s->pick, link, chain[link].type, problem);
    if (status == SADDLE_OK && s->pick.type == &saddle__solver_ldlt)
        consider_schur(call, &s->pick, problem, foreseen, sizeof foreseen);
    f.singular = status == SADDLE_SINGULAR; /* M has no entries */
    int next = next_link(&f, bit_of(link));
    if (f.singular && next != NONE) {
        vacate(&s->pick, call->context);
        status = take(call, &s->pick, link = next, chain[next].type, problem);
        next = next_link(&f, bit_of(link));
    }
    if (next != NONE) {
        s->kept = saddle_allocate(call->context, problem->n + problem->m, sizeof *s->kept);
        if (!s->kept) return SADDLE_OUT_OF_MEMORY;
    }
    (void)snprintf(text, sizeof text, "auto picked %s: %s%s", s->pick.type->name,
                   chain[link].why(&f), foreseen);
    put_first(call->report, text);
    return status;
}

/* The next link is analysed and announced.  what: the fate of the solver before. */
static saddle_status take_next(saddle_solver_call *call, auto_state *s, seat *next, int link,
                               const saddle_problem *problem, const char *what)
{
    char text[SADDLE_NOTE_SIZE];
    if (!s->noted) memcpy(s->note, call->report->note, sizeof s->note);
    s->noted = 1;
    const saddle_solver_type *type = chain[link].type;
    saddle_switches *switches = &call->report->switches;
    (void)snprintf(text, sizeof text, "auto picked %s, then %s: %s %s", call->report->solver,
                   type->name, call->report->solver, what);
    *(type == &saddle__solver_lemke ? &switches->lemke : &switches->other) += 1;
    saddle_status status = take(call, next, link, type, problem);
    put_first(call->report, text);
    return status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *s = memory;
    vacate(&s->stand_in, call->context);
    begin(call->report, s, &s->pick);
    saddle_status status = factor_by(call, &s->pick, problem);
    unsigned tried = bit_of(s->pick.link);
    facts f = facts_of(problem, s->dense);
    f.singular = !f.equality;
    for (int link; status == SADDLE_SINGULAR && (link = next_link(&f, tried)) != NONE;
         tried |= bit_of(link)) {
        vacate(&s->stand_in, call->context);
        status = take_next(call, s, &s->stand_in, link, problem, "met a zero pivot");
        if (status >= 0) status = factor_by(call, &s->stand_in, problem);
    }
    if (status < 0) sign(call->report, s->pick.type);
    return status;
}

/* ---- solve ---- */

/* Where no other link has a turn. */
static int is_settled(const saddle_solver_call *call, saddle_status status)
{
    if (status == SADDLE_ITERATION_LIMIT) return call->options->max_iterations > 0;
    return status < 0 || status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT ||
           status == SADDLE_INFEASIBLE;
}

/* The link's answer stays where better than the present answer, or proven infeasible.  *error: of
 * the answer; fell: the note in case all links fall short. */
static saddle_status try_link(saddle_solver_call *call, auto_state *s, int link,
                              const saddle_problem *problem, saddle_solution *solution,
                              double *error, char fell[SADDLE_NOTE_SIZE])
{
    saddle__case c = {call, problem, problem};
    saddle_report before = *call->report;
    seat next = {0};
    char what[64];
    saddle__copy(s->kept, solution->v, problem->n);
    saddle__copy(s->kept + problem->n, solution->lambda, problem->m);
    (void)snprintf(what, sizeof what, "reached %.1e", *error);
    saddle_status status = take_next(call, s, &next, link, problem, what);
    if (status >= 0) status = factor_by(call, &next, problem);
    if (status >= 0) status = solve_by(call, &next, problem, solution);
    if (status >= 0) status = saddle__verdict_claim(&c, solution, status);
    vacate(&next, call->context);
    double now = saddle__error_of(&call->report->residual, call->options->tolerance);
    if (status == SADDLE_INFEASIBLE || (status >= 0 && now < *error)) {
        *error = now;
        return status;
    }
    saddle__copy(solution->v, s->kept, problem->n);
    saddle__copy(solution->lambda, s->kept + problem->n, problem->m);
    before.switches = call->report->switches;
    before.factorizations = call->report->factorizations;
    if (before.peak_bytes < call->report->peak_bytes) before.peak_bytes = call->report->peak_bytes;
    *call->report = before;
    saddle__append(fell, SADDLE_NOTE_SIZE, fell[0] ? "; " : "");
    saddle__append(fell, SADDLE_NOTE_SIZE, chain[link].type->name);
    saddle__append(fell, SADDLE_NOTE_SIZE,
                   status == SADDLE_OUT_OF_MEMORY ? " ran out of memory" : " did no better");
    return status == SADDLE_OK || status < 0 ? SADDLE_NOT_CONVERGED : status;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    auto_state *s = memory;
    saddle__case c = {call, problem, problem};
    seat *first = s->stand_in.state ? &s->stand_in : &s->pick;
    char fell[SADDLE_NOTE_SIZE] = "";
    int warm = !saddle__is_zero(solution->lambda, problem->m);
    begin(call->report, s, first);
    saddle_status status = solve_by(call, first, problem, solution);
    if (status < 0 || (status == SADDLE_OK && !s->equality))
        return status; /* as the checker says */
    status = saddle__verdict_claim(&c, solution, status);
    double error = saddle__error_of(&call->report->residual, call->options->tolerance);
    if (!s->kept || (warm && saddle__verdict_ended(call, status))) return status;
    facts f = facts_of(problem, s->dense);
    unsigned tried = bit_of(s->pick.link) | (s->stand_in.state ? bit_of(s->stand_in.link) : 0);
    for (int link; !(error <= call->options->tolerance) && !is_settled(call, status) &&
                   (link = next_link(&f, tried)) != NONE;
         tried |= bit_of(link))
        status = try_link(call, s, link, problem, solution, &error, fell);
    if (!(error <= call->options->tolerance) && fell[0])
        saddle__report_note(call->report, "%s", fell);
    return status;
}

static void clear(void *memory, saddle_context *context)
{
    auto_state *s = memory;
    vacate(&s->pick, context);
    vacate(&s->stand_in, context);
    saddle_release(context, s->kept);
    memset(s, 0, sizeof *s);
}

const saddle_solver_type saddle__solver_auto = {
    .name = "auto",
    .summary = "picks by the rows and matrices, and says what it picked and why",
    .rows = SADDLE_ROWS_ALL,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(auto_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
