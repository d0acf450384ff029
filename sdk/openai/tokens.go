package openai

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/awhost/awhost/sdk"
)

// Some servers for open models return the tokens in their responses and the log-probability of each. The request
// parameters differ, and a server that does not support them returns only a plausible message. Therefore, a probe
// determines what a server supports before anything depends on it.

// Grade is the token data that a server returns with a message.
type Grade string

// The grades.
const (
	GradeTokens   Grade = "tokens"   // the ids of the prompt and of the sampled tokens, and log-probabilities
	GradeLogprobs Grade = "logprobs" // log-probabilities, without all ids
	GradeText     Grade = "text"     // no token data
)

// Row is part of a conversation in the server's own tokens: the sampled tokens and the tokens between them. A
// conversation is a single row as long as each prompt begins with all preceding tokens. Otherwise, it consists of
// several rows, and each sampled token is marked in exactly one of them.
type Row struct {
	Chain        string
	IDs          []int32
	LossMask     []bool    // as long as IDs: sampled tokens
	Logprobs     []float32 // as long as IDs; 0 for tokens that were not sampled
	TurnIDs      []int32   // as long as IDs: the message of the row, from 0; -1 outside of messages
	PromptLength int       // number of tokens before the first sampled one
}

// tokens holds the tokens of one message.
type tokens struct {
	prompt, ids []int32
	logprobs    []float32
}

// tokenRequest is a set of request members that request tokens.
type tokenRequest map[string]any

// tokenRequests lists the known sets, in the order in which they are tried.
var tokenRequests = []tokenRequest{
	// vLLM since 0.10.2 (vllm-project/vllm#22587), and SGLang since sgl-project/sglang#30917. Without top_logprobs,
	// vLLM omits `logprobs.content`.
	{"logprobs": true, "top_logprobs": 0, "return_token_ids": true},
	// SGLang before that.
	{"logprobs": true, "return_meta_info": true, "return_prompt_token_ids": true},
	// OpenAI's own parameters.
	{"logprobs": true, "top_logprobs": 0},
	{},
}

// TokensError reports that a server does not return the token data that a block requires.
type TokensError struct {
	Model string // for display
	Grade Grade  // the data that it returns; empty: unusable data
	Err   error  // why the data is unusable
}

// Error implements error.
func (e *TokensError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("probe %s for tokens: %v", e.Model, e.Err)
	}
	gives := map[Grade]string{
		GradeLogprobs: "log-probabilities without the ids of all tokens",
		GradeText:     "neither ids of tokens nor log-probabilities",
	}[e.Grade]
	return fmt.Sprintf("%s: tokens is \"required\", but the server returns %s (%s): serve the model with vLLM "+
		"0.10.2 or later or with SGLang 0.5.13 or later, or remove tokens", e.Model, gives, e.Grade)
}

// The question used in a probe.
const (
	probeText   = "Count from one to three."
	probeTokens = 16
	probeLimit  = time.Minute
)

// Prepare starts the reader. It requests a short message from the server if tokens are enabled, and selects the request
// members that make the server return them. If the server does not return them, the error is a *TokensError. It is
// called before the first Generate.
func (e *Endpoint) Prepare(ctx context.Context) error {
	if e.config.Reader != nil {
		if err := e.config.Reader.Start(ctx); err != nil {
			return err
		}
	}
	if !e.config.Tokens {
		return nil
	}
	grade, chosen, err := e.probe(ctx)
	if errors.Is(err, errLengths) {
		return &TokensError{Model: e.Name(), Err: err}
	}
	if err != nil {
		return fmt.Errorf("probe %s for tokens: %w", e.Name(), errors.New(e.redact(sdk.DescribeError(err))))
	}
	if grade != GradeTokens {
		return &TokensError{Model: e.Name(), Grade: grade}
	}
	e.tokenRequest.Store(&chosen)
	return nil
}

// probe finds the best grade and the form that yields it.
func (e *Endpoint) probe(ctx context.Context) (best Grade, chosen tokenRequest, err error) {
	ctx, cancel := context.WithTimeout(ctx, min(probeLimit, e.config.Timeout))
	defer cancel()
	best = GradeText
	for _, f := range tokenRequests {
		answer, err := e.ask(ctx, f)
		var refused *statusError
		if errors.As(err, &refused) && len(f) > 0 && refused.rejectsTokenRequest() {
			continue
		}
		if err != nil {
			return "", nil, err
		}
		grade, err := answer.grade()
		switch {
		case err != nil:
			return "", nil, err
		case grade == GradeTokens:
			return grade, f, nil
		case grade == GradeLogprobs && best == GradeText:
			best, chosen = grade, f
		}
	}
	return best, chosen, nil
}

// ask sends a probe.
func (e *Endpoint) ask(ctx context.Context, f tokenRequest) (*completion, error) {
	leave, err := e.Enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	question := []sdk.Message{{Role: sdk.RoleUser, Content: probeText}}
	body, err := e.members(question, sdk.GenerateRequest{}, toolNames{})
	if err != nil {
		return nil, err
	}
	for name, value := range f {
		if _, own := e.config.Extra[name]; !own {
			body[name] = value
		}
	}
	body[e.lengthField()] = probeTokens
	text, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return e.complete(ctx, text)
}

// rejectsTokenRequest reports whether a server has rejected the form of a request rather than its sender or rate.
func (e *statusError) rejectsTokenRequest() bool {
	return e.status == http.StatusBadRequest || e.status == http.StatusUnprocessableEntity
}

// grade returns the grade of a response's token data.
func (c *completion) grade() (Grade, error) {
	if len(c.Choices) == 0 {
		return "", errors.New("the server's response contains no choices")
	}
	t, err := c.tokens()
	switch {
	case err != nil:
		return "", err
	case t.prompt != nil && t.ids != nil && t.logprobs != nil:
		return GradeTokens, nil
	case t.logprobs != nil:
		return GradeLogprobs, nil
	}
	return GradeText, nil
}

// tokens returns the tokens available in a response. If the numbers of IDs and log-probabilities differ, this is an
// error, because it is unknown which belong together.
func (c *completion) tokens() (*tokens, error) {
	choice := &c.Choices[0]
	out := &tokens{prompt: choice.PromptTokenIDs, ids: choice.TokenIDs}
	if out.prompt == nil {
		out.prompt = c.PromptTokenIDs
	}
	if choice.Logprobs != nil {
		for _, l := range choice.Logprobs.Content {
			out.logprobs = append(out.logprobs, l.Logprob)
		}
	}
	if out.ids == nil && choice.MetaInfo != nil {
		said := len(out.logprobs)
		out.logprobs = nil
		for _, t := range choice.MetaInfo.OutputTokenLogprobs {
			out.ids, out.logprobs = append(out.ids, t.ID), append(out.logprobs, t.Logprob)
		}
		if choice.Logprobs != nil && said != len(out.ids) {
			return nil, lengthMismatch(len(out.ids), said)
		}
	}
	if out.ids != nil && out.logprobs != nil && len(out.ids) != len(out.logprobs) {
		return nil, lengthMismatch(len(out.ids), len(out.logprobs))
	}
	return out, nil
}

// errLengths is the error for a response with different numbers of IDs and log-probabilities.
var errLengths = errors.New("they cannot be matched")

func lengthMismatch(ids, logprobs int) error {
	return fmt.Errorf("the server returned %d token ids and %d log-probabilities for one message: %w",
		ids, logprobs, errLengths)
}

// enabledTokens returns a response's tokens if tokens are enabled, and nil otherwise.
func (e *Endpoint) enabledTokens(answer *completion) (*tokens, error) {
	if !e.config.Tokens {
		return nil, nil
	}
	t, err := answer.tokens()
	if err != nil {
		return nil, err
	}
	if t.prompt == nil || t.ids == nil || t.logprobs == nil {
		return nil, fmt.Errorf("the server returned no tokens with a message, unlike in the probe: %d prompt ids, "+
			"%d message ids, and %d log-probabilities", len(t.prompt), len(t.ids), len(t.logprobs))
	}
	return t, nil
}

// Rows returns an episode's conversations as tokens, in the order in which they started. Messages without tokens, such
// as responses known from an earlier process of a run, appear only as part of a prompt.
func (e *Endpoint) Rows(episodeID string) []Row {
	e.mu.Lock()
	defer e.mu.Unlock()
	ep := e.episodes[episodeID]
	if ep == nil {
		return nil
	}
	var out []Row
	for _, id := range ep.order {
		out = append(out, ep.chains[id].rows()...)
	}
	return out
}

func (c *conversation) rows() []Row {
	var out []Row
	for _, t := range c.tokens {
		if n := len(out); n > 0 && out[n-1].continuedBy(t.prompt) {
			out[n-1].add(t)
			continue
		}
		row := Row{Chain: c.id, PromptLength: len(t.prompt)}
		row.add(t)
		out = append(out, row)
	}
	return out
}

// continuedBy reports whether a prompt continues the row.
func (r *Row) continuedBy(prompt []int32) bool {
	return len(prompt) >= len(r.IDs) && slices.Equal(prompt[:len(r.IDs)], r.IDs)
}

// add appends a message and the tokens that precede it in its prompt.
func (r *Row) add(t *tokens) {
	turn := int32(0)
	for _, known := range r.TurnIDs {
		turn = max(turn, known+1)
	}
	for _, id := range t.prompt[len(r.IDs):] {
		r.push(id, false, 0, -1)
	}
	for i, id := range t.ids {
		r.push(id, true, t.logprobs[i], turn)
	}
}

func (r *Row) push(id int32, sampled bool, logprob float32, turn int32) {
	r.IDs, r.LossMask = append(r.IDs, id), append(r.LossMask, sampled)
	r.Logprobs, r.TurnIDs = append(r.Logprobs, logprob), append(r.TurnIDs, turn)
}

// tokenLogprob is SGLang's [log-probability, id, text].
type tokenLogprob struct {
	Logprob float32
	ID      int32
}

// UnmarshalJSON implements json.Unmarshaler.
func (t *tokenLogprob) UnmarshalJSON(data []byte) error {
	var members []json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return err
	}
	if len(members) < 2 {
		return fmt.Errorf("%s is not [log-probability, id, text]", data)
	}
	return errors.Join(json.Unmarshal(members[0], &t.Logprob), json.Unmarshal(members[1], &t.ID))
}

var (
	_ error            = (*TokensError)(nil)
	_ json.Unmarshaler = (*tokenLogprob)(nil)
)
