package procs

import (
	"runtime"
	"testing"
)

// play returns the numbers of Ps after intervals with the given loads.
func play(all int, loads ...float64) []int {
	g := governor{all: all, now: all}
	var out []int
	for _, used := range loads {
		g.now = g.next(used)
		out = append(out, g.now)
	}
	return out
}

func repeat(n int, load float64) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = load
	}
	return out
}

func TestGovernor_ReleasesAfterAWindow(t *testing.T) {
	got := play(16, repeat(window, 0.2)...)
	for i, n := range got[:window-1] {
		if n != 16 {
			t.Errorf("%d Ps after %d intervals, want all", n, i+1)
		}
	}
	if n := got[window-1]; n != 1 {
		t.Errorf("%d Ps after a window with little load, want 1", n)
	}
}

func TestGovernor_GrowsAtOnce(t *testing.T) {
	idle := repeat(window, 0.1)
	got := play(16, append(idle, 1, 2, 4, 8, 16)...)[window:]
	for i, want := range []int{2, 4, 8, 16, 16} {
		if got[i] != want {
			t.Errorf("%d Ps after %d busy intervals, want %d", got[i], i+1, want)
		}
	}
}

func TestGovernor_KeepsWhatThePeakNeeds(t *testing.T) {
	loads := append(repeat(window, 0.1), 1, 2, 2.6)
	for range 3 * window / 10 {
		loads = append(loads, append(repeat(9, 0.1), 2.6)...)
	}
	for _, n := range play(16, loads...)[window+2*window:] {
		if n != 3 {
			t.Fatalf("%d Ps with peaks that keep 2.6 busy, want 3", n)
		}
	}
}

func TestGovernor_NeverMoreThanAll(t *testing.T) {
	for _, n := range play(3, 3, 3, 9, 3) {
		if n != 3 {
			t.Errorf("%d Ps of 3", n)
		}
	}
}

func TestSet(t *testing.T) {
	all := runtime.GOMAXPROCS(0)
	defer runtime.SetDefaultGOMAXPROCS()
	g := governor{all: all, now: all}
	for _, n := range []int{1, all, 1} {
		if g.set(n); runtime.GOMAXPROCS(0) != n {
			t.Errorf("GOMAXPROCS is %d, want %d", runtime.GOMAXPROCS(0), n)
		}
	}
}

func TestCPUTime(t *testing.T) {
	before, ok := cpuTime()
	if !ok {
		t.Skip("this system does not report it")
	}
	for sum := 0; ; sum++ {
		if now, _ := cpuTime(); now > before {
			return
		}
	}
}
