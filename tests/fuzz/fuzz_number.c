/* SPDX-License-Identifier: MIT */
/* Any bytes as a number: the double must be the one that strtod finds, and must survive being
 * written and read. */
#include "fuzz_parts.h"

#include "files/number.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    const char *text = (const char *)data, *next;
    double value, again;
    saddle__number_kind kind = saddle__number_parse(text, text + size, &value, &next);
    if (kind != SADDLE__NUMBER_FINITE && kind != SADDLE__NUMBER_OVERFLOW) return 0;

    size_t length = (size_t)(next - text);
    char *copy = malloc(length + 1);
    if (!copy) abort();
    memcpy(copy, text, length);
    copy[length] = 0;
    for (char *c = copy; *c; c++)
        if (*c == 'd' || *c == 'D') *c = 'e'; /* Fortran's exponents are strange to strtod */
    double known = strtod(copy, NULL);
    free(copy);
    if (memcmp(&known, &value, sizeof value) != 0) abort();

    char written[SADDLE__NUMBER_SIZE];
    int count = saddle__number_format(value, written);
    saddle__number_parse(written, written + count, &again, &next);
    if (memcmp(&again, &value, sizeof value) != 0) abort();
    return 0;
}
