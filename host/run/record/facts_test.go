package record

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/findings"
	"github.com/awhost/awhost/host/runstore"
)

func TestFacts_TimesByTool(t *testing.T) {
	e := &runstore.EpisodeRecord{
		Tools: map[string]findings.ToolUse{"search": {Calls: 2}, "read": {Calls: 1}, findings.UnknownTool: {Calls: 1}},
		Spans: &runstore.Spans{
			Part: "mtmtmtr", Took: []int64{9000, 3000, 9000, 4000, 9000, 500, 9000},
			Name: []string{"", "search", "", "search, read", "", "invented"},
		},
	}
	want := map[string]float64{"search": 5, "read": 2}
	if diff := cmp.Diff(want, Facts(e).Times.Tools); diff != "" {
		t.Error(diff)
	}
}
