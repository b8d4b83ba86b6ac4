/* SPDX-License-Identifier: MIT */
/* The factor bordered by rows that came and rows that went: active_internal.h has the equations.  S
 * is quasi-definite as K is, its pivot at the row that comes last being sigma_t of a row that came
 * and -1 / sigma_t of one that went, so it is factored L D L' without pivoting in the order in
 * which rows come; where one leaves, those behind it take a rank-1 change. Reference: Gill, Murray,
 * Saunders and Wright, SIAM J. Matrix Anal. Appl. 12, 1991 (Schur-complement updates of KKT
 * systems). */
#include <float.h>
#include <math.h>
#include <string.h>

#include "active/active_internal.h"
#include "dense/growing_ldlt.h"

/* of rows from the border, after which what is behind is factored again */
enum { REMOVALS = 32 };

static const double least_kept = 1e-6; /* of a pivot that changes; otherwise the same */

/* ---- memory ---- */

static void find_most(saddle__active_rows *A, saddle__border *b)
{
    for (int64_t i = 0; i < A->m; i++) {
        if (!A->toggles[i]) continue;
        int64_t values = 0;
        saddle__active_walk(A, i, 0);
        for (int64_t t = 0; t < A->reach_count; t++)
            values += A->F->first[A->reach[t] + 1] - A->F->first[A->reach[t]];
        if (values > b->most_values) b->most_values = values;
        if (A->reach_count > b->most_runs) b->most_runs = A->reach_count;
    }
}

saddle_status saddle__border_create(saddle__active_rows *A, int64_t capacity)
{
    saddle__border *b = &A->border;
    find_most(A, b);
    int64_t most = b->most_values > capacity ? b->most_values : capacity;
    if (capacity > 0 && most > INT64_MAX / capacity / (int64_t)sizeof(double))
        return saddle_fail(A->context, SADDLE_TOO_LARGE, "a border of %lld rows",
                           (long long)capacity);
    b->capacity = capacity;
    b->row = saddle_allocate(A->context, capacity, sizeof(*b->row));
    b->slot = saddle_allocate(A->context, A->m, sizeof(*b->slot));
    b->run_count = saddle_allocate(A->context, capacity, sizeof(*b->run_count));
    b->run = saddle_allocate(A->context, capacity * b->most_runs, sizeof(*b->run));
    b->Y = saddle_allocate(A->context, capacity * b->most_values, sizeof(*b->Y));
    b->S = saddle_allocate(A->context, capacity * capacity, sizeof(*b->S));
    b->member = saddle_allocate(A->context, capacity, sizeof(*b->member));
    b->place = saddle_allocate(A->context, capacity, sizeof(*b->place));
    b->factor = saddle_allocate(A->context, capacity * capacity, sizeof(*b->factor));
    b->pivot = saddle_allocate(A->context, capacity, sizeof(*b->pivot));
    b->work = saddle_allocate(A->context, capacity, sizeof(*b->work));
    if (!b->row || !b->slot || !b->run_count || !b->run || !b->Y || !b->S || !b->member ||
        !b->place || !b->factor || !b->pivot || !b->work)
        return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < capacity; i++) b->row[i] = b->place[i] = -1;
    for (int64_t i = 0; i < A->m; i++) b->slot[i] = -1;
    return SADDLE_OK;
}

void saddle__border_clear(saddle__active_rows *A)
{
    saddle__border *b = &A->border;
    void *blocks[] = {b->row,    b->slot,  b->run_count, b->run,   b->Y,   b->S,
                      b->member, b->place, b->factor,    b->pivot, b->work};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        saddle_release(A->context, blocks[i]);
    saddle__border empty = {.capacity = 0};
    *b = empty;
}

static void free_slot(saddle__border *b, int64_t slot)
{
    if (b->row[slot] >= 0) b->slot[b->row[slot]] = -1;
    b->row[slot] = b->place[slot] = -1;
}

void saddle__border_empty(saddle__active_rows *A)
{
    saddle__border *b = &A->border;
    for (int64_t i = 0; i < b->capacity; i++) free_slot(b, i);
    b->count = 0;
}

/* ---- columns ---- */

static int came(const saddle__active_rows *A, int64_t row)
{
    return !A->base[row];
}

/* K_tu of two rows, 0 where there is none */
static double coupling(const saddle__active_rows *A, int64_t t, int64_t u)
{
    double sum = 0.0;
    for (int64_t k = A->row_start[t]; k < A->row_start[t + 1]; k++)
        if (A->row_node[k] == A->n + u) sum += A->kkt.K.value[A->row_entry[k]];
    return sum;
}

static double corner(const saddle__active_rows *A, int64_t t, int64_t u)
{
    if (!came(A, t) || !came(A, u)) return 0.0;
    if (t != u) return coupling(A, t, u);
    return A->kkt.K.value[A->kkt.diagonal[A->n + t]] + A->added[A->n + t];
}

static inline double product(int64_t count, const double *restrict a, const double *restrict b)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    double rest = 0.0;
    int64_t t = 0;
    for (; t + 4 <= count; t += 4)
        for (int64_t c = 0; c < 4; c++) sum[c] += a[t + c] * b[t + c];
    for (; t < count; t++) rest += a[t] * b[t];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]) + rest;
}

/* A slot's column of Y times x; marked: x is zero but in the supernodes of the last walk. */
static double dot(const saddle__active_rows *A, int64_t slot, int marked, const double *x)
{
    const saddle__border *b = &A->border;
    const int64_t *run = b->run + slot * b->most_runs;
    const double *Y = b->Y + slot * b->most_values;
    double sum = 0.0;
    for (int64_t r = 0; r < b->run_count[slot]; r++) {
        int64_t first = A->F->first[run[r]];
        int64_t length = A->F->first[run[r] + 1] - first;
        if (!marked || A->mark[run[r]] == A->stamp) sum += product(length, Y, x + first);
        Y += length;
    }
    return sum;
}

/* x -= a times a slot's column of Y */
static void subtract_column(const saddle__active_rows *A, int64_t slot, double a, double *x)
{
    const saddle__border *b = &A->border;
    const int64_t *run = b->run + slot * b->most_runs;
    const double *Y = b->Y + slot * b->most_values;
    for (int64_t r = 0; r < b->run_count[slot]; r++) {
        int64_t first = A->F->first[run[r]];
        int64_t length = A->F->first[run[r] + 1] - first;
        for (int64_t t = 0; t < length; t++) x[first + t] -= a * Y[t];
        Y += length;
    }
}

/* Y and S of a row that has just got the slot. */
static void make_column(saddle__active_rows *A, int64_t slot, int64_t row)
{
    saddle__border *b = &A->border;
    const saddle__ldlt *F = A->F;
    int64_t *run = b->run + slot * b->most_runs;
    double *Y = b->Y + slot * b->most_values;
    saddle__active_walk(A, row, !came(A, row));
    if (came(A, row))
        saddle__active_load(A, row);
    else
        A->x[F->position[A->n + row]] = 1.0;
    b->run_count[slot] = A->reach_count;
    for (int64_t r = 0; r < A->reach_count; r++) {
        int64_t s = run[r] = A->reach[r];
        saddle__active_forward(A, s, 0, F->first[s + 1] - F->first[s]);
        for (int64_t j = F->first[s]; j < F->first[s + 1]; j++) {
            *Y++ = A->x[j];
            A->x[j] *= F->inverse[j];
        }
    }
    for (int64_t other = 0; other < b->capacity; other++) {
        if (b->row[other] < 0) continue;
        double s = corner(A, row, b->row[other]) - dot(A, other, 1, A->x);
        b->S[slot + other * b->capacity] = b->S[other + slot * b->capacity] = s;
    }
    for (int64_t r = 0; r < A->reach_count; r++)
        for (int64_t j = F->first[run[r]]; j < F->first[run[r] + 1]; j++) A->x[j] = 0.0;
    A->counts.columns++;
}

/* The row's slot, one that was free, or one whose row is not in the border; -1 = all are. */
static int64_t slot_for(saddle__active_rows *A, int64_t row)
{
    saddle__border *b = &A->border;
    if (b->slot[row] >= 0) return b->slot[row];
    for (int64_t t = 0; t < b->capacity; t++) {
        int64_t slot = (b->oldest + t) % b->capacity;
        if (b->place[slot] >= 0) continue;
        free_slot(b, slot);
        b->row[slot] = row;
        b->slot[row] = slot;
        b->oldest = (slot + 1) % b->capacity;
        make_column(A, slot, row);
        return slot;
    }
    return -1;
}

/* ---- the dense system ---- */

/* Row `place` of L and its pivot, from S. */
static void factor_row(saddle__border *b, int64_t place)
{
    double *l = b->factor + place * b->capacity;
    const double *S = b->S + b->member[place] * b->capacity;
    for (int64_t j = 0; j < place; j++) l[j] = S[b->member[j]];
    double diagonal = S[b->member[place]];
    double pivot = saddle__growing_ldlt_row(b->factor, b->capacity, b->pivot, place, diagonal);
    double rounding = fmax(DBL_EPSILON * fabs(diagonal), DBL_MIN);
    b->pivot[place] = pivot != 0.0 ? pivot : rounding; /* divided by, as in modify.c */
}

/* y <- S^-1 y */
static void solve_border(const saddle__border *b, double *y)
{
    saddle__growing_ldlt_solve(b->factor, b->capacity, b->pivot, b->count, y);
}

/* pivot: of S at the row behind all others, sigma or -1 / sigma */
static int admissible(saddle__active_rows *A, int64_t row, int in, double pivot)
{
    return in ? saddle__active_may_come(A, row, came(A, row) ? pivot : -1.0 / pivot)
              : saddle__active_may_go(A, row);
}

static saddle__bordered append(saddle__active_rows *A, int64_t row, int in)
{
    saddle__border *b = &A->border;
    int64_t slot = slot_for(A, row);
    if (slot < 0) return SADDLE__BORDER_FULL;
    b->member[b->count] = slot;
    factor_row(b, b->count);
    if (!admissible(A, row, in, b->pivot[b->count])) return SADDLE__BORDER_REFUSED;
    b->place[slot] = b->count++;
    return SADDLE__BORDER_DONE;
}

/* The member at `place` gone from L and D: a rank-1 change of what was behind it, as in modify.c.
 * 0: a pivot cancelled. */
static int change_behind(saddle__border *b, int64_t place)
{
    double alpha = b->pivot[place];
    double *w = b->work;
    for (int64_t r = place + 1; r < b->count; r++) w[r] = b->factor[r * b->capacity + place];
    for (int64_t j = place + 1; j < b->count; j++) {
        double d = b->pivot[j];
        double p = w[j];
        double changed = d + alpha * p * p;
        if (!(fabs(changed) > least_kept * fabs(d))) return 0;
        double beta = alpha * p / changed;
        alpha *= d / changed;
        b->pivot[j] = changed;
        for (int64_t r = j + 1; r < b->count; r++) {
            double *l = b->factor + r * b->capacity + j;
            w[r] -= p * *l;
            *l += beta * w[r];
        }
    }
    return 1;
}

static void remove_member(saddle__border *b, int64_t place)
{
    int kept = b->removals++ % REMOVALS != 0 && change_behind(b, place);
    b->place[b->member[place]] = -1;
    b->count--;
    for (int64_t i = place; i < b->count; i++) {
        double *row = b->factor + i * b->capacity;
        b->member[i] = b->member[i + 1];
        b->place[b->member[i]] = i;
        b->pivot[i] = b->pivot[i + 1];
        memcpy(row, row + b->capacity, (size_t)place * sizeof(*row));
        memcpy(row + place, row + b->capacity + place + 1, (size_t)(i - place) * sizeof(*row));
    }
    for (int64_t i = kept ? b->count : place; i < b->count; i++) factor_row(b, i);
}

static saddle__bordered leave(saddle__active_rows *A, int64_t row, int in)
{
    saddle__border *b = &A->border;
    int64_t place = b->place[b->slot[row]];
    for (int64_t i = 0; i < b->count; i++) b->work[i] = i == place;
    if (in) solve_border(b, b->work);
    double inverse = b->work[place];
    double pivot = inverse != 0.0 ? 1.0 / inverse : (double)INFINITY;
    if (!admissible(A, row, in, pivot)) return SADDLE__BORDER_REFUSED;
    remove_member(b, place);
    return SADDLE__BORDER_DONE;
}

saddle__bordered saddle__border_change(saddle__active_rows *A, int64_t row, int in)
{
    saddle__border *b = &A->border;
    int there = b->slot[row] >= 0 && b->place[b->slot[row]] >= 0;
    saddle__bordered outcome = there ? leave(A, row, in) : append(A, row, in);
    if (outcome != SADDLE__BORDER_DONE) return outcome;
    A->in[row] = (signed char)in;
    A->fresh = 0;
    return outcome;
}

/* ---- solves ---- */

/* u = L^-1 P b of one right-hand side, by position, becomes what D^-1 and L'^-1 make the solution
 * of.  At the position of a row that came, where the factor has -s and nothing beside it, u is its
 * c, and -s y makes y come out. */
static void apply_border(saddle__active_rows *A, double *u)
{
    saddle__border *b = &A->border;
    double *y = b->work;
    for (int64_t i = 0; i < A->size; i++) A->x[i] = u[i] * A->F->inverse[i];
    for (int64_t t = 0; t < b->count; t++) {
        int64_t row = b->row[b->member[t]];
        y[t] = (came(A, row) ? u[A->F->position[A->n + row]] : 0.0) - dot(A, b->member[t], 0, A->x);
    }
    memset(A->x, 0, (size_t)A->size * sizeof(*A->x));
    solve_border(b, y);
    for (int64_t t = 0; t < b->count; t++) {
        int64_t row = b->row[b->member[t]];
        subtract_column(A, b->member[t], y[t], u);
        if (came(A, row)) u[A->F->position[A->n + row]] = -A->scale[A->n + row] * y[t];
    }
}

static void clear_rows_out(const saddle__active_rows *A, int64_t count, double *X, int64_t ld)
{
    for (int64_t c = 0; c < count; c++)
        for (int64_t i = 0; i < A->m; i++)
            if (!A->in[i]) X[A->n + i + c * ld] = 0.0;
}

static void solve_part(const saddle__active_rows *A, double *x)
{
    if (saddle__part_solve(A->part, A->base, 1.0, x, x)) return;
    for (int64_t i = 0; i < A->m; i++) x[i] = (double)NAN;
}

void saddle__active_apply(saddle__active_rows *A, int64_t count, double *X, int64_t ld)
{
    clear_rows_out(A, count, X, ld);
    if (A->aside) {
        for (int64_t c = 0; c < count; c++) solve_part(A, X + c * ld);
    } else if (A->border.count == 0) {
        saddle__ldlt_solve(A->F, SADDLE__LDLT_WHOLE, count, X, ld);
    } else {
        saddle__ldlt_solve(A->F, SADDLE__LDLT_IN | SADDLE__LDLT_L, count, X, ld);
        for (int64_t c = 0; c < count; c++) apply_border(A, X + c * ld);
        saddle__ldlt_solve(A->F, SADDLE__LDLT_D | SADDLE__LDLT_TRANSPOSE | SADDLE__LDLT_OUT, count,
                           X, ld);
    }
    clear_rows_out(A, count, X, ld);
}
