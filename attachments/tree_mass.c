/* SPDX-License-Identifier: MIT */
/* M_r = J'M J of a tree, sparse, by composite bodies (Featherstone 2008, chapter 6): column by
 * column of the lower triangle, each coordinate with the coordinates of its subtree.
 *
 * A subtree as one rigid body has mass, m c and moment of inertia about the origin of its first
 * body; moved by arm to the parent,
 *
 *     m c + m r,       I + 2 r'(m c) 1 - r (m c)' - (m c) r' + m (r'r 1 - r r')
 *
 * F = M_subtree S_i of a coordinate i, carried to the bodies above, has the entries S_j'F.
 *
 * M_r x without the entries: the motions J x from the root to the tips, M times those, and J' of
 * that from the tips to the root.
 */
#include "tree.h"

#include <math.h>

/* composite (10 of each body): mass, m c, moment */
static void collect_composite(const saddle__link *k, const double *own, double *parent)
{
    const double *r = k->arm;
    const double *c = own + 1;
    const double m = own[0];
    const double both = 2 * saddle__dot(r, c) + m * saddle__dot(r, r);
    parent[0] += m;
    for (int i = 0; i < 3; i++) parent[1 + i] += c[i] + m * r[i];
    parent[4] += own[4] + both - 2 * r[0] * c[0] - m * r[0] * r[0];
    parent[5] += own[5] - r[0] * c[1] - c[0] * r[1] - m * r[0] * r[1];
    parent[6] += own[6] - r[0] * c[2] - c[0] * r[2] - m * r[0] * r[2];
    parent[7] += own[7] + both - 2 * r[1] * c[1] - m * r[1] * r[1];
    parent[8] += own[8] - r[1] * c[2] - c[1] * r[2] - m * r[1] * r[2];
    parent[9] += own[9] + both - 2 * r[2] * c[2] - m * r[2] * r[2];
}

/* own (10) += mass, m c, moment of the body alone */
static void add_own(const saddle__link *k, double *own)
{
    own[0] += k->mass;
    for (int a = 0; a < 3; a++) own[1 + a] += k->mass * k->center[a];
    for (int a = 0; a < 6; a++) own[4 + a] += k->moment[a];
}

static void make_composites(saddle_tree *t, double *composite)
{
    memset(composite, 0, (size_t)(10 * t->bodies) * sizeof *composite);
    for (int64_t i = t->bodies - 1; i >= 0; i--) {
        const saddle__link *k = &t->link[i];
        double *own = composite + 10 * i;
        add_own(k, own);
        if (t->parent[i] >= 0) collect_composite(k, own, composite + 10 * t->parent[i]);
    }
}

/* F = (m nu + omega x m c, m c x nu + I omega) */
static void composite_product(const double *own, const double *s, double *F)
{
    double turning[3], lever[3];
    const double *w = s + 3;
    const double *I = own + 4;
    saddle__cross(w, own + 1, turning);
    saddle__cross(own + 1, s, lever);
    for (int i = 0; i < 3; i++) F[i] = own[0] * s[i] + turning[i];
    F[3] = lever[0] + I[0] * w[0] + I[1] * w[1] + I[2] * w[2];
    F[4] = lever[1] + I[1] * w[0] + I[3] * w[1] + I[4] * w[2];
    F[5] = lever[2] + I[2] * w[0] + I[4] * w[1] + I[5] * w[2];
}

/* ---- the entries ---- */

/* Rows in ascending order: next (coordinates) is the next free entry of each column. */
static void write_rows(saddle_tree *t, const double *composite, int64_t *next, double *value)
{
    for (int64_t i = 0; i < t->bodies; i++)
        for (int64_t row = t->first[i]; row < t->first[i + 1]; row++) {
            double F[6];
            composite_product(composite + 10 * i, t->S + 6 * row, F);
            for (int64_t j = t->first[i]; j <= row; j++)
                value[next[j]++] = saddle__dot6(t->S + 6 * j, F);
            for (int64_t b = i, a = t->parent[i]; a >= 0; b = a, a = t->parent[a]) {
                double gain[3];
                saddle__cross(t->link[b].arm, F, gain);
                for (int e = 0; e < 3; e++) F[3 + e] += gain[e];
                for (int64_t j = t->first[a]; j < t->first[a + 1]; j++)
                    value[next[j]++] = saddle__dot6(t->S + 6 * j, F);
            }
        }
}

saddle_status saddle_tree_mass_values(saddle_tree *tree, saddle_matrix *M)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && M, "tree or M is NULL");
    SADDLE__TRY(saddle__tree_expect_placed(tree));
    if (M->rows != tree->coordinates || saddle_matrix_entries(M) != tree->mass_entries ||
        M->symmetry != SADDLE_SYMMETRIC)
        return saddle_fail(tree->context, SADDLE_INVALID_ARGUMENT,
                           "M is %lld x %lld with %lld entries, the tree's %lld x %lld with %lld",
                           (long long)M->rows, (long long)M->cols,
                           (long long)saddle_matrix_entries(M), (long long)tree->coordinates,
                           (long long)tree->coordinates, (long long)tree->mass_entries);
    if (tree->coordinates == 0) return SADDLE_OK;
    memcpy(tree->next, M->start, (size_t)tree->coordinates * sizeof *tree->next);
    make_composites(tree, tree->composite);
    write_rows(tree, tree->composite, tree->next, M->value);
    return SADDLE_OK;
}

/* The pattern, in the order of write_rows. */
static void write_pattern(const saddle_tree *t, saddle_matrix *M)
{
    int64_t *start = M->start;
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t i = 0; i < t->bodies; i++)
            for (int64_t row = t->first[i]; row < t->first[i + 1]; row++)
                for (int64_t a = i; a >= 0; a = t->parent[a])
                    for (int64_t j = t->first[a]; j < t->first[a + 1] && j <= row; j++) {
                        if (pass == 0)
                            start[j + 1]++;
                        else
                            M->index[t->next[j]++] = row;
                    }
        for (int64_t j = 0; pass == 0 && j < t->coordinates; j++) {
            t->next[j] = start[j];
            start[j + 1] += start[j];
        }
    }
}

saddle_status saddle_tree_mass(saddle_tree *tree, saddle_matrix *M)
{
    if (M) *M = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && M, "tree or M is NULL");
    SADDLE__TRY(saddle__tree_expect_placed(tree));
    saddle_context *context = tree->context;
    *M = (saddle_matrix){.rows = tree->coordinates,
                         .cols = tree->coordinates,
                         .start = saddle_allocate(context, tree->coordinates + 1, sizeof *M->start),
                         .index = saddle_allocate(context, tree->mass_entries, sizeof *M->index),
                         .value = saddle_allocate(context, tree->mass_entries, sizeof *M->value),
                         .symmetry = SADDLE_SYMMETRIC,
                         .owner = 1,
                         .context = context};
    if (!M->start || !M->index || !M->value) {
        saddle_matrix_clear(M);
        return SADDLE_OUT_OF_MEMORY;
    }
    write_pattern(tree, M);
    return saddle_tree_mass_values(tree, M);
}

/* ---- products ---- */

static saddle_status expect(saddle_tree *tree, double h, int given)
{
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && given, "tree, x or y is NULL");
    SADDLE__TRY(saddle__tree_expect_placed(tree));
    if (h >= 0 && isfinite(h)) return SADDLE_OK;
    return saddle_fail(tree->context, SADDLE_INVALID_ARGUMENT, "a time step of %g", h);
}

saddle_status saddle_tree_multiply(saddle_tree *tree, double h, const double *x, double *y)
{
    SADDLE__TRY(expect(tree, h, (x && y) || (tree && tree->coordinates == 0)));
    saddle_tree *t = tree;
    for (int64_t i = 0; i < t->bodies; i++) {
        const int64_t p = t->parent[i];
        double *motion = t->motion + 6 * i;
        saddle__carry(&t->link[i], p >= 0 ? t->motion + 6 * p : NULL, motion);
        for (int64_t j = t->first[i]; j < t->first[i + 1]; j++)
            for (int a = 0; a < 6; a++) motion[a] += t->S[a + 6 * j] * x[j];
    }
    for (int64_t i = t->bodies - 1; i >= 0; i--) {
        double own[10] = {0}, F[6];
        double *collected = t->load + 6 * i;
        add_own(&t->link[i], own);
        composite_product(own, t->motion + 6 * i, F);
        for (int a = 0; a < 6; a++) {
            F[a] += collected[a];
            collected[a] = 0;
        }
        for (int64_t j = t->first[i]; j < t->first[i + 1]; j++)
            y[j] = saddle__dot6(t->S + 6 * j, F) + h * (t->damping[j] + h * t->stiffness[j]) * x[j];
        if (t->parent[i] >= 0) saddle__collect(&t->link[i], F, t->load + 6 * t->parent[i]);
    }
    return SADDLE_OK;
}

saddle_status saddle_tree_mass_diagonal(saddle_tree *tree, double h, double *d)
{
    SADDLE__TRY(expect(tree, h, d || (tree && tree->coordinates == 0)));
    make_composites(tree, tree->composite);
    for (int64_t i = 0; i < tree->bodies; i++)
        for (int64_t j = tree->first[i]; j < tree->first[i + 1]; j++) {
            double F[6];
            composite_product(tree->composite + 10 * i, tree->S + 6 * j, F);
            d[j] = saddle__dot6(tree->S + 6 * j, F) +
                   h * (tree->damping[j] + h * tree->stiffness[j]);
        }
    return SADDLE_OK;
}

/* ---- as an operator ---- */

static saddle_status expect_factored(const saddle_tree *tree)
{
    if (tree->factored) return SADDLE_OK;
    return saddle_fail(tree->context, SADDLE_WRONG_PHASE,
                       "the tree has not been factored since its bodies were placed");
}

static saddle_status operator_solve(void *user, double *x)
{
    return saddle_tree_solve(user, x, NULL, x, NULL);
}

static saddle_status operator_half_solve(void *user, double *x)
{
    saddle_tree *tree = user;
    SADDLE__TRY(expect_factored(tree));
    saddle__tree_lift(tree, x);
    if (tree->coordinates > 0) memcpy(x, tree->g, (size_t)tree->coordinates * sizeof *x);
    return SADDLE_OK;
}

static saddle_status operator_multiply(void *user, const double *x, double *y)
{
    saddle_tree *tree = user;
    SADDLE__TRY(expect_factored(tree));
    return saddle_tree_multiply(tree, tree->factored_step, x, y);
}

static saddle_status operator_diagonal(void *user, double *d)
{
    saddle_tree *tree = user;
    SADDLE__TRY(expect_factored(tree));
    return saddle_tree_mass_diagonal(tree, tree->factored_step, d);
}

saddle_status saddle_tree_mass_operator(saddle_tree *tree, saddle_mass_operator *mass)
{
    if (mass) *mass = (saddle_mass_operator){0};
    SADDLE__RETURN_UNLESS(SADDLE__CONTEXT_OF(tree), tree && mass, "tree or mass is NULL");
    *mass = (saddle_mass_operator){.n = tree->coordinates,
                                   .user = tree,
                                   .solve = operator_solve,
                                   .multiply = operator_multiply,
                                   .diagonal = operator_diagonal,
                                   .half_solve = operator_half_solve};
    return SADDLE_OK;
}
