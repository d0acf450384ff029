package runstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"

	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
)

// Run is a run that is opened for reading. Reading needs no lock and works while the run is being written.
type Run struct {
	Info Info
	// Dir is the run directory.
	Dir string

	store   *Store
	records Source // nil: the journal
	known   *knownHistory
}

// Source yields a run's records after a position, in order, either of the given types or of all types.
type Source func(from journal.Position, types ...Type) iter.Seq2[Record, error]

// WithSource returns a run that reads its records from a journal index, which may contain Reduced records. All data
// that determines what counts is read from it. Only the episodes themselves are read from the journal.
func (r *Run) WithSource(records Source) *Run {
	out := *r
	out.records, out.known = records, &knownHistory{}
	return &out
}

func (r *Run) fs() disk.FS { return r.store.opts.FS }

// Ref returns the user's name for the run: "quickstart-3".
func (r *Run) Ref() string { return r.Info.Ref() }

// JournalPath returns the path of the journal.
func (r *Run) JournalPath() string { return filepath.Join(r.Dir, journalFile) }

// MetricsPath returns the path of the readable copy of the metrics.
func (r *Run) MetricsPath() string { return filepath.Join(r.Dir, metricsFile) }

// TensorBoardDir returns the directory for TensorBoard event files.
func (r *Run) TensorBoardDir() string { return filepath.Join(r.Dir, tensorboardDir) }

// TrackerDir returns the directory in which a tracker's program stores the run's data.
func (r *Run) TrackerDir(name string) string { return filepath.Join(r.Dir, trackersDir, name) }

// Tracked is the directory of a program that receives the run's numbers.
type Tracked struct {
	Name string // tensorboard, wandb
	Dir  string
}

// Tracked lists the existing directories for event files and trackers.
func (r *Run) Tracked() ([]Tracked, error) {
	var out []Tracked
	if _, err := r.fs().ReadDir(r.TensorBoardDir()); err == nil {
		out = append(out, Tracked{tensorboardDir, r.TensorBoardDir()})
	} else if !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	entries, err := r.fs().ReadDir(filepath.Join(r.Dir, trackersDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries {
		out = append(out, Tracked{entry.Name(), r.TrackerDir(entry.Name())})
	}
	return out, nil
}

// Spec returns the resolved spec, with the origins of secrets instead of their values.
func (r *Run) Spec() (json.RawMessage, error) {
	path := filepath.Join(r.Dir, specFile)
	data, err := disk.ReadFile(r.fs(), path)
	if err == nil && !json.Valid(data) {
		err = fmt.Errorf("%s is damaged: it is not JSON", path)
	}
	if err != nil {
		return nil, fmt.Errorf("read spec of run %s: %w; restore the file from a backup", r.Ref(), err)
	}
	return data, nil
}

func (r *Run) checkpointDir(step int) string {
	return filepath.Join(r.Dir, checkpointsDir, fmt.Sprintf("step-%06d", step))
}

// Record is one journal record of any type. Seq numbers the records from 1.
type Record struct {
	envelope
	Seq  uint64
	Next journal.Position // position of the next record
}

// Hash returns the SHA-256 of the record's data, as recorded in manifests.
func (r Record) Hash() string { return hashRecord(r.Data) }

// Decode decodes the record's data.
func Decode[T any](r Record) (data T, err error) {
	err = decoded(r, func(d T) { data = d })
	return data, err
}

// Records yields the journal's records after a position, in order, either of the given types or of all types. Unlike
// the other readers, it also yields superseded records.
func (r *Run) Records(from journal.Position, types ...Type) iter.Seq2[Record, error] {
	if r.records != nil {
		return r.records(from, types...)
	}
	opts := journal.ReadOptions{FS: r.fs(), From: from}
	if len(types) > 0 {
		opts.Only = kindsOf(types)
	}
	return func(yield func(Record, error) bool) {
		for raw, err := range journal.Read(r.JournalPath(), opts) {
			record := Record{Seq: raw.Seq, Next: raw.Next}
			if err == nil {
				record.envelope, err = parseEnvelope(raw.JSON)
			}
			if errors.Is(err, fs.ErrNotExist) {
				err = fmt.Errorf("%w; restore the file from a backup, or start another run with: awhost apply --new", err)
			}
			if err != nil {
				yield(Record{}, fmt.Errorf("run %s: %w", r.Ref(), err))
				return
			}
			if !yield(record, nil) {
				return
			}
		}
	}
}

// Lineage lists the committed checkpoints, oldest first, including pruned ones.
func (r *Run) Lineage() ([]Checkpoint, error) {
	h, err := r.history()
	if err != nil {
		return nil, err
	}
	return h.lineage, nil
}

// Latest returns the newest checkpoint in the lineage whose files match its manifest, or nil. skipped contains one
// sentence for each newer checkpoint that is not intact.
func (r *Run) Latest(ctx context.Context) (latest *Checkpoint, skipped []string, err error) {
	h, err := r.history()
	if err != nil {
		return nil, nil, err
	}
	return r.intact(ctx, h)
}

// intact searches back from the tip for the first usable checkpoint.
func (r *Run) intact(ctx context.Context, h *history) (*Checkpoint, []string, error) {
	skipped := slices.Clone(h.damaged)
	for i := len(h.lineage) - 1; i >= 0; i-- {
		c := h.lineage[i]
		if c.Removed {
			continue
		}
		err := r.Verify(ctx, c)
		if err == nil {
			return &c, skipped, nil
		}
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		skipped = append(skipped, err.Error())
	}
	return nil, skipped, nil
}

// Verify returns an error if a checkpoint's files are not intact. For a checkpoint that a framework stores elsewhere,
// it only checks that the checkpoint exists.
func (r *Run) Verify(ctx context.Context, c Checkpoint) error {
	m, err := r.committedManifest(c)
	switch {
	case err != nil:
	case m.External != "":
		_, err = r.fs().Lstat(m.External)
	default:
		err = m.verify(ctx, r.fs(), c.Dir)
	}
	if err != nil {
		return r.notIntact(c, err)
	}
	return nil
}

// Checkpoints lists the committed checkpoints in the lineage that still exist, oldest first.
func (r *Run) Checkpoints() ([]Checkpoint, error) {
	h, err := r.history()
	if err != nil {
		return nil, err
	}
	return r.present(h), nil
}

func (r *Run) present(h *history) []Checkpoint {
	var present []Checkpoint
	for _, c := range h.lineage {
		if _, err := r.fs().Lstat(filepath.Join(c.Dir, manifestFile)); err == nil && !c.Removed {
			present = append(present, c)
		}
	}
	return present
}

// openRun reads a directory's run.json.
func (s *Store) openRun(dir string) (*Run, error) {
	info, err := readInfo(s.opts.FS, dir)
	if err != nil {
		return nil, err
	}
	return &Run{Info: info, Dir: dir, store: s, known: &knownHistory{}}, nil
}
