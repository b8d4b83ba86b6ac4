/* SPDX-License-Identifier: MIT */
#include "matrix/matrix_internal.h"
