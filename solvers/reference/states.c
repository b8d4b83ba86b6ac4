/* SPDX-License-Identifier: MIT */
/* See states.h. */
#include "reference/states.h"

#include <math.h>
#include <string.h>

#include "problem/cone.h"
#include "problem/problem_internal.h"

/* ---- states ---- */

/* The natural map's argument x_i = lambda_i - s_i / d_i of a contact, and weights of its parts. */
static saddle__cone contact_point(const saddle__states *at, const saddle_contact *contact,
                                  double *x)
{
    const saddle_reference *r = at->reference;
    const int64_t size = contact->size, row = contact->row;
    const double *scale = at->scale + row;
    saddle__cone cone = saddle__cone_of(contact);
    double d[SADDLE_CONTACT_ROWS];
    for (int g = 0; g < cone.parts; g++) {
        double most = 0.0;
        for (int i = cone.begin[g]; i < cone.begin[g + 1]; i++) most = fmax(most, scale[i]);
        if (g == 0) d[0] = most = fmax(most, scale[0]);
        for (int i = cone.begin[g]; i < cone.begin[g + 1]; i++) d[i] = most;
    }
    saddle__cone_weigh(&cone, d);
    for (int64_t i = 0; i < size; i++) x[i] = r->lambda[row + i] - r->w[row + i] / d[i];
    if (at->problem->law == SADDLE_LAW_CONE) x[0] -= saddle__cone_shift(&cone, r->w + row) / d[0];
    return cone;
}

static void set_fixed(saddle__states *at, int64_t i, double value)
{
    at->state[i] = SADDLE__FIXED;
    saddle__set_lambda(at->reference, i, saddle__twin_of(value));
}

static void set_bounded(saddle__states *at, int64_t i, double lo, double hi)
{
    const saddle_reference *r = at->reference;
    const double moved = r->lambda[i] - r->w[i] / at->scale[i];
    at->state[i] = SADDLE__FREE;
    if (moved <= lo)
        set_fixed(at, i, lo);
    else if (moved >= hi)
        set_fixed(at, i, hi);
}

static void set_box_contact(saddle__states *at, const saddle_contact *contact)
{
    const saddle_reference *r = at->reference;
    const int64_t normal = contact->row;
    set_bounded(at, normal, 0.0, (double)INFINITY);
    for (int64_t i = normal + 1; i < normal + contact->size; i++) {
        const double mu = saddle__contact_mu(contact, i - normal);
        const double limit = mu * fmax(r->lambda[normal], 0.0);
        const double moved = r->lambda[i] - r->w[i] / at->scale[i];
        if (at->state[normal] == SADDLE__FIXED || mu == 0.0) {
            set_fixed(at, i, 0.0);
            continue;
        }
        at->state[i] = fabs(moved) < limit ? SADDLE__FREE : SADDLE__LAW;
        at->side[i] = (signed char)(moved > 0.0 ? 1 : -1);
    }
}

static void set_cone_contact(saddle__states *at, const saddle_contact *contact)
{
    double x[SADDLE_CONTACT_ROWS];
    const saddle__cone cone = contact_point(at, contact, x);
    const int found = saddle__cone_state(&cone, x);
    const int associated = at->problem->law == SADDLE_LAW_ASSOCIATED;
    const int64_t row = contact->row;
    if (found == 0) {
        for (int64_t i = row; i < row + contact->size; i++) set_fixed(at, i, 0.0);
        return;
    }
    at->state[row] = associated && found > 1 ? SADDLE__LAW : SADDLE__FREE;
    for (int g = 0; g < cone.parts; g++)
        for (int i = cone.begin[g]; i < cone.begin[g + 1]; i++) {
            at->state[row + i] = found & 2 << g ? SADDLE__LAW : SADDLE__FREE;
            at->side[row + i] = (signed char)(x[i] > 0.0 ? 1 : -1);
            if (cone.mu[g] == 0.0) set_fixed(at, row + i, 0.0);
        }
}

/* All states from the natural maps at the present v, lambda and w; 1: as before. */
int saddle__states_find(saddle__states *at)
{
    const saddle_problem *problem = at->problem;
    int64_t next = 0, changed = 0;
    if (problem->m == 0) return 1;
    memcpy(at->old, at->state, (size_t)problem->m);
    memcpy(at->old_side, at->side, (size_t)problem->m);
    for (int64_t i = 0; i < problem->m; i++) {
        const saddle_contact *contact = saddle__contact_of(problem, i, &next);
        if (!contact) {
            set_bounded(at, i, saddle__lo(problem, i), saddle__hi(problem, i));
        } else {
            if (problem->law == SADDLE_LAW_CONE || problem->law == SADDLE_LAW_ASSOCIATED)
                set_cone_contact(at, contact);
            else
                set_box_contact(at, contact);
            i += contact->size - 1;
        }
    }
    for (int64_t i = 0; i < problem->m; i++)
        changed += at->state[i] != at->old[i] ||
                   (at->state[i] == SADDLE__LAW && at->side[i] != at->old_side[i]);
    at->reference->changed += changed;
    return changed == 0;
}

/* ---- the laws' equations ---- */

/* lambda_i - side mu lambda_n, times d */
static void follow_normal(const saddle__states *at, int64_t row, int i, double mu, double d,
                          saddle__equations *e)
{
    const saddle_reference *r = at->reference;
    const double side = at->side[row + i];
    const saddle__twin limit = saddle__twin_product(saddle__twin_of(-side * mu),
                                                    saddle__lambda_of(r, row));
    e->G[i] = d * saddle__twin_add(saddle__lambda_of(r, row + i), limit).high;
    e->by_lambda[i][i] = d;
    e->by_lambda[i][0] = -side * mu * d;
}

static saddle__twin length_of(saddle__twin a, saddle__twin b)
{
    return saddle__twin_root(
        saddle__twin_add(saddle__twin_product(a, a), saddle__twin_product(b, b)));
}

/* |x_g| of the rows i, or i and i + 1 */
static saddle__twin part_length(saddle__twin first, saddle__twin second, int two)
{
    return two ? length_of(first, second)
               : saddle__twin_scale(first, first.high < 0.0 ? -1.0 : 1.0);
}

/* Rows i and i + 1 slide: lambda_i |w| + mu lambda_n w_i, times d over |w|. */
static void slide(const saddle__states *at, int64_t row, int i, double mu, double d,
                  saddle__equations *e)
{
    const saddle_reference *r = at->reference;
    const saddle__twin w[] = {saddle__w_of(r, row + i), saddle__w_of(r, row + i + 1)};
    const saddle__twin length = length_of(w[0], w[1]);
    const saddle__twin limit = saddle__twin_product(saddle__twin_of(mu), saddle__lambda_of(r, row));
    const double c = d / length.high;
    for (int k = 0; k < 2; k++) {
        const saddle__twin lambda = saddle__lambda_of(r, row + i + k);
        e->G[i + k] = c * saddle__twin_add(saddle__twin_product(lambda, length),
                                           saddle__twin_product(limit, w[k]))
                              .high;
        e->by_lambda[i + k][i + k] = d;
        e->by_lambda[i + k][0] = c * mu * w[k].high;
        for (int l = 0; l < 2; l++)
            e->by_w[i + k][i + l] = c * (lambda.high * (w[l].high / length.high) +
                                         (k == l ? limit.high : 0.0));
    }
}

/* Rows i and i + 1 on the boundary of the associated law; the normal's equation gets -mu |w|. */
static void press(const saddle__states *at, int64_t row, int i, double mu, double d,
                  saddle__equations *e)
{
    const saddle_reference *r = at->reference;
    const saddle__twin a[] = {saddle__lambda_of(r, row + i), saddle__lambda_of(r, row + i + 1)};
    const saddle__twin w[] = {saddle__w_of(r, row + i), saddle__w_of(r, row + i + 1)};
    const saddle__twin limit = saddle__twin_product(saddle__twin_of(mu), saddle__lambda_of(r, row)),
                       length = length_of(w[0], w[1]);
    const double size = fmax(hypot(a[0].high, a[1].high), limit.high), c = d / size;
    const saddle__twin squares = saddle__twin_add(saddle__twin_product(a[0], a[0]),
                                                  saddle__twin_product(a[1], a[1]));
    e->G[i] = c * saddle__twin_add(squares,
                                   saddle__twin_scale(saddle__twin_product(limit, limit), -1.0))
                      .high;
    e->by_lambda[i][0] = -2.0 * c * mu * limit.high;
    for (int k = 0; k < 2; k++) e->by_lambda[i][i + k] = 2.0 * c * a[k].high;
    const saddle__twin across = saddle__twin_scale(saddle__twin_product(w[1], a[0]), -1.0);
    e->G[i + 1] = saddle__twin_add(saddle__twin_product(w[0], a[1]), across).high / size;
    e->by_w[i + 1][i] = a[1].high / size;
    e->by_w[i + 1][i + 1] = -a[0].high / size;
    e->by_lambda[i + 1][i] = -w[1].high / size;
    e->by_lambda[i + 1][i + 1] = w[0].high / size;
    for (int k = 0; k < 2; k++)
        e->by_w[0][i + k] = length.high > 0.0 ? -mu * w[k].high / length.high : 0.0;
}

/* w_n - sum_g mu_g |w_g| of a contact of the associated law; G_w of the tangents is there. */
static void press_normal(const saddle__states *at, int64_t row, const saddle__cone *cone,
                         saddle__equations *e)
{
    const saddle_reference *r = at->reference;
    saddle__twin sum = saddle__w_of(r, row);
    for (int g = 0; g < cone->parts; g++) {
        const int i = cone->begin[g], two = cone->begin[g + 1] - i == 2;
        if (at->state[row + i] != SADDLE__LAW) continue;
        const saddle__twin w = saddle__w_of(r, row + i);
        const saddle__twin length = part_length(w, saddle__w_of(r, row + i + two), two);
        sum = saddle__twin_add(sum, saddle__twin_product(saddle__twin_of(-cone->mu[g]), length));
        if (!two) e->by_w[0][i] = w.high < 0.0 ? cone->mu[g] : -cone->mu[g];
    }
    e->G[0] = sum.high;
    e->by_w[0][0] = 1.0;
}

/* Rows at zero: G = 0, d lambda = 0. */
void saddle__states_equations(const saddle__states *at, const saddle_contact *contact,
                              saddle__equations *e)
{
    const saddle__cone cone = saddle__cone_of(contact);
    const int64_t row = contact->row;
    const double *scale = at->scale + row;
    const int box = at->problem->law == SADDLE_LAW_BOX || at->problem->law == SADDLE_LAW_PYRAMID;
    memset(e, 0, sizeof *e);
    for (int i = 0; i < contact->size; i++)
        if (at->state[row + i] == SADDLE__FREE) {
            e->by_w[i][i] = 1.0;
            e->G[i] = at->reference->w[row + i];
        } else if (at->state[row + i] == SADDLE__FIXED) {
            e->by_lambda[i][i] = scale[i];
        }
    for (int g = 0; g < cone.parts; g++)
        for (int i = cone.begin[g]; i < cone.begin[g + 1]; i++) {
            if (at->state[row + i] != SADDLE__LAW) continue;
            const int two = !box && i + 1 < cone.begin[g + 1];
            if (!two)
                follow_normal(at, row, i, cone.mu[g], scale[i], e);
            else if (at->problem->law == SADDLE_LAW_CONE)
                slide(at, row, i, cone.mu[g], scale[i], e);
            else
                press(at, row, i, cone.mu[g], scale[i], e);
            i += two;
        }
    if (at->state[row] == SADDLE__LAW) press_normal(at, row, &cone, e);
}

/* ---- judging ---- */

/* margin: the scaled distance of a state from its change, negative where contradicted. */
static void judge(saddle__states *at, int64_t row, double margin, double error, double size)
{
    saddle_reference *r = at->reference;
    const double relative = size > 0.0 ? margin / size : 0.0;
    if (relative < r->margin) {
        r->margin = relative;
        r->margin_row = row;
    }
    if (margin >= -error) {
        r->weak += margin <= error;
        return;
    }
    at->contradicted++;
    at->wrong_row = row;
    at->wrong_by = fabs(relative);
}

static void judge_impulse(saddle__states *at, int64_t row, double distance)
{
    judge(at, row, distance / at->unit[row], at->lambda_error, at->lambda_size);
}

static void judge_slack(saddle__states *at, int64_t row, double distance)
{
    judge(at, row, distance * at->unit[row], at->w_error[row], at->rows_scale);
}

/* a - b */
static double difference(saddle__twin a, saddle__twin b)
{
    return saddle__twin_add(a, saddle__twin_scale(b, -1.0)).high;
}

static void judge_bounded(saddle__states *at, int64_t i, double lo, double hi)
{
    const saddle_reference *r = at->reference;
    const saddle__twin lambda = saddle__lambda_of(r, i);
    if (at->state[i] == SADDLE__FREE) {
        double distance = (double)INFINITY;
        if (isfinite(lo)) distance = difference(lambda, saddle__twin_of(lo));
        if (isfinite(hi)) distance = fmin(distance, difference(saddle__twin_of(hi), lambda));
        if (isfinite(distance)) judge_impulse(at, i, distance);
    } else if (lo < hi) {
        judge_slack(at, i, lambda.high == lo ? r->w[i] : -r->w[i]);
    }
}

/* Part g of a contact with lambda_n > 0, rows i and, of two, i + 1.  The equation of a sliding part
 * holds with w = 0 too, whatever the impulse. */
static void judge_part(saddle__states *at, int64_t row, double mu, int64_t i, int two)
{
    const saddle_reference *r = at->reference;
    const double *lambda = r->lambda + i, *w = r->w + i;
    const saddle__twin limit = saddle__twin_product(saddle__twin_of(mu), saddle__lambda_of(r, row));
    const saddle__twin length = part_length(saddle__lambda_of(r, i), saddle__lambda_of(r, i + two),
                                            two);
    const double inside = difference(limit, length);
    if (at->state[i] == SADDLE__FREE) {
        judge_impulse(at, i, inside);
    } else if (at->state[i] == SADDLE__LAW && length.high > 0.0) {
        const double across = lambda[0] * w[0] + (two ? lambda[1] * w[1] : 0.0);
        judge_slack(at, i, -across / length.high);
        if (two && -inside / at->unit[i] > at->lambda_error) judge_impulse(at, i, inside);
    }
}

/* w_n of an open contact, less sum_g mu_g |w_g| in the associated law */
static double open_margin(const saddle__states *at, int64_t row, const saddle__cone *cone)
{
    const saddle_reference *r = at->reference;
    saddle__twin sum = saddle__w_of(r, row);
    if (at->problem->law != SADDLE_LAW_ASSOCIATED) return sum.high;
    for (int g = 0; g < cone->parts; g++) {
        const int64_t i = row + cone->begin[g];
        const int two = cone->begin[g + 1] - cone->begin[g] == 2;
        const saddle__twin length = part_length(saddle__w_of(r, i), saddle__w_of(r, i + two), two);
        sum = saddle__twin_add(sum, saddle__twin_product(saddle__twin_of(-cone->mu[g]), length));
    }
    return sum.high;
}

static void judge_contact(saddle__states *at, const saddle_contact *contact)
{
    const saddle_reference *r = at->reference;
    const saddle__cone cone = saddle__cone_of(contact);
    const int64_t row = contact->row;
    const int by_rows = at->problem->law == SADDLE_LAW_BOX ||
                        at->problem->law == SADDLE_LAW_PYRAMID;
    if (at->state[row] == SADDLE__FIXED) {
        judge_slack(at, row, open_margin(at, row, &cone));
        return;
    }
    judge_impulse(at, row, r->lambda[row]);
    for (int g = 0; g < cone.parts; g++) {
        const int two = cone.begin[g + 1] - cone.begin[g] == 2;
        if (!by_rows) judge_part(at, row, cone.mu[g], row + cone.begin[g], two);
        for (int i = cone.begin[g]; by_rows && i < cone.begin[g + 1]; i++)
            judge_part(at, row, cone.mu[g], row + i, 0);
    }
}

void saddle__states_judge(saddle__states *at)
{
    const saddle_problem *problem = at->problem;
    int64_t next = 0;
    at->contradicted = at->reference->weak = 0;
    at->reference->margin = (double)INFINITY;
    at->reference->margin_row = -1;
    for (int64_t i = 0; i < problem->m; i++) {
        const saddle_contact *contact = saddle__contact_of(problem, i, &next);
        if (contact) {
            judge_contact(at, contact);
            i += contact->size - 1;
        } else {
            judge_bounded(at, i, saddle__lo(problem, i), saddle__hi(problem, i));
        }
    }
}
