package process

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const (
	// noCore bounds core dumps, which would write secrets to a disk. To the kernel it means none at all, while at 0 it
	// still starts the program that core_pattern may name.
	noCore = 1
	// oomYield is added to the host's own readiness to be ended when memory runs out, in thousandths of the memory. A
	// process that is ended costs a restart, the host costs the run.
	oomYield = 500
	maxOOM   = 1000
)

// setLimits bounds a running process; its children inherit the bounds.
func setLimits(pid int, l Limits) error {
	for _, limit := range []struct {
		what     string
		resource int
		value    uint64
	}{
		{"open files", unix.RLIMIT_NOFILE, l.OpenFiles},
		{"address space", unix.RLIMIT_AS, l.AddressSpaceBytes},
	} {
		if limit.value == 0 {
			continue
		}
		err := unix.Prlimit(pid, limit.resource, &unix.Rlimit{Cur: limit.value, Max: limit.value}, nil)
		if err != nil && !errors.Is(err, unix.ESRCH) { // it may have ended already
			return fmt.Errorf("limit %s to %d: %w", limit.what, limit.value, err)
		}
	}
	preventCore(pid)
	yieldMemory(pid)
	return nil
}

// preventCore lowers the soft limit only: whoever debugs a plugin can let it raise its own. It needs no right, and so has
// no error that would be worth not starting for.
func preventCore(pid int) {
	var now unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_CORE, nil, &now); err != nil {
		return
	}
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{Cur: min(noCore, now.Max), Max: now.Max}, nil)
}

// yieldMemory lets the kernel end the process before this one. Where /proc cannot be written the kernel chooses by size
// alone.
func yieldMemory(pid int) {
	own, err := os.ReadFile("/proc/self/oom_score_adj")
	if err != nil {
		return
	}
	score, err := strconv.Atoi(strings.TrimSpace(string(own)))
	if err != nil {
		return
	}
	_ = os.WriteFile(fmt.Sprintf("/proc/%d/oom_score_adj", pid), []byte(strconv.Itoa(min(maxOOM, score+oomYield))), 0)
}
