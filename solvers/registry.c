/* SPDX-License-Identifier: MIT */
/* Which solvers there are: the built-in ones, then those that the host registered with its
 * context. */
#include <string.h>

#include "base/context_internal.h"
#include "builtin.h"
#include "settings.h"

static const saddle_solver_type *const builtin[] = {
#define LIST_SOLVER(name) &saddle__solver_##name,
    SADDLE_BUILTIN_SOLVERS(LIST_SOLVER)
#undef LIST_SOLVER
};

enum { BUILTIN_COUNT = sizeof builtin / sizeof *builtin };

const saddle_solver_type *saddle_solver_type_at(const saddle_context *context, int64_t index)
{
    if (index < 0) return NULL;
    if (index < BUILTIN_COUNT) return builtin[index];
    index -= BUILTIN_COUNT;
    return context && index < context->registered_count ? context->registered[index] : NULL;
}

const saddle_solver_type *saddle_solver_type_find(const saddle_context *context, const char *name)
{
    if (!name) return NULL;
    const saddle_solver_type *type;
    for (int64_t i = 0; (type = saddle_solver_type_at(context, i)) != NULL; i++)
        if (strcmp(type->name, name) == 0) return type;
    return NULL;
}

static int is_complete(const saddle_solver_type *type)
{
    return type && type->name && type->name[0] && strlen(type->name) < SADDLE_NAME_SIZE &&
           type->summary && type->rows && type->matrices && type->analyse && type->factor &&
           type->solve && type->clear && saddle__settings_are_valid(type);
}

saddle_status saddle_solver_register(saddle_context *context, const saddle_solver_type *type)
{
    saddle_context_clear_message(context);
    if (!context) return SADDLE_INVALID_ARGUMENT;
    if (!is_complete(type))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "a solver type needs a name under %d characters, a summary, rows, "
                           "matrices, all four functions, and settings within their ranges",
                           SADDLE_NAME_SIZE);
    if (saddle_solver_type_find(context, type->name))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT, "a solver named '%s' exists already",
                           type->name);
    const void **grown = saddle_reallocate(context, (void *)context->registered,
                                           context->registered_count + 1, sizeof *grown);
    if (!grown) return SADDLE_OUT_OF_MEMORY;
    grown[context->registered_count++] = type;
    context->registered = grown;
    return SADDLE_OK;
}
