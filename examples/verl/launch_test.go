package verl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
)

// These tests train with the real verl as a cluster job, on a CPU.

// elsewhere copies the example with additional lines in its adapter's block.
func elsewhere(t *testing.T, lines string) (dir string) {
	t.Helper()
	dir = realtest.Copy(t, "examples/verl")
	const at = "  gpus_per_node = var.gpus\n"
	realtest.Edit(t, filepath.Join(dir, "train.hcl"), at, at+lines)
	return dir
}

// onSlurm returns the lines that select the tests' Slurm cluster.
func onSlurm(t *testing.T) string {
	t.Helper()
	conf := os.Getenv("AWHOST_SLURM")
	if conf == "" {
		t.Skip("SKIPPED: set AWHOST_SLURM to the slurm.conf of a cluster whose nodes are this machine; .ci/frameworks/slurm makes one")
	}
	return fmt.Sprintf("  launch = \"slurm\"\n  slurm { conf = %q }\n", conf)
}

// onRay returns the lines that select the tests' Ray cluster.
func onRay(t *testing.T) string {
	t.Helper()
	address := os.Getenv("AWHOST_RAY")
	if address == "" {
		t.Skip("SKIPPED: set AWHOST_RAY to the dashboard of a Ray on this machine, with verl's packages, --num-cpus=32 and --num-gpus=1; .ci/frameworks/ray starts one")
	}
	return fmt.Sprintf("  launch = \"ray\"\n  ray { address = %q }\n", address)
}

// trainsThere trains two steps. If kill is set, it kills the adapter's process in the middle.
func trainsThere(t *testing.T, lines string, kill bool) {
	t.Helper()
	dir := elsewhere(t, lines)
	run := start(t, dir, "--var", "steps=2")
	if kill {
		run.UntilStep(1)
		run.Kill(adapter)
	}
	finished := run.Wait()
	if finished.Outcome != "completed" || finished.Step != 2 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	runDir := filepath.Join(dir, finished.Dir)
	checkTokens(t, runDir, 1, 2)
	checkGone(t, runDir)
	if launches, _ := filepath.Glob(filepath.Join(runDir, "plugins", adapter, "*.i*")); len(launches) != 1 {
		t.Errorf("%d launches, want one that survived: %v", len(launches), launches)
	}
	if n := weightSyncs(t, runDir); n < 2 {
		t.Errorf("the log of the job reports %d weights in 2 steps", n)
	}
}

func TestVerl_TwoStepsInSlurm(t *testing.T) { trainsThere(t, onSlurm(t), false) }

func TestVerl_AKilledAdapterFindsItsSlurmJob(t *testing.T) {
	lines := onSlurm(t)
	realtest.Slow(t)
	trainsThere(t, lines, true)
}

func TestVerl_TwoStepsInRay(t *testing.T) { trainsThere(t, onRay(t), false) }

func TestVerl_AKilledAdapterFindsItsRayJob(t *testing.T) {
	lines := onRay(t)
	realtest.Slow(t)
	trainsThere(t, lines, true)
}

// stopsThere stops a run at its checkpoint and resumes it in another job.
func stopsThere(t *testing.T, lines string) {
	t.Helper()
	realtest.Slow(t)
	dir := elsewhere(t, lines)
	run := start(t, dir, "--var", "steps=6")
	run.UntilStep(2)
	run.Interrupt()
	finished := run.Wait()
	if finished.Outcome != "stopped" || finished.Step != 5 {
		t.Fatalf("outcome %s at step %d; want stopped at the checkpoint of step 5\n%s", finished.Outcome, finished.Step,
			finished.Problems)
	}
	runDir := filepath.Join(dir, finished.Dir)
	checkGone(t, runDir)
	finished = realtest.Start(t, dir, "resume").Wait()
	if finished.Outcome != "completed" || finished.Step != 6 {
		t.Fatalf("outcome %s at step %d\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	checkTokens(t, runDir, 1, 6)
	checkGone(t, runDir)
}

func TestVerl_StopsInSlurmAndGoesOn(t *testing.T) { stopsThere(t, onSlurm(t)) }

func TestVerl_StopsInRayAndGoesOn(t *testing.T) { stopsThere(t, onRay(t)) }

// endsThere aborts a run in the middle of a step and checks that its job ends.
func endsThere(t *testing.T, lines string) {
	t.Helper()
	realtest.Slow(t)
	dir := elsewhere(t, lines)
	run := start(t, dir, "--var", "steps=6")
	run.UntilStep(1)
	realtest.Do(t, dir, "stop", "--now")
	finished := run.Wait()
	if finished.Outcome != "aborted" {
		t.Errorf("outcome %s at step %d; want aborted\n%s", finished.Outcome, finished.Step, finished.Problems)
	}
	checkGone(t, filepath.Join(dir, finished.Dir))
}

func TestVerl_EndsAtOnceInSlurm(t *testing.T) { endsThere(t, onSlurm(t)) }

func TestVerl_EndsAtOnceInRay(t *testing.T) { endsThere(t, onRay(t)) }
