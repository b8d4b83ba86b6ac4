/* SPDX-License-Identifier: MIT */
#include "base/vector.h"
