/* SPDX-License-Identifier: MIT */
/* FCLIB: our reading of HDF5 against HDF5's own library, the collection's files against the answers
 * computed elsewhere, and what is written against what was read. */
#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/hdf5.h"
#include "files/scan.h"
#include "files/text.h"
#include "files_support.h"
#include "problem_support.h"

static const char *const names[] = {"Box_Stacks-i0035-31-0",
                                    "Capsules-i97-269",
                                    "CubeH8",
                                    "LMGC_100_PR_PerioBox-i00361-60-03000",
                                    "LMGC_GFC3D-i00001-1-00000",
                                    "Spheres-i099-356-679"};
enum { NAMES = sizeof names / sizeof names[0] };

static const char *file_of(const char *name)
{
    static char file[256];
    snprintf(file, sizeof file, "fclib_hdf5/%s.hdf5", name);
    return test_data_path(file);
}

/* ---- our reader of HDF5 against the library ---- */

typedef struct comparison {
    saddle__hdf5 *ours;
    int datasets;
} comparison;

static herr_t compare_object(hid_t file, const char *name, const H5O_info_t *info, void *user)
{
    comparison *compare = user;
    char path[256];
    saddle__hdf5_data data;
    if (info->type != H5O_TYPE_DATASET) return 0;
    snprintf(path, sizeof path, "/%s", name);
    assert_int_equal(saddle__hdf5_find(compare->ours, path, &data), SADDLE_OK);
    assert_true(data.present);
    hid_t set = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(set),
          type = H5Dget_type(set);
    int64_t count = H5Sget_simple_extent_npoints(space);
    assert_int_equal(data.count, count);
    assert_int_equal(data.size, H5Tget_size(type));
    if (H5Tget_class(type) == H5T_INTEGER) {
        int64_t *a = calloc((size_t)count + 1, sizeof *a),
                *b = calloc((size_t)count + 1, sizeof *b);
        assert_true(H5Dread(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, a) >= 0);
        assert_int_equal(saddle__hdf5_integers(compare->ours, &data, count, b), SADDLE_OK);
        assert_memory_equal(a, b, (size_t)count * sizeof *a);
        free(a);
        free(b);
    } else if (H5Tget_class(type) == H5T_FLOAT) {
        double *a = calloc((size_t)count + 1, sizeof *a), *b = calloc((size_t)count + 1, sizeof *b);
        assert_true(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, a) >= 0);
        assert_int_equal(saddle__hdf5_doubles(compare->ours, &data, count, b), SADDLE_OK);
        assert_memory_equal(a, b, (size_t)count * sizeof *a);
        free(a);
        free(b);
    } else {
        char *text = calloc(data.size + 1, 1);
        assert_true(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text) >= 0);
        assert_memory_equal(text, data.bytes, data.size);
        free(text);
    }
    H5Tclose(type);
    H5Sclose(space);
    H5Dclose(set);
    compare->datasets++;
    return 0;
}

static int compare_file(const char *path)
{
    saddle__scan scan;
    saddle__hdf5 ours;
    comparison compare = {&ours, 0};
    assert_int_equal(saddle__scan_open(NULL, path, &scan), SADDLE_OK);
    assert_int_equal(saddle__hdf5_open(NULL, scan.begin, scan.end - scan.begin, path, &ours),
                     SADDLE_OK);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_true(H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_NATIVE, compare_object, &compare) >= 0);
    H5Fclose(file);
    saddle__scan_close(&scan);
    return compare.datasets;
}

static void every_dataset_reads_as_the_hdf5_library_reads_it(void **state)
{
    (void)state;
    int datasets = 0;
    for (int k = 0; k < NAMES; k++) datasets += compare_file(file_of(names[k]));
    datasets += compare_file(file_of("Chute-ndof-768-nc-4-3"));
    assert_true(datasets > 100);
}

/* A file with what FCLIB's do not have: other widths, the other byte order, unsigned, single
 * precision, compact, empty, deep groups of many members. */
static void other_number_types_read_as_the_hdf5_library_reads_them(void **state)
{
    (void)state;
    const char *path = join(test_scratch_folder(), "types.h5");
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    hid_t types[] = {H5T_STD_I8LE,   H5T_STD_U8LE,   H5T_STD_I16BE, H5T_STD_U16LE, H5T_STD_I32BE,
                     H5T_STD_U32BE,  H5T_STD_I64LE,  H5T_STD_I64BE, H5T_STD_U64LE, H5T_IEEE_F32LE,
                     H5T_IEEE_F32BE, H5T_IEEE_F64BE, H5T_IEEE_F64LE};
    static const int64_t value[] = {-128, -1, 0, 1, 127, 100};
    hsize_t extent = 6, none = 0;
    hid_t group = H5Gcreate2(file, "/deep", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    hid_t compact = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_layout(compact, H5D_COMPACT);
    for (int k = 0; k < 60; k++) { /* more than one leaf holds */
        char name[32];
        snprintf(name, sizeof name, "set%d", k);
        hid_t space = H5Screate_simple(1, k % 20 == 19 ? &none : &extent, NULL);
        hid_t set = H5Dcreate2(group, name, types[k % 13], space, H5P_DEFAULT,
                               k % 3 == 0 ? compact : H5P_DEFAULT, H5P_DEFAULT);
        assert_true(set >= 0);
        if (k % 7 != 6) H5Dwrite(set, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, value);
        H5Dclose(set);
        H5Sclose(space);
    }
    H5Pclose(compact);
    H5Gclose(group);
    H5Fclose(file);
    assert_int_equal(compare_file(path), 60);
}

static void what_is_not_plain_is_refused_by_name(void **state)
{
    (void)state;
    static const char *const words[] = {"chunked", "compressed", "fill value", "types other"};
    for (int k = 0; k < 4; k++) {
        const char *path = join(test_scratch_folder(), "odd.h5");
        hsize_t extent = 10, chunk = 5;
        double fill = 1;
        hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT),
              set_up = H5Pcreate(H5P_DATASET_CREATE);
        hid_t space = H5Screate_simple(1, &extent, NULL),
              type = k == 3 ? H5Tcreate(H5T_COMPOUND, 8) : H5Tcopy(H5T_IEEE_F64LE);
        if (k == 3) H5Tinsert(type, "x", 0, H5T_IEEE_F64LE);
        if (k < 2) H5Pset_chunk(set_up, 1, &chunk);
        if (k == 1) H5Pset_deflate(set_up, 1);
        if (k == 2) H5Pset_fill_value(set_up, H5T_NATIVE_DOUBLE, &fill);
        hid_t set = H5Dcreate2(file, "x", type, space, H5P_DEFAULT, set_up, H5P_DEFAULT);
        assert_true(set >= 0);
        H5Dclose(set);
        H5Tclose(type);
        H5Sclose(space);
        H5Pclose(set_up);
        H5Fclose(file);

        saddle_context *context;
        saddle__scan scan;
        saddle__hdf5 ours;
        saddle__hdf5_data data;
        assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
        assert_int_equal(saddle__scan_open(context, path, &scan), SADDLE_OK);
        assert_int_equal(saddle__hdf5_open(context, scan.begin, scan.end - scan.begin, path, &ours),
                         SADDLE_OK);
        assert_int_equal(saddle__hdf5_find(&ours, "/x", &data), SADDLE_BAD_FILE);
        assert_message(context, words[k]);
        saddle__scan_close(&scan);
        saddle_context_free(context);
    }
}

static void later_layouts_are_refused_by_name(void **state)
{
    (void)state;
    const char *path = join(test_scratch_folder(), "later.h5");
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_libver_bounds(access, H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Fclose(file);
    H5Pclose(access);
    saddle_context *context;
    saddle_problem problem;
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    assert_int_equal(saddle_problem_read(context, path, NULL, &problem, NULL, NULL, NULL),
                     SADDLE_BAD_FILE);
    assert_message(context, "h5repack");
    saddle_context_free(context);
}

/* ---- the collection ---- */

/* x <- A^-1 x by elimination with row exchanges; A dense by columns, overwritten. */
static void solve_dense(int64_t n, double *A, double *x)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t pivot = k;
        for (int64_t i = k + 1; i < n; i++)
            if (fabs(A[i + k * n]) > fabs(A[pivot + k * n])) pivot = i;
        for (int64_t j = k; j < n; j++) {
            double entry = A[k + j * n];
            A[k + j * n] = A[pivot + j * n];
            A[pivot + j * n] = entry;
        }
        double exchanged = x[k];
        x[k] = x[pivot];
        x[pivot] = exchanged;
        for (int64_t i = k + 1; i < n; i++) {
            double factor = A[i + k * n] / A[k + k * n];
            if (factor == 0) continue;
            for (int64_t j = k; j < n; j++) A[i + j * n] -= factor * A[k + j * n];
            x[i] -= factor * x[k];
        }
    }
    for (int64_t k = n - 1; k >= 0; k--) {
        for (int64_t j = k + 1; j < n; j++) x[k] -= A[k + j * n] * x[j];
        x[k] /= A[k + k * n];
    }
}

/* v = M^-1 (f + J' lambda) */
static void velocities(const saddle_problem *problem, const double *lambda, double *v)
{
    int64_t n = problem->n;
    memcpy(v, problem->f, (size_t)n * sizeof *v);
    saddle_matrix_apply(&problem->Jt, 1, lambda, 1, v);
    if (saddle_matrix_entries(&problem->M) == n && problem->M.symmetry == SADDLE_SYMMETRY_LOWER) {
        for (int64_t i = 0; i < n; i++) v[i] /= saddle_matrix_entry(&problem->M, i, i);
        return;
    }
    double *A = malloc((size_t)(n * n) * sizeof *A);
    assert_non_null(A);
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < n; i++) A[i + j * n] = saddle_matrix_entry(&problem->M, i, j);
    solve_dense(n, A, v);
    free(A);
}

static void references_solve_the_collection(void **state)
{
    (void)state;
    for (int k = 0; k < NAMES; k++) {
        char reference[256];
        saddle_problem problem;
        saddle_solution solution;
        saddle_residual residual;
        double w_error;
        assert_int_equal(saddle_problem_read(NULL, file_of(names[k]), NULL, &problem, NULL, NULL,
                                             NULL),
                         SADDLE_OK);
        assert_int_equal(saddle_solution_create(NULL, problem.n, problem.m, &solution), SADDLE_OK);
        snprintf(reference, sizeof reference, "ref_solutions/fclib_%s.ru.txt", names[k]);
        char *text = read_text(test_data_path(reference));
        char *at = strchr(text, '\n'), *printed = strstr(text, "error ");
        assert_true(at && printed && printed < at);
        double error = strtod(printed + strlen("error "), NULL);
        for (int64_t i = 0; i < problem.m; i++) {
            solution.lambda[i] = strtod(at, &at);
            solution.w[i] = strtod(at, &at);
        }
        free(text);
        if (problem.n > 0) velocities(&problem, solution.lambda, solution.v);
        assert_int_equal(saddle_solution_check(NULL, &problem, &solution, &residual, &w_error),
                         SADDLE_OK);
        /* the reference's u comes from its own elimination of v */
        if (w_error > 1e-12) fail_msg("%s: w is off by %g", names[k], w_error);
        if (fabs(residual.natural_map - error) > 0.05 * error + 1e-13)
            fail_msg("%s: natural map %g, the reference printed %g", names[k], residual.natural_map,
                     error);
        if (residual.dynamics > 1e-13) fail_msg("%s: dynamics %g", names[k], residual.dynamics);
        saddle_solution_clear(&solution);
        saddle_problem_clear(&problem);
    }
}

static void guesses_and_solutions_come_with_the_problem(void **state)
{
    (void)state;
    saddle_problem problem;
    saddle_solution start, known;
    saddle_format format;
    assert_int_equal(saddle_problem_read(NULL, file_of("Box_Stacks-i0035-31-0"), NULL, &problem,
                                         &start, &known, &format),
                     SADDLE_OK);
    assert_int_equal(format, SADDLE_FORMAT_FCLIB);
    assert_string_equal(problem.name, "Box_stacks");
    assert_true(start.n == 450 && start.m == 93 && known.n == 450 && known.m == 93);
    double u = 0, r = 0;
    for (int64_t i = 0; i < known.m; i++) {
        u = fmax(u, fabs(known.w[i]));
        r = fmax(r, fabs(known.lambda[i]));
    }
    assert_true(u > 0 && r == 0); /* the files' r were never written */
    saddle_problem_clear(&problem);
    saddle_solution_clear(&start);
    saddle_solution_clear(&known);
    assert_int_equal(saddle_problem_read(NULL, file_of("CubeH8"), NULL, &problem, &start, &known,
                                         NULL),
                     SADDLE_OK);
    assert_true(start.m == 0 && known.m == 0 && !start.v && !known.v);
    saddle_problem_clear(&problem);
}

static void rolling_friction_has_five_rows_a_contact(void **state)
{
    (void)state;
    saddle_problem problem, text;
    assert_int_equal(saddle_problem_read(NULL, file_of("Chute-ndof-768-nc-4-3"), NULL, &problem,
                                         NULL, NULL, NULL),
                     SADDLE_OK);
    assert_int_equal(saddle_problem_read(NULL,
                                         test_data_path("rfc_siconos/"
                                                        "GRFC3D_Chute-ndof-768-nc-4-3.dat"),
                                         NULL, &text, NULL, NULL, NULL),
                     SADDLE_OK);
    assert_true(problem.n == text.n && problem.m == text.m && problem.contact_count == 4);
    for (int64_t c = 0; c < 4; c++) {
        const saddle_contact *a = &problem.contacts[c], *b = &text.contacts[c];
        assert_true(a->row == 5 * c && a->row == b->row && a->size == 5 && b->size == 5);
        assert_true(a->mu == 1 && b->mu == 1 && a->mu_torsion == 0);
        assert_true(a->mu_rolling == 0.1 && b->mu_rolling == 0.1);
    }
    saddle_problem_clear(&problem);
    saddle_problem_clear(&text);
}

/* ---- writing ---- */

static void check_round_trip(const char *from, const char *path)
{
    saddle_problem problem, again;
    assert_int_equal(saddle_problem_read(NULL, from, NULL, &problem, NULL, NULL, NULL), SADDLE_OK);
    assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_AUTO, &problem), SADDLE_OK);
    assert_int_equal(saddle_problem_read(NULL, path, NULL, &again, NULL, NULL, NULL), SADDLE_OK);
    assert_same_problem(&problem, &again);
    assert_true(compare_file(path) >= 13);
    saddle_problem_clear(&problem);
    saddle_problem_clear(&again);
}

static void written_files_read_back_bit_for_bit(void **state)
{
    (void)state;
    const char *path = join(test_scratch_folder(), "again.hdf5");
    for (int k = 0; k < NAMES; k++) check_round_trip(file_of(names[k]), path);
    check_round_trip(file_of("Chute-ndof-768-nc-4-3"), path);
}

/* A contact of size rows and two equality rows, local (n = 0) or global. */
static void make_sized(int global, int64_t size, saddle_problem *problem)
{
    uint64_t state = test_seed();
    int64_t n = global ? 4 : 0, m = size + 2;
    *problem = (saddle_problem){.n = n, .m = m, .owner = 1, .contact_count = 1};
    draw_matrix(NULL, &state, n, n, 0.7, SADDLE_SYMMETRY_LOWER, &problem->M);
    draw_matrix(NULL, &state, n, m, 0.7, SADDLE_SYMMETRY_NONE, &problem->Jt);
    if (!global) draw_matrix(NULL, &state, m, m, 0.8, SADDLE_SYMMETRY_LOWER, &problem->R);
    problem->f = saddle_allocate(NULL, n + 1, sizeof *problem->f);
    problem->b = saddle_allocate(NULL, m, sizeof *problem->b);
    problem->contacts = saddle_allocate(NULL, 1, sizeof *problem->contacts);
    assert_true(problem->f && problem->b && problem->contacts);
    for (int64_t i = 0; i < n; i++) problem->f[i] = draw_bits(&state);
    for (int64_t i = 0; i < m; i++) problem->b[i] = draw_bits(&state);
    problem->contacts[0] = (saddle_contact){.size = size,
                                            .mu = 0.3,
                                            .mu_rolling = size > 3 ? 0.01 : 0};
}

static void make_mixed(int global, saddle_problem *problem)
{
    make_sized(global, 3, problem);
}

static void equality_rows_are_v_r_s_and_g_b(void **state)
{
    (void)state;
    const char *path = join(test_scratch_folder(), "mixed.h5");
    static const char *const groups[2][2] = {{"fclib_local", "fclib_global"},
                                             {"fclib_local_rolling", "fclib_global_rolling"}};
    static const char *const wanted[2][2] = {{"V/x", "vectors/s"}, {"G/x", "vectors/b"}};
    for (int trial = 0; trial < 4; trial++) {
        int global = trial % 2, rolling = trial / 2;
        saddle_problem problem, again;
        make_sized(global, rolling ? 5 : 3, &problem);
        assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_AUTO, &problem), SADDLE_OK);
        assert_int_equal(saddle_problem_read(NULL, path, NULL, &again, NULL, NULL, NULL),
                         SADDLE_OK);
        assert_equal_numbers(&problem, &again);
        hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
        for (int k = 0; k < 2; k++) {
            char name[64];
            snprintf(name, sizeof name, "/%s/%s", groups[rolling][global], wanted[global][k]);
            assert_true(H5Lexists(file, name, H5P_DEFAULT) > 0);
        }
        H5Fclose(file);
        saddle_problem_clear(&problem);
        saddle_problem_clear(&again);
    }
}

static void what_fclib_cannot_hold_is_named(void **state)
{
    (void)state;
    saddle_context *context;
    saddle_problem problem;
    const char *path = join(test_scratch_folder(), "not.h5");
    double lo[] = {0, 0, 0, 0, 0}, hi[] = {INF, INF, INF, INF, 3};
    assert_int_equal(saddle_context_create(NULL, &context), SADDLE_OK);
    make_mixed(1, &problem);
    problem.law = SADDLE_LAW_PYRAMID;
    assert_int_equal(saddle_problem_write(context, path, SADDLE_FORMAT_AUTO, &problem),
                     SADDLE_NOT_EXPRESSIBLE);
    assert_message(context, "pyramid");
    problem.law = SADDLE_LAW_CONE;
    problem.contacts[0].row = 1;
    assert_int_equal(saddle_problem_write(context, path, SADDLE_FORMAT_AUTO, &problem),
                     SADDLE_NOT_EXPRESSIBLE);
    assert_message(context, "row 1 ");
    problem.contacts[0] = (saddle_contact){.size = 4, .mu = 0.3, .mu_torsion = 0.1};
    assert_int_equal(saddle_problem_write(context, path, SADDLE_FORMAT_AUTO, &problem),
                     SADDLE_NOT_EXPRESSIBLE);
    assert_message(context, "contact 1 has 4 rows, one of torsion");
    problem.contacts[0] = (saddle_contact){.size = 3, .mu = 0.3};
    problem.lo = lo;
    problem.hi = hi;
    assert_int_equal(saddle_problem_write(context, path, SADDLE_FORMAT_AUTO, &problem),
                     SADDLE_NOT_EXPRESSIBLE);
    assert_message(context, "row 4");
    problem.lo = problem.hi = NULL;
    assert_false(exists(path));
    saddle_problem_clear(&problem);
    saddle_context_free(context);
}

/* Its description has letters of Latin-1. */
static void text_in_latin_1_goes_to_a_bundle_as_utf8(void **state)
{
    (void)state;
    saddle_problem problem, again;
    const char *path = join(test_scratch_folder(), "cube");
    assert_int_equal(saddle_problem_read(NULL, file_of("CubeH8"), NULL, &problem, NULL, NULL, NULL),
                     SADDLE_OK);
    assert_false(saddle__text_is_utf8(problem.source));
    assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_BUNDLE, &problem), SADDLE_OK);
    assert_int_equal(saddle_problem_read(NULL, path, NULL, &again, NULL, NULL, NULL), SADDLE_OK);
    assert_true(saddle__text_is_utf8(again.source));
    assert_true(strlen(again.source) > strlen(problem.source));
    assert_equal_numbers(&problem, &again);
    saddle_problem_clear(&problem);
    saddle_problem_clear(&again);
}

static saddle_status write_mixed(saddle_context *context, void *user)
{
    return saddle_problem_write(context, join(test_scratch_folder(), "swept.h5"),
                                SADDLE_FORMAT_FCLIB, user);
}

static void writing_survives_failing_memory(void **state)
{
    (void)state;
    for (int global = 0; global < 2; global++) {
        saddle_problem problem;
        make_mixed(global, &problem);
        assert_true(test_allocation_sweep(write_mixed, &problem) > 30);
        saddle_problem_clear(&problem);
    }
    saddle_problem problem;
    make_mixed(0, &problem);
    assert_int_equal(saddle_problem_write(NULL, "/nowhere/at/all/x.h5", SADDLE_FORMAT_AUTO,
                                          &problem),
                     SADDLE_FILE_ERROR);
    saddle_problem_clear(&problem);
}

/* ---- hostile bytes ---- */

static char *read_bytes(const char *path, int64_t *length)
{
    saddle__scan scan;
    assert_int_equal(saddle__scan_open(NULL, path, &scan), SADDLE_OK);
    *length = scan.end - scan.begin;
    char *bytes = malloc((size_t)*length);
    assert_non_null(bytes);
    memcpy(bytes, scan.begin, (size_t)*length);
    saddle__scan_close(&scan);
    return bytes;
}

static void a_truncated_file_is_an_error(void **state)
{
    (void)state;
    const char *path = join(test_scratch_folder(), "mixed.h5");
    saddle_problem problem;
    int64_t length;
    make_mixed(0, &problem);
    assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_AUTO, &problem), SADDLE_OK);
    saddle_problem_clear(&problem);
    char *bytes = read_bytes(path, &length);
    for (int64_t k = 0; k < length; k += k < 400 ? 1 : 13) {
        char *cut = malloc((size_t)k + 1); /* of its own, so that a sanitizer sees a step beyond */
        memcpy(cut, bytes, (size_t)k);
        assert_int_equal(read_problem_bytes(NULL, SADDLE_FORMAT_FCLIB, cut, k, NULL, &problem),
                         SADDLE_BAD_FILE);
        free(cut);
    }
    free(bytes);
}

static void flipped_bytes_never_do_harm(void **state)
{
    (void)state;
    const char *path = join(test_scratch_folder(), "mixed.h5");
    uint64_t draw = test_seed();
    saddle_problem problem;
    int64_t length, read = 0, refused = 0;
    make_mixed(1, &problem);
    assert_int_equal(saddle_problem_write(NULL, path, SADDLE_FORMAT_AUTO, &problem), SADDLE_OK);
    saddle_problem_clear(&problem);
    char *bytes = read_bytes(path, &length);
    for (int k = 0; k < 20000; k++) {
        int64_t at = test_integer(&draw, 0, length - 1);
        char kept = bytes[at];
        bytes[at] = (char)test_integer(&draw, 0, 255);
        saddle_status status = read_problem_bytes(NULL, SADDLE_FORMAT_FCLIB, bytes, length, NULL,
                                                  &problem);
        if (status == SADDLE_OK)
            assert_int_equal(saddle_problem_check(NULL, &problem, NULL, NULL), SADDLE_OK);
        else
            assert_true(status == SADDLE_BAD_FILE || status == SADDLE_UNSUPPORTED);
        read += status == SADDLE_OK;
        refused += status != SADDLE_OK;
        saddle_problem_clear(&problem);
        bytes[at] = kept;
    }
    assert_true(read > 1000 && refused > 1000);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_dataset_reads_as_the_hdf5_library_reads_it),
        cmocka_unit_test(other_number_types_read_as_the_hdf5_library_reads_them),
        cmocka_unit_test(what_is_not_plain_is_refused_by_name),
        cmocka_unit_test(later_layouts_are_refused_by_name),
        cmocka_unit_test(references_solve_the_collection),
        cmocka_unit_test(guesses_and_solutions_come_with_the_problem),
        cmocka_unit_test(rolling_friction_has_five_rows_a_contact),
        cmocka_unit_test(written_files_read_back_bit_for_bit),
        cmocka_unit_test(equality_rows_are_v_r_s_and_g_b),
        cmocka_unit_test(what_fclib_cannot_hold_is_named),
        cmocka_unit_test(text_in_latin_1_goes_to_a_bundle_as_utf8),
        cmocka_unit_test(writing_survives_failing_memory),
        cmocka_unit_test(a_truncated_file_is_an_error),
        cmocka_unit_test(flipped_bytes_never_do_harm),
    };
    return cmocka_run_group_tests_name("fclib", tests, NULL, NULL);
}
