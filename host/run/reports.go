package run

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// reports holds the trainer's events until the boundary to which they belong.
type reports struct {
	mu       sync.Mutex
	arrived  chan struct{} // closed and replaced at each event
	handling bool          // an event has been received and not processed yet
	since    pendingEvents // the last boundary
	seen     uint64        // number of the last event
	finished *sdk.FinishedEvent
}

// pendingEvents holds the trainer's events since the last boundary.
type pendingEvents struct {
	metrics    []sdk.MetricsEvent
	consumed   []sdk.ConsumedEvent
	checkpoint *sdk.CheckpointEvent // the newest
	validating time.Time            // start of a validation pass; zero: none
	seq        uint64               // of the last event before the boundary
}

// notCommitted returns the events that were not reported before the last commit, for a trainer that the host has
// reattached to.
func (s pendingEvents) notCommitted(tip int) pendingEvents {
	s.consumed = slices.DeleteFunc(s.consumed, func(c sdk.ConsumedEvent) bool { return c.Step <= tip })
	s.metrics = slices.DeleteFunc(s.metrics, func(m sdk.MetricsEvent) bool { return m.Step < tip })
	if s.checkpoint != nil && s.checkpoint.Step <= tip {
		s.checkpoint = nil
	}
	return s
}

// used returns the IDs of the used episodes.
func (s *pendingEvents) used() []string {
	var ids []string
	for _, c := range s.consumed {
		for _, e := range c.Episodes {
			ids = append(ids, e.EpisodeID)
		}
	}
	return ids
}

// isEmpty reports whether there is nothing to record.
func (s *pendingEvents) isEmpty() bool {
	return len(s.metrics) == 0 && len(s.consumed) == 0 && s.checkpoint == nil
}

func newReports() reports { return reports{arrived: make(chan struct{})} }

// receive processes the trainer's events in order. They are published before the boundary that waits for them
// continues.
func (l *trainCall) receive(ctx context.Context, e sdk.TrainEvent) error {
	if err := l.note(ctx, e); err != nil || e.Checkpoint == nil || l.callsStepBoundary() {
		return err
	}
	return l.closeAtCheckpoint(ctx)
}

func (l *trainCall) note(ctx context.Context, e sdk.TrainEvent) error {
	l.run.watch.event(e)
	l.reports.begin()
	defer l.reports.end(e)
	switch {
	case e.Seq <= l.published: // already published
	case e.Phase != nil:
		l.publishPhase(e.Phase)
	case e.Log != nil:
		l.run.publishLog(e.Log.Level, l.stage.Adapter, e.Log.Message, e.Log.Fields)
	case e.Handle != nil:
		l.outlives.Store(true)
		record := runstore.HandleRecord{LaunchID: l.id, Handle: e.Handle.Handle, EventSeq: e.Seq}
		if err := l.run.Writer.AppendHandle(ctx, record); err != nil {
			return l.fail(err)
		}
	case e.Tokens != nil:
		if err := l.keepTokens(ctx, e.Tokens); err != nil {
			return l.fail(err)
		}
	}
	return nil
}

// keepTokens records tokens for later inspection. Rows that exceed the space limit are dropped; this is reported once.
func (l *trainCall) keepTokens(ctx context.Context, e *sdk.TokensEvent) error {
	rows := make([]runstore.TokensRecord, len(e.Rows))
	for i, r := range e.Rows {
		rows[i] = runstore.TokensRecord{
			LaunchID: l.id, EpisodeID: r.EpisodeID, Step: e.Step, Chain: r.Chain, IDs: r.IDs, Texts: r.Texts, Trained: r.Trained,
			SamplerLogprobs: r.SamplerLogprobs, TrainerLogprobs: r.TrainerLogprobs, Advantages: r.Advantages, Total: r.Total,
		}
	}
	left, err := l.run.Writer.AppendTokens(ctx, rows)
	if left > 0 && !l.tokensLeft {
		l.tokensLeft = true
		message := fmt.Sprintf("%[2]d rows of tokens of step %[1]d are not stored: there are too many", e.Step, left)
		l.run.publishLog("info", l.stage.Adapter, message, nil)
	}
	return err
}

func (r *reports) begin() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handling = true
}

// asked records the start of a validation pass when its first episode is requested. The trainer's own report is sent
// after that episode has ended, possibly minutes later.
func (r *reports) asked(split sdk.Split) {
	if split != sdk.SplitValidation {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.since.validating.IsZero() {
		r.since.validating = time.Now()
	}
}

func (r *reports) end(e sdk.TrainEvent) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.handling, r.seen = false, e.Seq
	switch {
	case e.Phase != nil && e.Phase.Name == phaseValidation && r.since.validating.IsZero():
		r.since.validating = time.Now()
	case e.Metrics != nil:
		r.since.metrics = append(r.since.metrics, addGap(*e.Metrics))
	case e.Consumed != nil:
		r.since.consumed = append(r.since.consumed, *e.Consumed)
	case e.Checkpoint != nil:
		r.since.checkpoint = e.Checkpoint
	case e.Finished != nil:
		r.finished = e.Finished
	}
	close(r.arrived)
	r.arrived = make(chan struct{})
}

// eventsTimeout limits the wait for an event that, according to a boundary, has been sent. The two arrive on separate
// streams, a moment apart.
const eventsTimeout = time.Minute

var errTrainCallEnded = fmt.Errorf("%w: the launch has ended", sdk.ErrUnavailable)

// take waits until the events up to seq have arrived, and returns them. If a consumer of our published events blocks,
// processing is delayed. The trainer does not cause this delay, so no timeout applies to it.
func (r *reports) take(ctx context.Context, over <-chan struct{}, seq uint64) (pendingEvents, error) {
	timer := time.NewTimer(eventsTimeout)
	defer timer.Stop()
	for {
		taken, arrived, ok := r.takeNow(seq)
		if ok {
			return taken, nil
		}
		select {
		case <-arrived:
			timer.Reset(eventsTimeout)
		case <-over:
			return pendingEvents{}, errTrainCallEnded
		case <-ctx.Done():
			return pendingEvents{}, context.Cause(ctx)
		case <-timer.C:
			if !r.isHandling() {
				return pendingEvents{}, fmt.Errorf("trainer event %d did not arrive within %s", seq, eventsTimeout)
			}
			timer.Reset(eventsTimeout)
		}
	}
}

func (r *reports) takeNow(seq uint64) (taken pendingEvents, arrived <-chan struct{}, ok bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.seen < seq {
		return pendingEvents{}, r.arrived, false
	}
	taken, r.since = r.since, pendingEvents{}
	taken.seq = r.seen
	return taken, nil, true
}

func (r *reports) isHandling() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.handling
}
