package run_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/eval"
	"github.com/awhost/awhost/host/event"
	"github.com/awhost/awhost/host/export"
	"github.com/awhost/awhost/host/internal/fakeplugin"
	"github.com/awhost/awhost/host/plan"
	"github.com/awhost/awhost/host/run"
	"github.com/awhost/awhost/sdk/metric"
)

// A run continues only with the codec that has read its committed messages.
func TestApply_ResumesWithTheSameCodec(t *testing.T) {
	for _, c := range []struct {
		next string
		want string // in the error; empty: the run completes
	}{
		{"trl 1.16.0", ""},
		{"hermes 1", `set tool_format = "trl"`},
	} {
		t.Run(c.next, func(t *testing.T) {
			r := newRig(t)
			const codec = "\n  codec = "
			r.adapter = codec + `"trl 1.16.0"`
			r.gate(event.PhaseRollout, 2, func() { close(r.stop) })
			r.apply().ends(event.RunStopped, run.ExitStopped)
			r.on, r.adapter = nil, codec+`"`+c.next+`"`
			got := r.apply()
			if c.want == "" {
				got.completes(3)
				return
			}
			got.ends(event.RunFailed, run.ExitFailed)
			if !strings.Contains(got.Reason, c.want) {
				t.Errorf("it ended with %s", got.Reason)
			}
			if step := got.summary().Step; step != 2 {
				t.Errorf("the last commit is of step %d, want 2", step)
			}
			r.adapter = codec + `"trl 1.16.0"`
			r.apply().completes(3)
		})
	}
}

// The reason of an adapter that names one of its attributes has the attribute's place.
func TestApply_PlaceOfANamedAttribute(t *testing.T) {
	r := newRig(t)
	r.adapter = "\n  misbehave = [\"blame its codec\"]\n  codec = \"trl 1.16.0\""
	got := r.apply().ends(event.RunFailed, run.ExitFailed)
	place := regexp.MustCompile(`it knows none \(at all\) \(codec of adapter\.\S+, \S*train\.hcl:\d+\)$`)
	if !place.MatchString(got.Reason) {
		t.Errorf("it ended with %s", got.Reason)
	}
}

// An evaluation of a checkpoint needs the codec of its run.
func TestCodecs_OfAnEvaluation(t *testing.T) {
	const codec = "\n  codec = "
	r := newRig(t)
	r.adapter = codec + `"trl 1.16.0"`
	source, err := export.Find(t.Context(), r.store(), r.apply().completes(3).run().Ref())
	if err != nil {
		t.Fatal(err)
	}
	codecs, err := run.Codecs(source.Manifest)
	if err != nil {
		t.Fatal(err)
	}
	for next, want := range map[string]string{
		"trl 1.16.0":                           "",
		"hermes 1":                             `set tool_format = "trl"`,
		"trl 1.16.0, reasoning_format = think": `set reasoning_format = "auto", set tool_format = "trl"`,
	} {
		t.Run(next, func(t *testing.T) {
			r.adapter = codec + `"` + next + `"`
			p, problems := plan.ForEvaluation(t.Context(), r.inputs(), plan.Evaluation{Adapter: true})
			defer p.Close()
			if problems.HasErrors() {
				t.Fatal(problems)
			}
			report, err := eval.Run(t.Context(), eval.Config{
				Plan: p, Policy: &eval.Policy{Checkpoint: source.Dir, Codecs: codecs}, PassEnv: fakeplugin.PassEnv(),
			})
			if want == "" {
				if err != nil || report.Episodes != 3 {
					t.Errorf("%+v, %v", report, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the error is %v, want %s in it", err, want)
			}
		})
	}
}

// A policy whose calls are in a format that is not read ends the run, and the first step shows an example.
func TestApply_ForeignCalls(t *testing.T) {
	const misbehave = "\n  misbehave = [\"write foreign calls\"]"
	r := newRig(t)
	r.adapter = misbehave
	got := r.apply().ends(event.RunFailed, run.ExitGuard)
	if !strings.Contains(got.Reason, "in 12 of the last 12 episodes") {
		t.Errorf("it ended with %s", got.Reason)
	}
	for _, step := range payloads[event.StepFinished](got) {
		if rate := step.Metrics[metric.ForeignCallRate]; float64(rate) != 1 {
			t.Errorf("step %d: %s = %v, want 1", step.Step, metric.ForeignCallRate, rate)
		}
	}
	var examples []string
	for _, w := range payloads[event.Warning](got) {
		if w.Code == "foreign_calls" {
			examples = append(examples, w.Detail)
		}
	}
	if len(examples) != 3 || !strings.Contains(examples[0], `"<function=add>\n<parameter=a>`) {
		t.Errorf("examples: %q", examples)
	}

	r = newRig(t)
	r.adapter, r.train = misbehave, "circuit_breaker {\n min_episodes = 4\n}"
	got = r.apply()
	if step := got.summary().Step; step != 1 || !strings.Contains(got.Reason, "circuit breaker: in 4 of the last 4") {
		t.Errorf("it ended after step %d with %s", step, got.Reason)
	}

	r = newRig(t)
	r.adapter, r.train = misbehave, "circuit_breaker {\n foreign_fraction = 1\n}"
	r.apply().completes(3)
}

// The adapter receives the template arguments of the train block, and the agent overrides them.
func TestApply_TemplateArguments(t *testing.T) {
	r := newRig(t)
	r.adapter = "\n  sampling_owned = [\"temperature\", \"chat_template_kwargs\"]"
	r.agent = "chat_template_kwargs = { enable_thinking = false }"
	r.train = "chat_template_kwargs = { enable_thinking = true, date = \"today\" }"
	got := r.apply().completes(3)
	const want = `{"date":"today","enable_thinking":false}`
	for e, err := range got.run().Episodes(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		last := e.Transcripts[0].Messages[len(e.Transcripts[0].Messages)-1]
		if last.Reasoning != want {
			t.Errorf("episode %s: the adapter got the arguments %s, want %s", e.EpisodeID, last.Reasoning, want)
		}
	}
}
