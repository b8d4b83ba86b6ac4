/* SPDX-License-Identifier: MIT */
/* Constraint rows of trees in their coordinates (saddle/tree_rows.h; Sueda, Rigid Body Dynamics
 * Notes, 2.8).
 *
 * A row is a load on each of its two bodies, world axes, of which dphi/dt is the power:
 *
 *     distance   body 1: (a, r1 x a),         body 0: (-a, a x (x1 - x0) - r0 x a)
 *     cosine     body 1: (0, b x a),          body 0: (0, a x b)
 *     twist      body 1: (a, r1 x a + b),     body 0: the opposite, about its own origin
 *
 * r from the origin to the point.  A motion of both bodies as one has no power, so coordinates
 * above the common ancestor have no entries.
 */
#include <math.h>

#include "saddle/tree_rows.h"
#include "tree.h"

/* ---- making rows ---- */

void saddle_tree_rows_at_point(const int64_t *body, const double *point0, const double *point1,
                               saddle_tree_row *rows)
{
    if (!body || !point0 || !point1 || !rows) return;
    for (int k = 0; k < 3; k++) {
        rows[k] = (saddle_tree_row){.kind = SADDLE_TREE_ROW_DISTANCE, .body = {body[0], body[1]}};
        memcpy(rows[k].point[0], point0, sizeof rows[k].point[0]);
        memcpy(rows[k].point[1], point1, sizeof rows[k].point[1]);
        rows[k].axis[0][k] = 1;
    }
}

void saddle_tree_rows_in_plane(const int64_t *body, const double *point0, const double *point1,
                               const double *axis, saddle_tree_row *rows)
{
    if (!body || !point0 || !point1 || !axis || !rows) return;
    saddle_tree_row three[3];
    double a[3] = {0};
    double first[3] = {0};
    int least = 0;
    saddle_tree_rows_at_point(body, point0, point1, three);
    (void)saddle__direction(axis, a);
    for (int i = 1; i < 3; i++)
        if (fabs(a[i]) < fabs(a[least])) least = i;
    first[least] = 1;
    saddle__cross(a, first, three[1].axis[0]);
    (void)saddle__direction(three[1].axis[0], three[1].axis[0]);
    saddle__cross(three[1].axis[0], a, three[0].axis[0]);
    for (int k = 0; k < 2; k++) rows[k] = three[k];
}

static int finite3(const double *x)
{
    return isfinite(x[0] + x[1] + x[2]);
}

static saddle_status check_row(const saddle_tree *t, int64_t i, const saddle_tree_row *row)
{
    int fine = isfinite(row->offset) && !isnan(row->lo) && !isnan(row->hi) && row->lo <= row->hi;
    if (row->kind == SADDLE_TREE_ROW_COORDINATES) {
        for (int k = 0; k < 2; k++) {
            const int used = k == 0 || row->factor[k] != 0;
            fine = fine && isfinite(row->factor[k]) &&
                   (!used || (row->coordinate[k] >= 0 && row->coordinate[k] < t->coordinates));
        }
        fine = fine && (row->factor[1] == 0 || row->coordinate[0] != row->coordinate[1]);
    } else {
        fine = fine && (row->kind == SADDLE_TREE_ROW_DISTANCE ||
                        row->kind == SADDLE_TREE_ROW_COSINE || row->kind == SADDLE_TREE_ROW_TWIST);
        for (int k = 0; k < 2; k++)
            fine = fine && row->body[k] >= -1 && row->body[k] < t->bodies &&
                   finite3(row->point[k]) && finite3(row->axis[k]);
        fine = fine && row->body[0] != row->body[1];
    }
    if (fine) return SADDLE_OK;
    return saddle_fail(t->context, SADDLE_INVALID_ARGUMENT,
                       "row %lld: no such kind, body or coordinate, the same one twice, or a "
                       "number out of range",
                       (long long)i);
}

static saddle_status check(saddle_tree *t, const char *function, int64_t count,
                           const saddle_tree_row *rows, int given)
{
    saddle_context_clear_message(SADDLE__CONTEXT_OF(t));
    if (!t || count < 0 || (count > 0 && !rows) || !given)
        return saddle_fail(SADDLE__CONTEXT_OF(t), SADDLE_INVALID_ARGUMENT,
                           "%s: tree, rows, or what is read or written is NULL", function);
    SADDLE__TRY(saddle__tree_expect_placed(t));
    for (int64_t i = 0; i < count; i++) SADDLE__TRY(check_row(t, i, &rows[i]));
    return SADDLE_OK;
}

/* ---- in the world ---- */

/* A row's bodies, world axes. */
typedef struct sight {
    double axis[2][3];  /* a, b */
    double arm[2][3];   /* r */
    double apart[3];    /* x1 - x0 */
    double twist[2][6]; /* of the bodies; the world's are 0 */
    double drift[2][6];
} sight;

static void see(const saddle_tree *t, const saddle_tree_row *row, sight *s)
{
    double x[2][3];
    memset(s, 0, sizeof *s);
    for (int k = 0; k < 2; k++) {
        const saddle__link *link = row->body[k] >= 0 ? &t->link[row->body[k]] : NULL;
        memcpy(s->axis[k], row->axis[k], sizeof s->axis[k]);
        memcpy(s->arm[k], row->point[k], sizeof s->arm[k]);
        memcpy(x[k], row->point[k], sizeof x[k]);
        if (!link) continue;
        saddle__rotate(link->R, row->axis[k], s->axis[k]);
        saddle__rotate(link->R, row->point[k], s->arm[k]);
        for (int i = 0; i < 3; i++) x[k][i] = link->p[i] + s->arm[k][i];
        memcpy(s->twist[k], link->twist, sizeof s->twist[k]);
        memcpy(s->drift[k], link->drift, sizeof s->drift[k]);
    }
    for (int i = 0; i < 3; i++) s->apart[i] = x[1][i] - x[0][i];
    if (row->kind != SADDLE_TREE_ROW_TWIST) return;
    const saddle__link *link = row->body[0] >= 0 ? &t->link[row->body[0]] : NULL;
    const saddle__link *other = row->body[1] >= 0 ? &t->link[row->body[1]] : NULL;
    memcpy(s->axis[1], row->axis[1], sizeof s->axis[1]);
    if (link) saddle__rotate(link->R, row->axis[1], s->axis[1]);
    for (int i = 0; i < 3; i++) s->arm[1][i] = x[0][i] - (other ? other->p[i] : 0);
}

/* load (2 x 6) of a row on bodies */
static void row_loads(const saddle_tree_row *row, const sight *s, double load[2][6])
{
    const double *a = s->axis[0];
    double turning[3];
    memset(load, 0, 12 * sizeof **load);
    if (row->kind == SADDLE_TREE_ROW_COSINE) {
        saddle__cross(s->axis[1], a, load[1] + 3);
        for (int i = 3; i < 6; i++) load[0][i] = -load[1][i];
        return;
    }
    saddle__cross(s->arm[1], a, load[1] + 3);
    saddle__cross(s->arm[0], a, turning);
    if (row->kind == SADDLE_TREE_ROW_DISTANCE) saddle__cross(a, s->apart, load[0] + 3);
    for (int i = 0; row->kind == SADDLE_TREE_ROW_TWIST && i < 3; i++) {
        load[1][3 + i] += s->axis[1][i];
        load[0][3 + i] -= s->axis[1][i];
    }
    for (int i = 0; i < 3; i++) {
        load[1][i] = a[i];
        load[0][i] = -a[i];
        load[0][3 + i] -= turning[i];
    }
}

/* v = velocity of a point, w = omega x (omega x r) + alpha x r + a */
static void point_motion(const sight *s, int k, double *v, double *w)
{
    const double *omega = s->twist[k] + 3;
    double spin[3], turning[3];
    saddle__cross(omega, s->arm[k], v);
    saddle__cross(omega, v, spin);
    saddle__cross(s->drift[k] + 3, s->arm[k], turning);
    for (int i = 0; i < 3; i++) {
        v[i] += s->twist[k][i];
        w[i] = s->drift[k][i] + turning[i] + spin[i];
    }
}

/* Of a twist.  Both bodies' points at x0, which body 0 moves: dv1 = drift + alpha1 x r1 + omega1 x
 * (v0 - nu1). */
static double drift_of_twist(const sight *s)
{
    const double *omega = s->twist[0] + 3, *other = s->twist[1] + 3;
    double v[2][3], w[2][3], relative[3], spin[3], turning[3], sum = 0;
    for (int k = 0; k < 2; k++) point_motion(s, k, v[k], w[k]);
    for (int i = 0; i < 3; i++) relative[i] = v[0][i] - v[1][i];
    saddle__cross(other, relative, spin);
    for (int i = 0; i < 3; i++) sum += s->axis[0][i] * (w[1][i] + spin[i] - w[0][i]);
    saddle__cross(omega, s->axis[0], turning);
    sum -= saddle__dot(turning, relative);
    saddle__cross(omega, s->axis[1], turning);
    for (int i = 0; i < 3; i++)
        sum += s->axis[1][i] * (s->drift[1][3 + i] - s->drift[0][3 + i]) +
               turning[i] * (other[i] - omega[i]);
    return sum;
}

/* d2phi/dt2 at ddq = 0 */
static double drift_of(const saddle_tree_row *row, const sight *s)
{
    if (row->kind == SADDLE_TREE_ROW_TWIST) return drift_of_twist(s);
    const double *a = s->axis[0];
    const double *omega = s->twist[0] + 3;
    double da[3], dda[3], turning[3];
    saddle__cross(omega, a, da);
    if (row->kind == SADDLE_TREE_ROW_COSINE) {
        const double *b = s->axis[1];
        double sum[3], other[3], relative[3], change[3];
        saddle__cross(s->twist[1] + 3, b, sum);
        saddle__cross(sum, a, sum);
        saddle__cross(b, da, other);
        saddle__cross(b, a, turning);
        for (int i = 0; i < 3; i++) {
            relative[i] = s->twist[1][3 + i] - omega[i];
            change[i] = s->drift[1][3 + i] - s->drift[0][3 + i];
            sum[i] += other[i];
        }
        return saddle__dot(change, turning) + saddle__dot(relative, sum);
    }
    double v[2][3], w[2][3], sum = 0;
    for (int k = 0; k < 2; k++) point_motion(s, k, v[k], w[k]);
    saddle__cross(omega, da, dda);
    saddle__cross(s->drift[0] + 3, a, turning);
    for (int i = 0; i < 3; i++)
        sum += a[i] * (w[1][i] - w[0][i]) + 2 * da[i] * (v[1][i] - v[0][i]) +
               (turning[i] + dda[i]) * s->apart[i];
    return sum;
}

static double phi_of(const saddle_tree *t, const saddle_tree_row *row, const sight *s)
{
    double value = -row->offset;
    if (row->kind == SADDLE_TREE_ROW_TWIST) return 0;
    if (row->kind == SADDLE_TREE_ROW_COORDINATES) {
        for (int k = 0; k < 2; k++)
            if (row->factor[k] != 0) value += row->factor[k] * t->q[row->coordinate[k]];
        return value;
    }
    return value +
           saddle__dot(s->axis[0], row->kind == SADDLE_TREE_ROW_COSINE ? s->axis[1] : s->apart);
}

static double rate_of(const saddle_tree *t, const saddle_tree_row *row, const sight *s)
{
    double value = 0;
    if (row->kind == SADDLE_TREE_ROW_COORDINATES) {
        for (int k = 0; k < 2; k++)
            if (row->factor[k] != 0) value += row->factor[k] * t->dq[row->coordinate[k]];
        return value;
    }
    double load[2][6];
    row_loads(row, s, load);
    return saddle__dot6(load[0], s->twist[0]) + saddle__dot6(load[1], s->twist[1]);
}

saddle_status saddle_tree_rows_evaluate(saddle_tree *tree, int64_t count,
                                        const saddle_tree_row *rows, double *phi, double *rate,
                                        double *drift)
{
    SADDLE__TRY(check(tree, __func__, count, rows, 1));
    for (int64_t i = 0; i < count; i++) {
        const int moves = rows[i].kind != SADDLE_TREE_ROW_COORDINATES;
        sight s;
        if (moves) see(tree, &rows[i], &s);
        if (phi) phi[i] = phi_of(tree, &rows[i], &s);
        if (rate) rate[i] = rate_of(tree, &rows[i], &s);
        if (drift) drift[i] = moves ? drift_of(&rows[i], &s) : 0;
    }
    return SADDLE_OK;
}

saddle_status saddle_tree_rows_loads(saddle_tree *tree, int64_t count, const saddle_tree_row *rows,
                                     const double *lambda, double *wrench)
{
    SADDLE__TRY(check(tree, __func__, count, rows, (lambda && wrench) || count == 0));
    for (int64_t i = 0; i < count; i++) {
        double load[2][6], own[6];
        sight s;
        if (rows[i].kind == SADDLE_TREE_ROW_COORDINATES) continue;
        see(tree, &rows[i], &s);
        row_loads(&rows[i], &s, load);
        for (int k = 0; k < 2; k++) {
            const int64_t body = rows[i].body[k];
            if (body < 0) continue;
            saddle__to_body(&tree->link[body], load[k], own);
            for (int a = 0; a < 6; a++) wrench[6 * body + a] += lambda[i] * own[a];
        }
    }
    return SADDLE_OK;
}

/* ---- G ---- */

/* Entries of a row, coordinates descending: from the two bodies up to their common ancestor, the
 * later body first.  index, value (NULL = count only) are written before their ends. */
static int64_t path_entries(const saddle_tree *t, const saddle_tree_row *row, int64_t *index,
                            double *value)
{
    double load[2][6];
    sight s;
    int64_t count = 0;
    int64_t at[2] = {row->body[0], row->body[1]};
    if (value) {
        see(t, row, &s);
        row_loads(row, &s, load);
    }
    while (at[0] != at[1]) {
        const int k = at[1] > at[0];
        const int64_t b = at[k];
        for (int64_t j = t->first[b + 1] - 1; j >= t->first[b]; j--) {
            count++;
            if (index) index[-count] = j;
            if (value) value[-count] = saddle__dot6(t->S + 6 * j, load[k]);
        }
        if (value) {
            double gain[3];
            saddle__cross(t->link[b].arm, load[k], gain);
            for (int i = 0; i < 3; i++) load[k][3 + i] += gain[i];
        }
        at[k] = t->parent[b];
    }
    return count;
}

static int64_t row_entries(const saddle_tree *t, const saddle_tree_row *row, int64_t *index,
                           double *value)
{
    if (row->kind != SADDLE_TREE_ROW_COORDINATES) return path_entries(t, row, index, value);
    const int later = row->factor[1] != 0 && row->coordinate[1] > row->coordinate[0];
    int64_t count = 0;
    for (int k = 0; k < 2; k++) { /* descending */
        const int which = k == 0 ? later : !later;
        if (which == 1 && row->factor[1] == 0) continue;
        count++;
        if (index) index[-count] = row->coordinate[which];
        if (value) value[-count] = row->factor[which];
    }
    return count;
}

static saddle_status make_matrix(saddle_tree *t, int64_t count, const saddle_tree_row *rows,
                                 saddle_matrix *Gt)
{
    int64_t entries = 0;
    for (int64_t i = 0; i < count; i++) entries += row_entries(t, &rows[i], NULL, NULL);
    *Gt = (saddle_matrix){.rows = t->coordinates,
                          .cols = count,
                          .start = saddle_allocate(t->context, count + 1, sizeof *Gt->start),
                          .index = saddle_allocate(t->context, entries, sizeof *Gt->index),
                          .value = saddle_allocate(t->context, entries, sizeof *Gt->value),
                          .owner = 1,
                          .context = t->context};
    if (!Gt->start || !Gt->index || !Gt->value) {
        saddle_matrix_clear(Gt);
        return SADDLE_OUT_OF_MEMORY;
    }
    for (int64_t i = 0; i < count; i++) {
        const int64_t end = Gt->start[i] + row_entries(t, &rows[i], NULL, NULL);
        (void)row_entries(t, &rows[i], Gt->index + end, Gt->value + end);
        Gt->start[i + 1] = end;
    }
    return SADDLE_OK;
}

saddle_status saddle_tree_rows_matrix(saddle_tree *tree, int64_t count, const saddle_tree_row *rows,
                                      saddle_matrix *Gt)
{
    if (Gt) *Gt = (saddle_matrix){0};
    SADDLE__TRY(check(tree, __func__, count, rows, Gt != NULL));
    return make_matrix(tree, count, rows, Gt);
}

/* ---- Delassus ---- */

/* Impulses x of a row, on bodies and coordinates. */
static void load_row(saddle_tree *t, const saddle_tree_row *row, double x)
{
    double load[2][6];
    sight s;
    for (int k = 0; row->kind == SADDLE_TREE_ROW_COORDINATES && k < 2; k++)
        if (row->factor[k] != 0) t->torque[row->coordinate[k]] += row->factor[k] * x;
    if (row->kind == SADDLE_TREE_ROW_COORDINATES) return;
    see(t, row, &s);
    row_loads(row, &s, load);
    for (int k = 0; k < 2; k++)
        for (int e = 0; row->body[k] >= 0 && e < 6; e++)
            t->load[6 * row->body[k] + e] += load[k][e] * x;
}

/* G y of a row, y in t->wanted and the motions J y in t->motion. */
static double row_motion(const saddle_tree *t, const saddle_tree_row *row)
{
    double load[2][6];
    double sum = 0;
    sight s;
    for (int k = 0; row->kind == SADDLE_TREE_ROW_COORDINATES && k < 2; k++)
        if (row->factor[k] != 0) sum += row->factor[k] * t->wanted[row->coordinate[k]];
    if (row->kind == SADDLE_TREE_ROW_COORDINATES) return sum;
    see(t, row, &s);
    row_loads(row, &s, load);
    for (int k = 0; k < 2; k++)
        if (row->body[k] >= 0) sum += saddle__dot6(load[k], t->motion + 6 * row->body[k]);
    return sum;
}

saddle_status saddle_tree_rows_delassus(saddle_tree *tree, int64_t count,
                                        const saddle_tree_row *rows, const double *x, double *y)
{
    SADDLE__TRY(check(tree, __func__, count, rows, (x && y) || count == 0));
    if (!tree->factored)
        return saddle_fail(tree->context, SADDLE_WRONG_PHASE,
                           "the tree has not been factored since its bodies were placed");
    for (int64_t j = 0; j < tree->coordinates; j++) tree->torque[j] = 0;
    for (int64_t i = 0; i < count; i++) load_row(tree, &rows[i], x[i]);
    saddle__tree_solve_loads(tree, tree->torque, tree->wanted);
    for (int64_t i = 0; i < count; i++) y[i] = row_motion(tree, &rows[i]);
    return SADDLE_OK;
}

/* ---- the problem ---- */

static saddle_status check_stage(const saddle_tree *t, const saddle_tree_stage *stage)
{
    const int known = (int)stage->level >= 0 && stage->level <= SADDLE_TREE_LEVEL_POSITIONS;
    const int timed = stage->level != SADDLE_TREE_LEVEL_VELOCITIES || stage->time_step > 0;
    if (known && timed && isfinite(stage->time_step + stage->rate + stage->alpha + stage->beta))
        return SADDLE_OK;
    return saddle_fail(t->context, SADDLE_INVALID_ARGUMENT,
                       "a stage of level %d with a time step of %g", (int)stage->level,
                       stage->time_step);
}

/* f += M x, M symmetric, lower triangle */
static void add_product(const saddle_matrix *M, const double *x, double *f)
{
    for (int64_t j = 0; j < M->cols; j++)
        for (int64_t e = M->start[j]; e < M->start[j + 1]; e++) {
            const int64_t i = M->index[e];
            f[i] += M->value[e] * x[j];
            if (i != j) f[j] += M->value[e] * x[i];
        }
}

/* M_h, f of velocities: M_h dq + h (f_r - h k dq) */
static saddle_status to_velocities(saddle_tree *t, const saddle_tree_stage *stage,
                                   saddle_problem *problem)
{
    saddle_matrix *M = &problem->M;
    const double h = stage->time_step;
    for (int64_t j = 0; j < t->coordinates; j++) {
        const double k = t->stiffness[j];
        if (!stage->matrix_free) M->value[M->start[j]] += h * (t->damping[j] + h * k);
        problem->f[j] = h * (problem->f[j] - h * k * t->dq[j]);
    }
    if (!stage->matrix_free) add_product(M, t->dq, problem->f);
    if (!stage->matrix_free) return SADDLE_OK;
    SADDLE__TRY(saddle_tree_multiply(t, h, t->dq, t->wanted));
    for (int64_t j = 0; j < t->coordinates; j++) problem->f[j] += t->wanted[j];
    return SADDLE_OK;
}

static saddle_status fill(saddle_tree *t, int64_t count, const saddle_tree_row *rows,
                          const saddle_tree_stage *stage, const double *torque,
                          const double *wrench, saddle_problem *problem)
{
    if (!stage->matrix_free) SADDLE__TRY(saddle_tree_mass_values(t, &problem->M));
    if (stage->level == SADDLE_TREE_LEVEL_POSITIONS)
        memset(problem->f, 0, (size_t)t->coordinates * sizeof *problem->f);
    else
        SADDLE__TRY(saddle_tree_force(t, torque, wrench, problem->f));
    if (stage->level == SADDLE_TREE_LEVEL_VELOCITIES) SADDLE__TRY(to_velocities(t, stage, problem));
    for (int64_t i = 0; i < count; i++) {
        const saddle_tree_row *row = &rows[i];
        double phi, rate, drift;
        SADDLE__TRY(saddle_tree_rows_evaluate(t, 1, row, &phi, &rate, &drift));
        problem->b[i] = -phi;
        if (stage->level == SADDLE_TREE_LEVEL_VELOCITIES) problem->b[i] = -stage->rate * phi;
        if (stage->level == SADDLE_TREE_LEVEL_ACCELERATIONS)
            problem->b[i] = -drift - stage->alpha * rate - stage->beta * phi;
        const int equality = row->lo == 0 && row->hi == 0;
        problem->lo[i] = equality ? -INFINITY : row->lo;
        problem->hi[i] = equality ? INFINITY : row->hi;
        const int64_t end = problem->Jt.start[i + 1];
        (void)row_entries(t, row, NULL, problem->Jt.value + end);
    }
    problem->time_step = stage->level == SADDLE_TREE_LEVEL_VELOCITIES ? stage->time_step : 0;
    return SADDLE_OK;
}

saddle_status saddle_tree_problem_values(saddle_tree *tree, int64_t count,
                                         const saddle_tree_row *rows,
                                         const saddle_tree_stage *stage, const double *torque,
                                         const double *wrench, saddle_problem *problem)
{
    SADDLE__TRY(check(tree, __func__, count, rows, stage && problem));
    SADDLE__TRY(check_stage(tree, stage));
    int same = problem->n == tree->coordinates && problem->m == count &&
               problem->Jt.cols == count && problem->f && problem->b && problem->lo && problem->hi;
    for (int64_t i = 0; same && i < count; i++)
        same = problem->Jt.start[i + 1] - problem->Jt.start[i] ==
               row_entries(tree, &rows[i], NULL, NULL);
    if (!same)
        return saddle_fail(tree->context, SADDLE_INVALID_ARGUMENT,
                           "the problem is not of this tree and these rows");
    if (stage->matrix_free && saddle_matrix_entries(&problem->M) > 0)
        return saddle_fail(tree->context, SADDLE_INVALID_ARGUMENT,
                           "the problem was made with M formed, the stage is matrix_free");
    return fill(tree, count, rows, stage, torque, wrench, problem);
}

saddle_status saddle_tree_problem(saddle_tree *tree, int64_t count, const saddle_tree_row *rows,
                                  const saddle_tree_stage *stage, const double *torque,
                                  const double *wrench, saddle_problem *problem)
{
    if (problem) *problem = (saddle_problem){0};
    SADDLE__TRY(check(tree, __func__, count, rows, stage && problem));
    SADDLE__TRY(check_stage(tree, stage));
    saddle_context *context = tree->context;
    *problem = (saddle_problem){.n = tree->coordinates,
                                .m = count,
                                .f = saddle_allocate(context, tree->coordinates, sizeof(double)),
                                .b = saddle_allocate(context, count, sizeof(double)),
                                .lo = saddle_allocate(context, count, sizeof(double)),
                                .hi = saddle_allocate(context, count, sizeof(double)),
                                .owner = 1,
                                .context = context};
    saddle_status status = problem->f && problem->b && problem->lo && problem->hi
                               ? SADDLE_OK
                               : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK && !stage->matrix_free) status = saddle_tree_mass(tree, &problem->M);
    if (stage->matrix_free)
        problem->M = (saddle_matrix){.rows = tree->coordinates,
                                     .cols = tree->coordinates,
                                     .symmetry = SADDLE_SYMMETRY_LOWER};
    if (status == SADDLE_OK) status = make_matrix(tree, count, rows, &problem->Jt);
    if (status == SADDLE_OK) status = fill(tree, count, rows, stage, torque, wrench, problem);
    if (status != SADDLE_OK) saddle_problem_clear(problem);
    return status;
}
