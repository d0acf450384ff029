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

// program is one to be started.
type program struct {
	command  []string
	dir      string
	env      map[string]string
	passEnv  []string
	input    string // of its standard input
	keep     int64  // bytes of standard output; the last ones of more
	limits   limits
	run      string // names the run and this start, in the environment of all that it starts
	instance string
	log      *slog.Logger
	policy   *sandbox.Policy // nil: it has no sandbox
}

type limits struct {
	time      time.Duration // 0: none
	grace     time.Duration // negative: none
	output    int64         // bytes, of each stream
	memory    int64         // bytes; 0: none
	processes int           // 0: none
}

// Bounds that the user does not choose.
const (
	usagePeriod = 500 * time.Millisecond
	// drain bounds the wait for output that something else still holds open.
	drain = time.Second
	// lastWords bounds what is quoted of standard output, in bytes.
	lastWords = 2 << 10
)

// end is how a program ended.
type end struct {
	exit    *process.Exit
	stdout  []byte // at most program.keep bytes, the last ones
	stopped string // why it was ended; empty: it ended itself
	late    bool   // that was the time limit
}

// killed reports whether a kill from outside ended the program or, by the exit status of shells, what the program ran.
func (e *end) killed() bool {
	signal := e.exit.Signal
	if e.exit.Code > shellSignal {
		signal = syscall.Signal(e.exit.Code - shellSignal).String()
	}
	return e.stopped == "" && process.IsKill(signal)
}

// shellSignal plus the number of a signal is the exit status of a shell whose program the signal ended.
const shellSignal = 128

// start runs a program to its end. Nothing of it is left then. The error is ctx's, or says that it could not be
// started.
func (p *program) start(ctx context.Context) (*end, error) {
	stderr := &counter{most: p.limits.output, full: make(chan struct{})}
	b, err := p.begin(ctx, stderr)
	if err != nil {
		return nil, err
	}
	defer b.in.Close()
	defer b.out.Close()
	go func() { // it ends with the pipe
		_, _ = io.Copy(b.in, strings.NewReader(p.input)) // a program need not read
		b.in.Close()
	}()
	stdout := &tail{counter: counter{most: p.limits.output, full: make(chan struct{})}, keep: p.keep}
	read := make(chan struct{})
	go func() {
		defer close(read)
		_, _ = io.Copy(stdout, b.out) // it ends with the pipe, or its deadline
	}()
	ended := &end{}
	ended.stopped, ended.late, err = p.wait(ctx, b.running, stdout.full, stderr.full)
	err = errors.Join(err, p.clear(ctx, b.running))
	b.in.Close()
	if b.box != nil && err != nil {
		b.box.Close()
	}
	_ = b.out.SetReadDeadline(time.Now().Add(drain)) // somebody who has left the program's group may hold it
	<-read
	if err != nil {
		return nil, err
	}
	ended.exit, ended.stdout = b.running.Exit(), stdout.bytes()
	return ended, ended.hear(b.box)
}

// begun is a program that has been started: its process, its sandbox, and this side of its pipes.
type begun struct {
	running *process.Process
	box     *sandbox.Box // nil: none
	in, out *os.File
}

// begin starts a program with pipes for its standard input and output.
func (p *program) begin(ctx context.Context, stderr *counter) (*begun, error) {
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
	b := &begun{in: in, out: out}
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

// wait returns when the program has ended or has to be ended: then with the reason.
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
	if p.policy == nil && (p.limits.memory > 0 || p.limits.processes > 0) { // a sandbox looks itself
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

// excess says what the program and its children use beyond their limits; empty: nothing.
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

// clear ends the program, its group, and what has left the group.
func (p *program) clear(ctx context.Context, running *process.Process) error {
	ctx = context.WithoutCancel(ctx) // both are bounded
	err := running.Kill(ctx)
	left, sweepErr := process.EndInstances(ctx, p.run, func(instance string) bool { return instance == p.instance })
	for _, l := range left {
		p.log.Warn("ended "+l.String()+", which it had left behind", "program", p.command[0])
	}
	return errors.Join(err, sweepErr)
}

// said is how the program ended, with its last words, for messages.
func (e *end) said(name string) string {
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
		words = strings.Split(strings.TrimSpace(string(e.stdout[max(0, len(e.stdout)-lastWords):])), "\n")
	}
	if last := strings.TrimSpace(strings.Join(words[max(0, len(words)-5):], " | ")); last != "" {
		text += "; last lines: " + strings.ToValidUTF8(last, "�")
	}
	return text
}

// counter closes full once more bytes than most have gone by.
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

// tail keeps the end of what is written. One goroutine writes; bytes is for afterwards.
type tail struct {
	counter
	keep int64
	kept bytes.Buffer
}

// Write implements io.Writer.
func (t *tail) Write(b []byte) (int, error) {
	t.add(len(b))
	t.kept.Write(b)
	if over := int64(t.kept.Len()) - t.keep; over > t.keep { // so that little is moved
		t.kept.Next(int(over))
	}
	return len(b), nil
}

func (t *tail) bytes() []byte {
	b := t.kept.Bytes()
	return b[max(0, int64(len(b))-t.keep):]
}
