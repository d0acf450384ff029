package conformance

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/client"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// suite runs the checks for one plugin.
type suite struct {
	config    Config
	fixtures  *Fixtures
	dir       string // sockets, certificates, directories of components
	authority *mtls.Authority
	log       io.Writer

	described     *awhostv1.DescribeResponse
	known         []string // addresses of all its components
	components    []*component
	running       *client.Plugin // the shared process
	configured    *component     // in the shared process
	started       int
	host          *host // for adapters and agents
	launches      int   // number of training runs
	agentEpisodes int   // number of agent episodes
}

func newSuite(c Config, fixtures *Fixtures) (*suite, error) {
	dir, err := process.NewSocketDir()
	if err != nil {
		return nil, fmt.Errorf("create a directory for the plugin's sockets: %w", err)
	}
	authority, err := mtls.NewAuthority()
	if err != nil {
		return nil, errors.Join(err, process.RemoveSocketDir(dir))
	}
	log := c.Log
	if log == nil {
		log = io.Discard
	}
	served, err := serveHost(dir, authority)
	if err != nil {
		return nil, errors.Join(err, process.RemoveSocketDir(dir))
	}
	return &suite{config: c, fixtures: fixtures, dir: dir, authority: authority, log: log, host: served}, nil
}

func (s *suite) close() {
	s.end()
	s.endLeftovers(context.Background(), func(string) bool { return true })
	s.host.close()
	_ = process.RemoveSocketDir(s.dir) // leftovers are removed by the next start
}

// run returns the ID under which the suite starts processes. It is unique while the suite runs.
func (s *suite) run() string { return "conformance-" + filepath.Base(s.dir) }

// endLeftovers ends processes left behind by plugins. Otherwise, a trainer whose adapter was killed would wait for
// another adapter.
func (s *suite) endLeftovers(ctx context.Context, chosen func(instance string) bool) {
	if left, err := process.EndInstances(context.WithoutCancel(ctx), s.run(), chosen); err != nil {
		fmt.Fprintf(s.log, "%v; ended: %v\n", err, left)
	}
}

// end ends the shared process.
func (s *suite) end() {
	if s.running != nil {
		s.running.Kill()
	}
	s.running, s.configured = nil, nil
}

// endBrokenShared ends the shared process unless it still responds, and always if one of its calls hung. A process that
// was broken by a failed check may still be exiting or computing, and the next check must not be blamed for that.
func (s *suite) endBrokenShared(ctx context.Context) {
	if s.running == nil {
		return
	}
	ctx, cancel := context.WithTimeout(ctx, s.config.CallTimeout)
	defer cancel()
	if s.configured.hangs.Load() || s.running.Ping(ctx) != nil {
		s.end()
	}
}

// play runs all selected checks.
func (s *suite) play(ctx context.Context) (*Report, error) {
	limit := fmt.Errorf("the suite's time limit of %s has passed: set a higher one (--timeout)", s.config.Timeout)
	ctx, cancel := context.WithTimeoutCause(ctx, s.config.Timeout, limit)
	defer cancel()
	report := &Report{Command: s.config.Command}
	for _, id := range s.config.Only {
		if !slices.ContainsFunc(Checks(), func(c Check) bool { return isSelected(c.ID, []string{id}) }) {
			return nil, fmt.Errorf("unknown check %s: `awhost plugin test --list` lists all", id)
		}
	}
	problem := s.describe(ctx)
	if problem != nil && !isSelected(processStart, s.config.Only) {
		return nil, fmt.Errorf("describe the plugin: %w", problem)
	}
	if s.described != nil {
		report.Plugin, report.Version, report.SDK = s.described.GetName(), s.described.GetVersion(), s.described.GetSdk()
	}
	if problem == nil {
		if err := s.fixtures.checkComponents(s.known); err != nil {
			return nil, err
		}
	}
	for _, address := range s.config.Components {
		if problem == nil && !slices.ContainsFunc(s.components, func(c *component) bool { return c.address() == address }) {
			return nil, fmt.Errorf("plugin %s has no component %s", report.Plugin, address)
		}
	}
	for _, g := range groups() {
		for _, target := range s.targets(g) {
			s.playGroup(ctx, report, g, target, problem)
			s.end()
		}
	}
	report.Interrupted = context.Cause(ctx)
	return report, nil
}

// targets returns the targets of a group's checks: the plugin, all components, or the components of a kind.
func (s *suite) targets(g group) []*component {
	switch g.prefix {
	case processPrefix:
		return []*component{nil}
	case componentPrefix:
		return s.components
	}
	return slices.DeleteFunc(slices.Clone(s.components), func(c *component) bool { return prefixes[c.kind] != g.prefix })
}

// prefixes lists the prefixes of the groups for each kind.
var prefixes = map[string]string{
	"environment": environmentPrefix, "reward": rewardPrefix, "adapter": adapterPrefix, "agent": agentPrefix,
}

func (s *suite) playGroup(ctx context.Context, report *Report, g group, target *component, problem error) {
	failed := map[string]bool{}
	for i := range g.checks {
		check := &g.checks[i]
		if !isSelected(check.ID, s.config.Only) {
			continue
		}
		r := Result{Check: check}
		if target != nil {
			r.Component = target.address()
		}
		r.Status, r.Reason = s.skips(check, target, failed)
		if ctx.Err() != nil {
			r.Status, r.Reason = Skipped, "it was not run: "+context.Cause(ctx).Error()
		}
		if r.Status == "" {
			if s.config.OnCheck != nil {
				s.config.OnCheck(check, r.Component)
			}
			t, begun := &T{suite: s, ctx: ctx, component: target}, time.Now()
			r.Status, r.Reason = t.play(check)
			r.Duration = time.Since(begun)
			if end, _ := ctx.Deadline(); time.Until(end) < time.Second { // the plugin may observe the deadline first
				<-ctx.Done()
			}
			switch {
			case errors.Is(ctx.Err(), context.DeadlineExceeded):
				r.Status, r.Reason = Failed, fmt.Sprintf("after %s it was still running: %v", r.Duration.Round(time.Millisecond),
					context.Cause(ctx))
			case ctx.Err() != nil:
				r.Status, r.Reason = Skipped, fmt.Sprintf("it was interrupted after %s", r.Duration.Round(time.Millisecond))
			}
			if r.Status == Failed {
				r.Remedy = cmp.Or(t.remedy, check.Remedy)
				s.endBrokenShared(ctx)
			}
		}
		if r.Status == Failed && s.described == nil && problem != nil && check.ID != processStart {
			r.Reason += "\n(the plugin could not be described: " + problem.Error() + ")"
		}
		failed[check.ID] = r.Status == Failed
		report.Results = append(report.Results, r)
	}
}

// skips returns the status and reason of a check that is skipped, or an empty status.
func (s *suite) skips(check *Check, target *component, failed map[string]bool) (Status, string) {
	if target != nil && check.Needs != "" && !target.has(check.Needs) {
		if capability, absent := strings.CutPrefix(string(check.Needs), "not "); absent {
			return Skipped, fmt.Sprintf("%s declares the capability %s", target.address(), capability)
		}
		return Skipped, fmt.Sprintf("%s does not declare the capability %s", target.address(), check.Needs)
	}
	for _, id := range check.After {
		if failed[id] {
			return Skipped, fmt.Sprintf("the prerequisite %s failed", id)
		}
	}
	if target != nil && target.problem != nil && check.ID != configFixture {
		return Skipped, fmt.Sprintf("%s has no configuration: see %s", target.address(), configFixture)
	}
	return "", ""
}

// describe calls Describe and sets up the components.
func (s *suite) describe(ctx context.Context) error {
	p, err := s.start(ctx)
	if err != nil {
		return err
	}
	defer p.Kill()
	ctx, cancel := context.WithTimeout(ctx, s.config.CallTimeout)
	defer cancel()
	if s.described, err = pluginOf(p).Describe(ctx, &awhostv1.DescribeRequest{}); err != nil {
		return err
	}
	for _, c := range s.described.GetComponents() {
		s.known = append(s.known, kindName(c)+"."+c.GetType())
	}
	for _, c := range s.described.GetComponents() {
		kind := kindName(c)
		if only := s.config.Components; len(only) > 0 && !slices.Contains(only, kind+"."+c.GetType()) {
			continue
		}
		made := &component{Component: c, kind: kind, fixture: s.fixtures.of(kind, c.GetType()), hangs: &atomic.Bool{}}
		made.problem = made.complete(ctx, p)
		s.components = append(s.components, made)
	}
	return nil
}

func kindName(c *awhostv1.Component) string {
	return strings.ToLower(strings.TrimPrefix(c.GetKind().String(), "COMPONENT_KIND_"))
}

// complete sets the configuration for checks: the one in the fixtures or an empty one, completed with the schema's
// defaults.
func (c *component) complete(ctx context.Context, p *client.Plugin) error {
	described, err := p.Describe(ctx)
	if err != nil {
		return err
	}
	known, ok := described.Component(sdk.ComponentKind(c.kind), c.GetType())
	if !ok {
		return fmt.Errorf("it does not describe the %s %q", c.kind, c.GetType())
	}
	c.schema = known.Schema
	given := c.fixture.Config
	if len(given) == 0 {
		given = json.RawMessage("{}")
	}
	if c.config, err = known.Schema.Complete(given); err != nil {
		return fmt.Errorf("%s: %w", c.fixture.at("config"), err)
	}
	return nil
}

// start starts a plugin process according to the host's rules.
func (s *suite) start(ctx context.Context) (*client.Plugin, error) {
	return s.startAs(ctx, startSettings{})
}

// startSettings holds the settings for a single process.
type startSettings struct {
	log slog.Handler      // for its lines; nil: the suite's
	env map[string]string // in addition to the configuration's, which take precedence
}

func (s *suite) startAs(ctx context.Context, how startSettings) (*client.Plugin, error) {
	s.started++
	if how.log == nil {
		how.log = slog.NewTextHandler(s.log, nil)
	}
	env := maps.Clone(how.env)
	if env == nil {
		env = map[string]string{}
	}
	maps.Copy(env, s.config.Env)
	return client.Start(ctx, client.Config{
		Name: fmt.Sprintf("conformance.%d", s.started), Run: s.run(), Command: s.config.Command, Dir: s.config.Dir, Env: env,
		PassEnv: s.config.PassEnv, Authority: s.authority, SocketDir: s.dir, StartTimeout: s.config.CallTimeout,
		Log: slog.New(how.log), MaxMessageBytes: s.messageBytes(),
	})
}

// messageBytes returns the size limit for the plugin's messages, which is the declared limit once the plugin has been
// described.
func (s *suite) messageBytes() int {
	return (&sdk.Description{MaxMessageBytes: s.described.GetMaxMessageBytes()}).MessageBytes()
}

// configureRequest returns the request for configuring a component in a process.
func (s *suite) configureRequest(c *component, dir string) *awhostv1.ConfigureRequest {
	req := &awhostv1.ConfigureRequest{
		Kind: c.GetKind(), Type: c.GetType(), Config: &awhostv1.Value{Json: c.config}, RunId: "conformance", Incarnation: 1,
		Directory: dir,
	}
	if c.kind == "adapter" || c.kind == "agent" {
		req.Host = s.host.address()
	}
	return req
}

func (s *suite) configure(ctx context.Context, p *client.Plugin, c *component) error {
	dir, err := os.MkdirTemp(s.dir, "own-")
	if err != nil {
		return err
	}
	return s.configureWith(ctx, p, s.configureRequest(c, dir))
}

func (s *suite) configureWith(ctx context.Context, p *client.Plugin, req *awhostv1.ConfigureRequest) error {
	ctx, cancel := context.WithTimeout(ctx, s.config.CallTimeout)
	defer cancel()
	out, err := pluginOf(p).Configure(ctx, req)
	if err != nil {
		return err
	}
	for _, d := range out.GetDiagnostics() {
		if d.GetSeverity() == awhostv1.Diagnostic_SEVERITY_ERROR {
			return fmt.Errorf("the component rejects its configuration: %s: %s", d.GetSummary(), d.GetDetail())
		}
	}
	return nil
}

// shared returns the process that a component's checks share. The process is restarted after it has exited.
func (s *suite) shared(ctx context.Context, c *component) (*client.Plugin, error) {
	if s.running != nil && s.configured == c && s.running.Exit() == nil {
		return s.running, nil
	}
	s.end()
	p, err := s.start(ctx)
	if err != nil {
		return nil, err
	}
	if err := s.configure(ctx, p, c); err != nil {
		p.Kill()
		return nil, err
	}
	s.running, s.configured = p, c
	return p, nil
}

// has reports whether a component declares a capability.
func (c *component) has(n Need) bool {
	switch n {
	case NeedSnapshot:
		return c.GetEnvironment().GetSnapshot()
	case NeedNoUserTurn:
		return c.GetEnvironment() != nil && !c.GetEnvironment().GetMultiUserTurn()
	case NeedTasks:
		return c.GetEnvironment().GetTasks()
	case NeedDeterminism:
		return c.GetEnvironment().GetDeterministicUnderSeed()
	case NeedBatch:
		return c.GetReward().GetBatchSize() > 1
	case NeedGroups:
		return c.GetReward().GetGroupRelative()
	case NeedPurity:
		return c.GetReward() != nil && !c.GetReward().GetModelJudge()
	case NeedJudge:
		return c.GetReward().GetModelJudge()
	case NeedSmoke:
		return c.GetAdapter().GetSmoke()
	case NeedBarrier:
		return c.GetAdapter().GetStepBarrier()
	case NeedRecover:
		return c.GetAdapter().GetRecover()
	case NeedNoRecover:
		return c.GetAdapter() != nil && !c.GetAdapter().GetRecover()
	case NeedNoEnvironment:
		return c.GetAgent() != nil && !c.GetAgent().GetNeedsEnvironment()
	case NeedConcurrency:
		return c.GetAgent() != nil && c.GetAgent().GetMaxConcurrent() != 1
	case NeedContext:
		return c.GetAdapter().GetMaxContext() > 0
	case NeedResume:
		return c.GetAdapter().GetResume()
	case NeedServe:
		return c.GetAdapter().GetServe()
	case NeedExport:
		return len(c.GetAdapter().GetExportFormats()) > 0
	case NeedRemote:
		return c.GetAdapter().GetRemoteCheckpoints()
	}
	return false
}

// The capabilities that checks require.
const (
	NeedSnapshot      Need = "snapshot"
	NeedTasks         Need = "tasks"
	NeedNoUserTurn    Need = "not multi_user_turn"
	NeedDeterminism   Need = "deterministic_under_seed"
	NeedBatch         Need = "batch_size > 1"
	NeedGroups        Need = "group_relative"
	NeedPurity        Need = "not model_judge"
	NeedJudge         Need = "model_judge"
	NeedSmoke         Need = "smoke"
	NeedBarrier       Need = "step_barrier"
	NeedRecover       Need = "recover"
	NeedNoRecover     Need = "not recover"
	NeedContext       Need = "max_context"
	NeedNoEnvironment Need = "not needs_environment"
	NeedConcurrency   Need = "max_concurrent other than 1"
	NeedResume        Need = "resume"
	NeedServe         Need = "serve"
	NeedExport        Need = "export_formats"
	NeedRemote        Need = "remote_checkpoints"
)
