package areal

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/outliving"
)

// roleTrainer is that of AReaL's driver on the bridge; workers have another.
const roleTrainer = "trainer"

// relay completes the requests of AReaL's workers and the reports of its driver. Its notes have the type note.
type relay struct {
	*stage.Relay
	*record
	dir     folder
	shared  string // the folder of shared_folder, or empty
	uses    *uses
	tokens  bridge.TokenRows
	breaker *breaker

	joined chan struct{} // closed when the driver has reported
	asked  chan struct{} // closed when a worker has asked for the first episode

	join, ask func()

	mu        sync.Mutex
	groups    map[string]*begun // of which samples may still be asked for
	complaint string            // of a worker, the last
}

// begun is a group of which a sample was asked for.
type begun struct {
	last       int // the last finished step at that time
	open       int // calls for samples that are under way
	validation bool
}

func newRelay(r *record, dir folder, host sdk.Host, emit func(sdk.TrainEvent) error) *relay {
	out := &relay{
		Relay: stage.NewRelay(name, string(dir), dir.log(), r.Request, host, emit), record: r, dir: dir,
		uses: newUses(r), breaker: newBreaker(r), tokens: bridge.TokenRows{Every: r.Tokens},
		joined: make(chan struct{}), asked: make(chan struct{}), groups: map[string]*begun{},
	}
	out.join = sync.OnceFunc(func() { close(out.joined) })
	out.ask = sync.OnceFunc(func() { out.join(); close(out.asked) })
	return out
}

// Recall implements stage.Trainer.
func (r *relay) Recall(_ context.Context, after uint64) error {
	reported, err := r.Restore(after)
	if err != nil {
		return err
	}
	notes, err := outliving.Lines[note](r.Notes())
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
			r.join()
		}
		if n.Over != nil {
			r.ask()
		}
	}
	return nil
}

func (r *relay) note(n note) error { return r.Keeper.Append(r.Notes(), n) }

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
	result, err := r.Host.RunEpisode(ctx, req)
	if err != nil {
		if ctx.Err() == nil && !errors.Is(err, sdk.ErrUnavailable) { // the worker hears of it, and AReaL draws another
			r.halt(r.breaker.lose(fmt.Sprintf("episode %s has no result: %v", req.EpisodeID, err)))
		}
		return nil, errors.Join(err, bridge.Abandon(ctx, r.Host, req.EpisodeID))
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
		r.Stop(stage.Ending{Outcome: sdk.FinishedHalted, Reason: reason})
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
		g = &begun{last: r.LastStep(), validation: validation}
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
	last := r.LastStep()
	maps.DeleteFunc(r.groups, func(name string, g *begun) bool {
		return g.open == 0 && (g.validation || g.last < last-1 && !r.uses.waits(name))
	})
}

// Count implements stage.Trainer: AReaL counts updates from the start of this launch.
func (r *relay) Count(_ string, versions []sdk.VersionSpan) {
	for i := range versions {
		versions[i].Version += int64(r.Base)
	}
}

// Boundary implements bridge.Handler.
func (r *relay) Boundary(ctx context.Context, w bridge.Worker, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	r.join()
	answer, err := r.Relay.Boundary(ctx, w, req)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.forgetGroups()
	r.breaker.reset()
	return answer, nil
}

// Event implements bridge.Handler.
func (r *relay) Event(_ context.Context, worker bridge.Worker, e sdk.TrainEvent) error {
	if worker.Role != roleTrainer {
		return r.complain(e)
	}
	if e.Consumed != nil { // before it: the boundary of the step comes behind
		for _, told := range r.tokens.Take(e.Consumed.Step, e.Consumed.Episodes) {
			if err := r.Report(told); err != nil {
				return err
			}
		}
	}
	return r.Once(e, r.complete)
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
		return r.Report(e)
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

// Milestones implements stage.Trainer.
func (r *relay) Milestones() []stage.Milestone {
	return []stage.Milestone{
		{Reached: r.joined, Missing: "AReaL's driver did not report"},
		{Reached: r.asked, Missing: "none of AReaL's workers asked for an episode"},
	}
}

// Look implements stage.Trainer: AReaL waits without an end for some of its workers.
func (r *relay) Look(context.Context) (stuck, err error) {
	starting := true
	select {
	case <-r.asked:
		starting = false
	default:
	}
	if why := reasonToEnd(r.dir.log(), starting); why != "" {
		if stuck = errors.New(why); mayPass(r.dir.log()) {
			stuck = fmt.Errorf("%w: %w", sdk.ErrUnavailable, stuck)
		}
	}
	return stuck, r.Keeper.Trouble()
}

// Ended implements stage.Trainer: after a finished step, another start may succeed.
func (r *relay) Ended(launch.Status) (*sdk.FinishedEvent, bool) {
	return nil, r.LastStep() >= r.Request.FirstStep || mayPass(r.dir.log())
}

// Diagnose implements stage.Trainer.
func (r *relay) Diagnose() string { return diagnose(r.dir.log(), workerLogs(r.dir.areal(r.shared))) }

var errNoSample = errors.New("no more samples are asked for: the stage is about to end")

var _ stage.Trainer = (*relay)(nil)
