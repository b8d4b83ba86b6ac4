# SPDX-License-Identifier: MIT
# docs/scene.schema.json beside the reader of scenes: usage: scene_schema.py CASE SADDLE SOURCE_FOLDER SCRATCH_FOLDER LIBRARY
#
#   shipped    every scene in examples/ and a scene with all objects satisfies the schema, and reads
#   words      the fields of the schema are those of the reader's tables (assembly/scene*.c), object by object
#   mutations  a scene that the schema refuses is refused by the reader too (in this process: the command takes 20 ms to start)
import copy
import ctypes
import glob
import json
import os
import random
import re
import shutil
import subprocess
import sys
import warnings

warnings.simplefilter("ignore")
import jsonschema  # noqa: E402

case, saddle, source, scratch, library = sys.argv[1:]
with open(f"{source}/docs/scene.schema.json", encoding="utf-8") as file:
    schema = json.load(file)
jsonschema.Draft7Validator.check_schema(schema)
validator = jsonschema.Draft7Validator(schema)

compliance = {"stiffness": 1e6, "damping": 10, "steps": 2}
ends = {"a": "arm", "point_a": [0, 0, 1], "b": "dot", "node_b": 0}
everything = {
    "format": "saddle-scene", "version": 1, "name": "all", "gravity": [0, None, -9.81], "time": 0, "time_step": 0.01,
    "integrator": "implicit-euler", "rotation_update": "finite", "solver": "auto", "tolerance": 1e-9, "max_iterations": 50,
    "projection": 0, "projection_tolerance": 1e-10, "margin": 0.02, "max_separation_speed": 0.2,
    "friction_rounds": 20, "friction_tolerance": 1e-8,
    "geometric_stiffness": False, "gyroscopic_jacobian": False, "symmetric_stiffness": True,
    "friction": {"law": "pyramid", "facets": 6},
    "particles": [{"name": "dot", "mass": 1, "position": [3, 0, 0], "velocity": [0, 0, 1], "prescribed": False},
                  {"name": "marker", "massless": True, "position": [9, 0, 1]},
                  {"name": "between", "massless": True, "position": [0, 25, 0]}],
    "bodies": [
        {"name": "arm", "shape": "box", "size": [1, 2, 3], "mass": 2, "position": [9, 0, 0], "rpy": [0.1, 0.2, 0.3],
         "velocity": [1, 0, 0], "angular_velocity": [0, 1, 0], "collides": True, "mu": 0.3, "restitution": 0.1, "impact": False,
         "group": 1, "mu_torsion": 0, "mu_rolling": 0},
        {"name": "ball", "shape": "sphere", "radius": 0.5, "density": 100, "position": [0, 20, 0],
         "axis": [0, 0, 1], "angle": 1},
        {"name": "can", "shape": "capsule", "radius": 0.5, "length": 1, "mass": 1, "position": [0, 30, 0],
         "euler": {"order": "zxz", "angles": [1, 2, 3]}},
        {"name": "bulk", "mass": 1, "center": [0, 0, 1], "moment": [1, 0, 0, 0, 1, 0, 0, 0, 1], "position": [0, 40, 0],
         "rotation": [2, 0, 0, 1], "twist": [0, 0, 0, 1, 0, 0]},
        {"name": "tetrahedron", "vertices": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1],
         "triangles": [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], "mass": 1, "position": [0, 50, 0]}],
    "blocks": [{"name": "block", "cells": [1, 1, 1], "size": [1, 1, 1], "corner": [0, -20, 0], "young": 1e5, "poisson": 0.3,
                "density": 100, "damping_mass": 0, "damping_stiffness": 0.01, "tetrahedra": True, "corotational": False}],
    "nodes": [{"name": "net", "positions": "x.mtx", "mass": "M.mtx", "stiffness": "K.mtx", "rest": "x.mtx", "damping_mass": 0,
               "damping_stiffness": 0}],
    "shapes": [{"name": "floor", "kind": "plane", "position": [0, 0, -50], "mu": 0.5, "restitution": 0, "impact": False,
                "group": 0, "mu_torsion": 0, "mu_rolling": 0, "compliance": compliance},
               {"kind": "convex", "part": "bulk", "corners": [0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]},
               {"kind": "capsule", "part": "bulk", "radius": 0.1, "length": 0.2},
               {"kind": "cylinder", "part": "bulk", "radius": 0.1, "length": 0.2},
               {"kind": "ellipsoid", "part": "bulk", "size": [0.1, 0.2, 0.3]}],
    "attachments": "eliminate",
    "attach": [{"name": "on the arm", "part": "marker", "to": "arm"},
               {"part": "between", "masters": [{"part": "ball", "weight": 0.5}, {"part": "can", "weight": 0.5}]}],
    "apart": [{"a": "arm", "b": "ball"}],
    "joints": [{"name": "hinge", "kind": "hinge", "a": "ground", "b": "arm", "at": [0, 0, 1], "axis": [0, 1, 0],
                "x_axis": [1, 0, 0], "compliance": {"alpha": 1e-6, "beta": 1e-3}, "free": [
                    {"limits": [-1, None], "limit_restitution": 0.1, "limit_compliance": compliance,
                     "motor": {"target": 1, "strength": 2}, "friction": 0.1, "armature": 0.01,
                     "spring": {"stiffness": 1, "damping": 0.1, "rest": 0.2}}],
                "bearing": {"mu": 0.1, "radius": 0.02, "half_length": 0.05, "points": 8}},
               {"kind": "slider", "b": "ball", "free": [
                   {"servo": {"position": 1, "velocity": 0.1, "strength": 5, "compliance": compliance}}]},
               {"kind": "custom", "b": "can",
                "locked": {"x": True, "y": False, "z": True, "rx": True, "ry": False, "rz": True}}],
    "gears": [{"name": "gear", "terms": [{"joint": "hinge", "coordinate": 0, "factor": 2}], "bounds": [None, 1],
               "compliance": compliance}],
    "pins": [{"name": "pin", "a": "block", "node_a": 1, "b": "ground", "node_b": 0, "compliance": compliance},
             {"a": "block", "node_a": 0, "compliance": {"matrix": [2, 1, 1, 2], "damping_matrix": [1, 0, 0, 1]}}],
    "rods": [{"name": "rod", **ends, "length": 5, "rope": True, "restitution": 0.2, "compliance": compliance},
             {"a": "block", "node_a": 2, "point_b": [0, 0, 1]}],
    "springs": [{"name": "spring", **ends, "stiffness": 10, "damping": 1, "rest_length": 2},
                {"law": "string", "stiffness": 5, "path": [{"part": "arm", "at": [0, 0, 1], "passive": True}, {"at": [0, 0, 2]},
                                                           {"part": "dot"}]}],
    "frame_springs": [{"name": "bushing", "a": "arm", "b": "ball", "at": [1, 2, 3], "stiffness": 10, "damping": 1,
                       "angular_stiffness": 2, "angular_damping": 0.1}],
    "dampers": [{"name": "damper", "part": "arm", "node": 0, "at": [0, 0, 1], "linear": 1, "angular": 0.1}],
    "meshes": [{"name": "mesh", "file": "one.msh", "scale": 2, "young": 1e5, "poisson": 0.3, "density": 100, "damping_mass": 0,
                "damping_stiffness": 0.01, "corotational": False, "collides": True, "depth": 0.1, "mu": 0.3, "restitution": 0,
                "impact": False, "group": 0, "compliance": compliance}],
    "muscles": [{"name": "muscle", "path": [{"part": "arm", "at": [0, 0, 1]}, {"part": "dot", "node": 0}], "peak_force": 3,
                 "activation": 0.5, "optimal_length": 1, "tendon_length": 0.1, "fastest": 8}],
    "loads": [{"name": "load", "part": "arm", "node": 0, "at": [0, 0, 1], "force": [0, 0, 1]}]}


def write_files():
    matrix = "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 1\n2 2 1\n3 3 1\n"
    points = "%%MatrixMarket matrix array real general\n3 1\n0\n0\n9\n"
    mesh = ("$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
            "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
            "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n")
    for path in glob.glob(f"{source}/examples/scenes/*.msh"):
        shutil.copy(path, scratch)
    for name, text in (("M.mtx", matrix), ("K.mtx", matrix), ("x.mtx", points), ("one.msh", mesh)):
        with open(f"{scratch}/{name}", "w", encoding="ascii") as out:
            out.write(text)


def read_by_saddle(scene):
    path = f"{scratch}/scene.json"
    with open(path, "w", encoding="utf-8") as out:
        json.dump(scene, out)
    return subprocess.run([saddle, "simulate", path, "--steps", "0"], capture_output=True, check=False)


def read_by_library():
    """A function: the status of a scene read."""
    saddle_library = ctypes.CDLL(library)
    saddle_library.saddle_status_name.restype = ctypes.c_char_p
    room = ctypes.create_string_buffer(1 << 16)  # of a saddle_scene

    def read(scene):
        text = json.dumps(scene).encode()
        status = saddle_library.saddle_scene_read_text(None, text, ctypes.c_int64(len(text)), None, scratch.encode(), room)
        saddle_library.saddle_scene_clear(room)
        return saddle_library.saddle_status_name(status).decode()
    return read


def shipped_scenes():
    for path in sorted(glob.glob(f"{source}/examples/scenes/*.json")):
        with open(path, encoding="utf-8") as text:
            yield os.path.basename(path), json.load(text)
    yield "everything", everything


def shipped():
    for name, scene in shipped_scenes():
        for error in validator.iter_errors(scene):
            sys.exit(f"{name}: {list(error.path)}: {error.message}")
        result = read_by_saddle(scene)
        if result.returncode != 0:
            sys.exit(f"{name}: {result.stderr.decode()}")


# ---- words ----

def table_words(text):
    """The keys of each table of fields, by the table's name; macros of this folder written out."""
    macros = dict(re.findall(r"#define (PLACEMENT|ENDS|SURFACE|COMPLIANCE)\s((?:.*\\\n)*.*)", text))
    tables = {}
    for name, body in re.findall(r"saddle__scene_field (\w+)_fields\[\] = \{(.*?)END\}", text, re.S):
        for macro, meaning in macros.items():
            body = re.sub(rf"\b{macro}\b", lambda _, m=meaning: m, body)
        tables[name] = set(re.findall(r"\((?:\w+, )*\"(\w+)\"", body))
    return tables


def words():
    text = ""
    for path in glob.glob(f"{source}/assembly/scene*.[ch]"):
        with open(path, encoding="utf-8") as code:
            text += code.read()
    tables = table_words(text)
    objects = {"file": schema, **schema["definitions"]}
    if set(tables) != set(objects):
        sys.exit(f"objects of the reader only: {set(tables) - set(objects)}, of the schema only: {set(objects) - set(tables)}")
    for name, known in tables.items():
        described = set(objects[name]["properties"])
        if known != described:
            sys.exit(f"{name}: of the reader only: {known - described}, of the schema only: {described - known}")
        if objects[name]["additionalProperties"] is not False:
            sys.exit(f"{name}: other fields are allowed")
    if len(tables) < 15 or sum(len(known) for known in tables.values()) < 150:
        sys.exit("the tables were not found")


# ---- mutations ----

def places(value, path=()):
    """The path of each value within a scene."""
    yield path
    if isinstance(value, (dict, list)):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], path + (key,))


def at(scene, path):
    for key in path:
        scene = scene[key]
    return scene


values = ["wobble", "", 7.5, -1, -0.5, 0, 1e9, True, None, [], {}, [1], [1, 2, 3, 4, 5], [[1, 2, 3]], ["x"], {"wobble": 1}]


def mutate(draw, scene):
    scene = copy.deepcopy(scene)
    path = draw.choice([path for path in places(scene) if path])
    parent, key = at(scene, path[:-1]), path[-1]
    kind = draw.randrange(6)
    if kind == 0 and isinstance(parent, dict):
        parent["wobble"] = 1
    elif kind == 1:
        del parent[key]
    elif kind == 2 and isinstance(parent, dict):
        parent[draw.choice(["axis", "rpy", "angle", "rotation", "name", "kind", "node"])] = draw.choice(values)
    elif kind == 3 and isinstance(parent, list):
        parent.append(draw.choice(values))
    else:
        parent[key] = draw.choice(values)
    return scene


def mutations():
    seed = int(os.environ.get("SADDLE_TEST_SEED", "1"))
    draws = float(os.environ.get("SADDLE_TEST_DRAWS", "1"))
    print("seed", seed)
    draw = random.Random(seed)
    scenes = list(shipped_scenes())
    read = read_by_library()
    if read(everything) != "SADDLE_OK":
        sys.exit("the scene with all objects is not read")
    refused = 0
    for _ in range(max(100, int(400 * draws))):
        scene = mutate(draw, draw.choice(scenes + 6 * scenes[-1:])[1])
        fault = next(validator.iter_errors(scene), None)
        if fault is None:
            continue
        refused += 1
        if read(scene) != "SADDLE_BAD_FILE":
            sys.exit(f"refused by the schema only: {list(fault.absolute_path)}: {fault.message}\n{json.dumps(scene)}")
    print(refused, "refused")
    if refused < 40:
        sys.exit("hardly any mutation was refused")


write_files()
{"shipped": shipped, "words": words, "mutations": mutations}[case]()
