package areal

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestDiagnose(t *testing.T) {
	tests := map[string]struct{ log, want string }{
		"unknown key": {"omegaconf.errors.ConfigKeyError: Key 'optimiser' not in 'PPOActorConfig'\n", "AReaL does not know the key optimiser."},
		"no memory":   {"x\ntorch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB\nRuntimeError: later\n", "Lower actor.mb_spec.max_tokens_per_mb"},
		"colours":     {"\x1b[31mModuleNotFoundError: No module named 'triton'\x1b[0m\n", "lacks the package triton"},
		"a traceback": {"[rank0]: Traceback\n[rank0]   areal.infra.scheduler.exceptions.WorkerCreationError: no\nValueError: the batch is odd\n", "Its last error: ValueError: the batch is odd."},
		"token":       {"awhost_bridge.errors.BridgeError: read the token of the bridge: Permission denied\n", "could not talk to awhost: BridgeError: read the token"},
		"no template": {"ValueError: Cannot use chat template functions because tokenizer.chat_template is not set and no template was passed\n", "Use an instruct model."},
		"no codec": {
			"awhost_bridge.codec.CodecError: unknown tool_format 'x': allow auto\n",
			"tool calls cannot be read (tool_format): unknown tool_format 'x': allow auto",
		},
		"no cache":  {"ValueError: No available memory for the cache blocks. Try increasing\n", "Raise sglang.mem_fraction_static or vllm.gpu_memory_utilization"},
		"no policy": {"OSError: /m does not appear to have a file named config.json. Check\n", "The policy /m has no config.json"},
		"cluster":   {"No available node types can fulfill resource request {'GPU': 8.0}. Add suitable node types\n", "Ray waits for resources that the cluster does not have: {'GPU': 8.0}."},
		"Slurm":     {"sbatch: error: invalid partition specified: gpus\n", "Slurm refused a job of AReaL's: sbatch: error: invalid partition"},
		"nothing":   {"all is well\n", "Its log: "},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "areal.log")
			if err := os.WriteFile(path, []byte(test.log), 0o600); err != nil {
				t.Fatal(err)
			}
			got := diagnose(path, nil)
			if !strings.Contains(got, test.want) || !strings.HasSuffix(got, path) {
				t.Errorf("diagnosis %q, want %q and the path of the log", got, test.want)
			}
		})
	}
}

// The driver tells what followed from the end of a worker, which has a log of its own.
func TestDiagnose_NamesTheWorkersLog(t *testing.T) {
	const memory = "torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2 GiB\n"
	for name, test := range map[string]struct{ driver, actor, want string }{
		"both know":               {"[actor] " + memory, memory, "use more GPUs. Its log: DRIVER The log of its workers: ACTOR"},
		"the driver knows little": {"RuntimeError: worker actor/0 failed\n", memory, "Its last error: RuntimeError: worker actor/0 failed. Its log: DRIVER. Of actor: A GPU is out of memory"},
		"only the worker knows":   {"all is well\n", "ValueError: odd\n", "Its log: DRIVER. Of actor: Its last error: ValueError: odd. Its log: ACTOR"},
		"the worker is well":      {memory, "all is well\n", "use more GPUs. Its log: DRIVER"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := folder(filepath.Join(t.TempDir(), "a[1]*"))
			actor := filepath.Join(dir.areal(""), "logs", "me", experiment, "t0", "actor.log")
			write(t, dir.log(), strings.NewReader(test.driver))
			write(t, actor, strings.NewReader(test.actor))
			write(t, filepath.Join(filepath.Dir(actor), "merged.log"), strings.NewReader(memory))
			got := diagnose(dir.log(), workerLogs(dir.areal("")))
			got = strings.NewReplacer(dir.log(), "DRIVER", actor, "ACTOR").Replace(got)
			if !strings.Contains(got, test.want) || test.actor == "all is well\n" && strings.Contains(got, "ACTOR") {
				t.Errorf("diagnosis %q, want %q", got, test.want)
			}
		})
	}
}

func TestStuck(t *testing.T) {
	path := filepath.Join(t.TempDir(), "areal.log")
	if why := reasonToEnd(path, true); why != "" {
		t.Errorf("without a log: %q", why)
	}
	for log, want := range map[string]string{
		"Creating engines...\n": "",
		"Address already in use\nPort 11717 is in use by another program. Either identify\n":                     "Port 11717 is in use",
		"[rollout] awhost: a rollout worker cannot reach awhost: read the token of the bridge: [Errno 13] no.\n": "cannot reach awhost: read the token of the bridge: [Errno 13] no. AReaL would wait",
	} {
		if err := os.WriteFile(path, []byte(log), 0o600); err != nil {
			t.Fatal(err)
		}
		if later := reasonToEnd(path, false) != ""; later != strings.Contains(log, "awhost") {
			t.Errorf("%q after the start: %v", log, later)
		}
		if got := reasonToEnd(path, true); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("of %q: %q", log, got)
		}
	}
}
