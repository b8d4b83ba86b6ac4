/* SPDX-License-Identifier: MIT */
/* Newton steps on natural maps; the equations are in gauss_seidel.h.  The matrix is stored by rows,
 * as the transpose by columns; all rows of a contact have the same pattern. */
#include "gauss_seidel/gauss_seidel.h"

#include <math.h>
#include <string.h>

#include "dense/lapack.h"
#include "problem/cone.h"

/* Unknowns: a dense L U, without allocations, is as quick up to here. */
#define DENSE 256

/* M of small blocks, and not too many: else a factorization costs as much as thousands of
 * sweeps. */
#define MOST_UNKNOWNS 50000
#define MOST_ENTRIES 24
/* delta at first, and at most: delta falls where steps help and rises where not. */
#define FIRST_SHARE 1e-3
#define MOST_SHARE 10.0
/* Halvings of a step at most. */
#define HALVINGS 3

int saddle__newton_applies(const saddle_problem *problem)
{
    const int64_t size = problem->n + problem->m;
    const int has_maps = problem->contact_count == 0 || problem->law == SADDLE_LAW_CONE ||
                         problem->law == SADDLE_LAW_ASSOCIATED;
    return has_maps && size <= MOST_UNKNOWNS &&
           saddle_matrix_entries(&problem->M) <= MOST_ENTRIES * problem->n;
}

/* The start of J's row; 0 without velocities. */
static int64_t J_start(const saddle_problem *problem, int64_t row)
{
    return problem->n > 0 && problem->Jt.start ? problem->Jt.start[row] : 0;
}

static int64_t unit_size(const saddle_problem *problem, const saddle__unit *unit)
{
    return unit->contact < 0 ? 1 : problem->contacts[unit->contact].size;
}

/* ---- pattern ---- */

/* A column of the present row's pattern, unless already present from `from` on, by place. */
static void add_column(saddle__newton *newton, int64_t column, int64_t from, int64_t *end)
{
    const int64_t at = newton->place[column];
    if (at >= from && at < *end && newton->At.index[at] == column) return;
    int64_t k = (*end)++;
    for (; k > from && newton->At.index[k - 1] > column; k--) {
        newton->At.index[k] = newton->At.index[k - 1];
        newton->place[newton->At.index[k]] = k;
    }
    newton->At.index[k] = column;
    newton->place[column] = k;
}

/* The pattern of a unit's rows, once; returns the end. */
static int64_t lay_unit(const saddle_problem *problem, saddle__newton *newton,
                        const saddle__unit *unit, int64_t from)
{
    int64_t end = from;
    for (int64_t i = 0; i < unit_size(problem, unit); i++) {
        const int64_t row = unit->row + i;
        for (int64_t k = J_start(problem, row); k < J_start(problem, row + 1); k++) {
            add_column(newton, problem->Jt.index[k], from, &end);
        }
        for (int64_t k = newton->R.start[row]; k < newton->R.start[row + 1]; k++) {
            add_column(newton, newton->n + newton->R.index[k], from, &end);
        }
        add_column(newton, newton->n + row, from, &end);
    }
    return end;
}

static void lay(const saddle_problem *problem, saddle__newton *newton)
{
    saddle_matrix *At = &newton->At;
    int64_t end = 0;
    for (int64_t j = 0; j < newton->n; j++) {
        At->start[j] = end;
        for (int64_t k = newton->M.start[j]; k < newton->M.start[j + 1]; k++)
            At->index[end++] = newton->M.index[k];
        for (int64_t k = newton->Jt.start[j]; k < newton->Jt.start[j + 1]; k++) {
            At->index[end++] = newton->n + newton->Jt.index[k];
        }
    }
    for (int64_t u = 0; u < newton->units; u++) {
        const saddle__unit *unit = &newton->unit[u];
        const int64_t first = end;
        end = lay_unit(problem, newton, unit, first);
        const int64_t length = end - first;
        At->start[newton->n + unit->row] = first;
        for (int64_t i = 1; i < unit_size(problem, unit); i++) {
            At->start[newton->n + unit->row + i] = end;
            memcpy(At->index + end, At->index + first, (size_t)length * sizeof *At->index);
            end += length;
        }
    }
    At->start[newton->n + newton->m] = end;
}

/* d: the largest of the unit's |R_ii| + sum J_ij^2 / |M_jj|, 1 instead of 0. */
void saddle__newton_prepare(const saddle_problem *problem, saddle__newton *newton)
{
    newton->share = FIRST_SHARE;
    for (int64_t u = 0; u < newton->units; u++) {
        const saddle__unit *unit = &newton->unit[u];
        double largest = 0;
        for (int64_t i = 0; i < unit_size(problem, unit); i++) {
            const int64_t row = unit->row + i;
            double sum = 0;
            for (int64_t k = newton->R.start[row]; k < newton->R.start[row + 1]; k++) {
                if (newton->R.index[k] == row) sum += fabs(problem->R.value[newton->R.source[k]]);
            }
            for (int64_t k = J_start(problem, row); k < J_start(problem, row + 1); k++) {
                const int64_t j = problem->Jt.index[k];
                const double mass = fabs(saddle_matrix_entry(&problem->M, j, j)),
                             slope = problem->Jt.value[k];
                sum += mass > 0 ? slope * slope / mass : 0;
            }
            largest = fmax(largest, sum);
        }
        for (int64_t i = 0; i < unit_size(problem, unit); i++)
            newton->d[unit->row + i] = largest > 0 ? largest : 1;
    }
}

/* How many entries the matrix has at most. */
static int64_t count_entries(const saddle_problem *problem, const saddle__newton *newton)
{
    int64_t count = newton->n > 0 ? newton->M.start[newton->n] + newton->Jt.start[newton->n] : 0;
    for (int64_t u = 0; u < newton->units; u++) {
        const int64_t first = newton->unit[u].row, size = unit_size(problem, &newton->unit[u]);
        const int64_t of_J = J_start(problem, first + size) - J_start(problem, first);
        count += size * (of_J + newton->R.start[first + size] - newton->R.start[first] + size);
    }
    return count;
}

saddle_status saddle__newton_make(saddle_context *context, const saddle_problem *problem,
                                  const saddle__unit *unit, int64_t units, saddle__newton *newton)
{
    *newton = (saddle__newton){.n = problem->n, .m = problem->m, .units = units, .unit = unit};
    const int64_t size = newton->n + newton->m;
    saddle_status status = SADDLE_OK;
    if (newton->n > 0) status = saddle__rows_make(context, &problem->M, newton->n, &newton->M);
    if (newton->n > 0 && status == SADDLE_OK)
        status = saddle__rows_make(context, &problem->Jt, newton->n, &newton->Jt);
    if (status == SADDLE_OK)
        status = saddle__rows_make(context, &problem->R, newton->m, &newton->R);
    if (status == SADDLE_OK)
        status = saddle_matrix_create(context, size, size, count_entries(problem, newton),
                                      SADDLE_GENERAL, &newton->At);
    const int is_dense = size <= DENSE;
    if (status == SADDLE_OK && !is_dense) {
        const char *name = saddle__factorization_name(SADDLE_FACTORIZATION_DEFAULT, 1);
        status = saddle__factorization_create(context, name, SADDLE_ORDERING_BEST, &newton->lu);
    }
    double **const arrays[] = {&newton->d,      &newton->w, &newton->G,    &newton->step,
                               &newton->lambda, &newton->v, &newton->start};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays && status == SADDLE_OK; k++) {
        *arrays[k] = saddle_allocate(context, size + 1, sizeof **arrays[k]);
        if (*arrays[k] == NULL) status = SADDLE_OUT_OF_MEMORY;
    }
    if (status == SADDLE_OK)
        newton->place = saddle_allocate(context, size + 1, sizeof *newton->place);
    if (status != SADDLE_OK) return status;
    if (newton->place == NULL) return SADDLE_OUT_OF_MEMORY;
    lay(problem, newton);
    if (is_dense) {
        newton->dense = saddle_allocate(context, size * size + 1, sizeof *newton->dense);
        newton->pivot = saddle_allocate(context, size + 1, sizeof *newton->pivot);
        return newton->dense && newton->pivot ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    }
    return saddle__factorization_analyse(newton->lu, &newton->At);
}

void saddle__newton_clear(saddle_context *context, saddle__newton *newton)
{
    saddle__rows_clear(context, &newton->M);
    saddle__rows_clear(context, &newton->Jt);
    saddle__rows_clear(context, &newton->R);
    saddle_matrix_clear(&newton->At);
    saddle__factorization_free(newton->lu);
    void *const arrays[] = {newton->d, newton->w,     newton->G,     newton->step,  newton->lambda,
                            newton->v, newton->start, newton->place, newton->dense, newton->pivot};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) saddle_release(context, arrays[k]);
    *newton = (saddle__newton){0};
}

/* ---- maps ---- */

/* w = J v + R lambda - b */
static void measure_slack(const saddle_problem *problem, const saddle__newton *newton,
                          const double *v, const double *lambda)
{
    for (int64_t i = 0; i < newton->m; i++) {
        double sum = problem->b ? -problem->b[i] : 0;
        for (int64_t k = J_start(problem, i); k < J_start(problem, i + 1); k++) {
            sum += problem->Jt.value[k] * v[problem->Jt.index[k]];
        }
        for (int64_t k = newton->R.start[i]; k < newton->R.start[i + 1]; k++) {
            sum += problem->R.value[newton->R.source[k]] * lambda[newton->R.index[k]];
        }
        newton->w[i] = sum;
    }
}

/* z = lambda - s / d of a contact. */
static void shifted(const saddle_problem *problem, const saddle__newton *newton,
                    const saddle_contact *contact, const double *lambda, double *z)
{
    const double *w = newton->w + contact->row;
    const double tangent = contact->size == 3 ? saddle__length(w[1], w[2]) : fabs(w[1]);
    for (int64_t i = 0; i < contact->size; i++)
        z[i] = lambda[contact->row + i] - w[i] / newton->d[contact->row];
    if (problem->law == SADDLE_LAW_CONE) z[0] -= contact->mu * tangent / newton->d[contact->row];
}

/* G of all units at newton->w; answers its 2-norm. */
static double measure_maps(const saddle_problem *problem, const saddle__newton *newton,
                           const double *lambda)
{
    double sum = 0;
    for (int64_t u = 0; u < newton->units; u++) {
        const int64_t row = newton->unit[u].row, size = unit_size(problem, &newton->unit[u]);
        double z[3];
        if (newton->unit[u].contact < 0) {
            z[0] = saddle__clamp(lambda[row] - newton->w[row] / newton->d[row],
                                 saddle_problem_lo(problem, row), saddle_problem_hi(problem, row));
        } else {
            const saddle_contact *contact = &problem->contacts[newton->unit[u].contact];
            shifted(problem, newton, contact, lambda, z);
            saddle__project_cone(contact->mu, contact->size, z);
        }
        for (int64_t i = 0; i < size; i++) {
            newton->G[row + i] = newton->d[row] * (lambda[row + i] - z[i]);
            sum += newton->G[row + i] * newton->G[row + i];
        }
    }
    return sqrt(sum);
}

/* Z (3 x 3 by rows) = dP/dz of the cone: I inside, 0 in the polar cone, else of z -> a (1, mu
 * t/|t|), a = (z_n + mu |t|)/(1 + mu^2). */
static void cone_derivative(double mu, int64_t size, const double *z, double (*Z)[3])
{
    const double tangent = size == 3 ? saddle__length(z[1], z[2]) : fabs(z[1]);
    const double along = (z[0] + mu * tangent) / (1 + mu * mu);
    memset(Z, 0, 9 * sizeof **Z);
    if (z[0] >= 0 && tangent <= mu * z[0]) {
        for (int64_t i = 0; i < size; i++) Z[i][i] = 1;
    } else if (along > 0 && tangent > 0) {
        double u[3] = {1, mu * z[1] / tangent, size == 3 ? mu * z[2] / tangent : 0};
        for (int64_t i = 0; i < size; i++) {
            for (int64_t j = 0; j < size; j++) Z[i][j] = u[i] * u[j] / (1 + mu * mu);
        }
        const double turn = size == 3 ? mu * along / tangent : 0, c = z[1] / tangent,
                     s = size == 3 ? z[2] / tangent : 0;
        Z[1][1] += turn * s * s;
        Z[1][2] -= turn * c * s;
        Z[2][1] -= turn * c * s;
        Z[2][2] += turn * c * c;
    }
}

/* Z and C = Z S of a unit. */
static void unit_derivative(const saddle_problem *problem, const saddle__newton *newton,
                            const saddle__unit *unit, const double *lambda, double (*Z)[3],
                            double (*C)[3])
{
    memset(Z, 0, 9 * sizeof **Z);
    if (unit->contact < 0) {
        const double z = lambda[unit->row] - newton->w[unit->row] / newton->d[unit->row];
        Z[0][0] = z > saddle_problem_lo(problem, unit->row) &&
                  z < saddle_problem_hi(problem, unit->row);
        memcpy(C, Z, 9 * sizeof **Z);
        return;
    }
    const saddle_contact *contact = &problem->contacts[unit->contact];
    const double *w = newton->w + contact->row;
    double z[3] = {0};
    shifted(problem, newton, contact, lambda, z);
    cone_derivative(contact->mu, contact->size, z, Z);
    memcpy(C, Z, 9 * sizeof **Z);
    const double tangent = contact->size == 3 ? saddle__length(w[1], w[2]) : fabs(w[1]);
    if (problem->law != SADDLE_LAW_CONE || !(tangent > 0)) return;
    for (int64_t i = 0; i < contact->size; i++) {
        for (int64_t j = 1; j < contact->size; j++)
            C[i][j] += Z[i][0] * contact->mu * w[j] / tangent;
    }
}

/* ---- a step ---- */

static void fill_unit(const saddle_problem *problem, saddle__newton *newton,
                      const saddle__unit *unit, const double *lambda)
{
    const int64_t size = unit_size(problem, unit), first = newton->n + unit->row;
    const int64_t *start = newton->At.start + first;
    double Z[3][3], C[3][3];
    unit_derivative(problem, newton, unit, lambda, Z, C);
    for (int64_t k = start[0]; k < start[1]; k++) newton->place[newton->At.index[k]] = k - start[0];
    for (int64_t i = 0; i < size; i++) {
        double *value = newton->At.value + start[i];
        memset(value, 0, (size_t)(start[i + 1] - start[i]) * sizeof *value);
        for (int64_t r = 0; r < size; r++) {
            const int64_t row = unit->row + r;
            const double d = newton->d[row];
            for (int64_t k = J_start(problem, row); k < J_start(problem, row + 1); k++) {
                value[newton->place[problem->Jt.index[k]]] += C[i][r] * problem->Jt.value[k];
            }
            for (int64_t k = newton->R.start[row]; k < newton->R.start[row + 1]; k++) {
                value[newton->place[newton->n + newton->R.index[k]]] +=
                    C[i][r] * problem->R.value[newton->R.source[k]];
            }
            value[newton->place[newton->n + row]] += C[i][r] * newton->share * d +
                                                     d * ((i == r) - Z[i][r]);
        }
    }
}

static void fill(const saddle_problem *problem, saddle__newton *newton, const double *lambda)
{
    for (int64_t j = 0; j < newton->n; j++) {
        double *value = newton->At.value + newton->At.start[j];
        for (int64_t k = newton->M.start[j]; k < newton->M.start[j + 1]; k++)
            *value++ = problem->M.value[newton->M.source[k]];
        for (int64_t k = newton->Jt.start[j]; k < newton->Jt.start[j + 1]; k++) {
            *value++ = -problem->Jt.value[newton->Jt.source[k]];
        }
    }
    for (int64_t u = 0; u < newton->units; u++)
        fill_unit(problem, newton, &newton->unit[u], lambda);
}

/* newton->step <- A^-1 step, by the dense L U of a small A. */
static saddle_status solve_dense(saddle__newton *newton)
{
    const int size = (int)(newton->n + newton->m), one = 1;
    int info = 0;
    memset(newton->dense, 0, (size_t)size * (size_t)size * sizeof *newton->dense);
    for (int row = 0; row < size; row++) {
        for (int64_t k = newton->At.start[row]; k < newton->At.start[row + 1]; k++) {
            newton->dense[row + size * newton->At.index[k]] = newton->At.value[k];
        }
    }
    dgesv_(&size, &one, newton->dense, &size, newton->pivot, newton->step, &size, &info);
    return info == 0 ? SADDLE_OK : SADDLE_SINGULAR;
}

static saddle_status solve_sparse(saddle__newton *newton)
{
    const saddle_status status = saddle__factorization_factor(newton->lu, &newton->At, NULL, 0);
    return status == SADDLE_OK ? saddle__factorization_solve_transpose(newton->lu, newton->step)
                               : status;
}

/* The step for the present share of d. */
static saddle_status solve_step(const saddle_problem *problem, saddle__newton *newton,
                                const double *v, const double *lambda, double *before)
{
    measure_slack(problem, newton, v, lambda);
    *before = measure_maps(problem, newton, lambda);
    fill(problem, newton, lambda);
    for (int64_t j = 0; j < newton->n; j++) newton->step[j] = 0;
    for (int64_t i = 0; i < newton->m; i++) newton->step[newton->n + i] = -newton->G[i];
    return newton->dense != NULL ? solve_dense(newton) : solve_sparse(newton);
}

/* Takes the longest part of the step with a smaller |G|; returns |G| after over |G| before, 1
 * without success. */
static double go(const saddle_problem *problem, saddle__newton *newton, double before, double *v,
                 double *lambda)
{
    const int64_t n = newton->n, m = newton->m;
    double length = 1;
    for (int k = 0; k <= HALVINGS; k++, length *= 0.5) {
        for (int64_t j = 0; j < n; j++) newton->v[j] = v[j] + length * newton->step[j];
        for (int64_t i = 0; i < m; i++)
            newton->lambda[i] = lambda[i] + length * newton->step[n + i];
        measure_slack(problem, newton, newton->v, newton->lambda);
        const double after = measure_maps(problem, newton, newton->lambda);
        if (!(after < before * (1 - 0.01 * length))) continue;
        if (n > 0) memcpy(v, newton->v, (size_t)n * sizeof *v);
        memcpy(lambda, newton->lambda, (size_t)m * sizeof *lambda);
        return after / before;
    }
    return 1;
}

saddle_status saddle__newton_step(const saddle_problem *problem, saddle__newton *newton, double *v,
                                  double *lambda, double *gain)
{
    for (*gain = 1; *gain >= 1 && newton->share <= MOST_SHARE;) {
        double before;
        const saddle_status status = solve_step(problem, newton, v, lambda, &before);
        if (status != SADDLE_OK || !(before > 0) || !isfinite(before)) return status;
        *gain = go(problem, newton, before, v, lambda);
        newton->share *= *gain < 1 ? (*gain < 0.5 ? 0.1 : 0.5) : 10;
    }
    return SADDLE_OK;
}
