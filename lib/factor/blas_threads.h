/* SPDX-License-Identifier: MIT */
#include "base/process.h"
