/* SPDX-License-Identifier: MIT */
/* See steps.h. */
#include "complementarity/steps.h"

#include <float.h>
#include <math.h>

enum { STALLS = 2, MOST_STEPS = 400, MOST_RAISES = 16, MOST_KEPT = 8 };

/* A step stalls that leaves more than this of the error; bounds that lag behind settle slowly. */
static const double fast_gain = 0.25;
static const double lagged_gain = 0.95;

/* ... and goes on to gain where it leaves less than this. */
static const double slow_gain = 0.97;

/* A step that might leave rows broken was in vain where it leaves more than this of the error, or
 * of one that rows alone make and that is a part of the checker's. */
static const double judged_gain = 0.5;
static const double glanced_gain = 0.25;

/* An error at which further steps could gain nothing, and one that is well below the tolerance. */
static const double rounding_level = 16.0 * DBL_EPSILON;
static const double well_below = 1e-3;

void saddle__steps_begin(saddle__steps *s, int64_t m, double least, int above,
                         enum saddle__pace pace, const saddle_options *options)
{
    saddle__steps fresh = {.options = options,
                           .m = m,
                           .gain = pace == SADDLE__LAGGED ? lagged_gain : fast_gain,
                           .now = 1.0,
                           .expected = judged_gain,
                           .best = (double)INFINITY,
                           .before = (double)INFINITY,
                           .halved = (double)INFINITY,
                           .most_raises = MOST_RAISES};
    *s = fresh;
    saddle__epsilon_begin(&s->epsilon, above);
    s->epsilon.least = s->epsilon.now = s->epsilon.next = least;
    if (above) s->epsilon.next = saddle__epsilon_first(&s->epsilon);
    s->sweeps = above ? saddle__epsilon_sweeps() : 0;
}

double saddle__steps_next(saddle__steps *s)
{
    int settled = saddle__epsilon_stays(&s->epsilon, s->now, s->stalls);
    int for_nothing = s->tolerated > 0 && !(s->now < s->expected * s->before);
    s->in_vain += for_nothing;
    s->before = s->now;
    if (!settled && !for_nothing) s->epsilon.now = s->epsilon.next;
    return s->epsilon.now;
}

int64_t saddle__steps_tolerate(saddle__steps *s)
{
    s->tolerated = saddle__epsilon_tolerated(&s->epsilon, s->m, s->in_vain);
    return s->tolerated;
}

int saddle__steps_keep(saddle__steps *s, double there, double began)
{
    if (saddle__epsilon_is_least(&s->epsilon)) return 0;
    int kept = there < 0.5 * (s->kept < MOST_KEPT ? began : fmin(began, s->best));
    s->kept += kept;
    return kept;
}

double saddle__steps_raise(saddle__steps *s)
{
    double higher = saddle__epsilon_raise(&s->epsilon);
    s->epsilon.now = ++s->raises < s->most_raises ? higher : s->epsilon.least;
    return s->epsilon.now;
}

int saddle__steps_one_by_one(const saddle__steps *s)
{
    return saddle__epsilon_is_most(&s->epsilon) || s->raises >= s->most_raises;
}

void saddle__steps_taken(saddle__steps *s, int stalled)
{
    int last = saddle__epsilon_is_least(&s->epsilon);
    s->taken++;
    s->last += last;
    s->sweeps = 0;
    if (!last) s->stalls = 0;
    saddle__epsilon_lower(&s->epsilon, stalled);
}

static int is_good(const saddle__steps *s)
{
    return s->best <= well_below * s->options->tolerance;
}

int saddle__steps_glance(saddle__steps *s, double error, int overgrown)
{
    int best = saddle__steps_judge(s, error, error, overgrown);
    s->expected = glanced_gain;
    return best;
}

int saddle__steps_judge(saddle__steps *s, double error, double residual, int overgrown)
{
    s->expected = judged_gain;
    int stalled = !(error < s->gain * s->best);
    int slowly = stalled && s->last > 1 && !is_good(s) && error < slow_gain * s->best;
    s->now = error;
    s->stalls = !stalled || (slowly && saddle__epsilon_sharpen(&s->epsilon)) ? 0 : s->stalls + 1;
    if (!(error < s->best) && s->best < (double)INFINITY) return 0;
    s->best = error;
    s->residual = residual;
    s->overgrown = overgrown;
    if (s->best > 0.5 * s->halved) return 1;
    s->halved = s->best;
    s->raises = s->kept = 0;
    return 1;
}

int saddle__steps_enough(const saddle__steps *s)
{
    int good = is_good(s);
    if (s->best <= rounding_level || s->last > s->options->max_refinements || s->taken > MOST_STEPS)
        return 1;
    if (s->last > 0) return s->last > 1 && s->stalls >= (good ? 1 : STALLS);
    int rows_are_left = s->tolerated > 0; /* which may be all that is */
    return s->taken > 0 &&
           (good || (s->best <= s->options->tolerance && s->stalls > 0 && !rows_are_left));
}
