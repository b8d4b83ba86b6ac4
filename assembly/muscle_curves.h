/* SPDX-License-Identifier: MIT */
/* The curves of a muscle (seed 003, 1.40-1.46): cubics between knots with the values and slopes
 * given there. */
#ifndef SADDLE_ASSEMBLY_MUSCLE_CURVES_H
#define SADDLE_ASSEMBLY_MUSCLE_CURVES_H

typedef enum saddle__muscle_curve {
    SADDLE__MUSCLE_PASSIVE, /* f_P(l) */
    SADDLE__MUSCLE_ACTIVE,  /* f_L(l) */
    SADDLE__MUSCLE_VELOCITY /* f_V(v) */
} saddle__muscle_curve;

/* f(x), and df/dx to *slope; straight on beyond the ends. */
double saddle__muscle_value(saddle__muscle_curve curve, double x, double *slope);

#endif
