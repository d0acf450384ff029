package build

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/consent"
	"github.com/awhost/awhost/host/internal/wholefile"
	"github.com/awhost/awhost/host/journal/disk"
)

// Store is the directory of stored executables, <digest>/awhost, which runs share. It need not exist.
type Store struct{ dir, keyDir string }

// In returns the store of a state directory: its builds subdirectory. keyDir holds the user's key; if it is empty, the
// default directory is used.
func In(stateDir, keyDir string) *Store {
	return &Store{dir: filepath.Join(stateDir, "builds"), keyDir: keyDir}
}

const (
	executableName = "awhost"
	lockName       = "lock"
	partInfix      = ".part-"
	sealPrefix     = "kept-by-" // followed by the seal of the user who stored it: an empty file
)

// openMode is the directory's mode, the same as for runs: the process umask applies. Users who may start runs in this
// directory may store builds. Before a file is executed, it is checked against the digest that the run has recorded.
const openMode fs.FileMode = 0o777

// lockPatience limits how long to wait for other processes that store or prune builds: they copy at most one
// executable.
const lockPatience = 2 * time.Minute

// Hold gives exclusive access to the store.
type Hold struct {
	store *Store
	lock  *os.File
}

// Lock waits until no other process stores or prunes builds. A caller that stores a build for a run keeps the lock
// until the run is recorded, so that the build is not pruned in between.
func (s *Store) Lock(ctx context.Context) (*Hold, error) {
	if err := os.MkdirAll(s.dir, openMode); err != nil {
		return nil, explain("keep the build", err)
	}
	lock, err := os.OpenFile(filepath.Join(s.dir, lockName), os.O_RDWR|os.O_CREATE, openMode&0o666)
	if err != nil {
		return nil, explain("keep the build", err)
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		err := syscall.Flock(int(lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return &Hold{store: s, lock: lock}, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(fmt.Errorf("keep the build: lock %s: %w", lock.Name(), err), lock.Close())
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, errors.Join(fmt.Errorf("keep the build: another awhost process has locked %s: "+
				"%w", lock.Name(), ctx.Err()), lock.Close())
		}
	}
}

// Release gives up exclusive access.
func (h *Hold) Release() error { return h.lock.Close() }

// UnsealedError reports that a build is stored, but without proof that this user stored it: it will not be executed
// later.
type UnsealedError struct{ Err error }

// Error implements error.
func (e *UnsealedError) Error() string {
	return fmt.Sprintf("the build is kept, but cannot be executed after an upgrade, because it cannot be marked as "+
		"yours: set HOME or XDG_CONFIG_HOME to a writable directory: %v", e.Err)
}

// Unwrap returns the cause.
func (e *UnsealedError) Unwrap() error { return e.Err }

// Keep stores the executable of this process and returns the build with its digest. An undamaged existing copy is
// shared. If Keep returns an UnsealedError, the executable is still stored.
func (h *Hold) Keep(b Build) (Build, error) {
	digest, err := self()
	if err != nil {
		return b, fmt.Errorf("keep the build: %w", err)
	}
	b.Digest = digest
	if f, err := h.store.check(digest); err == nil {
		return b, errors.Join(f.Close(), h.seal(digest))
	}
	self, err := SelfPath()
	if err != nil {
		return b, fmt.Errorf("keep the build: %w", err)
	}
	if err := h.copy(self, digest); err != nil {
		return b, explain("keep the build to resume the run later", err)
	}
	return b, h.seal(digest)
}

// seal marks a stored executable as belonging to this user: files copied from other users are not executed.
func (h *Hold) seal(digest string) error {
	key, err := consent.Ensure(h.store.keyDir)
	if err == nil {
		var mark *os.File
		if mark, err = os.OpenFile(h.store.mark(key, digest), os.O_CREATE|os.O_RDONLY, 0o444); err == nil {
			err = mark.Close()
		}
	}
	if err != nil {
		return &UnsealedError{err}
	}
	return nil
}

// mark returns the path of the file that marks an executable as stored by a key's owner.
func (s *Store) mark(key consent.Key, digest string) string {
	_, mac, _ := strings.Cut(key.MAC([]byte("kept build "+digest)), ":")
	return filepath.Join(s.folder(digest), sealPrefix+mac)
}

// isOwn reports whether this user has stored an executable.
func (s *Store) isOwn(digest string) bool {
	key, err := consent.Read(s.keyDir)
	if err != nil {
		return false
	}
	_, err = os.Lstat(s.mark(key, digest))
	return err == nil
}

// explain adds a remedy to an error.
func explain(what string, err error) error {
	if advice := disk.Advice(err); advice != "" {
		return fmt.Errorf("%s: %w; %s", what, err, advice)
	}
	return fmt.Errorf("%s: %w", what, err)
}

// copy adds an executable to the store atomically and durably, or not at all.
func (h *Hold) copy(from, digest string) (err error) {
	folder := h.store.folder(digest)
	if err := os.MkdirAll(folder, openMode); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(folder) // fails unless it is empty
		}
	}()
	entries, err := os.ReadDir(folder)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), executableName+partInfix) { // left by a killed process
			if err := os.Remove(filepath.Join(folder, entry.Name())); err != nil {
				return err
			}
		}
	}
	if err := fill(folder, from); err != nil {
		return err
	}
	return syncFolders(folder, h.store.dir)
}

// fill copies an executable into its directory. Users who may read the directory may execute it.
func fill(folder, from string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	size, err := in.Stat()
	if err != nil {
		return err
	}
	open, err := os.Stat(folder)
	if err != nil {
		return err
	}
	return wholefile.WithoutForks(func() (err error) {
		out, err := os.CreateTemp(folder, executableName+partInfix)
		if err != nil {
			return err
		}
		defer func() {
			if err != nil {
				_ = os.Remove(out.Name())
			}
		}()
		_, err = io.Copy(out, in)
		if err = errors.Join(err, out.Chmod(open.Mode().Perm()&0o555), out.Sync(), out.Close()); err != nil {
			return fmt.Errorf("copy an executable of %d MiB: %w", size.Size()>>20, err)
		}
		return os.Rename(out.Name(), filepath.Join(folder, executableName))
	})
}

func syncFolders(dirs ...string) error {
	for _, dir := range dirs {
		d, err := os.Open(dir)
		if err != nil {
			return err
		}
		if err := errors.Join(d.Sync(), d.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Has reports whether the store contains an undamaged executable stored by this user.
func (h *Hold) Has(digest string) bool {
	f, err := h.store.check(digest)
	return err == nil && f.Close() == nil && h.store.isOwn(digest)
}

// Others lists the stored digests, except the given one.
func (h *Hold) Others(than string) ([]string, error) {
	entries, err := os.ReadDir(h.store.dir)
	if err != nil {
		return nil, fmt.Errorf("look for kept builds: %w", err)
	}
	var digests []string
	for _, e := range entries {
		if digest := "sha256:" + e.Name(); e.IsDir() && digest != than {
			digests = append(digests, digest)
		}
	}
	return digests, nil
}

// Prune removes builds that are not needed. A process that is executing a removed build continues to use it.
func (h *Hold) Prune(needed []string) error {
	kept, err := h.Others("")
	if err != nil {
		return err
	}
	var failures []error
	for _, digest := range kept {
		if !slices.Contains(needed, digest) {
			failures = append(failures, os.RemoveAll(h.store.folder(digest)))
		}
	}
	if err := errors.Join(failures...); err != nil {
		return fmt.Errorf("remove unused builds: %w", err)
	}
	return nil
}

func (s *Store) folder(digest string) string {
	return filepath.Join(s.dir, filepath.Base(strings.TrimPrefix(digest, "sha256:")))
}

func (s *Store) path(digest string) string { return filepath.Join(s.folder(digest), executableName) }

// ErrNotKept reports that the executable does not exist.
var ErrNotKept = errors.New("it is not kept")

// ErrForeign reports that another user has stored the executable: its content cannot be trusted.
var ErrForeign = errors.New("it was not stored by you on this machine")

// Kept is a stored executable that is open and has been checked.
type Kept struct {
	Path string
	file *os.File
}

// Open opens an executable that this user has stored, and checks it against its digest.
func (s *Store) Open(digest string) (*Kept, error) {
	f, err := s.check(digest)
	if err != nil {
		return nil, err
	}
	if !s.isOwn(digest) {
		return nil, errors.Join(ErrForeign, f.Close())
	}
	return &Kept{Path: s.path(digest), file: f}, nil
}

func (s *Store) check(digest string) (*os.File, error) {
	path := s.path(digest)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) || digest == "" {
		return nil, ErrNotKept
	}
	if err != nil {
		return nil, err
	}
	now, err := digestOf(f)
	if err == nil && now != digest {
		err = fmt.Errorf("%s is damaged: its SHA-256 is %s", path, Short(now))
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Close closes the file without executing it.
func (k *Kept) Close() error { return k.file.Close() }

// Exec replaces this process with the checked executable. It returns only if the replacement fails.
func (k *Kept) Exec(args, env []string) error {
	path := k.Path
	if runtime.GOOS == "linux" { // the file that was hashed, whatever is at its path now
		path = fmt.Sprintf("/proc/self/fd/%d", k.file.Fd())
	}
	return fmt.Errorf("execute the kept build %s: %w", k.Path, syscall.Exec(path, args, env))
}
