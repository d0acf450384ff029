package openai

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/awhost/awhost/sdk"
)

// Question is a conversation to which the server returns the next message. Nothing is stored.
type Question struct {
	Messages []sdk.Message
	Tools    []sdk.Tool
	Extra    map[string]json.RawMessage // further members of this request's body; overridden by Config.Extra
	Seed     uint64
	Deadline time.Duration // if shorter than Config.Timeout
}

// Ask samples one message. An error is an *AskError, which wraps what Generate would return.
func (e *Endpoint) Ask(ctx context.Context, q Question) (*sdk.GenerateResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, e.limit(q.Deadline))
	defer cancel()
	names := newToolNames(q.Tools)
	members, err := e.members(q.Messages, sdk.GenerateRequest{Tools: q.Tools, Seed: q.Seed}, names)
	if err != nil {
		return nil, &AskError{NotSampled: true, Err: &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: err.Error()}}
	}
	for name, value := range q.Extra {
		if _, own := e.config.Extra[name]; !own {
			members[name] = value
		}
	}
	body, err := json.Marshal(members)
	if err != nil {
		return nil, &AskError{NotSampled: true, Err: &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: err.Error()}}
	}
	answer, err := e.complete(ctx, body)
	if err != nil {
		return nil, e.askError(ctx, err)
	}
	out, err := read(answer, len(q.Messages), names)
	if err != nil {
		return nil, e.askError(ctx, err)
	}
	return out, nil
}

// AskError explains why a request has no response, and whether the user may have to pay for one.
type AskError struct {
	Status     int    // of the server's response; 0: none, or an unreadable one
	Code       string // the server's own code, such as insufficient_quota
	NotSampled bool   // surely nothing was sampled; otherwise an answer may have been on its way
	Err        error  // a *sdk.GenerateError, or the end of the caller's context
}

// Error implements error.
func (e *AskError) Error() string { return e.Err.Error() }

// Unwrap returns what Generate would return.
func (e *AskError) Unwrap() error { return e.Err }

// NeedsUserAction reports whether the server will reject all requests until the user has corrected a key or paid.
func (e *AskError) NeedsUserAction() bool {
	return e.Status == http.StatusUnauthorized || e.Status == http.StatusPaymentRequired || e.Code == insufficientQuota
}

// askError returns the reason why a request has no response.
func (e *Endpoint) askError(ctx context.Context, err error) error {
	out := &AskError{Err: e.protocolError(ctx, err)}
	var status *statusError
	if errors.As(err, &status) {
		out.Status, out.Code = status.status, status.code
	}
	out.NotSampled = status != nil || notDelivered(err)
	return out
}

var _ error = (*AskError)(nil)
