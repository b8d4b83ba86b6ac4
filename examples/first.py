# SPDX-License-Identifier: MIT
import numpy as np
import saddle

M = np.diag([1.0, 1.0, 2.0, 2.0])                        # velocities x1 y1 x2 y2 [m/s]; any scipy.sparse matrix
J = np.array([[0.6, -0.8, 0, 0], [-1, 0, 1, 0]])         # rows: each rod's direction
x = saddle.solve(saddle.Problem(M, J, f=[0, -0.0981, 0, -0.1962]))
print(x.v, x.impulse, x.report["residual"]["total"])
exact = saddle.reference(saddle.Problem(M, J, f=[0, -0.0981, 0, -0.1962]), x)
print(f"{exact.velocity_error.digits:.0f} correct digits ({exact.note})")
