package rollout

import "time"

// Part is a part of an episode's time, as in sdk.Timings.
type Part string

// The parts of an episode's time. The remaining time is spent in the host.
const (
	PartQueue       Part = "queue"
	PartModel       Part = "model"
	PartEnvironment Part = "environment"
	PartReward      Part = "reward"
	PartSiblings    Part = "siblings"
)

// Span is an operation that accounts for some of an episode's time. An episode's Timings are the sums of its spans.
type Span struct {
	Part    Part
	At      time.Time
	Took    time.Duration
	Attempt int    // from 1; 0: it belongs to no attempt
	CallID  string // of the message, or of the message that a step of the environment answers; may be empty
	Name    string // of the member, the tools, the environment's call or the reward; may be empty
}
