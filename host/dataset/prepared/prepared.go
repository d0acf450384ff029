// Package prepared fetches and makes the rows of datasets that are not files of the user's: repositories of the Hugging
// Face Hub, functions in Python, programs, the lists of environments.
//
//	store := prepared.Store{SpecDir: dir, StateDir: filepath.Join(dir, ".awhost"), Getenv: spec.Getenv, Functions: …}
//	done, err := store.Prepare(ctx, "dataset.huggingface.train", config, prepared.Options{})   // awhost init
//	config, err := store.Locate(config)                                                        // plan, apply
//	data, err := dataset.Open(config)
//
// Prepare is the only one that goes to the network or runs a user's code, and only `awhost init` calls it. Locate reads
// what is there, and says that `awhost init` is needed where nothing is, or where what the rows depend on has changed.
//
// What lies below StateDir/datasets:
//
//	blobs/SHA256                     files of repositories, by their content
//	hub/OWNER--NAME/COMMIT/PATH      links to them, under the names that they have in the repository
//	hub/OWNER--NAME/COMMIT.json      what the repository holds at the commit
//	made/KEY.jsonl, made/KEY.json    the rows of a function or a program, or the tasks of an environment, and what they
//	                                 were made of
//
// Repositories are pinned in the lock file, with the hashes of their files, which are compared each time.
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

// Store is where the rows of a spec's datasets are kept.
type Store struct {
	SpecDir  string // absolute
	StateDir string // absolute
	// Getenv looks up an environment variable; nil: there are none.
	Getenv func(name string) (string, bool)
	// Functions runs functions in Python; nil: nobody does.
	Functions Functions
	// Environments lists the tasks of environments; nil: nobody does.
	Environments Environments
	// Progress is told what takes long, by the address of the dataset; nil: nobody is.
	Progress func(address, doing string)
	// Log gets what programs print beside rows; nil discards it.
	Log *slog.Logger
	// Hub is a client without endpoint and token, for tests.
	Hub hub.Client
}

// Functions finds functions in users' Python files.
type Functions interface {
	// Find looks for the file and for the Python that would run it. It runs neither.
	Find(config dataset.Config) (Function, error)
}

// Function is a function in a Python file.
type Function interface {
	// Basis says what the function's rows depend on beside its arguments.
	Basis() map[string]string
	// Rows calls the function and gives each row as a JSON object without line ends.
	Rows(ctx context.Context, log *slog.Logger, yield func(row []byte) error) error
}

// Options say how to prepare.
type Options struct {
	// Upgrade takes what a repository, a function or a program has now, whatever is on record.
	Upgrade bool
}

// Done says what Prepare did.
type Done struct {
	What  string // "openai/gsm8k at e53f0488 (main)", "data.py:train_tasks"
	Here  bool   // it was there already
	Files int    // that were fetched or written
	Bytes int64  // in them
}

// NotPreparedError says that `awhost init` has to be run.
type NotPreparedError struct{ Reason string }

// Error implements error.
func (e *NotPreparedError) Error() string { return e.Reason + ": run `awhost init`" }

// Prepare fetches or makes the rows of a dataset, unless they are there. The error may be a *dataset.ConfigError.
func (s Store) Prepare(ctx context.Context, address string, config dataset.Config, options Options) (Done, error) {
	if err := s.sweep(); err != nil {
		return Done{}, fmt.Errorf("remove what an init that was killed has left: %w", err)
	}
	if config.Type == dataset.TypeHuggingFace {
		return s.fetch(ctx, address, config, options)
	}
	return s.make(ctx, address, config, options)
}

// Locate says in which files the rows of a dataset lie. A dataset that needs no preparation is returned as it is. The
// error is a *NotPreparedError, a *dataset.ConfigError, or about a file.
func (s Store) Locate(config dataset.Config) (dataset.Config, error) {
	switch {
	case !config.Prepared():
		return config, nil
	case config.Type == dataset.TypeHuggingFace:
		return s.locateFetched(config)
	}
	return s.locateMade(config)
}

// lock reads the lock file beside the spec.
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

// temporary is the pattern of files that are being written.
const temporary = ".tmp-*"

// sweep removes those whose writers were killed.
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

// maxRecordBytes bounds a record that is read.
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

// wrong is a problem with an attribute of the block.
func wrong(attribute, problem, remedy string) error {
	return &dataset.ConfigError{Attribute: strings.Split(attribute, "."), Problem: problem, Remedy: remedy}
}
