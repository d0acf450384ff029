//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/awhost/awhost/host/runstore"
)

func init() {
	scriptCommands["tracked"] = trackedBy // tracked KIND: a tracker has the same data of the newest run as the journal
}

// trackersVariable names the folder created by .ci/trackers: a Python with TensorBoard, W&B, SwanLab and MLflow.
const trackersVariable = "AWHOST_TRACKERS"

// The scripts in testdata/script/trackers write to real trackers.
func TestTrackers(t *testing.T) {
	if os.Getenv(trackersVariable) == "" {
		t.Skipf("SKIPPED: %s does not name the folder that .ci/trackers makes", trackersVariable)
	}
	playScripts(t, glob(t, "testdata/script/trackers/*.txtar"))
}

// points holds values over steps, by name.
type points map[string][][2]float64

func trackedBy(ts *testscript.TestScript, neg bool, args []string) {
	want(ts, !neg && len(args) == 1, "tracked tensorboard|wandb|swanlab|mlflow")
	run, err := runstore.In(ts.MkAbs("."), runstore.Options{}).Open("")
	ts.Check(err)
	expected := points{}
	last := 0
	for row, err := range run.Metrics() {
		ts.Check(err)
		last = max(last, row.Step)
		for name, v := range row.Values {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				expected[name] = append(expected[name], [2]float64{float64(row.Step), float64(float32(v))})
			}
		}
	}
	if args[0] == "tensorboard" {
		var got struct {
			Library struct{ Scalars points }
			Server  points
		}
		readTracker(ts, &got, "read_tensorboard.py", run.TensorBoardDir(), fmt.Sprint(last))
		same(ts, "the library", expected, got.Library.Scalars)
		same(ts, "the server", expected, got.Server)
		return
	}
	var got points
	readTracker(ts, &got, "read_tracker.py", args[0], run.TrackerDir(args[0]), run.Ref())
	for name, list := range got {
		for i := range list {
			list[i][1] = float64(float32(list[i][1]))
		}
		got[name] = slices.Compact(list) // a step that was being sent at the kill may appear twice
	}
	same(ts, args[0], expected, got)
}

func same(ts *testscript.TestScript, who string, expected, got points) {
	if len(expected) == 0 {
		ts.Fatalf("the journal has no numbers")
	}
	if diff := cmp.Diff(expected, got); diff != "" {
		ts.Fatalf("the journal has (-), and %s (+):\n%s", who, diff)
	}
}

// readTracker runs a program of host/tracking that prints a tracker's data.
func readTracker(ts *testscript.TestScript, into any, program string, args ...string) {
	script, err := filepath.Abs(filepath.Join("..", "..", "host", "tracking", "testdata", program))
	ts.Check(err)
	python := filepath.Join(os.Getenv(trackersVariable), "bin", "python")
	cmd := exec.Command(python, append([]string{script}, args...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	ts.Check(err)
	ts.Check(json.Unmarshal(out, into))
}
