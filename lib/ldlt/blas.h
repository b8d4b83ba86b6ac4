/* SPDX-License-Identifier: MIT */
#include "dense/lapack.h"
