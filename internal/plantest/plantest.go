// Package plantest plans stages against virtual environments whose frameworks consist of a few files, for tests of
// adapters:
//
//	v := plantest.New(t, trl.Plugin(), map[string]string{"trl/trainer/grpo_config.py": "…"}, "trl-1.16.0")
//	v.Problem(v.Plan(nil, object{"config": object{"beata": 0.1}}), "did you mean beta?", "config", "beata")
package plantest

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

// Venv is an environment and the plugin whose adapter plans against it.
type Venv struct {
	*testing.T
	Dir     string
	python  string // which reads the files
	adapter sdk.AdapterComponent
}

// Site is the directory of packages in an environment.
const Site = "lib/python3.11/site-packages/"

// New creates an environment with files in Site, and distributions NAME-VERSION.
func New(t *testing.T, plugin sdk.Plugin, files map[string]string, distributions ...string) Venv {
	t.Helper()
	python, err := exec.Command("python3", "-c", "import sys; print(sys._base_executable, end='')").Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"HOME", "XDG_CACHE_HOME"} {
		t.Setenv(name, t.TempDir())
	}
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("PATH", "") // no Python renders chat templates
	v := Venv{t, t.TempDir(), string(python), plugin.Adapters[0]}
	for path, text := range files {
		v.Write(Site+path, text)
	}
	for _, name := range distributions {
		v.Write(Site+name+".dist-info/METADATA", "")
	}
	v.Read()
	return v
}

// Read lets the adapter read the installation, as `awhost init` does. A plan starts no Python: bin/python is empty.
func (v Venv) Read() {
	v.Helper()
	v.Write("bin/python", "#!/bin/sh\nexec "+v.python+" \"$@\"\n")
	v.adapter.Probe(v.Context(), v.block(object{"lora": object{}}), sdk.ProbeStart)
	v.Write("bin/python", "")
}

// Write writes a file of the environment.
func (v Venv) Write(path, text string) {
	v.Helper()
	path = filepath.Join(v.Dir, path)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		v.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o700); err != nil {
		v.Fatal(err)
	}
}

// Remove removes a file or directory of the environment.
func (v Venv) Remove(path string) {
	v.Helper()
	if err := os.RemoveAll(filepath.Join(v.Dir, path)); err != nil {
		v.Fatal(err)
	}
}

type object = map[string]any

// usual returns the knobs of a spec.
func usual(changes object) object {
	out := object{"steps": 3, "batch": object{"prompts": 16, "group_size": 8}, "set": []string{"steps", "batch.prompts",
		"batch.group_size"}}
	maps.Copy(out, changes)
	return out
}

// block returns the adapter's block with some attributes.
func (v Venv) block(attributes object) json.RawMessage {
	v.Helper()
	block := object{
		"python": filepath.Join(v.Dir, "bin/python"), "device": "gpu", "processes": 1, "launch": "process", "patience": "1s",
	}
	maps.Copy(block, attributes)
	text, err := json.Marshal(block)
	if err != nil {
		v.Fatal(err)
	}
	return text
}

// Plan plans a stage with changed knobs and attributes of the block.
func (v Venv) Plan(knobs, attributes object, edit ...func(*sdk.PlanRequest)) *sdk.PlanResponse {
	v.Helper()
	a, err := v.adapter.New(v.Context(), sdk.Setup{Config: v.block(attributes), Dir: v.Dir})
	if err != nil {
		v.Fatal(err)
	}
	stage := sdk.StagePlan{Name: "main", Data: sdk.DataSummary{TrainTasks: 100}}
	given, err := json.Marshal(usual(knobs))
	if err == nil {
		err = json.Unmarshal(given, &stage.Knobs)
	}
	if err != nil {
		v.Fatal(err)
	}
	req := sdk.PlanRequest{Policy: json.RawMessage(`{"path": "/m"}`), Stages: []sdk.StagePlan{stage}}
	for _, change := range edit {
		change(&req)
	}
	out, err := a.Plan(v.Context(), req)
	if err != nil {
		v.Fatal(err)
	}
	return out
}

// Values returns the framework's settings in a plan, which must not have problems.
func (v Venv) Values(out *sdk.PlanResponse) object {
	v.Helper()
	for _, d := range out.Diagnostics {
		v.Errorf("%s: %s", d.Summary, d.Detail)
	}
	values := object{}
	for _, key := range out.Effective {
		var value any
		if err := json.Unmarshal(key.ValueJSON, &value); err != nil {
			v.Fatal(err)
		}
		values[key.Key] = value
	}
	return values
}

// Problem checks that a plan has one problem, and its text and place.
func (v Venv) Problem(out *sdk.PlanResponse, want string, path ...string) {
	v.Helper()
	if len(out.Diagnostics) != 1 {
		v.Fatalf("problems: %+v; want one with %q", out.Diagnostics, want)
	}
	if d := out.Diagnostics[0]; !strings.Contains(d.Detail, want) || !slices.Equal(d.Path, path) {
		v.Errorf("%v: %q; want %v: %q", d.Path, d.Detail, path, want)
	}
}

// Check compares some values.
func (v Venv) Check(got, want object) {
	v.Helper()
	for key, value := range want {
		if !reflect.DeepEqual(got[key], value) {
			v.Errorf("%s is %v; want %v", key, got[key], value)
		}
	}
}

// CheckRefused checks the reasons why knobs are refused, and that no other knob is.
func (v Venv) CheckRefused(out *sdk.PlanResponse, want map[string]string) {
	v.Helper()
	got := map[string]string{}
	for _, k := range out.Knobs {
		if k.Refused != "" {
			got[k.Knob] = k.Refused
		}
	}
	for knob, reason := range want {
		if !strings.Contains(got[knob], reason) {
			v.Errorf("%s is refused because of %q; want %q", knob, got[knob], reason)
		}
	}
	if len(got) != len(want) {
		v.Errorf("refused: %v", got)
	}
}

// Unmet returns the requirements of a plan that the environment does not meet.
func Unmet(out *sdk.PlanResponse) (details []string) {
	for _, r := range out.Requirements {
		if !r.Met {
			details = append(details, r.Detail)
		}
	}
	return details
}
