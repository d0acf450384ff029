// Package eval measures a policy: the agent, environment and rewards of a train block against a checkpoint, or against any
// served model.
//
//	p, problems := plan.ForEvaluation(ctx, inputs, plan.Evaluation{Adapter: true})
//	report, err := eval.Run(ctx, eval.Config{Plan: p, Policy: &eval.Policy{Checkpoint: dir}, Samples: 4, Guard: guard})
//	fmt.Println(report.Overall.Success.Value, report.Overall.PassAt[3].Value)
//
// Episodes run through the engine that trains, as its validation does: the same seeds for the same task and sample, nothing
// is retried until it succeeds, and what failed stays in the denominator, unsolved, and is counted apart. So with the
// embedded trainer the success of a checkpoint is that of the run's own validation at its step.
//
// The way through it, each line a file:
//
//	Run, Ask    eval.go     what is measured; session.go: the plugins around the episodes
//	the calls   watch.go    for whoever looks on
//	the plugins rig.go      started, guarded and ended
//	who samples sampler.go  an adapter with a checkpoint, or an endpoint
//	the tasks   tasks.go    rows of a dataset, or one task
//	the records records.go  without the secrets of the spec; ordered.go: as their slots come
//	the sums    tally.go    per task; report.go: rates, pass@k and what they are worth (interval.go)
//
// The package must not know terminals or HCL.
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
	"github.com/awhost/awhost/sdk/endpoint"
)

// Config says what is measured, and how.
type Config struct {
	Plan *plan.Plan // of plan.ForEvaluation
	// Policy or Endpoint samples.
	Policy   *Policy
	Endpoint *endpoint.Endpoint
	Unasked  bool // neither samples: served models of the spec answer for all agents
	// Watcher sees every call of the episodes; nil: nobody does.
	Watcher Watcher
	// Record keeps what a Session plays, also the calls where it is a rollout.CallSink; nil: nobody does.
	Record rollout.Sink
	// Unhurried lifts the deadlines: of episodes, of calls, and of plugins that give no sign of life. For episodes at
	// which somebody stops.
	Unhurried bool
	// Debugged are the plugins that a debugger is to be attached to, by the addresses of their blocks.
	Debugged map[string]plugin.Debugged
	// Player answers in the place of a policy, and may take its time; nil: one of the others does.
	Player rollout.Generator

	Samples     int  // per task; 0: as many as the spec's validation draws
	Limit       int  // the first so many tasks; 0: all
	Concurrency int  // 0: the spec's
	Unjudged    bool // leave the rewards out: there is nothing that they could compare with

	PassEnv []string
	Guard   []string // command of the guard; empty: none
	// Episode hears of each episode, in the order of tasks and samples; nil: nobody does. An error ends the evaluation.
	Episode func(*rollout.EpisodeRecord) error
	// Log hears what plugins log, from info on and without secrets, from several goroutines at a time; nil: nobody does.
	Log func(level, source, message string, fields map[string]string)
	// Progress hears of each end, from one goroutine at a time; nil: nobody does.
	Progress func(done, total int)
}

// Policy is a checkpoint of an adapter.
type Policy struct {
	Checkpoint string // directory; empty: the policy that training would start from
}

const (
	// playTime is how long a player may take for an episode.
	playTime = 24 * time.Hour
	// unhurried is longer than anybody stands at a breakpoint.
	unhurried = 365 * 24 * time.Hour
)

// stage is the one that is measured, with as many episodes at a time, and as much time, as are wanted.
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

// Run evaluates.
func Run(ctx context.Context, c Config) (*Report, error) {
	data := c.Plan.Data[c.stage().Validation]
	tasks := newRows(data, c.Limit)
	if tasks.len() == 0 {
		return nil, fmt.Errorf("evaluate on %s: it has no tasks", c.stage().Validation)
	}
	tally := newTally(tasks.len(), c.samples())
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

// perform opens the stage, lets play use it, and closes it again.
func (c Config) perform(ctx context.Context, tasks rollout.TaskSource, sink rollout.Sink, play func(context.Context, *rollout.Engine, Loaded) error) (err error) {
	s, err := Open(ctx, c)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close(ctx)) }()
	return s.use(ctx, tasks, sink, seeds{run: s.Seed()}, func(e *rollout.Engine) error { return play(ctx, e, s.Loaded()) })
}

// closeEngine ends what is under way, also after the end of ctx.
func closeEngine(ctx context.Context, e *rollout.Engine) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	return e.Close(ctx)
}

// episodes asks for every sample of every task, in their order: the first unfinished group always gets its last sample.
func (c Config) episodes(ctx context.Context, engine *rollout.Engine, l Loaded, tasks int) error {
	samples := c.samples()
	report := progress{total: tasks * samples, tell: c.Progress}
	group, running := errgroup.WithContext(ctx)
	group.SetLimit(max(2*c.stage().Concurrency, samples))
	for task := range tasks {
		for sample := range samples {
			if running.Err() != nil {
				break
			}
			group.Go(func() error {
				_, err := engine.RunEpisode(running, sdk.EpisodeRequest{
					EpisodeID: fmt.Sprintf("eval/g%05d/s%03d", task, sample), GroupID: fmt.Sprintf("v%05d", task), GroupSize: samples, SampleIndex: sample,
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
		return cmp.Or(engine.Err(), err) // what ended it, rather than that it has ended
	}
	return ctx.Err()
}

// Ask plays one episode of a task. Unjudged, the record has neither reward nor scores.
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
			EpisodeID: "ask", GroupID: "ask", GroupSize: 1, Stage: c.stage().Name, Split: sdk.SplitValidation, Step: l.Step, PolicyVersion: l.Version,
		})
		return cmp.Or(e.Err(), err)
	})
	return record, loaded, err
}
