package catalog

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/catalog/internal/archive"
	"github.com/awhost/awhost/host/catalog/internal/pyenv"
	"github.com/awhost/awhost/host/catalog/internal/stamp"
)

// A run may take days, during which a plugin's files can be replaced, edited or removed. So they are hashed again
// before each start. A single-file program is executed from a private copy, which is hashed while it is written, so
// that later changes to the file have no effect. An archive or a Python environment is too large to copy: it is hashed
// in place, and hashed again when its process is ready but still idle.
//
// The hash of a Python package covers its dependencies through the hashes that the installer recorded. Therefore, their
// files are read when the plugin is first held, and compared with that state from then on.

// Held is a plugin whose files match its Hash and which can be started now.
type Held struct {
	Command []string
	Env     map[string]string // added to the host's environment

	executable *executable // nil for bundled plugins
	hash       string
	once       sync.Once
}

// ChangedError reports that a plugin's files no longer match its hash. None of them was started, or the started process
// was ended before it received any work.
type ChangedError struct {
	Plugin string // local name
	Path   string // of the program, of its folder, or of a file of the dependencies
	Was    string // "sha256:…", or a description of the previous state
	Is     string // the same for the current state; empty if it is unknown
	Remove string // the folder to remove, so that `awhost init` creates it again; empty if `awhost init` does that anyway
	Err    error  // the reason why Is is unknown
}

// Error implements error.
func (e *ChangedError) Error() string {
	what := fmt.Sprintf("plugin %s has changed since it was hashed: %s was %s and is now "+
		"%s", e.Plugin, e.Path, e.Was, e.Is)
	switch {
	case errors.Is(e.Err, fs.ErrNotExist):
		what = fmt.Sprintf("plugin %s is missing: %s was %s and is now incomplete: %v",
			e.Plugin, e.Path, e.Was, e.Err)
	case e.Err != nil:
		what = fmt.Sprintf("plugin %s has changed since it was hashed: %s was %s and now has no hash: %v",
			e.Plugin, e.Path, e.Was, e.Err)
	}
	remove := ""
	if e.Remove != "" {
		remove = "Remove " + e.Remove + ", and run"
	} else {
		remove = "Run"
	}
	return what + "; it was not started. " + remove + " `awhost init` to rebuild it from its source, and then `awhost " +
		"resume` to continue a run that this has ended"
}

// Unwrap returns the reason why a hash is missing.
func (e *ChangedError) Unwrap() error { return e.Err }

// executable is the plugin of an Entry on disk.
type executable struct {
	product
	name string
	home string // for private copies
	dir  string // of the package that it was built from; may be empty

	sums stamp.Sums

	contentMu sync.Mutex
	content   map[string]string // of the Python environments when they were first held, by path

	mu    sync.Mutex
	copy  *heldCopy // for a single-file program while it is held
	users int
}

// Hold checks that the plugin's files still match Hash. Otherwise it returns a *ChangedError. It must be called
// before each start, and its result must be released after the process has ended. Concurrent holds are allowed.
func (e *Entry) Hold() (*Held, error) {
	held := &Held{Command: e.Command, Env: e.Env, executable: e.executable, hash: e.Hash}
	if e.executable == nil { // the host itself, which is running
		return held, nil
	}
	command, err := e.executable.hold(e.Hash)
	if err != nil {
		return nil, err
	}
	held.Command = command
	return held, nil
}

// Check verifies, once the process is ready, that nothing was changed while it started. Call it before giving the
// process any work. A private copy does not need to be checked.
func (h *Held) Check() error {
	if h.executable == nil || h.executable.isFile() {
		return nil
	}
	return h.executable.check(h.hash)
}

// Release removes the private copy after its last use.
func (h *Held) Release() {
	if h == nil || h.executable == nil {
		return
	}
	h.once.Do(h.executable.release)
}

func (x *executable) isFile() bool { return x.Root == "" }

// where returns the path that the hash covers.
func (x *executable) where() string {
	if x.isFile() {
		return x.Program
	}
	return x.Root
}

func (x *executable) hold(hash string) ([]string, error) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if err := x.check(hash); err != nil {
		return nil, err
	}
	command := x.command()
	if x.isFile() {
		program, err := x.copied(hash)
		if err != nil {
			return nil, err
		}
		command = slices.Concat([]string{program}, command[1:])
	}
	x.users++
	return command, nil
}

// check verifies the hash of the plugin's files.
func (x *executable) check(hash string) error {
	now, err := x.measureWith(&x.sums)
	if lacking(err) {
		return fmt.Errorf("verify the hash of plugin %s: %w", x.name, err)
	}
	if err != nil {
		return &ChangedError{Plugin: x.name, Path: x.where(), Was: hash, Err: err}
	}
	if now != hash {
		return &ChangedError{Plugin: x.name, Path: x.where(), Was: hash, Is: now}
	}
	if x.Deps == "" {
		return nil
	}
	return x.checkContent()
}

// checkContent compares the Python environments with their state at the time they were first held.
func (x *executable) checkContent() error {
	x.contentMu.Lock()
	defer x.contentMu.Unlock()
	now, err := pyenv.Content(x.Root, x.Deps, &x.sums)
	if lacking(err) {
		return fmt.Errorf("verify the hash of plugin %s: %w", x.name, err)
	}
	if err != nil {
		return &ChangedError{Plugin: x.name, Path: x.Deps, Was: "complete", Remove: x.Deps, Err: err}
	}
	if x.content == nil {
		x.content = now
		return nil
	}
	all := maps.Clone(x.content)
	maps.Copy(all, now)
	for _, path := range sortedNames(all) {
		was, is := cmp.Or(x.content[path], "absent"), cmp.Or(now[path], "absent")
		if was == is {
			continue
		}
		remove := x.Deps
		if strings.HasPrefix(path, x.Root+string(filepath.Separator)) {
			remove = x.Root
		}
		return &ChangedError{Plugin: x.name, Path: path, Was: was, Is: is, Remove: remove}
	}
	return nil
}

// lacking reports whether a read failed because the machine ran out of resources, rather than because of the plugin.
func lacking(err error) bool {
	return errors.Is(err, syscall.EMFILE) || errors.Is(err, syscall.ENFILE) || errors.Is(err, syscall.ENOMEM)
}

// copied returns the private copy of the program. It creates one unless a valid copy exists.
func (x *executable) copied(hash string) (string, error) {
	if x.copy != nil {
		if sum, err := (*stamp.Sums)(nil).File(x.copy.program); err == nil && "sha256:"+sum == hash {
			return x.copy.program, nil
		}
		x.copy.remove()
		x.copy = nil
	}
	fresh, err := newHeldCopy(x.home, filepath.Base(x.Program))
	if err != nil {
		return "", fmt.Errorf("copy plugin %s to start it: %w", x.name, err)
	}
	sum, err := fresh.fill(x.Program)
	switch {
	case err != nil:
		err = fmt.Errorf("copy plugin %s to start it: %w", x.name, err)
	case sum != hash:
		err = &ChangedError{Plugin: x.name, Path: x.Program, Was: hash, Is: sum}
	}
	if err != nil {
		fresh.remove()
		return "", err
	}
	x.copy = fresh
	return fresh.program, nil
}

func (x *executable) release() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.users--; x.users == 0 && x.copy != nil {
		x.copy.remove()
		x.copy = nil
	}
}

// heldCopy is a private copy of a program in a separate directory. A lock marks the directory as in use and is released
// when this process ends.
type heldCopy struct {
	dir, program string
	lock         *os.File
}

const heldLock = ".lock"

// newHeldCopy creates the directory and removes directories left by killed processes.
func newHeldCopy(home, name string) (_ *heldCopy, err error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, err
	}
	sweepHeld(home)
	fresh, err := os.MkdirTemp(home, temporary)
	if err != nil {
		return nil, err
	}
	lock, err := lockHeld(filepath.Join(fresh, heldLock), os.O_CREATE|os.O_EXCL)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(fresh))
	}
	dir := filepath.Join(home, strings.TrimPrefix(filepath.Base(fresh), strings.TrimSuffix(temporary, "*")))
	if err := os.Rename(fresh, dir); err != nil {
		return nil, errors.Join(err, lock.Close(), os.RemoveAll(fresh))
	}
	return &heldCopy{dir: dir, program: filepath.Join(dir, name), lock: lock}, nil
}

// lockHeld opens and locks a file. It fails if another process holds the lock.
func lockHeld(path string, flags int) (*os.File, error) {
	lock, err := os.OpenFile(path, os.O_RDWR|flags, 0o600)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(&fs.PathError{Op: "flock", Path: path, Err: err}, lock.Close())
	}
	return lock, nil
}

// sweepHeld removes copies left by killed processes.
func sweepHeld(home string) {
	entries, err := os.ReadDir(home)
	if err != nil {
		return
	}
	for _, e := range entries {
		dir := filepath.Join(home, e.Name())
		if strings.HasPrefix(e.Name(), strings.TrimSuffix(temporary, "*")) { // another process may be creating it
			if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > staleAfter {
				_ = os.RemoveAll(dir)
			}
			continue
		}
		if lock, err := lockHeld(filepath.Join(dir, heldLock), 0); err == nil {
			(&heldCopy{dir: dir, lock: lock}).remove()
		}
	}
}

// fill copies a program and returns the hash of the written content.
func (c *heldCopy) fill(from string) (string, error) {
	in, err := openRegular(from)
	if err != nil {
		return "", err
	}
	defer in.Close()
	h := sha256.New()
	err = archive.Write(c.program, io.TeeReader(in, h), 0o500)
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), err
}

// remove removes the copy. Files that cannot be removed are left for the next sweep.
func (c *heldCopy) remove() {
	_ = os.RemoveAll(c.dir)
	_ = c.lock.Close()
}
