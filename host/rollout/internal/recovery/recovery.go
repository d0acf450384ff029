// Package recovery waits for lost plugins and counts an episode's retries.
//
//	failure := recovery.Regain(ctx, &effort, lost, waits) // nil: try again
//
// It does not depend on episodes.
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

// Losses count toward no budget, but they are limited.
const (
	// MostLostSessions is how often a running plugin may lose an episode, or an engine may abort its generation, before
	// this is treated as the component's own failure rather than an infrastructure failure. If the plugin itself
	// reports an infrastructure failure, the run ends instead, because no episode is to blame.
	MostLostSessions = 10
	// mostLostPlugins is how often plugins may die during one episode. The supervisor's restart budget normally ends a
	// run long before this limit is reached. This limit applies to plugins that are restarted without limit.
	mostLostPlugins = 100

	firstLossPause = 20 * time.Millisecond
	mostLossPause  = 5 * time.Second
)

// RetryCount counts repetitions.
type RetryCount struct {
	Retries      int // by on_failure
	lostPlugins  int
	lostSessions int
	TimedOut     bool               // a reward took too long, and that affects the outcome
	Blamed       string             // the plugin that the task killed, see quarantine.Tracker
	Metrics      map[string]float64 // of the calls of rewards
}

// LostSessions returns the number of sessions lost by running plugins.
func (e *RetryCount) LostSessions() int { return e.lostSessions }

// Losses returns the number of retries caused by lost plugins.
func (e *RetryCount) Losses() int { return e.lostPlugins + e.lostSessions }

// Add adds retries made elsewhere on behalf of the owner.
func (e *RetryCount) Add(other *RetryCount) {
	e.Retries += other.Retries
	e.lostPlugins += other.lostPlugins
	e.lostSessions += other.lostSessions
	e.TimedOut = e.TimedOut || other.TimedOut
	if e.Blamed == "" {
		e.Blamed = other.Blamed
	}
	e.AddMetrics("", other.Metrics)
}

// AddMetrics adds reward metrics under a prefix.
func (e *RetryCount) AddMetrics(prefix string, metrics map[string]float64) {
	for name, value := range metrics {
		if e.Metrics == nil {
			e.Metrics = map[string]float64{}
		}
		e.Metrics[prefix+name] += value
	}
}

// Recovery waits for lost plugins.
type Recovery struct {
	Clock clock.Clock
	// AwaitPlugin waits until a plugin serves again. Fail ends the run.
	AwaitPlugin func(ctx context.Context, address string, cause error) error
	Fail        func(error)
}

// AwaitReturn waits until a lost plugin is available again. It returns a failure if trying again would not help.
func (r *Recovery) AwaitReturn(
	ctx context.Context, effort *RetryCount, lost *verdict.CallError, waits wait.Stacks,
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
		r.Fail(fmt.Errorf("%s could not continue %d times during one episode: %w", lost.Address, MostLostSessions, lost.Err))
		return nil
	case !died && effort.lostSessions >= MostLostSessions:
		return &sdk.Failure{Class: lost.Class, Detail: fmt.Sprintf(
			"%s lost the episode %d times even though its process is running: "+
				"%v", lost.Address, MostLostSessions, lost.Err)}
	}
	if n := effort.Losses(); n > 0 {
		_ = clock.Pause(ctx, r.Clock, clock.Backoff(firstLossPause, mostLossPause, n-1)) // the next attempt checks ctx
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

// infrastructure reports whether a plugin blames its infrastructure. A reward failure keeps its own class, because it
// affects a number rather than the episode.
func infrastructure(lost *verdict.CallError) bool {
	var failure *sdk.Failure
	return lost.Class != sdk.FailureReward && errors.As(lost.Err, &failure) && failure.Class == sdk.FailureInfrastructure
}
