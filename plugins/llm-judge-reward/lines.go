package llmjudgereward

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/awhost/awhost/sdk/private"
)

// lines is a file of JSON objects, one a line, to which lines are added. A line is written at once: what a killed
// process has left of its last one does not spoil the next.
type lines struct {
	mu   sync.Mutex
	file *os.File
}

// openLines reads a file to its end, if there is one, and opens it for more. A line that is no JSON is passed over: it
// was cut when a process was killed.
func openLines(path string, each func(line []byte)) (*lines, error) {
	if err := private.MkdirAll(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("make the folder of %s: %w", filepath.Base(path), err)
	}
	text, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	for line := range bytes.Lines(text) {
		if json.Valid(line) {
			each(line)
		}
	}
	file, err := private.Append(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	l := &lines{file: file}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		if _, err := file.Write([]byte{'\n'}); err != nil {
			return nil, errors.Join(fmt.Errorf("write %s: %w", path, err), file.Close())
		}
	}
	return l, nil
}

// add writes one line.
func (l *lines) add(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	_, err = l.file.Write(append(line, '\n'))
	return err
}

// Close closes the file.
func (l *lines) Close() error { return l.file.Close() }
