# SPDX-License-Identifier: MIT
"""Scenes: models in JSON (docs/formats.md), stepped, with their motion as arrays."""
from __future__ import annotations

import json
import pathlib
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Union

import numpy as np

from ._library import Context, Owner, check, ffi, lib, owned, text
from .problem import view

PARTICLE, BODY, NODES = 1, 2, 3


@dataclass
class Trajectory:
    """The motion of a run, a row for each step and the start.

    time (s) [s]; position: {part: (s, 3)} of particles, (s, 12) of bodies (the origin, then R by
    columns, frame to world: saddle_pose), (s, count, 3) of nodes [m]; energy: {name: (s)} [J];
    residual, iterations, contacts (s).
    """

    time: np.ndarray
    position: Dict[str, np.ndarray]
    energy: Dict[str, np.ndarray]
    residual: np.ndarray
    iterations: np.ndarray
    contacts: np.ndarray


class Scene(Owner):
    """A model with shapes, and the stepper's options.

    Args:
        source: the path of a JSON file, or a dict with the same words ("format" and "version"
            may be left out).
        folder: where a dict finds the files that it names.
    """

    def __init__(self, source: Union[str, pathlib.Path, Dict[str, Any]], folder: str = ".",
                 progress: Optional[Callable] = None) -> None:
        self._context = Context(progress)
        raw = ffi.new("saddle_scene *")
        if isinstance(source, dict):
            head = {"format": "saddle-scene", "version": 1}
            words = json.dumps({**head, **source}).encode()
            status = lib.saddle_scene_read_text(self._context.pointer, words, len(words),
                                                ffi.NULL, folder.encode(), raw)
        else:
            status = lib.saddle_scene_read(self._context.pointer, str(source).encode(), raw)
        check(self._context, status)
        self._c = owned(self, raw, lib.saddle_scene_clear)
        pointer = ffi.new("saddle_stepper **")
        options = ffi.addressof(self._c, "options")
        check(self._context, lib.saddle_stepper_create(self._c.model, options, pointer))
        self._stepper = owned(self, pointer[0], lib.saddle_stepper_free)

    @property
    def time(self) -> float:
        return lib.saddle_model_time(self._c.model)

    @property
    def time_step(self) -> float:
        return self._c.options.time_step

    @property
    def parts(self) -> List[str]:
        """Names in the order of adding; "part K" where a part has none."""
        model = self._c.model
        names = []
        for k in range(lib.saddle_model_part_count(model)):
            name = text(lib.saddle_model_name(model, lib.saddle_model_part_at(model, k)))
            names.append(name or f"part {k}")
        return names

    def _handle(self, part: Union[str, int]):
        names = self.parts
        if isinstance(part, str) and part not in names:
            raise KeyError(f"no part is named {part!r}")
        index = names.index(part) if isinstance(part, str) else part
        if not 0 <= index < len(names):
            raise IndexError(f"there is no part {index}; there are {len(names)}")
        return lib.saddle_model_part_at(self._c.model, index)

    def position(self, part: Union[str, int]) -> np.ndarray:
        """A view: (3) of a particle, (12) of a body, (count, 3) of nodes; writable between steps."""
        return self._state(part, lib.saddle_model_position, {PARTICLE: 3, BODY: 12})

    def velocity(self, part: Union[str, int]) -> np.ndarray:
        """A view: (3), (6: linear, angular, in the body's axes) or (count, 3)."""
        return self._state(part, lib.saddle_model_velocity, {PARTICLE: 3, BODY: 6})

    def _state(self, part, function, sizes) -> np.ndarray:
        handle = self._handle(part)
        pointer = function(self._c.model, handle)
        if handle.item == NODES:
            count = lib.saddle_model_node_count(self._c.model, handle)
            return view(pointer, 3 * count, owner=self).reshape(count, 3)
        return view(pointer, sizes[handle.item], owner=self)

    def energies(self) -> Dict[str, float]:
        """kinetic, gravity, elastic [J]."""
        e = lib.saddle_model_energies(self._c.model)
        return {"kinetic": e.kinetic, "gravity": e.gravity, "elastic": e.elastic}

    def step(self, accept: bool = True) -> Dict[str, Any]:
        """One step; its report.  accept: take results above the tolerance, as the model moves on."""
        check(self._context, lib.saddle_stepper_step(self._stepper), accept)
        report = lib.saddle_stepper_report(self._stepper)
        return {"step": report.step, "time": report.time, "contacts": report.contacts,
                "status": text(lib.saddle_status_name(report.status)),
                "iterations": report.iterations, "residual": report.residual,
                "drift": report.drift, "overlap": report.overlap, "note": text(report.note)}

    def simulate(self, seconds: float, accept: bool = True) -> Trajectory:
        """Steps for so many seconds."""
        names = self.parts
        count = max(0, round(seconds / self.time_step))
        time = np.zeros(count + 1)
        figures = np.zeros((3, count + 1))
        moved = {name: np.zeros((count + 1,) + self.position(k).shape)
                 for k, name in enumerate(names)}
        energy = {name: np.zeros(count + 1) for name in self.energies()}
        for s in range(count + 1):
            if s > 0:
                report = self.step(accept)
                figures[:, s] = report["residual"], report["iterations"], report["contacts"]
            time[s] = self.time
            for k, name in enumerate(names):
                moved[name][s] = self.position(k)
            for name, value in self.energies().items():
                energy[name][s] = value
        return Trajectory(time, moved, energy, figures[0], figures[1].astype(np.int64),
                          figures[2].astype(np.int64))
