/* SPDX-License-Identifier: MIT */
/* Datasets of the classic HDF5 layout: from the messages of an object's header (dataspace,
 * datatype, fill value, layout) to its numbers.
 */
#include "files/fclib_hdf5_internal.h"

#include <math.h>
#include <string.h>

enum { LAYOUT_COMPACT = 0, LAYOUT_CONTIGUOUS = 1 };

/* ---- datasets ---- */

/* The number of elements of a scalar or simple dataspace. */
static saddle_status read_dataspace(const saddle__hdf5 *file, const char *path,
                                    saddle__hdf5_span space, int64_t *count)
{
    if (space.length < 4) return saddle__hdf5_broken(file, path, "no dataspace");
    int version = space.at[0], rank = space.at[1];
    uint64_t head = version == 1 ? 8 : 4, elements = 1;
    if (version != 1 && version != 2)
        return saddle__hdf5_refused(file, path, "such a dataspace is");
    if (space.length < head + 8 * (uint64_t)rank)
        return saddle__hdf5_broken(file, path, "its dataspace is truncated");
    for (int k = 0; k < rank; k++) {
        uint64_t extent = saddle__hdf5_number(space.at + head + 8 * (uint64_t)k, 8);
        if (extent > 0 && elements > INT64_MAX / extent)
            return saddle__hdf5_broken(file, path, "its extents overflow");
        elements *= extent;
    }
    if (version == 2 && space.at[3] == 2) elements = 0; /* a null dataspace */
    *count = (int64_t)elements;
    return SADDLE_OK;
}

/* Bit offset, precision, exponent place and size, mantissa place and size, bias of IEEE float and
 * double. */
static int is_ieee(const unsigned char *at, uint64_t size)
{
    static const unsigned char single[12] = {0, 0, 32, 0, 23, 8, 0, 23, 127, 0, 0, 0};
    static const unsigned char dual[12] = {0, 0, 64, 0, 52, 11, 0, 52, 255, 3, 0, 0};
    int normalized = (at[1] >> 4 & 3) == 2 && (at[1] & 0x40) == 0;
    if (size == 4) return normalized && at[2] == 31 && memcmp(at + 8, single, sizeof single) == 0;
    return size == 8 && normalized && at[2] == 63 && memcmp(at + 8, dual, sizeof dual) == 0;
}

static saddle_status read_datatype(const saddle__hdf5 *file, const char *path,
                                   saddle__hdf5_span type, saddle__hdf5_data *data)
{
    if (type.length < 8) return saddle__hdf5_broken(file, path, "no datatype");
    int kind = type.at[0] & 15;
    data->size = saddle__hdf5_number(type.at + 4, 4);
    data->big_endian = type.at[1] & 1;
    data->is_signed = type.at[1] >> 3 & 1;
    data->type = (saddle__hdf5_class)kind;
    if (data->size == 0) return saddle__hdf5_broken(file, path, "its elements have no bytes");
    if (kind == SADDLE__HDF5_STRING) return SADDLE_OK;
    if (kind == SADDLE__HDF5_INTEGER && type.length >= 12) {
        int plain = data->size <= 8 && saddle__hdf5_number(type.at + 8, 2) == 0 &&
                    saddle__hdf5_number(type.at + 10, 2) == 8 * data->size;
        return plain ? SADDLE_OK : saddle__hdf5_refused(file, path, "integers of odd widths are");
    }
    if (kind == SADDLE__HDF5_FLOAT && type.length >= 20)
        return is_ieee(type.at, data->size)
                   ? SADDLE_OK
                   : saddle__hdf5_refused(file, path,
                                          "floats other than IEEE single and double are");
    return saddle__hdf5_refused(file, path,
                                "types other than integers, floats and fixed strings are");
}

/* 1 where data that was never written reads as zeros: no fill value is set, or a zero one. */
static int fills_with_zeros(saddle__hdf5_span fill)
{
    if (fill.length < 4) return 1;
    int version = fill.at[0], defined = version == 3 ? fill.at[1] >> 5 & 1 : fill.at[3];
    uint64_t at = version == 3 ? 6 : 8;
    if (version < 1 || version > 3 || !defined || fill.length < at)
        return version >= 1 && version <= 3 && !defined;
    uint64_t size = saddle__hdf5_number(fill.at + at - 4, 4), sum = 0;
    for (uint64_t k = 0; k < size && k < fill.length - at; k++) sum += fill.at[at + k];
    return sum == 0;
}

/* Where the data is: versions 1 and 2 of the message put the address at 8, version 3 (and 4) at 2.
 * Data that was never written has no address and reads as zeros (bytes = NULL). */
static saddle_status read_layout(const saddle__hdf5 *file, const char *path,
                                 saddle__hdf5_span layout, saddle__hdf5_span fill, uint64_t bytes,
                                 saddle__hdf5_data *data)
{
    if (layout.length < 4) return saddle__hdf5_broken(file, path, "no layout");
    int version = layout.at[0], old = version < 3, kind = layout.at[old ? 2 : 1];
    saddle__hdf5_span place = {0};
    if (version < 1 || version > 4) return saddle__hdf5_refused(file, path, "such a layout is");
    if (kind != LAYOUT_COMPACT && kind != LAYOUT_CONTIGUOUS)
        return saddle__hdf5_refused(file, path, "chunked data is");
    if (bytes == 0) return SADDLE_OK;
    if (kind == LAYOUT_CONTIGUOUS) {
        uint64_t at = old ? 8 : 2;
        if (layout.length < at + 8)
            return saddle__hdf5_broken(file, path, "its layout is truncated");
        uint64_t address = saddle__hdf5_number(layout.at + at, 8);
        if (address == UINT64_MAX && !fills_with_zeros(fill))
            return saddle__hdf5_refused(file, path, "a fill value other than 0 is");
        if (address != UINT64_MAX && !saddle__hdf5_within(file, address, bytes, &place))
            return saddle__hdf5_broken(file, path, "its data lies outside the file");
    } else {
        uint64_t at = old ? 8 + 4 * (uint64_t)layout.at[1] + 4 : 4;
        if (layout.length < at || bytes > layout.length - at)
            return saddle__hdf5_broken(file, path, "its data is truncated");
        place = (saddle__hdf5_span){layout.at + at, bytes};
    }
    data->bytes = place.at;
    return SADDLE_OK;
}

saddle_status saddle__hdf5_find(const saddle__hdf5 *file, const char *path, saddle__hdf5_data *data)
{
    uint64_t address = 0;
    saddle__hdf5_object obj;
    memset(data, 0, sizeof *data);
    data->path = path;
    saddle_status status = saddle__hdf5_follow(file, path, &address);
    if (status != SADDLE_OK || address == 0) return status;
    status = saddle__hdf5_object_read(file, path, address, &obj);
    if (status == SADDLE_OK && obj.filters)
        return saddle__hdf5_refused(file, path, "compressed data is");
    if (status == SADDLE_OK) status = read_dataspace(file, path, obj.dataspace, &data->count);
    if (status == SADDLE_OK) status = read_datatype(file, path, obj.datatype, data);
    if (status != SADDLE_OK) return status;
    if ((uint64_t)data->count > file->length / data->size)
        return saddle__hdf5_broken(file, path, "more elements than the file has bytes");
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
    if (!data->big_endian) return saddle__hdf5_number(at, (int)data->size);
    uint64_t value = 0;
    for (uint64_t b = 0; b < data->size; b++) value = value << 8 | at[b];
    return value;
}

static saddle_status require(const saddle__hdf5 *file, const saddle__hdf5_data *data, int64_t count)
{
    if (!data->present) return saddle__hdf5_broken(file, data->path, "missing");
    if (data->count >= count) return SADDLE_OK;
    return saddle_fail(file->context, SADDLE_BAD_FILE, "%s: %s: %lld numbers, %lld needed",
                       file->label, data->path, (long long)data->count, (long long)count);
}

saddle_status saddle__hdf5_integers(const saddle__hdf5 *file, const saddle__hdf5_data *data,
                                    int64_t count, int64_t *value)
{
    saddle_status status = require(file, data, count);
    if (status != SADDLE_OK) return status;
    if (data->type != SADDLE__HDF5_INTEGER)
        return saddle__hdf5_broken(file, data->path, "not integers");
    for (int64_t k = 0; k < count; k++) {
        uint64_t bits = element(data, k), sign = UINT64_C(1) << (8 * data->size - 1);
        if (!data->is_signed && data->size == 8 && bits > INT64_MAX)
            return saddle__hdf5_broken(file, data->path, "an integer too large");
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
    saddle_status status = require(file, data, count);
    if (status != SADDLE_OK) return status;
    if (data->type != SADDLE__HDF5_FLOAT)
        return saddle__hdf5_broken(file, data->path, "not floats");
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
