package plan

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/answertext"
)

// mostRows is the number of rows, evenly spread over a dataset, that are checked for ground truths. In mostCompared of
// them, the public fields are compared with the ground truth.
const (
	mostRows     = 4000
	mostCompared = 200
)

// fieldTruth is the field of a task's private part that holds the answer. extraInfo and rewardModel are the columns in
// verl's layout that hold it under other names.
const (
	fieldTruth  = "ground_truth"
	extraInfo   = "extra_info"
	rewardModel = "reward_model"
)

// checkTruth finds tasks without the ground truth that a stage's rewards or environment need, and public fields that
// repeat the ground truth and are passed to agents.
func (p *Plan) checkTruth(s *spec.Stage) diag.Diagnostics {
	who := p.groundTruthConsumers(s)
	var problems diag.Diagnostics
	for _, address := range []string{s.Dataset, s.Validation} {
		d := p.Data[address]
		if d == nil {
			continue
		}
		found, err := scanGroundTruth(d)
		if err != nil {
			continue // the data changed after they were opened: the next reader reports it
		}
		all := append(found.missing(d.Len(), who), found.leaks()...)
		for _, reward := range who.rewards {
			all = append(all, found.wrongTypes(reward, p.Component(reward).Description.Reward.TruthTypes)...)
		}
		for _, problem := range all {
			problems = append(problems, p.Spec.Diagnose(p.dataBlock(address).Places, []string{"path"}, problem))
		}
	}
	return problems
}

// dataBlock returns a dataset's block, even if a smoke run uses only its first tasks.
func (p *Plan) dataBlock(address string) *spec.Block {
	address, _, _ = strings.Cut(address, "[")
	return p.Spec.Blocks[address]
}

// groundTruthConsumers holds the blocks in a stage that need a task's ground truth.
type groundTruthConsumers struct {
	rewards     []string // they cannot work without it
	environment string   // it may have its own answers
}

func (p *Plan) groundTruthConsumers(s *spec.Stage) groundTruthConsumers {
	var out groundTruthConsumers
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

// groundTruthScan holds findings about the rows in a dataset.
type groundTruthScan struct {
	rows, without   int
	place           string            // of the first row without a ground truth
	public, private []string          // the names in its parts
	hidden          bool              // a row without one has a private part, in which a plugin may find the answer
	types           map[string]string // the places of the first ground truths by type
	fields          map[string]*field
}

// field counts the rows in which a public field has a value, repeats the ground truth, or mentions it.
type field struct{ rows, repeats, mentions int }

func scanGroundTruth(d *dataset.Dataset) (groundTruthScan, error) {
	out := groundTruthScan{rows: min(d.Len(), mostRows), fields: map[string]*field{}, types: map[string]string{}}
	for n := range out.rows {
		i := int(int64(n) * int64(d.Len()) / int64(out.rows))
		task, err := d.Task(i)
		if err != nil {
			return out, err
		}
		public, private := objectOf(task.Public), objectOf(task.Private)
		if truth := private[fieldTruth]; truth == nil {
			out.miss(d, i, slices.Sorted(maps.Keys(public)), slices.Sorted(maps.Keys(private)))
		} else {
			out.addTypes(truth, cmp.Or(d.Place(i), "Task "+d.ID(i)))
			if n%(out.rows/mostCompared+1) == 0 {
				out.compare(public, truth)
			}
		}
	}
	return out, nil
}

// addTypes adds the type of a ground truth and, as "list of …", the types of a list's elements.
func (s *groundTruthScan) addTypes(truth any, place string) {
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
func (s *groundTruthScan) wrongTypes(reward string, accepted []string) (out diag.Diagnostics) {
	if len(accepted) == 0 {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(s.types)) {
		inside, isList := strings.CutPrefix(name, listOf)
		if slices.Contains(accepted, inside) || (isList || name == "empty list") && slices.Contains(accepted, "list") {
			continue
		}
		out = append(out, diag.Diagnostic{Severity: diag.Error, Summary: "Wrong type of ground truth", Detail: fmt.Sprintf(
			"%s accepts a %s as ground truth, or a list of accepted answers, and %s has another type: %s. Map the field that "+
				"holds the answer, for example map = { %s = \"%[5]s.FIELD\" }, or use another reward.",
			reward, strings.Join(accepted, " or "), s.types[name], name, fieldTruth)})
	}
	return out
}

func objectOf(part []byte) (object map[string]any) {
	decoder := json.NewDecoder(bytes.NewReader(part))
	decoder.UseNumber()
	_ = decoder.Decode(&object) // an object or nothing, as created by the dataset
	return object
}

func (s *groundTruthScan) miss(d *dataset.Dataset, i int, public, private []string) {
	if s.without++; s.without == 1 {
		s.public, s.private = public, private
		if s.place = d.Place(i); s.place == "" {
			s.place = "Task " + d.ID(i)
		}
	}
	unmapped := func(name string) bool { return name != extraInfo && name != rewardModel }
	s.hidden = s.hidden || slices.ContainsFunc(private, unmapped)
}

// missing reports tasks without a ground truth.
func (s *groundTruthScan) missing(tasks int, who groundTruthConsumers) diag.Diagnostics {
	if s.without == 0 || len(who.rewards) == 0 && who.environment == "" {
		return nil
	}
	found := fmt.Sprintf("its %d tasks", tasks)
	if s.rows < tasks {
		found = fmt.Sprintf("%d sampled tasks of its %d", s.rows, tasks)
	}
	if s.without == s.rows {
		found = fmt.Sprintf("none of %s has one", found)
	} else {
		found = fmt.Sprintf("%d of %s have none", s.without, found)
	}
	out := diag.Diagnostic{Severity: diag.Warning, Summary: "Data without ground truth"}
	out.Detail = fmt.Sprintf("%s takes a ground truth, and %s. %s: it cannot work, unless it finds the answers by the "+
		"ids of the tasks. %s", who.environment, found, s.parts(), s.remedy("an environment"))
	if len(who.rewards) > 0 {
		out.Detail = fmt.Sprintf("%s cannot work without a ground truth, and %s. %s. %s",
			strings.Join(who.rewards, " and "), found, s.parts(), s.remedy("a reward"))
		if s.without == s.rows && !s.hidden {
			out.Severity = diag.Error
		}
	}
	return diag.Diagnostics{out}
}

func (s *groundTruthScan) parts() string {
	public, private := strings.Join(s.public, ", "), strings.Join(s.private, ", ")
	public, private = cmp.Or(public, "nothing"), cmp.Or(private, "nothing")
	return fmt.Sprintf("%s has %s in public and %s in private", s.place, public, private)
}

// answers lists common names of columns that hold an answer.
var answers = []string{
	"solution", "target", "label", "expected", "expected_answer", "reference", "gold", "final_answer", rewardModel,
	"output", "response",
}

// remedy returns how to map a column that may hold the answer.
func (s *groundTruthScan) remedy(user string) string {
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
		"from the agent; else use %s that needs none.", fieldTruth, name, user)
}

// compare compares a task's public fields with its ground truth. A field repeats it only if all of the field's values
// do, because one of several choices always does. In the question, only a final assistant message is compared.
func (s *groundTruthScan) compare(public map[string]any, truth any) {
	var truths []string
	accepted := map[string][]string{}
	if collect(accepted, "", truth); len(accepted) == 1 { // the fields of an object describe the task, as in a countdown
		for _, text := range slices.Concat(slices.Collect(maps.Values(accepted))...) {
			truths = append(truths, forms(text)...)
		}
	}
	if len(truths) == 0 {
		return
	}
	texts := map[string][]string{}
	messages, _ := public["messages"].([]any)
	delete(public, "messages")
	delete(public, "prompt")
	collect(texts, "", public)
	if len(messages) > 0 {
		if last, _ := messages[len(messages)-1].(map[string]any); last["role"] == string(sdk.RoleAssistant) {
			collect(texts, "messages", last["content"])
		}
	}
	isTruth := func(form string) bool { return slices.Contains(truths, form) }
	for name, values := range texts {
		if s.fields[name] == nil {
			s.fields[name] = &field{}
		}
		found := s.fields[name]
		found.rows++
		if !slices.ContainsFunc(values, func(text string) bool { return !slices.ContainsFunc(forms(text), isTruth) }) {
			found.repeats++
		} else if all := words(strings.Join(values, "\n")); slices.ContainsFunc(truths, func(truth string) bool {
			return len(truth) > 1 && strings.Contains(all, words(truth))
		}) {
			found.mentions++
		}
	}
}

// collect gathers the strings and numbers in a value by field. All elements of a list belong to the list's field.
func collect(into map[string][]string, field string, value any) {
	switch v := value.(type) {
	case string:
		into[field] = append(into[field], v)
	case json.Number:
		into[field] = append(into[field], v.String())
	case []any:
		for _, element := range v {
			collect(into, field, element)
		}
	case map[string]any:
		for name, inner := range v {
			collect(into, strings.TrimPrefix(field+"."+name, "."), inner)
		}
	}
}

// leaks reports fields that match in more than three out of four rows. Fewer matches can occur by chance, and equal
// answers may differ in format ("1/2", "0.5").
func (s *groundTruthScan) leaks() diag.Diagnostics {
	var out diag.Diagnostics
	for _, name := range slices.Sorted(maps.Keys(s.fields)) {
		found := s.fields[name]
		severity, verb, matches := diag.Error, "repeats", found.repeats
		remedy := fmt.Sprintf("Write private = [%q] in the dataset block, so that only rewards and environments "+
			"get it, or drop = [%[1]q].", name)
		if 4*matches <= 3*found.rows || name == "messages" {
			severity, verb, matches = diag.Warning, "mentions", found.repeats+found.mentions
		}
		if name == "messages" {
			remedy = `End the messages before the solution, for example with map = { prompt = "messages.0.content" }.`
		}
		if 4*matches > 3*found.rows {
			detail := fmt.Sprintf("%s %s the ground truth in %d of %d compared tasks, and agents receive it. %s",
				name, verb, matches, found.rows, remedy)
			out = append(out, diag.Diagnostic{Severity: severity, Summary: "Ground truth in a public field", Detail: detail})
		}
	}
	return out
}

var (
	thousands = regexp.MustCompile(`,(\d{3})`)
	finalBox  = regexp.MustCompile(`\}[\s$.)\]\\]*$`)
)

// forms returns the possible answers in a string: the whole string, and the end of a worked solution after #### or in a
// box. They are normalized: lowercase, and without outer spaces, math delimiters, thousands separators, or a final
// period. Numbers have their shortest form.
func forms(text string) []string {
	out := []string{text}
	if at := strings.LastIndex(text, "####"); at >= 0 {
		out = append(out, text[at+len("####"):])
	} else if box, found := answertext.LastBox(text); found && finalBox.MatchString(text) {
		out = append(out, box)
	}
	for i, form := range out {
		form = strings.Trim(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(form)), "."), "$ ")
		out[i] = thousands.ReplaceAllString(form, "$1")
		if number, err := strconv.ParseFloat(out[i], 64); err == nil {
			out[i] = strconv.FormatFloat(number, 'g', -1, 64)
		}
	}
	return slices.DeleteFunc(out, func(form string) bool { return form == "" })
}

// words returns the words in the text, each surrounded by spaces.
func words(text string) string {
	isOther := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), isOther), " ") + " "
}
