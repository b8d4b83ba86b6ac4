/* SPDX-License-Identifier: MIT */
/* See nearby.h. */
#include "mlcp/nearby.h"

#include <float.h>

/* Rows of a patch.  Frictionless heaps of 20,000 discs take 19 steps with patches of 48, 13 with
 * 96, 12 with 128 or 192. */
enum { PATCH = 128 };

static void place(saddle__nearby *s)
{
    saddle__layout *layout = &s->layout;
    double **rows[] = {&s->rows.lo,     &s->rows.hi, &s->rows.q, &s->rows.step,
                       &s->rows.lambda, &s->terms,   &s->pivot,  &s->x};
    int64_t **numbers[] = {&s->row, &s->basic, &s->number, &s->first};
    s->pending = saddle__layout_take(layout, s->m, sizeof *s->pending);
    s->slot = saddle__layout_take(layout, s->m, sizeof *s->slot);
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++)
        *rows[k] = saddle__layout_take(layout, PATCH, sizeof **rows[k]);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        *numbers[k] = saddle__layout_take(layout, PATCH, sizeof **numbers[k]);
    s->L = saddle__layout_take(layout, PATCH * PATCH, sizeof *s->L);
}

saddle_status saddle__nearby_create(saddle_context *context, const saddle__full_csr *beside,
                                    const double *diagonal, saddle__nearby *s)
{
    saddle__nearby fresh = {.context = context,
                            .m = beside->n,
                            .beside = beside,
                            .diagonal = diagonal};
    *s = fresh;
    place(s);
    saddle_status status = saddle__layout_allocate(context, &s->layout);
    place(s);
    for (int64_t i = 0; status == SADDLE_OK && i < s->m; i++) s->slot[i] = -1;
    return status == SADDLE_OK ? saddle__pivoting_create(context, PATCH, 0, &s->pivoting) : status;
}

void saddle__nearby_clear(saddle__nearby *s)
{
    saddle__pivoting_clear(&s->pivoting);
    saddle__layout_clear(s->context, &s->layout);
}

/* ---- the basis of a patch ---- */

/* Row a of L: the entries of W_FF beside the diagonal, the envelope beginning with the first. */
static void gather_row(saddle__nearby *s, int64_t a, const signed char *state)
{
    int64_t i = s->row[s->basic[a]];
    double *row = s->L + a * PATCH;
    s->first[a] = a;
    for (int64_t b = 0; b < a; b++) row[b] = 0.0;
    for (int64_t k = s->beside->start[i]; k < s->beside->start[i + 1]; k++) {
        int64_t at = s->slot[s->beside->column[k]];
        if (at < 0 || at >= s->basic[a] || state[at] != SADDLE__BASIC) continue;
        row[s->number[at]] = s->beside->value[k];
        if (s->number[at] < s->first[a]) s->first[a] = s->number[at];
    }
}

/* Row a of L D L'.  Returns the pivot. */
static double factor_row(saddle__nearby *s, int64_t a)
{
    double *row = s->L + a * PATCH;
    double pivot = s->diagonal[s->row[s->basic[a]]];
    for (int64_t b = s->first[a]; b < a; b++) {
        const double *above = s->L + b * PATCH;
        int64_t c = s->first[a] > s->first[b] ? s->first[a] : s->first[b];
        for (; c < b; c++) row[b] -= above[c] * row[c];
    }
    for (int64_t b = s->first[a]; b < a; b++) {
        double x = row[b];
        row[b] = x / s->pivot[b];
        pivot -= x * row[b];
    }
    return pivot;
}

static saddle_status enter(void *user, const signed char *state)
{
    saddle__nearby *s = user;
    s->count = 0;
    for (int64_t f = 0; f < s->rows.count; f++) {
        if (state[f] != SADDLE__BASIC) continue;
        int64_t a = s->count++;
        s->basic[a] = f;
        s->number[f] = a;
        gather_row(s, a, state);
        s->pivot[a] = factor_row(s, a);
        if (!(s->pivot[a] > 0.0)) return SADDLE_NOT_CONVERGED;
    }
    return SADDLE_OK;
}

/* w = q + (W + E) lambda within the patch; noise: rounding of w. */
static void multiply(const saddle__nearby *s, const double *q, const double *lambda, double *w,
                     double *noise)
{
    for (int64_t f = 0; f < s->rows.count; f++) {
        int64_t i = s->row[f];
        double sum = s->diagonal[i] * lambda[f];
        double moduli = s->terms[f] + fabs(sum);
        for (int64_t k = s->beside->start[i]; k < s->beside->start[i + 1]; k++) {
            int32_t at = s->slot[s->beside->column[k]];
            if (at < 0) continue;
            sum += s->beside->value[k] * lambda[at];
            moduli += fabs(s->beside->value[k] * lambda[at]);
        }
        w[f] = q[f] + sum;
        noise[f] = 8.0 * DBL_EPSILON * moduli;
    }
}

/* lambda_F -= W_FF^-1 w_F */
static saddle_status solve(void *user, const signed char *state, const double *q, double *lambda,
                           double *w, double *noise)
{
    saddle__nearby *s = user;
    (void)state; /* s->basic */
    multiply(s, q, lambda, w, noise);
    for (int64_t a = 0; a < s->count; a++) {
        s->x[a] = -w[s->basic[a]];
        for (int64_t b = s->first[a]; b < a; b++) s->x[a] -= s->L[a * PATCH + b] * s->x[b];
    }
    for (int64_t a = 0; a < s->count; a++) s->x[a] /= s->pivot[a];
    for (int64_t a = s->count; a-- > 0;) {
        for (int64_t b = s->first[a]; b < a; b++) s->x[b] -= s->L[a * PATCH + b] * s->x[a];
        lambda[s->basic[a]] += s->x[a];
    }
    multiply(s, q, lambda, w, noise);
    return SADDLE_OK;
}

/* ---- patches ---- */

/* The rows reached first from `centre`. */
static void reach(saddle__nearby *s, int64_t centre)
{
    int64_t count = 1;
    s->row[0] = centre;
    s->slot[centre] = 0;
    for (int64_t f = 0; f < count; f++) {
        int64_t k = s->beside->start[s->row[f]];
        for (; count < PATCH && k < s->beside->start[s->row[f] + 1]; k++) {
            int64_t j = s->beside->column[k];
            if (s->slot[j] >= 0) continue;
            s->slot[j] = (int32_t)count;
            s->row[count++] = j;
        }
    }
    s->rows.count = count;
}

static void read_rows(saddle__nearby *s, const saddle__mlcp_rows *rows)
{
    for (int64_t f = 0; f < s->rows.count; f++) {
        int64_t i = s->row[f];
        s->rows.lo[f] = rows->lo[i];
        s->rows.hi[f] = rows->hi[i];
        s->rows.step[f] = rows->step[i];
        s->rows.lambda[f] = rows->lambda[i];
        s->rows.q[f] = rows->q[i];
        s->terms[f] = fabs(rows->q[i]);
        for (int64_t k = s->beside->start[i]; k < s->beside->start[i + 1]; k++) {
            int64_t j = s->beside->column[k];
            if (s->slot[j] >= 0) continue;
            s->rows.q[f] += s->beside->value[k] * rows->lambda[j];
            s->terms[f] += fabs(s->beside->value[k] * rows->lambda[j]);
        }
    }
}

static void solve_patch(saddle__nearby *s, int64_t centre, saddle__mlcp_rows *rows,
                        signed char *state)
{
    saddle__basis basis = {.user = s, .enter = enter, .solve = solve};
    saddle__pivoting_limits limits = {.patience = SADDLE__PIVOTING_PATIENCE, .most_singles = PATCH};
    reach(s, centre);
    read_rows(s, rows);
    saddle__pivoting_begin(&s->pivoting, s->rows.count, 0);
    int solved = saddle__pivoting_run(&s->pivoting, &basis, &s->rows, &limits, NULL) == SADDLE_OK;
    for (int64_t f = 0; f < s->rows.count; f++) {
        int64_t i = s->row[f];
        s->slot[i] = -1;
        if (2 * f >= s->rows.count) continue;
        s->pending[i] = 0;
        if (!solved) continue;
        state[i] = s->pivoting.state[f];
        rows->lambda[i] = s->rows.lambda[f];
    }
}

void saddle__nearby_settle(saddle__nearby *s, const int64_t *broken, int64_t count,
                           saddle__mlcp_rows *rows, signed char *state)
{
    for (int64_t k = 0; k < count; k++) s->pending[broken[k]] = 1;
    for (int64_t k = 0; k < count; k++)
        if (s->pending[broken[k]]) solve_patch(s, broken[k], rows, state);
}
