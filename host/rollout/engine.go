// Package rollout runs episodes. It is the engine behind the host's RunEpisode.
//
// It owns admission, groups, concurrency, deadlines, retries, seeds, the failure policy and the resulting numbers. It
// must not depend on the spec language, a training framework, or terminals: the run passes plugins to it as interfaces
// and the reward expression as a function.
//
//	engine, err := rollout.New(rollout.Options{RunSeed: 1, Sink: journal, AwaitPlugin: supervisor.Await})
//	err = engine.Configure(rollout.StageSetup{Name: "full", Tasks: tasks, Agent: solver, …})
//	result, err := engine.RunEpisode(ctx, request) // any number of times, concurrently
//	report := engine.Boundary(end)                 // after each step: its numbers, and whether to continue
//	err = engine.Close(ctx)
//
// The path of an episode, one file per line:
//
//	engine.go   RunEpisode finds or creates it by id, assigns its group and goroutine, and publishes its result
//	episode.go  from the queue to the record
//	attempt.go  attempts until one ends normally, and the consequences of failures
//	score.go    scores of the rewards, alone and with its group, and the composed reward
//	result.go   the outcome, once its siblings have ended, and the result for its caller
//	record.go   the episode's record and its digest
//
// The other files: model.go and session.go are the agent's view of the policy and of the environment, judge.go calls
// rewards, ledger.go, members.go, stats.go and breaker.go compute the numbers of a step, and boundary.go ends it
// ([Engine.Boundary]). The packages below internal are queue, group, quarantine, recovery, registry, verdict, and
// others. internal/readingorder measures how often this path returns to a file that it has left, and its test checks
// the resulting number. During a turn, the engine takes no lock that is shared between episodes.
//
// Determinism: seeds are derived from the slot (internal/slot), sums are computed in slot order, and decisions are made
// at boundaries. No recorded result depends on which episode was faster.
package rollout

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
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
	"github.com/awhost/awhost/host/rollout/internal/trace"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// Slot is a position in a run. See the package slot.
type Slot = slot.Slot

// Tracer propagates episode traces to other processes, and Exchange describes a traced call. See the package trace.
type (
	Tracer   = trace.Tracer
	Exchange = trace.Exchange
)

// ProcessTracker, Blame and Quarantined concern tasks that kill plugins. See the package quarantine.
type (
	ProcessTracker = quarantine.ProcessTracker
	Blame          = quarantine.Blame
	Quarantined    = quarantine.Task
)

// Options holds the settings for a whole run.
type Options struct {
	RunSeed int64
	Origin  *Origin // source of all episodes' seeds; nil: each has its own
	Sink    Sink
	Tracer  Tracer // nil: episodes are not traced
	// AwaitPlugin waits until the lost plugin at an address is serving again. An error stops the run. If it is nil, a
	// lost plugin stops the run.
	AwaitPlugin func(ctx context.Context, address string, cause error) error
	// Processes distinguishes plugin processes for quarantining tasks. If it is nil, tasks are not blamed.
	Processes ProcessTracker
	// Blamed is called for each task that killed a plugin while running alone. It must not call the engine. MaxBlamed
	// is the number of consecutive tasks of this kind after which the plugin itself is considered broken, which stops
	// the run. 0 means no limit.
	Blamed    func(Blame)
	MaxBlamed int

	ReconnectGrace time.Duration // how long an episode continues without a waiting caller; 0: not at all
	CloseTimeout   time.Duration // for an environment's Close; default 10s
	RewardTimeout  time.Duration // for one call of a reward; default 5m
	SiblingTimeout time.Duration // how long a group waits for samples that were not requested; default 10m
	ResultBytes    int           // largest result that the adapter accepts; 0: no limit
	MaxResults     int           // most results kept for repeated requests; default 16384
	// Once reports that no request is repeated, and that no boundary counts the episodes: the engine keeps nothing of an
	// episode that has ended.
	Once       bool
	OpenWindow int         // how many steps an episode may wait to be used; 0: as many as the stage has
	Clock      clock.Clock // default: the system clock
}

// Engine runs a run's episodes.
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
	codec    atomic.Pointer[Codec] // of the policy's messages; nil until it is known

	mu      sync.Mutex
	breaker *breaker
	// quarantine holds the tasks that are not tried again. It changes at boundaries.
	quarantine *quarantine.Quarantine
	recovery   recovery.Recovery
	served     []*ServedBinding // of all stages, until Close
}

// New returns an engine. The caller must close it.
func New(options Options) (*Engine, error) {
	if options.Sink == nil {
		return nil, errors.New("create rollout engine: the record sink is missing")
	}
	options = options.withDefaults()
	e := &Engine{
		options: options, clock: options.Clock, lifetime: lifetime.New(),
		registry: registry.New(options.MaxResults), ledger: newLedger(), breaker: &breaker{},
	}
	e.recovery = recovery.Recovery{Clock: e.clock, AwaitPlugin: options.AwaitPlugin, Fail: e.lifetime.Fail}
	e.quarantine = quarantine.New(quarantine.Options{
		Processes: options.Processes, AwaitPlugin: options.AwaitPlugin, Fail: e.lifetime.Fail,
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

// Configure switches to another stage. Running episodes finish under their old stage.
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
	e.served = slices.AppendSeq(e.served, maps.Values(s.Served))
	e.codec.Store(setup.Codec)
	e.stage.Store(s)
	return nil
}

// callBatch makes a call to a batching reward.
func (e *Engine) callBatch(call func(ctx context.Context)) {
	e.lifetime.Spawn(func(ctx context.Context) {
		bounded, stop := clock.WithLimit(ctx, e.clock, e.options.RewardTimeout, verdict.ErrRewardLimit)
		defer stop()
		call(bounded)
	})
}

// RunEpisode runs an episode, joins one that is already running, or returns its stored result. It blocks until the
// result is available. If the run ends first, for any reason, the error wraps sdk.ErrUnavailable: the episode has no
// result, and the caller must request it again from the resumed run.
func (e *Engine) RunEpisode(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	return e.RunEpisodeObserved(ctx, req, func() {})
}

// RunEpisodeObserved runs an episode as RunEpisode does and calls started when the episode leaves the queue.
func (e *Engine) RunEpisodeObserved(ctx context.Context, req sdk.EpisodeRequest, started func()) (*sdk.EpisodeResult,
	error) {
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

// enter finds or creates the episode for a request and counts the caller.
func (e *Engine) enter(req sdk.EpisodeRequest) (*registry.Entry, error) {
	if err := e.Err(); err != nil {
		return nil, verdict.Unavailable(err)
	}
	if err := checkRequest(req); err != nil {
		return nil, err
	}
	var err error
	found := e.registry.Find(req.EpisodeID)
	switch {
	case req.SampleIndex != sdk.SampleByArrival:
	case found != nil:
		req.SampleIndex = found.Identity.Slot.Sample
	default:
		if req.SampleIndex, err = e.arrivals.Number(identityOf(req).Slot, req.EpisodeID, req.GroupSize); err != nil {
			return nil, err
		}
	}
	if found == nil {
		if found, err = e.create(req); err != nil {
			return nil, err
		}
	}
	if found.Identity != identityOf(req) {
		return nil, errors.New("the id already belongs to another sample: choose a new one")
	}
	found.Join()
	return found, nil
}

func checkRequest(req sdk.EpisodeRequest) error {
	switch {
	case req.EpisodeID == "":
		return errors.New("the request has no episode id")
	case req.Split != sdk.SplitTrain && req.Split != sdk.SplitValidation:
		return fmt.Errorf("unknown split %q", req.Split)
	case req.GroupIndex != nil && *req.GroupIndex < 0:
		return fmt.Errorf("the group_index is %d: it must not be negative", *req.GroupIndex)
	case req.Endpoint != nil:
		return errors.New("the request contains an endpoint, which this host does not support: use an adapter that " +
			"implements Generate")
	}
	return nil
}

func identityOf(req sdk.EpisodeRequest) registry.Identity {
	slot := Slot{
		Stage: req.Stage, Split: req.Split, Step: req.Step, Index: req.DatasetIndex, Group: req.GroupID,
		Sample: req.SampleIndex,
	}
	if req.Task != nil {
		slot.Index, slot.Task = -1, req.Task.ID
	}
	slot.Position = slot.Index
	if req.GroupIndex != nil {
		slot.Position = *req.GroupIndex
	}
	return registry.Identity{Slot: slot, Draw: req.Draw}
}

func (o Origin) seeds(runSeed int64) slot.Seeds {
	return slot.NewSeeds(runSeed, slot.Slot{
		Stage: o.Stage, Split: o.Split, Step: o.Step, Position: o.Position, Repeat: o.Repeat, Task: o.Task,
		Sample: o.Sample,
	})
}

// create starts an episode. If a concurrent caller created it first, create returns that episode.
func (e *Engine) create(req sdk.EpisodeRequest) (*registry.Entry, error) {
	stage := e.stage.Load()
	if stage == nil || stage.Name != req.Stage {
		return nil, fmt.Errorf("stage %q is not the current stage", req.Stage)
	}
	if floor := e.registry.Floor(); req.Step > 0 && req.Step < floor {
		return nil, fmt.Errorf("step %d has ended: the earliest open step is step %d", req.Step, floor)
	}
	task, err := stage.taskFor(req)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(e.lifetime.Context())
	waits := wait.NewStack(e.clock, task.ID, stage.queue.LacksSessions, stage.environment)
	if e.options.Tracer != nil {
		waits.Keep()
	}
	created := registry.NewEntry(req.EpisodeID, identityOf(req), cancel, waits)
	known, inserted := e.registry.Insert(created)
	if !inserted {
		cancel(nil)
		return known, nil
	}
	ep := &episode{engine: e, stage: stage, entry: created, request: req, slot: created.Identity.Slot, task: task}
	ep.trace = trace.Episode{Tracer: e.options.Tracer, ID: req.EpisodeID}
	ep.slot.Task = task.ID
	ep.slot.Repeat = e.arrivals.Repeat(ep.slot)
	ep.seeds = slot.NewSeeds(e.options.RunSeed, ep.slot)
	if o := e.options.Origin; o != nil {
		ep.seeds = o.seeds(e.options.RunSeed)
	}
	ep.banned = e.quarantine.Find(ep.slot)
	if err := e.launch(ctx, ep); err != nil {
		cancel(nil)
		e.registry.Remove(created)
		created.Complete(nil, err)
		return nil, err
	}
	return created, nil
}

// launch assigns the episode to its groups and starts its goroutine.
func (e *Engine) launch(ctx context.Context, ep *episode) error {
	if ep.stage.grouped {
		var err error
		if ep.member, err = e.compared.Join(ep.stage.terms, ep.slot, ep.request); err != nil {
			return err
		}
		ep.member.Waits = ep.entry.Waits
	}
	if ep.stage.settles(ep.slot, ep.request) {
		var err error
		if ep.sample, err = e.dropped.Join(ep.slot, ep.request); err != nil {
			ep.member.Leave()
			return err
		}
	}
	err := e.lifetime.Begin(func(context.Context) { e.drive(ctx, ep) })
	if err != nil {
		ep.member.Leave()
		ep.sample.Leave()
	}
	return err
}

// growStack gives the goroutine at once the stack that an episode needs. Otherwise, Go copies the stack each time it
// doubles, which takes 4 % of the host's CPU time.
//
//go:noinline
func growStack() {
	var room [24 << 10]byte
	runtime.KeepAlive(&room)
}

// drive runs an episode and publishes its result to the ledger, the record, and the callers, in this order.
func (e *Engine) drive(ctx context.Context, ep *episode) {
	growStack()
	defer ep.entry.Cancel(nil)
	if ep.request.HardDeadline > 0 {
		var stop func()
		ctx, stop = clock.WithLimit(ctx, e.clock, ep.request.HardDeadline, verdict.ErrHardDeadline)
		defer stop()
	}
	record := ep.run(ctx)
	if !e.options.Once {
		e.ledger.add(summarise(record))
	}
	result := record.result()
	recorded := ep.entry.Waits.Begin(wait.Wait{For: wait.Record})
	defer recorded()
	if err := e.options.Sink.Episode(record); err != nil {
		err = fmt.Errorf("record episode %s: %w", ep.entry.ID, err)
		e.lifetime.Fail(err)
		ep.entry.Complete(nil, verdict.Unavailable(err))
		return
	}
	if why := ep.unasked(ctx); why != nil && record.Outcome == sdk.OutcomeCancelled {
		e.registry.Remove(ep.entry) // a repeated request runs it again
		ep.entry.Complete(nil, verdict.Unavailable(why))
		return
	}
	if e.options.Once {
		e.registry.Remove(ep.entry)
	} else {
		e.registry.Keep(ep.entry)
	}
	ep.entry.Complete(result, nil)
}

// taskFor returns the task for a request, including its private part if the host has it.
func (s *stage) taskFor(req sdk.EpisodeRequest) (sdk.Task, error) {
	if req.Task == nil {
		return s.Tasks.TaskAt(req.Split, req.DatasetIndex)
	}
	if task, ok := s.Tasks.TaskByID(req.Split, req.Task.ID); ok {
		return task, nil
	}
	return *req.Task, nil
}

// settles reports whether an episode's result depends on how its siblings end.
func (s *stage) settles(slot Slot, req sdk.EpisodeRequest) bool {
	return slot.Split == sdk.SplitTrain && (s.dropsGroups || s.holdsFirst && slot.Group != "" && req.GroupSize > 1)
}

// unasked returns the cause if the episode ended without a request from its caller, because no caller waited or because
// the host ended it. Otherwise it returns nil.
func (ep *episode) unasked(ctx context.Context) error {
	if cause := context.Cause(ctx); errors.Is(cause, verdict.ErrNoWaiters) {
		return cause
	}
	return ep.interrupted(ctx)
}

// CancelEpisode ends an episode whose result is no longer needed: its environment is closed and its outcome is
// CANCELLED. An unknown ID is ignored.
func (e *Engine) CancelEpisode(_ context.Context, episodeID, reason string) error {
	if entry := e.registry.Find(episodeID); entry != nil {
		entry.Cancel(&verdict.Cancelled{Reason: reason})
	}
	return nil
}

// Err returns the error that stopped the run, or nil.
func (e *Engine) Err() error { return e.lifetime.Err() }

// Failed returns a channel that is closed when the run cannot continue. Err returns the reason.
func (e *Engine) Failed() <-chan struct{} { return e.lifetime.Failed() }

// closeServed closes the connections to served models.
func (e *Engine) closeServed() {
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, served := range e.served {
		if served.Close != nil {
			served.Close()
		}
	}
}

// Close ends running episodes without a result and waits until they and their environments have ended. Connections to
// served models are closed.
func (e *Engine) Close(ctx context.Context) error {
	e.lifetime.Close("the run stops")
	ended := make(chan struct{})
	go func() {
		e.lifetime.Wait()
		e.compared.Stop()
		e.dropped.Stop()
		e.registry.Stop()
		e.closeServed()
		close(ended)
	}()
	select {
	case <-ended:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("close the rollout engine: episodes are still running: %w", context.Cause(ctx))
	}
}
