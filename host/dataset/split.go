package dataset

import (
	"bytes"
	"fmt"
	"math"
	"slices"

	"github.com/awhost/awhost/host/dataset/internal/rowjson"
)

// The two sides of a split.
const (
	SideTrain   = "train"
	SideHeldOut = "held_out"
)

// Overlaps reports whether two splits divide the same dataset in different ways, so that a task may be on the train
// side of one and held out by the other.
func (c Config) Overlaps(other Config) bool {
	return c.Type == TypeSplit && other.Type == TypeSplit && c.Dataset == other.Dataset &&
		(c.Fraction != other.Fraction || c.Seed != other.Seed)
}

func newSplit(config Config, from *Dataset) (*Dataset, error) {
	if config.Split != SideTrain && config.Split != SideHeldOut {
		return nil, &ConfigError{Attribute: []string{"split"}, Problem: fmt.Sprintf("unknown side %q", config.Split),
			Remedy: fmt.Sprintf("use %q or %q", SideTrain, SideHeldOut)}
	}
	if !(config.Fraction > 0 && config.Fraction < 1) {
		return nil, &ConfigError{Attribute: []string{"fraction"}, Problem: "one side would be empty",
			Remedy: "write a number between 0 and 1"}
	}
	heldOut, err := drawHeldOut(config, from)
	if err != nil {
		return nil, err
	}
	s := &selection{from: []*Dataset{from}}
	for i, out := range heldOut {
		if out == (config.Split == SideHeldOut) {
			s.picks = append(s.picks, pick{row: uint32(i)})
		}
	}
	return s.dataset("split of "+from.name, []string{""}), nil
}

// questionKey determines a task's side: a digest of the seed and the question.
type questionKey [16]byte

// drawHeldOut reports for each task whether it is held out. It selects questions in the order of their keys until they
// account for the required fraction of the tasks. Both sides get at least one question.
func drawHeldOut(config Config, from *Dataset) ([]bool, error) {
	keys := make([]questionKey, from.Len())
	counts := map[questionKey]int{}
	for i := range keys {
		task, err := from.Task(i)
		if err != nil {
			return nil, err
		}
		keys[i] = keyOf(config.Seed, task.Public)
		counts[keys[i]]++
	}
	questions := make([]questionKey, 0, len(counts))
	for key := range counts {
		questions = append(questions, key)
	}
	if len(questions) < 2 {
		return nil, &ConfigError{Attribute: []string{"dataset"}, Problem: "all tasks have the same question, so they " +
			"cannot be split", Remedy: "use a dataset with more questions"}
	}
	slices.SortFunc(questions, func(a, b questionKey) int { return bytes.Compare(a[:], b[:]) })
	wanted := max(1, int(math.Round(config.Fraction*float64(len(keys)))))
	border, tasks := 0, 0
	for border < len(questions)-1 && tasks < wanted {
		tasks += counts[questions[border]]
		border++
	}
	first := questions[border] // the first one that is not held out
	heldOut := make([]bool, len(keys))
	for i, key := range keys {
		heldOut[i] = bytes.Compare(key[:], first[:]) < 0
	}
	return heldOut, nil
}

// keyOf returns the key of a task's question. Without a question, as in an environment, it uses the whole public part.
func keyOf(seed int64, public []byte) questionKey {
	question := public
	if value, err := rowjson.Parse(public); err == nil {
		row, _ := value.(map[string]any)
		asked := map[string]any{}
		for _, field := range []string{fieldPrompt, fieldMessages} {
			if v, ok := row[field]; ok {
				asked[field] = v
			}
		}
		if len(asked) > 0 {
			question = canonical(asked)
		}
	}
	d := newDigest("awhost/split/1")
	d.number(uint64(seed))
	d.add(question)
	return questionKey(d.sum.Sum(nil)[:16])
}
