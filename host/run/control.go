package run

import (
	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/event"
)

// Control lets other processes look at the run and end it. It is opened where the run's sockets are, before the first
// plugin starts, and shut before they go.
type Control interface {
	// Open listens in a private folder. look says what the run waits for, whenever somebody asks.
	Open(sockets string, look func() []control.Wait) error
	// Shut takes nobody in any more.
	Shut()
}

// openControl opens the control, if there is to be one. A run without it is a run that can only be signalled.
func (r *runner) openControl() (shut func()) {
	if r.Control == nil {
		return func() {}
	}
	if err := r.Control.Open(r.service.sockets, r.waits); err != nil {
		r.warn(event.Warning{
			Code: "control", Summary: "awhost attach does not reach this run, and awhost stop ends it by signals", Detail: err.Error(),
		})
	}
	return r.Control.Shut
}
