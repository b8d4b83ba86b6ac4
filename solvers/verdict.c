/* SPDX-License-Identifier: MIT */
/* See verdict.h. */
#include "verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/layout.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "builtin.h"
#include "matrix/full_csr.h"
#include "problem/problem_internal.h"
#include "problem/verdict.h"

/* Local errors beyond far_apart times the total are named in the note. */
static const double far_apart = 1e3;

enum {
    MOST_REFUTED = 100, /* velocities and rows: a search for a certificate takes about a
                           millisecond up to here */
    NAMED = 3           /* rows or velocities of a certificate in a message */
};

/* ======== certificates by solving ======== */

/* Certificates that a problem has no solution, found by solving (docs/theory.md, 8).
 *
 * Rows that contradict each other: solvers whose solve ends in a ray of impulses
 * (saddle_solver_type.proves) are given the problem, contacts without friction.
 *
 * Motions without mass that no row holds and that f pushes, velocities of any number together:
 *
 *     M'z = 0,   f'z > sup { -(J z)'lambda : lambda that the laws allow }
 *         (saddle/certificate.h, y = 0)
 *
 * All z form the cone on which the problem is unbounded.  The z of the cone along which f pushes
 * most, |z| given, is the solution of a problem like those that the library solves, with natural
 * masses D and the motions of no mass as equations,
 *
 *     D z - M y - J'lambda = f,     M'z = 0,    J z = w against lambda as the rows' laws are, b = 0
 *
 * since then z'D z = f'z + lambda'w, the gap of the certificate: z is zero, to rounding, where
 * nothing is unbounded.  Contacts: the normal has its law, and tangents are not to slide, which
 * proves less than could be proven, and nothing wrong. */

/* The problem of which certificates are: the solver's, or the rows' of an operator for M. */
static const saddle_problem *refuted(const saddle__case *c)
{
    const saddle__operator_case *own = c->call->checker->by_operator;
    return own ? own->rows : c->seen;
}

/* The first solver of the registry, from *index on, with proofs of the kind; NULL = no more. */
static const saddle_solver_type *next_prover(const saddle_context *context,
                                             const saddle_problem *problem, unsigned kind,
                                             int64_t *index)
{
    const saddle_solver_type *type;
    while ((type = saddle_solver_type_at(context, (*index)++)) != NULL)
        if (type->proves && type->proves(problem) & kind) return type;
    return NULL;
}

/* ---- a solve with default options, judged by the caller ---- */

/* All-zero with a context is fine to clear. */
typedef struct attempt {
    saddle_context *context;
    saddle_solution solution;
    saddle_report report;
    saddle_checker checker;
} attempt;

static void clear_attempt(attempt *a)
{
    saddle_solution_clear(&a->solution);
    saddle__checker_clear(a->context, &a->checker);
}

static saddle_status make_attempt(attempt *a, const saddle_problem *problem)
{
    saddle_status status = saddle__checker_create(a->context, problem, &a->checker);
    if (status != SADDLE_OK) return status;
    return saddle_solution_create(a->context, problem->n, problem->m, &a->solution);
}

/* From zeros.  certificate: NULL = not wanted. */
static saddle_status run_attempt(attempt *a, const saddle_solver_type *type,
                                 const saddle_problem *problem, double deadline,
                                 saddle_certificate *certificate)
{
    saddle_options options = saddle_options_default();
    saddle__settings settings;
    saddle_solver_call call = {.context = a->context,
                               .options = &options,
                               .settings = settings.bytes,
                               .report = &a->report,
                               .checker = &a->checker,
                               .certificate = certificate,
                               .deadline = deadline};
    saddle_status status = saddle__settings_fill(a->context, type, options.settings, &settings);
    if (status != SADDLE_OK) return status;
    void *state = saddle_allocate(a->context, 1, type->state_size);
    if (!state) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; j < problem->n; j++) a->solution.v[j] = 0.0;
    for (int64_t i = 0; i < problem->m; i++) a->solution.lambda[i] = 0.0;
    status = type->analyse(&call, state, problem);
    if (saddle__goes_on(status)) status = type->factor(&call, state, problem);
    if (saddle__goes_on(status)) status = type->solve(&call, state, problem, &a->solution);
    type->clear(state, a->context);
    saddle_release(a->context, state);
    return status;
}

/* ---- rows ---- */

/* *smooth <- the problem, contacts without friction; *contacts: to be released. */
static saddle_status make_smooth(saddle_context *context, const saddle_problem *problem,
                                 saddle_problem *smooth, saddle_contact **contacts)
{
    *smooth = *problem;
    *contacts = saddle_allocate(context, problem->contact_count, sizeof **contacts);
    if (!*contacts) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < problem->contact_count; k++) {
        (*contacts)[k] = (saddle_contact){.row = problem->contacts[k].row,
                                          .size = problem->contacts[k].size};
    }
    smooth->contacts = *contacts;
    smooth->law = SADDLE_LAW_BOX;
    smooth->owner = 0;
    return SADDLE_OK;
}

/* SADDLE_INFEASIBLE where the certificate proves, else SADDLE_NOT_CONVERGED. */
static saddle_status check_proof(const saddle__case *c)
{
    const saddle_certificate *certificate = c->call->certificate;
    saddle_proof *proof = &c->call->report->proof;
    saddle_status status = SADDLE_OK;
    if (certificate->row || certificate->velocity)
        status = saddle_certificate_check(c->call->context, refuted(c), certificate, proof);
    if (status == SADDLE_OUT_OF_MEMORY) return status;
    int stands = status == SADDLE_OK && saddle__proof_stands(proof, c->call->options->tolerance);
    if (!stands) proof->kind = SADDLE_PROOF_NONE;
    return stands ? SADDLE_INFEASIBLE : SADDLE_NOT_CONVERGED;
}

/* call's certificate, empty, <- contradictory rows, where found: SADDLE_INFEASIBLE, and answer <-
 * the answer found along the certificate.  Friction of contacts is
 * left out: a contradiction does not need friction.  Takes as long as solving, and no longer than
 * to call->deadline.  SADDLE_OK: not found; SADDLE_OUT_OF_MEMORY. */
static saddle_status refute_rows(const saddle__case *c, saddle_solution *answer)
{
    saddle_context *context = c->call->context;
    const saddle__operator_case *own = c->call->checker->by_operator;
    saddle_problem smooth;
    saddle_contact *contacts;
    attempt a = {.context = context};
    const saddle_solver_type *type;
    int64_t index = 0;
    saddle_status status = make_smooth(context, refuted(c), &smooth, &contacts);
    if (status == SADDLE_OK) status = make_attempt(&a, &smooth);
    while (status == SADDLE_OK && saddle_clock() < c->call->deadline &&
           (type = next_prover(context, refuted(c), SADDLE_PROVES_ROWS, &index)) != NULL) {
        status = run_attempt(&a, type, &smooth, c->call->deadline, c->call->certificate);
        if (status != SADDLE_OUT_OF_MEMORY) status = check_proof(c);
        if (status != SADDLE_NOT_CONVERGED) break;
        saddle_certificate_clear(c->call->certificate);
        status = SADDLE_OK;
    }
    if (status == SADDLE_INFEASIBLE) {
        saddle__copy(answer->v, a.solution.v, a.solution.n);
        saddle__copy(answer->lambda, a.solution.lambda, answer->m);
        if (own && own->recover(own->user, c->problem, answer) < 0) status = SADDLE_NOT_CONVERGED;
    }
    saddle_release(context, contacts);
    clear_attempt(&a);
    return status;
}

/* ---- motions ---- */

/* The problem of z in natural units, z_j = x_j / sqrt D_j; all-zero with a context is fine to
 * clear. */
typedef struct motion {
    saddle_context *context;
    saddle_problem problem;
    double *unit;    /* n: 1 / sqrt D_j */
    double *one;     /* n */
    int64_t *number; /* n + 1 */
    saddle__layout layout;
} motion;

static saddle_status make_arrays(saddle_context *context, motion *s, int64_t n, int64_t m)
{
    const saddle__array arrays[] = {SADDLE__ARRAY(s->unit, n),
                                    SADDLE__ARRAY(s->one, n),
                                    SADDLE__ARRAY(s->number, n + 1),
                                    SADDLE__ARRAY(s->problem.f, n),
                                    SADDLE__ARRAY(s->problem.lo, m),
                                    SADDLE__ARRAY(s->problem.hi, m)};
    return saddle__layout_make(context, &s->layout, arrays, SADDLE__LENGTH(arrays));
}

static void clear_motion(motion *s)
{
    saddle_matrix_clear(&s->problem.Jt);
    saddle__layout_clear(s->context, &s->layout);
}

/* D_j = |M_jj|, or the largest |M_ij|, or 1 */
static void find_units(const saddle_problem *problem, motion *s)
{
    saddle_matrix_diagonal(&problem->M, s->unit);
    int any = saddle_matrix_entries(&problem->M) > 0;
    for (int64_t j = 0; j < problem->n; j++) {
        double mass = fabs(s->unit[j]);
        for (int64_t k = any ? problem->M.start[j] : 0;
             any && mass == 0.0 && k < problem->M.start[j + 1]; k++)
            mass = fmax(mass, fabs(problem->M.value[k]));
        s->unit[j] = mass > 0.0 ? 1.0 / sqrt(mass) : 1.0;
        s->one[j] = 1.0;
        s->number[j] = j;
    }
    s->number[problem->n] = problem->n;
}

/* A column of zeros asks for nothing. */
static int is_empty(const saddle__unfolded *M, int64_t j)
{
    for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
        if (M->value[k] != 0.0) return 0;
    return 1;
}

/* A row of `to` from entries [begin, end) of index and value, scale and unit (n) times. */
static void add_row(saddle_problem *to, const double *unit, const int64_t *index,
                    const double *value, int64_t begin, int64_t end, double scale, double lo,
                    double hi)
{
    int64_t at = to->Jt.start[to->m];
    for (int64_t k = begin; k < end; k++, at++) {
        to->Jt.index[at] = index[k];
        to->Jt.value[at] = scale * unit[index[k]] * value[k];
    }
    to->lo[to->m] = lo;
    to->hi[to->m++] = hi;
    to->Jt.start[to->m] = at;
}

/* M's columns as equations, then the rows of J. */
static void fill_rows(const saddle_problem *problem, const saddle__unfolded *M, const double *unit,
                      saddle_problem *to)
{
    const saddle_matrix *Jt = &problem->Jt;
    int64_t next = 0; /* contact */
    to->Jt.start[0] = 0;
    for (int64_t j = 0; j < problem->n; j++) {
        if (!is_empty(M, j))
            add_row(to, unit, M->index, M->value, M->start[j], M->start[j + 1], unit[j],
                    -(double)INFINITY, (double)INFINITY);
    }
    for (int64_t i = 0; Jt->start && i < problem->m; i++) {
        const saddle_contact *contact = saddle__contact_of(problem, i, &next);
        int touches = contact != NULL;
        int normal = touches && i == contact->row;
        double lo = normal ? 0.0 : touches ? -(double)INFINITY : saddle_problem_lo(problem, i);
        double hi = touches ? (double)INFINITY : saddle_problem_hi(problem, i);
        add_row(to, unit, Jt->index, Jt->value, Jt->start[i], Jt->start[i + 1], 1.0, lo, hi);
    }
}

static saddle_status make_problem(motion *s, const saddle_problem *problem)
{
    int64_t n = problem->n;
    int64_t most = n + problem->m;
    saddle__unfolded M = {0};
    saddle_problem *to = &s->problem;
    saddle_status status = make_arrays(s->context, s, n, most);
    if (status == SADDLE_OK) status = saddle__unfolded_create(s->context, &problem->M, &M);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(s->context, n, most,
                                      M.entries + saddle_matrix_entries(&problem->Jt),
                                      SADDLE_SYMMETRY_NONE, &to->Jt);
    if (status == SADDLE_OK) {
        saddle__unfolded_refresh(&M, &problem->M);
        find_units(problem, s);
        fill_rows(problem, &M, s->unit, to);
        for (int64_t j = 0; j < n; j++) to->f[j] = s->unit[j] * problem->f[j];
        to->n = n;
        to->Jt.cols = to->m;
        to->M = saddle_matrix_view(n, n, s->number, s->number, s->one, SADDLE_SYMMETRY_LOWER);
    }
    saddle__unfolded_clear(s->context, &M);
    return status;
}

/* z <- x in the units of the velocities, without the negligible parts. */
static void take_motion(const motion *s, const double *x, double *z)
{
    double most = 0.0;
    for (int64_t j = 0; j < s->problem.n; j++) most = fmax(most, fabs(x[j]));
    for (int64_t j = 0; j < s->problem.n; j++)
        z[j] = fabs(x[j]) > SADDLE__NEGLIGIBLE_IMPULSE * most ? s->unit[j] * x[j] : 0.0;
}

/* The largest |M'z|_j / sqrt D_j over the largest (|M|'|z|)_j / sqrt D_j; sum, modulus: n. */
static double resistance(const saddle_problem *problem, const motion *s, const double *z,
                         double *sum, double *modulus)
{
    const saddle_matrix *M = &problem->M;
    double largest[2] = {0.0, 0.0};
    for (int64_t j = 0; j < M->cols; j++) sum[j] = modulus[j] = 0.0;
    for (int64_t j = 0; M->start && j < M->cols; j++) {
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) {
            int64_t i = M->index[k];
            int mirrored = M->symmetry == SADDLE_SYMMETRY_LOWER && i != j;
            sum[j] += M->value[k] * z[i];
            modulus[j] += fabs(M->value[k] * z[i]);
            if (!mirrored) continue;
            sum[i] += M->value[k] * z[j];
            modulus[i] += fabs(M->value[k] * z[j]);
        }
    }
    for (int64_t j = 0; j < M->cols; j++) {
        largest[0] = fmax(largest[0], fabs(sum[j]) * s->unit[j]);
        largest[1] = fmax(largest[1], modulus[j] * s->unit[j]);
    }
    return largest[1] > 0.0 ? largest[0] / largest[1] : 0.0;
}

/* By solving the problem itself: the proximal steps on the masses end in the motion
 * (docs/theory.md, 5), also where rounding leaves M'z of the projection too large; without
 * contacts. */
static saddle_status motion_by_solving(const saddle__case *c, const saddle_solver_type *type)
{
    attempt a = {.context = c->call->context};
    saddle_certificate *certificate = c->call->certificate;
    saddle_status status = make_attempt(&a, c->seen);
    if (status == SADDLE_OK)
        status = run_attempt(&a, type, c->seen, c->call->deadline, certificate);
    clear_attempt(&a);
    if (status != SADDLE_SINGULAR || !certificate->velocity) saddle_certificate_clear(certificate);
    return status;
}

/* By the projection of f. */
static saddle_status motion_by_projection(const saddle__case *c, const saddle_solver_type *type)
{
    saddle_context *context = c->call->context;
    saddle_certificate *certificate = c->call->certificate;
    attempt a = {.context = context};
    motion s = {.context = context};
    saddle_status status = saddle_certificate_create(context, c->seen->n, c->seen->m, certificate);
    if (status != SADDLE_OK) return status;
    status = make_problem(&s, c->seen);
    if (status == SADDLE_OK) status = make_attempt(&a, &s.problem);
    if (status == SADDLE_OK) status = run_attempt(&a, type, &s.problem, c->call->deadline, NULL);
    double *z = certificate->velocity;
    if (status >= 0) take_motion(&s, a.solution.v, z);
    if (status >= 0 &&
        resistance(c->seen, &s, z, s.problem.lo, s.problem.hi) > SADDLE__PRODUCT_ROUNDING)
        memset(z, 0, (size_t)c->seen->n * sizeof *z);
    clear_motion(&s);
    clear_attempt(&a);
    return status == SADDLE_OUT_OF_MEMORY ? status : SADDLE_OK;
}

/* call's certificate, empty, <- a motion without mass along which f pushes and no row resists,
 * where found, unchecked.  Takes as long as solving, and no longer than to call->deadline.
 * SADDLE_OK, SADDLE_OUT_OF_MEMORY. */
static saddle_status refute_motion(const saddle__case *c)
{
    int64_t index = 0;
    const saddle_solver_type *type = next_prover(c->call->context, c->seen, SADDLE_PROVES_MOTION,
                                                 &index);
    if (!type || c->seen->n == 0 || !c->seen->f || saddle_clock() >= c->call->deadline)
        return SADDLE_OK;
    if (c->seen->contact_count == 0) {
        saddle_status status = motion_by_solving(c, type);
        if (status == SADDLE_OUT_OF_MEMORY) return status;
        if (c->call->certificate->velocity || saddle_clock() >= c->call->deadline) return SADDLE_OK;
    }
    return motion_by_projection(c, type);
}

/* ======== the verdict ======== */

/* A motion pushed by f: SADDLE_INFEASIBLE, or SADDLE_NOT_CONVERGED. */
static saddle_status find_motion(const saddle__case *c)
{
    saddle_certificate_clear(c->call->certificate);
    if (refute_motion(c) == SADDLE_OK) return check_proof(c);
    /* a proof is optional, and out of memory no error here */
    saddle_certificate_clear(c->call->certificate);
    return SADDLE_NOT_CONVERGED;
}

/* Before a first factorization: text names a velocity without mass, best one that no row holds;
 * *place: the velocity. */
static void name_massless(const saddle__case *c, char *text, size_t size, saddle_place *place)
{
    const saddle_problem *p = c->problem;
    const saddle_matrix *M = &p->M;
    /* n: 2 = by an entry of M, 1 = of J alone, 0 = by none */
    double *held = c->call->checker->work;
    int64_t rows = saddle_matrix_entries(&p->Jt), least = 0;
    char name[128];
    if (c->call->report->factorizations > 0 || p->n == 0) return;
    c->call->checker->units.known = 0;
    saddle__zero(held, p->n);
    for (int64_t k = 0; k < rows; k++)
        if (p->Jt.value[k] != 0.0) held[p->Jt.index[k]] = 1.0;
    for (int64_t j = 0; M->start && j < p->n; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++)
            if (M->value[k] != 0.0) held[j] = held[M->index[k]] = 2.0;
    for (int64_t j = 0; j < p->n; j++)
        if (held[j] < held[least]) least = j;
    if (held[least] == 2.0) return;
    saddle_problem_describe_velocity(p, least, name, sizeof name);
    (void)snprintf(text, size, "%s: no mass%s", name,
                   held[least] == 0.0 ? ", and no row holds it" : ", so M cannot be factored");
    *place = saddle__place_of(p, least);
}

static saddle_place place_of_proof(const saddle__case *c)
{
    const saddle_proof *proof = &c->call->report->proof;
    if (proof->heaviest < 0) return (saddle_place){0};
    const int64_t first = proof->kind == SADDLE_PROOF_MOTION ? 0 : c->problem->n;
    return saddle__place_of(c->problem, first + proof->heaviest);
}

/* K, or M, is singular: where f pushes along a motion without mass, the message calls the problem
 * unbounded, with a certificate as proof.  SADDLE_SINGULAR; SADDLE_OUT_OF_MEMORY. */
static saddle_status judge_singular(const saddle__case *c)
{
    saddle_context *context = c->call->context;
    char text[512];
    saddle_place place = saddle_context_place(context);
    (void)snprintf(text, sizeof text, "%s", saddle_context_message(context));
    saddle_status status = c->call->certificate->row ? check_proof(c) : SADDLE_NOT_CONVERGED;
    int proven = status == SADDLE_INFEASIBLE && c->call->report->proof.kind == SADDLE_PROOF_MOTION;
    if (!proven && status != SADDLE_OUT_OF_MEMORY && refuted(c)->n > 0) {
        name_massless(c, text, sizeof text, &place);
        status = find_motion(c);
    }
    if (status == SADDLE_OUT_OF_MEMORY) return status;
    if (status != SADDLE_INFEASIBLE)
        return saddle_fail_at(context, place, saddle_fail(context, SADDLE_SINGULAR, "%s", text));
    saddle_certificate_describe(c->problem, c->call->certificate, NAMED, text, sizeof text);
    status = saddle_fail(context, SADDLE_SINGULAR, "%s: %s: unbounded", c->call->report->solver,
                         text);
    return saddle_fail_at(context, place_of_proof(c), status);
}

/* ---- the checker's measure ---- */

static void clear_answer(const saddle__case *c, saddle_solution *solution)
{
    saddle__zero(solution->v, c->problem->n);
    saddle__zero(solution->lambda, c->problem->m);
}

/* report->residual <- the checker's.  An answer with an entry not finite becomes zeros, and the
 * status SADDLE_DIVERGED. */
static saddle_status measure(const saddle__case *c, saddle_solution *solution, saddle_status status)
{
    int64_t n = c->problem->n;
    int64_t m = c->problem->m;
    const double *v = solution->v, *lambda = solution->lambda;
    if (status < 0) clear_answer(c, solution);
    const saddle_residual *residual = saddle_solver_measure(c->call, c->problem, v, lambda);
    int finite = saddle__is_finite(v, n) && saddle__is_finite(lambda, m) &&
                 saddle__is_finite(c->call->checker->w, m);
    if (!finite) {
        clear_answer(c, solution);
        residual = saddle_solver_measure(c->call, c->problem, v, lambda);
        if (status >= 0 && status != SADDLE_INFEASIBLE) status = SADDLE_DIVERGED;
    }
    c->call->report->residual = *residual;
    saddle__copy(solution->w, c->call->checker->w, m);
    if (status < 0) saddle__zero(solution->w, m);
    return status;
}

saddle_status saddle__verdict_claim(const saddle__case *c, saddle_solution *solution,
                                    saddle_status status)
{
    if (status == SADDLE_SINGULAR) status = judge_singular(c);
    if (!solution) return status;
    if (status == SADDLE_INFEASIBLE) status = check_proof(c);
    return measure(c, solution, status);
}

/* ---- the verdict ---- */

static saddle_status say_infeasible(const saddle__case *c)
{
    saddle_report *report = c->call->report;
    char text[160];
    saddle_certificate_describe(refuted(c), c->call->certificate, NAMED, text, sizeof text);
    saddle__report_note(report, "no solution: %s", text);
    const saddle_status status = saddle_fail(c->call->context, SADDLE_INFEASIBLE,
                                             "%s: no solution: %s", report->solver, text);
    return saddle_fail_at(c->call->context, place_of_proof(c), status);
}

static saddle_status say_unsolved(const saddle_solver_call *call, saddle_status status)
{
    const saddle_residual *residual = &call->report->residual;
    const char *name = call->report->solver;
    if (!isfinite(residual->total))
        return saddle_fail(call->context, status,
                           "%s: the numbers of the problem overflow double precision", name);
    if (residual->total > call->options->tolerance)
        return saddle_fail(call->context, status, "%s: residual %.3g, tolerance %.3g", name,
                           residual->total, call->options->tolerance);
    return saddle_fail(call->context, status,
                       "%s: residual %.3g, but the terms of the equations are %.3g times the data: "
                       "the error is %.1g of the data",
                       name, residual->total, residual->growth, residual->growth * residual->total);
}

/* The contradiction is within the tolerance, as the answer is. */
static saddle_status prefer_answer(const saddle__case *c)
{
    saddle__proof_forget(c->call->report, c->call->certificate);
    saddle__report_note(c->call->report,
                        "a contradiction of the rows is smaller than the tolerance");
    return SADDLE_OK;
}

/* status, or SADDLE_SINGULAR where f pushes along a motion without mass, proven. */
static saddle_status look_for_motion(const saddle__case *c, saddle_solution *solution,
                                     saddle_status status)
{
    saddle_report *report = c->call->report;
    (void)saddle_fail(c->call->context, SADDLE_SINGULAR, "%s: M is singular", report->solver);
    saddle_status judged = judge_singular(c);
    if (judged != SADDLE_OUT_OF_MEMORY && report->proof.kind != SADDLE_PROOF_NONE)
        return measure(c, solution, judged);
    saddle__proof_forget(report, c->call->certificate); /* a proof is optional */
    return status;
}

/* status, or SADDLE_INFEASIBLE where rows contradict each other. */
static saddle_status refute(const saddle__case *c, saddle_solution *solution, saddle_status status)
{
    saddle__proof_forget(c->call->report, c->call->certificate);
    if (refute_rows(c, solution) != SADDLE_INFEASIBLE) {
        saddle__proof_forget(c->call->report, c->call->certificate); /* a proof is optional, and out
                                                                        of memory no error here */
        return status;
    }
    (void)measure(c, solution, SADDLE_INFEASIBLE);
    int solved = saddle_residual_is_solved(&c->call->report->residual, c->call->options->tolerance);
    return solved ? prefer_answer(c) : say_infeasible(c);
}

void saddle__verdict_note_local(const saddle__case *c)
{
    const saddle_residual *residual = &c->call->report->residual;
    char name[128];
    if (!(residual->local > c->call->options->tolerance &&
          residual->local > far_apart * residual->total))
        return;
    saddle_problem_describe_row(c->problem, residual->worst_local, name, sizeof name);
    saddle__report_note(c->call->report, "%s: error %.1e of its own terms", name, residual->local);
}

/* Whether a contradiction may hide: behind R times huge impulses with no more than rounding left,
 * or in rows without a unit, of which growth says less (equations alone: refinement has looked). */
static int may_hide(const saddle__case *c)
{
    const saddle_residual *residual = &c->call->report->residual;
    int compliant = saddle_matrix_entries(&c->problem->R) > 0;
    return (compliant && saddle__error_is_doubtful(residual, c->call->options->tolerance)) ||
           (residual->unitless > 0 &&
            saddle_problem_count_rows(c->problem).equality < c->problem->m);
}

static saddle_status judge_unsolved(const saddle__case *c, saddle_solution *solution,
                                    saddle_status status)
{
    int few = refuted(c)->n <= MOST_REFUTED && c->problem->m <= MOST_REFUTED;
    double least = fmax(c->call->options->tolerance, SADDLE__CONTRADICTION);
    if (status == SADDLE_OK) status = SADDLE_NOT_CONVERGED;
    if (few && saddle__verdict_ended(c->call, status) &&
        !saddle_residual_is_solved(&c->call->report->residual, least)) {
        status = refute(c, solution, status);
        if (status != SADDLE_INFEASIBLE && refuted(c)->n > 0)
            status = look_for_motion(c, solution, status);
        if (status == SADDLE_NOT_CONVERGED && saddle_clock() >= c->call->deadline)
            status = SADDLE_TIME_LIMIT; /* of the search for a proof */
    }
    return status == SADDLE_INFEASIBLE || status < 0 ? status : say_unsolved(c->call, status);
}

saddle_status saddle__verdict(const saddle__case *c, saddle_solution *solution,
                              saddle_status status)
{
    const saddle_residual *residual = &c->call->report->residual;
    const double tolerance = c->call->options->tolerance;
    const int may_look = refuted(c)->n > 0 && saddle__goes_on(status) &&
                         status != SADDLE_INFEASIBLE;
    /* terms far beyond the data may come from a singular M with rounding noise as pivots */
    if (may_look && saddle_residual_is_overgrown(residual, tolerance))
        status = look_for_motion(c, solution, status);
    if (status < 0) return status;
    int solved = saddle_residual_is_solved(residual, tolerance);
    if (status == SADDLE_INFEASIBLE) return solved ? prefer_answer(c) : say_infeasible(c);
    saddle__verdict_note_local(c);
    if (!solved) return judge_unsolved(c, solution, status);
    return may_hide(c) ? refute(c, solution, SADDLE_OK) : SADDLE_OK;
}
