package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// guardSocket is the file descriptor of the guard's socket.
const guardSocket = 3

// ServeGuard runs as the main function of a guard process, see GuardConfig.Command. It returns when the host ends the
// guard or is gone; the process should exit then. It returns an error if it could not work at all.
func ServeGuard() error {
	conn, err := newGuardConn(os.NewFile(guardSocket, "socket"))
	if err != nil {
		return errors.New("this program is started by awhost with a socket, not by hand")
	}
	// Never unlocked: when a thread ends, the kernel kills its children (golang/go#27505).
	runtime.LockOSThread()
	ignoreSignals()
	closeInherited()
	w := &warden{conn: conn, leaders: map[int]mark{}, childEnded: make(chan os.Signal, 1)}
	signal.Notify(w.childEnded, syscall.SIGCHLD)
	// From here on every descendant that loses its parent becomes a child of this process.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become a subreaper: %w", err)
	}
	return w.serve()
}

// ignoreSignals makes the guard end with its host and not before. The signals are caught and dropped, because
// children would inherit ignored signals.
func ignoreSignals() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
		syscall.SIGTSTP, syscall.SIGUSR1, syscall.SIGUSR2)
}

// closeInherited closes files that the host inherited, for example from a shell, and did not open itself.
func closeInherited() {
	entries, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return
	}
	for _, e := range entries {
		var fd int
		if _, err := fmt.Sscan(e.Name(), &fd); err != nil || fd <= 2 {
			continue
		}
		if flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFD, 0); err == nil && flags&unix.FD_CLOEXEC == 0 {
			_ = unix.Close(fd)
		}
	}
}

// warden is the state of the guard process. One goroutine does all work except reading.
type warden struct {
	conn       *guardConn
	childEnded chan os.Signal
	setup      guardSetup
	mark       mark
	leaders    map[int]mark // the processes that the host has started through this guard, until they are reaped
	ended      []Leftover   // since the host exited
}

// message is a request with its files.
type message struct {
	guardRequest
	files []*os.File
}

// serve executes the host's requests until the host requests the end or is gone. The reader ends with the process.
func (w *warden) serve() error {
	requests := make(chan message)
	go w.read(requests)
	for {
		select {
		case m, ok := <-requests:
			if !ok {
				w.hostDied()
				return nil
			}
			if m.End {
				w.answer(m.ID, guardAnswer{Leftovers: w.endEverything()})
				return nil
			}
			w.answer(m.ID, w.do(m))
			closeFiles(m.files...)
		case <-w.childEnded:
		}
		w.reap()
	}
}

func (w *warden) read(requests chan<- message) {
	defer close(requests)
	for {
		var m message
		files, err := w.conn.receive(&m.guardRequest)
		if err != nil {
			closeFiles(files...)
			return
		}
		m.files = files
		requests <- m
	}
}

// answer sends an answer to the host. If that fails, the host is gone, which the reader detects.
func (w *warden) answer(id uint64, a guardAnswer) {
	a.ID = id
	if body, err := encodeFrame(a); err == nil {
		_ = w.conn.post(body)
	}
}

func (w *warden) do(m message) guardAnswer {
	switch {
	case m.Setup != nil:
		w.setup = *m.Setup
		w.mark = mark{run: m.Setup.Run, incarnation: m.Setup.Incarnation, host: m.Setup.Host}
	case m.Start != nil:
		id, err := w.start(*m.Start, m.files)
		if err != nil {
			return guardAnswer{Failure: toWire(err)}
		}
		return guardAnswer{Started: id}
	case m.Terminate != 0:
		w.signal(m.Terminate, terminateGroup)
	case m.Kill != 0:
		w.signal(m.Kill, killGroup)
	}
	return guardAnswer{}
}

// start starts a process and identifies it before it can be reaped.
func (w *warden) start(spec startSpec, files []*os.File) (Identity, error) {
	if len(files) < standardFiles {
		return Identity{}, fmt.Errorf("%d files came with the request; want standard input, output and error", len(files))
	}
	process, err := os.StartProcess(spec.Path, spec.Args,
		&os.ProcAttr{Dir: spec.Dir, Env: spec.Env, Files: files, Sys: processAttributes(false)})
	if err != nil {
		return Identity{}, err
	}
	defer process.Release() // reap waits for it
	stat, err := readStat(process.Pid)
	if err == nil {
		err = setLimits(process.Pid, spec.Limits)
	}
	if err != nil {
		killGroup(process) // reaped by reap; no caller waits for it
		return Identity{}, err
	}
	w.leaders[process.Pid] = parseTag([]byte(strings.Join(spec.Env, "\x00"))).mark
	return Identity{PID: process.Pid, Started: stat.started, Boot: bootID(), Space: currentPIDSpace()}, nil
}

// signal calls send with a process that is not reaped yet, so its ids cannot belong to another process.
func (w *warden) signal(pid int, send func(*os.Process)) {
	if _, ok := w.leaders[pid]; !ok {
		return
	}
	if process, err := os.FindProcess(pid); err == nil {
		send(process)
		_ = process.Release()
	}
}

// choose applies a selection, always excluding the guard, its ancestors and the host.
func (w *warden) choose(s selection) ([]*found, error) {
	t, err := readTable()
	if err != nil {
		return nil, err
	}
	s.except = t.lineage(os.Getpid())
	s.except[w.setup.Host.PID] = true
	return t.choose(s), nil
}

// endEverything ends all descendants, and all processes with the mark of this host. The result omits processes whose
// end the host has requested before.
func (w *warden) endEverything() []Leftover {
	ctx, cancel := context.WithTimeout(context.Background(), sweepPatience)
	defer cancel()
	w.reap()
	ended, err := endAll(ctx, func() ([]*found, error) {
		return w.choose(selection{below: os.Getpid(), marked: func(t tag) bool { return t.mark.sameLife(w.mark) }})
	}, w.reap)
	if err != nil { // for example an error of /proc: then only the groups are known
		for pid := range w.leaders {
			w.signal(pid, killGroup)
		}
		w.log("end the host's processes: %v", err)
	}
	w.reap()
	return ended
}

// hostDied ends everything, including a process that the host was starting when it exited, and removes its sockets.
func (w *warden) hostDied() {
	w.ended = nil
	w.ended = append(w.ended, w.endEverything()...)
	ctx, cancel := context.WithTimeout(context.Background(), hostPatience)
	defer cancel()
	if !awaitDeath(ctx, w.setup.Host) {
		w.log("the host (process %d) has closed its guard and still runs", w.setup.Host.PID)
	}
	w.ended = append(w.ended, w.endEverything()...)
	if dir := w.setup.SocketDir; dir != "" && leftBehind(dir) {
		if err := os.RemoveAll(dir); err != nil {
			w.log("remove the sockets of the host: %v", err)
		}
	}
	names := []string{"nothing was left"}
	for i, l := range w.ended {
		names = append(names[:i], l.String())
	}
	w.log("the host (process %d) has exited; also ended: %s", w.setup.Host.PID, strings.Join(names, ", "))
}

// log adds a line to the log file. A failure is ignored, because the guard is about to exit and cannot report it.
func (w *warden) log(format string, arguments ...any) {
	if w.setup.LogFile == "" {
		return
	}
	f, err := openLog(w.setup.LogFile)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintf(f, "%s guard: %s\n", time.Now().UTC().Format(time.RFC3339), fmt.Sprintf(format, arguments...))
}
