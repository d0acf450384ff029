//go:build linux

package process

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-plugin"
	"github.com/hashicorp/go-plugin/runner"

	"github.com/awhost/awhost/sdk/process/mtls"
)

func TestRunner_FindsTheHandshakeAmongNoise(t *testing.T) {
	log := &logRecorder{}
	c := actorConfig(t, "noisy")
	c.Log = slog.New(log)
	connect(t, c)
	for _, line := range []string{"loading torch …", "1|2|three", `\x1b[31mred`} {
		if _, ok := log.find(line); !ok {
			t.Errorf("the line %q is not in the log", line)
		}
	}
}

func TestRunner_KeepsSocketsInItsDirectory(t *testing.T) {
	c := actorConfig(t, "plugin")
	p, client := connect(t, c)
	sockets, err := filepath.Glob(filepath.Join(c.SocketDir, "plugin*"))
	if err != nil || len(sockets) != 1 {
		t.Fatalf("sockets in the directory: %v, %v; want one", sockets, err)
	}
	sendAction(t, p.PID(), syscall.SIGKILL)
	waitExit(t, p)
	shutdown(t, p, client)
	if left, _ := filepath.Glob(filepath.Join(c.SocketDir, "plugin*")); len(left) != 0 {
		t.Errorf("a killed plugin left %v behind", left)
	}
}

func TestStartError_Message(t *testing.T) {
	script := func(lines ...string) []string { return append([]string{"/bin/sh", "-c"}, strings.Join(lines, "\n")) }
	for _, test := range []struct {
		name    string
		actor   string
		command []string
		timeout time.Duration
		reason  error
		want    []string
	}{
		{name: "hangs", actor: "block", timeout: 300 * time.Millisecond, reason: ErrStartTimeout,
			want: []string{"start plugin hangs: no handshake within 300ms (the process is", "before slow work"}},
		{name: "exits", actor: "exit", reason: ErrExited, want: []string{"it exited with status 7 before the handshake",
			"no such model: tiny | last words", "full log: "}},
		{name: "panics", actor: "panic", reason: ErrExited,
			want: []string{"status 2 before the handshake: panic: the model is not there"}},
		{name: "misses a module", actor: "traceback", reason: ErrExited,
			want: []string{"ModuleNotFoundError: No module named 'torch'"}},
		{name: "true", command: []string{"/bin/true"}, reason: ErrExited,
			want: []string{"status 0 and no handshake: is /", "true an awhost plugin?"}},
		{name: "prints garbage and ends", command: script("echo hello", "echo world"), reason: ErrExited,
			want: []string{"standard output: hello | world"}},
		{name: "prints garbage forever", actor: "garbage", reason: ErrNotAPlugin, want: []string{"no handshake " +
			"among its output", "standard output: garbage | garbage"}},
		{name: "closes its output", actor: "closer", reason: ErrNotAPlugin, want: []string{"no handshake among its output"}},
		{name: "is killed", command: script("kill -KILL $$"), reason: ErrExited,
			want: []string{"signal killed (not by awhost; perhaps the machine ran out of memory)"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			c := actorConfig(t, test.actor)
			c.Name = "plugin " + test.name
			c.LogFile = filepath.Join(t.TempDir(), "plugin.log")
			if test.command != nil {
				c.Command = test.command
			}
			if test.timeout != 0 {
				c.StartTimeout = test.timeout
			}
			p := newProcess(t, c)
			client := newClient(p, nil)
			_, err := client.Start()
			err = p.StartError(err)
			shutdown(t, p, client)
			var start *StartError
			if !errors.As(err, &start) || !errors.Is(err, test.reason) {
				t.Fatalf("error %v; want a StartError for %v", err, test.reason)
			}
			if exited := errors.Is(err, ErrExited); exited != (start.Exit != nil) {
				t.Errorf("exit %v for %v", start.Exit, start.Reason)
			}
			for _, want := range test.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("message %q lacks %q", err, want)
				}
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("message of more than one line: %q", err)
			}
		})
	}
}

func TestStartError_OfAProgramThatCannotRun(t *testing.T) {
	dir := t.TempDir()
	text := filepath.Join(dir, "notes.txt")
	broken := filepath.Join(dir, "broken")
	for path, mode := range map[string]os.FileMode{text: 0o600, broken: 0o700} {
		if err := os.WriteFile(path, []byte("not a program"), mode); err != nil {
			t.Fatal(err)
		}
	}
	for _, test := range []struct{ command, want string }{
		{"awhost-no-such-program", `find program "awhost-no-such-program": executable file not found in $PATH`},
		{"./no/such/file", "no such file or directory"},
		{text, "permission denied"},
		{broken, "exec format error"},
	} {
		c := actorConfig(t, "")
		c.Name, c.Command = "plugin missing", []string{test.command}
		p := newProcess(t, c)
		client := newClient(p, nil)
		_, err := client.Start()
		err = p.StartError(err)
		if err == nil || !strings.Contains(err.Error(), test.want) ||
			strings.Count(err.Error(), "start plugin missing") != 1 {
			t.Errorf("%s: error %v; want %q, and the plugin once", test.command, err, test.want)
		}
		client.Kill()
		if p.PID() != 0 || p.Exit() != nil {
			t.Errorf("%s: pid %d, exit %v of a process that never ran", test.command, p.PID(), p.Exit())
		}
	}
}

func TestStartError_LeavesVersionSkewToGoPlugin(t *testing.T) {
	c := actorConfig(t, "plugin")
	c.Env["AWHOST_TEST_VERSION"] = "7"
	p := newProcess(t, c)
	client := newClient(p, nil)
	_, err := client.Start()
	err = p.StartError(err)
	shutdown(t, p, client)
	if err == nil || !strings.Contains(err.Error(), "Plugin version: 7, Client versions: [1]") {
		t.Errorf("error %v; want both versions", err)
	}
}

func TestRunner_RefusesFeaturesOutsideOfTheContract(t *testing.T) {
	p := newProcess(t, actorConfig(t, "plugin"))
	client := plugin.NewClient(&plugin.ClientConfig{
		HandshakeConfig: cookie, VersionedPlugins: map[int]plugin.PluginSet{1: {"test": connection{}}},
		RunnerFunc: p.RunnerFunc(), SkipHostEnv: true, AutoMTLS: true,
	})
	defer client.Kill()
	if _, err := client.Start(); err == nil || !strings.Contains(err.Error(), "AutoMTLS") {
		t.Errorf("error %v; want one about AutoMTLS", err)
	}
}

func TestRunner_MutualTLSAndReattach(t *testing.T) {
	authority, err := mtls.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	c := actorConfig(t, "plugin")
	identity, err := authority.Issue("reward.test", c.Env["AWHOST_TEST_DIR"]+"/tls")
	if err != nil {
		t.Fatal(err)
	}
	other, err := authority.Issue("reward.other", t.TempDir()+"/tls")
	if err != nil {
		t.Fatal(err)
	}
	c.Env["AWHOST_TLS_DIR"] = c.Env["AWHOST_TEST_DIR"] + "/tls"
	p := newProcess(t, c)
	client := newClient(p, identity.Client())
	defer func() { shutdown(t, p, client) }()
	ping := func(client *plugin.Client) error {
		protocol, err := client.Client()
		if err != nil {
			return err
		}
		return protocol.Ping()
	}
	if err := ping(client); err != nil {
		t.Fatal(p.StartError(err))
	}

	attach := func(config *plugin.ClientConfig) *plugin.Client {
		config.HandshakeConfig, config.Plugins = cookie, plugin.PluginSet{"test": connection{}}
		config.AllowedProtocols = []plugin.Protocol{plugin.ProtocolGRPC}
		config.Reattach = client.ReattachConfig()
		config.Reattach.Test = true // this client does not end the process
		config.Reattach.ProtocolVersion = 1
		config.Reattach.ReattachFunc = func() (runner.AttachedRunner, error) { return p, nil }
		again := plugin.NewClient(config)
		t.Cleanup(func() {
			if protocol, err := again.Client(); err == nil {
				_ = protocol.Close()
			}
		})
		return again
	}
	if err := ping(attach(&plugin.ClientConfig{TLSConfig: identity.Client()})); err != nil {
		t.Errorf("a second client with the same identity: %v", err)
	}
	if err := ping(attach(&plugin.ClientConfig{TLSConfig: other.Client()})); err == nil {
		t.Error("a client that expects another plugin got an answer")
	}
	if err := ping(attach(&plugin.ClientConfig{})); err == nil {
		t.Error("a client without TLS got an answer")
	}
}

// This test documents the defects of go-plugin's own runner (v1.8.0).
func TestStockRunnerDefects(t *testing.T) {
	t.Run("a stopped plugin blocks Kill", func(t *testing.T) {
		c := actorConfig(t, "plugin")
		c.Grace = 100 * time.Millisecond
		p, client := connect(t, c)
		sendAction(t, p.PID(), syscall.SIGSTOP)
		eventually(t, "the plugin stops", func() bool { return describeState(p.PID()) == "stopped" })
		shutdown(t, p, client)
		if e := waitExit(t, p); !e.Requested {
			t.Errorf("exit %+v; want a requested one", e)
		}
	})
	t.Run("a grandchild blocks Kill and survives", func(t *testing.T) {
		c := actorConfig(t, "plugin")
		c.Env["AWHOST_TEST_ACTION"] = "grandchild"
		p, client := connect(t, c)
		sendAction(t, p.PID(), syscall.SIGUSR1)
		id := killLater(t, announced(t, c, "grandchild"))
		shutdown(t, p, client)
		eventually(t, "the grandchild dies with the group", func() bool { return !Alive(id) })
	})
	t.Run("a grandchild hides the exit of the plugin", func(t *testing.T) {
		c := actorConfig(t, "plugin")
		c.Env["AWHOST_TEST_ACTION"] = "die"
		p, client := connect(t, c)
		sendAction(t, p.PID(), syscall.SIGUSR1)
		id := killLater(t, announced(t, c, "grandchild"))
		exit := waitExit(t, p)
		eventually(t, "go-plugin notices", client.Exited)
		if !Alive(id) {
			t.Error("the grandchild has a separate session and holds the pipes: want it running")
		}
		if exit.Signal != "killed" || exit.Requested {
			t.Errorf("exit %+v; want an unexpected SIGKILL", exit)
		}
		shutdown(t, p, client)
	})
	t.Run("an odd log line panics the host", func(t *testing.T) {
		log := &logRecorder{}
		c := actorConfig(t, "plugin")
		c.Log, c.Env["AWHOST_TEST_ACTION"] = slog.New(log), "bad log"
		p, _ := connect(t, c)
		sendAction(t, p.PID(), syscall.SIGUSR1)
		eventually(t, "the line is in the log", func() bool { _, ok := log.find("42"); return ok })
	})
	t.Run("a long line on standard output blocks the plugin", func(t *testing.T) {
		c := actorConfig(t, "plugin")
		c.Env["AWHOST_TEST_ACTION"] = "long lines"
		c.LogFile = filepath.Join(t.TempDir(), "log")
		p, client := connect(t, c)
		sendAction(t, p.PID(), syscall.SIGUSR1)
		announced(t, c, "wrote")
		shutdown(t, p, client)
		if info, err := os.Stat(c.LogFile); err != nil || info.Size() < 20*70_000 {
			t.Errorf("log file %v, %v; want all of the long line", info, err)
		}
	})
}

func TestHostKilled_LeavesNoOrphan(t *testing.T) {
	for _, test := range []struct{ name, lifeline string }{
		{"by the death signal", ""},
		{"by the lifeline too", "1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := actorConfig(t, "host")
			c.Env["AWHOST_TEST_SOCKETS"], c.Env["AWHOST_TEST_LIFELINE"] = c.SocketDir, test.lifeline
			host := startActor(t, c)
			id := killLater(t, announced(t, c, "plugin"))
			sendAction(t, host.PID(), syscall.SIGKILL)
			waitExit(t, host)
			eventually(t, "the plugin has exited", func() bool { return !Alive(id) })
		})
	}
}

func TestHostKilled_DetachableProcessKeepsWriting(t *testing.T) {
	c := actorConfig(t, "host")
	logFile := filepath.Join(t.TempDir(), "detached.log")
	c.Env["AWHOST_TEST_SOCKETS"], c.Env["AWHOST_TEST_LOG"], c.Env["AWHOST_TEST_DETACHABLE"] = c.SocketDir, logFile, "1"
	host := startActor(t, c)
	pid := announced(t, c, "plugin")
	id := killLater(t, pid)
	sendAction(t, host.PID(), syscall.SIGKILL)
	waitExit(t, host)
	if err := RemoveSocketDir(c.SocketDir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(c.SocketDir); err != nil {
		t.Errorf("the socket directory of a running process was removed: %v", err)
	}

	sendAction(t, pid, syscall.SIGUSR1)
	announced(t, c, "wrote") // with pipes, the first write would have killed it by SIGPIPE
	if !Alive(id) {
		t.Error("the detachable process exited with its host")
	}
	raw, err := os.ReadFile(logFile)
	if err != nil || !strings.Contains(string(raw), "stdout 2\nstderr 2\n") {
		t.Errorf("log file %q, %v; want the output after the host's exit", raw, err)
	}
	sendAction(t, pid, syscall.SIGKILL)
	eventually(t, "the detached process ends", func() bool { return !Alive(id) })
}

func TestDetachable_ServesPlugin(t *testing.T) {
	c := actorConfig(t, "plugin")
	log := &logRecorder{}
	c.Detachable, c.LogFile, c.Log = true, filepath.Join(t.TempDir(), "log"), slog.New(log)
	c.Env["AWHOST_TEST_ACTION"] = "write on"
	if err := os.WriteFile(c.LogFile, []byte("1|1|unix|/stale|grpc|\n"), 0o600); err != nil {
		t.Fatal(err) // written by an earlier process: not this one's handshake
	}
	p, client := connect(t, c)
	sendAction(t, p.PID(), syscall.SIGUSR1)
	eventually(t, "the host receives its output", func() bool { _, ok := log.find("stderr 2"); return ok })
	shutdown(t, p, client)
}

func TestShutdown_BeforeTheStart(t *testing.T) {
	p := newProcess(t, actorConfig(t, "plugin"))
	client := newClient(p, nil)
	shutdown(t, p, client)
	if err := p.Start(context.Background()); err == nil {
		t.Error("a process that was stopped could be started")
	}
}

func TestStart_HandsExtraFilesOn(t *testing.T) {
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	p, err := New(Config{Name: "writer", Command: []string{"/bin/sh", "-c", "echo hello >&3"},
		ExtraFiles: []*os.File{write}})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	write.Close()
	said, err := io.ReadAll(read)
	if err != nil || string(said) != "hello\n" {
		t.Errorf("the process wrote %q, %v to descriptor 3", said, err)
	}
	if err := p.Kill(t.Context()); err != nil {
		t.Error(err)
	}
	if _, err := New(Config{Name: "writer", Command: []string{"sh"}, ExtraFiles: []*os.File{write}, Detachable: true,
		LogFile: "log"}); err == nil {
		t.Error("a detached process would keep its files")
	}
}

// A protocol client must be able to use the process's standard input and output; standard error is still logged.
func TestStart_LeavesStandardStreamsToItsCaller(t *testing.T) {
	inside, in, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	out, outside, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	log := &logRecorder{}
	p, err := New(Config{
		Name: "echo", Command: []string{"/bin/sh", "-c", "echo ready >&2; cat"},
		Stdin: inside, Stdout: outside, Log: slog.New(log),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(t.Context()); err != nil {
		t.Fatal(err)
	}
	inside.Close()
	outside.Close()
	if _, err := io.WriteString(in, "hello\n"); err != nil {
		t.Fatal(err)
	}
	in.Close()
	said, err := io.ReadAll(out)
	if err != nil || string(said) != "hello\n" {
		t.Errorf("the process wrote %q, %v", said, err)
	}
	waitExit(t, p)
	if _, ok := log.find("ready"); !ok {
		t.Error("standard error is not in the log")
	}
	if _, ok := log.find("hello"); ok {
		t.Error("standard output is in the log")
	}
	for name, c := range map[string]Config{
		"one of them":   {Stdin: inside},
		"a running one": {Stdin: inside, Stdout: outside, Detachable: true, LogFile: "log"},
	} {
		c.Name, c.Command = "echo", []string{"cat"}
		if _, err := New(c); err == nil {
			t.Errorf("%s was accepted", name)
		}
	}
}
