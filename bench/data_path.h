/* SPDX-License-Identifier: MIT */
/* Where the public files are: SADDLE_DATA, else ../shared/data beside the checkout. */
#ifndef SADDLE_BENCH_DATA_PATH_H
#define SADDLE_BENCH_DATA_PATH_H

/* Path of a file of the data folder; static storage, that of the last two calls stays. */
const char *bench_data_path(const char *relative);

#endif
