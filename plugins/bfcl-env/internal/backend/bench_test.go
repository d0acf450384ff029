package backend_test

import (
	"testing"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/backend"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/golden"
)

// Plays all ground truth of version 4, including the creation of the instances.
func BenchmarkGroundTruth(b *testing.B) {
	entries := golden.Parsed(b, "data_v4")
	short, long := programs[0].world(b, false), programs[0].world(b, true)
	calls := 0
	b.ReportAllocs()
	for b.Loop() {
		for id, e := range entries {
			world := short
			if e.LongContext() {
				world = long
			}
			player, err := backend.New(world, e.Classes, e.Config, backend.Names("bench", id, world.Profile))
			if err != nil {
				b.Fatal(err)
			}
			for _, turn := range e.Truth {
				for _, call := range turn {
					player.Execute(call)
					calls++
				}
			}
		}
	}
	b.ReportMetric(float64(calls)/b.Elapsed().Seconds(), "calls/s")
}
