package verl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/internal/realtest"
)

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// TestVerl_AFullDiskCostsNoRow fills the disk in the middle of a step: first for the adapter, for which verl waits,
// then for the host, which ends the run. When there is space again the run is resumed. Every step must have trained
// all planned rows, and verl's rows must equal the journal's.
func TestVerl_AFullDiskCostsNoRow(t *testing.T) {
	realtest.Slow(t)
	const steps, samples = 4, 16 * 8
	dir := realtest.Copy(t, "examples/verl")
	rows := filepath.Join(dir, "rows")
	spec := filepath.Join(dir, "train.hcl")
	realtest.Edit(t, spec, "  gpus_per_node = var.gpus\n",
		fmt.Sprintf("  gpus_per_node = var.gpus\n  overrides     = { \"trainer.rollout_data_dir\" = %q }\n", rows))
	realtest.Edit(t, spec, "    every = 5\n", "    every = 1\n")
	run := start(t, dir, "--var", fmt.Sprintf("steps=%d", steps))
	run.UntilStep(1)
	runDir := realtest.RunDir(t, dir)

	run.UntilSamples(2, 8)
	episodes := filepath.Join(launches(t, dir)[0], "episodes.jsonl")
	free := realtest.Full(t, run.UntilPlugin(adapter), episodes)
	kept := size(t, episodes)
	run.UntilSamples(2, run.Samples(2)+8) // episodes that cannot be stored
	if got := size(t, episodes); got != kept {
		t.Errorf("the adapter has written %d bytes on a disk that was full", got-kept)
	}
	free()

	run.UntilStep(2)
	run.UntilSamples(3, 8)
	run.FullHost(runDir)
	failed := run.Wait()
	if failed.Outcome != "failed" {
		t.Fatalf("outcome %s at step %d\n%s", failed.Outcome, failed.Step, failed.Problems)
	}
	checkGone(t, runDir)
	finished := realtest.Start(t, dir, "resume").Wait()
	if finished.Outcome != "completed" || finished.Step != steps {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	realtest.CheckWhole(t, dir, steps, samples)
	checkTokens(t, runDir, 1, steps)
	rewards := realtest.Rewards(t, dir)
	for step := 1; step <= steps; step++ {
		for i, r := range rewards[step] {
			rewards[step][i] = float64(float32(r)) // as stored in verl's tensors
		}
		slices.Sort(rewards[step])
		if diff := cmp.Diff(rewards[step], dumped(t, filepath.Join(rows, fmt.Sprintf("%d.jsonl", step)))); diff != "" {
			t.Errorf("step %d: the rows inside verl are not the journal's (-journal +verl):\n%s", step, diff)
		}
	}
	record(t, realtest.Result{What: realtest.Survived, Detail: "full disk"})
}
