package plugin_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/awhost/awhost/sdk"
)

// playPlugin is the argument that makes the test binary run as the plugin below.
const playPlugin = "play-plugin"

// playMessages is the variable with the message size that the plugin declares.
const playMessages = "AWHOST_TEST_MESSAGES"

// settings is the configuration of the test plugin's components: their misbehavior.
type settings struct {
	// FailFrom is the number of the first start, counted from 1, in which How is applied in New; 0: never.
	FailFrom int
	How      string // "exit", "hang", "wrong"
	Deaf     bool   // SIGTERM and the request to end are ignored
	OnStop   string // "hang", "note"
}

// testPlugin misbehaves on request.
func testPlugin() sdk.Plugin {
	return sdk.Plugin{
		Name: "test", Version: "1.2.3",
		Rewards: []sdk.RewardComponent{{
			Component: sdk.Component{Type: "obedient"},
			New:       func(ctx context.Context, setup sdk.Setup) (sdk.Reward, error) { return newObedient(ctx, setup) },
		}},
		Environments: []sdk.EnvironmentComponent{{
			Component: sdk.Component{Type: "obedient"}, Capabilities: sdk.EnvironmentCapabilities{Snapshot: true, Tasks: true},
			New: func(ctx context.Context, setup sdk.Setup) (sdk.Environment, error) {
				o, err := newObedient(ctx, setup)
				return environment{o}, err
			},
		}},
		Adapters: []sdk.AdapterComponent{{
			Component: sdk.Component{Type: "obedient"},
			New: func(ctx context.Context, setup sdk.Setup) (sdk.Adapter, error) {
				o, err := newObedient(ctx, setup)
				return adapter{o}, err
			},
		}},
	}
}

type obedient struct {
	settings
	dir string
}

func newObedient(ctx context.Context, setup sdk.Setup) (*obedient, error) {
	o := &obedient{dir: setup.Dir}
	if err := json.Unmarshal(setup.Config, &o.settings); err != nil {
		return nil, err
	}
	if o.Deaf {
		signal.Ignore(syscall.SIGTERM, syscall.SIGINT)
	}
	starts, err := o.countStart()
	if err != nil || o.FailFrom == 0 || starts < o.FailFrom {
		return o, err
	}
	switch o.How {
	case "exit":
		fmt.Fprintf(os.Stderr, "start %d: no module named torch\n", starts)
		os.Exit(42)
	case "hang":
		_ = os.WriteFile(filepath.Join(o.dir, "hangs"), nil, 0o644)
		time.Sleep(10 * time.Minute)
	case "wrong":
		return nil, &sdk.ConfigError{Diagnostics: []sdk.Diagnostic{{Severity: sdk.SeverityError, Summary: "No such model",
			Detail: "take another", Path: []string{"model"}}}}
	}
	return o, nil
}

// countStart counts the processes that were configured with the same directory.
func (o *obedient) countStart() (int, error) {
	f, err := os.OpenFile(filepath.Join(o.dir, "starts"), os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o644)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if _, err := f.WriteString("x"); err != nil {
		return 0, err
	}
	info, err := f.Stat()
	return int(info.Size()), err
}

// Score implements sdk.Reward. It executes the answer of the single item as a command.
func (o *obedient) Score(ctx context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	answer, err := o.obey(ctx, req.Items[0].FinalAnswer)
	if err != nil {
		return nil, err
	}
	return &sdk.ScoreResponse{Items: []sdk.Scored{{Score: float64(answer)}}}, nil
}

func (o *obedient) obey(ctx context.Context, order string) (int, error) {
	command, argument, _ := strings.Cut(order, " ")
	switch command {
	case "pid":
		return os.Getpid(), nil
	case "exit":
		fmt.Fprintln(os.Stderr, "my last words")
		code, err := strconv.Atoi(argument)
		if err == nil {
			os.Exit(code)
		}
		return 0, err
	case "crash":
		go panic(argument)
		<-ctx.Done()
		return 0, ctx.Err()
	case "wait":
		<-ctx.Done()
		return 0, ctx.Err()
	case "ignore": // also the end of its process
		select {}
	case "spin":
		if err := os.WriteFile(filepath.Join(o.dir, "spins"), nil, 0o644); err != nil {
			return 0, err
		}
		for spins := 0; ; spins++ { // blocks all other goroutines: see GODEBUG in the test
		}
	case "busy": // returned by the component, not because its process ended
		return 0, fmt.Errorf("the database is down: %w", sdk.ErrUnavailable)
	case "cut":
		return 0, cutOff()
	}
	return 0, fmt.Errorf("unknown command %q", command)
}

// Stop implements sdk.Stopper.
func (o *obedient) Stop(context.Context, func(string)) error {
	switch o.OnStop {
	case "hang":
		time.Sleep(10 * time.Minute)
	case "note":
		return os.WriteFile(filepath.Join(o.dir, "stopped"), nil, 0o644)
	}
	return nil
}

type environment struct{ *obedient }

// Open implements sdk.Environment.
func (e environment) Open(context.Context, sdk.OpenRequest) (*sdk.OpenResponse, error) {
	return &sdk.OpenResponse{InstanceID: "i-1"}, nil
}

// Step implements sdk.Environment.
func (e environment) Step(ctx context.Context, req sdk.StepRequest) (*sdk.StepResponse, error) {
	_, err := e.obey(ctx, req.Message.Content)
	return &sdk.StepResponse{Done: true}, err
}

// Close implements sdk.Environment.
func (e environment) Close(context.Context, sdk.CloseRequest) (*sdk.CloseResponse, error) {
	return &sdk.CloseResponse{StateDigest: "d"}, nil
}

// Snapshot implements sdk.EnvironmentWithSnapshot.
func (e environment) Snapshot(_ context.Context, episodeID string) (json.RawMessage, error) {
	if size, err := strconv.Atoi(episodeID); err == nil { // the episode's name is the size of the snapshot
		return json.RawMessage(`"` + strings.Repeat("x", size-2) + `"`), nil
	}
	return json.RawMessage(`{"pid":true}`), nil
}

// Tasks implements sdk.EnvironmentWithTasks.
func (e environment) Tasks(_ context.Context, _ sdk.Split, cursor int, yield func(sdk.Task) bool) error {
	for n := cursor; n < 3 && yield(sdk.Task{ID: strconv.Itoa(n)}); n++ {
	}
	return nil
}

type adapter struct{ *obedient }

// Plan implements sdk.Adapter.
func (a adapter) Plan(context.Context, sdk.PlanRequest) (*sdk.PlanResponse, error) {
	return &sdk.PlanResponse{}, nil
}

// Train implements sdk.Adapter. The stage's name is the command.
func (a adapter) Train(ctx context.Context, req sdk.TrainRequest, _ sdk.Host, emit func(sdk.TrainEvent) error) error {
	if err := emit(sdk.TrainEvent{Phase: &sdk.PhaseEvent{Name: "rollout"}}); err != nil {
		return err
	}
	_, err := a.obey(ctx, req.Stage)
	return err
}

// Generate implements sdk.Adapter.
func (a adapter) Generate(context.Context, sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	return nil, fmt.Errorf("there is no model")
}

// Control implements sdk.Adapter.
func (a adapter) Control(context.Context, sdk.ControlRequest) error { return nil }

// Recover implements sdk.AdapterWithRecover.
func (a adapter) Recover(_ context.Context, req sdk.RecoverRequest, _ sdk.Host, emit func(sdk.TrainEvent) error) error {
	return emit(sdk.TrainEvent{Phase: &sdk.PhaseEvent{Name: string(req.Handle)}})
}

// Evaluate implements sdk.AdapterWithEvaluate.
func (a adapter) Evaluate(context.Context, string) error { return nil }

var (
	_ sdk.Reward               = (*obedient)(nil)
	_ sdk.Stopper              = (*obedient)(nil)
	_ sdk.EnvironmentWithTasks = environment{}
	_ sdk.AdapterWithRecover   = adapter{}
	_ sdk.AdapterWithEvaluate  = adapter{}
)
