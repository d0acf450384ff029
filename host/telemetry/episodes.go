package telemetry

import (
	"slices"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// modelPolicy is the value of the model label for the policy, which has no block.
const modelPolicy = "policy"

// The types of tokens.
const (
	tokensInput  = "input"
	tokensOutput = "output"
)

// attempt counts an abandoned attempt.
func (m *metrics) attempt(a *rollout.AttemptRecord) {
	stage, split := a.Slot.Stage, string(a.Slot.Split)
	lost := sdk.FailureClass("")
	if a.LostPlugin != "" {
		lost = sdk.FailureInfrastructure
	}
	m.givenUp.WithLabelValues(stage, split, classOf(a.Failure, lost), a.LostPlugin).Inc()
	m.conversation(a)
}

// episode counts a finished episode and its last attempt.
func (m *metrics) episode(e *rollout.EpisodeRecord) {
	stage, split := e.Slot.Stage, string(e.Slot.Split)
	m.episodes.WithLabelValues(stage, split, string(e.Outcome), classOf(e.Failure, "")).Inc()
	exemplar := m.conversation(&e.AttemptRecord)
	for _, p := range [...]struct {
		name string
		took time.Duration
	}{
		{"queue", e.Timings.Queue}, {"model", e.Timings.Model}, {"environment", e.Timings.Environment},
		{"reward", e.Timings.Reward}, {"siblings", e.Timings.Siblings}, {"host", e.Timings.Host},
	} {
		observe(m.episodeSeconds.WithLabelValues(stage, split, p.name), p.took, exemplar)
	}
	m.newest.see(m.version.WithLabelValues(stage), stage, e.PolicyVersion)
}

// conversation counts an attempt's messages and returns the attempt's exemplar.
func (m *metrics) conversation(a *rollout.AttemptRecord) prometheus.Labels {
	exemplar := m.exemplar(a)
	stage, split := a.Slot.Stage, string(a.Slot.Split)
	addSome(m.malformed, a.MalformedCalls, stage, split)
	addSome(m.refused, a.RefusedCalls, stage, split)
	addSome(m.drift, a.DriftCount, stage, split)
	steps := m.stepSeconds.WithLabelValues(stage, split)
	var known spoken
	for i := range a.Turns {
		turn := &a.Turns[i]
		s := known.of(m, stage, split, turn.Served)
		s.turns++
		s.input += turn.PromptTokens
		s.output += turn.OutputTokens
		observe(s.seconds, turn.Model, exemplar)
		if turn.Environment > 0 { // 0: no step followed
			observe(steps, turn.Environment, exemplar)
		}
	}
	for _, s := range known {
		m.turns.WithLabelValues(stage, split, s.model).Add(float64(s.turns))
		m.tokens.WithLabelValues(stage, split, s.model, tokensInput).Add(float64(s.input))
		m.tokens.WithLabelValues(stage, split, s.model, tokensOutput).Add(float64(s.output))
	}
	return exemplar
}

// spoken summarizes an attempt's messages by model. Usually, there is only one model.
type spoken []*speech

type speech struct {
	model                string
	turns, input, output int
	seconds              prometheus.Observer
}

func (s *spoken) of(m *metrics, stage, split, served string) *speech {
	model := served
	if model == "" {
		model = modelPolicy
	}
	for _, known := range *s {
		if known.model == model {
			return known
		}
	}
	added := &speech{model: model, seconds: m.modelSeconds.WithLabelValues(stage, split, model)}
	*s = append(*s, added)
	return added
}

// addSome adds n unless it is 0, so that no empty series is created.
func addSome(c *prometheus.CounterVec, n int, labels ...string) {
	if n > 0 {
		c.WithLabelValues(labels...).Add(float64(n))
	}
}

// classes lists the values of the class label, in addition to the empty one.
var classes = []sdk.FailureClass{
	sdk.FailureInfrastructure, sdk.FailureEnvironment, sdk.FailureAgent, sdk.FailureTimeout, sdk.FailureModel,
	sdk.FailureReward, sdk.FailurePolicy,
}

// classOf returns a failure's class, or otherwise if f is nil.
func classOf(f *sdk.Failure, otherwise sdk.FailureClass) string {
	class := otherwise
	if f != nil {
		class = f.Class
	}
	if class != "" && !slices.Contains(classes, class) {
		return "OTHER"
	}
	return string(class)
}

// newest holds the newest policy version in each stage. Episodes end in any order.
type newest struct {
	mu       sync.Mutex
	versions map[string]int64
}

func (n *newest) see(gauge prometheus.Gauge, stage string, version int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.versions == nil {
		n.versions = map[string]int64{}
	}
	if known, seen := n.versions[stage]; !seen || version > known {
		n.versions[stage] = version
		gauge.Set(float64(version))
	}
}
