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

// capabilities returns all capabilities for a component's kind, declared or not.
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
	unsaid    = "not declared"
)

func needs(list []sdk.Need) capability {
	var out []string
	for _, n := range list {
		out = append(out, string(n))
	}
	return capability{"needs", out, nothing, "What it requires."}
}

func ofEnvironment(c *sdk.EnvironmentCapabilities) []capability {
	return []capability{
		needs(c.Needs),
		{"max_sessions", c.MaxSessions, anyNumber, "Maximum number of concurrently open episodes."},
		{"deterministic_under_seed", c.DeterministicUnderSeed, "", "The same seed, task, and messages produce the same " +
			"results."},
		{"group_safe", c.GroupSafe, "", "Episodes of one group may run concurrently."},
		{"snapshot", c.Snapshot, "", "Rewards can read its state."},
		{"tasks", c.Tasks, "", "It provides tasks."},
		{"multi_user_turn", c.MultiUserTurn, "", "It may respond with a user message."},
		{"ground_truth_attribute", c.GroundTruthAttribute, nothing, "The attribute that makes it require the ground truth."},
		{"view_url", c.ViewURL, nothing, "Where users can watch it."},
	}
}

func ofReward(c *sdk.RewardCapabilities) []capability {
	return []capability{
		needs(c.Needs),
		{"batch_size", c.BatchSize, "1", "Maximum number of items per call."},
		{"group_relative", c.GroupRelative, "", "It compares the samples of a group, which arrive in one call."},
		{"model_judge", c.ModelJudge, "", "It calls a model: scores cost money and may vary."},
		{"truth_optional", c.TruthOptional, "", "It also judges tasks without a ground truth."},
		{"truth_types", c.TruthTypes, "any", "Types of a ground truth, or of the elements of a list of accepted answers."},
	}
}

func ofAgent(c *sdk.AgentCapabilities) []capability {
	return []capability{
		needs(c.Needs),
		{"needs_environment", c.NeedsEnvironment, "", "It requires an environment."},
		{"max_concurrent", c.MaxConcurrent, anyNumber, "Maximum number of concurrent episodes."},
	}
}

func ofAdapter(c *sdk.AdapterCapabilities) []capability {
	return []capability{
		{"token_custody", c.TokenCustody, unsaid, "Which side keeps the sampled tokens."},
		{"rows_per_episode", c.RowsPerEpisode, unsaid, "Whether an episode may produce several training rows."},
		{"behaviour_logprobs", c.BehaviourLogprobs, "", "It keeps the logprobs of the sampled tokens."},
		{"per_token_versions", c.PerTokenVersions, "", "It records which weights sampled each token."},
		{"unscorable", c.Unscorable, unsaid, "How a sample without a reward is handled."},
		{"group_semantics", c.GroupSemantics, "", "The samples of a group stay together."},
		{"group_of_one", c.GroupOfOne, unsaid, "How the only sample of a group with a reward is handled. With `raw`, its " +
			"reward becomes its advantage; the host prevents this."},
		{"trains_all", c.TrainsAll, "", "All sampled messages of an episode are trained; none can be left out."},
		{"credit", c.Credit, nothing, "What rewards can be assigned to."},
		{"sampling_owned", c.SamplingOwned, nothing, "Supported sampling settings."},
		{"modalities", c.Modalities, nothing, "Supported message content."},
		{"max_context", c.MaxContext, unsaid, "Maximum tokens of a conversation."},
		{"max_episode", c.MaxEpisode, unsaid, "Maximum duration of an episode."},
		{"interruptible", c.Interruptible, "", "Generation may be interrupted for new weights and then continues."},
		{"resume", c.Resume, "", "A run can be resumed from a checkpoint."},
		{"live_metrics", c.LiveMetrics, "", "It reports metrics during training."},
		{"evaluate", c.Evaluate, "", "It validates between steps on request."},
		{"step_barrier", c.StepBarrier, "", "It consults the host after each step. Otherwise only after each checkpoint."},
		{"smoke", c.Smoke, "", "`apply --smoke` works."},
		{"scale", c.Scale, nothing, "How its trainer can be launched."},
		{"serve", c.Serve, "", "A checkpoint can generate without training."},
		{"export_formats", c.ExportFormats, nothing, "Formats that `export` can write."},
		{"recover", c.Recover, "", "Its trainer can keep running after its process ends, and can be reattached."},
		{"remote_checkpoints", c.RemoteCheckpoints, "", "It keeps data of checkpoints elsewhere, and deletes it when " +
			"they are pruned."},
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
	m.paragraph(strings.Repeat("#", level) + " Declared capabilities")
	m.table("capability", "value", "meaning")
	for _, each := range list {
		m.row("`"+each.name+"`", each.text(), each.meaning)
	}
	m.end()
}
