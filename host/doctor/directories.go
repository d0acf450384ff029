package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/awhost/awhost/host/internal/child"
)

// disk holds the properties of a file system; sizes are in bytes.
type disk struct {
	name        string
	shared      bool // other machines may have it mounted
	free, total uint64
	noInodes    bool
	readOnly    bool
}

const (
	littleSpace = 5 << 30   // enough for a few checkpoints of a small model
	noSpace     = 100 << 20 // less than the journal of a run needs
)

// lookAtRuns inspects the runs directory without writing to it.
func (c *Config) lookAtRuns(context.Context) result {
	f := Finding{Group: Directories, Subject: "runs", Status: OK}
	runs := filepath.Join(c.Dir, ".awhost", "runs")
	dir := nearest(runs)
	d, err := statDisk(dir)
	if err != nil {
		f.Status, f.Found = Failed, err.Error()
		return found(f)
	}
	f.Found = fmt.Sprintf("%s: %s, %s free of %s", c.short(runs), d.name, size(d.free), size(d.total))
	switch err := writable(dir); {
	case d.readOnly:
		f.Status, f.Found, f.Remedy = Failed, f.Found+", mounted read-only",
			"keep the spec on a file system that can be written"
	case err != nil:
		f.Status, f.Found, f.Remedy = Failed, f.Found+", but "+dir+" cannot be written: "+err.Error(),
			"change its owner or mode, or keep the spec elsewhere"
	case d.noInodes:
		f.Status, f.Found, f.Remedy = Failed, f.Found+", but no inode is left", "remove files"
	case d.free < noSpace:
		f.Status, f.Remedy = Failed, "make room: a run stops when its journal cannot be written"
	case d.free < littleSpace:
		f.Status, f.Remedy = Warn, "make room: checkpoints of a framework are as large as the model and its optimiser"
	case d.name == "tmpfs":
		f.Status, f.Remedy = Warn, "runs in memory are gone after a restart: keep the spec on a disk"
	case d.shared:
		f.Found += ", which other machines may share"
	}
	return found(f)
}

// lookAtLocks tests the lock that prevents two hosts from using the same run.
func (c *Config) lookAtLocks(context.Context) result {
	dir := nearest(filepath.Join(c.Dir, ".awhost", "runs"))
	f := Finding{Group: Directories, Subject: "locks", Status: OK, Found: "flock works there"}
	there := dir
	if c.Spec != "" {
		there = c.Spec
	}
	if err := tryLock(dir, there); err != nil {
		f.Status, f.Found = Failed, "flock: "+err.Error()
		f.Remedy = "runs are locked by flock(2): mount NFS with locking (not nolock, with rpc.statd), or keep the spec on a local disk"
	}
	return found(f)
}

// lockShared briefly takes a shared lock on an existing file. Otherwise, specs and directories are not locked.
func lockShared(path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	return unix.Flock(int(file.Fd()), unix.LOCK_SH|unix.LOCK_NB)
}

// lookAtSockets looks for a directory for a run's sockets: it must be writable and have a short path, because the
// length of socket paths is limited.
func (c *Config) lookAtSockets(context.Context) result {
	f := Finding{Group: Directories, Subject: "sockets", Status: OK}
	var problems []string
	for _, base := range []string{c.getenv("XDG_RUNTIME_DIR"), c.temporary()} {
		if base == "" {
			continue
		}
		err := writable(base)
		if err == nil && len(base) > mostSocketBase {
			err = fmt.Errorf("its path is longer than %d bytes", mostSocketBase)
		}
		if err == nil {
			f.Found = base
			if len(problems) > 0 {
				f.Found += " (" + strings.Join(problems, "; ") + ")"
			}
			return found(f)
		}
		problems = append(problems, base+": "+err.Error())
	}
	f.Status, f.Found, f.Remedy = Failed, strings.Join(problems, "; "),
		"set XDG_RUNTIME_DIR or TMPDIR to a short, writable directory"
	return found(f)
}

// mostSocketBase leaves room for the names that sdk/process appends, because socket paths are limited to 103 bytes.
const mostSocketBase = 103 - 40 - len("/awhost-0123456789")

func (c *Config) temporary() string {
	if dir := c.getenv("TMPDIR"); dir != "" {
		return dir
	}
	return "/tmp"
}

const (
	sharedMemory      = "/dev/shm"
	leastSharedMemory = 1 << 30
)

// lookAtSharedMemory inspects the shared memory that Ray's object store and NCCL use.
func (c *Config) lookAtSharedMemory(context.Context) result {
	d, err := statDisk(sharedMemory)
	if errors.Is(err, os.ErrNotExist) {
		return result{} // not Linux
	}
	f := Finding{Group: Directories, Subject: "shared memory", Status: OK}
	if err != nil {
		f.Status, f.Found = Warn, err.Error()
		return found(f)
	}
	f.Found = fmt.Sprintf("%s: %s free of %s", sharedMemory, size(d.free), size(d.total))
	if err := writable(sharedMemory); err != nil {
		f.Status, f.Found, f.Remedy = Warn, f.Found+", but it cannot be written: "+err.Error(),
			"Ray, NCCL and torch's data loaders need it: mount it writable"
	} else if d.free < leastSharedMemory {
		f.Status, f.Remedy = Warn, "Ray, NCCL and torch's data loaders need some gigabytes: docker run --shm-size=16g"
	}
	return found(f)
}

// nearest returns the deepest existing directory on a path.
func nearest(path string) string {
	for {
		if info, err := os.Stat(path); err == nil && info.IsDir() || path == filepath.Dir(path) {
			return path
		}
		path = filepath.Dir(path)
	}
}

func writable(dir string) error {
	if err := unix.Access(dir, unix.W_OK|unix.X_OK); err != nil {
		return err
	}
	return nil
}

// fewFiles is the number of files below which frameworks run out of file descriptors.
const fewFiles = 4096

// lookAtFileLimit reads the limit in a child process: Go raises its own limit, but children receive the original one.
func (c *Config) lookAtFileLimit(ctx context.Context) result {
	f := Finding{Group: Machine, Subject: "open files", Status: OK}
	out, err := child.Output(ctx, child.Command{Path: "/bin/sh", Args: []string{"-c", "ulimit -S -n; ulimit -H -n"}})
	limits := strings.Fields(out)
	if err != nil || len(limits) != 2 {
		f.Status, f.Found = Skipped, "the shell does not report the limit"
		return found(f)
	}
	f.Found = limits[0] + " per process"
	if limits[1] != limits[0] {
		f.Found += ", may be raised to " + limits[1]
	}
	var n int
	if _, err := fmt.Sscan(limits[0], &n); err == nil && n < fewFiles { // "unlimited" is not a number
		f.Status, f.Remedy = Warn, "frameworks open many: ulimit -n 65536, before awhost"
	}
	return found(f)
}
