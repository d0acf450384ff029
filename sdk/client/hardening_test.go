//go:build unix

package client_test

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// The tests of this file cover properties that go-plugin v1.8.0's stock runner lacks. Each except the last ones
// reproduces a defect of it.

func TestKill_EndsAStoppedPlugin(t *testing.T) {
	p := startReward(t, config(t, "plugin"))
	id := identify(t, p.PID())
	if err := syscall.Kill(p.PID(), syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	within(t, "Kill of a stopped plugin", p.Kill)
	awaitExit(t, "the plugin", id)
}

func TestKill_EndsAPluginThatIgnoresSIGTERM(t *testing.T) {
	p := startReward(t, config(t, "deaf"))
	id := identify(t, p.PID())
	if err := syscall.Kill(p.PID(), syscall.SIGSTOP); err != nil { // so that it also ignores requests
		t.Fatal(err)
	}
	within(t, "Kill of a plugin that ignores signals", p.Kill)
	awaitExit(t, "the plugin", id)
}

func TestKill_EndsGrandchildrenThatHoldThePipes(t *testing.T) {
	p := startReward(t, config(t, "plugin"))
	grandchild := identify(t, command(t, p, "spawn"))
	within(t, "Kill while a grandchild holds the pipes", p.Kill)
	awaitExit(t, "the grandchild", grandchild)
}

func TestExit_DetectedWhileGrandchildHoldsPipes(t *testing.T) {
	for _, where := range []string{"group", "session"} {
		t.Run(where, func(t *testing.T) {
			p := startReward(t, config(t, "plugin"))
			grandchild := identify(t, command(t, p, "spawn "+where))
			t.Cleanup(func() { _ = syscall.Kill(grandchild.PID, syscall.SIGKILL) }) // outside the group: the plugin's own task
			if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
				t.Fatal(err)
			}
			within(t, "the death", func() { <-p.Done() })
			if exit := p.Exit(); exit == nil || exit.Signal != "killed" {
				t.Errorf("exit: %+v", exit)
			}
			within(t, "Kill", p.Kill)
			if where == "group" {
				awaitExit(t, "the grandchild", grandchild)
			}
		})
	}
}

// lines collects the log of a plugin.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(b)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// logger returns a logger that writes the plugin's log to the test instead of to its output.
func (l *lines) logger() *slog.Logger {
	return slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

func TestLog_SurvivesEveryLine(t *testing.T) {
	var log lines
	c := config(t, "plugin")
	c.Log = log.logger()
	p := startReward(t, c)
	for _, line := range []string{
		`{"@message": 42}`, `{"@message": null, "@level": []}`,
		`{"@message": "deep", "@level": "warn", "@timestamp": {"no": "time"}, "step": 3}`,
		`{"@message"`, `[1, 2]`, "", "\x00\xff\xfe", "[ERROR] plain", "half a character \xe2\x82",
	} {
		command(t, p, "log "+line)
	}
	command(t, p, "log the end")
	until(t, "the last line", func() bool { return strings.Contains(log.String(), "the end") })
	for _, want := range []string{
		`"level":"INFO","msg":"configured"`, `"run":"run-1"`, // written by sdk.NewLogger
		`"msg":"42"`, `"level":"WARN","msg":"deep"`, `"step":3`, `"level":"ERROR","msg":"[ERROR] plain"`,
	} {
		if !strings.Contains(log.String(), want) {
			t.Errorf("%s is not in the log:\n%s", want, log.String())
		}
	}
}

func TestLog_CannotDriveATerminal(t *testing.T) {
	var log lines
	c := config(t, "plugin")
	c.Log = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	p := startReward(t, c)
	command(t, p, "log \x1b[2Jboo\x1b]0;title\x07 \u202eright to left")
	_, err := p.Reward().Score(t.Context(), callReward("exit 9"))
	explained := p.Explain(err).Error()
	until(t, "the line", func() bool { return strings.Contains(log.String(), "boo") })
	for where, text := range map[string]string{"the error": explained, "the log": log.String()} {
		if strings.ContainsAny(text, "\x1b\x07\u202e") || !strings.Contains(text, "boo") {
			t.Errorf("%s: %q", where, text)
		}
	}
	raw, err := os.ReadFile(c.LogFile)
	if err != nil || !bytes.Contains(raw, []byte("\x1b[2Jboo\x1b]0;title\x07 \u202eright to left\n")) {
		t.Errorf("the log file is not raw: %q (%v)", raw, err)
	}
}

func TestOutput_WithoutNewlinesIsDrained(t *testing.T) {
	c := config(t, "plugin")
	c.Log = nil
	p := startReward(t, c)
	for _, fd := range []string{"1", "2"} {
		within(t, "writing to descriptor "+fd, func() {
			if got := command(t, p, "flood "+fd); got != 20*70_000 {
				t.Errorf("%d bytes were written", got)
			}
		})
	}
	if got := command(t, p, "length four"); got != 4 {
		t.Error("the plugin does not continue")
	}
	p.Kill()
	if info, err := os.Stat(c.LogFile); err != nil || info.Size() < 2*20*70_000 {
		t.Errorf("the log file has %d bytes (%v), want all", info.Size(), err)
	}
}

func TestOutput_IsBounded(t *testing.T) {
	var log lines
	c := config(t, "plugin")
	c.Log, c.Limits.LogBytes = log.logger(), 100_000
	p := startReward(t, c)
	command(t, p, "flood 2")
	command(t, p, "log \nthe end") // the flood has no newline
	until(t, "the end is remembered", func() bool {
		return strings.Contains(strings.Join(p.LastLines(), "\n"),
			"the end")
	})
	p.Kill()
	info, err := os.Stat(c.LogFile)
	if err != nil || info.Size() < 50_000 || info.Size() > 200_000 {
		t.Errorf("the log file has %d bytes (%v), want about 100000", info.Size(), err)
	}
	if !strings.Contains(log.String(), "limit") {
		t.Errorf("the loss is not reported:\n%.2000s", log.String())
	}
}

// Output of a component on either stream must reach its log.
func TestPrint_ReachesTheLog(t *testing.T) {
	var log lines
	c := config(t, "plugin")
	c.Log = log.logger()
	p := startReward(t, c)
	command(t, p, "print to standard output")
	command(t, p, "log to standard error")
	until(t, "both lines", func() bool {
		return strings.Contains(log.String(), "to standard output") && strings.Contains(log.String(), "to standard error")
	})
}

func TestEnvironment_AllowList(t *testing.T) {
	t.Setenv("AWHOST_TEST_SECRET", "hunter2")
	t.Setenv("HF_TOKEN", "hunter2")
	t.Setenv("AWHOST_TEST_PASSED", "yes")
	t.Setenv("PLUGIN_CLIENT_CERT", "of an outer host")
	t.Setenv("PLUGIN_MULTIPLEX_GRPC", "true")
	c := config(t, "plugin")
	c.Run, c.PassEnv = "run-7", []string{"AWHOST_TEST_PASSED", "AWHOST_TEST_UNSET"}
	c.Env["AWHOST_TEST_SET"] = "a=b"
	p := startReward(t, c)
	for entry, want := range map[string]int{
		"AWHOST_TEST_SECRET": 0, "HF_TOKEN": 0, "PLUGIN_CLIENT_CERT": 0, "PLUGIN_MULTIPLEX_GRPC": 0, "AWHOST_TEST_UNSET": 0,
		"AWHOST_TEST_PASSED=yes": 1, "AWHOST_TEST_SET=a=b": 1, "PATH=": 1, "AWHOST_RUN=run-7": 1, "AWHOST_INSTANCE=" +
			p.Name(): 1,
		"PLUGIN_PROTOCOL_VERSIONS=1": 1,
	} {
		if got := command(t, p, "env "+entry); got != want {
			t.Errorf("%s: %d times, want %d", entry, got, want)
		}
	}
}

// When a host is killed, its plugin must end, even if it ignores SIGTERM, and the next host must remove the
// leftovers.
func TestHostKilled_EndsAllProcesses(t *testing.T) {
	for _, plays := range []string{"plugin", "deaf"} {
		t.Run(plays, func(t *testing.T) {
			host := exec.Command(os.Args[0])
			host.Env = append(os.Environ(), envRole+"=host", "AWHOST_TEST_PLAYS="+plays)
			host.Stderr = t.Output()
			out, err := host.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := host.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = host.Process.Kill() })
			var pid int
			var sockets string
			if _, err := fmt.Fscanln(out, &pid, &sockets); err != nil {
				t.Fatal(err)
			}
			plugin := identify(t, pid)
			if err := host.Process.Kill(); err != nil {
				t.Fatal(err)
			}
			_ = host.Wait() // it was killed
			awaitExit(t, "the plugin of a killed host", plugin)
			next, err := process.NewSocketDir()
			if err != nil {
				t.Fatal(err)
			}
			if err := process.RemoveSocketDir(next); err != nil {
				t.Error(err)
			}
			if left, err := os.ReadDir(sockets); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s is still there with %v (%v)", sockets, left, err)
			}
		})
	}
}

// This test starts the plugin directly, without the kernel's death signal on Linux, and closes its standard input.
func TestServe_EndsWithItsLifeline(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tls")
	authority, err := mtls.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := authority.Issue("by hand", dir); err != nil {
		t.Fatal(err)
	}
	plugin := exec.Command(os.Args[0])
	plugin.Env = append(os.Environ(), envRole+"=deaf", sdk.EnvTLSDir+"="+dir, "PLUGIN_PROTOCOL_VERSIONS=1",
		fmt.Sprintf("%s=%s", sdk.Handshake.MagicCookieKey, sdk.Handshake.MagicCookieValue))
	lifeline, err := plugin.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := plugin.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := plugin.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = plugin.Process.Kill() })
	handshake, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || !strings.HasPrefix(handshake, "1|1|unix|") {
		t.Fatalf("handshake %q, %v", handshake, err)
	}
	if path := strings.Split(handshake, "|")[3]; path != "" {
		t.Cleanup(func() { _ = os.Remove(path) })
	}
	if err := lifeline.Close(); err != nil {
		t.Fatal(err)
	}
	within(t, "the plugin whose lifeline ended", func() { _ = plugin.Wait() })
	if code := plugin.ProcessState.ExitCode(); code != 3 {
		t.Errorf("it exited with %d, want 3", code)
	}
}

// This test runs the command that a catalog runs.
func TestDescribe_NeedsNoHost(t *testing.T) {
	describe := exec.CommandContext(t.Context(), os.Args[0], "describe")
	describe.Env = append(os.Environ(), envRole+"=plugin")
	text, err := describe.Output()
	if err != nil {
		t.Fatal(err)
	}
	description, err := sdk.ParseDescription(text)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok := description.Component(sdk.KindReward, "obedient"); !ok {
		t.Errorf("the reward is not in %+v", description)
	}
}

// A plugin that a user starts must explain itself.
func TestServe_ByHandPrintsUsage(t *testing.T) {
	var stderr bytes.Buffer
	plugin := exec.CommandContext(t.Context(), os.Args[0])
	plugin.Env, plugin.Stderr = append(os.Environ(), envRole+"=plugin"), &stderr
	if err := plugin.Run(); err == nil || plugin.ProcessState.ExitCode() != 1 {
		t.Errorf("it ended with %v, want status 1", err)
	}
	for _, want := range []string{"test 1.2.3", "plugin of awhost", "awhost apply", "describe"} {
		if !strings.Contains(stderr.String(), want) {
			t.Errorf("%q is not in: %s", want, stderr.String())
		}
	}
}
