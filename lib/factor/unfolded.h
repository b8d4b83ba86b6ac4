/* SPDX-License-Identifier: MIT */
#include "matrix/whole_rows.h"
