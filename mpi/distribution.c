/* SPDX-License-Identifier: MIT */
/* See distribution.h. */
#include "distribution.h"

#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/context_internal.h"

static saddle_status agree(const saddle__distribution *d, saddle_status status)
{
    return saddle__agree(d->processes, d->context, status);
}

static saddle_status result_of(const saddle__distribution *d, int result)
{
    if (result == MPI_SUCCESS) return SADDLE_OK;
    return saddle_fail(d->context, SADDLE_INTERNAL, "an exchange between processes failed");
}

/* ---- made ---- */

void saddle__equal_runs(int64_t whole, int processes, int64_t *bound)
{
    const int64_t each = whole / processes, more = whole % processes;
    bound[0] = 0;
    for (int p = 0; p < processes; p++) bound[p + 1] = bound[p] + each + (p < more);
}

void saddle__distribution_clear(saddle__distribution *d)
{
    saddle__release_all(d->context, d->bound, d->name, d->owned, d->owned_begin, d->ghosts,
                        d->ghost_begin, d->wanted, d->wanted_begin, d->place, d->buffer);
    *d = (saddle__distribution){.context = d->context};
}

int saddle__owner_of(const saddle__distribution *d, int64_t name)
{
    int low = 0, high = saddle__processes(d->processes);
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (d->bound[middle] <= name)
            low = middle;
        else
            high = middle;
    }
    return low;
}

static saddle_status allocate(saddle__distribution *d, const int64_t *bound)
{
    const int size = saddle__processes(d->processes);
    d->bound = saddle_allocate(d->context, size + 1, sizeof *d->bound);
    d->owned = saddle_allocate(d->context, size, sizeof *d->owned);
    d->owned_begin = saddle_allocate(d->context, size, sizeof *d->owned_begin);
    d->ghosts = saddle_allocate(d->context, size, sizeof *d->ghosts);
    d->ghost_begin = saddle_allocate(d->context, size, sizeof *d->ghost_begin);
    d->wanted = saddle_allocate(d->context, size, sizeof *d->wanted);
    d->wanted_begin = saddle_allocate(d->context, size, sizeof *d->wanted_begin);
    if (!d->bound || !d->owned || !d->owned_begin || !d->ghosts || !d->ghost_begin || !d->wanted ||
        !d->wanted_begin)
        return SADDLE_OUT_OF_MEMORY;
    memcpy(d->bound, bound, (size_t)(size + 1) * sizeof *bound);
    for (int p = 0; p < size; p++) {
        d->owned_begin[p] = (int)bound[p];
        d->owned[p] = (int)(bound[p + 1] - bound[p]);
    }
    return SADDLE_OK;
}

/* The runs of each process among the names. */
static void find_ghosts(saddle__distribution *d)
{
    const int size = saddle__processes(d->processes), rank = saddle__rank(d->processes);
    int64_t k = 0;
    for (int p = 0; p < size; p++) {
        d->ghost_begin[p] = (int)k;
        while (k < d->count && d->name[k] < d->bound[p + 1]) k++;
        d->ghosts[p] = (int)k - d->ghost_begin[p];
    }
    d->begin = d->ghost_begin[rank];
    d->end = d->begin + d->ghosts[rank];
    d->ghosts[rank] = 0;
}

/* What others see of the own ones. */
static saddle_status find_wanted(saddle__distribution *d)
{
    const int size = saddle__processes(d->processes), rank = saddle__rank(d->processes);
    int64_t total = 0;
    SADDLE__TRY(
        result_of(d, MPI_Alltoall(d->ghosts, 1, MPI_INT, d->wanted, 1, MPI_INT, d->processes)));
    for (int p = 0; p < size; p++) {
        d->wanted_begin[p] = total > INT_MAX ? 0 : (int)total;
        total += d->wanted[p];
    }
    d->wanted_count = total;
    d->place = saddle_allocate(d->context, total + 1, sizeof *d->place);
    d->buffer = saddle_allocate(d->context, total + 1, sizeof *d->buffer);
    saddle_status status = d->place && d->buffer ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (total > INT_MAX)
        status = saddle_fail(d->context, SADDLE_TOO_LARGE, "MPI counts in 32 bits");
    SADDLE__TRY(agree(d, status));
    SADDLE__TRY(
        result_of(d, MPI_Alltoallv(d->name, d->ghosts, d->ghost_begin, MPI_INT64_T, d->place,
                                   d->wanted, d->wanted_begin, MPI_INT64_T, d->processes)));
    for (int64_t k = 0; k < total; k++) d->place[k] += d->begin - d->bound[rank];
    return SADDLE_OK;
}

saddle_status saddle__distribution_make(MPI_Comm processes, saddle_context *context,
                                        const int64_t *bound, int64_t count, int64_t *name,
                                        saddle__distribution *d)
{
    const int size = saddle__processes(processes);
    *d = (saddle__distribution){.processes = processes,
                                .context = context,
                                .whole = bound[size],
                                .count = count,
                                .name = name};
    SADDLE__TRY(agree(d, allocate(d, bound)));
    find_ghosts(d);
    return find_wanted(d);
}

saddle_status saddle__distribution_in_first(MPI_Comm processes, saddle_context *context,
                                            int64_t whole, saddle__distribution *d)
{
    const int size = saddle__processes(processes);
    const int64_t count = saddle__rank(processes) == 0 ? whole : 0;
    int64_t *bound = saddle_allocate(context, size + 1, sizeof *bound);
    int64_t *name = saddle_allocate(context, count + 1, sizeof *name);
    *d = (saddle__distribution){.context = context, .name = name};
    saddle_status status = bound && name ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    status = saddle__agree(processes, context, status);
    for (int p = 0; bound && p < size; p++) bound[p + 1] = whole;
    for (int64_t k = 0; name && k < count; k++) name[k] = k;
    if (status == SADDLE_OK)
        status = saddle__distribution_make(processes, context, bound, count, name, d);
    saddle_release(context, bound);
    return status;
}

/* ---- exchanges ---- */

/* buffer (wanted_count elements) <- the ghosts of x, sent to the owners. */
static saddle_status send_ghosts(const saddle__distribution *d, MPI_Datatype type, const void *x)
{
    return result_of(d, MPI_Alltoallv(x, d->ghosts, d->ghost_begin, type, d->buffer, d->wanted,
                                      d->wanted_begin, type, d->processes));
}

/* The ghosts of x <- the buffer of the owners. */
static saddle_status send_wanted(const saddle__distribution *d, MPI_Datatype type, void *x)
{
    return result_of(d, MPI_Alltoallv(d->buffer, d->wanted, d->wanted_begin, type, x, d->ghosts,
                                      d->ghost_begin, type, d->processes));
}

saddle_status saddle__distribution_refresh(const saddle__distribution *d, double *x)
{
    double *buffer = (double *)d->buffer;
    for (int64_t k = 0; k < d->wanted_count; k++) buffer[k] = x[d->place[k]];
    return send_wanted(d, MPI_DOUBLE, x);
}

saddle_status saddle__distribution_sum(const saddle__distribution *d, double *x)
{
    const double *buffer = (const double *)d->buffer;
    SADDLE__TRY(send_ghosts(d, MPI_DOUBLE, x));
    for (int64_t k = 0; k < d->wanted_count; k++) x[d->place[k]] += buffer[k];
    return saddle__distribution_refresh(d, x);
}

saddle_status saddle__distribution_least(const saddle__distribution *d, double *x)
{
    const double *buffer = (const double *)d->buffer;
    SADDLE__TRY(send_ghosts(d, MPI_DOUBLE, x));
    for (int64_t k = 0; k < d->wanted_count; k++)
        if (buffer[k] < x[d->place[k]]) x[d->place[k]] = buffer[k];
    return saddle__distribution_refresh(d, x);
}

/* to += a: the error of the sum of high parts (TwoSum) joins the low part. */
static void add_twofold(const saddle__twofold *a, saddle__twofold *to)
{
    const double high = a->high + to->high;
    const double of_to = high - a->high;
    const double lost = (a->high - (high - of_to)) + (to->high - of_to);
    *to = (saddle__twofold){high, (a->low + to->low) + lost, a->modulus + to->modulus};
}

static saddle_status sum_twofold(const saddle__distribution *d, MPI_Datatype type,
                                 saddle__twofold *x)
{
    SADDLE__TRY(send_ghosts(d, type, x));
    for (int64_t k = 0; k < d->wanted_count; k++) add_twofold(&d->buffer[k], &x[d->place[k]]);
    for (int64_t k = 0; k < d->wanted_count; k++) d->buffer[k] = x[d->place[k]];
    return send_wanted(d, type, x);
}

saddle_status saddle__distribution_sum_twofold(const saddle__distribution *d, saddle__twofold *x)
{
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int result = MPI_Type_contiguous(3, MPI_DOUBLE, &type);
    if (result == MPI_SUCCESS) result = MPI_Type_commit(&type);
    saddle_status status = result_of(d, result);
    if (status == SADDLE_OK) status = sum_twofold(d, type, x);
    if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
    return status;
}

/* ---- values by name ---- */

typedef struct parcels {
    int *sent, *sent_begin, *got, *got_begin; /* processes: bytes */
    saddle__named_value *out, *in;
    int64_t out_count, in_count;
} parcels;

static void release_parcels(const saddle__distribution *d, parcels *of)
{
    saddle__release_all(d->context, of->sent, of->sent_begin, of->got, of->got_begin, of->out,
                        of->in);
}

/* count: elements by process; returns the sum, and begin in bytes, count in bytes. */
static int64_t line_up(int processes, int *count, int *begin)
{
    const int64_t each = (int64_t)sizeof(saddle__named_value);
    int64_t total = 0;
    for (int p = 0; p < processes; p++) {
        const int64_t bytes = count[p] * each;
        begin[p] = total > INT_MAX / each ? 0 : (int)(total * each);
        total += count[p];
        count[p] = bytes > INT_MAX ? 0 : (int)bytes;
    }
    return total;
}

static saddle_status count_parcels(const saddle__distribution *d, int64_t values,
                                   const saddle__named_value *value, parcels *of)
{
    const int size = saddle__processes(d->processes);
    const int64_t most = INT_MAX / (int64_t)sizeof *value;
    of->sent = saddle_allocate(d->context, size, sizeof *of->sent);
    of->sent_begin = saddle_allocate(d->context, size, sizeof *of->sent_begin);
    of->got = saddle_allocate(d->context, size, sizeof *of->got);
    of->got_begin = saddle_allocate(d->context, size, sizeof *of->got_begin);
    saddle_status status = SADDLE_OUT_OF_MEMORY;
    if (of->sent && of->sent_begin && of->got && of->got_begin) status = SADDLE_OK;
    SADDLE__TRY(agree(d, status));
    for (int p = 0; p < size; p++) of->sent[p] = 0;
    for (int64_t k = 0; k < values; k++) of->sent[saddle__owner_of(d, value[k].name)]++;
    SADDLE__TRY(
        result_of(d, MPI_Alltoall(of->sent, 1, MPI_INT, of->got, 1, MPI_INT, d->processes)));
    of->out_count = line_up(size, of->sent, of->sent_begin);
    of->in_count = line_up(size, of->got, of->got_begin);
    of->out = saddle_allocate(d->context, of->out_count + 1, sizeof *of->out);
    of->in = saddle_allocate(d->context, of->in_count + 1, sizeof *of->in);
    if (!of->out || !of->in) status = SADDLE_OUT_OF_MEMORY;
    if (of->out_count > most || of->in_count > most)
        status = saddle_fail(d->context, SADDLE_TOO_LARGE, "MPI counts in 32 bits");
    return agree(d, status);
}

/* The values by owner; sent_begin ends one further and is set back. */
static void pack(const saddle__distribution *d, int64_t values, const saddle__named_value *value,
                 parcels *of)
{
    const int each = (int)sizeof *value;
    for (int64_t k = 0; k < values; k++) {
        int *at = &of->sent_begin[saddle__owner_of(d, value[k].name)];
        of->out[*at / each] = value[k];
        *at += each;
    }
    for (int p = 0; p < saddle__processes(d->processes); p++) of->sent_begin[p] -= of->sent[p];
}

static void combine(const saddle__named_value *value, saddle__combination how, double *x)
{
    if (how == SADDLE__ADD)
        *x += value->value;
    else if (how == SADDLE__REPLACE)
        *x = value->value;
    else if (how == SADDLE__LEAST ? value->value < *x : value->value > *x)
        *x = value->value;
}

saddle_status saddle__distribution_deliver(const saddle__distribution *d, int64_t values,
                                           const saddle__named_value *value,
                                           saddle__combination how, double *x)
{
    parcels of = {.sent = NULL};
    saddle_status status = count_parcels(d, values, value, &of);
    if (status == SADDLE_OK) {
        pack(d, values, value, &of);
        status = result_of(d, MPI_Alltoallv(of.out, of.sent, of.sent_begin, MPI_BYTE, of.in, of.got,
                                            of.got_begin, MPI_BYTE, d->processes));
    }
    const int64_t first = d->begin - d->bound[saddle__rank(d->processes)];
    for (int64_t k = 0; status == SADDLE_OK && k < of.in_count; k++)
        combine(&of.in[k], how, &x[first + of.in[k].name]);
    release_parcels(d, &of);
    return status;
}

/* ---- whole vectors ---- */

/* x at the own entries, which may be none. */
static const double *own_part(const saddle__distribution *d, const double *x)
{
    return d->end > d->begin ? x + d->begin : NULL;
}

saddle_status saddle__distribution_gather(const saddle__distribution *d, const double *x,
                                          double *whole)
{
    return result_of(d, MPI_Gatherv(own_part(d, x), (int)(d->end - d->begin), MPI_DOUBLE, whole,
                                    d->owned, d->owned_begin, MPI_DOUBLE, 0, d->processes));
}

saddle_status saddle__distribution_gather_all(const saddle__distribution *d, const double *x,
                                              double *whole)
{
    return result_of(d, MPI_Allgatherv(own_part(d, x), (int)(d->end - d->begin), MPI_DOUBLE, whole,
                                       d->owned, d->owned_begin, MPI_DOUBLE, d->processes));
}

saddle_status saddle__distribution_scatter(const saddle__distribution *d, const double *whole,
                                           double *x)
{
    SADDLE__TRY(result_of(d, MPI_Scatterv(whole, d->owned, d->owned_begin, MPI_DOUBLE,
                                          d->end > d->begin ? x + d->begin : NULL,
                                          (int)(d->end - d->begin), MPI_DOUBLE, 0, d->processes)));
    return saddle__distribution_refresh(d, x);
}
