/* SPDX-License-Identifier: MIT */
/* Rows of contacts: the table of seed 001 (C, N, D).  For each direction d of (n, t1, t2)
 *
 *     J v = d'(v_b(x_b) - v_a(x_a)),   body   v(x) = R (nu + omega x X),  X = R'(x - p)
 *         J = (R'd, X x R'd)
 *                                        particle  v(x) = v                                   J = d
 *                                        nodes     v(x) = sum weight_i v_i         J_i = weight_i d
 *
 * with bodies in their own axes.  Arms end at the point of contact (the seed's are r; its fourth
 * case is l = 2 j_k). An empty slot says lambda = (0, 0, 0): J = 0, R = 1, b = (-1, 0, 0), mu =
 * 0. */
#include <math.h>

#include "items.h"
#include "space/space.h"
#include "system.h"

/* (t1, t2, n) is the frame that the shortest turn of e to n makes of a fixed one about e,
 *
 *     t = u - (n'u)/(1 + e'n) (e + n),     u normal to e
 *
 * which is x, y for n = z and smooth in n but at n = -e, a direction far from all axes. */
static void choose_tangent(const double *n, double *t)
{
    static const double e[3] = {2.0 / 7, 3.0 / 7, 6.0 / 7},
                        u[3] = {87.0 / 91, -6.0 / 91, -26.0 / 91};
    const double sum[3] = {e[0] + n[0], e[1] + n[1], e[2] + n[2]};
    const double square = saddle__dot(sum, sum); /* 2 (1 + e'n) */
    const double share = square > 1e-24 ? 2 * saddle__dot(n, u) / square : 0;
    for (int i = 0; i < 3; i++) t[i] = u[i] - share * sum[i];
}

/* directions: n, t1, t2, orthonormal whatever the contact's rounding. */
static void make_frame(const saddle_contact_point *contact, double directions[3][3])
{
    double *n = directions[0], *t = directions[1];
    const double length = sqrt(saddle__dot(contact->normal, contact->normal));
    for (int i = 0; i < 3; i++) n[i] = contact->normal[i] / length;
    memcpy(t, contact->tangent, 3 * sizeof *t);
    if (saddle__dot(t, t) == 0) choose_tangent(n, t);
    const double along = saddle__dot(n, t);
    for (int i = 0; i < 3; i++) t[i] -= along * n[i];
    const double width = sqrt(saddle__dot(t, t));
    for (int i = 0; i < 3; i++) t[i] /= width;
    saddle__cross(n, t, directions[2]);
}

/* ---- J ---- */

typedef struct rows { /* three rows of J on their way into J' */
    const saddle__slot_columns *columns;
    double *J[3];               /* entries of each */
    double moving[3], given[3]; /* J v by the columns, by prescribed parts */
    double directions[3][3];
} rows;

/* Adds an entry (size) of each row at a column, which is -1 of what does not move by itself. */
static void add_entries(rows *r, int64_t column, int64_t size, double entry[3][6], const double *v)
{
    int64_t offset = 0;
    for (int64_t k = 0; column >= 0 && r->columns->column[k] != column; k++)
        offset += r->columns->size[k];
    for (int d = 0; d < 3; d++) {
        double rate = 0;
        for (int64_t j = 0; j < size; j++) rate += entry[d][j] * v[j];
        *(column < 0 ? &r->given[d] : &r->moving[d]) += rate;
        for (int64_t j = 0; column >= 0 && j < size; j++) r->J[d][offset + j] += entry[d][j];
    }
}

static void add_body(const saddle_assembly *a, const saddle__part *part,
                     const saddle_contact_side *side, double sign, rows *r)
{
    const saddle_pose *pose = (const saddle_pose *)(const void *)(a->model->position +
                                                                  part->position);
    double X[3], entry[3][6];
    for (int i = 0; i < 3; i++) X[i] = side->point[i] - pose->p[i];
    saddle__unrotate(pose->R, X, X);
    for (int d = 0; d < 3; d++) {
        saddle__unrotate(pose->R, r->directions[d], entry[d]);
        for (int i = 0; i < 3; i++) entry[d][i] *= sign;
        saddle__cross(X, entry[d], entry[d] + 3);
    }
    add_entries(r, a->column[side->part.index], 6, entry, a->model->velocity + part->velocity);
}

static void add_side(const saddle_assembly *a, const saddle_contact_side *side, double sign,
                     rows *r)
{
    const saddle__part *part = saddle__model_part(a->model, side->part);
    if (part == NULL) return;
    if (part->item == SADDLE_ITEM_BODY) {
        add_body(a, part, side, sign, r);
        return;
    }
    const int is_nodes = part->item == SADDLE_ITEM_NODES;
    const int64_t first = a->column[side->part.index];
    for (int64_t k = 0; k < (is_nodes ? side->count : 1); k++) {
        const int64_t node = is_nodes ? side->node[k] : 0;
        const double weight = sign * (is_nodes ? side->weight[k] : 1);
        double entry[3][6];
        for (int d = 0; d < 3; d++) {
            for (int i = 0; i < 3; i++) entry[d][i] = weight * r->directions[d][i];
        }
        add_entries(r, first < 0 ? -1 : first + 3 * node, 3, entry,
                    a->model->velocity + part->velocity + 3 * node);
    }
}

/* ---- slots ---- */

static void clear_rows(saddle_assembly *a, int64_t slot)
{
    saddle_problem *p = &a->problem;
    const int64_t first = a->rows + 3 * slot, entry = p->Jt.start[first];
    memset(p->Jt.value + entry, 0, (size_t)(p->Jt.start[first + 3] - entry) * sizeof *p->Jt.value);
    p->contacts[slot].mu = 0;
    for (int64_t k = 0; k < 3; k++) {
        p->R.value[p->R.start[first + k]] = 1;
        p->b[first + k] = k == 0 ? -1 : 0;
        p->lo[first + k] = k == 0 ? 0 : -INFINITY; /* the law's, for those who look */
        p->hi[first + k] = INFINITY;
        p->row_id[first + k] = saddle__slot_row_id(a->slots.slot[slot].id, slot, k);
        a->phi[first + k] = 0;
    }
}

/* What of an overlap stays at the end of the row's step.  A contact that is found overlapping,
 * without compliance, is parted at the stage's speed s: of the overlap d as it was found max(d - s
 * (t - t_found), 0) may stay until t, and never more than there is.  What the step before has
 * added, as its errors do, is taken out at once; as long as some of d stays, nothing else is, so
 * that rows whose velocities act a step later (explicit Euler) part at s too. */
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
    const int64_t first = a->rows + 3 * slot;
    rows r = {.columns = &a->slots.group[a->slots.slot[slot].group].columns};
    for (int64_t k = 0; k < 3; k++) r.J[k] = p->Jt.value + p->Jt.start[first + k];
    make_frame(contact, r.directions);
    add_side(a, &contact->a, -1, &r);
    add_side(a, &contact->b, 1, &r);
    saddle__row normal = {.phi = contact->gap +
                                 stays_overlapped(a, stage, contact, &a->slots.slot[slot]),
                          .moving = r.moving[0],
                          .given = r.given[0],
                          .restitution = contact->restitution,
                          .compliance = &contact->compliance};
    if (!contact->impact) {
        saddle__row_limit(stage, &normal);
    } else if (!saddle__row_impact(stage, &normal)) {
        clear_rows(a, slot);
        a->phi[first] = contact->gap;
        return SADDLE_OK;
    }
    p->b[first] = normal.b;
    for (int64_t k = 0; k < 3; k++) p->R.value[p->R.start[first + k]] = k == 0 ? normal.R : 0;
    for (int64_t k = 1; k < 3; k++) p->b[first + k] = -r.given[k];
    a->phi[first] = contact->gap;
    p->contacts[slot].mu = contact->mu;
    if (saddle__all_finite(p->b + first, 3) && isfinite(normal.R)) return SADDLE_OK;
    return saddle_fail(a->context, SADDLE_INVALID_ARGUMENT, "contact %lld: its rows are not finite",
                       (long long)contact->id);
}

saddle_status saddle__system_contacts(saddle_assembly *a, const saddle_stage *stage,
                                      const saddle_contact_list *contacts)
{
    const int64_t count = contacts == NULL ? 0 : contacts->count;
    saddle_status status = SADDLE_OK;
    for (int64_t s = 0; s < a->slots.count; s++) clear_rows(a, s);
    for (int64_t k = 0; status == SADDLE_OK && k < count; k++) {
        status = fill_rows(a, stage, &contacts->point[k], a->slots.slot_of[k]);
    }
    a->problem.contact_count = a->slots.count;
    return status;
}
