/* SPDX-License-Identifier: MIT */
#include "problem/problem_internal.h"
