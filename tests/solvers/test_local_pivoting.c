/* SPDX-License-Identifier: MIT */
/* Block pivoting near broken rows: what it leaves against the header's equations and whole systems
 * solved by LAPACK; rows far away; what holds whatever happens inside; memory. */
#include "complementarity/local_pivoting.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "drawn_bounded.h"

enum { MOST = 14400 };

/* How things were before a run. */
typedef struct before {
    signed char state[MOST];
    double lambda[MOST], w[MOST];
} before;

static before *remember(const bounded *b)
{
    before *was = calloc(1, sizeof(*was));
    assert_true(was && b->m <= MOST);
    memcpy(was->state, b->pivoting.state, (size_t)b->m);
    memcpy(was->lambda, b->lambda, (size_t)b->m * sizeof(double));
    memcpy(was->w, b->pivoting.w, (size_t)b->m * sizeof(double));
    return was;
}

static int64_t run(bounded *b, saddle__local_pivoting *local, int64_t count)
{
    return saddle__local_pivoting_run(local, &b->system, &b->pivoting, &b->rows, count, b->lambda);
}

static void make_local(const bounded *b, saddle__local_pivoting *local)
{
    assert_int_equal(saddle__local_pivoting_create(NULL, b->m, local), SADDLE_OK);
    local->nearby.Y.drop = 0.0; /* to rounding, as the equations have it; test_nearby has what it
                                   leaves out */
}

static int is_basic(const bounded *b, int64_t i)
{
    return b->pivoting.state[i] == SADDLE__BASIC;
}

/* ---- what the last step of a run solved, by the header's equations ---- */

/* The nodes that there are, and the cluster of each: nodes no more than two entries apart. */
typedef struct neighbourhood {
    int64_t nodes, clusters, largest;
    int64_t row[MOST], cluster[MOST];
} neighbourhood;

static int are_linked(const bounded *b, int64_t i, int64_t j)
{
    const saddle__whole_rows *W = &b->beside;
    for (int64_t k = W->start[i]; k < W->start[i + 1]; k++) {
        int64_t next = W->column[k];
        if (next == j) return 1;
        for (int64_t l = W->start[next]; l < W->start[next + 1]; l++)
            if (W->column[l] == j) return 1;
    }
    return 0;
}

static void find_clusters(const bounded *b, const saddle__local_pivoting *local,
                          neighbourhood *near)
{
    memset(near, 0, sizeof(*near));
    for (int64_t at = 0; at < local->touched; at++)
        if (local->node[at] >= 0) near->row[near->nodes++] = local->row[at];
    for (int64_t t = 0; t < near->nodes; t++) near->cluster[t] = t;
    for (int64_t t = 0; t < near->nodes; t++)
        for (int64_t u = 0; u < t; u++) {
            int64_t from = near->cluster[u];
            if (near->cluster[t] == from || !are_linked(b, near->row[t], near->row[u])) continue;
            for (int64_t v = 0; v < near->nodes; v++)
                if (near->cluster[v] == from) near->cluster[v] = near->cluster[t];
        }
    for (int64_t c = 0; c < near->nodes; c++) {
        int64_t size = 0;
        for (int64_t t = 0; t < near->nodes; t++) size += near->cluster[t] == c;
        near->clusters += size > 0;
        if (size > near->largest) near->largest = size;
    }
}

/* The last step was not broken off: rows that changed are nodes, and no cluster is too large. */
static int was_finished(const bounded *b, const before *was, const saddle__local_pivoting *local,
                        const neighbourhood *near)
{
    static signed char node[MOST];
    memset(node, 0, sizeof(node));
    for (int64_t t = 0; t < near->nodes; t++) node[near->row[t]] = 1;
    for (int64_t at = 0; at < local->touched; at++) {
        int64_t i = local->row[at];
        if (!node[i] && was->state[i] == SADDLE__BASIC && saddle__part_node(b->part, i) < 0)
            return 0; /* outsiders */
    }
    for (int64_t i = 0; i < b->m; i++)
        if (b->pivoting.state[i] != was->state[i] && !node[i]) return 0;
    return near->largest <= SADDLE__CLUSTER;
}

/* dlambda and dw (m): [A_FF N; N' C] [dlambda_F; z] = [0; r], T = C - N'A_FF^-1 N by LAPACK, zero
 * between clusters; T z = r, dlambda_F = -A_FF^-1 N z. */
static void solve_by_equations(const bounded *b, const before *was, const neighbourhood *near,
                               double *dlambda, double *dw)
{
    int64_t m = b->m;
    int64_t nodes = near->nodes;
    double *A = calloc((size_t)(m * m + 1), sizeof(*A));
    double *masked = calloc((size_t)(m * m + 1), sizeof(*masked));
    double *N = calloc((size_t)(m * nodes + 1), sizeof(*N));
    double *solved = calloc((size_t)(m * nodes + 1), sizeof(*solved));
    double *T = calloc((size_t)(nodes * nodes + 1), sizeof(*T));
    double *z = calloc((size_t)nodes + 1, sizeof(*z));
    signed char *F = calloc((size_t)m + 1, 1);
    assert_true(A && masked && N && solved && T && z && F);
    saddle__dense_from_sparse(&b->A, A);
    for (int64_t i = 0; i < m; i++)
        F[i] = was->state[i] == SADDLE__BASIC && saddle__part_node(b->part, i) >= 0;
    for (int64_t j = 0; j < m; j++)
        for (int64_t i = 0; i < m; i++)
            masked[i + m * j] = F[i] && F[j] ? A[i + m * j] : (double)(i == j);
    for (int64_t t = 0; t < nodes; t++)
        for (int64_t i = 0; i < m; i++) {
            int64_t h = near->row[t];
            N[i + m * t] = !F[i] ? 0.0 : F[h] ? (double)(i == h) : A[i + m * h];
        }
    memcpy(solved, N, (size_t)(m * nodes) * sizeof(*N));
    if (nodes > 0)
        assert_int_equal(saddle__dense_solve_columns(NULL, m, nodes, masked, solved), SADDLE_OK);
    for (int64_t t = 0; t < nodes; t++)
        for (int64_t u = 0; u < nodes; u++) {
            int64_t g = near->row[t];
            int64_t h = near->row[u];
            double C = F[g] || F[h] ? 0.0 : A[g + m * h];
            for (int64_t i = 0; i < m; i++) C -= N[i + m * t] * solved[i + m * u];
            T[t + nodes * u] = near->cluster[t] == near->cluster[u] ? C : 0.0;
        }
    for (int64_t t = 0; t < nodes; t++) {
        int64_t g = near->row[t];
        double bound = b->lambda[g] - was->lambda[g];
        int basic = is_basic(b, g);
        int unknown = basic != F[g];
        z[t] = F[g] ? (basic ? 0.0 : bound) : (basic ? -was->w[g] : bound);
        for (int64_t u = 0; u < nodes && !unknown; u++) T[t + nodes * u] = t == u;
    }
    if (nodes > 0) assert_int_equal(saddle__dense_solve(NULL, nodes, T, z), SADDLE_OK);
    for (int64_t i = 0; i < m; i++) {
        dlambda[i] = 0.0;
        for (int64_t t = 0; t < nodes; t++) dlambda[i] -= solved[i + m * t] * z[t];
    }
    for (int64_t t = 0; t < nodes; t++)
        if (!F[near->row[t]]) dlambda[near->row[t]] = z[t];
    for (int64_t i = 0; i < m; i++) {
        dw[i] = 0.0;
        for (int64_t j = 0; j < m; j++) dw[i] += A[i + m * j] * dlambda[j];
    }
    for (int64_t t = 0; t < nodes; t++)
        if (F[near->row[t]]) dw[near->row[t]] = -z[t]; /* its equation, held by z_t */
    free(A);
    free(masked);
    free(N);
    free(solved);
    free(T);
    free(z);
    free(F);
}

/* Something moved in the last step where that row is: otherwise it has the values of an earlier
 * one.  One cluster alone has no others that could have moved since. */
static int is_told(const saddle__local_pivoting *local, int64_t at)
{
    int64_t t = local->node[at] >= 0 ? local->node[at] : local->node[local->origin[at]];
    return local->broken[local->clusters.home[t]].moved > 0;
}

/* lambda and w of the rows touched. */
static void check_values(const bounded *b, const before *was, const saddle__local_pivoting *local,
                         const neighbourhood *near)
{
    static double dlambda[MOST], dw[MOST];
    solve_by_equations(b, was, near, dlambda, dw);
    for (int64_t at = 0; at < local->touched; at++) {
        int64_t i = local->row[at];
        if (near->clusters > 1 && !is_told(local, at)) continue;
        if (is_basic(b, i))
            assert_true(fabs(b->lambda[i] - (was->lambda[i] + dlambda[i])) <=
                        1e-9 * (1.0 + fabs(b->lambda[i])));
        else
            assert_true(fabs(b->pivoting.w[i] - (was->w[i] + dw[i])) <=
                        1e-9 * (1.0 + fabs(was->w[i])) / b->step[i]);
    }
}

/* ---- what holds whatever happens inside ---- */

static void check_conduct(const bounded *b, const before *was, const int64_t *broken, int64_t count,
                          int64_t moved, const saddle__local_pivoting *local)
{
    static signed char touched[MOST];
    memset(touched, 0, sizeof(touched));
    for (int64_t at = 0; at < local->touched; at++) touched[local->row[at]] = 1;
    assert_true(moved >= count);
    for (int64_t k = 0; moved == count && k < count; k++)
        assert_true(b->pivoting.state[broken[k]] != was->state[broken[k]]);
    for (int64_t k = 0; moved == count && k < count; k++) touched[broken[k]] = 1;
    for (int64_t i = 0; i < b->m; i++) {
        assert_int_equal(local->place[i], -1);
        if (b->pivoting.state[i] == SADDLE__AT_LO && b->step[i] > 0.0)
            assert_true(b->lambda[i] == b->lo[i]);
        if (b->pivoting.state[i] == SADDLE__AT_HI && b->step[i] > 0.0)
            assert_true(b->lambda[i] == b->hi[i]);
        if (moved == count && b->pivoting.state[i] != was->state[i]) assert_true(touched[i]);
        if (touched[i]) continue;
        if (b->pivoting.state[i] == was->state[i]) assert_true(b->lambda[i] == was->lambda[i]);
    }
}

/* Settled, and so many of its rows broken on purpose; how many are, after a step over all rows. */
static int64_t settle_and_break(uint64_t *state, bounded *b, int64_t rows)
{
    assert_true(bounded_settle(b));
    for (; rows > 0 && b->m > 0; rows--) bounded_break(state, b, test_integer(state, 0, b->m - 1));
    return bounded_step(b);
}

/* Rows that are basic from now on, beside the factor where they are few. */
static void bring_in(uint64_t *state, bounded *b, int64_t rows)
{
    for (; rows > 0; rows--) {
        int64_t i = test_integer(state, 0, b->m - 1);
        if (b->step[i] > 0.0 && b->lo[i] < b->hi[i]) b->pivoting.state[i] = SADDLE__BASIC;
    }
}

static bounded *draw_any(uint64_t *state, int draw)
{
    bounded_pattern pattern = draw % 5 ? (bounded_pattern)(draw % BOUNDED_PATTERNS)
                                       : BOUNDED_RANDOM;
    int64_t m = draw % 5 ? test_integer(state, 1, draw % 3 ? 60 : 220)
                         : test_integer(state, 260, 340);
    int64_t width = pattern == BOUNDED_DENSE ? test_integer(state, 0, m < 90 ? m : 90)
                                             : test_integer(state, 1, 10);
    return bounded_draw(state, m, pattern, width, 1.05);
}

typedef struct tally {
    int64_t finished, wholes, parts, outsiders, several, longer;
} tally;

static int64_t outsiders_of(const bounded *b)
{
    int64_t count = 0;
    for (int64_t i = 0; i < b->m; i++) count += is_basic(b, i) && saddle__part_node(b->part, i) < 0;
    return count;
}

static void run_and_check(bounded *b, saddle__local_pivoting *local, int64_t count, tally *sum)
{
    static int64_t broken[MOST];
    static neighbourhood near;
    int at_hand = saddle__part_at_hand(b->part) != NULL;
    before *was = remember(b);
    memcpy(broken, b->pivoting.broken, (size_t)count * sizeof(*broken));
    int64_t moved = run(b, local, count);
    if (moved > 0) {
        check_conduct(b, was, broken, count, moved, local);
        find_clusters(b, local, &near);
        if (was_finished(b, was, local, &near)) {
            check_values(b, was, local, &near);
            sum->finished++;
            sum->wholes += saddle__part_is_whole(b->part);
            sum->parts += !saddle__part_is_whole(b->part);
            sum->outsiders += outsiders_of(b) > 0;
            sum->several += near.clusters > 1;
            sum->longer += moved > count;
        }
    } else {
        assert_true(!at_hand || count > local->clusters.capacity / 2);
        assert_memory_equal(was->state, b->pivoting.state, (size_t)b->m);
        assert_memory_equal(was->lambda, b->lambda, (size_t)b->m * sizeof(double));
    }
    free(was);
}

/* Whole factors and parts, with rows that border them and without, of either sign; one cluster and
 * several. */
static void the_rows_near_are_those_of_the_equations(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    tally sum = {0};
    for (int draw = 0; draw < 400; draw++) {
        saddle__local_pivoting local = {0};
        bounded *b = draw_any(&state, draw);
        make_local(b, &local);
        int64_t count = settle_and_break(&state, b, test_integer(&state, 1, 6));
        for (int64_t round = 0; round < 4; round++) {
            if (draw % 5 == 0) bring_in(&state, b, 2);
            if (draw % 5 == 0) count = bounded_step(b);
            if (count == 0) break;
            run_and_check(b, &local, count, &sum);
            count = bounded_step(b);
        }
        saddle__local_pivoting_clear(&local);
        bounded_free(b);
    }
    assert_true(sum.finished > 300 && sum.wholes > 100 && sum.parts > 50);
    assert_true(sum.outsiders > 20 && sum.several > 50 && sum.longer > 50);
}

/* Every row is within reach: where none of them is broken at the end, and nothing was broken off,
 * all of them keep their law in the whole system as well, and that is the only answer there is. */
static void a_dense_problem_that_is_settled_is_solved(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t settled = 0, changed = 0;
    for (int draw = 0; draw < test_draws(300); draw++) {
        int64_t width = test_integer(&state, 1, 60);
        static double lambda[MOST], w[MOST];
        static neighbourhood near;
        saddle__local_pivoting local = {0};
        bounded *b = bounded_draw(&state, draw % 2 ? width : 600, BOUNDED_DENSE, width, 1.02);
        make_local(b, &local);
        assert_true(bounded_settle(b));
        for (int64_t k = test_integer(&state, 1, 4); k > 0; k--)
            bounded_break(&state, b, test_integer(&state, 0, width - 1));
        int64_t count = bounded_step(b);
        before *was = remember(b);
        if (count > 0 && run(b, &local, count) > 0) {
            find_clusters(b, &local, &near);
            int64_t broken = 0;
            for (int64_t i = 0; i < b->m; i++)
                broken += saddle__pivoting_wanted(&b->pivoting, &b->rows, b->lambda, i) !=
                          b->pivoting.state[i];
            if (broken == 0 && was_finished(b, was, &local, &near)) {
                bounded_solve_densely(b, lambda, w);
                assert_true(bounded_defect(b, lambda) < 1e-10);
                assert_true(test_distance(b->lambda, lambda, b->m) < 1e-9);
                settled++;
                changed += memcmp(was->state, b->pivoting.state, (size_t)b->m) != 0;
            }
        }
        free(was);
        saddle__local_pivoting_clear(&local);
        bounded_free(b);
    }
    assert_true(settled > test_draws(150) && changed > test_draws(150));
}

/* ---- rows far away ---- */

/* Entries from row i to row j, at least. */
static int64_t distance(bounded_pattern pattern, int64_t width, int64_t i, int64_t j)
{
    if (pattern == BOUNDED_GRID) return llabs(i % width - j % width) + llabs(i / width - j / width);
    return (llabs(i - j) + width - 1) / width;
}

enum { FAR = 30 };

/* Nodes in one cluster, or FAR entries from each other. */
static int are_apart(const neighbourhood *near, bounded_pattern pattern, int64_t width)
{
    for (int64_t t = 0; t < near->nodes; t++)
        for (int64_t u = 0; u < t; u++)
            if (near->cluster[t] != near->cluster[u] &&
                distance(pattern, width, near->row[t], near->row[u]) < FAR)
                return 0;
    return 1;
}

/* A_ii is twice the sum of its row, so that |A_FF^-1|_ij <= 2^(1-d) / A_ii for rows d entries
 * apart: what clusters FAR apart do to each other, and rows in the middle of nowhere feel of them,
 * is 2^-FAR of what they do at home.  A step over all rows then finds the impulses of the rows
 * touched as they were left, but for that much, and none of them broken. */
static void rows_far_away_stay_and_clusters_far_apart_settle_by_themselves(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t settled = 0, clusters = 0;
    static neighbourhood near;
    static double left[MOST];
    static int64_t broken[MOST];
    for (int draw = 0; draw < 40; draw++) {
        bounded_pattern pattern = draw % 2 ? BOUNDED_GRID : BOUNDED_BAND;
        int64_t width = draw % 2 ? 120 : test_integer(&state, 1, 4);
        saddle__local_pivoting local = {0};
        bounded *b = bounded_draw(&state, draw % 2 ? 120 * 120 : 5000, pattern, width, 2.0);
        make_local(b, &local);
        assert_true(bounded_settle(b));
        bounded_forget(b);
        for (int64_t k = 0; k < 9; k++)
            bounded_break(&state, b,
                          draw % 2 ? 120 * (20 + 40 * (k / 3)) + 20 + 40 * (k % 3) : 250 + 500 * k);
        int64_t count = bounded_step(b);
        before *was = remember(b);
        memcpy(broken, b->pivoting.broken, (size_t)count * sizeof(*broken));
        assert_int_equal(outsiders_of(b), 0);
        int64_t moved = count > 0 ? run(b, &local, count) : 0;
        if (moved > 0) {
            check_conduct(b, was, broken, count, moved, &local);
            assert_true(local.touched < b->m / 20);
            for (int64_t at = 0; at < local.touched; at++) {
                int64_t d = b->m;
                for (int64_t k = 0; k < count; k++) {
                    int64_t there = distance(pattern, width, local.row[at], broken[k]);
                    if (there < d) d = there;
                }
                assert_true(d < FAR / 2);
            }
            find_clusters(b, &local, &near);
            int64_t still = 0;
            for (int64_t at = 0; at < local.touched; at++) {
                int64_t i = local.row[at];
                still += saddle__pivoting_wanted(&b->pivoting, &b->rows, b->lambda, i) !=
                         b->pivoting.state[i];
            }
            if (still == 0 && was_finished(b, was, &local, &near) &&
                are_apart(&near, pattern, width)) {
                settled++;
                clusters += near.clusters;
                memcpy(left, b->lambda, (size_t)b->m * sizeof(*left));
                (void)bounded_step(b);
                for (int64_t at = 0; at < local.touched; at++) {
                    int64_t i = local.row[at];
                    double w = b->pivoting.w[i] * b->step[i];
                    double most = ldexp(16.0, -FAR); /* impulses change by less than 8 */
                    assert_true(fabs(b->lambda[i] - left[i]) < most);
                    assert_true(!is_basic(b, i) || (b->lambda[i] >= b->lo[i] - most &&
                                                    b->lambda[i] <= b->hi[i] + most));
                    if (b->lo[i] == b->hi[i]) continue;
                    assert_true(b->pivoting.state[i] != SADDLE__AT_LO || w >= -most);
                    assert_true(b->pivoting.state[i] != SADDLE__AT_HI || w <= most);
                }
            }
        }
        free(was);
        saddle__local_pivoting_clear(&local);
        bounded_free(b);
    }
    assert_true(settled >= 10 && clusters > 5 * settled);
}

/* ---- whatever happens inside ---- */

/* Something that does not fit what is factored: rows whose T vanishes or is not finite, w that is
 * not finite beside rows that are broken, or steps that go on for long. */
static void spoil(uint64_t *state, bounded *b, int64_t kind, int64_t count)
{
    for (int64_t k = 0; k < b->m / 8; k++) {
        int64_t i = test_integer(state, 0, b->m - 1);
        int listed = 0;
        for (int64_t at = 0; at < count; at++) listed |= b->pivoting.broken[at] == i;
        if (kind == 0) b->diagonal[i] = b->added[i] = 0.0;
        if (kind == 1) b->diagonal[i] = test_integer(state, 0, 1) ? (double)NAN : -(double)INFINITY;
        if (kind == 2 && !listed)
            b->pivoting.w[i] = test_integer(state, 0, 1) ? (double)NAN : (double)INFINITY;
        if (kind == 3) b->diagonal[i] *= -0.01;
    }
}

static void every_broken_row_has_moved_and_a_second_run_works(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    int64_t ended_early = 0, refused = 0;
    static int64_t broken[MOST];
    static neighbourhood near;
    for (int draw = 0; draw < 160; draw++) {
        test_memory memory;
        saddle_context *context = test_memory_begin(&memory, -1);
        saddle__local_pivoting local = {0};
        int64_t width = test_integer(&state, 1, 40);
        bounded_pattern pattern = (bounded_pattern)(draw % BOUNDED_PATTERNS);
        bounded *b = bounded_draw(&state, test_integer(&state, 1, 300), pattern,
                                  width < 40 ? width : 1, draw % 7 ? 1.02 : 0.3);
        assert_int_equal(saddle__local_pivoting_create(context, b->m, &local), SADDLE_OK);
        int64_t made = memory.count;
        for (int again = 0; again < 3; again++) {
            (void)bounded_step(b);
            for (int64_t k = test_integer(&state, 0, 1) * b->m / 8; k > 0; k--)
                bounded_break(&state, b, test_integer(&state, 0, b->m - 1));
            int64_t count = bounded_step(b);
            if (count > local.clusters.capacity / 2 && draw % 2)
                count = local.clusters.capacity / 2; /* as if */
            if (count == 0) break;
            if (again < 2) spoil(&state, b, draw / 4 % 5, count);
            before *was = remember(b);
            memcpy(broken, b->pivoting.broken, (size_t)count * sizeof(*broken));
            int64_t moved = run(b, &local, count);
            refused += moved == 0;
            if (moved == 0) assert_memory_equal(was->state, b->pivoting.state, (size_t)b->m);
            if (moved > 0) check_conduct(b, was, broken, count, moved, &local);
            if (moved > 0) find_clusters(b, &local, &near);
            ended_early += moved > 0 && !was_finished(b, was, &local, &near);
            for (int64_t i = 0; i < b->m; i++) { /* as it was before it was spoilt */
                if (b->step[i] > 0.0)
                    b->diagonal[i] = saddle_matrix_entry(&b->A, i, i) - b->added[i];
                if (!isfinite(b->lambda[i])) assert_true(is_basic(b, i));
            }
            free(was);
        }
        assert_int_equal(memory.count, made);
        saddle__local_pivoting_clear(&local);
        test_memory_end(&memory, context);
        bounded_free(b);
    }
    assert_true(ended_early > 50 && refused > 20);
}

static saddle_status create(saddle_context *context, void *user)
{
    saddle__local_pivoting local = {0};
    saddle_status status = saddle__local_pivoting_create(context, *(const int64_t *)user, &local);
    saddle__local_pivoting_clear(&local);
    return status;
}

static void every_failing_allocation_is_reported(void **unused)
{
    (void)unused;
    for (int64_t m = 0; m < 3; m++) assert_true(test_allocation_sweep(create, &m) == 31);
}

static void no_factor_and_no_rows_are_nothing_to_do(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    saddle__local_pivoting local = {0};
    bounded *b = bounded_draw(&state, 0, BOUNDED_BAND, 1, 2.0);
    make_local(b, &local);
    assert_int_equal(bounded_step(b), 0);
    assert_int_equal(run(b, &local, 0), 0);
    bounded_free(b);
    saddle__local_pivoting_clear(&local);
    b = bounded_draw(&state, 20, BOUNDED_DENSE, 0, 2.0); /* no row is basic */
    for (int64_t i = 0; i < b->m; i++) b->pivoting.state[i] = SADDLE__AT_LO;
    make_local(b, &local);
    int64_t count = bounded_step(b);
    assert_int_equal(run(b, &local, count), 0);
    b->system.part = NULL;
    assert_int_equal(run(b, &local, count), 0);
    for (int64_t i = 0; i < b->m; i++) assert_int_equal(b->pivoting.state[i], SADDLE__AT_LO);
    bounded_free(b);
    saddle__local_pivoting_clear(&local);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_rows_near_are_those_of_the_equations),
        cmocka_unit_test(a_dense_problem_that_is_settled_is_solved),
        cmocka_unit_test(rows_far_away_stay_and_clusters_far_apart_settle_by_themselves),
        cmocka_unit_test(every_broken_row_has_moved_and_a_second_run_works),
        cmocka_unit_test(every_failing_allocation_is_reported),
        cmocka_unit_test(no_factor_and_no_rows_are_nothing_to_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
