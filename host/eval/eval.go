// Package eval measures a policy: it runs a train block's agent, environment and rewards with a checkpoint, or with any
// served model.
//
//	p, problems := plan.ForEvaluation(ctx, inputs, plan.Evaluation{Adapter: true})
//	report, err := eval.Run(ctx, eval.Config{Plan: p, Policy: &eval.Policy{Checkpoint: dir}, Samples: 4, Guard: guard})
//	fmt.Println(report.Overall.Success.Value, report.Overall.PassAt[3].Value)
//
// Episodes run through the training engine in the same way as its validation: with the same seeds for the same task
// and sample. Failed episodes are not retried until they succeed. They count as unsolved in the denominator, and are
// also counted separately. With the embedded trainer, the success rate of a checkpoint therefore equals the run's
// validation at its step.
//
// Reading order, one file per line:
//
//	Run, Ask    eval.go     the entry points; session.go: the plugins around the episodes
//	the calls   watch.go    for watchers
//	the plugins hostservices.go: started, guarded and ended
//	the policy  sampler.go  an adapter with a checkpoint, or an endpoint
//	the tasks   tasks.go    rows of a dataset, or one task
//	the records records.go  without the secrets of the spec; ordered.go: in the order of their slots
//	the sums    tally.go    per task; report.go: rates, pass@k and their confidence (interval.go)
//
// The package must not depend on terminals or HCL.
package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/openai"
)

// Config configures an evaluation.
type Config struct {
	Plan *plan.Plan // of plan.ForEvaluation
	// Either Policy or Endpoint generates the messages.
	Policy   *Policy
	Endpoint *openai.Endpoint
	Unasked  bool // neither is used: all agents have served models of the spec
	// Watcher receives every call made in the episodes. May be nil.
	Watcher Watcher
	// Record stores a Session's episodes, including the calls if it is a rollout.CallSink. May be nil.
	Record rollout.Sink
	// Unhurried removes the deadlines for episodes, calls, and unresponsive plugins. It is meant for episodes that a
	// user pauses.
	Unhurried bool
	// Debugged holds the plugins to debug, keyed by the addresses of their blocks.
	Debugged map[string]plugin.Debugged
	// Player generates the messages in place of a policy, within playTime per episode. May be nil.
	Player rollout.Generator

	Samples     int  // per task; 0: the same as in the spec's validation
	Limit       int  // number of tasks; 0: all
	Concurrency int  // 0: the spec's
	Unjudged    bool // skip the rewards, because there is nothing to compare with

	PassEnv []string
	Guard   []string // command of the guard; may be empty
	// Episode is called for each episode, in the order of tasks and samples. An error ends the evaluation. May be nil.
	Episode func(*rollout.EpisodeRecord) error
	// Log receives the plugins' log messages at level info and above, without secrets. It is called concurrently. May
	// be nil.
	Log func(level, source, message string, fields map[string]string)
	// Progress is called after each episode, never concurrently. May be nil.
	Progress func(done, total int)
}

// Policy is an adapter's checkpoint.
type Policy struct {
	Checkpoint string // directory; empty: the initial policy of training
	// Codecs are the codecs that read the messages of the checkpoint's run, by adapter. A message that another codec has
	// read ends the evaluation.
	Codecs map[string]rollout.Codec
}

const (
	// playTime is the time limit for an episode with a player.
	playTime = 24 * time.Hour
	// unhurried exceeds the time that a user spends at a breakpoint.
	unhurried = 365 * 24 * time.Hour
)

// stage returns the stage to evaluate with the configured concurrency and deadlines.
func (c Config) stage() plan.Stage {
	stage := c.Plan.Stages[0]
	settled := *stage.Stage
	if c.Concurrency > 0 {
		settled.Concurrency = c.Concurrency
	}
	if c.Player != nil {
		settled.EpisodeTimeout = playTime
	}
	if c.Unhurried {
		settled.EpisodeTimeout = unhurried
	}
	stage.Stage = &settled
	return stage
}

func (c Config) samples() int {
	if c.Samples > 0 {
		return c.Samples
	}
	if n := c.stage().Knobs.Validate.Samples; n != nil && *n > 0 {
		return *n
	}
	return 1
}

// Run evaluates the policy and returns a report.
func Run(ctx context.Context, c Config) (*Report, error) {
	data := c.Plan.Data[c.stage().Validation]
	tasks := newRows(data, c.Limit)
	if tasks.len() == 0 {
		return nil, fmt.Errorf("evaluate on %s: it has no tasks", c.stage().Validation)
	}
	tally := newTally(tasks.len(), c.samples(), func(i int) string {
		row, err := data.Task(i)
		if err != nil {
			return "" // the episode has reported it
		}
		return categoryOf(row)
	})
	out := newOrdered(c.samples(), func(r *rollout.EpisodeRecord) error {
		tally.add(r)
		if c.Episode == nil {
			return nil
		}
		return c.Episode(r)
	})
	var loaded Loaded
	began := time.Now()
	err := c.perform(ctx, tasks, out, func(ctx context.Context, e *rollout.Engine, l Loaded) error {
		loaded = l
		return c.episodes(ctx, e, l, tasks.len())
	})
	if err != nil {
		return nil, err
	}
	report := c.report(loaded, tally)
	report.Seconds = time.Since(began).Seconds()
	return report, nil
}

// perform opens the stage, calls play, and closes the stage afterwards.
func (c Config) perform(ctx context.Context, tasks rollout.TaskSource, sink rollout.Sink,
	play func(context.Context, *rollout.Engine, Loaded) error) (err error) {
	s, err := Open(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close(ctx)) }()
	return s.use(ctx, tasks, sink, seeds{run: s.Seed()}, func(e *rollout.Engine) error { return play(ctx, e, s.Loaded()) })
}

// closeEngine ends the running episodes, even after ctx is done.
func closeEngine(ctx context.Context, e *rollout.Engine) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	return e.Close(ctx)
}

// episodes requests every sample of every task in order: the first unfinished group always receives its last sample.
func (c Config) episodes(ctx context.Context, engine *rollout.Engine, l Loaded, tasks int) error {
	samples := c.samples()
	report := progress{total: tasks * samples, report: c.Progress}
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(max(2*c.stage().Concurrency, samples))
	for task := range tasks {
		for sample := range samples {
			if running.Err() != nil {
				break
			}
			group.Go(func() error {
				_, err := engine.RunEpisode(running, sdk.EpisodeRequest{
					EpisodeID: fmt.Sprintf("eval/g%05d/s%03d", task, sample), GroupID: fmt.Sprintf("v%05d", task), GroupSize: samples,
					SampleIndex:  sample,
					DatasetIndex: task, Stage: c.stage().Name, Split: sdk.SplitValidation, Step: l.Step, PolicyVersion: l.Version,
				})
				if err == nil {
					report.add()
				}
				return err
			})
		}
	}
	if err := group.Wait(); err != nil {
		return cmp.Or(engine.Err(), err) // the cause, not only the fact that it has ended
	}
	return ctx.Err()
}

// Ask runs one episode of a task. With Unjudged, the record contains neither a reward nor scores.
func Ask(ctx context.Context, c Config, task sdk.Task) (*rollout.EpisodeRecord, Loaded, error) {
	var record *rollout.EpisodeRecord
	var loaded Loaded
	sink := newOrdered(1, func(r *rollout.EpisodeRecord) error {
		record = r
		if c.Unjudged {
			record.Reward, record.IsSuccess = nil, nil
		}
		return nil
	})
	err := c.perform(ctx, one{task}, sink, func(ctx context.Context, e *rollout.Engine, l Loaded) error {
		loaded = l
		_, err := e.RunEpisode(ctx, sdk.EpisodeRequest{
			EpisodeID: "ask", GroupID: "ask", GroupSize: 1, Stage: c.stage().Name, Split: sdk.SplitValidation, Step: l.Step,
			PolicyVersion: l.Version,
		})
		return cmp.Or(e.Err(), err)
	})
	return record, loaded, err
}
