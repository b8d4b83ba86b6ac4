# SPDX-License-Identifier: MIT
"""Drawn KKT systems whose units span 16 decades, and whose rows nearly depend on each other: the error that saddle reports
of its own answer, beside that against 100 digits."""
import json
import os
import subprocess
import sys

import mpmath
import numpy as np
import scipy.io
import scipy.sparse as sp

saddle, scratch = sys.argv[1:]
mpmath.mp.dps = 100
DRAWS = max(4, int(40 * float(os.environ.get("SADDLE_TEST_DRAWS", "1"))))


def draw(rng):
    """M symmetric positive definite, J with a row near another, in units of 1e-8 to 1e8."""
    n, m = int(rng.integers(3, 9)), int(rng.integers(1, 4))
    half = rng.standard_normal((n, n))
    M = half @ half.T + np.eye(n)
    J = rng.standard_normal((m, n))
    if m > 1:
        J[1] = J[0] + 10.0 ** -rng.integers(1, 6) * rng.standard_normal(n)
    of_v, of_rows = 10.0 ** rng.uniform(-8, 8, n), 10.0 ** rng.uniform(-8, 8, m)
    M = np.outer(of_v, of_v) * M
    M = np.tril(M) + np.tril(M, -1).T
    return M, of_rows[:, None] * J * of_v, of_v * rng.standard_normal(n), of_rows * rng.standard_normal(m)


def write(folder, M, J, f, b):
    os.makedirs(folder, exist_ok=True)
    n, m = len(f), len(b)
    with open(f"{folder}/problem.json", "w", encoding="utf-8") as file:
        json.dump({"format": "saddle-problem", "version": 1, "n": n, "m": m, "symmetric": True}, file)
    for name, matrix in (("M", M), ("J", J)):
        scipy.io.mmwrite(f"{folder}/{name}.mtx", sp.coo_matrix(matrix), precision=17, symmetry="general")
    for name, vector in (("f", f), ("b", b)):
        scipy.io.mmwrite(f"{folder}/{name}.mtx", vector.reshape(-1, 1), precision=17)


def read_double(folder, name):
    value = scipy.io.mmread(f"{folder}/{name}.mtx")
    return value.toarray() if sp.issparse(value) else value


def exact(folder):
    """v and lambda to 100 digits of the system in the files."""
    M, J = read_double(folder, "M"), read_double(folder, "J")
    f, b = read_double(folder, "f").ravel(), read_double(folder, "b").ravel()
    n, m = len(f), len(b)
    K = mpmath.zeros(n + m)
    for i in range(n):
        for j in range(n):
            K[i, j] = mpmath.mpf(float(M[i, j]))
    for i in range(m):
        for j in range(n):
            K[n + i, j], K[j, n + i] = mpmath.mpf(float(J[i, j])), -mpmath.mpf(float(J[i, j]))
    right = mpmath.matrix([mpmath.mpf(float(x)) for x in list(f) + list(b)])
    x = mpmath.lu_solve(K, right)
    unit = [2.0 ** round(0.5 * np.log2(M[j, j])) for j in range(n)]
    unit += [2.0 ** round(0.5 * np.log2(sum(J[i, j] ** 2 / M[j, j] for j in range(n)))) for i in range(m)]
    return x, unit, n, m


rng = np.random.default_rng(int(os.environ.get("SADDLE_TEST_SEED", "3")))
certified, worst = 0, 0.0
for _ in range(DRAWS):
    folder, answer = f"{scratch}/drawn", f"{scratch}/answer"
    write(folder, *draw(rng))
    subprocess.run(["rm", "-rf", answer], check=True)
    done = subprocess.run([saddle, "solve", folder, "--reference", "--json", "--output", answer, "--solver", "ldlt"],
                          check=False, stdout=subprocess.PIPE, text=True)
    reference = json.loads(done.stdout)["reference"]
    if not reference["certified"]:
        continue
    certified += 1
    x, unit, n, m = exact(folder)
    given = list(read_double(answer, "v").ravel()) + list(read_double(answer, "lambda").ravel())
    for key, first, last in (("velocity", 0, n), ("impulse", n, n + m)):
        off = max(abs(mpmath.mpf(float(given[i])) - x[i]) * unit[i] for i in range(first, last))
        size, true = reference[key]["size"], float(off)
        told, bound = reference[key]["largest"] * size, reference[key]["bound"] * size
        # square roots halfway between powers of two round either way
        assert true <= 2.0 * told + bound, (key, true, told, bound)
        assert size >= 0.5 * max(float(abs(x[i])) * unit[i] for i in range(first, last)), key
        worst = max(worst, true / told if told > 0.0 else 0.0)
print(f"{DRAWS} systems, {certified} certified; true error over the reported one at most {worst:.3f}")
assert 2 * certified >= DRAWS
