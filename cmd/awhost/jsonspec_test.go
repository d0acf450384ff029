package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
)

// jsonSpec checks a spec in JSON syntax: with the schema that `awhost schema` prints, and in the same way as
// validate.
type jsonSpec struct {
	schema *jsonschema.Schema
	source string
	load   func(text string) diag.Diagnostics
}

func newJSONSpec(t *testing.T) *jsonSpec {
	t.Helper()
	c, err := (&app{}).openCatalog(&spec.Head{Dir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(spec.JSONSchema(c))))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("spec.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := compiler.Compile("spec.json")
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("testdata/json/train.hcl.json")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "train.hcl.json")
	if err := os.CopyFS(filepath.Join(filepath.Dir(path), "data"), os.DirFS("../../data")); err != nil {
		t.Fatal(err)
	}
	return &jsonSpec{compiled, string(source), func(text string) diag.Diagnostics {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		_, problems := spec.Load(path, spec.Options{Schemas: c, Version: sdk.Version})
		return problems
	}}
}

// with returns the source with one change.
func (j *jsonSpec) with(t *testing.T, old, fresh string) string {
	t.Helper()
	if n := strings.Count(j.source, old); n != 1 {
		t.Fatalf("the spec has %q %d times", old, n)
	}
	return strings.Replace(j.source, old, fresh, 1)
}

func (j *jsonSpec) validate(t *testing.T, text string) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return j.schema.Validate(value)
}

// The quick start in JSON, and other notations of it, must be valid.
func TestJSONSchema_AcceptsSpecs(t *testing.T) {
	j := newJSONSpec(t)
	for name, change := range map[string][2]string{
		"as it is":                   {`"seed": 1`, `"seed": 1`},
		"a number in a string":       {`"seed": 1`, `"seed": "1"`},
		"an expression for a number": {`"max_turns": 4`, `"max_turns": "${2 + 2}"`},
		"nothing":                    {`"max_turns": 4`, `"max_turns": null`},
		"a boolean in a string":      {`"before_train": true`, `"before_train": "true"`},
		"a duration":                 {`"seed": 1`, `"seed": 1, "episode_timeout": "1m30s"`},
		"an array of labels": {`"environment": { "calculator": { "desk": {} } }`,
			`"environment": [ { "calculator": { "desk": {} } }, { "calculator": { "other": [ {} ] } } ]`},
		"a constant reward": {`"reward": "${reward.calculator.shape.score}"`,
			`"reward": "${0.5 * reward.calculator.shape.score}"`},
		"epochs":               {`"steps": "${var.steps}"`, `"epochs": 0.5`},
		"a comment in a block": {`"seed": 1`, `"//": "why", "seed": 1`},
		"stages": {`"steps": "${var.steps}"`,
			`"stage": { "first": { "steps": 2 }, "second": { "steps": 3, "advance_when": "${validation.success_rate > 0.8}" } }`},
		"a dynamic block": {`"on_failure": { "environment": { "action": ["retry", "mask"], "budget": 1 } }`,
			`"dynamic": { "on_failure": { "for_each": ["environment", "timeout"], "labels": ["${on_failure.value}"], "content": { "action": ["mask"] } } }`},
		"locals and requirements": {`"output": {`, `"locals": { "half": "${1 / 2}" }, "awhost": { "required_version": ">= 0.1" }, "output": {`},
	} {
		t.Run(name, func(t *testing.T) {
			text := j.with(t, change[0], change[1])
			if problems := j.load(text); problems.HasErrors() {
				t.Errorf("awhost refuses it: %v", problems)
			}
			if err := j.validate(t, text); err != nil {
				t.Errorf("the schema refuses it: %v", err)
			}
		})
	}
}

// Typical mistakes must be detected by the schema, and thus by editors, and by awhost.
func TestJSONSchema_RefusesMistakes(t *testing.T) {
	j := newJSONSpec(t)
	for name, change := range map[string][2]string{
		"a misspelt attribute":          {`"max_turns"`, `"max_turn"`},
		"a misspelt knob":               {`"group_size"`, `"groupsize"`},
		"a misspelt block":              {`"batch": {`, `"batches": {`},
		"a misspelt kind":               {`"environment": { "calc`, `"enviroment": { "calc`},
		"an unknown type":               {`"gaia": { "answer"`, `"gaja": { "answer"`},
		"a word for a number":           {`"prompts": 32`, `"prompts": "many"`},
		"a list for a number":           {`"prompts": 32`, `"prompts": [32]`},
		"a fraction for a whole number": {`"prompts": 32`, `"prompts": 1.5`},
		"a number that is too small":    {`"max_turns": 4`, `"max_turns": 0`},
		"a number that is too large":    {`"max_turns": 4`, `"max_turns": 20000`},
		"a word for a truth value":      {`"before_train": true`, `"before_train": "yes"`},
		"a value that is none of those": {`"limits": {`, `"limits": { "overlong": "ignore",`},
		"a duration without unit":       {`"seed": 1`, `"seed": 1, "episode_timeout": "90"`},
		"another kind of reference":     {`"adapter": "adapter.local.grpo"`, `"adapter": "agent.react.solver"`},
		"half a reference":              {`"adapter": "adapter.local.grpo"`, `"adapter": "adapter.local"`},
		"an object for a reference":     {`"adapter": "adapter.local.grpo"`, `"adapter": {}`},
		"a reward without ${}": {`"reward": "${reward.calculator.shape.score}"`,
			`"reward": "reward.calculator.shape.score"`},
		"no adapter":                     {`"adapter": "adapter.local.grpo",`, ``},
		"a required attribute missing":   {`"train": { "path": "data/arithmetic.train.jsonl" }`, `"train": {}`},
		"a required attribute that is 0": {`"train": { "path": "data/arithmetic.train.jsonl" }`, `"train": { "path": null }`},
		"a block that is there twice": {`"batch": { "prompts": 32, "group_size": 8 }`,
			`"batch": [ { "prompts": 32 }, { "group_size": 8 } ]`},
		"a value for a block":          {`"batch": { "prompts": 32, "group_size": 8 }`, `"batch": 32`},
		"a variable with an attribute": {`"description": "optimiser steps"`, `"help": "optimiser steps"`},
		"a validation without message": {`, "error_message": "steps must be positive."`, ``},
		"an output without value": {`"output": { "checkpoint": { "value": "${train.quickstart.checkpoint}" } }`,
			`"output": { "checkpoint": {} }`},
		"a label that is missing": {`"environment": { "calculator": { "desk": {} } }`,
			`"environment": { "calculator": { "max_turns": 3 } }`},
	} {
		t.Run(name, func(t *testing.T) {
			text := j.with(t, change[0], change[1])
			if problems := j.load(text); !problems.HasErrors() {
				t.Error("awhost accepts it")
			} else if problems[0].Range == nil || problems[0].Range.Start.Line < 2 {
				t.Errorf("it is not placed: %v", problems)
			}
			if err := j.validate(t, text); err == nil {
				t.Error("the schema accepts it")
			}
		})
	}
}
