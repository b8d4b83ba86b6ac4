/* SPDX-License-Identifier: MIT */
/* Siconos texts of friction contact problems, rows normal, tangent(s) of each contact in turn:
 *
 *     FC   dim, contacts, W, q, mu per contact                  u = W r + q    R = W, b = -q, n = 0
 *     GFC  dim, contacts, M, H (n x dim contacts), q, b, mu   M v = q + H r, u = H'v + b
 *         J' = H, f = q, our b = -b
 *     GMP  M in sparse blocks, q, then per block row its type: 0 LCP, 2 equality, 4 contact in
 *         space followed by its mu
 *
 * dim is 2 or 3; 5 is rolling friction, recognized but not supported.  FC and GFC may end with one
 * flag, 0 or 1.
 */
#include <math.h>
#include <string.h>

#include "files/siconos_text.h"

enum { ROLLING = 5 };
enum { BLOCK_LCP = 0, BLOCK_EQUALITY = 2, BLOCK_CONTACT = 4 };

typedef struct contact_head {
    int64_t dim, count, rows; /* rows = dim * count */
} contact_head;

static saddle_status read_contact_head(saddle__scan *scan, int walk, contact_head *head)
{
    const char *place = scan->at;
    saddle_status status = saddle__scan_range(scan, "dimension of the contacts", 2, ROLLING,
                                              &head->dim);
    if (status == SADDLE_OK && head->dim == 4)
        return saddle__scan_fail(scan, "dimension of the contacts: 2 or 3 expected");
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "number of contacts", &head->count);
    if (status == SADDLE_OK) status = saddle__numbers_expect(scan, "mu", head->count);
    if (status != SADDLE_OK) return status;
    head->rows = head->dim * head->count;
    if (head->dim == ROLLING && !walk)
        return saddle_fail(scan->context, SADDLE_UNSUPPORTED,
                           "%s:%lld: rolling friction (5 rows a contact) is not supported: "
                           "contacts of 2 or 3 rows are",
                           scan->label, (long long)saddle__scan_line(scan, place));
    return SADDLE_OK;
}

/* mu (and for rolling friction, in a walk, mu_r), perhaps a flag, the end. */
static saddle_status read_contact_tail(saddle__scan *scan, const contact_head *head,
                                       saddle_problem *problem)
{
    double *mu = NULL;
    saddle_status status = saddle__numbers_read(scan, "mu", SADDLE__ACCEPT_FINITE, head->count,
                                                problem ? &mu : NULL);
    if (status == SADDLE_OK && head->dim == ROLLING)
        status = saddle__numbers_read(scan, "mu_r", SADDLE__ACCEPT_FINITE, head->count, NULL);
    if (status == SADDLE_OK && saddle__numbers_ahead(scan, 1, NULL) > 0) {
        int64_t flag;
        status = saddle__scan_range(scan, "flag at the end", 0, 1, &flag);
    }
    if (status == SADDLE_OK) status = saddle__problem_end(scan);
    if (status == SADDLE_OK && problem)
        status = saddle__problem_contacts(scan->context, problem, head->dim, head->count, mu);
    saddle_release(scan->context, mu);
    return status;
}

static saddle_status wrong_size(const saddle__scan *scan, const char *name, int64_t rows,
                                int64_t cols, const char *why)
{
    return saddle__scan_fail(scan, "%s is %lld x %lld, but %s", name, (long long)rows,
                             (long long)cols, why);
}

saddle_status saddle__siconos_fc_read(saddle__scan *scan, saddle_problem *problem)
{
    contact_head head = {0};
    int64_t rows = 0, cols = 0;
    saddle_matrix W = {0};
    double *q = NULL;
    saddle_status status = read_contact_head(scan, problem == NULL, &head);
    if (status == SADDLE_OK)
        status = saddle__siconos_matrix_read(scan, "W", &rows, &cols, problem ? &W : NULL);
    if (status == SADDLE_OK && (rows != head.rows || cols != head.rows))
        status = wrong_size(scan, "W", rows, cols,
                            "it needs a row and a column for each row of the contacts");
    if (status == SADDLE_OK)
        status = saddle__numbers_read(scan, "q", SADDLE__ACCEPT_FINITE, rows, problem ? &q : NULL);
    if (status == SADDLE_OK && problem)
        status = saddle__problem_take_delassus(scan->context, &W, &q, problem);
    if (status == SADDLE_OK) status = read_contact_tail(scan, &head, problem);
    saddle_matrix_clear(&W);
    saddle_release(scan->context, q);
    return status;
}

saddle_status saddle__siconos_gfc_read(saddle__scan *scan, saddle_problem *problem)
{
    contact_head head = {0};
    int64_t rows = 0, cols = 0, n = 0;
    saddle_status status = read_contact_head(scan, problem == NULL, &head);
    if (status == SADDLE_OK)
        status = saddle__siconos_matrix_read(scan, "M", &rows, &n, problem ? &problem->M : NULL);
    if (status == SADDLE_OK && rows != n)
        status = wrong_size(scan, "M", rows, n, "it must be square");
    if (status == SADDLE_OK)
        status = saddle__siconos_matrix_read(scan, "H", &rows, &cols,
                                             problem ? &problem->Jt : NULL);
    if (status == SADDLE_OK && (rows != n || cols != head.rows))
        status = wrong_size(
            scan, "H", rows, cols,
            "it needs a row for each of M and a column for each row of the contacts");
    if (status == SADDLE_OK)
        status = saddle__numbers_read(scan, "q", SADDLE__ACCEPT_FINITE, n,
                                      problem ? &problem->f : NULL);
    if (status == SADDLE_OK)
        status = saddle__numbers_read(scan, "b", SADDLE__ACCEPT_FINITE, head.rows,
                                      problem ? &problem->b : NULL);
    if (status == SADDLE_OK) status = read_contact_tail(scan, &head, problem);
    if (status != SADDLE_OK || !problem) return status;
    problem->n = n;
    problem->m = head.rows;
    for (int64_t i = 0; i < head.rows; i++) problem->b[i] = -problem->b[i];
    return saddle__matrix_settle(scan->context, &problem->M);
}

/* ---- GMP ---- */

/* The type of block row k, rows [from, to), into the problem (NULL: walk). */
static saddle_status read_block_type(saddle__scan *scan, int64_t k, int64_t from, int64_t to,
                                     saddle_problem *problem)
{
    int64_t type;
    double mu = 0;
    saddle_status status = saddle__scan_integer(scan, "type of a block row", &type);
    if (status != SADDLE_OK) return status;
    if (type != BLOCK_LCP && type != BLOCK_EQUALITY && type != BLOCK_CONTACT)
        return saddle__scan_fail(scan,
                                 "block row %lld has type %lld: 0 (LCP), 2 (equality) and 4 "
                                 "(contact in space) are known",
                                 (long long)k + 1, (long long)type);
    if (type == BLOCK_CONTACT && to - from != 3)
        return saddle__scan_fail(scan, "block row %lld is a contact in space of %lld rows, not 3",
                                 (long long)k + 1, (long long)(to - from));
    if (type == BLOCK_CONTACT) status = saddle__scan_double(scan, "mu", SADDLE__ACCEPT_FINITE, &mu);
    if (status != SADDLE_OK || !problem) return status;
    if (type == BLOCK_CONTACT)
        problem->contacts[problem->contact_count++] = (saddle_contact){from, 3, mu};
    for (int64_t i = from; type == BLOCK_LCP && i < to; i++) problem->lo[i] = 0;
    return SADDLE_OK;
}

static saddle_status read_block_types(saddle__scan *scan, const int64_t *block_end, int64_t blocks,
                                      saddle_problem *problem)
{
    saddle_status status = saddle__numbers_expect(scan, "types of the block rows", blocks);
    if (status == SADDLE_OK && problem) {
        status = saddle__problem_bound_all(scan->context, problem, -INFINITY, INFINITY);
        problem->contacts = saddle_allocate(scan->context, blocks > 0 ? blocks : 1,
                                            sizeof *problem->contacts);
        if (!problem->contacts) status = SADDLE_OUT_OF_MEMORY;
    }
    for (int64_t k = 0; status == SADDLE_OK && k < blocks; k++)
        status = read_block_type(scan, k, k > 0 ? block_end[k - 1] : 0, block_end[k], problem);
    return status;
}

saddle_status saddle__siconos_gmp_read(saddle__scan *scan, saddle_problem *problem)
{
    int64_t storage, size[2] = {0, 0}, rows = 0, cols = 0, *block_end = NULL, blocks = 0;
    saddle_matrix M = {0};
    double *q = NULL;
    saddle_status status = saddle__scan_range(scan, "storage of M (1, sparse blocks)", 1, 1,
                                              &storage);
    if (status == SADDLE_OK) status = saddle__scan_size(scan, "rows of M", &size[0]);
    if (status == SADDLE_OK)
        status = saddle__scan_range(scan, "columns of M", size[0], size[0], &size[1]);
    if (status == SADDLE_OK) status = saddle__numbers_expect(scan, "q", size[0]);
    if (status == SADDLE_OK)
        status = saddle__siconos_blocks_read(scan, "M", &rows, &cols, problem ? &M : NULL,
                                             &block_end, &blocks);
    if (status == SADDLE_OK && (rows != size[0] || cols != size[1]))
        status = wrong_size(scan, "M", rows, cols, "its header says otherwise");
    if (status == SADDLE_OK)
        status = saddle__numbers_read(scan, "q", SADDLE__ACCEPT_FINITE, rows, problem ? &q : NULL);
    if (status == SADDLE_OK && problem)
        status = saddle__problem_take_delassus(scan->context, &M, &q, problem);
    if (status == SADDLE_OK) status = read_block_types(scan, block_end, blocks, problem);
    if (status == SADDLE_OK) status = saddle__problem_end(scan);
    saddle_matrix_clear(&M);
    saddle_release(scan->context, q);
    saddle_release(scan->context, block_end);
    return status;
}
