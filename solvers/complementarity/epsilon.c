/* SPDX-License-Identifier: MIT */
/* See epsilon.h. */
#include "complementarity/epsilon.h"

#include <math.h>

/* Less could not be told from rounding, nor factors of a semidefinite W from an indefinite
 * one's. */
static const double smallest = 1e-12;

/* Where pivoting stalls, epsilon becomes the first of these, later it grows by the second, to the
 * third at most, where single pivots take over. */
static const double first_raise = 1e-2;
static const double raise = 10.0;
static const double most = 10.0;

/* Where it succeeds, epsilon falls by a factor, the first to begin with, between the others, which
 * grows by the fourth, or the fifth where steps are searched along, and by a stall falls to its
 * root; where a step is kept that had stalled, epsilon grows by the sixth. */
static const double first_fall = 4.0;
static const double most_fall = 100.0;
static const double least_fall = 2.0;
static const double fall_growth = 1.5;
static const double searched_growth = 3.0;
static const double kept_growth = 3.0;

/* Where the least gains too slowly. */
static const double sharper = 1e-2;

/* Each way.  Pivoting takes 0.8 of its steps after these, on twenty heaps of 2485 to 40,000 discs;
 * 12 or 20 are as good. */
enum { FIRST_SWEEPS = 15 };

/* Below this error the states are right as a rule. */
static const double nearly = 1e-8;

/* Of many rows, this part may be left to the next step while epsilon is above that. */
enum { MANY = 300 };
static const double left_over = 0.01;
static const double on_the_way = 1e-6;

/* At the least epsilon, and above it. */
enum { SHORT_PATIENCE = 3, LONG_PATIENCE = 4 };

double saddle__epsilon_least(double asked)
{
    return fmax(asked, smallest);
}

void saddle__epsilon_begin(saddle__epsilon *e, int above)
{
    e->raised = 0;
    e->fall = first_fall;
    e->growth = above ? searched_growth : fall_growth;
}

int saddle__epsilon_is_least(const saddle__epsilon *e)
{
    return e->now <= e->least;
}

int saddle__epsilon_is_most(const saddle__epsilon *e)
{
    return e->now >= most;
}

double saddle__epsilon_first(const saddle__epsilon *e)
{
    return fmax(first_raise, e->least);
}

int saddle__epsilon_sweeps(void)
{
    return FIRST_SWEEPS;
}

double saddle__epsilon_raise(saddle__epsilon *e)
{
    if (e->raised > 0) e->fall = fmax(sqrt(e->fall), least_fall);
    return fmin(e->raised++ > 0 ? raise * e->now : first_raise, most);
}

void saddle__epsilon_lower(saddle__epsilon *e, int stalled)
{
    double next = stalled ? kept_growth * e->now : e->now / e->fall;
    if (!stalled) e->fall = fmin(e->fall * e->growth, most_fall);
    e->next = fmin(fmax(next, e->least), most);
}

int saddle__epsilon_sharpen(saddle__epsilon *e)
{
    double less = fmax(e->least * sharper, smallest);
    if (!(less < e->least)) return 0;
    e->least = e->next = less;
    return 1;
}

int saddle__epsilon_stays(const saddle__epsilon *e, double error, int stalls)
{
    return !saddle__epsilon_is_least(e) && error <= nearly && stalls == 0;
}

int64_t saddle__epsilon_patience(const saddle__epsilon *e)
{
    return saddle__epsilon_is_least(e) ? SHORT_PATIENCE : LONG_PATIENCE;
}

int64_t saddle__epsilon_tolerated(const saddle__epsilon *e, int64_t m, int in_vain)
{
    double part = left_over * pow(0.1, in_vain);
    return e->raised <= 1 && e->now > on_the_way && m > MANY ? (int64_t)(part * (double)m) : 0;
}
