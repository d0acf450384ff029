package verl

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDiagnose(t *testing.T) {
	for name, c := range map[string]struct{ log, want string }{
		"out of memory": {
			"step 3\n\x1b[36m(WorkerDict pid=7)\x1b[0m torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB\nray.exceptions.ActorDiedError: gone\n",
			"A GPU is out of memory",
		},
		"port":          {"OSError: [Errno 98] Address already in use\n", "A port is taken"},
		"version clash": {"ImportError: cannot import name 'x' from 'transformers' (/v/transformers/__init__.py)\n", "A package does not fit the others: ImportError: cannot import name 'x' from 'transformers'"},
		"template":      {"ValueError: Cannot use chat template functions because tokenizer.chat_template is not set and no template argument was passed!\n", "The model's tokenizer has no chat template"},
		"chunk":         {"AssertionError: only support equal chunk. Got size of DataProto 1 and chunk 8.\n", "The batch of 1 samples cannot be shared among 8 workers"},
		"gpus":          {"ValueError: Total available GPUs 4 is less than total desired GPUs 8\n", "Total available GPUs 4 is less than total desired GPUs 8. Set nodes and gpus_per_node"},
		"no codec": {
			"ray.exceptions.RayTaskError(CodecError): ray::run()\nawhost_bridge.codec.CodecError: no codec reads it\n",
			"tool calls cannot be read (tool_format): no codec reads it",
		},
		"no such policy": {
			"(TaskRunner pid=3) huggingface_hub.errors.HFValidationError: Repo id must be in the form 'repo_name' or 'namespace/repo_name': '/models/none'. Use `repo_type` argument if needed.\n" +
				"hydra.errors.InstantiationException: Error in call to target 'verl.workers.config.model.HFModelConfig':\nOSError(\"Repo id must be in the form 'repo_name' or 'namespace/repo_name': '/models/none'.\")\n",
			"The policy /models/none is neither a folder there nor a name of the hub.",
		},
		"no config.json": {
			"hydra.errors.InstantiationException: Error in call to target 'verl.workers.config.model.HFModelConfig':\nOSError(\"/models/half does not appear to have a file named config.json. Checkout 'https://huggingface.co//models/half/tree/main' for available files.\")\n",
			"The policy /models/half has no config.json that transformers can read.",
		},
		"bridge": {
			"awhost_bridge.errors.BridgeLost: the adapter was out of reach for 60 s\nRuntimeError: Sync replay buffer selected terminal groups with no materializable trajectories.\n",
			"A worker could not talk to awhost: BridgeLost: the adapter was out of reach for 60 s",
		},
		"unknown": {"(TaskRunner pid=3) KeyError: 'a'\n(TaskRunner pid=3) ValueError: the last one.\nbye\n", "Its last error: ValueError: the last one. Its log:"},
		"nothing": {"hello\n", "Its log:"},
	} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "verl.log")
			if err := os.WriteFile(path, []byte(strings.Repeat("noise\n", 200_000)+c.log), 0o600); err != nil {
				t.Fatal(err)
			}
			got := diagnose(path)
			if !strings.Contains(got, c.want) || !strings.Contains(got, path) || strings.Contains(got, "\x1b") || strings.Contains(got, "$") {
				t.Errorf("got %q, want %q in it", got, c.want)
			}
		})
	}
	if got := diagnose(filepath.Join(t.TempDir(), "none")); !strings.Contains(got, "cannot be read") {
		t.Errorf("of no log: %q", got)
	}
}
