package verl

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/awhost/awhost/plugins/verl/internal/settings"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/outliving"
)

// recordFormat is the version of a launch's folder. A newer one is refused.
const recordFormat = "awhost.verl/2"

// record is what a later life of the adapter needs to go on with a launch. It is on disk before verl is started, and again
// with its job.
type record struct {
	Format          string              `json:"format"`
	Request         sdk.TrainRequest    `json:"request"`
	Generation      settings.Generation `json:"generation"`
	Steps           int                 `json:"steps"`      // verl's last
	SaveEvery       int                 `json:"save_every"` // 0: never
	ValidatesBefore bool                `json:"validates_before"`
	Updates         int                 `json:"updates,omitempty"` // in each step of V0; V1 reports them
	Epoch           int                 `json:"epoch"`             // of the bridge
	Job             *launch.Handle      `json:"job,omitempty"`
}

// base is awhost's number of verl's step 0.
func (r *record) base() int { return r.Request.FirstStep - 1 - r.Request.StepsDone }

func (f folder) record() string     { return f.path("launch.json") }
func (f folder) episodes() string   { return f.path("episodes.jsonl") }
func (f folder) boundaries() string { return f.path("boundaries.jsonl") }

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
	if r.Job != nil {
		if err := r.Job.Check(); err != nil {
			return nil, fmt.Errorf("read the record of the launch %s: %w", f.record(), err)
		}
	}
	return &r, nil
}

// asked is a boundary that the host was asked about, and how many events came before.
type asked struct {
	Step int    `json:"step"`
	Seq  uint64 `json:"seq"`
}
