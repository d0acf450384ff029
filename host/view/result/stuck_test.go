package result_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/runstore"
	"github.com/awhost/awhost/host/view/result"
	"github.com/awhost/awhost/host/view/text"
)

func TestStuck_SaysWhoseServerHangs(t *testing.T) {
	for _, row := range []struct{ waits, address, want, not string }{
		{"generate", "adapter.local.grpo", "the trainer hangs: awhost logs", "server"},
		{"generate", "model.openai.judge", "the server of model.openai.judge hangs", "awhost logs"},
		{"place", "model.openai.judge", "max_concurrent sets their number", "hangs"},
	} {
		line := result.StuckOf(runstore.Summary{})
		line.Answered(control.Waits{Waits: []control.Wait{
			{Who: control.WaiterEpisodes, For: row.waits, Address: row.address},
		}})
		var page bytes.Buffer
		line.Text(text.NewPrinter(&page, text.Terminal{Styles: text.Plain()}))
		got := strings.Join(strings.Fields(page.String()), " ")
		if !strings.Contains(got, row.want) || strings.Contains(got, row.not) {
			t.Errorf("%s of %s: %s\nwant %q, and not %q", row.waits, row.address, got, row.want, row.not)
		}
	}
}
