package sdk

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	"github.com/awhost/awhost/sdk/internal/multiplex"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// InProcess serves a plugin inside the calling process, over the real protocol but without a subprocess. It is intended
// for plugin tests; package sdktest wraps it.
type InProcess struct {
	*RemotePlugin
	Conn   grpc.ClientConnInterface
	Leases *Leases // the leases that an agent may use
	conn   *grpc.ClientConn
	plugin *pluginServer
	server *grpc.Server
	host   *grpc.Server
	done   chan struct{}
}

// InProcessHolder is the name under which a plugin running in the calling process holds leases.
const InProcessHolder = "in-process"

// ServeInProcess starts p. An adapter calls host, which may be nil, and an agent calls InProcess.Leases.
func ServeInProcess(p Plugin, host Host, log *slog.Logger) (*InProcess, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", p.Name, err)
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	limit := p.messageBytes()
	hostServer, hostListener := newServer(limit, nil, recoverUnary), bufconn.Listen(1<<20)
	leases := &Leases{}
	HostServer{Host: host, Agents: inProcessAgents{leases}, Authorize: func(context.Context) error {
		if host == nil {
			return errors.New("adapters have no in-process host")
		}
		return nil
	}, MaxMessageBytes: func(context.Context) int { return limit }}.Register(hostServer)
	server, listener := newServer(limit, nil, recoverUnary), bufconn.Listen(1<<20)
	plugin := register(newMultiplexServer(limit, recoverUnary).Register(server), p, log,
		func(*awhostv1.HostAddress) (*grpc.ClientConn, error) {
			return dialBuffer(hostListener, limit)
		})
	conn, err := dialBuffer(listener, limit)
	if err != nil {
		return nil, err
	}
	in := &InProcess{
		RemotePlugin: NewRemotePlugin(conn), Leases: leases,
		Conn: multiplex.NewConn(conn, multiplex.Options{MaxMessageBytes: limit}),
		conn: conn, plugin: plugin, server: server, host: hostServer, done: make(chan struct{}),
	}
	go func() {
		defer close(in.done)
		hosted := make(chan struct{})
		go func() { defer close(hosted); _ = hostServer.Serve(hostListener) }()
		_ = server.Serve(listener)
		<-hosted
	}()
	return in, nil
}

type inProcessAgents struct{ *Leases }

// AgentGenerate implements AgentHost.
func (a inProcessAgents) AgentGenerate(ctx context.Context, lease string, req ModelRequest) (*ModelReply, error) {
	return a.Generate(ctx, InProcessHolder, lease, req)
}

// AgentStep implements AgentHost.
func (a inProcessAgents) AgentStep(ctx context.Context, lease string, step AgentStep) (*StepResponse, error) {
	return a.Step(ctx, InProcessHolder, lease, step)
}

func dialBuffer(listener *bufconn.Listener, limit int) (*grpc.ClientConn, error) {
	return grpc.NewClient("passthrough:in-process",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(limit), grpc.MaxCallSendMsgSize(limit)),
	)
}

// Close ends the plugin and waits until it has ended.
func (in *InProcess) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = in.Stop(ctx, time.Second, "test ended", func(string) {})
	_ = in.conn.Close()
	in.server.Stop()
	in.plugin.close()
	in.host.Stop()
	<-in.done
}
