package result_test

import (
	"bytes"
	"testing"

	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
)

func textOf(t *testing.T, r result.Result) string {
	t.Helper()
	var out bytes.Buffer
	page := text.NewPrinter(&out, text.Terminal{Styles: text.Plain()})
	r.Text(page)
	if err := page.Err(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestCheckpoints_SayWhyThereIsNone(t *testing.T) {
	for want, s := range map[string]runstore.Summary{
		"no checkpoint yet: no step is done; checkpoint.every of the train block says when the adapter commits one\n": {
			Status: runstore.StatusRunning, Step: -1,
		},
		"no checkpoint yet: 3 steps done; checkpoint.every of the train block says when the adapter commits one\n": {
			Status: runstore.StatusRunning, Step: -1, Done: 3,
		},
		"no checkpoint: the run is stopped, with 1 step done\n": {Status: runstore.StatusStopped, Step: -1, Done: 1},
	} {
		if got := textOf(t, result.CheckpointsOf(s, nil)); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
