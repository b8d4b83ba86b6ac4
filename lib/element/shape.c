/* SPDX-License-Identifier: MIT */
/* Shape functions of the linear elements and their gradients (see saddle/element.h; Zienkiewicz,
 * Taylor, Zhu 2013, ch. 6; the pyramid after Bedrosian 1992, "Shape functions and integration
 * formulas for three-dimensional finite element analysis"). */
#include <math.h>

#include "saddle/element.h"

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
    [SADDLE_TETRAHEDRON] = {"tetrahedron", 4, tetrahedron},
    [SADDLE_HEXAHEDRON] = {"hexahedron", 8, hexahedron},
    [SADDLE_WEDGE] = {"wedge", 6, wedge},
    [SADDLE_PYRAMID] = {"pyramid", 5, pyramid},
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
