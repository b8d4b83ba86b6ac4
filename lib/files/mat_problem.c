/* SPDX-License-Identifier: MIT */
/* See mat_problem.h. */
#include "files/mat_problem.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "files/mat.h"
#include "files/problem_file.h"

typedef struct reading {
    saddle_context *context;
    const char *label;
    saddle__mat mat;
    saddle_problem *problem;
} reading;

/* ---- variables ---- */

static saddle_status bad(const reading *r, const char *name, const char *what)
{
    return saddle_fail(r->context, SADDLE_BAD_FILE, "%s: %s: %s", r->label, name, what);
}

static saddle_status wrong_size(const reading *r, const saddle__mat_variable *v, int64_t rows,
                                int64_t cols)
{
    return saddle_fail(r->context, SADDLE_BAD_FILE,
                       "%s: %s is %lld x %lld, but %lld x %lld is needed", r->label, v->name,
                       (long long)v->rows, (long long)v->cols, (long long)rows, (long long)cols);
}

/* A matrix of that size into *A, empty where absent; rows, cols: -1 = any. */
static saddle_status take_matrix(reading *r, const char *name, int64_t rows, int64_t cols,
                                 saddle_matrix *A)
{
    saddle__mat_variable *v = saddle__mat_find(&r->mat, name);
    if (!v) return SADDLE_OK;
    if ((rows >= 0 && v->rows != rows) || (cols >= 0 && v->cols != cols))
        return wrong_size(r, v, rows, cols);
    if (v->value) return saddle__matrix_from_dense(r->context, v->rows, v->cols, 0, v->value, A);
    *A = v->sparse;
    v->sparse = (saddle_matrix){0};
    return SADDLE_OK;
}

/* count numbers into a new array, NULL where absent. */
static saddle_status take_vector(reading *r, const char *name, int64_t count, double **to)
{
    const saddle__mat_variable *v = saddle__mat_find(&r->mat, name);
    if (!v) return SADDLE_OK;
    const int is_column = v->rows == count && v->cols == 1,
              is_row = v->cols == count && v->rows == 1;
    const int is_empty = count == 0 && (v->rows == 0 || v->cols == 0);
    if (!is_column && !is_row && !is_empty) return wrong_size(r, v, count, 1);
    *to = saddle_allocate(r->context, count, sizeof **to);
    if (!*to) return SADDLE_OUT_OF_MEMORY;
    if (v->value && count > 0) memcpy(*to, v->value, (size_t)count * sizeof **to);
    const saddle_matrix *A = &v->sparse;
    for (int64_t j = 0; !v->value && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            (*to)[is_column ? A->index[k] : j] = A->value[k];
    return SADDLE_OK;
}

/* A number, *value as it is where absent. */
static saddle_status take_number(reading *r, const char *name, double *value)
{
    double *one = NULL;
    SADDLE__TRY(take_vector(r, name, 1, &one));
    if (one) *value = *one;
    saddle_release(r->context, one);
    return SADDLE_OK;
}

static saddle_status take_integer(reading *r, const char *name, double most, int64_t *value)
{
    double number = (double)*value;
    SADDLE__TRY(take_number(r, name, &number));
    if (!(number >= 0.0 && number <= most) || number != floor(number))
        return bad(r, name, "not a whole number in its range");
    *value = (int64_t)number;
    return SADDLE_OK;
}

/* The characters of a text, NULL where absent. */
static saddle_status take_text(reading *r, const char *name, char **to)
{
    const saddle__mat_variable *v = saddle__mat_find(&r->mat, name);
    if (!v || !v->is_text || !v->value || v->rows != 1) return SADDLE_OK;
    *to = saddle_allocate(r->context, v->cols + 1, 1);
    if (!*to) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < v->cols; k++) {
        const double c = v->value[k];
        (*to)[k] = (char)(c >= 0x20 && c <= 0x7e ? (int)c : '?');
    }
    return SADDLE_OK;
}

/* ---- what saddle writes ---- */

static saddle_status take_contacts(reading *r)
{
    saddle_problem *p = r->problem;
    const saddle__mat_variable *v = saddle__mat_find(&r->mat, "contacts");
    if (!v || v->rows == 0) return SADDLE_OK;
    if (v->cols != 5 || !v->value) return wrong_size(r, v, v->rows, 5);
    p->contacts = saddle_allocate(r->context, v->rows, sizeof *p->contacts);
    if (!p->contacts) return SADDLE_OUT_OF_MEMORY;
    p->contact_count = v->rows;
    for (int64_t c = 0; c < v->rows; c++) {
        const double first = v->value[c], size = v->value[c + v->rows];
        if (!(first >= 1.0 && first <= (double)p->m) || first != floor(first) ||
            !(size >= 2.0 && size <= SADDLE_CONTACT_ROWS) || size != floor(size))
            return bad(r, "contacts", "the first row or the number of rows is out of range");
        p->contacts[c] = (saddle_contact){.row = (int64_t)first - 1,
                                          .size = (int64_t)size,
                                          .mu = v->value[c + 2 * v->rows],
                                          .mu_torsion = v->value[c + 3 * v->rows],
                                          .mu_rolling = v->value[c + 4 * v->rows]};
    }
    return SADDLE_OK;
}

static saddle_status take_ids(reading *r)
{
    double *id = NULL;
    saddle_problem *p = r->problem;
    saddle_status status = take_vector(r, "row_id", p->m, &id);
    if (status == SADDLE_OK && id) {
        p->row_id = saddle_allocate(r->context, p->m, sizeof *p->row_id);
        if (!p->row_id) status = SADDLE_OUT_OF_MEMORY;
        for (int64_t i = 0; status == SADDLE_OK && i < p->m; i++) {
            if (!(fabs(id[i]) < 0x1p53) || id[i] != floor(id[i]))
                status = bad(r, "row_id", "not an integer below 2^53");
            if (status == SADDLE_OK) p->row_id[i] = (int64_t)id[i];
        }
    }
    saddle_release(r->context, id);
    return status;
}

static saddle_status take_law(reading *r)
{
    char *word = NULL;
    saddle_status status = take_text(r, "law", &word);
    if (status == SADDLE_OK && word && saddle_law_from_word(word, &r->problem->law) != SADDLE_OK)
        status = bad(r, "law", "not cone, pyramid, box or associated");
    saddle_release(r->context, word);
    return status;
}

static saddle_status read_problem(reading *r)
{
    saddle_problem *p = r->problem;
    saddle_matrix J = {0};
    SADDLE__TRY(take_matrix(r, "M", -1, -1, &p->M));
    p->n = p->M.cols;
    SADDLE__TRY(saddle__matrix_settle(r->context, &p->M));
    const saddle__mat_variable *j = saddle__mat_find(&r->mat, "J");
    const saddle__mat_variable *of_R = saddle__mat_find(&r->mat, "R");
    p->m = j ? j->rows : of_R ? of_R->rows : 0;
    saddle_status status = take_matrix(r, "J", p->m, p->n, &J);
    if (status == SADDLE_OK && J.start) status = saddle_matrix_transpose(r->context, &J, &p->Jt);
    saddle_matrix_clear(&J);
    if (status == SADDLE_OK && !p->Jt.start)
        status = saddle_matrix_create(r->context, p->n, p->m, 0, SADDLE_GENERAL, &p->Jt);
    if (status == SADDLE_OK) status = take_matrix(r, "R", p->m, p->m, &p->R);
    if (status == SADDLE_OK) status = saddle__matrix_settle(r->context, &p->R);
    if (status == SADDLE_OK) status = take_vector(r, "f", p->n, &p->f);
    double **const of_rows[] = {&p->b, &p->lo, &p->hi};
    static const char *const names[] = {"b", "lo", "hi"};
    for (int k = 0; status == SADDLE_OK && k < 3; k++)
        status = take_vector(r, names[k], p->m, of_rows[k]);
    if (status == SADDLE_OK) status = take_contacts(r);
    if (status == SADDLE_OK) status = take_ids(r);
    if (status == SADDLE_OK) status = take_law(r);
    if (status == SADDLE_OK) status = take_integer(r, "facets", SADDLE_FACETS_AT_MOST, &p->facets);
    if (status == SADDLE_OK) status = take_number(r, "time_step", &p->time_step);
    return status == SADDLE_OK ? take_text(r, "name", &p->name) : status;
}

/* ---- quadratic programs ---- */

/* Rows of the problem for a row of A: which of its bounds; 2 = as an equality. */
typedef struct qp_sides {
    int lower, upper, equal;
} qp_sides;

/* Bounds of quadratic programs from 1e20 on are none (Maros and Meszaros; OSQP). */
static qp_sides sides_of(double l, double u)
{
    const int lower = l > -1e20, upper = u < 1e20, equal = lower && upper && l >= u;
    return (qp_sides){lower && !equal, upper && !equal, equal};
}

static saddle_status make_rows(reading *r, const saddle_matrix *At, const double *l,
                               const double *u)
{
    saddle_problem *p = r->problem;
    int64_t rows = 0, entries = 0, at = 0;
    for (int64_t i = 0; i < At->cols; i++) {
        const qp_sides s = sides_of(l[i], u[i]);
        if (isnan(l[i]) || isnan(u[i]) || l[i] > u[i])
            return saddle_fail(r->context, SADDLE_BAD_FILE, "%s: row %lld: l is above u, or NaN",
                               r->label, (long long)i + 1);
        rows += s.lower + s.upper + s.equal;
        entries += (s.lower + s.upper + s.equal) * (At->start[i + 1] - At->start[i]);
    }
    p->m = rows;
    SADDLE__TRY(saddle_matrix_create(r->context, p->n, rows, entries, SADDLE_GENERAL, &p->Jt));
    p->b = saddle_allocate(r->context, rows, sizeof *p->b);
    p->lo = saddle_allocate(r->context, rows, sizeof *p->lo);
    p->hi = saddle_allocate(r->context, rows, sizeof *p->hi);
    p->row_id = saddle_allocate(r->context, rows, sizeof *p->row_id);
    if (!p->b || !p->lo || !p->hi || !p->row_id) return SADDLE_OUT_OF_MEMORY;
    rows = 0;
    for (int64_t i = 0; i < At->cols; i++) {
        const qp_sides s = sides_of(l[i], u[i]);
        for (int upper = 0; upper < 2; upper++) {
            if (!(upper ? s.upper : s.lower || s.equal)) continue;
            p->b[rows] = upper ? u[i] : l[i];
            p->lo[rows] = upper || s.equal ? -(double)INFINITY : 0.0;
            p->hi[rows] = upper ? 0.0 : (double)INFINITY;
            p->row_id[rows] = upper ? -(i + 1) : i + 1;
            for (int64_t k = At->start[i]; k < At->start[i + 1]; k++, at++) {
                p->Jt.index[at] = At->index[k];
                p->Jt.value[at] = At->value[k];
            }
            p->Jt.start[++rows] = at;
        }
    }
    return SADDLE_OK;
}

static saddle_status read_rows(reading *r, const saddle_matrix *A, double *l, double *u)
{
    saddle_matrix At = {0};
    if (!l || !u) return bad(r, !l ? "l" : "u", "absent from a quadratic program");
    saddle_status status = saddle_matrix_transpose(r->context, A, &At);
    if (status == SADDLE_OK) status = make_rows(r, &At, l, u);
    saddle_matrix_clear(&At);
    return status;
}

static saddle_status read_qp(reading *r)
{
    saddle_problem *p = r->problem;
    saddle_matrix A = {0};
    double *l = NULL, *u = NULL;
    SADDLE__TRY(take_matrix(r, "P", -1, -1, &p->M));
    p->n = p->M.cols;
    if (p->M.rows != p->n) return bad(r, "P", "not square");
    SADDLE__TRY(saddle__matrix_settle(r->context, &p->M));
    if (p->M.symmetry != SADDLE_SYMMETRIC) return bad(r, "P", "not symmetric");
    SADDLE__TRY(take_vector(r, "q", p->n, &p->f));
    for (int64_t j = 0; p->f && j < p->n; j++) p->f[j] = -p->f[j];
    saddle_status status = take_matrix(r, "A", -1, p->n, &A);
    if (status == SADDLE_OK) status = take_vector(r, "l", A.rows, &l);
    if (status == SADDLE_OK) status = take_vector(r, "u", A.rows, &u);
    if (status == SADDLE_OK && A.start) status = read_rows(r, &A, l, u);
    if (status == SADDLE_OK && !p->Jt.start)
        status = saddle_matrix_create(r->context, p->n, 0, 0, SADDLE_GENERAL, &p->Jt);
    saddle_matrix_clear(&A);
    saddle__release_all(r->context, l, u);
    return status;
}

saddle_status saddle__mat_problem_read(saddle_context *context, const char *bytes, int64_t length,
                                       const char *label, saddle_problem *problem)
{
    reading r = {.context = context, .label = label, .problem = problem};
    saddle_status status = saddle__mat_read(context, bytes, length, label, &r.mat);
    if (status == SADDLE_OK && saddle__mat_find(&r.mat, "P"))
        status = read_qp(&r);
    else if (status == SADDLE_OK &&
             (saddle__mat_find(&r.mat, "M") || saddle__mat_find(&r.mat, "R")))
        status = read_problem(&r);
    else if (status == SADDLE_OK)
        status = saddle_fail(context, SADDLE_BAD_FILE,
                             "%s: a MATLAB file without a matrix M, R or P is no problem", label);
    saddle__mat_clear(&r.mat);
    return status;
}

saddle_status saddle__mat_problem_constant(saddle_context *context, const char *path,
                                           double *constant)
{
    reading r = {.context = context, .label = path};
    saddle__scan scan = {0};
    *constant = (double)NAN;
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK)
        status = saddle__mat_read(context, scan.begin, scan.end - scan.begin, path, &r.mat);
    if (status == SADDLE_OK && saddle__mat_find(&r.mat, "P")) {
        *constant = 0.0;
        status = take_number(&r, "r", constant);
    }
    saddle__mat_clear(&r.mat);
    saddle__scan_close(&scan);
    return status;
}

/* ---- writing ---- */

static saddle_status put_matrix(saddle__output *output, const char *name, int64_t rows,
                                int64_t cols, const saddle_matrix *A)
{
    saddle_matrix full = {0};
    saddle_status status = saddle__matrix_full(output->context, A, rows, cols, &full);
    if (status == SADDLE_OK) status = saddle__mat_put_sparse(output, name, &full);
    saddle_matrix_clear(&full);
    return status;
}

static saddle_status put_J(saddle__output *output, const saddle_problem *p)
{
    saddle_matrix J = {0};
    saddle_status status = saddle_matrix_transpose(output->context, &p->Jt, &J);
    if (status == SADDLE_OK) status = put_matrix(output, "J", p->m, p->n, &J);
    saddle_matrix_clear(&J);
    return status;
}

/* lo, hi; row_id */
static saddle_status put_rows(saddle__output *output, const saddle_problem *p)
{
    double *value = saddle_allocate(output->context, p->m, sizeof *value);
    saddle_status status = value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int which = 0; status == SADDLE_OK && which < (p->row_id ? 3 : 2); which++) {
        static const char *const names[] = {"lo", "hi", "row_id"};
        for (int64_t i = 0; i < p->m; i++)
            value[i] = which == 0   ? saddle_problem_lo(p, i)
                       : which == 1 ? saddle_problem_hi(p, i)
                                    : (double)p->row_id[i];
        for (int64_t i = 0; which == 2 && i < p->m; i++)
            if (!(fabs(value[i]) < 0x1p53))
                return saddle_release(output->context, value), SADDLE_OK; /* no double holds it */
        status = saddle__mat_put_full(output, names[which], p->m, 1, value);
    }
    saddle_release(output->context, value);
    return status;
}

static saddle_status put_contacts(saddle__output *output, const saddle_problem *p)
{
    const int64_t count = p->contact_count;
    double *table = saddle_allocate(output->context, count, 5 * sizeof *table);
    if (!table) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        const saddle_contact *contact = &p->contacts[c];
        const double row[] = {(double)(contact->row + 1), (double)contact->size, contact->mu,
                              contact->mu_torsion, contact->mu_rolling};
        for (int64_t k = 0; k < 5; k++) table[c + k * count] = row[k];
    }
    saddle_status status = saddle__mat_put_full(output, "contacts", count, 5, table);
    saddle_release(output->context, table);
    if (status == SADDLE_OK) status = saddle__mat_put_text(output, "law", saddle_law_word(p->law));
    const double facets = (double)p->facets;
    return status == SADDLE_OK ? saddle__mat_put_full(output, "facets", 1, 1, &facets) : status;
}

static saddle_status put_problem(saddle__output *output, const saddle_problem *p)
{
    saddle__mat_begin(output);
    SADDLE__TRY(put_matrix(output, "M", p->n, p->n, &p->M));
    SADDLE__TRY(put_J(output, p));
    SADDLE__TRY(put_matrix(output, "R", p->m, p->m, &p->R));
    SADDLE__TRY(saddle__mat_put_full(output, "f", p->n, 1, p->f));
    SADDLE__TRY(saddle__mat_put_full(output, "b", p->m, 1, p->b));
    SADDLE__TRY(put_rows(output, p));
    if (p->contact_count > 0) SADDLE__TRY(put_contacts(output, p));
    if (p->time_step > 0.0)
        SADDLE__TRY(saddle__mat_put_full(output, "time_step", 1, 1, &p->time_step));
    return p->name ? saddle__mat_put_text(output, "name", p->name) : SADDLE_OK;
}

saddle_status saddle__mat_problem_write(saddle_context *context, const char *path,
                                        const saddle_problem *problem)
{
    saddle__output output;
    saddle_status status = saddle__output_open(context, path, &output);
    if (status != SADDLE_OK) return status;
    return saddle__output_finish(&output, put_problem(&output, problem));
}
