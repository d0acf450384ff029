package commandplugin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/sandbox"
)

// program is a program with its input and limits.
type program struct {
	command  []string
	dir      string
	env      map[string]string
	passEnv  []string
	input    string // written to its standard input
	keep     int64  // kept bytes of standard output, from its end
	limits   limits
	run      string // id of the run in the environment of all its processes
	instance string
	log      *slog.Logger
	policy   *sandbox.Policy // nil: no sandbox
}

type limits struct {
	time      time.Duration // 0: no limit
	grace     time.Duration // negative: no grace
	output    int64         // bytes per stream
	memory    int64         // bytes; 0: no limit
	processes int           // 0: no limit
}

// Fixed limits.
const (
	usagePeriod = 500 * time.Millisecond
	// drainTimeout bounds the wait for output from a pipe that another process still holds open.
	drainTimeout = time.Second
	// maxQuotedBytes bounds the number of bytes of standard output that are quoted.
	maxQuotedBytes = 2 << 10
)

// end describes how a program ended.
type end struct {
	exit    *process.Exit
	stdout  []byte // at most program.keep bytes, from its end
	stopped string // reason if it was stopped; empty: it exited by itself
	late    bool   // stopped by the time limit
}

// killed reports whether an external kill ended the program or, according to a shell's exit status, a command that the
// program ran.
func (e *end) killed() bool {
	signal := e.exit.Signal
	if e.exit.Code > shellSignal {
		signal = syscall.Signal(e.exit.Code - shellSignal).String()
	}
	return e.stopped == "" && process.IsKill(signal)
}

// shellSignal plus a signal number is the exit status of a shell whose command was terminated by that signal.
const shellSignal = 128

// execute runs a program until it exits and removes all its processes. The error comes from ctx, or reports a failed
// start.
func (p *program) execute(ctx context.Context) (*end, error) {
	stderr := &counter{most: p.limits.output, full: make(chan struct{})}
	b, err := p.start(ctx, stderr)
	if err != nil {
		return nil, err
	}
	defer b.in.Close()
	defer b.out.Close()
	go func() { // ends when the pipe is closed
		_, _ = io.Copy(b.in, strings.NewReader(p.input)) // the program may ignore its input
		b.in.Close()
	}()
	stdout := &tail{counter: counter{most: p.limits.output, full: make(chan struct{})}, keep: p.keep}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(stdout, b.out) // ends when the pipe is closed, or at its deadline
	}()
	ended := &end{}
	ended.stopped, ended.late, err = p.wait(ctx, b.running, stdout.full, stderr.full)
	err = errors.Join(err, p.endAll(ctx, b.running))
	b.in.Close()
	if b.box != nil && err != nil {
		b.box.Close()
	}
	_ = b.out.SetReadDeadline(time.Now().Add(drainTimeout)) // a process outside of the group may hold the pipe
	<-read
	if err != nil {
		return nil, err
	}
	ended.exit, ended.stdout = b.running.Exit(), stdout.bytes()
	return ended, ended.readReport(b.box)
}

// startedProgram is a started program: its process, its sandbox, and the near ends of its pipes.
type startedProgram struct {
	running *process.Process
	box     *sandbox.Box // nil: no sandbox
	in, out *os.File
}

// start starts a program with pipes for its standard input and output.
func (p *program) start(ctx context.Context, stderr *counter) (*startedProgram, error) {
	inside, in, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer inside.Close()
	out, outside, err := os.Pipe()
	if err != nil {
		in.Close()
		return nil, err
	}
	defer outside.Close()
	b := &startedProgram{in: in, out: out}
	b.running, b.box, err = p.launch(ctx, process.Config{
		Name: p.command[0], Run: p.run, Instance: p.instance, Command: p.command, Dir: p.dir, Env: p.env, PassEnv: p.passEnv,
		OnlyEnv: true, Stdin: inside, Stdout: outside, Log: p.log, Grace: p.limits.grace,
		Line: func(_, line string) { stderr.add(len(line) + 1) },
	})
	if err != nil {
		in.Close()
		out.Close()
		return nil, err
	}
	return b, nil
}

// wait waits until the program has ended or must be ended, and returns the reason in the latter case.
func (p *program) wait(
	ctx context.Context,
	running *process.Process,
	stdout, stderr <-chan struct{},
) (why string, late bool, _ error) {
	var tooLong, look <-chan time.Time
	if p.limits.time > 0 {
		timer := time.NewTimer(p.limits.time)
		defer timer.Stop()
		tooLong = timer.C
	}
	if p.policy == nil && (p.limits.memory > 0 || p.limits.processes > 0) { // a sandbox checks these itself
		ticker := time.NewTicker(usagePeriod)
		defer ticker.Stop()
		look = ticker.C
	}
	for {
		select {
		case <-running.Done():
			return "", false, nil
		case <-ctx.Done():
			return "", false, ctx.Err()
		case <-tooLong:
			return fmt.Sprintf("it ran for longer than timeout (%s)", p.limits.time), true, nil
		case <-stdout:
			return fmt.Sprintf("it wrote more than output_bytes (%d) on standard output", p.limits.output), false, nil
		case <-stderr:
			return fmt.Sprintf("it wrote more than output_bytes (%d) on standard error", p.limits.output), false, nil
		case <-look:
			if why, err := p.excess(); why != "" || err != nil {
				return why, false, err
			}
		}
	}
}

// excess describes the limits that the program and its children exceeded, or returns "".
func (p *program) excess() (string, error) {
	usage, err := process.UsageOf(p.run, p.instance)
	if err != nil {
		return "", err
	}
	if m := p.limits.memory; m > 0 && usage.ResidentBytes > m {
		return fmt.Sprintf("it and what it has started had %d bytes in memory, more than memory_bytes (%d)",
			usage.ResidentBytes, m), nil
	}
	if n := p.limits.processes; n > 0 && usage.Processes > n {
		return fmt.Sprintf("it had %d processes, more than processes (%d)", usage.Processes, n), nil
	}
	return "", nil
}

// endAll ends the program, its group, and processes that have left the group.
func (p *program) endAll(ctx context.Context, running *process.Process) error {
	ctx = context.WithoutCancel(ctx) // both calls are bounded
	err := running.Kill(ctx)
	left, sweepErr := process.EndInstances(ctx, p.run, func(instance string) bool { return instance == p.instance })
	for _, l := range left {
		p.log.Warn("ended "+l.String()+", left running in the background", "program", p.command[0])
	}
	return errors.Join(err, sweepErr)
}

// describe describes how the program ended, including its last output, for use in messages.
func (e *end) describe(name string) string {
	text := fmt.Sprintf("%s: %s", name, e.stopped)
	if e.stopped == "" {
		exit := *e.exit
		exit.Name, exit.Requested = name, false
		if len(exit.LastLines) > 0 {
			return exit.Error()
		}
		text = exit.Error()
	}
	words := e.exit.LastLines
	if len(words) == 0 {
		words = strings.Split(strings.TrimSpace(string(e.stdout[max(0, len(e.stdout)-maxQuotedBytes):])), "\n")
	}
	if last := strings.TrimSpace(strings.Join(words[max(0, len(words)-5):], " | ")); last != "" {
		text += "; last lines: " + strings.ToValidUTF8(last, "�")
	}
	return text
}

// counter closes full once, when more than most bytes have passed.
type counter struct {
	most int64
	seen atomic.Int64
	full chan struct{}
}

func (c *counter) add(n int) {
	if before := c.seen.Add(int64(n)) - int64(n); before <= c.most && before+int64(n) > c.most {
		close(c.full)
	}
}

// tail keeps the end of the bytes that were written. Only one goroutine writes; bytes may be called afterwards.
type tail struct {
	counter
	keep int64
	kept bytes.Buffer
}

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.add(len(b))
	t.kept.Write(b)
	if over := int64(t.kept.Len()) - t.keep; over > t.keep { // moves data rarely
		t.kept.Next(int(over))
	}
	return len(b), nil
}

func (t *tail) bytes() []byte {
	b := t.kept.Bytes()
	return b[max(0, int64(len(b))-t.keep):]
}
