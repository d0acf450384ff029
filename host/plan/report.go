package plan

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/dataset/datacheck"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// Report describes the actions that apply takes; docs/reference/cli.md documents it.
type Report struct {
	Type      string            `json:"type"` // "plan"
	Spec      string            `json:"spec"`
	Train     string            `json:"train"`
	Mode      event.Mode        `json:"mode"`
	Why       string            `json:"why"`
	Run       string            `json:"run,omitempty"` // the run to resume, or the finished run
	Identity  string            `json:"identity" jsonschema:"pattern=^sha256:[0-9a-f]{64}$"`
	Summary   event.PlanSummary `json:"summary"`
	Plugins   []event.PluginRef `json:"plugins" jsonschema:"nullable"`
	Effective []EffectiveKey    `json:"effective" jsonschema:"nullable"`
	Knobs     []Knob            `json:"knobs" jsonschema:"nullable"`
	// The failure actions in effect, in order, by stage and failure class.
	Failures map[string]map[string]Choice `json:"on_failure"`
	Members  map[string][]Player          `json:"members,omitempty"` // the agents of a swarm, by stage
	Commands [][]string                   `json:"commands,omitempty"`
	Files    []WrittenFile                `json:"files,omitempty"`
	// Tracking lists the destinations for the run's metrics, in addition to metrics.jsonl in the run directory.
	Tracking []Tracked `json:"tracking,omitempty"`
	// The run's telemetry for monitoring programs.
	Telemetry []Shown `json:"telemetry,omitempty"`
	// Plugins whose sources have changed since they were built; apply rebuilds them.
	Stale []string `json:"stale,omitempty"`
	// Faults in the tasks. `apply` records them with the run.
	Findings []datacheck.TaskFinding `json:"findings,omitempty"`
}

// EffectiveKey is a value in the trainer's configuration together with its origin.
type EffectiveKey struct {
	Key    string          `json:"key"`
	Value  json.RawMessage `json:"value"`
	Origin string          `json:"origin"`
}

// Knob is a setting in the spec together with the trainer's name for it.
type Knob struct {
	Knob string `json:"knob"`
	Key  string `json:"key"`
}

// WrittenFile is a file written for the trainer.
type WrittenFile struct {
	Path    string `json:"path"`
	Content string `json:"content"` // without sensitive values
}

// Tracked is a destination for the run's metrics.
type Tracked struct {
	Tracker string `json:"tracker"`           // tensorboard, wandb, swanlab, mlflow
	Where   string `json:"where"`             // within the run directory, or "online"
	Project string `json:"project,omitempty"` // the tracker's project
	Python  string `json:"python,omitempty"`  // the Python interpreter that writes to it; empty: the host itself
}

// tracked returns the plan's metric destinations.
func (p *Plan) tracked() []Tracked {
	t := p.Train.Tracking
	var out []Tracked
	if t.TensorBoard {
		out = append(out, Tracked{Tracker: "tensorboard", Where: "tensorboard"})
	}
	for _, name := range t.Trackers {
		where := "online"
		if t.Offline {
			where = "trackers/" + name
		}
		project := cmp.Or(t.Project, p.Train.Name)
		out = append(out, Tracked{Tracker: name, Where: where, Project: project, Python: t.Python})
	}
	return out
}

// String implements fmt.Stringer.
func (t Tracked) String() string {
	out := t.Tracker + ": "
	if t.Where == "online" {
		out += "as your Python is set up"
	} else {
		out += t.Where + " in the run directory"
	}
	if t.Python != "" {
		out += fmt.Sprintf(", project %s, by %s", t.Project, t.Python)
	}
	return out
}

// Choice lists the actions taken after failures of a class, in order.
type Choice struct {
	Actions []sdk.FailureAction `json:"actions"`
	Budget  int                 `json:"budget" jsonschema:"minimum=0"`
}

// Report returns a description of the plan.
func (p *Plan) Report() Report {
	r := Report{
		Type: "plan", Spec: p.Spec.Path, Train: p.Train.Name, Mode: p.Mode, Why: p.Why, Identity: p.Identity,
		Summary: p.Summary(), Findings: p.Findings,
		Plugins: p.Plugins(), Stale: p.Stale, Tracking: p.tracked(), Telemetry: p.shown(),
		Failures: map[string]map[string]Choice{},
	}
	if p.Existing != nil {
		r.Run = p.Existing.Ref()
	}
	for _, s := range p.Stages {
		r.addMembers(p, s)
		r.Failures[s.Name] = map[string]Choice{}
		for class, policy := range s.Policy {
			r.Failures[s.Name][strings.ToLower(string(class))] = Choice{policy.Actions, policy.Budget}
		}
	}
	secrets := p.Spec.Redactor()
	for _, address := range p.adapters() {
		r.add(p.Adapters[address], secrets)
	}
	return r
}

// Player is an agent in a stage, the model that responds to it, and whether it is trained.
type Player struct {
	Agent   string `json:"agent"`
	Trained bool   `json:"trained"`
	Model   string `json:"model,omitempty"` // the block of a served model; empty: the policy
}

func (r *Report) addMembers(p *Plan, s Stage) {
	actor, err := p.actor(s.Stage)
	if err != nil || !actor.IsSwarm() && !actor.Served() && len(actor.Body.Served) == 0 {
		return
	}
	if r.Members == nil {
		r.Members = map[string][]Player{}
	}
	for _, a := range actor.Agents() {
		r.Members[s.Name] = append(r.Members[s.Name], Player{a.Block.Address, s.Trains(a), a.Body.Model})
		for _, model := range a.Body.Served {
			r.Members[s.Name] = append(r.Members[s.Name], Player{Agent: a.Block.Address, Model: model})
		}
	}
}

func memberList(members []Player) string {
	words := make([]string, len(members))
	for i, m := range members {
		words[i] = m.Agent
		switch {
		case m.Model != "":
			words[i] += " (" + m.Model + ", never trained)"
		case !m.Trained:
			words[i] += " (not trained)"
		}
	}
	return strings.Join(words, ", ")
}

// adapters returns the adapter blocks in the order in which the stages use them.
func (p *Plan) adapters() []string {
	var out []string
	for _, s := range p.Stages {
		if !slices.Contains(out, s.Adapter) {
			out = append(out, s.Adapter)
		}
	}
	return out
}

// add adds an adapter's plan, omitting any secrets that it may contain.
func (r *Report) add(answer *sdk.PlanResponse, secrets spec.Redactor) {
	for _, e := range answer.Effective {
		r.Effective = append(r.Effective, EffectiveKey{e.Key, clean(e.ValueJSON, secrets), e.Origin})
	}
	for _, k := range answer.Knobs {
		r.Knobs = append(r.Knobs, Knob{k.Knob, k.Key})
	}
	for _, c := range answer.Commands {
		var argv []string
		if len(c.Env) > 0 { // as on a command line
			argv = append(argv, "env")
		}
		for _, name := range slices.Sorted(maps.Keys(c.Env)) {
			argv = append(argv, name+"="+secrets.Text(c.Env[name]))
		}
		for _, arg := range c.Argv {
			argv = append(argv, secrets.Text(arg))
		}
		r.Commands = append(r.Commands, argv)
	}
	for _, f := range answer.Files {
		r.Files = append(r.Files, WrittenFile{secrets.Text(f.Path), secrets.Text(string(f.Content))})
	}
}

// clean removes secrets from a JSON value, which remains valid JSON.
func clean(value json.RawMessage, secrets spec.Redactor) json.RawMessage {
	text := secrets.Text(string(value))
	if !json.Valid([]byte(text)) {
		return json.RawMessage(`"(sensitive)"`)
	}
	return json.RawMessage(text)
}
