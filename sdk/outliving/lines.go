package outliving

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
)

// Append adds a value, as a line of JSON, to a file that only the user can read. It is for one writer at a time, and is not synced:
// it is to survive processes, not the machine. Where it fails the file is as it was, so that the value can be appended again.
func Append(path string, v any) error {
	line, err := json.Marshal(v)
	if err == nil {
		err = appendTo(path, append(line, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return nil
}

func appendTo(path string, line []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	before, err := f.Stat()
	if err != nil {
		return errors.Join(err, f.Close())
	}
	_, err = f.Write(line)
	if err = errors.Join(err, f.Close()); err != nil { // a part of it may be there: the next line would stick to that
		return errors.Join(err, os.Truncate(path, before.Size()))
	}
	return nil
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
