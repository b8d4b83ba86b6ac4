/* SPDX-License-Identifier: MIT */
/* Shared by fclib_hdf5.c, which finds objects, and fclib_hdf5_data.c, which reads datasets. */
#ifndef SADDLE_FILES_FCLIB_HDF5_INTERNAL_H
#define SADDLE_FILES_FCLIB_HDF5_INTERNAL_H

#include "files/fclib_hdf5.h"

/* A stretch of the file that has been checked to lie in it. */
typedef struct saddle__hdf5_span {
    const unsigned char *at;
    uint64_t length;
} saddle__hdf5_span;

/* An object's header messages; length 0 = no such message. */
typedef struct saddle__hdf5_object {
    saddle__hdf5_span dataspace, datatype, fill, layout, symbol_table;
    int filters, new_style;
} saddle__hdf5_object;

/* size bytes, little-endian. */
uint64_t saddle__hdf5_number(const unsigned char *bytes, int size);

/* 1, and the stretch, where length bytes from address on lie in the file. */
int saddle__hdf5_within(const saddle__hdf5 *file, uint64_t address, uint64_t length,
                        saddle__hdf5_span *place);

/* SADDLE_BAD_FILE: damaged, or a feature that is not read ("chunked data is"). */
saddle_status saddle__hdf5_broken(const saddle__hdf5 *file, const char *path, const char *what);
saddle_status saddle__hdf5_refused(const saddle__hdf5 *file, const char *path, const char *feature);

/* *address: of the header of the object at path, 0 = none. */
saddle_status saddle__hdf5_follow(const saddle__hdf5 *file, const char *path, uint64_t *address);

/* The header at address; path for messages. */
saddle_status saddle__hdf5_object_read(const saddle__hdf5 *file, const char *path, uint64_t address,
                                       saddle__hdf5_object *object);

#endif
