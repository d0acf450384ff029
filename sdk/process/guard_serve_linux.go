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

// ServeGuard serves as the main function of a guard process; see GuardConfig.Command. It returns when the host ends the
// guard or exits; the process should then exit. It returns an error if it was unable to work at all.
func ServeGuard() error {
	conn, err := newGuardConn(os.NewFile(guardSocket, "socket"))
	if err != nil {
		return errors.New("this program is started by awhost with a socket, not by hand")
	}
	// The thread is never unlocked, because when a thread ends, the kernel kills its children (golang/go#27505).
	runtime.LockOSThread()
	ignoreSignals()
	closeInherited()
	s := &guardServer{conn: conn, leaders: map[int]mark{}, childEnded: make(chan os.Signal, 1)}
	signal.Notify(s.childEnded, syscall.SIGCHLD)
	// From here on, every descendant that loses its parent becomes a child of this process.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return fmt.Errorf("become a subreaper: %w", err)
	}
	return s.serve()
}

// ignoreSignals makes the guard end with its host and not earlier. The signals are caught and discarded, because
// children would inherit ignored signals.
func ignoreSignals() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
		syscall.SIGTSTP, syscall.SIGUSR1, syscall.SIGUSR2)
}

// closeInherited closes files that the host inherited, for example from a shell, rather than opening them itself.
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

// guardServer holds the state of the guard process. A single goroutine does all work except reading.
type guardServer struct {
	conn       *guardConn
	childEnded chan os.Signal
	setup      guardSetup
	mark       mark
	leaders    map[int]mark // the processes that the host has started through this guard, until they are reaped
	ended      []Leftover   // since the host exited
}

// message is a request together with its files.
type message struct {
	guardRequest
	files []*os.File
}

// serve executes the host's requests until the host asks the guard to end or exits. The reader ends with the process.
func (s *guardServer) serve() error {
	requests := make(chan message)
	go s.read(requests)
	for {
		select {
		case m, ok := <-requests:
			if !ok {
				s.handleHostExit()
				return nil
			}
			if m.End {
				s.answer(m.ID, guardAnswer{Leftovers: s.endAllProcesses()})
				return nil
			}
			s.answer(m.ID, s.execute(m))
			closeFiles(m.files...)
		case <-s.childEnded:
		}
		s.reap()
	}
}

func (s *guardServer) read(requests chan<- message) {
	defer close(requests)
	for {
		var m message
		files, err := s.conn.receive(&m.guardRequest)
		if err != nil {
			closeFiles(files...)
			return
		}
		m.files = files
		requests <- m
	}
}

// answer sends a response to the host. If that fails, the host has exited, which the reader detects.
func (s *guardServer) answer(id uint64, a guardAnswer) {
	a.ID = id
	if body, err := encodeFrame(a); err == nil {
		_ = s.conn.write(body)
	}
}

func (s *guardServer) execute(m message) guardAnswer {
	switch {
	case m.Setup != nil:
		s.setup = *m.Setup
		s.mark = mark{run: m.Setup.Run, incarnation: m.Setup.Incarnation, host: m.Setup.Host}
	case m.Start != nil:
		id, err := s.start(*m.Start, m.files)
		if err != nil {
			return guardAnswer{Failure: toWire(err)}
		}
		return guardAnswer{Started: id}
	case m.Terminate != 0:
		s.signal(m.Terminate, terminateGroup)
	case m.Kill != 0:
		s.signal(m.Kill, killGroup)
	}
	return guardAnswer{}
}

// start starts a process and identifies it before it can be reaped.
func (s *guardServer) start(spec startSpec, files []*os.File) (Identity, error) {
	if len(files) < standardFiles {
		return Identity{}, fmt.Errorf("the request came with %d files; want standard input, output, and "+
			"error", len(files))
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
	s.leaders[process.Pid] = parseTag([]byte(strings.Join(spec.Env, "\x00"))).mark
	return Identity{PID: process.Pid, Started: stat.started, Boot: bootID(), Space: currentPIDSpace()}, nil
}

// signal calls send with a process that has not been reaped yet, so its IDs cannot belong to another process.
func (s *guardServer) signal(pid int, send func(*os.Process)) {
	if _, ok := s.leaders[pid]; !ok {
		return
	}
	if process, err := os.FindProcess(pid); err == nil {
		send(process)
		_ = process.Release()
	}
}

// choose applies a selection, always excluding the guard, its ancestors, and the host.
func (s *guardServer) choose(wanted selection) ([]*processInfo, error) {
	t, err := readTable()
	if err != nil {
		return nil, err
	}
	wanted.except = t.selfAndAncestors(os.Getpid())
	wanted.except[s.setup.Host.PID] = true
	return t.choose(wanted), nil
}

// endAllProcesses ends all descendants and all processes with this host's mark. The result omits processes that the
// host had previously asked to end.
func (s *guardServer) endAllProcesses() []Leftover {
	ctx, cancel := context.WithTimeout(context.Background(), sweepTimeout)
	defer cancel()
	s.reap()
	ended, err := endAll(ctx, func() ([]*processInfo, error) {
		return s.choose(selection{below: os.Getpid(), marked: func(t tag) bool { return t.mark.sameHost(s.mark) }})
	}, s.reap)
	if err != nil { // for example an error of /proc: then only the groups are known
		for pid := range s.leaders {
			s.signal(pid, killGroup)
		}
		s.log("end the host's processes: %v", err)
	}
	s.reap()
	return ended
}

// handleHostExit ends everything, including a process that the host was starting when it exited, and removes its
// sockets.
func (s *guardServer) handleHostExit() {
	s.ended = nil
	s.ended = append(s.ended, s.endAllProcesses()...)
	ctx, cancel := context.WithTimeout(context.Background(), hostExitTimeout)
	defer cancel()
	if !awaitExit(ctx, s.setup.Host) {
		s.log("the host (process %d) has closed its guard and still runs", s.setup.Host.PID)
	}
	s.ended = append(s.ended, s.endAllProcesses()...)
	if dir := s.setup.SocketDir; dir != "" && isStaleSocketDir(dir) {
		if err := os.RemoveAll(dir); err != nil {
			s.log("remove the sockets of the host: %v", err)
		}
	}
	names := []string{"nothing was left"}
	for i, l := range s.ended {
		names = append(names[:i], l.String())
	}
	s.log("the host (process %d) has exited; also ended: %s", s.setup.Host.PID, strings.Join(names, ", "))
}

// log adds a line to the log file. A failure is ignored, because the guard is about to exit and cannot report it.
func (s *guardServer) log(format string, arguments ...any) {
	if s.setup.LogFile == "" {
		return
	}
	f, err := openLog(s.setup.LogFile)
	if err != nil {
		return
	}
	defer f.Close()
	fmt.Fprintf(f, "%s guard: %s\n", time.Now().UTC().Format(time.RFC3339), fmt.Sprintf(format, arguments...))
}
