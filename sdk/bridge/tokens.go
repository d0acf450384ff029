package bridge

import (
	"maps"
	"slices"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// tokensMetric is 1 in the result of an episode whose worker must send its token rows.
const tokensMetric = "awhost/tokens"

// Limits on requested and stored rows. The host does not keep more than this for a step.
const (
	maxTokenEpisodes = 128 // of a step
	maxTokenSteps    = 8   // number of steps whose episodes wait for training
)

// TokenRows collects token rows for display, for a framework whose trainer does not report them. The workers send the
// rows of entire groups from their ledgers, and the adapter forwards them at the step that trained them. Nothing
// depends on a row, and a lost one is not detected. The zero value does not request any rows.
type TokenRows struct {
	Every int // steps; 0: never

	mu    sync.Mutex
	steps map[int]*tokenStep // by the step that episodes were requested for
}

// tokenStep holds the rows received for a step's episodes.
type tokenStep struct {
	groups map[string]bool
	rows   map[string][]sdk.TokensRow // by requested episode; nil: not received yet
}

// Ask returns the result to send to the worker of a training episode, marked if its rows are wanted.
func (t *TokenRows) Ask(req sdk.EpisodeRequest, result *sdk.EpisodeResult) *sdk.EpisodeResult {
	if t.Every == 0 || req.Step%t.Every != 0 || !t.reserve(req) {
		return result
	}
	out := *result
	out.Metrics = maps.Clone(result.Metrics)
	if out.Metrics == nil {
		out.Metrics = map[string]float64{}
	}
	out.Metrics[tokensMetric] = 1
	return &out
}

// reserve records an episode whose rows are wanted: those in the first groups of a step whose samples fit within the
// limits.
func (t *TokenRows) reserve(req sdk.EpisodeRequest) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	s := t.step(req.Step)
	room := maxTokenEpisodes/max(1, req.GroupSize) > len(s.groups) || len(s.groups) == 0
	if !s.groups[req.GroupID] && !room || len(s.rows) >= maxTokenEpisodes {
		return false
	}
	s.groups[req.GroupID] = true
	s.rows[req.EpisodeID] = nil
	return true
}

// step returns the state of a step. A new step's state replaces the oldest one. The caller holds mu.
func (t *TokenRows) step(number int) *tokenStep {
	if t.steps == nil {
		t.steps = map[int]*tokenStep{}
	}
	s := t.steps[number]
	if s == nil {
		if len(t.steps) == maxTokenSteps {
			delete(t.steps, slices.Min(slices.Collect(maps.Keys(t.steps))))
		}
		s = &tokenStep{groups: map[string]bool{}, rows: map[string][]sdk.TokensRow{}}
		t.steps[number] = s
	}
	return s
}

// Keep stores rows that a worker has sent. It drops rows from episodes for which no rows were requested.
func (t *TokenRows) Keep(e *sdk.TokensEvent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, row := range e.Rows {
		for _, s := range t.steps {
			if rows, asked := s.rows[row.EpisodeID]; asked {
				s.rows[row.EpisodeID] = append(rows, row)
			}
		}
	}
}

// Take returns the rows of the episodes that a step has trained, with one event for each episode.
func (t *TokenRows) Take(step int, consumed []sdk.ConsumedEpisode) (out []sdk.TrainEvent) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range consumed {
		for _, s := range t.steps {
			if rows := s.rows[c.EpisodeID]; len(rows) > 0 && c.Use == sdk.ConsumedTrained {
				out = append(out, sdk.TrainEvent{Tokens: &sdk.TokensEvent{Step: step, Rows: rows}})
			}
			delete(s.rows, c.EpisodeID)
		}
	}
	return out
}
