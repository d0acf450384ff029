package sdk

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/test/bufconn"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// InProcess serves a plugin inside the calling process, over the real protocol but without a subprocess. It is for
// tests of plugins; package sdktest wraps it.
type InProcess struct {
	*RemotePlugin
	Conn   *grpc.ClientConn
	plugin *pluginServer
	server *grpc.Server
	host   *grpc.Server
	done   chan struct{}
}

// ServeInProcess starts p. host, which may be nil, is what an adapter reaches.
func ServeInProcess(p Plugin, host Host, log *slog.Logger) (*InProcess, error) {
	if err := p.check(); err != nil {
		return nil, fmt.Errorf("plugin %s: %w", p.Name, err)
	}
	if log == nil {
		log = slog.New(slog.DiscardHandler)
	}
	hostServer, hostListener := newServer(nil), bufconn.Listen(1<<20)
	if host != nil {
		HostServer{Host: host}.Register(hostServer)
	}
	server, listener := newServer(nil), bufconn.Listen(1<<20)
	plugin := register(server, p, log, func(*awhostv1.HostAddress) (*grpc.ClientConn, error) { return dialBuffer(hostListener) })
	conn, err := dialBuffer(listener)
	if err != nil {
		return nil, err
	}
	in := &InProcess{RemotePlugin: NewRemotePlugin(conn), Conn: conn, plugin: plugin, server: server, host: hostServer, done: make(chan struct{})}
	go func() {
		defer close(in.done)
		hosted := make(chan struct{})
		go func() { defer close(hosted); _ = hostServer.Serve(hostListener) }()
		_ = server.Serve(listener)
		<-hosted
	}()
	return in, nil
}

func dialBuffer(listener *bufconn.Listener) (*grpc.ClientConn, error) {
	return grpc.NewClient("passthrough:in-process",
		grpc.WithContextDialer(func(ctx context.Context, _ string) (net.Conn, error) { return listener.DialContext(ctx) }),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(MaxMessageBytes), grpc.MaxCallSendMsgSize(MaxMessageBytes)),
	)
}

// Close ends the plugin and waits for it.
func (in *InProcess) Close() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = in.Stop(ctx, time.Second, "test ended", func(string) {})
	_ = in.Conn.Close()
	in.server.Stop()
	in.plugin.close()
	in.host.Stop()
	<-in.done
}
