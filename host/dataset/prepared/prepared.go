// Package prepared fetches and generates the rows of datasets that are not the user's own files: Hugging Face Hub
// repositories, Python functions, programs, and environments' task lists.
//
//	store := prepared.Store{SpecDir: dir, StateDir: filepath.Join(dir, ".awhost"), Getenv: spec.Getenv, Functions: …}
//	done, err := store.Prepare(ctx, "dataset.huggingface.train", config, prepared.Options{})   // awhost init
//	config, err := store.Locate(config)                                                        // plan, apply
//	data, err := dataset.Open(config)
//
// Only Prepare accesses the network or runs a user's code, and only `awhost init` calls it. Locate reads existing rows.
// It returns an error that asks the user to run `awhost init` if they are missing or their inputs have changed.
//
// The contents of StateDir/datasets:
//
//	blobs/SHA256                     files of repositories, by their content
//	hub/OWNER--NAME/COMMIT/PATH      links to them, under the names that they have in the repository
//	hub/OWNER--NAME/COMMIT.json      the files of the repository at the commit
//	made/KEY.jsonl, made/KEY.json    the rows of a function or a program, or the tasks of an environment, and their
//	                                 inputs
//
// Repositories are pinned in the lock file, with the hashes of their files, which are checked each time.
package prepared

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/dataset/internal/hub"
	"github.com/awhost/awhost/host/internal/wholefile"
	"github.com/awhost/awhost/host/lockfile"
)

// Store manages the rows of a spec's datasets.
type Store struct {
	SpecDir  string // absolute
	StateDir string // absolute
	// Getenv looks up an environment variable; nil means that no variable is set.
	Getenv func(name string) (string, bool)
	// Functions runs Python functions; if it is nil, they are not supported.
	Functions Functions
	// Environments lists the tasks of environments; if it is nil, they are not supported.
	Environments Environments
	// Progress receives long operations, with the dataset's address; if it is nil, they are not reported.
	Progress func(address, doing string)
	// Log receives all program output other than rows; nil discards it.
	Log *slog.Logger
	// Hub is a client without an endpoint or a token, for tests.
	Hub hub.Client
}

// Functions finds functions in users' Python files.
type Functions interface {
	// Find looks up the file and the Python interpreter. It runs neither.
	Find(config dataset.Config) (Function, error)
}

// Function is a function in a Python file.
type Function interface {
	// Basis returns the inputs of the function's rows other than its arguments.
	Basis() map[string]string
	// Rows calls the function and yields each row as a JSON object without line ends.
	Rows(ctx context.Context, log *slog.Logger, yield func(row []byte) error) error
}

// Options configure Prepare.
type Options struct {
	// Upgrade replaces recorded rows with the current rows of a repository, a function or a program.
	Upgrade bool
}

// Done is the result of Prepare.
type Done struct {
	What  string // "openai/gsm8k at e53f0488 (main)", "data.py:train_tasks"
	Here  bool   // it existed already
	Files int    // fetched or written
	Bytes int64  // in these files
}

// NotPreparedError reports that `awhost init` must be run.
type NotPreparedError struct{ Reason string }

// Error implements error.
func (e *NotPreparedError) Error() string { return e.Reason + ": run `awhost init`" }

// Prepare fetches or generates a dataset's rows unless they already exist. The error may be a *dataset.ConfigError.
func (s Store) Prepare(ctx context.Context, address string, config dataset.Config, options Options) (Done, error) {
	if err := s.sweep(); err != nil {
		return Done{}, fmt.Errorf("remove leftovers from an interrupted init: %w", err)
	}
	if config.Type == dataset.TypeHuggingFace {
		return s.fetch(ctx, address, config, options)
	}
	return s.make(ctx, address, config, options)
}

// Locate returns the configuration, including the files that contain the dataset's rows. A dataset that needs no
// preparation is returned unchanged. The error is a *NotPreparedError, a *dataset.ConfigError, or an error about a
// file.
func (s Store) Locate(config dataset.Config) (dataset.Config, error) {
	switch {
	case !config.Prepared():
		return config, nil
	case config.Type == dataset.TypeHuggingFace:
		return s.locateFetched(config)
	}
	return s.locateMade(config)
}

// lock reads the lock file next to the spec.
func (s Store) lock() (lockfile.File, error) { return lockfile.Read(s.SpecDir) }

func (s Store) dir(parts ...string) string {
	return filepath.Join(append([]string{s.StateDir, "datasets"}, parts...)...)
}

func (s Store) say(address, doing string) {
	if s.Progress != nil {
		s.Progress(address, doing)
	}
}

func (s Store) getenv(name string) string {
	if s.Getenv == nil {
		return ""
	}
	value, _ := s.Getenv(name)
	return value
}

// temporary is the name pattern of files that are still being written.
const temporary = ".tmp-*"

// sweep removes temporary files left by killed processes.
func (s Store) sweep() error {
	dirs := []string{s.dir("made")}
	repos, err := os.ReadDir(s.dir("hub"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, repo := range repos {
		dirs = append(dirs, s.dir("hub", repo.Name()))
	}
	for _, dir := range dirs {
		if err := wholefile.Sweep(dir, temporary); err != nil {
			return err
		}
	}
	return nil
}

func writeJSON(path string, value any) error {
	return wholefile.Write(path, temporary, 0o644, func(w io.Writer) error {
		encoder := json.NewEncoder(w)
		encoder.SetIndent("", "  ")
		return encoder.Encode(value)
	})
}

// maxRecordBytes limits a record.
const maxRecordBytes = 64 << 20

func readJSON(path string, into any) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxRecordBytes))
	if err != nil {
		return err
	}
	if err := json.Unmarshal(text, into); err != nil {
		return fmt.Errorf("%s is damaged: %w: remove it and run `awhost init`", path, err)
	}
	return nil
}

// wrong returns an error about one of the block's attributes.
func wrong(attribute, problem, remedy string) error {
	return &dataset.ConfigError{Attribute: strings.Split(attribute, "."), Problem: problem, Remedy: remedy}
}
