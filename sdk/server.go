package sdk

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	"github.com/awhost/awhost/sdk/internal/multiplex"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// check reports errors that would otherwise become apparent only later, far from their cause.
func (p Plugin) check() error {
	if p.Name == "" || p.Version == "" {
		return errors.New("a plugin needs a name and a version")
	}
	seen := map[string]bool{}
	for _, c := range p.Describe().Components {
		key := string(c.Kind) + " " + c.Type
		if c.Type == "" || seen[key] {
			return fmt.Errorf("component %q: its type is empty or used twice", key)
		}
		seen[key] = true
		if err := c.check(); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
	}
	if len(seen) == 0 {
		return errors.New("a plugin needs at least one component")
	}
	if p.MaxMessageBytes != 0 && p.MaxMessageBytes < DefaultMessageBytes || p.MaxMessageBytes > MaxMessageBytes {
		return fmt.Errorf("MaxMessageBytes is %d: omit it for %d (32 MiB), or set a larger value, up to %d (1 GiB)",
			p.MaxMessageBytes, DefaultMessageBytes, MaxMessageBytes)
	}
	return nil
}

// Flow control windows. They are fixed because gRPC by default measures the connection, which costs a ping and its
// response for nearly every message and gains nothing between two processes on the same machine.
const (
	streamWindow     = 1 << 20
	connectionWindow = 16 << 20
)

// ServerOptions returns the options for a server that uses the protocol, on either side. limit bounds its messages, in
// bytes.
func ServerOptions(limit int) []grpc.ServerOption {
	return []grpc.ServerOption{
		grpc.MaxRecvMsgSize(limit), grpc.MaxSendMsgSize(limit + multiplex.OverheadBytes),
		grpc.StaticStreamWindowSize(streamWindow), grpc.StaticConnWindowSize(connectionWindow),
	}
}

// DialOptions returns the options for a connection that uses the protocol, on either side. limit bounds its messages,
// in bytes.
func DialOptions(limit int) []grpc.DialOption {
	return []grpc.DialOption{
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(limit), grpc.MaxCallSendMsgSize(limit)),
		grpc.WithStaticStreamWindowSize(streamWindow), grpc.WithStaticConnWindowSize(connectionWindow),
	}
}

// newMultiplexServer responds to calls that share a stream in the same way as a server created by newServer responds to
// others.
func newMultiplexServer(limit int, chain ...grpc.UnaryServerInterceptor) *multiplex.Server {
	return multiplex.NewServer(multiplex.ServerConfig{
		MaxMessageBytes: limit, Unary: chain, Stream: recoverStream,
		Streams: []string{awhostv1.HostService_RunEpisode_FullMethodName},
	})
}

func newServer(limit int, options []grpc.ServerOption, chain ...grpc.UnaryServerInterceptor) *grpc.Server {
	options = append(options, ServerOptions(limit)...)
	chain = append([]grpc.UnaryServerInterceptor{extractTrace}, chain...)
	return grpc.NewServer(append(options, grpc.ChainUnaryInterceptor(chain...), grpc.StreamInterceptor(recoverStream))...)
}

// A panic in a component fails the call but not the process, so other episodes continue.
func recoverUnary(ctx context.Context, req any, info *grpc.UnaryServerInfo, next grpc.UnaryHandler) (out any,
	err error) {
	defer recovered(info.FullMethod, &err)
	return next(ctx, req)
}

func recoverStream(srv any, stream grpc.ServerStream, info *grpc.StreamServerInfo,
	next grpc.StreamHandler) (err error) {
	defer recovered(info.FullMethod, &err)
	return next(srv, stream)
}

func recovered(method string, err *error) {
	if r := recover(); r != nil {
		stack := debug.Stack()
		NewLogger(os.Stderr).Error(method+" panicked", "panic", fmt.Sprint(r), "stack", string(stack)) // for the plugin's log
		*err = status.Errorf(codes.Internal, "%s panicked: %v\n%s", method, r, stack)
	}
}
