package settings

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/drawn"
	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// hydraComposer composes a case with verl's Hydra. Most cases start from the reference file, which verl generates from
// all its files. Parsed files are kept: Hydra reads them again for each case.
const hydraComposer = `
import copy, os, sys
from hydra import compose as hydra, initialize_config_dir
from omegaconf import OmegaConf
import verl_root
load, parsed = OmegaConf.load, {}
def kept(file):
    if file.name not in parsed:
        parsed[file.name] = load(file)
    return copy.deepcopy(parsed[file.name])
OmegaConf.load = staticmethod(kept)
def compose(case, directory):
    base = verl_root.whole if case["Whole"] else verl_root.single
    name = "ppo_trainer"
    if case["YAML"]:
        base, name = directory, "mine"
        with open(directory + "/mine.yaml", "w") as file:
            file.write(case["YAML"].replace("BASE", verl_root.whole if case["Whole"] else verl_root.single))
    with initialize_config_dir(config_dir=base, version_base=None):
        return hydra(name, overrides=case["Override"] or [])
`

// TestResolve_MergesAsHydraDoes compares drawn configurations as verl's Hydra composes them and as awhost merges them
// before it adds its own settings.
func TestResolve_MergesAsHydraDoes(t *testing.T) {
	python := os.Getenv("AWHOST_VERL_PYTHON")
	if python == "" {
		t.Skip("AWHOST_VERL_PYTHON is not set: no interpreter with hydra-core, so that nothing is composed")
	}
	n := 100
	if testlevel.Slow() {
		n = 1000
	}
	for r, installed := range realTrees(t) {
		t.Run(r.String(), func(t *testing.T) {
			schema, err := installed.schema(defaultEngine)
			if err != nil {
				t.Fatal(err)
			}
			known := &resolver{req: Request{Installed: installed}, release: installed.Release, schema: schema}
			cases := drawn.Cases(n, drawn.Keys{
				Known: slices.DeleteFunc(schema.Keys(), func(key string) bool {
					_, moves := movedFrom(key, installed.Release, schema)
					_, name, _ := framework.CutLast(key)
					return moves || slices.Contains([]string{engineKey, "tool_config_path", "function_tool_path"}, name)
				}),
				Free: []string{"ray_kwargs.ray_init", "actor_rollout_ref.rollout.engine_kwargs.vllm"},
				Takes: func(key string) framework.Types {
					if _, isMapping := schema.At(key).Default.(map[string]any); !isMapping && schema.At(key).Default != nil {
						return known.typeAt(key) &^ framework.Mapping // verl has one value there
					}
					return known.typeAt(key)
				},
				Text:  func(key string) []string { return choices[key] },
				Begin: "hydra: {searchpath: ['file://BASE']}\ndefaults: [ppo_trainer, _self_]\n",
			})
			for i, want := range drawn.Compose(t, python, locate(t, installed)+hydraComposer, cases)[1:] {
				compare(t, installed, cases[i], want)
			}
		})
	}
}

// TestResolve_CarriesTheProbesAnswers compares the carried configurations with real installations. With -update it
// replaces them: AWHOST_VERL_TREES lists the directories of the tested versions' packages.
func TestResolve_CarriesTheProbesAnswers(t *testing.T) {
	roots := map[string]string{}
	for r, installed := range realTrees(t) {
		if r.AtLeast(v071) {
			roots[installed.Version] = installed.Root
		}
	}
	drawn.Carried(t, verl, "tested.jsonl.gz", realtest.Python(t, "AWHOST_VERL_PYTHON"), roots, *update)
}

// locate writes the program that names the directories of verl's configuration.
func locate(t *testing.T, installed *Installed) string {
	t.Helper()
	whole, single := filepath.Join(installed.Root, "verl", "trainer", "config"), t.TempDir()
	text, err := os.ReadFile(filepath.Join(whole, "_generated_ppo_trainer.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, single, "ppo_trainer.yaml", string(text))
	return "import sys, types\nsys.modules['verl_root'] = types.SimpleNamespace(whole=" +
		string(framework.EncodedJSON(whole)) + ", single=" + string(framework.EncodedJSON(single)) + ")\n"
}

func compare(t *testing.T, installed *Installed, c drawn.Case, want drawn.Composed) {
	t.Helper()
	req := Request{Installed: installed, Overrides: c.Spec, Knobs: sdk.Knobs{Overrides: c.Command}}
	if c.YAML != "" {
		req.Config = []ConfigFile{{Name: "mine.yaml", Text: []byte(c.YAML)}}
	}
	r, err := merged(req)
	if err != nil {
		t.Fatal(err)
	}
	problems := errorsOf(r.out)
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s\n%s\n"+format, append([]any{c.YAML, strings.Join(c.Override, "\n")}, args...)...)
	}
	if (len(problems) > 0) != (want.Error != "") {
		fail("awhost refuses it with %v, and Hydra with %q", problems, want.Error)
	}
	if len(problems) > 0 || want.Error != "" {
		return
	}
	got := map[string]any{}
	for _, key := range append(r.schema.Keys(), r.view.Keys()...) {
		value, _ := r.view.Raw(key)
		flatten(got, key, value)
	}
	delete(got, engineKey) // verl's reference file lacks it
	if want.Raw[engineKey] != nil {
		got[engineKey] = r.engine
	}
	for key := range got { // an empty mapping or a null gives way to what is set below it
		for above, _, ok := framework.CutLast(key); ok; above, _, ok = framework.CutLast(above) {
			delete(got, above)
		}
	}
	for key, text := range want.Raw {
		raw, there := got[key]
		if hydra, err := framework.FromJSON(text); err != nil || !there || !reflect.DeepEqual(raw, hydra) {
			fail("%s is %#v (%v) for awhost, and %s for Hydra", key, raw, there, text)
		}
		if value, known := r.view.Value(key); known && key != engineKey {
			if hydra, err := framework.FromJSON(want.Values[key]); err != nil || !framework.Equal(value, hydra) {
				fail("%s = %s leads to %#v for awhost, and to %s for Hydra", key, text, value, want.Values[key])
			}
		}
		delete(got, key)
	}
	if len(got) > 0 {
		fail("Hydra has no %v", slices.Sorted(maps.Keys(got)))
	}
}

// flatten adds the values in a mapping by their dotted keys.
func flatten(out map[string]any, key string, value any) {
	object, _ := value.(map[string]any)
	if len(object) == 0 {
		out[key] = value
	}
	for name, below := range object {
		flatten(out, key+"."+name, below)
	}
}
