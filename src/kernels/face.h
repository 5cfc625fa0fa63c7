/* What both versions of PliFaceLeaf share: face_c.c says why these can be trusted. */
#ifndef PLI_FACE_H
#define PLI_FACE_H

#include "kernels/kernels.h"

#define PLI_FACE_ERROR 0x1p-21f
#define PLI_FACE_LEAST 0x1p-120f

#endif
