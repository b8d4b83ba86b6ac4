# SPDX-License-Identifier: MIT
"""MATLAB and Matrix Market files of saddle and of SciPy, each read by the other."""
import random
import subprocess
import sys

import numpy as np
import scipy.io
import scipy.sparse as sp

case, saddle, source, scratch = sys.argv[1:]


def run(*words):
    subprocess.run([saddle, *words], check=True, stdout=subprocess.DEVNULL)


def bundle(folder):
    """The parts of a bundle by mmread, absent ones None."""
    parts = {}
    for name in ("M", "J", "R", "f", "b", "bounds", "contacts"):
        try:
            parts[name] = scipy.io.mmread(f"{folder}/{name}.mtx")
        except FileNotFoundError:
            parts[name] = None
    return parts


def same(a, b):
    a = a.toarray() if sp.issparse(a) else np.asarray(a)
    b = b.toarray() if sp.issparse(b) else np.asarray(b)
    return a.shape == b.shape and np.array_equal(a, b)


def problems():
    for name in ("chain", "loop", "crane", "stack-cone", "obstacle", "bushings", "rotors"):
        run("convert", f"{source}/data/{name}", f"{scratch}/{name}.mat")
        mat, parts = scipy.io.loadmat(f"{scratch}/{name}.mat"), bundle(f"{source}/data/{name}")
        for key in ("M", "J", "R", "f", "b"):
            if parts[key] is not None:
                assert same(mat[key], parts[key]), (name, key)
        if parts["bounds"] is not None:
            assert np.array_equal(np.hstack([mat["lo"], mat["hi"]]), parts["bounds"]), name
        if parts["contacts"] is not None:
            assert np.array_equal(mat["contacts"][:, :3], parts["contacts"][:, :3]), name
            assert mat["law"][0] == "cone"
        run("convert", f"{scratch}/{name}.mat", f"{scratch}/{name}")
        again = bundle(f"{scratch}/{name}")
        for key in ("M", "J", "R", "f", "b", "bounds", "contacts"):
            if parts[key] is not None and (sp.issparse(parts[key]) and parts[key].nnz or parts[key].any()
                                           if not sp.issparse(parts[key]) else parts[key].nnz):
                assert same(parts[key], again[key]), (name, key, "back")


def programs():
    draw = random.Random(7)
    for k in range(40):
        rng = np.random.default_rng(k)
        n, m = draw.randint(1, 30), draw.randint(1, 40)
        half = sp.random(n, n, 0.2, random_state=k)
        P = (half @ half.T).tocsc()
        A = sp.random(m, n, 0.3, random_state=k + 1).tocsc()
        if k % 3 == 0:
            A = (A * 100).floor().astype(float).tocsc()  # numbers of one byte once stored
        l, u = rng.integers(-9, 0, m).astype(float), rng.integers(1, 9, m).astype(float)
        l[rng.random(m) < 0.3], u[rng.random(m) < 0.3] = -1e20, np.inf
        equal = rng.random(m) < 0.2
        u[equal] = l[equal] = 2.0
        q = rng.standard_normal(n) if k % 2 else np.arange(n)
        program = {"P": P, "q": q.reshape(-1, 1), "r": 3, "A": A, "l": l, "u": u.reshape(-1, 1)}
        scipy.io.savemat(f"{scratch}/qp.mat", program, do_compression=k % 4 != 0)
        run("convert", f"{scratch}/qp.mat", f"{scratch}/qp")
        got = bundle(f"{scratch}/qp")
        rows, b, lo, hi = [], [], [], []
        for i in range(m):
            below, above = l[i] > -1e20, u[i] < 1e20
            sides = [(l[i], -np.inf, np.inf)] if equal[i] else []
            sides += [(l[i], 0.0, np.inf)] if below and not equal[i] else []
            sides += [(u[i], -np.inf, 0.0)] if above and not equal[i] else []
            for wanted, low, high in sides:
                rows.append(A.toarray()[i])
                b.append(wanted)
                lo.append(low)
                hi.append(high)
        assert same(got["M"], P) and same(got["f"], -q.reshape(-1, 1)), k
        assert same(got["b"], np.array(b).reshape(-1, 1)), k
        assert same(got["bounds"], np.column_stack([lo, hi])), k
        J = np.zeros((len(rows), n)) if got["J"] is None else got["J"].toarray()
        assert np.array_equal(J, np.array(rows)), k


def bundles():
    M = scipy.io.mmread(f"{source}/data/chain/M.mtx")
    J = scipy.io.mmread(f"{source}/data/chain/J.mtx")
    f = scipy.io.mmread(f"{source}/data/chain/f.mtx")
    run("solve", f"{source}/data/chain", "--output", f"{scratch}/answer")
    v = scipy.io.mmread(f"{scratch}/answer/v.mtx")
    impulse = scipy.io.mmread(f"{scratch}/answer/lambda.mtx")
    assert abs(M @ v - J.T @ impulse - f).max() < 1e-9 * abs(f).max()


{"problems": problems, "programs": programs, "bundles": bundles}[case]()
