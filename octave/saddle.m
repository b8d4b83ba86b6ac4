% SPDX-License-Identifier: MIT

% saddle  Constrained mechanical systems as one sparse saddle-point problem.
%
%     x = saddle ("solve", problem)            x = saddle ("solve", problem, options)
%     r = saddle ("check", problem, x)
%
%     M v - J'lambda     = f        n rows
%     J v + R lambda - b = w        m rows
%
% problem: a struct with some of the fields
%     M (n x n)       mass or effective mass, both triangles; absent: n = 0
%     J (m x n)       one row per constraint
%     R (m x m)       compliance or regularization; absent: zero
%     f (n), b (m)    absent: zero
%     lo, hi (m)      lo <= lambda <= hi; absent: all rows are equalities
%     contacts        rows (c x 3) or (c x 5): first row, counted from 1; rows of the contact; mu; torsion, rolling [m]
%     law             of contacts: "cone", "pyramid", "box" or "associated"
%     facets          of pyramids in space; 0 = 8
%
% options: a struct with some of the fields solver ("auto"), tolerance (1e-10), max_iterations, time_limit [s],
%     regularization, settings ("pivot.basis=dense"), accept (true: return what is not solved to the tolerance)
%
% x: v (n), lambda (m), w (m), status ("SADDLE_OK", ..), message, solver, note, iterations,
%     residual: total, dynamics, rows, cone, local, growth, as r has them: of any x with v and lambda
%
% An error has the library's message and the identifier "saddle:SADDLE_SINGULAR", "saddle:SADDLE_INFEASIBLE", ..
%
% Installing: mkoctfile --mex saddle_mex.c -lsaddle (Octave), or mex saddle_mex.c -lsaddle (MATLAB), and this folder on the
% path.
function x = saddle (verb, problem, other)
  if (nargin < 2 || ~ischar (verb) || ~isstruct (problem) || (nargin > 2 && ~isstruct (other)))
    error ('saddle:SADDLE_INVALID_ARGUMENT', 'saddle: the arguments are a verb, a problem, and options or a solution');
  end
  if (nargin < 3)
    other = struct ();
  end
  switch (verb)
    case 'solve'
      given = completed (problem);
      known_fields (other, {'solver', 'tolerance', 'max_iterations', 'time_limit', 'regularization', 'settings', 'accept'}, ...
                    'options');
      x = saddle_mex ('solve', given, other);
      accepted = isfield (other, 'accept') && other.accept;
      if (~strcmp (x.status, 'SADDLE_OK') && ~accepted)
        said = x.message;
        if (isempty (said))
          said = sprintf ('residual %g; options.accept = true returns such results', x.residual.total);
        end
        error (['saddle:', x.status], '%s: %s', x.status, said);
      end
    case 'check'
      if (~isfield (other, 'v') || ~isfield (other, 'lambda'))
        error ('saddle:SADDLE_INVALID_ARGUMENT', 'saddle: a solution has the fields v and lambda');
      end
      x = saddle_mex ('check', completed (problem), columns (other));
    otherwise
      error ('saddle:SADDLE_INVALID_ARGUMENT', 'saddle: the verb is "%s", not "solve" or "check"', verb);
  end
end

% Sizes, sparse matrices, full columns, contacts with five columns.
function given = completed (problem)
  known_fields (problem, {'M', 'J', 'R', 'f', 'b', 'lo', 'hi', 'contacts', 'law', 'facets'}, 'problem');
  given = columns (problem);
  given.n = 0;
  given.m = 0;
  if (isfield (problem, 'M'))
    given.n = size (problem.M, 1);
  end
  for name = {'J', 'R', 'b'}
    if (given.m == 0 && isfield (problem, name{1}))
      given.m = size (given.(name{1}), 1);
    end
  end
  for name = {'M', 'J', 'R'}
    if (isfield (problem, name{1}) && ~isempty (problem.(name{1})))
      given.(name{1}) = sparse (double (problem.(name{1})));
    end
  end
  if (isfield (problem, 'contacts') && size (problem.contacts, 2) == 3)
    given.contacts = [problem.contacts, zeros(size (problem.contacts, 1), 2)];
  end
end

function given = columns (given)
  for name = {'f', 'b', 'lo', 'hi', 'v', 'lambda', 'w'}
    if (isfield (given, name{1}))
      given.(name{1}) = full (double (given.(name{1})(:)));
    end
  end
end

function known_fields (given, names, what)
  for name = fieldnames (given)'
    if (~any (strcmp (name{1}, names)))
      error ('saddle:SADDLE_INVALID_ARGUMENT', 'saddle: %s has no field "%s"', what, name{1});
    end
  end
end
