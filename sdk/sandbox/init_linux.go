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

// Where process 1 and the last stage find their files.
const (
	controlFile = 3
	orderFile   = 4
)

// A program whose first argument is the marker is a stage of a sandbox, and not what it is otherwise.
func init() {
	if len(os.Args) != 3 || os.Args[1] != marker {
		return
	}
	runtime.LockOSThread()
	switch os.Args[2] {
	case stageInit:
		os.Exit(beInit())
	case stageEnter:
		enter()
	}
	os.Exit(1)
}

// process1 is process 1 of a sandbox at work.
type process1 struct {
	order   *order
	control *os.File
	program int      // its pid
	began   standing // of the program, at its start
	excess  atomic.Pointer[string]
}

// beInit sets the sandbox up, runs the program in it and ends what it leaves behind. The answer is an exit status.
func beInit() int {
	p := &process1{control: os.NewFile(controlFile, "control")}
	todo := os.NewFile(orderFile, "order")
	if _, err := unix.GetsockoptInt(controlFile, unix.SOL_SOCKET, unix.SO_TYPE); err != nil {
		fmt.Fprintln(os.Stderr, "a sandbox is made by awhost: there is nothing to call by hand")
		return 1
	}
	unix.CloseOnExec(controlFile)
	unix.CloseOnExec(orderFile)
	// Caught and dropped: the program would inherit it if they were ignored.
	dropped := make(chan os.Signal, 1)
	signal.Notify(dropped, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGPIPE)
	var err error
	if p.order, err = readOrder(todo); err == nil {
		err = p.setUp()
	}
	if err == nil {
		err = p.start(todo)
	}
	if err != nil {
		_ = send(p.control, word{Failure: err.Error()}) // the owner is gone otherwise
		return 1
	}
	if p.order.Again {
		debug.SetGCPercent(20) // it lives for long, and holds next to nothing
		p.began = p.standing()
		go p.hear()
	}
	go p.watch()
	status := p.reap()
	said := word{Ended: true, Code: status.ExitStatus()}
	if status.Signaled() {
		said.Code, said.Signal = -1, status.Signal().String()
	}
	if why := p.excess.Load(); why != nil {
		said.Excess = *why
	}
	_ = send(p.control, said)
	return max(said.Code, 0)
}

func readOrder(file *os.File) (*order, error) {
	text, err := io.ReadAll(io.NewSectionReader(file, 0, 1<<40))
	if err != nil {
		return nil, err
	}
	out := &order{}
	return out, json.Unmarshal(text, out)
}

// setUp makes the network, the name and the file system.
func (p *process1) setUp() error {
	if p.order.Grade == byLandlock {
		// Whatever loses its parent becomes a child of this process, which ends it.
		return os.NewSyscallError("PR_SET_CHILD_SUBREAPER", unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0))
	}
	sockets, err := listen(p.order.Dial)
	if err != nil {
		return fmt.Errorf("set up the network of the sandbox: %w", err)
	}
	if len(sockets) > 0 {
		if err := send(p.control, word{}, sockets...); err != nil {
			return fmt.Errorf("pass the sockets of the sandbox: %w", err)
		}
	}
	for _, socket := range sockets {
		unix.Close(socket)
	}
	if err := unix.Sethostname([]byte("sandbox")); err != nil {
		return fmt.Errorf("name the sandbox: %w", err)
	}
	return p.order.makeFileSystem()
}

// start starts the last stage, which becomes the program, and returns when it has.
func (p *process1) start(todo *os.File) error {
	failed, failing, err := os.Pipe()
	if err != nil {
		return err
	}
	defer failed.Close()
	command := &exec.Cmd{
		Path: "/proc/self/exe", Args: []string{"/proc/self/exe", marker, stageEnter}, Dir: "/", Env: contract(),
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, ExtraFiles: []*os.File{failing, todo},
		SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL},
	}
	if p.order.Grade == byNamespaces {
		command.SysProcAttr.AmbientCaps = neededCapabilities
	}
	err = command.Start()
	failing.Close()
	if err != nil {
		return fmt.Errorf("start the last stage of the sandbox: %w", err)
	}
	p.program = command.Process.Pid
	text, err := io.ReadAll(failed) // ends with the start of the program
	if err == nil && len(text) > 0 {
		err = errors.New(string(text))
	}
	if err != nil {
		return err
	}
	return letGo()
}

// contract is what the program inherits of process 1: the variables by which its processes are known.
func contract() []string {
	var out []string
	for _, pair := range os.Environ() {
		if strings.HasPrefix(pair, "AWHOST_") {
			out = append(out, pair)
		}
	}
	return out
}

// letGo closes the program's streams here, so that they end when the program closes them.
func letGo() error {
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

// reap waits for everything that ends, and returns when the program has and nothing is left.
func (p *process1) reap() (program syscall.WaitStatus) {
	over := false
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return program // nobody is left
		case pid == p.program:
			program, over = status, true
		}
		if over {
			p.endAll()
		}
	}
}

// endAll ends everything in the sandbox but process 1.
func (p *process1) endAll() {
	if p.order.Grade == byNamespaces {
		_ = syscall.Kill(-1, syscall.SIGKILL) // nobody may be left
		return
	}
	members, err := p.order.Grade.members()
	if err != nil {
		members = []int{p.program}
	}
	for _, pid := range members { // they are this process's to reap, so that their ids are nobody else's
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
