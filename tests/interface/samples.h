/* SPDX-License-Identifier: MIT */
/* A sample of every type that an argument of a public function has, for the generated calls of
 * null_calls.h.
 *
 * SAMPLE_<type>(function, argument): a value with which the function gets past its checks as far as
 * possible.  A pointer to a plain struct without a macro of its own kind is zeroed memory; each
 * request gets another piece. */
#ifndef SADDLE_TEST_SAMPLES_H
#define SADDLE_TEST_SAMPLES_H

#include "saddle/saddle.h"

/* Objects made once, before the first call; each call runs in a process of its own and may spoil
 * its copy. */
typedef struct sample_objects {
    saddle_context *context;
    saddle_problem problem;   /* n velocities, one row */
    saddle_solution solution; /* of problem */
    saddle_solution left;     /* of the elimination's problem */
    saddle_solution whole;    /* as saddle_elimination_recover has it */
    saddle_rank rank;
    saddle_certificate certificate;
    saddle_attachments *attachments;
    saddle_couplings *couplings;
    saddle_matrix_builder *builder; /* 2 x 2 */
    saddle_map *map;
    saddle_elimination *elimination;
    saddle_tree *tree;              /* one body on a hinge, placed and factored */
    saddle_tree_friction *friction; /* of tree */
    saddle_delassus *delassus;
    saddle_solver *solver;
    saddle_scene scene;
    saddle_assembly *assembly;
    saddle_stepper *stepper;
    saddle_ode *ode;
    saddle_contact_list list;
    saddle_handle body, joint;
    saddle_body_inertia inertia;
} sample_objects;

extern sample_objects sample;

void samples_make(void);
void samples_clear(void);

void *sample_zeros(void);          /* another 64 KB of zeros each time */
void *sample_output(void);         /* a pointer for an object that is made, not NULL at first */
void samples_forget_outputs(void); /* those handed out by sample_output so far */
int samples_no_output(void);       /* 1: every pointer handed out since then is NULL now */
double *sample_doubles(const char *function, const char *argument);
int64_t *sample_indices(const char *function, const char *argument);
int64_t sample_integer(const char *function, const char *argument);
char *sample_text(const char *function, const char *argument);
saddle_problem *sample_problem(const char *argument);
saddle_matrix *sample_matrix(const char *function, const char *argument);
saddle_solution *sample_solution(const char *function, const char *argument);
saddle_handle sample_handle(const char *argument);
saddle_pose *sample_pose(void);          /* the identity */
saddle_mass_operator *sample_mass(void); /* the identity, of the problem's velocities */
saddle_solver_call *sample_call(void);   /* with a checker of sample.problem */
/* filled in with the defaults, or so that it is taken */
void *sample_definition(const char *type);

#define SAMPLE_context_p(f, a) sample.context
#define SAMPLE_problem_p(f, a) sample_problem(a)
#define SAMPLE_matrix_p(f, a) sample_matrix(f, a)
#define SAMPLE_solution_p(f, a) sample_solution(f, a)
#define SAMPLE_double_p(f, a) sample_doubles(f, a)
#define SAMPLE_int64_t_p(f, a) sample_indices(f, a)
#define SAMPLE_int32_t_p(f, a) sample_zeros()
#define SAMPLE_int64_t(f, a) sample_integer(f, a)
#define SAMPLE_int32_t(f, a) 1
#define SAMPLE_int(f, a) 0
#define SAMPLE_size_t(f, a) 8
#define SAMPLE_double(f, a) 0.5
#define SAMPLE_char_p(f, a) sample_text(f, a)
#define SAMPLE_void_p(f, a) saddle_allocate(sample.context, 64, 8)
#define SAMPLE_finding_function_p(f, a) NULL
#define SAMPLE_handle(f, a) sample_handle(a)
#define SAMPLE_anchor(f, a) ((saddle_anchor){.part = sample.body})

#define SAMPLE_model_p(f, a) sample.scene.model
#define SAMPLE_scene_p(f, a) (&sample.scene)
#define SAMPLE_collider_p(f, a) sample.scene.collider
#define SAMPLE_assembly_p(f, a) sample.assembly
#define SAMPLE_stepper_p(f, a) sample.stepper
#define SAMPLE_ode_p(f, a) sample.ode
#define SAMPLE_contact_list_p(f, a) (&sample.list)
#define SAMPLE_attachments_p(f, a) sample.attachments
#define SAMPLE_couplings_p(f, a) sample.couplings
#define SAMPLE_map_p(f, a) sample.map
#define SAMPLE_matrix_builder_p(f, a) sample.builder
#define SAMPLE_tree_p(f, a) sample.tree
#define SAMPLE_tree_friction_p(f, a) sample.friction
#define SAMPLE_elimination_p(f, a) sample.elimination
#define SAMPLE_delassus_p(f, a) sample.delassus
#define SAMPLE_solver_p(f, a) sample.solver
#define SAMPLE_solver_call_p(f, a) sample_call()
#define SAMPLE_solver_type_p(f, a) saddle_solver_type_at(NULL, 0)
#define SAMPLE_rank_p(f, a) (&sample.rank)
#define SAMPLE_certificate_p(f, a) (&sample.certificate)
#define SAMPLE_dependency_p(f, a) sample.rank.dependency
#define SAMPLE_body_inertia_p(f, a) (&sample.inertia)

#define SAMPLE_options_p(f, a) sample_definition("options")
#define SAMPLE_rank_options_p(f, a) sample_definition("rank_options")
#define SAMPLE_stepper_options_p(f, a) sample_definition("stepper_options")
#define SAMPLE_context_options_p(f, a) sample_definition("context_options")
#define SAMPLE_assembly_options_p(f, a) sample_definition("assembly_options")
#define SAMPLE_fem_block_p(f, a) sample_definition("fem_block")
#define SAMPLE_body_def_p(f, a) sample_definition("body_def")
#define SAMPLE_particle_def_p(f, a) sample_definition("particle_def")
#define SAMPLE_touch_def_p(f, a) sample_definition("touch_def")
#define SAMPLE_mesh_p(f, a) sample_definition("mesh")
#define SAMPLE_muscle_p(f, a) sample_definition("muscle")
#define SAMPLE_stage_p(f, a) sample_definition("stage")
#define SAMPLE_component_p(f, a) sample_definition("component")
#define SAMPLE_attachment_p(f, a) sample_definition("attachment")
#define SAMPLE_pose_p(f, a) sample_pose()
#define SAMPLE_mass_operator_p(f, a) sample_mass()
#define SAMPLE_report_p(f, a) sample_zeros()
#define SAMPLE_reference_p(f, a) sample_zeros()
#define SAMPLE_import_p(f, a) sample_zeros()
#define SAMPLE_armature_p(f, a) sample_zeros()

/* Enumerations: their first value. */
#define SAMPLE_element_kind(f, a) SADDLE_ELEMENT_TETRAHEDRON
#define SAMPLE_wish(f, a) ((saddle_wish)0)
#define SAMPLE_joint_form(f, a) SADDLE_JOINT_FORM_ROWS
#define SAMPLE_format(f, a) ((saddle_format)0)
#define SAMPLE_multiplier_norm(f, a) SADDLE_MULTIPLIER_NORM_PLAIN
#define SAMPLE_rotation_update(f, a) SADDLE_ROTATION_UPDATE_EXPONENTIAL
#define SAMPLE_shape_kind(f, a) ((saddle_shape_kind)0)
#define SAMPLE_symmetry(f, a) SADDLE_SYMMETRY_NONE
#define SAMPLE_place(f, a) ((saddle_place){.kind = SADDLE_PLACE_ROW})
#define SAMPLE_status(f, a) SADDLE_SINGULAR
#define SAMPLE_item(f, a) SADDLE_ITEM_CONSTRAINT

/* Zeroed memory: structs whose all-zero value is sound, and what is only written to. */
#define SAMPLE_attach_def_p(f, a) sample_zeros()
#define SAMPLE_component_kind_p(f, a) sample_zeros()
#define SAMPLE_compliance_p(f, a) sample_zeros()
#define SAMPLE_constraint_def_p(f, a) sample_zeros()
#define SAMPLE_contact_side_p(f, a) sample_zeros()
#define SAMPLE_coupling_step_p(f, a) sample_zeros()
#define SAMPLE_coupling_type_p(f, a) sample_zeros()
#define SAMPLE_anchor_p(f, a) sample_zeros()
#define SAMPLE_damper_p(f, a) sample_zeros()
#define SAMPLE_dead_load_p(f, a) sample_zeros()
#define SAMPLE_wish_p(f, a) sample_zeros()
#define SAMPLE_fem_mesh_p(f, a) sample_zeros()
#define SAMPLE_force_def_p(f, a) sample_zeros()
#define SAMPLE_format_p(f, a) sample_zeros()
#define SAMPLE_frame_spring_p(f, a) sample_zeros()
#define SAMPLE_handle_p(f, a) sample_zeros()
#define SAMPLE_int_p(f, a) sample_zeros()
#define SAMPLE_integrator_p(f, a) sample_zeros()
#define SAMPLE_joint_def_p(f, a) sample_zeros()
#define SAMPLE_joint_chain_p(f, a) sample_zeros()
#define SAMPLE_joint_kind_p(f, a) sample_zeros()
#define SAMPLE_joint_form_p(f, a) sample_zeros()
#define SAMPLE_motion_p(f, a) sample_zeros()
#define SAMPLE_joint_spline_p(f, a) sample_zeros()
#define SAMPLE_joint_spring_p(f, a) sample_zeros()
#define SAMPLE_joint_surface_p(f, a) sample_zeros()
#define SAMPLE_law_p(f, a) sample_zeros()
#define SAMPLE_msh_p(f, a) sample_zeros()
#define SAMPLE_nodes_def_p(f, a) sample_zeros()
#define SAMPLE_path_point_p(f, a) sample_zeros()
#define SAMPLE_path_spring_p(f, a) sample_zeros()
#define SAMPLE_pin_def_p(f, a) sample_zeros()
#define SAMPLE_prescription_p(f, a) sample_zeros()
#define SAMPLE_prescription(f, a) SADDLE_PRESCRIPTION_VELOCITY
#define SAMPLE_prescribed_function_p(f, a) NULL
#define SAMPLE_proof_p(f, a) sample_zeros()
#define SAMPLE_read_options_p(f, a) sample_zeros()
#define SAMPLE_residual_p(f, a) sample_zeros()
#define SAMPLE_rod_def_p(f, a) sample_zeros()
#define SAMPLE_gear_def_p(f, a) sample_zeros()
#define SAMPLE_spring_p(f, a) sample_zeros()
#define SAMPLE_tree_body_p(f, a) sample_zeros()
#define SAMPLE_tree_row_p(f, a) sample_zeros()
#define SAMPLE_tree_bearing_p(f, a) sample_zeros()
#define SAMPLE_tree_friction_options_p(f, a) sample_zeros()
#define SAMPLE_tree_friction_step_p(f, a) sample_zeros()
#define SAMPLE_tree_stage_p(f, a) sample_zeros()
#define SAMPLE_tetrahedron_p(f, a) sample_zeros()
#define SAMPLE_bearing_forces_p(f, a) sample_zeros()
#define SAMPLE_assembly_pp(f, a) sample_output()
#define SAMPLE_attachments_pp(f, a) sample_output()
#define SAMPLE_char_pp(f, a) sample_output()
#define SAMPLE_collider_pp(f, a) sample_output()
#define SAMPLE_contact_point_pp(f, a) sample_output()
#define SAMPLE_context_pp(f, a) sample_output()
#define SAMPLE_couplings_pp(f, a) sample_output()
#define SAMPLE_delassus_pp(f, a) sample_output()
#define SAMPLE_double_pp(f, a) sample_output()
#define SAMPLE_int64_t_pp(f, a) sample_output()
#define SAMPLE_elimination_pp(f, a) sample_output()
#define SAMPLE_ode_pp(f, a) sample_output()
#define SAMPLE_problem_pp(f, a) sample_output()
#define SAMPLE_map_pp(f, a) sample_output()
#define SAMPLE_matrix_builder_pp(f, a) sample_output()
#define SAMPLE_model_pp(f, a) sample_output()
#define SAMPLE_solver_pp(f, a) sample_output()
#define SAMPLE_stepper_pp(f, a) sample_output()
#define SAMPLE_tree_pp(f, a) sample_output()
#define SAMPLE_tree_friction_pp(f, a) sample_output()

#endif
