/* SPDX-License-Identifier: MIT */
/* A list of contacts that grows and keeps its memory. */
#include <string.h>

#include "saddle/contact.h"

saddle_status saddle_contact_list_add(saddle_contact_list *list, saddle_contact_point **point)
{
    saddle_context_clear_message(list ? list->context : NULL);
    if (point) *point = NULL;
    if (!list || !point)
        return saddle_fail(list ? list->context : NULL, SADDLE_INVALID_ARGUMENT,
                           "saddle_contact_list_add: list or point is NULL");
    if (list->count == list->capacity) {
        const int64_t capacity = list->capacity < INT64_MAX / 2 ? 2 * list->capacity + 16
                                                                : INT64_MAX;
        saddle_contact_point *grown = saddle_reallocate(list->context, list->point, capacity,
                                                        sizeof *grown);
        if (grown == NULL) return SADDLE_OUT_OF_MEMORY;
        list->point = grown;
        list->capacity = capacity;
    }
    *point = &list->point[list->count++];
    memset(*point, 0, sizeof **point);
    return SADDLE_OK;
}

void saddle_contact_list_reset(saddle_contact_list *list)
{
    if (!list) return;
    list->count = 0;
}

void saddle_contact_list_clear(saddle_contact_list *list)
{
    if (!list) return;
    saddle_release(list->context, list->point);
    *list = (saddle_contact_list){.context = list->context};
}
