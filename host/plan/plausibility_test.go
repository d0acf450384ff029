package plan_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/awhost/awhost/host/diag"
)

// Impossible and probably unintended settings are reported before anything runs, at their location and with a remedy.
func TestMake_SeesWhatCannotWork(t *testing.T) {
	for name, test := range map[string]struct {
		changes  []string
		data     string // of data/train.jsonl; empty: two tasks with their answers
		severity diag.Severity
		summary  string
		line     string // the displayed line of the spec
		want     []string
	}{
		"no answers": {
			data:     `{"id":"a","prompt":"1 + 2","solution":"3"}` + "\n" + `{"id":"b","prompt":"2 + 2","solution":"4"}` + "\n",
			severity: diag.Error,
			summary:  "Data without ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"reward.scripted.answer cannot work without a ground truth, and none of its 2 tasks has one",
				"train.jsonl:1 has prompt, solution in public and nothing in private", `map = { ground_truth = "solution" }`},
		},
		"answers that are hidden under another name": {
			changes: []string{`{ path = "data/train.jsonl" }`,
				"{\n  path = \"data/train.jsonl\"\n  private = [\"solution\"]\n}"},
			data: `{"id":"a","prompt":"1 + 2","solution":"3"}` + "\n", severity: diag.Warning,
			summary: "Data without ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"prompt in public and solution in private", `map = { ground_truth = "solution" }`},
		},
		"an answer that is missing": {
			data:     `{"id":"a","prompt":"1 + 2","ground_truth":"3"}` + "\n" + `{"id":"b","prompt":"2 + 2"}` + "\n",
			severity: diag.Warning,
			summary:  "Data without ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"1 of its 2 tasks have none", "train.jsonl:2 has prompt in public"},
		},
		"an answer that is null": {
			data: `{"id":"a","prompt":"1 + 2","ground_truth":null}` + "\n", severity: diag.Error,
			summary: "Data without ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"none of its 1 tasks has one"},
		},
		"an environment that may have the answers itself": {
			changes: []string{
				`environment "scripted" "desk"`, `environment "scripted_keyed" "desk"`, "environment.scripted.desk",
				"environment.scripted_keyed.desk",
				`reward "scripted" "answer" { bonus = var.bonus }`, `reward "scripted_blind" "answer" { bonus = var.bonus }`,
				"reward.scripted.answer", "reward.scripted_blind.answer",
			},
			data: rowsOf(1, `"prompt":"1 + 2"`), severity: diag.Warning,
			summary: "Data without ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"environment.scripted_keyed.desk takes a ground truth, and none of its 1 tasks has one",
				"unless it finds the answers by the ids of the tasks"},
		},
		"an environment whose block asks for the answers": {
			changes: []string{
				`environment "scripted" "desk" {`, `environment "scripted" "desk" { take_truth = true `,
				`reward "scripted" "answer" { bonus = var.bonus }`, `reward "scripted_blind" "answer" { bonus = var.bonus }`,
				"reward.scripted.answer", "reward.scripted_blind.answer",
			},
			data: rowsOf(1, `"prompt":"1 + 2"`), severity: diag.Warning,
			summary: "Data without ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"environment.scripted.desk takes a ground truth, and none of its 1 tasks has one"},
		},
		"an environment that may have the answers, and a reward that cannot": {
			changes: []string{`environment "scripted" "desk"`, `environment "scripted_keyed" "desk"`,
				"environment.scripted.desk", "environment.scripted_keyed.desk"},
			data: rowsOf(1, `"prompt":"1 + 2"`), severity: diag.Error,
			summary: "Data without ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"reward.scripted.answer cannot work without a ground truth"},
		},
		"answers that begin late": {
			data: rowsOf(100, `"prompt":"1 + 2"`) + rowsOf(300, `"prompt":"1 + 2","ground_truth":"3"`), severity: diag.Warning,
			summary: "Data without ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"100 of its 400 tasks have none", "train.jsonl:1 has prompt in public"},
		},
		"answers that begin late in large data": {
			data:     rowsOf(50_000, `"prompt":"1 + 2"`) + rowsOf(50_000, `"prompt":"1 + 2","ground_truth":"3"`),
			severity: diag.Warning, summary: "Data without ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"15000 of 30000 sampled tasks of its 100000 have none"},
		},
		"private parts that begin late": {
			changes: []string{`{ path = "data/train.jsonl" }`, "{\n  path = \"data/train.jsonl\"\n  private = [\"rubric\"]\n}"},
			data:    rowsOf(150, `"prompt":"1 + 2"`) + rowsOf(1, `"prompt":"1 + 2","rubric":"3"`), severity: diag.Warning,
			summary: "Data without ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"none of its 151 tasks has one"},
		},
		"a ground truth that is an object": {
			changes: rewardOfType("scripted_typed"), severity: diag.Error,
			data:    rowsOf(2, `"prompt":"1 + 2","answer":"3"`) + rowsOf(1, `"prompt":"1 + 2","answer":{"value":"3"}`),
			summary: "Wrong type of ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"train.jsonl:3 has another type: object", "accepts a string or number as ground truth", "Map "},
		},
		"an accepted answer that is null": {
			changes: rewardOfType("scripted_typed"), severity: diag.Error,
			data:    rowsOf(1, `"prompt":"1 + 2","answer":["3",3]`) + rowsOf(1, `"prompt":"1 + 2","answer":["3",null]`),
			summary: "Wrong type of ground truth", line: `path = "data/train.jsonl"`,
			want: []string{"train.jsonl:2 has another type: list of null"},
		},
		"no accepted answer": {
			changes: rewardOfType("scripted_typed"), severity: diag.Error, data: rowsOf(1, `"prompt":"1 + 2","answer":[]`),
			summary: "Wrong type of ground truth", line: `path = "data/train.jsonl"`, want: []string{"another type: empty list"},
		},
		"an agent that gets the answers": {
			changes:  scriptedWith("private = [\"ground_truth\"]"),
			severity: diag.Warning, summary: "Private columns reach an agent", line: `private = ["ground_truth"]`,
			want: []string{"agent.scripted.solver gets ground_truth of each task", "Remove private"},
		},
		"a private column that no task has": {
			changes: scriptedWith("private = [\"anser\"]"),
			data:    `{"id":"a","prompt":"1 + 2","answer":"3"}` + "\n", severity: diag.Error,
			summary: "Unknown private column", line: `private = ["anser"]`,
			want: []string{"dataset.jsonl.train have no private column anser", "are answer (ground_truth)"},
		},
		"a step that fits into no memory": {
			changes: []string{"concurrency = 8", "batch { prompts = 32000000000 }"}, severity: diag.Error,
			summary: "A step does not fit into memory", line: "prompts = 32000000000",
			want: []string{"32000000000 prompts", "Use fewer prompts"},
		},
		"more prompts than tasks": {
			changes: []string{"concurrency = 8", "batch { prompts = 3 }"}, severity: diag.Warning,
			summary: "More prompts than tasks", line: "prompts = 3",
			want: []string{"uses 3 prompts, but dataset.jsonl.train has only 2 tasks", "prompts = 2 or less"},
		},
		"a learning rate without its exponent": {
			changes: []string{"concurrency = 8", "optimizer { learning_rate = 1000 }"}, severity: diag.Warning,
			summary: "Very high learning rate", line: "learning_rate = 1000",
			want: []string{"learning_rate = 1000", "1e-6 to 1e-3"},
		},
		"a warm-up from a longer run": {
			changes: []string{"concurrency = 8", "optimizer { warmup_steps = 500 }"}, severity: diag.Warning,
			summary: "Warm-up longer than the run", line: "warmup_steps = 500",
			want: []string{"warmup_steps = 500", "% of its learning_rate"},
		},
		"a concurrency with three zeros too many": {
			changes: []string{"concurrency = 8", "concurrency = 640000"}, severity: diag.Warning,
			summary: "Very high concurrency", line: "concurrency = 640000",
			want: []string{"Check the number of zeros"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSetting(t, test.changes...)
			if test.data != "" {
				s.write(t, []txtar.File{{Name: "data/train.jsonl", Data: []byte(test.data)}})
			}
			_, problems := s.make(t)
			var found *diag.Diagnostic
			for i := range problems {
				if problems[i].Summary == test.summary {
					found = &problems[i]
				}
			}
			if found == nil {
				t.Fatalf("not said, but %v", problems)
			}
			if found.Severity != test.severity || found.Range == nil || found.Snippet == nil ||
				!strings.Contains(found.Snippet.Code, test.line) {
				t.Errorf("%s at %+v: %+v", found.Severity, found.Range, found.Snippet)
			}
			for _, want := range test.want {
				if !strings.Contains(found.Detail, want) {
					t.Errorf("%q is not in %q", want, found.Detail)
				}
			}
		})
	}
}

// scriptedWith changes the agent to a plugin's, with an attribute.
func scriptedWith(attribute string) []string {
	const body = " \"solver\" {\n  environment = environment.scripted.desk\n"
	return []string{
		`agent "react" "solver" { environment = environment.scripted.desk }`,
		`agent "scripted"` + body + "  " + attribute + "\n}", "agent.react", "agent.scripted",
	}
}

// rowsOf returns n equal JSON lines.
func rowsOf(n int, fields string) string { return strings.Repeat("{"+fields+"}\n", n) }

// A reward that can judge without an answer accepts data without one.
func TestMake_DataWithoutAnswersForARewardThatNeedsNone(t *testing.T) {
	for _, typ := range []string{"scripted_blind", "scripted_lenient"} {
		s := newSetting(t, rewardOfType(typ)...)
		s.write(t, []txtar.File{{Name: "data/train.jsonl", Data: []byte(`{"id":"a","prompt":"1 + 2"}` + "\n")}})
		s.mustMake(t)
	}
}

// A list of accepted answers has the types of its elements.
func TestMake_AcceptedAnswers(t *testing.T) {
	s := newSetting(t, rewardOfType("scripted_typed")...)
	rows := rowsOf(1, `"prompt":"1 + 2","answer":["3",3]`) + rowsOf(1, `"prompt":"2 + 2","answer":4`)
	s.write(t, []txtar.File{{Name: "data/train.jsonl", Data: []byte(rows)}})
	s.mustMake(t)
}

// rewardOfType changes the reward to another one of the same plugin.
func rewardOfType(name string) []string {
	return []string{
		`reward "scripted" "answer" { bonus = var.bonus }`, `reward "` + name + `" "answer" { bonus = var.bonus }`,
		"reward.scripted.answer", "reward." + name + ".answer",
	}
}
