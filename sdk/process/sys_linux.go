package process

import (
	"errors"
	"os"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// processAttributes puts a process in its own session, which is also its process group, so that the terminal's signals
// do not reach it and reading from a terminal cannot stop it.
func processAttributes(detachable bool) *syscall.SysProcAttr {
	attributes := &syscall.SysProcAttr{Setsid: true}
	if !detachable {
		attributes.Pdeathsig = syscall.SIGKILL
	}
	return attributes
}

// awaitZombie waits until the process has ended but has not been reaped yet. It returns false if this cannot be
// determined.
func awaitZombie(pid int) bool {
	for {
		err := unix.Waitid(unix.P_PID, pid, nil, unix.WEXITED|unix.WNOWAIT, nil)
		if !errors.Is(err, unix.EINTR) {
			return err == nil
		}
	}
}

// describeState returns a process's state, or an empty string if it no longer exists.
func describeState(pid int) string { return Observe(pid).State }

// ticksPerSecond is the unit for times in /proc, which Linux guarantees to programs.
const ticksPerSecond = 100

func observe(pid int) Activity {
	stat, err := readStat(pid)
	if err != nil {
		return Activity{}
	}
	a := Activity{State: StateWaiting, Used: time.Duration(stat.used) * time.Second / ticksPerSecond}
	switch stat.state {
	case 'T':
		a.State = StateStopped
	case 't':
		a.State = StateTraced
	case 'R':
		a.State = StateBusy
	case 'D':
		a.State = StateDevice
	case 'Z', 'X':
		a.State = StateDead
	}
	return a
}

func currentPIDSpace() string {
	space, _ := os.Readlink("/proc/self/ns/pid")
	return space
}
