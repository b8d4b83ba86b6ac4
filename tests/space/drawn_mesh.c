/* SPDX-License-Identifier: MIT */
#include "drawn_mesh.h"

#include <math.h>
#include <stdlib.h>

#include "support.h"

test_mesh *test_mesh_create(void)
{
    test_mesh *made = calloc(1, sizeof *made);
    assert_non_null(made);
    made->mesh.vertex = made->vertex;
    made->mesh.triangle = made->triangle;
    return made;
}

static void add_triangle(test_mesh *made, int64_t a, int64_t b, int64_t c)
{
    assert_true(made->mesh.triangles < MESH_TRIANGLES);
    int64_t *triangle = made->triangle + 3 * made->mesh.triangles++;
    triangle[0] = a;
    triangle[1] = b;
    triangle[2] = c;
}

static int64_t add_vertex(test_mesh *made, double x, double y, double z)
{
    assert_true(made->mesh.vertices < MESH_VERTICES);
    double *vertex = made->vertex + 3 * made->mesh.vertices;
    vertex[0] = x;
    vertex[1] = y;
    vertex[2] = z;
    return made->mesh.vertices++;
}

void test_mesh_add_box(test_mesh *made, const double *low, const double *high, int inwards)
{
    static const int face[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                   {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    int64_t base = made->mesh.vertices;
    for (int k = 0; k < 8; k++)
        add_vertex(made, k & 1 ? high[0] : low[0], k & 2 ? high[1] : low[1],
                   k & 4 ? high[2] : low[2]);
    for (int f = 0; f < 6; f++)
        for (int half = 0; half < 2; half++) {
            int64_t b = base + face[f][half ? 2 : 1];
            int64_t c = base + face[f][half ? 3 : 2];
            add_triangle(made, base + face[f][0], inwards ? c : b, inwards ? b : c);
        }
}

/* The vertex halfway, drawn out; looked for among those made since first. */
static int64_t middle(test_mesh *made, int64_t first, int64_t a, int64_t b)
{
    double x[3], length = 0;
    for (int i = 0; i < 3; i++) {
        x[i] = made->vertex[3 * a + i] + made->vertex[3 * b + i];
        length = hypot(length, x[i]);
    }
    for (int i = 0; i < 3; i++) x[i] /= length;
    for (int64_t v = made->mesh.vertices - 1; v >= first; v--) {
        const double *y = made->vertex + 3 * v;
        if (fabs(x[0] - y[0]) + fabs(x[1] - y[1]) + fabs(x[2] - y[2]) < 1e-9) return v;
    }
    return add_vertex(made, x[0], x[1], x[2]);
}

void test_mesh_add_sphere(test_mesh *made, int levels)
{
    int64_t base = made->mesh.vertices, first_triangle = made->mesh.triangles;
    for (int k = 0; k < 6; k++)
        add_vertex(made, k / 2 == 0 ? 1 - 2 * (k % 2) : 0, k / 2 == 1 ? 1 - 2 * (k % 2) : 0,
                   k / 2 == 2 ? 1 - 2 * (k % 2) : 0);
    for (int k = 0; k < 8; k++) {
        int flip = (k & 1) ^ (k >> 1 & 1) ^ (k >> 2 & 1);
        int64_t y = base + 2 + (k >> 1 & 1), z = base + 4 + (k >> 2 & 1);
        add_triangle(made, base + (k & 1), flip ? z : y, flip ? y : z);
    }
    for (int level = 0; level < levels; level++) {
        int64_t last = made->mesh.triangles, first = made->mesh.vertices;
        for (int64_t t = first_triangle; t < last; t++) {
            int64_t corner[3], half[3];
            for (int i = 0; i < 3; i++) corner[i] = made->triangle[3 * t + i];
            for (int i = 0; i < 3; i++)
                half[i] = middle(made, first, corner[i], corner[(i + 1) % 3]);
            for (int i = 0; i < 3; i++) made->triangle[3 * t + i] = half[i];
            for (int i = 0; i < 3; i++) add_triangle(made, corner[i], half[i], half[(i + 2) % 3]);
        }
    }
}
