package stage

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/outliving"
)

// reports sends events to the host. Each event is on disk before it is sent, and the number of its line is its number
// in the host, so that a later life of the adapter can repeat the events that the host has not committed.
type reports struct {
	path   string
	keeper *outliving.Keeper
	emit   func(sdk.TrainEvent) error

	mu     sync.Mutex
	driver uint64 // the number of the trainer's last event: it repeats events without an acknowledgment
}

// told is a line of the file.
type told struct {
	Driver uint64          `json:"driver,omitempty"` // the trainer's number; 0: an event of the adapter
	Event  json.RawMessage `json:"event"`
}

// report sends an event of the adapter.
func (r *reports) report(e sdk.TrainEvent) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.send(0, e, func() {})
}

// once sends an event that the trainer reports under a number, unless it was sent before. complete fills in what the
// trainer does not know. kept is called when the event is on disk: until then the trainer repeats it. Events without a
// number, 0, are always sent.
func (r *reports) once(number uint64, complete func() (e sdk.TrainEvent, kept func(), err error)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if number > 0 && number <= r.driver {
		return nil
	}
	e, kept, err := complete()
	if err != nil {
		return err
	}
	return r.send(number, e, kept)
}

func (r *reports) send(number uint64, e sdk.TrainEvent, kept func()) error {
	e.Seq = 0
	text, err := sdk.MarshalWire(e)
	if err != nil {
		return err
	}
	if err := r.keeper.Append(r.path, told{Driver: number, Event: text}); err != nil {
		return err
	}
	r.driver = max(r.driver, number)
	kept()
	return r.emit(e)
}

// recall repeats the events after a number. It returns the episodes whose use has been reported.
func (r *reports) recall(after uint64) (reported map[string]bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines, err := outliving.Lines[told](r.path)
	if err != nil {
		return nil, err
	}
	if uint64(len(lines)) < after {
		return nil, fmt.Errorf("read %s: lines are missing: it has %d, and the host has received %d events: start the run "+
			"again from its last checkpoint", r.path, len(lines), after)
	}
	reported = map[string]bool{}
	for i, line := range lines {
		e, err := sdk.UnmarshalWire[sdk.TrainEvent](line.Event)
		if err != nil {
			return nil, fmt.Errorf("read %s, line %d: %w", r.path, i+1, err)
		}
		r.driver = max(r.driver, line.Driver)
		if e.Consumed != nil {
			for _, c := range e.Consumed.Episodes {
				reported[c.EpisodeID] = true
			}
		}
		if uint64(i) < after {
			continue
		}
		if err := r.emit(e); err != nil {
			return nil, err
		}
	}
	return reported, nil
}
