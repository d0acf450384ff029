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

// parseMark reads the mark of a living process, which is therefore of this boot.
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

// sameLife says whether both are marks of one life of one run.
func (m mark) sameLife(other mark) bool {
	m.serial, other.serial = 0, 0
	return m == other
}

// found is a process as /proc shows it.
type found struct {
	procStat
	pid int
	tag *tag // read when it is needed
}

// undecided reports whether a process has begun so recently that the kernel does not show its environment yet: it may
// be a trainer that is to live. One that was started with an empty environment has one, and one that hides it is
// decided upon when it is older.
func (f *found) undecided() bool {
	if f.environment != 0 {
		return false
	}
	raw, err := os.ReadFile("/proc/uptime")
	if err != nil {
		return false
	}
	seconds, _, _ := bytes.Cut(raw, []byte(" "))
	up, err := strconv.ParseFloat(string(seconds), 64)
	return err == nil && up-float64(f.started)/ticksPerSecond < undecidedSeconds
}

const undecidedSeconds = 2

// tag is what a process's environment says of it. The zero tag is of one that says nothing, or cannot be read.
type tag struct {
	mark       mark
	marked     bool
	detachable bool
	run        string
	instance   string
	launch     string // see Detach
}

// table is all processes that can be seen. They are not read at one instant: what matters is decided again by the next
// table, and each kill verifies whom it meets.
type table map[int]*found

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
			t[pid] = &found{procStat: stat, pid: pid}
		}
	}
	return t, nil
}

// tagOf reads the environment of a process of this user.
func (t table) tagOf(f *found) tag {
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

// parseTag reads an environment as the kernel shows it: NUL after each variable.
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

// selection says which processes belong to something that is to be ended.
type selection struct {
	marked func(tag) bool // of a process
	// below is a process whose descendants belong, whatever they say of themselves; 0 for none.
	below int
	// except are processes that do not belong, and do not make their descendants belong.
	except map[int]bool
}

// belonging is how a process relates to a selection.
type belonging int

const (
	unknown belonging = iota
	foreign
	member
	detached // it may outlive the host, and so may what it has started
)

// choose returns the living processes of a selection.
func (t table) choose(s selection) []*found {
	known := map[int]belonging{}
	var chosen []*found
	for pid, f := range t {
		if t.belonging(f, s, known) == member && !f.dead() && !s.except[pid] {
			chosen = append(chosen, f)
		}
	}
	return chosen
}

func (t table) belonging(f *found, s selection, known map[int]belonging) belonging {
	if known[f.pid] != unknown {
		return known[f.pid]
	}
	known[f.pid] = foreign // for the case that pids were reused during the reading, and parents go round in a circle
	b := foreign
	if parent, ok := t[f.parent]; ok && !s.except[f.parent] {
		b = t.belonging(parent, s, known)
	}
	if b == foreign && s.below != 0 && f.parent == s.below && !s.except[f.pid] {
		b = member
	}
	if b != detached {
		tag := t.tagOf(f)
		if b == foreign && s.marked(tag) {
			b = member
		}
		if b == member && tag.detachable {
			b = detached
		}
	}
	known[f.pid] = b
	return b
}

// lineage is a process and its ancestors.
func (t table) lineage(pid int) map[int]bool {
	line := map[int]bool{}
	for f, ok := t[pid]; ok && !line[f.pid]; f, ok = t[f.parent] {
		line[f.pid] = true
	}
	return line
}

// kill ends this very process: the handle is taken before the start time is compared, so that it cannot be another's.
func (f *found) kill() {
	process, err := os.FindProcess(f.pid)
	if err != nil {
		return
	}
	defer process.Release()
	if stat, err := readStat(f.pid); err == nil && stat.started == f.started {
		_ = process.Signal(syscall.SIGKILL) // whether it worked, the next table says
	}
}

const (
	firstSweepPause = 2 * time.Millisecond
	maxSweepPause   = 50 * time.Millisecond
)

// endAll kills what choose finds until it finds nothing, which makes it robust against processes that multiply. It
// returns everything that it found, and an error when some of it is still there at the end of ctx. between is called
// after each round.
func endAll(ctx context.Context, choose func() ([]*found, error), between func()) ([]Leftover, error) {
	var all []Leftover
	var killed []Identity // of all, in its order
	for pause := firstSweepPause; ; pause = min(2*pause, maxSweepPause) {
		living, err := choose()
		if err != nil {
			return all, err
		}
		for _, f := range living {
			if f.undecided() {
				continue // the next table knows
			}
			id := Identity{PID: f.pid, Started: f.started}
			if !slices.Contains(killed, id) {
				killed, all = append(killed, id), append(all, f.leftover())
			}
			f.kill()
		}
		// One that is about to end has lost its environment, so that nothing chooses it any more, and is still there.
		ending := slices.IndexFunc(killed, Alive)
		if len(living) == 0 && ending < 0 {
			return all, nil
		}
		between()
		if !pauseFor(ctx, pause) {
			return all, fmt.Errorf("%s still there after SIGKILL: the kernel holds it", all[max(ending, 0)])
		}
	}
}

func (f *found) leftover() Leftover {
	l := Leftover{PID: f.pid, Program: f.name}
	if f.tag != nil {
		l.Instance = f.tag.instance
	}
	return l
}

// pauseFor waits, and tells whether ctx is still alive.
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
