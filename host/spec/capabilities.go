package spec

import (
	"fmt"
	"strings"
	"time"

	"github.com/awhost/awhost/sdk"
)

// capability is a capability that a component may declare, with its name in the protocol.
type capability struct {
	name    string
	value   any // bool, a number, a string, a list of names, a duration
	unset   string
	meaning string
}

// capabilities returns all capabilities of a component's kind, declared or not.
func capabilities(c *sdk.ComponentDescription) []capability {
	switch {
	case c.Environment != nil:
		return ofEnvironment(c.Environment)
	case c.Reward != nil:
		return ofReward(c.Reward)
	case c.Adapter != nil:
		return ofAdapter(c.Adapter)
	case c.Agent != nil:
		return ofAgent(c.Agent)
	}
	return nil
}

const (
	anyNumber = "any number"
	nothing   = "nothing"
	unsaid    = "not said"
)

func needs(list []sdk.Need) capability {
	var out []string
	for _, n := range list {
		out = append(out, string(n))
	}
	return capability{"needs", out, nothing, "What it cannot work without."}
}

func ofEnvironment(c *sdk.EnvironmentCapabilities) []capability {
	return []capability{
		needs(c.Needs),
		{"max_sessions", c.MaxSessions, anyNumber, "Most episodes that are open at a time."},
		{"deterministic_under_seed", c.DeterministicUnderSeed, "", "Equal seed, task and messages give equal answers."},
		{"group_safe", c.GroupSafe, "", "Episodes of one group may run at the same time."},
		{"snapshot", c.Snapshot, "", "Its state can be read, by rewards that need it."},
		{"tasks", c.Tasks, "", "It brings tasks of its own."},
		{"multi_user_turn", c.MultiUserTurn, "", "It may answer with a user message."},
		{"ground_truth_attribute", c.GroundTruthAttribute, nothing, "Where a block sets it, it needs the ground truth."},
		{"view_url", c.ViewURL, nothing, "Where a person can watch."},
	}
}

func ofReward(c *sdk.RewardCapabilities) []capability {
	return []capability{
		needs(c.Needs),
		{"batch_size", c.BatchSize, "1", "Most items per call."},
		{"group_relative", c.GroupRelative, "", "It compares the samples of a group, which come in one call."},
		{"model_judge", c.ModelJudge, "", "It asks a model: scores cost money, and may vary."},
		{"truth_optional", c.TruthOptional, "", "It also judges tasks without a ground truth."},
	}
}

func ofAgent(c *sdk.AgentCapabilities) []capability {
	return []capability{
		needs(c.Needs),
		{"needs_environment", c.NeedsEnvironment, "", "It cannot work without an environment."},
		{"max_concurrent", c.MaxConcurrent, anyNumber, "Most episodes at a time."},
	}
}

func ofAdapter(c *sdk.AdapterCapabilities) []capability {
	return []capability{
		{"token_custody", c.TokenCustody, unsaid, "Who keeps the sampled tokens."},
		{"rows_per_episode", c.RowsPerEpisode, unsaid, "Whether an episode may become several training rows."},
		{"behaviour_logprobs", c.BehaviourLogprobs, "", "It keeps the logprobs with which tokens were sampled."},
		{"per_token_versions", c.PerTokenVersions, "", "It knows which weights sampled each token."},
		{"unscorable", c.Unscorable, unsaid, "What a sample without a number becomes."},
		{"group_semantics", c.GroupSemantics, "", "The samples of a group stay together."},
		{"group_of_one", c.GroupOfOne, unsaid, "What becomes of the only sample of a group with a number: `raw` is its reward as advantage, which the host prevents."},
		{"trains_all", c.TrainsAll, "", "Every message that was sampled for an episode is trained: none can be left out."},
		{"credit", c.Credit, nothing, "What rewards may be given to."},
		{"sampling_owned", c.SamplingOwned, nothing, "The sampling settings that it honours."},
		{"modalities", c.Modalities, nothing, "What messages may hold."},
		{"max_context", c.MaxContext, unsaid, "Most tokens of a conversation."},
		{"max_episode", c.MaxEpisode, unsaid, "Longest that an episode may take."},
		{"interruptible", c.Interruptible, "", "Generation may be interrupted for new weights, and goes on."},
		{"resume", c.Resume, "", "A run can go on from a checkpoint."},
		{"live_metrics", c.LiveMetrics, "", "Metrics come while it trains."},
		{"evaluate", c.Evaluate, "", "It validates between steps when the host asks."},
		{"step_barrier", c.StepBarrier, "", "It asks the host after each step; without it each checkpoint is the boundary."},
		{"smoke", c.Smoke, "", "`apply --smoke` works."},
		{"scale", c.Scale, nothing, "How its trainer can be launched."},
		{"serve", c.Serve, "", "A checkpoint can be asked without training."},
		{"export_formats", c.ExportFormats, nothing, "What `export` can write."},
		{"recover", c.Recover, "", "Its trainer can outlive its process, and is found again."},
	}
}

// text formats the value for the reference page.
func (c capability) text() string {
	switch v := c.value.(type) {
	case bool:
		if v {
			return "yes"
		}
		return "no"
	case []string:
		if len(v) > 0 {
			return inCode(v)
		}
	case int:
		if v != 0 {
			return fmt.Sprint(v)
		}
	case string:
		if v != "" {
			return inCode([]string{v})
		}
	case time.Duration:
		if v != 0 {
			return v.String()
		}
	}
	return c.unset
}

// capabilities writes the capabilities that a component declares in addition to its schema.
func (m *manual) capabilities(c *sdk.ComponentDescription, level int) {
	list := capabilities(c)
	if len(list) == 0 {
		return
	}
	m.paragraph(strings.Repeat("#", level) + " What it declares")
	m.table("capability", "value", "meaning")
	for _, each := range list {
		m.row("`"+each.name+"`", each.text(), each.meaning)
	}
	m.end()
}
