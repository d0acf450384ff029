package multiplex

import (
	"context"
	"strings"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// An answer above this side's limit, from a peer with a higher one, must fail its call and neither the stream nor
// other calls.
func TestConn_SurvivesAPeerThatSendsMore(t *testing.T) {
	begun, over := make(chan struct{}), make(chan struct{})
	e := &environment{step: func(_ context.Context, req *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
		if req.GetEpisodeId() == "neighbour" {
			close(begun)
			<-over
			return &awhostv1.StepResponse{}, nil
		}
		return &awhostv1.StepResponse{Metrics: map[string]float64{strings.Repeat("x", maxMessage/2): 1}}, nil
	}}
	ordinary := serve(t, func(s *grpc.Server) { e.register(NewServer(ServerConfig{MaxMessageBytes: maxMessage}).Register(s)) })
	conn := NewConn(ordinary, Options{MaxMessageBytes: maxMessage / 4})
	answered := make(chan error, 1)
	go func() {
		_, err := step(t.Context(), conn, "neighbour")
		answered <- err
	}()
	await(t, begun)
	if _, err := step(t.Context(), conn, "long"); status.Code(err) != codes.ResourceExhausted {
		t.Errorf("the long answer: %v", err)
	}
	close(over)
	if err := await(t, answered); err != nil || ordinary.streams.Load() != 1 {
		t.Errorf("the neighbour got %v, over %d streams", err, ordinary.streams.Load())
	}
}

// A plugin's failure text of any length must be cut to fit, and the other calls must continue.
func TestServer_CutsAStatusThatDoesNotFit(t *testing.T) {
	begun, over := make(chan struct{}), make(chan struct{})
	e := &environment{step: func(_ context.Context, req *awhostv1.StepRequest) (*awhostv1.StepResponse, error) {
		switch req.GetEpisodeId() {
		case "neighbour":
			close(begun)
			<-over
			return &awhostv1.StepResponse{}, nil
		case "text":
			return nil, status.Error(codes.FailedPrecondition, "it broke: "+strings.Repeat("é", maxMessage))
		}
		long := &awhostv1.Failure{Detail: strings.Repeat("x", 2*maxMessage)}
		s, err := status.New(codes.Aborted, "it broke").WithDetails(long)
		if err != nil {
			return nil, err
		}
		return nil, s.Err()
	}}
	server := NewServer(ServerConfig{MaxMessageBytes: maxMessage})
	ordinary := serve(t, func(s *grpc.Server) { e.register(server.Register(s)) })
	conn := NewConn(ordinary, Options{MaxMessageBytes: maxMessage})
	answered := make(chan error, 1)
	go func() {
		_, err := step(t.Context(), conn, "neighbour")
		answered <- err
	}()
	await(t, begun)
	for episode, code := range map[string]codes.Code{"text": codes.FailedPrecondition, "details": codes.Aborted} {
		_, err := step(t.Context(), conn, episode)
		said := status.Convert(err)
		if said.Code() != code || !strings.HasPrefix(said.Message(), "it broke") || len(said.Details()) > 0 {
			t.Errorf("%s: %.200v", episode, err)
		}
		if !strings.HasSuffix(said.Message(), "can be sent)") || len(said.Message()) > maxMessage {
			t.Errorf("%s: the text has %d bytes without a note that it was cut", episode, len(said.Message()))
		}
	}
	close(over)
	if err := await(t, answered); err != nil || ordinary.streams.Load() != 1 {
		t.Errorf("the neighbour got %v, over %d streams", err, ordinary.streams.Load())
	}
}
