// Package slot identifies the positions in a run that episodes fill, and derives the episodes' randomness from them.
//
//	seeds := slot.NewSeeds(runSeed, at)
//	seed := seeds.Sampling(draw, member, prefix, repeat)
package slot

import (
	"encoding/binary"
	"fmt"

	"github.com/awhost/awhost/host/rollout/internal/digest"
	"github.com/awhost/awhost/sdk"
)

// Slot is a position in a run, which is the purpose of an episode. Episodes with the same slot are samples of the same
// thing, and only one of them counts. Seeds and the order of all sums are derived from it. Therefore, nothing in it may
// depend on the time, on process IDs, or on the number of resumes, except for Group: a trainer may choose random names
// for its groups, and different names after a restart. A name only determines which samples belong together.
type Slot struct {
	Stage    string
	Split    sdk.Split
	Step     int // optimizer step, from 1; in validation the number of finished steps
	Index    int // position in the host's order of the split; -1 if the caller supplied the task
	Position int // of the group within its step if the caller reports it, otherwise Index
	// Repeat counts the groups in a step at the same position, in the order of their first requests. It is rarely above
	// 0.
	Repeat int
	Group  string // the caller's name for the group, unique within the step
	Task   string // id
	Sample int    // within the group, from 0
}

// Compare orders slots for computing sums.
func Compare(a, b Slot) int {
	return firstDifference(
		compareInts(a.Step, b.Step),
		compareTexts(a.Stage, b.Stage),
		compareTexts(string(a.Split), string(b.Split)),
		compareInts(a.Index, b.Index),
		compareInts(a.Position, b.Position),
		compareTexts(a.Task, b.Task),
		compareInts(a.Repeat, b.Repeat),
		compareTexts(a.Group, b.Group),
		compareInts(a.Sample, b.Sample),
	)
}

func firstDifference(differences ...int) int {
	for _, d := range differences {
		if d != 0 {
			return d
		}
	}
	return 0
}

func compareInts(a, b int) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// compareTexts orders shorter strings first, so that "g9" comes before "g10".
func compareTexts(a, b string) int {
	if d := compareInts(len(a), len(b)); d != 0 {
		return d
	}
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Seeds derives all of an episode's randomness from the run's seed and the slot.
type Seeds struct {
	Environment uint64
	sample      digest.Digest // start of all sampling seeds of the slot
}

// NewSeeds follows the rule in docs/explain/architecture.md. In training, the siblings in a group share the
// environment's seed, so that they face the same problem. Two groups in a step do not share it, even if they have the
// same task. In validation, neither the stage nor the step is included: a task is the same problem with the same random
// numbers in each validation pass, so that curves are comparable.
func NewSeeds(runSeed int64, at Slot) Seeds {
	d := digest.New("awhost/seed/1")
	d.Number(uint64(runSeed))
	if at.Split == sdk.SplitValidation {
		d.Text("validation")
		d.Text(at.Task)
		d.Int(at.Sample)
		place := d.Finish()
		return Seeds{Environment: first64(place), sample: place}
	}
	d.Text(at.Stage)
	d.Text(string(at.Split))
	d.Int(at.Step)
	if at.Position >= 0 {
		// like the names of the embedded trainer's groups, so that its runs stay repeatable
		d.Text(fmt.Sprintf("g%04d", at.Position))
	} else {
		d.Text("")
		d.Text(at.Task)
	}
	if at.Repeat > 0 {
		d.Int(at.Repeat)
	}
	environment := first64(d.Sum())
	d.Int(at.Sample)
	return Seeds{Environment: environment, sample: d.Finish()}
}

// Place returns a name for the slot that does not identify the launch.
func (s Seeds) Place() string { return fmt.Sprintf("%016x", first64(s.sample)) }

// Sampling returns the seed for one Generate call. prefix is the digest of the conversation that the call extends, and
// repeat counts identical requests with the same prefix.
func (s Seeds) Sampling(draw int, member string, prefix digest.Digest, repeat int) uint64 {
	d := digest.New("awhost/sampling/1")
	d.Bytes(s.sample[:])
	d.Int(draw)
	d.Text(member)
	d.Bytes(prefix[:])
	d.Int(repeat)
	return first64(d.Finish())
}

func first64(d digest.Digest) uint64 { return binary.BigEndian.Uint64(d[:8]) }
