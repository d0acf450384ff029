package rollout

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// Aggregate summarizes the episodes in a step or validation pass. All sums are computed in slot order, so that equal
// episodes produce identical bits regardless of the order in which they end.
type Aggregate struct {
	Stage string
	Split sdk.Split
	Step  int

	// Episodes counts the slots. Withdrawn counts the episodes canceled by the trainer or the user. In validation, all
	// others form the denominator of SuccessRate: failures count as unsolved.
	Episodes  int
	Withdrawn int
	Outcomes  map[sdk.Outcome]int
	Failures  map[sdk.FailureClass]int // of episodes without a number
	Masked    int
	Dropped   int // with a number, and dropped with their group or as its only survivor
	WallClock int // outcomes that depend on how long an operation took, so the run is not exactly repeatable

	Scored      int // episodes with a reward, to which the following Reward fields refer
	RewardMean  float64
	RewardStd   float64 // of the population
	RewardMin   float64
	RewardMax   float64
	Components  map[string]float64 // means over the episodes that have them
	Judged      int                // episodes with a known success value
	Successes   int
	SuccessRate float64 // of Judged in training; of all episodes that were not withdrawn in validation

	Turns          int
	TurnsMean      float64
	OutputTokens   int
	Retries        int
	Redraws        int
	Truncated      int
	DriftEvents    int
	MalformedCalls int
	RefusedCalls   int
	// ForeignRate is the mean, over the episodes that were not withdrawn, of the share of messages that contain a call in
	// another model family's format, among those for which tools were offered.
	ForeignRate    float64
	Foreign        int                // episodes in which that share is at least half; the circuit breaker counts them
	ForeignExample string             // the start of such a call, or empty
	Metrics        map[string]float64 // means over the episodes that have them
	Conversations  ConversationStats  // sums over the training episodes
	Members        []MemberRecord     // sums over the episodes, by member, sorted; nil: only the policy answered

	ServedForeign map[string]ForeignCalls // sums over the episodes, by served model

	Groups             int // with at least two rewards that were not dropped
	ZeroVarianceGroups int // of Groups, with equal rewards
}

// aggregate combines summaries in slot order.
func aggregate(stage string, split sdk.Split, step int, episodes []*summary) Aggregate {
	a := Aggregate{
		Stage: stage, Split: split, Step: step, Episodes: len(episodes),
		Outcomes: map[sdk.Outcome]int{}, Failures: map[sdk.FailureClass]int{},
		Components: map[string]float64{}, Metrics: map[string]float64{}, ServedForeign: map[string]ForeignCalls{},
	}
	for _, s := range episodes {
		a.count(s)
	}
	a.ForeignRate /= max(1, float64(a.Episodes-a.Withdrawn))
	a.rewards(episodes)
	a.groups(episodes)
	a.Components = means(episodes, func(s *summary) map[string]float64 { return s.components })
	a.Metrics = means(episodes, func(s *summary) map[string]float64 { return s.metrics })
	a.Members = members(episodes)
	a.Conversations = forests(episodes)
	a.SuccessRate = ratio(a.Successes, a.Judged)
	if split == sdk.SplitValidation {
		a.SuccessRate = ratio(a.Successes, a.Episodes-a.Withdrawn)
	}
	a.TurnsMean = ratio(a.Turns, a.Episodes-a.Withdrawn)
	return a
}

// members sums the model requests by member.
func members(episodes []*summary) []MemberRecord {
	sums := map[string]*MemberRecord{}
	for _, s := range episodes {
		for _, m := range s.members {
			sum := sums[m.Agent]
			if sum == nil {
				sum = &MemberRecord{Agent: m.Agent, Served: m.Served}
				sums[m.Agent] = sum
			}
			sum.Turns += m.Turns
			sum.PromptTokens += m.PromptTokens
			sum.OutputTokens += m.OutputTokens
			sum.Cost += m.Cost
		}
	}
	var out []MemberRecord
	for _, name := range slices.Sorted(maps.Keys(sums)) {
		out = append(out, *sums[name])
	}
	return out
}

func (a *Aggregate) count(s *summary) {
	a.Outcomes[s.outcome]++
	if s.class != "" {
		a.Failures[s.class]++
	}
	a.Withdrawn += one(s.withdrawn)
	a.Masked += one(s.masked)
	a.Dropped += one(s.dropped && s.reward != nil)
	a.WallClock += one(s.wallClock)
	a.Truncated += one(s.outcome == sdk.OutcomeTruncated)
	if s.success != nil {
		a.Judged++
		a.Successes += one(*s.success)
	}
	if !s.withdrawn {
		a.Turns += s.turns
	}
	a.OutputTokens += s.tokens
	a.Retries += s.retries
	a.Redraws += s.redraws
	a.DriftEvents += s.drift
	a.MalformedCalls += s.malformed
	a.RefusedCalls += s.refused
	if !s.withdrawn {
		a.ForeignRate += s.foreign
		a.Foreign += one(s.foreign >= mostlyForeign)
		a.ForeignExample = cmp.Or(a.ForeignExample, s.example)
		for address, calls := range s.served {
			sum := a.ServedForeign[address]
			sum.add(calls)
			a.ServedForeign[address] = sum
		}
	}
}

// rewards makes two passes. The second is centered on the mean, which is exact where the one-pass formula suffers
// cancellation.
func (a *Aggregate) rewards(episodes []*summary) {
	var sum float64
	a.RewardMin, a.RewardMax = math.Inf(1), math.Inf(-1)
	for _, s := range episodes {
		if s.reward != nil {
			a.Scored++
			sum += *s.reward
			a.RewardMin, a.RewardMax = min(a.RewardMin, *s.reward), max(a.RewardMax, *s.reward)
		}
	}
	if a.Scored == 0 {
		a.RewardMin, a.RewardMax = 0, 0
		return
	}
	a.RewardMean = sum / float64(a.Scored)
	var squares float64
	for _, s := range episodes {
		if s.reward != nil {
			d := *s.reward - a.RewardMean
			squares += d * d
		}
	}
	a.RewardStd = math.Sqrt(squares / float64(a.Scored))
}

// groups counts all groups and those without reward variance. Slot order keeps the samples of each group together.
func (a *Aggregate) groups(episodes []*summary) {
	for start := 0; start < len(episodes); {
		end := start + 1
		for end < len(episodes) && sameGroup(episodes[start].slot, episodes[end].slot) {
			end++
		}
		if rewarded, equal := variance(episodes[start:end]); rewarded > 1 {
			a.Groups++
			a.ZeroVarianceGroups += one(equal)
		}
		start = end
	}
}

func sameGroup(a, b Slot) bool {
	a.Sample, b.Sample = 0, 0
	return a == b && a.Group != ""
}

func variance(group []*summary) (rewarded int, equal bool) {
	var first float64
	equal = true
	for _, s := range group {
		if s.reward == nil || s.dropped {
			continue
		}
		if rewarded == 0 {
			first = *s.reward
		}
		rewarded++
		equal = equal && *s.reward == first
	}
	return rewarded, equal
}

func means(episodes []*summary, of func(*summary) map[string]float64) map[string]float64 {
	sums, counts := map[string]float64{}, map[string]int{}
	for _, s := range episodes {
		for name, value := range of(s) {
			sums[name] += value
			counts[name]++
		}
	}
	for _, name := range slices.Collect(maps.Keys(sums)) {
		sums[name] /= float64(counts[name])
	}
	return sums
}

func ratio(part, whole int) float64 {
	if whole <= 0 {
		return 0
	}
	return float64(part) / float64(whole)
}

func one(b bool) int {
	if b {
		return 1
	}
	return 0
}
