package findings_test

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/scan"
	"github.com/awhost/awhost/internal/readme"
	"github.com/awhost/awhost/internal/realtest"
)

var update = flag.Bool("update", false, "write the page of findings")

// The page must equal the one generated from the rules.
//
//go:generate go test -count=1 -run ^TestPage_IsUpToDate$ . -update
func TestPage_IsUpToDate(t *testing.T) {
	path := filepath.Join("..", "..", "docs", findings.Page+".md")
	want := page()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s differs from the rules: run go generate ./host/findings", path)
	}
}

func page() string {
	var out strings.Builder
	out.WriteString(`# When it does not learn

awhost evaluates each step and reports *findings*: in the terminal when one is found and at the end of
` + "`apply`" + `, in ` + "`awhost show`" + `, as [JSON events](../reference/json-events.md), and as a [Prometheus
counter](telemetry.md). A finding names its steps, its numbers, likely causes, and a remedy. By default, it
only warns. A spec can react, and decide the exit code for CI:

` + "```hcl" + `
findings {
  on "reward_divergence" {
    action = "stop" # after the step; the run can be resumed
    after  = 3      # consecutive steps with the finding
  }
  on "cut" { action = "mask" } # such episodes are not trained
}
expect "held_out" { condition = validation.success_rate > 0.8 }
` + "```" + `

A rule whose metrics an adapter does not report is not checked: ` + "`awhost show --all`" + ` lists such rules.
Changes count from about three standard errors on, so that the noise of small batches does not count. The rules from
[validation_in_training](#validation_in_training) on are about tasks:
` + "`plan` checks a sample, and `awhost data check`" + ` checks all.
This page is generated from [host/findings/rules.go](../../host/findings/rules.go).
`)
	for _, rule := range findings.Rules() {
		if rule.ID == scan.RewardHack {
			out.WriteString(scans)
		}
		severity := "A warning"
		if rule.Severity == event.FindingError {
			severity = "An error"
		}
		fmt.Fprintf(&out, "\n## %s\n\n", rule.ID)
		text := fmt.Sprintf("%s: %s.", severity, lower(rule.Title))
		if len(rule.Needs) > 0 {
			text += " Reads `" + strings.Join(rule.Needs, "`, `") + "`."
		}
		if len(rule.Any) > 0 {
			text += " Reads `" + strings.Join(rule.Any, "` or `") + "`."
		}
		if rule.Masks != "" {
			text += " It can mask " + rule.Masks + "."
		}
		out.WriteString(paragraph(text) + "\n")
		for _, cause := range rule.Causes {
			out.WriteString(readme.Item("* " + cause))
		}
		out.WriteString("\n" + paragraph(rule.Remedy+"."))
	}
	writeFaults(&out)
	return out.String()
}

// writeFaults lists the planted faults that are found in real runs. To record them again, remove the file, and run with
// AWHOST_SLOW=1 AWHOST_RESULTS=$PWD/host/findings/testdata/faults.jsonl:
//
//	go test -timeout 60m -run TestFaults ./examples
//	go test -timeout 60m -run FindsPolicyFaults ./examples/trl    # also swift, verl, and areal
func writeFaults(out *strings.Builder) {
	out.WriteString(`
## Faults that are known to be found

In the [quick start](../start/quick-start.md), with one fault each. Some are found in the data, before the first step.

| fault | finding | step |
|---|---|--:|
`)
	data, err := os.ReadFile(filepath.Join("testdata", "faults.jsonl"))
	if err != nil {
		panic(err)
	}
	var faults, trainers, warnings []string
	clean := map[string]int{}        // runs without a fault, by trainer
	policy := map[[2]string]string{} // by fault and trainer
	for line := range strings.Lines(string(data)) {
		var r realtest.Result
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			panic(err)
		}
		if r.What == realtest.Clean {
			clean[cmp.Or(strings.TrimSuffix(r.Framework, "local"), "the quick start")]++
			warnings = append(warnings, r.Warnings...)
			continue
		}
		step := "data"
		if r.Steps > 0 {
			step = fmt.Sprint(r.Steps)
		}
		if r.Framework == "local" {
			fmt.Fprintf(out, "| %s | [%s](#%s) | %s |\n", r.Detail, r.Finding, r.Finding, step)
			continue
		}
		trainer := r.Framework + " " + r.Version
		if !slices.Contains(trainers, trainer) {
			trainers = append(trainers, trainer)
		}
		if !slices.Contains(faults, r.Detail) {
			faults = append(faults, r.Detail)
		}
		if policy[[2]string{r.Detail, trainer}] = step; r.Finding == "" {
			policy[[2]string{r.Detail, trainer}] = "no finding"
		}
	}
	if len(trainers) > 0 {
		out.WriteString(`
Faults of the sampler's policy: the step in which [policy_gap](#policy_gap) finds them. The resume follows step 2.
Empty: not planted.

| fault |`)
		for _, trainer := range trainers {
			out.WriteString(" " + trainer + " |")
		}
		out.WriteString("\n|---|" + strings.Repeat("--:|", len(trainers)) + "\n")
		for _, fault := range faults {
			out.WriteString("| " + fault + " |")
			for _, trainer := range trainers {
				out.WriteString(" " + policy[[2]string{fault, trainer}] + " |")
			}
			out.WriteString("\n")
		}
	}
	if len(clean) == 0 {
		return
	}
	var runs []string
	for _, trainer := range slices.Sorted(maps.Keys(clean)) {
		runs = append(runs, fmt.Sprintf("%s (%d)", trainer, clean[trainer]))
	}
	out.WriteString("\n" + paragraph("Runs without a fault, of "+strings.Join(runs, ", ")+", have no error. Their "+
		"warnings after the first step: "+cmp.Or(strings.Join(warnings, ", "), "none")+"."))
}

const scans = `
## Scans

Scans look for problems in conversations: rules in all of them, a model in a sample. They never change, delay, or
stop a run. [awhost scan](../reference/cli/scan.md) scans later.

` + "```hcl" + `
reward "llm_judge" "scan" { # any reward; each of its components is a problem
  base_url     = "http://localhost:8000/v1"
  name         = "judge"
  judges       = "transcript"
  max_calls    = 500
  instructions = "Begin the reason with the number of the message, as in message 3."
  criterion "rude" { text = "The assistant is rude." }
}

train "solver" {
  scan "rules" {}
  scan "model" {
    judge = reward.llm_judge.scan
    every = 20
  }
  …
}
` + "```" + `

[Judges](judges.md#llm_judge) describes budget, stored verdicts, and quoting. The tests use a scripted server: how well
a real model finds problems was not measured.

In 600 conversations that other people wrote and labelled, the rules found 79 % of the problems (hacked rewards 57 %,
leaked answers 79 %, environments 81 %, refusals 90 %, loops 91 %), and 5 % of what they found was none.
`

func paragraph(text string) string { return strings.ReplaceAll(readme.Item(text), "\n  ", "\n") }

func lower(s string) string { return strings.ToLower(s[:1]) + s[1:] }
