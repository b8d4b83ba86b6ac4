/* SPDX-License-Identifier: MIT */
/* Reading HDF5 files in memory, of the layout that FCLIB and every program with HDF5's default
 * settings write.
 *
 * HDF5's own library is not used to read: a file of a few flipped bits makes its version 1.10
 * crash, leak or allocate without bound.  What is read here is the classic layout (HDF5 File Format
 * Specification 3.0: superblock 0 or 1, groups with symbol tables, object headers of version 1,
 * contiguous or compact data, integers, IEEE floats and fixed strings); every address and length is
 * checked against the file.  Other features are refused by name; `h5repack -l CONTI -f NONE FROM
 * TO` removes them. Nothing here allocates.
 */
#ifndef SADDLE_FILES_FCLIB_HDF5_H
#define SADDLE_FILES_FCLIB_HDF5_H

#include "saddle/context.h"

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
    int present;      /* 0: there is nothing under that path; the rest is not set */
    saddle__hdf5_class type;
    uint64_t size;
    int big_endian;
    int is_signed;
    int64_t count;
    const unsigned char *bytes; /* NULL: never written, all zeros */
} saddle__hdf5_data;

/* 1: the bytes begin as an HDF5 file does. */
int saddle__hdf5_recognise(const char *bytes, int64_t length);

/* SADDLE_BAD_FILE: not HDF5, truncated, or a layout that is not read. */
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

#endif
