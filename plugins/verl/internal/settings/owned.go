package settings

import (
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/framework"
)

// owned is a key whose value awhost's run depends on.
type owned struct {
	key     string
	value   any
	why     string // what another value would do; what to do instead
	quiet   bool   // said only where verl's default is another
	adjusts bool   // a user's list is kept and completed
}

// ownedKeys are the values that a user cannot choose, in the names of this release.
func ownedKeys(r *resolver) []owned {
	n := r.req.Needs
	var out []owned
	own := func(key string, value any, why string) { out = append(out, owned{key: key, value: value, why: why}) }
	off := func(key string, value any, why string) {
		out = append(out, owned{key: key, value: value, why: why, quiet: true})
	}
	ownText := func(key, value, why string) {
		if value != "" {
			own(key, framework.Verbatim(value), why)
		}
	}
	ownText(rollout+"agent.agent_loop_config_path", n.AgentLoopConfig, anotherLoop)
	ownText(rollout+"agent.default_agent_loop", n.AgentLoop, anotherLoop)
	off(rollout+"agent.agent_loop_manager_class", nil, anotherLoop)
	own(rollout+"mode", "async", "agent loops need the asynchronous servers")
	own(rollout+"calculate_log_probs", true, "the log-probabilities of the sampled tokens show whether sampling and training agree")
	off(r.rewardPrefix()+"path", nil, anotherReward) // the agent loop hands scores over
	out = append(out, r.rewardParts()...)
	ownFiles := func(key string, files []string, why string) {
		if len(files) > 0 {
			own(key, pathList(files), why)
		}
	}
	ownFiles("data.train_files", n.TrainFiles, anotherData)
	ownFiles("data.val_files", n.ValidationFiles, anotherData)
	own("data.shuffle", false, "awhost's seeded order of the tasks would be lost, and with it resume")
	off("data.validation_shuffle", false, "awhost's order of the tasks would be lost")
	off("data.custom_cls.path", nil, anotherData)
	off("data.sampler.class_path", nil, anotherData)
	off("data.datagen.path", nil, anotherData)
	own("data.return_raw_chat", true, "the agent loop gets the task's messages by it")
	off("trainer.val_only", false, "nothing would be trained; awhost eval measures a policy")
	out = append(out, ownResume(n)...)
	for _, key := range []string{rollout + "skip_rollout", rollout + "skip.enable", "skip.rollout.enable", "skip.rollout_tq.enable", "skip.async_rollout.enable"} {
		off(key, false, "rollouts would come from a file, not from episodes")
	}
	if !r.req.Smoke { // else it is the tiny one, whatever the policy is
		ownText(ownModel, n.Model, "the spec names the policy; leave it out of either place")
	}
	ownText("hydra.run.dir", n.HydraDir, "awhost reads there what verl composed")
	out = append(out, owned{key: "trainer.logger", value: []any{"console", "file"}, why: "awhost reads the metrics from the file that the logger \"file\" writes", adjusts: true})
	return slices.DeleteFunc(out, func(o owned) bool { return !r.takes(o.key) })
}

const ownModel = "actor_rollout_ref.model.path"

// Reasons that several keys share.
const (
	anotherLoop   = "episodes are played by awhost's agent loop; another one would bypass the agent, the environment and the rewards of the spec"
	anotherReward = "episodes are scored by the rewards of the spec, and two scores cannot both train. Bring a function of yours as reward \"python\" of the spec"
	anotherData   = "the tasks are those of the spec's dataset, in awhost's order. Bring the files as a dataset of the spec: dataset \"parquet\" or \"jsonl\""
)

// takes says whether a key can be said to this release at all. Hydra's own settings are not verl's.
func (r *resolver) takes(key string) bool {
	return strings.HasPrefix(key, "hydra.") || r.schema.Has(key)
}

func ownResume(n Needs) []owned {
	var out []owned
	if n.CheckpointDir != "" {
		out = append(out, owned{key: "trainer.default_local_dir", value: framework.Verbatim(n.CheckpointDir), why: "awhost keeps checkpoints in the run's directory and resumes from there"})
	}
	why := "awhost decides what a run goes on from (awhost resume); verl would pick up whatever lies in the directory"
	if n.ResumeFrom == "" {
		return append(out, owned{key: "trainer.resume_mode", value: "disable", why: why}, owned{key: "trainer.resume_from_path", why: why, quiet: true})
	}
	return append(out, owned{key: "trainer.resume_mode", value: "resume_path", why: why}, owned{key: "trainer.resume_from_path", value: framework.Verbatim(n.ResumeFrom), why: why})
}

// rewardPrefix is where this release takes a reward function from.
func (r *resolver) rewardPrefix() string {
	if r.schema.Has("reward.custom_reward_function.path") {
		return "reward.custom_reward_function."
	}
	return "custom_reward_function."
}

// rewardParts are the other ways in which verl could score an episode. Each must stay as verl has it.
func (r *resolver) rewardParts() []owned {
	var out []owned
	for _, key := range []string{"reward.reward_manager.source", "reward.reward_manager.name", "reward.reward_model.enable", "reward_model.reward_manager", "reward_model.enable"} {
		if at := r.schema.At(key); at.Default != nil {
			out = append(out, owned{key: key, value: at.Default, why: anotherReward, quiet: true})
		}
	}
	return out
}

// scores says whether a value of a key would have verl score episodes.
func (r *resolver) scores(key string, value any) bool {
	if strings.HasPrefix(key, r.rewardPrefix()) {
		return true
	}
	return slices.ContainsFunc(r.rewardParts(), func(o owned) bool {
		return o.key == key && !framework.Equal(o.value, value)
	})
}

func pathList(files []string) []any {
	out := make([]any, len(files))
	for i, file := range files {
		out[i] = framework.Verbatim(file)
	}
	return out
}

// settleOwned adds what awhost needs. A user's equal value stays the user's.
func (r *resolver) settleOwned(all []owned) {
	for _, o := range all {
		user := r.view.Written(o.key)
		now, _ := r.view.Raw(o.key)
		switch {
		case user != nil && o.adjusts:
			r.complete(user, o)
		case user != nil && framework.Equal(user.Value, o.value):
		case user != nil, !o.quiet, framework.Truthy(now) && !framework.Equal(now, o.value):
			r.view.Set(&setting{Key: o.key, Value: o.value, Level: framework.Owned, Origin: framework.FromAwhost, Why: o.why})
		}
	}
}

func (r *resolver) contradicts(user, o *setting) {
	wanted := "awhost needs " + framework.Shown(o.Value)
	if o.Value == nil {
		wanted = "awhost needs it empty"
	}
	r.fail(user.Path, "Setting that awhost needs otherwise", "%s is %s in %s, and %s: %s.", user.Key, framework.Shown(user.Value), standing(user), wanted, o.Why)
}

// complete keeps a list, and adds what is missing.
func (r *resolver) complete(user *setting, o owned) {
	given, ok := user.Value.([]any)
	if name, single := user.Value.(string); single {
		given, ok = []any{name}, true
	}
	if !ok {
		return
	}
	for _, name := range given {
		if text, isText := name.(string); isText && !slices.Contains(loggers, text) {
			r.fail(user.Path, "No such choice", "%s: %s is no tracker of verl; it has %s.%s", described(user), text, listed(loggers), didYouMean(framework.Nearest(text, loggers)))
			return
		}
	}
	all := slices.Clone(given)
	for _, name := range o.value.([]any) {
		if !slices.Contains(all, name) {
			all = append(all, name)
		}
	}
	if len(all) > len(given) {
		user.Origin += ", completed by awhost"
	}
	user.Value = all
}
