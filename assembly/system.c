/* SPDX-License-Identifier: MIT */
/* An assembly: rows of constraints and contacts, update, columns and vectors, motion
 * (saddle/assembly.h). */
#include <math.h>
#include <string.h>

#include "saddle/rotation.h"
#include "space/space.h"
#include "system.h"

/* ---- rows ----
 *
 * Rows of constraints and contacts: J, R, b and bounds.
 *
 *     alpha F = -(phi + T dphi/dt+),  T = theta h + beta + steps h   ->   J v+ + R lambda = b
 *
 * (saddle/compliance.h).  h is the rows' step, in which positions move by h vbar,
 * vbar = (1 - c) v+ + c v with c = stage->carried; lambda is the impulse of the stage's time step.
 * The row for vbar is J vbar + R lambda = b, so for v+
 *
 *     J v+ + R/(1 - c) lambda = (b - c J v)/(1 - c)
 *
 * A unilateral row uses this form only for a smaller right-hand side: otherwise landing parts would
 * bounce.
 */

/* ---- one row ---- */

/* R and b of one row (saddle/constraint.h, contact.h, compliance.h). */
typedef struct system_row {
    double phi, phi_t;    /* value; partial derivative by time */
    double moving, given; /* J v of the columns; of prescribed parts */
    double restitution;
    const saddle_compliance *compliance;
    double R, b; /* out */
} system_row;
/* b from the wanted dphi/dt. */
static void set_b(const saddle_stage *stage, double rate, int is_unilateral, system_row *row)
{
    const double c = stage->carried;
    row->b = rate - row->phi_t - row->given;
    if (c == 0) return;
    const double carried = (row->b - c * row->moving) / (1 - c);
    if (is_unilateral && carried >= row->b) return;
    row->b = carried;
    row->R /= 1 - c;
}

/* R and 1/T for lambda the impulse of the stage's time step. */
static double set_R(const saddle_stage *stage, double theta, system_row *row)
{
    double correction;
    saddle_compliance_row(row->compliance, stage->row_step, theta, &row->R, &correction);
    row->R *= stage->row_step / stage->time_step;
    return correction;
}

/* A row with restitution whose gap closes within the step is in contact: otherwise the row would
 * stop the part at phi = 0 before the impact. */
static void limit_row(const saddle_stage *stage, system_row *row)
{
    const double theta = stage->unilateral_theta > 0 ? stage->unilateral_theta : stage->theta;
    const double correction = set_R(stage, theta, row);
    const double approach = row->moving + row->given + row->phi_t;
    double rate = row->phi < 0 ? -correction * row->phi : -row->phi / stage->row_step;
    const int bounces = row->restitution > 0 && approach < 0 &&
                        row->phi + stage->row_step * approach <= 0;
    if (bounces && rate < -row->restitution * approach) {
        row->b = -row->restitution * approach - row->phi_t - row->given;
        return;
    }
    set_b(stage, rate, 1, row);
}

/* Moreau's law: contact where half a step of the approach closes the gap. */
static int impact_row(const saddle_stage *stage, system_row *row)
{
    const double approach = row->moving + row->given + row->phi_t;
    if (!(row->phi + stage->row_step / 2 * approach <= 0)) return 0;
    row->R = 0;
    row->b = -row->restitution * approach - row->phi_t - row->given;
    return 1;
}

/* ---- a constraint ---- */

static void clear_row(saddle_problem *p, int64_t row)
{
    const int64_t first = p->Jt.start[row], end = p->Jt.start[row + 1];
    memset(p->Jt.value + first, 0, (size_t)(end - first) * sizeof *p->Jt.value);
}

/* R and P of coupled rows, behind C and D in the constraint's memory. */
static saddle_status couple_rows(const saddle_assembly *a, const saddle_stage *stage,
                                 const saddle__system_link *link)
{
    const saddle__item_link *c = link->item;
    const int64_t count = c->coupled, size = count * count;
    const double h = stage->row_step;
    if (count == 0) return SADDLE_OK;
    double *C = c->coupling, *R = C + 2 * size;
    int pivot[SADDLE_CONSTRAINT_ROWS_MAX];
    for (int64_t i = 0; i < count; i++)
        if (c->row[i].purpose != SADDLE_PURPOSE_HOLD)
            return saddle__system_refuse(a, link, "a coupled row is no HOLD row");
    const saddle_status status = saddle__compliance_matrix(a->context, count, C, C + size, h,
                                                           stage->theta * h * h, h, C + 4 * size,
                                                           pivot, R, C + 3 * size);
    for (int64_t k = 0; k < size; k++) R[k] *= h / stage->time_step;
    return saddle__system_pass_on(a, link, status);
}

/* R_ii of coupled row i, the rest of its column of R; b from P phi. */
static void set_coupled_row(saddle_assembly *a, const saddle_stage *stage,
                            const saddle__system_link *link, int64_t i, system_row *r)
{
    const saddle__item_link *c = link->item;
    const int64_t count = c->coupled, size = count * count;
    const double *R = c->coupling + 2 * size, *P = R + size, *phi = a->phi + link->row;
    double *value = a->problem.R.value + a->problem.R.start[link->row + i];
    double correction = 0;
    for (int64_t k = 0; k < count; k++) correction += P[i + k * count] * phi[k];
    for (int64_t k = i + 1; k < count; k++) value[k - i] = R[k + i * count] / (1 - stage->carried);
    r->R = R[i + i * count];
    set_b(stage, -correction, 0, r);
}

static saddle_status set_row(saddle_assembly *a, const saddle_stage *stage,
                             const saddle__system_link *link, double drift, int64_t i)
{
    saddle_problem *p = &a->problem;
    const saddle_row_def *def = &link->item->row[i];
    const int64_t row = link->row + i;
    const int is_unilateral = def->purpose == SADDLE_PURPOSE_LIMIT ||
                              def->purpose == SADDLE_PURPOSE_IMPACT;
    const int is_hard = saddle__row_is_hard(link->item, i);
    const double strength = def->strength * stage->time_step;
    system_row r = {.phi = a->phi[row],
                    .phi_t = a->rate[i],
                    .restitution = def->restitution,
                    .compliance = &def->compliance};
    if (link->has_prescribed) r.given = saddle__row_rate(a, link, i, 0);
    if (stage->carried != 0 || is_unilateral) r.moving = saddle__row_rate(a, link, i, 1);
    if (i < link->item->coupled) {
        set_coupled_row(a, stage, link, i, &r);
    } else if (def->purpose == SADDLE_PURPOSE_HOLD) {
        const double correction = set_R(stage, stage->theta, &r);
        set_b(stage, stage->keep_errors && is_hard ? 0 : -correction * r.phi, 0, &r);
        if (is_hard) r.b -= stage->curvature * drift;
        if (is_hard) a->drift = fmax(a->drift, fabs(r.phi));
    } else if (def->purpose == SADDLE_PURPOSE_LIMIT) {
        limit_row(stage, &r);
    } else if (def->purpose == SADDLE_PURPOSE_DRIVE) {
        r.b = def->target - r.phi_t - r.given;
    } else if (!impact_row(stage, &r)) { /* lambda = 0 */
        clear_row(p, row);
        r.R = 1;
        r.b = -1;
    }
    p->b[row] = r.b;
    p->lo[row] = is_unilateral ? 0 : -strength;
    p->hi[row] = is_unilateral ? INFINITY : strength;
    if (!(strength >= 0) || !isfinite(r.b) || !(r.R >= 0) || !isfinite(r.R))
        return saddle__system_refuse(a, link, "a row's definition is out of its range");
    if (p->R.start[row] < p->R.start[row + 1]) p->R.value[p->R.start[row]] = r.R;
    return SADDLE_OK;
}

/* Rows of constraints. */
static saddle_status add_rows(saddle_assembly *a, const saddle_stage *stage)
{
    a->drift = 0;
    for (int32_t k = 0; k < a->model->constraints.count; k++) {
        const saddle__system_link *link = &a->constraint[k];
        const saddle__item_link *c = link->item;
        double drift[SADDLE_CONSTRAINT_ROWS_MAX] = {0};
        if (link->rows == 0) continue;
        SADDLE__TRY(saddle__system_evaluate(a, link));
        if (stage->curvature != 0 && c->constraint->drift)
            SADDLE__TRY(saddle__system_evaluate_drift(a, link, drift));
        SADDLE__TRY(couple_rows(a, stage, link));
        for (int64_t i = 0; i < link->rows; i++) SADDLE__TRY(set_row(a, stage, link, drift[i], i));
    }
    return SADDLE_OK;
}

/* ---- contacts ----
 *
 * Contact table (C, N, D) of the multibody and LCP notes.  For each direction d of (n, t1, t2)
 *
 *     J v = d'(v_b(x_b) - v_a(x_a))
 *
 * and for torsion (d = n) and rolling (d = t1, t2) J v = d'(omega_b - omega_a), with entries of
 * bodies alone, (0, R'd).
 *
 *     body        v(x) = R (nu + omega x X), X = R'(x - p)     J = (R'd, X x R'd), body axes
 *     particle    v(x) = v                                     J = d
 *     nodes       v(x) = sum weight_i v_i                      J_i = weight_i d
 *
 * Arms end at the point of contact (the notes have r; the fourth case is l = 2 j_k).  An empty slot
 * gives lambda = 0: J = 0, R = 1, b = (-1, 0, ..), no friction.
 */

enum { ROWS = SADDLE_CONTACT_ROWS };

typedef struct contact_rows { /* rows of J on their way into J' */
    const saddle__slot_columns *columns;
    double *J[ROWS];                  /* entries of each */
    double moving[ROWS], given[ROWS]; /* J v by the columns, by prescribed parts */
    double directions[3][3];
} contact_rows;

/* Adds an entry (size) of each row at a column; -1 for the ground and prescribed parts. */
static void add_entries(contact_rows *r, int64_t column, int64_t size, double entry[ROWS][6],
                        const double *v)
{
    int64_t offset = 0;
    for (int64_t k = 0; column >= 0 && r->columns->column[k] != column; k++)
        offset += r->columns->size[k];
    for (int64_t d = 0; d < r->columns->rows; d++) {
        double rate = 0;
        for (int64_t j = 0; j < size; j++) rate += entry[d][j] * v[j];
        *(column < 0 ? &r->given[d] : &r->moving[d]) += rate;
        for (int64_t j = 0; column >= 0 && j < size; j++) r->J[d][offset + j] += entry[d][j];
    }
}

static void add_body(const saddle_assembly *a, const saddle__item_part *part,
                     const saddle_contact_side *side, double sign, contact_rows *r)
{
    const saddle_pose *pose = (const saddle_pose *)(const void *)(a->model->position +
                                                                  part->position);
    const int64_t rows = r->columns->rows;
    double X[3], entry[ROWS][6] = {{0}};
    for (int i = 0; i < 3; i++) X[i] = side->point[i] - pose->p[i];
    saddle__unrotate(pose->R, X, X);
    for (int d = 0; d < 3; d++) {
        saddle__unrotate(pose->R, r->directions[d], entry[d]);
        for (int i = 0; i < 3; i++) entry[d][i] *= sign;
        saddle__cross(X, entry[d], entry[d] + 3);
    }
    for (int64_t d = 3; d < rows; d++) { /* torsion about n, rolling about the tangents */
        const int64_t about = rows == 5 ? d - 2 : d - 3;
        for (int i = 0; i < 3; i++) entry[d][3 + i] = entry[about][i];
    }
    add_entries(r, a->column[side->part.index], 6, entry, a->model->velocity + part->velocity);
}

static void add_side(const saddle_assembly *a, const saddle_contact_side *side, double sign,
                     contact_rows *r)
{
    const saddle__item_part *part = saddle__model_part(a->model, side->part);
    if (!part) return;
    if (part->head.item == SADDLE_ITEM_BODY) {
        add_body(a, part, side, sign, r);
        return;
    }
    const int is_nodes = part->head.item == SADDLE_ITEM_NODES;
    const int64_t first = a->column[side->part.index];
    for (int64_t k = 0; k < (is_nodes ? side->count : 1); k++) {
        const int64_t node = is_nodes ? side->node[k] : 0;
        const double weight = sign * (is_nodes ? side->weight[k] : 1);
        double entry[ROWS][6] = {{0}};
        for (int d = 0; d < 3; d++) {
            for (int i = 0; i < 3; i++) entry[d][i] = weight * r->directions[d][i];
        }
        add_entries(r, first < 0 ? -1 : first + 3 * node, 3, entry,
                    a->model->velocity + part->velocity + 3 * node);
    }
}

/* The id of row k of a slot: -1 - (4 id + k) for the first three of a contact, -1 - (4 (6 slot + k)
 * + 3) for others and those of an empty slot; negative, unlike ids of constraints' rows. */
static int64_t row_id(int64_t id, int64_t slot, int64_t k)
{
    return -1 - (id < 0 || k >= 3 ? 4 * (ROWS * slot + k) + 3 : 4 * id + k);
}

static void empty_slot(saddle_assembly *a, int64_t slot)
{
    saddle_problem *p = &a->problem;
    saddle_contact *contact = &p->contacts[slot];
    const int64_t first = contact->row, rows = contact->size, entry = p->Jt.start[first];
    memset(p->Jt.value + entry, 0,
           (size_t)(p->Jt.start[first + rows] - entry) * sizeof *p->Jt.value);
    *contact = (saddle_contact){.row = first, .size = rows};
    for (int64_t k = 0; k < rows; k++) {
        p->R.value[p->R.start[first + k]] = 1;
        p->b[first + k] = k == 0 ? -1 : 0;
        /* bounds of the law, for readers of the problem */
        p->lo[first + k] = k == 0 ? 0 : -INFINITY;
        p->hi[first + k] = INFINITY;
        p->row_id[first + k] = row_id(a->slots.slot[slot].id, slot, k);
        a->phi[first + k] = 0;
    }
}

/* The overlap that may remain at the end of the row's step.  The first overlap d of a contact
 * without compliance separates at the stage's speed s: at time t at most max(d - s (t - t_found),
 * 0) remains, and never more than the present overlap.  Overlap added by the last step is corrected
 * at once. While some of d remains no other overlap is corrected, so rows whose velocities act a
 * step later (explicit Euler) separate at s too.
 */
static double stays_overlapped(const saddle_assembly *a, const saddle_stage *stage,
                               const saddle_contact_point *contact, saddle__slot *slot)
{
    const double speed = stage->separation_speed, now = a->model->time,
                 overlap = fmax(-contact->gap, 0);
    if (speed == 0 || contact->compliance.alpha > 0) return 0;
    const double before = slot->is_new ? overlap : slot->overlap;
    const double left = slot->is_new ? overlap : fmax(slot->slow - speed * (now - slot->since), 0);
    slot->slow = fmin(left, overlap);
    slot->overlap = overlap;
    slot->since = now;
    slot->is_new = 0;
    return slot->slow > 0 ? fmax(fmin(overlap, before) - speed * stage->row_step, 0) : 0;
}

static saddle_status fill_rows(saddle_assembly *a, const saddle_stage *stage,
                               const saddle_contact_point *contact, int64_t slot)
{
    saddle_problem *p = &a->problem;
    const int64_t first = p->contacts[slot].row, rows = p->contacts[slot].size;
    contact_rows r = {.columns = &a->slots.group[a->slots.slot[slot].group].columns};
    for (int64_t k = 0; k < rows; k++) r.J[k] = p->Jt.value + p->Jt.start[first + k];
    saddle__contact_frame(contact, r.directions);
    add_side(a, &contact->a, -1, &r);
    add_side(a, &contact->b, 1, &r);
    system_row normal = {.phi = contact->gap +
                                stays_overlapped(a, stage, contact, &a->slots.slot[slot]),
                         .moving = r.moving[0],
                         .given = r.given[0],
                         .restitution = contact->restitution,
                         .compliance = &contact->compliance};
    if (!contact->impact) {
        limit_row(stage, &normal);
    } else if (!impact_row(stage, &normal)) {
        empty_slot(a, slot);
        a->phi[first] = contact->gap;
        return SADDLE_OK;
    }
    p->b[first] = normal.b;
    for (int64_t k = 0; k < rows; k++) p->R.value[p->R.start[first + k]] = k == 0 ? normal.R : 0;
    for (int64_t k = 1; k < rows; k++) p->b[first + k] = -r.given[k];
    a->phi[first] = contact->gap;
    p->contacts[slot].mu = contact->mu;
    if (rows == 4 || rows == 6) p->contacts[slot].mu_torsion = contact->mu_torsion;
    if (rows >= 5) p->contacts[slot].mu_rolling = contact->mu_rolling;
    if (saddle__is_finite(p->b + first, rows) && isfinite(normal.R)) return SADDLE_OK;
    return saddle_fail(a->context, SADDLE_INVALID_ARGUMENT, "contact %lld: its rows are not finite",
                       (long long)contact->id);
}

/* Rows of all slots. */
static saddle_status add_contacts(saddle_assembly *a, const saddle_stage *stage,
                                  const saddle_contact_list *contacts)
{
    const int64_t count = !contacts ? 0 : contacts->count;
    a->problem.contact_count = a->slots.count;
    for (int64_t s = 0; s < a->slots.count; s++) empty_slot(a, s);
    for (int64_t k = 0; k < count; k++)
        SADDLE__TRY(fill_rows(a, stage, &contacts->point[k], a->slots.slot_of[k]));
    return SADDLE_OK;
}

/* ---- update ---- */

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

saddle_status saddle_assembly_update(saddle_assembly *assembly, const saddle_stage *stage,
                                     const saddle_contact_list *contacts, int *grown)
{
    SADDLE__RETURN_UNLESS(assembly ? assembly->context : NULL, assembly && stage,
                          "assembly or stage is NULL");
    saddle_assembly *a = assembly;
    SADDLE__TRY(saddle__system_is_current(a));
    SADDLE__TRY(check_stage(a, stage));
    SADDLE__TRY(saddle__system_adapt(a, stage));
    SADDLE__TRY(saddle__slots_assign(a, contacts));
    SADDLE__TRY(saddle__system_follow(a, &stage->attached));
    SADDLE__TRY(saddle__system_forces(a, stage, contacts));
    SADDLE__TRY(add_rows(a, stage));
    SADDLE__TRY(add_contacts(a, stage, contacts));
    a->problem.time_step = stage->time_step;
    if (grown) *grown = a->changed;
    a->changed = 0;
    return SADDLE_OK;
}

void saddle_assembly_keep_impulses(saddle_assembly *assembly, double h, const double *lambda)
{
    if (!assembly || (!lambda && assembly->problem.m > 0)) return;
    for (int64_t i = 0; i < assembly->rows; i++) assembly->kept[i] = lambda[i] / h;
    for (int64_t s = 0; s < assembly->problem.contact_count; s++) {
        const saddle_contact *contact = &assembly->problem.contacts[s];
        for (int64_t k = 0; k < contact->size; k++)
            assembly->slots.slot[s].force[k] = lambda[contact->row + k] / h;
    }
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

/* The model's velocities from or to a vector (n); the other one is NULL. */
static void copy_velocities(const saddle_assembly *a, const double *from, double *to)
{
    for (int32_t k = 0; a && (from || to) && k < a->model->parts.count; k++) {
        const saddle__item_part *part = &a->model->part[a->part[k].place];
        const int64_t column = a->part[k].column;
        double *velocity = a->model->velocity + part->velocity;
        if (column >= 0 && (to || !part->prescribed))
            saddle__copy(to ? to + column : velocity, to ? velocity : from + column, part->size);
    }
}

void saddle_assembly_get_velocity(const saddle_assembly *assembly, double *v)
{
    copy_velocities(assembly, NULL, v);
}

void saddle_assembly_set_velocity(saddle_assembly *assembly, const double *v)
{
    copy_velocities(assembly, v, NULL);
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
    if (update == SADDLE_ROTATION_UPDATE_EXPONENTIAL) {
        const saddle_pose moved = saddle_pose_exp(step);
        *pose = saddle_pose_multiply(pose, &moved);
        make_orthonormal(pose->R);
        return;
    }
    double shift[3];
    saddle__rotate(pose->R, step, shift);
    for (int k = 0; k < 3; k++) pose->p[k] += shift[k];
    if (update == SADDLE_ROTATION_UPDATE_INFINITESIMAL) {
        turn_infinitesimal(v + 3, h, pose->R);
        return;
    }
    saddle_rotation_exp(step + 3, turn);
    saddle__product3(pose->R, turn, pose->R);
    make_orthonormal(pose->R);
}

/* The part moves by a velocity of its own: all but a body that is attached. */
static int moves_itself(const saddle__item_part *part)
{
    return part->head.item != SADDLE_ITEM_BODY || !part->followed || part->followed[0].tie < 0;
}

saddle_status saddle_assembly_move(saddle_assembly *assembly, double h, const double *v,
                                   saddle_rotation_update update)
{
    SADDLE__RETURN_UNLESS(assembly ? assembly->context : NULL,
                          assembly && (v || assembly->problem.n <= 0), "assembly or v is NULL");
    SADDLE__TRY(saddle__system_is_current(assembly));
    saddle_model *model = assembly->model;
    for (int32_t k = 0; k < model->parts.count; k++) {
        const saddle__system_part *compiled = &assembly->part[k];
        const saddle__item_part *part = &model->part[compiled->place];
        const double *velocity = part->told         ? part->told->velocity
                                 : part->prescribed ? model->velocity + part->velocity
                                                    : v + compiled->column;
        if (!moves_itself(part)) continue;
        double *x = model->position + part->position;
        if (part->head.item == SADDLE_ITEM_BODY) {
            move_body((saddle_pose *)(void *)x, h, velocity, update);
            continue;
        }
        for (int64_t i = 0; i < part->size; i++) x[i] += h * velocity[i];
    }
    saddle_status status = SADDLE_OK;
    if (assembly->attached.graph)
        status = saddle_couplings_place(assembly->attached.couplings, model->position);
    saddle__model_moved(model);
    return status;
}

saddle_status saddle_assembly_place(saddle_assembly *assembly)
{
    SADDLE__RETURN_UNLESS(assembly ? assembly->context : NULL, assembly, "assembly is NULL");
    SADDLE__TRY(saddle__system_is_current(assembly));
    saddle__system_reparameterize(assembly);
    return saddle__system_place(assembly);
}
