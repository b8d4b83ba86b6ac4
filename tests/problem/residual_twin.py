# SPDX-License-Identifier: MIT
# Recomputes every figure of include/saddle/residual.h from the files of a problem and of a solution, in numpy alone.
# usage: python3 residual_twin.py SADDLE SOURCE_FOLDER
# Solves every system of data/ and every file of SADDLE_DATA; fails where a figure of a report differs by more than a factor
# of 2 and by more than 1e-15 (local: and by more than the rounding of impulses and slacks), or the status is not the one of
# these figures.
import glob
import json
import os
import subprocess
import sys
import tempfile

import numpy as np
import scipy.io
import scipy.sparse as sp

CONES = ("cone", "associated")


def matrix(folder, name, shape):
    path = os.path.join(folder, name + ".mtx")
    return sp.csr_matrix(scipy.io.mmread(path) if os.path.exists(path) else shape, dtype=float)


def vector(folder, name, size):
    path = os.path.join(folder, name + ".mtx")
    return scipy.io.mmread(path).ravel() if size and os.path.exists(path) else np.zeros(size)


def over(a, b):
    return 0.0 if a == 0 else np.inf if b == 0 else a / b


def units(M, J, R):
    """m of the velocities and d of the rows; 0 = none"""
    n = M.shape[0]
    m, r = abs(M.diagonal()), abs(R.diagonal())
    d = r + J.multiply(J) @ np.divide(1, m, out=np.zeros_like(m), where=m > 0)
    C = abs(R).tocoo()
    false = (d[C.row] * d[C.col] > 0) & (C.data**2 > 1e8 * d[C.row] * d[C.col])
    d[C.row[false]] = d[C.col[false]] = 0
    K = sp.bmat([[M, J.T], [J, R]], format="csr")
    K = abs(K).maximum(abs(K).T)
    unit = np.concatenate([m, d])
    for _ in range(8):
        inverse = np.divide(1, unit, out=np.zeros_like(unit), where=unit > 0)
        found = K.multiply(K).multiply(inverse).max(axis=1).toarray().ravel() if K.shape[0] else unit
        unit = np.where(unit > 0, unit, found)
    return unit[:n], unit[n:]


def parts_of(size):
    """the rows of each part of a contact: tangents, torsion, rolling"""
    parts = {2: [(1, 2)], 3: [(1, 3)], 4: [(1, 3), (3, 4)], 5: [(1, 3), None, (3, 5)], 6: [(1, 3), (3, 4), (4, 6)]}[size]
    return [(slice(*part), g) for g, part in enumerate(parts) if part]


def shift_of(mu, w):
    return sum(mu[g] * np.linalg.norm(w[part]) for part, g in parts_of(len(w)))


def project_cone(mu, x):
    """the normal n of the nearest point: n = x_0 + sum of mu_g max(|x_g| - mu_g n, 0), piecewise linear, kink by kink"""
    parts = [(mu[g], np.linalg.norm(x[part]), part) for part, g in parts_of(len(x))]
    if x[0] + (1 - 2**-48) * sum(m * t for m, t, _ in parts) <= 0:
        return 0 * x
    held = []
    for one in sorted(parts, key=lambda part: -over(part[1], part[0])):
        n = (x[0] + sum(m * t for m, t, _ in held)) / (1 + sum(m * m for m, _, _ in held))
        if one[1] <= one[0] * n:
            break
        held.append(one)
    n = (x[0] + sum(m * t for m, t, _ in held)) / (1 + sum(m * m for m, _, _ in held))
    y = x.copy()
    y[0] = n
    for m, t, part in held:
        y[part] = over(m * n, t) * x[part]
    return y


def project_polygon(radius, facets, x):
    """the nearest of all edges' nearest points, or x inside"""
    corner = radius * np.exp(2j * np.pi * np.arange(facets + 1) / facets)
    z, a, e = complex(*x), corner[:-1], np.diff(corner)
    if radius <= 0:
        return 0 * x
    side = (np.conj(e) * (z - a)).imag
    s = np.clip((np.conj(e) * (z - a)).real / abs(e) ** 2, 0, 1)
    best = (a + s * e)[np.argmin(abs(a + s * e - z))]
    return x if np.all(side >= 0) else np.array([best.real, best.imag])


def figures(p):
    n, m, M, J, R, f, b, v, lam = (p[k] for k in ("n", "m", "M", "J", "R", "f", "b", "v", "lam"))
    mass, d = units(M, J, R)
    M_jj = abs(M.diagonal())
    free = np.divide(abs(f), M_jj, out=np.zeros(n), where=M_jj > 0)
    defect, w = M @ v - J.T @ lam - f, J @ v + R @ lam - b
    t = abs(M) @ abs(v) + abs(J.T) @ abs(lam) + abs(f)
    lo, hi = p["bounds"][:, 0], p["bounds"][:, 1]
    free_row = np.ones(m, bool)
    slope = np.where(d > 0, d, 1)
    lowest, highest = slope * [lo, hi]
    for c in p["contacts"]:
        rows = np.arange(c[0], c[0] + c[1])
        free_row[rows] = False
        for part, g in parts_of(c[1]):
            highest[rows[part]] = slope[rows[part]] * c[2][g] * max(lam[c[0]], 0)
        lowest[rows] = -highest[rows]
        lowest[c[0]], highest[c[0]] = 0, np.inf
    unasked = ((b < 0) & (lowest >= 0)) | ((b > 0) & (highest <= 0))
    asked = np.where(d > 0, np.clip(b, lowest, highest), np.where(unasked, 0, b))
    data = abs(asked) + abs(J) @ free
    s = abs(J) @ abs(v) + abs(R) @ abs(lam) + data
    has, kinetic = mass > 0, d > 0
    S = max(s[kinetic] / np.sqrt(d[kinetic]), default=0)
    T = max([*(s[kinetic] / np.sqrt(d[kinetic])), *(t[has] / np.sqrt(mass[has]))], default=0)
    D = max([*(abs(f)[has] / np.sqrt(mass[has])), *(data[kinetic] / np.sqrt(d[kinetic]))], default=0)
    at = free_row & kinetic & np.isfinite(lam) & ((lam == lo) | (lam == hi))
    D = max(abs(lam[at]) * np.sqrt(d[at]), default=0) if D == 0 else D
    own = [*(s[~kinetic & (data > 0)] / data[~kinetic & (data > 0)]), *(t[~has & (f != 0)] / abs(f[~has & (f != 0)]))]
    S = D if S <= 1e-10 * D else S
    most = np.sqrt(mass) * D
    out = {"dynamics": max(map(over, abs(defect), np.where(t > 1e-10 * most, t, most)), default=0)}
    out |= {"rows": 0, "cone": 0, "local": 0, "bounds": 0, "complementarity": 0, "rounding": 0}
    out["growth"] = max(over(T, D), min(own, default=0))
    squares = np.zeros(4)
    through = abs(J) @ np.divide(t, mass, out=np.zeros(n), where=has)

    def shared(terms, rows, common):
        """the largest terms of rows in the unit of common"""
        rows = rows[d[rows] > 0]
        return (terms[rows] * np.sqrt(common / d[rows])).max()

    def take(rows, kind, project, shift, reach, work, x=None, leading=None):
        """rows with one unit, that of the leading ones; project: of impulses"""
        x = lam[rows] if x is None else x
        common = d[rows[:leading]].max() or d[rows].max()
        terms = shared(s, rows, common) if common > 0 else s[rows].max()
        impulse = abs(lam[rows]).max() or reach
        unit = common if common > 0 else terms / impulse if terms > 0 and impulse > 0 else 1.0
        y = project(x - shift / unit)
        moved = shift if np.array_equal(y, x - shift / unit) else unit * (x - y)
        gap = np.linalg.norm(moved)
        scale = S if common > 0 else terms / np.sqrt(unit)
        of_velocities = shared(through, rows, common) if common > 0 else 0
        rounding = common > 0 and terms <= 1e-10 * min(S * np.sqrt(common), of_velocities)
        out["local"] = max(out["local"], over(gap, of_velocities if rounding else terms))
        rounded = 2**-50 * (abs(x).max() * unit + abs(shift).max())
        out["rounding"] = max(out["rounding"], over(rounded, of_velocities if rounding else terms))
        out[kind] = max(out[kind], over(gap / np.sqrt(unit), scale))
        out["bounds"] = max(out["bounds"], over(np.linalg.norm(x - project(x)) * np.sqrt(unit), scale))
        out["complementarity"] = max(out["complementarity"], over(work, scale * scale))

    def take_row(i, low, high, kind="rows"):
        asked, other = (low, high) if w[i] > 0 else (high, low)
        x = lam[i]
        reach = next((abs(y) for y in (asked, other) if np.isfinite(y)), 0)
        work = abs(w[i]) * abs(x - asked) if np.isfinite(asked) else 0
        take(np.array([i]), kind, lambda y: np.clip(y, low, high), w[[i]], reach, work)

    for i in np.flatnonzero(free_row):
        take_row(i, lo[i], hi[i])
    def in_one_unit(rows, mu, shift):
        """torsion and rolling in the unit of the normal and the tangents, where both have one"""
        shift, x, mu = shift.copy(), lam[rows].copy(), list(mu)
        common = d[rows[:3]].max() or d[rows].max()
        for part, g in parts_of(len(rows))[1:]:
            own = d[rows[part]].max()
            length = np.sqrt(common / own) if own > 0 and common > 0 else 1.0
            shift[part] *= length
            x[part] /= length
            mu[g] /= length
        return mu, shift, x

    for first, size, mu in p["contacts"]:
        rows = np.arange(first, first + size)
        if p["law"] in CONES:
            shift = w[rows].copy()
            shift[0] += shift_of(mu, shift) if p["law"] == "cone" else 0
            natural = np.linalg.norm(lam[rows] - project_cone(mu, lam[rows] - shift))
            squares += [natural**2, b[rows] @ b[rows], lam[rows] @ lam[rows], w[rows] @ w[rows]]
            scaled, shift, x = in_one_unit(rows, mu, shift)
            take(rows, "cone", lambda y: project_cone(scaled, y), shift, 0, abs(shift @ x), x, 3)
            if p["law"] == "cone" or not any(mu):
                take_row(first, 0, np.inf, "cone")
            continue
        take_row(first, 0, np.inf)
        for part, g in parts_of(size):
            radius = mu[g] * max(lam[first], 0)
            if p["law"] == "pyramid" and size > 2 and len(rows[part]) == 2:
                take(rows[part], "rows", lambda y: project_polygon(radius, p["facets"], y), w[rows[part]], radius, 0)
            else:
                for i in rows[part]:
                    take_row(i, -radius, radius)
    equality = free_row & np.isinf(lo) & np.isinf(hi)
    J_sums, columns = abs(J).sum(axis=1).A1, abs(J).sum(axis=0).A1
    K = max([*(abs(M).sum(axis=1).A1 + columns), *(J_sums + abs(R).sum(axis=1).A1)], default=0)
    x, rhs = max([*abs(v), *abs(lam)], default=0), max([*abs(f), *abs(b)], default=0)
    out["normwise"] = over(max([*abs(defect), *abs(w[equality])], default=0), K * x + rhs)
    out["natural_map"] = over(np.sqrt(squares[0]), np.sqrt(squares[1:].max()))
    out["natural_map_q"] = over(np.sqrt(squares[0]), np.sqrt(squares[1]))
    formed = [v, lam, defect, w, t, s, mass, d, 1 / mass[has], [T, D]]
    finite = all(np.all(np.isfinite(x)) for x in formed)
    out["total"] = max(out["dynamics"], out["rows"], out["cone"]) if finite else np.inf
    return out


def is_solved(total, growth, tolerance=1e-10):
    paid = total <= 2**-51 or growth <= 100 or growth * total <= 100 * max(tolerance, 1e-10)
    return total <= tolerance and growth <= 1e12 and paid


def doubtful_status(status, twin):
    """What speaks against the status even for half or twice the twin's figures; an empty text: nothing"""
    total, growth = twin["total"], twin["growth"]
    if status == "SADDLE_OK" and not is_solved(total / 2, growth / 2):
        return f"{status} at total {total:.3g}, growth {growth:.3g}"
    if status == "SADDLE_NOT_CONVERGED" and is_solved(2 * total, 2 * growth):
        return f"{status} at total {total:.3g}, growth {growth:.3g}"
    return ""


def read(problem, solution):
    about = json.load(open(os.path.join(problem, "problem.json")))
    n, m = about["n"], about["m"]
    friction = about.get("friction", {})
    path = os.path.join(problem, "bounds.mtx")
    bounds = scipy.io.mmread(path) if os.path.exists(path) else np.tile([-np.inf, np.inf], (m, 1))
    path = os.path.join(problem, "contacts.mtx")
    listed = scipy.io.mmread(path) if os.path.exists(path) else []
    return {"n": n, "m": m, "M": matrix(problem, "M", (n, n)), "J": matrix(problem, "J", (m, n)),
            "R": matrix(problem, "R", (m, m)), "f": vector(problem, "f", n), "b": vector(problem, "b", m),
            "v": vector(solution, "v", n), "lam": vector(solution, "lambda", m), "bounds": bounds.reshape(m, 2),
            "contacts": [(int(c[0]) - 1, int(c[1]), [*c[2:], 0, 0][:3]) for c in listed],
            "law": friction.get("law", "cone"), "facets": friction.get("facets", 4)}


def compare(saddle, problem, options, folder):
    """What is wrong with the report of a solve, a text; None: saddle refuses the file"""
    if os.path.exists(os.path.join(problem, "attachments.mtx")):
        reduced = os.path.join(folder, "reduced")
        subprocess.run([saddle, "reduce", problem, reduced], check=True, stdout=subprocess.DEVNULL)
        problem = reduced
    solution, bundle = os.path.join(folder, "solution"), os.path.join(folder, "bundle")
    command = [saddle, "solve", problem, "--output", solution, "--time-limit", "10", *options]
    if subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode > 1:
        return None
    command = [saddle, "convert", problem, bundle, "--to", "bundle", *options]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    twin = figures(read(bundle, solution))
    report = json.load(open(os.path.join(solution, "report.json")))
    wrong = list(filter(None, [doubtful_status(report["status"], twin)]))
    for key, value in report["residual"].items():
        value, mine = np.inf if value is None else value, twin[key]
        slack = max(1e-15, twin["rounding"] if key == "local" else 0)
        if value != mine and not (value <= 2 * mine + slack and mine <= 2 * value + slack):
            wrong.append(f"{key} {value:.17g}, by the definition {mine:.17g}")
    return "; ".join(wrong)


PATTERNS = ("fc2d_*/*", "fc3d_siconos/*", "gfc3d_*/*", "gmp_*/*", "lcp_siconos/*", "lcp_drake/*", "lcp_artisynth/*",
            "mlcp_*/*", "relay_*/*", "fclib_hdf5/*", "kkt_*/*.mtx", "lcp_siconos_old/[!q]*", "nm_siconos/*", "rfc_*/*")
# Files of these patterns that hold no problem, or one of another kind; how many of the others there are.
REFUSED = ("MLCPtest.txt", "testMatrix.mat", "Rectangular_mlcp.dat",
           "rhs_ACTIVSg200_AC_10.mtx", "rhs_ACTIVSg200_AC_renumbered_add9_ones_01.mtx", "lp_afiro.mtx",
           "lp_share1b.mtx", "lpi_itest6.mtx")
PUBLIC = 128
OWN = 20
RIGHT_HAND_SIDES = (("MM_", "qq_"), ("M", "q"), ("matrix_", "rhs_"), ("matrix_ACTIVSg200_AC_renumbered_add9_01",
                    "rhs_ACTIVSg200_AC_renumbered_add9_ones_01"))


def right_hand_side(path):
    folder, name = os.path.split(path)
    renamed = [name.replace(a, b, 1) for a, b in RIGHT_HAND_SIDES if name.startswith(a)]
    beside = [path[:-4] + ".rhs", *(os.path.join(folder, other) for other in renamed)]
    return next((["--rhs", other] for other in beside if other != path and os.path.exists(other)), [])


def claim(name, saddle, problems, expected):
    """expected: how many of the problems are to be compared; all but REFUSED"""
    print(f"[ RUN      ] {name}")
    wrong, compared = [], 0
    for problem in problems:
        with tempfile.TemporaryDirectory() as folder:
            found = compare(saddle, problem, right_hand_side(problem), folder)
        compared += found is not None
        if (found is None) != (os.path.basename(problem) in REFUSED):
            found = "refused" if found is None else "not refused"
        if found:
            wrong.append(f"{problem}: {found}")
    print(*wrong, f"{compared} of {expected} compared", sep="\n")
    ok = compared == expected and not wrong
    print(f"[       OK ] {name}" if ok else f"[  FAILED  ] {name}")
    return ok


def main():
    saddle, source = sys.argv[1:3]
    data = os.environ.get("SADDLE_DATA", os.path.join(source, "..", "shared", "data"))
    own = sorted(os.path.dirname(path) for path in glob.glob(os.path.join(source, "data", "*", "problem.json")))
    ok = claim("figures_of_our_own_systems_are_recomputed", saddle, own, OWN)
    name = "figures_of_the_public_problems_are_recomputed"
    if os.path.isdir(data) or os.environ.get("SADDLE_REQUIRE_DATA") == "1":
        public = [path for pattern in PATTERNS for path in sorted(glob.glob(os.path.join(data, pattern)))]
        return not (claim(name, saddle, public, PUBLIC) and ok)
    print(f"[ RUN      ] {name}\nthere is no {data}\n[  SKIPPED ] {name}")
    return not ok


if __name__ == "__main__":
    sys.exit(main())
