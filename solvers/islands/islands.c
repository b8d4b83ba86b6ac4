/* SPDX-License-Identifier: MIT */
/* auto: the islands of a problem with bounds or contacts (partition.h), each by auto's chain
 * (auto.c), in threads; a problem of a single island by the chain directly.
 *
 * Rest.  A start that is not zero and passes the checker's measure on an island is the island's
 * answer.  Any other island is analysed when first solved, and factored when first solved with new
 * values: an island at rest costs a copy and a measure.
 *
 * Judgement.  An island is a problem of its own, with its own scale S and its own search for
 * certificates; an island's certificate, zeros elsewhere, is a certificate of the whole.  An error
 * of an island: the whole is solved by the chain, for the sake of a message with the whole's rows.
 *
 * Threads.  Islands are dealt to lanes.  A lane has a context of its own and runs on a single
 * thread at a time.  An island with more than a thread's share of the work comes last, factored by
 * all threads.  No result depends on the lanes.
 *
 * Small islands come before large ones: a limit of time that ends a large one leaves the small ones
 * solved. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "base/vector.h"
#include "builtin.h"
#include "islands/partition.h"
#include "ldlt/tasks.h"
#include "member.h"
#include "problem/verdict.h"
#include "verdict.h"

/* ---- branches: contexts for threads at work for the owner of a context while the owner waits ----
 *
 *     memory     the owner's allocator and limit, by a single thread at a time
 *     messages   each branch's own
 *     progress   the owner's callback, called by the owner's thread only; a wish to stop reaches
 *                all branches
 *     log        no lines
 *     solvers    as registered with the owner's context
 */

/* Stays in place as long as a branch is in use. */
typedef struct branch_set {
    saddle_context *context; /* the owner's */
    pthread_mutex_t lock;
    pthread_t thread; /* the owner's, since begin */
    int stopped;      /* 1: the owner's callback asked to stop */
} branch_set;

/* Memory: blocks of the owner's context, each with a second head of the branch. */

static void *allocate_block(void *user, size_t bytes)
{
    branch_set *b = user;
    (void)pthread_mutex_lock(&b->lock);
    void *block = saddle__allocate_unset(b->context, (int64_t)bytes, 1);
    (void)pthread_mutex_unlock(&b->lock);
    return block;
}

static void *reallocate_block(void *user, void *block, size_t bytes)
{
    branch_set *b = user;
    (void)pthread_mutex_lock(&b->lock);
    void *grown = saddle_reallocate(b->context, block, (int64_t)bytes, 1);
    (void)pthread_mutex_unlock(&b->lock);
    return grown;
}

static void release_block(void *user, void *block)
{
    branch_set *b = user;
    (void)pthread_mutex_lock(&b->lock);
    saddle_release(b->context, block);
    (void)pthread_mutex_unlock(&b->lock);
}

static int report_progress(void *user, const saddle_progress *progress)
{
    branch_set *b = user;
    int stop = 0;
    if (pthread_equal(pthread_self(), b->thread))
        stop = b->context->options.progress(b->context->options.progress_user, progress) != 0;
    (void)pthread_mutex_lock(&b->lock);
    stop = b->stopped |= stop;
    (void)pthread_mutex_unlock(&b->lock);
    return stop;
}

/* context: not NULL.  Closed by close_branches. */
static void open_branches(saddle_context *context, branch_set *branches)
{
    *branches = (branch_set){.context = context};
    (void)pthread_mutex_init(&branches->lock, NULL);
}

static void close_branches(branch_set *branches)
{
    (void)pthread_mutex_destroy(&branches->lock);
    branches->context = NULL;
}

/* *branch <- a context without memory of its own: needs no release. */
static void add_branch(branch_set *branches, saddle_context *branch)
{
    const saddle_context *owner = branches->context;
    memset(branch, 0, sizeof *branch);
    branch->options.allocator = (saddle_allocator){allocate_block, reallocate_block, release_block,
                                                   branches};
    branch->options.progress = owner->options.progress ? report_progress : NULL;
    branch->options.progress_user = branches;
    branch->registered = owner->registered;
    branch->registered_count = owner->registered_count;
}

/* By the owner's thread, before each use of the branches by other threads. */
static void begin_branches(branch_set *branches)
{
    branches->thread = pthread_self();
    branches->stopped = 0;
}

/* Memory of the islands' solvers kept from solve to solve [bytes]; solvers beyond are made again
 * for each solve. */
#define MOST_KEPT ((int64_t)64 << 20)

/* ---- state ---- */

/* The solver of an island, and its report on the last solve. */
typedef struct member {
    saddle__member chain;  /* without a state: at rest since analyse */
    int rests, indefinite; /* 1: M or R was found indefinite */
    saddle_status status;
    char solver[SADDLE_NAME_SIZE];
    int64_t iterations, pivots, refinements, perturbed_pivots, factor_entries, peak_bytes;
    double flops;
} member;

/* Islands for one thread at a time, in ascending order of sizes. */
typedef struct lane {
    saddle_context *context; /* the caller's, or &branch */
    saddle_context branch;
    saddle_checker checker;
    saddle_report report;           /* of the island at hand */
    saddle_certificate certificate; /* the same */
    saddle_certificate proof;       /* of the first island without a solution */
    int64_t proven;                 /* its index; -1: every island may have a solution */
    int64_t kept;                   /* bytes of the solvers of its islands */
    int64_t factorizations;
    saddle_switches switches;
} lane;

typedef struct islands_state {
    saddle_context *context;
    saddle__member whole; /* the chain for the undivided problem */
    saddle__partition partition;
    member *member; /* partition.count */
    lane *lane;     /* lanes; the last with the caller's context, for the caller's thread */
    int64_t lanes, threads;
    int64_t *first;                /* lanes + 1: of each lane's islands in `island` */
    const saddle__island **island; /* partition.count */
    branch_set branches;
} islands_state;

/* The index of the k-th of `island`. */
static int64_t index_of(const islands_state *s, int64_t k)
{
    return s->island[k] - s->partition.island;
}

/* ---- starts and answers ---- */

/* The islands' v and lambda <- the solution's; of an absent vector they stay. */
static void scatter(saddle__partition *p, const saddle_solution *solution)
{
    for (int64_t j = 0; solution->v && j < p->n; j++) p->v[j] = solution->v[p->velocity[j]];
    for (int64_t i = 0; solution->lambda && i < p->m; i++)
        p->lambda[i] = solution->lambda[p->row[i]];
}

static void gather(const saddle__partition *p, saddle_solution *solution)
{
    for (int64_t j = 0; j < p->n; j++) solution->v[p->velocity[j]] = p->v[j];
    for (int64_t i = 0; i < p->m; i++) solution->lambda[p->row[i]] = p->lambda[i];
}

/* ---- the undivided problem ---- */

/* From the start in solution. */
static saddle_status solve_whole(saddle_solver_call *call, islands_state *s,
                                 const saddle_problem *problem, saddle_solution *solution)
{
    call->report->note[0] = '\0';
    saddle_context_clear_message(s->context);
    saddle_status status = saddle__member_analyse(call, &s->whole, problem);
    if (saddle__goes_on(status)) status = saddle__member_factor(call, &s->whole, problem);
    if (saddle__goes_on(status))
        status = saddle__solver_chain.solve(call, s->whole.state, problem, solution);
    saddle__report_note(call->report, "solved as one, not as %lld islands",
                        (long long)s->partition.count);
    return status;
}

/* ---- lanes ---- */

/* With many threads the lanes are many and short: the last to end keeps the others waiting for no
 * more than a share of a thread's work, unless it is a single island of more. */
static int64_t count_lanes(int64_t threads, int64_t islands)
{
    if (threads == 1) return 1;
    int64_t lanes = threads * threads;
    return 1 + (lanes < islands ? lanes : islands);
}

static int by_size(const void *a, const void *b)
{
    const saddle__island *const *x = a, *const *y = b;
    if ((*x)->size != (*y)->size) return (*x)->size < (*y)->size ? -1 : 1;
    return (*x > *y) - (*x < *y);
}

/* first, island: filled.  The last lane has the islands that all threads together take: each of
 * more than a thread's share, with one lane all; the other lanes have equal parts of the rest. */
static void deal(islands_state *s)
{
    const saddle__partition *p = &s->partition;
    double total = 0.0, rest = 0.0, done = 0.0;
    int64_t small = 0, l = 0;
    for (int64_t k = 0; k < p->count; k++) {
        s->island[k] = &p->island[k];
        total += (double)p->island[k].size;
    }
    qsort(s->island, (size_t)p->count, sizeof(*s->island), by_size);
    while (s->lanes > 1 && small < p->count &&
           (double)s->island[small]->size * (double)s->threads <= total)
        rest += (double)s->island[small++]->size;
    for (int64_t k = 0; k < small; k++) {
        while (l + 2 < s->lanes && done >= (double)(l + 1) * rest / (double)(s->lanes - 1))
            s->first[++l] = k;
        done += (double)s->island[k]->size;
    }
    while (l + 1 < s->lanes) s->first[++l] = small;
    s->first[s->lanes] = p->count;
}

static saddle_status make_lane(islands_state *s, int64_t l)
{
    lane *made = &s->lane[l];
    saddle_problem largest = {0};
    made->context = s->context;
    if (l + 1 < s->lanes && s->context) {
        add_branch(&s->branches, &made->branch);
        made->context = &made->branch;
    }
    for (int64_t k = s->first[l]; k < s->first[l + 1]; k++) {
        const saddle_problem *q = &s->island[k]->problem;
        largest.n = largest.n > q->n ? largest.n : q->n;
        largest.m = largest.m > q->m ? largest.m : q->m;
    }
    return saddle__checker_create(made->context, &largest, &made->checker);
}

static saddle_status make_lanes(const saddle_solver_call *call, islands_state *s)
{
    int64_t islands = s->partition.count;
    s->threads = saddle__tasks_threads(call->options->threads);
    s->lanes = count_lanes(s->threads, islands);
    s->member = saddle_allocate(s->context, islands, sizeof *s->member);
    s->lane = saddle_allocate(s->context, s->lanes, sizeof *s->lane);
    s->first = saddle_allocate(s->context, s->lanes + 1, sizeof *s->first);
    s->island = saddle_allocate(s->context, islands, sizeof(*s->island));
    if (!s->member || !s->lane || !s->first || !s->island) return SADDLE_OUT_OF_MEMORY;
    if (s->context && s->lanes > 1) open_branches(s->context, &s->branches);
    deal(s);
    saddle_status status = SADDLE_OK;
    for (int64_t l = 0; status == SADDLE_OK && l < s->lanes; l++) status = make_lane(s, l);
    return status;
}

/* ---- analyse, factor ---- */

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    islands_state *s = memory;
    s->context = s->partition.context = call->context;
    s->whole.type = &saddle__solver_chain;
    saddle_status status = saddle__partition_create(problem, &s->partition);
    if (status != SADDLE_OK) return status;
    if (s->partition.count == 1) return saddle__member_analyse(call, &s->whole, problem);
    return make_lanes(call, s);
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    islands_state *s = memory;
    s->whole.factored = 0;
    if (s->partition.count == 1) return saddle__member_factor(call, &s->whole, problem);
    saddle__partition_set_matrices(&s->partition, problem);
    for (int64_t k = 0; k < s->partition.count; k++) s->member[k].chain.factored = 0;
    return SADDLE_OK;
}

/* ---- an island ---- */

static saddle_status prepare(saddle_solver_call *call, member *m, const saddle_problem *problem)
{
    m->chain.type = &saddle__solver_chain;
    saddle_status status = saddle__member_analyse(call, &m->chain, problem);
    if (saddle__goes_on(status) && !m->chain.factored) {
        status = saddle__member_factor(call, &m->chain, problem);
        m->indefinite = status == SADDLE_WRONG_INERTIA;
        m->flops = call->report->flops;
        m->factor_entries = call->report->factor_entries;
        m->perturbed_pivots = call->report->perturbed_pivots;
    }
    return status;
}

static int rests(const saddle_solver_call *call, const saddle__island *island)
{
    const saddle_solution *x = &island->answer;
    if (saddle__is_zero(x->lambda, x->m) && saddle__is_zero(x->v, x->n)) return 0;
    return saddle_residual_is_solved(saddle_solver_measure(call, &island->problem, x->v, x->lambda),
                                     call->options->tolerance);
}

static void count(lane *at, member *m)
{
    const saddle_report *report = &at->report;
    memcpy(m->solver, report->solver, sizeof m->solver);
    m->iterations = report->iterations;
    m->pivots = report->pivots;
    m->refinements = report->refinements;
    m->peak_bytes = m->peak_bytes > report->peak_bytes ? m->peak_bytes : report->peak_bytes;
    at->factorizations += report->factorizations;
    saddle__switches_add(&at->switches, &report->switches);
}

/* As the generic layer solves and judges a problem (solver.c, verdict.h). */
static saddle_status solve_island(const saddle_solver_call *whole, lane *at, saddle__island *island,
                                  member *m)
{
    saddle_solver_call call = *whole;
    saddle__case c = {&call, &island->problem, &island->problem};
    call.context = at->context;
    call.report = &at->report;
    call.checker = &at->checker;
    call.certificate = &at->certificate;
    at->report = (saddle_report){0};
    saddle__checker_begin(&at->checker, &island->problem);
    m->rests = rests(&call, island);
    if (m->rests) return SADDLE_OK;
    if (saddle_clock() >= call.deadline) return SADDLE_TIME_LIMIT;
    saddle_status status = prepare(&call, m, &island->problem);
    if (saddle__goes_on(status))
        status = saddle__solver_chain.solve(&call, m->chain.state, &island->problem,
                                            &island->answer);
    if (status >= 0) status = saddle__verdict_claim(&c, &island->answer, status);
    if (status >= 0) status = saddle__verdict(&c, &island->answer, status);
    count(at, m);
    return status;
}

/* The same, within the memory for solvers. */
static saddle_status take_turn(const saddle_solver_call *whole, const islands_state *s, lane *at,
                               int64_t i)
{
    member *m = &s->member[i];
    int64_t before = saddle_context_memory(at->context).bytes;
    saddle_status status = solve_island(whole, at, &s->partition.island[i], m);
    if (status == SADDLE_INFEASIBLE && (at->proven < 0 || i < at->proven)) {
        saddle_certificate_clear(&at->proof);
        at->proven = i;
        at->proof = at->certificate;
        at->certificate = (saddle_certificate){0};
        return status;
    }
    saddle_certificate_clear(&at->certificate);
    at->kept += saddle_context_memory(at->context).bytes - before;
    if (at->kept <= MOST_KEPT / s->lanes) return status;
    before = saddle_context_memory(at->context).bytes;
    saddle__member_release(&m->chain, at->context);
    at->kept += saddle_context_memory(at->context).bytes - before;
    return status;
}

/* ---- a lane ---- */

typedef struct work {
    const saddle_solver_call *call;
    islands_state *s;
    int ends; /* 1: nothing is solved, an error or a stop came before */
} work;

static int is_end(saddle_status status)
{
    return status == SADDLE_STOPPED || status < 0;
}

static void run_lane(void *user, int64_t l)
{
    const work *todo = user;
    islands_state *s = todo->s;
    lane *at = &s->lane[l];
    int ends = todo->ends;
    at->proven = -1;
    at->factorizations = 0;
    at->switches = (saddle_switches){0};
    for (int64_t k = s->first[l]; k < s->first[l + 1]; k++) {
        int64_t i = index_of(s, k);
        member *m = &s->member[i];
        m->rests = 0;
        m->iterations = m->pivots = m->refinements = 0;
        m->status = ends ? SADDLE_STOPPED : take_turn(todo->call, s, at, i);
        ends = ends || is_end(m->status);
    }
}

static void run_lanes(const saddle_solver_call *call, islands_state *s)
{
    saddle_options alone = *call->options;
    saddle_solver_call single = *call;
    work all = {call, s, 0}, each = {&single, s, 0};
    int64_t last = s->lanes - 1;
    alone.threads = 1;
    single.options = &alone;
    for (int64_t l = 0; s->context && l < last; l++) s->lane[l].branch.phase = s->context->phase;
    if (last > 0) begin_branches(&s->branches);
    if (last > 0) saddle__tasks_run(s->threads, last, run_lane, &each);
    for (int64_t k = 0; k < s->first[last]; k++)
        all.ends |= is_end(s->member[index_of(s, k)].status);
    run_lane(&all, last);
}

/* ---- the answer of all ---- */

/* The worse counts of two islands. */
static int weight(saddle_status status)
{
    switch (status) {
    case SADDLE_OK: return 0;
    case SADDLE_TIME_LIMIT: return 2;
    case SADDLE_STOPPED: return 3;
    case SADDLE_INFEASIBLE: return 4;
    default: return status < 0 ? 5 : 1;
    }
}

/* The island that the status is of; -1: all are solved. */
static int64_t find_worst(const islands_state *s)
{
    int64_t worst = -1;
    for (int64_t k = 0; k < s->partition.count; k++) {
        int64_t than = worst < 0 ? 0 : weight(s->member[worst].status);
        if (s->member[k].status == SADDLE_OUT_OF_MEMORY) return k;
        if (weight(s->member[k].status) > than) worst = k;
    }
    return worst;
}

/* The call's certificate <- that of the first island without a solution, zeros elsewhere. */
static saddle_status lift_proof(const saddle_solver_call *call, const islands_state *s)
{
    const lane *found = NULL;
    for (int64_t l = 0; l < s->lanes; l++)
        if (s->lane[l].proven >= 0 && (!found || s->lane[l].proven < found->proven))
            found = &s->lane[l];
    const saddle__partition *p = &s->partition;
    const saddle__island *island = found ? &p->island[found->proven] : NULL;
    saddle_certificate_clear(call->certificate);
    saddle_status status = saddle_certificate_create(s->context, p->n, p->m, call->certificate);
    if (status != SADDLE_OK || !island) return status;
    for (int64_t j = 0; found->proof.velocity && j < island->problem.n; j++)
        call->certificate->velocity[p->velocity[island->velocity + j]] = found->proof.velocity[j];
    for (int64_t i = 0; found->proof.row && i < island->problem.m; i++)
        call->certificate->row[p->row[island->row + i]] = found->proof.row[i];
    return SADDLE_INFEASIBLE;
}

static void forget_proofs(islands_state *s)
{
    for (int64_t l = 0; l < s->lanes; l++) saddle_certificate_clear(&s->lane[l].proof);
}

/* Sums over the islands; iterations: the most. */
static void report_counts(saddle_report *report, const islands_state *s)
{
    report->iterations = report->pivots = report->refinements = 0;
    report->perturbed_pivots = report->factor_entries = report->peak_bytes = 0;
    report->flops = 0.0;
    report->inertia = (saddle_inertia){0};
    report->backward_error = report->condition = report->scaled_condition = report->growth =
        (double)NAN;
    for (int64_t k = 0; k < s->partition.count; k++) {
        const member *m = &s->member[k];
        if (m->iterations > report->iterations) report->iterations = m->iterations;
        report->pivots += m->pivots;
        report->refinements += m->refinements;
        report->perturbed_pivots += m->perturbed_pivots;
        report->factor_entries += m->factor_entries;
        report->peak_bytes += m->peak_bytes;
        report->flops += m->flops;
    }
    for (int64_t l = 0; l < s->lanes; l++) {
        report->factorizations += s->lane[l].factorizations;
        saddle__switches_add(&report->switches, &s->lane[l].switches);
    }
}

/* "auto: 12 islands: 1 at rest, 10 pivot, 1 admm"; report->solver: of the most rows. */
static void report_solvers(saddle_report *report, const islands_state *s)
{
    int64_t resting = 0, indefinite = 0, most = -1;
    const saddle_solver_type *type;
    for (int64_t k = 0; k < s->partition.count; k++) {
        resting += s->member[k].rests;
        indefinite += s->member[k].indefinite;
    }
    (void)snprintf(report->solver, sizeof report->solver, "%s", saddle__solver_auto.name);
    saddle__report_note(report, "auto: %lld islands", (long long)s->partition.count);
    if (resting) saddle__report_note(report, "%lld at rest", (long long)resting);
    for (int64_t t = 0; (type = saddle_solver_type_at(NULL, t)) != NULL; t++) {
        int64_t islands = 0, rows = 0;
        for (int64_t k = 0; k < s->partition.count; k++) {
            const member *m = &s->member[k];
            if (m->rests || strcmp(m->solver, type->name) != 0) continue;
            islands++;
            rows += s->partition.island[k].problem.m;
        }
        if (islands == 0) continue;
        saddle__report_note(report, "%lld %s", (long long)islands, type->name);
        if (rows <= most) continue;
        most = rows;
        (void)snprintf(report->solver, sizeof report->solver, "%s", type->name);
    }
    if (indefinite)
        saddle__report_note(report, "%lld with M or R indefinite", (long long)indefinite);
}

/* The island at fault, by its first row. */
static void report_worst(const saddle_solver_call *call, const islands_state *s, int64_t worst,
                         const saddle_problem *problem)
{
    const saddle__island *island = &s->partition.island[worst];
    int64_t unsolved = 0;
    char name[128] = "none";
    for (int64_t k = 0; k < s->partition.count; k++) unsolved += s->member[k].status != SADDLE_OK;
    if (island->problem.m > 0)
        saddle_problem_describe_row(problem, s->partition.row[island->row], name, sizeof name);
    saddle__report_note(call->report, "unsolved: %lld, one with %s", (long long)unsolved, name);
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    islands_state *s = memory;
    if (s->partition.count == 1)
        return saddle__solver_chain.solve(call, s->whole.state, problem, solution);
    saddle__partition_set_vectors(&s->partition, problem);
    scatter(&s->partition, solution);
    run_lanes(call, s);
    int64_t worst = find_worst(s);
    saddle_status status = worst < 0 ? SADDLE_OK : s->member[worst].status;
    if (status == SADDLE_INFEASIBLE) status = lift_proof(call, s);
    forget_proofs(s);
    report_counts(call->report, s);
    if (status < 0)
        return status == SADDLE_OUT_OF_MEMORY ? status : solve_whole(call, s, problem, solution);
    gather(&s->partition, solution);
    report_solvers(call->report, s);
    if (status != SADDLE_OK) report_worst(call, s, worst, problem);
    return status;
}

static void clear(void *memory, saddle_context *context)
{
    islands_state *s = memory;
    saddle__member_release(&s->whole, context);
    for (int64_t l = 0; s->lane && l < s->lanes; l++) {
        lane *at = &s->lane[l];
        for (int64_t k = s->first ? s->first[l] : 0; s->first && k < s->first[l + 1]; k++) {
            member *m = &s->member[index_of(s, k)];
            saddle__member_release(&m->chain, at->context);
        }
        saddle__checker_clear(at->context, &at->checker);
        saddle_certificate_clear(&at->proof);
    }
    if (s->branches.context) close_branches(&s->branches);
    saddle_release(context, s->member);
    saddle_release(context, s->lane);
    saddle_release(context, s->first);
    saddle_release(context, s->island);
    saddle__layout_clear(context, &s->partition.layout);
    memset(s, 0, sizeof *s);
}

const saddle_solver_type saddle__solver_auto = {
    .name = "auto",
    .summary = "picks by the rows and matrices, and says what it picked and why",
    .rows = SADDLE_ROWS_ALL,
    .matrices = SADDLE_MATRICES_SYMMETRIC | SADDLE_MATRICES_UNSYMMETRIC,
    .state_size = sizeof(islands_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
