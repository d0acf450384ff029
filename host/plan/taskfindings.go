package plan

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/dataset/datacheck"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
)

// planned limits the tasks of a dataset that a plan checks, which takes about a second per 30,000.
var planned = datacheck.Options{Tasks: 30_000, Compared: 200}

// checkTasks finds faults in the tasks of a stage, and returns them as warnings; as errors if the tasks cannot be
// trained.
func (p *Plan) checkTasks(s *spec.Stage) (problems diag.Diagnostics) {
	for _, f := range p.findTasks(s, planned) {
		d := diag.Diagnostic{Severity: diag.Warning, Summary: findings.TitleOf(f.ID),
			Detail: f.Summary + ". " + f.Remedy + "."}
		if f.Refused {
			d.Severity = diag.Error
		}
		problems = append(problems, p.Spec.Diagnose(p.dataBlock(f.Dataset).Places, []string{"path"}, d))
	}
	return problems
}

// findTasks returns the faults in the tasks of a stage, and adds new ones to the plan.
func (p *Plan) findTasks(s *spec.Stage, most datacheck.Options) []datacheck.TaskFinding {
	who := p.groundTruthConsumers(s)
	var all []datacheck.TaskFinding
	for _, address := range []string{s.Dataset, s.Validation} {
		if tasks := p.readTasks(address, most); tasks != nil {
			all = append(all, tasks.Findings(who)...)
		}
	}
	validation := p.readTasks(s.Validation, most)
	for _, earlier := range p.Train.Stages[:slices.Index(p.Train.Stages, s)+1] {
		if earlier.Dataset == s.Validation {
			continue // the spec chose it
		}
		if training := p.readTasks(earlier.Dataset, most); training != nil && validation != nil {
			all = append(all, validation.Overlap(training)...)
		}
	}
	for _, f := range all {
		f.Stage = p.Train.Stages[0].Name
		if !slices.ContainsFunc(p.Findings, func(other datacheck.TaskFinding) bool { return other.Key() == f.Key() }) {
			p.Findings = append(p.Findings, f)
		}
	}
	return all
}

// readTasks reads the tasks of a dataset once. It returns nil if the dataset cannot be read: if the data changed after
// they were opened, their next reader reports it.
func (p *Plan) readTasks(address string, most datacheck.Options) *datacheck.Tasks {
	d := p.Data[address]
	if d == nil {
		return nil
	}
	if p.tasks[address] == nil {
		most.Dir = p.Spec.Dir
		tasks, err := datacheck.Read(address, d, most)
		if err != nil {
			return nil
		}
		if p.tasks == nil {
			p.tasks = map[string]*datacheck.Tasks{}
		}
		p.tasks[address] = tasks
	}
	return p.tasks[address]
}

// dataBlock returns a dataset's block, even if a smoke run uses only its first tasks.
func (p *Plan) dataBlock(address string) *spec.Block {
	address, _, _ = strings.Cut(address, "[")
	return p.Spec.Blocks[address]
}

func (p *Plan) groundTruthConsumers(s *spec.Stage) datacheck.Consumers {
	var out datacheck.Consumers
	for _, address := range s.Rewards() {
		component := p.Component(address)
		c := component.Description.Reward
		var config struct {
			Form answertext.Form `json:"answer_form"` // the attribute of answertext.FormAttribute
		}
		if json.Unmarshal(component.Block.Config, &config) == nil && config.Form != "" {
			out.Forms = append(out.Forms, datacheck.Form{Address: address, Form: config.Form})
		}
		if slices.Contains(c.Needs, sdk.NeedGroundTruth) && !c.TruthOptional {
			out.Rewards = append(out.Rewards, datacheck.Reward{Address: address, Types: c.TruthTypes})
		}
	}
	actor, err := p.actor(s)
	if err != nil || actor.Body.Environment == "" {
		return out
	}
	if slices.Contains(p.Component(actor.Body.Environment).Description.Environment.Needs, sdk.NeedGroundTruth) {
		out.Environment = actor.Body.Environment
	}
	return out
}

// CheckedData is a dataset of a train block whose tasks were checked.
type CheckedData struct {
	Address  string
	Tasks    int
	Findings []datacheck.TaskFinding
}

// CheckData checks all tasks of the train block's datasets, or of the one with an address. It starts no plugin, except
// environments that list tasks.
func CheckData(ctx context.Context, in Inputs, address string) ([]CheckedData, diag.Diagnostics) {
	p, problems := open(ctx, in)
	defer p.Close()
	if problems.HasErrors() {
		return nil, problems
	}
	for _, s := range p.Train.Stages {
		p.findTasks(s, datacheck.Options{})
	}
	var out []CheckedData
	names := p.episodeData()
	for _, name := range names {
		tasks := p.readTasks(name, datacheck.Options{})
		if tasks == nil {
			return nil, problem("Unreadable dataset", name+" changed while it was read. Check it again.")
		}
		if address == "" || address == name {
			out = append(out, CheckedData{Address: name, Tasks: tasks.Rows})
		}
	}
	if len(out) == 0 {
		return nil, problem("Unknown dataset", fmt.Sprintf("train %q does not use %q. It uses %s.", p.Train.Name, address,
			strings.Join(names, " and ")))
	}
	for i := range out {
		for _, f := range p.Findings {
			if f.Dataset == out[i].Address {
				out[i].Findings = append(out[i].Findings, f)
			}
		}
		slices.SortStableFunc(out[i].Findings, func(a, b datacheck.TaskFinding) int {
			return strings.Compare(string(a.Severity), string(b.Severity)) // "error" precedes "warning"
		})
	}
	return out, problems
}

// HasError reports whether a finding about the dataset is an error.
func (d CheckedData) HasError() bool {
	return slices.ContainsFunc(d.Findings, func(f datacheck.TaskFinding) bool { return f.Severity == event.FindingError })
}
