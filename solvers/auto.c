/* SPDX-License-Identifier: MIT */
/* auto's chain of solvers, for a problem or an island of a problem (islands/islands.c).  The first
 * solver with a reason is picked; where a solve ends unsolved, each later solver with a reason is
 * tried, and the best answer is returned, report.solver naming the solver.  A solve begins with the
 * pick again; solvers that a solve came to are kept.
 *
 * The thresholds are measured (docs/performance.md). */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/layout.h"
#include "base/vector.h"
#include "builtin.h"
#include "capability.h"
#include "matrix/matrix_internal.h"
#include "member.h"
#include "problem/problem_internal.h"
#include "problem/verdict.h"
#include "refine.h"
#include "verdict.h"

enum {
    FEW_FRICTION = 100,   /* rows with friction: block pivoting on W dense is quick up to here; all
                             rows: projections are, where other methods fall short */
    WARM_SWEEPS = 300,    /* rows of cones: left to Newton's steps beyond, from a start */
    MANY_FRICTION = 3000, /* rows with friction: block pivoting comes after sweeps beyond */
    PATHS = 1000,         /* unknowns of lemke: paths come before sweeps up to here */
    LONG_PATHS = 3000,    /* .. and after other methods up to here */
    ROUND = 50            /* sweeps of a round (saddle__sweep_in_rounds) */
};

static const double most_delassus = 2.5e7; /* entries of W: W is not formed beyond */

/* ---- facts of a problem ---- */

/* How the velocities hang together. */
typedef enum coupling {
    BODIES,   /* most are those of single bodies */
    MESH,     /* most are coupled, by M or equality rows, with more than those of a body */
    CONDENSES /* such a mesh, and W of the other rows has no more entries than M and J */
} coupling;

typedef struct facts {
    const saddle_problem *problem;
    int equality;  /* no bounds, no contacts */
    int equations; /* some rows are equalities */
    int unsymmetric;
    int blocks;        /* block pivoting takes the rows and laws */
    int paths;         /* lemke does */
    int dense;         /* W is dense, or too large to be formed; found by analyse */
    coupling coupling; /* of contacts; found by analyse */
    int singular;      /* M could not be factored */
} facts;

static facts facts_of(const saddle_problem *problem, int dense, coupling coupled)
{
    facts f = {.problem = problem, .dense = dense, .coupling = coupled};
    const int64_t equations = saddle_problem_count_rows(problem).equality;
    f.equality = equations == problem->m;
    f.equations = equations > 0;
    f.unsymmetric = !saddle__is_symmetric(&problem->M) || !saddle__is_symmetric(&problem->R);
    f.blocks = !f.equality &&
               saddle_solver_type_supports(NULL, &saddle__solver_schur, problem) == SADDLE_OK;
    f.paths = !f.equality &&
              saddle_solver_type_supports(NULL, &saddle__solver_lemke, problem) == SADDLE_OK;
    return f;
}

/* ---- connected components of the velocities ---- */

typedef struct components {
    saddle__layout layout;
    int64_t *root, *size; /* n: of a velocity; of a root */
    int64_t *rows, *last; /* n: of a root: rows counted, the last of them */
    signed char *counted; /* m: 1 = a row of W */
} components;

static saddle_status make_components(saddle_context *context, const saddle_problem *problem,
                                     components *c)
{
    const int64_t n = problem->n;
    const saddle__array arrays[] = {SADDLE__ARRAY(c->root, n), SADDLE__ARRAY(c->size, n),
                                    SADDLE__ARRAY(c->rows, n), SADDLE__ARRAY(c->last, n),
                                    SADDLE__ARRAY(c->counted, problem->m)};
    *c = (components){0};
    return saddle__layout_make(context, &c->layout, arrays, SADDLE__LENGTH(arrays));
}

/* Entries of W: the sum over the components of the squared number of counted rows on each. */
static double count_delassus(components *c, const saddle_problem *problem)
{
    const saddle_matrix *Jt = &problem->Jt;
    double entries = 0.0;
    for (int64_t j = 0; j < problem->n; j++) c->last[j] = -1;
    for (int64_t i = 0; Jt->start && i < problem->m; i++)
        for (int64_t k = Jt->start[i]; c->counted[i] && k < Jt->start[i + 1]; k++) {
            int64_t root = c->root[Jt->index[k]];
            c->rows[root] += c->last[root] != i;
            c->last[root] = i;
        }
    for (int64_t j = 0; j < problem->n; j++) entries += (double)c->rows[j] * (double)c->rows[j];
    return entries;
}

/* *dense <- whether W is too large to be formed, or R without velocities is dense. */
static saddle_status find_density(saddle_context *context, const saddle_problem *problem,
                                  int *dense)
{
    components c; /* of M: bodies, meshes */
    double m = (double)problem->m;
    *dense = problem->n == 0 && saddle__matrix_is_dense(&problem->R);
    if (problem->n == 0 || m * m <= most_delassus) return SADDLE_OK;
    SADDLE__TRY(make_components(context, problem, &c));
    saddle__matrix_components(&problem->M, c.root);
    memset(c.counted, 1, (size_t)problem->m);
    *dense = count_delassus(&c, problem) > most_delassus;
    saddle__layout_clear(context, &c.layout);
    return SADDLE_OK;
}

/* 1: an entry of R couples an equality row with a row of W. */
static int mixes(const saddle_matrix *R, const signed char *counted)
{
    for (int64_t j = 0; R->start && j < R->cols; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++)
            if (counted[R->index[k]] != counted[j]) return 1;
    return 0;
}

/* Of patterns and bounds alone; components of M and the equality rows, W of the other rows. */
static saddle_status find_coupling(saddle_context *context, const saddle_problem *problem,
                                   coupling *found)
{
    components c;
    const saddle_matrix *M = &problem->M, *Jt = &problem->Jt, *R = &problem->R;
    int64_t meshed = 0;
    *found = BODIES;
    if (saddle_matrix_entries(M) == 0 || saddle_matrix_entries(Jt) == 0) return SADDLE_OK;
    SADDLE__TRY(make_components(context, problem, &c));
    saddle__find_bounded(problem, c.counted);
    saddle__matrix_components(M, c.root);
    for (int64_t i = 0; i < problem->m; i++)
        if (!c.counted[i] && Jt->start[i] < Jt->start[i + 1])
            (void)saddle__join_column(c.root, Jt->index[Jt->start[i]], 0, Jt, i);
    for (int64_t j = 0; j < problem->n; j++) {
        c.root[j] = saddle__root_of(c.root, j);
        c.size[c.root[j]]++;
    }
    for (int64_t j = 0; j < problem->n; j++)
        meshed += c.size[c.root[j]] > 6; /* more than a body has */
    if (2 * meshed > problem->n) {
        int condenses = saddle__is_symmetric(M) && saddle__is_symmetric(R) &&
                        !mixes(R, c.counted) &&
                        count_delassus(&c, problem) <= 2.0 * (double)saddle_matrix_entries(M) +
                                                           (double)saddle_matrix_entries(Jt);
        *found = condenses ? CONDENSES : MESH;
    }
    saddle__layout_clear(context, &c.layout);
    return SADDLE_OK;
}

saddle_status saddle__find_condensing(saddle_context *context, const saddle_problem *problem,
                                      int *condenses)
{
    coupling found = BODIES;
    const int64_t equations = saddle_problem_count_rows(problem).equality;
    if (equations > 0 && equations < problem->m)
        SADDLE__TRY(find_coupling(context, problem, &found));
    *condenses = found == CONDENSES;
    return SADDLE_OK;
}

/* ---- the chain ---- */

typedef enum link {
    NONE = -1,
    LDLT,
    LU,
    CONDENSED,         /* the equations eliminated: few contacts on a mesh */
    ADMM_FIRST,        /* contacts on which a sweep takes longer than a step, or many are due */
    SWEEPS,            /* in rounds, as long as they gain: sweeps stall on hard contacts */
    PIVOT,             /* block pivoting on dense columns; alone in taking a singular M */
    SCHUR,             /* block pivoting on W formed sparse */
    LEMKE,             /* matrices without a guarantee by block pivoting, and pyramids in space */
    PIVOT_AFTER_SCHUR, /* M may be singular for rounding */
    ADMM,              /* contacts on which sweeps stall; what rows hold where M is singular */
    STAGGERED,         /* contacts by projections in turn: much friction on dependent rows */
    LINKS
} link;

static const saddle_solver_type *const type_of[LINKS] = {
    [LDLT] = &saddle__solver_ldlt,
    [LU] = &saddle__solver_lu,
    [CONDENSED] = &saddle__solver_condensed,
    [ADMM_FIRST] = &saddle__solver_admm,
    [SWEEPS] = &saddle__solver_gauss_seidel,
    [PIVOT] = &saddle__solver_pivot,
    [SCHUR] = &saddle__solver_schur,
    [LEMKE] = &saddle__solver_lemke,
    [PIVOT_AFTER_SCHUR] = &saddle__solver_pivot,
    [ADMM] = &saddle__solver_admm,
    [STAGGERED] = &saddle__solver_staggered,
};

static int has_unknowns(const facts *f, int64_t most)
{
    return saddle__expansion_capacity(f->problem) <= most;
}

static const char *reason_for_pivot(const facts *f)
{
    const saddle_problem *p = f->problem;
    int singular = p->n > 0 && p->m > p->n; /* W: block pivoting stalls on its sparse parts */
    return f->singular ? "M is singular"
           : singular && p->contact_count > 0 && p->m > FEW_FRICTION
               ? "more rows than velocities, with friction"
           : f->dense ? "rows with bounds or friction, W dense"
                      : NULL;
}

/* 1: contacts without block pivoting on a mesh, unless the dense W is formed quickly: a sweep over
 * W then takes less time than the solve of a step. */
static int is_meshed(const facts *f)
{
    int few = !f->equations && f->problem->m <= FEW_FRICTION;
    return f->coupling == MESH && !few && !f->blocks && !(f->paths && has_unknowns(f, PATHS));
}

/* Contacts of the associated law, each row with compliance. */
static int is_soft(const facts *f)
{
    const saddle_problem *p = f->problem;
    const saddle_matrix *R = &p->R;
    if (p->law != SADDLE_LAW_ASSOCIATED || p->n == 0 || saddle_matrix_entries(R) == 0) return 0;
    for (int64_t c = 0; c < p->contact_count; c++)
        for (int64_t i = p->contacts[c].row; i < p->contacts[c].row + p->contacts[c].size; i++) {
            int64_t k = saddle__matrix_find(R, i, i);
            if (k < 0 || !(R->value[k] > 0.0)) return 0;
        }
    return p->contact_count > 0;
}

/* NULL: the solver is not tried. */
static const char *reason(const facts *f, link l)
{
    int contacts = f->problem->contact_count > 0;
    switch (l) {
    case LDLT:
        if (!f->equality || f->unsymmetric) return NULL;
        return f->problem->m ? "equality rows, symmetric" : "no rows, symmetric";
    case LU:
        if (!f->equality) return NULL;
        return f->problem->m ? "equality rows, unsymmetric" : "no rows, unsymmetric";
    case CONDENSED:
        return contacts && f->coupling == CONDENSES && !f->singular
                   ? "few contacts over many velocities"
                   : NULL;
    case ADMM_FIRST:
        return !contacts || f->singular ? NULL
               : is_meshed(f)           ? "contacts on a mesh"
               : is_soft(f)             ? "soft contacts"
                                        : NULL;
    case SWEEPS:
        if (f->singular || f->equality) return NULL;
        if (f->blocks && contacts &&
            f->problem->m > (reason_for_pivot(f) ? MANY_FRICTION : FEW_FRICTION))
            return "many rows with friction";
        if (f->blocks || (f->paths && has_unknowns(f, PATHS))) return NULL;
        return f->paths ? "many facets of friction" : "friction cones";
    case PIVOT: return f->blocks ? reason_for_pivot(f) : NULL;
    case SCHUR:
        if (!f->blocks || reason_for_pivot(f)) return NULL;
        return contacts ? "rows with friction" : "rows with bounds";
    case LEMKE:
        return f->paths && !f->singular && has_unknowns(f, LONG_PATHS) ? "friction without cones"
                                                                       : NULL;
    case PIVOT_AFTER_SCHUR:
        return f->blocks && !reason_for_pivot(f) && f->problem->n > 0 && has_unknowns(f, PATHS)
                   ? "M may be singular"
                   : NULL;
    case ADMM:
        if (f->equality || reason(f, ADMM_FIRST)) return NULL;
        return f->singular ? "M is singular" : "others fall short";
    case STAGGERED:
        return contacts && !f->singular && f->problem->m <= FEW_FRICTION &&
                       saddle_solver_type_supports(NULL, &saddle__solver_staggered, f->problem) ==
                           SADDLE_OK
                   ? "others fall short"
                   : NULL;
    case LINKS:
    case NONE: break;
    }
    return NULL;
}

/* The first solver with a reason and not in the set `tried`; NONE. */
static link next_link(const facts *f, unsigned tried)
{
    for (link l = LDLT; l < LINKS; l++)
        if (!(tried & 1U << l) && reason(f, l)) return l;
    return NONE;
}

static unsigned bit_of(link l)
{
    return l == NONE ? 0 : 1U << l;
}

/* ---- a solver of the chain, with its state ---- */

typedef struct member {
    saddle__member solver;
    link link; /* NONE: schur in the place of ldlt */
} member;

typedef struct auto_state {
    member pick;
    member stand_in;    /* the solver used where the pick cannot factor the values */
    member next[LINKS]; /* later solvers of the chain, kept for the next solves */
    double *kept;       /* n + m: the best answer; NULL before a second solver */
    double *start;      /* n + m: what the solve began with; NULL = equality rows alone */
    int dense;          /* facts.dense */
    coupling coupling;  /* facts.coupling */
    int equality;
    int left_out; /* 1: the present solve leaves out the sweeps of the pick */
} auto_state;

static void name_in_report(const saddle_solver_call *call, const member *s)
{
    call->report->solver[0] = '\0';
    saddle__append(call->report->solver, sizeof call->report->solver, s->solver.type->name);
}

/* note: the report's, before the notes of the solver.  One with a state is analysed already. */
static saddle_status analyse_by(saddle_solver_call *call, member *s, link l,
                                const saddle_solver_type *type, const saddle_problem *problem,
                                const char *note)
{
    s->solver.type = type;
    s->link = l;
    name_in_report(call, s);
    (void)snprintf(call->report->note, sizeof call->report->note, "%s", note);
    return saddle__member_analyse(call, &s->solver, problem);
}

static saddle_status solve_by(const saddle_solver_call *call, member *s,
                              const saddle_problem *problem, saddle_solution *solution)
{
    saddle__member *solver = &s->solver;
    saddle_solver_call own = saddle__member_call(call, solver);
    name_in_report(call, s);
    if (s->link == SWEEPS && own.options->max_iterations == 0)
        return saddle__sweep_in_rounds(&own, solver->state, ROUND, problem, solution);
    return solver->type->solve(&own, solver->state, problem, solution);
}

/* ---- analyse and factor ---- */

/* ldlt, analysed, gives way to schur where schur is expected to take clearly fewer flops: schur
 * takes two solves with M's factor, ldlt a single solve with K's.  Below a millisecond of
 * factorization, or where factoring a full W takes half of ldlt's flops, schur is not analysed. */
static saddle_status consider_schur(saddle_solver_call *call, member *s,
                                    const saddle_problem *problem)
{
    static const double millisecond = 2e7, full_W = 0.5, clearly_less = 0.7;
    double m = (double)problem->m;
    double flops = call->report->flops;
    saddle__settings plain;
    (void)saddle__settings_fill(call->context, s->solver.type, NULL, &plain);
    if (memcmp(plain.bytes, s->solver.settings.bytes, sizeof plain.bytes) != 0)
        return SADDLE_OK; /* the factorization asked for is unknown to schur */
    if (flops < millisecond || problem->n == 0 || m == 0.0 || m * m * m / 3.0 > full_W * flops)
        return SADDLE_OK;
    saddle_report before = *call->report;
    member other = {0};
    const saddle_status status = analyse_by(call, &other, NONE, &saddle__solver_schur, problem,
                                            "auto picked schur: equality rows, symmetric");
    int analysed = status == SADDLE_OK;
    double schur_flops = call->report->flops;
    int better = analysed && schur_flops <= clearly_less * flops;
    saddle__member_release(better ? &s->solver : &other.solver, call->context);
    if (better)
        *s = other;
    else
        *call->report = before;
    if (analysed)
        saddle__report_note(call->report, "ldlt would take %.1e flops, schur %.1e", flops,
                            schur_flops);
    return status < 0 || saddle__goes_on(status) ? SADDLE_OK : status;
}

/* waits: 1 = the pick is analysed when a solve first wants it. */
static saddle_status pick(saddle_solver_call *call, member *s, const facts *f, link l, int waits)
{
    s->solver.type = type_of[l];
    s->link = l;
    name_in_report(call, s);
    (void)snprintf(call->report->note, sizeof call->report->note, "auto picked %s: %s",
                   s->solver.type->name, reason(f, l));
    return waits ? SADDLE_OK : saddle__member_analyse(call, &s->solver, f->problem);
}

/* Sweeps from a start tell little of many contacts: block pivoting takes the states of the start,
 * admm takes Newton's steps at once where the error is small. */
static int may_leave_out(const saddle_solver_call *call, link l, const saddle_problem *problem)
{
    int cones = problem->law == SADDLE_LAW_CONE || problem->law == SADDLE_LAW_ASSOCIATED;
    return l == SWEEPS && call->options->max_iterations == 0 &&
           ((cones && problem->n > 0 && problem->m > WARM_SWEEPS) ||
            (problem->m <= MANY_FRICTION &&
             saddle_solver_type_supports(NULL, &saddle__solver_schur, problem) == SADDLE_OK));
}

static saddle_status analyse(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *s = memory;
    facts f = facts_of(problem, 0, BODIES);
    saddle_status status = f.equality ? SADDLE_OK : find_density(call->context, problem, &s->dense);
    if (status != SADDLE_OK) return status;
    if (problem->contact_count > 0) status = find_coupling(call->context, problem, &s->coupling);
    if (status != SADDLE_OK) return status;
    f.dense = s->dense;
    f.coupling = s->coupling;
    s->equality = f.equality;
    if (!f.equality) {
        s->start = saddle_allocate(call->context, problem->n + problem->m, sizeof *s->start);
        if (!s->start) return SADDLE_OUT_OF_MEMORY;
    }
    link l = next_link(&f, 0);
    status = pick(call, &s->pick, &f, l, may_leave_out(call, l, problem));
    if (status == SADDLE_OK && l == LDLT) status = consider_schur(call, &s->pick, problem);
    if (status != SADDLE_SINGULAR) return status;
    f.singular = 1; /* M has no entries */
    l = next_link(&f, bit_of(l));
    if (l == NONE) return status;
    saddle__member_release(&s->pick.solver, call->context);
    return pick(call, &s->pick, &f, l, 0);
}

/* The next solver is analysed and announced.  what: the fate of the solver before. */
static saddle_status analyse_next(saddle_solver_call *call, member *next, link l,
                                  const saddle_problem *problem, const char *what)
{
    char note[SADDLE_NOTE_SIZE];
    const char *last = call->report->solver;
    saddle_switches *switches = &call->report->switches;
    (void)snprintf(note, sizeof note, "auto picked %s, then %s: %s %s", last, type_of[l]->name,
                   last, what);
    *(l == LEMKE ? &switches->lemke : &switches->other) += 1;
    return analyse_by(call, next, l, type_of[l], problem, note);
}

/* The stand-in for a pick that met a zero pivot. */
static saddle_status find_stand_in(saddle_solver_call *call, auto_state *s,
                                   const saddle_problem *problem)
{
    unsigned tried = bit_of(s->pick.link);
    facts f = facts_of(problem, s->dense, s->coupling);
    saddle_status status = SADDLE_SINGULAR;
    f.singular = !f.equality;
    for (link l; status == SADDLE_SINGULAR && (l = next_link(&f, tried)) != NONE;
         tried |= bit_of(l)) {
        saddle__member_release(&s->stand_in.solver, call->context);
        status = analyse_next(call, &s->stand_in, l, problem, "met a zero pivot");
        if (saddle__goes_on(status))
            status = saddle__member_factor(call, &s->stand_in.solver, problem);
    }
    if (status < 0) name_in_report(call, &s->pick);
    return status;
}

/* The pick, or where it meets a zero pivot the stand-in, is factored. */
static saddle_status prepare(saddle_solver_call *call, auto_state *s, const saddle_problem *problem)
{
    saddle_status status = SADDLE_OK;
    if (s->stand_in.solver.state) return status;
    if (!s->pick.solver.state) {
        facts f = facts_of(problem, s->dense, s->coupling);
        status = pick(call, &s->pick, &f, s->pick.link, 0);
    }
    name_in_report(call, &s->pick);
    if (saddle__goes_on(status)) status = saddle__member_factor(call, &s->pick.solver, problem);
    return status == SADDLE_SINGULAR ? find_stand_in(call, s, problem) : status;
}

static saddle_status factor(saddle_solver_call *call, void *memory, const saddle_problem *problem)
{
    auto_state *s = memory;
    saddle__member_release(&s->stand_in.solver, call->context);
    s->pick.solver.factored = 0;
    for (link l = LDLT; l < LINKS; l++) s->next[l].solver.factored = 0;
    return may_leave_out(call, s->pick.link, problem) ? SADDLE_OK : prepare(call, s, problem);
}

/* ---- solve ---- */

/* Whether no other solver is tried. */
static int is_settled(const saddle_solver_call *call, saddle_status status)
{
    if (status == SADDLE_ITERATION_LIMIT) return call->options->max_iterations > 0;
    return status < 0 || status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT ||
           status == SADDLE_INFEASIBLE;
}

/* The status of the answer, in solution; report->residual is measured. */
static saddle_status answer_by(saddle_solver_call *call, auto_state *s, link l,
                               const saddle_problem *problem, double error,
                               saddle_solution *solution)
{
    saddle__case c = {call, problem, problem};
    member *next = &s->next[l];
    char what[64] = "left out, from a start";
    if (!s->left_out) (void)snprintf(what, sizeof what, "reached %.1e", error);
    s->left_out = 0;
    saddle_status status = analyse_next(call, next, l, problem, what);
    if (saddle__goes_on(status)) status = saddle__member_factor(call, &next->solver, problem);
    if (l == ADMM || l == STAGGERED) { /* take more steps from what others leave */
        saddle__copy(solution->v, s->start, problem->n);
        saddle__copy(solution->lambda, s->start + problem->n, problem->m);
    }
    if (saddle__goes_on(status)) status = solve_by(call, next, problem, solution);
    return status >= 0 ? saddle__verdict_claim(&c, solution, status) : status;
}

/* The next solver's answer stays where better than the present answer, or proven infeasible.
 * *error: of the answer; failures: the note of the solvers that did no better. */
static saddle_status try_link(saddle_solver_call *call, auto_state *s, link l,
                              const saddle_problem *problem, saddle_solution *solution,
                              double *error, char failures[SADDLE_NOTE_SIZE])
{
    saddle_report before = *call->report;
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    if (!s->kept)
        s->kept = saddle_allocate(call->context, problem->n + problem->m, sizeof *s->kept);
    double *kept = s->kept;
    if (kept) {
        saddle__copy(kept, solution->v, problem->n);
        saddle__copy(kept + problem->n, solution->lambda, problem->m);
        status = answer_by(call, s, l, problem, *error, solution);
        double now = saddle__error_of(&call->report->residual, call->options->tolerance);
        int better = status == SADDLE_INFEASIBLE || (status >= 0 && now < *error);
        if (better) *error = now;
        if (!better) saddle__copy(solution->v, kept, problem->n);
        if (!better) saddle__copy(solution->lambda, kept + problem->n, problem->m);
        if (better) return status;
    }
    before.switches = call->report->switches;
    before.factorizations = call->report->factorizations;
    if (before.peak_bytes < call->report->peak_bytes) before.peak_bytes = call->report->peak_bytes;
    *call->report = before;
    saddle__append(failures, SADDLE_NOTE_SIZE, failures[0] ? "; " : "");
    saddle__append(failures, SADDLE_NOTE_SIZE, type_of[l]->name);
    saddle__append(failures, SADDLE_NOTE_SIZE,
                   status == SADDLE_OUT_OF_MEMORY ? " ran out of memory" : " did no better");
    return status == SADDLE_OK || status < 0 ? SADDLE_NOT_CONVERGED : status;
}

static saddle_status solve(saddle_solver_call *call, void *memory, const saddle_problem *problem,
                           saddle_solution *solution)
{
    auto_state *s = memory;
    saddle__case c = {call, problem, problem};
    char failures[SADDLE_NOTE_SIZE] = "";
    saddle_status status = SADDLE_NOT_CONVERGED;
    if (s->start) {
        saddle__copy(s->start, solution->v, problem->n);
        saddle__copy(s->start + problem->n, solution->lambda, problem->m);
    }
    s->left_out = may_leave_out(call, s->pick.link, problem) &&
                  !saddle__is_zero(s->start + problem->n, problem->m);
    if (s->left_out)
        name_in_report(call, &s->pick);
    else
        status = prepare(call, s, problem);
    if (!s->left_out && saddle__goes_on(status))
        status = solve_by(call, s->stand_in.solver.state ? &s->stand_in : &s->pick, problem,
                          solution);
    if (status < 0 || (status == SADDLE_OK && !s->equality))
        return status; /* as the checker says */
    status = saddle__verdict_claim(&c, solution, status);
    double error = saddle__error_of(&call->report->residual, call->options->tolerance);
    unsigned tried = bit_of(s->pick.link) |
                     (s->stand_in.solver.state ? bit_of(s->stand_in.link) : 0);
    while (!(error <= call->options->tolerance) && !is_settled(call, status)) {
        facts f = facts_of(problem, s->dense, s->coupling);
        link l = next_link(&f, tried);
        if (l == NONE) break;
        status = try_link(call, s, l, problem, solution, &error, failures);
        tried |= bit_of(l);
    }
    if (!(error <= call->options->tolerance) && failures[0])
        saddle__report_note(call->report, "%s", failures);
    return status;
}

static void clear(void *memory, saddle_context *context)
{
    auto_state *s = memory;
    saddle__member_release(&s->pick.solver, context);
    saddle__member_release(&s->stand_in.solver, context);
    for (link l = LDLT; l < LINKS; l++) saddle__member_release(&s->next[l].solver, context);
    saddle_release(context, s->kept);
    saddle_release(context, s->start);
    memset(s, 0, sizeof *s);
}

/* Of an island; no solver of its own in the registry. */
const saddle_solver_type saddle__solver_chain = {
    .state_size = sizeof(auto_state),
    .analyse = analyse,
    .factor = factor,
    .solve = solve,
    .clear = clear,
};
