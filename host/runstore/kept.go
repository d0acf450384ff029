package runstore

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
)

// Kept is a committed checkpoint that is still there, and what a person wants to know of it.
type Kept struct {
	Checkpoint
	Bytes   int64  // of its files
	Problem string // why it cannot be used; empty: nothing was found
	Best    bool   // by the spec's validate.best_by, among those of its stage's metric
	Latest  bool   // the newest
}

// Kept lists the checkpoints that are still there, oldest first. With verify every byte is read and held against the
// manifest; without it only the presence and the sizes of the files are looked at.
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
			kept[i].Problem = err.Error()
		}
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("look at the checkpoints of run %s: %w", r.Ref(), err)
		}
		kept[i].Bytes = r.size(c)
	}
	if i := (Retention{BestBy: r.bestBy()}).best(present); i >= 0 {
		kept[i].Best = true
	}
	return kept, nil
}

// glance is Verify without reading the files.
func (r *Run) glance(_ context.Context, c Checkpoint) error {
	if err := r.compareSizes(c); err != nil {
		return fmt.Errorf("checkpoint %s of run %s is not intact: %w", filepath.Base(c.Dir), r.Ref(), err)
	}
	return nil
}

func (r *Run) compareSizes(c Checkpoint) error {
	m, digest, err := readManifest(r.fs(), c.Dir)
	switch {
	case err != nil:
		return err
	case digest != c.Manifest:
		return fmt.Errorf("its manifest has changed")
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

// bestBy is the metric by which the run's spec chooses the best checkpoint: that of its last stage, as the last prune uses
// it. It is empty where the record of the spec does not say.
func (r *Run) bestBy() string {
	text, err := r.Spec()
	if err != nil {
		return ""
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
		return ""
	}
	for name, train := range resolved.Trains {
		if folderName(name) != r.Info.Name || len(train.Stages) == 0 {
			continue
		}
		if best := train.Stages[len(train.Stages)-1].Knobs.Validate.BestBy; best != "" {
			return "validation/" + best
		}
	}
	return ""
}
