/* SPDX-License-Identifier: MIT */
/* Differences of sixth order: (45 (f(h) - f(-h)) - 9 (f(2h) - f(-2h)) + f(3h) - f(-3h))/(60 h). */
#include "differences.h"

#include <math.h>
#include <string.h>

enum { ROWS = SADDLE_CONSTRAINT_ROWS_MAX, POINTS = 6 };

static const double turn = 2 * 3.14159265358979323846;
static const double at[POINTS] = {1, -1, 2, -2, 3, -3}, weight[POINTS] = {45, -45, -9, 9, 1, -1};

void test_site_of(saddle_model *model, int64_t count, const saddle_anchor *anchors,
                  const void *data, test_site *site)
{
    assert_true(count <= TEST_SITE_MAX);
    *site = (test_site){.time = saddle_model_time(model),
                        .step = 1e-3,
                        .count = count,
                        .data = data};
    for (int64_t k = 0; k < count; k++) {
        const saddle_anchor anchor = anchors[k];
        const saddle_pose still = saddle_pose_identity();
        const int body = anchor.part.item == SADDLE_ITEM_BODY ||
                         anchor.part.item == SADDLE_ITEM_NONE;
        site->size[k] = body ? 6 : 3;
        memcpy(site->position[k], &still, sizeof still);
        if (anchor.part.item == SADDLE_ITEM_NONE) continue;
        const double *position = saddle_model_position(model, anchor.part) + 3 * anchor.node;
        const double *velocity = saddle_model_velocity(model, anchor.part) + 3 * anchor.node;
        memcpy(site->position[k], position, (body ? 12 : 3) * sizeof *position);
        memcpy(site->velocity[k], velocity, (size_t)site->size[k] * sizeof *velocity);
    }
}

saddle_site test_site_view(test_site *site)
{
    for (int64_t k = 0; k < site->count; k++) {
        site->positions[k] = site->position[k];
        site->velocities[k] = site->velocity[k];
    }
    return (saddle_site){site->data, site->time,      site->count,
                         site->size, site->positions, site->velocities};
}

/* Anchor k moved by d (size). */
static void displace(test_site *site, int64_t k, const double *d)
{
    if (site->size[k] == 3) {
        for (int i = 0; i < 3; i++) site->position[k][i] += d[i];
        return;
    }
    saddle_pose pose;
    memcpy(&pose, site->position[k], sizeof pose);
    const saddle_pose by = saddle_pose_exp(d), moved = saddle_pose_multiply(&pose, &by);
    memcpy(site->position[k], &moved, sizeof moved);
}

void test_site_advance(test_site *site, double by)
{
    for (int64_t k = 0; k < site->count; k++) {
        double d[6];
        for (int i = 0; i < 6; i++) d[i] = by * site->velocity[k][i];
        displace(site, k, d);
    }
    site->time += by;
}

static double larger(double a, double b)
{
    return a > b || isnan(a) ? a : b;
}

/* ---- constraints ---- */

typedef struct values {
    double phi[ROWS], rate[ROWS];
    double J[TEST_SITE_MAX][ROWS * 6];
} values;

static saddle_status evaluate(const saddle_constraint_type *type, test_site site, values *at_site)
{
    *at_site = (values){0};
    double *block[TEST_SITE_MAX];
    for (int64_t k = 0; k < site.count; k++) block[k] = at_site->J[k];
    saddle_constraint_values out = {at_site->phi, at_site->rate, block};
    const saddle_site view = test_site_view(&site);
    return type->evaluate(NULL, &view, &out);
}

/* J v + phi_t */
static double speed(const test_site *site, const values *at_site, int64_t row)
{
    double sum = at_site->rate[row];
    for (int64_t k = 0; k < site->count; k++) {
        for (int64_t j = 0; j < site->size[k]; j++)
            sum += at_site->J[k][row * site->size[k] + j] * site->velocity[k][j];
    }
    return sum;
}

/* (J'F) of anchor k, entry j */
static double push(const test_site *site, const values *at_site, int64_t rows, const double *force,
                   int64_t k, int64_t j)
{
    double sum = 0;
    for (int64_t i = 0; i < rows; i++) sum += at_site->J[k][i * site->size[k] + j] * force[i];
    return sum;
}

/* One column of J and of the stiffness: displacement j of anchor k. */
static saddle_status compare_column(const saddle_constraint_type *type, const test_site *site,
                                    const values *here, int64_t rows, const double *force,
                                    int64_t k, int64_t j, double *const *K, test_errors *errors)
{
    double dphi[ROWS] = {0}, dpush[TEST_SITE_MAX][6] = {{0}};
    static values there;
    for (int s = 0; s < POINTS; s++) {
        test_site moved = *site;
        double d[6] = {0};
        d[j] = at[s] * site->step;
        displace(&moved, k, d);
        const saddle_status status = evaluate(type, moved, &there);
        if (status != SADDLE_OK) return status;
        for (int64_t i = 0; i < rows; i++) {
            dphi[i] += weight[s] * remainder(there.phi[i] - here->phi[i], turn) / (60 * site->step);
        }
        for (int64_t a = 0; a < site->count; a++) {
            for (int64_t i = 0; i < site->size[a]; i++) {
                dpush[a][i] += weight[s] * push(site, &there, rows, force, a, i) /
                               (60 * site->step);
            }
        }
    }
    for (int64_t i = 0; i < rows; i++) {
        const double J = here->J[k][i * site->size[k] + j];
        errors->largest = larger(fabs(J), errors->largest);
        errors->J = larger(fabs(J - dphi[i]), errors->J);
    }
    for (int64_t a = 0; type->stiffness != NULL && a < site->count; a++) {
        for (int64_t i = 0; i < site->size[a]; i++) {
            const double known = K[a * site->count + k][i + site->size[a] * j];
            errors->largest = larger(fabs(known), errors->largest);
            errors->stiffness = larger(fabs(known - dpush[a][i]), errors->stiffness);
        }
    }
    return SADDLE_OK;
}

/* drift against d/dt (J v + phi_t) along the motion, phi_t against phi as time goes alone. */
static saddle_status compare_motion(const saddle_constraint_type *type, const test_site *site,
                                    const values *here, int64_t rows, test_errors *errors)
{
    double dspeed[ROWS] = {0}, dphi[ROWS] = {0}, drift[ROWS] = {0};
    static values there;
    for (int s = 0; s < POINTS; s++) {
        test_site moved = *site, later = *site;
        test_site_advance(&moved, at[s] * site->step);
        later.time += at[s] * site->step;
        saddle_status status = evaluate(type, moved, &there);
        if (status != SADDLE_OK) return status;
        for (int64_t i = 0; i < rows; i++)
            dspeed[i] += weight[s] * speed(&moved, &there, i) / (60 * site->step);
        status = evaluate(type, later, &there);
        if (status != SADDLE_OK) return status;
        for (int64_t i = 0; i < rows; i++)
            dphi[i] += weight[s] * (there.phi[i] - here->phi[i]) / (60 * site->step);
    }
    for (int64_t i = 0; i < rows; i++)
        errors->rate = larger(fabs(here->rate[i] - dphi[i]), errors->rate);
    if (type->drift == NULL) return SADDLE_OK;
    test_site copy = *site;
    const saddle_site view = test_site_view(&copy);
    const saddle_status status = type->drift(NULL, &view, drift);
    for (int64_t i = 0; i < rows; i++) {
        errors->largest = larger(fabs(drift[i]), errors->largest);
        errors->drift = larger(fabs(drift[i] - dspeed[i]), errors->drift);
    }
    return status;
}

static void relative(test_errors *errors)
{
    double *const all[] = {&errors->J, &errors->rate, &errors->drift, &errors->stiffness,
                           &errors->K, &errors->D,    &errors->energy};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) *all[k] /= 1 + errors->largest;
}

saddle_status test_constraint_errors(const saddle_constraint_type *type, const test_site *site,
                                     int64_t rows, uint64_t *seed, test_errors *errors)
{
    static values here;
    static double room[TEST_SITE_MAX * TEST_SITE_MAX][36];
    double force[ROWS], *K[TEST_SITE_MAX * TEST_SITE_MAX];
    memset(room, 0, sizeof room);
    for (int k = 0; k < TEST_SITE_MAX * TEST_SITE_MAX; k++) K[k] = room[k];
    for (int64_t i = 0; i < rows; i++) force[i] = test_uniform(seed, -2, 2);
    *errors = (test_errors){0};
    saddle_status status = evaluate(type, *site, &here);
    test_site copy = *site;
    const saddle_site view = test_site_view(&copy);
    if (status == SADDLE_OK && type->stiffness != NULL)
        status = type->stiffness(NULL, &view, force, K);
    for (int64_t k = 0; status == SADDLE_OK && k < site->count; k++) {
        for (int64_t j = 0; status == SADDLE_OK && j < site->size[k]; j++) {
            status = compare_column(type, site, &here, rows, force, k, j, K, errors);
        }
    }
    if (status == SADDLE_OK) status = compare_motion(type, site, &here, rows, errors);
    relative(errors);
    return status;
}

/* ---- forces ---- */

static saddle_status forces(const saddle_force_type *type, test_site site,
                            double f[TEST_SITE_MAX][6])
{
    double *block[TEST_SITE_MAX];
    memset(f, 0, TEST_SITE_MAX * sizeof f[0]);
    for (int64_t k = 0; k < site.count; k++) block[k] = f[k];
    const saddle_site view = test_site_view(&site);
    return type->evaluate(NULL, &view, block);
}

static double energy(const saddle_force_type *type, test_site site)
{
    const saddle_site view = test_site_view(&site);
    return type->energy(&view);
}

/* Column j of anchor k of K (velocity 0) or D (1). */
static saddle_status compare_force_column(const saddle_force_type *type, const test_site *site,
                                          int velocity, int64_t k, int64_t j,
                                          double *const *jacobian, double *error,
                                          test_errors *errors)
{
    double df[TEST_SITE_MAX][6] = {{0}}, there[TEST_SITE_MAX][6];
    for (int s = 0; s < POINTS; s++) {
        test_site moved = *site;
        double d[6] = {0};
        d[j] = at[s] * site->step;
        if (velocity)
            moved.velocity[k][j] += d[j];
        else
            displace(&moved, k, d);
        const saddle_status status = forces(type, moved, there);
        if (status != SADDLE_OK) return status;
        for (int64_t a = 0; a < site->count; a++) {
            for (int64_t i = 0; i < site->size[a]; i++)
                df[a][i] += weight[s] * there[a][i] / (60 * site->step);
        }
    }
    for (int64_t a = 0; a < site->count; a++) {
        for (int64_t i = 0; i < site->size[a]; i++) {
            const double known = jacobian[a * site->count + k][i + site->size[a] * j];
            errors->largest = larger(fabs(known), errors->largest);
            *error = larger(fabs(known - df[a][i]), *error);
        }
    }
    return SADDLE_OK;
}

/* The force at rest against -dU/dq. */
static saddle_status compare_energy(const saddle_force_type *type, const test_site *site,
                                    test_errors *errors)
{
    test_site still = *site;
    double f[TEST_SITE_MAX][6];
    memset(still.velocity, 0, sizeof still.velocity);
    const saddle_status status = forces(type, still, f);
    for (int64_t k = 0; status == SADDLE_OK && k < site->count; k++) {
        for (int64_t j = 0; j < site->size[k]; j++) {
            double slope = 0;
            for (int s = 0; s < POINTS; s++) {
                test_site moved = still;
                double d[6] = {0};
                d[j] = at[s] * site->step;
                displace(&moved, k, d);
                slope += weight[s] * energy(type, moved) / (60 * site->step);
            }
            errors->energy = larger(fabs(f[k][j] + slope), errors->energy);
        }
    }
    return status;
}

saddle_status test_force_errors(const saddle_force_type *type, const test_site *site,
                                test_errors *errors)
{
    static double room[2][TEST_SITE_MAX * TEST_SITE_MAX][36];
    double *K[TEST_SITE_MAX * TEST_SITE_MAX], *D[TEST_SITE_MAX * TEST_SITE_MAX];
    memset(room, 0, sizeof room);
    for (int k = 0; k < TEST_SITE_MAX * TEST_SITE_MAX; k++) {
        K[k] = room[0][k];
        D[k] = room[1][k];
    }
    *errors = (test_errors){0};
    test_site copy = *site;
    const saddle_site view = test_site_view(&copy);
    saddle_status status = type->jacobians(NULL, &view, K, D);
    for (int64_t k = 0; status == SADDLE_OK && k < site->count; k++) {
        for (int64_t j = 0; status == SADDLE_OK && j < site->size[k]; j++) {
            status = compare_force_column(type, site, 0, k, j, K, &errors->K, errors);
            if (status == SADDLE_OK)
                status = compare_force_column(type, site, 1, k, j, D, &errors->D, errors);
        }
    }
    if (status == SADDLE_OK && type->energy != NULL) status = compare_energy(type, site, errors);
    relative(errors);
    return status;
}
