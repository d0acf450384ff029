package rollout

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// enter finds the episode of a request or creates it, and counts the caller in.
func (e *Engine) enter(req sdk.EpisodeRequest) (*entry, error) {
	if err := e.Err(); err != nil {
		return nil, verdict.Unavailable(err)
	}
	if err := checkRequest(req); err != nil {
		return nil, err
	}
	var err error
	found := e.registry.find(req.EpisodeID)
	switch {
	case req.SampleIndex != sdk.SampleByArrival:
	case found != nil:
		req.SampleIndex = found.identity.slot.Sample
	default:
		if req.SampleIndex, err = e.arrivals.Number(identityOf(req).slot, req.EpisodeID, req.GroupSize); err != nil {
			return nil, err
		}
	}
	if found == nil {
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
	case req.GroupIndex != nil && *req.GroupIndex < 0:
		return fmt.Errorf("the group_index is %d; positions within a step count from 0", *req.GroupIndex)
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
		return nil, fmt.Errorf("step %d is over: the earliest of which something is open is step %d", req.Step, floor)
	}
	task, err := stage.taskFor(req)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(e.base)
	created := &entry{
		id: req.EpisodeID, identity: identityOf(req), cancel: cancel,
		started: make(chan struct{}), done: make(chan struct{}),
		waits: wait.NewStack(e.clock, task.ID, stage.queue.LacksSessions, stage.environmentAddress()),
	}
	known, inserted := e.registry.insert(created)
	if !inserted {
		cancel(nil)
		return known, nil
	}
	ep := &episode{engine: e, stage: stage, entry: created, request: req, slot: created.identity.slot, task: task}
	ep.slot.Task = task.ID
	ep.slot.Repeat = e.arrivals.Repeat(ep.slot)
	ep.seeds = slot.NewSeeds(e.options.RunSeed, ep.slot)
	ep.banned = e.quarantine.Find(ep.slot)
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
		if ep.member, err = e.compared.Join(ep.stage.terms, ep.slot, ep.request); err != nil {
			return err
		}
		ep.member.Waits = ep.entry.waits
	}
	if ep.stage.settles(ep.slot, ep.request) {
		var err error
		if ep.sample, err = e.dropped.Join(ep.slot, ep.request); err != nil {
			ep.member.Leave()
			return err
		}
	}
	err := e.begin(func(context.Context) { e.drive(ctx, ep) })
	if err != nil {
		ep.member.Leave()
		ep.sample.Leave()
	}
	return err
}

// drive runs an episode and publishes its result, in this order: it counts, it is on record, it is known.
func (e *Engine) drive(ctx context.Context, ep *episode) {
	defer ep.entry.cancel(nil)
	if ep.request.HardDeadline > 0 {
		var stop func()
		ctx, stop = clock.WithLimit(ctx, e.clock, ep.request.HardDeadline, verdict.ErrHardDeadline)
		defer stop()
	}
	record := ep.run(ctx)
	e.ledger.add(summarise(record))
	result := record.result()
	recorded := ep.entry.waits.Begin(wait.Wait{For: wait.Record})
	defer recorded()
	if err := e.options.Sink.Episode(record); err != nil {
		err = fmt.Errorf("record episode %s: %w", ep.entry.id, err)
		e.fail(err)
		ep.entry.complete(nil, verdict.Unavailable(err))
		return
	}
	if why := ep.unasked(ctx); why != nil && record.Outcome == sdk.OutcomeCancelled {
		e.registry.remove(ep.entry) // asked for again it is run again
		ep.entry.complete(nil, verdict.Unavailable(why))
		return
	}
	e.registry.keep(ep.entry)
	ep.entry.complete(result, nil)
}
