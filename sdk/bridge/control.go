package bridge

import (
	"context"
	"fmt"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/bridge/internal/link"
)

// Workers returns the connected workers, and the absent workers that may reconnect.
func (s *Server) Workers() []Worker {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := make([]Worker, 0, len(s.sessions))
	for _, session := range s.sessions {
		out = append(out, session.workerLocked())
	}
	sortWorkers(out)
	return out
}

// controlOrder is a control action that is also sent to workers that join later.
type controlOrder struct {
	action sdk.ControlAction
	frame  link.Frame
}

// Control sends an action to all workers. Drain, pause and abort also apply to workers that join later, until a resume.
func (s *Server) Control(ctx context.Context, action sdk.ControlAction, reason string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	body, err := sdk.MarshalWire(sdk.ControlRequest{Action: action, Reason: reason})
	if err != nil {
		return err
	}
	o := controlOrder{action: action, frame: link.Frame{Type: "control", Body: body}}
	s.mu.Lock()
	defer s.mu.Unlock()
	switch action {
	case sdk.ControlResume:
		s.orders = nil
	case sdk.ControlDrain, sdk.ControlPause, sdk.ControlAbort:
		s.orders = append(s.ordersExcept(action), o)
	case sdk.ControlCheckpointNow: // only for the current workers
	default:
		return fmt.Errorf("control framework workers: unknown action %q", action)
	}
	for _, session := range s.sessions {
		_ = session.stream.Send(o.frame) // a session that has ended needs no orders
	}
	return nil
}

func (s *Server) ordersExcept(action sdk.ControlAction) []controlOrder {
	var out []controlOrder
	for _, o := range s.orders {
		if o.action != action {
			out = append(out, o)
		}
	}
	return out
}
