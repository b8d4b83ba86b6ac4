/* SPDX-License-Identifier: MIT */
/* Absent parts of a problem count as zero, absent bounds as infinite: every solver solves or
 * refuses such a problem as the same problem written out, with the same velocities, unique by a
 * regular M. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "support.h"

enum { MOST = 5, PARTS = 6, DRAWS = 40 };

/* What may be left out. */
enum part { PART_J, PART_R, PART_F, PART_B, PART_LO, PART_HI };

typedef struct drawn {
    int64_t n, m;
    int64_t start[3][MOST + 1], index[3][MOST * MOST];
    double value[3][MOST * MOST], f[MOST], b[MOST], lo[MOST], hi[MOST];
} drawn;

/* Dense columns, lower triangles where symmetric; shift on the diagonal. */
static saddle_matrix fill(drawn *d, int which, uint64_t *state, int64_t rows, int64_t cols,
                          int symmetric, double size, double shift)
{
    int64_t count = 0;
    d->start[which][0] = 0;
    for (int64_t j = 0; j < cols; j++) {
        for (int64_t i = symmetric ? j : 0; i < rows; i++) {
            d->index[which][count] = i;
            d->value[which][count++] = size * test_uniform(state, -1.0, 1.0) +
                                       (i == j ? shift : 0.0);
        }
        d->start[which][j + 1] = count;
    }
    saddle_matrix A = {.rows = rows,
                       .cols = cols,
                       .symmetry = symmetric ? SADDLE_SYMMETRY_LOWER : SADDLE_SYMMETRY_NONE,
                       .start = d->start[which],
                       .index = d->index[which],
                       .value = d->value[which]};
    return A;
}

/* Everything there; parts in `zero` are zeros, or infinite bounds. */
static saddle_problem draw(drawn *d, uint64_t *state, unsigned zero)
{
    d->n = test_integer(state, 0, MOST);
    d->m = test_integer(state, 0, MOST);
    int has_J = !(zero >> PART_J & 1u);
    int has_R = !(zero >> PART_R & 1u);
    saddle_problem p = {.n = d->n, .m = d->m};
    p.M = fill(d, 0, state, d->n, d->n, 1, 0.2, 2.0);
    p.Jt = fill(d, 1, state, d->n, d->m, 0, has_J ? 1.0 : 0.0, 0.0);
    p.R = fill(d, 2, state, d->m, d->m, 1, has_R ? 0.1 : 0.0, has_R ? 1.0 : 0.0);
    for (int64_t j = 0; j < d->n; j++)
        d->f[j] = zero >> PART_F & 1u ? 0.0 : test_uniform(state, -1.0, 1.0);
    for (int64_t i = 0; i < d->m; i++) {
        d->b[i] = zero >> PART_B & 1u ? 0.0 : test_uniform(state, -1.0, 1.0);
        d->lo[i] = zero >> PART_LO & 1u ? -(double)INFINITY : 0.0;
        d->hi[i] = zero >> PART_HI & 1u ? (double)INFINITY : 0.5;
    }
    p.f = d->f;
    p.b = d->b;
    p.lo = d->lo;
    p.hi = d->hi;
    return p;
}

static saddle_problem leave_out(const saddle_problem *all, unsigned absent)
{
    saddle_problem p = *all;
    saddle_matrix nothing = {0};
    if (absent >> PART_J & 1u && (p.n == 0 || p.m == 0)) p.Jt = nothing;
    if (absent >> PART_R & 1u) p.R = nothing;
    if (absent >> PART_F & 1u) p.f = NULL;
    if (absent >> PART_B & 1u) p.b = NULL;
    if (absent >> PART_LO & 1u) p.lo = NULL;
    if (absent >> PART_HI & 1u) p.hi = NULL;
    if (p.n == 0) p.M = nothing;
    return p;
}

static void compare(const saddle_solver_type *type, const saddle_problem *all,
                    const saddle_problem *some, unsigned absent)
{
    saddle_solution x = {0};
    saddle_solution y = {0};
    saddle_status whole = saddle_solve(NULL, all, type->name, NULL, NULL, &x, NULL);
    saddle_status part = saddle_solve(NULL, some, type->name, NULL, NULL, &y, NULL);
    /* Dependent rows may take more steps than there are. */
    int solved = test_is_iterative(type->name) || (whole == SADDLE_OK) == (part == SADDLE_OK);
    if (!solved || (whole < 0) != (part < 0))
        fail_msg("%s, n = %" PRId64 ", m = %" PRId64 ", absent %x: %s, written out %s", type->name,
                 all->n, all->m, absent, saddle_status_name(part), saddle_status_name(whole));
    if (whole == SADDLE_OK && part == SADDLE_OK && test_distance(x.v, y.v, all->n) > 1e-8)
        fail_msg("%s: other velocities, absent %x", type->name, absent);
    saddle_solution_clear(&x);
    saddle_solution_clear(&y);
}

static void what_is_absent_counts_as_zero(void **unused)
{
    (void)unused;
    uint64_t state = test_seed();
    const saddle_solver_type *type;
    for (unsigned absent = 0; absent < 1u << PARTS; absent++)
        for (int k = 0; k < test_draws(DRAWS); k++) {
            drawn d;
            saddle_problem all = draw(&d, &state, absent);
            saddle_problem some = leave_out(&all, absent);
            for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++)
                if (saddle_solver_type_supports(NULL, type, &all) == SADDLE_OK)
                    compare(type, &all, &some, absent);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_absent_counts_as_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
