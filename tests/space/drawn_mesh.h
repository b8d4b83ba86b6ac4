/* SPDX-License-Identifier: MIT */
/* Meshes to integrate over: boxes, spheres from the octahedron, in arrays that are large enough for
 * what the tests do to them. */
#ifndef SADDLE_TEST_DRAWN_MESH_H
#define SADDLE_TEST_DRAWN_MESH_H

#include "saddle/mesh.h"

enum { MESH_VERTICES = 20000, MESH_TRIANGLES = 40000 };

typedef struct test_mesh {
    double vertex[3 * MESH_VERTICES];
    int64_t triangle[3 * MESH_TRIANGLES];
    saddle_mesh mesh; /* of the above */
} test_mesh;

test_mesh *test_mesh_create(void); /* empty; released by free */

/* Adds a box from low (3) to high (3), turned inwards where asked. */
void test_mesh_add_box(test_mesh *made, const double *low, const double *high, int inwards);

/* Adds the octahedron of radius 1, each triangle split in four levels times, vertices drawn out to
 * the sphere. */
void test_mesh_add_sphere(test_mesh *made, int levels);

#endif
