package specimen

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/awhost/awhost/sdk/metric"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// An asynchronous trainer similar to AReaL. It takes a while to start, requests episodes for later steps ahead of time
// and without a sample index, trains the groups that are completed first, gives up groups that lack a sample, pauses
// generation for new weights, and drops pending work when it ends.

// The types of the adapters with such a trainer. The trainer of the second one outlasts its adapter.
const (
	async        = "specimen_async"
	asyncLasting = "specimen_async_lasting"
)

// Delays of the trainer. No result depends on them.
const (
	startTime  = 100 * time.Millisecond // until the first request
	updateTime = 10 * time.Millisecond  // of the weights
	staleness  = 1                      // steps that are requested ahead
)

// open is a requested episode that has no result yet.
type open struct {
	// slow is closed when the weights change. Until then, the engine is sampling the first message; it is then
	// interrupted. Nil: not slow.
	slow   <-chan struct{}
	closed <-chan struct{} // closed when the trainer no longer needs it
}

// group is a prompt together with its samples.
type group struct {
	number   int64
	step     int64 // the next step at the time of the request
	slow     <-chan struct{}
	episodes []string
	whole    bool // every sample has a reward
	err      error
}

// rollout holds the requests made by an asynchronous stage.
type rollout struct {
	*run
	ctx    context.Context // canceled when the stage ends
	asking sync.WaitGroup
	over   chan *group   // groups whose episodes have ended
	update chan struct{} // closed when the next update of the weights begins

	next int64          // number of the next group
	used map[int64]bool // numbers that a step has used in an earlier process
	last int64          // the last finished step
}

// stepsAhead runs an asynchronous trainer.
func (r *run) stepsAhead(ctx context.Context) (outcome awhostv1.FinishedEvent_Outcome, reason string, last int64,
	err error) {
	first := r.request.GetFirstStep()
	known, err := r.replayEvents()
	if err != nil {
		return 0, "", first - 1, err
	}
	ctx, giveUp := context.WithCancel(ctx)
	o := &rollout{run: r, ctx: ctx, over: make(chan *group), update: make(chan struct{}), used: map[int64]bool{},
		last: first - 1}
	defer o.asking.Wait() // dropped groups are reported to the host before the end
	defer giveUp()
	for _, c := range known {
		o.last = c.GetStep()
		for _, e := range c.GetEpisodes() {
			number, err := numberOf(e.GetEpisodeId())
			if err != nil {
				return 0, "", o.last, err
			}
			o.used[number] = true
		}
	}
	if err := o.start(ctx); err != nil {
		return 0, "", o.last, err
	}
	for range staleness * r.knobs.Batch.Prompts { // ahead of the first step's
		o.begin(nil)
	}
	for {
		stop, reason, err := o.boundary(ctx)
		switch {
		case err != nil:
			return 0, "", o.last, err
		case stop:
			return awhostv1.FinishedEvent_OUTCOME_STOPPED, reason, o.last, nil
		case o.last >= r.knobs.Steps:
			return awhostv1.FinishedEvent_OUTCOME_COMPLETED, "", o.last, nil
		}
		if err := o.step(ctx); err != nil {
			return 0, "", o.last, err
		}
	}
}

// start starts the engine, which takes a while.
func (o *rollout) start(ctx context.Context) error {
	if o.outlivesAdapter() && !o.recovered {
		if err := o.emit(&awhostv1.TrainEvent{Event: &awhostv1.TrainEvent_Handle{Handle: &awhostv1.HandleEvent{Handle: []byte(o.request.GetLaunchId())}}}); err != nil {
			return err
		}
	}
	select {
	case <-time.After(startTime):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// boundary asks the host for a directive at the start and after each step.
func (o *rollout) boundary(ctx context.Context) (stop bool, reason string, err error) {
	answer, err := o.host.StepBoundary(ctx, &awhostv1.StepBoundaryRequest{LaunchId: o.request.GetLaunchId(),
		Stage: o.request.GetStage(), Step: o.last, AfterSeq: o.seq})
	if err != nil {
		return false, "", err
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	return answer.GetDirective() == awhostv1.StepBoundaryResponse_DIRECTIVE_STOP || o.launch.drain, answer.GetReason(), nil
}

// step trains the groups that are completed first.
func (o *rollout) step(ctx context.Context) error {
	for range o.knobs.Batch.Prompts - 1 {
		o.begin(nil)
	}
	o.begin(o.update) // the others suffice for this step
	consumed := &awhostv1.ConsumedEvent{Step: o.last + 1, VersionAfter: o.last + 1}
	var batch []*group
	for whole := int64(0); whole < o.knobs.Batch.Prompts; {
		select {
		case g := <-o.over:
			if g.err != nil {
				return g.err
			}
			if batch = append(batch, g); g.whole {
				whole++
			} else {
				o.begin(nil) // a replacement
			}
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	slices.SortFunc(batch, func(a, b *group) int { return cmp.Compare(a.number, b.number) })
	for _, g := range batch {
		use := awhostv1.ConsumedEpisode_USE_TRAINED
		if !g.whole {
			use = awhostv1.ConsumedEpisode_USE_FILTERED
		}
		for _, id := range g.episodes {
			consumed.Episodes = append(consumed.Episodes, &awhostv1.ConsumedEpisode{EpisodeId: id, Use: use})
		}
	}
	if err := o.learn(ctx); err != nil {
		return err
	}
	o.last++
	checkpoint, err := o.save(o.last)
	if err != nil {
		return err
	}
	return o.emit(
		&awhostv1.TrainEvent{Event: &awhostv1.TrainEvent_Metrics{Metrics: &awhostv1.MetricsEvent{Step: o.last,
			Values: map[string]float64{metric.Loss: 1 / float64(o.last)}}}},
		&awhostv1.TrainEvent{Event: &awhostv1.TrainEvent_Consumed{Consumed: consumed}},
		&awhostv1.TrainEvent{Event: &awhostv1.TrainEvent_Checkpoint{Checkpoint: checkpoint}},
	)
}

// begin requests the next group.
func (o *rollout) begin(slow <-chan struct{}) {
	for o.used[o.next] {
		o.next++
	}
	g := &group{number: o.next, step: o.last + 1, slow: slow}
	o.next++
	o.asking.Go(func() {
		o.play(g)
		select {
		case o.over <- g:
		case <-o.ctx.Done():
		}
	})
}

// learn changes the weights. Generation pauses meanwhile.
func (o *rollout) learn(ctx context.Context) error {
	o.pause(true)
	defer o.pause(false)
	close(o.update)
	o.update = make(chan struct{})
	select {
	case <-time.After(updateTime):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (s *specimen) pause(learning bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.learning = learning
}

// play runs the samples in a group concurrently.
func (o *rollout) play(g *group) {
	uses, problems := make([]awhostv1.ConsumedEpisode_Use, o.knobs.Batch.GroupSize), make([]error, o.knobs.Batch.GroupSize)
	var samples sync.WaitGroup
	for i := range uses {
		id := fmt.Sprintf("%s/%d/%d", o.request.GetLaunchId(), g.number, i)
		g.episodes = append(g.episodes, id)
		samples.Go(func() { uses[i], problems[i] = o.sample(g, id) })
	}
	samples.Wait()
	g.err = errors.Join(problems...)
	g.whole = !slices.ContainsFunc(uses, func(u awhostv1.ConsumedEpisode_Use) bool { return u != awhostv1.ConsumedEpisode_USE_TRAINED })
}

// sample runs one episode. The workers of a trainer that outlasts its adapter do not know the number of the next step.
func (o *rollout) sample(g *group, id string) (awhostv1.ConsumedEpisode_Use, error) {
	ctx, cancel := context.WithCancel(o.ctx)
	defer cancel()
	o.mu.Lock()
	o.opened[id] = &open{slow: g.slow, closed: ctx.Done()}
	o.mu.Unlock()
	defer func() {
		o.mu.Lock()
		defer o.mu.Unlock()
		delete(o.opened, id)
	}()
	req := &awhostv1.RunEpisodeRequest{
		EpisodeId: id, GroupId: fmt.Sprintf("%s/%d", o.request.GetLaunchId(), g.number), GroupSize: o.knobs.Batch.GroupSize,
		Source: &awhostv1.RunEpisodeRequest_DatasetIndex{DatasetIndex: g.number}, Stage: o.request.GetStage(),
		Split: awhostv1.Split_SPLIT_TRAIN,
		Step:  &g.step, PolicyVersion: g.step - 1,
	}
	if o.outlivesAdapter() {
		req.Step, req.PolicyVersion = nil, 0
	}
	use, err := o.requestEpisode(ctx, req)
	if o.ctx.Err() != nil { // the host would continue it for a while
		o.abandon(id)
	}
	return use, err
}

// abandonTime limits a call to a host that may have exited.
const abandonTime = 5 * time.Second

func (o *rollout) abandon(id string) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(o.ctx), abandonTime)
	defer cancel()
	// The host may have exited, and the episode may have ended with it.
	_, _ = o.host.CancelEpisode(ctx, &awhostv1.CancelEpisodeRequest{EpisodeId: id, Reason: "the stage has ended"})
}

// numberOf returns the number of an episode's group.
func numberOf(episode string) (int64, error) {
	return strconv.ParseInt(path.Base(path.Dir(episode)), 10, 64)
}

// admit returns an error if an asynchronous trainer's engine cannot respond to a call now.
func (s *specimen) admit(ctx context.Context, req *awhostv1.GenerateRequest) error {
	s.mu.Lock()
	e, answered, learning := s.opened[req.GetEpisodeId()], s.generated[keyOf(req)] != nil, s.learning
	var slow <-chan struct{}
	if e != nil {
		slow = e.slow
	}
	s.mu.Unlock()
	switch {
	case e == nil:
		return refused(awhostv1.GenerateError_KIND_ABORTED, "the episode is not open")
	case answered:
		return nil
	case slow != nil:
		select {
		case <-slow:
			s.mu.Lock()
			defer s.mu.Unlock()
			e.slow = nil
			return refused(awhostv1.GenerateError_KIND_PAUSED, "the weights change")
		case <-e.closed:
			return refused(awhostv1.GenerateError_KIND_ABORTED, "the episode is no longer needed")
		case <-ctx.Done():
			return status.FromContextError(ctx.Err()).Err()
		}
	case learning:
		return refused(awhostv1.GenerateError_KIND_PAUSED, "the weights change")
	}
	return nil
}

// eventsPath returns the path to the event log of a trainer that outlasts its adapter.
func (s *specimen) eventsPath() string {
	return filepath.Join(s.configured.GetDirectory(), "events.jsonl")
}

// record appends either all of the events or none of them to the log before they are sent.
func (r *run) record(events []*awhostv1.TrainEvent) error {
	var lines bytes.Buffer
	for _, e := range events {
		text, err := protojson.Marshal(e)
		if err != nil {
			return err
		}
		lines.Write(append(text, '\n'))
	}
	f, err := os.OpenFile(r.eventsPath(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(lines.Bytes())
	return errors.Join(err, f.Close())
}

// replayEvents resends the events of an earlier process and returns the steps that it finished.
func (r *run) replayEvents() ([]*awhostv1.ConsumedEvent, error) {
	if !r.recovered {
		return nil, nil
	}
	text, err := os.ReadFile(r.eventsPath())
	if err != nil {
		return nil, err
	}
	var finished []*awhostv1.ConsumedEvent
	for line := range bytes.Lines(text) {
		e := &awhostv1.TrainEvent{}
		if err := protojson.Unmarshal(line, e); err != nil {
			return nil, err
		}
		if c := e.GetConsumed(); c != nil {
			finished = append(finished, c)
		}
		if err := r.report(e); err != nil {
			return nil, err
		}
	}
	return finished, nil
}
