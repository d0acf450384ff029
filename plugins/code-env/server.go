package codeenv

import (
	"bufio"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/sandbox"
)

//go:embed worker.py
var worker string

// Fixed limits.
const (
	// startTimeout bounds the time for starting an interpreter with all its imports.
	startTimeout = 2 * time.Minute
	// exitTimeout bounds the wait for information about an interpreter that has ended.
	exitTimeout = 20 * time.Second
	// workFolder and programFolder are the paths of an episode's directories in its sandbox.
	workFolder, programFolder = "/work", "/program"
)

// setup is the first request to a server.
type setup struct {
	Folder      string         `json:"folder"`
	Program     string         `json:"program"`
	State       string         `json:"state"`
	ShowValue   bool           `json:"show_value"`
	OutputBytes int            `json:"output_bytes"`
	Imports     []string       `json:"imports"`
	Limits      map[string]any `json:"limits"`
	Again       bool           `json:"again"`
}

// prepared is the server's response.
type prepared struct {
	Version string            `json:"version"`
	Failed  map[string]string `json:"failed"`
	Again   bool              `json:"again"`
}

// serverFactory starts servers.
type serverFactory struct {
	config *config
	python string
	read   []string // paths of Python that the sandbox shows
	folder string   // parent of their folders
	log    *slog.Logger
}

// server is a Python process in a sandbox that has imported the required modules and has its own directory. It serves
// one episode at a time: either only the first one, as the interpreter itself, or, if the sandbox can be reset, any
// number of them, through copies of itself.
type server struct {
	factory  *serverFactory
	folder   string // the working directory of its interpreters
	used     bool   // the folder contains an episode's files: the server only serves that episode
	running  *process.Process
	box      *sandbox.Box // nil: no sandbox
	control  *net.UnixConn
	replies  *bufio.Reader // of control
	reusable bool          // it serves more than one episode
	said     stderrTail
	end      sync.Once
	report   sandbox.Report
}

// start starts a server in an existing directory, and waits until it is ready. A server in a used directory serves only
// the episode that used it, because the model's code chose the files in it.
func (m *serverFactory) start(ctx context.Context, folder string, used bool) (*server, error) {
	s := &server{factory: m, folder: folder, used: used}
	if err := s.launch(ctx); err != nil {
		return nil, err
	}
	c := m.config
	first := setup{
		Folder: s.sandboxPath(s.folder), Program: filepath.Join(s.sandboxPath(s.program()), "main.py"), State: c.State,
		ShowValue: c.ShowValue, OutputBytes: c.OutputBytes, Imports: c.Imports, Limits: map[string]any{},
		Again: s.box != nil && s.box.CanReset(),
	}
	if first.Imports == nil {
		first.Imports = []string{}
	}
	if s.box == nil {
		first.Limits = map[string]any{"RLIMIT_DATA": c.MemoryBytes, "RLIMIT_FSIZE": c.DiskBytes}
	}
	var ready prepared
	if err := s.prepare(ctx, first, &ready); err != nil {
		s.close()
		return nil, fmt.Errorf("start %s: %w", m.python, s.lost(ctx, err))
	}
	for name, why := range ready.Failed {
		s.close()
		return nil, fmt.Errorf("import %s in %s (Python %s): %s: install it there, or take it out of imports",
			name, m.python, ready.Version, why)
	}
	s.reusable = first.Again && ready.Again
	return s, nil
}

// launch starts the process with a socket as its standard input and output.
func (s *server) launch(ctx context.Context) error {
	theirs, err := s.connect()
	if err != nil {
		return err
	}
	defer theirs.Close()
	c := s.description()
	c.Stdin, c.Stdout = theirs, theirs
	if err = s.enterSandbox(&c); err == nil {
		if s.running, err = process.New(c); err == nil {
			err = s.running.Start(ctx)
		}
	}
	if err != nil {
		s.control.Close()
		if s.box != nil {
			s.box.Close()
		}
		return err
	}
	if s.box != nil {
		s.box.Started()
	}
	return nil
}

// connect creates the socket, and returns the server's end.
func (s *server) connect() (theirs *os.File, err error) {
	syscall.ForkLock.RLock()
	ends, err := syscall.Socketpair(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err == nil {
		syscall.CloseOnExec(ends[0])
		syscall.CloseOnExec(ends[1])
	}
	syscall.ForkLock.RUnlock()
	if err != nil {
		return nil, os.NewSyscallError("socketpair", err)
	}
	own := os.NewFile(uintptr(ends[0]), "interpreter")
	defer own.Close() // duplicated below
	theirs = os.NewFile(uintptr(ends[1]), "interpreter")
	c, err := net.FileConn(own)
	if err != nil {
		theirs.Close()
		return nil, err
	}
	s.control = c.(*net.UnixConn)
	s.replies = bufio.NewReader(s.control)
	return theirs, nil
}

// description returns the description of the server process, without its socket and its sandbox.
func (s *server) description() process.Config {
	return process.Config{
		Name:    "interpreter",
		Command: []string{s.factory.python, "-s", "-u", "-c", worker},
		Dir:     "/", // prevents imports from the folder
		OnlyEnv: true,
		Env: map[string]string{
			"PATH": os.Getenv("PATH"), "HOME": s.folder, "LANG": "C.UTF-8", "TZ": "UTC", "PYTHONHASHSEED": "0",
			"PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1", "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1",
			"MKL_NUM_THREADS": "1",
		},
		Run:      os.Getenv(process.EnvRun),
		Instance: s.instance(),
		Log:      s.factory.log,
		Grace:    -1,
		Line:     func(_, line string) { s.said.add(line) },
	}
}

func (s *server) instance() string { return "interpreter " + filepath.Base(filepath.Dir(s.folder)) }

// enterSandbox puts the process in its sandbox, where its directory has the same path in each episode.
func (s *server) enterSandbox(c *process.Config) (err error) {
	m := s.factory
	if m.config.Sandbox == sandboxNone {
		return nil
	}
	s.box, err = sandbox.New(sandbox.Policy{
		Write: []string{s.folder, s.program()}, MountAs: map[string]string{s.folder: workFolder, s.program(): programFolder},
		Read: m.read, Reusable: !s.used,
		Limits: sandbox.Limits{
			Processes: m.config.Processes, MemoryBytes: m.config.MemoryBytes, DiskBytes: m.config.DiskBytes,
		},
	})
	if err != nil {
		return err
	}
	c.Env["HOME"], c.Env["TMPDIR"] = s.sandboxPath(s.folder), "/tmp"
	if s.sandboxPath(s.folder) == s.folder { // /tmp is the machine's, and hidden
		c.Env["TMPDIR"] = s.folder
	}
	return s.box.Apply(c)
}

// sandboxPath returns the path of a directory as seen by the process.
func (s *server) sandboxPath(folder string) string {
	if s.box == nil {
		return folder
	}
	return s.box.Path(folder)
}

// program returns the directory that contains the code of the current call and its output.
func (s *server) program() string { return filepath.Join(filepath.Dir(s.folder), "program") }

// written returns the beginning of the output of a call whose interpreter has ended.
func (s *server) written(stream string) string {
	root, err := os.OpenRoot(s.program())
	if err != nil {
		return "" // the code may have changed its mode
	}
	defer root.Close()
	most := s.factory.config.OutputBytes
	read, err := sandbox.ReadFile(root, stream, int64(most)+1)
	if err != nil {
		return ""
	}
	text := string(read)
	if len(text) > most {
		text = text[:most] + "\n[...]\n"
	}
	return strings.ToValidUTF8(text, "\ufffd")
}

// prepare sends the setup to the server, and waits until it has imported everything.
func (s *server) prepare(ctx context.Context, first setup, ready *prepared) error {
	line, err := json.Marshal(first)
	if err != nil {
		return err
	}
	if err := s.control.SetDeadline(time.Now().Add(startTimeout)); err != nil {
		return err
	}
	defer context.AfterFunc(ctx, func() { _ = s.control.SetDeadline(time.Now()) })()
	if _, err := s.control.Write(append(line, '\n')); err != nil {
		return err
	}
	return s.readReply(ready)
}

// maxReplyBytes bounds the size of a server's response.
const maxReplyBytes = 1 << 20

func (s *server) readReply(answer any) error {
	line, err := readLine(s.replies, maxReplyBytes)
	if err != nil {
		return err
	}
	return json.Unmarshal(line, answer)
}

// begin starts an episode, using a copy of the server or the server itself as its interpreter.
func (s *server) begin() (*interpreter, error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		closeAll(theirIn, in)
		return nil, err
	}
	defer closeAll(theirIn, theirOut)
	err = s.control.SetWriteDeadline(time.Now().Add(startTimeout))
	if err == nil {
		_, _, err = s.control.WriteMsgUnix([]byte("+"), syscall.UnixRights(int(theirIn.Fd()), int(theirOut.Fd())), nil)
	}
	if err != nil {
		closeAll(in, out)
		return nil, fmt.Errorf("begin an episode: %w", err)
	}
	return &interpreter{server: s, in: in, out: out, answers: bufio.NewReader(out), status: -1}, nil
}

// ended waits until an interpreter that is a copy of the server exits, and returns its exit status.
func (s *server) ended() (status syscall.WaitStatus, err error) {
	var said struct {
		Ended int `json:"ended"`
	}
	if err := s.control.SetReadDeadline(time.Now().Add(exitTimeout)); err != nil {
		return 0, err
	}
	err = s.readReply(&said)
	return syscall.WaitStatus(said.Ended), err
}

// reset prepares the server for the next episode.
func (s *server) reset() error {
	if err := s.box.Reset(); err != nil {
		return err
	}
	_, err := s.ended()
	return err
}

// close ends the process and all its descendants. The folder remains.
func (s *server) close() {
	s.end.Do(func() {
		ctx := context.Background() // both are bounded
		if err := s.running.Kill(ctx); err != nil {
			s.factory.log.Warn("an interpreter cannot be ended", "error", err)
		}
		if s.box != nil {
			s.report = s.box.Close()
		} else if os.Getenv(process.EnvRun) != "" {
			_, _ = process.EndInstances(ctx, os.Getenv(process.EnvRun), func(other string) bool { return other == s.instance() })
		}
		s.control.Close()
	})
}

// discard ends the server and removes its directory.
func (s *server) discard() {
	s.close()
	if err := sandbox.Remove(filepath.Dir(s.folder)); err != nil {
		s.factory.log.Warn("the folder of an episode cannot be removed", "folder", s.folder, "error", err)
	}
}

// errKilled reports that an external kill ended a server before a model's code ran in it.
var errKilled = errors.New("the interpreter was killed as it started")

// lost returns the reason why a closed server did not respond.
func (s *server) lost(ctx context.Context, err error) error {
	switch {
	case s.report.Failure != "":
		return errors.New(s.report.Failure)
	case s.report.Excess != "":
		return errors.New(s.report.Excess)
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("it did not start within %s", startTimeout)
	case s.killed():
		return fmt.Errorf("%w: %s", errKilled, s.describeExit(err))
	}
	return errors.New(s.describeExit(err))
}

// describeExit describes the end of the process.
func (s *server) describeExit(err error) string {
	exit := s.running.Exit()
	text := "it ended: " + err.Error()
	switch {
	case s.report.Ended && s.report.Signal != "":
		text = "it was ended by a signal: " + s.report.Signal
	case s.report.Ended:
		text = fmt.Sprintf("it ended with status %d", s.report.Code)
	case exit != nil && exit.Signal != "" && s.box == nil:
		text = "it was ended by a signal: " + exit.Signal
	case exit != nil && s.box == nil:
		text = fmt.Sprintf("it ended with status %d", exit.Code)
	}
	if words := s.said.String(); words != "" {
		text += ": " + words
	}
	return text
}

// killed reports whether an external kill ended the process, before awhost closed it.
func (s *server) killed() bool {
	if exit := s.running.Exit(); !s.report.Ended && exit != nil && !exit.Requested {
		return process.IsKill(exit.Signal)
	}
	return process.IsKill(s.report.Signal)
}

// waitExit waits until a process whose output has ended exits, and reports whether it has exited.
func (s *server) waitExit() bool {
	timer := time.NewTimer(exitTimeout)
	defer timer.Stop()
	select {
	case <-s.running.Done():
		return true
	case <-timer.C:
		return false
	}
}

func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		part, err := r.ReadSlice('\n')
		if line = append(line, part...); len(line) > most {
			return nil, errors.New("its answer is too long")
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			if errors.Is(err, io.EOF) {
				err = io.ErrUnexpectedEOF
			}
			return line, err
		}
	}
}

// stderrTail holds the last lines written to standard error before the first call.
type stderrTail struct {
	mu    sync.Mutex
	lines []string
}

const maxStderrLines = 3

func (w *stderrTail) add(line string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lines = append(w.lines, line)
	w.lines = w.lines[max(0, len(w.lines)-maxStderrLines):]
}

// String returns all lines joined into a single line.
func (w *stderrTail) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.lines, " | ")
}

// newFolder creates the directories for a server, which only the user can read.
func (m *serverFactory) newFolder() (string, error) {
	root, err := os.MkdirTemp(m.folder, "")
	if err != nil {
		return "", err
	}
	work := filepath.Join(root, "work")
	return work, errors.Join(os.Mkdir(work, ownerfile.Folder), os.Mkdir(filepath.Join(root, "program"), ownerfile.Folder))
}
