/* SPDX-License-Identifier: MIT */
/* A problem to a bundle. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "files/bundle.h"
#include "files/mtx.h"
#include "files/output.h"
#include "saddle/files.h"

/* ---- recognising ---- */

/* 1: the first bytes of the file contain the word. */
static int speaks_of(int folder, const char *name, const char *word)
{
    char head[4096];
    int file = openat(folder, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return 0;
    ssize_t got = read(file, head, sizeof head - 1);
    close(file);
    head[got > 0 ? got : 0] = 0;
    return strstr(head, word) != NULL;
}

int saddle__bundle_is(const char *path)
{
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) return 0;
    int found = speaks_of(folder, "problem.json", "\"" SADDLE__BUNDLE_FORMAT "\"");
    close(folder);
    return found;
}

/* ---- writing ---- */

typedef struct writing {
    saddle_context *context;
    const saddle_problem *problem;
    const saddle__bundle_more *more;
} writing;

static saddle_status write_json(const writing *w, const char *path)
{
    return saddle__bundle_json_write(w->context, path, w->problem, w->more);
}

static saddle_status write_M(const writing *w, const char *path)
{
    return w->problem->n > 0 ? saddle_matrix_write(w->context, path, &w->problem->M) : SADDLE_OK;
}

static saddle_status write_J(const writing *w, const char *path)
{
    const saddle_matrix *Jt = &w->problem->Jt;
    return saddle_matrix_entries(Jt) > 0 ? saddle__mtx_write_transposed(w->context, path, Jt)
                                         : SADDLE_OK;
}

static saddle_status write_R(const writing *w, const char *path)
{
    return w->problem->R.rows > 0 ? saddle_matrix_write(w->context, path, &w->problem->R)
                                  : SADDLE_OK;
}

static saddle_status write_f(const writing *w, const char *path)
{
    return w->problem->f ? saddle_array_write(w->context, path, w->problem->n, 1, w->problem->f)
                         : SADDLE_OK;
}

static saddle_status write_b(const writing *w, const char *path)
{
    return w->problem->b ? saddle_array_write(w->context, path, w->problem->m, 1, w->problem->b)
                         : SADDLE_OK;
}

static saddle_status write_bounds(const writing *w, const char *path)
{
    const saddle_problem *problem = w->problem;
    int64_t m = problem->m;
    if (!problem->lo && !problem->hi) return SADDLE_OK;
    double *both = m <= INT64_MAX / 2 ? saddle_allocate(w->context, 2 * m, sizeof *both) : NULL;
    if (!both) return SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; i < m; i++) {
        both[i] = saddle_problem_lo(problem, i);
        both[i + m] = saddle_problem_hi(problem, i);
    }
    saddle_status status = saddle_array_write(w->context, path, m, 2, both);
    saddle_release(w->context, both);
    return status;
}

static saddle_status write_contacts(const writing *w, const char *path)
{
    int64_t count = w->problem->contact_count;
    if (count == 0) return SADDLE_OK;
    double *table = count <= INT64_MAX / 3 ? saddle_allocate(w->context, 3 * count, sizeof *table)
                                           : NULL;
    if (!table) return SADDLE_OUT_OF_MEMORY;
    for (int64_t c = 0; c < count; c++) {
        const saddle_contact *contact = &w->problem->contacts[c];
        table[c] = (double)(contact->row + 1);
        table[c + count] = (double)contact->size;
        table[c + 2 * count] = contact->mu;
    }
    saddle_status status = saddle_array_write(w->context, path, count, 3, table);
    saddle_release(w->context, table);
    return status;
}

static saddle_status write_more(const writing *w, const char *path)
{
    return w->more ? w->more->write(w->more->user, w->context, path) : SADDLE_OK;
}

static const char *const names[] = {"problem.json",    "M.mtx", "J.mtx",      "R.mtx",
                                    "f.mtx",           "b.mtx", "bounds.mtx", "contacts.mtx",
                                    "attachments.mtx", NULL};

/* of each name */
static saddle_status (*const writers[])(const writing *w, const char *path) = {
    write_json, write_M,      write_J,        write_R,   write_f,
    write_b,    write_bounds, write_contacts, write_more};

saddle_status saddle__bundle_write_more(saddle_context *context, const char *path,
                                        const saddle_problem *problem,
                                        const saddle__bundle_more *more)
{
    static const saddle__folder_kind kind = {"a saddle problem bundle", names, saddle__bundle_is};
    saddle_status status = saddle_problem_check(context, problem, NULL, NULL);
    saddle__new_folder folder = {0};
    if (status == SADDLE_OK) status = saddle__new_folder_begin(context, path, &kind, &folder);
    writing w = {context, problem, more};
    for (int i = 0; status == SADDLE_OK && names[i]; i++) {
        char *file = saddle__path_join(context, folder.temporary, names[i]);
        status = file ? writers[i](&w, file) : SADDLE_OUT_OF_MEMORY;
        saddle_release(context, file);
    }
    return saddle__new_folder_finish(&folder, status);
}

saddle_status saddle__bundle_write(saddle_context *context, const char *path,
                                   const saddle_problem *problem)
{
    return saddle__bundle_write_more(context, path, problem, NULL);
}
