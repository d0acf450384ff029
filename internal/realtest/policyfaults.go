package realtest

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/sdk/metric"
)

// The faults of a policy that FindsPolicyFaults plants.
const (
	NoFault    = "none"
	LoRAOff    = "LoRA off"
	BaseResume = "base weights after a resume"
	maskFault  = "mask shifted by one"
)

// policyFaults has the first step that shows each fault, and words of the likeliest cause.
var policyFaults = []struct {
	fault string
	step  int
	cause string
}{
	{NoFault, 0, ""},
	{"first weights kept", 2, "did not get the trained weights"},
	{"one step late", 2, ""},
	{LoRAOff, 2, "did not get the trained weights"},
	{BaseResume, 3, "after a resume"},
	{"temperature", 1, "temperature"},
	{"another template", 1, ""},
	{maskFault, 1, ""},
}

// FindsPolicyFaults checks that the finding policy_gap reports each fault within two steps, and that a run without a
// fault does not have it. sampler is the module with a function sample(model, requests, ...), and mask is Python code
// that shifts the mask of rows. run trains three steps of an example that change prepares, with a resume after step 2
// for BaseResume; it skips faults that do not apply. record records a result for each other fault.
func FindsPolicyFaults(t *testing.T, record func(*testing.T, Result), sampler, mask string,
	run func(t *testing.T, fault string, change func(dir string)) (runDir string)) {
	Slow(t)
	for _, test := range policyFaults {
		t.Run(test.fault, func(t *testing.T) {
			code := mask
			if test.fault != maskFault {
				code = fmt.Sprintf("fault, first = %q, %q\n%schanges = {%q: change}\n", test.fault,
					filepath.Join(t.TempDir(), "first.pt"), faultySampler, sampler)
			}
			dir := run(t, test.fault, func(dir string) { plant(t, dir, Mutant(t, code)) })
			found := policyGaps(t, dir)
			for step, values := range Steps(t, dir) {
				t.Logf("step %d: mean %.3g, p99 %.3g, largest %.3g, bias %.3g, entropy %.3g", step, values[metric.LogprobGapMean],
					values[metric.LogprobGapP99], values[metric.LogprobGap], values[metric.LogprobBias], values[metric.Entropy])
			}
			if test.step == 0 {
				if len(found) > 0 {
					t.Errorf("a run without a fault has the finding: %+v", found)
				}
				record(t, Result{What: Found, Detail: test.fault})
				return
			}
			if len(found) == 0 {
				t.Fatal("the fault is not found")
			}
			last := found[len(found)-1]
			if found[0].First < test.step || found[0].First > test.step+1 || !strings.Contains(last.Causes[0], test.cause) {
				t.Errorf("found in step %d, with the causes %q: %s; want step %d, %q", found[0].First, last.Causes, last.Summary,
					test.step, test.cause)
			}
			t.Logf("%s: %s %q", last.Severity, last.Summary, last.Causes)
			record(t, Result{What: Found, Detail: test.fault, Finding: last.ID, Steps: found[0].First})
		})
	}
}

// plant adds a directory of Python modules to an example, and makes each of its steps an update with a checkpoint,
// without validation.
func plant(t *testing.T, dir, site string) {
	t.Helper()
	path := filepath.Join(dir, "train.hcl")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range [][2]string{
		{`  validation = .*\n`, ""}, {`  validate \{[^}]*\}\n`, ""}, {`warmup_steps  = .*`, "warmup_steps  = 0"},
		{`  checkpoint \{[^}]*\}`, fmt.Sprintf("  env { PYTHONPATH = %q }\n  checkpoint { every = 1 }", site)},
	} {
		before := text
		if text = regexp.MustCompile(change[0]).ReplaceAll(text, []byte(change[1])); bytes.Equal(text, before) {
			t.Fatalf("%s has no match of %s", path, change[0])
		}
	}
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
}

// CheckClean checks that a run without a fault has no finding of severity error, and records its warnings.
func CheckClean(t *testing.T, runDir string, record func(*testing.T, Result), detail string) {
	t.Helper()
	r := Result{What: Clean, Detail: detail}
	for _, f := range findings(t, runDir) {
		if f.Severity == event.FindingError {
			t.Errorf("a run without a fault has the finding %s: %s", f.ID, f.Summary)
		} else if f.First > 0 {
			r.Warnings = append(r.Warnings, f.ID)
		}
	}
	record(t, r)
}

// policyGaps returns the findings policy_gap of a run.
func policyGaps(t *testing.T, runDir string) (out []event.Finding) {
	t.Helper()
	return slices.DeleteFunc(findings(t, runDir), func(f event.Finding) bool { return f.ID != "policy_gap" })
}

func findings(t *testing.T, runDir string) []event.Finding {
	t.Helper()
	run, err := runstore.At(filepath.Dir(runDir), runstore.Options{}).Open(runDir)
	if err != nil {
		t.Fatal(err)
	}
	found, err := run.Findings(math.MaxInt)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// faultySampler is Python code that replaces a sampler's function.
const faultySampler = `
def change(module):
    import contextlib, os, torch
    sample, weights, resumed = module.sample, [], os.path.exists(first)

    def wrong(model, requests, *rest):
        current = {name: v.clone() for name, v in model.state_dict().items()}
        if not weights or any(not torch.equal(v, weights[-1][name]) for name, v in current.items()):
            weights.append(current)
            if not os.path.exists(first):
                torch.save(current, first)
        late = weights[max(0, len(weights) - 2)]
        used = {"first weights kept": weights[0], "one step late": late}.get(fault, current)
        if fault == "base weights after a resume" and resumed:
            used = torch.load(first)
        prompts, off = [r.prompt for r in requests], contextlib.nullcontext()
        for r in requests:
            if fault == "another template":
                r.prompt = r.prompt[4:]
            if fault == "temperature":
                r.temperature = 0.5
        if fault == "LoRA off":
            off = model.disable_adapter()
        with torch.no_grad(), off:
            model.load_state_dict(used)
            out = sample(model, requests, *rest)
            model.load_state_dict(current)
        for r, prompt in zip(requests, prompts):
            r.prompt = prompt
        return out

    module.sample = wrong
`
