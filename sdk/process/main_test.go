//go:build linux

// The tests with running processes need Linux: they re-execute /proc/self/exe and read /proc.

package process

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	"github.com/hashicorp/go-plugin"
	"go.uber.org/goleak"
	"google.golang.org/grpc"

	"github.com/awhost/awhost/sdk/process/mtls"
)

// The test binary also runs as the children: with this variable set it is one of the actors.
const envActor = "AWHOST_TEST_ACTOR"

func TestMain(m *testing.M) {
	if len(os.Args) == 2 && os.Args[1] == guardArg {
		if err := ServeGuard(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(64)
		}
		os.Exit(0)
	}
	if name := os.Getenv(envActor); name != "" {
		act, ok := actors[name]
		if !ok {
			fmt.Fprintln(os.Stderr, "no such actor:", name)
			os.Exit(64)
		}
		act()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

var cookie = plugin.HandshakeConfig{MagicCookieKey: EnvCookie, MagicCookieValue: "test"}

type connection struct{ plugin.NetRPCUnsupportedPlugin }

func (connection) GRPCServer(*plugin.GRPCBroker, *grpc.Server) error { return nil }
func (connection) GRPCClient(_ context.Context, _ *plugin.GRPCBroker, conn *grpc.ClientConn) (any, error) {
	return conn, nil
}

// actors maps the names of child programs to their functions. It is filled by init, because the host starts others.
var actors map[string]func()

func init() {
	actors = map[string]func(){
		"plugin":      func() { servePlugin(os.Stdout, os.Stderr) },
		"noisy":       func() { fmt.Print("loading torch …\n1|2|three\n\x1b[31mred\n"); servePlugin(os.Stdout, os.Stderr) },
		"block":       block,
		"stubborn":    func() { signal.Ignore(syscall.SIGTERM); announce("ready"); block() },
		"stopped":     func() { _ = syscall.Kill(os.Getpid(), syscall.SIGSTOP); block() },
		"exit":        func() { fmt.Fprint(os.Stderr, "no such model: tiny\nlast words"); os.Exit(7) },
		"panic":       func() { panic("the model is not there") },
		"garbage":     func() { _, _ = os.Stdout.WriteString(strings.Repeat("garbage\n", 300_000)); block() },
		"traceback":   func() { fmt.Fprint(os.Stderr, traceback); os.Exit(1) },
		"flood":       func() { fmt.Fprint(os.Stderr, strings.Repeat("0123456789\n", 10_000)); os.Exit(1) },
		"environment": func() { fmt.Fprintln(os.Stderr, strings.Join(os.Environ(), "\n")) },
		"orphaner":    func() { spawn("block", false); os.Exit(3) },
		"closer":      func() { os.Stdout.Close(); block() },
		"host":        host,
		// of the guard's tests
		"guarded host": guardedHost,
		"waiter":       func() { announce(os.Getenv("AWHOST_TEST_WORD")); block() },
		"family":       func() { startProcessTree(); announce("family"); block() },
		"leaver":       func() { startProcessTree(); os.Exit(3) },
		"trainer": func() {
			startWaiter("worker", os.Environ())
			announce(os.Getenv("AWHOST_TEST_WORD"))
			block()
		},
		"starts and ends": func() { startWaiter(os.Getenv("AWHOST_TEST_WORD"), os.Environ()) },
	}
}

const traceback = "Traceback (most recent call last):\n  File \"x.py\", line 1, in <module>\n    import torch\nModuleNotFoundError: No module named 'torch'\n"

// block waits forever.
func block() {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGUSR2) // so that the runtime sees no deadlock
	select {}
}

// announce sends the test a message, in a separate file.
func announce(word string) {
	path := filepath.Join(os.Getenv("AWHOST_TEST_DIR"), word)
	if err := os.WriteFile(path+".new", []byte(strconv.Itoa(os.Getpid())), 0o600); err == nil {
		_ = os.Rename(path+".new", path)
	}
}

// spawn starts a grandchild that holds this process's pipes.
func spawn(actor string, ownSession bool) {
	child := exec.Command("/proc/self/exe")
	child.Env = append(os.Environ(), envActor+"="+actor)
	child.Stdout, child.Stderr = os.Stdout, os.Stderr
	child.SysProcAttr = &syscall.SysProcAttr{Setsid: ownSession}
	if err := child.Start(); err != nil {
		panic(err)
	}
	path := filepath.Join(os.Getenv("AWHOST_TEST_DIR"), "grandchild")
	_ = os.WriteFile(path+".new", []byte(strconv.Itoa(child.Process.Pid)), 0o600)
	_ = os.Rename(path+".new", path)
}

// servePlugin serves a real plugin. On SIGUSR1 it performs AWHOST_TEST_ACTION, with its real standard streams.
func servePlugin(stdout, stderr *os.File) {
	ask := make(chan os.Signal, 1)
	signal.Notify(ask, syscall.SIGUSR1)
	go func() {
		for range ask {
			os.Stdout, os.Stderr = stdout, stderr // go-plugin replaced them
			actions[os.Getenv("AWHOST_TEST_ACTION")]()
		}
	}()
	if os.Getenv("AWHOST_TEST_LIFELINE") != "" {
		go func() {
			_, _ = io.Copy(io.Discard, os.Stdin)
			os.Exit(9)
		}()
	}
	version := 1
	if v, err := strconv.Atoi(os.Getenv("AWHOST_TEST_VERSION")); err == nil {
		version = v
	}
	config := &plugin.ServeConfig{
		HandshakeConfig: cookie, GRPCServer: plugin.DefaultGRPCServer,
		VersionedPlugins: map[int]plugin.PluginSet{version: {"test": connection{}}},
		Logger:           hclog.New(&hclog.LoggerOptions{Output: stderr, Level: hclog.Warn, JSONFormat: true}),
	}
	if dir := os.Getenv("AWHOST_TLS_DIR"); dir != "" {
		identity, err := mtls.LoadPlugin(dir)
		if err != nil {
			panic(err)
		}
		config.TLSProvider = func() (*tls.Config, error) { return identity.Server(), nil }
	}
	plugin.Serve(config)
}

var actions = map[string]func(){
	"":           func() {},
	"bad log":    func() { fmt.Fprintln(os.Stderr, `{"@message": 42, "@level": ["x"], "@timestamp": {}}`) },
	"long lines": longLines,
	"die":        func() { spawn("block", true); _ = syscall.Kill(os.Getpid(), syscall.SIGKILL) },
	"panic":      func() { go panic("in flight") },
	"grandchild": func() { spawn("block", false) },
	"write on": func() {
		for i := range 3 {
			fmt.Println("stdout", i)
			fmt.Fprintln(os.Stderr, "stderr", i)
		}
		announce("wrote")
	},
}

// longLines writes more than a pipe holds, with few newlines.
func longLines() {
	for range 20 {
		if _, err := fmt.Print(strings.Repeat("x", 70_000)); err != nil {
			return
		}
	}
	fmt.Println()
	announce("wrote")
}

// host runs a host that starts one plugin and then waits to be killed.
func host() {
	p, err := New(Config{
		Name: "plugin hosted", Command: []string{"/proc/self/exe"}, StartTimeout: testTimeout,
		SocketDir: os.Getenv("AWHOST_TEST_SOCKETS"),
		LogFile:   os.Getenv("AWHOST_TEST_LOG"), Detachable: os.Getenv("AWHOST_TEST_DETACHABLE") != "",
		Env: map[string]string{
			envActor: "plugin", "AWHOST_TEST_DIR": os.Getenv("AWHOST_TEST_DIR"), "AWHOST_TEST_ACTION": "write on",
			"AWHOST_TEST_LIFELINE": os.Getenv("AWHOST_TEST_LIFELINE"),
		},
	})
	if err == nil {
		_, err = newClient(p, nil).Client()
	}
	if err != nil {
		panic(err)
	}
	path := filepath.Join(os.Getenv("AWHOST_TEST_DIR"), "plugin")
	_ = os.WriteFile(path+".new", []byte(strconv.Itoa(p.PID())), 0o600)
	_ = os.Rename(path+".new", path)
	block()
}

// testTimeout bounds every wait of a test; a loaded machine may need most of it.
const testTimeout = 60 * time.Second

func newClient(p *Process, tlsConfig *tls.Config) *plugin.Client {
	return plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: cookie, VersionedPlugins: map[int]plugin.PluginSet{1: {"test": connection{}}},
		AllowedProtocols: []plugin.Protocol{plugin.ProtocolGRPC}, Logger: hclog.NewNullLogger(),
		RunnerFunc: p.RunnerFunc(), SkipHostEnv: true, StartTimeout: p.ClientStartTimeout(), TLSConfig: tlsConfig,
	})
}

// actorConfig returns a configuration that runs the test binary as an actor.
func actorConfig(t *testing.T, actor string) Config {
	t.Helper()
	return Config{
		Name: "plugin " + actor, Command: []string{"/proc/self/exe"}, StartTimeout: testTimeout, Grace: testTimeout,
		SocketDir: socketDir(t),
		Env:       map[string]string{envActor: actor, "AWHOST_TEST_DIR": t.TempDir()},
	}
}

func socketDir(t *testing.T) string {
	t.Helper()
	dir, err := NewSocketDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := RemoveSocketDir(dir); err != nil {
			t.Error(err)
		}
	})
	return dir
}

func newProcess(t *testing.T, c Config) *Process {
	t.Helper()
	p, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithCancel(context.Background())
		cancel() // no grace
		if err := p.Kill(ctx); err != nil {
			t.Error(err)
		}
	})
	return p
}

// startActor starts an actor that is not a plugin.
func startActor(t *testing.T, c Config) *Process {
	t.Helper()
	p := newProcess(t, c)
	if err := p.Start(context.Background()); err != nil {
		t.Fatal(err)
	}
	return p
}

// connect starts a plugin and its client.
func connect(t *testing.T, c Config) (*Process, *plugin.Client) {
	t.Helper()
	p := newProcess(t, c)
	client := newClient(p, nil)
	protocol, err := client.Client()
	if err != nil {
		t.Fatal(p.StartError(err))
	}
	t.Cleanup(func() { shutdown(t, p, client) })
	if err := protocol.Ping(); err != nil {
		t.Fatal(err)
	}
	return p, client
}

func shutdown(t *testing.T, p *Process, client *plugin.Client) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), testTimeout)
	defer cancel()
	if err := p.Shutdown(ctx, client.Kill); err != nil {
		t.Error(err)
	}
	if ctx.Err() != nil {
		t.Error("the plugin did not end in time")
	}
}

func waitExit(t *testing.T, p *Process) *Exit {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(testTimeout):
		t.Fatal("the process does not end")
	}
	return p.Exit()
}

// eventually polls until ok returns true.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	deadline := time.After(testTimeout)
	for !ok() {
		select {
		case <-tick.C:
		case <-deadline:
			t.Fatalf("never came about: %s", what)
		}
	}
}

// announced waits for an actor's announcement and returns the pid in it.
func announced(t *testing.T, c Config, word string) int {
	t.Helper()
	var pid int
	eventually(t, "the actor announces "+word, func() bool {
		raw, err := os.ReadFile(filepath.Join(c.Env["AWHOST_TEST_DIR"], word))
		if err != nil {
			return false
		}
		pid, err = strconv.Atoi(string(raw))
		return err == nil
	})
	return pid
}

func identityOf(t *testing.T, pid int) Identity {
	t.Helper()
	id, err := IdentityOf(pid)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// killLater ends a process, which a test leaves behind on purpose, at the end of the test.
func killLater(t *testing.T, pid int) Identity {
	t.Helper()
	id := identityOf(t, pid)
	t.Cleanup(func() {
		if Alive(id) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	})
	return id
}

func sendAction(t *testing.T, pid int, sig syscall.Signal) {
	t.Helper()
	if err := syscall.Kill(pid, sig); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Fatal(err)
	}
}
