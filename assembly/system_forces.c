/* SPDX-License-Identifier: MIT */
/* Forces f(q, v, t), their Jacobians in Mhat, and f of the system (saddle/assembly.h).
 *
 *     particle    m g                                           + pushed forces
 *     body        (m R'g, c x m R'g), body axes                 + pushed forces
 *     nodes       M g - K (x - rest) - (a M + b K) v            + pushed forces
 *
 * The gyroscopic force ad(twist)'M twist of a body has its own duration.  Its Jacobian by the
 * velocity and that of gravity by the axes, (R exp [d])'g = R'g + [R'g] d, are optional and
 * unsymmetric.
 */
#include <math.h>

#include "matrix/matrix_internal.h"
#include "saddle/spatial.h"
#include "segment.h"
#include "space/space.h"
#include "system.h"

/* ---- M without blocks ---- */

static void add_entry(saddle_assembly *a, int64_t i, int64_t j, double value)
{
    const saddle_matrix *M = &a->problem.M;
    if (M->symmetry == SADDLE_SYMMETRY_LOWER && i < j) return;
    const int64_t at = saddle__matrix_find(M, i, j);
    if (at >= 0) a->base[at] += value;
}

static void add_symmetric(saddle_assembly *a, int64_t column, double scale, const saddle_matrix *A)
{
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t e = A->start[j]; e < A->start[j + 1]; e++) {
            const int64_t i = A->index[e];
            add_entry(a, column + i, column + j, scale * A->value[e]);
            if (i != j) add_entry(a, column + j, column + i, scale * A->value[e]);
        }
    }
}

/* Values of M without blocks for this damping and stiffness. */
static void make_base(saddle_assembly *a, double damping, double stiffness)
{
    if (a->base_made && a->base_damping == damping && a->base_stiffness == stiffness) return;
    memset(a->base, 0, (size_t)saddle_matrix_entries(&a->problem.M) * sizeof *a->base);
    for (int32_t k = 0; k < a->model->parts.count; k++) {
        const saddle__item_part *part = &a->model->part[a->part[k].place];
        const int64_t column = a->part[k].column;
        if (column < 0 || saddle__is_weightless(part)) continue;
        if (part->head.item == SADDLE_ITEM_PARTICLE) {
            for (int64_t i = 0; i < 3; i++) add_entry(a, column + i, column + i, part->mass);
        } else if (part->head.item == SADDLE_ITEM_BODY) {
            double M[36];
            saddle_body_inertia_matrix(&part->inertia, M);
            for (int64_t i = 0; i < 36; i++) add_entry(a, column + i % 6, column + i / 6, M[i]);
        } else { /* D = -(alpha M + beta K), and K of f = -K (x - rest) has the other sign */
            add_symmetric(a, column, 1 + damping * part->damping_mass, &part->M);
            add_symmetric(a, column, stiffness + damping * part->damping_stiffness, &part->K);
        }
    }
    a->base_damping = damping;
    a->base_stiffness = stiffness;
    a->base_made = 1;
    a->base_written = 0;
}

/* ---- parts ---- */

/* One part: its state, its force F and its share f of the system's right-hand side. */
typedef struct moving {
    const saddle__item_part *part;
    const double *x, *v, *push;
    double *F, *f;
    int64_t column;
} moving;

/* 0 where f is for accelerations, without momenta. */
static double share_of_momentum(const saddle_assembly *a)
{
    return a->accelerates ? 0 : 1;
}

static void push_weightless(const moving *p)
{
    saddle__copy(p->F, p->push, p->part->size);
    saddle__zero(p->f, p->part->size);
}

static void push_particle(const saddle_assembly *a, const moving *p)
{
    for (int i = 0; i < 3; i++) {
        p->f[i] = share_of_momentum(a) * p->part->mass * p->v[i];
        p->F[i] = p->part->mass * a->model->gravity[i] + p->push[i];
    }
}

/* Blocks of the gyroscopic force and of gravity; the body's block of M is full. */
static void turn_body(saddle_assembly *a, const saddle_stage *stage, const moving *p,
                      const double *weight, const double *D)
{
    double K[36] = {0};
    saddle__add_turning(weight, p->part->inertia.center, K);
    for (int j = 0; j < 6; j++) {
        double *value = a->problem.M.value +
                        saddle__matrix_find(&a->problem.M, p->column, p->column + j);
        for (int i = 0; i < 6; i++) {
            const double held = stage->damping * D[i + 6 * j] + stage->stiffness * K[i + 6 * j];
            value[i] -= held;
            p->f[i] += (stage->velocity_force * K[i + 6 * j] - held) * p->v[j];
        }
    }
}

static void push_body(saddle_assembly *a, const saddle_stage *stage, const moving *p)
{
    const saddle_body_inertia *inertia = &p->part->inertia;
    const double *R = p->x + 3;
    double momentum[6], gyroscopic[6], weight[3], moment[3], D[36];
    const int turns = a->implicit && a->options.gyroscopic_jacobian;
    saddle_body_inertia_multiply(inertia, p->v, momentum);
    if (turns)
        saddle_body_inertia_coriolis(inertia, p->v, gyroscopic, D);
    else
        saddle_twist_cross_dual(p->v, momentum, gyroscopic);
    saddle__unrotate(R, a->model->gravity, weight);
    for (int i = 0; i < 3; i++) weight[i] *= inertia->mass;
    saddle__cross(inertia->center, weight, moment);
    for (int i = 0; i < 6; i++) {
        p->f[i] = share_of_momentum(a) * momentum[i] + stage->gyroscopic * gyroscopic[i];
        p->F[i] = (i < 3 ? weight[i] : moment[i - 3]) + p->push[i];
    }
    if (turns) turn_body(a, stage, p, weight, D);
}

static void push_nodes(saddle_assembly *a, const saddle_stage *stage, const moving *p)
{
    const saddle__item_part *part = p->part;
    const saddle_matrix *M = &part->M, *K = &part->K;
    const double *g = a->model->gravity, b = part->damping_stiffness;
    const double held = stage->stiffness + stage->damping * b - stage->velocity_force;
    memcpy(p->F, p->push, (size_t)part->size * sizeof *p->F);
    memset(p->f, 0, (size_t)part->size * sizeof *p->f);
    for (int64_t j = 0; j < M->cols; j++) { /* f = M v, F += M g */
        for (int64_t e = M->start[j]; e < M->start[j + 1]; e++) {
            const int64_t i = M->index[e];
            p->f[i] += M->value[e] * p->v[j];
            p->F[i] += M->value[e] * g[j % 3];
            if (i == j) continue;
            p->f[j] += M->value[e] * p->v[i];
            p->F[j] += M->value[e] * g[i % 3];
        }
    }
    for (int64_t i = 0; i < part->size; i++) {
        p->F[i] -= part->damping_mass * p->f[i];
        p->f[i] *= share_of_momentum(a) * (1 + stage->damping * part->damping_mass);
    }
    for (int64_t j = 0; j < K->cols; j++) {
        for (int64_t e = K->start[j]; e < K->start[j + 1]; e++) {
            const int64_t i = K->index[e];
            const double k = K->value[e];
            p->F[i] -= k * (p->x[j] - part->rest[j] + b * p->v[j]);
            p->f[i] += held * k * p->v[j];
            if (i == j) continue;
            p->F[j] -= k * (p->x[i] - part->rest[i] + b * p->v[i]);
            p->f[j] += held * k * p->v[i];
        }
    }
}

static saddle_status check_state(const saddle_assembly *a, const moving *p, int32_t place)
{
    const saddle__item_part *part = p->part;
    const char *wrong = NULL;
    if (!saddle__is_finite(p->x, part->position_size) || !saddle__is_finite(p->v, part->size) ||
        !saddle__is_finite(p->push, part->size))
        wrong = ": its state is not finite";
    else if (part->head.item == SADDLE_ITEM_BODY &&
             !saddle__is_rotation(p->x + 3, SADDLE__WRITTEN_TOLERANCE))
        wrong = ": its pose is not a rotation";
    if (!wrong) return SADDLE_OK;
    const saddle_handle handle = saddle__model_handle(a->model, &part->head, place);
    return saddle__refuse_item(a->model, "", handle, wrong);
}

static saddle_status push_part(saddle_assembly *a, const saddle_stage *stage,
                               const saddle__system_part *compiled)
{
    saddle_model *model = a->model;
    const saddle__item_part *part = &model->part[compiled->place];
    const int64_t column = compiled->column < 0 ? 0 : compiled->column;
    const moving p = {.part = part,
                      .x = model->position + part->position,
                      .v = model->velocity + part->velocity,
                      .push = model->push + part->velocity,
                      .F = a->force_now[a->turn] + column,
                      .f = a->problem.f + column,
                      .column = column};
    SADDLE__TRY(check_state(a, &p, compiled->place));
    if (compiled->column < 0) return SADDLE_OK;
    if (saddle__is_weightless(part))
        push_weightless(&p);
    else if (part->head.item == SADDLE_ITEM_PARTICLE)
        push_particle(a, &p);
    else if (part->head.item == SADDLE_ITEM_BODY)
        push_body(a, stage, &p);
    else
        push_nodes(a, stage, &p);
    return SADDLE_OK;
}

/* ---- blocks ----
 *
 * Blocks of K = df/dq and D = df/dv of one force or constraint enter
 *
 *     Mhat = M - damping D - stiffness K,     f = Mhat v + h f(q, v, t) + velocity_force K v
 *
 * A prescribed part keeps its velocity, v+ = v: of its columns only velocity_force K v enters f.
 */

/* Sets the pointers to the blocks, and the blocks to zero. */
static void clear_blocks(saddle_assembly *a, const saddle__system_link *link)
{
    const int64_t *size = a->anchors.size + link->anchor;
    saddle__block_buffer *block = &a->block;
    int64_t used = 0;
    for (int64_t i = 0; i < link->count; i++) {
        for (int64_t j = 0; j < link->count; j++) {
            block->block_K[i * link->count + j] = block->K + used;
            block->block_D[i * link->count + j] = block->D + used;
            used += size[i] * size[j];
        }
    }
    memset(block->K, 0, (size_t)used * sizeof *block->K);
    memset(block->D, 0, (size_t)used * sizeof *block->D);
}

/* A <- (A + A')/2 */
static void symmetrize(const saddle_assembly *a, const saddle__system_link *link, double **block)
{
    const int64_t *size = a->anchors.size + link->anchor;
    for (int64_t i = 0; i < link->count; i++) {
        for (int64_t j = 0; j <= i; j++) {
            double *lower = block[i * link->count + j], *upper = block[j * link->count + i];
            for (int64_t c = 0; c < size[j]; c++) {
                for (int64_t r = 0; r < size[i]; r++) {
                    const double mean = (lower[r + size[i] * c] + upper[c + size[j] * r]) / 2;
                    lower[r + size[i] * c] = upper[c + size[j] * r] = mean;
                }
            }
        }
    }
}

/* Block (i, j) of an item into M: at[c] is where its column c begins, at the diagonal where the
 * block is a lower triangle. */
static void add_to_mass(saddle_assembly *a, const int64_t *at, int64_t rows, int64_t cols,
                        int is_lower, double damping, const double *D, double stiffness,
                        const double *K)
{
    double *value = a->problem.M.value;
    for (int64_t c = 0; c < cols; c++) {
        if (at[c] < 0) continue;
        const int64_t first = is_lower ? c : 0;
        for (int64_t r = first; r < rows; r++)
            value[at[c] + r - first] -= damping * D[r + rows * c] + stiffness * K[r + rows * c];
    }
}

static void add_blocks(saddle_assembly *a, const saddle__system_link *link,
                       const saddle_stage *stage)
{
    const int64_t *size = a->anchors.size + link->anchor,
                  *column = a->anchors.column + link->anchor;
    const int is_symmetric = a->problem.M.symmetry == SADDLE_SYMMETRY_LOWER;
    for (int64_t i = 0; i < link->count; i++) {
        if (column[i] < 0) continue;
        double *f = a->problem.f + column[i];
        for (int64_t j = 0; j < link->count; j++) {
            const int64_t k = i * link->count + j;
            const double *v = a->anchors.velocity[link->anchor + j];
            const double *K = a->block.block_K[k], *D = a->block.block_D[k];
            const double damping = column[j] < 0 ? 0 : stage->damping,
                         stiffness = column[j] < 0 ? 0 : stage->stiffness;
            add_to_mass(a, a->map + link->map + 6 * k, size[i], size[j], i == j && is_symmetric,
                        damping, D, stiffness, K);
            for (int64_t c = 0; c < size[j]; c++) {
                for (int64_t r = 0; r < size[i]; r++) {
                    const int64_t e = r + size[i] * c;
                    f[r] += ((stage->velocity_force - stiffness) * K[e] - damping * D[e]) * v[c];
                }
            }
        }
    }
}

/* ---- forces ---- */

/* by (6): what the turn of momenta will add to the twist of a body, in its axes; of other parts 0.
 */
static void turn_of(const saddle_assembly *a, const saddle_stage *stage,
                    const saddle__item_part *part, double *by)
{
    double wrench[6];
    if (part->head.item != SADDLE_ITEM_BODY || saddle__is_weightless(part)) return;
    saddle_body_inertia_coriolis(&part->inertia, a->model->velocity + part->velocity, wrench, NULL);
    (void)saddle_body_inertia_solve(a->context, &part->inertia, wrench, by);
    for (int i = 0; i < 6; i++) by[i] *= stage->turning;
}

/* The same of an anchor.  A body without mass is not turned: its v+ = A v_j+ + g, and after the
 * turn A v_j+, of the one that it moves with.  Where positions have moved, v is that of the begin.
 */
static void turn_of_anchor(const saddle_assembly *a, const saddle_stage *stage,
                           saddle_anchor anchor, double *by)
{
    const saddle_model *model = a->model;
    const saddle__item_part *part = saddle__model_part(model, anchor.part);
    saddle_pose at, own;
    if (!part->massless) {
        turn_of(a, stage, part, by);
        return;
    }
    if (part->head.item != SADDLE_ITEM_BODY) return;
    const saddle_anchor root_at = saddle__anchor_root(model, anchor);
    const saddle__item_part *root = saddle__model_part(model, root_at.part);
    if (stage->attached.time_step == 0 || root->head.item != SADDLE_ITEM_BODY) return;
    const double h = stage->attached.axes == SADDLE_AXES_STEP ? stage->attached.time_step : 0,
                 *v = model->velocity + root->velocity, *v_own = model->velocity + part->velocity;
    double g[3], g_own[3];
    saddle__cross(v + 3, v, g);
    saddle__cross(v_own + 3, v_own, g_own);
    memcpy(&at, model->position + root->position, sizeof at);
    memcpy(&own, model->position + part->position, sizeof own);
    own = saddle_pose_between(&at, &own);
    turn_of(a, stage, root, by);
    for (int i = 0; i < 3; i++) by[i] += h * g[i]; /* -g = -h (W A - A W) v, (7.5) */
    saddle_twist_to_inner(&own, by, by);
    for (int i = 0; i < 3; i++) by[i] -= h * g_own[i];
}

/* Blocks of mass into M, and into f M v as of parts, less what the turn of the momenta of bodies
 * will add to those of this mass. */
static saddle_status add_own_mass(saddle_assembly *a, const saddle_stage *stage,
                                  const saddle__system_link *link, const saddle_site *site)
{
    const saddle_force_type *type = link->item->force;
    const int64_t *size = a->anchors.size + link->anchor,
                  *column = a->anchors.column + link->anchor;
    const int is_symmetric = a->problem.M.symmetry == SADDLE_SYMMETRY_LOWER;
    clear_blocks(a, link);
    SADDLE__TRY(saddle__system_pass_on(a, link, type->mass(a->context, site, a->block.block_K)));
    if (!saddle__is_finite(a->block.K, link->size * link->size))
        return saddle__system_refuse(a, link, "its mass is not finite");
    for (int64_t k = 0; k < link->count * link->count; k++) {
        const int64_t i = k / link->count, j = k % link->count;
        const double *M = a->block.block_K[k], *v = a->anchors.velocity[link->anchor + j];
        double turned[6] = {0};
        if (column[i] < 0 || column[j] < 0) continue;
        if (stage->turning > 0) turn_of_anchor(a, stage, link->item->anchors[j], turned);
        add_to_mass(a, a->map + link->map + 6 * k, size[i], size[j], i == j && is_symmetric, 0,
                    a->block.block_D[k], -1, M);
        for (int64_t e = 0; e < size[i] * size[j]; e++)
            a->problem.f[column[i] + e % size[i]] += M[e] * (share_of_momentum(a) * v[e / size[i]] -
                                                             turned[e / size[i]]);
    }
    return SADDLE_OK;
}

/* K where momenta are turned with their bodies (stage->turned): a wrench (F, N) is turned with the
 * body, so its change counts in the present axes, dF = K_F d + d x F for a turn d, and likewise the
 * change of its moment about the centre of mass c: K += (0 -[F]; 0 -[N] - [F][c]). */
static void hold_axes(saddle_assembly *a, const saddle__system_link *link)
{
    const saddle__item_link *force = link->item;
    for (int64_t k = 0; k < link->count; k++) {
        const saddle__item_part *part = saddle__model_part(a->model, force->anchors[k].part);
        if (!part || part->head.item != SADDLE_ITEM_BODY) continue;
        const double *wrench = a->block.block_force[k];
        double *K = a->block.block_K[k * (link->count + 1)], F[9], N[9], c[9];
        saddle__skew(wrench, F);
        saddle__skew(wrench + 3, N);
        saddle__skew(part->inertia.center, c);
        saddle__product3(F, c, c);
        for (int64_t i = 0; i < 9; i++) {
            K[18 + i % 3 + 6 * (i / 3)] -= F[i];
            K[21 + i % 3 + 6 * (i / 3)] -= N[i] + c[i];
        }
    }
}

static saddle_status add_jacobians(saddle_assembly *a, const saddle_stage *stage,
                                   const saddle__system_link *link, const saddle_site *site)
{
    const saddle_force_type *type = link->item->force;
    saddle__block_buffer *block = &a->block;
    clear_blocks(a, link);
    SADDLE__TRY(
        saddle__system_pass_on(a, link,
                               type->jacobians(a->context, site, block->block_K, block->block_D)));
    if (!saddle__is_finite(block->K, link->size * link->size) ||
        !saddle__is_finite(block->D, link->size * link->size))
        return saddle__system_refuse(a, link, "its Jacobian is not finite");
    if (stage->turned && !type->symmetric) hold_axes(a, link);
    if (a->options.symmetric_stiffness && !type->symmetric) {
        symmetrize(a, link, block->block_K);
        symmetrize(a, link, block->block_D);
    }
    add_blocks(a, link, stage);
    return SADDLE_OK;
}

static saddle_status push_force(saddle_assembly *a, const saddle_stage *stage,
                                const saddle__system_link *link)
{
    const int64_t *size = a->anchors.size + link->anchor,
                  *column = a->anchors.column + link->anchor;
    saddle__block_buffer *block = &a->block;
    const saddle_site site = saddle__system_site(a, link, a->model->time + stage->ahead);
    double *next = block->force;
    for (int64_t k = 0; k < link->count; k++) {
        block->block_force[k] = next;
        next += size[k];
    }
    memset(block->force, 0, (size_t)link->size * sizeof *block->force);
    const saddle_force_type *type = link->item->force;
    SADDLE__TRY(
        saddle__system_pass_on(a, link, type->evaluate(a->context, &site, block->block_force)));
    if (!saddle__is_finite(block->force, link->size))
        return saddle__system_refuse(a, link, "its values are not finite");
    for (int64_t k = 0; k < link->count; k++) {
        if (column[k] < 0) continue;
        for (int64_t i = 0; i < size[k]; i++)
            a->force_now[a->turn][column[k] + i] += block->block_force[k][i];
    }
    if (link->map < 0) return SADDLE_OK;
    if (type->mass) SADDLE__TRY(add_own_mass(a, stage, link, &site));
    return type->jacobians && a->implicit ? add_jacobians(a, stage, link, &site) : SADDLE_OK;
}

/* Geometric stiffness of the constraint's forces in the last step, without those of hard rows where
 * their impulses act at both ends of a step (stage->halves).  Only the symmetric part where M is
 * symmetric. */
static saddle_status add_geometric(saddle_assembly *a, const saddle_stage *stage,
                                   const saddle__system_link *link)
{
    const saddle__item_link *c = link->item;
    const saddle_site site = saddle__system_site(a, link, a->model->time);
    double force[SADDLE_CONSTRAINT_ROWS_MAX];
    for (int64_t i = 0; i < link->rows; i++) {
        const int left_out = stage->halves && saddle__row_is_hard(c, i);
        force[i] = left_out ? 0 : a->kept[link->row + i];
    }
    clear_blocks(a, link);
    SADDLE__TRY(saddle__system_pass_on(a, link,
                                       c->constraint->stiffness(a->context, &site, force,
                                                                a->block.block_K)));
    if (!saddle__is_finite(a->block.K, link->size * link->size))
        return saddle__system_refuse(a, link, "its stiffness is not finite");
    if (a->options.symmetric_stiffness || a->problem.M.symmetry == SADDLE_SYMMETRY_LOWER)
        symmetrize(a, link, a->block.block_K);
    add_blocks(a, link, stage);
    return SADDLE_OK;
}

/* ---- geometric stiffness of contacts and attachments ----
 *
 * In Mhat (saddle/assembly.h): the change of the forces that arrive at velocities while the forces
 * themselves stay, those of the last step.
 *
 *     contact      F = sum lambda_i d_i / h at a point that moves with its body, m the moments of
 *                  torsion and rolling: wrench (R'F, c x R'F + R'm), so
 *                  K = (0 [R'F]; 0 [c][R'F] + [R'm])
 *     attachment   K v = sum_j dA_kj(v)'F_k of the forces that arrive at k (saddle/couplings.h)
 *
 * Directions of contacts stay, those of nodes and particles have no K.
 */

/* Adds k = K_ij to M and to f; half of it, and half at K_ji, where the symmetric part is asked
 * for. */
static void add_stiffness(saddle_assembly *a, const saddle_stage *stage, int64_t i, int64_t j,
                          double k)
{
    const int lower = a->problem.M.symmetry == SADDLE_SYMMETRY_LOWER;
    const int halves = lower || a->options.symmetric_stiffness;
    for (int turned = 0; turned < 1 + halves; turned++) {
        const int64_t row = turned ? j : i, col = turned ? i : j;
        const double share = halves ? k / 2 : k;
        if (!lower || row >= col) {
            const int64_t e = saddle__matrix_find(&a->problem.M, row, col);
            a->problem.M.value[e] -= stage->stiffness * share;
        }
        a->problem.f[row] += (stage->velocity_force - stage->stiffness) * share *
                             a->geometric_velocity[col];
    }
}

static void add_contact_side(saddle_assembly *a, const saddle_stage *stage,
                             const saddle_contact_side *side, const double *F, const double *m,
                             double sign)
{
    const saddle__item_part *part = saddle__model_part(a->model, side->part);
    const int64_t column = part ? a->column[side->part.index] : -1;
    double local[3], moment[3], X[3], turned[9], K[36] = {0};
    if (column < 0 || part->head.item != SADDLE_ITEM_BODY) return;
    saddle_pose pose;
    memcpy(&pose, a->model->position + part->position, sizeof pose);
    for (int i = 0; i < 3; i++) X[i] = side->point[i] - pose.p[i];
    saddle__unrotate(pose.R, X, X);
    saddle__unrotate(pose.R, F, local);
    saddle__unrotate(pose.R, m, moment);
    for (int i = 0; i < 3; i++) {
        local[i] *= sign;
        moment[i] *= sign;
    }
    saddle__add_turning(local, X, K);
    saddle__skew(moment, turned);
    for (int i = 0; i < 9; i++) K[3 + i % 3 + 6 * (3 + i / 3)] += turned[i];
    for (int64_t e = 18; e < 36; e++) add_stiffness(a, stage, column + e % 6, column + e / 6, K[e]);
}

static void add_contact(saddle_assembly *a, const saddle_stage *stage,
                        const saddle_contact_point *contact, int64_t slot)
{
    const double *kept = a->slots.slot[slot].force;
    const int64_t rows = a->problem.contacts[slot].size;
    double direction[3][3], F[3] = {0}, m[3] = {0};
    saddle__contact_frame(contact, direction);
    for (int64_t k = 0; k < rows; k++) {
        const int64_t about = k < 3 ? k : rows == 5 ? k - 2 : k - 3; /* as in the rows */
        for (int i = 0; i < 3; i++) (k < 3 ? F : m)[i] += kept[k] * direction[about][i];
    }
    add_contact_side(a, stage, &contact->a, F, m, -1);
    add_contact_side(a, stage, &contact->b, F, m, 1);
}

/* The forces of the last step: f(q, v, t) of this one, J'F of rows as they were.  Left out where
 * impulses of attachments act at both ends of a step, as of hard rows. */
static saddle_status add_attached(saddle_assembly *a, const saddle_stage *stage)
{
    saddle__system_attached *all = &a->attached;
    const saddle_problem *p = &a->problem;
    double *force = a->geometric_velocity + p->n;
    if (!all->graph || stage->halves) return SADDLE_OK;
    saddle__copy(force, a->force_now[a->turn], p->n);
    for (int64_t i = 0; i < a->rows; i++)
        for (int64_t e = p->Jt.start[i]; e < p->Jt.start[i + 1]; e++)
            force[p->Jt.index[e]] += p->Jt.value[e] * a->kept[i];
    SADDLE__TRY(saddle_couplings_load(all->couplings, force, NULL));
    SADDLE__TRY(saddle_couplings_stiffness_values(all->couplings, &all->K));
    for (int64_t j = 0; j < all->K.cols; j++)
        for (int64_t e = all->K.start[j]; e < all->K.start[j + 1]; e++)
            add_stiffness(a, stage, all->K.index[e], j, all->K.value[e]);
    return SADDLE_OK;
}

static saddle_status add_reactions(saddle_assembly *a, const saddle_stage *stage,
                                   const saddle_contact_list *contacts)
{
    if (a->accelerates || !a->options.geometric_stiffness || !a->implicit) return SADDLE_OK;
    saddle_assembly_get_velocity(a, a->geometric_velocity);
    for (int64_t k = 0; contacts && k < contacts->count; k++)
        add_contact(a, stage, &contacts->point[k], a->slots.slot_of[k]);
    return add_attached(a, stage);
}

/* ---- all forces ---- */

saddle_status saddle__system_forces(saddle_assembly *a, const saddle_stage *stage,
                                    const saddle_contact_list *contacts)
{
    const saddle_model *model = a->model;
    const int64_t n = a->problem.n;
    make_base(a, stage->damping, stage->stiffness);
    if (a->blocks || !a->base_written) {
        memcpy(a->problem.M.value, a->base,
               (size_t)saddle_matrix_entries(&a->problem.M) * sizeof *a->base);
    }
    a->base_written = 1;
    a->turn = !a->turn;
    for (int32_t k = 0; k < model->parts.count; k++) SADDLE__TRY(push_part(a, stage, &a->part[k]));
    for (int32_t k = 0; k < model->forces.count; k++)
        SADDLE__TRY(push_force(a, stage, &a->force[k]));
    for (int32_t k = 0; a->implicit && k < model->constraints.count; k++)
        if (a->constraint[k].map >= 0) SADDLE__TRY(add_geometric(a, stage, &a->constraint[k]));
    const double *now = a->force_now[a->turn], *added = stage->added_force;
    for (int64_t i = 0; i < n; i++)
        a->problem.f[i] += stage->time_step * (added ? now[i] + added[i] : now[i]);
    return add_reactions(a, stage, contacts);
}
