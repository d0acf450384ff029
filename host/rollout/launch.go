package rollout

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/host/rollout/internal/clock"
	"github.com/awhost/awhost/host/rollout/internal/registry"
	"github.com/awhost/awhost/host/rollout/internal/slot"
	"github.com/awhost/awhost/host/rollout/internal/verdict"
	"github.com/awhost/awhost/host/rollout/internal/wait"
	"github.com/awhost/awhost/sdk"
)

// enter finds the episode of a request or creates it, and counts the caller in.
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
		return nil, errors.New("the id already stands for another sample; choose a new one")
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
		return fmt.Errorf("the group_index is %d; positions within a step count from 0", *req.GroupIndex)
	case req.Endpoint != nil:
		return errors.New("the request brings an endpoint of its own, which this host does not serve; " +
			"use an adapter that answers Generate")
	}
	return nil
}

func identityOf(req sdk.EpisodeRequest) registry.Identity {
	slot := Slot{
		Stage: req.Stage, Split: req.Split, Step: req.Step, Index: req.DatasetIndex, Group: req.GroupID, Sample: req.SampleIndex,
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

// create starts an episode. Where another caller was faster, its episode is returned.
func (e *Engine) create(req sdk.EpisodeRequest) (*registry.Entry, error) {
	stage := e.stage.Load()
	if stage == nil || stage.Name != req.Stage {
		return nil, fmt.Errorf("stage %q is not the one that runs", req.Stage)
	}
	if floor := e.registry.Floor(); req.Step > 0 && req.Step < floor {
		return nil, fmt.Errorf("step %d is over: the earliest of which something is open is step %d", req.Step, floor)
	}
	task, err := stage.taskFor(req)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancelCause(e.lifetime.Context())
	waits := wait.NewStack(e.clock, task.ID, stage.queue.LacksSessions, stage.environmentAddress())
	created := registry.NewEntry(req.EpisodeID, identityOf(req), cancel, waits)
	known, inserted := e.registry.Insert(created)
	if !inserted {
		cancel(nil)
		return known, nil
	}
	ep := &episode{engine: e, stage: stage, entry: created, request: req, slot: created.Identity.Slot, task: task}
	ep.slot.Task = task.ID
	ep.slot.Repeat = e.arrivals.Repeat(ep.slot)
	ep.seeds = slot.NewSeeds(e.options.RunSeed, ep.slot)
	ep.banned = e.quarantine.Find(ep.slot)
	if err := e.launch(ctx, ep); err != nil {
		cancel(nil)
		e.registry.Remove(created)
		created.Complete(nil, err)
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

// drive runs an episode and publishes its result, in this order: it counts, it is on record, it is known.
func (e *Engine) drive(ctx context.Context, ep *episode) {
	defer ep.entry.Cancel(nil)
	if ep.request.HardDeadline > 0 {
		var stop func()
		ctx, stop = clock.WithLimit(ctx, e.clock, ep.request.HardDeadline, verdict.ErrHardDeadline)
		defer stop()
	}
	record := ep.run(ctx)
	e.ledger.add(summarise(record))
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
		e.registry.Remove(ep.entry) // asked for again it is run again
		ep.entry.Complete(nil, verdict.Unavailable(why))
		return
	}
	e.registry.Keep(ep.entry)
	ep.entry.Complete(result, nil)
}
