package examples_test

import (
	"path/filepath"
	"testing"

	"github.com/awhost/awhost/internal/realtest"
	"github.com/awhost/awhost/internal/realtest/stranger"
)

// TestLocal_APolicyLearns trains the quick start in batches as small as those in the tests of the frameworks, for
// comparison in docs/reference/frameworks.md.
func TestLocal_APolicyLearns(t *testing.T) {
	realtest.Slow(t)
	dir := realtest.Copy(t, ".")
	spec := filepath.Join(dir, "train.hcl")
	realtest.Edit(t, spec, "prompts    = 32", "prompts    = 16")
	realtest.Edit(t, spec, "    every        = 10", "    every        = 15")
	finished := realtest.Apply(t, dir, "--var", "steps=15").Wait()
	before, after := stranger.Trained(t, finished, 15)
	if after-before < 0.20 {
		t.Errorf("held-out success: from %g to %g; want a rise of 20 points", before, after)
	}
	realtest.Record(t, realtest.Result{
		Framework: "local", Version: "embedded", What: realtest.Learned, Steps: 15, Before: &before, After: &after,
		Curve: realtest.Curve(t, filepath.Join(dir, finished.Dir), 15),
	})
}
