package spec

import (
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"

	"github.com/awhost/awhost/sdk/schema"
)

func TestExplainUnknown(t *testing.T) {
	sch := schema.Block{Attributes: []schema.Attribute{schema.Number("learning_rate", "."),
		schema.Number("weight_decay", ".")}}
	for detail, want := range map[string]string{
		`An argument named "lr" is not expected here.`:                                    "In awhost, this is learning_rate in train's optimizer block.",
		`An argument named "learning_rat" is not expected here.`:                          `Did you mean "learning_rate"?`,
		`An argument named "momentum" is not expected here.`:                              "Allowed: learning_rate and weight_decay.",
		`An argument named "x" is not expected here. Did you mean to define a block "x"?`: `Did you mean to define a block "x"?`,
		`Blocks of type "rollout_n" are not expected here.`:                               "In awhost, this is group_size in train's batch block.",
		`The argument "learning_rate" was already set at train.hcl:3.`:                    "train.hcl:3.",

		`Blocks of type "tracking" are not expected here.`: "block in train, which applies to all stages.",
	} {
		got := explainUnknown(hcl.Diagnostics{{Detail: detail}}, sch, "")[0].Detail
		if !strings.HasPrefix(got, detail) || !strings.HasSuffix(got, want) {
			t.Errorf("%s\nbecomes %s\nwant    … %s", detail, got, want)
		}
	}
}
