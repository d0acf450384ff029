package fakeplugin

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/metric"
)

// stage is one Train call.
type stage struct {
	*trainer
	req  sdk.TrainRequest
	host sdk.Host
	emit func(sdk.TrainEvent) error
	step int // the last finished one

	saved     int  // the step of the last checkpoint
	finishing bool // ends with the next checkpoint
}

// Train implements sdk.Adapter.
func (t *trainer) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	t.config.at("train")
	t.setup.Log.Info("training", "stage", req.Stage, "token", t.config.Token)
	if t.does("fail with its token") {
		return fmt.Errorf("log in with %s: refused", t.config.Token)
	}
	s := &stage{trainer: t, req: req, host: host, emit: emit, step: req.FirstStep - 1}
	if t.does("end silently") {
		return s.end(sdk.FinishedCompleted, "")
	}
	if t.does("blame its codec") {
		return s.end(sdk.FinishedFailed, "the calls cannot be read (codec): it knows none (at all)")
	}
	if err := s.begin(ctx); err != nil {
		return err
	}
	if !req.Resumed && t.config.Barrier {
		if over, err := s.boundary(ctx, sdk.ValueOr(boolToInt(req.Knobs.Validate.BeforeTrain), 0) == 1); over || err != nil {
			return err
		}
	}
	return s.steps(ctx)
}

func boolToInt(b *bool) *int {
	n := 0
	if b != nil && *b {
		n = 1
	}
	return &n
}

// begin loads the weights, or creates them from demonstrations.
func (s *stage) begin(ctx context.Context) error {
	if s.req.FromCheckpoint != "" {
		if err := s.weights.load(s.req.FromCheckpoint); err != nil {
			return err
		}
		if s.weights.Step != s.req.FirstStep-1 {
			return fmt.Errorf("the checkpoint is from step %d, but step %d is about to "+
				"begin", s.weights.Step, s.req.FirstStep)
		}
		if !s.req.CarryOptimizer {
			s.weights.Optimizer = ""
		}
		return nil
	}
	s.weights = weights{Content: hash("start", strconv.FormatInt(s.req.Knobs.Seed, 10))}
	if s.config.Dataset != "" {
		err := s.host.Tasks(ctx, sdk.TasksRequest{Dataset: s.config.Dataset, Stage: s.req.Stage}, func(task sdk.Task) bool {
			s.weights.Content = hash(s.weights.Content, task.ID, string(task.Public), string(task.Private))
			return true
		})
		if err != nil {
			return err
		}
	}
	if err := s.phase("warm_start", 1, 1); err != nil {
		return err
	}
	s.config.at("warm start")
	return s.checkpoint()
}

func (s *stage) steps(ctx context.Context) error {
	// This mimics a framework that is loading a model but still handles drain requests.
	for s.does("start for ever") {
		if s.isDrained() {
			return s.end(sdk.FinishedStopped, "drained")
		}
		select {
		case <-time.After(2 * time.Millisecond):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	for k := s.req.StepsDone + 1; k <= sdk.ValueOr(s.req.Knobs.Steps, 1); k++ {
		if err := s.train(ctx, k); err != nil {
			return err
		}
		if s.does("halt after step " + strconv.Itoa(s.step)) {
			return s.end(sdk.FinishedHalted, "the entropy is gone")
		}
		if !s.config.Barrier {
			if s.isDrained() {
				return s.end(sdk.FinishedStopped, "drained")
			}
			continue
		}
		every := sdk.ValueOr(s.req.Knobs.Validate.Every, 0)
		over, err := s.boundary(ctx, k == sdk.ValueOr(s.req.Knobs.Steps, 1) || every > 0 && k%every == 0)
		if over || err != nil {
			return err
		}
	}
	if s.does("checkpoint at the end only") {
		if err := s.checkpoint(); err != nil {
			return err
		}
	}
	if err := s.end(sdk.FinishedCompleted, ""); err != nil {
		return err
	}
	s.config.at("finished")
	return nil
}

// train runs one step.
func (s *stage) train(ctx context.Context, k int) error {
	if err := s.emit(sdk.TrainEvent{Phase: &sdk.PhaseEvent{Name: "rollout", Step: s.step + 1, Total: 1}}); err != nil {
		return err
	}
	s.config.at(fmt.Sprintf("rollout %d", s.step+1))
	if s.does("run wild") {
		s.step++
		return nil
	}
	requests := s.requests(k)
	results, err := s.episodes(ctx, requests)
	if err != nil {
		return err
	}
	s.step++
	s.config.at(fmt.Sprintf("update %d", s.step))
	consumed := s.learn(requests, results)
	metrics := map[string]float64{metric.Loss: 1 / float64(s.step), metric.UpdateSeconds: 0.5}
	maps.Copy(metrics, s.reported(s.step))
	event := &sdk.MetricsEvent{Step: s.step, Values: metrics}
	if s.does("keep the sampler's weights") {
		gap := 0.1 * float64(s.step-1)
		event.PolicyGap = &sdk.PolicyGap{Mean: gap, P99: gap, Max: gap, EpisodeID: requests[1].EpisodeID, Token: 7}
	}
	if err := s.emit(sdk.TrainEvent{Metrics: event}); err != nil {
		return err
	}
	if err := s.emit(sdk.TrainEvent{Consumed: consumed}); err != nil {
		return err
	}
	last := sdk.ValueOr(s.req.Knobs.Steps, 1)
	if s.does("checkpoint at the end only") || s.step%max(1, s.config.Every) != 0 && k < last {
		return nil
	}
	return s.checkpoint()
}

func (s *stage) requests(k int) []sdk.EpisodeRequest {
	prompts, size := sdk.ValueOr(s.req.Knobs.Batch.Prompts, 2), sdk.ValueOr(s.req.Knobs.Batch.GroupSize, 2)
	var out []sdk.EpisodeRequest
	for g := range prompts {
		for i := range size {
			out = append(out, sdk.EpisodeRequest{
				EpisodeID: fmt.Sprintf("%s/t%d/g%d/s%d", s.req.LaunchID, s.step+1, g, i), GroupID: fmt.Sprintf("g%d", g),
				GroupSize:   size,
				SampleIndex: i, DatasetIndex: (k-1)*prompts + g, Stage: s.req.Stage, Split: sdk.SplitTrain, Step: s.step + 1,
				PolicyVersion: int64(s.weights.Step),
			})
		}
	}
	return out
}

// episodes runs all requests concurrently.
func (s *stage) episodes(ctx context.Context, requests []sdk.EpisodeRequest) ([]*sdk.EpisodeResult, error) {
	results := make([]*sdk.EpisodeResult, len(requests))
	group, running := errgroup.WithContext(ctx)
	for i, req := range requests {
		group.Go(func() error {
			s.open(req, s.weights)
			defer s.drop(req.EpisodeID)
			result, err := s.host.RunEpisode(running, req)
			if err == nil && result.Outcome == sdk.OutcomeCancelled {
				s.config.note(Answers, "the episode was cancelled")
			}
			if running.Err() == nil {
				s.answered(ctx, err)
			}
			s.config.at(fmt.Sprintf("answered %d", req.Step))
			results[i] = result
			return err
		})
	}
	return results, group.Wait()
}

// learn computes new weights from the trainable results, in slot order.
func (s *stage) learn(requests []sdk.EpisodeRequest, results []*sdk.EpisodeResult) *sdk.ConsumedEvent {
	out := &sdk.ConsumedEvent{Step: s.step, VersionAfter: int64(s.step)}
	content := []string{s.weights.Content, strconv.Itoa(s.step)}
	for i, r := range results {
		use := sdk.ConsumedTrained
		switch {
		case r.Outcome == sdk.OutcomeDropped || r.Outcome == sdk.OutcomeCancelled:
			use = sdk.ConsumedFiltered
		case r.Masked || r.Reward == nil:
			use = sdk.ConsumedMasked
		default:
			content = append(content, requests[i].GroupID, strconv.Itoa(requests[i].SampleIndex), fmt.Sprint(*r.Reward),
				s.trained(r))
		}
		out.Episodes = append(out.Episodes, sdk.ConsumedEpisode{EpisodeID: r.EpisodeID, Use: use})
	}
	if s.does("use a stranger") {
		out.Episodes[0].EpisodeID = "nobody"
	}
	s.weights = weights{Step: s.step, Content: hash(content...), Optimizer: hash(append(content, s.weights.Optimizer)...)}
	return out
}

// checkpoint writes and announces the weights.
func (s *stage) checkpoint() error {
	dir := filepath.Join(s.req.CheckpointDir, fmt.Sprintf("step-%d", s.step))
	if s.does("keep checkpoints") {
		dir = filepath.Join(s.config.Control, fmt.Sprintf("kept-%d", s.step))
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	if err := s.weights.save(dir); err != nil {
		return err
	}
	if s.config.Remote {
		if err := s.saveRemote(dir, hash(s.req.LaunchID, dir)[len("sha256:"):]); err != nil {
			return err
		}
	}
	s.saved = s.step
	s.config.at(fmt.Sprintf("written %d", s.step))
	event := &sdk.CheckpointEvent{Step: s.step, Path: dir, Digest: s.weights.digest()}
	if s.does("announce nothing real") {
		event.Path += "-not"
	}
	if err := s.emit(sdk.TrainEvent{Checkpoint: event}); err != nil {
		return err
	}
	s.config.at(fmt.Sprintf("announced %d", s.step))
	return nil
}

// boundary runs validation if it is due, and asks the host for the next directive.
func (s *stage) boundary(ctx context.Context, validate bool) (over bool, err error) {
	if validate = validate && s.req.ValidationTasks > 0; validate {
		if err := s.validate(ctx); err != nil {
			return false, err
		}
	}
	req := sdk.StepBoundaryRequest{LaunchID: s.req.LaunchID, Stage: s.req.Stage, Step: s.step, Validated: validate}
	if s.does("ask for another launch") {
		req.LaunchID = "another"
	}
	answer, err := s.host.StepBoundary(ctx, req)
	if s.answered(ctx, err); err != nil {
		return false, err
	}
	if s.does("ask twice") {
		again, err := s.host.StepBoundary(ctx, req)
		if err != nil || *again != *answer {
			return false, fmt.Errorf("the host first answered %v and then %v: %w", answer, again, err)
		}
	}
	s.config.at(fmt.Sprintf("decided %d", s.step))
	if s.does("finish a stage with a later checkpoint") {
		before := s.finishing
		if s.finishing = before || answer.Directive == sdk.DirectiveFinishStage; s.finishing {
			if !before || s.saved < s.step {
				return false, nil
			}
			return true, s.end(sdk.FinishedCompleted, "")
		}
	}
	switch answer.Directive {
	case sdk.DirectiveContinue:
		return false, nil
	case sdk.DirectiveFinishStage:
		return true, s.end(sdk.FinishedCompleted, answer.Reason)
	case sdk.DirectiveStop:
		return true, s.end(sdk.FinishedStopped, answer.Reason)
	}
	return true, s.end(sdk.FinishedFailed, answer.Reason)
}

// answered records the host's errors.
func (s *stage) answered(ctx context.Context, err error) {
	if err == nil || ctx.Err() != nil {
		return
	}
	what := "final: " + err.Error()
	if errors.Is(err, sdk.ErrUnavailable) {
		what = Unavailable
	}
	s.config.note(Answers, what)
}

func (s *stage) validate(ctx context.Context) error {
	if err := s.phase("validation", 0, s.req.ValidationTasks); err != nil {
		return err
	}
	s.config.at(fmt.Sprintf("validation %d", s.step))
	var requests []sdk.EpisodeRequest
	for task := range s.req.ValidationTasks {
		requests = append(requests, sdk.EpisodeRequest{
			EpisodeID: fmt.Sprintf("%s/v%d/g%d", s.req.LaunchID, s.step, task), GroupID: fmt.Sprintf("v%d", task), GroupSize: 1,
			DatasetIndex: task, Stage: s.req.Stage, Split: sdk.SplitValidation, Step: s.step,
			PolicyVersion: int64(s.weights.Step),
		})
	}
	_, err := s.episodes(ctx, requests)
	return err
}

func (s *stage) phase(name string, done, total int) error {
	return s.emit(sdk.TrainEvent{Phase: &sdk.PhaseEvent{Name: name, Step: s.step, Done: done, Total: total,
		Ended: done == total}})
}

func (s *stage) end(outcome sdk.FinishedOutcome, reason string) error {
	if s.does("break off") {
		return errors.New("the trainer broke off")
	}
	return s.emit(sdk.TrainEvent{Finished: &sdk.FinishedEvent{Outcome: outcome, Reason: reason, Step: s.step}})
}
