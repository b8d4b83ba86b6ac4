/* SPDX-License-Identifier: MIT */
/* See natural_map.h. */
#include "problem/natural_map.h"

#include "base/vector.h"

static double box_defect(const saddle__row_state *at, const saddle_contact *contact)
{
    int64_t i = contact->row;
    double worst = saddle__bound_defect(at->lambda[i], at->w[i], at->delassus[i], 0.0, (double)INFINITY);
    double limit = contact->mu * saddle__larger(at->lambda[i], 0.0);
    for (int64_t t = i + 1; t < i + contact->size; t++)
        worst = saddle__larger(worst, saddle__bound_defect(at->lambda[t], at->w[t], at->delassus[t], -limit, limit));
    return worst;
}

static double pyramid_defect(const saddle__row_state *at, const saddle_contact *contact)
{
    if (contact->size == 2) return box_defect(at, contact); /* in the plane conv(D) = [-1, 1] */
    int64_t i = contact->row;
    double worst = saddle__bound_defect(at->lambda[i], at->w[i], at->delassus[i], 0.0, (double)INFINITY);
    double d = saddle__larger(at->delassus[i + 1], at->delassus[i + 2]);
    const double *lt = at->lambda + i + 1;
    const double *wt = at->w + i + 1;
    double t[2] = {d * lt[0] - wt[0], d * lt[1] - wt[1]};
    double before[2] = {t[0], t[1]};
    saddle__project_polygon(d * contact->mu * saddle__larger(at->lambda[i], 0.0), saddle_problem_facets(at->problem),
                            t);
    int within = t[0] == before[0] && t[1] == before[1];
    if (within) return saddle__larger(worst, saddle__larger(fabs(wt[0]), fabs(wt[1])));
    return saddle__larger(worst, saddle__larger(fabs(d * lt[0] - t[0]), fabs(d * lt[1] - t[1])));
}

/* difference = d lambda - P_K(d lambda - s).  All three cases of the projection are formed and one is selected, told by
 * squares: a branch on where the point lies would be mispredicted for every other contact.  Squares that over- or underflow go
 * the long way. */
static void cone_difference(double mu, double d, const double lambda[3], const double s[3], double difference[3])
{
    double x[3] = {d * lambda[0] - s[0], d * lambda[1] - s[1], d * lambda[2] - s[2]};
    double tangent = x[1] * x[1] + x[2] * x[2];
    double normal = x[0] * x[0];
    if (!(tangent + normal > 1e-250 && tangent + normal < 1e250)) {
        double projected[3] = {x[0], x[1], x[2]};
        saddle__project_cone(mu, 3, projected);
        int fixed = projected[0] == x[0] && projected[1] == x[1] && projected[2] == x[2];
        for (int i = 0; i < 3; i++) difference[i] = fixed ? s[i] : d * lambda[i] - projected[i];
        return;
    }
    double length = sqrt(tangent);
    double share =
        (x[0] + mu * length) / ((1.0 + mu * mu) * length); /* of no use where length = 0: not selected then */
    int inside = (x[0] > 0.0) & (tangent <= mu * mu * normal);
    int polar = (x[0] <= 0.0) & (mu * mu * tangent <= normal);
    double boundary[3] = {share * length, mu * share * x[1], mu * share * x[2]};
    for (int i = 0; i < 3; i++) {
        double projected = polar ? 0.0 : boundary[i];
        double outside = d * lambda[i] - projected;
        difference[i] = inside ? s[i] : outside;
    }
}

static double sum_of_squares(const double x[3])
{
    return x[0] * x[0] + x[1] * x[1] + x[2] * x[2];
}

/* x[3] <- the contact's part of a row vector; the third entry of a plane contact is 0 */
static void gather(const saddle_contact *contact, const double *vector, double x[3])
{
    x[0] = vector[contact->row];
    x[1] = vector[contact->row + 1];
    x[2] = contact->size == 3 ? vector[contact->row + 2] : 0.0;
}

static double cone_defect(const saddle__row_state *at, const saddle_contact *contact, saddle__natural_sums *sums)
{
    const saddle_problem *p = at->problem;
    double s[3];
    double lambda[3];
    double d[3];
    double difference[3];
    gather(contact, at->w, s);
    gather(contact, at->lambda, lambda);
    gather(contact, at->delassus, d);
    sums->w += sum_of_squares(s);
    sums->lambda += sum_of_squares(lambda);
    if (p->b) {
        double b[3];
        gather(contact, p->b, b);
        sums->b += sum_of_squares(b);
    }
    if (p->law == SADDLE_LAW_CONE) s[0] += contact->mu * saddle__length(s[1], s[2]);
    cone_difference(contact->mu, 1.0, lambda, s, difference);
    sums->map += sum_of_squares(difference);
    cone_difference(contact->mu, saddle__larger(d[0], saddle__larger(d[1], d[2])), lambda, s, difference);
    return saddle__larger(fabs(difference[0]), saddle__larger(fabs(difference[1]), fabs(difference[2])));
}

double saddle__contact_defect(const saddle__row_state *at, const saddle_contact *contact, saddle__natural_sums *sums)
{
    switch (at->problem->law) {
    case SADDLE_LAW_BOX: return box_defect(at, contact);
    case SADDLE_LAW_PYRAMID: return pyramid_defect(at, contact);
    case SADDLE_LAW_CONE:
    case SADDLE_LAW_ASSOCIATED: break;
    }
    return cone_defect(at, contact, sums);
}
