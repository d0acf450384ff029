package spec_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/host/spec"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

func declared(c sdk.ComponentDescription) string {
	page := spec.PluginReference(sdk.Description{Name: "mine", Version: "1.0.0",
		Components: []sdk.ComponentDescription{c}})
	_, section, _ := strings.Cut(page, "### Declared capabilities\n\n")
	return section
}

func TestPluginReference_ShowsWhatAComponentDeclares(t *testing.T) {
	page := spec.PluginReference(sdk.Description{Name: "mine", Version: "1.0.0", Components: []sdk.ComponentDescription{{
		Kind: sdk.KindReward, Type: "exact", Description: "1 when it is right.", Metrics: []string{"cost"},
		Schema: schema.Block{Attributes: []schema.Attribute{schema.Bool("ignore_case",
			"whether Paris equals paris").Default(false)}},
		Reward: &sdk.RewardCapabilities{BatchSize: 64, ModelJudge: true,
			Needs: []sdk.Need{sdk.NeedGroundTruth, sdk.NeedTranscript}},
	}}})
	want := `# mine

Plugin mine, version 1.0.0. This page is generated from its description.

## reward "exact"

1 when it is right.

* ` + "`ignore_case`" + ` (bool, default ` + "`false`" + `): whether Paris equals paris.

Metrics: ` + "`cost`" + `.

### Declared capabilities

| capability | value | meaning |
|---|---|---|
| ` + "`needs`" + ` | ` + "`ground_truth`, `transcript`" + ` | What it requires. |
| ` + "`batch_size`" + ` | 64 | Maximum number of items per call. |
| ` + "`group_relative`" + ` | no | It compares the samples of a group, which arrive in one call. |
| ` + "`model_judge`" + ` | yes | It calls a model: scores cost money and may vary. |
| ` + "`truth_optional`" + ` | no | It also judges tasks without a ground truth. |
| ` + "`truth_types`" + ` | any | Types of a ground truth, or of the elements of a list of accepted answers. |
`
	if diff := cmp.Diff(want, page); diff != "" {
		t.Error(diff)
	}
}

// Every capability of the SDK is on the reference page, whatever kind declares it: each value appears in exactly one
// row.
func TestPluginReference_LeavesNoCapabilityOut(t *testing.T) {
	for _, empty := range []sdk.ComponentDescription{
		{Kind: sdk.KindEnvironment, Environment: &sdk.EnvironmentCapabilities{}},
		{Kind: sdk.KindReward, Reward: &sdk.RewardCapabilities{}},
		{Kind: sdk.KindAdapter, Adapter: &sdk.AdapterCapabilities{}}, {Kind: sdk.KindAgent, Agent: &sdk.AgentCapabilities{}},
	} {
		capabilities := map[sdk.ComponentKind]any{
			sdk.KindEnvironment: empty.Environment, sdk.KindReward: empty.Reward, sdk.KindAdapter: empty.Adapter,
			sdk.KindAgent: empty.Agent,
		}[empty.Kind]
		before := declared(empty)
		fields := reflect.ValueOf(capabilities).Elem()
		for i := range fields.NumField() {
			name := fields.Type().Field(i).Name
			fill(t, fields.Field(i))
			if after := declared(empty); changed(before, after) != 1 {
				t.Errorf("%s: %s changes %d rows of\n%s", empty.Kind, name, changed(before, after), after)
			}
			fields.Field(i).SetZero()
		}
		if rows := strings.Count(before, "\n") - 2; rows != fields.NumField() {
			t.Errorf("%s: %d rows for %d capabilities", empty.Kind, rows, fields.NumField())
		}
	}
}

// fill sets a field to a nonzero value.
func fill(t *testing.T, field reflect.Value) {
	switch field.Interface().(type) {
	case bool:
		field.SetBool(true)
	case int:
		field.SetInt(7)
	case time.Duration:
		field.SetInt(int64(time.Hour))
	case string:
		field.SetString("something")
	case []string, []sdk.Need:
		one := reflect.New(field.Type().Elem()).Elem()
		one.SetString("something")
		field.Set(reflect.Append(field, one))
	default:
		t.Fatal(fmt.Sprint("no value for a field of type ", field.Type()))
	}
}

func changed(before, after string) int {
	a, b := strings.Split(before, "\n"), strings.Split(after, "\n")
	n := max(len(a), len(b)) - min(len(a), len(b))
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}
