package hf

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/ownerfile"
	"github.com/awhost/awhost/sdk/python"
)

// recordFormat is the version of a launch's directory.
const recordFormat = "awhost.hf/1"

// record is the record of a launch.
type record struct {
	stage.Record
	Credits int `json:"credits"` // episodes that a worker may have open
}

// Train implements sdk.Adapter.
func (a *adapter) Train(ctx context.Context, req sdk.TrainRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	installed, err := a.installed(ctx, true)
	if err != nil {
		return err
	}
	f, dir := a.settle(installed.fields, req.Knobs, req.TrainTasks, req.Smoke), a.Folder(req.LaunchID)
	if len(f.problems) > 0 {
		return fmt.Errorf("%s: %s", f.problems[0].Summary, f.problems[0].Detail)
	}
	group, _ := f.Int(groupSize)
	r := &record{stage.NewRecord(recordFormat, req), max(req.Knobs.Concurrency/f.processes, group)}
	return a.Adapter.Train(ctx, a.stage(r, dir, host, emit), func(ctx context.Context, endpoint string) (*stage.Command,
		error) {
		return a.prepare(ctx, dir, endpoint, req, f)
	})
}

// Recover implements sdk.AdapterWithRecover.
func (a *adapter) Recover(ctx context.Context, req sdk.RecoverRequest, host sdk.Host,
	emit func(sdk.TrainEvent) error) error {
	return a.Adapter.Recover(ctx, req, func(dir string) (*stage.Stage, error) {
		r := &record{}
		err := stage.ReadRecord(filepath.Join(dir, "record.json"), recordFormat, r)
		return a.stage(r, dir, host, emit), err
	})
}

func (a *adapter) stage(r *record, dir string, host sdk.Host, emit func(sdk.TrainEvent) error) *stage.Stage {
	log := filepath.Join(dir, "trainer.log")
	relay := stage.NewRelay(a.Title, dir, log, r.Request, host, emit)
	s := stage.New(r, relay, emit)
	relay.Stop, relay.Signs = s.End, signs
	relay.Again = func(status launch.Status) bool { return mayPass(status, log) }
	s.Site, s.Dir, s.BridgeDir, s.LogFile, s.Credits = a.site(r.Request.Smoke), dir, dir, log, r.Credits
	s.RecordFile = filepath.Join(dir, "record.json")
	return s
}

// prepare writes the trainer's input and code into the directory of the launch.
func (a *adapter) prepare(ctx context.Context, dir, endpoint string, req sdk.TrainRequest, f *fields) (*stage.Command,
	error) {
	model, err := python.PolicyPath(req.Policy)
	if err != nil {
		return nil, err
	}
	if req.Smoke {
		// A framework may recognize a model by the name of its directory.
		dir := filepath.Join(a.Dir, "tiny", filepath.Base(model))
		tiny := python.TinyModel{Python: a.config.Python, Like: model, Dir: dir, Env: req.Knobs.Env}
		if err := tiny.Make(ctx); err != nil {
			return nil, err
		}
		model = tiny.Dir
	}
	if err := a.checkCheckpoint(req.FromCheckpoint, f.lora()); err != nil {
		return nil, err
	}
	if req.CheckpointDir == "" {
		req.CheckpointDir = filepath.Join(dir, "checkpoints")
	}
	env := a.env(req.Knobs, req.Smoke)
	req.Config, req.Knobs.Env = nil, nil // they may have secrets, which the trainer's file must not
	request, errRequest := sdk.MarshalWire(req)
	text, errText := json.MarshalIndent(map[string]any{
		"model": model, "lora": a.config.LoRA, "fields": f.trained(), "processes": f.processes,
		"prompts": f.prompts, "request": json.RawMessage(request), "rows": a.config.SamplingRows,
		"stage": map[string]any{
			"patience": launch.Duration(a.config.Patience).Seconds(), "tool_format": a.config.ToolFormat,
			"reasoning_format": a.config.ReasoningFormat, "tokens_every": a.config.TokensEvery,
		},
	}, "", " ")
	if err := errors.Join(errRequest, errText); err != nil {
		return nil, err
	}
	out := &stage.Command{Argv: a.command(f.processes), Message: a.Title + " starts", Env: map[string]string{
		"AWHOST_BRIDGE": endpoint, "PYTHONPATH": filepath.Join(dir, "python"),
	}}
	out.Add(env)
	return out, errors.Join(ownerfile.WriteFile(filepath.Join(dir, a.Name+".json"), text),
		python.Unpack(filepath.Join(dir, "python"), a.Python, python.Bridge, python.BridgeHF))
}

// adapterConfig is in checkpoints that have the weights of a LoRA adapter only.
const adapterConfig = "adapter_config.json"

// checkCheckpoint returns an error if another stage has trained other weights.
func (a *adapter) checkCheckpoint(dir string, lora bool) error {
	if dir == "" {
		return nil
	}
	_, err := os.Stat(filepath.Join(dir, adapterConfig))
	switch has := err == nil; {
	case has && !lora:
		return fmt.Errorf("%s has a LoRA adapter only, and this stage trains all weights: give both stages the same", dir)
	case !has && lora:
		return fmt.Errorf("%s has all weights, and this stage trains a LoRA adapter: give both stages the same", dir)
	}
	return nil
}

// passing are causes at the start that another start may not meet.
var passing = regexp.MustCompile(`EADDRINUSE|[Aa]ddress already in use|TCPStore.*(timed out|failed to listen)`)

// mayPass reports whether a new trainer may succeed from the last commit: this one was killed, has met a passing cause,
// or its exit status is unknown because another adapter started it.
func mayPass(s launch.Status, log string) bool {
	if s.Code == nil || *s.Code < 0 || *s.Code > 128 {
		return true
	}
	text, err := python.ReadEnd(log)
	return err == nil && passing.MatchString(text)
}

var signs = []python.Sign{
	python.NewSign(`awhost_bridge\.codec\.CodecError: ([^\n]+)`,
		"The model's tool calls cannot be read (tool_format): ${1}"),
	python.NewSign(`No module named '?([\w.]+)`, "The Python of the adapter lacks ${1}: install it there (python)."),
	python.NewSign(`CUDA out of memory[^\n]*`, "${0}. Lower per_device_train_batch_size in config, or sampling_rows."),
}

// Export implements sdk.AdapterWithExport: the user's Python merges a LoRA adapter with the weights of its policy.
func (a *adapter) Export(ctx context.Context, req sdk.ExportRequest) (*sdk.ExportResponse, error) {
	if req.Format != exported {
		return nil, fmt.Errorf("export as %q: this adapter writes %q only", req.Format, exported)
	}
	out, err := sdk.WriteExport(req, func(dir string) error {
		return python.Module{
			Interpreter: a.config.Python, Code: []fs.FS{python.Bridge, python.BridgeHF},
			Name: "awhost_bridge.hf.export", Args: []string{req.Checkpoint, dir},
		}.Run(ctx)
	})
	if err != nil {
		return nil, fmt.Errorf("export checkpoint %s: %w", req.Checkpoint, err)
	}
	if _, err := os.Stat(filepath.Join(req.Checkpoint, adapterConfig)); err == nil {
		out.Notes = []string{"the LoRA adapter is merged with the weights of its policy"}
	}
	return out, nil
}

var (
	_ sdk.AdapterWithRecover = (*adapter)(nil)
	_ sdk.AdapterWithExport  = (*adapter)(nil)
)
