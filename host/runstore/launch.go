package runstore

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/awhost/awhost/host/journal/disk"
)

// AppendLaunch records that a trainer is about to be started from the tip, or reattached, and returns once the record
// is durable. A trainer that is started supersedes all records after the tip. A trainer that is reattached continues
// with the episodes of its earlier host.
func (w *Writer) AppendLaunch(ctx context.Context, launch LaunchRecord) error {
	w.mu.Lock()
	launch.From, launch.FromStep = w.tipLocked()
	w.mu.Unlock()
	if err := w.prepare(ctx, launch); err != nil {
		return err
	}
	if err := w.write(ctx, TypeLaunch, launch); err != nil {
		return w.stopped(ctx, err)
	}
	if err := w.Sync(ctx); err != nil {
		return err
	}
	w.mu.Lock()
	w.launch = launch.LaunchID
	if !launch.Reattached {
		w.steps, w.passes = nil, nil
		maps.DeleteFunc(w.counted, func(key passKey, _ bool) bool { return key.step > launch.FromStep })
	}
	w.mu.Unlock()
	return w.stopped(ctx, w.exportMetrics())
}

// prepare updates the set of open episodes and the checkpoint directory for the launch.
func (w *Writer) prepare(ctx context.Context, launch LaunchRecord) error {
	if launch.Reattached {
		return w.collectUncommitted(launch.LaunchID)
	}
	w.mu.Lock()
	clear(w.open)
	w.mu.Unlock()
	return w.stopped(ctx, w.removeUnfinished())
}

// removeUnfinished removes the directories of checkpoints that were interrupted before their manifest was written.
func (w *Writer) removeUnfinished() error {
	unfinished, err := w.withoutManifest(filepath.Join(w.Dir, checkpointsDir))
	for _, path := range unfinished {
		if err := disk.RemoveAll(w.fs(), path); err != nil {
			return err
		}
	}
	return err
}

// Unfinished lists the directories of checkpoints that were interrupted before they were committed. AppendLaunch
// removes them when a trainer is started.
func (w *Writer) Unfinished() ([]string, error) {
	dir := filepath.Join(w.Dir, checkpointsDir)
	unfinished, err := w.withoutManifest(dir)
	staging := filepath.Join(dir, stagingDir)
	if i := slices.Index(unfinished, staging); err == nil && i >= 0 {
		var staged []string
		staged, err = w.withoutManifest(staging)
		unfinished = slices.Replace(unfinished, i, i+1, staged...)
	}
	if err != nil {
		return nil, explain("look for unfinished checkpoints", err)
	}
	return unfinished, nil
}

// withoutManifest lists the entries of a directory that are not complete checkpoints.
func (w *Writer) withoutManifest(dir string) (paths []string, err error) {
	entries, err := w.fs().ReadDir(dir)
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if _, err := w.fs().Lstat(filepath.Join(path, manifestFile)); errors.Is(err, fs.ErrNotExist) {
			paths = append(paths, path)
		}
	}
	return paths, err
}
