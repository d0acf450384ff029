package areal

import (
	"crypto/rand"
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/python"
)

// shim is what AReaL's driver and workers import; standin is put on the path on a CPU only.
//
//go:embed shim/awhost_areal/*.py
var shim embed.FS

//go:embed all:standin
var standin embed.FS

// prepare writes the files of a launch.
func (r *resolved) prepare(req sdk.TrainRequest, endpointFile string) error {
	text, err := framework.YAML(r.entries)
	if err != nil {
		return fmt.Errorf("write AReaL's configuration: %w", err)
	}
	root := r.dir.areal(r.config.SharedFolder)
	folders := []string{string(r.dir), root, filepath.Join(root, "names")}
	if r.smoke {
		folders = append(folders, r.dir.scripts())
	}
	for _, dir := range folders {
		if err := ownerfile.MkdirAll(dir); err != nil { // AReaL wants them to exist
			return fmt.Errorf("make the folders of the launch: %w", err)
		}
	}
	if err := os.MkdirAll(r.dir.checkpoints(req.CheckpointDir), 0o777); err != nil {
		return fmt.Errorf("make the folder of checkpoints: %w", err)
	}
	if err := ownerfile.WriteFile(r.dir.config(), text); err != nil {
		return fmt.Errorf("write AReaL's configuration: %w", err)
	}
	launch, err := json.MarshalIndent(r.launch(req, endpointFile), "", "  ")
	if err != nil {
		return fmt.Errorf("write the launch file: %w", err)
	}
	if err := ownerfile.WriteFile(r.dir.launch(), launch); err != nil {
		return fmt.Errorf("write the launch file: %w", err)
	}
	if r.mode == modeAgent {
		if err := ownerfile.WriteFile(r.dir.adminKey(), []byte("awhost-"+rand.Text())); err != nil {
			return fmt.Errorf("write the key of AReaL's proxy: %w", err)
		}
	}
	return r.unpack()
}

// counted are the finished steps of the stage that AReaL counts.
func (r *resolved) counted(req sdk.TrainRequest) int { return req.StepsDone - r.skipped }

// base is awhost's number of the last step before AReaL's first.
func (r *resolved) base(req sdk.TrainRequest) int { return req.FirstStep - 1 - r.counted(req) }

// launch returns the file that the driver reads, awhost_areal.train.Launch. Each worker gets its settings,
// awhost_areal.request.Settings, through AReaL, which logs them.
func (r *resolved) launch(req sdk.TrainRequest, endpointFile string) map[string]any {
	tree, counted := framework.Nested(r.entries), r.counted(req)
	workflow, adminKey, scheduled := workflowClass, "", 0
	if r.mode == modeAgent {
		workflow, adminKey = agentClass, r.dir.adminKey()
	}
	if req.Resumed {
		scheduled = req.StepsDone
	}
	return map[string]any{
		"config": r.dir.config(), "endpoint_file": endpointFile, "admin_key_file": adminKey, "workflow": workflow,
		"dynamic_filter": r.filter, "rows": r.stageSteps() * r.prompts, "first_row": req.StepsDone * r.prompts,
		"validation_rows": r.validationTasks, "validate_before": sdk.ValueOr(r.knobs.Validate.BeforeTrain, false),
		"resumed": req.Resumed, "restore": req.Resumed && r.skipped == 0, "from_checkpoint": req.FromCheckpoint,
		"carry_optimizer": req.CarryOptimizer && !beginsAnew(r.policy, r.settings.Text("actor.backend")),
		"checkpoint_dir":  r.dir.checkpoints(req.CheckpointDir), "steps_done": counted, "schedule_done": scheduled,
		"settings": map[string]any{
			"endpoint_file": endpointFile, "launch_id": req.LaunchID, "stage": req.Stage, "steps_before": r.base(req),
			"samples": r.groupSize, "validation_samples": r.samples, "tokenizer_path": r.model, "scripts": r.scripts(),
			"max_context": r.maxContext, "gconfig": tree["gconfig"], "eval_gconfig": tree["eval_gconfig"],
			"keep_group_size": !r.installed.Release.AtLeast(areal2), "tool_format": r.config.ToolFormat,
			"reasoning_format": r.config.Reasoning, "template": map[string]any{},
			"framework_version": r.installed.Release.String(),
		},
	}
}

// unpack writes the Python code beside the launch, where every worker can read it.
func (r *resolved) unpack() error {
	ours, err := fs.Sub(shim, "shim")
	if err != nil {
		return err
	}
	err = python.Unpack(r.dir.shim(), ours, python.Bridge)
	if err == nil && r.config.cpu() {
		err = r.unpackStandIn()
	}
	if err != nil {
		return fmt.Errorf("unpack the code for AReaL's workers: %w", err)
	}
	return nil
}

func (r *resolved) unpackStandIn() error {
	stand, err := fs.Sub(standin, "standin")
	if err != nil {
		return err
	}
	return python.Unpack(r.dir.standin(), stand)
}

// pythonPath is where AReaL's processes find our code, and the checkout where the spec names one.
func (r *resolved) pythonPath() string {
	dirs := []string{r.dir.shim()}
	if r.config.cpu() {
		dirs = append(dirs, r.dir.standin())
	}
	if r.config.Source != "" {
		dirs = append(dirs, r.config.Source)
	}
	return strings.Join(dirs, string(os.PathListSeparator))
}

// command is AReaL's driver.
func (r *resolved) command() []string {
	return []string{r.installed.Python, "-m", "awhost_areal.train", r.dir.launch()}
}

// environment is what AReaL's processes get on top of ours.
func (r *resolved) environment() map[string]string {
	path := os.Getenv("PATH")
	if r.config.site(r.smoke).Kind() == launch.KindRay {
		path = "${PATH}" // of the job's machine: Ray inserts it
	}
	out := map[string]string{
		"PYTHONPATH": r.pythonPath(), "PYTHONUNBUFFERED": "1", "TOKENIZERS_PARALLELISM": "false", "LITELLM_LOCAL_MODEL_COST_MAP": "True",
		// AReaL starts its inference server as "python3" of the path, and workers as "python".
		"PATH": filepath.Dir(r.installed.Python) + string(os.PathListSeparator) + path,
	}
	if r.config.cpu() {
		out["CUDA_VISIBLE_DEVICES"], out["OMP_NUM_THREADS"], out["HF_HUB_OFFLINE"], out["AWHOST_AREAL_SCRIPTS"] = "", "1", "1", r.scripts()
	}
	for name, value := range r.knobs.Env {
		switch {
		case name == "PYTHONPATH", name == "PATH": // ours stays in front
			value = out[name] + string(os.PathListSeparator) + value
		case r.smoke && name == "CUDA_VISIBLE_DEVICES":
			continue
		}
		out[name] = value
	}
	return out
}
