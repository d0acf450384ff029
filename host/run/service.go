package run

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"

	"github.com/awhost/awhost/host/hostserver"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// service handles calls from adapters and agents. It serves the current launch.
type service struct {
	*hostserver.Server
	sockets   string // private directory
	socket    string
	authority *mtls.Authority
	current   atomic.Pointer[trainCall]
	ending    atomic.Pointer[ended] // set while a trainer without a launch is being ended
}

// ended is a trainer that is being ended.
type ended struct{ launch, adapter string }

func startService(limits hostserver.Limits, log func(level, source, message string,
	fields map[string]string)) (*service, error) {
	authority, err := mtls.NewAuthority()
	if err != nil {
		return nil, err
	}
	sockets, err := process.NewSocketDir()
	if err != nil {
		return nil, err
	}
	s := &service{sockets: sockets, socket: filepath.Join(sockets, "host"), authority: authority}
	s.Server, err = hostserver.Serve(s.socket, authority, limits, sdk.HostServer{
		Host: s, Authorize: s.authorize,
		Log: func(ctx context.Context, level, message string, fields map[string]string) {
			log(level, hostserver.Caller(ctx, authority), message, fields)
		},
	})
	if err != nil {
		return nil, errors.Join(err, process.RemoveSocketDir(sockets))
	}
	return s, nil
}

// close ends all calls and waits for them.
func (s *service) close() {
	s.Close()
	_ = process.RemoveSocketDir(s.sockets) // the next run removes leftovers
}

// authorize permits only the adapter of the current launch to drive the run.
func (s *service) authorize(ctx context.Context) error {
	adapter := ""
	if l, err := s.call(); err == nil {
		adapter = l.stage.Adapter
	} else if e := s.ending.Load(); e != nil {
		adapter = e.adapter
	} else {
		return err
	}
	if caller := hostserver.Caller(ctx, s.authority); caller != adapter {
		return fmt.Errorf("%q is not this stage's adapter", caller)
	}
	return nil
}

func (s *service) call() (*trainCall, error) {
	if l := s.current.Load(); l != nil {
		return l, nil
	}
	return nil, errNoStage
}

// errNoStage is returned to a trainer that makes a call between stages or at the end of the run. It is not a final
// response: the trainer repeats the call to the host that resumes the run.
var errNoStage = fmt.Errorf("%w: no stage is being trained", sdk.ErrUnavailable)

// hostUnavailable returns the error that a trainer receives when the launch or the run ends with an error; the trainer
// then waits for another host. It does not wrap why, which would be mistaken for the response in the protocol.
func hostUnavailable(why error) error { return fmt.Errorf("%w: %v", sdk.ErrUnavailable, why) }

// RunEpisode implements sdk.Host.
func (s *service) RunEpisode(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	l, err := s.call()
	if err != nil {
		return nil, err
	}
	l.reports.asked(req.Split)
	return l.engine.RunEpisode(ctx, req)
}

// CancelEpisode implements sdk.Host.
func (s *service) CancelEpisode(ctx context.Context, episodeID, reason string) error {
	l, err := s.call()
	if err != nil {
		return err
	}
	return l.engine.CancelEpisode(ctx, episodeID, reason)
}

// Tasks implements sdk.Host.
func (s *service) Tasks(ctx context.Context, req sdk.TasksRequest, yield func(sdk.Task) bool) error {
	l, err := s.call()
	if err != nil {
		return err
	}
	return l.stream(ctx, req, yield)
}

// StepBoundary implements sdk.Host. An adapter that reattaches to a trainer repeats its last call, even if it
// reattaches only so that the trainer can be ended.
func (s *service) StepBoundary(ctx context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	l, err := s.call()
	if err != nil {
		if e := s.ending.Load(); e != nil && e.launch == req.LaunchID {
			return &sdk.StepBoundaryResponse{Directive: sdk.DirectiveAbort, Reason: runEndedReason}, nil
		}
		return nil, err
	}
	return l.boundary(ctx, req)
}

var _ sdk.Host = (*service)(nil)
