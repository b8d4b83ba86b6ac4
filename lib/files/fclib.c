/* SPDX-License-Identifier: MIT */
/* FCLIB problems, guesses and solutions from HDF5, and problems to HDF5: see fclib.h. */
#include "files/fclib.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "files/hdf5.h"
#include "files/output.h"
#include "files/problem_file.h"

/* After a failure, kept in status, nothing is read any more. */
typedef struct reader {
    saddle_context *context;
    saddle__hdf5 file;
    const char *group;
    int64_t spacedim;
    int64_t contact_rows, bilateral_rows;
    saddle_status status;
} reader;

/* ---- parts ---- */

static saddle__hdf5_data find(reader *in, const char *folder, const char *name)
{
    saddle__hdf5_data data = {.present = 0};
    char path[sizeof data.path];
    snprintf(path, sizeof path, "%s%s%s/%s", in->group, *folder ? "/" : "", folder, name);
    if (in->status == SADDLE_OK) in->status = saddle__hdf5_find(&in->file, path, &data);
    return data;
}

static void take_integers(reader *in, const saddle__hdf5_data *data, int64_t count, int64_t *value)
{
    if (in->status == SADDLE_OK) in->status = saddle__hdf5_integers(&in->file, data, count, value);
}

static void take_doubles(reader *in, const saddle__hdf5_data *data, int64_t count, double *value)
{
    if (in->status == SADDLE_OK) in->status = saddle__hdf5_doubles(&in->file, data, count, value);
}

static void *allocate(reader *in, int64_t count, size_t size)
{
    void *block = in->status == SADDLE_OK ? saddle_allocate(in->context, count, size) : NULL;
    if (in->status == SADDLE_OK && !block) in->status = SADDLE_OUT_OF_MEMORY;
    return block;
}

static int64_t read_integer(reader *in, const char *folder, const char *name)
{
    int64_t value = 0;
    saddle__hdf5_data data = find(in, folder, name);
    take_integers(in, &data, 1, &value);
    return value;
}

/* A vector of *count numbers; *count < 0: of any length, which is stored in *count. */
static double *read_vector(reader *in, const char *name, int64_t *count)
{
    saddle__hdf5_data data = find(in, "vectors", name);
    if (data.present && *count >= 0 && data.count != *count)
        in->status = saddle_fail(in->context, SADDLE_BAD_FILE, "%s: %s: %lld numbers, %lld needed",
                                 in->file.label, data.path, (long long)data.count,
                                 (long long)*count);
    if (*count < 0) *count = data.present ? data.count : 0;
    double *value = allocate(in, *count, sizeof *value);
    take_doubles(in, &data, *count, value);
    return value;
}

/* Text of info/NAME, NULL if absent or empty. */
static char *read_text(reader *in, const char *name)
{
    saddle__hdf5_data data = find(in, "info", name);
    if (!data.present || data.type != SADDLE__HDF5_STRING || data.count != 1 || !data.bytes)
        return NULL;
    const unsigned char *end = memchr(data.bytes, 0, data.size);
    int64_t length = end ? end - data.bytes : (int64_t)data.size;
    char *text = length > 0 ? allocate(in, length + 1, 1) : NULL;
    if (text) memcpy(text, data.bytes, (size_t)length);
    return text;
}

/* ---- matrices ---- */

typedef struct stored_matrix {
    int64_t rows, cols, nz, entries;
    saddle__hdf5_data p, i, x;
} stored_matrix;

static void matrix_fail(reader *in, const char *name, const char *reason)
{
    if (in->status == SADDLE_OK)
        in->status = saddle_fail(in->context, SADDLE_BAD_FILE, "%s: %s/%s: %s", in->file.label,
                                 in->group, name, reason);
}

static stored_matrix find_matrix(reader *in, const char *name, int64_t rows, int64_t cols)
{
    stored_matrix S = {.rows = read_integer(in, name, "m"), .cols = read_integer(in, name, "n")};
    S.entries = S.nz = read_integer(in, name, "nz");
    if (S.nz < SADDLE__FCLIB_BY_ROWS)
        matrix_fail(in, name,
                    "nz is neither -1 (by columns), -2 (by rows) nor a count of triplets");
    if (in->status == SADDLE_OK && (S.rows != rows || S.cols != cols))
        in->status = saddle_fail(in->context, SADDLE_BAD_FILE,
                                 "%s: %s/%s is %lld x %lld, but the vectors ask for %lld x %lld",
                                 in->file.label, in->group, name, (long long)S.rows,
                                 (long long)S.cols, (long long)rows, (long long)cols);
    S.p = find(in, name, "p");
    S.i = find(in, name, "i");
    S.x = find(in, name, "x");
    return S;
}

/* The starts of compressed columns or rows, a new array; sets S->entries. */
static int64_t *read_starts(reader *in, const char *name, stored_matrix *S)
{
    int64_t count = S->nz == SADDLE__FCLIB_BY_COLUMNS ? S->cols : S->rows;
    if (S->p.present && S->p.count != count + 1)
        matrix_fail(in, name, "p has not one number more than rows or columns");
    int64_t *p = allocate(in, count + 1, sizeof *p);
    take_integers(in, &S->p, count + 1, p);
    if (in->status != SADDLE_OK) return p;
    S->entries = p[count];
    if (p[0] != 0 || S->entries < 0) matrix_fail(in, name, "p does not begin with 0");
    for (int64_t j = 0; j < count; j++)
        if (p[j + 1] < p[j] || p[j + 1] > S->entries) matrix_fail(in, name, "p does not ascend");
    return p;
}

/* Appends the entries of a stored matrix; start: NULL for triplets. */
static void read_entries(reader *in, const stored_matrix *S, const int64_t *start,
                         saddle__entries *list)
{
    int64_t *row = list->row + list->count, *col = list->col + list->count;
    int64_t *outer = S->nz == SADDLE__FCLIB_BY_ROWS ? row : col; /* the index that p states */
    int64_t *inner = S->nz == SADDLE__FCLIB_BY_ROWS ? col : row;
    for (int64_t j = 0, k = 0; start && k < S->entries; j++)
        for (; k < start[j + 1]; k++) outer[k] = j;
    if (!start) take_integers(in, &S->p, S->entries, outer);
    take_integers(in, &S->i, S->entries, inner);
    take_doubles(in, &S->x, S->entries, list->value + list->count);
    list->count += S->entries;
}

/* Checks entry k of the list, and moves it to (i0 + row, j0 + col). */
static void move_entry(reader *in, const char *name, const stored_matrix *S, saddle__entries *list,
                       int64_t k, int64_t i0, int64_t j0)
{
    int64_t i = list->row[k], j = list->col[k];
    if (i < 0 || i >= S->rows || j < 0 || j >= S->cols)
        in->status = saddle_fail(
            in->context, SADDLE_BAD_FILE,
            "%s: %s/%s: entry %lld is at (%lld, %lld), counted from 0, outside", in->file.label,
            in->group, name, (long long)(k - list->count + S->entries) + 1, (long long)i,
            (long long)j);
    list->row[k] += i0;
    list->col[k] += j0;
}

/* Appends the matrix called name, at (i0, j0), to a list; mirrored: and its transpose at (j0, i0).
 */
static void read_matrix(reader *in, const char *name, int64_t rows, int64_t cols, int64_t i0,
                        int64_t j0, int mirrored, saddle__entries *list)
{
    int64_t first = list->count;
    stored_matrix S = find_matrix(in, name, rows, cols);
    int64_t *start = in->status == SADDLE_OK && S.nz < 0 ? read_starts(in, name, &S) : NULL;
    if (S.entries > S.i.count || S.entries > S.x.count || (S.nz >= 0 && S.nz > S.p.count))
        matrix_fail(in, name, "i, x or p have fewer numbers than the matrix has entries");
    if (in->status == SADDLE_OK)
        in->status = saddle__entries_reserve(in->context, first + (mirrored ? 2 : 1) * S.entries,
                                             list);
    if (in->status == SADDLE_OK) read_entries(in, &S, start, list);
    for (int64_t k = first; in->status == SADDLE_OK && k < first + S.entries; k++)
        move_entry(in, name, &S, list, k, i0, j0);
    for (int64_t k = first; in->status == SADDLE_OK && mirrored && k < first + S.entries; k++)
        saddle__entries_add(list, list->col[k], list->row[k], list->value[k]);
    saddle_release(in->context, start);
}

/* A <- the entries of the list, which is emptied. */
static void take_matrix(reader *in, const char *name, int64_t rows, int64_t cols,
                        saddle__entries *list, saddle_matrix *A)
{
    if (in->status == SADDLE_OK)
        in->status = saddle__entries_matrix(in->context, in->file.label, name, rows, cols, list, A,
                                            NULL);
    saddle__entries_clear(in->context, list);
}

/* ---- problems ---- */

/* b = -(vector of the contacts' rows, of the bilateral rows), and the counts of both; the latter
 * count if `matrix` exists.  Returns whether it does. */
static int read_rows(reader *in, const char *matrix, const char *rows, const char *bilateral,
                     double **b)
{
    int joined = find(in, "", matrix).present;
    saddle__hdf5_data contact = find(in, "vectors", rows), other = {.present = 0};
    if (joined) other = find(in, "vectors", bilateral);
    in->contact_rows = contact.present ? contact.count : 0;
    in->bilateral_rows = other.present ? other.count : 0;
    int64_t m = in->contact_rows + in->bilateral_rows;
    *b = allocate(in, m, sizeof **b);
    take_doubles(in, &contact, in->contact_rows, *b);
    if (joined && *b) take_doubles(in, &other, in->bilateral_rows, *b + in->contact_rows);
    for (int64_t i = 0; *b && i < m; i++) (*b)[i] = -(*b)[i];
    return joined;
}

static void read_local(reader *in, saddle_problem *problem)
{
    saddle__entries list = {0};
    int joined = read_rows(in, "V", "q", "s", &problem->b);
    int64_t rows = in->contact_rows, more = in->bilateral_rows, m = rows + more;
    read_matrix(in, "W", rows, rows, 0, 0, 0, &list);
    if (joined) read_matrix(in, "V", rows, more, 0, rows, 1, &list);
    if (joined) read_matrix(in, "R", more, more, rows, rows, 0, &list);
    take_matrix(in, joined ? "[W V; V' R]" : "W", m, m, &list, &problem->R);
    if (in->status == SADDLE_OK) in->status = saddle__matrix_settle(in->context, &problem->R);
}

static void read_global(reader *in, saddle_problem *problem)
{
    saddle__entries M = {0}, H = {0};
    int64_t n = -1;
    int joined = read_rows(in, "G", "w", "b", &problem->b);
    int64_t rows = in->contact_rows, more = in->bilateral_rows;
    problem->f = read_vector(in, "f", &n);
    read_matrix(in, "M", n, n, 0, 0, 0, &M);
    read_matrix(in, "H", n, rows, 0, 0, 0, &H);
    if (joined) read_matrix(in, "G", n, more, 0, rows, 0, &H);
    take_matrix(in, "M", n, n, &M, &problem->M);
    take_matrix(in, joined ? "[H G]" : "H", n, rows + more, &H, &problem->Jt);
    if (in->status != SADDLE_OK) return;
    problem->n = n;
    in->status = saddle__matrix_settle(in->context, &problem->M);
}

static void read_contacts(reader *in, saddle_problem *problem)
{
    if (in->status == SADDLE_OK && in->contact_rows % in->spacedim != 0)
        in->status = saddle_fail(in->context, SADDLE_BAD_FILE,
                                 "%s: %s: %lld rows are no contacts of %lld", in->file.label,
                                 in->group, (long long)in->contact_rows, (long long)in->spacedim);
    if (in->status != SADDLE_OK) return;
    problem->m = in->contact_rows + in->bilateral_rows;
    int64_t count = in->contact_rows / in->spacedim;
    int is_rolling = in->spacedim == SADDLE__ROLLING_SIZE;
    double *mu = read_vector(in, "mu", &count);
    double *rolling = is_rolling ? read_vector(in, "mu_r", &count) : NULL;
    if (in->status == SADDLE_OK)
        in->status = saddle__problem_contacts(in->context, problem, in->spacedim, count, mu,
                                              rolling);
    saddle__release_all(in->context, mu, rolling);
}

/* ---- guesses and solutions ---- */

static int read_part(reader *in, const char *name, int64_t count, double *value)
{
    saddle__hdf5_data data = find(in, "", name);
    if (!data.present || count == 0) return 0;
    take_doubles(in, &data, count, value);
    return 1;
}

/* solution: NULL is fine. */
static void read_solution(reader *in, const char *group, const saddle_problem *problem,
                          saddle_solution *solution)
{
    saddle__hdf5_data data = {.present = 0};
    if (in->status == SADDLE_OK && solution)
        in->status = saddle__hdf5_find(&in->file, group, &data);
    if (!data.present) return;
    int64_t rows = in->contact_rows, more = in->bilateral_rows;
    in->group = group;
    in->status = saddle_solution_create(in->context, problem->n, problem->m, solution);
    if (in->status != SADDLE_OK) return;
    int any = read_part(in, "v", problem->n, solution->v);
    any |= read_part(in, "r", rows, solution->lambda);
    any |= read_part(in, "l", more, solution->lambda + rows);
    any |= read_part(in, "u", rows, solution->w);
    if (in->status != SADDLE_OK || !any) saddle_solution_clear(solution);
}

/* ---- reading a file ---- */

/* in->group and spacedim.  Returns 0 = local, 1 = global. */
static int find_group(reader *in)
{
    static const char *const groups[] = {"/fclib_local", "/fclib_global", "/fclib_local_rolling",
                                         "/fclib_global_rolling"};
    saddle__hdf5_data data = {.present = 0};
    int kind = 0;
    for (; in->status == SADDLE_OK && !data.present && kind < 4; kind++)
        in->status = saddle__hdf5_find(&in->file, groups[kind], &data);
    kind--;
    if (in->status != SADDLE_OK) return 0;
    in->group = groups[kind];
    if (!data.present)
        in->status = saddle_fail(in->context, SADDLE_BAD_FILE,
                                 "%s: no group fclib_local or fclib_global: not an FCLIB problem",
                                 in->file.label);
    int is_rolling = kind > 1;
    in->spacedim = read_integer(in, "", "spacedim");
    if (in->status == SADDLE_OK && (is_rolling ? in->spacedim != SADDLE__ROLLING_SIZE
                                               : in->spacedim != 2 && in->spacedim != 3))
        in->status = saddle_fail(in->context, SADDLE_UNSUPPORTED,
                                 "%s: %s/spacedim is %lld: contacts of %s rows are supported",
                                 in->file.label, in->group, (long long)in->spacedim,
                                 is_rolling ? "5" : "2 or 3");
    return kind % 2;
}

static int is_fclib(const char *bytes, int64_t length)
{
    return length >= 8 && memcmp(bytes, SADDLE__HDF5_SIGNATURE, 8) == 0;
}

/* start, known: the groups guesses/1 and solution. */
static saddle_status read_fclib(saddle_context *context, const char *bytes, int64_t length,
                                const char *label, saddle_problem *problem, saddle_solution *start,
                                saddle_solution *known)
{
    reader in = {.context = context};
    in.status = saddle__hdf5_open(context, bytes, length, label, &in.file);
    int global = find_group(&in);
    if (in.status != SADDLE_OK) return in.status;
    (global ? read_global : read_local)(&in, problem);
    read_contacts(&in, problem);
    problem->name = read_text(&in, "title");
    problem->source = read_text(&in, "description");
    read_solution(&in, "/guesses/1", problem, start);
    read_solution(&in, "/solution", problem, known);
    return in.status;
}

/* ======== writing ========
 *
 * HDF5 (see hdf5.h): superblock 0, contiguous data, 32-bit integers,
 * doubles, all little-endian.  The structures are made in a block of memory, because addresses
 * point in both directions:
 *
 *     superblock
 *     of each group    header, B-tree node, leaf of symbols, heap, names
 *     of each dataset  header
 *     data
 */

enum limits { NODES = 64, MEMBERS = 8 };

/* A group or a dataset. */
typedef struct hdf5_node {
    const char *name; /* borrowed */
    int group;        /* the parent node; -1 for the root */
    saddle__hdf5_class type;
    int64_t count, size;      /* of a dataset: elements (-1 = a scalar), bytes of each */
    unsigned char *data;      /* the elements in the file's layout; owned, NULL = none */
    uint64_t header, address; /* in the file: of its header; of the data, or a group's tables */
} hdf5_node;

/* A file to be. */
typedef struct hdf5_tree {
    saddle_context *context;
    int nodes;
    hdf5_node node[NODES]; /* the root first, a group before its members */
    saddle_status status;  /* additions do nothing after a failure */
} hdf5_tree;

/* ---- the structures, and the ranks of the trees ---- */

enum structure {
    SUPERBLOCK = 96,
    LEAF_K = MEMBERS / 2,
    TREE_K = 16,
    GROUP_HEADER = 40,
    TREE = 24 + 8 * (4 * TREE_K + 1), /* head of a node, its keys and children */
    LEAF = 8 + 40 * MEMBERS,
    HEAP = 32,
    /* space, type, fill value, layout */
    DATA_HEADER = 16 + (8 + 16) + (8 + 24) + (8 + 8) + (8 + 24),
    HEAP_WITHOUT_ROOM = 1
};

static void put(unsigned char *at, uint64_t value, int size)
{
    for (int k = 0; k < size; k++) at[k] = (unsigned char)(value >> 8 * k & 0xff);
}

/* Adds a member to a group and returns its node: a group, a string (NUL-terminated), or count
 * numbers, int64_t that fit 32 bits or double.  Copies the numbers; stores a failure in
 * tree->status, and adds nothing after one.  At most NODES objects, MEMBERS in a group. */
static int add(hdf5_tree *tree, int group, const char *name, saddle__hdf5_class type, int64_t count,
               const void *value)
{
    if (tree->status != SADDLE_OK) return 0;
    const int text = type == SADDLE__HDF5_STRING;
    const int64_t elements = text ? 1 : count;
    const int64_t size = text ? (int64_t)strlen(value) + 1 : type == SADDLE__HDF5_INTEGER ? 4 : 8;
    assert(tree->nodes < NODES);
    hdf5_node *added = &tree->node[tree->nodes];
    *added = (hdf5_node){name, group, type, text ? -1 : count, size, NULL, 0, 0};
    if (elements > 0 && !(added->data = saddle_allocate(tree->context, elements, (size_t)size))) {
        tree->status = SADDLE_OUT_OF_MEMORY;
        return 0;
    }
    if (text) memcpy(added->data, value, (size_t)size);
    for (int64_t k = 0; k < elements && !text; k++) {
        uint64_t bits;
        memcpy(&bits, (const char *)value + 8 * k, sizeof bits); /* of an int64_t or a double */
        put(added->data + size * k, bits, (int)size);
    }
    return tree->nodes++;
}

static int add_group(hdf5_tree *tree, int group, const char *name)
{
    return add(tree, group, name, SADDLE__HDF5_GROUP, 0, NULL);
}

static void add_integer(hdf5_tree *tree, int group, const char *name, int64_t value)
{
    (void)add(tree, group, name, SADDLE__HDF5_INTEGER, 1, &value);
}

/* ---- members ---- */

/* The members of a group, sorted by name as HDF5 requires. */
typedef struct members {
    const hdf5_node *at[MEMBERS];
    int count;
} members;

static members members_of(const hdf5_tree *tree, const hdf5_node *group)
{
    members found = {.count = 0};
    for (int k = 0; k < tree->nodes && found.count < MEMBERS; k++) {
        const hdf5_node *node = &tree->node[k];
        if (node->group < 0 || &tree->node[node->group] != group) continue;
        int place = found.count++;
        for (; place > 0 && strcmp(found.at[place - 1]->name, node->name) > 0; place--)
            found.at[place] = found.at[place - 1];
        found.at[place] = node;
    }
    return found;
}

static uint64_t rounded(uint64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

static uint64_t room_of_name(const hdf5_node *node)
{
    return rounded(strlen(node->name) + 1);
}

/* Eight zeros, the empty name, and the members' names. */
static uint64_t room_of_names(const members *list)
{
    uint64_t bytes = 8;
    for (int k = 0; k < list->count; k++) bytes += room_of_name(list->at[k]);
    return bytes;
}

/* ---- places ---- */

static uint64_t bytes_of(const hdf5_node *node)
{
    return node->data ? (uint64_t)(node->count < 0 ? 1 : node->count) * (uint64_t)node->size : 0;
}

/* Gives each node its addresses; *length: of the file.  Returns where the data begins. */
static uint64_t place_all(hdf5_tree *tree, uint64_t *length)
{
    uint64_t at = SUPERBLOCK;
    for (int k = 0; k < tree->nodes; k++) {
        hdf5_node *node = &tree->node[k];
        const members list = members_of(tree, node);
        node->header = at;
        at += node->type == SADDLE__HDF5_GROUP ? GROUP_HEADER : DATA_HEADER;
        if (node->type != SADDLE__HDF5_GROUP) continue;
        node->address = at;
        at += TREE + LEAF + HEAP + room_of_names(&list);
    }
    const uint64_t begin = at;
    for (int k = 0; k < tree->nodes; k++) {
        hdf5_node *node = &tree->node[k];
        if (node->type == SADDLE__HDF5_GROUP) continue;
        node->address = node->data ? at : UINT64_MAX;
        at += rounded(bytes_of(node));
    }
    *length = at;
    return begin;
}

/* ---- structures ---- */

static uint64_t heap_of(const hdf5_node *group)
{
    return group->address + TREE + LEAF;
}

/* A symbol table entry, 40 bytes; the tables of a group are repeated in the entry. */
static void make_entry(unsigned char *at, uint64_t name, const hdf5_node *node)
{
    put(at, name, 8);
    put(at + 8, node->header, 8);
    put(at + 16, node->type == SADDLE__HDF5_GROUP ? 1 : 0, 4);
    put(at + 24, node->type == SADDLE__HDF5_GROUP ? node->address : 0, 8);
    put(at + 32, node->type == SADDLE__HDF5_GROUP ? heap_of(node) : 0, 8);
}

static void make_superblock(const hdf5_tree *tree, uint64_t length, unsigned char *at)
{
    memcpy(at, SADDLE__HDF5_SIGNATURE, 8);
    at[13] = at[14] = 8; /* bytes of an address, of a length */
    put(at + 16, LEAF_K, 2);
    put(at + 18, TREE_K, 2);
    put(at + 32, UINT64_MAX, 8); /* no list of free space */
    put(at + 40, length, 8);
    put(at + 48, UINT64_MAX, 8); /* no driver */
    make_entry(at + 56, 0, &tree->node[0]);
}

/* The head of an object's header; returns the place of the first message. */
static unsigned char *begin_header(unsigned char *at, int messages, uint64_t bytes)
{
    at[0] = 1;
    put(at + 2, (uint64_t)messages, 2);
    put(at + 4, 1, 4); /* one link */
    put(at + 8, bytes - 16, 4);
    return at + 16;
}

/* The head of a message; *at moves behind the body, which is returned. */
static unsigned char *begin_message(unsigned char **at, uint64_t type, uint64_t size)
{
    unsigned char *head = *at;
    put(head, type, 2);
    put(head + 2, size, 2);
    *at += 8 + size;
    return head + 8;
}

static void make_group(const hdf5_tree *tree, const hdf5_node *group, unsigned char *file)
{
    const members list = members_of(tree, group);
    unsigned char *at = begin_header(file + group->header, 1, GROUP_HEADER);
    unsigned char *body = begin_message(&at, SADDLE__HDF5_MESSAGE_SYMBOL_TABLE, 16);
    unsigned char *node = file + group->address, *leaf = node + TREE, *heap = leaf + LEAF,
                  *names = heap + HEAP;
    put(body, group->address, 8);
    put(body + 8, heap_of(group), 8);
    memcpy(node, "TREE", 4);
    put(node + 6, list.count > 0 ? 1 : 0, 2);
    put(node + 8, UINT64_MAX, 8); /* no siblings */
    put(node + 16, UINT64_MAX, 8);
    put(node + 32, group->address + TREE, 8);
    memcpy(leaf, "SNOD", 4);
    leaf[4] = 1;
    put(leaf + 6, (uint64_t)list.count, 2);
    memcpy(heap, "HEAP", 4);
    put(heap + 8, room_of_names(&list), 8);
    put(heap + 16, HEAP_WITHOUT_ROOM, 8);
    put(heap + 24, heap_of(group) + HEAP, 8);
    uint64_t offset = 8;
    for (int k = 0; k < list.count; k++) {
        memcpy(names + offset, list.at[k]->name, strlen(list.at[k]->name));
        make_entry(leaf + 8 + 40 * k, offset, list.at[k]);
        put(node + 40, offset, 8); /* the key behind the leaf: its last name */
        offset += room_of_name(list.at[k]);
    }
}

/* Class and version, 24 bits of flags, bytes, then the properties of the class. */
static void make_datatype(const hdf5_node *node, unsigned char *at)
{
    static const unsigned char properties[12] = SADDLE__HDF5_DOUBLE;
    at[0] = (unsigned char)(0x10 | node->type);
    put(at + 4, (uint64_t)node->size, 4);
    if (node->type == SADDLE__HDF5_INTEGER) {
        at[1] = 8;                                /* signed */
        at[10] = (unsigned char)(8 * node->size); /* precision in bits */
    } else if (node->type == SADDLE__HDF5_FLOAT) {
        at[1] = 0x20; /* the mantissa's first bit is implied */
        at[2] = 63;   /* the sign's place */
        memcpy(at + 8, properties, sizeof properties);
    }
}

static void make_dataset(const hdf5_node *node, unsigned char *file)
{
    unsigned char *at = begin_header(file + node->header, 4, DATA_HEADER);
    unsigned char *space = begin_message(&at, SADDLE__HDF5_MESSAGE_DATASPACE, 16);
    space[0] = 1;
    space[1] = node->count >= 0; /* dimensions: a scalar has none */
    if (node->count >= 0) put(space + 8, (uint64_t)node->count, 8);
    make_datatype(node, begin_message(&at, SADDLE__HDF5_MESSAGE_DATATYPE, 24));
    unsigned char *fill = begin_message(&at, SADDLE__HDF5_MESSAGE_FILL, 8);
    fill[0] = 2;
    fill[1] = 2; /* space is allocated late, values are filled if set */
    fill[2] = 2;
    fill[3] = 1; /* the default: zeros */
    unsigned char *layout = begin_message(&at, SADDLE__HDF5_MESSAGE_LAYOUT, 24);
    layout[0] = 3;
    layout[1] = SADDLE__HDF5_LAYOUT_CONTIGUOUS;
    put(layout + 2, node->address, 8);
    put(layout + 10, bytes_of(node), 8);
}

/* ---- the file ---- */

static void write_data(const hdf5_tree *tree, saddle__output *output)
{
    static const char zeros[8] = {0};
    for (int k = 0; k < tree->nodes; k++) {
        const hdf5_node *node = &tree->node[k];
        const uint64_t bytes = bytes_of(node);
        if (node->type == SADDLE__HDF5_GROUP || bytes == 0) continue;
        saddle__output_bytes(output, node->data, (int64_t)bytes);
        saddle__output_bytes(output, zeros, (int64_t)(rounded(bytes) - bytes));
    }
}

static saddle_status write_tree(hdf5_tree *tree, const char *path)
{
    saddle__output output;
    uint64_t length = 0;
    const uint64_t begin = place_all(tree, &length);
    unsigned char *structures = saddle_allocate(tree->context, (int64_t)begin, 1);
    if (!structures) return SADDLE_OUT_OF_MEMORY;
    make_superblock(tree, length, structures);
    for (int k = 0; k < tree->nodes; k++) {
        if (tree->node[k].type == SADDLE__HDF5_GROUP)
            make_group(tree, &tree->node[k], structures);
        else
            make_dataset(&tree->node[k], structures);
    }
    saddle_status status = saddle__output_open(tree->context, path, &output);
    if (status == SADDLE_OK) {
        saddle__output_bytes(&output, structures, (int64_t)begin);
        write_data(tree, &output);
        status = saddle__output_finish(&output, SADDLE_OK);
    }
    saddle_release(tree->context, structures);
    return status;
}

/* ---- parts of a problem: a failure is stored in out->status, and nothing is added any more ----
 */

/* The block of A in `cols` columns from j0 and `rows` rows from i0 on: as triplets, i = row and p =
 * column; by_rows: A is a transpose, whose columns are stored as compressed rows. */
static void write_block(hdf5_tree *out, int group, const char *name, const saddle_matrix *A,
                        int64_t i0, int64_t rows, int64_t j0, int64_t cols, int by_rows)
{
    saddle__entries list = {0};
    if (out->status != SADDLE_OK) return;
    int64_t *start = saddle_allocate(out->context, cols + 1, sizeof *start);
    saddle_status status = saddle__entries_reserve(out->context, saddle_matrix_entries(A), &list);
    if (!start || status != SADDLE_OK) out->status = SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; out->status == SADDLE_OK && j < cols; j++) {
        for (int64_t k = A->start ? A->start[j0 + j] : 0; A->start && k < A->start[j0 + j + 1]; k++)
            if (A->index[k] >= i0 && A->index[k] < i0 + rows)
                saddle__entries_add(&list, A->index[k] - i0, j, A->value[k]);
        start[j + 1] = list.count;
    }
    const int64_t entries = list.count;
    const int matrix = add_group(out, group, name);
    add_integer(out, matrix, "nzmax", entries);
    add_integer(out, matrix, "m", by_rows ? cols : rows);
    add_integer(out, matrix, "n", by_rows ? rows : cols);
    add_integer(out, matrix, "nz", by_rows ? SADDLE__FCLIB_BY_ROWS : entries);
    add(out, matrix, "p", SADDLE__HDF5_INTEGER, by_rows ? cols + 1 : entries,
        by_rows ? start : list.col);
    add(out, matrix, "i", SADDLE__HDF5_INTEGER, entries, list.row);
    add(out, matrix, "x", SADDLE__HDF5_FLOAT, entries, list.value);
    saddle_release(out->context, start);
    saddle__entries_clear(out->context, &list);
}

/* sign * value[from .. from + count), zeros where value is NULL */
static void write_vector(hdf5_tree *out, int group, const char *name, double sign,
                         const double *value, int64_t from, int64_t count)
{
    if (out->status != SADDLE_OK) return;
    double *copy = saddle_allocate(out->context, count, sizeof *copy);
    if (!copy) out->status = SADDLE_OUT_OF_MEMORY;
    for (int64_t k = 0; copy && k < count; k++) copy[k] = sign * (value ? value[from + k] : 0);
    add(out, group, name, SADDLE__HDF5_FLOAT, count, copy);
    saddle_release(out->context, copy);
}

static void write_friction(hdf5_tree *out, int group, const saddle_problem *problem)
{
    int64_t count = problem->contact_count;
    if (out->status != SADDLE_OK) return;
    double *mu = saddle_allocate(out->context, count, sizeof *mu);
    if (!mu) out->status = SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; mu && c < count; c++) mu[c] = problem->contacts[c].mu;
    add(out, group, "mu", SADDLE__HDF5_FLOAT, count, mu);
    int is_rolling = count > 0 && problem->contacts[0].size == SADDLE__ROLLING_SIZE;
    for (int64_t c = 0; is_rolling && mu && c < count; c++) mu[c] = problem->contacts[c].mu_rolling;
    if (is_rolling) add(out, group, "mu_r", SADDLE__HDF5_FLOAT, count, mu);
    saddle_release(out->context, mu);
}

static void write_info(hdf5_tree *out, int group, const saddle_problem *problem, int64_t dim)
{
    add_integer(out, group, "spacedim", dim);
    const int info = add_group(out, group, "info");
    add(out, info, "title", SADDLE__HDF5_STRING, 1, problem->name ? problem->name : "");
    add(out, info, "description", SADDLE__HDF5_STRING, 1, problem->source ? problem->source : "");
    add(out, info, "math_info", SADDLE__HDF5_STRING, 1, "");
}

/* R must couple contacts and bilateral rows symmetrically: FCLIB stores the block V once. */
static saddle_status check_coupling(saddle_context *context, const saddle_matrix *R,
                                    const saddle_matrix *Rt, int64_t rows)
{
    saddle_matrix difference = {0};
    saddle_status status = saddle_matrix_add(context, 1, R, -1, Rt, &difference);
    for (int64_t j = rows; status == SADDLE_OK && j < R->cols; j++)
        for (int64_t k = difference.start[j]; k < difference.start[j + 1]; k++)
            if (difference.index[k] < rows && difference.value[k] != 0)
                status = saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                                     "R couples contacts and equality rows unsymmetrically: fclib "
                                     "holds one V for both sides");
    saddle_matrix_clear(&difference);
    return status;
}

/* The transpose of R with every entry stored. */
static saddle_status transpose_of_R(saddle_context *context, const saddle_problem *problem,
                                    int64_t rows, saddle_matrix *Rt)
{
    saddle_matrix R = {0};
    saddle_status status = saddle__matrix_full(context, &problem->R, problem->m, problem->m, &R);
    if (status == SADDLE_OK) status = saddle_matrix_transpose(context, &R, Rt);
    if (status == SADDLE_OK) status = check_coupling(context, &R, Rt, rows);
    saddle_matrix_clear(&R);
    return status;
}

static void write_problem(hdf5_tree *out, const saddle_problem *problem)
{
    const int64_t dim = problem->contact_count > 0 ? problem->contacts[0].size : 3;
    const int64_t n = problem->n, rows = problem->contact_count * dim, more = problem->m - rows;
    const saddle_matrix *Jt = &problem->Jt;
    saddle_matrix square = {0}; /* M, or R' */
    static const char *const groups[2][2] = {{"fclib_local", "fclib_global"},
                                             {"fclib_local_rolling", "fclib_global_rolling"}};
    const int group = add_group(out, 0, groups[dim == SADDLE__ROLLING_SIZE][n > 0]);
    write_info(out, group, problem, dim);
    const int vectors = add_group(out, group, "vectors");
    if (out->status == SADDLE_OK)
        out->status = n > 0 ? saddle__matrix_full(out->context, &problem->M, n, n, &square)
                            : transpose_of_R(out->context, problem, rows, &square);
    if (n > 0) {
        write_block(out, group, "M", &square, 0, n, 0, n, 0);
        write_block(out, group, "H", Jt, 0, n, 0, rows, 0);
        if (more > 0) write_block(out, group, "G", Jt, 0, n, rows, more, 0);
        write_vector(out, vectors, "f", 1, problem->f, 0, n);
    } else {
        write_block(out, group, "W", &square, 0, rows, 0, rows, 1);
        if (more > 0) write_block(out, group, "V", &square, rows, more, 0, rows, 1);
        if (more > 0) write_block(out, group, "R", &square, rows, more, rows, more, 1);
    }
    write_vector(out, vectors, n > 0 ? "w" : "q", -1, problem->b, 0, rows);
    if (more > 0) write_vector(out, vectors, n > 0 ? "b" : "s", -1, problem->b, rows, more);
    write_friction(out, vectors, problem);
    saddle_matrix_clear(&square);
}

/* FCLIB's indices are 32-bit integers. */
static saddle_status check_sizes(saddle_context *context, const saddle_problem *problem)
{
    int64_t sizes[] = {problem->n, problem->m, saddle_matrix_entries(&problem->M),
                       saddle_matrix_entries(&problem->Jt), saddle_matrix_entries(&problem->R)};
    for (size_t k = 0; k < sizeof sizes / sizeof sizes[0]; k++)
        if (sizes[k] > INT32_MAX / 2)
            return saddle_fail(context, SADDLE_NOT_EXPRESSIBLE,
                               "a size of %lld: fclib holds 32-bit integers", (long long)sizes[k]);
    return SADDLE_OK;
}

/* The problem has contacts of one size first, then equality rows, and R = 0 if n > 0.
 * SADDLE_NOT_EXPRESSIBLE: other problems that FCLIB cannot hold.  W, V, R are stored by rows, M, H,
 * G as triplets, as FCLIB's own programs do. */
static saddle_status write_fclib(saddle_context *context, const char *path,
                                 const saddle_problem *problem)
{
    hdf5_tree tree = {.context = context,
                      .nodes = 1,
                      .node = {{.type = SADDLE__HDF5_GROUP, .group = -1}},
                      .status = check_sizes(context, problem)};
    write_problem(&tree, problem);
    saddle_status status = tree.status;
    if (status == SADDLE_OUT_OF_MEMORY)
        status = saddle_fail(context, status, "%s: out of memory", path);
    if (status == SADDLE_OK) status = write_tree(&tree, path);
    for (int k = 0; k < tree.nodes; k++) saddle_release(context, tree.node[k].data);
    return status;
}

const saddle__binary_format saddle__fclib_format = {SADDLE_FORMAT_FCLIB,
                                                    is_fclib,
                                                    read_fclib,
                                                    write_fclib,
                                                    SADDLE__HOLDS_EQUALITY | SADDLE__HOLDS_CONTACTS,
                                                    SADDLE__CONTACTS_FIRST |
                                                        SADDLE__NO_COMPLIANCE_WITH_MASSES};
