# SPDX-License-Identifier: MIT
"""Problems: M v - J'lambda = f, J v + R lambda - b = w, with the laws of the rows."""
from __future__ import annotations

from typing import Optional, Sequence

import numpy as np
import scipy.sparse as sparse

from ._library import Context, Owner, check, ffi, lib, owned, text

LAWS = {"cone": 0, "pyramid": 1, "box": 2, "associated": 3}


def doubles(array: np.ndarray):
    return ffi.cast("double *", ffi.from_buffer(array)) if array.size else ffi.NULL


def integers(array: np.ndarray):
    return ffi.cast("int64_t *", ffi.from_buffer(array)) if array.size else ffi.NULL


def vector(values, length: Optional[int], name: str, copy: bool = False) -> np.ndarray:
    """A contiguous float64 array of the given length; not copied where values are one, unless asked."""
    array = np.ascontiguousarray(values, dtype=np.float64).ravel()
    if copy and isinstance(values, np.ndarray) and np.shares_memory(array, values):
        array = array.copy()
    if length is not None and array.size != length:
        raise ValueError(f"{name} has {array.size} entries, not {length}")
    return array


def view(pointer, count: int, kind: str = "double", owner=None) -> np.ndarray:
    """An array on memory of the library, which keeps owner alive; without, valid as long as the memory."""
    size = ffi.sizeof(kind)
    if count == 0 or pointer == ffi.NULL:
        return np.zeros(0, dtype=np.float64 if kind == "double" else np.int64)
    if owner is not None:
        pointer = ffi.gc(pointer, owner.stay)
    return np.frombuffer(ffi.buffer(pointer, count * size),
                         dtype=np.float64 if kind == "double" else np.int64)


class Contacts:
    """Contacts of a problem.

    Args:
        row (c): the first row of each contact, the normal one, counted from 0.
        mu (c, or a number): friction coefficients [-].
        size (c, or a number): rows of each, 2 (plane) to 6 (torsion and rolling).
        torsion, rolling (c, or a number): coefficients of torsional and rolling friction [m].
    """

    def __init__(self, row, mu, size=3, torsion=0.0, rolling=0.0) -> None:
        self.row = np.ascontiguousarray(row, dtype=np.int64).ravel()
        count = self.row.size
        self.size = np.broadcast_to(np.asarray(size, dtype=np.int64), count).copy()
        self.mu, self.torsion, self.rolling = (
            np.broadcast_to(np.asarray(x, dtype=np.float64), count).copy()
            for x in (mu, torsion, rolling))

    def __len__(self) -> int:
        return self.row.size

    def __repr__(self) -> str:
        return f"Contacts({len(self)})"


class _Matrix:
    """A CSC matrix as a saddle_matrix; the arrays are kept here, copies of the caller's."""

    def __init__(self, matrix: sparse.csc_matrix) -> None:
        count = int(matrix.indptr[-1])
        self.start = matrix.indptr.astype(np.int64)
        self.index = matrix.indices[:count].astype(np.int64)
        self.value = matrix.data[:count].astype(np.float64)
        self.shape = matrix.shape

    def fill(self, to) -> None:
        to.rows, to.cols = self.shape
        to.start, to.index = integers(self.start), integers(self.index)
        to.value = doubles(self.value)
        to.symmetry, to.owner, to.context = 0, 0, ffi.NULL


def _compressed(matrix, shape, name: str) -> sparse.csc_matrix:
    """Sorted columns without duplicates; None: no entries."""
    if matrix is None:
        return sparse.csc_matrix(shape, dtype=np.float64)
    result = sparse.csc_matrix(matrix, dtype=np.float64)
    if result.shape != shape:
        raise ValueError(f"{name} is {result.shape[0]} x {result.shape[1]}, "
                         f"not {shape[0]} x {shape[1]}")
    if not result.has_canonical_format:
        result = result.copy()  # the caller's arrays stay as they are
        result.sum_duplicates()
    return result


def _from_c(matrix, context=None) -> sparse.csc_matrix:
    """A copy of a saddle_matrix; both triangles of a symmetric one."""
    shape = (matrix.rows, matrix.cols)
    if matrix.start == ffi.NULL:
        return sparse.csc_matrix(shape)
    start = view(matrix.start, matrix.cols + 1, "int64_t").copy()
    count = int(start[-1])
    result = sparse.csc_matrix((view(matrix.value, count).copy(),
                                view(matrix.index, count, "int64_t").copy(), start), shape=shape)
    if matrix.symmetry == 1:
        result = result + sparse.tril(result, -1).T
    return sparse.csc_matrix(result)


class Problem(Owner):
    """The saddle-point problem.

        M v - J'lambda     = f        n rows    M  (n, n)
        J v + R lambda - b = w        m rows    J  (m, n),  R  (m, m)

    A row with bounds lo <= lambda <= hi has w = 0 strictly between, w >= 0 at lo and w <= 0 at hi;
    without bounds it is an equality.  Rows of contacts follow the law instead.

    Args:
        M: mass or effective mass, any scipy.sparse matrix or dense array, both triangles; measured
            for symmetry by the library.  None: n = 0, a complementarity problem in R and -b.
        J: one row per constraint.  None: no constraints, or n = 0.
        R: compliance or regularization; None: zero.
        f (n), b (m): None = zero.   lo, hi (m): None = all rows are equalities.
        contacts: a Contacts.   law: "cone", "pyramid", "box" or "associated".
        facets: of pyramids in space; 0 = 8.
        row_ids (m): integers, stable over the steps of a run; warm starts follow them.
        row_names (m): for messages; entries may be None.

    Arrays are copied: changes of the caller's own do not change the problem.
    """

    def __init__(self, M=None, J=None, R=None, f=None, b=None, lo=None, hi=None,
                 contacts: Optional[Contacts] = None, law: str = "cone", facets: int = 0,
                 row_ids: Optional[Sequence[int]] = None,
                 row_names: Optional[Sequence[Optional[str]]] = None, name: str = "",
                 time_step: float = 0.0) -> None:
        self._keep: list = []
        self._c = ffi.new("saddle_problem *")
        c = self._c
        c.n = 0 if M is None else np.shape(M)[0]
        c.m = self._rows(J, R, b)
        self._set_matrices(M, J, R)
        for field, values, length in (("f", f, c.n), ("b", b, c.m), ("lo", lo, c.m), ("hi", hi, c.m)):
            if values is not None:
                setattr(c, field, doubles(self._held(vector(values, length, field, True))))
        self._set_contacts(contacts, law, facets)
        if row_ids is not None:
            ids = np.array(row_ids, dtype=np.int64)
            if ids.size != c.m:
                raise ValueError(f"row_ids has {ids.size} entries, not {c.m}")
            c.row_id = integers(self._held(ids))
        self._set_names(row_names, name)
        c.time_step = time_step
        context = Context()
        check(context, lib.saddle_problem_check(context.pointer, c, ffi.NULL, ffi.NULL))

    @staticmethod
    def _rows(J, R, b) -> int:
        for matrix in (J, R):
            if matrix is not None:
                return np.shape(matrix)[0]
        return 0 if b is None else int(np.size(b))

    def _held(self, thing):
        self._keep.append(thing)
        return thing

    def _set_matrices(self, M, J, R) -> None:
        c = self._c
        self._held(_Matrix(_compressed(M, (c.n, c.n), "M"))).fill(c.M)
        if J is None:
            Jt = sparse.csc_matrix((c.n, c.m))
        else:
            Jt = sparse.csr_matrix(_compressed(J, (c.m, c.n), "J")).T
        self._held(_Matrix(_compressed(Jt, (c.n, c.m), "J"))).fill(c.Jt)
        self._held(_Matrix(_compressed(R, (c.m, c.m), "R"))).fill(c.R)

    def _set_contacts(self, contacts, law: str, facets: int) -> None:
        c = self._c
        if law not in LAWS:
            raise ValueError(f"law is {law!r}, not one of {', '.join(LAWS)}")
        c.law, c.facets = LAWS[law], facets
        if contacts is None or len(contacts) == 0:
            return
        array = self._held(ffi.new("saddle_contact[]", len(contacts)))
        order = np.argsort(contacts.row, kind="stable")
        for to, k in zip(array, order):
            to.row, to.size, to.mu = (int(contacts.row[k]), int(contacts.size[k]),
                                      float(contacts.mu[k]))
            to.mu_torsion, to.mu_rolling = float(contacts.torsion[k]), float(contacts.rolling[k])
        c.contact_count, c.contacts = len(contacts), array

    def _set_names(self, row_names, name: str) -> None:
        c = self._c
        if row_names is not None:
            if len(row_names) != c.m:
                raise ValueError(f"row_names has {len(row_names)} entries, not {c.m}")
            each = [ffi.NULL if x is None else self._held(ffi.new("char[]", x.encode()))
                    for x in row_names]
            c.row_name = self._held(ffi.new("char *[]", each)) if each else ffi.NULL
        if name:
            c.name = self._held(ffi.new("char[]", name.encode()))

    @classmethod
    def read(cls, path, rhs=None) -> "Problem":
        """Reads any format of docs/formats.md: a bundle, FCLIB, Siconos, Matrix Market (rhs: its
        right-hand side)."""
        self = cls.__new__(cls)
        self._keep = [Context()]
        context = self._keep[0]
        given = ffi.new("saddle_read_options *")
        if rhs is not None:
            given.rhs = self._held(ffi.new("char[]", str(rhs).encode()))
        raw = ffi.new("saddle_problem *")
        check(context, lib.saddle_problem_read(context.pointer, str(path).encode(), given, raw,
                                               ffi.NULL, ffi.NULL, ffi.NULL))
        self._c = owned(self, raw, lib.saddle_problem_clear)
        return self

    @classmethod
    def _taken(cls, context: Context, raw) -> "Problem":
        """Owns a saddle_problem made by the library."""
        self = cls.__new__(cls)
        self._keep = [context]
        self._c = owned(self, raw, lib.saddle_problem_clear)
        return self

    def write(self, path) -> None:
        """Writes a bundle folder, or the format of the name's extension."""
        context = Context()
        check(context, lib.saddle_problem_write(context.pointer, str(path).encode(), 0, self._c))

    n = property(lambda self: self._c.n, doc="velocities")
    m = property(lambda self: self._c.m, doc="constraint rows")
    M = property(lambda self: _from_c(self._c.M), doc="(n, n), a copy")
    J = property(lambda self: _from_c(self._c.Jt).T.tocsr(), doc="(m, n), a copy")
    f = property(lambda self: self._vector("f", self.n), doc="(n), a copy")
    b = property(lambda self: self._vector("b", self.m), doc="(m), a copy")

    @property
    def R(self) -> sparse.csc_matrix:
        """(m, m), a copy; zero where the problem has none."""
        R = self._c.R
        return _from_c(R) if R.rows == self.m else sparse.csc_matrix((self.m, self.m))

    @property
    def lo(self) -> np.ndarray:
        """(m), a copy."""
        return self._vector("lo", self.m, -np.inf)

    @property
    def hi(self) -> np.ndarray:
        """(m), a copy."""
        return self._vector("hi", self.m, np.inf)

    @property
    def law(self) -> str:
        """Of the contacts: "cone", "pyramid", "box" or "associated"."""
        return text(lib.saddle_law_word(self._c.law))

    @property
    def contacts(self) -> Contacts:
        """A copy."""
        each = [self._c.contacts[k] for k in range(self._c.contact_count)]
        return Contacts([x.row for x in each], [x.mu for x in each], [x.size for x in each],
                        [x.mu_torsion for x in each], [x.mu_rolling for x in each])

    def _vector(self, field: str, count: int, missing: float = 0.0) -> np.ndarray:
        pointer = getattr(self._c, field)
        return np.full(count, missing) if pointer == ffi.NULL else view(pointer, count).copy()

    def row_name(self, row: int) -> str:
        """The words of messages: "row 12 (id 40017, left knee)", counted from 1."""
        buffer = ffi.new("char[]", 256)
        lib.saddle_problem_describe_row(self._c, row, buffer, 256)
        return text(buffer)

    def __repr__(self) -> str:
        return f"Problem(n={self.n}, m={self.m}, contacts={self._c.contact_count})"
