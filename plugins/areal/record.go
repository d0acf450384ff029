package areal

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/outliving"
	"github.com/awhost/awhost/sdk/process"
)

// recordFormat is the version of a launch's folder. Another one is refused.
const recordFormat = "awhost.areal/1"

// record is what a later life of the adapter needs to go on with a launch. It is on disk before AReaL is started, and again
// with its process.
type record struct {
	Format    string            `json:"format"`
	Request   sdk.TrainRequest  `json:"request"`
	Release   string            `json:"release"` // of AReaL
	Mode      string            `json:"mode"`
	Prompts   int               `json:"prompts"`
	GroupSize int               `json:"group_size"`
	Staleness int               `json:"max_staleness"` // versions of the weights
	Filters   bool              `json:"filters"`       // groups of equal rewards are left out
	Local     bool              `json:"local"`         // AReaL's workers are processes of this machine
	Tokens    int               `json:"tokens_every"`  // steps; 0: never
	Base      int               `json:"base"`          // steps that were finished when AReaL's version was 0
	Epoch     int               `json:"epoch"`         // of the bridge
	Process   *process.Identity `json:"process,omitempty"`
}

func newRecord(req sdk.TrainRequest, plan *resolved) *record {
	return &record{
		Request: req, Release: plan.installed.Release.String(), Mode: plan.mode, Prompts: plan.prompts, GroupSize: plan.groupSize,
		Staleness: *plan.config.MaxStaleness, Filters: plan.filter != "", Local: plan.config.Scheduler == "local", Tokens: plan.config.TokensEvery,
		Base: plan.base(req), Epoch: 1,
	}
}

func (f folder) record() string { return f.path("record.json") }
func (f folder) events() string { return f.path("events.jsonl") }
func (f folder) notes() string  { return f.path("notes.jsonl") }
func (f folder) bridge() string { return f.path("bridge") }

// write replaces the record. It leaves out what may hold secrets, which no later life needs: the folder of a run has none.
func (r *record) write(f folder) error {
	r.Format = recordFormat
	kept := *r
	kept.Request.Config, kept.Request.Knobs.Env = nil, nil
	if err := outliving.Replace(f.record(), kept); err != nil {
		return fmt.Errorf("write the record of the launch: %w", err)
	}
	return nil
}

// readRecord reads the record of a launch; one that is not there wraps fs.ErrNotExist.
func readRecord(f folder) (*record, error) {
	data, err := os.ReadFile(f.record())
	if err != nil {
		return nil, fmt.Errorf("read the record of the launch: %w", err)
	}
	var r record
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, fmt.Errorf("read the record of the launch %s: %w", f.record(), err)
	}
	if r.Format != recordFormat {
		return nil, fmt.Errorf("read the record of the launch %s: its format is %q, this awhost knows %q", f.record(), r.Format, recordFormat)
	}
	return &r, nil
}

// note is something that the adapter learns and AReaL does not tell again. Exactly one member is set.
type note struct {
	Asked    *askedNote         `json:"asked,omitempty"`
	Over     *overNote          `json:"over,omitempty"`
	Lost     string             `json:"lost,omitempty"`     // id of an episode whose worker cannot use it
	Boundary *int               `json:"boundary,omitempty"` // the last finished step, of which the driver gets the host's answer
	Finished *sdk.FinishedEvent `json:"finished,omitempty"` // what the driver has said last
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

// errShortRecord is about a file that lost lines which the host has heard of.
var errShortRecord = errors.New("lines are missing")
