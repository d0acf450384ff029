package settings

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/sdk/framework"
)

// defaultEngine is verl's own choice: FSDP.
const defaultEngine = "dp"

// engines are the values of model_engine with a reference file each.
var engines = []string{defaultEngine, "megatron", "torchtitan", "veomni"}

func generatedFile(engine string) string {
	if engine == defaultEngine {
		return "_generated_ppo_trainer.yaml"
	}
	return "_generated_ppo_" + engine + "_trainer.yaml"
}

// schema reads the reference file of an engine.
func (i *Installed) schema(engine string) (*framework.Schema, error) {
	if s := i.schemas[engine]; s != nil {
		return s, nil
	}
	path := filepath.Join(i.Root, "verl", "trainer", "config", generatedFile(engine))
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read the configuration of verl %s for the engine %s: %w", i.Version, engine, err)
	}
	top, err := framework.ReadTree(text)
	if err != nil {
		return nil, fmt.Errorf("read the configuration of verl %s: %s: %w", i.Version, path, err)
	}
	s := &framework.Schema{Top: top, Classes: &framework.Classes{Root: i.Root}, Free: freeMappings}
	if i.schemas == nil {
		i.schemas = map[string]*framework.Schema{}
	}
	i.schemas[engine] = s
	return s, nil
}

// freeMappings take any key, although the reference file lists some, or none.
var freeMappings = []string{
	"ray_kwargs.ray_init", "transfer_queue", "trainer.wandb_proxy", "actor_rollout_ref.rollout.custom", "actor_rollout_ref.rollout.engine_kwargs",
	"reward.custom_reward_function.reward_kwargs", "custom_reward_function.reward_kwargs", "reward.reward_kwargs", "reward_model.reward_kwargs",
}
