/* SPDX-License-Identifier: MIT */
/* The order of elimination, and the structure of L under the order.
 *
 *     small or full A    unconstrained nodes as given, constrained nodes behind: one dense front
 *     very sparse A      minimum degree (minimum_degree.c)
 *     else               AMD of the grouped graph; where AMD's factor is dense, also METIS' nested
 *                        dissection, strict and relaxed; fewest flops wins
 *
 * Where A = [M J'; J -R], the dense order is the range space method's (Benzi, Golub and Liesen,
 * Acta Numerica 14, 2005, section 5).  Symbolic analysis of the other orders is CHOLMOD's.
 * References: Amestoy, Davis and Duff, ACM TOMS 30, 2004 (AMD); George, SIAM J. Numer. Anal. 10,
 * 1973, and Karypis and Kumar, SIAM J. Sci. Comput. 20, 1998 (METIS); Gilbert, Ng and Peyton, SIAM
 * J. Matrix Anal. Appl. 15, 1994 (column counts).
 *
 * Groups.  Nodes with the same neighbours, themselves included (the three velocities of a node of a
 * mesh), become one group: the order loses nothing, and the graph becomes several times smaller
 * (Ashcraft, SIAM J. Sci. Comput. 16, 1995).  Constrained nodes stay single.  For METIS, groups
 * with nearly the same neighbours are merged as well: a tie on one of a node's three velocities
 * gives that velocity a few neighbours more, and one vertex of a mesh would appear as three.  The
 * coarsened graph is small and regular, and METIS finds less fill in a third of the time (hexahedra
 * with random ties).  Candidates share the least of two hashes over their neighbourhoods (Broder,
 * On the resemblance and containment of documents, 1997: the probability is the share in common).
 */
#include <string.h>

#include <amd.h>
#include <metis.h>

#include "base/layout.h"
#include "base/process.h"
#include "ldlt/costs.h"
#include "ldlt/ldlt_internal.h"
#include "matrix/cholmod_view.h"
#include "matrix/matrix_internal.h"

/* METIS is tried where AMD's factor has more flops per entry, and more entries per entry of A:
 * CHOLMOD's rule. */
static const double dense_flops = 500.0;
static const double dense_fill = 5.0;

/* The relaxed order costs steps of refinement: taken below this share of the strict order's flops.
 */
static const double usual_gain = 0.85;

/* One dense front: A's share of a triangle's entries from which an order saves no time in a
 * factorization, front_share + front_share_extra / n, measured on drawn patterns and on chains and
 * stacks of bodies of 24 to 256 unknowns; up to SMALL_FRONT unknowns always. */
enum { LARGEST_FRONT = SADDLE__LDLT_TILE, SMALL_FRONT = 16 };
static const double front_share = 0.07;
static const double front_share_extra = 6.5;

/* Neighbourhoods with nine tenths in common are merged for METIS. */
static const double coarse_share = 0.9;

/* The graph to be ordered: nodes of A merged to groups that are eliminated together. */
typedef struct grouping {
    saddle__graph graph; /* over groups */
    int64_t *start;      /* groups + 1 */
    int64_t *member;     /* nodes by group */
    signed char *late;   /* groups: constraint of the node, which is then alone in the group */
} grouping;

typedef struct orderer {
    saddle_context *context;
    cholmod_common common;
    const saddle_matrix *A;
    const saddle__ldlt_request *request;
    grouping grouping;     /* its arrays, but for the graph's, in the layout */
    saddle__layout layout; /* of the arrays below */
    int64_t *groups;       /* groups: their order */
    int64_t *plain;        /* groups: METIS' order, unconstrained */
    int64_t *weight;       /* groups: nodes in each */
    int64_t *degree;       /* groups: AMD's */
    int64_t *order;        /* n: order of the nodes */
    int64_t *parent, *post, *count, *scratch, *level; /* n each, CHOLMOD's */
} orderer;

void saddle__ordered_clear(saddle_context *context, saddle__ordered *ordered)
{
    saddle__release_all(context, ordered->order, ordered->run_begin, ordered->list);
    memset(ordered, 0, sizeof *ordered);
}

/* ---- a single dense front ---- */

/* Constrained nodes of both kinds need a graph. */
static int may_be_dense(const saddle_matrix *A, const saddle__ldlt_request *request)
{
    double n = (double)A->cols;
    double share = (double)saddle_matrix_entries(A) / (0.5 * n * (n + 1.0));
    int pays = A->cols <= SMALL_FRONT || share >= front_share + front_share_extra / n;
    if (request->ordering != SADDLE_ORDERING_BEST || A->cols > LARGEST_FRONT || !pays) return 0;
    for (int64_t i = 0; request->late && i < A->cols; i++)
        if (request->late[i] == SADDLE__AFTER_NEIGHBOUR) return 0;
    int64_t root[LARGEST_FRONT]; /* components are solved separately */
    saddle__matrix_components(A, root);
    for (int64_t i = 0; i < A->cols; i++)
        if (root[i] != 0) return 0;
    return 1;
}

static void make_dense(int64_t n, const signed char *late, saddle__ordered *ordered)
{
    int64_t k = 0;
    for (int behind = 0; behind <= 1; behind++)
        for (int64_t i = 0; i < n; i++)
            if ((late && late[i] != SADDLE__ANY_TIME) == behind) ordered->order[k++] = i;
    for (int64_t j = 0; j < n; j++) {
        ordered->parent[j] = j + 1 < n ? j + 1 : -1;
        ordered->count[j] = n - j;
    }
    double size = (double)n;
    ordered->entries = 0.5 * size * (size + 1.0);
    ordered->flops = saddle__front_flops(size, 0.0);
}

/* ---- graphs ---- */

/* Allocates the neighbours counted in start[1 ..]; fill: where the lists begin. */
static saddle_status allocate_lists(saddle_context *context, saddle__graph *g, int64_t **fill)
{
    for (int64_t j = 0; j < g->nodes; j++) g->start[j + 1] += g->start[j];
    g->node = saddle__allocate_unset(context, g->start[g->nodes], sizeof *g->node);
    *fill = saddle__allocate_unset(context, g->nodes, sizeof **fill);
    if (!g->node || !*fill) return SADDLE_OUT_OF_MEMORY;
    if (g->nodes > 0) memcpy(*fill, g->start, (size_t)g->nodes * sizeof **fill);
    return SADDLE_OK;
}

/* Removes duplicate neighbours.  seen: nodes, scratch. */
static void make_unique(saddle__graph *g, int64_t *seen)
{
    for (int64_t j = 0; j < g->nodes; j++) seen[j] = -1;
    int64_t count = 0;
    int64_t begin = 0;
    for (int64_t j = 0; j < g->nodes; j++) {
        int64_t end = g->start[j + 1];
        g->start[j] = count;
        for (int64_t k = begin; k < end; k++) {
            int32_t i = g->node[k];
            if (seen[i] == j) continue;
            seen[i] = j;
            g->node[count++] = i;
        }
        begin = end;
    }
    g->start[g->nodes] = count;
}

/* Counts the neighbours in g->start[1 ..] where fill is NULL, else lists the neighbours. */
static void visit_entries(const saddle_matrix *A, saddle__graph *g, int64_t *fill)
{
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            int64_t i = A->index[k];
            if (i == j) continue;
            if (fill) {
                g->node[fill[i]++] = (int32_t)j;
                g->node[fill[j]++] = (int32_t)i;
            } else {
                g->start[i + 1]++;
                g->start[j + 1]++;
            }
        }
    }
}

/* The graph of the symmetric A. */
static saddle_status make_graph(saddle_context *context, const saddle_matrix *A, saddle__graph *g)
{
    int64_t *fill = NULL;
    g->nodes = A->cols;
    g->start = saddle_allocate(context, A->cols + 1, sizeof *g->start);
    if (!g->start) return SADDLE_OUT_OF_MEMORY;
    visit_entries(A, g, NULL);
    saddle_status status = allocate_lists(context, g, &fill);
    if (status == SADDLE_OK) visit_entries(A, g, fill);
    saddle_release(context, fill);
    return status;
}

/* The graph over labels: labels are neighbours where nodes of theirs are. */
static saddle_status make_quotient(saddle_context *context, const saddle__graph *g, int64_t labels,
                                   const int64_t *label, saddle__graph *quotient)
{
    int64_t *fill = NULL;
    quotient->nodes = labels;
    quotient->start = saddle_allocate(context, labels + 1, sizeof *quotient->start);
    if (!quotient->start) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; j < g->nodes; j++)
        for (int64_t k = g->start[j]; k < g->start[j + 1]; k++)
            quotient->start[label[j] + 1] += label[g->node[k]] != label[j];
    saddle_status status = allocate_lists(context, quotient, &fill);
    for (int64_t j = 0; status == SADDLE_OK && j < g->nodes; j++) {
        int64_t a = label[j];
        for (int64_t k = g->start[j]; k < g->start[j + 1]; k++) {
            int64_t b = label[g->node[k]];
            if (a != b) quotient->node[fill[a]++] = (int32_t)b;
        }
    }
    if (status == SADDLE_OK) make_unique(quotient, fill);
    saddle_release(context, fill);
    return status;
}

/* ---- nodes with common neighbours ---- */

typedef struct merging {
    const saddle__graph *g;
    const signed char *single; /* vertices never merged, or NULL */
    const int64_t *weight;     /* nodes in each vertex; NULL = 1 */
    double share;              /* of the nodes of two neighbourhoods: in common, at least */
    uint64_t *least[2];        /* of each vertex: least hash over the neighbourhood */
    int64_t *seen;             /* the vertex whose neighbourhood was marked last */
} merging;

static uint64_t hash(int64_t i, uint64_t salt)
{
    uint64_t x = (uint64_t)i + salt;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* scratch: a hash of each vertex */
static void find_least(merging *m, uint64_t *scratch)
{
    static const uint64_t salt[2] = {0x9e3779b97f4a7c15u, 0xd1b54a32d192ed03u};
    const saddle__graph *g = m->g;
    for (int h = 0; h < 2; h++) {
        for (int64_t i = 0; i < g->nodes; i++) scratch[i] = hash(i, salt[h]);
        for (int64_t i = 0; i < g->nodes; i++) {
            uint64_t least = scratch[i];
            for (int64_t k = g->start[i]; k < g->start[i + 1]; k++)
                if (scratch[g->node[k]] < least) least = scratch[g->node[k]];
            m->least[h][i] = least;
        }
    }
}

static int64_t weight_of(const merging *m, int64_t i)
{
    return m->weight ? m->weight[i] : 1;
}

/* Marks the neighbourhood of i, i included; its weight. */
static int64_t mark(merging *m, int64_t i)
{
    const saddle__graph *g = m->g;
    int64_t sum = weight_of(m, i);
    m->seen[i] = i;
    for (int64_t k = g->start[i]; k < g->start[i + 1]; k++) {
        m->seen[g->node[k]] = i;
        sum += weight_of(m, g->node[k]);
    }
    return sum;
}

/* Whether j's neighbourhood is nearly i's, which is marked and has the given weight. */
static int are_alike(const merging *m, int64_t i, int64_t weight, int64_t j)
{
    const saddle__graph *g = m->g;
    int64_t own = weight_of(m, j);
    int64_t common = own;
    for (int64_t k = g->start[j]; k < g->start[j + 1]; k++) {
        int64_t w = weight_of(m, g->node[k]);
        own += w;
        if (m->seen[g->node[k]] == i) common += w;
    }
    return (double)common >= m->share * (double)(weight + own - common);
}

/* Equal neighbourhoods have both hashes in common. */
static int is_candidate(const merging *m, int64_t i, int64_t j)
{
    int first = m->least[0][i] == m->least[0][j];
    int second = m->least[1][i] == m->least[1][j];
    return (m->share < 1.0 ? first || second : first && second) && !(m->single && m->single[j]);
}

static int64_t label_vertices(merging *m, int64_t *label)
{
    const saddle__graph *g = m->g;
    for (int64_t i = 0; i < g->nodes; i++) label[i] = m->seen[i] = -1;
    int64_t labels = 0;
    for (int64_t i = 0; i < g->nodes; i++) {
        if (label[i] >= 0) continue;
        label[i] = labels++;
        if (m->single && m->single[i]) continue;
        int64_t weight = 0; /* of i's neighbourhood, once marked */
        for (int64_t k = g->start[i]; k < g->start[i + 1]; k++) {
            int64_t j = g->node[k];
            if (label[j] >= 0 || !is_candidate(m, i, j)) continue;
            if (weight == 0) weight = mark(m, i);
            if (are_alike(m, i, weight, j)) label[j] = label[i];
        }
    }
    return labels;
}

/* label (vertices of the graph): equal for vertices merged; *labels of them. */
static saddle_status find_labels(saddle_context *context, merging *m, int64_t *label,
                                 int64_t *labels)
{
    int64_t nodes = m->g->nodes;
    uint64_t *hashes = saddle__allocate_unset(context, 3 * nodes, sizeof *hashes);
    m->seen = saddle__allocate_unset(context, nodes, sizeof *m->seen);
    int made = hashes && m->seen;
    if (made) {
        m->least[0] = hashes + nodes;
        m->least[1] = hashes + 2 * nodes;
        find_least(m, hashes);
        *labels = label_vertices(m, label);
    }
    saddle__release_all(context, hashes, m->seen);
    return made ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* ---- groups ---- */

/* Of the grouped graph. */
static saddle_status make_arrays(orderer *o)
{
    const saddle__graph *g = &o->grouping.graph;
    const int64_t n = o->A->cols, groups = g->nodes;
    const saddle__array arrays[] = {SADDLE__ARRAY(o->order, n),
                                    SADDLE__ARRAY(o->parent, n),
                                    SADDLE__ARRAY(o->post, n),
                                    SADDLE__ARRAY(o->count, n),
                                    SADDLE__ARRAY(o->scratch, n),
                                    SADDLE__ARRAY(o->level, n),
                                    SADDLE__ARRAY(o->grouping.member, n),
                                    SADDLE__ARRAY(o->groups, groups),
                                    SADDLE__ARRAY(o->plain, groups),
                                    SADDLE__ARRAY(o->weight, groups),
                                    SADDLE__ARRAY(o->grouping.start, groups + 2),
                                    SADDLE__ARRAY(o->degree, groups),
                                    SADDLE__ARRAY(o->grouping.late, groups)};
    o->layout = (saddle__layout){.tight = 1};
    return saddle__layout_make(o->context, &o->layout, arrays, SADDLE__LENGTH(arrays));
}

/* g <- the graph over labels, in place: nodes of a label have the same neighbours, and the first
 * node's list is the label's.  Labels ascend with their first nodes.  seen (labels): scratch. */
static void keep_first(saddle__graph *g, int64_t labels, const int64_t *label, int64_t *seen)
{
    int64_t count = 0, next = 0, begin = 0;
    for (int64_t a = 0; a < labels; a++) seen[a] = -1;
    for (int64_t j = 0; j < g->nodes; j++) {
        const int64_t end = g->start[j + 1], a = label[j];
        const int first = a == next;
        if (first) g->start[next++] = count;
        for (int64_t k = begin; first && k < end; k++) {
            const int64_t b = label[g->node[k]];
            if (b == a || seen[b] == a) continue;
            seen[b] = a;
            g->node[count++] = (int32_t)b;
        }
        begin = end;
    }
    g->start[labels] = count;
    g->nodes = labels;
}

/* The graph over the groups.  label (n): the group of each node. */
static saddle_status group_nodes(orderer *o, int64_t *label)
{
    saddle__graph *g = &o->grouping.graph;
    int64_t labels = 0;
    merging m = {.g = g, .single = o->request->late, .share = 1.0};
    SADDLE__TRY(find_labels(o->context, &m, label, &labels));
    if (labels == g->nodes) return SADDLE_OK;
    int64_t *seen = saddle__allocate_unset(o->context, labels, sizeof *seen);
    if (!seen) return SADDLE_OUT_OF_MEMORY;
    keep_first(g, labels, label, seen);
    saddle_release(o->context, seen);
    return SADDLE_OK;
}

static void list_members(orderer *o, const int64_t *label)
{
    grouping *x = &o->grouping;
    int64_t *fill = x->start + 1; /* becomes the start of the next group */
    for (int64_t i = 0; i < o->A->cols; i++) fill[label[i] + 1]++;
    for (int64_t g = 0; g < x->graph.nodes; g++) {
        o->weight[g] = fill[g + 1];
        fill[g + 1] += fill[g];
    }
    for (int64_t i = 0; i < o->A->cols; i++) {
        x->member[fill[label[i]]++] = i;
        if (o->request->late) x->late[label[i]] = o->request->late[i];
    }
}

/* The groups, their graph, and all memory but AMD's lists, METIS' and CHOLMOD's own. */
static saddle_status begin(orderer *o, saddle__ordered *best)
{
    int64_t *label = saddle__allocate_unset(o->context, o->A->cols, sizeof *label);
    saddle_status status = label ? group_nodes(o, label) : SADDLE_OUT_OF_MEMORY;
    if (status == SADDLE_OK) status = make_arrays(o);
    if (status == SADDLE_OK) {
        list_members(o, label);
        best->flops = -1.0;
    }
    saddle_release(o->context, label);
    return status;
}

/* ---- constrained orders ----
 *
 * Constrained orderings: a constrained group (saddle__late) has a zero or small diagonal, and its
 * pivot is filled by the elimination of a neighbour (docs/theory.md, section 4).
 *
 * Strict.  A maximum bipartite matching assigns each constrained group a partner among its
 * neighbours; the group is delayed until the partner is eliminated.  The pairs are the 2 x 2 pivots
 * of indefinite codes, chosen from the pattern (Duff and Pralet, SIAM J. Matrix Anal. Appl. 27,
 * 2005), but stay separate nodes: most constrained groups keep the place where they fill least.
 * Without a matching the rows inside a part of a mesh may lack rank (checkerboards of hexahedra
 * with one pressure each), and pivots of 1e-10 of their size appear; with a matching, 1e-2.
 *
 * Relaxed.  A constrained group is delayed until some eliminated neighbour has capacity left: one
 * row for each node of a group.  Rows leave a part of a mesh before the part is closed in, and few
 * rows are delayed to the separators: on hexahedra with one row each the factor has METIS' own
 * flops and some percent, where the strict order has nearly twice as many.  Guarantee: none for the
 * pivots.  J's rows within a part may lack rank, regularization then supplies the pivot, and L D L'
 * has errors of epsilon and u / epsilon: enough to refine with while cond(M) u / epsilon << 1,
 * checked by the caller (saddle__factorization_contraction).  With one node of each group spared,
 * irregular meshes keep pivots above 1e-3 for a fifth more flops.
 */

enum { UNSEEN, DELAYED, ELIMINATED };

typedef struct constrained {
    const saddle__graph *g;
    const signed char *late; /* of each group */
    signed char *state;
    int64_t *capacity; /* constrained groups that a group can still serve */
    int64_t *order;    /* the result */
    int64_t count;
    int64_t *partner; /* strict: of a constrained group, or -1: delayed until `ahead` is 0 */
    int64_t *ahead;   /* strict: neighbours able to fill the pivot and not eliminated */
    int64_t *finder;  /* matching: the constrained group whose search reached a group, or -1 */
    int64_t *queue;   /* matching: constrained groups of a search */
    int64_t *place;   /* relaxed: of each group in the order given */
    saddle__layout layout;
} constrained;

/* The arrays of c, zero. */
static saddle_status allocate(saddle_context *context, constrained *c)
{
    const int64_t groups = c->g->nodes;
    const saddle__array arrays[] = {
        SADDLE__ARRAY(c->capacity, groups), SADDLE__ARRAY(c->order, groups),
        SADDLE__ARRAY(c->partner, groups),  SADDLE__ARRAY(c->ahead, groups),
        SADDLE__ARRAY(c->finder, groups),   SADDLE__ARRAY(c->queue, groups),
        SADDLE__ARRAY(c->place, groups),    SADDLE__ARRAY(c->state, groups)};
    c->layout = (saddle__layout){.tight = 1};
    return saddle__layout_make(context, &c->layout, arrays, SADDLE__LENGTH(arrays));
}

static void eliminate(constrained *c, int64_t x)
{
    c->state[x] = ELIMINATED;
    c->order[c->count++] = x;
    for (int64_t k = c->g->start[x]; k < c->g->start[x + 1]; k++) {
        int64_t y = c->g->node[k];
        if (c->late[y] && saddle__ldlt_fills(c->late, x, y)) c->ahead[y]--;
    }
}

/* ---- the matching ---- */

/* Greedy step: the neighbour of y with capacity and the fewest neighbours.  late: of its kind. */
static void assign_partner(constrained *c, int64_t y, int late)
{
    int64_t least = INT64_MAX;
    for (int64_t k = c->g->start[y]; k < c->g->start[y + 1]; k++) {
        int64_t x = c->g->node[k];
        int64_t degree = c->g->start[x + 1] - c->g->start[x];
        if (c->late[x] != late || c->capacity[x] == 0 || degree >= least) continue;
        c->partner[y] = x;
        least = degree;
    }
    if (c->partner[y] >= 0) c->capacity[c->partner[y]]--;
}

/* Applies the augmenting path ending at x: each group on the path takes the partner found by its
 * search and passes its former partner back, up to `first`, where the search began. */
static void augment(constrained *c, int64_t x, int64_t first)
{
    c->capacity[x]--;
    for (;;) {
        int64_t y = c->finder[x];
        int64_t former = c->partner[y];
        c->partner[y] = x;
        if (y == first) return;
        x = former;
    }
}

/* Visits the neighbours of y and returns a neighbour with capacity, or -1; groups matched to full
 * neighbours join the queue. */
static int64_t visit(constrained *c, int64_t y, int64_t *count)
{
    for (int64_t k = c->g->start[y]; k < c->g->start[y + 1]; k++) {
        int64_t x = c->g->node[k];
        if (c->late[x] || c->finder[x] >= 0) continue;
        c->finder[x] = y;
        if (c->capacity[x] > 0) return x;
        for (int64_t t = c->g->start[x]; t < c->g->start[x + 1]; t++)
            if (c->late[c->g->node[t]] && c->partner[c->g->node[t]] == x)
                c->queue[(*count)++] = c->g->node[t];
    }
    return -1;
}

/* Searches an augmenting path from `first`.  After a failed search all visited groups stay marked:
 * no later path leads through them. */
static void search_path(constrained *c, int64_t first)
{
    int64_t count = 1;
    c->queue[0] = first;
    for (int64_t next = 0; next < count; next++) {
        int64_t x = visit(c, c->queue[next], &count);
        if (x < 0) continue;
        augment(c, x, first);
        for (int64_t t = 0; t <= next; t++)
            for (int64_t k = c->g->start[c->queue[t]]; k < c->g->start[c->queue[t] + 1]; k++)
                c->finder[c->g->node[k]] = -1;
        return;
    }
}

/* Matching of constrained nodes to groups of velocities: greedy with one row a group, then
 * augmenting paths with one row a node.  A group is a node of a mesh, all velocities with the same
 * neighbours: one row fills its pivot with |J_a|^2, several rows may cancel.  A constrained group
 * without a match is redundant.  A velocity without mass may follow a row that follows a velocity
 * with mass, so no cycle arises.  member_start: NULL = groups are single nodes. */
static void match(constrained *c, const int64_t *member_start)
{
    int64_t groups = c->g->nodes;
    for (int64_t x = 0; x < groups; x++) {
        c->capacity[x] = 1;
        c->partner[x] = c->finder[x] = -1;
    }
    for (int64_t y = 0; y < groups; y++)
        if (c->late[y]) assign_partner(c, y, SADDLE__ANY_TIME);
    for (int64_t x = 0; member_start && x < groups; x++)
        c->capacity[x] += member_start[x + 1] - member_start[x] - 1;
    for (int64_t y = 0; y < groups; y++)
        if (c->late[y] && c->partner[y] < 0) search_path(c, y);
    for (int64_t y = 0; y < groups; y++)
        if (c->late[y] == SADDLE__AFTER_NEIGHBOUR && c->partner[y] < 0)
            assign_partner(c, y, SADDLE__AFTER_OTHER_KIND);
}

saddle_status saddle__ldlt_match(saddle_context *context, const saddle__graph *g,
                                 const signed char *late, int64_t *partner)
{
    constrained c = {.g = g, .late = late};
    SADDLE__TRY(allocate(context, &c));
    c.partner = partner;
    match(&c, NULL);
    saddle__layout_clear(context, &c.layout);
    return SADDLE_OK;
}

/* ---- the strict order ---- */

static int is_ready(const constrained *c, int64_t y)
{
    if (!c->late[y] || c->ahead[y] == 0) return 1;
    return c->partner[y] >= 0 && c->state[c->partner[y]] == ELIMINATED;
}

/* Eliminates `first`, then the delayed groups made ready, and so on. */
static void eliminate_strictly(constrained *c, int64_t first)
{
    int64_t next = c->count;
    eliminate(c, first);
    for (; next < c->count; next++) {
        int64_t x = c->order[next];
        for (int64_t k = c->g->start[x]; k < c->g->start[x + 1]; k++) {
            int64_t y = c->g->node[k];
            if (c->state[y] == DELAYED && is_ready(c, y)) eliminate(c, y);
        }
    }
}

static void order_strictly(constrained *c, const int64_t *order)
{
    for (int64_t y = 0; y < c->g->nodes; y++)
        for (int64_t k = c->g->start[y]; c->late[y] && k < c->g->start[y + 1]; k++)
            c->ahead[y] += saddle__ldlt_fills(c->late, c->g->node[k], y);
    for (int64_t k = 0; k < c->g->nodes; k++) {
        if (is_ready(c, order[k]))
            eliminate_strictly(c, order[k]);
        else
            c->state[order[k]] = DELAYED;
    }
    /* groups left depend on their own kind only: velocities first */
    for (int kind = SADDLE__AFTER_NEIGHBOUR; kind <= SADDLE__AFTER_OTHER_KIND; kind++)
        for (int64_t k = 0; k < c->g->nodes; k++)
            if (c->state[order[k]] == DELAYED && c->late[order[k]] == kind)
                eliminate_strictly(c, order[k]);
}

/* ---- the relaxed order ---- */

/* Assigns y to the eliminated neighbour with the most capacity; 0 = all are full. */
static int take_capacity(constrained *c, int64_t y)
{
    int64_t best = -1;
    for (int64_t k = c->g->start[y]; k < c->g->start[y + 1]; k++) {
        int64_t x = c->g->node[k];
        if (c->late[x] || c->state[x] != ELIMINATED || c->capacity[x] == 0) continue;
        if (best < 0 || c->capacity[x] > c->capacity[best]) best = x;
    }
    if (best >= 0) c->capacity[best]--;
    return best >= 0;
}

/* The neighbour of x delayed for longest, or -1. */
static int64_t first_delayed(const constrained *c, int64_t x)
{
    int64_t first = -1;
    for (int64_t k = c->g->start[x]; k < c->g->start[x + 1]; k++) {
        int64_t y = c->g->node[k];
        if (c->state[y] == DELAYED && (first < 0 || c->place[y] < c->place[first])) first = y;
    }
    return first;
}

static void eliminate_relaxed(constrained *c, int64_t x)
{
    eliminate(c, x);
    while (!c->late[x] && c->capacity[x] > 0) {
        int64_t y = first_delayed(c, x);
        if (y < 0) return;
        c->capacity[x]--;
        eliminate(c, y);
    }
}

static void order_relaxed(constrained *c, const int64_t *order)
{
    for (int64_t k = 0; k < c->g->nodes; k++) {
        if (!c->late[order[k]] || take_capacity(c, order[k]))
            eliminate_relaxed(c, order[k]);
        else
            c->state[order[k]] = DELAYED;
    }
    for (int64_t k = 0; k < c->g->nodes; k++)
        if (c->state[order[k]] == DELAYED) eliminate(c, order[k]);
}

/* ---- both ---- */

/* order (groups) changed so that constrained groups follow a neighbour that fills their pivots:
 * strictly; or relaxed, where all constrained groups are SADDLE__AFTER_OTHER_KIND.  spared: nodes
 * of a group that no constrained group may follow, relaxed. */
static saddle_status constrain(saddle_context *context, const grouping *x, int relaxed,
                               int64_t spared, int64_t *order)
{
    constrained c = {.g = &x->graph, .late = x->late};
    SADDLE__TRY(allocate(context, &c));
    for (int64_t k = 0; relaxed && k < c.g->nodes; k++) {
        int64_t capacity = x->start[k + 1] - x->start[k] - spared;
        c.capacity[k] = capacity > 1 ? capacity : 1;
        c.place[order[k]] = k;
    }
    if (relaxed) {
        order_relaxed(&c, order);
    } else {
        match(&c, x->start);
        order_strictly(&c, order);
    }
    for (int64_t k = 0; k < c.g->nodes; k++) order[k] = c.order[k];
    saddle__layout_clear(context, &c.layout);
    return SADDLE_OK;
}

/* ---- CHOLMOD ---- */

/* Tree and counts of o->order, kept in `best` where they need fewer flops. */
static saddle_status measure(orderer *o, int metis, int relaxed, saddle__ordered *best)
{
    int64_t n = o->A->cols;
    cholmod_sparse A = saddle__cholmod_pattern(n, n, o->A->start, o->A->index, -1);
    if (!cholmod_l_analyze_ordering(&A, CHOLMOD_GIVEN, o->order, NULL, 0, o->parent, o->post,
                                    o->count, o->scratch, o->level, &o->common))
        return saddle__cholmod_failed(o->context, &o->common, o->A->cols);
    double gain = o->request->eager_gain > 0.0 ? o->request->eager_gain : usual_gain;
    double flops = relaxed ? o->common.fl / gain : o->common.fl;
    if (best->flops >= 0.0 && flops >= best->flops) return SADDLE_OK;
    best->flops = o->common.fl;
    best->entries = o->common.lnz;
    best->metis = metis;
    best->eager = relaxed;
    for (int64_t k = 0; k < n; k++) o->scratch[o->post[k]] = k;
    for (int64_t k = 0; k < n; k++) {
        int64_t parent = o->parent[o->post[k]];
        best->order[k] = o->order[o->post[k]];
        best->parent[k] = parent >= 0 ? o->scratch[parent] : -1;
        best->count[k] = o->count[o->post[k]];
    }
    return SADDLE_OK;
}

/* Constrains o->groups, expands the order to nodes, and measures the order. */
static saddle_status try_order(orderer *o, int metis, int relaxed, saddle__ordered *best)
{
    const grouping *x = &o->grouping;
    if (o->request->late)
        SADDLE__TRY(
            constrain(o->context, x, relaxed, o->request->eager == SADDLE__LESS_EAGER, o->groups));
    int64_t count = 0;
    for (int64_t k = 0; k < x->graph.nodes; k++)
        for (int64_t t = x->start[o->groups[k]]; t < x->start[o->groups[k] + 1]; t++)
            o->order[count++] = x->member[t];
    return measure(o, metis, relaxed, best);
}

/* ---- METIS ---- */

/* The arrays of METIS_NodeND in one block: graph, weights, the order and the positions. */
typedef struct metis_graph {
    idx_t *start, *neighbour, *weight, *order, *position;
} metis_graph;

/* position (vertices of g) in METIS' nested dissection; weight: unknowns in each vertex, so that
 * separators are small in unknowns. */
static saddle_status dissect(saddle_context *context, const saddle__graph *g, const int64_t *weight,
                             int64_t *position)
{
    metis_graph m = {0};
    const int64_t count = g->nodes;
    const saddle__array arrays[] = {SADDLE__ARRAY(m.start, count + 1),
                                    SADDLE__ARRAY(m.neighbour, g->start[count]),
                                    SADDLE__ARRAY(m.weight, count), SADDLE__ARRAY(m.order, count),
                                    SADDLE__ARRAY(m.position, count)};
    saddle__layout layout = {.tight = 1};
    SADDLE__TRY(saddle__layout_make(context, &layout, arrays, SADDLE__LENGTH(arrays)));
    for (int64_t i = 0; i < g->nodes; i++) {
        m.start[i + 1] = (idx_t)g->start[i + 1];
        m.weight[i] = (idx_t)weight[i];
    }
    for (int64_t k = 0; k < g->start[g->nodes]; k++) m.neighbour[k] = (idx_t)g->node[k];
    idx_t nodes = (idx_t)g->nodes;
    saddle__metis_begin(1);
    int result = METIS_NodeND(&nodes, m.start, m.neighbour, m.weight, NULL, m.order, m.position);
    saddle__metis_end(1);
    for (int64_t i = 0; result == METIS_OK && i < g->nodes; i++) position[i] = m.position[i];
    saddle__layout_clear(context, &layout);
    if (result == METIS_OK) return SADDLE_OK;
    if (result == METIS_ERROR_MEMORY)
        return saddle_fail(context, SADDLE_OUT_OF_MEMORY, "out of memory in METIS, %lld vertices",
                           (long long)nodes);
    return saddle_fail(context, SADDLE_INTERNAL, "METIS status %d", result);
}

/* o->plain <- the groups by METIS of the coarsened graph; o->order, o->scratch, o->level: scratch.
 */
static saddle_status dissect_groups(orderer *o)
{
    const saddle__graph *g = &o->grouping.graph;
    saddle__graph quotient = {0, NULL, NULL};
    int64_t *label = o->order;
    int64_t *weight = o->scratch;
    int64_t *position = o->level;
    int64_t labels = 0;
    merging m = {.g = g, .weight = o->weight, .share = coarse_share};
    saddle_status status = find_labels(o->context, &m, label, &labels);
    if (status == SADDLE_OK) status = make_quotient(o->context, g, labels, label, &quotient);
    for (int64_t l = 0; l < labels; l++) weight[l] = 0;
    for (int64_t i = 0; status == SADDLE_OK && i < g->nodes; i++) weight[label[i]] += o->weight[i];
    if (status == SADDLE_OK) status = dissect(o->context, &quotient, weight, position);
    if (status == SADDLE_OK) { /* a counting sort of the groups by position */
        int64_t *start = o->post;
        for (int64_t l = 0; l < labels; l++) start[l] = 0;
        for (int64_t i = 0; i < g->nodes; i++)
            if (position[label[i]] + 1 < labels) start[position[label[i]] + 1]++;
        for (int64_t l = 1; l < labels; l++) start[l] += start[l - 1];
        for (int64_t i = 0; i < g->nodes; i++) o->plain[start[position[label[i]]]++] = i;
    }
    saddle__release_all(o->context, quotient.start, quotient.node);
    return status;
}

/* Whether there are constrained groups, all of them SADDLE__AFTER_OTHER_KIND. */
static int may_relax(const orderer *o)
{
    int any = 0;
    if (!o->request->late || o->request->eager == SADDLE__PATIENT) return 0;
    for (int64_t x = 0; x < o->grouping.graph.nodes; x++) {
        if (o->grouping.late[x] == SADDLE__AFTER_NEIGHBOUR) return 0;
        any |= o->grouping.late[x];
    }
    return any != 0;
}

/* METIS itself cannot be interrupted. */
static saddle_status ask(const orderer *o, int64_t stage)
{
    const saddle_status status = saddle__phase_ask(o->context, "analyse", stage, 0, 0);
    return status == SADDLE_OK ? status : saddle__phase_ended(o->context, status, "analyse");
}

static saddle_status by_metis(orderer *o, saddle__ordered *best)
{
    size_t bytes = (size_t)o->grouping.graph.nodes * sizeof *o->plain;
    SADDLE__TRY(ask(o, 1));
    SADDLE__TRY(dissect_groups(o));
    SADDLE__TRY(ask(o, 2));
    int relax = may_relax(o);
    for (int relaxed = 0; relaxed <= relax; relaxed++) {
        memcpy(o->groups, o->plain, bytes);
        SADDLE__TRY(try_order(o, 1, relaxed, best));
    }
    return SADDLE_OK;
}

/* ---- AMD ---- */

/* o->groups <- AMD's order of the groups; all arrays of nodes are scratch.  AMD works in the lists
 * of neighbours that it is given, and needs room for half as many more. */
static saddle_status by_amd(orderer *o)
{
    const saddle__graph *g = &o->grouping.graph;
    const int64_t nodes = g->nodes, entries = g->start[nodes], room = entries + entries / 2 + nodes;
    int64_t *start = o->parent, *length = o->post, *fill = o->order;
    int64_t *list = saddle__allocate_unset(o->context, room, sizeof *list);
    if (!list) return SADDLE_OUT_OF_MEMORY;
    for (int64_t j = 0; j < nodes; j++) {
        start[j] = fill[j] = g->start[j];
        length[j] = g->start[j + 1] - g->start[j];
    }
    for (int64_t j = 0; j < nodes; j++) /* the neighbours before j in ascending order */
        for (int64_t k = g->start[j]; k < g->start[j + 1]; k++) {
            int64_t i = g->node[k];
            if (i < j) continue;
            list[fill[j]++] = i;
            list[fill[i]++] = j;
        }
    amd_l2(nodes, start, list, length, room, entries, o->count, o->scratch, o->groups, o->level,
           o->order, o->degree, o->plain, NULL, NULL);
    saddle_release(o->context, list);
    return SADDLE_OK;
}

/* ---- all ---- */

static saddle_status by_cholmod(orderer *o, saddle__ordered *best)
{
    saddle_ordering ordering = o->request->ordering;
    int fits = saddle__metis_can_order(o->A);
    int metis = ordering == SADDLE_ORDERING_METIS && fits;
    SADDLE__TRY(begin(o, best));
    if (!metis) {
        for (int64_t k = 0; k < o->grouping.graph.nodes; k++) o->groups[k] = k;
        if (ordering != SADDLE_ORDERING_NATURAL) SADDLE__TRY(by_amd(o));
        SADDLE__TRY(try_order(o, 0, 0, best));
        metis = ordering == SADDLE_ORDERING_BEST && fits &&
                best->flops >= dense_flops * best->entries &&
                best->entries >= dense_fill * (double)saddle_matrix_entries(o->A);
    }
    return metis ? by_metis(o, best) : SADDLE_OK;
}

static saddle_status by_graph(orderer *o, saddle__ordered *ordered)
{
    const saddle__ldlt_request *request = o->request;
    SADDLE__TRY(make_graph(o->context, o->A, &o->grouping.graph));
    int sparse = request->ordering == SADDLE_ORDERING_BEST ||
                 request->ordering == SADDLE_ORDERING_AMD;
    if (sparse)
        SADDLE__TRY(saddle__minimum_degree(o->context, &o->grouping.graph, request->late,
                                           request->very_sparse, ordered));
    if (ordered->runs > 0) return SADDLE_OK;
    if (request->very_sparse) return SADDLE_UNSUPPORTED;
    saddle__cholmod_start(&o->common);
    const saddle_status status = by_cholmod(o, ordered);
    cholmod_l_finish(&o->common);
    return status;
}

saddle_status saddle__ordered_make(saddle_context *context, const saddle_matrix *A,
                                   const saddle__ldlt_request *request, saddle__ordered *ordered)
{
    orderer o = {.context = context, .A = A, .request = request};
    if (A->cols >= INT32_MAX)
        return saddle_fail(context, SADDLE_TOO_LARGE,
                           "order %lld: the engine takes fewer than 2^31 unknowns",
                           (long long)A->cols);
    if (saddle_matrix_entries(A) == 0)
        return saddle_fail(context, SADDLE_SINGULAR, "the matrix of order %lld has no entries",
                           (long long)A->cols);
    saddle_status status = SADDLE_OK;
    ordered->order = saddle__allocate_unset(context, 3 * A->cols, sizeof *ordered->order);
    if (!ordered->order) return SADDLE_OUT_OF_MEMORY;
    ordered->parent = ordered->order + A->cols;
    ordered->count = ordered->parent + A->cols;
    if (may_be_dense(A, request))
        make_dense(A->cols, request->late, ordered);
    else
        status = by_graph(&o, ordered);
    saddle__release_all(context, o.grouping.graph.start, o.grouping.graph.node);
    saddle__layout_clear(context, &o.layout);
    if (status != SADDLE_OK) saddle__ordered_clear(context, ordered);
    return status;
}
