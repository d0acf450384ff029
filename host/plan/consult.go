package plan

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/plugin"
	"github.com/awhost/awhost/host/server"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
)

// Deadlines of the calls of a plan.
const (
	consultTimeout  = 2 * time.Minute // for all of them
	validateTimeout = 10 * time.Second
	probeTimeout    = 60 * time.Second
	planTimeout     = 60 * time.Second
)

// visit is one plugin process and its tasks: validating blocks and, if there is an adapter block, planning the
// training. Each adapter block has a separate process, because a process can be configured only once.
type visit struct {
	entry      *catalog.Entry
	components []*Component

	problems diag.Diagnostics
	notes    []string
	answer   *sdk.PlanResponse     // of an adapter
	offered  map[string][]sdk.Tool // by address of an environment, if it listed its tools
}

// consult calls all plugins concurrently.
func (p *Plan) consult(ctx context.Context, in Inputs) diag.Diagnostics {
	ctx, cancel := context.WithTimeout(ctx, consultTimeout+p.startTime(in.Probe))
	defer cancel()
	room, err := plugin.OpenWorkspace(ctx, in.Guard)
	if err != nil {
		return problem("Cannot start plugins", err.Error())
	}
	defer room.Close()
	visits := p.visits()
	var asking sync.WaitGroup
	for _, v := range visits {
		asking.Go(func() { p.ask(ctx, in, room, v) })
	}
	asking.Wait()
	var problems diag.Diagnostics
	offered := map[string][]sdk.Tool{}
	for _, v := range visits {
		problems = append(problems, v.problems...)
		maps.Copy(offered, v.offered)
		p.notes = append(p.notes, v.notes...)
		if v.answer != nil {
			p.Adapters[v.components[0].Block.Address] = v.answer
		}
	}
	return append(problems, p.checkTools(offered)...)
}

// Prepare lets the adapters of a spec read the configurations of their frameworks, which starts the Pythons that the
// spec names. It returns notes about what they have read, and warnings: a plan is possible without.
func Prepare(ctx context.Context, in Inputs) (notes []string, warnings diag.Diagnostics) {
	p := &Plan{Train: &spec.Train{}, evaluation: true}
	for _, address := range in.Spec.Order {
		if b := in.Spec.Blocks[address]; b != nil && b.Kind == string(sdk.KindAdapter) {
			_ = p.take(ctx, in, b)
		}
	}
	if len(p.Components) == 0 {
		return nil, nil
	}
	in.Probe = sdk.ProbeStart
	warnings = p.consult(ctx, in)
	for i := range warnings {
		warnings[i].Severity = diag.Warning
	}
	return p.notes, warnings
}

// startTime returns the time limit for the servers that a plan starts.
func (p *Plan) startTime(probe sdk.Probe) (sum time.Duration) {
	for _, c := range p.Components {
		if c.Block.Server != nil && probe == sdk.ProbeStart {
			sum += c.Block.Server.Timeout
		}
	}
	return sum
}

// visits groups the components by process, preserving their order.
func (p *Plan) visits() []*visit {
	var out []*visit
	shared := map[*catalog.Entry]*visit{}
	for _, c := range p.Components {
		v := shared[c.Entry]
		if v == nil || c.isAdapter() {
			v = &visit{entry: c.Entry, offered: map[string][]sdk.Tool{}}
			out = append(out, v)
		}
		if !c.isAdapter() {
			shared[c.Entry] = v
		}
		v.components = append(v.components, c)
	}
	return out
}

func (c *Component) isAdapter() bool { return c.Block.Kind == string(sdk.KindAdapter) }

func (p *Plan) ask(ctx context.Context, in Inputs, room *plugin.Workspace, v *visit) {
	env := in.PassEnv
	if v.components[0].isAdapter() { // its process has one block, and may require a key
		env = slices.Concat(env, v.components[0].Block.PassEnv())
	}
	running, err := room.Start(ctx, v.entry, client.Config{Name: "plan." + v.components[0].Block.Address, PassEnv: env})
	if err != nil {
		v.problems = in.failed(v.components[0], fmt.Sprintf("Plugin %s does not start", v.entry.Name), err)
		return
	}
	defer running.Kill()
	for _, c := range v.components {
		v.notes = append(v.notes, c.Block.Notes...)
		v.validate(ctx, in, room, running, c)
	}
	if c := v.components[0]; c.isAdapter() && !p.evaluation && !v.problems.HasErrors() {
		answer, problems := p.askAdapter(ctx, in, room, running, c)
		v.answer, v.problems = answer, append(v.problems, problems...)
	}
}

// validate checks a block and, if the plan is allowed to probe, whether it will work.
func (v *visit) validate(ctx context.Context, in Inputs, room *plugin.Workspace, running *client.Plugin, c *Component) {
	probe, config := in.Probe, c.Block.Config
	if s := c.Block.Server; s != nil && len(s.Details) > 0 && probe != sdk.ProbeStart {
		v.notes = append(v.notes, fmt.Sprintf("%s: its server tells %s when it is started, and nothing is checked before: "+
			"`awhost plan --connect` starts it", c.Block.Address, strings.Join(s.Details, ", ")))
		return
	}
	if c.Block.Server != nil && probe != "" {
		id, guard := room.Keeper()
		servers := server.NewSet(server.Options{
			Run: id, For: "a plan", Guard: guard, Records: server.Records(in.Spec.Dir), Redact: in.Spec.Redactor().Text,
		})
		defer func() {
			if err := servers.StopAll(context.WithoutCancel(ctx)); err != nil { // its record is kept
				v.problems = append(v.problems, in.failedServer(c, "A server may still run", err)...)
			}
		}()
		var err error
		if probe, err = v.serve(ctx, servers, c.Block, probe); err == nil {
			_, config, err = c.Block.Server.Connected(config, servers.ConnectionOf(c.Block.Address))
		}
		if err != nil {
			v.problems = append(v.problems, in.failedServer(c, "The server of the block does not start", err)...)
			return
		}
	}
	limit := validateTimeout
	if probe != "" {
		limit = probeTimeout
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	found, err := running.ProbeConfig(ctx, sdk.ComponentKind(c.Block.Kind), c.Block.Type, config, probe)
	if err != nil {
		v.problems = append(v.problems, in.failed(c, fmt.Sprintf("Plugin %s could not check its configuration", c.Entry.Name),
			running.Explain(err))...)
		return
	}
	if found.Tools != nil {
		v.offered[c.Block.Address] = found.Tools
	}
	problems := slices.DeleteFunc(slices.Clone(found.Diagnostics), isNote)
	v.problems = append(v.problems, in.Spec.FromPlugin(c.Block.Places, c.Entry.Name, problems)...)
	for _, d := range found.Diagnostics {
		if isNote(d) {
			v.notes = append(v.notes, c.Block.Address+": "+d.Summary)
		}
	}
}

// serve starts the server that a block requires, if the plan is allowed to, and returns the probe that the plugin may
// perform afterward.
func (v *visit) serve(ctx context.Context, servers *server.Set, b *spec.Block, probe sdk.Probe) (sdk.Probe, error) {
	switch {
	case probe == sdk.ProbeStart:
		return probe, servers.Start(ctx, b.Server)
	case b.Server.Connection == "" && server.Serves(ctx, b.Server):
		v.notes = append(v.notes, b.Address+": its server is already running at "+b.Server.ReadyURL+" and is used unchanged")
		return probe, nil
	}
	command := strings.Join(b.Server.Command, " ")
	v.notes = append(v.notes, fmt.Sprintf("%s: the run starts its server: %s", b.Address, command))
	return "", nil
}

func isNote(d sdk.Diagnostic) bool { return d.Severity == sdk.SeverityNote }

// askAdapter configures the process and requests the adapter's training plan.
func (p *Plan) askAdapter(ctx context.Context, in Inputs, room *plugin.Workspace, running *client.Plugin,
	c *Component) (*sdk.PlanResponse, diag.Diagnostics) {
	ctx, cancel := context.WithTimeout(ctx, planTimeout)
	defer cancel()
	dir, err := room.Dir()
	if err != nil {
		return nil, problem("Cannot plan", err.Error())
	}
	wrong, err := running.Configure(ctx, sdk.ConfigureRequest{
		Kind: sdk.KindAdapter, Type: c.Block.Type, Config: c.Block.Config, Sensitive: c.SensitivePaths(), RunID: "plan",
		Dir: dir,
	})
	if err != nil {
		return nil, in.failed(c, fmt.Sprintf("Plugin %s could not be configured", c.Entry.Name), running.Explain(err))
	}
	if len(wrong) > 0 {
		return nil, in.Spec.FromPlugin(c.Block.Places, c.Entry.Name, wrong)
	}
	answer, problems := p.planWith(ctx, in, running, c)
	if p.Smoke == nil || problems.HasErrors() {
		return answer, problems
	}
	whole := *p // the spec's own run, which a smoke run must not pass if the adapter refuses it
	whole.Train, whole.Smoke = p.spec, nil
	elsewhere := in
	elsewhere.Elsewhere = true
	_, refused := whole.planWith(ctx, elsewhere, running, c)
	return answer, append(problems, slices.DeleteFunc(refused, func(d diag.Diagnostic) bool {
		return d.Severity != diag.Error
	})...)
}

// planWith requests the adapter's plan, and places its objections.
func (p *Plan) planWith(ctx context.Context, in Inputs, running *client.Plugin, c *Component) (*sdk.PlanResponse,
	diag.Diagnostics) {
	request, err := p.request(in, c)
	if err != nil {
		return nil, problem("Cannot plan", err.Error())
	}
	answer, err := running.Adapter().Plan(ctx, request)
	if err != nil {
		return nil, in.failed(c, fmt.Sprintf("Plugin %s could not plan", c.Entry.Name), running.Explain(err))
	}
	return answer, p.place(in, c, answer)
}

// failed returns a diagnostic about a plugin, located at its block.
func (in Inputs) failed(c *Component, summary string, err error) diag.Diagnostics {
	return diag.Diagnostics{in.Spec.Diagnose(c.Block.Places, nil, diag.Diagnostic{
		Severity: diag.Error, Plugin: c.Entry.Name, Summary: summary, Detail: err.Error(),
	})}
}

// failedServer returns a diagnostic about a block's server, located at the block's `start`.
func (in Inputs) failedServer(c *Component, summary string, err error) diag.Diagnostics {
	return diag.Diagnostics{in.Spec.Diagnose(c.Block.Places, []string{spec.StartBlock}, diag.Diagnostic{
		Severity: diag.Error, Summary: summary, Detail: err.Error(),
	})}
}
