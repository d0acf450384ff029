package datacheck

import (
	"fmt"
	"hash/maphash"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/sdk"
)

// row holds the hashes of a task.
type row struct {
	prompt, public, answer uint64
	task                   uint32 // its index in the dataset
	judged                 bool   // it has a ground truth; otherwise answer is a hash of its private part
}

func rowOf(task sdk.Task, q question, truth any, i int) row {
	out := row{prompt: q.key, public: maphash.Bytes(seed, task.Public), task: uint32(i), judged: truth != nil}
	if out.answer = maphash.Bytes(seed, task.Private); out.judged {
		out.answer = maphash.String(seed, textOf(truth))
	}
	return out
}

// asks reports whether prompts distinguish the tasks. In many environments, most tasks have the same prompt.
func (t *Tasks) asks() bool {
	prompts := make(map[uint64]struct{}, len(t.rows))
	for _, r := range t.rows {
		prompts[r.prompt] = struct{}{}
	}
	return 2*len(prompts) >= len(t.rows)
}

// key returns a hash that equal tasks share: of the prompt if prompts distinguish the tasks, else of the public part.
func (r *row) key(asks bool) uint64 {
	if asks {
		return r.prompt
	}
	return r.public
}

// mostContradictions is the share of the tasks that may have another ground truth than an equal one without an error.
const mostContradictions = 0.01

// repeated reports tasks that repeat an earlier one. Without ground truths, tasks with different private parts differ.
func (t *Tasks) repeated() []TaskFinding {
	asks := t.asks()
	first := make(map[uint64]*row, len(t.rows))
	var same, other tally
	for i := range t.rows {
		r := &t.rows[i]
		earlier := first[r.key(asks)]
		example := func() string { return t.place(int(r.task)) + " as " + t.place(int(earlier.task)) }
		switch {
		case earlier == nil:
			first[r.key(asks)] = r
		case earlier.answer == r.answer:
			same.add(example)
		case earlier.judged && r.judged:
			other.add(example)
		}
	}
	if same.count+other.count == 0 {
		return nil
	}
	f := TaskFinding{Examples: append(other.examples, same.examples...)}
	f.ID = findings.DuplicateTasks
	f.Summary = fmt.Sprintf("%s include %d with the prompt of an earlier one", t.all(), same.count+other.count)
	if other.count == 0 {
		f.Summary += " " + same.list()
	} else {
		f.Summary += fmt.Sprintf(", %d of them with another ground truth %s", other.count, other.list())
		if float64(other.count) > mostContradictions*float64(t.Rows) {
			f.Severity = event.FindingError
		}
	}
	return []TaskFinding{t.finding(f, same.count+other.count)}
}

// Overlap reports validation tasks that are in the training data.
func (t *Tasks) Overlap(training *Tasks) []TaskFinding {
	asks := t.asks() && training.asks()
	known := make(map[uint64]*row, len(training.rows))
	hash := func(r *row) uint64 {
		if asks {
			return r.prompt
		}
		return r.public ^ r.answer // the private part may contain the seed of an environment
	}
	for i := range training.rows {
		if r := &training.rows[i]; known[hash(r)] == nil {
			known[hash(r)] = r
		}
	}
	var both tally
	for i := range t.rows {
		r := &t.rows[i]
		if trained := known[hash(r)]; trained != nil {
			both.add(func() string { return t.place(int(r.task)) + " as " + training.place(int(trained.task)) })
		}
	}
	if both.count == 0 {
		return nil
	}
	f := TaskFinding{Examples: both.examples}
	f.ID = findings.ValidationInTraining
	f.Summary = fmt.Sprintf("%s include %d of %s %s", t.all(), both.count, training.Address, both.list())
	if training.sampled {
		f.Summary += fmt.Sprintf("; %d sampled tasks of %s were compared", training.Rows, training.Address)
	}
	return []TaskFinding{t.finding(f, both.count)}
}
