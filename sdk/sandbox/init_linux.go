package sandbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"runtime"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"
)

// The file descriptors of process 1 and of the last stage.
const (
	controlFile      = 3
	instructionsFile = 4
)

// A program whose first argument is the marker runs as a stage of a sandbox instead of running its main function.
func init() {
	if len(os.Args) != 3 || os.Args[1] != marker {
		return
	}
	runtime.LockOSThread()
	switch os.Args[2] {
	case stageInit:
		os.Exit(runInit())
	case stageEnter:
		enter()
	}
	os.Exit(1)
}

// process1 is the state of process 1 in a running sandbox.
type process1 struct {
	instructions *instructions
	control      *os.File
	program      int          // process ID
	began        processState // state of the program at its start
	excess       atomic.Pointer[string]
}

// runInit sets up the sandbox, runs the program in it, and ends all processes that the program leaves behind. It
// returns the exit status.
func runInit() int {
	p := &process1{control: os.NewFile(controlFile, "control")}
	todo := os.NewFile(instructionsFile, "order")
	if _, err := unix.GetsockoptInt(controlFile, unix.SOL_SOCKET, unix.SO_TYPE); err != nil {
		fmt.Fprintln(os.Stderr, "a sandbox is made by awhost: there is nothing to call by hand")
		return 1
	}
	unix.CloseOnExec(controlFile)
	unix.CloseOnExec(instructionsFile)
	// The signals are caught and discarded, because the program would inherit them if they were ignored.
	dropped := make(chan os.Signal, 1)
	signal.Notify(dropped, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	var err error
	if p.instructions, err = readInstructions(todo); err == nil {
		err = p.setUp()
	}
	if err == nil {
		err = p.start(todo)
	}
	if err != nil {
		_ = send(p.control, message{Failure: err.Error()}) // fails only if the owner has exited
		return 1
	}
	if p.instructions.Again {
		debug.SetGCPercent(20) // process 1 runs for long and uses almost no memory
		p.began = p.readState()
		go p.serveResets()
	}
	go p.watch()
	status := p.reap()
	said := message{Ended: true, Code: status.ExitStatus()}
	if status.Signaled() {
		said.Code, said.Signal = -1, status.Signal().String()
	}
	if why := p.excess.Load(); why != nil {
		said.Excess = *why
	}
	_ = send(p.control, said)
	return max(said.Code, 0)
}

func readInstructions(file *os.File) (*instructions, error) {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, 1<<40))
	if err != nil {
		return nil, err
	}
	out := &instructions{}
	return out, json.Unmarshal(text, out)
}

// setUp sets up the network, the host name, and the file system.
func (p *process1) setUp() error {
	if p.instructions.Grade == byLandlock {
		// Orphaned processes become children of this process, which ends them.
		return os.NewSyscallError("PR_SET_CHILD_SUBREAPER", unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
	}
	sockets, err := listen(p.instructions.Dial)
	if err != nil {
		return fmt.Errorf("set up the network of the sandbox: %w", err)
	}
	if len(sockets) > 0 {
		if err := send(p.control, message{}, sockets...); err != nil {
			return fmt.Errorf("pass the sockets of the sandbox: %w", err)
		}
	}
	for _, socket := range sockets {
		unix.Close(socket)
	}
	// This cannot be done at the start, when the process is not in its group yet: the owner's group would become the
	// namespace's root.
	if err := unix.Unshare(unix.CLONE_NEWCGROUP); err != nil {
		return fmt.Errorf("hide the control groups outside the sandbox: %w", err)
	}
	if err := unix.Sethostname([]byte("sandbox")); err != nil {
		return fmt.Errorf("name the sandbox: %w", err)
	}
	return p.instructions.makeFileSystem()
}

// start starts the last stage, which becomes the program, and returns once the program has started.
func (p *process1) start(todo *os.File) error {
	failed, failing, err := os.Pipe()
	if err != nil {
		return err
	}
	defer failed.Close()
	command := &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{"/proc/self/exe", marker, stageEnter}, Dir: "/", Env: contractEnv(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, ExtraFiles: []*os.File{failing, todo},
		SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	}
	if p.instructions.Grade == byNamespaces {
		command.SysProcAttr.AmbientCaps = neededCapabilities
	}
	err = command.Start()
	failing.Close()
	if err != nil {
		return fmt.Errorf("start the last stage of the sandbox: %w", err)
	}
	p.program = command.Process.Pid
	text, err := io.ReadAll(failed) // ends when the program has started
	if err == nil && len(text) > 0 {
		err = errors.New(string(text))
	}
	if err != nil {
		return err
	}
	return closeProgramStreams()
}

// contractEnv returns the environment variables that identify the program's processes, which it inherits from
// process 1.
func contractEnv() []string {
	var out []string
	for _, pair := range os.Environ() {
		if strings.HasPrefix(pair, "AWHOST_") {
			out = append(out, pair)
		}
	}
	return out
}

// closeProgramStreams closes the program's streams in process 1, so that they end when the program closes them.
func closeProgramStreams() error {
	null, err := unix.Open("/dev/null", unix.O_RDWR|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(null)
	for number := range 3 {
		if err := unix.Dup3(null, number, 0); err != nil {
			return err
		}
	}
	return nil
}

// reap waits for every child process. It returns when the program has ended and no processes are left.
func (p *process1) reap() (program syscall.WaitStatus) {
	over := false
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return program // no process is left
		case pid == p.program:
			program, over = status, true
		}
		if over {
			p.endAll()
		}
	}
}

// endAll ends all processes in the sandbox except process 1.
func (p *process1) endAll() {
	if p.instructions.Grade == byNamespaces {
		_ = syscall.Kill(-1, syscall.SIGKILL) // fails if no process is left
		return
	}
	members, err := p.instructions.Grade.members()
	if err != nil {
		members = []int{p.program}
	}
	for _, pid := range members { // process 1 reaps them, so that their IDs cannot be reused meanwhile
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
