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

// TestConn_SurvivesAPeerThatSendsMore: an answer above the limit of this side, from a peer that has a higher one,
// fails its call and neither the stream nor a neighbour.
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
