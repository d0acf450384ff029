package tensorboard_test

import (
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/host/tracking/tensorboard"
)

func noon() time.Time { return time.Unix(1_700_000_000, 0) }

// write creates a file with a session that starts at a step, and a point at each of the steps.
func write(t *testing.T, dir string, begin int, steps ...int) {
	t.Helper()
	w := tensorboard.Open(disk.OS, dir, "a box/with.dots", noon)
	if err := w.Begin(begin); err != nil {
		t.Fatal(err)
	}
	if err := w.Describe(tensorboard.HParams{Name: "run-1", Values: map[string]any{"lr": 0.5}}); err != nil {
		t.Fatal(err)
	}
	for _, step := range steps {
		p := tensorboard.Point{
			Step: step, At: noon(), Scalars: map[string]float64{"a": float64(step)}, Texts: map[string]string{"t": "x"},
		}
		if err := w.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

func done(t *testing.T, dir string) int {
	t.Helper()
	step, err := tensorboard.Done(disk.OS, dir)
	if err != nil {
		t.Fatal(err)
	}
	return step
}

func files(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "events.out.tfevents.*"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestDone_IsTheLastStepThatIsWhole(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tensorboard")
	if got := done(t, dir); got != 0 {
		t.Errorf("without files: %d", got)
	}
	write(t, dir, 0, 1, 2, 3)
	if got := done(t, dir); got != 3 {
		t.Errorf("after three points: %d", got)
	}
	last := files(t, dir)[0]
	content, err := os.ReadFile(last)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(last, content[:len(content)-1], 0o600); err != nil { // truncated as by a kill during a write
		t.Fatal(err)
	}
	if got := done(t, dir); got != 2 {
		t.Errorf("with the last point cut off: %d", got)
	}
	content[len(content)/2] ^= 1
	if err := os.WriteFile(last, content, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := done(t, dir); got >= 3 {
		t.Errorf("with a damaged record: %d", got)
	}
}

func TestDone_TakesTheLastFile(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, 0, 1, 2, 3, 4)
	write(t, dir, 3) // a session without points
	if got := done(t, dir); got != 3 {
		t.Errorf("got %d", got)
	}
	if names := files(t, dir); len(names) != 2 || names[0] >= names[1] {
		t.Errorf("the second file does not sort behind the first, though no time has passed: %q", names)
	}
}

func TestWrite_LeavesOutWhatIsNotFinite(t *testing.T) {
	dir := t.TempDir()
	w := tensorboard.Open(disk.OS, dir, "box", noon)
	if err := w.Begin(0); err != nil {
		t.Fatal(err)
	}
	size := func() int64 {
		info, err := os.Stat(files(t, dir)[0])
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	before := size()
	for _, v := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300} { // the last one overflows a float32
		p := tensorboard.Point{Step: 1, At: noon(), Scalars: map[string]float64{"loss": v}}
		if v != 1e300 {
			p.Histograms = map[string][]float64{"h": {v}}
		}
		if err := w.Write(p); err != nil {
			t.Fatal(err)
		}
	}
	if size() != before {
		t.Error("a point of numbers that no curve can show was written")
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}
