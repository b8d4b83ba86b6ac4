/* SPDX-License-Identifier: MIT */
/* See view.h. */
#include "view.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"

static saddle_status agree(const saddle__view *s, saddle_status status)
{
    return saddle__agree(s->processes, s->context, status);
}

void saddle__view_clear(saddle__view *s)
{
    for (int k = 0; k < 3; k++) saddle__release_all(s->context, s->start[k], s->index[k]);
    saddle__release_all(s->context, s->problem.f, s->problem.b, s->problem.lo, s->problem.hi,
                        s->problem.contacts);
    for (int kind = 0; kind < 2; kind++) saddle__distribution_clear(&s->of[kind]);
    *s = (saddle__view){.context = s->context};
}

/* ---- sums, for the code of one process ---- */

static void note(saddle__view *s, saddle_status status)
{
    if (status != SADDLE_OK) s->status = status;
}

static void sum(void *user, saddle__kind kind, double *x)
{
    saddle__view *s = user;
    note(s, saddle__distribution_sum(&s->of[kind], x));
}

static void sum_twofold(void *user, saddle__kind kind, saddle__twofold *x)
{
    saddle__view *s = user;
    note(s, saddle__distribution_sum_twofold(&s->of[kind], x));
}

static void least(void *user, saddle__kind kind, double *x)
{
    saddle__view *s = user;
    note(s, saddle__distribution_least(&s->of[kind], x));
}

static void total(void *user, int64_t count, double *x)
{
    saddle__view *s = user;
    note(s, saddle__reduce(s->processes, s->context, MPI_SUM, count, x));
}

static void most(void *user, int64_t count, double *x)
{
    saddle__view *s = user;
    note(s, saddle__reduce(s->processes, s->context, MPI_MAX, count, x));
}

static saddle_status agree_on(void *user, saddle_status status)
{
    return agree(user, status);
}

static void connect(saddle__view *s)
{
    s->sums = (saddle__sums){.user = s,
                             .n = s->of[SADDLE__VELOCITIES].whole,
                             .m = s->of[SADDLE__ROWS].whole,
                             .name = {s->of[SADDLE__VELOCITIES].name, s->of[SADDLE__ROWS].name},
                             .begin = {s->of[SADDLE__VELOCITIES].begin, s->of[SADDLE__ROWS].begin},
                             .end = {s->of[SADDLE__VELOCITIES].end, s->of[SADDLE__ROWS].end},
                             .sum = sum,
                             .sum_twofold = sum_twofold,
                             .least = least,
                             .total = total,
                             .most = most,
                             .agree = agree_on};
}

/* ---- which are seen ---- */

/* One kind of the part's unknowns. */
typedef struct side {
    int64_t whole, count;
    const int64_t *name; /* count; NULL: 0, 1, .. */
    int64_t *bound;      /* processes + 1 */
    char *is_touched;    /* count */
    int64_t *place;      /* count: in the view; -1 = not seen */
} side;

static int64_t name_of(const side *of, int64_t k)
{
    return of->name ? of->name[k] : k;
}

static void release_side(saddle_context *context, side *of)
{
    saddle__release_all(context, of->bound, of->is_touched, of->place);
}

static saddle_status make_side(const saddle__view *s, int64_t whole, int64_t count,
                               const int64_t *name, side *of)
{
    const int processes = saddle__processes(s->processes);
    *of = (side){.whole = whole, .count = count, .name = name};
    of->bound = saddle_allocate(s->context, processes + 1, sizeof *of->bound);
    of->is_touched = saddle_allocate(s->context, count + 1, 1);
    of->place = saddle_allocate(s->context, count + 1, sizeof *of->place);
    if (!of->bound || !of->is_touched || !of->place) return SADDLE_OUT_OF_MEMORY;
    memset(of->is_touched, name != NULL, (size_t)count); /* all that a list names are seen */
    saddle__equal_runs(whole, processes, of->bound);
    return SADDLE_OK;
}

static void touch(const saddle_matrix *A, side *rows, side *cols)
{
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            rows->is_touched[A->index[k]] = cols->is_touched[j] = 1;
}

/* Runs of rows end before a contact, not in one. */
static void spare_contacts(const saddle__view *s, const saddle_problem *p, side *rows)
{
    const int processes = saddle__processes(s->processes);
    for (int64_t c = 0; c < p->contact_count; c++) {
        const int64_t row = name_of(rows, p->contacts[c].row);
        for (int q = 1; q < processes; q++)
            if (row < rows->bound[q] && rows->bound[q] < row + p->contacts[c].size)
                rows->bound[q] = row;
    }
    MPI_Allreduce(MPI_IN_PLACE, rows->bound, processes + 1, MPI_INT64_T, MPI_MIN, s->processes);
}

/* The touched and the own ones in ascending order; name NULL: counted only. */
static int64_t merge(const side *of, int rank, int64_t *name)
{
    int64_t count = 0, own = of->bound[rank];
    const int64_t end = of->bound[rank + 1];
    for (int64_t k = 0; k < of->count; k++) {
        const int64_t next = name_of(of, k);
        for (; own < end && own < next; own++, count++)
            if (name) name[count] = own;
        if (own < end && own == next)
            own++;
        else if (!of->is_touched[k])
            continue;
        of->place[k] = count;
        if (name) name[count] = next;
        count++;
    }
    for (; own < end; own++, count++)
        if (name) name[count] = own;
    return count;
}

static saddle_status see(saddle__view *s, side *of, saddle__distribution *to)
{
    const int rank = saddle__rank(s->processes);
    for (int64_t k = 0; k < of->count; k++) of->place[k] = -1;
    const int64_t count = merge(of, rank, NULL);
    int64_t *name = saddle_allocate(s->context, count + 1, sizeof *name);
    if (name) (void)merge(of, rank, name);
    to->context = s->context;
    to->name = name; /* to be cleared */
    SADDLE__TRY(agree(s, name ? SADDLE_OK : SADDLE_OUT_OF_MEMORY));
    return saddle__distribution_make(s->processes, s->context, of->bound, count, name, to);
}

/* ---- matrices ---- */

/* The part's matrix in the view's numbers: the same values in the same order, since both count
 * upwards. */
static saddle_status renumber(saddle__view *s, int which, const saddle_matrix *A, const side *rows,
                              const side *cols, saddle_matrix *to)
{
    const int64_t entries = saddle_matrix_entries(A);
    int64_t *start = saddle_allocate(s->context, to->cols + 1, sizeof *start);
    int64_t *index = saddle_allocate(s->context, entries + 1, sizeof *index);
    s->start[which] = to->start = start;
    s->index[which] = to->index = index;
    if (!start || !index) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; j < A->cols; j++)
        if (cols->place[j] >= 0) start[cols->place[j] + 1] = A->start[j + 1] - A->start[j];
    for (int64_t j = 0; j < to->cols; j++) start[j + 1] += start[j];
    for (int64_t k = 0; k < entries; k++) index[k] = rows->place[A->index[k]];
    to->value = A->value;
    return SADDLE_OK;
}

static saddle_status take_matrix(saddle__view *s, int which, const saddle_matrix *A,
                                 const side *rows, const side *cols, saddle_matrix *to)
{
    const saddle_problem *p = &s->problem;
    const int64_t sizes[] = {p->n, p->m};
    const int64_t count[] = {sizes[which == 2], sizes[which > 0]};
    *to = (saddle_matrix){.rows = count[0], .cols = count[1], .symmetry = A->symmetry};
    if (saddle_matrix_entries(A) == 0) return SADDLE_OK;
    const int is_same = rows->count == count[0] && cols->count == count[1];
    if (!is_same) return renumber(s, which, A, rows, cols, to);
    to->start = A->start;
    to->index = A->index;
    to->value = A->value;
    return SADDLE_OK;
}

static saddle_status take_matrices(saddle__view *s, const saddle_problem *p, const side of[2])
{
    SADDLE__TRY(
        take_matrix(s, 0, &p->M, &of[SADDLE__VELOCITIES], &of[SADDLE__VELOCITIES], &s->problem.M));
    SADDLE__TRY(
        take_matrix(s, 1, &p->Jt, &of[SADDLE__VELOCITIES], &of[SADDLE__ROWS], &s->problem.Jt));
    return take_matrix(s, 2, &p->R, &of[SADDLE__ROWS], &of[SADDLE__ROWS], &s->problem.R);
}

/* ---- vectors ---- */

/* *result (seen) <- the parts' arrays combined, at the own entries; NULL where no process has one.
 * empty: of an entry that a part leaves to others. */
static saddle_status take_vector(saddle__view *s, saddle__kind kind, const side *of,
                                 const double *part, double empty, saddle__combination how,
                                 double **result)
{
    const saddle__distribution *d = &s->of[kind];
    int any = part != NULL;
    int64_t values = 0;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, s->processes);
    if (!any) return SADDLE_OK;
    for (int64_t k = 0; part && k < of->count; k++) values += part[k] != empty;
    saddle__named_value *value = saddle_allocate(s->context, values + 1, sizeof *value);
    *result = saddle_allocate(s->context, d->count + 1, sizeof **result);
    saddle_status status = agree(s, value && *result ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
    if (status == SADDLE_OK) {
        values = 0;
        for (int64_t k = 0; part && k < of->count; k++)
            if (part[k] != empty) value[values++] = (saddle__named_value){name_of(of, k), part[k]};
        for (int64_t k = 0; k < d->count; k++) (*result)[k] = empty;
        status = saddle__distribution_deliver(d, values, value, how, *result);
    }
    saddle_release(s->context, value);
    return status;
}

static saddle_status take_vectors(saddle__view *s, const saddle_problem *p, const side of[2])
{
    const double infinity = (double)INFINITY;
    saddle_problem *to = &s->problem;
    SADDLE__TRY(take_vector(s, SADDLE__VELOCITIES, &of[SADDLE__VELOCITIES], p->f, 0.0, SADDLE__ADD,
                            &to->f));
    SADDLE__TRY(take_vector(s, SADDLE__ROWS, &of[SADDLE__ROWS], p->b, 0.0, SADDLE__ADD, &to->b));
    SADDLE__TRY(take_vector(s, SADDLE__ROWS, &of[SADDLE__ROWS], p->lo, -infinity, SADDLE__LARGEST,
                            &to->lo));
    SADDLE__TRY(
        take_vector(s, SADDLE__ROWS, &of[SADDLE__ROWS], p->hi, infinity, SADDLE__LEAST, &to->hi));
    if (to->f) SADDLE__TRY(saddle__distribution_refresh(&s->of[SADDLE__VELOCITIES], to->f));
    return to->b ? saddle__distribution_refresh(&s->of[SADDLE__ROWS], to->b) : SADDLE_OK;
}

/* Faults visible in the sum alone: sums that overflow, and contradictory bounds. */
static saddle_status check_vectors(const saddle__view *s)
{
    const saddle_problem *p = &s->problem;
    const saddle__distribution *velocities = &s->of[SADDLE__VELOCITIES];
    const saddle__distribution *rows = &s->of[SADDLE__ROWS];
    for (int64_t j = velocities->begin; p->f && j < velocities->end; j++)
        if (!isfinite(p->f[j]))
            return saddle_fail(s->context, SADDLE_INVALID_PROBLEM, "velocity %lld: f adds up to %g",
                               (long long)velocities->name[j] + 1, p->f[j]);
    for (int64_t i = rows->begin; i < rows->end; i++) {
        const long long row = (long long)rows->name[i] + 1;
        const double lo = saddle_problem_lo(p, i), hi = saddle_problem_hi(p, i);
        if (p->b && !isfinite(p->b[i]))
            return saddle_fail(s->context, SADDLE_INVALID_PROBLEM, "row %lld: b adds up to %g", row,
                               p->b[i]);
        if (lo > hi)
            return saddle_fail(s->context, SADDLE_INVALID_PROBLEM,
                               "row %lld: lower bound %g above upper bound %g", row, lo, hi);
    }
    return SADDLE_OK;
}

/* ---- contacts ---- */

/* Contacts on their way to the owners of their rows. */
typedef struct transfer {
    int *sent, *sent_begin, *got, *got_begin; /* processes: bytes */
    saddle_contact *out;
    int64_t total; /* bytes that arrive */
} transfer;

static void release_transfer(saddle_context *context, transfer *t)
{
    saddle__release_all(context, t->sent, t->sent_begin, t->got, t->got_begin, t->out);
}

static saddle_status make_transfer(const saddle__view *s, int64_t count, transfer *t)
{
    const int processes = saddle__processes(s->processes);
    t->sent = saddle_allocate(s->context, processes, sizeof *t->sent);
    t->sent_begin = saddle_allocate(s->context, processes, sizeof *t->sent_begin);
    t->got = saddle_allocate(s->context, processes, sizeof *t->got);
    t->got_begin = saddle_allocate(s->context, processes, sizeof *t->got_begin);
    t->out = saddle_allocate(s->context, count + 1, sizeof *t->out);
    if (!t->sent || !t->sent_begin || !t->got || !t->got_begin || !t->out)
        return SADDLE_OUT_OF_MEMORY;
    if (count > INT_MAX / (int64_t)sizeof *t->out)
        return saddle_fail(s->context, SADDLE_TOO_LARGE, "MPI counts in 32 bits");
    return SADDLE_OK;
}

static int by_row(const void *a, const void *b)
{
    const int64_t i = ((const saddle_contact *)a)->row, k = ((const saddle_contact *)b)->row;
    return (i > k) - (i < k);
}

/* The part's contacts in the whole's numbers by row, so by owner. */
static void pack_contacts(const saddle__view *s, const saddle_problem *p, const side *rows,
                          transfer *t)
{
    const int processes = saddle__processes(s->processes);
    int at = 0;
    for (int64_t c = 0; c < p->contact_count; c++) {
        t->out[c] = p->contacts[c];
        t->out[c].row = name_of(rows, t->out[c].row);
    }
    qsort(t->out, (size_t)p->contact_count, sizeof *t->out, by_row);
    for (int q = 0; q < processes; q++) t->sent[q] = 0;
    for (int64_t c = 0; c < p->contact_count; c++)
        t->sent[saddle__owner_of(&s->of[SADDLE__ROWS], t->out[c].row)] += (int)sizeof *t->out;
    for (int q = 0; q < processes; q++) {
        t->sent_begin[q] = at;
        at += t->sent[q];
    }
    MPI_Alltoall(t->sent, 1, MPI_INT, t->got, 1, MPI_INT, s->processes);
    t->total = 0;
    for (int q = 0; q < processes; q++) {
        t->got_begin[q] = t->total > INT_MAX ? 0 : (int)t->total;
        t->total += t->got[q];
    }
}

static saddle_status refuse_row(saddle__view *s, int64_t row)
{
    return saddle_fail(s->context, SADDLE_INVALID_PROBLEM, "row %lld is of two contacts",
                       (long long)row + 1);
}

/* In the view's numbers; SADDLE_INVALID_PROBLEM: two contacts share a row.  A contact beyond the
 * own run shares a row with the contact before, since runs end between contacts. */
static saddle_status place_contacts(saddle__view *s)
{
    saddle_problem *p = &s->problem;
    const saddle__distribution *d = &s->of[SADDLE__ROWS];
    const int rank = saddle__rank(s->processes);
    const int64_t first = d->begin - d->bound[rank];
    int64_t end = d->begin; /* of the contacts so far */
    qsort(p->contacts, (size_t)p->contact_count, sizeof *p->contacts, by_row);
    for (int64_t c = 0; c < p->contact_count; c++) {
        p->contacts[c].row += first;
        if (p->contacts[c].row < end) return refuse_row(s, p->contacts[c].row - first);
        end = p->contacts[c].row + p->contacts[c].size;
    }
    return end > d->end ? refuse_row(s, d->bound[rank + 1]) : SADDLE_OK;
}

static saddle_status exchange_contacts(saddle__view *s, const saddle_problem *p, const side *rows,
                                       transfer *t)
{
    saddle_problem *to = &s->problem;
    SADDLE__TRY(agree(s, make_transfer(s, p->contact_count, t)));
    pack_contacts(s, p, rows, t);
    const int64_t count = t->total / (int64_t)sizeof *to->contacts;
    to->contacts = saddle_allocate(s->context, count + 1, sizeof *to->contacts);
    saddle_status status = to->contacts ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (t->total > INT_MAX)
        status = saddle_fail(s->context, SADDLE_TOO_LARGE, "MPI counts in 32 bits");
    SADDLE__TRY(agree(s, status));
    MPI_Alltoallv(t->out, t->sent, t->sent_begin, MPI_BYTE, to->contacts, t->got, t->got_begin,
                  MPI_BYTE, s->processes);
    to->contact_count = count;
    return agree(s, place_contacts(s));
}

static saddle_status take_contacts(saddle__view *s, const saddle_problem *p, const side *rows)
{
    saddle_problem *to = &s->problem;
    transfer t = {.sent = NULL};
    int64_t law[2] = {p->contact_count > 0 ? (int64_t)p->law : -1,
                      p->contact_count > 0 ? p->facets : -1};
    MPI_Allreduce(MPI_IN_PLACE, law, 2, MPI_INT64_T, MPI_MAX, s->processes);
    to->law = law[0] < 0 ? p->law : (saddle_law)law[0];
    to->facets = law[1] < 0 ? p->facets : law[1];
    to->time_step = p->time_step;
    if (law[0] < 0) return SADDLE_OK;
    const saddle_status status = exchange_contacts(s, p, rows, &t);
    release_transfer(s->context, &t);
    return status;
}

/* ---- made ---- */

static saddle_status make(saddle__view *s, const saddle_mpi_part *part, side of[2])
{
    const saddle_problem *p = &part->own;
    saddle_status status = make_side(s, part->n, p->n, part->velocity, &of[SADDLE__VELOCITIES]);
    if (status == SADDLE_OK) status = make_side(s, part->m, p->m, part->row, &of[SADDLE__ROWS]);
    SADDLE__TRY(agree(s, status));
    touch(&p->M, &of[SADDLE__VELOCITIES], &of[SADDLE__VELOCITIES]);
    touch(&p->Jt, &of[SADDLE__VELOCITIES], &of[SADDLE__ROWS]);
    touch(&p->R, &of[SADDLE__ROWS], &of[SADDLE__ROWS]);
    spare_contacts(s, p, &of[SADDLE__ROWS]);
    for (int kind = 0; kind < 2; kind++) SADDLE__TRY(see(s, &of[kind], &s->of[kind]));
    s->problem.n = s->of[SADDLE__VELOCITIES].count;
    s->problem.m = s->of[SADDLE__ROWS].count;
    connect(s);
    SADDLE__TRY(agree(s, take_matrices(s, p, of)));
    SADDLE__TRY(take_vectors(s, p, of));
    SADDLE__TRY(agree(s, check_vectors(s)));
    return take_contacts(s, p, &of[SADDLE__ROWS]);
}

saddle_status saddle__view_make(MPI_Comm processes, saddle_context *context,
                                const saddle_mpi_part *part, saddle__view *view)
{
    side of[2] = {{.whole = 0}, {.whole = 0}};
    *view = (saddle__view){.processes = processes,
                           .context = context,
                           .of = {{.context = context}, {.context = context}}};
    const saddle_status status = make(view, part, of);
    for (int kind = 0; kind < 2; kind++) release_side(context, &of[kind]);
    return status;
}

int saddle__view_is_equations(const saddle__view *s)
{
    const saddle_problem *p = &s->problem;
    int bounded = p->contact_count > 0 ||
                  s->of[SADDLE__VELOCITIES].whole + s->of[SADDLE__ROWS].whole == 0;
    for (int64_t i = 0; i < p->m; i++)
        bounded |= saddle_problem_lo(p, i) > -(double)INFINITY ||
                   saddle_problem_hi(p, i) < (double)INFINITY;
    MPI_Allreduce(MPI_IN_PLACE, &bounded, 1, MPI_INT, MPI_MAX, s->processes);
    return !bounded;
}

saddle_status saddle__view_measure(saddle__view *s, const saddle_solution *x,
                                   saddle_residual *residual)
{
    const int64_t size = saddle_residual_work_size(&s->problem) + 1;
    double *work = saddle_allocate(s->context, size, sizeof *work);
    saddle_status status = agree(s, work ? SADDLE_OK : SADDLE_OUT_OF_MEMORY);
    if (status == SADDLE_OK) {
        s->status = SADDLE_OK;
        saddle__units units = {0};
        saddle__residual_of_parts(&s->problem, &s->sums, &units, x->v, x->lambda, x->w, work,
                                  residual);
        status = agree(s, s->status);
    }
    saddle_release(s->context, work);
    return status;
}

saddle_status saddle__view_judge(const saddle__view *s, double tolerance, saddle_status status,
                                 int is_last, saddle_report *report, int *done)
{
    const int is_solved = saddle_residual_is_solved(&report->residual, tolerance);
    const int is_sure = is_solved && !saddle__error_is_doubtful(&report->residual, tolerance);
    if (is_solved) status = SADDLE_OK;
    *done = is_sure || is_last || status == SADDLE_STOPPED || status == SADDLE_TIME_LIMIT;
    if (!*done) return SADDLE_OK;
    report->status = status;
    if (status == SADDLE_OK)
        saddle_context_clear_message(s->context);
    else if (!*saddle_context_message(s->context))
        (void)saddle_fail(s->context, status, "%s: %s", report->solver, saddle_status_text(status));
    return status;
}

saddle_status saddle__view_scatter(const saddle__view *s, const saddle_solution *whole,
                                   saddle_solution *mine)
{
    SADDLE__TRY(saddle__distribution_scatter(&s->of[SADDLE__VELOCITIES], whole->v, mine->v));
    SADDLE__TRY(saddle__distribution_scatter(&s->of[SADDLE__ROWS], whole->lambda, mine->lambda));
    return saddle__distribution_scatter(&s->of[SADDLE__ROWS], whole->w, mine->w);
}
