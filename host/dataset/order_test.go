package dataset_test

import (
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/internal/testlevel/property"
)

// Resumed runs rely on the same order: these values must not change.
func TestOrderIsFixed(t *testing.T) {
	for _, test := range []struct {
		seed  int64
		epoch int
		want  []int
	}{
		{1, 0, []int{2, 0, 4, 5, 9, 6, 7, 8, 1, 3}},
		{1, 1, []int{2, 3, 0, 1, 4, 7, 6, 5, 9, 8}},
		{2, 0, []int{6, 4, 8, 7, 2, 1, 0, 9, 3, 5}},
		{-1, 1 << 40, []int{8, 5, 9, 0, 2, 3, 7, 4, 1, 6}},
	} {
		if diff := cmp.Diff(test.want, dataset.NewOrder(10, test.seed).Epoch(test.epoch)); diff != "" {
			t.Errorf("seed %d, epoch %d (-want +got):\n%s", test.seed, test.epoch, diff)
		}
	}
}

func TestOrderVisitsEveryTaskOncePerEpoch(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 300).Draw(t, "n")
		seed := rapid.Int64().Draw(t, "seed")
		epoch := rapid.IntRange(0, 1000).Draw(t, "epoch")
		order := dataset.NewOrder(n, seed)
		indexes := order.Epoch(epoch)
		for place, want := range indexes {
			if gotEpoch, got := order.At(epoch*n + place); gotEpoch != epoch || got != want {
				t.Fatalf("position %d is task %d of epoch %d, want %d of %d", epoch*n+place, got, gotEpoch, want, epoch)
			}
		}
		slices.Sort(indexes)
		for i, index := range indexes {
			if i != index {
				t.Fatalf("epoch %d lacks task %d", epoch, i)
			}
		}
	})
}

// Positions may be read in any order and concurrently.
func TestOrderDoesNotDependOnHistory(t *testing.T) {
	property.Check(t, func(t *rapid.T) {
		used := dataset.NewOrder(7, 3)
		for _, position := range rapid.SliceOfN(rapid.IntRange(0, 200), 1, 40).Draw(t, "positions") {
			wantEpoch, want := dataset.NewOrder(7, 3).At(position)
			if epoch, index := used.At(position); epoch != wantEpoch || index != want {
				t.Fatalf("position %d is (%d, %d), fresh (%d, %d)", position, epoch, index, wantEpoch, want)
			}
		}
	})
	shared := dataset.NewOrder(100, 1)
	var readers sync.WaitGroup
	for range 4 {
		readers.Go(func() {
			own := dataset.NewOrder(100, 1)
			for position := range 1000 {
				_, want := own.At(position)
				if _, got := shared.At(position); got != want {
					t.Errorf("position %d is %d, want %d", position, got, want)
				}
			}
		})
	}
	readers.Wait()
}

// Each task is equally likely at each position. The seed is fixed, so the test is not flaky.
func TestOrderIsFair(t *testing.T) {
	const n, epochs = 6, 6000
	order := dataset.NewOrder(n, 1)
	var counts [n][n]int
	for epoch := range epochs {
		for place, index := range order.Epoch(epoch) {
			counts[place][index]++
		}
	}
	for place := range n {
		for index := range n {
			if c := counts[place][index]; c < 850 || c > 1150 {
				t.Errorf("task %d is at place %d in %d of %d epochs, want about 1000", index, place, c, epochs)
			}
		}
	}
}

func TestOrderChangesWithEverything(t *testing.T) {
	base := dataset.NewOrder(50, 1)
	if cmp.Equal(base.Epoch(0), base.Epoch(1)) {
		t.Error("two epochs have the same order")
	}
	if cmp.Equal(base.Epoch(0), dataset.NewOrder(50, 2).Epoch(0)) {
		t.Error("two seeds have the same order")
	}
}
