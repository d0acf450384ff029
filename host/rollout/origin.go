package rollout

import "github.com/awhost/awhost/sdk"

// Origin is the place of an episode in a run, with whose seeds another one is played again. Beside it seeds come from
// the seed of the run.
type Origin struct {
	Stage    string
	Split    sdk.Split
	Step     int
	Position int // of the group within its step; -1: the task stands in its place
	Repeat   int // of the groups at that position
	Task     string
	Sample   int
	Draw     int
}

// Bounds of what Locate looks through.
const (
	mostPositions = 8192
	mostRepeats   = 2
)

// Locate finds the position of the group, which records of episodes do not have, by the seed of the environment, which
// they have. It finds none where the run had another seed.
func (o Origin) Locate(runSeed int64, environment uint64) (Origin, bool) {
	for o.Repeat = 0; o.Repeat <= mostRepeats; o.Repeat++ {
		for o.Position = -1; o.Position < mostPositions; o.Position++ {
			if o.seeds(runSeed).Environment == environment {
				return o, true
			}
			if o.Split == sdk.SplitValidation { // whose seeds come from the task alone
				return Origin{}, false
			}
		}
	}
	return Origin{}, false
}
