# SPDX-License-Identifier: MIT
"""An elastic cube on a plane with Coulomb friction, pressed and dragged by its top face.

    K u - J'lambda = 0,   u = d at the top (rows),   0 <= lambda_n _|_ u_n >= 0,   |lambda_t| <= mu lambda_n

GetFEM assembles K, saddle solves, and GetFEM's own contact brick (Newton's method on the equations of
Alart and Curnier, MUMPS inside) solves the same problem: displacements are equal to rounding.

    python3 block_on_plane.py [CELLS]          hexahedra along an edge (6); python3-getfem
"""
import sys

import numpy as np
import scipy.sparse as sparse

try:
    import getfem
except ImportError as absent:
    print("skipped: python3-getfem is absent:", absent)
    sys.exit(77)

YOUNG, POISSON, MU = 2e7, 0.3, 0.3  # [Pa], [-], [-]
DRIVE = (0.002, 0.0, -0.001)  # displacement of the top face [m]
TOP = 1  # a region of the mesh


class Cube:
    """A box of trilinear hexahedra; top, low (k, 3): the velocities x, y, z of the nodes of two faces."""

    def __init__(self, cells, layers=None, bottom=0.0, height=1.0):
        along = np.linspace(0, 1, cells + 1)
        upward = np.linspace(bottom, bottom + height, (layers or cells) + 1)
        self.cells = cells
        self.mesh = getfem.Mesh("cartesian", along, along, upward)
        faces = self.mesh.outer_faces()
        self.mesh.set_region(TOP, faces[:, self.mesh.normal_of_faces(faces)[2] > 0.5])
        self.fem = getfem.MeshFem(self.mesh, 3)
        self.fem.set_classical_fem(1)
        self.integration = getfem.MeshIm(self.mesh, 4)
        level = self.fem.basic_dof_nodes()[2]
        self.low = np.nonzero(level < level.min() + 1e-9)[0].reshape(-1, 3)
        self.top = np.nonzero(level > level.max() - 1e-9)[0].reshape(-1, 3)

    def elastic_model(self):
        model = getfem.Model("real")
        model.add_fem_variable("u", self.fem)
        model.add_initialized_data("lame", [YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))])
        model.add_initialized_data("shear", [YOUNG / (2 * (1 + POISSON))])
        model.add_isotropic_linearized_elasticity_brick(self.integration, "u", "lame", "shear")
        return model

    def stiffness(self):
        """K (n, n) as scipy has it."""
        model = self.elastic_model()
        model.assembly()
        K = model.tangent_matrix()
        K.to_csc()
        start, row = K.csc_ind()
        return sparse.csc_matrix((K.csc_val(), row, start), shape=(self.fem.nbdof(), self.fem.nbdof()))


def contact_model(cube):
    """The whole problem for GetFEM alone."""
    model = cube.elastic_model()
    count, size = len(cube.low), cube.fem.nbdof()
    normal, tangent = getfem.Spmat("empty", count, size), getfem.Spmat("empty", 2 * count, size)
    for k, (x, y, z) in enumerate(cube.low.tolist()):
        normal.add(k, z, -1.0)
        tangent.add(2 * k, x, 1.0)
        tangent.add(2 * k + 1, y, 1.0)
    model.add_initialized_fem_data("drive", cube.fem, cube.fem.eval(str(list(DRIVE))))
    model.add_Dirichlet_condition_with_simplification("u", TOP, "drive")
    model.add_variable("lambda_n", count)
    model.add_variable("lambda_t", 2 * count)
    model.add_initialized_data("r", [YOUNG / cube.cells])
    model.add_initialized_data("mu", [MU])
    model.add_initialized_data("gap", np.zeros(count))
    model.add_initialized_data("alpha", np.ones(count))
    model.add_basic_contact_brick("u", "lambda_n", "lambda_t", "r", normal, tangent, "mu", "gap", "alpha", 1)
    return model


def unit_rows(columns, n):
    """A row for each column listed, with a one there."""
    columns = np.ravel(columns)
    return sparse.csr_matrix((np.ones(len(columns)), (np.arange(len(columns)), columns)), shape=(len(columns), n))


def solve_by_getfem(cube):
    model = contact_model(cube)
    _, converged = model.solve("max_res", 1e-10, "max_iter", 100, "lsolver", "mumps", "lsearch", "simplest")
    assert converged, "GetFEM's brick did not converge"
    return model.variable("u"), -model.variable("lambda_n").sum()


def solve_by_saddle(cube):
    """Rows: three for each node of the top, then normal, tangent x, tangent y for each node of the lowest face."""
    import saddle

    K = cube.stiffness()
    held = unit_rows(cube.top, K.shape[0])
    touching = unit_rows(cube.low[:, [2, 0, 1]], K.shape[0])
    first = held.shape[0]
    problem = saddle.Problem(K, sparse.vstack([held, touching]),
                             b=np.concatenate([np.tile(DRIVE, len(cube.top)), np.zeros(touching.shape[0])]),
                             contacts=saddle.Contacts(first + 3 * np.arange(len(cube.low)), MU))
    solution = saddle.solve(problem)
    return solution, solution.impulse[first::3].sum()


def main(cells=6):
    cube = Cube(cells)
    theirs, sum_theirs = solve_by_getfem(cube)
    solution, sum_ours = solve_by_saddle(cube)
    difference = abs(solution.v - theirs).max() / abs(theirs).max()
    print(f"{cube.fem.nbdof()} displacements, {len(cube.low)} contacts, solver {solution.report['solver']}")
    print(f"sum of normal forces {sum_ours:.6f} N, GetFEM's {sum_theirs:.6f} N")
    print(f"displacements differ by {difference:.1e} of the largest")
    assert difference <= 1e-8 and abs(sum_ours - sum_theirs) <= 1e-8 * sum_theirs


if __name__ == "__main__":
    getfem.util_trace_level(0)
    main(*map(int, sys.argv[1:]))
