/* SPDX-License-Identifier: MIT */
/* Settings of single solvers that several tests ask for. */
#ifndef SADDLE_TEST_ASKED_H
#define SADDLE_TEST_ASKED_H

#include "factor/factorization.h"

/* Of ldlt and, where lu has it, of lu. */
static inline const char *asked_factorization(saddle_factorization factorization)
{
    switch (factorization) {
    case SADDLE_FACTORIZATION_DEFAULT: break;
    case SADDLE_FACTORIZATION_SUPERNODAL: return "ldlt.factorization=ldlt";
    case SADDLE_FACTORIZATION_CHOLMOD: return "ldlt.factorization=cholmod";
    case SADDLE_FACTORIZATION_UMFPACK: return "ldlt.factorization=umfpack lu.factorization=umfpack";
    case SADDLE_FACTORIZATION_KLU: return "ldlt.factorization=klu lu.factorization=klu";
    case SADDLE_FACTORIZATION_MUMPS: return "ldlt.factorization=mumps lu.factorization=mumps";
    }
    return NULL;
}

#endif
