# SPDX-License-Identifier: MIT
"""motion_files.py SADDLE SCENES: the table and the series of saddle simulate --csv, --vtk against --json --positions and
against each other; read by VTK too, where that is installed."""
import csv
import json
import os
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

COLUMNS = "step time part node x y z qw qx qy qz vx vy vz wx wy wz".split()
EVERY, STEPS = 4, 10
SAMPLED = [0, 4, 8, 10]


def turned(q, a):
    """R a of the quaternion q."""
    w, u = q[0], q[1:]
    cross = lambda x, y: [x[1] * y[2] - x[2] * y[1], x[2] * y[0] - x[0] * y[2], x[0] * y[1] - x[1] * y[0]]
    t = [2 * c for c in cross(u, a)]
    return [x + w * y + z for x, y, z in zip(a, t, cross(u, t))]


def near(x, y, within):
    assert len(x) == len(y), (x, y)
    assert all(abs(a - b) <= within * (1 + abs(b)) for a, b in zip(x, y)), (x, y)


def table(path):
    """{(step, part, node): row} with numbers where there are any."""
    with open(path, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == COLUMNS, list(rows[0])
    made = {(int(r["step"]), r["part"], int(r["node"] or 0)): r for r in rows}
    assert len(made) == len(rows), "a row stands twice"
    assert sorted({step for step, _, _ in made}) == SAMPLED, sorted({step for step, _, _ in made})
    return made


def numbers(row, names):
    return [float(row[name]) for name in names.split()]


def check_bodies(rows, printed):
    """Numbers of the object and of the table are the same; the table has world axes."""
    for sample in printed["samples"]:
        for part in sample["parts"]:
            row = rows[sample["step"], part["name"], 0]
            assert numbers(row, "x y z") == part["position"] and float(row["time"]) == sample["time"]
            if "rotation" not in part:
                assert numbers(row, "vx vy vz") == part["velocity"] and row["qw"] == row["wx"] == ""
                continue
            assert numbers(row, "qw qx qy qz") == part["rotation"]
            near(numbers(row, "vx vy vz"), turned(part["rotation"], part["twist"][:3]), 1e-12)
            near(numbers(row, "wx wy wz"), turned(part["rotation"], part["twist"][3:]), 1e-12)


def arrays(piece):
    return {x.get("Name"): [float(word) for word in x.text.split()] for x in piece.iter("DataArray")}


def check_piece(path, rows, time):
    """A file of the series; its kinds of cells."""
    root = xml.parse(path).getroot()
    assert root.get("type") == "UnstructuredGrid"
    piece = root.find("UnstructuredGrid/Piece")
    points, cells, data = int(piece.get("NumberOfPoints")), int(piece.get("NumberOfCells")), arrays(piece)
    assert len(data["points"]) == len(data["velocity"]) == 3 * points
    assert len(data["types"]) == len(data["offsets"]) == cells
    assert data["offsets"] == sorted(data["offsets"]) and data["offsets"][-1] == len(data["connectivity"])
    size = {1: 1, 10: 4, 12: 8}
    widths = [b - a for a, b in zip([0] + data["offsets"], data["offsets"])]
    assert widths == [size[kind] for kind in data["types"]]
    assert all(0 <= k < points for k in data["connectivity"])
    step = int(os.path.basename(path)[-10:-4])
    is_nodes = "displacement" in data
    parts = list(dict.fromkeys(part for _, part, _ in rows))  # in their order
    name = parts[int(os.path.basename(path).split("-")[1])] if is_nodes else None
    rows_at = lambda s: [r for (t, part, _), r in rows.items() if t == s and (part == name if name else r["node"] == "")]
    mine = rows_at(step)
    near(data["points"], [x for r in mine for x in numbers(r, "x y z")], 1e-8)
    near(data["velocity"], [x for r in mine for x in numbers(r, "vx vy vz")], 1e-8)
    assert all(abs(float(r["time"]) - time) < 1e-12 for r in mine)
    if is_nodes:
        moved = [x - y for a, b in zip(mine, rows_at(0)) for x, y in zip(numbers(a, "x y z"), numbers(b, "x y z"))]
        near(data["displacement"], moved, 1e-8)
    return set(data["types"])


def check_by_vtk(path, points):
    try:
        import vtk
    except ImportError:
        return False
    reader = vtk.vtkXMLUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    assert reader.GetErrorCode() == 0 and reader.GetOutput().GetNumberOfPoints() == points
    return True


def run(saddle, scene, folder):
    made = os.path.join(folder, "motion")
    said = subprocess.run([saddle, "simulate", scene, "--steps", str(STEPS), "--every", str(EVERY), "--json", "--positions",
                           "--csv", made + ".csv", "--vtk", made], stdout=subprocess.PIPE, check=True).stdout
    rows = table(made + ".csv")
    check_bodies(rows, json.loads(said))
    listed, kinds, seen = xml.parse(made + "/motion.pvd").getroot().find("Collection"), set(), False
    assert sorted(os.listdir(made)) == sorted(["motion.pvd"] + [x.get("file") for x in listed])
    for one in listed:
        path = os.path.join(made, one.get("file"))
        kinds |= check_piece(path, rows, float(one.get("timestep")))
        seen = check_by_vtk(path, int(xml.parse(path).getroot().find("UnstructuredGrid/Piece").get("NumberOfPoints")))
    return kinds, seen


def block_of_hexahedra(folder):
    path = os.path.join(folder, "block.json")
    with open(path, "w", encoding="ascii") as file:
        json.dump({"format": "saddle-scene", "version": 1, "gravity": [0, 0, -9.81], "blocks": [
            {"name": "soft \"cube\", of 8", "cells": [2, 1, 1]},
            {"name": "second", "cells": [1, 1, 1], "corner": [5, 0, 0]}]}, file)
    return path


def refused(saddle, scene, *arguments):
    done = subprocess.run([saddle, "simulate", scene, "--steps", "1", *arguments], capture_output=True)
    return done.returncode == 3 and arguments[-1].encode() in done.stderr


def main(saddle, scenes):
    found, seen = set(), True
    for name in ("box-stack", "soft-bar", "trebuchet", None):
        with tempfile.TemporaryDirectory() as folder:
            scene = os.path.join(scenes, name + ".json") if name else block_of_hexahedra(folder)
            kinds, by_vtk = run(saddle, scene, folder)
            found, seen = found | kinds, seen and by_vtk
            assert refused(saddle, scene, "--vtk", os.path.join(folder, "motion.csv"))
            assert refused(saddle, scene, "--csv", os.path.join(folder, "none", "x"))
    assert found == {1, 10, 12}, found
    print("read by VTK too" if seen else "python3-vtk9 is not installed: the structure alone was checked")


if __name__ == "__main__":
    main(*sys.argv[1:])
