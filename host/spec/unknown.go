package spec

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/awhost/awhost/sdk/schema"
)

// borrowed maps names used in verl, AReaL, TRL and Hydra to awhost's equivalents.
var borrowed = map[string]string{
	"lr": "learning_rate in train's optimizer block", "warmup_ratio": "warmup_steps in train's optimizer block",
	"lr_warmup_steps":   "warmup_steps in train's optimizer block",
	"lr_scheduler_type": "schedule in train's optimizer block",
	"n":                 "group_size in train's batch block", "rollout_n": "group_size in train's batch block",
	"num_generations": "group_size in train's batch block",
	"n_samples":       "group_size in train's batch block", "train_batch_size": "prompts in train's batch block",
	"batch_size":          "prompts in train's batch block",
	"ppo_mini_batch_size": "size in train's mini_batch block", "kl_coef": "kl in train's algorithm block",
	"kl_loss_coef": "kl in train's algorithm block",
	"beta":         "kl in train's algorithm block", "clip_ratio": "clip_low and clip_high in train's algorithm block",
	"eps_clip":  "clip_low and clip_high in train's algorithm block",
	"save_freq": "every in train's checkpoint block", "save_steps": "every in train's checkpoint block",
	"test_freq":  "every in train's validate block",
	"eval_steps": "every in train's validate block", "total_training_steps": "steps in train",
	"total_train_steps": "steps in train", "max_steps": "steps in train",
	"total_epochs": "epochs in train", "total_train_epochs": "epochs in train",
	"max_prompt_length":     "prompt_tokens in train's limits block",
	"max_response_length":   "response_tokens in train's limits block",
	"max_completion_length": "response_tokens in train's limits block",
	"max_new_tokens":        "message_tokens in train's limits block", "venv": "python",
	"model_path": "path in a block model \"hf\", which policy in train names",
	"tracking":   "a tracking block in train, which applies to all stages",
	"report_to":  "train's tracking block", "logger": "train's tracking block",
	"reward_fn": "reward in train, which names reward blocks", "reward_func": "reward in train, which names reward blocks",
}

// unknownName matches HCL's message about an unknown name in a body.
var unknownName = regexp.MustCompile(`^(?:An argument named|Blocks of type) "([^"]+)" (?:is|are) not expected here\.(.*)$`)

// explainUnknown extends a message about an unknown name with the name's correct location, or with the names allowed
// here. block is the type of the nested block with the name, or empty.
func explainUnknown(problems hcl.Diagnostics, sch schema.Block, block string) hcl.Diagnostics {
	var names []string
	for _, a := range sch.Attributes {
		if a.Name != anyName {
			names = append(names, a.Name)
		}
	}
	for _, b := range sch.Blocks {
		names = append(names, b.Name)
	}
	for _, p := range problems {
		found := unknownName.FindStringSubmatch(p.Detail)
		if found != nil && block != "" {
			p.Detail = strings.Replace(p.Detail, "here.", "in the block "+block+".", 1)
		}
		if found == nil || strings.TrimSpace(found[2]) != "" { // HCL has suggested a name itself
			continue
		}
		where, known := borrowed[found[1]]
		switch own := Nearest(found[1], names); {
		case own != "":
			p.Detail += fmt.Sprintf(" Did you mean %s?", quote(own))
		case known:
			p.Detail += fmt.Sprintf(" In awhost, this is %s.", where)
		case len(names) > 0:
			p.Detail += fmt.Sprintf(" Allowed: %s.", listed(names))
		}
	}
	return problems
}
