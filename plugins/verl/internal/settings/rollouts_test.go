package settings

import (
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
)

// With several rows per episode some losses and estimators can only count rows. They are refused for the trainer that
// has several rows, and stay available for the one that has one.
func TestRollouts_WhatCanOnlyCountRowsIsRefused(t *testing.T) {
	cases := map[string]struct {
		summary string
		given   []any
	}{
		"a mean of row means":         {"Loss that counts rows", []any{actor + "loss_agg_mode", "seq-mean-token-mean"}},
		"a loss with such a mean":     {"Loss that counts rows", []any{actor + "policy_loss.loss_mode", "sapo"}},
		"a geometric mean of rows":    {"Loss that counts rows", []any{actor + "policy_loss.loss_mode", "geo_mean"}},
		"an estimator without inputs": {"Algorithm without input", []any{"algorithm.adv_estimator", "remax"}},
		"token-mean":                  {"", []any{actor + "loss_agg_mode", "token-mean"}},
		"a mean of row sums":          {"", []any{actor + "loss_agg_mode", "seq-mean-token-sum"}},
		"rloo":                        {"", []any{"algorithm.adv_estimator", "rloo"}},
	}
	each(t, func(t *testing.T, installed *Installed) {
		for name, c := range cases {
			for _, one := range []bool{false, true} {
				given := c.given
				if one && installed.Release.AtLeast(v090) {
					given = append(slices.Clone(given), "trainer.use_v1", false)
				}
				out := resolve(t, request(installed, func(req *Request) {
					req.Knobs.Algorithm.Name = ""
					req.Overrides = overrides(given...)
				}))
				want := c.summary
				if out.Generation == V0 {
					want = ""
				}
				if got := summary(out); got != want {
					t.Errorf("%s, trainer %s: the plan reports %q, want %q", name, out.Generation, got, want)
				}
			}
		}
	})
}

// summary is the summary of the first error.
func summary(r *Resolved) string {
	for _, d := range r.Diagnostics {
		if d.Severity == sdk.SeverityError {
			return d.Summary
		}
	}
	return ""
}

// A trainer without the parts that awhost wraps would fail after the start, or count rows.
func TestRollouts_ATrainerWithoutTheWrappedPartsIsRefused(t *testing.T) {
	for _, hook := range trainerHooks {
		installed := syntheticTree(t, v091)
		write(t, installed.Root, trainerFile, strings.ReplaceAll(strings.Join(trainerHooks, "\n"), hook, "gone"))
		if got := summary(resolve(t, request(installed, nil))); got != "Unsupported trainer of verl" {
			t.Errorf("without %q the plan reports %q", hook, got)
		}
	}
}

func TestRollouts_TheModuleFollowsTheTrainer(t *testing.T) {
	each(t, func(t *testing.T, installed *Installed) {
		out := resolve(t, request(installed, nil))
		if want := map[Generation]string{V0: "verl.trainer.main_ppo", V1: rolloutModule}[out.Generation]; out.Module != want {
			t.Errorf("trainer %s is started by %s, want %s", out.Generation, out.Module, want)
		}
	})
}

// noted reports whether one of the notes contains all parts.
func noted(r *Resolved, parts ...string) bool {
	return slices.ContainsFunc(r.Notes, func(note string) bool {
		return !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(note, part) })
	})
}

func TestRollouts_ThePlanDescribesTheSizeOfAStep(t *testing.T) {
	each(t, func(t *testing.T, installed *Installed) {
		out := resolve(t, request(installed, func(req *Request) { // sizes of verl's run_qwen2-7b.sh
			req.Knobs.Steps, req.Knobs.Epochs, req.Data.TrainTasks = nil, ptr(15.0), 7473
			req.Knobs.Batch = sdk.BatchKnobs{Prompts: ptr(1024), GroupSize: ptr(5)}
			req.Overrides = overrides(actor+"ppo_mini_batch_size", 256, actor+"ppo_epochs", 2)
			req.Knobs.Set = []string{"epochs", "batch.prompts", "batch.group_size"}
		}))
		if out.Step.Updates() != 8 || !noted(out, "5120 episodes", "64 of them") ||
			!noted(out, "110 steps", "105", "steps = 105") {
			t.Errorf("%+v, notes: %q", out.Step, out.Notes)
		}
		out = resolve(t, request(installed, func(req *Request) {
			req.Knobs.Steps, req.Knobs.Epochs, req.Data.TrainTasks = nil, ptr(3.0), 80
			req.Knobs.Concurrency, req.Knobs.Set = 8, append(req.Knobs.Set, "epochs", "concurrency")
		}))
		if out.Step.Updates() != 1 || noted(out, "at a time") || noted(out, "verl alone") {
			t.Errorf("%+v, notes: %q", out.Step, out.Notes)
		}
	})
}

// A script of verl's that leaves sampling in validation open validates greedily and before the first step.
func TestValidation_KeepsVerlsDefaultsWhereVerlsKeysDescribeIt(t *testing.T) {
	temperature, sample, before := valKwargs+"temperature", valKwargs+"do_sample", "trainer.val_before_train"
	each(t, func(t *testing.T, installed *Installed) {
		for name, c := range map[string]struct {
			change                 func(*Request)
			greedy, validatesFirst bool
		}{
			"a file":              {file("trainer: {nnodes: 1}"), true, true},
			"a file that says no": {file("trainer: {val_before_train: false}"), true, false},
			"a file that samples": {file("actor_rollout_ref: {rollout: {val_kwargs: {do_sample: true, temperature: 0.7}}}"),
				false, true},
			"an override":               {override("trainer.test_freq", 5), true, true},
			"the command line":          {command("trainer.val_before_train", "True"), true, true},
			"an explicit greedy choice": {override(sample, false), true, false},
			"the spec alone":            {nil, false, false},
			"a file and the spec": {both(file("trainer: {nnodes: 1}"), func(req *Request) {
				req.Knobs.Validate.Sampling = &sdk.SamplingKnobs{Temperature: ptr(0.5)}
				req.Knobs.Set = append(req.Knobs.Set, "validate.before_train", "validate.sampling.temperature")
			}), false, false},
		} {
			out := resolve(t, request(installed, c.change))
			heat, _ := out.Value(temperature)
			samples, _ := out.Value(sample)
			first, _ := out.Value(before)
			if !out.OK() || framework.Equal(heat, int64(0)) != c.greedy || samples == c.greedy || first != c.validatesFirst {
				t.Errorf("%s: temperature %v, do_sample %v, before training %v; want greedy %v, before training %v. %v",
					name, heat, samples, first, c.greedy, c.validatesFirst, out.Diagnostics)
			}
		}
	})
}
