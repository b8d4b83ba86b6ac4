/* SPDX-License-Identifier: MIT */
/* See newton.h. */
#include "admm/newton.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/tolerances.h"
#include "base/vector.h"
#include "dense/lu.h"
#include "matrix/matrix_internal.h"
#include "problem/cone.h"

/* delta of a first step, and behind one with events, at least: with less, redundant contacts of a
 * stack of 3,000 boxes exchange impulses of the size of its weight's rounding. */
static const double least_delta = 1e-7;

/* Of a step.  Shorter parts, at kinks of |F| from which no step descends, repeat for ever. */
static const double least_part = 2e-3;

typedef struct step {
    const saddle_problem *problem;
    saddle__newton *s;
    const double *d;
    const double *lambda;
    const saddle__group *group;
    int64_t groups;
    double before; /* |F|^2 */
} step;

enum { WIDEST = SADDLE_CONTACT_ROWS }; /* rows of a group */

/* ---- the matrix ---- */

/* The entries of a step's matrix, always in the same order: counted, as places of the pattern, or
 * as values that are added up. */
typedef struct sink {
    int64_t *row, *column; /* places; else NULL */
    double *value;         /* of the matrix, with the entries' slots; else NULL */
    const int64_t *slot;
    int64_t count;
} sink;

static void add(sink *to, int64_t row, int64_t column, double value)
{
    if (to->value) {
        to->value[to->slot[to->count]] += value;
    } else if (to->row) {
        to->row[to->count] = row;
        to->column[to->count] = column;
    }
    to->count++;
}

/* The same of a row's entries in listed columns. */
static void add_row(sink *to, int64_t row, int64_t count, const int64_t *column,
                    const double *value)
{
    if (!to->value) {
        for (int64_t k = 0; k < count; k++) add(to, row, column[k], value[k]);
        return;
    }
    const int64_t *slot = to->slot + to->count;
    for (int64_t k = 0; k < count; k++) to->value[slot[k]] += value[k];
    to->count += count;
}

static void add_masses(const saddle__newton *s, const saddle_matrix *M, sink *to)
{
    for (int64_t j = 0; saddle_matrix_entries(M) > 0 && j < s->n; j++)
        for (int64_t k = M->start[j]; k < M->start[j + 1]; k++) {
            add(to, M->index[k], j, M->value[k]);
            if (M->symmetry == SADDLE_SYMMETRY_LOWER && M->index[k] != j)
                add(to, j, M->index[k], M->value[k]);
        }
}

/* value times the unknowns' rows of C that row i of J or R goes into. */
static void add_product(const saddle__newton *s, int64_t i, int64_t column, double value, sink *to)
{
    int64_t first = s->first[i];
    for (int64_t r = first; r < first + s->rows[i]; r++)
        add(to, s->unknown[r], column, s->C[s->width * r + i - first] * value);
}

/* Rows of impulses that are unknowns, and their columns. */
static void add_kept(const saddle__newton *s, const saddle_problem *p, sink *to)
{
    const saddle_matrix *Jt = &p->Jt, *R = &p->R;
    int has_J = saddle_matrix_entries(Jt) > 0;
    for (int64_t i = 0; i < s->m; i++) {
        if (s->unknown[i] < 0) continue;
        for (int64_t k = has_J ? Jt->start[i] : 0; has_J && k < Jt->start[i + 1]; k++) {
            add(to, Jt->index[k], s->unknown[i], -Jt->value[k]);
            add_product(s, i, Jt->index[k], Jt->value[k], to);
        }
        for (int64_t k = 0; k < s->rows[i]; k++)
            add(to, s->unknown[i], s->unknown[s->first[i] + k], s->own[s->width * i + k]);
    }
    for (int64_t j = 0; saddle_matrix_entries(R) > 0 && j < s->m; j++)
        for (int64_t k = R->start[j]; s->unknown[j] >= 0 && k < R->start[j + 1]; k++) {
            int64_t i = R->index[k];
            add_product(s, i, s->unknown[j], R->value[k], to);
            if (R->symmetry == SADDLE_SYMMETRY_LOWER && i != j)
                add_product(s, j, s->unknown[i], R->value[k], to);
        }
}

/* Lists the velocities of a group that are not among the `count` listed ones; returns the number
 * of all.  place: n, of a listed velocity its place in the list. */
static int64_t list_velocities(const saddle__newton *s, const saddle_matrix *Jt,
                               const saddle__group *g, int64_t count)
{
    for (int64_t k = Jt->start[g->row]; k < Jt->start[g->row + g->size]; k++) {
        int64_t j = Jt->index[k], at = s->place[j];
        if (at < count && s->list[at] == j) continue;
        s->place[j] = count;
        s->list[count++] = j;
    }
    return count;
}

/* J (size x count) of a group by the listed velocities, and K J, K in the place of C. */
static void multiply_group(const saddle__newton *s, const saddle_matrix *Jt, const saddle__group *g,
                           int64_t count, double *restrict J, double *restrict KJ)
{
    saddle__zero(J, g->size * count);
    saddle__zero(KJ, g->size * count);
    for (int64_t i = 0; i < g->size; i++)
        for (int64_t k = Jt->start[g->row + i]; k < Jt->start[g->row + i + 1]; k++)
            J[i * count + s->place[Jt->index[k]]] = Jt->value[k];
    for (int64_t i = 0; i < g->size; i++)
        for (int64_t j = 0; j < g->size; j++) {
            double K = s->C[s->width * (g->row + i) + j];
            for (int64_t a = 0; a < count; a++) KJ[i * count + a] += K * J[j * count + a];
        }
}

/* Sum of J_g'K J_g over the first group and those behind, without unknowns, that have no velocities
 * but those of the first: contacts of the same bodies.  Returns the number of groups. */
static int64_t add_eliminated(const saddle__newton *s, const saddle_matrix *Jt,
                              const saddle__group *group, int64_t groups, sink *to)
{
    const int64_t *list = s->list;
    int64_t count = list_velocities(s, Jt, group, 0), rows = group->size, length = 1;
    for (; length < groups && s->unknown[group[length].row] < 0; length++) {
        const saddle__group *next = &group[length];
        if ((rows + next->size) * count > s->width * s->n) break; /* s->local is full */
        if (list_velocities(s, Jt, next, count) > count) break;
        rows += next->size;
    }
    double *restrict J = s->local, *restrict KJ = J + rows * count;
    double *restrict row = KJ + rows * count;
    for (int64_t k = 0, at = 0; to->value && k < length; at += group[k++].size * count)
        multiply_group(s, Jt, &group[k], count, J + at, KJ + at);
    for (int64_t a = 0; a < count; a++) {
        saddle__zero(row, count);
        for (int64_t i = 0; to->value && i < rows; i++)
            for (int64_t b = 0; b < count; b++) row[b] += J[i * count + a] * KJ[i * count + b];
        add_row(to, list[a], count, list, row);
    }
    return length;
}

static void add_all(const saddle__newton *s, const saddle_problem *p, const saddle__group *group,
                    int64_t groups, sink *to)
{
    add_masses(s, &p->M, to);
    add_kept(s, p, to);
    for (int64_t k = 0; k < groups;)
        k += s->unknown[group[k].row] < 0 ? add_eliminated(s, &p->Jt, &group[k], groups - k, to)
                                          : 1;
}

/* A's pattern becomes symmetric. */
static saddle_status add_mirror(saddle_context *context, saddle_matrix *A)
{
    saddle_matrix mirror = {0}, sum = {0};
    saddle_status status = saddle_matrix_transpose(context, A, &mirror);
    if (status == SADDLE_OK) status = saddle_matrix_add(context, 1.0, A, 1.0, &mirror, &sum);
    saddle_matrix_clear(&mirror);
    if (status != SADDLE_OK) return status;
    saddle_matrix_clear(A);
    *A = sum;
    return SADDLE_OK;
}

/* The places of the entries, and the slot of each in the matrix. */
static saddle_status make_pattern(saddle_context *context, saddle__newton *s,
                                  const saddle_problem *p, const saddle__group *group,
                                  int64_t groups)
{
    sink to = {0};
    add_all(s, p, group, groups, &to);
    int64_t count = to.count;
    int64_t *index = saddle_allocate(context, 2 * count, sizeof *index);
    double *zero = saddle_allocate(context, count, sizeof *zero);
    s->slot = saddle_allocate(context, count, sizeof *s->slot);
    saddle_status status = index && zero && s->slot ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        to = (sink){.row = index, .column = index + count};
        add_all(s, p, group, groups, &to);
        status = saddle_matrix_from_triplets(context, s->unknowns, s->unknowns, count, to.row,
                                             to.column, zero, SADDLE_SYMMETRY_NONE, &s->A);
        if (status == SADDLE_OK && !s->pivots) status = add_mirror(context, &s->A);
    }
    for (int64_t k = 0; status == SADDLE_OK && k < count; k++)
        s->slot[k] = saddle__matrix_find(&s->A, to.row[k], to.column[k]);
    saddle_release(context, index);
    saddle_release(context, zero);
    return status;
}

static void place(saddle__newton *s)
{
    double **const rows[] = {&s->w, &s->dw, &s->event};
    double **const blocks[] = {&s->C, &s->own};
    double **const all[] = {&s->step, &s->right};
    int64_t **const numbers[] = {&s->first, &s->rows, &s->unknown};
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        *rows[k] = saddle__layout_take(&s->layout, s->m, sizeof **rows);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++)
        *blocks[k] = saddle__layout_take(&s->layout, s->m, (size_t)s->width * sizeof **blocks);
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        *all[k] = saddle__layout_take(&s->layout, s->n + s->m, sizeof **all);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        *numbers[k] = saddle__layout_take(&s->layout, s->m, sizeof **numbers);
    s->place = saddle__layout_take(&s->layout, s->n, sizeof *s->place);
    s->list = saddle__layout_take(&s->layout, s->n, sizeof *s->list);
    s->local = saddle__layout_take(&s->layout, s->n, (2 * (size_t)s->width + 1) * sizeof *s->local);
}

/* The unknowns beside the velocities: impulses of equality rows, of groups that R couples with
 * others, and of groups with so many velocities that their product has more entries than M and J.
 */
static void number_unknowns(saddle__newton *s, const saddle_problem *p, const saddle__group *group,
                            int64_t groups)
{
    const saddle_matrix *R = &p->R;
    int64_t entries = saddle_matrix_entries(&p->Jt);
    int64_t most = entries + saddle_matrix_entries(&p->M);
    for (int64_t j = 0; saddle_matrix_entries(R) > 0 && j < s->m; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++)
            if (s->first[R->index[k]] != s->first[j])
                s->unknown[s->first[R->index[k]]] = s->unknown[s->first[j]] = 1;
    s->unknowns = s->n;
    s->pivots = 0;
    for (int64_t k = 0; k < groups; k++) {
        const saddle__group *g = &group[k];
        int64_t count = entries > 0 ? list_velocities(s, &p->Jt, g, 0) : 0;
        int stays = s->unknown[g->row] || g->is_equality || entries == 0 ||
                    (double)count * (double)count > (double)most;
        s->pivots |= g->is_equality || (stays && s->n > 0);
        for (int64_t i = g->row; i < g->row + g->size; i++)
            s->unknown[i] = stays ? s->unknowns++ : -1;
    }
}

int saddle__newton_applies(const saddle_problem *problem)
{
    return problem->contact_count == 0 || problem->law == SADDLE_LAW_CONE ||
           problem->law == SADDLE_LAW_ASSOCIATED;
}

static saddle_status choose_factorization(saddle_context *context, const saddle_options *options,
                                          saddle__newton *s)
{
    const char *name = s->pivots
                           ? saddle__factorization_name(context, SADDLE_FACTORIZATION_DEFAULT, 1)
                           : "ldu";
    saddle_status status = saddle__factorization_create(context, name, options->ordering, &s->lu);
    return status == SADDLE_OK ? saddle__factorization_analyse(s->lu, &s->A) : status;
}

saddle_status saddle__newton_analyse(saddle_context *context, const saddle_options *options,
                                     const saddle_problem *problem, const saddle__group *group,
                                     int64_t groups, saddle__newton *s)
{
    s->n = problem->n;
    s->m = problem->m;
    s->width = saddle__groups_widest(problem);
    place(s);
    saddle_status status = saddle__layout_allocate(context, &s->layout);
    if (status != SADDLE_OK) return status;
    place(s);
    for (int64_t k = 0; k < groups; k++)
        for (int64_t i = group[k].row; i < group[k].row + group[k].size; i++) {
            s->first[i] = group[k].row;
            s->rows[i] = group[k].size;
        }
    number_unknowns(s, problem, group, groups);
    status = make_pattern(context, s, problem, group, groups);
    return status == SADDLE_OK ? choose_factorization(context, options, s) : status;
}

void saddle__newton_clear(saddle_context *context, saddle__newton *s)
{
    saddle_matrix_clear(&s->A);
    saddle_release(context, s->slot);
    saddle__factorization_free(s->lu);
    saddle__layout_clear(context, &s->layout);
    memset(s, 0, sizeof *s);
}

/* ---- natural maps ---- */

void saddle__row_slack(const saddle_problem *problem, const saddle__sums *parts, const double *v,
                       const double *lambda, double *w)
{
    for (int64_t i = 0; i < problem->m; i++) w[i] = problem->b ? -problem->b[i] : 0.0;
    saddle__drop_others(parts, SADDLE__ROWS, problem->m, w);
    saddle_matrix_apply(&problem->R, 1.0, lambda, 1.0, w);
    saddle_matrix_apply_transpose(&problem->Jt, 1.0, v, 1.0, w);
    saddle__add_parts(parts, SADDLE__ROWS, w);
}

enum { LOW, BETWEEN, HIGH }; /* states of a row; those of a contact: saddle__cone_state */

/* Of a group, at a part of the step. */
typedef struct local {
    double z[SADDLE_CONTACT_ROWS]; /* lambda - s / D */
    saddle__cone cone;             /* in the distance weighted by D */
    int state;
} local;

static local pose(const step *it, const saddle__group *g, double part)
{
    const saddle__newton *s = it->s;
    const double *dlambda = s->step + s->n, *d = it->d + g->row;
    double w[SADDLE_CONTACT_ROWS];
    local c = {.state = BETWEEN};
    for (int64_t i = 0, row = g->row; i < g->size; i++, row++) {
        w[i] = s->w[row] + part * s->dw[row];
        c.z[i] = it->lambda[row] + part * dlambda[row] - w[i] / d[i];
    }
    if (!g->is_contact) {
        if (c.z[0] <= saddle_problem_lo(it->problem, g->row)) c.state = LOW;
        if (c.z[0] >= saddle_problem_hi(it->problem, g->row)) c.state = HIGH;
        return c;
    }
    c.cone = saddle__group_cone(g, d);
    if (it->problem->law == SADDLE_LAW_CONE) c.z[0] -= saddle__cone_shift(&c.cone, w) / d[0];
    c.state = saddle__cone_state(&c.cone, c.z);
    return c;
}

/* |F|^2 of a group at a part of the step; F: NULL is fine. */
static double map_of(const step *it, const saddle__group *g, double part, double *F)
{
    const double *dlambda = it->s->step + it->s->n;
    double sum = 0.0;
    local c = pose(it, g, part);
    saddle__group_project(it->problem, g, it->d + g->row, c.z);
    for (int64_t i = 0, row = g->row; i < g->size; i++, row++) {
        double f = sqrt(it->d[row]) * (it->lambda[row] + part * dlambda[row] - c.z[i]);
        if (F) F[i] = f;
        sum += f * f;
    }
    return sum;
}

/* |F|^2 */
static double measure(const step *it, double part)
{
    double sum = 0.0;
    for (int64_t k = 0; k < it->groups; k++) sum += map_of(it, &it->group[k], part, NULL);
    return sum;
}

/* C and own of a group. */
static void fill_group(const step *it, const saddle__group *g)
{
    saddle__newton *s = it->s;
    double Z[SADDLE_CONTACT_ROWS][SADDLE_CONTACT_ROWS], turn[SADDLE_CONTACT_ROWS] = {0.0};
    const double *d = it->d + g->row;
    local c = pose(it, g, 0.0);
    if (g->is_contact)
        saddle__cone_derivative(&c.cone, c.z, Z);
    else
        Z[0][0] = c.state == BETWEEN;
    if (g->is_contact && it->problem->law == SADDLE_LAW_CONE)
        saddle__cone_turn(&c.cone, s->w + g->row, turn);
    for (int64_t i = 0; i < g->size; i++) {
        double root = sqrt(d[i]);
        double *C = s->C + s->width * (g->row + i), *own = s->own + s->width * (g->row + i);
        for (int64_t j = 0; j < g->size; j++) {
            double ZS = Z[i][j] / d[j] + Z[i][0] * turn[j] / d[0];
            C[j] = root * ZS;
            own[j] = root * ((i == j) - Z[i][j] + s->delta * d[j] * ZS);
        }
    }
}

/* ---- a step ---- */

/* K and h with dlambda = h - K J dv of a group without unknowns, in the places of C and -F: G K = C
 * and G h = -F, G = sqrt D (I - Z) + C (R + delta D).  Returns 0 where G is singular. */
static int eliminate(const step *it, const saddle__group *g)
{
    const saddle__newton *s = it->s;
    const saddle_matrix *R = &it->problem->R;
    int size = (int)g->size, exchange[WIDEST];
    double G[WIDEST * WIDEST], X[WIDEST * (WIDEST + 1)];
    double *C = s->C + s->width * g->row, *F = s->step + s->n + g->row;
    const double *own = s->own + s->width * g->row;
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) {
            G[j * size + i] = own[s->width * i + j];
            X[j * size + i] = C[s->width * i + j];
        }
        X[size * size + i] = F[i];
    }
    for (int64_t j = 0; saddle_matrix_entries(R) > 0 && j < size; j++)
        for (int64_t k = R->start[g->row + j]; k < R->start[g->row + j + 1]; k++) {
            int64_t r = R->index[k] - g->row;
            int both = R->symmetry == SADDLE_SYMMETRY_LOWER && r != j;
            for (int64_t i = 0; i < size; i++) {
                G[j * size + i] += C[s->width * i + r] * R->value[k];
                if (both) G[r * size + i] += C[s->width * i + j] * R->value[k];
            }
        }
    if (!saddle__lu_factor(0, size, G, size, exchange)) return 0;
    saddle__lu_solve(size, G, size, exchange, size + 1, X, size);
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < size; j++) C[s->width * i + j] = X[j * size + i];
        F[i] = X[size * size + i];
    }
    return 1;
}

/* w, and -F in the right-hand sides; returns |F|^2. */
static double form_maps(const step *it, const double *v)
{
    saddle__newton *s = it->s;
    double sum = 0.0, *F = s->step + s->n;
    saddle__zero(s->step, s->n + s->m);
    saddle__row_slack(it->problem, NULL, v, it->lambda, s->w);
    saddle__zero(s->dw, s->m);
    for (int64_t k = 0; k < it->groups; k++)
        sum += map_of(it, &it->group[k], 0.0, F + it->group[k].row);
    for (int64_t i = 0; i < s->m; i++) F[i] = -F[i];
    return sum;
}

/* As large as |F| in terms of the impulses: steps converge faster than linearly where the maps
 * determine the impulses up to null vectors (Yamashita and Fukushima, Computing Supplement 15,
 * 2001).  It falls to a tenth from step to step at most.  A step without events, along which F is
 * linear but for sliding, would end at F = 0 but for delta, which then falls to a hundredth. */
static double choose_delta(const step *it)
{
    double delta = it->s->smooth ? 0.01 * it->s->delta : 0.1 * it->s->delta, size = 0.0;
    for (int64_t i = 0; i < it->s->m; i++) size += it->d[i] * it->lambda[i] * it->lambda[i];
    if (it->s->smooth) return fmax(delta, SADDLE__PIVOT_REPLACEMENT);
    delta = fmax(delta, fmin(sqrt(it->before / size), 1.0));
    return fmax(delta, least_delta);
}

/* The equations' other right-hand sides; of groups without unknowns K and h. */
static saddle_status form_equations(const step *it, const double *v)
{
    const saddle_problem *p = it->problem;
    saddle__newton *s = it->s;
    for (int64_t k = 0; k < it->groups; k++) {
        fill_group(it, &it->group[k]);
        if (s->unknown[it->group[k].row] < 0 && !eliminate(it, &it->group[k]))
            return SADDLE_SINGULAR;
    }
    if (p->f) saddle__copy(s->step, p->f, s->n);
    saddle_matrix_apply(&p->M, -1.0, v, 1.0, s->step);
    saddle_matrix_apply(&p->Jt, 1.0, it->lambda, 1.0, s->step);
    return SADDLE_OK;
}

/* right <- A^-1 of the right-hand sides: the unknowns. */
static saddle_status solve_unknowns(const step *it)
{
    const saddle_matrix *Jt = &it->problem->Jt;
    saddle__newton *s = it->s;
    const double *h = s->step + s->n;
    sink to = {.value = s->A.value, .slot = s->slot};
    saddle__zero(s->A.value, saddle_matrix_entries(&s->A));
    add_all(s, it->problem, it->group, it->groups, &to);
    saddle__copy(s->right, s->step, s->n);
    for (int64_t i = 0; i < s->m; i++) {
        if (s->unknown[i] >= 0) {
            s->right[s->unknown[i]] = h[i];
            continue;
        }
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++)
            s->right[Jt->index[k]] += Jt->value[k] * h[i];
    }
    saddle_status status = saddle__factorization_factor(s->lu, &s->A, NULL, 0);
    return status == SADDLE_OK ? saddle__factorization_solve(s->lu, s->right) : status;
}

/* (dv, dlambda) and dw, from v. */
static saddle_status find_step(const step *it, const double *v)
{
    const saddle_problem *p = it->problem;
    saddle__newton *s = it->s;
    double *dlambda = s->step + s->n;
    saddle_status status = form_equations(it, v);
    if (status == SADDLE_OK) status = solve_unknowns(it);
    if (status != SADDLE_OK) return status;
    saddle__copy(s->step, s->right, s->n);
    saddle_matrix_apply_transpose(&p->Jt, 1.0, s->step, 1.0, s->dw);
    for (int64_t i = 0; i < s->m; i++) {
        if (s->unknown[i] >= 0) dlambda[i] = s->right[s->unknown[i]];
        for (int64_t j = 0; s->unknown[i] < 0 && j < s->rows[i]; j++)
            dlambda[i] -= s->C[s->width * i + j] * s->dw[s->first[i] + j];
    }
    if (!saddle__is_finite(s->step, s->n + s->m)) return SADDLE_SINGULAR;
    saddle_matrix_apply(&p->R, 1.0, dlambda, 1.0, s->dw);
    return SADDLE_OK;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Parts of the step just behind the events; returns their number.  Of a group that is in the same
 * state again at the end, none. */
static int64_t find_events(const step *it)
{
    int64_t count = 0;
    for (int64_t k = 0; k < it->groups; k++) {
        const saddle__group *g = &it->group[k];
        int now = pose(it, g, 0.0).state;
        double low = 0.0, high = 1.0;
        if (pose(it, g, high).state == now) continue;
        while (high - low > 1e-3 * least_part) {
            double middle = 0.5 * (low + high);
            *(pose(it, g, middle).state == now ? &low : &high) = middle;
        }
        it->s->event[count++] = high;
    }
    qsort(it->s->event, (size_t)count, sizeof *it->s->event, compare);
    return count;
}

/* The part of the step to take.  Of many events the first, second, fourth, seventh, and so on. */
static double choose_part(const step *it)
{
    double least = measure(it, 1.0), part = 1.0;
    it->s->smooth = 0;
    if (least <= 0.01 * it->before) return part;
    int64_t events = find_events(it);
    it->s->smooth = events == 0;
    for (int64_t k = 0; k < events; k += 1 + (k + 1) / 2) {
        if (it->s->event[k] < least_part) continue;
        double now = measure(it, it->s->event[k]);
        if (!(now < least)) continue;
        least = now;
        part = it->s->event[k];
    }
    return part;
}

saddle_status saddle__newton_step(const saddle_problem *problem, const saddle__group *group,
                                  int64_t groups, const double *d, saddle__newton *newton,
                                  double *x)
{
    step it = {problem, newton, d, x + newton->n, group, groups, 0.0};
    it.before = form_maps(&it, x);
    newton->delta = choose_delta(&it);
    saddle_status status = find_step(&it, x);
    if (status != SADDLE_OK) return status;
    double part = choose_part(&it);
    for (int64_t j = 0; j < newton->n + newton->m; j++) x[j] += part * newton->step[j];
    return SADDLE_OK;
}
