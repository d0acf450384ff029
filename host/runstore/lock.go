package runstore

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/journal/disk"
	"github.com/awhost/awhost/sdk/private"
)

// lockPatience is how long a writer tries: readers that look whether a run is alive hold the lock for an instant.
const lockPatience = 300 * time.Millisecond

// errHeld says that another process has the lock.
var errHeld = errors.New("the lock is held")

// locker is the one part of a store that the disk under test cannot play.
type locker interface {
	// acquire takes the lock at path or fails with errHeld.
	acquire(ctx context.Context, path string) (*os.File, error)
	// held says whether some process has the lock.
	held(path string) (bool, error)
}

// flock locks with flock(2). The lock belongs to the open file, so that a child that inherits the descriptor holds
// it too: a run stays locked until the last of its local writers is gone, however its host ended.
type flock struct{}

func (flock) acquire(ctx context.Context, path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, private.File)
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
	defer file.Close() // which gives the shared lock back
	err = syscall.Flock(int(file.Fd()), syscall.LOCK_SH|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return true, nil
	}
	return false, err
}

// Owner is owner.json: the process that opened a run for writing last. Whether it still writes, only the lock says.
type Owner struct {
	PID         int       `json:"pid"`
	Started     string    `json:"started,omitempty"` // when the process began, as the kernel counts: tells a reused pid
	Host        string    `json:"host"`
	Command     string    `json:"command"` // without secrets
	Since       time.Time `json:"since"`   // when it opened the run
	Incarnation int       `json:"incarnation"`
	// Build is the awhost that the run goes on with, as it is kept. Runs of earlier versions do not have it.
	Build *build.Build `json:"build,omitempty"`
}

func (s *Store) thisOwner(incarnation int) Owner {
	host, _ := os.Hostname() // for people; an unknown host is an empty one
	return Owner{
		PID: os.Getpid(), Started: processStart(os.Getpid()), Host: host,
		Command: s.opts.Command, Since: s.opts.Now().UTC().Truncate(time.Second), Incarnation: incarnation,
	}
}

// Alive says whether the owner's process still runs. Of a process on another machine that is not known: true.
func (o Owner) Alive() bool {
	if host, err := os.Hostname(); err != nil || host != o.Host {
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

// LockedError says that another process writes a run.
type LockedError struct {
	Ref   string // "quickstart-3"
	Owner *Owner // nil when it has not yet said who it is
	Alive bool   // false: the owner is gone, a process that it started still holds the run
	Dir   string // its directory
	Held  string // by which processes, where the system tells: "process 4713 (python3)"
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
	return fmt.Sprintf("run %s is being written by pid %d on %s (%s) since %s; %s",
		e.Ref, e.Owner.PID, e.Owner.Host, e.Owner.Command, e.Owner.Since.Format(time.RFC3339), stop)
}

// acquire takes the lock of a run directory.
func (s *Store) acquire(ctx context.Context, dir string) (*os.File, error) {
	file, err := s.lock.acquire(ctx, filepath.Join(dir, lockFile))
	if !errors.Is(err, errHeld) {
		return file, err
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
)
