package eval

import (
	"cmp"
	"slices"

	"github.com/awhost/awhost/sdk"
)

// Report is the result of an evaluation.
type Report struct {
	Spec        string  `json:"spec"`
	Train       string  `json:"train"`
	Model       string  `json:"model"`                // name of the model for users
	Checkpoint  string  `json:"checkpoint,omitempty"` // directory of the checkpoint
	Run         string  `json:"run,omitempty"`        // of the checkpoint
	Step        *int    `json:"step,omitempty" jsonschema:"minimum=0"`
	Digest      string  `json:"digest,omitempty"` // of the checkpoint
	Dataset     string  `json:"dataset"`
	Fingerprint string  `json:"fingerprint"` // of the dataset
	Seed        int64   `json:"seed"`
	Samples     int     `json:"samples" jsonschema:"minimum=1"` // per task
	Retries     int     `json:"retries" jsonschema:"minimum=0"` // requests that were repeated
	Seconds     float64 `json:"seconds"`
	Summary
	Categories []Category `json:"categories,omitempty"` // if tasks have categories
	Members    []Member   `json:"members,omitempty"`    // of a swarm, over all episodes
	// Examples holds the first failure of each class, in task order.
	Examples []Example `json:"failure_examples,omitempty"`
}

// Example is an example of a failed episode.
type Example struct {
	Class  sdk.FailureClass `json:"class"`
	Task   string           `json:"task"`
	Sample int              `json:"sample"`
	Detail string           `json:"detail"`
}

// Category summarizes the tasks in one category.
type Category struct {
	Name string `json:"name"`
	Summary
}

// Summary summarizes some tasks. Failed episodes count as unsolved and have no reward.
type Summary struct {
	Tasks    int `json:"tasks" jsonschema:"minimum=0"`
	Episodes int `json:"episodes" jsonschema:"minimum=0"`
	Solved   int `json:"solved" jsonschema:"minimum=0"` // episodes
	// Success is Solved divided by Episodes, or nil if success is undefined.
	Success *Interval `json:"success_rate,omitempty"`
	// PassAt holds the probabilities that one of k samples solves a task, for k = 1, 2, …
	PassAt []Interval `json:"pass_at,omitempty"`
	// Scored is the number of episodes that have a reward, which Reward and Components summarize.
	Scored     int                `json:"scored" jsonschema:"minimum=0"`
	Reward     *Interval          `json:"reward,omitempty"`
	Components map[string]float64 `json:"components,omitempty"` // means, by address of the reward
	Turns      float64            `json:"turns"`                // assistant messages per episode
	// PromptTokens is the mean number of tokens per episode, over all its calls.
	PromptTokens float64 `json:"prompt_tokens"`
	OutputTokens float64 `json:"output_tokens"`
	// Truncated is the number of episodes that were ended by a limit.
	Truncated int `json:"truncated" jsonschema:"minimum=0"`
	// Failed is the number of failed episodes, which count as unsolved.
	Failed   int                      `json:"failed" jsonschema:"minimum=0"`
	Failures map[sdk.FailureClass]int `json:"failures,omitempty"` // by class
}

// report builds the report from a tally.
func (c Config) report(loaded Loaded, t *tally) *Report {
	data := c.Plan.Data[c.stage().Validation]
	r := &Report{
		Spec: c.Plan.Spec.Path, Train: c.Plan.Train.Name, Model: loaded.Name, Digest: loaded.Digest,
		Dataset:     c.stage().Validation,
		Fingerprint: data.Fingerprint(), Seed: c.stage().Knobs.Seed, Samples: t.samples,
		Summary:    summarise(t.samples, t.tasks, t.categories),
		Categories: t.byCategory(), Examples: t.examples, Members: t.members,
	}
	if c.Policy != nil && c.Policy.Checkpoint != "" {
		r.Checkpoint, r.Step = c.Policy.Checkpoint, &loaded.Step
	}
	if c.Endpoint != nil {
		r.Retries = c.Endpoint.Retries()
	}
	return r
}

// byCategory summarizes each category, sorted by name.
func (t *tally) byCategory() (out []Category) {
	for i, of := range t.categories {
		if of.name != "" {
			tasks := slices.DeleteFunc(slices.Clone(t.tasks), func(task taskTally) bool { return int(task.category) != i })
			out = append(out, Category{of.name, summarise(t.samples, tasks, []*sums{of})})
		}
	}
	slices.SortFunc(out, func(a, b Category) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// summarise summarizes the tasks of some categories.
func summarise(samples int, tasks []taskTally, categories []*sums) Summary {
	s := Summary{Tasks: len(tasks), Failures: map[sdk.FailureClass]int{}, Components: map[string]float64{}}
	all := sums{components: map[string]weighted{}}
	for _, c := range categories {
		all.turns, all.prompt, all.output = all.turns+c.turns, all.prompt+c.prompt, all.output+c.output
		all.judged, s.Truncated = all.judged+c.judged, s.Truncated+c.truncated
		for class, n := range c.failures {
			s.Failures[class] += n
			s.Failed += n
		}
		for name, values := range c.components {
			all.component(name, values)
		}
	}
	for name, values := range all.components {
		s.Components[name] = values.mean()
	}
	rewards := make([]weighted, len(tasks))
	for i, t := range tasks {
		s.Episodes += int(t.samples)
		s.Solved += int(t.solved)
		s.Scored += int(t.scored)
		rewards[i] = weighted{t.reward, int(t.scored)}
	}
	if s.Episodes == 0 {
		return s
	}
	n := float64(s.Episodes)
	s.Turns, s.PromptTokens, s.OutputTokens = float64(all.turns)/n, float64(all.prompt)/n, float64(all.output)/n
	if s.Scored > 0 {
		reward := bootstrap(rewards)
		s.Reward = &reward
	}
	if all.judged > 0 {
		s.rates(samples, tasks)
	}
	return s
}

// rates computes success and pass@k.
func (s *Summary) rates(samples int, tasks []taskTally) {
	if samples == 1 {
		once := wilson(s.Solved, s.Episodes)
		s.Success, s.PassAt = &once, []Interval{once}
		return
	}
	for k := 1; k <= samples; k++ {
		values := make([]weighted, len(tasks))
		for i, t := range tasks {
			values[i] = weighted{passAt(int(t.samples), int(t.solved), k), 1}
		}
		s.PassAt = append(s.PassAt, rate(values))
	}
	success := s.PassAt[0] // all tasks have the same number of samples
	success.Value = float64(s.Solved) / float64(s.Episodes)
	s.Success = &success
}

// rate returns the confidence interval of a rate, based on tasks. If all tasks have the same value, 0 or 1, resampling
// has no effect, so each task counts as one sample.
func rate(tasks []weighted) Interval {
	differs := func(w weighted) bool { return w != tasks[0] }
	if first := tasks[0].sum; (first == 0 || first == 1) && !slices.ContainsFunc(tasks, differs) {
		return wilson(int(first)*len(tasks), len(tasks))
	}
	return bootstrap(tasks)
}

func sum(values []float64) weighted {
	var w weighted
	for _, v := range values {
		w = w.plus(weighted{v, 1})
	}
	return w
}
