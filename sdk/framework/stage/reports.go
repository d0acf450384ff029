package areal

import (
	"encoding/json"
	"fmt"
	"sync"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/outliving"
)

// reports tells the host what happens. Each event is on disk before the host hears of it, and the number of its line is that by which
// the host knows it: so a later life of the adapter can tell again what the host forgot.
type reports struct {
	path   string
	keeper *outliving.Keeper
	emit   func(sdk.TrainEvent) error

	mu     sync.Mutex
	driver uint64 // the number of the driver's last event: it repeats those that it does not know to be here
}

// told is a line of the file.
type told struct {
	Driver uint64          `json:"driver,omitempty"` // the driver's own number; 0: it is the adapter's event
	Event  json.RawMessage `json:"event"`
}

// say reports an event of the adapter itself.
func (r *reports) say(e sdk.TrainEvent) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tell(0, e, func() {})
}

// once reports what the driver says under a number, unless it was reported before. complete fills in what the driver does not know, and
// kept is called when that is on disk: before it the driver says it again.
func (r *reports) once(number uint64, complete func() (e sdk.TrainEvent, kept func(), err error)) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if number <= r.driver {
		return nil
	}
	e, kept, err := complete()
	if err != nil {
		return err
	}
	return r.tell(number, e, kept)
}

func (r *reports) tell(number uint64, e sdk.TrainEvent, kept func()) error {
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

// recall tells the host again what came after an event. It returns the episodes whose use has been reported.
func (r *reports) recall(after uint64) (reported map[string]bool, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	lines, err := outliving.Lines[told](r.path)
	if err != nil {
		return nil, err
	}
	if uint64(len(lines)) < after {
		return nil, fmt.Errorf("read %s: %w: it has %d, and the host has heard %d events: start the run again from its last checkpoint", r.path, errShortRecord, len(lines), after)
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
