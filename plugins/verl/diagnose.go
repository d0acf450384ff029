package verl

import (
	"github.com/awhost/awhost/sdk/python"
)

// signs in the order in which they explain: a cause before what follows from it.
var signs = []python.Sign{
	python.NewSign(`torch\.OutOfMemoryError: CUDA out of memory[^\n]*`, "A GPU is out of memory (${0}). Lower the micro-batches, limits.response_tokens or rollout.gpu_memory_utilization, or use more GPUs."),
	python.NewSign(`CUDA Error: out of memory at [^\n]*cumem_allocator[^\n]*`, "The rollout engine could not take its memory back after the update. Lower actor_rollout_ref.rollout.gpu_memory_utilization."),
	python.NewSign(`No available memory for the cache blocks[^\n]*`, "The rollout engine has no memory left for its cache. Raise actor_rollout_ref.rollout.gpu_memory_utilization, or use more GPUs."),
	python.NewSign(`Total available GPUs ([\d.]+) is less than total desired GPUs ([\d.]+)`, "${0}. Set nodes and gpus_per_node to what Ray sees."),
	python.NewSign(`CodecError: ([^\n]*)`, "The model's tool calls cannot be read (tool_format): ${1}"),
	python.NewSign(`OutOfMemoryError: Task was killed due to the node running low on memory`, "The machine ran out of main memory and Ray killed a process. Use a machine with more, or fewer workers."),
	python.NewSign(`Unable to register worker with raylet[^\n]*`, "Ray could not start its workers: too few processors for Ray's idea of the machine. Set ray_kwargs.ray_init.num_cpus."),
	python.NewSign(`No available node types can fulfill resource request ([^\n]*)\. Add suitable`, "Ray waits for resources that the cluster does not have: ${1}. Set nodes and gpus_per_node to what is there, or end other jobs."),
	python.NewSign(`(?i)address already in use[^\n]*`, "A port is taken: ${0}. Another job of the same machine may use it."),
	python.NewSign(`Cannot use chat template functions because tokenizer\.chat_template is not set[^\n]*`, "The model's tokenizer has no chat template. Use an instruct model, or set data.apply_chat_template_kwargs or actor_rollout_ref.model.custom_chat_template."),
	python.NewSign(`Bridge(?:Refused|Lost): [^\n]*`, "A worker could not talk to awhost: ${0}"), // its episodes fail then, which is what verl says
	python.NewSign(`Sync replay buffer selected terminal groups with no materializable trajectories`, "All episodes of a step failed, so verl had nothing to train on. The failures are in `awhost show`."),
	python.NewSign(`only support equal chunk\. Got size of DataProto (\d+) and chunk (\d+)`, "The batch of ${1} samples cannot be shared among ${2} workers. Set actor_rollout_ref.rollout.agent.num_workers to a divisor."),
	python.NewSign(`Could not override '([^']*)'`, "verl does not know the key ${1}."),
	python.NewSign(`real_train_batch_size \(\d+\) must be divisible[^\n]*`, "${0}"),
	python.NewSign(`No space left on device[^\n]*`, "A disk is full, or /dev/shm: ${0}"),
	python.NewSign(`Repo id must be in the form [^\n]*?: '([^'\n]*)'`, "The policy ${1} is neither a folder there nor a name of the hub. Give `model \"hf\"` a folder that all machines of verl have."),
	python.NewSign(`([^\s"'(]+) does not appear to have a file named config\.json|Unrecognized model in (\S+)\. |Can't load the configuration of '([^'\n]*)'`,
		"The policy ${1}${2}${3} has no config.json that transformers can read. Give `model \"hf\"` the folder that has it."),
	python.NewSign(`(?:OSError|RepositoryNotFoundError|LocalEntryNotFoundError)[^\n]*(?:huggingface|Hub|is not a local folder)[^\n]*`, "The model could not be loaded: ${0}. Give `model \"hf\"` a directory, or download it first."),
	python.NewSign(`Watchdog caught collective operation timeout[^\n]*`, "Workers lost one another: ${0}"),
	python.NewSign(`awhost_bridge\.\S*: [^\n]*`, "A worker could not talk to awhost: ${0}"),
	python.NewSign(`(?m)^awhost job: [^\n]*`, "The script of its job says: ${0}"),
	python.NewSign(`ModuleNotFoundError: No module named '([^']*)'`, "The Python of verl lacks the package ${1}: install it there."),
	python.NewSign(`ImportError: [^\n]*`, "A package does not fit the others: ${0}"),
}

// diagnose says in one message what verl's log shows, and where it is.
func diagnose(path string) string { return python.Diagnose(path, signs) }
