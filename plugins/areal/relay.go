package areal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/outliving"
)

// roleTrainer is that of AReaL's driver on the bridge; workers have another.
const roleTrainer = "trainer"

// relay hands on what AReaL's workers ask for and its driver reports, and fills in what they do not know. What it learns of that is in
// the notes of the launch, for a later life.
type relay struct {
	*record
	dir     folder
	host    sdk.Host
	reports *reports
	stop    func(ending)
	uses    *uses
	tokens  bridge.TokenRows
	breaker *breaker

	joined    chan struct{} // closed when the driver has asked how to go on for the first time
	asked     chan struct{} // closed when a worker has asked for the first episode
	finishing chan struct{} // closed when the driver has said how it ended

	join, ask, fin func()

	keeper outliving.Keeper // of notes and events

	mu        sync.Mutex
	last      int               // the last finished step, counted over all stages
	groups    map[string]*begun // of which samples may still be asked for
	complaint string            // of a worker, the last
	drained   string
	end       *sdk.FinishedEvent
}

// begun is a group of which a sample was asked for.
type begun struct {
	last       int // the last finished step at that time
	open       int // calls for samples that are under way
	validation bool
}

func newRelay(r *record, dir folder, host sdk.Host, emit func(sdk.TrainEvent) error, stop func(ending)) *relay {
	out := &relay{
		record: r, dir: dir, host: host, stop: stop, uses: newUses(r), breaker: newBreaker(r),
		tokens: bridge.TokenRows{Every: r.Tokens},
		joined: make(chan struct{}), asked: make(chan struct{}), finishing: make(chan struct{}), last: r.Request.FirstStep - 1, groups: map[string]*begun{},
	}
	out.reports = &reports{path: dir.events(), keeper: &out.keeper, emit: emit}
	out.join = sync.OnceFunc(func() { close(out.joined) })
	out.ask = sync.OnceFunc(func() { close(out.asked) })
	out.fin = sync.OnceFunc(func() { close(out.finishing) })
	return out
}

// recall takes over what an earlier life has learned. The host hears again what it forgot: what came after an event.
func (r *relay) recall(after uint64) error {
	reported, err := r.reports.recall(after)
	if err != nil {
		return err
	}
	notes, err := outliving.Lines[note](r.dir.notes())
	if err != nil {
		return err
	}
	for _, n := range notes {
		switch {
		case n.Asked != nil:
			r.groups[n.Asked.Group] = &begun{last: n.Asked.Last}
		case n.Over != nil && !reported[n.Over.Episode]:
			r.uses.add(*n.Over)
		case n.Lost != "" && !reported[n.Lost]:
			if err := r.uses.lose(n.Lost); err != nil {
				return err
			}
		case n.Boundary != nil:
			r.last = *n.Boundary
			r.join()
		case n.Finished != nil:
			r.end = n.Finished
			r.fin()
		}
		if n.Over != nil {
			r.join()
			r.ask()
		}
	}
	return nil
}

func (r *relay) note(n note) error { return r.keeper.Append(r.dir.notes(), n) }

// RunEpisode implements bridge.Handler.
func (r *relay) RunEpisode(ctx context.Context, _ bridge.Worker, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	r.ask()
	if r.breaker.tripped() {
		<-ctx.Done() // an answer would make AReaL ask again
		return nil, errNoSample
	}
	over, err := r.fill(&req)
	if err != nil {
		return nil, err
	}
	defer over()
	result, err := r.host.RunEpisode(ctx, req)
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, sdk.ErrUnavailable) { // the worker hears of it, and AReaL draws another
			r.halt(r.breaker.lose(fmt.Sprintf("episode %s has no result: %v", req.EpisodeID, err)))
		}
		return nil, errors.Join(err, bridge.Abandon(ctx, r.host, req.EpisodeID))
	}
	if req.Split != sdk.SplitTrain {
		return result, nil
	}
	known := noteOf(req, result)
	if err := r.note(note{Over: &known}); err != nil {
		return nil, err
	}
	r.uses.add(known)
	r.halt(r.breaker.count(result))
	return r.tokens.Ask(req, result), nil
}

// halt ends the stage where there is a reason.
func (r *relay) halt(reason string) {
	if reason != "" {
		r.stop(ending{sdk.FinishedHalted, reason})
	}
}

// fill sets what an agent cannot know: AReaL does not tell it which weights answer. The samples of a group are of one step, also
// where one of them is asked for behind a boundary, of whose weights a worker knows. Call over when the episode is over.
func (r *relay) fill(req *sdk.EpisodeRequest) (over func(), err error) {
	validation := req.Split == sdk.SplitValidation
	if validation && (req.Step > 0 || req.PolicyVersion > 0) {
		return func() {}, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	g := r.groups[req.GroupID]
	if g == nil || req.GroupID == "" {
		g = &begun{last: r.last, validation: validation}
		if req.Step > 0 {
			g.last = req.Step - 1
		}
		if err := r.note(note{Asked: &askedNote{Group: req.GroupID, Last: g.last}}); err != nil {
			return nil, err
		}
		r.groups[req.GroupID] = g
	}
	if req.Step == 0 {
		req.PolicyVersion = int64(g.last)
	}
	if req.Step = g.last; !validation {
		req.Step++
	}
	g.open++
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		g.open--
	}, nil
}

// forgetGroups lets go of groups of which nothing more will be asked for: none of their samples is under way or waits for its use. Those
// of a validation pass end with it. The caller holds mu.
func (r *relay) forgetGroups() {
	maps.DeleteFunc(r.groups, func(name string, g *begun) bool {
		return g.open == 0 && (g.validation || g.last < r.last-1 && !r.uses.waits(name))
	})
}

// count puts the policy versions of a message into the host's count: AReaL counts updates from where this launch began.
func (r *relay) count(versions []sdk.VersionSpan) {
	for i := range versions {
		versions[i].Version += int64(r.Base)
	}
}

// Boundary implements bridge.Handler.
func (r *relay) Boundary(ctx context.Context, _ bridge.Worker, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	r.join()
	answer, err := r.host.StepBoundary(ctx, req)
	if err == nil {
		err = r.note(note{Boundary: &req.Step})
	}
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = req.Step
	r.forgetGroups()
	r.breaker.reset()
	if answer.Directive == sdk.DirectiveContinue && r.drained != "" {
		return &sdk.StepBoundaryResponse{Directive: sdk.DirectiveStop, Reason: r.drained}, nil
	}
	return answer, nil
}

// Event implements bridge.Handler.
func (r *relay) Event(_ context.Context, worker bridge.Worker, e sdk.TrainEvent) error {
	if worker.Role != roleTrainer {
		return r.complain(e)
	}
	if e.Consumed != nil { // before it: the boundary of the step comes behind
		for _, told := range r.tokens.Take(e.Consumed.Step, e.Consumed.Episodes) {
			if err := r.reports.say(told); err != nil {
				return err
			}
		}
	}
	if e.Finished == nil {
		return r.reports.once(e.Seq, func() (sdk.TrainEvent, func(), error) {
			kept, err := r.complete(&e)
			return e, kept, err
		})
	}
	if err := r.note(note{Finished: e.Finished}); err != nil {
		return err
	}
	r.mu.Lock()
	r.end = e.Finished
	r.mu.Unlock()
	r.fin()
	return nil // handed on when its process is gone
}

// complete adds to an event of the driver what it does not know. kept is for when the event is on disk.
func (r *relay) complete(e *sdk.TrainEvent) (kept func(), err error) {
	kept = func() {}
	switch {
	case e.Metrics != nil:
		e.Metrics.Values = named(e.Metrics.Values)
	case e.Consumed != nil:
		e.Consumed.Episodes, kept = r.uses.take(e.Consumed.Episodes)
	case e.Checkpoint != nil:
		digest, err := digestOf(e.Checkpoint.Path)
		if err != nil {
			return nil, fmt.Errorf("checkpoint of step %d: %w", e.Checkpoint.Step, err)
		}
		e.Checkpoint.Digest = digest
	}
	return kept, nil
}

// complain takes what a worker reports: that it cannot use an episode, and before it why; and what tokens one has.
func (r *relay) complain(e sdk.TrainEvent) error {
	switch {
	case e.Tokens != nil:
		r.tokens.Keep(e.Tokens)
		return nil
	case e.Log != nil:
		r.mu.Lock()
		r.complaint = e.Log.Message
		r.mu.Unlock()
		return r.reports.say(e)
	case e.Consumed == nil:
		return errors.New("workers report only what they cannot use: the driver reports steps")
	}
	for _, c := range e.Consumed.Episodes {
		if err := r.uses.lose(c.EpisodeID); err != nil {
			return err
		}
		if err := r.note(note{Lost: c.EpisodeID}); err != nil {
			return err
		}
		r.mu.Lock()
		why := r.complaint
		r.mu.Unlock()
		r.halt(r.breaker.lose(why))
	}
	return nil
}

// drain makes the next boundary the last.
func (r *relay) drain(reason string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drained = reason
	if reason == "" {
		r.drained = "drained"
	}
}

func (r *relay) lastStep() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}

func (r *relay) finished() *sdk.FinishedEvent {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.end
}

var errNoSample = errors.New("no more samples are asked for: the stage is about to end")

var _ bridge.Handler = (*relay)(nil)
