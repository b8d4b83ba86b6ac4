/* SPDX-License-Identifier: MIT */
/* Systems of known nature in any size: what data/ ships small, the benchmarks make large.
 *
 * Each generator fills an owned problem from a struct of parameters that starts from its _default()
 * and is stated, with the equation, in the file of the same name.  SI units.  Same parameters, same
 * bits: only + - * / and sqrt are used, and draws come from integers (draw.h).  On failure the
 * problem is empty: SADDLE_OUT_OF_MEMORY, SADDLE_INVALID_ARGUMENT for a parameter out of
 * range. */
#ifndef SADDLE_GENERATORS_H
#define SADDLE_GENERATORS_H

#include "saddle/attachments.h"
#include "saddle/problem.h"

/* A block of hexahedra, one incompressibility row per element, optionally tied to itself
 * (block.c). */
typedef struct saddle_block_parameters {
    int64_t cells[3];  /* elements along x, y, z (default: 4, 4, 4) */
    double edge;       /* of an element [m] (default: 0.1) */
    double distortion; /* inner nodes move by up to this part of the edge, drawn [-] (default: 0) */
    uint64_t seed;     /* of all draws (default: 1) */
    double density;    /* [kg/m^3] (default: 1000) */
    double young;      /* Young's modulus [Pa] (default: 1e5) */
    double poisson;    /* Poisson's ratio [-] (default: 0.3) */
    double damping_mass;      /* Rayleigh's alpha of alpha M + beta K [1/s] (default: 0.5) */
    double damping_stiffness; /* Rayleigh's beta [s] (default: 0.002) */
    double time_step;         /* [s] (default: 0.01) */
    int consistent_mass;      /* 0: lumped (default: 1) */
    int fixed;                /* 1: the face z = 0 is held (its nodes are left out) (default: 1) */
    int incompressible;       /* 1: a row per element (default: 1) */
    double bulk_modulus;      /* [Pa]: R_ee = volume / (bulk h^2); 0: R = 0 (default: 1e9) */
    int64_t ties; /* pairs of points inside two elements that move as one, drawn (default: 0) */
} saddle_block_parameters;

saddle_block_parameters saddle_block_default(void);
saddle_status saddle_generate_block(saddle_context *context,
                                    const saddle_block_parameters *parameters,
                                    saddle_problem *problem);

/* Rigid links, one hanging from the other by hinges, the first from the ground (chain.c). */
typedef struct saddle_chain_parameters {
    int64_t bodies;   /* (default: 50) */
    double sides[3];  /* of a link, a box along x [m] (default: 0.5, 0.1, 0.05) */
    double density;   /* [kg/m^3] (default: 1000) */
    double rate;      /* largest turning velocity of a hinge at the start [rad/s] (default: 2) */
    double time_step; /* [s] (default: 0.01) */
    uint64_t seed;    /* of the turns and turning velocities (default: 1) */
    int named;        /* 1: component names, row names and ids (default: 1) */
    double torque;    /* of the motor that brakes each hinge [N m]; 0: no motors (default: 0) */
} saddle_chain_parameters;

saddle_chain_parameters saddle_chain_default(void);
saddle_status saddle_generate_chain(saddle_context *context,
                                    const saddle_chain_parameters *parameters,
                                    saddle_problem *problem);

/* The same with links attached to each other and to the coordinates of their hinges (links.c). */
typedef struct saddle_links_parameters {
    saddle_chain_parameters chain; /* 8 bodies, torque 40; named or not, it is named */
    double rotor; /* inertia of each coordinate of its own [kg m^2] (default: 0.05) */
} saddle_links_parameters;

saddle_links_parameters saddle_links_default(void);
/* *attachments: released by saddle_attachments_free; NULL on failure. */
saddle_status saddle_generate_links(saddle_context *context,
                                    const saddle_links_parameters *parameters,
                                    saddle_problem *problem, saddle_attachments **attachments);

/* Parallelogram four-bars in a row: closed loops, 3 redundant rows each (loop.c). */
typedef struct saddle_loop_parameters {
    int64_t loops;    /* 1 = a four-bar (default: 4) */
    double rate;      /* of the cranks [rad/s] (default: 1) */
    double time_step; /* [s] (default: 0.01) */
} saddle_loop_parameters;

saddle_loop_parameters saddle_loop_default(void);
saddle_status saddle_generate_loop(saddle_context *context,
                                   const saddle_loop_parameters *parameters,
                                   saddle_problem *problem);

/* A tower of boxes, 4 contacts between neighbours, pushed sideways (stack.c). */
typedef struct saddle_stack_parameters {
    int64_t boxes;    /* (default: 5) */
    double density;   /* [kg/m^3] (default: 500) */
    double mu;        /* [-] (default: 0.5) */
    int64_t pushed;   /* the box that is pushed, 1 = lowest (default: 4) */
    double push;      /* over the weight of the pushed box and all above it [-] (default: 0.8) */
    double offset;    /* of the push from the box's middle, over the side [-] (default: 0.1) */
    double time_step; /* [s] (default: 0.01) */
    saddle_law law;   /* (default: cone) */
    int64_t facets;   /* of the pyramid; 0 = 8 (default: 0) */
} saddle_stack_parameters;

saddle_stack_parameters saddle_stack_default(void);
saddle_status saddle_generate_stack(saddle_context *context,
                                    const saddle_stack_parameters *parameters,
                                    saddle_problem *problem);

/* A wall of bricks in running bond, pushed sideways at its top (wall.c). */
typedef struct saddle_wall_parameters {
    int64_t columns; /* whole bricks in a course (default: 4) */
    int64_t courses; /* (default: 4) */
    double mu;       /* [-] (default: 0.6) */
    double push; /* on each brick of the top course, as a part of its weight [-] (default: 0.5) */
    double time_step; /* [s] (default: 0.01) */
    saddle_law law;   /* (default: cone) */
} saddle_wall_parameters;

saddle_wall_parameters saddle_wall_default(void);
saddle_status saddle_generate_wall(saddle_context *context,
                                   const saddle_wall_parameters *parameters,
                                   saddle_problem *problem);

/* Spinning bodies on a shaft with implicit forces: M unsymmetric (rotors.c). */
typedef struct saddle_rotors_parameters {
    int64_t bodies;   /* (default: 12) */
    double spin;      /* about the shaft [rad/s] (default: 60) */
    double thrust;    /* that follows the last body's axis [N] (default: 200) */
    double stiffness; /* of turning between neighbours [N m] (default: 2e3) */
    double damping;   /* of the same [N m s] (default: 2) */
    double time_step; /* [s] (default: 0.01) */
} saddle_rotors_parameters;

saddle_rotors_parameters saddle_rotors_default(void);
saddle_status saddle_generate_rotors(saddle_context *context,
                                     const saddle_rotors_parameters *parameters,
                                     saddle_problem *problem);

/* Bodies on bushings: R of dense 6 x 6 blocks (bushings.c). */
typedef struct saddle_bushings_parameters {
    int64_t bodies;   /* around a ring (default: 10) */
    double stiffness; /* of a bushing along its first axis [N/m] (default: 1e6) */
    double time_step; /* [s] (default: 0.01) */
    uint64_t seed;    /* of the deflections at the start (default: 1) */
} saddle_bushings_parameters;

saddle_bushings_parameters saddle_bushings_default(void);
saddle_status saddle_generate_bushings(saddle_context *context,
                                       const saddle_bushings_parameters *parameters,
                                       saddle_problem *problem);

/* A membrane over an obstacle: a linear complementarity problem, n = 0 (obstacle.c). */
typedef struct saddle_obstacle_parameters {
    int64_t nodes[2]; /* inside the frame, along x and y (default: 20, 20) */
} saddle_obstacle_parameters;

saddle_obstacle_parameters saddle_obstacle_default(void);
saddle_status saddle_generate_obstacle(saddle_context *context,
                                       const saddle_obstacle_parameters *parameters,
                                       saddle_problem *problem);

/* Its exact lambda (nodes[0] * nodes[1]), known beforehand. */
void saddle_obstacle_solution(const saddle_obstacle_parameters *parameters, double *lambda);

/* A problem with a diagonal M and symmetric R in Delassus form: n = 0, R <- J M^-1 J' + R, b <- b -
 * J M^-1 f (delassus.c). SADDLE_INVALID_ARGUMENT: M has an entry off its diagonal or a diagonal
 * that is not positive. */
saddle_status saddle_generate_delassus(saddle_context *context, const saddle_problem *full,
                                       saddle_problem *problem);

/* A crane that stands on the ground: equalities, a limit, motors and friction in one (crane.c). */
typedef struct saddle_crane_parameters {
    double mu;        /* under its foot [-] (default: 0.5) */
    double load;      /* hanging from its jib [kg] (default: 20) */
    double time_step; /* [s] (default: 0.01) */
    saddle_law law;   /* (default: cone) */
} saddle_crane_parameters;

saddle_crane_parameters saddle_crane_default(void);
saddle_status saddle_generate_crane(saddle_context *context,
                                    const saddle_crane_parameters *parameters,
                                    saddle_problem *problem);

/* The crane with lamps, a trolley, a cable and a hook attached to it, the hook by a winch of given
 * speed (crane_markers.c). */
saddle_status saddle_generate_crane_markers(saddle_context *context,
                                            const saddle_crane_parameters *parameters,
                                            saddle_problem *problem,
                                            saddle_attachments **attachments);

/* A run of rolling discs that come to rest in a pit, with joints, limits and friction: rows that
 * come and go with constant ids (rolling.c). */
typedef struct saddle_rolling_parameters {
    int64_t discs;     /* (default: 36) */
    int64_t triples;   /* rows of three joined discs (default: 6) */
    double radius;     /* of a disc [m] (default: 0.1) */
    double density;    /* [kg/m^2] (default: 500) */
    double mu;         /* friction's bound over half a disc's weight [-] (default: 0.3) */
    double torque;     /* of a joint's friction [N m] (default: 0.2) */
    double most_angle; /* between joined discs [rad] (default: 0.4) */
    double speed;      /* to the right at the start [m/s] (default: 1) */
    double time_step;  /* [s] (default: 0.01) */
    uint64_t seed;     /* of the start (default: 1) */
} saddle_rolling_parameters;

saddle_rolling_parameters saddle_rolling_default(void);

/* problems (steps): one problem a step, each with the velocities that the one before ends with,
 * solved by schur from a cold start.  SADDLE_INTERNAL: a step was not solved. */
saddle_status saddle_generate_rolling(saddle_context *context,
                                      const saddle_rolling_parameters *parameters, int64_t steps,
                                      saddle_problem *problems);

/* A chain or a tower of which masses, inertias, redundancy, compliance, friction or units are
 * extreme (hard.c). */
typedef enum saddle_hard_kind { SADDLE_HARD_CHAIN = 0, SADDLE_HARD_TOWER = 1 } saddle_hard_kind;
typedef enum saddle_hard_units { SADDLE_HARD_SI = 0, SADDLE_HARD_MM_G_MS = 1 } saddle_hard_units;

typedef struct saddle_hard_parameters {
    saddle_hard_kind kind; /* (default: chain) */
    int64_t bodies;        /* (default: 20) */
    double mass_ratio;     /* of the heaviest to the lightest at most, 1 .. 1e15 [-] (default: 1) */
    double defect;     /* part of the inertia about a box's first axis, (0, 1] [-] (default: 1) */
    double redundancy; /* 0 .. 1 [-] (default: 0) */
    double compliance; /* 0 .. 1 [1/kg, 1/(kg m^2)] (default: 0) */
    double mu, push;   /* of the tower: push over the top box's weight [-] (default: 0.5, 0.3) */
    saddle_hard_units units; /* (default: SI) */
    saddle_law law;          /* (default: cone) */
    uint64_t seed;           /* of the order of masses, turns and repeated rows (default: 1) */
} saddle_hard_parameters;

saddle_hard_parameters saddle_hard_default(void);
saddle_status saddle_generate_hard(saddle_context *context,
                                   const saddle_hard_parameters *parameters,
                                   saddle_problem *problem);

/* Plates in a square grid, neighbours joined by rods or by ball joints (grid.c). */
typedef enum saddle_grid_joint { SADDLE_GRID_RODS = 0, SADDLE_GRID_BALLS = 1 } saddle_grid_joint;

typedef struct saddle_grid_parameters {
    int64_t plates[2];       /* along x and y (default: 4, 4) */
    saddle_grid_joint joint; /* (default: balls) */
    double compliance;       /* R_ii of every row [m/(N s)] (default: 1e-8) */
    double time_step;        /* [s] (default: 0.01) */
    uint64_t seed;           /* of the velocities at the start (default: 1) */
} saddle_grid_parameters;

saddle_grid_parameters saddle_grid_default(void);
saddle_status saddle_generate_grid(saddle_context *context,
                                   const saddle_grid_parameters *parameters,
                                   saddle_problem *problem);

/* Elastic blocks one on another, tied by rows, pressed and dragged along a plane with friction
 * (tied.c). */
/* What holds the uppermost face. */
typedef enum saddle_tied_top {
    SADDLE_TIED_DRIVEN, /* rows */
    SADDLE_TIED_HELD,   /* its nodes are left out, the plane moves */
    SADDLE_TIED_FREE    /* nothing: the blocks arrive with a velocity; dynamic only */
} saddle_tied_top;

typedef struct saddle_tied_parameters {
    int64_t blocks;      /* (default: 2) */
    int64_t cells[3];    /* elements of a block along x, y, z (default: 6, 6, 3) */
    double edge;         /* of an element [m] (default: 1/6) */
    double density;      /* [kg/m^3] (default: 7800) */
    double young;        /* Young's modulus [Pa] (default: 2e7) */
    double poisson;      /* Poisson's ratio [-] (default: 0.3) */
    double time_step;    /* [s]; 0: static, M = K (default: 0) */
    double mu;           /* [-] (default: 0.3) */
    double slide, press; /* of the top along x, and down [m] (default: 0.002, 0.001) */
    int64_t copies;      /* of each equality row (default: 2) */
    saddle_tied_top top; /* (default: driven) */
    saddle_law law;      /* (the pyramid has 8 facets) (default: cone) */
} saddle_tied_parameters;

saddle_tied_parameters saddle_tied_default(void);
saddle_status saddle_generate_tied(saddle_context *context,
                                   const saddle_tied_parameters *parameters,
                                   saddle_problem *problem);

/* A block whose nodes are partly attached to frames, frames to frames (bones.c): the problem is in
 * all velocities. */
typedef struct saddle_bones_parameters {
    saddle_block_parameters block; /* its nodes come first (default: incompressible = 0) */
    int64_t frames[3]; /* along x, y, z; they come behind the nodes (default: 2, 2, 1) */
    int64_t chained;   /* frames, every `links` in a row hang one from the other (default: 2) */
    int64_t links;     /* (default: 2) */
    double part;       /* of the nodes that are attached [-] (default: 0.2) */
    int scattered;     /* 0: nodes around each frame, 1: drawn ones of its part (default: 0) */
} saddle_bones_parameters;

saddle_bones_parameters saddle_bones_default(void);

/* *attachments: the caller's, released by saddle_attachments_free; NULL on failure. */
saddle_status saddle_generate_bones(saddle_context *context,
                                    const saddle_bones_parameters *parameters,
                                    saddle_problem *problem, saddle_attachments **attachments);

#endif
