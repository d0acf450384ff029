// Package runstore is the run directory: everything that a run leaves on disk, and the rules that make it add up.
//
// A run lives in .awhost/runs/<name>-<n>/ beside its spec. What happened is in its journal; what can be continued is
// in its checkpoints; docs/run-directory.md shows every file. One process at a time writes a run, any number read:
//
//	store := runstore.In(specDir, runstore.Options{Version: "0.1.0", Command: "awhost apply train.hcl"})
//	w, err := store.Create(ctx, runstore.NewRun{Name: "quickstart", Identity: digest, Spec: redacted})
//	defer w.Close()
//	err = w.AppendLaunch(ctx, runstore.LaunchRecord{LaunchID: id, Stage: "full", FirstStep: 1})
//	_, err = w.AppendEpisode(ctx, episode)                       // when an episode has ended
//	err = w.AppendStep(ctx, step)                                // when the trainer says what it used
//	dir, err := w.BeginCheckpoint("full", 1)                     // the trainer writes its files there
//	_, err = w.CommitCheckpoint(ctx, dir, runstore.Manifest{…})  // now the step counts
//
//	run, err := store.Open("")                                   // the newest
//	for episode, err := range run.Episodes(ctx) { … }
//
// A step counts when the manifest of its checkpoint has been renamed into place. Manifests name their parent, and
// the chain from the newest one back to the first is the lineage: what a resumed run continues and what readers
// count. Everything else in the journal, such as the episodes of a step that was cut off and run again, is kept and
// marked SUPERSEDED. So each (stage, step, group, sample) counts once, whatever was killed, and when.
//
// It owns the formats, their order on disk, the lock and the incarnation counter. It must not know what trains, how
// episodes come about, or how anything is shown.
package runstore

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk/private"
)

// FormatVersion is the version of the run directory that this package writes, and the newest that it reads.
const FormatVersion = 1

// The names in a run directory.
const (
	infoFile        = "run.json"
	specFile        = "spec.resolved.json"
	journalFile     = "journal"
	metricsFile     = "metrics.jsonl"
	lockFile        = "lock"
	ownerFile       = "owner.json"
	checkpointsDir  = "checkpoints"
	manifestFile    = "manifest.json"
	logsDir         = "logs"
	pluginsDir      = "plugins"
	attachmentsDir  = "attachments"
	tensorboardDir  = "tensorboard"
	trackersDir     = "trackers"
	stagingDir      = ".staging"
	supersededInfix = ".superseded-"
	stagedSuffix    = ".tmp"
)

// openMode is that of the run directory, the folders on the way to it and its checkpoints: the umask of the process
// decides, which cmd/awhost sets. openFile is the same for files.
const (
	openMode fs.FileMode = 0o777
	openFile fs.FileMode = 0o666
)

// folders are those that every run directory has. Logs and what plugins keep may hold anything.
var folders = []struct {
	name string
	mode fs.FileMode
}{{checkpointsDir, openMode}, {logsDir, private.Folder}, {pluginsDir, private.Folder}}

// Options are what a store needs to know of its process. The zero value is usable.
type Options struct {
	// Version of awhost, "0.1.0": recorded, so that an older one can name the version that reads a run.
	Version string
	// Command is the command line of this process without secrets: it tells others who writes a run.
	Command string
	// FS is the file system; nil means disk.OS.
	FS disk.FS
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Store is a folder of runs.
type Store struct {
	root string
	opts Options
	lock locker
	// heads are shared by all runs.
	heads *manifestHeads
}

// In is the store beside a spec: .awhost/runs in specDir. The folder need not exist.
func In(specDir string, opts Options) *Store {
	return At(filepath.Join(specDir, ".awhost", "runs"), opts)
}

// At is the store in the given folder.
func At(root string, opts Options) *Store {
	if abs, err := filepath.Abs(root); err == nil {
		root = abs
	}
	if opts.FS == nil {
		opts.FS = disk.OS
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	return &Store{root: root, opts: opts, lock: flock{}, heads: &manifestHeads{}}
}

// Root is the folder of the store.
func (s *Store) Root() string { return s.root }

// explain adds what a person can do to the error of a file operation.
func explain(what string, err error) error {
	if advice := disk.Advice(err); advice != "" {
		return fmt.Errorf("%s: %w; %s", what, err, advice)
	}
	return fmt.Errorf("%s: %w", what, err)
}
