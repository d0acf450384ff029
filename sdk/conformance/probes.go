package conformance

import (
	"context"
	"strings"
	"sync"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	awhostv1 "github.com/awhost/awhost/sdk/proto/awhost/v1"
)

// probes holds unusual calls to Generate in an episode of a stage, in addition to the calls that the episode requires.
// The lists contain the mistakes found in the responses.
type probes struct {
	repeated, extended, diverged, full []string
	hasRun                             bool

	mu      sync.Mutex
	begun   chan struct{} // not nil: an episode is being probed; closed after all calls except the last
	givenUp bool          // a call was refused because the trainer has given the episode up
}

// claimEpisode reports whether the episode, after its first message, is the one to be probed. The receiver may be nil.
func (p *probes) claimEpisode() bool {
	if p == nil {
		return false
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.begun != nil {
		return false
	}
	p.begun = make(chan struct{})
	return true
}

// wait delays the end of other episodes until the calls have been made. Otherwise, a trainer that uses the earliest
// results would not need the probed episode and would give it up.
func (p *probes) wait(ctx context.Context) {
	if p == nil {
		return
	}
	p.mu.Lock()
	begun := p.begun
	p.mu.Unlock()
	if begun == nil {
		return
	}
	select {
	case <-begun:
	case <-ctx.Done():
	}
}

// release handles an episode that ended early. If the trainer gave up the episode too soon, another one is probed.
func (p *probes) release() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.givenUp {
		p.repeated, p.extended, p.diverged, p.full, p.hasRun, p.begun, p.givenUp = nil, nil, nil, nil, false, nil, false
	}
}

// probeCalls makes the calls after one of the episode's calls has received a response.
func (p *probes) probeCalls(ctx context.Context, s *stage, call *awhostv1.GenerateRequest,
	answer *awhostv1.GenerateResponse) {
	later := p.hasRun // a later message: probe only once
	p.hasRun = true
	p.extended = append(p.extended, checkContinuation(call, answer)...)
	again, err := s.repeatCall(ctx, call)
	p.givenUp = p.givenUp || mayBeGivenUp(ctx, err)
	switch {
	case later && mayBeGivenUp(ctx, err): // given up meanwhile, after the first message was probed
	case err != nil:
		p.repeated = append(p.repeated, "the same call_id again: "+err.Error())
	case !proto.Equal(again, answer):
		p.repeated = append(p.repeated, "the same call_id returns another message or chain: "+again.String()+"\nafter\n"+
			answer.String())
	}
	if later {
		return
	}
	defer close(p.begun)
	odd := func(id string, change func(*awhostv1.GenerateRequest)) (*awhostv1.GenerateResponse, error) {
		req := proto.Clone(call).(*awhostv1.GenerateRequest)
		req.CallId, req.Messages = call.GetEpisodeId()+"/"+id, []*awhostv1.Message{user("Go on.")}
		req.Chain, req.Base = answer.GetChain(), answer.GetChainLength()
		change(req)
		_, answer, err := s.generate(ctx, req)
		p.givenUp = p.givenUp || mayBeGivenUp(ctx, err)
		return answer, err
	}
	if s.t.component.has(NeedContext) { // another trainer may accept it and extend its chain
		_, err = odd("full", func(r *awhostv1.GenerateRequest) {
			r.Messages = []*awhostv1.Message{user(strings.Repeat("lorem ipsum ", 1<<18))}
		})
		p.full = append(p.full, contextFull(err)...)
	}
	stray, err := odd("stray", func(r *awhostv1.GenerateRequest) {
		r.Base = answer.GetChainLength() - 1 // as if there had been no answer
	})
	switch {
	case err != nil:
		p.diverged = append(p.diverged, "a conversation that continues from before the last message: "+err.Error())
	case stray.GetChain() == answer.GetChain():
		p.diverged = append(p.diverged, "a conversation that continues from before the last message stays in its chain")
	case stray.GetDrift() == awhostv1.Drift_DRIFT_UNSPECIFIED || stray.GetDrift() == awhostv1.Drift_DRIFT_CLEAN:
		p.diverged = append(p.diverged, "a conversation that continues from before the last message starts a new "+
			"chain, but the drift is "+stray.GetDrift().String())
	}
}

// reportProbes reports the mistakes found by the probes.
func (t *T) reportProbes(of func(*probes) []string) {
	p := t.trainedStage().probes
	if !p.hasRun {
		t.skipf("no episode was sampled")
	}
	for _, wrong := range of(p) {
		t.errorf("%s", wrong)
	}
}

// checkContinuation checks that a response adds exactly one message to the given messages.
func checkContinuation(call *awhostv1.GenerateRequest, answer *awhostv1.GenerateResponse) []string {
	var wrong []string
	if answer.GetMessage().GetRole() != awhostv1.Role_ROLE_ASSISTANT {
		wrong = append(wrong, "the message has the role "+answer.GetMessage().GetRole().String())
	}
	if answer.GetChain() == "" {
		wrong = append(wrong, "the response names no chain")
	}
	if answer.GetFinishReason() == awhostv1.FinishReason_FINISH_REASON_UNSPECIFIED {
		wrong = append(wrong, "the response has no finish reason")
	}
	if call.GetChain() != "" && answer.GetChain() != call.GetChain() {
		wrong = append(wrong, "a plain continuation of a chain starts another chain")
	}
	if want := call.GetBase() + int64(len(call.GetMessages())) + 1; answer.GetChainLength() != want {
		wrong = append(wrong, "after "+plural(want-1, "message")+" and the response the chain_length is "+
			plural(answer.GetChainLength(), "message"))
	}
	return wrong
}

// contextFull checks that a message longer than any context was refused for that reason.
func contextFull(err error) []string {
	if err == nil {
		return []string{"three million characters were accepted, although the capability max_context declares a limit"}
	}
	if status.Code(err) != codes.Aborted {
		return []string{"a message that does not fit into the context gets the status " + name(status.Code(err)) + " (" +
			status.Convert(err).Message() + "); want ABORTED"}
	}
	for _, detail := range status.Convert(err).Details() {
		if d, ok := detail.(*awhostv1.GenerateError); ok {
			if d.GetKind() == awhostv1.GenerateError_KIND_CONTEXT_FULL {
				return nil
			}
			return []string{"a message that does not fit into the context is ABORTED with kind " + d.GetKind().String() +
				"; want KIND_CONTEXT_FULL"}
		}
	}
	return []string{"a message that does not fit into the context is ABORTED without the detail GenerateError"}
}
