# SPDX-License-Identifier: MIT
# The page of saddle simulate --view for a pile of boxes: its size, and how long chromium takes to show its first picture.
#
# usage: python3 page.py SADDLE [BOXES [SECONDS]]      200 boxes, 10 s
# Exit: 0, or 77 without chromium.
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

LAYER = 5  # boxes along x and y
CHROMIUM = ("chromium --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --use-gl=swiftshader "
            "--enable-unsafe-swiftshader --dump-dom").split()


def pile(boxes):
    bodies = []
    for number in range(boxes):
        i, j, k = number % LAYER, number // LAYER % LAYER, number // LAYER**2
        bodies.append({"name": f"box {number}", "shape": "box", "size": [0.4, 0.4, 0.4], "density": 500, "collides": True,
                       "position": [0.45 * i + 0.03 * (k % 2), 0.45 * j + 0.01 * k, 0.2 + 0.41 * k]})
    return {"format": "saddle-scene", "version": 1, "name": f"{boxes} boxes", "gravity": [0, 0, -9.81], "time_step": 0.01,
            "tolerance": 1e-6, "shapes": [{"kind": "plane", "mu": 0.5}], "bodies": bodies}


def main(saddle, boxes="200", seconds="10"):
    if not shutil.which("chromium"):
        print("chromium is absent")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        scene, page = os.path.join(folder, "pile.json"), os.path.join(folder, "run.html")
        with open(scene, "w", encoding="ascii") as file:
            json.dump(pile(int(boxes)), file)
        steps = str(round(float(seconds) / 0.01))
        subprocess.run([saddle, "simulate", scene, "--steps", steps, "--every", steps, "--view", page], check=True)
        print(f"{os.path.getsize(page) / 1e6:.1f} MB")
        for _ in range(3):
            shown = subprocess.run([*CHROMIUM, f"--user-data-dir={folder}/profile", f"file://{page}"], capture_output=True,
                                   text=True, check=True).stdout
            ready, opened = (re.search(f'data-{word}="([^"]*)"', shown).group(1) for word in ("ready", "opened"))
            print(f"{ready}, {opened} ms")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
