/* SPDX-License-Identifier: MIT */
/* See drawn_system.h. */
#include "drawn_system.h"

#include <stdlib.h>
#include <string.h>

#include "dense/dense.h"
#include "dense_kkt.h"

/* ---- drawing ---- */

static void draw_sizes(uint64_t *state, system_kind kind, drawn_system *d)
{
    static const int64_t sizes[] = {3, 6, 3, 6, 1, 2, 5, 0, 4, 11};
    d->count = kind.components;
    int64_t first = 0;
    for (int64_t c = 0; c < d->count; c++) {
        d->size[c] = sizes[test_integer(state, 0, (int64_t)(sizeof sizes / sizeof sizes[0]) - 1)];
        d->first[c] = first;
        first += d->size[c];
    }
    d->problem.n = first;
}

/* rank[p]: who is at place p of an order in which masters come first; masters of place p, by place,
 * -1 at the end. */
static int64_t draw_masters(uint64_t *state, graph_shape shape, int64_t p,
                            int64_t master[MOST_MASTERS])
{
    if (p == 0 || (shape == SHAPE_ANY && test_integer(state, 0, 2) == 0)) return 0;
    if (shape == SHAPE_DIAMONDS && p % 3 == 1) {
        master[0] = p - 1;
        return 1;
    }
    if (shape == SHAPE_DIAMONDS && p >= 3) { /* 1, 2 on 0; 3 on 1 and 2; 4, 5 on 3; .. */
        master[0] = p - 2;
        master[1] = p % 3 == 0 ? p - 1 : p - 2;
        return p % 3 == 0 ? 2 : 1;
    }
    if (shape == SHAPE_CHAIN || shape == SHAPE_DIAMONDS) {
        master[0] = shape == SHAPE_CHAIN ? p - 1 : 0;
        return 1;
    }
    if (shape == SHAPE_STAR) {
        master[0] = test_integer(state, 0, p < 2 ? p - 1 : 1);
        return p > 1 ? 1 : 0;
    }
    int64_t wanted = test_integer(state, 0, MOST_MASTERS);
    int64_t count = 0;
    for (int64_t b = 0; b < wanted; b++) {
        int64_t candidate = test_integer(state, 0, p - 1);
        int64_t known = 0;
        for (int64_t i = 0; i < count; i++) known += master[i] == candidate;
        if (!known) master[count++] = candidate;
    }
    return count;
}

static void draw_directions(uint64_t *state, system_kind kind, int64_t size, drawn_attachment *a)
{
    int partly = test_integer(state, 0, 7) < kind.partly;
    for (int64_t i = 0; i < size; i++)
        if (!partly || test_integer(state, 0, 1)) a->direction[a->direction_count++] = i;
}

static void draw_graph(uint64_t *state, system_kind kind, drawn_system *d)
{
    int64_t rank[MOST_COMPONENTS];
    for (int64_t c = 0; c < d->count; c++) rank[c] = c;
    for (int64_t c = d->count - 1; c > 0; c--) {
        int64_t other = test_integer(state, 0, c);
        int64_t kept = rank[c];
        rank[c] = rank[other];
        rank[other] = kept;
    }
    for (int64_t p = 0; p < d->count; p++) {
        int64_t master[MOST_MASTERS];
        int64_t masters = draw_masters(state, kind.shape, p, master);
        int alone = masters == 0 && test_integer(state, 0, 9) > 0; /* else attached to nothing: v =
                                                                      g */
        if (alone) d->parametric[rank[p]] = test_integer(state, 0, 7) < kind.parametric;
        if (alone) continue;
        drawn_attachment *a = &d->attachment[d->attachment_count++];
        a->component = rank[p];
        a->master_count = masters;
        for (int64_t b = 0; b < masters; b++) a->master[b] = rank[master[b]];
        draw_directions(state, kind, d->size[rank[p]], a);
    }
}

/* A sparse pattern with values; the diagonal of a square one is stored and heavy. */
static saddle_matrix draw_matrix(uint64_t *state, int64_t rows, int64_t cols, int square,
                                 int symmetric, int64_t links)
{
    int64_t most = cols * (links + 1) + 1;
    int64_t *row = calloc((size_t)most, sizeof *row);
    int64_t *col = calloc((size_t)most, sizeof *col);
    double *value = calloc((size_t)most, sizeof *value);
    assert_true(row && col && value);
    int64_t count = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t l = 0; l < links && rows > 0; l++) {
            row[count] = test_integer(state, 0, rows - 1);
            col[count] = j;
            value[count++] = test_uniform(state, -1, 1);
        }
        if (!square) continue;
        row[count] = col[count] = j;
        value[count++] = test_uniform(state, 4, 6) + 2.0 * (double)links;
    }
    saddle_matrix A;
    saddle_symmetry symmetry = symmetric ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE;
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows, cols, count, row, col, value, symmetry,
                                                 &A),
                     SADDLE_OK);
    free(row);
    free(col);
    free(value);
    return A;
}

static double *draw_vector(uint64_t *state, int64_t count)
{
    double *x = saddle_allocate(NULL, count, sizeof *x);
    assert_non_null(x);
    for (int64_t i = 0; i < count; i++) x[i] = test_uniform(state, -1, 1);
    return x;
}

static void draw_values(uint64_t *state, drawn_system *d, int moving)
{
    for (int64_t c = 0; c < d->count; c++)
        for (int64_t i = 0; i < d->size[c]; i++)
            d->velocity[c][i] = moving ? test_uniform(state, -1, 1) : 0;
    for (int64_t k = 0; k < d->attachment_count; k++) {
        drawn_attachment *a = &d->attachment[k];
        for (int64_t i = 0; i < a->direction_count; i++)
            a->term[i] = moving ? test_uniform(state, -1, 1) : 0;
        for (int64_t b = 0; b < a->master_count; b++)
            for (int64_t e = 0; e < a->direction_count * d->size[a->master[b]]; e++)
                a->block[b][e] = test_uniform(state, -0.5, 0.5);
    }
}

drawn_system draw_system(uint64_t *state, system_kind kind)
{
    drawn_system d = {0};
    draw_sizes(state, kind, &d);
    draw_graph(state, kind, &d);
    draw_values(state, &d, kind.moving);
    saddle_problem *p = &d.problem;
    p->m = kind.rows;
    p->M = draw_matrix(state, p->n, p->n, 1, !kind.general, test_integer(state, 0, 4));
    p->Jt = draw_matrix(state, p->n, p->m, 0, 0, 4);
    p->R = draw_matrix(state, p->m, p->m, 1, 1, 0);
    p->f = draw_vector(state, p->n);
    p->b = draw_vector(state, p->m);
    p->owner = 1;
    return d;
}

void redraw_values(uint64_t *state, drawn_system *d)
{
    saddle_problem *p = &d->problem;
    draw_values(state, d, 1);
    for (int64_t k = 0; k < saddle_matrix_entries(&p->M); k++)
        p->M.value[k] *= test_uniform(state, 0.9, 1.1);
    for (int64_t k = 0; k < saddle_matrix_entries(&p->Jt); k++)
        p->Jt.value[k] = test_uniform(state, -1, 1);
    for (int64_t k = 0; k < saddle_matrix_entries(&p->R); k++)
        p->R.value[k] *= test_uniform(state, 0.5, 2);
    for (int64_t i = 0; i < p->n; i++) p->f[i] = test_uniform(state, -1, 1);
    for (int64_t i = 0; i < p->m; i++) p->b[i] = test_uniform(state, -1, 1);
}

void drawn_system_clear(drawn_system *d)
{
    saddle_problem_clear(&d->problem);
}

/* ---- the graph ---- */

static int64_t id_of(int64_t component)
{
    return 100 - 3 * component;
}

static void attach(saddle_attachments *graph, const drawn_system *d, const drawn_attachment *a)
{
    saddle_attachment_block block[MOST_MASTERS];
    for (int64_t b = 0; b < a->master_count; b++)
        block[b] = (saddle_attachment_block){.master = id_of(a->master[b]),
                                             .rows = a->direction_count,
                                             .cols = d->size[a->master[b]],
                                             .value = a->block[b]};
    saddle_attachment attachment = {.component = id_of(a->component),
                                    .direction_count = a->direction_count,
                                    .directions = a->direction,
                                    .block_count = a->master_count,
                                    .blocks = block,
                                    .term = a->term};
    assert_int_equal(saddle_attachments_attach(graph, &attachment), SADDLE_OK);
}

saddle_attachments *graph_of(saddle_context *context, const drawn_system *d, int reversed)
{
    saddle_attachments *graph;
    assert_int_equal(saddle_attachments_create(context, &graph), SADDLE_OK);
    for (int64_t c = 0; c < d->count; c++) {
        saddle_component component = {.id = id_of(c),
                                      .kind = SADDLE_COMPONENT_COORDINATES,
                                      .size = d->size[c],
                                      .parametric = d->parametric[c]};
        if (d->size[c] == 3) component.kind = SADDLE_COMPONENT_PARTICLE;
        if (d->size[c] == 6) component.kind = SADDLE_COMPONENT_FRAME;
        assert_int_equal(saddle_attachments_add(graph, &component), SADDLE_OK);
        if (d->parametric[c])
            assert_int_equal(saddle_attachments_prescribe(graph, id_of(c), d->velocity[c]),
                             SADDLE_OK);
    }
    for (int64_t k = 0; k < d->attachment_count; k++)
        attach(graph, d, &d->attachment[reversed ? d->attachment_count - 1 - k : k]);
    return graph;
}

void set_values(saddle_attachments *graph, const drawn_system *d)
{
    for (int64_t c = 0; c < d->count; c++)
        if (d->parametric[c])
            assert_int_equal(saddle_attachments_prescribe(graph, id_of(c), d->velocity[c]),
                             SADDLE_OK);
    for (int64_t k = 0; k < d->attachment_count; k++) {
        const drawn_attachment *a = &d->attachment[k];
        double value[MOST_MASTERS * MOST_SIZE * MOST_SIZE];
        int64_t count = 0;
        for (int64_t b = 0; b < a->master_count; b++)
            for (int64_t e = 0; e < a->direction_count * d->size[a->master[b]]; e++)
                value[count++] = a->block[b][e];
        assert_int_equal(saddle_attachments_set(graph, id_of(a->component), value, a->term),
                         SADDLE_OK);
    }
}

/* ---- the dense twin ---- */

void dense_attachments(const drawn_system *d, double *E, double *e)
{
    int64_t n = d->problem.n;
    memset(E, 0, (size_t)(n * n) * sizeof *E);
    memset(e, 0, (size_t)n * sizeof *e);
    for (int64_t c = 0; c < d->count; c++)
        for (int64_t i = 0; d->parametric[c] && i < d->size[c]; i++) {
            E[(d->first[c] + i) * (n + 1)] = 1;
            e[d->first[c] + i] = d->velocity[c][i];
        }
    for (int64_t k = 0; k < d->attachment_count; k++) {
        const drawn_attachment *a = &d->attachment[k];
        for (int64_t i = 0; i < a->direction_count; i++) {
            int64_t row = d->first[a->component] + a->direction[i];
            E[row * (n + 1)] = 1;
            e[row] = a->term[i];
            for (int64_t b = 0; b < a->master_count; b++)
                for (int64_t c = 0; c < d->size[a->master[b]]; c++)
                    E[row + (d->first[a->master[b]] + c) * n] =
                        -a->block[b][c * a->direction_count + i];
        }
    }
}

/* [M -J' -E'; J R 0; E 0 I_active] (v, lambda, force) = (f, b, e): the last rows say force = 0 at
 * active velocities. */
void solve_kept(const drawn_system *d, double *v, double *lambda, double *force)
{
    const saddle_problem *p = &d->problem;
    int64_t n = p->n;
    int64_t m = p->m;
    int64_t size = 2 * n + m;
    double *K = calloc((size_t)(size * size + 1), sizeof *K);
    double *x = calloc((size_t)(size + 1), sizeof *x);
    double *E = calloc((size_t)(n * n + 1), sizeof *E);
    assert_true(K && x && E);
    dense_attachments(d, E, x + n + m);
    for (int64_t j = 0; j < n; j++) {
        for (int64_t i = 0; i < n; i++) {
            K[i + j * size] = saddle_matrix_entry(&p->M, i, j);
            K[n + m + i + j * size] = E[i + j * n];
            K[i + (n + m + j) * size] = -E[j + i * n];
        }
        for (int64_t i = 0; i < m; i++) {
            K[n + i + j * size] = saddle_matrix_entry(&p->Jt, j, i);
            K[j + (n + i) * size] = -saddle_matrix_entry(&p->Jt, j, i);
        }
        if (E[j * (n + 1)] == 0) K[(n + m + j) * (size + 1)] = 1;
        x[j] = p->f[j];
    }
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < m; j++)
            K[n + i + (n + j) * size] = saddle_matrix_entry(&p->R, i, j);
        x[n + i] = p->b[i];
    }
    if (size > 0) assert_int_equal(saddle__dense_solve(NULL, size, K, x), SADDLE_OK);
    memcpy(v, x, (size_t)n * sizeof *v);
    memcpy(lambda, x + n, (size_t)m * sizeof *lambda);
    memcpy(force, x + n + m, (size_t)n * sizeof *force);
    free(K);
    free(x);
    free(E);
}

int64_t dense_map(const drawn_system *d, double *Q, double *particular)
{
    int64_t n = d->problem.n;
    double *E = calloc((size_t)(n * n + 1), sizeof *E);
    double *A = calloc((size_t)(n * n + 1), sizeof *A);
    assert_true(E && A);
    dense_attachments(d, E, particular);
    int64_t columns = 0;
    for (int64_t j = -1; j < n; j++) { /* -1: the particular velocities */
        if (j >= 0 && E[j * (n + 1)] != 0) continue;
        double *x = j < 0 ? particular : Q + columns++ * n;
        memcpy(A, E, (size_t)(n * n) * sizeof *A);
        for (int64_t i = 0; i < n; i++) {
            if (E[i * (n + 1)] == 0) A[i * (n + 1)] = 1;
            if (j >= 0) x[i] = i == j;
        }
        if (n > 0) assert_int_equal(saddle__dense_solve(NULL, n, A, x), SADDLE_OK);
    }
    free(E);
    free(A);
    return columns;
}

system_kind draw_kind(uint64_t *state)
{
    return (system_kind){.shape = (graph_shape)test_integer(state, 0, SHAPE_COUNT - 1),
                         .components = test_integer(state, 0, MOST_COMPONENTS),
                         .rows = test_integer(state, 0, MOST_M),
                         .general = (int)test_integer(state, 0, 1),
                         .parametric = (int)test_integer(state, 0, 1) * 3,
                         .partly = (int)test_integer(state, 0, 2) * 2,
                         .moving = (int)test_integer(state, 0, 1)};
}

void solve_dense(const saddle_problem *p, double *v, double *lambda)
{
    double *K;
    double *x;
    assert_int_equal(test_dense_kkt(NULL, p, &K, &x), SADDLE_OK);
    if (p->n + p->m > 0) assert_int_equal(saddle__dense_solve(NULL, p->n + p->m, K, x), SADDLE_OK);
    for (int64_t i = 0; i < p->n; i++) v[i] = x[i];
    for (int64_t i = 0; i < p->m; i++) lambda[i] = -x[p->n + i];
    saddle_release(NULL, K);
    saddle_release(NULL, x);
}

int64_t solve_twin(const drawn_system *d, double *v, double *lambda)
{
    double force[MOST_N], E[MOST_N * MOST_N], e[MOST_N];
    solve_kept(d, v, lambda, force);
    dense_attachments(d, E, e);
    int64_t m = d->problem.m;
    for (int64_t i = 0; i < d->problem.n; i++)
        if (E[i * (d->problem.n + 1)] != 0) lambda[m++] = force[i];
    return m;
}

void solve_by(const saddle_elimination *e, const saddle_problem *problem, saddle_solution *whole)
{
    const saddle_problem *p = saddle_elimination_problem(e);
    double v[MOST_N], lambda[MOST_WHOLE], w[MOST_WHOLE] = {0};
    solve_dense(p, v, lambda);
    const saddle_solution solution = {.n = p->n, .m = p->m, .v = v, .lambda = lambda, .w = w};
    assert_int_equal(saddle_elimination_recover(e, problem, &solution, whole), SADDLE_OK);
}
