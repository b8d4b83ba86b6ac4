/* SPDX-License-Identifier: MIT */
/* Writing the classic HDF5 layout, in this order:
 *
 *     superblock
 *     of each group    header, B-tree node, leaf of symbols, heap, names
 *     of each dataset  header
 *     data
 *
 * The structures are made in a block of memory first, because addresses point in both directions.
 */
#include "files/hdf5.h"

#include <stdio.h>
#include <string.h>

#include "files/output.h"

/* Bytes of the structures, and the ranks of the trees. */
enum structure {
    SUPERBLOCK = 96,
    LEAF_K = SADDLE__HDF5_MEMBERS / 2,
    TREE_K = 16,
    GROUP_HEADER = 40,
    TREE = 24 + 8 * (4 * TREE_K + 1), /* head of a node, its keys and children */
    LEAF = 8 + 40 * SADDLE__HDF5_MEMBERS,
    HEAP = 32,
    /* space, type, fill value, layout */
    DATA_HEADER = 16 + (8 + 16) + (8 + 24) + (8 + 8) + (8 + 24),
    HEAP_WITHOUT_ROOM = 1
};

/* ---- the tree ---- */

void saddle__hdf5_begin(saddle_context *context, saddle__hdf5_tree *tree)
{
    memset(tree, 0, sizeof *tree);
    tree->context = context;
    tree->node[0].is_group = 1;
    tree->nodes = 1;
}

void saddle__hdf5_clear(saddle__hdf5_tree *tree)
{
    for (int k = 0; k < tree->nodes; k++) saddle_release(tree->context, tree->node[k].data);
    tree->nodes = 0;
}

/* A new node, NULL after a failure; its data has room for count elements of size bytes. */
static saddle__hdf5_node *add(saddle__hdf5_tree *tree, const char *path, saddle__hdf5_class type,
                              int64_t count, int64_t size)
{
    const int64_t elements = count < 0 ? 1 : count;
    if (tree->status != SADDLE_OK) return NULL;
    if (tree->nodes == SADDLE__HDF5_NODES || strlen(path) >= SADDLE__HDF5_PATH_SIZE) {
        tree->status = saddle_fail(tree->context, SADDLE_INTERNAL,
                                   "%s: too many objects for one file", path);
        return NULL;
    }
    saddle__hdf5_node *node = &tree->node[tree->nodes];
    *node = (saddle__hdf5_node){.type = type, .count = count, .size = size};
    snprintf(node->path, sizeof node->path, "%s", path);
    if (elements > 0 && size > 0) {
        node->data = saddle_allocate(tree->context, elements, (size_t)size);
        if (!node->data) {
            tree->status = SADDLE_OUT_OF_MEMORY;
            return NULL;
        }
    }
    tree->nodes++;
    return node;
}

static void put(unsigned char *at, uint64_t value, int size)
{
    for (int k = 0; k < size; k++) at[k] = (unsigned char)(value >> 8 * k & 0xff);
}

void saddle__hdf5_add_group(saddle__hdf5_tree *tree, const char *path)
{
    saddle__hdf5_node *node = add(tree, path, SADDLE__HDF5_INTEGER, 0, 0);
    if (node) node->is_group = 1;
}

void saddle__hdf5_add_integers(saddle__hdf5_tree *tree, const char *path, int64_t count,
                               const int64_t *value)
{
    saddle__hdf5_node *node = add(tree, path, SADDLE__HDF5_INTEGER, count, 4);
    for (int64_t k = 0; node && k < count; k++) put(node->data + 4 * k, (uint64_t)value[k], 4);
}

void saddle__hdf5_add_doubles(saddle__hdf5_tree *tree, const char *path, int64_t count,
                              const double *value)
{
    saddle__hdf5_node *node = add(tree, path, SADDLE__HDF5_FLOAT, count, 8);
    for (int64_t k = 0; node && k < count; k++) {
        uint64_t bits;
        memcpy(&bits, &value[k], sizeof bits);
        put(node->data + 8 * k, bits, 8);
    }
}

void saddle__hdf5_add_text(saddle__hdf5_tree *tree, const char *path, const char *text)
{
    const int64_t size = (int64_t)strlen(text) + 1;
    saddle__hdf5_node *node = add(tree, path, SADDLE__HDF5_STRING, -1, size);
    if (node) memcpy(node->data, text, (size_t)size);
}

/* ---- members ---- */

/* The members of a group, sorted by name as HDF5 requires. */
typedef struct members {
    const saddle__hdf5_node *at[SADDLE__HDF5_MEMBERS];
    int count;
} members;

static const char *name_of(const saddle__hdf5_node *node)
{
    return strrchr(node->path, '/') + 1;
}

static int is_member(const saddle__hdf5_node *group, const saddle__hdf5_node *node)
{
    const char *slash = strrchr(node->path, '/');
    return slash && (size_t)(slash - node->path) == strlen(group->path) &&
           strncmp(node->path, group->path, strlen(group->path)) == 0;
}

static members members_of(const saddle__hdf5_tree *tree, const saddle__hdf5_node *group)
{
    members found = {.count = 0};
    for (int k = 0; k < tree->nodes && found.count < SADDLE__HDF5_MEMBERS; k++) {
        if (!is_member(group, &tree->node[k])) continue;
        int place = found.count++;
        for (; place > 0 && strcmp(name_of(found.at[place - 1]), name_of(&tree->node[k])) > 0;
             place--)
            found.at[place] = found.at[place - 1];
        found.at[place] = &tree->node[k];
    }
    return found;
}

static uint64_t rounded(uint64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static uint64_t room_of_name(const saddle__hdf5_node *node)
{
    return rounded(strlen(name_of(node)) + 1);
}

/* Eight zeros, the empty name, and the members' names. */
static uint64_t room_of_names(const members *list)
{
    uint64_t bytes = 8;
    for (int k = 0; k < list->count; k++) bytes += room_of_name(list->at[k]);
    return bytes;
}

/* ---- places ---- */

static uint64_t bytes_of(const saddle__hdf5_node *node)
{
    return node->data ? (uint64_t)(node->count < 0 ? 1 : node->count) * (uint64_t)node->size : 0;
}

/* Gives each node its addresses; *length: of the file.  Returns where the data begins. */
static uint64_t place_all(saddle__hdf5_tree *tree, uint64_t *length)
{
    uint64_t at = SUPERBLOCK;
    for (int k = 0; k < tree->nodes; k++) {
        saddle__hdf5_node *node = &tree->node[k];
        const members list = members_of(tree, node);
        node->header = at;
        at += node->is_group ? GROUP_HEADER : DATA_HEADER;
        if (!node->is_group) continue;
        node->address = at;
        at += TREE + LEAF + HEAP + room_of_names(&list);
    }
    const uint64_t begin = at;
    for (int k = 0; k < tree->nodes; k++) {
        saddle__hdf5_node *node = &tree->node[k];
        if (node->is_group) continue;
        node->address = node->data ? at : UINT64_MAX;
        at += rounded(bytes_of(node));
    }
    *length = at;
    return begin;
}

/* ---- structures ---- */

static uint64_t heap_of(const saddle__hdf5_node *group)
{
    return group->address + TREE + LEAF;
}

/* A symbol table entry, 40 bytes; the tables of a group are repeated in the entry. */
static void make_entry(unsigned char *at, uint64_t name, const saddle__hdf5_node *node)
{
    put(at, name, 8);
    put(at + 8, node->header, 8);
    put(at + 16, node->is_group ? 1 : 0, 4);
    put(at + 24, node->is_group ? node->address : 0, 8);
    put(at + 32, node->is_group ? heap_of(node) : 0, 8);
}

static void make_superblock(const saddle__hdf5_tree *tree, uint64_t length, unsigned char *at)
{
    memcpy(at, "\x89HDF\r\n\x1a\n", 8);
    at[13] = at[14] = 8; /* bytes of an address, of a length */
    put(at + 16, LEAF_K, 2);
    put(at + 18, TREE_K, 2);
    put(at + 32, UINT64_MAX, 8); /* no list of free space */
    put(at + 40, length, 8);
    put(at + 48, UINT64_MAX, 8); /* no driver */
    make_entry(at + 56, 0, &tree->node[0]);
}

/* The head of an object's header; returns the place of the first message. */
static unsigned char *begin_header(unsigned char *at, int messages, uint64_t bytes)
{
    at[0] = 1;
    put(at + 2, (uint64_t)messages, 2);
    put(at + 4, 1, 4); /* one link */
    put(at + 8, bytes - 16, 4);
    return at + 16;
}

/* The head of a message; *at moves behind the body, which is returned. */
static unsigned char *begin_message(unsigned char **at, uint64_t type, uint64_t size)
{
    unsigned char *head = *at;
    put(head, type, 2);
    put(head + 2, size, 2);
    *at += 8 + size;
    return head + 8;
}

static void make_group(const saddle__hdf5_tree *tree, const saddle__hdf5_node *group,
                       unsigned char *file)
{
    const members list = members_of(tree, group);
    unsigned char *at = begin_header(file + group->header, 1, GROUP_HEADER);
    unsigned char *body = begin_message(&at, 0x11, 16);
    unsigned char *node = file + group->address, *leaf = node + TREE, *heap = leaf + LEAF,
                  *names = heap + HEAP;
    put(body, group->address, 8);
    put(body + 8, heap_of(group), 8);
    memcpy(node, "TREE", 4);
    put(node + 6, list.count > 0 ? 1 : 0, 2);
    put(node + 8, UINT64_MAX, 8); /* no siblings */
    put(node + 16, UINT64_MAX, 8);
    put(node + 32, group->address + TREE, 8);
    memcpy(leaf, "SNOD", 4);
    leaf[4] = 1;
    put(leaf + 6, (uint64_t)list.count, 2);
    memcpy(heap, "HEAP", 4);
    put(heap + 8, room_of_names(&list), 8);
    put(heap + 16, HEAP_WITHOUT_ROOM, 8);
    put(heap + 24, heap_of(group) + HEAP, 8);
    uint64_t offset = 8;
    for (int k = 0; k < list.count; k++) {
        memcpy(names + offset, name_of(list.at[k]), strlen(name_of(list.at[k])));
        make_entry(leaf + 8 + 40 * k, offset, list.at[k]);
        put(node + 40, offset, 8); /* the key behind the leaf: its last name */
        offset += room_of_name(list.at[k]);
    }
}

/* Class and version, 24 bits of flags, bytes, then the properties of the class: bit offset and
 * precision; of floats the places of exponent and mantissa and the bias. */
static void make_datatype(const saddle__hdf5_node *node, unsigned char *at)
{
    static const unsigned char integer[4] = {0, 0, 32, 0},
                               dual[12] = {0, 0, 64, 0, 52, 11, 0, 52, 255, 3, 0, 0};
    at[0] = (unsigned char)(0x10 | node->type);
    put(at + 4, (uint64_t)node->size, 4);
    if (node->type == SADDLE__HDF5_INTEGER) {
        at[1] = 8; /* signed */
        memcpy(at + 8, integer, sizeof integer);
    } else if (node->type == SADDLE__HDF5_FLOAT) {
        at[1] = 0x20; /* the mantissa's first bit is implied */
        at[2] = 63;   /* the sign's place */
        memcpy(at + 8, dual, sizeof dual);
    }
}

static void make_dataset(const saddle__hdf5_node *node, unsigned char *file)
{
    unsigned char *at = begin_header(file + node->header, 4, DATA_HEADER);
    unsigned char *space = begin_message(&at, 0x01, 16);
    space[0] = 1;
    space[1] = node->count >= 0; /* dimensions: a scalar has none */
    if (node->count >= 0) put(space + 8, (uint64_t)node->count, 8);
    make_datatype(node, begin_message(&at, 0x03, 24));
    unsigned char *fill = begin_message(&at, 0x05, 8);
    fill[0] = 2;
    fill[1] = 2; /* space is allocated late, values are filled if set */
    fill[2] = 2;
    fill[3] = 1; /* the default: zeros */
    unsigned char *layout = begin_message(&at, 0x08, 24);
    layout[0] = 3;
    layout[1] = 1; /* contiguous */
    put(layout + 2, node->address, 8);
    put(layout + 10, bytes_of(node), 8);
}

/* ---- the file ---- */

static void write_data(const saddle__hdf5_tree *tree, saddle__output *output)
{
    static const char zeros[8] = {0};
    for (int k = 0; k < tree->nodes; k++) {
        const saddle__hdf5_node *node = &tree->node[k];
        const uint64_t bytes = bytes_of(node);
        if (node->is_group || bytes == 0) continue;
        saddle__output_bytes(output, node->data, (int64_t)bytes);
        saddle__output_bytes(output, zeros, (int64_t)(rounded(bytes) - bytes));
    }
}

saddle_status saddle__hdf5_write(saddle__hdf5_tree *tree, const char *path)
{
    saddle__output output;
    uint64_t length = 0;
    if (tree->status == SADDLE_OUT_OF_MEMORY)
        return saddle_fail(tree->context, tree->status, "%s: out of memory", path);
    if (tree->status != SADDLE_OK) return tree->status;
    const uint64_t begin = place_all(tree, &length);
    unsigned char *structures = saddle_allocate(tree->context, (int64_t)begin, 1);
    if (!structures) return SADDLE_OUT_OF_MEMORY;
    make_superblock(tree, length, structures);
    for (int k = 0; k < tree->nodes; k++) {
        if (tree->node[k].is_group)
            make_group(tree, &tree->node[k], structures);
        else
            make_dataset(&tree->node[k], structures);
    }
    saddle_status status = saddle__output_open(tree->context, path, &output);
    if (status == SADDLE_OK) {
        saddle__output_bytes(&output, structures, (int64_t)begin);
        write_data(tree, &output);
        status = saddle__output_finish(&output, SADDLE_OK);
    }
    saddle_release(tree->context, structures);
    return status;
}
