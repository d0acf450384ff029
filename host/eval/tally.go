package eval

import (
	"encoding/json"
	"slices"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// tally accumulates the results of an evaluation. Records are added in order.
type tally struct {
	samples    int // per task
	categoryOf func(task int) string
	tasks      []taskTally
	categories []*sums // in the order of their first tasks
	indexes    map[string]int32
	examples   []Example // the first failure of each class
	members    []Member
}

// taskTally accumulates what intervals need of each task. It is small, because there may be millions of tasks.
type taskTally struct {
	category        int32 // index in tally.categories
	samples, solved int32
	scored          int32
	reward          float64 // sum
}

// sums accumulates the episodes of one category.
type sums struct {
	name       string // empty: tasks without a category
	judged     int
	turns      int
	prompt     int // tokens
	output     int
	truncated  int
	failures   map[sdk.FailureClass]int
	components map[string]weighted
}

func newTally(tasks, samples int, categoryOf func(task int) string) *tally {
	return &tally{samples: samples, categoryOf: categoryOf, tasks: make([]taskTally, 0, tasks),
		indexes: map[string]int32{}}
}

func (t *tally) add(r *rollout.EpisodeRecord) {
	for len(t.tasks) <= r.Slot.Index {
		t.tasks = append(t.tasks, taskTally{category: t.category(t.categoryOf(len(t.tasks)))})
	}
	task := &t.tasks[r.Slot.Index]
	task.add(r)
	t.categories[task.category].add(r)
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

// category returns the index of a category, and adds it if it is new.
func (t *tally) category(name string) int32 {
	i, known := t.indexes[name]
	if !known {
		i = int32(len(t.categories))
		t.indexes[name] = i
		t.categories = append(t.categories, &sums{name: name, failures: map[sdk.FailureClass]int{},
			components: map[string]weighted{}})
	}
	return i
}

// failed reports whether an episode has no reward because of a failure.
func failed(r *rollout.EpisodeRecord) bool { return r.Outcome != sdk.OutcomeScored && r.Failure != nil }

func (t *taskTally) add(r *rollout.EpisodeRecord) {
	t.samples++
	if r.IsSuccess != nil && *r.IsSuccess {
		t.solved++
	}
	if r.Reward != nil {
		t.reward += *r.Reward
		t.scored++
	}
}

func (s *sums) add(r *rollout.EpisodeRecord) {
	s.turns += len(r.Turns)
	for _, turn := range r.Turns {
		s.prompt += turn.PromptTokens
		s.output += turn.OutputTokens
	}
	if r.IsSuccess != nil {
		s.judged++
	}
	if r.Finish.Truncated() {
		s.truncated++
	}
	if failed(r) {
		s.failures[r.Failure.Class]++
	}
	for _, score := range r.Scores {
		if score.Failure != nil {
			continue
		}
		s.component(score.Address, weighted{score.Score, 1})
		for name, value := range score.Components {
			s.component(score.Address+"."+name, weighted{value, 1})
		}
	}
}

func (s *sums) component(name string, values weighted) {
	s.components[name] = s.components[name].plus(values)
}

// categoryOf returns the category of a task: a string or a number under `category` in its public part.
func categoryOf(task sdk.Task) (name string) {
	var columns struct {
		Category json.RawMessage `json:"category"`
	}
	if json.Unmarshal(task.Public, &columns) != nil || len(columns.Category) == 0 || string(columns.Category) == "null" {
		return ""
	}
	if json.Unmarshal(columns.Category, &name) != nil {
		return string(columns.Category)
	}
	return name
}
