//go:build linux

package process

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestKill_IgnoredSIGTERM(t *testing.T) {
	c := actorConfig(t, "stubborn")
	c.Grace = 50 * time.Millisecond
	p := startActor(t, c)
	announced(t, c, "ready")
	if err := p.Kill(context.Background()); err != nil {
		t.Fatal(err)
	}
	if e := waitExit(t, p); e.Signal != "killed" || !e.Requested {
		t.Errorf("exit %+v; want SIGKILL on request", e)
	}
}

func TestKill_SendsSIGTERMFirst(t *testing.T) {
	p := startActor(t, actorConfig(t, "block"))
	if err := p.Kill(context.Background()); err != nil {
		t.Fatal(err)
	}
	if e := waitExit(t, p); e.Signal != "terminated" || e.Error() != "plugin block exited with signal terminated" {
		t.Errorf("exit %+v, %q; want SIGTERM", e, e.Error())
	}
}

func TestKill_StoppedProcess(t *testing.T) {
	p := startActor(t, actorConfig(t, "stopped"))
	eventually(t, "the process stops", func() bool { return describeState(p.PID()) == "stopped" })
	if err := p.Kill(context.Background()); err != nil {
		t.Fatal(err)
	}
	if e := waitExit(t, p); e.Signal != "terminated" {
		t.Errorf("exit %+v; want SIGTERM, received after SIGCONT", e)
	}
}

func TestKill_EndOfContextEndsTheGrace(t *testing.T) {
	c := actorConfig(t, "stubborn")
	c.Grace = time.Hour
	p := startActor(t, c)
	announced(t, c, "ready")
	patient := make(chan error, 1)
	go func() { patient <- p.Kill(context.Background()) }()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := p.Kill(ctx); err != nil {
		t.Fatal(err)
	}
	waitExit(t, p)
	if err := <-patient; err != nil {
		t.Fatal(err)
	}
}

func TestKill_Concurrent(t *testing.T) {
	p := startActor(t, actorConfig(t, "block"))
	var callers sync.WaitGroup
	for range 8 {
		callers.Go(func() {
			if err := p.Kill(context.Background()); err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
	waitExit(t, p)
	if err := p.Kill(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestExit_OfTheLeaderEndsItsGroup(t *testing.T) {
	c := actorConfig(t, "orphaner")
	p := startActor(t, c)
	pid := announced(t, c, "grandchild")
	e := waitExit(t, p)
	if e.Code != 3 {
		t.Errorf("exit %+v; want status 3", e)
	}
	eventually(t, "the grandchild has exited", func() bool { _, err := IdentityOf(pid); return err != nil })
}

func TestExit_HasTheLastLinesAndTheHead(t *testing.T) {
	for _, test := range []struct{ actor, head, want string }{
		{"exit", "", "plugin exit exited with status 7; last lines: no such model: tiny | last words"},
		{"panic", "panic: the model is not there", "plugin panic exited with status 2: panic: the model is not there; last lines: "},
		{"traceback", "Traceback (most recent call last):",
			"plugin traceback exited with status 1: ModuleNotFoundError: No module named 'torch'; last lines: "},
	} {
		c := actorConfig(t, test.actor)
		e := waitExit(t, startActor(t, c))
		if !strings.HasPrefix(e.PanicHead, test.head) || test.head == "" && e.PanicHead != "" {
			t.Errorf("%s: head %q; want %q", test.actor, e.PanicHead, test.head)
		}
		if !strings.HasPrefix(e.Error(), test.want) {
			t.Errorf("%s: message %q; want %q", test.actor, e.Error(), test.want)
		}
	}
}

func TestExit_KeepsTheLastLinesWhenTheLogIsFull(t *testing.T) {
	c := actorConfig(t, "flood")
	c.LogFile = filepath.Join(t.TempDir(), "log")
	c.Limits.LogBytes = 1100
	p := startActor(t, c)
	e := waitExit(t, p)
	if len(e.LastLines) != maxLastLines || e.LogFile != c.LogFile {
		t.Errorf("%d last lines, log %q; want %d, %q", len(e.LastLines), e.LogFile, maxLastLines, c.LogFile)
	}
	if err := p.Kill(context.Background()); err != nil { // the log file is complete
		t.Fatal(err)
	}
	raw, err := os.ReadFile(c.LogFile)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Repeat("0123456789\n", 100) + "[9900 lines, 108900 bytes, were dropped: the log limit of 1100 bytes is reached; the last 200 lines of standard error follow]\n" + strings.Repeat("0123456789\n", 200)
	if string(raw) != want {
		t.Errorf("log file of %d bytes; want the first 100 lines, a notice, the last 200:\n%.300s", len(raw),
			raw[min(1050, len(raw)):])
	}
}

func TestStart_Environment(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "s3cret")
	t.Setenv("PLUGIN_CLIENT_CERT", "of an outer host")
	t.Setenv(EnvRun, "of an outer host")
	t.Setenv("AWHOST_VAR_key", "s3cret")
	t.Setenv("WANTED", "yes")
	c := actorConfig(t, "environment")
	c.Run, c.Instance, c.PassEnv = "train-1", "reward.x", []string{"WANTED", "NOT_SET"}
	e := waitExit(t, startActor(t, c))
	all := strings.Join(e.LastLines, "\n")
	for _, want := range []string{"WANTED=yes", EnvRun + "=train-1", EnvInstance + "=reward.x", "PATH="} {
		if !strings.Contains(all, want) {
			t.Errorf("the environment lacks %s:\n%s", want, all)
		}
	}
	for _, leak := range []string{"SECRET_TOKEN", "PLUGIN_CLIENT_CERT", "AWHOST_VAR_key", "outer host", "NOT_SET"} {
		if strings.Contains(all, leak) {
			t.Errorf("the environment leaks %s:\n%s", leak, all)
		}
	}
}

func TestStart_LimitsResources(t *testing.T) {
	c := actorConfig(t, "stubborn")
	c.Limits.OpenFiles, c.Limits.AddressSpaceBytes = 77, 1<<40
	p := startActor(t, c)
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.PID()))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Max open files            77                   77",
		"Max address space         1099511627776        1099511627776"} {
		if !strings.Contains(string(raw), want) {
			t.Errorf("the limits lack %q:\n%s", want, raw)
		}
	}
}

func TestStart_OnlyOnce(t *testing.T) {
	p := startActor(t, actorConfig(t, "block"))
	if err := p.Start(context.Background()); err == nil || !strings.Contains(err.Error(), "create a new process") {
		t.Errorf("error %v of a second start", err)
	}
}

func TestStart_NewSession(t *testing.T) {
	p := startActor(t, actorConfig(t, "block"))
	group, err := syscall.Getpgid(p.PID())
	if err != nil || group != p.PID() {
		t.Errorf("process group %d, %v; want %d", group, err, p.PID())
	}
}

func TestNew_RefusesBadConfigurations(t *testing.T) {
	for name, c := range map[string]Config{
		"no name":    {Command: []string{"x"}},
		"no command": {Name: "x"},
		"log file":   {Name: "x", Command: []string{"x"}, Detachable: true},
		"too long":   {Name: "x", Command: []string{"x"}, SocketDir: "/" + strings.Repeat("x", 100)},
	} {
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
