# SPDX-License-Identifier: MIT
# An elastic cube on a plane with Coulomb friction, pressed and dragged by its top face: GetFEM assembles, its own contact
# brick (Newton on Alart's and Curnier's equations, MUMPS inside) and `saddle solve` solve the same problem.
#
#     K u - J'lambda = 0,   u = d at the top (equality rows),   0 <= lambda_n _|_ u_n >= 0,   |lambda_t| <= mu lambda_n, cone
#
# usage: python3 cube_getfem.py SADDLE [--cpu] [CELLS...]      CELLS: hexahedra along an edge (6 12)
# Prints a line for each size: both solve without assembly, medians of three, wall clock; --cpu: processor time, ours with the
# reading and writing of files.  Exit: 0 when displacements agree to 1e-8 of the largest, 1 when not, 77 without
# python3-getfem.
import json
import os
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np
from scipy.sparse import tril

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "examples", "fem"))
from block_on_plane import DRIVE, MU, Cube, contact_model, getfem  # noqa: E402  (ends with 77 without GetFEM)

BARRED = 1e-8
TIMES = 3


def solve_theirs(cube, clock):
    model, taken, steps = contact_model(cube), [], 0
    model.assembly()  # the stiffness, once
    for _ in range(TIMES):
        for name in ("u", "lambda_n", "lambda_t"):
            model.set_variable(name, 0 * model.variable(name))
        began = clock()
        steps, converged = model.solve("max_res", 1e-10, "max_iter", 100, "lsolver", "mumps", "lsearch", "simplest")
        taken.append(clock() - began)
        assert converged, "GetFEM's brick did not converge"
    return np.median(taken), steps, model.variable("u"), -model.variable("lambda_n").sum()


def write_matrix(folder, name, shape, entries, symmetric=False):
    with open(os.path.join(folder, name), "w", encoding="ascii") as file:
        kind = "symmetric" if symmetric else "general"
        file.write(f"%%MatrixMarket matrix coordinate real {kind}\n{shape[0]} {shape[1]} {len(entries)}\n")
        np.savetxt(file, entries, fmt="%d %d %.17g")


def write_array(folder, name, array):
    with open(os.path.join(folder, name), "w", encoding="ascii") as file:
        file.write(f"%%MatrixMarket matrix array real general\n{array.shape[0]} {array.shape[1]}\n")
        np.savetxt(file, array.ravel(order="F"), fmt="%.17g")


def write_bundle(cube, folder):
    """Rows: the top's, then a normal and two tangents for each node of the lowest face."""
    K = tril(cube.stiffness()).tocoo()
    entries = np.column_stack([K.row + 1, K.col + 1, K.data])
    columns = np.concatenate([cube.top.ravel(), cube.low[:, [2, 0, 1]].ravel()]) + 1
    n, m, equalities = cube.fem.nbdof(), len(columns), cube.top.size
    write_matrix(folder, "M.mtx", (n, n), entries, symmetric=True)
    write_matrix(folder, "J.mtx", (m, n), np.column_stack([np.arange(m) + 1, columns, np.ones(m)]))
    b = np.zeros((m, 1))
    b[:equalities, 0] = np.tile(DRIVE, len(cube.top))
    write_array(folder, "b.mtx", b)
    write_array(folder, "f.mtx", np.zeros((n, 1)))
    count = len(cube.low)
    first = equalities + 1 + 3 * np.arange(count)
    write_array(folder, "contacts.mtx", np.column_stack([first, np.full(count, 3), np.full(count, MU)]))
    described = {"format": "saddle-problem", "version": 1, "name": "cube", "source": "GetFEM", "n": n, "m": m,
                 "symmetric": True, "time_step": 0.0, "friction": {"law": "cone", "facets": 0}}
    with open(os.path.join(folder, "problem.json"), "w", encoding="ascii") as file:
        json.dump(described, file)


def read_array(path):
    return np.loadtxt(path, comments="%", skiprows=2)


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def solve_ours(saddle, cube, cpu):
    with tempfile.TemporaryDirectory() as folder:
        write_bundle(cube, folder)
        taken, answer = [], os.path.join(folder, "answer")
        for _ in range(TIMES):
            began = children()
            run = subprocess.run([saddle, "solve", folder, "--json", "--output", answer], capture_output=True, check=True)
            report = json.loads(run.stdout)
            seconds = sum(report["seconds"][phase] for phase in ("analyse", "factor", "solve"))
            taken.append(children() - began if cpu else seconds)
        impulses = read_array(os.path.join(answer, "lambda.mtx"))[cube.top.size :: 3]
        return np.median(taken), report, read_array(os.path.join(answer, "v.mtx")), impulses.sum()


def main(saddle, *arguments):
    agree, cpu, csv = True, "--cpu" in arguments, "--csv" in arguments
    sizes = [int(size) for size in arguments if not size.startswith("--")] or [6, 12]
    print("cells,n,contacts,GetFEM ms,steps,ours ms,solver,ratio,difference,forces,forces of GetFEM" if csv else
          "  cells      n  contacts  GetFEM [ms] steps   ours [ms] solver         ratio  difference  sum of normal forces")
    for cells in sizes:
        cube = Cube(cells)
        theirs, steps, u, sum_theirs = solve_theirs(cube, time.process_time if cpu else time.perf_counter)
        ours, report, v, sum_ours = solve_ours(saddle, cube, cpu)
        difference = abs(u - v).max() / abs(u).max()
        agree = agree and difference <= BARRED
        if csv:
            print(f"{cells},{len(u)},{len(cube.low)},{1e3 * theirs:.4g},{steps},{1e3 * ours:.4g},{report['solver']},"
                  f"{ours / theirs:.3g},{difference:.1e},{sum_ours:.9g},{sum_theirs:.9g}", flush=True)
            continue
        print(f"{cells:7d} {len(u):6d} {len(cube.low):9d} {1e3 * theirs:12.1f} {steps:5d} {1e3 * ours:11.1f} "
              f"{report['solver']:14s} {ours / theirs:5.2f} {difference:11.1e}  {sum_ours:.6f} {sum_theirs:.6f}", flush=True)
    return 0 if agree else 1


if __name__ == "__main__":
    getfem.util_trace_level(0)
    sys.exit(main(*sys.argv[1:]))
