% SPDX-License-Identifier: MIT
% Claims of saddle.m, against Octave's own linear algebra.
function test_saddle ()
  claims = {@equality_rows_equal_the_dense_solve, @a_block_rests_and_slides_on_a_plane, ...
            @bounds_are_complementary, @a_linear_complementarity_problem_without_velocities, ...
            @the_checker_sees_a_wrong_solution, @errors_have_the_librarys_message, ...
            @results_above_the_tolerance_raise_unless_accepted, @dense_and_sparse_give_the_same_bits, ...
            @help_names_the_fields};
  failed = 0;
  for k = 1:numel (claims)
    try
      claims{k} ();
      printf ("[       OK ] %s\n", func2str (claims{k}));
    catch problem
      failed++;
      printf ("[  FAILED  ] %s: %s\n", func2str (claims{k}), problem.message);
    end
  end
  exit (failed > 0);
end

function [M, J, f, b] = drawn (n, m)
  rand ("seed", 7);
  A = rand (n);
  M = A * A' + eye (n);
  J = rand (m, n) - 0.5;
  f = rand (n, 1);
  b = rand (m, 1);
end

function equality_rows_equal_the_dense_solve ()
  [M, J, f, b] = drawn (12, 5);
  x = saddle ("solve", struct ("M", M, "J", J, "f", f, "b", b));
  twin = [M, -J'; J, zeros(5)] \ [f; b];
  assert (x.v, twin(1:12), 1e-11);
  assert (x.lambda, twin(13:end), 1e-10);
  assert (x.status, "SADDLE_OK");
  assert (x.residual.total < 1e-13);
end

function a_block_rests_and_slides_on_a_plane ()
  % 2 kg pressed with 20 N s, pulled with 5 and 15 N s, mu 0.5: it sticks, it slides with (15 - 10) / 2
  problem = struct ("M", 2 * eye (3), "J", eye (3)([3 1 2], :), "contacts", [1 3 0.5], "law", "cone");
  problem.f = [5 0 -20];
  x = saddle ("solve", problem);
  assert (x.v, zeros (3, 1), 1e-9);
  assert (x.lambda, [20; -5; 0], 1e-8);
  problem.f = [15; 0; -20];
  x = saddle ("solve", problem);
  assert (x.v, [2.5; 0; 0], 1e-8);
  assert (x.lambda, [20; -10; 0], 1e-7);
end

function bounds_are_complementary ()
  [M, J, f, b] = drawn (12, 5);
  x = saddle ("solve", struct ("M", sparse (M), "J", sparse (J), "f", f, "b", b, "lo", zeros (5, 1)));
  assert (all (x.lambda >= 0) && all (x.w >= -1e-9));
  assert (abs (x.lambda' * x.w) < 1e-8);
  assert (J * x.v - b, x.w, 1e-10);
end

function a_linear_complementarity_problem_without_velocities ()
  R = [2 1; 1 2];
  x = saddle ("solve", struct ("R", R, "b", [5; -1], "lo", [0 0]));
  assert (x.v, zeros (0, 1));
  assert (x.lambda, [2.5; 0], 1e-10);
  assert (x.w, [0; 3.5], 1e-10);
end

function the_checker_sees_a_wrong_solution ()
  [M, J, f, b] = drawn (12, 5);
  problem = struct ("M", M, "J", J, "f", f, "b", b);
  x = saddle ("solve", problem);
  assert (saddle ("check", problem, x).total < 1e-13);
  wrong = struct ("v", x.v' * 1.001, "lambda", x.lambda);
  error_of_v = abs (M * wrong.v' - J' * x.lambda - f);
  terms = abs (M) * abs (wrong.v') + abs (J') * abs (x.lambda) + abs (f);
  assert (saddle ("check", problem, wrong).dynamics, max (error_of_v ./ terms), 1e-12);
end

function raises (identifier, words, varargin)
  try
    saddle (varargin{:});
  catch problem
    assert (problem.identifier, ["saddle:", identifier]);
    assert (isempty (words) || any (strfind (problem.message, words)), problem.message);
    return;
  end
  error ("nothing was raised");
end

function errors_have_the_librarys_message ()
  [M, J, f, b] = drawn (4, 2);
  raises ("SADDLE_INVALID_ARGUMENT", "f: 3 entries, not 4", "solve", struct ("M", M, "f", f(1:3)));
  raises ("SADDLE_INVALID_ARGUMENT", "J: 2 x 3, not 2 x 4", "solve", struct ("M", M, "J", J(:, 1:3)));
  raises ("SADDLE_INVALID_ARGUMENT", "no field \"mass\"", "solve", struct ("mass", M));
  raises ("SADDLE_INVALID_ARGUMENT", "not \"solve\" or \"check\"", "guess", struct ());
  raises ("SADDLE_INVALID_ARGUMENT", "law: not cone", "solve", struct ("M", M, "J", J, "law", "ice"));
  raises ("SADDLE_INVALID_ARGUMENT", "v and lambda", "check", struct ("M", M), struct ("v", f));
  raises ("SADDLE_INVALID_PROBLEM", "M: entry (2, 1) is nan", "solve", struct ("M", [1 NaN; NaN 1]));
  raises ("SADDLE_INVALID_PROBLEM", "contact 1", "solve", struct ("M", M, "J", J, "contacts", [2 3 0.5]));
  raises ("SADDLE_INVALID_ARGUMENT", "whole number", "solve", struct ("M", M, "J", J, "contacts", [NaN 3 0.5]));
  raises ("SADDLE_INVALID_ARGUMENT", "whole number", "solve", struct ("M", M), struct ("max_iterations", 1e300));
  raises ("SADDLE_UNKNOWN_NAME", "no solver named", "solve", struct ("M", M), struct ("solver", "magic"));
  raises ("SADDLE_SINGULAR", "", "solve", struct ("M", zeros (2), "f", [1; 0]));
  raises ("SADDLE_INFEASIBLE", "", "solve", struct ("M", eye (2), "J", [1 1; 2 2], "b", [1; 3]));
end

function results_above_the_tolerance_raise_unless_accepted ()
  n = 40;
  J = eye (n) - diag (ones (n - 1, 1), -1);
  problem = struct ("M", eye (n), "J", J, "f", -ones (n, 1), "lo", zeros (n, 1));
  options = struct ("solver", "gauss-seidel", "max_iterations", 2);
  raises ("SADDLE_ITERATION_LIMIT", "", "solve", problem, options);
  options.accept = true;
  x = saddle ("solve", problem, options);
  assert (x.status, "SADDLE_ITERATION_LIMIT");
  assert (numel (x.v), n);
  assert (x.iterations, 2);
end

function dense_and_sparse_give_the_same_bits ()
  [M, J, f, b] = drawn (12, 5);
  x = saddle ("solve", struct ("M", M, "J", J, "f", f, "b", b));
  y = saddle ("solve", struct ("M", sparse (M), "J", sparse (J), "f", sparse (f), "b", b'));
  assert (x.v == y.v);
end

function help_names_the_fields ()
  text = evalc ("help saddle");
  for word = {"contacts", "tolerance", "lambda", "mkoctfile"}
    assert (! isempty (strfind (text, word{1})));
  end
end
