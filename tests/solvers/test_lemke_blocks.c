/* SPDX-License-Identifier: MIT */
/* lemke on heaps of discs that press against each other, more contacts than velocities: a basis is found by block pivoting
 * whose steps are searched along, no path is followed, and the velocities are those of the path's answer, which is another
 * method. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "lemke/lemke_state.h"
#include "support.h"

#define INF ((double)INFINITY)

/* `wide` times `tall` discs of drawn masses in a hexagonal heap between two walls, on a floor, without friction; velocity
 * 2 k of disc k is sideways, 2 k + 1 upwards.  Impulses f: weight, and drawn ones; w >= 0 is the rate at which a pair parts. */
typedef struct heap {
    saddle_problem problem;
    int64_t *M_start, *M_index, *Jt_start, *Jt_index;
    double *mass, *f, *b, *lo, *normal;
} heap;

/* Disc b comes to lie along (x, y) from disc a; a = -1: nothing that moves is there. */
static void touch(heap *h, int64_t a, int64_t b, double x, double y)
{
    int64_t m = h->problem.m++;
    int64_t at = h->Jt_start[m];
    int64_t disc[] = {a < b ? a : b, a < b ? b : a};
    for (int k = 0; k < 2; k++) {
        if (disc[k] < 0) continue;
        double sign = disc[k] == b ? 1.0 : -1.0;
        h->Jt_index[at] = 2 * disc[k];
        h->normal[at++] = sign * x;
        h->Jt_index[at] = 2 * disc[k] + 1;
        h->normal[at++] = sign * y;
    }
    h->Jt_start[m + 1] = at;
}

static void touch_all(heap *h, int64_t wide, int64_t tall)
{
    double up = sqrt(0.75);
    for (int64_t y = 0; y < tall; y++) {
        for (int64_t x = 0; x < wide; x++) {
            int64_t k = y * wide + x;
            int64_t below = k - wide + (y % 2 ? 0 : -1); /* the left one of the two */
            if (x > 0) touch(h, k - 1, k, 1.0, 0.0);
            if (x == 0 && y % 2 == 0) touch(h, -1, k, 1.0, 0.0);
            if (x == wide - 1 && y % 2 == 1) touch(h, -1, k, -1.0, 0.0);
            if (y == 0) touch(h, -1, k, 0.0, 1.0);
            if (y > 0 && (x > 0 || y % 2 == 1)) touch(h, below, k, 0.5, up);
            if (y > 0 && (x < wide - 1 || y % 2 == 0)) touch(h, below + 1, k, -0.5, up);
        }
    }
}

static void draw_heap(uint64_t *seed, int64_t wide, int64_t tall, heap *h)
{
    int64_t n = 2 * wide * tall;
    int64_t most = 4 * wide * tall + 2; /* rows */
    memset(h, 0, sizeof *h);
    h->M_start = calloc((size_t)n + 1, sizeof *h->M_start);
    h->M_index = calloc((size_t)n, sizeof *h->M_index);
    h->Jt_start = calloc((size_t)most + 1, sizeof *h->Jt_start);
    h->Jt_index = calloc((size_t)(4 * most), sizeof *h->Jt_index);
    h->mass = calloc((size_t)n, sizeof *h->mass);
    h->f = calloc((size_t)n, sizeof *h->f);
    h->b = calloc((size_t)most, sizeof *h->b);
    h->lo = calloc((size_t)most, sizeof *h->lo);
    h->normal = calloc((size_t)(4 * most), sizeof *h->normal);
    assert_true(h->M_start && h->M_index && h->Jt_start && h->Jt_index && h->mass && h->f && h->b && h->lo &&
                h->normal);
    for (int64_t j = 0; j < n; j++) {
        h->M_start[j + 1] = j + 1;
        h->M_index[j] = j;
        h->mass[j] = j % 2 ? h->mass[j - 1] : test_uniform(seed, 0.5, 2.0);
        h->f[j] = (j % 2 ? -0.1 : 0.0) * h->mass[j] + test_uniform(seed, -0.05, 0.05);
    }
    touch_all(h, wide, tall);
    int64_t m = h->problem.m;
    h->problem = (saddle_problem){.n = n, .m = m, .f = h->f, .b = h->b, .lo = h->lo};
    h->problem.M = saddle_matrix_view(n, n, h->M_start, h->M_index, h->mass, SADDLE_SYMMETRIC);
    h->problem.Jt = saddle_matrix_view(n, m, h->Jt_start, h->Jt_index, h->normal, SADDLE_GENERAL);
}

static void clear_heap(heap *h)
{
    void *blocks[] = {h->M_start, h->M_index, h->Jt_start, h->Jt_index, h->mass, h->f, h->b, h->lo, h->normal};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) free(blocks[k]);
}

/* paths: 1 = none is spared. */
static saddle_status solve(const heap *h, int paths, const saddle_solution *start, saddle_solution *x,
                           saddle_report *report)
{
    saddle_options options = saddle_options_default();
    if (paths) options.crash_steps = 0;
    return saddle_solve(NULL, &h->problem, "lemke", &options, start, x, report);
}

static void heaps_settle_without_a_path(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int draw = 0; draw < 6; draw++) {
        uint64_t first = seed;
        heap h;
        draw_heap(&seed, test_integer(&seed, 12, 24), test_integer(&seed, 12, 24), &h);
        assert_true(h.problem.m > h.problem.n); /* so that many impulses are as good as others */
        saddle_solution x = {0}, by_path = {0}, again = {0};
        saddle_report report, of_path;
        saddle_status status = solve(&h, 0, NULL, &x, &report);
        saddle_status on_path = solve(&h, 1, NULL, &by_path, &of_path);
        if (status != SADDLE_OK || on_path != SADDLE_OK)
            fail_msg("SADDLE_TEST_SEED=%" PRIu64 ": %s, by paths %s", first, saddle_status_name(status),
                     saddle_status_name(on_path));
        if (report.factorizations < 2 || report.residual.total > 1e-12) /* M's, and those of bases */
            fail_msg("SADDLE_TEST_SEED=%" PRIu64 ": %" PRId64 " factorizations, %g", first, report.factorizations,
                     report.residual.total);
        assert_true(test_distance(x.v, by_path.v, h.problem.n) <= 1e-10);
        for (int64_t j = 0; j < h.problem.n; j++) h.f[j] *= 1.0 + 1e-3 * (double)(j % 3);
        assert_int_equal(solve(&h, 0, &x, &again, &of_path), SADDLE_OK);
        assert_true(of_path.iterations < report.iterations);
        saddle_solution_clear(&x);
        saddle_solution_clear(&by_path);
        saddle_solution_clear(&again);
        clear_heap(&h);
    }
}

/* One disc of the floor is to rise by 1, and by no more than a half. */
static void heaps_that_are_asked_for_what_cannot_be_are_proven(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    for (int draw = 0; draw < 3; draw++) {
        heap h;
        draw_heap(&seed, 14, 14, &h);
        int64_t m =
            h.problem.m; /* one row more, on the disc in the floor's middle: v <= 0.5 where the floor asks for 1 */
        int64_t floor = 0;
        while (h.Jt_index[h.Jt_start[floor]] != 2 * 7 || h.Jt_start[floor + 1] - h.Jt_start[floor] != 2 ||
               h.normal[h.Jt_start[floor] + 1] != 1.0)
            floor++;
        touch(&h, -1, 7, 0.0, -1.0);
        h.b[floor] = 1.0;
        h.b[m] = -0.5;
        h.problem.Jt.cols = h.problem.m;
        saddle_solution x = {0};
        saddle_report report;
        assert_int_equal(solve(&h, 0, NULL, &x, &report), SADDLE_INFEASIBLE);
        assert_int_equal(report.proof.kind, SADDLE_PROOF_ROWS);
        saddle_solution_clear(&x);
        clear_heap(&h);
    }
}

static int stop_early(void *user, const saddle_progress *progress)
{
    (void)user;
    return strcmp(progress->phase, "solve") == 0 && progress->iteration > 2;
}

static void limits_and_stops_are_said(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    heap h;
    draw_heap(&seed, 16, 16, &h);
    saddle_solution x = {0};
    saddle_report report;
    saddle_options options = saddle_options_default();
    options.max_iterations = 3;
    assert_int_equal(saddle_solve(NULL, &h.problem, "lemke", &options, NULL, &x, &report), SADDLE_ITERATION_LIMIT);
    saddle_solution_clear(&x);
    options = saddle_options_default();
    options.time_limit = 1e-9;
    assert_int_equal(saddle_solve(NULL, &h.problem, "lemke", &options, NULL, &x, &report), SADDLE_TIME_LIMIT);
    saddle_solution_clear(&x);
    saddle_context *context;
    saddle_context_options host = saddle_context_options_default();
    host.progress = stop_early;
    assert_int_equal(saddle_context_create(&host, &context), SADDLE_OK);
    assert_int_equal(saddle_solve(context, &h.problem, "lemke", NULL, NULL, &x, &report), SADDLE_STOPPED);
    saddle_solution_clear(&x);
    saddle_context_free(context);
    clear_heap(&h);
}

static saddle_status solve_whole(saddle_context *context, void *user)
{
    saddle_solution x = {0};
    const heap *h = user;
    saddle_status status = saddle_solve(context, &h->problem, "lemke", NULL, NULL, &x, NULL);
    saddle_solution_clear(&x);
    return status;
}

static void every_failing_allocation_is_survived(void **unused)
{
    (void)unused;
    uint64_t seed = test_seed();
    heap h;
    draw_heap(&seed, 11, 11, &h);
    assert_true(test_allocation_sweep(solve_whole, &h) > 100);
    clear_heap(&h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heaps_settle_without_a_path),
        cmocka_unit_test(heaps_that_are_asked_for_what_cannot_be_are_proven),
        cmocka_unit_test(limits_and_stops_are_said),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests_name("lemke on heaps", tests, NULL, NULL);
}
