/* SPDX-License-Identifier: MIT */
/* See mat.h. */
#include "files/mat.h"

#include <math.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "files/inflate.h"
#include "files/problem_file.h"

/* types of elements, from 0 */
enum {
    NO_TYPE,
    INT8,
    UINT8,
    INT16,
    UINT16,
    INT32,
    UINT32,
    SINGLE,
    UNUSED_8,
    DOUBLE,
    UNUSED_10,
    UNUSED_11,
    INT64,
    UINT64,
    MATRIX,
    COMPRESSED,
    UTF8,
    UTF16
};
/* classes of arrays, from 0 */
enum {
    NO_CLASS,
    CELL_CLASS,
    STRUCT_CLASS,
    OBJECT_CLASS,
    TEXT_CLASS,
    SPARSE_CLASS,
    DOUBLE_CLASS,
    SINGLE_CLASS,
    INT8_CLASS,
    UINT8_CLASS,
    INT16_CLASS,
    UINT16_CLASS,
    INT32_CLASS,
    UINT32_CLASS,
    INT64_CLASS,
    UINT64_CLASS
};
enum { HEADER_SIZE = 128 };
static const uint64_t complex_flag = 8;

static const char mark[] = "MATLAB 5.0 MAT-file";

int saddle__mat_is(const char *bytes, int64_t length)
{
    return length >= HEADER_SIZE && memcmp(bytes, mark, sizeof mark - 1) == 0;
}

void saddle__mat_clear(saddle__mat *mat)
{
    for (int64_t k = 0; k < mat->count; k++) {
        saddle_release(mat->context, mat->variable[k].value);
        saddle_matrix_clear(&mat->variable[k].sparse);
    }
    saddle_release(mat->context, mat->variable);
    *mat = (saddle__mat){0};
}

saddle__mat_variable *saddle__mat_find(const saddle__mat *mat, const char *name)
{
    for (int64_t k = 0; k < mat->count; k++)
        if (strcmp(mat->variable[k].name, name) == 0) return &mat->variable[k];
    return NULL;
}

/* ---- elements ---- */

typedef struct reading {
    saddle_context *context;
    const char *label;
    const unsigned char *at, *end;
    int swapped; /* 1: the file has the most significant byte first */
} reading;

typedef struct element {
    uint32_t type;
    int64_t size; /* bytes */
    const unsigned char *data;
} element;

static saddle_status damaged(const reading *r, const char *what)
{
    return saddle_fail(r->context, SADDLE_BAD_FILE, "%s: %s", r->label, what);
}

/* An unsigned number of `size` bytes. */
static uint64_t number_of(const reading *r, const unsigned char *bytes, int size)
{
    uint64_t value = 0;
    for (int k = 0; k < size; k++) value |= (uint64_t)bytes[r->swapped ? size - 1 - k : k] << 8 * k;
    return value;
}

static saddle_status take_element(reading *r, element *e)
{
    if (r->end - r->at < 8) return damaged(r, "ends within an element");
    const uint32_t first = (uint32_t)number_of(r, r->at, 4);
    const int is_small = first >> 16 != 0;
    e->type = is_small ? first & 0xffffu : first;
    e->size = is_small ? (int64_t)(first >> 16) : (int64_t)number_of(r, r->at + 4, 4);
    e->data = r->at + (is_small ? 4 : 8);
    if (is_small && e->size > 4) return damaged(r, "a small element of more than 4 bytes");
    if (e->size > r->end - e->data) return damaged(r, "an element runs past the end");
    /* a compressed element is not padded */
    const int64_t padded = e->type == COMPRESSED ? e->size : (e->size + 7) / 8 * 8;
    if (is_small)
        r->at += 8;
    else
        r->at = padded > r->end - e->data ? r->end : e->data + padded;
    return SADDLE_OK;
}

static int size_of(uint32_t type)
{
    switch (type) {
    case INT8:
    case UINT8:
    case UTF8: return 1;
    case INT16:
    case UINT16:
    case UTF16: return 2;
    case INT32:
    case UINT32:
    case SINGLE: return 4;
    case DOUBLE:
    case INT64:
    case UINT64: return 8;
    default: return 0;
    }
}

static double value_of(const reading *r, const element *e, int64_t k)
{
    const int size = size_of(e->type);
    const uint64_t bits = number_of(r, e->data + k * size, size);
    const uint32_t half = (uint32_t)bits;
    double wide;
    float narrow;
    switch (e->type) {
    case INT8: return (double)(int8_t)bits;
    case INT16: return (double)(int16_t)bits;
    case INT32: return (double)(int32_t)bits;
    case INT64: return (double)(int64_t)bits;
    case SINGLE: memcpy(&narrow, &half, sizeof narrow); return (double)narrow;
    case DOUBLE: memcpy(&wide, &bits, sizeof wide); return wide;
    default: return (double)bits;
    }
}

/* An element of `count` numbers. */
static saddle_status take_numbers(reading *r, int64_t count, element *e)
{
    SADDLE__TRY(take_element(r, e));
    const int size = size_of(e->type);
    if (size == 0) return damaged(r, "an array of numbers of an unknown type");
    if (e->size / size < count) return damaged(r, "an array has fewer numbers than its sizes say");
    return SADDLE_OK;
}

/* ---- arrays ---- */

static saddle_status take_full(reading *r, saddle__mat_variable *to)
{
    element e = {0};
    if (to->rows > 0 && to->cols > (r->end - r->at) / to->rows)
        return damaged(r, "an array has fewer numbers than its sizes say");
    const int64_t count = to->rows * to->cols;
    SADDLE__TRY(take_numbers(r, count, &e));
    to->value = saddle_allocate(r->context, count, sizeof *to->value);
    if (!to->value) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < count; k++) to->value[k] = value_of(r, &e, k);
    return SADDLE_OK;
}

static saddle_status take_sparse(reading *r, saddle__mat_variable *to)
{
    element row = {0}, start = {0}, value = {0};
    SADDLE__TRY(take_numbers(r, 0, &row));
    SADDLE__TRY(take_numbers(r, to->cols + 1, &start));
    const double last = value_of(r, &start, to->cols);
    if (!(last >= 0.0 && last <= (double)row.size)) return damaged(r, "a sparse array is damaged");
    const int64_t entries = (int64_t)last;
    SADDLE__TRY(take_numbers(r, entries, &value));
    if (row.size / size_of(row.type) < entries) return damaged(r, "a sparse array lacks indices");
    saddle__entries list = {0};
    saddle_status status = saddle__entries_reserve(r->context, entries > 0 ? entries : 1, &list);
    for (int64_t j = 0; status == SADDLE_OK && j < to->cols; j++) {
        const double begin = value_of(r, &start, j), end = value_of(r, &start, j + 1);
        if (!(begin == (double)list.count && begin <= end && end <= last))
            status = damaged(r, "the columns of a sparse array do not follow each other");
        for (int64_t k = list.count; status == SADDLE_OK && k < (int64_t)end; k++) {
            const double i = value_of(r, &row, k);
            if (i >= 0.0 && i < (double)to->rows)
                saddle__entries_add(&list, (int64_t)i, j, value_of(r, &value, k));
            else
                status = damaged(r, "a row of a sparse array is out of range");
        }
    }
    if (status == SADDLE_OK)
        status = saddle__entries_matrix(r->context, r->label, to->name, to->rows, to->cols, &list,
                                        &to->sparse, NULL);
    saddle__entries_clear(r->context, &list);
    return status;
}

/* *taken: 0 for an array of another class, or of more than two sizes. */
static saddle_status take_array(reading *r, saddle__mat_variable *to, int *taken)
{
    element flags = {0}, sizes = {0}, name = {0};
    SADDLE__TRY(take_numbers(r, 2, &flags));
    if (flags.size < 8) return damaged(r, "an array without flags");
    const uint64_t word = number_of(r, flags.data, 4);
    const int class_of = (int)(word & 0xffu);
    SADDLE__TRY(take_numbers(r, 0, &sizes));
    SADDLE__TRY(take_element(r, &name));
    *taken = class_of >= TEXT_CLASS && class_of <= UINT64_CLASS && !(word >> 8 & complex_flag) &&
             sizes.type == INT32 && sizes.size == 8 && name.size < SADDLE__MAT_NAME_SIZE;
    if (!*taken) return SADDLE_OK;
    if (name.size > 0) memcpy(to->name, name.data, (size_t)name.size);
    to->is_text = class_of == TEXT_CLASS;
    const double rows = value_of(r, &sizes, 0), cols = value_of(r, &sizes, 1);
    if (rows < 0.0 || cols < 0.0) return damaged(r, "an array of a negative size");
    to->rows = (int64_t)rows;
    to->cols = (int64_t)cols;
    return class_of == SPARSE_CLASS ? take_sparse(r, to) : take_full(r, to);
}

static saddle_status add_array(reading *r, saddle__mat *mat)
{
    int taken = 0;
    if (mat->count == mat->room) {
        const int64_t room = 2 * mat->room + 16;
        SADDLE__TRY(saddle__grow(mat->context, &mat->variable, room, sizeof *mat->variable));
        mat->room = room;
    }
    saddle__mat_variable *to = &mat->variable[mat->count++];
    *to = (saddle__mat_variable){0};
    const saddle_status status = take_array(r, to, &taken);
    if (status == SADDLE_OK && !taken) mat->count--;
    return status;
}

static saddle_status add_compressed(const reading *r, const element *e, saddle__mat *mat)
{
    unsigned char *bytes;
    int64_t count;
    element inside = {0};
    saddle_status status = saddle__inflate(r->context, e->data, e->size, &bytes, &count);
    if (status == SADDLE_BAD_FILE) {
        char reason[128] = "";
        saddle__append(reason, sizeof reason, saddle_context_message(r->context));
        return damaged(r, reason);
    }
    if (status) return status;
    reading within = {r->context, r->label, bytes, bytes + count, r->swapped};
    status = take_element(&within, &inside);
    if (status == SADDLE_OK && inside.type == MATRIX) {
        within.at = inside.data;
        within.end = inside.data + inside.size;
        status = add_array(&within, mat);
    }
    saddle_release(r->context, bytes);
    return status;
}

saddle_status saddle__mat_read(saddle_context *context, const char *bytes, int64_t length,
                               const char *label, saddle__mat *mat)
{
    *mat = (saddle__mat){.context = context};
    const unsigned char *begin = (const unsigned char *)bytes;
    reading r = {.context = context,
                 .label = label,
                 .at = begin + HEADER_SIZE,
                 .end = begin + length};
    if (length < HEADER_SIZE) return damaged(&r, "ends within the header");
    if (memcmp(bytes + HEADER_SIZE - 2, "IM", 2) != 0 &&
        memcmp(bytes + HEADER_SIZE - 2, "MI", 2) != 0)
        return damaged(&r, "the header does not state the order of bytes");
    r.swapped = bytes[HEADER_SIZE - 2] == 'M';
    while (r.at < r.end) {
        element e = {0};
        SADDLE__TRY(take_element(&r, &e));
        reading inside = r;
        inside.at = e.data;
        inside.end = e.data + e.size;
        if (e.type == COMPRESSED) SADDLE__TRY(add_compressed(&r, &e, mat));
        if (e.type == MATRIX) SADDLE__TRY(add_array(&inside, mat));
    }
    return SADDLE_OK;
}

/* ---- writing ---- */

static void put_number(saddle__output *output, uint64_t value, int size)
{
    unsigned char bytes[8];
    for (int k = 0; k < size; k++) bytes[k] = (unsigned char)(value >> 8 * k);
    saddle__output_bytes(output, bytes, size);
}

static void put_tag(saddle__output *output, uint32_t type, int64_t size)
{
    put_number(output, type, 4);
    put_number(output, (uint64_t)size, 4);
}

static void put_double(saddle__output *output, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_number(output, bits, 8);
}

/* Zeros behind `size` bytes. */
static void pad(saddle__output *output, int64_t size)
{
    put_number(output, 0, (int)((8 - size % 8) % 8));
}

static int64_t padded(int64_t size)
{
    return (size + 7) / 8 * 8;
}

void saddle__mat_begin(saddle__output *output)
{
    char head[HEADER_SIZE - 4];
    memset(head, ' ', sizeof head);
    memcpy(head, mark, sizeof mark - 1);
    memcpy(head + sizeof mark - 1, ", saddle", 8);
    memset(head + sizeof head - 8, 0, 8); /* no subsystem */
    saddle__output_bytes(output, head, (int64_t)sizeof head);
    put_number(output, 0x0100, 2);
    saddle__output_bytes(output, "IM", 2);
}

/* The tag of the array, flags, sizes and name; data: bytes of all that follows. */
static saddle_status put_head(saddle__output *output, const char *name, int class_of,
                              int64_t entries, int64_t rows, int64_t cols, int64_t data)
{
    const int64_t length = (int64_t)strlen(name);
    if (rows > INT32_MAX || cols >= INT32_MAX || data > INT32_MAX)
        return saddle_fail(output->context, SADDLE_NOT_EXPRESSIBLE,
                           "%s, %lld x %lld, is larger than a MATLAB 5 file holds", name,
                           (long long)rows, (long long)cols);
    put_tag(output, MATRIX, 16 + 16 + 8 + padded(length) + data);
    put_tag(output, UINT32, 8);
    put_number(output, (uint64_t)class_of, 4);
    put_number(output, (uint64_t)(entries > 0 ? entries : 1), 4);
    put_tag(output, INT32, 8);
    put_number(output, (uint64_t)rows, 4);
    put_number(output, (uint64_t)cols, 4);
    put_tag(output, INT8, length);
    saddle__output_bytes(output, name, length);
    pad(output, length);
    return SADDLE_OK;
}

saddle_status saddle__mat_put_full(saddle__output *output, const char *name, int64_t rows,
                                   int64_t cols, const double *value)
{
    if (rows > 0 && cols > INT32_MAX / rows) cols = INT64_MAX; /* for the message of put_head */
    const int64_t count = cols < INT32_MAX ? rows * cols : 0;
    SADDLE__TRY(put_head(output, name, DOUBLE_CLASS, 0, rows, cols, 8 + 8 * count));
    put_tag(output, DOUBLE, 8 * count);
    for (int64_t k = 0; k < count; k++) put_double(output, value ? value[k] : 0.0);
    return SADDLE_OK;
}

saddle_status saddle__mat_put_sparse(saddle__output *output, const char *name,
                                     const saddle_matrix *A)
{
    const int64_t entries = saddle_matrix_entries(A), indices = entries > 0 ? entries : 1;
    const int64_t most = INT32_MAX / 16;
    if (entries > most || A->cols > most)
        return saddle_fail(output->context, SADDLE_NOT_EXPRESSIBLE,
                           "%s, %lld entries, is larger than a MATLAB 5 file holds", name,
                           (long long)entries);
    const int64_t data = 8 + padded(4 * indices) + 8 + padded(4 * (A->cols + 1)) + 8 + 8 * entries;
    SADDLE__TRY(put_head(output, name, SPARSE_CLASS, entries, A->rows, A->cols, data));
    put_tag(output, INT32, 4 * indices);
    for (int64_t k = 0; k < indices; k++)
        put_number(output, entries > 0 ? (uint64_t)A->index[k] : 0, 4);
    pad(output, 4 * indices);
    put_tag(output, INT32, 4 * (A->cols + 1));
    for (int64_t j = 0; j <= A->cols; j++)
        put_number(output, entries > 0 ? (uint64_t)A->start[j] : 0, 4);
    pad(output, 4 * (A->cols + 1));
    put_tag(output, DOUBLE, 8 * entries);
    for (int64_t k = 0; k < entries; k++) put_double(output, A->value[k]);
    return SADDLE_OK;
}

saddle_status saddle__mat_put_text(saddle__output *output, const char *name, const char *text)
{
    const int64_t length = (int64_t)strlen(text);
    SADDLE__TRY(put_head(output, name, TEXT_CLASS, 0, length > 0, length, 8 + padded(2 * length)));
    put_tag(output, UINT16, 2 * length);
    for (int64_t k = 0; k < length; k++) {
        const unsigned char c = (unsigned char)text[k];
        put_number(output, c < 0x20 || c > 0x7e ? '?' : c, 2);
    }
    pad(output, 2 * length);
    return SADDLE_OK;
}
