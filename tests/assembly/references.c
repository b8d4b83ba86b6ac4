/* SPDX-License-Identifier: MIT */
/* See references.h. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "references.h"

enum { LINE = 1024 };

static FILE *open_file(const char *name)
{
    char relative[128];
    snprintf(relative, sizeof relative, "mbs_ref/%s", name);
    FILE *file = fopen(test_data_path(relative), "r");
    assert_non_null(file);
    return file;
}

static int read_numbers(const char *text, int count, double *numbers)
{
    for (int i = 0; i < count; i++) {
        char *end = NULL;
        numbers[i] = strtod(text, &end);
        if (end == text) return 0;
        text = end;
    }
    return 1;
}

void reference_numbers(const char *problem, const char *name, int count, double *numbers)
{
    FILE *file = open_file("reference_values.txt");
    char line[LINE], heading[64];
    const size_t length = strlen(name);
    int inside = 0, found = 0;
    snprintf(heading, sizeof heading, "[%s]", problem);
    while (!found && fgets(line, LINE, file) != NULL) {
        if (line[0] == '[') inside = strncmp(line, heading, strlen(heading)) == 0;
        if (!inside || strncmp(line, name, length) != 0 || line[length] != ' ') continue;
        found = read_numbers(line + length, count, numbers);
    }
    fclose(file);
    if (!found) print_error("no %s under %s\n", name, heading);
    assert_true(found);
}

double *reference_table(const char *file, int64_t rows, int64_t columns)
{
    FILE *stream = open_file(file);
    int64_t said[2];
    assert_int_equal(fscanf(stream, "%" SCNd64 " %" SCNd64, &said[0], &said[1]), 2);
    assert_true(said[0] == rows && said[1] == columns);
    double *table = malloc((size_t)(rows * columns) * sizeof *table);
    assert_non_null(table);
    for (int64_t k = 0; k < rows * columns; k++)
        assert_int_equal(fscanf(stream, "%lf", &table[k]), 1);
    fclose(stream);
    return table;
}

double reference_error(const double *a, const double *b, int count)
{
    double error = 0;
    for (int i = 0; i < count; i++) error = fmax(error, fabs(a[i] - b[i]));
    return error;
}

void reference_extrapolate(const double *coarse, const double *middle, double *fine, int count)
{
    for (int i = 0; i < count; i++) {
        const double early = (4 * middle[i] - coarse[i]) / 3, late = (4 * fine[i] - middle[i]) / 3;
        fine[i] = (8 * late - early) / 7;
    }
}
