package smoke

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// sum accumulates a stage's events.
type sum struct {
	out         event.SmokeStage
	rewards     []string // addresses, in the order of the spec
	began, last time.Time
	numbers     map[string]*spread // by the name of a reward or a component
	toolError   string             // the first one
	example     string             // of a tool call that was parsed differently
}

// composed is the name of the spec's reward expression.
const composed = "reward"

func newSum(stage plan.Stage) *sum {
	return &sum{
		out:     event.SmokeStage{Name: stage.Name, Planned: stage.Steps},
		rewards: stage.Rewards(), numbers: map[string]*spread{},
	}
}

func (s *sum) add(e runstore.Episode) {
	s.out.Episodes++
	if e.Slot.Split == sdk.SplitValidation {
		s.out.Validation++
	}
	if e.Use == sdk.ConsumedTrained {
		s.out.Trained++
	}
	if e.Reward != nil {
		s.number(composed).add(*e.Reward)
	}
	for name, v := range e.Components {
		s.number(name).add(v)
	}
	if e.Failure != nil {
		s.fail(e)
	}
	if scripted(e.DatasetIndex, e.Slot.Sample) {
		s.count(&s.out.Scripted, e)
	} else {
		s.count(&s.out.Sampled, e)
	}
}

func (s *sum) number(name string) *spread {
	if s.numbers[name] == nil {
		s.numbers[name] = &spread{}
	}
	return s.numbers[name]
}

func (s *sum) fail(e runstore.Episode) {
	i := slices.IndexFunc(s.out.Failures, func(f event.SmokeFailure) bool { return f.Class == e.Failure.Class })
	if i < 0 {
		i = len(s.out.Failures)
		s.out.Failures = append(s.out.Failures, event.SmokeFailure{
			Class: e.Failure.Class, Detail: e.Failure.Detail, Task: e.TaskID, Episode: e.EpisodeID,
		})
	}
	s.out.Failures[i].Episodes++
}

func (s *sum) count(into *event.SmokeEpisodes, e runstore.Episode) {
	into.Episodes++
	if into.Outcomes == nil {
		into.Outcomes = map[sdk.Outcome]int{}
	}
	into.Outcomes[e.Outcome]++
	into.Turns += e.NumTurns
	into.Malformed += e.Malformed
	for _, t := range e.Transcripts {
		for _, m := range t.Messages {
			s.countMessage(into, m)
		}
	}
}

func (s *sum) countMessage(into *event.SmokeEpisodes, m sdk.Message) {
	switch m.Role {
	case sdk.RoleAssistant:
		into.ToolCalls += len(m.ToolCalls)
	case sdk.RoleTool:
		into.Answers++
		if m.IsError {
			into.Errors++
			if s.toolError == "" {
				s.toolError = m.Content
			}
		}
	}
}

// stage returns the stage's part of a report.
func (s *sum) stage(script *Script) event.SmokeStage {
	out := s.out
	read := script.of(out.Name)
	out.Tools, out.ScriptCalls, out.Misread, s.example = read.Tools, read.Calls, read.Misread, read.Example
	out.Seconds = event.SecondsOf(s.last.Sub(s.began))
	for _, name := range s.names() {
		reward := event.SmokeReward{Name: name, Episodes: out.Episodes}
		if numbers := s.numbers[name]; numbers != nil {
			reward.Numbers = numbers.count
			reward.Min, reward.Mean, reward.Max = event.Known(numbers.min), event.Known(numbers.sum/float64(numbers.count)),
				event.Known(numbers.max)
		}
		out.Rewards = append(out.Rewards, reward)
	}
	return out
}

// names lists all reported names: the composed reward, then each reward in the spec, whether or not it has numbers,
// followed by its components.
func (s *sum) names() []string {
	out := []string{composed}
	components := slices.Sorted(maps.Keys(s.numbers))
	for _, address := range s.rewards {
		out = append(out, address)
		for _, name := range components {
			if strings.HasPrefix(name, address+".") {
				out = append(out, name)
			}
		}
	}
	return out
}

// spread accumulates numbers.
type spread struct {
	count         int
	min, max, sum float64
}

func (s *spread) add(v float64) {
	if s.count == 0 {
		s.min, s.max = v, v
	}
	s.count++
	s.min, s.max, s.sum = min(s.min, v), max(s.max, v), s.sum+v
}
