package eval

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// tally accumulates the results of each task. Records are added in order.
type tally struct {
	samples  int
	tasks    []*taskTally
	examples []Example // the first failure of each class
	members  []Member
}

// taskTally accumulates one task's samples.
type taskTally struct {
	category   string
	samples    int
	solved     int
	judged     int
	rewards    []float64
	turns      int
	prompt     int // tokens
	output     int
	truncated  int
	failures   map[sdk.FailureClass]int
	components map[string][]float64
}

func newTally(tasks, samples int) *tally {
	return &tally{samples: samples, tasks: make([]*taskTally, 0, tasks)}
}

func (t *tally) add(r *rollout.EpisodeRecord) {
	for len(t.tasks) <= r.Slot.Index {
		t.tasks = append(t.tasks, &taskTally{failures: map[sdk.FailureClass]int{}, components: map[string][]float64{}})
	}
	t.tasks[r.Slot.Index].add(r)
	for _, m := range Describe(r).Members {
		i := slices.IndexFunc(t.members, func(sum Member) bool { return sum.Agent == m.Agent && sum.Model == m.Model })
		if i < 0 {
			t.members = append(t.members, m)
			continue
		}
		sum := &t.members[i]
		sum.Turns, sum.Seconds, sum.CostUSD = sum.Turns+m.Turns, sum.Seconds+m.Seconds, sum.CostUSD+m.CostUSD
		sum.PromptTokens, sum.OutputTokens = sum.PromptTokens+m.PromptTokens, sum.OutputTokens+m.OutputTokens
	}
	known := func(e Example) bool { return e.Class == r.Failure.Class }
	if failed(r) && !slices.ContainsFunc(t.examples, known) {
		t.examples = append(t.examples, Example{r.Failure.Class, r.TaskID, r.Slot.Sample, r.Failure.Detail})
	}
}

// failed reports whether an episode has no reward because of a failure.
func failed(r *rollout.EpisodeRecord) bool { return r.Outcome != sdk.OutcomeScored && r.Failure != nil }

func (t *taskTally) add(r *rollout.EpisodeRecord) {
	t.samples++
	t.turns += len(r.Turns)
	for _, turn := range r.Turns {
		t.prompt += turn.PromptTokens
		t.output += turn.OutputTokens
	}
	if r.IsSuccess != nil {
		t.judged++
		if *r.IsSuccess {
			t.solved++
		}
	}
	if r.Reward != nil {
		t.rewards = append(t.rewards, *r.Reward)
	}
	if r.Finish.Truncated() {
		t.truncated++
	}
	if failed(r) {
		t.failures[r.Failure.Class]++
	}
	for _, s := range r.Scores {
		if s.Failure != nil {
			continue
		}
		t.components[s.Address] = append(t.components[s.Address], s.Score)
		for name, value := range s.Components {
			t.components[s.Address+"."+name] = append(t.components[s.Address+"."+name], value)
		}
	}
}

// categorise sets the task's category: a string or a number under `category` in the task's public part.
func (t *taskTally) categorise(task sdk.Task) {
	var columns struct {
		Category json.RawMessage `json:"category"`
	}
	if json.Unmarshal(task.Public, &columns) != nil || len(columns.Category) == 0 || string(columns.Category) == "null" {
		return
	}
	if json.Unmarshal(columns.Category, &t.category) != nil {
		t.category = string(columns.Category)
	}
}

// categories returns the categories in sorted order.
func (t *tally) categories() []string {
	found := map[string]bool{}
	for _, task := range t.tasks {
		if task.category != "" {
			found[task.category] = true
		}
	}
	return slices.Sorted(maps.Keys(found))
}
