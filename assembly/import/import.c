/* SPDX-License-Identifier: MIT */
/* The frame of an import (saddle/import.h): files, findings, values, lists. */
#include "import_internal.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/context_internal.h"
#include "base/unset.h"
#include "files/number.h"
#include "files/scan.h"
#include "model_internal.h"
#include "saddle/rotation.h"
#include "space/space.h"

/* ---- failures, findings, texts ---- */

void saddle__import_stop(saddle__import *import, saddle_status status)
{
    if (import->status != SADDLE_OK || status == SADDLE_OK) return;
    import->status = status;
    saddle__append(import->message, sizeof import->message,
                   saddle_context_message(import->context));
}

void saddle__import_pass_on(saddle__import *import, const saddle__xml_element *element,
                            saddle_status status)
{
    if (status == SADDLE_OUT_OF_MEMORY)
        saddle__import_stop(import, status);
    else if (status != SADDLE_OK)
        saddle__import_refuse(import, element, "%s", saddle_context_message(import->context));
}

void *saddle__import_grow(saddle__import *import, void *array, int64_t *capacity, int64_t *count,
                          size_t size)
{
    if (import->status == SADDLE_OK)
        saddle__import_stop(import,
                            saddle__reserve(import->context, array, capacity, *count + 1, size));
    if (import->status != SADDLE_OK) return NULL;
    char *begin;
    memcpy(&begin, array, sizeof begin);
    return memset(begin + (size_t)(*count)++ * size, 0, size);
}

const char *saddle__import_print(saddle__import *import, const char *format, ...)
{
    va_list arguments;
    char **text = saddle__import_next(import, text);
    if (!text) return "";
    va_start(arguments, format);
    const int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    *text = saddle_allocate(import->context, length + 1, 1);
    if (!*text) {
        saddle__import_stop(import, SADDLE_OUT_OF_MEMORY);
        return "";
    }
    va_start(arguments, format);
    vsnprintf(*text, (size_t)length + 1, format, arguments);
    va_end(arguments);
    return *text;
}

void saddle__import_find(saddle__import *import, const saddle__xml_element *element,
                         int unsupported, const char *format, ...)
{
    char reason[256], line[512];
    saddle_import *result = import->result;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    const int length = snprintf(line, sizeof line, "%.120s:%lld: %.80s: %s", element->file,
                                (long long)element->line, element->name, reason);
    saddle_finding *finding = saddle__import_grow(import, &result->finding,
                                                  &import->finding_capacity, &result->findings,
                                                  sizeof *result->finding);
    if (!finding) return;
    finding->text = saddle_allocate(import->context, length + 1, 1);
    if (!finding->text) {
        result->findings--;
        saddle__import_stop(import, SADDLE_OUT_OF_MEMORY);
        return;
    }
    memcpy(finding->text, line, (size_t)length);
    finding->unsupported = unsupported;
    result->unsupported += unsupported;
}

/* ---- values ---- */

int saddle__import_numbers(saddle__import *import, const saddle__xml_element *element,
                           const char *attribute, const char *text, int least, int most,
                           double *value)
{
    const char *at = text, *end = text + strlen(text), *space = " \t\r\n";
    int count = 0;
    while (import->status == SADDLE_OK) {
        double number = 0;
        at += strspn(at, space);
        if (at == end) break;
        if (count == most) {
            saddle__import_refuse(import, element, "%.40s has more than %d numbers", attribute,
                                  most);
            return 0;
        }
        if (saddle__number_parse(at, end, &number, &at) != SADDLE__NUMBER_FINITE ||
            (at < end && !strchr(space, *at)) || !(fabs(number) <= SADDLE__LARGEST)) {
            saddle__import_refuse(import, element, "%.40s=\"%.40s\" is not made of numbers",
                                  attribute, text);
            return 0;
        }
        value[count++] = number;
    }
    if (count < least)
        saddle__import_refuse(import, element, "%.40s has %d numbers, %d are needed", attribute,
                              count, least);
    return import->status == SADDLE_OK ? count : 0;
}

void saddle__import_along(const double *z, double *R)
{
    static const double up[3] = {0, 0, 1};
    double unit[3] = {0, 0, 1}, phi[3];
    saddle__direction(z, unit);
    saddle__cross(up, unit, phi);
    const double sine = sqrt(saddle__dot(phi, phi)), angle = atan2(sine, unit[2]);
    for (int k = 0; k < 3; k++) phi[k] *= sine > 0 ? angle / sine : 0;
    if (!(sine > 0) && unit[2] < 0) phi[0] = angle;
    saddle_rotation_exp(phi, R);
}

/* ---- building ---- */

static int is_taken(const saddle__import *import, const char *name)
{
    if (strcmp(name, "ground") == 0 || name[0] == '\0') return 1;
    for (int64_t k = 0; k < import->part_count; k++)
        if (strcmp(import->part[k].name, name) == 0) return 1;
    return 0;
}

int64_t saddle__import_part_add(saddle__import *import, const saddle__xml_element *from,
                                const char *name, int64_t parent, const saddle_pose *pose)
{
    if (!name) name = saddle__import_print(import, "body %lld", (long long)import->part_count + 1);
    if (import->status == SADDLE_OK && is_taken(import, name))
        saddle__import_refuse(import, from, "\"%.80s\" is no name for a body, or taken", name);
    saddle__import_part *part = saddle__import_next(import, part);
    if (!part) return SADDLE__GROUND;
    *part = (saddle__import_part){.name = name, .from = from, .parent = parent, .pose = *pose};
    return import->part_count - 1;
}

void saddle__import_mass(saddle__import *import, int64_t part, const saddle__xml_element *element,
                         const saddle_body_inertia *inertia, const saddle_pose *place)
{
    if (import->status != SADDLE_OK || part == SADDLE__GROUND) return;
    saddle_body_inertia *sum = &import->part[part].inertia, both[2], composed;
    const saddle_pose at[2] = {*place, saddle_pose_identity()};
    both[0] = *inertia;
    both[1] = *sum;
    saddle__import_pass_on(import, element,
                           saddle_body_inertia_compose(import->context, sum->mass > 0 ? 2 : 1, both,
                                                       at, &composed));
    if (import->status == SADDLE_OK) *sum = composed;
}

saddle__import_free saddle__import_free_default(void)
{
    return (saddle__import_free){.lo = -INFINITY, .hi = INFINITY};
}

/* ---- reading ---- */

static void read_root(saddle__import *import, saddle__xml_element *root, int skip_unsupported)
{
    const saddle_import *result = import->result;
    if (strcmp(root->name, "mujoco") == 0)
        saddle__import_mjcf(import, root);
    else if (strcmp(root->name, "robot") == 0)
        saddle__import_urdf(import, root);
    else
        saddle__import_refuse(import, root, "the root is neither \"mujoco\" nor \"robot\"");
    for (int64_t k = 0; import->status == SADDLE_OK && !skip_unsupported && k < result->findings;
         k++) {
        if (!result->finding[k].unsupported) continue;
        import->status = saddle_fail(import->context, SADDLE_UNSUPPORTED,
                                     "%s (%lld in all that would change the motion)",
                                     result->finding[k].text, (long long)result->unsupported);
    }
    if (import->status == SADDLE_OK) saddle__import_write(import);
}

static void clear(saddle__import *import)
{
    for (int64_t k = 0; k < import->text_count; k++)
        saddle_release(import->context, import->text[k]);
    saddle__release_all(import->context, import->text, import->part, import->joint, import->shape,
                        import->apart, import->term, import->gear, import->line, import->load);
    saddle__xml_clear(&import->xml);
}

saddle_status saddle_import_read_text(saddle_context *context, const char *text, int64_t length,
                                      const char *label, const char *folder, int skip_unsupported,
                                      saddle_import *import)
{
    if (import) *import = (saddle_import){.context = context};
    SADDLE__RETURN_UNLESS(context, text && length >= 0 && import, "text or import is NULL");
    saddle__import reading = {.context = context,
                              .status = SADDLE_OK,
                              .result = import,
                              .folder = folder,
                              .xml = {.context = context}};
    saddle__xml_element *root;
    reading.status = saddle__xml_read(&reading.xml, text, length, label ? label : "model", &root);
    if (reading.status == SADDLE_OK) read_root(&reading, root, skip_unsupported);
    clear(&reading);
    if (reading.message[0] != '\0') saddle_fail(context, reading.status, "%s", reading.message);
    return reading.status;
}

saddle_status saddle_import_read(saddle_context *context, const char *path, int skip_unsupported,
                                 saddle_import *import)
{
    if (import) *import = (saddle_import){.context = context};
    SADDLE__RETURN_UNLESS(context, path && import, "path or import is NULL");
    char *folder = saddle__folder_of(context, path);
    if (!folder) return SADDLE_OUT_OF_MEMORY;
    saddle__scan scan = {0};
    saddle_status status = saddle__scan_open(context, path, &scan);
    if (status == SADDLE_OK)
        status = saddle_import_read_text(context, scan.begin, scan.end - scan.begin, path, folder,
                                         skip_unsupported, import);
    saddle__scan_close(&scan);
    saddle_release(context, folder);
    return status;
}

void saddle_import_clear(saddle_import *import)
{
    if (!import) return;
    for (int64_t k = 0; k < import->findings; k++)
        saddle_release(import->context, import->finding[k].text);
    saddle__release_all(import->context, import->finding, import->scene);
    *import = (saddle_import){0};
}
