/* SPDX-License-Identifier: MIT */
/* Which variable meets a bound first as the driver of Lemke's path moves. */
#ifndef SADDLE_LEMKE_LEAVING_H
#define SADDLE_LEMKE_LEAVING_H

#include "lemke/path.h"

typedef struct saddle__leaving {
    double length; /* of the driver's step; INFINITY = nothing stops it */
    int64_t row;   /* -1: the driver itself */
} saddle__leaving;

/* For path's driver, direction and column. */
saddle__leaving saddle__path_leaving(saddle__path *path);

#endif
