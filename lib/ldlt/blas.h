/* SPDX-License-Identifier: MIT */
/* The BLAS called by the engine, by Fortran names. */
#ifndef SADDLE_LIB_LDLT_BLAS_H
#define SADDLE_LIB_LDLT_BLAS_H

#include <stddef.h>

void dgemm_(const char *transa, const char *transb, const int *m, const int *n, const int *k,
            const double *alpha, const double *a, const int *lda, const double *b, const int *ldb,
            const double *beta, double *c, const int *ldc, size_t transa_length,
            size_t transb_length);
void dsyrk_(const char *uplo, const char *trans, const int *n, const int *k, const double *alpha,
            const double *a, const int *lda, const double *beta, double *c, const int *ldc,
            size_t uplo_length, size_t trans_length);
void dtrsm_(const char *side, const char *uplo, const char *transa, const char *diag, const int *m,
            const int *n, const double *alpha, const double *a, const int *lda, double *b,
            const int *ldb, size_t side_length, size_t uplo_length, size_t transa_length,
            size_t diag_length);
void dtrsv_(const char *uplo, const char *trans, const char *diag, const int *n, const double *a,
            const int *lda, double *x, const int *incx, size_t uplo_length, size_t trans_length,
            size_t diag_length);
void dgemv_(const char *trans, const int *m, const int *n, const double *alpha, const double *a,
            const int *lda, const double *x, const int *incx, const double *beta, double *y,
            const int *incy, size_t trans_length);

#endif
