package verl

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/awhost/awhost/sdk"
)

// folder is where a launch keeps its files, on a file system that all machines of the job see.
type folder string

func (f folder) path(name string) string { return filepath.Join(string(f), name) }
func (f folder) train() string           { return f.path("train.jsonl") }
func (f folder) validation() string      { return f.path("validation.jsonl") }
func (f folder) agentLoops() string      { return f.path("agent.yaml") }
func (f folder) metrics() string         { return f.path("metrics.jsonl") }
func (f folder) config() string          { return f.path(configName + ".yaml") }
func (f folder) log() string             { return f.path("verl.log") }
func (f folder) hydra() string           { return f.path("hydra") }
func (f folder) shim() string            { return f.path("python") }
func (f folder) checkpoints(d string) string {
	if d != "" {
		return d
	}
	return f.path("checkpoints")
}

// configName is the name of verl's configuration for Hydra.
const configName = "awhost"

// agentName is the name of the agent loop in verl's registry.
const agentName = "awhost"

// writeRows writes the first n positions of a split, in the host's order. The task itself stays with the host, which
// knows it by its position: nothing of it, ground truth above all, is written for verl. The prompt is a placeholder that
// verl requires.
func writeRows(path string, split sdk.Split, n int) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("write the tasks for verl: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	w := bufio.NewWriter(f)
	encoder := json.NewEncoder(w)
	for i := range n {
		line := map[string]any{
			"prompt":      []sdk.Message{{Role: sdk.RoleUser, Content: fmt.Sprintf("task %d", i)}},
			"data_source": split, "ability": "awhost", "reward_model": map[string]any{"style": "rule", "ground_truth": ""},
			"extra_info": map[string]any{"index": i, "split": split}, "agent_name": agentName,
			"awhost_split": split, "awhost_index": i,
		}
		if err := encoder.Encode(line); err != nil {
			return fmt.Errorf("write the tasks for verl: %w", err)
		}
	}
	return w.Flush()
}

// agentLoops is the file that verl reads its agent loops from.
const agentLoops = "- name: " + agentName + "\n  _target_: awhost_verl.loop.AwhostAgentLoop\n"
