// Package rollout runs episodes: it is the engine behind the host's RunEpisode.
//
// It owns admission, groups, concurrency, deadlines, retries, seeds, the failure policy and the numbers that come of
// them. It must not know the spec language, which framework trains, or terminals: the run gives it plugins as
// interfaces and the reward expression as a function.
//
//	engine, err := rollout.New(rollout.Options{RunSeed: 1, Sink: journal, AwaitPlugin: supervisor.Await})
//	err = engine.Configure(rollout.StageSetup{Name: "full", Tasks: tasks, Agent: solver, …})
//	result, err := engine.RunEpisode(ctx, request) // as often as the adapter likes, at the same time
//	report := engine.Boundary(end)                 // after each step: its numbers, and whether to go on
//	err = engine.Close(ctx)
//
// The life of an episode, each line a file: it is found or created by its id (registry.go, launch.go), queues for a place
// (admission.go), is tried until an attempt comes to an end (episode.go, attempt.go, policy.go, effort.go, quarantine.go), is scored
// alone and with its group (score.go, judge.go, batch.go, group.go, pact.go), becomes a record (record.go) and a line in the numbers of
// its step (ledger.go, stats.go, breaker.go). Per turn the engine takes no lock that episodes share.
//
// Determinism: seeds come from the slot (seeds.go), sums run in slot order, decisions are made at boundaries. Nothing
// that counts depends on which episode was faster.
package rollout

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/group"
	"github.com/awhost/awhost/host/rollout/internal/lifetime"
	"github.com/awhost/awhost/host/rollout/internal/quarantine"
	"github.com/awhost/awhost/host/rollout/internal/recovery"
	"github.com/awhost/awhost/host/rollout/internal/registry"
	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/sdk"
)

// Slot is a place in a run; see the package slot.
type Slot = slot.Slot

// Lives, Blame and Quarantined are about tasks that kill plugins; see the package quarantine.
type (
	Lives       = quarantine.Lives
	Blame       = quarantine.Blame
	Quarantined = quarantine.Task
)

// Options are what stays the same for a whole run.
type Options struct {
	RunSeed int64
	Sink    Sink
	// AwaitPlugin waits until the lost plugin at an address serves again. An error stops the run. Nil: a lost
	// plugin stops it.
	AwaitPlugin func(ctx context.Context, address string, cause error) error
	// Lives tells deaths apart, for the quarantine of tasks. Nil: no task is blamed.
	Lives Lives
	// Blamed hears of tasks that killed a plugin alone; it must not call the engine. MaxBlamed is under how many of them
	// in a row a plugin may die before it is broken itself, which stops the run; 0: any number.
	Blamed    func(Blame)
	MaxBlamed int

	ReconnectGrace time.Duration // how long an episode goes on when nobody waits for it; 0: not at all
	CloseTimeout   time.Duration // for an environment's Close; default 10s
	RewardTimeout  time.Duration // for one call of a reward; default 5m
	SiblingTimeout time.Duration // how long a group waits for samples that nobody has asked for; default 10m
	ResultBytes    int           // most of a result, as the adapter takes it; 0: any number
	MaxResults     int           // most results kept for repeats; default 16384
	OpenWindow     int           // how many steps an episode may wait to be used; 0: as many as the stage has
	Clock          clock.Clock   // default: the system's
}

// Engine runs the episodes of a run.
type Engine struct {
	options  Options
	clock    clock.Clock
	lifetime *lifetime.Lifetime
	stage    atomic.Pointer[stage]
	registry *registry.Registry
	compared *group.Comparisons
	dropped  *group.Drops
	arrivals *group.Arrivals
	ledger   *ledger
	live     live

	mu      sync.Mutex
	breaker *breaker
	// quarantine is what the episodes of a step are held against: it changes at boundaries.
	quarantine *quarantine.Quarantine
	recovery   recovery.Recovery
}

// New makes an engine. Close it.
func New(options Options) (*Engine, error) {
	if options.Sink == nil {
		return nil, errors.New("make a rollout engine: there is no sink for its records")
	}
	options = options.withDefaults()
	e := &Engine{
		options: options, clock: options.Clock, lifetime: lifetime.New(),
		registry: registry.New(options.MaxResults), ledger: newLedger(), breaker: &breaker{},
	}
	e.recovery = recovery.Recovery{Clock: e.clock, AwaitPlugin: options.AwaitPlugin, Fail: e.lifetime.Fail}
	e.quarantine = quarantine.New(quarantine.Options{
		Lives: options.Lives, AwaitPlugin: options.AwaitPlugin, Fail: e.lifetime.Fail,
		Blamed: options.Blamed, MaxBlamed: options.MaxBlamed,
	})
	e.ledger.window = options.OpenWindow
	grouping := group.Options{Clock: e.clock, SiblingTimeout: options.SiblingTimeout, Spawn: e.lifetime.Spawn}
	e.compared, e.dropped, e.arrivals = group.NewComparisons(grouping), group.NewDrops(grouping), group.NewArrivals()
	return e, nil
}

func (o Options) withDefaults() Options {
	if o.AwaitPlugin == nil {
		o.AwaitPlugin = func(_ context.Context, _ string, cause error) error {
			if errors.Is(cause, verdict.ErrPluginLost) {
				return cause
			}
			return nil
		}
	}
	for field, value := range map[*time.Duration]time.Duration{
		&o.CloseTimeout:   10 * time.Second,
		&o.RewardTimeout:  5 * time.Minute,
		&o.SiblingTimeout: 10 * time.Minute,
	} {
		if *field == 0 {
			*field = value
		}
	}
	if o.MaxResults == 0 {
		o.MaxResults = 16384
	}
	if o.Clock == nil {
		o.Clock = clock.System{}
	}
	return o
}

// Configure changes to another stage. Episodes that are under way end as they began.
func (e *Engine) Configure(setup StageSetup) error {
	s, err := newStage(setup, e.callBatch)
	if err != nil {
		return err
	}
	s.terms = group.Terms{Order: s.queue.Order, Least: s.MinGroup, Judge: func(
		ctx context.Context, split sdk.Split, survivors []*group.Member, missing int,
	) {
		e.compare(ctx, s, split, survivors, missing)
	}}
	e.mu.Lock()
	defer e.mu.Unlock()
	e.breaker = &breaker{settings: setup.Breaker, window: slices.Clone(setup.BreakerWindow)}
	e.ledger.discard()
	e.quarantine.Reset(setup.Name, setup.Quarantine)
	e.stage.Store(s)
	return nil
}

// callBatch runs the call of a batching reward.
func (e *Engine) callBatch(call func(ctx context.Context)) {
	e.lifetime.Spawn(func(ctx context.Context) {
		bounded, stop := clock.WithLimit(ctx, e.clock, e.options.RewardTimeout, verdict.ErrRewardLimit)
		defer stop()
		call(bounded)
	})
}

// RunEpisode runs an episode, joins it where it is running, or returns its stored result. It blocks until then. Where the run ends
// before, whatever ends it, the error wraps sdk.ErrUnavailable: the episode has no result, and whoever goes on with the run is asked again.
func (e *Engine) RunEpisode(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	return e.RunEpisodeObserved(ctx, req, func() {})
}

// RunEpisodeObserved is RunEpisode that calls started when the episode has its place.
func (e *Engine) RunEpisodeObserved(ctx context.Context, req sdk.EpisodeRequest, started func()) (*sdk.EpisodeResult, error) {
	entry, err := e.enter(req)
	if err != nil {
		return nil, fmt.Errorf("run episode %q: %w", req.EpisodeID, err)
	}
	defer entry.Leave(e.clock, e.options.ReconnectGrace)
	select {
	case <-entry.Started():
		started()
	case <-entry.Done():
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	select {
	case <-entry.Done():
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	if err := e.Err(); err != nil {
		return nil, verdict.Unavailable(err)
	}
	known, err := entry.Result()
	if err != nil {
		return nil, fmt.Errorf("run episode %q: %w", req.EpisodeID, err)
	}
	result := *known
	return &result, nil
}

// CancelEpisode ends an episode that nobody waits for any more: its environment is closed and its outcome is
// CANCELLED. It does nothing where there is none, or none any more.
func (e *Engine) CancelEpisode(_ context.Context, episodeID, reason string) error {
	if entry := e.registry.Find(episodeID); entry != nil {
		entry.Cancel(&verdict.Cancelled{Reason: reason})
	}
	return nil
}

// Err is what stopped the run, or nil.
func (e *Engine) Err() error { return e.lifetime.Err() }

// Failed is closed when the run cannot go on; Err says why.
func (e *Engine) Failed() <-chan struct{} { return e.lifetime.Failed() }

// BoundaryReport is what a step or a validation pass came to.
type BoundaryReport struct {
	Train      Aggregate
	Validation *Aggregate // nil: no validation pass has ended
	Trip       *Trip      // not nil: too many episodes failed, the run should stop
}

// StepEnd is a boundary, with what the trainer has said of the steps since the one before.
type StepEnd struct {
	sdk.StepBoundaryRequest
	Used []string // ids of the episodes that these steps used, for training or otherwise; a trainer may not have used all that is over
	Last bool     // of the stage: there is no later step that could use an episode
}

// Boundary ends a step, a validation pass, or both: it sums up the episodes that the step used and those that no step will use,
// feeds the circuit breaker with all that have ended, and forgets what nobody can ask for again. A step is over when nothing of it is
// under way any more and all of it has counted: its episodes are refused from then on. The boundary counts unless Err says otherwise.
func (e *Engine) Boundary(req StepEnd) BoundaryReport {
	train := e.ledger.takeTrain(req)
	weighed := e.ledger.weigh(req, train)
	report := BoundaryReport{Train: aggregate(req.Stage, sdk.SplitTrain, req.Step, train)}
	var pass []*summary
	if req.Validated {
		pass = e.ledger.takeValidation(req.Stage, req.Step)
		validation := aggregate(req.Stage, sdk.SplitValidation, req.Step, pass)
		report.Validation = &validation
	}
	over := e.firstOpen(req.Step)
	e.ledger.forget(over)
	e.registry.ForgetBefore(over)
	e.dropped.Forget(over)
	e.compared.Forget(over)
	e.arrivals.Forget(over)
	if s := e.stage.Load(); s != nil {
		e.quarantine.Doubt(s.Proven)
	}
	e.quarantine.End(req.Step, blamed(train))
	e.quarantine.End(req.Step, blamed(pass))
	e.mu.Lock()
	defer e.mu.Unlock()
	report.Trip = e.breaker.feed(weighed)
	return report
}

// firstOpen is the earliest step of which something is under way, waits for siblings or has not counted; the step that ends where
// there is none before it.
func (e *Engine) firstOpen(step int) int {
	first := step
	lower := func(open int) {
		if open > 0 { // 0: its trainer does not say
			first = min(first, open)
		}
	}
	e.registry.Running(lower)
	e.ledger.open(lower)
	e.compared.Waiting(lower)
	e.dropped.Waiting(lower)
	return first
}

// blamed lists the episodes whose tasks killed a plugin alone.
func blamed(episodes []*summary) []quarantine.Blamed {
	var out []quarantine.Blamed
	for _, s := range episodes {
		if s.blamed != "" && s.class != "" {
			out = append(out, quarantine.Blamed{Slot: s.slot, Address: s.blamed, Class: s.class})
		}
	}
	return out
}

// Quarantine lists the tasks of the stage that are not tried any more, as of the last boundary. A resumed run gives it
// back in StageSetup.
func (e *Engine) Quarantine() []Quarantined { return e.quarantine.Tasks() }

// BreakerWindow is what the circuit breaker remembers. A resumed run gives it back in StageSetup, so that it trips
// where the undisturbed one does.
func (e *Engine) BreakerWindow() []sdk.FailureClass {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Clone(e.breaker.window)
}

// live counts what happens now, for people who watch. None of it is repeatable.
type live struct {
	queued, running, waiting, losses, unclosed atomic.Int64
}

// Live is what the engine does at the moment.
type Live struct {
	Queued   int // waiting for a place
	Running  int // at work
	Waiting  int // for siblings
	Losses   int // attempts and scorings lost with a plugin, so far
	Unclosed int // environments whose Close failed, so far
}

// Live looks at the engine.
func (e *Engine) Live() Live {
	return Live{
		Queued: int(e.live.queued.Load()), Running: int(e.live.running.Load()), Waiting: int(e.live.waiting.Load()),
		Losses: int(e.live.losses.Load()), Unclosed: int(e.live.unclosed.Load()),
	}
}

// Close ends what is under way, without a result, and waits until it has ended, environments included.
func (e *Engine) Close(ctx context.Context) error {
	e.lifetime.Close("the run stops")
	ended := make(chan struct{})
	go func() {
		e.lifetime.Wait()
		e.compared.Stop()
		e.dropped.Stop()
		e.registry.Stop()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close the rollout engine: episodes are still under way: %w", context.Cause(ctx))
	}
}
