// Package hostserver is the host's gRPC server. Plugins call it over a private socket, each using the certificate that
// it was given.
//
//	s, err := hostserver.Serve(socket, authority, limits, sdk.HostServer{Host: host, Authorize: authorize})
//	defer s.Close()
//	// s.Leases: the leases that answer agents of plugins
//
// A run serves its trainer and its agents with it, an evaluation only its agents. It identifies the caller but does not
// interpret the responses.
package hostserver

import (
	"context"
	"fmt"
	"net"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"

	"github.com/awhost/awhost/host/gateway"
	"github.com/awhost/awhost/sdk"
	"github.com/awhost/awhost/sdk/process/mtls"
)

// Server serves plugins until it is closed.
type Server struct {
	// Leases give plugin agents access to the policy and the environment of their episodes.
	Leases sdk.Leases

	// Remote configures the gateway for agents on other machines; if it is nil, the gateway listens on loopback. It
	// must be set before the first call to Gateway.
	Remote *gateway.RemoteListener

	servers []*grpc.Server
	serving sync.WaitGroup

	mu      sync.Mutex
	gateway *gateway.Gateway // nil: not requested yet
}

// Limits contains each plugin's maximum message size, by the address of its block. The default is
// sdk.DefaultMessageBytes.
type Limits map[string]int

// most returns the largest of the plugins' limits.
func (l Limits) most() int {
	most := sdk.DefaultMessageBytes
	for _, limit := range l {
		most = max(most, limit)
	}
	return most
}

// Serve listens on the unix socket for plugins with a certificate issued by authority. It replaces host's Agents and
// message limits. The caller owns the socket's directory.
func Serve(socket string, authority *mtls.Authority, limits Limits, host sdk.HostServer) (*Server, error) {
	s := &Server{}
	return s, s.Listen(socket, authority, limits, host)
}

// Listen serves plugins with a certificate issued by another authority, in addition to the one passed to Serve. It must
// be called before a plugin gets the socket's path.
func (s *Server) Listen(socket string, authority *mtls.Authority, limits Limits, host sdk.HostServer) error {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return fmt.Errorf("listen for plugins: %w", err)
	}
	server := grpc.NewServer(append(sdk.ServerOptions(limits.most()),
		grpc.Creds(credentials.NewTLS(authority.Server())),
		grpc.WaitForHandlers(true), // so that Close waits for them
	)...)
	host.Agents = agents{s, authority}
	host.MaxMessageBytes = func(ctx context.Context) int {
		return max(limits[Caller(ctx, authority)], sdk.DefaultMessageBytes)
	}
	host.Register(server)
	s.servers = append(s.servers, server)
	s.serving.Go(func() { _ = server.Serve(listener) }) // returns after Stop
	return nil
}

// Gateway returns the gateway for agents that use OpenAI's protocol. It starts listening on the first call.
func (s *Server) Gateway() (*gateway.Gateway, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gateway != nil {
		return s.gateway, nil
	}
	var err error
	s.gateway, err = gateway.Listen(gateway.Options{Remote: s.Remote})
	return s.gateway, err
}

// Close ends all calls and waits for them.
func (s *Server) Close() {
	s.mu.Lock()
	if s.gateway != nil {
		s.gateway.Close()
	}
	s.mu.Unlock()
	for _, server := range s.servers {
		server.Stop()
	}
	s.serving.Wait()
}

// Caller returns the address of the block whose plugin makes the call with ctx, or "" if the caller is not a plugin
// certified by authority.
func Caller(ctx context.Context, authority *mtls.Authority) string {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return ""
	}
	info, ok := p.AuthInfo.(credentials.TLSInfo)
	if !ok {
		return ""
	}
	name, _ := authority.Instance(info.State)
	return name
}

// agents serves plugin agents according to their leases.
type agents struct {
	*Server
	authority *mtls.Authority // of the calling plugins
}

// AgentGenerate implements sdk.AgentHost.
func (a agents) AgentGenerate(ctx context.Context, lease string, req sdk.ModelRequest) (*sdk.ModelReply, error) {
	return a.Leases.Generate(ctx, Caller(ctx, a.authority), lease, req)
}

// AgentStep implements sdk.AgentHost.
func (a agents) AgentStep(ctx context.Context, lease string, step sdk.AgentStep) (*sdk.StepResponse, error) {
	return a.Leases.Step(ctx, Caller(ctx, a.authority), lease, step)
}

var _ sdk.AgentHost = agents{}
