/* SPDX-License-Identifier: MIT */
/* The classic HDF5 layout, from the superblock to the header of an object.  Numbers of the
 * structures are little-endian.
 *
 *     superblock -> root group's object header -> symbol table message -> B-tree (nodes TREE,
 *         leaves SNOD) and heap of names
 *                -> object header of the member -> ...
 *                    and there, if it is a dataset, fclib_hdf5_data.c goes on
 */
#include "files/fclib_hdf5_internal.h"

#include <string.h>

enum {
    MESSAGE_DATASPACE = 0x01,
    MESSAGE_LINK_INFO = 0x02,
    MESSAGE_DATATYPE = 0x03,
    MESSAGE_FILL = 0x05,
    MESSAGE_LAYOUT = 0x08,
    MESSAGE_FILTERS = 0x0b,
    MESSAGE_CONTINUATION = 0x10,
    MESSAGE_SYMBOL_TABLE = 0x11
};

static const unsigned char signature[8] = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

/* ---- bytes ---- */

uint64_t saddle__hdf5_number(const unsigned char *bytes, int size)
{
    uint64_t value = 0;
    for (int k = size - 1; k >= 0; k--) value = value << 8 | bytes[k];
    return value;
}

int saddle__hdf5_within(const saddle__hdf5 *file, uint64_t address, uint64_t length,
                        saddle__hdf5_span *place)
{
    if (address > file->length || length > file->length - address) return 0;
    *place = (saddle__hdf5_span){file->bytes + address, length};
    return 1;
}

saddle_status saddle__hdf5_broken(const saddle__hdf5 *file, const char *path, const char *what)
{
    return saddle_fail(file->context, SADDLE_BAD_FILE, "%s: %s: %s", file->label, path, what);
}

saddle_status saddle__hdf5_refused(const saddle__hdf5 *file, const char *path, const char *feature)
{
    return saddle_fail(
        file->context, SADDLE_BAD_FILE,
        "%s: %s: %s not read; h5repack -l CONTI -f NONE FROM TO writes the plain layout",
        file->label, path, feature);
}

/* ---- the file ---- */

int saddle__hdf5_recognise(const char *bytes, int64_t length)
{
    return length >= (int64_t)sizeof signature && memcmp(bytes, signature, sizeof signature) == 0;
}

saddle_status saddle__hdf5_open(saddle_context *context, const char *bytes, int64_t length,
                                const char *label, saddle__hdf5 *file)
{
    *file = (saddle__hdf5){context, label, (const unsigned char *)bytes, (uint64_t)length, 0};
    saddle__hdf5_span block;
    if (!saddle__hdf5_recognise(bytes, length))
        return saddle_fail(context, SADDLE_BAD_FILE, "%s: not an HDF5 file", label);
    if (!saddle__hdf5_within(file, 0, 100, &block))
        return saddle__hdf5_broken(file, "superblock", "the file is truncated");
    int version = block.at[8];
    if (version > 1)
        return saddle__hdf5_refused(file, "superblock", "the layout of later HDF5 versions is");
    if (block.at[13] != 8 || block.at[14] != 8)
        return saddle__hdf5_refused(file, "superblock", "addresses of other than 8 bytes are");
    uint64_t at = version == 0 ? 24 : 28;
    if (saddle__hdf5_number(block.at + at, 8) != 0)
        return saddle__hdf5_refused(file, "superblock", "a base address other than 0 is");
    if (saddle__hdf5_number(block.at + at + 16, 8) > file->length)
        return saddle__hdf5_broken(file, "superblock", "the file is truncated");
    file->root = saddle__hdf5_number(block.at + at + 40, 8);
    return SADDLE_OK;
}

/* ---- object headers ---- */

/* One message into the object; *more: the block it continues in, length 0 = none. */
static saddle_status take_message(const saddle__hdf5 *file, const char *path, uint64_t type,
                                  int flags, saddle__hdf5_span body, saddle__hdf5_object *obj,
                                  saddle__hdf5_span *more)
{
    saddle__hdf5_span *slot = NULL;
    if (type == MESSAGE_DATASPACE) slot = &obj->dataspace;
    if (type == MESSAGE_DATATYPE) slot = &obj->datatype;
    if (type == MESSAGE_FILL) slot = &obj->fill;
    if (type == MESSAGE_LAYOUT) slot = &obj->layout;
    if (type == MESSAGE_SYMBOL_TABLE) slot = &obj->symbol_table;
    if (type == MESSAGE_FILTERS) obj->filters = 1;
    if (type == MESSAGE_LINK_INFO) obj->new_style = 1;
    if (slot && (flags & 2)) return saddle__hdf5_refused(file, path, "shared header messages are");
    if (slot) *slot = body;
    if (type != MESSAGE_CONTINUATION) return SADDLE_OK;
    if (body.length < 16 || !saddle__hdf5_within(file, saddle__hdf5_number(body.at, 8),
                                                 saddle__hdf5_number(body.at + 8, 8), more))
        return saddle__hdf5_broken(file, path,
                                   "a continuation of its header lies outside the file");
    return SADDLE_OK;
}

/* Version 1: 16 bytes, then messages of an 8-byte head and a body each, in blocks linked by
 * continuation messages. */
saddle_status saddle__hdf5_object_read(const saddle__hdf5 *file, const char *path, uint64_t address,
                                       saddle__hdf5_object *obj)
{
    saddle__hdf5_span head, block, next = {0};
    memset(obj, 0, sizeof *obj);
    if (!saddle__hdf5_within(file, address, 16, &head))
        return saddle__hdf5_broken(file, path, "its header lies outside the file");
    if (head.at[0] == 'O')
        return saddle__hdf5_refused(file, path, "an object header of later HDF5 versions is");
    if (head.at[0] != 1)
        return saddle__hdf5_broken(file, path, "no object header where one should be");
    uint64_t messages = saddle__hdf5_number(head.at + 2, 2);
    if (!saddle__hdf5_within(file, address + 16, saddle__hdf5_number(head.at + 8, 4), &block))
        return saddle__hdf5_broken(file, path, "its header is truncated");
    while (messages > 0) {
        if (block.length < 8) { /* this block is used up */
            if (next.length == 0) return SADDLE_OK;
            block = next;
            next.length = 0;
            continue;
        }
        uint64_t size = saddle__hdf5_number(block.at + 2, 2);
        if (size > block.length - 8)
            return saddle__hdf5_broken(file, path, "a message of its header is truncated");
        saddle__hdf5_span body = {block.at + 8, size}, more = {0};
        saddle_status status = take_message(file, path, saddle__hdf5_number(block.at, 2),
                                            block.at[4], body, obj, &more);
        if (status != SADDLE_OK) return status;
        if (more.length > 0 && next.length > 0)
            return saddle__hdf5_refused(file, path, "a header in more than two blocks at once is");
        if (more.length > 0) next = more;
        block.at += 8 + size;
        block.length -= 8 + size;
        messages--;
    }
    return SADDLE_OK;
}

/* ---- groups ---- */

typedef struct lookup {
    const saddle__hdf5 *file;
    const char *path; /* in messages */
    const char *name; /* wanted, name_length long */
    uint64_t name_length;
    saddle__hdf5_span names; /* the group's heap */
    uint64_t budget; /* bytes of nodes still to be visited: a tree that shares nodes must not take
                        for ever */
    uint64_t found;  /* address of its header */
} lookup;

/* The node at address with `head` bytes and `entries` entries of `size` bytes, counted at byte
 * 6. */
static int node(lookup *search, uint64_t address, const char *mark, uint64_t head, uint64_t size,
                uint64_t tail, saddle__hdf5_span *place)
{
    if (!saddle__hdf5_within(search->file, address, head, place) || memcmp(place->at, mark, 4) != 0)
        return 0;
    uint64_t bytes = head + saddle__hdf5_number(place->at + 6, 2) * size + tail;
    if (bytes > search->budget || !saddle__hdf5_within(search->file, address, bytes, place))
        return 0;
    search->budget -= bytes;
    return 1;
}

static saddle_status search_leaf(lookup *search, uint64_t address)
{
    saddle__hdf5_span leaf;
    if (!node(search, address, "SNOD", 8, 40, 0, &leaf))
        return saddle__hdf5_broken(search->file, search->path, "its group has a broken leaf");
    uint64_t entries = saddle__hdf5_number(leaf.at + 6, 2);
    for (uint64_t k = 0; k < entries; k++) {
        const unsigned char *entry = leaf.at + 8 + 40 * k;
        uint64_t offset = saddle__hdf5_number(entry, 8);
        if (offset >= search->names.length || search->name_length >= search->names.length - offset)
            continue;
        const unsigned char *name = search->names.at + offset;
        if (memcmp(name, search->name, search->name_length) != 0 || name[search->name_length] != 0)
            continue;
        if (saddle__hdf5_number(entry + 16, 4) == 2)
            return saddle__hdf5_refused(search->file, search->path, "a symbolic link is");
        search->found = saddle__hdf5_number(entry + 8, 8);
        return SADDLE_OK;
    }
    return SADDLE_OK;
}

/* level: that the node must have; -1 = any.  A child lies one level lower, so the depth is
 * bounded. */
static saddle_status search_tree(lookup *search, uint64_t address, int level)
{
    saddle__hdf5_span tree;
    if (!node(search, address, "TREE", 24, 16, 8, &tree) || tree.at[4] != 0 ||
        (level >= 0 && tree.at[5] != level))
        return saddle__hdf5_broken(search->file, search->path, "its group has a broken tree");
    uint64_t entries = saddle__hdf5_number(tree.at + 6, 2);
    saddle_status status = SADDLE_OK;
    for (uint64_t k = 0; status == SADDLE_OK && search->found == 0 && k < entries; k++) {
        uint64_t child = saddle__hdf5_number(tree.at + 24 + 8 + 16 * k, 8);
        status = tree.at[5] == 0 ? search_leaf(search, child)
                                 : search_tree(search, child, tree.at[5] - 1);
    }
    return status;
}

/* *member: the header's address of the member called name[length] of the group at address, 0 =
 * none. */
static saddle_status find_member(const saddle__hdf5 *file, const char *path, uint64_t address,
                                 const char *name, uint64_t length, uint64_t *member)
{
    saddle__hdf5_object group;
    saddle__hdf5_span heap;
    lookup search = {
        .file = file, .path = path, .name = name, .name_length = length, .budget = file->length};
    saddle_status status = saddle__hdf5_object_read(file, path, address, &group);
    if (status != SADDLE_OK) return status;
    if (group.new_style)
        return saddle__hdf5_refused(file, path, "groups of later HDF5 versions are");
    if (group.symbol_table.length < 16) return saddle__hdf5_broken(file, path, "not in a group");
    if (!saddle__hdf5_within(file, saddle__hdf5_number(group.symbol_table.at + 8, 8), 32, &heap) ||
        memcmp(heap.at, "HEAP", 4) != 0 ||
        !saddle__hdf5_within(file, saddle__hdf5_number(heap.at + 24, 8),
                             saddle__hdf5_number(heap.at + 8, 8), &search.names))
        return saddle__hdf5_broken(file, path, "its group has a broken heap");
    status = search_tree(&search, saddle__hdf5_number(group.symbol_table.at, 8), -1);
    *member = search.found;
    return status;
}

saddle_status saddle__hdf5_follow(const saddle__hdf5 *file, const char *path, uint64_t *address)
{
    saddle_status status = SADDLE_OK;
    *address = file->root;
    for (const char *name = path + 1; status == SADDLE_OK && *address != 0 && *name;) {
        size_t length = strcspn(name, "/");
        status = find_member(file, path, *address, name, length, address);
        name += length + (name[length] == '/');
    }
    return status;
}

saddle_status saddle__hdf5_exists(const saddle__hdf5 *file, const char *path, int *found)
{
    uint64_t address = 0;
    saddle_status status = saddle__hdf5_follow(file, path, &address);
    *found = status == SADDLE_OK && address != 0;
    return status;
}
