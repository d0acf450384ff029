package fakeplugin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// rewardConfig is the body of the reward blocks.
type rewardConfig struct {
	script
	Fail   []string          `json:"fail"`   // tasks that it cannot judge
	Kill   []string          `json:"kill"`   // tasks that always kill the process
	Strict bool              `json:"strict"` // fails in its configuration
	Bonus  float64           `json:"bonus"`  // added to the score
	Weight map[string]string `json:"weight"` // unused: an attribute to set, like File
	File   string            `json:"file"`   // unused
	Tell   bool              `json:"tell"`   // returns a failure with all of its input
	Flat   bool              `json:"flat"`   // all answers have equal scores
}

// rewardComponents returns the rewards. scripted compares the answer with the ground truth. scripted_group does so for
// all samples of a group at once, and scripted_batch for any four. scripted_blind does not get the ground truth,
// scripted_lenient declares it optional, and scripted_state needs the environment's state.
func rewardComponents() []sdk.RewardComponent {
	body := schema.Block{Description: "Compares the answer with the ground truth.", Attributes: append(scriptAttributes(),
		schema.Strings("fail", "Tasks that it cannot judge."),
		schema.Strings("kill", "Tasks that kill the process."),
		schema.Bool("strict", "Whether it refuses to be configured.").Default(false),
		schema.Number("bonus", "Added to the score.").Default(0),
		schema.StringMap("weight", "Weights by name."),
		schema.Path("file", "A file."),
		schema.Bool("tell", "Whether it tells everything it sees.").Default(false),
		schema.Bool("flat", "Whether all answers are worth the same.").Default(false),
	)}
	component := func(typ string, c sdk.RewardCapabilities) sdk.RewardComponent {
		return sdk.RewardComponent{
			Component: sdk.Component{Type: typ, Description: "Compares the answer with the ground truth.", Schema: body,
				Components: []string{"exact"}},
			Capabilities: c,
			New: func(_ context.Context, setup sdk.Setup) (sdk.Reward, error) {
				r := &reward{}
				if err := setup.Decode(&r.config); err != nil {
					return nil, err
				}
				if r.config.Strict {
					return nil, errors.New("it is too strict to be configured")
				}
				return r, nil
			},
		}
	}
	truth := []sdk.Need{sdk.NeedGroundTruth}
	return []sdk.RewardComponent{
		component("scripted", sdk.RewardCapabilities{Needs: truth}),
		component("scripted_group", sdk.RewardCapabilities{Needs: truth, GroupRelative: true}),
		component("scripted_batch", sdk.RewardCapabilities{Needs: append(truth, sdk.NeedTranscript), BatchSize: 4}),
		component("scripted_blind", sdk.RewardCapabilities{}),
		component("scripted_lenient", sdk.RewardCapabilities{Needs: truth, TruthOptional: true}),
		component("scripted_typed", sdk.RewardCapabilities{Needs: truth, TruthTypes: []string{"string", "number"}}),
		component("scripted_state", sdk.RewardCapabilities{Needs: []sdk.Need{sdk.NeedGroundTruth, sdk.NeedEnvironmentState}}),
	}
}

type reward struct {
	config rewardConfig
	calls  atomic.Int64
}

// Score implements sdk.Reward. It fails the whole call for an item whose answer is "panic".
func (r *reward) Score(_ context.Context, req sdk.ScoreRequest) (*sdk.ScoreResponse, error) {
	r.config.at(fmt.Sprintf("score %d", r.calls.Add(1)))
	out := &sdk.ScoreResponse{}
	for _, item := range req.Items {
		if slices.Contains(r.config.Kill, item.Task.ID) {
			die()
		}
		if item.FinalAnswer == "panic" {
			return nil, errors.New("this answer is too much")
		}
		out.Items = append(out.Items, r.judge(item))
	}
	return out, nil
}

func (r *reward) judge(item sdk.ScoreItem) sdk.Scored {
	fail := func(detail string) sdk.Scored {
		return sdk.Scored{Failure: &sdk.Failure{Class: sdk.FailureReward, Detail: detail}}
	}
	if slices.Contains(r.config.Fail, item.Task.ID) {
		return fail("cannot judge " + item.Task.ID + " with " + r.config.Token)
	}
	if r.config.Tell {
		text, err := json.Marshal(map[string]any{"item": item, "config": r.config})
		if err != nil {
			return fail(err.Error())
		}
		return fail(string(text))
	}
	var private struct {
		GroundTruth json.RawMessage `json:"ground_truth"`
	}
	if err := json.Unmarshal(item.Task.Private, &private); err != nil || private.GroundTruth == nil {
		return fail("there is no ground truth")
	}
	truth := string(private.GroundTruth)
	var unquoted string
	if json.Unmarshal(private.GroundTruth, &unquoted) == nil {
		truth = unquoted
	}
	solved, exact := item.FinalAnswer == truth, 0.0
	if solved && !r.config.Flat {
		exact = 1
	}
	return sdk.Scored{Score: exact + r.config.Bonus, IsSuccess: &solved, Components: map[string]float64{"exact": exact}}
}

var _ sdk.Reward = (*reward)(nil)
