package process

import (
	"context"
	"errors"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// reap waits for every child that has ended: processes started by the host and their orphaned descendants.
func (s *guardServer) reap() {
	for {
		pid := endedChild()
		if pid == 0 {
			return
		}
		m, isLeader := s.leaders[pid]
		var leftovers []Leftover
		if isLeader {
			leftovers = s.endGroup(pid, m)
			s.ended = append(s.ended, leftovers...)
		}
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, syscall.WNOHANG, nil); err != nil {
			return
		}
		if isLeader {
			delete(s.leaders, pid)
			s.answer(0, guardAnswer{Ended: &guardEnded{PID: pid, Code: exitCode(status), Signal: signalIn(status),
				Leftovers: leftovers}})
		}
	}
}

// siginfoChild is siginfo_t as filled in by waitid.
type siginfoChild struct {
	signo, errno, code int32
	_                  [unsafe.Sizeof(uintptr(0))/4 - 1]int32 // the union is aligned like a pointer
	pid                int32
}

// endedChild returns the pid of a child that has ended and is not reaped, or 0.
func endedChild() int {
	for {
		var info unix.Siginfo
		err := unix.Waitid(unix.P_ALL, 0, &info, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return 0 // no children
		}
		return int((*siginfoChild)(unsafe.Pointer(&info)).pid)
	}
}

func exitCode(status syscall.WaitStatus) int {
	if status.Exited() {
		return status.ExitStatus()
	}
	return -1
}

// groupTimeout limits the wait for a process's leftovers. Leftovers that remain are ended with the run.
const groupTimeout = time.Second

// endGroup ends a dead leader's group and other processes that carry its mark. The leader is still a zombie, so its
// group's ID cannot belong to another process.
func (s *guardServer) endGroup(pid int, m mark) []Leftover {
	_ = syscall.Kill(-pid, syscall.SIGKILL) // an empty group is the desired state
	ctx, cancel := context.WithTimeout(context.Background(), groupTimeout)
	defer cancel()
	leftovers, _ := endAll(ctx, func() ([]*processInfo, error) {
		return s.choose(selection{marked: func(t tag) bool { return t.mark == m }})
	}, func() {})
	return leftovers
}
