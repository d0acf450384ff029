package verl

import (
	"os"
	"path/filepath"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk/framework"
)

// cpuLayer is what verl needs to train on a CPU with the platform and the sampler of shim/awhost_verl/cpu.
// joins: verl joins a Ray cluster instead of starting its own.
func cpuLayer(installed *settings.Installed, dir folder, joins bool) settings.Layer {
	values := map[string]any{
		"trainer.device": "cpu", "trainer.nnodes": 1, "trainer.n_gpus_per_node": 1,
		"actor_rollout_ref.rollout.name":                                  "awhost_cpu",
		"actor_rollout_ref.rollout.tensor_model_parallel_size":            1,
		"actor_rollout_ref.rollout.agent.num_workers":                     1,
		"actor_rollout_ref.actor.strategy":                                "fsdp2",
		"actor_rollout_ref.actor.use_torch_compile":                       false,
		"actor_rollout_ref.actor.fsdp_config.mixed_precision.param_dtype": "fp32",
		"actor_rollout_ref.model.use_remove_padding":                      false,
		"actor_rollout_ref.model.enable_gradient_checkpointing":           false,
		"actor_rollout_ref.model.override_config.attn_implementation":     "sdpa",
		"reward.num_workers":                                              1,
		"transfer_queue.backend.SimpleStorage.num_data_storage_units":     1,
		"trainer.v1.sampler.custom_sampler.path":                          filepath.Join(dir.shim(), "awhost_verl", "poll.py"),
		"trainer.v1.sampler.custom_sampler.name":                          "QuickReplayBuffer",
	}
	if !joins { // a cluster that is there has its own
		values["ray_kwargs.ray_init.num_gpus"] = 1 // logical: verl's resource check wants one
		values["ray_kwargs.ray_init.num_cpus"] = 32
		values["ray_kwargs.ray_init.include_dashboard"] = false
		values["ray_kwargs.ray_init.object_store_memory"] = 300_000_000
		if !hasPlatforms(installed) {
			values["ray_kwargs.ray_init.resources"] = map[string]any{"cpu": 4} // logical, by the name of torch's device
		}
	}
	return settings.Layer{Origin: "device = \"cpu\"", Level: framework.SmokeRun, Values: values}
}

// hasPlatforms says whether verl knows devices by a registry: from 0.9 on.
func hasPlatforms(installed *settings.Installed) bool {
	info, err := os.Stat(filepath.Join(installed.Root, "verl", "plugin", "platform"))
	return err == nil && info.IsDir()
}

// cpuEnvironment lets verl's processes load the platform.
func cpuEnvironment() map[string]string {
	return map[string]string{
		"VERL_USE_EXTERNAL_MODULES": "awhost_verl.cpu", "VERL_PLATFORM": "awhost_cpu", "OMP_NUM_THREADS": "1", "HF_HUB_OFFLINE": "1",
	}
}
