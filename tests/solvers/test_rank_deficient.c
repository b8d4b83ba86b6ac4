/* SPDX-License-Identifier: MIT */
/* Coulomb contacts with a Delassus matrix of low rank, W = G G', drawn: contacts that repeat
 * others, to the bit or in units of their own, and fewer motions than rows.  Each problem is made
 * from a solution. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "contact_law.h"
#include "support.h"

/* Of an answer called solved to the tolerance of 1e-10. */
static const double law_error = 1e-7;

enum { CONTACTS = 8, MOST = 6 * CONTACTS };

typedef struct drawn {
    saddle_contact contact[CONTACTS];
    double G[MOST][MOST]; /* m x rank */
    double lambda[MOST], w[MOST], W[MOST * MOST], b[MOST];
    int64_t start[MOST + 1], index[MOST * MOST];
    double mass[MOST];
    int64_t mass_start[MOST + 1], mass_index[MOST];
    saddle_problem problem;
} drawn;

/* x[count] <- a direction times `length` */
static void draw_direction(uint64_t *seed, int64_t count, double length, double *x)
{
    double angle = test_uniform(seed, 0, 2 * 3.14159265358979323846);
    x[0] = count == 1 ? (test_integer(seed, 0, 1) ? length : -length) : length * cos(angle);
    if (count == 2) x[1] = length * sin(angle);
}

/* Impulse and velocity of a part: within its disc at w = 0, or on the circle against w. */
static void plant_part(uint64_t *seed, int64_t count, double radius, double *l, double *w)
{
    int slides = test_integer(seed, 0, 1) == 0;
    draw_direction(seed, count, slides ? radius : radius * test_uniform(seed, 0, 1), l);
    double speed = slides && radius > 0 ? test_uniform(seed, 0, 1) / radius : 0;
    for (int64_t i = 0; i < count; i++) w[i] = speed > 0 ? -speed * l[i] : 0;
}

/* An open contact, a grazing one, or one that pushes, on which parts stick or slide. */
static void plant(uint64_t *seed, const saddle_contact *c, double *l, double *w)
{
    int64_t state = test_integer(seed, 0, 3);
    int64_t tangents = c->size == 2 ? 1 : 2;
    memset(l, 0, (size_t)c->size * sizeof *l);
    memset(w, 0, (size_t)c->size * sizeof *w);
    if (state <= 1) {
        for (int64_t i = 1; i < c->size; i++) w[i] = test_uniform(seed, -1, 1);
        w[0] = state == 0 ? test_uniform(seed, 0.1, 1) : 0;
        return;
    }
    l[0] = test_uniform(seed, 0.1, 2);
    plant_part(seed, tangents, c->mu * l[0], l + 1, w + 1);
    if (c->size == 4 || c->size == 6) plant_part(seed, 1, c->mu_torsion * l[0], l + 3, w + 3);
    if (c->size >= 5) plant_part(seed, 2, c->mu_rolling * l[0], l + c->size - 2, w + c->size - 2);
}

static void draw_contact(uint64_t *seed, int64_t size, int64_t rank, int64_t row, saddle_contact *c,
                         drawn *d)
{
    *c = (saddle_contact){.row = row, .size = size, .mu = test_uniform(seed, 0, 1)};
    if (size == 4 || size == 6) c->mu_torsion = test_uniform(seed, 0, 1);
    if (size >= 5) c->mu_rolling = test_uniform(seed, 0, 1);
    plant(seed, c, d->lambda + row, d->w + row);
    for (int64_t i = row; i < row + size; i++)
        for (int64_t k = 0; k < rank; k++) d->G[i][k] = test_uniform(seed, -1, 1);
}

/* A contact like `from`, its velocities times `unit`, with a drawn share of impulse. */
static void repeat_contact(uint64_t *seed, const saddle_contact *from, double unit, int64_t row,
                           saddle_contact *c, drawn *d)
{
    double share = test_uniform(seed, 0.2, 1);
    *c = *from;
    c->row = row;
    for (int64_t i = 0; i < c->size; i++) {
        d->lambda[row + i] = share * d->lambda[from->row + i];
        d->w[row + i] = unit * d->w[from->row + i];
        for (int64_t k = 0; k < MOST; k++) d->G[row + i][k] = unit * d->G[from->row + i][k];
    }
}

/* The rows' problem without velocities, or with masses of 1: W = G G' either way. */
static void assemble(int has_velocities, int64_t rank, drawn *d)
{
    int64_t m = d->problem.m, cols = has_velocities ? rank : m;
    for (int64_t i = 0; i < m; i++) {
        d->b[i] = -d->w[i];
        d->start[i] = i * cols;
        for (int64_t j = 0; j < m; j++) {
            double sum = 0;
            for (int64_t k = 0; k < rank; k++) sum += d->G[i][k] * d->G[j][k];
            d->b[i] += sum * d->lambda[j];
            if (!has_velocities) d->W[i * m + j] = sum;
        }
        for (int64_t k = 0; k < cols; k++) {
            d->index[i * cols + k] = k;
            if (has_velocities) d->W[i * cols + k] = d->G[i][k];
        }
    }
    d->start[m] = m * cols;
    saddle_matrix A = saddle_matrix_view(cols, m, d->start, d->index, d->W, SADDLE_SYMMETRY_NONE);
    if (!has_velocities) {
        A.symmetry = SADDLE_SYMMETRY_FULL;
        d->problem.R = A;
        return;
    }
    d->problem.n = rank;
    d->problem.Jt = A;
    for (int64_t j = 0; j < rank; j++) d->mass[j] = 1, d->mass_start[j] = d->mass_index[j] = j;
    d->mass_start[rank] = rank;
    d->problem.M = saddle_matrix_view(rank, rank, d->mass_start, d->mass_index, d->mass,
                                      SADDLE_SYMMETRY_LOWER);
}

/* 2 to 8 contacts of `least` to `most` rows; a third of them repeat another. */
static void draw(uint64_t *seed, int64_t least, int64_t most, drawn *d)
{
    int64_t contacts = test_integer(seed, 2, CONTACTS), m = 0;
    memset(d, 0, sizeof *d);
    int64_t rank = test_integer(seed, 1, contacts * least - 1);
    for (int64_t c = 0; c < contacts; c++) {
        int64_t kind = c == 0 ? 5 : test_integer(seed, 0, 5);
        const saddle_contact *from = &d->contact[c == 0 ? 0 : test_integer(seed, 0, c - 1)];
        double unit = kind == 0 ? 1 : test_uniform(seed, 0.1, 10);
        if (kind <= 1)
            repeat_contact(seed, from, unit, m, &d->contact[c], d);
        else
            draw_contact(seed, test_integer(seed, least, most), rank, m, &d->contact[c], d);
        m += d->contact[c].size;
    }
    d->problem.m = m;
    d->problem.b = d->b;
    d->problem.contact_count = contacts;
    d->problem.contacts = d->contact;
    assemble((int)test_integer(seed, 0, 1), rank, d);
}

typedef struct tally {
    int64_t asked, solved;
    double worst; /* error of what is called solved */
} tally;

static void ask(const saddle_problem *problem, const char *solver, const char *of, uint64_t from,
                tally *t)
{
    saddle_solution x = {0};
    saddle_report report;
    saddle_status status = saddle_solve(NULL, problem, solver, NULL, NULL, &x, &report);
    t->asked++;
    t->solved += status == SADDLE_OK;
    if (status < 0 || report.proof.kind != SADDLE_PROOF_NONE)
        fail_msg("%s of %s drawn from %" PRIu64 ": %s", solver, of, from,
                 saddle_status_name(status));
    double error = status == SADDLE_OK ? contact_law_error(problem, x.v, x.lambda, 1, 0) : 0;
    t->worst = fmax(t->worst, error);
    if (!(error <= law_error))
        fail_msg("%s of %s drawn from %" PRIu64 ": called solved, error %.1e", solver, of, from,
                 error);
    saddle_solution_clear(&x);
}

/* auto takes every problem, the others, which give up late, one in twenty. */
static void ask_all(int64_t least, int64_t most, const char *of, double share)
{
    uint64_t seed = test_seed();
    enum { TYPES = 16 };
    tally by[TYPES] = {{0}};
    int64_t draws = test_draws_at_least(20, 700);
    for (int64_t k = 0; k < draws; k++) {
        static drawn d;
        const saddle_solver_type *type;
        uint64_t from = seed;
        draw(&seed, least, most, &d);
        for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++)
            if (saddle_solver_type_supports(NULL, type, &d.problem) == SADDLE_OK &&
                (k % 20 == 0 || strcmp(type->name, "auto") == 0))
                ask(&d.problem, type->name, of, from, &by[i]);
    }
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(NULL, i)) != NULL; i++) {
        if (by[i].asked == 0) continue;
        print_message("    %-22s %-14s %4d of %4d solved, worst error %.1e\n", of, type->name,
                      (int)by[i].solved, (int)by[i].asked, by[i].worst);
        if (strcmp(type->name, "auto") == 0)
            assert_true((double)by[i].solved >= share * (double)by[i].asked - 2);
    }
}

static void nearly_all_plane_contacts_are_solved(void **unused)
{
    (void)unused;
    ask_all(2, 2, "2 rows a contact", 0.99);
}

static void nearly_all_contacts_in_space_are_solved(void **unused)
{
    (void)unused;
    ask_all(3, 3, "3 rows a contact", 0.99);
}

static void nearly_all_wide_contacts_are_solved(void **unused)
{
    (void)unused;
    ask_all(4, 6, "4 to 6 rows a contact", 0.99);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nearly_all_plane_contacts_are_solved),
        cmocka_unit_test(nearly_all_contacts_in_space_are_solved),
        cmocka_unit_test(nearly_all_wide_contacts_are_solved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
