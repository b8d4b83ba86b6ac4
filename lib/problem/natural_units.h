/* SPDX-License-Identifier: MIT */
#include "problem/verdict.h"
