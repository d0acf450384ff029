package runstore

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/sdk"
)

// Audit is the result of checking a run's records.
type Audit struct {
	Commits    int
	Trained    int // episodes by their use
	Masked     int
	Filtered   int
	Validated  int
	Superseded int
	Short      []IncompleteStep // steps with fewer samples than planned, which is not an error
	Builds     []string         // sentences: each change to a build whose results may differ, which is not an error
	Unrecorded []string         // files of the run directory whose SHA-256 the journal lacks, as in earlier versions
	Uncovered  []string         // files and folders of the run directory that no checksum covers; folders end in a slash
	Problems   []string         // sentences; empty if the run is consistent
}

// Audit checks that each slot counts exactly once in the lineage, that every record counted by a manifest is present
// and unchanged, and that the manifests on disk match the journal. It verifies the checksums of run.json, the resolved
// spec, the stored responses, and the attachments, and lists everything else in the run directory as uncovered, except
// for the files named in checkpoint manifests: see [Run.Kept].
func (r *Run) Audit(ctx context.Context) (*Audit, error) {
	h, err := r.historySoFar()
	if err != nil {
		return nil, err
	}
	audit, tally := &Audit{}, newSampleTally(h)
	want := 0
	step := -1
	err = r.eachCommit(h, func(m Checkpoint, consumed []Consumed) error {
		audit.Commits++
		tally.add(consumed)
		if m.Step <= step {
			audit.problem("the checkpoint of step %d follows the checkpoint of step %d", m.Step, step)
		}
		if err := slotsOnce(consumed); err != nil {
			audit.problem("the manifest of step %d: %v", m.Step, err)
		}
		for _, c := range consumed {
			if c.Use != UseValidated && (c.Step <= step || c.Step > m.Step) {
				audit.problem("the manifest of step %d counts step %d", m.Step, c.Step)
			}
			if c.Record != "" {
				want++
			}
		}
		step = m.Step
		return nil
	})
	if err != nil {
		return nil, err
	}
	if audit.Short, err = tally.incomplete(r, h); err != nil {
		return nil, err
	}
	if err := audit.files(r); err != nil {
		return nil, err
	}
	if err := audit.builds(r); err != nil {
		return nil, err
	}
	if err := audit.manifests(r); err != nil {
		return nil, err
	}
	if err := audit.contents(r); err != nil {
		return nil, err
	}
	return audit, audit.episodes(ctx, r, want)
}

// files compares run.json and the resolved spec with the hashes stored in the first record.
func (a *Audit) files(r *Run) error {
	var recorded []FileHash
	for record, err := range r.Records(journal.Position{}, TypeIncarnation) {
		if err == nil {
			err = decoded(record, func(i incarnationRecord) { recorded = i.Files })
		}
		if err != nil {
			return err
		}
		break
	}
	for _, name := range []string{infoFile, specFile} {
		i := slices.IndexFunc(recorded, func(f FileHash) bool { return f.Path == name })
		var err error
		if i >= 0 {
			err = recorded[i].verify(r.fs(), r.Dir)
		} else {
			a.Unrecorded = append(a.Unrecorded, name)
			if _, err = hashFile(r.fs(), r.Dir, name); errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%s is missing", name)
			}
		}
		if err != nil {
			a.problem("%v: restore %s from a backup; the checkpoints and the journal are not affected",
				err, filepath.Join(r.Dir, name))
		}
	}
	return nil
}

// builds lists the changes to builds whose results may differ.
func (a *Audit) builds(r *Run) error {
	for record, err := range r.Records(journal.Position{}, TypeIncarnation) {
		if err == nil {
			err = decoded(record, func(i incarnationRecord) {
				if i.Replaces != nil && i.Owner.Build != nil {
					a.Builds = append(a.Builds, fmt.Sprintf("start %d accepted another build, so that what it added is not exact: it was %s and is %s",
						record.Incarnation, i.Replaces, i.Owner.Build))
				}
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// manifests compares the manifests on disk with the recorded commits.
func (a *Audit) manifests(r *Run) error {
	mismatches, err := r.mismatches()
	for _, m := range mismatches {
		a.problem("%s", m.problem)
	}
	return err
}

// contents verifies the responses and attachments, and lists the files that are not covered by a checksum.
func (a *Audit) contents(r *Run) error {
	entries, err := r.fs().ReadDir(r.Dir)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		switch name := entry.Name(); name {
		case infoFile, specFile, journalFile: // verified elsewhere
		case checkpointsDir:
			err = a.checkpoints(r)
		case answersFile:
			a.answers(r)
		case attachmentsDir:
			err = a.attachments(r)
		default:
			if entry.IsDir() {
				name += "/"
			}
			a.Uncovered = append(a.Uncovered, name)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *Audit) answers(r *Run) {
	path := filepath.Join(r.Dir, answersFile)
	for _, err := range journal.Read(path, journal.ReadOptions{FS: r.fs(), Strict: true}) {
		if err != nil {
			a.problem("the kept answers: %v: awhost resume requests damaged answers again", err)
		}
	}
}

// checkpoints lists the files in the checkpoint directory that are not named in any of the lineage's manifests.
// Run.Verify compares the other files with their manifests.
func (a *Audit) checkpoints(r *Run) error {
	h, err := r.historySoFar()
	if err != nil {
		return err
	}
	present := r.present(h)
	entries, err := r.fs().ReadDir(filepath.Join(r.Dir, checkpointsDir))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		name := checkpointsDir + "/" + entry.Name()
		if !entry.IsDir() {
			a.Uncovered = append(a.Uncovered, name)
			continue
		}
		dir := filepath.Join(r.Dir, name)
		found, _, err := walk(r.fs(), dir, "")
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			a.problem("list files in %s: %v", dir, err)
		}
		if !slices.ContainsFunc(present, func(c Checkpoint) bool { return c.Dir == dir }) {
			if len(found) > 0 {
				a.Uncovered = append(a.Uncovered, name+"/")
			}
			continue
		}
		m, _, err := readManifest(r.fs(), dir)
		if err != nil {
			continue // a mismatch with the journal, or just pruned
		}
		for _, file := range found {
			if !slices.ContainsFunc(m.Files, func(f FileHash) bool { return f.Path == file }) {
				a.Uncovered = append(a.Uncovered, name+"/"+file)
			}
		}
	}
	return nil
}

// attachments compares each attachment's content with its name, the content's SHA-256.
func (a *Audit) attachments(r *Run) error {
	entries, err := r.fs().ReadDir(filepath.Join(r.Dir, attachmentsDir))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		path := attachmentsDir + "/" + entry.Name()
		if strings.HasSuffix(path, stagedSuffix) {
			continue // a write that a crash interrupted: no record names it
		}
		found, err := hashFile(r.fs(), r.Dir, path)
		if err != nil {
			return err
		}
		if found.SHA256 != entry.Name() {
			a.problem("%s has changed since it was written: restore %s from a backup; training is not affected",
				path, filepath.Join(r.Dir, path))
		}
	}
	return nil
}

func (a *Audit) problem(format string, args ...any) {
	a.Problems = append(a.Problems, fmt.Sprintf(format, args...))
}

func (a *Audit) episodes(ctx context.Context, r *Run, want int) error {
	found := 0
	for episode, err := range r.Episodes(ctx) {
		if err != nil {
			return err
		}
		if episode.Standing == Superseded {
			a.Superseded++
		}
		if episode.Standing != Counted {
			continue
		}
		found++
		switch episode.Use {
		case sdk.ConsumedTrained:
			a.Trained++
		case sdk.ConsumedMasked:
			a.Masked++
		case sdk.ConsumedFiltered:
			a.Filtered++
		case UseValidated:
			a.Validated++
		}
	}
	if found < want {
		a.problem("%d of %d episodes that the manifests count are not in the journal: restore %s from a backup",
			want-found, want, r.JournalPath())
	}
	return nil
}
