/* SPDX-License-Identifier: MIT */
/* Any bytes as a mesh of gmsh: what is accepted has nodes in range, tags in order, groups in order.
 */
#include "fuzz_parts.h"

#include <math.h>

#include "saddle/msh.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_nodes(const saddle_msh *msh, int64_t count, const int64_t *node)
{
    for (int64_t k = 0; k < count; k++)
        if (node[k] < 0 || node[k] >= msh->nodes) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    saddle_context *context = fuzz_context();
    saddle_msh msh;
    saddle_status status = saddle_msh_read_text(context, (const char *)data, (int64_t)size, NULL,
                                                &msh);
    if (status != SADDLE_OK && (msh.nodes || msh.group || !*saddle_context_message(context)))
        abort();
    if (status == SADDLE_OK && (msh.nodes < 4 || msh.tetrahedra + msh.hexahedra < 1)) abort();
    check_nodes(&msh, 4 * msh.tetrahedra, msh.tetrahedron);
    check_nodes(&msh, 8 * msh.hexahedra, msh.hexahedron);
    for (int64_t k = 0; k < 3 * msh.nodes; k++)
        if (!isfinite(msh.position[k])) abort();
    for (int64_t k = 1; k < msh.nodes; k++)
        if (msh.tag[k] <= msh.tag[k - 1]) abort();
    for (int64_t g = 0; g < msh.groups; g++) {
        check_nodes(&msh, msh.group[g].count, msh.group[g].node);
        for (int64_t k = 1; k < msh.group[g].count; k++)
            if (msh.group[g].node[k] <= msh.group[g].node[k - 1]) abort();
    }
    saddle_msh_clear(&msh);
    saddle_context_free(context);
    return 0;
}
