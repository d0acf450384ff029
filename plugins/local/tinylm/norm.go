package tinylm

import "math"

// rmsNorm writes y = x / rms(x) · w row by row and keeps 1/rms(x) for the backward pass. The width is len(w).
func rmsNorm(y, inverse, x, w []float32, eps float64) {
	width := len(w)
	for i := range inverse {
		row, out := x[i*width:(i+1)*width], y[i*width:(i+1)*width]
		square := kernel.Sdot(width, row, 1, row, 1)
		inv := float32(1 / math.Sqrt(float64(square)/float64(width)+eps))
		inverse[i] = inv
		for j, v := range row {
			out[j] = v * inv * w[j]
		}
	}
}

// rmsNormBackward adds the gradient with respect to x to dx and the gradient with respect to w to dw, given the
// gradient with respect to y. With g = dy·w and n = width:
//
//	dx = g/rms - x·(g·x)/(n·rms³),  dw = Σ dy·x/rms
func rmsNormBackward(dx, dw, dy, x, inverse, w []float32) {
	width := len(w)
	for i, inv := range inverse {
		row, drow, out := x[i*width:(i+1)*width], dy[i*width:(i+1)*width], dx[i*width:(i+1)*width]
		var dot float32
		for j, v := range row {
			scaled := drow[j] * inv * v
			dw[j] += scaled
			dot += scaled * w[j]
		}
		dot *= inv * inv / float32(width)
		for j, v := range row {
			out[j] += drow[j]*w[j]*inv - v*dot
		}
	}
}

// swiglu writes hidden = silu(gate)·up for rows of gateUp [rows, 2·ffn] and keeps sigmoid(gate).
func swiglu(hidden, sigmoid, gateUp []float32, rows, ffn int) {
	for r := range rows {
		gate, up := gateUp[2*r*ffn:(2*r+1)*ffn], gateUp[(2*r+1)*ffn:(2*r+2)*ffn]
		h, s := hidden[r*ffn:(r+1)*ffn], sigmoid[r*ffn:(r+1)*ffn]
		expRow(s, gate, 0, -1)
		for i, g := range gate {
			s[i] = 1 / (1 + s[i])
			h[i] = g * s[i] * up[i]
		}
	}
}

// swigluBackward writes the gradient with respect to gateUp, given the gradient with respect to hidden. silu'(g) = σ·(1
// + g·(1-σ)).
func swigluBackward(dGateUp, dHidden, sigmoid, gateUp []float32, rows, ffn int) {
	for r := range rows {
		gate, up := gateUp[2*r*ffn:(2*r+1)*ffn], gateUp[(2*r+1)*ffn:(2*r+2)*ffn]
		dGate, dUp := dGateUp[2*r*ffn:(2*r+1)*ffn], dGateUp[(2*r+1)*ffn:(2*r+2)*ffn]
		s := sigmoid[r*ffn : (r+1)*ffn]
		for i, dh := range dHidden[r*ffn : (r+1)*ffn] {
			g := gate[i]
			dUp[i] = dh * g * s[i]
			dGate[i] = dh * up[i] * s[i] * (1 + g*(1-s[i]))
		}
	}
}
