package rollout

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
	// mostLostSessions is how often a plugin that lives may forget an episode, or an engine abort its generation,
	// before that is taken for a failure of its own rather than of the infrastructure.
	mostLostSessions = 10
	// mostLostPlugins is how often plugins may die under one episode. The supervisor's restart budget ends a run
	// long before; this is for one that restarts for ever.
	mostLostPlugins = 100

	firstLossPause = 20 * time.Millisecond
	mostLossPause  = 5 * time.Second
)

// effort counts what was repeated.
type effort struct {
	retries      int // by on_failure
	lostPlugins  int
	lostSessions int
	timedOut     bool               // a reward took too long, which counts
	blamed       string             // the plugin that the task killed, see quarantine.Tracker
	metrics      map[string]float64 // of the calls of rewards
}

func (e *effort) losses() int { return e.lostPlugins + e.lostSessions }

func (e *effort) add(other *effort) {
	e.retries += other.retries
	e.lostPlugins += other.lostPlugins
	e.lostSessions += other.lostSessions
	e.timedOut = e.timedOut || other.timedOut
	if e.blamed == "" {
		e.blamed = other.blamed
	}
	for name, value := range other.metrics {
		if e.metrics == nil {
			e.metrics = map[string]float64{}
		}
		e.metrics[name] += value
	}
}

// regain waits until a lost plugin is back. A failure means that trying again would not help.
func (ep *episode) regain(ctx context.Context, lost *verdict.CallError) *sdk.Failure {
	return ep.engine.regain(ctx, &ep.effort, lost, wait.Stacks{ep.entry.waits})
}

func (e *Engine) regain(ctx context.Context, effort *effort, lost *verdict.CallError, waits wait.Stacks) *sdk.Failure {
	e.live.losses.Add(1)
	died := errors.Is(lost, verdict.ErrPluginLost)
	what := wait.Repeat
	if died {
		what = wait.Restart
	}
	defer waits.Begin(wait.Wait{For: what, Address: lost.Address})()
	switch {
	case died && effort.lostPlugins >= mostLostPlugins:
		e.fail(fmt.Errorf("%s was lost %d times during one episode: %w", lost.Address, mostLostPlugins, lost.Err))
		return nil
	case !died && effort.lostSessions >= mostLostSessions:
		return &sdk.Failure{Class: lost.Class, Detail: fmt.Sprintf(
			"%s lost the episode %d times while its process lives: %v", lost.Address, mostLostSessions, lost.Err)}
	}
	if n := effort.losses(); n > 0 {
		_ = clock.Pause(ctx, e.clock, clock.Backoff(firstLossPause, mostLossPause, n-1)) // the next attempt finds ctx ended
	}
	if died {
		effort.lostPlugins++
	} else {
		effort.lostSessions++
	}
	if ctx.Err() != nil {
		return nil
	}
	if err := e.options.AwaitPlugin(ctx, lost.Address, lost.Err); err != nil && ctx.Err() == nil {
		e.fail(fmt.Errorf("wait for %s: %w", lost.Address, err))
	}
	return nil
}
