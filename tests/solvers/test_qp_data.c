/* SPDX-License-Identifier: MIT */
/* Quadratic programs of Maros and Meszaros: the optimum that auto finds beside the known one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "files/mat.h"
#include "support.h"

/* The optimum in optima.txt, printed there with 8 digits; NAN = not listed. */
static double known_optimum(const char *name)
{
    char line[256], listed[64];
    double optimum = (double)NAN, value;
    FILE *file = fopen(test_data_path("qp_marosmeszaros/optima.txt"), "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (sscanf(line, "%63s %*d %*d %*d %*d %*d %lf", listed, &value) == 2 &&
            strcasecmp(listed, name) == 0)
            optimum = value;
    fclose(file);
    return optimum;
}

static double objective(const saddle_problem *p, const double *v)
{
    double sum = 0.0;
    double *Mv = calloc((size_t)p->n, sizeof *Mv);
    assert_non_null(Mv);
    saddle_matrix_apply(&p->M, 1.0, v, 0.0, Mv);
    for (int64_t j = 0; j < p->n; j++) sum += v[j] * (0.5 * Mv[j] - p->f[j]);
    free(Mv);
    return sum;
}

/* The largest amount by which a row's bound is broken, lambda >= 0 of an upper side turned. */
static double violation(const saddle_problem *p, const double *v)
{
    double most = 0.0;
    for (int64_t i = 0; i < p->m; i++) {
        double w = -p->b[i];
        for (int64_t k = p->Jt.start[i]; k < p->Jt.start[i + 1]; k++)
            w += p->Jt.value[k] * v[p->Jt.index[k]];
        const int below = isfinite(p->lo[i]), above = isfinite(p->hi[i]);
        most = fmax(most, below ? -w : above ? w : fabs(w));
    }
    return most;
}

static void optima_are_the_known_ones(void **state)
{
    (void)state;
    static const char *const names[] = {"ZECEVIC2", "TAME",     "HS21",    "HS35",   "QPTEST",
                                        "HS53",     "HS51",     "GENHS28", "HS118",  "LOTSCHD",
                                        "QAFIRO",   "QPCBLEND", "DUALC1",  "DUALC2", "PRIMALC1",
                                        "PRIMALC5", "DPKLO1",   "PRIMAL1", "DUAL1",  "AUG3DCQP",
                                        "QADLITTL", "QBANDM",   "QSHARE1B"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        char file[128];
        saddle_problem p = {0};
        saddle_solution x = {0};
        double constant;
        snprintf(file, sizeof file, "qp_marosmeszaros/%s.mat", names[k]);
        const char *path = test_data_path(file);
        assert_int_equal(saddle_problem_read(NULL, path, NULL, &p, NULL, NULL, NULL), SADDLE_OK);
        assert_int_equal(saddle__mat_constant(NULL, path, &constant), SADDLE_OK);
        const saddle_status status = saddle_solve(NULL, &p, "auto", NULL, NULL, &x, NULL);
        if (status != SADDLE_OK) fail_msg("%s: %s", names[k], saddle_status_name(status));
        const double found = objective(&p, x.v) + constant, known = known_optimum(names[k]);
        if (!(fabs(found - known) <= 1e-7 * fmax(1.0, fabs(known))))
            fail_msg("%s: %.12g, known is %.8g", names[k], found, known);
        double size = 1.0;
        for (int64_t i = 0; i < p.m; i++) size = fmax(size, fabs(p.b[i]));
        if (!(violation(&p, x.v) <= 1e-8 * size))
            fail_msg("%s: a row is broken by %g", names[k], violation(&p, x.v));
        saddle_solution_clear(&x);
        saddle_problem_clear(&p);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(optima_are_the_known_ones),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
