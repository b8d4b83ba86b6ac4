/* SPDX-License-Identifier: MIT */
/* The division of drawn problems into islands, against components found by brute force. */
#include "islands/partition.h"
#include "support.h"

#include <math.h>
#include <string.h>

/* As in partition.c. */
enum { SMALL = 12, MOST_JOINED = 256 };

enum { MOST = 500, ENTRIES = 2000, ROUNDS = 60 };

typedef struct drawn {
    saddle_problem problem;
    int64_t component[2 * MOST]; /* of the nodes: the least node of the component */
    int64_t island[2 * MOST];    /* of the nodes, by the partition */
} drawn;

static int64_t draw_entries(uint64_t *state, int64_t rows, int64_t cols, int64_t count,
                            saddle_symmetry symmetry, saddle_matrix *A)
{
    static int64_t row[ENTRIES], col[ENTRIES];
    static double value[ENTRIES];
    static char seen[MOST][MOST];
    int64_t made = 0;
    memset(seen, 0, sizeof seen);
    for (int64_t k = 0; rows > 0 && cols > 0 && k < count; k++) {
        int64_t i = test_integer(state, 0, rows - 1), j = test_integer(state, 0, cols - 1);
        int64_t far = i - j < 0 ? j - i : i - j;
        if (symmetry == SADDLE_SYMMETRY_LOWER && (i < j || far > 3)) continue;
        if (seen[i][j]++) continue;
        row[made] = i;
        col[made] = j;
        value[made++] = test_integer(state, 0, 4) ? test_uniform(state, -1, 1) : 0.0;
    }
    assert_int_equal(saddle_matrix_from_triplets(NULL, rows, cols, made, row, col, value, symmetry,
                                                 A),
                     SADDLE_OK);
    return made;
}

/* Contacts of two and three rows, bounds, equalities; sparse enough to fall apart. */
static void draw(uint64_t *state, drawn *d)
{
    static saddle_contact contact[MOST];
    static double lo[MOST], hi[MOST], f[MOST], b[MOST];
    saddle_problem *p = &d->problem;
    *p = (saddle_problem){.n = test_integer(state, 0, MOST), .m = test_integer(state, 20, MOST)};
    int64_t dense = test_integer(state, 1, 3);
    (void)draw_entries(state, p->n, p->n, dense * p->n, SADDLE_SYMMETRY_LOWER, &p->M);
    (void)draw_entries(state, p->n, p->m, dense * p->m / 2, SADDLE_SYMMETRY_NONE, &p->Jt);
    if (test_integer(state, 0, 2))
        (void)draw_entries(state, p->m, p->m, dense * p->m, SADDLE_SYMMETRY_LOWER, &p->R);
    p->lo = lo;
    p->hi = hi;
    p->f = f;
    p->b = test_integer(state, 0, 3) ? b : NULL;
    p->contacts = contact;
    p->law = test_integer(state, 0, 1) ? SADDLE_LAW_CONE : SADDLE_LAW_PYRAMID;
    for (int64_t j = 0; j < p->n; j++) f[j] = test_uniform(state, -1, 1);
    int contacts = test_integer(state, 0, 4) > 0;
    for (int64_t i = 0; i < p->m; i++) {
        int bounded = test_integer(state, 0, 3) == 0;
        lo[i] = bounded ? 0.0 : -(double)INFINITY;
        hi[i] = (double)INFINITY;
        b[i] = test_uniform(state, -1, 1);
    }
    for (int64_t i = 0; contacts && i + 3 <= p->m; i++)
        if (test_integer(state, 0, 3) == 0) {
            saddle_contact made = {.row = i,
                                   .size = test_integer(state, 2, 3),
                                   .mu = test_uniform(state, 0, 1)};
            contact[p->contact_count++] = made;
            i += made.size - 1;
        }
}

static void clear(drawn *d)
{
    saddle_matrix_clear(&d->problem.M);
    saddle_matrix_clear(&d->problem.Jt);
    saddle_matrix_clear(&d->problem.R);
}

/* Lowers both to the smaller; whether one was lowered. */
static int pull(int64_t *component, int64_t a, int64_t b)
{
    int64_t least = component[a] < component[b] ? component[a] : component[b];
    int changed = component[a] != least || component[b] != least;
    component[a] = component[b] = least;
    return changed;
}

static int pull_matrix(int64_t *component, const saddle_matrix *A, int64_t row, int64_t col)
{
    int changed = 0;
    for (int64_t j = 0; A->start && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            changed |= pull(component, col + j, row + A->index[k]);
    return changed;
}

static void find_components(drawn *d)
{
    const saddle_problem *p = &d->problem;
    int changed = 1;
    for (int64_t i = 0; i < p->n + p->m; i++) d->component[i] = i;
    while (changed) {
        changed = pull_matrix(d->component, &p->M, 0, 0);
        changed |= pull_matrix(d->component, &p->Jt, 0, p->n);
        changed |= pull_matrix(d->component, &p->R, p->n, p->n);
        for (int64_t c = 0; c < p->contact_count; c++)
            for (int64_t k = 1; k < p->contacts[c].size; k++)
                changed |= pull(d->component, p->n + p->contacts[c].row,
                                p->n + p->contacts[c].row + k);
    }
}

/* The entries of an island are those of the whole, and as many. */
static void claim_entries(const saddle_matrix *part, const saddle_matrix *whole, const int64_t *row,
                          const int64_t *col)
{
    for (int64_t j = 0; j < part->cols; j++) {
        int64_t there = whole->start ? whole->start[col[j] + 1] - whole->start[col[j]] : 0;
        assert_int_equal(part->start ? part->start[j + 1] - part->start[j] : 0, there);
        for (int64_t k = 0; k < there; k++) {
            int64_t at = part->start[j] + k, in = whole->start[col[j]] + k;
            assert_int_equal(row[part->index[at]], whole->index[in]);
            assert_true(part->value[at] == whole->value[in]);
        }
    }
}

static void claim_island(drawn *d, const saddle__partition *p, int64_t k)
{
    const saddle_problem *w = &d->problem;
    const saddle__island *s = &p->island[k];
    const saddle_problem *q = &s->problem;
    const int64_t *velocity = p->velocity + s->velocity, *row = p->row + s->row;
    assert_int_equal(saddle_problem_check(NULL, q, NULL, NULL), SADDLE_OK);
    for (int64_t j = 0; j < q->n; j++) {
        assert_true(j == 0 || velocity[j - 1] < velocity[j]);
        assert_int_equal(d->island[velocity[j]], -1);
        d->island[velocity[j]] = k;
        assert_true(q->f[j] == w->f[velocity[j]]);
    }
    for (int64_t i = 0; i < q->m; i++) {
        assert_true(i == 0 || row[i - 1] < row[i]);
        assert_int_equal(d->island[w->n + row[i]], -1);
        d->island[w->n + row[i]] = k;
        assert_true((q->b ? q->b[i] : 0.0) == (w->b ? w->b[row[i]] : 0.0));
        assert_true(q->lo[i] == w->lo[row[i]] && q->hi[i] == w->hi[row[i]]);
    }
    for (int64_t c = 0; c < q->contact_count; c++) {
        const saddle_contact *from = &w->contacts[p->contact[s->contact + c]];
        assert_int_equal(row[q->contacts[c].row], from->row);
        assert_int_equal(q->contacts[c].size, from->size);
        assert_true(q->contacts[c].mu == from->mu);
    }
    claim_entries(&q->M, &w->M, velocity, velocity);
    claim_entries(&q->Jt, &w->Jt, velocity, row);
    if (q->R.start) claim_entries(&q->R, &w->R, row, row);
}

/* Components with bounds and more than SMALL rows stand alone. */
static void claim_components(const drawn *d, const saddle__partition *p)
{
    const saddle_problem *w = &d->problem;
    static int64_t rows[2 * MOST], bounded[2 * MOST];
    memset(rows, 0, sizeof rows);
    memset(bounded, 0, sizeof bounded);
    for (int64_t i = 0; i < w->m; i++) {
        rows[d->component[w->n + i]]++;
        bounded[d->component[w->n + i]] += isfinite(w->lo[i]) != 0;
    }
    for (int64_t c = 0; c < w->contact_count; c++)
        bounded[d->component[w->n + w->contacts[c].row]]++;
    for (int64_t a = 0; a < w->n + w->m; a++) {
        int64_t x = d->component[a];
        assert_int_equal(d->island[a], d->island[x]); /* no component is cut */
        for (int64_t y = 0; y < x; y++) {
            if (d->component[y] != y || d->island[y] != d->island[x]) continue;
            assert_int_equal(bounded[x] > 0, bounded[y] > 0);
            assert_true(!bounded[x] || (rows[x] <= SMALL && rows[y] <= SMALL));
        }
    }
    for (int64_t k = 0; k < p->count; k++)
        assert_true(p->island[k].problem.n + p->island[k].problem.m > 0);
}

static void drawn_problems_are_divided_into_their_components(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static drawn d;
    int64_t divided = 0, alone = 0, full = 0;
    for (int64_t round = 0; round < test_draws(ROUNDS); round++) {
        saddle__partition p = {0};
        draw(&state, &d);
        find_components(&d);
        assert_int_equal(saddle__partition_create(&d.problem, &p), SADDLE_OK);
        divided += p.count > 1;
        if (p.count > 1) {
            for (int64_t i = 0; i < d.problem.n + d.problem.m; i++) d.island[i] = -1;
            saddle__partition_set_matrices(&p, &d.problem);
            saddle__partition_set_vectors(&p, &d.problem);
            for (int64_t k = 0; k < p.count; k++) {
                claim_island(&d, &p, k);
                alone += p.island[k].problem.m > SMALL;
                full += p.island[k].problem.m >= MOST_JOINED;
            }
            for (int64_t i = 0; i < d.problem.n + d.problem.m; i++) assert_true(d.island[i] >= 0);
            claim_components(&d, &p);
        }
        saddle__layout_clear(p.context, &p.layout);
        clear(&d);
    }
    assert_true(test_is_slow() || (divided > ROUNDS / 3 && alone > 10 && full > 0));
}

static saddle_status divide(saddle_context *context, void *user)
{
    saddle__partition p = {.context = context};
    saddle_status status = saddle__partition_create(user, &p);
    saddle__layout_clear(p.context, &p.layout);
    return status;
}

static void failing_allocations_leak_nothing(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    static drawn d;
    for (int64_t islands = 1; islands == 1;) {
        saddle__partition p = {0};
        clear(&d);
        draw(&state, &d);
        assert_int_equal(saddle__partition_create(&d.problem, &p), SADDLE_OK);
        islands = p.count;
        saddle__layout_clear(p.context, &p.layout);
    }
    assert_int_equal(test_allocation_sweep(divide, &d.problem), 2);
    clear(&d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drawn_problems_are_divided_into_their_components),
        cmocka_unit_test(failing_allocations_leak_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
