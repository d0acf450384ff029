package runstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/journal"
	"github.com/awhost/awhost/host/journal/disk"
)

// Writer is a run to which only this process writes. It is safe for concurrent use. After the first failed write, every
// call that writes returns a StoppedError. The committed data is safe, and the run can be resumed.
type Writer struct {
	*Run
	answers *Answers // nil until a served model is called

	lock        *os.File
	journal     *journal.Journal
	incarnation int
	warnings    []EventRecord
	build       *build.Build // build that the run continues with; nil: unknown
	replaces    *build.Build // previous build, whose results may differ; nil: none
	extension   *Extension   // nil: the run has the steps that it was started with
	inexact     string
	files       []FileHash // for the first record of a new run
	metrics     metricsLog
	attachments attachments

	committing sync.Mutex // held during a commit and a prune, which wait for the disk

	mu      sync.Mutex
	lineage []Checkpoint
	launch  string // id of the latest
	// open holds the episodes that no step has used yet; they are in memory because a step may use only recorded
	// episodes.
	open map[string]openEpisode
	// steps and passes wait for the next manifest.
	steps   []StepRecord
	passes  []ValidationRecord
	counted map[passKey]bool // passes that count, from the tip's step on
	life    int              // counts the trainers' connections: taking up a trainer begins another one
	unsure  error            // set when a commit failed
	begun   string           // folder of the checkpoint that is being written
	tokens  tokenBudget
}

// openEpisode holds the data about an episode that is needed until the episode is used.
type openEpisode struct {
	slot   Slot
	record string
	life   int    // in which it was recorded
	why    string // see whyNot
	reward *float64
}

// OpenWindow is how many steps an episode may wait to be used. Older episodes were dropped without a report.
const OpenWindow = 256

// StoppedError reports that a run can no longer be written, and how to continue.
type StoppedError struct {
	Ref string
	Dir string // of the run
	Err error
}

// Error implements error.
func (e *StoppedError) Error() string {
	resume := "continue with: awhost resume " + e.Ref + WhereFlag(e.Dir)
	advice := disk.Advice(e.Err)
	if advice == "" {
		return fmt.Sprintf("run %s stopped: %v; when the cause is gone, %s", e.Ref, e.Err, resume)
	}
	return fmt.Sprintf("run %s stopped: %v; %s, then %s", e.Ref, e.Err, advice, resume)
}

// Unwrap returns the cause.
func (e *StoppedError) Unwrap() error { return e.Err }

func newWriter(run *Run, j *journal.Journal) *Writer {
	return &Writer{Run: run, journal: j, open: map[string]openEpisode{}, counted: map[passKey]bool{}}
}

// begin increments the incarnation so that this process's records are identifiable. It returns once the increment is
// durable.
func (w *Writer) begin(ctx context.Context, h *history, torn int64) error {
	w.incarnation = h.incarnation + 1
	owner := w.store.thisOwner(w.incarnation)
	owner.Build, owner.Extension = w.build, w.extension
	ownerJSON, err := encode(owner)
	if err != nil {
		return err
	}
	if err := disk.WriteFile(w.fs(), filepath.Join(w.Dir, ownerFile), ownerJSON); err != nil {
		return err
	}
	record := incarnationRecord{Owner: owner, Awhost: w.store.opts.Version, Machine: thisMachine(), Torn: torn,
		Replaces: w.replaces, Files: w.files}
	if err := w.write(ctx, TypeIncarnation, record); err != nil {
		return err
	}
	if err := w.journal.Sync(ctx); err != nil {
		return err
	}
	return w.metrics.open(w.fs(), w.MetricsPath())
}

// Incarnation returns the number of processes that have written this run. This number fences writers on other machines.
func (w *Writer) Incarnation() int { return w.incarnation }

// Extension returns the steps that the run was given in addition to the steps that it was started with, or nil.
func (w *Writer) Extension() *Extension { return w.extension }

// LockFile returns the open lock. Every local process that may write to the run must inherit it (exec.Cmd.ExtraFiles),
// so that no other process opens the run until the last of them has exited.
func (w *Writer) LockFile() *os.File { return w.lock }

// Warnings returns the problems that were found and skipped when the run was opened, such as a checkpoint that is not
// intact. They are also recorded in the journal.
func (w *Writer) Warnings() []EventRecord { return w.warnings }

// Inexact explains why this process's results may differ from an uninterrupted run's. It is empty if they cannot
// differ.
func (w *Writer) Inexact() string { return w.inexact }

// Tip returns the checkpoint from which to continue: the newest intact one, or nil at the beginning.
func (w *Writer) Tip() *Checkpoint {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.lineage) == 0 {
		return nil
	}
	tip := w.lineage[len(w.lineage)-1]
	return &tip
}

// tipLocked returns the digest and step of the tip, or "" and -1 at the beginning. The caller holds mu.
func (w *Writer) tipLocked() (string, int) {
	if len(w.lineage) == 0 {
		return "", -1
	}
	tip := w.lineage[len(w.lineage)-1]
	return tip.Manifest, tip.Step
}

// Sync makes all appended records durable.
func (w *Writer) Sync(ctx context.Context) error {
	if err := w.journal.Sync(ctx); err != nil {
		return w.stopped(ctx, err)
	}
	return nil
}

// Close makes all records durable and releases the run. Children that inherited the lock keep holding it.
func (w *Writer) Close(ctx context.Context) error {
	err := w.journal.Sync(ctx)
	return errors.Join(err, w.release())
}

// release closes the files.
func (w *Writer) release() error {
	return errors.Join(w.metrics.close(), w.answers.close(), w.journal.Close(), closeLock(w.lock))
}

func closeLock(lock *os.File) error {
	if lock == nil {
		return nil
	}
	return lock.Close()
}

// stopped wraps a disk failure in an error for users. If the caller's ctx is done, it returns the ctx error unchanged.
func (w *Writer) stopped(ctx context.Context, err error) error {
	if err == nil || ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return err
	}
	return &StoppedError{Ref: w.Ref(), Dir: w.Dir, Err: err}
}

// write appends one record.
func (w *Writer) write(ctx context.Context, t Type, data any) error {
	raw, err := json.Marshal(data)
	if err != nil {
		return fmt.Errorf("record %s: %w", t, err)
	}
	return w.writeRaw(ctx, t, raw)
}

func (w *Writer) writeRaw(ctx context.Context, t Type, raw json.RawMessage) error {
	e := envelope{Type: t, Incarnation: w.incarnation, At: w.store.opts.Now().UTC(), Data: raw}
	_, err := w.journal.AppendEncoded(ctx, t.kind(), e.encode())
	return err
}

// hashRecord returns the digest that identifies an episode record in manifests. It also hashes other content.
func hashRecord(raw []byte) string {
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// AppendCall records a response before a program receives it.
func (w *Writer) AppendCall(ctx context.Context, call CallRecord) error {
	return w.stopped(ctx, w.write(ctx, TypeCall, call))
}

// AppendMetrics records numbers in the journal and in the readable copy.
func (w *Writer) AppendMetrics(ctx context.Context, metrics MetricRecord) error {
	if err := w.write(ctx, TypeMetrics, metrics); err != nil {
		return w.stopped(ctx, err)
	}
	return w.stopped(ctx, w.metrics.append(MetricRow{
		Stage: metrics.Stage, Step: metrics.Step, Incarnation: w.incarnation, At: w.store.opts.Now().UTC(),
		Values: metrics.Values,
	}))
}

// AppendEvent records an event.
func (w *Writer) AppendEvent(ctx context.Context, event EventRecord) error {
	return w.stopped(ctx, w.write(ctx, TypeEvent, event))
}

// AppendHandle records the data that an adapter needs to find its trainer again. It is durable when the call returns.
func (w *Writer) AppendHandle(ctx context.Context, handle HandleRecord) error {
	if err := w.write(ctx, TypeHandle, handle); err != nil {
		return w.stopped(ctx, err)
	}
	return w.Sync(ctx)
}

// Finish records how the run ended. It is durable when the call returns.
func (w *Writer) Finish(ctx context.Context, finish FinishRecord) error {
	if err := w.write(ctx, TypeFinish, finish); err != nil {
		return w.stopped(ctx, err)
	}
	return w.Sync(ctx)
}
