/* SPDX-License-Identifier: MIT */
/* Results drawn: one HTML page that needs no other file, and tables with a script for gnuplot. */
#ifndef SADDLE_TOOLS_PAGE_H
#define SADDLE_TOOLS_PAGE_H

#include "analysis.h"

/* Writes the page, whole or not at all.  SADDLE_FILE_ERROR. */
saddle_status tool_page_write(const tool_results *results, const tool_cases *cases,
                              const char *path);

/* Writes profile-*.dat, scaling.dat, history.dat and plots.gp into a folder, made where absent;
 * `gnuplot plots.gp` there makes an SVG and a PNG file of each.  SADDLE_FILE_ERROR. */
saddle_status tool_plots_write(const tool_results *results, const tool_cases *cases,
                               const char *folder);

#endif
