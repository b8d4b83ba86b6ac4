/* SPDX-License-Identifier: MIT */
/* A finite element program in C++ that leaves its contact solve to saddle: an elastic cube of
 * trilinear hexahedra, clamped at the top, on a plane with friction that is pressed against the
 * cube and dragged along.
 *
 *     K u - J'lambda = 0,   0 <= lambda_n _|_ u_n - b_n >= 0,   |lambda_t| <= mu lambda_n
 *
 * Element matrices are integrated here, and summed whole, both triangles, by
 * saddle_matrix_builder. fem_client.txt has the output. */
#include <array>
#include <cmath>
#include <cstdio>
#include <vector>

#include "saddle/saddle.h"

constexpr int cells = 6, nodes = cells + 1; /* along an edge of the unit cube */
constexpr double young = 2e7, poisson = 0.3, mu = 0.3, press = 0.001, slide = 0.002; /* SI */

using Gradients = std::array<std::array<double, 3>, 8>; /* of the shape functions [1/m] */
using Element = std::array<double, 24 * 24>;            /* by rows */

static int64_t node_number(int i, int j, int k)
{
    return i + nodes * (j + int64_t{nodes} * k);
}

/* Corner c of a cell is at (c & 1, c >> 1 & 1, c >> 2 & 1). */
static Gradients gradients_at(const double *x, double edge)
{
    Gradients g{};
    for (int c = 0; c < 8; c++) {
        double value[3], slope[3];
        for (int d = 0; d < 3; d++) {
            value[d] = c >> d & 1 ? x[d] : 1 - x[d];
            slope[d] = (c >> d & 1 ? 1 : -1) / edge;
        }
        g[c] = {slope[0] * value[1] * value[2], value[0] * slope[1] * value[2],
                value[0] * value[1] * slope[2]};
    }
    return g;
}

/* K_(ci)(dj) = integral of  lame g_ci g_dj + shear (g_cj g_di + delta_ij g_c . g_d) */
static void add_point(const Gradients &g, double weight, Element &K)
{
    const double lame = weight * young * poisson / ((1 + poisson) * (1 - 2 * poisson));
    const double shear = weight * young / (2 * (1 + poisson));
    for (int c = 0; c < 8; c++)
        for (int d = 0; d < 8; d++) {
            const double dot = g[c][0] * g[d][0] + g[c][1] * g[d][1] + g[c][2] * g[d][2];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 3; j++)
                    K[24 * (3 * c + i) + 3 * d + j] += lame * g[c][i] * g[d][j] +
                                                       shear * g[c][j] * g[d][i] +
                                                       (i == j ? shear * dot : 0);
        }
}

/* Gauss' rule of 2 x 2 x 2 points. */
static Element stiffness(double edge)
{
    Element K{};
    const double at[2] = {0.5 - std::sqrt(1.0 / 12), 0.5 + std::sqrt(1.0 / 12)};
    for (int p = 0; p < 8; p++) {
        const double x[3] = {at[p & 1], at[p >> 1 & 1], at[p >> 2 & 1]};
        add_point(gradients_at(x, edge), edge * edge * edge / 8, K);
    }
    return K;
}

/* Velocity numbers of a cell's corners; those of the clamped top are -1: left out. */
static std::array<int64_t, 24> element_rows(int i, int j, int k)
{
    std::array<int64_t, 24> row{};
    for (int c = 0; c < 8; c++)
        for (int d = 0; d < 3; d++) {
            const int level = k + (c >> 2 & 1);
            const int64_t node = node_number(i + (c & 1), j + (c >> 1 & 1), level);
            row[3 * c + d] = level == cells ? -1 : 3 * node + d;
        }
    return row;
}

static saddle_status assemble(saddle_context *context, int64_t n, saddle_matrix *K)
{
    saddle_matrix_builder *builder = nullptr;
    const Element element = stiffness(1.0 / cells); /* all are alike */
    saddle_status status = saddle_matrix_builder_create(context, n, n, SADDLE_SYMMETRY_LOWER,
                                                        &builder);
    for (int e = 0; e < cells * cells * cells && status == SADDLE_OK; e++) {
        const auto row = element_rows(e % cells, e / cells % cells, e / (cells * cells));
        status = saddle_matrix_builder_add(builder, 24, row.data(), 24, nullptr, element.data());
    }
    if (status == SADDLE_OK) status = saddle_matrix_builder_build(builder, K);
    saddle_matrix_builder_free(builder);
    return status;
}

/* Normal, tangent x, tangent y of each node of the lowest face: the columns of J', and b: seen
 * from the clamped top, the plane moves by (-slide, 0, press). */
struct Plane {
    std::vector<int64_t> start{0}, row;
    std::vector<double> one, b;
    std::vector<saddle_contact> contact;

    Plane()
    {
        const double moved[3] = {press, -slide, 0};
        for (int64_t k = 0; k < int64_t{3} * nodes * nodes; k++) {
            row.push_back(k % 3 == 0 ? k + 2 : k - 1); /* z, x, y */
            start.push_back(k + 1);
            one.push_back(1);
            b.push_back(moved[k % 3]);
            if (k % 3 == 0) contact.push_back({k, 3, mu, 0, 0});
        }
    }
};

int main()
{
    Plane plane;
    saddle_context *context = nullptr;
    saddle_problem problem{};
    saddle_solution solution{};
    saddle_report report{};
    double sum[3] = {0, 0, 0};
    problem.n = 3 * node_number(0, 0, cells);
    problem.m = static_cast<int64_t>(plane.b.size());
    problem.Jt = saddle_matrix_view(problem.n, problem.m, plane.start.data(), plane.row.data(),
                                    plane.one.data(), SADDLE_SYMMETRY_NONE);
    problem.b = plane.b.data();
    problem.contacts = plane.contact.data();
    problem.contact_count = static_cast<int64_t>(plane.contact.size());

    saddle_status status = saddle_context_create(nullptr, &context);
    if (status == SADDLE_OK) status = assemble(context, problem.n, &problem.M);
    if (status == SADDLE_OK)
        status = saddle_solve(context, &problem, nullptr, nullptr, nullptr, &solution, &report);
    if (status == SADDLE_OK) {
        for (int64_t k = 0; k < problem.m; k++) sum[k % 3] += solution.lambda[k];
        std::printf("%d displacements, %d contacts\n", int(problem.n), int(problem.contact_count));
        std::printf("forces of the plane: normal %.3f N, tangential %.3f N\n", sum[0], sum[1]);
    } else {
        std::fprintf(stderr, "%s\n", saddle_context_message(context));
    }
    saddle_solution_clear(&solution);
    saddle_matrix_clear(&problem.M);
    saddle_context_free(context);
    return status == SADDLE_OK ? 0 : 1;
}
