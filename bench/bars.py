# SPDX-License-Identifier: MIT
"""Which rows of the result files in bench/results make the tables of docs/performance.md, and what is asked of them.

A file's rows are those that hold a condition, "COLUMN=PATTERN|PATTERN, COLUMN!=PATTERN, COLUMN>NUMBER", in its first table that
has all the columns named.  A value is a column, or "A / B" of two columns.
"""
from dataclasses import dataclass


@dataclass
class Bar:
    """value of the rows of `where`, over the least of the rows of `over` that agree with each in the columns `by`."""

    what: str
    file: str
    where: str
    value: str
    most: float = None  # the bar, from above or
    least: float = None  # from below; neither: a figure without a bar
    over: str = ""
    by: str = ""
    how: str = "each"  # of all rows: each; spread, most over least; growth, most of one over the one before; mean, geometric;
    # total, the sums' ratio; count, how many rows; share, the part of the rows with one to compare with
    percent: int = 100  # of the rows that are to meet the bar; a row whose value is no finite number misses it
    both: bool = False  # rows without one to compare with are left out, as `what` says; else they miss the bar


OURS = "method=ldlt, threads=1"
MUMPS = {"over": "method=mumps*", "by": "system"}
CHOLMOD = {"over": "method=cholmod*", "by": "system"}
BLOCKS_20 = f"system=hex-20*|ties-20*, {OURS}"
BLOCKS_30 = f"system=hex-30*|ties-30*, {OURS}"
CHAINS, RODS, STACKS = (f"system={names}, {OURS}" for names in ("chain-1000*", "rods-*", "stack-100*"))
LCP = "method=schur|pivot|lemke|auto"
PIVOTS = "method=schur|pivot"
FAST = {"file": "cones", "value": "seconds", "by": "problem", "both": True}
GLOBAL_ADMM = "siconos-global-admm"  # takes M and J, the others W and q
SICONOS_MAP, SICONOS_ALL = (f"method=siconos*, method!={GLOBAL_ADMM}, {solved}=1" for solved in ("by_map", "by_all"))
OURS_BY_MAP = "method=gauss-seidel|admm|staggered, by_map=1"
TIGHT = "method=auto, tolerance=1e-12"
ONE = "method=auto, contacts=1, by_all=1"
WALL = "problem=wall-1008, method=auto, by_all=1"
TOWER = "problem=tower-250, method=auto, by_map=1"

BARS = {
    "checker-bars": [
        Bar("the checker over the multiplies", "checker", "method=checker", "ratio", 4),
    ],
    "read_mtx-bars": [
        Bar("times as fast as scipy", "read_mtx", "", "ratio", least=4),
    ],
    "factor-bars": [
        Bar("factor over the best MUMPS', blocks of 20 cells", "factor", BLOCKS_20, "factor", 0.52, **MUMPS),
        Bar("the same, of 30 cells", "factor", BLOCKS_30, "factor", 0.6, **MUMPS),
        Bar("20 cells, OpenBLAS' AVX-512 kernels", "factor-avx512", BLOCKS_20, "factor_ratio", 0.52),
        Bar("30 cells, OpenBLAS' AVX-512 kernels", "factor-avx512", BLOCKS_30, "factor_ratio", 0.6),
        Bar("rate over dgemm's of order 2000, 30 cells", "factor", BLOCKS_30, "of_dgemm", least=0.82),
        Bar("two threads over one, 30 cells, wall clock", "factor-threads", "threads=2", "factor", 0.56,
            over="threads=1", by="system"),
        Bar("analyse over CHOLMOD's METIS, 20 cells", "factor-analyse", BLOCKS_20, "analyse", 1.15, over="method=cholmod-metis",
            by="system"),
        Bar("the same, 30 cells", "factor-analyse", BLOCKS_30, "analyse", 1.15,
            over="method=cholmod-metis", by="system"),
        Bar("solve over the best MUMPS', 20 cells", "factor", BLOCKS_20, "solve", 0.7, **MUMPS),
        Bar("the same, 30 cells", "factor", BLOCKS_30, "solve", 0.7, **MUMPS),
        Bar("16 right-hand sides over one, 10,000 unknowns and more", "factor", f"{OURS}, unknowns>9999", "solve16 / solve", 5),
        Bar("Schur complement of the tie rows over factor", "factor", "system=ties-20*, method=schur", "factor", 4,
            over=OURS, by="system"),
        Bar("balls-100: factor over the best MUMPS'", "factor", f"system=balls-100, {OURS}", "factor", 0.5, **MUMPS),
        Bar("balls-100: total over the best MUMPS'", "factor", f"system=balls-100, {OURS}", "total", 0.5, **MUMPS),
        Bar("factor over CHOLMOD's, chains", "factor", CHAINS, "factor", 0.7, **CHOLMOD),
        Bar("factor over CHOLMOD's, rods", "factor", RODS, "factor", 0.7, **CHOLMOD),
        Bar("factor over CHOLMOD's, stacks", "factor", STACKS, "factor", 0.7, **CHOLMOD),
        Bar("total over CHOLMOD's, chains", "factor", CHAINS, "total", 0.8, **CHOLMOD),
        Bar("total over CHOLMOD's, rods", "factor", RODS, "total", 0.8, **CHOLMOD),
        Bar("total over CHOLMOD's, stacks", "factor", STACKS, "total", 0.8, **CHOLMOD),
        Bar("factor per body, chains, most over least", "factor", CHAINS, "us_per_body_factor", 1.3, how="spread"),
        Bar("total per body, chains, most over least", "factor", CHAINS, "us_per_body_total", 1.3, how="spread"),
        Bar("factor over dsytrf, under 100 unknowns, regular by dsytrf", "factor-small", f"unknowns<100, {OURS}", "factor", 1.5,
            over="method=lapack", by="system", both=True),
        Bar("solve over dsytrs, under 100 unknowns, regular by dsytrf", "factor-small", f"unknowns<100, {OURS}", "solve", 1.5,
            over="method=lapack", by="system", both=True),
        Bar("inertia: how far from n positive and m negative pivots", "factor", OURS, "inertia_off", 0),
        Bar("componentwise backward error after refinement", "factor", OURS, "componentwise", 1e-14),
        Bar("the same, all symmetric systems of data/ and the shared data", "factor-files", "", "componentwise", 1e-14),
    ],
    "complementarity-bars": [
        Bar("over the fastest peer, n = 10, 30", "complementarity", f"family=lcp|lcp-sym, n=10|30, {LCP}", "again_ratio", 1.5),
        Bar("the same, a file, n = 26", "complementarity", f"family=lcp-mmc, {LCP}", "again_ratio", 1.5),
        Bar("the same, n = 100 and 300", "complementarity", f"family=lcp|lcp-sym, n=100|300, {PIVOTS}", "again_ratio", 0.6),
        Bar("the same, n = 1000", "complementarity", f"family=lcp|lcp-sym, n=1000, {PIVOTS}", "again_ratio", 0.25),
        Bar("lemke over LEXICOLEMKE, n = 1000", "complementarity", "family=lcp, n=1000, method=lemke", "again", 0.5,
            over="method=siconos-lemke", by="family, n"),
        Bar("boxed, over the fastest Dantzig, n = 30", "complementarity", f"family=boxed, n=30, {LCP}", "again_ratio", 1.5),
        Bar("the same, n = 300", "complementarity", f"family=boxed, n=300, {LCP}", "again_ratio", 0.7),
        Bar("the same, n = 600", "complementarity", f"family=boxed, n=600, {LCP}", "again_ratio", 0.4),
        Bar("friction, over the peers' with frozen bounds, n = 30", "complementarity", f"family=friction, n=30, {LCP}",
            "again_ratio", 1.5),
        Bar("the same, n = 300 and 600", "complementarity", f"family=friction, n=300|600, {LCP}", "again_ratio", 1),
        Bar("all of these: a natural map of 1e-10 reached", "complementarity", LCP, "reached", least=1),
        Bar("sparse blocks: over 3 factorizations and 1.5 solves a row that ever pushed", "complementarity-sparse",
            "problem=fem*, method=schur|pivot|lemke", "of_bar", 1),
        Bar("discs without friction: us a row, schur, of one size over the size before", "complementarity-discs",
            "problem=discs, method=schur", "us_per_row", 1.1, how="growth"),
        Bar("the same, pivot", "complementarity-discs", "problem=discs, method=pivot", "us_per_row", 1.1, how="growth"),
        Bar("pivots of a warm start over a cold one", "complementarity-sparse", f"run=*, {LCP}", "warm/cold", 0.15),
        Bar("files with a solution: reached", "complementarity-files",
            "file!=*mathieu1*|*unsolvable_1*, method=lemke|auto", "reached", least=1),
        Bar("the two without: proven infeasible, by lemke and auto", "complementarity-files",
            "file=*mathieu1*|*unsolvable_1*, method=lemke|auto, note=*INFEASIBLE*", "rows", least=4, how="count"),
    ],
    "cones-bars": [
        Bar("files that auto solves to 1e-8 by all three measures", "cones", "method=auto", "by_all", least=1),
        Bar("`--tolerance 1e-12`: the checker's total", "cones-tight", TIGHT, "total", 1e-12),
        Bar("the same: natural map over max(|q|, |r|, |u|)", "cones-tight", TIGHT, "natural_map"),
        Bar("the same: natural map over |q|", "cones-tight", TIGHT, "natural_map_q"),
        Bar("part of the files within 1e-12 by all three, by that tolerance or a smaller one", "cones-tight",
            TIGHT, "by_all", least=0.9, how="share", over="method=auto, by_all=1", by="problem"),
        Bar("RockPile_tob1, seconds", "cones", "problem=fc3d/RockPile_tob1, method=auto, by_all=1", "seconds", 1.5),
        Bar("auto over Siconos' best by map, the files that both solve within 2 s, together", where="method=auto, by_map=1",
            over=SICONOS_MAP, most=0.5, how="total", **FAST),
        Bar("the same, by all three measures", where="method=auto, by_all=1", over=SICONOS_ALL, most=0.5, how="total", **FAST),
        Bar("geometric mean of the ratios by map, of the files that both solve",
            where="method=auto, by_map=1", over=SICONOS_MAP, how="mean", **FAST),
        Bar("auto over Siconos' best by map, the files that both solve, beyond 50 us",
            where="method=auto, by_map=1, seconds>5e-5", over=SICONOS_MAP, most=2, **FAST),
        Bar("auto over the best of ours by map, beyond 50 us", where="method=auto, by_map=1, seconds>5e-5", over=OURS_BY_MAP,
            most=2, **FAST),
        Bar("of the files with velocities, W and q handed to auto too",
            where="method=condensed-auto, by_map=1, seconds>5e-5", over=SICONOS_MAP, most=2, **FAST),
        Bar("auto over Siconos' global ADMM, Spheres-i099-356-679", "cones",
            "problem=fclib/Spheres-i099-356-679, method=auto, by_map=1", "seconds", 0.1, over=f"method={GLOBAL_ADMM}, by_map=1",
            by="problem"),
        Bar("one contact, W and q given, auto with create: seconds", "cones", f"{ONE}, n=0", "seconds", 1.5e-5),
        Bar("one contact, M and J given, auto with create: seconds", "cones", f"{ONE}, n>0", "seconds", 1.5e-5),
    ],
    "walls-bars": [
        Bar("wall of 1,008 contacts, auto, `--tolerance 1e-12`: seconds", "walls-tight", WALL, "seconds", 0.1),
        Bar("the same run: the checker's total", "walls-tight", WALL, "total", 1e-12),
        Bar("the same run: natural map over max(|q|, |r|, |u|)", "walls-tight", WALL, "natural_map", 1e-12),
        Bar("the same run: natural map over |q|", "walls-tight", WALL, "natural_map_q", 1e-12),
        Bar("wall of 5,096, to 1e-8", "heaps", "problem=wall-5096, by_map=1", "seconds", 0.5),
        Bar("tower of 1,000, auto: seconds to a natural map of 1e-8", "walls", TOWER, "seconds", 0.25),
        Bar("the same run: the checker's total", "walls", TOWER, "total", 1e-6),
        Bar("wall of 20,176, to 1e-8", "heaps", "problem=wall-20176, by_map=1", "seconds", 5),
        Bar("tower of 5,000: natural map after 5 s", "heaps", "problem=tower-1250", "natural_map", 1e-8),
        Bar("heap of 270 spheres: natural map after half a second", "heaps-half", "", "natural_map", 1e-4),
        Bar("the same after 5 s", "heaps", "problem=heap-270", "natural_map", 1e-6),
        Bar("heap of 1,350 spheres: natural map after 5 s", "heaps", "problem=heap-1350", "natural_map", 1e-4),
        Bar("warm stacks: the checker's total", "warm", "", "total", 1e-6),
        Bar("the same: us a contact, of 10,000 boxes over 1,000", "warm", "", "us_a_contact", 1.5, how="growth"),
    ],
    "contact-bars": [
        Bar("blocks by every law: the checker's total", "blocks", "", "total", 1e-10),
        Bar("tied blocks, cone, pyramid, box: factorizations", "blocks", "problem=tied*, law!=associated", "factorizations", 3),
        Bar("tied-7098, cone, pyramid, box: seconds", "blocks", "problem=tied-7098*, law!=associated", "seconds", 0.5),
        Bar("block-16524, each law: seconds", "blocks", "problem=block-16524*", "seconds", 1),
        Bar("block-27783, plate-27000, each law: factorizations", "blocks", "problem=block-27783|plate-27000", "factorizations",
            25),
        Bar("tied_blocks_cone, auto at 1e-10 and at 1e-8: seconds", "tied_blocks", "", "seconds", 0.1),
        Bar("the same: sweeps", "tied_blocks", "", "iterations", 25),
        Bar("the same at 1e-10: the checker's total", "tied_blocks", "problem=tied_blocks_cone", "total", 1e-10),
        Bar("the same at 1e-8: the checker's total", "tied_blocks", "problem=tied_blocks_cone-1e-8", "total", 1e-8),
        Bar("cube: over the time of GetFEM", "getfem", "", "ratio", 0.3),
        Bar("cube: difference to GetFEM's displacements", "getfem", "", "difference", 1e-8),
        Bar("over the time of MuJoCo, elliptic cones", "mujoco", "problem=*elliptic, method=auto", "ratio", 0.3),
        Bar("over the time of MuJoCo, pyramidal cones", "mujoco", "problem=*pyramidal, method=auto", "ratio", 0.8),
        Bar("difference to MuJoCo's forces", "mujoco", "method=auto", "forces", 1e-8),
    ],
    "multibody-bars": [
        Bar("assembly's share of a step, more than 100 bodies", "multibody", "bodies>100, scene=*", "assembly_share", 0.25),
        Bar("us a body and step, chains, most over least", "multibody", "scene=chain-*", "step", 1.4, how="spread"),
        Bar("accelerations of a ladder of 200 cells over Simbody's", "multibody", "cells=200", "ours/simbody", 0.05),
        Bar("us a cell of a ladder, of one size over the size before", "multibody", "cells>0", "us a cell", 1.1, how="growth"),
        Bar("a pile of 200 boxes, 200 steps to 1e-6: steps not solved", "multibody", "", "unsolved", 0),
        Bar("the same: residual", "multibody", "bodies=200, unsolved=*", "residual", 1e-6),
        Bar("the same: milliseconds a step, the median", "multibody", "bodies=200, unsolved=*", "ms", 100),
    ],
    "reduced-bars": [
        Bar("chain of 1,000 links over Simbody", "reduced", "links=1000", "ours/simbody", 0.7),
        Bar("chain of 95 links over mj_forward", "reduced", "links=95", "ours/mujoco", 0.5),
        Bar("ns a link, 100,000 links over 100", "reduced", "links=100000", "ns a link/at 100", 1.3),
        Bar("J'M J over mj_crb", "reduced", "", "ours/mj_crb", 2),
        Bar("joint friction, explicit contact points over bearings", "reduced", "", "SP/BISP", least=5),
    ],
    "attachments-bars": [
        Bar("M', J', f', b' by values over factor", "attachments", "system=bones-30*", "form/factor", 0.05),
        Bar("CHOLMOD's products over that", "attachments", "system=bones-30*", "products/form", least=5),
        Bar("words held over stored entries of M' and J'", "attachments", "system=bones-30*", "words/nnz", 3),
        Bar("a model's nodes attached: form over factor", "attachments", "attached>0", "form/factor", 0.15),
        Bar("the same: allocations in a step", "attachments", "attached>0", "allocations", 0),
    ],
}

CONES = {"by": "problem, contacts", "cells": {
    "auto": ("seconds", "method=auto, by_all=1"), "gauss-seidel": ("seconds", "method=gauss-seidel, by_all=1"),
    "admm": ("seconds", "method=admm, by_all=1"), "staggered": ("seconds", "method=staggered, by_all=1"),
    "Siconos by map": ("seconds", SICONOS_MAP), "Siconos by all": ("seconds", SICONOS_ALL),
    "Siconos on M and J": ("seconds", f"method={GLOBAL_ADMM}, by_map=1"),
    "total": ("total", "method=auto"), "map": ("natural_map", "method=auto"), "map over |q|": ("natural_map_q", "method=auto")}}
PROFILE = {"by": "problem, method", "profile": "seconds", "solved": "by_all=1"}
LAWS = ("cone", "pyramid", "box", "associated")

FACTOR = ("factor_ratio, solve_ratio, total_ratio, system, unknowns, method, analyse, factor, solve, solve16, total, "
          "us_per_body_total, nnz_factor, gflops, of_dgemm, componentwise")

VIEWS = {
    "checker": {"file": "checker", "columns": "ratio, system, n, m, method, seconds"},
    "factor": {"file": "factor", "columns": FACTOR},
    "factor-avx512": {"file": "factor-avx512", "columns": "factor_ratio, system, method"},
    "factor-small": {"file": "factor-small", "where": "system=small*",
                     "columns": "system, unknowns, all_us, all_dsysv, analyse_dsysv, factor_dsysv, solve_dsysv"},
    "rows": {"file": "rows", "by": "system, rows", "cells": {
        f"{method}: {what}": (column, f"method={method}")
        for method in ("mask", "modify") for what, column in (("change", "change"), ("and solve", "both"))}},
    "complementarity": {"file": "complementarity", "by": "family, n", "cells": {
        method: ("again_ratio", f"method={method}") for method in ("schur", "pivot", "lemke", "gauss-seidel", "auto")}},
    "discs": {"file": "complementarity-discs", "by": "discs, rows", "cells": {
        method: ("us_per_row", f"method={method}, status=SADDLE_OK") for method in ("schur", "pivot")}},
    "cones": {"file": "cones", **CONES},
    "cones-profile": {"file": "cones", **PROFILE,
                      "note": "Part of the problems a solver takes that it solves by all three measures within a factor of the "
                              "fastest of all (Dolan and Moré)"},
    "walls": {"file": "walls", **CONES},
    "associated": {"file": "associated", **PROFILE},
    "peers": {"file": "peers", "by": "path, solver", "profile": "time", "solved": "status=solved"},
    "blocks": {"file": "blocks", "by": "problem, n, contacts", "cells": {
        **{law: ("seconds", f"law={law}") for law in LAWS},
        **{f"factored, {law}": ("factorizations", f"law={law}") for law in LAWS}}},
    "mujoco": {"file": "mujoco", "by": "problem, m", "cells": {
        "MuJoCo": ("mujoco", ""), "steps": ("steps", ""),
        "auto": ("ours", "method=auto"), "auto ratio": ("ratio", "method=auto"),
        "admm": ("ours", "method=admm"), "admm ratio": ("ratio", "method=admm"), "forces": ("forces", "method=auto"),
        "its own": ("their_forces", "method=auto")}},
    "multibody": {"file": "multibody", "columns": "assembly_share, step, scene, bodies, assemble, factor, solve, other, drift"},
    "ladders": {"file": "multibody", "columns": "ours/simbody, cells, ms, us a cell, simbody ms",
                "note": "Accelerations of closed loops: factorization and solution, beside Simbody 3.7 in joint coordinates"},
    "pile": {"file": "multibody", "note": "A pile of 200 boxes with friction, solved to 1e-6",
             "columns": "unsolved, steps, bodies, contacts, residual, iterations, analyses, ms, assembly_share"},
    "reduced": {"file": "reduced", "columns": "ours/simbody, ours/mujoco, ours/rows, ns a link/at 100, ns a link, us, links"},
    "reduced-mass": {"file": "reduced", "columns": "ours/mj_crb, us, mj_crb us, links, branches, entries",
                     "note": "J'M J beside mj_crb"},
    "reduced-closed": {"file": "reduced",
                       "note": "Trees at rest, the last link tied to the world, ten points of links held, or touching with "
                               "friction: schur with saddle_tree_mass_operator (ours), beside schur and ldlt on J'M J, ldlt "
                               "with attachments as rows (kept); form, factor and solve, medians of 7",
                       "columns": "ours/schur, ours/ldlt, ours/kept, us, touching/schur, touching us, difference schur, "
                                  "difference kept, unsolved, unsolved by M_r, links, branches"},
    "reduced-friction": {"file": "reduced",
                         "note": "Bearings: BISP is saddle_tree_friction_advance, SP staggered with every contact point of the "
                                 "rings; medians of 20 steps, both to 1e-8",
                         "columns": "SP/BISP, BISP us, SP us, BISP rounds, SP rounds, difference, unsolved, links, points"},
    "attachments": {"file": "attachments", "where": "system=bones*",
                    "columns": "form/factor, products/form, words/nnz, system, n, active, form, factor, products"},
    "attachments-links": {"file": "attachments", "where": "system=chain*",
                          "columns": "pull/pass, push/pass, system, pull, push",
                          "note": "Links each attached to the one before, ns a link: velocities pulled, forces pushed"},
    "attachments-model": {"file": "attachments", "columns": "form/factor, rest/factor, allocations, system, nodes, attached, n",
                          "note": "Nodes of one face on a prescribed plate, implicit Euler, ldlt; least of six steps"},
    "attachments-choice": {"file": "attachments",
                           "note": "Eliminate or keep: seconds of form and factor; empty: dense, not measured",
                           "columns": "chosen/best, system, n, eliminated, kept, choosing, chosen, all_eliminated, all_kept"},
}
