package rollout

import (
	"encoding/binary"
	"fmt"

	"github.com/awhost/awhost/sdk"
)

// Slot is a place in a run: what an episode is for. Episodes of one slot are samples of the same thing, of which
// one counts. Seeds and the order of all sums come from it, and so nothing in it may depend on time, on process ids or
// on how often the run was resumed, but for Group: a trainer may draw the names of its groups, and draw others when it is
// started again. A name says which samples belong together, and nothing else.
type Slot struct {
	Stage    string
	Split    sdk.Split
	Step     int    // optimiser step, from 1; in validation the steps finished so far
	Index    int    // position in the host's order of the split; -1 where the caller brought the task
	Position int    // of the group within its step, where the caller says it, else Index
	Repeat   int    // counts the groups of a step that are at one position, as the host first hears of them; hardly ever above 0
	Group    string // the caller's name for the group, unique within the step
	Task     string // id
	Sample   int    // within the group, from 0
}

// compareSlots orders slots as their numbers are added up.
func compareSlots(a, b Slot) int {
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

// seeds derives all randomness of one episode from the run's seed and the slot.
type seeds struct {
	environment uint64
	sample      digest // what all sampling seeds of the slot start from
}

// newSeeds follows the rule of docs/architecture.md. In training the siblings of a group share the environment's
// seed, so that they face the same problem, and two groups of a step do not, also where they play the same task. In
// validation neither stage nor step enters: a task is the same problem,
// drawn with the same luck, each time it is validated, so that curves compare.
func newSeeds(runSeed int64, slot Slot) seeds {
	d := newDigester("awhost/seed/1")
	d.number(uint64(runSeed))
	if slot.Split == sdk.SplitValidation {
		d.text("validation")
		d.text(slot.Task)
		d.int(slot.Sample)
		place := d.finish()
		return seeds{environment: first64(place), sample: place}
	}
	d.text(slot.Stage)
	d.text(string(slot.Split))
	d.int(slot.Step)
	if slot.Position >= 0 {
		d.text(fmt.Sprintf("g%04d", slot.Position)) // as the embedded trainer names its groups: what it has trained stays repeatable
	} else {
		d.text("")
		d.text(slot.Task)
	}
	if slot.Repeat > 0 {
		d.int(slot.Repeat)
	}
	environment := first64(d.sum())
	d.int(slot.Sample)
	return seeds{environment: environment, sample: d.finish()}
}

// sampling is the seed of one Generate call: prefix is the digest of the conversation that it extends, repeat
// counts identical requests on one prefix.
func (s seeds) sampling(draw int, member string, prefix digest, repeat int) uint64 {
	d := newDigester("awhost/sampling/1")
	d.bytes(s.sample[:])
	d.int(draw)
	d.text(member)
	d.bytes(prefix[:])
	d.int(repeat)
	return first64(d.finish())
}

func first64(digest digest) uint64 { return binary.BigEndian.Uint64(digest[:8]) }
