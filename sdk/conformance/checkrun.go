package conformance

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/debug"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"google.golang.org/genproto/googleapis/rpc/code"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
	"github.com/awhost/awhost/sdk/schema"
)

// T is a run of one check, against the plugin or one of its components.
type T struct {
	suite     *suite
	ctx       context.Context
	component *component       // nil if the plugin itself is checked
	started   []*client.Plugin // by this check only
	failures  []string
	remedy    string // overrides the check's remedy
	skipped   string

	mu       sync.Mutex
	cleanups []func()
	open     []*episode // in the order of their opening
}

// stop is the panic that ends a check from within.
type stop struct{}

func (t *T) errorf(format string, args ...any) {
	for i, arg := range args {
		if err, ok := arg.(error); ok {
			args[i] = sdk.DescribeError(err)
		}
	}
	t.failures = append(t.failures, fmt.Sprintf(format, args...))
}

func (t *T) fatalf(format string, args ...any) {
	t.errorf(format, args...)
	panic(stop{})
}

// skipf ends a check that has nothing to inspect. The reason states what is missing.
func (t *T) skipf(format string, args ...any) {
	t.skipped = fmt.Sprintf(format, args...)
	panic(stop{})
}

// need ends the check if its preparation failed because the plugin could not be brought into the check's initial state.
func (t *T) need(err error, what string) {
	if err == nil {
		return
	}
	reason, remedy := explainStart(err)
	t.remedy = remedy
	t.fatalf("%s: %s", what, reason)
}

func (t *T) cleanup(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.cleanups = append(t.cleanups, f)
}

// play runs a check and returns its outcome.
func (t *T) play(check *Check) (status Status, reason string) {
	defer func() {
		for i := len(t.cleanups) - 1; i >= 0; i-- {
			t.cleanups[i]()
		}
	}()
	func() {
		defer func() {
			r := recover()
			if _, ours := r.(stop); r != nil && !ours {
				t.errorf("the suite itself failed, which is a bug in awhost: %v\n%s", r, debug.Stack())
			}
		}()
		check.run(t)
	}()
	if len(t.failures) > 0 {
		if how := t.crashReport(); how != "" {
			t.errorf("%s", how)
		}
	}
	switch {
	case len(t.failures) > 0:
		return Failed, strings.Join(t.failures, "\n")
	case t.skipped != "":
		return Skipped, t.skipped
	}
	return Passed, ""
}

// start starts a plugin process for this check only.
func (t *T) start() *client.Plugin {
	return t.startAs(startSettings{})
}

// startAs starts a process with its own settings.
func (t *T) startAs(how startSettings) *client.Plugin {
	p, err := t.suite.startAs(t.ctx, how)
	t.need(err, "start the plugin")
	t.started = append(t.started, p)
	t.cleanup(p.Kill)
	return p
}

// fresh starts a process and configures the component in it.
func (t *T) fresh() *client.Plugin {
	p := t.start()
	t.need(t.suite.configure(t.ctx, p, t.component), "configure the component")
	return p
}

// shared returns a process with the configured component, which checks use one after another. A check that ends its
// process uses a new one.
func (t *T) shared() *client.Plugin {
	p, err := t.suite.shared(t.ctx, t.component)
	t.need(err, "start and configure the component")
	return p
}

// hungLimit is the time limit of a call after an earlier call of the component has reached its limit. Otherwise the
// checks of a component that hangs would take hours.
const hungLimit = 10 * time.Second

// call returns a context with the deadline for one call.
func (t *T) call() context.Context {
	limit := t.suite.config.CallTimeout
	if t.component != nil && t.component.hangs.Load() {
		limit = min(limit, hungLimit)
	}
	return t.within(limit)
}

// sees records whether a call reached its time limit, and returns its error.
func (t *T) sees(err error) error {
	if status.Code(err) == codes.DeadlineExceeded {
		t.component.hangs.Store(true)
	}
	return err
}

// within returns a context for one call with a time limit from the protocol.
func (t *T) within(limit time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(t.ctx, limit)
	t.cleanup(cancel)
	return ctx
}

// refused checks that an error is a status with one of the given codes.
func (t *T) refused(err error, what string, allowed ...codes.Code) {
	if err == nil {
		t.errorf("%s was accepted; want the status %s", what, oneOf(allowed))
		return
	}
	got := status.Code(err)
	for _, code := range allowed {
		if got == code {
			return
		}
	}
	t.errorf("%s returned %s (%s); want the status %s", what, name(got), status.Convert(err).Message(), oneOf(allowed))
}

func oneOf(list []codes.Code) string {
	names := make([]string, len(list))
	for i, code := range list {
		names[i] = name(code)
	}
	return strings.Join(names, " or ")
}

// name returns the name of a code in the protocol documentation, such as NOT_FOUND.
func name(c codes.Code) string { return code.Code(c).String() }

// component is one of the plugin's components together with its fixtures.
type component struct {
	*awhostv1.Component
	kind    string // "environment", …
	schema  schema.Block
	fixture ComponentFixture
	config  json.RawMessage // complete by the schema; used by every check
	problem error           // why the configuration is missing

	hangs *atomic.Bool // a call did not return in time

	trained      *stage // of an adapter, for all checks that inspect it; nil: not trained yet
	trainProblem error  // why the training failed
	failingStage *failingStage
	resumed      *stage     // by resumedStage
	endurance    *endurance // of an environment or a reward; nil: not played yet
}

func (c *component) address() string { return c.kind + "." + c.GetType() }

// environmentOf, rewardOf, adapterOf, agentOf, and pluginOf return clients for a process's services.
func environmentOf(p *client.Plugin) awhostv1.EnvironmentServiceClient {
	return awhostv1.NewEnvironmentServiceClient(p.Conn())
}

func rewardOf(p *client.Plugin) awhostv1.RewardServiceClient {
	return awhostv1.NewRewardServiceClient(p.Conn())
}

func adapterOf(p *client.Plugin) awhostv1.AdapterServiceClient {
	return awhostv1.NewAdapterServiceClient(p.Conn())
}

func agentOf(p *client.Plugin) awhostv1.AgentServiceClient {
	return awhostv1.NewAgentServiceClient(p.Conn())
}

func pluginOf(p *client.Plugin) awhostv1.PluginServiceClient {
	return awhostv1.NewPluginServiceClient(p.Conn())
}

// anyCall makes a valid call to the component's service, which can be rejected only because it is too early or too
// late.
func (c *component) anyCall(t *T, p *client.Plugin) error {
	var err error
	switch c.kind {
	case "environment":
		_, err = environmentOf(p).Open(t.call(), &awhostv1.OpenRequest{EpisodeId: "early",
			Task: &awhostv1.Task{Id: "t", PublicJson: []byte("{}")}, Split: awhostv1.Split_SPLIT_TRAIN})
	case "reward":
		_, err = rewardOf(p).Score(t.call(), &awhostv1.ScoreRequest{Items: []*awhostv1.ScoreItem{{EpisodeId: "early",
			Task: &awhostv1.Task{Id: "t", PublicJson: []byte("{}")}}}})
	case "adapter":
		_, err = adapterOf(p).Plan(t.call(), &awhostv1.PlanRequest{})
	case "agent":
		_, err = agentOf(p).Run(t.call(), &awhostv1.RunRequest{
			EpisodeId: "early", Lease: "early", Task: &awhostv1.Task{Id: "t", PublicJson: []byte("{}")},
		})
	}
	return err
}
