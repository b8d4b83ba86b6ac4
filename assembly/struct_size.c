/* SPDX-License-Identifier: MIT */
/* saddle_struct_size: beside the assembly, since here every public header is known. */
#include <string.h>

#include "saddle/saddle.h"

/* Structs that bindings read or write field by field. */
#define STRUCT_LIST(X)           \
    X(saddle_attachment)         \
    X(saddle_attachment_block)   \
    X(saddle_certificate)        \
    X(saddle_component)          \
    X(saddle_component_view)     \
    X(saddle_contact)            \
    X(saddle_contact_list)       \
    X(saddle_contact_point)      \
    X(saddle_context_options)    \
    X(saddle_dependency)         \
    X(saddle_elimination_report) \
    X(saddle_energies)           \
    X(saddle_handle)             \
    X(saddle_matrix)             \
    X(saddle_options)            \
    X(saddle_place)              \
    X(saddle_problem)            \
    X(saddle_rank)               \
    X(saddle_rank_options)       \
    X(saddle_read_options)       \
    X(saddle_reference)          \
    X(saddle_report)             \
    X(saddle_residual)           \
    X(saddle_scene)              \
    X(saddle_solution)           \
    X(saddle_step_report)        \
    X(saddle_stepper_options)

size_t saddle_struct_size(const char *name)
{
#define COMPARE(type) \
    if (name && strcmp(name, #type) == 0) return sizeof(type);
    STRUCT_LIST(COMPARE)
#undef COMPARE
    return 0;
}
