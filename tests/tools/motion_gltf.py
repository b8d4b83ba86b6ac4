# SPDX-License-Identifier: MIT
"""motion_gltf.py SADDLE SCENES: the file of saddle simulate --gltf by the rules of glTF 2.0 (header, chunks, alignment, bounds,
references), its motion against --csv, its meshes against closed forms of area and volume."""
import csv
import itertools
import json
import math
import os
import struct
import subprocess
import sys
import tempfile

WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


def read(path):
    """(JSON object, bytes of the buffer)"""
    with open(path, "rb") as file:
        data = file.read()
    magic, version, length = struct.unpack_from("<4sII", data)
    assert (magic, version, length) == (b"glTF", 2, len(data)), (magic, version, length, len(data))
    size, kind = struct.unpack_from("<I4s", data, 12)
    assert kind == b"JSON" and size % 4 == 0
    rest, kind = struct.unpack_from("<I4s", data, 20 + size)
    assert kind == b"BIN\0" and rest % 4 == 0 and 28 + size + rest == len(data)
    return json.loads(data[20:20 + size]), data[28 + size:]


def numbers(gltf, binary, index):
    """Elements of an accessor, checked."""
    accessor = gltf["accessors"][index]
    view, width = gltf["bufferViews"][accessor["bufferView"]], WIDTH[accessor["type"]]
    assert accessor["componentType"] == 5126 and view["buffer"] == 0 and view["byteOffset"] % 4 == 0
    assert view["byteLength"] == 4 * width * accessor["count"] > 0
    flat = struct.unpack_from(f"<{width * accessor['count']}f", binary, view["byteOffset"])
    assert all(map(math.isfinite, flat))
    for i in range(width):
        for bound, told in ((min, "min"), (max, "max")):
            nearest = struct.unpack("<f", struct.pack("<f", accessor[told][i]))[0]
            assert nearest == bound(flat[i::width]), (index, told, accessor[told], bound(flat[i::width]))
    return [flat[k:k + width] for k in range(0, len(flat), width)]


def check_structure(gltf, binary):
    """The buffer is filled without gaps and overlaps; nodes form a tree."""
    assert gltf["asset"]["version"] == "2.0" and gltf["scenes"][gltf["scene"]]["nodes"] == [0]
    assert gltf["buffers"] == [{"byteLength": len(binary)}]
    end = 0
    for view in gltf["bufferViews"]:
        assert view["byteOffset"] == end
        end += view["byteLength"]
    assert end == len(binary)
    assert gltf["nodes"][0].get("children", []) == list(range(1, len(gltf["nodes"])))
    assert all(value != [] for value in gltf.values()), "an empty array"
    for index in range(len(gltf["accessors"])):
        numbers(gltf, binary, index)
    for mesh in gltf.get("meshes", []):
        assert mesh["primitives"]
        for one in mesh["primitives"]:
            assert 0 <= one["material"] < len(gltf["materials"])
            assert gltf["accessors"][one["attributes"]["POSITION"]]["count"] % 3 == 0


def up(place):
    """A point of the children after the turn of node 0."""
    return [place[0], place[2], -place[1]]


def turned(q, a):
    x, y, z, w = q
    t = [2 * c for c in (y * a[2] - z * a[1], z * a[0] - x * a[2], x * a[1] - y * a[0])]
    return [a[0] + w * t[0] + y * t[2] - z * t[1], a[1] + w * t[1] + z * t[0] - x * t[2], a[2] + w * t[2] + x * t[1] - y * t[0]]


def check_motion(gltf, binary, rows):
    """Each channel has the rows of the table: times, places, rotations."""
    assert all(abs(a - b) < 1e-7 for a, b in zip(turned(gltf["nodes"][0]["rotation"], [1, 2, 3]), up([1, 2, 3])))
    parts = list(dict.fromkeys(row["part"] for row in rows if row["node"] == ""))
    named = [node["name"] for node in gltf["nodes"][1:]]
    assert [name for name in named if name != "ground"] == [("" if p.startswith("part ") else p) for p in parts], (named, parts)
    moving = [k for k in range(1, len(gltf["nodes"])) if gltf["nodes"][k]["name"] != "ground"]
    seen = set()
    for channel in gltf["animations"][0]["channels"] if parts else []:
        sampler = gltf["animations"][0]["samplers"][channel["sampler"]]
        mine = [row for row in rows if row["part"] == parts[moving.index(channel["target"]["node"])]]
        times = [t for t, in numbers(gltf, binary, sampler["input"])]
        assert all(a < b for a, b in zip(times, times[1:])) and len(times) == len(mine)
        assert all(abs(t - float(r["time"])) <= 1e-6 * (1 + t) for t, r in zip(times, mine))
        before = None
        for value, row in zip(numbers(gltf, binary, sampler["output"]), mine):
            if channel["target"]["path"] == "translation":
                wanted = [float(row[c]) for c in "xyz"]
            else:
                wanted = [float(row[c]) for c in ("qx", "qy", "qz", "qw")]
                assert abs(math.hypot(*value) - 1) < 1e-6, value
                if sum(a * b for a, b in zip(value, wanted)) < 0:
                    wanted = [-x for x in wanted]
                assert before is None or sum(a * b for a, b in zip(value, before)) >= 0, "a turn the long way"
                before = value
            assert all(abs(a - b) <= 1e-6 * (1 + abs(b)) for a, b in zip(value, wanted)), (value, wanted)
        seen.add((channel["target"]["node"], channel["target"]["path"]))
    bodies = {row["part"] for row in rows if row["qw"]}
    assert seen == {(k, "translation") for k in moving} | {(k, "rotation") for k, p in zip(moving, parts) if p in bodies}


def run(saddle, scene, folder, steps="10", every="4"):
    made = os.path.join(folder, "run")
    subprocess.run([saddle, "simulate", scene, "--steps", steps, "--every", every, "--csv", made + ".csv",
                    "--gltf", made + ".glb"], stdout=subprocess.DEVNULL, check=True)
    with open(made + ".csv", newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    gltf, binary = read(made + ".glb")
    check_structure(gltf, binary)
    check_motion(gltf, binary, rows)
    return gltf, binary


def measure(gltf, binary, name):
    """(area, bounds) of a node's mesh."""
    node = next(node for node in gltf["nodes"] if node.get("name") == name)
    points = numbers(gltf, binary, gltf["meshes"][node["mesh"]]["primitives"][0]["attributes"]["POSITION"])
    area = 0.0
    for a, b, c in zip(points[::3], points[1::3], points[2::3]):
        u, v = [y - x for x, y in zip(a, b)], [y - x for x, y in zip(a, c)]
        area += math.hypot(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]) / 2
    return area, [[bound(p[i] for p in points) for i in range(3)] for bound in (min, max)]


def on_sphere(count):
    """Points on a spiral from pole to pole, by the golden angle."""
    flat = []
    for k in range(count):
        z, angle = 1 - (2 * k + 1) / count, k * math.pi * (3 - math.sqrt(5))
        flat += [math.sqrt(1 - z * z) * math.cos(angle), math.sqrt(1 - z * z) * math.sin(angle), z]
    return flat


def check_shapes(saddle, folder):
    """Bodies that spin; areas in closed form; 24 sides have at most two percent less than a circle."""
    pi, half, e = math.pi, math.sqrt(0.5), math.sqrt(0.75)
    oblate = 2 * pi * (1 + (1 - e * e) / e * math.atanh(e))
    long = {"radius": 0.5, "length": 2}
    shapes = {"box": ({"size": [1, 2, 3]}, 22, 1e-6, [0.5, 1, 1.5]), "sphere": ({"radius": 0.5}, pi, 0.02, [0.5] * 3),
              "capsule": (long, pi + 2 * pi, 0.02, [0.5, 0.5, 1.5]), "cylinder": (long, 2 * pi + pi / 2, 0.02, [0.5, 0.5, 1]),
              "ellipsoid": ({"size": [1, 1, 0.5]}, oblate, 0.02, [1, 1, 0.5]),
              "convex": ({"corners": [1, 1, 1, 1, -1, -1, -1, 1, -1, -1, -1, 1]}, 8 * math.sqrt(3), 1e-6, [1] * 3),
              "cube": ({"kind": "convex", "corners": [x for c in itertools.product((-1, 1), repeat=3) for x in c]},
                       24, 1e-6, [1] * 3),
              "grid": ({"kind": "convex", "corners": [x / 4 for c in itertools.product(range(-4, 5), repeat=3) for x in c]},
                       24, 1e-6, [1] * 3),
              "small": ({"kind": "convex", "corners": [x for c in itertools.product((-1e-5, 1e-5), repeat=3) for x in c]},
                        24e-10, 1e-6, [1e-5] * 3),
              "ball": ({"kind": "convex", "corners": on_sphere(2000)}, 4 * pi, 0.01, [1] * 3)}
    scene = os.path.join(folder, "shapes.json")
    with open(scene, "w", encoding="ascii") as file:
        json.dump({"format": "saddle-scene", "version": 1, "bodies": [
            {"name": name, "shape": "sphere", "radius": 1, "mass": 1, "position": [10 * k, 0, 0],
             "angular_velocity": [0, 0, 30]}
            for k, name in enumerate(shapes)],
            "shapes": [{"part": name, "rotation": [half, 0, 0, half], **({"kind": name} | shape)}
                       for name, (shape, *_) in shapes.items()]}, file)
    gltf, binary = run(saddle, scene, folder, "100", "2")  # some turns, past the sign of the quaternion
    ball = next(node["mesh"] for node in gltf["nodes"] if node.get("name") == "ball")
    faces = gltf["accessors"][gltf["meshes"][ball]["primitives"][0]["attributes"]["POSITION"]]["count"] / 3
    assert faces == 2 * 2000 - 4, faces  # Euler's formula: all points are corners
    for name, (_, area, within, reach) in shapes.items():
        measured, (least, most) = measure(gltf, binary, name)
        assert area * (1 - within) <= measured <= area * (1 + 1e-6), (name, area, measured)
        reach = [reach[1], reach[0], reach[2]]  # a quarter turn about z
        for i in range(3):
            assert reach[i] * 0.985 <= most[i] <= reach[i] * (1 + 1e-6) and abs(least[i] + most[i]) < 0.02, (name, least, most)


def write_scene(folder, name, **members):
    path = os.path.join(folder, name + ".json")
    with open(path, "w", encoding="ascii") as file:
        json.dump({"format": "saddle-scene", "version": 1, **members}, file)
    return path


def check_extent(saddle, folder):
    """Parts at rest in the origin, sizes beyond single precision, and a ground that is not smaller than what lies on it."""
    point = {"name": "p", "mass": 1, "position": [0, 0, 0]}
    rest = write_scene(folder, "rest", gravity=[0, 0, 0], particles=[point])
    gltf, binary = run(saddle, rest, folder, "1", "1")
    assert 0 < measure(gltf, binary, "p")[0] < 1
    box = {"name": "b", "shape": "box", "mass": 1, "position": [0, 0, 0.5]}
    large = write_scene(folder, "large", gravity=[0, 0, 0], bodies=[{**box, "size": [1, 1, 1]}],
                        shapes=[{"kind": "box", "part": "b", "size": [1e39, 1, 1]}])
    older = os.path.join(folder, "older.glb")
    with open(older, "wb") as file:
        file.write(b"older")
    done = subprocess.run([saddle, "simulate", large, "--steps", "1", "--gltf", older], capture_output=True, check=False)
    assert done.returncode == 3 and b"older.glb: " in done.stderr and b"single precision" in done.stderr, done
    with open(older, "rb") as file:
        assert file.read() == b"older"
    wide = write_scene(folder, "wide", bodies=[{**box, "size": [4, 4, 1]}],
                       shapes=[{"kind": "plane", "name": "floor"}, {"kind": "box", "part": "b", "size": [4, 4, 1]}])
    gltf, binary = run(saddle, wide, folder, "1", "1")
    _, (least, most) = measure(gltf, binary, "ground")
    assert max(least[:2]) < -2 and min(most[:2]) > 2, (least, most)


def check_sharing(saddle, folder):
    """Equal shapes are in the file once, others are not taken for them."""
    bodies = [{"name": f"b{k}", "shape": "sphere", "radius": 1, "mass": 1, "position": [10 * k, 0, 0]} for k in range(300)]
    balls = [{"kind": "sphere", "part": f"b{k}", "radius": 1 if k < 297 else k - 295} for k in range(299)]
    balls.append({"kind": "sphere", "part": "b0", "radius": 1, "position": [0, 0, 1]})
    scene = write_scene(folder, "balls", bodies=bodies, shapes=balls)
    gltf, binary = run(saddle, scene, folder, "1", "1")
    at = {node["name"]: [p["attributes"]["POSITION"] for p in gltf["meshes"][node["mesh"]]["primitives"]]
          for node in gltf["nodes"][1:]}
    assert len(at["b0"]) == 2 and at["b0"][0] == at["b1"][0] == at["b296"][0] and len({k for a in at.values() for k in a}) == 5
    assert abs(measure(gltf, binary, "b298")[1][1][0] - 3) < 0.05 and abs(measure(gltf, binary, "b297")[1][1][0] - 2) < 0.05


def check_older_file(saddle, scenes, folder):
    """Until the run ends the file is the one there was."""
    older = os.path.join(folder, "older.glb")
    with open(older, "wb") as file:
        file.write(b"older")
    with subprocess.Popen([saddle, "simulate", os.path.join(scenes, "pendulum.json"), "--steps", "100000000", "--every", "100",
                           "--gltf", older], stdout=subprocess.PIPE) as running:
        running.stdout.readline()
        with open(older, "rb") as file:
            assert file.read() == b"older"
        running.kill()


def main(saddle, scenes):
    with tempfile.TemporaryDirectory() as folder:
        check_shapes(saddle, folder)
        check_extent(saddle, folder)
        check_sharing(saddle, folder)
        check_older_file(saddle, scenes, folder)
        for name in ("box-pile", "trebuchet", "soft-bar", "rolling-balls", "skinned-arm", "four-bar"):
            run(saddle, os.path.join(scenes, name + ".json"), folder)
        run(saddle, os.path.join(scenes, "pendulum.json"), folder, "0", "1")
        gltf, _ = run(saddle, write_scene(folder, "empty"), folder)
        assert "animations" not in gltf and len(gltf["nodes"]) == 1
        wrong = os.path.join(folder, "none", "x.glb")
        done = subprocess.run([saddle, "simulate", os.path.join(scenes, "pendulum.json"), "--gltf", wrong], capture_output=True,
                              check=False)
        assert done.returncode == 3 and wrong.encode() in done.stderr
        full = subprocess.run([saddle, "simulate", os.path.join(scenes, "pendulum.json"), "--gltf", "/dev/full"],
                              capture_output=True, check=False)
        assert full.returncode == 3 and b"/dev/full" in full.stderr, full


if __name__ == "__main__":
    main(*sys.argv[1:])
