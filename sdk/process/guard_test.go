//go:build linux

package process

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// guardArg makes the test binary run as a guard.
const guardArg = "guard"

const testRun = "0123456789abcdef"

func TestGuard_EndsEverythingOfAKilledHost(t *testing.T) {
	h := startHost(t, testRun, "stubborn", "stopped", "family", "waiter")
	other := startUnrelated(t, mark{run: "another", incarnation: 1, host: identityOf(t, h.host.PID()), serial: 3}.String())
	copied := startUnrelated(t, mark{run: testRun, incarnation: 1, host: other, serial: 3}.String())
	h.kill(t)
	h.gone(t, "stubborn", "stopped", "family", "session", "daemon", "cleared")
	eventually(t, "the guard has exited", func() bool { return !Alive(h.guard) })
	h.running(t, "detached", "waiter", "trainer", "worker")
	if !Alive(other) || !Alive(copied) {
		t.Error("a process of another run, or of another host of such a run, was ended")
	}
	if _, err := os.Stat(h.sockets); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("the socket directory still exists: %v", err)
	}
	log, err := os.ReadFile(filepath.Join(h.dir, "guard.log"))
	if want := fmt.Sprintf("process %d (exe) of stubborn", h.identities["stubborn"].PID); err != nil ||
		!strings.Contains(string(log), want) {
		t.Errorf("the guard's log is %q, %v; want %q in it", log, err, want)
	}
}

func TestGuard_TwoHostsAreIndependent(t *testing.T) {
	for _, test := range []struct{ name, second string }{
		{"runs of one name", "fedcba9876543210"},
		{"a run and its copy", testRun},
	} {
		t.Run(test.name, func(t *testing.T) {
			first, second := startHost(t, testRun, "stubborn", "family"), startHost(t, test.second, "stubborn", "family")
			first.kill(t)
			first.gone(t, "stubborn", "family", "session", "daemon", "cleared")
			second.running(t, "stubborn", "family", "session", "daemon", "cleared")
			if ended, err := SweepRun(t.Context(), test.second); err != nil || len(ended) != 0 {
				t.Errorf("the sweep ended %v, %v; want nothing of a living host", ended, err)
			}
			second.running(t, "stubborn", "family", "session", "daemon", "cleared")
			second.kill(t)
			second.gone(t, "stubborn", "family", "session", "daemon", "cleared")
		})
	}
}

func TestSweep_AfterHostAndGuardWereKilled(t *testing.T) {
	h := startHost(t, testRun, "stubborn", "stopped", "family", "waiter")
	sendAction(t, h.guard.PID, syscall.SIGSTOP) // otherwise it could detect the host's exit in time
	h.kill(t, h.guard)
	h.gone(t, "stubborn", "stopped", "family") // by the death signal
	ended, err := SweepRun(t.Context(), testRun)
	if err != nil {
		t.Fatal(err)
	}
	h.gone(t, "session", "daemon")
	h.running(t, "detached", "waiter", "trainer", "worker")
	var pids []int
	for _, l := range ended {
		pids = append(pids, l.PID)
		if l.Instance != "family" {
			t.Errorf("%v was ended; want processes of family", l)
		}
	}
	if len(pids) != 2 {
		t.Errorf("the sweep ended %v; want session and daemon", ended)
	}
	if again, err := SweepRun(t.Context(), testRun); err != nil || len(again) != 0 {
		t.Errorf("another sweep ended %v, %v; want nothing", again, err)
	}
}

// openGuard starts a guard in this process.
func openGuard(t *testing.T) *Guard {
	t.Helper()
	g, err := StartGuard(t.Context(), GuardConfig{Command: []string{"/proc/self/exe", guardArg}, Run: testRun,
		Incarnation: 1})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := g.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return g
}

// guardedConfig returns the configuration of an actor below a guard.
func guardedConfig(t *testing.T, g *Guard, actor string) Config {
	t.Helper()
	c := actorConfig(t, actor)
	c.Guard = g
	return c
}

func (g *Guard) process() Identity {
	id, err := IdentityOf(g.link.command.Process.Pid)
	if err != nil {
		return Identity{}
	}
	return id
}

func TestGuard_ChildrenBehaveLikeDirectChildren(t *testing.T) {
	g := openGuard(t)
	t.Run("exit", func(t *testing.T) {
		e := waitExit(t, startActor(t, guardedConfig(t, g, "exit")))
		if want := "plugin exit exited with status 7; last lines: no such model: tiny | last words"; e.Error() != want {
			t.Errorf("exit %q; want %q", e.Error(), want)
		}
	})
	t.Run("signal", func(t *testing.T) {
		p := startActor(t, guardedConfig(t, g, "block"))
		sendAction(t, p.PID(), syscall.SIGKILL)
		if e := waitExit(t, p); e.Signal != "killed" || e.GuardLost {
			t.Errorf("exit %+v; want killed", e)
		}
	})
	t.Run("terminate", func(t *testing.T) {
		p := startActor(t, guardedConfig(t, g, "stopped"))
		eventually(t, "the process stops", func() bool { return describeState(p.PID()) == "stopped" })
		if err := p.Kill(t.Context()); err != nil {
			t.Fatal(err)
		}
		if e := waitExit(t, p); e.Signal != "terminated" {
			t.Errorf("exit %+v; want SIGTERM", e)
		}
	})
	t.Run("kill", func(t *testing.T) {
		c := guardedConfig(t, g, "stubborn")
		c.Grace = 50 * time.Millisecond
		p := startActor(t, c)
		announced(t, c, "ready")
		if err := p.Kill(t.Context()); err != nil {
			t.Fatal(err)
		}
		if e := waitExit(t, p); e.Signal != "killed" || !e.Requested {
			t.Errorf("exit %+v; want SIGKILL on request", e)
		}
	})
	t.Run("identity", func(t *testing.T) {
		p := startActor(t, guardedConfig(t, g, "block"))
		id, err := p.Identity()
		if err != nil || id != identityOf(t, p.PID()) {
			t.Errorf("identity %+v, %v; want process %d", id, err, p.PID())
		}
	})
	t.Run("limits", func(t *testing.T) {
		c := guardedConfig(t, g, "block")
		c.Limits.OpenFiles = 77
		p := startActor(t, c)
		raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/limits", p.PID()))
		if want := "Max open files            77                   77"; err != nil || !strings.Contains(string(raw), want) {
			t.Errorf("limits %s, %v; want %q", raw, err, want)
		}
	})
	t.Run("plugin", func(t *testing.T) {
		p, client := connect(t, guardedConfig(t, g, "plugin"))
		shutdown(t, p, client)
	})
	t.Run("no program", func(t *testing.T) {
		for what, want := range map[string]syscall.Errno{"no format": syscall.ENOEXEC, "no permission": syscall.EACCES} {
			c := guardedConfig(t, g, "block")
			c.Command = []string{filepath.Join(t.TempDir(), "program")}
			mode := os.FileMode(0o700)
			if what == "no permission" {
				mode = 0o600
			}
			if err := os.WriteFile(c.Command[0], []byte("neither script nor program"), mode); err != nil {
				t.Fatal(err)
			}
			own := c
			own.Guard = nil
			err, ownErr := newProcess(t, c).Start(t.Context()), newProcess(t, own).Start(t.Context())
			if !errors.Is(err, want) || err.Error() != ownErr.Error() {
				t.Errorf("%s: error %v; want %v", what, err, ownErr)
			}
		}
	})
}

// When a process ends, all processes that carry its mark must end with it.
func TestGuard_EndsWhatAProcessLeavesBehind(t *testing.T) {
	g := openGuard(t)
	log := &logRecorder{}
	c := guardedConfig(t, g, "leaver")
	c.Log = slog.New(log)
	p := startActor(t, c)
	all := map[string]Identity{}
	e := waitExit(t, p)
	if e.Code != 3 {
		t.Fatalf("exit %+v; want status 3", e)
	}
	for _, word := range []string{"trainer", "worker"} { // they outlive all others
		killLater(t, announced(t, c, word))
	}
	for _, word := range []string{"session", "daemon", "cleared", "detached"} {
		pid := announced(t, c, word)
		if id, err := IdentityOf(pid); err == nil {
			all[word] = id
			killLater(t, pid)
		}
		if _, ok := log.find(fmt.Sprintf("ended process %d (exe) of plugin leaver, which it left behind",
			pid)); ok != (word == "session" || word == "daemon") {
			t.Errorf("%s is in the log: %t", word, ok)
		}
	}
	if len(all) != 2 || !Alive(all["cleared"]) || !Alive(all["detached"]) {
		t.Errorf("still running: %v; want unidentifiable (cleared) and permitted (detached) processes", all)
	}
	ended, err := g.Close(t.Context())
	if err != nil || len(ended) != 1 || ended[0].PID != all["cleared"].PID {
		t.Errorf("the end of the guard ended %v, %v; want %v", ended, err, all["cleared"])
	}
	if Alive(all["cleared"]) || !Alive(all["detached"]) {
		t.Error("processes of the run are left behind")
	}
}

func TestGuard_EndsWithItsRun(t *testing.T) {
	g := openGuard(t)
	guard := g.process()
	p := startActor(t, guardedConfig(t, g, "block"))
	if err := p.Kill(t.Context()); err != nil {
		t.Fatal(err)
	}
	if ended, err := g.Close(t.Context()); err != nil || len(ended) != 0 {
		t.Errorf("the end of the guard ended %v, %v; want nothing", ended, err)
	}
	if Alive(guard) {
		t.Error("the guard outlives its run")
	}
	if err := newProcess(t, guardedConfig(t, g, "block")).Start(t.Context()); !errors.Is(err, errGuardClosed) {
		t.Errorf("a start after the end: %v", err)
	}
}

func TestGuard_KilledIsReplaced(t *testing.T) {
	g := openGuard(t)
	guard := g.process()
	c := guardedConfig(t, g, "family")
	p := startActor(t, c)
	announced(t, c, "family")
	left := map[string]Identity{}
	for _, word := range []string{"session", "daemon", "cleared", "detached", "trainer", "worker"} {
		left[word] = killLater(t, announced(t, c, word))
	}
	sendAction(t, guard.PID, syscall.SIGKILL)
	e := waitExit(t, p)
	if !e.GuardLost || !strings.Contains(e.Error(), "the guard of the run exited") {
		t.Errorf("exit %+v, %v; want the guard's exit", e, e)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for _, word := range []string{"session", "daemon"} {
		awaitExit(ctx, left[word]) // killed, but it may still be exiting
	}
	if Alive(left["session"]) || Alive(left["daemon"]) || !Alive(left["detached"]) {
		t.Errorf("alive after the guard's death: session %t, daemon %t, detached %t", Alive(left["session"]),
			Alive(left["daemon"]), Alive(left["detached"]))
	}
	next := startActor(t, guardedConfig(t, g, "block"))
	if g.process() == guard || !Alive(g.process()) {
		t.Error("another guard was not started")
	}
	if err := next.Kill(t.Context()); err != nil {
		t.Error(err)
	}
}

// A start must not fail because the guard has just exited.
func TestGuard_StartSurvivesGuardExit(t *testing.T) {
	g := openGuard(t)
	for range 5 {
		sendAction(t, g.process().PID, syscall.SIGKILL)
		p := startActor(t, guardedConfig(t, g, "exit"))
		if e := waitExit(t, p); e.Code != 7 {
			t.Errorf("exit %+v; want status 7", e)
		}
	}
}

func TestGuard_HungIsEnded(t *testing.T) {
	g := openGuard(t)
	guard := g.process()
	p := startActor(t, guardedConfig(t, g, "stubborn"))
	sendAction(t, guard.PID, syscall.SIGSTOP)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := g.Close(ctx); err == nil || !strings.Contains(err.Error(), "did not respond") {
		t.Errorf("the end of a hung guard: %v", err)
	}
	waitExit(t, p)
	if Alive(guard) {
		t.Error("the hung guard is still running")
	}
}

func TestGuard_IgnoresSignals(t *testing.T) {
	g := openGuard(t)
	guard := g.process()
	if session, err := syscall.Getpgid(guard.PID); err != nil || session != guard.PID {
		t.Errorf("process group %d, %v; want its own", session, err)
	}
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT,
		syscall.SIGTSTP} {
		sendAction(t, guard.PID, sig)
	}
	p := startActor(t, guardedConfig(t, g, "block"))
	if g.process() != guard {
		t.Error("a signal ended the guard")
	}
	if err := p.Kill(t.Context()); err != nil { // sends SIGTERM: the ignored signals are not inherited
		t.Fatal(err)
	}
	if e := waitExit(t, p); e.Signal != "terminated" {
		t.Errorf("exit %+v; want SIGTERM", e)
	}
}

func TestGuard_InheritsNoFiles(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	inherited, err := syscall.Dup(int(file.Fd())) // as if inherited from a shell
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(inherited)
	t.Setenv("AWHOST_VAR_token", "s3cret")
	g := openGuard(t)
	dir := fmt.Sprintf("/proc/%d/", g.process().PID)
	entries, err := os.ReadDir(dir + "fd")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if target, _ := os.Readlink(dir + "fd/" + e.Name()); strings.HasPrefix(target, filepath.Dir(path)) ||
			strings.HasPrefix(target, "pipe:") {
			t.Errorf("the guard holds %s", target)
		}
	}
	if cwd, err := os.Readlink(dir + "cwd"); err != nil || cwd != "/" {
		t.Errorf("it works in %s, %v; want /", cwd, err)
	}
	for _, name := range []string{"environ", "cmdline"} {
		if raw, err := os.ReadFile(dir + name); err != nil || strings.Contains(string(raw), "s3cret") {
			t.Errorf("%s %q, %v; want no secret in it", name, raw, err)
		}
	}
}

func TestServeGuard_ByHand(t *testing.T) {
	out, err := exec.CommandContext(t.Context(), "/proc/self/exe", guardArg).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "started by awhost") {
		t.Errorf("%q, %v; want an explanation", out, err)
	}
}

func TestStartGuard_RefusesBadConfigurations(t *testing.T) {
	good := GuardConfig{Command: []string{"/proc/self/exe", guardArg}, Run: testRun}
	for want, change := range map[string]func(*GuardConfig){
		"not an absolute path":        func(c *GuardConfig) { c.Command = []string{"awhost"} },
		"invalid run id":              func(c *GuardConfig) { c.Run = "a/b" },
		"is not an absolute path":     func(c *GuardConfig) { c.LogFile = "guard.log" },
		"the guard of the run exited": func(c *GuardConfig) { c.Command = []string{"/bin/true"} },
		"no such file":                func(c *GuardConfig) { c.Command = []string{"/no/such/program"} },
	} {
		c := good
		change(&c)
		if _, err := StartGuard(t.Context(), c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v; want %q", err, want)
		}
	}
}
