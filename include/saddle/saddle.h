/* SPDX-License-Identifier: MIT */
/* Everything: constrained mechanical systems as one sparse saddle-point problem.  Start at saddle/problem.h. */
#ifndef SADDLE_H
#define SADDLE_H

/* IWYU pragma: begin_exports */
#include "saddle/assembly.h"
#include "saddle/attachment_files.h"
#include "saddle/attachments.h"
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
#include "saddle/files.h"
#include "saddle/forces.h"
#include "saddle/inertia.h"
#include "saddle/joint.h"
#include "saddle/matrix.h"
#include "saddle/mesh.h"
#include "saddle/model.h"
#include "saddle/muscle.h"
#include "saddle/options.h"
#include "saddle/pin.h"
#include "saddle/pose.h"
#include "saddle/problem.h"
#include "saddle/rank.h"
#include "saddle/report.h"
#include "saddle/residual.h"
#include "saddle/rod.h"
#include "saddle/rotation.h"
#include "saddle/scene.h"
#include "saddle/solver.h"
#include "saddle/spatial.h"
#include "saddle/status.h"
#include "saddle/stepper.h"
#include "saddle/version.h"
#include "saddle/warm_start.h"
/* IWYU pragma: end_exports */

#endif
