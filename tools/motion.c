/* SPDX-License-Identifier: MIT */
/* See motion.h.  Of the series, a step is a file of the particles and bodies and a file of each
 * part of nodes, XML with numbers as text (VTK's "UnstructuredGrid"); motion.pvd lists them by
 * time. */
#include "motion.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/context_internal.h"
#include "text.h"

struct tool_motion {
    saddle_context *context;
    const saddle_scene *scene;
    const char *csv_path, *folder;
    FILE *csv, *list; /* list: motion.pvd */
    double *start;    /* positions of all nodes at the first step */
    int64_t start_count;
    int failed; /* errno of the first write that failed */
};

saddle_status tool_make_folder(saddle_context *context, const char *path)
{
    struct stat found;
    if (mkdir(path, 0777) == 0) return SADDLE_OK;
    if (errno != EEXIST) return saddle__fail_errno(context, path, "cannot be written", errno);
    if (stat(path, &found) == 0 && S_ISDIR(found.st_mode)) return SADDLE_OK;
    return saddle_fail(context, SADDLE_FILE_ERROR, "%s: not a folder", path);
}

/* ---- parts ---- */

/* The state of a particle, a body or a node in world axes. */
typedef struct point_state {
    double x[3], v[3];
    double q[4], w[3]; /* of bodies: rotation, angular velocity */
} point_state;

static void turn(const double *R, const double *a, double *b)
{
    for (int i = 0; i < 3; i++) b[i] = R[i] * a[0] + R[i + 3] * a[1] + R[i + 6] * a[2];
}

static point_state state_of(saddle_model *model, saddle_handle part, int64_t node)
{
    const double *x = saddle_model_position(model, part) + 3 * node;
    const double *v = saddle_model_velocity(model, part) + 3 * node;
    point_state at = {.q = {1, 0, 0, 0}};
    memcpy(at.x, x, sizeof at.x);
    memcpy(at.v, v, sizeof at.v);
    if (part.item != SADDLE_ITEM_BODY) return at;
    turn(x + 3, v, at.v);
    turn(x + 3, v + 3, at.w);
    saddle_quaternion_from_matrix(x + 3, at.q);
    return at;
}

/* Particles and bodies: nodes have files of their own, coordinates no place. */
static int is_single(saddle_handle part)
{
    return part.item == SADDLE_ITEM_PARTICLE || part.item == SADDLE_ITEM_BODY;
}

static int64_t points_of(saddle_model *model, saddle_handle part)
{
    if (part.item == SADDLE_ITEM_COORDINATES) return 0;
    return part.item == SADDLE_ITEM_NODES ? saddle_model_node_count(model, part) : 1;
}

/* ---- the table ---- */

/* A field of RFC 4180: in quotes, quotes within doubled. */
static void put_field(FILE *file, const char *name, int64_t part)
{
    if (!name[0]) {
        fprintf(file, "part %" PRId64, part);
        return;
    }
    fputc('"', file);
    for (; *name; name++) {
        if (*name == '"') fputc('"', file);
        fputc(*name, file);
    }
    fputc('"', file);
}

static void put_columns(FILE *file, int64_t count, const double *x)
{
    for (int64_t k = 0; k < count; k++)
        if (x)
            fprintf(file, ",%.17g", x[k]);
        else
            fputc(',', file);
}

static void put_rows(tool_motion *motion, int64_t step)
{
    saddle_model *model = motion->scene->model;
    for (int64_t k = 0; k < saddle_model_part_count(model); k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        const int is_body = part.item == SADDLE_ITEM_BODY;
        for (int64_t node = 0; node < points_of(model, part); node++) {
            const point_state at = state_of(model, part, node);
            fprintf(motion->csv, "%" PRId64 ",%.17g,", step, saddle_model_time(model));
            put_field(motion->csv, saddle_model_name(model, part), k);
            if (part.item == SADDLE_ITEM_NODES)
                fprintf(motion->csv, ",%" PRId64, node);
            else
                fputc(',', motion->csv);
            put_columns(motion->csv, 3, at.x);
            put_columns(motion->csv, 4, is_body ? at.q : NULL);
            put_columns(motion->csv, 3, at.v);
            put_columns(motion->csv, 3, is_body ? at.w : NULL);
            fputc('\n', motion->csv);
        }
    }
}

/* ---- ParaView's files ---- */

/* FOLDER/NAME-000012.vtu, opened, and listed in motion.pvd. */
static FILE *begin_piece(tool_motion *motion, const char *name, int number, int64_t step,
                         int64_t points, int64_t cells)
{
    char file[64], path[1200];
    snprintf(file, sizeof file, "%s-%06" PRId64 ".vtu", name, step);
    const int length = snprintf(path, sizeof path, "%s/%s", motion->folder, file);
    errno = ENAMETOOLONG;
    FILE *piece = length > 0 && (size_t)length < sizeof path ? fopen(path, "w") : NULL;
    if (!piece) {
        if (!motion->failed) motion->failed = errno;
        return NULL;
    }
    fprintf(motion->list, "<DataSet timestep=\"%.17g\" part=\"%d\" file=\"%s\"/>\n",
            saddle_model_time(motion->scene->model), number, file);
    fprintf(piece,
            "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"0.1\">\n"
            "<UnstructuredGrid>\n<Piece NumberOfPoints=\"%" PRId64 "\" NumberOfCells=\"%" PRId64
            "\">\n",
            points, cells);
    return piece;
}

static void end_piece(tool_motion *motion, FILE *piece)
{
    fputs("</Piece>\n</UnstructuredGrid>\n</VTKFile>\n", piece);
    const int failed = ferror(piece);
    if ((fclose(piece) || failed) && !motion->failed) motion->failed = errno ? errno : EIO;
}

static void begin_array(FILE *piece, const char *type, const char *name, int components)
{
    fprintf(piece,
            "<DataArray type=\"%s\" Name=\"%s\" NumberOfComponents=\"%d\" format=\"ascii\">\n",
            type, name, components);
}

static void put_vector(FILE *piece, int64_t count, const double *x)
{
    for (int64_t k = 0; k < count; k++) fprintf(piece, k > 0 ? " %.9g" : "%.9g", x[k]);
    fputc('\n', piece);
}

/* Cells of one kind: `nodes` each, NULL = each point is a cell of its own. */
typedef struct cell_block {
    int64_t count, nodes;
    const int64_t *node;
    int type; /* of VTK: 1 a vertex, 10 a tetrahedron, 12 a hexahedron */
} cell_block;

static void put_cells(FILE *piece, int blocks, const cell_block *block)
{
    fputs("<Cells>\n", piece);
    begin_array(piece, "Int64", "connectivity", 1);
    for (int b = 0; b < blocks; b++)
        for (int64_t k = 0; k < block[b].count * block[b].nodes; k++)
            fprintf(piece, "%" PRId64 "\n", block[b].node ? block[b].node[k] : k);
    fputs("</DataArray>\n", piece);
    begin_array(piece, "Int64", "offsets", 1);
    int64_t offset = 0;
    for (int b = 0; b < blocks; b++)
        for (int64_t k = 0; k < block[b].count; k++)
            fprintf(piece, "%" PRId64 "\n", offset += block[b].nodes);
    fputs("</DataArray>\n", piece);
    begin_array(piece, "UInt8", "types", 1);
    for (int b = 0; b < blocks; b++)
        for (int64_t k = 0; k < block[b].count; k++) fprintf(piece, "%d\n", block[b].type);
    fputs("</DataArray>\n</Cells>\n", piece);
}

typedef enum vtk_quantity { PLACES, VELOCITIES, ROTATIONS, NUMBERS } vtk_quantity;

/* One quantity of the particles and bodies. */
static void put_bodies_array(FILE *piece, saddle_model *model, vtk_quantity what)
{
    for (int64_t k = 0; k < saddle_model_part_count(model); k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        if (!is_single(part)) continue;
        const point_state at = state_of(model, part, 0);
        if (what == PLACES) put_vector(piece, 3, at.x);
        if (what == VELOCITIES) put_vector(piece, 3, at.v);
        if (what == ROTATIONS) put_vector(piece, 4, at.q);
        if (what == NUMBERS) fprintf(piece, "%" PRId64 "\n", k);
    }
    fputs("</DataArray>\n", piece);
}

static void put_bodies(tool_motion *motion, int64_t step)
{
    saddle_model *model = motion->scene->model;
    cell_block vertices = {.nodes = 1, .type = 1};
    for (int64_t k = 0; k < saddle_model_part_count(model); k++)
        vertices.count += is_single(saddle_model_part_at(model, k));
    if (vertices.count == 0) return;
    FILE *piece = begin_piece(motion, "bodies", 0, step, vertices.count, vertices.count);
    if (!piece) return;
    fputs("<PointData>\n", piece);
    begin_array(piece, "Float64", "velocity", 3);
    put_bodies_array(piece, model, VELOCITIES);
    begin_array(piece, "Float64", "rotation", 4);
    put_bodies_array(piece, model, ROTATIONS);
    begin_array(piece, "Int64", "part", 1);
    put_bodies_array(piece, model, NUMBERS);
    fputs("</PointData>\n<Points>\n", piece);
    begin_array(piece, "Float64", "points", 3);
    put_bodies_array(piece, model, PLACES);
    fputs("</Points>\n", piece);
    put_cells(piece, 1, &vertices);
    end_piece(motion, piece);
}

static void put_nodes_arrays(FILE *piece, int64_t count, const double *x, const double *v,
                             const double *start)
{
    fputs("<PointData>\n", piece);
    begin_array(piece, "Float64", "displacement", 3);
    for (int64_t i = 0; i < count; i++) {
        double moved[3];
        for (int k = 0; k < 3; k++) moved[k] = x[3 * i + k] - start[3 * i + k];
        put_vector(piece, 3, moved);
    }
    fputs("</DataArray>\n", piece);
    begin_array(piece, "Float64", "velocity", 3);
    for (int64_t i = 0; i < count; i++) put_vector(piece, 3, v + 3 * i);
    fputs("</DataArray>\n</PointData>\n<Points>\n", piece);
    begin_array(piece, "Float64", "points", 3);
    for (int64_t i = 0; i < count; i++) put_vector(piece, 3, x + 3 * i);
    fputs("</DataArray>\n</Points>\n", piece);
}

/* start: positions of the part's nodes at the first step. */
static void put_nodes(tool_motion *motion, int64_t number, saddle_handle part, const double *start,
                      int64_t step)
{
    saddle_model *model = motion->scene->model;
    const int64_t count = saddle_model_node_count(model, part);
    cell_block block[2] = {{.nodes = 4, .type = 10}, {.nodes = 8, .type = 12}};
    block[0].node = saddle_model_elements(model, part, SADDLE_ELEMENT_TETRAHEDRON, &block[0].count);
    block[1].node = saddle_model_elements(model, part, SADDLE_ELEMENT_HEXAHEDRON, &block[1].count);
    if (block[0].count + block[1].count == 0)
        block[0] = (cell_block){.count = count, .nodes = 1, .type = 1};
    char name[40];
    snprintf(name, sizeof name, "nodes-%" PRId64, number);
    FILE *piece = begin_piece(motion, name, (int)number + 1, step, count,
                              block[0].count + block[1].count);
    if (!piece) return;
    put_nodes_arrays(piece, count, saddle_model_position(model, part),
                     saddle_model_velocity(model, part), start);
    put_cells(piece, 2, block);
    end_piece(motion, piece);
}

static void put_step(tool_motion *motion, int64_t step)
{
    saddle_model *model = motion->scene->model;
    const double *start = motion->start;
    put_bodies(motion, step);
    for (int64_t k = 0; k < saddle_model_part_count(model); k++) {
        const saddle_handle part = saddle_model_part_at(model, k);
        if (part.item != SADDLE_ITEM_NODES) continue;
        put_nodes(motion, k, part, start, step);
        start += 3 * saddle_model_node_count(model, part);
    }
}

/* ---- begin and end ---- */

static saddle_status keep_start(tool_motion *motion)
{
    saddle_model *model = motion->scene->model;
    for (int pass = 0; pass < 2; pass++) {
        int64_t count = 0;
        for (int64_t k = 0; k < saddle_model_part_count(model); k++) {
            const saddle_handle part = saddle_model_part_at(model, k);
            if (part.item != SADDLE_ITEM_NODES) continue;
            const int64_t size = 3 * saddle_model_node_count(model, part);
            if (pass == 1)
                memcpy(motion->start + count, saddle_model_position(model, part),
                       (size_t)size * sizeof(double));
            count += size;
        }
        if (pass == 0)
            motion->start = saddle_allocate(motion->context, count + 1, sizeof *motion->start);
        if (!motion->start) return SADDLE_OUT_OF_MEMORY;
    }
    return SADDLE_OK;
}

static saddle_status open_file(saddle_context *context, const char *path, FILE **file)
{
    *file = fopen(path, "w");
    if (*file) return SADDLE_OK;
    return saddle__fail_errno(context, path, "cannot be written", errno);
}

static saddle_status open_series(tool_motion *motion)
{
    char path[1200];
    saddle_status status = tool_make_folder(motion->context, motion->folder);
    if (status == SADDLE_OK) status = keep_start(motion);
    if (status != SADDLE_OK) return status;
    const int length = snprintf(path, sizeof path, "%s/motion.pvd", motion->folder);
    if (length < 0 || (size_t)length >= sizeof path)
        return saddle_fail(motion->context, SADDLE_FILE_ERROR, "%s: the name is too long",
                           motion->folder);
    status = open_file(motion->context, path, &motion->list);
    if (status != SADDLE_OK) return status;
    fputs("<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\">\n<Collection>\n",
          motion->list);
    return SADDLE_OK;
}

saddle_status tool_motion_open(const saddle_scene *scene, const char *csv, const char *vtk,
                               tool_motion **motion)
{
    tool_motion *made = saddle_allocate(scene->context, 1, sizeof *made);
    *motion = made;
    if (!made) return SADDLE_OUT_OF_MEMORY;
    *made = (tool_motion){.context = scene->context,
                          .scene = scene,
                          .csv_path = csv,
                          .folder = vtk};
    saddle_status status = csv ? open_file(made->context, csv, &made->csv) : SADDLE_OK;
    if (status == SADDLE_OK && csv)
        fputs("step,time,part,node,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz\n", made->csv);
    if (status == SADDLE_OK && vtk) status = open_series(made);
    return status;
}

saddle_status tool_motion_add(tool_motion *motion, int64_t step)
{
    if (motion->csv) put_rows(motion, step);
    const int table = motion->csv && ferror(motion->csv);
    if (table && !motion->failed) motion->failed = errno ? errno : EIO;
    if (motion->list && !table) put_step(motion, step);
    if (!motion->failed) return SADDLE_OK;
    return saddle__fail_errno(motion->context, table ? motion->csv_path : motion->folder,
                              "cannot be written", motion->failed);
}

/* Closes a file; 0, or errno of what has not arrived. */
static int finish_file(FILE *file)
{
    if (!file) return 0;
    const int failed = ferror(file);
    return fclose(file) || failed ? (errno ? errno : EIO) : 0;
}

saddle_status tool_motion_close(tool_motion *motion)
{
    if (!motion) return SADDLE_OK;
    saddle_context *context = motion->context;
    saddle_status status = SADDLE_OK;
    if (motion->list) fputs("</Collection>\n</VTKFile>\n", motion->list);
    const int table = finish_file(motion->csv), series = finish_file(motion->list);
    if (!motion->failed && (table || series))
        status = saddle__fail_errno(context, table ? motion->csv_path : motion->folder,
                                    "cannot be written", table ? table : series);
    saddle_release(context, motion->start);
    saddle_release(context, motion);
    return status;
}
