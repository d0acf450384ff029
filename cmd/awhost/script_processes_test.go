//go:build linux

package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

// started is a program started in the background by the script.
type started struct {
	cmd  *exec.Cmd
	args []string
	done chan struct{} // closed when err is set
	err  error
}

func (s *started) hasEnded() bool {
	select {
	case <-s.done:
		return true
	default:
		return false
	}
}

// startedKey is the key of a script's map[string]*started.
const startedKey = "started"

func start(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) > 1, "start NAME COMMAND...")
	program, err := exec.LookPath(args[1])
	ts.Check(err)
	out, err := os.Create(ts.MkAbs(args[0] + ".out"))
	ts.Check(err)
	defer out.Close()
	stderr, err := os.Create(ts.MkAbs(args[0] + ".err"))
	ts.Check(err)
	defer stderr.Close()
	s := &started{cmd: exec.Command(program, args[2:]...), args: args[1:], done: make(chan struct{})}
	s.cmd.Args[0] = args[1]
	s.cmd.Dir, s.cmd.Stdout, s.cmd.Stderr = ts.MkAbs("."), out, stderr
	for _, name := range []string{
		"PATH", "HOME", "TMPDIR", "NO_COLOR", envRuntimeDir, "GOCACHE", "GOMODCACHE", debuggersVariable,
	} {
		s.cmd.Env = append(s.cmd.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(s.cmd.Start())
	go func() {
		defer close(s.done)
		s.err = s.cmd.Wait()
	}()
	ts.Value(startedKey).(map[string]*started)[args[0]] = s
	ts.Defer(func() {
		_ = s.cmd.Process.Kill() // it may have ended
		<-s.done
	})
}

func find(ts *testscript.TestScript, name string) *started {
	s, ok := ts.Value(startedKey).(map[string]*started)[name]
	if !ok {
		ts.Fatalf("nothing was started as %s", name)
	}
	return s
}

func signalTo(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 2, "signal NAME INT|TERM|KILL")
	known := map[string]syscall.Signal{"INT": syscall.SIGINT, "TERM": syscall.SIGTERM, "KILL": syscall.SIGKILL}
	s, ok := known[args[1]]
	want(ts, ok, "signal NAME INT|TERM|KILL")
	ts.Check(find(ts, args[0]).cmd.Process.Signal(s))
}

func ended(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 2, "ended NAME CODE")
	s := find(ts, args[0])
	select {
	case <-s.done:
	case <-time.After(patience):
		_ = s.cmd.Process.Signal(syscall.SIGQUIT) // it prints where it hangs
		<-s.done
		ts.Fatalf("%s: no end within %s:\n%s", args[0], patience, ts.ReadFile(args[0]+".err"))
	}
	ts.Logf("[%s.out]\n%s\n[%s.err]\n%s", args[0], last(ts.ReadFile(args[0]+".out"), 5), args[0],
		last(ts.ReadFile(args[0]+".err"), 20))
	checkCode(ts, s.args, s.err, number(ts, args[1]))
}

func last(text string, n int) string {
	all := lines(text)
	return strings.Join(all[max(0, len(all)-n):], "\n")
}

func await(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && (len(args) == 2 || len(args) == 3), "await NAME FILE [REGEXP]")
	s, pattern := find(ts, args[0]), regexp.MustCompile("")
	if len(args) == 3 {
		var err error
		pattern, err = regexp.Compile("(?m)" + args[2])
		ts.Check(err)
	}
	until(ts, strings.Join(args, " "), func() bool {
		isLast := s.hasEnded()
		text, err := os.ReadFile(ts.MkAbs(args[1]))
		found := err == nil && pattern.Match(text)
		if isLast && !found {
			ts.Fatalf("%s has ended (%v) without %s:\n%s", args[0], s.err, strings.Join(args[1:], " "),
				ts.ReadFile(args[0]+".out"))
		}
		return found
	})
}

// scriptProcesses returns the pids of this script's processes, with their environment.
func scriptProcesses(ts *testscript.TestScript) map[int][]string {
	mark := envRuntimeDir + "=" + ts.Getenv(envRuntimeDir)
	found := map[int][]string{}
	all, err := filepath.Glob("/proc/[0-9]*/environ")
	ts.Check(err)
	for _, path := range all {
		raw, err := os.ReadFile(path) // it may have ended, or belong to another user
		if err != nil {
			continue
		}
		env := strings.Split(string(raw), "\x00")
		for _, pair := range env {
			if pair == mark {
				found[number(ts, filepath.Base(filepath.Dir(path)))] = env
			}
		}
	}
	return found
}

func killPlugin(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "killplugin ADDRESS")
	ts.Check(syscall.Kill(pluginPID(ts, args[0]), syscall.SIGKILL))
}

// pluginPID returns the pid of a block's process, after waiting for its restart.
func pluginPID(ts *testscript.TestScript, address string) (pid int) {
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		for pid, env := range scriptProcesses(ts) {
			if slices.Contains(env, "AWHOST_INSTANCE="+address) {
				return pid
			}
		}
	}
	ts.Fatalf("no process serves %s", address)
	return 0
}

// fullDisk sets a limit of the kernel on the file sizes of one process, which simulates a full disk.
func fullDisk(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 2, "fulldisk NAME|ADDRESS FILE")
	var pid int
	if strings.Contains(args[0], ".") {
		pid = pluginPID(ts, args[0])
	} else {
		pid = find(ts, args[0]).cmd.Process.Pid
	}
	info, err := os.Stat(ts.MkAbs(args[1]))
	ts.Check(err)
	var limit unix.Rlimit
	ts.Check(unix.Prlimit(pid, unix.RLIMIT_FSIZE, nil, &limit))
	limit.Cur = uint64(info.Size())
	ts.Check(unix.Prlimit(pid, unix.RLIMIT_FSIZE, &limit, nil))
}

// noProcesses checks at once. With "soon" it waits, because the effect of a kill may take a moment to be noticed.
func noProcesses(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && (len(args) == 0 || len(args) == 1 && args[0] == "soon"), "noprocesses [soon]")
	if len(args) == 1 {
		until(ts, "processes are left", func() bool { return len(scriptProcesses(ts)) == 0 })
		awaitTheDying(ts)
	}
	for pid := range scriptProcesses(ts) {
		command, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		ts.Fatalf("process %d is left: %s", pid, bytes.ReplaceAll(command, []byte{0}, []byte{' '}))
	}
}

// awaitTheDying waits for processes that are about to end. They have lost the environment that identifies them, and
// may still hold locks.
func awaitTheDying(ts *testscript.TestScript) {
	for _, path := range dying(ts) {
		until(ts, "the end of "+path, func() bool { return !isDying(path) })
	}
}

func dying(ts *testscript.TestScript) []string {
	all, err := filepath.Glob("/proc/[0-9]*")
	ts.Check(err)
	return slices.DeleteFunc(all, func(path string) bool { return !isDying(path) })
}

// isDying reports whether a process has released its memory and still has threads, which hold its files: its first
// thread may be a zombie before the others. Kernel threads have no memory either, and are children of the second one.
func isDying(path string) bool {
	status, err := os.ReadFile(filepath.Join(path, "status"))
	return err == nil && !livingOrKernel.Match(status) && !(zombie.Match(status) && lastThread.Match(status))
}

var (
	livingOrKernel = regexp.MustCompile(`(?m)^VmSize:|^PPid:\s+[02]$`)
	zombie         = regexp.MustCompile(`(?m)^State:\s+[ZX]`)
	lastThread     = regexp.MustCompile(`(?m)^Threads:\s+[01]$`)
)

func noSockets(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 0, "nosockets")
	left, err := filepath.Glob(filepath.Join(ts.Getenv(envRuntimeDir), "*"))
	ts.Check(err)
	if len(left) > 0 {
		ts.Fatalf("left: %s", strings.Join(left, " "))
	}
}
