/* SPDX-License-Identifier: MIT */
/* Buffered writing of text: see output.h. */
#include "files/output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "files/number.h"

#define BUFFER_SIZE 65536

saddle_status saddle__output_open(saddle_context *context, const char *path, saddle__output *output)
{
    memset(output, 0, sizeof *output);
    saddle_status status = saddle__new_file_begin(context, path, &output->file);
    if (status != SADDLE_OK) return status;
    output->buffer = saddle_allocate(context, BUFFER_SIZE, 1);
    return output->buffer ? SADDLE_OK
                          : saddle__new_file_finish(&output->file, SADDLE_OUT_OF_MEMORY);
}

static void put(saddle__output *output, const char *bytes, int64_t count)
{
    while (count > 0 && !output->error) {
        ssize_t done = write(output->file.descriptor, bytes, (size_t)count);
        if (done > 0) {
            bytes += done;
            count -= done;
        } else if (done == 0 || errno != EINTR) {
            output->error = done == 0 ? EIO : errno;
        }
    }
}

static void flush(saddle__output *output)
{
    put(output, output->buffer, output->used);
    output->used = 0;
}

static void append(saddle__output *output, const char *bytes, int64_t count)
{
    if (count > BUFFER_SIZE - output->used) flush(output);
    if (count > BUFFER_SIZE) {
        put(output, bytes, count);
        return;
    }
    memcpy(output->buffer + output->used, bytes, (size_t)count);
    output->used += count;
}

void saddle__output_bytes(saddle__output *output, const char *bytes, int64_t count)
{
    append(output, bytes, count);
}

void saddle__output_text(saddle__output *output, const char *text)
{
    append(output, text, (int64_t)strlen(text));
}

void saddle__output_integer(saddle__output *output, int64_t value)
{
    char text[SADDLE__NUMBER_SIZE];
    append(output, text, saddle__integer_format(value, text));
}

void saddle__output_double(saddle__output *output, double value)
{
    char text[SADDLE__NUMBER_SIZE];
    append(output, text, saddle__number_format(value, text));
}

/* What is buffered is written; the buffer is released. */
static saddle_status drain(saddle__output *output, saddle_status status)
{
    if (status == SADDLE_OK) flush(output);
    if (status == SADDLE_OK && output->error)
        status = saddle__fail_errno(output->file.context, output->file.target, "cannot be written",
                                    output->error);
    saddle_release(output->file.context, output->buffer);
    output->buffer = NULL;
    return status;
}

saddle_status saddle__output_finish(saddle__output *output, saddle_status status)
{
    status = drain(output, status);
    return saddle__new_file_finish(&output->file, status);
}

saddle_status saddle__output_finish_pair(saddle__output *first, saddle__output *second,
                                         saddle_status status)
{
    status = drain(first, status);
    status = drain(second, status);
    return saddle__new_file_finish_pair(&first->file, &second->file, status);
}
