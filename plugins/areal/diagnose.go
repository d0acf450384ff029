package areal

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/awhost/awhost/sdk/python"
)

// signs in the order in which they explain: a cause before what follows from it.
var signs = []python.Sign{
	python.NewSign(`torch\.OutOfMemoryError: CUDA out of memory[^\n]*`, "A GPU is out of memory (${0}). Lower actor.mb_spec.max_tokens_per_mb or sglang.mem_fraction_static, or use more GPUs."),
	python.NewSign(`CUDA Error: out of memory at [^\n]*cumem_allocator[^\n]*`, "The inference engine could not take its memory back after the update. Lower sglang.mem_fraction_static or vllm.gpu_memory_utilization."),
	python.NewSign(`No available memory for the cache blocks[^\n]*|Not enough memory\. Please try to increase --mem-fraction-static[^\n]*`, "The inference engine has no memory left for its cache (${0}). Raise sglang.mem_fraction_static or vllm.gpu_memory_utilization, or use more GPUs."),
	python.NewSign(`OutOfMemoryError: Task was killed due to the node running low on memory`, "The machine ran out of main memory and Ray killed a process. Use a machine with more, or fewer workers."),
	python.NewSign(`No available node types can fulfill resource request ([^\n]*)\. Add suitable`, "Ray waits for resources that the cluster does not have: ${1}. Set nodes and gpus_per_node to what is there, or end other jobs."),
	python.NewSign(`CodecError: ([^\n]*)`, "The model's tool calls cannot be read (tool_format): ${1}"),
	python.NewSign(`sbatch: error: [^\n]*`, "Slurm refused a job of AReaL's: ${0}"),
	python.NewSign(`Cannot use chat template functions because tokenizer\.chat_template is not set[^\n]*`, "The model's tokenizer has no chat template. Use an instruct model."),
	python.NewSign(`ConfigKeyError: Key '([^']*)'[^\n]*|ConfigAttributeError: Key '([^']*)'[^\n]*`, "AReaL does not know the key ${1}${2}."),
	python.NewSign(`MissingMandatoryValue: [^\n]*|ConfigCompositionException: [^\n]*|omegaconf\.errors\.ValidationError: [^\n]*`, "AReaL refused its configuration: ${0}"),
	python.NewSign(`Launch local server timeouted[^\n]*|Server launch failed[^\n]*`, "The inference server did not come up: ${0}. Raise start_timeout, or look for its error above."),
	python.NewSign(`Repo id must be in the form [^\n]*?: '([^'\n]*)'`, "The policy ${1} is neither a folder there nor a name of the hub. Give `model \"hf\"` a folder that all machines of AReaL have."),
	python.NewSign(`([^\s"'(]+) does not appear to have a file named config\.json|Unrecognized model in (\S+)\. |Can't load the configuration of '([^'\n]*)'`,
		"The policy ${1}${2}${3} has no config.json that transformers can read. Give `model \"hf\"` the folder that has it."),
	python.NewSign(`(?:OSError|RepositoryNotFoundError|LocalEntryNotFoundError)[^\n]*(?:huggingface|Hub|is not a local folder)[^\n]*`, "The model could not be loaded: ${0}. Give model \"hf\" a folder, or download it first."),
	python.NewSign(`Readiness timeout at [^\n]*`, "A worker of AReaL did not come up (${0}). AReaL gives it a minute, which is too little on a machine that is busy with something else. Another start may do better; if none does, end what else runs there."),
	python.NewSign(`(?i)address already in use[^\n]*`, "A port is taken: ${0}. Another job of the same machine may use it."),
	python.NewSign(`No space left on device[^\n]*`, "A disk is full, or /dev/shm: ${0}"),
	python.NewSign(`Watchdog caught collective operation timeout[^\n]*`, "Workers lost one another: ${0}"),
	python.NewSign(`Bridge(?:Error|Refused|Lost): [^\n]*`, "A worker could not talk to awhost: ${0}"),
	python.NewSign(`awhost_bridge\.\S*: [^\n]*`, "A worker could not talk to awhost: ${0}"),
	python.NewSign(`ModuleNotFoundError: No module named '([^']*)'`, "The Python of AReaL lacks the package ${1}: install it there."),
	python.NewSign(`ImportError: [^\n]*`, "A package does not fit the others: ${0}"),
}

// diagnose says in one message what AReaL's log shows, and where it is. AReaL's workers write there, too, and each kind of them into a
// log of its own: the one is named in which the cause is, and what it says where the driver says only what followed from it.
func diagnose(path string, workers []string) string {
	said := python.Diagnose(path, signs)
	cause, _, _ := strings.Cut(said, "Its log: ")
	unexplained := cause == "" || strings.HasPrefix(cause, "Its last error: ")
	for _, worker := range workers {
		own, _, found := strings.Cut(python.Diagnose(worker, signs), "Its log: ")
		switch {
		case !found || own == "":
		case own == cause:
			return said + " The log of its workers: " + worker
		case unexplained:
			return fmt.Sprintf("%s. Of %s: %s Its log: %s", said, strings.TrimSuffix(filepath.Base(worker), ".log"), strings.TrimSpace(own), worker)
		}
	}
	return said
}

// driverLogs are in the folder of the workers' logs, and are not of one of them.
var driverLogs = []string{"main.log", "merged.log"}

// workerLogs are the logs of AReaL's workers, by what they do, the trainer's first.
func workerLogs(root string) []string {
	found, _ := fs.Glob(os.DirFS(root), "logs/*/"+experiment+"/*/*.log") // user, experiment, trial; the pattern is valid
	var out []string
	for _, name := range found {
		if !slices.Contains(driverLogs, path.Base(name)) {
			out = append(out, filepath.Join(root, filepath.FromSlash(name)))
		}
	}
	return out
}

// portTaken is what a worker of AReaL says before it ends. AReaL's driver does not hear it: it waits for the port to answer, and
// takes whoever answers there, another run for example, for its worker.
var portTaken = regexp.MustCompile(`Port \d+ is in use by another program`)

// passing is trouble that may be over at the next start: AReaL gives a worker one minute to come up, and draws its ports, also those at
// which its processes meet, before it opens them: of two runs that start on a machine one may find its own taken.
var passing = regexp.MustCompile(`Readiness timeout at |(?i:address already in use)|` + portTaken.String())

// mayPass says whether the end of a log shows such trouble.
func mayPass(path string) bool {
	text, err := python.ReadEnd(path)
	return err == nil && passing.MatchString(text) && !outOfReach.MatchString(text)
}

// outOfReach is what a worker of ours says before it waits for its end (awhost_areal.worker).
var outOfReach = regexp.MustCompile(`a rollout worker cannot reach awhost: [^\n]+`)

// reasonToEnd returns why AReaL cannot start, or waits without an end later, or an empty string.
func reasonToEnd(path string, starting bool) string {
	text, err := python.ReadEnd(path)
	if err != nil {
		return ""
	}
	if found := outOfReach.FindString(text); found != "" {
		return strings.TrimSuffix(found, ".") + ". AReaL would wait for it for ever. Its log: " + path
	}
	found := portTaken.FindString(text)
	if found == "" || !starting {
		return ""
	}
	return "a worker of AReaL could not start: " + found + ". AReaL picks ports at random, and another run on this machine was faster: start the run again. Its log: " + path
}
