/* SPDX-License-Identifier: MIT */
/* The raster behind `saddle info --spy`: entries counted per cell, counts turned into shades. */
#include "spy.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* grid at most; an SVG holds every run of cells as text */
enum { PNG_CELLS = 1000, SVG_CELLS = 250 };
enum { BLOCK_M = 0, BLOCK_J = 1, BLOCK_R = 2 };

typedef struct counter {
    tool_raster *raster;
    int64_t *count;       /* cells x cells */
    unsigned char *block; /* cells x cells: of the last entry counted */
} counter;

unsigned long tool_spy_color(int shade)
{
    static const int dark[3][3] = {{0x10, 0x3A, 0x78},
                                   {0x9C, 0x2A, 0x12},
                                   {0x1E, 0x66, 0x2C}}; /* blue, red, green */
    unsigned long color = 0;
    if (shade == 0) return 0xFFFFFFul;
    const int block = (shade - 1) / TOOL_SPY_LEVELS, level = (shade - 1) % TOOL_SPY_LEVELS;
    for (int c = 0; c < 3; c++) {
        const double ink = 0.35 + 0.65 * level / (TOOL_SPY_LEVELS - 1);
        color = color << 8 | (unsigned long)lround(255 + ink * (dark[block][c] - 255));
    }
    return color;
}

/* The cell of row or column i of K, size and cells being such that i * cells / size is exact enough
 * without overflow. */
static int64_t cell_of(const tool_raster *raster, int64_t i)
{
    if (raster->cells == raster->size) return i;
    const int64_t cell = (int64_t)((double)i * (double)raster->cells / (double)raster->size);
    return cell < raster->cells ? cell : raster->cells - 1;
}

static void count_entry(counter *at, int64_t i, int64_t j, int block)
{
    const int64_t cell = cell_of(at->raster, i) * at->raster->cells + cell_of(at->raster, j);
    at->count[cell]++;
    at->block[cell] = (unsigned char)block;
}

/* Both (i, j) and (j, i) where mirrored; a symmetric matrix stores one of them. */
static void count_matrix(counter *at, const saddle_matrix *A, int64_t row, int64_t col, int block,
                         int mirrored)
{
    if (saddle_matrix_entries(A) == 0) return;
    for (int64_t j = 0; j < A->cols; j++) {
        for (int64_t k = A->start[j]; k < A->start[j + 1]; k++) {
            const int64_t r = row + A->index[k], c = col + j;
            count_entry(at, r, c, block);
            if (mirrored && r != c) count_entry(at, c, r, block);
        }
    }
}

/* One entry is already visible; a full cell, or the fullest one, is darkest.  In between by the
 * logarithm. */
static void shade(const counter *at)
{
    const int64_t cells = at->raster->cells * at->raster->cells;
    int64_t most = 1;
    for (int64_t c = 0; c < cells; c++) most = at->count[c] > most ? at->count[c] : most;
    for (int64_t c = 0; c < cells; c++) {
        if (at->count[c] == 0) continue;
        const double ink = most > 1 ? log((double)at->count[c]) / log((double)most) : 1;
        const int level = (int)lround(ink * (TOOL_SPY_LEVELS - 1));
        at->raster->shade[c] = (unsigned char)(1 + at->block[c] * TOOL_SPY_LEVELS + level);
    }
}

static saddle_status rasterize(const saddle_problem *problem, int64_t limit, tool_raster *raster)
{
    saddle_context *context = raster->context;
    const int64_t n = problem->n;
    raster->size = n + problem->m;
    raster->cells = raster->size < limit ? raster->size : limit;
    raster->split = raster->cells == raster->size
                        ? n
                        : (int64_t)llround((double)n * (double)raster->cells /
                                           (double)raster->size);
    const int64_t cells = raster->cells * raster->cells;
    counter at = {.raster = raster};
    at.count = saddle_allocate(context, cells + 1, sizeof *at.count);
    at.block = saddle_allocate(context, cells + 1, sizeof *at.block);
    raster->shade = saddle_allocate(context, cells + 1, sizeof *raster->shade);
    const int all = at.count && at.block && raster->shade;
    if (all) {
        count_matrix(&at, &problem->M, 0, 0, BLOCK_M, problem->M.symmetry == SADDLE_SYMMETRIC);
        count_matrix(&at, &problem->R, n, n, BLOCK_R, problem->R.symmetry == SADDLE_SYMMETRIC);
        count_matrix(&at, &problem->Jt, 0, n, BLOCK_J, 1);
        shade(&at);
    }
    saddle_release(context, at.count);
    saddle_release(context, at.block);
    return all ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* ---- the file ---- */

static int ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

int tool_spy_can_write(const char *path)
{
    return ends_with(path, ".png") || ends_with(path, ".svg");
}

static saddle_status write_file(const tool_raster *raster, const char *path, int png)
{
    char temporary[4096];
    saddle_context *context = raster->context;
    const int length = snprintf(temporary, sizeof temporary, "%s.%ld~", path, (long)getpid());
    if (length < 0 || (size_t)length >= sizeof temporary)
        return saddle_fail(context, SADDLE_FILE_ERROR, "%.60s...: the name is too long", path);
    FILE *file = fopen(temporary, "wb");
    if (!file)
        return saddle_fail(context, SADDLE_FILE_ERROR, "%s: cannot be written: %s", path,
                           strerror(errno));
    int failed = png ? tool_png_write(file, raster) : tool_svg_write(file, raster);
    if (fclose(file) != 0) failed = -1;
    if (!failed) failed = rename(temporary, path);
    if (!failed) return SADDLE_OK;
    const int reason = errno;
    unlink(temporary);
    return saddle_fail(context, SADDLE_FILE_ERROR, "%s: cannot be written: %s", path,
                       strerror(reason));
}

saddle_status tool_spy_write(saddle_context *context, const saddle_problem *problem,
                             const char *path)
{
    tool_raster raster = {.context = context};
    const int png = ends_with(path, ".png");
    if (!tool_spy_can_write(path))
        return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                           "--spy %s: the name must end in .png or .svg", path);
    saddle_status status = rasterize(problem, png ? PNG_CELLS : SVG_CELLS, &raster);
    if (status == SADDLE_OK) status = write_file(&raster, path, png);
    saddle_release(context, raster.shade);
    return status;
}
