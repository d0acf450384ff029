// Package recovery waits for plugins that were lost, and counts what an episode repeats.
//
//	failure := recovery.Regain(ctx, &effort, lost, waits) // nil: try again
//
// It knows nothing of episodes.
package recovery

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// Losses are outside every budget, but not without end.
const (
	// MostLostSessions is how often a plugin that lives may forget an episode, or an engine abort its generation,
	// before that is taken for a failure of its own rather than of the infrastructure. A plugin that says itself that it
	// is the infrastructure ends the run then: no episode is to blame.
	MostLostSessions = 10
	// mostLostPlugins is how often plugins may die under one episode. The supervisor's restart budget ends a run
	// long before; this is for one that restarts for ever.
	mostLostPlugins = 100

	firstLossPause = 20 * time.Millisecond
	mostLossPause  = 5 * time.Second
)

// Effort counts what was repeated.
type Effort struct {
	Retries      int // by on_failure
	lostPlugins  int
	lostSessions int
	TimedOut     bool               // a reward took too long, which counts
	Blamed       string             // the plugin that the task killed, see quarantine.Tracker
	Metrics      map[string]float64 // of the calls of rewards
}

// LostSessions counts the sessions that plugins which live have lost.
func (e *Effort) LostSessions() int { return e.lostSessions }

// Losses counts what was repeated because a plugin was lost.
func (e *Effort) Losses() int { return e.lostPlugins + e.lostSessions }

// Add adds what was repeated elsewhere on behalf of this.
func (e *Effort) Add(other *Effort) {
	e.Retries += other.Retries
	e.lostPlugins += other.lostPlugins
	e.lostSessions += other.lostSessions
	e.TimedOut = e.TimedOut || other.TimedOut
	if e.Blamed == "" {
		e.Blamed = other.Blamed
	}
	e.AddMetrics("", other.Metrics)
}

// AddMetrics adds numbers of rewards under a prefix.
func (e *Effort) AddMetrics(prefix string, metrics map[string]float64) {
	for name, value := range metrics {
		if e.Metrics == nil {
			e.Metrics = map[string]float64{}
		}
		e.Metrics[prefix+name] += value
	}
}

// Recovery waits for plugins that were lost.
type Recovery struct {
	Clock clock.Clock
	// AwaitPlugin waits until a plugin serves again; Fail ends the run.
	AwaitPlugin func(ctx context.Context, address string, cause error) error
	Fail        func(error)
}

// Regain waits until a lost plugin is back. A failure means that trying again would not help.
func (r *Recovery) Regain(
	ctx context.Context, effort *Effort, lost *verdict.CallError, waits wait.Stacks,
) *sdk.Failure {
	died := errors.Is(lost, verdict.ErrPluginLost)
	what := wait.Repeat
	if died {
		what = wait.Restart
	}
	defer waits.Begin(wait.Wait{For: what, Address: lost.Address})()
	switch {
	case died && effort.lostPlugins >= mostLostPlugins:
		r.Fail(fmt.Errorf("%s was lost %d times during one episode: %w", lost.Address, mostLostPlugins, lost.Err))
		return nil
	case !died && effort.lostSessions >= MostLostSessions && infrastructure(lost):
		r.Fail(fmt.Errorf("%s could not go on %d times during one episode: %w", lost.Address, MostLostSessions, lost.Err))
		return nil
	case !died && effort.lostSessions >= MostLostSessions:
		return &sdk.Failure{Class: lost.Class, Detail: fmt.Sprintf(
			"%s lost the episode %d times while its process lives: %v", lost.Address, MostLostSessions, lost.Err)}
	}
	if n := effort.Losses(); n > 0 {
		_ = clock.Pause(ctx, r.Clock, clock.Backoff(firstLossPause, mostLossPause, n-1)) // the next attempt finds ctx ended
	}
	if died {
		effort.lostPlugins++
	} else {
		effort.lostSessions++
	}
	if ctx.Err() != nil {
		return nil
	}
	if err := r.AwaitPlugin(ctx, lost.Address, lost.Err); err != nil && ctx.Err() == nil {
		r.Fail(fmt.Errorf("wait for %s: %w", lost.Address, err))
	}
	return nil
}

// infrastructure reports whether a plugin says that what it stands on is to blame. A reward's failure keeps its own
// class: what stands on a reward is one number, not the episode.
func infrastructure(lost *verdict.CallError) bool {
	var failure *sdk.Failure
	return lost.Class != sdk.FailureReward && errors.As(lost.Err, &failure) && failure.Class == sdk.FailureInfrastructure
}
