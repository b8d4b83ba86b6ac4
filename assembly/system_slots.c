/* SPDX-License-Identifier: MIT */
/* See system_slots.h. */
#include "system.h"

saddle_status saddle__slots_assign(saddle_assembly *a, const saddle_contact_list *contacts)
{
    if (contacts == NULL || contacts->count == 0) return SADDLE_OK;
    return saddle_fail(a->context, SADDLE_UNSUPPORTED, "assembly: contacts are not taken in");
}

saddle_status saddle__system_contacts(saddle_assembly *a, const saddle_stage *stage, const saddle_contact_list *contacts)
{
    (void)a, (void)stage, (void)contacts;
    return SADDLE_OK;
}

void saddle__slots_clear(saddle_context *context, saddle__slots *slots)
{
    saddle_release(context, slots->slot);
}

int64_t saddle_assembly_contact_row(const saddle_assembly *assembly, int64_t id)
{
    (void)assembly, (void)id;
    return -1;
}

saddle_status saddle_assembly_reserve(saddle_assembly *assembly, const saddle_contact_side *a, const saddle_contact_side *b,
                                      int64_t count)
{
    (void)a, (void)b, (void)count;
    return saddle_fail(assembly->context, SADDLE_UNSUPPORTED, "assembly: contacts are not taken in");
}
