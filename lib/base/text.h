/* SPDX-License-Identifier: MIT */
#include "base/context_internal.h"
