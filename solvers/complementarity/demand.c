/* SPDX-License-Identifier: MIT */
/* See demand.h. */
#include "complementarity/demand.h"

#include <math.h>
#include <string.h>

enum { TOGETHER = 16, MOST = 4000 };

static const double time_of_visit = 30.0;      /* of a supernode, one way [ns] */
static const double time_of_entry = 0.4;       /* of L, one way, or of J */
static const double time_of_several = 1.5;     /* columns together, over one by itself .. */
static const double time_of_another = 0.1;     /* .. and each of them */
static const double time_of_flop = 1.0 / 60.0; /* of the Schur complement */
static const double worth_it = 1e6;            /* of W: below, it is formed at once */
static const double to_begin_with = 0.5;       /* of the limit: columns of the start */

/* ---- the model ---- */

static double time_of_block(int64_t count)
{
    return count <= 1 ? (double)count : time_of_several + time_of_another * (double)count;
}

static double time_together(const saddle__on_demand *s, int64_t count)
{
    int64_t most = s->together;
    return s->each * ((double)(count / most) * time_of_block(most) + time_of_block(count % most));
}

/* T_1 and the limit. */
static void measure(saddle__on_demand *s, const saddle_problem *problem, int always)
{
    const saddle__dense_delassus *d = s->mass;
    double m = (double)s->m;
    double whole = 0.0;
    s->each = time_of_entry * (double)saddle_matrix_entries(&problem->Jt);
    s->together = d->by_complement && !d->complement.pivoted ? TOGETHER : 1;
    if (s->together > 1) {
        saddle__ldlt_size size = saddle__ldlt_size_of(d->complement.mass);
        s->each += 2.0 *
                   (time_of_visit * (double)size.supernodes + time_of_entry * (double)size.entries);
        whole = saddle__ldlt_complement_size_of(d->complement.rows).flops * time_of_flop;
    } else { /* L U, whose entries are not known before */
        s->each += 2.0 * time_of_entry * (double)saddle_matrix_entries(&problem->M);
        whole = 0.5 * m * s->each;
    }
    s->limit = always ? (double)INFINITY : whole;
    double most = always ? m
                         : fmin(0.5 * m,
                                whole / s->each * (double)s->together / time_of_block(s->together));
    if (!always && (whole < worth_it || most < 1.0)) most = 0.0;
    s->room = (int64_t)fmin(most, always ? m : (double)MOST);
}

int saddle__on_demand_pays(const saddle__on_demand *s, int64_t count)
{
    return s->room > 0 && count <= s->room && time_together(s, count) <= to_begin_with * s->limit;
}

/* ---- create ---- */

saddle_status saddle__on_demand_create(saddle_context *context, const saddle_problem *problem,
                                       saddle__dense_delassus *mass, int always,
                                       saddle__on_demand *s)
{
    s->n = problem->n;
    s->m = problem->m;
    s->mass = mass;
    measure(s, problem, always);
    if (s->room == 0) return SADDLE_OK;
    s->place = saddle_allocate(context, s->m, sizeof *s->place);
    s->column = saddle_allocate(context, s->m * s->room, sizeof *s->column);
    s->diagonal = saddle_allocate(context, s->m, sizeof *s->diagonal);
    s->A = saddle_allocate(context, s->room * s->room, sizeof *s->A);
    s->asked = saddle_allocate(context, s->m, sizeof *s->asked);
    s->listed = saddle_allocate(context, s->m, sizeof *s->listed);
    s->velocity = saddle_allocate(context, s->n * s->together, sizeof *s->velocity);
    int whole = s->place && s->column && s->diagonal && s->A && s->asked && s->listed &&
                s->velocity;
    if (!whole) return SADDLE_OUT_OF_MEMORY;
    return problem->R.start ? saddle__unfolded_create(context, &problem->R, &s->R) : SADDLE_OK;
}

void saddle__on_demand_clear(saddle_context *context, saddle__on_demand *s)
{
    void *blocks[] = {s->place, s->column, s->diagonal, s->A, s->asked, s->listed, s->velocity};
    saddle__unfolded_clear(context, &s->R);
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) saddle_release(context, blocks[k]);
    memset(s, 0, sizeof *s);
}

/* J_i diag(M)^-1 J_i' + R_ii: no more than W_ii where M is definite. */
static void estimate_diagonal(saddle__on_demand *s, const saddle_problem *problem)
{
    const saddle_matrix *Jt = &problem->Jt;
    double *mass = s->velocity;
    saddle_matrix_diagonal(&problem->M, mass);
    for (int64_t i = 0; i < s->m; i++) {
        double sum = 0.0;
        for (int64_t k = Jt->start[i]; k < Jt->start[i + 1]; k++) {
            double modulus = fabs(mass[Jt->index[k]]);
            if (modulus > 0.0) sum += Jt->value[k] * Jt->value[k] / modulus;
        }
        for (int64_t k = s->R.cols > 0 ? s->R.start[i] : 0; s->R.cols > 0 && k < s->R.start[i + 1];
             k++)
            if (s->R.index[k] == i) sum += fabs(s->R.value[k]);
        s->diagonal[i] = sum;
    }
}

void saddle__on_demand_refresh(saddle__on_demand *s, const saddle_problem *problem)
{
    if (s->room == 0) return;
    if (problem->R.start) saddle__unfolded_refresh(&s->R, &problem->R);
    for (int64_t i = 0; i < s->m; i++) s->place[i] = -1;
    memset(s->listed, 0, (size_t)s->m * sizeof *s->listed);
    s->count = s->asking = 0;
    s->spent = 0.0;
    s->overrun = 0;
    s->status = SADDLE_OK;
    estimate_diagonal(s, problem);
}

/* ---- columns ---- */

void saddle__on_demand_list(saddle__on_demand *s, int64_t row)
{
    if (s->listed[row] || s->place[row] >= 0) return;
    s->listed[row] = 1;
    s->asked[s->asking++] = row;
}

/* W_ii, and of every other row what makes W_ij^2 <= W_ii W_jj. */
static void bound_diagonal(saddle__on_demand *s, int64_t row, const double *column)
{
    double own = fabs(column[row]);
    for (int64_t i = 0; own > 0.0 && i < s->m; i++)
        if (s->place[i] < 0) s->diagonal[i] = fmax(s->diagonal[i], column[i] * column[i] / own);
    s->diagonal[row] = own;
}

static void take_column(saddle__on_demand *s, int64_t row, const double *velocity)
{
    double *column = s->column + s->count * s->m;
    saddle_matrix_apply_transpose(&s->problem->Jt, 1.0, velocity, 0.0, column);
    for (int64_t k = s->R.cols > 0 ? s->R.start[row] : 0; s->R.cols > 0 && k < s->R.start[row + 1];
         k++)
        column[s->R.index[k]] += s->R.value[k];
    s->place[row] = s->count++;
    bound_diagonal(s, row, column);
}

static void solve_for(saddle__on_demand *s, const int64_t *row, int64_t count)
{
    const saddle_matrix *Jt = &s->problem->Jt;
    memset(s->velocity, 0, (size_t)(s->n * count) * sizeof *s->velocity);
    for (int64_t c = 0; c < count; c++)
        for (int64_t k = Jt->start[row[c]]; k < Jt->start[row[c] + 1]; k++)
            s->velocity[c * s->n + Jt->index[k]] = Jt->value[k];
    s->status = saddle__dense_delassus_solves(s->mass, s->n, count, s->velocity);
    for (int64_t c = 0; s->status == SADDLE_OK && c < count; c++)
        take_column(s, row[c], s->velocity + c * s->n);
}

int saddle__on_demand_fetch(saddle__on_demand *s)
{
    int64_t asking = s->asking;
    double time = time_together(s, asking);
    s->asking = 0;
    for (int64_t k = 0; k < asking; k++) s->listed[s->asked[k]] = 0;
    s->overrun |= s->spent + time > s->limit || s->count + asking > s->room;
    if (s->overrun) return 0;
    s->spent += time;
    for (int64_t k = 0; k < asking && s->status == SADDLE_OK; k += s->together)
        solve_for(s, s->asked + k, asking - k < s->together ? asking - k : s->together);
    return s->status == SADDLE_OK;
}
