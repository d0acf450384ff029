package slot

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/rollout/internal/digest"
	"github.com/awhost/awhost/sdk"
)

func TestEnvironmentSeeds(t *testing.T) {
	base := Slot{Stage: "full", Split: sdk.SplitTrain, Step: 3, Index: 5, Position: 5, Group: "g5", Task: "t", Sample: 1}
	check := Slot{Stage: "full", Split: sdk.SplitValidation, Step: 3, Index: 5, Position: 5, Group: "g5", Task: "t",
		Sample: 1}
	with := func(s Slot, change func(*Slot)) Slot { change(&s); return s }
	for _, row := range []struct {
		name                   string
		a, b                   Slot
		environment, sampling_ bool // expected to be equal
	}{
		{"siblings", base, with(base, func(s *Slot) { s.Sample = 2 }), true, false},
		{"another position", base, with(base, func(s *Slot) { s.Position = 6 }), false, false},
		{"another name", base, with(base, func(s *Slot) { s.Group = "3f2a" }), true, true},
		{"no name", base, with(base, func(s *Slot) { s.Group = "" }), true, true},
		{"another task at the position", base, with(base, func(s *Slot) { s.Index, s.Task = 9, "u" }), true, true},
		{"another group at the position", base, with(base, func(s *Slot) { s.Repeat = 1 }), false, false},
		{"another step", base, with(base, func(s *Slot) { s.Step = 4 }), false, false},
		{"another stage", base, with(base, func(s *Slot) { s.Stage = "half" }), false, false},
		{"validation is not training", base, check, false, false},
		{"validation: another step", check, with(check,
			func(s *Slot) { s.Step = 4; s.Stage = "half"; s.Group = "x"; s.Index = 9 }), true, true},
		{"validation: another sample", check, with(check, func(s *Slot) { s.Sample = 2 }), false, false},
		{"validation: another task", check, with(check, func(s *Slot) { s.Task = "u" }), false, false},
		{"without a position, another task", with(base, func(s *Slot) { s.Position = -1 }),
			with(base, func(s *Slot) { s.Position, s.Task = -1, "u" }), false, false},
		{"without a position, another name", with(base, func(s *Slot) { s.Position = -1 }),
			with(base, func(s *Slot) { s.Position, s.Group = -1, "x" }), true, true},
	} {
		a, b := NewSeeds(1, row.a), NewSeeds(1, row.b)
		if got := a.Environment == b.Environment; got != row.environment {
			t.Errorf("%s: equal environment seeds: %v, want %v", row.name, got, row.environment)
		}
		if got := a.Sampling(0, "m", digest.Digest{}, 0) == b.Sampling(0, "m", digest.Digest{}, 0); got != row.sampling_ {
			t.Errorf("%s: equal sampling seeds: %v, want %v", row.name, got, row.sampling_)
		}
		if got := a.Place() == b.Place(); got != row.sampling_ {
			t.Errorf("%s: equal places: %v, want %v", row.name, got, row.sampling_)
		}
	}
	if NewSeeds(1, base).Environment == NewSeeds(2, base).Environment {
		t.Error("the run's seed does not matter")
	}
}

// The quick start's digests depend on this rule: the embedded trainer's groups are named g0000 and so on, and seeds
// originally came from names.
func TestSeedsOfTheEmbeddedTrainerAreThoseOfItsGroupNames(t *testing.T) {
	slot := Slot{Stage: "quickstart", Split: sdk.SplitTrain, Step: 7, Index: 203, Position: 11, Group: "g0011", Task: "t",
		Sample: 3}
	d := digest.New("awhost/seed/1")
	d.Number(1)
	d.Text(slot.Stage)
	d.Text(string(slot.Split))
	d.Int(slot.Step)
	d.Text(slot.Group)
	want := Seeds{Environment: first64(d.Sum())}
	d.Int(slot.Sample)
	want.sample = d.Finish()
	if got := NewSeeds(1, slot); got != want {
		t.Errorf("the seeds are %v, want %v", got, want)
	}
}

func TestSamplingSeeds(t *testing.T) {
	s := NewSeeds(1, Slot{Split: sdk.SplitTrain})
	seen := map[uint64]bool{}
	for _, seed := range []uint64{
		s.Sampling(0, "a", digest.Digest{}, 0), s.Sampling(1, "a", digest.Digest{}, 0),
		s.Sampling(0, "b", digest.Digest{}, 0),
		s.Sampling(0, "a", digest.Digest{1}, 0), s.Sampling(0, "a", digest.Digest{}, 1),
	} {
		if seen[seed] {
			t.Error("two different calls have the same seed")
		}
		seen[seed] = true
	}
}

func TestSlotOrder(t *testing.T) {
	want := []Slot{
		{Step: 1, Index: 2, Group: "g2"}, {Step: 1, Index: 9, Group: "g9", Sample: 0},
		{Step: 1, Index: 9, Group: "g9", Sample: 1},
		{Step: 1, Index: 10, Group: "g10"}, {Step: 2, Index: -1, Group: "9"}, {Step: 2, Index: -1, Group: "10"},
	}
	got := slices.Clone(want)
	slices.Reverse(got)
	slices.SortFunc(got, Compare)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
