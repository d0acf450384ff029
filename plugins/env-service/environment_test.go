package envservice

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/internal/envworld"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/sdktest"
)

type object = map[string]any

// rig drives one environment over the protocol.
type rig struct {
	testing.TB
	sdk.Environment
	world *envworld.World
	steps int
}

// newRig creates an environment of a world. more is merged into its block.
func newRig(t testing.TB, more object) *rig {
	t.Helper()
	world := envworld.New(t)
	config := object{"url": world.URL + "/", "env_type": "sums", "connect_timeout": "20s"}
	for name, value := range more {
		config[name] = value
	}
	return &rig{TB: t, Environment: sdktest.Environment(t, Plugin(), "env_service", config), world: world}
}

func (r *rig) tryOpen(episode, task string) (*sdk.OpenResponse, error) {
	return r.Open(r.Context(), sdk.OpenRequest{
		EpisodeID: episode, Seed: 7, Split: sdk.SplitTrain, Task: sdk.Task{ID: task, Public: []byte(`{}`)},
	})
}

func (r *rig) open(episode, task string) *sdk.OpenResponse {
	r.Helper()
	out, err := r.tryOpen(episode, task)
	if err != nil {
		r.Fatalf("open %s: %v", episode, err)
	}
	return out
}

func (r *rig) trySay(episode string, message sdk.Message) (*sdk.StepResponse, error) {
	r.steps++
	message.Role = sdk.RoleAssistant
	return r.Step(r.Context(), sdk.StepRequest{
		EpisodeID: episode, StepID: strings.Repeat("s", r.steps), Message: message,
	})
}

func (r *rig) say(episode, text string) *sdk.StepResponse {
	r.Helper()
	out, err := r.trySay(episode, sdk.Message{Content: text})
	if err != nil {
		r.Fatalf("say %q: %v", text, err)
	}
	return out
}

func (r *rig) state(episode string) string {
	r.Helper()
	state, err := r.Environment.(sdk.EnvironmentWithSnapshot).Snapshot(r.Context(), episode)
	if err != nil {
		r.Fatal(err)
	}
	return string(state)
}

func (r *rig) close(episode string) map[string]float64 {
	r.Helper()
	out, err := r.Close(r.Context(), sdk.CloseRequest{EpisodeID: episode, Reason: "done"})
	if err != nil {
		r.Fatal(err)
	}
	return out.Metrics
}

// once breaks the first calls with a name.
func (r *rig) once(name string, times int, answer http.HandlerFunc) {
	r.world.Break(func(c envworld.Call) http.HandlerFunc {
		if c.Name != name || times == 0 {
			return nil
		}
		times--
		return answer
	})
}

// always breaks all calls with a name.
func (r *rig) always(name string, answer http.HandlerFunc) { r.once(name, -1, answer) }

func words(messages []sdk.Message) (out []string) {
	for _, m := range messages {
		out = append(out, string(m.Role)+": "+m.Content)
	}
	return out
}

func failure(t testing.TB, err error) *sdk.Failure {
	t.Helper()
	var f *sdk.Failure
	if !errors.As(err, &f) {
		t.Fatalf("%v, want a failure", err)
	}
	return f
}

func TestAnEpisodeIsPlayedWithAnInstanceOfItsOwn(t *testing.T) {
	r := newRig(t, object{"params": object{"level": 2}, "headers": object{"Authorization": "Bearer key"}})
	opened := r.open("e1", "1+2")
	want := []string{"system: Answer with a number.", "user: What is 1+2?"}
	if diff := cmp.Diff(want, words(opened.Messages)); diff != "" {
		t.Error(diff)
	}
	first := r.say("e1", "4")
	if first.Done || first.TurnReward != nil {
		t.Errorf("a wrong answer: %+v", first)
	}
	if diff := cmp.Diff([]string{"user: That is not it."}, words(first.Messages)); diff != "" {
		t.Error(diff)
	}
	last := r.say("e1", "3")
	if !last.Done || last.Truncated || last.TurnReward == nil || *last.TurnReward != 1 {
		t.Errorf("the right answer: %+v", last)
	}
	const state = `{"evaluation":1,"terminated":true,"turns":2,"step_rewards":[0.5,0.5],"step_reward":1}`
	if got := r.state("e1"); got != state {
		t.Errorf("state %s, want %s", got, state)
	}
	if diff := cmp.Diff(map[string]float64{"steps": 2, "silent": 0, "step_reward": 1}, r.close("e1")); diff != "" {
		t.Error(diff)
	}
	if open := r.world.Open(); len(open) > 0 {
		t.Errorf("instances are open after the episode: %v", open)
	}
	if n := len(r.world.Calls("evaluate")); n != 1 {
		t.Errorf("evaluate was called %d times, want once", n)
	}
	for _, call := range r.world.Calls("") {
		if call.Body.EnvType != "sums" || call.Auth != "Bearer key" || call.Body.InstanceID != opened.InstanceID {
			t.Errorf("%s: %+v", call.Name, call)
		}
	}
	create := r.world.Calls("create")[0].Body
	if string(create.TaskID) != `"1+2"` || string(create.Messages) != "{}" || create.Params["level"] != 2.0 {
		t.Errorf("create: %+v", create)
	}
	if step := r.world.Calls("step")[1].Body; string(step.Messages) != `{"role":"assistant","content":"3"}` {
		t.Errorf("step: %s", step.Messages)
	}
}

// If the agent ends an episode, it gets no evaluation, but rewards do.
func TestAnEpisodeThatTheAgentEndsIsEvaluated(t *testing.T) {
	r := newRig(t, object{"info": true, "evaluate_params": object{"sparse": false}})
	r.open("e1", "1+2")
	r.say("e1", "4")
	want := `{"evaluation":0.25,"terminated":false,"turns":1,"step_rewards":[0.5],"step_reward":0.5,` +
		`"info":{"tried":true,"want":1}}`
	if got := r.state("e1"); got != want {
		t.Errorf("state %s, want %s", got, want)
	}
	if sparse := r.world.Calls("evaluate")[0].Body.Params["sparse"]; sparse != false {
		t.Errorf("sparse is %v", sparse)
	}
}

func TestMostTurnsEndAnEpisode(t *testing.T) {
	r := newRig(t, object{"max_turns": 1})
	r.open("e1", "1+2")
	if out := r.say("e1", "4"); !out.Done || !out.Truncated || out.TurnReward == nil || *out.TurnReward != 0.25 {
		t.Errorf("%+v", out)
	}
}

func TestSilenceIsSaid(t *testing.T) {
	r := newRig(t, nil)
	r.open("e1", "1+2")
	for _, answer := range []string{
		`{"data":{"state":{"content":""},"is_terminated":false}}`,
		`{"data":{"state":[{"role":"user","content":" "}],"is_terminated":false}}`,
		`{"data":{"state":[],"is_terminated":false}}`,
		`{"data":{"state":null,"is_terminated":false}}`,
	} {
		r.once("step", 1, envworld.Text(200, answer))
		if diff := cmp.Diff([]string{"user: " + noAnswerText}, words(r.say("e1", "hm").Messages)); diff != "" {
			t.Errorf("%s: %s", answer, diff)
		}
	}
	if got := r.close("e1")["silent"]; got != 4 {
		t.Errorf("silent is %v, want 4", got)
	}
}

func TestToolsOfAServiceAreOffered(t *testing.T) {
	r := newRig(t, nil)
	r.once("create", 1, envworld.Text(200, `{"data":{"state":{"role":"user","content":"Look."},"tools":[`+
		`{"type":"function","function":{"name":"look","description":"Looks.","parameters":{"type":"object"}}}]}}`))
	opened := r.open("e1", "1+2")
	if len(opened.Tools) != 1 || opened.Tools[0].Name != "look" {
		t.Fatalf("offered: %+v", opened.Tools)
	}
	two := sdk.Message{ToolCalls: []sdk.ToolCall{
		{ID: "a", Name: "look", Arguments: `{"at":1}`}, {ID: "b", Name: "look", Arguments: `{}`},
	}}
	for name, test := range map[string]struct {
		state string
		want  []string
	}{
		"by id, in another order": {
			`[{"role":"tool","tool_call_id":"b","content":"B"},{"role":"tool","tool_call_id":"a","content":"A"},` +
				`{"role":"user","content":"Next?"}]`,
			[]string{"tool: A", "tool: B", "user: Next?"},
		},
		"without ids": {
			`[{"role":"tool","content":"A"},{"role":"tool","content":"B"}]`, []string{"tool: A", "tool: B"},
		},
		"one text": {`{"content":"A and B"}`, []string{"tool: A and B", "tool: (answered together with the call before)"}},
		"silence":  {`{"content":""}`, []string{"tool: " + noAnswerText, "tool: (answered together with the call before)"}},
	} {
		r.once("step", 1, envworld.Text(200, `{"data":{"state":`+test.state+`,"is_terminated":false}}`))
		out, err := r.trySay("e1", two)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, words(out.Messages)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
		if out.Messages[0].ToolCallID != "a" || out.Messages[1].ToolCallID != "b" {
			t.Errorf("%s: %+v", name, out.Messages)
		}
	}
	sent := r.world.Calls("step")[0].Body.Messages
	want := `{"role":"assistant","content":"","tool_calls":[{"id":"a","type":"function","function":{"name":"look",` +
		`"arguments":"{\"at\":1}"}},{"id":"b","type":"function","function":{"name":"look","arguments":"{}"}}]}`
	if string(sent) != want {
		t.Errorf("sent %s\nwant %s", sent, want)
	}
}

// Safe calls are retried, and calls that may have been executed are not.
func TestWhatIsSafeIsMadeAgain(t *testing.T) {
	for _, test := range []struct {
		call   string
		answer http.HandlerFunc
		calls  int // received calls
	}{
		{"create", envworld.Cut, 2},
		{"create", envworld.Text(503, ""), 2},
		{"create", envworld.Text(500, `{"detail":"busy"}`), 2},
		{"create", envworld.Text(429, ""), 2},
		{"step", envworld.Text(429, ""), 2},
		{"evaluate", envworld.Cut, 2},
		{"evaluate", envworld.Text(500, ""), 2},
		{"release", envworld.Text(502, ""), 2},
		{"release", envworld.Cut, 2},
	} {
		r := newRig(t, nil)
		r.once(test.call, 1, test.answer)
		r.open("e1", "1+2")
		r.say("e1", "3")
		r.close("e1")
		if got := len(r.world.Calls(test.call)); got != test.calls {
			t.Errorf("%s arrived %d times, want %d", test.call, got, test.calls)
		}
		if open := r.world.Open(); len(open) > 0 {
			t.Errorf("%s: open instances %v", test.call, open)
		}
	}
}

func TestAStepThatMayHaveHappenedIsNotMadeAgain(t *testing.T) {
	for name, answer := range map[string]http.HandlerFunc{
		"cut off": envworld.Cut, "a gateway's 502": envworld.Text(502, "bad gateway"),
	} {
		r := newRig(t, nil)
		r.open("e1", "1+2")
		r.once("step", 1, answer)
		_, err := r.trySay("e1", sdk.Message{Content: "3"})
		if f := failure(t, err); f.Class != sdk.FailureInfrastructure ||
			!strings.Contains(f.Detail, "step of the environment service, POST "+r.world.URL+"/step: ") {
			t.Errorf("%s: %v", name, f)
		}
		if n := len(r.world.Calls("step")); n != 1 {
			t.Errorf("%s: %d steps, want 1", name, n)
		}
		if _, err := r.trySay("e1", sdk.Message{Content: "3"}); !errors.Is(err, sdk.ErrSessionLost) {
			t.Errorf("%s: the next step says %v, want a lost session", name, err)
		}
		r.close("e1")
		eventually(t, "it is released", func() bool { return len(r.world.Open()) == 0 })
	}
}

// A service that requests a pause beyond the limit is not called again.
func TestAServiceSaysWhenItIsAskedAgain(t *testing.T) {
	r := newRig(t, nil)
	r.once("create", 1, func(out http.ResponseWriter, _ *http.Request) {
		out.Header().Set("Retry-After", "3600")
		out.WriteHeader(http.StatusTooManyRequests)
	})
	_, err := r.tryOpen("e1", "1+2")
	if f := failure(t, err); f.Class != sdk.FailureInfrastructure || !strings.Contains(f.Detail, "status 429") {
		t.Errorf("%v", f)
	}
	if n := len(r.world.Calls("create")); n != 1 {
		t.Errorf("create arrived %d times, want once", n)
	}
}

// A canceled step blocks nothing: the episode ends, and its instance is released, while the service is busy.
func TestAnEpisodeEndsDuringAStep(t *testing.T) {
	r := newRig(t, object{"step_timeout": "24h"})
	asked, cut, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	r.open("e1", "1+2")
	r.once("step", 1, func(http.ResponseWriter, *http.Request) {
		close(asked)
		<-cut
	})
	ctx, giveUp := context.WithCancel(t.Context())
	go func() {
		defer close(done)
		_, _ = r.Step(ctx, sdk.StepRequest{ // any result is fine
			EpisodeID: "e1", StepID: "s", Message: sdk.Message{Role: sdk.RoleAssistant, Content: "3"},
		})
	}()
	<-asked
	giveUp()
	r.close("e1")
	eventually(t, "the instance is released", func() bool { return len(r.world.Open()) == 0 })
	close(cut)
	<-done
}

// An instance that is created after the end of its episode is released.
func TestAnInstanceThatComesTooLateIsReleased(t *testing.T) {
	r := newRig(t, object{"create_timeout": "10m"})
	asked := make(chan envworld.Call, 1)
	r.world.Break(func(c envworld.Call) http.HandlerFunc {
		if c.Name != "create" || len(r.world.Calls("create")) > 1 {
			return nil
		}
		return func(_ http.ResponseWriter, r *http.Request) {
			asked <- c
			<-r.Context().Done() // an empty response before the cancellation arrives would be final
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := r.Open(ctx, sdk.OpenRequest{EpisodeID: "e1", Task: sdk.Task{ID: "1+2"}})
		done <- err
	}()
	late := <-asked
	cancel()
	if err := <-done; err == nil {
		t.Error("the episode was opened")
	}
	eventually(t, "it is asked for too early", func() bool { return len(r.world.Calls("release")) > 0 })
	r.world.Answer(httptest.NewRecorder(), late)
	if len(r.world.Open()) != 1 {
		t.Fatalf("open: %v", r.world.Open())
	}
	r.open("e2", "2+2")
	r.close("e2")
	eventually(t, "the late one is released, too", func() bool { return len(r.world.Open()) == 0 })
}

// eventually waits for a background event.
func eventually(t testing.TB, what string, is func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !is() {
		select {
		case <-tick.C:
		case <-t.Context().Done():
			t.Fatal("not: " + what)
		}
	}
}

func TestErrorsNameTheCall(t *testing.T) {
	maxAnswerBytes = 4096
	defer func() { maxAnswerBytes = 16 << 20 }()
	for _, test := range []struct {
		call, answer string
		status       int
		retryable    bool
		want         string
	}{
		{"create", `{"detail":"no such env_type"}`, 404, true, "HTTP status 404: no such env_type"},
		{"create", `{"detail":"broken"}`, 500, true, "HTTP status 500: broken (tried 3 times)"},
		{"create", `{"data":{"state":{"error":"no task"}}}`, 200, true, "the service reports an error: no task"},
		{"create", `{"data":{"state":[]}}`, 200, false, "data has no state to begin with"},
		{"create", `{"data":[1]}`, 200, false, "data is no object: [1]"},
		{"create", `<html>`, 200, false, "the answer is no object of JSON: <html>"},
		{"create", `{"data":{"state":{"role":"oracle","content":"x"}}}`, 200, false, `its role is "oracle"`},
		{"step", `{"data":{"state":{"error":"crashed"},"is_terminated":false}}`, 200, true, "reports an error: crashed"},
		{"step", `{"success":false,"error":"gone"}`, 200, true, "the service did not succeed"},
		{"step", `{"error":"gone"}`, 200, true, "the service says: gone"},
		{"step", `{"data":{"state":{"content":"x"}}}`, 200, false, "no object with state and is_terminated"},
		{"step", `{"data":{"state":7,"is_terminated":false}}`, 200, false, "state is neither a message nor a list"},
		{"step", `{"data":null}`, 200, false, "the answer has no data"},
		{"step", strings.Repeat("x", 5000), 200, false, "the answer has more than 4096 bytes"},
		{"evaluate", `{"data":"good"}`, 200, false, `data is no number: "good"`},
		{"evaluate", `{"data":NaN}`, 200, false, "the answer is no object of JSON"},
	} {
		r := newRig(t, object{"connect_timeout": "5s"})
		r.always(test.call, envworld.Text(test.status, test.answer))
		_, err := r.tryOpen("e1", "1+2")
		if err == nil {
			_, err = r.trySay("e1", sdk.Message{Content: "3"})
		}
		f := failure(t, err)
		if f.Class != sdk.FailureEnvironment || f.Retryable != test.retryable || !strings.Contains(f.Detail, test.want) ||
			!strings.HasPrefix(f.Detail, test.call+" of the environment service, POST "+r.world.URL+"/"+test.call+": ") {
			t.Errorf("%s %.60s: %+v, want %q", test.call, test.answer, f, test.want)
		}
	}
}

// A slow service is distinguished from a missing one.
func TestASlowServiceIsToldFromOneThatIsGone(t *testing.T) {
	r := newRig(t, object{"step_timeout": "50ms"})
	release := make(chan struct{})
	defer close(release)
	r.open("e1", "1+2")
	r.always("step", func(_ http.ResponseWriter, req *http.Request) {
		select {
		case <-release:
		case <-req.Context().Done():
		}
	})
	_, err := r.trySay("e1", sdk.Message{Content: "3"})
	const want = "no answer within 50ms, of a service that is there"
	if f := failure(t, err); f.Class != sdk.FailureEnvironment || !strings.Contains(f.Detail, want) {
		t.Errorf("%v", f)
	}
}

func TestAServiceThatIsGoneIsInfrastructure(t *testing.T) {
	r := newRig(t, object{"connect_timeout": "100ms"})
	r.open("e1", "1+2")
	r.world.Close()
	_, err := r.tryOpen("e2", "2+2")
	call := "POST " + r.world.URL + "/create: "
	if f := failure(t, err); f.Class != sdk.FailureInfrastructure || !strings.Contains(f.Detail, call) {
		t.Errorf("%v", f)
	}
	_, err = r.trySay("e1", sdk.Message{Content: "3"})
	if f := failure(t, err); f.Class != sdk.FailureInfrastructure {
		t.Errorf("%v", f)
	}
	r.close("e1")
}

func TestARunDoesNotBeginWithoutTheService(t *testing.T) {
	world := envworld.Start()
	world.Close()
	setup := sdk.Setup{
		Config: []byte(`{"url":"` + world.URL + `","env_type":"sums","connect_timeout":"1ms"}`), Dir: t.TempDir(),
	}
	_, err := newEnvironment(t.Context(), setup)
	if err == nil || !strings.Contains(err.Error(), "reach the environment service at "+world.URL) {
		t.Errorf("%v", err)
	}
}

func TestTasksAreTheServicesList(t *testing.T) {
	r := newRig(t, object{"validation_split": "dev"})
	list := func(split sdk.Split, cursor int) (out []string) {
		err := r.Environment.(sdk.EnvironmentWithTasks).Tasks(t.Context(), split, cursor, func(task sdk.Task) bool {
			out = append(out, task.ID+" "+string(task.Public))
			return true
		})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	want := []string{`4+4 {"env_type":"sums","task_id":"4+4"}`, `7 {"env_type":"sums","task_id":7}`}
	if diff := cmp.Diff(want, list(sdk.SplitValidation, 0)); diff != "" {
		t.Error(diff)
	}
	if got := list(sdk.SplitTrain, 2); len(got) != 1 || !strings.HasPrefix(got[0], "3+4 ") {
		t.Errorf("from the third task on: %v", got)
	}
	for answer, want := range map[string]string{
		`{"data":[]}`: "lists no tasks of env_type", `{"data":{}}`: "no list of ids", `{"data":[{}]}`: "a text or a number",
	} {
		r.always("get_env_profile", envworld.Text(200, answer))
		all := func(sdk.Task) bool { return true }
		err := r.Environment.(sdk.EnvironmentWithTasks).Tasks(t.Context(), sdk.SplitTrain, 0, all)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", answer, err, want)
		}
	}
}

func TestStopReleasesWhatIsOpen(t *testing.T) {
	world := envworld.New(t)
	dir := t.TempDir()
	e, err := newEnvironment(t.Context(), sdk.Setup{
		Config: []byte(`{"url":"` + world.URL + `","env_type":"sums"}`), Dir: dir, Log: quiet(),
	})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Open(t.Context(), sdk.OpenRequest{EpisodeID: "e1", Task: sdk.Task{ID: "1+2"}}); err != nil {
		t.Fatal(err)
	}
	notes, _ := filepath.Glob(filepath.Join(dir, "instances", "*.json"))
	if len(notes) != 1 {
		t.Fatalf("notes of open instances: %v", notes)
	}
	if info, err := os.Stat(notes[0]); err != nil || info.Mode().Perm()&0o077 != 0 {
		t.Errorf("others may read a note: %v, %v", info.Mode(), err)
	}
	if err := e.(sdk.Stopper).Stop(t.Context(), func(string) {}); err != nil {
		t.Fatal(err)
	}
	if len(world.Open()) > 0 {
		t.Errorf("open: %v", world.Open())
	}
}

func TestProbe(t *testing.T) {
	world := envworld.New(t)
	ask := func(url string, may sdk.Probe) []sdk.Diagnostic {
		raw, _ := json.Marshal(object{"url": url, "env_type": "sums", "train_split": "train"})
		return probe(t.Context(), raw, may).Diagnostics
	}
	if got := ask(world.URL, sdk.ProbeAsk); len(got) != 1 || got[0].Severity != sdk.SeverityNote ||
		!strings.Contains(got[0].Summary, `3 tasks of sums in the split "train"`) {
		t.Errorf("%+v", got)
	}
	if got := ask(world.URL, ""); got != nil {
		t.Errorf("nobody may be asked, and: %+v", got)
	}
	world.Close()
	for may, want := range map[sdk.Probe]sdk.Severity{
		sdk.ProbeAsk: sdk.SeverityWarning, sdk.ProbeStart: sdk.SeverityError,
	} {
		if got := ask(world.URL, may); len(got) != 1 || got[0].Severity != want || got[0].Path[0] != "url" {
			t.Errorf("%s: %+v", may, got)
		}
	}
}

func TestValidate(t *testing.T) {
	for config, want := range map[string]string{
		`{"url":"http://h:1","env_type":"a"}`: "",
		`{"url":"h:1"}`:                       "url",
		`{"url":"http://u:p@h"}`:              "url",
		`{"url":"http://h?x"}`:                "url",
		`{"params":[]}`:                       "params",
		`{"evaluate_params":3}`:               "evaluate_params",
		`{"env_type":"a","params":{"a":1},"evaluate_params":{"b": 2}}`: "",
	} {
		got := ""
		for _, d := range validate(t.Context(), []byte(config)) {
			got = strings.Join(d.Path, ".")
		}
		if got != want {
			t.Errorf("%s: wrong is %q, want %q", config, got, want)
		}
	}
}
