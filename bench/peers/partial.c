/* SPDX-License-Identifier: MIT */
/* K taken apart into A, B and C (partial.h), its values following along an index map. */
#include "peers/partial.h"

static void clear_block(saddle_context *context, saddle__partial_block *block)
{
    saddle_matrix_clear(&block->matrix);
    saddle_release(context, block->source);
}

void saddle__partial_clear(saddle__partial *p)
{
    saddle__ldlt_complement_free(p->rows);
    saddle__ldlt_free(p->engine);
    saddle_matrix_clear(&p->S);
    clear_block(p->context, &p->A);
    clear_block(p->context, &p->B);
    clear_block(p->context, &p->C);
    saddle_release(p->context, p->node);
    saddle_release(p->context, p->sign);
    saddle_release(p->context, p->scale);
    saddle_release(p->context, p->work);
    saddle__partial empty = {0};
    *p = empty;
}

/* ---- K taken apart ---- */

/* Numbers from 0 in each class, ascending: lower triangles stay lower triangles, and columns
 * sorted. */
static void number_nodes(saddle__partial *p, const signed char *chosen, int64_t *number)
{
    for (int64_t i = 0; i < p->n; i++) number[i] = chosen[i] ? p->chosen++ : p->eliminated++;
    for (int64_t i = 0; i < p->n; i++) p->node[number[i] + (chosen[i] ? p->eliminated : 0)] = i;
}

/* Where the entry (i, j) of K belongs, and as what. */
typedef struct home {
    saddle__partial_block *block;
    int64_t row, col;
} home;

static home home_of(saddle__partial *p, const signed char *chosen, const int64_t *number, int64_t i,
                    int64_t j)
{
    home at = {.block = chosen[i] ? &p->C : &p->A, .row = number[i], .col = number[j]};
    if (!chosen[i] == !chosen[j]) return at;
    at.block = &p->B;
    at.row = chosen[i] ? number[j] : number[i];
    at.col = chosen[i] ? number[i] : number[j];
    return at;
}

/* Room for `entries` entries; their sources. */
static saddle_status open_block(saddle__partial *p, int64_t rows, int64_t cols, int64_t entries,
                                saddle_symmetry symmetry, saddle__partial_block *block)
{
    saddle_status status = saddle_matrix_create(p->context, rows, cols, entries, symmetry,
                                                &block->matrix);
    if (status != SADDLE_OK) return status;
    block->source = saddle_allocate(p->context, entries, sizeof(*block->source));
    return block->source ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* Column starts from the counts in start[1 ..]. */
static void add_up(saddle_matrix *matrix)
{
    for (int64_t j = 0; j < matrix->cols; j++) matrix->start[j + 1] += matrix->start[j];
}

/* Entries in K's order: column c of B first gets K's row c, from columns before c, then K's column
 * c.  fill: where each block's columns have got to. */
static saddle_status take_apart(saddle__partial *p, const saddle_matrix *K,
                                const signed char *chosen, const int64_t *number)
{
    int64_t entries = saddle_matrix_entries(K);
    int64_t count[3] = {0, 0, 0};
    saddle__partial_block *blocks[] = {&p->A, &p->B, &p->C};
    for (int64_t j = 0; entries > 0 && j < p->n; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++)
            count[home_of(p, chosen, number, K->index[k], j).block == &p->B
                      ? 1
                      : (chosen[j] ? 2 : 0)]++;
    saddle_status status = open_block(p, p->eliminated, p->eliminated, count[0],
                                      SADDLE_SYMMETRY_LOWER, &p->A);
    if (status == SADDLE_OK)
        status = open_block(p, p->eliminated, p->chosen, count[1], SADDLE_SYMMETRY_NONE, &p->B);
    if (status == SADDLE_OK)
        status = open_block(p, p->chosen, p->chosen, count[2], SADDLE_SYMMETRY_LOWER, &p->C);
    if (status != SADDLE_OK || entries == 0) return status;
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            home at = home_of(p, chosen, number, K->index[k], j);
            at.block->matrix.start[at.col + 1]++;
        }
    for (int b = 0; b < 3; b++) {
        saddle_matrix *matrix = &blocks[b]->matrix;
        add_up(matrix);
        for (int64_t j = matrix->cols; j > 0; j--)
            matrix->start[j] = matrix->start[j - 1]; /* fill positions */
    }
    for (int64_t j = 0; j < p->n; j++)
        for (int64_t k = K->start[j]; k < K->start[j + 1]; k++) {
            home at = home_of(p, chosen, number, K->index[k], j);
            int64_t e = at.block->matrix.start[at.col + 1]++;
            at.block->matrix.index[e] = at.row;
            at.block->source[e] = k;
        }
    return SADDLE_OK;
}

/* ---- analyse ---- */

static saddle_status analyse_blocks(saddle__partial *p, const saddle__partial_request *request,
                                    signed char *late)
{
    saddle__ldlt_request engine = {.ordering = request->ordering,
                                   .late = request->late ? late : NULL,
                                   .threads = request->threads};
    saddle__ldlt_complement_request carried = {.most_entries = request->most_entries};
    for (int64_t i = 0; request->late && i < p->eliminated; i++)
        late[i] = request->late[p->node[i]];
    saddle_status status = saddle__ldlt_analyse(p->context, &p->A.matrix, &engine, &p->engine);
    if (status == SADDLE_OK)
        status = saddle__ldlt_complement_analyse(p->context, p->engine, &p->B.matrix, &p->C.matrix,
                                                 &carried, &p->rows, &p->S);
    return status;
}

saddle_status saddle__partial_analyse(saddle_context *context, const saddle_matrix *K,
                                      const saddle__partial_request *request, saddle__partial *p)
{
    saddle__partial fresh = {.context = context, .n = K->cols};
    *p = fresh;
    p->node = saddle_allocate(context, p->n, sizeof(*p->node));
    p->work = saddle_allocate(context, p->n, sizeof(*p->work));
    int64_t *number = saddle_allocate(context, p->n, sizeof(*number));
    saddle_status status = p->node && p->work && number ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) {
        number_nodes(p, request->chosen, number);
        p->sign = saddle_allocate(context, p->eliminated, sizeof(*p->sign));
        p->scale = saddle_allocate(context, p->eliminated, sizeof(*p->scale));
        status = p->sign && p->scale ? take_apart(p, K, request->chosen, number)
                                     : SADDLE_OUT_OF_MEMORY;
    }
    if (status == SADDLE_OK) status = analyse_blocks(p, request, p->sign);
    saddle_release(context, number);
    if (status != SADDLE_OK) saddle__partial_clear(p);
    return status;
}

/* ---- factor, form ---- */

static void refresh(saddle__partial_block *block, const double *value)
{
    int64_t entries = saddle_matrix_entries(&block->matrix);
    for (int64_t e = 0; e < entries; e++) block->matrix.value[e] = value[block->source[e]];
}

saddle_status saddle__partial_factor(saddle__partial *p, const saddle_matrix *K,
                                     const saddle__pivot_rule *rule, saddle__factor_counts *counts)
{
    refresh(&p->A, K->value);
    refresh(&p->B, K->value);
    refresh(&p->C, K->value);
    saddle__pivot_rule own = *rule;
    for (int64_t i = 0; rule->sign && i < p->eliminated; i++) p->sign[i] = rule->sign[p->node[i]];
    for (int64_t i = 0; rule->scale && i < p->eliminated; i++)
        p->scale[i] = rule->scale[p->node[i]];
    if (rule->sign) own.sign = p->sign;
    if (rule->scale) own.scale = p->scale;
    saddle_status status = saddle__ldlt_factor(p->engine, &p->A.matrix, &own, counts);
    if (counts->first_perturbed >= 0) counts->first_perturbed = p->node[counts->first_perturbed];
    if (counts->failed_column >= 0) counts->failed_column = p->node[counts->failed_column];
    return status;
}

void saddle__partial_form(saddle__partial *p)
{
    (void)saddle__ldlt_complement_form(p->rows, &p->B.matrix, &p->C.matrix, -1.0, &p->S);
}

/* ---- solves ---- */

void saddle__partial_condense(saddle__partial *p, double *x)
{
    double *a = p->work;
    double *c = a + p->eliminated;
    for (int64_t i = 0; i < p->n; i++) a[i] = x[p->node[i]];
    saddle__ldlt_solve(p->engine, SADDLE__LDLT_WHOLE, 1, a, p->eliminated);
    saddle_matrix_apply_transpose(&p->B.matrix, -1.0, a, 1.0, c);
    for (int64_t i = 0; i < p->n; i++) x[p->node[i]] = a[i];
}

void saddle__partial_expand(saddle__partial *p, double *x)
{
    double *a = p->work;
    double *y = a + p->eliminated;
    for (int64_t i = 0; i < p->chosen; i++) y[i] = x[p->node[p->eliminated + i]];
    saddle_matrix_apply(&p->B.matrix, 1.0, y, 0.0, a);
    saddle__ldlt_solve(p->engine, SADDLE__LDLT_WHOLE, 1, a, p->eliminated);
    for (int64_t i = 0; i < p->eliminated; i++) x[p->node[i]] -= a[i];
}
