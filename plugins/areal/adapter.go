package areal

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/plugins/areal/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/stage"
)

// adapter is one configured trainer. It trains one stage at a time.
type adapter struct {
	stage.Adapter
	config config
}

func newAdapter(c config, setup sdk.Setup) *adapter {
	a := &adapter{config: c}
	a.Init(name, setup)
	a.Refusal = "AReaL saves at its own steps (checkpoint.every) and pauses by itself; use drain"
	return a
}

// Train implements sdk.Adapter.
func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host, emit func(sdk.TrainEvent) error) error {
	if _, err := settings.Configure(ctx, a.config.Python, a.config.Source); err != nil {
		return err
	}
	plan, err := a.settle(req)
	if err != nil {
		return err
	}
	s := a.stage(newRecord(req, plan), plan.dir, host, emit)
	s.Site = plan.config.site(req.Smoke)
	return a.Adapter.Train(ctx, s, func(ctx context.Context, endpoint string) (*stage.Command, error) {
		if plan.smoke {
			if err := plan.makeModel(ctx); err != nil {
				return nil, err
			}
		}
		message := fmt.Sprintf("started AReaL %s in %s mode", plan.installed.Release, plan.mode)
		return &stage.Command{Argv: plan.command(), Env: plan.environment(), Message: message}, plan.prepare(req, endpoint)
	})
}

// Recover implements sdk.AdapterWithRecover.
func (a *adapter) Recover(ctx context.Context, req sdk.RecoverRequest, host sdk.Host, emit func(sdk.TrainEvent) error) error {
	return a.Adapter.Recover(ctx, req, func(dir string) (*stage.Stage, error) {
		r, err := readRecord(folder(dir))
		if err != nil {
			return nil, err
		}
		return a.stage(r, folder(dir), host, emit), nil
	})
}

// stage returns one life of a stage. Workers on this machine are killed with the driver, and lose nothing. Other workers
// must be ended by the driver.
func (a *adapter) stage(r *record, dir folder, host sdk.Host, emit func(sdk.TrainEvent) error) *stage.Stage {
	relay := newRelay(r, dir, host, emit)
	if !r.Request.Smoke {
		relay.shared = a.config.SharedFolder
	}
	s := stage.New(r, relay, emit)
	relay.Stop = s.End
	s.Site, s.Dir, s.RecordFile, s.BridgeDir, s.LogFile = a.config.site(r.Request.Smoke), string(dir), dir.record(), dir.bridge(), dir.log()
	s.Credits = max(1024, 4*r.Prompts*r.GroupSize)
	if !r.Local {
		s.Patience = a.config.Patience() / 2 // for each of two signals
	}
	return s
}

// settle returns the configuration of AReaL for a stage.
func (a *adapter) settle(req sdk.TrainRequest) (*resolved, error) {
	policy, err := policyPath(req.Policy)
	if err == nil {
		err = checkPolicy(policy)
	}
	if err != nil {
		return nil, err
	}
	in := inputs{
		config: a.config, knobs: req.Knobs, trainTasks: req.TrainTasks, validationTasks: req.ValidationTasks,
		policy: policy, dir: folder(a.Folder(req.LaunchID)), trial: trialName(req.LaunchID),
	}
	if req.Smoke {
		in = in.inSmoke(a.Dir)
	}
	plan, err := resolve(in)
	if err != nil {
		return nil, err
	}
	anew := beginsAnew(policy, plan.settings.Text("actor.backend"))
	if req.FromCheckpoint != "" && (anew || !req.Resumed) {
		in.weights = req.FromCheckpoint // otherwise AReaL starts as before, and continues from its recover files
		if req.Resumed {
			in.skipped = req.StepsDone
		}
		if plan, err = resolve(in); err != nil {
			return nil, err
		}
	}
	if len(plan.problems) > 0 {
		return nil, fmt.Errorf("AReaL cannot be trained like that: %s", plan.problems[0].Text)
	}
	return plan, nil
}

var _ sdk.AdapterWithRecover = (*adapter)(nil)
