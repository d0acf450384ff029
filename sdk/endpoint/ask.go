package endpoint

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/awhost/awhost/sdk"
)

// Question is a conversation of which the server gives the next message, and nothing is kept.
type Question struct {
	Messages []sdk.Message
	Tools    []sdk.Tool
	Extra    map[string]json.RawMessage // further members of this request's body; those of Config.Extra win over them
	Seed     uint64
	Deadline time.Duration // where it is shorter than Config.Timeout
}

// Ask samples one message. An error is an *AskError, which wraps what Generate would return.
func (e *Endpoint) Ask(ctx context.Context, q Question) (*sdk.GenerateResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, e.limit(q.Deadline))
	defer cancel()
	names := newToolNames(q.Tools)
	members, err := e.members(q.Messages, sdk.GenerateRequest{Tools: q.Tools, Seed: q.Seed}, names)
	if err != nil {
		return nil, &AskError{Unserved: true, Err: &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: err.Error()}}
	}
	for name, value := range q.Extra {
		if _, own := e.config.Extra[name]; !own {
			members[name] = value
		}
	}
	body, err := json.Marshal(members)
	if err != nil {
		return nil, &AskError{Unserved: true, Err: &sdk.GenerateError{Kind: sdk.GenerateAborted, Detail: err.Error()}}
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

// AskError says why there is no answer, and whether one has to be paid for.
type AskError struct {
	Status   int    // of the server's answer; 0: it gave none, or one that cannot be read
	Code     string // the server's own word for it, such as insufficient_quota
	Unserved bool   // surely nothing was sampled; otherwise an answer may have been on its way
	Err      error  // a *sdk.GenerateError, or the end of the caller's context
}

// Error implements error.
func (e *AskError) Error() string { return e.Err.Error() }

// Unwrap returns what Generate would return.
func (e *AskError) Unwrap() error { return e.Err }

// NeedsPerson reports whether the server will refuse whatever is asked until somebody has mended a key or paid.
func (e *AskError) NeedsPerson() bool {
	return e.Status == http.StatusUnauthorized || e.Status == http.StatusPaymentRequired || e.Code == insufficientQuota
}

// askError is why a request has no answer.
func (e *Endpoint) askError(ctx context.Context, err error) error {
	out := &AskError{Err: e.failed(ctx, err)}
	var status *statusError
	if errors.As(err, &status) {
		out.Status, out.Code = status.status, status.code
	}
	out.Unserved = status != nil || notReached(err)
	return out
}

var _ error = (*AskError)(nil)
