/* SPDX-License-Identifier: MIT */
/* See tree_solve.h. */
#include "tree_solve.h"

#include <math.h>
#include <string.h>

#include "../harness.h"
#include "kept_chain.h"

enum { SOLVE_REPEATS = 7 };
static const double most_seconds = 5; /* no repeats beyond */

void tree_solve_draw(int64_t links, int friction, tree_solve_rows *rows)
{
    const int64_t ends[2] = {-1, links - 1};
    const double zero[3] = {0}, tip[3] = {0, -1, 0}, z[3] = {0, 0, 1};
    memset(rows, 0, sizeof *rows);
    saddle_tree_rows_in_plane(ends, zero, tip, z, rows->row);
    rows->count = 2;
    for (int k = 0; k < TREE_SOLVE_POINTS; k++) {
        saddle_tree_row normal = {.kind = SADDLE_TREE_ROW_TWIST,
                                  .body = {-1, (k + 1) * links / (TREE_SOLVE_POINTS + 1)},
                                  .axis = {{0, 1, 0}}};
        saddle_tree_row tangent = normal;
        tangent.axis[0][1] = 0;
        tangent.axis[0][0] = 1;
        if (friction)
            rows->contact[rows->contacts++] = (saddle_contact){.row = rows->count,
                                                               .size = 2,
                                                               .mu = 0.5};
        rows->row[rows->count++] = normal;
        if (friction) rows->row[rows->count++] = tangent;
    }
}

typedef struct solve {
    saddle_tree *tree;
    tree_solve_rows *rows;
    saddle_tree_stage stage;
    saddle_problem problem;
    saddle_solver *solver;
    saddle_solution x;
} solve;

static saddle_status prepare(saddle_context *context, const char *name, solve *s)
{
    const int64_t n = saddle_tree_size_of(s->tree).coordinates;
    saddle_mass_operator mass;
    saddle_status status = saddle_tree_problem(s->tree, s->rows->count, s->rows->row, &s->stage,
                                               NULL, NULL, &s->problem);
    if (status != SADDLE_OK) return status;
    s->problem.contacts = s->rows->contact;
    s->problem.contact_count = s->rows->contacts;
    s->problem.law = SADDLE_LAW_BOX;
    status = saddle_solver_create(context, name, NULL, &s->solver);
    if (status == SADDLE_OK) status = saddle_tree_mass_operator(s->tree, &mass);
    if (status == SADDLE_OK && s->stage.matrix_free)
        status = saddle_solver_set_mass(s->solver, &mass);
    if (status == SADDLE_OK) status = saddle_solver_analyse(s->solver, &s->problem);
    if (status == SADDLE_OK) status = saddle_solution_create(context, n, s->rows->count, &s->x);
    return status;
}

static saddle_status run(solve *s)
{
    saddle_status status = s->stage.matrix_free ? saddle_tree_factor(s->tree, 0) : SADDLE_OK;
    if (status == SADDLE_OK)
        status = saddle_tree_problem_values(s->tree, s->rows->count, s->rows->row, &s->stage, NULL,
                                            NULL, &s->problem);
    if (status == SADDLE_OK) status = saddle_solver_factor(s->solver, &s->problem);
    if (status == SADDLE_OK) status = saddle_solver_solve(s->solver, &s->problem, NULL, &s->x);
    return status;
}

saddle_status tree_solve_seconds(saddle_context *context, saddle_tree *tree, tree_solve_rows *rows,
                                 const char *solver, int recursion, double *median, double *ddq)
{
    solve s = {.tree = tree, .rows = rows, .stage = {.matrix_free = recursion}};
    double seconds[SOLVE_REPEATS], spent = 0;
    int repeats = 0;
    saddle_status status = prepare(context, solver, &s);
    while (status >= 0 && repeats < SOLVE_REPEATS && spent < most_seconds) {
        const double began = bench_processor_seconds();
        status = run(&s);
        seconds[repeats] = bench_processor_seconds() - began;
        spent += seconds[repeats++];
    }
    if (status >= 0) *median = bench_median(seconds, repeats);
    if (status >= 0) memcpy(ddq, s.x.v, (size_t)s.x.n * sizeof *ddq);
    s.problem.contacts = NULL;
    saddle_solution_clear(&s.x);
    saddle_solver_free(s.solver);
    saddle_problem_clear(&s.problem);
    return status;
}

saddle_status tree_solve_kept_seconds(saddle_context *context, saddle_tree *chain, const double *q,
                                      const tree_solve_rows *rows, double *median, double *ddq)
{
    const int64_t links = saddle_tree_size_of(chain).bodies;
    double *wrench = saddle_allocate(context, 6 * links * rows->count, sizeof *wrench);
    double *still = saddle_allocate(context, links, sizeof *still);
    saddle_status status = wrench && still ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < rows->count; i++)
        status = saddle_tree_rows_loads(chain, 1, &rows->row[i], &(const double){1},
                                        wrench + 6 * links * i);
    if (status == SADDLE_OK)
        status = kept_chain_seconds(context, links, q, still, &(kept_rows){rows->count, wrench},
                                    median, ddq);
    saddle_release(context, wrench);
    saddle_release(context, still);
    return status;
}
