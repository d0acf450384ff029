package outliving

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/awhost/awhost/sdk"
)

// Append adds a value, as a line of JSON, to a file that only the user can read. It is for one writer at a time, and is not synced:
// it is to survive processes, not the machine. Where it fails, on a full disk, the file counts as it was, so that the value can be
// appended again; the error wraps sdk.ErrUnavailable, since what is not kept must not be told, and a later life can be asked.
func Append(path string, v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := appendTo(path, append(line, '\n')); err != nil {
		return &notKept{path, err}
	}
	return nil
}

// Keeper appends to files, and remembers which it could not write last: those who wait for what they hold wait as long. The zero value is
// ready, and safe for concurrent use; each file still has one writer at a time.
type Keeper struct {
	mu     sync.Mutex
	unkept map[string]error // by path
}

// Append is Append.
func (k *Keeper) Append(path string, v any) error {
	err := Append(path, v)
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.unkept, path)
	if err != nil {
		if k.unkept == nil {
			k.unkept = map[string]error{}
		}
		k.unkept[path] = err
	}
	return err
}

// Trouble is why a file could not be written the last time that it was tried; nil: all could.
func (k *Keeper) Trouble() error {
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, path := range slices.Sorted(maps.Keys(k.unkept)) {
		return k.unkept[path]
	}
	return nil
}

// notKept says that a file cannot be written.
type notKept struct {
	path string
	err  error
}

// Error implements error.
func (e *notKept) Error() string { return fmt.Sprintf("write %s: %v", e.path, e.err) }

// Unwrap gives the cause, and what it means for whoever asked.
func (e *notKept) Unwrap() []error { return []error{e.err, sdk.ErrUnavailable} }

func appendTo(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	before, err := untorn(f)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	_, err = f.Write(line)
	if err = errors.Join(err, f.Close()); err != nil { // a part of it may be there: the next line would stick to that
		return errors.Join(err, os.Truncate(path, before))
	}
	return nil
}

// untorn cuts off what an earlier Append may have left of a line, which could not take it back either. It returns the size of the rest.
func untorn(f *os.File) (int64, error) {
	info, err := f.Stat()
	if err != nil || info.Size() == 0 {
		return 0, err
	}
	last := make([]byte, 1)
	if _, err := f.ReadAt(last, info.Size()-1); err != nil || last[0] == '\n' {
		return info.Size(), err
	}
	data, err := os.ReadFile(f.Name())
	if err != nil {
		return 0, err
	}
	size := int64(bytes.LastIndexByte(data, '\n') + 1)
	return size, f.Truncate(size)
}

// Lines reads the values that Append has written. A last line whose writer died in the middle is cut off, so that the next one stands
// by itself; a file that is not there has none.
func Lines[T any](path string) ([]T, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, err)
	}
	if end := bytes.LastIndexByte(data, '\n') + 1; end < len(data) {
		if err := os.Truncate(path, int64(end)); err != nil {
			return nil, fmt.Errorf("cut the torn end of %s: %w", path, err)
		}
		data = data[:end]
	}
	var out []T
	for line := range bytes.Lines(data) {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			return nil, fmt.Errorf("read %s, line %d: %w", path, len(out)+1, err)
		}
		out = append(out, v)
	}
	return out, nil
}

// Replace writes a value as JSON into a file that only the user can read; others see all of it or the one before.
func Replace(path string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	temporary := path + ".new"
	if err := os.WriteFile(temporary, data, 0o600); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	if err := os.Rename(temporary, path); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}
