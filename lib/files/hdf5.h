/* SPDX-License-Identifier: MIT */
/* HDF5 files of the classic layout, the one that FCLIB and every program with HDF5's default
 * settings write (HDF5 File Format Specification 3.0): superblock 0 or 1, groups with symbol
 * tables, object headers of version 1, contiguous or compact data, integers, IEEE floats and fixed
 * strings.
 *
 * HDF5's own library is not used: version 1.10 crashes, leaks or allocates without bound on a file
 * of a few flipped bits and where an allocation fails, and its memory is not the context's.
 */
#ifndef SADDLE_FILES_HDF5_H
#define SADDLE_FILES_HDF5_H

#include "saddle/context.h"

/* ---- reading a file in memory: nothing allocates, every address and length is checked ----
 *
 * Other features are refused by name; `h5repack -l CONTI -f NONE FROM TO` removes them. */

typedef struct saddle__hdf5 {
    saddle_context *context;
    const char *label;          /* the file's name in messages; borrowed */
    const unsigned char *bytes; /* the whole file; borrowed */
    uint64_t length;
    uint64_t root; /* address of the root group */
} saddle__hdf5;

typedef enum saddle__hdf5_class {
    SADDLE__HDF5_GROUP = -1,
    SADDLE__HDF5_INTEGER = 0,
    SADDLE__HDF5_FLOAT = 1,
    SADDLE__HDF5_STRING = 3
} saddle__hdf5_class;

/* A dataset: count elements of `size` bytes each, from bytes on. */
typedef struct saddle__hdf5_data {
    char path[128];          /* in messages */
    int present;             /* 0: no object has the path; the rest is not set */
    saddle__hdf5_class type; /* of a group nothing else is set */
    uint64_t size;
    int big_endian;
    int is_signed;
    int64_t count;
    const unsigned char *bytes; /* NULL: never written, all zeros */
} saddle__hdf5_data;

#define SADDLE__HDF5_SIGNATURE "\x89HDF\r\n\x1a\n" /* the first eight bytes of a file */

/* SADDLE_BAD_FILE: not HDF5, truncated, or an unsupported layout. */
saddle_status saddle__hdf5_open(saddle_context *context, const char *bytes, int64_t length,
                                const char *label, saddle__hdf5 *file);

/* The object at path ("/fclib_local/W").  SADDLE_BAD_FILE: broken structures on the way. */
saddle_status saddle__hdf5_find(const saddle__hdf5 *file, const char *path,
                                saddle__hdf5_data *data);

/* The first count elements; floats must be finite.  SADDLE_BAD_FILE: fewer elements, another class,
 * a number out of range. */
saddle_status saddle__hdf5_integers(const saddle__hdf5 *file, const saddle__hdf5_data *data,
                                    int64_t count, int64_t *value);
saddle_status saddle__hdf5_doubles(const saddle__hdf5 *file, const saddle__hdf5_data *data,
                                   int64_t count, double *value);

/* ---- writing: superblock 0, contiguous data, 32-bit integers, doubles, all little-endian ---- */

enum saddle__hdf5_limits {
    SADDLE__HDF5_NODES = 64,
    SADDLE__HDF5_MEMBERS = 8,
    SADDLE__HDF5_PATH_SIZE = 64
};

/* A group or a dataset. */
typedef struct saddle__hdf5_node {
    char path[SADDLE__HDF5_PATH_SIZE]; /* "/fclib_local/W/x"; "" is the root group */
    saddle__hdf5_class type;
    int64_t count, size;      /* of a dataset: elements (-1 = a scalar), bytes of each */
    unsigned char *data;      /* the elements in the file's layout; owned, NULL = none */
    uint64_t header, address; /* in the file: of its header; of the data, or a group's tables */
} saddle__hdf5_node;

/* A file to be; all zero but for the context to begin with. */
typedef struct saddle__hdf5_tree {
    saddle_context *context;
    saddle__hdf5_node node[SADDLE__HDF5_NODES]; /* the root first, a group before its members */
    int nodes;
    saddle_status status; /* additions do nothing after a failure */
} saddle__hdf5_tree;

/* Adds group/name (NULL: the group itself): a group, a string (NUL-terminated), or count numbers,
 * int64_t that fit 32 bits or double.  Copies its arguments; stores a failure in tree->status.  At
 * most SADDLE__HDF5_NODES objects with paths of SADDLE__HDF5_PATH_SIZE, SADDLE__HDF5_MEMBERS in a
 * group. */
void saddle__hdf5_add(saddle__hdf5_tree *tree, const char *group, const char *name,
                      saddle__hdf5_class type, int64_t count, const void *value);

/* Writes the file, whole or not at all, unless tree->status is a failure.  Empties the tree. */
saddle_status saddle__hdf5_finish(saddle__hdf5_tree *tree, const char *path);

#endif
