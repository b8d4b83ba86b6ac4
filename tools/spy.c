/* SPDX-License-Identifier: MIT */
/* The picture behind `saddle info --spy`: entries counted for each cell of a grid, counts turned
 * into shades, the grid written as PNG or SVG.
 *
 * PNG (ISO/IEC 15948): 8-bit palette, the pixels in stored (uncompressed) deflate blocks (RFC 1950,
 * 1951), because a picture is at most a megabyte and a compressor is not worth a dependency.  One
 * pixel of frame all round, one pixel of border between the blocks of K, each cell a square of the
 * same number of pixels.  SVG: one path for each shade, cells drawn as horizontal runs. */
#include "spy.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "files/output.h"

/* Cells of the grid and pixels of the picture at most; SVG holds every run of cells as text. */
enum { PNG_CELLS = 1000 };
enum block { BLOCK_M, BLOCK_J, BLOCK_R };
enum shades { LEVELS = 5, SHADES = 1 + 3 * LEVELS }; /* of each block, the lightest first; of all */
static const unsigned long border_color = 0x8899AA;

/* Cells of a grid laid over K. */
typedef struct raster {
    saddle_context *context;
    int64_t size;         /* rows and columns of K */
    int64_t cells;        /* rows and columns of the grid, at most size */
    int64_t split;        /* the first cell row of J and -R: where the block border is drawn */
    unsigned char *shade; /* cells x cells by rows: 0 = no entry, else 1 + block * LEVELS + level */
} raster;

typedef struct counter {
    raster *grid;
    int64_t *count;       /* cells x cells */
    unsigned char *block; /* cells x cells: of the last entry counted */
} counter;

/* 0xRRGGBB of a shade; 0 is the background. */
static unsigned long color_of(int shade)
{
    static const int dark[3][3] = {{0x10, 0x3A, 0x78},
                                   {0x9C, 0x2A, 0x12},
                                   {0x1E, 0x66, 0x2C}}; /* blue, red, green */
    unsigned long color = 0;
    if (shade == 0) return 0xFFFFFFul;
    const int block = (shade - 1) / LEVELS, level = (shade - 1) % LEVELS;
    for (int c = 0; c < 3; c++) {
        const double ink = 0.35 + 0.65 * level / (LEVELS - 1);
        color = color << 8 | (unsigned long)lround(255 + ink * (dark[block][c] - 255));
    }
    return color;
}

/* The cell of row or column i of K; the product in doubles cannot overflow. */
static int64_t cell_of(const raster *grid, int64_t i)
{
    if (grid->cells == grid->size) return i;
    const int64_t cell = (int64_t)((double)i * (double)grid->cells / (double)grid->size);
    return cell < grid->cells ? cell : grid->cells - 1;
}

static void count_entry(counter *at, int64_t i, int64_t j, int block)
{
    const int64_t cell = cell_of(at->grid, i) * at->grid->cells + cell_of(at->grid, j);
    at->count[cell]++;
    at->block[cell] = (unsigned char)block;
}

/* Counts (i, j), and (j, i) if mirrored: a symmetric matrix stores one triangle. */
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

/* A single entry is visible; a full cell, or the fullest, is darkest.  Shades follow the logarithm.
 */
static void shade(const counter *at)
{
    const int64_t cells = at->grid->cells * at->grid->cells;
    int64_t most = 1;
    for (int64_t c = 0; c < cells; c++) most = at->count[c] > most ? at->count[c] : most;
    for (int64_t c = 0; c < cells; c++) {
        if (at->count[c] == 0) continue;
        const double ink = most > 1 ? log((double)at->count[c]) / log((double)most) : 1;
        const int level = (int)lround(ink * (LEVELS - 1));
        at->grid->shade[c] = (unsigned char)(1 + at->block[c] * LEVELS + level);
    }
}

static saddle_status rasterize(const saddle_problem *problem, int64_t limit, raster *grid)
{
    saddle_context *context = grid->context;
    const int64_t n = problem->n;
    grid->size = n + problem->m;
    grid->cells = grid->size < limit ? grid->size : limit;
    grid->split = grid->cells == grid->size
                      ? n
                      : (int64_t)llround((double)n * (double)grid->cells / (double)grid->size);
    const int64_t cells = grid->cells * grid->cells;
    counter at = {.grid = grid};
    at.count = saddle_allocate(context, cells + 1, sizeof *at.count);
    at.block = saddle_allocate(context, cells + 1, sizeof *at.block);
    grid->shade = saddle_allocate(context, cells + 1, sizeof *grid->shade);
    const int all = at.count && at.block && grid->shade;
    if (all) {
        count_matrix(&at, &problem->M, 0, 0, BLOCK_M, problem->M.symmetry == SADDLE_SYMMETRY_LOWER);
        count_matrix(&at, &problem->R, n, n, BLOCK_R, problem->R.symmetry == SADDLE_SYMMETRY_LOWER);
        count_matrix(&at, &problem->Jt, 0, n, BLOCK_J, 1);
        shade(&at);
    }
    saddle_release(context, at.count);
    saddle_release(context, at.block);
    return all ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}

/* ---- PNG ---- */

enum { STORED_SIZE = 65535 }; /* bytes of a stored block at most */

typedef struct png {
    saddle__output *file;
    uint32_t crc;     /* of the chunk being written */
    uint32_t a, b;    /* Adler-32 of the pixels */
    int64_t left;     /* pixel bytes to come */
    int64_t in_block; /* of the stored block */
} png;

/* Adds to the CRC-32 with the polynomial 0xEDB88320, bit by bit. */
static void put(png *out, const unsigned char *byte, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        out->crc ^= byte[i];
        for (int bit = 0; bit < 8; bit++)
            out->crc = out->crc & 1u ? out->crc >> 1 ^ 0xEDB88320u : out->crc >> 1;
    }
    saddle__output_bytes(out->file, byte, (int64_t)count);
}

static void put_u32(png *out, uint32_t value)
{
    const unsigned char byte[4] = {(unsigned char)(value >> 24),
                                   (unsigned char)(value >> 16 & 0xFF),
                                   (unsigned char)(value >> 8 & 0xFF),
                                   (unsigned char)(value & 0xFF)};
    put(out, byte, sizeof byte);
}

static void begin_chunk(png *out, const char *type, uint32_t length)
{
    put_u32(out, length);
    out->crc = 0xFFFFFFFFu; /* the length is not part of the sum */
    put(out, (const unsigned char *)type, 4);
}

static void end_chunk(png *out)
{
    put_u32(out, out->crc ^ 0xFFFFFFFFu);
}

/* A byte of pixel data, after the head of a new stored block (RFC 1951, 3.2.4). */
static void put_pixel(png *out, unsigned char pixel)
{
    if (out->in_block == 0) {
        const int64_t length = out->left < STORED_SIZE ? out->left : STORED_SIZE;
        const unsigned char head[5] = {length == out->left, (unsigned char)(length & 0xFF),
                                       (unsigned char)(length >> 8),
                                       (unsigned char)(~length & 0xFF),
                                       (unsigned char)(~length >> 8 & 0xFF)};
        put(out, head, sizeof head);
        out->in_block = length;
    }
    put(out, &pixel, 1);
    out->in_block--;
    out->left--;
    out->a = (out->a + pixel) % 65521;
    out->b = (out->b + out->a) % 65521;
}

static void write_palette(png *out)
{
    begin_chunk(out, "PLTE", 3 * (SHADES + 1));
    for (int shade = 0; shade <= SHADES; shade++) {
        const unsigned long color = shade < SHADES ? color_of(shade) : border_color;
        const unsigned char rgb[3] = {(unsigned char)(color >> 16 & 0xFF),
                                      (unsigned char)(color >> 8 & 0xFF),
                                      (unsigned char)(color & 0xFF)};
        put(out, rgb, sizeof rgb);
    }
    end_chunk(out);
}

/* The cell of a pixel row or column; -1 on the frame or the border.  at = 0 .. side - 1. */
static int64_t cell_at(const raster *grid, int64_t scale, int64_t side, int64_t at)
{
    const int bordered = grid->split > 0 && grid->split < grid->cells;
    const int64_t border = 1 + grid->split * scale;
    if (at == 0 || at == side - 1 || (bordered && at == border)) return -1;
    return (at - 1 - (bordered && at > border)) / scale;
}

static void write_pixels(png *out, const raster *grid, int64_t scale, int64_t side)
{
    static const unsigned char zlib_head[2] = {0x78, 0x01};
    const int64_t blocks = (out->left + STORED_SIZE - 1) / STORED_SIZE;
    begin_chunk(out, "IDAT", (uint32_t)(2 + out->left + 5 * blocks + 4));
    put(out, zlib_head, sizeof zlib_head);
    for (int64_t y = 0; y < side; y++) {
        const int64_t row = cell_at(grid, scale, side, y);
        put_pixel(out, 0); /* filter: none */
        for (int64_t x = 0; x < side; x++) {
            const int64_t col = cell_at(grid, scale, side, x);
            put_pixel(out, row < 0 || col < 0 ? SHADES : grid->shade[row * grid->cells + col]);
        }
    }
    put_u32(out, out->b << 16 | out->a);
    end_chunk(out);
}

static void write_png(saddle__output *file, const raster *grid)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    /* 8 bits, palette, deflate, filters, no interlace */
    static const unsigned char kind[5] = {8, 3, 0, 0, 0};
    const int64_t scale = grid->cells > 0 && grid->cells < PNG_CELLS ? PNG_CELLS / grid->cells : 1;
    const int bordered = grid->split > 0 && grid->split < grid->cells;
    const int64_t side = grid->cells * scale + 2 + bordered;
    png out = {.file = file, .a = 1, .left = side * (side + 1)};
    put(&out, signature, sizeof signature);
    begin_chunk(&out, "IHDR", 13);
    put_u32(&out, (uint32_t)side);
    put_u32(&out, (uint32_t)side);
    put(&out, kind, sizeof kind);
    end_chunk(&out);
    write_palette(&out);
    write_pixels(&out, grid, scale, side);
    begin_chunk(&out, "IEND", 0);
    end_chunk(&out);
}

/* ---- SVG ---- */

#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
static void
print(saddle__output *file, const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    saddle__output_text(file, text);
}

static void write_runs(saddle__output *file, const raster *grid, int shade)
{
    const int64_t cells = grid->cells;
    int begun = 0;
    for (int64_t row = 0; row < cells; row++) {
        const unsigned char *line = grid->shade + row * cells;
        for (int64_t col = 0; col < cells; col++) {
            if (line[col] != shade) continue;
            int64_t end = col + 1;
            while (end < cells && line[end] == shade) end++;
            if (!begun) print(file, "<path fill=\"#%06lX\" d=\"", color_of(shade));
            print(file, "M%lld %lldh%lldv1h-%lldz", (long long)col, (long long)row,
                  (long long)(end - col), (long long)(end - col));
            begun = 1;
            col = end - 1;
        }
    }
    if (begun) saddle__output_text(file, "\"/>\n");
}

static void write_svg(saddle__output *file, const raster *grid)
{
    const long long cells = grid->cells, split = grid->split;
    const double line = cells > 0 ? (double)cells / 800 : 1;
    print(file,
          "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"800\" viewBox=\"%g "
          "%g %g %g\" "
          "shape-rendering=\"crispEdges\">\n"
          "<title>K = [M J'; J -R], %lld rows</title>\n"
          "<rect x=\"0\" y=\"0\" width=\"%lld\" height=\"%lld\" fill=\"#FFFFFF\"/>\n",
          -line, -line, (double)cells + 2 * line, (double)cells + 2 * line, (long long)grid->size,
          cells, cells);
    for (int shade = 1; shade < SHADES; shade++) write_runs(file, grid, shade);
    print(file,
          "<path fill=\"none\" stroke=\"#%06lX\" stroke-width=\"%g\" d=\"M0 0h%lldv%lldh-%lldz",
          border_color, line, cells, cells, cells);
    if (split > 0 && split < cells)
        print(file, "M%lld 0v%lldM0 %lldh%lld", split, cells, split, cells);
    saddle__output_text(file, "\"/>\n</svg>\n");
}

/* ---- the file ---- */

static int ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length > tail && strcmp(text + length - tail, end) == 0;
}

saddle_status tool_spy_check(saddle_context *context, const char *path)
{
    if (ends_with(path, ".png") || ends_with(path, ".svg")) return SADDLE_OK;
    return saddle_fail(context, SADDLE_INVALID_ARGUMENT,
                       "--spy %s: the name must end in .png or .svg", path);
}

saddle_status tool_spy_write(saddle_context *context, const saddle_problem *problem,
                             const char *path)
{
    raster grid = {.context = context};
    const int as_png = ends_with(path, ".png");
    saddle_status status = rasterize(problem, as_png ? PNG_CELLS : 250, &grid);
    saddle__output file = {0};
    if (status == SADDLE_OK) status = saddle__output_open(context, path, &file);
    if (status == SADDLE_OK) (as_png ? write_png : write_svg)(&file, &grid);
    status = saddle__output_finish(&file, status);
    saddle_release(context, grid.shade);
    return status;
}

saddle_status tool_spy_text(saddle_context *context, const saddle_problem *problem, int64_t cells,
                            char **text)
{
    raster grid = {.context = context};
    *text = NULL;
    saddle_status status = rasterize(problem, cells, &grid);
    const int64_t count = grid.cells * grid.cells;
    if (status == SADDLE_OK) *text = saddle_allocate(context, count + 1, 1);
    for (int64_t k = 0; *text && k < count; k++) (*text)[k] = "0123456789abcdef"[grid.shade[k]];
    saddle_release(context, grid.shade);
    return *text ? SADDLE_OK : SADDLE_OUT_OF_MEMORY;
}
