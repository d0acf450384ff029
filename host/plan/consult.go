package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Deadlines of the calls of a plan.
const (
	consultTimeout  = 60 * time.Second
	validateTimeout = 10 * time.Second
	planTimeout     = 60 * time.Second
)

// consult asks each plugin whether its blocks are right, and the adapter how it would train. Plugins are asked side by
// side, one process each.
func (p *Plan) consult(ctx context.Context, in Inputs) diag.Diagnostics {
	ctx, cancel := context.WithTimeout(ctx, consultTimeout)
	defer cancel()
	authority, err := mtls.NewAuthority()
	if err != nil {
		return problem("Cannot start plugins", err.Error())
	}
	sockets, err := process.NewSocketDir()
	if err != nil {
		return problem("Cannot start plugins", err.Error())
	}
	defer process.RemoveSocketDir(sockets)

	byPlugin := map[*catalog.Entry][]*Component{}
	var order []*catalog.Entry
	for _, c := range p.Components {
		if byPlugin[c.Entry] == nil {
			order = append(order, c.Entry)
		}
		byPlugin[c.Entry] = append(byPlugin[c.Entry], c)
	}
	found := make([]diag.Diagnostics, len(order))
	var group errgroup.Group
	for i, entry := range order {
		group.Go(func() error {
			found[i] = p.consultPlugin(ctx, in, authority, sockets, entry, byPlugin[entry])
			return nil
		})
	}
	_ = group.Wait() // problems are in found
	var problems diag.Diagnostics
	for _, f := range found {
		problems = append(problems, f...)
	}
	return problems
}

func (p *Plan) consultPlugin(ctx context.Context, in Inputs, authority *mtls.Authority, dir string, entry *catalog.Entry, components []*Component) diag.Diagnostics {
	running, err := client.Start(ctx, client.Config{
		Name: "plan." + entry.Name, Command: entry.Command, Authority: authority, SocketDir: dir, PassEnv: in.PassEnv, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		return diag.Diagnostics{in.Spec.Diagnose(components[0].Block.Places, nil, diag.Diagnostic{
			Severity: diag.Error, Summary: fmt.Sprintf("Plugin %s does not start", entry.Name), Detail: err.Error(),
		})}
	}
	defer running.Kill()
	var problems diag.Diagnostics
	for _, c := range components {
		problems = append(problems, p.validate(ctx, in, running, c)...)
	}
	if problems.HasErrors() {
		return problems
	}
	for _, c := range components {
		if c.Block.Kind == "adapter" {
			problems = append(problems, p.consultAdapter(ctx, in, running, c)...)
			break // one adapter per train block: all stages share its type
		}
	}
	return problems
}

func (p *Plan) validate(ctx context.Context, in Inputs, running *client.Plugin, c *Component) diag.Diagnostics {
	ctx, cancel := context.WithTimeout(ctx, validateTimeout)
	defer cancel()
	found, err := running.ValidateConfig(ctx, sdk.ComponentKind(c.Block.Kind), c.Block.Type, c.Block.Config, nil)
	if err != nil {
		return in.failed(c, "check its configuration", running.Explain(err))
	}
	return in.Spec.FromPlugin(c.Block, c.Entry.Name, found)
}

func (in Inputs) failed(c *Component, what string, err error) diag.Diagnostics {
	return diag.Diagnostics{in.Spec.Diagnose(c.Block.Places, nil, diag.Diagnostic{
		Severity: diag.Error, Plugin: c.Entry.Name, Summary: "Plugin " + c.Entry.Name + " could not " + what, Detail: err.Error(),
	})}
}

// adapterMu guards Plan.Adapter; only one adapter answers.
var adapterMu sync.Mutex

func (p *Plan) consultAdapter(ctx context.Context, in Inputs, running *client.Plugin, c *Component) diag.Diagnostics {
	ctx, cancel := context.WithTimeout(ctx, planTimeout)
	defer cancel()
	dir, err := os.MkdirTemp("", "awhost-plan")
	if err != nil {
		return problem("Cannot plan", err.Error())
	}
	defer os.RemoveAll(dir)
	wrong, err := running.Configure(ctx, sdk.ConfigureRequest{
		Kind: sdk.KindAdapter, Type: c.Block.Type, Config: c.Block.Config, Sensitive: c.SensitivePaths(), RunID: "plan", Dir: dir,
	})
	if err != nil {
		return in.failed(c, "be configured", running.Explain(err))
	}
	if len(wrong) > 0 {
		return in.Spec.FromPlugin(c.Block, c.Entry.Name, wrong)
	}
	answer, err := running.Adapter().Plan(ctx, p.request(c))
	if err != nil {
		return in.failed(c, "plan", running.Explain(err))
	}
	adapterMu.Lock()
	p.Adapter = answer
	adapterMu.Unlock()
	return p.place(in, c, answer)
}

// request is what the adapter's plan may depend on.
func (p *Plan) request(c *Component) sdk.PlanRequest {
	req := sdk.PlanRequest{
		Config: c.Block.Config, GroupReward: p.groupReward(), Actions: map[sdk.FailureClass][]sdk.FailureAction{},
		Data: sdk.DataSummary{TrainTasks: p.Tasks(p.Train.Stages[0].Dataset), ValidationTasks: p.Tasks(p.Train.Stages[0].Validation)},
	}
	if b := p.Spec.Blocks[p.Train.Policy]; b != nil {
		req.Policy = b.Config
	}
	agent := p.Spec.Blocks[p.Train.Stages[0].Agent]
	settings, err := AgentSettings(agent)
	if err == nil {
		req.Agent = sdk.AgentSummary{Type: agent.Type, MaxTurns: settings.MaxTurns, HasTools: settings.Environment != "", Members: 1}
	}
	for _, stage := range p.Train.Stages {
		req.Stages = append(req.Stages, sdk.StagePlan{Name: stage.Name, Knobs: stage.Knobs})
		for class, policy := range stage.OnFailure {
			req.Actions[class] = policy.Actions
		}
	}
	return req
}

// place puts the adapter's diagnostics where the user wrote what they are about.
func (p *Plan) place(in Inputs, c *Component, answer *sdk.PlanResponse) diag.Diagnostics {
	var problems diag.Diagnostics
	for _, k := range answer.Knobs {
		if k.Refused != "" {
			problems = append(problems, in.Spec.Diagnose(p.Train.Places, splitKnob(k.Knob), diag.Diagnostic{
				Severity: diag.Error, Plugin: c.Entry.Name, Summary: "Setting refused by adapter " + c.Block.Type,
				Detail: fmt.Sprintf("%s: %s. Remove it, or use another adapter.", k.Knob, k.Refused),
			}))
		}
	}
	for _, r := range answer.Requirements {
		if !r.Met {
			problems = append(problems, in.Spec.Diagnose(c.Block.Places, nil, diag.Diagnostic{
				Severity: diag.Error, Plugin: c.Entry.Name, Summary: "Requirement not met: " + r.Kind, Detail: r.Detail,
			}))
		}
	}
	return append(problems, in.Spec.FromPlugin(c.Block, c.Entry.Name, answer.Diagnostics)...)
}

func splitKnob(knob string) []string {
	for i := range knob {
		if knob[i] == '.' {
			return []string{knob[:i], knob[i+1:]}
		}
	}
	return []string{knob}
}

func (p *Plan) groupReward() bool {
	for _, c := range p.Components {
		if c.Description.Reward != nil && c.Description.Reward.GroupRelative {
			return true
		}
	}
	return false
}

// agentBlock is the body of an agent block.
type agentBlock struct {
	Environment string
	MaxTurns    int
}

// AgentSettings reads what the plan needs of an agent block.
func AgentSettings(b *spec.Block) (agentBlock, error) {
	var body struct {
		Environment string `json:"environment"`
		MaxTurns    int    `json:"max_turns"`
	}
	if err := json.Unmarshal(b.Config, &body); err != nil {
		return agentBlock{}, fmt.Errorf("read %s: %w", b.Address, err)
	}
	return agentBlock{Environment: body.Environment, MaxTurns: body.MaxTurns}, nil
}
