package settings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// An episode may have several rows with verl's V1 trainer. Updates and baselines count episodes there: a module of the
// adapter's Python code starts verl and resizes its mini-batches in each step.
const rolloutModule = "awhost_verl.main"

// trainerFile has the parts of verl's trainer that the module replaces (install in shim/awhost_verl/trainer.py).
const trainerFile = "verl/trainer/ppo/v1/trainer_base.py"

var trainerHooks = []string{
	"def _setup(", "def _get_required_batch_multiple(", "def _update_actor(", "TRAINER_REGISTRY",
	"compute_advantage_for_multi_trajectories(", "calculate_debug_metrics",
}

const (
	lossMode  = actor + "policy_loss.loss_mode"
	lossMean  = actor + "loss_agg_mode"
	estimator = "algorithm.adv_estimator"
	useV0     = "set trainer.use_v1 = false, which trains one row per episode"
)

// rowMeans are losses that average the tokens of each row first, so that no divisor weighs rows by episode.
var rowMeans = map[string][]string{lossMean: {"seq-mean-token-mean"}, lossMode: {"sapo", "geo_mean"}}

// lacksInput are estimators whose input verl's V1 trainer does not compute.
var lacksInput = []string{"gdpo", "remax", "optimal_token_baseline", "tir_optimal_token_baseline"}

// chooseTrainer takes the V0 trainer for a loss that averages the tokens of each row, unless the user chooses a
// trainer: V0 trains one row per episode, so that the loss means what it means in verl's own runs.
func (r *resolver) chooseTrainer() {
	const key = "trainer.use_v1"
	if r.view.Get(key) != nil || r.generation() != V1 {
		return
	}
	for _, loss := range []string{lossMean, lossMode} {
		if s := r.view.Get(loss); s != nil && slices.Contains(rowMeans[loss], r.view.Text(loss)) {
			r.view.Set(&setting{Key: key, Value: false, Level: framework.Owned, Origin: framework.FromAwhost})
			r.said = append(r.said, fmt.Sprintf("%s = false: %s averages the tokens of each row, and V0 trains one row "+
				"per episode", key, r.say(loss)))
			return
		}
	}
}

// checkRollouts refuses what V1 cannot compute over episodes.
func (r *resolver) checkRollouts() {
	if r.generation() != V1 {
		return
	}
	r.out.Module = rolloutModule
	for _, key := range []string{lossMean, lossMode} {
		if slices.Contains(rowMeans[key], r.view.Text(key)) {
			r.add(r.step().RowMean(r.say(key), fmt.Sprintf("Use %s = token-mean or seq-mean-token-sum with %s = vanilla, or %s.",
				lossMean, lossMode, useV0)), key)
		}
	}
	if slices.Contains(lacksInput, r.view.Text(estimator)) {
		r.fail(r.where(estimator), "Algorithm without input",
			"%s: the V1 trainer of verl %s does not compute its input. Use grpo or rloo, or %s.",
			r.say(estimator), r.req.Installed.Version, useV0)
	}
	if missing := r.req.Installed.missingHook(); missing != "" && r.req.Installed.Root != "" {
		r.fail([]string{"python"}, "Unsupported trainer of verl",
			"%s of verl %s has no %s: awhost cannot make a step one update there. Install verl 0.9, or %s.",
			trainerFile, r.req.Installed.Version, missing, useV0)
	}
}

// missingHook names a part of the V1 trainer that this verl lacks. It is empty if all are there.
func (i *Installed) missingHook() string {
	text, err := os.ReadFile(filepath.Join(i.Root, filepath.FromSlash(trainerFile)))
	for _, hook := range trainerHooks {
		if err != nil || !strings.Contains(string(text), hook) {
			return strings.TrimSuffix(strings.TrimPrefix(hook, "def "), "(")
		}
	}
	return ""
}

// step returns the size of a step. With V1, mini-batches have equal numbers of rows, and an episode has any number.
func (r *resolver) step() framework.Step {
	episodes, _ := r.samples()
	batch, mini := r.number("data.train_batch_size").Value, r.number(actor+"ppo_mini_batch_size").Value
	v1 := r.generation() == V1
	return framework.Step{
		Episodes: episodes, Parts: batch / max(1, mini), Passes: r.number(actor + "ppo_epochs").Value,
		ManyRows: v1, Uneven: v1, AtMost: v1 || r.number("trainer.critic_warmup").Value > 0,
	}
}

// noteSize describes the episodes of a step and, if verl alone would make another number of steps, the stage.
func (r *resolver) noteSize() []string {
	var out []string
	note := func(format string, args ...any) {
		if r.req.Stage != "" {
			format = "stage " + strings.ReplaceAll(r.req.Stage, "%", "%%") + ": " + format
		}
		out = append(out, fmt.Sprintf(format, args...))
	}
	k, batch := r.req.Knobs, r.number("data.train_batch_size").Value
	if n, ok := r.samples(); ok && !r.req.Smoke && n > k.Concurrency && !slices.Contains(k.Set, "concurrency") {
		note("a step has %d episodes, and %d of them run at a time: that is the default of concurrency. "+
			"verl's own loop runs all at once", n, k.Concurrency)
	}
	if ours, theirs := r.stepCounts(); ours != theirs {
		note("epochs = %v makes %d steps; verl alone would make %d, because it leaves out the last %d tasks of each epoch. "+
			"Set steps = %d for the same number", *k.Epochs, ours, theirs, r.req.Data.TrainTasks-r.perEpoch()*batch, theirs)
	}
	return out
}

// stepCounts returns the steps that the knob epochs makes, and the steps that verl alone would make. Without the knob
// both are 0.
func (r *resolver) stepCounts() (ours, theirs int) {
	k := r.req.Knobs
	steps, ok := r.view.Int("trainer.total_training_steps")
	if !ok || r.req.Smoke || k.Epochs == nil || k.Steps != nil || *k.Epochs < 1 || r.perEpoch() == 0 {
		return 0, 0
	}
	return steps - r.req.StepsBefore, int(*k.Epochs) * r.perEpoch()
}
