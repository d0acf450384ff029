package sdk

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/protoadapt"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// ErrUnavailable wraps errors from a peer that has exited or is shutting down. Repeating a call with the same
// idempotency key is safe.
var ErrUnavailable = errors.New("the peer is unavailable")

// ErrNoTrainer is wrapped by Recover's error if a launch's trainer has exited or never existed; another one may be
// started. Control and Evaluate wrap it for a launch that is not being trained, but Recover may still find the launch's
// trainer.
var ErrNoTrainer = errors.New("no such trainer")

// errorToStatus converts a component's error to a status; see the table in plugin.proto.
func errorToStatus(err error) error {
	if err == nil {
		return nil
	}
	if _, ok := status.FromError(err); ok {
		return err
	}
	var failure *Failure
	var generate *GenerateError
	switch {
	case errors.As(err, &failure):
		return withDetail(codes.Aborted, err, failureToWire(failure))
	case errors.As(err, &generate):
		return withDetail(codes.Aborted, err, &awhostv1.GenerateError{Kind: generateErrorKinds.toWire[generate.Kind],
			Detail: validUTF8(generate.Detail)})
	case errors.Is(err, ErrSessionLost):
		return withDetail(codes.NotFound, err, &awhostv1.SessionLost{})
	case errors.Is(err, ErrNoTrainer):
		return status.Error(codes.NotFound, validUTF8(err.Error()))
	case errors.Is(err, context.DeadlineExceeded):
		return status.Error(codes.DeadlineExceeded, validUTF8(err.Error()))
	case errors.Is(err, context.Canceled):
		return status.Error(codes.Canceled, validUTF8(err.Error()))
	case errors.Is(err, ErrUnavailable):
		return status.Error(codes.Unavailable, validUTF8(err.Error()))
	}
	return status.Error(codes.Unknown, validUTF8(err.Error()))
}

func withDetail(code codes.Code, err error, detail protoadapt.MessageV1) error {
	s, derr := status.New(code, validUTF8(err.Error())).WithDetails(detail)
	if derr != nil {
		return status.Error(code, validUTF8(err.Error()))
	}
	return s.Err()
}

// parseSessionLost returns ErrSessionLost with its cause, such as the exit of a server that an environment depends on.
func parseSessionLost(message string) error {
	why := strings.TrimPrefix(strings.TrimPrefix(message, ErrSessionLost.Error()), ": ")
	if why == "" {
		return ErrSessionLost
	}
	return fmt.Errorf("%w: %s", ErrSessionLost, why)
}

// errorFromStatus restores the typed errors that errorToStatus converted.
func errorFromStatus(err error) error {
	if err == nil {
		return nil
	}
	s, ok := status.FromError(err)
	if !ok {
		return err
	}
	for _, detail := range s.Details() {
		switch d := detail.(type) {
		case *awhostv1.Failure:
			return failureFromWire(d)
		case *awhostv1.GenerateError:
			return &GenerateError{Kind: generateErrorKinds.toGo[d.GetKind()], Detail: d.GetDetail()}
		case *awhostv1.SessionLost:
			return parseSessionLost(s.Message())
		}
	}
	switch code := s.Code(); {
	case code == codes.Unavailable, code == codes.Canceled && strings.Contains(s.Message(), "connection is closing"):
		// gRPC returns the second if this side has closed the connection; the call was not canceled.
		return fmt.Errorf("%w: %s", ErrUnavailable, s.Message())
	case code == codes.DeadlineExceeded:
		return fmt.Errorf("%w: %s", context.DeadlineExceeded, s.Message())
	case code == codes.Canceled:
		return fmt.Errorf("%w: %s", context.Canceled, s.Message())
	case code == codes.Unknown:
		return errors.New(s.Message())
	}
	return err
}
