package runstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/journal/disk"
)

// Retention selects the checkpoints to keep. The newest, the one before it (in case the newest is not intact) and the
// best of each stage are always kept.
type Retention struct {
	// Keep is the number of newest checkpoints with Manifest.Keep that are kept; 0 means all.
	Keep int
	// BestBy names the metric that selects each stage's best checkpoint, such as "validation/success_rate". Empty or
	// missing means none.
	BestBy []string
	// LowerIsBetter is set for metrics such as a loss.
	LowerIsBetter bool
	// Release is called before a checkpoint's directory is removed, with the path that a trainer loads. It returns false
	// to keep the directory until a later Prune. The manifest is nil if it is damaged. Release must be idempotent. It may
	// be nil.
	Release func(ctx context.Context, m *Manifest, path string) bool
}

// Prune removes the directories of checkpoints that do not have to be kept, including superseded ones, and returns
// their names. The lineage itself remains on record. A kill during Prune does not leave anything that could be mistaken
// for a checkpoint.
func (w *Writer) Prune(ctx context.Context, keep Retention) ([]string, error) {
	w.committing.Lock()
	defer w.committing.Unlock()
	doomed := keep.removable(w.existingCheckpoints())
	leftBehind, err := w.leftoverFolders()
	if err != nil {
		return nil, fmt.Errorf("prune: %w", err)
	}
	if len(doomed)+len(leftBehind) == 0 {
		return nil, nil
	}
	if err := w.announce(ctx, doomed); err != nil {
		return nil, err
	}
	var removed []string
	waiting := map[string]bool{}
	for _, dir := range append(leftBehind, dirsOf(doomed)...) {
		if !w.released(ctx, keep, dir) {
			waiting[dir] = true
			continue
		}
		if err := w.removeCheckpoint(dir); err != nil {
			return removed, w.stopped(ctx, fmt.Errorf("prune: %w", err))
		}
		removed = append(removed, filepath.Base(dir))
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	// Neither the memory nor the time of a step may grow with the number of steps.
	w.lineage = slices.DeleteFunc(w.lineage, func(c Checkpoint) bool { return c.Removed && !waiting[c.Dir] })
	return removed, nil
}

// released reports whether a checkpoint's directory may be removed. One without a manifest was released by the prune
// that removed the manifest. A framework's own location that another checkpoint also uses is not released.
func (w *Writer) released(ctx context.Context, keep Retention, dir string) bool {
	m, _, err := readManifest(w.fs(), dir)
	if keep.Release == nil || errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil {
		return keep.Release(ctx, nil, dir)
	}
	path := m.summary(dir, "").Path
	for _, c := range w.existingCheckpoints() {
		if c.Path == path {
			return true
		}
	}
	return keep.Release(ctx, m, path)
}

// existingCheckpoints lists the lineage's checkpoints that still exist, oldest first.
func (w *Writer) existingCheckpoints() []Checkpoint {
	w.mu.Lock()
	defer w.mu.Unlock()
	var present []Checkpoint
	for i := range w.lineage {
		if !w.lineage[i].Removed {
			present = append(present, w.lineage[i])
		}
	}
	return present
}

// removable returns the checkpoints to remove. present is ordered by step.
func (keep Retention) removable(present []Checkpoint) []Checkpoint {
	kept := 0
	var doomed []Checkpoint
	for i := len(present) - 1; i >= 0; i-- {
		c := present[i]
		if c.Keep {
			kept++
		}
		wanted := c.Keep && (keep.Keep == 0 || kept <= keep.Keep)
		if i < len(present)-2 && !wanted && i != keep.best(present, c.StageIndex) { // best compares all checkpoints
			doomed = append(doomed, c)
		}
	}
	return doomed
}

// best returns the index of a stage's first checkpoint with the best metric value, or -1 if none has the metric. Stages
// may validate on different data, so their values are never compared.
func (keep Retention) best(present []Checkpoint, stage int) int {
	best := -1
	if stage >= len(keep.BestBy) || keep.BestBy[stage] == "" {
		return best
	}
	by := keep.BestBy[stage]
	for i, c := range present {
		value, ok := c.Metrics[by]
		if c.StageIndex != stage || !ok || math.IsNaN(value) {
			continue
		}
		if best < 0 || keep.better(value, present[best].Metrics[by]) {
			best = i
		}
	}
	return best
}

func (keep Retention) better(a, b float64) bool {
	if keep.LowerIsBetter {
		return a < b
	}
	return a > b
}

// leftoverFolders lists the directories that makeWay has set aside, and the checkpoints from an earlier prune that
// recorded their removal but was killed before removing them.
func (w *Writer) leftoverFolders() ([]string, error) {
	dir := filepath.Join(w.Dir, checkpointsDir)
	entries, err := w.fs().ReadDir(dir)
	if err != nil {
		return nil, err
	}
	pruned := w.pruned()
	var dirs []string
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if strings.Contains(entry.Name(), supersededInfix) || w.isLeftover(path, pruned[path]) {
			dirs = append(dirs, path)
		}
	}
	return dirs, nil
}

// pruned returns the manifests of the lineage's checkpoints whose removal has been recorded, keyed by directory.
func (w *Writer) pruned() map[string]string {
	w.mu.Lock()
	defer w.mu.Unlock()
	pruned := map[string]string{}
	for i := range w.lineage {
		if c := &w.lineage[i]; c.Removed {
			pruned[c.Dir] = c.Manifest
		}
	}
	return pruned
}

// isLeftover reports whether a directory contains a pruned checkpoint with the given manifest, or its remains.
func (w *Writer) isLeftover(dir, manifest string) bool {
	if manifest == "" {
		return false
	}
	_, digest, err := readManifest(w.fs(), dir)
	return errors.Is(err, fs.ErrNotExist) || err == nil && digest == manifest
}

func dirsOf(checkpoints []Checkpoint) []string {
	var dirs []string
	for _, c := range checkpoints {
		dirs = append(dirs, c.Dir)
	}
	return dirs
}

// announce records the removal. It needs no fsync: only checkpoints before the newest two are removed, and the commit
// of the newest has made their commit records durable, which are from then on the only source for the lineage.
func (w *Writer) announce(ctx context.Context, doomed []Checkpoint) error {
	if len(doomed) == 0 {
		return nil
	}
	var record pruneRecord
	gone := map[string]bool{}
	for _, c := range doomed {
		record.Digests = append(record.Digests, c.Manifest)
		gone[c.Manifest] = true
	}
	if err := w.write(ctx, TypePrune, record); err != nil {
		return w.stopped(ctx, err)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.lineage {
		if c := &w.lineage[i]; gone[c.Manifest] {
			c.Removed, c.Metrics = true, nil
		}
	}
	return nil
}

// removeCheckpoint removes the manifest first, so that a kill leaves an unfinished checkpoint.
func (w *Writer) removeCheckpoint(dir string) error {
	if err := disk.RemoveAll(w.fs(), filepath.Join(dir, manifestFile)); err != nil {
		return err
	}
	return disk.RemoveAll(w.fs(), dir)
}
