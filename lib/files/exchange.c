/* SPDX-License-Identifier: MIT */
/* Two names exchanged in one step, which POSIX lacks; apart from atomic.c because _GNU_SOURCE
 * changes strerror_r. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>

#include "files/atomic.h"

int saddle__exchange_names(const char *a, const char *b)
{
#ifdef RENAME_EXCHANGE
    return renameat2(AT_FDCWD, a, AT_FDCWD, b, RENAME_EXCHANGE);
#else
    (void)a;
    (void)b;
    errno = ENOSYS;
    return -1;
#endif
}
