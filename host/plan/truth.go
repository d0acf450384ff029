package plan

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// firstRows is how many rows of a dataset are held against what the plugins need of them.
const firstRows = 100

// fieldTruth is the field of a task's private part that holds the answer.
const fieldTruth = "ground_truth"

// checkTruth looks whether the tasks of a stage have the answers that its rewards and its environment cannot work without.
func (p *Plan) checkTruth(s *spec.Stage) diag.Diagnostics {
	needy := p.needTruth(s)
	if len(needy) == 0 {
		return nil
	}
	var problems diag.Diagnostics
	for _, address := range []string{s.Dataset, s.Validation} {
		if d := p.Data[address]; d != nil {
			problems = append(problems, p.lookForTruth(p.dataBlock(address), d, needy)...)
		}
	}
	return problems
}

// dataBlock is the block of a dataset, also where a smoke run takes its first tasks only.
func (p *Plan) dataBlock(address string) *spec.Block {
	address, _, _ = strings.Cut(address, "[")
	return p.Spec.Blocks[address]
}

// needTruth are the blocks of a stage that cannot work without ground truth.
func (p *Plan) needTruth(s *spec.Stage) []string {
	var out []string
	for _, address := range s.Rewards() {
		c := p.Component(address).Description.Reward
		if slices.Contains(c.Needs, sdk.NeedGroundTruth) && !c.TruthOptional {
			out = append(out, address)
		}
	}
	body, err := readAgent(p.Spec.Blocks[s.Agent])
	if err != nil || body.Environment == "" {
		return out
	}
	if slices.Contains(p.Component(body.Environment).Description.Environment.Needs, sdk.NeedGroundTruth) {
		out = append(out, body.Environment)
	}
	return out
}

// untrue is a task without an answer.
type untrue struct {
	place           string
	public, private []string // the names in its parts
}

func (p *Plan) lookForTruth(b *spec.Block, d *dataset.Dataset, needy []string) diag.Diagnostics {
	var found []untrue
	rows := min(d.Len(), firstRows)
	for i := range rows {
		task, err := d.Task(i)
		if err != nil {
			return nil // the data have changed since they were opened: whoever reads them next says so
		}
		var public, private map[string]json.RawMessage
		_ = json.Unmarshal(task.Public, &public) // an object, as the dataset made it
		_ = json.Unmarshal(task.Private, &private)
		if truth := private[fieldTruth]; len(truth) > 0 && string(truth) != "null" {
			continue
		}
		found = append(found, untrue{
			place:  placeOf(d, i),
			public: slices.Sorted(maps.Keys(public)), private: slices.Sorted(maps.Keys(private)),
		})
	}
	if len(found) == 0 {
		return nil
	}
	first := found[0]
	out := diag.Diagnostic{Severity: diag.Error, Summary: "Data without ground truth"}
	what := fmt.Sprintf("none of the first %d tasks has one", rows)
	if len(found) < rows {
		what = fmt.Sprintf("%d of the first %d tasks have none", len(found), rows)
	}
	if len(found) < rows || len(first.private) > 0 { // a plugin may find in another private field what it needs
		out.Severity = diag.Warning
	}
	out.Detail = fmt.Sprintf("%s cannot work without a ground truth, and %s. %s has %s. %s",
		strings.Join(needy, " and "), what, first.place, first.parts(), first.remedy())
	return diag.Diagnostics{p.Spec.Diagnose(b.Places, []string{"path"}, out)}
}

func placeOf(d *dataset.Dataset, i int) string {
	if place := d.Place(i); place != "" {
		return place
	}
	return "Task " + d.ID(i)
}

func (u untrue) parts() string {
	public := "nothing in public"
	if len(u.public) > 0 {
		public = strings.Join(u.public, ", ") + " in public"
	}
	if len(u.private) == 0 {
		return public + " and nothing in private"
	}
	return public + " and " + strings.Join(u.private, ", ") + " in private"
}

// answers are names that columns with an answer often have.
var answers = []string{"solution", "target", "label", "expected", "expected_answer", "reference", "gold", "final_answer", "reward_model", "output", "response"}

// remedy says how an answer becomes one.
func (u untrue) remedy() string {
	name := "COLUMN"
	if len(u.private) > 0 {
		name = u.private[0]
	}
	for _, known := range answers {
		if slices.Contains(u.public, known) || slices.Contains(u.private, known) {
			name = known
			break
		}
	}
	if name == "reward_model" { // as verl writes it
		name += "." + fieldTruth
	}
	return fmt.Sprintf("If a column holds the answer, write map = { %s = %q } in the dataset block, which also hides it from the agent; else use a reward that needs none.", fieldTruth, name)
}
