# SPDX-License-Identifier: MIT
"""The cube of block_on_plane.py, assembled by dolfinx (FEniCS) instead of GetFEM.

    python3 dolfinx_block.py          python3-dolfinx
"""
import sys

import numpy as np
import scipy.sparse as sparse

try:
    import ufl
    from dolfinx import fem, mesh
    from dolfinx.fem.petsc import assemble_matrix
    from mpi4py import MPI
except ImportError as absent:
    print("skipped: python3-dolfinx is absent:", absent)
    sys.exit(77)

CELLS, YOUNG, POISSON, MU = 6, 2e7, 0.3, 0.3  # [-], [Pa], [-], [-]
DRIVE = (0.002, 0.0, -0.001)  # displacement of the top face [m]
SUMS = (21104.888, -6283.683)  # normal and first tangential forces, with GetFEM


def assembled():
    """K (n, n), velocity 3 k + i of node k along i, and the nodes' places (n / 3, 3)."""
    cube = mesh.create_unit_cube(MPI.COMM_SELF, CELLS, CELLS, CELLS, mesh.CellType.hexahedron)
    space = fem.VectorFunctionSpace(cube, ("Lagrange", 1))
    u, v = ufl.TrialFunction(space), ufl.TestFunction(space)
    lame, shear = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON)), YOUNG / (2 * (1 + POISSON))
    stiffness = assemble_matrix(fem.form(
        (lame * ufl.div(u) * ufl.div(v) + 2 * shear * ufl.inner(ufl.sym(ufl.grad(u)), ufl.sym(ufl.grad(v)))) * ufl.dx))
    stiffness.assemble()
    start, column, value = stiffness.getValuesCSR()
    return sparse.csr_matrix((value, column, start), shape=stiffness.getSize()), space.tabulate_dof_coordinates()


def rows(nodes, axes, n):
    """A row for each node and axis, with a one at the velocity."""
    columns = (3 * nodes[:, None] + np.array(axes)).ravel()
    return sparse.csr_matrix((np.ones(len(columns)), (np.arange(len(columns)), columns)), shape=(len(columns), n))


def main():
    import saddle

    K, at = assembled()
    top, low = np.nonzero(at[:, 2] > 1 - 1e-9)[0], np.nonzero(at[:, 2] < 1e-9)[0]
    n, first = K.shape[0], 3 * len(top)
    problem = saddle.Problem(K, sparse.vstack([rows(top, (0, 1, 2), n), rows(low, (2, 0, 1), n)]),
                             b=np.concatenate([np.tile(DRIVE, len(top)), np.zeros(3 * len(low))]),
                             contacts=saddle.Contacts(first + 3 * np.arange(len(low)), MU))
    impulse = saddle.solve(problem).impulse[first:]
    normal, tangential = impulse[::3].sum(), impulse[1::3].sum()
    print(f"n = {n}, {len(low)} contacts: sums of forces {normal:.3f} N, {tangential:.3f} N")
    assert abs(normal - SUMS[0]) <= 5e-4 and abs(tangential - SUMS[1]) <= 5e-4


if __name__ == "__main__":
    main()
