# SPDX-License-Identifier: MIT
"""A rigid sphere pressed into an elastic half-space without friction, beside Hertz' closed form.

    F = 4/3 E* sqrt(R) d^(3/2),   a^2 = R d,   p(r) = p0 sqrt(1 - r^2/a^2),   p0 = 3 F / (2 pi a^2),   E* = E / (1 - nu^2)

The block is axisymmetric: radius and depth are BLOCK contact radii.  Rows: u = 0 at the bottom, and for each node of
the surface 0 <= lambda _|_ r^2/(2R) - d - u_z >= 0.  GetFEM assembles, saddle solves; the error of the pressure
falls with the size of the elements.

    python3 hertz.py [ELEMENTS...]          elements across the contact radius (4 8 16); python3-getfem
"""
import sys

import numpy as np
import scipy.sparse as sparse

try:
    import getfem
except ImportError as absent:
    print("skipped: python3-getfem is absent:", absent)
    sys.exit(77)

YOUNG, POISSON, RADIUS, DEPTH = 2e7, 0.3, 1.0, 0.01  # [Pa], [-], [m], [m]
BLOCK, GROWTH = 40, 1.15
PLANE_MODULUS = YOUNG / (1 - POISSON**2)
# Strains of a ring: the three of the plane and u_r / r around the axis.
ENERGY = ("2*pi*X(1)*(lame*(Div_u + u(1)/X(1))*(Div_Test_u + Test_u(1)/X(1))"
          " + 2*shear*(Sym(Grad_u):Grad_Test_u + u(1)*Test_u(1)/sqr(X(1))))")


def graded(step, fine, end):
    """Points from 0 to end: steps up to `fine`, then growing ones."""
    points = list(np.arange(0, fine + step / 2, step))
    while points[-1] < end:
        step *= GROWTH
        points.append(points[-1] + step)
    return np.array(points)


def assembled(elements):
    """K (n, n), the mesh's points of each velocity (2, n), and the ring's area of each node of the surface (n)."""
    radius = np.sqrt(RADIUS * DEPTH)
    across = graded(radius / elements, 1.5 * radius, BLOCK * radius)
    mesh = getfem.Mesh("cartesian", across, -across[::-1])
    faces = mesh.outer_faces()
    mesh.set_region(1, faces[:, mesh.normal_of_faces(faces)[1] > 0.5])
    fem = getfem.MeshFem(mesh, 2)
    fem.set_classical_fem(1)
    integration = getfem.MeshIm(mesh, 6)
    lame = YOUNG * POISSON / ((1 + POISSON) * (1 - 2 * POISSON))
    words = ["u", 1, fem, np.zeros(fem.nbdof()), "lame", 0, [lame], "shear", 0, [YOUNG / (2 * (1 + POISSON))]]
    K = getfem.asm_generic(integration, 2, ENERGY, -1, *words)
    K.to_csc()
    start, row = K.csc_ind()
    area = getfem.asm_generic(integration, 1, "2*pi*X(1)*Test_u(2)", 1, *words)
    K = sparse.csc_matrix((K.csc_val(), row, start), shape=(fem.nbdof(), fem.nbdof()))
    return K, fem.basic_dof_nodes(), np.ravel(area)


def pressed(elements):
    """The force F and the nodes' r and pressure."""
    import saddle

    K, at, area = assembled(elements)
    n, vertical = K.shape[0], np.arange(K.shape[0]) % 2 == 1
    held = np.nonzero((at[1] < at[1].min() + 1e-9) | (~vertical & (at[0] < 1e-12)))[0]
    surface = np.nonzero(vertical & (at[1] > -1e-12) & (at[0] < 3 * np.sqrt(RADIUS * DEPTH)))[0]
    J = sparse.csr_matrix((np.r_[np.ones(len(held)), -np.ones(len(surface))],
                           (np.arange(len(held) + len(surface)), np.r_[held, surface])),
                          shape=(len(held) + len(surface), n))
    b = np.r_[np.zeros(len(held)), DEPTH - at[0, surface]**2 / (2 * RADIUS)]
    lo = np.r_[np.full(len(held), -np.inf), np.zeros(len(surface))]
    force = saddle.solve(saddle.Problem(K, J, b=b, lo=lo)).impulse[len(held):]
    return force.sum(), at[0, surface], force / area[surface]


def main(*numbers):
    errors = []
    csv = "--csv" in numbers
    numbers = [int(number) for number in numbers if number != "--csv"]
    print("elements,F / Hertz,p(0) / p0,error of p(r) / p0" if csv else
          "elements    F / Hertz    p(0) / p0    error of p(r) / p0, root of its mean square")
    for elements in numbers or (4, 8, 16):
        F, r, pressure = pressed(elements)
        a = (3 * F * RADIUS / (4 * PLANE_MODULUS)) ** (1 / 3)
        p0 = 3 * F / (2 * np.pi * a**2)
        hertz = p0 * np.sqrt(np.maximum(0, 1 - (r / a)**2))
        order = np.argsort(r)
        weight = np.gradient(r[order]**2)  # rings
        errors.append(np.sqrt(((pressure - hertz)[order]**2 * weight).sum() / weight[r[order] <= a].sum()) / p0)
        depth_form = 4 / 3 * PLANE_MODULUS * np.sqrt(RADIUS) * DEPTH**1.5
        print(("{:d},{:.4f},{:.4f},{:.4f}" if csv else "{:8d} {:12.4f} {:12.4f} {:12.4f}").format(
            elements, F / depth_form, pressure[order][0] / p0, errors[-1]), flush=True)
    assert all(fine < coarse for coarse, fine in zip(errors, errors[1:])), "no better on a finer mesh"
    assert errors[-1] < 0.05 and abs(F / depth_form - 1) < 0.05


if __name__ == "__main__":
    getfem.util_trace_level(0)
    main(*sys.argv[1:])
