/* SPDX-License-Identifier: MIT */
/* A saddle-point system of PETSc, the MatNest [M J'; J -R] of a KSP, solved by saddle over all
 * processes.
 *
 *     mpirun -n 2 petsc_nest
 *
 * M is the stiffness of a bar of linear finite elements with 2,000 nodes, assembled by PETSc and
 * clamped nowhere; J ties the first node to 0, by a spring of compliance R, and the middle to
 * 0.01 m, and says the second once more (a redundant row).  The bar is pulled at the end by 1 N.
 * Solvers of PETSc that need a regular system stop at the redundant row; the answer of saddle is
 * handed back as a Vec and measured by PETSc. */
#include <petscksp.h>
#include <saddle_mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { NODES = 2000, ROWS = 3 };

/* ---- PETSc's part: assembly ---- */

static PetscErrorCode assemble_stiffness(Mat *M)
{
    PetscInt begin, end;
    const PetscScalar k = 1e3; /* of an element [N/m] */
    PetscFunctionBeginUser;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, NODES, NODES, 3, NULL, 2,
                           NULL, M));
    PetscCall(MatGetOwnershipRange(*M, &begin, &end));
    for (PetscInt e = begin; e < end && e + 1 < NODES; e++) { /* element e: nodes e, e + 1 */
        const PetscInt node[2] = {e, e + 1};
        const PetscScalar stiffness[4] = {k, -k, -k, k};
        PetscCall(MatSetValues(*M, 2, node, 2, node, stiffness, ADD_VALUES));
    }
    PetscCall(MatAssemblyBegin(*M, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*M, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode assemble_rows(Mat *J)
{
    const PetscInt tied[ROWS] = {0, NODES / 2, NODES / 2};
    PetscInt begin, end;
    PetscFunctionBeginUser;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, ROWS, NODES, 1, NULL, 1,
                           NULL, J));
    PetscCall(MatGetOwnershipRange(*J, &begin, &end));
    for (PetscInt i = begin; i < end; i++)
        PetscCall(MatSetValue(*J, i, tied[i], 1.0, INSERT_VALUES));
    PetscCall(MatAssemblyBegin(*J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*J, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

/* -R */
static PetscErrorCode assemble_compliance(Mat *C)
{
    PetscInt begin, end;
    PetscFunctionBeginUser;
    PetscCall(MatCreateAIJ(PETSC_COMM_WORLD, PETSC_DECIDE, PETSC_DECIDE, ROWS, ROWS, 1, NULL, 1,
                           NULL, C));
    PetscCall(MatGetOwnershipRange(*C, &begin, &end));
    if (begin == 0 && end > 0) PetscCall(MatSetValue(*C, 0, 0, -1e-3, INSERT_VALUES)); /* [m/N] */
    PetscCall(MatAssemblyBegin(*C, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(*C, MAT_FINAL_ASSEMBLY));
    PetscFunctionReturn(0);
}

static PetscErrorCode assemble(Mat *K, Vec *b)
{
    Mat M, J, Jt, C;
    Vec blocks[2];
    PetscFunctionBeginUser;
    PetscCall(assemble_stiffness(&M));
    PetscCall(assemble_rows(&J));
    PetscCall(assemble_compliance(&C));
    PetscCall(MatTranspose(J, MAT_INITIAL_MATRIX, &Jt));
    Mat nest[4] = {M, Jt, J, C};
    PetscCall(MatCreateNest(PETSC_COMM_WORLD, 2, NULL, 2, NULL, nest, K));
    PetscCall(MatCreateVecs(M, &blocks[0], NULL));
    PetscCall(MatCreateVecs(J, NULL, &blocks[1]));
    PetscCall(VecSetValue(blocks[0], NODES - 1, 1.0, INSERT_VALUES));
    PetscCall(VecSetValue(blocks[1], 1, 0.01, INSERT_VALUES));
    PetscCall(VecSetValue(blocks[1], 2, 0.01, INSERT_VALUES));
    for (int k = 0; k < 2; k++) {
        PetscCall(VecAssemblyBegin(blocks[k]));
        PetscCall(VecAssemblyEnd(blocks[k]));
    }
    PetscCall(VecCreateNest(PETSC_COMM_WORLD, 2, NULL, blocks, b));
    PetscCall(MatDestroy(&M));
    PetscCall(MatDestroy(&J));
    PetscCall(MatDestroy(&Jt));
    PetscCall(MatDestroy(&C));
    for (int k = 0; k < 2; k++) PetscCall(VecDestroy(&blocks[k]));
    PetscFunctionReturn(0);
}

/* ---- to saddle: the rows of this process ---- */

/* The rows of this process of A as columns of A' (of a symmetric A, its lower triangle). */
static PetscErrorCode take_rows(saddle_context *context, Mat A, saddle_symmetry symmetry,
                                saddle_matrix *At)
{
    PetscInt begin, end, rows, cols;
    MatInfo info;
    int64_t count = 0;
    PetscFunctionBeginUser;
    PetscCall(MatGetSize(A, &rows, &cols));
    PetscCall(MatGetOwnershipRange(A, &begin, &end));
    PetscCall(MatGetInfo(A, MAT_LOCAL, &info));
    int64_t *row = calloc((size_t)info.nz_used + 1, sizeof *row);
    int64_t *col = calloc((size_t)info.nz_used + 1, sizeof *col);
    double *value = calloc((size_t)info.nz_used + 1, sizeof *value);
    PetscCheck(row && col && value, PETSC_COMM_SELF, PETSC_ERR_MEM, "out of memory");
    for (PetscInt i = begin; i < end; i++) {
        PetscInt entries;
        const PetscInt *index;
        const PetscScalar *entry;
        PetscCall(MatGetRow(A, i, &entries, &index, &entry));
        for (PetscInt k = 0; k < entries; k++) {
            if (symmetry == SADDLE_SYMMETRY_LOWER && index[k] < i) continue;
            row[count] = index[k];
            col[count] = i;
            value[count++] = entry[k];
        }
        PetscCall(MatRestoreRow(A, i, &entries, &index, &entry));
    }
    const saddle_status status = saddle_matrix_from_triplets(context, cols, rows, count, row, col,
                                                             value, symmetry, At);
    free(row);
    free(col);
    free(value);
    PetscCheck(status == SADDLE_OK, PETSC_COMM_SELF, PETSC_ERR_LIB, "%s",
               saddle_context_message(context));
    PetscFunctionReturn(0);
}

/* x (size) <- the entries of this process, zero elsewhere */
static PetscErrorCode take_vector(Vec from, double **x)
{
    PetscInt size, begin, end;
    const PetscScalar *value;
    PetscFunctionBeginUser;
    PetscCall(VecGetSize(from, &size));
    PetscCall(VecGetOwnershipRange(from, &begin, &end));
    PetscCall(PetscCalloc1(size, x));
    PetscCall(VecGetArrayRead(from, &value));
    for (PetscInt i = begin; i < end; i++) (*x)[i] = value[i - begin];
    PetscCall(VecRestoreArrayRead(from, &value));
    PetscFunctionReturn(0);
}

static PetscErrorCode give_vector(const double *x, double factor, Vec to)
{
    PetscInt begin, end;
    PetscScalar *value;
    PetscFunctionBeginUser;
    PetscCall(VecGetOwnershipRange(to, &begin, &end));
    PetscCall(VecGetArray(to, &value));
    for (PetscInt i = begin; i < end; i++) value[i - begin] = factor * x[i];
    PetscCall(VecRestoreArray(to, &value));
    PetscFunctionReturn(0);
}

/* [M J'; J -R] (v, -lambda) = (f, b); the block -R may be absent */
static PetscErrorCode solve(saddle_context *context, KSP ksp, Vec rhs, Vec x, saddle_report *report)
{
    Mat K, M, J, C;
    Vec f, b, v, impulse;
    saddle_problem part = {0};
    saddle_solution solution = {0};
    PetscFunctionBeginUser;
    PetscCall(KSPGetOperators(ksp, &K, NULL));
    PetscCall(MatNestGetSubMat(K, 0, 0, &M));
    PetscCall(MatNestGetSubMat(K, 1, 0, &J));
    PetscCall(MatNestGetSubMat(K, 1, 1, &C));
    PetscCall(VecNestGetSubVec(rhs, 0, &f));
    PetscCall(VecNestGetSubVec(rhs, 1, &b));
    PetscCall(take_rows(context, M, SADDLE_SYMMETRY_LOWER, &part.M));
    PetscCall(take_rows(context, J, SADDLE_SYMMETRY_NONE, &part.Jt));
    if (C) PetscCall(take_rows(context, C, SADDLE_SYMMETRY_LOWER, &part.R));
    for (int64_t k = 0; k < saddle_matrix_entries(&part.R); k++) part.R.value[k] *= -1.0;
    PetscCall(take_vector(f, &part.f));
    PetscCall(take_vector(b, &part.b));
    part.n = part.M.cols;
    part.m = part.Jt.cols;
    const saddle_status status = saddle_mpi_solve(PETSC_COMM_WORLD, context, &part, NULL, NULL,
                                                  NULL, &solution, report);
    PetscCheck(status == SADDLE_OK, PETSC_COMM_WORLD, PETSC_ERR_NOT_CONVERGED, "%s",
               saddle_context_message(context));
    PetscCall(VecNestGetSubVec(x, 0, &v));
    PetscCall(VecNestGetSubVec(x, 1, &impulse));
    PetscCall(give_vector(solution.v, 1.0, v));
    PetscCall(give_vector(solution.lambda, -1.0, impulse));
    saddle_solution_clear(&solution);
    PetscCall(PetscFree(part.f));
    PetscCall(PetscFree(part.b));
    saddle_matrix_clear(&part.M);
    saddle_matrix_clear(&part.Jt);
    saddle_matrix_clear(&part.R);
    PetscFunctionReturn(0);
}

int main(int argc, char **argv)
{
    Mat K;
    KSP ksp;
    Vec b, x, left;
    PetscReal error, size;
    saddle_report report;
    saddle_context *context;
    PetscCall(PetscInitialize(&argc, &argv, NULL, NULL));
    if (saddle_context_create(NULL, &context) != SADDLE_OK) return 1;
    PetscCall(assemble(&K, &b));
    PetscCall(VecDuplicate(b, &x));
    PetscCall(VecDuplicate(b, &left));
    PetscCall(KSPCreate(PETSC_COMM_WORLD, &ksp));
    PetscCall(KSPSetOperators(ksp, K, K));
    PetscCall(solve(context, ksp, b, x, &report));
    PetscCall(MatMult(K, x, left));
    PetscCall(VecAXPY(left, -1.0, b));
    PetscCall(VecNorm(left, NORM_2, &error));
    PetscCall(VecNorm(b, NORM_2, &size));
    PetscCall(PetscPrintf(PETSC_COMM_WORLD, "%s: |K x - b| / |b| below 1e-9: %s\n", report.solver,
                          error <= 1e-9 * size ? "yes" : "no"));
    PetscCall(KSPDestroy(&ksp));
    PetscCall(MatDestroy(&K));
    PetscCall(VecDestroy(&b));
    PetscCall(VecDestroy(&x));
    PetscCall(VecDestroy(&left));
    saddle_context_free(context);
    PetscCall(PetscFinalize());
    return 0;
}
