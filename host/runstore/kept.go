package runstore

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/awhost/awhost/sdk/metric"
)

// Kept is a committed checkpoint that is still there, and what a person wants to know of it.
type Kept struct {
	Checkpoint
	Bytes   int64  // of its files
	Fault   Fault  // empty: nothing was found
	Problem string // why it cannot be used, and what to do about it
	Best    bool   // of the last stage, by its validate.best_by
	Latest  bool   // the newest
}

// Kept lists the checkpoints that are still there, oldest first. With verify every byte is compared with the manifest
// and every manifest with the journal, so that those that are missing, and those that no commit knows, are listed
// last; without it only the presence and the sizes of the files are looked at.
func (r *Run) Kept(ctx context.Context, verify bool) ([]Kept, error) {
	present, err := r.Checkpoints()
	if err != nil {
		return nil, err
	}
	kept := make([]Kept, len(present))
	for i, c := range present {
		kept[i] = Kept{Checkpoint: c, Latest: i == len(present)-1}
		inspect := r.glance
		if verify {
			inspect = r.Verify
		}
		if err := inspect(ctx, c); err != nil {
			kept[i].Fault, kept[i].Problem = FaultDamaged, err.Error()+"; "+remedy(c)
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("look at the checkpoints of run %s: %w", r.Ref(), err)
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

// best is the index of the best checkpoint of the stage that the run has come to, -1 where none is better than another: nothing was
// solved, or the stage has taught the policy nothing.
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

// glance is Verify without reading the files.
func (r *Run) glance(_ context.Context, c Checkpoint) error {
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

// size is that of the files that the manifest names; 0 where a framework keeps them.
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

// bestByDefault is the metric by which a stage's best checkpoint is chosen unless its spec says otherwise.
const bestByDefault = metric.ValidationSuccessRate

// bestBy are the metrics by which the run's spec chooses the best checkpoint of each stage, as the prunes use them. There is none where
// the record of the spec does not say.
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

// ValidationMetric is the name in checkpoints of what the spec calls name; empty, where it names none.
func ValidationMetric(name string) string {
	if name == "" {
		return ""
	}
	return metric.Validation + name
}
