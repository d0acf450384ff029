package spec

import (
	"encoding/json"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// The tables below are the vocabulary of train and stage blocks. They decode the spec, provide defaults, and generate
// the reference documentation and, by `go generate ./host/spec`, the struct for adapters, sdk/knobs.go. The adapter
// chooses the value of a knob without a default here.

func expression(name, description string) schema.Attribute {
	return schema.Attribute{Name: name, Type: typeExpression, Description: description}
}

func group(name, description string, attributes ...schema.Attribute) schema.NestedBlock {
	return schema.NestedBlock{Name: name, Nesting: nestingGroup, Block: schema.Block{Description: description, Attributes: attributes}}
}

func single(name, description string, attributes ...schema.Attribute) schema.NestedBlock {
	n := group(name, description, attributes...)
	n.Nesting = schema.Single
	return n
}

func labelledBlock(name, description string, attributes ...schema.Attribute) schema.NestedBlock {
	n := group(name, description, attributes...)
	n.Nesting = schema.Map
	return n
}

func choice(name, description string, attributes ...schema.Attribute) schema.NestedBlock {
	n := group(name, description, attributes...)
	n.Nesting = nestingChoice
	return n
}

// The metrics of a validation, for best_by and advance_when.
const (
	metricSuccessRate = "success_rate"
	metricReward      = "reward"
)

var validationMetrics = []string{metricReward, metricSuccessRate}

func samplingAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Number("temperature", "Softmax temperature; 0 takes the most likely token.").AtLeast(0),
		schema.Number("top_p", "Sample from the most likely tokens that together have this probability.").Range(0, 1),
		schema.Integer("top_k", "Sample from this many most likely tokens; 0 means all.").AtLeast(0),
		schema.Strings("stop", "Texts that end a message."),
	}
}

// commonAttributes returns the attributes shared by train and stage.
func commonAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Reference("agent", kindAgent, "Who acts in the episodes: an agent, or a swarm of them."),
		schema.Attribute{
			Name: "trained", Type: `["list","ref:agent"]`, Description: "Which members of a swarm are trained. Default: all.",
		},
		schema.Reference("dataset", kindDataset, "The tasks to train on."),
		schema.Reference("validation", kindDataset, "Held-out tasks. Without it nothing is validated."),
		schema.Reference("adapter", kindAdapter, "The trainer. All stages use one type of adapter."),
		expression("reward", "The number that an episode is worth, from rewards: 0.9 * reward.gaia.answer.score + 0.1 * reward.format.tags.score."),
		expression("success", "Whether an episode counts as solved. Default: the is_success of the only reward."),
		schema.Integer("steps", "Optimiser steps. Either steps or epochs must be given.").AtLeast(1),
		schema.Number("epochs", "Passes over the dataset, instead of steps.").AtLeast(0),
		schema.Integer("seed", "All randomness comes from it.").Default(1),
		schema.Integer("concurrency", "Most episodes at a time.").Default(64).Range(1, 1<<20).CanResume(),
		schema.Duration("episode_timeout", "Longest active time of an episode, waiting not counted.").Default("5m"),
		schema.Duration("reconnect_grace", "How long an episode waits for a trainer that lost its connection.").Default("2m").CanResume(),
		schema.Integer("min_group", "Fewest samples of a group that a group-relative reward still compares. Default: all.").AtLeast(1),
	}
}

// runAttributes returns the attributes that only train has: a stage continues the run with the same values.
func runAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Reference("policy", kindModel, "The model to train. Default: the adapter's own, where it has one."),
		schema.Duration("host_absence_timeout", "A detached trainer ends itself when no host came back for this long.").Default("10m").CanResume(),
		schema.String("dir_mode", "Who may read and write the run directory and its checkpoints, instead of what the "+
			"umask says: the mode of folders, in octal. Locks, records and logs are private all the same.").
			Enum("0700", "0750", "0755", "0770", "0775", "0777").CanResume(),
		schema.Integer("max_restarts", "Most restarts of a plugin in a run; then the run stops, resumably.").Default(5).AtLeast(0).CanResume(),
	}
}

// runBlocks returns the blocks that only train has.
func runBlocks() []schema.NestedBlock {
	const about = "Serves agents on other machines, with TLS. Without it their endpoints listen on loopback."
	return []schema.NestedBlock{trackingBlock(), single("gateway", about,
		schema.String("listen", "Address and port; port 0 is any.").Default("0.0.0.0:0").CanResume(),
		schema.String("certificate", "File in PEM: the certificate that they verify, and those that signed it.").CanResume(),
		schema.String("key", "File in PEM: its key.").CanResume(),
		schema.String("host", "The name of the certificate by which they reach it. Default: the first one.").CanResume())}
}

// trackingBlock returns a block of the host, which works the same with every adapter.
func trackingBlock() schema.NestedBlock {
	return group("tracking", "Where the run's numbers go besides the run directory. The host writes them, with every "+
		"adapter alike; what loggers a framework has of its own is set in the adapter's config.",
		schema.Bool("tensorboard", "TensorBoard's event files, in the folder tensorboard of the run directory.").
			Default(true).CanResume(),
		schema.Integer("generations", "How many episodes of each validation are written there as text, of the first tasks.").
			Default(4).Range(0, 100).CanResume(),
		schema.Bool("wandb", "Weights & Biases, by the user's own Python.").Default(false).CanResume(),
		schema.Bool("swanlab", "SwanLab, by the user's own Python.").Default(false).CanResume(),
		schema.Bool("mlflow", "MLflow, by the user's own Python.").Default(false).CanResume(),
		schema.String("python", "The Python that has their packages: a path, from the spec's directory on, or the name of "+
			"a program. Required with one of them.").CanResume(),
		schema.String("project", "Name of the project there; MLflow calls it an experiment. Default: the name of the "+
			"train block.").CanResume(),
		schema.String("experiment", "Name of the run there. Default: that of the run.").CanResume(),
		schema.Bool("offline", "They write into the run directory, and nothing leaves the machine.").
			Default(false).CanResume(),
		schema.Duration("close_timeout", "How long the end of a run waits for them. What they have not got by then is "+
			"said, and a resumed run hands it over.").Default("1m").CanResume())
}

func commonBlocks() []schema.NestedBlock {
	return []schema.NestedBlock{
		group("batch", "The size of a step.",
			schema.Integer("prompts", "Groups per step.").AtLeast(1),
			schema.Integer("group_size", "Samples per group; they share a task and are compared with one another.").AtLeast(1)),
		group("mini_batch", "How a step is split into updates.",
			schema.Integer("size", "Samples per update.").AtLeast(1),
			schema.Integer("epochs", "Passes over the batch.").AtLeast(1)),
		group("optimizer", "AdamW.",
			schema.Number("learning_rate", "Peak learning rate.").AtLeast(0),
			schema.String("schedule", "Course of the learning rate after the warm-up.").Enum("constant", "linear", "cosine"),
			schema.Integer("warmup_steps", "Steps in which the learning rate rises from zero.").AtLeast(0),
			schema.Number("weight_decay", "Decoupled weight decay.").AtLeast(0),
			schema.Number("max_grad_norm", "Gradients longer than this are scaled down to it.").AtLeast(0),
			schema.Number("beta1", "Decay of the first moment.").Range(0, 1),
			schema.Number("beta2", "Decay of the second moment.").Range(0, 1)),
		choice("algorithm", "The objective; the label names it: grpo.",
			schema.Number("clip_low", "The probability ratio counts down to 1 - clip_low.").Range(0, 1),
			schema.Number("clip_high", "The probability ratio counts up to 1 + clip_high.").AtLeast(0),
			schema.Number("kl", "Weight of the KL penalty to the reference policy.").AtLeast(0),
			schema.Number("entropy", "Weight of the entropy bonus.").AtLeast(0),
			schema.String("normalize_by", "Divide advantages by the group's standard deviation (GRPO) or not (Dr. GRPO).").Enum("std", "none"),
			schema.Bool("drop_zero_variance", "Leave groups whose samples are all worth the same out of the update.")),
		group("sampling", "How the policy draws a message in training.", samplingAttributes()...),
		group("limits", "What bounds an episode.",
			schema.Integer("prompt_tokens", "Longest first prompt.").In("tokens").AtLeast(1),
			schema.Integer("response_tokens", "Most tokens after the first prompt, tool results included.").In("tokens").AtLeast(1),
			schema.Integer("message_tokens", "Most tokens of one assistant message.").In("tokens").AtLeast(1),
			schema.String("overlong", "What becomes of an episode that a limit ended.").Default("score").Enum("score", "mask", "penalise"),
			schema.Number("overlong_penalty", "Taken off its reward with overlong = \"penalise\".").Default(0.5).AtLeast(0)),
		single("filter_groups", "Leave out groups that teach nothing.",
			schema.String("metric", "The number that must vary within a group."),
			schema.Bool("refill", "Sample other groups in their place."),
			schema.Integer("max_refills", "Most rounds of refilling in a step.").AtLeast(0)),
		validateBlock(),
		group("checkpoint", "Which checkpoints are kept.",
			schema.Integer("every", "Steps, or epochs, between kept checkpoints.").AtLeast(1).CanResume(),
			schema.String("unit", "What every counts.").Default("steps").Enum("steps", "epochs").CanResume(),
			schema.Integer("keep", "How many are kept besides the best one. Default: all.").AtLeast(1).CanResume()),
		single("env", "Environment variables for the trainer's process, by name.",
			schema.String(anyName, "The value of the variable.")),
		onFailureBlock(),
		single("circuit_breaker", "Stops a run in which too many episodes fail. POLICY failures, truncated and cancelled episodes do not count.",
			schema.Number("failed_fraction", "Stop when more than this part of the window failed; 1 never stops.").Default(defaultBreaker.FailedFraction).Range(0.001, 1),
			schema.Integer("window", "How many episodes are looked at.").Default(defaultBreaker.Window).AtLeast(1),
			schema.Integer("min_episodes", "Never stop before this many episodes.").Default(defaultBreaker.MinEpisodes).AtLeast(1)),
	}
}

func validateBlock() schema.NestedBlock {
	n := group("validate", "When and how to validate.",
		schema.Integer("every", "Steps between validations. Default: only at the end.").AtLeast(1),
		schema.Bool("before_train", "Also before the first step.").Default(false),
		schema.Integer("samples", "Episodes per task.").Default(1).AtLeast(1),
		schema.String("best_by", "What makes a checkpoint the best one.").Default(metricSuccessRate).Enum(validationMetrics...),
		schema.Integer("log_generations", "How many episodes of a validation are logged.").AtLeast(0).CanResume())
	n.Block.Blocks = []schema.NestedBlock{single("sampling", "How the policy draws a message in validation. Default: as in training.", samplingAttributes()...)}
	return n
}

// trainSchema and stageSchema are the bodies of the two blocks. A stage has all settings of train except settings of
// the run as a whole.
var (
	stageSchema = schema.Block{
		Description: "A part of the run with settings of its own. Stages run in order, each starting from the one before. What a stage sets replaces what train sets: an attribute the attribute, a block the whole block.",
		Attributes: append(commonAttributes(),
			expression("advance_when", "Ends the stage early when it is true after a validation: validation.success_rate > 0.8."),
			schema.String("carry", "What the stage takes over from the one before.").Default(string(CarryWeightsAndOptimizer)).
				Enum(string(CarryWeightsAndOptimizer), string(CarryWeights))),
		Blocks: commonBlocks(),
	}
	trainSchema = schema.Block{
		Description: "What to train, with what, and how.",
		Attributes:  append(commonAttributes(), runAttributes()...),
		Blocks: append(append(commonBlocks(), runBlocks()...), schema.NestedBlock{
			Name: "stage", Nesting: schema.Map, Block: stageSchema,
		}),
	}
)

// hostKnobs lists the settings in the knobs' blocks that only the host uses. Adapters do not receive them.
var hostKnobs = map[string]bool{"limits.overlong_penalty": true}

// knobAttributes and knobBlocks list the parts of a train body that are copied to sdk.Knobs, by their JSON names.
var (
	knobAttributes = []string{"seed", "steps", "epochs", "concurrency"}
	knobBlocks     = []string{"batch", "mini_batch", "optimizer", "sampling", "limits", "filter_groups", "validate", "checkpoint", "env"}
)

// knobsOf returns the knobs of a merged train body. Secrets in env are included by value.
func knobsOf(b *body, overrides map[string]string) (sdk.Knobs, error) {
	object := jsonObject(unmarked(b.object()))
	wanted := map[string]any{}
	for _, name := range append(append([]string{}, knobAttributes...), knobBlocks...) {
		if value, ok := object[name]; ok {
			wanted[name] = value
		}
	}
	wanted["algorithm"] = algorithmOf(b, object)
	knobs := sdk.Knobs{}
	if err := json.Unmarshal(mustJSON(wanted), &knobs); err != nil {
		return sdk.Knobs{}, err
	}
	knobs.Set = knobsSet(b)
	if len(overrides) > 0 {
		knobs.Overrides = overrides
	}
	return knobs, nil
}

// defaultAlgorithm is used without an algorithm block.
const defaultAlgorithm = "grpo"

func algorithmOf(b *body, object map[string]any) map[string]any {
	name, out := defaultAlgorithm, map[string]any{}
	if found := b.blocks["algorithm"]; len(found) > 0 {
		name = found[0].label
		out = object["algorithm"].(map[string]any)
	}
	out["name"] = name
	return out
}
