/* SPDX-License-Identifier: MIT */
/* Time stepping of a model: assemble, solve, move.
 *
 *     explicit Euler      M v+ = M v + h f                                        q+ = q + h v
 *     symplectic Euler    M v+ = M v + h f                                        q+ = q + h v+
 *     implicit Euler      (M - h D - h^2 K) v+ = (M - h D) v + h f                q+ = q + h v+
 *     trapezoidal         (M - h/2 D - h^2/4 K) v+ = (M - h/2 D + h^2/4 K) v + h f
 *                                                                       q+ = q + h/2 (v + v+)
 *     Bridson-Marino      (M - h/2 D)(vm - v) = h/2 f;  q+ = q + h vm;
 *                         (M - h/2 D)(v+ - v) = h/2 (f + f(q+, v))
 *
 * Each is linearly implicit, with J'lambda and its rows (Lloyd, ArtiSynth mechanics notes,
 * 0.9-0.10).  The second f of Bridson-Marino includes the rows' forces of the first half: with rows
 * the scheme is a linearized RATTLE.  HOLD rows of the second half act on velocities only.  In the
 * trapezoidal rule half of the impulses of hard HOLD rows acts at the end of the step (a second,
 * smaller solve), so J v+ = -phi_t there; both schemes are of second order with joints too, Euler's
 * of first order.  The other rows of the trapezoidal rule act at the beginning of the step and add
 * energy to swinging parts (ropes, bowls).  Explicit Euler adds energy to every rotation: for study
 * only.
 *
 * Without restitution a landing part (LIMIT rows, contacts) stays at phi = 0, except with explicit
 * Euler, where a part penetrates and rebounds by 1/4; the trapezoidal rule moves by v+ in a step
 * with a shock.  With impacts (IMPACT rows, saddle_contact_point.impact), where penetrations
 * remain, the trapezoidal rule is the Moreau-Jean scheme of theta = 1/2.
 *
 * Bodies.  Twists are in body axes, which turn during the step.  A pose moves by the twist at the
 * middle of the step: v+ of the table with half of the gyroscopic impulse, h/2 ad(v)'M v (the whole
 * where positions move by the mean; plus h/2 omega x nu where the update is not the exponential).
 * At the end momenta are turned into the new axes, constant in the world,
 *
 *     m u+ = R'(m u),   J omega+ = R'(J omega)    u the velocity of the centre of mass,
 *                                                 R the rotation from q to q+
 *
 * with all impulses of the step except the gyroscopic one: a free body keeps momentum and spin to
 * rounding.  With assembly.gyroscopic_jacobian the gyroscopic force is part of f, and momenta are
 * not turned.
 *
 * Bearings (saddle_joint_def.bearing).  A step with bearings solves in rounds: each solve has the
 * bounds of friction that follow from the joints' loads of the solve before, the first those of the
 * step before, until no bound changes (bilateral staggered projections, saddle/bearing.h).
 *
 * Attachments (saddle/attach.h).  The system is reduced before the solve, by option `attachments`:
 * attached velocities are eliminated, kept as rows, or either by the predicted work
 * (saddle/elimination.h); those without mass are always eliminated.  After the step attached
 * parts are where their masters take them, with v_k = A v_j.  In the solve v_k+ = A v_j+ + g holds
 * for the velocities that move positions, and momenta are those of such velocities: the stepper
 * keeps the difference to the velocities in the model, of the order of h, from step to step, as
 * long as only the stepper moves the parts that are not prescribed.
 */
#ifndef SADDLE_STEPPER_H
#define SADDLE_STEPPER_H

#include "saddle/assembly.h"
#include "saddle/bearing.h"
#include "saddle/collider.h"
#include "saddle/elimination.h"
#include "saddle/solver.h"

SADDLE_BEGIN_DECLARATIONS

/* X(name, word) */
#define SADDLE_INTEGRATOR_LIST(X)                             \
    X(SADDLE_INTEGRATOR_EXPLICIT_EULER, "explicit-euler")     \
    X(SADDLE_INTEGRATOR_SYMPLECTIC_EULER, "symplectic-euler") \
    X(SADDLE_INTEGRATOR_IMPLICIT_EULER, "implicit-euler")     \
    X(SADDLE_INTEGRATOR_TRAPEZOIDAL, "trapezoidal")           \
    X(SADDLE_INTEGRATOR_BRIDSON_MARINO, "bridson-marino")

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

/* Adds contacts of the model's state to list; called once per stage, for Bridson-Marino a second
 * time after positions have moved.  A status other than SADDLE_OK ends the step. */
typedef saddle_status saddle_contacts_function(void *user, saddle_model *model, double time_step,
                                               saddle_contact_list *list);

/* Called with each system before its solve, with the reduced system in a model with attachments;
 * nonzero ends the step with SADDLE_STOPPED and the state unchanged.  The function may leave a
 * message in the model's context; else the message names this function as the reason. */
typedef int saddle_system_function(void *user, int64_t step, const saddle_problem *problem);

/* Start from saddle_stepper_options_default(). */
typedef struct saddle_stepper_options { /*                                  default */
    double time_step;                   /* h > 0 [s]                        0.01 */
    saddle_integrator integrator;       /*                                  symplectic-euler */
    saddle_rotation_update rotation;    /*                                  exponential */
    const char *solver;                 /* copied                           "auto" */
    saddle_options solver_options;      /* copied; refine_to 0: all digits  refine_to 1e-12 */
    saddle_assembly_options assembly;   /*                                  the defaults */
    int projection; /* steps of position projection after each step (M d - J'l = 0, J d = -phi over
                       hard HOLD rows); rows then correct nothing and anticipate the step by their
                       drift (saddle/constraint.h); default 0 */
    double projection_tolerance; /* stop below this |phi| [m, rad]; default 1e-12 */
    saddle_collider *collider;   /* borrowed; default NULL, none */
    double margin;               /* of the collider, larger than any approach within a step: other
                                    contacts are found only when overlapping [m]; default 0.01 */
    double max_separation_speed; /* of a contact without compliance (alpha = 0) found overlapping,
                                    as at the start; later overlaps, errors of steps, separate at
                                    once; 0 = all at once [m/s]; default 0.1 */
    int64_t friction_rounds;     /* at most, of bearings; 0 = 1; default 100 */
    double friction_tolerance;   /* rounds end where no joint's sum |alpha| changes by more than so
                                    much of the largest; default 1e-9 [-] */
    saddle_wish attachments;     /* of attached velocities; default ELIMINATE */
    saddle_contacts_function *contacts; /* further contacts; default NULL, none */
    saddle_system_function *system;     /* called with every system; default NULL, none */
    void *user;                         /* argument of both; default NULL */
} saddle_stepper_options;

SADDLE_API saddle_stepper_options saddle_stepper_options_default(void);

typedef struct saddle_step_report {
    int64_t step;         /* steps completed */
    double time;          /* at the end of the step [s] */
    saddle_status status; /* of the solve */
    int64_t n, m;         /* of the system solved, with empty slots */
    int64_t contacts;     /* within the margin */
    int64_t iterations, pivots, factorizations, warm_rows; /* of the solver */
    int64_t friction_rounds; /* solves of the stage with most of them; 0 = no bearings */
    double friction_change;  /* of the last round, relative; above friction_tolerance no fixed point
                                was reached, and status is positive */
    int analysed;            /* 1: the pattern was new */
    double residual;         /* total, by the checker */
    double drift;            /* max |phi| over HOLD rows at the beginning [m, rad] */
    double overlap;          /* deepest contact without compliance at the beginning; 0 = none [m] */
    char overlap_note[SADDLE_NOTE_SIZE]; /* first step with more than 1e-6 m of overlap: the two
                                            parts and the depth, logged as a warning; "" = none */
    char note[SADDLE_NOTE_SIZE];         /* of the solve; of several, the last failed one
                                            (saddle/report.h) */
    struct {
        double contacts, assemble, analyse, factor, solve, move, total;
    } seconds;
} saddle_step_report;

/* model: borrowed, outlives the stepper.  options: NULL = default.  *stepper: released by
 * saddle_stepper_free; NULL on failure.  SADDLE_INVALID_ARGUMENT: an option out of range, a
 * collider of another model; SADDLE_UNKNOWN_NAME: no such solver; SADDLE_OUT_OF_MEMORY. */
SADDLE_API saddle_status saddle_stepper_create(saddle_model *model,
                                               const saddle_stepper_options *options,
                                               saddle_stepper **stepper);
SADDLE_API void saddle_stepper_free(saddle_stepper *stepper); /* NULL is fine */

/* One step.  SADDLE_OK, or a positive status where the solution is of lesser quality: the model has
 * moved, the report has the residual, the context a message.  A negative status, or SADDLE_STOPPED
 * by the system function or before a solution: model and report.step are unchanged.
 * SADDLE_INVALID_PROBLEM with step, time and the first part where a position or a velocity would
 * leave +-1e100: within, energies are finite.  Items may be added and removed between steps. */
SADDLE_API saddle_status saddle_stepper_step(saddle_stepper *stepper);

/* Of the last step; valid as long as the stepper. */
SADDLE_API const saddle_step_report *saddle_stepper_report(const saddle_stepper *stepper);
/* NULL before the first step */
SADDLE_API saddle_assembly *saddle_stepper_assembly(saddle_stepper *stepper);
/* The system that the last step solved, without the velocities eliminated: that of
 * saddle_stepper_assembly where nothing is attached.  Valid until the next step; NULL before the
 * first. */
SADDLE_API const saddle_problem *saddle_stepper_problem(const saddle_stepper *stepper);

/* Mean forces of an attachment over the last step: on each of its points (3 x count) [N], world
 * axes, or on its body (6) [N, N m], body axes; with all that follow these.  Their masters carry
 * the opposite, A'F.  force: 3 x saddle_model_attached_count, or 6.  SADDLE_INVALID_ARGUMENT: no
 * such attachment; SADDLE_WRONG_PHASE: no step since items were added or removed. */
SADDLE_API saddle_status saddle_stepper_attachment_force(const saddle_stepper *stepper,
                                                         saddle_handle attachment, double *force);

/* Friction of a joint with a bearing: means over the last step [N, N m], of the last stage.
 * SADDLE_INVALID_ARGUMENT: no joint, or one without bearing; SADDLE_WRONG_PHASE: no step since
 * items were added or removed. */
SADDLE_API saddle_status saddle_stepper_bearing(const saddle_stepper *stepper, saddle_handle joint,
                                                saddle_bearing_forces *forces);

/* force (coordinates): that holds the coordinates of a prescribed joint (saddle/joint.h), mean over
 * the last stage [N, N m].  SADDLE_INVALID_ARGUMENT: no prescribed joint; SADDLE_WRONG_PHASE: no
 * step since items were added or removed. */
SADDLE_API saddle_status saddle_stepper_joint_force(const saddle_stepper *stepper,
                                                    saddle_handle joint, double *force);

/* Of the last system: v in the body axes at the beginning of the step, lambda [N s, N m s] and w,
 * with the sizes of saddle_assembly_problem.  Overwritten by the next step. */
SADDLE_API const saddle_solution *saddle_stepper_solution(const saddle_stepper *stepper);

/* Of the last stage, at the positions before it moved: the collider's and the host's contacts,
 * whose rows saddle_assembly_contact_row finds by their ids.  Overwritten by the next step; NULL:
 * no stepper. */
SADDLE_API const saddle_contact_list *saddle_stepper_contacts(const saddle_stepper *stepper);

/* Projections onto the HOLD rows (Lloyd, ArtiSynth mechanics notes, 0.5), redundant rows allowed:
 * velocities by the least change in the norm of M; forces (n) by f <- f - J'(J M^-1 J')^-1 J M^-1
 * f, in place.  Errors of the assembly and of the solver ldlt. */
SADDLE_API saddle_status saddle_stepper_project_velocities(saddle_stepper *stepper);
SADDLE_API saddle_status saddle_stepper_project_forces(saddle_stepper *stepper, double *f);

/* Positions onto phi = 0 of the HOLD rows by at most `steps` Newton steps.  *phi (NULL is fine):
 * the remaining max |phi|; SADDLE_NOT_CONVERGED where above the tolerance. */
SADDLE_API saddle_status saddle_stepper_project_positions(saddle_stepper *stepper, int steps,
                                                          double *phi);

SADDLE_END_DECLARATIONS

#endif
