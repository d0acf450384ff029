package record_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/agent"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/host/run/record"
	"github.com/awhost/awhost/host/runstore"
)

// The limit that cut a conversation is recorded, without secrets in the plugin's description.
func TestEpisode_KeepsWhatCutIt(t *testing.T) {
	records := record.Maker{Redact: strings.NewReplacer("hush", "***").Replace}
	cut := agent.Limit{Name: agent.LimitContext, Value: 192, Of: "model.openai.big", Detail: "key hush: 193 tokens"}
	want := &runstore.Limit{Name: "context", Value: 192, Of: "model.openai.big", Detail: "key ***: 193 tokens"}
	e := &rollout.EpisodeRecord{AttemptRecord: rollout.AttemptRecord{Limit: &cut}}
	if diff := cmp.Diff(want, records.Episode(e).Limit); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if got := records.Episode(&rollout.EpisodeRecord{}).Limit; got != nil {
		t.Errorf("%+v, and nothing was cut", got)
	}
}
