package runstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
)

// Fault is a kind of contradiction between a checkpoint on disk and the commits in the journal.
type Fault string

// The faults of checkpoints.
const (
	FaultDamaged Fault = "damaged" // it differs from the committed one
	FaultMissing Fault = "missing" // it was committed and not pruned, and has no manifest
	FaultUnknown Fault = "unknown" // no commit record contains its manifest
	FaultCut     Fault = "cut"     // the journal ends before the position at which it was committed
)

// mismatch is a contradiction between the manifests on disk and the journal.
type mismatch struct {
	checkpoint Checkpoint
	fault      Fault
	problem    string // a sentence, with the remedy
}

// foundManifest is a manifest in the checkpoint directory.
type foundManifest struct {
	dir      string
	manifest *Manifest
	digest   string
	err      error // it cannot be read
}

// manifests reads every manifest in the checkpoint directory, including superseded ones. Directories without a
// manifest, which are being written or were interrupted, are not listed.
func (r *Run) manifests() ([]foundManifest, error) {
	folder := filepath.Join(r.Dir, checkpointsDir)
	entries, err := r.fs().ReadDir(folder)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, explain("read the checkpoints of run "+r.Ref(), err)
	}
	var found []foundManifest
	for _, entry := range entries {
		dir := filepath.Join(folder, entry.Name())
		m, digest, err := readManifest(r.fs(), dir)
		if !errors.Is(err, fs.ErrNotExist) {
			found = append(found, foundManifest{dir, m, digest, err})
		}
	}
	return found, nil
}

// mismatches compares the manifests on disk with the commit records, in both directions. An active run may commit and
// prune during this check, so only problems that two comparisons find are returned.
func (r *Run) mismatches() ([]mismatch, error) {
	first, err := r.compareManifests()
	if err != nil || len(first) == 0 {
		return nil, err
	}
	again, err := r.compareManifests()
	return slices.DeleteFunc(again, func(m mismatch) bool {
		return !slices.ContainsFunc(first, func(o mismatch) bool { return o.problem == m.problem })
	}), err
}

func (r *Run) compareManifests() ([]mismatch, error) {
	found, err := r.manifests()
	if err != nil {
		return nil, err
	}
	h, err := r.historySoFar()
	if err != nil {
		return nil, err
	}
	info, err := r.fs().Lstat(r.JournalPath())
	if err != nil {
		return nil, explain("look at the journal of run "+r.Ref(), err)
	}
	out := r.cut(found, info.Size())
	at := map[string]foundManifest{}
	for _, f := range found {
		at[f.dir] = f
	}
	for i, c := range h.lineage {
		f, there := at[c.Dir]
		if !c.Removed {
			delete(at, c.Dir)
		}
		switch {
		case c.Removed, !there && h.mayBePruned(i):
		case !there:
			out = append(out, r.missing(c))
		default:
			if err := f.committedAs(c); err != nil {
				out = append(out, mismatch{c, FaultDamaged, r.notIntact(c, err).Error() + "; " + remedy(c)})
			}
		}
	}
	for _, f := range found {
		if _, left := at[f.dir]; left && !h.knows(f) && (f.err != nil || f.manifest.Journal.Offset <= info.Size()) {
			out = append(out, r.unknown(f)) // one made later belongs to the lost end of the journal
		}
	}
	return out, nil
}

// cut checks that the journal extends at least as far as it did at each checkpoint's commit. The lost end may contain
// only the commits themselves, and then no other check detects the loss.
func (r *Run) cut(found []foundManifest, size int64) []mismatch {
	var last *foundManifest
	for i, f := range found {
		if f.err == nil && f.manifest.Run == r.Info.ID && f.manifest.Journal.Offset > size &&
			(last == nil || f.manifest.Journal.Offset > last.manifest.Journal.Offset) {
			last = &found[i]
		}
	}
	if last == nil {
		return nil
	}
	problem := fmt.Sprintf("the journal ends after %d bytes, and had %d when the checkpoint of step %d was made: "+
		"its end is gone; restore %s from a backup", size, last.manifest.Journal.Offset, last.manifest.Step, r.JournalPath())
	return []mismatch{{last.manifest.summary(last.dir, last.digest), FaultCut, problem}}
}

// mayBePruned reports whether a checkpoint in the lineage may have been pruned without a record. Pruning becomes
// durable only with the next commit, so a power failure after the last commit can lose the record of the removal. The
// two newest checkpoints are never pruned.
func (h *history) mayBePruned(i int) bool { return !h.settled && i < len(h.lineage)-2 }

// knows reports whether the manifest belongs to a recorded commit, whether in the lineage or not, or is just being
// recorded.
func (h *history) knows(f foundManifest) bool {
	return f.err == nil && (h.commits[f.digest] || f.digest == h.tip())
}

// committedAs returns an error if a manifest differs from the committed one.
func (f foundManifest) committedAs(c Checkpoint) error {
	if f.err == nil && f.digest != c.Manifest {
		return fmt.Errorf("its manifest is not the one that was committed: its digest is %s, "+
			"and the commit record in the journal says %s", abbreviated(f.digest), abbreviated(c.Manifest))
	}
	return f.err
}

// committedManifest reads a checkpoint's manifest, which must be the committed one.
func (r *Run) committedManifest(c Checkpoint) (*Manifest, error) {
	m, digest, err := readManifest(r.fs(), c.Dir)
	return m, foundManifest{c.Dir, m, digest, err}.committedAs(c)
}

func (r *Run) missing(c Checkpoint) mismatch {
	return mismatch{c, FaultMissing, fmt.Sprintf(
		"checkpoint %s of run %s was committed and not pruned, and its %s is missing; %s",
		filepath.Base(c.Dir), r.Ref(), manifestFile, remedy(c))}
}

func (r *Run) unknown(f foundManifest) mismatch {
	if f.err != nil {
		c := Checkpoint{Dir: f.dir, Path: f.dir, Step: -1}
		problem := fmt.Sprintf("%v; restore %s from a backup, or remove it", r.notIntact(c, f.err), f.dir)
		return mismatch{c, FaultDamaged, problem}
	}
	why := "no commit record of the journal knows its manifest"
	if f.manifest.Run != r.Info.ID {
		why = "it is of another run, " + f.manifest.Run
	}
	return mismatch{f.manifest.summary(f.dir, f.digest), FaultUnknown, fmt.Sprintf(
		"checkpoint %s does not belong to run %s: %s; nothing counts it: "+
			"move %s away, or restore the journal from a backup", filepath.Base(f.dir), r.Ref(), why, f.dir)}
}

// notIntact wraps a problem with a checkpoint.
func (r *Run) notIntact(c Checkpoint, err error) error {
	return fmt.Errorf("checkpoint %s of run %s is not intact: %w", filepath.Base(c.Dir), r.Ref(), err)
}

// remedy returns the remedy for a checkpoint that differs from the committed one.
func remedy(c Checkpoint) string {
	return fmt.Sprintf("restore %s from a backup: without it the run continues from the newest intact checkpoint", c.Dir)
}

// abbreviated returns enough of a digest to recognize it.
func abbreviated(digest string) string { return fmt.Sprintf("%.19s…", digest) }
