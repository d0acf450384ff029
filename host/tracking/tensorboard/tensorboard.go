// Package tensorboard writes TensorBoard event files: scalars, histograms, text and hyperparameters.
//
//	w := tensorboard.Open(disk.OS, dir, "box", time.Now)
//	err := w.Begin(1)                                                 // a session: voids earlier points from step 1 on
//	err = w.Write(tensorboard.Point{Step: 1, At: at, Scalars: map[string]float64{"train/reward": 0.5}})
//	err = w.Close()
//
// A file is a sequence of records, each framed by its length and two checksums. A record is an Event as defined by
// TensorBoard's protocol. A [Point] is one record, so a file contains either the complete point or none of it. Each
// [Writer] creates a new file, whose name sorts after the existing ones. The first record after its header starts a
// session: readers drop the points for that step and later ones, so that the curves of a run resumed from an earlier
// step do not zigzag. [Done] returns the progress recorded in a directory's files.
//
// The package must not depend on where the values come from.
package tensorboard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// prefix is the prefix of event file names.
const prefix = "events.out.tfevents."

// Point holds the values for one step. Non-finite scalars are omitted because curves cannot show them.
type Point struct {
	Step       int
	At         time.Time
	Scalars    map[string]float64
	Histograms map[string][]float64
	Texts      map[string]string // Markdown
}

// Writer appends to one event file in a directory. After an error, the caller must close it and open a new one, which
// starts at the step that Done returns. It is not safe for concurrent use.
type Writer struct {
	fsys disk.FS
	dir  string
	host string
	now  func() time.Time
	file disk.File
	size int64
}

// Open returns a writer for a directory. Begin creates the directory and the file. host is the machine name, which
// becomes part of the file name.
func Open(fsys disk.FS, dir, host string, now func() time.Time) *Writer {
	return &Writer{fsys: fsys, dir: dir, host: host, now: now}
}

// Begin starts a session at a step: readers drop earlier records for this step and later ones.
func (w *Writer) Begin(step int) error {
	if w.file == nil {
		if err := w.create(); err != nil {
			return fmt.Errorf("create an event file: %w", err)
		}
	}
	return w.append(sessionStart(w.now(), step))
}

func (w *Writer) create() error {
	if err := w.fsys.Mkdir(w.dir, ownerfile.Folder); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	files, err := eventFiles(w.fsys, w.dir)
	if err != nil {
		return err
	}
	began := w.now().Unix()
	if n := len(files); n > 0 { // readers sort by name, and clocks may be set back
		began = max(began, secondsOf(files[n-1])+1)
	}
	name := fmt.Sprintf("%s%010d.%s.%d.0", prefix, began, fileSafe(w.host), os.Getpid())
	path := filepath.Join(w.dir, name)
	if w.file, err = w.fsys.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, ownerfile.File); err != nil {
		return err
	}
	w.size = 0
	return w.append(fileVersion(w.now()))
}

// Write appends a point. An empty point is not written.
func (w *Writer) Write(p Point) error {
	event := pointEvent(p)
	if event == nil {
		return nil
	}
	return w.append(event)
}

// Describe appends the session's hyperparameters.
func (w *Writer) Describe(h HParams) error { return w.append(hparamsEvent(w.now(), h)) }

// Finish appends the session's outcome.
func (w *Writer) Finish(s Status) error { return w.append(finishEvent(w.now(), s)) }

func (w *Writer) append(event []byte) error {
	frame := record(event)
	n, err := w.file.WriteAt(frame, w.size)
	w.size += int64(n)
	return err
}

// Close closes the file.
func (w *Writer) Close() error {
	if w.file == nil {
		return nil
	}
	file := w.file
	w.file = nil
	return file.Close()
}

// eventFiles returns the names of a directory's event files, in the order in which TensorBoard reads them.
func eventFiles(fsys disk.FS, dir string) ([]string, error) {
	entries, err := fsys.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), prefix) {
			names = append(names, entry.Name())
		}
	}
	return names, err
}

// secondsOf returns the time in an event file's name, or 0 if it has none.
func secondsOf(name string) int64 {
	digits, _, _ := strings.Cut(strings.TrimPrefix(name, prefix), ".")
	seconds, err := strconv.ParseInt(digits, 10, 64)
	if err != nil {
		return 0
	}
	return seconds
}

// fileSafe replaces the characters in a host name that are unsafe in file names.
func fileSafe(host string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, host)
}
