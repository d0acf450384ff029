package areal

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest/drawn"
	"github.com/awhost/awhost/internal/testlevel"
	"github.com/awhost/awhost/plugins/areal/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// omegaComposer composes a case as AReaL's load_expr_config does. Modules that AReaL's dataclasses import and do not
// need, such as torch, are empty: they take half a minute.
const omegaComposer = `
import importlib.machinery, importlib.util, os, sys, unittest.mock
from hydra import compose as hydra, initialize_config_dir
from omegaconf import OmegaConf

root = importlib.util.find_spec("areal").submodule_search_locations[0]
kept = sys.stdlib_module_names | {"areal", "colorlog", "hydra", "omegaconf", "antlr4", "yaml", "_yaml", "packaging"}

class Loader:
    def find_spec(self, name, path=None, target=None):
        first, directory = name.partition(".")[0], os.path.join(root, *name.split(".")[1:])
        if first not in kept or first == "areal" and os.path.isdir(directory):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
    def create_module(self, spec):
        if not spec.name.startswith("areal") or spec.name.startswith("areal.infra"):
            return unittest.mock.MagicMock(name=spec.name)
        spec.submodule_search_locations = [os.path.join(root, *spec.name.split(".")[1:])]
    def exec_module(self, module):
        pass

sys.meta_path.insert(0, Loader())
from areal.api.cli_args import GRPOConfig, to_structured_cfg

def compose(case, directory):
    with open(directory + "/mine.yaml", "w") as file:
        file.write(case["YAML"])
    with initialize_config_dir(config_dir=directory, version_base=None):
        config = hydra("mine", overrides=["++" + o.lstrip("+") for o in case["Override"] or []])
    return to_structured_cfg(config, GRPOConfig)
`

// TestResolve_CarriesTheProbesAnswers compares the carried configurations with AReaL's sources. With -update it
// replaces them.
func TestResolve_CarriesTheProbesAnswers(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: python3 is not on PATH")
	}
	roots := map[string]string{}
	for version := range versions {
		roots[version] = checkout(t, version)
	}
	drawn.Carried(t, settings.Framework, "internal/settings/tested.jsonl.gz", python, roots, *update)
}

// TestResolve_MergesAsOmegaConfDoes compares drawn configurations: what AReaL's dataclasses and OmegaConf make of them,
// and what awhost merges before it adds its own settings.
func TestResolve_MergesAsOmegaConfDoes(t *testing.T) {
	python := os.Getenv("AWHOST_AREAL_PYTHON")
	if python == "" {
		t.Skip("AWHOST_AREAL_PYTHON is not set: no interpreter with AReaL, so that nothing is composed")
	}
	installed, err := settings.Find(python, "")
	if err != nil {
		t.Fatal(err)
	}
	n := 100
	if testlevel.Slow() {
		n = 1000
	}
	base := drawn.Compose(t, python, omegaComposer, nil)[0]
	var known []string
	for key, text := range base.Raw {
		value, err := framework.FromJSON(text)
		if err == nil && installed.Check(key, value) == nil && !strings.Contains(string(text), "<") { // not an enumeration
			known = append(known, key)
		}
	}
	slices.Sort(known)
	if len(known) < 300 {
		t.Fatalf("AReaL has the keys %v", known)
	}
	cases := drawn.Cases(n, drawn.Keys{
		Known: known, Text: func(key string) []string { return installed.Schema.At(key).Choices },
		Takes: func(key string) framework.Types {
			at := installed.Schema.At(key)
			if takes := at.Takes; takes == framework.Anything || strings.Contains(at.Annotation, "Any") {
				return takes
			}
			return at.Takes &^ (framework.List | framework.Mapping) // of elements with types, which awhost does not check
		},
	})
	for i, want := range drawn.Compose(t, python, omegaComposer, cases)[1:] {
		compare(t, installed, cases[i], base, want)
	}
}

func compare(t *testing.T, installed *settings.Installed, c drawn.Case, base, want drawn.Composed) {
	t.Helper()
	r := &resolved{installed: installed, settings: &framework.Settings{Schema: installed.Schema}}
	all, err := framework.FileSettings("mine.yaml", []byte(c.YAML))
	if err != nil {
		t.Fatal(err)
	}
	encoded, err := json.Marshal(c.Spec)
	if err != nil {
		t.Fatal(err)
	}
	r.write(all...)
	r.config.Overrides, r.knobs = encoded, sdk.Knobs{Overrides: c.Command}
	refused := r.written()
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s\n%s\n"+format, append([]any{c.YAML, strings.Join(c.Override, "\n")}, args...)...)
	}
	if refused != nil || len(r.problems) > 0 || want.Error != "" {
		if refused == nil && len(r.problems) == 0 || want.Error == "" {
			fail("awhost refuses it with %v and %v, and AReaL with %q", refused, r.problems, want.Error)
		}
		return
	}
	got := map[string]any{}
	for key, text := range base.Raw {
		got[key], _ = framework.FromJSON(text)
	}
	for _, key := range r.settings.Keys() {
		got[key], _ = r.settings.Raw(key)
	}
	for key := range got {
		if r.nullAbove(key) != nil {
			delete(got, key)
			continue
		}
		for above, _, ok := framework.CutLast(key); ok; above, _, ok = framework.CutLast(above) {
			delete(got, above) // an empty mapping, which gives way to what is set below it
		}
	}
	for key, text := range want.Raw {
		own, there := got[key]
		if theirs, err := framework.FromJSON(text); err != nil || !there || !framework.Equal(own, theirs) {
			fail("%s is %#v (%v) for awhost, and %s for AReaL", key, own, there, text)
		}
		if value, known := r.settings.Value(key); known {
			if theirs, err := framework.FromJSON(want.Values[key]); err != nil || !framework.Equal(value, theirs) {
				fail("%s = %s leads to %#v for awhost, and to %s for AReaL", key, text, value, want.Values[key])
			}
		}
		delete(got, key)
	}
	if len(got) > 0 {
		fail("AReaL has no %v", slices.Sorted(maps.Keys(got)))
	}
}
