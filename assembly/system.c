/* SPDX-License-Identifier: MIT */
/* An assembly: creation, update, columns and rows, names, motion (saddle/assembly.h). */
#include <math.h>
#include <stdio.h>

#include "saddle/rotation.h"
#include "space/space.h"
#include "system.h"

saddle_assembly_options saddle_assembly_options_default(void)
{
    return (saddle_assembly_options){.law = SADDLE_LAW_CONE};
}

saddle_status saddle_assembly_create(saddle_model *model, const saddle_assembly_options *options,
                                     saddle_assembly **assembly)
{
    if (assembly) *assembly = NULL;
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && assembly,
                          "model or assembly is NULL");
    saddle_assembly *a = saddle_allocate(model->context, 1, sizeof *a);
    if (!a) return SADDLE_OUT_OF_MEMORY;
    a->model = model;
    a->context = model->context;
    a->edition = model->edition;
    a->options = options ? *options : saddle_assembly_options_default();
    a->problem.context = model->context;
    a->problem.law = a->options.law;
    a->problem.facets = a->options.facets;
    const saddle_status status = saddle__system_compile(a);
    if (status == SADDLE_OK)
        *assembly = a;
    else
        saddle_assembly_free(a);
    return status;
}

void saddle_assembly_free(saddle_assembly *assembly)
{
    if (!assembly) return;
    saddle_assembly *a = assembly;
    saddle_problem *p = &a->problem;
    void *const arrays[] = {a->map,      a->base,    a->phi,     p->Jt.start, p->Jt.index,
                            p->Jt.value, p->R.start, p->R.index, p->R.value,  p->b,
                            p->lo,       p->hi,      p->row_id,  p->row_name, p->contacts};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        saddle_release(a->context, arrays[k]);
    saddle__layout_clear(a->context, &a->arrays);
    saddle_matrix_clear(&p->M);
    saddle__slots_clear(a->context, &a->slots);
    saddle_release(a->context, a);
}

/* ---- update ---- */

saddle_status saddle__system_is_current(const saddle_assembly *a)
{
    if (a->edition == a->model->edition) return SADDLE_OK;
    return saddle_fail(a->context, SADDLE_WRONG_PHASE,
                       "assembly: items of the model were added or removed since its creation");
}

static saddle_status check_stage(const saddle_assembly *a, const saddle_stage *s)
{
    const struct {
        const char *name;
        int is_sound;
    } fields[] = {
        {"time_step", s->time_step > 0 && isfinite(s->time_step)},
        {"gyroscopic", isfinite(s->gyroscopic)},
        {"damping", isfinite(s->damping)},
        {"stiffness", isfinite(s->stiffness)},
        {"velocity_force", isfinite(s->velocity_force)},
        {"row_step", s->row_step > 0 && isfinite(s->row_step)},
        {"theta", s->theta > 0 && s->theta <= 1},
        {"unilateral_theta", s->unilateral_theta >= 0 && s->unilateral_theta <= 1},
        {"carried", s->carried >= 0 && s->carried < 1},
        {"ahead", isfinite(s->ahead)},
        {"separation_speed", s->separation_speed >= 0 && isfinite(s->separation_speed)},
    };
    for (size_t k = 0; k < sizeof fields / sizeof *fields; k++) {
        if (fields[k].is_sound) continue;
        return saddle_fail(a->context, SADDLE_INVALID_ARGUMENT, "stage: %s is out of its range",
                           fields[k].name);
    }
    return SADDLE_OK;
}

/* The first stage with K or D adds their blocks to M's pattern, for good. */
static saddle_status add_jacobians(saddle_assembly *a, const saddle_stage *stage)
{
    if (a->implicit || (stage->damping == 0 && stage->stiffness == 0 && stage->velocity_force == 0))
        return SADDLE_OK;
    a->implicit = 1;
    const saddle_status status = saddle__system_compile_mass(a);
    if (status != SADDLE_OK) a->implicit = 0;
    return status;
}

static saddle_status set_rows(saddle_assembly *a, const saddle_stage *stage)
{
    a->soft = 0;
    saddle_status status = saddle__system_rows(a, stage);
    if (status != SADDLE_OK || !a->soft) return status;
    status = saddle__system_soften(a);
    return status == SADDLE_OK ? saddle__system_rows(a, stage) : status;
}

saddle_status saddle_assembly_update(saddle_assembly *assembly, const saddle_stage *stage,
                                     const saddle_contact_list *contacts, int *grown)
{
    SADDLE__RETURN_UNLESS(assembly ? assembly->context : NULL, assembly && stage,
                          "assembly or stage is NULL");
    saddle_assembly *a = assembly;
    saddle_status status = saddle__system_is_current(a);
    if (status == SADDLE_OK) status = check_stage(a, stage);
    if (status == SADDLE_OK) status = add_jacobians(a, stage);
    if (status == SADDLE_OK) status = saddle__slots_assign(a, contacts);
    if (status == SADDLE_OK) status = saddle__system_forces(a, stage);
    if (status == SADDLE_OK) status = set_rows(a, stage);
    if (status == SADDLE_OK) status = saddle__system_contacts(a, stage, contacts);
    if (status != SADDLE_OK) return status;
    a->problem.time_step = stage->time_step;
    if (grown) *grown = a->changed;
    a->changed = 0;
    return SADDLE_OK;
}

void saddle_assembly_keep_impulses(saddle_assembly *assembly, double h, const double *lambda)
{
    if (!assembly || (!lambda && assembly->problem.m > 0)) return;
    for (int64_t i = 0; i < assembly->rows; i++) assembly->kept[i] = lambda[i] / h;
}

/* ---- columns, rows, vectors ---- */

const saddle_problem *saddle_assembly_problem(const saddle_assembly *assembly)
{
    return assembly ? &assembly->problem : NULL;
}

int64_t saddle_assembly_column(const saddle_assembly *assembly, saddle_handle part)
{
    if (!assembly || assembly->edition != assembly->model->edition) return -1;
    return saddle__model_part(assembly->model, part) ? assembly->column[part.index] : -1;
}

int64_t saddle_assembly_row(const saddle_assembly *assembly, saddle_handle constraint)
{
    if (!assembly || assembly->edition != assembly->model->edition) return -1;
    if (!saddle__model_constraint(assembly->model, constraint)) return -1;
    return assembly->constraint[assembly->constraint_of[constraint.index]].row;
}

const double *saddle_assembly_force(const saddle_assembly *assembly)
{
    return assembly ? assembly->force_now[assembly->turn] : NULL;
}

const double *saddle_assembly_phi(const saddle_assembly *assembly)
{
    return assembly ? assembly->phi : NULL;
}

/* Velocities of the k-th part in the model (NULL = prescribed), first column and size. */
static double *part_velocity(const saddle_assembly *a, int32_t k, int64_t *column, size_t *bytes)
{
    const saddle__item_part *part = &a->model->part[a->part[k].place];
    *column = a->part[k].column;
    *bytes = (size_t)part->size * sizeof(double);
    return *column < 0 ? NULL : a->model->velocity + part->velocity;
}

void saddle_assembly_get_velocity(const saddle_assembly *assembly, double *v)
{
    int64_t column;
    size_t bytes;
    if (!assembly || (!v && assembly->problem.n > 0)) return;
    for (int32_t k = 0; k < assembly->model->parts.count; k++) {
        const double *velocity = part_velocity(assembly, k, &column, &bytes);
        if (velocity) memcpy(v + column, velocity, bytes);
    }
}

void saddle_assembly_set_velocity(saddle_assembly *assembly, const double *v)
{
    int64_t column;
    size_t bytes;
    if (!assembly || (!v && assembly->problem.n > 0)) return;
    for (int32_t k = 0; k < assembly->model->parts.count; k++) {
        double *velocity = part_velocity(assembly, k, &column, &bytes);
        if (velocity) memcpy(velocity, v + column, bytes);
    }
}

/* ---- compiled forces and constraints ---- */

const saddle__item_link *saddle__system_item(const saddle_assembly *a,
                                             const saddle__system_link *link)
{
    return &(link->is_force ? a->model->force : a->model->constraint)[link->place];
}

saddle_site saddle__system_site(const saddle_assembly *a, const saddle__system_link *link,
                                double time)
{
    return (saddle_site){saddle__system_item(a, link)->data,
                         time,
                         link->count,
                         a->anchors.size + link->anchor,
                         a->anchors.position + link->anchor,
                         a->anchors.velocity + link->anchor};
}

static saddle_handle handle_of(const saddle_assembly *a, const saddle__system_link *link)
{
    return saddle__model_handle(a->model, &saddle__system_item(a, link)->head, link->place);
}

saddle_status saddle__system_refuse(const saddle_assembly *a, const saddle__system_link *link,
                                    const char *what)
{
    char after[100];
    snprintf(after, sizeof after, ": %s", what);
    return saddle__refuse_item(a->model, "", handle_of(a, link), after);
}

saddle_status saddle__system_pass_on(const saddle_assembly *a, const saddle__system_link *link,
                                     saddle_status status)
{
    if (status == SADDLE_OK) return SADDLE_OK;
    return saddle__model_pass_on(a->model, handle_of(a, link), status);
}

/* ---- motion ----
 *
 * q <- q + h v (multibody and LCP notes, position update):
 *
 *     exponential      pose <- pose exp(h (nu, omega))
 *     finite           R <- R exp(h [omega]),  p <- p + h R nu
 *     infinitesimal    q <- (q + h/2 q (0, omega))/|..|,  p <- p + h R nu
 *
 * Rounding makes products of rotations drift; one Newton step for the polar factor corrects the
 * drift.
 */

/* R <- R (3 I - R'R)/2: an error e of orthonormality becomes e^2. */
static void make_orthonormal(double *R)
{
    double gram[9];
    saddle__transposed_product3(R, R, gram);
    for (int k = 0; k < 9; k++) gram[k] = ((k % 4 == 0 ? 3.0 : 0.0) - gram[k]) / 2;
    saddle__product3(R, gram, R);
}

static void turn_infinitesimal(const double *omega, double h, double *R)
{
    double q[4], rate[4];
    saddle_quaternion_from_matrix(R, q);
    saddle_quaternion_rate_body(q, omega, rate);
    for (int k = 0; k < 4; k++) q[k] += h * rate[k];
    if (saddle_quaternion_normalize(NULL, q) == SADDLE_OK) saddle_quaternion_to_matrix(q, R);
}

static void move_body(saddle_pose *pose, double h, const double *v, saddle_rotation_update update)
{
    double step[6], turn[9];
    for (int k = 0; k < 6; k++) step[k] = h * v[k];
    if (update == SADDLE_UPDATE_EXPONENTIAL) {
        const saddle_pose moved = saddle_pose_exp(step);
        *pose = saddle_pose_multiply(pose, &moved);
        make_orthonormal(pose->R);
        return;
    }
    double shift[3];
    saddle__rotate(pose->R, step, shift);
    for (int k = 0; k < 3; k++) pose->p[k] += shift[k];
    if (update == SADDLE_UPDATE_INFINITESIMAL) {
        turn_infinitesimal(v + 3, h, pose->R);
        return;
    }
    saddle_rotation_exp(step + 3, turn);
    saddle__product3(pose->R, turn, pose->R);
    make_orthonormal(pose->R);
}

void saddle_assembly_move(saddle_assembly *assembly, double h, const double *v,
                          saddle_rotation_update update)
{
    if (!assembly || (!v && assembly->problem.n > 0)) return;
    saddle_model *model = assembly->model;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__system_part *compiled = &assembly->part[k];
        const saddle__item_part *part = &model->part[compiled->place];
        const double *velocity = compiled->column < 0 ? model->velocity + part->velocity
                                                      : v + compiled->column;
        double *x = model->position + part->position;
        if (part->head.item == SADDLE_ITEM_BODY) {
            move_body((saddle_pose *)(void *)x, h, velocity, update);
            continue;
        }
        for (int64_t i = 0; i < part->size; i++) x[i] += h * velocity[i];
    }
    saddle__model_moved(model);
}
