# SPDX-License-Identifier: MIT
"""Attachments: velocities that follow others, eliminated before a solve or kept as rows."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List, Mapping, Optional, Sequence, Tuple, Union

import numpy as np

from ._library import Context, Owner, check, ffi, lib, owned, text
from .problem import Problem, doubles, integers, vector, view
from .solving import Solution

KINDS = {"particle": 0, "frame": 1, "coordinates": 2}
STATES = ("active", "attached", "partly attached", "parametric")
WISHES = {"choose": 0, "eliminate": 1, "keep": 2}


@dataclass
class Component:
    """A component of the graph: id, name, kind, size [velocities], first: index of its first
    velocity in v, state: "active", "attached", "partly attached" or "parametric"."""

    id: int
    name: str
    kind: str
    size: int
    first: int
    state: str


class Attachments(Owner):
    """The graph v_k = sum_j A_kj v_j + g_k (saddle/attachments.h).

    Components are added in the order of their velocities in v (n); masters may be attached
    themselves, in no loop.  Arrays are copied.

        graph = saddle.Attachments()
        graph.add(0, "frame", name="bone")
        graph.add(1, "particle", name="insertion")
        graph.attach(1, {0: A})                # A (3, 6): v_1 = A v_0
        reduction = saddle.Reduction(graph, problem)
        whole = reduction.recover(saddle.solve(reduction.problem))
    """

    def __init__(self) -> None:
        self._context = Context()
        pointer = ffi.new("saddle_attachments **")
        check(self._context, lib.saddle_attachments_create(self._context.pointer, pointer))
        self._c = owned(self, pointer[0], lib.saddle_attachments_free)

    def add(self, id: int, kind: str, size: int = 0, name: str = "",
            parametric: bool = False) -> None:
        """A component: "particle" (3 velocities [m/s]), "frame" (6 [m/s, rad/s]) or "coordinates"
        (size of them); parametric: its velocities are prescribed, 0 until `prescribe`."""
        if kind not in KINDS:
            raise ValueError(f"kind is {kind!r}, not one of {', '.join(KINDS)}")
        label = ffi.new("char[]", name.encode())
        given = ffi.new("saddle_component *", {"id": id, "name": label, "kind": KINDS[kind],
                                               "size": size, "parametric": int(parametric)})
        check(self._context, lib.saddle_attachments_add(self._c, given))

    def attach(self, component: int, masters: Mapping[int, np.ndarray],
               directions: Optional[Sequence[int]] = None, term=None) -> None:
        """v_k = sum_j A_kj v_j + g_k.

        Args:
            component: id of k.
            masters: {id of j: A_kj (rows, velocities of j)}; rows: the attached velocities of k.
            directions (rows): which velocities of k, ascending from 0; None: all.
            term (rows): g_k [as v_k]; None: 0.
        """
        keep = [np.asfortranarray(block, dtype=np.float64) for block in masters.values()]
        if any(block.ndim != 2 for block in keep):
            raise ValueError("a block A_kj has two dimensions")
        blocks = ffi.new("saddle_attachment_block[]", max(1, len(keep)))
        for to, id, block in zip(blocks, masters, keep):
            to.master, (to.rows, to.cols) = id, block.shape
            to.value = doubles(block.T)
        given = ffi.new("saddle_attachment *")
        given.component, given.block_count, given.blocks = component, len(keep), blocks
        if directions is not None:
            keep.append(np.ascontiguousarray(directions, dtype=np.int64))
            given.direction_count, given.directions = keep[-1].size, integers(keep[-1])
        if term is not None:
            rows = keep[0].shape[0] if len(masters) else (
                self.component(component).size if directions is None else given.direction_count)
            keep.append(vector(term, rows, "term"))
            given.term = doubles(keep[-1])
        check(self._context, lib.saddle_attachments_attach(self._c, given))

    def detach(self, component: int) -> None:
        """The component of the id becomes active again."""
        check(self._context, lib.saddle_attachments_detach(self._c, component))

    def prescribe(self, component: int, velocity) -> None:
        """The velocity (size) [m/s, rad/s] of a parametric component."""
        given = vector(velocity, self.component(component).size, "velocity")
        check(self._context, lib.saddle_attachments_prescribe(self._c, component, doubles(given)))

    def component(self, id: int) -> Component:
        """The component of the id."""
        index = lib.saddle_attachments_index(self._c, id)
        if index < 0:
            raise KeyError(f"there is no component {id}")
        seen = lib.saddle_attachments_component(self._c, index)
        c = seen.component
        size = c.size or (3 if c.kind == KINDS["particle"] else 6)
        return Component(c.id, text(c.name), list(KINDS)[c.kind], size, seen.first,
                         STATES[seen.state])

    @property
    def components(self) -> List[Component]:
        """In the order of adding."""
        count = lib.saddle_attachments_count(self._c)
        return [self.component(lib.saddle_attachments_component(self._c, k).component.id)
                for k in range(count)]

    @property
    def n(self) -> int:
        """Velocities of all components."""
        return lib.saddle_attachments_velocities(self._c)

    def order(self) -> List[int]:
        """Ids, masters before what is attached to them; a loop raises InvalidProblem with the names
        along it."""
        order = np.zeros(max(1, len(self.components)), dtype=np.int64)
        check(self._context, lib.saddle_attachments_order(self._c, integers(order)))
        ids = [component.id for component in self.components]
        return [ids[k] for k in order[:len(ids)]]

    def whole(self, problem: Problem) -> Problem:
        """The problem with every attached and prescribed velocity kept as an equality row behind
        the others: (n) velocities, (m + p) rows."""
        raw = ffi.new("saddle_problem *")
        check(self._context, lib.saddle_attachments_keep(self._context.pointer, self._c, problem._c,
                                                         raw))
        return Problem._taken(self._context, raw)

    @classmethod
    def read(cls, path) -> Tuple[Problem, Optional["Attachments"]]:
        """A bundle with attachments (docs/formats.md): the unreduced problem and its graph; None
        where the bundle has none."""
        self = cls.__new__(cls)
        self._context = Context()
        raw, pointer = ffi.new("saddle_problem *"), ffi.new("saddle_attachments **")
        check(self._context, lib.saddle_attachments_read(self._context.pointer, str(path).encode(),
                                                         raw, pointer))
        problem = Problem._taken(self._context, raw)
        if pointer[0] == ffi.NULL:
            return problem, None
        self._c = owned(self, pointer[0], lib.saddle_attachments_free)
        return problem, self

    def write(self, path, problem: Problem) -> None:
        """A bundle folder of the unreduced problem and the graph."""
        check(self._context, lib.saddle_attachments_write(self._context.pointer, str(path).encode(),
                                                          problem._c, self._c))


class Reduction(Owner):
    """v = Q u + d eliminated: M' = Q'MQ, f' = Q'(f - M d), J' = J Q, b' = b - J d.

    Args:
        attachments: the graph.
        problem: in all velocities of the graph, in its order (n).
        wish: "choose" by the predicted work, "eliminate", or "keep" as rows.
        each: {id of a component: wish}, where other than wish.
    """

    def __init__(self, attachments: Attachments, problem: Problem, wish: str = "choose",
                 each: Optional[Mapping[int, str]] = None) -> None:
        self._context = Context()
        self._unreduced = problem
        wishes = self._wishes(attachments, each or {})
        pointer = ffi.new("saddle_elimination **")
        check(self._context, lib.saddle_elimination_create(
            self._context.pointer, attachments._c, problem._c, self._wish(wish), wishes, ffi.NULL,
            pointer))
        self._c = owned(self, pointer[0], lib.saddle_elimination_free)

    @staticmethod
    def _wish(wish: str) -> int:
        if wish not in WISHES:
            raise ValueError(f"wish is {wish!r}, not one of {', '.join(WISHES)}")
        return WISHES[wish]

    def _wishes(self, attachments: Attachments, each: Mapping[int, str]):
        ids = [component.id for component in attachments.components]
        array = ffi.new("saddle_wish[]", max(1, len(ids)))
        for id, wish in each.items():
            if id not in ids:
                raise KeyError(f"there is no component {id}")
            array[ids.index(id)] = self._wish(wish)
        return array

    def form(self, attachments: Attachments, problem: Problem) -> None:
        """New values of the same graph and patterns; the choice stays."""
        check(self._context, lib.saddle_elimination_form(self._c, attachments._c, problem._c))
        self._unreduced = problem

    @property
    def problem(self) -> Problem:
        """The reduced problem, (n') velocities and (m) rows and those kept; a copy."""
        raw = ffi.new("saddle_problem *")
        check(self._context, lib.saddle_problem_copy(self._context.pointer,
                                                     lib.saddle_elimination_problem(self._c), raw))
        return Problem._taken(self._context, raw)

    @property
    def active(self) -> np.ndarray:
        """(n'): the index in v of each velocity of the reduced problem."""
        map = lib.saddle_elimination_map(self._c)
        return view(lib.saddle_map_active(map), lib.saddle_map_size_of(map).active,
                    "int64_t").copy()

    @property
    def report(self) -> Dict[str, Union[int, float]]:
        """saddle_elimination_report: n, m, multipliers, reduced_n, reduced_m, eliminated, kept,
        width, map_entries, analyses; work, work_eliminated, work_kept [flops]."""
        c = lib.saddle_elimination_report_of(self._c)
        return {name: getattr(c, name) for name, _ in ffi.typeof(c).fields}

    def recover(self, solution: Solution) -> Solution:
        """The solution of the whole problem, from that of the reduced one: v (n); impulse (m + p),
        at its end what each attachment and prescribed velocity carries [N s, N m s]."""
        keep: list = []
        report = lib.saddle_elimination_report_of(self._c)
        rows = report.m + report.multipliers
        whole = Solution(np.zeros(report.n), np.zeros(rows), np.zeros(rows))
        to = whole._c(keep)
        check(self._context, lib.saddle_elimination_recover(self._c, self._unreduced._c,
                                                            solution._c(keep), to))
        return whole
