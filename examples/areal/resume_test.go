package areal_test

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// untie gives a model a separate output layer with the weights of its embeddings. AReaL recovers such models itself.
func untie(t *testing.T, model string) string {
	t.Helper()
	realtest.Edit(t, filepath.Join(model, "config.json"), `"tie_word_embeddings":true`, `"tie_word_embeddings":false`)
	path := filepath.Join(model, "model.safetensors")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	type tensor struct {
		Type    string `json:"dtype"`
		Shape   []int  `json:"shape"`
		Offsets []int  `json:"data_offsets"`
	}
	length := binary.LittleEndian.Uint64(data)
	header, weights := map[string]json.RawMessage{}, data[8+length:]
	if err := json.Unmarshal(data[8:8+length], &header); err != nil {
		t.Fatal(err)
	}
	var embeddings tensor
	if err := json.Unmarshal(header["model.embed_tokens.weight"], &embeddings); err != nil {
		t.Fatal(err)
	}
	copied := weights[embeddings.Offsets[0]:embeddings.Offsets[1]]
	embeddings.Offsets = []int{len(weights), len(weights) + len(copied)}
	if header["lm_head.weight"], err = json.Marshal(embeddings); err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(header)
	if err != nil {
		t.Fatal(err)
	}
	out := binary.LittleEndian.AppendUint64(nil, uint64(len(text)))
	out = append(append(append(out, text...), weights...), copied...)
	if err := os.WriteFile(path, out, 0o600); err != nil {
		t.Fatal(err)
	}
	return model
}

// updates is a script that prints how many updates a checkpoint's optimizer has made.
const updates = `
import sys, tempfile, torch
from torch.distributed.checkpoint.format_utils import dcp_to_torch_save

def find(tree, name=""):
    if isinstance(tree, dict):
        for key, value in tree.items():
            yield from find(value, str(key))
    elif name.split(".")[-1] == "step":
        yield float(tree)

with tempfile.NamedTemporaryFile() as file:
    dcp_to_torch_save(sys.argv[1], file.name)
    print(sorted(set(find(torch.load(file.name, weights_only=False)))))
`

func TestAReaL_AResumedRunKeepsItsOptimizer(t *testing.T) {
	python := realtest.Python(t, "AWHOST_AREAL_PYTHON")
	realtest.Slow(t)
	dir, model := realtest.Copy(t, "examples/areal"), untie(t, realtest.TinyModel(t))
	run := realtest.Apply(t, dir, "--var", "python="+python, "--var", "model="+model, "--var", "steps=4")
	run.UntilStep(1)
	run.Interrupt()
	stopped := run.Wait()
	if stopped.Outcome != "stopped" || stopped.Step < 1 || stopped.Step > 3 {
		t.Fatalf("outcome %s at step %d\n%s", stopped.Outcome, stopped.Step, stopped.Problems)
	}
	finished := realtest.Start(t, dir, "resume").Wait()
	if finished.Outcome != "completed" || finished.Step != 4 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	checkTokens(t, filepath.Join(dir, finished.Dir), 4)
	state := filepath.Join(dir, finished.Checkpoint, "areal", "recover_checkpoint")
	found, err := filepath.Glob(filepath.Join(state, "*", "*.distcp"))
	if err == nil && len(found) > 0 {
		state = filepath.Dir(found[0])
	}
	out, err := exec.CommandContext(t.Context(), python, "-c", updates, state).Output()
	if err != nil || strings.TrimSpace(string(out)) != "[4.0]" {
		t.Errorf("the optimiser has made %s updates in 4 steps, of which a resumed run made the last (%v)", out, err)
	}
	for step, values := range realtest.Steps(t, filepath.Join(dir, finished.Dir)) { // warm-up over 4 steps from 0
		if got, want := values["train/learning_rate"], 1e-3*float64(step-1)/4; step > 0 &&
			(got < want-1e-4 || got > want+1e-4) {
			t.Errorf("step %d: the learning rate is %g; want about %g of the stage's own schedule", step, got, want)
		}
	}
	checkGone(t, dir)
	record(t, python, realtest.Result{Mode: "workflow", What: realtest.Survived,
		Detail: "stopped and resumed, with its optimiser"})
}
