package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/host/participants"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// Session keeps the stage's plugins running, so that episodes can run one after another.
//
//	s, err := eval.Open(ctx, eval.Config{Plan: p, Policy: &eval.Policy{}})
//	record, err := s.Play(ctx, eval.Play{Task: 0, Seed: s.Seed()})
//	err = s.Close(ctx)
type Session struct {
	config   Config
	services *hostServices
	sampler  sampler
	setup    rollout.StageSetup // without the tasks
	served   []func()           // close the connections of served models
	unread   *unreadCalls
	played   int
}

// Open starts the plugins and loads the policy.
func Open(ctx context.Context, c Config) (_ *Session, err error) {
	s := &Session{config: c, unread: &unreadCalls{log: c.Log, warned: map[string]bool{}}}
	if s.services, err = c.open(ctx); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.Close(ctx))
		}
	}()
	binding := participants.StageBinding{
		Plan: c.Plan, Stage: c.stage(), Plugins: s.services.plugins, Agents: s.services.service,
		PolicyServed: c.Policy == nil,
	}
	addresses := binding.Addresses()
	if c.Policy != nil {
		addresses = append(addresses, c.stage().Adapter)
	}
	if err := s.services.starter(c.Plan).Start(ctx, addresses); err != nil {
		return nil, err
	}
	if s.setup, err = binding.Setup(); err != nil {
		return nil, err
	}
	if err := participants.Prepare(ctx, s.setup); err != nil {
		return nil, err
	}
	for _, by := range s.setup.Served {
		if by.Close != nil { // at the end of the session, not of an engine
			s.served, by.Close = append(s.served, by.Close), nil
		}
	}
	if s.sampler, err = c.sampler(ctx, s.services); err != nil {
		return nil, err
	}
	s.furnish()
	return s, nil
}

// furnish adds the sampler and the watcher to the setup.
func (s *Session) furnish() {
	if s.config.Unjudged {
		s.setup.Rewards = nil
		s.setup.Compose = func(rollout.ComposeInputs) (rollout.ComposeResult, error) {
			return rollout.ComposeResult{}, nil
		}
	}
	s.setup.Generator = rollout.GeneratorBinding{Address: s.sampler.address(), Generator: s.sampler}
	if s.config.Policy != nil {
		if codec, ok := s.config.Policy.Codecs[s.sampler.address()]; ok {
			s.setup.Codec = &codec
		}
	}
	if s.config.Endpoint != nil {
		s.setup.Generator.Rows = participants.Rows(s.config.Endpoint)
	}
	if s.config.Watcher != nil {
		watch(&s.setup, redacting{s.config.Watcher, s.config.Plan.Spec.Redactor().Text})
	}
}

// Loaded describes the model that generates the messages.
func (s *Session) Loaded() Loaded { return s.sampler.loaded() }

// Seed returns the spec's seed.
func (s *Session) Seed() int64 { return s.config.stage().Knobs.Seed }

// Close ends the plugins, even after ctx is done.
func (s *Session) Close(ctx context.Context) error {
	for _, closeModel := range s.served {
		closeModel()
	}
	return s.services.close(ctx)
}

// engine returns an engine for tasks. The caller closes it.
func (s *Session) engine(tasks rollout.TaskSource, sink rollout.Sink, from seeds) (*rollout.Engine, error) {
	options := rollout.Options{
		RunSeed: from.run, Origin: from.origin, Once: true,
		Sink: records{sink, s.sampler, s.config.Plan.Spec.Redactor().Text, s.unread},
		AwaitPlugin: func(ctx context.Context, address string, cause error) error {
			return s.services.await(ctx, s.sampler, address, cause)
		},
	}
	if s.config.Unhurried {
		options.CloseTimeout, options.RewardTimeout = unhurried, unhurried
	}
	engine, err := rollout.New(options)
	if err != nil {
		return nil, err
	}
	setup := s.setup
	setup.Tasks = tasks
	return engine, engine.Configure(setup)
}

// seeds holds the sources of the seeds used for episodes.
type seeds struct {
	run    int64
	origin *rollout.Origin // nil: derived from the episode's position
}

// use creates an engine, calls play, and closes the engine.
func (s *Session) use(
	ctx context.Context, tasks rollout.TaskSource, sink rollout.Sink, from seeds, play func(*rollout.Engine) error,
) (err error) {
	engine, err := s.engine(tasks, sink, from)
	if engine != nil {
		defer func() { err = errors.Join(err, closeEngine(ctx, engine)) }()
	}
	if err != nil {
		return err
	}
	return play(engine)
}

// Play is one episode of a Session.
type Play struct {
	Task   int // index in the dataset
	Sample int
	Seed   int64 // of the run; the other seeds are derived from it
	// Origin is the episode of a run whose seeds are used; if it is nil, the seeds of a validation are used.
	Origin *rollout.Origin
}

// Play runs an episode. With the spec's seed, the result equals the result of Run for the same task and sample.
func (s *Session) Play(ctx context.Context, p Play) (*rollout.EpisodeRecord, error) {
	tasks := newRows(s.config.Plan.Data[s.config.stage().Validation], 0)
	var record *rollout.EpisodeRecord
	sink := taking{func(r *rollout.EpisodeRecord) { record = r }, s.config.Record}
	s.played++
	draw := 0
	if p.Origin != nil {
		draw = p.Origin.Draw
	}
	err := s.use(ctx, tasks, sink, seeds{p.Seed, p.Origin}, func(engine *rollout.Engine) error {
		l := s.sampler.loaded()
		_, err := engine.RunEpisode(ctx, sdk.EpisodeRequest{
			EpisodeID: fmt.Sprintf("play/%d", s.played), GroupID: fmt.Sprintf("v%05d", p.Task), GroupSize: 1,
			SampleIndex: p.Sample, Draw: draw,
			DatasetIndex: p.Task, Stage: s.config.stage().Name, Split: sdk.SplitValidation, Step: l.Step,
			PolicyVersion: l.Version,
		})
		return cmp.Or(engine.Err(), err)
	})
	if err != nil {
		return nil, err
	}
	return record, nil
}

// taking forwards the records of episodes.
type taking struct {
	take func(*rollout.EpisodeRecord)
	keep rollout.Sink // may be nil
}

// Attempt implements rollout.Sink.
func (t taking) Attempt(r *rollout.AttemptRecord) error {
	if t.keep == nil {
		return nil
	}
	return t.keep.Attempt(r)
}

// Call implements rollout.CallSink.
func (t taking) Call(r *rollout.CallRecord) error {
	if keep, ok := t.keep.(rollout.CallSink); ok {
		return keep.Call(r)
	}
	return nil
}

// Episode implements rollout.Sink.
func (t taking) Episode(r *rollout.EpisodeRecord) error {
	if t.keep != nil {
		if err := t.keep.Episode(r); err != nil {
			return err
		}
	}
	t.take(r)
	return nil
}

var _ rollout.CallSink = taking{}
