package process

import (
	"context"
	"errors"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// reap waits for every child that has ended: those that the host has started, and what they left behind.
func (w *warden) reap() {
	for {
		pid := endedChild()
		if pid == 0 {
			return
		}
		m, isLeader := w.leaders[pid]
		var leftovers []Leftover
		if isLeader {
			leftovers = w.endOffspring(pid, m)
			w.ended = append(w.ended, leftovers...)
		}
		var status syscall.WaitStatus
		if _, err := syscall.Wait4(pid, &status, syscall.WNOHANG, nil); err != nil {
			return
		}
		if isLeader {
			delete(w.leaders, pid)
			w.answer(0, guardAnswer{Ended: &guardEnded{PID: pid, Code: exitCode(status), Signal: signalIn(status), Leftovers: leftovers}})
		}
	}
}

// siginfoChild is siginfo_t as waitid fills it in.
type siginfoChild struct {
	signo, errno, code int32
	_                  [unsafe.Sizeof(uintptr(0))/4 - 1]int32 // the union is aligned like a pointer
	pid                int32
}

// endedChild is a child that is dead and not reaped; 0 for none.
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

// offspringPatience bounds the wait for what a process leaves behind; what outlives it is ended with the run.
const offspringPatience = time.Second

// endOffspring ends the group of a dead leader, and what else it has started and carries its mark. The leader is a zombie
// meanwhile, so that the id of its group is nobody else's.
func (w *warden) endOffspring(pid int, m mark) []Leftover {
	_ = syscall.Kill(-pid, syscall.SIGKILL) // an empty group is what is wanted
	ctx, cancel := context.WithTimeout(context.Background(), offspringPatience)
	defer cancel()
	leftovers, _ := endAll(ctx, func() ([]*found, error) {
		return w.choose(selection{marked: func(t tag) bool { return t.mark == m }})
	}, func() {})
	return leftovers
}
