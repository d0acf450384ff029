// Package plan computes the actions that `apply` would take without executing them.
//
// It resolves the plugins in a spec and opens its datasets. It lets the plugins check their configuration and the
// adapter plan its training, negotiates the adapter's capabilities, and decides whether the run is new, resumed, or
// already finished:
//
//	p, problems := plan.Make(ctx, plan.Inputs{Spec: s, Catalog: c, Store: store})
//	if problems.HasErrors() { … }
//	fmt.Println(p.Mode, p.Identity)
//
// It starts only bundled and accepted plugins, and stops them again. It must not depend on how rollouts are executed.
package plan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/awhost/awhost/host/catalog"
	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/dataset/datacheck"
	"github.com/awhost/awhost/host/dataset/prepared"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// Inputs holds the data and options for a plan.
type Inputs struct {
	Spec    *spec.Spec
	Train   string // name of the train block; empty: the only one
	Catalog *catalog.Catalog
	Store   *runstore.Store // nil: do not look for earlier runs
	// Prepared finds the rows of datasets that `awhost init` fetches or creates; the zero value finds none.
	Prepared prepared.Store
	New      bool   // start another run even if one with this identity exists
	Steps    int    // steps of all stages instead of the spec's, see resize; 0: the spec's
	Start    *Start // of the policy; nil: the base model, or the checkpoint that the train block names
	// Continue is the run to continue, with all steps that it has been given. Nil: Store is searched for it.
	Continue *runstore.Run
	Smoke    bool // plan a smoke run: the same spec, small; earlier runs are ignored
	// Elsewhere plans for another machine: missing GPUs, engines, and models are warnings.
	Elsewhere bool
	// Probe limits the checks that plugins perform on their blocks; if it is empty, they only read them.
	Probe   sdk.Probe
	PassEnv []string
	// Refreshed means that all plugins have just been built, so none of them can be stale.
	Refreshed bool
	Build     string   // the identity of this build of awhost, see host/build; empty: ignored
	Guard     []string // the command that runs process.ServeGuard, for the started plugins; may be empty
}

// Plan describes the actions that `apply` takes.
type Plan struct {
	Spec       *spec.Spec
	Train      *spec.Train
	Components []*Component                 // the plugin blocks that the train block needs, sorted by address
	Data       map[string]*dataset.Dataset  // the datasets that it needs, by address
	Adapters   map[string]*sdk.PlanResponse // the plan of each adapter block, by address
	Stages     []Stage
	Identity   string // digest of everything that the result depends on
	Mode       event.Mode
	Existing   *runstore.Summary       // the run to resume, or the finished run
	Why        string                  // one sentence about Mode
	Near       string                  // of a new run: the similar earlier one, and its differences; empty: none
	Stale      []string                // plugins that apply will rebuild, because their sources have changed
	Smoke      *Smoke                  // of a smoke run: its differences from the spec
	Findings   []datacheck.TaskFinding // faults in the tasks
	Extension  *runstore.Extension     // the steps that apply adds to Existing; nil: none
	Start      *Start                  // of the policy; nil: the base model

	total      int                         // Inputs.Steps
	newest     *int                        // number of the newest run before no equal one was found; nil: --new
	began      *spec.Spec                  // the spec with the length that identifies the run; nil: Spec
	spec       *spec.Train                 // the train block as the spec has it; Train of a smoke run is smaller
	notes      []string                    // on the blocks, in the order of the components
	build      string                      // Inputs.Build
	evaluation bool                        // made by ForEvaluation: adapters do not plan the training
	tasks      map[string]*datacheck.Tasks // facts about the tasks that were read, by address
}

// Component is a plugin block together with the plugin that implements it.
type Component struct {
	Block       *spec.Block
	Entry       *catalog.Entry
	Description *sdk.ComponentDescription
}

// SensitivePaths returns the paths to the secrets in the block's configuration.
func (c *Component) SensitivePaths() [][]string {
	var out [][]string
	for _, s := range c.Block.Sensitive {
		switch {
		case c.Block.Server != nil && s.Path[0] == spec.StartBlock, c.Block.Madness != nil && s.Path[0] == spec.ChecksBlock:
			continue // not sent to the plugin
		}
		out = append(out, s.Path)
	}
	return out
}

// Stage is a stage with its negotiated settings.
type Stage struct {
	*spec.Stage
	Policy    rollout.Policy // on_failure without the actions that the adapter cannot express
	Steps     int            // maximum
	Prompts   int            // groups in a step; 0: not reported by the adapter
	GroupSize int            // samples of one prompt; 0: not reported by the adapter
	// LoneSurvivor is the action that excludes the only scored sample in a group; it is empty if no action is needed.
	LoneSurvivor sdk.FailureAction
}

// Component returns the component at an address, or nil.
func (p *Plan) Component(address string) *Component {
	i := slices.IndexFunc(p.Components, func(c *Component) bool { return c.Block.Address == address })
	if i < 0 {
		return nil
	}
	return p.Components[i]
}

// Close releases the datasets.
func (p *Plan) Close() {
	for _, d := range p.Data {
		_ = d.Close() // read-only
	}
}

// TotalSteps returns the maximum number of steps in all stages.
func (p *Plan) TotalSteps() int {
	total := 0
	for _, s := range p.Stages {
		total += s.Steps
	}
	return total
}

// episodesIn matches a number in a note that depends on the number of open episodes: {{episodes}}, {{episodes*4}}.
var episodesIn = regexp.MustCompile(`\{\{episodes(?:\*(\d{1,9}))?\}\}`)

// Concurrency returns the highest concurrency of any stage.
func (p *Plan) Concurrency() int {
	most := 0
	for _, s := range p.Stages {
		most = max(most, s.Concurrency)
	}
	return most
}

// withEpisodes inserts the run's concurrency into a plugin's note.
func (p *Plan) withEpisodes(note string) string {
	most := p.Concurrency()
	return episodesIn.ReplaceAllStringFunc(note, func(match string) string {
		each, _ := strconv.Atoi(cmp.Or(episodesIn.FindStringSubmatch(match)[1], "1"))
		return strconv.Itoa(each * most)
	})
}

// Summary returns the plan's numbers, for use in events.
func (p *Plan) Summary() event.PlanSummary {
	first := p.Stages[0]
	out := event.PlanSummary{
		Adapter: p.Spec.Blocks[p.Train.Stages[0].Adapter].Type, TotalSteps: p.TotalSteps(),
		Prompts: first.Prompts, GroupSize: first.GroupSize, Seed: first.Knobs.Seed,
		TrainTasks: p.Tasks(first.Dataset), ValidationTasks: p.Tasks(first.Validation),
	}
	secrets := p.Spec.Redactor()
	for _, note := range slices.Concat(p.extensionNotes(), p.startNotes(), p.notes, p.checkNotes(), p.limitNotes()) {
		if note = secrets.Text(p.withEpisodes(note)); !slices.Contains(out.Notes, note) {
			out.Notes = append(out.Notes, note)
		}
	}
	for _, address := range p.adapters() {
		for _, note := range p.Adapters[address].Notes {
			if note = secrets.Text(note); !slices.Contains(out.Notes, note) {
				out.Notes = append(out.Notes, note)
			}
		}
	}
	if p.Near != "" {
		out.Notes = append(out.Notes, secrets.Text(p.Near))
	}
	if p.Smoke != nil {
		out.Smoke = p.Smoke.Changes
	}
	for _, s := range p.Stages {
		out.Stages = append(out.Stages, event.StageSummary{Name: s.Name, Steps: s.Steps})
	}
	return out
}

// Plugins returns the plugin for each block, for use in events.
func (p *Plan) Plugins() []event.PluginRef {
	var out []event.PluginRef
	for _, c := range p.Components {
		source := string(c.Entry.Origin)
		if c.Entry.Source != "" {
			source = c.Entry.Source
		}
		out = append(out, event.PluginRef{
			Instance: c.Block.Address, Component: c.Block.Type, Plugin: c.Entry.Name, Version: c.Entry.Description.Version,
			Source: source,
		})
	}
	return out
}

// Tasks returns the number of rows in a dataset, or 0 if it has none.
func (p *Plan) Tasks(address string) int {
	if d := p.Data[address]; d != nil {
		return d.Len()
	}
	return 0
}

// Make returns the plan. It collects all problems it can find; the plan is usable only without errors. The caller must
// close it.
func Make(ctx context.Context, in Inputs) (*Plan, diag.Diagnostics) {
	p, problems := open(ctx, in)
	if p.Train == nil {
		return p, problems
	}
	problems = append(problems, p.checkTrackers(ctx, in)...)
	if in.Smoke {
		problems = append(problems, p.describesSmoke()...)
		p.fewTasks()
	}
	if problems.HasErrors() {
		return p, problems
	}
	problems = append(problems, p.consult(ctx, in)...)
	if in.Smoke {
		problems = append(problems, p.canSmoke()...)
	}
	if problems.HasErrors() {
		return p, problems
	}
	problems = append(problems, p.negotiate()...)
	if problems.HasErrors() {
		return p, problems
	}
	if !in.Refreshed {
		p.Stale = p.stale(in.Catalog.Stale(ctx))
	}
	var err error
	p.build = in.Build
	if p.Identity, err = p.identity(); err == nil {
		err = p.decide(in)
	}
	if again := (*extendedError)(nil); errors.As(err, &again) {
		p.Close()
		in.Continue, in.Steps = again.run, again.steps
		return Make(ctx, in)
	}
	if err != nil {
		problems = append(problems, diag.Diagnostic{Severity: diag.Error, Summary: "Cannot plan the run",
			Detail: err.Error()})
	}
	return p, problems
}

// open resolves the plugins of the train block and opens its datasets.
func open(ctx context.Context, in Inputs) (*Plan, diag.Diagnostics) {
	p := &Plan{Spec: in.Spec, Data: map[string]*dataset.Dataset{}, Adapters: map[string]*sdk.PlanResponse{}}
	var problems diag.Diagnostics
	if p.Train, problems = chooseTrain(in); p.Train == nil {
		return p, problems
	}
	if in.Start != nil {
		if problems = p.startFrom(in.Start); problems.HasErrors() {
			return p, problems
		}
	}
	if in.Steps > 0 {
		if problems = p.resize(in.Steps); problems.HasErrors() {
			return p, problems
		}
	}
	p.spec = p.Train
	if in.Smoke {
		p.Train, p.Smoke = smoke(p.Train)
		if p.Spec.Telemetry != nil {
			p.Smoke.Changes = append(p.Smoke.Changes, "telemetry is off")
		}
	}
	for _, address := range in.Spec.Reachable(p.Train.Name) {
		problems = append(problems, p.take(ctx, in, in.Spec.Blocks[address])...)
	}
	return p, once(problems) // datasets may need the same block
}

func chooseTrain(in Inputs) (*spec.Train, diag.Diagnostics) {
	names := slices.Sorted(maps.Keys(in.Spec.Trains))
	switch {
	case in.Train != "" && in.Spec.Trains[in.Train] != nil:
		return in.Spec.Trains[in.Train], nil
	case len(names) == 0:
		return nil, problem("Nothing to train", "The spec has no train block. Add one, as in `train \"first\" { … }`.")
	case in.Train != "":
		return nil, problem("Unknown train block", fmt.Sprintf("The spec has no train %q, but "+
			"%s.", in.Train, strings.Join(names, ", ")))
	case len(names) > 1:
		return nil, problem("Several train blocks", fmt.Sprintf("The spec has %s. Choose one with --train NAME.",
			strings.Join(names, ", ")))
	}
	return in.Spec.Trains[names[0]], nil
}

func problem(summary, detail string) diag.Diagnostics {
	return diag.Diagnostics{{Severity: diag.Error, Summary: summary, Detail: detail}}
}

// take adds a block to the plan, either a plugin block or a dataset.
func (p *Plan) take(ctx context.Context, in Inputs, b *spec.Block) diag.Diagnostics {
	switch b.Kind {
	case "agent":
		if b.Builtin() {
			return nil
		}
		fallthrough
	case "environment", "reward", "adapter":
		entry, err := in.Catalog.Resolve(b.Kind, b.Type)
		if err != nil {
			return diag.Diagnostics{in.Spec.Diagnose(b.Places, nil,
				diag.Diagnostic{Severity: diag.Error, Summary: "No plugin for this block", Detail: err.Error()})}
		}
		description, _ := entry.Description.Component(sdk.ComponentKind(b.Kind), b.Type)
		p.Components = append(p.Components, &Component{Block: b, Entry: entry, Description: description.For(b.Config)})
	case "dataset":
		return p.open(ctx, in, b)
	}
	return nil
}
