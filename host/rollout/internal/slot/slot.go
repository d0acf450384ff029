// Package slot names the places in a run that episodes fill, and derives their randomness from them.
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

// Slot is a place in a run: what an episode is for. Episodes of one slot are samples of the same thing, of which
// one counts. Seeds and the order of all sums come from it, and so nothing in it may depend on time, on process ids
// or on how often the run was resumed, but for Group: a trainer may draw the names of its groups, and draw others
// when it is started again. A name says which samples belong together, and nothing else.
type Slot struct {
	Stage    string
	Split    sdk.Split
	Step     int // optimiser step, from 1; in validation the steps finished so far
	Index    int // position in the host's order of the split; -1 where the caller brought the task
	Position int // of the group within its step, where the caller says it, else Index
	// counts the groups of a step that are at one position, as the host first hears of them; hardly ever above 0
	Repeat int
	Group  string // the caller's name for the group, unique within the step
	Task   string // id
	Sample int    // within the group, from 0
}

// Compare orders slots as their numbers are added up.
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

// compareTexts puts shorter texts first, so that "g9" comes before "g10".
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

// Seeds derives all randomness of one episode from the run's seed and the at.
type Seeds struct {
	Environment uint64
	sample      digest.Digest // what all sampling seeds of the slot start from
}

// NewSeeds follows the rule of docs/architecture.md. In training the siblings of a group share the environment's
// seed, so that they face the same problem, and two groups of a step do not, also where they play the same task. In
// validation neither stage nor step enters: a task is the same problem,
// drawn with the same luck, each time it is validated, so that curves compare.
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
		// as the embedded trainer names its groups: what it has trained stays repeatable
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

// Place names the slot to those who must not tell launches apart.
func (s Seeds) Place() string { return fmt.Sprintf("%016x", first64(s.sample)) }

// Sampling is the seed of one Generate call: prefix is the digest of the conversation that it extends, repeat
// counts identical requests on one prefix.
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
