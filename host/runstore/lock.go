package runstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// lockPatience is how long a writer keeps trying: readers that check whether a run is active hold the lock briefly.
const lockPatience = 300 * time.Millisecond

// errHeld reports that another process holds the lock.
var errHeld = errors.New("the lock is held")

// locker is the only part of a store that the test disk cannot simulate.
type locker interface {
	// acquire takes the lock at path or returns errHeld.
	acquire(ctx context.Context, path string) (*os.File, error)
	// held reports whether a process holds the lock.
	held(path string) (bool, error)
}

// flock locks with flock(2). The lock belongs to the open file, so a child that inherits the descriptor also holds it:
// a run stays locked until the last of its local writers has exited, regardless of how its host ended.
type flock struct{}

func (flock) acquire(ctx context.Context, path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, ownerfile.File)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, lockPatience)
	defer cancel()
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for {
		err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
		if err == nil {
			return file, nil
		}
		if !errors.Is(err, syscall.EWOULDBLOCK) && !errors.Is(err, syscall.EINTR) {
			return nil, errors.Join(&fs.PathError{Op: "flock", Path: path, Err: err}, file.Close())
		}
		select {
		case <-again.C:
		case <-ctx.Done():
			return nil, errors.Join(errHeld, file.Close())
		}
	}
}

func (flock) held(path string) (bool, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer file.Close() // which releases the shared lock
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}

// Owner holds the content of owner.json: the process that last opened a run for writing. Only the lock determines
// whether that process is still writing.
type Owner struct {
	PID         int       `json:"pid"`
	Started     string    `json:"started,omitempty"` // start time in the kernel's units; detects a reused pid
	Host        string    `json:"host"`
	User        string    `json:"user,omitempty"` // owner of the process; not recorded by earlier versions
	Command     string    `json:"command"`        // without secrets
	Since       time.Time `json:"since"`          // when it opened the run
	Incarnation int       `json:"incarnation"`
	// Build is the stored awhost build with which the run continues. Runs of earlier versions do not have it.
	Build *build.Build `json:"build,omitempty"`
	// Extension is set if the run was given more steps than it was started with.
	Extension *Extension `json:"extension,omitempty"`
}

// Extension gives a run that has finished more steps.
type Extension struct {
	From  int `json:"from"`  // the step that had ended the run, which now continues after it
	Steps int `json:"steps"` // planned steps of all stages, including the earlier ones
}

func (s *Store) thisOwner(incarnation int) Owner {
	host, _ := os.Hostname() // for display; an unknown host is an empty one
	name := fmt.Sprintf("uid %d", os.Getuid())
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	return Owner{
		PID: os.Getpid(), Started: processStart(os.Getpid()), Host: host, User: name,
		Command: s.opts.Command, Since: s.opts.Now().UTC().Truncate(time.Second), Incarnation: incarnation,
	}
}

// String describes the process, for example "pid 4711 on box as alice (awhost apply train.hcl) since …".
func (o Owner) String() string {
	as := ""
	if o.User != "" {
		as = " as " + o.User
	}
	return fmt.Sprintf("pid %d on %s%s (%s) since %s", o.PID, o.Host, as, o.Command, o.Since.Format(time.RFC3339))
}

// Foreign reports whether the process is on another machine, which is then the only place where it can be inspected and
// ended.
func (o Owner) Foreign() bool {
	host, err := os.Hostname()
	return err != nil || host != o.Host
}

// Alive reports whether the owner's process is still running. For a process on another machine, it returns true,
// because the state is unknown.
func (o Owner) Alive() bool {
	if o.Foreign() {
		return true
	}
	if err := syscall.Kill(o.PID, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	started := processStart(o.PID)
	return started == "" || o.Started == "" || started == o.Started
}

func readOwner(fsys disk.FS, dir string) *Owner {
	data, err := disk.ReadFile(fsys, filepath.Join(dir, ownerFile))
	if err != nil {
		return nil
	}
	var owner Owner
	if json.Unmarshal(data, &owner) != nil {
		return nil
	}
	return &owner
}

// LockedError reports that another process is writing to a run.
type LockedError struct {
	Ref   string // "quickstart-3"
	Owner *Owner // nil if it is not recorded yet
	Alive bool   // false: the owner is gone, but a process that it started still holds the run
	Dir   string // its directory
	Held  string // the holding processes, if known: "process 4713 (python3)"
}

// Error implements error.
func (e *LockedError) Error() string {
	stop := "stop it with: awhost stop " + e.Ref + WhereFlag(e.Dir)
	switch {
	case e.Owner == nil:
		return fmt.Sprintf("run %s is being opened by another process; %s", e.Ref, stop)
	case !e.Alive:
		held := e.Held
		if held == "" {
			held = "a process"
		}
		return fmt.Sprintf("run %s is still held by %s that pid %d (%s) left behind when it ended; %s",
			e.Ref, held, e.Owner.PID, e.Owner.Command, stop)
	}
	if e.Owner.Foreign() {
		stop = "on that machine, " + stop
	}
	return fmt.Sprintf("run %s is being written by %s; %s", e.Ref, e.Owner, stop)
}

// UnreadableLockError reports that a run's lock cannot be read, so it is unknown whether the run is being written.
type UnreadableLockError struct {
	Ref   string
	Owner *Owner // process that last opened the run; nil if unknown
	Err   error  // names the lock
}

// Error implements error.
func (e *UnreadableLockError) Error() string {
	who, ask := "", "ask its owner"
	if e.Owner != nil {
		who = "; the last to open the run was " + e.Owner.String()
	}
	if e.Owner != nil && e.Owner.User != "" {
		ask = "ask " + e.Owner.User
	}
	return fmt.Sprintf("the lock of run %s cannot be read, so its state is unknown: %v%s; %s, or work as that "+
		"user", e.Ref, e.Err, who, ask)
}

// Unwrap returns the cause.
func (e *UnreadableLockError) Unwrap() error { return e.Err }

// lockError returns the error for a problem with a run directory's lock.
func (s *Store) lockError(dir string, err error) error {
	if errors.Is(err, fs.ErrPermission) {
		return &UnreadableLockError{Ref: filepath.Base(dir), Owner: readOwner(s.opts.FS, dir), Err: err}
	}
	return fmt.Errorf("look at the lock of run %s: %w", filepath.Base(dir), err)
}

// Holder names the process that holds the run's lock, or returns an empty string if it is unknown.
func (r *Run) Holder() string {
	owner := readOwner(r.fs(), r.Dir)
	if owner == nil || !owner.Alive() {
		return holders(filepath.Join(r.Dir, lockFile))
	}
	return owner.String()
}

// acquire takes a run directory's lock.
func (s *Store) acquire(ctx context.Context, dir string) (*os.File, error) {
	file, err := s.lock.acquire(ctx, filepath.Join(dir, lockFile))
	if err != nil && !errors.Is(err, errHeld) {
		return nil, s.lockError(dir, err)
	}
	if err == nil {
		return file, nil
	}
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	locked := &LockedError{Ref: filepath.Base(dir), Dir: dir, Owner: readOwner(s.opts.FS, dir)}
	locked.Alive = locked.Owner != nil && locked.Owner.Alive()
	if !locked.Alive {
		locked.Held = holders(filepath.Join(dir, lockFile))
	}
	return nil, locked
}

var (
	_ locker = flock{}
	_ error  = (*LockedError)(nil)
	_ error  = (*UnreadableLockError)(nil)
)
