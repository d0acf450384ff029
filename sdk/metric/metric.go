// Package metric defines the metrics for a step: their names, labels, and units, and which of them are shown first.
// Adapters report their frameworks' values under these names, and screens, tables, and documents obtain them from here.
//
//	event.Values[metric.Loss] = loss
//	for _, m := range metric.All() { fmt.Println(m.Name, m.Unit) }
//
// An adapter may also report other metrics, under its own names: "verl/actor/pg_loss". The package imports nothing.
package metric

import "slices"

// Metrics of training. The host measures the metrics about episodes, and the adapter measures the others.
const (
	Reward      = "train/reward"
	RewardStd   = "train/reward_std"
	SuccessRate = "train/success_rate"

	Episodes  = "train/episodes"
	Turns     = "train/turns"
	Retries   = "train/retries"
	Truncated = "train/truncated"
	Failed    = "train/failed"

	Loss               = "train/loss"
	Entropy            = "train/entropy"
	KL                 = "train/kl"
	ApproxKL           = "train/approx_kl"
	ClipFraction       = "train/clip_fraction"
	GradNorm           = "train/grad_norm"
	LearningRate       = "train/learning_rate"
	Advantage          = "train/advantage"
	ImportanceWeight   = "train/importance_weight"
	BehaviourWeightMax = "train/behaviour_weight_max"
	BehaviourWeightMin = "train/behaviour_weight_min"
	FilteredFraction   = "train/filtered_fraction"
	LogprobGap         = "train/logprob_gap"
	LogprobGapMean     = "train/logprob_gap_mean"
	LogprobGapP99      = "train/logprob_gap_p99"
	LogprobBias        = "train/logprob_bias"
	ProbabilityGap     = "train/probability_gap"
	Staleness          = "train/staleness"
	TrainedFraction    = "train/trained_fraction"

	Groups             = "train/groups"
	ZeroVarianceGroups = "train/zero_variance_groups"
	Masked             = "train/masked"
	Dropped            = "train/dropped"
	Updates            = "train/updates"
	Tokens             = "train/tokens"
	PromptTokens       = "train/prompt_tokens"
	RowTokens          = "train/row_tokens"

	TokensPerSecond   = "train/tokens_per_second"
	RolloutSeconds    = "train/rollout_seconds"
	UpdateSeconds     = "train/update_seconds"
	WeightSyncSeconds = "train/weight_sync_seconds"
	SaveSeconds       = "train/save_seconds"

	Scored         = "train/scored"
	Judged         = "train/judged"
	ResponseTokens = "train/response_tokens"
	FlatGroups     = "train/flat_groups"
	SameWrong      = "train/same_wrong_groups"
	UnequalRewards = "train/unequal_rewards"
)

// Metrics for the conversations of agents whose programs send the requests. The host measures them.
const (
	AuxiliaryFraction = "gateway/auxiliary_fraction"
	Rows              = "gateway/rows"
	RowsMerged        = "gateway/rows_merged"
	TokensSaved       = "gateway/tokens_saved"
)

// ForeignCallRate covers messages with a tool call in another model family's format, which the codec does not read. A
// step without such messages omits it. The host measures it.
const ForeignCallRate = "policy/foreign_call_rate"

// Metrics for the calls of tools. The host measures them; a step without calls omits them.
const (
	ToolErrorRate = "agent/tool_error_rate"
	MalformedRate = "agent/malformed_rate"
)

// Scanned counts the conversations of a step that rules scanned. The host measures it.
const Scanned = "agent/scanned"

// MadnessRate covers messages that do not pass their agents' checks. The host measures it.
const MadnessRate = "agent/madness_rate"

// Metrics for a validation pass.
const (
	ValidationReward      = "validation/reward"
	ValidationSuccessRate = "validation/success_rate"
	ValidationEpisodes    = "validation/episodes"
	ValidationMadnessRate = "validation/madness_rate"
)

// The prefixes of metric name families.
const (
	Training             = "train/"
	Validation           = "validation/"
	Conversations        = "gateway/"
	Agents               = "agent/"
	Policy               = "policy/"
	Components           = "train/components/" // means of the rewards' components, by address and name
	ValidationComponents = "validation/components/"
	Members              = "train/members/" // sums over the episodes of a step, by member; its name and one of:
	Tools                = "agent/tools/"   // sums over the episodes of a step, by tool; its name and one of:
	CutBy                = "train/cut_by/"  // episodes cut by a limit, by its name
	FailedBy             = "train/failed_by/"
	Timing               = "timing/"         // of the host's clock; the part of an episode and one of the suffixes below
	ToolTiming           = Timing + "tools/" // sums over the episodes of a step, by tool; its name and TimingSum
	Scans                = "agent/scans/"    // conversations of a step in which a rule of a scan holds, by its id
	// RewardFollows is the correlation, within groups, of the reward with success or with a surface feature.
	RewardFollows = "train/reward_follows/"
)

// The suffixes of names that start with Members.
const (
	MemberTurns        = "/turns"
	MemberPromptTokens = "/prompt_tokens" // over all turns
	MemberOutputTokens = "/output_tokens"
	MemberCost         = "/cost_usd" // of a served model's answers
)

// The suffixes of names that start with Tools.
const (
	ToolCalls  = "/calls"
	ToolErrors = "/errors"
)

// The suffixes of names that start with Timing, over the episodes of a step.
const (
	TimingP50 = "_p50_seconds"
	TimingP95 = "_p95_seconds"
	TimingMax = "_max_seconds"
	TimingSum = "_seconds"
)

// Metric describes a metric.
type Metric struct {
	Name    string
	Label   string // for display
	Unit    string // empty: a plain number
	Meaning string
	// Goal marks a run's objective, Headline marks the metrics that are read next, in this order, and Summary marks the
	// metrics in a comparison of two runs.
	Goal, Headline, Summary bool
	// Aliases are the names that trainers use for the same metric.
	Aliases []string
}

var all = []Metric{
	{
		Name: Reward, Label: "reward", Meaning: "mean over the episodes with a reward", Goal: true, Summary: true,
		Aliases: []string{"train/reward_mean"},
	},
	{
		Name: SuccessRate, Label: "success", Unit: "fraction",
		Meaning: "of the episodes with known success",
		Goal:    true, Summary: true, Aliases: []string{"train/success"},
	},
	{
		Name: ValidationReward, Label: "validation reward",
		Meaning: "mean over the held-out episodes with a reward", Goal: true,
	},
	{
		Name: ValidationSuccessRate, Label: "validation success", Unit: "fraction",
		Meaning: "of all held-out episodes; failed ones count as unsolved",
		Goal:    true,
	},
	{
		Name: TrainedFraction, Label: "trained share", Unit: "fraction",
		Meaning: "of the tokens sampled in conversations that are to be trained, those in rows that the trainer takes; " +
			"below 1 if it takes one conversation of an episode",
		Headline: true, Summary: true, Aliases: []string{"gateway/delivered_fraction"},
	},
	{
		Name: Loss, Label: "loss",
		Meaning: "of the policy, per trained token; smaller is not better", Headline: true, Summary: true,
		Aliases: []string{"actor/pg_loss"},
	},
	{
		Name: Entropy, Label: "entropy", Unit: "nats per token",
		Meaning: "of the policy's distribution over trained tokens", Headline: true, Summary: true,
		Aliases: []string{"actor/entropy"},
	},
	{
		Name: KL, Label: "KL", Unit: "nats per token",
		Meaning: "estimate of the divergence from the reference policy", Headline: true, Summary: true,
		Aliases: []string{"actor/kl_loss", "actor/ppo_kl"},
	},
	{
		Name: ClipFraction, Label: "clip fraction", Unit: "fraction",
		Meaning: "of the trained tokens whose ratio was clipped", Headline: true, Summary: true,
		Aliases: []string{"actor/pg_clipfrac"},
	},
	{
		Name: GradNorm, Label: "grad norm", Meaning: "before clipping", Headline: true, Summary: true,
		Aliases: []string{"actor/grad_norm"},
	},
	{
		Name: LearningRate, Label: "learning rate", Meaning: "of this step", Headline: true,
		Aliases: []string{"train/lr", "actor/lr"},
	},
	{
		Name: RewardStd, Label: "reward std",
		Meaning: "standard deviation over the same episodes as the reward", Headline: true,
	},
	{
		Name: LogprobGap, Label: "logprob gap", Unit: "nats",
		Meaning:  "largest difference between a token's logprob at sampling and in training, on the same weights",
		Headline: true,
	},
	{Name: ProbabilityGap, Label: "probability gap", Meaning: "the same between probabilities", Headline: true},
	{
		Name: ZeroVarianceGroups, Label: "zero variance", Unit: "groups",
		Meaning: "whose samples got the same reward, which gives no gradient", Headline: true,
	},
	{
		Name: ResponseTokens, Label: "response length", Unit: "tokens per episode",
		Meaning: "sampled by the policy, mean", Headline: true, Summary: true,
	},
	{
		Name: ToolErrorRate, Label: "tool errors", Unit: "fraction",
		Meaning: "of the tool calls: answered with an error", Headline: true, Summary: true,
	},
	{Name: Scanned, Label: "scanned", Unit: "episodes", Meaning: "whose conversations were scanned by rules"},
	{
		Name: MalformedRate, Label: "malformed calls", Unit: "fraction",
		Meaning: "of the episodes: with a call that cannot be parsed", Headline: true,
	},
	{
		Name: FlatGroups, Label: "flat groups", Unit: "fraction",
		Meaning: "of the groups with two rewards or more: all are equal",
	},
	{
		Name: SameWrong, Label: "same wrong answer", Unit: "fraction",
		Meaning: "of the groups with four samples or more: all give the same wrong answer",
	},
	{
		Name: UnequalRewards, Label: "unequal rewards", Unit: "fraction",
		Meaning: "of the sets of equal conversations in a group: their rewards differ",
	},
	{Name: LogprobGapMean, Label: "mean logprob gap", Unit: "nats", Meaning: "mean of these differences"},
	{Name: LogprobGapP99, Label: "logprob gap p99", Unit: "nats", Meaning: "their 99th percentile"},
	{Name: LogprobBias, Label: "logprob bias", Unit: "nats", Meaning: "mean logprob at sampling minus in training"},
	{
		Name: Staleness, Label: "staleness", Unit: "steps",
		Meaning: "from an episode's request to its training, maximum",
	},
	{Name: Scored, Label: "scored", Unit: "episodes", Meaning: "with a reward"},
	{Name: Judged, Label: "judged", Unit: "episodes", Meaning: "with known success"},
	{Name: Failed, Label: "failed", Unit: "episodes", Meaning: "without a number", Summary: true},
	{Name: Truncated, Label: "truncated", Unit: "episodes", Meaning: "cut by a limit", Summary: true},
	{Name: Turns, Label: "turns", Unit: "turns per episode", Meaning: "mean", Summary: true},
	{Name: Episodes, Label: "episodes", Unit: "episodes", Meaning: "that count in the step"},
	{Name: Retries, Label: "retries", Unit: "attempts", Meaning: "repeated by on_failure"},
	{
		Name: ValidationEpisodes, Label: "validation episodes", Unit: "episodes",
		Meaning: "that were not withdrawn",
	},
	{
		Name: ApproxKL, Label: "approx kl", Unit: "nats per token",
		Meaning: "between the policy before and after the update",
	},
	{Name: Advantage, Label: "advantage", Meaning: "mean over trained tokens"},
	{
		Name: ImportanceWeight, Label: "importance weight",
		Meaning: "mean ratio of the policy after and before the update",
	},
	{
		Name: BehaviourWeightMax, Label: "behaviour weight max",
		Meaning: "largest ratio of the trainer's probability to the sampler's",
	},
	{Name: BehaviourWeightMin, Label: "behaviour weight min", Meaning: "smallest of these ratios"},
	{
		Name: FilteredFraction, Label: "filtered fraction", Unit: "fraction",
		Meaning: "of the trained tokens, left out because their ratio was too large",
	},
	{Name: Groups, Label: "groups", Unit: "groups", Meaning: "with at least one sample that has a reward"},
	{
		Name: Masked, Label: "masked", Unit: "samples",
		Meaning: "without a reward or without a token of the policy",
	},
	{Name: Dropped, Label: "dropped", Unit: "samples", Meaning: "that left the batch"},
	{Name: Updates, Label: "updates", Unit: "updates", Meaning: "of the optimiser"},
	{Name: Tokens, Label: "tokens", Unit: "tokens", Meaning: "trained"},
	{Name: PromptTokens, Label: "prompt tokens", Unit: "tokens per row", Meaning: "that are not trained"},
	{Name: RowTokens, Label: "row tokens", Unit: "tokens per row", Meaning: "all of them"},
	{Name: TokensPerSecond, Label: "tokens per second", Unit: "tokens/s", Meaning: "trained, of the update"},
	{Name: RolloutSeconds, Label: "rollout seconds", Unit: "s", Meaning: "time of the rollouts"},
	{Name: UpdateSeconds, Label: "update seconds", Unit: "s", Meaning: "time of the update"},
	{
		Name: WeightSyncSeconds, Label: "weight sync seconds", Unit: "s",
		Meaning: "time until the samplers had the new weights",
	},
	{Name: SaveSeconds, Label: "save seconds", Unit: "s", Meaning: "time of the checkpoint's weights"},
	{
		Name: AuxiliaryFraction, Label: "auxiliary", Unit: "fraction",
		Meaning: "of the tokens that the policy sampled for an agent's program, for requests outside of the task",
	},
	{Name: Rows, Label: "rows", Unit: "rows", Meaning: "of agents whose programs choose the requests"},
	{Name: RowsMerged, Label: "rows merged", Unit: "calls", Meaning: "included in the row of another call"},
	{
		Name: TokensSaved, Label: "tokens saved", Unit: "tokens",
		Meaning: "saved compared with a row for each call, prompts included",
	},
	{
		Name: ForeignCallRate, Label: "foreign calls", Unit: "fraction",
		Meaning: "of the messages with tools: a call in a format that the codec does not read",
	},
	{
		Name: MadnessRate, Label: "madness", Unit: "fraction",
		Meaning: "of the episodes with a message that fails the checks of its agent",
	},
	{
		Name: ValidationMadnessRate, Label: "validation madness", Unit: "fraction",
		Meaning: "the same of the held-out episodes",
	},
}

// All returns all metrics, with goals first, then headlines, each in display order.
func All() []Metric { return slices.Clone(all) }

// IsSummary reports whether a metric is listed in a comparison of two runs.
func IsSummary(name string) bool {
	return slices.ContainsFunc(all, func(m Metric) bool { return m.Name == name && m.Summary })
}
