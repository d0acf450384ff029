//go:build unix

package client_test

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// envRole makes the test binary run as another program: see roles.
const envRole = "AWHOST_TEST_ROLE"

func TestMain(m *testing.M) {
	if play, ok := roles[os.Getenv(envRole)]; ok {
		play()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// deadline bounds every wait of these tests. It is generous, because the machine may be busy: no test uses all of it.
const deadline = 30 * time.Second

// grace is the grace period of a plugin that does not use it.
const grace = 300 * time.Millisecond

// within fails the test if f does not return: the tested defects block forever.
func within(t testing.TB, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() {
		defer close(done)
		f()
	}()
	select {
	case <-done:
	case <-time.After(deadline):
		t.Fatalf("%s: still blocked after %s", what, deadline)
	}
}

// until polls a condition.
func until(t testing.TB, what string, condition func() bool) {
	t.Helper()
	end := time.Now().Add(deadline)
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !condition() {
		if time.Now().After(end) {
			t.Fatalf("%s: not within %s", what, deadline)
		}
		<-tick.C
	}
}

// config returns a configuration that runs the test binary in a role, with new directories.
func config(t testing.TB, role string) client.Config {
	t.Helper()
	authority, err := mtls.NewAuthority()
	if err != nil {
		t.Fatal(err)
	}
	sockets, err := process.NewSocketDir()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		left, err := os.ReadDir(sockets)
		if err != nil {
			t.Error(err)
		}
		for _, entry := range left {
			if !strings.HasPrefix(entry.Name(), "owner.") { // owner of the directory
				t.Errorf("%s was left in the socket directory", entry.Name())
			}
		}
		if err := process.RemoveSocketDir(sockets); err != nil {
			t.Error(err)
		}
	})
	return client.Config{
		Name: "test." + strings.ReplaceAll(t.Name(), "/", "."), Command: []string{os.Args[0]}, Authority: authority,
		SocketDir: sockets,
		Env:       map[string]string{envRole: role}, LogFile: filepath.Join(t.TempDir(), "plugin.log"),
		Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug})), Grace: grace,
	}
}

// startReward runs the plugin and configures its component.
func startReward(t testing.TB, c client.Config) *client.Plugin {
	t.Helper()
	p := start(t, c)
	configured(t, p)
	return p
}

func configured(t testing.TB, p *client.Plugin) {
	t.Helper()
	problems, err := p.Configure(t.Context(), sdk.ConfigureRequest{Kind: sdk.KindReward, Type: "obedient", RunID: "run-1",
		Incarnation: 1, Dir: t.TempDir()})
	if err != nil || len(problems) > 0 {
		t.Fatalf("configure: %v %v", problems, err)
	}
}

// command sends the plugin a command and returns its answer.
func command(t testing.TB, p *client.Plugin, command string) int {
	t.Helper()
	out, err := p.Reward().Score(t.Context(), callReward(command))
	if err != nil {
		t.Fatalf("%s: %v", command, p.Explain(err))
	}
	return int(out.Items[0].Score)
}

func callReward(command string) sdk.ScoreRequest {
	return sdk.ScoreRequest{Items: []sdk.ScoreItem{{FinalAnswer: command}}}
}

// identify identifies a process beyond the reuse of its pid.
func identify(t testing.TB, pid int) process.Identity {
	t.Helper()
	id, err := process.IdentityOf(pid)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

// awaitExit waits until a process has ended.
func awaitExit(t testing.TB, what string, id process.Identity) {
	t.Helper()
	until(t, what+" has exited", func() bool { return !process.Alive(id) })
}

func start(t testing.TB, c client.Config) *client.Plugin {
	t.Helper()
	p, err := client.Start(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Kill)
	return p
}
