package settings

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/python"
)

// policy makes a folder that looks like a model.
func policy(t *testing.T, config string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "config.json", config)
	return dir
}

func TestResolve_LooksAtThePolicy(t *testing.T) {
	dir := policy(t, `{"max_position_embeddings":32768}`)
	if err := os.Mkdir(filepath.Join(dir, "empty"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		policy    string
		elsewhere bool
		want      []string // of severities, summaries and details, in this order
		note      bool
	}{
		"a folder":                     {policy: dir},
		"no folder":                    {policy: "/models/none", want: []string{"error", "No such model", "/models/none does not exist"}},
		"no folder beside the spec":    {policy: "./none", want: []string{"error", "No such model", "./none does not exist"}},
		"a folder without config.json": {policy: filepath.Join(dir, "empty"), want: []string{"error", "No such model", "has no config.json"}},
		"a file":                       {policy: filepath.Join(dir, "config.json"), want: []string{"error", "No such model", "is a file"}},
		"a folder of other machines":   {policy: "/models/none", elsewhere: true, want: []string{"warning", "No such model on this machine", "/models/none does not exist"}},
		"a name of the hub":            {policy: "Qwen/Qwen2.5-0.5B", note: true},
	} {
		t.Run(name, func(t *testing.T) {
			out := resolve(t, request(syntheticTree(t, v091), func(req *Request) {
				req.Needs.Model, req.ReadModel, req.Elsewhere = c.policy, python.ReadModel, c.elsewhere
			}))
			var got []string
			for _, d := range out.Diagnostics {
				got = append(got, string(d.Severity), d.Summary, d.Detail)
			}
			matches := slices.EqualFunc(got, c.want, func(got, want string) bool { return strings.Contains(got, want) })
			if !matches {
				t.Errorf("said is %q, want %q", got, c.want)
			}
			if noted := slices.ContainsFunc(out.Notes, func(n string) bool { return strings.Contains(n, c.policy+": no folder here") }); noted != c.note {
				t.Errorf("a name of the hub is noted: %v, want %v: %q", noted, c.note, out.Notes)
			}
			if out.OK() == (len(c.want) > 0 && c.want[0] == string(sdk.SeverityError)) {
				t.Errorf("OK is %v", out.OK())
			}
		})
	}
}

func TestResolve_HoldsLengthsAgainstThePolicysContext(t *testing.T) {
	const positions = "actor_rollout_ref.model.override_config.max_position_embeddings"
	long := func(req *Request) {
		req.Knobs.Limits.ResponseTokens = ptr(4000)
		req.Knobs.Set = append(req.Knobs.Set, "limits.response_tokens")
	}
	for name, c := range map[string]struct {
		change func(*Request)
		want   []string // parts of what is said; empty: nothing
	}{
		"within it": {change: func(*Request) {}},
		"an answer beyond it": {change: long, want: []string{
			"Context shorter than an episode", "The policy has a context of 1024 tokens", "may have 4512 tokens",
			"actor_rollout_ref.rollout.response_length = 4000 (limits.response_tokens)", "actor_rollout_ref.rollout.prompt_length = 512 (default)", "Lower limits.prompt_tokens or limits.response_tokens",
		}},
		"an answer beyond it, and positions for that": {change: both(long, override(positions, 8192))},
		"a server with more":                          {change: override(rollout+"max_model_len", 2048), want: []string{"Context longer than the policy's", "max_model_len = 2048 (overrides)", "1024 tokens"}},
		"a server with more, and positions for that":  {change: override(rollout+"max_model_len", 2048, positions, 8192)},
		"nobody looks":                                {change: both(long, func(req *Request) { req.ReadModel = nil })},
	} {
		t.Run(name, func(t *testing.T) {
			out := resolve(t, request(syntheticTree(t, v091), func(req *Request) {
				req.Needs.Model, req.ReadModel = policy(t, `{"max_position_embeddings":1024}`), python.ReadModel
				c.change(req)
			}))
			said := strings.Join(errorsOf(out), "\n")
			for _, part := range c.want {
				if !strings.Contains(said, part) {
					t.Errorf("%q is not in: %s", part, said)
				}
			}
			if len(c.want) == 0 && said != "" {
				t.Errorf("said is: %s", said)
			}
		})
	}
}

func TestResolve_WarnsOfAWarmUpThatNeverEnds(t *testing.T) {
	for _, c := range []struct {
		warmup int
		smoke  bool
		want   bool
	}{{60, false, false}, {61, false, true}, {61, true, false}} {
		out := resolve(t, request(syntheticTree(t, v091), func(req *Request) {
			req.Smoke = c.smoke
			req.Knobs.Optimizer.WarmupSteps = ptr(c.warmup)
			req.Knobs.Set = append(req.Knobs.Set, "optimizer.warmup_steps")
		}))
		got := slices.ContainsFunc(out.Diagnostics, func(d sdk.Diagnostic) bool {
			return d.Severity == sdk.SeverityWarning && d.Summary == "Warm-up longer than training" && strings.Contains(d.Detail, "total_training_steps = 60 (steps)")
		})
		if got != c.want || !out.OK() {
			t.Errorf("%d steps of warm-up in 60, smoke %v: warned %v, want %v; OK is %v", c.warmup, c.smoke, got, c.want, out.OK())
		}
	}
}

// OK reports whether the run may start.
func (r *Resolved) OK() bool {
	isRefused := func(k sdk.KnobMapping) bool { return k.Refused != "" }
	return len(errorsOf(r)) == 0 && !slices.ContainsFunc(r.Knobs, isRefused)
}
