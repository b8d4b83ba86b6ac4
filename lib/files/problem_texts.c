/* SPDX-License-Identifier: MIT */
/* Problems as texts: those of Siconos, with the matrices of siconos_matrix.c, and two older ones.
 * Complementarity problems, w = M z + q, read with n = 0, R = M, b = -q, lambda = z:
 *
 *     LCP    n, M, q                        0 <= z _|_ w >= 0
 *     relay  n, M, q, lb, ub                -w in the normal cone of [lb, ub] at z
 *     MLCP   st1, st2 (which of the two layouts follow), n equality rows, m complementarity rows,
 *            st1: ends of the row blocks from 0 to n + m, a flag per block (1 = complementarity),
 *                 M, q; the rest is ignored
 *            st2: A (n x n), B (m x m), C (n x m), D (m x n), a, b by rows:
 *                 M = [A C; D B], q = (a, b)
 *
 * and of friction contact problems, rows normal, tangent(s) [, two of rolling] of each contact in
 * turn:
 *
 *     FC     dim, contacts, W, q, mu of each contact[, mu_r]            u = W r + q
 *            read with n = 0, R = W, b = -q
 *     GFC    dim, contacts, M, H (n x dim contacts), q, b, mu[, mu_r]   M v = q + H r,  u = H'v + b
 *            read with J' = H, f = q, b = -b
 *
 * dim is 2, 3 or, with rolling friction and mu_r, 5.  FC and GFC may end with one flag, 0 or 1.
 *
 * Generic mechanical problems, with n = 0, R = M, b = -q, lambda = z:
 *
 *     GMP    M in sparse blocks, q, then the type of each block row: 0 LCP, 2 equality, 4 contact
 *            in space, followed by its mu
 *
 * A text with a matrix alone, with or without a header, is a bare linear system. */
#include "base/context_internal.h"
#include "files/problem_file.h"

#include <math.h>
#include <string.h>

/* ---- parts of problems ---- */

/* problem->R and b hold W and q of w = W lambda + q: m = R.rows, b = -q, R settled.  Like
 * bound_all, nothing after a failure of the scan. */
static saddle_status set_delassus(saddle__scan *scan, saddle_problem *problem)
{
    if (scan->status != SADDLE_OK) return scan->status;
    problem->m = problem->R.rows;
    for (int64_t i = 0; i < problem->m; i++) problem->b[i] = -problem->b[i];
    return scan->status = saddle__matrix_settle(scan->context, &problem->R);
}

/* sign * value[k], k < count, on a line; 0 where value is NULL. */
static void put_vector(saddle__output *output, double sign, const double *value, int64_t count)
{
    for (int64_t k = 0; k < count; k++)
        saddle__output_double(output, sign * (value ? value[k] : 0), k + 1 < count ? " " : "\n");
}

/* The lower, then the upper bounds, a line each. */
static void put_bounds(saddle__output *output, const saddle_problem *problem)
{
    for (int side = 0; side < 2; side++)
        for (int64_t i = 0; i < problem->m; i++)
            saddle__output_double(output,
                                  side ? saddle_problem_hi(problem, i)
                                       : saddle_problem_lo(problem, i),
                                  i + 1 < problem->m ? " " : "\n");
}

static saddle_status wrong_size(saddle__scan *scan, const char *name, const saddle_matrix *A,
                                const char *why)
{
    return saddle__scan_fail(scan, "%s is %lld x %lld, but %s", name, (long long)A->rows,
                             (long long)A->cols, why);
}

/* Only a remark may follow the problem, on a new line that begins with no number. */
static saddle_status read_end(saddle__scan *scan)
{
    if (scan->status != SADDLE_OK) return scan->status;
    int line_ended = saddle__scan_line_ends(scan);
    if (saddle__scan_at_end(scan)) return SADDLE_OK;
    if (saddle__scan_count(scan, 1, NULL) > 0)
        return saddle__scan_fail(scan, "a number after the end of the problem");
    /* a printed matrix is no remark: W q mu can be M and the beginning of a sparse H */
    if (line_ended && !saddle__scan_literal(scan, "CSparse")) return SADDLE_OK;
    return saddle__scan_fail(
        scan, "text after the end of the problem: a remark begins on a line of its own");
}

/* ---- LCP, relay ---- */

/* n, M, q into the problem */
static saddle_status read_lcp_head(saddle__scan *scan, saddle_problem *problem)
{
    int64_t n = saddle__scan_size(scan, "size of the problem");
    (void)saddle__scan_expect(scan, "q", n);
    (void)saddle__siconos_read_matrix(scan, "M", &problem->R);
    if (problem->R.rows != n || problem->R.cols != n)
        return saddle__scan_fail(scan, "M is %lld x %lld, but the problem has %lld rows",
                                 (long long)problem->R.rows, (long long)problem->R.cols,
                                 (long long)n);
    problem->b = saddle__scan_array(scan, "q", 0, n);
    return set_delassus(scan, problem);
}

static saddle_status read_lcp(saddle__scan *scan, saddle_problem *problem)
{
    (void)read_lcp_head(scan, problem);
    (void)read_end(scan);
    return saddle__problem_bound_all(scan, problem, 0, INFINITY);
}

static saddle_status read_relay(saddle__scan *scan, saddle_problem *problem)
{
    (void)read_lcp_head(scan, problem);
    problem->lo = saddle__scan_array(scan, "lb", 1, problem->m);
    problem->hi = saddle__scan_array(scan, "ub", 1, problem->m);
    return read_end(scan);
}

/* ---- MLCP ---- */

/* lo[n + m]: 0 in a complementarity block, -inf in an equality block. */
static saddle_status read_row_blocks(saddle__scan *scan, int64_t n, int64_t m, double *lo)
{
    int64_t end = 0, blocks = 0, complementary = 0;
    (void)saddle__scan_range(scan, "beginning of the first row block", 0, 0);
    saddle__scan ends = *scan; /* the ends are read again beside the flags */
    for (; scan->status == SADDLE_OK && end < n + m; blocks++)
        end = saddle__scan_range(scan, "end of a row block", end + 1, n + m);
    for (int64_t k = 0, i = 0; scan->status == SADDLE_OK && k < blocks; k++) {
        end = saddle__scan_integer(&ends, "end of a row block");
        int64_t flag = saddle__scan_range(scan, "flag of a row block", 0, 1);
        complementary += flag ? end - i : 0;
        for (; i < end; i++) lo[i] = flag ? 0 : -INFINITY;
    }
    if (scan->status == SADDLE_OK && complementary != m)
        return saddle__scan_fail(scan,
                                 "the row blocks have %lld complementarity rows, but m is %lld",
                                 (long long)complementary, (long long)m);
    return scan->status;
}

static saddle_status read_mlcp_blocks(saddle__scan *scan, int64_t n, int64_t m,
                                      saddle_problem *problem)
{
    saddle_matrix *M = &problem->R;
    (void)read_row_blocks(scan, n, m, problem->lo);
    const char *place = scan->at;
    (void)saddle__siconos_read_matrix(scan, "M", M);
    problem->b = saddle__scan_array(scan, "q", 0, M->rows);
    if (M->rows != n + m || M->cols != n + m)
        return saddle__scan_fail_at(
            scan, place, "M is %lld x %lld, but n + m is %lld: a mixed LCP needs a square matrix",
            (long long)M->rows, (long long)M->cols, (long long)(n + m));
    return scan->status;
}

static saddle_status read_mlcp_parts(saddle__scan *scan, int64_t n, int64_t m,
                                     saddle_problem *problem)
{
    const struct {
        const char *name;
        int64_t rows, cols, i0, j0; /* sizes, and where in M */
    } part[] = {{"A", n, n, 0, 0}, {"B", m, m, n, n}, {"C", n, m, 0, n}, {"D", m, n, n, 0}};
    int64_t size = n + m;
    if (size > INT32_MAX) return saddle__scan_fail(scan, "%lld rows are too many", (long long)size);
    (void)saddle__scan_expect(scan, "A, B, C, D, a, b", size * size + size);
    double *M = saddle__scan_allocate(scan, size * size, sizeof *M); /* by rows */
    for (int p = 0; p < 4; p++)
        for (int64_t i = 0; scan->status == SADDLE_OK && i < part[p].rows; i++)
            (void)saddle__scan_doubles(scan, part[p].name, 0, part[p].cols,
                                       M + (part[p].i0 + i) * size + part[p].j0);
    if (scan->status == SADDLE_OK)
        scan->status = saddle__matrix_from_dense(scan->context, size, size, 1, M, &problem->R);
    saddle_release(scan->context, M);
    for (int64_t i = 0; i < size; i++) problem->lo[i] = i < n ? -INFINITY : 0;
    problem->b = saddle__scan_array(scan, "a, b", 0, size);
    return scan->status;
}

static saddle_status read_mlcp(saddle__scan *scan, saddle_problem *problem)
{
    int64_t blocks = saddle__scan_range(scan, "flag of the block layout", 0, 1);
    (void)saddle__scan_range(scan, "flag of the A, B, C, D layout", 1 - blocks, 1);
    int64_t n = saddle__scan_size(scan, "number of equality rows");
    int64_t m = saddle__scan_range(scan, "number of complementarity rows", 0, INT64_MAX - n);
    (void)saddle__scan_expect(scan, "q", n + m);
    problem->lo = saddle__scan_allocate(scan, n + m, sizeof *problem->lo); /* hi = +inf */
    if (scan->status != SADDLE_OK) return scan->status;
    (void)(blocks ? read_mlcp_blocks : read_mlcp_parts)(scan, n, m, problem);
    return set_delassus(scan, problem);
}

static saddle_status put_lcp(saddle__output *output, const saddle_problem *problem,
                             const saddle__full_parts *full)
{
    saddle__output_integer(output, problem->m, "\n");
    saddle__siconos_put_matrix(output, &full->R);
    put_vector(output, -1, problem->b, problem->m);
    return SADDLE_OK;
}

static saddle_status put_relay(saddle__output *output, const saddle_problem *problem,
                               const saddle__full_parts *full)
{
    (void)put_lcp(output, problem, full);
    put_bounds(output, problem);
    return SADDLE_OK;
}

/* The ends of the runs of rows of a kind, from 0 on; then a flag for each run, 1 = complementarity.
 */
static void put_row_blocks(saddle__output *output, const saddle_problem *problem)
{
    saddle__output_text(output, "0");
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < problem->m; i++) {
            saddle_row_kind kind = saddle_problem_bound_kind(problem, i);
            if (i + 1 < problem->m && saddle_problem_bound_kind(problem, i + 1) == kind) continue;
            saddle__output_text(output, " ");
            saddle__output_integer(output, pass == 0 ? i + 1 : kind == SADDLE_ROW_UNILATERAL, "");
        }
        saddle__output_text(output, "\n");
    }
}

static saddle_status put_mlcp(saddle__output *output, const saddle_problem *problem,
                              const saddle__full_parts *full)
{
    saddle_row_counts counts = saddle_problem_count_rows(problem);
    saddle__output_text(output, "1\n0\n");
    saddle__output_integer(output, counts.equality, "\n");
    saddle__output_integer(output, counts.unilateral, "\n");
    put_row_blocks(output, problem);
    saddle__siconos_put_matrix(output, &full->R);
    put_vector(output, -1, problem->b, problem->m);
    return SADDLE_OK;
}

/* ---- FC, GFC ---- */

typedef struct contact_head {
    int64_t dim, count, rows; /* rows = dim * count */
} contact_head;

static contact_head read_contact_head(saddle__scan *scan)
{
    contact_head head = {
        .dim = saddle__scan_range(scan, "dimension of the contacts", 2, SADDLE__ROLLING_SIZE)};
    if (head.dim == 4)
        (void)saddle__scan_fail(scan, "dimension of the contacts: 2, 3 or 5 expected");
    head.count = saddle__scan_size(scan, "number of contacts");
    if (saddle__scan_expect(scan, "mu", head.count) == SADDLE_OK) head.rows = head.dim * head.count;
    return head;
}

/* mu (and mu_r of rolling friction), an optional flag, the end. */
static saddle_status read_contact_tail(saddle__scan *scan, const contact_head *head,
                                       saddle_problem *problem)
{
    int is_rolling = head->dim == SADDLE__ROLLING_SIZE;
    double *mu = saddle__scan_array(scan, "mu", 0, head->count);
    double *rolling = is_rolling ? saddle__scan_array(scan, "mu_r", 0, head->count) : NULL;
    if (saddle__scan_count(scan, 1, NULL) > 0)
        (void)saddle__scan_range(scan, "flag at the end", 0, 1);
    if (read_end(scan) == SADDLE_OK)
        scan->status = saddle__problem_contacts(scan->context, problem, head->dim, head->count, mu,
                                                rolling);
    saddle__release_all(scan->context, mu, rolling);
    return scan->status;
}

static saddle_status read_fc(saddle__scan *scan, saddle_problem *problem)
{
    contact_head head = read_contact_head(scan);
    saddle_matrix *W = &problem->R;
    (void)saddle__siconos_read_matrix(scan, "W", W);
    if (W->rows != head.rows || W->cols != head.rows)
        return wrong_size(scan, "W", W, "it needs a row and a column for each row of the contacts");
    problem->b = saddle__scan_array(scan, "q", 0, W->rows);
    (void)set_delassus(scan, problem);
    return read_contact_tail(scan, &head, problem);
}

static saddle_status read_gfc(saddle__scan *scan, saddle_problem *problem)
{
    contact_head head = read_contact_head(scan);
    saddle_matrix *M = &problem->M, *H = &problem->Jt;
    (void)saddle__siconos_read_matrix(scan, "M", M);
    if (M->rows != M->cols) return wrong_size(scan, "M", M, "it must be square");
    (void)saddle__siconos_read_matrix(scan, "H", H);
    if (H->rows != M->rows || H->cols != head.rows)
        return wrong_size(scan, "H", H,
                          "it needs a row for each of M and a column for each row of the contacts");
    problem->f = saddle__scan_array(scan, "q", 0, M->rows);
    problem->b = saddle__scan_array(scan, "b", 0, head.rows);
    if (read_contact_tail(scan, &head, problem) != SADDLE_OK) return scan->status;
    problem->n = M->rows;
    problem->m = head.rows;
    for (int64_t i = 0; i < head.rows; i++) problem->b[i] = -problem->b[i];
    return saddle__matrix_settle(scan->context, M);
}

/* mu of all contacts, then mu_r of those of 5 rows. */
static void put_friction(saddle__output *output, const saddle_problem *problem)
{
    int64_t count = problem->contact_count;
    int is_rolling = count > 0 && problem->contacts[0].size == SADDLE__ROLLING_SIZE;
    for (int part = 0; part <= is_rolling; part++)
        for (int64_t c = 0; c < count; c++) {
            const saddle_contact *contact = &problem->contacts[c];
            saddle__output_double(output, part ? contact->mu_rolling : contact->mu,
                                  c + 1 < count ? " " : "\n");
        }
}

static void put_contact_head(saddle__output *output, const saddle_problem *problem)
{
    int64_t count = problem->contact_count;
    saddle__output_integer(output, count > 0 ? problem->contacts[0].size : 3, "\n");
    saddle__output_integer(output, count, "\n");
}

static saddle_status put_fc(saddle__output *output, const saddle_problem *problem,
                            const saddle__full_parts *full)
{
    put_contact_head(output, problem);
    saddle__siconos_put_matrix(output, &full->R);
    put_vector(output, -1, problem->b, problem->m);
    put_friction(output, problem);
    return SADDLE_OK;
}

static saddle_status put_gfc(saddle__output *output, const saddle_problem *problem,
                             const saddle__full_parts *full)
{
    put_contact_head(output, problem);
    saddle__siconos_put_matrix(output, &full->M);
    saddle__siconos_put_matrix(output, &full->Jt);
    put_vector(output, 1, problem->f, problem->n);
    put_vector(output, -1, problem->b, problem->m);
    put_friction(output, problem);
    return SADDLE_OK;
}

/* ---- GMP ---- */

enum block_type { BLOCK_LCP = 0, BLOCK_EQUALITY = 2, BLOCK_CONTACT = 4 };

/* The type of block row k, rows [from, to), into the problem. */
static saddle_status read_block_type(saddle__scan *scan, int64_t k, int64_t from, int64_t to,
                                     saddle_problem *problem)
{
    int64_t type = saddle__scan_integer(scan, "type of a block row");
    if (type != BLOCK_LCP && type != BLOCK_EQUALITY && type != BLOCK_CONTACT)
        return saddle__scan_fail(scan,
                                 "block row %lld has type %lld: 0 (LCP), 2 (equality) and 4 "
                                 "(contact in space) are known",
                                 (long long)k + 1, (long long)type);
    if (type == BLOCK_CONTACT && to - from != 3)
        return saddle__scan_fail(scan, "block row %lld is a contact in space of %lld rows, not 3",
                                 (long long)k + 1, (long long)(to - from));
    if (type == BLOCK_CONTACT)
        problem->contacts[problem->contact_count++] = (saddle_contact){
            .row = from, .size = 3, .mu = saddle__scan_double(scan, "mu", 0)};
    for (int64_t i = from; type == BLOCK_LCP && i < to; i++) problem->lo[i] = 0;
    return scan->status;
}

static void read_block_types(saddle__scan *scan, const int64_t *block_end, int64_t blocks,
                             saddle_problem *problem)
{
    (void)saddle__scan_expect(scan, "types of the block rows", blocks);
    (void)saddle__problem_bound_all(scan, problem, -INFINITY, INFINITY);
    problem->contacts = saddle__scan_allocate(scan, blocks, sizeof *problem->contacts);
    for (int64_t k = 0; scan->status == SADDLE_OK && k < blocks; k++)
        (void)read_block_type(scan, k, saddle__block_begin(block_end, k), block_end[k], problem);
}

static saddle_status read_gmp(saddle__scan *scan, saddle_problem *problem)
{
    int64_t *block_end = NULL, blocks = 0;
    saddle_matrix *M = &problem->R;
    (void)saddle__scan_range(scan, "storage of M (1, sparse blocks)", 1, 1);
    int64_t size = saddle__scan_size(scan, "rows of M");
    (void)saddle__scan_range(scan, "columns of M", size, size);
    (void)saddle__scan_expect(scan, "q", size);
    (void)saddle__siconos_read_blocks(scan, "M", M, &block_end, &blocks);
    if (M->rows != size || M->cols != size)
        (void)saddle__scan_fail(scan, "M is %lld x %lld, but its header says otherwise",
                                (long long)M->rows, (long long)M->cols);
    problem->b = saddle__scan_array(scan, "q", 0, size);
    (void)set_delassus(scan, problem);
    read_block_types(scan, block_end, blocks, problem);
    saddle_release(scan->context, block_end);
    return read_end(scan);
}

/* ---- GMP, written with a block row for each contact and for each other row ---- */

typedef struct partition {
    int64_t count;        /* blocks on a side */
    int64_t *end;         /* count: the row after each block */
    saddle_matrix blocks; /* count x count, an entry for each with entries of R: row = block column,
                             column = block row */
} partition;

static saddle_status partition_create(saddle_context *context, const saddle_problem *problem,
                                      const saddle_matrix *R, partition *P)
{
    int64_t m = problem->m, c = 0;
    saddle__entries list = {0};
    int64_t *block = saddle_allocate(context, m, sizeof *block); /* of each row */
    P->end = saddle_allocate(context, m, sizeof *P->end);
    saddle_status status = block && P->end
                               ? saddle__entries_reserve(context, saddle_matrix_entries(R), &list)
                               : SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < m;) {
        int contact = c < problem->contact_count && problem->contacts[c].row == i;
        int64_t end = i + (contact ? problem->contacts[c++].size : 1);
        for (; i < end; i++) block[i] = P->count;
        P->end[P->count++] = end;
    }
    for (int64_t j = 0; status == SADDLE_OK && j < m; j++)
        for (int64_t k = R->start[j]; k < R->start[j + 1]; k++)
            saddle__entries_add(&list, block[j], block[R->index[k]], 1);
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(context, P->count, P->count, list.count, list.row,
                                             list.col, list.value, SADDLE_SYMMETRY_NONE,
                                             &P->blocks);
    saddle__entries_clear(context, &list);
    saddle_release(context, block);
    return status;
}

static void put_structure(saddle__output *output, const partition *P)
{
    int64_t count = saddle_matrix_entries(&P->blocks);
    saddle__output_integer(output, count, "\n");
    saddle__output_integer(output, P->count, "\n");
    saddle__output_integer(output, P->count, "\n");
    for (int side = 0; side < 2; side++)
        for (int64_t b = 0; b < P->count; b++)
            saddle__output_integer(output, P->end[b], b + 1 < P->count ? " " : "\n");
    saddle__output_integer(output, P->count + 1, "\n");
    saddle__output_integer(output, count, "\n");
    for (int64_t r = 0; r <= P->count; r++)
        saddle__output_integer(output, P->blocks.start[r], r < P->count ? " " : "\n");
    for (int64_t k = 0; k < count; k++) saddle__output_integer(output, P->blocks.index[k], " ");
    saddle__output_text(output, "\n");
}

/* A block is written whole: zeros inside a contact's blocks become stored entries. */
static void put_blocks(saddle__output *output, const partition *P, const saddle_matrix *R)
{
    for (int64_t r = 0; r < P->count; r++)
        for (int64_t k = P->blocks.start[r]; k < P->blocks.start[r + 1]; k++) {
            int64_t b = P->blocks.index[k];
            saddle__output_integer(output, k, "\n");
            for (int64_t j = saddle__block_begin(P->end, b); j < P->end[b]; j++)
                for (int64_t i = saddle__block_begin(P->end, r); i < P->end[r]; i++)
                    saddle__output_double(output, saddle_matrix_entry(R, i, j), "\n");
        }
}

/* The type of each block row, and mu of a contact. */
static void put_types(saddle__output *output, const saddle_problem *problem)
{
    int64_t c = 0;
    for (int64_t i = 0; i < problem->m; i++) {
        int equality = saddle_problem_bound_kind(problem, i) == SADDLE_ROW_EQUALITY;
        if (c < problem->contact_count && problem->contacts[c].row == i) {
            saddle__output_text(output, "4\n");
            saddle__output_double(output, problem->contacts[c].mu, "\n");
            i += problem->contacts[c++].size - 1;
        } else {
            saddle__output_text(output, equality ? "2\n" : "0\n");
        }
    }
}

static saddle_status put_gmp(saddle__output *output, const saddle_problem *problem,
                             const saddle__full_parts *full)
{
    partition P = {0};
    saddle_status status = partition_create(output->context, problem, &full->R, &P);
    if (status == SADDLE_OK) {
        saddle__output_text(output, "1\n");
        saddle__output_integer(output, problem->m, "\n");
        saddle__output_integer(output, problem->m, "\n");
        put_structure(output, &P);
        put_blocks(output, &P, &full->R);
        put_vector(output, -1, problem->b, problem->m);
        put_types(output, problem);
    }
    saddle_release(output->context, P.end);
    saddle_matrix_clear(&P.blocks);
    return status;
}

/* ---- a matrix alone ---- */

/* M becomes the matrix of a bare system. */
static saddle_status end_bare(saddle__scan *scan, saddle_problem *problem)
{
    saddle_matrix *M = &problem->M;
    if (read_end(scan) != SADDLE_OK) return scan->status;
    if (M->rows != M->cols)
        return saddle__scan_fail_at(scan, scan->begin,
                                    "the matrix is %lld x %lld: a linear system needs a square one",
                                    (long long)M->rows, (long long)M->cols);
    problem->n = M->rows;
    return saddle__matrix_settle(scan->context, M);
}

static saddle_status read_bare(saddle__scan *scan, saddle_problem *problem)
{
    (void)saddle__siconos_read_matrix(scan, "the matrix", &problem->M);
    return end_bare(scan, problem);
}

static saddle_status read_bare_blocks(saddle__scan *scan, saddle_problem *problem)
{
    (void)saddle__siconos_read_blocks(scan, "the matrix", &problem->M, NULL, NULL);
    return end_bare(scan, problem);
}

/* ---- the older texts of linear complementarity problems, w = M z + q, without remarks ----
 *
 *     lcp      n, M by rows, q [, an answer, ignored]   0 <= z _|_ w >= 0
 *     box-lcp  n, M by rows, q, lo, hi (inf allowed)    w = 0 between, >= 0 at lo, <= 0 at hi
 *
 * Read with n = 0, R = M, b = -q.  Zeros are not stored. */

/* n; n n + few * n numbers follow, or many in place of few, and no more. */
static int64_t read_head(saddle__scan *scan, int64_t few, int64_t many)
{
    int64_t n = saddle__scan_size(scan, "size of the problem");
    if (n > INT32_MAX) (void)saddle__scan_fail(scan, "%lld rows are too many", (long long)n);
    if (scan->status != SADDLE_OK) return 0;
    int64_t least = n * n + few * n, most = n * n + many * n;
    (void)saddle__scan_expect(scan, "M and the vectors after it", least);
    int ended;
    int64_t count = saddle__scan_count(scan, most + 1, &ended);
    if (count <= most && !ended)
        (void)saddle__scan_fail(scan, "a word among the numbers after the first");
    if (scan->status != SADDLE_OK || count == least || count == most) return n;
    if (count < most) scan->at = scan->end;
    (void)saddle__scan_fail(scan, "%lld rows need %lld numbers after the first, %s%lld found",
                            (long long)n, (long long)least, count > most ? "more than " : "",
                            (long long)(count > most ? most : count));
    return 0;
}

/* n, M, q into R and b of the problem. */
static void read_dense_lcp(saddle__scan *scan, int64_t few, int64_t many, saddle_problem *problem)
{
    int64_t n = read_head(scan, few, many);
    double *value = saddle__scan_array(scan, "M", 0, n * n);
    if (scan->status == SADDLE_OK)
        scan->status = saddle__matrix_from_dense(scan->context, n, n, 1, value, &problem->R);
    problem->b = saddle__scan_array(scan, "q", 0, n);
    saddle_release(scan->context, value);
    (void)set_delassus(scan, problem);
}

static saddle_status read_text(saddle__scan *scan, saddle_problem *problem)
{
    read_dense_lcp(scan, 1, 2, problem);
    return saddle__problem_bound_all(scan, problem, 0, INFINITY);
}

static saddle_status read_box(saddle__scan *scan, saddle_problem *problem)
{
    read_dense_lcp(scan, 3, 3, problem);
    problem->lo = saddle__scan_array(scan, "lo", 1, problem->m);
    problem->hi = saddle__scan_array(scan, "hi", 1, problem->m);
    return scan->status;
}

static saddle_status put_text(saddle__output *output, const saddle_problem *problem,
                              const saddle__full_parts *full)
{
    saddle_matrix Rt = {0};
    saddle_status status = saddle_matrix_transpose(output->context, &full->R, &Rt);
    if (status != SADDLE_OK) return status;
    saddle__output_integer(output, problem->m, "\n");
    for (int64_t i = 0; i < problem->m; i++) saddle__output_column(output, &Rt, i);
    put_vector(output, -1, problem->b, problem->m);
    saddle_matrix_clear(&Rt);
    return SADDLE_OK;
}

static saddle_status put_box(saddle__output *output, const saddle_problem *problem,
                             const saddle__full_parts *full)
{
    saddle_status status = put_text(output, problem, full);
    if (status == SADDLE_OK) put_bounds(output, problem);
    return status;
}

/* ---- all ---- */

static const saddle__text_format formats[] = {
    {SADDLE_FORMAT_SICONOS_LCP, read_lcp, put_lcp, SADDLE__TAKES_NO_RHS, SADDLE__HOLDS_POSITIVE,
     SADDLE__NO_VELOCITIES},
    {SADDLE_FORMAT_SICONOS_RELAY, read_relay, put_relay, SADDLE__TAKES_NO_RHS, SADDLE__HOLDS_BOX,
     SADDLE__NO_VELOCITIES},
    {SADDLE_FORMAT_SICONOS_MLCP, read_mlcp, put_mlcp, SADDLE__TAKES_NO_RHS,
     SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_POSITIVE, SADDLE__NO_VELOCITIES},
    {SADDLE_FORMAT_SICONOS_FC, read_fc, put_fc, SADDLE__TAKES_NO_RHS, SADDLE__HOLDS_CONTACTS,
     SADDLE__NO_VELOCITIES | SADDLE__CONTACTS_FIRST},
    {SADDLE_FORMAT_SICONOS_GFC, read_gfc, put_gfc, SADDLE__TAKES_NO_RHS, SADDLE__HOLDS_CONTACTS,
     SADDLE__NO_COMPLIANCE | SADDLE__CONTACTS_FIRST},
    {SADDLE_FORMAT_SICONOS_GMP, read_gmp, put_gmp, SADDLE__TAKES_NO_RHS,
     SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_POSITIVE | SADDLE__HOLDS_CONTACTS,
     SADDLE__NO_VELOCITIES | SADDLE__CONTACTS_IN_SPACE},
    {SADDLE_FORMAT_SICONOS_MATRIX, read_bare, NULL, 0, SADDLE__HOLDS_ANY, 0},
    {SADDLE_FORMAT_SICONOS_MATRIX, read_bare_blocks, NULL, 0, SADDLE__HOLDS_ANY, 0},
    {SADDLE_FORMAT_LCP, read_text, put_text, SADDLE__TAKES_NO_RHS | SADDLE__NUMBERS_ONLY,
     SADDLE__HOLDS_POSITIVE, SADDLE__NO_VELOCITIES},
    {SADDLE_FORMAT_BOX_LCP, read_box, put_box, SADDLE__BY_NAME, SADDLE__HOLDS_BOX,
     SADDLE__NO_VELOCITIES},
};

const saddle__text_format *saddle__text_format_at(int k)
{
    return k < (int)(sizeof formats / sizeof *formats) ? &formats[k] : NULL;
}
