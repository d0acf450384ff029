package verl

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/metric"
	"github.com/awhost/awhost/sdk/outliving"
)

// steps follows verl from step to step, and asks the host after each how to go on.
//
// verl reports a step after its update, its checkpoint and its validation, just before it asks for the samples of the
// next one. So whoever asks for a sample first reads what verl has reported, and waits for the host's answer about it: no
// episode of a step begins before the one before it is closed.
type steps struct {
	launch      string
	stage       string
	base        int // awhost's number of verl's step 0
	validations bool
	updates     int // of each step; 0: verl reports them
	dir         folder
	keeper      outliving.Keeper // of its files
	metrics     *tail
	checkpoints checkpoints
	host        sdk.Host
	emit        func(sdk.TrainEvent) error
	end         func(stage.Ending) // ends verl; called once
	tell        func(message string)

	closing sync.Mutex // held while a step is closed
	seq     uint64     // events so far
	told    int        // of how many steps, from base on, the host has been told; the answer to the last may be missing

	mu       sync.Mutex
	done     int                // the last step that is closed, in awhost's count; base-1 before the first boundary. Written with closing held.
	episodes map[int][]finished // by step
	tokens   bridge.TokenRows
	wanted   *stage.Ending // at the next checkpoint
}

// finished is an episode that verl has the result of.
type finished struct {
	Step  int             `json:"step"`
	ID    string          `json:"id"`
	Index int             `json:"index"` // of the task
	Slot  int             `json:"slot"`  // within its group
	Use   sdk.Consumption `json:"use"`

	Group  string   `json:"group"`
	Reward *float64 `json:"reward"` // nil: it has none
}

// add notes an episode, on disk before verl gets its result.
func (s *steps) add(f finished) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.note(f)
}

// note is add for those who hold mu.
func (s *steps) note(f finished) error {
	if err := s.keeper.Append(s.dir.episodes(), f); err != nil {
		return err
	}
	s.episodes[f.Step] = append(s.episodes[f.Step], f)
	return nil
}

// amend corrects what became of an episode of a step that is not closed.
func (s *steps) amend(c sdk.ConsumedEpisode) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, list := range s.episodes {
		for _, f := range list {
			if f.ID == c.EpisodeID {
				f.Use = c.Use
				return s.note(f)
			}
		}
	}
	return fmt.Errorf("a worker says that episode %s became %s, and no episode of that name is over and unreported", c.EpisodeID, c.Use)
}

// recall finds where the host is: it has acted on the events up to one of that number, and so on the boundaries before. It
// returns the episodes that are over of the steps that are not.
func (s *steps) recall(ctx context.Context, after uint64) ([]finished, error) {
	s.closing.Lock()
	defer s.closing.Unlock()
	s.seq = after
	boundaries, err := outliving.Lines[asked](s.dir.boundaries())
	if err != nil {
		return nil, err
	}
	last := s.done
	for _, b := range boundaries {
		if b.Seq <= after && after > 0 {
			last = max(last, b.Step)
		}
	}
	if last > s.done {
		if err := s.repeat(ctx, last, false); err != nil {
			return nil, err
		}
	}
	episodes, err := outliving.Lines[finished](s.dir.episodes())
	open := episodes[:0]
	for _, f := range episodes {
		if f.Step > s.done {
			s.episodes[f.Step] = append(s.episodes[f.Step], f)
			open = append(open, f)
		}
	}
	return open, err
}

// say reports an event. The host counts them as we do.
func (s *steps) say(e sdk.TrainEvent) error {
	if err := s.emit(e); err != nil {
		return err
	}
	s.seq++
	return nil
}

// report says something between the reports of steps.
func (s *steps) report(e sdk.TrainEvent) error {
	s.closing.Lock()
	defer s.closing.Unlock()
	return s.say(e)
}

// began makes the boundary before the first step.
func (s *steps) began(ctx context.Context, resumed bool) error {
	s.closing.Lock()
	defer s.closing.Unlock()
	if resumed || s.validations { // a validation before the first step is reported as step 0
		return nil
	}
	return s.ask(ctx, s.base, false)
}

// catchUp closes the steps that verl has reported, and returns the step under way.
func (s *steps) catchUp(ctx context.Context) (step int, err error) {
	s.closing.Lock()
	defer s.closing.Unlock()
	err = s.metrics.each(func(n numbers) error { return s.close(ctx, n) })
	return s.done + 1, err
}

// close reports one step and asks how to go on.
func (s *steps) close(ctx context.Context, n numbers) error {
	step := s.base + n.Step
	if step <= s.done { // verl's logger writes the last validation again
		return nil
	}
	saved, err := s.checkpoints.of(n.Step)
	if err != nil {
		return err
	}
	if count := step - s.base + 1; count > s.told {
		if err := s.announce(step, n, saved); err != nil {
			return err
		}
		s.told = count
	}
	if err := s.ask(ctx, step, validated(n.Values)); err != nil {
		return err
	}
	s.mu.Lock()
	wanted := s.wanted
	s.mu.Unlock()
	if saved != "" && wanted != nil {
		s.end(*wanted)
	}
	return nil
}

// announce reports what verl says of a step.
func (s *steps) announce(step int, n numbers, saved string) error {
	values := named(n.Values)
	if s.updates > 0 && n.Step > 0 {
		values[metric.Updates] = float64(s.updates)
	}
	if err := s.say(sdk.TrainEvent{Metrics: &sdk.MetricsEvent{Step: step, Values: values}}); err != nil {
		return err
	}
	if n.Step > 0 {
		consumed := &sdk.ConsumedEvent{Step: step, VersionAfter: int64(step), Episodes: s.consumed(step)}
		for _, e := range append(s.tokens.Take(step, consumed.Episodes), sdk.TrainEvent{Consumed: consumed}) {
			if err := s.say(e); err != nil {
				return err
			}
		}
	}
	if saved == "" {
		return nil
	}
	return s.say(sdk.TrainEvent{Checkpoint: &sdk.CheckpointEvent{Step: step, Path: saved}})
}

// ask makes the boundary of a step. It is noted before the host hears of it: should the answer be lost with us, the host
// knows of the boundary and its events, and is asked for the answer only.
func (s *steps) ask(ctx context.Context, step int, validated bool) error {
	if err := s.keeper.Append(s.dir.boundaries(), asked{Step: step, Seq: s.seq}); err != nil {
		return err
	}
	return s.repeat(ctx, step, validated)
}

// repeat asks for the answer at a boundary, which is the same each time.
func (s *steps) repeat(ctx context.Context, step int, validated bool) error {
	answer, err := s.host.StepBoundary(ctx, sdk.StepBoundaryRequest{LaunchID: s.launch, Stage: s.stage, Step: step, Validated: validated})
	if err != nil {
		return fmt.Errorf("ask the host after step %d: %w", step, err)
	}
	s.mu.Lock()
	s.done = step
	s.mu.Unlock()
	switch answer.Directive {
	case sdk.DirectiveContinue:
	case sdk.DirectiveFinishStage:
		s.want(stage.Ending{Outcome: sdk.FinishedCompleted, Reason: answer.Reason})
	case sdk.DirectiveStop:
		s.want(stage.Ending{Outcome: sdk.FinishedStopped, Reason: answer.Reason})
	case sdk.DirectiveAbort:
		s.end(stage.Ending{Outcome: sdk.FinishedFailed, Reason: answer.Reason})
	default:
		return fmt.Errorf("ask the host after step %d: unknown directive %q", step, answer.Directive)
	}
	return nil
}

// want ends the stage at the next checkpoint: verl cannot be asked for one. Where no checkpoint will come, or nothing is
// to be kept yet, at once.
func (s *steps) want(e stage.Ending) {
	s.mu.Lock()
	if s.wanted == nil {
		s.wanted = &e
	}
	done := s.done
	s.mu.Unlock()
	if done <= s.base {
		s.end(e)
		return
	}
	if !s.checkpoints.willCome() {
		s.tell(fmt.Sprintf("verl ends after step %d without a checkpoint: the stage saves none (checkpoint.every), so what it has learned is lost", done))
		s.end(e)
		return
	}
	s.tell(fmt.Sprintf("verl ends at its next checkpoint, after step %d: it cannot be asked for one", s.base+s.checkpoints.next(done-s.base)))
}

// last is the last step that is closed, for those who close none.
func (s *steps) last() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.done
}

// consumed lists what became of the episodes of a step, in slot order.
func (s *steps) consumed(step int) []sdk.ConsumedEpisode {
	s.mu.Lock()
	list := s.episodes[step]
	delete(s.episodes, step)
	s.mu.Unlock()
	slices.SortStableFunc(list, func(a, b finished) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Slot, b.Slot), cmp.Compare(a.ID, b.ID))
	})
	out := make([]sdk.ConsumedEpisode, 0, len(list))
	for i, f := range list {
		if i > 0 && list[i-1].ID == f.ID { // asked for again after the adapter was away, or corrected
			out[len(out)-1].Use = f.Use
			continue
		}
		out = append(out, sdk.ConsumedEpisode{EpisodeID: f.ID, Use: f.Use})
	}
	return out
}
