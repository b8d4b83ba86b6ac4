/* SPDX-License-Identifier: MIT */
/* A raster as SVG: one path per shade, its cells drawn as horizontal runs of equal shade. */
#include "spy.h"

static void write_runs(FILE *file, const tool_raster *raster, int shade)
{
    const int64_t cells = raster->cells;
    int begun = 0;
    for (int64_t row = 0; row < cells; row++) {
        const unsigned char *line = raster->shade + row * cells;
        for (int64_t col = 0; col < cells; col++) {
            if (line[col] != shade) continue;
            int64_t end = col + 1;
            while (end < cells && line[end] == shade) end++;
            if (!begun) fprintf(file, "<path fill=\"#%06lX\" d=\"", tool_spy_color(shade));
            fprintf(file, "M%lld %lldh%lldv1h-%lldz", (long long)col, (long long)row,
                    (long long)(end - col), (long long)(end - col));
            begun = 1;
            col = end - 1;
        }
    }
    if (begun) fputs("\"/>\n", file);
}

int tool_svg_write(FILE *file, const tool_raster *raster)
{
    const long long cells = raster->cells, split = raster->split;
    const double line = cells > 0 ? (double)cells / 800 : 1;
    fprintf(file,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"800\" height=\"800\" viewBox=\"%g "
            "%g %g %g\" "
            "shape-rendering=\"crispEdges\">\n"
            "<title>K = [M J'; J -R], %lld rows</title>\n"
            "<rect x=\"0\" y=\"0\" width=\"%lld\" height=\"%lld\" fill=\"#FFFFFF\"/>\n",
            -line, -line, (double)cells + 2 * line, (double)cells + 2 * line,
            (long long)raster->size, cells, cells);
    for (int shade = 1; shade < TOOL_SPY_SHADES; shade++) write_runs(file, raster, shade);
    fprintf(file,
            "<path fill=\"none\" stroke=\"#%06lX\" stroke-width=\"%g\" d=\"M0 0h%lldv%lldh-%lldz",
            TOOL_SPY_BORDER, line, cells, cells, cells);
    if (split > 0 && split < cells)
        fprintf(file, "M%lld 0v%lldM0 %lldh%lld", split, cells, split, cells);
    fputs("\"/>\n</svg>\n", file);
    return ferror(file) ? -1 : 0;
}
