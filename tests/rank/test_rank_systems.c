/* SPDX-License-Identifier: MIT */
/* Mechanisms whose redundant rows mechanics tells, large ones in linear time, and public matrices
 * of known rank. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "generators.h"
#include "small_rows.h"

static saddle_rank find_all(const saddle_problem *p, int ignore_compliance)
{
    saddle_rank rank;
    saddle_rank_options options = saddle_rank_options_default();
    options.all_rows = 1;
    options.ignore_compliance = ignore_compliance;
    assert_int_equal(saddle_rank_find(NULL, p, &options, &rank), SADDLE_OK);
    return rank;
}

static int64_t terms_of(const saddle_rank *rank)
{
    int64_t terms = 0;
    for (int64_t t = 0; t < rank->dependency_count; t++) terms += rank->dependency[t].count;
    return terms;
}

/* Four-bars: the closing hinge's shift along the axes and its turns out of the plane
 * (bench/generators/loop.c). */
static void a_loop_names_its_closing_joint(void **state)
{
    (void)state;
    saddle_loop_parameters parameters = saddle_loop_default();
    saddle_problem p;
    assert_int_equal(saddle_generate_loop(NULL, &parameters, &p), SADDLE_OK);
    saddle_rank rank = find_all(&p, 0);
    check_rank(&p, &rank, 1e-14, 1);
    assert_int_equal(rank.rank, 12 * parameters.loops + 5);
    assert_int_equal(rank.dependency_count, 3 * parameters.loops);
    assert_int_equal(rank.inconsistent, 0);
    for (int64_t t = 0; t < rank.dependency_count; t++) {
        const saddle_dependency *d = &rank.dependency[t];
        static const char *const ends[] = {"along", "turn x", "turn y"};
        const char *name = p.row_name[d->row];
        assert_non_null(strstr(name, "right pin"));
        assert_string_equal(name + strlen(name) - strlen(ends[t % 3]), ends[t % 3]);
        assert_true(d->count <= 8); /* the four hinges of its own loop */
    }
    p.b[rank.dependency[4].row] += 0.01;
    saddle_rank_clear(&rank);
    rank = find_all(&p, 0);
    assert_int_equal(rank.inconsistent, 1);
    assert_int_equal(rank.dependency[4].inconsistent, 1);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
}

/* Four contacts between two boxes are twelve rows for six velocities. */
static void a_stack_s_friction_rows_repeat_each_other(void **state)
{
    (void)state;
    saddle_stack_parameters parameters = saddle_stack_default();
    saddle_problem p;
    assert_int_equal(saddle_generate_stack(NULL, &parameters, &p), SADDLE_OK);
    saddle_rank rank = find_all(&p, 0);
    check_rank(&p, &rank, 1e-14, 1);
    assert_int_equal(rank.rank, 6 * parameters.boxes);
    assert_int_equal(rank.dependency_count, 6 * parameters.boxes);
    assert_int_equal(rank.inconsistent, 0);
    for (int64_t t = 0; t < rank.dependency_count; t++) assert_true(rank.dependency[t].count <= 3);
    saddle_rank_clear(&rank);
    rank = (saddle_rank){0};
    assert_int_equal(saddle_rank_find(NULL, &p, NULL, &rank), SADDLE_OK);
    assert_int_equal(rank.examined, 0); /* contacts are no equalities */
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
}

/* Compared with LAPACK on the whole matrix. */
static void grids_walls_and_blocks_have_lapack_s_rank(void **state)
{
    (void)state;
    saddle_grid_parameters grid = saddle_grid_default();
    saddle_wall_parameters wall = saddle_wall_default();
    saddle_block_parameters block = saddle_block_default();
    saddle_problem problems[4];
    grid.plates[0] = grid.plates[1] = 7;
    block.ties = 20;
    assert_int_equal(saddle_generate_grid(NULL, &grid, &problems[0]), SADDLE_OK);
    grid.joint = SADDLE_GRID_RODS;
    assert_int_equal(saddle_generate_grid(NULL, &grid, &problems[1]), SADDLE_OK);
    assert_int_equal(saddle_generate_wall(NULL, &wall, &problems[2]), SADDLE_OK);
    assert_int_equal(saddle_generate_block(NULL, &block, &problems[3]), SADDLE_OK);
    for (int t = 0; t < 4; t++) {
        saddle_problem *p = &problems[t];
        saddle_rank rank = find_all(p, 1);
        double *A = dense_rows(p, 0);
        int64_t *all = calloc((size_t)p->m + 1, sizeof(*all));
        for (int64_t i = 0; i < p->m; i++) all[i] = i;
        assert_int_equal(rank.rank, dense_rank(A, p->m, p->n, all, p->m));
        check_rank(p, &rank, 1e-12, 1);
        saddle_rank_clear(&rank);
        rank = find_all(p, 0);
        if (t < 2) assert_int_equal(rank.rank, p->m); /* every row has compliance */
        saddle_rank_clear(&rank);
        free(A);
        free(all);
        saddle_problem_clear(p);
    }
}

/* Eliminated in an order of little fill, and reported in the rows' order all the same. */
static void a_grid_that_fills_in_is_reported_in_its_own_order(void **state)
{
    (void)state;
    saddle_grid_parameters grid = saddle_grid_default();
    saddle_problem p;
    grid.plates[0] = grid.plates[1] = 24;
    assert_int_equal(saddle_generate_grid(NULL, &grid, &p), SADDLE_OK);
    saddle_rank rank = find_all(&p, 1);
    assert_int_equal(rank.ordered, 1);
    assert_int_equal(rank.dependency_count, (24 - 2) * (24 - 2) + 4);
    for (int64_t t = 0; t < rank.dependency_count; t++)
        assert_true(rank.dependency[t].residual <= 1e-10);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
}

/* The four contacts of two bricks repeat tangents along the common side; a wall that fills in has
 * these rows set aside before the elimination. */
static void parallel_rows_of_a_wall_repeat_one_row(void **state)
{
    (void)state;
    saddle_wall_parameters wall = saddle_wall_default();
    saddle_problem p;
    wall.columns = wall.courses = 25;
    assert_int_equal(saddle_generate_wall(NULL, &wall, &p), SADDLE_OK);
    saddle_rank rank = find_all(&p, 1);
    int64_t parallel = 0;
    for (int64_t t = 0; t < rank.dependency_count; t++) {
        const saddle_dependency *d = &rank.dependency[t];
        assert_true(d->residual <= 1e-10);
        parallel += d->count == 1 && fabs(fabs(d->factor[0]) - 1.0) <= 1e-12;
    }
    assert_int_equal(rank.ordered, 1);
    assert_true(parallel >= p.m / 3);
    saddle_rank_clear(&rank);
    saddle_problem_clear(&p);
}

/* Counted, the rank is what the report has, and nothing else is in it. */
static void counting_finds_the_same_rank(void **state)
{
    (void)state;
    saddle_rank_options options = {.all_rows = 1,
                                   .ignore_compliance = 1,
                                   .count_only = 1,
                                   .tolerance = 1e-10};
    saddle_grid_parameters grid = saddle_grid_default();
    saddle_wall_parameters wall = saddle_wall_default();
    saddle_loop_parameters loop = saddle_loop_default();
    saddle_problem problems[3];
    grid.plates[0] = grid.plates[1] = 24;
    wall.columns = wall.courses = 7;
    assert_int_equal(saddle_generate_grid(NULL, &grid, &problems[0]), SADDLE_OK);
    assert_int_equal(saddle_generate_wall(NULL, &wall, &problems[1]), SADDLE_OK);
    assert_int_equal(saddle_generate_loop(NULL, &loop, &problems[2]), SADDLE_OK);
    for (int t = 0; t < 3; t++) {
        saddle_problem *p = &problems[t];
        saddle_rank whole = find_all(p, 1);
        saddle_rank rank;
        assert_int_equal(saddle_rank_find(NULL, p, &options, &rank), SADDLE_OK);
        assert_int_equal(rank.rank, whole.rank);
        assert_true(rank.dependency_count > 0);
        assert_int_equal(rank.dependency_count, whole.dependency_count);
        assert_null(rank.dependency);
        assert_null(rank.independent);
        assert_true(rank.separation > 1e-6);
        double *lambda = calloc((size_t)p->m, sizeof(*lambda));
        assert_int_equal(saddle_rank_least_multipliers(NULL, p, &rank, SADDLE_MULTIPLIER_NORM_PLAIN,
                                                       lambda),
                         SADDLE_INVALID_ARGUMENT);
        free(lambda);
        saddle_rank_clear(&whole);
        saddle_rank_clear(&rank);
        saddle_problem_clear(p);
    }
}

static saddle_status find_rigid(saddle_context *context, void *user)
{
    saddle_rank_options options = saddle_rank_options_default();
    saddle_rank rank;
    options.ignore_compliance = 1;
    saddle_status status = saddle_rank_find(context, user, &options, &rank);
    saddle_rank_clear(&rank);
    return status;
}

/* Rows that fill in, half of them dependent: more rows than velocities. */
static void memory_that_fails_leaks_nothing(void **state)
{
    (void)state;
    enum { VELOCITIES = 110, ROWS = 160, ENTRIES = 6 };
    uint64_t random = test_seed();
    int64_t row[ROWS * ENTRIES], col[ROWS * ENTRIES];
    double value[ROWS * ENTRIES];
    saddle_problem p = {.n = VELOCITIES, .m = ROWS, .owner = 1};
    for (int64_t k = 0; k < ROWS * ENTRIES; k++) {
        row[k] = (k * 37 + test_integer(&random, 0, 5)) % VELOCITIES;
        col[k] = k / ENTRIES;
        value[k] = test_uniform(&random, 0.5, 2.0);
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, VELOCITIES, ROWS, ROWS * ENTRIES, row, col,
                                                 value, SADDLE_SYMMETRY_NONE, &p.Jt),
                     SADDLE_OK);
    saddle_rank rank = find_all(&p, 0);
    assert_int_equal(rank.rank, VELOCITIES);
    assert_int_equal(rank.ordered, 1);
    saddle_rank_clear(&rank);
    assert_true(test_allocation_sweep(find_rigid, &p) > 40);
    saddle_problem_clear(&p);
}

/* A block whose random ties fill in under any order, and are found by least squares, with rows
 * behind that are sums of others. */
static void sums_of_ties_across_a_block_are_named(void **state)
{
    (void)state;
    saddle_block_parameters block = saddle_block_default();
    saddle_problem p;
    saddle_matrix columns, sums;
    block.cells[0] = block.cells[1] = block.cells[2] = 14;
    block.ties = 170;
    block.bulk_modulus = 0;
    assert_int_equal(saddle_generate_block(NULL, &block, &p), SADDLE_OK);
    enum { PLANTED = 3 };
    int64_t count = 0, row[4 * 4000], col[4 * 4000];
    double value[4 * 4000];
    assert_true(p.m < 4000);
    for (int64_t i = 0; i < p.m + PLANTED; i++) {
        for (int64_t k = 0; k < (i < p.m ? 1 : 3); k++) {
            row[count] = i < p.m ? i : (i * 977 + k * 1013) % p.m;
            col[count] = i;
            value[count++] = i < p.m ? 1.0 : (double)(k + 1);
        }
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, p.m, p.m + PLANTED, count, row, col, value,
                                                 SADDLE_SYMMETRY_NONE, &sums),
                     SADDLE_OK);
    assert_int_equal(saddle_matrix_multiply(NULL, &p.Jt, &sums, &columns), SADDLE_OK);
    saddle_problem larger = {.n = p.n, .m = p.m + PLANTED, .M = p.M, .Jt = columns};
    saddle_rank rank = find_all(&larger, 0);
    assert_int_equal(rank.rank, p.m);
    assert_int_equal(rank.ordered, 1);
    for (int64_t t = 0; t < PLANTED; t++) {
        assert_int_equal(rank.dependency[t].row, p.m + t);
        assert_int_equal(rank.dependency[t].count, 3);
    }
    saddle_rank_clear(&rank);
    saddle_matrix_clear(&sums);
    saddle_matrix_clear(&columns);
    saddle_problem_clear(&p);
}

/* Not seconds but what the report holds and the memory it took: ten times the loops, ten times
 * both. */
static void thousands_of_loops_take_linear_room(void **state)
{
    (void)state;
    int64_t peak[2];
    for (int t = 0; t < 2; t++) {
        saddle_loop_parameters parameters = saddle_loop_default();
        saddle_problem p;
        saddle_context *context;
        saddle_rank rank;
        parameters.loops = t == 0 ? 300 : 3000;
        assert_int_equal(saddle_generate_loop(NULL, &parameters, &p), SADDLE_OK);
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        assert_int_equal(saddle_rank_find(context, &p, NULL, &rank), SADDLE_OK);
        assert_int_equal(rank.dependency_count, 3 * parameters.loops);
        assert_int_equal(rank.ordered, 1);
        assert_true(terms_of(&rank) <= 14 * parameters.loops);
        double *lambda = calloc((size_t)p.m, sizeof(*lambda));
        lambda[17] = 1.0;
        assert_int_equal(saddle_rank_least_multipliers(context, &p, &rank,
                                                       SADDLE_MULTIPLIER_NORM_PLAIN, lambda),
                         SADDLE_OK);
        free(lambda);
        saddle_rank_clear(&rank);
        peak[t] = saddle_context_memory(context).peak_bytes;
        saddle_context_free(context);
        saddle_problem_clear(&p);
    }
    assert_true(peak[1] < 11 * peak[0]);
}

/* The report of the same problem is the same to the last bit. */
static void same_problem_same_bits(void **state)
{
    (void)state;
    saddle_wall_parameters wall = saddle_wall_default();
    saddle_problem p;
    wall.columns = wall.courses = 8;
    assert_int_equal(saddle_generate_wall(NULL, &wall, &p), SADDLE_OK);
    saddle_rank a = find_all(&p, 0);
    saddle_rank b = find_all(&p, 0);
    assert_int_equal(a.dependency_count, b.dependency_count);
    for (int64_t t = 0; t < a.dependency_count; t++) {
        const saddle_dependency *x = &a.dependency[t];
        const saddle_dependency *y = &b.dependency[t];
        assert_int_equal(x->count, y->count);
        assert_memory_equal(x->other, y->other, (size_t)x->count * sizeof(*x->other));
        assert_memory_equal(x->factor, y->factor, (size_t)x->count * sizeof(*x->factor));
    }
    assert_memory_equal(&a.separation, &b.separation, sizeof(double));
    saddle_rank_clear(&a);
    saddle_rank_clear(&b);
    saddle_problem_clear(&p);
}

/* ---- public data ---- */

/* A matrix of a file as the rows of J, of A' where turned. */
static saddle_problem rows_of_file(const char *relative, int turned)
{
    saddle_matrix A, whole;
    saddle_problem p = {.owner = 1};
    assert_int_equal(saddle_matrix_read(NULL, test_data_path(relative), &A), SADDLE_OK);
    assert_int_equal(saddle_matrix_expand(NULL, &A, &whole), SADDLE_OK);
    if (turned)
        assert_int_equal(saddle_matrix_copy(NULL, &whole, &p.Jt), SADDLE_OK);
    else
        assert_int_equal(saddle_matrix_transpose(NULL, &whole, &p.Jt), SADDLE_OK);
    saddle_matrix_clear(&A);
    saddle_matrix_clear(&whole);
    p.n = p.Jt.rows;
    p.m = p.Jt.cols;
    return p;
}

static void public_matrices_have_lapack_s_rank(void **state)
{
    (void)state;
    static const char *const files[] = {"kkt_qdldl/rank_deficient.mtx",
                                        "kkt_suitesparse/lp_afiro.mtx",
                                        "kkt_suitesparse/lp_share1b.mtx",
                                        "kkt_suitesparse/lpi_itest6.mtx",
                                        "kkt_suitesparse/LFAT5.mtx",
                                        "kkt_suitesparse/494_bus.mtx"};
    for (size_t t = 0; t < 2 * sizeof(files) / sizeof(files[0]); t++) {
        saddle_problem p = rows_of_file(files[t / 2], (int)(t % 2));
        saddle_rank rank = find_all(&p, 0);
        double *A = dense_rows(&p, 0);
        int64_t *all = calloc((size_t)p.m + 1, sizeof(*all));
        for (int64_t i = 0; i < p.m; i++) all[i] = i;
        assert_int_equal(rank.rank, dense_rank(A, p.m, p.n, all, p.m));
        check_rank(&p, &rank, 1e-9, 0); /* the first independent rows of a linear program may be
                                           close to dependent */
        assert_true(rank.separation > 1e-10);
        print_message("%s: %lld of %lld rows\n", files[t / 2], (long long)rank.rank,
                      (long long)p.m);
        if (t / 2 == 0) assert_int_equal(rank.dependency_count, 1);
        saddle_rank_clear(&rank);
        saddle_problem_clear(&p);
        free(A);
        free(all);
    }
}

/* Delassus matrices of contact problems, most with redundant rows; the ranks as the collection's
 * index has them, by singular values.  (Left out: those with a singular value within a factor of 10
 * of the tolerance.) */
static void public_contact_problems_have_the_known_rank(void **state)
{
    (void)state;
    static const struct {
        const char *file;
        int64_t rank;
    } known[] = {
        {"fc2d_siconos/FC2D_SliderCrankLagrangian00000.dat", 3},
        {"fc3d_siconos/BoxesStack1-i100000-32.hdf5.dat", 78},
        {"fc3d_siconos/Capsules-i100-889.dat", 549},
        {"fc3d_siconos/Capsules-i101-404.dat", 478},
        {"fc3d_siconos/Capsules-i122-1617.dat", 584},
        {"fc3d_siconos/OneObject-i100000-316.hdf5.dat", 49},
        {"fc3d_siconos/OneObject-i1028-138.hdf5.dat", 51},
        {"fc3d_siconos/Rover1040.dat", 14},
        {"fc3d_siconos/Rover3865.dat", 13},
        {"fc3d_siconos/Rover4609.dat", 14},
        {"fclib_hdf5/Capsules-i97-269.hdf5", 451},
        {"fclib_hdf5/LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", 72},
        {"lcp_siconos/lcp_Pang_isolated_sol.dat", 2},
        {"mlcp_siconos/diodeBridge_mlcp.dat", 6},
    };
    for (size_t t = 0; t < sizeof(known) / sizeof(known[0]); t++) {
        saddle_problem p;
        assert_int_equal(saddle_problem_read(NULL, test_data_path(known[t].file), NULL, &p, NULL,
                                             NULL, NULL),
                         SADDLE_OK);
        saddle_rank rank = find_all(&p, 0);
        if (rank.rank != known[t].rank)
            fail_msg("%s: rank %lld, not %lld", known[t].file, (long long)rank.rank,
                     (long long)known[t].rank);
        for (int64_t d = 0; d < rank.dependency_count; d++)
            assert_true(rank.dependency[d].residual <= 1e-10);
        saddle_rank_clear(&rank);
        saddle_problem_clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_loop_names_its_closing_joint),
        cmocka_unit_test(a_stack_s_friction_rows_repeat_each_other),
        cmocka_unit_test(grids_walls_and_blocks_have_lapack_s_rank),
        cmocka_unit_test(a_grid_that_fills_in_is_reported_in_its_own_order),
        cmocka_unit_test(parallel_rows_of_a_wall_repeat_one_row),
        cmocka_unit_test(counting_finds_the_same_rank),
        cmocka_unit_test(memory_that_fails_leaks_nothing),
        cmocka_unit_test(sums_of_ties_across_a_block_are_named),
        cmocka_unit_test(thousands_of_loops_take_linear_room),
        cmocka_unit_test(same_problem_same_bits),
        cmocka_unit_test(public_matrices_have_lapack_s_rank),
        cmocka_unit_test(public_contact_problems_have_the_known_rank),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
