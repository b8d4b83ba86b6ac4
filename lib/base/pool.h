/* SPDX-License-Identifier: MIT */
#include "base/layout.h"
