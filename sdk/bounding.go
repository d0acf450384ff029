package sdk

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// bounding registers services with a message limit per caller. A gRPC server has one limit for all callers.
type bounding struct {
	grpc.ServiceRegistrar
	limit func(ctx context.Context) int // of a message, in bytes
}

// RegisterService implements grpc.ServiceRegistrar.
func (b bounding) RegisterService(desc *grpc.ServiceDesc, implementation any) {
	bounded := *desc
	bounded.Methods, bounded.Streams = nil, nil
	for _, m := range desc.Methods {
		m.Handler = b.unary(m.Handler)
		bounded.Methods = append(bounded.Methods, m)
	}
	for _, m := range desc.Streams {
		handle := m.Handler
		m.Handler = func(srv any, stream grpc.ServerStream) error {
			return handle(srv, boundedStream{stream, b.limit(stream.Context())})
		}
		bounded.Streams = append(bounded.Streams, m)
	}
	b.ServiceRegistrar.RegisterService(&bounded, implementation)
}

func (b bounding) unary(handle grpc.MethodHandler) grpc.MethodHandler {
	return func(srv any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
		limit := b.limit(ctx)
		out, err := handle(srv, ctx, func(request any) error {
			if err := decode(request); err != nil {
				return err
			}
			return requestFits(request, limit)
		}, intercept)
		if err != nil {
			return nil, err
		}
		return out, answerFits(out, limit)
	}
}

// boundedStream is the server side of a call with several response messages.
type boundedStream struct {
	grpc.ServerStream
	limit int
}

// RecvMsg implements grpc.ServerStream.
func (s boundedStream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	return requestFits(m, s.limit)
}

// SendMsg implements grpc.ServerStream.
func (s boundedStream) SendMsg(m any) error {
	if err := answerFits(m, s.limit); err != nil {
		return err
	}
	return s.ServerStream.SendMsg(m)
}

func requestFits(m any, limit int) error {
	if size := proto.Size(m.(proto.Message)); size > limit {
		return status.Errorf(codes.ResourceExhausted, "the request has %d bytes, but the plugin may send at most %d "+
			"(%s): send smaller requests, or increase max_message_bytes in the plugin's "+
			"description", size, limit, mebibytes(int64(limit)))
	}
	return nil
}

func answerFits(m any, limit int) error {
	if size := proto.Size(m.(proto.Message)); size > limit {
		return status.Errorf(codes.ResourceExhausted, "the host's response has %d bytes, but the plugin accepts at "+
			"most %d (%s): request less at a time, or increase max_message_bytes in the plugin's "+
			"description", size, limit, mebibytes(int64(limit)))
	}
	return nil
}

var _ grpc.ServerStream = boundedStream{}
