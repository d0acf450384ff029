package codeenv

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/sandbox"
)

// printPaths is code with which Python prints its own paths. The configured program may be a shim, which is slower
// to start than the interpreter.
const printPaths = `import json, sys; print(json.dumps([sys.executable, sys.prefix, sys.base_prefix, *sys.path]))`

// ask finds the interpreter that a program starts, and the interpreter's files.
func (m *serverFactory) ask(ctx context.Context, program string) error {
	c := exec.CommandContext(ctx, program, "-s", "-c", printPaths)
	c.Dir = "/"
	var said, complained bytes.Buffer
	c.Stdout, c.Stderr = &said, &complained
	if err := c.Run(); err != nil {
		return fmt.Errorf("run %s: %w: %s", program, err, strings.TrimSpace(complained.String()))
	}
	var paths []string
	if err := json.Unmarshal(said.Bytes(), &paths); err != nil || len(paths) < 3 {
		return fmt.Errorf("run %s: it is no Python: it says %.100q", program, said.String())
	}
	m.python = paths[0]
	if m.python == "" {
		m.python = program
	}
	m.read = append(sandbox.Installation(m.python, ""), m.config.Read...)
	for _, path := range paths[1:] {
		path = filepath.Clean(path)
		if _, err := os.Stat(path); err == nil && filepath.IsAbs(path) && path != "/" && path != "/usr" {
			m.read = append(m.read, path)
		}
	}
	slices.Sort(m.read)
	m.read = slices.Compact(m.read)
	return nil
}
