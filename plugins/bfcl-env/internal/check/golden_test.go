package check_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/plugins/bfcl-env/internal/api"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/check"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/golden"
	"github.com/awhost/awhost/plugins/bfcl-env/internal/py"
)

func list(v py.Value) []py.Value { return v.(*py.List).Items }

func texts(v py.Value) []string {
	out := []string{}
	for _, item := range list(v) {
		out = append(out, item.(string))
	}
	return out
}

// Every recorded trajectory, right or wrong in one of many ways, must get the recorded verdict.
func TestRecordedVerdicts(t *testing.T) {
	for _, p := range []struct {
		name, data, tables string
		profile            api.Profile
	}{{"v4", "data_v4", "v4", api.V4}, {"v3", "data_v3", "et", api.V3}} {
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			entries := golden.Entries(t, p.data)
			truths := golden.Entries(t, filepath.Join(p.data, "possible_answer"))
			tables := api.NewTables(golden.Tables(t, p.tables))
			compared, wrong := map[string]int{}, 0
			for record := range golden.Records(t, "checker_"+p.name) {
				id := py.Str(record.Or("id", nil))
				entry := entries[id]
				world := &api.World{
					Profile: p.profile, LongContext: strings.Contains(id, "long_context"), Tables: tables,
					Today: func() time.Time { return time.Date(2025, 6, 1, 12, 0, 0, 0, time.UTC) },
				}
				setup := check.Setup{
					World: world, ID: id, Classes: texts(entry.Or("involved_classes", nil)),
					Config: entry.Or("initial_config", nil).(*py.Dict), Player: "golden",
				}
				var truth [][]string
				for _, turn := range list(truths[id].Or("ground_truth", nil)) {
					truth = append(truth, texts(turn))
				}
				var model [][][]string
				for _, turn := range list(record.Or("model", nil)) {
					steps := [][]string{}
					for _, step := range list(turn) {
						steps = append(steps, texts(step))
					}
					model = append(model, steps)
				}
				verdict, err := check.Entry(setup, truth, model)
				if err != nil {
					t.Fatalf("%s: %v", id, err)
				}
				got, want := summary(verdict), recorded(record.Or("result", nil))
				compared[py.Str(record.Or("variant", nil))]++
				if got != want {
					if wrong++; wrong <= 10 {
						t.Errorf("%s %v (-want +got):\n%s", id, record.Or("variant", nil), cmp.Diff(want, got))
					}
				}
			}
			t.Logf("compared %v, %d differ", compared, wrong)
		})
	}
}

func summary(v check.Verdict) string {
	slices.Sort(v.Attributes) // the order of the records
	return fmt.Sprintf("valid %v\ntype %s\nmessage %s\nattributes %v\nmissing %d\n", v.Valid, v.Type, v.Message,
		v.Attributes, len(v.Missing))
}

func recorded(v py.Value) string {
	r := v.(*py.Dict)
	var attributes []string
	if a, ok := r.Get("diff_attrs"); ok {
		attributes = texts(a)
	}
	missing, _ := r.Or("missing", 0).(int)
	return fmt.Sprintf("valid %v\ntype %s\nmessage %s\nattributes %v\nmissing %d\n", r.Or("valid", nil),
		py.Str(r.Or("error_type", "")), py.Str(r.Or("error_message", "")), attributes, missing)
}
