/* SPDX-License-Identifier: MIT */
/* A picture of the pattern of K = [M J'; J -R]: which entries there are, and for large systems how
 * densely. */
#ifndef SADDLE_TOOLS_SPY_H
#define SADDLE_TOOLS_SPY_H

#include <stdio.h>

#include "saddle/problem.h"

enum { TOOL_SPY_LEVELS = 5 }; /* shades of each block, the lightest first */

/* Cells of a grid laid over K. */
typedef struct tool_raster {
    saddle_context *context;
    int64_t size;         /* rows and columns of K */
    int64_t cells;        /* rows and columns of the grid, at most size */
    int64_t split;        /* the first cell row of J and -R: where the block border is drawn */
    unsigned char *shade; /* cells x cells by rows: 0 = no entry, else 1 + block * LEVELS + level;
                             block 0 is M, 1 is J and J', 2 is R */
} tool_raster;

/* 0xRRGGBB of a shade; 0 is the background. */
unsigned long tool_spy_color(int shade);
enum { TOOL_SPY_SHADES = 1 + 3 * TOOL_SPY_LEVELS };
#define TOOL_SPY_BORDER 0x8899AAul

/* Whether the name ends as a kind of picture that can be written. */
int tool_spy_can_write(const char *path);

/* PNG or SVG by the name's end; written next to it and renamed.  SADDLE_INVALID_ARGUMENT: neither;
 * SADDLE_FILE_ERROR. */
saddle_status tool_spy_write(saddle_context *context, const saddle_problem *problem,
                             const char *path);

/* -1 where writing failed. */
int tool_png_write(FILE *file, const tool_raster *raster);
int tool_svg_write(FILE *file, const tool_raster *raster);

#endif
