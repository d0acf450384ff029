// Package runstore implements the run directory: everything that a run leaves on disk, and the rules that keep it
// consistent.
//
// A run is stored in .awhost/runs/<name>-<n>/ next to its spec. Its events are in its journal, and its checkpoints are
// the points from which it can continue. docs/reference/run-directory.md describes every file. One process at a time
// writes a run, any number read it:
//
//	store := runstore.In(specDir, runstore.Options{Version: "0.1.0", Command: "awhost apply train.hcl"})
//	w, err := store.Create(ctx, runstore.NewRun{Name: "quickstart", Identity: digest, Spec: redacted})
//	defer w.Close(ctx)
//	err = w.AppendLaunch(ctx, runstore.LaunchRecord{LaunchID: id, Stage: "full", FirstStep: 1})
//	_, err = w.AppendEpisode(ctx, episode)                       // when an episode has ended
//	err = w.AppendStep(ctx, step)                                // when the trainer reports the used episodes
//	dir, err := w.BeginCheckpoint(1)                             // the trainer writes its files there
//	_, err = w.CommitCheckpoint(ctx, dir, runstore.Manifest{…})  // now the step counts
//
//	run, err := store.Open("")                                   // the newest
//	for episode, err := range run.Episodes(ctx) { … }
//
// A step counts when the manifest of its checkpoint has been renamed into place. Each manifest names its parent, and
// the chain from the newest manifest back to the first is the lineage: a resumed run continues it, and readers count
// it. All other records in the journal, such as the episodes of a step that was interrupted and repeated, are kept and
// marked SUPERSEDED. Each (stage, step, group, sample) therefore counts once, regardless of what was killed and when.
//
// It owns the formats, their order on disk, the lock and the incarnation counter. It must not depend on the training,
// on the origin of episodes, or on any display.
package runstore

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"time"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// FormatVersion is the run directory version that this package writes, and the newest that it reads.
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
	labelFile       = "label.json"
	labelLock       = "label.lock"
	stagingDir      = ".staging"
	supersededInfix = ".superseded-"
	stagedSuffix    = ".tmp"
)

// openMode is the mode of the run directory, its parent directories and its checkpoints: the process's umask, which
// cmd/awhost sets, determines the result. openFile is the same for files.
const (
	openMode fs.FileMode = 0o777
	openFile fs.FileMode = 0o666
)

// folders lists the subdirectories of every run directory. Logs and plugin directories may contain anything.
var folders = []struct {
	name string
	mode fs.FileMode
}{{checkpointsDir, openMode}, {logsDir, ownerfile.Folder}, {pluginsDir, ownerfile.Folder}}

// Options describes the process to a store. The zero value is usable.
type Options struct {
	// Version of awhost, "0.1.0": recorded, so that an older one can name the version that reads a run.
	Version string
	// Command is this process's command line, without secrets. It identifies a run's writer to other processes.
	Command string
	// FS is the file system; nil means disk.OS.
	FS disk.FS
	// Now is the clock; nil means time.Now.
	Now func() time.Time
}

// Store is a directory that contains runs.
type Store struct {
	root string
	opts Options
	lock locker
	// heads is shared by all of the store's runs.
	heads *manifestHeads
}

// In returns the store next to a spec: .awhost/runs in specDir. The directory does not have to exist.
func In(specDir string, opts Options) *Store {
	return At(filepath.Join(specDir, ".awhost", "runs"), opts)
}

// At returns the store in the given directory.
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

// Root returns the store's directory.
func (s *Store) Root() string { return s.root }

// explain adds a remedy to a file operation's error.
func explain(what string, err error) error {
	if err == nil {
		return nil
	}
	if advice := disk.Advice(err); advice != "" {
		return fmt.Errorf("%s: %w; %s", what, err, advice)
	}
	return fmt.Errorf("%s: %w", what, err)
}
