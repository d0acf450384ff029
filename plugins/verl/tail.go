package verl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"regexp"
)

// numbers is what verl logged of a step.
type numbers struct {
	Step   int                `json:"step"` // verl's own, of this launch
	Values map[string]float64 `json:"data"`
}

// tail reads the lines that verl's file logger appends, each once. A line that is not complete yet is left for the next time.
type tail struct {
	path   string
	offset int64
}

// each calls do with the lines that are new, in order. One that do fails with is read again the next time. A file that is
// not there yet has none.
func (t *tail) each(do func(numbers) error) error {
	f, err := os.Open(t.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read verl's metrics: %w", err)
	}
	defer f.Close()
	if _, err := f.Seek(t.offset, io.SeekStart); err != nil {
		return fmt.Errorf("read verl's metrics: %w", err)
	}
	data, err := io.ReadAll(f)
	if err != nil {
		return fmt.Errorf("read verl's metrics: %w", err)
	}
	for {
		line, rest, complete := bytes.Cut(data, []byte("\n"))
		if !complete {
			return nil
		}
		n, err := parseNumbers(line)
		if err != nil {
			return fmt.Errorf("read verl's metrics: %s, byte %d: %w", t.path, t.offset, err)
		}
		if err := do(n); err != nil {
			return err
		}
		t.offset += int64(len(line)) + 1
		data = rest
	}
}

// parseNumbers reads one line. Python writes NaN and Infinity, which JSON lacks, and newer verl null: they become NaN.
// Other values that are not numbers are left out.
func parseNumbers(line []byte) (numbers, error) {
	var raw struct {
		Step *int                       `json:"step"`
		Data map[string]json.RawMessage `json:"data"`
	}
	if err := json.Unmarshal(plainJSON(line), &raw); err != nil {
		return numbers{}, err
	}
	if raw.Step == nil {
		return numbers{}, errors.New("a line without a step")
	}
	out := numbers{Step: *raw.Step, Values: map[string]float64{}}
	for name, value := range raw.Data {
		number := math.NaN()
		if err := json.Unmarshal(value, &number); err == nil {
			out.Values[name] = number
		}
	}
	return out, nil
}

// token is a string of JSON, or a number that JSON lacks.
var token = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?Infinity|NaN`)

// plainJSON replaces the numbers that JSON lacks, outside of strings, by null.
func plainJSON(line []byte) []byte {
	return token.ReplaceAllFunc(line, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		return []byte("null")
	})
}
