package plan

import (
	"bytes"
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

// leakRows is the number of rows, evenly spread over a dataset, whose public fields are compared with the ground truth.
const leakRows = 200

// checkLeaks compares the public fields of a stage's tasks, which agents receive, with the ground truth.
func (p *Plan) checkLeaks(s *spec.Stage) diag.Diagnostics {
	var problems diag.Diagnostics
	for _, address := range []string{s.Dataset, s.Validation} {
		if d := p.Data[address]; d != nil {
			for _, problem := range leaksOf(d).problems() {
				problems = append(problems, p.Spec.Diagnose(p.dataBlock(address).Places, []string{"path"}, problem))
			}
		}
	}
	return problems
}

// leaks counts the rows of each public field by how the field's values relate to the ground truth.
type leaks map[string]*leak

type leak struct {
	rows, repeats, mentions int
	place                   string // of the first row that counts
}

func leaksOf(d *dataset.Dataset) leaks {
	out := leaks{}
	rows := min(d.Len(), leakRows)
	for n := range rows {
		i := int(int64(n) * int64(d.Len()) / int64(rows))
		task, err := d.Task(i)
		if err != nil {
			return nil // the data changed after they were opened: the next reader reports it
		}
		if truths := truthsOf(task.Private); len(truths) > 0 {
			out.add(task.Public, truths, placeOf(d, i))
		}
	}
	return out
}

// truthsOf returns the answers that a ground truth accepts. An object of several fields describes the task as well,
// such as the numbers of a countdown, so its values are not compared.
func truthsOf(private []byte) []string {
	texts := textsOf(private)
	maps.DeleteFunc(texts, func(field string, _ []string) bool {
		first, _, _ := strings.Cut(field, ".")
		return first != fieldTruth
	})
	var truths []string
	for _, answers := range texts {
		for _, text := range answers {
			truths = append(truths, plainAnswer(text), finalPart(text))
		}
	}
	if len(texts) > 1 {
		return nil
	}
	return slices.DeleteFunc(truths, func(truth string) bool { return truth == "" })
}

// textsOf returns the texts and numbers of a task's part by field. All elements of a list belong to the list's field.
// Of the question only a final assistant message is returned: questions mention answers, as choices for example.
func textsOf(part []byte) map[string][]string {
	var object map[string]any
	decoder := json.NewDecoder(bytes.NewReader(part))
	decoder.UseNumber()
	_ = decoder.Decode(&object) // an object or nothing, as the dataset made it
	messages, _ := object["messages"].([]any)
	delete(object, "messages")
	delete(object, "prompt")
	if len(messages) > 0 {
		if last, _ := messages[len(messages)-1].(map[string]any); last["role"] == string(sdk.RoleAssistant) {
			object["messages"] = last["content"]
		}
	}
	out := map[string][]string{}
	collect(out, "", object)
	return out
}

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

// add compares a row. A field repeats the ground truth only if all its values do: one of several choices always does.
func (l leaks) add(public []byte, truths []string, place string) {
	differs := func(text string) bool {
		return !slices.Contains(truths, plainAnswer(text)) && !slices.Contains(truths, finalPart(text))
	}
	mentions := func(text string) bool {
		return slices.ContainsFunc(truths, func(truth string) bool {
			return len(truth) > 1 && strings.Contains(words(text), words(truth))
		})
	}
	for field, texts := range textsOf(public) {
		if l[field] == nil {
			l[field] = &leak{place: place}
		}
		l[field].rows++
		if !slices.ContainsFunc(texts, differs) {
			l[field].repeats++
		} else if slices.ContainsFunc(texts, mentions) {
			l[field].mentions++
		}
	}
}

// problems reports fields that match in more than three of four rows. Fewer can match by chance, and formats of equal
// answers may differ ("1/2", "0.5").
func (l leaks) problems() diag.Diagnostics {
	var out diag.Diagnostics
	for _, field := range slices.Sorted(maps.Keys(l)) {
		found := l[field]
		severity, verb, matches := diag.Error, "repeats", found.repeats
		if 4*matches <= 3*found.rows || field == "messages" {
			severity, verb, matches = diag.Warning, "mentions", found.repeats+found.mentions
		}
		if 4*matches <= 3*found.rows {
			continue
		}
		remedy := fmt.Sprintf("Write private = [%q] in the dataset block, so that only rewards and environments "+
			"get it, or drop = [%[1]q].", field)
		if field == "messages" {
			remedy = `End the messages before the solution, for example with map = { prompt = "messages.0.content" }.`
		}
		detail := fmt.Sprintf("%s %s the ground truth in %d of %d compared tasks (from %s on), and agents receive it. %s",
			field, verb, matches, found.rows, found.place, remedy)
		out = append(out, diag.Diagnostic{Severity: severity, Summary: "Ground truth in a public field", Detail: detail})
	}
	return out
}

var (
	thousands = regexp.MustCompile(`,(\d{3})`)
	finalBox  = regexp.MustCompile(`\}[\s$.)\]\\]*$`)
)

// plainAnswer returns a text without case, outer spaces, math delimiters, thousands separators and a final period, and
// a number in its shortest form.
func plainAnswer(text string) string {
	text = strings.Trim(strings.TrimSuffix(strings.ToLower(strings.TrimSpace(text)), "."), "$ ")
	text = thousands.ReplaceAllString(text, "$1")
	if number, err := strconv.ParseFloat(text, 64); err == nil {
		return strconv.FormatFloat(number, 'g', -1, 64)
	}
	return text
}

// finalPart returns the answer at the end of a worked solution, after #### or in a box; empty if the text has neither.
func finalPart(text string) string {
	if at := strings.LastIndex(text, "####"); at >= 0 {
		return plainAnswer(text[at+len("####"):])
	}
	if box, found := answertext.LastBox(text); found && finalBox.MatchString(text) {
		return plainAnswer(box)
	}
	return ""
}

// words returns the words of a text, each between spaces.
func words(text string) string {
	isOther := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(text), isOther), " ") + " "
}
