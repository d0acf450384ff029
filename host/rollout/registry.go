package rollout

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"sync"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/sdk"
)

// registry knows the episodes by their ids: those under way, and the results of those that may be asked for again.
// It is what makes a repeated RunEpisode harmless.
type registry struct {
	seed   maphash.Seed
	shards [32]shard
	floor  atomic.Int64 // the last boundary

	mu    sync.Mutex
	ended []*entry // results that are kept, oldest first
	most  int
}

type shard struct {
	mu      sync.Mutex
	entries map[string]*entry
}

func newRegistry(most int) *registry {
	r := &registry{seed: maphash.MakeSeed(), most: most}
	for i := range r.shards {
		r.shards[i].entries = map[string]*entry{}
	}
	return r
}

func (r *registry) shard(id string) *shard {
	return &r.shards[maphash.String(r.seed, id)%uint64(len(r.shards))]
}

// entry is an episode as its callers see it.
type entry struct {
	id       string
	identity identity
	cancel   context.CancelCauseFunc
	started  chan struct{}
	done     chan struct{}
	result   *sdk.EpisodeResult // once done
	err      error

	mu      sync.Mutex
	callers int
	over    bool
	grace   Timer
}

// identity is what an id stands for. A repeat must ask for the same.
type identity struct {
	slot Slot
	draw int
}

func identityOf(req sdk.EpisodeRequest) identity {
	slot := Slot{
		Stage: req.Stage, Split: req.Split, Step: req.Step, Index: req.DatasetIndex, Group: req.GroupID, Sample: req.SampleIndex,
	}
	if req.Task != nil {
		slot.Index, slot.Task = -1, req.Task.ID
	}
	return identity{slot: slot, draw: req.Draw}
}

func (r *registry) find(id string) *entry {
	s := r.shard(id)
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.entries[id]
}

// insert adds an entry, or returns the one that already has its id.
func (r *registry) insert(e *entry) (known *entry, inserted bool) {
	s := r.shard(e.id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if known := s.entries[e.id]; known != nil {
		return known, false
	}
	s.entries[e.id] = e
	return e, true
}

func (r *registry) remove(e *entry) {
	s := r.shard(e.id)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.entries[e.id] == e {
		delete(s.entries, e.id)
	}
}

// keep holds on to a result, at the cost of the oldest.
func (r *registry) keep(e *entry) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.ended = append(r.ended, e)
	if len(r.ended) > r.most {
		r.remove(r.ended[0])
		r.ended[0] = nil
		r.ended = r.ended[1:]
	}
}

// forgetBefore drops the results of steps before step.
func (r *registry) forgetBefore(step int) {
	r.floor.Store(int64(step))
	r.mu.Lock()
	defer r.mu.Unlock()
	kept := make([]*entry, 0, len(r.ended))
	for _, e := range r.ended {
		if e.identity.slot.Step < step {
			r.remove(e)
			continue
		}
		kept = append(kept, e)
	}
	r.ended = kept
}

// stop ends the timers of episodes that nobody waits for.
func (r *registry) stop() {
	for i := range r.shards {
		s := &r.shards[i]
		s.mu.Lock()
		for _, e := range s.entries {
			e.complete(nil, errors.New("the run stops"))
		}
		s.mu.Unlock()
	}
}

// enter finds the episode of a request or creates it, and counts the caller in.
func (e *Engine) enter(req sdk.EpisodeRequest) (*entry, error) {
	if err := e.Err(); err != nil {
		return nil, err
	}
	if err := checkRequest(req); err != nil {
		return nil, err
	}
	found := e.registry.find(req.EpisodeID)
	if found == nil {
		var err error
		if found, err = e.create(req); err != nil {
			return nil, err
		}
	}
	if found.identity != identityOf(req) {
		return nil, errors.New("the id already stands for another sample; choose a new one")
	}
	found.join()
	return found, nil
}

func checkRequest(req sdk.EpisodeRequest) error {
	switch {
	case req.EpisodeID == "":
		return errors.New("the request has no episode id")
	case req.Split != sdk.SplitTrain && req.Split != sdk.SplitValidation:
		return fmt.Errorf("unknown split %q", req.Split)
	case req.Endpoint != nil:
		return errors.New("the request brings an endpoint of its own, which this host does not serve; " +
			"use an adapter that answers Generate")
	}
	return nil
}

// create starts an episode. Where another caller was faster, its episode is returned.
func (e *Engine) create(req sdk.EpisodeRequest) (*entry, error) {
	stage := e.stage.Load()
	if stage == nil || stage.Name != req.Stage {
		return nil, fmt.Errorf("stage %q is not the one that runs", req.Stage)
	}
	if floor := int(e.registry.floor.Load()); req.Step > 0 && req.Step < floor {
		return nil, fmt.Errorf("step %d is over: the last boundary was that of step %d", req.Step, floor)
	}
	task, err := stage.taskFor(req)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(e.base)
	created := &entry{
		id: req.EpisodeID, identity: identityOf(req), cancel: cancel,
		started: make(chan struct{}), done: make(chan struct{}),
	}
	known, inserted := e.registry.insert(created)
	if !inserted {
		cancel(nil)
		return known, nil
	}
	ep := &episode{engine: e, stage: stage, entry: created, request: req, slot: created.identity.slot, task: task}
	ep.slot.Task = task.ID
	ep.seeds = newSeeds(e.options.RunSeed, ep.slot)
	if err := e.launch(ctx, ep); err != nil {
		cancel(nil)
		e.registry.remove(created)
		created.complete(nil, err)
		return nil, err
	}
	return created, nil
}

// launch gives the episode its group and its goroutine.
func (e *Engine) launch(ctx context.Context, ep *episode) error {
	if ep.stage.grouped {
		var err error
		if ep.member, err = e.groups.join(ep.stage, ep.slot, ep.request); err != nil {
			return err
		}
	}
	err := e.begin(func(context.Context) { e.drive(ctx, ep) })
	if err != nil {
		ep.member.leave()
	}
	return err
}

// drive runs an episode and publishes its result, in this order: it counts, it is on record, it is known.
func (e *Engine) drive(ctx context.Context, ep *episode) {
	defer ep.entry.cancel(nil)
	if ep.request.HardDeadline > 0 {
		var stop func()
		ctx, stop = withLimit(ctx, e.clock, ep.request.HardDeadline, errHardDeadline)
		defer stop()
	}
	record := ep.run(ctx)
	if !e.ledger.add(summarise(record)) {
		e.live.late.Add(1)
	}
	result := record.result()
	if err := e.options.Sink.Episode(record); err != nil {
		err = fmt.Errorf("record episode %s: %w", ep.entry.id, err)
		e.fail(err)
		ep.entry.complete(nil, err)
		return
	}
	e.registry.keep(ep.entry)
	ep.entry.complete(result, nil)
}

// start tells the callers that the episode has its place.
func (e *entry) start() { close(e.started) }

// complete publishes the result, or why there is none. Only the first call counts.
func (e *entry) complete(result *sdk.EpisodeResult, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.grace != nil {
		e.grace.Stop()
	}
	if e.over {
		return
	}
	e.over, e.result, e.err = true, result, err
	close(e.done)
}

func (e *entry) join() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.callers++
	if e.grace != nil {
		e.grace.Stop()
		e.grace = nil
	}
}

// leave counts a caller out. When nobody waits any more the episode goes on for the grace, in case the connection
// comes back.
func (e *entry) leave(clock Clock, grace time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.callers--
	if e.callers > 0 || e.over {
		return
	}
	abandon := func() { e.cancel(&cancelled{reason: "nobody waits for the episode"}) }
	if grace <= 0 {
		abandon()
		return
	}
	e.grace = clock.AfterFunc(grace, func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if e.callers == 0 {
			abandon()
		}
	})
}
