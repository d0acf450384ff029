package rollout

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/awhost/awhost/sdk"
)

func TestOrigin_IsFoundByTheSeedOfTheEnvironment(t *testing.T) {
	for _, want := range []Origin{
		{Stage: "full", Split: sdk.SplitTrain, Step: 3, Position: 17, Task: "t", Sample: 2, Draw: 1},
		{Stage: "full", Split: sdk.SplitTrain, Step: 3, Position: 0, Repeat: 1, Task: "t"},
		{Stage: "full", Split: sdk.SplitTrain, Step: 3, Position: -1, Task: "t", Sample: 1},
		{Stage: "full", Split: sdk.SplitValidation, Step: 9, Position: -1, Task: "t", Sample: 3},
	} {
		recorded := want
		recorded.Position, recorded.Repeat = 0, 0
		got, ok := recorded.Locate(5, want.seeds(5).Environment)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("found %v (-want +got):\n%s", ok, diff)
		}
		if got, ok := recorded.Locate(6, want.seeds(5).Environment); ok {
			t.Errorf("with another seed of the run: %+v", got)
		}
	}
}
