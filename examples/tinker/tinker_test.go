package tinker_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/sdk/metric"
)

// These tests train with the real client of Tinker's API on a fake server (plugins/tinker/testdata/fake_server.py).
// AWHOST_TINKER_PYTHON names a Python with the package tinker, and torch for the fake server.

const (
	python  = "AWHOST_TINKER_PYTHON"
	key     = "tml-test-31415926"
	adapter = "adapter.tinker.grpo"
)

// fake is a running fake server.
type fake struct{ url, model string }

func startFake(t *testing.T) fake {
	t.Helper()
	interpreter, model := realtest.Python(t, python), realtest.TinyModel(t)
	cmd := exec.CommandContext(t.Context(), interpreter, "../../plugins/tinker/testdata/fake_server.py", model, key)
	sdk, err := filepath.Abs("../../sdk/python")
	if err != nil {
		t.Fatal(err)
	}
	cmd.Env = append(os.Environ(), "PYTHONPATH="+sdk, "PYTHONDONTWRITEBYTECODE=1", "OMP_NUM_THREADS=1")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the fake server did not start: %v\n%s", err, &stderr)
	}
	t.Setenv("TINKER_API_KEY", key)
	return fake{url: strings.TrimSpace(line), model: model}
}

// audit lists the digests of the updates in each state that the fake server has saved.
type audit struct {
	States map[string][]string `json:"states"`
}

// change changes the behavior of the fake server, and returns its audit.
func (f fake) change(t *testing.T, change string) audit {
	t.Helper()
	response, err := http.Post(f.url+"/fake", "application/json", strings.NewReader(change))
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	var out audit
	if err := json.NewDecoder(response.Body).Decode(&out); err != nil {
		t.Fatal(err)
	}
	return out
}

// start applies the example.
func (f fake) start(t *testing.T, dir string, variables ...string) *realtest.Run {
	t.Helper()
	var args []string
	for _, v := range append([]string{"python=" + realtest.Python(t, python), "model=" + f.model, "base_url=" + f.url,
		"base_model=fake/tiny", "prompts=4", "prompt_tokens=16", "response_tokens=80"}, variables...) {
		args = append(args, "--var", v)
	}
	return realtest.Apply(t, dir, args...)
}

func done(t *testing.T, finished realtest.Finished, step int) {
	t.Helper()
	if finished.Outcome != "completed" || finished.Step != step {
		t.Fatalf("outcome %s at step %d; want completed at step %d\n%s", finished.Outcome, finished.Step, step,
			finished.Problems)
	}
}

// trained returns the updates in the last checkpoint of a run, and its digest.
func (f fake) trained(t *testing.T, dir string, finished realtest.Finished) (updates []string, digest string) {
	t.Helper()
	var state, manifest map[string]any
	for name, into := range map[string]*map[string]any{"tinker.json": &state, "manifest.json": &manifest} {
		text, err := os.ReadFile(filepath.Join(dir, finished.Checkpoint, name))
		if err == nil {
			err = json.Unmarshal(text, into)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	return f.change(t, "{}").States[state["state"].(string)], manifest["digest"].(string)
}

// checkStates checks that the server holds exactly the states that the checkpoints of runs name, and returns them.
func (f fake) checkStates(t *testing.T, runDirs ...string) (states []string) {
	t.Helper()
	for _, dir := range runDirs {
		files, err := filepath.Glob(filepath.Join(dir, "checkpoints", "*", "tinker.json"))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			var saved struct{ State string }
			text, err := os.ReadFile(file)
			if err == nil {
				err = json.Unmarshal(text, &saved)
			}
			if err != nil {
				t.Fatal(err)
			}
			states = append(states, saved.State)
		}
	}
	slices.Sort(states)
	stored := slices.Sorted(maps.Keys(f.change(t, "{}").States))
	if diff := cmp.Diff(states, stored); diff != "" || len(states) == 0 {
		t.Errorf("states (-run directory +server):\n%s", diff)
	}
	return states
}

// checkSecret checks that no file of a run contains the key.
func checkSecret(t *testing.T, dir string) {
	t.Helper()
	err := filepath.WalkDir(filepath.Join(dir, ".awhost"), func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		text, err := os.ReadFile(path)
		if bytes.Contains(text, []byte(key)) {
			t.Errorf("%s contains the key", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestTinker_TwoSteps(t *testing.T) {
	f, dir := startFake(t), realtest.Copy(t, "examples/tinker")
	finished := f.start(t, dir, "steps=2").Wait()
	done(t, finished, 2)
	for step, values := range realtest.Steps(t, filepath.Join(dir, finished.Dir)) {
		if step == 0 {
			continue
		}
		if gap := values[metric.ProbabilityGap]; !(gap > 0 && gap < 1e-4) {
			t.Errorf("step %d: probabilities at sampling and in training differ by %g; want less than 1e-4", step, gap)
		}
		if !(values["train/learning_rate"] > 0 && values["tinker/trained_tokens"] > 0) {
			t.Errorf("step %d: metrics %v", step, values)
		}
	}
	if updates, _ := f.trained(t, dir, finished); len(updates) != 2 {
		t.Errorf("the server has made the updates %v; want 2", updates)
	}
	checkSecret(t, dir)
	realtest.Do(t, dir, "show", "--audit")
	realtest.CheckClean(t, filepath.Join(dir, finished.Dir), recordClean, "2 steps")
}

func recordClean(t *testing.T, r realtest.Result) {
	t.Helper()
	r.Framework, r.Version = "Tinker", realtest.Version(t, realtest.Python(t, "AWHOST_TINKER_PYTHON"), "tinker")
	realtest.Record(t, r)
}

// The states of pruned checkpoints are deleted, also after the server has refused one request (403), and after an error
// after which the client repeats its request (500).
func TestTinker_DeletesPrunedCheckpoints(t *testing.T) {
	f, dir := startFake(t), realtest.Copy(t, "examples/tinker")
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), "keep  = 3", "keep  = 1")
	f.change(t, `{"next": {"delete": [403, 500]}}`)
	finished := f.start(t, dir, "steps=5", "checkpoints=1").Wait()
	done(t, finished, 5)
	if states := f.checkStates(t, filepath.Join(dir, finished.Dir)); len(states) > 3 {
		t.Errorf("states %q; want the last two, and the best one", states)
	}
	about := slices.DeleteFunc(finished.Warnings, func(w string) bool {
		return !strings.Contains(w, "remote data")
	})
	if len(about) != 1 || !strings.Contains(about[0], "checkpoints/step-000001") {
		t.Errorf("warnings %q; want one, about the first checkpoint", about)
	}
	checkSecret(t, dir)
	realtest.Do(t, dir, "show", "--audit")
}

func TestTinker_APolicyLearns(t *testing.T) {
	realtest.Slow(t)
	f, dir := startFake(t), realtest.Copy(t, "examples/tinker")
	finished := f.start(t, dir, "prompts=16", "steps=15").Wait()
	done(t, finished, 15)
	if finished.Before == nil || finished.After == nil || *finished.After-*finished.Before < 0.30 {
		t.Errorf("held-out success: from %v to %v; want a rise of 30 points", finished.Before, finished.After)
	} else {
		t.Logf("held-out success: %g → %g", *finished.Before, *finished.After)
	}
	realtest.CheckClean(t, filepath.Join(dir, finished.Dir), recordClean, "15 steps")
}

// checkTrainers checks how many trainers a run has started.
func checkTrainers(t *testing.T, dir string, want int) {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".awhost", "runs", "*", "plugins", adapter, "*", "trainer.log"))
	if err != nil || len(found) != want {
		t.Errorf("the run has started the trainers %v (%v); want %d", found, err, want)
	}
}

// A run whose adapter and host are killed makes the same updates as an undisturbed one: none is lost, and none is made
// twice. The trainer continues.
func TestTinker_SurvivesTheDeathsOfPluginAndHost(t *testing.T) {
	realtest.Slow(t)
	const steps = 6
	f, undisturbed := startFake(t), realtest.Copy(t, "examples/tinker")
	finished := f.start(t, undisturbed, "steps=6", "checkpoints=2").Wait()
	done(t, finished, steps)
	wantUpdates, wantDigest := f.trained(t, undisturbed, finished)
	undisturbedRun := filepath.Join(undisturbed, finished.Dir)

	dir := realtest.Copy(t, "examples/tinker")
	run := f.start(t, dir, "steps=6", "checkpoints=2")
	run.UntilStep(3)
	run.Kill(adapter)
	run.UntilStep(5)
	checkTrainers(t, dir, 1)
	run.KillHost()
	finished = realtest.Start(t, dir, "resume").Wait()
	done(t, finished, steps)
	checkTrainers(t, dir, 1)
	updates, digest := f.trained(t, dir, finished)
	if diff := cmp.Diff(wantUpdates, updates); diff != "" || len(updates) != steps {
		t.Errorf("updates on the server (-undisturbed +killed):\n%s", diff)
	}
	if digest != wantDigest {
		t.Errorf("the last checkpoint has the digest %s; without kills it has %s", digest, wantDigest)
	}
	f.checkStates(t, undisturbedRun, filepath.Join(dir, finished.Dir))
	realtest.Do(t, dir, "show", "--audit")
}

// When the server drops the session, a new trainer continues from the last checkpoint.
func TestTinker_ReplacesAnExpiredSession(t *testing.T) {
	realtest.Slow(t)
	f, dir := startFake(t), realtest.Copy(t, "examples/tinker")
	run := f.start(t, dir, "steps=4", "checkpoints=2")
	run.UntilStep(3)
	f.change(t, `{"expire": true}`)
	finished := run.Wait()
	done(t, finished, 4)
	checkTrainers(t, dir, 2)
	if updates, _ := f.trained(t, dir, finished); len(updates) != 4 {
		t.Errorf("the server has made the updates %v; want 4", updates)
	}
	f.checkStates(t, filepath.Join(dir, finished.Dir))
}

func TestTinker_Errors(t *testing.T) {
	f := startFake(t)
	for _, test := range []struct {
		name, variable, key, change string
		edit                        [2]string
		want                        string
	}{
		{name: "wrong key", key: "tml-wrong",
			want: "rejects the key in TINKER_API_KEY (HTTP 401): set a valid one (api_key_env)"},
		{name: "unknown base model", key: key, variable: "base_model=fake/huge",
			want: "the server does not train base_model fake/huge: set base_model to one of fake/tiny"},
		{name: "rate limit", key: key, change: `{"status": {"asample": 429}}`,
			edit: [2]string{"  base_url ", "  busy_timeout = \"3s\"\n  base_url "},
			want: "limits the rate of requests (HTTP 429), for longer than 3 s (busy_timeout): resume the run later"},
		{name: "refused checkpoint", key: key, change: `{"status": {"save_weights": 400}}`,
			want: "cannot save a checkpoint"},
	} {
		t.Run(test.name, func(t *testing.T) {
			dir := realtest.Copy(t, "examples/tinker")
			if test.edit[0] != "" {
				realtest.Edit(t, filepath.Join(dir, "train.hcl"), test.edit[0], test.edit[1])
			}
			t.Setenv("TINKER_API_KEY", test.key)
			f.change(t, `{"status": {}}`)
			if test.change != "" {
				f.change(t, test.change)
			}
			variables := []string{"steps=1"}
			if test.variable != "" {
				variables = append(variables, test.variable)
			}
			finished := f.start(t, dir, variables...).Wait()
			if finished.Outcome != "failed" || !strings.Contains(finished.Problems, test.want) {
				t.Errorf("outcome %s; want failed because of %q\n%s", finished.Outcome, test.want, finished.Problems)
			}
			if strings.Contains(finished.Problems, key) {
				t.Error("the problems contain the key")
			}
		})
	}
}

// writesCalls is the tiny model's chat template with a message's tool calls, which a smoke run scripts.
const writesCalls = `{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% for c in m.tool_calls %}` +
	`<tool_call>{"name": "{{ c.function.name }}", "arguments": {{ c.function.arguments | tojson }}}</tool_call>` +
	`{% endfor %}<|end|>{% endfor %}{% if add_generation_prompt %}<|assistant|>{% endif %}`

// A smoke run needs neither the server nor its key.
func TestTinker_ASmokeRun(t *testing.T) {
	f := fake{url: "http://127.0.0.1:1", model: realtest.TinyModel(t)}
	if err := os.WriteFile(filepath.Join(f.model, "chat_template.jinja"), []byte(writesCalls), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TINKER_API_KEY", "")
	args := []string{"apply", "train.hcl", "--smoke", "--verbose"}
	for _, v := range []string{"python=" + realtest.Python(t, python), "model=" + f.model, "base_url=" + f.url,
		"prompt_tokens=16", "response_tokens=600"} {
		args = append(args, "--var", v)
	}
	finished := realtest.Start(t, realtest.Copy(t, "examples/tinker"), args...).Wait()
	if finished.Outcome != "completed" || finished.Smoke == nil || finished.Smoke.Verdict != "pass" {
		t.Fatalf("outcome %s, report %+v\n%s", finished.Outcome, finished.Smoke, finished.Problems)
	}
	for _, stage := range finished.Smoke.Stages {
		if stage.Steps != 2 || stage.Trained == 0 || stage.ScriptCalls == 0 || stage.Misread != 0 {
			t.Errorf("a stage has %+v; want 2 steps, trained episodes, and calls that were read as they were written", stage)
		}
	}
}

// The conformance suite trains about ten stages on the fake server.
func TestTinker_Conforms(t *testing.T) {
	realtest.Slow(t)
	f, dir := startFake(t), t.TempDir()
	component := map[string]any{
		"kind": "adapter", "type": "tinker",
		"config": map[string]any{"python": realtest.Python(t, python), "base_url": f.url, "base_model": "fake/tiny",
			"api_key_env": "TINKER_API_KEY", "tokens_every": 1},
		"train": map[string]any{"policy": map[string]any{"path": f.model}, "seconds": 300, "knobs": map[string]any{
			"optimizer": map[string]any{"learning_rate": 1e-2}, "checkpoint": map[string]any{"every": 1}}},
	}
	text, err := json.Marshal(map[string]any{"components": []any{component}})
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "conformance.json"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Log(realtest.Do(t, dir, "plugin", "test", "tinker", "--fixtures", "conformance.json", "--pass-env",
		"TINKER_API_KEY"))
}
