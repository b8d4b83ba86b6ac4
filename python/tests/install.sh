#!/bin/sh
# SPDX-License-Identifier: MIT
# install.sh PYTHON SOURCE CDEF: pip installs the package without network and without a compiler, into an
# environment with the system's packages; the first problem of the documentation is solved there.
set -eu
python=$1 source=$2 cdef=$3
if ! "$python" -c "import venv, wheel" 2>/dev/null || ! "$python" -m pip --version >/dev/null 2>&1; then
    echo "skipped: python3-venv, python3-pip or python3-wheel is not installed"
    exit 77
fi
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp -r "$source" "$folder/python"
"$python" -m venv --system-site-packages --without-pip "$folder/env"
unset PYTHONPATH
SADDLE_CDEF=$cdef "$folder/env/bin/python" -m pip --disable-pip-version-check -q install \
    --no-index --no-build-isolation --no-deps "$folder/python"
cd "$folder/env"
"$folder/env/bin/python" - <<'END'
import os, sys
import numpy as np
import saddle
assert os.path.realpath(saddle.__file__).startswith(os.path.realpath(sys.prefix)), saddle.__file__
x = saddle.solve(saddle.Problem(np.eye(2), [[1.0, 1.0]], f=[1.0, 0.0]))
assert np.allclose(x.v, [0.5, -0.5]), x.v
END
