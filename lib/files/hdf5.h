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
    SADDLE__HDF5_INTEGER = 0,
    SADDLE__HDF5_FLOAT = 1,
    SADDLE__HDF5_STRING = 3
} saddle__hdf5_class;

/* A dataset: count elements of `size` bytes each, from bytes on. */
typedef struct saddle__hdf5_data {
    const char *path; /* borrowed */
    int present;      /* 0: no object has the path; the rest is not set */
    saddle__hdf5_class type;
    uint64_t size;
    int big_endian;
    int is_signed;
    int64_t count;
    const unsigned char *bytes; /* NULL: never written, all zeros */
} saddle__hdf5_data;

/* 1: the bytes begin as an HDF5 file does. */
int saddle__hdf5_recognise(const char *bytes, int64_t length);

/* SADDLE_BAD_FILE: not HDF5, truncated, or an unsupported layout. */
saddle_status saddle__hdf5_open(saddle_context *context, const char *bytes, int64_t length,
                                const char *label, saddle__hdf5 *file);

/* *found: 1 where path ("/fclib_local/W") leads to an object.  SADDLE_BAD_FILE: broken structures
 * on the way. */
saddle_status saddle__hdf5_exists(const saddle__hdf5 *file, const char *path, int *found);

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
    int is_group;
    saddle__hdf5_class type;  /* of a dataset */
    int64_t count, size;      /* of a dataset: elements (-1 = a scalar), bytes of each */
    unsigned char *data;      /* the elements in the file's layout; owned, NULL = none */
    uint64_t header, address; /* in the file: of its header; of the data, or a group's tables */
} saddle__hdf5_node;

/* A file to be: begin, add its groups and datasets, write, clear. */
typedef struct saddle__hdf5_tree {
    saddle_context *context;
    saddle__hdf5_node node[SADDLE__HDF5_NODES]; /* a group before its members */
    int nodes;
    saddle_status status; /* of the additions so far */
} saddle__hdf5_tree;

void saddle__hdf5_begin(saddle_context *context, saddle__hdf5_tree *tree);

/* Additions copy their arguments and store a failure in tree->status, after which further additions
 * do nothing.  A group has at most SADDLE__HDF5_MEMBERS members.  Integers must fit 32 bits. */
void saddle__hdf5_add_group(saddle__hdf5_tree *tree, const char *path);
void saddle__hdf5_add_integers(saddle__hdf5_tree *tree, const char *path, int64_t count,
                               const int64_t *value);
void saddle__hdf5_add_doubles(saddle__hdf5_tree *tree, const char *path, int64_t count,
                              const double *value);
void saddle__hdf5_add_text(saddle__hdf5_tree *tree, const char *path, const char *text);

/* Writes the file, whole or not at all; returns tree->status after a failed addition. */
saddle_status saddle__hdf5_write(saddle__hdf5_tree *tree, const char *path);

void saddle__hdf5_clear(saddle__hdf5_tree *tree);

#endif
