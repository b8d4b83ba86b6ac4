/* SPDX-License-Identifier: MIT */
/* See problems.h. */
#include "complementarity/problems.h"

#include <math.h>
#include <string.h>

#include "generators/draw.h"

const char *const lcp_family_word[LCP_FAMILIES] = {"lcp", "lcp-sym", "boxed", "friction"};

enum { CONTACT_ROWS = 3 };

static const double friction_mu = 0.5;

/* Uniform in [-1, 1]. */
static double draw(uint64_t *state)
{
    return (double)(draw_bits(state) >> 11) * 0x1p-52 - 1.0;
}

void lcp_clear(lcp_problem *p)
{
    saddle_matrix_clear(&p->problem.R);
    saddle_release(p->context, p->problem.contacts);
    saddle_release(p->context, p->A);
    saddle_release(p->context, p->b);
    saddle_release(p->context, p->lo);
    saddle_release(p->context, p->hi);
    saddle_release(p->context, p->normal);
    saddle_release(p->context, p->work);
    memset(p, 0, sizeof *p);
}

/* B (n x n, by rows) is used up for nothing but A. */
static void form_matrix(uint64_t *state, lcp_problem *p, double *B)
{
    int64_t n = p->n;
    double size = sqrt(3.0);
    for (int64_t k = 0; k < n * n; k++) B[k] = size * draw(state);
    double shift = p->family == LCP_FRICTION ? 1e-6 : 1e-3;
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j <= i; j++) {
            double sum = 0.0;
            for (int64_t k = 0; k < n; k++) sum += B[i * n + k] * B[j * n + k];
            p->A[i * n + j] = p->A[j * n + i] = sum / (double)n + (i == j ? shift : 0.0);
        }
    }
    if (p->family != LCP_PLAIN) return;
    double strength = 0.1 / (2.0 * sqrt((double)n));
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++) {
            double skew = strength * size * (draw(state) - draw(state));
            p->A[i * n + j] += skew;
            p->A[j * n + i] -= skew;
        }
    }
}

static void draw_rows(uint64_t *state, lcp_problem *p)
{
    for (int64_t i = 0; i < p->n; i++) {
        int tangent = p->family == LCP_FRICTION && i % CONTACT_ROWS != 0;
        int normal = p->family == LCP_FRICTION && !tangent;
        double a = draw(state);
        p->b[i] = normal ? fabs(a) : a;
        p->lo[i] = tangent ? -friction_mu : p->family == LCP_BOXED ? -fabs(draw(state)) : 0.0;
        p->hi[i] = tangent                  ? friction_mu
                   : p->family == LCP_BOXED ? fabs(draw(state))
                                            : (double)INFINITY;
        p->normal[i] = tangent ? (int)(i - i % CONTACT_ROWS) : -1;
    }
}

static saddle_status make_contacts(lcp_problem *p)
{
    saddle_problem *problem = &p->problem;
    if (p->family != LCP_FRICTION) return SADDLE_OK;
    problem->contact_count = p->n / CONTACT_ROWS;
    problem->law = SADDLE_LAW_BOX;
    problem->contacts = saddle_allocate(p->context, problem->contact_count,
                                        sizeof *problem->contacts);
    if (!problem->contacts) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < problem->contact_count; c++) {
        saddle_contact contact = {.row = CONTACT_ROWS * c, .size = CONTACT_ROWS, .mu = friction_mu};
        problem->contacts[c] = contact;
    }
    return SADDLE_OK;
}

static saddle_status make_problem(lcp_problem *p)
{
    saddle_problem *problem = &p->problem;
    int symmetric = p->family != LCP_PLAIN;
    int64_t n = p->n;
    int64_t entries = symmetric ? n * (n + 1) / 2 : n * n;
    saddle_symmetry symmetry = symmetric ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE;
    problem->m = n;
    problem->b = p->b;
    problem->lo = p->lo;
    problem->hi = p->hi;
    saddle_status status = saddle_matrix_create(p->context, n, n, entries, symmetry, &problem->R);
    if (status != SADDLE_OK) return status;
    int64_t k = 0;
    for (int64_t j = 0; j < n; j++) {
        problem->R.start[j] = k;
        for (int64_t i = symmetric ? j : 0; i < n; i++) {
            problem->R.index[k] = i;
            problem->R.value[k++] = p->A[i * n + j];
        }
    }
    problem->R.start[n] = k;
    return make_contacts(p);
}

static saddle_status make_arrays(lcp_problem *p)
{
    int64_t n = p->n;
    p->A = saddle_allocate(p->context, n * n + 1, sizeof *p->A);
    p->b = saddle_allocate(p->context, n + 1, sizeof *p->b);
    p->lo = saddle_allocate(p->context, n + 1, sizeof *p->lo);
    p->hi = saddle_allocate(p->context, n + 1, sizeof *p->hi);
    p->normal = saddle_allocate(p->context, n + 1, sizeof *p->normal);
    p->work = saddle_allocate(p->context, n + 1, sizeof *p->work);
    return p->A && p->b && p->lo && p->hi && p->normal && p->work ? SADDLE_OK
                                                                  : SADDLE_OUT_OF_MEMORY;
}

saddle_status lcp_draw(saddle_context *context, lcp_family family, int64_t n, uint64_t seed,
                       lcp_problem *p)
{
    uint64_t state = seed;
    lcp_problem fresh = {.context = context, .family = family, .n = n};
    *p = fresh;
    saddle_status status = make_arrays(p);
    double *B = saddle_allocate(context, n * n, sizeof *B);
    int made = status == SADDLE_OK && B;
    if (made) {
        form_matrix(&state, p, B);
        draw_rows(&state, p);
    }
    saddle_release(context, B);
    return made ? make_problem(p) : SADDLE_OUT_OF_MEMORY;
}

/* ---- from a file ---- */

static void take_problem(const saddle_problem *file, lcp_problem *p)
{
    const saddle_matrix *R = &p->problem.R;
    for (int64_t j = 0; R->start && j < p->n; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++) {
            p->A[R->index[k] * p->n + j] = R->value[k];
            if (R->symmetry == SADDLE_SYMMETRY_LOWER) p->A[j * p->n + R->index[k]] = R->value[k];
        }
    for (int64_t i = 0; i < p->n; i++) {
        p->b[i] = file->b ? file->b[i] : 0.0;
        p->lo[i] = saddle_problem_lo(file, i);
        p->hi[i] = saddle_problem_hi(file, i);
        p->normal[i] = -1;
    }
}

saddle_status lcp_read(saddle_context *context, const char *path, const char *rhs, lcp_problem *p)
{
    saddle_read_options options = {.rhs = rhs};
    saddle_problem file = {0};
    lcp_problem fresh = {.context = context, .family = LCP_PLAIN};
    *p = fresh;
    saddle_status status = saddle_problem_read(context, path, &options, &file, NULL, NULL, NULL);
    if (status == SADDLE_OK && (file.n > 0 || file.contact_count > 0))
        status = SADDLE_INVALID_ARGUMENT;
    p->n = file.m;
    if (status == SADDLE_OK) status = make_arrays(p);
    if (status == SADDLE_OK) status = saddle_matrix_copy(context, &file.R, &p->problem.R);
    if (status == SADDLE_OK) take_problem(&file, p);
    p->problem.m = p->n;
    p->problem.b = p->b;
    p->problem.lo = p->lo;
    p->problem.hi = p->hi;
    saddle_problem_clear(&file);
    return status;
}

double lcp_natural_map(const lcp_problem *p, const double *x)
{
    double size = 1.0;
    double worst = 0.0;
    for (int64_t i = 0; i < p->n; i++) {
        double w = -p->b[i];
        for (int64_t j = 0; j < p->n; j++) w += p->A[i * p->n + j] * x[j];
        double reach = p->normal[i] >= 0 ? fmax(x[p->normal[i]], 0.0) : 1.0;
        double defect = fabs(x[i] - fmin(fmax(x[i] - w, p->lo[i] * reach), p->hi[i] * reach));
        if (!(defect < (double)INFINITY)) return INFINITY;
        worst = fmax(worst, defect);
        size = fmax(size, fabs(p->b[i]));
    }
    return worst / size;
}
