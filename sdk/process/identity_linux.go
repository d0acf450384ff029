package process

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
)

func identify(pid int) (Identity, error) {
	stat, err := readStat(pid)
	if err != nil {
		return Identity{}, err
	}
	if stat.dead() {
		return Identity{}, os.ErrProcessDone
	}
	return Identity{PID: pid, Started: stat.started, Boot: bootID(), Space: currentPIDSpace()}, nil
}

func alive(id Identity) bool {
	if id.Boot != bootID() {
		return false
	}
	if id.Space != currentPIDSpace() {
		return true
	}
	stat, err := readStat(id.PID)
	return err == nil && !stat.dead() && stat.started == id.Started
}

func parent(pid int) (int, error) {
	stat, err := readStat(pid)
	return stat.parent, err
}

func bootID() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id") // absent in some sandboxes: then all boots look equal
	return strings.TrimSpace(string(id))
}

// procStat holds the required fields of /proc/PID/stat (proc_pid_stat(5)).
type procStat struct {
	name    string // of the program, up to 15 bytes
	state   byte
	parent  int    // field 4
	started uint64 // field 22, clock ticks after boot
	used    uint64 // fields 14 and 15, clock ticks on processors, of all its threads
	// resident is field 24, pages in memory.
	resident int64
	// environment is field 50, the address of the environment, which is 0 if the kernel does not expose it, or does not
	// expose it yet.
	environment uint64
}

func (s procStat) dead() bool { return s.state == 'Z' || s.state == 'X' }

func readStat(pid int) (procStat, error) {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return procStat{}, err
	}
	return parseStat(raw)
}

// parseStat parses the fields that follow the program's name, which is in parentheses and may contain any characters.
func parseStat(raw []byte) (procStat, error) {
	const startField, residentField = 22 - 3, 24 - 3 // counted from the state, which is field 3
	head, rest, _ := cutLast(raw, ')')
	_, name, _ := bytes.Cut(head, []byte("("))
	fields := bytes.Fields(rest)
	if len(fields) <= residentField {
		return procStat{}, errors.New("invalid stat file")
	}
	started, err := strconv.ParseUint(string(fields[startField]), 10, 64)
	if err != nil {
		return procStat{}, fmt.Errorf("invalid start time: %w", err)
	}
	parent, err := strconv.Atoi(string(fields[1]))
	if err != nil {
		return procStat{}, fmt.Errorf("invalid parent: %w", err)
	}
	user, userErr := strconv.ParseUint(string(fields[14-3]), 10, 64)
	system, systemErr := strconv.ParseUint(string(fields[15-3]), 10, 64)
	if err := errors.Join(userErr, systemErr); err != nil {
		return procStat{}, fmt.Errorf("invalid processor time: %w", err)
	}
	out := procStat{name: string(name), state: fields[0][0], parent: parent, started: started, used: user + system}
	if out.resident, err = strconv.ParseInt(string(fields[residentField]), 10, 64); err != nil {
		return procStat{}, fmt.Errorf("invalid resident memory: %w", err)
	}
	const environmentField = 50 - 3
	if len(fields) > environmentField {
		out.environment, err = strconv.ParseUint(string(fields[environmentField]), 10, 64)
	}
	return out, err
}

func cutLast(b []byte, sep byte) (before, after []byte, found bool) {
	i := bytes.LastIndexByte(b, sep)
	if i < 0 {
		return b, nil, false
	}
	return b[:i], b[i+1:], true
}
