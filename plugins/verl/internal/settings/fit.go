package settings

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// types is a set of the kinds of values that a key takes.
type types uint

const (
	boolean types = 1 << iota
	whole
	real
	text
	list
	mapping
	null
	anything = boolean | whole | real | text | list | mapping | null
)

func (t types) has(other types) bool { return t&other != 0 }

// String names the kinds for people, nothing for null.
func (t types) String() string {
	if t&^null == anything&^null {
		return "anything"
	}
	var names []string
	for _, k := range []struct {
		is   types
		name string
	}{{boolean, "true or false"}, {whole, "a whole number"}, {real, "a number"}, {text, "a text"}, {list, "a list"}, {mapping, "a mapping"}} {
		if t.has(k.is) && (k.is != whole || !t.has(real)) {
			names = append(names, k.name)
		}
	}
	return strings.Join(names, " or ")
}

var listType = regexp.MustCompile(`^(list|List|tuple|Tuple|Sequence)\b`)

// typeOf reads the annotation of a dataclass's field.
func typeOf(annotation string) types {
	annotation = strings.TrimSpace(annotation)
	if inner, ok := strings.CutPrefix(annotation, "Optional["); ok {
		return null | typeOf(strings.TrimSuffix(inner, "]"))
	}
	if inner, ok := strings.CutPrefix(annotation, "Union["); ok && !strings.Contains(inner, "[") {
		return union(strings.Split(strings.TrimSuffix(inner, "]"), ","))
	}
	if parts := strings.Split(annotation, "|"); len(parts) > 1 {
		return union(parts)
	}
	switch annotation {
	case "bool":
		return boolean
	case "int":
		return whole
	case "float":
		return real | whole
	case "str":
		return text
	case "None":
		return null
	case "":
		return anything
	}
	if listType.MatchString(annotation) {
		return list
	}
	if strings.HasPrefix(annotation, "dict") || strings.HasPrefix(annotation, "Dict") || annotation == "DictConfig" || annotation == "Mapping" {
		return mapping
	}
	return anything // Any, a class, or something that nobody has written yet
}

func union(parts []string) types {
	var out types
	for _, part := range parts {
		out |= typeOf(part)
	}
	return out
}

// wider are keys that take more than their default says, and that no dataclass describes.
var wider = map[string]types{
	"data.train_files":    text | list,
	"data.val_files":      text | list,
	"data.val_batch_size": whole | null,
	"trainer.logger":      text | list,
	"trainer.v1.colocate_async.num_warmup_batches":     real | whole, // a fraction of a batch
	"trainer.v1.separate_async.num_warmup_batches":     real | whole,
	"trainer.v1.sampler.max_off_policy_threshold":      whole | null,
	"actor_rollout_ref.model.target_modules":           text | list,
	"critic.model.target_modules":                      text | list,
	"algorithm.rollout_correction.rollout_is":          text | null | boolean,
	"actor_rollout_ref.rollout.val_kwargs.temperature": real | whole,
	"actor_rollout_ref.rollout.over_sample_rate":       real | whole,
	"actor_rollout_ref.rollout.top_p":                  real | whole,
	"actor_rollout_ref.actor.entropy_coeff":            real | whole,
	"trainer.esi_redundant_time":                       real | whole,
}

// typeOfDefault is what a key takes whose default is all that is known of it.
func typeOfDefault(v any) types {
	switch v := v.(type) {
	case bool:
		return boolean
	case int64:
		return whole | null
	case float64:
		return real | whole | null
	case string:
		if strings.Contains(v, "${") || v == mandatory {
			return anything
		}
		return text | null
	case []any:
		return list | null
	case map[string]any:
		return mapping | null
	}
	return anything
}

// mandatory is OmegaConf's mark of a value that somebody must give.
const mandatory = "???"

// typeAt says which values a key takes.
func (s *schema) typeAt(key string) types {
	if t, ok := wider[key]; ok {
		return t
	}
	at := s.at(key)
	if at.annotation != "" {
		return typeOf(at.annotation)
	}
	if at.kind != known {
		return anything
	}
	return typeOfDefault(at.leaf.Value)
}

// fits says whether a value has one of the types.
func (t types) fits(v any) bool {
	switch v := v.(type) {
	case nil:
		return t.has(null)
	case bool:
		return t.has(boolean)
	case int64:
		return t.has(whole | real)
	case float64:
		return t.has(real) || t.has(whole) && v == math.Trunc(v)
	case string:
		return t.has(text) || strings.Contains(v, "${") // what it stands for is known later
	case framework.Verbatim:
		return t.has(text)
	case []any:
		return t.has(list)
	case map[string]any:
		return t.has(mapping)
	}
	return false
}

// choices are the texts that verl takes where it takes a text. It refuses others when the run begins, or silently does
// something else.
var choices = map[string][]string{
	"actor_rollout_ref.actor.loss_agg_mode":           {"token-mean", "seq-mean-token-sum", "seq-mean-token-mean", "seq-mean-token-sum-norm"},
	"actor_rollout_ref.actor.optim.lr_scheduler_type": {"constant", "cosine"},
	"actor_rollout_ref.actor.optim.lr_decay_style":    {"constant", "linear", "cosine", "inverse-square-root", "WSD"},
	"actor_rollout_ref.actor.kl_loss_type":            {"kl", "k1", "abs", "mse", "k2", "low_var_kl", "k3", "full", "k1+", "k2+", "k3+", "kl+", "abs+", "mse+", "low_var_kl+"},
	"algorithm.kl_penalty":                            {"kl", "k1", "abs", "mse", "k2", "low_var_kl", "k3", "full", "k1+", "k2+", "k3+", "kl+", "abs+", "mse+", "low_var_kl+"},
	"algorithm.kl_ctrl.type":                          {"fixed", "adaptive"},
	"data.truncation":                                 {"error", "left", "right", "middle"},
	"trainer.resume_mode":                             {"auto", "disable", "resume_path"},
	"trainer.use_legacy_worker_impl":                  {"auto", "enable", "disable"},
	"trainer.v1.trainer_mode":                         {"sync", "colocate_async", "separate_async"},
	"model_engine":                                    engines,
}

// loggers are verl's trackers.
var loggers = []string{"wandb", "mlflow", "swanlab", "vemlp_wandb", "tensorboard", "console", "clearml", "trackio", "file", "rl_insight"}

// allowed says whether a text is one of those that verl takes, and which those are. Other engines have schedules of their own.
func allowed(key, engine string, v any) (options []string, ok bool) {
	options = choices[key]
	if key == "actor_rollout_ref.actor.optim.lr_scheduler_type" && engine != defaultEngine {
		return nil, true
	}
	given, isText := v.(string)
	if len(options) == 0 || !isText || strings.Contains(given, "${") {
		return nil, true
	}
	return options, slices.Contains(options, given)
}
