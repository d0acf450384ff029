package sandbox

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/awhost/awhost/sdk/process"
)

// ErrUnsupported reports that this system cannot sandbox programs.
var ErrUnsupported = errors.New("there is no sandbox on this system")

// Box is the sandbox for one program, which is started once. Its methods must be called from a single goroutine.
type Box struct {
	policy       Policy
	grade        grade
	group        *group   // nil if it has no control group
	conn         *os.File // the owner's end of the connection to process 1
	childConn    *os.File // the other end, until the start
	instructions *os.File // the instructions for process 1
	relay        *relay
	reading      sync.WaitGroup
	cancel       context.CancelFunc
	resets       chan message // the result of each reset

	report Report // written by the reader until it ends
}

// Report describes how a program ended.
type Report struct {
	// Failure explains why the sandbox could not be set up or the program could not be started in it. It is empty if
	// the program ran.
	Failure string
	// Ended reports whether the program ended before the sandbox did. If so, Code and Signal describe the program's
	// exit as in process.Exit; otherwise, use process.Exit.
	Ended  bool
	Code   int
	Signal string
	// Excess names the exceeded limit that caused everything in the sandbox to be ended. It is empty if no limit was
	// exceeded.
	Excess string
}

// New creates a sandbox using the mechanisms that this system provides. Always close it.
func New(policy Policy) (*Box, error) {
	s := Probe()
	if s.Missing != "" {
		return nil, fmt.Errorf("make a sandbox: %s", s.Missing)
	}
	return newBox(policy, s.grade, s.groups)
}

func newBox(policy Policy, g grade, groups string) (*Box, error) {
	if err := policy.check(); err != nil {
		return nil, fmt.Errorf("make a sandbox: %w", err)
	}
	policy.Limits = policy.Limits.withDefaults()
	b := &Box{policy: policy, grade: g, resets: make(chan message, 1)}
	if err := b.connect(); err != nil {
		return nil, fmt.Errorf("make a sandbox: %w", err)
	}
	if groups != "" {
		var err error
		if b.group, err = newGroup(groups, policy.Limits); err != nil {
			b.Close()
			return nil, fmt.Errorf("make the control group of a sandbox: %w", err)
		}
	}
	return b, nil
}

// Path returns the path inside the sandbox of a directory in Write.
func (b *Box) Path(folder string) string {
	if inside := b.policy.MountAs[folder]; inside != "" && b.grade == byNamespaces {
		return inside
	}
	return folder
}

// Apply changes a process's description so that the process runs in the sandbox. Its environment then consists only of
// Env, PassEnv, and the variables in the process contract. The process has no guard, because it cannot outlive this
// process.
func (b *Box) Apply(c *process.Config) error {
	if len(c.Command) == 0 || !filepath.IsAbs(c.Command[0]) {
		return errors.New("start a program in a sandbox: it is not named by an absolute path")
	}
	ids, err := b.grade.ids()
	if err != nil {
		return fmt.Errorf("start a program in a sandbox: %w", err)
	}
	for _, folder := range slices.Concat(b.policy.Write, b.policy.ReadOwned) {
		if err := ids.chownTo(folder); err != nil {
			return fmt.Errorf("hand %s over to the user of a sandbox: %w", folder, err)
		}
	}
	todo := instructions{
		Program: c.Command, Dir: c.Dir, Env: environment(c), UID: ids.uid, GID: ids.gid, Root: ids.root,
		Grade: b.grade, Dial: b.policy.Dial, Again: b.CanReset(), Counted: b.group != nil,
		Limits: b.policy.Limits,
	}
	if todo.Mounts, err = b.mounts(); err != nil {
		return fmt.Errorf("start a program in a sandbox: %w", err)
	}
	text, err := json.Marshal(todo)
	if err != nil {
		return err
	}
	if b.instructions, err = inMemory("order", text); err != nil {
		return fmt.Errorf("start a program in a sandbox: %w", err)
	}
	c.Command, c.Dir, c.Env, c.OnlyEnv = []string{"/proc/self/exe", marker, stageInit}, "/", nil, true
	c.PassEnv = []string{raceSettings}
	c.ExtraFiles = []*os.File{b.childConn, b.instructions}
	c.Attributes = func(a *syscall.SysProcAttr) {
		ids.attributes(a)
		b.group.attributes(a)
	}
	return nil
}

// environment returns the program's own environment without the variables in the process contract, which are added by
// process 1.
func environment(c *process.Config) []string {
	var out []string
	for _, name := range c.PassEnv {
		if value, ok := os.LookupEnv(name); ok {
			if _, own := c.Env[name]; !own {
				out = append(out, name+"="+value)
			}
		}
	}
	for name, value := range c.Env {
		out = append(out, name+"="+value)
	}
	slices.Sort(out)
	return out
}

// Started must be called after the process has been started. It starts serving the addresses in Dial.
func (b *Box) Started() {
	b.closeChildConn()
	ctx, cancel := context.WithCancel(context.Background())
	b.cancel = cancel
	b.relay = newRelay(ctx)
	b.reading.Go(b.read)
}

// CanReset reports whether Reset is available, which requires the sandbox to have a process namespace.
func (b *Box) CanReset() bool { return b.policy.Reusable && b.grade == byNamespaces }

// resetTimeout limits the time for a reset, which takes milliseconds.
const resetTimeout = 10 * time.Second

// Reset prepares the sandbox for the program's next user. It may be called between Started and Close. It ends all
// processes except the program and empties all writable directories. The program must have protected itself from its
// users (prctl(PR_SET_DUMPABLE, 0)), and the users must be processes that it started. After an error, traces of the
// last user may remain, so the program must be ended.
func (b *Box) Reset() error { return b.reset(message{Reset: true}) }

// EndUsers ends all processes in the sandbox except the program, as Reset does first, and keeps the writable files.
func (b *Box) EndUsers() error { return b.reset(message{Reset: true, Keep: true}) }

func (b *Box) reset(todo message) error {
	if !b.CanReset() {
		return errors.New("reset a sandbox: it was not made for that")
	}
	if err := send(b.conn, todo); err != nil {
		return fmt.Errorf("reset a sandbox: %w", err)
	}
	timer := time.NewTimer(resetTimeout)
	defer timer.Stop()
	select {
	case done, there := <-b.resets:
		switch {
		case !there:
			return errors.New("reset a sandbox: it is over")
		case done.Failure != "":
			return fmt.Errorf("reset a sandbox: %s", done.Failure)
		}
		return nil
	case <-timer.C:
		return fmt.Errorf("reset a sandbox: it took longer than %s", resetTimeout)
	}
}

// Close releases the sandbox's resources and returns how the program ended. Call it after the process has ended, or if
// it could not be started.
func (b *Box) Close() Report {
	b.closeChildConn()
	if b.cancel != nil {
		b.shutdownConn() // pending messages of process 1 are still read
		b.reading.Wait()
		b.cancel()
		b.relay.wait()
	}
	b.conn.Close()
	if b.report.Excess == "" {
		b.report.Excess = b.group.excess(b.policy.Limits)
	}
	b.group.remove()
	return b.report
}

func (b *Box) closeChildConn() {
	for _, file := range []*os.File{b.childConn, b.instructions} {
		if file != nil {
			file.Close()
		}
	}
	b.childConn, b.instructions = nil, nil
}

// read reads messages from process 1 until the connection ends.
func (b *Box) read() {
	defer close(b.resets)
	for {
		said, files, err := receive(b.conn)
		if err != nil {
			return
		}
		switch {
		case said.Reset:
			select {
			case b.resets <- said:
			default: // no caller waits for this reset any longer
			}
		case said.Failure != "":
			b.report.Failure = said.Failure
		case said.Ended:
			b.report.Ended, b.report.Code, b.report.Signal, b.report.Excess = true, said.Code, said.Signal, said.Excess
		case said.Excess != "":
			b.report.Excess = said.Excess
		}
		for i, file := range files {
			if i < len(b.policy.Dial) {
				b.relay.serve(file, b.policy.Dial[i])
			}
			file.Close()
		}
	}
}

// instructions holds the instructions for process 1.
type instructions struct {
	Grade    grade
	Program  []string
	Dir      string
	Env      []string
	UID, GID int  // of the program
	Root     bool // whether process 1 is root and the program runs as another user
	Mounts   []mount
	Dial     []string
	Again    bool
	Counted  bool // whether a control group limits memory
	Limits   Limits
}

// mount is a file or directory that is visible in the sandbox.
type mount struct {
	From, To string // From contains no symbolic links
	Write    bool
}

// message is a message exchanged between process 1 and its owner.
type message struct {
	Reset   bool   `json:",omitempty"` // a request to reset; in the reply: done, unless Failure is set
	Keep    bool   `json:",omitempty"` // with Reset: only end the program's users
	Failure string `json:",omitempty"`
	Ended   bool   `json:",omitempty"`
	Code    int    `json:",omitempty"`
	Signal  string `json:",omitempty"`
	Excess  string `json:",omitempty"`
}

// grade is the mechanism that a sandbox is based on.
type grade int

const (
	// byNamespaces gives the sandbox its own file system, processes, and network.
	byNamespaces grade = iota
	// byLandlock uses landlock and the system call filter instead, for systems that do not permit namespaces, which is
	// the case in many containers.
	byLandlock
)

// raceSettings applies only to process 1, which would otherwise sleep for a second before exiting if it is built with
// the race detector.
const raceSettings = "GORACE"

// The first arguments that make a program become a stage of a sandbox.
const (
	marker     = "awhost-sandbox"
	stageInit  = "init"
	stageEnter = "enter"

	// trialProgram is the program run in a sandbox that only tests whether sandboxes work.
	trialProgram = "/trial"
)

// mounts returns the policy's mounts. It resolves symbolic links, which would have different targets inside the
// sandbox.
func (b *Box) mounts() ([]mount, error) {
	var out []mount
	p := b.policy
	add := func(path string, write bool) error {
		real, err := filepath.EvalSymlinks(path)
		if err != nil {
			return err
		}
		if err := checkPath(real); err != nil {
			return err
		}
		if write && b.Path(path) != path {
			out = append(out, mount{From: real, To: filepath.Clean(b.Path(path)), Write: true})
			return nil
		}
		out = append(out, mount{From: real, To: filepath.Clean(path), Write: write})
		if real != filepath.Clean(path) {
			out = append(out, mount{From: real, To: real, Write: write})
		}
		return nil
	}
	for _, path := range slices.Concat(p.Read, p.ReadOwned) {
		if err := add(path, false); err != nil {
			return nil, err
		}
	}
	for _, path := range p.Write {
		if err := add(path, true); err != nil {
			return nil, err
		}
	}
	// Outer folders come first. If paths are equal, the last one applies, and it may be writable.
	slices.SortStableFunc(out, func(a, b mount) int { return len(a.To) - len(b.To) })
	return out, nil
}
