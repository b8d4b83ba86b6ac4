/* SPDX-License-Identifier: MIT */
/* Boxes that fall into a heap. */
#ifndef SADDLE_BENCH_PILE_H
#define SADDLE_BENCH_PILE_H

#include "mechanisms.h"

/* Boxes of edges between 0.2 and 0.3 m, each turned some way, in layers of 25 above a floor, in a
 * loose column that falls and spreads; mu = 0.5.  The same for every compiler. */
saddle_status mechanism_pile(saddle_context *context, int64_t boxes, mechanism_scene *scene);

#endif
