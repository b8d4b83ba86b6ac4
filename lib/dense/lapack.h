/* SPDX-License-Identifier: MIT */
/* The LAPACK and BLAS that are called beyond the engine's, by their Fortran names. */
#ifndef SADDLE_LIB_LAPACK_H
#define SADDLE_LIB_LAPACK_H

#include "ldlt/blas.h"

void dgetrf_(const int *m, const int *n, double *a, const int *lda, int *ipiv, int *info);
void dgetrs_(const char *trans, const int *n, const int *nrhs, const double *a, const int *lda, const int *ipiv,
             double *b, const int *ldb, int *info, size_t trans_length);
void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info, size_t uplo_length);
void dpotrs_(const char *uplo, const int *n, const int *nrhs, const double *a, const int *lda, double *b, const int *ldb,
             int *info, size_t uplo_length);
void dlaswp_(const int *n, double *a, const int *lda, const int *k1, const int *k2, const int *ipiv, const int *incx);

#endif
