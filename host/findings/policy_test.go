package findings_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/sdk/metric"
)

// compared returns the metrics of a comparison of sampler and trainer.
func compared(mean, p99, largest, bias float64) values {
	return values{metric.LogprobGapMean: mean, metric.LogprobGapP99: p99, metric.LogprobGap: largest,
		metric.LogprobBias: bias}
}

// single returns the values of a run in single precision, in which one update changes log-probabilities by 0.02.
func single(mean float64) values { return compared(mean, 5*mean, 20*mean, mean*mean) }

// The rule policy_gap finds each fault at the first step that shows it, with its likeliest cause first.
func TestPolicyGap_NamesTheLikeliestCause(t *testing.T) {
	bfloat := compared(0.02, 0.15, 0.9, 0.0004)
	for _, test := range []struct {
		name     string
		steps    []values
		resume   int // the first step of a second launch
		found    int // step; 0: never
		severity event.FindingSeverity
		cause    string
	}{
		{name: "bfloat16", steps: []values{bfloat, bfloat, compared(0.05, 0.3, 2, 0.003), bfloat}},
		{name: "experts in 8 bits", steps: []values{compared(0.1, 0.8, 4, 0.012), compared(0.13, 1, 5, -0.015)}},
		{name: "a resume that loads the right weights", steps: []values{bfloat, bfloat, bfloat}, resume: 3},
		{name: "first weights kept", steps: []values{single(1e-6), single(0.02), single(0.04), single(0.06)}, found: 2,
			severity: event.FindingError, cause: "did not get the trained weights"},
		{name: "one step late", steps: []values{single(1e-6), single(0.02), single(0.021)}, found: 2,
			severity: event.FindingError, cause: "one step late"},
		{name: "first weights kept, in bfloat16", steps: []values{bfloat, bfloat, compared(0.4, 2.5, 6, 0.09)}, found: 3,
			severity: event.FindingError, cause: "did not get the trained weights"},
		{name: "base weights after a resume", steps: []values{single(1e-6), single(1e-6), single(0.1), single(0.1)},
			resume: 3, found: 3, severity: event.FindingError, cause: "after a resume"},
		{name: "shifted mask", steps: []values{compared(0.9, 14, 19, 0.9)}, found: 1, severity: event.FindingError,
			cause: "shifted"},
		{name: "shifted mask of long messages", steps: []values{compared(0.03, 0.2, 12, 0.01), compared(0.03, 0.2, 11, 0.01)},
			found: 2, severity: event.FindingWarning, cause: "shifted"},
		{name: "temperature of the sampler", steps: []values{compared(0.2, 1.5, 3, 0.08)}, found: 1,
			severity: event.FindingError, cause: "temperature"},
		{name: "temperature missing in reported log-probabilities", steps: []values{compared(0.2, 1.5, 9, -0.08)}, found: 1,
			severity: event.FindingError, cause: "temperature"},
		{name: "bfloat16, with a certain policy", steps: []values{certain(compared(0.0007, 0.02, 0.1, 0.00005))}},
		{name: "temperature, with a certain policy", steps: []values{certain(compared(0.012, 0.3, 1.1, 0.0032))}, found: 1,
			severity: event.FindingError, cause: "temperature"},
		{name: "bias only", steps: []values{{metric.LogprobGap: 3, metric.LogprobBias: 0.08}}, found: 1,
			severity: event.FindingError, cause: "temperature"},
		{name: "maximum only", steps: []values{{metric.ProbabilityGap: 1e-6}, {metric.ProbabilityGap: 0.3},
			{metric.ProbabilityGap: 0.3}}, found: 3, severity: event.FindingWarning, cause: "did not get"},
		{name: "older weights", steps: []values{single(1e-6), stale(single(0.02)), stale(single(0.04))}},
		{name: "far older weights", steps: []values{single(1e-6), stale(single(0.5))}, found: 2,
			severity: event.FindingWarning, cause: "asynchronous"},
	} {
		t.Run(test.name, func(t *testing.T) {
			e, first := findings.NewEngine(), 0
			for i, v := range test.steps {
				step := findings.Step{Stage: "main", Launch: "one", Step: i + 1, Values: v,
					Episodes: []findings.Episode{{ID: "e1"}, {ID: "e2"}}, Worst: findings.Worst{Episode: "e2", Token: 7}}
				if test.resume > 0 && step.Step >= test.resume {
					step.Launch = "two"
				}
				for _, f := range e.Step(step) {
					if f.New {
						first = step.Step
					}
				}
			}
			found := e.Findings()
			if first != test.found || len(found) != min(1, test.found) {
				t.Fatalf("found at step %d, want %d: %+v", first, test.found, found)
			}
			for _, f := range found {
				if f.ID != "policy_gap" || f.Severity != test.severity || !strings.Contains(f.Causes[0], test.cause) {
					t.Errorf("%s %s: %q, likely causes %q; want %s, %q", f.Severity, f.ID, f.Summary, f.Causes, test.severity,
						test.cause)
				}
				if len(f.Episodes) != 1 || f.Episodes[0] != "e2" || !strings.Contains(f.Summary, "token 7 of e2") {
					t.Errorf("the example is missing: %q %v", f.Summary, f.Episodes)
				}
			}
		})
	}
}

func certain(v values) values {
	v[metric.Entropy] = 0.0486
	return v
}

func stale(v values) values {
	v[metric.Staleness] = 2
	return v
}

// The noise of bfloat16, with a few single tokens far off, is not a finding.
func TestPolicyGap_LeavesRoundingAlone(t *testing.T) {
	for run := range 100 {
		r := rand.New(rand.NewPCG(2, uint64(run)))
		deviation, e := []float64{1e-6, 0.01, 0.03, 0.1}[run%4], findings.NewEngine()
		for step := 1; step <= 40; step++ {
			scale := deviation * (1 + 0.5*r.Float64())
			e.Step(findings.Step{Stage: "main", Step: step,
				Values: compared(0.8*scale, 2.6*scale, scale*(5+30*r.Float64()), scale*scale/2+0.01*scale*r.NormFloat64())})
		}
		for _, f := range e.Findings() {
			t.Errorf("run %d: step %d: %s", run, f.First, f.Summary)
		}
	}
}
