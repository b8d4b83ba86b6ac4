/* SPDX-License-Identifier: MIT */
/* The files of a folder, on disk or in memory: see source.h. */
#include "files/source.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "files/output.h"

saddle__source saddle__source_folder(saddle_context *context, const char *path)
{
    return (saddle__source){.context = context, .label = path};
}

saddle__source saddle__source_texts(saddle_context *context, const saddle__source_text *texts,
                                    const char *label)
{
    return (saddle__source){.context = context, .label = label, .texts = texts};
}

saddle_status saddle__source_open(saddle__source *source, const char *name, int *present,
                                  saddle__scan *scan)
{
    *present = 0;
    *scan = (saddle__scan){.context = source->context};
    saddle_release(source->context, source->path);
    source->path = saddle__path_join(source->context, source->label, name);
    if (!source->path) return SADDLE_OUT_OF_MEMORY;
    if (source->texts) {
        for (const saddle__source_text *text = source->texts; text->name; text++)
            if (strcmp(text->name, name) == 0) {
                *present = 1;
                *scan = saddle__scan_text(source->context, text->text, text->length, source->path);
            }
        return SADDLE_OK;
    }
    struct stat about;
    if (stat(source->path, &about) != 0 && errno == ENOENT) return SADDLE_OK;
    *present = 1;
    return saddle__scan_open(source->context, source->path, scan);
}

saddle_status saddle__source_fail(const saddle__source *source, const char *name,
                                  const char *format, ...)
{
    char reason[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    return saddle_fail(source->context, SADDLE_BAD_FILE, "%s/%s: %s", source->label, name, reason);
}

void saddle__source_close(saddle__source *source)
{
    saddle_release(source->context, source->path);
    source->path = NULL;
}
