package sandbox

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// groupPrefix begins the names of control groups. A random number follows.
const groupPrefix = "awhost-sandbox-"

// controllers lists the controllers that limit a sandbox.
var controllers = []string{"memory", "pids"}

// errNoGroups reports that this process cannot create control groups with limits.
var errNoGroups = errors.New("this process may not create control groups (v2) with limits of memory and processes")

// findGroups returns the directory in which this process can create control groups (v2) with limits. self is the
// process's directory in /proc, and root is prepended to mount points. The result is an ancestor of the process's group
// that already enables the controllers, unless a group below it has limits that sandboxes would escape. Otherwise, it
// is the process's group, and its processes are moved to a leaf, because a group whose children have controllers cannot
// contain processes.
func findGroups(self, root string) (string, error) {
	own, top, err := ownGroup(self, root)
	if err != nil {
		return "", err
	}
	isRoot := !exists(own + "/cgroup.type") // the machine's root may have processes and controllers for children
	for at := own; ; at = filepath.Dir(at) {
		if (at != own || isRoot) && hasControllers(at+"/cgroup.subtree_control") && isWritableGroup(at) {
			return at, nil
		}
		if at == top || isLimited(at) {
			break
		}
	}
	if !hasControllers(own+"/cgroup.controllers") || !isWritableGroup(own) {
		return "", errNoGroups
	}
	if err := moveToLeaf(own, isRoot); err != nil {
		return "", fmt.Errorf("%w: %w", errNoGroups, err)
	}
	return own, nil
}

// ownGroup returns the directory of the process's control group and the mount point above it.
func ownGroup(self, root string) (own, top string, _ error) {
	groups, err := os.ReadFile(self + "/cgroup")
	if err != nil {
		return "", "", err
	}
	mounts, err := os.ReadFile(self + "/mountinfo")
	if err != nil {
		return "", "", err
	}
	name := ""
	for line := range strings.Lines(string(groups)) {
		// A path that contains ".." is outside the namespace.
		if path, ok := strings.CutPrefix(strings.TrimSpace(line), "0::"); ok && !strings.HasPrefix(path, "/..") {
			name = path
		}
	}
	for line := range strings.Lines(string(mounts)) {
		mount, kind, _ := strings.Cut(line, " - ")
		fields := strings.Fields(mount)
		if len(fields) > 4 && strings.HasPrefix(kind, "cgroup2 ") && name != "" && below(name, fields[3]) {
			top = root + fields[4]
			return filepath.Join(top, strings.TrimPrefix(name, fields[3])), top, nil
		}
	}
	return "", "", errNoGroups
}

// hasControllers reports whether one of a group's files lists all required controllers.
func hasControllers(file string) bool {
	text, err := os.ReadFile(file)
	there := strings.Fields(string(text))
	return err == nil && !slices.ContainsFunc(controllers, func(name string) bool { return !slices.Contains(there, name) })
}

// isWritableGroup reports whether this process may create groups in a group and move its processes to them.
func isWritableGroup(group string) bool {
	return unix.Access(group, unix.W_OK) == nil && unix.Access(group+"/cgroup.procs", unix.W_OK) == nil
}

// isLimited reports whether a group limits its processes.
func isLimited(group string) bool {
	return slices.ContainsFunc([]string{"memory.max", "memory.high", "cpu.max", "cpuset.cpus"}, func(name string) bool {
		text, _ := os.ReadFile(filepath.Join(group, name)) // missing without the controller
		value := strings.TrimSpace(string(text))
		return value != "" && !strings.HasPrefix(value, "max")
	})
}

// moveToLeaf moves a group's processes to a leaf and enables the controllers for the group's children. Several
// processes may call it at the same time.
func moveToLeaf(group string, isRoot bool) (err error) {
	leaf := group + "/awhost"
	for range 10 { // processes may start meanwhile
		if !isRoot {
			if err := os.Mkdir(leaf, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
				return err
			}
			pids, err := os.ReadFile(group + "/cgroup.procs")
			if err != nil {
				return err
			}
			for pid := range strings.Lines(string(pids)) {
				_ = os.WriteFile(leaf+"/cgroup.procs", []byte(pid), 0o644) // it may have ended
			}
		}
		err = os.WriteFile(group+"/cgroup.subtree_control", []byte("+"+strings.Join(controllers, " +")), 0o644)
		if !errors.Is(err, unix.EBUSY) {
			return err
		}
	}
	return err
}

// group is a sandbox's control group. A lock on its directory indicates that its owner is running. The methods do
// nothing on a nil group.
type group struct{ folder *os.File }

// newGroup creates a group with limits.
func newGroup(parent string, l Limits) (*group, error) {
	var g *group
	for g == nil {
		path, err := os.MkdirTemp(parent, groupPrefix)
		if err != nil {
			return nil, err
		}
		g, err = lockGroup(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) && !errors.Is(err, unix.EWOULDBLOCK) {
			return nil, err // otherwise another process removes it as a leftover
		}
	}
	for _, setting := range [][2]string{
		{"memory.swap.max", "0"},
		{"memory.max", strconv.FormatInt(l.MemoryBytes, 10)},
		{"memory.oom.group", "1"},
		{"pids.max", strconv.FormatUint(l.threads(), 10)},
	} {
		file := filepath.Join(g.folder.Name(), setting[0])
		if setting[0] == "memory.swap.max" && !exists(file) {
			continue // a kernel without swap
		}
		if err := os.WriteFile(file, []byte(setting[1]), 0o644); err != nil {
			g.remove()
			return nil, err
		}
	}
	return g, nil
}

// lockGroup opens a group. It returns an error if another process owns it.
func lockGroup(path string) (*group, error) {
	folder, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	if err = unix.Flock(int(folder.Fd()), unix.LOCK_EX|unix.LOCK_NB); err == nil {
		_, err = os.Stat(path)
	}
	if err != nil {
		return nil, errors.Join(err, folder.Close())
	}
	return &group{folder: folder}, nil
}

// removeStale removes groups whose owners were killed and ends the processes in them.
func removeStale(parent string) {
	stale, _ := filepath.Glob(filepath.Join(parent, groupPrefix+"*"))
	for _, path := range stale {
		if g, err := lockGroup(path); err == nil {
			g.remove()
		}
	}
}

// attributes sets the attributes of a process that is started in the group.
func (g *group) attributes(a *syscall.SysProcAttr) {
	if g != nil {
		a.UseCgroupFD, a.CgroupFD = true, int(g.folder.Fd())
	}
}

// excess names the limit that caused the kernel to end the group's processes. It returns an empty string if the kernel
// did not end any, or if the machine or an outer group ran out of memory.
func (g *group) excess(l Limits) string {
	if g == nil {
		return ""
	}
	text, _ := os.ReadFile(g.folder.Name() + "/memory.events")
	var exceeded, killed int // the first counts the group's own limit only, the second all causes
	for line := range strings.Lines(string(text)) {
		_, _ = fmt.Sscanf(line, "oom %d", &exceeded)
		_, _ = fmt.Sscanf(line, "oom_kill %d", &killed)
	}
	if exceeded == 0 || killed == 0 {
		return ""
	}
	return fmt.Sprintf("it and what it has started needed more than memory_bytes (%d)", l.MemoryBytes)
}

// groupTimeout limits the wait for a group's processes to end.
const groupTimeout = time.Second

// remove ends all of the group's processes and removes the group. If this fails, the next process that creates
// sandboxes retries it.
func (g *group) remove() {
	if g == nil {
		return
	}
	path := g.folder.Name()
	_ = os.WriteFile(path+"/cgroup.kill", []byte("1"), 0o644) // missing before Linux 5.14
	for began := time.Now(); errors.Is(unix.Rmdir(path), unix.EBUSY) && time.Since(began) < groupTimeout; {
		time.Sleep(time.Millisecond)
	}
	g.folder.Close()
}
