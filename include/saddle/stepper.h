/* SPDX-License-Identifier: MIT */
/* A model in motion: assemble, solve, move on.
 *
 *     integrator          velocities                                             positions
 *     explicit Euler      M v+ = M v + h f                                       q+ = q + h v
 *     symplectic Euler    M v+ = M v + h f                                       q+ = q + h v+
 *     implicit Euler      (M - h D - h^2 K) v+ = (M - h D) v + h f               q+ = q + h v+
 *     trapezoidal   (M - h/2 D - h^2/4 K) v+ = (M - h/2 D + h^2/4 K) v + h f
 *         q+ = q + h/2 (v + v+)
 *     Bridson-Marino
 *         (M - h/2 D) (vm - v) = h/2 f;  q+ = q + h vm;  (M - h/2 D) (v+ - v) = h/2 (f + f(q+, v))
 *
 * linearly, each with J'lambda and its rows (seed 000, 0.9-0.10).  Bridson-Marino's second f holds
 * what rows carried in its first half: with rows it is RATTLE, linearized.  HOLD rows of its second
 * half ask for velocities alone.  The trapezoidal rule lets one half of what hard HOLD rows carry
 * act where the step ends (a second, smaller solve), for J v+ = -phi_t there: both are of second
 * order with joints too, Euler's methods of first.  Its other rows act where the step begins, which
 * gives energy to what swings on them (ropes, bowls).  Explicit Euler gains energy in whatever
 * turns: it is for study.
 *
 * What lands without restitution (LIMIT rows, contacts) stays at phi = 0, but with explicit Euler,
 * which goes too far and is thrown back by 1/4; the trapezoidal rule moves by v+ in a step that
 * stops something.  With impacts (IMPACT rows, saddle_contact_point.impact), which let stay what
 * has come through, it is Moreau-Jean's scheme of theta = 1/2.
 *
 * Bodies.  Twists are in a body's own axes, which turn while it moves.  What moves a pose is the
 * twist at the middle of the step: v+ above with half of the gyroscopic impulse, h/2 ad(v)'M v (the
 * whole where positions move by the mean; where the pose does not move by an exponential, h/2 omega
 * x nu besides).  In the end momenta go over into the new axes as they stand in the world,
 *
 *     m u+ = R'(m u),   J omega+ = R'(J omega)
 *         u the velocity of the centre of mass, R the turn from q to q+
 *
 * with all impulses of the step but the gyroscopic one, so that a body by itself keeps its momentum
 * and its spin to rounding. With assembly.gyroscopic_jacobian the gyroscopic force is one of f, and
 * nothing is turned.
 */
#ifndef SADDLE_STEPPER_H
#define SADDLE_STEPPER_H

#include "saddle/assembly.h"
#include "saddle/collider.h"
#include "saddle/solver.h"

SADDLE_BEGIN_DECLARATIONS

/* X(name, word) */
#define SADDLE_INTEGRATOR_LIST(X)                  \
    X(SADDLE_EXPLICIT_EULER, "explicit-euler")     \
    X(SADDLE_SYMPLECTIC_EULER, "symplectic-euler") \
    X(SADDLE_IMPLICIT_EULER, "implicit-euler")     \
    X(SADDLE_TRAPEZOIDAL, "trapezoidal")           \
    X(SADDLE_BRIDSON_MARINO, "bridson-marino")

typedef enum saddle_integrator {
#define SADDLE_INTEGRATOR_ENUM(name, word) name,
    SADDLE_INTEGRATOR_LIST(SADDLE_INTEGRATOR_ENUM)
#undef SADDLE_INTEGRATOR_ENUM
} saddle_integrator;

/* "symplectic-euler", ...; static storage */
SADDLE_API const char *saddle_integrator_word(saddle_integrator integrator);
/* SADDLE_UNKNOWN_NAME */
SADDLE_API saddle_status saddle_integrator_from_word(const char *word,
                                                     saddle_integrator *integrator);

typedef struct saddle_stepper saddle_stepper;

/* Contacts into list, from the model's state; for Bridson-Marino's once more when positions have
 * moved.  A status other than SADDLE_OK ends the step. */
typedef saddle_status saddle_contacts_function(void *user, saddle_model *model, double time_step,
                                               saddle_contact_list *list);

/* Called with the assembled system before it is solved; nonzero ends the step with SADDLE_STOPPED,
 * the state as it was. */
typedef int saddle_system_function(void *user, int64_t step, const saddle_problem *problem);

typedef struct saddle_stepper_options { /* start from saddle_stepper_options_default() */
    double time_step;                   /* h > 0 [s] (default: 0.01) */
    saddle_integrator integrator;       /* default: symplectic-euler */
    saddle_rotation_update rotation;    /* default: exponential */
    const char *solver;                 /* copied (default: "auto") */
    saddle_options solver_options;      /* copied; in the default refine_to is 1e-12, 0 = all digits
                                           (default: defaults else) */
    saddle_assembly_options assembly;   /* default: defaults */
    int projection;              /* steps of position projection after each step (M d - J'l = 0,
                                    J d = -phi over hard HOLD rows); the rows then correct nothing,
                                    but foresee the step by their drift (saddle/constraint.h)
                                    (default: 0) */
    double projection_tolerance; /* stop below this |phi| [m, rad] (default: 1e-12) */
    saddle_collider *collider;   /* borrowed; NULL = none (default: NULL) */
    double margin;               /* of the collider [m]: more than anything comes nearer in a step,
                                    or it is found overlapping, and parted (default: 0.01) */
    double max_separation_speed; /* [m/s]: a contact without compliance (alpha = 0) that is found
                                    overlapping, as at the start, is parted at this speed; what
                                    overlaps later, by the errors of steps, is parted at once; 0 =
                                    all at once (default: 0.1) */
    saddle_contacts_function *contacts; /* besides; NULL = none (default: NULL) */
    saddle_system_function *system;     /* to look at every system; NULL = none (default: NULL) */
    void *user;                         /* of both (default: NULL) */
} saddle_stepper_options;

SADDLE_API saddle_stepper_options saddle_stepper_options_default(void);

typedef struct saddle_step_report {
    int64_t step;                                          /* steps made */
    double time;                                           /* at its end [s] */
    saddle_status status;                                  /* of the solve */
    int64_t n, m;                                          /* of the system, empty slots included */
    int64_t contacts;                                      /* that touched or were near */
    int64_t iterations, pivots, factorizations, warm_rows; /* of the solver */
    int analysed;                                          /* 1: the pattern was new */
    double residual;                                       /* total, of the checker */
    double drift;   /* max |phi| over HOLD rows at the step's beginning [m, rad] */
    double overlap; /* deepest of the contacts without compliance at the step's beginning; 0 = none
                       [m] */
    char overlap_note[SADDLE_NOTE_SIZE]; /* of the first step, where it begins with more than 1e-6 m
                                  of overlap: its two parts and its depth; a warning to the
                                  context's log too; "" = none */
    char note[SADDLE_NOTE_SIZE];         /* of the solve; of several, the last that missed
                                            (saddle/report.h) */
    struct {
        double contacts, assemble, analyse, factor, solve, move, total;
    } seconds;
} saddle_step_report;

/* model: borrowed, outlives the stepper.  options: NULL = default.  *stepper: released by
 * saddle_stepper_free; NULL on failure. SADDLE_INVALID_ARGUMENT: an option out of range, a collider
 * of another model; SADDLE_UNKNOWN_NAME: no such solver; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_stepper_create(saddle_model *model,
                                               const saddle_stepper_options *options,
                                               saddle_stepper **stepper);
SADDLE_API void saddle_stepper_free(saddle_stepper *stepper); /* NULL is fine */

/* One step.  SADDLE_OK; a positive status where the solver's answer is of lesser quality: the model
 * has moved with it, and the report says how good it was; a negative one: the model is as it was,
 * and so it is with SADDLE_STOPPED by the system function or before there was an answer:
 * report.step then stays.  Items may come and go between steps. */
SADDLE_API saddle_status saddle_stepper_step(saddle_stepper *stepper);

/* Valid as long as the stepper; of the last step. */
SADDLE_API const saddle_step_report *saddle_stepper_report(const saddle_stepper *stepper);
/* NULL before the first step */
SADDLE_API saddle_assembly *saddle_stepper_assembly(saddle_stepper *stepper);

/* Of the system solved last: v, in the axes bodies had as the step began, lambda [N s, N m s] and
 * w; its sizes are those of saddle_assembly_problem.  Overwritten by the next step. */
SADDLE_API const saddle_solution *saddle_stepper_solution(const saddle_stepper *stepper);

/* P_v: velocities onto those that the HOLD rows allow, the least change in M's norm (seed 000,
 * 0.5); P_f: forces (n) likewise, f <- f - J'(J M^-1 J')^-1 J M^-1 f, in place.  Redundant rows are
 * fine.  Errors of the assembly and of the solver ldlt. */
SADDLE_API saddle_status saddle_stepper_project_velocities(saddle_stepper *stepper);
SADDLE_API saddle_status saddle_stepper_project_forces(saddle_stepper *stepper, double *f);

/* Positions onto phi = 0 of the HOLD rows, Newton's steps at most `steps`; *phi (NULL is fine): max
 * |phi| left. SADDLE_NOT_CONVERGED where that is above the tolerance. */
SADDLE_API saddle_status saddle_stepper_project_positions(saddle_stepper *stepper, int steps,
                                                          double *phi);

SADDLE_END_DECLARATIONS

#endif
