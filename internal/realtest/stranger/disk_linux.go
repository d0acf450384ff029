package stranger

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// SurvivesAFullDisk fills the disk of the host, and then the disk of the trainer, in the middle of a step. Each time,
// the run fails and is resumed when space is available again. Every step must train all planned samples, and the result
// must be bit-identical to an undisturbed run.
func (a Adapter) SurvivesAFullDisk(t *testing.T) {
	realtest.Slow(t)
	const steps, samples = 4, 16 * 8
	undisturbed := a.Prepare(t)
	args := []string{fmt.Sprintf("steps=%d", steps), "checkpoints=1"}
	want := a.Start(t, undisturbed, args...).Wait()
	Done(t, want, "completed", steps)

	dir := a.Prepare(t)
	run := a.Start(t, dir, args...)
	run.UntilStep(1)
	runDir := realtest.RunDir(t, dir)
	run.UntilSamples(2, 8)
	run.FullHost(runDir)
	if failed := run.Wait(); failed.Outcome != "failed" || failed.Step != 1 {
		t.Fatalf("with a full disk: outcome %s at step %d\n%s", failed.Outcome, failed.Step, failed.Problems)
	}
	a.CheckGone(t, dir)

	run = realtest.Start(t, dir, "resume")
	run.UntilStep(2)
	for _, pid := range Trainers(t, dir) {
		realtest.Full(t, pid, filepath.Join(dir, "train.hcl"))
	}
	if failed := run.Wait(); failed.Outcome != "failed" {
		t.Fatalf("with a full disk of the trainer: outcome %s at step %d\n%s", failed.Outcome, failed.Step, failed.Problems)
	}
	a.CheckGone(t, dir)

	finished := realtest.Start(t, dir, "resume").Wait()
	Done(t, finished, "completed", steps)
	checkSame(t, dir, finished, undisturbed, want)
	realtest.CheckWhole(t, dir, steps, samples)
	a.CheckSteps(t, runDir, steps)
	a.Record(t, realtest.Result{What: realtest.Survived, Detail: "full disk"})
}
