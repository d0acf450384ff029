package run

import (
	"context"
	"errors"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/participants"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/run/record"
	"github.com/awhost/awhost/sdk"
)

// stageBinding returns the participants in the stage's episodes.
func (l *trainCall) stageBinding() participants.StageBinding {
	return participants.StageBinding{
		Plan: l.run.Plan, Stage: l.stage, Plugins: l.run.plugins, Agents: l.run.service.Server,
	}
}

// starter starts the run's plugins and servers.
func (r *runner) starter() participants.Starter {
	return participants.Starter{Plan: r.Plan, Plugins: r.plugins, Servers: r.servers}
}

// startPlugins starts the stage's plugins that are not running yet.
func (r *runner) startPlugins(ctx context.Context, addresses []string) error {
	err := r.starter().Start(ctx, addresses)
	var failed *participants.StartError
	if errors.As(err, &failed) {
		return &PluginError{Address: failed.Address, Err: err}
	}
	return err
}

// setup returns the engine setup for the stage's episodes. The plugins must be running.
func (l *trainCall) setup() (rollout.StageSetup, error) {
	setup, err := l.stageBinding().Setup()
	if err == nil && len(setup.Served) > 0 {
		answers, failed := l.run.Writer.Answers()
		setup.Answers, err = answers, failed
		if failed == nil && answers.Damaged {
			l.run.warn(event.Warning{Code: "answers_damaged", Summary: "damaged answers from served models will be " +
				"requested again"})
			answers.Damaged = false
		}
	}
	setup.Tasks, setup.Script, setup.AgentAddress = l.tasks, l.run.Script, l.stage.Agent
	setup.Generator = rollout.GeneratorBinding{Address: l.stage.Adapter, Generator: l.adapter}
	if answer := l.run.Plan.Adapters[l.stage.Adapter]; answer != nil {
		setup.Generator.Capabilities = &answer.Capabilities
	}
	setup.Mask = record.Mask(l.stage.Masks())
	setup.OneRow = l.run.Plan.OneRow(l.stage.Adapter)
	setup.BreakerWindow, setup.Quarantine = l.run.state.now.Breaker, l.run.state.now.Quarantine
	if codec, ok := l.run.state.now.Codecs[l.stage.Adapter]; ok {
		setup.Codec = &codec
	}
	setup.Proven = l.run.state.tip != nil && l.run.state.tip.Step > 0
	return setup, err
}

// awaitPlugin waits for an environment, reward, or agent that has died. The adapter is an exception: without its
// process, the launch has ended. If a running plugin lost an episode or gave up a generation, no wait is necessary.
func (l *trainCall) awaitPlugin(ctx context.Context, address string, cause error) error {
	instance, ok := l.run.plugins.Find(address)
	switch {
	case !errors.Is(cause, sdk.ErrUnavailable):
		return nil
	case address == l.stage.Adapter:
		return &adapterLost{address: address, err: cause}
	case !ok:
		return cause
	}
	if err := instance.Await(ctx); err != nil {
		return &PluginError{Address: address, Err: err}
	}
	return nil
}
