package dataset

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"

	"github.com/awhost/awhost/sdk"
)

// maxKeptBytes limits the size of a task in a kept list.
const maxKeptBytes = 64 << 20

// Kept returns the tasks from a list stored in a file: one sdk.Task as JSON per line.
func Kept(path string) TaskStream {
	return func(_ context.Context, _ sdk.Split, cursor int, yield func(sdk.Task) bool) error {
		f, err := os.Open(path)
		if err != nil {
			return err
		}
		defer f.Close()
		return readKept(f, cursor, yield)
	}
}

func readKept(list io.Reader, cursor int, yield func(sdk.Task) bool) error {
	lines := bufio.NewScanner(list)
	lines.Buffer(nil, maxKeptBytes)
	for n := 0; lines.Scan(); n++ {
		if n < cursor {
			continue
		}
		var task sdk.Task
		if err := json.Unmarshal(lines.Bytes(), &task); err != nil {
			return fmt.Errorf("line %d: %w: remove the file and run `awhost init`", n+1, err)
		}
		if !yield(task) {
			return nil
		}
	}
	return lines.Err()
}
