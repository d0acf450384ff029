package rollout

import "time"

// Part is a part of an episode's time, as sdk.Timings tells them apart.
type Part string

// The parts of an episode's time. What is left of it is the host's.
const (
	PartQueue       Part = "queue"
	PartModel       Part = "model"
	PartEnvironment Part = "environment"
	PartReward      Part = "reward"
	PartSiblings    Part = "siblings"
)

// Span is something that took an episode's time. An episode's Timings are the sums of its spans.
type Span struct {
	Part    Part
	At      time.Time
	Took    time.Duration
	Attempt int    // from 1; 0: it belongs to none
	CallID  string // of the message, or of the one that a step of the environment answers; empty: there is none
	Name    string // of the member that asked, the tools, the environment's call or the reward; empty: it has none
}
