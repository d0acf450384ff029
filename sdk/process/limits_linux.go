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
	// noCoreLimit limits core dumps, which would write secrets to disk. With a limit of 1, the kernel writes none,
	// whereas with 0 it still starts a program named in core_pattern.
	noCoreLimit = 1
	// oomScoreIncrease is added to the host's own OOM score adjustment, in thousandths of memory. Ending a process
	// costs a restart, but ending the host costs the run.
	oomScoreIncrease = 500
	maxOOM           = 1000
)

// setLimits applies limits to a running process; its children inherit them.
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
	disableCoreDumps(pid)
	raiseOOMScore(pid)
	return nil
}

// disableCoreDumps lowers only the soft limit, so that a plugin can raise it for debugging. It needs no privilege. Its
// errors are ignored, because none of them justify a failed start.
func disableCoreDumps(pid int) {
	var now unix.Rlimit
	if err := unix.Prlimit(pid, unix.RLIMIT_CORE, nil, &now); err != nil {
		return
	}
	_ = unix.Prlimit(pid, unix.RLIMIT_CORE, &unix.Rlimit{Cur: min(noCoreLimit, now.Max), Max: now.Max}, nil)
}

// raiseOOMScore makes the kernel kill the process before this one when memory runs out. If /proc cannot be written, the
// kernel chooses by size alone.
func raiseOOMScore(pid int) {
	own, err := os.ReadFile("/proc/self/oom_score_adj")
	if err != nil {
		return
	}
	score, err := strconv.Atoi(strings.TrimSpace(string(own)))
	if err != nil {
		return
	}
	path := fmt.Sprintf("/proc/%d/oom_score_adj", pid)
	_ = os.WriteFile(path, []byte(strconv.Itoa(min(maxOOM, score+oomScoreIncrease))), 0)
}
