package verl

import (
	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk/framework/stage"
)

// recordFormat is the version of a launch's folder. A newer one is refused.
const recordFormat = "awhost.verl/2"

// record holds the values with which a later life of the adapter continues a launch.
type record struct {
	stage.Record
	Generation      settings.Generation `json:"generation"`
	Steps           int                 `json:"steps"`      // verl's last
	SaveEvery       int                 `json:"save_every"` // 0: never
	ValidatesBefore bool                `json:"validates_before"`
	Updates         int                 `json:"updates,omitempty"` // in each step of V0; V1 reports them
}

// base is awhost's number of verl's step 0.
func (r *record) base() int { return r.Request.FirstStep - 1 - r.Request.StepsDone }

func (f folder) record() string     { return f.path("launch.json") }
func (f folder) episodes() string   { return f.path("episodes.jsonl") }
func (f folder) boundaries() string { return f.path("boundaries.jsonl") }

// asked is a boundary that the host was asked about, and how many events came before.
type asked struct {
	Step int    `json:"step"`
	Seq  uint64 `json:"seq"`
}
