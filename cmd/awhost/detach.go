package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/awhost/awhost/host/build"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
	"github.com/awhost/awhost/sdk/ownerfile"
)

// With --detach, a command starts itself again in a new session, without the flag: the new process is the run's host.
// The first process, the parent, receives the host's progress over a pipe, and exits once the run has started.

const (
	// envReport is the environment variable that holds the file descriptor of the pipe to a detached run's parent.
	envReport = "AWHOST_DETACH_REPORT"
	// reportFD is that file descriptor: the first one after the standard descriptors.
	reportFD = 3
	// hostLog is the name of a detached host's log. No block has such an address.
	hostLog = "host"
	// startPatience is how long the parent waits for training to start once all plugins are running. A large framework
	// takes minutes to load its model, and the user should not have to wait that long.
	startPatience = 30 * time.Second
	// mostOutput bounds the output from a failed host that the parent shows.
	mostOutput = 64 << 10
)

// The stages of a start, as the host reports them.
const (
	reportOpened  = "opened"  // the run directory exists; all further output goes to its log
	reportReady   = "ready"   // all plugins run, and the trainer was told to start
	reportStarted = "started" // training has started
)

// surroundings returns the environment for this process. A detached host writes to a log, which has no colors,
// whatever its parent's terminal supports.
func surroundings(environ []string) []string {
	has := func(name string) func(string) bool {
		return func(entry string) bool { return strings.HasPrefix(entry, name+"=") }
	}
	if !slices.ContainsFunc(environ, has(envReport)) {
		return environ
	}
	return slices.DeleteFunc(slices.Clone(environ), has("CLICOLOR_FORCE"))
}

// startReport is one line from the host to its parent.
type startReport struct {
	Stage  string `json:"stage"`
	Run    string `json:"run"`
	Dir    string `json:"dir"`
	Log    string `json:"log"`
	Offset int64  `json:"offset"` // start of this host's output in the log
}

// reporter is the host's end of the pipe. Without a parent, it does nothing.
type reporter struct {
	pipe *os.File
	last string
}

// openReport opens the pipe to the parent, if there is one, and redirects the host's output to the run's log.
func openReport(writer *runstore.Writer) (*reporter, error) {
	if os.Getenv(envReport) == "" {
		return &reporter{}, nil
	}
	_ = os.Unsetenv(envReport) // child processes must not inherit it
	syscall.CloseOnExec(reportFD)
	r := &reporter{pipe: os.NewFile(reportFD, "report")}
	path := writer.LogPath(hostLog)
	log, err := ownerfile.Append(path)
	if err != nil {
		return nil, fmt.Errorf("open the log of the host: %w", err)
	}
	defer log.Close()
	info, err := log.Stat()
	if err != nil {
		return nil, fmt.Errorf("open the log of the host: %w", err)
	}
	for _, stream := range []*os.File{os.Stdout, os.Stderr} {
		if err := redirect(log, stream); err != nil {
			return nil, fmt.Errorf("write to the log of the host: %w", err)
		}
	}
	r.tell(startReport{Stage: reportOpened, Run: writer.Ref(), Dir: writer.Dir, Log: path, Offset: info.Size()})
	return r, nil
}

// Handle implements event.Handler.
func (r *reporter) Handle(e event.Event) {
	switch e.Payload.(type) {
	case event.StageStarted:
		r.tell(startReport{Stage: reportReady})
	case event.Phase, event.StepFinished, event.ValidationFinished, event.CheckpointCommitted:
		r.tell(startReport{Stage: reportStarted})
		r.close()
	}
}

// tell writes each line only once. Write errors are ignored because the parent may have exited.
func (r *reporter) tell(report startReport) {
	if r.pipe == nil || r.last == report.Stage {
		return
	}
	r.last = report.Stage
	if line, err := event.AppendLine(nil, report); err == nil {
		_, _ = r.pipe.Write(line)
	}
}

func (r *reporter) close() {
	if r.pipe != nil {
		_ = r.pipe.Close()
		r.pipe = nil
	}
}

// detached is the parent's view of a host.
type detached struct {
	cmd     *exec.Cmd
	output  *os.File // its output before the run exists
	reports chan startReport
	ended   chan error
	opened  startReport
}

// detach starts a run's host in the background. It returns once the run has started, or shows why the run did not
// start.
func (a *app) detach(ctx context.Context) error {
	d, err := startDetached()
	if err != nil {
		return exit(run.ExitFailed, fmt.Errorf("start in the background: %w", err))
	}
	defer os.Remove(d.output.Name())
	defer d.output.Close()
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	defer signal.Stop(signals)
	return a.awaitStart(ctx, d, signals)
}

// awaitStart follows a host until its run is training. Interrupting the wait interrupts the run.
func (a *app) awaitStart(ctx context.Context, d *detached, signals <-chan os.Signal) error {
	var patience <-chan time.Time
	for {
		select {
		case report, open := <-d.reports:
			switch {
			case !open:
				d.reports = nil // the exit provides the rest
			case report.Stage == reportOpened:
				d.opened = report
			case report.Stage == reportReady:
				timer := time.NewTimer(startPatience)
				defer timer.Stop()
				patience = timer.C
			case report.Stage == reportStarted:
				return a.detachedRuns(d)
			}
		case <-patience:
			return a.detachedRuns(d)
		case err := <-d.ended:
			return a.detachedEnded(d, err)
		case <-signals:
			_ = d.cmd.Process.Signal(syscall.SIGTERM) // it may have ended, which is handled next
		case <-ctx.Done():
			_ = d.cmd.Process.Signal(syscall.SIGTERM)
			return ctx.Err()
		}
	}
}

// startDetached starts this program again, with the same arguments.
func startDetached() (*detached, error) {
	self, err := build.SelfPath()
	if err != nil {
		return nil, err
	}
	output, err := os.CreateTemp("", "awhost-detach")
	if err != nil {
		return nil, err
	}
	in, out, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, output.Close(), os.Remove(output.Name()))
	}
	defer out.Close()
	cmd := exec.Command(self, withoutDetach(os.Args[1:])...)
	cmd.Env = append(os.Environ(), fmt.Sprintf("%s=%d", envReport, reportFD))
	cmd.Stdout, cmd.Stderr, cmd.ExtraFiles = output, output, []*os.File{out}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return nil, errors.Join(err, in.Close(), output.Close(), os.Remove(output.Name()))
	}
	d := &detached{cmd: cmd, output: output, reports: make(chan startReport), ended: make(chan error, 1)}
	go d.read(in)                         // ends when the host closes the pipe, at its exit at the latest
	go func() { d.ended <- cmd.Wait() }() // ends with the host or with this process
	return d, nil
}

// read forwards the host's reports.
func (d *detached) read(in *os.File) {
	defer in.Close()
	defer close(d.reports)
	for lines := bufio.NewScanner(in); lines.Scan(); {
		var report startReport
		if json.Unmarshal(lines.Bytes(), &report) == nil {
			d.reports <- report
		}
	}
}

// withoutDetach returns the host's arguments: its parent's without --detach, and without --json, because the host
// writes a log for users. Arguments after -- are kept.
func withoutDetach(args []string) []string {
	var out []string
	for i, arg := range args {
		if arg == "--" {
			return append(out, args[i:]...)
		}
		name, _, _ := strings.Cut(arg, "=")
		if name != "--detach" && name != "--json" {
			out = append(out, arg)
		}
	}
	return out
}

// detachedRuns prints how to reach the run.
func (a *app) detachedRuns(d *detached) error {
	pass(a.err, d.outputReader()) // warnings
	o := d.opened
	return a.show(result.Detached{Type: "detached", Run: o.Run, Dir: o.Dir, PID: d.cmd.Process.Pid, Log: o.Log})
}

// detachedEnded forwards the output and the exit code of a host that ended before training started.
func (a *app) detachedEnded(d *detached, err error) error {
	to := a.out
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		to = a.err
	}
	pass(to, d.outputReader())
	if log, err := os.Open(d.opened.Log); err == nil {
		defer log.Close()
		pass(to, io.NewSectionReader(log, d.opened.Offset, mostOutput))
	}
	switch {
	case err == nil:
		return nil
	case failed == nil:
		return exit(run.ExitFailed, fmt.Errorf("run in the background: %w", err))
	}
	for _, code := range run.ExitCodes {
		if code.Number == failed.ExitCode() {
			return exit(code, nil)
		}
	}
	return exit(run.ExitFailed, fmt.Errorf("the host exited before its run started: %w", err))
}

// outputReader returns what the host printed before the run existed.
func (d *detached) outputReader() io.Reader { return io.NewSectionReader(d.output, 0, mostOutput) }

// pass prints the host's output. Output that cannot be read here is still in the log.
func pass(to *text.Output, said io.Reader) {
	if text, err := io.ReadAll(said); err == nil {
		_, _ = to.Write(text)
	}
}

var _ event.Handler = (*reporter)(nil)
