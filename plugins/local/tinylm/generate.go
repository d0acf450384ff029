package tinylm

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// ErrContextFull reports a prompt that leaves no room for a response.
var ErrContextFull = errors.New("context full")

// sampleSeed separates the sampling stream from other uses of a seed.
const sampleSeed = 0x5eed

// GenRequest requests one answer. Equal requests with equal weights produce equal responses.
type GenRequest struct {
	Snapshot  *Snapshot // weights to sample from; nil means the published ones
	PromptIDs []int32   // the whole conversation so far, including the header of the answer
	Sampling  Sampling
	Seed      uint64
	Forced    []int32 // the answer's ids, within the limits; nil means sampling
}

// Finish is the reason why a response ended.
type Finish string

// The reasons.
const (
	FinishStop    Finish = "stop"    // the model ended its turn
	FinishLength  Finish = "length"  // Sampling.MaxTokens
	FinishContext Finish = "context" // the context window
)

// GenResponse is one answer.
type GenResponse struct {
	IDs      []int32
	Logprobs []float32 // len(IDs), nats, at the temperature (1 instead of 0), before logit bias, top-k and top-p
	Finish   Finish
	Version  int64 // of the weights that sampled the answer
}

// Generate samples an answer. It never waits for training. It returns ErrContextFull, ctx's error, or an error that the
// request is invalid.
func (p *Policy) Generate(ctx context.Context, r GenRequest) (GenResponse, error) {
	if err := p.checkRequest(r); err != nil {
		return GenResponse{}, fmt.Errorf("generate: %w", err)
	}
	snapshot := r.Snapshot
	if snapshot == nil {
		snapshot = p.Snapshot()
	}
	if r.Sampling.Stop == nil {
		r.Sampling.Stop = []int32{p.cfg.EndID}
	}
	select {
	case p.decoders <- struct{}{}:
		defer func() { <-p.decoders }()
	case <-ctx.Done():
		return GenResponse{}, fmt.Errorf("generate: wait for a decoder: %w", context.Cause(ctx))
	}
	s := p.cache.take(snapshot.model, snapshot.serial, r.PromptIDs)
	defer p.cache.put(s)
	response, err := s.generate(ctx, r)
	response.Version = snapshot.Version
	return response, err
}

func (p *Policy) checkRequest(r GenRequest) error {
	if len(r.PromptIDs) == 0 {
		return errors.New("the prompt is empty, it needs at least the header of the answer")
	}
	if len(r.PromptIDs) >= p.cfg.MaxLen {
		return fmt.Errorf("%w: the prompt has %d tokens, but the window holds "+
			"%d", ErrContextFull, len(r.PromptIDs), p.cfg.MaxLen)
	}
	if r.Snapshot != nil && r.Snapshot.model.cfg != p.cfg {
		return errors.New("the snapshot belongs to a model of another shape")
	}
	if err := p.cfg.checkIDs(r.PromptIDs); err != nil {
		return fmt.Errorf("prompt: %w", err)
	}
	if err := p.cfg.checkIDs(r.Forced); err != nil {
		return fmt.Errorf("forced answer: %w", err)
	}
	if r.Forced != nil && (len(r.Forced) == 0 || r.Forced[len(r.Forced)-1] != p.cfg.EndID) {
		return errors.New("a forced answer must end with the end-of-turn token")
	}
	if err := r.Sampling.validate(p.cfg); err != nil {
		return fmt.Errorf("sampling: %w", err)
	}
	return nil
}

// generate feeds the rest of the prompt and samples. The last sampled token is not fed, because only the next turn
// needs it.
func (s *session) generate(ctx context.Context, r GenRequest) (GenResponse, error) {
	for i := len(s.ids); i < len(r.PromptIDs); i++ {
		s.feed(r.PromptIDs[i], i == len(r.PromptIDs)-1)
	}
	random := rand.New(rand.NewPCG(r.Seed, sampleSeed))
	room := s.model.cfg.MaxLen - len(r.PromptIDs)
	out := GenResponse{Finish: FinishContext}
	if limit := r.Sampling.MaxTokens; limit > 0 && limit <= room {
		room, out.Finish = limit, FinishLength
	}
	for len(out.IDs) < room {
		if err := ctx.Err(); err != nil {
			return GenResponse{}, fmt.Errorf("generate: stopped after %d tokens: %w", len(out.IDs), context.Cause(ctx))
		}
		if n := len(out.IDs); n > 0 {
			s.feed(out.IDs[n-1], true)
		}
		id, logprob := s.next(r, len(out.IDs), random)
		out.IDs = append(out.IDs, id)
		out.Logprobs = append(out.Logprobs, logprob)
		if slices.Contains(r.Sampling.Stop, id) {
			out.Finish = FinishStop
			break
		}
	}
	return out, nil
}

// next returns the token at a position in the response: either the forced token or a sampled one.
func (s *session) next(r GenRequest, place int, random *rand.Rand) (id int32, logprob float32) {
	if place < len(r.Forced) {
		logPartition := s.distribution(r.Sampling)
		id = r.Forced[place]
		return id, s.tempered[id] - logPartition
	}
	return s.pick(r.Sampling, random)
}
