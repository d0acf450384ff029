package heap

import (
	"runtime"
	"runtime/debug"
	"testing"
)

func TestPercent_LeavesTheRoomAndNeverLessThanGo(t *testing.T) {
	const mb = 1 << 20
	for _, c := range []struct {
		room, base uint64
		want       int
	}{
		{8 * mb, 4 * mb, 200}, {16 * mb, 16 * mb, 100}, {16 * mb, 500 * mb, 100}, {16 * mb, 0, 400}, {16 * mb, mb / 2, 400},
		{8 * mb, 0, maxPercent}, {64 * mb, 12 * mb, 533}, {64 * mb, 0, 1600}, {64 * mb, 80 * mb, 100},
	} {
		if got := percent(c.room, c.base, defaultPercent); got != c.want {
			t.Errorf("percent(%d, %d) = %d, want %d", c.room, c.base, got, c.want)
		}
	}
}

var kept [][]byte

func TestPace_GivesASmallHeapRoomAndLeavesALargeOneAlone(t *testing.T) {
	t.Setenv("GOGC", "")
	defer debug.SetGCPercent(debug.SetGCPercent(defaultPercent))
	defer func() { kept = nil }()
	p := &pace{room: 32 << 20, percent: defaultPercent, least: defaultPercent}
	runtime.GC()
	p.adjust()
	if p.percent <= defaultPercent {
		t.Errorf("a small heap is collected at %d %%, want more", p.percent)
	}
	for range 64 {
		kept = append(kept, make([]byte, 1<<20))
	}
	runtime.GC()
	p.adjust()
	if p.percent != defaultPercent {
		t.Errorf("a heap of 64 MB is collected at %d %%, want Go's own %d", p.percent, defaultPercent)
	}
	p.lowerFloor()
	if p.percent >= defaultPercent {
		t.Errorf("a heap of 64 MB that spares memory is collected at %d %%, want less than Go's own %d", p.percent,
			defaultPercent)
	}
}

func TestPace_ObeysGOGC(t *testing.T) {
	t.Setenv("GOGC", "150")
	before := debug.SetGCPercent(defaultPercent)
	defer debug.SetGCPercent(before)
	Pace(1 << 40)
	if got := debug.SetGCPercent(defaultPercent); got != defaultPercent {
		t.Errorf("the percentage is %d, although GOGC is set", got)
	}
}
