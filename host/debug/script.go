package debug

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"sync"

	"github.com/awhost/awhost/host/manualpolicy"
	"github.com/awhost/awhost/host/rollout"
	"github.com/awhost/awhost/sdk"
)

// Script generates messages in place of a policy: the assistant messages from a file, one JSON object per line, in the
// format that `play` uses. Each episode starts with the first message. After the last one, conversations end as if the
// context were full.
type Script struct {
	name string // for messages
	text []byte

	mu      sync.Mutex
	episode string
	policy  *manualpolicy.Policy
}

// NewScript returns a script for text; name is used only in messages.
func NewScript(name string, text []byte) *Script { return &Script{name: name, text: text} }

// Name returns the script's name for display to users.
func (s *Script) Name() string { return "the script " + s.name }

// Generate implements rollout.Generator.
func (s *Script) Generate(ctx context.Context, req sdk.GenerateRequest) (*sdk.GenerateResponse, error) {
	policy := s.at(fmt.Sprintf("%s/%d", req.EpisodeID, req.Attempt))
	out, err := policy.Generate(ctx, req)
	if wrong := policy.Err(); wrong != nil {
		return nil, fmt.Errorf("%s: %w", s.name, wrong)
	}
	return out, err
}

// at returns the policy for an attempt of an episode. Only one episode runs at a time.
func (s *Script) at(episode string) *manualpolicy.Policy {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.episode != episode {
		s.episode, s.policy = episode, manualpolicy.NewLinePolicy(bytes.NewReader(s.text), io.Discard)
	}
	return s.policy
}

var _ rollout.Generator = (*Script)(nil)
