/* SPDX-License-Identifier: MIT */
/* The analysis: order, supernodes, the distribution of supernodes to threads, the places of
 * updates, and the memory of factor and solve.
 *
 * The tree is cut (Geist and Ng, Int. J. Parallel Programming 18, 1989): a supernode whose subtree
 * takes more than a share of the whole time is above the cut; subtrees below are gathered to jobs,
 * runs of siblings' subtrees for one thread.  A supernode above the cut begins when the jobs and
 * supernodes directly below are done.  One thread has one job.
 *
 * An update lives until the parent has added it.  Parity of the depth (in supernodes) selects one
 * of two arenas, so that a parent's update lies beside its children's.  Within a job each arena is
 * a stack.  Above the cut, siblings may be factored at once and need separate places; a supernode's
 * update reuses the place of its grandchildren's updates in the same arena:
 *
 *     need_a(s) = max(u_s^2, sum_c need_a(c))     in the arena a of s
 *     need_b(s) = sum_c need_b(c)                 in the other */
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/layout.h"
#include "ldlt/costs.h"
#include "ldlt/ldlt_internal.h"

enum { JOBS_PER_THREAD = 8 };

typedef struct plan {
    signed char *odd; /* supernodes: depth */
    double *cost;     /* supernodes: of the subtree */
    int64_t *need[2]; /* supernodes: size of a subtree above the cut in an arena */
    int64_t *base[2]; /* supernodes: where the next subtree below goes */
    double grain;     /* the least a job should cost */
    double share;     /* subtrees of a higher cost are above the cut */
} plan;

static void lay_out_plan(const saddle__ldlt *F, plan *p, saddle__pool *pool)
{
    p->odd = saddle__pool_take(pool, F->supernodes, sizeof *p->odd);
    p->cost = saddle__pool_take(pool, F->supernodes, sizeof *p->cost);
    for (int a = 0; a < 2; a++) {
        p->need[a] = saddle__pool_take(pool, F->supernodes, sizeof *p->need[a]);
        p->base[a] = saddle__pool_take(pool, F->supernodes, sizeof *p->base[a]);
    }
}

/* a + b for 0 <= a, b, saturated at the largest */
static int64_t add(int64_t a, int64_t b)
{
    return b > INT64_MAX - a ? INT64_MAX : a + b;
}

static int64_t update_size(const saddle__ldlt *F, int64_t s)
{
    int64_t u = F->row_start[s + 1] - F->row_start[s];
    return u > 0 ? u * u + SADDLE__SMALL_STEP : 0; /* u < 2^31; see update of small_kernels.h */
}

/* ---- the blocks of L ---- */

static int plan_blocks(saddle__ldlt *F)
{
    for (int64_t s = 0; s < F->supernodes; s++) {
        int64_t k = F->first[s + 1] - F->first[s];
        int64_t u = F->row_start[s + 1] - F->row_start[s];
        if (k + u > INT_MAX / 2) return 0;
        F->value_start[s + 1] = add(F->value_start[s], k * (k + u));
        int64_t work = saddle__product_work(k + u,
                                            k + u < SADDLE__LDLT_TILE ? k + u : SADDLE__LDLT_TILE,
                                            k);
        if (work > F->lane_size) F->lane_size = work;
        if (u > F->widest_update) F->widest_update = u;
        F->size.entries += k * (k + 1) / 2 + k * u;
        F->size.supernodal_flops += saddle__front_flops((double)k, (double)u);
    }
    return F->value_start[F->supernodes] <= INT64_MAX / (int64_t)sizeof(double);
}

static void find_runs(saddle__ldlt *F)
{
    for (int64_t s = 0; s < F->supernodes; s++)
        for (int64_t t = F->row_start[s + 1] - 1; t >= F->row_start[s]; t--)
            F->run[t] = t + 1 < F->row_start[s + 1] && F->relative[t + 1] == F->relative[t] + 1
                            ? F->run[t + 1] + 1
                            : 1;
}

/* ---- the cut ---- */

static void measure_subtrees(saddle__ldlt *F, plan *p)
{
    double whole = 0.0;
    for (int64_t s = 0; s < F->supernodes; s++) {
        double k = (double)(F->first[s + 1] - F->first[s]);
        double u = (double)(F->row_start[s + 1] - F->row_start[s]);
        double own = saddle__front_time(k, u);
        p->cost[s] += own;
        whole += own;
        if (F->parent[s] >= 0) p->cost[F->parent[s]] += p->cost[s];
    }
    p->share = whole / (double)(JOBS_PER_THREAD * F->threads);
    if (p->share < p->grain) p->share = p->grain;
    if (whole < 2.0 * p->share) F->threads = 1;
    if (F->threads == 1) p->share = INFINITY;
}

/* The jobs, written where `job` is given, and their number.  A supernode above the cut without jobs
 * below gets an empty job. */
static int64_t list_jobs(const saddle__ldlt *F, const plan *p, saddle__ldlt_job *job)
{
    int64_t count = 0;
    int64_t s = 0;
    while (s < F->supernodes) {
        if (p->cost[s] > p->share) {
            saddle__ldlt_job start = {.begin = s, .end = s, .parent = s};
            if (F->child[s] < 0 && job) job[count] = start;
            count += F->child[s] < 0;
            s++;
            continue;
        }
        saddle__ldlt_job run = {.begin = s, .parent = -2};
        for (double cost = 0.0;
             s < F->supernodes && p->cost[s] <= p->share && cost <= 0.5 * p->share;) {
            int64_t root = s;
            while (F->parent[root] >= 0 && p->cost[F->parent[root]] <= p->share)
                root = F->parent[root];
            if (run.parent != -2 && run.parent != F->parent[root]) break;
            run.parent = F->parent[root];
            cost += p->cost[root];
            s = root + 1;
        }
        run.end = s;
        if (job) job[count] = run;
        count++;
    }
    return count;
}

static saddle_status plan_jobs(saddle__ldlt *F, const plan *p)
{
    F->jobs = list_jobs(F, p, NULL);
    F->job = saddle_allocate(F->context, F->jobs, sizeof *F->job);
    F->below = saddle_allocate(F->context, F->supernodes, sizeof *F->below);
    F->pending = saddle_allocate(F->context, F->supernodes, sizeof *F->pending);
    if (!F->job || !F->below || !F->pending) return SADDLE_OUT_OF_MEMORY;
    (void)list_jobs(F, p, F->job);
    for (int64_t j = 0; j < F->jobs; j++)
        if (F->job[j].parent >= 0) F->below[F->job[j].parent]++;
    for (int64_t s = 0; s < F->supernodes; s++)
        if (p->cost[s] > p->share && F->parent[s] >= 0) F->below[F->parent[s]]++;
    return SADDLE_OK;
}

/* ---- updates ---- */

/* Places of a job's updates, relative to the job's own, and the sizes needed. */
static void stack_updates(saddle__ldlt *F, const plan *p, const saddle__ldlt_job *job,
                          int64_t need[2])
{
    int64_t top[2] = {0, 0};
    for (int64_t s = job->begin; s < job->end; s++) {
        int mine = p->odd[s];
        F->update_start[s] = top[mine];
        top[mine] = add(top[mine], update_size(F, s));
        if (top[mine] > need[mine]) need[mine] = top[mine];
        if (F->child[s] >= 0) top[!mine] = F->update_start[F->child[s]];
    }
}

/* F->arena[a]: total size; p->need of supernodes above the cut, and of jobs in job->need */
static void measure_arenas(saddle__ldlt *F, plan *p)
{
    for (int64_t j = 0; j < F->jobs; j++) {
        saddle__ldlt_job *job = &F->job[j];
        stack_updates(F, p, job, job->need);
        for (int a = 0; a < 2; a++) {
            int64_t *of = job->parent >= 0 ? &p->need[a][job->parent] : &F->arena[a];
            *of = add(*of, job->need[a]);
        }
    }
    for (int64_t s = 0; s < F->supernodes; s++) {
        if (F->below[s] == 0) continue;
        int64_t *own = &p->need[p->odd[s]][s];
        if (*own < update_size(F, s)) *own = update_size(F, s);
        for (int a = 0; a < 2; a++) {
            int64_t *of = F->parent[s] >= 0 ? &p->need[a][F->parent[s]] : &F->arena[a];
            *of = add(*of, p->need[a][s]);
        }
    }
}

/* Reserves `need` in arena a below the supernode `parent` (-1: in next[a]). */
static int64_t take_place(plan *p, int64_t parent, int a, int64_t need, int64_t *next)
{
    int64_t *from = parent >= 0 ? &p->base[a][parent] : &next[a];
    int64_t place = *from;
    *from += need;
    return place;
}

static void place_updates(saddle__ldlt *F, plan *p)
{
    int64_t next[2] = {0, F->arena[0]};
    for (int64_t s = F->supernodes - 1; s >= 0; s--) {
        if (F->below[s] == 0) continue;
        for (int a = 0; a < 2; a++)
            p->base[a][s] = take_place(p, F->parent[s], a, p->need[a][s], next);
        F->update_start[s] = p->base[p->odd[s]][s];
    }
    for (int64_t j = 0; j < F->jobs; j++) {
        const saddle__ldlt_job *job = &F->job[j];
        int64_t place[2];
        for (int a = 0; a < 2; a++) place[a] = take_place(p, job->parent, a, job->need[a], next);
        for (int64_t s = job->begin; s < job->end; s++) F->update_start[s] += place[p->odd[s]];
    }
}

static saddle_status make_plan(saddle__ldlt *F, plan *p)
{
    for (int64_t s = F->supernodes - 1; s >= 0; s--)
        p->odd[s] = F->parent[s] >= 0 ? !p->odd[F->parent[s]] : 0;
    measure_subtrees(F, p);
    saddle_status status = plan_jobs(F, p);
    if (status != SADDLE_OK) return status;
    measure_arenas(F, p);
    if (add(F->arena[0], F->arena[1]) > INT64_MAX / (int64_t)sizeof(double))
        return saddle_fail(F->context, SADDLE_TOO_LARGE, "the factor of order %lld is too large",
                           (long long)F->n);
    place_updates(F, p);
    return SADDLE_OK;
}

/* F->value_start, update_start, job, below, pending, arena, lane_size: the cut of the tree for
 * F->threads (1 where more threads are no faster), and the places of all blocks */
static saddle_status plan_all(saddle__ldlt *F, double grain)
{
    F->value_start = saddle_allocate(F->context, F->supernodes + 1, sizeof *F->value_start);
    F->update_start = saddle_allocate(F->context, F->supernodes, sizeof *F->update_start);
    F->run = saddle_allocate(F->context, F->row_start[F->supernodes], sizeof *F->run);
    if (!F->value_start || !F->update_start || !F->run) return SADDLE_OUT_OF_MEMORY;
    find_runs(F);
    if (!plan_blocks(F))
        return saddle_fail(F->context, SADDLE_TOO_LARGE, "the factor of order %lld is too large",
                           (long long)F->n);
    plan p = {.grain = grain > 0.0 ? grain : SADDLE__TIME_THREAD};
    saddle__pool pool = {NULL, 0};
    lay_out_plan(F, &p, &pool);
    void *block = saddle__pool_open(F->context, &pool, 1);
    if (!block) return SADDLE_OUT_OF_MEMORY;
    lay_out_plan(F, &p, &pool);
    saddle_status status = make_plan(F, &p);
    saddle_release(F->context, block);
    return status;
}

/* ---- memory ---- */

void saddle__ldlt_free(saddle__ldlt *F)
{
    if (!F) return;
    saddle_context *context = F->context;
    void *blocks[] = {F->order,        F->position,     F->first,        F->parent,
                      F->child,        F->sibling,      F->tree,         F->supernode,
                      F->row_start,    F->row,          F->relative,     F->run,
                      F->entry_start,  F->entry_source, F->entry_target, F->value_start,
                      F->update_start, F->job,          F->below,        F->pending,
                      F->numbers};
    for (size_t i = 0; i < sizeof(blocks) / sizeof(blocks[0]); i++)
        saddle_release(context, blocks[i]);
    saddle_release(context, F);
}

/* All arrays of factor and solve in one block, by far the largest of the object. */
static void lay_out(saddle__ldlt *F, saddle__pool *pool)
{
    int64_t blocks = F->value_start[F->supernodes];
    F->value = saddle__pool_take(pool, blocks, sizeof *F->value);
    F->pivot = saddle__pool_take(pool, F->n, sizeof *F->pivot);
    F->inverse = saddle__pool_take(pool, F->n, sizeof *F->inverse);
    F->update = saddle__pool_take(pool, F->arena[0] + F->arena[1], sizeof *F->update);
    F->lane = saddle__pool_take(pool, F->threads, sizeof *F->lane);
    F->work = saddle__pool_take(pool, F->threads * F->lane_size, sizeof *F->work);
    F->rhs = saddle__pool_take(pool, F->n * SADDLE__FACTOR_BLOCK, sizeof *F->rhs);
    F->gathered = saddle__pool_take(pool, F->widest_update * SADDLE__FACTOR_BLOCK,
                                    sizeof *F->gathered);
    F->reach = saddle__pool_take(pool, F->supernodes, sizeof *F->reach);
    F->path = saddle__pool_take(pool, F->supernodes, sizeof *F->path);
    F->mark = saddle__pool_take(pool, F->supernodes, sizeof *F->mark);
}

static saddle_status reserve(saddle__ldlt *F)
{
    saddle__pool pool = {NULL, 0};
    lay_out(F, &pool);
    int64_t bytes = pool.used;
    F->numbers = saddle__pool_open(F->context, &pool, 0);
    if (!F->numbers) return SADDLE_OUT_OF_MEMORY;
    lay_out(F, &pool);
    F->size.supernodes = F->supernodes;
    memset(F->mark, 0, (size_t)F->supernodes * sizeof *F->mark);
    memset(F->lane, 0, (size_t)F->threads * sizeof *F->lane);
    for (int64_t t = 0; t < F->threads; t++) F->lane[t].work = F->work + t * F->lane_size;
    int64_t words = 2 * F->n + 10 * F->supernodes + F->entry_start[F->supernodes];
    int64_t halves = F->n + 3 * F->row_start[F->supernodes];
    F->size.bytes = bytes + 8 * words + 4 * halves + F->jobs * (int64_t)sizeof *F->job;
    return SADDLE_OK;
}

/* ---- all ---- */

static saddle_status analyse(saddle__ldlt *F, const saddle_matrix *A,
                             const saddle__ldlt_request *request)
{
    saddle__ordered ordered = {.order = NULL};
    saddle_status status = saddle__ordered_make(F->context, A, request, &ordered);
    if (status == SADDLE_OK) {
        F->size.fill = (int64_t)ordered.entries;
        F->size.flops = ordered.flops;
        F->size.metis = ordered.metis;
        F->size.eager = ordered.eager;
        status = saddle__ldlt_structure(F, A, &ordered);
    }
    saddle__ordered_clear(F->context, &ordered);
    if (status == SADDLE_OK) status = plan_all(F, request->grain);
    if (status == SADDLE_OK) status = reserve(F);
    return status;
}

saddle_status saddle__ldlt_analyse(saddle_context *context, const saddle_matrix *A,
                                   const saddle__ldlt_request *request, saddle__ldlt **result)
{
    *result = NULL;
    saddle__ldlt *F = saddle_allocate(context, 1, sizeof *F);
    if (!F) return SADDLE_OUT_OF_MEMORY;
    F->context = context;
    F->n = A->cols;
    int kernels = 0;
    while (!saddle__small_kernels_at(kernels)->runs()) kernels++;
    F->small = saddle__small_kernels_at(kernels);
    F->threads = request->threads > 1 ? saddle__tasks_threads(request->threads) : 1;
    saddle_status status = F->n > 0 ? analyse(F, A, request) : SADDLE_OK;
    if (status != SADDLE_OK) {
        saddle__ldlt_free(F);
        return status;
    }
    *result = F;
    return SADDLE_OK;
}

saddle__ldlt_size saddle__ldlt_size_of(const saddle__ldlt *F)
{
    return F->size;
}
