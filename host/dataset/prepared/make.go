package prepared

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/awhost/awhost/host/dataset"
	"github.com/awhost/awhost/host/internal/wholefile"
)

// made is the record of rows that a function or a program has made, or that an environment has listed.
type made struct {
	Of   string            `json:"of"`   // for people
	From map[string]string `json:"from"` // what the rows depend on, see basis
	Rows string            `json:"rows"` // checksum of the file with the rows
}

// listTimeout is how long an environment may take to list its tasks.
const listTimeout = 10 * time.Minute

// maker makes rows.
type maker struct {
	of string
	// basis is what the rows depend on, by names for people: "data.py", "argument 2 (tasks.py)".
	basis map[string]string
	rows  func(ctx context.Context, log *slog.Logger, yield func(row []byte) error) error
}

// maker finds what makes the rows of a dataset. It runs nothing.
func (s Store) maker(config dataset.Config) (maker, error) {
	var m maker
	var err error
	switch config.Type {
	case dataset.TypePython:
		m, err = s.function(config)
	case dataset.TypeEnvironment:
		m, err = s.list(config)
	default:
		m, err = s.command(config)
	}
	if err != nil {
		return maker{}, err
	}
	for _, input := range config.Inputs {
		sum, err := hashInput(s.place(input))
		if errors.Is(err, fs.ErrNotExist) {
			return maker{}, wrong(
				"inputs",
				fmt.Sprintf("there is no %s", input),
				"a relative path starts at the directory of the spec, "+s.SpecDir,
			)
		}
		if err != nil {
			return maker{}, wrong("inputs", err.Error(), "name files and directories that can be read")
		}
		m.basis["input "+input] = sum
	}
	return m, nil
}

func (s Store) place(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(s.SpecDir, path)
}

// function makes rows by a function in Python.
func (s Store) function(config dataset.Config) (maker, error) {
	if s.Functions == nil {
		return maker{}, errors.New("nobody here runs Python")
	}
	f, err := s.Functions.Find(config)
	if err != nil {
		return maker{}, err
	}
	basis := f.Basis()
	arguments, err := json.Marshal(config.Arguments)
	if err != nil {
		return maker{}, err
	}
	basis["name"], basis["arguments"] = config.Name, string(arguments)
	return maker{
		of:    filepath.Base(config.File) + ":" + config.Name,
		basis: basis,
		rows:  f.Rows,
	}, nil
}

// key names the rows of a basis.
func (m maker) key() string {
	text, _ := json.Marshal(m.basis) // a map of texts
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}

func (s Store) rowsPath(m maker) string   { return s.dir("made", m.key()+".jsonl") }
func (s Store) recordPath(m maker) string { return s.dir("made", m.key()+".json") }

// locateMade finds rows whose basis has not changed.
func (s Store) locateMade(config dataset.Config) (dataset.Config, error) {
	m, err := s.maker(config)
	if err != nil {
		return config, err
	}
	var record made
	err = readJSON(s.recordPath(m), &record)
	if errors.Is(err, fs.ErrNotExist) {
		return config, &NotPreparedError{
			fmt.Sprintf("the rows of %s were not made, or %s changed since", m.of, s.changed(m)),
		}
	}
	if err != nil {
		return config, err
	}
	switch sum, err := wholefile.Digest(s.rowsPath(m)); {
	case errors.Is(err, fs.ErrNotExist):
		return config, &NotPreparedError{fmt.Sprintf("the rows of %s are gone", m.of)}
	case err != nil:
		return config, err
	case sum != record.Rows:
		return config, &NotPreparedError{fmt.Sprintf("%s was changed since it was made", s.rowsPath(m))}
	}
	config.Files = []string{s.rowsPath(m)}
	return config, nil
}

// changed says what is different from the rows that were made of the same thing last; without such, what it depends on.
func (s Store) changed(m maker) string {
	records, _ := filepath.Glob(s.dir("made", "*.json")) // a pattern that is none finds nothing
	var newest made
	var at time.Time
	for _, path := range records {
		var record made
		info, err := os.Stat(path)
		if err == nil && info.ModTime().After(at) && readJSON(path, &record) == nil && record.Of == m.of {
			newest, at = record, info.ModTime()
		}
	}
	var names []string
	for _, name := range sortedKeys(m.basis) {
		if newest.From != nil && newest.From[name] != m.basis[name] {
			names = append(names, name)
		}
	}
	for _, name := range sortedKeys(newest.From) {
		if _, still := m.basis[name]; !still {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return strings.Join(sortedKeys(m.basis), ", ")
	}
	return strings.Join(names, ", ")
}

// make runs what makes the rows, unless they are here.
func (s Store) make(ctx context.Context, address string, config dataset.Config, options Options) (Done, error) {
	m, err := s.maker(config)
	if err != nil {
		return Done{}, err
	}
	if _, err := s.locateMade(config); err == nil && !options.Upgrade {
		return Done{What: m.of, Here: true, Files: 1}, nil
	}
	timeout, late, err := timeLimit(config, m)
	if err != nil {
		return Done{}, err
	}
	s.say(address, "running "+m.of)
	ctx, cancel := context.WithTimeoutCause(ctx, timeout, late)
	defer cancel()
	size, sum, err := s.writeRows(ctx, m)
	switch {
	case err != nil && context.Cause(ctx) == late:
		return Done{}, late
	case err != nil:
		return Done{}, err
	case size == 0:
		_ = os.Remove(s.rowsPath(m))
		return Done{}, wrong(config.Origin(), m.of+" made no rows", "let it give at least one")
	}
	record := made{Of: m.of, From: m.basis, Rows: "sha256:" + sum}
	return Done{What: m.of, Files: 1, Bytes: size}, writeJSON(s.recordPath(m), record)
}

// timeLimit is how long rows may be made, and what is said of those that take longer.
func timeLimit(config dataset.Config, m maker) (limit time.Duration, late, err error) {
	if config.Type == dataset.TypeEnvironment {
		return listTimeout, wrong("environment", fmt.Sprintf("%s took longer than %s to list its tasks", m.of, listTimeout),
			`take them from a file, as in dataset "jsonl"`), nil
	}
	limit, err = time.ParseDuration(config.Timeout)
	if err != nil || limit <= 0 {
		return 0, nil, wrong("timeout", fmt.Sprintf("%q is no time to make rows in", config.Timeout), "write one such as 10m")
	}
	return limit, wrong("timeout", fmt.Sprintf("%s took longer than %s", m.of, limit),
		"raise timeout if it needs longer, or make fewer rows"), nil
}

// writeRows has the rows made, and writes them to their file. It returns the size and the SHA-256 of that.
func (s Store) writeRows(ctx context.Context, m maker) (size int64, sum string, err error) {
	log := s.Log
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	hash := sha256.New()
	err = wholefile.Write(s.rowsPath(m), temporary, 0o444, func(w io.Writer) error {
		out := bufio.NewWriterSize(io.MultiWriter(w, hash), 1<<16)
		err := m.rows(ctx, log, func(row []byte) error {
			size += int64(len(row)) + 1
			_, err := out.Write(append(row, '\n'))
			return err
		})
		return errors.Join(err, out.Flush())
	})
	return size, hex.EncodeToString(hash.Sum(nil)), err
}

// hashInput is over the names and contents of a file, or of all that is in a directory.
func hashInput(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		if !info.Mode().IsRegular() {
			return "", fmt.Errorf("%s is not a regular file", path)
		}
		return wholefile.Digest(path)
	}
	sum := sha256.New()
	err = filepath.WalkDir(path, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return err
		}
		content, err := wholefile.Digest(name)
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(path, name)
		fmt.Fprintf(sum, "%q %s\n", filepath.ToSlash(relative), content)
		return err
	})
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), err
}
