/* SPDX-License-Identifier: MIT */
/* saddle_reference_compute for problems with contacts: closed forms, the laws in 400 bits, and
 * states that it must not certify. */
#include <gmp.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "reference_check.h"

/* ---- contacts ---- */

/* One contact of a unit mass, J = 1: the free velocity is f. */
typedef struct single {
    saddle_matrix M;
    saddle_contact contact;
    saddle_problem problem;
} single;

static void make_single(single *s, double *f, double mu, saddle_law law)
{
    static int64_t start[] = {0, 1, 2, 3}, index[] = {0, 1, 2};
    static double one[] = {1.0, 1.0, 1.0};
    s->M = saddle_matrix_view(3, 3, start, index, one, SADDLE_SYMMETRY_LOWER);
    s->contact = (saddle_contact){.row = 0, .size = 3, .mu = mu};
    s->problem = (saddle_problem){
        .n = 3, .m = 3, .M = s->M, .f = f, .contact_count = 1, .contacts = &s->contact, .law = law};
    s->problem.Jt = saddle_matrix_view(3, 3, start, index, one, SADDLE_SYMMETRY_NONE);
}

/* lambda in thousandths, from impulses that are wrong in the sixth digit */
static void expect_impulse(double fn, double f1, double f2, saddle_law law, const long *thousandths)
{
    double f[] = {fn, f1, f2};
    single s;
    saddle_solution x = {0};
    saddle_reference r;
    mpq_t exact;
    make_single(&s, f, 0.5, law);
    mpq_init(exact);
    assert_int_equal(saddle_solution_create(NULL, 3, 3, &x), SADDLE_OK);
    for (int i = 0; i < 3; i++) {
        x.lambda[i] = 1e-3 * (double)thousandths[i] * (1.0 + 1e-6);
        x.v[i] = f[i] + x.lambda[i];
    }
    assert_int_equal(saddle_reference_compute(NULL, &s.problem, &x, &r), SADDLE_OK);
    assert_string_equal(r.note, "certified");
    for (int i = 0; i < 3; i++) {
        mpq_set_si(exact, thousandths[i], 1000);
        mpq_canonicalize(exact);
        assert_true(reference_off(r.lambda[i], r.lambda_low[i], exact) <=
                    r.impulse.bound * r.impulse.size);
    }
    saddle_reference_clear(&r);
    saddle_solution_clear(&x);
    mpq_clear(exact);
}

/* mu = 1/2; sliding against (3, 4)/5; the associated law projects -f on the cone */
static void single_contacts_have_their_closed_forms(void **state)
{
    (void)state;
    const long open[] = {0, 0, 0}, stick[] = {1000, -250, 125}, slide[] = {1000, -300, -400},
               pressed[] = {2800, -840, -1120}, box[] = {1000, -500, -250};
    expect_impulse(1.0, 3.0, 4.0, SADDLE_LAW_CONE, open);
    expect_impulse(-1.0, 0.25, -0.125, SADDLE_LAW_CONE, stick);
    expect_impulse(-1.0, 3.0, 4.0, SADDLE_LAW_CONE, slide);
    expect_impulse(-1.0, 3.0, 4.0, SADDLE_LAW_ASSOCIATED, pressed);
    expect_impulse(-1.0, 3.0, 0.25, SADDLE_LAW_BOX, box);
}

/* ---- contacts that act on one another ---- */

enum { BITS = 400, CONTACTS = 2, CN = 6 }; /* CN: velocities, and rows of the contacts at most */

typedef struct heap {
    int64_t size; /* rows of a contact, 3 to 5 */
    double M[CN * CN], J[2 * CN * CN], f[CN];
    saddle_contact contact[CONTACTS];
    saddle_problem problem;
} heap;

static void draw_heap(heap *h, uint64_t *seed, saddle_law law)
{
    double A[CN * CN], Jt[2 * CN * CN];
    memset(h, 0, sizeof *h);
    h->size = test_integer(seed, 3, 5);
    const int64_t m = CONTACTS * h->size;
    for (int i = 0; i < CN * CN; i++) A[i] = whole(seed, 3);
    for (int i = 0; i < CN; i++)
        for (int j = 0; j < CN; j++) {
            h->M[i + j * CN] = i == j ? 4.0 : 0.0;
            for (int k = 0; k < CN; k++) h->M[i + j * CN] += A[i + k * CN] * A[j + k * CN];
        }
    for (int64_t i = 0; i < m; i++)
        for (int j = 0; j < CN; j++) h->J[i + j * m] = Jt[j + i * CN] = whole(seed, 4);
    for (int j = 0; j < CN; j++) h->f[j] = whole(seed, 30);
    for (int c = 0; c < CONTACTS; c++)
        h->contact[c] = (saddle_contact){
            .row = c * h->size,
            .size = h->size,
            .mu = 0.125 * (double)test_integer(seed, 1, 8),
            .mu_torsion = h->size == 4 ? 0.25 : 0.0,
            .mu_rolling = h->size == 5 ? 0.125 : 0.0,
        };
    h->problem = (saddle_problem){
        .n = CN, .m = m, .f = h->f, .contact_count = CONTACTS, .contacts = h->contact, .law = law};
    reference_sparse(h->M, CN, CN, CN, &h->problem.M);
    reference_sparse(Jt, CN, CN, m, &h->problem.Jt);
}

static void set_sum(mpf_t x, double high, double low)
{
    mpf_t more;
    mpf_init2(more, BITS);
    mpf_set_d(x, high);
    mpf_set_d(more, low);
    mpf_add(x, x, more);
    mpf_clear(more);
}

/* sum += a x */
static void add_product(mpf_t sum, double a, const mpf_t x)
{
    mpf_t term;
    mpf_init2(term, BITS);
    mpf_set_d(term, a);
    mpf_mul(term, term, x);
    mpf_add(sum, sum, term);
    mpf_clear(term);
}

typedef struct wide {
    mpf_t v[CN], lambda[2 * CN], w[2 * CN], t, length[2][2];
} wide;

static void wide_each(wide *x, int begin)
{
    mpf_t *all = x->v;
    for (size_t k = 0; k < sizeof *x / sizeof(mpf_t); k++) {
        if (begin)
            mpf_init2(all[k], BITS);
        else
            mpf_clear(all[k]);
    }
}

/* The largest |M v - J'lambda - f|; w from v. */
static double measure_motion(const heap *h, const saddle_reference *r, wide *x)
{
    const int64_t m = h->problem.m;
    double most = 0.0;
    for (int j = 0; j < CN; j++) set_sum(x->v[j], r->v[j], r->v_low[j]);
    for (int64_t i = 0; i < m; i++) {
        set_sum(x->lambda[i], r->lambda[i], r->lambda_low[i]);
        mpf_set_d(x->w[i], 0.0);
        for (int j = 0; j < CN; j++) add_product(x->w[i], h->J[i + j * m], x->v[j]);
    }
    for (int i = 0; i < CN; i++) {
        mpf_set_d(x->t, -h->f[i]);
        for (int j = 0; j < CN; j++) add_product(x->t, h->M[i + j * CN], x->v[j]);
        for (int64_t k = 0; k < m; k++) add_product(x->t, -h->J[k + i * m], x->lambda[k]);
        most = fmax(most, fabs(mpf_get_d(x->t)));
    }
    return most;
}

/* length <- |x_g| of the tangents, and of torsion or rolling */
static void measure_parts(const heap *h, mpf_t *x, mpf_t *length, mpf_t t)
{
    for (int g = 0; g < 2; g++) {
        mpf_set_d(length[g], 0.0);
        for (int64_t i = g == 0 ? 1 : 3; i < (g == 0 ? 3 : h->size); i++) {
            mpf_mul(t, x[i], x[i]);
            mpf_add(length[g], length[g], t);
        }
        mpf_sqrt(length[g], length[g]);
    }
}

/* The largest violation of lambda in K, s in K*, lambda's = 0. */
static double measure_law(const heap *h, int c, wide *x, saddle_law law)
{
    mpf_t *lambda = x->lambda + c * h->size, *w = x->w + c * h->size;
    const double mu[] = {h->contact[c].mu, h->contact[c].mu_torsion + h->contact[c].mu_rolling};
    double most = 0.0;
    measure_parts(h, lambda, x->length[0], x->t);
    measure_parts(h, w, x->length[1], x->t);
    for (int g = 0; g < 2; g++) { /* |lambda_g| - mu_g lambda_n */
        mpf_set(x->t, x->length[0][g]);
        add_product(x->t, -mu[g], lambda[0]);
        most = fmax(most, mpf_get_d(x->t));
    }
    /* s_n, and s_n - sum mu_g |w_g| >= 0 */
    for (int g = 0; law == SADDLE_LAW_CONE && g < 2; g++) add_product(w[0], mu[g], x->length[1][g]);
    mpf_set(x->t, w[0]);
    for (int g = 0; g < 2; g++) add_product(x->t, -mu[g], x->length[1][g]);
    most = fmax(most, -mpf_get_d(x->t));
    mpf_set_d(x->t, 0.0);
    for (int64_t i = 0; i < h->size; i++) {
        mpf_mul(lambda[i], lambda[i], w[i]);
        mpf_add(x->t, x->t, lambda[i]);
    }
    return fmax(most, fabs(mpf_get_d(x->t)));
}

static void laws_of_drawn_contacts_hold_in_400_bits(void **state)
{
    (void)state;
    uint64_t seed = test_seed();
    int64_t certified = 0, solved = 0, draws = test_draws(300);
    wide x;
    wide_each(&x, 1);
    for (int64_t k = 0; k < draws; k++) {
        const uint64_t begin = seed;
        const saddle_law law = k % 3 == 2 ? SADDLE_LAW_ASSOCIATED : SADDLE_LAW_CONE;
        heap h;
        saddle_solution answer = {0};
        saddle_reference r = {0};
        draw_heap(&h, &seed, law);
        if (saddle_solve(NULL, &h.problem, "auto", NULL, NULL, &answer, NULL) == SADDLE_OK) {
            solved++;
            assert_int_equal(saddle_reference_compute(NULL, &h.problem, &answer, &r), SADDLE_OK);
        }
        if (r.certified) {
            certified++;
            double most = measure_motion(&h, &r, &x);
            for (int c = 0; c < CONTACTS; c++) most = fmax(most, measure_law(&h, c, &x, law));
            if (most > 1e-24) fail_msg("drawn from %" PRIu64 ": off by %.1e", begin, most);
        }
        saddle_reference_clear(&r);
        saddle_solution_clear(&answer);
        saddle_matrix_clear(&h.problem.M);
        saddle_matrix_clear(&h.problem.Jt);
    }
    wide_each(&x, 0);
    print_message("%" PRId64 " heaps, %" PRId64 " solved, %" PRId64 " certified\n", draws, solved,
                  certified);
    assert_true(certified * 10 > solved * 9);
}

/* ---- limits ---- */

static void wrong_solutions_and_pyramids_are_refused(void **state)
{
    (void)state;
    double f[] = {-1.0, 3.0, 4.0};
    single s;
    saddle_solution x = {0}, small = {0};
    saddle_reference r;
    make_single(&s, f, 0.5, SADDLE_LAW_PYRAMID);
    assert_int_equal(saddle_solution_create(NULL, 3, 3, &x), SADDLE_OK);
    assert_int_equal(saddle_reference_compute(NULL, &s.problem, &x, &r), SADDLE_UNSUPPORTED);
    s.problem.law = SADDLE_LAW_CONE;
    assert_int_equal(saddle_reference_compute(NULL, &s.problem, &small, &r),
                     SADDLE_INVALID_ARGUMENT);
    double *const each[] = {x.v, x.lambda, x.w};
    for (int k = 0; k < 3; k++) {
        each[k][1] = (double)NAN;
        assert_int_equal(saddle_reference_compute(NULL, &s.problem, &x, &r),
                         SADDLE_INVALID_ARGUMENT);
        each[k][1] = 0.0;
    }
    saddle_solution_clear(&x);
}

/* Drawn: from zeros, contact 2 slides with w -> 0, where the equation of sliding holds for any
 * impulse, here one outside of the cone. */
static void slides_that_stop_keep_their_cone(void **state)
{
    (void)state;
    double M[] = {2, -1, 1, -1, 3, 0, 1, 0, 4};
    double Jt[] = {-1, -1, 2, 0, -2, -2, -1, -1, 0, -1, -2, 2, 1, -1, -2, 2, -2, 2, 2, 0, 1};
    double R[] = {6, -2, 3,  -3, -1, -4, -1, -2, 3,  0, 0, -1, -1, 3,  3, 0, 5,
                  0, -3, -1, 1,  -3, 0,  0,  4,  1,  4, 1, -1, -1, -3, 1, 4, 0,
                  0, -4, -1, -1, 4,  0,  7,  -2, -1, 3, 1, 1,  0,  -2, 6};
    double f[] = {-1e-5, 1e-5, 3e-5}, b[] = {3e-5, -1e-5, 3e-5, 1e-5, 3e-5, -2e-5, -3e-5};
    saddle_contact contacts[] = {{.row = 0, .size = 2, .mu = 1.0},
                                 {.row = 2, .size = 3, .mu = 1.0}};
    saddle_problem p = {.n = 3, .m = 7, .f = f, .b = b, .contacts = contacts, .contact_count = 2};
    saddle_solution x = {0};
    saddle_reference r;
    reference_sparse(M, 3, 3, 3, &p.M);
    reference_sparse(Jt, 3, 3, 7, &p.Jt);
    reference_sparse(R, 7, 7, 7, &p.R);
    assert_int_equal(saddle_solution_create(NULL, 3, 7, &x), SADDLE_OK);
    assert_int_equal(saddle_reference_compute(NULL, &p, &x, &r), SADDLE_OK);
    if (r.certified) assert_true(hypot(r.lambda[3], r.lambda[4]) <= r.lambda[2] * (1.0 + 1e-14));
    saddle_reference_clear(&r);
    saddle_solution_clear(&x);
    saddle_matrix_clear(&p.M);
    saddle_matrix_clear(&p.Jt);
    saddle_matrix_clear(&p.R);
}

/* A mass of 31 sticks at b by lambda_t = 31 (0.3 / 31) = 0.3 + 2.4e-17: 0.3 in doubles, and outside
 * of the cone of mu = 0.3. */
static void a_stick_beyond_its_cone_by_a_rounding_is_not_certified(void **state)
{
    (void)state;
    int64_t start[] = {0, 1, 2, 3}, index[] = {0, 1, 2};
    double mass[] = {31.0, 31.0, 31.0}, f[] = {-1.0, 0.0, 0.0}, b[] = {0.0, 0.3 / 31.0, 0.0};
    double v[] = {0.0, 0.3 / 31.0, 0.0}, lambda[] = {1.0, 0.3, 0.0};
    const saddle_solution x = {.n = 3, .m = 3, .v = v, .lambda = lambda};
    single s;
    saddle_reference r;
    mpq_t exact, normal;
    assert_true(31.0 * b[1] == 0.3);
    make_single(&s, f, 0.3, SADDLE_LAW_CONE);
    s.problem.M = saddle_matrix_view(3, 3, start, index, mass, SADDLE_SYMMETRY_LOWER);
    s.problem.b = b;
    assert_int_equal(saddle_reference_compute(NULL, &s.problem, &x, &r), SADDLE_OK);
    mpq_inits(exact, normal, NULL);
    mpq_set_d(exact, 0.3);
    mpq_set_d(normal, r.lambda[0]);
    mpq_mul(exact, exact, normal); /* mu lambda_n, but for its low part */
    if (r.certified) {
        assert_true(r.lambda[1] <= 0.3);
        if (r.lambda[1] == 0.3)
            assert_true(reference_off(r.lambda[1], r.lambda_low[1], exact) < 1e-24);
    }
    mpq_clears(exact, normal, NULL);
    saddle_reference_clear(&r);
}

/* Of the associated law at zero impulse no direction presses. */
static void errors_beside_a_matrix_without_factors_are_unknown(void **state)
{
    (void)state;
    double f[] = {-1.0, 3.0, 4.0}, v[3] = {0.0}, lambda[3] = {0.0}, w[3] = {0.0};
    const saddle_solution x = {.n = 3, .m = 3, .v = v, .lambda = lambda, .w = w};
    single s;
    saddle_reference r;
    make_single(&s, f, 0.5, SADDLE_LAW_ASSOCIATED);
    assert_int_equal(saddle_reference_compute(NULL, &s.problem, &x, &r), SADDLE_OK);
    assert_false(r.certified);
    const saddle_reference_error *const each[] = {&r.velocity, &r.impulse, &r.slack};
    for (int k = 0; k < 3; k++) {
        assert_true(isinf(each[k]->largest));
        assert_int_equal(each[k]->component, -1);
    }
    saddle_reference_clear(&r);
}

static saddle_status reference_of_a_slide(saddle_context *context, void *user)
{
    double f[] = {-1.0, 3.0, 4.0}, v[] = {0.0, 2.7, 3.6}, lambda[] = {1.0, -0.3, -0.4};
    const saddle_solution x = {.n = 3, .m = 3, .v = v, .lambda = lambda};
    saddle_reference r;
    single s;
    (void)user;
    make_single(&s, f, 0.5, SADDLE_LAW_CONE);
    const saddle_status status = saddle_reference_compute(context, &s.problem, &x, &r);
    if (status == SADDLE_OK) assert_true(r.certified);
    saddle_reference_clear(&r);
    return status;
}

static void every_allocation_may_fail(void **state)
{
    (void)state;
    assert_true(test_allocation_sweep(reference_of_a_slide, NULL) > 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_contacts_have_their_closed_forms),
        cmocka_unit_test(laws_of_drawn_contacts_hold_in_400_bits),
        cmocka_unit_test(wrong_solutions_and_pyramids_are_refused),
        cmocka_unit_test(slides_that_stop_keep_their_cone),
        cmocka_unit_test(a_stick_beyond_its_cone_by_a_rounding_is_not_certified),
        cmocka_unit_test(errors_beside_a_matrix_without_factors_are_unknown),
        cmocka_unit_test(every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
