package sdk

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync"

	"github.com/hashicorp/go-hclog"
	goplugin "github.com/hashicorp/go-plugin"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/protobuf/encoding/protojson"

	"github.com/awhost/awhost/sdk/process/heap"
	"github.com/awhost/awhost/sdk/process/mtls"
	"github.com/awhost/awhost/sdk/process/procs"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// Handshake is go-plugin's handshake. The cookie shows a plugin that it was started by a host; it is not secret.
var Handshake = goplugin.HandshakeConfig{
	ProtocolVersion:  ProtocolVersion,
	MagicCookieKey:   "AWHOST_PLUGIN_MAGIC_COOKIE",
	MagicCookieValue: "5f2b6c1d9a0e4783b1c6e8d2f7a43950e1bd6c8f20479a53dc1e7b9064f8a2d3",
}

// EnvTLSDir names the directory that contains plugin.crt, plugin.key, and host.crt.
const EnvTLSDir = "AWHOST_TLS_DIR"

// exitHostGone is the exit code of a plugin whose lifeline was closed.
const exitHostGone = 3

// Serve runs the plugin and never returns; no other call is needed in main. `PROGRAM describe` prints the plugin's
// description without a host, and `PROGRAM debug` waits for hosts that attach to it. Serve lowers GOMAXPROCS while the
// plugin is not busy (see package procs), unless the environment sets it.
func Serve(p Plugin) {
	keepInheritedLock()
	os.Exit(serve(p, os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

func serve(p Plugin, args []string, stdin io.Reader, stdout, stderr *os.File) int {
	if err := p.check(); err != nil {
		fmt.Fprintf(stderr, "plugin %s: %v\n", p.Name, err)
		return 1
	}
	if len(args) == 1 && args[0] == "describe" {
		return describe(p, stdout, stderr)
	}
	if len(args) == 1 && args[0] == "debug" {
		return serveDebug(p, os.Args[0], stdout, stderr)
	}
	if os.Getenv(Handshake.MagicCookieKey) != Handshake.MagicCookieValue {
		fmt.Fprintf(stderr, "%s %s is a plugin of awhost: name it in a spec and run `awhost apply`, or run `%s describe`.\n",
			p.Name, p.Version, os.Args[0])
		return 1
	}
	identity, err := mtls.LoadPlugin(os.Getenv(EnvTLSDir))
	if err != nil {
		fmt.Fprintf(stderr, "plugin %s: load the host's TLS identity from %s: %v\n", p.Name, EnvTLSDir, err)
		return 1
	}
	heap.Pace(heapRoom)
	procs.Adapt()
	log := NewLogger(stderr)
	watcher := newHostWatch(os.Getenv)
	go watcher.watch(stdin, func() { os.Exit(exitHostGone) })
	chain := []grpc.UnaryServerInterceptor{recoverUnary, watcher.recordCall, restoreStreams(stdout, stderr)}
	goplugin.Serve(&goplugin.ServeConfig{
		HandshakeConfig: Handshake,
		VersionedPlugins: map[int]goplugin.PluginSet{ProtocolVersion: {"awhost": &grpcPlugin{plugin: p, log: log,
			client: identity.Client(), chain: chain}}},
		TLSProvider: func() (*tls.Config, error) { return identity.Server(), nil },
		GRPCServer: func(options []grpc.ServerOption) *grpc.Server {
			return newServer(p.messageBytes(), options, chain...)
		},
		Logger: hclog.New(&hclog.LoggerOptions{Level: hclog.Warn, Output: stderr, JSONFormat: true}),
	})
	return 0
}

// heapRoom is the number of bytes that a plugin may allocate between two collections: it trades a few megabytes of
// memory for a tenth of the CPU time.
const heapRoom = 8 << 20

// restoreStreams gives the component the process's own standard streams. go-plugin replaces os.Stdout and os.Stderr
// before it serves, to send the output over a gRPC stream, which loses the last output before a crash. The
// host reads the real streams.
func restoreStreams(stdout, stderr *os.File) grpc.UnaryServerInterceptor {
	var once sync.Once
	return func(ctx context.Context, req any, _ *grpc.UnaryServerInfo, next grpc.UnaryHandler) (any, error) {
		once.Do(func() { os.Stdout, os.Stderr = stdout, stderr })
		return next(ctx, req)
	}
}

func describe(p Plugin, stdout, stderr io.Writer) int {
	text, err := protojson.MarshalOptions{Multiline: true}.Marshal(descriptionToWire(p.Describe()))
	if err != nil {
		fmt.Fprintf(stderr, "describe: %v\n", err)
		return 1
	}
	fmt.Fprintln(stdout, string(text))
	return 0
}

// grpcPlugin registers the services with go-plugin.
type grpcPlugin struct {
	goplugin.NetRPCUnsupportedPlugin
	plugin Plugin
	log    *slog.Logger
	client *tls.Config
	chain  []grpc.UnaryServerInterceptor
	reused bool // several hosts may configure the process, one after the other
}

// GRPCServer implements goplugin.GRPCPlugin.
func (g *grpcPlugin) GRPCServer(_ *goplugin.GRPCBroker, server *grpc.Server) error {
	s := register(newMultiplexServer(g.plugin.messageBytes(), g.chain...).Register(server), g.plugin, g.log, g.dialHost)
	s.reused = g.reused
	return nil
}

// GRPCClient implements goplugin.GRPCPlugin; the host has its own implementation.
func (g *grpcPlugin) GRPCClient(context.Context, *goplugin.GRPCBroker, *grpc.ClientConn) (any, error) {
	return nil, errors.New("this is the plugin's side")
}

func (g *grpcPlugin) dialHost(address *awhostv1.HostAddress) (*grpc.ClientConn, error) {
	if address.GetNetwork() != "unix" {
		return nil, fmt.Errorf("network %q is not supported by this SDK: want unix", address.GetNetwork())
	}
	return grpc.NewClient("unix:"+address.GetAddress(),
		append(DialOptions(g.plugin.messageBytes()), grpc.WithTransportCredentials(credentials.NewTLS(g.client)))...)
}

var _ goplugin.GRPCPlugin = (*grpcPlugin)(nil)
