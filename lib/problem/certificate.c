/* SPDX-License-Identifier: MIT */
/* See saddle/certificate.h.  With d = M'z + J'y, h_i the part of g_i usable by an unlimited
 * lambda_i, and h_c the same for the normal impulse of a contact, a solution has
 *
 *     gap <= d'v + h'lambda <= (sum_j |d_j| u_j + sum_i h_i u_i) X,
 *         X the largest |v_j| / u_j, |lambda_i| / u_i
 *
 * u the natural units; reach is this X over the largest of |f_j| u_j, |b_i| u_i and the bounds
 * used over u_i.  Terms above rounding count once more, separately; without a unit such a term
 * prevents a proof.
 * */
#include "saddle/certificate.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "base/vector.h"
#include "matrix/twofold.h"
#include "problem/cone.h"
#include "problem/verdict.h"

enum { NAMES_AT_MOST = 8, NAME_SIZE = 96 };

void saddle_certificate_clear(saddle_certificate *certificate)
{
    if (!certificate) return;
    if (certificate->owner) {
        saddle__release_all(certificate->context, certificate->velocity, certificate->row);
    }
    *certificate = (saddle_certificate){0};
}

saddle_status saddle_certificate_create(saddle_context *context, int64_t n, int64_t m,
                                        saddle_certificate *certificate)
{
    SADDLE__RETURN_UNLESS(context, certificate, "certificate is NULL");
    saddle_certificate made = {.n = n, .m = m, .owner = 1, .context = context};
    made.velocity = saddle_allocate(context, n, sizeof *made.velocity);
    made.row = made.velocity ? saddle_allocate(context, m, sizeof *made.row) : NULL;
    *certificate = made;
    if (made.row) return SADDLE_OK;
    saddle_certificate_clear(certificate);
    return SADDLE_OUT_OF_MEMORY;
}

const char *saddle_proof_word(saddle_proof_kind kind)
{
    static const char *const words[] = {
#define WORD(name, word) word,
        SADDLE_PROOF_LIST(WORD)
#undef WORD
    };
    return kind >= SADDLE_PROOF_NONE && kind <= SADDLE_PROOF_MOTION ? words[kind] : "?";
}

/* ---- natural units ---- */

/* unit (n + m): 0 = none; asked (m), zero on entry: a_i + sum_j |J_ij||f_j| / m_j of
 * saddle/residual.h */
static void find_units(const saddle_problem *p, double *unit, double *asked)
{
    double *d = unit + p->n;
    saddle__natural_units(p, NULL, unit, d);
    saddle__add_asked(p, d, NULL, asked);
    for (int64_t i = 0; p->n > 0 && p->f && p->Jt.start && i < p->m; i++)
        for (int64_t k = p->Jt.start[i]; k < p->Jt.start[i + 1]; k++) {
            int64_t j = p->Jt.index[k];
            double mass = fabs(saddle_matrix_entry(&p->M, j, j));
            if (mass > 0.0) asked[i] += fabs(p->Jt.value[k]) * (fabs(p->f[j]) / mass);
        }
    for (int64_t j = 0; j < p->n; j++) unit[j] = sqrt(unit[j]);
    for (int64_t i = 0; i < p->m; i++) {
        /* squares of a row of J over- or underflow before its length does */
        double root = isnormal(d[i]) ? sqrt(d[i]) : saddle__unit_length(&p->Jt, unit, i);
        d[i] = root > 0.0 ? 1.0 / root : 0.0;
    }
}

/* ---- the measure ---- */

typedef struct measure {
    const saddle_problem *problem;
    const saddle_certificate *certificate;
    const double *unit;     /* n + m */
    const double *row_data; /* m: what b asks of each row */
    saddle__twofold *sum;   /* n + m: d, then g */
    saddle__twofold gap;
    double weight; /* sum_k |(z, y)_k| / u_k, and sum_i |g_i| u_i over limited impulses */
    double loose;  /* sum_j |d_j| u_j + sum_i h_i u_i */
    double real;   /* the same sum over parts above rounding; INFINITY for such a part without a
                      unit */
    double data;   /* the largest, in natural units */
    double asked;  /* the largest of f and b among these */
    int signs;     /* 1: the signs of y agree with the laws, and no product underflows */
} measure;

/* |x_k| / u_k; without a unit |x_k| */
static double natural(double x, double unit)
{
    return unit > 0.0 ? fabs(x) / unit : fabs(x);
}

/* clean (count) <- x with rounding set to zero */
static void take_parts(const double *x, const double *unit, int64_t count, double weight,
                       double *clean)
{
    for (int64_t k = 0; k < count; k++)
        clean[k] = unit[k] > 0.0 && natural(x[k], unit[k]) <= SADDLE__SUM_ROUNDING * weight ? 0.0
                                                                                            : x[k];
}

static double weigh_unknowns(const double *x, const double *unit, int64_t count)
{
    double sum = 0.0;
    for (int64_t k = 0; k < count; k++) sum += unit[k] > 0.0 ? natural(x[k], unit[k]) : 0.0;
    return sum;
}

/* clean: arrays given; <- the certificate with rounding set to zero */
static void clean_up(measure *s, saddle_certificate *clean)
{
    const saddle_certificate *given = s->certificate;
    int64_t n = s->problem->n;
    int64_t m = s->problem->m;
    s->weight = weigh_unknowns(given->velocity, s->unit, n) +
                weigh_unknowns(given->row, s->unit + n, m);
    take_parts(given->velocity, s->unit, n, s->weight, clean->velocity);
    take_parts(given->row, s->unit + n, m, s->weight, clean->row);
    s->certificate = clean;
}

/* Adds the part of d or g at unknown k that is usable by an impulse or a velocity without
 * limits; terms: the sum of the moduli. */
static void add_loose(measure *s, int64_t k, double part, double terms)
{
    int is_rounding = part <= SADDLE__REGULAR_ERROR * terms; /* of z and y, solutions of systems */
    s->loose += part * s->unit[k];
    if (!is_rounding) s->real += s->unit[k] > 0.0 ? part * s->unit[k] : (double)INFINITY;
}

/* A product that underflows would leave a sum of zero where there is a term. */
static int underflows(const saddle_matrix *A, const double *row, const double *column)
{
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            double a = A->value[k], x = row ? row[A->index[k]] : 0.0, y = column ? column[j] : 0.0;
            if (a != 0.0 &&
                ((x != 0.0 && fabs(a * x) < DBL_MIN) || (y != 0.0 && fabs(a * y) < DBL_MIN)))
                return 1;
        }
    return 0;
}

/* y += A' x */
static void add_transpose(const saddle_matrix *A, const double *x, saddle__twofold *y)
{
    if (A->symmetry == SADDLE_SYMMETRY_LOWER) {
        saddle__twofold_add(A, 1.0, x, y);
        return;
    }
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            saddle__twofold_add_dot(1, 1.0, &A->value[k], &x[A->index[k]], &y[j]);
}

static void form_sums(measure *s)
{
    const saddle_problem *p = s->problem;
    const double *z = s->certificate->velocity;
    const double *y = s->certificate->row;
    int is_lower = p->M.symmetry == SADDLE_SYMMETRY_LOWER,
        is_lower_R = p->R.symmetry == SADDLE_SYMMETRY_LOWER;
    if ((p->n > 0 && (underflows(&p->M, z, is_lower ? z : NULL) || underflows(&p->Jt, z, y))) ||
        underflows(&p->R, y, is_lower_R ? y : NULL))
        s->signs = 0;
    saddle__twofold_set(p->n + p->m, NULL, s->sum);
    if (p->n > 0) add_transpose(&p->M, z, s->sum);
    add_transpose(&p->R, y, s->sum + p->n);
    if (p->Jt.start) saddle__twofold_add_both(&p->Jt, 1.0, y, s->sum, -1.0, z, s->sum + p->n);
    for (int64_t j = 0; j < p->n; j++)
        add_loose(s, j, fabs(saddle__twofold_value(s->sum[j])), s->sum[j].modulus);
}

static void add_data(measure *s)
{
    const saddle_problem *p = s->problem;
    if (p->f) saddle__twofold_add_dot(p->n, 1.0, p->f, s->certificate->velocity, &s->gap);
    if (p->b) saddle__twofold_add_dot(p->m, 1.0, p->b, s->certificate->row, &s->gap);
    for (int64_t j = 0; p->f && j < p->n; j++) s->data = fmax(s->data, fabs(p->f[j]) * s->unit[j]);
    for (int64_t i = 0; i < p->m; i++) s->data = fmax(s->data, s->row_data[i] * s->unit[p->n + i]);
    s->asked = s->data;
}

static double gradient(const measure *s, int64_t row)
{
    return saddle__twofold_value(s->sum[s->problem->n + row]);
}

static void add_row(measure *s, int64_t row)
{
    double lo = saddle_problem_lo(s->problem, row);
    double hi = saddle_problem_hi(s->problem, row);
    double y = s->certificate->row[row];
    double unit = s->unit[s->problem->n + row];
    if ((isfinite(lo) && y < 0.0) || (isfinite(hi) && y > 0.0)) s->signs = 0;
    double g = gradient(s, row);
    double bound = g > 0.0 ? hi : g < 0.0 ? lo : 0.0;
    if (isfinite(bound)) {
        saddle__twofold_add_dot(1, -1.0, &g, &bound, &s->gap);
        if (unit > 0.0) s->data = fmax(s->data, fabs(bound) / unit);
        s->weight += fabs(g) * unit; /* an impulse may be beyond the bound by the tolerance */
    } else {
        add_loose(s, s->problem->n + row, fabs(g), s->sum[s->problem->n + row].modulus);
    }
}

/* max { g'x : |x| <= 1 in part k's set } */
static double support_of(const saddle_problem *p, const saddle__cone *cone, int k, const double *g)
{
    const double *x = g + cone->begin[k];
    int is_plane = cone->begin[k + 1] - cone->begin[k] == 2;
    if (is_plane && p->law == SADDLE_LAW_BOX) return fabs(x[0]) + fabs(x[1]);
    double length = saddle__part_length(cone, k, g);
    if (!is_plane || p->law != SADDLE_LAW_PYRAMID || length == 0.0) return length;
    double step = 2.0 * SADDLE__PI / (double)saddle_problem_facets(p);
    double angle = atan2(x[1], x[0]);
    return length * cos(angle - step * round(angle / step));
}

static void add_contact(measure *s, const saddle_contact *contact)
{
    const double *y = s->certificate->row + contact->row;
    saddle__cone cone = saddle__cone_of(contact);
    double g[SADDLE_CONTACT_ROWS] = {0.0};
    double terms = 0.0;
    if (y[0] < 0.0) s->signs = 0;
    for (int k = 0; k < cone.parts; k++) {
        double most = s->problem->law == SADDLE_LAW_ASSOCIATED ? cone.mu[k] * y[0] : 0.0;
        if (saddle__part_length(&cone, k, y) > most * (1.0 + 1e-15)) s->signs = 0;
    }
    for (int64_t k = 0; k < contact->size; k++) {
        g[k] = gradient(s, contact->row + k);
        s->weight += fabs(g[k]) * s->unit[s->problem->n + contact->row + k];
        terms += s->sum[s->problem->n + contact->row + k].modulus;
    }
    double h = g[0];
    for (int k = 0; k < cone.parts; k++) h += cone.mu[k] * support_of(s->problem, &cone, k, g);
    add_loose(s, s->problem->n + contact->row, fmax(h, 0.0), terms);
}

static void add_rows(measure *s)
{
    const saddle_problem *p = s->problem;
    int64_t c = 0;
    for (int64_t i = 0; i < p->m;) {
        if (c < p->contact_count && p->contacts[c].row == i) {
            add_contact(s, &p->contacts[c]);
            i += p->contacts[c++].size;
        } else {
            add_row(s, i++);
        }
    }
}

/* How many take part, and the heaviest in natural units, the first of equal ones. */
static int64_t count_parts(const double *x, const double *unit, int64_t count, int64_t *heaviest)
{
    int64_t parts = 0;
    double most = 0.0;
    *heaviest = -1;
    for (int64_t k = 0; k < count; k++) {
        parts += x[k] != 0.0;
        double part = natural(x[k], unit[k]);
        if (!(part > (1.0 + SADDLE__EQUAL) * most)) continue;
        most = part;
        *heaviest = k;
    }
    return parts;
}

static void conclude(const measure *s, saddle_proof *proof)
{
    int64_t n = s->problem->n;
    int64_t velocity;
    proof->rows = count_parts(s->certificate->row, s->unit + n, s->problem->m, &proof->heaviest);
    proof->velocities = count_parts(s->certificate->velocity, s->unit, n, &velocity);
    if (proof->rows == 0) proof->heaviest = velocity;
    double gap = saddle__twofold_value(s->gap);
    double loose = s->loose * s->data;
    if (!s->signs || !(gap > 0.0) || !isfinite(gap) || !isfinite(loose) || !isfinite(s->real))
        return;
    /* the modulus is rounded */
    proof->gap = fmin(gap / fmax(s->gap.modulus, s->asked * s->weight), 1.0);
    proof->reach = loose > 0.0 ? gap / loose : (double)INFINITY;
    int is_far = gap >= SADDLE_PROOF_FAR * s->real * s->data;
    if (proof->gap >= SADDLE_PROOF_GAP && proof->reach >= SADDLE_PROOF_REACH && is_far)
        proof->kind = proof->rows > 0 ? SADDLE_PROOF_ROWS : SADDLE_PROOF_MOTION;
}

saddle_status saddle_certificate_check(saddle_context *context, const saddle_problem *problem,
                                       const saddle_certificate *certificate, saddle_proof *proof)
{
    SADDLE__RETURN_UNLESS(context, problem && certificate && proof,
                          "problem, certificate or proof is NULL");
    *proof = (saddle_proof){.heaviest = -1};
    int64_t n = problem->n;
    int64_t m = problem->m;
    if (certificate->n != n || certificate->m != m || (n > 0 && !certificate->velocity) ||
        (m > 0 && !certificate->row))
        return saddle_fail(
            context, SADDLE_INVALID_ARGUMENT,
            "a certificate for n = %lld, m = %lld; the problem has n = %lld, m = %lld",
            (long long)certificate->n, (long long)certificate->m, (long long)n, (long long)m);
    if (!saddle__is_finite(certificate->velocity, n) || !saddle__is_finite(certificate->row, m))
        return SADDLE_OK;
    double *unit = saddle_allocate(context, 2 * (n + m) + m, sizeof *unit);
    saddle__twofold *sum = unit ? saddle_allocate(context, n + m, sizeof *sum) : NULL;
    if (sum) {
        measure s = {
            .problem = problem, .certificate = certificate, .unit = unit, .sum = sum, .signs = 1};
        double *asked = unit + 2 * (n + m);
        s.row_data = asked;
        find_units(problem, unit, asked);
        saddle_certificate clean = {.n = n,
                                    .m = m,
                                    .velocity = unit + n + m,
                                    .row = unit + 2 * n + m};
        clean_up(&s, &clean);
        form_sums(&s);
        add_data(&s);
        add_rows(&s);
        conclude(&s, proof);
    }
    saddle__release_all(context, sum, unit);
    return sum ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* ---- in words ---- */

/* The index of the largest |x_k| outside the first `named` of taken, the first of equal ones; -1 =
 * all other x_k are 0. */
static int64_t next_heaviest(const double *x, int64_t count, const int64_t *taken, int64_t named)
{
    int64_t best = -1;
    for (int64_t k = 0; k < count; k++) {
        int64_t t = 0;
        while (t < named && taken[t] != k) t++;
        if (t < named || x[k] == 0.0) continue;
        if (best < 0 || fabs(x[k]) > (1.0 + SADDLE__EQUAL) * fabs(x[best])) best = k;
    }
    return best;
}

void saddle_certificate_describe(const saddle_problem *problem,
                                 const saddle_certificate *certificate, int64_t names, char *text,
                                 size_t size)
{
    if (!problem || !certificate || !text) return;
    int64_t taken[NAMES_AT_MOST];
    int64_t parts = 0;
    for (int64_t i = 0; i < problem->m; i++) parts += certificate->row[i] != 0.0;
    int is_motion = parts == 0;
    const double *x = is_motion ? certificate->velocity : certificate->row;
    int64_t count = is_motion ? problem->n : problem->m;
    for (int64_t j = 0; is_motion && j < count; j++) parts += x[j] != 0.0;
    if (size == 0) return;
    text[0] = '\0';
    if (names > NAMES_AT_MOST) names = NAMES_AT_MOST;
    for (int64_t k = 0; k < names && k < parts; k++) {
        char name[NAME_SIZE];
        taken[k] = next_heaviest(x, count, taken, k);
        (is_motion ? saddle_problem_describe_velocity
                   : saddle_problem_describe_row)(problem, taken[k], name, sizeof name);
        if (k > 0) saddle__append(text, size, k + 1 == parts ? " and " : ", ");
        saddle__append(text, size, name);
    }
    char more[32] = "";
    if (parts > names)
        (void)snprintf(more, sizeof more, " and %lld more", (long long)(parts - names));
    saddle__append(text, size, more);
    const char *verb = parts > 1 ? " contradict each other" : " cannot be satisfied";
    if (is_motion)
        verb = parts > 1 ? " move together: no mass, and no row holds them against f"
                         : ": no mass, and no row holds it against f";
    saddle__append(text, size, parts > 0 ? verb : "nothing takes part");
}
