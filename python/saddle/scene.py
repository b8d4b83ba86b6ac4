# SPDX-License-Identifier: MIT
"""Scenes: models in JSON (docs/formats.md), stepped, with their motion as arrays."""
from __future__ import annotations

import json
import pathlib
from dataclasses import dataclass
from typing import Any, Callable, Dict, List, Optional, Tuple, Union

import numpy as np

from .errors import WrongPhase
from ._library import Context, Owner, check, ffi, lib, owned, text
from .problem import Problem, doubles, vector, view
from .solving import Solution

PARTICLE, BODY, NODES, CONSTRAINT, COORDINATES = 1, 2, 3, 5, 7


@dataclass
class Trajectory:
    """The motion of a run, a row for each step and the start.

    time (s) [s]; position: {part: (s, 3)} of particles, (s, 12) of bodies (the origin, then R by
    columns, frame to world: saddle_pose), (s, count, 3) of nodes [m]; velocity: {part: (s, 3)},
    (s, 6) of bodies (linear, angular, in the body's axes), (s, count, 3) [m/s, rad/s];
    energy: {name: (s)} [J]; residual, iterations, contacts (s).
    """

    time: np.ndarray
    position: Dict[str, np.ndarray]
    velocity: Dict[str, np.ndarray]
    energy: Dict[str, np.ndarray]
    residual: np.ndarray
    iterations: np.ndarray
    contacts: np.ndarray


@dataclass
class ContactPoints:
    """The contacts of a step: names of the parts a and b ("" the ground); point, normal (c, 3) in
    world axes, from a to b [m]; gap (c) before the step, negative = overlap [m]; impulse (c) along
    the normal [N s]."""

    a: List[str]
    b: List[str]
    point: np.ndarray
    normal: np.ndarray
    gap: np.ndarray
    impulse: np.ndarray


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
        """Of the model [s]."""
        return lib.saddle_model_time(self._c.model)

    @property
    def time_step(self) -> float:
        """h [s]."""
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
        if handle.item == COORDINATES:
            sizes = {COORDINATES: lib.saddle_model_part_velocities(self._c.model, handle)}
        return view(pointer, sizes[handle.item], owner=self)

    def push(self, part: Union[str, int], force) -> None:
        """Adds a force until the next step ends: (3) [N] of a particle, (6) of a body, its wrench
        in body axes at the body's origin [N, N m], (count, 3) of nodes [N]."""
        given = vector(force, self.velocity(part).size, "force")
        check(self._context, lib.saddle_model_push(self._c.model, self._handle(part),
                                                   doubles(given)))

    @property
    def joints(self) -> List[str]:
        """Names of joints, pins, rods and other constraints, in the order of adding; "KIND K" where
        one has no name."""
        model = self._c.model
        each = [lib.saddle_model_link_at(model, CONSTRAINT, k)
                for k in range(lib.saddle_model_link_count(model, CONSTRAINT))]
        return [text(lib.saddle_model_name(model, handle)) or
                f"{text(lib.saddle_model_link_kind(model, handle))} {k}"
                for k, handle in enumerate(each)]

    def _joint(self, joint: Union[str, int]):
        names = self.joints
        if isinstance(joint, str) and joint not in names:
            raise KeyError(f"no joint is named {joint!r}")
        return lib.saddle_model_link_at(self._c.model, CONSTRAINT,
                                        names.index(joint) if isinstance(joint, str) else joint)

    def coordinates(self, joint: Union[str, int]) -> Tuple[np.ndarray, np.ndarray]:
        """Views q and dq/dt of a joint in coordinates, writable between steps; empty: a joint as
        rows."""
        model = self._c.model
        names = self.joints
        if not isinstance(joint, str) and not 0 <= joint < len(names):
            raise IndexError(f"there is no joint {joint}; there are {len(names)}")
        part = lib.saddle_model_joint_part(model, self._joint(joint))
        count = lib.saddle_model_part_velocities(model, part)
        if count == 0:
            return np.zeros(0), np.zeros(0)
        return (view(lib.saddle_model_position(model, part), count, owner=self),
                view(lib.saddle_model_velocity(model, part), count, owner=self))

    def prescribe(self, joint: Union[str, int], how: Optional[str], values=None) -> np.ndarray:
        """Prescribes the coordinates of a joint: how is "position", "velocity" or "acceleration", of
        the end of each step, None = they are free again.  Returns a view of the values, which begin
        with `values`, else the present ones, and are written between steps."""
        model, handle = self._c.model, self._joint(joint)
        words = (None, "acceleration", "velocity", "position")
        if how not in words:
            raise ValueError(f"{how!r} is none of {words}")
        check(self._context, lib.saddle_model_prescribe_joint(model, handle, words.index(how),
                                                              ffi.NULL, ffi.NULL))
        if how is None:
            return np.zeros(0)
        told = view(lib.saddle_model_joint_prescribed(model, handle), self._coordinate_count(handle),
                    owner=self)
        if values is not None:
            told[:] = vector(values, told.size, "values")
        return told

    def _coordinate_count(self, handle) -> int:
        part = lib.saddle_model_joint_part(self._c.model, handle)
        count = lib.saddle_model_part_velocities(self._c.model, part)
        if count > 0:
            return count
        joint = lib.saddle_model_joint(self._c.model, handle)
        return (joint.motion.size if joint.kind == lib.SADDLE_JOINT_MOTION
                else lib.saddle_joint_free_count(joint.kind))

    def joint_force(self, joint: Union[str, int]) -> np.ndarray:
        """The force that holds the coordinates of a prescribed joint, mean over the last step [N, N m]."""
        handle = self._joint(joint)
        force = np.zeros(6)
        check(self._context, lib.saddle_stepper_joint_force(self._stepper, handle, doubles(force)))
        return force[:self._coordinate_count(handle)]

    def reaction(self, joint: Union[str, int]) -> np.ndarray:
        """(anchors, 3): the mean force of a joint, pin or rod over the last step on each of its
        anchors, world axes [N]; of a joint those on its parts a and b, 0 on the ground."""
        handle = self._joint(joint)
        force = np.zeros((max(1, lib.saddle_model_link_points(self._c.model, handle, ffi.NULL)), 3))
        check(self._context, lib.saddle_stepper_constraint_force(self._stepper, handle,
                                                                 doubles(force)))
        return force

    def _stepped(self):
        assembly = lib.saddle_stepper_assembly(self._stepper)
        if assembly == ffi.NULL:
            raise WrongPhase("no step was made yet", -3, "SADDLE_WRONG_PHASE")
        return assembly

    @property
    def problem(self) -> Problem:
        """The system of the last step in all velocities, a copy: with attachments and joints in
        coordinates that before its reduction."""
        return self._copy(lib.saddle_assembly_problem(self._stepped()))

    @property
    def reduced_problem(self) -> Problem:
        """The system that the last step solved, a copy: without the velocities eliminated, as
        `saddle simulate --export` writes it."""
        self._stepped()
        return self._copy(lib.saddle_stepper_problem(self._stepper))

    def _copy(self, problem) -> Problem:
        raw = ffi.new("saddle_problem *")
        check(self._context, lib.saddle_problem_copy(self._context.pointer, problem, raw))
        return Problem._taken(self._context, raw)

    @property
    def solution(self) -> Solution:
        """The solution of the last step's system in all velocities, a copy."""
        self._stepped()
        c = lib.saddle_stepper_solution(self._stepper)
        return Solution(view(c.v, c.n).copy(), view(getattr(c, "lambda"), c.m).copy(),
                        view(c.w, c.m).copy())

    def contacts(self) -> ContactPoints:
        """Of the last step."""
        assembly, model = self._stepped(), self._c.model
        found = lib.saddle_stepper_contacts(self._stepper)
        each = [found.point[k] for k in range(found.count)]
        rows = [lib.saddle_assembly_contact_row(assembly, point.id) for point in each]
        impulse = getattr(lib.saddle_stepper_solution(self._stepper), "lambda")

        def numbers(of) -> np.ndarray:
            return np.array([list(of(point)) for point in each], dtype=np.float64).reshape(-1, 3)

        return ContactPoints([text(lib.saddle_model_name(model, point.a.part)) for point in each],
                             [text(lib.saddle_model_name(model, point.b.part)) for point in each],
                             numbers(lambda point: point.b.point),
                             numbers(lambda point: point.normal),
                             np.array([point.gap for point in each], dtype=np.float64),
                             np.array([impulse[row] if row >= 0 else 0.0 for row in rows]))

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
        speed = {name: np.zeros((count + 1,) + self.velocity(k).shape)
                 for k, name in enumerate(names)}
        energy = {name: np.zeros(count + 1) for name in self.energies()}
        for s in range(count + 1):
            if s > 0:
                report = self.step(accept)
                figures[:, s] = report["residual"], report["iterations"], report["contacts"]
            time[s] = self.time
            for k, name in enumerate(names):
                moved[name][s] = self.position(k)
                speed[name][s] = self.velocity(k)
            for name, value in self.energies().items():
                energy[name][s] = value
        return Trajectory(time, moved, speed, energy, figures[0], figures[1].astype(np.int64),
                          figures[2].astype(np.int64))


class Ode(Owner):
    """A scene's model as y' = g(t, y) (saddle/ode.h), for integrators such as
    scipy.integrate.solve_ivp(ode, (0, 10), ode.state()).

    y (size): positions of all parts that are not attached, of bodies origin and quaternion; then
    their velocities, without those of prescribed parts.  Attached parts and bodies of joints in
    coordinates follow in the scene's model.  Limits, drives and contacts are left out.
    """

    def __init__(self, scene: Scene) -> None:
        self._scene = scene
        self._context = scene._context
        pointer = ffi.new("saddle_ode **")
        check(self._context, lib.saddle_ode_create(scene._c.model, pointer))
        self._c = owned(self, pointer[0], lib.saddle_ode_free)
        self._solved = False

    @staticmethod
    def _pointer(array: np.ndarray):
        """Not NULL where the array is empty."""
        return doubles(array) if array.size else ffi.new("double[1]")

    @property
    def size(self) -> int:
        """Numbers of y."""
        return lib.saddle_ode_size(self._c)

    @property
    def velocities(self) -> int:
        """Velocities at the end of y."""
        return lib.saddle_ode_velocities(self._c)

    def state(self) -> np.ndarray:
        """y of the scene's present state."""
        y = np.zeros(self.size)
        lib.saddle_ode_get(self._c, doubles(y))
        return y

    def place(self, t: float, y) -> None:
        """The scene's state at t and y, of attached parts too."""
        given = vector(y, self.size, "y")
        check(self._context, lib.saddle_ode_set(self._c, t, self._pointer(given)))

    def __call__(self, t: float, y) -> np.ndarray:
        """dy/dt; the scene's state is that of t and y then."""
        given, dy = vector(y, self.size, "y"), np.zeros(self.size)
        self._solved = False
        check(self._context, lib.saddle_ode_rates(self._c, t, self._pointer(given),
                                                  self._pointer(dy)))
        self._solved = True
        return dy

    def mass_form(self, t: float, y) -> Tuple[np.ndarray, Problem]:
        """dx/dt of the positions, and M, J, f and b of M v' - J'F = f, J v' = b, a copy."""
        given, dx = vector(y, self.size, "y"), np.zeros(self.size - self.velocities)
        pointer = ffi.new("saddle_problem **")
        self._solved = False
        check(self._context, lib.saddle_ode_mass_form(self._c, t, self._pointer(given),
                                                      self._pointer(dx), pointer))
        return dx, self._scene._copy(pointer[0])

    def acceleration(self, part: Union[str, int]) -> np.ndarray:
        """Of a part, attached or not, at the last call, as many numbers as velocities, a copy.

        WrongPhase: no call yet, mass_form after it, or a prescribed part in a scene without
        attachments."""
        handle = self._scene._handle(part)
        if not self._solved:
            raise WrongPhase("the acceleration is that of the rates: call ode(t, y), and again "
                             "after mass_form", -3, "SADDLE_WRONG_PHASE")
        pointer = lib.saddle_ode_acceleration(self._c, handle)
        if pointer == ffi.NULL:
            raise WrongPhase("the part is prescribed: its acceleration is given, not found", -3,
                             "SADDLE_WRONG_PHASE")
        return view(pointer, self._scene.velocity(part).size).copy()
