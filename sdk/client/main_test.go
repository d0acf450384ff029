package client_test

import (
	"context"
	"fmt"
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

// envRole makes the test binary play another program: see roles.
const envRole = "AWHOST_TEST_ROLE"

func TestMain(m *testing.M) {
	if play, ok := roles[os.Getenv(envRole)]; ok {
		play()
		os.Exit(0)
	}
	goleak.VerifyTestMain(m)
}

// roles are the programs that the test binary can be.
var roles = map[string]func(){
	"plugin": func() { sdk.Serve(testPlugin()) },
}

// deadline bounds every wait of these tests. It is generous, because the machine may be busy: no test needs it all.
const deadline = 30 * time.Second

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

// config runs the test binary in a role, with directories of its own.
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
			if !strings.HasPrefix(entry.Name(), "owner.") { // whose directory it is
				t.Errorf("%s was left in the socket directory", entry.Name())
			}
		}
		if err := process.RemoveSocketDir(sockets); err != nil {
			t.Error(err)
		}
	})
	return client.Config{
		Name: "test." + strings.ReplaceAll(t.Name(), "/", "."), Command: []string{os.Args[0]}, Authority: authority, SocketDir: sockets,
		Env: map[string]string{envRole: role}, LogFile: filepath.Join(t.TempDir(), "plugin.log"),
		Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelDebug})),
	}
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

// testPlugin answers, and does on request what a plugin must not do.
func testPlugin() sdk.Plugin {
	return sdk.Plugin{
		Name: "test", Version: "1.2.3",
		Environments: []sdk.EnvironmentComponent{{
			Component: sdk.Component{Type: "echo", Description: "Answers with what it hears."},
			New:       func(context.Context, sdk.Setup) (sdk.Environment, error) { return echo{}, nil },
		}},
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{Type: "test", Description: "Does what the answer says."},
			New: func(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
				setup.Log.Info("configured", "run", setup.RunID)
				return obedient{}, nil
			},
		}},
	}
}

type echo struct{}

func (echo) Open(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
	return &sdk.OpenResponse{InstanceID: req.EpisodeID}, nil
}

func (echo) Step(_ context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	return &sdk.StepResponse{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: req.Message.Content}}}, nil
}

func (echo) Close(context.Context, sdk.CloseRequest) (*sdk.CloseResponse, error) { return nil, nil }

// obedient does what the answer of the first item says.
type obedient struct{}

func (obedient) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	out := &sdk.ScoreResponse{}
	for _, item := range req.Items {
		command, argument, _ := strings.Cut(item.FinalAnswer, " ")
		switch command {
		case "panic":
			panic(argument)
		case "log":
			fmt.Fprintln(os.Stderr, argument)
		case "wait":
			<-ctx.Done()
			return nil, ctx.Err()
		case "crash":
			fmt.Fprintln(os.Stderr, argument)
			go func() { panic("lost my mind") }()
			<-ctx.Done()
		case "env":
			out.Items = append(out.Items, sdk.Scored{Score: float64(len(os.Getenv(argument)))})
			continue
		}
		out.Items = append(out.Items, sdk.Scored{Score: float64(len(item.FinalAnswer))})
	}
	return out, nil
}

func say(text string) sdk.ScoreRequest {
	return sdk.ScoreRequest{Items: []sdk.ScoreItem{{FinalAnswer: text}}}
}
