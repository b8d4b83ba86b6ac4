/* SPDX-License-Identifier: MIT */
/* The systems of data/: see shipped.h.  The claims of the notes are tested in
 * tests/generators/test_systems.c. */
#include "shipped.h"

#include <stddef.h>
#include <string.h>

#include "generators.h"
#include "saddle/elimination.h"

static saddle_status make_block(saddle_context *context, saddle_problem *problem)
{
    saddle_block_parameters p = saddle_block_default();
    return saddle_generate_block(context, &p, problem);
}

static saddle_status make_block_ties(saddle_context *context, saddle_problem *problem)
{
    saddle_block_parameters p = saddle_block_default();
    p.distortion = 0.15;
    p.bulk_modulus = 0;
    p.ties = 8;
    return saddle_generate_block(context, &p, problem);
}

static saddle_status make_bushings(saddle_context *context, saddle_problem *problem)
{
    saddle_bushings_parameters p = saddle_bushings_default();
    return saddle_generate_bushings(context, &p, problem);
}

static saddle_status make_chain(saddle_context *context, saddle_problem *problem)
{
    saddle_chain_parameters p = saddle_chain_default();
    return saddle_generate_chain(context, &p, problem);
}

static saddle_status make_chain_motors(saddle_context *context, saddle_problem *problem)
{
    saddle_chain_parameters p = saddle_chain_default();
    p.bodies = 6;
    p.torque = 40;
    return saddle_generate_chain(context, &p, problem);
}

static saddle_status make_crane(saddle_context *context, saddle_problem *problem)
{
    saddle_crane_parameters p = saddle_crane_default();
    return saddle_generate_crane(context, &p, problem);
}

static saddle_status make_grid(saddle_context *context, saddle_grid_joint joint,
                               saddle_problem *problem)
{
    saddle_grid_parameters p = saddle_grid_default();
    p.joint = joint;
    return saddle_generate_grid(context, &p, problem);
}

static saddle_status make_grid_balls(saddle_context *context, saddle_problem *problem)
{
    return make_grid(context, SADDLE_GRID_BALLS, problem);
}

static saddle_status make_grid_rods(saddle_context *context, saddle_problem *problem)
{
    return make_grid(context, SADDLE_GRID_RODS, problem);
}

static saddle_status make_loop(saddle_context *context, saddle_problem *problem)
{
    saddle_loop_parameters p = saddle_loop_default();
    return saddle_generate_loop(context, &p, problem);
}

static saddle_status make_obstacle(saddle_context *context, saddle_problem *problem)
{
    saddle_obstacle_parameters p = saddle_obstacle_default();
    return saddle_generate_obstacle(context, &p, problem);
}

static saddle_status make_rotors(saddle_context *context, saddle_problem *problem)
{
    saddle_rotors_parameters p = saddle_rotors_default();
    return saddle_generate_rotors(context, &p, problem);
}

static saddle_status make_stack(saddle_context *context, saddle_law law, saddle_problem *problem)
{
    saddle_stack_parameters p = saddle_stack_default();
    p.law = law;
    p.facets = law == SADDLE_LAW_PYRAMID ? 8 : 0;
    return saddle_generate_stack(context, &p, problem);
}

static saddle_status make_stack_cone(saddle_context *context, saddle_problem *problem)
{
    return make_stack(context, SADDLE_LAW_CONE, problem);
}

static saddle_status make_stack_pyramid(saddle_context *context, saddle_problem *problem)
{
    return make_stack(context, SADDLE_LAW_PYRAMID, problem);
}

static saddle_status make_stack_box(saddle_context *context, saddle_problem *problem)
{
    return make_stack(context, SADDLE_LAW_BOX, problem);
}

static saddle_status make_stack_associated(saddle_context *context, saddle_problem *problem)
{
    return make_stack(context, SADDLE_LAW_ASSOCIATED, problem);
}

static saddle_status make_stack_delassus(saddle_context *context, saddle_problem *problem)
{
    saddle_problem full;
    *problem = (saddle_problem){0};
    saddle_status status = make_stack_cone(context, &full);
    if (status != SADDLE_OK) return status;
    status = saddle_generate_delassus(context, &full, problem);
    saddle_problem_clear(&full);
    return status;
}

static saddle_status make_wall(saddle_context *context, saddle_problem *problem)
{
    saddle_wall_parameters p = saddle_wall_default();
    return saddle_generate_wall(context, &p, problem);
}

static saddle_status make_bones(saddle_context *context, saddle_problem *problem,
                                saddle_attachments **attachments)
{
    saddle_bones_parameters p = saddle_bones_default();
    return saddle_generate_bones(context, &p, problem, attachments);
}

static saddle_status make_crane_markers(saddle_context *context, saddle_problem *problem,
                                        saddle_attachments **attachments)
{
    saddle_crane_parameters p = saddle_crane_default();
    p.law = SADDLE_LAW_ASSOCIATED;
    return saddle_generate_crane_markers(context, &p, problem, attachments);
}

static saddle_status make_links(saddle_context *context, saddle_problem *problem,
                                saddle_attachments **attachments)
{
    saddle_links_parameters p = saddle_links_default();
    return saddle_generate_links(context, &p, problem, attachments);
}

static const shipped_system systems[] = {
    {"bones", NULL, make_bones, "bones.c",
     "Unreduced: a block of 4 x 4 x 4 elastic hexahedra, the face z = 0 held, on four frames "
     "(bones); nodes\n"
     "near a frame are attached to it, and the second frame is attached to the first; one implicit "
     "step of\n"
     "0.01 s with gravity.  `saddle reduce --attachments eliminate` leaves n = 222.",
     "- Every attached node moves with its frame as a point of a rigid body: two nodes of one "
     "frame keep their\n"
     "  distance.\n"
     "- Eliminated or kept as rows, v and the multipliers are the same."},
    {"bushings", make_bushings, NULL, "bushings.c",
     "Ten bodies around a ring of 1 m, each 9 kg, on bushings to both neighbours, four of them on "
     "a\n"
     "bushing to the ground; stiffness 1e6 N/m, deflected up to 1 mm and 1/100 at the start, at "
     "rest; one\n"
     "implicit step of 0.01 s with gravity. R has 14 dense 6 x 6 blocks.",
     "- R is symmetric positive definite, each 6 x 6 block full; J has rank 60 of 84 rows, so the "
     "answer\n"
     "  is unique only through R.\n"
     "- The vertical momentum after the step is the vertical impulse of the four ground bushings "
     "less h\n"
     "  times the weight, 0.01 s x 882.9 N (world z of each body's momentum; the bodies start at "
     "rest)."},
    {"chain", make_chain, NULL, "chain.c",
     "Fifty rigid links of 0.5 m and 2.5 kg, hanging from the ground one from the other by hinges, "
     "in\n"
     "maximal coordinates; hinge axes y and z in turn, turned and turning as drawn; one "
     "semi-implicit step\n"
     "of 0.01 s with gravity and gyroscopic terms.",
     "- J has full row rank 250; the KKT matrix has inertia (300, 250, 0).\n"
     "- The start velocity obeys every hinge (M^-1 f does, as h goes to 0).\n"
     "- With one link instead of fifty it is a pendulum: its rate grows by h m g (4/5) (L/2) / I."},
    {"chain-motors", make_chain_motors, NULL, "chain.c",
     "The chain with six links and a motor in each hinge that tries to stop its turning with at "
     "most 40 N\n"
     "m.",
     "- Motors 1 to 4 are at their limit of 0.4 N m s and their hinges turn; motors 5 and 6 hold "
     "theirs\n"
     "  still.\n"
     "- J is square with full rank 36: motors that all held would bring every link to rest."},
    {"crane", make_crane, NULL, "crane.c",
     "A crane that stands on the ground by friction: foot, column, boom and jib with a load of 20 "
     "kg,\n"
     "hinged; a strong motor slews the column at 0.5 rad/s, a weak one (100 N m) tries to hold the "
     "boom, a\n"
     "stop keeps the jib from folding down.  Equality, bounded, unilateral and contact rows in "
     "one\n"
     "problem; from rest, one step of 0.01 s.",
     "- The foot stays where it is, all four corners loaded and sticking.\n"
     "- The slewing motor reaches its 0.5 rad/s within its limit; the luffing motor is at its "
     "limit of -1\n"
     "  N m s and the boom sinks; the jib rests on its stop (impulse positive) and sinks with the "
     "boom.\n"
     "- J has rank 24 = n: the contacts hold the foot more than once."},
    {"crane-markers", NULL, make_crane_markers, "crane_markers.c",
     "Unreduced: the crane with lamps on its boom and jib, a trolley attached to the jib across it "
     "and free\n"
     "along it, a cable halfway between trolley and lamp, and a hook that hangs from the trolley "
     "by a winch\n"
     "whose speed is prescribed, 2 mm over a table; all kinds of rows; from rest, one step of 0.01 "
     "s.",
     "- The hook sinks at 0.2 m/s less than the trolley does and reaches the table: its row is at "
     "0 and pushes.\n"
     "- The winch takes what hook and table leave: lambda of its row is 0.5 kg times 0.2 m/s less "
     "the\n"
     "  impulse in the rope, which is that on the hook.\n"
     "- The law is the associated one: a convex problem, v is unique, eliminated or kept."},
    {"grid-balls", make_grid_balls, NULL, "grid.c",
     "Sixteen square plates in a level 4 x 4 grid, neighbours joined by ball joints of compliance "
     "1e-8,\n"
     "the corners held; drawn velocities at the start, one step of 0.01 s with gravity.",
     "- J has rank 76 of 84 rows: eight impulses in the plane of the plates are unique only "
     "through R =\n"
     "  1e-8.\n"
     "- R is tiny beside the Delassus diagonal (above 3 per kg), a test for regularization and "
     "refinement."},
    {"grid-rods", make_grid_rods, NULL, "grid.c",
     "The same plates set apart, neighbours joined by one rod each, compliance 1e-8, the corners "
     "held by\n"
     "ball joints.",
     "- J has rank 35 of 36 rows; R makes the answer unique.\n"
     "- Rods run along the grid and are attached in the plates' middle plane, so no rod turns a "
     "plate out of it:\n"
     "  plates that are not held move vertically by f_z / m."},
    {"hex-block", make_block, NULL, "block.c",
     "A block of 4 x 4 x 4 hexahedra of 0.1 m, linear elastic (1000 kg/m^3, Young's modulus 1e5 "
     "Pa,\n"
     "Poisson's ratio 0.3), the face z = 0 held; one row per element keeps its volume, with the "
     "compliance\n"
     "of a bulk modulus of 1e9 Pa: R = 1e-8.  M is the consistent mass with Rayleigh damping and "
     "h^2 K, h\n"
     "= 0.01 s; gravity across, turning about its axis at the start.",
     "- M is symmetric positive definite, J has full row rank 64; the KKT matrix has inertia (300, "
     "64, 0)\n"
     "  and is quasi-definite.\n"
     "- Each element's volume changes at -1e-8 times its multiplier, a pressure impulse in Pa s."},
    {"hex-block-ties", make_block_ties, NULL, "block.c",
     "The block with nodes inside moved by up to 15 % of an edge, R = 0, and eight ties: two drawn "
     "points\n"
     "inside two drawn elements move as one, three equality rows each, weighted by the shape "
     "functions.",
     "- J has full row rank 88; the KKT matrix has inertia (300, 88, 0) with 88 zeros on its "
     "diagonal.\n"
     "- Every element keeps its volume and every tie holds exactly: J v = 0."},
    {"links", NULL, make_links, "links.c",
     "Unreduced: eight links of the chain, each attached to the one before it and to the "
     "coordinate of its\n"
     "hinge, which has a rotor of 0.05 kg m^2 and a motor that tries to stop it with at most 40 N "
     "m.",
     "- Eliminated, M is the dense 8 x 8 matrix of joint coordinates; kept, K is sparse along the "
     "chain.\n"
     "- Without rotors six links move as those of chain-motors, and the motors push as hard.\n"
     "- Every link moves as its hinge lets it: its tip as the next one's origin."},
    {"loop", make_loop, NULL, "loop.c",
     "Four parallelogram four-bars side by side: five cranks on the ground, four couplers between "
     "their\n"
     "tips, rods of 1 m and 1 kg, all hinge axes parallel; cranks turn upwards at 1 rad/s, one "
     "step of\n"
     "0.01 s with gravity.",
     "- J has rank 53 of 65 rows: each loop makes 3 rows redundant; they do not contradict, b = 0. "
     " One\n"
     "  motion is left.\n"
     "- The KKT matrix has inertia (54, 53, 12).\n"
     "- Crank rate after the step in closed form: 1 - h g (3/5) (5/2 + 4) / (5 (1/3 + 0.05^2/12) + "
     "4) =\n"
     "  0.932496526 rad/s.  Couplers shift at that speed and do not turn.  lambda is not unique, v "
     "is."},
    {"obstacle", make_obstacle, NULL, "obstacle.c",
     "A membrane in a frame over an obstacle on a 20 x 20 grid: a pure linear complementarity "
     "problem, n =\n"
     "0, with the five-point Laplacian as R.  lambda is the gap, w the pressure where it touches.",
     "- R is a symmetric positive definite M-matrix: one answer.\n"
     "- The answer is known to the last bit: with p = i (21 - i) j (21 - j), i and j from 1, row i "
     "+ 20 (j\n"
     "  - 1), and level 4840.5, lambda = max(p - level, 0) / 64 and w = max(level - p, 0) / 64; "
     "232 rows\n"
     "  have lambda > 0, none has lambda = w = 0."},
    {"rotors", make_rotors, NULL, "rotors.c",
     "Twelve eccentric bodies in a row on an elastic shaft that hangs freely at one end, joined by "
     "ball\n"
     "joints, spinning at 60 rad/s, with a following thrust; a linearly implicit step of 0.01 s, "
     "the\n"
     "Jacobians of gyroscopic force and weight in M.",
     "- M is unsymmetric, max|M - M'| = 1.2 max|M|; its symmetric part is positive definite.\n"
     "- J has full row rank 36: the answer is unique."},
    {"stack-associated", make_stack_associated, NULL, "stack.c",
     "The stack of stack-cone with the associated law, the convex relaxation: sliding contacts "
     "lift.",
     "- The problem is a convex second-order cone program; v is unique.\n"
     "- Boxes 1 to 3 stay; boxes 4 and 5 slide, and lift at mu times their feet's sliding "
     "velocity: w_n =\n"
     "  mu |w_t| where a loaded foot slides."},
    {"stack-box", make_stack_box, NULL, "stack.c",
     "The stack of stack-cone with the box law: each tangent bounded by mu times the normal "
     "impulse on its\n"
     "own.",
     "- Interface k carries the weight above it: normal impulses sum to h g 250 kg (6 - k), 24.525 "
     "N s a\n"
     "  box.\n"
     "- Boxes 4 and 5 slide together along x at 0.3 g h = 0.02943 m/s without turning (the other "
     "tangent\n"
     "  is strong enough to prevent it); boxes 1 to 3 stay."},
    {"stack-cone", make_stack_cone, NULL, "stack.c",
     "Five boxes of 1 x 1 x 0.5 m and 250 kg one on the other, each on four feet, every other box "
     "turned\n"
     "about the vertical, friction coefficient 0.5 by Coulomb's cone; the fourth is pushed along x "
     "by 0.8\n"
     "of the weight it and the fifth have, 0.1 m beside its middle; at rest, one step of 0.01 s.",
     "- Interface k carries the weight above it: normal impulses sum to h g 250 kg (6 - k), 24.525 "
     "N s a\n"
     "  box; no foot lifts.\n"
     "- Boxes 1 to 3 stay, all their feet sticking; all four feet of box 4 slide, at the cone's "
     "edge; box\n"
     "  5 rides on it, sticking.\n"
     "- The push's impulse is what boxes 4 and 5 take as momentum and what friction under box 4 "
     "takes.\n"
     "- The normal impulses are statically indeterminate: lambda is not unique."},
    {"stack-delassus", make_stack_delassus, NULL, "delassus.c",
     "stack-cone in Delassus form: n = 0, R = J M^-1 J', b = -J M^-1 f; the same contacts, rows, "
     "ids and\n"
     "names.",
     "- Its lambda solve stack-cone and the other way round, with v = M^-1 (f + J'lambda); its w "
     "is the\n"
     "  same.\n"
     "- R is positive semidefinite with rank 30 of 60."},
    {"stack-pyramid", make_stack_pyramid, NULL, "stack.c",
     "The stack of stack-cone with pyramid friction, eight directions.",
     "- Interface k carries the weight above it: normal impulses sum to h g 250 kg (6 - k), 24.525 "
     "N s a\n"
     "  box; no foot lifts.\n"
     "- Boxes 1 to 3 stay; box 4 slides with box 5 on it.  Sliding feet carry an impulse at a "
     "corner or an\n"
     "  edge of the octagon of radius mu times the normal impulse."},
    {"wall", make_wall, NULL, "wall.c",
     "Eighteen bricks and half bricks in four courses of running bond, friction coefficient 0.6, "
     "cone law;\n"
     "the five bricks of the top course are pushed along the wall by 0.18, 0.36, 0.54, 0.72 and "
     "0.9 of\n"
     "their weight; at rest, one step of 0.01 s.",
     "- The last two bricks of the top course slide at h g (0.72 - 0.6) = 0.011772 and h g (0.9 - "
     "0.6) =\n"
     "  0.02943 m/s; all else stays.\n"
     "- Normal impulses on the ground sum to h times the weight of the wall, 0.01 s x 627.84 N.\n"
     "- J has rank 108 of 336 rows: lambda is far from unique."},
};

const shipped_system *shipped_system_at(int64_t index)
{
    return index >= 0 && index < (int64_t)(sizeof systems / sizeof systems[0]) ? systems + index
                                                                               : NULL;
}

const shipped_system *shipped_system_find(const char *name)
{
    for (size_t i = 0; i < sizeof systems / sizeof systems[0]; i++)
        if (strcmp(systems[i].name, name) == 0) return systems + i;
    return NULL;
}

saddle_status shipped_system_make(const shipped_system *system, saddle_context *context,
                                  saddle_problem *problem)
{
    saddle_problem unreduced;
    saddle_attachments *attachments;
    if (system->make) return system->make(context, problem);
    *problem = (saddle_problem){0};
    saddle_status status = system->make_attached(context, &unreduced, &attachments);
    if (status == SADDLE_OK)
        status = saddle_attachments_keep(context, attachments, &unreduced, problem);
    saddle_attachments_free(attachments);
    saddle_problem_clear(&unreduced);
    return status;
}
