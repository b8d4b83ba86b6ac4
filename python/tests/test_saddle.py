# SPDX-License-Identifier: MIT
"""Claims of the Python package, against numpy and scipy."""
import gc
import os
import pathlib
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import numpy as np
import saddle
import saddle._library as library
import scipy.sparse as sparse
import scipy.sparse.linalg as linalg

ROOT = pathlib.Path(__file__).resolve().parents[2]


def drawn(seed, n=30, m=12):
    random = np.random.default_rng(seed)
    A = sparse.random(n, n, 0.2, random_state=seed)
    M = (A @ A.T + sparse.identity(n)).tocsc()
    J = sparse.random(m, n, 0.4, random_state=seed + 1).tocsr() + sparse.eye(m, n)
    return M, sparse.csr_matrix(J), random.normal(size=n), random.normal(size=m)


def pushed_tower(boxes=40):
    """A tower of boxes, each a contact above the other: gauss-seidel takes long."""
    n = boxes
    J = sparse.eye(n) - sparse.eye(n, k=-1)
    return saddle.Problem(sparse.identity(n), J, f=-np.ones(n), lo=np.zeros(n))


class Solves(unittest.TestCase):
    def test_equality_rows_equal_scipy(self):
        for seed in range(5):
            M, J, f, b = drawn(seed)
            x = saddle.solve(saddle.Problem(M, J, f=f, b=b))
            K = sparse.bmat([[M, J.T], [J, None]], format="csc")
            twin = linalg.spsolve(K, np.concatenate([f, b]))
            np.testing.assert_allclose(x.v, twin[:30], rtol=1e-9, atol=1e-11)
            np.testing.assert_allclose(x.impulse, -twin[30:], rtol=1e-8, atol=1e-10)
            self.assertLess(x.report["residual"]["total"], 1e-14)

    def test_every_form_of_a_matrix_gives_the_same_bits(self):
        M, J, f, b = drawn(7)
        first = saddle.solve(saddle.Problem(M, J, f=f, b=b))
        forms = [sparse.csr_matrix, sparse.coo_matrix, lambda A: A.toarray(),
                 lambda A: sparse.lil_matrix(A), lambda A: np.asfortranarray(A.toarray())]
        for form in forms:
            again = saddle.solve(saddle.Problem(form(M), form(J), f=list(f), b=b[:, None]))
            self.assertTrue(np.array_equal(first.v, again.v))

    def test_unsorted_and_repeated_entries_are_summed(self):
        M = sparse.coo_matrix((np.array([1.0, 1.0, 2.0]), ([0, 0, 1], [0, 0, 1])), shape=(2, 2))
        x = saddle.solve(saddle.Problem(M, f=[2.0, 4.0]))
        np.testing.assert_allclose(x.v, [1.0, 2.0])

    def test_bounds_cones_and_boxes(self):
        x = saddle.solve(saddle.Problem(np.eye(3), np.eye(3), f=[1.0, -1.0, 5.0],
                                        lo=[0, 0, -2], hi=[np.inf, np.inf, 2]))
        np.testing.assert_allclose(x.v, [1, 0, 3])
        np.testing.assert_allclose(x.impulse, [0, 1, -2])
        slide = saddle.Problem(np.eye(3), np.eye(3), f=[-1.0, 3.0, 4.0],
                               contacts=saddle.Contacts([0], 0.5))
        x = saddle.solve(slide)
        np.testing.assert_allclose(x.impulse, [1, -0.3, -0.4], atol=1e-9)
        pressed = saddle.Problem(np.eye(3), np.eye(3), f=[-1.0, 3.0, 4.0], law="associated",
                                 contacts=saddle.Contacts([0], 0.5))
        np.testing.assert_allclose(saddle.solve(pressed).impulse, [2.8, -0.84, -1.12], atol=1e-9)

    def test_a_problem_without_velocities_or_rows(self):
        x = saddle.solve(saddle.Problem(R=[[2.0, 1.0], [1.0, 2.0]], b=[1.0, 1.0], lo=[0, 0]))
        np.testing.assert_allclose(x.impulse, [1 / 3, 1 / 3])
        self.assertEqual(saddle.solve(saddle.Problem()).v.size, 0)
        np.testing.assert_allclose(saddle.solve(saddle.Problem([[4.0]], f=[8.0])).v, [2.0])

    def test_a_solver_is_used_again_with_new_values(self):
        M, J, f, b = drawn(3)
        solver = saddle.Solver("ldlt")
        solver.analyse(saddle.Problem(M, J))
        for k in (1.0, 2.0):
            solver.factor(saddle.Problem(k * M, J))
            x = solver.solve(saddle.Problem(k * M, J, f=f, b=b))
            np.testing.assert_allclose(k * M @ x.v - J.T @ x.impulse, f, atol=1e-10)
        self.assertEqual(solver.report["factorizations"], 2)

    def test_a_warm_start_takes_fewer_iterations(self):
        problem = pushed_tower()
        cold = saddle.solve(problem, "gauss-seidel", tolerance=1e-8)
        warm = saddle.solve(problem, "gauss-seidel", tolerance=1e-8, start=cold)
        self.assertLess(warm.report["iterations"], cold.report["iterations"])

    def test_settings_and_options_reach_the_solver(self):
        M, J, f, b = drawn(4)
        problem = saddle.Problem(M, J, f=f, b=b)
        x = saddle.solve(problem, "ldlt", settings={"ldlt.factorization": "cholmod"}, condition=1)
        self.assertGreater(x.report["condition"], 1)
        with self.assertRaisesRegex(saddle.SaddleError, "factorization"):
            saddle.solve(problem, "ldlt", settings="ldlt.factorization=none")
        with self.assertRaisesRegex(TypeError, "speed"):
            saddle.solve(problem, speed=11)


class Lifetimes(unittest.TestCase):
    def test_arrays_live_as_long_as_the_problem(self):
        M, J, f, b = drawn(9)
        expected = saddle.solve(saddle.Problem(M, J, f=f, b=b)).v
        problem = saddle.Problem(M.copy(), J.copy(), f=f.copy(), b=b.copy())
        del M, J, f, b
        gc.collect()
        rubbish = [np.full(4000, 7.0) for _ in range(50)]
        self.assertTrue(np.array_equal(saddle.solve(problem).v, expected))
        self.assertEqual(len(rubbish), 50)

    def test_results_outlive_their_solver(self):
        x = saddle.solve(pushed_tower())
        gc.collect()
        np.testing.assert_allclose(x.v, 0, atol=1e-9)

    def test_problems_are_read_and_written(self):
        M, J, f, b = drawn(2)
        problem = saddle.Problem(M, J, f=f, b=b, lo=np.zeros(12), name="drawn",
                                 row_names=[f"rod {k}" for k in range(12)])
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "bundle"
            problem.write(path)
            again = saddle.Problem.read(path)
            for name in ("M", "J", "R"):
                self.assertEqual(abs(getattr(problem, name) - getattr(again, name)).sum(), 0)
            for name in ("f", "b", "lo", "hi"):
                self.assertTrue(np.array_equal(getattr(problem, name), getattr(again, name)))
            self.assertIn("rod 3", again.row_name(3))
            self.assertTrue(np.array_equal(saddle.solve(problem).v, saddle.solve(again).v))


    def test_given_arrays_are_neither_changed_nor_shared(self):
        M = sparse.csc_matrix((np.array([1.0, 5.0, 1.0, 3.0]), [1, 0, 1, 1], [0, 3, 4]), shape=(2, 2))
        f, lo = np.array([10.0, 4.0]), np.zeros(2)
        problem = saddle.Problem(M, np.eye(2), f=f, lo=lo)
        np.testing.assert_array_equal(M.data, [1, 5, 1, 3])
        np.testing.assert_array_equal(M.indices, [1, 0, 1, 1])
        np.testing.assert_array_equal(M.indptr, [0, 3, 4])
        M.data[:], M.indices[:], f[:], lo[:] = 0, 7, np.nan, np.nan
        np.testing.assert_allclose(problem.M.toarray(), [[5, 0], [2, 3]])
        np.testing.assert_allclose(problem.f, [10, 4])
        np.testing.assert_allclose(problem.lo, 0)

    def test_a_view_keeps_its_scene(self):
        balls = [{"name": f"ball {k}", "mass": 2, "position": [k, 0, 5]} for k in range(9)]
        x = [saddle.Scene({"particles": balls}).position(8) for _ in range(20)]
        gc.collect()
        rubbish = [np.full(3 * k, 7.0) for k in range(1, 200)]
        self.assertEqual([list(each) for each in x], [[8, 0, 5]] * 20)
        self.assertEqual(len(rubbish), 199)

    def test_objects_in_circles_are_released_before_their_context(self):
        code = """if True:
            import ctypes, gc, saddle, saddle._library as library
            order, model = [], {"particles": [{"name": "ball", "mass": 1}]}

            class Study:
                def __init__(self):
                    self.solver = saddle.Solver(progress=self.progress)
                    self.scene = saddle.Scene(model, progress=self.progress)
                    for thing in (self.solver, self.scene):
                        library.owned(thing, library.ffi.new("int *"), lambda _: order.append("object"))
                        context = thing._context
                        context.last = library.ffi.gc(library.ffi.new("int *"), note)

                def progress(self, *_):
                    return 0

            class Note:
                def __call__(self, _):
                    order.append("context")

            note = Note()
            for _ in range(50):
                Study()
            gc.collect()
            assert (order.count("object"), order.count("context")) == (100, 100), order
            assert order[0] == "object" and order[-1] == "context", order
        """
        said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        self.assertEqual((said.returncode, said.stderr), (0, ""))


class Errors(unittest.TestCase):
    def test_wrong_lengths_name_the_argument(self):
        for given, word in (({"f": [1.0]}, "f has 1"), ({"b": [1.0]}, "b has 1"),
                            ({"lo": [0.0]}, "lo has 1"), ({"row_ids": [1]}, "row_ids has 1")):
            with self.assertRaisesRegex(ValueError, word):
                saddle.Problem(np.eye(3), np.eye(2, 3), **given)
        with self.assertRaisesRegex(ValueError, "J is 2 x 4, not 2 x 3"):
            saddle.Problem(np.eye(3), np.eye(2, 4))
        with self.assertRaisesRegex(ValueError, "law is 'wet'"):
            saddle.Problem(np.eye(3), law="wet")

    def test_statuses_are_exceptions_with_the_librarys_message(self):
        with self.assertRaises(saddle.InvalidProblem) as caught:
            saddle.Problem(np.eye(2), np.eye(2), lo=[1.0, 0.0], hi=[0.0, 1.0])
        self.assertIsInstance(caught.exception, ValueError)
        self.assertEqual(caught.exception.indices, [("row", 0)])
        with self.assertRaises(saddle.UnknownName):
            saddle.Solver("no-such")
        with self.assertRaises(saddle.Unsupported):
            saddle.solve(pushed_tower(), "ldlt")
        with self.assertRaises(saddle.WrongPhase):
            saddle.Solver("ldlt").factor()
        with self.assertRaises(saddle.SaddleError):
            saddle.Problem.read("/no/such/problem")

    def test_errors_have_the_place_as_numbers(self):
        bad = np.array([1.0, np.nan])
        for given, indices in (({"f": bad}, [("velocity", 1)]), ({"b": bad}, [("row", 1)]),
                               ({"R": np.diag(bad)}, [("row", 1), ("row", 1)]),
                               ({"time_step": -1.0}, [])):
            with self.assertRaises(saddle.InvalidProblem) as caught:
                saddle.Problem(np.eye(2), np.eye(2), **given)
            self.assertEqual(caught.exception.indices, indices)
            again = pickle.loads(pickle.dumps(caught.exception))
            self.assertEqual(again.indices, indices)
        with self.assertRaises(saddle.InvalidProblem) as caught:
            saddle.Problem(np.diag(bad))
        self.assertEqual(caught.exception.indices, [("velocity", 1), ("velocity", 1)])
        with self.assertRaises(saddle.InvalidProblem) as caught:
            saddle.Problem(np.eye(2), [[0.0, 1.0], [np.inf, 0.0]])
        self.assertEqual(caught.exception.indices, [("row", 1), ("velocity", 0)])
        with self.assertRaises(saddle.InvalidProblem) as caught:
            saddle.Problem(np.eye(2), np.eye(2), row_names=["a", "row 9"], lo=[0, 1], hi=[1, 0])
        self.assertEqual(caught.exception.indices, [("row", 1)])  # the name is no number

    def test_contradictions_come_with_a_proof(self):
        problem = saddle.Problem(np.eye(2), [[1.0, 1.0], [2.0, 2.0]], b=[1.0, 3.0])
        with self.assertRaises(saddle.Infeasible) as caught:
            saddle.solve(problem)
        z, y = caught.exception.solution.certificate
        np.testing.assert_allclose(problem.M.T @ z + problem.J.T @ y, 0, atol=1e-12)
        self.assertGreater(abs(problem.b @ y), 0.1)
        x = saddle.solve(problem, accept=True)
        self.assertEqual(x.status, "SADDLE_INFEASIBLE")
        self.assertFalse(x.solved)

    def test_a_result_above_the_tolerance_raises_unless_accepted(self):
        with self.assertRaises(saddle.IterationLimit) as caught:
            saddle.solve(pushed_tower(), "gauss-seidel", max_iterations=2)
        self.assertEqual(caught.exception.solution.v.size, 40)
        x = saddle.solve(pushed_tower(), "gauss-seidel", max_iterations=2, accept=True)
        self.assertEqual(x.status, "SADDLE_ITERATION_LIMIT")

    def test_progress_can_stop(self):
        seen = []

        def stop(phase, iteration, residual):
            seen.append(phase)
            return phase == "solve" and iteration >= 3

        with self.assertRaises(saddle.Stopped):
            saddle.solve(pushed_tower(2000), "gauss-seidel", progress=stop, max_iterations=10**6)
        self.assertIn("solve", seen)

    def test_what_a_callback_raises_comes_out(self):
        def fail(phase, iteration, residual):
            raise KeyError(phase)

        with self.assertRaises(KeyError):
            saddle.solve(pushed_tower(), progress=fail)

    def test_each_thread_gets_what_its_own_callback_raised(self):
        def fail(phase, iteration, residual):
            raise KeyError(phase)

        raised, checked, told = threading.Event(), threading.Event(), []

        def run():
            context = library.Context(fail)
            library._progress(context._handle, library.ffi.new("saddle_progress *"))
            raised.set()
            checked.wait(10)
            try:
                library.check(context, 0)
            except KeyError:
                told.append("KeyError")

        thread = threading.Thread(target=run)
        thread.start()
        raised.wait(10)
        saddle.solve(saddle.Problem([[2.0]], f=[2.0]))
        checked.set()
        thread.join()
        self.assertEqual(told, ["KeyError"])

    def test_exceptions_are_pickled_with_their_numbers(self):
        with self.assertRaises(saddle.IterationLimit) as caught:
            saddle.solve(pushed_tower(), "gauss-seidel", max_iterations=2)
        again = pickle.loads(pickle.dumps(caught.exception))
        self.assertIs(type(again), saddle.IterationLimit)
        self.assertEqual((str(again), again.status), (str(caught.exception), 2))
        self.assertEqual(again.solution.v.size, 40)

    def test_solutions_of_wrong_lengths_are_refused(self):
        problem = saddle.Problem(np.eye(2), np.eye(2))
        good = saddle.Solution(np.zeros(2), np.zeros(2))
        self.assertEqual(saddle.check_solution(problem, good).total, 0)
        for bad in (saddle.Solution(np.zeros(2), np.zeros(2), np.zeros(1)),
                    saddle.Solution(np.zeros(3), np.zeros(2)), saddle.Solution(np.zeros(2), [0.0])):
            for judge in (saddle.check_solution, saddle.reference):
                with self.assertRaises(ValueError):
                    judge(problem, bad)
            with self.assertRaises(ValueError):
                saddle.solve(problem, start=bad)
        with self.assertRaises(ValueError):
            saddle.reference(problem, saddle.Solution(np.zeros(2), np.zeros(2), np.full(2, np.nan)))

    def test_unknown_words_are_named(self):
        with self.assertRaisesRegex(ValueError, "ordering is 'fast', not one of best"):
            saddle.Solver(ordering="fast")
        scene = saddle.Scene({"particles": [{"name": "ball", "mass": 1}]})
        with self.assertRaisesRegex(KeyError, "no part is named 'box'"):
            scene.position("box")
        for index in (-1, 1):
            with self.assertRaisesRegex(IndexError, f"no part {index}; there are 1"):
                scene.velocity(index)

    @unittest.skipUnless(hasattr(signal, "raise_signal"), "needs signal.raise_signal")
    def test_control_c_stops_a_solve(self):
        timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
        begin = time.monotonic()
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            saddle.solve(pushed_tower(20000), "gauss-seidel", max_iterations=10**7, time_limit=30.0)
        self.assertLess(time.monotonic() - begin, 20)
        timer.join()
        np.testing.assert_allclose(saddle.solve(saddle.Problem([[2.0]], f=[2.0])).v, [1.0])


class Studies(unittest.TestCase):
    def test_the_checker_recomputes_in_numpy(self):
        M, J, f, b = drawn(5)
        problem = saddle.Problem(M, J, f=f, b=b)
        x = saddle.solve(problem)
        x.v = x.v * (1 + 1e-6)
        found = saddle.check_solution(problem, x)
        M, J = M.toarray(), J.toarray()
        error = abs(M @ x.v - J.T @ x.impulse - f)
        terms = abs(M) @ abs(x.v) + abs(J.T) @ abs(x.impulse) + abs(f)
        self.assertAlmostEqual(found.dynamics, (error / terms).max(), delta=1e-12)

    def test_redundant_rows_are_named(self):
        J = np.array([[1.0, 0, 0], [0, 1, 0], [2, -3, 0], [0, 0, 1]])
        found = saddle.rank(saddle.Problem(np.eye(3), J))
        self.assertEqual((found.rank, found.examined), (3, 4))
        d = found.dependencies[0]
        np.testing.assert_allclose(J[d.row], d.factors @ J[d.others], atol=1e-12)

    def test_the_reference_measures_an_error(self):
        M, J, f, b = drawn(6)
        problem = saddle.Problem(M, J, f=f, b=b)
        x = saddle.solve(problem)
        exact = saddle.reference(problem, x)
        self.assertTrue(exact.certified, exact.note)
        self.assertGreater(exact.velocity_error.digits, 14)
        x.v = exact.v * (1 + 1e-5)
        self.assertAlmostEqual(saddle.reference(problem, x).velocity_error.worst, 1e-5, delta=1e-10)

    def test_solvers_are_listed(self):
        self.assertIn("auto", saddle.solvers())


class Motion(unittest.TestCase):
    def test_free_fall_has_its_closed_form(self):
        scene = saddle.Scene({"gravity": [0, 0, -10], "time_step": 0.01, "integrator": "trapezoidal",
                              "particles": [{"name": "ball", "mass": 2, "position": [0, 0, 5]}]})
        run = scene.simulate(0.5)
        np.testing.assert_allclose(run.position["ball"][:, 2], 5 - 5 * run.time**2, atol=1e-12)
        total = run.energy["kinetic"] + run.energy["gravity"]
        np.testing.assert_allclose(total, total[0], atol=1e-10)

    def test_examples_run(self):
        scene = saddle.Scene(ROOT / "examples" / "scenes" / "box-stack.json")
        report = scene.step()
        self.assertGreater(report["contacts"], 0)
        part = scene.parts[0]
        scene.position(part)[:] = scene.position(part)
        with self.assertRaises(saddle.SaddleError):
            saddle.Scene({"no": "scene"})


class Declarations(unittest.TestCase):
    @unittest.skipUnless(shutil.which("cc"), "needs cc")
    def test_they_come_from_our_headers_alone(self):
        """Where the compiler's own headers lie in a folder of our name, too."""
        with tempfile.TemporaryDirectory() as folder:
            system, output = pathlib.Path(folder) / "saddle" / "system", pathlib.Path(folder) / "cdef.h"
            system.mkdir(parents=True)
            (system / "stddef.h").write_text("#include_next <stddef.h>\ntypedef int stray_type;\n")
            subprocess.run([sys.executable, ROOT / "python" / "make_cdef.py", "cc", ROOT / "include", output],
                           env={**os.environ, "CPATH": str(system)}, check=True)
            self.assertNotIn("stray_type", output.read_text())
            self.assertIn("saddle_solver_solve", output.read_text())


class Readme(unittest.TestCase):
    def test_the_readme_shows_first_py(self):
        first = (ROOT / "examples" / "first.py").read_text().split("\n", 1)[1]
        self.assertIn(f"```python\n{first}```", (ROOT / "README.md").read_text())
        said = subprocess.run([sys.executable, ROOT / "examples" / "first.py"],
                              capture_output=True, text=True, check=True).stdout
        self.assertIn("-0.02065263", said)
        self.assertRegex(said, r"1[5-9] correct digits \(certified\)")


if __name__ == "__main__":
    unittest.main()
