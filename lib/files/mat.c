/* SPDX-License-Identifier: MIT */
/* See mat.h.  A variable of a file of level 5 is
 *
 *     tag      4 bytes of type, 4 of size; data; zeros up to a multiple of 8 bytes
 *              (of at most 4 bytes of data: 2 bytes of type, 2 of size, the data)
 *     matrix   the elements flags, sizes, name, then numbers, of a sparse array behind row indices
 *              and column starts; or all of this as one compressed element
 *
 * Numbers may be stored in a smaller type than the array's. */
#include "files/mat.h"

#define ZLIB_CONST
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "base/context_internal.h"
#include "base/unset.h"
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
enum { HEADER_SIZE = 128, VARIABLE_NAME_SIZE = 64 };
static const uint64_t complex_flag = 8;

static const char mark[] = "MATLAB 5.0 MAT-file";

typedef struct variable {
    char name[VARIABLE_NAME_SIZE]; /* with the end */
    int64_t rows, cols;
    int is_text;
    double *value;        /* full: rows x cols, by columns; of a text its characters; else NULL */
    saddle_matrix sparse; /* sparse; else empty */
} variable;

typedef struct variables { /* all zero = empty */
    saddle_context *context;
    int64_t count, room;
    variable *variable; /* complex, cell, struct and other arrays are left out */
} variables;

static int is_mat(const char *bytes, int64_t length)
{
    return length >= HEADER_SIZE && memcmp(bytes, mark, sizeof mark - 1) == 0;
}

static void clear_variables(variables *mat)
{
    for (int64_t k = 0; k < mat->count; k++) {
        saddle_release(mat->context, mat->variable[k].value);
        saddle_matrix_clear(&mat->variable[k].sparse);
    }
    saddle_release(mat->context, mat->variable);
    *mat = (variables){0};
}

/* NULL = none. */
static variable *find_variable(const variables *mat, const char *name)
{
    for (int64_t k = 0; k < mat->count; k++)
        if (strcmp(mat->variable[k].name, name) == 0) return &mat->variable[k];
    return NULL;
}

/* ---- elements ---- */

typedef struct parsing {
    saddle_context *context;
    const char *label;
    const unsigned char *at, *end;
    int swapped;  /* 1: the file has the most significant byte first */
    int64_t most; /* bytes that the file can hold, inflated: its rows and columns, too */
} parsing;

typedef struct element {
    uint32_t type;
    int64_t size; /* bytes */
    const unsigned char *data;
} element;

static saddle_status damaged(const parsing *r, const char *what)
{
    return saddle_fail(r->context, SADDLE_BAD_FILE, "%s: %s", r->label, what);
}

/* An unsigned number of `size` bytes. */
static uint64_t number_of(const parsing *r, const unsigned char *bytes, int size)
{
    uint64_t value = 0;
    for (int k = 0; k < size; k++) value |= (uint64_t)bytes[r->swapped ? size - 1 - k : k] << 8 * k;
    return value;
}

static saddle_status take_element(parsing *r, element *e)
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

/* The bytes that all elements can hold; a byte of zlib stands for at most 1032. */
static saddle_status count_bytes(const parsing *r, int64_t *most)
{
    parsing all = *r;
    element e = {0};
    *most = 0;
    while (all.at < all.end) {
        SADDLE__TRY(take_element(&all, &e));
        *most += e.type == COMPRESSED ? 1032 * e.size : e.size;
    }
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

static double value_of(const parsing *r, const element *e, int64_t k)
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
static saddle_status take_numbers(parsing *r, int64_t count, element *e)
{
    SADDLE__TRY(take_element(r, e));
    const int size = size_of(e->type);
    if (size == 0) return damaged(r, "an array of numbers of an unknown type");
    if (e->size / size < count) return damaged(r, "an array has fewer numbers than its sizes say");
    return SADDLE_OK;
}

/* ---- arrays ---- */

static saddle_status take_full(parsing *r, variable *to)
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

static saddle_status take_sparse(parsing *r, variable *to)
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
static saddle_status take_array(parsing *r, variable *to, int *taken)
{
    element flags = {0}, sizes = {0}, name = {0};
    SADDLE__TRY(take_numbers(r, 2, &flags));
    if (flags.size < 8) return damaged(r, "an array without flags");
    const uint64_t word = number_of(r, flags.data, 4);
    const int class_of = (int)(word & 0xffu);
    SADDLE__TRY(take_numbers(r, 0, &sizes));
    SADDLE__TRY(take_element(r, &name));
    *taken = class_of >= TEXT_CLASS && class_of <= UINT64_CLASS && !(word >> 8 & complex_flag) &&
             sizes.type == INT32 && sizes.size == 8 && name.size < VARIABLE_NAME_SIZE;
    if (!*taken) return SADDLE_OK;
    if (name.size > 0) memcpy(to->name, name.data, (size_t)name.size);
    to->is_text = class_of == TEXT_CLASS;
    const double rows = value_of(r, &sizes, 0), cols = value_of(r, &sizes, 1);
    if (rows < 0.0 || cols < 0.0) return damaged(r, "an array of a negative size");
    if (rows > (double)r->most || cols > (double)r->most)
        return damaged(r, "an array has more rows or columns than the file can hold");
    to->rows = (int64_t)rows;
    to->cols = (int64_t)cols;
    return class_of == SPARSE_CLASS ? take_sparse(r, to) : take_full(r, to);
}

static saddle_status add_array(parsing *r, variables *mat)
{
    int taken = 0;
    if (mat->count == mat->room) {
        const int64_t room = 2 * mat->room + 16;
        SADDLE__TRY(saddle__grow(mat->context, &mat->variable, room, sizeof *mat->variable));
        mat->room = room;
    }
    variable *to = &mat->variable[mat->count++];
    *to = (variable){0};
    const saddle_status status = take_array(r, to, &taken);
    if (status == SADDLE_OK && !taken) mat->count--;
    return status;
}

static voidpf allocate(voidpf context, uInt count, uInt size)
{
    return saddle_allocate(context, count, size);
}

static void release(voidpf context, voidpf memory)
{
    saddle_release(context, memory);
}

/* *to (*count bytes): e's data decompressed whole, released by saddle_release, on failure too. */
static saddle_status decompress(const parsing *r, const element *e, unsigned char **to,
                                int64_t *count)
{
    z_stream z = {.zalloc = allocate,
                  .zfree = release,
                  .opaque = r->context,
                  .next_in = e->data,
                  .avail_in = (uInt)e->size}; /* read from 32 bits */
    saddle_status status = SADDLE_OK;
    int at = inflateInit(&z);
    int64_t room = 0;
    *to = NULL;
    *count = 0;
    while (at == Z_OK && status == SADDLE_OK) {
        const int64_t more = room + 4096;
        status = saddle__grow(r->context, to, room + more, 1);
        if (status != SADDLE_OK) break;
        room += more;
        z.next_out = *to + *count;
        z.avail_out = room - *count > UINT32_MAX ? UINT32_MAX : (uInt)(room - *count);
        at = inflate(&z, Z_NO_FLUSH);
        *count = z.next_out ? z.next_out - *to : 0;
        if (at == Z_OK && z.avail_out > 0) at = Z_BUF_ERROR;
    }
    if (at == Z_MEM_ERROR) status = SADDLE_OUT_OF_MEMORY;
    if (at == Z_DATA_ERROR || at == Z_BUF_ERROR || at == Z_NEED_DICT || at == Z_STREAM_ERROR)
        status = damaged(r, at == Z_DATA_ERROR ? "compressed data are damaged"
                                               : "compressed data end early");
    (void)inflateEnd(&z);
    return status;
}

static saddle_status add_compressed(const parsing *r, const element *e, variables *mat)
{
    unsigned char *bytes;
    int64_t count;
    element inside = {0};
    saddle_status status = decompress(r, e, &bytes, &count);
    parsing within = {r->context, r->label, bytes, bytes + count, r->swapped, r->most};
    if (status == SADDLE_OK) status = take_element(&within, &inside);
    if (status == SADDLE_OK && inside.type == MATRIX) {
        within.at = inside.data;
        within.end = inside.data + inside.size;
        status = add_array(&within, mat);
    }
    saddle_release(r->context, bytes);
    return status;
}

/* label: the file's name in messages.  *mat: cleared by the caller in any case. */
static saddle_status read_variables(saddle_context *context, const char *bytes, int64_t length,
                                    const char *label, variables *mat)
{
    *mat = (variables){.context = context};
    const unsigned char *begin = (const unsigned char *)bytes;
    parsing r = {.context = context,
                 .label = label,
                 .at = begin + HEADER_SIZE,
                 .end = begin + length};
    if (length < HEADER_SIZE) return damaged(&r, "ends within the header");
    if (memcmp(bytes + HEADER_SIZE - 2, "IM", 2) != 0 &&
        memcmp(bytes + HEADER_SIZE - 2, "MI", 2) != 0)
        return damaged(&r, "the header does not state the order of bytes");
    r.swapped = bytes[HEADER_SIZE - 2] == 'M';
    SADDLE__TRY(count_bytes(&r, &r.most));
    while (r.at < r.end) {
        element e = {0};
        SADDLE__TRY(take_element(&r, &e));
        parsing inside = r;
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

static void put_header(saddle__output *output)
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

/* By columns; value NULL = zeros. */
static saddle_status put_full(saddle__output *output, const char *name, int64_t rows, int64_t cols,
                              const double *value)
{
    if (rows > 0 && cols > INT32_MAX / rows) cols = INT64_MAX; /* for the message of put_head */
    const int64_t count = cols < INT32_MAX ? rows * cols : 0;
    SADDLE__TRY(put_head(output, name, DOUBLE_CLASS, 0, rows, cols, 8 + 8 * count));
    put_tag(output, DOUBLE, 8 * count);
    for (int64_t k = 0; k < count; k++) put_double(output, value ? value[k] : 0.0);
    return SADDLE_OK;
}

/* All entries are stored, no triangle. */
static saddle_status put_sparse(saddle__output *output, const char *name, const saddle_matrix *A)
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

/* ASCII characters; others become ?. */
static saddle_status put_text(saddle__output *output, const char *name, const char *text)
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

typedef struct reading {
    saddle_context *context;
    const char *label;
    variables mat;
    saddle_problem *problem;
} reading;

/* ---- parts of a problem, by variables ---- */

static saddle_status bad(const reading *r, const char *name, const char *what)
{
    return saddle_fail(r->context, SADDLE_BAD_FILE, "%s: %s: %s", r->label, name, what);
}

static saddle_status wrong_size(const reading *r, const variable *v, int64_t rows, int64_t cols)
{
    return saddle_fail(r->context, SADDLE_BAD_FILE,
                       "%s: %s is %lld x %lld, but %lld x %lld is needed", r->label, v->name,
                       (long long)v->rows, (long long)v->cols, (long long)rows, (long long)cols);
}

/* A matrix of that size into *A, empty where absent; rows, cols: -1 = any. */
static saddle_status take_matrix(reading *r, const char *name, int64_t rows, int64_t cols,
                                 saddle_matrix *A)
{
    variable *v = find_variable(&r->mat, name);
    if (!v) return SADDLE_OK;
    if ((rows >= 0 && v->rows != rows) || (cols >= 0 && v->cols != cols))
        return wrong_size(r, v, rows, cols);
    if (v->value) return saddle__matrix_from_dense(r->context, v->rows, v->cols, 0, v->value, A);
    *A = v->sparse;
    v->sparse = (saddle_matrix){0};
    return SADDLE_OK;
}

/* count numbers into a new array, NULL where absent. */
static saddle_status take_vector(reading *r, const char *name, int64_t count, double **to)
{
    const variable *v = find_variable(&r->mat, name);
    if (!v) return SADDLE_OK;
    const int is_column = v->rows == count && v->cols == 1,
              is_row = v->cols == count && v->rows == 1;
    const int is_empty = count == 0 && (v->rows == 0 || v->cols == 0);
    if (!is_column && !is_row && !is_empty) return wrong_size(r, v, count, 1);
    *to = saddle_allocate(r->context, count, sizeof **to);
    if (!*to) return SADDLE_OUT_OF_MEMORY;
    if (v->value && count > 0) memcpy(*to, v->value, (size_t)count * sizeof **to);
    const saddle_matrix *A = &v->sparse;
    for (int64_t j = 0; !v->value && j < A->cols; j++)
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++)
            (*to)[is_column ? A->index[k] : j] = A->value[k];
    return SADDLE_OK;
}

/* A number, *value as it is where absent. */
static saddle_status take_number(reading *r, const char *name, double *value)
{
    double *one = NULL;
    SADDLE__TRY(take_vector(r, name, 1, &one));
    if (one) *value = *one;
    saddle_release(r->context, one);
    return SADDLE_OK;
}

static saddle_status take_integer(reading *r, const char *name, double most, int64_t *value)
{
    double number = (double)*value;
    SADDLE__TRY(take_number(r, name, &number));
    if (!(number >= 0.0 && number <= most) || number != floor(number))
        return bad(r, name, "not a whole number in its range");
    *value = (int64_t)number;
    return SADDLE_OK;
}

/* The characters of a text, NULL where absent. */
static saddle_status take_text(reading *r, const char *name, char **to)
{
    const variable *v = find_variable(&r->mat, name);
    if (!v || !v->is_text || !v->value || v->rows != 1) return SADDLE_OK;
    *to = saddle_allocate(r->context, v->cols + 1, 1);
    if (!*to) return SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; k < v->cols; k++) {
        const double c = v->value[k];
        (*to)[k] = (char)(c >= 0x20 && c <= 0x7e ? (int)c : '?');
    }
    return SADDLE_OK;
}

/* ---- what saddle writes ---- */

static saddle_status take_contacts(reading *r)
{
    saddle_problem *p = r->problem;
    const variable *v = find_variable(&r->mat, "contacts");
    if (!v || v->rows == 0) return SADDLE_OK;
    if (v->cols != 5 || !v->value) return wrong_size(r, v, v->rows, 5);
    p->contacts = saddle_allocate(r->context, v->rows, sizeof *p->contacts);
    if (!p->contacts) return SADDLE_OUT_OF_MEMORY;
    p->contact_count = v->rows;
    for (int64_t c = 0; c < v->rows; c++) {
        const double first = v->value[c], size = v->value[c + v->rows];
        if (!(first >= 1.0 && first <= (double)p->m) || first != floor(first) ||
            !(size >= 2.0 && size <= SADDLE_CONTACT_ROWS) || size != floor(size))
            return bad(r, "contacts", "the first row or the number of rows is out of range");
        p->contacts[c] = (saddle_contact){.row = (int64_t)first - 1,
                                          .size = (int64_t)size,
                                          .mu = v->value[c + 2 * v->rows],
                                          .mu_torsion = v->value[c + 3 * v->rows],
                                          .mu_rolling = v->value[c + 4 * v->rows]};
    }
    return SADDLE_OK;
}

static saddle_status take_ids(reading *r)
{
    double *id = NULL;
    saddle_problem *p = r->problem;
    saddle_status status = take_vector(r, "row_id", p->m, &id);
    if (status == SADDLE_OK && id) {
        p->row_id = saddle_allocate(r->context, p->m, sizeof *p->row_id);
        if (!p->row_id) status = SADDLE_OUT_OF_MEMORY;
        for (int64_t i = 0; status == SADDLE_OK && i < p->m; i++) {
            if (!(fabs(id[i]) < 0x1p53) || id[i] != floor(id[i]))
                status = bad(r, "row_id", "not an integer below 2^53");
            if (status == SADDLE_OK) p->row_id[i] = (int64_t)id[i];
        }
    }
    saddle_release(r->context, id);
    return status;
}

static saddle_status take_law(reading *r)
{
    char *word = NULL;
    saddle_status status = take_text(r, "law", &word);
    if (status == SADDLE_OK && word && saddle_law_from_word(word, &r->problem->law) != SADDLE_OK)
        status = bad(r, "law", "not cone, pyramid, box or associated");
    saddle_release(r->context, word);
    return status;
}

static saddle_status read_problem(reading *r)
{
    saddle_problem *p = r->problem;
    saddle_matrix J = {0};
    SADDLE__TRY(take_matrix(r, "M", -1, -1, &p->M));
    p->n = p->M.cols;
    SADDLE__TRY(saddle__matrix_settle(r->context, &p->M));
    const variable *j = find_variable(&r->mat, "J");
    const variable *of_R = find_variable(&r->mat, "R");
    p->m = j ? j->rows : of_R ? of_R->rows : 0;
    saddle_status status = take_matrix(r, "J", p->m, p->n, &J);
    if (status == SADDLE_OK && J.start) status = saddle_matrix_transpose(r->context, &J, &p->Jt);
    saddle_matrix_clear(&J);
    if (status == SADDLE_OK && !p->Jt.start)
        status = saddle_matrix_create(r->context, p->n, p->m, 0, SADDLE_SYMMETRY_NONE, &p->Jt);
    if (status == SADDLE_OK) status = take_matrix(r, "R", p->m, p->m, &p->R);
    if (status == SADDLE_OK) status = saddle__matrix_settle(r->context, &p->R);
    if (status == SADDLE_OK) status = take_vector(r, "f", p->n, &p->f);
    double **const of_rows[] = {&p->b, &p->lo, &p->hi};
    static const char *const names[] = {"b", "lo", "hi"};
    for (int k = 0; status == SADDLE_OK && k < 3; k++)
        status = take_vector(r, names[k], p->m, of_rows[k]);
    if (status == SADDLE_OK) status = take_contacts(r);
    if (status == SADDLE_OK) status = take_ids(r);
    if (status == SADDLE_OK) status = take_law(r);
    if (status == SADDLE_OK) status = take_integer(r, "facets", SADDLE_FACETS_AT_MOST, &p->facets);
    if (status == SADDLE_OK) status = take_number(r, "time_step", &p->time_step);
    return status == SADDLE_OK ? take_text(r, "name", &p->name) : status;
}

/* ---- quadratic programs ---- */

/* Rows of the problem for a row of A: which of its bounds; 2 = as an equality. */
typedef struct qp_sides {
    int lower, upper, equal;
} qp_sides;

/* Bounds of quadratic programs from 1e20 on are none (Maros and Meszaros; OSQP). */
static qp_sides sides_of(double l, double u)
{
    const int lower = l > -1e20, upper = u < 1e20, equal = lower && upper && l >= u;
    return (qp_sides){lower && !equal, upper && !equal, equal};
}

static saddle_status make_rows(reading *r, const saddle_matrix *At, const double *l,
                               const double *u)
{
    saddle_problem *p = r->problem;
    int64_t rows = 0, entries = 0, at = 0;
    for (int64_t i = 0; i < At->cols; i++) {
        const qp_sides s = sides_of(l[i], u[i]);
        if (isnan(l[i]) || isnan(u[i]) || l[i] > u[i])
            return saddle_fail(r->context, SADDLE_BAD_FILE, "%s: row %lld: l is above u, or NaN",
                               r->label, (long long)i + 1);
        rows += s.lower + s.upper + s.equal;
        entries += (s.lower + s.upper + s.equal) * (At->start[i + 1] - At->start[i]);
    }
    p->m = rows;
    SADDLE__TRY(
        saddle_matrix_create(r->context, p->n, rows, entries, SADDLE_SYMMETRY_NONE, &p->Jt));
    p->b = saddle_allocate(r->context, rows, sizeof *p->b);
    p->lo = saddle_allocate(r->context, rows, sizeof *p->lo);
    p->hi = saddle_allocate(r->context, rows, sizeof *p->hi);
    p->row_id = saddle_allocate(r->context, rows, sizeof *p->row_id);
    if (!p->b || !p->lo || !p->hi || !p->row_id) return SADDLE_OUT_OF_MEMORY;
    rows = 0;
    for (int64_t i = 0; i < At->cols; i++) {
        const qp_sides s = sides_of(l[i], u[i]);
        for (int upper = 0; upper < 2; upper++) {
            if (!(upper ? s.upper : s.lower || s.equal)) continue;
            p->b[rows] = upper ? u[i] : l[i];
            p->lo[rows] = upper || s.equal ? -(double)INFINITY : 0.0;
            p->hi[rows] = upper ? 0.0 : (double)INFINITY;
            p->row_id[rows] = upper ? -(i + 1) : i + 1;
            for (int64_t k = At->start[i]; k < At->start[i + 1]; k++, at++) {
                p->Jt.index[at] = At->index[k];
                p->Jt.value[at] = At->value[k];
            }
            p->Jt.start[++rows] = at;
        }
    }
    return SADDLE_OK;
}

static saddle_status read_rows(reading *r, const saddle_matrix *A, double *l, double *u)
{
    saddle_matrix At = {0};
    if (!l || !u) return bad(r, !l ? "l" : "u", "absent from a quadratic program");
    saddle_status status = saddle_matrix_transpose(r->context, A, &At);
    if (status == SADDLE_OK) status = make_rows(r, &At, l, u);
    saddle_matrix_clear(&At);
    return status;
}

static saddle_status read_qp(reading *r)
{
    saddle_problem *p = r->problem;
    saddle_matrix A = {0};
    double *l = NULL, *u = NULL;
    SADDLE__TRY(take_matrix(r, "P", -1, -1, &p->M));
    p->n = p->M.cols;
    if (p->M.rows != p->n) return bad(r, "P", "not square");
    SADDLE__TRY(saddle__matrix_settle(r->context, &p->M));
    if (p->M.symmetry != SADDLE_SYMMETRY_LOWER) return bad(r, "P", "not symmetric");
    SADDLE__TRY(take_vector(r, "q", p->n, &p->f));
    for (int64_t j = 0; p->f && j < p->n; j++) p->f[j] = -p->f[j];
    saddle_status status = take_matrix(r, "A", -1, p->n, &A);
    if (status == SADDLE_OK) status = take_vector(r, "l", A.rows, &l);
    if (status == SADDLE_OK) status = take_vector(r, "u", A.rows, &u);
    if (status == SADDLE_OK && A.start) status = read_rows(r, &A, l, u);
    if (status == SADDLE_OK && !p->Jt.start)
        status = saddle_matrix_create(r->context, p->n, 0, 0, SADDLE_SYMMETRY_NONE, &p->Jt);
    saddle_matrix_clear(&A);
    saddle__release_all(r->context, l, u);
    return status;
}

static saddle_status read_mat(saddle_context *context, const char *bytes, int64_t length,
                              const char *label, saddle_problem *problem, saddle_solution *start,
                              saddle_solution *known)
{
    (void)start;
    (void)known;
    reading r = {.context = context, .label = label, .problem = problem};
    saddle_status status = read_variables(context, bytes, length, label, &r.mat);
    if (status == SADDLE_OK && find_variable(&r.mat, "P"))
        status = read_qp(&r);
    else if (status == SADDLE_OK && (find_variable(&r.mat, "M") || find_variable(&r.mat, "R")))
        status = read_problem(&r);
    else if (status == SADDLE_OK)
        status = saddle_fail(context, SADDLE_BAD_FILE,
                             "%s: a MATLAB file without a matrix M, R or P is no problem", label);
    clear_variables(&r.mat);
    return status;
}

saddle_status saddle__mat_constant(saddle_context *context, const char *path, double *constant)
{
    reading r = {.context = context, .label = path};
    saddle__scan scan = {0};
    *constant = (double)NAN;
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK)
        status = read_variables(context, scan.begin, scan.end - scan.begin, path, &r.mat);
    if (status == SADDLE_OK && find_variable(&r.mat, "P")) {
        *constant = 0.0;
        status = take_number(&r, "r", constant);
    }
    clear_variables(&r.mat);
    saddle__scan_close(&scan);
    return status;
}

/* ---- writing ---- */

static saddle_status put_matrix(saddle__output *output, const char *name, int64_t rows,
                                int64_t cols, const saddle_matrix *A)
{
    saddle_matrix full = {0};
    saddle_status status = saddle__matrix_full(output->context, A, rows, cols, &full);
    if (status == SADDLE_OK) status = put_sparse(output, name, &full);
    saddle_matrix_clear(&full);
    return status;
}

static saddle_status put_J(saddle__output *output, const saddle_problem *p)
{
    saddle_matrix J = {0};
    saddle_status status = saddle_matrix_transpose(output->context, &p->Jt, &J);
    if (status == SADDLE_OK) status = put_matrix(output, "J", p->m, p->n, &J);
    saddle_matrix_clear(&J);
    return status;
}

/* lo, hi; row_id */
static saddle_status put_rows(saddle__output *output, const saddle_problem *p)
{
    double *value = saddle_allocate(output->context, p->m, sizeof *value);
    saddle_status status = value ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int which = 0; status == SADDLE_OK && which < (p->row_id ? 3 : 2); which++) {
        static const char *const names[] = {"lo", "hi", "row_id"};
        for (int64_t i = 0; i < p->m; i++)
            value[i] = which == 0   ? saddle_problem_lo(p, i)
                       : which == 1 ? saddle_problem_hi(p, i)
                                    : (double)p->row_id[i];
        for (int64_t i = 0; which == 2 && i < p->m; i++)
            if (!(fabs(value[i]) < 0x1p53))
                return saddle_release(output->context, value), SADDLE_OK; /* no double holds it */
        status = put_full(output, names[which], p->m, 1, value);
    }
    saddle_release(output->context, value);
    return status;
}

static saddle_status put_contacts(saddle__output *output, const saddle_problem *p)
{
    const int64_t count = p->contact_count;
    double *table = saddle_allocate(output->context, count, 5 * sizeof *table);
    if (!table) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        const saddle_contact *contact = &p->contacts[c];
        const double row[] = {(double)(contact->row + 1), (double)contact->size, contact->mu,
                              contact->mu_torsion, contact->mu_rolling};
        for (int64_t k = 0; k < 5; k++) table[c + k * count] = row[k];
    }
    saddle_status status = put_full(output, "contacts", count, 5, table);
    saddle_release(output->context, table);
    if (status == SADDLE_OK) status = put_text(output, "law", saddle_law_word(p->law));
    const double facets = (double)p->facets;
    return status == SADDLE_OK ? put_full(output, "facets", 1, 1, &facets) : status;
}

static saddle_status put_problem(saddle__output *output, const saddle_problem *p)
{
    put_header(output);
    SADDLE__TRY(put_matrix(output, "M", p->n, p->n, &p->M));
    SADDLE__TRY(put_J(output, p));
    SADDLE__TRY(put_matrix(output, "R", p->m, p->m, &p->R));
    SADDLE__TRY(put_full(output, "f", p->n, 1, p->f));
    SADDLE__TRY(put_full(output, "b", p->m, 1, p->b));
    SADDLE__TRY(put_rows(output, p));
    if (p->contact_count > 0) SADDLE__TRY(put_contacts(output, p));
    if (p->time_step > 0.0) SADDLE__TRY(put_full(output, "time_step", 1, 1, &p->time_step));
    return p->name ? put_text(output, "name", p->name) : SADDLE_OK;
}

/* SADDLE_NOT_EXPRESSIBLE: more than a MATLAB 5 file can hold. */
static saddle_status write_mat(saddle_context *context, const char *path,
                               const saddle_problem *problem)
{
    saddle__output output;
    saddle_status status = saddle__output_open(context, path, &output);
    if (status != SADDLE_OK) return status;
    return saddle__output_finish(&output, put_problem(&output, problem));
}

const saddle__binary_format saddle__mat_format = {SADDLE_FORMAT_MAT, is_mat, read_mat, write_mat,
                                                  SADDLE__HOLDS_ANY, 0};
