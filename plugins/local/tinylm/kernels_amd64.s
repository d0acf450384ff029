#include "textflag.h"

// func dots(y, w, x *float32, n, stride, out int, accumulate bool)
//
// y[o] = Σ w[o·stride+i]·x[i], or y[o] += …, for out rows, a multiple of 4. Four rows at a time share the loads of x, and
// their sums do not wait for each other. The order of each sum is that of gonum's DotUnitary: the halves of Y0 to Y3 are
// its two vectors of four sums.
TEXT ·dots(SB), NOSPLIT, $0-49
	MOVQ    y+0(FP), DI
	MOVQ    w+8(FP), SI
	MOVQ    x+16(FP), DX
	MOVQ    n+24(FP), CX
	MOVQ    stride+32(FP), BX
	MOVQ    out+40(FP), R8
	MOVBLZX accumulate+48(FP), R9
	MOVQ    CX, R10
	ANDQ    $~15, R10
	MOVQ    CX, R15
	ANDQ    $~3, R15
	SHLQ    $2, CX                // bytes of a row
	SHLQ    $2, R10               // of them, those in the loop of 16 numbers
	SHLQ    $2, R15               // and in that of 4
	SHLQ    $2, BX

rows:
	LEAQ   (SI)(BX*1), R11
	LEAQ   (R11)(BX*1), R12
	LEAQ   (R12)(BX*1), R13
	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	XORQ   AX, AX
	CMPQ   AX, R10
	JAE    fold

sixteen:
	VMOVUPS (DX)(AX*1), Y4
	VMOVUPS 32(DX)(AX*1), Y5
	VMULPS  (SI)(AX*1), Y4, Y6
	VMULPS  (R11)(AX*1), Y4, Y7
	VMULPS  (R12)(AX*1), Y4, Y8
	VMULPS  (R13)(AX*1), Y4, Y9
	VADDPS  Y6, Y0, Y0
	VADDPS  Y7, Y1, Y1
	VADDPS  Y8, Y2, Y2
	VADDPS  Y9, Y3, Y3
	VMULPS  32(SI)(AX*1), Y5, Y6
	VMULPS  32(R11)(AX*1), Y5, Y7
	VMULPS  32(R12)(AX*1), Y5, Y8
	VMULPS  32(R13)(AX*1), Y5, Y9
	VADDPS  Y6, Y0, Y0
	VADDPS  Y7, Y1, Y1
	VADDPS  Y8, Y2, Y2
	VADDPS  Y9, Y3, Y3
	ADDQ    $64, AX
	CMPQ    AX, R10
	JB      sixteen

fold:
	VEXTRACTF128 $1, Y0, X4
	VEXTRACTF128 $1, Y1, X5
	VEXTRACTF128 $1, Y2, X6
	VEXTRACTF128 $1, Y3, X7
	VADDPS       X4, X0, X0
	VADDPS       X5, X1, X1
	VADDPS       X6, X2, X2
	VADDPS       X7, X3, X3

four:
	CMPQ    AX, R15
	JAE     one
	VMOVUPS (DX)(AX*1), X4
	VMULPS  (SI)(AX*1), X4, X5
	VMULPS  (R11)(AX*1), X4, X6
	VMULPS  (R12)(AX*1), X4, X7
	VMULPS  (R13)(AX*1), X4, X8
	VADDPS  X5, X0, X0
	VADDPS  X6, X1, X1
	VADDPS  X7, X2, X2
	VADDPS  X8, X3, X3
	ADDQ    $16, AX
	JMP     four

one:
	CMPQ   AX, CX
	JAE    sum
	VMOVSS (DX)(AX*1), X4
	VMULSS (SI)(AX*1), X4, X5
	VMULSS (R11)(AX*1), X4, X6
	VMULSS (R12)(AX*1), X4, X7
	VMULSS (R13)(AX*1), X4, X8
	VADDSS X5, X0, X0
	VADDSS X6, X1, X1
	VADDSS X7, X2, X2
	VADDSS X8, X3, X3
	ADDQ   $4, AX
	JMP    one

sum:
	VHADDPS X1, X0, X0
	VHADDPS X3, X2, X2
	VHADDPS X2, X0, X0
	TESTQ   R9, R9
	JZ      store
	VADDPS  (DI), X0, X0

store:
	VMOVUPS X0, (DI)
	ADDQ    $16, DI
	LEAQ    (R13)(BX*1), SI
	SUBQ    $4, R8
	JNZ     rows
	VZEROUPPER
	RET

// func outer(gradient, dy, x *float32, rows, out, in int)
//
// gradient[o·in+i] += Σ dy[r·out+o]·x[r·in+i], in the order of r, for out and in that are multiples of 4. Tiles of 4 × 8
// numbers, and of 4 × 4 at the end of a row, stay in registers.
TEXT ·outer(SB), NOSPLIT, $0-48
	MOVQ out+32(FP), R8
	MOVQ in+40(FP), R9
	SHLQ $2, R8              // bytes of a row of dy
	SHLQ $2, R9              // bytes of a row of x and of the gradient
	XORQ BX, BX              // offset of o in a row of dy
	MOVQ gradient+0(FP), DI

block:
	LEAQ (DI)(R9*1), R11
	LEAQ (R11)(R9*1), R12
	LEAQ (R12)(R9*1), R13
	XORQ AX, AX              // offset of i in a row

eight:
	LEAQ    32(AX), R10
	CMPQ    R10, R9
	JHI     four
	VMOVUPS (DI)(AX*1), Y0
	VMOVUPS (R11)(AX*1), Y1
	VMOVUPS (R12)(AX*1), Y2
	VMOVUPS (R13)(AX*1), Y3
	MOVQ    dy+8(FP), SI
	ADDQ    BX, SI
	MOVQ    x+16(FP), DX
	ADDQ    AX, DX
	MOVQ    rows+24(FP), CX

eightrows:
	VMOVUPS      (DX), Y4
	VBROADCASTSS (SI), Y5
	VBROADCASTSS 4(SI), Y6
	VBROADCASTSS 8(SI), Y7
	VBROADCASTSS 12(SI), Y8
	VMULPS       Y4, Y5, Y5
	VMULPS       Y4, Y6, Y6
	VMULPS       Y4, Y7, Y7
	VMULPS       Y4, Y8, Y8
	VADDPS       Y5, Y0, Y0
	VADDPS       Y6, Y1, Y1
	VADDPS       Y7, Y2, Y2
	VADDPS       Y8, Y3, Y3
	ADDQ         R8, SI
	ADDQ         R9, DX
	DECQ         CX
	JNZ          eightrows
	VMOVUPS      Y0, (DI)(AX*1)
	VMOVUPS      Y1, (R11)(AX*1)
	VMOVUPS      Y2, (R12)(AX*1)
	VMOVUPS      Y3, (R13)(AX*1)
	MOVQ         R10, AX
	JMP          eight

four:
	CMPQ    AX, R9
	JAE     next
	VMOVUPS (DI)(AX*1), X0
	VMOVUPS (R11)(AX*1), X1
	VMOVUPS (R12)(AX*1), X2
	VMOVUPS (R13)(AX*1), X3
	MOVQ    dy+8(FP), SI
	ADDQ    BX, SI
	MOVQ    x+16(FP), DX
	ADDQ    AX, DX
	MOVQ    rows+24(FP), CX

fourrows:
	VMOVUPS      (DX), X4
	VBROADCASTSS (SI), X5
	VBROADCASTSS 4(SI), X6
	VBROADCASTSS 8(SI), X7
	VBROADCASTSS 12(SI), X8
	VMULPS       X4, X5, X5
	VMULPS       X4, X6, X6
	VMULPS       X4, X7, X7
	VMULPS       X4, X8, X8
	VADDPS       X5, X0, X0
	VADDPS       X6, X1, X1
	VADDPS       X7, X2, X2
	VADDPS       X8, X3, X3
	ADDQ         R8, SI
	ADDQ         R9, DX
	DECQ         CX
	JNZ          fourrows
	VMOVUPS      X0, (DI)(AX*1)
	VMOVUPS      X1, (R11)(AX*1)
	VMOVUPS      X2, (R12)(AX*1)
	VMOVUPS      X3, (R13)(AX*1)

next:
	LEAQ (R13)(R9*1), DI
	ADDQ $16, BX
	CMPQ BX, R8
	JB   block
	VZEROUPPER
	RET
