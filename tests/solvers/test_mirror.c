/* SPDX-License-Identifier: MIT */
/* Pyramids of spheres that are their own mirror image, with impulses that are so too: so are the
 * velocities.
 *
 * The mirror is the plane x = 0: of a sphere's velocity x changes sign, of its spin y and z. */
#include <math.h>
#include <string.h>

#include "contact_law.h"
#include "support.h"

enum { LEVELS = 5, SPHERES = 15, N = 6 * SPHERES, CONTACTS = 40, M = 3 * CONTACTS };

typedef struct pyramid {
    int64_t levels, spheres, entries;
    int64_t level[SPHERES], place[SPHERES]; /* of a sphere: from the ground, from the left */
    double x[SPHERES], z[SPHERES];          /* of centres, in radii of 1 */
    double mass[N], f[N], value[12 * M];
    int64_t mass_start[N + 1], mass_index[N], start[M + 1], index[12 * M];
    saddle_contact contact[CONTACTS];
    saddle_problem problem;
} pyramid;

static const double flips[6] = {-1, 1, 1, 1, -1, -1};

static int64_t image_of(const pyramid *p, int64_t sphere)
{
    return sphere + p->levels - p->level[sphere] - 1 - 2 * p->place[sphere];
}

/* The rows of a contact where sphere b lies along (x, z) from sphere a; a = -1: from the ground.
 * The tangents are in the plane of the pyramid and across it. */
static void touch(pyramid *p, int64_t a, int64_t b, double x, double z, double mu)
{
    const double axis[3][3] = {{x, 0, z}, {z, 0, -x}, {0, 1, 0}};
    saddle_contact *c = &p->contact[p->problem.contact_count++];
    *c = (saddle_contact){.row = p->problem.m, .size = 3, .mu = mu};
    for (int k = 0; k < 3; k++) {
        const double *t = axis[k];
        const double turned[3] = {-z * t[1], z * t[0] - x * t[2], x * t[1]}; /* n cross t */
        for (int end = 0; end < 2; end++) {
            int64_t sphere = end ? b : a;
            for (int j = 0; j < 6 && sphere >= 0; j++) {
                p->index[p->entries] = 6 * sphere + j;
                p->value[p->entries++] = j >= 3 ? -turned[j - 3] : end ? t[j] : -t[j];
            }
        }
        p->start[++p->problem.m] = p->entries;
    }
}

static void add_contacts(uint64_t *seed, double friction, int redundant, pyramid *p)
{
    double mu[LEVELS], beside[LEVELS];
    int touching[LEVELS];
    for (int k = 0; k < LEVELS; k++) {
        mu[k] = test_uniform(seed, 0, friction);
        beside[k] = test_uniform(seed, 0, friction);
        touching[k] = redundant && test_integer(seed, 0, 1) == 0;
    }
    for (int64_t b = 0; b < p->spheres; b++) {
        int64_t level = p->level[b], below = b - (p->levels - level + 1);
        if (level == 0)
            touch(p, -1, b, 0, 1, mu[0]);
        else
            for (int side = 0; side < 2; side++)
                touch(p, below + side, b, side ? -0.5 : 0.5, sqrt(0.75), mu[level]);
        if (touching[level] && p->place[b] > 0) touch(p, b - 1, b, 1, 0, beside[level]);
    }
}

/* Weights, and impulses of up to a few weights along and about all axes. */
static void draw(uint64_t *seed, saddle_law law, double friction, int redundant, pyramid *p)
{
    memset(p, 0, sizeof *p);
    p->levels = test_integer(seed, 2, LEVELS);
    for (int64_t level = 0; level < p->levels; level++)
        for (int64_t k = 0; k < p->levels - level; k++, p->spheres++) {
            p->level[p->spheres] = level;
            p->place[p->spheres] = k;
        }
    for (int64_t b = 0; b < p->spheres; b++) {
        int64_t image = image_of(p, b);
        double mass = test_uniform(seed, 0.5, 2);
        for (int j = 0; j < 6; j++) {
            double push = test_uniform(seed, -1, 1);
            if (image < b) continue;
            p->mass[6 * b + j] = p->mass[6 * image + j] = j < 3 ? mass : 0.4 * mass;
            double force = push - (j == 2 ? mass : 0);
            p->f[6 * image + j] = flips[j] * force;
            p->f[6 * b + j] = image == b && flips[j] < 0 ? 0 : force;
        }
    }
    int64_t n = 6 * p->spheres;
    for (int64_t j = 0; j < n; j++) p->mass_start[j] = p->mass_index[j] = j;
    p->mass_start[n] = n;
    p->problem = (saddle_problem){.n = n, .law = law, .f = p->f, .contacts = p->contact};
    add_contacts(seed, friction, redundant, p);
    p->problem.M = saddle_matrix_view(n, n, p->mass_start, p->mass_index, p->mass,
                                      SADDLE_SYMMETRY_LOWER);
    p->problem.Jt = saddle_matrix_view(n, p->problem.m, p->start, p->index, p->value,
                                       SADDLE_SYMMETRY_NONE);
}

/* The rows of the mirror image are rows of the pyramid, or their negatives: Jt and its image map
 * any motion to the same |w|. */
static void assert_is_its_image(uint64_t *seed, const pyramid *p)
{
    double v[2][N], sum[2][3] = {{0}};
    for (int64_t b = 0; b < p->spheres; b++)
        for (int j = 0; j < 6; j++) {
            v[0][6 * b + j] = test_uniform(seed, -1, 1);
            v[1][6 * image_of(p, b) + j] = flips[j] * v[0][6 * b + j];
        }
    for (int k = 0; k < 2; k++)
        for (int64_t i = 0; i < p->problem.m; i++) {
            double w = 0;
            for (int64_t e = p->start[i]; e < p->start[i + 1]; e++)
                w += p->value[e] * v[k][p->index[e]];
            sum[k][i % 3] += i % 3 ? w * w : w;
        }
    for (int r = 0; r < 3; r++) assert_true(fabs(sum[0][r] - sum[1][r]) <= 1e-12 * M);
}

/* Largest difference of the velocities from their image, over the largest velocity or, where all
 * comes to rest, over 1, which impulses of 1 bring a mass of 1 to. */
static double asymmetry(const pyramid *p, const double *v)
{
    double most = 0, size = 0;
    for (int64_t b = 0; b < p->spheres; b++)
        for (int j = 0; j < 6; j++) {
            double image = flips[j] * v[6 * image_of(p, b) + j];
            most = fmax(most, fabs(v[6 * b + j] - image));
            size = fmax(size, fabs(image));
        }
    return most / fmax(size, 1);
}

static const char *const solvers[] = {"admm", "gauss-seidel", "staggered", "auto"};
enum { SOLVERS = 4 };

typedef struct tally {
    int64_t asked, solved;
    double law, off; /* of what is solved, the worst: error, asymmetry */
} tally;

static void ask_all(uint64_t *seed, int64_t draws, int64_t laws, const saddle_law *law,
                    double friction, int redundant, tally by[SOLVERS])
{
    saddle_options options = saddle_options_default();
    options.tolerance = 1e-12;
    for (int64_t k = 0; k < draws; k++) {
        static pyramid p;
        draw(seed, law[k % laws], friction, redundant, &p);
        assert_is_its_image(seed, &p);
        for (int s = 0; s < SOLVERS; s++) {
            saddle_solution x = {0};
            const saddle_solver_type *type = saddle_solver_type_find(NULL, solvers[s]);
            if (saddle_solver_type_supports(NULL, type, &p.problem) != SADDLE_OK) continue;
            saddle_status status = saddle_solve(NULL, &p.problem, solvers[s], &options, NULL, &x,
                                                NULL);
            by[s].asked++;
            if (status == SADDLE_OK) {
                by[s].solved++;
                by[s].off = fmax(by[s].off, asymmetry(&p, x.v));
                if (p.problem.law != SADDLE_LAW_ASSOCIATED)
                    by[s].law = fmax(by[s].law, contact_law_error(&p.problem, x.v, x.lambda, 1, 1));
            }
            saddle_solution_clear(&x);
        }
    }
    for (int s = 0; s < SOLVERS; s++)
        print_message("    friction to %g, %-14s %d of %d solved, law to %.1e, mirrored to %.1e\n",
                      friction, solvers[s], (int)by[s].solved, (int)by[s].asked, by[s].law,
                      by[s].off);
}

/* Where spheres of a level do not touch, the contacts are no more than the motions of the plane:
 * normal impulses are determined, and little friction leaves one v.  The relaxed law always does.
 * No solver knows of the mirror: sweeps go through the contacts in one order, which leaves as much
 * of a difference as the tolerance lets them stop at. */
static void velocities_are_their_own_mirror_image(void **unused)
{
    (void)unused;
    static const saddle_law friction[] = {SADDLE_LAW_CONE, SADDLE_LAW_BOX};
    static const saddle_law relaxed[] = {SADDLE_LAW_ASSOCIATED};
    uint64_t seed = test_seed();
    tally by[2][SOLVERS] = {{{0}}};
    ask_all(&seed, test_draws_at_least(2, 30), 2, friction, 0.2, 0, by[0]);
    ask_all(&seed, test_draws_at_least(2, 15), 1, relaxed, 0.6, 1, by[1]);
    for (int k = 0; k < 2; k++)
        for (int s = 0; s < SOLVERS; s++) {
            assert_int_equal(by[k][s].solved, by[k][s].asked);
            assert_true(by[k][s].off <= 1e-8);
            assert_true(by[k][s].law <= 1e-8);
        }
}

/* Where normal impulses are not determined, nor are the bounds of friction: there are several v.
 * Sweeps find ones that are not their own image at times, and auto, which begins with sweeps.  They
 * obey the law like any other. */
static void answers_that_are_no_mirror_image_obey_the_law_too(void **unused)
{
    (void)unused;
    static const saddle_law friction[] = {SADDLE_LAW_CONE, SADDLE_LAW_BOX};
    uint64_t seed = test_seed();
    tally by[SOLVERS] = {{0}};
    ask_all(&seed, test_draws_at_least(2, 30), 2, friction, 0.6, 1, by);
    for (int s = 0; s < SOLVERS; s++) {
        assert_true(by[s].law <= 1e-8);
        assert_true(by[s].asked > 0 && 2 * by[s].solved >= by[s].asked);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(velocities_are_their_own_mirror_image),
        cmocka_unit_test(answers_that_are_no_mirror_image_obey_the_law_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
