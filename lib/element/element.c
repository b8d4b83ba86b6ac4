/* SPDX-License-Identifier: MIT */
/* Linear elements: shape functions and gradients (saddle/element.h; Zienkiewicz, Taylor, Zhu 2013,
 * ch. 6; the pyramid after Bedrosian 1992, "Shape functions and integration formulas for
 * three-dimensional finite element analysis"), and natural coordinates of a point: x(r, s, t) = p
 * by Newton's method, each step halved until the distance to p falls. */
#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/tolerances.h"
#include "saddle/element.h"
#include "space/space.h"

/* ---- shape functions ---- */

/* N of all nodes, and dN/d(r, s, t) behind one another */
typedef void shape_function(const double *natural, double *weight, double *gradient);

static void put_gradient(double *gradient, int64_t node, double r, double s, double t)
{
    gradient[3 * node] = r;
    gradient[3 * node + 1] = s;
    gradient[3 * node + 2] = t;
}

static void tetrahedron(const double *natural, double *weight, double *gradient)
{
    weight[0] = 1 - natural[0] - natural[1] - natural[2];
    put_gradient(gradient, 0, -1, -1, -1);
    for (int i = 0; i < 3; i++) {
        weight[i + 1] = natural[i];
        put_gradient(gradient, i + 1, i == 0, i == 1, i == 2);
    }
}

static void hexahedron(const double *natural, double *weight, double *gradient)
{
    static const double corner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                        {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};
    for (int i = 0; i < 8; i++) {
        const double *c = corner[i];
        double r = 1 + c[0] * natural[0];
        double s = 1 + c[1] * natural[1];
        double t = 1 + c[2] * natural[2];
        weight[i] = r * s * t / 8;
        put_gradient(gradient, i, c[0] * s * t / 8, r * c[1] * t / 8, r * s * c[2] / 8);
    }
}

static void wedge(const double *natural, double *weight, double *gradient)
{
    const double area[3] = {1 - natural[0] - natural[1], natural[0], natural[1]};
    static const double slope[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    for (int i = 0; i < 6; i++) {
        double side = i < 3 ? -0.5 : 0.5;
        double height = 0.5 + side * natural[2];
        weight[i] = area[i % 3] * height;
        put_gradient(gradient, i, slope[i % 3][0] * height, slope[i % 3][1] * height,
                     area[i % 3] * side);
    }
}

/* N_i = (a + c r)(a + d s) / 4a, a = 1 - t: r/a and s/a are -1 to 1 across the section at t; at the
 * apex they count as 0 */
static void pyramid(const double *natural, double *weight, double *gradient)
{
    static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
    double a = 1 - natural[2];
    int apex = fabs(a) < 1e-12;
    double r = apex ? 0 : natural[0] / a;
    double s = apex ? 0 : natural[1] / a;
    for (int i = 0; i < 4; i++) {
        double x = 1 + corner[i][0] * r;
        double y = 1 + corner[i][1] * s;
        weight[i] = a * x * y / 4;
        /* d/dt of (a + cr)(a + ds)/4a at fixed r, s: -(1 - cd (r/a)(s/a)) / 4 */
        put_gradient(gradient, i, corner[i][0] * y / 4, x * corner[i][1] / 4,
                     -(1 - corner[i][0] * corner[i][1] * r * s) / 4);
    }
    weight[4] = natural[2];
    put_gradient(gradient, 4, 0, 0, 1);
}

static const struct {
    const char *word;
    int64_t nodes;
    shape_function *shape;
} elements[] = {
    [SADDLE_ELEMENT_TETRAHEDRON] = {"tetrahedron", 4, tetrahedron},
    [SADDLE_ELEMENT_HEXAHEDRON] = {"hexahedron", 8, hexahedron},
    [SADDLE_ELEMENT_WEDGE] = {"wedge", 6, wedge},
    [SADDLE_ELEMENT_PYRAMID] = {"pyramid", 5, pyramid},
};

static int is_known(saddle_element_kind kind)
{
    return (size_t)kind < sizeof elements / sizeof elements[0];
}

const char *saddle_element_kind_word(saddle_element_kind kind)
{
    return is_known(kind) ? elements[kind].word : "?";
}

int64_t saddle_element_nodes(saddle_element_kind kind)
{
    return is_known(kind) ? elements[kind].nodes : 0;
}

void saddle_element_shape(saddle_element_kind kind, const double *natural, double *weight,
                          double *gradient)
{
    if (!natural || !weight) return;
    double unused[3 * SADDLE_ELEMENT_NODES_MAX];
    if (is_known(kind)) elements[kind].shape(natural, weight, gradient ? gradient : unused);
}

/* ---- natural coordinates ---- */

/* D (3 x 3 by columns) = dx/d(r, s, t) = sum_i x_i dN_i'; x (3): where natural is.  Returns sum
 * |N_i|, by which x's rounding grows: 1 inside. */
static double map_at(saddle_element_kind kind, const double *node, const double *natural, double *x,
                     double *D)
{
    double weight[SADDLE_ELEMENT_NODES_MAX];
    double gradient[3 * SADDLE_ELEMENT_NODES_MAX];
    saddle_element_shape(kind, natural, weight, gradient);
    for (int i = 0; i < 3; i++) x[i] = 0;
    for (int i = 0; i < 9; i++) D[i] = 0;
    double moduli = 0;
    for (int64_t n = 0; n < saddle_element_nodes(kind); n++) {
        moduli += fabs(weight[n]);
        for (int i = 0; i < 3; i++) {
            x[i] += weight[n] * node[3 * n + i];
            for (int j = 0; j < 3; j++) D[i + 3 * j] += node[3 * n + i] * gradient[3 * n + j];
        }
    }
    return moduli;
}

/* B = A^-1 by cofactors; 0 where A is singular to working precision. */
static int invert(const double *A, double *B)
{
    double rows[9];
    saddle__cross(A + 3, A + 6, rows);
    saddle__cross(A + 6, A, rows + 3);
    saddle__cross(A, A + 3, rows + 6);
    double determinant = saddle__dot(A, rows);
    double size = sqrt(saddle__dot(A, A)) * sqrt(saddle__dot(A + 3, A + 3)) *
                  sqrt(saddle__dot(A + 6, A + 6));
    if (!(fabs(determinant) > 1e-13 * size)) return 0;
    for (int i = 0; i < 9; i++) rows[i] /= determinant;
    saddle__transpose3(rows, B);
    return 1;
}

static saddle_status fail_flat(saddle_context *context, saddle_element_kind kind)
{
    return saddle_fail(context, SADDLE_SINGULAR, "a %s is flat at a point that is looked at",
                       saddle_element_kind_word(kind));
}

/* Half the extent of the nodes, the measure of distances. */
static double extent(const double *node, int64_t count)
{
    double largest = 0;
    for (int64_t n = 1; n < count; n++)
        for (int i = 0; i < 3; i++) largest = fmax(largest, fabs(node[3 * n + i] - node[i]));
    return largest;
}

static saddle_status check(saddle_context *context, saddle_element_kind kind, const double *node,
                           const double *point)
{
    int64_t count = saddle_element_nodes(kind);
    if (count == 0)
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "there is no element kind %d",
                           (int)kind);
    for (int64_t i = 0; i < 3 * count; i++)
        if (!isfinite(node[i]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "node %lld of a %s: coordinate %lld is %g", (long long)(i / 3) + 1,
                               saddle_element_kind_word(kind), (long long)(i % 3) + 1, node[i]);
    for (int64_t i = 0; point && i < 3; i++)
        if (!isfinite(point[i]))
            return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                               "point of a %s: coordinate %lld is %g",
                               saddle_element_kind_word(kind), (long long)i + 1, point[i]);
    return SADDLE_OK;
}

typedef struct search {
    saddle_element_kind kind;
    const double *node;
    const double *point;
    double natural[3];
    double residual[3]; /* p - x */
    double distance;
    double moduli; /* sum |N_i| */
    double D[9];
} search;

static void look(search *s)
{
    s->moduli = map_at(s->kind, s->node, s->natural, s->residual, s->D);
    for (int i = 0; i < 3; i++) s->residual[i] = s->point[i] - s->residual[i];
    s->distance = sqrt(saddle__dot(s->residual, s->residual));
}

/* One step: 1 = nearer, 0 = no step length helps, -1 = flat. */
static int step(search *s)
{
    double inverse[9];
    double direction[3];
    if (!invert(s->D, inverse)) return -1;
    saddle__rotate(inverse, s->residual, direction);
    for (double length = 1; length > SADDLE__HALF_DIGITS; length /= 2) {
        search tried = *s;
        for (int i = 0; i < 3; i++) tried.natural[i] += length * direction[i];
        look(&tried);
        if (!(tried.distance < (1 - 1e-4 * length) * s->distance)) continue;
        *s = tried;
        return 1;
    }
    return 0;
}

saddle_status saddle_element_natural(saddle_context *context, saddle_element_kind kind,
                                     const double *node, const double *point, double *natural)
{
    SADDLE__RETURN_UNLESS(context, node && point && natural, "node, point or natural is NULL");
    static const double centre[][3] = {[SADDLE_ELEMENT_TETRAHEDRON] = {0.25, 0.25, 0.25},
                                       [SADDLE_ELEMENT_HEXAHEDRON] = {0, 0, 0},
                                       [SADDLE_ELEMENT_WEDGE] = {1.0 / 3, 1.0 / 3, 0},
                                       [SADDLE_ELEMENT_PYRAMID] = {0, 0, 0.25}};
    SADDLE__TRY(check(context, kind, node, point));
    search s = {.kind = kind, .node = node, .point = point};
    memcpy(s.natural, centre[kind], sizeof s.natural);
    look(&s);
    double offset = 0; /* coordinates themselves carry rounding */
    for (int i = 0; i < 3; i++) offset = fmax(offset, fmax(fabs(point[i]), fabs(node[i])));
    double size = extent(node, saddle_element_nodes(kind));
    int moved = 1;
    for (int i = 0; i < 60 && moved > 0; i++) moved = step(&s);
    if (s.distance > (1e-13 * size + 4e-16 * offset) * s.moduli) {
        if (moved < 0) return fail_flat(context, kind);
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "point (%g, %g, %g) is not reached by the %s: %g from the nearest",
                           point[0], point[1], point[2], saddle_element_kind_word(kind),
                           s.distance);
    }
    memcpy(natural, s.natural, sizeof s.natural);
    return SADDLE_OK;
}

saddle_status saddle_element_gradient(saddle_context *context, saddle_element_kind kind,
                                      const double *node, const double *natural, double *gradient)
{
    SADDLE__RETURN_UNLESS(context, node && natural && gradient,
                          "node, natural or gradient is NULL");
    double weight[SADDLE_ELEMENT_NODES_MAX];
    double x[3];
    double D[9];
    double inverse[9];
    SADDLE__TRY(check(context, kind, node, natural));
    map_at(kind, node, natural, x, D);
    if (!invert(D, inverse)) return fail_flat(context, kind);
    saddle_element_shape(kind, natural, weight, gradient);
    for (int64_t n = 0; n < saddle_element_nodes(kind); n++)
        saddle__unrotate(inverse, gradient + 3 * n, gradient + 3 * n);
    return SADDLE_OK;
}
