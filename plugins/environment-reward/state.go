package environmentreward

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/schema"
)

// stateComponent returns the reward of type "environment_state": a number from the environment's state at the end of an
// episode, regardless of which side ended it.
//
//	reward "environment_state" "judge" { number = "evaluation" }
func stateComponent() sdk.RewardComponent {
	return sdk.RewardComponent{
		Component: sdk.Component{
			Type:        "environment_state",
			Description: "A number from the environment's state at the end of an episode.",
			Schema: schema.Block{
				Attributes: []schema.Attribute{
					schema.String("number", "Path to the number in the state, with dots for nested objects and "+
						"lists.").Require().
						Example("evaluation"),
				},
			},
			Validate: validateState,
		},
		Capabilities: sdk.RewardCapabilities{BatchSize: 256, Needs: []sdk.Need{sdk.NeedEnvironmentState}},
		New:          sdk.ConfiguredReward(stateConfig{}, stateConfig.score),
	}
}

// stateConfig is the body of a reward "environment_state" block.
type stateConfig struct {
	Number string `json:"number"`
}

var statePath = regexp.MustCompile(`^[^.]+(\.[^.]+)*$`)

func validateState(_ context.Context, raw json.RawMessage) []sdk.Diagnostic {
	var c stateConfig
	if err := sdk.DecodeConfig(raw, &c); err != nil || c.Number == "" && !strings.Contains(string(raw), `"number"`) {
		return nil // the schema reports it, or the value is not known yet
	}
	if !statePath.MatchString(c.Number) {
		return []sdk.Diagnostic{{
			Severity: sdk.SeverityError, Summary: "Invalid state path", Path: []string{"number"},
			Detail: fmt.Sprintf("%q is not a path. Use names separated by dots.", c.Number),
		}}
	}
	return nil
}

func (c stateConfig) score(item sdk.ScoreItem) (sdk.Scored, error) {
	number, err := c.number(item.State)
	return sdk.Scored{Score: number}, err
}

func (c stateConfig) number(state json.RawMessage) (float64, error) {
	var at any
	if err := json.Unmarshal(state, &at); err != nil {
		return 0, fmt.Errorf("read the environment's state: %w", err)
	}
	path := strings.Split(c.Number, ".")
	for i, name := range path {
		next, ok := memberOf(at, name)
		if !ok {
			return 0, fmt.Errorf("the environment's state has no %s: correct number, or use another reward",
				strings.Join(path[:i+1], "."))
		}
		at = next
	}
	switch value := at.(type) {
	case float64:
		return value, nil
	case bool:
		return sdk.Flag(value), nil
	}
	return 0, fmt.Errorf("%s in the environment's state is not a number", c.Number)
}

func memberOf(of any, name string) (any, bool) {
	switch of := of.(type) {
	case map[string]any:
		value, ok := of[name]
		return value, ok
	case []any:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(of) {
			return of[i], true
		}
	}
	return nil, false
}
