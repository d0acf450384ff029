package runstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/awhost/awhost/host/journal/disk"
)

// BeginCheckpoint creates an empty directory for a step's checkpoint and returns its path. The trainer, which may be
// another process that inherited the lock, writes its files there. CommitCheckpoint or AbandonCheckpoint must be called
// afterward.
func (w *Writer) BeginCheckpoint(step int) (string, error) {
	w.committing.Lock()
	defer w.committing.Unlock()
	dir, err := w.place(step)
	if err != nil {
		return "", fmt.Errorf("begin checkpoint for step %d: %w", step, err)
	}
	if err = w.clearFolder(dir); err == nil {
		err = w.fs().Mkdir(dir, openMode)
	}
	if err != nil {
		return "", &StoppedError{Ref: w.Ref(), Dir: w.Dir, Err: fmt.Errorf("begin checkpoint for step %d: "+
			"%w", step, err)}
	}
	w.begun = dir
	return dir, nil
}

// StagingDir returns a directory for trainers that choose the names of their checkpoints themselves. TakeCheckpoint
// then moves the checkpoints that they have written. Others are removed at the next launch.
func (w *Writer) StagingDir() (string, error) {
	dir := filepath.Join(w.Dir, checkpointsDir, stagingDir)
	if err := w.fs().Mkdir(dir, openMode); err != nil && !errors.Is(err, fs.ErrExist) {
		return "", explain("make the folder for new checkpoints", err)
	}
	return dir, nil
}

// MoveCheckpoint works like BeginCheckpoint for a folder that the trainer has already written, on the same file system.
// It moves the folder. A directory that was already moved before an interrupted commit is used unchanged.
func (w *Writer) MoveCheckpoint(step int, written string) (string, error) {
	w.committing.Lock()
	defer w.committing.Unlock()
	dir, err := w.place(step)
	if err != nil {
		return "", fmt.Errorf("take over checkpoint for step %d: %w", step, err)
	}
	if filepath.Clean(written) != dir && !w.wasMoved(dir, written) {
		if err = w.clearFolder(dir); err == nil {
			err = w.fs().Rename(written, dir)
		}
		if err != nil {
			return "", &StoppedError{Ref: w.Ref(), Dir: w.Dir, Err: fmt.Errorf("take over checkpoint for step %d: "+
				"%w", step, err)}
		}
	}
	w.begun = dir
	return dir, nil
}

// WasMoved reports whether a step's checkpoint, which was written elsewhere, has already been moved but not committed.
func (w *Writer) WasMoved(step int, written string) bool {
	return w.wasMoved(w.checkpointDir(step), written)
}

// wasMoved reports whether a checkpoint has already been moved to dir but not committed.
func (w *Writer) wasMoved(dir, written string) bool {
	if _, err := w.fs().Lstat(written); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	if _, err := w.fs().Lstat(filepath.Join(dir, manifestFile)); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	_, err := w.fs().Lstat(dir)
	return err == nil
}

// place returns the directory for a step's checkpoint, or an error if the checkpoint cannot be committed now.
func (w *Writer) place(step int) (string, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.unsure != nil {
		return "", w.unsure
	}
	if _, tip := w.tipLocked(); step <= tip {
		return "", fmt.Errorf("the checkpoint of step %d is already committed", tip)
	}
	return w.checkpointDir(step), nil
}

// clearFolder clears a step's directory. An unfinished checkpoint in it is removed. A complete checkpoint that has been
// superseded is put aside until the next Prune.
func (w *Writer) clearFolder(dir string) error {
	_, err := w.fs().Lstat(filepath.Join(dir, manifestFile))
	if errors.Is(err, fs.ErrNotExist) {
		return disk.RemoveAll(w.fs(), dir)
	}
	if err != nil {
		return err
	}
	aside := fmt.Sprintf("%s%s%d", dir, supersededInfix, w.incarnation)
	if err := disk.RemoveAll(w.fs(), aside); err != nil {
		return err
	}
	return w.fs().Rename(dir, aside)
}

// AbandonCheckpoint removes a checkpoint that was begun and will not be committed.
func (w *Writer) AbandonCheckpoint(dir string) error {
	w.committing.Lock()
	defer w.committing.Unlock()
	if dir != w.begun {
		return fmt.Errorf("abandon checkpoint: %s was never started", dir)
	}
	w.begun = ""
	if err := disk.RemoveAll(w.fs(), dir); err != nil {
		return explain("abandon checkpoint", err)
	}
	return nil
}

// CommitCheckpoint makes a checkpoint that was begun count, together with all recorded steps and validation passes up
// to its step. The caller sets the manifest fields from Stage to External. When the call returns without an error, the
// files, the manifest, its name, and every record counted in the manifest are durable. After an error, the data on disk
// determines whether the checkpoint counts when the run is opened again.
func (w *Writer) CommitCheckpoint(ctx context.Context, dir string, m Manifest) (*Checkpoint, error) {
	w.committing.Lock()
	defer w.committing.Unlock()
	if dir != w.begun || dir != w.checkpointDir(m.Step) {
		return nil, fmt.Errorf("commit checkpoint for step %d: %s was not started for it", m.Step, dir)
	}
	if err := w.fill(&m); err != nil {
		return nil, fmt.Errorf("commit checkpoint for step %d: %w", m.Step, err)
	}
	digest, err := w.commit(ctx, dir, &m)
	if err != nil {
		return nil, w.refuseCommits(fmt.Errorf("commit checkpoint for step %d: %w", m.Step, err))
	}
	w.begun = ""
	c := m.summary(dir, digest)
	w.advance(c)
	if err := w.recordCommit(ctx, digest, m); err != nil {
		return nil, w.stopped(ctx, err)
	}
	return &c, nil
}

// refuseCommits rejects further commits, because after a failed commit only the data on disk determines the tip.
func (w *Writer) refuseCommits(err error) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.unsure = &StoppedError{Ref: w.Ref(), Dir: w.Dir, Err: err}
	return w.unsure
}

// fill sets the other fields: the manifest's position, and the list of counted episodes.
func (w *Writer) fill(m *Manifest) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	m.Format, m.Awhost, m.Run, m.Incarnation = FormatVersion, w.store.opts.Version, w.Info.ID, w.incarnation
	m.Committed = w.store.opts.Now().UTC().Truncate(time.Millisecond)
	m.Parent, _ = w.tipLocked()
	m.LaunchID = w.launch
	m.Consumed = []Consumed{}
	for _, step := range w.steps {
		if step.Step <= m.Step {
			m.Consumed = append(m.Consumed, step.Consumed...)
		}
	}
	for _, pass := range w.passes {
		if pass.Step <= m.Step {
			m.Consumed = append(m.Consumed, pass.Consumed...)
		}
	}
	return slotsOnce(m.Consumed)
}

// commit writes everything to disk in an order that makes the rename the decisive moment: first all content, then the
// names of the files, then the manifest's name, and then the directory's name.
func (w *Writer) commit(ctx context.Context, dir string, m *Manifest) (string, error) {
	files, folders, err := hashes(ctx, w.fs(), dir)
	if err != nil {
		return "", err
	}
	m.Files, m.Journal = files, w.journal.End()
	data, err := encode(m)
	if err != nil {
		return "", err
	}
	digest, err := manifestDigest(data)
	if err != nil {
		return "", err
	}
	if err := w.syncContent(ctx, dir, files, data); err != nil {
		return "", err
	}
	for _, folder := range folders {
		if err := w.fs().SyncDir(filepath.Join(dir, filepath.FromSlash(folder))); err != nil {
			return "", err
		}
	}
	manifest := filepath.Join(dir, manifestFile)
	if err := w.fs().Rename(manifest+stagedSuffix, manifest); err != nil {
		return "", err
	}
	var names errgroup.Group
	names.Go(func() error { return w.fs().SyncDir(dir) })
	names.Go(func() error { return w.fs().SyncDir(filepath.Dir(dir)) })
	return digest, names.Wait()
}

// syncContent makes the files listed in the manifest durable, as well as the manifest under its temporary name. The
// fsyncs run concurrently, so that the file system can combine their work.
func (w *Writer) syncContent(ctx context.Context, dir string, files []FileHash, manifest []byte) error {
	var all errgroup.Group
	all.Go(func() error { return w.journal.Sync(ctx) })
	all.Go(func() error { return disk.StageFile(w.fs(), filepath.Join(dir, manifestFile+stagedSuffix), manifest) })
	all.Go(func() error {
		return eachFile(ctx, len(files), func(i int) error {
			return disk.SyncFile(w.fs(), filepath.Join(dir, filepath.FromSlash(files[i].Path)))
		})
	})
	return all.Wait()
}

// advance makes a committed checkpoint the tip.
func (w *Writer) advance(c Checkpoint) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lineage = append(w.lineage, c)
	w.steps = slices.DeleteFunc(w.steps, func(s StepRecord) bool { return s.Step <= c.Step })
	w.passes = slices.DeleteFunc(w.passes, func(p ValidationRecord) bool { return p.Step <= c.Step })
	maps.DeleteFunc(w.counted, func(key passKey, _ bool) bool { return key.step < c.Step })
	w.answers.forget(c.Step)
	w.forgetOld()
}

// recordCommit repeats the manifest in the journal, with its long list written first and separately, so that the
// lineage can be read without the list. It needs no fsync, because the manifest file itself is used until the records
// are durable.
func (w *Writer) recordCommit(ctx context.Context, digest string, m Manifest) error {
	if err := w.write(ctx, TypeConsumed, consumedRecord{Digest: digest, Consumed: m.Consumed}); err != nil {
		return err
	}
	m.Consumed = nil
	defer w.metrics.settle()
	return w.write(ctx, TypeCommit, commitRecord{Digest: digest, Manifest: m})
}
