/* SPDX-License-Identifier: MIT */
/* Bearings: the implicit contact points of a joint with friction (saddle/bearing.h).
 *
 * y (6): alpha_p = N_p y, N_p the wrench of contact p at unit impulse.  N'N is diagonal for each
 * kind of joint, so y = W / diag(N'N), 0 where the points take no load.
 */
#ifndef SADDLE_ASSEMBLY_BEARING_H
#define SADDLE_ASSEMBLY_BEARING_H

#include "base/anderson.h"
#include "base/context_internal.h"
#include "saddle/bearing.h"
#include "saddle/joint.h"

enum { SADDLE__BEARING_ROWS_MAX = 12 };

/* Rows of friction of a joint: 0 = its kind has no bearing. */
static inline int saddle__bearing_rows(saddle_joint_kind kind)
{
    if (kind == SADDLE_JOINT_HINGE || kind == SADDLE_JOINT_SLIDER) return 1;
    return kind == SADDLE_JOINT_BALL ? SADDLE__BEARING_ROWS_MAX : 0;
}

/* c (6): of unit rate of row k, the twist of b relative to a, at the origin of the frame on b in
 * a's axes. */
void saddle__bearing_direction(saddle_joint_kind kind, int k, double *c);

/* NULL, or the fault. */
const char *saddle__bearing_fault(saddle_joint_kind kind, const saddle_bearing *bearing);

/* Bounds s of the rows; returns sum |alpha|. */
double saddle__bearing_limits(saddle_joint_kind kind, const saddle_bearing *bearing,
                              const double *y, double *limit);

/* F (6) = T'beta, beta_p = mu |alpha_p| share_k. */
void saddle__bearing_friction(saddle_joint_kind kind, const saddle_bearing *bearing,
                              const double *y, const double *share, double *F);

/* y of a load W (6). */
void saddle__bearing_fit(saddle_joint_kind kind, const saddle_bearing *bearing, const double *W,
                         double *y);

/* G (6): the diagonal of N'N. */
void saddle__bearing_weights(saddle_joint_kind kind, const saddle_bearing *bearing, double *G);

/* One projection: next (6), y of the wrench W of the locked rows and the impulses
 * lambda of the rows, found with the bounds `limit` of y.  forces: load of next, friction of y,
 * impulses here.  Returns sum |change of alpha|. */
double saddle__bearing_project(saddle_joint_kind kind, const saddle_bearing *bearing,
                               const double *W, const double *lambda, const double *limit,
                               const double *y, double *next, saddle_bearing_forces *forces);

/* A bearing in rounds; changes and loads in the norm of alpha. */
typedef struct saddle__load_trend {
    double change; /* |next - y| when a round last halved it, or the first round's */
    double load;   /* |next| then */
    int rounds;    /* since then */
    int jammed;    /* 1: begun anew */
} saddle__load_trend;

/* y of some bearings in rounds, with Anderson's acceleration of y -> next in the norm of alpha;
 * start from zero. */
typedef struct saddle__loads {
    double *y;                 /* 6 x count */
    double *next;              /* 6 x count: as projected */
    saddle__load_trend *trend; /* count */
    saddle__anderson anderson;
    int64_t capacity;      /* bearings that the arrays are long enough for */
    saddle__layout layout; /* owned: all arrays */
} saddle__loads;

/* SADDLE_OUT_OF_MEMORY; the contents are not kept. */
saddle_status saddle__loads_reserve(saddle__loads *loads, saddle_context *context, int64_t count);
/* Begins the rounds of `count` bearings. */
void saddle__loads_start(saddle__loads *loads, int64_t count);
/* y <- y of the next round, from y and next.  The rounds of a bearing run away where 8 of them have
 * not halved its change, its load has grown, and from the last round to this one next has changed
 * by more than y: its y is then, once, so large that friction stays within its bound, and rounds
 * from there end at a joint that rests, where there is such a fixed point.  The others go on from
 * their loads. */
void saddle__loads_step(saddle__loads *loads, int64_t count);
static inline void saddle__loads_clear(saddle__loads *loads, saddle_context *context)
{
    saddle__layout_clear(context, &loads->layout);
    *loads = (saddle__loads){0};
}

#endif
