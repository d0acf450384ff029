package mathreward

import (
	"context"
	"encoding/json"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

// TestSymbolicComparesFormulas needs a Python with latex2sympy2_extended.
func TestSymbolicComparesFormulas(t *testing.T) {
	python := os.Getenv("AWHOST_MATH_PYTHON")
	if python == "" {
		t.Skip("AWHOST_MATH_PYTHON names no Python with latex2sympy2_extended")
	}
	r := sdktest.Reward(t, Plugin(), "math", map[string]any{"symbolic": symbolicSympy, "python": python})
	for _, test := range []struct {
		truth, box string
		want       float64 // -1: a failure
		decided    bool    // by sympy
	}{
		{`\sin 2x`, `2\sin x\cos x`, 1, true}, {`\cos^2 x`, `1-\sin^2 x`, 1, true}, {`\ln(x^2)`, `2\ln x`, 0, true},
		{`\sqrt{x^2}`, "x", 0, false}, {`\sqrt{3+2\sqrt2}`, `1+\sqrt2`, 1, true}, {`\sqrt2`, "1.41421356", 0, true},
		{`\int_0^1 x^2 dx`, `\frac13+0x`, 1, true}, {`\tan x`, `\frac{\sin x}{\cos x}`, 1, true},
		{"x^2-1", "(x-1)(x+1)", 1, false}, {"3", `\log_2 8`, 0, false}, {"no", "on", 0, false}, {"5 cm", "5 m", 0, false},
		{`\sin x`, "9^{9^{9}}", -1, true}, {`\sin x`, "9999999!", -1, true},
		{`\sin x`, strings.Repeat("x^{9", 8) + "x" + strings.Repeat("}", 8), -1, true},
		{`\sin x`, strings.Repeat("{", 1<<20), 0, false},
		{`\frac{\pi}{4}`, `\int_0^1 \frac{1}{1+x^2} dx`, 0, true}, {"2x", `\frac{d}{dx} x^2`, 0, true},
		{`\frac{\pi^2}{6}`, `\sum_{k=1}^\infty \frac{1}{k^2}`, 0, true},
		{`\sin x`, `\lim_{y\to 0} \sin(x+y)`, 0, true}, {`2\pi`, `\pi\prod_{k=1}^2 k`, 0, true},
		{"3ab", "3AB", 0, true}, {"f(x)+1", "f'(x)+1", 0, false}, {"fx+fy", "f(x+y)", 0, false},
		{`\cos 20`, `\cos 20^\circ`, 0, true}, {`2\cos 20^\circ`, `2\cos 20`, 0, true}, {`\sin x`, `\sin x^{\circ}`, 0, true},
		{`\sin 40^\circ`, `2\sin 20^\circ\cos 20^{\circ}`, 1, true}, {`\cos 20^\circ`, `\cos\frac{\pi}{9}`, 1, true},
		{`\cos 20°`, `\sin 70^\circ`, 1, true}, {`\sin 2x^\circ`, `2\sin x^\circ\cos x^\circ`, 1, true},
		{`\sin(x+1)`, `\sin (x+1)^\circ`, 0, true}, {`\sin \theta^\circ`, `\cos(90^\circ-\theta^\circ)`, 1, true},
		{`\sin x+1`, `\sin x+1 \approx 2`, 0, true}, {`\sin x`, `\cos x ≈ \sin x`, 0, true},
		{`\sin x+1 \approx 2`, `1+\sin x`, -1, true}, {`\sin x`, `\sin x+\ldots`, 0, true},
		{`\sin x`, `\sin_2 x`, 0, true}, {`\arctan x`, `\arctan_2 x`, 0, true}, {`x^{y}\sin x`, `x^\prime\sin x`, 0, true},
		{`\unknown x`, `\sin x`, -1, true},
		{`\sin x`, `\cos(\frac{\pi}{2}-x)`, 1, true}, // in a new process
	} {
		private, err := json.Marshal(map[string]any{"ground_truth": test.truth})
		if err != nil {
			t.Fatal(err)
		}
		item := sdk.ScoreItem{FinalAnswer: `\boxed{` + test.box + `}`, Task: sdk.Task{ID: "t", Private: private}}
		out, err := r.Score(t.Context(), sdk.ScoreRequest{Items: []sdk.ScoreItem{item}})
		if err != nil {
			t.Fatal(err)
		}
		got := out.Items[0]
		if failed := got.Failure != nil; failed != (test.want < 0) || !failed && got.Score != test.want {
			t.Errorf("%.40q against %q scores %v, %v; want %v", test.box, test.truth, got.Score, got.Failure, test.want)
		} else if f := got.Failure; failed && (f.Class != sdk.FailureReward || !strings.Contains(f.Detail, "set symbolic")) {
			t.Errorf("%.40q fails with %v", test.box, f)
		} else if by := strings.HasPrefix(got.Notes["compared"], "by sympy 1."); !failed && by != test.decided {
			t.Errorf("%.40q against %q is compared %s", test.box, test.truth, got.Notes["compared"])
		}
	}
}

func TestSymbolicStartsAnEndedPythonAgain(t *testing.T) {
	python := os.Getenv("AWHOST_MATH_PYTHON")
	if python == "" {
		t.Skip("AWHOST_MATH_PYTHON names no Python with latex2sympy2_extended")
	}
	s, err := newSympy(t.Context(), python, slog.Default())
	if err != nil {
		t.Fatal(err)
	}
	defer s.close()
	if err := s.running.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if same, failure := s.equal(t.Context(), `\sin 2x`, `2\sin x\cos x`); !same || failure != nil {
		t.Errorf("after its process has ended, the comparison comes to %v, %v", same, failure)
	}
	canceled, cancel := context.WithCancel(t.Context())
	cancel()
	if _, failure := s.equal(canceled, `\sin x`, "9999999!"); failure == nil {
		t.Error("a canceled comparison does not fail")
	}
}
