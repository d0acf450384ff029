package debug

import (
	"context"
	"errors"
	"fmt"

	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk"
)

// Choice is a task to run.
type Choice struct {
	ID    string
	Index int    // in its dataset
	Why   string // reason for the choice; may be empty
	// Origin is the episode whose seeds are used; if it is nil, the seeds of a validation are used.
	Origin *rollout.Origin
}

// Data provides tasks by index and by ID, as a *dataset.Dataset does.
type Data interface {
	Len() int
	ID(i int) string
	Index(id string) (int, bool)
}

// First chooses the first n tasks.
func First(data Data, n int) ([]Choice, error) {
	if data.Len() == 0 {
		return nil, errors.New("the dataset has no tasks")
	}
	var out []Choice
	for i := range min(n, data.Len()) {
		out = append(out, Choice{ID: data.ID(i), Index: i})
	}
	return out, nil
}

// ByID chooses tasks by their IDs.
func ByID(data Data, ids []string) ([]Choice, error) {
	var out []Choice
	for _, id := range ids {
		i, ok := data.Index(id)
		switch {
		case !ok && data.Len() == 0:
			return nil, fmt.Errorf("unknown task %q: the dataset is empty", id)
		case !ok:
			return nil, fmt.Errorf("unknown task %q: the first task is %q", id, data.ID(0))
		}
		out = append(out, Choice{ID: id, Index: i})
	}
	return out, nil
}

// Failures selects tasks from a run.
type Failures struct {
	Split sdk.Split
	Most  int   // tasks
	Seed  int64 // of the spec: the failed episodes get the same seeds with it
}

// Failed returns the tasks in a split for which a run's last episode failed or did not succeed, failures first. They
// run with the seeds of these episodes.
func Failed(ctx context.Context, r *runstore.Run, data Data, f Failures) ([]Choice, error) {
	split := f.Split
	last := map[sdk.Split]map[string]runstore.Episode{sdk.SplitTrain: {}, sdk.SplitValidation: {}}
	var order []string
	for e, err := range r.Episodes(ctx) {
		if err != nil {
			return nil, err
		}
		if e.Standing == runstore.Superseded || e.Outcome == sdk.OutcomeCancelled || last[e.Slot.Split] == nil {
			continue
		}
		if _, known := last[e.Slot.Split][e.TaskID]; !known && e.Slot.Split == split {
			order = append(order, e.TaskID)
		}
		last[e.Slot.Split][e.TaskID] = e
	}
	var failed, unsolved, gone []Choice
	for _, id := range order {
		e := last[split][id]
		why, isFailure := wrong(e)
		if why == "" {
			continue
		}
		i, ok := data.Index(id)
		switch c := choice(e, i, why, f.Seed); {
		case !ok:
			gone = append(gone, c)
		case isFailure:
			failed = append(failed, c)
		default:
			unsolved = append(unsolved, c)
		}
	}
	chosen := append(failed, unsolved...)
	if len(chosen) == 0 {
		return nil, nothingFailed(r, split, last, gone)
	}
	return chosen[:min(f.Most, len(chosen))], nil
}

// choice returns the task of an episode, with the episode's seeds if the run had this seed.
func choice(e runstore.Episode, index int, why string, seed int64) Choice {
	c := Choice{ID: e.TaskID, Index: index, Why: why}
	origin, ok := rollout.Origin{
		Stage: e.Slot.Stage, Split: e.Slot.Split, Step: e.Slot.Step, Task: e.TaskID, Sample: e.Slot.Sample, Draw: e.Draw,
	}.Locate(seed, e.Seeds.Environment)
	if ok {
		c.Origin = &origin
	} else {
		c.Why += "; the seed of this spec does not produce its seeds: it is played with the seeds of a validation"
	}
	return c
}

// wrong describes what is wrong with an episode. It returns an empty string without a known problem.
func wrong(e runstore.Episode) (why string, isFailure bool) {
	switch {
	case e.Failure != nil && e.Outcome != sdk.OutcomeScored:
		return fmt.Sprintf("%s in %s: %s", e.Failure.Class, e.EpisodeID, e.Failure.Detail), true
	case e.IsSuccess != nil && !*e.IsSuccess:
		return "not solved in " + e.EpisodeID, false
	}
	return "", false
}

// nothingFailed explains why there is nothing to choose, and where there are failures.
func nothingFailed(r *runstore.Run, split sdk.Split, last map[sdk.Split]map[string]runstore.Episode,
	gone []Choice) error {
	if len(gone) > 0 {
		return fmt.Errorf("%d tasks of %s failed, such as %q, but the dataset no longer contains them", len(gone),
			r.Ref(), gone[0].ID)
	}
	other := sdk.SplitTrain
	if split == sdk.SplitTrain {
		other = sdk.SplitValidation
	}
	n := 0
	for _, e := range last[other] {
		if why, _ := wrong(e); why != "" {
			n++
		}
	}
	if n > 0 {
		return fmt.Errorf("no task failed in the %s of %s, but %d failed in its %s: add --dataset %s", word(split),
			r.Ref(), n, word(other), word(other))
	}
	return fmt.Errorf("no task failed in the %s of %s", word(split), r.Ref())
}

// word returns the name that --dataset uses for a split.
func word(split sdk.Split) string {
	if split == sdk.SplitTrain {
		return "train"
	}
	return "validation"
}
