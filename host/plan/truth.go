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

// firstRows is how many rows of a dataset are held against what the plugins need of them. Where none of them has it, mostRows are, evenly
// spread over the whole dataset.
const (
	firstRows = 100
	mostRows  = 4000
)

// fieldTruth is the field of a task's private part that holds the answer.
const fieldTruth = "ground_truth"

// checkTruth looks whether the tasks of a stage have the answers that its rewards cannot work without,
// and that its environment asks for.
func (p *Plan) checkTruth(s *spec.Stage) diag.Diagnostics {
	who := p.needTruth(s)
	if len(who.rewards) == 0 && who.environment == "" {
		return nil
	}
	var problems diag.Diagnostics
	for _, address := range []string{s.Dataset, s.Validation} {
		if d := p.Data[address]; d != nil {
			problems = append(problems, p.lookForTruth(p.dataBlock(address), d, who)...)
		}
	}
	return problems
}

// dataBlock is the block of a dataset, also where a smoke run takes its first tasks only.
func (p *Plan) dataBlock(address string) *spec.Block {
	address, _, _ = strings.Cut(address, "[")
	return p.Spec.Blocks[address]
}

// needy are the blocks of a stage that ask for the ground truth of a task.
type needy struct {
	rewards     []string // they cannot work without
	environment string   // it may have the answers itself
}

func (p *Plan) needTruth(s *spec.Stage) needy {
	var out needy
	for _, address := range s.Rewards() {
		c := p.Component(address).Description.Reward
		if slices.Contains(c.Needs, sdk.NeedGroundTruth) && !c.TruthOptional {
			out.rewards = append(out.rewards, address)
		}
	}
	actor, err := p.actor(s)
	if err != nil || actor.Body.Environment == "" {
		return out
	}
	if slices.Contains(p.Component(actor.Body.Environment).Description.Environment.Needs, sdk.NeedGroundTruth) {
		out.environment = actor.Body.Environment
	}
	return out
}

// text says who needs what, and what was found instead.
func (n needy) text(found string, first untrue) string {
	if len(n.rewards) == 0 {
		return fmt.Sprintf("%s takes a ground truth, and %s. %s has %s: it cannot work, unless it finds the answers by the tasks' ids. %s",
			n.environment, found, first.place, first.parts(), first.remedy("an environment"))
	}
	return fmt.Sprintf("%s cannot work without a ground truth, and %s. %s has %s. %s",
		strings.Join(n.rewards, " and "), found, first.place, first.parts(), first.remedy("a reward"))
}

// untrue is a task without an answer.
type untrue struct {
	place           string
	public, private []string // the names in its parts
}

// survey is what was found in the rows of a dataset that were looked at.
type survey struct {
	rows, without int
	first         untrue // of those without
	hidden        bool   // one of them has a private part, in which a plugin may find what it needs
}

func (p *Plan) lookForTruth(b *spec.Block, d *dataset.Dataset, who needy) diag.Diagnostics {
	rows := min(d.Len(), firstRows)
	first, err := surveyOf(d, rows, func(i int) int { return i })
	if err != nil || first.without == 0 {
		return nil // data that have changed since they were opened: whoever reads them next says so
	}
	out := diag.Diagnostic{Severity: diag.Warning, Summary: "Data without ground truth"}
	what := fmt.Sprintf("%d of the first %d tasks have none", first.without, rows)
	if first.without == rows {
		most := min(d.Len(), mostRows)
		all, err := surveyOf(d, most, func(i int) int { return int(int64(i) * int64(d.Len()) / int64(most)) })
		if err != nil {
			return nil
		}
		what = all.text(d.Len())
		if all.without == all.rows && !all.hidden && len(who.rewards) > 0 {
			out.Severity = diag.Error
		}
	}
	out.Detail = who.text(what, first.first)
	return diag.Diagnostics{p.Spec.Diagnose(b.Places, []string{"path"}, out)}
}

func surveyOf(d *dataset.Dataset, rows int, index func(int) int) (survey, error) {
	out := survey{rows: rows}
	for i := range rows {
		task, err := d.Task(index(i))
		if err != nil {
			return out, err
		}
		var public, private map[string]json.RawMessage
		_ = json.Unmarshal(task.Public, &public) // an object, as the dataset made it
		_ = json.Unmarshal(task.Private, &private)
		if truth := private[fieldTruth]; len(truth) > 0 && string(truth) != "null" {
			continue
		}
		names := slices.Sorted(maps.Keys(private))
		out.hidden = out.hidden || slices.ContainsFunc(names, func(name string) bool { return name != "extra_info" && name != rewardModel })
		if out.without++; out.without == 1 {
			out.first = untrue{place: placeOf(d, index(i)), public: slices.Sorted(maps.Keys(public)), private: names}
		}
	}
	return out, nil
}

// text says how many of a dataset's tasks have an answer.
func (s survey) text(tasks int) string {
	of := fmt.Sprintf("its %d tasks", tasks)
	if s.rows < tasks {
		of = fmt.Sprintf("%d tasks from all of its %d", s.rows, tasks)
	}
	if s.without == s.rows {
		return fmt.Sprintf("none of %s has one", of)
	}
	return fmt.Sprintf("%d of %s have none", s.without, of)
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

// rewardModel is the column of verl's layout that holds the answer.
const rewardModel = "reward_model"

// answers are names that columns with an answer often have.
var answers = []string{"solution", "target", "label", "expected", "expected_answer", "reference", "gold", "final_answer", rewardModel, "output", "response"}

// remedy says how an answer becomes one.
func (u untrue) remedy(user string) string {
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
	if name == rewardModel {
		name += "." + fieldTruth
	}
	return fmt.Sprintf("If a column holds the answer, write map = { %s = %q } in the dataset block, which also hides it from the agent; else use %s that needs none.", fieldTruth, name, user)
}
