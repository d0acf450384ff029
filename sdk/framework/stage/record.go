package stage

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/framework/launch"
	"github.com/awhost/awhost/sdk/outliving"
)

// Record holds the values with which a later life of the adapter continues a launch. Adapters embed it in a record with
// more fields. It is on disk before the trainer starts, and again with its job.
type Record struct {
	Format  string           `json:"format"`
	Request sdk.TrainRequest `json:"request"`
	Epoch   int              `json:"epoch"` // of the bridge
	Job     *launch.Handle   `json:"job,omitempty"`
}

// NewRecord returns the record of a new launch. It omits values that may be secrets, which no later life needs.
func NewRecord(format string, req sdk.TrainRequest) Record {
	req.Config, req.Knobs.Env = nil, nil
	return Record{Format: format, Request: req, Epoch: 1}
}

// Common returns the part that all records have.
func (r *Record) Common() *Record { return r }

// Kept is a struct that embeds a Record.
type Kept interface{ Common() *Record }

// ReadRecord reads the record of a launch. The error wraps fs.ErrNotExist if it is missing.
func ReadRecord(path, format string, into Kept) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("read the record of the launch: %w", err)
	}
	r := into.Common()
	if err = json.Unmarshal(data, into); err == nil && r.Format != format {
		err = fmt.Errorf("its format is %q, this awhost knows %q", r.Format, format)
	}
	if err == nil && r.Job != nil {
		err = r.Job.Check()
	}
	if err != nil {
		return fmt.Errorf("read the record of the launch %s: %w", path, err)
	}
	return nil
}

func (s *Stage) common() *Record { return s.Record.Common() }

func (s *Stage) write() error {
	if err := outliving.Replace(s.RecordFile, s.Record); err != nil {
		return fmt.Errorf("write the record of the launch: %w", err)
	}
	return nil
}
