package event

import "github.com/awhost/awhost/sdk"

// SmokeVerdict is what a smoke run came to.
type SmokeVerdict string

// The verdicts.
const (
	SmokePass SmokeVerdict = "pass"
	SmokeFail SmokeVerdict = "fail"
)

// SmokeReport says what a smoke run found. It comes once, before run_finished, unless the run was interrupted.
type SmokeReport struct {
	Verdict SmokeVerdict `json:"verdict"`           // fail: the run would not work as the spec has it
	Reasons []string     `json:"reasons,omitempty"` // why it failed, the most important first
	Remarks []string     `json:"remarks,omitempty"` // what may be right or wrong: a person has to say
	Stages  []SmokeStage `json:"stages"`            // those that began, in order
}

// SmokeStage is a stage of a smoke run. It counts all episodes that came to an end, those of validations among them.
type SmokeStage struct {
	Name        string         `json:"name"`               // label of the stage block
	Steps       int            `json:"steps"`              // that were committed
	Planned     int            `json:"planned_steps"`      // that there should be
	Seconds     Seconds        `json:"seconds"`            // from its start to its last record
	Episodes    int            `json:"episodes"`           // all of them
	Validation  int            `json:"validation"`         // of them, those of validations
	Trained     int            `json:"trained"`            // of them, those that an update learned from
	Tools       int            `json:"tools"`              // most that were offered in a call
	ScriptCalls int            `json:"script_calls"`       // tool calls that the script wrote
	Misread     int            `json:"misread"`            // of them, those that the adapter read as something else
	Scripted    SmokeEpisodes  `json:"scripted"`           // episodes in which the script spoke for the policy
	Sampled     SmokeEpisodes  `json:"sampled"`            // episodes of the random policy
	Rewards     []SmokeReward  `json:"rewards,omitempty"`  // the composed one first, then the rewards and their components
	Failures    []SmokeFailure `json:"failures,omitempty"` // by class, with an example
}

// SmokeEpisodes sums up episodes.
type SmokeEpisodes struct {
	Episodes  int                 `json:"episodes"`           // how many
	Outcomes  map[sdk.Outcome]int `json:"outcomes,omitempty"` // how they ended
	Turns     int                 `json:"turns"`              // assistant messages
	ToolCalls int                 `json:"tool_calls"`         // that could be parsed
	Answers   int                 `json:"tool_answers"`       // of the environment
	Errors    int                 `json:"tool_errors"`        // of them, those that report an error of the tool
	Malformed int                 `json:"malformed_calls"`    // calls that could not be parsed
}

// SmokeReward is what a reward gave.
type SmokeReward struct {
	Name string `json:"name"` // "reward" as the spec composes it, "reward.gaia.answer", or a component: "reward.gaia.answer.exact"
	// Numbers is how many episodes it gave a number for; Episodes how many there were to score.
	Numbers  int   `json:"numbers"`
	Episodes int   `json:"episodes"`
	Min      Value `json:"min"`
	Mean     Value `json:"mean"`
	Max      Value `json:"max"`
}

// SmokeFailure is the failures of a class.
type SmokeFailure struct {
	Class    sdk.FailureClass `json:"class"`    // whose failure
	Episodes int              `json:"episodes"` // that failed so
	Detail   string           `json:"detail"`   // of the first
	Task     string           `json:"task"`     // of the first
	Episode  string           `json:"episode"`  // id of the first
}

// MarshalJSON implements json.Marshaler: no stages are an empty list.
func (r SmokeReport) MarshalJSON() ([]byte, error) {
	type plain SmokeReport
	if r.Stages == nil {
		r.Stages = []SmokeStage{}
	}
	return encode(plain(r))
}

// Kind implements Payload.
func (SmokeReport) Kind() Kind { return KindSmokeReport }

var _ Payload = SmokeReport{}
