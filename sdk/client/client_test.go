//go:build unix

package client_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
)

// This test covers the complete lifecycle of a plugin.
func TestPlugin_Lifecycle(t *testing.T) {
	c := config(t, "plugin")
	c.Grace = deadline // it needs no shorter grace, unlike most plugins of these tests
	p := start(t, c)
	description, err := p.Describe(t.Context())
	if err != nil || description.Name != "test" || description.Version != "1.2.3" {
		t.Fatalf("describe: %+v, %v", description, err)
	}
	configured(t, p)
	if got := command(t, p, "length four"); got != 4 {
		t.Errorf("the plugin answered %d, want 4", got)
	}
	if err := p.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	var progress []string
	if err := p.Stop(t.Context(), deadline, "the test has ended",
		func(s string) { progress = append(progress, s) }); err != nil {
		t.Errorf("stop: %v", err)
	}
	if diff := cmp.Diff([]string{"checkpoint 1/2", "checkpoint 2/2"}, progress); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	exit := p.Exit()
	if exit == nil {
		t.Fatal("the process runs after Stop")
	}
	if exit.Code != 0 || exit.Signal != "" {
		t.Errorf("a plugin did not exit on request: %v", exit)
	}
	if err := syscall.Kill(p.PID(), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the process is still there: %v", err)
	}
	if _, err := p.Reward().Score(t.Context(), callReward("length x")); !errors.Is(err, sdk.ErrUnavailable) {
		t.Errorf("a call after Stop: %v", err)
	}
}

// A start must create files only in the socket directory, which is cleaned up after a host that was killed meanwhile.
func TestStart_StaysInTheSocketDirectory(t *testing.T) {
	c := config(t, "plugin")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	startReward(t, c)
}

func TestPlugin_PanicFailsTheCallOnly(t *testing.T) {
	p := startReward(t, config(t, "plugin"))
	_, err := p.Reward().Score(t.Context(), callReward("panic out of cheese"))
	if status.Code(err) != codes.Internal || !strings.Contains(err.Error(), "out of cheese") ||
		!strings.Contains(err.Error(), "roles_test.go") {
		t.Errorf("want Internal with the message and the stack, got %v", err)
	}
	if got := command(t, p, "length four"); got != 4 {
		t.Error("the plugin does not continue")
	}
}

// calling starts a call that waits, and returns the channel for its error.
func calling(t *testing.T, p *client.Plugin) <-chan error {
	t.Helper()
	result := make(chan error, 1)
	go func() {
		_, err := p.Reward().Score(context.Background(), callReward("wait"))
		result <- err
	}()
	return result
}

func TestPlugin_KilledErrorNamesCause(t *testing.T) {
	p := startReward(t, config(t, "plugin"))
	command(t, p, "log the last words")
	call := calling(t, p)
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	var err error
	within(t, "a call to a killed plugin", func() { err = <-call })
	if !errors.Is(err, sdk.ErrUnavailable) {
		t.Errorf("want ErrUnavailable, got %v", err)
	}
	explained := p.Explain(err)
	var exit *process.Exit
	if !errors.Is(explained, sdk.ErrUnavailable) || !errors.As(explained, &exit) {
		t.Fatalf("not explained: %v", explained)
	}
	for _, want := range []string{"killed", "the last words", "plugin.log"} {
		if !strings.Contains(explained.Error(), want) {
			t.Errorf("%q is missing in: %v", want, explained)
		}
	}
	if _, err := p.Reward().Score(t.Context(), callReward("length x")); !errors.Is(err, sdk.ErrUnavailable) {
		t.Errorf("a call after the death: %v", err)
	}
}

func TestPlugin_CrashShowsThePanic(t *testing.T) {
	p := startReward(t, config(t, "plugin"))
	_, err := p.Reward().Score(t.Context(), callReward("crash lost my marbles"))
	explained := p.Explain(err)
	if !errors.Is(explained, sdk.ErrUnavailable) || !strings.Contains(explained.Error(), "lost my marbles") {
		t.Errorf("the panic is not in: %v", explained)
	}
	if exit := p.Exit(); exit == nil || exit.Code != 2 || !strings.Contains(exit.PanicHead, "lost my marbles") {
		t.Errorf("exit: %+v", exit)
	}
}

func TestPlugin_ExitShowsTheStatus(t *testing.T) {
	p := startReward(t, config(t, "plugin"))
	_, err := p.Reward().Score(t.Context(), callReward("exit 9"))
	if explained := p.Explain(err); !errors.Is(explained, sdk.ErrUnavailable) ||
		!strings.Contains(explained.Error(), "status 9") {
		t.Errorf("the status is not in: %v", explained)
	}
}

// The end of a plugin must not be mistaken for a cancellation by the caller.
func TestPlugin_KillEndsItsCalls(t *testing.T) {
	p := startReward(t, config(t, "plugin"))
	call := calling(t, p)
	command(t, p, "length x") // the call before has reached the plugin, or will find it gone
	within(t, "Kill", p.Kill)
	var err error
	within(t, "a call during Kill", func() { err = <-call })
	if !errors.Is(err, sdk.ErrUnavailable) {
		t.Errorf("want ErrUnavailable, got %v", err)
	}
	within(t, "a second Kill", p.Kill)
}

// BenchmarkStart measures the time from the start to the first answered call of the component.
func BenchmarkStart(b *testing.B) {
	c := config(b, "plugin")
	c.Log = nil
	for b.Loop() {
		p := startReward(b, c)
		command(b, p, "length four")
		b.StopTimer()
		p.Kill()
		b.StartTimer()
	}
}
