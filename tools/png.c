/* SPDX-License-Identifier: MIT */
/* A raster as PNG (ISO/IEC 15948): 8-bit palette, the pixels in stored (uncompressed) deflate
 * blocks (RFC 1950, 1951).
 *
 * Uncompressed because a picture is at most a megabyte and a compressor is not worth a dependency.
 * One pixel of frame all round, one pixel of border between the blocks of K, each cell a square of
 * the same number of pixels.
 */
#include <string.h>

#include "spy.h"

enum { PICTURE = 800, STORED_AT_MOST = 65535 };

typedef struct png {
    FILE *file;
    uint32_t crc;     /* of the chunk being written */
    uint32_t a, b;    /* Adler-32 of the pixels */
    int64_t left;     /* pixel bytes to come */
    int64_t in_block; /* of the stored block */
} png;

/* ---- bytes, chunks and sums ---- */

/* CRC-32 with the polynomial 0xEDB88320, bit by bit. */
static uint32_t crc_step(uint32_t crc, unsigned char byte)
{
    crc ^= byte;
    for (int bit = 0; bit < 8; bit++) crc = crc & 1u ? crc >> 1 ^ 0xEDB88320u : crc >> 1;
    return crc;
}

static void put(png *out, const unsigned char *byte, size_t count)
{
    for (size_t i = 0; i < count; i++) out->crc = crc_step(out->crc, byte[i]);
    fwrite(byte, 1, count, out->file);
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

/* One byte of pixel data, with the head of a stored block where one is due (RFC 1951, 3.2.4). */
static void put_pixel(png *out, unsigned char pixel)
{
    if (out->in_block == 0) {
        const int64_t length = out->left < STORED_AT_MOST ? out->left : STORED_AT_MOST;
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

/* ---- the picture ---- */

static void write_header(png *out, int64_t side)
{
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};
    static const unsigned char kind[5] = {8, 3, 0, 0, 0}; /* 8 bits, palette, deflate, filters, no
                                                             interlace */
    put(out, signature, sizeof signature);
    begin_chunk(out, "IHDR", 13);
    put_u32(out, (uint32_t)side);
    put_u32(out, (uint32_t)side);
    put(out, kind, sizeof kind);
    end_chunk(out);
}

static void write_palette(png *out)
{
    begin_chunk(out, "PLTE", 3 * (TOOL_SPY_SHADES + 1));
    for (int shade = 0; shade <= TOOL_SPY_SHADES; shade++) {
        const unsigned long color = shade < TOOL_SPY_SHADES ? tool_spy_color(shade)
                                                            : TOOL_SPY_BORDER;
        const unsigned char rgb[3] = {(unsigned char)(color >> 16 & 0xFF),
                                      (unsigned char)(color >> 8 & 0xFF),
                                      (unsigned char)(color & 0xFF)};
        put(out, rgb, sizeof rgb);
    }
    end_chunk(out);
}

/* The cell of a pixel row or column; -1 on the frame or the border.  at = 0 .. side - 1. */
static int64_t cell_at(const tool_raster *raster, int64_t scale, int64_t side, int64_t at)
{
    const int bordered = raster->split > 0 && raster->split < raster->cells;
    const int64_t border = 1 + raster->split * scale;
    if (at == 0 || at == side - 1 || (bordered && at == border)) return -1;
    return (at - 1 - (bordered && at > border)) / scale;
}

static void write_pixels(png *out, const tool_raster *raster, int64_t scale, int64_t side)
{
    static const unsigned char zlib_head[2] = {0x78, 0x01};
    const int64_t blocks = (out->left + STORED_AT_MOST - 1) / STORED_AT_MOST;
    begin_chunk(out, "IDAT", (uint32_t)(2 + out->left + 5 * blocks + 4));
    put(out, zlib_head, sizeof zlib_head);
    for (int64_t y = 0; y < side; y++) {
        const int64_t row = cell_at(raster, scale, side, y);
        put_pixel(out, 0); /* filter: none */
        for (int64_t x = 0; x < side; x++) {
            const int64_t col = cell_at(raster, scale, side, x);
            put_pixel(out, row < 0 || col < 0 ? TOOL_SPY_SHADES
                                              : raster->shade[row * raster->cells + col]);
        }
    }
    put_u32(out, out->b << 16 | out->a);
    end_chunk(out);
}

int tool_png_write(FILE *file, const tool_raster *raster)
{
    const int64_t scale = raster->cells > 0 && raster->cells < PICTURE ? PICTURE / raster->cells
                                                                       : 1;
    const int bordered = raster->split > 0 && raster->split < raster->cells;
    const int64_t side = raster->cells * scale + 2 + bordered;
    png out = {.file = file, .a = 1, .left = side * (side + 1)};
    write_header(&out, side);
    write_palette(&out);
    write_pixels(&out, raster, scale, side);
    begin_chunk(&out, "IEND", 0);
    end_chunk(&out);
    return ferror(file) ? -1 : 0;
}
