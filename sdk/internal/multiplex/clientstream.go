package multiplex

import (
	"context"
	"errors"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

// clientStream is the client's stream for a method with several response messages.
type clientStream struct {
	ctx               context.Context
	method            string
	stream            *stream
	newOrdinaryStream func() (grpc.ClientStream, error)

	request       any
	call          *call
	stopAfterFunc func() bool // stops the wait for the end of ctx
	fallback      grpc.ClientStream
	end           error
}

// SendMsg implements grpc.ClientStream.
func (a *clientStream) SendMsg(m any) (err error) {
	message, err := encode(m)
	if err != nil {
		return err
	}
	a.request = m
	if len(message) > maxCallBytes {
		return a.fallBack()
	}
	if a.call, err = a.stream.begin(a.ctx, a.method, message); errors.Is(err, errRefused) {
		return a.fallBack()
	}
	if err == nil {
		a.stopAfterFunc = context.AfterFunc(a.ctx, func() { a.call.abandon() }) // also if the caller does not receive
	}
	return err
}

// fallBack makes an ordinary call as a replacement.
func (a *clientStream) fallBack() (err error) {
	if a.fallback, err = a.newOrdinaryStream(); err != nil {
		return err
	}
	if err := a.fallback.SendMsg(a.request); err != nil {
		return err
	}
	return a.fallback.CloseSend()
}

// CloseSend implements grpc.ClientStream.
func (a *clientStream) CloseSend() error { return nil }

// RecvMsg implements grpc.ClientStream.
func (a *clientStream) RecvMsg(m any) error {
	if a.fallback != nil {
		return a.fallback.RecvMsg(m)
	}
	if a.end != nil {
		return a.end
	}
	answer, err := a.call.next(a.ctx)
	if errors.Is(err, errRefused) {
		a.stopAfterFunc()
		if err := a.fallBack(); err != nil {
			return err
		}
		return a.fallback.RecvMsg(m)
	}
	if err == nil && !answer.GetMore() {
		err = io.EOF
	}
	if err != nil {
		a.stopAfterFunc()
		a.end = err
		return err
	}
	return decode(answer.GetMessage(), m)
}

// Context implements grpc.ClientStream.
func (a *clientStream) Context() context.Context { return a.ctx }

// Header implements grpc.ClientStream. It returns nothing.
func (a *clientStream) Header() (metadata.MD, error) { return nil, nil }

// Trailer implements grpc.ClientStream. It returns nothing.
func (a *clientStream) Trailer() metadata.MD { return nil }

var _ grpc.ClientStream = (*clientStream)(nil)
