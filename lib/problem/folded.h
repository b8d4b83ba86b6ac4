/* SPDX-License-Identifier: MIT */
#include "problem/kkt.h"
