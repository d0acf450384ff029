package telemetry_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"go.uber.org/goleak"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/host/telemetry"
	"github.com/awhost/awhost/host/telemetry/settings"
	"github.com/awhost/awhost/sdk"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// watched is a running Telemetry with the events that it has published.
type watched struct {
	*telemetry.Telemetry
	mu   sync.Mutex
	said []event.Payload
}

// published returns the events published so far.
func (w *watched) published() []event.Payload {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.said)
}

// start starts telemetry for a test.
func start(t *testing.T, asked settings.Settings) *watched {
	t.Helper()
	return startWith(t, telemetry.Config{Settings: asked, Version: "1.2.3"})
}

func startWith(t *testing.T, config telemetry.Config) *watched {
	t.Helper()
	w := &watched{Telemetry: telemetry.New(config)}
	w.Start(t.Context(), func(p event.Payload) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.said = append(w.said, p)
	})
	t.Cleanup(func() { w.Close(context.Background()) })
	return w
}

// url returns the URL of the metrics from the log line for the user.
func (w *watched) url(t *testing.T) string {
	t.Helper()
	for _, p := range w.published() {
		if line, ok := p.(event.Log); ok {
			if _, url, found := strings.Cut(line.Message, "metrics for Prometheus are at "); found {
				return url
			}
		}
	}
	t.Fatalf("no record names the address of the metrics: %v", w.published())
	return ""
}

// scrape fetches the metrics like a Prometheus that accepts this format.
func (w *watched) scrape(t *testing.T, accept string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, w.url(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Accept", accept)
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil || resp.StatusCode != http.StatusOK {
		t.Fatalf("%s: %v\n%s", resp.Status, err, text)
	}
	return string(text)
}

// TestMetrics_AreNotForPages: a page of another site reaches a port on loopback by its site's name.
func TestMetrics_AreNotForPages(t *testing.T) {
	local := start(t, settings.Settings{Metrics: anywhere})
	every := start(t, settings.Settings{Metrics: &settings.Metrics{Listen: "0.0.0.0:0"}})
	for _, c := range []struct {
		to           *watched
		host, origin string
		status       int
	}{
		{local, "localhost:9464", "", 200}, {local, "127.0.0.1", "", 200}, {local, "[::1]:9464", "", 200},
		{local, "evil.example:9464", "", 403}, {local, "localhost:9464", "http://evil.example", 403},
		{local, "localhost:9464", "null", 403},
		{every, "train.example.org:9464", "", 200}, {every, "localhost:9464", "http://evil.example", 403},
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.to.url(t), nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Host = c.host
		if c.origin != "" {
			req.Header.Set("Origin", c.origin)
		}
		resp, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != c.status {
			t.Errorf("Host %s, Origin %q: %s, want %d", c.host, c.origin, resp.Status, c.status)
		}
	}
}

const (
	formatText        = "text/plain; version=0.0.4"
	formatOpenMetrics = "application/openmetrics-text; version=1.0.0"
)

// anywhere serves metrics at any free port of this machine.
var anywhere = &settings.Metrics{Listen: "127.0.0.1:0"}

// began is the start time of all episodes in these tests.
var began = time.Date(2026, 11, 26, 12, 0, 0, 0, time.UTC)

// episodeOf returns an episode with two messages of the policy and one of a served model.
func episodeOf(id string, attempt int) *rollout.EpisodeRecord {
	reward, solved := 0.75, true
	return &rollout.EpisodeRecord{
		AttemptRecord: rollout.AttemptRecord{
			EpisodeID: id, TaskID: "task-of-" + id, Attempt: attempt,
			Slot: rollout.Slot{Stage: "full", Split: sdk.SplitTrain, Step: 7, Group: "group-of-" + id, Sample: 1},
			Turns: []rollout.TurnRecord{
				{CallID: id + "/1.1", Agent: "solver", PromptTokens: 10, OutputTokens: 5,
					Model: 2 * time.Second, Environment: time.Second, Finish: sdk.FinishToolCalls},
				{CallID: id + "/1.2", Agent: "helper", PromptTokens: 100, OutputTokens: 50,
					Model: time.Second, Served: "model.openai.helper", Finish: sdk.FinishStop},
				{CallID: id + "/1.3", Agent: "solver", PromptTokens: 20, OutputTokens: 7,
					Model: 3 * time.Second, Finish: sdk.FinishStop},
			},
			MalformedCalls: 2, RefusedCalls: 1, DriftCount: 1, Started: began, Ended: began.Add(8 * time.Second),
		},
		PolicyVersion: 6, Outcome: sdk.OutcomeScored, Reward: &reward, IsSuccess: &solved,
		Scores:  []rollout.ScoreRecord{{Address: "reward.math.answer", Scored: sdk.Scored{Score: 0.75}}},
		Timings: sdk.Timings{Queue: time.Second, Model: 6 * time.Second, Environment: time.Second, Reward: time.Second},
	}
}

// lives passes a part of a run to a Telemetry.
func lives(w *watched) {
	for _, p := range []event.Payload{
		event.RunStarted{Step: 6, Plan: event.PlanSummary{TotalSteps: 60}},
		event.PluginState{Instance: "environment.calculator.desk", State: event.PluginReady},
		event.PluginState{Instance: "environment.calculator.desk", State: event.PluginRestarting, Restarts: 2},
		event.StepFinished{Stage: "full", Step: 7, Seconds: 9, Reward: event.Known(0.75)},
		event.ValidationFinished{Stage: "full", Step: 7, SuccessRate: event.Known(0.5), Reward: event.Known(0.4)},
		event.CheckpointCommitted{Stage: "full", Step: 7},
		event.Warning{Code: "token_drift"},
		event.Finding{ID: "cut", Severity: event.FindingWarning, Stage: "full", First: 6, Last: 6, New: true},
		event.Finding{ID: "cut", Severity: event.FindingWarning, Stage: "full", First: 6, Last: 7},
	} {
		w.Handle(event.Event{Time: began, Run: "quickstart-1", Incarnation: 2, Payload: p})
	}
	w.Watch(func() (rollout.Snapshot, bool) {
		return rollout.Snapshot{Stage: "full", Places: 64, Looked: 10, Failed: 3, Waits: []rollout.Wait{
			{For: "environment", Address: "environment.calculator.desk",
				Call: "Step", Episodes: 2, Episode: "e2", Task: "t2"},
			{For: "environment", Address: "environment.calculator.desk",
				Call: "Open", Episodes: 1, Episode: "e3", Task: "t3"},
			{For: "slot", Episodes: 5, Episode: "e4", Task: "t4"},
		}}, true
	})
	w.AttemptEnded(&rollout.AttemptRecord{
		EpisodeID: "e1", Attempt: 1, Slot: rollout.Slot{Stage: "full", Split: sdk.SplitTrain, Step: 7},
		Failure: &sdk.Failure{Class: "SOMETHING_NEW"}, Started: began, Ended: began.Add(time.Second),
	})
	w.EpisodeEnded(episodeOf("e1", 2))
}

// TestMetrics checks the values that a Prometheus receives, as text.
func TestMetrics(t *testing.T) {
	w := start(t, settings.Settings{Metrics: anywhere})
	lives(w)
	got := w.scrape(t, formatText)
	for _, line := range []string{
		`awhost_run_info{run="quickstart-1"} 1`,
		`awhost_run_incarnation 2`,
		`awhost_step 7`,
		`awhost_steps_planned 60`,
		`awhost_step_reward{stage="full"} 0.75`,
		`awhost_validation_success_ratio{stage="full"} 0.5`,
		`awhost_checkpoint_step 7`,
		`awhost_plugin_up{plugin="environment.calculator.desk"} 0`,
		`awhost_plugin_restarts_total{plugin="environment.calculator.desk"} 2`,
		`awhost_warnings_total 1`,
		`awhost_findings_total{rule="cut",severity="warning",stage="full"} 1`,
		`awhost_episodes_total{class="",outcome="SCORED",split="train",stage="full"} 1`,
		`awhost_attempts_given_up_total{class="OTHER",plugin="",split="train",stage="full"} 1`,
		`awhost_turns_total{model="policy",split="train",stage="full"} 2`,
		`awhost_turns_total{model="model.openai.helper",split="train",stage="full"} 1`,
		`awhost_tokens_total{model="policy",split="train",stage="full",type="input"} 30`,
		`awhost_tokens_total{model="policy",split="train",stage="full",type="output"} 12`,
		`awhost_malformed_calls_total{split="train",stage="full"} 2`,
		`awhost_model_seconds_sum{model="policy",split="train",stage="full"} 5`,
		`awhost_environment_step_seconds_count{split="train",stage="full"} 1`,
		`awhost_episode_seconds_sum{part="queue",split="train",stage="full"} 1`,
		`awhost_policy_version{stage="full"} 6`,
		`awhost_episodes_open{for="environment",plugin="environment.calculator.desk",stage="full"} 3`,
		`awhost_episodes_open{for="slot",plugin="",stage="full"} 5`,
		`awhost_episode_places{stage="full"} 64`,
		`awhost_breaker_failed_episodes{stage="full"} 3`,
	} {
		if !slices.Contains(strings.Split(got, "\n"), line) {
			t.Errorf("missing: %s", line)
		}
	}
	if strings.Contains(got, "awhost_step_success_ratio{") {
		t.Error("an unmeasured success is shown")
	}
	if t.Failed() {
		t.Log(got)
	}
}

// TestMetricsPassTheLinter checks names and help texts with Prometheus's linter, the one in `promtool check metrics`,
// and with promtool itself if it is installed.
func TestMetricsPassTheLinter(t *testing.T) {
	w := start(t, settings.Settings{Metrics: anywhere})
	lives(w)
	text := w.scrape(t, formatText)
	problems, err := promlint.New(strings.NewReader(text)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		t.Errorf("%s: %s", p.Metric, p.Text)
	}
	promtool, err := exec.LookPath("promtool")
	if err != nil {
		t.Log("promtool is not installed: asked its linter alone")
		return
	}
	check := exec.CommandContext(t.Context(), promtool, "check", "metrics")
	check.Stdin = strings.NewReader(text)
	if said, err := check.CombinedOutput(); err != nil {
		t.Errorf("promtool check metrics: %v\n%s", err, said)
	}
}

// TestMetricsAreBounded adds a thousand episodes of a thousand tasks. The number of series stays the same, and no
// label is the name of a task, an episode, a group or a step.
func TestMetricsAreBounded(t *testing.T) {
	w := start(t, settings.Settings{Metrics: anywhere})
	lives(w)
	series := func() (out []string) {
		for _, line := range strings.Split(w.scrape(t, formatText), "\n") {
			if strings.HasPrefix(line, "awhost_") {
				out = append(out, line[:strings.LastIndexByte(line, ' ')])
			}
		}
		return out
	}
	before := series()
	for i := range 1000 {
		e := episodeOf("e"+string(rune('A'+i%26))+strings.Repeat("x", i/26), 1)
		e.Slot.Step = i
		w.EpisodeEnded(e)
	}
	if after := series(); !slices.Equal(before, after) {
		t.Errorf("%d series became %d", len(before), len(after))
	}
	allowed := []string{
		"stage", "split", "outcome", "class", "plugin", "model", "type", "part", "for", "le", // bounded by the spec
		"rule", "severity", // bounded by the table of rules
		"version", "go_version", "run", // one value per process
	}
	label := regexp.MustCompile(`([a-z_]+)="`)
	for _, s := range before {
		for _, found := range label.FindAllStringSubmatch(s, -1) {
			if !slices.Contains(allowed, found[1]) {
				t.Errorf("%s has the label %s", s, found[1])
			}
		}
	}
}

// TestOpenMetrics checks the format that a Prometheus requests.
func TestOpenMetrics(t *testing.T) {
	w := start(t, settings.Settings{Metrics: anywhere})
	lives(w)
	if got := w.scrape(t, formatOpenMetrics); !strings.HasSuffix(got, "# EOF\n") {
		t.Errorf("no OpenMetrics:\n%s", got)
	}
}

// TestAddressIsTaken checks that a run continues if its metrics cannot be served.
func TestAddressIsTaken(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	w := start(t, settings.Settings{Metrics: &settings.Metrics{Listen: taken.Addr().String()}})
	lives(w)
	said := w.published()
	if len(said) != 1 {
		t.Fatalf("published %v", said)
	}
	warning, ok := said[0].(event.Warning)
	if !ok || !strings.Contains(warning.Detail, taken.Addr().String()) || !strings.Contains(warning.Detail, "listen") {
		t.Errorf("published %+v", said[0])
	}
}

// TestNothingIsAskedFor checks a run without the block: a nil Telemetry accepts all calls.
func TestNothingIsAskedFor(t *testing.T) {
	lives(start(t, settings.Of(nil, func(string) (string, bool) { return "9464", true })))
}

// TestListenOfTheEnvironment checks that the address comes from the variables of OpenTelemetry unless the spec sets
// it.
func TestListenOfTheEnvironment(t *testing.T) {
	getenv := func(name string) (string, bool) {
		value, ok := map[string]string{"OTEL_EXPORTER_PROMETHEUS_HOST": "::1", "OTEL_EXPORTER_PROMETHEUS_PORT": "1234"}[name]
		return value, ok
	}
	for _, c := range []struct {
		spec   spec.TelemetryMetrics
		getenv func(string) (string, bool)
		want   string
	}{
		{spec.TelemetryMetrics{}, func(string) (string, bool) { return "", false }, "127.0.0.1:9464"},
		{spec.TelemetryMetrics{}, getenv, "[::1]:1234"},
		{spec.TelemetryMetrics{Listen: ":80"}, getenv, ":80"},
	} {
		if got := settings.Of(&spec.Telemetry{Metrics: &c.spec}, c.getenv).Metrics.Listen; got != c.want {
			t.Errorf("listens at %s, not at %s", got, c.want)
		}
	}
}

// TestPageNamesEveryMetric compares docs/guides/telemetry.md with the served metrics.
func TestPageNamesEveryMetric(t *testing.T) {
	page, err := os.ReadFile("../../docs/guides/telemetry.md")
	if err != nil {
		t.Fatal(err)
	}
	asked := to(newCollector(t))
	asked.Metrics = anywhere
	w := start(t, asked)
	lives(w)
	served, known := map[string]bool{}, map[string]bool{}
	help := regexp.MustCompile(`(?m)^# HELP (awhost_\S+)`)
	for _, help := range help.FindAllStringSubmatch(w.scrape(t, formatText), -1) {
		served[help[1]] = true
	}
	for _, named := range regexp.MustCompile("`(awhost_[a-z_]+)`").FindAllStringSubmatch(string(page), -1) {
		if name := named[1]; !served[name] && name != "awhost_step_success_ratio" { // not measured in this test
			t.Errorf("the page names %s, which is not served", name)
		}
		if served[named[1]] {
			known[named[1]] = true
		}
	}
	for name := range served {
		if !known[name] {
			t.Errorf("the page does not name %s", name)
		}
	}
}
