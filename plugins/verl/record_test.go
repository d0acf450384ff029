package verl

import (
	"os"
	"strings"
	"testing"

	"github.com/awhost/awhost/sdk"
)

func TestRecord_HoldsNoSecrets(t *testing.T) {
	dir := folder(t.TempDir())
	r := &record{Steps: 3, Epoch: 1, Request: sdk.TrainRequest{
		LaunchID: "run.i1", Config: []byte(`{"overrides":{"key":"hunter2"}}`), Knobs: sdk.Knobs{Env: map[string]string{"WANDB_API_KEY": "hunter2"}},
	}}
	if err := r.write(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(dir.record())
	if err != nil || strings.Contains(string(text), "hunter2") {
		t.Errorf("%v: %s", err, text)
	}
	if r.Request.Knobs.Env["WANDB_API_KEY"] == "" {
		t.Error("this life has lost its environment")
	}
	if again, err := readRecord(dir); err != nil || again.Request.LaunchID != "run.i1" || again.Steps != 3 {
		t.Errorf("a later life reads %+v, %v", again, err)
	}
}
