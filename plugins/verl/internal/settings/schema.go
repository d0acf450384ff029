package settings

import (
	_ "embed"

	"github.com/awhost/awhost/sdk/framework"
)

// defaultEngine is verl's own choice: FSDP.
const defaultEngine = "dp"

// engines are the values of model_engine with a reference file each.
var engines = []string{defaultEngine, "megatron", "torchtitan", "veomni"}

// question selects the configurations of all engines. Before 0.7.1 verl chooses the engine by the name.
func question() framework.Question {
	out := framework.Question{Folder: "verl/trainer/config", Configs: map[string][][]string{}}
	for _, engine := range engines {
		out.Configs[engine] = [][]string{{"ppo_trainer", engineKey + "=" + engine}, {"ppo_" + engine + "_trainer"}}
	}
	out.Configs[defaultEngine][1] = []string{"ppo_trainer"}
	return out
}

// tested has the configurations of the tested versions.
//
//go:embed tested.jsonl.gz
var tested []byte

// schema returns the configuration with an engine.
func (i *Installed) schema(engine string) (*framework.Schema, error) {
	return i.Configuration.Schema(engine, freeMappings...)
}

// freeMappings take any key, although the reference file lists some, or none.
var freeMappings = []string{
	"ray_kwargs.ray_init", "transfer_queue", "trainer.wandb_proxy", "actor_rollout_ref.rollout.custom", "actor_rollout_ref.rollout.engine_kwargs",
	"reward.custom_reward_function.reward_kwargs", "custom_reward_function.reward_kwargs", "reward.reward_kwargs", "reward_model.reward_kwargs",
}
