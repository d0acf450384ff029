package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// guardLink is the connection to a guard process.
type guardLink struct {
	mark    mark
	command *exec.Cmd
	conn    *guardConn

	mu       sync.Mutex
	nextID   uint64
	waiting  map[uint64]chan delivery // of running requests; nil when the guard is lost
	children map[int]*guardedChild    // by pid

	exited chan struct{} // closed when the guard is gone, for any reason
	done   chan struct{} // closed when its process and goroutines have ended
}

// openLink starts a guard process and sends the setup request. It owns the reading goroutine, which ends when the guard
// does.
func openLink(ctx context.Context, config GuardConfig, m mark) (*guardLink, error) {
	ends, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC|unix.SOCK_NONBLOCK, 0)
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	theirs := os.NewFile(uintptr(ends[1]), "guard")
	conn, err := newGuardConn(os.NewFile(uintptr(ends[0]), "guard"))
	if err != nil {
		return nil, errors.Join(err, theirs.Close())
	}
	command, err := guardCommand(config.Command, theirs)
	if err == nil {
		err = command.Start()
	}
	theirs.Close() // so that only the guard holds its end
	if err != nil {
		return nil, errors.Join(err, conn.socket.Close())
	}
	l := &guardLink{
		mark: m, command: command, conn: conn, waiting: map[uint64]chan delivery{}, children: map[int]*guardedChild{},
		exited: make(chan struct{}), done: make(chan struct{}),
	}
	go l.read()
	setup := guardSetup{Run: m.run, Incarnation: m.incarnation, Host: m.host, SocketDir: config.SocketDir,
		LogFile: config.LogFile}
	if _, err := l.call(ctx, guardRequest{Setup: &setup}); err != nil {
		l.abandon()
		return nil, fmt.Errorf("%w (%s)", err, config.Command[0])
	}
	return l, nil
}

// delivery is a response for its request.
type delivery struct {
	*guardAnswer
	child *guardedChild // the started child
}

// guardCommand returns a command that runs the guard in its own session, so that a terminal cannot affect it, in the
// root directory, and without any of the host's files except the socket. Its environment is like a plugin's, without
// secrets.
func guardCommand(program []string, socket *os.File) (*exec.Cmd, error) {
	env, err := environment(Config{}, os.Environ(), nil)
	if err != nil {
		return nil, err
	}
	return &exec.Cmd{
		Path: program[0], Args: program, Env: env, Dir: "/", ExtraFiles: []*os.File{socket},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}, nil
}

// start starts a process.
func (l *guardLink) start(spec startSpec) (*guardedChild, error) {
	answer, err := l.call(context.Background(), guardRequest{Start: &spec},
		append([]*os.File{spec.stdin, spec.stdout, spec.stderr}, spec.extra...)...)
	if err != nil {
		return nil, err
	}
	return answer.child, nil
}

// call sends a request and waits for the response. It ends a guard that does not respond before guardTimeout has
// elapsed or ctx is done.
func (l *guardLink) call(ctx context.Context, request guardRequest, files ...*os.File) (delivery, error) {
	answered, id, err := l.register()
	if err != nil {
		return delivery{}, err
	}
	request.ID = id
	body, err := encodeFrame(request)
	if err != nil {
		l.unregister(id)
		return delivery{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, guardTimeout)
	defer cancel()
	if err := l.conn.write(body, files...); err != nil {
		l.abandon()
		return delivery{}, fmt.Errorf("%w: %w", errGuardLost, err)
	}
	select {
	case answer, ok := <-answered:
		if !ok {
			return delivery{}, errGuardLost
		}
		if answer.Failure != nil {
			return delivery{}, answer.Failure.error()
		}
		return answer, nil
	case <-ctx.Done():
		l.abandon()
		return delivery{}, fmt.Errorf("the guard of the run did not respond and was ended: %w", ctx.Err())
	}
}

var errGuardLost = errors.New("the guard of the run exited")

// register registers a request.
func (l *guardLink) register() (<-chan delivery, uint64, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.waiting == nil {
		return nil, 0, errGuardLost
	}
	l.nextID++
	answered := make(chan delivery, 1)
	l.waiting[l.nextID] = answered
	return answered, l.nextID, nil
}

func (l *guardLink) unregister(id uint64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.waiting, id)
}

// abandon ends an unusable guard and waits until all of its parts have ended.
func (l *guardLink) abandon() {
	_ = l.command.Process.Kill() // it may have exited already
	<-l.done
}

// read receives the guard's messages until the guard has exited, and then cleans up after it.
func (l *guardLink) read() {
	defer close(l.done)
	for {
		answer := &guardAnswer{}
		files, err := l.conn.receive(answer)
		closeFiles(files...)
		if err != nil {
			break
		}
		l.dispatch(answer)
	}
	_ = l.command.Process.Kill() // it has ended, or sent an invalid message
	_ = l.command.Wait()         // it has no result
	_ = l.conn.socket.Close()
	l.handleGuardExit()
}

// dispatch delivers a response or an event. A child is registered before its caller can receive the response.
func (l *guardLink) dispatch(answer *guardAnswer) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := answer.Ended; e != nil {
		if c := l.children[e.PID]; c != nil {
			delete(l.children, e.PID)
			c.finish(ended{code: e.Code, signal: e.Signal, leftovers: e.Leftovers})
		}
		return
	}
	answered := l.waiting[answer.ID]
	if answered == nil {
		return // abandoned
	}
	delete(l.waiting, answer.ID)
	d := delivery{guardAnswer: answer}
	if id := answer.Started; id.PID != 0 {
		d.child = &guardedChild{link: l, identity: id, done: make(chan struct{})}
		l.children[id.PID] = d.child
	}
	answered <- d
}

// handleGuardExit cleans up after a guard that has exited. The kernel has killed the guard's children with it; their
// descendants can be identified only by their mark.
func (l *guardLink) handleGuardExit() {
	l.mu.Lock()
	waiting, children := l.waiting, l.children
	l.waiting, l.children = nil, nil
	l.mu.Unlock()
	close(l.exited)
	for _, answered := range waiting {
		close(answered)
	}
	ctx, cancel := context.WithTimeout(context.Background(), sweepTimeout)
	defer cancel()
	_, _ = endMarked(ctx, func(t tag) bool { return t.mark.sameHost(l.mark) }) // the next host finds remaining ones
	for _, c := range children {
		awaitExit(ctx, c.identity) // it may have overwritten its environment
		c.finish(ended{code: -1, signal: syscall.SIGKILL.String(), guardLost: true})
	}
}

// close asks the guard to end all processes and itself.
func (l *guardLink) close(ctx context.Context) ([]Leftover, error) {
	answer, err := l.call(ctx, guardRequest{End: true})
	if errors.Is(err, errGuardLost) {
		<-l.done
		return nil, nil // still, all processes have ended
	}
	if err != nil {
		return nil, fmt.Errorf("end the guard of the run: %w", err)
	}
	timer := time.NewTimer(guardTimeout)
	defer timer.Stop()
	select {
	case <-l.done:
	case <-ctx.Done():
		l.abandon()
	case <-timer.C:
		l.abandon()
	}
	return answer.Leftovers, nil
}
