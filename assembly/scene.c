/* SPDX-License-Identifier: MIT */
/* Scenes: JSON objects into structs, placements, the file, its options, the lists added in their
 * order (saddle/scene.h). */
#include "saddle/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "files/json_scan.h"
#include "model_internal.h"
#include "saddle/rotation.h"
#include "scene_internal.h"
#include "space/space.h"

/* ---- objects by tables of their fields ---- */

static saddle_status read_object(saddle__scan *scan, const saddle__scene_table *table,
                                 const char *what, void *object);

/* "[", count values or nulls, "]". */
static saddle_status read_array(saddle__scan *scan, const saddle__scene_field *field,
                                const char *what, char *place)
{
    saddle__json_walk walk;
    int more = 1;
    SADDLE__TRY(saddle__json_open(scan, what, '[', &walk));
    for (int count = 0;; count++) {
        SADDLE__TRY(saddle__json_step(&walk, &more));
        if (!more && count == field->count) return SADDLE_OK;
        if (!more)
            return saddle__scan_fail(scan, "%s has %d elements, %d are needed", what, count,
                                     field->count);
        if (count == field->count)
            return saddle__scan_fail(scan, "%s has more than %d elements", what, field->count);
        if (saddle__scan_literal(scan, "null")) continue;
        SADDLE__TRY(field->kind == SADDLE__FIELD_NUMBERS
                        ? saddle__json_number(scan, what, (double *)(void *)place + count)
                        : saddle__json_integer(scan, what, (int64_t *)(void *)place + count));
    }
}

static saddle_status read_word(saddle__scan *scan, const saddle__scene_field *field,
                               const char *what, int *value)
{
    char *text = NULL, known[256] = "";
    saddle__scan_skip_space(scan);
    const char *place = scan->at;
    saddle_status status = saddle__json_string_or_null(scan, what, &text);
    if (status != SADDLE_OK || !text) return status;
    int found = -1;
    for (int k = 0; field->words[k]; k++) {
        if (strcmp(field->words[k], text) == 0) found = k;
        saddle__append(known, sizeof known, k == 0 ? "" : ", ");
        saddle__append(known, sizeof known, field->words[k]);
    }
    if (found >= 0)
        *value = found;
    else
        status = saddle__scan_fail_at(scan, place, "%s is \"%.40s\", not one of %s", what, text,
                                      known);
    saddle_release(scan->context, text);
    return status;
}

/* "[", objects of the field's table or, without one, numbers, "]". */
static saddle_status read_list(saddle__scan *scan, const saddle__scene_field *field,
                               const char *what, saddle__scene_list *list)
{
    const saddle__scene_table *table = field->table;
    const size_t size = table ? table->size : sizeof(double);
    saddle__json_walk walk;
    int more = 1;
    SADDLE__TRY(saddle__json_open(scan, what, '[', &walk));
    for (;;) {
        SADDLE__TRY(saddle__json_step(&walk, &more));
        if (!more) return SADDLE_OK;
        SADDLE__TRY(
            saddle__reserve(scan->context, &list->item, &list->capacity, list->count + 1, size));
        void *item = memset((char *)list->item + (size_t)list->count++ * size, 0, size);
        SADDLE__TRY(table ? read_object(scan, table, table->what, item)
                          : saddle__json_number(scan, what, item));
    }
}

/* A text into a char * or a const char *. */
static saddle_status read_text(saddle__scan *scan, const char *what, char *place)
{
    char *text = NULL;
    const saddle_status status = saddle__json_string_or_null(scan, what, &text);
    memcpy(place, &text, sizeof text);
    return status;
}

static saddle_status read_value(saddle__scan *scan, const saddle__scene_field *field,
                                const char *what, char *place)
{
    void *at = place;
    switch (field->kind) {
    case SADDLE__FIELD_NUMBER: return saddle__json_number(scan, what, at);
    case SADDLE__FIELD_NUMBERS:
    case SADDLE__FIELD_INTEGERS: return read_array(scan, field, what, place);
    case SADDLE__FIELD_INTEGER: return saddle__json_integer(scan, what, at);
    case SADDLE__FIELD_FLAG: return saddle__json_boolean(scan, what, at);
    case SADDLE__FIELD_TEXT: return read_text(scan, what, place);
    case SADDLE__FIELD_WORD: return read_word(scan, field, what, at);
    case SADDLE__FIELD_OBJECT: return read_object(scan, field->table, what, at);
    case SADDLE__FIELD_LIST:
    case SADDLE__FIELD_SERIES: return read_list(scan, field, what, at);
    }
    return SADDLE_INTERNAL;
}

/* The field of a key; the end of the table for an unknown key. */
static const saddle__scene_field *find_field(const saddle__scene_table *table, const char *key)
{
    const saddle__scene_field *field = table->field;
    while (field->key && strcmp(field->key, key) != 0) field++;
    return field;
}

/* Reads a value by its key. */
static saddle_status read_field(saddle__scan *scan, const char *key, saddle__scene_head *head)
{
    const saddle__scene_table *table = head->table;
    const saddle__scene_field *field = find_field(table, key);
    const int k = (int)(field - table->field);
    char what[160];
    if (!field->key) return saddle__scan_fail(scan, "%s: unknown field \"%s\"", table->what, key);
    if (head->given >> k & 1)
        return saddle__scan_fail(scan, "%s: \"%s\" is given twice", table->what, key);
    snprintf(what, sizeof what, "%s: \"%s\"", table->what, key);
    if (saddle__scan_literal(scan, "null")) return SADDLE_OK;
    head->given |= (uint64_t)1 << k;
    return read_value(scan, field, what, (char *)head + field->offset);
}

/* Reads an object of table's struct, all zero before.  Released by the caller, on failure too. */
static saddle_status read_object(saddle__scan *scan, const saddle__scene_table *table,
                                 const char *what, void *object)
{
    saddle__scene_head *head = object;
    saddle__json_walk walk;
    int more = 1;
    if (table->defaults) table->defaults(object);
    saddle__scan_skip_space(scan);
    head->table = table;
    head->place = scan->at;
    SADDLE__TRY(saddle__json_open(scan, what, '{', &walk));
    SADDLE__TRY(saddle__json_step(&walk, &more));
    while (more) {
        SADDLE__TRY(read_field(scan, walk.key, head));
        SADDLE__TRY(saddle__json_step(&walk, &more));
    }
    for (int k = 0; table->field[k].key; k++)
        if (table->field[k].required && !(head->given >> k & 1))
            return saddle__scan_fail_at(scan, head->place, "%s: \"%s\" is missing", table->what,
                                        table->field[k].key);
    return SADDLE_OK;
}

static void release_object(saddle_context *context, const saddle__scene_table *table, void *object)
{
    for (const saddle__scene_field *field = table->field; field->key; field++) {
        void *at = (char *)object + field->offset;
        if (field->kind == SADDLE__FIELD_TEXT) saddle_release(context, *(void **)at);
        if (field->kind == SADDLE__FIELD_OBJECT) release_object(context, field->table, at);
        if (field->kind != SADDLE__FIELD_LIST && field->kind != SADDLE__FIELD_SERIES) continue;
        saddle__scene_list *list = at;
        for (int64_t k = 0; field->kind == SADDLE__FIELD_LIST && k < list->count; k++) {
            release_object(context, field->table,
                           (char *)list->item + (size_t)k * field->table->size);
        }
        saddle_release(context, list->item);
        *list = (saddle__scene_list){0};
    }
}

int saddle__scene_given(const void *object, const char *key)
{
    const saddle__scene_head *head = object;
    return head->table && (head->given >> (find_field(head->table, key) - head->table->field) & 1);
}

/* ---- fields ---- */

/* clang-format off */
#define STRUCT saddle__scene_compliance
static const saddle__scene_field compliance_fields[] = {
    AT(NUMBER, "alpha", def.alpha), AT(NUMBER, "beta", def.beta), AT(NUMBER, "steps", def.steps),
    AT(NUMBER, "stiffness", stiffness), AT(NUMBER, "damping", damping),
    AT(SERIES, "matrix", C), AT(SERIES, "damping_matrix", D), END};
const saddle__scene_table saddle__scene_compliance_table = {
    "compliance", sizeof(STRUCT), compliance_fields, NULL, SADDLE__SCENE_NAMELESS, NULL};
#undef STRUCT

#define LIST_WORD(name, word) word,
static const char *const law_words[] = {SADDLE_LAW_LIST(LIST_WORD) NULL};
static const char *const integrator_words[] = {SADDLE_INTEGRATOR_LIST(LIST_WORD) NULL};
static const char *const attachment_words[] = {SADDLE_WISH_LIST(LIST_WORD) NULL};
static const char *const form_words[] = {SADDLE_JOINT_FORM_LIST(LIST_WORD) NULL};
static const char *const rotation_words[] = {"exponential", "finite", "infinitesimal", NULL};

#define STRUCT saddle__scene_friction
static const saddle__scene_field friction_fields[] = {
    WORD("law", law, law_words), AT(INTEGER, "facets", facets), END};
TABLE(friction, "friction", NULL);
#undef STRUCT

static void file_defaults(void *object)
{
    ((saddle__scene_file *)object)->options = saddle_stepper_options_default();
}

#define LISTED(key, of, tables) PART(LIST, key, list[of], tables[of])
#define STRUCT saddle__scene_file
static const saddle__scene_field file_fields[] = {
    MUST(TEXT, "format", format), MUST(INTEGER, "version", version), AT(TEXT, "name", name),
    ARRAY(NUMBERS, "gravity", gravity, 3), AT(NUMBER, "time", time),
    AT(NUMBER, "time_step", options.time_step),
    WORD("integrator", options.integrator, integrator_words),
    WORD("rotation_update", options.rotation, rotation_words), AT(TEXT, "solver", solver),
    AT(NUMBER, "tolerance", options.solver_options.tolerance),
    AT(INTEGER, "max_iterations", options.solver_options.max_iterations),
    AT(INTEGER, "projection", projection),
    AT(NUMBER, "projection_tolerance", options.projection_tolerance),
    AT(NUMBER, "margin", options.margin),
    AT(NUMBER, "max_separation_speed", options.max_separation_speed),
    AT(INTEGER, "friction_rounds", options.friction_rounds),
    AT(NUMBER, "friction_tolerance", options.friction_tolerance),
    AT(FLAG, "geometric_stiffness", options.assembly.geometric_stiffness),
    AT(FLAG, "gyroscopic_jacobian", options.assembly.gyroscopic_jacobian),
    AT(FLAG, "symmetric_stiffness", options.assembly.symmetric_stiffness),
    WORD("attachments", options.attachments, attachment_words),
    WORD("joint_form", joint_form, form_words),
    PART(OBJECT, "friction", friction, friction_table),
    LISTED("particles", SADDLE__PARTICLES, saddle__scene_parts),
    LISTED("bodies", SADDLE__BODIES, saddle__scene_parts),
    LISTED("blocks", SADDLE__BLOCKS, saddle__scene_parts),
    LISTED("nodes", SADDLE__NODES, saddle__scene_parts),
    LISTED("meshes", SADDLE__MESHES, saddle__scene_parts),
    LISTED("shapes", SADDLE__SHAPES, saddle__scene_parts),
    LISTED("apart", SADDLE__APART, saddle__scene_parts),
    LISTED("joints", SADDLE__JOINTS, saddle__scene_ties),
    LISTED("gears", SADDLE__GEARS, saddle__scene_ties),
    LISTED("pins", SADDLE__PINS, saddle__scene_ties),
    LISTED("rods", SADDLE__RODS, saddle__scene_ties),
    LISTED("springs", SADDLE__SPRINGS, saddle__scene_ties),
    LISTED("frame_springs", SADDLE__FRAME_SPRINGS, saddle__scene_ties),
    LISTED("muscles", SADDLE__MUSCLES, saddle__scene_ties),
    LISTED("loads", SADDLE__LOADS, saddle__scene_ties),
    LISTED("dampers", SADDLE__DAMPERS, saddle__scene_ties),
    LISTED("attach", SADDLE__ATTACH, saddle__scene_ties), END};
TABLE(file, "scene", file_defaults);
#undef STRUCT
/* clang-format on */

/* SADDLE_BAD_FILE at the place of the object, with the context's message as the reason; SADDLE_OK
 * and SADDLE_OUT_OF_MEMORY are passed through. */
static saddle_status because(const saddle__scene_build *build, saddle_status status)
{
    if (status == SADDLE_OK || status == SADDLE_OUT_OF_MEMORY) return status;
    return saddle__scene_refuse(build, "%s", saddle_context_message(build->scan->context));
}

saddle_status saddle__scene_find(const saddle__scene_build *build, const char *name,
                                 saddle_handle *part)
{
    *part = (saddle_handle){0};
    if (!name || strcmp(name, "ground") == 0) return SADDLE_OK;
    *part = saddle_model_find(build->scene->model, name);
    if (part->item == SADDLE_ITEM_PARTICLE || part->item == SADDLE_ITEM_BODY ||
        part->item == SADDLE_ITEM_NODES)
        return SADDLE_OK;
    return saddle__scene_refuse(build, "there is no part of the name \"%.80s\"", name);
}

saddle_status saddle__scene_read_compliance(const saddle__scene_build *build,
                                            const saddle__scene_compliance *fields,
                                            saddle_compliance *compliance)
{
    const int stiff = saddle__scene_given(fields, "stiffness");
    if (saddle__scene_given(fields, "matrix") || saddle__scene_given(fields, "damping_matrix"))
        return saddle__scene_refuse(build, "a compliance \"matrix\" is of joints and pins");
    if (stiff && (saddle__scene_given(fields, "alpha") || saddle__scene_given(fields, "beta")))
        return saddle__scene_refuse(build, "\"stiffness\" and \"alpha\" exclude each other");
    if (!stiff && saddle__scene_given(fields, "damping"))
        return saddle__scene_refuse(build, "\"damping\" goes with \"stiffness\"");
    if (stiff && !(fields->stiffness > 0))
        return saddle__scene_refuse(build, "\"stiffness\" is not positive");
    *compliance = fields->def;
    if (stiff) {
        compliance->alpha = 1 / fields->stiffness;
        compliance->beta = fields->damping / fields->stiffness;
    }
    return because(build, saddle_compliance_check(build->scan->context, compliance));
}

saddle_status saddle__scene_integers(const saddle__scene_build *build,
                                     const saddle__scene_list *series, const char *what,
                                     int64_t **integer)
{
    const double most = 9e15; /* integers up to here are exact */
    const double *number = series->item;
    *integer = saddle_allocate(build->scan->context, series->count + 1, sizeof **integer);
    if (!*integer) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < series->count; k++) {
        if (!(number[k] >= 0 && number[k] < most && floor(number[k]) == number[k]))
            return saddle__scene_refuse(build, "%s, from 0", what);
        (*integer)[k] = (int64_t)number[k];
    }
    return SADDLE_OK;
}

/* ---- placements ----
 *
 * A rotation is given in one of four ways:
 *
 *     rotation       quaternion of any length
 *     rpy            roll, pitch, yaw about the fixed axes x, then y, then z, as in URDF:
 *                    R = Rz(yaw) Ry(pitch) Rx(roll)
 *     euler          three angles about axes named by their order, each turned by those before:
 *                    "zxz" is R = Rz(angles[0]) Rx(angles[1]) Rz(angles[2])
 *     axis, angle    about an axis of any length
 */

#define STRUCT saddle__scene_euler
/* clang-format off */
static const saddle__scene_field euler_fields[] = {
    MUST(TEXT, "order", order), FIELD(NUMBERS, 1, "angles", angles, 3, NULL, NULL), END};
const saddle__scene_table saddle__scene_euler_table = {
    "euler", sizeof(STRUCT), euler_fields, NULL, SADDLE__SCENE_NAMELESS, NULL};
/* clang-format on */
#undef STRUCT

static saddle_status rotate_by_euler(saddle__scene_build *build, const saddle__scene_euler *euler,
                                     double *R)
{
    const char *order = euler->order;
    if (strlen(order) != 3 || strspn(order, "xyz") != 3 || order[0] == order[1] ||
        order[1] == order[2]) {
        build->place = euler->head.place;
        return saddle__scene_refuse(
            build, "\"order\" is three of x, y and z, no axis twice in a row: \"zyx\", \"zxz\"");
    }
    for (int k = 0; k < 3; k++) {
        double phi[3] = {0}, turn[9];
        phi[order[k] - 'x'] = euler->angles[k];
        saddle_rotation_exp(phi, turn);
        saddle__product3(R, turn, R);
    }
    return SADDLE_OK;
}

saddle_status saddle__scene_pose(saddle__scene_build *build, const saddle__scene_item *x,
                                 saddle_pose *pose)
{
    const saddle__scene_placement *placement = &x->placement;
    const int quaternion = saddle__scene_given(x, "rotation"), rpy = saddle__scene_given(x, "rpy"),
              euler = saddle__scene_given(x, "euler"), axis = saddle__scene_given(x, "axis"),
              angle = saddle__scene_given(x, "angle");
    *pose = saddle_pose_identity();
    memcpy(pose->p, placement->position, sizeof pose->p);
    if (quaternion + rpy + euler + axis > 1) {
        return saddle__scene_refuse(
            build, "\"rotation\", \"rpy\", \"euler\" and \"axis\" with \"angle\" say the same: "
                   "give one");
    }
    double phi[3] = {0};
    if (axis && !(saddle__direction(placement->axis, phi) > 0))
        return saddle__scene_refuse(build, "\"axis\" is zero");
    if (axis != angle)
        return saddle__scene_refuse(build, "\"%s\" needs an \"%s\"", axis ? "axis" : "angle",
                                    axis ? "angle" : "axis");
    if (quaternion) {
        double q[4];
        memcpy(q, placement->rotation, sizeof q);
        SADDLE__TRY(saddle_quaternion_normalize(build->scan->context, q));
        saddle_quaternion_to_matrix(q, pose->R);
        return SADDLE_OK;
    }
    if (euler) return rotate_by_euler(build, &placement->euler, pose->R);
    for (int i = 0; i < 3; i++) phi[i] *= placement->angle;
    if (axis) saddle_rotation_exp(phi, pose->R);
    if (rpy) saddle_rpy_to_matrix(placement->rpy, pose->R);
    return SADDLE_OK;
}

/* ---- options ---- */

static saddle_status set_options(const saddle__scene_build *build)
{
    saddle__scene_file *file = build->file;
    saddle_stepper_options *options = &build->scene->options;
    *options = file->options;
    options->assembly.law = file->friction.law;
    options->assembly.facets = file->friction.facets;
    options->projection = (int)file->projection;
    const saddle__numbers numbers[] = {
        {"\"gravity\"", SADDLE__ANY, 3, file->gravity},
        {"\"time\"", SADDLE__ANY, 1, &file->time},
        {"\"time_step\"", SADDLE__POSITIVE, 1, &options->time_step},
        {"\"projection_tolerance\"", SADDLE__AMOUNT, 1, &options->projection_tolerance},
        {"\"margin\"", SADDLE__AMOUNT, 1, &options->margin},
        {"\"max_separation_speed\"", SADDLE__AMOUNT, 1, &options->max_separation_speed},
        {"\"friction_tolerance\"", SADDLE__AMOUNT, 1, &options->friction_tolerance}};
    const saddle_status status = saddle__check_numbers(build->scene->model, "scene", NULL,
                                                       sizeof numbers / sizeof *numbers, numbers);
    const double tolerance = options->solver_options.tolerance;
    if (status != SADDLE_OK) return because(build, status);
    if (options->friction_rounds < 1)
        return saddle__scene_refuse(build, "\"friction_rounds\" is %lld, not 1 or more",
                                    (long long)options->friction_rounds);
    if (!(tolerance > 0 && tolerance < 1))
        return saddle__scene_refuse(build, "\"tolerance\" is %g, not above 0 and below 1",
                                    tolerance);
    if (file->projection < 0 || file->projection > 1000)
        return saddle__scene_refuse(build, "\"projection\" is not within 0 .. 1000");
    if (options->assembly.facets > SADDLE_FACETS_AT_MOST) {
        return saddle__scene_refuse(build, "\"facets\" is %lld, more than %d",
                                    (long long)options->assembly.facets, SADDLE_FACETS_AT_MOST);
    }
    if (file->solver) {
        build->scene->solver = file->solver;
        file->solver = NULL;
        options->solver = build->scene->solver;
        if (!saddle_solver_type_find(build->scan->context, options->solver))
            return saddle__scene_refuse(build, "there is no solver \"%.80s\"", options->solver);
    }
    return because(build, saddle_options_check(build->scan->context, &options->solver_options));
}

static saddle_status check_format(const saddle__scene_build *build)
{
    const saddle__scene_file *file = build->file;
    if (!file->format || strcmp(file->format, "saddle-scene") != 0)
        return saddle__scene_refuse(build, "\"format\" is not \"saddle-scene\"");
    if (file->version == 1) return SADDLE_OK;
    return saddle__scene_refuse(build, "\"version\" is %lld, this reader knows 1",
                                (long long)file->version);
}

/* ---- addition ---- */

/* A part has a name other than "ground", and no two items have one name. */
static saddle_status check_name(const saddle__scene_build *build, const char *name,
                                saddle__scene_naming naming)
{
    static const char *const words[] = {"",          "part",  "part",
                                        "part",      "force", "joint, pin or rod",
                                        "attachment"};
    if (naming == SADDLE__SCENE_PART && (!name || *name == '\0' || strcmp(name, "ground") == 0))
        return saddle__scene_refuse(build, "a part needs a name other than \"ground\"");
    const saddle_handle found = saddle_model_find(build->scene->model, name);
    if (found.item == SADDLE_ITEM_NONE) return SADDLE_OK;
    return saddle__scene_refuse(build, "there is already a %s of the name \"%.80s\"",
                                words[found.item], name);
}

static saddle_status add_objects(saddle__scene_build *build, const saddle__scene_table *table,
                                 const saddle__scene_list *list)
{
    const saddle__scene_field *named = find_field(table, "name");
    for (int64_t k = 0; k < list->count; k++) {
        const saddle__scene_item *item = (const saddle__scene_item *)list->item + k;
        const char *name = NULL;
        build->place = item->head.place;
        if (table->naming != SADDLE__SCENE_NAMELESS)
            memcpy(&name, (const char *)item + named->offset, sizeof name);
        SADDLE__TRY(check_name(build, name, table->naming));
        const saddle_status status = table->add(build, item);
        SADDLE__TRY(status == SADDLE_BAD_FILE ? status : because(build, status));
    }
    return SADDLE_OK;
}

static saddle_status build_scene(saddle__scene_build *build)
{
    saddle_scene *scene = build->scene;
    SADDLE__TRY(check_format(build));
    SADDLE__TRY(saddle_model_create(scene->context, &scene->model));
    SADDLE__TRY(set_options(build));
    scene->name = build->file->name;
    build->file->name = NULL;
    saddle_model_set_gravity(scene->model, build->file->gravity);
    (void)saddle_model_set_joint_form(scene->model, build->file->joint_form);
    saddle_model_set_time(scene->model, build->file->time);
    for (int k = 0; k < SADDLE__SCENE_LISTS; k++) {
        const saddle__scene_table *tables = k < SADDLE__JOINTS ? saddle__scene_parts
                                                               : saddle__scene_ties;
        SADDLE__TRY(add_objects(build, &tables[k], &build->file->list[k]));
    }
    return SADDLE_OK;
}

/* ---- reading ---- */

static saddle_status read_scan(saddle__scan *scan, const char *folder, saddle_scene *scene)
{
    saddle__scene_file file = {0};
    *scene = (saddle_scene){.context = scan->context};
    saddle_status status = read_object(scan, &file_table, "the scene", &file);
    if (status == SADDLE_OK) status = saddle__json_end(scan);
    saddle__scene_build build = {scan, folder, scene, &file, file.head.place};
    if (status == SADDLE_OK) status = build_scene(&build);
    release_object(scan->context, &file_table, &file);
    if (status != SADDLE_OK) saddle_scene_clear(scene);
    return status;
}

saddle_status saddle_scene_read(saddle_context *context, const char *path, saddle_scene *scene)
{
    if (scene) *scene = (saddle_scene){0};
    SADDLE__RETURN_UNLESS(context, path && scene, "path or scene is NULL");
    char *folder = saddle__folder_of(context, path);
    if (!folder) return SADDLE_OUT_OF_MEMORY;
    saddle__scan scan = {0};
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK) status = read_scan(&scan, folder, scene);
    saddle__scan_close(&scan);
    saddle_release(context, folder);
    return status;
}

saddle_status saddle_scene_read_text(saddle_context *context, const char *text, int64_t length,
                                     const char *label, const char *folder, saddle_scene *scene)
{
    SADDLE__RETURN_UNLESS(context, text && scene, "text or scene is NULL");
    saddle__scan scan = saddle__scan_text(context, text, length, label ? label : "scene");
    return read_scan(&scan, folder, scene);
}

void saddle_scene_clear(saddle_scene *scene)
{
    if (!scene) return;
    saddle_collider_free(scene->collider);
    saddle_model_free(scene->model);
    for (saddle__scene_motion *at = scene->motions, *next; at; at = next) {
        next = at->next;
        saddle_release(scene->context, at);
    }
    saddle__release_all(scene->context, scene->name, scene->solver);
    *scene = (saddle_scene){0};
}
