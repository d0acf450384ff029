package runstore

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/awhost/awhost/sdk/metric"
)

// Kept is a committed checkpoint that still exists, with details for display.
type Kept struct {
	Checkpoint
	Bytes   int64  // of its files
	Fault   Fault  // empty: none was found
	Problem string // why it cannot be used, and the remedy
	Best    bool   // of the last stage, by its validate.best_by
	Latest  bool   // the newest
}

// Kept lists the existing checkpoints, oldest first. With verify, it compares every byte with the manifest and every
// manifest with the journal, so that missing and unknown checkpoints are listed last. Without verify, it checks only
// the presence and the sizes of the files.
func (r *Run) Kept(ctx context.Context, verify bool) ([]Kept, error) {
	read := r.history
	if verify {
		read = r.historySoFar // its end is one of the faults
	}
	h, err := read()
	if err != nil {
		return nil, err
	}
	present := r.present(h)
	kept := make([]Kept, len(present))
	for i, c := range present {
		kept[i] = Kept{Checkpoint: c, Latest: i == len(present)-1}
		inspect := r.verifyQuickly
		if verify {
			inspect = r.Verify
		}
		if err := inspect(ctx, c); err != nil {
			kept[i].Fault, kept[i].Problem = FaultDamaged, err.Error()+"; "+remedy(c)
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("inspect checkpoints of run %s: %w", r.Ref(), err)
		}
		kept[i].Bytes = r.size(c)
	}
	if i := r.best(present); i >= 0 {
		kept[i].Best = true
	}
	if !verify {
		return kept, nil
	}
	mismatches, err := r.mismatches()
	for _, m := range mismatches {
		i := slices.IndexFunc(kept, func(k Kept) bool { return k.Dir == m.checkpoint.Dir })
		switch {
		case i < 0:
			kept = append(kept, Kept{Checkpoint: m.checkpoint, Fault: m.fault, Problem: m.problem, Bytes: r.size(m.checkpoint)})
		case kept[i].Problem == "":
			kept[i].Fault, kept[i].Problem = m.fault, m.problem
		}
	}
	return kept, err
}

// best returns the index of the best checkpoint in the run's last stage, or -1 if none is better than another because
// no task was solved or the stage has taught the policy nothing.
func (r *Run) best(present []Checkpoint) int {
	if len(present) == 0 {
		return -1
	}
	last := present[len(present)-1]
	metrics := r.bestBy()
	i := Retention{BestBy: metrics}.best(present, last.StageIndex)
	if i < 0 || last.NothingLearned {
		return -1
	}
	if by := metrics[last.StageIndex]; by == bestByDefault && present[i].Metrics[by] <= 0 {
		return -1
	}
	return i
}

// verifyQuickly works like Verify, but does not read the files.
func (r *Run) verifyQuickly(_ context.Context, c Checkpoint) error {
	if err := r.compareSizes(c); err != nil {
		return r.notIntact(c, err)
	}
	return nil
}

func (r *Run) compareSizes(c Checkpoint) error {
	m, err := r.committedManifest(c)
	switch {
	case err != nil:
		return err
	case m.External != "":
		_, err = r.fs().Lstat(m.External)
		return err
	}
	for _, want := range m.Files {
		info, err := r.fs().Lstat(filepath.Join(c.Dir, filepath.FromSlash(want.Path)))
		if err != nil {
			return fmt.Errorf("%s is missing", want.Path)
		}
		if info.Size() != want.Size {
			return fmt.Errorf("%s has %d bytes instead of %d", want.Path, info.Size(), want.Size)
		}
	}
	return nil
}

// size returns the total size of the files in the manifest. It is 0 if a framework stores them.
func (r *Run) size(c Checkpoint) int64 {
	m, _, err := readManifest(r.fs(), c.Dir)
	if err != nil {
		return 0
	}
	var bytes int64
	for _, file := range m.Files {
		bytes += file.Size
	}
	return bytes
}

// bestByDefault is the default metric for a stage's best checkpoint.
const bestByDefault = metric.ValidationSuccessRate

// bestBy returns the metrics by which the run's spec, and therefore Prune, selects the best checkpoint in each stage.
// It returns nil if the recorded spec does not contain them.
func (r *Run) bestBy() []string {
	text, err := r.Spec()
	if err != nil {
		return nil
	}
	var resolved struct {
		Trains map[string]struct {
			Stages []struct {
				Knobs struct {
					Validate struct {
						BestBy string `json:"best_by"`
					} `json:"validate"`
				} `json:"knobs"`
			} `json:"stages"`
		} `json:"trains"`
	}
	if json.Unmarshal(text, &resolved) != nil {
		return nil
	}
	for name, train := range resolved.Trains {
		if !r.Info.IsOf(name) {
			continue
		}
		metrics := make([]string, len(train.Stages))
		for i, stage := range train.Stages {
			metrics[i] = ValidationMetric(stage.Knobs.Validate.BestBy)
		}
		return metrics
	}
	return nil
}

// ValidationMetric returns the name that checkpoints use for a metric in the spec, or an empty string for an empty
// name.
func ValidationMetric(name string) string {
	if name == "" {
		return ""
	}
	return metric.Validation + name
}
