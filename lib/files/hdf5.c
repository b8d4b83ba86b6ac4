/* SPDX-License-Identifier: MIT */
/* Reading the classic HDF5 layout; numbers of its structures are little-endian:
 *
 *     superblock
 *     -> object header of the root group
 *     -> symbol table message: B-tree (nodes TREE, leaves SNOD) and heap of names
 *     -> object header of the member, and so on
 *     -> messages of a dataset: dataspace, datatype, fill value, layout
 *     -> data
 */
#include "files/hdf5.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const unsigned char single_properties[12] = {0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0},
                           double_properties[12] = SADDLE__HDF5_DOUBLE;

/* A stretch of bytes within the file. */
typedef struct span {
    const unsigned char *at;
    uint64_t length;
} span;

/* The messages of an object's header; length 0 = no such message. */
typedef struct object {
    span dataspace, datatype, fill, layout, symbol_table;
    int filters, new_style;
} object;

/* ---- bytes ---- */

/* size bytes, little-endian */
static uint64_t number(const unsigned char *bytes, int size)
{
    uint64_t value = 0;
    for (int k = size - 1; k >= 0; k--) value = value << 8 | bytes[k];
    return value;
}

/* 1, and the stretch: length bytes from address on lie in the file. */
static int within(const saddle__hdf5 *file, uint64_t address, uint64_t length, span *place)
{
    if (address > file->length || length > file->length - address) return 0;
    *place = (span){file->bytes + address, length};
    return 1;
}

/* SADDLE_BAD_FILE: damaged; or an unsupported feature ("chunked data is"). */
static saddle_status broken(const saddle__hdf5 *file, const char *path, const char *what)
{
    return saddle_fail(file->context, SADDLE_BAD_FILE, "%s: %s: %s", file->label, path, what);
}

static saddle_status refused(const saddle__hdf5 *file, const char *path, const char *feature)
{
    return saddle_fail(
        file->context, SADDLE_BAD_FILE,
        "%s: %s: %s not read; h5repack -l CONTI -f NONE FROM TO writes the plain layout",
        file->label, path, feature);
}

/* ---- the file ---- */

saddle_status saddle__hdf5_open(saddle_context *context, const char *bytes, int64_t length,
                                const char *label, saddle__hdf5 *file)
{
    *file = (saddle__hdf5){context, label, (const unsigned char *)bytes, (uint64_t)length, 0};
    span block;
    if (!within(file, 0, 8, &block) || memcmp(bytes, SADDLE__HDF5_SIGNATURE, 8) != 0)
        return saddle_fail(context, SADDLE_BAD_FILE, "%s: not an HDF5 file", label);
    if (!within(file, 0, 100, &block)) return broken(file, "superblock", "the file is truncated");
    int version = block.at[8];
    if (version > 1) return refused(file, "superblock", "the layout of later HDF5 versions is");
    if (block.at[13] != 8 || block.at[14] != 8)
        return refused(file, "superblock", "addresses of other than 8 bytes are");
    uint64_t at = version == 0 ? 24 : 28;
    if (number(block.at + at, 8) != 0)
        return refused(file, "superblock", "a base address other than 0 is");
    if (number(block.at + at + 16, 8) > file->length)
        return broken(file, "superblock", "the file is truncated");
    file->root = number(block.at + at + 40, 8);
    return SADDLE_OK;
}

/* ---- object headers ---- */

/* Stores one message in the object; *more: the block with the continuation, length 0 = no
 * continuation. */
static saddle_status take_message(const saddle__hdf5 *file, const char *path, uint64_t type,
                                  int flags, span body, object *obj, span *more)
{
    span *slot = NULL;
    if (type == SADDLE__HDF5_MESSAGE_DATASPACE) slot = &obj->dataspace;
    if (type == SADDLE__HDF5_MESSAGE_DATATYPE) slot = &obj->datatype;
    if (type == SADDLE__HDF5_MESSAGE_FILL) slot = &obj->fill;
    if (type == SADDLE__HDF5_MESSAGE_LAYOUT) slot = &obj->layout;
    if (type == SADDLE__HDF5_MESSAGE_SYMBOL_TABLE) slot = &obj->symbol_table;
    if (type == SADDLE__HDF5_MESSAGE_FILTERS) obj->filters = 1;
    if (type == SADDLE__HDF5_MESSAGE_LINK_INFO) obj->new_style = 1;
    if (slot && (flags & 2)) return refused(file, path, "shared header messages are");
    if (slot) *slot = body;
    if (type != SADDLE__HDF5_MESSAGE_CONTINUATION) return SADDLE_OK;
    if (body.length < 16 || !within(file, number(body.at, 8), number(body.at + 8, 8), more))
        return broken(file, path, "a continuation of its header lies outside the file");
    return SADDLE_OK;
}

/* Version 1: 16 bytes, then messages of an 8-byte head and a body each, in blocks linked by
 * continuation messages. */
static saddle_status read_object(const saddle__hdf5 *file, const char *path, uint64_t address,
                                 object *obj)
{
    span head, block, next = {0};
    memset(obj, 0, sizeof *obj);
    if (!within(file, address, 16, &head))
        return broken(file, path, "its header lies outside the file");
    if (head.at[0] == 'O') return refused(file, path, "an object header of later HDF5 versions is");
    if (head.at[0] != 1) return broken(file, path, "no object header where one should be");
    uint64_t messages = number(head.at + 2, 2);
    if (!within(file, address + 16, number(head.at + 8, 4), &block))
        return broken(file, path, "its header is truncated");
    while (messages > 0) {
        if (block.length < 8) { /* this block is used up */
            if (next.length == 0) return SADDLE_OK;
            block = next;
            next.length = 0;
            continue;
        }
        uint64_t size = number(block.at + 2, 2);
        if (size > block.length - 8)
            return broken(file, path, "a message of its header is truncated");
        span body = {block.at + 8, size}, more = {0};
        saddle_status status = take_message(file, path, number(block.at, 2), block.at[4], body, obj,
                                            &more);
        if (status != SADDLE_OK) return status;
        if (more.length > 0 && next.length > 0)
            return refused(file, path, "a header in more than two blocks at once is");
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
    span names;      /* the group's heap */
    uint64_t budget; /* bytes of nodes still to be visited: bounds the time for a tree with shared
                        nodes */
    uint64_t found;  /* address of its header */
} lookup;

/* The node at address with `head` bytes and `entries` entries of `size` bytes, counted at byte
 * 6. */
static int node(lookup *search, uint64_t address, const char *mark, uint64_t head, uint64_t size,
                uint64_t tail, span *place)
{
    if (!within(search->file, address, head, place) || memcmp(place->at, mark, 4) != 0) return 0;
    uint64_t bytes = head + number(place->at + 6, 2) * size + tail;
    if (bytes > search->budget || !within(search->file, address, bytes, place)) return 0;
    search->budget -= bytes;
    return 1;
}

static saddle_status search_leaf(lookup *search, uint64_t address)
{
    span leaf;
    if (!node(search, address, "SNOD", 8, 40, 0, &leaf))
        return broken(search->file, search->path, "its group has a broken leaf");
    uint64_t entries = number(leaf.at + 6, 2);
    for (uint64_t k = 0; k < entries; k++) {
        const unsigned char *entry = leaf.at + 8 + 40 * k;
        uint64_t offset = number(entry, 8);
        if (offset >= search->names.length || search->name_length >= search->names.length - offset)
            continue;
        const unsigned char *name = search->names.at + offset;
        if (memcmp(name, search->name, search->name_length) != 0 || name[search->name_length] != 0)
            continue;
        if (number(entry + 16, 4) == 2)
            return refused(search->file, search->path, "a symbolic link is");
        search->found = number(entry + 8, 8);
        return SADDLE_OK;
    }
    return SADDLE_OK;
}

/* level: of the node; -1 = any.  A child lies one level lower, which bounds the depth. */
static saddle_status search_tree(lookup *search, uint64_t address, int level)
{
    span tree;
    if (!node(search, address, "TREE", 24, 16, 8, &tree) || tree.at[4] != 0 ||
        (level >= 0 && tree.at[5] != level))
        return broken(search->file, search->path, "its group has a broken tree");
    uint64_t entries = number(tree.at + 6, 2);
    saddle_status status = SADDLE_OK;
    for (uint64_t k = 0; status == SADDLE_OK && search->found == 0 && k < entries; k++) {
        uint64_t child = number(tree.at + 24 + 8 + 16 * k, 8);
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
    object group;
    span heap;
    lookup search = {
        .file = file, .path = path, .name = name, .name_length = length, .budget = file->length};
    saddle_status status = read_object(file, path, address, &group);
    if (status != SADDLE_OK) return status;
    if (group.new_style) return refused(file, path, "groups of later HDF5 versions are");
    if (group.symbol_table.length < 16) return broken(file, path, "not in a group");
    if (!within(file, number(group.symbol_table.at + 8, 8), 32, &heap) ||
        memcmp(heap.at, "HEAP", 4) != 0 ||
        !within(file, number(heap.at + 24, 8), number(heap.at + 8, 8), &search.names))
        return broken(file, path, "its group has a broken heap");
    status = search_tree(&search, number(group.symbol_table.at, 8), -1);
    *member = search.found;
    return status;
}

/* *address: of the header of the object at path, 0 = none. */
static saddle_status follow(const saddle__hdf5 *file, const char *path, uint64_t *address)
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

/* ---- datasets ---- */

/* The number of elements of a scalar or simple dataspace. */
static saddle_status read_dataspace(const saddle__hdf5 *file, const char *path, span space,
                                    int64_t *count)
{
    if (space.length < 4) return broken(file, path, "no dataspace");
    int version = space.at[0], rank = space.at[1];
    uint64_t head = version == 1 ? 8 : 4, elements = 1;
    if (version != 1 && version != 2) return refused(file, path, "such a dataspace is");
    if (space.length < head + 8 * (uint64_t)rank)
        return broken(file, path, "its dataspace is truncated");
    for (int k = 0; k < rank; k++) {
        uint64_t extent = number(space.at + head + 8 * (uint64_t)k, 8);
        if (extent > 0 && elements > INT64_MAX / extent)
            return broken(file, path, "its extents overflow");
        elements *= extent;
    }
    if (version == 2 && space.at[3] == 2) elements = 0; /* a null dataspace */
    *count = (int64_t)elements;
    return SADDLE_OK;
}

/* 1: single or double precision as IEEE 754 lays them out. */
static int is_ieee(const unsigned char *at, uint64_t size)
{
    int normalized = (at[1] >> 4 & 3) == 2 && (at[1] & 0x40) == 0;
    if (size == 4) return normalized && at[2] == 31 && memcmp(at + 8, single_properties, 12) == 0;
    return size == 8 && normalized && at[2] == 63 && memcmp(at + 8, double_properties, 12) == 0;
}

static saddle_status read_datatype(const saddle__hdf5 *file, const char *path, span type,
                                   saddle__hdf5_data *data)
{
    if (type.length < 8) return broken(file, path, "no datatype");
    int kind = type.at[0] & 15;
    data->size = number(type.at + 4, 4);
    data->big_endian = type.at[1] & 1;
    data->is_signed = type.at[1] >> 3 & 1;
    data->type = (saddle__hdf5_class)kind;
    if (data->size == 0) return broken(file, path, "its elements have no bytes");
    if (kind == SADDLE__HDF5_STRING) return SADDLE_OK;
    if (kind == SADDLE__HDF5_INTEGER && type.length >= 12) {
        int plain = data->size <= 8 && number(type.at + 8, 2) == 0 &&
                    number(type.at + 10, 2) == 8 * data->size;
        return plain ? SADDLE_OK : refused(file, path, "integers of odd widths are");
    }
    if (kind == SADDLE__HDF5_FLOAT && type.length >= 20)
        return is_ieee(type.at, data->size)
                   ? SADDLE_OK
                   : refused(file, path, "floats other than IEEE single and double are");
    return refused(file, path, "types other than integers, floats and fixed strings are");
}

/* 1: unwritten data reads as zeros, the fill value being absent or zero. */
static int fills_with_zeros(span fill)
{
    if (fill.length < 4) return 1;
    int version = fill.at[0], defined = version == 3 ? fill.at[1] >> 5 & 1 : fill.at[3];
    uint64_t at = version == 3 ? 6 : 8;
    if (version < 1 || version > 3 || !defined || fill.length < at)
        return version >= 1 && version <= 3 && !defined;
    uint64_t size = number(fill.at + at - 4, 4), sum = 0;
    for (uint64_t k = 0; k < size && k < fill.length - at; k++) sum += fill.at[at + k];
    return sum == 0;
}

/* Where the data is: versions 1 and 2 of the message put the address at 8, version 3 (and 4) at 2.
 * Unwritten data has no address and reads as zeros (bytes = NULL). */
static saddle_status read_layout(const saddle__hdf5 *file, const char *path, span layout, span fill,
                                 uint64_t bytes, saddle__hdf5_data *data)
{
    if (layout.length < 4) return broken(file, path, "no layout");
    int version = layout.at[0], old = version < 3, kind = layout.at[old ? 2 : 1];
    span place = {0};
    if (version < 1 || version > 4) return refused(file, path, "such a layout is");
    if (kind != SADDLE__HDF5_LAYOUT_COMPACT && kind != SADDLE__HDF5_LAYOUT_CONTIGUOUS)
        return refused(file, path, "chunked data is");
    if (bytes == 0) return SADDLE_OK;
    if (kind == SADDLE__HDF5_LAYOUT_CONTIGUOUS) {
        uint64_t at = old ? 8 : 2;
        if (layout.length < at + 8) return broken(file, path, "its layout is truncated");
        uint64_t address = number(layout.at + at, 8);
        if (address == UINT64_MAX && !fills_with_zeros(fill))
            return refused(file, path, "a fill value other than 0 is");
        if (address != UINT64_MAX && !within(file, address, bytes, &place))
            return broken(file, path, "its data lies outside the file");
    } else {
        uint64_t at = old ? 8 + 4 * (uint64_t)layout.at[1] + 4 : 4;
        if (layout.length < at || bytes > layout.length - at)
            return broken(file, path, "its data is truncated");
        place = (span){layout.at + at, bytes};
    }
    data->bytes = place.at;
    return SADDLE_OK;
}

saddle_status saddle__hdf5_find(const saddle__hdf5 *file, const char *path, saddle__hdf5_data *data)
{
    uint64_t address = 0;
    object obj;
    memset(data, 0, sizeof *data);
    snprintf(data->path, sizeof data->path, "%s", path);
    saddle_status status = follow(file, path, &address);
    if (status != SADDLE_OK || address == 0) return status;
    status = read_object(file, path, address, &obj);
    if (status == SADDLE_OK && obj.symbol_table.length > 0) {
        data->type = SADDLE__HDF5_GROUP;
        data->present = 1;
        return status;
    }
    if (status == SADDLE_OK && obj.filters) return refused(file, path, "compressed data is");
    if (status == SADDLE_OK) status = read_dataspace(file, path, obj.dataspace, &data->count);
    if (status == SADDLE_OK) status = read_datatype(file, path, obj.datatype, data);
    if (status != SADDLE_OK) return status;
    if ((uint64_t)data->count > file->length / data->size)
        return broken(file, path, "more elements than the file has bytes");
    status = read_layout(file, path, obj.layout, obj.fill, (uint64_t)data->count * data->size,
                         data);
    data->present = status == SADDLE_OK;
    return status;
}

/* ---- numbers ---- */

static uint64_t element(const saddle__hdf5_data *data, int64_t k)
{
    if (!data->bytes) return 0;
    const unsigned char *at = data->bytes + (uint64_t)k * data->size;
    if (!data->big_endian) return number(at, (int)data->size);
    uint64_t value = 0;
    for (uint64_t b = 0; b < data->size; b++) value = value << 8 | at[b];
    return value;
}

/* count numbers of a type are there; other: the message where they are of another. */
static saddle_status require(const saddle__hdf5 *file, const saddle__hdf5_data *data, int64_t count,
                             saddle__hdf5_class type, const char *other)
{
    if (!data->present) return broken(file, data->path, "missing");
    if (data->count < count)
        return saddle_fail(file->context, SADDLE_BAD_FILE, "%s: %s: %lld numbers, %lld needed",
                           file->label, data->path, (long long)data->count, (long long)count);
    return data->type == type ? SADDLE_OK : broken(file, data->path, other);
}

saddle_status saddle__hdf5_integers(const saddle__hdf5 *file, const saddle__hdf5_data *data,
                                    int64_t count, int64_t *value)
{
    saddle_status status = require(file, data, count, SADDLE__HDF5_INTEGER, "not integers");
    if (status != SADDLE_OK) return status;
    for (int64_t k = 0; k < count; k++) {
        uint64_t bits = element(data, k), sign = UINT64_C(1) << (8 * data->size - 1);
        if (!data->is_signed && data->size == 8 && bits > INT64_MAX)
            return broken(file, data->path, "an integer too large");
        if (data->is_signed && (bits & sign))
            value[k] = -(int64_t)(sign - (bits & (sign - 1)) - 1) - 1;
        else
            value[k] = (int64_t)bits;
    }
    return SADDLE_OK;
}

saddle_status saddle__hdf5_doubles(const saddle__hdf5 *file, const saddle__hdf5_data *data,
                                   int64_t count, double *value)
{
    saddle_status status = require(file, data, count, SADDLE__HDF5_FLOAT, "not floats");
    if (status != SADDLE_OK) return status;
    for (int64_t k = 0; k < count; k++) {
        uint64_t bits = element(data, k);
        if (data->size == 4) {
            uint32_t narrow = (uint32_t)bits;
            float single;
            memcpy(&single, &narrow, sizeof single);
            value[k] = (double)single;
        } else {
            memcpy(&value[k], &bits, sizeof bits);
        }
        if (!isfinite(value[k]))
            return saddle_fail(file->context, SADDLE_BAD_FILE, "%s: %s: number %lld is not finite",
                               file->label, data->path, (long long)k + 1);
    }
    return SADDLE_OK;
}
