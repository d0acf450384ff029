package debug

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/awhost/awhost/host/play"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// Script answers in the place of a policy: with the assistant messages of a file, one JSON object per line, as `play`
// takes them. Each episode begins at the first. When there are no more, its conversations end as where they are full.
type Script struct {
	name string // for messages
	text []byte

	mu      sync.Mutex
	episode string
	seat    *play.Seat
}

// NewScript reads nothing but text.
func NewScript(name string, text []byte) *Script { return &Script{name: name, text: text} }

// Name is who answers, for people.
func (s *Script) Name() string { return "the script " + s.name }

// Generate implements rollout.Generator.
func (s *Script) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	seat := s.at(fmt.Sprintf("%s/%d", req.EpisodeID, req.Attempt))
	out, err := seat.Generate(ctx, req)
	if wrong := seat.Err(); wrong != nil {
		return nil, fmt.Errorf("%s: %w", s.name, wrong)
	}
	return out, err
}

// at is the place of an attempt at an episode: one is played at a time.
func (s *Script) at(episode string) *play.Seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.episode != episode {
		s.episode, s.seat = episode, play.SeatOfLines(bytes.NewReader(s.text), io.Discard)
	}
	return s.seat
}

var _ rollout.Generator = (*Script)(nil)
