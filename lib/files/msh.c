/* SPDX-License-Identifier: MIT */
/* Meshes of gmsh, version 4.1 (saddle/msh.h; docs/formats.md).
 *
 *     $MeshFormat      version, 0 text or 1 binary, 8; in binary the integer 1
 *     $PhysicalNames   names of groups, always text; may be absent
 *     $Entities        the groups of each entity; may be absent
 *     $Nodes           blocks of tags and of coordinates
 *     $Elements        blocks of elements of one entity and one kind
 *
 * Other sections are passed over.  In binary files an int has 4 bytes, a size and a double 8, in
 * the order of bytes of the machine.
 */
#include "saddle/msh.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "files/scan.h"

typedef struct entity {
    int64_t dimension, tag;
    int64_t first, count; /* of the entity's groups, in reader.group_of */
} entity;

typedef struct node {
    int64_t tag;
    int64_t number; /* in the mesh; -1 = in no volume element */
    double x[3];
} node;

typedef struct block { /* elements of one entity and kind */
    const entity *of;  /* NULL = unknown: no $Entities */
    int64_t dimension;
    int64_t nodes;        /* of an element */
    int64_t first, count; /* the first corner in reader.corner; elements */
} block;

typedef struct reader {
    saddle__scan scan;
    int binary;
    int has_entities, has_nodes, has_elements;
    int64_t entities, entity_capacity, groups_of, group_of_capacity;
    entity *entity;    /* sorted by dimension and tag */
    int64_t *group_of; /* tags of groups */
    int64_t nodes;
    node *node; /* sorted by tag */
    int64_t blocks, block_capacity, corners, corner_capacity;
    block *block;
    int64_t *corner; /* places in node */
    int64_t group_capacity;
    saddle_msh *msh;
} reader;

static int is_fine(const reader *r)
{
    return r->scan.status == SADDLE_OK;
}

/* The status of a call that may run out of memory, for the scan. */
static void take_status(reader *r, saddle_status status)
{
    if (is_fine(r)) r->scan.status = status;
}

/* ---- numbers, in text or in binary ---- */

/* count bytes of a binary file; 0 after a failure. */
static int take_bytes(reader *r, const char *what, void *value, size_t count)
{
    if (!is_fine(r)) return 0;
    if ((size_t)(r->scan.end - r->scan.at) < count) {
        (void)saddle__scan_fail(&r->scan, "%s: the file ends", what);
        return 0;
    }
    memcpy(value, r->scan.at, count);
    r->scan.at += count;
    return 1;
}

static int64_t in_range(reader *r, const char *what, int64_t value, int64_t lo, int64_t hi)
{
    if (value >= lo && value <= hi) return value;
    (void)saddle__scan_fail(&r->scan, "%s: %lld is outside %lld to %lld", what, (long long)value,
                            (long long)lo, (long long)hi);
    return 0;
}

static int64_t take_int(reader *r, const char *what, int64_t lo, int64_t hi)
{
    int32_t value = 0;
    if (!r->binary) return saddle__scan_range(&r->scan, what, lo, hi);
    return take_bytes(r, what, &value, sizeof value) ? in_range(r, what, value, lo, hi) : 0;
}

static int64_t take_size(reader *r, const char *what)
{
    int64_t value = 0;
    if (!r->binary) return saddle__scan_size(&r->scan, what);
    return take_bytes(r, what, &value, sizeof value) ? in_range(r, what, value, 0, INT64_MAX) : 0;
}

static double take_double(reader *r, const char *what)
{
    double value = 0;
    if (!r->binary) return saddle__scan_double(&r->scan, what, 0);
    if (take_bytes(r, what, &value, sizeof value) && !isfinite(value))
        (void)saddle__scan_fail(&r->scan, "%s: a number is not finite", what);
    return value;
}

/* Fails unless `each` times count numbers of at least `bytes` bytes in binary fit in the rest. */
static void expect(reader *r, const char *what, int64_t count, int64_t each, int64_t bytes)
{
    const int64_t left = r->scan.end - r->scan.at, least = each * (r->binary ? bytes : 2);
    if (is_fine(r) && count > left / least + 1)
        (void)saddle__scan_fail(&r->scan, "%lld %s announced, but only %lld bytes follow",
                                (long long)count, what, (long long)left);
}

/* ---- sections ---- */

static void take_format(reader *r)
{
    saddle__scan *scan = &r->scan;
    if (!saddle__scan_literal(scan, "$MeshFormat"))
        (void)saddle__scan_fail(scan, "a .msh file begins with $MeshFormat");
    const double version = saddle__scan_double(scan, "version", 0);
    if (is_fine(r) && version != 4.1)
        (void)saddle__scan_fail(scan, "version %g: only 4.1 is read (gmsh -format msh41)", version);
    const int64_t binary = saddle__scan_range(scan, "0 for text, 1 for binary", 0, 1);
    (void)saddle__scan_range(scan, "bytes of a number", 8, 8);
    if (!is_fine(r) || !binary) return;
    saddle__scan_skip_line(scan);
    r->binary = 1;
    if (take_int(r, "order of bytes", INT32_MIN, INT32_MAX) != 1)
        (void)saddle__scan_fail(scan, "a binary file with another order of bytes");
}

/* count lines `dimension tag "name"` */
static void take_names(reader *r)
{
    saddle__scan *scan = &r->scan;
    saddle_msh *msh = r->msh;
    const int64_t count = saddle__scan_size(scan, "number of names");
    for (int64_t k = 0; is_fine(r) && k < count; k++) {
        const int64_t dimension = saddle__scan_range(scan, "dimension of a group", 0, 3);
        const int64_t tag = saddle__scan_range(scan, "tag of a group", 1, INT32_MAX);
        if (is_fine(r) && !saddle__scan_literal(scan, "\""))
            (void)saddle__scan_fail(scan, "a group's name is in quotes");
        const char *begin = scan->at, *end = begin;
        while (is_fine(r) && end < scan->end && *end != '"' && *end != '\n' && *end != '\0') end++;
        if (is_fine(r) && (end == scan->end || *end != '"'))
            (void)saddle__scan_fail(scan, "the quote of a group's name is not closed");
        char *name = saddle__scan_allocate(scan, end - begin + 1, 1);
        if (!name) return;
        memcpy(name, begin, (size_t)(end - begin));
        scan->at = end + 1;
        take_status(r, saddle__reserve(scan->context, &msh->group, &r->group_capacity,
                                       msh->groups + 1, sizeof *msh->group));
        if (!is_fine(r)) {
            saddle_release(scan->context, name);
            return;
        }
        msh->group[msh->groups++] = (saddle_msh_group){dimension, tag, name, 0, NULL};
    }
}

static void take_entity(reader *r, int64_t dimension)
{
    entity made = {.dimension = dimension, .first = r->groups_of};
    made.tag = take_int(r, "tag of an entity", INT32_MIN, INT32_MAX);
    for (int k = 0; k < (dimension == 0 ? 3 : 6); k++) (void)take_double(r, "box of an entity");
    made.count = take_size(r, "number of groups");
    expect(r, "groups", made.count, 1, 4);
    if (is_fine(r))
        take_status(r, saddle__reserve(r->scan.context, &r->group_of, &r->group_of_capacity,
                                       r->groups_of + made.count, sizeof *r->group_of));
    for (int64_t k = 0; is_fine(r) && k < made.count; k++) { /* the sign is an orientation */
        const int64_t tag = take_int(r, "tag of a group", -INT32_MAX, INT32_MAX);
        r->group_of[r->groups_of++] = tag < 0 ? -tag : tag;
    }
    const int64_t bounding = dimension == 0 ? 0 : take_size(r, "number of bounding entities");
    for (int64_t k = 0; is_fine(r) && k < bounding; k++)
        (void)take_int(r, "bounding entity", INT32_MIN, INT32_MAX);
    if (is_fine(r))
        take_status(r, saddle__reserve(r->scan.context, &r->entity, &r->entity_capacity,
                                       r->entities + 1, sizeof *r->entity));
    if (is_fine(r)) r->entity[r->entities++] = made;
}

static int compare_entities(const void *first, const void *second)
{
    const entity *a = first, *b = second;
    if (a->dimension != b->dimension) return a->dimension < b->dimension ? -1 : 1;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

static void take_entities(reader *r)
{
    int64_t count[4];
    if (r->has_elements) (void)saddle__scan_fail(&r->scan, "$Entities after $Elements");
    for (int k = 0; k < 4; k++) count[k] = take_size(r, "number of entities");
    for (int k = 0; k < 4; k++)
        for (int64_t e = 0; is_fine(r) && e < count[k]; e++) take_entity(r, k);
    if (!is_fine(r) || r->entities == 0) return;
    qsort(r->entity, (size_t)r->entities, sizeof *r->entity, compare_entities);
    for (int64_t e = 1; e < r->entities; e++)
        if (compare_entities(&r->entity[e - 1], &r->entity[e]) == 0)
            (void)saddle__scan_fail(&r->scan, "entity %lld of dimension %lld is given twice",
                                    (long long)r->entity[e].tag, (long long)r->entity[e].dimension);
}

static int compare_nodes(const void *first, const void *second)
{
    const node *a = first, *b = second;
    return (a->tag > b->tag) - (a->tag < b->tag);
}

/* One block of nodes from place `at`; returns the place behind. */
static int64_t take_node_block(reader *r, int64_t at)
{
    const int64_t dimension = take_int(r, "dimension", 0, 3);
    (void)take_int(r, "entity", INT32_MIN, INT32_MAX);
    const int64_t parametric = take_int(r, "0 or 1 for parametric", 0, 1);
    const int64_t count = take_size(r, "nodes of a block");
    if (is_fine(r) && count > r->nodes - at)
        (void)saddle__scan_fail(&r->scan, "the blocks have more than the announced %lld nodes",
                                (long long)r->nodes);
    for (int64_t k = 0; is_fine(r) && k < count; k++) r->node[at + k].tag = take_size(r, "node");
    for (int64_t k = 0; is_fine(r) && k < count; k++) {
        for (int i = 0; i < 3; i++) r->node[at + k].x[i] = take_double(r, "coordinate");
        for (int64_t i = 0; parametric && i < dimension; i++)
            (void)take_double(r, "parametric coordinate");
    }
    return at + count;
}

static void take_nodes(reader *r)
{
    const int64_t blocks = take_size(r, "blocks of nodes"), count = take_size(r, "nodes");
    (void)take_size(r, "least tag");
    (void)take_size(r, "largest tag");
    expect(r, "nodes", count, 4, 8);
    r->node = saddle__scan_allocate(&r->scan, count, sizeof *r->node);
    if (!is_fine(r)) return;
    r->nodes = count;
    int64_t at = 0;
    for (int64_t k = 0; is_fine(r) && k < blocks; k++) at = take_node_block(r, at);
    if (is_fine(r) && at != count)
        (void)saddle__scan_fail(&r->scan, "%lld nodes announced, %lld given", (long long)count,
                                (long long)at);
    if (!is_fine(r)) return;
    qsort(r->node, (size_t)count, sizeof *r->node, compare_nodes);
    for (int64_t k = 0; k < count; k++) {
        r->node[k].number = -1;
        if (k > 0 && r->node[k].tag == r->node[k - 1].tag)
            (void)saddle__scan_fail(&r->scan, "node %lld is given twice",
                                    (long long)r->node[k].tag);
    }
}

/* Nodes and dimension of a kind of element; a failure for kinds that are not read. */
static void kind_of(reader *r, int64_t kind, block *made)
{
    static const struct {
        int kind, dimension, nodes;
    } known[] = {{15, 0, 1}, {1, 1, 2}, {2, 2, 3}, {3, 2, 4}, {4, 3, 4}, {5, 3, 8}};
    for (size_t k = 0; k < sizeof known / sizeof *known; k++) {
        if (known[k].kind != kind) continue;
        made->nodes = known[k].nodes;
        if (known[k].dimension == made->dimension) return;
        (void)saddle__scan_fail(&r->scan, "elements of kind %lld in an entity of dimension %lld",
                                (long long)kind, (long long)made->dimension);
        return;
    }
    (void)saddle__scan_fail(&r->scan,
                            "elements of kind %lld (%s): points, lines, triangles, quadrangles, "
                            "tetrahedra and hexahedra of first order are read",
                            (long long)kind,
                            kind == 6   ? "prisms"
                            : kind == 7 ? "pyramids"
                                        : "of higher order");
}

/* The place of the node of a tag. */
static int64_t find_node(reader *r, int64_t tag)
{
    const node wanted = {.tag = tag};
    const node *found = NULL;
    if (is_fine(r) && r->nodes > 0)
        found = bsearch(&wanted, r->node, (size_t)r->nodes, sizeof wanted, compare_nodes);
    if (found) return found - r->node;
    (void)saddle__scan_fail(&r->scan, "there is no node %lld", (long long)tag);
    return 0;
}

static void take_element_block(reader *r, int64_t most)
{
    block made = {.dimension = take_int(r, "dimension", 0, 3), .first = r->corners};
    const entity wanted = {made.dimension, take_int(r, "entity", INT32_MIN, INT32_MAX), 0, 0};
    const int64_t kind = take_int(r, "kind of elements", INT32_MIN, INT32_MAX);
    made.count = take_size(r, "elements of a block");
    if (is_fine(r)) kind_of(r, kind, &made);
    if (is_fine(r) && made.count > most)
        (void)saddle__scan_fail(&r->scan, "the blocks have more elements than announced");
    if (is_fine(r) && r->entities > 0)
        made.of = bsearch(&wanted, r->entity, (size_t)r->entities, sizeof wanted, compare_entities);
    if (is_fine(r) && r->has_entities && !made.of)
        (void)saddle__scan_fail(&r->scan, "there is no entity %lld of dimension %lld",
                                (long long)wanted.tag, (long long)wanted.dimension);
    expect(r, "elements", made.count, 1 + made.nodes, 8);
    if (!is_fine(r)) return;
    take_status(r, saddle__reserve(r->scan.context, &r->corner, &r->corner_capacity,
                                   r->corners + made.nodes * made.count, sizeof *r->corner));
    for (int64_t e = 0; is_fine(r) && e < made.count; e++) {
        (void)take_size(r, "element");
        for (int64_t a = 0; is_fine(r) && a < made.nodes; a++) {
            const int64_t tag = take_size(r, "node of an element");
            if (is_fine(r)) r->corner[r->corners++] = find_node(r, tag);
        }
    }
    if (is_fine(r))
        take_status(r, saddle__reserve(r->scan.context, &r->block, &r->block_capacity,
                                       r->blocks + 1, sizeof *r->block));
    if (is_fine(r)) r->block[r->blocks++] = made;
}

static void take_elements(reader *r)
{
    if (!r->has_nodes) (void)saddle__scan_fail(&r->scan, "$Elements before $Nodes");
    const int64_t blocks = take_size(r, "blocks of elements"), count = take_size(r, "elements");
    (void)take_size(r, "least tag");
    (void)take_size(r, "largest tag");
    int64_t left = count;
    for (int64_t k = 0; is_fine(r) && k < blocks; k++) {
        take_element_block(r, left);
        if (is_fine(r)) left -= r->block[r->blocks - 1].count;
    }
    if (is_fine(r) && left > 0)
        (void)saddle__scan_fail(&r->scan, "%lld elements announced, %lld given", (long long)count,
                                (long long)(count - left));
}

/* To the end of a section that is not read. */
static void pass_over(reader *r, const char *name, int64_t length)
{
    saddle__scan *scan = &r->scan;
    for (; scan->end - scan->at >= length + 4; scan->at++)
        if (memcmp(scan->at, "$End", 4) == 0 && memcmp(scan->at + 4, name, (size_t)length) == 0)
            return;
    (void)saddle__scan_fail(scan, "$%.*s does not end", (int)(length < 40 ? length : 40), name);
}

/* "$Name", the section, "$EndName" */
static void take_section(reader *r)
{
    static const struct {
        const char *name;
        size_t given; /* offset of the flag; 0 = none */
        void (*take)(reader *r);
    } known[] = {{"PhysicalNames", 0, take_names},
                 {"Entities", offsetof(reader, has_entities), take_entities},
                 {"Nodes", offsetof(reader, has_nodes), take_nodes},
                 {"Elements", offsetof(reader, has_elements), take_elements}};
    saddle__scan *scan = &r->scan;
    const char *word;
    int64_t length;
    saddle__scan_word(scan, &word, &length);
    if (length < 2 || word[0] != '$') {
        (void)saddle__scan_fail_at(scan, word, "a section begins with $ and its name");
        return;
    }
    const char *name = word + 1;
    length--;
    size_t k = 0;
    for (; k < sizeof known / sizeof *known; k++)
        if (strlen(known[k].name) == (size_t)length &&
            memcmp(known[k].name, name, (size_t)length) == 0)
            break;
    if (k == sizeof known / sizeof *known) {
        pass_over(r, name, length);
    } else {
        int *given = known[k].given ? (int *)(void *)((char *)r + known[k].given) : NULL;
        if (given && *given) (void)saddle__scan_fail(scan, "$%s is given twice", known[k].name);
        if (r->binary) saddle__scan_skip_line(scan);
        if (is_fine(r)) known[k].take(r);
        if (given) *given = 1;
    }
    if (!is_fine(r)) return;
    if (!saddle__scan_literal(scan, "$End") || scan->end - scan->at < length ||
        memcmp(scan->at, name, (size_t)length) != 0)
        (void)saddle__scan_fail(scan, "expected $End%.*s", (int)(length < 40 ? length : 40), name);
    else
        scan->at += length;
}

/* ---- the mesh ---- */

/* Numbers the nodes of volume elements, in the order of their tags. */
static void number_nodes(reader *r)
{
    saddle_msh *msh = r->msh;
    for (int64_t b = 0; b < r->blocks; b++) {
        const block *of = &r->block[b];
        if (of->dimension < 3) continue;
        *(of->nodes == 4 ? &msh->tetrahedra : &msh->hexahedra) += of->count;
        for (int64_t c = 0; c < of->nodes * of->count; c++)
            r->node[r->corner[of->first + c]].number = 0;
    }
    for (int64_t k = 0; k < r->nodes; k++)
        if (r->node[k].number == 0) r->node[k].number = msh->nodes++;
    if (msh->nodes == 0)
        (void)saddle__scan_fail(&r->scan, "there are no tetrahedra and no hexahedra");
}

static void fill_mesh(reader *r)
{
    saddle_msh *msh = r->msh;
    msh->position = saddle__scan_allocate(&r->scan, 3 * msh->nodes, sizeof *msh->position);
    msh->tag = saddle__scan_allocate(&r->scan, msh->nodes, sizeof *msh->tag);
    msh->tetrahedron = saddle__scan_allocate(&r->scan, 4 * msh->tetrahedra, sizeof(int64_t));
    msh->hexahedron = saddle__scan_allocate(&r->scan, 8 * msh->hexahedra, sizeof(int64_t));
    if (!is_fine(r)) return;
    for (int64_t k = 0; k < r->nodes; k++) {
        const node *of = &r->node[k];
        if (of->number < 0) continue;
        memcpy(msh->position + 3 * of->number, of->x, sizeof of->x);
        msh->tag[of->number] = of->tag;
    }
    int64_t *to[2] = {msh->tetrahedron, msh->hexahedron};
    for (int64_t b = 0; b < r->blocks; b++) {
        const block *of = &r->block[b];
        if (of->dimension < 3) continue;
        for (int64_t c = 0; c < of->nodes * of->count; c++)
            *to[of->nodes == 8]++ = r->node[r->corner[of->first + c]].number;
    }
}

/* ---- groups ---- */

/* By dimension and tag, the named before the nameless. */
static int compare_groups(const void *first, const void *second)
{
    const saddle_msh_group *a = first, *b = second;
    if (a->dimension != b->dimension) return a->dimension < b->dimension ? -1 : 1;
    if (a->tag != b->tag) return a->tag < b->tag ? -1 : 1;
    return (b->name != NULL) - (a->name != NULL);
}

static int is_same_group(const saddle_msh_group *a, const saddle_msh_group *b)
{
    return a->dimension == b->dimension && a->tag == b->tag;
}

/* Groups without a name, from the entities; each group once. */
static void complete_groups(reader *r)
{
    saddle_msh *msh = r->msh;
    take_status(r, saddle__reserve(r->scan.context, &msh->group, &r->group_capacity,
                                   msh->groups + r->groups_of, sizeof *msh->group));
    if (!is_fine(r)) return;
    for (int64_t e = 0; e < r->entities; e++)
        for (int64_t k = 0; k < r->entity[e].count; k++)
            msh->group[msh->groups++] = (saddle_msh_group){r->entity[e].dimension,
                                                           r->group_of[r->entity[e].first + k],
                                                           NULL, 0, NULL};
    if (msh->groups == 0) return;
    qsort(msh->group, (size_t)msh->groups, sizeof *msh->group, compare_groups);
    for (int64_t g = 1; g < msh->groups; g++) {
        const saddle_msh_group *of = &msh->group[g];
        if (of->name && is_same_group(of - 1, of))
            (void)saddle__scan_fail(&r->scan, "group %lld of dimension %lld has two names",
                                    (long long)of->tag, (long long)of->dimension);
    }
    if (!is_fine(r)) return;
    int64_t kept = 0;
    for (int64_t g = 0; g < msh->groups; g++)
        if (g == 0 || !is_same_group(&msh->group[kept - 1], &msh->group[g]))
            msh->group[kept++] = msh->group[g];
    msh->groups = kept;
}

static int is_in_group(const reader *r, const block *of, const saddle_msh_group *group)
{
    if (!of->of || of->dimension != group->dimension) return 0;
    for (int64_t k = 0; k < of->of->count; k++)
        if (r->group_of[of->of->first + k] == group->tag) return 1;
    return 0;
}

/* The nodes of a group, by marks (nodes), zero before and after. */
static void fill_group(reader *r, saddle_msh_group *group, char *mark)
{
    for (int64_t b = 0; b < r->blocks; b++) {
        const block *of = &r->block[b];
        if (!is_in_group(r, of, group)) continue;
        for (int64_t c = 0; c < of->nodes * of->count; c++) {
            const int64_t number = r->node[r->corner[of->first + c]].number;
            if (number < 0 || mark[number]) continue;
            mark[number] = 1;
            group->count++;
        }
    }
    group->node = saddle__scan_allocate(&r->scan, group->count, sizeof *group->node);
    if (!is_fine(r) || group->count == 0) return;
    int64_t at = 0;
    for (int64_t k = 0; k < r->msh->nodes; k++) {
        if (mark[k]) group->node[at++] = k;
        mark[k] = 0;
    }
}

static void read_mesh(reader *r)
{
    take_format(r);
    if (is_fine(r) && !saddle__scan_literal(&r->scan, "$EndMeshFormat"))
        (void)saddle__scan_fail(&r->scan, "expected $EndMeshFormat");
    while (is_fine(r) && !saddle__scan_at_end(&r->scan)) take_section(r);
    if (is_fine(r) && !r->has_elements) (void)saddle__scan_fail(&r->scan, "$Elements is missing");
    if (is_fine(r)) number_nodes(r);
    if (is_fine(r)) fill_mesh(r);
    if (is_fine(r)) complete_groups(r);
    char *mark = saddle__scan_allocate(&r->scan, r->msh->nodes, 1);
    for (int64_t g = 0; is_fine(r) && g < r->msh->groups; g++)
        fill_group(r, &r->msh->group[g], mark);
    saddle_release(r->scan.context, mark);
}

static saddle_status read_scan(saddle__scan *scan, saddle_msh *msh)
{
    reader r = {.scan = *scan, .msh = msh};
    *msh = (saddle_msh){.context = scan->context};
    read_mesh(&r);
    saddle__release_all(scan->context, r.entity, r.group_of, r.node, r.block, r.corner);
    if (!is_fine(&r)) saddle_msh_clear(msh);
    return r.scan.status;
}

saddle_status saddle_msh_read(saddle_context *context, const char *path, saddle_msh *msh)
{
    if (msh) *msh = (saddle_msh){0};
    SADDLE__RETURN_UNLESS(context, path && msh, "path or msh is NULL");
    saddle__scan scan = {0};
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK) status = read_scan(&scan, msh);
    saddle__scan_close(&scan);
    return status;
}

saddle_status saddle_msh_read_text(saddle_context *context, const char *text, int64_t length,
                                   const char *label, saddle_msh *msh)
{
    if (msh) *msh = (saddle_msh){0};
    SADDLE__RETURN_UNLESS(context, text && msh, "text or msh is NULL");
    saddle__scan scan = saddle__scan_text(context, text, length, label ? label : "msh");
    return read_scan(&scan, msh);
}

const saddle_msh_group *saddle_msh_find(const saddle_msh *msh, const char *name)
{
    for (int64_t g = 0; msh && name && g < msh->groups; g++)
        if (msh->group[g].name && strcmp(msh->group[g].name, name) == 0) return &msh->group[g];
    return NULL;
}

void saddle_msh_clear(saddle_msh *msh)
{
    if (!msh) return;
    for (int64_t g = 0; g < msh->groups; g++)
        saddle__release_all(msh->context, msh->group[g].name, msh->group[g].node);
    saddle__release_all(msh->context, msh->position, msh->tag, msh->tetrahedron, msh->hexahedron,
                        msh->group);
    *msh = (saddle_msh){0};
}
