package findings

import (
	"slices"

	"github.com/awhost/awhost/sdk/metric"
)

// NothingLearned is the rule for a stage in which no sample was trained, or all groups had equal rewards.
const NothingLearned = "nothing_learned"

// Stopped is the rule for a run that a check ended.
const Stopped = "stopped_by_check"

// Rules returns all rules, in the order of their sections in the documentation.
func Rules() []Rule {
	return slices.Concat(learningRules, rolloutRules, taskRules, policyRules, scanRules, dataRules)
}

var learningRules = []Rule{
	{
		ID: "reward_divergence", Severity: fault, Title: "The reward rises while success falls",
		Needs: []string{metric.Reward}, check: rewardDivergence,
		Causes: []string{
			"the reward pays for something that is easier than the task, such as length or a phrase",
			"a component outweighs the one that judges the answer",
		},
		Remedy: "Read episodes with high rewards and without success, and change the reward: awhost show --episodes",
	},
	{
		ID: "surface_reward", Severity: doubt, Title: "The reward follows a surface feature more than success",
		Needs: []string{metric.Reward}, check: surfaceReward,
		Causes: []string{"the reward measures the form of the answer", "a length term outweighs the judgment"},
		Remedy: "Compare answers with high and low rewards of one task, and make the reward judge their content",
	},
	{
		ID: "success_collapse", Severity: fault, Title: "Success falls to almost nothing",
		Needs: []string{metric.SuccessRate}, check: successCollapse,
		Causes: []string{
			"the learning rate is too high", "without a KL penalty, the policy leaves the initial one",
			"the reward pays for something else",
		},
		Remedy: "Start again from an earlier checkpoint with a lower optimizer.learning_rate, or set algorithm.kl",
	},
	{
		ID: "not_finite", Severity: fault, Title: "A number of the update is not finite", check: notFinite,
		Causes: []string{"the learning rate is too high", "the precision of the weights is too low", "rewards are huge"},
		Remedy: "Lower optimizer.learning_rate, set optimizer.max_grad_norm, and check the rewards' range",
	},
	{
		ID: "entropy_collapse", Severity: fault, Title: "The policy's entropy falls to almost nothing while episodes fail",
		Needs: []string{metric.Entropy}, check: entropyCollapse,
		Causes: []string{
			"the learning rate is too high", "the clip range is narrow, or an entropy term is missing",
			"the reward is equal for all samples of most tasks",
		},
		Remedy: "Lower optimizer.learning_rate, set algorithm.entropy, or raise sampling.temperature",
	},
	{
		ID: "entropy_explosion", Severity: fault, Title: "The policy's entropy grows while success does not",
		Needs: []string{metric.Entropy}, check: entropyExplosion,
		Causes: []string{"the learning rate is too high", "the entropy term is too large",
			"sampler and trainer use different weights"},
		Remedy: "Lower optimizer.learning_rate or algorithm.entropy",
	},
	{
		ID: "length_collapse", Severity: doubt, Title: "Responses get much shorter while success does not rise",
		Needs: []string{metric.ResponseTokens}, check: lengthCollapse,
		Causes: []string{"the reward pays for short answers", "long answers are cut and get no reward"},
		Remedy: "Read the newest episodes, and raise limits.response_tokens if answers are cut",
	},
	{
		ID: "length_explosion", Severity: doubt, Title: "Responses get much longer while success does not rise",
		Needs: []string{metric.ResponseTokens}, check: lengthExplosion,
		Causes: []string{"the reward pays for length", "the policy repeats itself", "the end of a message is not trained"},
		Remedy: "Read the newest episodes, and see limits.overlong",
	},
	{
		ID: "kl_spike", Severity: doubt, Title: "The divergence from the reference policy jumps",
		Needs: []string{metric.KL}, check: spike(metric.KL, 0.05),
		Causes: []string{"the learning rate is too high", "a few rows have extreme advantages"},
		Remedy: "Lower optimizer.learning_rate, raise algorithm.kl, or set optimizer.max_grad_norm",
	},
	{
		ID: "gradient_spike", Severity: doubt, Title: "The norm of the gradient jumps",
		Needs: []string{metric.GradNorm}, check: spike(metric.GradNorm, 1),
		Causes: []string{"a few rows have extreme advantages", "the learning rate is too high"},
		Remedy: "Set optimizer.max_grad_norm, and read the step's episodes with the highest and lowest rewards",
	},
	{
		ID: "equal_rewards", Severity: doubt, Title: "The samples of most groups have equal rewards",
		Needs: []string{metric.FlatGroups}, check: equalRewards,
		Causes: []string{
			"the tasks are too hard or too easy for the policy", "the reward is constant",
			"the samples of a group are equal: the temperature is low",
		},
		Remedy: "Choose tasks that the policy solves sometimes, raise batch.group_size, and check the reward's values",
	},
	{
		ID: "constant_reward", Severity: fault, Title: "All episodes get the same reward",
		Needs: []string{metric.RewardStd}, check: constantReward,
		Causes: []string{"the reward does not read the answer", "no answer has the form that the reward reads",
			"every episode is cut before its answer"},
		Remedy: "Score one answer that is right and one that is wrong: awhost score",
	},
	{
		ID: NothingLearned, Severity: fault, Title: "A stage did not change the policy",
		Causes: []string{"the samples of each group have equal rewards", "episodes are masked, filtered, or lost"},
		Remedy: "Choose tasks that the policy solves sometimes, raise sampling.temperature or batch.group_size, and check " +
			"whether the reward distinguishes answers: awhost show --episodes",
	},
	{
		ID: "no_progress", Severity: doubt, Title: "Held-out success does not rise",
		Needs: []string{metric.ValidationSuccessRate}, check: noProgress,
		Causes: []string{"the learning rate is low, or its warm-up is long",
			"rewards do not follow what the policy does: they are out of order, or sessions share state",
			"tools return wrong results, or ground truths are wrong"},
		Remedy: "Read wrong answers next to their ground truths, score equal answers again, and compare the learning rate " +
			"with its peak",
	},
	{
		ID: "unequal_rewards", Severity: doubt, Title: "Equal conversations get different rewards",
		Needs: []string{metric.UnequalRewards}, check: unequalRewards,
		Causes: []string{"a reward returns the scores of a batch in another order",
			"a judge, or another part of the reward, is random", "the reward depends on time or on other episodes"},
		Remedy: "Compare the samples of one group, and score an episode several times: awhost score",
	},
	{
		ID: "unknown_success", Severity: doubt, Title: "Success is known only of solved episodes",
		Needs: []string{metric.SuccessRate, metric.Judged, metric.Scored}, check: unknownSuccess,
		Causes: []string{"the reward returns is_success only when it is true"},
		Remedy: "Return is_success for each episode: training success excludes unknown episodes",
	},
	{
		ID: "overfitting", Severity: doubt, Title: "Training success rises while held-out success falls",
		Needs: []string{metric.SuccessRate, metric.ValidationSuccessRate}, check: overfitting,
		Causes: []string{"few tasks are repeated for many epochs", "held-out tasks are of another kind"},
		Remedy: "Use the checkpoint of the best validation, add tasks, or train fewer epochs",
	},
}

var rolloutRules = []Rule{
	{
		ID: "cut", Severity: doubt, Title: "A limit cuts many episodes", check: cutByLimit,
		Masks: "episodes that a limit cut", Shows: func(e *Episode) bool { return e.Limit != "" },
		Causes: []string{"the limit is too low for the task", "the policy does not end its messages"},
		Remedy: "Raise the limit, or read how the episodes end: awhost show --episodes",
	},
	{
		ID: "tool_errors", Severity: doubt, Title: "A tool answers many calls with errors", check: toolErrors,
		Masks: "episodes in which a tool answers most of its calls with errors", Shows: mostCallsFailed,
		Causes: []string{"the policy writes wrong arguments", "the tool or its server is broken",
			"the tool's description omits what it accepts"},
		Remedy: "Read the tool's answers, and state in its description what it accepts",
	},
	{
		ID: "malformed_calls", Severity: doubt, Title: "Many episodes have calls that cannot be parsed",
		Needs: []string{metric.MalformedRate}, check: malformed,
		Masks: "episodes with a call that cannot be parsed", Shows: func(e *Episode) bool { return e.Malformed > 0 },
		Causes: []string{"messages are cut in the middle of a call", "the policy does not know the format of calls",
			"the reward pays for messages that it cannot read"},
		Remedy: "Raise the limit if messages are cut, set tool_format to the model's family, or check the rewards of such " +
			"episodes",
	},
	{
		ID: "foreign_calls", Severity: doubt, Title: "The policy writes calls in another model family's format",
		Needs: []string{metric.ForeignCallRate}, check: foreign,
		Causes: []string{"tool_format names another family than the model's", "the chat template is another one"},
		Remedy: "Set tool_format: awhost docs reference/tool-formats",
	},
	{
		ID: "same_wrong_answer", Severity: doubt, Title: "All samples of many groups give the same wrong answer",
		Needs: []string{metric.SameWrong}, check: sameWrong,
		Causes: []string{"the ground truths of these tasks are wrong", "the reward does not accept the form of the answer",
			"a tool returns the same wrong result to all", "the temperature is low"},
		Remedy: "Compare the answers with the ground truths: the page Tasks of awhost ui lists tasks by equal wrong answers",
	},
	{
		ID: "slow", Severity: doubt, Title: "The environment or the rewards take most of the time",
		Any:    []string{metric.Timing + "environment" + metric.TimingP95, metric.Timing + "reward" + metric.TimingP95},
		check:  slow,
		Causes: []string{"a tool, a server, or a judge is slow", "few episodes share many waits: concurrency is low"},
		Remedy: "Read the slowest episodes, raise concurrency, or set a timeout: awhost show --episodes",
	},
	{
		ID: "failures", Severity: doubt, Title: "Many episodes fail", Needs: []string{metric.Failed}, check: failures,
		Causes: []string{"a plugin or a server fails", "tasks have values that a plugin does not expect"},
		Remedy: "Read the failures: awhost show --episodes",
	},
	{
		ID: Stopped, Severity: fault,
		Title: "A check stopped the run: the circuit breaker, the trainer, or a finding with action = \"stop\"",
		Causes: []string{"many episodes fail: a plugin, a server, or the data is wrong",
			"an action of the spec or a check of the trainer ended it"},
		Remedy: "Read the reason and the newest episodes (awhost show --episodes), and repair their cause. Resume if the " +
			"spec and its files are unchanged, and start another run otherwise",
	},
	{
		ID: "trained_share", Severity: doubt, Title: "Most sampled tokens are not trained",
		Needs: []string{metric.TrainedFraction}, check: trainedShare,
		Causes: []string{"the trainer takes one conversation of an episode", "an agent rewrites its conversation"},
		Remedy: "Use an adapter with several rows per episode, or an agent that only extends its conversation",
	},
}

var policyRules = []Rule{
	{
		ID: "policy_gap", Severity: fault, Title: "Sampler and trainer compute different probabilities",
		Any: []string{metric.LogprobGapMean, metric.LogprobGap, metric.ProbabilityGap}, check: policyGap,
		Causes: []string{causeFrozen, causeLoRA, causeLate, causeResume, causeTokens, causeTemperature, causeStale},
		Remedy: "Compare the tokens of a row at sampler and trainer: awhost ui shows them with tokens_every",
	},
}
