package areal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/outliving"
)

func TestEnded_ADriverThatDiesAfterAStepIsWorthAnotherStart(t *testing.T) {
	for name, test := range map[string]struct {
		log   string
		last  int // FirstStep is 4
		again bool
	}{
		"after a step":         {"RuntimeError: no more memory", 4, true},
		"before any step":      {"RuntimeError: no more memory", 3, false},
		"a busy machine":       {"Readiness timeout at 192.0.2.2:20239", 3, true},
		"a port that is taken": {"torch.distributed.DistNetworkError: EADDRINUSE, message: address already in use", 3, true},
	} {
		t.Run(name, func(t *testing.T) {
			r := relayOf(t, &record{Record: stage.Record{Request: sdk.TrainRequest{FirstStep: 4}}}, nil, nil)
			err := errors.Join(outliving.Append(r.Notes(), stage.Note{Boundary: &test.last}), r.Recall(t.Context(), 0),
				os.WriteFile(r.dir.log(), []byte(test.log+"\n"), 0o600))
			if err != nil {
				t.Fatal(err)
			}
			if finished, again := r.Ended(launch.Status{}); finished != nil || again != test.again {
				t.Errorf("finished %v; worth another start: %v", finished, again)
			}
		})
	}
}

// A policy with tied embeddings begins anew from a checkpoint's weights: AReaL counts the steps that are left, the learning rate
// goes by all of them.
func TestLaunch_AResumedStageKeepsItsSchedule(t *testing.T) {
	for name, test := range map[string]struct {
		tied                         bool
		steps, counted, scheduleDone int // of AReaL
		base                         int // the host's number of AReaL's version 0
	}{
		"tied embeddings":       {true, 3, 0, 12, 32},
		"embeddings of its own": {false, 15, 12, 12, 20},
	} {
		t.Run(name, func(t *testing.T) {
			policy := model(t)
			write(t, filepath.Join(policy, "config.json"), strings.NewReader(fmt.Sprintf(`{"max_position_embeddings":512,"tie_word_embeddings":%v}`, test.tied)))
			knobs := valid() // 15 steps of 16 prompts
			knobs.Optimizer.WarmupSteps = pointer(5)
			knobs.Set = append(knobs.Set, "optimizer.warmup_steps")
			req := sdk.TrainRequest{
				LaunchID: "l", Knobs: knobs, Policy: json.RawMessage(fmt.Sprintf(`{"path":%q}`, policy)), TrainTasks: 700,
				FromCheckpoint: t.TempDir(), Resumed: true, StepsDone: 12, FirstStep: 33, // another stage had 20
			}
			plan, err := newAdapter(configured(t, "1.0.4", nil), sdk.Setup{Dir: t.TempDir()}).settle(req)
			if err != nil {
				t.Fatal(err)
			}
			launch := launchOf(t, plan, req)
			if launch.Rows != 15*16 || launch.FirstRow != 12*16 || launch.StepsDone != test.counted || launch.ScheduleDone != test.scheduleDone {
				t.Errorf("the launch is %+v", launch)
			}
			if r := newRecord(req, plan); launch.Settings.StepsBefore != test.base || r.Base != test.base {
				t.Errorf("AReaL's version 0 is of step %d for its workers, and of %d for the adapter; want %d", launch.Settings.StepsBefore, r.Base, test.base)
			}
			for key, want := range map[string]any{"total_train_steps": test.steps, "actor.optimizer.warmup_steps_proportion": 5.0 / 15} {
				at := slices.IndexFunc(plan.entries, func(e framework.Setting) bool { return e.Key == key })
				if at < 0 || !framework.Equal(plan.entries[at].Value, want) {
					t.Errorf("%s is not %v", key, want)
				}
			}
		})
	}
}

// launchFile is awhost_areal.train.Launch.
type launchFile struct {
	Config         string         `json:"config"`
	EndpointFile   string         `json:"endpoint_file"`
	AdminKeyFile   string         `json:"admin_key_file"`
	Workflow       string         `json:"workflow"`
	DynamicFilter  string         `json:"dynamic_filter"`
	Settings       workerSettings `json:"settings"`
	Rows           int            `json:"rows"`
	FirstRow       int            `json:"first_row"`
	ValidationRows int            `json:"validation_rows"`
	ValidateBefore bool           `json:"validate_before"`
	Resumed        bool           `json:"resumed"`
	Restore        bool           `json:"restore"`
	FromCheckpoint string         `json:"from_checkpoint"`
	CarryOptimizer bool           `json:"carry_optimizer"`
	CheckpointDir  string         `json:"checkpoint_dir"`
	StepsDone      int            `json:"steps_done"`
	ScheduleDone   int            `json:"schedule_done"`
}

// workerSettings are awhost_areal.request.Settings.
type workerSettings struct {
	EndpointFile      string         `json:"endpoint_file"`
	LaunchID          string         `json:"launch_id"`
	Stage             string         `json:"stage"`
	StepsBefore       int            `json:"steps_before"`
	Samples           int            `json:"samples"`
	ValidationSamples int            `json:"validation_samples"`
	TokenizerPath     string         `json:"tokenizer_path"`
	MaxContext        int            `json:"max_context"`
	GConfig           map[string]any `json:"gconfig"`
	EvalGConfig       map[string]any `json:"eval_gconfig"`
	KeepGroupSize     bool           `json:"keep_group_size"`
	ToolFormat        string         `json:"tool_format"`
	ReasoningFormat   string         `json:"reasoning_format"`
	Template          map[string]any `json:"template"`
	FrameworkVersion  string         `json:"framework_version"`
	Scripts           string         `json:"scripts"`
}

// launchOf returns the file that the driver reads.
func launchOf(t *testing.T, r *resolved, req sdk.TrainRequest) (out launchFile) {
	t.Helper()
	text, err := json.Marshal(r.launch(req, ""))
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}
