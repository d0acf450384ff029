package sdk

import (
	"context"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

// limitedRegistrar registers services with a separate message size limit for each caller. A gRPC server itself has a
// single limit for all callers.
type limitedRegistrar struct {
	grpc.ServiceRegistrar
	limit func(ctx context.Context) int // of a message, in bytes
}

// RegisterService implements grpc.ServiceRegistrar.
func (r limitedRegistrar) RegisterService(desc *grpc.ServiceDesc, implementation any) {
	limited := *desc
	limited.Methods, limited.Streams = nil, nil
	for _, m := range desc.Methods {
		m.Handler = r.limitUnary(m.Handler)
		limited.Methods = append(limited.Methods, m)
	}
	for _, m := range desc.Streams {
		handle := m.Handler
		m.Handler = func(srv any, stream grpc.ServerStream) error {
			return handle(srv, limitedStream{stream, r.limit(stream.Context())})
		}
		limited.Streams = append(limited.Streams, m)
	}
	r.ServiceRegistrar.RegisterService(&limited, implementation)
}

func (r limitedRegistrar) limitUnary(handle grpc.MethodHandler) grpc.MethodHandler {
	return func(srv any, ctx context.Context, decode func(any) error, intercept grpc.UnaryServerInterceptor) (any, error) {
		limit := r.limit(ctx)
		out, err := handle(srv, ctx, func(request any) error {
			if err := decode(request); err != nil {
				return err
			}
			return checkRequestSize(request, limit)
		}, intercept)
		if err != nil {
			return nil, err
		}
		return out, checkResponseSize(out, limit)
	}
}

// limitedStream is the server side of a call with several response messages.
type limitedStream struct {
	grpc.ServerStream
	limit int
}

// RecvMsg implements grpc.ServerStream.
func (s limitedStream) RecvMsg(m any) error {
	if err := s.ServerStream.RecvMsg(m); err != nil {
		return err
	}
	return checkRequestSize(m, s.limit)
}

// SendMsg implements grpc.ServerStream.
func (s limitedStream) SendMsg(m any) error {
	if err := checkResponseSize(m, s.limit); err != nil {
		return err
	}
	return s.ServerStream.SendMsg(m)
}

func checkRequestSize(m any, limit int) error {
	if size := proto.Size(m.(proto.Message)); size > limit {
		return status.Errorf(codes.ResourceExhausted, "the request has %d bytes, but the plugin may send at most %d "+
			"(%s): send smaller requests, or increase max_message_bytes in the plugin's "+
			"description", size, limit, mebibytes(int64(limit)))
	}
	return nil
}

func checkResponseSize(m any, limit int) error {
	if size := proto.Size(m.(proto.Message)); size > limit {
		return status.Errorf(codes.ResourceExhausted, "the host's response has %d bytes, but the plugin accepts at "+
			"most %d (%s): request less at a time, or increase max_message_bytes in the plugin's "+
			"description", size, limit, mebibytes(int64(limit)))
	}
	return nil
}

var _ grpc.ServerStream = limitedStream{}
