// Package callback is the host's own gRPC server: what plugins call, over a private socket and under the certificate that
// each was given.
//
//	s, err := callback.Serve(socket, authority, limits, sdk.HostServer{Host: host, Authorize: authorize})
//	defer s.Close()
//	// s.Leases: what agents of plugins are answered by
//
// A run serves its trainer with it, an evaluation only its agents. It knows who calls, and not what the answers mean.
package callback

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
	// Leases are how agents of plugins reach the policy and the environment of their episodes.
	Leases sdk.Leases

	// Elsewhere is where agents on other machines reach the gateway; nil: it listens on loopback. It is set before the
	// first call of Gateway.
	Elsewhere *gateway.Elsewhere

	servers []*grpc.Server
	serving sync.WaitGroup

	mu      sync.Mutex
	gateway *gateway.Gateway // nil: nobody has asked for it
}

// Limits are the largest messages of plugins, by the addresses of their blocks; sdk.DefaultMessageBytes
// where one is not named.
type Limits map[string]int

// most is what the server takes from anybody.
func (l Limits) most() int {
	most := sdk.DefaultMessageBytes
	for _, limit := range l {
		most = max(most, limit)
	}
	return most
}

// Serve listens on the unix socket for plugins with a certificate of authority. Agents of host, and the
// limits of its messages, are the server's own. The caller owns the directory of the socket.
func Serve(socket string, authority *mtls.Authority, limits Limits, host sdk.HostServer) (*Server, error) {
	s := &Server{}
	return s, s.Listen(socket, authority, limits, host)
}

// Listen serves plugins with a certificate of another authority, beside those of Serve. It is called before a plugin
// knows the socket.
func (s *Server) Listen(socket string, authority *mtls.Authority, limits Limits, host sdk.HostServer) error {
	listener, err := net.Listen("unix", socket)
	if err != nil {
		return fmt.Errorf("listen for plugins: %w", err)
	}
	server := grpc.NewServer(append(sdk.ServerOptions(limits.most()),
		grpc.Creds(credentials.NewTLS(authority.Server())),
		grpc.WaitForHandlers(true), // Close joins them
	)...)
	host.Agents = agents{s, authority}
	host.MaxMessageBytes = func(ctx context.Context) int {
		return max(limits[Caller(ctx, authority)], sdk.DefaultMessageBytes)
	}
	host.Register(server)
	s.servers = append(s.servers, server)
	s.serving.Go(func() { _ = server.Serve(listener) }) // it ends with Stop
	return nil
}

// Gateway serves agents that speak OpenAI's protocol. It listens from the first time on that somebody asks for it.
func (s *Server) Gateway() (*gateway.Gateway, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.gateway != nil {
		return s.gateway, nil
	}
	var err error
	s.gateway, err = gateway.Listen(gateway.Options{Elsewhere: s.Elsewhere})
	return s.gateway, err
}

// Close ends all calls and joins them.
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

// Caller is the address of the block whose plugin makes the call of ctx; empty when no plugin of authority does.
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

// agents answers agents of plugins by their leases.
type agents struct {
	*Server
	authority *mtls.Authority // of the plugins that call
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
