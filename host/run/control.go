package run

import (
	"github.com/awhost/awhost/host/control"
	"github.com/awhost/awhost/host/event"
)

// Control lets other processes observe the run and end it. It is opened in the run's socket directory before the first
// plugin starts, and closed before the directory is removed.
type Control interface {
	// Open listens in a private directory. look returns the run's current waits.
	Open(sockets string, look func() []control.Wait) error
	// Shut rejects new connections.
	Shut()
}

// openControl opens the control if one is configured. A run without one can only be signaled.
func (r *runner) openControl() (shut func()) {
	if r.Control == nil {
		return func() {}
	}
	if err := r.Control.Open(r.service.sockets, r.waits); err != nil {
		r.warn(event.Warning{
			Code: "control", Summary: "awhost attach cannot reach this run, and awhost stop will use signals to end " +
				"it", Detail: err.Error(),
		})
	}
	return r.Control.Shut
}
