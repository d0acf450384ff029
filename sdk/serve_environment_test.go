package sdk_test

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
	"github.com/awhost/awhost/sdk/sdktest"
)

func open(t *testing.T, e sdk.Environment, episode string) *sdk.OpenResponse {
	t.Helper()
	out, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: episode, Task: task(), Split: sdk.SplitTrain})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func step(t *testing.T, e sdk.Environment, episode, id string) (*sdk.StepResponse, error) {
	t.Helper()
	return e.Step(t.Context(), sdk.StepRequest{EpisodeID: episode, StepID: id})
}

// countingEnvironment returns an environment that answers each step with its number.
func countingEnvironment(done int) *environment {
	var n int
	return &environment{step: func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) {
		n++
		return &sdk.StepResponse{Messages: []sdk.Message{{Role: sdk.RoleUser, Content: string(rune('0' + n))}},
			Done: n == done}, nil
	}}
}

func TestEnvironment_RepeatsRecordedStepResponse(t *testing.T) {
	e := serveEnvironment(t, countingEnvironment(2), sdk.EnvironmentCapabilities{})
	open(t, e, "e1")
	for _, call := range []struct{ id, want string }{{"a", "1"}, {"a", "1"}, {"b", "2"}, {"b", "2"}} {
		out, err := step(t, e, "e1", call.id)
		if err != nil || out.Messages[0].Content != call.want {
			t.Errorf("step %s: %+v, %v; want %s", call.id, out, err, call.want)
		}
	}
	if _, err := step(t, e, "e1", "c"); status.Code(err) != codes.FailedPrecondition {
		t.Errorf("a step after done: %v", err)
	}
	if out := open(t, e, "e1"); out == nil {
		t.Fatal("no answer")
	}
	if out, err := step(t, e, "e1", "b"); err != nil || out.Messages[0].Content != "3" {
		t.Errorf("a step after the episode was reopened: %+v, %v", out, err)
	}
}

func TestEnvironment_RejectsUnknownEpisodes(t *testing.T) {
	fails := false
	e := serveEnvironment(t, &environment{open: func(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
		if fails {
			return nil, &sdk.Failure{Class: sdk.FailureEnvironment, Detail: "no room", Retryable: true}
		}
		return &sdk.OpenResponse{InstanceID: req.EpisodeID}, nil
	}}, sdk.EnvironmentCapabilities{})
	if _, err := step(t, e, "never opened", "a"); !errors.Is(err, sdk.ErrSessionLost) {
		t.Errorf("an unknown episode: %v", err)
	}
	open(t, e, "closed")
	for range 2 {
		if _, err := e.Close(t.Context(), sdk.CloseRequest{EpisodeID: "closed"}); err != nil {
			t.Errorf("close: %v", err)
		}
	}
	if _, err := step(t, e, "closed", "a"); !errors.Is(err, sdk.ErrSessionLost) {
		t.Errorf("a closed episode: %v", err)
	}
	fails = true
	var failure *sdk.Failure
	if _, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "failed", Task: task()}); !errors.As(err, &failure) {
		t.Errorf("open: %v", err)
	} else if diff := cmp.Diff(&sdk.Failure{Class: sdk.FailureEnvironment, Detail: "no room", Retryable: true},
		failure); diff != "" {
		t.Errorf("the failure (-want +got):\n%s", diff)
	}
	if _, err := step(t, e, "failed", "a"); !errors.Is(err, sdk.ErrSessionLost) {
		t.Errorf("an episode that was not opened: %v", err)
	}
}

func TestEnvironment_WithholdsThePrivatePart(t *testing.T) {
	for name, needs := range map[string][]sdk.Need{"without need": nil, "with need": {sdk.NeedGroundTruth}} {
		t.Run(name, func(t *testing.T) {
			var got sdk.Task
			e := serveEnvironment(t, &environment{open: func(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
				got = req.Task
				return &sdk.OpenResponse{}, nil
			}}, sdk.EnvironmentCapabilities{Needs: needs})
			open(t, e, "e1")
			want := task()
			if needs == nil {
				want.Private = nil
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// A sibling's need must not open the private part.
func TestEnvironment_NeedsAreTheComponentsOwn(t *testing.T) {
	var got sdk.Task
	curious := sdk.EnvironmentComponent{
		Component: sdk.Component{Type: "curious"}, Capabilities: sdk.EnvironmentCapabilities{Needs: []sdk.Need{sdk.NeedGroundTruth}},
		New: func(context.Context, sdk.Setup) (sdk.Environment, error) { return &environment{}, nil },
	}
	modest := sdk.EnvironmentComponent{
		Component: sdk.Component{Type: "modest"},
		New: func(context.Context, sdk.Setup) (sdk.Environment, error) {
			return &environment{open: func(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
				got = req.Task
				return &sdk.OpenResponse{}, nil
			}}, nil
		},
	}
	plugin := sdk.Plugin{Name: "test", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{curious, modest}}
	open(t, sdktest.Environment(t, plugin, "modest", nil), "e1")
	if got.Private != nil {
		t.Errorf("got %s", got.Private)
	}
}

// A block's attribute must enable the ground truth on both sides, the host's and the plugin's.
func TestEnvironment_GroundTruthAttribute(t *testing.T) {
	for config, want := range map[string]bool{`{}`: false, `{"truth": false}`: false, `{"truth": true}`: true} {
		var got sdk.Task
		var fields map[string]any
		if err := json.Unmarshal([]byte(config), &fields); err != nil {
			t.Fatal(err)
		}
		plugin := sdk.Plugin{Name: "test", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{{
			Component: sdk.Component{
				Type: "curious", Schema: schema.Block{Attributes: []schema.Attribute{schema.Bool("truth", "")}},
			},
			Capabilities: sdk.EnvironmentCapabilities{GroundTruthAttribute: "truth"},
			New: func(context.Context, sdk.Setup) (sdk.Environment, error) {
				return &environment{open: func(_ context.Context, req sdk.OpenRequest) (*sdk.OpenResponse, error) {
					got = req.Task
					return &sdk.OpenResponse{}, nil
				}}, nil
			},
		}}}
		description := plugin.Describe()
		described, _ := description.Component(sdk.KindEnvironment, "curious")
		declared := slices.Contains(described.For(json.RawMessage(config)).Environment.Needs, sdk.NeedGroundTruth)
		open(t, sdktest.Environment(t, plugin, "curious", fields), "e1")
		if declared != want || (got.Private != nil) != want {
			t.Errorf("%s: declared %t, got %s, want %t", config, declared, got.Private, want)
		}
		if len(described.Environment.Needs) > 0 {
			t.Errorf("%s changed the description: %v", config, described.Environment.Needs)
		}
	}
}

func TestEnvironment_RejectsInvalidResponses(t *testing.T) {
	number := math.Inf(1)
	for name, test := range map[string]struct {
		environment environment
		want        string
	}{
		"two tools with one name": {environment{open: func(context.Context, sdk.OpenRequest) (*sdk.OpenResponse, error) {
			return &sdk.OpenResponse{Tools: []sdk.Tool{{Name: "add"}, {Name: "add"}}}, nil
		}}, `two tools named "add"`},
		"a tool without a name": {environment{open: func(context.Context, sdk.OpenRequest) (*sdk.OpenResponse, error) {
			return &sdk.OpenResponse{Tools: []sdk.Tool{{}}}, nil
		}}, "without a name"},
		"a clash after a step": {environment{step: func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) {
			return &sdk.StepResponse{ToolsChanged: true, Tools: []sdk.Tool{{Name: "a"}, {Name: "a"}}}, nil
		}}, `two tools named "a"`},
		"an infinite turn reward": {environment{step: func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) {
			return &sdk.StepResponse{TurnReward: &number}, nil
		}}, "turn reward is +Inf"},
		"an infinite metric": {environment{step: func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) {
			return &sdk.StepResponse{Metrics: map[string]float64{"load": number}}, nil
		}}, "metric load is +Inf"},
		"a panic": {environment{step: func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) { panic("ouch") }},
			"panicked: ouch"},
	} {
		t.Run(name, func(t *testing.T) {
			e := serveEnvironment(t, &test.environment, sdk.EnvironmentCapabilities{})
			_, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e1", Task: task()})
			if err == nil {
				_, err = step(t, e, "e1", "a")
			}
			if status.Code(err) != codes.Internal || !strings.Contains(err.Error(), test.want) {
				t.Errorf("want Internal with %q, got %v", test.want, err)
			}
		})
	}
}

func TestEnvironment_RefusesCallsWithoutKeys(t *testing.T) {
	e := serveEnvironment(t, &environment{}, sdk.EnvironmentCapabilities{})
	if _, err := e.Open(t.Context(), sdk.OpenRequest{}); status.Code(err) != codes.InvalidArgument {
		t.Errorf("open: %v", err)
	}
	open(t, e, "e1")
	if _, err := step(t, e, "e1", ""); status.Code(err) != codes.InvalidArgument {
		t.Errorf("step: %v", err)
	}
}

// The calls of an episode must run one at a time, also if the caller of the first has given up.
func TestEnvironment_SerializesCallsOfAnEpisode(t *testing.T) {
	var running atomic.Int32
	entered, leave := make(chan string, 10), make(chan struct{})
	stubborn := func(name string) error {
		if running.Add(1) > 1 {
			t.Error("two concurrent calls of one episode")
		}
		entered <- name
		if name == "step" {
			<-leave // even if the call is canceled
		}
		running.Add(-1)
		return nil
	}
	e := serveEnvironment(t, &environment{
		step: func(context.Context, sdk.StepRequest) (*sdk.StepResponse, error) {
			return &sdk.StepResponse{}, stubborn("step")
		},
		close: func(context.Context, sdk.CloseRequest) (*sdk.CloseResponse, error) {
			return &sdk.CloseResponse{}, stubborn("close")
		},
	}, sdk.EnvironmentCapabilities{})
	open(t, e, "e1")
	ctx, cancel := context.WithCancel(t.Context())
	stepped := make(chan error, 1)
	go func() {
		_, err := e.Step(ctx, sdk.StepRequest{EpisodeID: "e1", StepID: "a"})
		stepped <- err
	}()
	receive(t, "the step", entered)
	cancel()
	if err := receive(t, "the canceled step", stepped); !errors.Is(err, context.Canceled) {
		t.Errorf("step: %v", err)
	}
	open(t, e, "e2") // another episode is not blocked
	closed := make(chan error, 1)
	go func() {
		_, err := e.Close(context.Background(), sdk.CloseRequest{EpisodeID: "e1"})
		closed <- err
	}()
	select {
	case name := <-entered:
		t.Errorf("%s came before the step had finished", name)
	case err := <-closed:
		t.Errorf("close returned before the step had finished: %v", err)
	default:
	}
	close(leave)
	if err := receive(t, "close", closed); err != nil {
		t.Errorf("close: %v", err)
	}
}

// snapshotEnvironment is an environment with every optional interface.
type snapshotEnvironment struct{ environment }

func (*snapshotEnvironment) Snapshot(_ context.Context, episode string) (json.RawMessage, error) {
	return json.Marshal(map[string]string{"episode": episode})
}

func (*snapshotEnvironment) Tasks(_ context.Context, split sdk.Split, cursor int, yield func(sdk.Task) bool) error {
	for _, id := range []string{"a", "b", "c", "d"}[cursor:] {
		if !yield(sdk.Task{ID: string(split) + "/" + id, Public: json.RawMessage(`{}`)}) {
			return nil
		}
	}
	return nil
}

func TestEnvironment_Extras(t *testing.T) {
	e := serveEnvironment(t, &snapshotEnvironment{}, sdk.EnvironmentCapabilities{Snapshot: true, Tasks: true})
	snapshots := e.(sdk.EnvironmentWithSnapshot)
	if _, err := snapshots.Snapshot(t.Context(), "e1"); !errors.Is(err, sdk.ErrSessionLost) {
		t.Errorf("a snapshot of an unknown episode: %v", err)
	}
	open(t, e, "e1")
	state, err := snapshots.Snapshot(t.Context(), "e1")
	if err != nil || string(state) != `{"episode":"e1"}` {
		t.Errorf("snapshot: %s, %v", state, err)
	}
	var ids []string
	if err := e.(sdk.EnvironmentWithTasks).Tasks(t.Context(), sdk.SplitValidation, 1, func(task sdk.Task) bool {
		ids = append(ids, task.ID)
		return len(ids) < 2
	}); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff([]string{"validation/b", "validation/c"}, ids); diff != "" {
		t.Errorf("tasks (-want +got):\n%s", diff)
	}

	plain := serveEnvironment(t, &environment{}, sdk.EnvironmentCapabilities{})
	open(t, plain, "e1")
	if _, err := plain.(sdk.EnvironmentWithSnapshot).Snapshot(t.Context(), "e1"); status.Code(err) != codes.Unimplemented {
		t.Errorf("a snapshot of an environment without: %v", err)
	}
}

func TestEnvironment_ImplementsDeclaredCapabilities(t *testing.T) {
	in, err := sdk.ServeInProcess(sdk.Plugin{Name: "test", Version: "1.0.0", Environments: []sdk.EnvironmentComponent{{
		Component: sdk.Component{Type: "fake"}, Capabilities: sdk.EnvironmentCapabilities{Snapshot: true},
		New: func(context.Context, sdk.Setup) (sdk.Environment, error) { return &environment{}, nil },
	}}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	problems, err := in.Configure(t.Context(), sdk.ConfigureRequest{Kind: sdk.KindEnvironment, Type: "fake"})
	if err != nil || len(problems) != 1 || !strings.Contains(problems[0].Detail, "no method Snapshot") {
		t.Errorf("%+v, %v", problems, err)
	}
}
