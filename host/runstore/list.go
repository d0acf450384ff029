package runstore

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/host/journal"
)

// Status is the state of a run.
type Status string

// The states of a run. Running is determined by the lock, and the others by the last record, so none of them can be
// stale.
const (
	StatusRunning     Status = "running"
	StatusFinished    Status = "finished"
	StatusFailed      Status = "failed"
	StatusStopped     Status = "stopped"     // by a person; can be resumed
	StatusInterrupted Status = "interrupted" // without a final record: killed, or the machine went down; can be resumed
	StatusUnreadable  Status = "unreadable"  // Summary.Problem has the reason
)

// Summary describes a run on one line.
type Summary struct {
	Info
	Dir         string
	Status      Status
	Owner       *Owner // the process that opened it last
	OwnerAlive  bool   // of a running run; false: only a process that the owner left behind holds it
	Incarnation int
	Stage       string
	Step        int           // of the newest checkpoint, or -1
	Done        int           // recorded steps; steps after the newest checkpoint are lost with the trainer
	Checkpoint  string        // its folder
	Finish      *FinishRecord // nil unless the last process ended properly
	Updated     time.Time     // of the last record or, without one, of the creation
	Problem     string        // why the run cannot be read
	// Trainer is the launch ID of a trainer that may be running without a host for the run, or empty.
	Trainer string
}

// IsFinal reports whether a run has failed in such a way that resuming it would end the same way.
func (summary *Summary) IsFinal() bool {
	return summary.Status == StatusFailed && summary.Finish.Final
}

// ErrNoRun reports an unknown run.
var ErrNoRun = errors.New("no such run")

// List describes the runs in the store, newest first. A run that cannot be read is listed with its problem.
func (s *Store) List() ([]Summary, error) {
	refs, err := s.refs()
	if err != nil {
		return nil, err
	}
	var list []Summary
	for _, ref := range refs {
		summary, err := s.summary(ref)
		if errors.Is(err, errNoInfo) && !s.hasCommits(ref) {
			continue // being created, interrupted during creation, or just removed
		}
		if err != nil {
			summary.Status, summary.Problem = StatusUnreadable, err.Error()
		}
		list = append(list, summary)
	}
	slices.SortStableFunc(list, func(a, b Summary) int { return newestFirst(a.Info, b.Info) })
	return list, nil
}

func newestFirst(a, b Info) int {
	if order := b.Created.Compare(a.Created); order != 0 {
		return order
	}
	return b.Number - a.Number
}

// refs lists the directories whose names are run names.
func (s *Store) refs() ([]string, error) {
	entries, err := s.opts.FS.ReadDir(s.root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, explain("list runs", err)
	}
	var refs []string
	for _, entry := range entries {
		if _, _, ok := splitRef(entry.Name()); ok && entry.IsDir() {
			refs = append(refs, entry.Name())
		}
	}
	return refs, nil
}

// Find lists the runs with the given identity, newest first; they determine whether to start a run, resume one, or do
// nothing. A run with the given name whose run.json cannot be read may be one of them, and is listed as unreadable.
func (s *Store) Find(identity, name string) ([]Summary, error) {
	all, err := s.List()
	return slices.DeleteFunc(all, func(run Summary) bool {
		unknown := run.Identity == "" && run.Status == StatusUnreadable && run.Name == folderName(name)
		return run.Identity != identity && !unknown
	}), err
}

// hasCommits reports whether a directory contains commits. It distinguishes a run that has lost its run.json from a
// directory whose run was never fully created.
func (s *Store) hasCommits(ref string) bool {
	dir := filepath.Join(s.root, ref, checkpointsDir)
	entries, err := s.opts.FS.ReadDir(dir)
	if err != nil {
		return false
	}
	return slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		_, err := s.opts.FS.Lstat(filepath.Join(dir, e.Name(), manifestFile))
		return err == nil
	})
}

// Open finds a run for reading: by name and number ("quickstart-3"), number ("3"), name ("quickstart", which means its
// newest run), the beginning of its ID, the name in its label, or its directory. An empty ref means the newest run of
// all. If the run is unknown, it returns an ErrNoRun.
func (s *Store) Open(ref string) (*Run, error) {
	if strings.ContainsRune(ref, filepath.Separator) {
		dir := filepath.Clean(ref)
		at := &Store{root: filepath.Dir(dir), opts: s.opts, lock: s.lock, heads: s.heads} // maybe another folder of runs
		return at.openNamed(dir)
	}
	refs, err := s.refs()
	if err != nil {
		return nil, err
	}
	if slices.Contains(refs, ref) {
		return s.openNamed(filepath.Join(s.root, ref))
	}
	runs, unreadable := s.readable(refs)
	matches := slices.DeleteFunc(slices.Clone(runs), func(run *Run) bool { return !run.matches(ref) })
	slices.SortFunc(matches, func(a, b *Run) int { return newestFirst(a.Info, b.Info) })
	if other := meant(ref, matches, unreadable); other != "" {
		return s.openNamed(filepath.Join(s.root, other))
	}
	known := slices.Concat(namesOf(runs), unreadable)
	switch {
	case len(matches) == 0 && len(known) == 0:
		return nil, fmt.Errorf("%w: %s has no runs yet; start one with: awhost apply, or name the directory of another "+
			"spec with --dir", ErrNoRun, s.root)
	case len(matches) == 0:
		return nil, fmt.Errorf("%w: %q; in %s there are %s; --dir names the directory of another spec",
			ErrNoRun, ref, s.root, strings.Join(known, ", "))
	case ref != "" && len(matches) > 1 && slices.ContainsFunc(matches, func(r *Run) bool { return r.Info.Name != ref }):
		return nil, fmt.Errorf("%q may mean %s: choose one", ref, strings.Join(namesOf(matches), " or "))
	}
	return matches[0], nil
}

// meant returns the unreadable run that the ref denotes by its directory name: no readable run matches the ref, or the
// unreadable run is a later one with the same name. It returns an empty string if no unreadable run matches.
func meant(ref string, matches []*Run, unreadable []string) string {
	latest, at := "", 0
	if len(matches) > 0 {
		at = matches[0].Info.Number
	}
	for _, other := range unreadable {
		name, number, _ := splitRef(other)
		called := Info{Name: name, Number: number}
		if called.matches(ref) && number > at && (len(matches) == 0 || matches[0].Info.Name == name) {
			latest, at = other, number
		}
	}
	return latest
}

// openNamed opens a run that the user requested.
func (s *Store) openNamed(dir string) (*Run, error) {
	run, err := s.openRun(dir)
	if err != nil {
		return nil, s.unopened(dir, err)
	}
	return run, nil
}

// unopened adds the remedy to the error for a run whose description cannot be read.
func (s *Store) unopened(dir string, err error) error {
	var format *FormatError
	switch {
	case errors.As(err, &format):
		return err
	case errors.Is(err, fs.ErrPermission):
		return fmt.Errorf("%w; ask the owner of the run, or work as that user", err)
	case s.hasCommits(filepath.Base(dir)):
		return fmt.Errorf("%w; restore the file from a backup: the checkpoints are still in %s",
			err, filepath.Join(dir, checkpointsDir))
	}
	return fmt.Errorf("%w; restore the file from a backup, or remove %s", err, dir)
}

func (i Info) matches(ref string) bool {
	return ref == "" || ref == i.Name || ref == strconv.Itoa(i.Number) || len(ref) >= 6 && strings.HasPrefix(i.ID, ref)
}

// matches also accepts the name in the label. `runs` reports a label that cannot be read.
func (r *Run) matches(ref string) bool {
	if r.Info.matches(ref) {
		return true
	}
	label, err := r.Label()
	return err == nil && label.Name == ref
}

// readable returns the readable runs and the directories of the others.
func (s *Store) readable(refs []string) (runs []*Run, unreadable []string) {
	for _, ref := range refs {
		run, err := s.openRun(filepath.Join(s.root, ref))
		switch {
		case err == nil:
			runs = append(runs, run)
		case !errors.Is(err, errNoInfo) || s.hasCommits(ref):
			unreadable = append(unreadable, ref)
		}
	}
	return runs, unreadable
}

func namesOf(runs []*Run) []string {
	var names []string
	for _, run := range runs {
		names = append(names, run.Ref())
	}
	return names
}

// Summary describes the run's current state. It reads the journal starting only at the newest checkpoint.
func (r *Run) Summary() (Summary, error) { return r.summarize(Summary{Dir: r.Dir, Step: -1}) }

func (s *Store) summary(ref string) (Summary, error) {
	dir := filepath.Join(s.root, ref)
	summary := Summary{Dir: dir, Step: -1}
	summary.Name, summary.Number, _ = splitRef(ref)
	run, err := s.openNamed(dir)
	if err != nil {
		return summary, err
	}
	return run.summarize(summary)
}

func (r *Run) summarize(summary Summary) (Summary, error) {
	s, dir := r.store, r.Dir
	summary.Info, summary.Owner, summary.Updated = r.Info, readOwner(s.opts.FS, dir), r.Info.Created
	// The last record is written before the lock is released. The lock is therefore checked first; otherwise, a run
	// that is just ending would appear to be interrupted. It is checked again afterward because the run may have been
	// resumed in the meantime.
	before, err := s.lock.held(filepath.Join(dir, lockFile))
	if err != nil {
		return summary, s.lockError(dir, err)
	}
	from, err := summary.readCheckpoints(r)
	if err != nil {
		return summary, err
	}
	if err := summary.readJournal(r, from); err != nil {
		return summary, err
	}
	after, err := s.lock.held(filepath.Join(dir, lockFile))
	if err != nil {
		return summary, s.lockError(dir, err)
	}
	summary.decide(before || after)
	return summary, summary.findTrainer(r)
}

// findTrainer looks for a trainer that may have outlived its host.
func (summary *Summary) findTrainer(run *Run) error {
	if summary.Status == StatusRunning || summary.Status == StatusFinished {
		return nil
	}
	trainer, err := run.LastTrainer()
	if err == nil && trainer.MayRun() {
		summary.Trainer = trainer.Launch.LaunchID
	}
	return err
}

// readCheckpoints finds the last committed checkpoint and the journal position at its commit.
func (summary *Summary) readCheckpoints(run *Run) (journal.Position, error) {
	var from journal.Position
	entries, err := run.fs().ReadDir(filepath.Join(run.Dir, checkpointsDir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return from, fmt.Errorf("list checkpoints of run %s: %w", run.Ref(), err)
	}
	for _, entry := range entries {
		dir := filepath.Join(run.Dir, checkpointsDir, entry.Name())
		m, err := run.store.heads.read(run.fs(), dir)
		if err != nil || m.Run != run.Info.ID || m.Journal.Seq < from.Seq {
			continue
		}
		from = m.Journal
		if dir == run.checkpointDir(m.Step) {
			summary.Stage, summary.Step, summary.Checkpoint, summary.Updated = m.Stage, m.Step, dir, m.Committed
			summary.Incarnation, summary.Done = m.Incarnation, max(0, m.Step)
		}
	}
	return from, nil
}

// readJournal adds the records that follow the newest checkpoint.
func (summary *Summary) readJournal(run *Run, from journal.Position) error {
	for record, err := range run.Records(from) {
		if err != nil {
			return err
		}
		summary.Updated, summary.Incarnation = record.At, record.Incarnation
		switch record.Type {
		case TypeIncarnation:
			summary.Finish = nil
		case TypeLaunch:
			err = decoded(record, func(l LaunchRecord) { summary.launched(run, l) })
		case TypeStep:
			err = decoded(record, func(s struct {
				Step int `json:"step"`
			}) {
				summary.Done = max(summary.Done, s.Step)
			})
		case TypeFinish:
			err = decoded(record, func(f FinishRecord) { summary.Finish = &f })
		}
		if err != nil {
			return fmt.Errorf("read run %s: record %d: %w", run.Ref(), record.Seq, err)
		}
	}
	return nil
}

// launched also undoes a checkpoint that was skipped because it was not intact.
func (summary *Summary) launched(run *Run, l LaunchRecord) {
	summary.Stage = l.Stage
	if l.Reattached {
		return
	}
	summary.Done = max(0, l.FromStep) // later steps are superseded
	if l.FromStep >= summary.Step {
		return
	}
	summary.Step, summary.Checkpoint = l.FromStep, ""
	if l.From != "" {
		summary.Checkpoint = run.checkpointDir(l.FromStep)
	}
}

func (summary *Summary) decide(running bool) {
	switch {
	case running:
		summary.Status = StatusRunning
		summary.OwnerAlive = summary.Owner != nil && summary.Owner.Alive()
	case summary.Finish != nil && !summary.awaitsExtension():
		summary.Status = summary.Finish.Outcome
	default:
		summary.Status = StatusInterrupted
	}
}

// awaitsExtension reports whether the run has finished and was then given more steps by a process that was killed
// before it recorded its start.
func (summary *Summary) awaitsExtension() bool {
	extension := summary.Extension()
	return summary.Finish.Outcome == StatusFinished && extension != nil && extension.From == summary.Step
}
