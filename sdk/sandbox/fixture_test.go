//go:build linux

package sandbox

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/awhost/awhost/sdk/process"
)

// fixture is a small model of a machine for the escapes to attack: it has another lease's key in files and processes,
// the host's sockets, ground truth and a home folder.
type fixture struct {
	dir    string
	python string
	grade  grade
	groups string // the parent of control groups, or empty
	env    map[string]string
	runs   atomic.Int32
}

const (
	keyOfAnother = "key-of-another-lease"
	greeting     = "hello from the host\n"
)

func (f *fixture) path(name string) string { return filepath.Join(f.dir, name) }

func newFixture(t *testing.T) *fixture {
	t.Helper()
	if missing := Probe().Missing; missing != "" {
		t.Skip("SKIPPED: no sandbox was tried: " + missing)
	}
	python := "/usr/bin/python3"
	if !exists(python) {
		found, err := exec.LookPath("python3")
		if err != nil {
			t.Skip("SKIPPED: no escape was tried: install python3 and put it on PATH")
		}
		python = found
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	f := &fixture{dir: dir, python: python, groups: Probe().groups}
	for name, text := range map[string]string{
		"secret/key": keyOfAnother, "data/truth.jsonl": keyOfAnother, "run/manifest.json": "{}", "home/.bashrc": "true\n",
		"lib/module.py": "x = 1\n",
	} {
		if err := os.MkdirAll(filepath.Dir(f.path(name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.path(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	f.env = map[string]string{
		"PATH": os.Getenv("PATH"), "KEY": f.path("secret/key"), "TRUTH": f.path("data/truth.jsonl"), "RUN": f.path("run"),
		"BASHRC": f.path("home/.bashrc"), "LIB": f.path("lib/module.py"), "HOST_SOCKET": f.path("run/s"),
		"HOST_DATAGRAMS": f.path("run/d"),
		"ABSTRACT":       "awhost-test-" + strconv.Itoa(os.Getpid()),
	}
	_, f.env["PORT"], _ = net.SplitHostPort(f.listen(t, "tcp", "127.0.0.1:0"))
	_, f.env["GATEWAY"], _ = net.SplitHostPort(f.listen(t, "tcp", "127.0.0.1:0"))
	f.listen(t, "unix", f.env["HOST_SOCKET"])
	f.listen(t, "unix", "@"+f.env["ABSTRACT"])
	f.listenUDP(t)
	d, err := net.ListenPacket("unixgram", f.env["HOST_DATAGRAMS"])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	f.startVictim(t)
	f.leak(t)
	return f
}

// listen sends a greeting to each client.
func (f *fixture) listen(t *testing.T, network, address string) string {
	t.Helper()
	l, err := net.Listen(network, address)
	if err != nil {
		t.Fatal(err)
	}
	var serving sync.WaitGroup
	serving.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			_, _ = c.Write([]byte(greeting))
			c.Close()
		}
	})
	t.Cleanup(func() { l.Close(); serving.Wait() })
	return l.Addr().String()
}

func (f *fixture) listenUDP(t *testing.T) {
	t.Helper()
	c, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	_, f.env["UDP"], _ = net.SplitHostPort(c.LocalAddr().String())
	var serving sync.WaitGroup
	serving.Go(func() {
		buffer := make([]byte, 16)
		for {
			_, from, err := c.ReadFrom(buffer)
			if err != nil {
				return
			}
			_, _ = c.WriteTo([]byte(greeting), from)
		}
	})
	t.Cleanup(func() { c.Close(); serving.Wait() })
}

// startVictim starts another program of this user. The program has the key in its environment, arguments and memory,
// an open ground truth file, and a shared memory segment.
func (f *fixture) startVictim(t *testing.T) {
	t.Helper()
	const code = `
import ctypes, os, sys
truth = open(os.environ["TRUTH"])
os.dup2(truth.fileno(), 9)
libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
segment = libc.shmget(0, 4096, 0o1600)
at = libc.shmat(segment, None, 0)
key = os.environ["LEASE_KEY"].encode()
ctypes.memmove(at, key, len(key))
libc.shmctl(segment, 0, None)
print(segment, at, flush=True)
sys.stdin.read()
`
	c := exec.Command(f.python, "-I", "-S", "-c", code, keyOfAnother)
	c.Env = append(os.Environ(), "LEASE_KEY="+keyOfAnother, "TRUTH="+f.env["TRUTH"])
	c.Dir = f.path("run")
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		_ = c.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	segment, address, ok := strings.Cut(strings.TrimSpace(line), " ")
	if err != nil || !ok {
		t.Fatalf("the victim says %q, %v", line, err)
	}
	f.env["VICTIM"], f.env["SEGMENT"], f.env["ADDRESS"] = strconv.Itoa(c.Process.Pid), segment, address
}

// leak opens a file that all child processes of this process inherit.
func (f *fixture) leak(t *testing.T) {
	t.Helper()
	fd, err := unix.Open(f.env["KEY"], unix.O_RDONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Close(fd) })
}

// ended describes how an escape ended.
type ended struct {
	code   int
	said   string
	report Report
	work   string // its working directory
	token  string // a unique name for files elsewhere
}

// run runs a Python program in a separate working directory, with or without a sandbox. Only the process and its
// sandbox end child processes. Programs may run in parallel.
func (f *fixture) run(t *testing.T, code string, limits Limits, boxed bool, read ...string) ended {
	t.Helper()
	number := strconv.Itoa(int(f.runs.Add(1)))
	work, token := f.path("work"+number), fmt.Sprintf("awhost-escape-%d-%s", os.Getpid(), number)
	if err := os.Mkdir(work, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(work) })
	script := filepath.Join(work, "escape.py")
	if err := os.WriteFile(script, []byte(code), 0o600); err != nil {
		t.Fatal(err)
	}
	var mu sync.Mutex
	var lines []string
	c := process.Config{
		Name:    "escape",
		Command: []string{f.python, "-I", "-S", script},
		Dir:     work,
		OnlyEnv: true,
		Env:     map[string]string{"WORK": work, "TOKEN": token},
		Log:     slog.New(slog.DiscardHandler),
		Grace:   -1,
		Line: func(_, line string) {
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, line)
		},
	}
	for name, value := range f.env {
		c.Env[name] = value
	}
	c.Env["PATIENCE"] = "0"
	var box *Box
	if boxed {
		c.Env["PATIENCE"] = "60" // enough time to be ended by the sandbox
		var err error
		box, err = newBox(Policy{
			Write: []string{work}, Read: append(append(Installation(f.python, ""), f.path("lib")), read...),
			Dial: []string{"127.0.0.1:" + f.env["GATEWAY"]}, Limits: limits,
		}, f.grade, f.groups)
		if err != nil {
			t.Fatal(err)
		}
		if err := box.Apply(&c); err != nil {
			t.Fatal(err)
		}
	}
	out := f.await(t, c, box)
	mu.Lock()
	defer mu.Unlock()
	out.said, out.work, out.token = strings.Join(lines, "\n"), work, token
	return out
}

func (f *fixture) await(t *testing.T, c process.Config, box *Box) ended {
	t.Helper()
	p, err := process.New(c)
	if err == nil {
		err = p.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	if box != nil {
		box.Started()
	}
	<-p.Done()
	if err := p.Kill(context.WithoutCancel(t.Context())); err != nil {
		t.Error(err)
	}
	out := ended{code: p.Exit().Code}
	if box != nil {
		if out.report = box.Close(); out.report.Ended {
			out.code = out.report.Code
		}
		if out.report.Failure != "" {
			t.Fatal(out.report.Failure)
		}
	}
	return out
}

// locked reports whether a process holds the lock of a file, which shows that the process is still running.
func locked(t *testing.T, path string) bool {
	t.Helper()
	file, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	defer file.Close()
	return unix.Flock(int(file.Fd()), unix.LOCK_EX|unix.LOCK_NB) != nil
}

// endDaemon ends the process that a program left behind. Its ID is in a file.
func endDaemon(t *testing.T, path string) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		return
	}
	var pid int
	if _, err := fmt.Sscan(string(text), &pid); err == nil && pid > 1 {
		_ = unix.Kill(pid, unix.SIGKILL)
	}
}

// tryProgram starts a program in a sandbox that contains only the system's files.
func (f *fixture) tryProgram(t *testing.T, program string) Report {
	t.Helper()
	box, err := New(Policy{})
	if err != nil {
		t.Fatal(err)
	}
	c := process.Config{Name: "program", Command: []string{program}, Grace: -1}
	if err := box.Apply(&c); err != nil {
		t.Fatal(err)
	}
	p, err := process.New(c)
	if err == nil {
		err = p.Start(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	box.Started()
	<-p.Done()
	if err := p.Kill(t.Context()); err != nil {
		t.Error(err)
	}
	return box.Close()
}
