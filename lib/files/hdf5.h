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

/* ---- structures of a file ---- */

#define SADDLE__HDF5_SIGNATURE "\x89HDF\r\n\x1a\n" /* the first eight bytes of a file */

enum saddle__hdf5_message {
    SADDLE__HDF5_MESSAGE_DATASPACE = 0x01,
    SADDLE__HDF5_MESSAGE_LINK_INFO = 0x02,
    SADDLE__HDF5_MESSAGE_DATATYPE = 0x03,
    SADDLE__HDF5_MESSAGE_FILL = 0x05,
    SADDLE__HDF5_MESSAGE_LAYOUT = 0x08,
    SADDLE__HDF5_MESSAGE_FILTERS = 0x0b,
    SADDLE__HDF5_MESSAGE_CONTINUATION = 0x10,
    SADDLE__HDF5_MESSAGE_SYMBOL_TABLE = 0x11
};
enum saddle__hdf5_layout { SADDLE__HDF5_LAYOUT_COMPACT = 0, SADDLE__HDF5_LAYOUT_CONTIGUOUS = 1 };

typedef enum saddle__hdf5_class {
    SADDLE__HDF5_GROUP = -1,
    SADDLE__HDF5_INTEGER = 0,
    SADDLE__HDF5_FLOAT = 1,
    SADDLE__HDF5_STRING = 3
} saddle__hdf5_class;

/* Properties of the type double: bit offset and precision, the places and sizes of exponent and
 * mantissa, the bias. */
#define SADDLE__HDF5_DOUBLE                      \
    {                                            \
        0, 0, 64, 0, 52, 11, 0, 52, 255, 3, 0, 0 \
    }

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

#endif
