package event

import "github.com/awhost/awhost/sdk"

// SmokeVerdict is the result of a smoke run.
type SmokeVerdict string

// The verdicts.
const (
	SmokePass SmokeVerdict = "pass"
	SmokeFail SmokeVerdict = "fail"
)

// SmokeReport reports the results of a smoke run. It is sent once, before run_finished, unless the run was
// interrupted.
type SmokeReport struct {
	Verdict SmokeVerdict `json:"verdict"`           // fail: the run would not work with this spec
	Reasons []string     `json:"reasons,omitempty"` // causes of a failure, the most important first
	Remarks []string     `json:"remarks,omitempty"` // findings that a person has to judge
	Stages  []SmokeStage `json:"stages"`            // started stages, in order
}

// SmokeStage describes a stage of a smoke run. It counts all finished episodes, including validations.
type SmokeStage struct {
	Name        string         `json:"name"`               // label of the stage block
	Steps       int            `json:"steps"`              // committed steps
	Planned     int            `json:"planned_steps"`      // planned steps
	Seconds     Seconds        `json:"seconds"`            // time from its start to its last record
	Episodes    int            `json:"episodes"`           // all episodes
	Validation  int            `json:"validation"`         // validation episodes
	Trained     int            `json:"trained"`            // episodes used by an update
	Tools       int            `json:"tools"`              // maximum number of tools offered in a call
	ScriptCalls int            `json:"script_calls"`       // tool calls written by the script
	Misread     int            `json:"misread"`            // of these, calls that the adapter parsed incorrectly
	Scripted    SmokeEpisodes  `json:"scripted"`           // episodes with the script as the policy
	Sampled     SmokeEpisodes  `json:"sampled"`            // episodes with the random policy
	Rewards     []SmokeReward  `json:"rewards,omitempty"`  // composed reward first, then the rewards and their components
	Failures    []SmokeFailure `json:"failures,omitempty"` // failures by class, with an example
}

// SmokeEpisodes holds the total numbers of episodes.
type SmokeEpisodes struct {
	Episodes  int                 `json:"episodes"`           // number of episodes
	Outcomes  map[sdk.Outcome]int `json:"outcomes,omitempty"` // episodes by outcome
	Turns     int                 `json:"turns"`              // assistant messages
	ToolCalls int                 `json:"tool_calls"`         // calls that could be parsed
	Answers   int                 `json:"tool_answers"`       // tool results from the environment
	Errors    int                 `json:"tool_errors"`        // tool results that report an error
	Malformed int                 `json:"malformed_calls"`    // calls that could not be parsed
}

// SmokeReward summarizes the values of a reward.
type SmokeReward struct {
	Name     string `json:"name"`     // "reward", "reward.gaia.answer", or a component: "reward.gaia.answer.exact"
	Numbers  int    `json:"numbers"`  // episodes with a value
	Episodes int    `json:"episodes"` // episodes to score
	Min      Value  `json:"min"`
	Mean     Value  `json:"mean"`
	Max      Value  `json:"max"`
}

// SmokeFailure summarizes the failures in a class.
type SmokeFailure struct {
	Class    sdk.FailureClass `json:"class"`    // the class
	Episodes int              `json:"episodes"` // failed episodes
	Detail   string           `json:"detail"`   // detail of the first failure
	Task     string           `json:"task"`     // task of the first failure
	Episode  string           `json:"episode"`  // id of the first failed episode
}

// MarshalJSON implements json.Marshaler. Without stages the list is empty, not null.
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
