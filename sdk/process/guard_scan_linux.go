package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// parseMark parses the mark of a running process, which therefore belongs to this boot.
func parseMark(text string) (mark, bool) {
	fields := strings.Split(text, "/")
	if len(fields) != 6 || !validRun(fields[0]) {
		return mark{}, false
	}
	m := mark{run: fields[0], host: Identity{Boot: bootID(), Space: fields[4]}}
	var failed [4]error
	m.incarnation, failed[0] = strconv.Atoi(fields[1])
	m.host.PID, failed[1] = strconv.Atoi(fields[2])
	m.host.Started, failed[2] = strconv.ParseUint(fields[3], 10, 64)
	m.serial, failed[3] = strconv.ParseUint(fields[5], 10, 64)
	return m, errors.Join(failed[:]...) == nil
}

// sameHost reports whether both marks belong to the same host process of the same run.
func (m mark) sameHost(other mark) bool {
	m.serial, other.serial = 0, 0
	return m == other
}

// processInfo is a process listed in /proc.
type processInfo struct {
	procStat
	pid int
	tag *tag // read on demand
}

// environmentPending reports whether a process started so recently that the kernel does not expose its environment yet:
// it may be a detachable trainer. A process that was started with an empty environment counts as having one. A process
// that hides its environment is decided on when it is older.
func (f *processInfo) environmentPending() bool {
	if f.environment != 0 {
		return false
	}
	raw, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return false
	}
	seconds, _, _ := bytes.Cut(raw, []byte(" "))
	up, err := strconv.ParseFloat(string(seconds), 64)
	return err == nil && up-float64(f.started)/ticksPerSecond < environmentDelaySeconds
}

const environmentDelaySeconds = 2

// tag is the information contained in a process's environment. It is zero if the environment contains none or cannot be
// read.
type tag struct {
	mark       mark
	marked     bool
	detachable bool
	run        string
	instance   string
	launch     string // see Detach
}

// table holds all visible processes. They are not read at a single instant. Decisions are repeated using the next
// table, and each kill verifies the process's identity.
type table map[int]*processInfo

func readTable() (table, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	t := table{}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		if stat, err := readStat(pid); err == nil { // otherwise it has ended
			t[pid] = &processInfo{procStat: stat, pid: pid}
		}
	}
	return t, nil
}

// tagOf reads the environment of one of this user's processes.
func (t table) tagOf(f *processInfo) tag {
	if f.tag == nil {
		f.tag = &tag{}
		if !ownedBySelf(f.pid) {
			return *f.tag
		}
		if raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/environ", f.pid)); err == nil {
			*f.tag = parseTag(raw)
		}
	}
	return *f.tag
}

func ownedBySelf(pid int) bool {
	info, err := os.Stat(fmt.Sprintf("/proc/%d", pid))
	return err == nil && ownedByUser(info)
}

// parseTag parses an environment in the kernel's format, with a NUL after each variable.
func parseTag(raw []byte) tag {
	var t tag
	for pair := range bytes.SplitSeq(raw, []byte{0}) {
		name, value, _ := bytes.Cut(pair, []byte("="))
		switch string(name) {
		case EnvMark:
			t.mark, t.marked = parseMark(string(value))
		case EnvDetachable:
			t.detachable = string(value) == "1"
		case EnvRun:
			t.run = string(value)
		case EnvInstance:
			t.instance = string(value)
		case EnvLaunch:
			t.launch = string(value)
		}
	}
	return t
}

// selection describes which processes to end.
type selection struct {
	marked func(tag) bool // of a process
	// below is a process whose descendants belong to the selection, regardless of their tags; 0 means none.
	below int
	// except lists processes that do not belong; their descendants do not belong on their account either.
	except map[int]bool
}

// membership describes how a process is related to a selection.
type membership int

const (
	unknown membership = iota
	nonMember
	member
	detached // it may outlive the host, and so may its descendants
)

// choose returns the living processes in a selection.
func (t table) choose(s selection) []*processInfo {
	known := map[int]membership{}
	var chosen []*processInfo
	for pid, f := range t {
		if t.membership(f, s, known) == member && !f.dead() && !s.except[pid] {
			chosen = append(chosen, f)
		}
	}
	return chosen
}

func (t table) membership(f *processInfo, s selection, known map[int]membership) membership {
	if known[f.pid] != unknown {
		return known[f.pid]
	}
	known[f.pid] = nonMember // for pids that were reused during the reading, so that the parents form a cycle
	b := nonMember
	if parent, ok := t[f.parent]; ok && !s.except[f.parent] {
		b = t.membership(parent, s, known)
	}
	if b == nonMember && s.below != 0 && f.parent == s.below && !s.except[f.pid] {
		b = member
	}
	if b != detached {
		tag := t.tagOf(f)
		if b == nonMember && s.marked(tag) {
			b = member
		}
		if b == member && tag.detachable {
			b = detached
		}
	}
	known[f.pid] = b
	return b
}

// selfAndAncestors returns a process and its ancestors.
func (t table) selfAndAncestors(pid int) map[int]bool {
	line := map[int]bool{}
	for f, ok := t[pid]; ok && !line[f.pid]; f, ok = t[f.parent] {
		line[f.pid] = true
	}
	return line
}

// kill ends exactly this process: the handle is obtained before the start time is compared, so it cannot refer to
// another process.
func (f *processInfo) kill() {
	process, err := os.FindProcess(f.pid)
	if err != nil {
		return
	}
	defer process.Release()
	if stat, err := readStat(f.pid); err == nil && stat.started == f.started {
		_ = process.Signal(syscall.SIGKILL) // the next table shows whether it worked
	}
}

const (
	firstSweepPause = 2 * time.Millisecond
	maxSweepPause   = 50 * time.Millisecond
)

// endAll kills the processes that choose returns until choose returns none, which also handles processes that multiply.
// It returns all processes that it found, and an error if some of them still exist when ctx is done. between is called
// after each round.
func endAll(ctx context.Context, choose func() ([]*processInfo, error), between func()) ([]Leftover, error) {
	var all []Leftover
	var killed []Identity // of all, in its order
	for pause := firstSweepPause; ; pause = min(2*pause, maxSweepPause) {
		living, err := choose()
		if err != nil {
			return all, err
		}
		for _, f := range living {
			if f.environmentPending() {
				continue // the next table decides
			}
			id := Identity{PID: f.pid, Started: f.started}
			if !slices.Contains(killed, id) {
				killed, all = append(killed, id), append(all, f.leftover())
			}
			f.kill()
		}
		// A process that is about to end has lost its environment, so it is no longer chosen but still exists.
		ending := slices.IndexFunc(killed, Alive)
		if len(living) == 0 && ending < 0 {
			return all, nil
		}
		between()
		if !pauseFor(ctx, pause) {
			return all, fmt.Errorf("%s still exist after SIGKILL: the kernel is not releasing "+
				"them", all[max(ending, 0)])
		}
	}
}

func (f *processInfo) leftover() Leftover {
	l := Leftover{PID: f.pid, Program: f.name}
	if f.tag != nil {
		l.Instance = f.tag.instance
	}
	return l
}

// pauseFor waits and reports whether ctx is still not done.
func pauseFor(ctx context.Context, pause time.Duration) bool {
	timer := time.NewTimer(pause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}
