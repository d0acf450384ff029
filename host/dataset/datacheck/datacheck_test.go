package datacheck_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/dataset/datacheck"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/sdk/answertext"
)

// fault is data with a fault.
type fault struct {
	rows, heldOut []string
	severity      event.FindingSeverity
	want          []string // parts of the summary, the remedy, and the examples
}

// repeat returns n rows of a format with the row's number.
func repeat(n int, format string) (rows []string) {
	for i := range n {
		rows = append(rows, strings.ReplaceAll(format, "%d", fmt.Sprint(i+10)))
	}
	return rows
}

// cities are answers with letters.
var cities = []string{"Paris", "Rome", "Oslo", "Lima", "Bern", "Kyiv", "Riga", "Doha"}

// about returns a row for each city: {city}, {next} for another one, and {n}.
func about(format string) (rows []string) {
	for i, city := range cities {
		rows = append(rows, strings.NewReplacer("{city}", city, "{next}", cities[(i+1)%len(cities)], "{n}",
			fmt.Sprint(i*i)).Replace(format))
	}
	return rows
}

var faults = map[string][]fault{
	findings.ValidationInTraining: {
		{
			rows:     []string{`{"prompt":"What is 1 + 2?","answer":"3"}`, `{"prompt":"b","answer":"4"}`},
			heldOut:  []string{`{"prompt":"c","answer":"5"}`, `{"prompt":" what  is 1 + 2?\n","answer":"3"}`},
			severity: event.FindingError,
			want:     []string{"its 2 tasks include 1 of training (held_out.jsonl:2 as train.jsonl:1)"},
		},
		{
			rows:     []string{`{"messages":[{"role":"system","content":"s"},{"role":"user","content":"q"}]}`},
			heldOut:  []string{`{"prompt":"q"}`},
			severity: event.FindingError, want: []string{"held_out.jsonl:1 as train.jsonl:1"},
		},
		{
			rows:     repeat(9, `{"prompt":"Play.","seed":%d}`),
			heldOut:  []string{`{"prompt":"Play.","seed":12}`, `{"prompt":"Play.","seed":99}`, `{"prompt":"Play.","seed":98}`},
			severity: event.FindingError,
			want:     []string{"its 3 tasks include 1 of training", "held_out.jsonl:1 as train.jsonl:3"},
		},
	},
	findings.TruthInPrompt: {
		{
			rows:     repeat(4, `{"prompt":"What is %d + 0? The correct answer is %d.","answer":"%d"}`),
			severity: event.FindingWarning,
			want:     []string{"prompt mentions the ground truth in 4 of 4 compared tasks, and agents receive it"},
		},
		{
			rows: repeat(4, `{"prompt":"%d + 0 = %d","answer":"%d"}`), severity: event.FindingWarning,
			want: []string{"prompt mentions"},
		},
		{
			rows: repeat(4, `{"prompt":"What?\n\nx = %d\n#### %d","answer":"work\n#### %d"}`), severity: event.FindingWarning,
			want: []string{"prompt mentions"},
		},
		{
			rows:     about(`{"prompt":"Where is person {n}? It begins with: {city}, of course.","answer":"{city}"}`),
			severity: event.FindingWarning, want: []string{"prompt mentions the ground truth in 8 of 8"},
		},
		{
			rows: repeat(4, `{"prompt":"q%d","answer":"%d","gold":{"text":["%d.0"]}}`), severity: event.FindingError,
			want: []string{"gold.text repeats the ground truth in 4 of 4", `private = ["gold.text"]`},
		},
	},
	findings.SolutionInPrompt: {
		{
			rows: repeat(4, `{"messages":[{"role":"user","content":"q%d"},{"role":"assistant","content":"It is %d."}],`+
				`"answer":"%d"}`),
			severity: event.FindingError,
			want: []string{"its 4 tasks include 4 with a message of the assistant at the end (train.jsonl:1,",
				"in 4 of 4 compared", "messages.0.content"},
		},
		{
			rows: repeat(4, `{"messages":[{"role":"user","content":"q%d"},{"role":"assistant","tool_calls":[`+
				`{"id":"1","name":"add","arguments":"{\"a\":%d}"}]}]}`),
			severity: event.FindingError, want: []string{"include 4 with a message"},
		},
		{
			rows: repeat(4, `{"prompt":"<|im_start|>user\nq%d<|im_end|>\n<|im_start|>assistant\nI see: %d!<|im_end|>\n",`+
				`"answer":"-"}`),
			severity: event.FindingError, want: []string{"include 4 with a message"},
		},
	},
	findings.DuplicateTasks: {
		{
			rows:     append(repeat(4, `{"prompt":"q%d","answer":"%d"}`), `{"prompt":"Q11 ","answer":"11"}`),
			want:     []string{"its 5 tasks include 1 with the prompt of an earlier one (train.jsonl:5 as train.jsonl:2)"},
			severity: event.FindingWarning,
		},
		{
			rows:     append(repeat(4, `{"prompt":"q%d","answer":"%d"}`), `{"prompt":"q11","answer":"12"}`),
			severity: event.FindingError,
			want:     []string{"1 of them with another ground truth (train.jsonl:5 as train.jsonl:2)"},
		},
		{
			rows:     repeat(5, `{"prompt":"Solve the task.","answer":"%d"}`),
			severity: event.FindingError, want: []string{"4 of them with another ground truth"},
		},
	},
	findings.JSONPrompt: {
		{
			rows:     append(repeat(2, `{"prompt":"q%d"}`), `{"prompt":"[{\"role\": \"user\", \"content\": \"q\"}]"}`),
			severity: event.FindingError, want: []string{"1 with a prompt that is the JSON text of messages (train.jsonl:3)"},
		},
		{
			rows:     []string{`{"prompt":"[{'content': 'q', 'role': 'user'}]"}`},
			severity: event.FindingError, want: []string{"JSON text of messages"},
		},
		{
			rows:     []string{`{"prompt":"smile \ud83d"}`, `{"prompt":"a"}`, `{"prompt":"caf\ufffd"}`},
			severity: event.FindingWarning,
			want:     []string{"2 with a prompt that contains U+FFFD", "(train.jsonl:1, train.jsonl:3)"},
		},
		{
			rows: []string{`{"prompt":" \n"}`,
				`{"messages":[{"role":"system","content":"s"},{"role":"user","content":""}]}`},
			severity: event.FindingError, want: []string{"2 with a prompt that is empty (train.jsonl:1, train.jsonl:2)"},
		},
	},
	findings.NullTruth: {
		{
			rows: []string{`{"prompt":"a","answer":"1"}`, `{"prompt":"b","answer":null}`, `{"prompt":"c","answer":" "}`},
			want: []string{"reward.r cannot work without a ground truth, and 2 of its 3 tasks have none. train.jsonl:2 has " +
				"prompt in public"},
			severity: event.FindingWarning,
		},
		{
			rows: repeat(3, `{"prompt":"q%d","solution":"%d"}`), severity: event.FindingError,
			want: []string{"none of its 3 tasks has one", `map = { ground_truth = "solution" }`},
		},
	},
	findings.AnswerForm: {
		{
			rows:     repeat(4, `{"prompt":"q%d. End with #### and the number.","answer":"1"}`),
			severity: event.FindingWarning,
			want: []string{"4 of 4 compared prompts ask for the answer form hashes (train.jsonl:1,", "reward.r reads boxed",
				`answer_form = "hashes"`},
		},
		{
			rows: append(repeat(3, `{"messages":[{"role":"system","content":"Write <answer>…</answer>."},`+
				`{"role":"user","content":"q%d"}]}`), `{"prompt":"q"}`),
			severity: event.FindingWarning, want: []string{"3 of 4 compared prompts ask for the answer form tag"},
		},
		{
			rows:     repeat(3, `{"prompt":"q%d\nThe last line has the form Answer: $NUMBER"}`),
			severity: event.FindingWarning, want: []string{"answer form label"},
		},
	},
	findings.TruthType: {{
		rows: []string{`{"prompt":"a","answer":"1"}`, `{"prompt":"b","answer":{"value":1}}`}, severity: event.FindingError,
		want: []string{"reward.r accepts a string as ground truth", "train.jsonl:2 has another type: object"},
	}},
}

// Each rule about tasks has data with its fault and finds it.
func TestRules_FindTheirFaults(t *testing.T) {
	for _, rule := range findings.DataRules() {
		if len(faults[rule.ID]) == 0 {
			t.Errorf("no data have the fault %s", rule.ID)
		}
		if rule.Remedy == "" || len(rule.Causes) == 0 || rule.Title == "" {
			t.Errorf("incomplete: %+v", rule)
		}
		for i, fault := range faults[rule.ID] {
			t.Run(fmt.Sprintf("%s/%d", rule.ID, i), func(t *testing.T) {
				all := check(t, fault.rows, fault.heldOut, datacheck.Options{})
				at := slices.IndexFunc(all, func(f datacheck.TaskFinding) bool { return f.ID == rule.ID })
				if at < 0 {
					t.Fatalf("found only %v", all)
				}
				f := all[at]
				text := strings.Join(append(f.Examples, f.Summary, f.Remedy), "\n")
				for _, want := range fault.want {
					if !strings.Contains(text, want) {
						t.Errorf("%q is not in %q", want, text)
					}
				}
				if f.Severity != fault.severity || f.Docs != findings.Page+"#"+rule.ID || strings.Contains(f.Summary, "\n") {
					t.Errorf("%+v", f)
				}
			})
		}
	}
}

// What resembles a fault is not one.
func TestRules_AcceptCleanData(t *testing.T) {
	for name, data := range map[string]struct{ rows, heldOut []string }{
		"a choice among options": {rows: about(
			`{"prompt":"Where is {n}?\nA) {next}\nB) {city}\nC) Cairo","answer":"{city}"}`)},
		"the letter of an option": {rows: []string{`{"prompt":"1?\n(A) x\n(B) y\nAnswer with A or B","answer":"A"}`,
			`{"prompt":"2?\n(A) x\n(B) y\nAnswer with A or B","answer":"B"}`}},
		"labels in the instruction": {rows: append(repeat(19, `{"prompt":"Answer yes or no: is %d big?","answer":"yes"}`),
			`{"prompt":"Answer yes or no: is 1 big?","answer":"no"}`)},
		"a text that contains the answer": {rows: []string{
			`{"prompt":"Ada King wrote it in 1843. Who wrote it?","answer":"Ada King"}`,
			`{"prompt":"The tower in Paris was built by Gustave Eiffel. Who built it?","answer":"Gustave Eiffel"}`,
			`{"prompt":"It was Marie Curie who found radium. Who found it?","answer":"Marie Curie"}`,
			`{"prompt":"In 1969 Neil Armstrong landed. Who did?","answer":"Neil Armstrong"}`}},
		"a text to be repeated": {rows: about(`{"prompt":"Write the word {city}.","answer":"{city}"}`)},
		"the target of a puzzle": {rows: repeat(9, `{"prompt":"Using the numbers [%d, 3, 1], make an expression that equals `+
			`%d.","answer":%d}`)},
		"short truths":         {rows: repeat(9, `{"prompt":"What is 1 + %d - %d? Answer 1 or 2","answer":"1"}`)},
		"a number by chance":   {rows: repeat(9, `{"prompt":"Is %d or 7 larger?","answer":"%d"}`)},
		"the begin of answers": {rows: repeat(9, `{"prompt":"q%d\nAssistant: Let me think.\n<think>","answer":"%d"}`)},
		"a conversation": {rows: repeat(9, `{"messages":[{"role":"user","content":"q%d"},`+
			`{"role":"assistant","content":"a%d"},{"role":"user","content":"and then?"}]}`)},
		"one prompt for all tasks": {
			rows:    repeat(9, `{"prompt":"Play.","seed":%d}`),
			heldOut: []string{`{"prompt":"Play.","seed":1}`, `{"prompt":"Play.","seed":2}`, `{"prompt":"Play.","seed":3}`},
		},
		"one prompt for different pictures": {rows: append(repeat(4, `{"prompt":"q%d","answer":"x"}`),
			`{"prompt":"Who?","images":["a.png"],"answer":"x"}`, `{"prompt":"Who?","images":["b.png"],"answer":"y"}`)},
		"held-out tasks": {rows: repeat(9, `{"prompt":"q%d","answer":"%d"}`),
			heldOut: []string{`{"prompt":"q1","answer":"10"}`}},
		"JSON in a prompt": {rows: []string{`{"prompt":"Sort the keys: {\"role\": 1}"}`, `{"prompt":"{\"a\": [1, 2]}"}`,
			`{"prompt":"{curly}"}`}},
		"no question": {rows: repeat(3, `{"messages":[{"role":"user","content":"","images":`+
			`[{"url":"data:,%d"}]}]}`)},
		"the form that is read": {rows: repeat(3, `{"prompt":"q%d: end with \\boxed{} or ####","answer":"-"}`)},
		"headings":              {rows: repeat(3, `{"prompt":"#### Task\nq%d\n#### Answer:","answer":"-"}`)},
		"accepted answers":      {rows: repeat(3, `{"prompt":"q%d","answer":["a%d","b"]}`)},
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range check(t, data.rows, data.heldOut, datacheck.Options{}) {
				if f.ID != findings.NullTruth {
					t.Errorf("%+v", f)
				}
			}
		})
	}
}

// Two sides of a split share no task, and a mix may repeat its tasks.
func TestRules_AcceptSplitsAndMixes(t *testing.T) {
	whole := open(t, "train.jsonl", repeat(50, `{"prompt":"q%d","answer":"%d"}`))
	var sides []*datacheck.Tasks
	for _, side := range []string{dataset.SideTrain, dataset.SideHeldOut} {
		split := derive(t, dataset.Config{Type: dataset.TypeSplit, Dataset: "a", Split: side, Fraction: 0.2}, whole)
		sides = append(sides, read(t, side, split, datacheck.Options{}))
	}
	found := append(sides[1].Overlap(sides[0]), sides[0].Overlap(sides[1])...)
	parts := []dataset.Part{{Dataset: "a", Weight: 1}}
	mix := derive(t, dataset.Config{Type: dataset.TypeMix, Size: 120, Parts: parts}, whole)
	mixed := read(t, "mix", mix, datacheck.Options{})
	if found = append(found, mixed.Findings(datacheck.Consumers{})...); len(found) > 0 || mixed.Rows != 50 {
		t.Errorf("%v in %d rows", found, mixed.Rows)
	}
	if found := sides[0].Overlap(mixed); len(found) != 1 || found[0].Numbers["found"] != 40 {
		t.Error(found)
	}
}

// A finding about a sample reports so.
func TestRead_Sample(t *testing.T) {
	all := check(t, repeat(300, `{"prompt":"q","n":1}`), repeat(9, `{"prompt":"q","n":1}`), datacheck.Options{Tasks: 100})
	var text []string
	for _, f := range all {
		text = append(text, f.Summary)
	}
	for _, want := range []string{"none of 100 sampled tasks of its 300 has one",
		"100 sampled tasks of its 300 include 99 with the prompt", "its 9 tasks include 9 of training",
		"; 100 sampled tasks of training were compared"} {
		if !strings.Contains(strings.Join(text, "\n"), want) {
			t.Errorf("%q is not in %q", want, text)
		}
	}
}

// check returns the findings about rows, with the base names of files.
func check(t *testing.T, rows, heldOut []string, most datacheck.Options) []datacheck.TaskFinding {
	t.Helper()
	who := datacheck.Consumers{
		Rewards: []datacheck.Reward{{Address: "reward.r", Types: []string{"string"}}},
		Forms:   []datacheck.Form{{Address: "reward.r", Form: answertext.Boxed}},
	}
	if !strings.Contains(strings.Join(rows, ""), `{"value":1}`) {
		who.Rewards[0].Types = nil
	}
	training := read(t, "training", open(t, "train.jsonl", rows), most)
	out := training.Findings(who)
	if len(heldOut) > 0 {
		validation := read(t, "validation", open(t, "held_out.jsonl", heldOut), most)
		out = append(out, validation.Overlap(training)...)
	}
	for i := range out {
		if _, err := json.Marshal(out[i]); err != nil {
			t.Error(err)
		}
		for j, example := range out[i].Examples {
			out[i].Examples[j] = filepath.Base(example)
		}
		out[i].Summary = withoutDir(out[i].Summary)
	}
	return out
}

// withoutDir removes the directories of the test's files.
func withoutDir(text string) string {
	words := strings.Fields(text)
	for i, word := range words {
		if at := strings.LastIndexByte(word, '/'); at >= 0 {
			words[i] = strings.Repeat("(", strings.Count(word, "(")) + word[at+1:]
		}
	}
	return strings.Join(words, " ")
}

func open(t *testing.T, name string, rows []string) *dataset.Dataset {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(strings.Join(rows, "\n")+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := dataset.Open(dataset.Config{Type: dataset.TypeJSONL, Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

func derive(t *testing.T, config dataset.Config, from *dataset.Dataset) *dataset.Dataset {
	t.Helper()
	d, err := dataset.Derive(config, []*dataset.Dataset{from})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func read(t *testing.T, address string, d *dataset.Dataset, most datacheck.Options) *datacheck.Tasks {
	t.Helper()
	tasks, err := datacheck.Read(address, d, most)
	if err != nil {
		t.Fatal(err)
	}
	return tasks
}

// BenchmarkRead reads 100,000 tasks with prompts of 400 bytes, as planning does.
func BenchmarkRead(b *testing.B) {
	path := filepath.Join(b.TempDir(), "train.jsonl")
	rows := repeat(100_000, `{"prompt":"`+strings.Repeat("A question with words. ", 17)+`%d","answer":"%d","level":3}`)
	if err := os.WriteFile(path, []byte(strings.Join(rows, "\n")), 0o644); err != nil {
		b.Fatal(err)
	}
	d, err := dataset.Open(dataset.Config{Type: dataset.TypeJSONL, Path: path})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	b.ReportAllocs()
	for b.Loop() {
		tasks, err := datacheck.Read("dataset.jsonl.train", d, datacheck.Options{Compared: 200})
		if err != nil || len(tasks.Overlap(tasks)) == 0 || len(tasks.Findings(datacheck.Consumers{})) > 0 {
			b.Fatal(err, tasks.Findings(datacheck.Consumers{}))
		}
	}
}
