/* SPDX-License-Identifier: MIT */
/* Meshes of linear elements: the integrals of all elements, summed (saddle/fem_mesh.h). */
#include "saddle/fem_mesh.h"

#include <stdlib.h>
#include <string.h>

#include "element/integrals.h"
#include "model_internal.h"
#include "saddle/element.h"

saddle_fem_mesh saddle_fem_mesh_default(void)
{
    return (saddle_fem_mesh){.young = 1e6, .poisson = 0.3, .density = 1000};
}

/* The elements of a mesh, tetrahedra first. */
static int64_t element_count(const saddle_fem_mesh *mesh)
{
    return mesh->tetrahedra + mesh->hexahedra;
}

/* The nodes of element e; *kind: its kind; *number: its number among its kind. */
static const int64_t *element_nodes(const saddle_fem_mesh *mesh, int64_t e,
                                    saddle_element_kind *kind, int64_t *number)
{
    const int is_tetrahedron = e < mesh->tetrahedra;
    *kind = is_tetrahedron ? SADDLE_ELEMENT_TETRAHEDRON : SADDLE_ELEMENT_HEXAHEDRON;
    *number = is_tetrahedron ? e : e - mesh->tetrahedra;
    return is_tetrahedron ? mesh->tetrahedron + 4 * *number : mesh->hexahedron + 8 * *number;
}

/* ---- checks ---- */

static saddle_status check_mesh(const saddle_model *model, const saddle_fem_mesh *mesh)
{
    const int64_t most = INT64_MAX / 4096;
    const char *wrong = NULL;
    if (!(mesh->poisson > -1 && mesh->poisson < 0.5))
        wrong = "Poisson's ratio is not between -1 and 1/2";
    else if (mesh->nodes < 1 || !mesh->position || mesh->tetrahedra < 0 || mesh->hexahedra < 0 ||
             (mesh->tetrahedra > 0 && !mesh->tetrahedron) ||
             (mesh->hexahedra > 0 && !mesh->hexahedron))
        wrong = "no nodes, no positions or no numbers of nodes";
    else if (mesh->nodes > most || mesh->tetrahedra > most || mesh->hexahedra > most)
        return saddle_fail(model->context, SADDLE_TOO_LARGE, "fem mesh: too many elements");
    else if (element_count(mesh) == 0)
        wrong = "no elements";
    else if (mesh->corotational && mesh->hexahedra > 0)
        wrong = "hexahedra are not corotational";
    else if (mesh->corotational && mesh->damping_stiffness != 0)
        wrong = "damping_stiffness is of meshes that are not corotational";
    if (wrong) return saddle__refuse_new(model, "fem mesh", mesh->name, "%s", wrong);
    const saddle__numbers numbers[] = {{"young", SADDLE__POSITIVE, 1, &mesh->young},
                                       {"density", SADDLE__POSITIVE, 1, &mesh->density},
                                       {"position", SADDLE__ANY, 3 * mesh->nodes, mesh->position}};
    return saddle__check_numbers(model, "fem mesh", mesh->name, 3, numbers);
}

static saddle_status check_element(const saddle_model *model, const saddle_fem_mesh *mesh,
                                   int64_t e, char *is_used)
{
    saddle_element_kind kind;
    int64_t number;
    const int64_t *node = element_nodes(mesh, e, &kind, &number);
    for (int64_t a = 0; a < saddle_element_nodes(kind); a++) {
        const char *wrong = node[a] < 0 || node[a] >= mesh->nodes ? "which does not exist" : NULL;
        for (int64_t b = 0; b < a; b++)
            if (node[a] == node[b]) wrong = "twice";
        if (wrong)
            return saddle__refuse_new(model, "fem mesh", mesh->name, "%s %lld has node %lld, %s",
                                      saddle_element_kind_word(kind), (long long)number,
                                      (long long)node[a], wrong);
        is_used[node[a]] = 1;
    }
    return SADDLE_OK;
}

/* Every node has a mass by an element. */
static saddle_status check_elements(const saddle_model *model, const saddle_fem_mesh *mesh)
{
    char *is_used = saddle_allocate(model->context, mesh->nodes, 1);
    saddle_status status = is_used ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t e = 0; status == SADDLE_OK && e < element_count(mesh); e++)
        status = check_element(model, mesh, e, is_used);
    for (int64_t i = 0; status == SADDLE_OK && i < mesh->nodes; i++)
        if (!is_used[i])
            status = saddle__refuse_new(model, "fem mesh", mesh->name, "node %lld is in no element",
                                        (long long)i);
    saddle_release(model->context, is_used);
    return status;
}

/* ---- integrals ---- */

typedef struct triplets { /* entries on and below the diagonals of elements, one after another */
    int64_t count;
    int64_t *row, *col;
    double *value;
} triplets;

typedef struct sums {
    const saddle_model *model; /* for messages */
    const saddle_fem_mesh *mesh;
    double lame, shear;
    triplets M, K;
} sums;

static void add_entry(triplets *to, int64_t row, int64_t col, double value)
{
    to->row[to->count] = row;
    to->col[to->count] = col;
    to->value[to->count++] = value;
}

/* mass (count x count) [m^3], stiffness (3 count x 3 count); local[a]: the place of node a there */
static void add_element(sums *s, int64_t count, const int64_t *node, const int *local,
                        const double *mass, const double *stiffness)
{
    const int64_t size = 3 * count;
    for (int64_t p = 0; p < size; p++) {
        for (int64_t q = 0; q <= p; q++) {
            const int64_t row = 3 * node[p / 3] + p % 3, col = 3 * node[q / 3] + q % 3;
            const int64_t a = local[p / 3], b = local[q / 3];
            add_entry(&s->K, row, col, stiffness[size * (3 * a + p % 3) + 3 * b + q % 3]);
            if (p % 3 == q % 3) add_entry(&s->M, row, col, s->mesh->density * mass[count * a + b]);
        }
    }
}

/* 0: the volume is not positive. */
static int integrate_tetrahedron(sums *s, const int64_t *node, const double *x)
{
    static const int local[4] = {0, 1, 2, 3};
    double G[12], mass[16], stiffness[144];
    const double volume = saddle__tetrahedron_gradient(x, G);
    if (!(volume > 0)) return 0;
    for (int i = 0; i < 16; i++) mass[i] = volume / (i % 5 == 0 ? 10 : 20);
    saddle__tetrahedron_stiffness(G, volume, s->lame, s->shear, stiffness);
    add_element(s, 4, node, local, mass, stiffness);
    return 1;
}

static int integrate_hexahedron(sums *s, const int64_t *node, const double *x)
{
    static const int local[8] = {0, 1, 3, 2, 4, 5, 7, 6}; /* with x fastest */
    saddle__hexahedron integrals;
    double sorted[24];
    for (int a = 0; a < 8; a++) memcpy(sorted + 3 * local[a], x + 3 * a, 3 * sizeof *x);
    saddle__hexahedron_integrate(sorted, s->lame, s->shear, &integrals);
    if (!(integrals.volume > 0)) return 0;
    add_element(s, 8, node, local, integrals.mass, integrals.stiffness);
    return 1;
}

static saddle_status integrate(sums *s)
{
    for (int64_t e = 0; e < element_count(s->mesh); e++) {
        saddle_element_kind kind;
        int64_t number;
        const int64_t *node = element_nodes(s->mesh, e, &kind, &number);
        double x[3 * SADDLE_ELEMENT_NODES_MAX];
        for (int64_t a = 0; a < saddle_element_nodes(kind); a++)
            memcpy(x + 3 * a, s->mesh->position + 3 * node[a], 3 * sizeof *x);
        if (kind == SADDLE_ELEMENT_TETRAHEDRON ? integrate_tetrahedron(s, node, x)
                                               : integrate_hexahedron(s, node, x))
            continue;
        return saddle__refuse_new(s->model, "fem mesh", s->mesh->name,
                                  "the volume of %s %lld is not positive",
                                  saddle_element_kind_word(kind), (long long)number);
    }
    return SADDLE_OK;
}

static saddle_status allocate(saddle_context *context, int64_t count, triplets *made)
{
    made->row = saddle_allocate(context, 2 * count, sizeof *made->row);
    made->value = saddle_allocate(context, count, sizeof *made->value);
    if (!made->row || !made->value) return SADDLE_OUT_OF_MEMORY;
    made->col = made->row + count;
    return SADDLE_OK;
}

static saddle_status make_matrices(const saddle_model *model, const saddle_fem_mesh *mesh,
                                   saddle_matrix *M, saddle_matrix *K)
{
    SADDLE__TRY(check_mesh(model, mesh));
    SADDLE__TRY(check_elements(model, mesh));
    saddle_context *context = model->context;
    const double young = mesh->young, poisson = mesh->poisson;
    const int64_t size = 3 * mesh->nodes;
    sums s = {.model = model,
              .mesh = mesh,
              .lame = young * poisson / ((1 + poisson) * (1 - 2 * poisson)),
              .shear = young / (2 * (1 + poisson))};
    /* of a node: 3 entries in M, and in K of 12 and 24 rows the lower triangles */
    saddle_status status = allocate(context, 30 * mesh->tetrahedra + 108 * mesh->hexahedra, &s.M);
    if (status == SADDLE_OK)
        status = allocate(context, 78 * mesh->tetrahedra + 300 * mesh->hexahedra, &s.K);
    if (status == SADDLE_OK) status = integrate(&s);
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(context, size, size, s.M.count, s.M.row, s.M.col,
                                             s.M.value, SADDLE_SYMMETRY_LOWER, M);
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(context, size, size, s.K.count, s.K.row, s.K.col,
                                             s.K.value, SADDLE_SYMMETRY_LOWER, K);
    saddle__release_all(context, s.M.row, s.M.value);
    saddle__release_all(context, s.K.row, s.K.value);
    if (status != SADDLE_OK) saddle_matrix_clear(M);
    return status;
}

saddle_status saddle_fem_mesh_matrices(saddle_context *context, const saddle_fem_mesh *mesh,
                                       saddle_matrix *M, saddle_matrix *K)
{
    if (M) *M = (saddle_matrix){0};
    if (K) *K = (saddle_matrix){0};
    SADDLE__RETURN_UNLESS(context, mesh && M && K, "mesh, M or K is NULL");
    const saddle_model nowhere = {.context = context}; /* for messages */
    return make_matrices(&nowhere, mesh, M, K);
}

/* ---- the surface ---- */

typedef struct face {
    int64_t sorted[4]; /* nodes, ascending; sorted[0] = -1 of a triangle */
    int64_t node[4];   /* counterclockwise seen from outside */
} face;

static int by_nodes(const void *a, const void *b)
{
    const face *p = a, *q = b;
    for (int k = 0; k < 4; k++)
        if (p->sorted[k] != q->sorted[k]) return p->sorted[k] < q->sorted[k] ? -1 : 1;
    return 0;
}

/* The faces of all elements, into made. */
static int64_t list_faces(const saddle_fem_mesh *mesh, face *made)
{
    static const int of_tetrahedron[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
    static const int of_hexahedron[6][4] = {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                            {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
    int64_t count = 0;
    for (int64_t e = 0; e < element_count(mesh); e++) {
        saddle_element_kind kind;
        int64_t number;
        const int64_t *node = element_nodes(mesh, e, &kind, &number);
        const int is_tetrahedron = kind == SADDLE_ELEMENT_TETRAHEDRON;
        for (int f = 0; f < (is_tetrahedron ? 4 : 6); f++) {
            face *one = &made[count++];
            const int *corner = is_tetrahedron ? of_tetrahedron[f] : of_hexahedron[f];
            one->node[3] = -1;
            for (int k = 0; k < (is_tetrahedron ? 3 : 4); k++) one->node[k] = node[corner[k]];
            memcpy(one->sorted, one->node, sizeof one->node);
            saddle__sort_indices(4, one->sorted);
        }
    }
    return count;
}

/* Appends the triangles of a face. */
static int64_t add_triangles(const face *of, int64_t *triangles)
{
    const int64_t *n = of->node;
    const int64_t halves[6] = {n[0], n[1], n[2], n[0], n[2], n[3]};
    const int64_t count = n[3] < 0 ? 1 : 2;
    memcpy(triangles, halves, (size_t)(3 * count) * sizeof *triangles);
    return count;
}

static saddle_status make_surface(const saddle_model *model, const saddle_fem_mesh *mesh,
                                  int64_t **triangles, int64_t *count)
{
    saddle_context *context = model->context;
    SADDLE__TRY(check_mesh(model, mesh));
    SADDLE__TRY(check_elements(model, mesh));
    face *faces = saddle_allocate(context, 4 * mesh->tetrahedra + 6 * mesh->hexahedra,
                                  sizeof *faces);
    if (!faces) return SADDLE_OUT_OF_MEMORY;
    const int64_t all = list_faces(mesh, faces);
    saddle_status status = SADDLE_OK;
    *triangles = saddle_allocate(context, 6 * all, sizeof **triangles);
    if (!*triangles) status = SADDLE_OUT_OF_MEMORY;
    qsort(faces, (size_t)all, sizeof *faces, by_nodes);
    for (int64_t k = 0, next = 0; status == SADDLE_OK && k < all; k = next) {
        for (next = k + 1; next < all && by_nodes(&faces[k], &faces[next]) == 0;) next++;
        if (next - k == 1) *count += add_triangles(&faces[k], *triangles + 3 * *count);
        if (next - k > 2)
            status = saddle__refuse_new(model, "fem mesh", mesh->name,
                                        "a face of nodes %lld, %lld, %lld is of %lld elements",
                                        (long long)faces[k].node[0], (long long)faces[k].node[1],
                                        (long long)faces[k].node[2], (long long)(next - k));
    }
    saddle_release(context, faces);
    if (status != SADDLE_OK) {
        saddle_release(context, *triangles);
        *triangles = NULL;
        *count = 0;
    }
    return status;
}

saddle_status saddle_fem_mesh_surface(saddle_context *context, const saddle_fem_mesh *mesh,
                                      int64_t **triangles, int64_t *count)
{
    if (triangles) *triangles = NULL;
    if (count) *count = 0;
    SADDLE__RETURN_UNLESS(context, mesh && triangles && count, "mesh, triangles or count is NULL");
    const saddle_model nowhere = {.context = context}; /* for messages */
    return make_surface(&nowhere, mesh, triangles, count);
}

/* ---- into a model ---- */

static saddle_status add_tetrahedra(saddle_model *model, const saddle_fem_mesh *mesh,
                                    saddle_handle part, saddle_handle *element)
{
    for (int64_t e = 0; e < mesh->tetrahedra; e++) {
        saddle_tetrahedron def = {.young = mesh->young, .poisson = mesh->poisson};
        saddle_anchor anchors[4];
        for (int a = 0; a < 4; a++) {
            anchors[a] = (saddle_anchor){part, mesh->tetrahedron[4 * e + a]};
            memcpy(def.rest + 3 * a, mesh->position + 3 * anchors[a].node, 3 * sizeof *def.rest);
        }
        SADDLE__TRY(saddle_model_add_tetrahedron(model, mesh->name, anchors, &def, &element[e]));
    }
    return SADDLE_OK;
}

/* The elements of a corotational mesh, or else the removal of the part. */
static saddle_status add_corotational(saddle_model *model, const saddle_fem_mesh *mesh,
                                      saddle_handle part, saddle_handle *element)
{
    saddle_context *context = model->context;
    saddle_handle *made = saddle_allocate(context, mesh->tetrahedra, sizeof *made);
    saddle_status status = made ? add_tetrahedra(model, mesh, part, made) : SADDLE_OUT_OF_MEMORY;
    if (status != SADDLE_OK) {
        for (int64_t e = 0; made && e < mesh->tetrahedra; e++)
            if (made[e].generation > 0) (void)saddle_model_remove(model, made[e]);
        (void)saddle_model_remove(model, part);
    } else if (element) {
        memcpy(element, made, (size_t)mesh->tetrahedra * sizeof *made);
    }
    saddle_release(context, made);
    return status;
}

/* The elements of a part, or else the removal of the part. */
static saddle_status keep_elements(saddle_model *model, const saddle_fem_mesh *mesh,
                                   saddle_handle handle)
{
    saddle__item_part *part = saddle__model_part(model, handle);
    const int64_t *from[] = {mesh->tetrahedron, mesh->hexahedron};
    const int64_t count[] = {mesh->tetrahedra, mesh->hexahedra};
    const saddle_element_kind kind[] = {SADDLE_ELEMENT_TETRAHEDRON, SADDLE_ELEMENT_HEXAHEDRON};
    saddle_status status = SADDLE_OK;
    for (int k = 0; k < 2 && status == SADDLE_OK; k++) {
        part->elements[kind[k]] = count[k];
        status = saddle__copy_block(model->context, from[k],
                                    count[k] * saddle_element_nodes(kind[k]), sizeof *from[k],
                                    (void **)&part->element[kind[k]]);
    }
    if (status != SADDLE_OK) (void)saddle_model_remove(model, handle);
    return status;
}

const int64_t *saddle_model_elements(const saddle_model *model, saddle_handle part,
                                     saddle_element_kind kind, int64_t *count)
{
    const saddle__item_part *found = model && count ? saddle__model_part(model, part) : NULL;
    if (count) *count = 0;
    if (!found || (unsigned)kind > SADDLE_ELEMENT_HEXAHEDRON || !found->element[kind]) return NULL;
    *count = found->elements[kind];
    return found->element[kind];
}

saddle_status saddle_model_add_fem_mesh(saddle_model *model, const saddle_fem_mesh *mesh,
                                        saddle_handle *part, saddle_handle *element)
{
    SADDLE__RETURN_UNLESS(saddle_model_context(model), model && mesh && part,
                          "model, mesh or part is NULL");
    *part = (saddle_handle){0};
    saddle_matrix M = {0}, K = {0};
    saddle_handle made = {0};
    saddle_status status = make_matrices(model, mesh, &M, &K);
    const saddle_nodes_def def = {.name = mesh->name,
                                  .count = mesh->nodes,
                                  .position = mesh->position,
                                  .mass = &M,
                                  .stiffness = mesh->corotational ? NULL : &K,
                                  .damping_mass = mesh->damping_mass,
                                  .damping_stiffness = mesh->damping_stiffness};
    if (status == SADDLE_OK) status = saddle_model_add_nodes(model, &def, &made);
    if (status == SADDLE_OK) status = keep_elements(model, mesh, made);
    for (int64_t e = 0; status == SADDLE_OK && element && e < mesh->tetrahedra; e++)
        element[e] = (saddle_handle){0};
    if (status == SADDLE_OK && mesh->corotational)
        status = add_corotational(model, mesh, made, element);
    if (status == SADDLE_OK) *part = made;
    saddle_matrix_clear(&M);
    saddle_matrix_clear(&K);
    return status;
}
