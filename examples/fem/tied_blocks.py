# SPDX-License-Identifier: MIT
"""Two elastic blocks, one tied on the other, pressed and dragged over a plane with friction, static.

    K = [K_low 0; 0 K_high]   singular: each block may move as a rigid body until rows hold it
    ties    u_high - u_low = 0 at each node that the blocks share, every row twice
    top     u_high = d,                                            every row twice
    plane   0 <= lambda_n _|_ u_n >= 0,   |lambda_t| <= mu lambda_n

GetFEM assembles, saddle solves: redundant rows and a singular K need nothing from the user, and the
rank report names each row that says nothing new.

    python3 tied_blocks.py          python3-getfem
"""
import sys

import numpy as np
import scipy.sparse as sparse

from block_on_plane import DRIVE, MU, Cube, getfem, unit_rows

CELLS = 6  # along x and y; half as many layers in each block
SUMS = (21104.888, -6283.683)  # normal and first tangential impulses: an assembly in numpy, and GetFEM


def build():
    import saddle

    low = Cube(CELLS, CELLS // 2, 0.0, 0.5)
    high = Cube(CELLS, CELLS // 2, 0.5, 0.5)
    K = sparse.block_diag([low.stiffness(), high.stiffness()], format="csc")
    n, offset = K.shape[0], low.fem.nbdof()
    ties = unit_rows(offset + high.low, n) - unit_rows(low.top, n)
    top = unit_rows(offset + high.top, n)
    touching = unit_rows(low.low[:, [2, 0, 1]], n)
    equalities = [ties, top, ties, top]
    drive = np.concatenate([np.zeros(ties.shape[0]), np.tile(DRIVE, len(high.top))])
    first = 2 * len(drive)
    contacts = saddle.Contacts(first + 3 * np.arange(len(low.low)), MU)
    return saddle.Problem(K, sparse.vstack(equalities + [touching]),
                          b=np.concatenate([drive, drive, np.zeros(touching.shape[0])]), contacts=contacts), first


def main():
    import saddle

    problem, first = build()
    solution = saddle.solve(problem)
    normal, tangential = solution.impulse[first::3].sum(), solution.impulse[first + 1 :: 3].sum()
    print(f"n = {problem.n}, m = {problem.m}, solver {solution.report['solver']}, "
          f"residual {solution.report['residual']['total']:.1e}")
    print(f"sum of normal impulses {normal:.3f}, of tangential ones {tangential:.3f}")
    found = saddle.rank(problem)
    print(f"{len(found.dependencies)} of {found.examined} equality rows are redundant, the first: "
          f"{found.dependencies[0].text}")
    assert len(found.dependencies) == first // 2
    assert abs(normal - SUMS[0]) <= 5e-4 and abs(tangential - SUMS[1]) <= 5e-4


if __name__ == "__main__":
    getfem.util_trace_level(0)
    main()
