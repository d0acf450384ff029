package run

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"sync"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// service is the host's own gRPC server: what adapters and agents call. It serves the launch that is current.
type service struct {
	sockets   string // private directory
	socket    string
	authority *mtls.Authority
	server    *grpc.Server
	serving   sync.WaitGroup
	current   atomic.Pointer[launch]
	leases    sdk.Leases // of agents
}

func startService(log func(level, source, message string, fields map[string]string)) (*service, error) {
	authority, err := mtls.NewAuthority()
	if err != nil {
		return nil, err
	}
	sockets, err := process.NewSocketDir()
	if err != nil {
		return nil, err
	}
	s := &service{sockets: sockets, socket: filepath.Join(sockets, "host"), authority: authority}
	listener, err := net.Listen("unix", s.socket)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("listen for plugins: %w", err), process.RemoveSocketDir(sockets))
	}
	s.server = grpc.NewServer(append(sdk.ServerOptions(),
		grpc.Creds(credentials.NewTLS(authority.Server())),
		grpc.WaitForHandlers(true), // close joins them
	)...)
	sdk.HostServer{
		Host: s, Authorize: s.authorize, Agents: s,
		Log: func(ctx context.Context, level, message string, fields map[string]string) {
			log(level, s.caller(ctx), message, fields)
		},
	}.Register(s.server)
	s.serving.Go(func() { _ = s.server.Serve(listener) }) // it ends with Stop
	return s, nil
}

// close ends all calls and joins them.
func (s *service) close() {
	s.server.Stop()
	s.serving.Wait()
	_ = process.RemoveSocketDir(s.sockets) // what is left is swept by the next run
}

// caller is the address of the block whose plugin calls.
func (s *service) caller(ctx context.Context) string {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return ""
	}
	info, ok := p.AuthInfo.(credentials.TLSInfo)
	if !ok {
		return ""
	}
	name, _ := s.authority.Instance(info.State)
	return name
}

// authorize lets only the adapter of the current launch drive the run.
func (s *service) authorize(ctx context.Context) error {
	l, err := s.launch()
	if err != nil {
		return err
	}
	if caller := s.caller(ctx); caller != l.stage.Adapter {
		return fmt.Errorf("%q is not the adapter of this stage", caller)
	}
	return nil
}

func (s *service) launch() (*launch, error) {
	if l := s.current.Load(); l != nil {
		return l, nil
	}
	return nil, errors.New("no stage is being trained")
}

// RunEpisode implements sdk.Host.
func (s *service) RunEpisode(ctx context.Context, req sdk.EpisodeRequest) (*sdk.EpisodeResult, error) {
	l, err := s.launch()
	if err != nil {
		return nil, err
	}
	l.reports.asked(req.Split)
	return l.engine.RunEpisode(ctx, req)
}

// CancelEpisode implements sdk.Host.
func (s *service) CancelEpisode(ctx context.Context, episodeID, reason string) error {
	l, err := s.launch()
	if err != nil {
		return err
	}
	return l.engine.CancelEpisode(ctx, episodeID, reason)
}

// Tasks implements sdk.Host.
func (s *service) Tasks(ctx context.Context, req sdk.TasksRequest, yield func(sdk.Task) bool) error {
	l, err := s.launch()
	if err != nil {
		return err
	}
	return l.stream(ctx, req, yield)
}

// StepBoundary implements sdk.Host.
func (s *service) StepBoundary(ctx context.Context, req sdk.StepBoundaryRequest) (*sdk.StepBoundaryResponse, error) {
	l, err := s.launch()
	if err != nil {
		return nil, err
	}
	return l.boundary(ctx, req)
}

// AgentGenerate implements sdk.AgentHost.
func (s *service) AgentGenerate(ctx context.Context, lease string, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	return s.leases.Generate(ctx, s.caller(ctx), lease, req)
}

// AgentStep implements sdk.AgentHost.
func (s *service) AgentStep(ctx context.Context, lease string, step sdk.AgentStep) (*sdk.StepResponse, error) {
	return s.leases.Step(ctx, s.caller(ctx), lease, step)
}

var (
	_ sdk.Host      = (*service)(nil)
	_ sdk.AgentHost = (*service)(nil)
)
