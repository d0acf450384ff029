package sandbox

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// printPaths is code with which Python prints its own paths. The configured program may be a shim, which is slower
// to start than the interpreter.
const printPaths = `import json, sys; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix, *sys.path]))`

// Python returns the interpreter that a program starts, which may be a shim, and the interpreter's files. It runs the
// program for at most a minute.
func Python(ctx context.Context, program string) (python string, read []string, err error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, program, "-s", "-c", printPaths)
	c.Dir, c.WaitDelay = "/", time.Second
	var said, complained bytes.Buffer
	c.Stdout, c.Stderr = &said, &complained
	if err := c.Run(); err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		return "", nil, fmt.Errorf("run %s: %w: %s", program, cmp.Or(ctx.Err(), err), strings.TrimSpace(complained.String()))
	}
	var paths []string
	if err := json.Unmarshal(said.Bytes(), &paths); err != nil || len(paths) < 3 {
		return "", nil, fmt.Errorf("run %s: it is not a Python: it printed %.100q", program, said.String())
	}
	if python = paths[0]; python == "" {
		python = program
	}
	read = Installation(python, "")
	for _, path := range paths[1:] {
		path = filepath.Clean(path)
		if _, err := os.Stat(path); err == nil && filepath.IsAbs(path) && path != "/" && path != "/usr" {
			read = append(read, path)
		}
	}
	slices.Sort(read)
	return python, slices.Compact(read), nil
}
