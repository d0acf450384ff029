package eval

import (
	"context"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"

	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// service is what agents of plugins call: the policy and the environment of the episodes that they hold a lease of. Nobody
// trains here, so adapters have nothing to ask for.
type service struct {
	socket    string
	authority *mtls.Authority
	server    *grpc.Server
	serving   sync.WaitGroup
	leases    sdk.Leases
}

func startService(authority *mtls.Authority, sockets string) (*service, error) {
	s := &service{socket: filepath.Join(sockets, "host"), authority: authority}
	listener, err := net.Listen("unix", s.socket)
	if err != nil {
		return nil, fmt.Errorf("listen for plugins: %w", err)
	}
	s.server = grpc.NewServer(
		grpc.Creds(credentials.NewTLS(authority.Server())),
		grpc.MaxRecvMsgSize(sdk.MaxMessageBytes), grpc.MaxSendMsgSize(sdk.MaxMessageBytes),
		grpc.WaitForHandlers(true), // close joins them
	)
	sdk.HostServer{Agents: s, Authorize: func(context.Context) error {
		return errors.New("this is an evaluation: nothing is trained")
	}}.Register(s.server)
	s.serving.Go(func() { _ = s.server.Serve(listener) }) // it ends with Stop
	return s, nil
}

// close ends all calls and joins them.
func (s *service) close() {
	s.server.Stop()
	s.serving.Wait()
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

// AgentGenerate implements sdk.AgentHost.
func (s *service) AgentGenerate(ctx context.Context, lease string, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	return s.leases.Generate(ctx, s.caller(ctx), lease, req)
}

// AgentStep implements sdk.AgentHost.
func (s *service) AgentStep(ctx context.Context, lease string, step sdk.AgentStep) (*sdk.StepResponse, error) {
	return s.leases.Step(ctx, s.caller(ctx), lease, step)
}

var _ sdk.AgentHost = (*service)(nil)
