/* SPDX-License-Identifier: MIT */
/* Trees in reduced coordinates: forward dynamics of chains from positions to accelerations, beside
 * Simbody, MuJoCo and the same chain with its attachments kept as rows; J'M J of trees beside
 * MuJoCo's; joint friction by projections.  usage: bench_reduced [--list] [--only NAME] [--csv]
 *
 *     forward   saddle_tree_place and saddle_tree_forward: q, dq -> ddq
 *     rows      saddle_couplings_update, saddle_elimination_form (keep), ldlt factor and solve
 *     Simbody   realize to the stage of accelerations, positions changed
 *     MuJoCo    mj_forward, no contacts; mj_crb of J'M J
 *     size      bytes of a chain of a million links, and its accelerations
 *     closed    a tree with its last link closed to the world and points held, or touching with
 *               friction: schur by the recursion, beside schur and ldlt on J'M J, and ldlt on the
 *               chain with its attachments kept
 *     friction  a step with friction in all hinges: saddle_tree_friction_advance (BISP), beside
 *               factor and solve of `staggered` with explicit contact points (SP)
 *
 * Medians of this thread's processor time.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "../harness.h"
#include "joint_friction.h"
#include "kept_chain.h"
#include "tree_solve.h"
#ifdef SADDLE_BENCH_SIMBODY
#include "simbody.h"
#endif
#ifdef SADDLE_BENCH_MUJOCO
#include "mujoco_tree.h"
#endif

enum { MOST_FORMED_ENTRIES = 5000000 }; /* of J'M J: a dense factor of 3,000 coordinates */
enum { REPEATS = 31, FEW_REPEATS = 3, MANY_LINKS = 1000000 };
enum { MOST_ROWS_LINKS = 10000, MUJOCO_LINKS = 95, SIMBODY_LINKS = 10000 };

/* Links of length 1, each a uniform rod on a hinge about z at the end of its parent. */
static saddle_tree_body link_of(int64_t parent)
{
    const saddle_body_inertia rod = {1, {0, -0.5, 0}, {1.0 / 12, 0, 0, 0, 1e-2, 0, 0, 0, 1.0 / 12}};
    saddle_tree_body body = {parent, saddle_motion_revolute(), rod};
    body.joint.before.p[1] = parent >= 0 ? -1 : 0;
    return body;
}

typedef struct mechanism {
    int64_t links;
    saddle_tree *tree;
    double *q, *dq, *ddq;
} mechanism;

/* branches: children of a link; 1 = a chain. */
static saddle_status make(saddle_context *context, int64_t links, int64_t branches, mechanism *m)
{
    const double g[3] = {0, -9.81, 0};
    saddle_tree_body *body = saddle_allocate(context, links, sizeof *body);
    *m = (mechanism){.links = links, .q = saddle_allocate(context, 3 * links, sizeof(double))};
    saddle_status status = body && m->q ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
    for (int64_t i = 0; status == SADDLE_OK && i < links; i++) {
        body[i] = link_of(i > 0 ? (i - 1) / branches : -1);
        m->q[i] = 0.3 * sin((double)(7 * i + 1));
        m->q[links + i] = 0.1 * (double)(i % 3 - 1);
    }
    m->dq = m->q ? m->q + links : NULL;
    m->ddq = m->q ? m->q + 2 * links : NULL;
    if (status == SADDLE_OK) status = saddle_tree_create(context, links, body, &m->tree);
    if (status == SADDLE_OK) status = saddle_tree_set_gravity(m->tree, g);
    saddle_release(context, body);
    return status;
}

static void clear(saddle_context *context, mechanism *m)
{
    saddle_tree_free(m->tree);
    saddle_release(context, m->q);
}

/* So many runs of a call that a repeat lasts a tenth of a millisecond. */
static int runs_of(int64_t links)
{
    return links < 1000 ? (int)(1000 / links) + 1 : 1;
}

static saddle_status forward_seconds(mechanism *m, double *median)
{
    double seconds[REPEATS];
    const int runs = runs_of(m->links), repeats = m->links < MANY_LINKS ? REPEATS : FEW_REPEATS;
    saddle_status status = SADDLE_OK;
    for (int r = 0; status == SADDLE_OK && r < repeats; r++) {
        const double began = bench_processor_seconds();
        for (int k = 0; status == SADDLE_OK && k < runs; k++) {
            status = saddle_tree_place(m->tree, m->q, m->dq);
            if (status == SADDLE_OK) status = saddle_tree_forward(m->tree, NULL, NULL, m->ddq);
        }
        seconds[r] = (bench_processor_seconds() - began) / runs;
    }
    *median = bench_median(seconds, repeats);
    return status;
}

static saddle_status mass_seconds(mechanism *m, double *median)
{
    double seconds[REPEATS];
    const int runs = 20;
    saddle_matrix M;
    saddle_status status = saddle_tree_place(m->tree, m->q, m->dq);
    if (status == SADDLE_OK) status = saddle_tree_mass(m->tree, &M);
    if (status != SADDLE_OK) return status;
    for (int r = 0; status == SADDLE_OK && r < REPEATS; r++) {
        const double began = bench_processor_seconds();
        for (int k = 0; status == SADDLE_OK && k < runs; k++)
            status = saddle_tree_mass_values(m->tree, &M);
        seconds[r] = (bench_processor_seconds() - began) / runs;
    }
    saddle_matrix_clear(&M);
    *median = bench_median(seconds, REPEATS);
    return status;
}

static double simbody_seconds(const mechanism *m)
{
#ifdef SADDLE_BENCH_SIMBODY
    if (m->links <= SIMBODY_LINKS)
        return simbody_chain_seconds((int)m->links, m->q, m->dq, REPEATS, runs_of(m->links), NULL);
#else
    (void)m;
#endif
    return -1;
}

/* crb: 1 = mj_crb. */
static double mujoco_seconds(const mechanism *m, int64_t branches, int crb)
{
#ifdef SADDLE_BENCH_MUJOCO
    if (m->links <= (branches > 1 ? 2000 : MUJOCO_LINKS)) /* its XML nests no deeper */
        return mujoco_tree_seconds((int)m->links, (int)branches, m->q, m->dq, crb, REPEATS, 20,
                                   NULL);
#else
    (void)m;
    (void)branches;
    (void)crb;
#endif
    return -1;
}

static double ratio(double ours, double theirs)
{
    return theirs > 0 ? ours / theirs : -1;
}

/* ---- the tables ---- */

static saddle_status run_chain(saddle_context *context, const bench_options *options, int64_t links,
                               double *each_at_100)
{
    mechanism m;
    double ours = 0;
    double rows = -1;
    saddle_status status = make(context, links, 1, &m);
    if (status == SADDLE_OK) status = forward_seconds(&m, &ours);
    if (status == SADDLE_OK && links <= MOST_ROWS_LINKS)
        status = kept_chain_seconds(context, links, m.q, m.dq, &(kept_rows){0}, &rows, NULL);
    if (status == SADDLE_OK) {
        const double simbody = simbody_seconds(&m);
        const double mujoco = mujoco_seconds(&m, 1, 0);
        const double each = 1e9 * ours / (double)links;
        const char *figure = options->csv ? "%.4g" : "%.3g";
        const int csv = options->csv;
        if (links == 100) *each_at_100 = each;
        bench_print_number(csv, 10, figure, ratio(ours, simbody));
        bench_print_number(csv, 10, figure, ratio(ours, mujoco));
        bench_print_number(csv, 10, figure, ratio(ours, rows));
        bench_print_number(csv, 10, figure, *each_at_100 > 0 ? each / *each_at_100 : -1);
        bench_print_number(csv, 10, figure, each);
        bench_print_number(csv, 10, figure, 1e6 * ours);
        bench_print_number(csv, 12, figure, simbody > 0 ? 1e6 * simbody : -1);
        bench_print_number(csv, 12, figure, mujoco > 0 ? 1e6 * mujoco : -1);
        bench_print_number(csv, 12, figure, rows > 0 ? 1e6 * rows : -1);
        printf(csv ? "%" PRId64 "\n" : "%9" PRId64 "\n", links);
    }
    clear(context, &m);
    return status;
}

static saddle_status run_mass(saddle_context *context, const bench_options *options, int64_t links,
                              int64_t branches)
{
    mechanism m;
    double ours = 0;
    saddle_status status = make(context, links, branches, &m);
    if (status == SADDLE_OK) status = mass_seconds(&m, &ours);
    if (status == SADDLE_OK) {
        const double mujoco = mujoco_seconds(&m, branches, 1);
        bench_print_number(options->csv, 10, "%.3g", ratio(ours, mujoco));
        bench_print_number(options->csv, 10, "%.3g", 1e6 * ours);
        bench_print_number(options->csv, 12, "%.3g", mujoco > 0 ? 1e6 * mujoco : -1);
        printf(options->csv ? "%" PRId64 ",%" PRId64 ",%" PRId64 "\n"
                            : "%9" PRId64 "%10" PRId64 "%9" PRId64 "\n",
               links, branches, saddle_tree_size_of(m.tree).mass_entries);
    }
    clear(context, &m);
    return status;
}

static int run_chains(saddle_context *context, const bench_options *options)
{
    static const int64_t lengths[] = {30, 95, 100, 1000, 10000, 100000};
    int failed = 0;
    double each_at_100 = -1;
    puts(options->csv
             ? "ours/simbody,ours/mujoco,ours/rows,ns a link/at 100,ns a link,us,"
               "simbody us,mujoco us,rows us,links"
             : "forward dynamics of chains\n"
               "  /Simbody   /MuJoCo     /rows   /at 100 ns a link        us  Simbody us   "
               "MuJoCo us     rows us    links");
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++)
        failed |= bench_report(context, "forward",
                               run_chain(context, options, lengths[k], &each_at_100));
    return failed;
}

static int run_masses(saddle_context *context, const bench_options *options)
{
    static const int64_t branches[] = {1, 2, 4};
    int failed = 0;
    puts(options->csv ? "ours/mj_crb,us,mj_crb us,links,branches,entries"
                      : "\nJ'M J of trees\n"
                        "   /mj_crb        us   mj_crb us    links  branches  entries");
    for (size_t k = 0; k < sizeof branches / sizeof *branches; k++)
        failed |= bench_report(context, "mass",
                               run_mass(context, options, branches[k] > 1 ? 100 : MUJOCO_LINKS,
                                        branches[k]));
    return failed;
}

/* ---- a large tree ---- */

static saddle_status run_size(saddle_context *context, const bench_options *options)
{
    mechanism m;
    double seconds = -1;
    saddle_status status = make(context, MANY_LINKS, 1, &m);
    if (status == SADDLE_OK) status = forward_seconds(&m, &seconds);
    const int64_t before = saddle_context_memory(context).bytes;
    saddle_tree_free(m.tree);
    m.tree = NULL;
    const int64_t bytes = before - saddle_context_memory(context).bytes;
    if (status == SADDLE_OK)
        printf(options->csv ? "%.1f,%.3g,%d\n" : "%13.1f %9.3g %9d\n", (double)bytes / MANY_LINKS,
               seconds, MANY_LINKS);
    clear(context, &m);
    return status;
}

static int run_sizes(saddle_context *context, const bench_options *options)
{
    puts(options->csv
             ? "bytes a link,seconds,links"
             : "\nmemory of a chain, its forward dynamics\n bytes a link   seconds     links");
    return bench_report(context, "size", run_size(context, options));
}

/* ---- closed trees ---- */

static double largest_difference(const double *x, const double *y, int64_t n)
{
    double most = 0, size = 0;
    for (int64_t j = 0; j < n; j++) {
        most = fmax(most, fabs(x[j] - y[j]));
        size = fmax(size, fabs(x[j]));
    }
    return most / size;
}

enum { RECURSION, SCHUR, LDLT, KEPT, WAYS };

typedef struct closed_figures {
    double held[WAYS], touching[2]; /* [s]; -1 = not taken */
    double difference[WAYS];        /* of the accelerations from those of the recursion */
    int unsolved[2];                /* solves above the tolerance: by the recursion, by M_r */
} closed_figures;

static saddle_status measure_closed(saddle_context *context, mechanism *m, int64_t branches,
                                    closed_figures *at)
{
    const int formed = saddle_tree_size_of(m->tree).mass_entries <= MOST_FORMED_ENTRIES;
    static const char *const name[] = {"schur", "schur", "ldlt"};
    tree_solve_rows held, touching;
    double *other = m->dq;
    for (int k = 0; k < WAYS; k++) at->held[k] = at->difference[k] = -1;
    at->touching[0] = at->touching[1] = -1;
    at->unsolved[0] = at->unsolved[1] = 0;
    tree_solve_draw(m->links, 0, &held);
    tree_solve_draw(m->links, 1, &touching);
    saddle_status status = saddle_tree_place(m->tree, m->q, NULL);
    for (int k = 0; status >= 0 && k < (formed ? KEPT : SCHUR); k++) {
        status = tree_solve_seconds(context, m->tree, &held, name[k], k == RECURSION, &at->held[k],
                                    k == RECURSION ? m->ddq : other);
        if (k > RECURSION) at->difference[k] = largest_difference(m->ddq, other, m->links);
        at->unsolved[k > RECURSION] += status > 0;
    }
    if (status >= 0 && branches == 1 && m->links <= MOST_ROWS_LINKS) {
        status = tree_solve_kept_seconds(context, m->tree, m->q, &held, &at->held[KEPT], other);
        at->difference[KEPT] = largest_difference(m->ddq, other, m->links);
    }
    for (int k = 0; status >= 0 && k < (formed ? 2 : 1); k++) {
        status = tree_solve_seconds(context, m->tree, &touching, "schur", k == 0, &at->touching[k],
                                    other);
        at->unsolved[k] += status > 0;
    }
    return status < 0 ? status : SADDLE_OK;
}

static saddle_status run_closed(saddle_context *context, const bench_options *options,
                                int64_t links, int64_t branches)
{
    mechanism m;
    closed_figures at;
    const int csv = options->csv;
    saddle_status status = make(context, links, branches, &m);
    if (status == SADDLE_OK) status = measure_closed(context, &m, branches, &at);
    if (status == SADDLE_OK) {
        for (int k = SCHUR; k < WAYS; k++)
            bench_print_number(csv, 10, "%.3g", ratio(at.held[RECURSION], at.held[k]));
        for (int k = 0; k < WAYS; k++)
            bench_print_number(csv, 12, "%.3g", at.held[k] > 0 ? 1e6 * at.held[k] : -1);
        bench_print_number(csv, 10, "%.3g", ratio(at.touching[0], at.touching[1]));
        for (int k = 0; k < 2; k++)
            bench_print_number(csv, 12, "%.3g", at.touching[k] > 0 ? 1e6 * at.touching[k] : -1);
        for (int k = SCHUR; k < WAYS; k++) bench_print_number(csv, 10, "%.1e", at.difference[k]);
        printf(csv ? "%d,%d,%" PRId64 ",%" PRId64 "\n" : "%9d%10d%9" PRId64 "%10" PRId64 "\n",
               at.unsolved[0], at.unsolved[1], links, branches);
        (void)fflush(stdout);
    }
    clear(context, &m);
    return status;
}

static int run_closes(saddle_context *context, const bench_options *options)
{
    static const int64_t cases[][2] = {{100, 1},  {1000, 1},  {10000, 1}, {100, 2},
                                       {1000, 2}, {10000, 2}, {10000, 4}};
    int failed = 0;
    puts(options->csv
             ? "ours/schur,ours/ldlt,ours/kept,us,schur us,ldlt us,kept us,touching/schur,"
               "touching us,touching schur us,difference schur,difference ldlt,difference "
               "kept,unsolved,unsolved by "
               "M_r,links,branches"
             : "\nclosed trees: the recursion beside J'M J factored, and kept rows\n"
               "    /schur     /ldlt     /kept          us    schur us     ldlt us     kept us"
               "  touching    touching    schur us     schur      ldlt      kept unsolved   of M_r "
               "   links  branches");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        failed |= bench_report(context, "closed",
                               run_closed(context, options, cases[k][0], cases[k][1]));
    return failed;
}

/* ---- friction ---- */

static saddle_status run_friction(saddle_context *context, const bench_options *options,
                                  int64_t links, int64_t points)
{
    joint_friction_figures at;
    const int csv = options->csv;
    const saddle_status status = joint_friction_figures_of(context, links, points, 20, &at);
    if (status != SADDLE_OK) return status;
    bench_print_number(csv, 10, "%.3g", at.explicit_points / at.bilateral);
    bench_print_number(csv, 10, "%.3g", 1e6 * at.bilateral);
    bench_print_number(csv, 10, "%.3g", 1e6 * at.explicit_points);
    bench_print_number(csv, 12, "%.3g", at.rounds[0]);
    bench_print_number(csv, 10, "%.3g", at.rounds[1]);
    bench_print_number(csv, 12, "%.2g", at.difference);
    printf(csv ? "%" PRId64 ",%" PRId64 ",%" PRId64 "\n"
               : "%10" PRId64 "%9" PRId64 "%9" PRId64 "\n",
           at.unsolved, links, points);
    (void)fflush(stdout);
    return status;
}

static int run_frictions(saddle_context *context, const bench_options *options)
{
    static const int64_t cases[][2] = {{1, 4}, {1, 8}, {1, 16}, {2, 8}, {4, 4}};
    int failed = 0;
    puts(options->csv
             ? "SP/BISP,BISP us,SP us,BISP rounds,SP rounds,difference,unsolved,links,points"
             : "\nfriction in the hinges of chains\n"
               "   SP/BISP   BISP us     SP us BISP rounds SP rounds  difference  "
               "unsolved    links   points");
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        failed |= bench_report(context, "friction",
                               run_friction(context, options, cases[k][0], cases[k][1]));
    return failed;
}

int main(int argc, char **argv)
{
    static const char usage[] = "usage: bench reduced [--list] [--only NAME] [--csv]\n"
                                "  --list       the cases\n"
                                "  --only NAME  cases whose name begins so\n"
                                "  --csv        comma-separated values instead of tables\n";
    bench_options options = {0};
    if (bench_read_options(argc, argv, usage, &options)) return 2;
    if (options.list) return puts("forward\nmass\nsize\nclosed\nfriction") < 0;
    saddle_context *context = NULL;
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 5;
    int failed = 0;
    if (bench_begins("forward", options.only)) failed |= run_chains(context, &options);
    if (bench_begins("mass", options.only)) failed |= run_masses(context, &options);
    if (bench_begins("size", options.only)) failed |= run_sizes(context, &options);
    if (bench_begins("closed", options.only)) failed |= run_closes(context, &options);
    if (bench_begins("friction", options.only)) failed |= run_frictions(context, &options);
    saddle_context_free(context);
    return failed;
}
