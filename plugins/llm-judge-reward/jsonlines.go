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

	"github.com/awhost/awhost/sdk/ownerfile"
)

// jsonLines is a file of JSON objects, one per line, to which lines are appended. A line is written in one call. A
// partial last line left by a killed process does not damage the next line.
type jsonLines struct {
	mu   sync.Mutex
	file *os.File
}

// openJSONLines reads an existing file to the end and opens it for appending. A line that is not JSON is skipped: it
// was truncated when a process was killed.
func openJSONLines(path string, each func(line []byte)) (*jsonLines, error) {
	if err := ownerfile.MkdirAll(filepath.Dir(path)); err != nil {
		return nil, fmt.Errorf("create the folder for %s: %w", filepath.Base(path), err)
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
	file, err := ownerfile.Append(path)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", path, err)
	}
	l := &jsonLines{file: file}
	if len(text) > 0 && text[len(text)-1] != '\n' {
		if _, err := file.Write([]byte{'\n'}); err != nil {
			return nil, errors.Join(fmt.Errorf("write %s: %w", path, err), file.Close())
		}
	}
	return l, nil
}

// add appends one line.
func (l *jsonLines) add(v any) error {
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
func (l *jsonLines) Close() error { return l.file.Close() }
