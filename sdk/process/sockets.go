package process

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	// maxSocketPath is the length of the longest unix socket path that every system accepts, excluding the terminating
	// NUL: macOS has 104 bytes, and Linux has 108.
	maxSocketPath = 103
	// socketNameRoom is reserved for what go-plugin adds: "/plugin-dir" and "/plugin", each with up to ten digits.
	socketNameRoom = 40

	socketDirPrefix = "awhost-"
	ownerPrefix     = "owner."
	// staleAge is the minimum age at which a directory without an owner is considered left behind rather than new.
	staleAge = time.Hour
)

// NewSocketDir creates a private directory (mode 0700) with a path short enough for unix sockets, below XDG_RUNTIME_DIR
// or, if that is not possible, below the temporary directory. It first removes directories that dead owners left there.
// Names in it can add 39 bytes to the path.
func NewSocketDir() (string, error) {
	_, _ = SweepSocketDirs() // directories that cannot be removed do no harm
	var failures []error
	for _, base := range socketBases() {
		dir, err := newSocketDirIn(base)
		if err == nil {
			return dir, nil
		}
		failures = append(failures, err)
	}
	return "", fmt.Errorf("create a directory for sockets (set XDG_RUNTIME_DIR or TMPDIR to a short, writable "+
		"path): %w",
		errors.Join(failures...))
}

func newSocketDirIn(base string) (string, error) {
	if err := checkSocketPath(filepath.Join(base, socketDirPrefix+"0123456789")); err != nil {
		return "", err
	}
	path, err := os.MkdirTemp(base, socketDirPrefix)
	if err != nil {
		return "", err
	}
	owner, err := IdentityOf(os.Getpid())
	if err == nil {
		err = addOwner(path, owner)
	}
	if err != nil {
		return "", errors.Join(err, os.RemoveAll(path))
	}
	return path, nil
}

// RemoveSocketDir removes a directory created by NewSocketDir and the sockets in it, unless a detachable process that
// was started with it is still running.
func RemoveSocketDir(path string) error {
	if err := os.Remove(ownerFile(path, os.Getpid())); err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("remove socket directory: %w", err)
	}
	owners, err := runningOwners(path)
	if err == nil && len(owners) == 0 {
		err = os.RemoveAll(path)
	}
	if err != nil {
		return fmt.Errorf("remove socket directory: %w", err)
	}
	return nil
}

// SweepSocketDirs removes the directories whose owners are all dead and returns them.
func SweepSocketDirs() (removed []string, err error) {
	var failures []error
	for _, path := range socketDirs() {
		if !isStaleSocketDir(path) {
			continue
		}
		if err := os.RemoveAll(path); err != nil {
			failures = append(failures, err)
			continue
		}
		removed = append(removed, path)
	}
	return removed, errors.Join(failures...)
}

// SocketDirs returns the directories created by NewSocketDir that this user's processes are using, each with the PIDs
// of these processes.
func SocketDirs() map[string][]int {
	out := map[string][]int{}
	for _, path := range socketDirs() {
		if owners, err := runningOwners(path); err == nil && len(owners) > 0 {
			out[path] = owners
		}
	}
	return out
}

// socketDirs returns this user's directories that match the pattern used by NewSocketDir.
func socketDirs() []string {
	var dirs []string
	for _, base := range socketBases() {
		found, _ := filepath.Glob(filepath.Join(base, socketDirPrefix+"*")) // fails on bad patterns only
		for _, path := range found {
			info, err := os.Lstat(path)
			if err == nil && info.IsDir() && info.Mode().Perm() == 0o700 && ownedByUser(info) {
				dirs = append(dirs, path)
			}
		}
	}
	return dirs
}

// isStaleSocketDir reports whether one of this user's socket directories is unused.
func isStaleSocketDir(path string) bool {
	info, err := os.Lstat(path)
	if err != nil {
		return false
	}
	names, err := filepath.Glob(filepath.Join(path, ownerPrefix+"*"))
	if err != nil || len(names) == 0 {
		return err == nil && containsOnlySockets(path) && time.Since(info.ModTime()) > staleAge
	}
	owners, err := runningOwners(path)
	return err == nil && len(owners) == 0
}

// containsOnlySockets protects directories that merely have a similar name.
func containsOnlySockets(path string) bool {
	entries, err := os.ReadDir(path)
	for _, e := range entries {
		if e.Type() != os.ModeSocket {
			return false
		}
	}
	return err == nil
}

// runningOwners returns those owners of a directory that are still running. An owner that cannot be read counts, with
// PID 0 if its file name contains no PID.
func runningOwners(path string) ([]int, error) {
	files, err := filepath.Glob(filepath.Join(path, ownerPrefix+"*"))
	if err != nil {
		return nil, err
	}
	var live []int
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if errors.Is(err, os.ErrNotExist) {
			continue
		}
		var id Identity
		if err != nil || json.Unmarshal(raw, &id) != nil || Alive(id) {
			pid, _ := strconv.Atoi(strings.TrimPrefix(filepath.Base(file), ownerPrefix))
			live = append(live, pid)
		}
	}
	return live, nil
}

// addOwner records that a process is using the directory. The record appears atomically.
func addOwner(path string, id Identity) error {
	raw, err := json.Marshal(id)
	if err != nil {
		return err
	}
	partial := filepath.Join(path, fmt.Sprintf("new-owner.%d", id.PID))
	if err := os.WriteFile(partial, raw, 0o600); err != nil {
		return err
	}
	return os.Rename(partial, ownerFile(path, id.PID))
}

func ownerFile(path string, pid int) string {
	return filepath.Join(path, fmt.Sprintf("%s%d", ownerPrefix, pid))
}

// socketBases returns the candidate parent directories, with the best first.
func socketBases() []string {
	var bases []string
	for _, base := range []string{os.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), "/tmp"} {
		if filepath.IsAbs(base) && !slices.Contains(bases, filepath.Clean(base)) {
			bases = append(bases, filepath.Clean(base))
		}
	}
	return bases
}

func checkSocketPath(dir string) error {
	if n := len(dir) + socketNameRoom; n > maxSocketPath {
		return fmt.Errorf("%s is too long for unix sockets: with a socket's name, it has %d bytes and exceeds the "+
			"limit of %d", dir, n,
			maxSocketPath)
	}
	return nil
}

// ownSocketDir keeps the directory for as long as a detachable process is running.
func (p *Process) ownSocketDir() error {
	if !strings.HasPrefix(filepath.Base(p.config.SocketDir), socketDirPrefix) {
		return nil // not created by NewSocketDir: its creator removes it
	}
	id, err := p.Identity()
	if err != nil {
		return nil // it has ended already
	}
	return addOwner(p.config.SocketDir, id)
}

// removeSocket removes the socket that the process left in our directory if it was killed.
func (p *Process) removeSocket() {
	if p.handshake.address == "" || filepath.Dir(p.handshake.address) != p.config.SocketDir {
		return
	}
	_ = os.Remove(p.handshake.address) // otherwise it is removed with the directory
}
