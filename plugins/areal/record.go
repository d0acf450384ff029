package areal

import (
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/framework/stage"
	"github.com/awhost/awhost/sdk/process"
)

// recordFormat is the version of a launch's folder. Another one is refused.
const recordFormat = "awhost.areal/1"

// record holds the values with which a later life of the adapter continues a launch.
type record struct {
	stage.Record
	Release   string            `json:"release"` // of AReaL
	Mode      string            `json:"mode"`
	Prompts   int               `json:"prompts"`
	GroupSize int               `json:"group_size"`
	Staleness int               `json:"max_staleness"`     // versions of the weights
	Filters   bool              `json:"filters"`           // groups of equal rewards are left out
	Local     bool              `json:"local"`             // AReaL's workers are processes of the driver's machine
	Tokens    int               `json:"tokens_every"`      // steps; 0: never
	Base      int               `json:"base"`              // steps that were finished when AReaL's version was 0
	Process   *process.Identity `json:"process,omitempty"` // only in records of older adapters, instead of Job
}

func newRecord(req sdk.TrainRequest, plan *resolved) *record {
	return &record{
		Record: stage.NewRecord(recordFormat, req), Release: plan.installed.Release.String(), Mode: plan.mode,
		Prompts: plan.prompts, GroupSize: plan.groupSize, Staleness: *plan.config.MaxStaleness, Filters: plan.filter != "",
		Local: plan.config.Scheduler == "local", Tokens: plan.config.TokensEvery, Base: plan.base(req),
	}
}

func (f folder) record() string { return f.path("record.json") }
func (f folder) bridge() string { return f.path("bridge") }

// readRecord reads the record of a launch.
func readRecord(f folder) (*record, error) {
	r := &record{}
	err := stage.ReadRecord(f.record(), recordFormat, r)
	if r.Job == nil && r.Process != nil {
		r.Job = launch.ProcessHandle(launch.Job{LaunchID: r.Request.LaunchID, Dir: string(f), LogFile: f.log()}, *r.Process)
	}
	return r, err
}

// note is something that the adapter learns and AReaL does not tell again. Exactly one member is set.
type note struct {
	stage.Note
	Asked *askedNote `json:"asked,omitempty"`
	Over  *overNote  `json:"over,omitempty"`
	Lost  string     `json:"lost,omitempty"` // id of an episode whose worker cannot use it
}

// askedNote is the step of a group: that under way when its first sample was asked for.
type askedNote struct {
	Group string `json:"group"`
	Last  int    `json:"last"` // the last finished step then
}

// overNote is an episode that is over, before its worker hears of it.
type overNote struct {
	Episode string          `json:"episode"`
	Group   string          `json:"group"`
	Index   int             `json:"index"` // of the task
	Slot    int             `json:"slot"`  // within the group
	Use     sdk.Consumption `json:"use"`
	Reward  *float64        `json:"reward"` // nil: it has none
}
