/* SPDX-License-Identifier: MIT */
/* Collects a problem entry by entry: see builder.h. */
#include "builder.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NAME_SIZE 96

builder builder_begin(saddle_context *context)
{
    builder b;
    memset(&b, 0, sizeof b);
    b.context = context;
    b.problem.context = context;
    b.problem.owner = 1;
    return b;
}

static int failed(builder *b, saddle_status status)
{
    if (b->status == SADDLE_OK) b->status = status;
    return b->status != SADDLE_OK;
}

/* address: of a pointer to an array, afterwards of `capacity` elements of the size. Nonzero: out of
 * memory. */
static int grow(builder *b, void *address, int64_t capacity, size_t size)
{
    void *block;
    memcpy(&block, address, sizeof block);
    void *larger = saddle_reallocate(b->context, block, capacity, size);
    if (larger == NULL) return failed(b, SADDLE_OUT_OF_MEMORY);
    memcpy(address, &larger, sizeof larger);
    return 0;
}

static void add_entry(builder *b, builder_entries *entries, int64_t row, int64_t col, double value)
{
    if (b->status != SADDLE_OK) return;
    if (entries->count == entries->capacity) {
        int64_t capacity = entries->capacity > 0 ? 2 * entries->capacity : 256;
        if (grow(b, &entries->row, capacity, sizeof *entries->row) ||
            grow(b, &entries->col, capacity, sizeof *entries->col) ||
            grow(b, &entries->value, capacity, sizeof *entries->value))
            return;
        entries->capacity = capacity;
    }
    entries->row[entries->count] = row;
    entries->col[entries->count] = col;
    entries->value[entries->count] = value;
    entries->count++;
}

void builder_mass(builder *b, int64_t i, int64_t j, double value)
{
    add_entry(b, &b->M, i, j, value);
}

void builder_jacobian(builder *b, int64_t row, int64_t velocity, double value)
{
    add_entry(b, &b->J, row, velocity, value);
}

void builder_compliance(builder *b, int64_t i, int64_t j, double value)
{
    add_entry(b, &b->R, i, j, value);
}

void builder_force(builder *b, int64_t velocity, double value)
{
    if (b->status == SADDLE_OK) b->problem.f[velocity] += value;
}

static char *format_name(builder *b, const char *format, va_list arguments)
{
    char text[NAME_SIZE];
    vsnprintf(text, sizeof text, format, arguments);
    size_t length = strlen(text) + 1;
    char *name = saddle_allocate(b->context, (int64_t)length, 1);
    if (name == NULL)
        failed(b, SADDLE_OUT_OF_MEMORY);
    else
        memcpy(name, text, length);
    return name;
}

static void add_component(builder *b, int64_t size, char *name)
{
    saddle_problem *p = &b->problem;
    if (p->component_count == b->component_capacity) {
        int64_t capacity = p->component_count > 0 ? 2 * p->component_count : 16;
        if (grow(b, &p->component_name, capacity, sizeof *p->component_name) ||
            grow(b, &p->component_size, capacity, sizeof *p->component_size)) {
            saddle_release(b->context, name);
            return;
        }
        b->component_capacity = capacity;
    }
    p->component_name[p->component_count] = name;
    p->component_size[p->component_count] = size;
    p->component_count++;
}

int64_t builder_velocities(builder *b, int64_t count, const char *name, ...)
{
    saddle_problem *p = &b->problem;
    int64_t first = p->n;
    if (b->status != SADDLE_OK) return first;
    if (p->n + count > b->velocity_capacity) {
        int64_t capacity = 2 * (p->n + count);
        if (grow(b, &p->f, capacity, sizeof *p->f)) return first;
        b->velocity_capacity = capacity;
    }
    for (int64_t i = first; i < first + count; i++) p->f[i] = 0;
    p->n += count;
    if (name != NULL) {
        va_list arguments;
        va_start(arguments, name);
        char *text = format_name(b, name, arguments);
        va_end(arguments);
        if (text != NULL) add_component(b, count, text);
    }
    return first;
}

static int grow_rows(builder *b)
{
    saddle_problem *p = &b->problem;
    if (p->m < b->row_capacity) return 0;
    int64_t capacity = p->m > 0 ? 2 * p->m : 64;
    if (grow(b, &p->b, capacity, sizeof *p->b) || grow(b, &p->lo, capacity, sizeof *p->lo) ||
        grow(b, &p->hi, capacity, sizeof *p->hi) ||
        grow(b, &p->row_id, capacity, sizeof *p->row_id) ||
        grow(b, &p->row_name, capacity, sizeof *p->row_name))
        return 1;
    b->row_capacity = capacity;
    return 0;
}

int64_t builder_row(builder *b, double lo, double hi, double wanted)
{
    saddle_problem *p = &b->problem;
    if (b->status != SADDLE_OK || grow_rows(b)) return 0;
    p->b[p->m] = wanted;
    p->lo[p->m] = lo;
    p->hi[p->m] = hi;
    p->row_id[p->m] = p->m;
    p->row_name[p->m] = NULL;
    if (lo > -INFINITY || hi < INFINITY) b->bounded = 1;
    return p->m++;
}

int64_t builder_equality(builder *b)
{
    return builder_row(b, -INFINITY, INFINITY, 0);
}

void builder_label(builder *b, int64_t row, int64_t id, const char *name, ...)
{
    if (b->status != SADDLE_OK) return;
    va_list arguments;
    va_start(arguments, name);
    saddle_release(b->context, b->problem.row_name[row]);
    b->problem.row_name[row] = format_name(b, name, arguments);
    va_end(arguments);
    b->problem.row_id[row] = id;
    b->identified = 1;
    b->named = 1;
}

void builder_contact(builder *b, int64_t row, int64_t size, double mu)
{
    saddle_problem *p = &b->problem;
    if (b->status != SADDLE_OK) return;
    if (p->contact_count == b->contact_capacity) {
        int64_t capacity = p->contact_count > 0 ? 2 * p->contact_count : 16;
        if (grow(b, &p->contacts, capacity, sizeof *p->contacts)) return;
        b->contact_capacity = capacity;
    }
    p->contacts[p->contact_count++] = (saddle_contact){.row = row, .size = size, .mu = mu};
}

static void clear_entries(saddle_context *context, builder_entries *entries)
{
    saddle_release(context, entries->row);
    saddle_release(context, entries->col);
    saddle_release(context, entries->value);
    memset(entries, 0, sizeof *entries);
}

void builder_clear(builder *b)
{
    clear_entries(b->context, &b->M);
    clear_entries(b->context, &b->J);
    clear_entries(b->context, &b->R);
    saddle_problem_clear(&b->problem);
    memset(b, 0, sizeof *b);
}

/* Arrays without entries are left out of the problem. */
static void drop_unused(builder *b)
{
    saddle_problem *p = &b->problem;
    if (!b->bounded) {
        saddle_release(b->context, p->lo);
        saddle_release(b->context, p->hi);
        p->lo = NULL;
        p->hi = NULL;
    }
    if (!b->identified) {
        saddle_release(b->context, p->row_id);
        p->row_id = NULL;
    }
    if (!b->named) {
        saddle_release(b->context, p->row_name);
        p->row_name = NULL;
    }
}

static saddle_status compress(builder *b)
{
    saddle_problem *p = &b->problem;
    saddle_symmetry mass = b->unsymmetric_mass ? SADDLE_SYMMETRY_NONE : SADDLE_SYMMETRY_LOWER;
    saddle_status status = SADDLE_OK;
    if (p->n > 0)
        status = saddle_matrix_from_triplets(b->context, p->n, p->n, b->M.count, b->M.row, b->M.col,
                                             b->M.value, mass, &p->M);
    clear_entries(b->context, &b->M);
    if (status == SADDLE_OK)
        status = saddle_matrix_from_triplets(b->context, p->n, p->m, b->J.count, b->J.col, b->J.row,
                                             b->J.value, SADDLE_SYMMETRY_NONE, &p->Jt);
    clear_entries(b->context, &b->J);
    if (status == SADDLE_OK && b->R.count > 0)
        status = saddle_matrix_from_triplets(b->context, p->m, p->m, b->R.count, b->R.row, b->R.col,
                                             b->R.value, SADDLE_SYMMETRY_LOWER, &p->R);
    clear_entries(b->context, &b->R);
    return status;
}

static char *copy_text(builder *b, const char *text)
{
    size_t length = strlen(text) + 1;
    char *copy = saddle_allocate(b->context, (int64_t)length, 1);
    if (copy == NULL)
        failed(b, SADDLE_OUT_OF_MEMORY);
    else
        memcpy(copy, text, length);
    return copy;
}

saddle_status builder_finish(builder *b, const char *name, double time_step,
                             saddle_problem *problem)
{
    memset(problem, 0, sizeof *problem);
    if (b->status == SADDLE_OK) {
        b->problem.name = copy_text(b, name);
        b->problem.source = copy_text(b, "saddle, bench/generators");
        b->problem.time_step = time_step;
    }
    if (b->status == SADDLE_OK) {
        drop_unused(b);
        failed(b, compress(b));
    }
    if (b->status == SADDLE_OK)
        failed(b, saddle_problem_check(b->context, &b->problem, NULL, NULL));
    saddle_status status = b->status;
    if (status == SADDLE_OK) {
        *problem = b->problem;
        memset(&b->problem, 0, sizeof b->problem);
    }
    builder_clear(b);
    return status;
}
