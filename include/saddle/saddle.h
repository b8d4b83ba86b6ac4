/* SPDX-License-Identifier: MIT */
/* Everything: constrained mechanical systems as one sparse saddle-point problem.  Start at
 * saddle/problem.h.
 *
 * NULL.  One rule for every function:
 *
 *     a context may be NULL, which is the default one (saddle/context.h); saddle_solver_register
 *         alone needs one
 *     arguments whose comment says what NULL stands for may be NULL, and arrays without entries
 *     functions that release (_free, _clear, saddle_release) do nothing for NULL
 *     any other pointer is required.  Where it is NULL,
 *         a function with a status returns SADDLE_INVALID_ARGUMENT; where a context is given,
 *             directly or by another argument, the message names the function and the argument;
 *             what the function makes is NULL, or all zero
 *         a function without a status does nothing, or returns an empty result: NULL, "", 0, an
 *             all-zero struct; -1 for a column, a row, an index or an id
 *
 * Defaults.  A struct that the caller fills in starts from saddle_NAME_default() where the header
 * has that function, and else from {0} (in C++ {}).
 */
#ifndef SADDLE_H
#define SADDLE_H

/* IWYU pragma: begin_exports */
#include "saddle/assembly.h"
#include "saddle/attach.h"
#include "saddle/attachments.h"
#include "saddle/bearing.h"
#include "saddle/certificate.h"
#include "saddle/collider.h"
#include "saddle/compliance.h"
#include "saddle/constraint.h"
#include "saddle/contact.h"
#include "saddle/context.h"
#include "saddle/couplings.h"
#include "saddle/delassus.h"
#include "saddle/element.h"
#include "saddle/elimination.h"
#include "saddle/fem_block.h"
#include "saddle/fem_mesh.h"
#include "saddle/files.h"
#include "saddle/forces.h"
#include "saddle/gear.h"
#include "saddle/import.h"
#include "saddle/inertia.h"
#include "saddle/joint.h"
#include "saddle/joint_coordinates.h"
#include "saddle/link.h"
#include "saddle/mass_operator.h"
#include "saddle/matrix.h"
#include "saddle/mesh.h"
#include "saddle/model.h"
#include "saddle/msh.h"
#include "saddle/muscle.h"
#include "saddle/ode.h"
#include "saddle/options.h"
#include "saddle/path_spring.h"
#include "saddle/pin.h"
#include "saddle/polyhedral.h"
#include "saddle/pose.h"
#include "saddle/problem.h"
#include "saddle/rank.h"
#include "saddle/reference.h"
#include "saddle/report.h"
#include "saddle/residual.h"
#include "saddle/rod.h"
#include "saddle/rotation.h"
#include "saddle/scene.h"
#include "saddle/solver.h"
#include "saddle/spatial.h"
#include "saddle/status.h"
#include "saddle/stepper.h"
#include "saddle/tree.h"
#include "saddle/tree_friction.h"
#include "saddle/tree_rows.h"
#include "saddle/version.h"
#include "saddle/warm_start.h"
/* IWYU pragma: end_exports */

#endif
