//go:build linux

package process

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// startProcessTree starts one process for each way to escape, and returns when all have announced themselves.
func startProcessTree() {
	all := os.Environ()
	bare := []string{"AWHOST_TEST_DIR=" + os.Getenv("AWHOST_TEST_DIR")}
	startWaiter("session", all)
	startDaemon("daemon", all)
	startDaemon("cleared", bare)
	startDaemon("detached", append(all, EnvDetachable+"=1"))
	startTrainer("trainer", all)
	for _, word := range []string{"session", "daemon", "cleared", "detached", "trainer", "worker"} {
		awaitOutput(word)
	}
}

// startTrainer starts a detachable process that may outlive all others and has a child.
func startTrainer(word string, env []string) {
	command := exec.Command("/proc/self/exe")
	command.Env = append(env, envActor+"=trainer", "AWHOST_TEST_WORD="+word)
	if err := Detach(command, launchIn(os.Getenv("AWHOST_TEST_DIR"))); err != nil {
		panic(err)
	}
	if err := command.Start(); err != nil {
		panic(err)
	}
}

// startWaiter starts a waiting process in a new session.
func startWaiter(word string, env []string) {
	command := exec.Command("/proc/self/exe")
	command.Env = append(env, envActor+"=waiter", "AWHOST_TEST_WORD="+word)
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := command.Start(); err != nil {
		panic(err)
	}
}

// startDaemon starts one through an intermediate process, which exits.
func startDaemon(word string, env []string) {
	command := exec.Command("/proc/self/exe")
	command.Env = append(env, envActor+"=starts and ends", "AWHOST_TEST_WORD="+word)
	if err := command.Run(); err != nil {
		panic(err)
	}
}

// awaitOutput waits in an actor for the announcement of another actor. The actor's exit ends it at the latest.
func awaitOutput(word string) {
	path := filepath.Join(os.Getenv("AWHOST_TEST_DIR"), word)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for range int(testTimeout / (5 * time.Millisecond)) {
		if _, err := os.Stat(path); err == nil {
			return
		}
		<-tick.C
	}
	panic("no message contains " + word)
}

// guardedHost starts AWHOST_TEST_CHILDREN through a guard, each with a separate directory for announcements.
func guardedHost() {
	dir := os.Getenv("AWHOST_TEST_DIR")
	g, err := StartGuard(context.Background(), GuardConfig{
		Command: []string{"/proc/self/exe", guardArg}, Run: os.Getenv("AWHOST_TEST_RUN"), Incarnation: 1,
		SocketDir: os.Getenv("AWHOST_TEST_SOCKETS"), LogFile: filepath.Join(dir, "guard.log"),
	})
	if err != nil {
		panic(err)
	}
	for _, actor := range strings.Split(os.Getenv("AWHOST_TEST_CHILDREN"), ",") {
		c := Config{Name: actor, Run: "quickstart-1", Command: []string{"/proc/self/exe"},
			Env: map[string]string{envActor: actor, "AWHOST_TEST_DIR": filepath.Join(dir, actor)}, Guard: g}
		if c.Env["AWHOST_TEST_WORD"] = actor; actor == "waiter" {
			c.Detachable, c.LogFile = true, filepath.Join(dir, "waiter.log")
		}
		p, err := New(c)
		if err == nil {
			err = p.Start(context.Background())
		}
		if err != nil {
			panic(err)
		}
		announcePID("child."+actor, p.PID())
	}
	announcePID("guard", g.link.command.Process.Pid)
	block()
}

func announcePID(word string, pid int) {
	path := filepath.Join(os.Getenv("AWHOST_TEST_DIR"), word)
	if err := os.WriteFile(path+".new", []byte(strconv.Itoa(pid)), 0o600); err == nil {
		_ = os.Rename(path+".new", path)
	}
}

// hostProcess is a host in a separate process, with all processes that it has started.
type hostProcess struct {
	dir        string
	sockets    string
	host       *Process
	guard      Identity
	identities map[string]Identity // of its children and theirs
}

// startHost starts a host with children and waits until all are running.
func startHost(t *testing.T, run string, children ...string) *hostProcess {
	t.Helper()
	c := actorConfig(t, "guarded host")
	h := &hostProcess{dir: c.Env["AWHOST_TEST_DIR"], identities: map[string]Identity{}}
	c.Env["AWHOST_TEST_RUN"], c.Env["AWHOST_TEST_CHILDREN"] = run, strings.Join(children, ",")
	for _, actor := range children {
		if err := os.Mkdir(filepath.Join(h.dir, actor), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	// Makes the host the directory's only owner, as if it had created it.
	sockets, err := os.MkdirTemp(filepath.Dir(c.SocketDir), socketDirPrefix)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(sockets) })
	h.sockets, c.Env["AWHOST_TEST_SOCKETS"] = sockets, sockets
	h.host = startActor(t, c)
	if err := addOwner(sockets, identityOf(t, h.host.PID())); err != nil {
		t.Fatal(err)
	}
	h.guard = killLater(t, announcedIn(t, h.dir, "guard"))
	for _, actor := range children {
		h.identities[actor] = killLater(t, announcedIn(t, h.dir, "child."+actor))
		dir := filepath.Join(h.dir, actor)
		switch actor {
		case "family":
			announcedIn(t, dir, "family")
			for _, word := range []string{"session", "daemon", "cleared", "detached", "trainer", "worker"} {
				h.identities[word] = killLater(t, announcedIn(t, dir, word))
			}
		case "stopped":
			eventually(t, "it is stopped", func() bool { return describeState(h.identities[actor].PID) == "stopped" })
		case "stubborn":
			announcedIn(t, dir, "ready")
		}
	}
	return h
}

func announcedIn(t *testing.T, dir, word string) int {
	t.Helper()
	return announced(t, Config{Env: map[string]string{"AWHOST_TEST_DIR": dir}}, word)
}

// kill kills the host, and other processes that must end with it.
func (h *hostProcess) kill(t *testing.T, others ...Identity) {
	t.Helper()
	sendAction(t, h.host.PID(), syscall.SIGKILL)
	for _, other := range others {
		sendAction(t, other.PID, syscall.SIGKILL)
	}
	waitExit(t, h.host)
}

func (h *hostProcess) gone(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		eventually(t, name+" has exited", func() bool { return !Alive(h.identities[name]) })
	}
}

func (h *hostProcess) running(t *testing.T, names ...string) {
	t.Helper()
	for _, name := range names {
		if !Alive(h.identities[name]) {
			t.Errorf("%s has exited; want it running", name)
		}
	}
}

// startUnrelated starts a process with an environment similar to a run's.
func startUnrelated(t *testing.T, markText string) Identity {
	t.Helper()
	dir := t.TempDir()
	command := exec.Command("/proc/self/exe")
	command.Env = []string{envActor + "=waiter", "AWHOST_TEST_DIR=" + dir, "AWHOST_TEST_WORD=up", EnvRun + "=quickstart-1",
		EnvInstance + "=family", EnvMark + "=" + markText}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return identityOf(t, announcedIn(t, dir, "up"))
}
