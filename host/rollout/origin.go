package rollout

import "github.com/awhost/awhost/sdk"

// Origin identifies the episode in a run whose seeds another episode reuses. The run's seed is also required.
type Origin struct {
	Stage    string
	Split    sdk.Split
	Step     int
	Position int // of the group within its step; -1: Task identifies the group
	Repeat   int // of the groups at that position
	Task     string
	Sample   int
	Draw     int
}

// Bounds of Locate's search.
const (
	mostPositions = 8192
	mostRepeats   = 2
)

// Locate finds the group's position from the environment's seed. Episode records contain the seed but not the position.
// It returns false if the run had a different seed.
func (o Origin) Locate(runSeed int64, environment uint64) (Origin, bool) {
	for o.Repeat = 0; o.Repeat <= mostRepeats; o.Repeat++ {
		for o.Position = -1; o.Position < mostPositions; o.Position++ {
			if o.seeds(runSeed).Environment == environment {
				return o, true
			}
			if o.Split == sdk.SplitValidation { // validation seeds come from the task alone
				return Origin{}, false
			}
		}
	}
	return Origin{}, false
}
