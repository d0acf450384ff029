package runstore

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"path/filepath"

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
	dir := filepath.Join(w.Dir, checkpointsDir)
	entries, err := w.fs().ReadDir(dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := filepath.Join(dir, entry.Name())
		if _, err := w.fs().Lstat(filepath.Join(path, manifestFile)); !errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := disk.RemoveAll(w.fs(), path); err != nil {
			return err
		}
	}
	return nil
}
