package client

import (
	"context"
	"errors"
	"path"
	"regexp"
	"strconv"
	"sync/atomic"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"github.com/awhost/awhost/sdk"
	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
	"github.com/awhost/awhost/sdk/traceparent"
)

// limits restricts the size of a plugin's messages and explains the errors caused by larger ones.
type limits struct {
	plugin string
	bytes  atomic.Int64
}

func newLimits(plugin string, bytes int) *limits {
	l := &limits{plugin: plugin}
	l.bytes.Store(int64(max(bytes, sdk.DefaultMessageBytes)))
	return l
}

// options limits each call according to the plugin's limit known at the time of the call.
func (l *limits) options() []grpc.DialOption {
	return append(sdk.DialOptions(sdk.DefaultMessageBytes),
		grpc.WithChainUnaryInterceptor(l.unary), grpc.WithChainStreamInterceptor(l.stream))
}

func (l *limits) withLimits(options []grpc.CallOption) []grpc.CallOption {
	bytes := int(l.bytes.Load())
	return append(options[:len(options):len(options)], grpc.MaxCallRecvMsgSize(bytes), grpc.MaxCallSendMsgSize(bytes))
}

func (l *limits) unary(
	ctx context.Context, method string, req, reply any, conn *grpc.ClientConn, call grpc.UnaryInvoker,
	options ...grpc.CallOption,
) error {
	if trace := traceparent.From(ctx); trace != "" {
		ctx = metadata.AppendToOutgoingContext(ctx, traceparent.Header, trace)
	}
	return l.explain(method, req, call(ctx, method, req, reply, conn, l.withLimits(options)...))
}

func (l *limits) stream(
	ctx context.Context, desc *grpc.StreamDesc, conn *grpc.ClientConn, method string, open grpc.Streamer,
	options ...grpc.CallOption,
) (grpc.ClientStream, error) {
	if method == awhostv1.CallService_Calls_FullMethodName { // it bounds each of its calls itself
		return open(ctx, desc, conn, method, options...)
	}
	s, err := open(ctx, desc, conn, method, l.withLimits(options)...)
	if err != nil {
		return nil, l.explain(method, nil, err)
	}
	return &limitedStream{ClientStream: s, limits: l, method: method}, nil
}

// messageTooLarge matches the error that gRPC returns in Go, Python, C++ and Node, on either side.
var messageTooLarge = regexp.MustCompile(`message (?:after \w+ )?larger than max \((\d+) vs\.? (\d+)\)`)

// explain converts the error from a call whose message was too large to an *sdk.OversizeError.
func (l *limits) explain(method string, req any, err error) error {
	var known *sdk.OversizeError
	if status.Code(err) != codes.ResourceExhausted || errors.As(err, &known) {
		return err
	}
	found := messageTooLarge.FindStringSubmatch(status.Convert(err).Message())
	if found == nil {
		return err
	}
	bytes, _ := strconv.ParseInt(found[1], 10, 64) // digits of a length
	limit, _ := strconv.ParseInt(found[2], 10, 64)
	oversize := &sdk.OversizeError{Plugin: l.plugin, RPC: path.Base(method), Bytes: bytes, Limit: l.bytes.Load()}
	if message, ok := req.(proto.Message); ok && int64(proto.Size(message)) == bytes {
		oversize.Fault = sdk.OversizeRequest
		if bytes <= oversize.Limit {
			oversize.Fault, oversize.Limit = sdk.OversizeServer, limit
		}
	}
	return oversize
}

// limitedStream explains the errors from a call with several response messages.
type limitedStream struct {
	grpc.ClientStream
	limits *limits
	method string
	sent   any
}

// SendMsg implements grpc.ClientStream.
func (s *limitedStream) SendMsg(m any) error {
	s.sent = m
	return s.limits.explain(s.method, m, s.ClientStream.SendMsg(m))
}

// RecvMsg implements grpc.ClientStream.
func (s *limitedStream) RecvMsg(m any) error {
	return s.limits.explain(s.method, s.sent, s.ClientStream.RecvMsg(m))
}

// limitedConn limits the calls in one stream, which the connection's interceptors do not see.
type limitedConn struct {
	grpc.ClientConnInterface
	limits *limits
}

// Invoke implements grpc.ClientConnInterface.
func (c limitedConn) Invoke(ctx context.Context, method string, req, reply any, options ...grpc.CallOption) error {
	return c.limits.explain(method, req, c.ClientConnInterface.Invoke(ctx, method, req, reply, options...))
}

var (
	_ grpc.ClientStream        = (*limitedStream)(nil)
	_ grpc.ClientConnInterface = limitedConn{}
)
