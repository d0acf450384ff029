package spec_test

import (
	"strings"
	"testing"

	"github.com/awhost/awhost/host/diag"
	"github.com/awhost/awhost/host/spec"
)

// Expressions that cannot work are found when the spec is read: by the ranges of their inputs, and by their values at
// the ends of the ranges.
func TestExpression_WhatCannotWork(t *testing.T) {
	for _, test := range []struct {
		name, attributes string
		severity         diag.Severity
		summary          string
		want, at         string // text of the detail; the underlined text
	}{
		{"a percentage", `stage "a" { advance_when = validation.success_rate > 80 }`, diag.Error, "Constant comparison",
			"is always false. validation.success_rate is a fraction between 0 and 1. Write 0.8 for 80 %",
			"validation.success_rate > 80"},
		{"more than all", `stage "a" { advance_when = validation.success_rate > 1 }`,
			diag.Error, "Constant comparison",
			"is always false", "validation.success_rate > 1"},
		{"less than none", `stage "a" { advance_when = 0 > validation.success_rate }`,
			diag.Error, "Constant comparison",
			"is always false", "0 > validation.success_rate"},
		{"fewer turns than none", `success = episode.num_turns < 0`,
			diag.Error, "Constant comparison",
			"episode.num_turns is 1 or more", "episode.num_turns < 0"},
		{"a percentage and another condition",
			`stage "a" { advance_when = validation.success_rate > 80 || validation.reward > 3 }`, diag.Error,
			"Constant comparison", "is always false", "validation.success_rate > 80"},
		{"always so", `stage "a" { advance_when = validation.success_rate > -1 }`, diag.Error, "Constant comparison",
			"is always true", "validation.success_rate > -1"},
		{"a negative number of turns", `success = episode.num_turns < -1`, diag.Error, "Constant comparison",
			"episode.num_turns is 1 or more", "episode.num_turns < -1"},
		{"in a reward", `reward = episode.num_turns < -1 ? 0 : reward.gaia.answer`, diag.Error, "Constant comparison",
			"is always false", "episode.num_turns < -1"},
		{"in a local", `reward = local.late`, diag.Error, "Constant comparison", "is always false", "episode.num_turns < -5"},
		{"a reward that is always the same", `reward = reward.gaia.answer.score > 0 ? 2 : 2`, diag.Error, "Constant reward",
			"reward is 2 for every", "reward.gaia.answer.score > 0 ? 2 : 2"},
		{"a condition that never changes", `success = reward.gaia.answer.is_success || true`, diag.Error,
			"Constant condition", "success is always true", "reward.gaia.answer.is_success || true"},
		{"a constant and a variable", `success = var.off && false && reward.gaia.answer.is_success`, diag.Error,
			"Constant condition", "success is always false", "var.off && false && reward.gaia.answer.is_success"},
		{"a local without variables", `stage "a" { advance_when = validation.success_rate > local.percent }`, diag.Error,
			"Constant comparison", "is always false", "validation.success_rate > local.percent"},
		{"a goal out of range by a variable", `stage "a" { advance_when = validation.success_rate >= var.goal }`,
			diag.Warning, "Constant comparison",
			"is always false with the current values of the variables", "validation.success_rate >= var.goal"},
		{"a goal out of range by a variable in a local", `stage "a" { advance_when = validation.success_rate >= local.goal }`,
			diag.Warning, "Constant comparison",
			"with the current values of the variables", "validation.success_rate >= local.goal"},
		{"a reward that a variable makes the same", `reward = var.off ? reward.gaia.answer.score : 1`, diag.Warning,
			"Constant reward",
			"is 1 with the current values of the variables", "var.off ? reward.gaia.answer.score : 1"},
		{"a division by zero", `reward = reward.gaia.answer / 0`, diag.Error, "Expression without a value",
			"reward always fails: Operation failed at", "reward.gaia.answer / 0"},
		{"a division by nothing in a local", `reward = local.none`, diag.Error, "Expression without a value",
			"divide zero by zero", "local.none"},
		{"a logit", `reward = log(reward.gaia.answer.score / (1 - reward.gaia.answer.score), 10)`, diag.Warning,
			"Expression without a value in some cases",
			"if reward.gaia.answer.score = 0, reward has no value",
			"log(reward.gaia.answer.score / (1 - reward.gaia.answer.score), 10)"},
		{"a table of scores above 1", `reward = { "2" = 0.5, "3" = 1 }[tostring(reward.gaia.answer.score)]`, diag.Warning,
			"Expression without a value in some cases",
			"if reward.gaia.answer.score = 0, reward has", `{ "2" = 0.5, "3" = 1 }[tostring(reward.gaia.answer.score)]`},
		{"a table of scores below 0", `reward = { "-1" = 0.5 }[tostring(reward.gaia.answer.score)] + (reward.format.tags.is_success ? 1 : 0)`, diag.Warning, "Expression without a value in some cases",
			"if reward.gaia.answer.score = 0",
			`{ "-1" = 0.5 }[tostring(reward.gaia.answer.score)] + (reward.format.tags.is_success ? 1 : 0)`},
		{"a division that may fail", `reward = 1 / reward.gaia.answer.score`, diag.Warning,
			"Expression without a value in some cases", "if reward.gaia.answer.score = 0, reward has no value",
			"1 / reward.gaia.answer.score"},
		{"a division by the turns after the first", `reward = reward.gaia.answer / (episode.num_turns - 1)`, diag.Warning,
			"Expression without a value in some cases", "episode.num_turns = 1", "reward.gaia.answer / (episode.num_turns - 1)"},
		{"an advance that may stop the run", `stage "a" { advance_when = validation.reward / validation.success_rate < 2 }`,
			diag.Warning, "Expression without a value in some cases", "validation.success_rate = 0",
			"validation.reward / validation.success_rate < 2"},
	} {
		t.Run(test.name, func(t *testing.T) {
			problems := expressionProblems(t, test.attributes)
			if len(problems) == 0 {
				t.Fatal("want a problem, got none")
			}
			d := problems[0]
			if d.Severity != test.severity || d.Summary != test.summary || !strings.Contains(d.Detail, test.want) {
				t.Errorf("%s: %s: %s", d.Severity, d.Summary, d.Detail)
			}
			if d.Range == nil || d.Range.Start.Line == 0 || d.Snippet == nil || !strings.Contains(d.Snippet.Code, test.at) ||
				d.Range.End.Byte-d.Range.Start.Byte != len(test.at) {
				t.Errorf("got range %+v, snippet %+v; want %s", d.Range, d.Snippet, test.at)
			}
		})
	}
}

// Expressions that may be intended are accepted.
func TestExpression_WhatMayBeMeant(t *testing.T) {
	for _, attributes := range []string{
		`stage "a" { advance_when = validation.success_rate > 0.8 && validation.reward > 80 }`,
		`stage "a" { advance_when = validation.success_rate >= 1 }`,
		`stage "a" { advance_when = validation.success_rate < 1 }`,
		`stage "a" { advance_when = validation.reward > 1 || validation.success_rate > 0 }`,
		`success = episode.num_turns > 1`,
		`stage "a" { advance_when = false }`,
		`stage "a" { advance_when = local.weight > 3 }`,
		`reward = reward.gaia.answer.score > 80 ? 1 : 0`,
		`reward = reward.gaia.answer / episode.num_turns`,
		`reward = episode.num_turns > 0 ? reward.gaia.answer / episode.num_turns : 0`,
		`reward = reward.gaia.answer / max(1, episode.num_turns)`,
		`reward = reward.gaia.answer.score > 0 ? 1 / reward.gaia.answer.score : 0`,
		`reward = sum_of_nothing_is_no_function == 1 ? 1 : 0`,
		`reward = max([for r in [reward.gaia.answer, reward.format.tags] : r > 5 ? r : 0]...)`,
		`reward = reward.gaia.answer.components.exact + reward.gaia.answer.components.numeric + reward.gaia.answer.components.list + reward.format.tags + episode.num_turns`,
		`success = true`,
		`stage "a" { advance_when = var.off ? validation.success_rate > 0.8 : false }`,
		`stage "a" { advance_when = var.off && validation.success_rate > 0.8 }`,
		`stage "a" { advance_when = local.off && validation.success_rate > 0.8 }`,
		`stage "a" { advance_when = local.switched }`,
		`success = var.off ? reward.gaia.answer.score == 1 : true`,
		`reward = try(1 / local.weight, 0) * reward.gaia.answer`,
	} {
		for _, d := range expressionProblems(t, attributes) {
			if strings.Contains(attributes, "no_function") {
				continue // another error is found and is the only one reported
			}
			t.Errorf("%s: %s: %s", attributes, d.Summary, d.Detail)
		}
	}
}

func expressionProblems(t *testing.T, attributes string) diag.Diagnostics {
	t.Helper()
	if !strings.HasPrefix(attributes, "reward") {
		attributes = "reward = reward.gaia.answer\n" + attributes
	}
	dir := write(t, map[string]string{"a.jsonl": "", "train.hcl": `
dataset "jsonl" "a" { path = "a.jsonl" }
agent "react" "solver" {}
reward "gaia" "answer" {}
reward "format" "tags" {}
adapter "local" "x" {}
variable "off" { default = false }
variable "goal" {
  type    = number
  default = 2
}
locals {
  weight   = 0.25
  percent  = 80
  off      = var.off
  goal     = var.goal + 1
  switched = var.off && validation.success_rate > 0.8
  late   = episode.num_turns < -5 ? 0 : reward.gaia.answer
  none   = reward.gaia.answer / (local.weight - 0.25)
}
train "x" {
  agent   = agent.react.solver
  dataset = dataset.jsonl.a
  adapter = adapter.local.x
  steps   = 1
` + attributes + "\n}\n"})
	_, problems := spec.Load(dir+"/train.hcl", spec.Options{Schemas: fakePlugins{}})
	return problems
}
