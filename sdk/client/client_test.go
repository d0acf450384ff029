package client_test

import (
	"context"
	"errors"
	"strings"
	"syscall"
	"testing"
	"time"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
)

func configured(t testing.TB, p *client.Plugin, kind sdk.ComponentKind, typ string) {
	t.Helper()
	problems, err := p.Configure(t.Context(), sdk.ConfigureRequest{Kind: kind, Type: typ, RunID: "run-1", Incarnation: 1, Dir: t.TempDir()})
	if err != nil || len(problems) > 0 {
		t.Fatalf("configure: %v %v", problems, err)
	}
}

// TestPlugin_Lives goes once through the life of a plugin.
func TestPlugin_Lives(t *testing.T) {
	p := start(t, config(t, "plugin"))
	description, err := p.Describe(t.Context())
	if err != nil || description.Name != "test" || description.Version != "1.2.3" {
		t.Fatalf("describe: %+v, %v", description, err)
	}
	configured(t, p, sdk.KindReward, "test")
	out, err := p.Reward().Score(t.Context(), say("four"))
	if err != nil || len(out.Items) != 1 || out.Items[0].Score != 4 {
		t.Fatalf("score: %+v, %v", out, err)
	}
	if err := p.Stop(t.Context(), deadline, "the test has ended", func(string) {}); err != nil {
		t.Errorf("stop: %v", err)
	}
	if exit := p.Exit(); exit == nil {
		t.Error("the process runs after Stop")
	}
	if err := syscall.Kill(p.PID(), 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("the process is still there: %v", err)
	}
}

func TestPlugin_PanicFailsTheCallOnly(t *testing.T) {
	p := start(t, config(t, "plugin"))
	configured(t, p, sdk.KindReward, "test")
	_, err := p.Reward().Score(t.Context(), say("panic out of cheese"))
	if status.Code(err) != codes.Internal || !strings.Contains(err.Error(), "out of cheese") || !strings.Contains(err.Error(), "main_test.go") {
		t.Errorf("want Internal with the message and the stack, got %v", err)
	}
	if _, err := p.Reward().Score(t.Context(), say("go on")); err != nil {
		t.Errorf("the plugin does not go on: %v", err)
	}
}

func TestPlugin_KilledExplainsItself(t *testing.T) {
	p := start(t, config(t, "plugin"))
	configured(t, p, sdk.KindReward, "test")
	if _, err := p.Reward().Score(t.Context(), say("log the last words")); err != nil {
		t.Fatal(err)
	}
	until(t, "the line arrives", func() bool { return strings.Contains(strings.Join(p.LastLines(), "\n"), "the last words") })
	called := make(chan error, 1)
	go func() {
		_, err := p.Reward().Score(context.Background(), say("wait"))
		called <- err
	}()
	if err := syscall.Kill(p.PID(), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-called:
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
	case <-time.After(deadline):
		t.Fatal("the call outlives the plugin")
	}
	if _, err := p.Reward().Score(t.Context(), say("anybody")); !errors.Is(err, sdk.ErrUnavailable) {
		t.Errorf("a call after the death: %v", err)
	}
}

// BenchmarkStart measures the way from nothing to the first answered call.
func BenchmarkStart(b *testing.B) {
	c := config(b, "plugin")
	c.Log = nil
	for b.Loop() {
		p, err := client.Start(b.Context(), c)
		if err != nil {
			b.Fatal(err)
		}
		configured(b, p, sdk.KindReward, "test")
		if _, err := p.Reward().Score(b.Context(), say("four")); err != nil {
			b.Fatal(err)
		}
		b.StopTimer()
		p.Kill()
		b.StartTimer()
	}
}
