// Package datacheck finds faults in the tasks of datasets: the answer in the prompt, repeated tasks, validation tasks
// that are trained on, missing answers.
//
//	training, err := datacheck.Read("dataset.jsonl.train", data, datacheck.Options{})
//	for _, f := range training.Findings(consumers) { … }
//	for _, f := range validation.Overlap(training) { … }
//
//	datacheck.go  a finding, and the pass over the tasks
//	question.go   the question of a task: its text, its key, a solution at its end
//	leak.go       the ground truth in public fields
//	form.go       forms of answers that a reward does not read
//	truth.go      missing ground truths, and ground truths of the wrong type
//	repeats.go    repeated tasks
//
// A dataset is read once. Of each task, only hashes are kept, 40 bytes; of faults, counts and a few examples. The rules
// with their causes and remedies are in host/findings/data.go. The package must not depend on the spec language or
// on plugins.
package datacheck

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/dataset/internal/rowjson"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/sdk/answertext"
)

// TaskFinding is a fault in the tasks of a dataset.
type TaskFinding struct {
	event.Finding
	Dataset  string   `json:"dataset"`            // address
	Examples []string `json:"examples,omitempty"` // files and lines of tasks that show it
	Refused  bool     `json:"-"`                  // such tasks cannot be trained
}

// Options sets how tasks are read.
type Options struct {
	// Tasks and Compared limit the number of tasks, evenly spread over a dataset, that are read and of which the ground
	// truth is compared with the other fields. 0: all.
	Tasks, Compared int
	Dir             string // places are relative to it
}

// Consumers holds the blocks that need a task's ground truth.
type Consumers struct {
	Rewards     []Reward // they cannot work without it
	Environment string   // it may have its own answers
	Forms       []Form   // of the rewards that read an answer in one form
}

// Form is the form in which a reward reads the answer.
type Form struct {
	Address string
	Form    answertext.Form
}

// Reward is a reward that needs the ground truth.
type Reward struct {
	Address string
	Types   []string // the JSON types that it accepts; empty: any
}

// Tasks holds facts about the tasks of a dataset.
type Tasks struct {
	Address string
	Rows    int // different tasks that were read

	data    *dataset.Dataset
	dir     string
	sampled bool
	rows    []row
	truth   truths
	leak    leaks
	forms   formSums
	wrong   map[wrong]*tally
}

// Read reads the tasks of a dataset once.
func Read(address string, d *dataset.Dataset, o Options) (*Tasks, error) {
	t := &Tasks{Address: address, data: d, dir: o.Dir, truth: truths{types: map[string]string{}}, leak: newLeaks(),
		forms: formSums{sets: map[string]*tally{}}, wrong: map[wrong]*tally{}}
	total := min(d.Len(), cmp.Or(o.Tasks, d.Len()))
	t.sampled = total < d.Len()
	t.rows = make([]row, 0, total)
	between := 1
	if o.Compared > 0 {
		between += total / o.Compared
	}
	for n := range total {
		i := int(int64(n) * int64(d.Len()) / int64(total))
		if first, _ := d.Index(d.ID(i)); first != i {
			continue // a mix repeats the task
		}
		if err := t.read(i, n%between == 0); err != nil {
			return nil, err
		}
	}
	t.Rows = len(t.rows)
	return t, nil
}

func (t *Tasks) read(i int, compare bool) error {
	task, err := t.data.Task(i)
	if err != nil {
		return err
	}
	public, private := objectOf(task.Public), objectOf(task.Private)
	q := questionOf(public)
	truth := private[fieldTruth]
	if text, isText := truth.(string); truth == nil || isText && strings.TrimSpace(text) == "" {
		t.truth.miss(t.place(i), slices.Sorted(maps.Keys(public)), slices.Sorted(maps.Keys(private)))
		truth = nil
	} else {
		t.truth.addTypes(truth, t.place(i))
	}
	t.rows = append(t.rows, rowOf(task, q, truth, i))
	for _, w := range q.wrong {
		if t.wrong[w] == nil {
			t.wrong[w] = &tally{}
		}
		t.wrong[w].add(func() string { return t.place(i) })
	}
	t.leak.solve(&q, func() string { return t.place(i) })
	if compare {
		t.forms.compare(&q, func() string { return t.place(i) })
		t.leak.compare(public, &q, truth)
	}
	return nil
}

// Findings returns what is wrong with the tasks, except for the tasks of other datasets.
func (t *Tasks) Findings(who Consumers) []TaskFinding {
	return slices.Concat(t.missing(who), t.wrongTypes(who), t.leaked(), t.unreadable(), t.repeated(),
		t.unread(who))
}

// finding completes a finding about the dataset.
func (t *Tasks) finding(f TaskFinding, count int) TaskFinding {
	f.Dataset, f.Subject = t.Address, strings.TrimSpace(t.Address+" "+f.Subject)
	f.Numbers = event.Metrics{"found": float64(count), "tasks": float64(t.Rows)}
	f.Finding = findings.OfTasks(f.Finding)
	return f
}

// all describes the tasks that were read.
func (t *Tasks) all() string {
	if t.sampled {
		return fmt.Sprintf("%d sampled tasks of its %d", t.Rows, t.data.Len())
	}
	return fmt.Sprintf("its %d tasks", t.Rows)
}

func (t *Tasks) place(i int) string {
	return cmp.Or(strings.TrimPrefix(t.data.Place(i), t.dir+string(filepath.Separator)), "Task "+t.data.ID(i))
}

// mostExamples limits the examples of a finding.
const mostExamples = 3

// tally counts tasks and keeps the first examples.
type tally struct {
	count    int
	examples []string
}

func (t *tally) add(example func() string) {
	if t.count++; t.count <= mostExamples {
		t.examples = append(t.examples, example())
	}
}

// list returns the examples in parentheses.
func (t *tally) list() string {
	more := ""
	if t.count > len(t.examples) {
		more = ", …"
	}
	return "(" + strings.Join(t.examples, ", ") + more + ")"
}

func objectOf(part []byte) map[string]any {
	value, _ := rowjson.Parse(part) // an object or nothing, as created by the dataset
	object, _ := value.(map[string]any)
	return object
}
