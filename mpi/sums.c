/* SPDX-License-Identifier: MIT */
/* Sums over processes for the code of one process that meets a problem in parts. */
#include "sums.h"

static void reduce(saddle__team_sums *of, MPI_Op operation, int64_t count, double *x)
{
    const saddle_status status = saddle__reduce(of->processes, of->context, operation, count, x);
    if (status != SADDLE_OK) of->status = status;
}

static void sum(void *user, int64_t count, double *x)
{
    reduce(user, MPI_SUM, count, x);
}

static void least(void *user, int64_t count, double *x)
{
    reduce(user, MPI_MIN, count, x);
}

/* into += from: the error of each sum of high parts (TwoSum) joins the low part. */
static void add_twofold(void *from, void *into, int *length, MPI_Datatype *type)
{
    const saddle__twofold *a = from;
    saddle__twofold *b = into;
    (void)type;
    for (int i = 0; i < *length; i++) {
        const double high = a[i].high + b[i].high;
        const double of_b = high - a[i].high;
        const double lost = (a[i].high - (high - of_b)) + (b[i].high - of_b);
        b[i] = (saddle__twofold){high, (a[i].low + b[i].low) + lost, a[i].modulus + b[i].modulus};
    }
}

static void sum_twofold(void *user, int64_t count, saddle__twofold *x)
{
    saddle__team_sums *of = user;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Op operation = MPI_OP_NULL;
    int result = MPI_Type_contiguous(3, MPI_DOUBLE, &type);
    if (result == MPI_SUCCESS) result = MPI_Type_commit(&type);
    if (result == MPI_SUCCESS) result = MPI_Op_create(add_twofold, 1, &operation);
    for (int64_t done = 0; done < count && result == MPI_SUCCESS; done += SADDLE__MPI_PIECE) {
        const int64_t left = count - done;
        result = MPI_Allreduce(MPI_IN_PLACE, x + done,
                               (int)(left < SADDLE__MPI_PIECE ? left : SADDLE__MPI_PIECE), type,
                               operation, of->processes);
    }
    if (operation != MPI_OP_NULL) MPI_Op_free(&operation);
    if (type != MPI_DATATYPE_NULL) MPI_Type_free(&type);
    if (result != MPI_SUCCESS)
        of->status = saddle_fail(of->context, SADDLE_INTERNAL, "MPI_Allreduce failed");
}

static saddle_status agree(void *user, saddle_status status)
{
    const saddle__team_sums *of = user;
    return saddle__agree(of->processes, of->context, status);
}

saddle__sums saddle__sums_of(saddle__team_sums *team)
{
    return (saddle__sums){.user = team,
                          .sum = sum,
                          .sum_twofold = sum_twofold,
                          .least = least,
                          .agree = agree,
                          .is_first = saddle__rank(team->processes) == 0};
}

/* An array of starts says nothing where the matrix has no columns. */
static void drop_starts(saddle_matrix *A)
{
    if (A->cols == 0) A->start = NULL;
}

saddle_problem saddle__seen_by(const saddle_problem *part, const saddle_problem *vectors)
{
    saddle_problem seen = *part;
    seen.law = vectors->law;
    seen.facets = vectors->facets;
    seen.f = vectors->f;
    seen.b = vectors->b;
    seen.lo = vectors->lo;
    seen.hi = vectors->hi;
    seen.contact_count = vectors->contact_count;
    seen.contacts = vectors->contacts;
    seen.owner = 0;
    drop_starts(&seen.M);
    drop_starts(&seen.Jt);
    drop_starts(&seen.R);
    return seen;
}
