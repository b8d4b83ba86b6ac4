/* SPDX-License-Identifier: MIT */
/* MuJoCo's solvers on its own soft contact problems, the bundles of write_mujoco_systems: the pile
 * of the problem's name is made again, and must be the problem. */
#include <string.h>

#include "contact/mujoco_pile.h"
#include "peers/adapter.h"

const char adapter_version[] = "MuJoCo";
const char *const adapter_methods[] = {"newton", "cg", "pgs", NULL};

/* 1: the same sizes, forces and right-hand sides to the bit. */
static int is_same(const saddle_problem *a, const saddle_problem *b)
{
    return a->n == b->n && a->m == b->m && memcmp(a->f, b->f, (size_t)a->n * sizeof *a->f) == 0 &&
           memcmp(a->b, b->b, (size_t)a->m * sizeof *a->b) == 0;
}

static adapter_end solve_pile(adapter_call *call, const mujoco_pile *pile)
{
    static const int solvers[] = {mjSOL_NEWTON, mjSOL_CG, mjSOL_PGS};
    int k = 0;
    while (strcmp(adapter_methods[k], call->method) != 0) k++;
    pile->model->opt.solver = solvers[k];
    pile->model->opt.iterations = k == 0 ? 100 : 10000;
    pile->model->opt.tolerance = call->tolerance;
    call->solve = mujoco_pile_solve(pile);
    call->iterations = pile->data->solver_iter;
    mju_copy(call->v, pile->data->qacc, pile->model->nv);
    mju_copy(call->lambda, pile->data->efc_force, pile->data->nefc);
    return ADAPTER_DONE;
}

adapter_end adapter_solve(adapter_call *call)
{
    int index = 0;
    mujoco_pile pile;
    saddle_problem again = {0};
    const char *name = call->problem->name ? call->problem->name : "";
    while (index < MUJOCO_PILES && strcmp(mujoco_pile_names[index], name) != 0) index++;
    if (index == MUJOCO_PILES)
        return adapter_stop(call, ADAPTER_CANNOT, "no problem of write_mujoco_systems");
    adapter_end end = ADAPTER_FAILED;
    if (mujoco_pile_open(index, &pile) ||
        mujoco_pile_problem(call->context, &pile, &again) != SADDLE_OK)
        (void)adapter_stop(call, end, "the pile cannot be made");
    else if (!is_same(&again, call->problem))
        end = adapter_stop(call, ADAPTER_CANNOT, "a pile of another MuJoCo or machine");
    else
        end = solve_pile(call, &pile);
    saddle_problem_clear(&again);
    mujoco_pile_close(&pile);
    return end;
}
