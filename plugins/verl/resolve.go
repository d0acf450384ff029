package verl

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/python"
)

// launchPlan is what the settings of a stage depend on, before a launch as in it.
type launchPlan struct {
	stage       string
	knobs       sdk.Knobs
	policy      json.RawMessage
	data        sdk.DataSummary
	dir         folder
	checkpoints string
	resumeFrom  string // …/global_step_N; empty: from the policy
	weightsOnly bool   // of a checkpoint: the optimiser begins anew
	newStage    bool   // the checkpoint is of another stage
	smoke       bool
	elsewhere   bool // on another machine
}

// installed is the verl of the configured Python.
func (a *adapter) installed() (*settings.Installed, *sdk.Diagnostic) {
	installed, err := settings.Find(a.config.Python)
	if err != nil {
		return nil, about("No verl", err.Error(), "python")
	}
	return installed, nil
}

func about(summary, detail string, path ...string) *sdk.Diagnostic {
	return &sdk.Diagnostic{Severity: sdk.SeverityError, Summary: summary, Detail: detail, Path: path}
}

// settle resolves the configuration of a stage.
func (a *adapter) settle(installed *settings.Installed, p launchPlan) (*settings.Resolved, *sdk.Diagnostic) {
	model, err := python.PolicyPath(p.policy)
	if err != nil {
		return nil, about("No policy", err.Error())
	}
	if p.smoke {
		model = p.dir.model()
	}
	request := settings.Request{
		Installed: installed, Stage: p.stage, Knobs: p.knobs, Data: p.data, VisibleGPUs: a.visibleGPUs(p.smoke), Smoke: p.smoke,
		CPU: a.config.cpu(),
		Needs: settings.Needs{
			AgentLoop: agentName, AgentLoopConfig: p.dir.agentLoops(), Model: model, TrainFiles: []string{p.dir.train()},
			ValidationFiles: []string{p.dir.validation()}, CheckpointDir: p.checkpoints, ResumeFrom: p.resumeFrom, HydraDir: p.dir.hydra(),
		},
		Layers: a.layers(installed, p),
	}
	if !p.smoke { // whose model is made later
		request.ReadModel, request.Elsewhere = python.ReadModel, p.elsewhere || a.config.Launch != launch.KindProcess
	}
	if a.config.Config != "" {
		text, err := os.ReadFile(a.config.Config)
		if err != nil {
			return nil, about("Cannot read the configuration of verl", err.Error(), "config")
		}
		request.Config = []settings.ConfigFile{{Name: filepath.Base(a.config.Config), Text: text}}
	}
	if len(a.config.Overrides) > 0 && string(a.config.Overrides) != "null" {
		if err := json.Unmarshal(a.config.Overrides, &request.Overrides); err != nil {
			return nil, about("Overrides are no map", fmt.Sprintf("overrides must map keys of verl to values: %v.", err), "overrides")
		}
	}
	resolved, err := settings.Resolve(request)
	if err != nil {
		return nil, about("Cannot read verl's configuration", err.Error(), "python")
	}
	return resolved, nil
}

// visibleGPUs are those of this machine, where verl is to run on it and to use them.
func (a *adapter) visibleGPUs(smoke bool) int {
	if smoke || a.config.cpu() || a.config.Launch != launch.KindProcess {
		return python.UnknownGPUs
	}
	return python.CountGPUs("/dev")
}

// layers are what awhost sets beside the knobs.
func (a *adapter) layers(installed *settings.Installed, p launchPlan) []settings.Layer {
	out := []settings.Layer{
		{Origin: "awhost", Level: framework.Owned, Values: map[string]any{
			"awhost.endpoint_file": p.dir.path("bridge.json"), "awhost.tool_format": a.config.ToolFormat,
			"awhost.reasoning_format": a.config.Reasoning,
		}},
		{Origin: "awhost", Level: framework.Default, Values: map[string]any{
			"data.filter_overlong_prompts": false, // the rows hold no prompts: the host has them
			"data.dataloader_num_workers":  0,
		}},
	}
	out = append(out, a.config.layers()...)
	if p.newStage {
		contents := []any{"model", "optimizer"}
		if p.weightsOnly {
			contents = contents[:1]
		}
		out = append(out, settings.Layer{Origin: "awhost: a new stage", Level: framework.Owned, Values: map[string]any{
			"actor_rollout_ref.actor.checkpoint.load_contents": contents,
		}})
	}
	if p.resumeFrom != "" && !p.newStage {
		// verl would validate again where the stage goes on, and those episodes would count in the next pass.
		out = append(out, settings.Layer{Origin: "awhost: a resumed stage", Level: framework.Owned, Yields: true, Values: map[string]any{"trainer.val_before_train": false}})
	}
	if p.smoke {
		out = append(out, settings.Layer{Origin: "smoke run", Level: framework.SmokeRun, Values: map[string]any{"awhost.smoke": true}})
	}
	if p.smoke || a.config.cpu() {
		out = append(out, cpuLayer(installed, p.dir, !p.smoke && a.config.joins()))
	}
	return out
}

// command starts verl.
func (a *adapter) command(installed *settings.Installed, dir folder, r *settings.Resolved) []string {
	out := []string{
		installed.Python, "-u", "-m", r.Module, "--config-path=" + string(dir), "--config-name=" + configName,
	}
	if r.Engine != "" {
		out = append(out, "model_engine="+r.Engine)
	}
	return out
}
