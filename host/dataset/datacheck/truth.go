package datacheck

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/sdk/answertext"
)

// fieldTruth is the field of a task's private part that holds the answer. extraInfo and rewardModel are the columns in
// verl's layout that hold it under other names.
const (
	fieldTruth  = "ground_truth"
	extraInfo   = "extra_info"
	rewardModel = "reward_model"
)

// truths holds facts about ground truths.
type truths struct {
	without         tally             // tasks without one
	public, private []string          // the names in the parts of the first such task
	hidden          bool              // such a task has a private part, in which a plugin may find the answer
	types           map[string]string // the places of the first ground truths by type
}

// addTypes adds the type of a ground truth and, as "list of …", the types of a list's elements.
func (s *truths) addTypes(truth any, place string) {
	name := func(v any) string {
		return strings.TrimPrefix(strings.TrimPrefix(answertext.TypeName(v), "an "), "a ")
	}
	found := []string{name(truth)}
	if list, isList := truth.([]any); isList {
		found = nil
		for _, element := range list {
			found = append(found, listOf+name(element))
		}
		if len(list) == 0 {
			found = []string{"empty list"}
		}
	}
	for _, name := range found {
		if s.types[name] == "" {
			s.types[name] = place
		}
	}
}

const listOf = "list of "

// wrongTypes reports ground truths of types that a reward does not accept.
func (t *Tasks) wrongTypes(who Consumers) (out []TaskFinding) {
	for _, reward := range who.Rewards {
		for _, name := range slices.Sorted(maps.Keys(t.truth.types)) {
			inside, isList := strings.CutPrefix(name, listOf)
			if len(reward.Types) == 0 || slices.Contains(reward.Types, inside) ||
				(isList || name == "empty list") && slices.Contains(reward.Types, "list") {
				continue
			}
			f := TaskFinding{Examples: []string{t.truth.types[name]}, Refused: true}
			f.ID, f.Subject = findings.TruthType, reward.Address+" "+name
			f.Summary = fmt.Sprintf("%s accepts a %s as ground truth, or a list of accepted answers, and %s has another "+
				"type: %s", reward.Address, strings.Join(reward.Types, " or "), t.truth.types[name], name)
			f.Remedy = fmt.Sprintf("Map the field that holds the answer, for example map = { %s = \"%[1]s.FIELD\" }, or use "+
				"another reward", fieldTruth)
			out = append(out, t.finding(f, 1))
		}
	}
	return out
}

func (s *truths) miss(place string, public, private []string) {
	if s.without.count == 0 {
		s.public, s.private = public, private
	}
	s.without.add(func() string { return place })
	unmapped := func(name string) bool { return name != extraInfo && name != rewardModel }
	s.hidden = s.hidden || slices.ContainsFunc(private, unmapped)
}

// missing reports tasks without a ground truth.
func (t *Tasks) missing(who Consumers) []TaskFinding {
	s := &t.truth
	if s.without.count == 0 || len(who.Rewards) == 0 && who.Environment == "" {
		return nil
	}
	count := fmt.Sprintf("none of %s has one", t.all())
	if s.without.count < t.Rows {
		count = fmt.Sprintf("%d of %s have none", s.without.count, t.all())
	}
	f := TaskFinding{Examples: s.without.examples}
	f.ID = findings.NullTruth
	f.Summary = fmt.Sprintf("%s takes a ground truth, and %s. %s: it cannot work, unless it finds the answers by the "+
		"ids of the tasks", who.Environment, count, s.parts())
	f.Remedy = s.remedy("an environment")
	if len(who.Rewards) > 0 {
		names := make([]string, len(who.Rewards))
		for i, reward := range who.Rewards {
			names[i] = reward.Address
		}
		f.Summary = fmt.Sprintf("%s cannot work without a ground truth, and %s. %s", strings.Join(names, " and "), count,
			s.parts())
		f.Remedy = s.remedy("a reward")
		if s.without.count == t.Rows && !s.hidden {
			f.Severity, f.Refused = event.FindingError, true
		}
	}
	return []TaskFinding{t.finding(f, s.without.count)}
}

func (s *truths) parts() string {
	public, private := strings.Join(s.public, ", "), strings.Join(s.private, ", ")
	public, private = cmp.Or(public, "nothing"), cmp.Or(private, "nothing")
	return fmt.Sprintf("%s has %s in public and %s in private", s.without.examples[0], public, private)
}

// answers lists common names of columns that hold an answer.
var answers = []string{
	"solution", "target", "label", "expected", "expected_answer", "reference", "gold", "final_answer", rewardModel,
	"output", "response",
}

// remedy returns how to map a column that may hold the answer.
func (s *truths) remedy(user string) string {
	name, names := "COLUMN", slices.Concat(s.private, s.public)
	if i := slices.IndexFunc(answers, func(known string) bool { return slices.Contains(names, known) }); i >= 0 {
		name = answers[i]
	} else if len(s.private) > 0 {
		name = s.private[0]
	}
	if name == rewardModel {
		name += "." + fieldTruth
	}
	return fmt.Sprintf("If a column holds the answer, write map = { %s = %q } in the dataset block, which also hides it "+
		"from the agent; else use %s that needs none", fieldTruth, name, user)
}
