package spec

import (
	"encoding/json"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// The tables below are the vocabulary of train and stage blocks. They decode the spec, provide defaults, and generate
// the reference documentation and, with `go generate ./host/spec`, the struct for adapters in sdk/knobs.go. The adapter
// chooses the value of any knob that has no default here.

func expression(name, description string) schema.Attribute {
	return schema.Attribute{Name: name, Type: typeExpression, Description: description}
}

func group(name, description string, attributes ...schema.Attribute) schema.NestedBlock {
	return schema.NestedBlock{Name: name, Nesting: nestingGroup,
		Block: schema.Block{Description: description, Attributes: attributes}}
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
		schema.Number("temperature", "Softmax temperature; 0 selects the most likely token.").AtLeast(0),
		schema.Number("top_p", "Nucleus sampling probability.").Range(0, 1),
		schema.Integer("top_k", "Number of most likely tokens to sample from; 0 means all.").AtLeast(0),
		schema.Strings("stop", "Stop sequences, which end a message."),
	}
}

// templateKwargs is the attribute with arguments of the chat template.
const templateKwargs = "chat_template_kwargs"

// templateKwargs returns the arguments of the chat template, or nil without the attribute.
func (d *decoder) templateKwargs(b *body) map[string]any {
	w, ok := b.attrs[templateKwargs]
	if !ok || w.value.IsNull() {
		return nil
	}
	kwargs, isObject := toJSON(unmarked(w.value)).(map[string]any)
	if !isObject {
		d.fail(w.where, "Wrong type", templateKwargs+" takes an object: { enable_thinking = false }.")
	}
	return kwargs
}

// commonAttributes returns the attributes shared by train and stage.
func commonAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Reference("agent", kindAgent, "The agent or swarm that acts in the episodes."),
		schema.Attribute{
			Name: "trained", Type: `["list","ref:agent"]`, Description: "Swarm members to train. Default: all.",
		},
		schema.Reference("dataset", kindDataset, "The tasks to train on."),
		schema.Reference("validation", kindDataset, "Held-out tasks. Without them, awhost does not validate."),
		schema.Reference("adapter", kindAdapter, "The trainer. All stages must use the same type of adapter."),
		expression("reward", "The score of an episode, computed from its rewards."),
		expression("success", "Whether an episode counts as solved. Default: is_success of the only reward."),
		schema.Integer("steps", "Optimizer steps. Set either steps or epochs, unless the adapter's `config` has the "+
			"length.").AtLeast(1),
		schema.Number("epochs", "Passes over the dataset, as an alternative to steps.").AtLeast(0),
		schema.Integer("seed", "The source of all randomness.").Default(1),
		schema.Integer("concurrency", "Maximum number of concurrent episodes.").Default(64).Range(1, 1<<20).CanResume(),
		schema.Duration("episode_timeout", "Maximum active time of an episode, excluding waits.").Default("5m"),
		schema.Duration("reconnect_grace", "How long an episode waits for a disconnected trainer.").Default("2m").CanResume(),
		schema.Attribute{Name: templateKwargs, Type: schema.TypeAny, Description: "Arguments of the policy's chat " +
			"template, which override the trainer's own configuration."}.Example(map[string]any{"enable_thinking": false}),
		schema.Integer("min_group", "Minimum number of samples in a group for a group-relative reward. Default: "+
			"all.").AtLeast(1),
	}
}

// runAttributes returns the attributes that only train has, because a stage continues the run with the same values.
func runAttributes() []schema.Attribute {
	return []schema.Attribute{
		schema.Reference(policyAttribute, kindModel, "The model to train, or `train.NAME.checkpoint`: the last checkpoint "+
			"of another train block. Default: the adapter's model, if it has one."),
		schema.Duration("host_absence_timeout", "How long a detached trainer waits for a host before it "+
			"exits.").Default("10m").CanResume(),
		schema.String("dir_mode", "Octal mode of the run directory and its checkpoints, regardless of the umask. "+
			"Locks, records, and logs are always private.").
			Enum("0700", "0750", "0755", "0770", "0775", "0777").CanResume(),
		schema.Integer("max_restarts", "Maximum number of times a plugin is restarted in a run. Then the run stops "+
			"and can be resumed.").Default(5).AtLeast(0).CanResume(),
	}
}

// runBlocks returns the blocks that only train has.
func runBlocks() []schema.NestedBlock {
	const about = "Serves agents on other machines over TLS. By default, their endpoints listen on loopback only."
	return []schema.NestedBlock{trackingBlock(), expectBlock(), scanBlock(), single("gateway", about,
		schema.String("listen", "Address and port; 0 selects a free port.").Default("0.0.0.0:0").CanResume(),
		schema.String("certificate", "PEM file with the certificate chain.").CanResume(),
		schema.String("key", "PEM file with the private key.").CanResume(),
		schema.String("host", "Host name in the certificate, to which agents connect. Default: the first "+
			"one.").CanResume())}
}

// trackingBlock returns a host block, which works in the same way with every adapter.
func trackingBlock() schema.NestedBlock {
	return group("tracking", "Additional destinations of the run's metrics, with any adapter. A framework's own "+
		"loggers are configured in the adapter's config.",
		schema.Bool("tensorboard", "TensorBoard event files, in the tensorboard directory of the run directory.").
			Default(true).CanResume(),
		schema.Integer("generations", "Number of episodes from each validation, starting with the first tasks, to "+
			"write to TensorBoard as text.").
			Default(4).Range(0, 100).CanResume(),
		schema.Bool("wandb", "Weights & Biases, through your Python.").Default(false).CanResume(),
		schema.Bool("swanlab", "SwanLab, through your Python.").Default(false).CanResume(),
		schema.Bool("mlflow", "MLflow, through your Python.").Default(false).CanResume(),
		schema.String("python", "Python that has the trackers' packages: a path or a program name. Required for "+
			"wandb, swanlab, and mlflow.").CanResume(),
		schema.String("project", "Project name (MLflow: experiment). Default: the name of the train block.").CanResume(),
		schema.String("experiment", "Name of the tracked run. Default: the run's name.").CanResume(),
		schema.Bool("offline", "Whether to write only to the run directory, so that nothing leaves the machine.").
			Default(false).CanResume(),
		schema.Duration("close_timeout", "How long the end of a run waits for the trackers. awhost reports "+
			"undelivered metrics, and a resumed run delivers them.").Default("1m").CanResume())
}

func commonBlocks() []schema.NestedBlock {
	return []schema.NestedBlock{
		group("batch", "Size of a step.",
			schema.Integer("prompts", "Number of groups per step.").AtLeast(1),
			schema.Integer("group_size", "Number of samples per group, all for the same task.").AtLeast(1)),
		group("mini_batch", "Defines how a step is split into updates.",
			schema.Integer("size", "Number of samples per update.").AtLeast(1),
			schema.Integer("epochs", "Number of passes over each batch.").AtLeast(1)),
		group("optimizer", "AdamW.",
			schema.Number("learning_rate", "Peak learning rate.").AtLeast(0),
			schema.String("schedule", "Schedule after the warm-up.").Enum("constant", "linear", "cosine"),
			schema.Integer("warmup_steps", "Number of steps over which the learning rate rises from zero.").AtLeast(0),
			schema.Number("weight_decay", "Decoupled weight decay.").AtLeast(0),
			schema.Number("max_grad_norm", "Maximum gradient norm.").AtLeast(0),
			schema.Number("beta1", "Decay rate of the first moment.").Range(0, 1),
			schema.Number("beta2", "Decay rate of the second moment.").Range(0, 1)),
		choice("algorithm", "The objective. Label: grpo.",
			schema.Number("clip_low", "The probability ratio is clipped below at 1 - clip_low.").Range(0, 1),
			schema.Number("clip_high", "The probability ratio is clipped above at 1 + clip_high.").AtLeast(0),
			schema.Number("kl", "Weight of the KL penalty to the reference policy.").AtLeast(0),
			schema.Number("entropy", "Weight of the entropy bonus.").AtLeast(0),
			schema.String("normalize_by",
				"Whether to divide advantages by the group's standard deviation: `std` (GRPO) or `none` (Dr. GRPO).").Enum("std",
				"none"),
			schema.Bool("drop_zero_variance", "Exclude groups whose samples have equal scores.")),
		group("sampling", "Sampling settings for training.", samplingAttributes()...),
		group("limits", "Limits of an episode.",
			schema.Integer("prompt_tokens", "Maximum length of the first prompt.").In("tokens").AtLeast(1),
			schema.Integer("response_tokens", "Maximum number of tokens after the first prompt, including tool results. "+
				"The host learns their length from the next message: the last ones can exceed it.").In("tokens").AtLeast(1),
			schema.Integer("message_tokens", "Maximum number of tokens per assistant message.").In("tokens").AtLeast(1),
			schema.String("overlong", "Handling of an episode that was ended by a "+
				"limit.").Default("score").Enum("score", "mask",
				"penalise"),
			schema.Number("overlong_penalty", "Amount deducted from the reward with overlong = "+
				"\"penalise\".").Default(0.5).AtLeast(0)),
		single("filter_groups", "Drops groups without variation.",
			schema.String("metric", "The metric that must vary within a group."),
			schema.Bool("refill", "Whether to sample replacement groups."),
			schema.Integer("max_refills", "Maximum number of refill rounds per step.").AtLeast(0)),
		validateBlock(),
		group("checkpoint", "Checkpoints to keep.",
			schema.Integer("every", "Number of steps, or epochs, between kept checkpoints.").AtLeast(1).CanResume(),
			schema.String("unit", "The unit of every.").Default("steps").Enum("steps", "epochs").CanResume(),
			schema.Integer("keep", "Number of checkpoints to keep in addition to the best one. Default: "+
				"all.").AtLeast(1).CanResume()),
		single("env", "Environment variables of the trainer process, by name.",
			schema.String(anyName, "The value of the variable.")),
		onFailureBlock(),
		findingsBlock(),
		single("circuit_breaker", "Stops a run if too many episodes fail. POLICY failures and truncated or canceled "+
			"episodes do not count.",
			schema.Number("failed_fraction", "Maximum failed fraction of the window; 1 means that the run is never "+
				"stopped.").Default(defaultBreaker.FailedFraction).Range(0.001, 1),
			schema.Number("foreign_fraction", "Maximum fraction of the window's episodes in which the policy writes most tool "+
				"calls in another model family's format than the codec reads; 1 means that the run is never stopped "+
				"for it.").Default(defaultBreaker.ForeignFraction).Range(0.001, 1),
			schema.Integer("window", "Number of recent episodes to consider.").Default(defaultBreaker.Window).AtLeast(1),
			schema.Integer("min_episodes",
				"Minimum number of episodes before the run can be "+
					"stopped.").Default(defaultBreaker.MinEpisodes).AtLeast(1)),
	}
}

func validateBlock() schema.NestedBlock {
	n := group("validate", "Validation settings.",
		schema.Integer("every", "Number of steps between validations. Default: only at the end.").AtLeast(1),
		schema.Bool("before_train", "Whether to validate before the first step.").Default(false),
		schema.Integer("samples", "Number of episodes per task.").Default(1).AtLeast(1),
		schema.String("best_by",
			"The metric that selects the best checkpoint.").Default(metricSuccessRate).Enum(validationMetrics...),
		schema.Integer("log_generations", "Number of episodes to log per validation.").AtLeast(0).CanResume())
	n.Block.Blocks = []schema.NestedBlock{single("sampling", "Sampling settings for validation. Default: as in "+
		"training.", samplingAttributes()...)}
	return n
}

// trainSchema and stageSchema describe the bodies of the two blocks. A stage has all the settings of train except those
// for the run as a whole.
var (
	stageSchema = schema.Block{
		Description: "A part of the run with its own settings. Stages run in order, each starting from the previous " +
			"one. A stage attribute replaces train's attribute; a stage block replaces train's entire block.",
		Attributes: append(commonAttributes(),
			expression("advance_when", "Ends the stage early if true after a validation: validation.success_rate > 0.8."),
			schema.String("carry", "State that the stage inherits from the previous "+
				"one.").Default(string(CarryWeightsAndOptimizer)).
				Enum(string(CarryWeightsAndOptimizer), string(CarryWeights))),
		Blocks: commonBlocks(),
	}
	trainSchema = schema.Block{
		Description: "A training run.",
		Attributes:  append(commonAttributes(), runAttributes()...),
		Blocks: append(append(commonBlocks(), runBlocks()...), schema.NestedBlock{
			Name: "stage", Nesting: schema.Map, Block: stageSchema,
		}),
	}
)

// hostKnobs lists the settings in the knob blocks that only the host uses. Adapters do not receive them.
var hostKnobs = map[string]bool{"limits.overlong_penalty": true}

// knobAttributes and knobBlocks list the parts of a train body that are copied to sdk.Knobs, by their JSON names.
var (
	knobAttributes = []string{"seed", "steps", "epochs", "concurrency"}
	knobBlocks     = []string{"batch", "mini_batch", "optimizer", "sampling", "limits", "filter_groups", "validate",
		"checkpoint", "env"}
)

// knobsOf returns the knobs in a merged train body. Secrets in env are included by value.
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
