package runstore

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
)

// ResumeOptions holds the options for reopening a run. The zero value is usable.
type ResumeOptions struct {
	// FromScratch permits a restart from the beginning if no checkpoint is intact.
	FromScratch bool
	// Build is the stored awhost build with which the run continues. Nil means the previous build.
	Build *build.Build
	// AcceptBuild permits a Build with a different identity. The run's results are then not exact. Without it, such a
	// Build results in an OtherBuildError.
	AcceptBuild bool
	// Extension gives the run more steps. Nil keeps the previous Extension.
	Extension *Extension
}

// OtherBuildError reports that a run continues with a different awhost build.
type OtherBuildError struct {
	Ref       string
	Was, Here build.Build
}

// Error implements error.
func (e *OtherBuildError) Error() string {
	how := "continue with: awhost resume " + e.Ref // which executes the stored build
	if e.Was.Identity == "" {
		how = "continue with this build anyway with: awhost resume --accept-build " + e.Ref +
			"; the run is then no longer exact"
	}
	return fmt.Sprintf("run %s uses %s, but this is %s, which may compute differently; %s", e.Ref, e.Was, e.Here, how)
}

// NoCheckpointError reports that a run has checkpoints but none can be used.
type NoCheckpointError struct {
	Ref     string
	Reasons []string // newest first
}

// Error implements error.
func (e *NoCheckpointError) Error() string {
	return fmt.Sprintf("run %s cannot be resumed, none of its checkpoints is intact: %s; start another run with: awhost apply --new",
		e.Ref, strings.Join(e.Reasons, "; "))
}

// Resume opens a run for writing, at its newest intact checkpoint. If the run is being written, it returns a
// LockedError.
func (s *Store) Resume(ctx context.Context, ref string, opts ResumeOptions) (*Writer, error) {
	run, err := s.Open(ref)
	if err != nil {
		return nil, err
	}
	lock, err := s.acquire(ctx, run.Dir)
	if err != nil {
		return nil, opened(err, run.Ref())
	}
	w, err := s.resume(ctx, run, opts)
	if err != nil {
		return nil, errors.Join(opened(err, run.Ref()), closeLock(lock))
	}
	w.lock = lock
	return w, nil
}

// opened adds the run's name to an error that does not contain it.
func opened(err error, ref string) error {
	var locked *LockedError
	var none *NoCheckpointError
	var unreadable *UnreadableLockError
	if errors.As(err, &locked) || errors.As(err, &none) || errors.As(err, &unreadable) {
		return err
	}
	return explain("open run "+ref+" for writing", err)
}

func (s *Store) resume(ctx context.Context, run *Run, opts ResumeOptions) (*Writer, error) {
	durable, err := run.durable()
	if err != nil {
		return nil, err
	}
	j, recovery, err := journal.Open(run.JournalPath(),
		journal.Options{FS: s.opts.FS, Writer: s.program(), Durable: durable, Index: indexed})
	if err != nil {
		return nil, err
	}
	w := newWriter(run, j)
	if err := w.takeOver(opts); err != nil {
		return nil, errors.Join(err, w.release())
	}
	if err := w.load(ctx, recovery, opts); err != nil {
		return nil, errors.Join(err, w.release())
	}
	return w, nil
}

// takeOver determines the build with which the run continues, and whether its results may differ from the first
// build's.
func (w *Writer) takeOver(opts ResumeOptions) error {
	was := w.CurrentBuild()
	if w.build = cmp.Or(opts.Build, was); opts.Build == nil {
		return nil
	}
	unknown := &build.Build{Awhost: w.Info.Awhost, Target: w.Info.Machine.Arch} // a run of an earlier version
	was, began := cmp.Or(was, unknown), cmp.Or(w.Info.Build, unknown)
	if was.Identity != opts.Build.Identity {
		if !opts.AcceptBuild {
			return &OtherBuildError{Ref: w.Ref(), Was: *was, Here: *opts.Build}
		}
		w.replaces = was
	}
	if began.Identity != opts.Build.Identity {
		w.inexact = fmt.Sprintf("it started with %s and continued with %s", began, opts.Build)
	}
	return nil
}

// durable returns how much of the journal was durable when the newest checkpoint was committed.
func (r *Run) durable() (int64, error) {
	entries, err := r.fs().ReadDir(filepath.Join(r.Dir, checkpointsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	var durable int64
	for _, entry := range entries {
		m, _, err := readManifest(r.fs(), filepath.Join(r.Dir, checkpointsDir, entry.Name()))
		var format *FormatError
		if errors.As(err, &format) {
			return 0, err
		}
		if err == nil && m.Run == r.Info.ID {
			durable = max(durable, m.Journal.Offset)
		}
	}
	return durable, nil
}

// load finds the point to continue from and begins the incarnation.
func (w *Writer) load(ctx context.Context, recovery journal.Recovery, opts ResumeOptions) error {
	if err := w.makeFolders(); err != nil {
		return err
	}
	h, err := w.history()
	if err != nil {
		return err
	}
	w.extension = cmp.Or(opts.Extension, w.Run.Extension(), h.extension) // the owner is written before the record
	tip, skipped, err := w.intact(ctx, h)
	if err != nil {
		return err
	}
	if tip == nil && len(h.lineage) > 0 && !opts.FromScratch {
		return &NoCheckpointError{Ref: w.Ref(), Reasons: skipped}
	}
	if err := w.begin(ctx, h, recovery.Torn); err != nil {
		return err
	}
	if err := w.recordAdopted(ctx, h); err != nil {
		return err
	}
	if err := w.restore(h, tip); err != nil {
		return err
	}
	return w.warn(ctx, skipped, recovery)
}

// makeFolders creates the directories that may be missing after an interrupted creation or a partial copy of a run.
func (w *Writer) makeFolders() error {
	for _, dir := range folders {
		if err := disk.MkdirAll(w.fs(), filepath.Join(w.Dir, dir.name), dir.mode); err != nil {
			return err
		}
	}
	return nil
}

// recordAdopted writes the commit record that a kill prevented.
func (w *Writer) recordAdopted(ctx context.Context, h *history) error {
	if len(h.lineage) == 0 || !h.adopted {
		return nil
	}
	m, digest, err := readManifest(w.fs(), h.lineage[len(h.lineage)-1].Dir)
	if err != nil {
		return err
	}
	return w.recordCommit(ctx, digest, *m)
}

// restore takes over the state of the earlier processes.
func (w *Writer) restore(h *history, tip *Checkpoint) error {
	if tip == nil {
		h.rollBack("")
	} else {
		h.rollBack(tip.Manifest)
	}
	w.lineage = h.lineage
	if n := len(h.launches); n > 0 {
		w.launch = h.launches[n-1].LaunchID
	}
	for _, p := range h.passes {
		if after, step := w.tipLocked(); p.after == after && p.step == max(step, 0) {
			w.counted[passKey{p.stage, p.step}] = true
		}
	}
	if tip == nil {
		return nil
	}
	m, _, err := readManifest(w.fs(), tip.Dir)
	if err != nil {
		return err
	}
	for _, c := range m.Consumed {
		if c.Use == UseValidated && c.Step >= tip.Step {
			w.counted[passKey{c.Slot.Stage, c.Step}] = true
		}
	}
	return nil
}

// warn records the skipped data.
func (w *Writer) warn(ctx context.Context, skipped []string, recovery journal.Recovery) error {
	for _, reason := range skipped {
		w.warnings = append(w.warnings, EventRecord{
			Kind: "checkpoint_skipped", Level: "warn", Message: reason + "; the run continues from the one before",
		})
	}
	if recovery.Torn > 0 {
		w.warnings = append(w.warnings, EventRecord{
			Kind: "journal_truncated", Level: "info",
			Message: fmt.Sprintf("the last %d bytes of the journal were an unfinished record and have been cut off",
				recovery.Torn),
		})
	}
	if w.inexact != "" {
		w.warnings = append(w.warnings, EventRecord{
			Kind: "build_changed", Level: "warn", Message: w.inexact + ": results may differ, and the run is no longer exact",
		})
	}
	if !w.Info.Machine.SameNumbers(thisMachine()) {
		w.inexact = cmp.Or(w.inexact, "it continued on a processor with other features than the processor it started on")
		w.warnings = append(w.warnings, EventRecord{
			Kind: "machine_changed", Level: "warn",
			Message: "this processor has other features than the one the run began on: results may differ in their last bits, and the run is no longer exact",
		})
	}
	for _, warning := range w.warnings {
		if err := w.AppendEvent(ctx, warning); err != nil {
			return err
		}
	}
	return nil
}

var _ error = (*NoCheckpointError)(nil)
