package process

import (
	"fmt"
	"os"
	"path/filepath"
)

// maxSocketPath is what a unix socket's address can hold on every system, less the name of the socket.
const maxSocketPath = 104 - len("/plugin1234567890")

// NewSocketDir makes a private directory for sockets with a path that is short enough for them.
func NewSocketDir() (string, error) {
	bases := []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), "/tmp"}
	var last error
	for _, base := range bases {
		if base == "" {
			continue
		}
		dir, err := os.MkdirTemp(base, "awh")
		if err != nil {
			last = err
			continue
		}
		if len(dir) <= maxSocketPath {
			return dir, nil
		}
		_ = os.Remove(dir)
		last = fmt.Errorf("%s is too long for unix sockets", filepath.Clean(base))
	}
	return "", fmt.Errorf("make a directory for sockets: %w: set XDG_RUNTIME_DIR or TMPDIR to a short path that you can write", last)
}
