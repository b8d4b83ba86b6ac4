/* SPDX-License-Identifier: MIT */
/* Writing HDF5 files of the classic layout, the one that fclib_hdf5.h reads: superblock 0, groups
 * with symbol tables, contiguous data, 32-bit integers, doubles and fixed strings, all
 * little-endian.
 *
 * * HDF5's own library is not used: it crashes where an allocation fails (version 1.10), and its
 * memory is not the context's.  A file of FCLIB has a few dozen objects of known kinds, which takes
 * less code than a second process would. */
#ifndef SADDLE_FILES_FCLIB_HDF5_WRITE_H
#define SADDLE_FILES_FCLIB_HDF5_WRITE_H

#include "files/fclib_hdf5.h"

enum { SADDLE__HDF5_NODES = 64, SADDLE__HDF5_MEMBERS = 8, SADDLE__HDF5_PATH_SIZE = 64 };

/* A group or a dataset. */
typedef struct saddle__hdf5_node {
    char path[SADDLE__HDF5_PATH_SIZE]; /* "/fclib_local/W/x"; "" is the root group */
    int is_group;
    saddle__hdf5_class type;  /* of a dataset */
    int64_t count, size;      /* of a dataset: elements (-1 = a scalar), bytes of each one */
    unsigned char *data;      /* the elements as they lie in the file; owned, NULL = none */
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

/* Additions copy what they are given and leave a failure in tree->status; after one they do
 * nothing.  A group has at most SADDLE__HDF5_MEMBERS members.  Integers must fit 32 bits. */
void saddle__hdf5_add_group(saddle__hdf5_tree *tree, const char *path);
void saddle__hdf5_add_integers(saddle__hdf5_tree *tree, const char *path, int64_t count,
                               const int64_t *value);
void saddle__hdf5_add_doubles(saddle__hdf5_tree *tree, const char *path, int64_t count,
                              const double *value);
void saddle__hdf5_add_text(saddle__hdf5_tree *tree, const char *path, const char *text);

/* The file under its final name, whole or not at all; tree->status where that is a failure. */
saddle_status saddle__hdf5_write(saddle__hdf5_tree *tree, const char *path);

void saddle__hdf5_clear(saddle__hdf5_tree *tree);

#endif
